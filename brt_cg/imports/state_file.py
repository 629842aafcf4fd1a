"""A state from the players: a JSON file, a folder of CSV files, or a filled-in workbook, recognized
by its contents, as is a VASL save.

The sheets of a workbook and the files of a folder are the same tables: scenario, sides, perimeters,
units, …. Their columns are the fields of the state file; lists are joined by spaces; an empty cell
means nothing. Problems are named by file, row and column, or by sheet and cell. Cells around a
table are ignored, with a notice (`stray_cells.py`); the type of a known counter may be left out.
"""

import csv
import re
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, time
from enum import Enum, auto
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from brt_cg.card import FIGURES
from brt_cg.commands.problems import CSV, XLSX, InputProblems, table_row_and_column
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
from brt_cg.immutable import immutable
from brt_cg.imports.free_id import add_free_id
from brt_cg.imports.stray_cells import (
    find_header_row,
    import_notices,
    is_date_cell,
    is_totals_row,
    nearest_missing_name,
    normalize_fate,
    normalize_flag,
    normalize_fortification,
    normalize_whole_number,
    with_plain_header,
)
from brt_cg.imports.text_files import read_json_file, read_table_text
from brt_cg.model import Campaign, Field, Flag, Fortification, Number, Side, Terrain, Unit
from brt_cg.questions import Problem, RefusedError, raise_problems
from brt_cg.text import install_command, list_text, short_json, split_at_spaces_and_commas

Row = dict[str, str]  # the filled cells, by column
# Put a place in words: a table, a row (the header is 1) and a column.
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
    rows = {name: tables.rows(name, fields) for name, fields in FIELDS.items()}
    if tables.known is not None and not any(tables.known.counters()):
        _add_missing_ids([row for found in rows.values() for _, row in found])
    for name, fields in FIELDS.items():
        if name in tables.given:
            figures = [*filter(FIGURES.get(name, {}).__contains__, tables.header(name))]
            document[name] = [
                _counter(tables.restore_type(name, number, row), fields, figures)
                for number, row in rows[name]
            ]
    return document


def _add_missing_ids(rows: Sequence[Row]) -> None:
    """Give an id to each counter without one. In a campaign without counters, all counters are
    new."""
    taken = {row["id"] for row in rows if "id" in row}
    for row in rows:
        if "id" not in row:
            row["id"] = add_free_id(row, taken)


class StateTables:
    """The lines of each table, by its name; `place` puts the place of a problem in words. `known`
    is the campaign whose counters need no type. `strays` are the ignored cells, `restored` the
    types from the campaign, in words; `numbers` the numbers of the rows that were read."""

    def __init__(
        self,
        given: Mapping[str, list[list[str]]],
        place: Placing,
        findings: InputProblems,
        known: Campaign | None = None,
        strays: Iterable[str] = (),
    ) -> None:
        self.given = given
        self.place = place
        self.findings = findings
        self.known = known
        self.strays = [*strays]
        self.restored: list[str] = []
        self.numbers: dict[str, list[int]] = {}

    def note_problem(
        self, name: str, message: str, row: int | None = None, column: str | None = None
    ) -> None:
        """Note a problem in a row or column of a table."""
        self.findings.add(self.place(name, row, column), message)

    def note_ignored_cells(self, name: str, what: str, row: int | None = None) -> None:
        """Note cells that are ignored."""
        self.strays.append(f"{self.place(name, row, None)} ({what})")

    def rows(self, name: str, columns: Iterable[str]) -> list[tuple[int, Row]]:
        """Return the rows of a table by number, counting from 1 for the first line. If there is no
        such table, return none."""
        if name not in self.given:
            return []
        lines, known = list(self.given[name]), list(columns)
        while lines and not any(lines[-1]):
            lines.pop()
        top = find_header_row(lines, known)
        for number, line in enumerate(lines[:top], start=1):
            if any(line):
                self.note_ignored_cells(name, " ".join(filter(None, line)), number)
        header = lines[top] if lines else []
        if not self._check_header(name, header, known, top + 1):
            return []
        found = [*self._cut(name, header, lines[top + 1 :], known, top + 2)]
        self.numbers[name] = [number for number, _ in found]
        return found

    def header(self, name: str) -> list[str]:
        """Return the columns of a table."""
        lines = self.given[name]
        return lines[find_header_row(lines, FIELDS[name])] if lines else []

    def _check_header(self, name: str, header: list[str], columns: list[str], row: int) -> bool:
        """Check the columns of a table: ignore an unknown one, unless it is a misspelling of one
        that is missing."""
        wrong = [column for column in header if column and column not in columns]
        twice = sorted({column for column in header if column and header.count(column) > 1})
        none = not any(column in columns for column in header)
        meant = {column: nearest_missing_name(column, columns, header) for column in wrong}
        for column in wrong:
            if meant[column] is not None or none:
                said = f"; did you mean {meant[column]}?" if meant[column] else ""
                allowed = f"unknown column {short_json(column)}{said}"
                self.note_problem(name, f"{allowed}; use {list_text(columns)}", row)
            else:
                self.note_ignored_cells(name, f"column {column}", row)
        for column in twice:
            self.note_problem(name, "given twice; enter it once", column=column)
        if not header:
            self.note_problem(name, f"no header; enter the columns {list_text(columns)}", row)
        return bool(header) and not none and not twice and not any(meant.values())

    def _cut(
        self, name: str, header: list[str], lines: list[list[str]], columns: list[str], first: int
    ) -> Iterator[tuple[int, Row]]:
        key, keyed = columns[0], name not in ("scenario", "facts")
        for number, cells in enumerate(lines, start=first):
            pairs = [*zip(header, cells, strict=False)]
            row = {column: cell for column, cell in pairs if cell and column in columns}
            beside = [cell for column, cell in pairs if cell and not column]
            beside += filter(None, cells[len(header) :])
            if not any(cells):
                self.note_ignored_cells(name, "blank", number)
            elif not row or (keyed and is_totals_row([*row.values()], row.get(key, ""))):
                self.note_ignored_cells(name, " ".join(filter(None, cells)), number)
            else:
                if beside:
                    self.note_ignored_cells(name, f"beside the table: {' '.join(beside)}", number)
                yield number, row

    def restore_type(self, name: str, number: int, row: Row) -> Row:
        """Return the row of a counter with the type that the campaign knows, if a spreadsheet
        turned the type into a date, or it was left out."""
        known = None if self.known is None else self.known.find(row.get("id", ""))
        written = row.get("type")
        if known is None or name != known.TABLE or isinstance(known, Terrain):
            return row
        if written is not None and not is_date_cell(written):
            return row
        if row.get("kind") not in (None, getattr(known, "kind", None)):
            return row  # it has become another counter since
        if written is not None:
            self.restored.append(f"{known.type} ({self.place(name, number, 'type')}: {written})")
        if isinstance(known, Unit) and known.side is Side.JAPANESE and known.mmc:
            # The type follows from class and strength, which may have changed.
            return {column: cell for column, cell in row.items() if column != "type"}
        return row | {"type": str(known.type)}


def _parsed(row: Row, fields: Mapping[str, Field]) -> dict[str, Any]:
    """Return the JSON values of a row's cells."""
    said = row | {"fate": normalize_fate(row["fate"])} if "fate" in row else row
    if fields is FIELDS.get(Fortification.TABLE) and "type" in said:
        said = said | {"type": normalize_fortification(said["type"])}
    return {column: _parsed_cell(fields[column], cell) for column, cell in said.items()}


def _parsed_cell(field: Field, cell: str) -> Any:
    if isinstance(field.shape, Flag):
        return field.shape.parse(normalize_flag(cell))
    return field.shape.parse(
        normalize_whole_number(cell) if isinstance(field.shape, Number) else cell
    )


def _counter(row: Row, fields: Mapping[str, Field], figures: Iterable[str]) -> dict[str, Any]:
    """Return a counter's fields. If the fate is given, as in an export, a counter that is not set
    up yet has no Location, and the printed `figures` that are left blank are not known; in a sheet
    filled in by players, a missing Location is a mistake, and the catalog has the values."""
    gaps = dict.fromkeys(("location", *figures)) if "fate" in row else {}
    return gaps | _parsed(row, fields)


def _scenario(tables: StateTables) -> dict[str, Any]:
    """Return the scenario from the table `scenario`, with the facts if they are not in `facts`."""
    found: dict[str, Any] = {}
    scenario = _only(tables, "scenario", {**SCENARIO_FIELDS, **FACT_FIELDS})
    facts = _only(tables, "facts", FACT_FIELDS)
    if "scenario" in tables.given:
        found["scenario"] = {
            key: value for key, value in scenario.items() if key in SCENARIO_FIELDS
        }
    for key, value in scenario.items():
        if key in FACT_FIELDS and facts.setdefault(key, value) != value:
            why = "the scenario table has a different value; enter it once"
            tables.note_problem("facts", why, column=key)
    if facts:
        found["facts"] = facts
    return found


def _only(tables: StateTables, name: str, fields: Mapping[str, Field]) -> dict[str, Any]:
    """Return the only row of a table."""
    rows = tables.rows(name, fields)
    for number, _ in rows[1:]:
        tables.note_problem(name, "remove this row: only one is allowed", number)
    return _parsed(rows[0][1], fields) if rows else {}


def _sides(tables: StateTables) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for number, row in tables.rows("sides", ("side", *SIDE_FIELDS)):
        side = row.pop("side", "").casefold()
        if side not in list(Side) or side in found:
            allowed = f"each of {list_text(Side)} once"
            tables.note_problem(
                "sides", f"{short_json(side)} is not accepted; enter {allowed}", number, "side"
            )
        else:
            found[side] = _parsed(row, SIDE_FIELDS)
    return found


def _perimeters(tables: StateTables) -> list[list[str]]:
    """Return the perimeters: rows with the same name in the column `perimeter` are one."""
    found: dict[str, list[str]] = {}
    for number, row in tables.rows("perimeters", ("perimeter", "hexes")):
        for column in ("perimeter", "hexes"):
            if column not in row:
                tables.note_problem("perimeters", "missing", number, column)
        hexes = split_at_spaces_and_commas(row.get("hexes", ""))
        found.setdefault(row.get("perimeter", ""), []).extend(hexes)
    return list(found.values())


# --- a folder of CSV files ------------------------------------------------------------------------


# An export puts an apostrophe before text that a spreadsheet would take for a formula.
_GUARD = re.compile(r"^'(?='*[=+\-@])")


@immutable
class TablesDocument:
    """The document made from tables, and notices about anything ignored or restored in them."""

    document: dict[str, Any]
    notices: list[str]


def read_csv_folder(folder: Path, known: Campaign | None = None) -> TablesDocument:
    """Read a folder of tables. Raises RefusedError for malformed ones, naming file, row and
    column."""
    tables = _csv_tables(folder, known)
    return _document(tables, state_from_tables(tables))


def _csv_tables(folder: Path, known: Campaign | None = None) -> StateTables:
    findings = InputProblems()
    source = folder.name or str(folder)
    given: dict[str, list[list[str]]] = {}
    strays: list[str] = []
    found = sorted(path for path in folder.iterdir() if path.suffix.lower() == ".csv")
    names = {path.stem.casefold() for path in found if path.stem.casefold() in TABLES}
    for path in found:
        name, where = path.stem.casefold(), f"{source}/{path.name}"
        if name not in TABLES:
            _note_other(
                where, "file", nearest_missing_name(path.stem, TABLES, names), findings, strays
            )
            continue
        text, remark = read_table_text(path)
        strays += [f"{where}: {remark}"] if remark else []
        try:
            given[name] = with_plain_header(list(_cells_of(text)), _columns_of(name))
        except csv.Error as error:
            findings.add(where, f"not CSV: {error}")

    def place(name: str, row: int | None, column: str | None) -> str:
        parts = (row and f"row {row}", column and f"column {column}")
        return ", ".join([f"{source}/{name}.csv", *(part for part in parts if part)])

    return StateTables(given, place, findings, known, strays)


def _document(tables: StateTables, document: dict[str, Any]) -> TablesDocument:
    tables.findings.raise_problems()
    return TablesDocument(document, import_notices(tables.strays, tables.restored))


def _note_other(
    where: str, what: str, meant: str | None, findings: InputProblems, strays: list[str]
) -> None:
    """Note a sheet or file that is not a table: it is ignored, unless its name is a misspelling of
    a missing table's."""
    if meant is None:
        strays.append(where)
    else:
        names = f"name the {what}s {list_text(TABLES)}"
        findings.add(where, f"unknown {what}; did you mean {meant}? {names}")


def _cells_of(text: str) -> Iterator[list[str]]:
    """Yield the cells of each line, separated by commas, semicolons or tabs, as spreadsheets write
    them; Excel may name the separator in the first line, "sep=;"."""
    header, _, rest = text.partition("\n")
    named = re.fullmatch(r'"?sep=([,;\t])"?\s*', header, re.IGNORECASE)
    if named is not None:
        yield []
        text = rest
    first = text.split("\n", 3)[:3]  # a title may be above the header
    counts = {sign: max(line.count(sign) for line in first) for sign in ",;\t"}
    delimiter = named[1] if named else max(counts, key=counts.__getitem__)
    for line in csv.reader(StringIO(text, newline=""), delimiter=delimiter):
        yield [_GUARD.sub("", cell.strip()) for cell in line]


# --- a workbook -----------------------------------------------------------------------------------


ABOUT = "about"  # the sheet that identifies the workbook
MOST_ROWS, MOST_COLUMNS = 10_000, 200  # size limits of a sheet


def read_workbook(path: Path, known: Campaign | None = None) -> TablesDocument:
    """Read the tables of a workbook. Raises RefusedError if it is not one or the extra is missing,
    and for malformed tables, naming sheet and cell."""
    sheets = _sheets(path)
    tables = _workbook_tables(path, sheets, known)
    document = state_from_tables(tables)
    _note_dates(sheets, tables, document)
    return _document(tables, document)


def _workbook_tables(
    path: Path, sheets: Mapping[str, list[tuple[Any, ...]]], known: Campaign | None = None
) -> StateTables:
    findings = InputProblems()
    given: dict[str, list[list[str]]] = {}
    strays: list[str] = []
    names = {name.casefold() for name in sheets if name.casefold() in TABLES}
    for title, rows in sheets.items():
        name = title.casefold()
        if name in TABLES:
            given[name] = with_plain_header(_lines(rows), _columns_of(name))
        elif title != ABOUT:
            meant = nearest_missing_name(title, TABLES, names)
            _note_other(f"{path.name}, sheet {title}", "sheet", meant, findings, strays)
    if not given and not findings.problems:
        findings.add(path.name, f"it has no known sheet; name the sheets {list_text(TABLES)}")

    def place(name: str, row: int | None, column: str | None) -> str:
        return f"{path.name}, {_cell(name, row, column, _header_of(name, given.get(name, [])))}"

    return StateTables(given, place, findings, known, strays)


def _header_of(name: str, lines: list[list[str]]) -> list[str]:
    """Return the header of a table, whose columns name its cells."""
    return lines[find_header_row(lines, _columns_of(name))] if lines else []


def _columns_of(name: str) -> Collection[str]:
    """Return the columns that may name the header of a table."""
    others = (*SCENARIO_FIELDS, *FACT_FIELDS, "side", *SIDE_FIELDS, "perimeter", "hexes")
    return FIELDS.get(name) or others


def _note_dates(
    sheets: Mapping[str, list[tuple[Any, ...]]], tables: StateTables, document: dict[str, Any]
) -> None:
    """Note cells that the spreadsheet turned into a date (9-1), since the typed text is lost,
    unless their type is known from the roster."""
    for title, rows in sheets.items():
        name = title.casefold()
        header = _header_of(name, tables.given.get(name, []))
        numbers = tables.numbers.get(name, [])
        for at, number in enumerate(numbers):
            for column, value in zip(header, rows[number - 1], strict=False):
                is_a_date = isinstance(value, date | time)
                listed = document.get(name)
                kept = listed[at] if isinstance(listed, list) else {column: _text(value)}
                if is_a_date and isinstance(kept, dict) and kept.get(column) == _text(value):
                    message = f"this is the date {value}; enter it as text (type '9-1)"
                    tables.note_problem(name, message, number, column)


def add_cell_names(path: Path, problems: Iterable[object]) -> Iterator[object]:
    """Yield the problems of a document from tables; a problem in a cell gets its true row and
    cell."""
    is_workbook = format_of(path) is FileFormat.WORKBOOK
    tables = _workbook_tables(path, _sheets(path)) if is_workbook else _csv_tables(path)
    state_from_tables(tables)
    for problem in problems:
        if isinstance(problem, Problem):
            table, row, column = table_row_and_column(problem.path)
            numbers = tables.numbers.get(table, [])
            if isinstance(row, int) and row - 2 < len(numbers):
                row = numbers[row - 2]
            if is_workbook and (lines := tables.given.get(table)):
                named = _row_of(lines, row) or row or None
                cell = _cell(table, named, column, _header_of(table, lines))
                problem = replace(problem, place=f"{path.stem}{XLSX}, {cell}")
            elif isinstance(row, int) and numbers:
                problem = replace(problem, place=tables.place(table, row, column or None))
        yield problem


def _row_of(lines: list[list[str]], row: int | str) -> int | None:
    """Return the number of a row, given its number or its first cell. If there is no such row,
    return the number of the first row."""
    found = (at for at, line in enumerate(lines[1:], 2) if row in (at, "", *line[:1]))
    return next(found, None)


def _cell(name: str, row: int | str | None, column: str | None, header: list[str]) -> str:
    """Return the place of a cell, or of a row that is missing, given its first cell."""
    from openpyxl.utils import get_column_letter

    if column in header:
        letter = get_column_letter(header.index(column) + 1)
        return f"sheet {name}, cell {letter}{row if isinstance(row, int) else 1} ({column})"
    place = f"sheet {name}" if row is None else f"sheet {name}, row {row}"
    return f"{place}, column {column}" if column else place


def _sheets(path: Path) -> Mapping[str, list[tuple[Any, ...]]]:
    """Return the cells of each sheet."""
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise RefusedError(f'XLSX files need the "xlsx" extra: {install_command("xlsx")}') from None
    with translate_errors(path, "a workbook (XLSX)"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about parts of a workbook that are not read
        file = BytesIO(read_bytes(path))  # by its contents: the name may have any suffix
        with ZipFile(file) as archive:
            size = sum(member.file_size for member in archive.infolist())
        if size > MOST_BYTES:
            raise RefusedError(f"{path}: unpacks to more than {MOST_BYTES // 1024**2} MB")
        workbook = load_workbook(file, read_only=True, data_only=True)
        return {sheet.title: _sheet_rows(path, sheet) for sheet in workbook.worksheets}


def _sheet_rows(path: Path, sheet: Any) -> list[tuple[Any, ...]]:
    """Return the cells of a sheet. If a sheet is larger than any campaign, return only enough to
    refuse it."""
    rows: list[tuple[Any, ...]] = []
    for row in sheet.iter_rows(values_only=True, max_row=MOST_ROWS + 1):
        if len(rows) == MOST_ROWS or any(value is not None for value in row[MOST_COLUMNS:]):
            size = f"{MOST_ROWS} rows and {MOST_COLUMNS} columns"
            raise RefusedError(f"{path}, sheet {sheet.title}: larger than {size}")
        rows.append(row[:MOST_COLUMNS])
    return rows


def _lines(rows: Iterable[tuple[Any, ...]]) -> list[list[str]]:
    """Return the cells of a sheet as text."""
    lines = [[_text(value) for value in row] for row in rows]
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
    """The formats of a file or folder, regardless of its name."""

    JSON = auto()
    CSV = auto()
    WORKBOOK = auto()
    VASL = auto()


def format_of(path: Path) -> FileFormat:
    """Return the format of a file or folder. Raises RefusedError if it is a damaged ZIP, or cannot
    be opened."""
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
        raise RefusedError(f"{path}: not {ZIPPED}: its ZIP archive is damaged") from None
    return FileFormat.WORKBOOK if workbook else FileFormat.VASL


def read_state_input(path: Path) -> dict[str, Any]:
    """Read a file or folder. Return its document as `state`, which the command checks, and its name
    as `source`; for tables, a name that makes messages give table, row and column. Raises
    RefusedError if it cannot be read at all."""
    return read_state_document(path, format_of(path))[0]


def read_state_document(
    path: Path, format: FileFormat, known: Campaign | None = None
) -> tuple[dict[str, Any], list[str]]:
    """Return the `state` and `source` of a file of this format, with notices about anything ignored
    or restored in it; `known` is the campaign whose counters need no type in tables."""
    match format:
        case FileFormat.CSV:
            read = read_csv_folder(path, known)
            return {"state": read.document, "source": f"{path.name or path}/{CSV}"}, read.notices
        case FileFormat.WORKBOOK:
            read = read_workbook(path, known)
            return {"state": read.document, "source": f"{path.stem}{XLSX}"}, read.notices
        case FileFormat.VASL:
            raise RefusedError(
                f"{path}: this is a VASL save, which holds "
                f"the end of a scenario; read it with import"
            )
        case FileFormat.JSON:
            source = path.name.removesuffix(XLSX)  # not a workbook, whatever its name
            return {"state": _read_json(path), "source": source}, []


def _read_json(path: Path) -> Any:
    """Read a file that has no other format. Its name decides how errors are worded."""
    ending = path.suffix.lower()
    try:
        return read_json_file(path)
    except RefusedError:
        if ending == ".csv":
            folder = f"a state in CSV is a folder; enter the folder, {path.parent}"
            raise RefusedError(f"{path}: {folder}") from None
        if ending in NAMES_OF_ZIPS and path.exists():
            raise RefusedError(f"{path}: not {ZIPPED}: it is not a ZIP archive") from None
        raise


@contextmanager
def errors_with_cell_names(path: Path) -> Iterator[None]:
    """Add sheet and cell, or the row of a CSV file, to errors in a document from tables."""
    try:
        yield
    except RefusedError as refused:
        if format_of(path) not in (FileFormat.WORKBOOK, FileFormat.CSV):
            raise
        raise_problems(add_cell_names(path, refused.problems))
