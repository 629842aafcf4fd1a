"""The common part of all dialogs over a room."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from textual import getters
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.events import Key
from textual.filter import LineFilter
from textual.screen import ModalScreen

from brt_cg.tui.keys.actions import DIALOGS, EVERYWHERE, bound_to
from brt_cg.tui.look.lines import Vertical
from brt_cg.tui.look.stylesheet import StyledOnce
from brt_cg.tui.session.campaign_app import CampaignApp

T = TypeVar("T")

STYLE = Path(__file__).with_name("dialog.tcss")


class Dialog(ModalScreen[T | None], StyledOnce[T | None], Generic[T]):
    """A box that returns a T, or None if the player leaves it. The heading is on its frame, KEYS
    below, with the ids of actions in braces for their keys; a subclass defines the widgets
    `inside`. Every box has the keys for the help and for Why?."""

    app = getters.app(CampaignApp)
    PLACE: ClassVar[str] = DIALOGS  # of its help
    BINDINGS: ClassVar[list[BindingType]] = [
        *bound_to(EVERYWHERE, help="app.help", why="app.why"),
        *bound_to(DIALOGS, close="dismiss(None)"),
    ]
    CSS_PATH: ClassVar[Any] = STYLE  # whole: the subclasses lie in other folders
    KEYS: ClassVar[str] = ""

    def __init__(self, heading: str) -> None:
        super().__init__()
        self.heading = heading

    def compose(self) -> ComposeResult:
        with Vertical(id="box") as box:
            box.border_title, box.border_subtitle = map(Content, self.frame())
            yield from self.inside()

    def frame(self) -> tuple[str, str]:
        """The texts on the frame, above and below."""
        return self.heading, self.app.with_keys(self.KEYS)

    def is_unseen(self, key: Key) -> bool:
        """Whether a key would answer what was not yet shown when it was pressed."""
        return False

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Those for the room behind the box; what is in the box has its own."""
        return self.app.filters_behind_a_box()

    def inside(self) -> ComposeResult:
        """The widgets in the box."""
        raise NotImplementedError(self)
