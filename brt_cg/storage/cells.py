"""What a table holds as it stands in storage, before anybody has understood it."""

from brt_cg.values import frozen


class Other(str):
    """In words, a value of a type that no column of a campaign has."""


Value = str | int | float | bytes | None
_CLASSES = {type(None): "null", int: "integer", str: "text", float: "real", bytes: "blob"}


def storage_class(value: Value) -> str:
    """What a value is stored as, by SQLite's names: null, integer, text, real, blob; or other."""
    return _CLASSES.get(type(value), "other")


@frozen
class RawTable:
    """A table as it stands, whatever it holds: the names of its columns, and its rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]


def quoted(name: str) -> str:
    """A name as SQL takes it."""
    return '"' + name.replace('"', '""') + '"'
