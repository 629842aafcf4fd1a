"""Whatever a player gets wrong, he gets a message and exit status 2, never a traceback; and the
campaign stays as it was."""

import errno
import gc
import os
import random
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.shell import COMPLETE, Shell, state, written
from tests.imports.mutants import misfilled
from tests.settings import count
from tests.tui.moments import played

TRIES = count(ci=20, full=2000)


# --- files that are no campaigns ------------------------------------------------------------------


@pytest.fixture
def garbage(tmp_path: Path) -> dict[str, Path]:
    """Files and places that are nothing that brt-cg could use."""
    folder = tmp_path / "folder"
    folder.mkdir()
    found = {"missing": tmp_path / "missing", "folder": folder}
    for name, content in {
        "empty": b"",
        "binary": bytes(range(256)) * 40,
        "text": b"not a campaign\n",
        "json": b'{"format": "brt-cg/state", "version": 1',
        "list": b"[1, 2, 3]",
        "number": b"17",
        "latin": "größer".encode("latin-1"),
        "database": b"SQLite format 3\x00" + b"\x00" * 5000,
        "deep": b"[" * 100_000,
    }.items():
        found[name] = tmp_path / name
        found[name].write_bytes(content)
    return found


COMMANDS = (
    ("status",),
    ("status", "--json"),
    ("open",),
    ("refit",),
    ("refit", "--auto"),
    ("answer", "3"),
    ("undo",),
    ("redo",),
    ("rulings",),
    ("purchases",),
    ("audit",),
    ("audit", "--json"),
    ("export", "state"),
    ("explain", "m-sq-1"),
    ("edit", "m-sq-1", "location=N19", "--reason", "x"),
    ("buy", "wire", "--side", "japanese"),
    ("void", "p1", "--reason", "x"),
    ("draft", "commit"),
    ("allot", "--side", "marine", "--fpp", "3"),
    ("import", "STATE"),
    ("reinforce", "STATE"),
)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_command_accepts_garbage_as_a_campaign(
    brt: Shell, garbage: dict[str, Path], tmp_path: Path, words: tuple[str, ...]
) -> None:
    good = written(tmp_path / "state.json", state())
    rest = [good if word == "STATE" else word for word in words[1:]]
    for name, path in garbage.items():
        got = brt(words[0], path, *rest)
        assert got.code == 2, name
        assert got.out == "", name
        assert path.name in got.err, name


@pytest.mark.parametrize("what", ["import", "reinforce", "answers", "allotments"])
def test_garbage_cannot_be_imported(
    brt: Shell, garbage: dict[str, Path], at_its_end: Path, tmp_path: Path, what: str
) -> None:
    brt("new", "new.brt", "--cg", "III")
    file = Path(shutil.copy(at_its_end, tmp_path / "c.brt"))
    before = [path.read_bytes() for path in (file, tmp_path / "new.brt")]
    for name, path in garbage.items():
        if what == "answers":
            got = brt("refit", file, "--answers", path)
        elif what == "allotments":
            got = brt("new", "more.brt", "--cg", "III", "--allotments", path)
        else:
            got = brt(what, "new.brt", path)
        # An empty TOML file is a file without allotments.
        fine = what == "allotments" and name == "empty"
        assert got.code == (0 if fine else 2), name
        assert got.err or fine, name
    assert [path.read_bytes() for path in (file, tmp_path / "new.brt")] == before


def test_quoted_file_content_does_not_control_the_terminal(brt: Shell, tmp_path: Path) -> None:
    odd = state(**{"\x1b[2Jgone": 1}) | {"perimeters": [["N18\x07\x9b"]]}
    brt("new", "new.brt", "--cg", "III")
    got = brt("import", "new.brt", written(tmp_path / "odd.json", odd))
    assert got.code == 2
    assert "\\x1b[2Jgone: unknown field" in got.err
    assert "N18\\x07\\x9b is not a hex" in got.err
    assert got.err.replace("\n", "").isprintable()


def test_a_new_campaign_never_replaces_a_file(brt: Shell, file: Path, tmp_path: Path) -> None:
    before = file.read_bytes()
    got = brt("new", file, "--cg", "III")
    assert got.code == 2
    assert file.read_bytes() == before
    assert brt("new", tmp_path / "nowhere" / "a.brt", "--cg", "III").code == 2
    assert brt("new", "b.brt", "--cg", "IV").code == 2
    assert not (tmp_path / "b.brt").exists()


def test_a_refused_new_campaign_leaves_no_file(brt: Shell, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("[japanese.red_four]\ngpp = -1\n")
    got = brt("new", "a.brt", "--cg", "III", "--allotments", "bad.toml")
    assert got.code == 2
    assert "red_four" in got.err
    assert not (tmp_path / "a.brt").exists()


def test_new_reports_the_misprint_of_black_two_like_allot(brt: Shell, tmp_path: Path) -> None:
    (tmp_path / "card.toml").write_text('[japanese.black_two]\ncapp = "31^5"\n')
    fund = ("--side", "japanese", "--beach", "black_two")
    told = "Black Two: 31^5 CAPP is printed, but the official answer says 13^5 (15.6142)"
    assert told in brt("new", "a.brt", "--cg", "II", "--allotments", "card.toml").out
    assert told in brt("allot", "a.brt", *fund, "--capp", "31^5").out
    assert "printed" not in brt("new", "b.brt", "--cg", "III", "--allotments", "card.toml").out


# --- answers that are none ------------------------------------------------------------------------

ODD_ANSWERS = (
    *("", " ", "7", "0", "-1", "1.5", "NaN", "-Infinity", "²", "9" * 5000, "[" * 5000),
    *('{"cvp": 1}', '{"marine": {"cvp": 99999999999999999999, "reason": "x"}}', "[[]]", "{}x"),
    *('"\\ud800"', "\udcff", "true", "[1, 2, 3]", "3,4,5", "a,b", '[["A1-Z63"]]', '{"": null}'),
    '{"marine": {"cvp": 1, "reason": "\\ud800"}}',
    '{"marine": {"cvp": 1, "reason": "a\\u0000b"}}',
)


@pytest.mark.usefixtures("read_on")
def test_no_odd_answer_ends_in_a_traceback_or_breaks_the_campaign(brt: Shell, file: Path) -> None:
    for _ in range(40):
        code = brt("refit", file).code
        if code == 0:
            break
        asked = brt("status", file, "--json").json["asks"]
        for text in ODD_ANSWERS:
            got = brt("answer", file, text)
            assert got.code in (0, 2), (asked, text)
            if got.code == 0:
                assert brt("undo", file).code == 0
            else:
                assert got.err, (asked, text)
        still = brt("status", file, "--json").json["asks"]
        assert still["subject"] == asked["subject"]
        assert brt("refit", file, "--auto", "--seed", 1, "--through", asked["rule"]).code == 0
    assert brt("status", file, "--json").json["phase"] == "scenario"
    assert brt("audit", file).code == 0


# --- documents with something wrong in them -------------------------------------------------------


def test_no_damaged_state_ends_in_a_traceback(brt: Shell, tmp_path: Path) -> None:
    chance = random.Random(15)
    brt("new", "new.brt", "--cg", "III")
    for number in range(TRIES):
        file = shutil.copy(tmp_path / "new.brt", tmp_path / f"{number}.brt")
        bad = written(tmp_path / "bad.json", misfilled(state(), chance))
        verb = chance.choice(("import", "import", "reinforce"))
        got = brt(verb, file, bad)
        assert got.code in (0, 2), (number, bad.read_text())
        if got.code == 2:
            assert got.err
            assert Path(file).read_bytes() == (tmp_path / "new.brt").read_bytes()
        elif verb == "import":
            assert brt("refit", file, "--auto", "--seed", number).code == 0
            assert brt("audit", file).code == 0


def test_no_damaged_answers_end_in_a_traceback(brt: Shell, file: Path, tmp_path: Path) -> None:
    chance = random.Random(16)
    whole = file.read_bytes()
    for number in range(TRIES):
        copied = tmp_path / "a.brt"
        copied.write_bytes(whole)
        bad = written(tmp_path / "bad.json", misfilled(COMPLETE, chance))
        got = brt("refit", copied, "--answers", bad, "--auto", "--seed", number)
        assert got.code in (0, 2), (number, bad.read_text())


def test_no_damaged_campaign_ends_in_a_traceback(brt: Shell, file: Path, tmp_path: Path) -> None:
    chance = random.Random(18)
    brt("refit", file, "--auto", "--seed", 1, "--through", "15.6111")
    whole = file.read_bytes()
    for number in range(TRIES):
        damaged = bytearray(whole)
        if chance.random() < 0.3:
            del damaged[chance.randrange(len(damaged)) :]
        for _ in range(chance.choice((1, 20, 400))):
            if damaged:
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        path = tmp_path / "damaged.brt"
        path.write_bytes(bytes(damaged))
        words = chance.choice([one for one in COMMANDS if "STATE" not in one])
        got = brt(words[0], path, *words[1:])
        assert got.code in (0, 1, 2, 3), (number, words)
        gc.collect()  # Windows deletes no file that an error's frames still hold open
        for left in tmp_path.glob("damaged.brt*"):
            left.unlink()


@pytest.mark.parametrize("closed", ["stdin", "stdout"])
def test_a_cron_job_with_a_closed_stream_is_not_a_terminal(
    brt: Shell, file: Path, monkeypatch: pytest.MonkeyPatch, closed: str
) -> None:
    monkeypatch.setattr(sys, closed, None)
    for words in (("status", file), ("open", file), ("purchases", file, "--prices")):
        assert brt(*words).code == 0


@pytest.mark.parametrize("words", [("reinforce", "-", "--side", "marine"), ("end", "-")])
def test_a_closed_standard_input_is_said_so(
    words: tuple[str, ...], brt: Shell, demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`end -` ended in a traceback."""
    file = played(demo_file, None) if words[0] == "end" else demo_file
    monkeypatch.setattr(sys, "stdin", None)
    got = brt(words[0], file, *words[1:])
    assert got.code == 2
    assert got.err.startswith("standard input is closed; enter the text here, or give a file")


def test_messages_to_a_closed_stream_are_not_mixed_into_the_data(
    brt: Shell, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert brt("export", file, "state").json["format"] == "brt-cg/state"
    assert brt("forecast", file, "--runs", "1", "--json").json["runs"] == 1


def test_a_document_that_does_not_fit_on_the_disk_is_named(
    brt: Shell, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    got = brt("export", file, "state", "-o", "state.json")
    assert (got.code, got.err) == (2, "state.json: No space left on device\n")


def test_no_word_of_a_message_is_broken_on_a_terminal(
    brt: Shell, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = brt("answer", file, "none").err
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    told = brt("answer", file, "none").err
    assert told.split() == plain.split()
    assert max(map(len, told.splitlines())) <= 40 < max(map(len, plain.splitlines()))


def test_a_note_is_stored_even_if_its_output_cannot_be_written(
    brt: Shell, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", sys.stdout)  # it is given up, and put back after this
        patch.setattr(sys.stdout, "write", full)
        got = brt("note", file, "a hard day")
    assert got.code == 1
    assert "the output is incomplete: No space left on device" in got.err
    assert "is stored" in got.err
    assert "a hard day" in brt("export", file, "journal", "--format", "md").out


@pytest.mark.parametrize("command", [["status"], ["undo"], ["export", "state"]])
def test_a_campaign_without_entries_is_refused(brt: Shell, file: Path, command: list[str]) -> None:
    verb, *more = command
    with closing(sqlite3.connect(file)) as campaign:
        for (name,) in campaign.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
            campaign.execute(f"DROP TRIGGER {name}")
        campaign.execute("DELETE FROM journal")
        campaign.commit()
    got = brt(verb, file, *more)
    assert (got.code, "contains no entries" in got.err) == (2, True)


@pytest.mark.posix
def test_a_link_that_leads_to_itself_is_refused(brt: Shell, tmp_path: Path) -> None:
    (tmp_path / "loop.brt").symlink_to(tmp_path / "loop.brt")
    got = brt("new", tmp_path / "loop.brt", "--cg", "III")
    assert (got.code, "loop.brt" in got.err, "Traceback" in got.err) == (2, True, False)


def test_a_number_with_thousands_of_digits_is_reported_as_such(brt: Shell, tmp_path: Path) -> None:
    (tmp_path / "points.toml").write_text(f"[marine]\nfpp = {'9' * 5000}\n")
    got = brt("new", tmp_path / "c.brt", "--cg", "III", "--allotments", tmp_path / "points.toml")
    assert got.code == 2
    assert got.err.endswith("not TOML: a number has thousands of digits\n")


@pytest.mark.parametrize("name", ["tarawa:2.brt", "NUL.brt", "tarawa.brt."])
def test_a_campaign_name_must_be_valid_on_every_system(
    brt: Shell, tmp_path: Path, name: str
) -> None:
    got = brt("new", tmp_path / name, "--cg", "III")
    assert (got.code, "choose another name" in got.err) == (2, True)
    assert list(tmp_path.iterdir()) == []


def test_an_export_name_must_be_valid_on_every_system(
    brt: Shell, file: Path, tmp_path: Path
) -> None:
    got = brt("export", file, "state", "-o", tmp_path / "state:2.json")
    assert (got.code, "choose another name" in got.err) == (2, True)


LONG = "x" * 100_000  # as much as a word of a command line may have


@pytest.mark.parametrize(
    "words",
    [
        (LONG,),
        ("status", LONG),
        ("status", "FILE", "--side", LONG),
        ("buy", "FILE", LONG, "--side", "japanese"),
        ("edit", "FILE", LONG, "cvp=1", "--reason", "x"),
        ("restore", "FILE", LONG),
        ("rulings", "FILE", "--set", f"R-DATA={LONG}"),
        ("explain", "FILE", LONG),
        ("answer", "FILE", LONG, LONG),
        ("note", "FILE", "seen", "--about", LONG),
        ("aid", "allowed", LONG),
    ],
)
def test_a_refusal_echoes_no_more_than_can_be_read(
    brt: Shell, file: Path, words: tuple[str, ...]
) -> None:
    got = brt(*(file if word == "FILE" else word for word in words))
    assert got.code == 2
    assert len(got.err) < 10_000
    assert "…" in got.err or LONG[:20] not in got.err
