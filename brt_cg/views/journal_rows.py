"""The rows of the journal, and the readable text of an entry."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any

from brt_cg.commands.registry import COMMANDS
from brt_cg.immutable import immutable
from brt_cg.journal.changes import Change
from brt_cg.journal.entries import TIME_TRAVEL, Entry
from brt_cg.model import Seat, Side
from brt_cg.questions import SEEDED
from brt_cg.refit import sequence
from brt_cg.refit.log_line import LogLine

TITLES = {kind: command.title for kind, command in COMMANDS.items()}
TRAVELS = {kind.capitalize() for kind in TIME_TRAVEL}
MOST_TAKEN_BACK = 12  # lines kept of a run
SUBJECTS = ("id", "purchase", "item", "source", "unit", "about")


@immutable
class ShownLine:
    """A line of the log. `seq` is the entry's number (in a side's view that of the row); `rule` is
    None for a command; `secret` is the side whose secret the line is, if any. `kind` is the kind of
    event, `date` the CG Date, `side` the side that was asked or that entered it, `about` the ids
    that it names."""

    seq: int
    rule: str | None
    title: str
    text: str
    undone: bool = False
    secret: Side | None = None
    kind: str = ""
    date: str = ""
    side: Side | None = None
    about: tuple[str, ...] = ()

    @property
    def heading(self) -> str:
        """The title of the line's paragraph, "15.6112 Wounded leaders", or of its command."""
        return f"{self.rule} {self.title}" if self.rule else self.title

    @property
    def is_undo_report(self) -> bool:
        """Whether the line only reports an undo or redo, which is marked in the undone lines
        anyway."""
        return self.rule is None and self.title in TRAVELS

    def __str__(self) -> str:
        return f"{self.heading} · {self.text}{undone_mark(self.undone)}"


@immutable(kw_only=True)
class ShownRow:
    """One row of the journal. `number` is the entry's for the umpire (with its `hash`), counted
    separately for a side (no hash). `rule` is a paragraph's number, None for a command; `source` is
    the source of an answer (hand, file, app, default; SEEDED for the program's dice with a seed, if
    the seat may not know the `seed`), `side` the side that was asked; `seat` the seat that entered
    it, if known; `undone` says whether the row is undone; `rolls` is the number of rolls that an
    undo undid and that the seat may know of."""

    number: int
    at: str | None
    by: str | None
    kind: str
    rule: str | None
    title: str
    subject: str | None
    answer: Any
    source: str | None
    roll: dict[str, Any] | None
    lines: tuple[LogLine, ...]
    changes: list[Change]
    undone: bool
    hash: str | None
    side: Side | None = None
    seat: Seat | None = None
    seed: str | None = None
    rolls: int = 0

    @property
    def is_standing(self) -> bool:
        """Whether the row counts: it is not undone, and is not itself an undo or redo."""
        return not self.undone and self.kind not in TIME_TRAVEL

    @property
    def heading(self) -> str:
        """The title of the row's paragraph, "15.6112 Wounded leaders", or of its command."""
        return f"{self.rule} {self.title}" if self.rule else self.title


def shorten_undone_runs(lines: Iterable[ShownLine]) -> Iterator[ShownLine]:
    """Yield the lines, but only the first few of a long run of undone lines, or of lines about an
    undo, so that undoing a whole phase does not hide the rest. An undo and the redo after it are
    two runs."""
    for gone, run in groupby(lines, lambda line: (line.undone, line.is_undo_report and line.title)):
        row = [*run]
        most = MOST_TAKEN_BACK if any(gone) else len(row)
        yield from row[:most]
        if row[most:]:
            under, more = row[most - 1], f"and {len(row) - most} more lines"
            yield replace(row[-1], rule=under.rule, title=under.title, text=more)


def undone_mark(undone: bool) -> str:
    """Return the mark to put after a line if it is undone; otherwise ""."""
    return f" ({TIME_TRAVEL['undo']})" if undone else ""


def title_of_entry(entry: Entry) -> str:
    """Return the title of an entry's paragraph or command."""
    played = sequence.TITLES.get(entry.rule or "")
    return played or TITLES.get(entry.kind, entry.kind.capitalize())


def subject_of_entry(entry: Entry) -> str | None:
    """Return the counter or other subject of an entry."""
    if entry.kind == "answer":
        return str(entry.payload["ask"]["subject"])
    if entry.kind in TIME_TRAVEL:
        return entry_span_text(entry.asked["entries"])
    return next((str(entry.asked[key]) for key in SUBJECTS if entry.asked.get(key)), None)


def answer_source(entry: Entry, side: Side | None) -> dict[str, str]:
    """Return the `from` and `seed` of an answer as a seat (None: the umpire) may know them: a
    player who knows a seed also knows the dice that it gives for the enemy's secrets, so a side
    sees its own seeds; for others it sees only that a seed was used."""
    payload = entry.payload
    known: dict[str, str] = {name: payload[name] for name in ("from", "seed") if name in payload}
    is_own = side is None or (entry.seat is not None and entry.seat.side is side)
    return {"from": SEEDED} if "seed" in known and not is_own else known


def entry_span_text(numbers: list[int]) -> str:
    """Return entry numbers in words: "entry 7", "entries 12–15"."""
    first, last = min(numbers), max(numbers)
    return f"entry {first}" if first == last else f"entries {first}–{last}"
