"""Undo and redo from a seat say the same with and without a secret of the enemy."""

import lzma
import re
import shutil
from pathlib import Path

import pytest

from brt_cg.resources import game_data_folder
from brt_cg.service import demo
from tests.cli.shell import Got, Shell
from tests.settings import count

KEPT = Path(__file__).parents[1] / "kept" / "files"
NOTE = ("note", "a plan")
DRAFT = ("buy", "san_increase", "--draft")
SIDES = ("marine", "japanese")
# Whether the enemy enters a secret before, and after.
SECRETS = [(False, False), (True, True), (True, False), (False, True)][: count(2, 4)]


def enemy_of(side: str) -> str:
    return "japanese" if side == "marine" else "marine"


@pytest.fixture(params=["new", "demo"])
def file(request: pytest.FixtureRequest, tmp_path: Path, brt: Shell) -> Path:
    """A new campaign with points to spend, and the demo before its Refit Phase."""
    if request.param == "demo":
        return Path(str(demo.create_demo(tmp_path)))
    new = tmp_path / "new.brt"
    points = game_data_folder() / "demo" / "allotments.toml"
    assert brt("new", new, "--cg", "III", "--allotments", points).code == 0
    return new


def words_of(got: Got) -> Got:
    """What a player reads, without the moment at which he typed."""
    return Got(got.code, re.sub(r"\d\d:\d\d:\d\d", "", got.out), got.err)


def enters(brt: Shell, file: Path, what: tuple[str, ...], side: str) -> int:
    verb, *words = what
    beach = ("--beach", "red_one") if verb == "buy" and side == "japanese" else ()
    return brt(verb, file, *words, *beach, "--side", side).code


def played(brt: Shell, file: Path, side: str, secrets: tuple[bool, bool]) -> list[Got]:
    """A side notes, takes back and restores; the enemy enters a secret before or after that, or
    not."""
    before, after = secrets
    if before:
        assert enters(brt, file, NOTE, enemy_of(side)) == 0
    said = []
    assert enters(brt, file, NOTE, side) == 0
    for _ in range(2):
        if after:
            assert enters(brt, file, NOTE, enemy_of(side)) == 0
        for verb in (("undo",), ("redo",), ("redo",), ("undo", "--command"), ("redo",)):
            said.append(words_of(brt(verb[0], file, *verb[1:], "--side", side)))
    said.append(words_of(brt("log", file, "--side", side)))
    return said


@pytest.mark.parametrize("side", SIDES)
def test_an_enemy_secret_does_not_change_undo_and_redo(
    brt: Shell, file: Path, tmp_path: Path, side: str
) -> None:
    found = []
    for number, secrets in enumerate(SECRETS):
        (tmp_path / str(number)).mkdir()
        copy = Path(shutil.copy(file, tmp_path / str(number) / "c.brt"))
        said = played(brt, copy, side, secrets)
        folder = str(tmp_path / str(number))
        found.append(
            [(got.code, *(t.replace(folder, "") for t in (got.out, got.err))) for got in said]
        )
        assert brt("audit", copy).code == 0
    assert found[0][0][0] == 0  # it is done
    assert all(one == found[0] for one in found)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("secret", [NOTE, DRAFT])
def test_a_side_with_nothing_to_undo_is_told_so(
    brt: Shell, file: Path, tmp_path: Path, side: str, secret: tuple[str, ...]
) -> None:
    """Also once the enemy took his secret back."""
    twin = Path(shutil.copy(file, tmp_path / "twin.brt"))
    if enters(brt, file, secret, enemy_of(side)) != 0:
        return  # nothing is bought before the demo's Refit Phase
    assert both(brt, ("redo",), side, twin, file).code == 2
    both(brt, ("undo",), side, *copies(tmp_path, twin, file))
    assert brt("undo", file, "--side", enemy_of(side)).code == 0
    assert both(brt, ("redo",), side, twin, file).code == 2
    both(brt, ("undo", "--command"), side, twin, file)
    both(brt, ("redo",), side, twin, file)


def copies(folder: Path, *files: Path) -> list[Path]:
    return [Path(shutil.copy(file, folder / f"copy {file.name}")) for file in files]


def both(brt: Shell, verb: tuple[str, ...], side: str, *files: Path) -> Got:
    """The same of two files: what a player gets of it."""
    one, other = (words_of(brt(verb[0], file, *verb[1:], "--side", side)) for file in files)
    assert one == other
    return one


def test_dice_need_the_opponents_consent_after_he_undid_his_entries(
    brt: Shell, tmp_path: Path
) -> None:
    file = Path(str(demo.create_demo(tmp_path)))
    brt("refit", file, "--auto", "--seed", "1", "--side", "marine")
    brt("undo", file, "--command", "--side", "marine")
    brt("refit", file, "--auto", "--seed", "9", "--side", "japanese")
    got = brt("undo", file, "--command", "--side", "japanese")
    assert "the Japanese player asks the Marine player" in got.out + got.err


def test_undoing_early_answers_of_both_sides_passes_the_audit(brt: Shell, tmp_path: Path) -> None:
    """The audit allowed that only from the first entry of a command on, but the command that gives
    early answers comes before those that it uses at once."""
    file = tmp_path / "campaign.brt"
    file.write_bytes(lzma.decompress((KEPT / "33-8e246dd7.brt.xz").read_bytes()))
    assert brt("refit", file, "--auto", "--seed", "3", "--side", "japanese").code == 3
    asks = brt("status", file, "--json").json["asks"]
    assert (asks["rule"], asks["side"]) == ("15.607", "marine")
    for side in SIDES:
        assert brt("ahead", file, "--side", side, "--always", "15.6").code == 0
    assert brt("status", file, "--json").json["asks"]["rule"] == "15.6112"
    assert brt("undo", file, "--side", "marine").code == 0
    assert brt("status", file, "--json").json["asks"] == asks
    got = brt("audit", file)
    assert got.code == 0, got.out
