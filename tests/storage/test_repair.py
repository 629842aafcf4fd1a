"""What a damaged campaign file still holds goes into a new one, and what is lost is told."""

import random
import sqlite3
from pathlib import Path

import pytest

from brt_cg.storage.errors import StorageError
from brt_cg.storage.reader import raw_tables, read_entries
from brt_cg.storage.repair import repair
from tests.settings import count
from tests.storage.pen import Pen, heal, sql


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "repaired.brt"


def without_walls(path: Path, *statements: str) -> None:
    """Changes a file as no program of ours would."""
    triggers = [
        name for (name,) in sql(path, "SELECT name FROM sqlite_master WHERE type='trigger'")
    ]
    sql(path, *(f'DROP TRIGGER "{name}"' for name in triggers), *statements)


def test_damaged_tables_lose_nothing(pen: Pen, target: Path) -> None:
    whole = raw_tables(pen.path)
    without_walls(pen.path, "DELETE FROM units", "DROP TABLE weapons")
    found = repair(pen.path, target)
    assert (found.why, found.lost) == (None, ())
    assert read_entries(target) == pen.entries
    assert raw_tables(target) == whole


def test_what_comes_after_a_break_is_lost_and_told(pen: Pen, target: Path) -> None:
    pen.enter("edit", heal)
    without_walls(pen.path, "UPDATE journal SET payload = replace(payload, 'a', 'o') WHERE seq = 4")
    found = repair(pen.path, target)
    assert (found.entries, found.why) == (3, "entry 4 is not as it was written")
    assert [seq for seq, _ in found.lost] == [4, 5, 6]
    assert read_entries(target) == pen.entries[:3]


def test_an_entry_that_is_missing_is_a_break(pen: Pen, target: Path) -> None:
    without_walls(pen.path, "DELETE FROM journal WHERE seq = 3")
    found = repair(pen.path, target)
    assert (found.entries, found.why) == (2, "entry 3 is missing")


def test_sentences_are_no_part_of_the_chain(pen: Pen, target: Path) -> None:
    without_walls(pen.path, "UPDATE journal SET said = 'spoilt' WHERE seq = 2")
    assert repair(pen.path, target).why is None
    assert [one.hash for one in read_entries(target)] == [one.hash for one in pen.entries]


def test_the_damaged_file_stays_as_it_is(pen: Pen, target: Path) -> None:
    without_walls(pen.path, "DELETE FROM journal WHERE seq = 3")
    before = pen.path.read_bytes()
    repair(pen.path, target)
    assert pen.path.read_bytes() == before


def test_a_repaired_campaign_goes_on(pen: Pen, target: Path) -> None:
    without_walls(pen.path, "DELETE FROM units")
    repair(pen.path, target)
    again = Pen(type(pen.file).open(target))
    again.entries, again.campaign = read_entries(target), pen.campaign
    again.enter("edit", heal)
    assert len(read_entries(target)) == 6
    again.file.close()


@pytest.mark.parametrize("spoilt", [b"no database", b"", b"SQLite format 3\0" + b"\0" * 4000])
def test_where_nothing_holds_no_file_is_written(pen: Pen, target: Path, spoilt: bytes) -> None:
    pen.file.close()
    pen.path.write_bytes(spoilt)
    with pytest.raises(StorageError, match="nothing of its journal holds"):
        repair(pen.path, target)
    assert not target.exists()


def test_another_file_is_not_written_over(pen: Pen, target: Path) -> None:
    target.write_text("mine")
    with pytest.raises(StorageError, match="exists already"):
        repair(pen.path, target)
    assert target.read_text() == "mine"


def test_whatever_bytes_are_changed_what_holds_is_the_beginning_of_the_journal(
    pen: Pen, tmp_path: Path
) -> None:
    for _ in range(30):
        pen.enter("edit", heal)
    pen.file.close()
    whole = pen.path.read_bytes()
    saved = 0
    for seed in range(count(ci=25, full=2000)):
        chance = random.Random(seed)
        spoilt = bytearray(whole[: chance.choice([None, None, chance.randrange(len(whole))])])
        for _ in range(chance.randrange(1, 40)):
            at = chance.randrange(max(1, len(spoilt)))
            spoilt[at : at + 1] = bytes([chance.randrange(256)])
        pen.path.write_bytes(spoilt)
        target = tmp_path / f"{seed}.brt"
        try:
            found = repair(pen.path, target)
        except StorageError:
            assert not target.exists()
            continue
        saved += 1
        entries = read_entries(target)
        assert [one.text for one in entries] == [one.text for one in pen.entries[: len(entries)]]
        assert found.entries == len(entries)
    assert saved > 3


def test_a_hot_journal_is_taken_back_in_the_copy(pen: Pen, target: Path) -> None:
    other = sqlite3.connect(pen.path, isolation_level=None)
    other.execute("PRAGMA cache_size = 1")
    other.execute("BEGIN IMMEDIATE")
    other.execute("CREATE TABLE more AS SELECT hex(randomblob(200000)) AS x")
    half = pen.path.read_bytes()
    journal = pen.path.with_name(f"{pen.path.name}-journal")
    hot = journal.read_bytes()
    other.close()
    pen.path.write_bytes(half)
    journal.write_bytes(hot)
    assert repair(pen.path, target).why is None
    assert read_entries(target) == pen.entries
