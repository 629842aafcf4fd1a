"""The last entry that a seat has seen: it is remembered, its campaign is listed at Home, and later
events are shown as news."""

from collections import Counter
from collections.abc import Iterator, Sequence

from textual.app import App

from brt_cg.immutable import immutable
from brt_cg.model import Side, Situation
from brt_cg.storage.place import Place, canonical_place
from brt_cg.text import count_text
from brt_cg.tui.memory.recent import Memory, RecentCampaign, SeenMark
from brt_cg.tui.session.session import CampaignSnapshot, seat_label
from brt_cg.views.journal_rows import TITLES, TRAVELS, ShownLine

AFTER = 2.0  # seconds until it is written

Look = tuple[str, str, SeenMark]  # a campaign, a seat, and the last entry that it has seen


def _look(seen: CampaignSnapshot) -> Look:
    return str(canonical_place(seen.path)), seat_label(seen.seat), SeenMark(seen.begun, seen.mark)


class LastSeenTracker:
    """A tracker that writes the last entry that a seat has seen into the screen's memory."""

    def __init__(self, app: App[int], memory: Memory) -> None:
        self._app, self._memory = app, memory
        self._last: Look | None = None  # what was last written
        self._due: CampaignSnapshot | None = None  # what is still to be written

    def remember_later(self, seen: CampaignSnapshot) -> None:
        """Remember the newest entry seen, but only after a while: a disk is slow, and others may
        answer every second."""
        if self._due is None:
            self._app.set_timer(AFTER, self.remember_pending)
        self._due = seen

    def remember_pending(self) -> None:
        """Remember the newest entry seen that has not been written yet, if any."""
        seen, self._due = self._due, None
        if seen is not None and _look(seen) != self._last:  # it may have been forgotten at Home
            self.remember(seen)

    def remember(self, seen: CampaignSnapshot) -> None:
        """Remember that the seat has seen the campaign, and the last entry seen."""
        self.list_at_home(seen.path, seen.view.situation)
        if seen.shows_shared_table:
            return  # no seat is looking
        look = _look(seen)
        if look != self._last:
            self._last = look
            self._memory.note_seen(*look)

    def list_at_home(self, path: Place, situation: Situation) -> None:
        """Put a campaign first in Home's list."""
        stands = f"CG {situation.cg} · {situation.date} · {situation.phase}"
        recent = RecentCampaign(str(canonical_place(path)), situation.name or path.stem, stands)
        if self._memory.recent[:1] != [recent]:
            self._memory.note_opened(recent)


# --- the news -------------------------------------------------------------------------------------


REMINDER = "Of your notes"
ENDS = {TITLES["agree"]: "Agreed", TITLES["decline"]: "Declined"}


@immutable
class News:
    """A line about everything since a seat last looked, from the line numbered `since` on."""

    since: int
    text: str


def summarize_news(lines: Sequence[ShownLine]) -> News:
    """Return the news in these lines, of which there is at least one."""
    first, last = lines[0].heading, lines[-1].heading
    steps = first if first == last else f"from {first} to {last}"
    number = count_text(len(lines), "line")
    return News(lines[0].seq, f"Since you last looked: {number}, {steps}")


def news_between(
    before: CampaignSnapshot | None, now: CampaignSnapshot, key: str
) -> Iterator[tuple[str, str]]:
    """Yield the news in a new snapshot about actions of others, and the reminders of a new CG Date,
    each with a title."""
    yield from news_of_requests(before, now, key)
    yield from news_of_undos(before, now)
    if before is not None and before.viewer_key == now.viewer_key:
        yield from ((REMINDER, words) for words in _due_now(before, now))


def _due_now(before: CampaignSnapshot, now: CampaignSnapshot) -> Iterator[str]:
    """Yield the reminders that are due since the CG Date changed."""
    if before.view.situation.date != now.view.situation.date:
        yield from now.reminders


def news_of_requests(
    before: CampaignSnapshot | None, now: CampaignSnapshot, key: str
) -> Iterator[tuple[str, str]]:
    """Yield the news in a new snapshot about requests, each with a title: those that the seat may
    answer, with `key`, and the outcome of the seat's own."""
    if before is None or (before.begun, before.seat) != (now.begun, now.seat):
        return
    known = {request.number for request in before.requests}
    for request in now.requests_for_seat:
        if request.number not in known and now.seat is not None:
            yield f"The {request.side.plural} have a request · {key} to answer", request.words
    still = {request.number for request in now.requests}
    if any(each.side is now.seat and each.number not in still for each in before.requests):
        told = {*before.log}
        for line in now.log:
            if line not in told and line.title in ENDS:
                yield ENDS[line.title], line.text


def news_of_undos(
    before: CampaignSnapshot | None, now: CampaignSnapshot
) -> Iterator[tuple[str, str]]:
    """Yield the news in a new snapshot about entries that others have undone or restored, each with
    a title, so that a player whose screen changes learns the reason."""
    if before is None or (before.begun, before.seat) != (now.begun, now.seat):
        return
    if now.seat is None or now.turn is not None:
        return  # the umpire, or two players at one screen, who see their own actions
    told = Counter((line.title, line.text) for line in before.log)
    new: dict[tuple[str, Side | None], list[str]] = {}
    for line in now.log:
        told[line.title, line.text] -= 1
        if line.title in TRAVELS and line.side is not now.seat and told[line.title, line.text] < 0:
            new.setdefault((line.title, line.side), []).append(line.text)
    for (_, side), (first, *more) in new.items():
        who = "The umpire" if side is None else f"The {side.plural}"
        yield who, f"{first}, and {len(more)} more" if more else first
