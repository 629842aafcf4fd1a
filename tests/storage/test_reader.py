"""Reading a campaign file: what it holds, what is wrong with it, and that it is left alone."""

import shutil
import sqlite3
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from brt_cg.journal.entries import NO_HASH
from brt_cg.storage import reader, sqlite
from brt_cg.storage.cells import RawTable, storage_class
from brt_cg.storage.engine import engine_of
from brt_cg.storage.errors import DamagedError, NewerFileError, NotACampaignError, StorageError
from brt_cg.storage.reader import (
    HEAD,
    broken_references,
    integrity_problems,
    newest_entry,
    raw_journal,
    read_revision,
)
from tests.reading import raw_tables, read_entries
from tests.storage.pen import Pen, heal, sql, tamper


def test_the_journal_is_read_back_as_written(pen: Pen) -> None:
    assert read_entries(pen.place) == pen.entries


def test_the_tip_is_the_newest_entry(pen: Pen) -> None:
    assert newest_entry(pen.place) == (5, pen.entries[-1].hash)


def test_reading_leaves_the_folder_unchanged(file_pen: Pen) -> None:
    file_pen.kept.close()
    before = (file_pen.place.read_bytes(), sorted(file_pen.place.parent.iterdir()))
    read_entries(file_pen.place)
    raw_tables(file_pen.place)
    assert (file_pen.place.read_bytes(), sorted(file_pen.place.parent.iterdir())) == before


def test_a_campaign_is_read_while_another_program_is_about_to_write(file_pen: Pen) -> None:
    writer = sqlite3.connect(file_pen.place, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    assert read_entries(file_pen.place) == file_pen.entries
    writer.close()


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """For what connects from now on."""
    monkeypatch.setattr(sqlite, "PATIENCE", 0.05)


@pytest.mark.usefixtures("_impatient")
def test_a_read_sees_one_consistent_state(pen: Pen) -> None:
    with engine_of(pen.place).consistent_reads(pen.place):
        before = newest_entry(pen.place)
        with suppress(StorageError):  # a file refuses it, a server keeps it from this reader
            pen.enter("edit", heal)
        assert newest_entry(pen.place) == before
    pen.enter("edit", heal)
    assert newest_entry(pen.place) > before


def test_a_commit_interrupted_by_a_crash_is_rolled_back(file_pen: Pen, tmp_path: Path) -> None:
    journal = Path(f"{file_pen.place}-journal")
    writer = sqlite3.connect(file_pen.place, isolation_level=None)
    writer.execute("PRAGMA cache_size = 2")
    writer.execute("BEGIN IMMEDIATE")
    for number in range(200):
        writer.execute("INSERT INTO rulings VALUES (?, ?)", (f"R-{number}", "x" * 500))
    crashed = tmp_path / "crashed.brt"
    shutil.copy(file_pen.place, crashed)
    shutil.copy(journal, f"{crashed}-journal")
    writer.close()
    assert crashed.read_bytes() != file_pen.place.read_bytes()
    assert read_entries(crashed) == file_pen.entries
    assert sql(crashed, "SELECT id FROM rulings") == [("R-SAN",)]


# --- what is not a campaign -------------------------------------------------------------------


def nothing(path: Path) -> None:
    pass


def empty(path: Path) -> None:
    path.touch()


def text(path: Path) -> None:
    path.write_text("to whom it may concern\n" * 100)


def folder(path: Path) -> None:
    path.mkdir()


def other_database(path: Path) -> None:
    sql(path, "CREATE TABLE songs (title TEXT)")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (nothing, "there is no such file"),
        (empty, "is empty"),
        (text, "not a campaign file"),
        (folder, "is a folder"),
        (other_database, "a database, but not a brt-cg campaign"),
    ],
)
def test_a_file_that_is_not_a_campaign_is_reported(path: Path, make: object, message: str) -> None:
    assert callable(make)
    make(path)
    for read in (read_entries, read_revision, newest_entry, raw_journal):
        with pytest.raises(NotACampaignError, match=f"50% Betio #1.*{message}"):
            read(path)


def test_a_campaign_file_is_recognized(pen: Pen) -> None:
    assert read_revision(pen.place) == HEAD


def test_a_file_of_a_newer_program_is_refused(pen: Pen) -> None:
    sql(pen.place, "UPDATE alembic_version SET version_num = '0999'")
    for read in (read_revision, read_entries):
        with pytest.raises(NewerFileError, match=r"made by a newer brt-cg.*0999"):
            read(pen.place)


def test_a_file_locked_by_another_program_is_reported(
    file_pen: Pen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brt_cg.storage.sqlite.PATIENCE", 0.05)
    other = sqlite3.connect(file_pen.place, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StorageError, match="another window or program"):
        read_entries(file_pen.place)
    with (
        pytest.raises(StorageError, match="another window or program"),
        sqlite.consistent_reads(file_pen.place),
    ):
        pytest.fail("it is waited for once, not again for each of many reads")
    other.close()


# --- what is damaged --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (
            "UPDATE journal SET payload = replace(payload, '20 AM', '20 PM')",
            "entry 1 .* was changed",
        ),
        (f"UPDATE journal SET hash = '{NO_HASH}' WHERE seq = 3", "entry 3 .* was changed"),
        ("UPDATE journal SET seq = 9 WHERE seq = 5", "entry 5 .* missing"),
        ("DELETE FROM journal WHERE seq = 1", "entry 1 .* missing"),
        ("UPDATE journal SET said = '[[1' WHERE seq = 4", "entry 4 .* cannot be read"),
    ],
)
def test_a_damaged_journal_is_reported(pen: Pen, statement: str, message: str) -> None:
    tamper(pen.place, statement)
    with pytest.raises(DamagedError, match=message):
        read_entries(pen.place)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (
            "UPDATE journal SET payload = CAST(payload AS BLOB) WHERE seq = 2",
            "entry 2 .* was changed",
        ),
        ("UPDATE journal SET said = x'ff' WHERE seq = 4", "entry 4 .* cannot be read"),
        ("UPDATE journal SET said = CAST(x'ff' AS TEXT) WHERE seq = 4", "Could not decode"),
    ],
)
def test_bytes_in_a_journal_are_reported(file_pen: Pen, statement: str, message: str) -> None:
    tamper(file_pen.place, statement)
    with pytest.raises(DamagedError, match=message):
        read_entries(file_pen.place)


def test_two_swapped_entries_are_reported(pen: Pen) -> None:
    tamper(
        pen.place,
        "UPDATE journal SET seq = 99 WHERE seq = 2",
        "UPDATE journal SET seq = 2 WHERE seq = 3",
        "UPDATE journal SET seq = 3 WHERE seq = 99",
    )
    with pytest.raises(DamagedError, match="entry 2 "):
        read_entries(pen.place)


def test_a_missing_last_entry_is_found_only_with_the_checksum(pen: Pen) -> None:
    tamper(pen.place, "DELETE FROM journal WHERE seq = 5")
    assert read_entries(pen.place) == pen.entries[:-1]


def test_a_journal_without_a_column_is_reported(pen: Pen) -> None:
    tamper(pen.place, "ALTER TABLE journal DROP COLUMN said")
    with pytest.raises(DamagedError, match="the tables are not those of a campaign"):
        read_entries(pen.place)


# --- raw, for the audit -----------------------------------------------------------------------


def test_a_damaged_journal_can_still_be_read_raw(file_pen: Pen) -> None:
    tamper(
        file_pen.place,
        "UPDATE journal SET payload = CAST(payload AS BLOB) WHERE seq = 2",
        f"UPDATE journal SET hash = '{NO_HASH}' WHERE seq = 3",
    )
    rows = raw_journal(file_pen.place)
    assert [row.seq for row in rows] == [1, 2, 3, 4, 5]
    assert rows[0].payload == file_pen.entries[0].text
    assert rows[1].payload == file_pen.entries[1].text.encode()
    assert rows[2].hash == NO_HASH


def test_raw_tables_show_values_and_storage_classes(pen: Pen) -> None:
    tables = raw_tables(pen.place)
    assert not {"journal", "alembic_version"} & set(tables)
    assert tables["sides"].columns[:3] == ("id", "player", "san")
    japanese = next(row for row in tables["sides"].rows if row[0] == "japanese")
    assert japanese[1:3] == ("Ōno", 5)


@pytest.mark.parametrize(
    ("expression", "cell"),
    [
        ("'4'", (4, "integer")),
        ("'four'", ("four", "text")),
        ("4.5", (4.5, "real")),
        ("x'34'", (b"4", "blob")),
        ("CAST(x'ff' AS TEXT)", ("\udcff", "text")),
        ("'4' || char(0) || '5'", ("4\x005", "text")),
    ],
)
def test_any_cell_value_is_shown(file_pen: Pen, expression: str, cell: object) -> None:
    tamper(file_pen.place, f"UPDATE sides SET cvp = {expression}")
    sides = raw_tables(file_pen.place)["sides"]
    value = sides.rows[0][sides.columns.index("cvp")]
    assert (value, storage_class(value)) == cell


def test_an_extra_table_is_shown(pen: Pen) -> None:
    tamper(
        pen.place, 'CREATE TABLE "a ""b"" c" ("d e" INTEGER)', 'INSERT INTO "a ""b"" c" VALUES (1)'
    )
    assert raw_tables(pen.place)['a "b" c'] == RawTable(("d e",), ((1,),))


def test_an_intact_file_passes_the_check(pen: Pen) -> None:
    assert integrity_problems(pen.place) == []


def test_a_roll_without_its_entry_is_found(pen: Pen) -> None:
    tamper(pen.place, "UPDATE die_rolls SET seq = 77")
    assert broken_references(pen.place) == ["die_rolls row 77 points to no row of journal"]


# --- quick to load ----------------------------------------------------------------------------


def test_reading_and_storing_an_entry_load_nothing_heavy() -> None:
    code = (
        "import sys, brt_cg.storage.reader, brt_cg.storage.store, brt_cg.storage.campaign_file\n"
        "print({'sqlalchemy', 'sqlmodel', 'alembic', 'pydantic'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"


def test_the_head_is_the_newest_revision() -> None:
    assert reader.REVISIONS[-1] == HEAD
