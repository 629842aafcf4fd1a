"""What documents are made of.

A document is told three ways from the same figures: `data` for programs, `sheets` for spreadsheets,
and `blocks` for people. A writer (writers/) turns one of the three into a format, and knows nothing
of any document; a document knows nothing of any format.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from brt_cg.counters import Side

Cell = Any  # text, number, yes or no, nothing, or a list of these
Output = str | dict[str, str]  # one text, or a text for each file name


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    words: str


@dataclass(frozen=True, slots=True)
class Item:
    """A line of a list, and what stands after it: "(taken back)", the number of its entry."""

    words: str
    after: str = ""
    struck: bool = False


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list of lines."""

    items: Sequence[Item | str]


@dataclass(frozen=True, slots=True)
class Table:
    """A table for people: headings, and rows of cells."""

    columns: Sequence[str]
    rows: Iterable[Sequence[Cell]]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what belongs under it. A `page` begins a new page of paper; `file` is what it
    is called when each page is a file of its own."""

    title: str
    blocks: Iterable["Block"]
    page: bool = False
    file: str = ""


Block = Text | Bullets | Table | Section


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table for spreadsheets, by column name: `units` becomes units.csv."""

    name: str
    columns: Sequence[str]
    rows: Iterable[Mapping[str, Cell]]


@dataclass(frozen=True, slots=True)
class Document:
    """A document of a campaign as a side (None: the umpire) may see it."""

    title: str
    side: Side | None
    data: Mapping[str, Any]
    sheets: Iterable[Sheet]
    blocks: Iterable[Block]


def view_name(side: Side | None) -> str:
    """Whose view a document gives, for files: "umpire", "marine", "japanese"."""
    return side.value if side else "umpire"


def view_words(side: Side | None) -> str:
    """Whose view a document gives, for people."""
    return f"The {side.label} side's view" if side else "Umpire's view: both sides' secrets"
