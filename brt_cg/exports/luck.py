"""The luck of the dice: what a side rolled, against what dice give on average.

In the tables of the Refit Phase low rolls are good for whoever rolls, so luck is how far the sum
fell below the average, in standard deviations, told as a share: luckier than so many in a hundred.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

from brt_cg.counters import Side
from brt_cg.exports.entries_told import Row

MEAN, VARIANCE = 3.5, 35 / 12  # of one die


@dataclass(frozen=True, slots=True)
class Luck:
    """A side's rolls: how many of one die and of two, the sum of all dice, how often each face came
    up, and how many in a hundred would have been less lucky."""

    side: Side
    drs: int
    double_drs: int
    sum: int
    faces: tuple[int, ...]
    percent: int

    @property
    def dice(self) -> int:
        return self.drs + 2 * self.double_drs

    @property
    def average(self) -> str:
        """Of a die, with two decimals; 3.50 is what dice give."""
        return f"{self.sum / self.dice:.2f}" if self.dice else "–"


def luck(rows: Iterable[Row], side: Side) -> Luck:
    """The luck of a side with the rolls that stand, of these rows of the journal."""
    mine = [row.roll["dice"] for row in rows if row.roll and row.stands and row.side is side]
    faces = [face for dice in mine for face in dice]
    below = MEAN * len(faces) - sum(faces)
    share = NormalDist().cdf(below / sqrt(VARIANCE * len(faces))) if faces else 0.5
    return Luck(
        side,
        sum(len(dice) == 1 for dice in mine),
        sum(len(dice) == 2 for dice in mine),
        sum(faces),
        tuple(faces.count(face) for face in range(1, 7)),
        round(100 * share),
    )
