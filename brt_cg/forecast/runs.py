"""The runs of a forecast, the count of their final states, and the decisions that come up in the
first run."""

import pickle
from collections import Counter as Tally
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter
from typing import Any

from brt_cg.card import load_card
from brt_cg.forecast.start import ForecastStart
from brt_cg.immutable import immutable
from brt_cg.imports.answers_file import FileAnswers, read_answers
from brt_cg.journal.early_answers import ROLL, AnswerKey, EarlyAnswers
from brt_cg.model import COUNTERS, SIDES, Campaign, Counter
from brt_cg.questions import (
    BLOCK,
    Dice,
    DiceSource,
    Faces,
    Option,
    Question,
    Raw,
    RefusedError,
    RollKey,
    SeededDice,
    StratifiedDice,
    read_faces,
)
from brt_cg.refit.sequence import TITLES
from brt_cg.refit.simulation import (
    DiceNeededError,
    NamedSilentPlay,
    play_next_paragraph_without_dice,
    play_out,
)

# The fields of counters of any kind that a forecast watches.
WATCHED = (
    *("fate", "status", "type", "strength", "class_", "traits", "side", "depleted", "pathfinder"),
    *("kind", "fire"),
)
# The watched fields that each kind of counter has, and their values.
NAMES = {kind: tuple(name for name in WATCHED if name in kind.names()) for kind in COUNTERS}
_VALUES = {kind: attrgetter(*names) for kind, names in NAMES.items()}
State = tuple[Any, ...]  # a value for each of the NAMES
Roll = tuple[str, Faces]  # the rule, and the dice
SEVERAL: Roll = ("*", ())  # for a counter that rolled more than once
BATCHES = 20  # batches of runs, to see how much they differ


@dataclass(slots=True)
class RunCounts:
    """`batches` counts the runs by batch; `states` by batch, counter, final state and the counter's
    only roll (None if it made none, or SEVERAL); `sides` by batch, side, figure and value;
    `choices` by question and whether the given choice was allowed."""

    batches: Tally[int] = field(default_factory=Tally)
    states: Tally[tuple[int, str, State, Roll | None]] = field(default_factory=Tally)
    sides: Tally[tuple[int, str, str, float]] = field(default_factory=Tally)
    choices: Tally[tuple[str, bool]] = field(default_factory=Tally)

    @property
    def runs(self) -> int:
        return self.batches.total()

    def add(self, other: "RunCounts") -> None:
        """Add another count."""
        self.batches.update(other.batches)
        self.states.update(other.states)
        self.sides.update(other.sides)
        self.choices.update(other.choices)

    def as_hex(self) -> str:
        """Return the counts in one line, for another process."""
        return pickle.dumps(self).hex()

    @classmethod
    def from_hex(cls, text: str) -> "RunCounts":
        """Return the counts from another process."""
        counted: RunCounts = pickle.loads(bytes.fromhex(text))
        return counted


class Runs:
    """The runs from one start."""

    def __init__(self, start: ForecastStart) -> None:
        self.start = start
        self.card = load_card(start.cg)
        self.campaign = start.make_campaign()
        self.answers = read_answers(start.choices, self.campaign) if start.choices else None
        self.known = {counter.id for counter in self.campaign.counters()}

    def play(self, first: int, count: int) -> RunCounts:
        """Play `count` runs from number `first` on. Raises RefusedError if the phase cannot be
        played."""
        counted = RunCounts()
        for number in range(first, first + count):
            self._play(number, counted)
        return counted

    def _play(self, number: int, counted: RunCounts) -> None:
        choices = self._at_the_dice.copy()
        dice = _Dice(StratifiedDice(self.start.seed, number), choices.standing, self.answers)
        play_out(choices.campaign, self.card, dice, choices.choose)
        counted.choices.update(choices.allowed)
        self._count(choices.campaign, dice.rolled, counted, number // BLOCK % BATCHES)
        for table in choices.campaign.tables.values():
            table.clear_to_free_memory()

    @cached_property
    def _at_the_dice(self) -> "_Choices":
        """Return the campaign at the beginning of the first paragraph with dice: everything before
        that is the same in every run."""
        standing = self.start.make_answers_already_given()
        choices = _Choices(self.campaign, standing, self.answers, Tally(), Tally())
        while True:
            ahead = choices.copy()
            try:
                play_next_paragraph_without_dice(ahead.campaign, self.card, ahead.choose)
            except DiceNeededError:
                return choices
            choices = ahead

    def _count(
        self, campaign: Campaign, rolled: dict[str, Roll], counted: RunCounts, batch: int
    ) -> None:
        counted.batches[batch] += 1
        counted.states.update(
            (batch, id, watched_field_values(counter), rolled.get(id))
            for counter in campaign.counters()
            if (id := counter.id) in self.known
        )
        half_squads = self.card.ladders.size_in_half_squads
        for side in SIDES:
            totals = campaign.sides[side]
            counted.sides[batch, side, "cvp", campaign.cvp(side)] += 1
            counted.sides[batch, side, "san", totals.san] += 1
            size = sum(map(half_squads, campaign.free_units_in_play_of(side))) / 2
            counted.sides[batch, side, "squad_equivalents", size] += 1


def watched_field_values(counter: Counter) -> State:
    """Return the state of a counter in a forecast: the values of the watched fields."""
    state: State = _VALUES[type(counter)](counter)
    return state


class _Dice:
    """The dice of a run, and the only roll of each counter that rolled once."""

    seed = None  # no roll is entered

    def __init__(
        self, dice: DiceSource, standing: EarlyAnswers, answers: FileAnswers | None
    ) -> None:
        self.dice, self.standing, self.answers = dice, standing, answers
        self.rolled: dict[str, Roll] = {}

    def roll(self, dice: Dice, key: RollKey) -> Faces:
        for answers in (self.standing, self.answers):
            if answers is not None and answers.given:
                early = answers.answer_at(AnswerKey(key.rule, key.subject, ROLL), key.position)
                if early is not None:
                    return read_faces(dice, early[0])
        faces = self.dice.roll(dice, key)
        counter = key.subject.partition("/")[0]
        self.rolled[counter] = SEVERAL if counter in self.rolled else (key.rule, faces)
        return faces


@dataclass(slots=True)
class _Choices:
    """The choices of a run on its campaign: answers already given, then given choices that are
    allowed, then defaults. `asked` counts the questions by rule and subject, `allowed` the choices
    as RunCounts does."""

    campaign: Campaign
    standing: EarlyAnswers
    answers: FileAnswers | None
    asked: Tally[tuple[str, str]]
    allowed: Tally[tuple[str, bool]]

    def copy(self) -> "_Choices":
        """Return a copy for another run."""
        asked, allowed = self.asked.copy(), self.allowed.copy()
        standing = self.standing.copy()
        return _Choices(self.campaign.clone(), standing, self.answers, asked, allowed)

    def choose(self, ask: Question[Any]) -> Raw:
        if not self.standing.given and self.answers is None:
            return ask.default
        # A question that nobody sees is asked without its rule.
        rule = ask.rule or self.campaign.situation.paragraph or ""
        ask = ask if ask.rule else replace(ask, rule=rule)
        position = self.asked[rule, ask.subject]
        self.asked[rule, ask.subject] += 1
        standing = self.standing.use_if_allowed(ask)
        if standing is not None:
            return standing[0]
        early = self.answers.find_and_use(ask, position) if self.answers is not None else None
        if early is not None:
            allowed = _is_allowed(ask, early[0])
            self.allowed[f"{rule} {ask.subject}", allowed] += 1
            if allowed:
                return early[0]
        return ask.default


def _is_allowed(ask: Question[Any], raw: Raw) -> bool:
    try:
        ask.read(raw)
    except RefusedError:
        return False
    return True


# --- the decisions to come ------------------------------------------------------------------------


@immutable
class Decision:
    """A question to decide: its rule and subject, with its title. `options` are the answers to pick
    from, except the default; if there are none, the answer is typed as `hint` says."""

    ask: Question[Any]
    rule: str
    title: str
    options: tuple[Option[Any], ...]

    @property
    def name(self) -> str:
        """The key of the question: rule and subject."""
        return f"{self.rule} {self.ask.subject}"

    def as_answers_file(self, raw: Raw) -> dict[str, Any]:
        """Return an answers file's document with this one answer."""
        choices = {self.rule: {self.ask.subject: raw}}
        return {"format": "brt-cg/answers", "version": 1, "choices": choices}


def list_decisions(start: ForecastStart) -> list[Decision]:
    """Return the decisions with alternatives to the default, those of whole sides first."""
    runs = Runs(start)
    campaign = runs.campaign.clone()
    found: dict[str, Decision] = {}

    def choose(ask: Question[Any]) -> Raw:
        rule = ask.rule or campaign.situation.paragraph or ""
        decision = Decision(ask, rule, TITLES.get(rule, ""), _options(ask))
        if decision.options or (ask.form is not None and ask.subject in SIDES):
            found.setdefault(decision.name, decision)
        return ask.default

    play_out(campaign, runs.card, SeededDice(start.seed), choose, NamedSilentPlay)
    return sorted(found.values(), key=lambda decision: decision.ask.subject not in SIDES)


def _options(ask: Question[Any]) -> tuple[Option[Any], ...]:
    others = (option for option in ask.named_options if option.raw != ask.default)
    return tuple(others) if ask.is_decision else ()
