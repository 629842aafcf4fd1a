"""A state as tables: scenario, sides, perimeters, units, …, from any kind of file.

The columns are the fields of the state file; lists are joined by spaces; an empty cell means
nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from brt_cg.commands.problems import Findings
from brt_cg.commands.state_document import (
    FACT_FIELDS,
    FIELDS,
    FORMAT,
    SCENARIO_FIELDS,
    SIDE_FIELDS,
    VERSION,
)
from brt_cg.model.counters import Side
from brt_cg.model.fields import Field
from brt_cg.text import listed, parted, shown

Row = dict[str, str]  # the filled cells, by column
# Words the place of a table, a row (the header is 1) and a column.
Placing = Callable[[str, int | None, str | None], str]
TABLES = ("scenario", "facts", "sides", "perimeters", *FIELDS)


def state_of(tables: "StateTables") -> dict[str, Any]:
    """Turns tables into a state document. Notes malformed tables; the command that takes the
    document checks the values, as it does for JSON."""
    document: dict[str, Any] = {"format": FORMAT, "version": VERSION} | _scenario(tables)
    if "sides" in tables.given:
        document["sides"] = _sides(tables)
    if "perimeters" in tables.given:
        document["perimeters"] = _perimeters(tables)
    for name, fields in FIELDS.items():
        if name in tables.given:
            document[name] = [_counter(row, fields) for _, row in tables.rows(name, fields)]
    return document


class StateTables:
    """The lines of each table, by its name; `place` words the place of a problem."""

    def __init__(
        self, given: Mapping[str, list[list[str]]], place: Placing, findings: Findings
    ) -> None:
        self.given = given
        self.place = place
        self.findings = findings

    def bad(
        self, name: str, message: str, row: int | None = None, column: str | None = None
    ) -> None:
        """Notes a problem in a row or column of a table."""
        self.findings.add(self.place(name, row, column), message)

    def rows(self, name: str, columns: Iterable[str]) -> list[tuple[int, Row]]:
        """The rows of a table by number, the header's being 1; none if there is no such table."""
        if name not in self.given:
            return []
        lines = list(self.given[name])
        while lines and not any(lines[-1]):
            lines.pop()
        header = lines[0] if lines else []
        if not self._check_header(name, header, list(columns)):
            return []
        return list(self._cut(name, header, lines[1:]))

    def _check_header(self, name: str, header: list[str], columns: list[str]) -> bool:
        wrong = [column for column in header if column not in columns]
        twice = sorted({column for column in header if header.count(column) > 1})
        for column in wrong:
            self.bad(name, f"unknown column {shown(column)}; allowed: {listed(columns)}", 1)
        for column in twice:
            self.bad(name, "given twice; allowed: once", column=column)
        if not header:
            self.bad(name, f"no header; allowed columns: {listed(columns)}", 1)
        return bool(header) and not wrong and not twice

    def _cut(
        self, name: str, header: list[str], lines: list[list[str]]
    ) -> Iterator[tuple[int, Row]]:
        for number, cells in enumerate(lines, start=2):
            if not any(cells):
                self.bad(name, "empty; allowed: no gaps between rows", number)
            elif any(cells[len(header) :]):
                found = f"{len(cells)} cells; allowed: {len(header)}, as the header"
                self.bad(name, found, number)
            else:
                pairs = zip(header, cells, strict=False)
                yield number, {column: cell for column, cell in pairs if cell}


def _parsed(row: Row, fields: Mapping[str, Field]) -> dict[str, Any]:
    """The JSON values of a row's cells."""
    return {column: fields[column].shape.parse(cell) for column, cell in row.items()}


def _counter(row: Row, fields: Mapping[str, Field]) -> dict[str, Any]:
    """A counter's fields. If the fate is given, as in an export, a counter that waits for its setup
    has no Location; in a sheet filled in by players the gap is a mistake."""
    waits = {"location": None} if "fate" in row else {}
    return waits | _parsed(row, fields)


def _scenario(tables: StateTables) -> dict[str, Any]:
    """The scenario from the table `scenario`, with the facts if they are not in `facts`."""
    found: dict[str, Any] = {}
    scenario = _only(tables, "scenario", {**SCENARIO_FIELDS, **FACT_FIELDS})
    facts = _only(tables, "facts", FACT_FIELDS)
    if "scenario" in tables.given:
        found["scenario"] = {
            key: value for key, value in scenario.items() if key in SCENARIO_FIELDS
        }
    for key, value in scenario.items():
        if key in FACT_FIELDS and facts.setdefault(key, value) != value:
            tables.bad("facts", "scenario says otherwise; allowed: once", column=key)
    if facts:
        found["facts"] = facts
    return found


def _only(tables: StateTables, name: str, fields: Mapping[str, Field]) -> dict[str, Any]:
    """The one row of a table."""
    rows = tables.rows(name, fields)
    for number, _ in rows[1:]:
        tables.bad(name, "one row too many; allowed: one", number)
    return _parsed(rows[0][1], fields) if rows else {}


def _sides(tables: StateTables) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for number, row in tables.rows("sides", ("side", *SIDE_FIELDS)):
        side = row.pop("side", None)
        if side not in list(Side) or side in found:
            allowed = f"each of {listed(Side)} once"
            tables.bad("sides", f"found {shown(side)}; allowed: {allowed}", number, "side")
        else:
            found[side] = _parsed(row, SIDE_FIELDS)
    return found


def _perimeters(tables: StateTables) -> list[list[str]]:
    """Rows with one name in the column `perimeter` are one perimeter."""
    found: dict[str, list[str]] = {}
    for number, row in tables.rows("perimeters", ("perimeter", "hexes")):
        for column in ("perimeter", "hexes"):
            if column not in row:
                tables.bad("perimeters", "missing", number, column)
        hexes = parted(row.get("hexes", ""))
        found.setdefault(row.get("perimeter", ""), []).extend(hexes)
    return list(found.values())
