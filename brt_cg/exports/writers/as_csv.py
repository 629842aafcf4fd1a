"""CSV: one sheet is one file; several sheets are a folder with a file for each."""

import csv
import re
from io import StringIO

from brt_cg.exports.blocks import Cell, Document, Output, Sheet, WriteIn
from brt_cg.exports.writers.as_json import compact_json
from brt_cg.text import join_quoting_if_needed, replace_invisible

BOX = "☐"
_FORMULA = re.compile(r"'*[=+\-@\t\r]")


def write_csv(document: Document) -> Output:
    files = {f"{sheet.name}.csv": sheet_as_csv(sheet) for sheet in document.sheets()}
    return files if len(files) > 1 else next(iter(files.values()))


def sheet_as_csv(sheet: Sheet) -> str:
    """Return a table with a header."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(sheet.columns)
    for row in sheet.rows:
        writer.writerow([csv_cell(row.get(column)) for column in sheet.columns])
    return text.getvalue()


def csv_cell(value: Cell) -> str:
    """Return a cell, guarded if it is text."""
    text = replace_invisible(unguarded_cell(value), lambda _: "\N{REPLACEMENT CHARACTER}", "\t\n\r")
    return guard_formula(text) if isinstance(value, str | list | tuple) else text


def unguarded_cell(value: Cell) -> str:
    """Return a cell without a guard: lists of strings are joined by spaces (`joined`), None is an
    empty cell, and a value with more structure is JSON."""
    if value is None or value is WriteIn.LINE:
        return ""
    if value is WriteIn.BOX:
        return BOX
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple) and all(isinstance(held, str) for held in value):
        return join_quoting_if_needed(value)
    if isinstance(value, list | tuple | dict):
        return compact_json(value)
    return str(value)


def guard_formula(text: str) -> str:
    """Put an apostrophe before text that a spreadsheet would interpret as a formula. Text that
    already begins with apostrophes gets one more, so that an import can remove it."""
    return f"'{text}" if _FORMULA.match(text) else text
