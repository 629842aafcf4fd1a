"""A state as a folder of CSV files: scenario.csv, sides.csv, perimeters.csv, units.csv, …."""

import csv
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

from brt_cg.commands.problems import Findings, listed
from brt_cg.imports.reading import read_text
from brt_cg.imports.state_tables import TABLES, Tables, state_of

# An export puts an apostrophe before what a spreadsheet would take for a formula.
_GUARD = re.compile(r"^'(?='*[=+\-@])")


def read_csv_folder(folder: Path) -> dict[str, Any]:
    """The state document that a folder gives.

    Raises Problems, naming file, row and column, for what is no such table; values are checked by
    the command that takes the document, as those of a JSON file are.
    """
    findings = Findings()
    source = folder.name or str(folder)
    given: dict[str, list[list[str]]] = {}
    for path in sorted(folder.glob("*.csv")):
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

    document = state_of(Tables(given, place, findings))
    findings.finish()
    return document


def _lines(text: str) -> Iterator[list[str]]:
    """The cells of each line. Spreadsheets write commas, semicolons or tabs between them."""
    header = text.partition("\n")[0]
    delimiter = max(",;\t", key=header.count)
    for line in csv.reader(StringIO(text, newline=""), delimiter=delimiter):
        yield [_GUARD.sub("", cell.strip()) for cell in line]
