"""CSV: a sheet is one text; several are a text for each file of a folder."""

import csv
from io import StringIO

from brt_cg.exports.blocks import Cell, Document, Output, Sheet
from brt_cg.exports.writers.as_json import compact


def write(document: Document) -> Output:
    files = {f"{sheet.name}.csv": csv_text(sheet) for sheet in document.sheets()}
    return files if len(files) > 1 else next(iter(files.values()))


def csv_text(sheet: Sheet) -> str:
    """A table with a header."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(sheet.columns)
    for row in sheet.rows:
        writer.writerow([csv_cell(row.get(column)) for column in sheet.columns])
    return text.getvalue()


def csv_cell(value: Cell) -> str:
    """Lists of texts are joined by spaces, nothing is an empty cell, and what has more structure is
    JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple) and all(isinstance(held, str) for held in value):
        return " ".join(value)
    if isinstance(value, list | tuple | dict):
        return compact(value)
    return str(value)
