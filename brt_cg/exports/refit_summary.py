"""A Refit Phase in half a page: each side's losses, recoveries, repairs, creations and promotions,
its points and purchases."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from brt_cg.card import Card
from brt_cg.exports.history import campaign_after_each_row
from brt_cg.journal.changes import RECORDS, Change
from brt_cg.model import (
    BY_TABLE,
    SIDES,
    Campaign,
    Counter,
    Fate,
    Purchase,
    Side,
    SideRecord,
    Unit,
    UnitClass,
    Vehicle,
    Weapon,
)
from brt_cg.text import signed_text
from brt_cg.views.journal_rows import ShownRow
from brt_cg.views.view import View, cached_per_view

PLAYED = ("begin", "answer")  # the rows in which a Refit Phase does something
HAPPENED = (*PLAYED, "buy", "commit")
LOST, TAKEN, RECOVERED, REPAIRED = "lost", "captured", "recovered", "repaired"
CREATED, PROMOTED = "created", "promoted"
PARTS = (LOST, TAKEN, RECOVERED, REPAIRED, CREATED, PROMOTED)
BACK = {"wounded": "from a wound", "prisoner": "freed", "shocked": "from Shock", "mired": "freed"}
BACK |= {"bogged": "freed", "unconfirmed_kill": "from an Unconfirmed Kill"}
BACK |= {"encircled": "from Encirclement"}
MOST = 6  # names on a line; the others are counted


@dataclass(slots=True)
class SideSummary:
    """The events of a Refit Phase for one side: the words for each counter, by part and id; its CVP
    and SAN before and after; its purchases."""

    parts: dict[str, dict[str, str]] = field(default_factory=lambda: {part: {} for part in PARTS})
    cvp: list[int] = field(default_factory=list)
    san: list[int] = field(default_factory=list)
    bought: list[str] = field(default_factory=list)


@dataclass(slots=True)
class RefitSummary:
    """The Refit Phase after the scenario of a CG Date; `imported` is the number of counters named
    in the report of the scenario's end."""

    date: str
    imported: int = 0
    halves: dict[Side, SideSummary] = field(
        default_factory=lambda: {side: SideSummary() for side in SIDES}
    )

    @property
    def has_events(self) -> bool:
        """Whether there is anything to report about the phase."""
        return any(each.cvp for each in self.halves.values())

    def lines(self) -> Iterator[str]:
        """Return half a page: for each side, one line for each part with contents."""
        for side, half in self.halves.items():
            for part, named in half.parts.items():
                if named:
                    yield f"{side.label} {part}: {_listed([*named.values()])}"
            if len(half.cvp) > 1 and half.cvp[0] != half.cvp[-1]:
                more = signed_text(half.cvp[-1] - half.cvp[0])
                yield f"{side.label} CVP {half.cvp[-1]} ({more})"
            if len(half.san) > 1 and half.san[0] != half.san[-1]:
                yield f"{side.label} SAN {half.san[-1]}, was {half.san[0]}"
            if half.bought:
                yield f"{side.label} bought: {_listed(half.bought)}"

    def brief_lines(self) -> Iterator[str]:
        """Yield the numbers of counters that each side lost and got back: "Marine lost 3, repaired
        2"."""
        for side, half in self.halves.items():
            counts = ((part, len(half.parts[part])) for part in (LOST, REPAIRED))
            parts = [f"{part} {many}" for part, many in counts if many]
            if parts:
                yield f"{side.label} {', '.join(parts)}"

    @property
    def brief_text(self) -> str:
        """The brief lines in one line, with the date; "" if there is nothing to say."""
        lines = "; ".join(self.brief_lines())
        return f"Refit after {self.date}: {lines}" if lines else ""


def _listed(words: list[str]) -> str:
    more = f", and {len(words) - MOST} more" if len(words) > MOST else ""
    return ", ".join(words[:MOST]) + more


@cached_per_view
def newest_refit_summaries(book: View) -> list[RefitSummary]:
    """Return the newest Refit Phase in which anything happened, as a seat may read it, followed by
    any that has only begun; older rows are not read."""
    before, rows = book.campaign_and_rows_since(_beginning)
    return [*refit_summaries(rows, book.card, before)]


def _beginning(newest_first: Iterable[tuple[int, str]]) -> int:
    """Return the row with which a Refit Phase began: the first import before its play."""
    happened, began = False, 1
    for number, kind in newest_first:
        if kind == "import" and happened:
            began = number
        elif kind in HAPPENED:
            if began > 1:
                return began
            happened = True
    return began


def last_refit_summary(book: View) -> RefitSummary | None:
    """Return the newest Refit Phase in which anything happened; None if there is none yet."""
    return next((each for each in newest_refit_summaries(book) if each.has_events), None)


def refit_summaries(
    rows: Iterable[ShownRow], card: Card, before: Campaign | None = None
) -> Iterator[RefitSummary]:
    """Yield the Refit Phases in rows of the journal, in order; `before` is the campaign before them
    if some rows are left out; it is changed."""
    found: RefitSummary | None = None
    totals = dict.fromkeys(SIDES, 0) if before is None else _totals(before)
    for campaign, row in campaign_after_each_row(rows, *RECORDS, before=before):
        if row.kind == "import":
            if found is not None and found.has_events:
                yield found
            if found is None or found.has_events:
                found = RefitSummary(campaign.situation.ended or campaign.situation.date)
            counters = {key for table, key, *_ in row.changes if table in BY_TABLE}
            found.imported += len(counters)
        elif found is not None and row.kind in HAPPENED:
            for side, half in found.halves.items():
                half.cvp = half.cvp or [totals[side]]
            _add(found, campaign, row, card)
        totals = _totals(campaign)
    if found is not None:
        yield found


def _totals(campaign: Campaign) -> dict[Side, int]:
    return {side: campaign.cvp(side) if side in campaign.sides else 0 for side in SIDES}


def _add(found: RefitSummary, campaign: Campaign, row: ShownRow, card: Card) -> None:
    for change in row.changes:
        table, key, name, old, new = change
        if table == SideRecord.TABLE and name == "san":
            known = found.halves[Side(key)].san
            known += [new] if known else [old, new]
        elif table == Purchase.TABLE and not name and old is None:
            bought = campaign.purchases.get(key)
            if bought is not None and not bought.draft and bought.voids is None:
                name = card.prices[bought.item].name if bought.item in card.prices else bought.item
                what = f"{bought.quantity} × {name}"
                found.halves[bought.side].bought.append(what)
        elif table in BY_TABLE and row.kind in PLAYED:
            counter = campaign.find(key)
            if counter is not None and counter.side is not None:
                _add_counter(found.halves[counter.side], campaign, counter, change)
    for side, half in found.halves.items():
        half.cvp = [half.cvp[0], campaign.cvp(side)]


def _add_counter(half: SideSummary, campaign: Campaign, counter: Counter, change: Change) -> None:
    _, key, name, old, new = change
    label = counter.label
    if name == "fate" and new in (Fate.ELIMINATED, Fate.CAPTURED):
        if old != Fate.CREWED:  # it was in a vehicle, which was lost
            half.parts[LOST if new == Fate.ELIMINATED else TAKEN][key] = label
        for part in (CREATED, RECOVERED, REPAIRED):
            half.parts[part].pop(key, None)
    elif name == "fate" and old in (Fate.ELIMINATED, Fate.CAPTURED):
        for part in (LOST, TAKEN):
            half.parts[part].pop(key, None)
    elif not name and old is None and isinstance(counter, Unit) and counter.purchase is None:
        half.parts[CREATED][key] = label
    elif name == "status":
        _add_status(half, label, counter, key, {*(old or ())}, {*(new or ())})
    elif name in ("type", "class") and isinstance(counter, Unit) and counter.in_play:
        if name == "type" and counter.leader:
            half.parts[PROMOTED][key] = f"{label} (was {old})"
        elif name == "class" and is_higher_class(new, old):
            half.parts[PROMOTED][key] = f"{label} (was {str(old).replace('_', ' ')})"


def is_higher_class(new: object, old: object) -> bool:
    """Whether a class is higher than another; Rearmed units have not been promoted."""
    order = [str(each) for each in UnitClass]
    return str(new) in order and str(old) in order and order.index(str(new)) < order.index(str(old))


def _add_status(
    half: SideSummary, label: str, counter: Counter, key: str, before: set[str], after: set[str]
) -> None:
    gone = before - after
    if isinstance(counter, Weapon) and "malfunctioned" in gone and "disabled" not in after:
        if counter.in_play:
            half.parts[REPAIRED][key] = label
        return
    wrecked = isinstance(counter, Vehicle) and counter.wreck
    if wrecked and not before & {"wreck", "burnt_out", "burning"}:
        half.parts[LOST][key] = label
        half.parts[RECOVERED].pop(key, None)
    if "unconfirmed_kill" in after - before:
        return  # Shock became an Unconfirmed Kill: no recovery
    back = next((BACK[state] for state in BACK if state in gone), None)
    if back is not None and counter.in_play and not wrecked:
        half.parts[RECOVERED][key] = f"{label} ({back})"
