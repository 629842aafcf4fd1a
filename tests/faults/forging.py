"""A forger at a campaign's file: cells, rows, the schema, whole entries, labels, heads. Whatever he
does, the audit finds it, or it changed nothing."""

import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import cached_property
from pathlib import Path
from random import Random

from brt_cg.audit import audit_campaign
from brt_cg.model.counters import Side
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.storage.errors import StorageError
from brt_cg.storage.sqlite import open_to_read
from brt_cg.views.public_point import visible_journal
from brt_cg.views.view_chain import view_hashes
from tests.audit import test_forgeries, test_labels
from tests.audit.forger import Forger, columns, pried_open, put_back, tables
from tests.audit.played import make
from tests.audit.tampering import Tampering, edits, literal, tampered_with
from tests.faults.table import Harm, Problem

SCHEMA = (
    *(f"DROP TRIGGER journal_refuses_{what}" for what in ("update", "delete", "disorder")),
    "CREATE TRIGGER extra AFTER INSERT ON journal BEGIN DELETE FROM units; END",
    "CREATE VIEW extra AS SELECT 1",
)
OF_A_TABLE = (
    *("DROP TABLE {table}", "ALTER TABLE {table} RENAME TO other"),
    "ALTER TABLE {table} ADD COLUMN extra TEXT",
    'ALTER TABLE {table} DROP COLUMN "{column}"',
    'ALTER TABLE {table} RENAME COLUMN "{column}" TO other',
    "CREATE INDEX extra ON {table} ({column})",
    "CREATE TABLE copied AS SELECT * FROM {table}; DROP TABLE {table}; "
    "ALTER TABLE copied RENAME TO {table}",
)


class Forging:
    """A played campaign, lent to be tampered with. Each suite below is one kind of it."""

    def __init__(self, folder: Path, quick: int, full: int) -> None:
        self.folder, self.quick, self.full = folder, quick, full

    def seeds(self, full: bool) -> Iterable[str]:
        return map(str, range(self.full if full else self.quick))

    @cached_property
    def pristine(self) -> Path:
        path = self.folder / "pristine.brt"
        return path if path.exists() else make(path)

    @cached_property
    def lent(self) -> Path:
        return self.copy(f"{type(self).__name__}.brt")

    def copy(self, name: str = "copy.brt") -> Path:
        return Path(shutil.copy(self.pristine, self.folder / name))

    def chosen(self, chance: Random) -> str:
        return chance.choice(tables(self.pristine))


def passes(what: str, path: Path) -> Iterator[Problem]:
    """A problem if the audit of a file that was tampered with finds nothing, or raises."""
    try:
        if audit_campaign(path).ok:
            yield Problem(Harm.UNTRUE, f"{what}: the audit finds nothing")
    except StorageError:
        pass  # it is told to be no campaign any more
    except Exception as error:
        yield Problem(Harm.UNTRUE, f"{what}: the audit raises {error!r}")


class Cells(Forging):
    """Another value in any cell."""

    def problems(self, seed: str) -> Iterator[Problem]:
        chance = Random(f"cell {seed}")
        table = self.chosen(chance)
        with closing(open_to_read(self.lent)) as connection:
            rows = connection.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()
        names, row = columns(self.lent, table), chance.choice(rows)
        at = chance.randrange(len(names))
        what, sql = chance.choice([*edits(row[at])])
        wanted = Tampering(row[0], names[at], what, sql)
        with put_back(self.lent, table):
            if tampered_with(self.lent, table, [wanted]):
                yield from passes(f"{table}, {wanted}", self.lent)


class Rows(Forging):
    """A row gone, or one too many, or the values of two exchanged."""

    def problems(self, seed: str) -> Iterator[Problem]:
        chance = Random(f"row {seed}")
        table = self.chosen(chance)
        key, *others = (f'"{name}"' for name in columns(self.lent, table))
        with closing(open_to_read(self.lent)) as connection:
            found = connection.execute(f"SELECT {key} FROM {table}").fetchall()
        row = literal(chance.choice(found)[0])
        new = "1000" if table in ("journal", "die_rolls") else "'extra'"
        wanted = ", ".join(others)
        sql = chance.choice(
            (
                f"DELETE FROM {table} WHERE {key} = {row}",
                f"DELETE FROM {table} WHERE {key} >= {row}",
                f"UPDATE {table} SET {key} = {new} WHERE {key} = {row}",
                f"INSERT INTO {table} ({key}, {wanted}) "
                f"SELECT {new}, {wanted} FROM {table} WHERE {key} = {row}",
            )
        )
        with put_back(self.lent, table):
            with pried_open(self.lent) as connection:
                connection.execute(sql)
            yield from passes(sql, self.lent)


class Schema(Forging):
    """Anything of the tables themselves."""

    def problems(self, seed: str) -> Iterator[Problem]:
        chance, path = Random(f"schema {seed}"), self.copy()
        table = self.chosen(chance)
        column = chance.choice(columns(self.pristine, table))
        sql = chance.choice((*SCHEMA, *OF_A_TABLE, *OF_A_TABLE))
        sql = sql.format(table=table, column=column)
        before = path.read_bytes()
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            try:
                connection.executescript(f"PRAGMA foreign_keys = OFF; {sql}")
            except sqlite3.Error:
                return  # SQLite does not let him
        if path.read_bytes() != before:
            yield from passes(sql, path)


class Entries(Forging):
    """Whole entries, well hashed and with tables that follow; under labels of other rules too."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, 0, 0)

    def seeds(self, full: bool) -> Iterable[str]:
        yield from (forge.__name__ for forge in test_forgeries.FORGERIES)

    def problems(self, seed: str) -> Iterator[Problem]:
        path = self.copy()
        forger = Forger(path)
        forge: Callable[[Forger], object] = getattr(test_forgeries, seed)
        forge(forger)
        forger.seal()
        yield from passes(seed, path)


class Labels(Forging):
    """Entries forged under a label that was never given out: the seed "2 a_die_turned" is the third
    of them."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, 0, 0)

    def seeds(self, full: bool) -> Iterable[str]:
        labels = range(len(test_labels.INVENTED))
        return (f"{at} {one.__name__}" for at in labels for one in test_labels.FORGERIES)

    def problems(self, seed: str) -> Iterator[Problem]:
        label, _, name = seed.partition(" ")
        path = self.copy()
        forger = test_labels.labelled(path, [*test_labels.INVENTED.values()][int(label)])
        forge: Callable[[Forger], object] = getattr(test_labels, name)
        forge(forger)
        forger.seal()
        yield from passes(seed, path)


class Heads(Forging):
    """The tail cut off, or entries after one cut out, all sealed afresh: each seat's noted head is
    missed where its chain is another."""

    @cached_property
    def noted(self) -> dict[Side | None, list[str]]:
        return _chains(self.pristine)

    def problems(self, seed: str) -> Iterator[Problem]:
        chance, path = Random(f"head {seed}"), self.copy()
        forger = Forger(path)
        first = chance.randint(2, len(forger.payloads))
        last = first if chance.random() < 0.3 else len(forger.payloads)
        for _ in range(last - first + 1):
            forger.cut(first)
        try:
            forger.seal()
            now = _chains(path)
        except (StorageError, ValueError, LookupError, AttributeError, TypeError):
            return  # no such campaign can even be written, or opened
        for side, hashes in self.noted.items():
            head = chance.choice(hashes)
            told = {one.code for one in audit_campaign(path, head=head, side=side).findings}
            if ("head" in told) is (head in now[side]):
                whose = side or "the umpire"
                yield Problem(Harm.UNTRUE, f"entries {first}–{last} are cut, and {whose} is misled")


def _chains(path: Path) -> dict[Side | None, list[str]]:
    desk = OpenCampaign.open_read_only(path)
    found: dict[Side | None, list[str]] = {
        None: [entry.hash for entry in unrestricted_campaign(desk).entries]
    }
    return found | {
        side: view_hashes(visible_journal(unrestricted_campaign(desk), side), side) for side in Side
    }
