"""The totals of both sides, SAN, ELR and CVP, and the facts that the rules look at."""

from collections.abc import Sequence

from textual.content import Content

from brt_cg.commands.edit import editable_fields
from brt_cg.counters import Side
from brt_cg.exports.explain.numbers import TOTALS
from brt_cg.record import Record
from brt_cg.records import Phase
from brt_cg.tui.first_steps import totals_missing
from brt_cg.tui.forms.edit import EditForm
from brt_cg.tui.forms.form import as_typed
from brt_cg.tui.pages.page import Lead, Page, PageRow, Told, explained
from brt_cg.tui.session import Seen, Session

FACTS = "campaign"
CARD = "as the CG card has it"


class TotalsPage(Page):
    name = "totals"

    def rows(self, seen: Seen) -> Sequence[PageRow]:
        found = []
        for side in Side:
            found.append(PageRow.of(side))
            found += [PageRow(_figure(seen, side, name), f"{side}.{name}") for name in TOTALS]
        found.append(PageRow.heading("The campaign"))
        facts = seen.view.situation
        for field in editable_fields(facts).values():
            value = as_typed(getattr(facts, field.attribute))
            found.append(PageRow(_row(field.label, value), f"{FACTS}.{field.name}"))
        return found

    def told(self, seen: Seen, id: str) -> Told:
        whose, name = id.split(".")
        side = None if whose == FACTS else Side(whose)
        may = seen.view.situation.phase is not Phase.OVER
        enter = "correct it" if may and (side is None or seen.may_know(side)) else ""
        if enter and side is not None and totals_missing(seen, side):
            enter = "enter it"
        if side is None:
            field = editable_fields(seen.view.situation)[name]
            return Told(field.label, Content(""), enter)
        announced = "" if seen.may_know(side) or name != "san" else ", as announced"
        figure = getattr(seen.view.sides[side], name)
        words = Content(f"{figure}{announced}")
        if totals_missing(seen, side) and name in ("san", "elr"):
            words = Content("Not yet entered: it stands on the CG card.")
        return Told(f"{side.label} {TOTALS[name]}", words, enter)

    async def leads(self, session: Session, seen: Seen, id: str) -> Sequence[Lead]:
        return () if id.startswith(FACTS) else await explained(session, seen, id)

    def form(self, session: Session, seen: Seen, id: str) -> EditForm | None:
        if not self.told(seen, id).enter:
            return None
        whose = id.partition(".")[0]
        facts = whose == FACTS
        record: Record = seen.view.situation if facts else seen.view.sides[whose]
        named = "the facts of the campaign" if facts else f"the {Side(whose).label} totals"
        why = CARD if not facts and totals_missing(seen, Side(whose)) else ""
        return EditForm(session, seen.view, record, named, why)


def _figure(seen: Seen, side: Side, name: str) -> Content:
    figure = str(getattr(seen.view.sides[side], name))
    open_yet = name != "cvp" and seen.may_know(side) and totals_missing(seen, side)
    return _row(TOTALS[name], "–" if open_yet else figure)


def _row(label: str, value: str) -> Content:
    return Content.assemble(f"  {label:<18}", (value, "bold"))
