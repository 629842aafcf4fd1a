"""Who may read the files: both sides' secrets only their owner, whatever the system would allow."""

import os
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from brt_cg.cli import main
from brt_cg.files import create_private_file, write_atomically, write_state_file
from tests.settings import count

pytestmark = pytest.mark.posix  # where files have modes

Command = Callable[[Path], list[str]]
UMPIRE: dict[str, Command] = {
    "export": lambda out: ["roster", "--format", "md", "-o", str(out)],
    "workbook": lambda out: ["roster", "--format", "xlsx", "-o", str(out)],
    "page": lambda out: ["roster", "--format", "html", "-o", str(out)],
    "state": lambda out: ["state", "-o", str(out)],
}


@pytest.fixture(params=[0o022, 0o077][: count(1, 2)], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def run(*words: object) -> None:
    assert main([str(word) for word in words]) == 0


def test_a_new_campaign_and_its_journal_are_private(
    tmp_path: Path, umask: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, connect = tmp_path / "c.brt", sqlite3.connect
    seen: set[int] = set()

    def watched(*words: object, **named: object) -> sqlite3.Connection:
        made = connect(*words, **named)  # type: ignore[call-overload]
        made.set_trace_callback(lambda _: seen.update(map(mode, tmp_path.iterdir())))
        return made  # type: ignore[no-any-return]

    monkeypatch.setattr(sqlite3, "connect", watched)
    run("new", path, "--cg", "III")
    run("note", path, "a secret", "--side", "japanese")
    assert seen == {0o600}


def test_sqlites_journal_has_the_permissions_of_the_campaign(tmp_path: Path, umask: int) -> None:
    path = tmp_path / "c.brt"
    run("new", path, "--cg", "III")
    with closing(sqlite3.connect(path, isolation_level=None)) as writing:
        writing.execute("BEGIN IMMEDIATE")
        writing.execute("CREATE TABLE more (id)")
        assert mode(tmp_path / "c.brt-journal") == 0o600
        writing.execute("ROLLBACK")


def test_backups_are_private_and_a_restored_campaign_keeps_its_permissions(
    file: Path, umask: int
) -> None:
    file.chmod(0o640)
    run("refit", file, "--auto", "--seed", 11)
    made = [*file.with_name("c.backups").iterdir()]
    assert made
    assert {mode(each) for each in made} == {0o600}
    run("restore", file, 1, "--yes")
    assert mode(file) == 0o640


def test_an_unreadable_campaign_keeps_its_permissions_when_restored(file: Path, umask: int) -> None:
    run("refit", file, "--auto", "--seed", 11)
    file.write_bytes(b"spoilt" * 1000)
    file.chmod(0o640)
    run("restore", file, 1, "--yes")
    assert mode(file) == 0o640
    assert {mode(each) for each in file.with_name("c.backups").iterdir()} == {0o600}


def test_a_restored_deleted_campaign_is_private(file: Path, umask: int) -> None:
    run("refit", file, "--auto", "--seed", 11)
    file.unlink()
    run("restore", file, 1, "--yes")
    assert mode(file) == 0o600


def test_a_repaired_campaign_is_private(file: Path, umask: int) -> None:
    run("repair", file, "-o", file.with_name("saved.brt"))
    run("copy", file, file.with_name("copied.brt"))
    assert mode(file.with_name("saved.brt")) == mode(file.with_name("copied.brt")) == 0o600


def test_a_mail_and_a_campaign_begun_from_it_are_private(file: Path, umask: int) -> None:
    mail, theirs = file.with_name("m.brtmail"), file.with_name("theirs.brt")
    run("send", file, "-o", mail, "--side", "marine", "--all")
    run("receive", theirs, mail, "--side", "japanese")
    assert mode(mail) == mode(theirs) == 0o600


def test_a_campaign_that_receives_a_mail_keeps_its_permissions(file: Path, umask: int) -> None:
    theirs, mail = (
        Path(shutil.copy(file, file.with_name("theirs.brt"))),
        file.with_name("m.brtmail"),
    )
    run("note", file, "mine", "--side", "marine")
    run("note", theirs, "his", "--side", "japanese")
    run("send", theirs, "-o", mail, "--side", "japanese", "--all")
    file.chmod(0o644)
    run("receive", file, mail, "--side", "marine")
    assert mode(file) == 0o644


@pytest.mark.parametrize("words", UMPIRE.values(), ids=UMPIRE)
def test_an_export_of_the_umpires_view_is_private(file: Path, umask: int, words: Command) -> None:
    out = file.with_name("out")
    run("export", file, *words(out))
    assert mode(out) == 0o600


def test_each_exported_table_of_the_umpire_is_private(file: Path, umask: int) -> None:
    run("export", file, "state", "--format", "csv", "-o", file.with_name("tables"))
    assert {mode(each) for each in file.with_name("tables").iterdir()} == {0o600}


@pytest.mark.parametrize("what", ["hip-sheet", "state", "roster"])
def test_an_export_of_a_seats_view_is_private(file: Path, umask: int, what: str) -> None:
    """`serve --help` suggests accounts on one machine for both players."""
    out = file.with_name("out")
    run("export", file, what, "-o", out, "--side", "japanese")
    assert mode(out) == 0o600


def test_a_public_export_has_the_systems_default_permissions(file: Path, umask: int) -> None:
    out = file.with_name("out.html")
    run("export", file, "chronicle", "--format", "html", "-o", out, "--side", "public")
    assert mode(out) == 0o666 & ~umask


@pytest.mark.parametrize("kept", [0o644, 0o640, 0o600])
@pytest.mark.parametrize("side", [["--side", "marine"], []], ids=["marine", "umpire"])
def test_an_export_over_an_older_one_keeps_its_permissions(
    file: Path, umask: int, kept: int, side: list[str]
) -> None:
    out = file.with_name("out.md")
    run("export", file, "roster", "--format", "md", "-o", out, *side)
    out.chmod(kept)
    run("export", file, "records", "--format", "md", "-o", out, *side)
    assert mode(out) == kept


@pytest.mark.parametrize("kept", [0o644, 0o640])
def test_a_mail_over_an_older_one_keeps_its_permissions(file: Path, umask: int, kept: int) -> None:
    mail = file.with_name("m.brtmail")
    run("send", file, "-o", mail, "--all")
    mail.chmod(kept)
    run("send", file, "-o", mail, "--all", "--force")
    assert mode(mail) == kept


def test_the_files_of_the_demo_are_private(tmp_path: Path, umask: int) -> None:
    run("demo", "--headless", "--out", tmp_path / "demo", "--seed", 1)
    made = [path for path in (tmp_path / "demo").rglob("*") if path.is_file()]
    assert len(made) > 3
    assert {mode(path) for path in made} == {0o600}


def test_a_private_file_is_private_while_being_written(
    tmp_path: Path, umask: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even what a killed program left under the name of the half-written file."""
    path = tmp_path / "out.md"
    path.write_text("older")
    path.chmod(0o600)
    half = tmp_path / f"out.md.{os.getpid()}.part"
    half.write_text("left")
    half.chmod(0o644)
    seen: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda file: seen.append(os.fstat(file).st_mode))
    write_atomically(path, "a secret")
    write_atomically(tmp_path / "new.md", "a secret", private=True)
    files = [stat.S_IMODE(each) for each in seen if stat.S_ISREG(each)]
    assert files == [0o600, 0o600]


def test_a_settings_file_becomes_private_even_if_it_was_not(tmp_path: Path, umask: int) -> None:
    """Addresses of seats and PINs."""
    path = tmp_path / "state.json"
    path.write_text("{}")
    path.chmod(0o644)
    write_state_file(path, {"token": "secret"})
    assert mode(path) == 0o600


def test_a_private_file_is_never_made_from_an_existing_one(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("kept")
    with pytest.raises(FileExistsError):
        create_private_file(tmp_path / "there")
    assert (tmp_path / "there").read_text() == "kept"
