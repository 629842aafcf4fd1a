"""Text in columns, and the headings above them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, zip_longest

from rich.cells import cell_len
from rich.segment import Segment
from textual.content import Content

from brt_cg.immutable import immutable

Cell = str | tuple[str, str] | Content  # a text, a text with its style, or styled text


@immutable
class Column:
    """A column: its width in terminal cells, its heading, and whether its text is right-aligned.
    Text that is too long pushes the following columns to the right; in a list that is drawn line by
    line, it is cut off."""

    width: int
    heading: str = ""
    right: bool = False

    def pad(self, cell: Cell) -> Content:
        """Return the text of a cell with the blanks around it, which have no style."""
        text = cell if isinstance(cell, Content) else Content.assemble(cell)
        blanks = max(0, self.width - text.cell_length)
        return text.pad_left(blanks) if self.right else text.pad_right(blanks)

    def pad_or_cut(self, parts: Iterable[Segment]) -> list[Segment]:
        """Return the parts of some text, followed by at least one blank; if the text is too long,
        its end is replaced by "…"."""
        text = [part for part in parts if part.text]
        length = Segment.get_line_length(text)
        if length < self.width:
            return [*text, Segment(" " * (self.width - length))]
        if self.width < 2:
            return [Segment(" " * self.width)]
        kept = Segment.adjust_line_length(text, self.width - 2, pad=False)
        return [*kept, Segment("… ", kept[-1].style if kept else None)]


@immutable
class Columns:
    """The columns of a list or a table, from left to right."""

    columns: tuple[Column, ...]

    @property
    def width(self) -> int:
        """The width of all columns."""
        return sum(column.width for column in self.columns)

    def headings(self, style: str = "dim") -> Content:
        """Return the line above the rows."""
        return self.row(*(column.heading for column in self.columns)).stylize_before(style)

    def row(self, *cells: Cell) -> Content:
        """Return a row; text after the last column may have any length."""
        filled = [column.pad(cell) for column, cell in zip(self.columns, cells, strict=False)]
        return Content.assemble(*filled, *cells[len(self.columns) :])

    def fitting_columns(self, width: int) -> "Columns":
        """Return the columns that fit into a width, from the left."""
        ends = accumulate(column.width for column in self.columns)
        return Columns(self.columns[: sum(end <= width for end in ends)])

    def row_segments(self, *cells: Iterable[Segment]) -> list[Segment]:
        """Return a row of a list that is drawn line by line: each cell has parts with their own
        styles."""
        filled = (column.pad_or_cut(cell) for column, cell in zip(self.columns, cells, strict=True))
        return [part for parts in filled for part in parts]

    @property
    def heading_cells(self) -> list[list[Segment]]:
        """The headings as the cells of a row that is drawn line by line."""
        return [[Segment(column.heading)] for column in self.columns]


def columns(*found: Column | int) -> Columns:
    """Build columns; a number is the width of a column without a heading."""
    return Columns(tuple(Column(one) if isinstance(one, int) else one for one in found))


def right_aligned_columns(headings: Iterable[str], widths: Iterable[int]) -> tuple[Column, ...]:
    """Return the columns of figures, right-aligned with their headings."""
    return tuple(Column(w, head, right=True) for head, w in zip(headings, widths, strict=True))


def column_width_for(texts: Iterable[str]) -> int:
    """Return the width of a column that holds all of the strings, with two blanks."""
    return max(map(cell_len, texts), default=0) + 2


def side_by_side(blocks: Iterable[Sequence[Content]], width: int) -> Iterator[Content]:
    """Yield the lines of blocks, two of them side by side wherever each fits into half the
    width."""
    half = Column(width // 2)
    left: Sequence[Content] = ()
    for block in blocks:
        if column_width_for(line.plain for line in block) > half.width:
            yield from (*left, *block)
            left = ()
        elif left:
            pairs = zip_longest(left, block, fillvalue=Content())
            yield from (half.pad(one) + other for one, other in pairs)
            left = ()
        else:
            left = block
    yield from left
