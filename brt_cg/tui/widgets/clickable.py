"""Words of which some can be clicked: they keep the colours that they were written in."""

from rich.style import Style
from textual.widgets import Static

OWN = Style.null()


class KeepsColours:
    """Textual gives all links of a widget one colour, which would hide what is bold and accented;
    here only the pointer over a link colours it."""

    @property
    def link_style(self) -> Style:
        return OWN


class Clickable(KeepsColours, Static):
    """Static words, some of them links."""
