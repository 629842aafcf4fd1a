"""A pen that writes a journal by hand: entries without rules, for tests of the file alone."""

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from typing import Any

from brt_cg.journal.changes import apply_changes, compare_campaigns, invert_changes
from brt_cg.journal.entries import Entry, make_next_entry
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import (
    Fortification,
    Side,
    Terrain,
    Unit,
    Vehicle,
    Weapon,
)
from brt_cg.model.encoding import decode_record
from brt_cg.model.record import Record
from brt_cg.model.records import (
    Allotment,
    Area,
    Arrival,
    Casualty,
    Phase,
    Purchase,
    RulingInForce,
    SideRecord,
    Situation,
)
from brt_cg.refit.log_line import LogLine
from brt_cg.storage import store
from brt_cg.storage.place import Address, Place
from brt_cg.storage.postgres import schema_name
from tests.postgres import SUPERUSER, held

Doing = Callable[[Campaign], None]


class Pen:
    """Writes entries into a campaign, and keeps what they fold to."""

    def __init__(self, place: Place, kept: store.Store) -> None:
        self.place = place
        self.kept = kept
        self.entries: list[Entry] = []
        self.campaign = Campaign()

    def enter(self, kind: str, doing: Doing, **payload: Any) -> Entry:
        """Changes the campaign, as one entry."""
        before = self.campaign.clone()
        doing(self.campaign)
        return self._write(kind, compare_campaigns(before, self.campaign), payload)

    def roll(self, subject: str, final: int, doing: Doing) -> Entry:
        """A wounded leader's dr (15.6112) with one modifier, and what came of it."""
        ask = {"rule": "15.6112", "subject": subject, "kind": "roll", "side": "marine"}
        roll = {
            "table": "wounded_leaders",
            "dice": [final + 1],
            "modifiers": [[-1, "heroic"]],
            "original": final + 1,
            "final": final,
            "row": "still_wounded",
            "position": 0,
            "date": "20 AM",
        }
        return self.enter("answer", doing, rule="15.6112", ask=ask, answer=final + 1, roll=roll)

    def undo(self, *seqs: int) -> Entry:
        changes = invert_changes(change for one in self._entries(seqs) for change in one.changes)
        return self._travel("undo", seqs, changes)

    def redo(self, *seqs: int) -> Entry:
        return self._travel("redo", seqs, [c for one in self._entries(seqs) for c in one.changes])

    def _entries(self, seqs: Iterable[int]) -> list[Entry]:
        return [self.entries[seq - 1] for seq in seqs]

    def _travel(self, kind: str, seqs: tuple[int, ...], changes: list[Any]) -> Entry:
        apply_changes(self.campaign, changes)
        return self._write(kind, changes, {"asked": {"entries": list(seqs)}})

    def _write(self, kind: str, changes: list[Any], payload: dict[str, Any]) -> Entry:
        said = (
            LogLine(f"{kind}: 9-1 Hawkins – “hit”", ("m-ldr-1",), Side.MARINE),
            LogLine("so it is"),
        )
        whole = {"kind": kind, "by": "tester", "at": "2024-05-01T10:00:00Z", "rules": "1"}
        entry = make_next_entry(
            self.entries, whole | {"call": 1, "changes": changes} | payload, said
        )
        self.kept.write_with_notices([entry], self.campaign)
        self.entries.append(entry)
        return entry


# A record of every kind, as the journal writes it.
TABLE: dict[type[Record], tuple[dict[str, Any], ...]] = {
    Situation: (
        {"id": "campaign", "cg": "I", "date": "20 AM", "perimeters": [["N18", "N19"], ["P4"]]},
    ),
    SideRecord: (
        {"id": "marine", "san": 4, "elr": 5},
        {"id": "japanese", "player": "Ōno", "san": 5, "elr": 4},
    ),
    Area: ({"id": "M1", "side": "marine", "hexes": ["N18", "N19"]},),
    Unit: (
        {"id": "m-ldr-1", "side": "marine", "kind": "leader", "type": "9-1", "name": "Hawkins"}
        | {"location": "N18", "status": ["wounded"]},
        {"id": "j-sq-1", "side": "japanese", "kind": "squad", "type": "4-4-8", "class": "elite"}
        | {"location": "N21:F1", "traits": ["engineer", "tank_hunter"]},
    ),
    Weapon: (
        {"id": "m-mg-1", "side": "marine", "nation": "japanese", "kind": "sw", "type": "LMG"}
        | {"location": "N18", "possessor": "m-ldr-1", "depleted": ["HE 7"]},
    ),
    Vehicle: (
        {"id": "m-lvt-1", "side": "marine", "nation": "marine", "type": "LVT(A)1", "cvp": 6}
        | {"location": "Z33:pier", "pathfinder": "good_order", "amphibious": True},
    ),
    Fortification: (
        {"id": "F1", "side": "japanese", "type": "pillbox", "location": "N21", "hidden": True}
        | {"covered_arc": ["N20", "O20"], "capacity": 3},
    ),
    Terrain: (
        {"id": "b1", "kind": "building", "material": "wood", "fire": "flame", "location": "N19:1"},
    ),
    Arrival: (
        {"id": "am1", "side": "marine", "date": "20 PM", "wave": "3", "lines": "2 HMG"}
        | {"state": "{}"},
    ),
    Casualty: (
        {"id": "j-sq-1/1", "side": "marine", "points": 2, "how": "eliminated", "date": "20 AM"}
        | {"counter": "j-sq-1", "rule": "import", "secret": "japanese"},
    ),
    Purchase: (
        {"id": "p1", "date": "20 AM", "side": "japanese", "beach": "red_one", "points": "fpp"}
        | {"item": "wire", "quantity": 2, "unit_cost": 1, "total": 2, "created": ["w1", "w2"]},
    ),
    Allotment: ({"id": "japanese/red_one", "side": "japanese", "beach": "red_one", "gpp": 24},),
    RulingInForce: ({"id": "R-SAN", "value": "yes"},),
}


def settle(campaign: Campaign) -> None:
    """Puts a record of every kind on the table."""
    for kind, rows in TABLE.items():
        for row in rows:
            campaign.add(decode_record(kind, row))


def heal(campaign: Campaign) -> None:
    campaign.units["m-ldr-1"].remove_status("wounded")


def die(campaign: Campaign) -> None:
    campaign.remove(campaign.units["j-sq-1"])


def to_refit(campaign: Campaign) -> None:
    campaign.situation.phase = Phase.REFIT


def write_a_campaign(place: Place) -> Pen:
    """A campaign with a record of every kind, a roll that stands and one that was undone."""
    pen = begun(place)
    pen.enter("new", settle, asked={"cg": "I"})
    pen.enter("import", to_refit)
    pen.roll("m-ldr-1", 3, lambda campaign: None)
    pen.roll("m-ldr-1", 1, heal)
    pen.undo(4)
    return pen


def begun(place: Place) -> Pen:
    """A pen for a campaign that is made with its first entry."""
    return Pen(place, store.prepare_new_store(place))


# --- looking into a campaign, without the code under test -------------------------------------


def sql(place: Place, *statements: str) -> list[Any]:
    """What the last of some statements gives, in a connection of its own."""
    if isinstance(place, Address):
        return _sql_on_a_server(place, statements)
    with closing(sqlite3.connect(place)) as connection:
        for statement in statements:
            rows = connection.execute(statement).fetchall()
        connection.commit()
    return rows


def _sql_on_a_server(address: Address, statements: Iterable[str], user: str | None = None) -> Any:
    connection = held(address.server, user)
    connection.execute(f'SET search_path = "{schema_name(address)}"')
    for statement in statements:
        done = connection.execute(statement)
    return done.fetchall() if done.description else []


def dump(place: Place) -> dict[str, list[Any]]:
    """Every row of every table."""
    tables = [name for (name,) in sql(place, _TABLES[type(place) is Address])]
    return {name: sorted(sql(place, f"SELECT * FROM {name}"), key=repr) for name in tables}


_TABLES = (
    "SELECT name FROM sqlite_master WHERE type = 'table'",
    "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()",
)


def tamper(place: Place, *statements: str) -> None:
    """Changes a campaign behind the program's back, its triggers and references taken away."""
    where = " ON journal" if isinstance(place, Address) else ""
    for (name,) in sql(place, _TRIGGERS[type(place) is Address]):
        sql(place, f"DROP TRIGGER {name}{where}")
    if isinstance(place, Address):
        _sql_on_a_server(place, statements, SUPERUSER)
    else:
        sql(place, *statements)


_TRIGGERS = (
    "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    "SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
    "WHERE NOT tgisinternal AND relnamespace = current_schema()::text::regnamespace",
)
