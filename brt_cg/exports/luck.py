"""The luck of the dice: a side's rolls compared with the average.

In the tables of the Refit Phase low rolls are good for the roller, so the luck of a roll is the
percentage of rolls that would be higher, with half of those that would be equal.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import sqrt
from statistics import NormalDist

from brt_cg.immutable import immutable
from brt_cg.model import SIDES, Side
from brt_cg.questions import DiceTable
from brt_cg.views.journal_rows import ShownRow

FACES = range(1, 7)
MEAN, VARIANCE = 3.5, 35 / 12  # of one die
EXACT = 60  # the number of dice up to which chances are counted, not approximated
WHAT_IT_MEANS = (
    "Low rolls are good in the Refit Phase. Luckier than 81 in 100: of 100 players "
    "with the same number of rolls, 81 would have rolled higher."
)


@immutable
class Luck:
    """A side's rolls: the number of drs and DRs, the sum of all dice, the frequency of each face,
    and the percentage of rolls that would have been less lucky."""

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
        """The mean of a die, with two decimals."""
        return f"{self.sum / self.dice:.2f}" if self.dice else "–"

    @property
    def expected_average(self) -> str:
        return f"{MEAN:.2f}"


def count_luck(rows: Iterable[ShownRow], side: Side) -> Luck:
    """Return the luck of a side in the rolls of these rows of the journal that were not undone."""
    mine = [row.roll["dice"] for row in rows if row.roll and row.is_standing and row.side is side]
    faces = [face for dice in mine for face in dice]
    return Luck(
        side,
        sum(len(dice) == 1 for dice in mine),
        sum(len(dice) == 2 for dice in mine),
        sum(faces),
        tuple(map(faces.count, FACES)),
        luckier_than_percent(sum(faces), len(faces)),
    )


@immutable
class TableLuck:
    """A side's rolls on a table with one die or two (`dice`): `counts` is the frequency of each
    total, from the lowest."""

    side: Side
    table: str
    rule: str
    title: str
    dice: int
    counts: tuple[int, ...]
    percent: int

    @property
    def heading(self) -> str:
        """The table as players name it: "15.6043 Shock recovery"."""
        return f"{self.rule} {self.title}"

    @property
    def possible_totals(self) -> range:
        """The possible totals."""
        return range(self.dice, 6 * self.dice + 1)

    @property
    def rolls(self) -> int:
        return sum(self.counts)

    @property
    def average(self) -> str:
        rolled = sum(
            total * count for total, count in zip(self.possible_totals, self.counts, strict=True)
        )
        return f"{rolled / self.rolls:.2f}"

    @property
    def expected_average(self) -> str:
        return f"{MEAN * self.dice:.2f}"

    @property
    def expected_counts(self) -> tuple[float, ...]:
        """The expected frequency of each total in the same number of rolls."""
        return tuple(self.rolls * chance for chance in total_chances(self.dice))


def luck_by_table(rows: Iterable[ShownRow], tables: Mapping[str, DiceTable]) -> list[TableLuck]:
    """Return the rolls in these rows of the journal that were not undone, by side and table: Marine
    first, tables by number."""
    rolled: dict[tuple[Side, str, int], Counter[int]] = {}
    for row in rows:
        if row.roll and row.is_standing and row.side is not None:
            faces = row.roll["dice"]
            key = (row.side, row.roll["table"], len(faces))
            rolled.setdefault(key, Counter())[sum(faces)] += 1
    ordered = sorted(rolled, key=lambda key: (SIDES.index(key[0]), *key[1:]))
    return [_on_table(*key, rolled[key], tables) for key in ordered]


def _on_table(
    side: Side, key: str, dice: int, totals: Counter[int], tables: Mapping[str, DiceTable]
) -> TableLuck:
    table = tables.get(key)
    counts = tuple(totals[total] for total in range(dice, 6 * dice + 1))
    percent = luckier_than_percent(sum(totals.elements()), dice * totals.total())
    rule, title = (table.rule, table.title) if table else ("", key)
    return TableLuck(side, key, rule, title, dice, counts, percent)


@lru_cache(maxsize=EXACT + 1)
def total_chances(dice: int) -> tuple[float, ...]:
    """Return the chance of each total of this many dice, from the lowest."""
    if dice == 0:
        return (1.0,)
    fewer = total_chances(dice - 1)
    return tuple(sum(fewer[max(0, at - 5) : at + 1]) / 6 for at in range(len(fewer) + 5))


def luckier_than_percent(total: int, dice: int) -> int:
    """Return the percentage of rolls of this many dice that are higher than a total."""
    if dice > EXACT:
        more = NormalDist().cdf((MEAN * dice - total) / sqrt(VARIANCE * dice))
    else:
        chance = total_chances(dice)
        more = sum(chance[total - dice + 1 :]) + chance[total - dice] / 2
    return round(100 * more)
