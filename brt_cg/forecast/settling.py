"""A forecast that stops by itself, once more runs would hardly change what it shows."""

from collections.abc import Iterator

from brt_cg.forecast import MOST
from brt_cg.forecast.cores import count_runs
from brt_cg.forecast.outcomes import Forecast, outcome_of
from brt_cg.forecast.runs import RunCounts
from brt_cg.forecast.start import Start
from brt_cg.questions.dice import BLOCK

CLOSE = 0.02  # how far a chance may be from what is shown
EACH = 4 * BLOCK  # runs after which it is looked at again, so that it ends alike on any machine


def count_until_settled(start: Start, most: int = MOST) -> Iterator[RunCounts]:
    """Plays runs, yielding the sum so far after each part, until each chance is settled, or `most`
    are played. Closing the generator stops it. Raises Refused."""
    for counted in count_runs(start, most):
        yield counted
        if counted.runs % EACH == 0 and is_settled(outcome_of(start, None, counted)):
            return


def is_settled(found: Forecast) -> bool:
    """Whether every chance is exact, or known to within two per cent."""
    return all(
        max(chance.high - chance.chance, chance.chance - chance.low) <= CLOSE
        for chances in found.counters.values()
        for chance in chances
    )
