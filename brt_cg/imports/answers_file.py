"""An answers file: dice and choices for `refit`, checked as a whole before any is used.

Rolls and choices are by rule, then subject. The allowed answers to a choice depend on the situation
in which it is asked, so its question checks them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from brt_cg.answers import Raw, Refused
from brt_cg.asks import Ask, Enter, Roll, Several
from brt_cg.campaign import Campaign
from brt_cg.card import Card, load_card
from brt_cg.commands.problems import Findings, listed, shown
from brt_cg.dice import Dice, read_faces
from brt_cg.imports.reading import read_json
from brt_cg.imports.subjects import Subjects
from brt_cg.refit.s614_purchases import BUYING
from brt_cg.refit.sequence import BY_NUMBER, NUMBERS

FORMAT = "brt-cg/answers"
VERSION = 1
TOP = ("format", "version", "rolls", "choices")


Lists = Mapping[str, Mapping[str, Any]]  # by rule, then by subject


@dataclass(slots=True)
class Answers:
    """The answers of a file, and which of them have been used."""

    rolls: Lists = field(default_factory=dict)
    choices: Lists = field(default_factory=dict)
    used: set[tuple[str, str, str, int | None]] = field(default_factory=set)

    def roll(self, rule: str, subject: str, position: int) -> Raw | None:
        """The dice of the roll at this position (from 0) of a rule and subject; None if not
        given."""
        rolls = self.rolls.get(rule, {}).get(subject, [])
        self._use("rolls", rule, subject, min(position + 1, len(rolls)))
        return rolls[position] if position < len(rolls) else None

    def choice(self, rule: str, subject: str, position: int | None = None) -> tuple[bool, Raw]:
        """Whether a choice of a rule and subject is given, and that choice, which may be null; with
        `position`, that one of its list, unless the list has ended."""
        choices = self.choices.get(rule, {})
        if subject not in choices:
            return False, None
        self.used.add(("choices", rule, subject, None))
        given = choices[subject]
        if position is None:
            return True, given
        series = given if isinstance(given, list) else [given]
        self._use("choices", rule, subject, min(position + 1, len(series)))
        return (True, series[position]) if position < len(series) else (False, None)

    def find(self, ask: Ask[Any], position: int) -> tuple[bool, Raw]:
        """Returns whether the file answers a question that has been answered `position` times in
        this Refit Phase, and that answer. Raises Refused if it names a counter by a name that
        several share.

        A series whose list has ended is answered with its `stop`; a question about several items
        with all items given under its rule.
        """
        if isinstance(ask, Roll):
            dice = self.roll(ask.rule, ask.subject, position)
            return dice is not None, dice
        found, raw = self._find_choice(ask, position)
        return found, ask.with_ids(raw) if found else None

    def _find_choice(self, ask: Ask[Any], position: int) -> tuple[bool, Raw]:
        if isinstance(ask, Several):
            given = {item: self.choice(ask.rule, item) for item in ask.subjects}
            items = {item: raw for item, (there, raw) in given.items() if there}
            return bool(items), items or None
        if isinstance(ask, Enter) and ask.series:
            there, raw = self.choice(ask.rule, ask.subject, position)
            ended = not there and ask.subject in self.choices.get(ask.rule, {})
            return there or ended, raw if there else ask.stop
        return self.choice(ask.rule, ask.subject)

    def standing(self, kind: str, rule: str, subject: str, count: int) -> None:
        """Marks `count` answers to a kind of question as used, because an earlier invocation gave
        them."""
        if kind == Roll.kind:
            rolls = self.rolls.get(rule, {}).get(subject, [])
            self._use("rolls", rule, subject, min(count, len(rolls)))
        elif count and subject in self.choices.get(rule, {}):
            self.choice(rule, subject, count - 1)

    def _use(self, sort: str, rule: str, subject: str, count: int) -> None:
        # The position has been reached, so earlier answers have been used.
        self.used.update((sort, rule, subject, index) for index in range(count))

    def unused(self) -> list[str]:
        """The unused answers, by their places in the file."""
        found: list[str] = []
        for rule, subject, rolls in _each(self.rolls):
            found += self._unused("rolls", rule, subject, rolls)
        for rule, subject, choice in _each(self.choices):
            if ("choices", rule, subject, None) not in self.used:
                found.append(f"{_path('choices', rule, subject)}: {shown(choice)}")
            elif _is_series(rule, subject):
                found += self._unused("choices", rule, subject, choice)
        return found

    def _unused(self, sort: str, rule: str, subject: str, series: list[Any]) -> Iterator[str]:
        for index, answer in enumerate(series):
            if (sort, rule, subject, index) not in self.used:
                yield f"{_path(sort, rule, subject)}[{index}]: {shown(answer)}"


def _each(lists: Lists) -> Iterator[tuple[str, str, Any]]:
    """Yields rule, subject and what is given for them."""
    for rule, subjects in lists.items():
        for subject, given in subjects.items():
            yield rule, subject, given


def _path(*keys: str) -> str:
    return keys[0] + "".join(f"[{shown(key)}]" for key in keys[1:])


# --- reading --------------------------------------------------------------------------------------


def read_answers(source: Path | dict[str, Any], campaign: Campaign) -> Answers:
    """The answers of a file (or of a document already read), for a campaign.

    Raises Refused with everything that is wrong in it: format, rules, subjects, dice.
    """
    found = read_json(source) if isinstance(source, Path) else source
    findings = Findings(source.name if isinstance(source, Path) else None)
    answers = Answers()
    if not isinstance(found, dict):
        findings.bad("", found, f'an object with "format": "{FORMAT}"')
    else:
        findings.check_format(found, FORMAT, VERSION)
        findings.refuse_unknown(found, TOP)
        known = Subjects(campaign)
        dice = rolled(load_card(campaign.situation.cg))
        answers.rolls = _by_rule("rolls", found, dice, known, findings)
        rules = dict.fromkeys((*NUMBERS, BUYING))
        answers.choices = _by_rule("choices", found, rules, known, findings)
        _check_rolls(answers.rolls, dice, findings)
        _check_choices(answers.choices, findings)
    findings.finish()
    return answers


def rolled(card: Card) -> dict[str, tuple[Dice, ...]]:
    """The dice that may be rolled, by the rules that have rolls."""
    return {
        number: tuple(sorted({card.tables[key].dice for key in paragraph.tables}))
        for number, paragraph in sorted(BY_NUMBER.items())
        if paragraph.rolls
    }


def _by_rule(
    sort: str, found: dict[str, Any], rules: Mapping[str, Any], known: Subjects, findings: Findings
) -> dict[str, dict[str, Any]]:
    """The answers of one kind with known rules and subjects; notes the others."""
    by_rule = found.get(sort, {})
    if not isinstance(by_rule, dict):
        findings.bad(sort, by_rule, "an object by rule")
        return {}
    good: dict[str, dict[str, Any]] = {}
    for rule, by_subject in by_rule.items():
        if rule not in rules:
            findings.add(_path(sort, rule), f"unknown rule for {sort}; allowed: {listed(rules)}")
        elif not isinstance(by_subject, dict):
            findings.bad(_path(sort, rule), by_subject, "an object by subject")
        else:
            good[rule] = _by_subject(_path(sort, rule), by_subject, known, findings)
    return good


def _by_subject(
    path: str, given: dict[str, Any], known: Subjects, findings: Findings
) -> dict[str, Any]:
    """The answers of a rule by subject, with counters by their ids."""
    good: dict[str, Any] = {}
    for typed, answer in given.items():
        here = f"{path}[{shown(typed)}]"
        try:
            subject = known.called(typed)
        except Refused as refused:
            findings.add(here, str(refused))
            continue
        if not known.holds(subject):
            allowed = "the id or name of a counter, a side, an area, a Location, …"
            findings.add(here, f"unknown subject; allowed: {allowed}")
        elif subject in good:
            findings.add(here, f"stands there twice: it is {subject}")
        good[subject] = answer
    return good


def _check_rolls(rolls: Lists, allowed: Mapping[str, tuple[Dice, ...]], findings: Findings) -> None:
    for rule, subject, given in _each(rolls):
        path = _path("rolls", rule, subject)
        if not isinstance(given, list):
            findings.bad(path, given, "a list of rolls, as [4] or [[3, 4]]")
            continue
        for index, answer in enumerate(given):
            wrong = _wrong_dice(answer, allowed[rule])
            if wrong:
                findings.add(f"{path}[{index}]", wrong)


def _wrong_dice(raw: object, allowed: tuple[Dice, ...]) -> str | None:
    """The problem with a roll's dice; None if they may be rolled there."""
    refusals = []
    for dice in allowed:
        try:
            read_faces(dice, raw)
        except ValueError as error:
            refusals.append(str(error))
        else:
            return None
    return "; ".join(refusals)


def _check_choices(choices: Lists, findings: Findings) -> None:
    for rule, subject, given in _each(choices):
        path = _path("choices", rule, subject)
        if _is_series(rule, subject) and not isinstance(given, list):
            findings.bad(path, given, "a list, with an answer for each time it is asked")
        if _has_fraction(given):
            findings.bad(path, given, "whole numbers")


def _is_series(rule: str, subject: str) -> bool:
    """Whether a choice is a list of answers, one for each time that it is asked."""
    paragraph = BY_NUMBER.get(rule)
    return paragraph is not None and paragraph.series and subject not in paragraph.subjects


def _has_fraction(value: object) -> bool:
    if isinstance(value, dict):
        return any(map(_has_fraction, value.values()))
    if isinstance(value, list):
        return any(map(_has_fraction, value))
    return isinstance(value, float)
