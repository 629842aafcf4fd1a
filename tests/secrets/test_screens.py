"""Whatever a player presses, what he reads is the same whatever the enemy keeps secret; and whoever
leaves the screen to the other player leaves nothing secret on it."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from brt_cg.model.counters import Side
from tests.cli.shell import shell
from tests.exports.journals import JAPANESE, MARINE
from tests.secrets.at_a_terminal import terminal
from tests.secrets.campaigns import LOST, STOPS
from tests.secrets.conftest import Pairs
from tests.secrets.screens import Frames, all_seen, all_seen_by_both, unlike, visits
from tests.settings import count

Look = Callable[..., list[Frames]]
# The stops of a campaign, and the visits at each.
ALONE = (dict.fromkeys((*STOPS[:: count(ci=6, full=1)], LOST)), count(ci=1, full=40))
TOGETHER = (dict.fromkeys((*STOPS[:: count(ci=12, full=1)], LOST)), count(ci=1, full=12))


@pytest.mark.parametrize("side", [MARINE, JAPANESE])
@pytest.mark.parametrize(
    ("look", "stop", "many"),
    [
        (look, stop, many)
        for look, (stops, many) in ((all_seen, ALONE), (all_seen_by_both, TOGETHER))
        for stop in stops
    ],
)
def test_a_screen_does_not_depend_on_enemy_secrets(
    look: Look,
    stop: str,
    many: int,
    side: Side,
    pairs: Pairs,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What one reads at his own screen, or the next player at the screen that `side` leaves."""
    chance = Random(f"{stop} {side}")
    todo = chance.sample([*visits(chance)], many)
    reader = side if look is all_seen else side.enemy
    with terminal(tmp_path, shell(capsys, tmp_path)) as at:
        one, other = (look(at, each[stop], side, todo) for each in pairs[reader])
    found = unlike(one, other)
    assert not found, "\n\n".join([f"{len(found)} of {many} visits differ", *found])
