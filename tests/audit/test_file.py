"""The file that holds a campaign: its tables and triggers, its revision, and its damage."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.cli import main
from brt_cg.model.counters import Side
from brt_cg.storage.reader import HEAD
from tests.audit.forger import codes, messages, pried_open, shows

pytestmark = pytest.mark.usefixtures("made_again_once")


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("CREATE TABLE extra (id TEXT)", "the table extra is unknown"),
        ('CREATE TABLE "a ""b""" (id)', 'the table a "b" is unknown'),
        ("CREATE VIEW extra AS SELECT 1", "the view extra is unknown"),
        ("CREATE INDEX extra ON units (id)", "the index extra is unknown"),
        ("ALTER TABLE units ADD COLUMN extra TEXT", "the column units.extra is unknown"),
        ("ALTER TABLE journal ADD COLUMN extra TEXT", "the column journal.extra is unknown"),
        ("ALTER TABLE units DROP COLUMN name", "the column units.name is missing"),
        ("DROP TABLE terrain", "the table terrain is missing"),
        ("ALTER TABLE terrain RENAME TO ground", "the table ground is unknown"),
    ],
)
def test_a_changed_table_or_column_is_found(sql: str, message: str, played: Path) -> None:
    with pried_open(played) as connection:
        connection.execute(sql)
    assert message in messages(audit_campaign(played), "schema")


def test_a_journal_without_a_column_is_found(played: Path) -> None:
    with pried_open(played, restored=False) as connection:
        connection.execute("ALTER TABLE journal DROP COLUMN said")
    assert not audit_campaign(played).ok


@pytest.mark.parametrize(
    "name", ["journal_refuses_update", "journal_refuses_delete", "journal_refuses_disorder"]
)
def test_a_dropped_trigger_is_found(name: str, played: Path) -> None:
    with closing(sqlite3.connect(played)) as connection:
        connection.execute(f"DROP TRIGGER {name}")
    assert messages(audit_campaign(played), "append-only") == [f"the trigger {name} is gone"]


def test_a_trigger_that_does_nothing_is_found(played: Path) -> None:
    with closing(sqlite3.connect(played)) as connection:
        connection.execute("DROP TRIGGER journal_refuses_update")
        body = "BEFORE UPDATE ON journal BEGIN SELECT 1; END"
        connection.execute(f"CREATE TRIGGER journal_refuses_update {body}")
    assert "is wrong" in messages(audit_campaign(played), "append-only")[0]


def test_an_extra_trigger_is_found(played: Path) -> None:
    with closing(sqlite3.connect(played)) as connection:
        body = "AFTER INSERT ON journal BEGIN DELETE FROM units; END"
        connection.execute(f"CREATE TRIGGER extra {body}")
    assert messages(audit_campaign(played), "schema") == ["the trigger extra is unknown"]


def rebuilt(path: Path, table: str, *also: str) -> None:
    """A table with the same rows in the same columns, but without its types and constraints."""
    with pried_open(path) as connection:
        connection.execute(f"CREATE TABLE copied AS SELECT * FROM {table}")
        for sql in also:
            connection.execute(sql)
        connection.execute(f"DROP TABLE {table}")
        connection.execute(f"ALTER TABLE copied RENAME TO {table}")


@pytest.mark.parametrize("table", ["units", "journal", "sides", "alembic_version"])
def test_a_table_rebuilt_without_its_constraints_is_found(table: str, played: Path) -> None:
    rebuilt(played, table)
    due = f"the types or constraints of {table} differ from those of revision {HEAD}"
    assert any(told.startswith(due) for told in messages(audit_campaign(played), "schema"))


def test_a_table_renamed_back_and_forth_is_no_finding(played: Path) -> None:
    """SQLite then writes its name in quotes."""
    with pried_open(played) as connection:
        connection.execute("ALTER TABLE terrain RENAME TO ground")
        connection.execute("ALTER TABLE ground RENAME TO terrain")
    assert audit_campaign(played).ok


def test_a_second_revision_is_found(played: Path) -> None:
    with pried_open(played) as connection:
        connection.execute("INSERT INTO alembic_version VALUES ('0001')")
    assert "alembic_version has 2 rows instead of one" in messages(audit_campaign(played), "schema")


@pytest.mark.parametrize("junk", ["char(27) || '[31m'", "'0000'", "3.5", "x'ff00'", "'latest'"])
def test_an_unknown_revision_is_found(junk: str, played: Path) -> None:
    with pried_open(played) as connection:
        connection.execute(f"UPDATE alembic_version SET version_num = {junk}")
    report = audit_campaign(played)
    assert "there is no revision" in messages(report, "integrity")[0]
    assert shows(report.text())


def test_a_file_in_wal_mode_is_found(played: Path) -> None:
    with closing(sqlite3.connect(played)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    before = played.read_bytes()
    for side in (None, *Side):
        report = audit_campaign(played, side=side)
        assert codes(report) == {"integrity"}
    assert "WAL mode" in messages(audit_campaign(played), "integrity")[0]
    assert main(["status", str(played)]) == 0
    assert list(played.parent.iterdir()) == [played]
    assert played.read_bytes() == before


# --- damage ---------------------------------------------------------------------------------------


def spoil(path: Path, name: str) -> None:
    """Junk in place of the first page of a table or index."""
    with closing(sqlite3.connect(path)) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        where = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        (page,) = connection.execute(where, (name,)).fetchone()
    whole = bytearray(path.read_bytes())
    whole[(page - 1) * size : page * size] = b"\xaa" * size
    path.write_bytes(whole)


def forged(path: Path) -> None:
    with pried_open(path) as connection:
        connection.execute("UPDATE units SET name = 'FORGED' WHERE id = 'm-sq-2'")
        connection.execute("UPDATE journal SET hash = 'x' WHERE seq = 60")


@pytest.mark.parametrize("name", ["terrain", "sqlite_autoindex_units_1", "alembic_version"])
def test_a_damaged_page_hides_nothing_else(name: str, played: Path) -> None:
    forged(played)
    spoil(played, name)
    report = audit_campaign(played)
    assert report.entries == 94
    assert {"integrity", "hash-chain", "projection"} <= codes(report)
    assert any("FORGED" in one for one in messages(report, "projection"))


def test_a_table_that_cannot_be_read_is_named(played: Path) -> None:
    spoil(played, "terrain")
    found = messages(audit_campaign(played), "integrity")
    assert any(one.startswith("the table terrain cannot be read") for one in found)


def test_an_unreadable_journal_is_found(played: Path) -> None:
    with pried_open(played) as connection:
        connection.execute("CREATE TABLE extra (id TEXT)")
    spoil(played, "journal")
    report = audit_campaign(played)
    assert (report.entries, report.head) == (0, None)
    assert any(
        one.startswith("the journal cannot be read") for one in messages(report, "integrity")
    )
    assert messages(report, "schema") == ["the table extra is unknown"]
    assert codes(audit_campaign(played, side=Side.MARINE)) == {"integrity", "schema"}


def test_damaged_pages_are_found(played: Path) -> None:
    whole = played.read_bytes()
    played.write_bytes(whole[:8192] + bytes(4096) + whole[12288:])
    report = audit_campaign(played)
    assert "integrity" in codes(report)
    assert shows(report.text())
