"""A campaign file is watched for what others write into it."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.storage.watch import FileWatch

NOTE = {"words": "seen", "side": None, "about": None}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "campaign.brt"
    OpenCampaign.create(path, {"cg": "III"}).close()
    return path


@pytest.fixture
def watch(path: Path) -> Iterator[FileWatch]:
    with closing(FileWatch(path)) as watch:
        yield watch


def note(path: Path) -> None:
    with closing(OpenCampaign.open(path)) as desk:
        desk.run_command("note", NOTE)


def test_each_entry_is_noticed_once(path: Path, watch: FileWatch) -> None:
    before = watch.change_token()
    assert watch.change_token() == before
    for _ in range(3):
        note(path)
        assert watch.change_token() != before
        before = watch.change_token()
        assert watch.change_token() == before


def test_a_watcher_does_not_wait_for_a_writer_and_notices_it_later(
    path: Path, watch: FileWatch
) -> None:
    before = watch.change_token()
    with closing(sqlite3.connect(path, isolation_level=None)) as writing:
        writing.execute("BEGIN EXCLUSIVE")
        writing.execute("PRAGMA user_version = 7")
        assert watch.change_token() == before
        writing.execute("COMMIT")
    assert watch.change_token() != before


@pytest.mark.posix
def test_a_replacement_file_is_noticed(path: Path, watch: FileWatch) -> None:
    other = path.with_name("other.brt")
    shutil.copy(path, other)
    note(other)
    before = watch.change_token()
    other.replace(path)
    replaced = watch.change_token()
    assert replaced != before
    note(path)
    assert watch.change_token() != replaced


@pytest.mark.posix
def test_a_file_deleted_and_restored_is_noticed(path: Path, watch: FileWatch) -> None:
    before = watch.change_token()
    away = path.rename(path.with_name("away.brt"))
    assert watch.change_token() is None
    away.rename(path)
    assert watch.change_token() not in (None, before)


def test_a_file_that_is_no_longer_a_campaign_is_noticed(path: Path, watch: FileWatch) -> None:
    watch.change_token()
    path.write_bytes(b"words" * 2000)
    assert watch.change_token() is None


def test_a_wal_file_is_watched_without_extra_files(path: Path, watch: FileWatch) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA journal_mode = WAL")
    before = watch.change_token()
    assert before is not None
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA user_version = 7")
    assert watch.change_token() != before
    note(path)  # which takes it out of WAL mode
    after = watch.change_token()
    note(path)
    assert watch.change_token() != after
