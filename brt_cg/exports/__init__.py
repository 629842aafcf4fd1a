"""The output of a campaign. Each document is made of blocks in a file of its own; each format is a
file in writers/ and can write any document. Nothing is printed here."""

from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from brt_cg.exports.paper import AS_USUAL, Printing
from brt_cg.files import make_folder, write_exported
from brt_cg.questions.answers import Refused
from brt_cg.resources import toml
from brt_cg.text import install_text, listed, none_of
from brt_cg.views.book import Book, PublicBook

if TYPE_CHECKING:  # `status` prints no document
    from brt_cg.exports.blocks import Document, Output

_DOCUMENTS = toml(Path(__file__).with_name("documents.toml"))
DOCUMENTS: Mapping[str, tuple[str, ...]] = {
    name: tuple(document["formats"]) for name, document in _DOCUMENTS.items() if document["formats"]
}
ABOUT: Mapping[str, str] = {name: document["about"] for name, document in _DOCUMENTS.items()}


EXTRAS = {"pdf": "typst", "xlsx": "openpyxl"}  # the module that a format needs, by its extra
PUBLIC = tuple(name for name, document in _DOCUMENTS.items() if document.get("public"))
FULL = tuple(name for name, document in _DOCUMENTS.items() if document.get("full"))


def export(
    book: Book,
    what: str,
    format: str | None = None,
    printing: Printing = AS_USUAL,
) -> "Output":
    """A document as a side (None: the umpire) may see it, in a format (None: its default).

    Raises Refused for an unknown document or format, one whose extra is not installed, or one that
    there is no full form of, or none of what both know.
    """
    if what not in DOCUMENTS:
        wrong = f"there is no document {what!r}"
        raise Refused(none_of([*DOCUMENTS, "vsav"], what, wrong, "brt-cg export --help"))
    formats = DOCUMENTS[what]
    if format is not None and format not in formats:
        raise Refused(none_of(formats, format, f"{what} has no format {format!r}"))
    if printing.full and what not in FULL:
        raise Refused(f"{what} has no full form; allowed: {listed(FULL)}")
    return write(build(book, what, printing), format or formats[0])


def build(book: Book, what: str, printing: Printing = AS_USUAL) -> "Document":
    """A document, in blocks for any format. Raises Refused for what both know, if it is no document
    of that."""
    if isinstance(book, PublicBook) and what not in PUBLIC:
        raise Refused(f"of {what} there is none of what both know; allowed: {listed(PUBLIC)}")
    module = import_module(f"brt_cg.exports.{what.replace('-', '_')}")
    document: Document = (module.build_full if printing.full else module.build)(book)
    return replace(document, paper=printing.paper)


def missing_extra(format: str) -> str | None:
    """What to install for a format, if it is not."""
    module = EXTRAS.get(format)
    if module is None or find_spec(module) is not None:
        return None
    return install_text(format)


def write(document: "Document", format: str) -> "Output":
    """A document in a format."""
    written: Output = import_module(f"brt_cg.exports.writers.as_{format}").write(document)
    return written


def put(made: "Output", path: Path, *, private: bool, force: bool = False) -> list[Path]:
    """Writes a document; a new file of a `private` one, such as the umpire's, may be read by its
    owner only. Returns its files, in order. A file that was exported before and not
    edited since is replaced; for any other, unless `force`, and for a campaign file, raises
    Refused, with nothing written. Raises OSError, with the file."""
    files: dict[Path, str | bytes] = {}
    if isinstance(made, dict):
        make_folder(path)
        files.update((path / name, text) for name, text in made.items())
    else:
        files[path] = made
    write_exported(files, force, private=private)
    return list(files)
