"""The setup rosters of the next scenario, for use at the table (15.6201-15.6205)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from brt_cg.board import hexes_as_ranges, is_area_only_location
from brt_cg.exports.betio import draw_map
from brt_cg.exports.blocks import (
    Block,
    Cell,
    Document,
    Picture,
    SectionBlock,
    Sheet,
    TableBlock,
    TextBlock,
    WriteIn,
)
from brt_cg.exports.headers import json_document_start, page_header_maker
from brt_cg.exports.map import map_and_crowded_part_pictures
from brt_cg.exports.map_frame import COLUMN, PORTRAIT, frame_around_hexes
from brt_cg.exports.roster_lists import enemy_strengths, place_lists, place_without_hex_text
from brt_cg.exports.scenario_card import arrival_texts
from brt_cg.exports.setup_pages import (
    AREA,
    ISOLATED,
    LIMITS,
    OFF_MAP,
    RosterPage,
    ScenarioStart,
    japanese_limits_text,
    japanese_setup_limits,
    list_roster_pages,
    page_tables,
    scenario_start,
    setup_and_move_order_text,
)
from brt_cg.exports.strength import TOTALS, ForceStrength, count_strength
from brt_cg.exports.wording import companions_text, notable_state_text
from brt_cg.exports.writers import as_md
from brt_cg.model import (
    SIDES,
    Campaign,
    Counter,
    Phase,
    Piece,
    Side,
    Weapon,
    fields_of,
    fields_to_json,
)
from brt_cg.refit.setup_places import bound_location, isolated_setup_locations
from brt_cg.text import count_text, halves_text
from brt_cg.views.view import View

COUNTED = ("leaders", "squads", "half_squads", "crews", "guns", "vehicles")

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


WIDTHS = (4, 29, 24, 27, 16)  # the widths of a page's columns


def build_roster(book: View) -> Document:
    """Return the start of the scenario, a list for each place that the side (None: both) sets up
    in, the known facts about the enemy, and the map."""
    roster = _Roster(book)
    return _document(book, roster, roster.blocks)


def build_full_roster(book: View) -> Document:
    """Return the rosters with a page for each place of both sides, and the strength by place."""
    roster = _Roster(book)
    return _document(book, roster, roster.all_pages, full=True)


def _document(
    book: View, roster: "_Roster", blocks: Callable[[], Iterator[Block]], full: bool = False
) -> Document:
    data = roster.data()
    sheets = partial(_sheets, data, full)
    head = page_header_maker(book, None if roster.over else roster.start.dates)
    return Document("Setup rosters", head, data, sheets, blocks)


def roster_markdown_files(book: View) -> dict[str, str]:
    """Return a Markdown document for each page, by file name ("M1.md", "isolated-N21.md", …)."""
    return as_md.write_md_pages(build_full_roster(book))


class _Roster:
    """The data of the rosters, computed once."""

    def __init__(self, book: View) -> None:
        self.side = book.side
        self.card = book.card
        self.view, self.codes = book.campaign, book.codes
        self.start = scenario_start(self.view, book.card)
        self.over = self.view.situation.phase is Phase.OVER
        self.pages = [
            (page, count_strength(page.counters, book.card.ladders))
            for page in list_roster_pages(self.view, self.start.first_setup)
        ]

    # --- for programs ---------------------------------------------------------------------------

    def data(self) -> dict[str, Any]:
        start, view = self.start, self.view
        return {
            **json_document_start("roster", self.side),
            "cg": view.situation.cg,
            "date": start.date,
            "otherwise": start.otherwise and start.otherwise.date,
            "sets_up_first": start.first_setup.value,
            "moves_first": start.first_move and start.first_move.value,
            "turns": start.turns,
            "san": {whose.value: view.sides[whose].san for whose in SIDES},
            "elr": {whose.value: view.sides[whose].elr for whose in SIDES},
            "limits": self.limits(),
            "places": [_page_data(view, page, size) for page, size in self.pages],
        }

    def limits(self) -> dict[str, int] | None:
        """Return the limits for the Japanese units on map; None for the Marines, who do not know
        all units."""
        return None if self.side is Side.MARINE else japanese_setup_limits(self.view, self.card)

    # --- for people -----------------------------------------------------------------------------

    def blocks(self) -> Iterator[Block]:
        """Yield the compact roster."""
        yield from self._start()
        own = [held for held in self.pages if self.side in (None, held[0].side)]
        lists = list(place_lists(self.view, own, self._spot, self._detail, self.codes))
        yield SectionBlock("Setup", lists, columns=2)
        others: list[Block] = []
        if self.side is not None:
            known = enemy_strengths([held for held in self.pages if held not in own])
            others.append(SectionBlock(f"Known about the {self.side.enemy.plural}", [known]))
        if self.view.areas:
            title, own_stacks = f"Betio, {self.start.dates}", (self.side,) if self.side else SIDES
            highest = self.card.highest_hex_number(self.view.current_rulings)
            whole, part = map_and_crowded_part_pictures(self.view, title, highest, own_stacks)
            yield SectionBlock(title, [whole, *others], page=True, across=True)
            yield SectionBlock("The main fighting area", [part], page=True, across=True)
        else:
            yield from others

    def _start(self) -> Iterator[Block]:
        yield TextBlock(_start_text(self.view, self.start))
        yield SectionBlock("Forces" if self.over else "How the scenario starts", self._opening())

    def all_pages(self) -> Iterator[Block]:
        """Yield the full roster."""
        yield from self._start()
        isolated: set[Side] = set()
        for page, size in self.pages:
            # The Isolated Locations of a side share their pages of paper.
            new = page.kind != ISOLATED or page.side not in isolated
            isolated |= {page.side} if page.kind == ISOLATED else set()
            yield SectionBlock(page.title, self._page(page, size), page=new, file=_file_name(page))
        yield SectionBlock("Strength by place", [self._strengths()], page=True)

    def _opening(self) -> Iterator[Block]:
        if not self.over:
            yield TableBlock(("step", "side", "action"), list(self._steps()))
        names = (TOTALS[what][1] for what in COUNTED)
        header = ("side", "SAN", "ELR", *names, "squad-equivalents")
        yield TableBlock(header, [self._figures(whose) for whose in SIDES])
        for whose in SIDES if self.side is None else (self.side,):
            coming = [] if self.over else arrival_texts(self.view, self.card, whose)
            if coming:
                yield TextBlock(f"{whose.label} arrivals due: {'; '.join(coming)}.")
        limits = "" if self.over else japanese_limits_text(self.view, self.card, self.side)
        if limits:
            yield TextBlock(f"Japanese limits: {limits}")
        if not self.over and self.side is not Side.JAPANESE:
            yield TextBlock("Marine 7-6-8 may Deploy freely during setup.")

    def _figures(self, whose: Side) -> tuple[Any, ...]:
        """Return the figures of a side's pages."""
        there = (held for page, _ in self.pages if page.side is whose for held in page.counters)
        found, record = count_strength(there, self.card.ladders, (whose,)), self.view.sides[whose]
        size = halves_text(found.squad_equivalents)
        return (whose.label, record.san, record.elr, *map(found.count_of_category, COUNTED), size)

    def _detail(self, page: RosterPage, printed: int = COLUMN) -> Picture:
        """Return a drawing of a Setup Area with its surroundings."""
        assert page.area is not None, "only areas have a drawing"
        highest, own = (
            self.card.highest_hex_number(self.view.current_rulings),
            (self.side,) if self.side else SIDES,
        )
        frame = replace(frame_around_hexes(page.area.hexes), printed=printed)
        svg = draw_map(
            self.view, page.title, max_hex=highest, own=own, frame=frame, explained=False
        )
        return Picture(svg, f"{page.words or page.name} and its surroundings.")

    def _steps(self) -> Iterator[tuple[str, str, str]]:
        """Yield the steps of the setup, in the order of 15.6201 to 15.6205."""
        start = self.start
        order = (start.first_setup, start.first_setup.enemy)
        for rule, kind, what, nothing in (
            ("15.6201", ISOLATED, "set up Isolated units in", "nothing is Isolated"),
            ("15.6202", AREA, "set up the rest in", "no Setup Area yet"),
        ):
            for whose in order:
                own = (page for page, _ in self.pages if page.side is whose)
                found = (page.name.partition(":")[0] for page in own if page.kind == kind)
                places = ", ".join(dict.fromkeys(found))  # the lists say inside which pillbox
                yield rule, whose.label, f"{what} {places}" if places else nothing
        if self.card.is_night_date(start.date):
            yield "15.6203", "Japanese", "reveal whether they attempt a Banzai Night Attack"
        yield "15.6204", "both", "announce SAN"
        mover = start.first_move.label if start.first_move else "by dr"
        yield ("15.6205", mover, f"move first; {start.turns} turns")

    def _page(self, page: RosterPage, size: ForceStrength) -> Iterator[Block]:
        view = self.view
        if page.area is not None:
            hexes = count_text(len(page.area.hexes), "hex")
            yield TextBlock(f"{hexes}: {hexes_as_ranges(page.area.hexes)}")
        if not page.counters:
            yield TextBlock("Nothing sets up here.")
        elif page.kind != ISOLATED:
            yield TextBlock(size.words)
        if page.area is not None:
            yield self._detail(page, PORTRAIT)
        for title, what, counters in page_tables(view, page):
            table = self._table(page, what, counters)
            if counters and title:
                yield SectionBlock(f"{title} ({len(counters)})", [table])
            elif counters:
                yield table

    def _table(self, page: RosterPage, what: str, counters: Sequence[Counter]) -> TableBlock:
        """Return a table of counters with a box to tick, their state, their companions, and their
        setup Locations."""
        columns: dict[str, list[Cell]] = {
            "": [WriteIn.BOX for _ in counters],
            what: [held.label for held in counters],
            "state": [notable_state_text(held) for held in counters],
            "with": [companions_text(self.view, held) for held in counters],
            "sets up in": [self._spot(held) or WriteIn.LINE for held in counters],
        }
        if page.kind == OFF_MAP:
            del columns["sets up in"]
        return TableBlock(
            list(columns), list(zip(*columns.values(), strict=True)), WIDTHS[: len(columns)]
        )

    def _spot(self, counter: Counter) -> str:
        """Return the Location where a counter sets up. For an Isolated counter that is not set up
        yet, return the allowed Locations."""
        phase = self.view.situation.phase
        if isinstance(counter, Piece) and counter.isolated and phase in (Phase.REFIT, Phase.SETUP):
            return " or ".join(
                map(self.view.location_text, isolated_setup_locations(self.view, counter))
            )
        if is_area_only_location(counter.location):
            return place_without_hex_text(self.view, counter)
        return self.view.location_text(setup_location(self.view, counter))

    def _strengths(self) -> TableBlock:
        rows = [
            (_short_name(page), whose.label, TOTALS[what][0], type, number)
            for page, size in self.pages
            for (whose, what, type), number in size.counts.items()
        ]
        return TableBlock(("place", "side", "what", "type", "number"), rows)


def _page_data(view: Campaign, page: RosterPage, size: ForceStrength) -> dict[str, Any]:
    return {
        "place": page.name,
        "kind": page.kind,
        "side": page.side.value,
        "hexes": hexes_as_ranges(page.area.hexes).split() if page.area else [],
        "squad_equivalents": size.squad_equivalents,
        "counts": [
            {"side": whose.value, "what": what, "type": type, "number": number}
            for (whose, what, type), number in size.counts.items()
        ],
        **{
            kind: [_roster_item(view, held, kind) for held in getattr(page, kind)]
            for kind in FIELDS
        },
    }


def _roster_item(view: Campaign, counter: Counter, kind: str) -> dict[str, Any]:
    known = fields_of(type(counter))
    values = fields_to_json(counter, {name: known[name] for name in FIELDS[kind]})
    return values | {"sets_up_in": setup_location(view, counter)}


def _sheets(data: dict[str, Any], full: bool) -> Iterator[Sheet]:
    """Yield the start, the places, their strengths, and a table for each kind of counter."""
    places = data["places"]
    yield Sheet(
        "scenario", ("cg", "date", "sets_up_first", "moves_first", "turns"), [data], cover=True
    )
    sides = [
        {"side": whose, "san": data["san"][whose], "elr": data["elr"][whose]}
        for whose in data["san"]
    ]
    yield Sheet("sides", ("side", "san", "elr"), sides, cover=True)
    if data["limits"] is not None:
        yield Sheet("limits", LIMITS, [data["limits"]], cover=True)
    yield Sheet("places", ("place", "kind", "side", "hexes", "squad_equivalents"), places)
    counts = ({"place": page["place"]} | held for page in places for held in page["counts"])
    yield Sheet("strength", ("place", "side", "what", "type", "number"), counts, extra=not full)
    for kind, fields in FIELDS.items():
        rows = [{"place": page["place"]} | held for page in places for held in page[kind]]
        columns = ("place", *fields, "sets_up_in")
        yield Sheet(kind, columns, rows, boxes=True, to_write=columns[-1:])


def _short_name(page: RosterPage) -> str:
    return "off map" if page.kind == OFF_MAP else page.words or page.name


def _file_name(page: RosterPage) -> str:
    if page.kind == AREA:
        return page.name
    name = page.name.replace(":", "-") if page.kind == ISOLATED else page.side.value
    return f"{page.kind.replace('_', '-')}-{name}"


def _start_text(view: Campaign, start: ScenarioStart) -> str:
    """Return the start of the scenario, in a line or two."""
    san = ", ".join(f"{whose.label} {view.sides[whose].san}" for whose in SIDES)
    if view.situation.phase is Phase.OVER:
        return f"CG {view.situation.cg} is over · SAN {san}"
    return f"CG {view.situation.cg} · {setup_and_move_order_text(start)} · SAN {san}"


def setup_location(view: Campaign, counter: Counter) -> str:
    """Return the Location in which a counter sets up: the given one, or the recorded one if the
    counter is bound to it; empty if its player chooses."""
    if counter.off_map:
        return ""
    if counter.location is not None or not isinstance(counter, Piece):
        return counter.location or ""
    weapon = isinstance(counter, Weapon)
    recorded = bound_location(view, counter) if weapon else counter.recorded_location
    return f"{recorded} (recorded)" if recorded else ""
