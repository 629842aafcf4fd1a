"""Going back to a backup and saving a damaged file are entries: heads noted before are told as
such, not as tampering."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from brt_cg.audit import audit
from brt_cg.journal.heads import short
from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat, seat_for
from brt_cg.service import recovery
from brt_cg.service.desk import Desk
from brt_cg.storage import backups
from brt_cg.storage.backups import Why
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
    desk = Desk.look_at(path)
    found: dict[Side | None, list[str]] = {None: [entry.hash for entry in desk.entries]}
    return found | {side: view_hashes(desk.journal, side) for side in Side}


def went_on(path: Path) -> Path:
    """A backup, after which the Japanese buy in secret and the Marines are corrected."""
    made = backups.make(path, Why.BEFORE_IMPORT)
    desk = Desk.open(path)
    desk.command("note", {"words": "hold on", "side": "japanese", "about": None})
    desk.command("edit", {"id": "marine", "set": {"cvp": 40}, "reason": "miscounted"})
    desk.close()
    return made


@pytest.mark.parametrize("side", [None, *Side])
def test_a_head_of_before_a_restore_is_told_as_that(side: Side | None, campaign: Path) -> None:
    made = went_on(campaign)
    before = heads(campaign)
    recovery.restore(campaign, made, Seat.MARINE)
    (entry,) = [one for one in Desk.look_at(campaign).entries if one.kind == "restore"]
    assert entry.seat is Seat.MARINE
    for head in (before[side][-1], short(before[side][-1])):
        report = audit(campaign, head=head, side=side)
        assert report.ok, report.text()
        (notice,) = [one for one in report.notices if one.code == "head"]
        assert "before the restore" in notice.message
    older = audit(campaign, head=before[side][3], side=side)
    assert (older.ok, older.notices) == (True, ())
    assert "head" in codes(audit(campaign, head="A" * 13, side=side))


def test_a_restore_tells_a_side_nothing_of_the_enemys_dropped_secrets(campaign: Path) -> None:
    made = backups.make(campaign, Why.BEFORE_IMPORT)
    desk = Desk.open(campaign)
    desk.command("note", {"words": "hold on", "side": "japanese", "about": None})
    desk.close()
    recovery.restore(campaign, made, None)
    journal = Desk.look_at(campaign).journal
    texts = {side: journal_rows(journal, side)[-1].lines for side in Side}
    assert [line.text for line in texts[Side.MARINE]] == [
        "the campaign was put back to a backup; what had been entered since is dropped"
    ]
    assert texts[Side.JAPANESE][-1].text == "1 entry that the Japanese side knew of is dropped"


def test_undo_passes_over_a_restore(campaign: Path) -> None:
    desk = Desk.open(campaign)
    desk.command("note", {"words": "one", "side": None, "about": None})
    desk.close()
    made = backups.make(campaign, Why.BEFORE_IMPORT)
    recovery.restore(campaign, made, None)
    desk = Desk.open(campaign)
    assert desk.entries[-1].kind == "restore"
    assert desk.undo().asked["entries"] == [len(desk.entries) - 2]
    rows = journal_rows(desk.journal, None)
    assert [row.undone for row in rows[-3:]] == [True, False, False]
    desk.redo()
    desk.close()
    assert audit(campaign).ok


def test_a_restore_over_a_damaged_file_still_tells_what_it_dropped(campaign: Path) -> None:
    made = went_on(campaign)
    before = heads(campaign)
    with pried_open(campaign) as connection:
        connection.execute("UPDATE journal SET payload = 'x' WHERE seq = 20")
    recovery.restore(campaign, made, None)
    assert audit(campaign, head=before[None][-1]).ok


def test_a_repair_names_itself_and_the_heads_that_it_could_not_save(campaign: Path) -> None:
    before = heads(campaign)
    with pried_open(campaign) as connection:
        connection.execute("UPDATE journal SET payload = 'x' WHERE seq = 60")
    target = campaign.with_name("saved.brt")
    saved = recovery.save(campaign, target, Seat.UMPIRE)
    assert saved.found.entries == 59
    newest = Desk.look_at(target).entries[-1]
    assert (newest.kind, newest.seat, newest.hash) == ("repair", Seat.UMPIRE, saved.head)
    for side, hashes in before.items():
        report = audit(target, head=hashes[-1], side=side)
        assert report.ok, report.text()
        assert "before the repair" in [one.message for one in report.notices][-1]
        assert audit(target, head=hashes[5], side=side).notices == ()


def test_a_repair_that_lost_nothing_explains_no_other_head(campaign: Path) -> None:
    with closing(sqlite3.connect(campaign)) as connection, connection:
        connection.execute("DELETE FROM units")
    target = campaign.with_name("saved.brt")
    recovery.save(campaign, target, None)
    for side in (None, *Side):
        assert audit(target, head=heads(campaign)[side][-1], side=side).notices == ()
        assert "head" in codes(audit(target, head="0" * 64, side=side))
    assert seat_for(None) is Seat.UMPIRE
