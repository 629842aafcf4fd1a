"""What goes out: one file per document, each written as JSON, CSV or Markdown.

Everything here is text made from a journal, for the umpire or for one side; nothing is printed and
nothing stored.
"""

from collections.abc import Callable
from importlib import import_module

from brt_cg.asks import Refused
from brt_cg.counters import Side
from brt_cg.exports.formats import Output, format_named
from brt_cg.journal.book import Book

DOCUMENTS = ("state", "roster", "records", "journal", "dice")


def export(book: Book, what: str, format: str, side: Side | None = None) -> Output:
    """A document as text, or, as CSV of several tables, a text for each file name.

    Raises Refused for a document or format that there is not.
    """
    if what not in DOCUMENTS:
        raise Refused(f"there is no document {what!r}; allowed: {', '.join(DOCUMENTS)}")
    writer = f"as_{format_named(format)}"
    write: Callable[[Book, Side | None], Output] = getattr(
        import_module(f"brt_cg.exports.{what}"), writer
    )
    return write(book, side)
