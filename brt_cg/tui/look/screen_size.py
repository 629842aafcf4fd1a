"""The size of the screen, in the same steps as the classes -low, -narrow and -wide of a Room, but
known before its first layout."""

from textual.dom import DOMNode
from textual.geometry import Size

LEAST = (80, 24)  # the fewest columns and rows that every room must fit in
LOW, NARROW, WIDE = 32, 100, 140  # rows, and cells


def is_too_small(size: Size) -> bool:
    """Whether a screen of this size is too small for any room."""
    return size.width < LEAST[0] or size.height < LEAST[1]


def is_screen_low(node: DOMNode) -> bool:
    """Whether the screen has few rows."""
    return node.app.size.height < LOW


def is_screen_narrow(node: DOMNode) -> bool:
    """Whether the screen is too narrow for columns."""
    return node.app.size.width < NARROW


def is_screen_wide(node: DOMNode) -> bool:
    """Whether the screen has room to spare."""
    return node.app.size.width >= WIDE
