"""A parsed line of an order of battle, and the messages about it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from brt_cg.card import Wave
from brt_cg.card.unit_names import fortification_from_state_row, typed_fortification_text
from brt_cg.commands.state_document import FORMAT, VERSION
from brt_cg.model import Fortification, Side
from brt_cg.questions import RefusedError
from brt_cg.text import NotUnderstoodError, TextSlice

ASIDE = "ignored: the program does not track this counter"
NOT_YOURS = "these are your opponent's counters; enter your own"

Row = dict[str, Any]


@dataclass(slots=True)
class ParsedOrderLine:
    """One parsed line: its `number` and `text`, the rows of its counters by table; for an arrival
    the date and Wave, and its `kinds` without them; its `words` for the player; and the problem
    (`wrong`), if any. A line set `aside` is a heading, or about something that is not tracked;
    `remarks` are such parts of a line."""

    number: int
    text: TextSlice
    side: Side | None = None
    date: str | None = None
    wave: Wave | None = None
    kinds: str = ""
    rows: list[tuple[str, Row]] = field(default_factory=list)
    wrong: NotUnderstoodError | None = None
    aside: bool = False
    remarks: list[str] = field(default_factory=list)
    armor_leaders: list[str] = field(default_factory=list)

    @property
    def problems(self) -> list[str]:
        """The problems with the line, for the player."""
        return [] if self.wrong is None else [str(self.wrong)]

    @property
    def meaning_or_problem_text(self) -> str:
        """The parsed line in words, or the problem with it."""
        if self.wrong is not None:
            return str(self.wrong)
        if self.aside:
            return f"{self.text.rstrip(': ')}: {ASIDE}"
        called: dict[str, list[str]] = {}
        for table, row in self.rows:
            fort = table == Fortification.TABLE
            kind = (
                typed_fortification_text(fortification_from_state_row(row))
                if fort
                else f"{row['type']} {_kind_words(row)}"
            )
            if row.get("armor_leader"):
                kind += f" with {row['armor_leader']} armor leader"
            called.setdefault(kind, []).append(row.get("name") or "")
        kinds = (
            f"{len(names)} × {kind} {', '.join(filter(None, names))}".rstrip()
            for kind, names in called.items()
        )
        listed = ", ".join((*kinds, *(f"{each} armor leader" for each in self.armor_leaders)))
        if self.remarks:
            listed += f"; ignored: {', '.join(self.remarks)}"
        wave = f", {self.wave.words}" if self.wave else ""
        return f"{self.date}{wave}: {listed}" if self.date else listed


def _kind_words(row: Row) -> str:
    more = ["reduced"] if row.get("strength") == "reduced" else []
    known = {"tank_hunter": "T-H", "korean_laborer": "laborer", "half_squad": "HS"}
    known |= {"sw": "SW", "gun": "Gun"}
    words = [*more, *row.get("traits", []), str(row.get("kind", "vehicle"))]
    return " ".join(known.get(word, word.replace("_", " ")) for word in words)


def reinforce_inputs(
    lines: Iterable[ParsedOrderLine], source: str | None = None
) -> list[dict[str, Any]]:
    """Return the inputs of `reinforce`, one for the counters there now and one for each date and
    Wave. Raises RefusedError with every line that is not understood."""
    known = list(lines)
    problems = [
        f"line {line.number}: {line.wrong} ({line.text})"
        for line in known
        if line.wrong is not None
    ]
    if not problems and not any(line.rows for line in known):
        problems = ["it has no counters; enter at least one"]
    if problems:
        raise RefusedError(*problems)
    found: dict[tuple[str | None, Wave | None, Side | None], list[ParsedOrderLine]] = {}
    for line in known:
        if line.aside:
            continue
        whose = line.side if line.date else None
        found.setdefault((line.date, line.wave, whose), []).append(line)
    return [_asked(together, source) for together in found.values()]


def _asked(lines: list[ParsedOrderLine], source: str | None) -> dict[str, Any]:
    state: dict[str, Any] = {"format": FORMAT, "version": VERSION}
    for line in lines:
        for table, row in line.rows:
            state.setdefault(table, []).append(row)
    asked: dict[str, Any] = {"state": state, "source": source}
    if lines[0].date is not None:
        words = "; ".join(line.kinds for line in lines)
        wave = lines[0].wave or Wave()
        asked |= {"date": lines[0].date, "wave": wave.name, "lines": words}
        more = {"turn": wave.turn, "formations": wave.formations, "entry_area": wave.entry_area}
        asked |= {name: value for name, value in more.items() if value is not None}
    return asked


def apply_suggestions(text: str, lines: Sequence[ParsedOrderLine]) -> str:
    """Return the lines with every suggestion applied; "" if there are no suggestions."""
    written = text.splitlines(keepends=True)
    for line in lines:
        if line.wrong is not None:
            written[line.number - 1] = line.wrong.corrected(written[line.number - 1])
    return "" if "".join(written) == text else "".join(written)


def refuse_lines_of_enemy(lines: Iterable[ParsedOrderLine], seat: Side | None) -> None:
    """Note a problem at each line about the enemy's counters, if the seat belongs to a side. Raises
    RefusedError if there are any."""
    if any(line.side is not None and line.side is not seat for line in lines if seat is not None):
        raise RefusedError(NOT_YOURS)
