"""Backups at the command line: made, listed, gone back to; and a damaged file repaired."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from brt_cg.cli import backups
from tests.cli.shell import COMPLETE, Shell, state, written


def whys(brt: Shell, file: Path) -> list[str]:
    return [one["why"] for one in brt("backups", file, "--json").json]


def test_large_changes_make_backups_before_and_after(
    brt: Shell, file: Path, tmp_path: Path
) -> None:
    assert brt("backups", file).code == 0
    answers = written(tmp_path / "answers.json", COMPLETE)
    assert brt("refit", file, "--answers", answers).code == 0
    assert whys(brt, file) == ["after-refit", "before-refit"]
    next_state = written(tmp_path / "next.json", state(scenario={"date": "20 PM"}, sides={}))
    brt("import", file, next_state, "--missing", "keep", "--yes")
    assert whys(brt, file) == ["after-refit", "before-refit"]  # the copy after holds the same
    assert "after-refit · 20 PM scenario" in brt("backups", file).out


def test_a_campaign_with_one_entry_has_one_entry(brt: Shell, tmp_path: Path) -> None:
    brt("new", "new.brt", "--cg", "III")
    brt("import", "new.brt", written(tmp_path / "end.json", state()), "--yes")
    assert "before-import · 20 AM purchase · 1 entry · checksum" in brt("backups", "new.brt").out


def test_entries_between_two_refit_phases_make_no_backup(brt: Shell, file: Path) -> None:
    brt("refit", file, "--auto", "--seed", "1")
    assert brt("note", file, "What a night!").code == 0
    assert whys(brt, file) == ["after-refit", "before-refit"]
    assert (
        brt("backups", file, "--json").json[0]["head"] != brt("audit", file, "--json").json["head"]
    )


def test_an_import_makes_a_backup(brt: Shell, tmp_path: Path) -> None:
    file = tmp_path / "new.brt"
    brt("new", file, "--cg", "III")
    assert "no backups" in brt("backups", file).err
    assert brt("import", file, written(tmp_path / "state.json", state()), "--yes").code == 0
    assert whys(brt, file) == ["before-import"]


def test_backups_can_be_restored_back_and_forth(brt: Shell, file: Path) -> None:
    brt("refit", file, "--auto", "--seed", "1")
    head = brt("audit", file, "--json").json["head"]
    got = brt("restore", file, "1", "--yes")
    assert got.code == 0
    assert "in the Refit Phase" in got.out
    assert "0002-after-refit" in got.err
    assert brt("status", file, "--json").json["phase"] == "refit"
    assert brt("restore", file, "2", "--yes").code == 0
    assert brt("audit", file, "--json", "--head", head).code == 0
    assert brt("restore", file, "9").code == 2


def test_a_restore_lists_its_losses_and_asks(
    brt: Shell, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    brt("refit", file, "--auto", "--seed", "1")
    before = file.read_bytes()
    got = brt("restore", file, "1")
    assert (got.code, file.read_bytes() == before) == (2, True)
    assert "the campaign loses 64 entries that the Umpire seat has seen" in got.err
    assert "it is now at 20 PM, during the scenario, and will be at 20 AM" in got.err
    assert "nothing was changed; add --yes to go back anyway" in got.err
    monkeypatch.setattr(backups, "is_terminal", lambda: True)
    monkeypatch.setattr("builtins.input", lambda _: "no")
    assert (brt("restore", file, "1").code, file.read_bytes() == before) == (2, True)
    monkeypatch.setattr("builtins.input", lambda _: "yes")
    assert brt("restore", file, "1").code == 0


def test_a_damaged_backup_lists_its_losses_before_a_restore(brt: Shell, file: Path) -> None:
    brt("refit", file, "--auto", "--seed", "1")
    (backup,) = file.with_name("c.backups").glob("*-0002-*")
    with closing(sqlite3.connect(backup)) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
            connection.execute(f'DROP TRIGGER "{name}"')
        connection.execute("UPDATE journal SET payload = '{}' WHERE seq = 9")
        connection.commit()
    got = brt("restore", file, "2")
    assert got.code == 2
    assert "the backup is damaged, and not all of it could be saved" in got.err
    assert "Lost: entry 9 was altered" in got.err
    assert brt("restore", file, "2", "--yes").code == 0
    assert brt("audit", file).code == 0


def test_no_import_without_a_backup_unless_requested(brt: Shell, tmp_path: Path) -> None:
    file = tmp_path / "new.brt"
    brt("new", file, "--cg", "III")
    (tmp_path / "new.backups").write_text("in the way")
    taken_in = ("import", file, written(tmp_path / "state.json", state()), "--yes")
    got = brt(*taken_in)
    assert got.code == 2
    assert "the backup before the import cannot be made, so nothing was done" in got.err
    assert brt("status", file, "--json").json["phase"] == "purchase"
    assert brt(*taken_in, "--no-backup").code == 0
    for words in (("refit", file), ("answer", file, "stay_hidden")):
        assert "before the Refit Phase cannot be made" in brt(*words).err
        assert brt("status", file, "--json").json["step"] is None
    assert brt("answer", file, "stay_hidden", "--no-backup").code == 0


def test_a_scenario_end_without_a_backup_is_kept_and_says_so(
    brt: Shell, file: Path, tmp_path: Path
) -> None:
    answers = written(tmp_path / "answers.json", COMPLETE)
    assert brt("refit", file, "--answers", answers, "--through", "15.6204").code == 0
    folder = file.with_name("c.backups")
    shutil.rmtree(folder)
    folder.write_text("in the way")
    got = brt("refit", file, "--answers", answers)
    assert got.code == 0
    assert "is stored, but has no backup" in got.err
    assert brt("status", file, "--json").json["phase"] == "scenario"


def test_a_side_sees_no_more_of_a_backup_than_of_the_file(brt: Shell, file: Path) -> None:
    brt("refit", file, "--auto", "--seed", "1")
    (newest, _) = brt("backups", file, "--json", "--side", "marine").json
    audited = brt("audit", file, "--json", "--side", "marine").json
    assert (newest["entries"], newest["head"]) == (audited["entries"], audited["head"])
    (whole, _) = brt("backups", file, "--json").json
    assert whole["entries"] > newest["entries"]


def test_a_damaged_file_is_refused_with_advice_to_save_it(
    brt: Shell, file: Path, tmp_path: Path
) -> None:
    (tmp_path / "cut.brt").write_bytes(file.read_bytes()[:3000])
    told = "cut.brt: the file is damaged; `backups` lists its copies, `repair` saves what can still"
    assert brt("status", "cut.brt").err == f"{told} be read\n"


def test_a_damaged_campaign_is_repaired(brt: Shell, file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("DROP TABLE units")
        connection.commit()
    got = brt("repair", file)
    assert got.code == 0
    assert "The whole journal is saved" in got.out
    assert brt("audit", file.with_name("c.repaired.brt")).code == 0


def test_a_repairs_losses_are_reported_with_a_backup_that_has_them(
    brt: Shell, file: Path, tmp_path: Path
) -> None:
    brt("refit", file, "--auto", "--seed", "1")
    with closing(sqlite3.connect(file)) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
            connection.execute(f'DROP TRIGGER "{name}"')
        connection.execute("UPDATE journal SET payload = '{}' WHERE seq = 9")
        connection.commit()
    got = brt("repair", file, "-o", tmp_path / "saved.brt")
    assert got.code == 1
    assert "Lost: entry 9 was altered" in got.out
    assert "backup 2 holds" in got.err
    assert brt("audit", tmp_path / "saved.brt").code == 0
    assert brt("repair", file, "-o", tmp_path / "saved.brt").code == 2


@pytest.mark.parametrize("place", ["", ".", "/"])
def test_a_folder_is_not_a_campaign(brt: Shell, place: str) -> None:
    for words in (("backups", place), ("restore", place, "1"), ("repair", place)):
        got = brt(*words)
        assert (got.code, "is a folder" in got.err) == (2, True)


def test_a_missing_file_has_only_the_backups_it_left(brt: Shell, file: Path) -> None:
    got = brt("backups", file.with_name("typo.brt"))
    assert (got.code, "typo.brt: there is no such file" in got.err) == (2, True)
    brt("refit", file, "--auto", "--seed", 1)
    file.unlink()
    assert whys(brt, file) == ["after-refit", "before-refit"]


def test_a_campaign_in_a_synced_folder_is_named_when_it_is_made(brt: Shell, tmp_path: Path) -> None:
    (tmp_path / "Dropbox").mkdir()
    got = brt("new", tmp_path / "Dropbox" / "c.brt", "--cg", "III")
    assert got.code == 0
    assert "c.brt is in a folder that Dropbox syncs with other machines" in got.err
