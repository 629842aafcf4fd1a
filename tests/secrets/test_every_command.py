"""Whatever command a player types, what he reads is the same whatever the enemy keeps secret."""

import argparse
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

import pytest

from brt_cg.model.counters import Side
from brt_cg.storage.reader import newest_entry
from tests.cli.shell import shell
from tests.exports.journals import JAPANESE, MARINE
from tests.secrets.at_a_terminal import Terminal, terminal
from tests.secrets.campaigns import CAMPAIGN, LOST, REVEALED, STOPS, Files
from tests.secrets.command_lines import (
    Unknown,
    Words,
    commands_of_a_seat,
    files_for,
    lines_of,
    values_of,
)
from tests.secrets.conftest import Pairs
from tests.secrets.pairs import difference
from tests.settings import count

EACH_STOP = count(ci=3, full=0)  # command lines at each stop; 0: all
MORE = count(ci=2, full=40)  # of several arguments by chance, for each command


@cache
def all_lines(side: Side) -> list[Words]:
    """All that he types; in CI a part of it, in another order for each side."""
    chance = Random(f"{side}")
    lines = [
        line
        for command in commands_of_a_seat()
        for line in dict.fromkeys(lines_of(command, side, chance, MORE))
    ]
    if EACH_STOP:
        chance.shuffle(lines)
    return lines


def lines_at(stop: str, side: Side) -> list[Words]:
    lines, at = all_lines(side), STOPS.index(stop)
    return lines[at * EACH_STOP : (at + 1) * EACH_STOP] if EACH_STOP else lines


@pytest.mark.parametrize("side", [MARINE, JAPANESE])
@pytest.mark.parametrize("stop", STOPS)
def test_command_output_does_not_depend_on_enemy_secrets(
    stop: str, side: Side, pairs: Pairs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [each[stop] | files_for(side) for each in pairs[side]]
    with terminal(tmp_path, shell(capsys, tmp_path)) as at:
        found = [
            each for line in lines_at(stop, side) for each in differences(at, files, line, side)
        ]
    assert not found, "\n\n".join([f"{len(found)} differences", *found])


def differences(at: Terminal, files: Sequence[Files], line: Words, side: Side) -> list[str]:
    """The parts in which a command reads otherwise in one of a pair than in the other."""
    one, other = (at.read(each, line, side) for each in files)
    return [
        f"brt-cg {' '.join(line)}: {part} differs:\n{difference(one.get(part), other.get(part))}"
        for part in one | other
        if one.get(part) != other.get(part)
    ]


@pytest.mark.parametrize("command", sorted(commands_of_a_seat()))
def test_command_output_after_a_reveal_does_not_depend_on_other_secrets(
    command: str, pairs: Pairs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only in one of the two does a pillbox hide whose id collides with that of a tunnel that was
    found: by the numbers of older campaigns the number of the tunnel would name it."""
    files = [each[REVEALED] | files_for(MARINE) for each in pairs[MARINE]]
    lines = [line for line in all_lines(MARINE) if line[0] == command]
    with terminal(tmp_path, shell(capsys, tmp_path)) as at:
        for line in lines[: count(ci=1, full=len(lines))]:
            assert not differences(at, files, line, MARINE)


OF_CVP: tuple[Words, ...] = (
    ("status",),
    ("status", "--json"),
    *(("explain", of) for of in ("cvp", "marine.cvp", "vp", "marine.vp")),
    ("forecast", "--runs=2", "--seed=1"),
    ("audit",),
    *(("export", what) for what in ("state", "roster", "records", "chronicle", "journal")),
    ("export", "scenario-sheet"),
    ("edit", "marine", "cvp=99", "--reason=recounted"),
    ("send", "-onew.brtmail", "--all"),
    ("undo",),
    ("end", "", "--yes"),
    ("end", "", "--preview"),
    ("refit", "--auto", "--seed=1", "--through=15.602"),
)


@pytest.mark.parametrize("line", OF_CVP, ids=" ".join)
def test_a_hidden_loss_is_in_no_line_the_enemy_sees(
    line: Words, pairs: Pairs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = (word for word in line[1:] if word.startswith("-"))
    values = (word for word in line[1:] if not word.startswith("-"))
    words = (line[0], "--side=marine", *options, "--", CAMPAIGN, *values)
    with terminal(tmp_path, shell(capsys, tmp_path)) as at:
        one, other = (at.read(each[LOST], words, MARINE) for each in pairs[MARINE])
    for part in one | other:
        assert one.get(part) == other.get(part), difference(one.get(part), other.get(part))


@pytest.mark.parametrize("side", [MARINE, JAPANESE])
@pytest.mark.parametrize("stop", STOPS)
def test_in_one_of_two_campaigns_the_enemy_made_more_entries(
    stop: str, side: Side, pairs: Pairs, tmp_path: Path
) -> None:
    """Else their being alike would say nothing."""
    held = []
    for number, each in enumerate(pairs[side]):
        path = tmp_path / f"{number}.brt"
        path.write_bytes(each[stop][CAMPAIGN])
        held.append(newest_entry(path)[0])
    assert held[1] >= held[0] + 3


def test_an_option_without_known_values_is_reported() -> None:
    parser = argparse.ArgumentParser()
    new = parser.add_argument("--moon", metavar="PHASE")
    with pytest.raises(Unknown, match="brt-cg refit: no value of --moon PHASE is known"):
        values_of("refit", new)
