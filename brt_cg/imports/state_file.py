"""A state that players hand in: a JSON file, a folder of CSV files, or a filled-in workbook."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from brt_cg.asks import Refused
from brt_cg.commands.problems import CSV, XLSX, Problems
from brt_cg.imports.csv_folder import read_csv_folder
from brt_cg.imports.reading import read_json


def read_state(path: Path) -> Any:
    """The state document of a file or folder; what it says is checked by the command that takes it.

    Raises Refused if it cannot be read at all.
    """
    if path.is_dir():
        return read_csv_folder(path)
    if _is_workbook(path):
        from brt_cg.imports.xlsx_template import read_workbook

        return read_workbook(path)
    if path.suffix.lower() == ".csv":
        raise Refused(f"{path}: a state in CSV is a folder; give the folder, {path.parent}")
    return read_json(path)


def source_of(path: Path) -> str:
    """The `source` of that document: its file's name; of tables, one by which what is wrong is told
    as table, row and column."""
    if path.is_dir():
        return f"{path.name or path}/{CSV}"
    return f"{path.stem}{XLSX}" if _is_workbook(path) else path.name


@contextmanager
def told_by_cell(path: Path) -> Iterator[None]:
    """What is wrong with a document that came from a workbook is told by sheet and cell."""
    try:
        yield
    except Problems as problems:
        if not _is_workbook(path):
            raise
        from brt_cg.imports.xlsx_template import with_cells

        raise with_cells(path, problems) from None


def _is_workbook(path: Path) -> bool:
    return path.suffix.lower() == XLSX
