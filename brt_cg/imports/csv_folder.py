"""A state as a folder of CSV files: scenario.csv, sides.csv, perimeters.csv, units.csv, …."""

import csv
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

from brt_cg.commands.problems import Findings
from brt_cg.imports.reading import read_text
from brt_cg.imports.state_tables import TABLES, StateTables, state_of
from brt_cg.text import listed

# An export puts an apostrophe before text that a spreadsheet would take for a formula.
_GUARD = re.compile(r"^'(?='*[=+\-@])")


def read_csv_folder(folder: Path) -> dict[str, Any]:
    """Reads a folder as a state document.

    Raises Refused, naming file, row and column, for malformed tables; the command that takes the
    document checks the values, as it does for JSON.
    """
    findings = Findings()
    source = folder.name or str(folder)
    given: dict[str, list[list[str]]] = {}
    for path in sorted(path for path in folder.iterdir() if path.suffix.lower() == ".csv"):
        if path.stem not in TABLES:
            allowed = listed(f"{name}.csv" for name in TABLES)
            findings.add(f"{source}/{path.name}", f"unknown file; allowed: {allowed}")
            continue
        try:
            given[path.stem] = list(_lines(read_text(path)))
        except csv.Error as error:
            findings.add(f"{source}/{path.name}", f"not CSV: {error}")

    def place(name: str, row: int | None, column: str | None) -> str:
        parts = (row and f"row {row}", column and f"column {column}")
        return ", ".join([f"{source}/{name}.csv", *(part for part in parts if part)])

    document = state_of(StateTables(given, place, findings))
    findings.finish()
    return document


def _lines(text: str) -> Iterator[list[str]]:
    """The cells of each line, separated by commas, semicolons or tabs, as spreadsheets write
    them."""
    header = text.partition("\n")[0]
    delimiter = max(",;\t", key=header.count)
    for line in csv.reader(StringIO(text, newline=""), delimiter=delimiter):
        yield [_GUARD.sub("", cell.strip()) for cell in line]
