"""The folders of data files: beside the package once installed, at the top of a checkout."""

from functools import lru_cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any
from zlib import crc32

_PACKAGE = Path(__file__).resolve().parent


def campaigns() -> Path:
    """The folder of CG cards, tables, rulings and the map. Raises FileNotFoundError."""
    return folder("campaigns")


def migrations() -> Path:
    """The folder of the campaign file's Alembic revisions. Raises FileNotFoundError."""
    return folder("migrations")


def folder(name: str) -> Path:
    """A folder of data files; that of the shells' completions is only in a wheel. Raises
    FileNotFoundError if it is missing."""
    places = (_PACKAGE / "_data" / name, _PACKAGE.parent / name)
    for place in places:
        if place.is_dir():
            return place
    looked = " nor ".join(str(place) for place in places)
    raise FileNotFoundError(f"the {name} folder is missing: neither {looked} exists")


def toml(path: Path) -> dict[str, Any]:
    """Returns the contents of one of the program's TOML files; they must not be changed. Raises
    OSError, UnicodeDecodeError, TOMLDecodeError."""
    return _parsed(str(path), path.read_bytes())


@lru_cache(maxsize=32)
def _parsed(path: str, data: bytes) -> dict[str, Any]:
    parsed = _Loader(data, path).get_code("")
    assert parsed is not None, "TOML has a source"
    found: dict[str, Any] = eval(parsed)
    return found


class _Loader(SourceFileLoader):
    """Caches parsed TOML, which is slow to parse, in `__pycache__` as Python caches modules, as
    long as the file's contents are the same. So no TOML file may have the name of a module beside
    it."""

    def __init__(self, data: bytes, path: str) -> None:
        super().__init__("", path)
        self._data = data

    def path_stats(self, path: str) -> dict[str, int]:
        """Derives the stamp from the contents, where Python uses the time: an edit may be too quick
        for that."""
        return {"mtime": crc32(self._data), "size": len(self._data)}

    def source_to_code(  # type: ignore[override]
        self, data: bytes, path: str, *_: Any, **__: Any
    ) -> CodeType:
        import tomllib

        return compile(repr(tomllib.loads(self._data.decode())), path, "eval")
