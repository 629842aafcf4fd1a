"""A state as a workbook: the output of `export template`, filled in by the players.

Its sheets are the tables of a state. Problems are named by sheet and cell.
"""

import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date, time
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from brt_cg.commands.problems import XLSX, Findings, table_place
from brt_cg.files import MOST_BYTES, foreign, read_bytes
from brt_cg.imports.state_tables import TABLES, StateTables, state_of
from brt_cg.questions.answers import Problem, Refused
from brt_cg.text import install_text, listed

ABOUT = "about"  # the sheet that identifies the workbook
MOST_ROWS, MOST_COLUMNS = 10_000, 200  # size limits of a sheet


def read_workbook(path: Path) -> dict[str, Any]:
    """Reads a workbook as a state document.

    Raises Refused if it is not one or the extra is missing, and for malformed tables, naming sheet
    and cell; the command that takes the document checks the values.
    """
    findings = Findings()
    given: dict[str, list[list[str]]] = {}
    for name, rows in _sheets(path).items():
        if name in TABLES:
            given[name] = _lines(path, name, rows, findings)
        elif name != ABOUT:
            findings.add(f"{path.name}, sheet {name}", f"unknown sheet; allowed: {listed(TABLES)}")

    def place(name: str, row: int | None, column: str | None) -> str:
        header = given[name][0] if given.get(name) else []
        return f"{path.name}, {_cell(name, row, column, header)}"

    document = state_of(StateTables(given, place, findings))
    findings.finish()
    return document


def with_cells(path: Path, problems: Iterable[object]) -> Iterator[object]:
    """The problems of a document from a workbook, each that is in a sheet with its cell."""
    given = {name: [list(map(_text, row)) for row in rows] for name, rows in _sheets(path).items()}
    for problem in problems:
        if isinstance(problem, Problem):
            table, row, column = table_place(problem.path)
            if lines := given.get(table):
                cell = _cell(table, _row_of(lines, row), column, lines[0])
                problem = replace(problem, place=f"{path.stem}{XLSX}, {cell}")
        yield problem


def _row_of(lines: list[list[str]], row: int | str) -> int | None:
    """The number of a row, given by its number or its first cell; else that of the first row."""
    found = (at for at, line in enumerate(lines[1:], 2) if row in (at, "", *line[:1]))
    return next(found, None)


def _cell(name: str, row: int | None, column: str | None, header: list[str]) -> str:
    from openpyxl.utils import get_column_letter

    if column in header:
        letter = get_column_letter(header.index(column) + 1)
        return f"sheet {name}, cell {letter}{row or 1} ({column})"
    place = f"sheet {name}" if row is None else f"sheet {name}, row {row}"
    return place if column is None else f"{place}, column {column}"


def _sheets(path: Path) -> Mapping[str, list[tuple[Any, ...]]]:
    """The cells of each sheet."""
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise Refused(f"xlsx needs the extra xlsx: {install_text('xlsx')}") from None
    with foreign(path, "a workbook (XLSX)"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what a workbook holds besides, which is not read
        file = BytesIO(read_bytes(path))  # not by its name, which may have any suffix
        with ZipFile(file) as archive:
            size = sum(member.file_size for member in archive.infolist())
        if size > MOST_BYTES:
            raise Refused(f"{path}: unpacks to more than {MOST_BYTES // 1024**2} MB")
        workbook = load_workbook(file, read_only=True, data_only=True)
        return {sheet.title: _rows(path, sheet) for sheet in workbook.worksheets}


def _rows(path: Path, sheet: Any) -> list[tuple[Any, ...]]:
    """The cells of a sheet; of a sheet larger than any campaign only enough to refuse it."""
    rows: list[tuple[Any, ...]] = []
    for row in sheet.iter_rows(values_only=True, max_row=MOST_ROWS + 1):
        if len(rows) == MOST_ROWS or any(value is not None for value in row[MOST_COLUMNS:]):
            size = f"{MOST_ROWS} rows and {MOST_COLUMNS} columns"
            raise Refused(f"{path}, sheet {sheet.title}: larger than {size}")
        rows.append(row[:MOST_COLUMNS])
    return rows


def _lines(
    path: Path, name: str, rows: Iterable[tuple[Any, ...]], findings: Findings
) -> list[list[str]]:
    """The cells of a sheet as text. Notes cells that the spreadsheet turned into a date (9-1),
    since the typed text is lost."""
    lines: list[list[str]] = []
    for number, row in enumerate(rows, start=1):
        lines.append([_text(value) for value in row])
        for at, value in enumerate(row):
            if isinstance(value, date | time):
                column = lines[0][at] if at < len(lines[0]) else None
                where = f"{path.name}, {_cell(name, number, column, lines[0])}"
                findings.add(where, f"found the date {value}; allowed: text (type '9-1)")
    for line in lines:
        while line and not line[-1]:
            line.pop()
    return lines


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return re.sub(r"_x005F_(?=x[0-9A-Fa-f]{4}_)", "_", str(value)).strip()
