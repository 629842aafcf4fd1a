"""The raw cells of a table in storage, before they are interpreted."""

from brt_cg.immutable import immutable


class OtherValue(str):
    """A value of a type that no campaign column has, in words."""


Value = str | int | float | bytes | None
_CLASSES = {type(None): "null", int: "integer", str: "text", float: "real", bytes: "blob"}


def storage_class(value: Value) -> str:
    """Return the storage class of a value, by SQLite's names: null, integer, text, real, blob; or
    other."""
    return _CLASSES.get(type(value), "other")


@immutable
class RawTable:
    """A table with any contents: the names of its columns, and its rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]


def quote_name(name: str) -> str:
    """Return a name quoted for SQL."""
    return '"' + name.replace('"', '""') + '"'
