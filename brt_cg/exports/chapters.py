"""A campaign divided into its CG Dates: for each the scenario, the forces and losses, and the
decisive lines of the log."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from brt_cg.card import Card
from brt_cg.commands.note import BEGINS
from brt_cg.exports.history import determination, folded
from brt_cg.exports.strength import SideStrength, strength
from brt_cg.journal.changes import RECORDS
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import BY_TABLE, Counter, Fate, Side, Unit, Vehicle
from brt_cg.model.records import SIDES, Situation
from brt_cg.views.journal import NOTHING
from brt_cg.views.rows import ShownRow

TURNING = ("massacre", "victor", "winner")  # decisive fields of the situation
COMMANDS = ("import", "reinforce", "edit")
CAREER = ("", "fate", "type", "traits")  # fields of a leader or hero whose changes are reported


@dataclass(slots=True)
class Chapter:
    """A CG Date. `table` is the map at the end of its scenario (for a date not yet played: the
    present one), with the Setup Areas that resulted; `forces` are each side's forces then, `losses`
    its losses on that date."""

    date: str
    table: Campaign
    played: bool = False
    winner: Side | None = None
    moved_first: Side | None = None
    san: Mapping[Side, int] = field(default_factory=dict)
    cvp: Mapping[Side, int] = field(default_factory=dict)
    forces: dict[Side, SideStrength] = field(default_factory=dict)
    losses: dict[Side, SideStrength] = field(default_factory=dict)
    moments: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    lost: dict[str, Counter] = field(default_factory=dict)

    @property
    def eventful(self) -> bool:
        """Whether there is anything to tell about it."""
        return self.played or bool(self.moments or self.notes or self.lost)


def chapters(rows: Iterable[ShownRow], card: Card) -> list[Chapter]:
    """The dates in order, from rows of the journal. Everything on a new date before its scenario,
    from 15.6122 on, belongs to that date; what comes of a Night (15.6203) belongs to the Night."""
    found: list[Chapter] = []
    for campaign, row in folded(rows, *RECORDS):
        date = campaign.situation.date
        night = found[-1] if found and determination(row) else None
        if not found or found[-1].date != date:
            if found and not found[-1].played:
                found[-1].table = campaign.clone()
            found.append(Chapter(date, campaign))
        chapter = found[-1]
        if row.kind == "import":
            chapter.played, chapter.table = True, campaign.clone()
        _tell(night or chapter, campaign, row)
        _close(chapter, campaign)
    for chapter in found:
        for side in SIDES:
            own = filter(_fights, chapter.table.counters())
            chapter.forces[side] = strength(own, card.ladders, (side,))
            chapter.losses[side] = strength(chapter.lost.values(), card.ladders, (side,))
    return found


def _fights(counter: Counter) -> bool:
    return counter.in_play and not (isinstance(counter, Unit) and counter.prisoner)


def _tell(chapter: Chapter, campaign: Campaign, row: ShownRow) -> None:
    for table, id, name, old, new in row.changes:
        counter = campaign.find(id) if table in BY_TABLE and name in ("fate", "status") else None
        if counter is None:
            continue
        if name == "fate" and new not in (Fate.ELIMINATED, Fate.CAPTURED):
            chapter.lost.pop(id, None)
        elif name == "fate":
            lost = counter.clone()
            if isinstance(lost, Unit):
                lost.lose("prisoner")  # counted as the unit that it was
            chapter.lost.setdefault(id, lost)
        elif isinstance(counter, Vehicle) and counter.wreck:
            vehicle = counter.clone()
            vehicle.status = tuple(old or ())
            if not vehicle.wreck:  # counted as the vehicle that it was
                chapter.lost[id] = vehicle
    if row.kind == "note":
        chapter.notes += [line.text.removeprefix(BEGINS) for line in row.lines]
    elif row.kind != "skip" and campaign.situation.ended is not None:
        chapter.moments += _moments(campaign, row)


def _moments(campaign: Campaign, row: ShownRow) -> list[str]:
    """The decisive lines of a row: leaders and heroes, victory, a Massacre, and the Banzai Night
    Attack."""
    turned = any(
        table == Situation.TABLE and name in TURNING for table, _, name, _, _ in row.changes
    )
    if turned and row.kind not in COMMANDS:
        return [line.text for line in row.lines if line.text != NOTHING]
    moments = determination(row)
    for _, id, name, _, new in row.changes:
        unit = campaign.units.get(id)
        if unit is None or not unit.smc or name not in CAREER:
            continue
        own = [line.text for line in row.lines if id in line.about]
        if row.kind in ("import", "reinforce"):
            lost = name == "fate" and new in (Fate.ELIMINATED, Fate.CAPTURED)
            own = [f"{unit.side.label} {unit.label}: {new}"] if lost else []
        moments += [text for text in own if text not in moments]
    return moments


def _close(chapter: Chapter, campaign: Campaign) -> None:
    """Updates the totals and Setup Areas; the last ones of the date stay."""
    situation = campaign.situation
    if situation.ended == chapter.date:
        chapter.winner, chapter.moved_first = situation.winner, situation.moved_first
    chapter.san = {side: campaign.sides[side].san for side in SIDES}
    chapter.cvp = {side: campaign.sides[side].cvp for side in SIDES}
    if chapter.played:
        chapter.table.areas.clear()
        chapter.table.areas.update({id: area.clone() for id, area in campaign.areas.items()})
    else:
        chapter.table = campaign
