"""What a damaged campaign file still holds goes into a new one, and what is lost is told."""

import random
import sqlite3
from pathlib import Path

import pytest

from brt_cg.storage.errors import StorageError
from brt_cg.storage.raw_pages import CorruptPageError, RawPages
from brt_cg.storage.repair import repair_file
from tests.reading import raw_tables, read_entries
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


def test_damaged_tables_lose_nothing(file_pen: Pen, target: Path) -> None:
    whole = raw_tables(file_pen.place)
    without_walls(file_pen.place, "DELETE FROM units", "DROP TABLE weapons")
    found = repair_file(file_pen.place, target)
    assert found.is_complete
    assert read_entries(target) == file_pen.entries
    assert raw_tables(target) == whole


def test_entries_after_a_break_are_lost_and_reported(file_pen: Pen, target: Path) -> None:
    file_pen.enter("edit", heal)
    without_walls(
        file_pen.place, "UPDATE journal SET payload = replace(payload, 'a', 'o') WHERE seq = 4"
    )
    found = repair_file(file_pen.place, target)
    assert (found.entries, found.bad) == (3, {4: "was altered"})
    assert [seq for seq, _ in found.lost] == [5, 6]
    assert read_entries(target) == file_pen.entries[:3]


def test_a_missing_entry_is_a_break(file_pen: Pen, target: Path) -> None:
    without_walls(file_pen.place, "DELETE FROM journal WHERE seq = 3")
    found = repair_file(file_pen.place, target)
    assert (found.entries, found.bad) == (2, {3: "is missing"})


def test_sentences_are_not_part_of_the_chain(file_pen: Pen, target: Path) -> None:
    without_walls(file_pen.place, "UPDATE journal SET said = 'spoilt' WHERE seq = 2")
    assert repair_file(file_pen.place, target).is_complete
    assert [one.hash for one in read_entries(target)] == [one.hash for one in file_pen.entries]


def test_a_repair_leaves_the_damaged_file_unchanged(file_pen: Pen, target: Path) -> None:
    without_walls(file_pen.place, "DELETE FROM journal WHERE seq = 3")
    before = file_pen.place.read_bytes()
    repair_file(file_pen.place, target)
    assert file_pen.place.read_bytes() == before


def test_a_repaired_campaign_can_be_continued(file_pen: Pen, target: Path) -> None:
    without_walls(file_pen.place, "DELETE FROM units")
    repair_file(file_pen.place, target)
    again = Pen(target, type(file_pen.kept).open_upgraded(target))
    again.entries, again.campaign = read_entries(target), file_pen.campaign
    again.enter("edit", heal)
    assert len(read_entries(target)) == 6
    again.kept.close()


@pytest.mark.parametrize("spoilt", [b"no database", b"", b"SQLite format 3\0" + b"\0" * 4000])
def test_no_file_is_written_if_nothing_can_be_saved(
    file_pen: Pen, target: Path, spoilt: bytes
) -> None:
    file_pen.kept.close()
    file_pen.place.write_bytes(spoilt)
    with pytest.raises(StorageError, match="none of its journal can be saved"):
        repair_file(file_pen.place, target)
    assert not target.exists()


def test_a_repair_overwrites_no_other_file(file_pen: Pen, target: Path) -> None:
    target.write_text("mine")
    with pytest.raises(StorageError, match="already exists"):
        repair_file(file_pen.place, target)
    assert target.read_text() == "mine"


def test_a_repair_keeps_the_valid_beginning_of_any_damaged_journal(
    file_pen: Pen, tmp_path: Path
) -> None:
    for _ in range(30):
        file_pen.enter("edit", heal)
    file_pen.kept.close()
    whole = file_pen.place.read_bytes()
    saved = 0
    for seed in range(count(ci=25, full=2000)):
        chance = random.Random(seed)
        spoilt = bytearray(whole[: chance.choice([None, None, chance.randrange(len(whole))])])
        for _ in range(chance.randrange(1, 40)):
            at = chance.randrange(max(1, len(spoilt)))
            spoilt[at : at + 1] = bytes([chance.randrange(256)])
        file_pen.place.write_bytes(spoilt)
        target = tmp_path / f"{seed}.brt"
        try:
            found = repair_file(file_pen.place, target)
        except StorageError:
            assert not target.exists()
            continue
        saved += 1
        entries = read_entries(target)
        assert [one.text for one in entries] == [
            one.text for one in file_pen.entries[: len(entries)]
        ]
        assert found.entries == len(entries)
    assert saved > 3


def test_a_hot_journal_is_rolled_back_in_the_copy(file_pen: Pen, target: Path) -> None:
    other = sqlite3.connect(file_pen.place, isolation_level=None)
    other.execute("PRAGMA cache_size = 1")
    other.execute("BEGIN IMMEDIATE")
    other.execute("CREATE TABLE more AS SELECT hex(randomblob(200000)) AS x")
    half = file_pen.place.read_bytes()
    journal = file_pen.place.with_name(f"{file_pen.place.name}-journal")
    hot = journal.read_bytes()
    other.close()
    file_pen.place.write_bytes(half)
    journal.write_bytes(hot)
    assert repair_file(file_pen.place, target).is_complete
    assert read_entries(target) == file_pen.entries


def test_nothing_is_saved_from_a_journal_without_entries(file_pen: Pen, target: Path) -> None:
    without_walls(file_pen.place, "DELETE FROM journal")
    with pytest.raises(StorageError, match="it contains no entry"):
        repair_file(file_pen.place, target)
    assert not target.exists()


# --- broken trees ---------------------------------------------------------------------------------

PAGE = 4096


@pytest.fixture
def long_pen(file_pen: Pen) -> Pen:
    """A campaign whose journal takes several pages."""
    for number in range(40):
        file_pen.enter("note", lambda campaign: None, asked={"words": f"{number} " * 90})
    file_pen.kept.close()
    return file_pen


def hashes(path: Path) -> list[str]:
    return [one.hash for one in read_entries(path)]


def root_of(path: Path) -> int:
    ((root,),) = sql(path, "SELECT rootpage FROM sqlite_master WHERE name = 'journal'")
    return int(root)


def zeroed(path: Path, page: int) -> None:
    content = bytearray(path.read_bytes())
    content[(page - 1) * PAGE : page * PAGE] = bytes(PAGE)
    path.write_bytes(content)


def test_rows_read_from_raw_pages_match_sqlite(long_pen: Pen) -> None:
    pages = RawPages(long_pen.place.read_bytes())
    rows = {pages.row_at(begins) for _, begins in pages.row_numbers_and_offsets()}
    assert rows >= {*sql(long_pen.place, "SELECT seq, payload, hash, said FROM journal")}
    assert pages.last_row_number(root_of(long_pen.place)) == 45


def test_a_long_entry_is_read_from_its_overflow_pages(file_pen: Pen, target: Path) -> None:
    file_pen.enter("note", lambda campaign: None, asked={"words": "so it went " * 3000})
    file_pen.kept.close()
    zeroed(file_pen.place, 1)
    assert repair_file(file_pen.place, target).entries == 6
    assert hashes(target) == [one.hash for one in file_pen.entries]


@pytest.mark.parametrize("harmed", ["root", "first page"])
def test_unreachable_entries_are_found_but_may_be_incomplete(
    harmed: str, long_pen: Pen, target: Path
) -> None:
    zeroed(long_pen.place, root_of(long_pen.place) if harmed == "root" else 1)
    found = repair_file(long_pen.place, target)
    assert hashes(target) == [one.hash for one in long_pen.entries]
    assert (found.is_complete, found.bad, found.lost) == (False, {}, ())
    (doubt,) = found.doubts
    assert "where the journal ended can no longer be read" in doubt


def test_a_truncated_file_is_not_called_complete(long_pen: Pen, target: Path) -> None:
    content = long_pen.place.read_bytes()
    long_pen.place.write_bytes(content[: len(content) - 3 * PAGE])
    found = repair_file(long_pen.place, target)
    assert 5 < found.entries < 45
    there = len(content) // PAGE
    assert f"{there - 3} of its {there} pages exist" in found.doubts[0]


def test_an_entry_with_a_damaged_number_is_recognized_by_its_hash(
    long_pen: Pen, target: Path
) -> None:
    without_walls(long_pen.place, "UPDATE journal SET seq = 90000000 WHERE seq = 20")
    assert repair_file(long_pen.place, target).is_complete
    assert hashes(target) == [one.hash for one in long_pen.entries]


def test_a_roll_of_a_later_entry_shows_that_entries_are_missing(
    file_pen: Pen, target: Path
) -> None:
    without_walls(
        file_pen.place,
        "DELETE FROM journal WHERE seq = 5",
        "UPDATE die_rolls SET seq = 9 WHERE seq = 3",
    )
    found = repair_file(file_pen.place, target)
    assert found.doubts == ("the tables contain a die roll of entry 9",)


@pytest.mark.parametrize("at", [0, 1, 3, 5, 7, 8, 12])
def test_a_corrupt_page_is_refused(at: int, long_pen: Pen) -> None:
    root = root_of(long_pen.place)
    content = bytearray(long_pen.place.read_bytes())
    content[(root - 1) * PAGE + at] ^= 0x11
    with pytest.raises(CorruptPageError):
        RawPages(bytes(content)).last_row_number(root)
