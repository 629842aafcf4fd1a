"""What goes out. Each document is made of blocks in a file of its own; each format is a file in
writers/, and writes any of them. Nothing is printed here and nothing stored.
"""

from importlib import import_module

from brt_cg.asks import Refused
from brt_cg.counters import Side
from brt_cg.exports.blocks import Document, Output
from brt_cg.journal.book import Book

DOCUMENTS = ("state", "roster", "records", "journal", "dice")
FORMATS = ("json", "csv", "md")


def export(book: Book, what: str, format: str, side: Side | None = None) -> Output:
    """A document in a format, as a side (None: the umpire) may see it.

    Raises Refused for a document or format that there is not.
    """
    if what not in DOCUMENTS:
        raise Refused(f"there is no document {what!r}; allowed: {', '.join(DOCUMENTS)}")
    if format not in FORMATS:
        raise Refused(f"there is no {what} as {format!r}; allowed: {', '.join(FORMATS)}")
    return write(build(book, what, side), format)


def build(book: Book, what: str, side: Side | None = None) -> Document:
    """A document, in blocks that any format is written of."""
    document: Document = import_module(f"brt_cg.exports.{what}").build(book, side)
    return document


def write(document: Document, format: str) -> Output:
    """A document in a format."""
    written: Output = import_module(f"brt_cg.exports.writers.as_{format}").write(document)
    return written
