"""Going back to a backup and saving a damaged file are entries: heads noted before are told as
such, not as tampering."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from brt_cg.audit import audit_backup, audit_campaign
from brt_cg.audit.finding import Finding
from brt_cg.cli import main
from brt_cg.journal.changes import compare_campaigns
from brt_cg.journal.entries import make_next_entry
from brt_cg.journal.heads import short_head
from brt_cg.model.counters import Side
from brt_cg.model.records import SideRecord
from brt_cg.model.seat import Seat, seat_of_side
from brt_cg.questions.dice import SeededDice
from brt_cg.service import last_seen, recovery
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign as journal_of
from brt_cg.storage import backups, sqlite
from brt_cg.storage.backups import BackupReason
from brt_cg.storage.errors import NewerFileError, StorageError
from brt_cg.views.journal import journal_rows
from brt_cg.views.view_chain import view_hashes
from tests.audit.forger import codes, pried_open
from tests.audit.played import make


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("whole") / "whole.brt")


@pytest.fixture
def campaign(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(whole, tmp_path / "campaign.brt"))


def heads(path: Path) -> dict[Side | None, list[str]]:
    """The hashes of each seat's chain (None: the umpire's)."""
    desk = OpenCampaign.open_read_only(path)
    found: dict[Side | None, list[str]] = {None: [entry.hash for entry in journal_of(desk).entries]}
    return found | {side: view_hashes(journal_of(desk), side) for side in Side}


def went_on(path: Path) -> Path:
    """A backup, after which the Japanese buy in secret and the Marines are corrected."""
    made = backups.make_backup(path, BackupReason.BEFORE_IMPORT)
    desk = OpenCampaign.open(path)
    desk.run_command("note", {"words": "hold on", "side": "japanese", "about": None})
    desk.run_command("edit", {"id": "marine", "set": {"cvp": 40}, "reason": "miscounted"})
    desk.close()
    return made


@pytest.mark.parametrize("side", [None, *Side])
def test_a_checksum_from_before_a_restore_is_reported_as_such(
    side: Side | None, campaign: Path
) -> None:
    made = went_on(campaign)
    before = heads(campaign)
    recovery.restore_backup(campaign, made, Seat.MARINE)
    (entry,) = [
        one
        for one in journal_of(OpenCampaign.open_read_only(campaign)).entries
        if one.kind == "restore"
    ]
    assert entry.seat is Seat.MARINE
    for head in (before[side][-1], short_head(before[side][-1])):
        report = audit_campaign(campaign, head=head, side=side)
        assert report.ok, report.text()
        (notice,) = [one for one in report.notices if one.code == "head"]
        assert "before the restore" in notice.message
    older = audit_campaign(campaign, head=before[side][3], side=side)
    assert (older.ok, older.notices) == (True, ())
    assert "head" in codes(audit_campaign(campaign, head="A" * 13, side=side))


def test_a_campaign_whose_name_is_not_utf_8_goes_back_to_a_backup(campaign: Path) -> None:
    """It was refused, since its entry names the backup."""
    if sys.platform != "linux":
        return  # other systems have no such names
    path = campaign.rename(campaign.with_name(os.fsdecode(b"\xdcbung.brt")))
    made = went_on(path)
    recovery.restore_backup(path, made, Seat.MARINE)
    assert audit_campaign(path).ok


def test_a_restore_reveals_no_dropped_enemy_secrets(campaign: Path) -> None:
    made = backups.make_backup(campaign, BackupReason.BEFORE_IMPORT)
    desk = OpenCampaign.open(campaign)
    desk.run_command("note", {"words": "hold on", "side": "japanese", "about": None})
    desk.close()
    recovery.restore_backup(campaign, made, None)
    journal = journal_of(OpenCampaign.open_read_only(campaign))
    texts = {side: journal_rows(journal, side)[-1].lines for side in Side}
    assert [line.text for line in texts[Side.MARINE]] == [
        "the campaign was restored from a backup; everything entered since then is dropped"
    ]
    assert texts[Side.JAPANESE][-1].text == "1 entry known to the Japanese player is dropped"


def test_undo_skips_a_restore(campaign: Path) -> None:
    desk = OpenCampaign.open(campaign)
    desk.run_command("note", {"words": "one", "side": None, "about": None})
    desk.close()
    made = backups.make_backup(campaign, BackupReason.BEFORE_IMPORT)
    recovery.restore_backup(campaign, made, None)
    desk = OpenCampaign.open(campaign)
    assert journal_of(desk).entries[-1].kind == "restore"
    assert desk.undo_or_request().asked["entries"] == [len(journal_of(desk).entries) - 2]
    rows = journal_rows(journal_of(desk), None)
    assert [row.undone for row in rows[-3:]] == [True, False, False]
    desk.redo()
    desk.close()
    assert audit_campaign(campaign).ok


def test_a_restore_over_a_damaged_file_still_lists_the_dropped_entries(campaign: Path) -> None:
    made = went_on(campaign)
    before = heads(campaign)
    with pried_open(campaign) as connection:
        connection.execute("UPDATE journal SET payload = 'x' WHERE seq = 20")
    recovery.restore_backup(campaign, made, None)
    assert audit_campaign(campaign, head=before[None][-1]).ok


def test_a_repair_is_logged_with_the_checksums_it_could_not_save(campaign: Path) -> None:
    before = heads(campaign)
    with pried_open(campaign) as connection:
        connection.execute("UPDATE journal SET payload = 'x' WHERE seq = 60")
    target = campaign.with_name("saved.brt")
    saved = recovery.save_damaged_campaign(campaign, target, Seat.UMPIRE)
    assert saved.found.entries == 59
    newest = journal_of(OpenCampaign.open_read_only(target)).entries[-1]
    assert (newest.kind, newest.seat, newest.hash) == ("repair", Seat.UMPIRE, saved.head)
    for side, hashes in before.items():
        report = audit_campaign(target, head=hashes[-1], side=side)
        assert report.ok, report.text()
        assert "before the repair" in [one.message for one in report.notices][-1]
        assert audit_campaign(target, head=hashes[5], side=side).notices == ()


def test_a_repair_without_loss_explains_no_other_checksum(campaign: Path) -> None:
    with closing(sqlite3.connect(campaign)) as connection, connection:
        connection.execute("DELETE FROM units")
    target = campaign.with_name("saved.brt")
    recovery.save_damaged_campaign(campaign, target, None)
    for side in (None, *Side):
        assert audit_campaign(target, head=heads(campaign)[side][-1], side=side).notices == ()
        assert "head" in codes(audit_campaign(target, head="0" * 64, side=side))
    assert seat_of_side(None) is Seat.UMPIRE


def test_a_repair_is_incomplete_if_this_machine_saw_more_entries(campaign: Path) -> None:
    short = Path(shutil.copy(campaign, campaign.with_name("short.brt")))
    went_on(campaign)
    last_seen.remember_seen_if_continued(OpenCampaign.open_read_only(campaign))
    shutil.copy(short, campaign)
    found = recovery.save_damaged_campaign(campaign, campaign.with_name("saved.brt"), None).found
    assert not found.is_complete
    assert found.doubts == ("on this machine the Umpire seat has seen 2 more entries",)


def test_a_recreated_entry_names_its_new_counters_as_before(demo_file: Path) -> None:
    """A counter that it adds got its number only after its sentences were made."""
    desk, supply = OpenCampaign.open(demo_file), AnswerSupply(dice=SeededDice("x"), defaults=True)
    ask = desk.continue_play()
    while ask is not None:
        ask = desk.answer_and_play(ask, *desk.get_answer_from_supply(ask, supply))
    desk.close()
    with pried_open(demo_file) as connection:
        found = "SELECT seq FROM journal WHERE instr(payload, ?) ORDER BY seq"
        old, new = '"setup_area",null,"M2"', '"setup_area",null,"M3"'
        seqs = [seq for (seq,) in connection.execute(found, (old,))]
    change = "UPDATE journal SET payload = replace(payload, ?, ?) WHERE seq = ?"
    before = journal_of(OpenCampaign.open_read_only(demo_file)).entries[:]
    adds = [e.seq for e in before if e.seq in seqs and any(c[2] == "" for c in e.changes)]
    assert adds
    for seq in (seqs[0], adds[-1]):
        harmed_file = Path(shutil.copy(demo_file, demo_file.with_name(f"harmed-{seq}.brt")))
        with pried_open(harmed_file) as connection:
            connection.execute(change, (old, new, seq))
        target = demo_file.with_name(f"saved-{seq}.brt")
        result = recovery.save_damaged_campaign(harmed_file, target, None).found
        assert (result.mended, result.reworded, result.is_complete) == ((seq,), (), True)
        assert audit_campaign(target).ok
        assert journal_of(OpenCampaign.open_read_only(target)).entries[: len(before)] == before


def test_a_repair_reports_no_success_that_its_own_audit_denies(
    campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Report:
        findings = tuple(Finding("rules", "journal", f"doubt {each}") for each in range(7))

    monkeypatch.setattr(recovery, "audit_campaign", lambda made: Report)
    found = saved(campaign)[0].found
    assert not found.is_complete
    assert found.doubts[-1] == "and 2 more: run audit on the new file"


# --- what a repair makes anew ---------------------------------------------------------------------


def harmed(campaign: Path, statement: str) -> Path:
    with pried_open(campaign) as connection:
        connection.execute(statement)
    return campaign


def saved(campaign: Path) -> tuple[recovery.SavedCopy, Path]:
    target = campaign.with_name("saved.brt")
    return recovery.save_damaged_campaign(campaign, target, None), target


def number_of(campaign: Path, kind: str) -> int:
    return next(
        entry.seq
        for entry in journal_of(OpenCampaign.open_read_only(campaign)).entries
        if entry.kind == kind
    )


@pytest.mark.parametrize("said", ["spoilt", "[]", '[["another sentence",[],null]]'])
def test_a_repair_rewrites_damaged_sentences(said: str, campaign: Path) -> None:
    seq = number_of(campaign, "buy")
    before = journal_of(OpenCampaign.open_read_only(campaign)).entries[:]
    harmed(campaign, f"UPDATE journal SET said = '{said}' WHERE seq = {seq}")
    copy, target = saved(campaign)
    assert (copy.found.reworded, copy.found.is_complete) == ((seq,), True)
    assert journal_of(OpenCampaign.open_read_only(target)).entries[: len(before)] == before
    assert audit_campaign(target).ok


@pytest.mark.parametrize(
    "harm",
    [
        """payload = replace(payload, '"changes":[', '"changes":[[')""",
        """payload = replace(payload, '"changes":[[', '"changes":{')""",
        "hash = 'spoilt'",
    ],
)
def test_results_of_an_entry_are_recreated_with_its_old_hash(harm: str, campaign: Path) -> None:
    seq = number_of(campaign, "buy")
    before = journal_of(OpenCampaign.open_read_only(campaign)).entries[:]
    harmed(campaign, f"UPDATE journal SET {harm} WHERE seq = {seq}")
    copy, target = saved(campaign)
    assert copy.found.is_complete
    assert journal_of(OpenCampaign.open_read_only(target)).entries[: len(before)] == before


@pytest.mark.parametrize(
    "harm",
    ["DELETE FROM journal WHERE seq = {}", "UPDATE journal SET payload = 'x' WHERE seq = {}"],
)
def test_entries_after_a_lost_note_are_entered_again(harm: str, campaign: Path) -> None:
    desk = OpenCampaign.open(campaign)
    note = desk.run_command("note", {"words": "hold on", "side": None, "about": None})
    desk.run_command("edit", {"id": "marine", "set": {"cvp": 40}, "reason": "miscounted"})
    undone = desk.undo_or_request()
    desk.redo()
    desk.close()
    before, noted = journal_of(OpenCampaign.open_read_only(campaign)).campaign, heads(campaign)
    harmed(campaign, harm.format(note.seq))
    copy, target = saved(campaign)
    assert (copy.found.entries, copy.found.unchanged) == (undone.seq, note.seq - 1)
    assert ({*copy.found.bad}, copy.found.lost) == ({note.seq}, ())
    after = OpenCampaign.open_read_only(target)
    assert compare_campaigns(before, journal_of(after).campaign) == []
    report = audit_campaign(target, head=noted[None][-1])
    assert report.ok, report.text()


def test_entries_that_depend_on_a_lost_entry_are_lost_too(campaign: Path) -> None:
    seq = number_of(campaign, "answer")
    there = len(journal_of(OpenCampaign.open_read_only(campaign)).entries)
    harmed(campaign, f"UPDATE journal SET payload = 'x' WHERE seq = {seq}")
    copy, target = saved(campaign)
    assert copy.found.entries == seq - 1
    assert [number for number, _ in copy.found.lost] == [*range(seq + 1, there + 1)]
    assert audit_campaign(target).ok


def test_a_repair_refuses_the_file_of_a_newer_program(campaign: Path) -> None:
    harmed(campaign, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(NewerFileError):
        saved(campaign)
    assert not campaign.with_name("saved.brt").exists()


# --- what goes for a restore ----------------------------------------------------------------------


@pytest.mark.parametrize(("seat", "entries"), [(None, 2), (Seat.JAPANESE, 2), (Seat.MARINE, 1)])
def test_a_seat_sees_only_its_own_losses_from_a_restore(
    seat: Seat | None, entries: int, campaign: Path
) -> None:
    made = went_on(campaign)
    going = recovery.find_restore_loss(campaign, made, seat, audit_backup)
    assert (going.entries, bool(going)) == (entries, True)
    assert f"{entries} entr" in going.text(seat)
    assert f"it is now at {going.now}, and will be at {going.then}" in going.text(seat)


def test_an_equally_complete_backup_loses_nothing(campaign: Path) -> None:
    made = backups.make_backup(campaign, BackupReason.BEFORE_IMPORT)
    assert not recovery.find_restore_loss(campaign, made, None, audit_backup)


def test_a_side_sees_no_number_for_losses_of_a_damaged_campaign(campaign: Path) -> None:
    made = went_on(campaign)
    harmed(campaign, "UPDATE journal SET payload = 'x' WHERE seq = 20")
    going = recovery.find_restore_loss(campaign, made, Seat.MARINE, audit_backup)
    assert going.text(Seat.MARINE).startswith(
        "the campaign loses entries that the Marine seat has seen: its present state cannot be read"
    )
    assert recovery.find_restore_loss(campaign, made, None, audit_backup).entries == 2


# --- what a restore asks of a backup --------------------------------------------------------------


def test_a_restore_rebuilds_the_tables_and_sentences_of_a_backup(campaign: Path) -> None:
    made = went_on(campaign)
    harmed(made, "DELETE FROM units")
    harmed(made, "UPDATE journal SET said = '[]' WHERE seq = 9")
    recovery.restore_backup(campaign, made, None, check=audit_backup)
    assert audit_campaign(campaign).ok


@pytest.mark.parametrize("harm", ["payload = 'x'", "payload = replace(payload, 'a', 'o')"])
def test_a_restore_refuses_a_backup_that_lost_an_entry(harm: str, campaign: Path) -> None:
    made = went_on(campaign)
    before = campaign.read_bytes()
    harmed(made, f"UPDATE journal SET {harm} WHERE seq = {number_of(campaign, 'answer')}")
    with pytest.raises(StorageError, match="nothing was changed"):
        recovery.restore_backup(campaign, made, None)
    assert campaign.read_bytes() == before


def test_a_restore_refuses_a_forged_backup_unless_it_is_forced(campaign: Path) -> None:
    made = went_on(campaign)
    before = campaign.read_bytes()
    desk = OpenCampaign.open_read_only(made)
    entries, elr = journal_of(desk).entries[:], journal_of(desk).campaign.sides[Side.MARINE].elr
    change = [SideRecord.TABLE, "marine", "elr", elr, elr - 1]
    newest = {**entries[-1].payload, "changes": [*entries[-1].changes, change]}
    with pried_open(made) as connection:
        forged = make_next_entry(entries[:-1], newest)
        row = (forged.text, forged.hash, forged.seq)
        connection.execute("UPDATE journal SET payload = ?, hash = ? WHERE seq = ?", row)
    with pytest.raises(StorageError, match="nothing was changed"):
        recovery.restore_backup(campaign, made, None, check=audit_backup)
    assert campaign.read_bytes() == before
    assert main(["restore", str(campaign), str(made), "--yes"]) == 2
    assert main(["restore", str(campaign), str(made), "--yes", "--force"]) == 0


def test_entries_made_during_a_restore_are_in_the_new_backup(
    campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = went_on(campaign)
    put, entering = backups._put, iter(["first", "second"])

    def after_another(*given: Any) -> None:
        if (words := next(entering, None)) is not None:
            note(campaign, words)
        put(*given)

    monkeypatch.setattr(backups, "_put", after_another)
    kept = recovery.restore_backup(campaign, made, None)
    assert kept is not None
    there = [
        entry
        for entry in journal_of(OpenCampaign.open_read_only(kept)).entries
        if entry.kind == "note"
    ]
    assert [entry.asked["words"] for entry in there[-2:]] == ["first", "second"]
    assert [one.why for one in backups.list_backups(campaign)] == [
        "before-restore",
        "before-import",
    ]
    newest = journal_of(OpenCampaign.open_read_only(campaign)).entries[-1]
    assert short_head(there[-1].hash) in newest.asked["dropped"]["umpire"]


def test_a_restore_succeeds_while_others_keep_making_entries(
    campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = went_on(campaign)
    put, waited = backups._put, []

    def while_others_enter(*given: Any) -> None:
        script = [sys.executable, "-m", "brt_cg", "note", str(campaign), "again"]
        other = subprocess.Popen(script, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        with suppress(subprocess.TimeoutExpired):
            other.wait(timeout=3)
        waited.append(other)
        put(*given)

    monkeypatch.setattr(backups, "_put", while_others_enter)
    kept = recovery.restore_backup(campaign, made, None)
    assert len(waited) == recovery.TRIES
    for other in waited:
        other.communicate()
    assert kept is not None
    notes = [
        one for one in journal_of(OpenCampaign.open_read_only(kept)).entries if one.kind == "note"
    ]
    assert [one.asked["words"] for one in notes[-2:]] == ["again", "again"]
    assert [one.why for one in backups.list_backups(campaign)] == [
        "before-restore",
        "before-import",
    ]
    assert audit_campaign(campaign).ok


def test_a_restore_is_refused_while_another_program_never_finishes(
    campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "PATIENCE", 0.05)
    made = went_on(campaign)
    with closing(sqlite3.connect(campaign, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError, match="another window or program"):
            recovery.restore_backup(campaign, made, None)


def note(path: Path, words: str) -> None:
    desk = OpenCampaign.open(path)
    desk.run_command("note", {"words": words, "side": None, "about": None})
    desk.close()
