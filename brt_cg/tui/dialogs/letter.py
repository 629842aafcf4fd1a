"""A text to be copied into a mail."""

from textual.content import Content

from brt_cg.tui.dialogs.words import WordsScreen
from brt_cg.tui.keys.actions import bound


class LetterScreen(WordsScreen):
    """Shows a text until the player closes it; a key copies it to the clipboard."""

    KEYS = "{everywhere.copy_row} copies it · {dialogs.close} closes"
    BINDINGS = [bound("everywhere.copy_row", "copy")]

    def __init__(self, title: str, letter: str) -> None:
        super().__init__(title, Content(letter))
        self.letter = letter

    def action_copy(self) -> None:
        self.app.copy_to_clipboard(self.letter)
        self.app.notify("The text is in the clipboard.", title="Copied", timeout=3, markup=False)
