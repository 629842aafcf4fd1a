"""The engine: its transactions hold, and a campaign stays one durable file."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from brt_cg.storage import sqlite as sqlite_only
from brt_cg.storage.errors import StorageError
from brt_cg.storage.sqlite import (
    copy,
    make_migrating_engine,
    open_to_write,
    transaction,
)
from tests.storage.pen import Pen, dump, sql


@pytest.fixture
def written(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(open_to_write(tmp_path / "t.db", new=True)) as connection:
        with transaction(connection):
            connection.execute("CREATE TABLE a (x INTEGER PRIMARY KEY)")
            connection.execute("CREATE TABLE b (x INTEGER REFERENCES a)")
        yield connection


class Mishap(Exception):
    pass


def pragma(connection: sqlite3.Connection, name: str) -> object:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


def count(connection: sqlite3.Connection, table: str) -> object:
    return connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def test_a_table_made_in_a_transaction_goes_with_it(written: sqlite3.Connection) -> None:
    with suppress(Mishap), transaction(written):
        written.execute("CREATE TABLE c (x)")
        raise Mishap
    assert count(written, "sqlite_master WHERE name = 'c'") == 0


def test_a_released_savepoint_of_a_migration_goes_with_its_transaction(tmp_path: Path) -> None:
    (tmp_path / "m.db").touch()
    engine = make_migrating_engine(tmp_path / "m.db")
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE a (x)")
    with suppress(Mishap), engine.begin() as connection:
        with connection.begin_nested():
            connection.exec_driver_sql("INSERT INTO a VALUES (1)")
        raise Mishap
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM a").scalar_one() == 0
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar_one() == 0
    engine.dispose()


def test_who_writes_takes_the_right_to_at_once(
    written: sqlite3.Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_only, "PATIENCE", 0.05)
    with closing(open_to_write(tmp_path / "t.db")) as other:
        with (
            transaction(written),
            pytest.raises(sqlite3.OperationalError, match="locked"),
            transaction(other),
        ):
            pass
        with transaction(other):
            other.execute("INSERT INTO a VALUES (1)")
    assert count(written, "a") == 1


def test_references_are_kept(written: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"), transaction(written):
        written.execute("INSERT INTO b VALUES (7)")
    assert count(written, "b") == 0


def test_a_commit_is_on_the_disk(written: sqlite3.Connection) -> None:
    extra = 3
    assert pragma(written, "synchronous") == extra
    assert pragma(written, "fullfsync") == 1


def test_a_file_turned_to_wal_is_one_file_again(
    written: sqlite3.Connection, tmp_path: Path
) -> None:
    written.close()
    sql(tmp_path / "t.db", "PRAGMA journal_mode = WAL")
    with closing(open_to_write(tmp_path / "t.db")) as again:
        assert pragma(again, "journal_mode") == "delete"
    assert [one.name for one in tmp_path.iterdir()] == ["t.db"]


def test_writing_never_makes_a_file_by_accident(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError):
        open_to_write(tmp_path / "gone.brt")
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_use_is_copied_whole_without_what_is_not_committed(
    file_pen: Pen, tmp_path: Path
) -> None:
    before = dump(file_pen.place)
    writer = sqlite3.connect(file_pen.place, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("DELETE FROM units")
    copy(file_pen.place, tmp_path / "copy.brt")
    writer.close()
    assert dump(tmp_path / "copy.brt") == before


def test_a_copy_takes_no_other_files_place(file_pen: Pen, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(StorageError, match=r"notes\.txt exists already"):
        copy(file_pen.place, tmp_path / "notes.txt")
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_copy_that_cannot_be_made_says_so(file_pen: Pen, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="there is no folder"):
        copy(file_pen.place, tmp_path / "no such folder" / "copy.brt")
