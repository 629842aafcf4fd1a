"""A state that players hand in: a JSON file, or a folder of CSV files."""

from pathlib import Path
from typing import Any

from brt_cg.asks import Refused
from brt_cg.commands.problems import CSV
from brt_cg.imports.csv_folder import read_csv_folder
from brt_cg.imports.reading import read_json


def read_state(path: Path) -> Any:
    """The state document of a file or folder; what it says is checked by the command that takes it.

    Raises Refused if it cannot be read at all.
    """
    if path.is_dir():
        return read_csv_folder(path)
    if path.suffix.lower() == ".csv":
        raise Refused(f"{path}: a state in CSV is a folder; give the folder, {path.parent}")
    return read_json(path)


def source_of(path: Path) -> str:
    """The `source` of that document: its file's name; of a folder, one by which what is wrong is
    told as file, row and column."""
    return f"{path.name or path}/{CSV}" if path.is_dir() else path.name
