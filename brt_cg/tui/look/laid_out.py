"""Widgets that are laid out once. Textual's own ask for another layout whenever one has changed
their size; it finds everything in its place, and is drawn all the same."""

from textual import containers, widgets
from textual.content import Content
from textual.geometry import Size
from textual.reactive import Reactive
from textual.visual import VisualType
from textual.widget import Widget


class LaidOutOnce(Widget):
    """Takes the size that a layout gives it, and asks for no other. It must not be the first base
    class, from which Textual takes the styles."""

    virtual_size: Reactive[Size] = Reactive(Size(0, 0), repaint=False)


class Static(widgets.Static, LaidOutOnce):
    """Words. Those that are shown already are not drawn again."""

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        if not _is_same(content, self.content):
            super().update(content, layout=layout)


def _is_same(words: VisualType, others: VisualType) -> bool:
    """Whether the words and their styles are the same; Textual's equality leaves the styles out."""
    if isinstance(words, Content) and isinstance(others, Content):
        return words.is_same(others)
    return isinstance(words, str) and isinstance(others, str) and words == others


class Vertical(containers.Vertical, LaidOutOnce):
    """Widgets below each other."""


class Horizontal(containers.Horizontal, LaidOutOnce):
    """Widgets side by side."""
