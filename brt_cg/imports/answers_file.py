"""An answers file: dice and choices for `refit`, checked as a whole before any is used.

Rolls and choices are by rule, then subject. The allowed answers to a choice depend on the situation
in which it is asked, so its question checks them.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from brt_cg.card import Card, load_card
from brt_cg.commands.problems import Findings
from brt_cg.imports.reading import read_json
from brt_cg.imports.subjects import Subjects
from brt_cg.journal.journal import Journal
from brt_cg.model.campaign import Campaign
from brt_cg.questions.answers import Raw, Refused
from brt_cg.questions.asks import Ask, Enter, Roll, Several
from brt_cg.questions.dice import Dice, read_faces
from brt_cg.refit.play import Paragraph
from brt_cg.refit.s614_purchases import BUYING
from brt_cg.refit.sequence import AT, NUMBERS, paragraph_of
from brt_cg.text import listed, shown

FORMAT = "brt-cg/answers"
VERSION = 1
TOP = ("format", "version", "rolls", "choices")


Key = tuple[str, str, str]  # "rolls" or "choices", rule, subject


@dataclass(slots=True)
class Answers:
    """The answers of a file: a list for each rule and subject, in the order in which they are asked
    for, and how many of each list have been used.

    `rules` are those for which the file has choices, even none; `silent` those of the other ones
    that asked for some about several items.
    """

    given: dict[Key, list[Raw]] = field(default_factory=dict)
    used: dict[Key, int] = field(default_factory=dict)
    rules: set[str] = field(default_factory=set)
    silent: dict[str, None] = field(default_factory=dict)

    def count_standing(self, journal: Journal) -> None:
        """Marks the answers that earlier invocations gave as used."""
        for (rule, subject, kind), count in journal.standing_answers():
            self.use(("rolls" if kind == "roll" else "choices", rule, subject), count)
        for rule, item in journal.standing_items():
            self.use(("choices", rule, item), 1)

    def roll(self, rule: str, subject: str, position: int) -> Raw | None:
        """The dice of the roll at this position (from 0) of a rule and subject; None if not
        given."""
        return self._answer(("rolls", rule, subject), position)[1]

    def choice(self, rule: str, subject: str, position: int = 0) -> tuple[bool, Raw]:
        """Whether a choice of a rule and subject is given, and that choice, which may be null; with
        `position`, that one of its list, unless the list has ended."""
        return self._answer(("choices", rule, subject), position)

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
            if ask.rule not in self.rules:
                self.silent[ask.rule] = None
            given = {item: self.choice(ask.rule, item) for item in ask.subjects}
            items = {item: raw for item, (there, raw) in given.items() if there}
            return bool(items), items or None
        if isinstance(ask, Enter) and ask.series:
            there, raw = self.choice(ask.rule, ask.subject, position)
            ended = not there and ("choices", ask.rule, ask.subject) in self.given
            return there or ended, raw if there else ask.stop
        return self.choice(ask.rule, ask.subject)

    def _answer(self, key: Key, position: int) -> tuple[bool, Raw]:
        series = self.given.get(key, [])
        self.use(key, position + 1)
        return (True, series[position]) if position < len(series) else (False, None)

    def use(self, key: Key, count: int) -> None:
        """Marks the first `count` answers of a list as used."""
        self.used[key] = max(self.used.get(key, 0), count)

    def unused(self, last: Paragraph | None = None) -> list[str]:
        """The unused answers, by their places in the file, up to the paragraph `last`."""
        found: list[str] = []
        end = len(AT) if last is None else AT[last.number]
        for key, series in self.given.items():
            if AT.get(key[1], len(AT)) > end:
                continue  # it may yet be asked for
            if not series and key not in self.used:
                found.append(f"{_path(*key)}: []")
            for index in range(self.used.get(key, 0), len(series)):
                place = f"{_path(*key)}[{index}]" if _is_list(*key) else _path(*key)
                found.append(f"{place}: {shown(series[index])}")
        return found


def _is_list(sort: str, rule: str, subject: str) -> bool:
    """Whether a file has a list of answers there: of rolls, and of a choice that is repeated."""
    paragraph = paragraph_of(rule) if rule in NUMBERS else None
    repeated = paragraph is not None and paragraph.series and subject not in paragraph.subjects
    return sort == "rolls" or repeated


def _path(*keys: str) -> str:
    return keys[0] + "".join(f"[{shown(key)}]" for key in keys[1:])


# --- reading --------------------------------------------------------------------------------------


def read_answers(source: Path | dict[str, Any], campaign: Campaign) -> Answers:
    """The answers of a file (or of a document already read), for a campaign. Raises Refused with
    everything that is wrong in it: format, rules, subjects, dice."""
    found = read_json(source) if isinstance(source, Path) else source
    findings = Findings(source.name if isinstance(source, Path) else None)
    answers = Answers()
    if not isinstance(found, dict):
        findings.bad("", found, f'an object with "format": "{FORMAT}"')
    else:
        findings.check_format(found, FORMAT, VERSION)
        findings.refuse_unknown(found, TOP)
        known, dice = Subjects(campaign), rolled(load_card(campaign.situation.cg))
        for sort, rules in (("rolls", dice), ("choices", dict.fromkeys((*NUMBERS, BUYING)))):
            for key, raw in _by_key(sort, found, rules, known, findings):
                answers.given[key] = _series(key, raw, dice, findings)
    findings.finish()
    answers.rules = {*found.get("choices", ())}
    return answers


def rolled(card: Card) -> dict[str, tuple[Dice, ...]]:
    """The dice that may be rolled, by the rules that have rolls."""
    return {
        number: tuple(sorted({card.tables[key].dice for key in paragraph_of(number).tables}))
        for number in sorted(NUMBERS)
        if paragraph_of(number).rolls
    }


def _by_key(
    sort: str, found: dict[str, Any], rules: Iterable[str], known: Subjects, findings: Findings
) -> Iterator[tuple[Key, Raw]]:
    """Yields the answers of one kind with known rules and subjects; notes the others."""
    by_rule = found.get(sort, {})
    if not isinstance(by_rule, dict):
        findings.bad(sort, by_rule, "an object by rule")
        return
    for rule, by_subject in by_rule.items():
        path = _path(sort, rule)
        if rule not in rules:
            findings.add(path, f"unknown rule for {sort}; allowed: {listed(rules)}")
        elif not isinstance(by_subject, dict):
            findings.bad(path, by_subject, "an object by subject")
        else:
            for subject, raw in _by_subject(path, by_subject, known, findings).items():
                yield (sort, rule, subject), raw


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
            findings.add(here, f"given twice: it is {subject}")
        good[subject] = answer
    return good


def _series(
    key: Key, raw: Raw, dice: Mapping[str, tuple[Dice, ...]], findings: Findings
) -> list[Raw]:
    """The list of a file's answers for a key; notes what is wrong with it."""
    path, rolls = _path(*key), key[0] == "rolls"
    if not _is_list(*key):
        raw = [raw]
    elif not isinstance(raw, list):
        each_time = "a list, with an answer for each time it is asked"
        findings.bad(path, raw, "a list of rolls, as [4] or [[3, 4]]" if rolls else each_time)
        return []
    for index, answer in enumerate(raw):
        place = f"{path}[{index}]" if _is_list(*key) else path
        wrong = _wrong_dice(answer, dice[key[1]]) if rolls else None
        if wrong is not None:
            findings.add(place, wrong)
        elif _has_fraction(answer):
            findings.bad(place, answer, "whole numbers")
    return list(raw)


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


def _has_fraction(value: object) -> bool:
    if isinstance(value, dict):
        return any(map(_has_fraction, value.values()))
    if isinstance(value, list):
        return any(map(_has_fraction, value))
    return isinstance(value, float)
