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

from brt_cg.tui.keys.actions import DIALOGS, EVERYWHERE, bindings_of_named
from brt_cg.tui.look.lines import Vertical
from brt_cg.tui.look.stylesheet import PrestyledScreen
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import CampaignSnapshot, entries_since_text

T = TypeVar("T")

STYLE = Path(__file__).with_name("dialog.tcss")


class Dialog(ModalScreen[T | None], PrestyledScreen[T | None], Generic[T]):
    """A box that returns a T, or None if the player leaves it. The heading is on its frame, KEYS
    below, with the ids of actions in braces for their keys; a subclass defines the widgets
    `inside`. Every box has the keys for the help and for Why?."""

    app = getters.app(CampaignApp)
    PLACE: ClassVar[str] = DIALOGS  # the place of its help
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_of_named(EVERYWHERE, help="app.help", why="app.why"),
        *bindings_of_named(DIALOGS, close="dismiss(None)"),
    ]
    CSS_PATH: ClassVar[Any] = STYLE  # an absolute path: subclasses are in other folders
    KEYS: ClassVar[str] = ""
    FOLLOWS: ClassVar[bool] = False  # whether its contents follow the campaign
    MADE: ClassVar[str] = "made"  # "made" or "opened" before the last entries

    def __init__(self, heading: str) -> None:
        super().__init__()
        self.heading = heading
        self._made_from: CampaignSnapshot | None = None

    def compose(self) -> ComposeResult:
        with Vertical(id="box") as box:
            title, box.border_subtitle = map(Content, self.frame_titles())
            box.border_title = self._dated(title)
            yield from self.compose_box()

    def on_mount(self) -> None:
        self._made_from = self.app.session.seen

    @property
    def made_before_text(self) -> str:
        """The age of the figures in the box: "made before the last 3 entries"; "" if the seat knows
        of no entry since."""
        now = self.app.session.seen
        if self.FOLLOWS or self._made_from is None or now is None:
            return ""
        before = entries_since_text(self._made_from, now)
        return f"{self.MADE} {before}" if before else ""

    def catch_up(self) -> None:
        """Show that the campaign has changed."""
        for box in self.query("#box").results(Vertical):
            box.border_title = self._dated(Content(self.frame_titles()[0]))

    def _dated(self, title: Content) -> Content:
        old = self.made_before_text
        return Content.assemble(title, " · ", (old, "$warning")) if old else title

    @property
    def kept_draft_name(self) -> str:
        """The name of the text that is kept for the box; "" if there is none."""
        return ""

    def frame_titles(self) -> tuple[str, str]:
        """Return the text at the top of the frame, and the text at its bottom."""
        return self.heading, self.app.fill_in_keys(self.KEYS)

    def is_premature(self, key: Key) -> bool:
        """Whether a key would answer something that was not yet shown when it was pressed."""
        return False

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the filters for the room behind the box; the contents of the box have separate
        ones."""
        return self.app.filters_behind_a_box()

    def compose_box(self) -> ComposeResult:
        """Return the widgets in the box."""
        raise NotImplementedError(self)
