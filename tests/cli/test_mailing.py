"""A campaign that is mailed to and fro at the command line."""

from pathlib import Path

import pytest

from tests.cli.shell import Shell
from tests.homes import set_state_home


@pytest.fixture
def theirs(brt: Shell, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The Japanese player's copy, which he received as a mail of the whole campaign."""
    set_state_home(monkeypatch, tmp_path / "state")
    first, made = tmp_path / "first.brtmail", tmp_path / "theirs.brt"
    got = brt("send", file, "-o", first, "--side", "marine", "--all")
    assert (got.code, "This mail contains the whole campaign. If you" in got.out) == (0, True)
    assert got.out.index("press M on Home") < got.out.index("press M, then r")
    assert brt("receive", made, first, "--side", "japanese").code == 0
    return made


def test_a_sent_mail_is_received(brt: Shell, file: Path, theirs: Path, tmp_path: Path) -> None:
    brt("note", file, "hello")
    new = tmp_path / "new.brtmail"
    got = brt("send", file, "-o", new, "--side", "marine")
    assert (got.code, f"written: {new}" in got.err) == (0, True)
    for words in ("it continues your campaign", "nothing new that your side may see"):
        got = brt("receive", theirs, new, "--side", "japanese")
        assert (got.code, words in got.out) == (0, True)
    new.unlink()
    brt("send", theirs, "-o", new, "--all")
    brt("note", theirs, "and to you")
    brt("send", theirs, "-o", tmp_path / "back.brtmail")
    got = brt("receive", file, tmp_path / "back.brtmail", "--side", "marine")
    assert (got.code, "checked against" in got.err) == (0, False)
    assert "hello" in brt("export", theirs, "journal").out


def test_umpire_entries_need_confirmation_by_the_receiver(
    brt: Shell, file: Path, theirs: Path, tmp_path: Path
) -> None:
    brt("edit", file, "j-sq-1", "name=Mine", "--reason", "I say so")
    new = tmp_path / "new.brtmail"
    brt("send", file, "-o", new)
    got = brt("receive", theirs, new, "--side", "japanese")
    assert (got.code, got.out, "--from-umpire" in got.err) == (2, "", True)
    got = brt("receive", theirs, new, "--side", "japanese", "--from-umpire")
    assert (got.code, "checked against" in got.err) == (0, True)


def test_a_fork_is_named_and_waits_for_a_choice(
    brt: Shell, file: Path, theirs: Path, tmp_path: Path
) -> None:
    brt("send", file, "-o", tmp_path / "before.brtmail", "--side", "marine")
    got = brt("refit", file, "--auto", "--through", "15.6112", "--seed", "one")
    assert "it forks" in got.err
    got = brt("refit", theirs, "--auto", "--through", "15.6112", "--seed", "other")
    assert "it forks" not in got.err
    new = tmp_path / "new.brtmail"  # as the umpire's: it decides for the Japanese too
    brt("send", file, "-o", new)
    got = brt("receive", theirs, new, "--side", "japanese", "--from-umpire")
    assert (got.code, got.out) == (2, "")
    assert "in yours: " in got.err
    assert "in the mail: " in got.err
    assert "Traceback" not in got.err
    got = brt("receive", theirs, new, "--side", "japanese", "--from-umpire", "--take", "theirs")
    assert (got.code, "kept as" in got.err) == (0, True)
    assert brt("audit", theirs).code == 0


def test_the_exit_status_of_status_says_whose_turn_it_is(brt: Shell, file: Path) -> None:
    brt("refit", file, "--side", "japanese")
    codes = {side: brt("status", file, "--side", side).code for side in ("marine", "japanese")}
    assert sorted(codes.values()) == [0, 3]
    whose = next(side for side, code in codes.items() if code)
    first = brt("status", file).out.splitlines()[0]
    assert first.endswith(f"{whose.capitalize()} player to answer")
    assert brt("status", file).code == 0


def test_a_file_that_is_not_a_mail_is_refused(brt: Shell, file: Path, tmp_path: Path) -> None:
    for content in (b"", b"no mail", b"\x1f\x8b\x08\x00"):
        (tmp_path / "bad.brtmail").write_bytes(content)
        got = brt("receive", file, tmp_path / "bad.brtmail")
        assert (got.code, "bad.brtmail" in got.err) == (2, True)
    assert brt("receive", file, tmp_path / "none.brtmail").code == 2
    got = brt("send", file, "-o", tmp_path / "bad.brtmail")
    assert (got.code, "--force" in got.err) == (2, True)


def test_a_mail_never_replaces_a_campaign_even_by_force(brt: Shell, file: Path) -> None:
    before = file.read_bytes()
    got = brt("send", file, "-o", file, "--force")
    assert got.code == 2
    assert "is a campaign file; choose another name" in got.err
    assert file.read_bytes() == before
