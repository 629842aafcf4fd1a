"""A state as a folder of CSV files: scenario.csv, sides.csv, perimeters.csv, units.csv, ….

The columns are the fields of the state file; lists are joined by spaces; an empty cell says
nothing.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from pathlib import Path
from typing import Any

from brt_cg.commands.problems import Findings, listed, shown
from brt_cg.commands.state_document import (
    FACT_FIELDS,
    FIELDS,
    FORMAT,
    SCENARIO_FIELDS,
    SIDE_FIELDS,
    VERSION,
)
from brt_cg.counters import Side
from brt_cg.fields import Field
from brt_cg.imports.reading import read_text

Row = dict[str, str]  # the cells that say something, by column
FILES = ("scenario", "facts", "sides", "perimeters", *FIELDS)


def read_csv_folder(folder: Path) -> dict[str, Any]:
    """The state document that a folder gives.

    Raises Problems, naming file, row and column, for what is no such table; values are checked by
    the command that takes the document, as those of a JSON file are.
    """
    findings = Findings()
    document: dict[str, Any] = {"format": FORMAT, "version": VERSION}
    name_of_folder = folder.name or str(folder)
    given = {path.stem: path for path in sorted(folder.glob("*.csv"))}
    for name in given:
        if name not in FILES:
            allowed = listed(f"{table}.csv" for table in FILES)
            findings.add(f"{name_of_folder}/{name}.csv", f"unknown file; allowed: {allowed}")
    tables = _Tables(name_of_folder, given, findings)
    document |= _scenario(tables)
    if "sides" in given:
        document["sides"] = _sides(tables)
    if "perimeters" in given:
        document["perimeters"] = _perimeters(tables)
    for name, fields in FIELDS.items():
        if name in given:
            document[name] = [_counter(row, fields) for _, row in tables.rows(name, fields)]
    findings.finish()
    return document


class _Tables:
    """The CSV files of a folder, by name."""

    def __init__(self, folder: str, given: Mapping[str, Path], findings: Findings) -> None:
        self.folder = folder
        self.given = given
        self.findings = findings

    def bad(self, name: str, where: str, message: str) -> None:
        """Notes what is wrong in a row or column of a file."""
        self.findings.add(f"{self.folder}/{name}.csv, {where}", message)

    def rows(self, name: str, columns: Iterable[str]) -> list[tuple[int, Row]]:
        """The rows of a file by number, the header's being 1; none if there is no such file."""
        if name not in self.given:
            return []
        try:
            lines = list(_cells(read_text(self.given[name])))
        except csv.Error as error:
            self.findings.add(f"{self.folder}/{name}.csv", f"not CSV: {error}")
            return []
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
            found = f"unknown column {shown(column)}"
            self.bad(name, "row 1", f"{found}; allowed: {listed(columns)}")
        for column in twice:
            self.bad(name, f"column {column}", "given twice; allowed: once")
        if not header:
            self.bad(name, "row 1", f"no header; allowed columns: {listed(columns)}")
        return bool(header) and not wrong and not twice

    def _cut(
        self, name: str, header: list[str], lines: list[list[str]]
    ) -> Iterator[tuple[int, Row]]:
        for number, cells in enumerate(lines, start=2):
            if not any(cells):
                self.bad(name, f"row {number}", "empty; allowed: no gaps between rows")
            elif any(cells[len(header) :]):
                found = f"{len(cells)} cells"
                self.bad(name, f"row {number}", f"{found}; allowed: {len(header)}, as the header")
            else:
                pairs = zip(header, cells, strict=False)
                yield number, {column: cell for column, cell in pairs if cell}


def _cells(text: str) -> Iterator[list[str]]:
    """The cells of each line. Spreadsheets write commas, semicolons or tabs between them."""
    header = text.partition("\n")[0]
    delimiter = max(",;\t", key=header.count)
    for line in csv.reader(StringIO(text, newline=""), delimiter=delimiter):
        yield [cell.strip() for cell in line]


def _parsed(row: Row, fields: Mapping[str, Field]) -> dict[str, Any]:
    """The JSON values of a row's cells."""
    return {column: fields[column].shape.parse(cell) for column, cell in row.items()}


def _counter(row: Row, fields: Mapping[str, Field]) -> dict[str, Any]:
    """A counter's fields. Where a fate is written, as in an export, a counter that waits for its
    setup has no Location; in a sheet that players fill in, the gap is a mistake."""
    waits = {"location": None} if "fate" in row else {}
    return waits | _parsed(row, fields)


def _scenario(tables: _Tables) -> dict[str, Any]:
    """scenario.csv holds the scenario, and the facts if they are not in facts.csv."""
    found: dict[str, Any] = {}
    scenario = _only(tables, "scenario", {**SCENARIO_FIELDS, **FACT_FIELDS})
    facts = _only(tables, "facts", FACT_FIELDS)
    if "scenario" in tables.given:
        found["scenario"] = {
            key: value for key, value in scenario.items() if key in SCENARIO_FIELDS
        }
    for key, value in scenario.items():
        if key in FACT_FIELDS and facts.setdefault(key, value) != value:
            tables.bad("facts", f"column {key}", "scenario.csv says otherwise; allowed: once")
    if facts:
        found["facts"] = facts
    return found


def _only(tables: _Tables, name: str, fields: Mapping[str, Field]) -> dict[str, Any]:
    """The one row of a file."""
    rows = tables.rows(name, fields)
    for number, _ in rows[1:]:
        tables.bad(name, f"row {number}", "one row too many; allowed: one")
    return _parsed(rows[0][1], fields) if rows else {}


def _sides(tables: _Tables) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for number, row in tables.rows("sides", ("side", *SIDE_FIELDS)):
        side = row.pop("side", None)
        if side not in list(Side) or side in found:
            allowed = f"each of {listed(Side)} once"
            where = f"row {number}, column side"
            tables.bad("sides", where, f"found {shown(side)}; allowed: {allowed}")
        else:
            found[side] = _parsed(row, SIDE_FIELDS)
    return found


def _perimeters(tables: _Tables) -> list[list[str]]:
    """Rows with one name in the column `perimeter` are one perimeter."""
    found: dict[str, list[str]] = {}
    for number, row in tables.rows("perimeters", ("perimeter", "hexes")):
        for column in ("perimeter", "hexes"):
            if column not in row:
                tables.bad("perimeters", f"row {number}, column {column}", "missing")
        hexes = row.get("hexes", "").replace(",", " ").split()
        found.setdefault(row.get("perimeter", ""), []).extend(hexes)
    return list(found.values())
