"""A forecast: each counter's chances and the spread of each side's figures, with their precision;
and the significant differences between two forecasts.

A chance is exact where one roll decides: the counter rolled once in every run, every face came up,
and the same faces always gave the same result. Otherwise it has the interval that the number of
runs allows (95%, Wilson's). The runs' dice are evenly distributed (dice.py), so they are worth more
runs: the number of independent runs that would vary as little as these batches do.
"""

from collections import Counter as Tally
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from operator import attrgetter
from typing import Any

from brt_cg.card import Card
from brt_cg.exports.wording import view_name
from brt_cg.forecast.runs import (
    NAMES,
    SEVERAL,
    WATCHED,
    Roll,
    RunCounts,
    State,
    watched_field_values,
)
from brt_cg.forecast.start import ForecastStart
from brt_cg.immutable import immutable
from brt_cg.model import SIDES, Campaign, Fate, Side, natural_sort_key, spoken_word
from brt_cg.questions import BLOCK, Faces
from brt_cg.refit.casualties import casualty_points

SURE = 1.96  # standard deviations of a 95% interval
ENOUGH = 100  # runs needed to see that one roll decides
TELLING = 10  # batches needed to estimate the worth of runs
FIGURES = ("cvp", "san", "squad_equivalents")
IN_PLAY = "in_play"
GONE = (Fate.ELIMINATED, Fate.CAPTURED)
Outcome = str
Ends = Tally[tuple[int, State, Roll | None]]  # the frequency of each fate of a counter, by batch


@immutable
class Chance:
    """The chance of an outcome, and its interval (a single point if the chance is exact); and
    whether the side has `lost` the counter in that outcome."""

    outcome: Outcome
    chance: float
    low: float
    high: float
    lost: bool = False

    @property
    def is_exact(self) -> bool:
        return self.low == self.high


@immutable
class Spread:
    """A figure of a side at the end: its mean, the mean's possible error, and the values below and
    above which one run in ten falls."""

    mean: float
    off: float
    p10: float
    p90: float


@immutable
class Forecast:
    """The results of a forecast. `unused` are given choices that were never needed or never
    allowed."""

    seat: Side | None
    date: str
    seed: str
    runs: int
    counters: Mapping[str, tuple[Chance, ...]]
    sides: Mapping[Side, Mapping[str, Spread]]
    unused: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the document of `forecast --json`."""
        inexact = {id: found for id, found in self.counters.items() if not found[0].is_exact}
        return {
            "format": "brt-cg/forecast",
            "version": 1,
            "view": view_name(self.seat),
            "date": self.date,
            "seed": self.seed,
            "runs": self.runs,
            "counters": {
                id: {chance.outcome: round(chance.chance, 6) for chance in found}
                for id, found in self.counters.items()
            },
            "exact": [id for id in self.counters if id not in inexact],
            "intervals": {
                id: {
                    chance.outcome: [round(chance.low, 4), round(chance.high, 4)]
                    for chance in found
                }
                for id, found in inexact.items()
            },
            "sides": {
                side: {
                    what: {"mean": round(spread.mean, 4), "p10": spread.p10, "p90": spread.p90}
                    for what, spread in spreads.items()
                }
                for side, spreads in self.sides.items()
            },
        }


def build_forecast(start: ForecastStart, seat: Side | None, counted: RunCounts) -> Forecast:
    """Return the forecast from counted runs."""
    campaign = start.make_campaign()
    return Forecast(
        seat,
        campaign.situation.date,
        start.seed,
        counted.runs,
        _counters(campaign, counted),
        {side: {what: _spread(counted, side, what) for what in FIGURES} for side in SIDES},
        tuple(_unused(start, counted)),
    )


@immutable
class CounterRisk:
    """A counter whose fate is open: the `risk` that its side loses it, the Casualty VP that it is
    `worth` to its enemy then, and its other possible fates. A terrain counter has no side."""

    id: str
    side: Side | None
    worth: int
    risk: Chance
    others: tuple[Chance, ...]


def counters_by_risk(found: Forecast, campaign: Campaign, card: Card) -> list[CounterRisk]:
    """Return the counters, sorted by the Casualty VP at risk, then by the chance of their loss."""
    rows = [_risk(id, chances, campaign, card) for id, chances in found.counters.items()]
    return sorted(
        rows,
        key=lambda row: (-row.risk.chance * row.worth, -row.risk.chance, natural_sort_key(row.id)),
    )


def _risk(id: str, chances: Iterable[Chance], campaign: Campaign, card: Card) -> CounterRisk:
    lost = [each for each in chances if each.lost]
    chance, low, high = (
        min(1.0, sum(map(attrgetter(name), lost))) for name in ("chance", "low", "high")
    )
    counter = campaign.find(id)
    side, points = (
        (counter.side, casualty_points(card, counter)) if counter is not None else (None, 0)
    )
    words = ", ".join(each.outcome for each in lost)
    others = tuple(each for each in chances if not each.lost)
    return CounterRisk(id, side, points, Chance(words, chance, low, high, True), others)


# --- counters ---------------------------------------------------------------------------------


def _counters(campaign: Campaign, counted: RunCounts) -> dict[str, tuple[Chance, ...]]:
    """Return the chances of all counters that roll, or end in different states."""
    ends: defaultdict[str, Ends] = defaultdict(Tally)
    for (batch, id, state, roll), number in counted.states.items():
        ends[id][batch, state, roll] += number
    found: dict[str, tuple[Chance, ...]] = {}
    for counter in sorted(campaign.counters(), key=lambda counter: counter.id):
        tally = ends[counter.id]
        states = {state for _, state, _ in tally}
        names, before = NAMES[type(counter)], watched_field_values(counter)
        words = _words(names, before, states)
        if len(set(words.values())) > 1 or any(roll for _, _, roll in tally):
            lost = {words[state] for state in states if _is_lost(names, before, state)}
            chances = _chances(tally, words, counted.batches)
            found[counter.id] = tuple(replace(each, lost=each.outcome in lost) for each in chances)
    return found


def _is_lost(names: tuple[str, ...], before: State, after: State) -> bool:
    """Whether a counter that was not lost before is out of play, a wreck, or the enemy's."""
    was, now = (dict(zip(names, state, strict=True)) for state in (before, after))
    wrecked = "wreck" in now.get("status", ()) and "wreck" not in was["status"]
    return now["fate"] in GONE or now.get("side") != was.get("side") or wrecked


def _chances(
    tally: Ends, words: Mapping[State, Outcome], batches: Tally[int]
) -> tuple[Chance, ...]:
    exact = _exact(tally, words) if batches.total() >= ENOUGH else None
    if exact is not None:
        chances = [Chance(outcome, float(n), float(n), float(n)) for outcome, n in exact.items()]
    else:
        hits: defaultdict[Outcome, Tally[int]] = defaultdict(Tally)
        for (batch, state, _), number in tally.items():
            hits[words[state]][batch] += number
        chances = [_chance(outcome, of, batches) for outcome, of in hits.items()]
    return tuple(sorted(chances, key=lambda chance: (-chance.chance, chance.outcome)))


def _chance(outcome: Outcome, hits: Tally[int], batches: Tally[int]) -> Chance:
    share = hits.total() / batches.total()
    worth = _worth(hits, batches, share * (1 - share))
    return Chance(outcome, share, *wilson_interval(share * worth, worth))


def _worth(sums: Mapping[int, float], batches: Tally[int], variance: float) -> float:
    """Return the number of independent runs that these runs are worth for the mean of a figure,
    from its sum in each batch and its variance in a run; never less than the number of runs."""
    runs = batches.total()
    if len(batches) < TELLING or not variance:
        return runs
    mean = sum(sums.values()) / runs
    left = sum(size * (sums.get(at, 0) / size - mean) ** 2 for at, size in batches.items())
    between = left / (len(batches) - 3)  # not 1, because Student's t allows for few batches
    return runs * min(max(1.0, variance / between), BLOCK) if between else runs * BLOCK


def _exact(tally: Ends, words: Mapping[State, Outcome]) -> dict[Outcome, Fraction] | None:
    """Return the exact chances, if one roll decides them all."""
    by_faces: dict[Faces, Outcome] = {}
    rules = set()
    for _, state, roll in tally:
        if roll is None or roll == SEVERAL:
            return None
        rule, faces = roll
        if by_faces.setdefault(faces, words[state]) != words[state]:
            return None
        rules.add(rule)
    every = 6 ** len(next(iter(by_faces)))
    if len(rules) != 1 or len(by_faces) != every:
        return None
    hits = Tally(by_faces.values())
    return {outcome: Fraction(number, every) for outcome, number in hits.items()}


def wilson_interval(hits: float, runs: float) -> tuple[float, float]:
    """Return Wilson's interval for an event that occurred in `hits` of `runs`."""
    share, square = hits / runs, SURE * SURE / runs
    middle = share + square / 2
    reach = SURE * sqrt(share * (1 - share) / runs + square / (4 * runs))
    low, high = (middle - reach) / (1 + square), (middle + reach) / (1 + square)
    return max(0.0, low), min(
        1.0, max(share, high)
    )  # never failed: exactly 1, without rounding errors


# --- in words -----------------------------------------------------------------------------------

Atom = tuple[str, Any]  # a field's name, and its value, or one word of it
MARKS = ("status", "traits", "depleted")
PATHFINDERS = {"none": "no Pathfinder", "good_order": "Pathfinder", "wounded": "wounded Pathfinder"}


def _words(names: tuple[str, ...], before: State, ends: Iterable[State]) -> dict[State, Outcome]:
    """Return each final state in words: its difference from the other final states in play or, if
    there are none, its changes."""
    was = _atoms(names, before)
    staying = {state: _atoms(names, state) for state in ends if state[0] == IN_PLAY}
    somewhere = set[Atom]().union(*staying.values())
    varying = {atom for atom in somewhere if any(atom not in each for each in staying.values())}
    words = {
        state: _outcome(was, now, varying or (somewhere ^ was)) for state, now in staying.items()
    }
    return {state: words.get(state) or spoken_word(str(state[0])) for state in ends}


def _atoms(names: tuple[str, ...], state: State) -> set[Atom]:
    found: set[Atom] = set()
    for name, told in zip(names[1:], state[1:], strict=True):
        found |= {(name, mark) for mark in told} if name in MARKS else {(name, told)}
    return found


def _outcome(was: set[Atom], now: set[Atom], atoms: set[Atom]) -> Outcome:
    parts, became = [], []
    for atom in sorted(atoms, key=lambda atom: (WATCHED.index(atom[0]), str(atom[1]))):
        name, value = atom
        if name in MARKS:
            parts.append(_mark(name, value, atom in was, atom in now))
        elif atom in now and name == "fire":
            parts.append(f"{value} burns" if value else "no fire")
        elif atom in now - was and name == "pathfinder":
            parts.append(PATHFINDERS[value])
        elif atom in now - was and value is not None:
            became.append(Side(value).label if name == "side" else spoken_word(str(value)))
    if became:
        parts.append(f"now {' '.join(became)}")
    text = ", ".join(filter(None, parts))
    if not text and atoms != was ^ now:
        return _outcome(was, now, was ^ now)
    stays = [spoken_word(mark) for name, mark in sorted(was & now, key=str) if name == "status"]
    return text or (f"still {', '.join(stays)}" if stays else "unchanged")


def _mark(name: str, mark: str, was: bool, now: bool) -> str:
    word = f"{mark} Depleted" if name == "depleted" else spoken_word(mark)
    if now:
        return f"still {word}" if was else word
    return f"no longer {word}" if was else ""


# --- sides --------------------------------------------------------------------------------------


def _spread(counted: RunCounts, side: Side, what: str) -> Spread:
    tally: Tally[float] = Tally()
    sums: defaultdict[int, float] = defaultdict(float)
    for (batch, whose, figure, found), number in counted.sides.items():
        if (whose, figure) == (side, what):
            tally[found] += number
            sums[batch] += found * number
    runs, values = counted.runs, sorted(tally.items())
    mean = sum(value * number for value, number in values) / runs
    variance = sum((value - mean) ** 2 * number for value, number in values) / runs
    off = SURE * sqrt(variance / _worth(sums, counted.batches, variance))
    return Spread(mean, off, _at(values, runs, 0.1), _at(values, runs, 0.9))


def _at(values: list[tuple[float, int]], runs: int, share: float) -> float:
    """Return the lowest value that this share of the runs does not exceed."""
    below = 0
    for figure, number in values:
        below += number
        if below >= share * runs:
            return figure
    return values[-1][0]


# --- the effect of other choices ----------------------------------------------------------------


@immutable
class Difference:
    """A difference in the results of two sets of choices: its subject, and its figures in both."""

    about: str
    what: str
    first: float
    second: float


def significant_differences(first: Forecast, second: Forecast) -> list[Difference]:
    """Return the significant differences, greatest first; sides before counters."""
    found = [
        Difference(side, what, spread.mean, other.mean)
        for side in SIDES
        for what, spread in first.sides[side].items()
        for other in (second.sides[side][what],)
        if abs(spread.mean - other.mean) > sqrt(spread.off**2 + other.off**2) + 1e-9
    ]
    counters: list[Difference] = []
    for id in first.counters.keys() | second.counters.keys():
        ours, theirs = (
            {chance.outcome: chance for chance in each.counters.get(id, ())}
            for each in (first, second)
        )
        for outcome in sorted(ours.keys() | theirs.keys()):
            chance = ours.get(outcome, _never(first.runs))
            other = theirs.get(outcome, _never(second.runs))
            if chance.low > other.high or other.low > chance.high:
                counters.append(Difference(id, outcome, chance.chance, other.chance))
    counters.sort(key=lambda found: (-abs(found.first - found.second), found.about, found.what))
    return [*found, *counters]


def _never(runs: int) -> Chance:
    return Chance("", 0.0, *wilson_interval(0, runs))


def _unused(start: ForecastStart, counted: RunCounts) -> list[str]:
    """Return the given choices that no run asked for, or that none allowed."""
    used = {question for question, allowed in counted.choices if allowed}
    given = (start.choices or {}).get("choices", {})
    named = [f"{rule} {subject}" for rule, subjects in given.items() for subject in subjects]
    return [question for question in named if question not in used]
