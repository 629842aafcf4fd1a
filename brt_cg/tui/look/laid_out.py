"""Widgets that are laid out once. Textual's own ask for another layout whenever one has changed
their size; it finds everything in its place, and is drawn all the same."""

from textual import containers, widgets
from textual.geometry import Size
from textual.widget import Widget


class LaidOutOnce(Widget):
    """Takes the size that a layout gives it, and asks for no other. It must not be the first base
    class, from which Textual takes the styles."""

    def _size_updated(
        self, size: Size, virtual_size: Size, container_size: Size, layout: bool = True
    ) -> bool:
        return super()._size_updated(size, virtual_size, container_size, layout=False)


class Static(widgets.Static, LaidOutOnce):
    """Words."""


class Vertical(containers.Vertical, LaidOutOnce):
    """Widgets below each other."""


class Horizontal(containers.Horizontal, LaidOutOnce):
    """Widgets side by side."""
