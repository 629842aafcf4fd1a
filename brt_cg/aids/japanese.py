"""The Japanese rules as a player asks for them: a sentence in, the possible cases out."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from brt_cg.aids.japanese_rolls import table_of
from brt_cg.aids.outcomes import (
    CHECKS,
    FAILURES,
    LEADERS,
    SMC,
    STATES,
    TWO_SIDED,
    Cause,
    Result,
    Sort,
    UnitCase,
    UnitCheck,
    UnitState,
    names_needed,
    outcomes,
    refuse_impossible,
    wound_odds,
)
from brt_cg.aids.sources import CARD, read_once
from brt_cg.card.reading import CardReading
from brt_cg.model.counters import Class, Side, Strength, Unit
from brt_cg.questions.answers import Refused
from brt_cg.questions.dice import DiceTable
from brt_cg.text import NotUnderstood, listed, nearest

FIELDS = ("unit", "strength", "class", "state", "cause", "check")
_DIGITS = re.compile(r"\d-\d-\d")
_LEADER = re.compile(r"\d+[-+]\d(?!-)")
# The meanings of these words, which are no causes themselves.
_ONE_OF = {
    "k": (Cause.CASUALTY_REDUCTION, Cause.ATTACK_MC),
    "any_kia": (Cause.KIA_HIT, Cause.KIA),
    "any_break": (Cause.ATTACK_MC, Cause.OTHER_BREAK),
    "other_mc": (Cause.OTHER_BREAK,),
}


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """`words.toml`: words by field and value; those that also mean a cause, if no other is named;
    words without a meaning; how cases are worded."""

    words: Mapping[str, Mapping[str, tuple[str, ...]]]
    also: Mapping[str, Cause]
    filler: tuple[str, ...]
    causes: Mapping[Cause, str]
    checks: Mapping[UnitCheck, str]


@read_once("words")
def vocabulary(reading: CardReading) -> Vocabulary:
    words, says = reading.root.section("words"), reading.root.section("says")
    meaning = reading.root.section("also")
    also = {word: meaning.one_of(word, Cause) for word in meaning.names()}
    causes, checks = says.section("cause"), says.section("check")
    by_field = {
        field: {value: section.texts(value) for value in section.names()}
        for field in FIELDS
        for section in (words.section(field),)
    }
    worded = {cause: causes.text(cause) for cause in Cause}
    named: dict[UnitCheck, str] = {check: checks.text(check) for check in FAILURES}
    return Vocabulary(by_field, also, words.texts("filler"), worded, named)


def read_cases(sentence: str) -> list[UnitCase]:
    """The cases that a sentence can mean: "reduced 3-4-7 takes a 2KIA" has two, as the KIA may hit
    the squad or spare it. Raises Refused with what was not understood, or is missing."""
    found, digits, leader = _words_of(sentence)
    if not found["cause"]:
        raise Refused(f"what happens to it? allowed: {_events()}")
    unit = _unit(found, digits, leader)
    word, checks = found["cause"][0], _checks(found)
    read: list[UnitCase] = []
    for cause in _ONE_OF.get(word) or (Cause(word),):
        open_ = FAILURES if cause is Cause.ATTACK_MC or word == "other_mc" else (UnitCheck.NONE,)
        possible = checks or open_
        for check in possible if cause in CHECKS else (UnitCheck.NONE,):
            case = UnitCase(*unit, cause, check, leader)
            refuse_impossible(case)
            read.append(case)
    return read


@dataclass(frozen=True, slots=True)
class Meant:
    """The meaning of a sentence: its cases, and the id of the campaign's unit that it names, if
    any."""

    cases: list[UnitCase]
    level: int
    unit: str | None = None

    def check(self, elr: int, drm: int) -> tuple[UnitCase, tuple[DiceTable, dict[str, int]]]:
        """The unit that takes an MC, and the check to roll. Raises Refused."""
        case = self.cases[-1]
        if case.cause not in CHECKS:
            raise Refused("there is no morale check to roll: write MC, 1MC, …")
        morale = CARD.ladders.morale_level(case.unit())
        facts = {"ml": morale, "elr": elr, "drm": drm, "mc": self.level}
        return case, table_of("mc", facts)


def meant(sentence: str, find: Callable[[str], Unit | None] = lambda _: None) -> Meant:
    """Parses a sentence; `find` finds a unit of a campaign by its id. Raises Refused."""
    id = None
    for word in sentence.split():
        unit = find(word.strip(",.:;?!"))
        if unit is not None:
            id, sentence = unit.id, sentence.replace(unit.id, str(unit_case(unit)), 1)
    level = re.search(r"(\d)mc\b", sentence.lower())
    return Meant(read_cases(sentence), int(level[1]) if level else 0, id)


def unit_case(unit: Unit) -> UnitCase:
    """The case of a campaign's counter. Raises Refused if G1.1 does not apply to it."""
    if unit.side is not Side.JAPANESE or unit.is_a("korean_laborer"):
        raise Refused(f"{unit.id}: the Japanese rules do not apply to Marines or laborers")
    sort = Sort.HEROIC_LEADER if unit.leader and unit.is_a("heroic") else Sort(unit.kind)
    state = next((state for state in STATES[sort] if unit.has(state)), UnitState.GOOD_ORDER)
    classed = sort in (Sort.SQUAD, Sort.HALF_SQUAD) and state is not UnitState.UNARMED
    type_ = unit.type if sort in SMC else None
    class_ = unit.class_ if classed else None
    return UnitCase(sort, class_, unit.strength, state, Cause.KIA, type=type_)


def result_text(result: Result) -> str:
    """A result in one line."""
    case, row = result.case, result.row
    check = vocabulary().checks.get(case.check)
    when = vocabulary().causes[case.cause] + (f", {check}" if check else "")
    if row.result == "not_possible":
        return f"{when}: {row.text} ({row.rule})"
    after = f" → {_shown(result.after)}" if result.after else ""
    odds = wound_odds(case) if row.wounds else {}
    severity = f" · {', '.join(f'{key} {chance}' for key, chance in odds.items())}" if odds else ""
    points = f"CVP +{result.cvp} · Casualty Tally {_tally(result)}"
    ruling = f" · {row.ruling}" if row.ruling else ""
    return f"{when}: {row.text}{after}{severity} · {points} · {row.rule}{ruling}"


def _shown(after: tuple[Unit, ...]) -> str:
    """The units afterwards: "two 2-3-7 half squads, broken, dm"."""
    unit, many = after[0], len(after) > 1
    kind = unit.kind.replace("_", " ") + ("s" if many else "")
    states = [state for state in unit.status if state != unit.type]
    return ", ".join([f"{'two ' if many else ''}{unit.type} {kind}", *states])


def _tally(result: Result) -> str:
    if result.tally is not None:
        return f"+{result.tally}"
    lacking = [name for name in names_needed(result) if name not in outcomes().bpv]
    return f"needs the BPV of: {', '.join(lacking)}"


# --- reading a sentence ---------------------------------------------------------------------------


def _words_of(sentence: str) -> tuple[dict[str, list[str]], str | None, str | None]:
    """The values found by field, the digits of an MMC and those of a leader."""
    text = sentence.lower().replace("−", "-")
    text = re.sub(r"(?<![\w-])(\d)(\d)(\d)(?!\w)", r"\1-\2-\3", text)  # "447" is short for it
    digits, leader = _DIGITS.search(text), None
    text = _DIGITS.sub(" ", text)
    if (named := _LEADER.search(text)) is not None:
        leader, text = named.group(), _LEADER.sub(" ", text)
    text = re.sub(r"\b\d(?=kia|mc)|(?<=k/)\d", "", text)
    spoken = re.sub(r"[^a-z0-9/>]", " ", text).split()
    text = f" {' '.join(word for word in spoken if word not in vocabulary().filler)} "
    found: dict[str, list[str]] = {field: [] for field in FIELDS}
    meant: set[Cause] = set()
    every = [
        (word, field, value)
        for field, values in vocabulary().words.items()
        for value, words in values.items()
        for word in words
    ]
    for word, field, value in sorted(every, key=lambda entry: -len(entry[0])):
        if f" {word} " in text:
            found[field].append(value)
            meant |= {vocabulary().also[word]} if word in vocabulary().also else set()
            text = text.replace(f" {word} ", "  ")
    if text.strip():
        why = f"not understood: {', '.join(text.split())}; what may happen to a unit: {_events()}"
        near = nearest(text.strip(), (word for word, *_ in every))
        raise Refused(NotUnderstood("", why, meant=near))
    found["cause"] = found["cause"] or [cause.value for cause in meant]
    for field, values in found.items():
        if len(values) > 1 and field != "check":
            raise Refused(f"more than one {field}: {', '.join(values)}")
    return found, digits.group() if digits else None, leader


def _unit(
    found: dict[str, list[str]], digits: str | None, leader: str | None
) -> tuple[Sort, Class | None, Strength, UnitState]:
    """The unit that is meant."""
    state = UnitState(found["state"][0]) if found["state"] else UnitState.GOOD_ORDER
    sort = Sort(found["unit"][0]) if found["unit"] else Sort.LEADER if leader else None
    if sort in LEADERS:
        known = CARD.ladders.figures.leaders[Side.JAPANESE].ladder
        if leader not in known:
            raise Refused(f"which leader? found {leader or 'none'}; allowed: {listed(known)}")
    if sort is not None and (sort in SMC or state is UnitState.UNARMED):
        return sort, None, Strength.FULL, state
    possible = [
        case
        for case, its_digits in _counters().items()
        if digits in (None, its_digits)
        and sort in (None, case.sort)
        and (not found["class"] or case.class_ in (None, found["class"][0]))
        and (not found["strength"] or case.strength in found["strength"])
    ]
    if len(possible) == 1:
        return possible[0].sort, possible[0].class_, possible[0].strength, state
    named = digits or sort
    several = "; ".join(map(str, possible))
    if named and possible:
        raise Refused(f"which unit? {named} may be: {several}")
    allowed = ", ".join(dict.fromkeys(_counters().values()))
    problem = f"no such unit has the digits {digits}" if digits else "give its digits"
    raise Refused(f"which unit? {problem}; allowed: {allowed}, or a leader or hero")


@cache
def _counters() -> dict[UnitCase, str]:
    """The digits of each side of every MMC's counter."""
    classes = tuple(reversed(CARD.ladders.figures.japanese.ladder))
    cases = (
        UnitCase(sort, class_, strength, UnitState.GOOD_ORDER, Cause.KIA)
        for sort in Sort
        if sort not in SMC
        for class_ in (classes if sort in (Sort.SQUAD, Sort.HALF_SQUAD) else (None,))
        for strength in (Strength if sort in TWO_SIDED else (Strength.FULL,))
    )
    return {case: case.unit().type for case in cases}


def _events() -> str:
    """The possible events, for a message."""
    return listed(words[0] for words in vocabulary().words["cause"].values())


def _checks(found: dict[str, list[str]]) -> tuple[UnitCheck, ...]:
    """The checks that were named, if any."""
    named = {UnitCheck(value) for value in found["check"]}
    if {UnitCheck.TWELVE, UnitCheck.EXCEEDED} <= named:
        return (UnitCheck.TWELVE_EXCEEDED,)
    return tuple(named - {UnitCheck.FAILED}) or tuple(named)
