"""What a page of the Campaign room is: rows in a list, the selected one in full, the form
that changes it, and the lines that lead on to the journal."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from typing import Any, ClassVar

from textual.content import Content

from brt_cg.answers import Refused
from brt_cg.counters import Side
from brt_cg.exports.explain import known_to, page_of
from brt_cg.exports.explain.pages import ENTRY
from brt_cg.tui.actions import BY_ID, EVERYWHERE
from brt_cg.tui.campaign_app import CampaignApp
from brt_cg.tui.forms.form import Form
from brt_cg.tui.session import Seen, Session
from brt_cg.values import frozen


@frozen
class PageRow:
    """A row of the list; one without an id is a heading."""

    words: Content
    id: str | None = None

    @classmethod
    def heading(cls, words: str) -> "PageRow":
        return cls(Content.styled(words, "bold $accent"))

    @classmethod
    def of(cls, side: Side) -> "PageRow":
        """The heading of a side."""
        return cls(Content.styled(side.label, f"bold ${side}"))


@frozen
class Lead:
    """A line about the selected row; `entry` is the number of the row of the journal that it leads
    to, as the seat counts them."""

    words: str
    entry: int | None = None


@frozen
class Told:
    """A row in full. `enter` says what Enter does with it; "" if nothing."""

    title: str
    words: Content = field(default_factory=Content)
    enter: str = ""


class Page:
    """A page. `name` is that of the action that leads to it; `leads_title` stands over its leads,
    `empty` in its place while it has no rows."""

    name: ClassVar[str]
    leads_title: ClassVar[str] = "How it came to be"
    empty: ClassVar[str] = "There is nothing here yet."
    previews: ClassVar[bool] = False  # whether a row in full needs most of the room

    changed: Callable[[], None] = staticmethod(lambda: None)  # shows the page again

    @property
    def title(self) -> str:
        return BY_ID[f"{EVERYWHERE}.{self.name}"].label

    @property
    def running(self) -> bool:
        """Whether it is at something that Escape stops."""
        return False

    def stop(self) -> None:
        """Stops what it is at."""

    def rows(self, seen: Seen) -> Sequence[PageRow]:
        """The rows, as the seat may see them."""
        raise NotImplementedError(self)

    def told(self, seen: Seen, id: str) -> Told:
        """A row in full."""
        raise NotImplementedError(self)

    async def leads(self, session: Session, seen: Seen, id: str) -> Sequence[Lead]:
        """The lines that lead on from a row, looked up when the cursor rests on it."""
        return ()

    def form(self, session: Session, seen: Seen, id: str) -> Form[Any] | None:
        """The form that Enter opens on a row; None if it has none."""
        return None

    async def enter(self, app: CampaignApp, seen: Seen, id: str) -> None:
        """What Enter does with a row: by itself, it opens the form."""
        form = self.form(app.session, seen, id)
        if form is not None:
            await app.fill_in(form)


async def explained(session: Session, seen: Seen, subject: str) -> list[Lead]:
    """The rows of the journal that `explain` tells of a subject; none where nothing is known."""
    try:
        page = await session.consult(lambda desk: page_of(desk.tell(known_to, seen.seat), subject))
    except Refused:
        return []
    numbers = ((line.text, entry_of(line.leads)) for line in page.lines)
    return [Lead(words, entry) for words, entry in numbers if entry is not None]


def entry_of(leads: Iterable[str]) -> int | None:
    """The first entry among the subjects that a line leads to."""
    numbers = (lead.removeprefix(ENTRY) for lead in leads if lead.startswith(ENTRY))
    return next(map(int, numbers), None)
