"""What is wrong with something handed in: collected with its place, raised together."""

import re
from collections.abc import Iterable

from brt_cg.asks import Refused
from brt_cg.shapes import listed, shown

__all__ = ["CSV", "Findings", "Problems", "listed", "place_in", "shown"]

CSV = "*.csv"


class Problems(Refused):
    """Several things wrong at once; `problems` has a line for each, the message all of them."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class Findings:
    """Problems as they are found. `source` names the file they are in, if there is one."""

    def __init__(self, source: str | None = None) -> None:
        self.source = source
        self.lines: list[str] = []

    def add(self, path: str, message: str) -> None:
        """Notes what is wrong at a JSON path ("units[12].location")."""
        self.lines.append(": ".join(filter(None, (place_in(self.source, path), message))))

    def bad(self, path: str, found: object, allowed: str) -> None:
        """Notes a value that is not allowed."""
        self.add(path, f"found {shown(found)}; allowed: {allowed}")

    def finish(self) -> None:
        """Raises Problems if anything was noted."""
        if self.lines:
            raise Problems(self.lines)


def place_in(source: str | None, path: str) -> str:
    """A JSON path as players find it: with its file, or as file, row and column of a CSV folder."""
    if source and source.endswith(CSV):
        return source.removesuffix(CSV) + _csv_place(path) if path else source
    return ": ".join(filter(None, (source, path)))


def _csv_place(path: str) -> str:
    # The first line of a table is its header, so list entry 0 stands in row 2.
    entry = re.fullmatch(r"(\w+)\[(\d+)\](?:\.(\w+))?.*", path)
    if entry:
        table, index, column = entry.groups()
        if table == "perimeters":
            return f"perimeters.csv, perimeter {int(index) + 1}, column hexes"
        return f"{table}.csv, row {int(index) + 2}" + (f", column {column}" if column else "")
    table, _, rest = path.partition(".")
    if table == "sides" and rest:
        side, _, column = rest.partition(".")
        return f"sides.csv, row of {side}" + (f", column {column}" if column else "")
    return f"{table}.csv" + (f", column {rest}" if rest else "")
