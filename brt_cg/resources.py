"""Where the data files are: beside the package once installed, at the top of a checkout."""

from functools import lru_cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
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


@lru_cache(maxsize=32)
def toml(path: Path) -> dict[str, Any]:
    """What a TOML file of the program says, for looking only. Raises OSError, UnicodeDecodeError,
    TOMLDecodeError."""
    parsed = _Parsed("", str(path)).get_code("")
    assert parsed is not None, "TOML has a source"
    found: dict[str, Any] = eval(parsed)
    return found


class _Parsed(SourceFileLoader):
    """TOML, which is slow to parse, is kept as python keeps its modules: in `__pycache__`, until
    the file is another one. So none may be named as a module beside it is."""

    def source_to_code(  # type: ignore[override]
        self, data: bytes, path: str, *_: Any, **__: Any
    ) -> CodeType:
        import tomllib

        return compile(repr(tomllib.loads(bytes(data).decode())), path, "eval")


def _folder(name: str) -> Path:
    places = (_PACKAGE / "_data" / name, _PACKAGE.parent / name)
    for place in places:
        if place.is_dir():
            return place
    looked = " nor ".join(str(place) for place in places)
    raise FileNotFoundError(f"the {name} folder is missing: neither {looked} exists")
