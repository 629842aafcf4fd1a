"""Lines that do not fit: what follows their first row stands in, so that each beginning shows."""

from textual.content import Content
from textual.widgets import Static

INDENT = 2  # cells by which the later rows of a line stand in
LEAST = 20  # cells of width below which nothing hangs


def hanging(line: Content, width: int, indent: int = INDENT) -> Content:
    """A line broken for a width, its later rows indented."""
    if line.cell_length <= width or width <= LEAST:
        return line
    return Content("\n" + " " * indent).join(line.wrap(width - indent))


class Hanging(Static):
    """One line that hangs in whatever width there is."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._line = Content()

    def show(self, line: Content) -> None:
        """Shows a line instead of the one before."""
        self._line = line
        self.on_resize()

    def on_resize(self) -> None:
        self.update(hanging(self._line, self.content_region.width))
