"""Plays the runs of a forecast, and counts what became of everything."""

from collections import Counter as Tally
from collections import defaultdict
from dataclasses import replace
from typing import Any

from brt_cg.answers import Raw, Refused
from brt_cg.asks import Ask, default_of
from brt_cg.campaign import Campaign
from brt_cg.card import load_card
from brt_cg.counters import Counter
from brt_cg.dice import Dice, DiceSource, Faces, RollKey, SeededDice, read_faces
from brt_cg.exports.strength import strength
from brt_cg.forecast.start import Start
from brt_cg.forecast.tally import WATCHED, Counted, State
from brt_cg.imports.answers_file import Answers, read_answers
from brt_cg.records import SIDES
from brt_cg.refit.play_out import play_out

SEVERAL = "*"  # in place of the one roll of a counter that rolled more than once


class Runs:
    """Plays runs from one start."""

    def __init__(self, start: Start) -> None:
        self.start = start
        self.card = load_card(start.cg)
        self.campaign = start.campaign()
        self.answers = read_answers(start.choices, self.campaign) if start.choices else None
        self.states = {counter.id: state_of(counter) for counter in self.campaign.counters()}

    def play(self, first: int, count: int) -> Counted:
        """Plays the runs numbered `first` and on. Raises Refused where the phase cannot be
        played."""
        counted = Counted()
        for number in range(first, first + count):
            self._play(number, counted)
        return counted

    def _play(self, number: int, counted: Counted) -> None:
        campaign = self.campaign.clone()
        given: defaultdict[tuple[str, str, str], list[Raw]] = defaultdict(list)
        for rule, subject, kind, raw in self.start.given:
            given[rule, subject, kind].append(raw)
        dice = _Dice(SeededDice(f"{self.start.seed}/{number}"), given, self.answers)
        choices = _Choices(given, self.answers, counted)

        def choose(ask: Ask[Any]) -> Raw:
            # A question that is not heard does not say by which rule it is asked.
            rule = ask.rule or campaign.situation.paragraph or ""
            return choices.choose(ask if ask.rule else replace(ask, rule=rule))

        chosen = choose if given or self.answers else default_of
        play_out(campaign, self.card, dice, chosen)
        self._count(campaign, dice.rolled, counted)

    def _count(self, campaign: Campaign, rolled: dict[str, list[str]], counted: Counted) -> None:
        counted.runs += 1
        for id, before in self.states.items():
            counter = campaign.find(id)
            state = state_of(counter) if counter is not None else before
            rolls = rolled.get(id, ())
            if state != before or rolls:
                roll = rolls[0] if len(rolls) == 1 else SEVERAL if rolls else ""
                counted.states[id, state, roll] += 1
        for side in SIDES:
            own = (unit for unit in campaign.units.values() if unit.side is side and unit.in_play)
            size = strength(own, self.card.ladders).squad_equivalents
            totals = campaign.sides[side]
            counted.sides[side, "cvp", totals.cvp] += 1
            counted.sides[side, "san", totals.san] += 1
            counted.sides[side, "squad_equivalents", float(size)] += 1


def state_of(counter: Counter) -> State:
    """What a forecast tells of a counter: the values of the fields that it watches."""
    return tuple(getattr(counter, name, None) for name in WATCHED)


class _Dice:
    """The dice of a run, with what each counter rolled."""

    def __init__(
        self,
        dice: DiceSource,
        given: dict[tuple[str, str, str], list[Raw]],
        answers: Answers | None,
    ) -> None:
        self.dice, self.given, self.answers = dice, given, answers
        self.rolled: dict[str, list[str]] = {}

    def roll(self, dice: Dice, key: RollKey) -> Faces:
        standing = self.given.get((key.rule, key.subject, "roll"))
        if standing:
            return read_faces(dice, standing.pop(0))
        said = self.answers and self.answers.roll(key.rule, key.subject, key.position)
        if said:
            return read_faces(dice, said)
        faces = self.dice.roll(dice, key)
        roll = f"{key.rule} {','.join(map(str, faces))}"
        self.rolled.setdefault(key.subject.partition("/")[0], []).append(roll)
        return faces


class _Choices:
    """The choices of a run: those that stand, those that are given and allowed, the defaults."""

    def __init__(
        self,
        given: dict[tuple[str, str, str], list[Raw]],
        answers: Answers | None,
        counted: Counted,
    ) -> None:
        self.given, self.answers, self.counted = given, answers, counted
        self.asked: Tally[tuple[str, str]] = Tally()

    def choose(self, ask: Ask[Any]) -> Raw:
        position = self.asked[ask.rule, ask.subject]
        self.asked[ask.rule, ask.subject] += 1
        standing = self.given.get((ask.rule, ask.subject, ask.kind))
        if standing and _is_allowed(ask, standing[0]):
            return standing.pop(0)
        if self.answers is not None:
            found, raw = self.answers.find(ask, position)
            if found:
                allowed = _is_allowed(ask, raw)
                self.counted.choices[f"{ask.rule} {ask.subject}", allowed] += 1
                if allowed:
                    return raw
        return default_of(ask)


def _is_allowed(ask: Ask[Any], raw: Raw) -> bool:
    try:
        ask.read(raw)
    except Refused:
        return False
    return True
