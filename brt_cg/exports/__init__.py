"""The output of a campaign. Each document is made of blocks in a file of its own; each format is a
file in writers/ and can write any document. Nothing is printed here."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from brt_cg.answers import Refused
from brt_cg.counters import Side
from brt_cg.journal.book import Book
from brt_cg.shapes import listed

if TYPE_CHECKING:  # not imported otherwise: a look at the campaign makes no document
    from brt_cg.exports.blocks import Document, Output

EVERY = ("json", "csv", "md", "html", "xlsx", "pdf")
FOR_PEOPLE = ("md", "json", "csv", "html", "xlsx", "pdf")
# The formats of each document; the first is the default.
DOCUMENTS: Mapping[str, tuple[str, ...]] = {
    "state": EVERY,
    "roster": FOR_PEOPLE,
    "records": FOR_PEOPLE,
    "journal": EVERY,
    "dice": EVERY,
    "map": ("svg", *EVERY),
    "chronicle": ("html", "json", "csv", "md", "xlsx", "pdf"),
    "sheet": FOR_PEOPLE,
    "template": ("xlsx",),
    "vasl-templates": ("json",),
}

# Each document in a few words.
ABOUT: Mapping[str, str] = {
    "state": "everything in play, as import reads it",
    "roster": "who sets up where: a page for each Setup Area, with its map and boxes to tick, T-H "
    "Heroes and HIP",
    "records": "the Beach Defense Record and the Miscellaneous Status Record",
    "journal": "everything that happened, line by line",
    "dice": "every roll, and the luck of each side",
    "map": "Betio with its Setup Areas, Isolated Locations and stacks",
    "chronicle": "the story of the campaign date by date, for friends who were not there",
    "sheet": "one page: what a side knows about the other",
    "template": "a workbook to enter a scenario's end at the table; import reads it",
    "vasl-templates": "the next scenario for vasl-templates, which makes labels for VASL",
    "vsav": "the next setup, written into your VASL save",
}


def export(book: Book, what: str, format: str | None = None, side: Side | None = None) -> "Output":
    """A document in a format (None: its default), as a side (None: the umpire) may see it.

    Raises Refused for an unknown document or format, or one whose extra is not installed.
    """
    if what not in DOCUMENTS:
        raise Refused(f"there is no document {what!r}; allowed: {listed([*DOCUMENTS, 'vsav'])}")
    formats = DOCUMENTS[what]
    if format is not None and format not in formats:
        raise Refused(f"there is no {what} as {format!r}; allowed: {listed(formats)}")
    return write(build(book, what, side), format or formats[0])


def build(book: Book, what: str, side: Side | None = None) -> "Document":
    """A document, in blocks for any format."""
    document: Document = import_module(f"brt_cg.exports.{what.replace('-', '_')}").build(book, side)
    return document


def write(document: "Document", format: str) -> "Output":
    """A document in a format."""
    written: Output = import_module(f"brt_cg.exports.writers.as_{format}").write(document)
    return written


def put(made: "Output", path: Path) -> list[Path]:
    """Writes a document. Returns its files, in order. Existing files are overwritten, except a
    campaign file: then raises Refused, with nothing written. Raises OSError, with the file."""
    files: dict[Path, str | bytes] = {}
    if isinstance(made, dict):
        files.update((path / name, text) for name, text in made.items())
    else:
        files[path] = made
    for file in files:
        if is_campaign(file):
            raise Refused(f"{file} is a campaign file: give another name")
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            file.write_bytes(text.encode() if isinstance(text, str) else text)
        except OSError as error:
            error.filename = str(file)  # which a full disk does not name
            raise
    return list(files)


def is_campaign(path: Path) -> bool:
    """Whether there is a campaign file (or any other SQLite database) of that name."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"
