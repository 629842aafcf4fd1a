"""Campaigns that a program of each version of the rules played, and the places to stop in them.

A stop is the file as it was after some entries of its journal, in its own revision: the entries
after it are gone, and the other tables hold what those before it fold to. Where a campaign is
stopped follows from its version, and differs from one to the next, so that together they stop in
every paragraph that asks several questions.
"""

import lzma
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from brt_cg.journal.entries import Entry
from brt_cg.journal.journal import Journal
from brt_cg.model.records import WINDOW
from brt_cg.storage import reader
from brt_cg.storage.campaign_file import CampaignFile

FILES: Final = Path(__file__).parent / "files"
SUFFIX: Final = ".brt.xz"
KEPT: Final = tuple(sorted(path.name.removesuffix(SUFFIX) for path in FILES.glob(f"*{SUFFIX}")))
BEGUN: Final = ("begin", "skip")
STOPS: Final = ("scenario", "question", "answers", "purchases", "mismatch", "end")


def version_of(name: str) -> int:
    """The version of the rules that played a kept campaign."""
    return int(name.partition("-")[0])


def unpack(name: str, path: Path) -> None:
    """Writes a kept campaign to a file, as it was kept."""
    path.write_bytes(lzma.decompress((FILES / f"{name}{SUFFIX}").read_bytes()))


def stop(name: str, where: str, path: Path) -> None:
    """Writes a kept campaign as it was at one of STOPS to a file."""
    stop_after(name, length_at(name, where), path)


def stop_after(name: str, length: int, path: Path) -> None:
    """Writes a kept campaign as it was after so many entries to a file."""
    unpack(name, path)
    journal = journal_of(name, length)
    with TemporaryDirectory() as folder:
        tables = Path(folder) / "tables.brt"
        made = CampaignFile.prepare_new(tables)
        made.write_with_notices(journal.entries, journal.campaign)
        made.close()
        _cut(path, length, tables)


def length_at(name: str, where: str) -> int:
    """The number of entries at one of STOPS.

    - `scenario`: a Refit Phase has ended;
    - `question`: a paragraph has asked its first question;
    - `answers`: some questions of a paragraph are answered, and another one is open;
    - `purchases`: something was bought at 15.614;
    - `mismatch`: the last such place where today's rules play the paragraph differently; where they
      never do, as `answers`;
    - `end`: a question of the next Refit Phase is open.
    """
    entries = entries_of(name)
    if where == "end":
        return len(entries)
    if where == "scenario":
        return next(entry.seq for entry in reversed(entries) if entry.kind == "import") - 1
    if where == "purchases":
        opened = next(
            entry.seq for entry in entries if entry.kind in BEGUN and entry.rule == WINDOW
        )
        return next(entry.seq for entry in entries[opened:] if entry.kind == "answer") - 1
    answered = runs_of_answers(entries)
    if where == "mismatch" and (length := last_mismatch(name)):
        return length
    first, last = answered[version_of(name) % len(answered)]
    return first - 1 if where == "question" else (first + last) // 2


def runs_of_answers(entries: Sequence[Entry]) -> list[tuple[int, int]]:
    """The first and last answer of each paragraph with several, up to the end of the campaign."""
    runs: list[tuple[int, int]] = []
    first = 0
    for entry, following in pairwise(entries):
        if entry.kind in BEGUN:
            first = entry.seq + 1
        elif entry.kind != "answer":
            first = 0
        elif entry.seq > first > 0 and following.kind in BEGUN:
            runs.append((first, entry.seq))
    return runs


@cache
def last_mismatch(name: str) -> int:
    """The number of entries up to the last place in a paragraph that today's rules play
    differently; 0 if there is none."""
    entries = entries_of(name)
    lengths = (last - 1 for _, last in reversed(runs_of_answers(entries)))
    return next((length for length in lengths if journal_of(name, length).mismatch), 0)


def journal_of(name: str, length: int) -> Journal:
    """The journal of a kept campaign after so many entries."""
    journal = Journal(lambda: "")
    journal.load(entries_of(name)[:length])
    return journal


@cache
def entries_of(name: str) -> tuple[Entry, ...]:
    """The journal of a kept campaign."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "kept.brt"
        unpack(name, path)
        return tuple(reader.stream_entries(path))


def _cut(path: Path, length: int, tables: Path) -> None:
    """Removes the entries after the first so many; every other table is filled anew from a file of
    the newest revision, with the columns that it has in this one."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("ATTACH ? AS made", (str(tables),))
        connection.execute("BEGIN")
        for name in reader.table_names_besides_journal(path):
            columns = _columns(connection, "main", name) & _columns(connection, "made", name)
            listed = ", ".join(f'"{column}"' for column in sorted(columns))
            connection.execute(f'DELETE FROM main."{name}"')
            connection.execute(
                f'INSERT INTO main."{name}" ({listed}) SELECT {listed} FROM made."{name}"'
            )
        guards = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        triggers = connection.execute(guards).fetchall()  # the journal is only ever added to
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("DELETE FROM journal WHERE seq > ?", (length,))
        for _, made in triggers:
            connection.execute(made)
        connection.execute("COMMIT")


def _columns(connection: sqlite3.Connection, schema: str, table: str) -> set[str]:
    rows = connection.execute(f"PRAGMA {schema}.table_info({table})")
    return {row[1] for row in rows}
