"""A campaign file, written entry by entry: all of an entry or nothing, and never the wrong file."""

import shutil
import sqlite3
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from brt_cg.journal.entries import Entry, make_next_entry
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side, Unit, UnitKind
from brt_cg.model.records import RulingInForce
from brt_cg.storage import sqlite, store
from brt_cg.storage.campaign_file import CampaignFile
from brt_cg.storage.errors import StaleCampaignError, StorageError
from brt_cg.storage.projection import record_row
from brt_cg.storage.sqlite import atomically_created_file
from tests.reading import raw_tables, read_entries
from tests.storage.pen import Pen, begun, die, dump, heal, settle, sql, write_a_campaign


def tables(path: Path) -> dict[str, list[object]]:
    """Every row of every table but the journal, which never forgets."""
    return {name: rows for name, rows in dump(path).items() if name != "journal"}


def next_entry(pen: Pen) -> Entry:
    """An entry that could follow, not yet written."""
    return make_next_entry(pen.entries, {"kind": "edit", "call": 1, "changes": []})


def reopen(pen: Pen) -> store.Store:
    return store.open_upgraded_store(pen.place)


# --- the projection follows the fold ----------------------------------------------------------


def test_tables_written_in_steps_equal_tables_written_together(pen: Pen, tmp_path: Path) -> None:
    pen.enter("edit", die)
    pen.enter("edit", heal)
    at_once = begun(tmp_path / "at once.brt")
    at_once.roll("m-ldr-1", 3, lambda campaign: campaign.tables.update(pen.campaign.tables))
    mine, other = tables(pen.place), tables(at_once.place)
    assert [row[1:] for row in mine.pop("die_rolls")] == [row[1:] for row in other.pop("die_rolls")]
    assert mine == other
    at_once.kept.close()


def test_undo_removes_rows_and_redo_restores_them(pen: Pen) -> None:
    def reinforce(campaign: Campaign) -> None:
        die(campaign)
        campaign.add(Unit(id="m-sq-1", side=Side.MARINE, kind=UnitKind.SQUAD, type="7-6-8"))
        campaign.add(RulingInForce(id="R-NEW", value="no"))

    before = tables(pen.place)
    done = pen.enter("reinforce", reinforce)
    after = tables(pen.place)
    undone = pen.undo(done.seq)
    assert tables(pen.place) == before != after
    pen.redo(done.seq)
    assert tables(pen.place) == after
    assert undone.seq == done.seq + 1


def test_only_rolls_not_undone_are_listed(pen: Pen) -> None:
    def listed() -> list[int]:
        return [seq for (seq,) in sql(pen.place, "SELECT seq FROM die_rolls ORDER BY seq")]

    assert listed() == [3]
    rolls = sql(pen.place, "SELECT * FROM die_rolls")
    pen.redo(4)
    assert listed() == [3, 4]
    pen.undo(3, 4)
    assert listed() == []
    pen.redo(3, 4)
    pen.undo(4)
    assert sql(pen.place, "SELECT * FROM die_rolls") == rolls


def test_a_change_touches_no_other_row(pen: Pen) -> None:
    sql(pen.place, "UPDATE units SET name = 'tampered' WHERE id = 'j-sq-1'")
    pen.enter("edit", heal)
    units = {id: told for id, *told in sql(pen.place, "SELECT id, name, status FROM units")}
    assert units["j-sq-1"][0] == "tampered"
    assert units["m-ldr-1"][1] == "[]"


def test_hundreds_of_counters_are_one_entry(pen: Pen) -> None:
    def land(campaign: Campaign) -> None:
        for n in range(600):
            unit = Unit(id=f"m-sq-{n}", side=Side.MARINE, kind=UnitKind.SQUAD, type="7-6-8")
            campaign.add(unit)

    entry = pen.enter("reinforce", land)
    assert len(raw_tables(pen.place)["units"].rows) == 602
    pen.undo(entry.seq)
    assert len(raw_tables(pen.place)["units"].rows) == 2


def test_another_program_can_continue_a_campaign(pen: Pen) -> None:
    pen.kept.close()
    again = Pen(pen.place, reopen(pen))
    again.entries, again.campaign = read_entries(pen.place), pen.campaign
    again.enter("edit", heal)
    assert read_entries(pen.place) == again.entries
    assert record_row(again.campaign.units["m-ldr-1"])["status"] == "[]"
    again.kept.close()


def test_any_thread_can_write_an_entry(pen: Pen) -> None:
    worker = threading.Thread(target=lambda: pen.enter("edit", heal))
    worker.start()
    worker.join()
    assert read_entries(pen.place) == pen.entries
    assert len(pen.entries) == 6


# --- a new file -------------------------------------------------------------------------------


def test_a_new_campaign_does_not_replace_a_file(path: Path) -> None:
    path.write_text("mine")
    with pytest.raises(StorageError, match="already exists"):
        CampaignFile.prepare_new(path)
    assert path.read_text() == "mine"


def test_a_new_campaign_needs_its_folder(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="there is no folder"):
        CampaignFile.prepare_new(tmp_path / "nowhere" / "t.brt")


def test_a_campaign_that_is_never_begun_leaves_no_file(path: Path) -> None:
    CampaignFile.prepare_new(path).close()
    assert not path.exists()


def test_a_campaign_that_cannot_be_begun_leaves_no_file(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise sqlite3.OperationalError("a mishap of its own")

    monkeypatch.setattr("brt_cg.storage.entry_writer._store_records", fails)
    pen = begun(path)
    with pytest.raises(sqlite3.OperationalError):
        pen.enter("new", settle)
    assert list(path.parent.iterdir()) == []


def test_leftovers_of_an_interrupted_creation_are_reused(path: Path) -> None:
    path.touch()
    write_a_campaign(path).kept.close()
    assert len(read_entries(path)) == 5


def test_the_second_of_two_creations_of_a_file_is_refused(path: Path) -> None:
    late = begun(path)
    first = write_a_campaign(path)
    with pytest.raises(StorageError, match="already exists"):
        late.enter("new", settle)
    assert read_entries(path) == first.entries
    first.kept.close()


def test_only_one_of_two_simultaneous_creations_succeeds(path: Path) -> None:
    first: list[Pen] = []

    def make_it_too_late() -> None:
        with atomically_created_file(path) as beside:
            beside.touch()
            first.append(write_a_campaign(path))

    with pytest.raises(StorageError, match="already exists"):
        make_it_too_late()
    assert read_entries(path) == first[0].entries
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    first[0].kept.close()


def test_a_file_gets_its_name_when_complete(path: Path) -> None:
    with suppress(KeyboardInterrupt), atomically_created_file(path) as beside:
        beside.write_text("half")
        raise KeyboardInterrupt
    assert [*path.parent.iterdir()] == []


# --- nothing is stored ------------------------------------------------------------------------


def test_an_outdated_window_is_reported(pen: Pen) -> None:
    other = reopen(pen)
    other.write_with_notices([next_entry(pen)], pen.campaign)
    other.close()
    before = dump(pen.place)
    with pytest.raises(StaleCampaignError, match="another window or program has added entries"):
        pen.enter("edit", heal)
    assert dump(pen.place) == before


def test_an_entry_of_another_history_is_refused(file_pen: Pen, tmp_path: Path) -> None:
    twin = write_a_campaign(tmp_path / "twin.brt")
    twin.enter("edit", heal)
    file_pen.enter("edit", die)
    shutil.copy(file_pen.place, twin.place)
    with pytest.raises(StaleCampaignError):
        twin.enter("edit", heal)
    assert read_entries(twin.place) == file_pen.entries
    twin.kept.close()


@pytest.mark.posix
def test_a_replacement_file_is_the_one_written_to(file_pen: Pen, tmp_path: Path) -> None:
    shutil.copy(file_pen.place, tmp_path / "copy.brt")
    file_pen.enter("edit", heal)
    (tmp_path / "copy.brt").replace(file_pen.place)
    with pytest.raises(StaleCampaignError):
        file_pen.enter("edit", die)
    assert len(read_entries(file_pen.place)) == 5


@pytest.mark.posix
def test_a_deleted_file_is_not_created_again(file_pen: Pen) -> None:
    file_pen.place.unlink()
    with pytest.raises(StorageError, match="is gone; nothing was stored"):
        file_pen.enter("edit", heal)
    assert not file_pen.place.exists()


def test_a_file_another_program_writes_to_is_reported(
    file_pen: Pen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "PATIENCE", 0.05)
    file = reopen(file_pen)
    other = sqlite3.connect(file_pen.place, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageError, match=r"another window or program is writing.*try again"):
        file.write_with_notices([next_entry(file_pen)], file_pen.campaign)
    other.execute("ROLLBACK")
    other.close()
    file.write_with_notices([next_entry(file_pen)], file_pen.campaign)
    file.close()


@pytest.mark.parametrize(
    ("pragma", "message"),
    [
        ("query_only = ON", "the file, or its folder, is read-only; nothing was stored"),
        ("max_page_count = 1", "the disk is full; nothing was stored"),
    ],
)
def test_a_full_disk_is_reported(
    file_pen: Pen, monkeypatch: pytest.MonkeyPatch, pragma: str, message: str
) -> None:
    connect = sqlite._connect

    def hindered(path: Path, mode: str) -> sqlite3.Connection:
        connection = connect(path, mode)
        connection.execute(f"PRAGMA {pragma}")
        return connection

    before = dump(file_pen.place)
    file = reopen(file_pen)
    monkeypatch.setattr(sqlite, "_connect", hindered)
    payload = {"kind": "edit", "call": 1, "changes": [], "asked": "x" * 100_000}
    with pytest.raises(StorageError, match=f"50% Betio #1.*{message}"):
        file.write_with_notices([make_next_entry(file_pen.entries, payload)], file_pen.campaign)
    monkeypatch.undo()
    file.close()
    assert dump(file_pen.place) == before


def test_a_write_that_fails_half_way_stores_nothing(
    pen: Pen, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise ValueError("half-way")

    before = dump(pen.place)
    monkeypatch.setattr("brt_cg.storage.entry_writer._store_rolls", fails)
    with pytest.raises(ValueError, match="half-way"):
        pen.enter("edit", die)
    assert dump(pen.place) == before


@pytest.mark.posix
def test_a_file_renamed_to_a_forbidden_name_still_opens(
    file_pen: Pen,
) -> None:
    file_pen.kept.close()
    renamed = file_pen.place.rename(file_pen.place.with_name("Betio? #2.brt"))
    assert read_entries(renamed) == file_pen.entries
    file_pen.place, file_pen.kept = renamed, CampaignFile.open_upgraded(renamed)
    file_pen.enter("edit", heal)
    assert read_entries(renamed) == file_pen.entries
