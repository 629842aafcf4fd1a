"""Where the data files are: beside the package once installed, at the top of a checkout."""

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).resolve().parent


def campaigns() -> Path:
    """The folder of CG cards, tables, rulings and the map (`campaigns/`).

    Raises FileNotFoundError if the installation is incomplete.
    """
    return _folder("campaigns")


def migrations() -> Path:
    """The folder of the campaign file's Alembic revisions (`migrations/`).

    Raises FileNotFoundError if the installation is incomplete.
    """
    return _folder("migrations")


def completions() -> Path:
    """The folder of the shells' completions, which is made when the wheel is built.

    Raises FileNotFoundError in a checkout.
    """
    return _folder("completions")


def toml(path: Path) -> dict[str, Any]:
    """What a TOML file says, for looking only: the card, the digests of the rules and the defaults
    of the rulings go by the same files, and each is parsed once. Raises OSError,
    UnicodeDecodeError, TOMLDecodeError."""
    return _parsed(path.read_text("utf-8"))


_parsed = lru_cache(maxsize=32)(tomllib.loads)


def _folder(name: str) -> Path:
    places = (_PACKAGE / "_data" / name, _PACKAGE.parent / name)
    for place in places:
        if place.is_dir():
            return place
    looked = " nor ".join(str(place) for place in places)
    raise FileNotFoundError(f"the {name} folder is missing: neither {looked} exists")
