"""The folders of data files: next to the package once installed, or at the top of a checkout."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).resolve().parent
SIGNS = _PACKAGE / "signs.toml"


def game_data_folder() -> Path:
    """Return the folder of CG cards, tables, rulings and the map. Raises FileNotFoundError."""
    return data_folder("campaigns")


def migrations_folder() -> Path:
    """Return the folder of the campaign file's Alembic revisions. Raises FileNotFoundError."""
    return data_folder("migrations")


def data_folder(name: str) -> Path:
    """Return a folder of data files; the shells' completions are only in a wheel. Raises
    FileNotFoundError if it is missing."""
    places = (_PACKAGE / "_data" / name, _PACKAGE.parent / name)
    for place in places:
        if place.is_dir():
            return place
    looked = " nor ".join(str(place) for place in places)
    raise FileNotFoundError(f"the {name} folder is missing: neither {looked} exists")


@cache
def read_toml_cached(path: Path) -> dict[str, Any]:
    """Return the contents of one of the program's TOML files, which does not change while the
    program runs; the contents must not be changed. Raises OSError, UnicodeDecodeError,
    TOMLDecodeError."""
    return tomllib.loads(path.read_text("utf-8"))
