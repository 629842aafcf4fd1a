"""The engine: its transactions hold, and a campaign stays one durable file."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from brt_cg.storage import sqlite as sqlite_only
from brt_cg.storage.errors import StorageError
from brt_cg.storage.sqlite import (
    copy_to_new_file,
    make_migrating_engine,
    open_to_write,
    reading_connection,
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


def test_a_table_made_in_a_transaction_is_rolled_back_with_it(written: sqlite3.Connection) -> None:
    with suppress(Mishap), transaction(written):
        written.execute("CREATE TABLE c (x)")
        raise Mishap
    assert count(written, "sqlite_master WHERE name = 'c'") == 0


def test_a_released_savepoint_is_rolled_back_with_its_transaction(tmp_path: Path) -> None:
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


def test_a_writer_locks_the_file_immediately(
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


def test_foreign_keys_are_enforced(written: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"), transaction(written):
        written.execute("INSERT INTO b VALUES (7)")
    assert count(written, "b") == 0


def test_a_commit_is_on_the_disk(written: sqlite3.Connection) -> None:
    extra = 3
    assert pragma(written, "synchronous") == extra
    assert pragma(written, "fullfsync") == 1


def test_a_wal_file_becomes_a_single_file_again(
    written: sqlite3.Connection, tmp_path: Path
) -> None:
    written.close()
    sql(tmp_path / "t.db", "PRAGMA journal_mode = WAL")
    with closing(open_to_write(tmp_path / "t.db")) as again:
        assert pragma(again, "journal_mode") == "delete"
    assert [one.name for one in tmp_path.iterdir()] == ["t.db"]


def test_writing_never_creates_a_file_by_accident(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError):
        open_to_write(tmp_path / "gone.brt")
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_use_is_copied_without_uncommitted_changes(file_pen: Pen, tmp_path: Path) -> None:
    before = dump(file_pen.place)
    writer = sqlite3.connect(file_pen.place, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("DELETE FROM units")
    copy_to_new_file(file_pen.place, tmp_path / "copy.brt")
    writer.close()
    assert dump(tmp_path / "copy.brt") == before


def test_a_copy_does_not_replace_a_file(file_pen: Pen, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(StorageError, match=r"notes\.txt already exists"):
        copy_to_new_file(file_pen.place, tmp_path / "notes.txt")
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_copy_that_cannot_be_made_says_so(file_pen: Pen, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="there is no folder"):
        copy_to_new_file(file_pen.place, tmp_path / "no such folder" / "copy.brt")


# --- a file that another tool keeps in WAL mode -------------------------------------------------


def in_wal(path: Path) -> sqlite3.Connection:
    """Another tool's connection to a file that it has put into WAL mode."""
    with closing(open_to_write(path, new=True)) as made:
        made.execute("CREATE TABLE words (word)")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA journal_mode = WAL")
    return other


def words_in(path: Path) -> list[str]:
    with reading_connection(path) as connection:
        return [word for (word,) in connection.execute("SELECT word FROM words")]


def test_changes_checkpointed_by_another_tool_are_read(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    with closing(in_wal(path)) as other:
        for word in ("one", "two"):
            other.execute("INSERT INTO words VALUES (?)", (word,))
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            assert path.with_name("t.db-wal").stat().st_size == 0
            assert words_in(path)[-1] == word


def test_reading_without_locks_is_refused_while_another_tool_writes(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    in_wal(path).close()
    assert words_in(path) == []
    assert [each.name for each in tmp_path.iterdir()] == ["t.db"]

    def read_meanwhile(word: str) -> None:
        with reading_connection(path) as connection:
            connection.execute("SELECT word FROM words").fetchall()
            with closing(sqlite3.connect(path, isolation_level=None)) as other:
                other.execute("INSERT INTO words VALUES (?)", (word,))

    with pytest.raises(StorageError, match="another window or program"):
        read_meanwhile("one")
    assert words_in(path) == ["one"]


# --- a second name --------------------------------------------------------------------------------


def test_a_leftover_name_of_a_crash_is_removed_at_the_next_write(
    tmp_path: Path,
) -> None:
    path = tmp_path / "t.db"
    open_to_write(path, new=True).close()
    for name in ("t.db.0123abcd.part", "mine.db"):
        (tmp_path / name).hardlink_to(path)
    (tmp_path / "t.db.89abcdef.part").write_text("another, being made")
    open_to_write(path).close()
    names = sorted(each.name for each in tmp_path.iterdir())
    assert names == ["mine.db", "t.db", "t.db.89abcdef.part"]
