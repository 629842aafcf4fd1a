"""Lines that do not fit: what follows their first row stands in, so that each beginning shows."""

from textual.content import Content
from textual.geometry import Size

from brt_cg.tui.widgets.clickable import Lines

INDENT = 2  # cells by which the later rows of a line stand in
LEAST = 20  # cells of width below which nothing hangs


def hanging(line: Content, width: int, indent: int = INDENT) -> Content:
    """A line broken for a width, its later rows indented."""
    if line.cell_length <= width or width <= LEAST:
        return line
    first, *_ = line.wrap(width)
    rest = line[len(first) :]
    rest = rest[len(rest.plain) - len(rest.plain.lstrip()) :]
    return Content("\n" + " " * indent).join([first, *rest.wrap(width - indent)])


class Hanging(Lines):
    """Lines that hang in whatever width there is."""

    _told, _indent = Content(), INDENT

    def tell(self, told: Content, indent: int = INDENT) -> None:
        """Shows other lines."""
        self._told, self._indent = told, indent
        self.write_anew()

    def write(self, room: Size) -> Content:
        lines = self._told.split("\n", allow_blank=True)
        return Content("\n").join(hanging(line, room.width, self._indent) for line in lines)
