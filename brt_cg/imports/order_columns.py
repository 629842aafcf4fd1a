"""A row of an order of battle that was pasted from a spreadsheet, or is separated like CSV: its
cells, and the meaning of each."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from brt_cg.card import Wave
from brt_cg.imports.wave_heading import HEADING, parse_entry_area, parse_turn, parse_wave
from brt_cg.model import Side
from brt_cg.text import NotUnderstoodError, TextSlice

HEADS = {
    **dict.fromkeys(("marine", "marines"), Side.MARINE),
    **{"japanese": Side.JAPANESE},
}
_DATE_CELL = re.compile(rf"\d{{1,2}}\s*(?:AM|PM|NT)\b(?:\s*,?\s*{HEADING})?:?", re.IGNORECASE)
_NUMBER = re.compile(r"[x×*]?\s*(\d{1,6})(?:[.,]0+)?\s*[x×]?", re.IGNORECASE)
_RULE = re.compile(r"[-:| ]+")  # the line under the headings of a table in Markdown
_CELL = re.compile(r"[^\t]*(?:\t|$)")
_PIPED = re.compile(r"[^|]*(?:\||$)")


class Column(StrEnum):
    """The contents of a column of a pasted table."""

    TYPE = "type"
    COUNT = "count"
    NAME = "name"
    SIDE = "side"
    DATE = "date"
    HELD = "held"
    WAVE = "wave"
    TURN = "turn"
    FORMATIONS = "formations"
    ENTRY_AREA = "entry area"
    ASIDE = "aside"


HEADINGS: Mapping[Column, Sequence[str]] = {
    Column.TYPE: ("type", "unit", "units", "counter", "counters", "piece", "kind", "what", "item"),
    Column.COUNT: (
        *("number", "count", "qty", "quantity", "no", "nr", "#", "how many", "amount", "total"),
        *("n", "num", "pcs", "x"),
    ),
    Column.NAME: ("name", "names", "called", "leader", "leader name"),
    Column.SIDE: ("side", "nationality", "nation", "army"),
    Column.DATE: ("date", "arrives", "arrival", "cg date", "when", "enters"),
    Column.HELD: ("sw", "weapons", "possesses", "equipment", "with", "carries"),
    Column.WAVE: ("wave", "wave no", "wave number"),
    Column.TURN: ("turn", "game turn", "entry turn", "lands on turn"),
    Column.FORMATIONS: ("formation", "formations", "battalion", "company"),
    Column.ENTRY_AREA: ("entry area", "entry", "entry hex", "entry hexes", "lands at", "beach"),
    Column.ASIDE: (
        *("notes", "note", "remarks", "remark", "comment", "comments", "value", "cvp", "bpv"),
        *("source", "id", "points"),
    ),
}
OF_A_WAVE = (Column.FORMATIONS, Column.ENTRY_AREA)  # in a row without a Wave they say nothing
_BY_HEADING = {word: column for column, words in HEADINGS.items() for word in words}
WHICH_NUMBER = (
    "it is not clear which number is the count; give the columns headings: Type, Number, Name, Date"
)


@dataclass(slots=True)
class PastedRow:
    """The cells of a row by their meaning; `aside` are the cells without one."""

    type: TextSlice
    count: int | None = None
    names: TextSlice | None = None
    side: Side | None = None
    date: TextSlice | None = None
    held: TextSlice | None = None
    wave: Wave | None = None
    aside: list[str] = field(default_factory=list)


def split_cells(text: str) -> list[TextSlice] | None:
    """Return the cells of a line with tabs, or of a table in Markdown; None for any other line."""
    pattern = _CELL if "\t" in text else _PIPED if text.lstrip().startswith("|") else None
    if pattern is None:
        return None
    found, start = [], 0
    while start < len(text):
        match = pattern.match(text, start)
        assert match is not None
        found.append(TextSlice(text).cut_and_strip(start, match.end()).stripped_at_end("|"))
        start = match.end()
    return found


def is_heading_underline(cells: Sequence[str]) -> bool:
    """Whether a row is only the line under headings."""
    return all(_RULE.fullmatch(cell) for cell in cells if cell)


def read_headings(cells: Sequence[str]) -> list[Column] | None:
    """Return the columns that a row of headings names, or None if it is not a row of headings."""
    words = [cell.casefold().strip(" .:") for cell in cells]
    known = [_BY_HEADING.get(word, Column.ASIDE) for word in words]
    named = {*known} & {Column.TYPE, Column.COUNT}
    has_number = any(map(str.isdigit, "".join(words)))
    return known if named and not has_number else None


def read_pasted_row(
    cells: Sequence[TextSlice],
    columns: Sequence[Column] | None,
    names_counter: Callable[[TextSlice], bool],
) -> PastedRow:
    """Return a row by its headings, or by the form of its cells. Raises NotUnderstoodError."""
    whole = TextSlice(" ".join(filter(None, cells))).with_text()
    if columns is None:
        columns = _guess(cells, names_counter)
    at: dict[Column, list[TextSlice]] = {}
    for cell, column in zip(cells, [*columns, *[Column.ASIDE] * len(cells)], strict=False):
        if cell:
            at.setdefault(column, []).append(cell)
    if Column.TYPE not in at:
        raise NotUnderstoodError(whole, "this row has no counter; enter one")
    if len(at.get(Column.COUNT, ())) > 1:
        raise NotUnderstoodError(whole.with_text(", ".join(at[Column.COUNT])), WHICH_NUMBER)
    if len(at[Column.TYPE]) > 1:
        raise NotUnderstoodError(
            at[Column.TYPE][1], "this row has two counters; put the second on a separate line"
        )
    first = {column: found[0] for column, found in at.items()}
    wave = _wave(first)
    if wave is None:
        at.setdefault(Column.ASIDE, []).extend(first[each] for each in OF_A_WAVE if each in first)
    whose = first.get(Column.SIDE)
    side = None if whose is None else HEADS.get(whose.casefold().strip(":"))
    if whose is not None and side is None:
        raise NotUnderstoodError(whose, "no side", allowed="Marine, Japanese")
    return PastedRow(
        first[Column.TYPE],
        _count(first.get(Column.COUNT)),
        first.get(Column.NAME),
        side,
        first.get(Column.DATE),
        first.get(Column.HELD),
        wave,
        [str(cell) for cell in at.get(Column.ASIDE, ())],
    )


def _wave(cells: Mapping[Column, TextSlice]) -> Wave | None:
    """Return the Wave of a row, which its name or its turn gives; None if it has neither."""
    name, turn = cells.get(Column.WAVE), cells.get(Column.TURN)
    if name is None and turn is None:
        return None
    area, of = cells.get(Column.ENTRY_AREA), cells.get(Column.FORMATIONS)
    called = Wave()
    if name is not None:
        called = parse_wave(name if "wave" in name.lower() else name.with_text(f"wave {name}"))
    return Wave(
        called.name,
        called.formations if of is None else str(of),
        called.entry_area if area is None else parse_entry_area(area) or str(area),
        called.turn if turn is None else parse_turn(turn, bare=True),
    )


def _count(cell: TextSlice | None) -> int | None:
    if cell is None:
        return None
    number = _NUMBER.fullmatch(cell)
    if number is None:
        raise NotUnderstoodError(cell, "no number")
    return int(number[1])


def _guess(
    cells: Sequence[TextSlice], names_counter: Callable[[TextSlice], bool]
) -> Sequence[Column]:
    """Return the columns of a row without headings: the cell that names a counter, and the others
    by their form. A bare number is a counter only if no other cell is one."""
    named = [bool(cell) and names_counter(cell) for cell in cells]
    sure = [at for at, cell in enumerate(cells) if named[at] and not _NUMBER.fullmatch(cell)]
    bare = [at for at, is_named in enumerate(named) if is_named]
    types = sure or sorted(bare, key=lambda at: -len(cells[at]))[:1]
    return [Column.TYPE if at in types else _form(cell) for at, cell in enumerate(cells)]


def _form(cell: str) -> Column:
    if _NUMBER.fullmatch(cell):
        return Column.COUNT
    if _DATE_CELL.fullmatch(cell):
        return Column.DATE
    return Column.SIDE if cell.casefold().strip(":") in HEADS else Column.ASIDE
