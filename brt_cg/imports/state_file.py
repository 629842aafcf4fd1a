"""A state from the players: a JSON file, a folder of CSV files, or a filled-in workbook, recognized
by its contents, as is a VASL save.

The sheets of a workbook and the files of a folder are the same tables: scenario, sides, perimeters,
units, …. Their columns are the fields of the state file; lists are joined by spaces; an empty cell
means nothing. Problems are named by file, row and column, or by sheet and cell.
"""

import csv
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, time
from enum import Enum, auto
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from brt_cg.card import FIGURES
from brt_cg.commands.problems import CSV, XLSX, InputProblems, table_cell
from brt_cg.commands.state_document import (
    FACT_FIELDS,
    FIELDS,
    FORMAT,
    SCENARIO_FIELDS,
    SIDE_FIELDS,
    VERSION,
)
from brt_cg.connections import read_header
from brt_cg.files import MOST_BYTES, read_bytes, system_error_text, translate_errors
from brt_cg.imports.text_files import read_json, read_text
from brt_cg.model import Field, Side
from brt_cg.questions import Problem, RefusedError, raise_problems
from brt_cg.text import install_command, list_text, short_json, split_words

Row = dict[str, str]  # the filled cells, by column
# Words the place of a table, a row (the header is 1) and a column.
Placing = Callable[[str, int | None, str | None], str]
TABLES = ("scenario", "facts", "sides", "perimeters", *FIELDS)


def state_from_tables(tables: "StateTables") -> dict[str, Any]:
    """Turn tables into a state document. Note malformed tables; the command that uses the document
    checks the values, as it does for JSON."""
    document: dict[str, Any] = {"format": FORMAT, "version": VERSION} | _scenario(tables)
    if "sides" in tables.given:
        document["sides"] = _sides(tables)
    if "perimeters" in tables.given:
        document["perimeters"] = _perimeters(tables)
    for name, fields in FIELDS.items():
        if name in tables.given:
            figures = [*filter(FIGURES.get(name, {}).__contains__, tables.header(name))]
            document[name] = [
                _counter(row, fields, figures) for _, row in tables.rows(name, fields)
            ]
    return document


class StateTables:
    """The lines of each table, by its name; `place` puts the place of a problem in words."""

    def __init__(
        self, given: Mapping[str, list[list[str]]], place: Placing, findings: InputProblems
    ) -> None:
        self.given = given
        self.place = place
        self.findings = findings

    def note_problem(
        self, name: str, message: str, row: int | None = None, column: str | None = None
    ) -> None:
        """Note a problem in a row or column of a table."""
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

    def header(self, name: str) -> list[str]:
        """The columns of a table."""
        return next(iter(self.given[name]), [])

    def _check_header(self, name: str, header: list[str], columns: list[str]) -> bool:
        wrong = [column for column in header if column not in columns]
        twice = sorted({column for column in header if header.count(column) > 1})
        for column in wrong:
            self.note_problem(
                name, f"unknown column {short_json(column)}; allowed: {list_text(columns)}", 1
            )
        for column in twice:
            self.note_problem(name, "given twice; allowed: once", column=column)
        if not header:
            self.note_problem(name, f"no header; allowed columns: {list_text(columns)}", 1)
        return bool(header) and not wrong and not twice

    def _cut(
        self, name: str, header: list[str], lines: list[list[str]]
    ) -> Iterator[tuple[int, Row]]:
        for number, cells in enumerate(lines, start=2):
            if not any(cells):
                self.note_problem(name, "empty; allowed: no gaps between rows", number)
            elif any(cells[len(header) :]):
                found = f"{len(cells)} cells; allowed: {len(header)}, as the header"
                self.note_problem(name, found, number)
            else:
                pairs = zip(header, cells, strict=False)
                yield number, {column: cell for column, cell in pairs if cell}


def _parsed(row: Row, fields: Mapping[str, Field]) -> dict[str, Any]:
    """The JSON values of a row's cells."""
    return {column: fields[column].shape.parse(cell) for column, cell in row.items()}


def _counter(row: Row, fields: Mapping[str, Field], figures: Iterable[str]) -> dict[str, Any]:
    """A counter's fields. If the fate is given, as in an export, a counter that is not set up yet
    has no Location, and the printed `figures` that are left blank are not known; in a sheet filled
    in by players, a missing Location is a mistake, and the catalog has the figures."""
    gaps = dict.fromkeys(("location", *figures)) if "fate" in row else {}
    return gaps | _parsed(row, fields)


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
            tables.note_problem("facts", "scenario says otherwise; allowed: once", column=key)
    if facts:
        found["facts"] = facts
    return found


def _only(tables: StateTables, name: str, fields: Mapping[str, Field]) -> dict[str, Any]:
    """The one row of a table."""
    rows = tables.rows(name, fields)
    for number, _ in rows[1:]:
        tables.note_problem(name, "one row too many; allowed: one", number)
    return _parsed(rows[0][1], fields) if rows else {}


def _sides(tables: StateTables) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for number, row in tables.rows("sides", ("side", *SIDE_FIELDS)):
        side = row.pop("side", None)
        if side not in list(Side) or side in found:
            allowed = f"each of {list_text(Side)} once"
            tables.note_problem(
                "sides", f"found {short_json(side)}; allowed: {allowed}", number, "side"
            )
        else:
            found[side] = _parsed(row, SIDE_FIELDS)
    return found


def _perimeters(tables: StateTables) -> list[list[str]]:
    """The perimeters: rows with the same name in the column `perimeter` are one."""
    found: dict[str, list[str]] = {}
    for number, row in tables.rows("perimeters", ("perimeter", "hexes")):
        for column in ("perimeter", "hexes"):
            if column not in row:
                tables.note_problem("perimeters", "missing", number, column)
        hexes = split_words(row.get("hexes", ""))
        found.setdefault(row.get("perimeter", ""), []).extend(hexes)
    return list(found.values())


# --- a folder of CSV files ------------------------------------------------------------------------


# An export puts an apostrophe before text that a spreadsheet would take for a formula.
_GUARD = re.compile(r"^'(?='*[=+\-@])")


def read_csv_folder(folder: Path) -> dict[str, Any]:
    """Read a folder as a state document.

    Raises RefusedError, naming file, row and column, for malformed tables; the command that uses
    the document checks the values, as it does for JSON.
    """
    findings = InputProblems()
    source = folder.name or str(folder)
    given: dict[str, list[list[str]]] = {}
    for path in sorted(path for path in folder.iterdir() if path.suffix.lower() == ".csv"):
        if path.stem not in TABLES:
            allowed = list_text(f"{name}.csv" for name in TABLES)
            findings.add(f"{source}/{path.name}", f"unknown file; allowed: {allowed}")
            continue
        try:
            given[path.stem] = list(_cells_of(read_text(path)))
        except csv.Error as error:
            findings.add(f"{source}/{path.name}", f"not CSV: {error}")

    def place(name: str, row: int | None, column: str | None) -> str:
        parts = (row and f"row {row}", column and f"column {column}")
        return ", ".join([f"{source}/{name}.csv", *(part for part in parts if part)])

    document = state_from_tables(StateTables(given, place, findings))
    findings.raise_problems()
    return document


def _cells_of(text: str) -> Iterator[list[str]]:
    """The cells of each line, separated by commas, semicolons or tabs, as spreadsheets write
    them."""
    header = text.partition("\n")[0]
    delimiter = max(",;\t", key=header.count)
    for line in csv.reader(StringIO(text, newline=""), delimiter=delimiter):
        yield [_GUARD.sub("", cell.strip()) for cell in line]


# --- a workbook -----------------------------------------------------------------------------------


ABOUT = "about"  # the sheet that identifies the workbook
MOST_ROWS, MOST_COLUMNS = 10_000, 200  # size limits of a sheet


def read_workbook(path: Path) -> dict[str, Any]:
    """Read a workbook as a state document.

    Raises RefusedError if it is not one or the extra is missing, and for malformed tables, naming
    sheet and cell; the command that uses the document checks the values.
    """
    findings = InputProblems()
    given: dict[str, list[list[str]]] = {}
    for name, rows in _sheets(path).items():
        if name in TABLES:
            given[name] = _lines(path, name, rows, findings)
        elif name != ABOUT:
            findings.add(
                f"{path.name}, sheet {name}", f"unknown sheet; allowed: {list_text(TABLES)}"
            )

    def place(name: str, row: int | None, column: str | None) -> str:
        header = given[name][0] if given.get(name) else []
        return f"{path.name}, {_cell(name, row, column, header)}"

    document = state_from_tables(StateTables(given, place, findings))
    findings.raise_problems()
    return document


def add_cell_names(path: Path, problems: Iterable[object]) -> Iterator[object]:
    """The problems of a document from a workbook, with the cell of each that is in a sheet."""
    given = {name: [list(map(_text, row)) for row in rows] for name, rows in _sheets(path).items()}
    for problem in problems:
        if isinstance(problem, Problem):
            table, row, column = table_cell(problem.path)
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
        raise RefusedError(f"xlsx needs the extra xlsx: {install_command('xlsx')}") from None
    with translate_errors(path, "a workbook (XLSX)"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what a workbook holds besides, which is not read
        file = BytesIO(read_bytes(path))  # not by its name, which may have any suffix
        with ZipFile(file) as archive:
            size = sum(member.file_size for member in archive.infolist())
        if size > MOST_BYTES:
            raise RefusedError(f"{path}: unpacks to more than {MOST_BYTES // 1024**2} MB")
        workbook = load_workbook(file, read_only=True, data_only=True)
        return {sheet.title: _sheet_rows(path, sheet) for sheet in workbook.worksheets}


def _sheet_rows(path: Path, sheet: Any) -> list[tuple[Any, ...]]:
    """The cells of a sheet; of a sheet larger than any campaign, only enough to refuse it."""
    rows: list[tuple[Any, ...]] = []
    for row in sheet.iter_rows(values_only=True, max_row=MOST_ROWS + 1):
        if len(rows) == MOST_ROWS or any(value is not None for value in row[MOST_COLUMNS:]):
            size = f"{MOST_ROWS} rows and {MOST_COLUMNS} columns"
            raise RefusedError(f"{path}, sheet {sheet.title}: larger than {size}")
        rows.append(row[:MOST_COLUMNS])
    return rows


def _lines(
    path: Path, name: str, rows: Iterable[tuple[Any, ...]], findings: InputProblems
) -> list[list[str]]:
    """The cells of a sheet as text. Note cells that the spreadsheet turned into a date (9-1), since
    the typed text is lost."""
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


# --- any file of a state --------------------------------------------------------------------------


ZIP = b"PK\x03\x04"
ZIPPED = "a workbook (XLSX) or a VASL save"
NAMES_OF_ZIPS = (XLSX, ".vsav", ".vlog")


class FileFormat(Enum):
    """The formats of a file or folder, whatever its name."""

    JSON = auto()
    CSV = auto()
    WORKBOOK = auto()
    VASL = auto()


def format_of(path: Path) -> FileFormat:
    """The format of a file or folder. Raises RefusedError if it is a damaged ZIP, or cannot be
    opened."""
    if path.is_dir():
        return FileFormat.CSV
    try:
        if not path.is_file():
            return FileFormat.JSON  # a pipe can be read only once
        if read_header(path, len(ZIP)) != ZIP:
            return FileFormat.JSON
        with ZipFile(path) as archive:
            workbook = "[Content_Types].xml" in archive.namelist()
    except OSError as error:
        raise RefusedError(f"{path}: {system_error_text(error)}") from None
    except (BadZipFile, EOFError, ValueError, NotImplementedError):
        raise RefusedError(f"{path}: not {ZIPPED}: its ZIP is damaged") from None
    return FileFormat.WORKBOOK if workbook else FileFormat.VASL


def read_state(path: Path) -> dict[str, Any]:
    """Read a file or folder: its document as `state`, which the command that takes it checks, and
    as `source` its name, for tables one that makes messages give table, row and column. Raises
    RefusedError if it cannot be read at all."""
    return read_document(path, format_of(path))


def read_document(path: Path, format: FileFormat) -> dict[str, Any]:
    """The same of a file of this format."""
    match format:
        case FileFormat.CSV:
            return {"state": read_csv_folder(path), "source": f"{path.name or path}/{CSV}"}
        case FileFormat.WORKBOOK:
            return {"state": read_workbook(path), "source": f"{path.stem}{XLSX}"}
        case FileFormat.VASL:
            raise RefusedError(f"{path}: a VASL save is the end of a scenario: import reads it")
        case FileFormat.JSON:
            source = path.name.removesuffix(XLSX)  # not a workbook, whatever its name
            return {"state": _read_json(path), "source": source}


def _read_json(path: Path) -> Any:
    """Read a file that is not of another format. Its name decides the words of an error."""
    ending = path.suffix.lower()
    try:
        return read_json(path)
    except RefusedError:
        if ending == ".csv":
            folder = f"a state in CSV is a folder; give the folder, {path.parent}"
            raise RefusedError(f"{path}: {folder}") from None
        if ending in NAMES_OF_ZIPS:
            raise RefusedError(f"{path}: not {ZIPPED}: it is not a ZIP file") from None
        raise


@contextmanager
def errors_by_cell(path: Path) -> Iterator[None]:
    """Add sheet and cell to errors in a document from a workbook."""
    try:
        yield
    except RefusedError as refused:
        if format_of(path) is not FileFormat.WORKBOOK:
            raise
        raise_problems(add_cell_names(path, refused.problems))
