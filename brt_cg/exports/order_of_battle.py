"""The order of battle in numbers, and as lines that `reinforce` reads back, so that only one player
has to type a card."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from brt_cg.card import arrival_heading, read_arrival_counters, wave_of
from brt_cg.card.unit_names import (
    NamedUnit,
    quote_name_if_needed,
    typed_fortification_text,
    typed_unit_text,
)
from brt_cg.exports.blocks import Block, Bullets, Document, SectionBlock, Sheet, TableBlock
from brt_cg.exports.headers import json_document_start, page_header_maker
from brt_cg.exports.order_matrix import HEADS, KINDS, matrix_lines, order_of_battle_matrix
from brt_cg.immutable import immutable
from brt_cg.model import (
    SIDES,
    Arrival,
    Campaign,
    Counter,
    Fortification,
    Side,
    Unit,
    UnitKind,
    Vehicle,
    Weapon,
    WeaponKind,
    natural_sort_key,
)
from brt_cg.text import capitalize
from brt_cg.views.view import View

TABLES = ("units", "weapons", "vehicles", "fortifications")


@immutable
class OrderLine:
    """A line of an order of battle, and the counters that it means."""

    text: str
    counters: tuple[Counter, ...]


Matrix = Mapping[Side, Mapping[str, Sequence[int]]]


def build_order_of_battle(book: View) -> Document:
    """Return the numbers of counters of each kind that have arrived, are present now, are lost or
    are off map; the counters of a side (None: both) that were not bought, equal ones on one line;
    and those still to arrive."""
    view = book.campaign
    sides = SIDES if book.side is None else (book.side,)
    lines = {whose: [*order_of_battle_text(view, whose)] for whose in sides}
    counted = order_of_battle_matrix(book, sides)
    data = json_document_start("order-of-battle", book.side) | {
        "sides": {whose.value: each for whose, each in lines.items()},
        "matrix": {
            whose.value: {row: dict(zip(KINDS, of, strict=True)) for row, of in rows.items()}
            for whose, rows in counted.items()
        },
        "text": [*(f"# {line}" for line in matrix_lines(counted)), *_text(lines)],
    }
    sheets, blocks = partial(_sheets, lines, counted), partial(_order_blocks, lines, counted)
    return Document("Order of battle", page_header_maker(book), data, sheets, blocks)


def _text(lines: Mapping[Side, list[str]]) -> list[str]:
    return [line for side, each in lines.items() for line in (f"{side.label}:", *each)]


def _order_blocks(lines: Mapping[Side, list[str]], counted: Matrix) -> Iterator[Block]:
    for side, each in lines.items():
        rows = [(capitalize(row), *numbers) for row, numbers in counted[side].items()]
        yield SectionBlock(side.label, [TableBlock(("", *HEADS), rows), Bullets(each)])


def _sheets(lines: Mapping[Side, list[str]], counted: Matrix) -> Iterator[Sheet]:
    rows: list[Mapping[str, Any]] = [
        {"side": side.value, "line": line} for side, each in lines.items() for line in each
    ]
    yield Sheet("order_of_battle", ["side", "line"], rows)
    figures = [
        {"side": side.value, "row": row} | dict(zip(KINDS, numbers, strict=True))
        for side, of in counted.items()
        for row, numbers in of.items()
    ]
    yield Sheet("matrix", ["side", "row", *KINDS], figures)


# --- lines ----------------------------------------------------------------------------------------


def order_of_battle_text(view: Campaign, side: Side) -> Iterator[str]:
    """Yield the lines of a side: first counters already there, then later arrivals."""
    yield from (line.text for line in order_lines(view, side))
    for arrival in (view.arrivals[key] for key in sorted(view.arrivals, key=natural_sort_key)):
        if arrival.side is side and not arrival.entered:
            yield from arrival_lines(arrival)


def arrival_lines(arrival: Arrival) -> Iterator[str]:
    """Yield the lines of an arrival, each with its date."""
    for line in _with_counters(read_arrival_counters(arrival)):
        yield f"{arrival_heading(arrival)}: {line.text}"


def _counts(counter: Counter, side: Side) -> bool:
    """Whether a counter belongs to the side's order of battle: its own, not bought, not captured,
    and not a vehicle's armament."""
    own = getattr(counter, "nation", counter.side) is side and counter.in_play
    prisoner = isinstance(counter, Unit) and counter.prisoner
    mounted = isinstance(counter, Weapon) and counter.kind is WeaponKind.VEHICULAR
    taken = isinstance(counter, Fortification) and counter.controller not in (None, side)
    return own and not (prisoner or mounted or taken) and counter.purchase is None


def order_lines(view: Campaign, side: Side) -> list[OrderLine]:
    """Return the lines of the counters that a side has now, each with its counters; those that land
    in the first scenario last, after their date and Wave."""
    tables = (view.tables[name].values() for name in TABLES)
    mine = [each for table in tables for each in table if _counts(each, side)]
    landing: list[OrderLine] = []
    if view.situation.initial:  # later, only the records have a counter's Wave
        for arrival in sorted(view.arrivals.values(), key=lambda each: natural_sort_key(each.id)):
            entered = arrival.entered and wave_of(arrival) is not None
            ids = {each.id for each in read_arrival_counters(arrival)} if entered else set()
            lines = _with_counters([each for each in mine if each.id in ids])
            mine = [each for each in mine if each.id not in ids]
            head = arrival_heading(arrival)
            landing += [OrderLine(f"{head}: {line.text}", line.counters) for line in lines]
    return [*_with_counters(mine), *landing]


def _with_counters(counters: list[Counter]) -> Iterator[OrderLine]:
    """Return equal counters on one line; counters with a name have separate lines."""
    ids = {each.id: each for each in counters}
    held: dict[str, list[str]] = {}
    for each in counters:
        if isinstance(each, Weapon) and each.possessor in ids:
            held.setdefault(each.possessor, []).append(_type(each))
    by_line: dict[tuple[str, str], list[Counter]] = {}
    riding = {each.aboard for each in counters if isinstance(each, Unit) and each.aboard in ids}
    for each in sorted(counters, key=_as_on_a_card):
        if (isinstance(each, Weapon) and each.possessor in ids) or each.id in riding:
            continue
        key = _line(each, held, ids), each.id if each.name else ""
        by_line.setdefault(key, []).append(each)
    for (line, _), alike in by_line.items():
        many = len(alike)
        text = line if many == 1 else f"{many} x {line}" if ":" not in line else _many(line, many)
        yield OrderLine(text, tuple(each for one in alike for each in _together(one, counters)))


def _as_on_a_card(each: Counter) -> tuple[Any, ...]:
    """Return the sort key of a CG card: squads before crews, leaders and heroes, then SW, Guns,
    vehicles and Fortifications."""
    kinds = [*UnitKind, *WeaponKind]
    kind = kinds.index(each.kind) if isinstance(each, Unit | Weapon) else 0
    return (TABLES.index(each.TABLE), kind, natural_sort_key(each.id))


def _together(first: Counter, counters: list[Counter]) -> Iterator[Counter]:
    """Yield a counter with the vehicle that it is aboard, and with what it possesses."""
    yield first
    if isinstance(first, Unit):
        yield from (each for each in counters if each.id == first.aboard)
        for each in counters:
            if isinstance(each, Weapon) and each.possessor == first.id:
                yield each


def _many(line: str, many: int) -> str:
    """Return the line for several equal units with the same possessions; each possession is listed
    once for each unit."""
    what, _, carried = line.partition(": ")
    parts = carried.split(", ")
    return f"{many} x {what}: {', '.join(part for part in parts for _ in range(many))}"


def _line(each: Counter, held: Mapping[str, list[str]], ids: Mapping[str, Counter]) -> str:
    words = [_type(each)]
    if each.name is not None:
        words.append(quote_name_if_needed(each.name))
    if isinstance(each, Unit) and each.aboard is not None and each.aboard in ids:
        words += ["in", _type(ids[each.aboard])]
    carried = ", ".join(sorted(held.get(each.id, ())))
    if isinstance(each, Vehicle) and each.armor_leader is not None:
        carried = f"{each.armor_leader} AL"
    return " ".join(words) + (f": {carried}" if carried else "")


def _type(each: Counter) -> str:
    if isinstance(each, Unit) and each.mmc:
        called = NamedUnit(each.kind, each.type, each.class_, each.strength)
        return typed_unit_text(called, each.traits)
    if isinstance(each, Unit):
        known = {"hero": "hero", "pathfinder": "Pathfinder"}
        hunter = "T-H " if each.has_trait("tank_hunter") else ""
        return hunter + known.get(each.kind, each.type)
    if isinstance(each, Vehicle | Weapon):
        return each.type
    return typed_fortification_text(each) if isinstance(each, Fortification) else each.type_text
