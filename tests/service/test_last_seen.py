"""What a seat saw stays seen: a file that is not a continuation it is said at once."""

import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from brt_cg.cli import console, main
from brt_cg.journal.heads import LETTERS, short_head
from brt_cg.model.counters import Side
from brt_cg.model.seat import seat_of_side
from brt_cg.service import last_seen, recovery
from brt_cg.service.mail_reports import journal_up_to
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign as journal_of
from brt_cg.storage import backups
from brt_cg.storage.backups import BackupReason
from brt_cg.views.view_chain import view_hashes
from tests.audit.forger import Forger
from tests.audit.played import make

SEATS = (None, *Side)


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("seen") / "whole.brt")


@pytest.fixture
def campaign(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(whole, tmp_path / "campaign.brt"))


def look(path: Path, side: Side | None) -> last_seen.Divergence | None:
    desk = OpenCampaign.open_read_only(path, seat_of_side(side))
    try:
        return last_seen.find_divergence_or_remember(desk)
    finally:
        desk.close()


def note(path: Path, words: str, side: str | None = None) -> None:
    desk = OpenCampaign.open(path)
    desk.run_command("note", {"words": words, "side": side, "about": None})
    desk.close()


@pytest.mark.parametrize("side", SEATS)
def test_a_continued_campaign_gives_no_warning_wherever_it_is(
    side: Side | None, campaign: Path
) -> None:
    assert look(campaign, side) is None
    note(campaign, "well fought")
    assert look(campaign, side) is None
    moved = campaign.rename(campaign.with_name("elsewhere.brt"))
    note(moved, "and on")
    assert look(moved, side) is None


@pytest.mark.parametrize("side", SEATS)
def test_a_truncated_campaign_is_reported_with_its_last_entry(
    side: Side | None, campaign: Path
) -> None:
    before = Path(shutil.copy(campaign, campaign.with_name("before.brt")))
    for words in ("one", "two", "three"):
        note(campaign, words)
    assert look(campaign, side) is None
    shutil.copy(before, campaign)
    parted = look(campaign, side)
    assert parted is not None
    assert parted.seen == parted.agree + 3
    assert parted.found == ""
    assert "where it ends" in parted.text("before.brt")
    assert look(campaign, side) is not None, "it is told until it is taken"


@pytest.mark.parametrize("side", SEATS)
def test_a_different_history_is_reported_with_its_difference(
    side: Side | None, campaign: Path
) -> None:
    note(campaign, "one")
    assert look(campaign, side) is None
    forger = Forger(campaign)
    seq = forger.where(lambda one: (one.get("ask") or {}).get("subject") == "m-ldr-1")
    forger.payload(seq)["at"] = "2026-01-01T12:00:01Z"
    forger.seal()
    parted = look(campaign, side)
    assert parted is not None
    assert 0 < parted.agree < parted.seen
    assert "15.6112" in parted.found
    assert "m-ldr-1" in parted.text("campaign.brt")


def test_a_file_replayed_with_more_points_is_reported(campaign: Path) -> None:
    assert look(campaign, None) is None
    forger = Forger(campaign)
    for change in forger.payload(1)["changes"]:
        if change[1] == "japanese/red_one":
            change[4]["gpp"] += 3
    forger.seal()
    parted = look(campaign, None)
    assert parted is not None
    assert parted.agree == 0
    assert "holds a different campaign" in parted.text("campaign.brt")


@pytest.mark.parametrize("side", SEATS)
def test_going_back_to_a_backup_is_reported_once_as_such(side: Side | None, campaign: Path) -> None:
    made = backups.make_backup(campaign, BackupReason.BEFORE_IMPORT)
    note(campaign, "one")
    note(campaign, "two")
    assert look(campaign, side) is None
    recovery.restore_backup(campaign, made, seat_of_side(Side.JAPANESE))
    parted = look(campaign, side)
    assert parted is not None
    assert parted.by is not None
    assert "replaced by a backup by the Japanese seat" in parted.text("campaign.brt")
    assert look(campaign, side) is None


@pytest.mark.parametrize("side", SEATS)
def test_entries_dropped_by_two_mails_are_reported_as_such(
    side: Side | None, campaign: Path
) -> None:
    """The second mail's entry leaves out what the first one names: the player who had chosen his
    opponent's campaign was warned of it until he accepted it once more."""
    before = Path(shutil.copy(campaign, campaign.with_name("before.brt")))
    note(campaign, "one")
    note(campaign, "two")
    assert look(campaign, side) is None
    with closing(OpenCampaign.open_read_only(campaign)) as desk:
        journal = journal_of(desk)
        hashes = view_hashes(journal, side) if side else [one.hash for one in journal.entries]
        one, two = map(short_head, hashes[-2:])
    shutil.copy(before, campaign)
    with closing(OpenCampaign.open(campaign)) as desk:
        for took, head in (("joined", one), ("theirs", two)):
            dropped = {seat_of_side(side).value: [head]}
            desk.run_command("take", {"took": took, "dropped": dropped, "dice": []})
    parted = look(campaign, side)
    assert parted is not None
    assert parted.by is not None
    assert "the last 2 of the" in parted.text("campaign.brt")
    assert look(campaign, side) is None


@pytest.mark.parametrize("side", Side)
def test_entries_that_a_seat_does_not_see_for_now_are_not_missing(
    side: Side, campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A campaign taken from the opponent waited for a secret decision: what the seat had seen after
    that point was reported as missing."""
    note(campaign, "one")
    assert look(campaign, side) is None
    with monkeypatch.context() as patch:
        before = len(journal_of(OpenCampaign.open_read_only(campaign)).entries) - 1
        patch.setattr(last_seen, "visible_journal", lambda book, _: journal_up_to(book, before))
        assert look(campaign, side) is None
    note(campaign, "two")
    assert look(campaign, side) is None


def test_enemy_secrets_are_not_part_of_the_last_seen_state(campaign: Path) -> None:
    before = Path(shutil.copy(campaign, campaign.with_name("before.brt")))
    note(campaign, "hold on", "japanese")
    assert look(campaign, Side.MARINE) is None
    assert look(campaign, None) is None
    shutil.copy(before, campaign)
    assert look(campaign, Side.MARINE) is None
    assert look(campaign, None) is not None


@pytest.mark.parametrize("side", SEATS)
def test_a_copy_and_its_original_do_not_warn_about_each_other(
    side: Side | None, campaign: Path
) -> None:
    copy = Path(shutil.copy(campaign, campaign.with_name("what-if.brt")))
    for file in (copy, campaign, copy):
        note(file, f"in {file.stem}")
        assert look(file, side) is None


@pytest.mark.parametrize("side", SEATS)
def test_starting_over_under_the_same_name_gives_no_warning(
    side: Side | None, campaign: Path
) -> None:
    assert look(campaign, side) is None
    campaign.unlink()
    OpenCampaign.create(campaign, {"cg": "I", "name": None, "allotments": None}).close()
    assert look(campaign, side) is None


# --- at the command line --------------------------------------------------------------------------


@pytest.mark.parametrize("side", SEATS)
def test_status_shows_the_checksum_that_audit_accepts(
    side: Side | None, campaign: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    view = ["--side", side.value] if side else []
    assert main(["status", str(campaign), "--json", *view]) == 0
    head = json.loads(capsys.readouterr().out)["head"]
    journal = journal_of(OpenCampaign.open_read_only(campaign))
    full = journal.head if side is None else view_hashes(journal, side)[-1]
    assert head == short_head(str(full))
    assert len(head) == LETTERS
    assert main(["status", str(campaign), *view]) == 0
    assert f"checksum {head}" in capsys.readouterr().out
    assert main(["audit", str(campaign), "--head", head.lower(), *view]) == 0
    assert main(["audit", str(campaign), "--head", "A" * LETTERS, *view]) == 1
    assert main(["audit", str(campaign), "--head", "banana", *view]) == 2
    assert "13 letters" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [
        ["note", "FILE", "mine again"],
        ["undo", "FILE"],
        ["export", "FILE", "roster"],
        ["explain", "FILE", "m-ldr-1"],
        ["send", "FILE", "--out", "mail.brtmail"],
        ["audit", "FILE"],
    ],
)
def test_every_command_warns_of_a_file_that_was_rolled_back(
    command: list[str], campaign: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    before = Path(shutil.copy(campaign, campaign.with_name("before.brt")))
    words = [
        {"FILE": str(campaign), "mail.brtmail": str(tmp_path / "m.brtmail")}.get(w, w)
        for w in command
    ]
    main([command[0], *words[1:]])
    assert "is not a continuation" not in "".join(capsys.readouterr())
    assert main(["note", str(campaign), "mine"]) == 0
    shutil.copy(before, campaign)
    capsys.readouterr()
    main([command[0], *words[1:]])
    assert "is not a continuation of the campaign last seen" in "".join(capsys.readouterr())


def test_on_a_terminal_nothing_is_entered_until_the_player_says_yes(
    campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Path(shutil.copy(campaign, campaign.with_name("before.brt")))
    assert main(["note", str(campaign), "mine"]) == 0
    shutil.copy(before, campaign)
    entries = len(journal_of(OpenCampaign.open_read_only(campaign)).entries)
    monkeypatch.setattr(console, "is_terminal", lambda: True)
    for word, code, more in (("n", 2, 0), ("y", 0, 1)):
        monkeypatch.setattr("builtins.input", lambda _, word=word: word)
        assert main(["note", str(campaign), "again"]) == code
        found = journal_of(OpenCampaign.open_read_only(campaign)).entries
        assert len(found) == entries + more


def test_a_command_warns_of_a_discontinued_file_until_it_is_accepted(
    campaign: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = Path(shutil.copy(campaign, campaign.with_name("before.brt")))
    assert main(["status", str(campaign)]) == 0
    assert main(["note", str(campaign), "mine"]) == 0
    shutil.copy(before, campaign)
    for _ in range(2):
        capsys.readouterr()
        assert main(["status", str(campaign)]) == 0
        assert "is not a continuation of the campaign last seen" in capsys.readouterr().err
    assert main(["status", str(campaign), "--accept"]) == 0
    capsys.readouterr()
    assert main(["status", str(campaign)]) == 0
    assert capsys.readouterr().err == ""
