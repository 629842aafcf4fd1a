"""A state from the players: a JSON file, a folder of CSV files, or a filled-in workbook, recognized
by its contents, as is a VASL save."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum, auto
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from brt_cg.commands.problems import CSV, XLSX
from brt_cg.files import system_words
from brt_cg.imports.csv_folder import read_csv_folder
from brt_cg.imports.reading import read_json
from brt_cg.imports.xlsx_template import read_workbook, with_cells
from brt_cg.questions.answers import Refused, refuse

ZIP = b"PK\x03\x04"
ZIPPED = "a workbook (XLSX) or a VASL save"
NAMES_OF_ZIPS = (XLSX, ".vsav", ".vlog")


class Format(Enum):
    """The formats of a file or folder, whatever its name."""

    JSON = auto()
    CSV = auto()
    WORKBOOK = auto()
    VASL = auto()


def format_of(path: Path) -> Format:
    """The format of a file or folder. Raises Refused if it is a damaged ZIP, or cannot be
    opened."""
    if path.is_dir():
        return Format.CSV
    try:
        if not path.is_file():
            return Format.JSON  # a pipe can be read only once
        with path.open("rb") as file:
            if file.read(len(ZIP)) != ZIP:
                return Format.JSON
        with ZipFile(path) as archive:
            workbook = "[Content_Types].xml" in archive.namelist()
    except OSError as error:
        raise Refused(f"{path}: {system_words(error)}") from None
    except (BadZipFile, EOFError, ValueError, NotImplementedError):
        raise Refused(f"{path}: not {ZIPPED}: its ZIP is damaged") from None
    return Format.WORKBOOK if workbook else Format.VASL


def read_state(path: Path) -> dict[str, Any]:
    """Reads a file or folder: its document as `state`, which the command that takes it checks, and
    as `source` its name, for tables one that makes messages give table, row and column. Raises
    Refused if it cannot be read at all."""
    match format_of(path):
        case Format.CSV:
            return {"state": read_csv_folder(path), "source": f"{path.name or path}/{CSV}"}
        case Format.WORKBOOK:
            return {"state": read_workbook(path), "source": f"{path.stem}{XLSX}"}
        case Format.VASL:
            raise Refused(f"{path}: a VASL save is the end of a scenario: import reads it")
        case Format.JSON:
            source = path.name.removesuffix(XLSX)  # not a workbook, whatever its name
            return {"state": _read_json(path), "source": source}


def _read_json(path: Path) -> Any:
    """Reads a file of no other format. Its name decides how an error is worded."""
    ending = path.suffix.lower()
    try:
        return read_json(path)
    except Refused:
        if ending == ".csv":
            folder = f"a state in CSV is a folder; give the folder, {path.parent}"
            raise Refused(f"{path}: {folder}") from None
        if ending in NAMES_OF_ZIPS:
            raise Refused(f"{path}: not {ZIPPED}: it is not a ZIP file") from None
        raise


@contextmanager
def errors_by_cell(path: Path) -> Iterator[None]:
    """Makes errors in a document from a workbook name sheet and cell."""
    try:
        yield
    except Refused as refused:
        if format_of(path) is not Format.WORKBOOK:
            raise
        refuse(with_cells(path, refused.problems))
