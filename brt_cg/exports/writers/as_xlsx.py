"""XLSX: a worksheet for each table, for players' own calculations; needs the extra `xlsx`.

Text is always stored as text; the same document gives the same bytes.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from brt_cg.exports.blocks import AllowedEntries, Cell, Document, PageHeader, Sheet, printable_line
from brt_cg.exports.paper import Paper
from brt_cg.exports.writers.as_csv import unguarded_cell
from brt_cg.questions import RefusedError
from brt_cg.text import install_command, list_text

Worksheet = Any  # from openpyxl, which has no type annotations

EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time in a ZIP file
WIDEST = 60
COVER = "ABCDEF"  # its columns
ACROSS = 200  # characters that are readable on the width of a page
ROOMY = 19  # points: a row to write in
TICK, BOXES = "✓", ("☐", "☑")  # the column with boxes, and its contents
PAPERS = {Paper.LETTER: 1, Paper.A4: 9}  # as worksheets number them
_ESCAPES = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")  # an escaped character number in a worksheet
_TIMES = re.compile(rb"(<dcterms:(created|modified)[^>]*>)[^<]*")


def write_xlsx(document: Document) -> bytes:
    """Make the workbook. Raises RefusedError if the extra is not installed."""
    try:
        from openpyxl import Workbook
    except ImportError:
        raise RefusedError(f'XLSX files need the "xlsx" extra: {install_command("xlsx")}') from None
    head = document.head()
    workbook = Workbook(write_only=True)
    workbook.properties.title, workbook.properties.creator = xlsx_text(document.title), "brt-cg"
    sheets = [
        replace(sheet, rows=list(sheet.rows)) for sheet in document.sheets() if not sheet.extra
    ]
    _about(workbook.create_sheet("about"), document, head, [one for one in sheets if one.cover])
    for sheet in sheets:
        if not sheet.cover:
            _table(workbook.create_sheet(sheet.name), sheet, head, document.paper)
    return workbook_bytes(workbook)


def workbook_bytes(workbook: Any) -> bytes:
    """Return a workbook as bytes without any time stamp."""
    made, again = BytesIO(), BytesIO()
    workbook.save(made)
    with ZipFile(made) as old, ZipFile(again, "w", ZIP_DEFLATED) as new:
        for name in old.namelist():
            held = old.read(name)
            if name == "docProps/core.xml":
                held = _TIMES.sub(rb"\g<1>1980-01-01T00:00:00Z", held)
            info = ZipInfo(name, EPOCH)
            info.compress_type = ZIP_DEFLATED
            new.writestr(info, held)
    return again.getvalue()


def _about(sheet: Worksheet, document: Document, head: PageHeader, small: Iterable[Sheet]) -> None:
    """Write the cover, one upright page with small tables."""
    for letter in COVER:
        sheet.column_dimensions[letter].width = 17
    sheet.page_setup.paperSize = PAPERS[document.paper]
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    lines = (
        ("document", document.title),
        ("campaign", head.campaign),
        ("CG Date", head.date),
        ("view", head.view),
        ("journal", head.journal),
    )
    for name, words in lines:
        sheet.append([write_heading(sheet, name), write_cell(sheet, words)])
    for table in small:
        sheet.append([])
        sheet.append([write_heading(sheet, column) for column in table.columns])
        for row in table.rows:
            sheet.append([write_cell(sheet, row.get(column)) for column in table.columns])


def _table(made: Worksheet, sheet: Sheet, head: PageHeader, paper: Paper) -> None:
    if sheet.boxes:
        sheet = _with_boxes(sheet)
    rows = [[row.get(column) for column in sheet.columns] for row in sheet.rows]
    last = len(rows) + sheet.blank + 1
    _page(made, head, paper)
    wide = _columns(made, sheet, rows, last)
    made.page_setup.fitToWidth = max(1, -(-wide // ACROSS)) if last > 1 else 1
    if sheet.boxes or sheet.to_write:
        made.sheet_format.defaultRowHeight, made.sheet_format.customHeight = ROOMY, True
    made.append([write_heading(made, column) for column in sheet.columns])
    for row in rows:
        made.append([write_cell(made, value) for value in row])
    if sheet.entries:
        # A spreadsheet would turn 9-1 into a date if the cell were not marked as text.
        for _ in range(sheet.blank):
            made.append([write_cell(made, "") for _ in sheet.columns])


def _with_boxes(sheet: Sheet) -> Sheet:
    """Return a table with a box before each row, to tick on paper or from a list."""
    rows = ({TICK: BOXES[0]} | dict(row) for row in sheet.rows)
    entries = {**sheet.entries, TICK: AllowedEntries(choices=BOXES)}
    return replace(sheet, columns=(TICK, *sheet.columns), rows=rows, entries=entries)


def _page(made: Worksheet, head: PageHeader, paper: Paper) -> None:
    """Set the print layout: landscape, with headings and the header on each page."""
    made.freeze_panes = "A2"
    made.print_title_rows, made.print_title_cols = "1:1", "A:A"
    made.print_options.gridLines = True
    made.HeaderFooter.scaleWithDoc = False
    made.page_setup.orientation = "landscape"
    made.page_setup.paperSize = PAPERS[paper]
    made.page_setup.fitToHeight = 0
    made.sheet_properties.pageSetUpPr.fitToPage = True
    # In headers and footers "&" begins a code.
    made.oddHeader.left.text = xlsx_text(head.words).replace("&", "&&")
    made.oddFooter.left.text = head.journal_hash_text
    made.oddFooter.right.text = "&P / &N"


def _columns(made: Worksheet, sheet: Sheet, rows: list[list[Cell]], last: int) -> int:
    """Set widths, filters, and allowed entries; hide an empty column, unless players fill it in.
    Return the total width, in characters."""
    from openpyxl.utils import get_column_letter

    wide = 0
    for at, column in enumerate(sheet.columns):
        letter = get_column_letter(at + 1)
        longest = max((len(unguarded_cell(row[at])) for row in rows), default=0)
        dimension = made.column_dimensions[letter]
        dimension.width = min(max(len(column) + 3, longest + 1), WIDEST)
        empty = bool(rows) and not any(row[at] for row in rows)
        dimension.hidden = empty and not sheet.blank and column not in sheet.to_write
        wide += 0 if dimension.hidden else int(dimension.width)
        entry = sheet.entries.get(column)
        if entry is not None and (entry.choices or entry.hint) and last > 1:
            made.data_validations.append(_validation(column, entry, f"{letter}2:{letter}{last}"))
    right = get_column_letter(max(len(sheet.columns), 1))
    made.auto_filter.ref = f"A1:{right}{last}"
    return wide


def _validation(column: str, entry: AllowedEntries, cells: str) -> Any:
    """Return a list to choose from, or a hint at the cell."""
    from openpyxl.worksheet.datavalidation import DataValidation

    made = DataValidation(allow_blank=True, sqref=cells)
    if entry.choices:
        made.type, made.formula1 = "list", f'"{",".join(entry.choices)}"'
        made.showErrorMessage = True
        made.error = f"allowed: {list_text(entry.choices)}"[:250]
    if entry.hint:
        made.showInputMessage = True
        made.promptTitle, made.prompt = column[:32], entry.hint[:250]
    return made


def write_heading(sheet: Worksheet, words: str) -> Any:
    from openpyxl.styles import Font

    made = write_cell(sheet, words)
    made.font = Font(bold=True)
    return made


def write_cell(sheet: Worksheet, value: Cell) -> Any:
    """Write numbers and booleans as they are; anything else as text, never as a formula."""
    from openpyxl.cell import WriteOnlyCell

    if value is None or isinstance(value, bool | int | float):
        return WriteOnlyCell(sheet, value)
    made = WriteOnlyCell(sheet, xlsx_text(unguarded_cell(value)))
    made.data_type, made.number_format = "s", "@"
    return made


def xlsx_text(text: str) -> str:
    """Return text without the characters that a worksheet cannot hold."""
    return _ESCAPES.sub("_x005F_", printable_line(text))[:32_767]
