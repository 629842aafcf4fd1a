"""Before the app plays the rest of a phase by itself: what it will do."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from brt_cg.tui.session import Seen
from brt_cg.tui.steps import Stand


class GoAllScreen(ModalScreen[bool]):
    """Shows what playing on will do; true if it is wanted."""

    CSS_PATH = "go_all.tcss"
    BINDINGS = [("escape", "dismiss(False)", "Not now")]

    def __init__(self, seen: Seen) -> None:
        super().__init__()
        self.seen = seen

    def compose(self) -> ComposeResult:
        with Vertical(id="go_all") as box:
            box.border_title = "Play the rest of the Refit Phase"
            yield Static(_told(self.seen), markup=False)
            yield OptionList(Option("Play it", "yes"), Option("Not now", "no"))

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        _ = self.dismiss(event.option_id == "yes")


def _told(seen: Seen) -> str:
    ahead = sum(one.stand in (Stand.AHEAD, Stand.NOW) for one in seen.steps)
    stops = ""
    if seen.seat is not None:
        stops = f" It stops where the {seen.seat.enemy.label} side decides."
    return (
        f"The app plays the {ahead} paragraphs that are left: it rolls all dice, and every choice "
        f"takes the answer marked as default; Melees end, nobody buys.{stops}\n\n"
        "Everything stands in the log. One answer after the other can be taken back, or the whole "
        "run at once."
    )
