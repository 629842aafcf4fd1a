"""A forger with sqlite3 in his hands: cells, rows, whole entries and a chain of new hashes."""

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from brt_cg.audit import Report, audit_campaign
from brt_cg.journal.changes import force_changes
from brt_cg.journal.entries import NO_HASH, Entry, canonical_json, chain_hash, log_lines_from_json
from brt_cg.model.campaign import Campaign
from brt_cg.storage.place import Address, Place
from brt_cg.storage.postgres import schema_name
from brt_cg.storage.projection import ROLLS, cell_value, roll_rows, table_rows
from tests.postgres import SUPERUSER, held

Payload = dict[str, Any]


@contextmanager
def pried_open(path: Place, restored: bool = True) -> Iterator[Any]:
    """The campaign without its triggers and its constraints; the triggers are put back as they
    were. A server lets nobody do without CHECKs."""
    if isinstance(path, Address):
        connection = held(path.server, SUPERUSER)
        connection.execute(f'SET search_path = "{schema_name(path)}"')
        yield connection
        return
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        listed = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        triggers = connection.execute(listed).fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        try:
            with connection:
                yield connection
        finally:
            for _, sql in triggers if restored else ():
                connection.execute(sql)


@contextmanager
def put_back(path: Place, table: str) -> Iterator[None]:
    """What is done to the rows of a table within is undone afterwards."""
    with pried_open(path) as connection:
        rows = connection.execute(f"SELECT * FROM {table}").fetchall()
    try:
        yield
    finally:
        marks = ", ".join("%s" if isinstance(path, Address) else "?" for _ in rows[0])
        with pried_open(path) as connection:
            connection.execute(f"DELETE FROM {table}")
            connection.cursor().executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


def tables(path: Path) -> list[str]:
    """Every table but Alembic's own."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return sorted(name for (name,) in rows if name != "alembic_version")


@cache
def columns(path: Place, table: str) -> list[str]:
    with pried_open(path) as connection:
        found = connection.execute(f"SELECT * FROM {table}")
        return [column[0] for column in found.description]


def codes(report: Report) -> set[str]:
    return {one.code for one in report.findings}


def messages(report: Report, code: str) -> list[str]:
    return [one.message for one in report.findings if one.code == code]


def shows(text: str) -> bool:
    """Whether any terminal can print a text."""
    return all(line.isprintable() for line in text.split("\n")) and bool(text.encode("utf-8"))


# --- whole entries --------------------------------------------------------------------------------


class Forger:
    """Rewrites a journal, and then everything that follows from it: hashes and tables.

    `payloads` and `said` are those of the entries, to be altered at will.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with closing(sqlite3.connect(path)) as connection:
            rows = connection.execute("SELECT payload, said FROM journal ORDER BY seq").fetchall()
        self.payloads: list[Payload] = [json.loads(text) for text, _ in rows]
        self.said: list[str] = [said for _, said in rows]

    def where(self, wanted: Callable[[Payload], bool]) -> int:
        """The number of the first entry that is as wanted."""
        return next(seq for seq, one in enumerate(self.payloads, start=1) if wanted(one))

    def of_kind(self, kind: str) -> int:
        return self.where(lambda one: one["kind"] == kind)

    def payload(self, seq: int) -> Payload:
        return self.payloads[seq - 1]

    def change(self, seq: int, table: str, field: str) -> list[Any]:
        """The first change that an entry makes to a field of a table."""
        return next(
            one for one in self.payload(seq)["changes"] if (one[0], one[2]) == (table, field)
        )

    def add(self, kind: str, changes: Sequence[list[Any]] = (), **more: Any) -> int:
        """One more entry at the end, dressed like the others; its number."""
        newest = self.payloads[-1]
        seq = len(self.payloads) + 1
        dress = {"at": newest["at"], "by": "players", "rules": newest["rules"], "call": seq}
        dress |= {"form": newest["form"]} if "form" in newest else {}
        self.payloads.append(dress | {"kind": kind, "changes": list(changes)} | more)
        self.said.append("[]")
        return seq

    def cut(self, seq: int) -> None:
        """Takes an entry out; those after it move up."""
        del self.payloads[seq - 1], self.said[seq - 1]

    def seal(self) -> None:
        """Writes the journal with fresh hashes, and the tables that its changes give."""
        entries: list[Entry] = []
        before = NO_HASH
        for seq, (payload, said) in enumerate(zip(self.payloads, self.said, strict=True), start=1):
            text = canonical_json(payload)
            before = chain_hash(before, seq, text)
            entries.append(Entry(seq, text, before, payload, log_lines_from_json(said)))
        with pried_open(self.path) as connection:
            connection.execute("DELETE FROM journal")
            rows = [(e.seq, e.text, e.hash, self.said[e.seq - 1]) for e in entries]
            connection.executemany("INSERT INTO journal VALUES (?, ?, ?, ?)", rows)
            _write_tables(connection, entries)

    def audited(self) -> Report:
        """The audit of the file with all that was forged."""
        self.seal()
        return audit_campaign(self.path)


def _write_tables(connection: sqlite3.Connection, entries: Sequence[Entry]) -> None:
    campaign = Campaign()
    standing: set[int] = set()
    for entry in entries:
        force_changes(campaign, entry.changes)
        about = set(entry.asked.get("entries", ()))
        standing = standing - about if entry.kind == "undo" else standing | about | {entry.seq}
    rolls = roll_rows(one for one in entries if one.seq in standing)
    for table, rows in (table_rows(campaign) | {ROLLS: rolls}).items():
        connection.execute(f"DELETE FROM {table}")
        names = ", ".join(f'"{name}"' for name in rows.columns)
        marks = ", ".join("?" * len(rows.columns))
        for row in rows.values.values():
            values = [*map(cell_value, row)]
            connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", values)
