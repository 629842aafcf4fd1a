"""Before a side says that it is done with its purchases while it has a draft."""

from typing import TYPE_CHECKING, cast

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from brt_cg.counters import Side
from brt_cg.tui.actions import BY_ID, PURCHASES
from brt_cg.tui.keys import shown_key

if TYPE_CHECKING:
    from brt_cg.tui.app import BrtApp

COMMIT, DONE = BY_ID[f"{PURCHASES}.commit"], BY_ID[f"{PURCHASES}.done"]


class DoneScreen(ModalScreen[str | None]):
    """Answers "commit" or "done", or None to go on buying. `draft` is its total: "4 GPP"."""

    CSS_PATH = "done.tcss"
    BINDINGS = [COMMIT.binding, DONE.binding, ("escape", "dismiss(None)", "Not yet")]

    def __init__(self, side: Side, draft: str) -> None:
        super().__init__()
        self.side, self.draft = side, draft

    def compose(self) -> ComposeResult:
        with Vertical(id="done") as box:
            box.border_title = f"{self.side.label}: done with purchases?"
            yield Static(f"A draft of {self.draft} is not bought.")
            yield OptionList(
                Option(self._words(COMMIT.keys, "commit: buy it first"), "commit"),
                Option(self._words(DONE.keys, "done all the same"), "done"),
                Option(self._words("escape", "not yet"), "back"),
            )

    def _words(self, keys: str, what: str) -> Content:
        app = cast("BrtApp", self.app)
        own = [app.keys_of(one) for one in (COMMIT, DONE) if one.keys == keys]
        key = shown_key(own[0] if own else keys)
        return Content.from_markup("[bold $accent]$key[/]  $what", key=f"{key:<6}", what=what)

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()

    def action_commit(self) -> None:
        _ = self.dismiss("commit")

    def action_done(self) -> None:
        _ = self.dismiss("done")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        _ = self.dismiss(None if event.option_id == "back" else event.option_id)
