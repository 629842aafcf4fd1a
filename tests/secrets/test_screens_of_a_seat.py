"""Whatever a player presses, what he reads is the same whatever the enemy keeps secret."""

from pathlib import Path
from random import Random

import pytest

from brt_cg.model.counters import Side
from tests.cli.shell import shell
from tests.exports.journals import JAPANESE, MARINE
from tests.secrets.at_a_terminal import terminal
from tests.secrets.campaigns import STOPS
from tests.secrets.conftest import Pairs
from tests.secrets.screens import all_seen, unlike, visits
from tests.settings import count

VISITS = count(ci=1, full=40)  # at each stop
STOPS_SEEN = STOPS[:: count(ci=2, full=1)]


@pytest.mark.parametrize("side", [MARINE, JAPANESE])
@pytest.mark.parametrize("stop", STOPS_SEEN)
def test_a_screen_reads_alike_whatever_the_enemy_keeps_secret(
    stop: str, side: Side, pairs: Pairs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chance = Random(f"{stop} {side}")
    todo = chance.sample([*visits(chance)], VISITS)
    with terminal(tmp_path, shell(capsys, tmp_path)) as at:
        one, other = (all_seen(at, each[stop], side, todo) for each in pairs[side])
    found = unlike(one, other)
    assert not found, "\n\n".join([f"{len(found)} of {VISITS} visits differ", *found])
