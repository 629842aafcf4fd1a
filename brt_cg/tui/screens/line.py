"""A question of the program itself that is answered with a line of words."""

from textual.app import ComposeResult
from textual.widgets import Input, Static

from brt_cg.tui.screens.dialog import Dialog


class LineScreen(Dialog[str]):
    """Answers what is typed, None if it is left by Escape."""

    KEYS = "Enter · Esc leaves it"
    BINDINGS = [("escape", "dismiss(None)", "Leave it")]

    def __init__(self, title: str, hint: str) -> None:
        super().__init__(title)
        self.hint = hint

    def inside(self) -> ComposeResult:
        yield Static(self.hint, markup=False)
        yield Input(compact=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        _ = self.dismiss(event.value)
