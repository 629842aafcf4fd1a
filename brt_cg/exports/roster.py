"""The setup rosters of the next scenario, to print or to work with."""

from collections.abc import Iterable, Iterator
from typing import Any

from brt_cg.campaign import Campaign
from brt_cg.counters import Counter, Fortification, Side, Unit, Vehicle, Weapon
from brt_cg.exports.formats import csv_text, json_text, md_document, md_table, md_text, view_name
from brt_cg.exports.rosters import (
    AREA,
    ISOLATED,
    OFF_MAP,
    Place,
    Start,
    groups,
    places,
    sets_up_in,
    start_of,
    state_told,
)
from brt_cg.exports.status import counted
from brt_cg.journal.book import Book
from brt_cg.journal.changes import record_plain
from brt_cg.records import SIDES
from brt_cg.refit.s607_perimeters import in_ranges
from brt_cg.secrets_kept import seen_by

FORMAT = "brt-cg/roster"
KINDS = ("units", "weapons", "vehicles", "fortifications")
PLACE_COLUMNS = ("place", "kind", "side", "hexes")
FIELDS: dict[str, tuple[str, ...]] = {
    "units": (
        *("id", "side", "kind", "type", "class", "strength", "name", "traits", "status"),
        *("aboard", "guard"),
    ),
    "weapons": (
        *("id", "side", "kind", "type", "name", "nation", "possessor", "vehicle", "status"),
        "depleted",
    ),
    "vehicles": (
        *("id", "side", "type", "name", "nation", "armor_leader", "pathfinder", "status"),
    ),
    "fortifications": (
        *("id", "side", "type", "name", "location", "exit", "covered_arc", "hidden", "capacity"),
        *("ca_tem", "nca_tem", "controller"),
    ),
}


def document(book: Book, side: Side | None) -> dict[str, Any]:
    """The rosters as JSON: how the scenario starts, and a page for each place."""
    view = seen_by(book.campaign, side)
    start = start_of(view, book.card)
    return {
        "format": FORMAT,
        "version": 1,
        "view": view_name(side),
        "cg": view.situation.cg,
        "date": start.date,
        "sets_up_first": start.first_setup.value,
        "moves_first": start.first_move and start.first_move.value,
        "turns": start.turns,
        "san": {one.value: view.sides[one].san for one in SIDES},
        "places": [_page(view, place) for place in places(view)],
    }


def _page(view: Campaign, place: Place) -> dict[str, Any]:
    lists = {kind: [_item(view, one, kind) for one in getattr(place, kind)] for kind in KINDS}
    hexes = in_ranges(place.area.hexes).split() if place.area else []
    return {
        "place": place.name,
        "kind": place.kind,
        "side": place.side.value,
        "hexes": hexes,
        **lists,
    }


def _item(view: Campaign, counter: Counter, kind: str) -> dict[str, Any]:
    values = record_plain(counter)
    return {name: values[name] for name in FIELDS[kind]} | {"sets_up_in": sets_up_in(view, counter)}


def as_json(book: Book, side: Side | None) -> str:
    return json_text(document(book, side))


def as_csv(book: Book, side: Side | None) -> dict[str, str]:
    """scenario.csv, places.csv, and a table for each kind of counter with its place."""
    found = document(book, side)
    head = ("cg", "date", "sets_up_first", "moves_first", "turns")
    files = {
        "scenario.csv": csv_text(head, [found]),
        "places.csv": csv_text(PLACE_COLUMNS, found["places"]),
    }
    for kind in KINDS:
        rows = ({"place": page["place"]} | one for page in found["places"] for one in page[kind])
        files[f"{kind}.csv"] = csv_text(("place", *FIELDS[kind], "sets_up_in"), rows)
    return files


# --- Markdown -------------------------------------------------------------------------------------


def as_md(book: Book, side: Side | None) -> str:
    """All pages in one document."""
    view = seen_by(book.campaign, side)
    blocks: list[list[str]] = [_scenario(view, start_of(view, book.card))]
    for place in places(view):
        blocks += [[f"## {md_text(place.title)}"], *_page_blocks(view, place, "###")]
    return md_document("Setup rosters", side, *blocks)


def roster_files(book: Book, side: Side | None = None) -> dict[str, str]:
    """A Markdown document for each page, by file name ("M1.md", "isolated-N21.md", …)."""
    view = seen_by(book.campaign, side)
    scenario = _scenario(view, start_of(view, book.card))
    return {
        _file_name(place): md_document(
            place.title, side, scenario, *_page_blocks(view, place, "##")
        )
        for place in places(view)
    }


def _file_name(place: Place) -> str:
    if place.kind == AREA:
        return f"{place.name}.md"
    name = place.name.replace(":", "-") if place.kind == ISOLATED else place.side.value
    return f"{place.kind.replace('_', '-')}-{name}.md"


def _scenario(view: Campaign, start: Start) -> list[str]:
    """How the scenario starts, in a line or two."""
    moves = (
        f"{start.first_move.label} move first" if start.first_move else "a dr says who moves first"
    )
    night = "" if start.settled or not start.date.endswith("NT") else " (if it comes to one)"
    san = ", ".join(f"{one.label} {view.sides[one].san}" for one in SIDES)
    return [
        f"CG {view.situation.cg} · {start.date}{night}: {start.first_setup.label} set up first, "
        f"{moves}, {start.turns} turns · SAN {san}"
    ]


def _page_blocks(view: Campaign, place: Place, level: str) -> Iterator[list[str]]:
    if place.area is not None:
        hexes = counted(len(place.area.hexes), "hex").replace("hexs", "hexes")
        yield [f"{hexes}: {in_ranges(place.area.hexes)}"]
    if place.empty:
        yield ["Nothing sets up here."]
    for title, units in groups(place.units):
        yield [f"{level} {title} ({len(units)})"]
        yield _table(view, place, ("unit", "with"), units)
    if place.weapons:
        yield [f"{level} Weapons ({len(place.weapons)})"]
        yield _table(view, place, ("weapon", "possessed by"), place.weapons)
    if place.vehicles:
        yield [f"{level} Vehicles ({len(place.vehicles)})"]
        yield _table(view, place, ("vehicle", "aboard"), place.vehicles)
    if place.fortifications:
        yield [f"{level} Fortifications ({len(place.fortifications)})"]
        yield _table(view, place, ("fortification", ""), place.fortifications)


def _table(
    view: Campaign, place: Place, names: tuple[str, str], counters: Iterable[Counter]
) -> list[str]:
    """Counters with id, what they are, state, whom they go with, and where they set up."""
    what, goes = names
    rows = [
        (one.id, _named(one), state_told(one), _with(view, one), sets_up_in(view, one))
        for one in counters
    ]
    header = ["id", what, "state", goes, "sets up in"]
    if place.kind == OFF_MAP:
        header, rows = header[:4], [row[:4] for row in rows]  # type: ignore[misc]
    if not any(row[3] for row in rows):
        header = header[:3] + header[4:]
        return md_table(header, [row[:3] + row[4:] for row in rows])
    return md_table(header, rows)


def _named(counter: Counter) -> str:
    """What a counter is, and its name if it has one."""
    kind = getattr(counter, "type", "").replace("_", " ")
    if isinstance(counter, Unit):
        short = {"half_squad": "HS", "vehicle_crew": "vehicle crew"}
        kind = f"{counter.type} {short.get(counter.kind, counter.kind)}"
    return f"{kind} {counter.name}" if counter.name else kind


def _with(view: Campaign, counter: Counter) -> str:
    """Whom a counter goes with: a unit's weapons, vehicle or guard; who possesses a weapon; who is
    aboard a vehicle."""
    if isinstance(counter, Unit):
        guard = [f"guarded by {counter.guard}"] if counter.guard else []
        aboard = [f"aboard {counter.aboard}"] if counter.aboard else []
        weapons = (f"{one.type} {one.id}" for one in view.possessed_by(counter))
        return ", ".join([*guard, *aboard, *weapons])
    if isinstance(counter, Weapon):
        return counter.possessor or (f"mounted on {counter.vehicle}" if counter.vehicle else "")
    if isinstance(counter, Vehicle):
        return ", ".join(one.id for one in view.aboard(counter))
    assert isinstance(counter, Fortification)
    return ""
