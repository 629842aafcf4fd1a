"""How much room there is: the same steps as the classes -low, -narrow and -wide of a Room, known
before its first layout."""

from textual.dom import DOMNode
from textual.geometry import Size

LOW, NARROW, WIDE = 32, 100, 140  # rows, and cells


def is_low(node: DOMNode) -> bool:
    """Whether the screen has few rows."""
    return _size(node).height < LOW


def is_narrow(node: DOMNode) -> bool:
    """Whether there is no room for columns."""
    return _size(node).width < NARROW


def is_wide(node: DOMNode) -> bool:
    """Whether there is room to spare."""
    return _size(node).width >= WIDE


def _size(node: DOMNode) -> Size:
    size: Size = node.app.size
    return size
