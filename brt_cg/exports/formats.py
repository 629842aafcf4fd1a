"""How documents are written: JSON, CSV and Markdown.

A document of one table is one text; CSV of several tables is a text for each file of a folder.
"""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from io import StringIO
from typing import Any

from brt_cg.asks import Refused
from brt_cg.counters import Side

Cell = Any
Output = str | dict[str, str]


class Format(StrEnum):
    """What a document can be written as."""

    JSON = "json"
    CSV = "csv"
    MD = "md"


NOT_BUILT = ("html", "xlsx")


def format_named(name: str) -> Format:
    """The format of that name. Raises Refused for one that there is not, or not yet."""
    if name in NOT_BUILT:
        raise Refused(f"{name} is not built yet: json, csv or md")
    if name not in list(Format):
        raise Refused(f"there is no format {name!r}; allowed: {', '.join(Format)}")
    return Format(name)


# --- whose view -----------------------------------------------------------------------------------


def view_name(side: Side | None) -> str:
    """Whose view a document gives, for files: "umpire", "marine", "japanese"."""
    return side.value if side else "umpire"


def view_words(side: Side | None) -> str:
    """Whose view a document gives, for people."""
    return f"The {side.label} side's view" if side else "Umpire's view: both sides' secrets"


# --- JSON -----------------------------------------------------------------------------------------


def json_text(document: Mapping[str, Any]) -> str:
    """A document with two spaces of indent; what has no structure of its own, as a counter, is on a
    line."""
    return _pretty(document, "") + "\n"


def _pretty(value: Any, indent: str) -> str:
    inner = indent + "  "
    if isinstance(value, Mapping) and (not indent or any(map(_has_objects, value.values()))):
        parts = [f"{inner}{_compact(key)}: {_pretty(one, inner)}" for key, one in value.items()]
        return "{\n" + ",\n".join(parts) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(one, dict | list) for one in value):
        parts = [f"{inner}{_pretty(one, inner)}" for one in value]
        return "[\n" + ",\n".join(parts) + f"\n{indent}]"
    return _compact(value)


def _has_objects(value: Any) -> bool:
    if isinstance(value, dict):
        return bool(value)
    return isinstance(value, list) and any(isinstance(one, dict | list) for one in value)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


# --- CSV ------------------------------------------------------------------------------------------


def csv_text(columns: Sequence[str], rows: Iterable[Mapping[str, Cell]]) -> str:
    """A table with a header; lists of texts are joined by spaces, null is an empty cell, and what
    has more structure is JSON."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([csv_cell(row.get(column)) for column in columns])
    return text.getvalue()


def csv_cell(value: Cell) -> str:
    """One cell of a CSV file."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple) and all(isinstance(one, str) for one in value):
        return " ".join(value)
    if isinstance(value, list | tuple | dict):
        return _compact(value)
    return str(value)


# --- Markdown -------------------------------------------------------------------------------------


def md_table(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> list[str]:
    """A table as lines, its columns padded so that it reads well as plain text too."""
    cells = [[md_cell(one) for one in row] for row in rows]
    widths = [
        max([len(name), 3, *(len(row[at]) for row in cells)]) for at, name in enumerate(columns)
    ]
    lines = [_padded(list(columns), widths), _padded(["-" * width for width in widths], widths)]
    return lines + [_padded(row, widths) for row in cells]


def _padded(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return f"| {' | '.join(padded)} |"


def md_cell(value: Cell) -> str:
    """A value in a Markdown table."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return " ".join(md_cell(one) for one in value)
    return md_text(str(value))


def md_text(text: str) -> str:
    """A text that means nothing to Markdown but itself."""
    for sign in ("\\", "|", "<", "*", "`"):
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())


def md_document(title: str, side: Side | None, *blocks: Iterable[str]) -> str:
    """A document: its title, whose view it is, and blocks of lines with a blank line between."""
    head = [f"# {title}", "", f"*{view_words(side)}*"]
    lines = [*head]
    for block in blocks:
        found = list(block)
        if found:
            lines += ["", *found]
    return "\n".join(lines) + "\n"
