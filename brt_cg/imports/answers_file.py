"""An answers file: dice and choices for `refit`, checked as a whole before any is used.

Rolls and choices are by rule, then subject. The allowed answers to a choice depend on the situation
in which it is asked, so its question checks them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from brt_cg.board import grid, locations
from brt_cg.card import Card, load_card
from brt_cg.commands.problems import InputProblems
from brt_cg.imports.text_files import read_json_file
from brt_cg.journal.early_answers import (
    CHOICE,
    ROLL,
    AnswerKey,
    Early,
    EarlyAnswers,
    key_of_question,
)
from brt_cg.model import Campaign, Side
from brt_cg.questions import (
    FILE,
    Dice,
    MultiQuestion,
    NamedCounter,
    Question,
    Raw,
    RefusedError,
    id_by_name,
    read_faces,
)
from brt_cg.refit.play import Paragraph
from brt_cg.refit.s614_purchases import BUYING
from brt_cg.refit.sequence import AT, NUMBERS, paragraph_of
from brt_cg.text import list_text, short_json

FORMAT = "brt-cg/answers"
VERSION = 1
TOP = ("format", "version", "rolls", "choices")


# Counters that the Refit Phase may create: a leader, purchased ones; and
# those named after another: the second HS of a squad, the crew of a vehicle.
TO_COME = re.compile(r"(marine|japanese)-ldr-\d+(-\d+)?|p[mj]?\d+-\d+(-crew)?")
NAMED_AFTER = re.compile(r"(?P<another>.+?)(\.([2-9]|[1-9]\d+)|-crew(-\d+)?|-ldr(-\d+)?)")
AREA = re.compile(r"[MJ][1-9]\d*")
SORTS = {ROLL: "rolls", CHOICE: "choices"}  # what a file calls each kind


class FileAnswers(EarlyAnswers):
    """The answers of a file. `rules` are the rules for which the file has choices or an empty list;
    `silent` are the other rules that asked for choices about several items."""

    def __init__(self) -> None:
        super().__init__()
        self.rules: set[str] = set()
        self.silent: dict[str, None] = {}

    def find_and_use(self, ask: Question[Any], position: int | None = None) -> Early | None:
        """Return the file's answer to a question that has already been answered `position` times in
        this Refit Phase. Raises RefusedError if it names a counter by a name that several share.

        A series whose list has ended is answered with its `stop`; a question about several items,
        with all the items given under its rule.
        """
        key = key_of_question(ask)
        if ask.as_multi_question:
            found = self._items(ask.as_multi_question)
        elif ask.series:
            ended = (ask.stop, FILE) if key in self.given else None
            found = self._used(key, position or 0) or ended
        else:
            found = self._used(key, (position or 0) if key.kind == ROLL else 0)
        return (ask.replace_names_with_ids(found[0]), FILE) if found is not None else None

    def _items(self, ask: MultiQuestion[Any]) -> Early | None:
        if ask.rule not in self.rules:
            self.silent[ask.rule] = None
        found = {item: self._used(AnswerKey(ask.rule, item, CHOICE), 0) for item in ask.subjects}
        items = {item: early[0] for item, early in found.items() if early is not None}
        return (items, FILE) if items else None

    def _used(self, key: AnswerKey, position: int) -> Early | None:
        self.mark_used(key, position + 1)
        return self.answer_at(key, position)

    def unused_answers(self, last: Paragraph | None = None) -> list[str]:
        """Return the unused answers, by their places in the file, up to the paragraph `last`."""
        found: list[str] = []
        end = len(AT) if last is None else AT[last.number]
        for key, series in self.given.items():
            if AT.get(key.rule, len(AT)) > end:
                continue  # it may yet be asked for
            if not series and key not in self.used:
                found.append(f"{_place(key)}: []")
            for index in range(self.used.get(key, 0), len(series)):
                found.append(f"{_place(key, index)}: {short_json(series[index][0])}")
        return found


def _is_list(key: AnswerKey) -> bool:
    """Whether a file lists several answers for a question: for rolls, and for a choice that is
    repeated."""
    paragraph = paragraph_of(key.rule) if key.rule in NUMBERS else None
    repeated = paragraph is not None and paragraph.series and key.subject not in paragraph.subjects
    return key.kind == ROLL or repeated


def _place(key: AnswerKey, index: int | None = None) -> str:
    """Return the place of a key's answers in the file, or of one answer in a list."""
    place = _path(SORTS[key.kind], key.rule, key.subject)
    return f"{place}[{index}]" if index is not None and _is_list(key) else place


def _path(*keys: str) -> str:
    return keys[0] + "".join(f"[{short_json(key)}]" for key in keys[1:])


# --- the possible subjects ------------------------------------------------------------------------


@cache
def subjects_declared_by_paragraphs() -> frozenset[str]:
    """Return the subjects of questions other than counters, sides, areas and Locations. They are
    read when first needed, because looking at a campaign needs no paragraph of the Refit Phase."""
    return frozenset(subject for number in NUMBERS for subject in paragraph_of(number).subjects)


class AnswerSubjects:
    """The possible subjects of answers about a campaign; counters by id, those in play by name
    too."""

    def __init__(self, campaign: Campaign) -> None:
        buildings = {hex.building for hex in campaign.terrain.values() if hex.building}
        self._ids = frozenset({counter.id for counter in campaign.counters()} | buildings)
        self._named = [
            NamedCounter(counter.id, counter.name_or_number, sort=counter.full_type_text)
            for counter in campaign.counters()
            if counter.in_play
        ]

    def has_subject(self, subject: str) -> bool:
        """Whether a possible question has this subject."""
        known = self._ids
        if (
            subject in known
            or subject in (*Side, *subjects_declared_by_paragraphs())
            or _is_place(subject)
        ):
            return True
        if _to_come(subject, known) or AREA.fullmatch(subject):
            return True
        what, colon, about = subject.partition(":")
        if colon:
            in_play = f"{what}:COUNTER" in subjects_declared_by_paragraphs() and _is_counter(
                about, known
            )
            return in_play or (
                f"{what}:LOCATION" in subjects_declared_by_paragraphs() and _is_place(about)
            )
        counter, slash, _ = subject.partition("/")
        return (
            bool(slash)
            and "COUNTER/…" in subjects_declared_by_paragraphs()
            and _is_counter(counter, known)
        )

    def resolve_name(self, subject: str) -> str:
        """Return the subject, with a counter's name replaced by its id. Raises RefusedError if
        several counters share the name."""
        if self.has_subject(subject):
            return subject
        parts = re.split("([:/])", subject, maxsplit=1)
        return "".join(id_by_name(part, self._named) for part in parts)


def _is_place(subject: str) -> bool:
    if "/" not in subject:
        return locations.is_location(subject)
    try:
        grid.normalize_hexside(subject)
    except locations.BadLocationError:
        return False
    return True


def _to_come(subject: str, known: frozenset[str]) -> bool:
    after = NAMED_AFTER.fullmatch(subject)
    if after is not None and _is_counter(after["another"], known):
        return True
    return TO_COME.fullmatch(subject) is not None


def _is_counter(subject: str, known: frozenset[str]) -> bool:
    return subject in known or _to_come(subject, known)


# --- reading --------------------------------------------------------------------------------------


def read_answers(source: Path | dict[str, Any], campaign: Campaign) -> FileAnswers:
    """Return the answers of a file (or of a document already read), for a campaign. Raises
    RefusedError with everything that is wrong in it: format, rules, subjects, dice."""
    found = read_json_file(source) if isinstance(source, Path) else source
    findings = InputProblems(source.name if isinstance(source, Path) else None)
    answers = FileAnswers()
    if not isinstance(found, dict):
        findings.add_bad_value("", found, f'an object with "format": "{FORMAT}"')
    else:
        findings.check_format(found, FORMAT, VERSION)
        findings.note_unknown_fields(found, TOP)
        known, dice = AnswerSubjects(campaign), dice_by_rule(load_card(campaign.situation.cg))
        for kind, rules in ((ROLL, dice), (CHOICE, (*NUMBERS, BUYING))):
            for key, raw in _by_key(kind, found, rules, known, findings):
                answers.set_answers(key, *_series(key, raw, dice, findings), source=FILE)
    findings.raise_problems()
    answers.rules = {*found.get("choices", ())}
    return answers


def dice_by_rule(card: Card) -> dict[str, tuple[Dice, ...]]:
    """Return the dice that may be rolled, by rule."""
    return {
        number: tuple(sorted({card.tables[key].dice for key in paragraph_of(number).tables}))
        for number in sorted(NUMBERS)
        if paragraph_of(number).rolls
    }


def _by_key(
    kind: str,
    found: dict[str, Any],
    rules: Iterable[str],
    known: AnswerSubjects,
    findings: InputProblems,
) -> Iterator[tuple[AnswerKey, Raw]]:
    """Yield the answers of one kind with known rules and subjects; note the others."""
    sort = SORTS[kind]
    by_rule = found.get(sort, {})
    if not isinstance(by_rule, dict):
        findings.add_bad_value(sort, by_rule, "an object with the answers for each rule")
        return
    for rule, by_subject in by_rule.items():
        path = _path(sort, rule)
        if rule not in rules:
            findings.add(path, f"unknown rule for {sort}; enter {list_text(rules)}")
        elif not isinstance(by_subject, dict):
            findings.add_bad_value(path, by_subject, "an object with an answer for each subject")
        else:
            for subject, raw in _by_subject(path, by_subject, known, findings).items():
                yield AnswerKey(rule, subject, kind), raw


def _by_subject(
    path: str, given: dict[str, Any], known: AnswerSubjects, findings: InputProblems
) -> dict[str, Any]:
    """Return the answers of a rule by subject, with counters by their ids."""
    good: dict[str, Any] = {}
    for typed, answer in given.items():
        here = f"{path}[{short_json(typed)}]"
        try:
            subject = known.resolve_name(typed)
        except RefusedError as refused:
            findings.add(here, str(refused))
            continue
        if not known.has_subject(subject):
            allowed = "the id or name of a counter, a side, an area, a Location, …"
            findings.add(here, f"unknown subject; enter {allowed}")
        elif subject in good:
            findings.add(here, f"{subject} is entered twice")
        good[subject] = answer
    return good


def _series(
    key: AnswerKey, raw: Raw, dice: Mapping[str, tuple[Dice, ...]], findings: InputProblems
) -> list[Raw]:
    """Return the list of a file's answers for a key; any problem is noted."""
    if not _is_list(key):
        raw = [raw]
    elif not isinstance(raw, list):
        each_time = "a list, with an answer for each time it is asked"
        rolls = "a list of rolls, as [4] or [[3, 4]]"
        findings.add_bad_value(_place(key), raw, rolls if key.kind == ROLL else each_time)
        return []
    for index, answer in enumerate(raw):
        wrong = _wrong_dice(answer, dice[key.rule]) if key.kind == ROLL else None
        if wrong is not None:
            findings.add(_place(key, index), wrong)
        elif _has_fraction(answer):
            findings.add_bad_value(_place(key, index), answer, "whole numbers")
    return list(raw)


def _wrong_dice(raw: object, allowed: tuple[Dice, ...]) -> str | None:
    """Return the problem with a roll's dice; None if they are the right dice."""
    refusals = []
    for dice in allowed:
        try:
            read_faces(dice, raw)
            return None
        except ValueError as error:
            refusals.append(str(error))
    return "; ".join(refusals)


def _has_fraction(value: object) -> bool:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return isinstance(value, float) or any(map(_has_fraction, parts))
