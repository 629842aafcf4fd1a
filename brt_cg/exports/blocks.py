"""The parts of documents.

A document has three forms of the same figures: `data` for programs, `sheets` for spreadsheets, and
`blocks` for people. A writer (writers/) turns one of the three into a format, and does not depend
on any document; a document does not depend on any format.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field
from enum import Enum
from typing import Any

from brt_cg.exports.paper import Paper
from brt_cg.immutable import immutable
from brt_cg.text import replace_invisible

Output = str | bytes | dict[str, str]  # a text, a file's bytes, or a text for each file name


class WriteIn(Enum):
    """A place to write on paper: a box to tick, or a line to fill in."""

    BOX = "box"
    LINE = "line"


@immutable
class CounterLabel:
    """A counter in a list: the text `printed` on it, with its name, large; its `kind`; its `number`
    if it has no name, small; and any other facts. `inside` means that another counter possesses or
    carries it."""

    printed: str
    kind: str = ""
    number: str = ""
    notes: str = ""
    inside: bool = False

    @property
    def words(self) -> str:
        named = " ".join(filter(None, (self.printed, self.kind, self.number)))
        beside = "– " if self.inside else ""
        return f"{beside}{', '.join(filter(None, (named, self.notes)))}"


Cell = Any  # text, number, yes or no, nothing, a Mark, a Label, or a list of these


@immutable
class TextBlock:
    """A paragraph."""

    words: str


@immutable
class ListItem:
    """A line of a list, followed by a note such as "(undone)" or the number of its entry."""

    words: str
    after: str = ""
    struck: bool = False


@immutable
class Bullets:
    """A list of lines."""

    items: Sequence[ListItem | str]


@immutable
class TableBlock:
    """A table for people: headings, and rows of cells. With `widths`, the shares of its columns, it
    is as wide as the page, so that tables with the same widths line up. A `roomy` one has rows to
    write in."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    widths: Sequence[int] = ()
    roomy: bool = False

    @property
    def longest_cell_lengths(self) -> list[int]:
        """The length of the longest cell in each column."""
        cells = ([cell_text(row[at]) for row in self.rows] for at in range(len(self.columns)))
        return [max(map(len, column), default=0) for column in cells]

    def is_wider_than(self, most: int) -> bool:
        """Whether a row may need more characters than this, if no widths are given."""
        return not self.widths and sum(self.longest_cell_lengths) + 3 * len(self.columns) > most


@immutable
class Picture:
    """A drawing (SVG) with a description. A table repeats its figures, for formats without
    pictures. A `half` picture is half as wide as the page. A picture with its own page has its
    `ratio`, width to height, to fill the page."""

    svg: str
    words: str
    half: bool = False
    ratio: float = 0.0


@immutable
class SectionBlock:
    """A heading with the blocks under it. With `page` it begins a new page of paper, with `across`
    it is on separate landscape pages; it may have several `columns`. `file` is its name as a
    separate file."""

    title: str
    blocks: Iterable["Block"]
    page: bool = False
    file: str = ""
    across: bool = False
    columns: int = 1


@immutable
class SideBySide:
    """Columns of blocks, side by side if there is room."""

    columns: Sequence[Sequence["Block"]]


Block = TextBlock | Bullets | TableBlock | Picture | SectionBlock | SideBySide


@immutable
class AllowedEntries:
    """The allowed entries of a column: `choices`, if there are any; `hint` describes them."""

    hint: str = ""
    choices: Sequence[str] = ()


@immutable
class Sheet:
    """A table for spreadsheets, by column name: `units` becomes units.csv. A form has the `entries`
    that its columns accept, and `blank` rows at the end. A workbook has `boxes` to tick beside its
    rows, leaves out an `extra` table, which repeats others, and and puts a `cover` table on its
    cover; the columns `to_write` in are shown although they are empty."""

    name: str
    columns: Sequence[str]
    rows: Iterable[Mapping[str, Cell]]
    entries: Mapping[str, AllowedEntries] = field(default_factory=dict)
    blank: int = 0
    boxes: bool = False
    extra: bool = False
    cover: bool = False
    to_write: Collection[str] = ()


@immutable
class PageHeader:
    """The header of every page: the campaign, the CG Date, whose view it is, and the beginning of
    the head, which `audit --head` looks for ("" if the view has none)."""

    campaign: str
    date: str
    view: str
    journal: str

    @property
    def words(self) -> str:
        return f"{self.campaign} · {self.date} · {self.view}"

    @property
    def journal_hash_text(self) -> str:
        """The hash in words, if there is one."""
        return f"Journal {self.journal}" if self.journal else ""


@immutable
class Document:
    """A document of a campaign as a side may see it. Parts are made only if a format needs them."""

    title: str
    head: Callable[[], PageHeader]
    data: Mapping[str, Any]
    sheets: Callable[[], Iterable[Sheet]]
    blocks: Callable[[], Iterable[Block]]
    picture: str = ""  # the document as a drawing (SVG), if it is one
    paper: Paper = Paper.A4
    across: bool = False  # whether all its pages are landscape
    half: bool = False  # whether it is half a page, with a line to cut along
    stepped: bool = False  # whether a browser shows its sections one at a time


_SPACES = re.compile(r"[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")  # line breaks and tabs


def printable_line(text: str) -> str:
    """Return text on one line, with a replacement for each unprintable character."""
    return replace_invisible(_SPACES.sub(" ", text), lambda _: "\N{REPLACEMENT CHARACTER}")


def cell_text(value: Cell) -> str:
    """Return a cell of a table for people as text, with the writer's own marks."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, WriteIn):
        return value.value
    if isinstance(value, CounterLabel):
        return printable_line(value.words)
    if isinstance(value, list | tuple):
        return " ".join(map(cell_text, value))
    return printable_line(str(value))


_FIGURE = re.compile(r"[+−-]?\d*[\d½]")


def is_numeric_column(values: Iterable[Cell]) -> bool:
    """Whether a column holds only figures, which are then right-aligned."""
    words = [cell_text(value) for value in values if not isinstance(value, bool)]
    filled = [word for word in words if word]
    return bool(filled) and all(_FIGURE.fullmatch(word) for word in filled)
