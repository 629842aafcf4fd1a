"""Whatever one side keeps secret: all that the other reads is the same, to the last byte."""

import pytest

from brt_cg.model.counters import Side
from tests.exports.journals import JAPANESE, MARINE
from tests.secrets import pairs
from tests.secrets.by_chance import Played, Read
from tests.secrets.pairs import difference
from tests.settings import count

SEEDS = count(ci=4, full=1000)
WHOLE = count(ci=100, full=12)  # one reading in so many is of everything, as that takes its time


@pytest.mark.parametrize("reader", [MARINE, JAPANESE])
@pytest.mark.parametrize("seed", range(SEEDS))
def test_enemy_secrets_leave_no_trace_in_random_play(seed: int, reader: Side) -> None:
    both = [Played(seed, number, reader) for number in (0, 1)]
    reads = zip(*(played.reads() for played in both), strict=False)
    for at, (one, other) in enumerate(reads):
        assert one.asked == other.asked, difference(one.told["log"], other.told["log"])
        assert_alike(one, other)
        if at % WHOLE == seed % WHOLE:
            pairs.assert_alike(*(played.journal for played in both), side=reader)


def assert_alike(one: Read, other: Read) -> None:
    for name in one.told:
        told, of_other = one.told[name], other.told[name]
        assert told == of_other, f"at {one.asked}, {name}:\n{difference(told, of_other)}"


def test_random_play_reaches_most_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most of what hides is not found at once."""
    monkeypatch.setattr(Played, "_told", lambda self, ask: ())  # only how often is counted
    reads = [sum(1 for _ in Played(seed, 0, MARINE).reads()) for seed in range(12)]
    assert sum(number > 10 for number in reads) > 3, reads
