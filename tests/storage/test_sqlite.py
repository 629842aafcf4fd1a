"""The engine: its transactions hold, and a campaign stays one durable file."""

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError

from brt_cg.storage import sqlite as sqlite_only
from brt_cg.storage.errors import StorageError
from brt_cg.storage.sqlite import copy, make_engine, make_migrating_engine
from tests.storage.pen import Pen, dump, sql


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    engine = make_engine(tmp_path / "t.db", "rwc")
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE a (x INTEGER PRIMARY KEY)")
        connection.exec_driver_sql("CREATE TABLE b (x INTEGER REFERENCES a)")
    yield engine
    engine.dispose()


class Mishap(Exception):
    pass


def pragma(engine: Engine, name: str) -> object:
    with engine.connect() as connection:
        return connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()


def count(engine: Engine, table: str) -> object:
    with engine.connect() as connection:
        return connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one()


def test_a_table_made_in_a_transaction_goes_with_it(engine: Engine) -> None:
    with suppress(Mishap), engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE c (x)")
        raise Mishap
    assert count(engine, "sqlite_master WHERE name = 'c'") == 0


def test_a_released_savepoint_goes_with_its_transaction(engine: Engine) -> None:
    with suppress(Mishap), engine.begin() as connection:
        with connection.begin_nested():
            connection.exec_driver_sql("INSERT INTO a VALUES (1)")
        raise Mishap
    assert count(engine, "a") == 0


def test_who_writes_takes_the_right_to_at_once(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_only, "PATIENCE", 0.05)
    other = make_engine(tmp_path / "t.db")
    with (
        engine.begin(),
        pytest.raises(OperationalError, match="locked"),
        other.begin(),
    ):
        pass
    with other.begin() as connection:
        connection.exec_driver_sql("INSERT INTO a VALUES (1)")
    other.dispose()


def test_references_are_kept(engine: Engine) -> None:
    with pytest.raises(Exception, match="FOREIGN KEY"), engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO b VALUES (7)")


def test_references_are_not_kept_while_migrating(tmp_path: Path) -> None:
    engine = make_migrating_engine(tmp_path / "t.db", "rwc")
    assert pragma(engine, "foreign_keys") == 0
    engine.dispose()


def test_a_commit_is_on_the_disk(engine: Engine) -> None:
    full = 2
    assert pragma(engine, "synchronous") == full


def test_a_file_turned_to_wal_is_one_file_again(engine: Engine, tmp_path: Path) -> None:
    engine.dispose()
    sql(tmp_path / "t.db", "PRAGMA journal_mode = WAL")
    assert pragma(engine, "journal_mode") == "delete"
    assert [one.name for one in tmp_path.iterdir()] == ["t.db"]


def test_writing_never_makes_a_file_by_accident(tmp_path: Path) -> None:
    engine = make_engine(tmp_path / "gone.brt")
    with pytest.raises(OperationalError), engine.connect():
        pass
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
    with pytest.raises(StorageError, match="cannot be opened"):
        copy(file_pen.place, tmp_path / "no such folder" / "copy.brt")
