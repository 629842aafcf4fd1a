"""A question of the program itself that is answered with a line of words."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static


class LineScreen(ModalScreen[str | None]):
    """Answers what is typed, None if it is left by Escape."""

    CSS_PATH = "line.tcss"
    BINDINGS = [("escape", "dismiss(None)", "Leave it")]

    def __init__(self, title: str, hint: str) -> None:
        super().__init__()
        self.heading, self.hint = title, hint

    def compose(self) -> ComposeResult:
        with Vertical(id="line") as box:
            box.border_title = self.heading
            box.border_subtitle = "Enter · Esc leaves it"
            yield Static(self.hint, markup=False)
            yield Input(compact=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        _ = self.dismiss(event.value)
