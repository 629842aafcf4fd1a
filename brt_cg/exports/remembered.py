"""What a journal says is worked out once: asked again of the same journal, it is remembered."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from brt_cg.counters import Side
from brt_cg.journal.book import Book

T = TypeVar("T")


def remembered(view: Callable[[Book, Side | None], T]) -> Callable[[Book, Side | None], T]:
    """A view that keeps what it last said to each side. Whoever asks must not change what he is
    given."""
    kept: dict[Side | None, tuple[str, T]] = {}

    @wraps(view)
    def said(book: Book, side: Side | None) -> T:
        head, found = kept.get(side, (None, None))
        if found is None or head is None or head != book.digest:
            found = view(book, side)
            if book.digest is not None:
                kept[side] = (book.digest, found)
        return found

    return said
