"""Whoever leaves the screen to the other player leaves nothing secret on it."""

from pathlib import Path
from random import Random

import pytest

from brt_cg.model.counters import Side
from tests.cli.shell import shell
from tests.exports.journals import JAPANESE, MARINE
from tests.secrets.at_a_terminal import terminal
from tests.secrets.campaigns import STOPS
from tests.secrets.conftest import Pairs
from tests.secrets.screens import all_seen_by_both, unlike, visits
from tests.settings import count

VISITS = count(ci=1, full=12)  # at each stop
STOPS_SEEN = STOPS[:: count(ci=6, full=1)]


@pytest.mark.parametrize("leaver", [MARINE, JAPANESE])
@pytest.mark.parametrize("stop", STOPS_SEEN)
def test_what_the_next_player_sees_is_the_same_whatever_the_one_before_keeps_secret(
    stop: str, leaver: Side, pairs: Pairs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chance = Random(f"{stop} {leaver}")
    todo = chance.sample([*visits(chance)], VISITS)
    with terminal(tmp_path, shell(capsys, tmp_path)) as at:
        reads = [all_seen_by_both(at, each[stop], leaver, todo) for each in pairs[leaver.enemy]]
    found = unlike(*reads)
    assert not found, "\n\n".join([f"{len(found)} of {VISITS} visits differ", *found])
