"""Everything on the table at one moment, and answers to the questions that the rules ask about it.

A Campaign is a set of records by table and id. Steps change its records; a recorder, if there is
one, notes the old values. This module does not know how a campaign is stored.
"""

import re
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import chain, count
from typing import Any

from brt_cg import resources
from brt_cg.board import OFF_MAP, ground_hex, hex_order_key, is_area_only_location
from brt_cg.model.counters import (
    IN_PLAY,
    Counter,
    Fortification,
    Piece,
    Side,
    Terrain,
    Unit,
    Vehicle,
    Weapon,
)
from brt_cg.model.fields import Field, FieldChange
from brt_cg.model.record import Record
from brt_cg.model.records import (
    TABLES,
    Allotment,
    Area,
    Arrival,
    Casualty,
    Purchase,
    RulingInForce,
    SideRecord,
    Situation,
    area_name,
)
from brt_cg.model.setup_areas import PlaceKind, SetupAreas, Whereabouts
from brt_cg.model.shapes import Link, Place
from brt_cg.model.table import CounterNumber, Recorder, Table

AREA, ISOLATED, ELSEWHERE = (
    PlaceKind.AREA,
    PlaceKind.ISOLATED,
    PlaceKind.ELSEWHERE,
)  # as in counters
# The links to a counter's holder, each with its table. A hidden holder hides the counter too.
HOLDERS: dict[type[Counter], dict[str, str]] = {
    Unit: {"aboard": Vehicle.TABLE},
    Weapon: {"possessor": Unit.TABLE, "vehicle": Vehicle.TABLE},
}

# An id, perhaps with a field or in brackets after its name.
_ID = re.compile(r"(?P<open> \()?(?P<id>\b\w+(?:[-.]\w+)+)(?P<close>(?(open)\)|))")


class Campaign:
    """The campaign at one moment: `tables` by name, each by id; each table is an attribute as
    well."""

    __slots__ = (
        *("tables", "sides", "areas", "units", "weapons", "vehicles", "fortifications", "terrain"),
        *("purchases", "allotments", "rulings", "arrivals", "casualties", "_situations"),
        "_key",
    )

    def __init__(self, tables: dict[str, Table[Any]] | None = None, key: str | None = None) -> None:
        self.tables = tables or {kind.TABLE: Table() for kind in TABLES}
        self._situations: Table[Situation] = self.tables[Situation.TABLE]
        self._key = key
        self.sides: Table[SideRecord] = self.tables[SideRecord.TABLE]
        self.areas: Table[Area] = self.tables[Area.TABLE]
        self.units: Table[Unit] = self.tables[Unit.TABLE]
        self.weapons: Table[Weapon] = self.tables[Weapon.TABLE]
        self.vehicles: Table[Vehicle] = self.tables[Vehicle.TABLE]
        self.fortifications: Table[Fortification] = self.tables[Fortification.TABLE]
        self.terrain: Table[Terrain] = self.tables[Terrain.TABLE]
        self.purchases: Table[Purchase] = self.tables[Purchase.TABLE]
        self.allotments: Table[Allotment] = self.tables[Allotment.TABLE]
        self.rulings: Table[RulingInForce] = self.tables[RulingInForce.TABLE]
        self.arrivals: Table[Arrival] = self.tables[Arrival.TABLE]
        self.casualties: Table[Casualty] = self.tables[Casualty.TABLE]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Campaign) and self.tables == other.tables

    def clone(self) -> "Campaign":
        """Return a copy without a recorder."""
        return Campaign(
            {name: table.clone() for name, table in self.tables.items()}, self.hidden_ids_key
        )

    def snapshot(self) -> "Campaign":
        """Return the campaign as it is now, to be read but not changed: a quicker `clone` for what
        is compared again and again."""
        return Campaign(
            {name: table.snapshot() for name, table in self.tables.items()}, self.hidden_ids_key
        )

    @property
    def hidden_ids_key(self) -> str | None:
        """The key for the ids of counters that arrive hidden (hidden_ids.py). A side's view uses it
        too, to give such counters the same names as the campaign, but no record in the view
        contains it."""
        situation = self._situations.get("campaign")
        return self._key if situation is None or situation.key is None else situation.key

    @property
    def numbers(self) -> Mapping[str, CounterNumber]:
        """The numbers of the counters by id, including undone counters (counter_numbers.py)."""
        return self.units.numbers

    @numbers.setter
    def numbers(self, given: Mapping[str, CounterNumber]) -> None:
        if given is self.numbers:
            return
        self.store_numbers_in_tables(given)
        for counter in self.counters():
            if counter.has_no_number and counter.id in given:
                counter.set_number(given[counter.id].number)

    def store_numbers_in_tables(self, given: Mapping[str, CounterNumber]) -> None:
        """Adopt the numbers of counters that already have one."""
        for table in (self.units, self.weapons, self.vehicles, self.fortifications, self.terrain):
            table.numbers = given

    def set_recorder(self, recorder: Recorder | None) -> None:
        """Make `recorder` note every change from now on; None ends the recording."""
        for table in self.tables.values():
            table.recorder = recorder

    def add(self, record: Record) -> None:
        """Add a new record. Raises ValueError if the id is already used."""
        table = self.tables[record.TABLE]
        if record.id in table or (isinstance(record, Counter) and self.find(record.id)):
            raise ValueError(f"{record.id} is already in the campaign")
        table[record.id] = record

    def free_counter_id(self, wanted: str) -> str:
        """Return a free id for a new counter: `wanted`, with a number added if a campaign that was
        adopted in progress already uses it."""
        others = (f"{wanted}-{number}" for number in count(2))
        return next(id for id in chain([wanted], others) if self.find(id) is None)

    def remove(self, record: Record) -> None:
        del self.tables[record.TABLE][record.id]

    # --- the records -------------------------------------------------------------------------

    @property
    def situation(self) -> Situation:
        return self._situations["campaign"]

    def ruling_value(self, ruling: str) -> str:
        """Return the current value of a ruling: the one that the players agreed on, else its
        default."""
        record = self.rulings.get(ruling)
        return record.value if record is not None else _defaults()[ruling]

    def is_ruling_agreed(self, ruling: str) -> bool:
        """Whether the players have agreed on a ruling, even if on its default."""
        return ruling in self.rulings

    @property
    def current_rulings(self) -> Mapping[str, str]:
        """The current value of every ruling, by id."""
        return ChainMap({key: record.value for key, record in self.rulings.items()}, _defaults())

    def cvp(self, side: Side) -> int:
        """Return the Casualty VP that a side has amassed: the sum of its rows in the ledger."""
        return self.sides[side].cvp + sum(row.points for row in self.casualty_rows_scored_by(side))

    def cvp_of_last_scenario(self, side: Side) -> int:
        """Return the Casualty VP that a side has amassed in the scenario that ended last."""
        opening, date = self.sides[side], self.situation.ended
        rows = (row.points for row in self.casualty_rows_scored_by(side) if row.date == date)
        return opening.cvp - opening.cvp_before + sum(rows)

    def casualty_rows_scored_by(self, side: Side) -> list[Casualty]:
        """Return the rows of the casualty ledger of a side, by id."""
        return self.casualties.records_with("side", side)

    def find(self, id: str) -> Counter | None:
        """Return the counter with an id, in or out of play."""
        for table in (self.units, self.weapons, self.vehicles, self.fortifications, self.terrain):
            if (found := table.get(id)) is not None:
                return found
        return None

    def counters(self) -> Iterator[Counter]:
        """Yield every counter, in or out of play."""
        return chain(self.pieces(), self.fortifications.values(), self.terrain.values())

    def pieces(self) -> Iterator[Piece]:
        """Yield every unit, weapon and vehicle, in or out of play."""
        return chain(self.units.values(), self.weapons.values(), self.vehicles.values())

    def free_units_in_play_of(self, side: Side) -> list[Unit]:
        """Return a side's units in play, except prisoners."""
        mine = (unit for unit in self.units.values() if unit.side is side and unit.in_play)
        return [unit for unit in mine if not unit.prisoner]

    # --- in the order in which the program asks -----------------------------------------------

    def sort_counters_in_play(self, counters: Iterable[Any]) -> list[Any]:
        """Return the counters in play: Marine first; by hex; by area; by id (the order of
        asking)."""
        return sorted(
            [each for each in counters if each.fate is IN_PLAY], key=self.asking_order_key
        )

    @staticmethod
    def asking_order_key(counter: Counter) -> str:
        """Return a counter's key in the order of asking."""
        return _place_in_order(counter.side, counter.location, counter.setup_area) + counter.id

    def pieces_at(self, location: str | None) -> list[Piece]:
        """Return the units, weapons and vehicles in play in exactly that Location, in order; empty
        if the hex is unknown."""
        if location is None or location == OFF_MAP or is_area_only_location(location):
            return []
        tables = (self.units, self.weapons, self.vehicles)
        there = [table.index_by("location").get(location, {}).values() for table in tables]
        return self.sort_counters_in_play(chain.from_iterable(there))

    def weapons_possessed_by(self, unit: Unit) -> list[Weapon]:
        """Return the SW and Guns that a unit possesses, by id."""
        return [
            weapon for weapon in self.weapons.records_with("possessor", unit.id) if weapon.in_play
        ]

    def weapons_mounted_on(self, vehicle: Vehicle) -> list[Weapon]:
        """Return a vehicle's own Weapons in play, by id."""
        return [
            weapon for weapon in self.weapons.records_with("vehicle", vehicle.id) if weapon.in_play
        ]

    def units_aboard(self, vehicle: Vehicle) -> list[Unit]:
        """Return a vehicle's Passengers and Riders, by id."""
        return [unit for unit in self.units.records_with("aboard", vehicle.id) if unit.in_play]

    def prisoners_of(self, guard: Unit) -> list[Unit]:
        """Return the prisoners that a unit guards, by id."""
        return [
            prisoner for prisoner in self.units.records_with("guard", guard.id) if prisoner.in_play
        ]

    # --- hidden counters ------------------------------------------------------------------------

    def side_hiding(self, counter: Piece | Fortification) -> Side | None:
        """Return the side that hides a counter from its enemy, if any: the counter is hidden or not
        seen yet, or a hidden unit possesses it, a hidden vehicle carries it, or it is inside a
        hidden Fortification of its side."""
        if isinstance(counter, Fortification):
            # Marine purchases are known, but not where they will set up.
            bought = counter.unseen and counter.side is Side.JAPANESE
            return counter.side if counter.hidden or bought else None
        if counter.unseen or (counter.status and counter.hidden):
            return counter.side
        for name, table in HOLDERS.get(type(counter), {}).items():
            link = getattr(counter, name)
            holder = self.tables[table].get(link) if link else None
            if holder is not None and self.side_hiding(holder) is holder.side:
                return holder.side
        location = counter.location
        if location is None or ":" not in location:
            return None
        fort = self.fortifications.get(location.partition(":")[2])
        # A new Fortification is unseen until both sides have set up; after that, only its place is.
        hidden = fort is not None and fort.hidden and fort.side is counter.side
        return counter.side if hidden else None

    # --- Setup Areas, Isolation, Control (15.607-15.608) ---------------------------------------

    def area_at(self, location: str | None) -> Area | None:
        """Return the Setup Area that contains the hex of a Location."""
        if location is None or location == OFF_MAP:
            return None
        areas = self.areas.derived_value(SetupAreas).by_hex
        return areas.get(location) or areas.get(ground_hex(location)) if areas else None

    def whereabouts(self, counter: Counter) -> Whereabouts:
        """Return the place of a counter: its Location if it is Isolated, because that is an area by
        itself; else the Setup Area in which it is, or is Retained, friendly or not. A prisoner is
        with its guard."""
        guard = self.units.get(counter.guard or "") if isinstance(counter, Unit) else None
        if guard is not None and guard is not counter:
            return self.whereabouts(guard)
        if isinstance(counter, Piece) and counter.isolated:
            where = counter.recorded_location or counter.location
            if where is not None and where != OFF_MAP:
                return Whereabouts(ISOLATED, where)
        if counter.location == OFF_MAP:
            return Whereabouts(PlaceKind.OFF_MAP, OFF_MAP)
        named = counter.setup_area
        area = self.areas.get(named) if named else self.area_at(counter.location)
        if area is not None:
            return Whereabouts(AREA, area.id, area)
        return Whereabouts(ELSEWHERE, ELSEWHERE)

    def retained_place(self, counter: Counter) -> str | None:
        """Return the place where a counter is Retained: an area's id, its Isolated Location, or
        "off_map"; None if it is in none of these, or if an Isolated Location is not an area
        (R-ISOLATED-AREA)."""
        found = self.whereabouts(counter)
        isolated = found.kind is ISOLATED and self.ruling_value("R-ISOLATED-AREA") != "yes"
        return None if isolated or found.kind is ELSEWHERE else found.name

    def isolated_unit_locations(self) -> Iterator[tuple[str, Side]]:
        """Yield the Location of each Isolated unit or manned vehicle, and its side, in order. A
        prisoner is not Isolated, even if its guard is."""
        units = (unit for unit in self.units.values() if unit.isolated and not unit.prisoner)
        manned = (tank for tank in self.vehicles.values() if tank.isolated and tank.manned)
        for piece in self.sort_counters_in_play((*units, *manned)):
            kind, where, _ = self.whereabouts(piece)
            if kind is ISOLATED:
                yield where, piece.side

    def side_isolated_in(self, location: str | None, known_to: Side | None = None) -> Side | None:
        """Return the side that is Isolated in a Location, if any: with a unit, or a manned vehicle.

        By default this is decided by public knowledge; with `known_to`, by that side's knowledge,
        including its hidden counters.
        """
        if location is None:
            return None
        units = self.units.records_with("location", location)
        there = (*units, *self.vehicles.records_with("location", location))
        for piece in (piece for piece in there if piece.isolated and piece.in_play):
            if piece.is_opposing and self.side_hiding(piece) in (None, known_to):
                return piece.side
        return None

    def side_controlling(self, location: str | None, known_to: Side | None = None) -> Side | None:
        """Return the side that Controls a Location: the side Isolated in it, else the side whose
        area it is in. This is decided by public knowledge, or by the knowledge of `known_to`."""
        isolated = self.side_isolated_in(location, known_to)
        if isolated is not None:
            return isolated
        area = self.area_at(location)
        return area.side if area else None

    def is_front_line(self, location: str | None, known_to: Side | None = None) -> bool:
        """Whether a Location is a Front Line Location (R-FLL): in a hex of a Setup Area adjacent to
        a hex of an enemy Setup Area, and not Isolated (by what `known_to` knows, if given)."""
        area = self.area_at(location)
        if (
            location is None
            or area is None
            or self.side_isolated_in(location, known_to) is not None
        ):
            return False
        return ground_hex(location) in self.front_hexes(area.side)

    def front_hexes(self, side: Side) -> frozenset[str]:
        """Return the hexes of a side's Setup Areas that touch a hex of an enemy Setup Area
        (R-FLL)."""
        return self.areas.derived_value(SetupAreas).front_hexes(side)

    # --- words --------------------------------------------------------------------------------

    def name_with_place(self, counter: Counter) -> str:
        """Return a counter's name and place: "9-1 Hawkins (Area M1)"."""
        place = self.place_text(counter)
        return f"{counter.label} ({place})" if place else counter.label

    def change_with_spoken_values(
        self, changed: FieldChange, after: "Campaign | None" = None
    ) -> FieldChange:
        """Return a change in the players' words, with names for the counters that it links to and
        for Locations inside them; `after` is the campaign that names the new value, if given."""
        value, new = self._spoken(changed.field, changed.before), after or self
        return changed._replace(before=value, after=new._spoken(changed.field, changed.after))

    def _spoken(self, field: Field, value: Any) -> Any:
        if isinstance(field.shape, Place) and isinstance(value, str):
            return self.location_text(value)
        linked = self.find(value) if isinstance(field.shape, Link) and value else None
        return linked.label if linked is not None else value

    def replace_ids_with_names(self, words: str) -> str:
        """Return the words of the command line with names in place of ids: "m-mmg-3: found …" is
        "MMG no. 3: found …" on a screen. Ids that are not in this campaign are kept."""

        def name(found: re.Match[str]) -> str:
            id, dot, field = found["id"], "", ""
            if self.find(id) is None:
                id, dot, field = id.rpartition(".")
            counter = self.find(id)
            if counter is None:
                return found[0]
            if found["open"] and found.string[: found.start()].endswith(counter.label):
                return ""
            return f"{found['open'] or ''}{counter.label}{dot and f': {field}'}{found['close']}"

        return _ID.sub(name, words.replace("the id of ", "").replace("the ids of ", ""))

    def is_hidden_on_paper(self, counter: Counter) -> bool:
        """Whether a counter on map, or to be set up, is hidden, so that only its player knows its
        hex; a purchase does not count as hidden only because the enemy has not seen it yet."""
        if not isinstance(counter, Piece) or (counter.unseen and not counter.hidden):
            return False
        return self.side_hiding(counter) is not None

    def place_text(self, counter: Counter) -> str:
        """Return a counter's place in the players' words: "Area M1", "N21", "off map", "on the
        table, Area M1", "on paper, Area J1" if it is hidden; "" if it has no place."""
        if counter.off_map:
            return "off map"
        if is_area_only_location(counter.location):
            where = "on paper" if self.is_hidden_on_paper(counter) else "on the table"
            return f"{where}, {self.area_only_text(counter.location)}"
        if counter.location is not None:
            return self.location_text(counter.location)
        home = counter.setup_area
        return area_name(home) if home else self.location_text(counter.recorded_location)

    def area_only_text(self, location: str | None) -> str:
        """Return the Setup Area of a Location that gives only that, in words: "Area M2"."""
        area = self.area_at(location)
        return area.display_name if area is not None else location or ""

    def location_text(self, location: str | None) -> str:
        """Return a Location in the players' words: "N21", "N21:1", "N21, inside pillbox no. 4"; ""
        for none."""
        hex, _, inside = (location or "").partition(":")
        fort = self.fortifications.get(inside)
        return f"{hex}, inside {fort.label}" if fort is not None else location or ""


@lru_cache(maxsize=4096)
def _place_in_order(side: Side | None, location: str | None, area: str | None) -> str:
    hexrow, number = hex_order_key(location)
    return f"{int(side is Side.JAPANESE)}{hexrow:02}{number:02}{area or ''}\0"


@cache
def _defaults() -> dict[str, str]:
    """Return the default of each ruling, by id."""
    found = resources.read_toml_cached(resources.game_data_folder() / "rulings.toml")
    return {key: ruling["default"] for key, ruling in found.items() if key.startswith("R-")}
