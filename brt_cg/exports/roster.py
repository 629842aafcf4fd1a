"""The setup rosters of the next scenario, to print or to work with."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from brt_cg.campaign import Campaign
from brt_cg.counters import Counter, Side
from brt_cg.exports.blocks import Block, Document, Section, Sheet, Table, Text, view_name
from brt_cg.exports.setup_pages import AREA, ISOLATED, OFF_MAP, Page, Start, groups, pages, start_of
from brt_cg.exports.wording import counted, goes_with, named, sets_up_in, state_told
from brt_cg.exports.writers import as_md
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


def build(book: Book, side: Side | None) -> Document:
    """How the scenario starts, and a page for each area, Isolated Location, and what is off map."""
    view = seen_by(book.campaign, side)
    start, found = start_of(view, book.card), pages(view)
    data = {
        "format": FORMAT,
        "version": 1,
        "view": view_name(side),
        "cg": view.situation.cg,
        "date": start.date,
        "sets_up_first": start.first_setup.value,
        "moves_first": start.first_move and start.first_move.value,
        "turns": start.turns,
        "san": {whose.value: view.sides[whose].san for whose in SIDES},
        "places": [_page_data(view, page) for page in found],
    }
    return Document("Setup rosters", side, data, _sheets(data), _blocks(view, start, found))


def roster_files(book: Book, side: Side | None = None) -> dict[str, str]:
    """A Markdown document for each page, by file name ("M1.md", "isolated-N21.md", …)."""
    return as_md.write_pages(build(book, side))


def _page_data(view: Campaign, page: Page) -> dict[str, Any]:
    return {
        "place": page.name,
        "kind": page.kind,
        "side": page.side.value,
        "hexes": in_ranges(page.area.hexes).split() if page.area else [],
        **{kind: [_item(view, held, kind) for held in getattr(page, kind)] for kind in KINDS},
    }


def _item(view: Campaign, counter: Counter, kind: str) -> dict[str, Any]:
    values = record_plain(counter)
    return {name: values[name] for name in FIELDS[kind]} | {"sets_up_in": sets_up_in(view, counter)}


def _sheets(data: dict[str, Any]) -> Iterator[Sheet]:
    """The start, the places, and a table for each kind of counter with its place."""
    yield Sheet("scenario", ("cg", "date", "sets_up_first", "moves_first", "turns"), [data])
    yield Sheet("places", ("place", "kind", "side", "hexes"), data["places"])
    for kind in KINDS:
        rows = ({"place": page["place"]} | held for page in data["places"] for held in page[kind])
        yield Sheet(kind, ("place", *FIELDS[kind], "sets_up_in"), rows)


# --- for people -----------------------------------------------------------------------------------


def _blocks(view: Campaign, start: Start, found: Iterable[Page]) -> Iterator[Block]:
    yield Text(_start_told(view, start))
    for page in found:
        yield Section(page.title, _page_blocks(view, page), page=True, file=_file_name(page))


def _file_name(page: Page) -> str:
    if page.kind == AREA:
        return page.name
    name = page.name.replace(":", "-") if page.kind == ISOLATED else page.side.value
    return f"{page.kind.replace('_', '-')}-{name}"


def _start_told(view: Campaign, start: Start) -> str:
    """How the scenario starts, in a line or two."""
    moves = (
        f"{start.first_move.label} move first" if start.first_move else "a dr says who moves first"
    )
    night = "" if start.settled or not start.date.endswith("NT") else " (if it comes to one)"
    san = ", ".join(f"{whose.label} {view.sides[whose].san}" for whose in SIDES)
    return (
        f"CG {view.situation.cg} · {start.date}{night}: {start.first_setup.label} set up first, "
        f"{moves}, {start.turns} turns · SAN {san}"
    )


def _page_blocks(view: Campaign, page: Page) -> Iterator[Block]:
    if page.area is not None:
        hexes = counted(len(page.area.hexes), "hex").replace("hexs", "hexes")
        yield Text(f"{hexes}: {in_ranges(page.area.hexes)}")
    if page.empty:
        yield Text("Nothing sets up here.")
    for title, units in groups(page.units):
        yield _section(view, page, title, ("unit", "with"), units)
    yield from _section_if(view, page, "Weapons", ("weapon", "possessed by"), page.weapons)
    yield from _section_if(view, page, "Vehicles", ("vehicle", "aboard"), page.vehicles)
    forts = page.fortifications
    yield from _section_if(view, page, "Fortifications", ("fortification", ""), forts)


def _section(
    view: Campaign, page: Page, title: str, names: tuple[str, str], counters: Sequence[Counter]
) -> Section:
    """Counters with id, what they are, state, whom they go with, and where they set up."""
    what, goes = names
    columns = {
        "id": [held.id for held in counters],
        what: [named(held) for held in counters],
        "state": [state_told(held) for held in counters],
        goes: [goes_with(view, held) for held in counters],
        "sets up in": [sets_up_in(view, held) for held in counters],
    }
    if not any(columns[goes]):
        del columns[goes]
    if page.kind == OFF_MAP:
        del columns["sets up in"]
    table = Table(list(columns), zip(*columns.values(), strict=True))
    return Section(f"{title} ({len(counters)})", [table])


def _section_if(
    view: Campaign, page: Page, title: str, names: tuple[str, str], counters: Sequence[Counter]
) -> Iterator[Section]:
    if counters:
        yield _section(view, page, title, names, counters)
