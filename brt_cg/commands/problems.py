"""The problems of an input: collected with their places, raised together."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from brt_cg.answers import refuse
from brt_cg.shapes import listed, shown

CSV, XLSX = "*.csv", ".xlsx"  # the end of the name of a source with several tables


class Findings:
    """The problems found so far. `source` names their file, if there is one."""

    def __init__(self, source: str | None = None) -> None:
        self.source = source
        self.lines: list[str] = []

    def add(self, path: str, message: str) -> None:
        """Notes a problem at a JSON path ("units[12].location")."""
        self.lines.append(": ".join(filter(None, (place_in(self.source, path), message))))

    def named(self, path: str) -> str:
        """The place of a JSON path as it is named beside another one of the same file."""
        place = place_in(self.source, path)
        return place.removeprefix(f"{self.source}: ").removeprefix(f"{self.source}, ")

    def bad(self, path: str, found: object, allowed: str) -> None:
        """Notes a value that is not allowed."""
        self.add(path, f"found {shown(found)}; allowed: {allowed}")

    def noting(self, path: str) -> Callable[[str, str], None]:
        """Returns a function that notes a problem of a field of the record at a path."""
        return lambda name, message: self.add(at(path, name), message)

    def refuse_unknown(self, given: Iterable[str], known: Iterable[str], path: str = "") -> None:
        """Notes every unknown field."""
        names = list(known)
        for name in given:
            if name not in names:
                self.add(at(path, str(name)), f"unknown field; allowed: {listed(names)}")

    def check_format(self, document: Mapping[str, Any], format: str, version: int) -> bool:
        """Whether a document is of a format and version; notes a problem otherwise."""
        before = len(self.lines)
        if document.get("format") != format:
            self.bad("format", document.get("format"), shown(format))
        # type() and not ==: true equals 1.
        if type(document.get("version")) is not int or document["version"] != version:
            self.bad("version", document.get("version"), str(version))
        return len(self.lines) == before

    def finish(self) -> None:
        """Raises Refused if anything was noted."""
        refuse(self.lines)


def at(path: str, name: str) -> str:
    """The JSON path of a field of the record at a path."""
    return f"{path}.{name}" if path else name


def place_in(source: str | None, path: str) -> str:
    """A JSON path in the players' words: with its file; or as table, row and column of a CSV folder
    or a workbook."""
    if source and path and source.endswith(CSV):
        table, *rest = _table_place(path)
        return ", ".join([f"{source.removesuffix(CSV)}{table}.csv", *rest])
    if source and path and source.endswith(XLSX):
        table, *rest = _table_place(path)
        return ", ".join([source, f"sheet {table}", *rest])
    return ": ".join(filter(None, (source, path)))


def _table_place(path: str) -> Iterator[str]:
    """The table of a JSON path; then its row and its column, if it has them."""
    # The first line of a table is its header, so list entry 0 is in row 2.
    entry = re.fullmatch(r"(\w+)\[(\d+)\](?:\.(\w+))?.*", path)
    if entry:
        table, index, column = entry.groups()
        yield table
        if table == "perimeters":
            yield f"perimeter {int(index) + 1}"
            yield "column hexes"
            return
        yield f"row {int(index) + 2}"
    else:
        table, _, column = path.partition(".")
        yield table
        if table == "sides" and column:
            side, _, column = column.partition(".")
            yield f"row of {side}"
    if column:
        yield f"column {column}"
