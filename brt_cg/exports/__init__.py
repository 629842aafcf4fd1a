"""The output of a campaign. Each document is made of blocks in a separate file; each format is a
file in writers/ and can write any document. Nothing is printed here."""

from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from brt_cg.exports.paper import AS_USUAL, Printing
from brt_cg.files import make_folder, write_export_files
from brt_cg.questions import RefusedError
from brt_cg.resources import read_toml_cached
from brt_cg.text import install_command, list_text, unknown_name_error
from brt_cg.views.view import PublicView, View

if TYPE_CHECKING:  # `status` prints no document
    from brt_cg.exports.blocks import Document, Output

_DOCUMENTS = read_toml_cached(Path(__file__).with_name("documents.toml"))
DOCUMENTS: Mapping[str, tuple[str, ...]] = {
    name: tuple(document["formats"]) for name, document in _DOCUMENTS.items() if document["formats"]
}
ABOUT: Mapping[str, str] = {name: document["about"] for name, document in _DOCUMENTS.items()}
USES: Mapping[str, str] = {name: document["for"] for name, document in _DOCUMENTS.items()}
NAMES: Mapping[str, str] = {
    name: document.get("name", name.replace("-", " ").capitalize())
    for name, document in _DOCUMENTS.items()
}


def name_in_sentence(document: str) -> str:
    """Return the name of a document within a sentence: "scenario-end form", "HIP sheet"."""
    name = NAMES[document]
    return name if name[:2].isupper() else f"{name[0].lower()}{name[1:]}"


EXTRAS = {"pdf": "typst", "xlsx": "openpyxl"}  # the module that a format needs, by its extra
PUBLIC = tuple(name for name, document in _DOCUMENTS.items() if document.get("public"))
FULL = tuple(name for name, document in _DOCUMENTS.items() if document.get("full"))


def export_document(
    book: View,
    what: str,
    format: str | None = None,
    printing: Printing = AS_USUAL,
) -> "Output":
    """Return a document as a side (None: the umpire) may see it, in a format (None: its default).

    Raises RefusedError for an unknown document or format, for a format whose extra is not
    installed, and for a document without a full form or a form for both sides if that is asked for.
    """
    if what not in DOCUMENTS:
        wrong = f"there is no document {what!r}"
        raise RefusedError(
            unknown_name_error([*DOCUMENTS, "vsav"], what, wrong, "brt-cg export --help")
        )
    formats = DOCUMENTS[what]
    if format is not None and format not in formats:
        raise RefusedError(unknown_name_error(formats, format, f"{what} has no format {format!r}"))
    if printing.full and what not in FULL:
        raise RefusedError(f"{what} has no full version; choose {list_text(FULL)}")
    return render_document(build_document(book, what, printing), format or formats[0])


def build_document(book: View, what: str, printing: Printing = AS_USUAL) -> "Document":
    """Return a document, in blocks for any format. Raises RefusedError for a document that has no
    form for both sides, if that is asked for."""
    if isinstance(book, PublicView) and what not in PUBLIC:
        raise RefusedError(f"{what} has no public version; choose {list_text(PUBLIC)}")
    name = what.replace("-", "_")
    module = import_module(f"brt_cg.exports.{name}")
    document: Document = getattr(module, f"build_{'full_' if printing.full else ''}{name}")(book)
    return replace(document, paper=printing.paper)


def install_command_if_missing(format: str) -> str | None:
    """Return the command that installs the extra for a format, if that is missing."""
    module = EXTRAS.get(format)
    if module is None or find_spec(module) is not None:
        return None
    return install_command(format)


def render_document(document: "Document", format: str) -> "Output":
    """Return a document in a format."""
    module = import_module(f"brt_cg.exports.writers.as_{format}")
    written: Output = getattr(module, f"write_{format}")(document)
    return written


def save_document(made: "Output", path: Path, *, private: bool, force: bool = False) -> list[Path]:
    """Write a document. A new file of a `private` one, such as any seat's, can be read only by the
    file's owner. Return its files, in order. A file that was exported before and not edited since
    is replaced, and with `force` any other file. Raises RefusedError, with nothing written, for
    other existing files and always for a campaign file. Raises OSError, with the file."""
    files: dict[Path, str | bytes] = {}
    if isinstance(made, dict):
        make_folder(path)
        files.update((path / name, text) for name, text in made.items())
    else:
        files[path] = made
    write_export_files(files, force, private=private)
    return list(files)
