"""Service records: what the journal tells of a counter from first to last; of all named leaders for
the chronicle."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from brt_cg.campaign import Campaign
from brt_cg.counters import Fate, Kind, Side, Unit
from brt_cg.exports.entries_told import TITLES, LogLine, Row
from brt_cg.exports.history import folded
from brt_cg.exports.journal import whole_log
from brt_cg.journal.book import Book
from brt_cg.journal.entries import TIME_TRAVEL
from brt_cg.records import Situation


@dataclass(slots=True)
class ServiceRecord:
    """A leader: what he was at first and is now, what became of him, and each line told of him
    with the CG Date at which it was."""

    id: str
    name: str
    side: Side
    first: str
    last: str
    fate: Fate = Fate.IN_PLAY
    events: list[tuple[str, str]] = field(default_factory=list)

    @property
    def words(self) -> str:
        """ "7-0 → 8-0, eliminated"."""
        value = self.first if self.first == self.last else f"{self.first} → {self.last}"
        return value if self.fate is Fate.IN_PLAY else f"{value}, {self.fate.value}"


def life(book: Book, id: str, side: Side | None) -> list[LogLine]:
    """The whole life of a counter in lines that stand, as a side (None: the umpire) may know it."""
    return [line for line in whole_log(book, side) if id in line.about and _counts(line)]


def _counts(line: LogLine) -> bool:
    return not line.undone and line.kind not in (TITLES[kind] for kind in TIME_TRAVEL)


def service_records(rows: Iterable[Row]) -> list[ServiceRecord]:
    """The records of all leaders that have a name, as these rows of the journal tell them: Marine
    first, then by name."""
    found: dict[str, ServiceRecord] = {}
    for campaign, row in folded(rows, Situation.TABLE, Unit.TABLE):
        for table, id, _, _, _ in row.changes:
            unit = campaign.units.get(id) if table == Unit.TABLE else None
            if unit is not None and unit.kind is Kind.LEADER and unit.name:
                record = found.setdefault(
                    id, ServiceRecord(id, unit.name, unit.side, unit.type, unit.type)
                )
                record.last, record.fate = unit.type, unit.fate
        _tell(found, campaign, row)
    return sorted(
        found.values(), key=lambda leader: (leader.side is Side.JAPANESE, leader.name, leader.id)
    )


def _tell(found: dict[str, ServiceRecord], campaign: Campaign, row: Row) -> None:
    date = campaign.situation.date
    for line in row.lines:
        for id in line.about:
            if id in found:
                found[id].events.append((date, line.text))
