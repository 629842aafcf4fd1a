"""What a table holds as it stands in storage, before anybody has understood it."""

from brt_cg.values import frozen

Value = str | int | float | bytes | None
Cell = tuple[Value, str]  # a value and SQLite's storage class: null integer real text blob


@frozen
class RawTable:
    """A table as it stands, whatever it holds: names of columns, and rows of cells."""

    columns: tuple[str, ...]
    rows: tuple[dict[str, Cell], ...]


def quoted(name: str) -> str:
    """A name as SQL takes it."""
    return '"' + name.replace('"', '""') + '"'
