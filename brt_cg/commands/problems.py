"""The problems of an input: collected with their places, raised together."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from brt_cg.model import Text
from brt_cg.questions import Problem, raise_problems
from brt_cg.text import invisible_sign_problem, short_json, unknown_name_error

CSV, XLSX = "*.csv", ".xlsx"  # the end of the name of a source with several tables


class InputProblems:
    """The problems found so far. `source` names their file, if there is one."""

    def __init__(self, source: str | None = None) -> None:
        self.source = source
        self.problems: list[Problem] = []

    def add(self, path: str, message: str) -> None:
        """Note a problem at a JSON path ("units[12].location")."""
        self.problems.append(Problem(path, message, problem_place_text(self.source, path)))

    def place_text(self, path: str) -> str:
        """Return the place of a JSON path in words, next to another place in the same file."""
        place = problem_place_text(self.source, path)
        return place.removeprefix(f"{self.source}: ").removeprefix(f"{self.source}, ")

    def add_bad_value(self, path: str, found: object, allowed: str) -> None:
        """Note a value that is not allowed."""
        self.add(path, f"{short_json(found)} is not accepted; enter {allowed}")

    def check_reason(self, reason: object) -> None:
        """Note any problem with a reason."""
        try:
            Text().read(reason)
        except ValueError:
            wrong = invisible_sign_problem(reason) if isinstance(reason, str) else None
            self.add(
                "reason",
                wrong or f"{short_json(reason)} is not accepted; enter a reason, in one line",
            )

    def read_ids(self, asked: Mapping[str, Any]) -> dict[str, None]:
        """Read the `ids` of an input that holds nothing else, in order and without duplicates. If
        anything is wrong with them, note it and return none."""
        self.note_unknown_fields(asked, ("ids",))
        ids = asked.get("ids")
        if not isinstance(ids, list) or not ids or not all(isinstance(id, str) for id in ids):
            self.add_bad_value("ids", ids, "a list of ids")
            return {}
        return dict.fromkeys(ids)

    def problem_noter(self, path: str) -> Callable[[str, str], None]:
        """Return a function that notes a problem of a field of the record at a path."""
        return lambda name, message: self.add(field_path(path, name), message)

    def note_unknown_fields(
        self, given: Iterable[str], known: Iterable[str], path: str = ""
    ) -> None:
        """Note every unknown field."""
        names = list(known)
        for name in given:
            if name not in names:
                self.add(
                    field_path(path, str(name)),
                    str(unknown_name_error(names, str(name), "unknown field")),
                )

    def check_format(self, document: Mapping[str, Any], format: str, version: int) -> bool:
        """Return whether a document has this format and version; note a problem if it does not."""
        before = len(self.problems)
        if document.get("format") != format:
            self.add_bad_value("format", document.get("format"), short_json(format))
        # type() and not ==: true equals 1.
        if type(document.get("version")) is not int or document["version"] != version:
            self.add_bad_value("version", document.get("version"), str(version))
        return len(self.problems) == before

    def raise_problems(self) -> None:
        """Raise RefusedError if anything was noted."""
        raise_problems(self.problems)


def field_path(path: str, name: str) -> str:
    """Return the JSON path of a field of the record at a path."""
    return f"{path}.{name}" if path else name


def problem_place_text(source: str | None, path: str) -> str:
    """Return a JSON path in the players' words: with its file; or as table, row and column of a CSV
    folder or a workbook."""
    if not (source and path and source.endswith((CSV, XLSX))):
        return ": ".join(filter(None, (source, path)))
    table, row, column = table_row_and_column(path)
    named = "perimeter" if table == "perimeters" else "row" if isinstance(row, int) else "row of"
    csv = source.endswith(CSV)
    parts = [f"{source.removesuffix(CSV)}{table}.csv"] if csv else [source, f"sheet {table}"]
    parts += [f"{named} {row}"] if row else []
    return ", ".join([*parts, *([f"column {column}"] if column else [])])


def table_row_and_column(path: str) -> tuple[str, int | str, str]:
    """Return the table of a JSON path; its row (the number, the text of its first cell such as
    "marine", or "" for an only row or none); and its column ("" for none)."""
    entry = re.fullmatch(r"(\w+)\[(\d+)\](?:\.(\w+))?.*", path)
    if entry is None:
        table, _, column = path.partition(".")
        side, _, total = column.partition(".")
        return (table, side, total) if table == "sides" else (table, "", column)
    table, index, column = entry.groups(default="")
    if table == "perimeters":
        return table, str(int(index) + 1), "hexes"
    return table, int(index) + 2, column  # the first line of a table is its header
