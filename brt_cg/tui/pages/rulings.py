"""The rulings: what the players agreed where the source leaves a point open."""

from collections.abc import Iterator, Sequence

from textual.content import Content

from brt_cg.card.rulings import Ruling
from brt_cg.records import Phase
from brt_cg.tui.forms.ruling import RulingForm
from brt_cg.tui.pages.page import Lead, Page, PageRow, Told, explained
from brt_cg.tui.session import Seen, Session

OPEN = Content.styled(
    "Not agreed on yet: you are asked the first time that it decides, unless you agree on it here.",
    "$warning",
)
FIXED = "fixed"  # the ids of what was completed for good: "fixed 3"


class RulingsPage(Page):
    name = "rulings"
    leads_title = "What rests on it"

    def rows(self, seen: Seen) -> Sequence[PageRow]:
        rulings = seen.card.rulings.values()
        completed = [
            PageRow(Content(f"  {fixed.rule} {fixed.text}"), f"{FIXED} {number}")
            for number, fixed in enumerate(seen.card.fixed)
        ]
        return [
            PageRow.heading("For the players to agree on"),
            *(PageRow(_row(seen, ruling), ruling.id) for ruling in rulings),
            PageRow.heading("Completed for good"),
            *completed,
        ]

    def told(self, seen: Seen, id: str) -> Told:
        if id.startswith(FIXED):
            fixed = seen.card.fixed[int(id.removeprefix(FIXED))]
            return Told(f"{fixed.rule} completed for good", Content(fixed.text))
        ruling = seen.card.rulings[id]
        over = seen.view.situation.phase is Phase.OVER
        enter = "" if over else "agree on it" if _is_open(seen, ruling) else "change it"
        return Told(f"{ruling.id} · {ruling.rule}", _told(seen, ruling), enter)

    async def leads(self, session: Session, seen: Seen, id: str) -> Sequence[Lead]:
        return () if id.startswith(FIXED) else await explained(session, seen, id)

    def form(self, session: Session, seen: Seen, id: str) -> RulingForm | None:
        if id.startswith(FIXED) or not self.told(seen, id).enter:
            return None
        ruling = seen.card.rulings[id]
        return RulingForm(session, ruling, seen.view.ruling(id), seen.view.is_agreed(id))


def _is_open(seen: Seen, ruling: Ruling) -> bool:
    """Whether the players will be asked about it, the first time that it decides."""
    return ruling.is_asked and not seen.view.is_agreed(ruling.id)


def _row(seen: Seen, ruling: Ruling) -> Content:
    value = seen.view.ruling(ruling.id)
    changed = value != ruling.default
    mark = "•" if changed else "?" if _is_open(seen, ruling) else " "
    return Content.assemble(
        (f"{mark} ", "bold $accent" if changed else "$warning"),
        (f"{ruling.id:<18}", "bold" if changed else ""),
        (f" {ruling.worded(value):<14}", "bold $accent" if changed else ""),
        (f" {ruling.rule}", "dim"),
    )


def _told(seen: Seen, ruling: Ruling) -> Content:
    value = seen.view.ruling(ruling.id)
    return Content("\n").join(
        [
            Content(ruling.question),
            *_options(ruling, value),
            Content.styled(
                f"Default {ruling.worded(ruling.default)}, from: {ruling.provenance}. "
                f"Confidence: {ruling.sure}.",
                "dim",
            ),
            *([OPEN] if _is_open(seen, ruling) else []),
        ]
    )


def _options(ruling: Ruling, value: str) -> Iterator[Content]:
    """Each option in words, the current one marked; of a number what is allowed."""
    for option in ruling.options:
        style = "bold $accent" if option == value else ""
        mark = "▸" if option == value else " "
        meaning = ruling.meaning(option)
        words = f": {meaning}" if meaning != option else ""
        yield Content.assemble((f"{mark} {ruling.worded(option)}", style), words)
    if not ruling.options:
        yield Content.assemble(("▸ ", "bold $accent"), (value, "bold $accent"))
        yield Content.styled(f"allowed: {ruling.allowed}", "dim")
