"""XLSX: a worksheet for each table, for players who reckon on. Needs the extra `xlsx`.

Texts are stored as texts, whatever they begin with; the same document gives the same bytes.
"""

import re
from collections.abc import Sequence
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from brt_cg.asks import Refused
from brt_cg.exports.blocks import Cell, Document, Head, printable
from brt_cg.exports.writers.as_csv import csv_cell

Worksheet = Any  # of openpyxl, which says nothing of its types

EPOCH = (1980, 1, 1, 0, 0, 0)  # the first time that a ZIP file can tell
WIDEST = 60
_ESCAPES = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")  # what spreadsheets take for a character's number
_TIMES = re.compile(rb"(<dcterms:(created|modified)[^>]*>)[^<]*")


def write(document: Document) -> bytes:
    """Raises Refused where the extra is not installed."""
    try:
        from openpyxl import Workbook
    except ImportError:
        raise Refused("xlsx needs the extra xlsx: pip install 'brt-cg[xlsx]'") from None
    head = document.head()
    book = Workbook(write_only=True)
    book.properties.title, book.properties.creator = xlsx_text(document.title), "brt-cg"
    _about(book.create_sheet("about"), document.title, head)
    for sheet in document.sheets():
        rows = [[row.get(column) for column in sheet.columns] for row in sheet.rows]
        _table(book.create_sheet(sheet.name), sheet.columns, rows, head)
    return saved(book)


def saved(book: Any) -> bytes:
    """A workbook as bytes that tell no time."""
    made, again = BytesIO(), BytesIO()
    book.save(made)
    with ZipFile(made) as old, ZipFile(again, "w", ZIP_DEFLATED) as new:
        for name in old.namelist():
            held = old.read(name)
            if name == "docProps/core.xml":
                held = _TIMES.sub(rb"\g<1>1980-01-01T00:00:00Z", held)
            info = ZipInfo(name, EPOCH)
            info.compress_type = ZIP_DEFLATED
            new.writestr(info, held)
    return again.getvalue()


def _about(sheet: Worksheet, title: str, head: Head) -> None:
    sheet.column_dimensions["A"].width, sheet.column_dimensions["B"].width = 12, 70
    told = (
        ("document", title),
        ("campaign", head.campaign),
        ("CG Date", head.date),
        ("view", head.view),
        ("journal", head.journal),
    )
    for name, words in told:
        sheet.append([heading(sheet, name), cell(sheet, words)])


def _table(sheet: Worksheet, columns: Sequence[str], rows: list[list[Cell]], head: Head) -> None:
    from openpyxl.utils import get_column_letter

    sheet.freeze_panes = "A2"
    sheet.print_title_rows = "1:1"
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.paperSize = 9  # A4
    sheet.page_setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    # In headers and footers & begins a code.
    sheet.oddHeader.left.text = xlsx_text(head.words).replace("&", "&&")
    sheet.oddFooter.left.text = f"Journal {head.journal}"
    sheet.oddFooter.right.text = "&P / &N"
    for at, column in enumerate(columns):
        longest = max((len(csv_cell(row[at])) for row in rows), default=0)
        width = min(max(len(column) + 3, longest + 1), WIDEST)
        sheet.column_dimensions[get_column_letter(at + 1)].width = width
    last = get_column_letter(max(len(columns), 1))
    sheet.auto_filter.ref = f"A1:{last}{len(rows) + 1}"
    sheet.append([heading(sheet, column) for column in columns])
    for row in rows:
        sheet.append([cell(sheet, value) for value in row])


def heading(sheet: Worksheet, words: str) -> Any:
    from openpyxl.styles import Font

    made = cell(sheet, words)
    made.font = Font(bold=True)
    return made


def cell(sheet: Worksheet, value: Cell) -> Any:
    """Numbers and yes or no as they are; anything else as text, which is never a formula."""
    from openpyxl.cell import WriteOnlyCell

    if value is None or isinstance(value, bool | int | float):
        return WriteOnlyCell(sheet, value)
    made = WriteOnlyCell(sheet, xlsx_text(csv_cell(value)))
    made.data_type = "s"
    return made


def xlsx_text(text: str) -> str:
    """A text as a worksheet can hold it."""
    return _ESCAPES.sub("_x005F_", printable(text))[:32_767]
