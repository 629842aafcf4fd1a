"""A campaign that was dumped and restored with the database's own tools: nothing is found. But a
constraint that was dropped or altered is."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.storage import store
from brt_cg.storage.place import Address
from brt_cg.storage.postgres import close_idle, schema_name
from tests.audit.forger import messages
from tests.postgres import SUPERUSER, UMPIRE, Server

# --- on a server ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def there(server: Server, pristine: Path) -> Iterator[Address]:
    """The played campaign, alone in a database."""
    server.make_database("kept")
    address = server.address("tarawa", database="kept")
    store.copy_campaign(pristine, address)
    yield address
    close_idle(address)


@pytest.mark.postgres
@pytest.mark.parametrize("way", ["sql", "one schema", "archive"])
def test_an_ordinary_backup_of_a_server_audits_clean(
    way: str, there: Address, server: Server, pristine: Path
) -> None:
    name = f"restored_{way.replace(' ', '_')}"
    server.make_database(name)
    if way == "archive":
        dumped = server.client("pg_dump", "-Fc", "kept")
        server.client("pg_restore", "-d", name, given=dumped)
    else:
        only = ["-n", schema_name(there)] if way == "one schema" else []
        dumped = server.client("pg_dump", *only, "kept")
        server.client("psql", "-q", "-v", "ON_ERROR_STOP=1", name, given=dumped)
    restored = server.address("tarawa", database=name)
    report = audit_campaign(restored)
    assert [str(finding) for finding in report.findings] == []
    assert report.head == audit_campaign(pristine).head
    close_idle(restored)


@pytest.mark.postgres
def test_a_backup_of_a_backup_audits_clean(there: Address, server: Server) -> None:
    """Each restore words the CHECKs anew."""
    for name, source in (("again_1", "kept"), ("again_2", "again_1")):
        server.make_database(name)
        server.client("psql", "-q", name, given=server.client("pg_dump", source))
    restored = server.address("tarawa", database="again_2")
    assert audit_campaign(restored).ok
    close_idle(restored)


ALTERED = [
    ("ALTER TABLE units DROP CONSTRAINT ck_units_fate", "fate allows other values"),
    (
        "ALTER TABLE units DROP CONSTRAINT ck_units_side, ADD CONSTRAINT ck_units_side "
        "CHECK (side IN ('marine', 'japanese', 'both'))",
        "side allows other values",
    ),
    (
        "ALTER TABLE units DROP CONSTRAINT ck_units_side, ADD CONSTRAINT ck_units_side "
        "CHECK (side IN ('marine', 'japanese') OR true)",
        "it has the CHECK",
    ),
    ("ALTER TABLE units ADD CHECK (isolated IN (0, 1))", "it has the CHECK"),
    ("ALTER TABLE units ADD UNIQUE (name)", "it has the constraint units_name_key"),
    ("ALTER TABLE die_rolls DROP CONSTRAINT fk_die_rolls_seq_journal", "seq does not refer"),
    (
        "ALTER TABLE die_rolls DROP CONSTRAINT fk_die_rolls_seq_journal, ADD FOREIGN KEY (seq) "
        "REFERENCES journal ON DELETE CASCADE",
        "it has the constraint die_rolls_seq_fkey",
    ),
    ("ALTER TABLE units DROP CONSTRAINT pk_units", "its key is missing"),
    ("ALTER TABLE units ALTER side DROP NOT NULL", "side may be empty"),
    ("ALTER TABLE units ALTER name SET DEFAULT 'x'", "name is filled by the database"),
    ("ALTER TABLE units ALTER name TYPE varchar(40)", "name holds at most 40 characters"),
    ("ALTER TABLE units ALTER isolated TYPE bigint", "isolated is of the type bigint"),
    ('ALTER TABLE units ALTER name TYPE text COLLATE "C"', "name is sorted otherwise"),
    ("CREATE RULE r AS ON UPDATE TO journal DO INSTEAD NOTHING", "the rule r is unknown"),
    ("CREATE POLICY p ON journal", "the policy p is unknown"),
    (
        "CREATE OR REPLACE TRIGGER journal_refuses_delete BEFORE DELETE ON journal "
        "FOR EACH STATEMENT WHEN (false) EXECUTE FUNCTION journal_refuses()",
        "the trigger journal_refuses_delete is wrong",
    ),
    (
        "CREATE OR REPLACE TRIGGER journal_refuses_delete BEFORE DELETE ON terrain "
        "FOR EACH STATEMENT EXECUTE FUNCTION journal_refuses()",
        "the trigger journal_refuses_delete is wrong",
    ),
    (
        "ALTER FUNCTION journal_refuses() SECURITY DEFINER",
        "the function journal_refuses is wrong",
    ),
]


@pytest.mark.postgres
@pytest.mark.parametrize("altered", [ALTERED[n::5] for n in range(5)])
def test_an_alteration_in_a_restored_server_backup_is_found(
    altered: list[tuple[str, str]], there: Address, server: Server
) -> None:
    """Several alterations of one database are all told."""
    name = "altered"
    server.client("psql", "-q", "postgres", "-c", f"DROP DATABASE IF EXISTS {name}")
    server.client("psql", "-q", "postgres", "-c", f"CREATE DATABASE {name} TEMPLATE kept")
    with server.connect(SUPERUSER, name) as connection:
        connection.execute(f'SET search_path = "{schema_name(there)}"')
        connection.execute(f"SET ROLE {UMPIRE}")
        for statement, told in altered:
            if "trigger" in told and "terrain" in statement:
                connection.execute("DROP TRIGGER journal_refuses_delete ON journal")
            connection.execute(statement)  # type: ignore[arg-type]
    place = server.address("tarawa", database=name)
    report = audit_campaign(place)
    close_idle(place)
    found = "\n".join(finding for code in CODES for finding in messages(report, code))
    assert [told for _, told in altered if told not in found] == [], found


CODES = ("schema", "append-only")


# --- in a file ------------------------------------------------------------------------------------


def test_a_dumped_and_reloaded_file_audits_clean(pristine: Path, tmp_path: Path) -> None:
    restored = tmp_path / "restored.brt"
    with closing(sqlite3.connect(pristine)) as source, closing(sqlite3.connect(restored)) as made:
        made.executescript("\n".join(source.iterdump()))
    assert [str(finding) for finding in audit_campaign(restored).findings] == []


def test_a_file_with_differently_written_sql_audits_clean(played: Path) -> None:
    reworded(played, "units", r"(\w+) VARCHAR\(\d+\)", r'"\1" text')
    reworded(played, "units", r"CHECK \(side IN \('marine', 'japanese'\)\)", _OTHER_WAY)
    assert [str(finding) for finding in audit_campaign(played).findings] == []


_OTHER_WAY = "CHECK( (\"side\" in ('japanese','marine')) )"


@pytest.mark.parametrize(
    ("table", "was", "now", "told"),
    [
        ("units", r",\s*CONSTRAINT ck_units_fate CHECK \([^)]*\)\)", "", "fate allows other"),
        ("units", r"IN \('marine', 'japanese'\)", "IN ('marine')", "side allows other values"),
        ("units", r"IN \('marine', 'japanese'\)", "NOT IN ('x')", "it has the CHECK"),
        ("units", r"(isolated IN \(0, 1\))", r"\1 OR 1", "it has the CHECK"),
        ("units", "name TEXT", "name TEXT DEFAULT 'x'", "name is filled by the database"),
        ("units", "name TEXT", "name TEXT NOT NULL", "name may not be empty"),
        ("units", "name TEXT", "name TEXT UNIQUE", "it has the index"),
        ("units", "name TEXT", "name TEXT COLLATE NOCASE", "it has a COLLATE clause"),
        ("units", "type TEXT NOT NULL", "type TEXT", "type may be empty"),
        ("units", "type TEXT", "type BLOB", "type is of the type BLOB"),
        ("units", "PRIMARY KEY", "UNIQUE", "its key is missing"),
        ("die_rolls", r",\s*CONSTRAINT fk_\w+ FOREIGN KEY.*journal \(seq\)", "", "does not refer"),
        ("die_rolls", r"journal \(seq\)", "journal (seq) ON DELETE CASCADE", "seq changes with"),
        (
            "journal",
            "payload TEXT NOT NULL",
            "payload TEXT NOT NULL ON CONFLICT REPLACE",
            "it has a CONFLICT clause",
        ),
    ],
)
def test_an_alteration_in_a_reloaded_file_is_found(
    table: str, was: str, now: str, told: str, played: Path
) -> None:
    reworded(played, table, was, now)
    assert told in "\n".join(messages(audit_campaign(played), "schema"))


def reworded(path: Path, table: str, was: str, now: str) -> None:
    """Rewrites the SQL of a table, whose rows stay."""
    with closing(sqlite3.connect(path)) as connection, connection:
        wanted = "SELECT sql FROM sqlite_master WHERE name = ?"
        (sql,) = connection.execute(wanted, (table,)).fetchone()
        text, count = re.subn(was, now, sql, flags=re.DOTALL)
        assert count, sql
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (text, table))
