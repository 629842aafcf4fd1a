"""The line above a list in which it is filtered by any words."""

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Input, Static

FILTER = "filter"  # the id of the field


class FilterLine(Horizontal):
    """A field, and after it what was found: `found` words, or a widget of the room's own."""

    DEFAULT_CSS = """
    FilterLine { height: 1; }
    FilterLine #slash { width: 2; color: $accent; text-style: bold; }
    FilterLine Input { width: 1fr; background: $background; }
    FilterLine Input:focus { background: $panel; }
    FilterLine #found { width: auto; color: $text-muted; padding-left: 2; }
    """

    def __init__(self, placeholder: str, beside: Widget | None = None) -> None:
        super().__init__(id="filter_line")
        self.field = Input(placeholder=placeholder, id=FILTER)
        self._found = Static(id="found")
        self._beside = beside or self._found

    def compose(self) -> ComposeResult:
        yield Static("/", id="slash")
        yield self.field
        yield self._beside

    @property
    def words(self) -> str:
        """What is typed."""
        return self.field.value

    def put(self, words: str) -> None:
        """Writes other words into the field; the list is left as it is."""
        with self.field.prevent(Input.Changed):
            self.field.value = words

    def tell(self, found: str) -> None:
        """Says how much was found."""
        self._found.update(found)
