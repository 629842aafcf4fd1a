"""The Japanese rules for a player's questions: the possible cases of a typed sentence; rules with
rolls, limits or costs; other rules as notes; and the PTO chart."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Annotated, Any

from brt_cg.aids.outcomes import (
    CHECKS,
    FAILURES,
    LEADERS,
    SMC,
    STATES,
    TWO_SIDED,
    Cause,
    UnitCase,
    UnitCheck,
    UnitResult,
    UnitSort,
    UnitState,
    bpv_names_needed,
    check_case_is_possible,
    read_outcomes,
    resolve_case,
    wound_odds,
)
from brt_cg.aids.sources import CARD, aid_ruling_values, cached_aid_reader
from brt_cg.card import CardReading, Minimum, TomlSection, read_modifier_facts, read_table
from brt_cg.immutable import immutable
from brt_cg.model import Side, Unit, UnitClass, UnitStrength
from brt_cg.questions import (
    Dice,
    DiceTable,
    ModifierFact,
    Outcome,
    RefusedError,
    RollQuestion,
    TableRow,
)
from brt_cg.text import NotUnderstoodError, halves_text, list_text, nearest_name, signed_text


@immutable
class MoraleCheck:
    """A check against a Morale Level: its meaning, its modifiers, and the units that pass without a
    roll."""

    key: str
    rule: str
    title: str
    passed: str
    failed: str
    facts: tuple[ModifierFact, ...]
    automatic: tuple[str, ...]

    def dice_table(self, morale: int, elr: int | None = None) -> DiceTable:
        """Return the check as a dice table: passed, failed and, with an ELR, exceeded."""
        rows = [TableRow(None, morale, "passed", f"{self.passed} (Morale Level {morale})")]
        if elr is None:
            rows.append(TableRow(morale + 1, None, "failed", self.failed))
        else:
            beyond = f"{self.failed} by more than the ELR of {elr}"
            within = [TableRow(morale + 1, morale + elr, "failed", self.failed)] if elr else []
            rows += [*within, TableRow(morale + elr + 1, None, "exceeded", beyond)]
        return DiceTable(self.key, self.rule, self.title, Dice.TWO, tuple(rows), self.facts)


@immutable
class RuleNote:
    """A note: an Original result, a modifier of another chapter's roll, a paragraph."""

    rule: str
    title: str
    text: str

    def __str__(self) -> str:
        colon = "" if self.title.endswith("?") else ":"
        return f"{self.rule} · {self.title}{colon} {self.text}"


@immutable
class PercentageLimit:
    """A percentage of something in some years. `russian` says whether it applies only against
    Russians, or never against them."""

    item: str
    rule: str
    what: str
    percent: Annotated[int, Minimum(1)]
    first: int | None
    last: int | None
    russian: bool | None

    def applies(self, year: int | None, russian: bool) -> bool:
        if (self.first or self.last) and year is None:
            raise RefusedError(f"{self.item} depends on the year: add year=1944, for example")
        late = year is not None and self.first is not None and year < self.first
        early = year is not None and self.last is not None and year > self.last
        return not late and not early and self.russian in (None, russian)

    def share_of(self, number: float) -> int:
        """Return the percentage of a number of halves or wholes, with fractions rounded up."""
        return -(-round(2 * number) * self.percent // 200)


@immutable
class JapaneseRolls:
    """The contents of `japanese_rolls.toml`."""

    tables: Mapping[str, DiceTable]
    checks: Mapping[str, MoraleCheck]
    originals: Mapping[tuple[str, int], RuleNote]
    limits: tuple[PercentageLimit, ...]
    costs: tuple[PercentageLimit, ...]
    notes: tuple[RuleNote, ...]


@cached_aid_reader("japanese_rolls")
def read_japanese_rolls(reading: CardReading) -> JapaneseRolls:
    root = reading.root
    return JapaneseRolls(
        tables={
            key: read_table(key, found)
            for key, found in root.section("tables").remaining_sections()
        },
        checks={
            key: found.read_fields(MoraleCheck, key=key, facts=read_modifier_facts(found))
            for key, found in root.section("checks").remaining_sections()
        },
        originals={
            (row.text("table"), row.integer("original", low=1)): RuleNote(
                row.text("rule"), "Original", row.text("text")
            )
            for row in root.sections("originals")
        },
        limits=tuple(_share(row, "of") for row in root.sections("limits")),
        costs=tuple(_share(row, "what") for row in root.sections("costs")),
        notes=(
            *map(_drm, root.sections("drms")),
            *(row.read_fields(RuleNote) for row in root.sections("notes")),
        ),
    )


def _drm(row: TomlSection) -> RuleNote:
    words = f"{signed_text(row.integer('drm'))}, {row.text('when')}"
    return RuleNote(row.text("rule"), row.text("roll"), words)


def automatically_passed_check(key: str, facts: Mapping[str, int]) -> MoraleCheck | None:
    """Return the check that a unit passes without a roll."""
    check = read_japanese_rolls().checks.get(key)
    return check if check is not None and {*check.automatic} & {*facts} else None


def _share(row: TomlSection, what: str) -> PercentageLimit:
    years = {"first": row.optional_integer("from"), "last": row.optional_integer("to")}
    return row.read_fields(PercentageLimit, what=row.text(what), **years)


HALVES = "squad-equivalents"  # the only thing that comes in halves (A5.5)


# --- how many, and how much -----------------------------------------------------------------------


def allowed_number(
    item: str, number: float, year: int | None, russian: bool = False
) -> tuple[int, str]:
    """Return the allowed number, out of `number` squads, squad-equivalents or DC, and the reason:
    th_heroes, th_heroes_brt, hip_day, hip_night, at_set_dc, dare_death. Only squad-equivalents come
    in halves (G1.631). Raises RefusedError."""
    figures = CARD.ladders.figures
    fixed = {
        "th_heroes_brt": (figures.tank_hunter_percent, "Japanese squads at start", "tank_hunters"),
        "hip_day": (figures.hip_day_percent, "MMC squad-equivalents set up onboard", "hip"),
        "hip_night": (figures.hip_night_percent, "MMC squad-equivalents set up onboard", "hip"),
    }
    shares = [share for share in read_japanese_rolls().limits if share.item == item]
    if item in fixed:
        percent, what, part = fixed[item]
        share = PercentageLimit(item, figures.rules[part], what, percent, None, None, None)
    elif not shares:
        known = dict.fromkeys(share.item for share in read_japanese_rolls().limits)
        raise RefusedError(f"{item} has no limit; enter {list_text([*known, *fixed])}")
    else:
        fitting = [share for share in shares if share.applies(year, russian)]
        if not fitting:
            return 0, f"none allowed ({shares[0].rule})"
        share = fitting[0]
    if number % 1 and HALVES not in share.what:
        raise RefusedError(f"{item}: enter a whole number of {share.what}")
    count = share.share_of(number)
    return (
        count,
        f"{share.percent}% of {halves_text(number)} {share.what}, rounded up ({share.rule})",
    )


def dyo_cost(item: str, normal: int, year: int | None = None) -> tuple[int, str]:
    """Return the cost of a Japanese DYO item, given its normal cost, and the reason. Raises
    RefusedError."""
    found = next((share for share in read_japanese_rolls().costs if share.item == item), None)
    if found is None:
        known = ", ".join(share.item for share in read_japanese_rolls().costs)
        raise RefusedError(f"{item} has no Japanese cost; enter {known}")
    if not found.applies(year, russian=False):
        return normal, f"normal in {year} ({found.rule})"
    why = f"{found.percent}% of {normal}, rounded up: {found.what} ({found.rule})"
    return found.share_of(normal), why


# --- rolls, as steps that ask ---------------------------------------------------------------------


def find_table(key: str, facts: Mapping[str, int]) -> tuple[DiceTable, dict[str, int]]:
    """Return a table by its key, and the facts that modify it. A check needs the fact `ml`, and may
    have `elr`. Raises RefusedError."""
    rolls, left = read_japanese_rolls(), dict(facts)
    if key in rolls.checks:
        if "ml" not in left:
            raise RefusedError(f"{key} needs the Morale Level: add ml=8, for example")
        table = rolls.checks[key].dice_table(left.pop("ml"), left.pop("elr", None))
    elif key in rolls.tables:
        table = rolls.tables[key]
    elif key == "wound":
        table = CARD.tables.dice[key]
    else:
        known = ", ".join([*rolls.tables, "wound", *rolls.checks])
        raise RefusedError(f"unknown roll {key}; enter {known}")
    names = [fact.name for fact in table.facts]
    unknown = [name for name in left if name not in names]
    if unknown:
        listed = ", ".join(names) or "none"
        raise RefusedError(
            f"{table.rule}: {', '.join(unknown)} does not modify {key}; enter {listed}"
        )
    return table, left


async def roll_on_table(table: DiceTable, facts: Mapping[str, int], subject: str = "") -> Outcome:
    """Ask for the dice of a table."""
    return await RollQuestion(
        rule=table.rule,
        subject=subject or table.key,
        side=Side.JAPANESE,
        prompt=table.title,
        table=table,
        modifiers=table.modifiers_for_facts(facts),
    )


async def roll_morale_check(
    case: UnitCase,
    check: tuple[DiceTable, Mapping[str, int]],
    rulings: Mapping[str, str],
    **given: Any,
) -> tuple[Outcome, UnitResult | None]:
    """Roll a unit's MC. Return the result, or None if it passes. An Original 12 fails."""
    outcome = await roll_on_table(*check)
    beyond = outcome.result == "exceeded"
    if outcome.original == 6 * len(outcome.faces):
        how = UnitCheck.TWELVE_EXCEEDED if beyond else UnitCheck.TWELVE
    elif outcome.result == "passed":
        return outcome, None
    else:
        how = UnitCheck.EXCEEDED if beyond else UnitCheck.FAILED
    return outcome, resolve_case(replace(case, check=how), rulings, **given)


async def roll_event(
    event: "ParsedSentence", elr: int, drm: int, rulings: Mapping[str, str], **given: Any
) -> tuple[list[Outcome], list[UnitResult]]:
    """Make the rolls that an event requires: a morale check; after a K/# result, first the Wound
    Severity dr of an SMC, and no check if the Casualty Reduction eliminates the unit."""
    outcomes: list[Outcome] = []
    results: list[UnitResult] = []
    if event.is_reduced_first:
        first = event.cases[0]
        results.append(resolve_case(first, rulings, **given))
        if not results[0].after:
            return outcomes, results
        if results[0].row.wounds:
            wounded = int(first.state is UnitState.WOUNDED)
            table = CARD.tables.dice["wound"]
            outcomes.append(await roll_on_table(table, {"already_wounded": wounded}))
            if outcomes[0].result == "dies":
                worth = CARD.ladders.unit_cvp(results[0].replaced)
                return outcomes, [replace(results[0], after=(), cvp=worth)]
    outcome, failed = await roll_morale_check(
        *event.morale_check_to_roll(elr, drm), rulings, **given
    )
    return [*outcomes, outcome], [*results, *([failed] if failed else [])]


# --- sentences ------------------------------------------------------------------------------------


FIELDS = ("unit", "strength", "class", "state", "cause", "check")
_DIGITS = re.compile(r"\d-\d-\d")
_LEADER = re.compile(r"\d+[-+]\d(?!-)")
# The causes that each of these words may mean; the words themselves are not causes.
_ONE_OF = {
    "any_kia": (Cause.KIA_HIT, Cause.KIA),
    "any_break": (Cause.ATTACK_MC, Cause.OTHER_BREAK),
    "other_mc": (Cause.OTHER_BREAK,),
}


@immutable
class Vocabulary:
    """`words.toml`: words by field and value; words that also mean a cause, if no other is named;
    words without a meaning; the wording of cases."""

    words: Mapping[str, Mapping[str, tuple[str, ...]]]
    also: Mapping[str, Cause]
    filler: tuple[str, ...]
    causes: Mapping[Cause, str]
    checks: Mapping[UnitCheck, str]


@cached_aid_reader("words")
def read_vocabulary(reading: CardReading) -> Vocabulary:
    words, says = reading.root.section("words"), reading.root.section("says")
    meaning = reading.root.section("also")
    also = {word: meaning.enum_member(word, Cause) for word in meaning.key_names()}
    causes, checks = says.section("cause"), says.section("check")
    by_field = {
        field: {value: section.texts(value) for value in section.key_names()}
        for field in FIELDS
        for section in (words.section(field),)
    }
    worded = {cause: causes.text(cause) for cause in Cause}
    named: dict[UnitCheck, str] = {check: checks.text(check) for check in FAILURES}
    return Vocabulary(by_field, also, words.texts("filler"), worded, named)


def parse_cases(sentence: str) -> list[UnitCase]:
    """Return the cases that a sentence can mean: "reduced 3-4-7 takes a 2KIA" has two, as the KIA
    may hit the squad or spare it. Raises RefusedError, which names the words that were not
    understood, or the missing facts."""
    found, digits, leader = _words_of(sentence)
    if not found["cause"]:
        raise RefusedError(f"what happens to it? enter {_events()}")
    unit = _unit(found, digits, leader)
    word, checks = found["cause"][0], _checks(found)
    if word == "k":
        return _k_cases(UnitCase(*unit, Cause.CASUALTY_REDUCTION, type=leader), checks)
    read: list[UnitCase] = []
    for cause in _ONE_OF.get(word) or (Cause(word),):
        open_ = FAILURES if cause is Cause.ATTACK_MC or word == "other_mc" else (UnitCheck.NONE,)
        possible = checks or open_
        for check in possible if cause in CHECKS else (UnitCheck.NONE,):
            case = UnitCase(*unit, cause, check, leader)
            check_case_is_possible(case)
            read.append(case)
    return read


def _k_cases(first: UnitCase, checks: Sequence[UnitCheck]) -> list[UnitCase]:
    """Return the cases of a K/# result: Casualty Reduction, then the MC of the survivor (G1.14,
    A7.302)."""
    check_case_is_possible(first)
    after = resolve_case(first, aid_ruling_values()).after  # no ruling is about Casualty Reduction
    if not after:
        return [first]
    survivor = replace(unit_case_from_counter(after[0]), cause=Cause.ATTACK_MC)
    return [first, *(replace(survivor, check=check) for check in checks or FAILURES)]


@immutable
class ParsedSentence:
    """The meaning of a sentence: its cases, and the id of the campaign's unit that it names, if
    any."""

    cases: list[UnitCase]
    level: int
    unit: str | None = None

    @property
    def is_reduced_first(self) -> bool:
        """Whether the sentence is about a K/# result, which reduces the unit before its MC."""
        return self.level > 0 and self.cases[0].cause is Cause.CASUALTY_REDUCTION

    def morale_check_to_roll(
        self, elr: int, drm: int
    ) -> tuple[UnitCase, tuple[DiceTable, dict[str, int]]]:
        """Return the unit that takes an MC, and the check to roll. Raises RefusedError."""
        case = self.cases[-1]
        if case.cause not in CHECKS:
            raise RefusedError("there is no morale check to roll: write MC, 1MC, …")
        if case.state is UnitState.UNARMED:
            level = "the Morale Level of its Unarmed counter"
            raise RefusedError(f"enter {level} with its check, for example: roll mc ml=6 elr=3")
        morale = CARD.ladders.morale_level(case.as_counter())
        facts = {"ml": morale, "elr": elr, "drm": drm, "mc": self.level}
        return case, find_table("mc", facts)


def parse_sentence(
    sentence: str, find: Callable[[str], Unit | None] = lambda _: None
) -> ParsedSentence:
    """Parse a sentence; `find` finds a unit of a campaign by its id. Raises RefusedError."""
    id = None
    for word in sentence.split():
        unit = find(word.strip(",.:;?!"))
        if unit is not None:
            id, sentence = unit.id, sentence.replace(unit.id, str(unit_case_from_counter(unit)), 1)
    level = re.search(r"(\d)mc\b|\bk/(\d)", sentence.lower())
    return ParsedSentence(parse_cases(sentence), int(level[1] or level[2]) if level else 0, id)


def unit_case_from_counter(unit: Unit) -> UnitCase:
    """Return the case of a campaign's counter. Raises RefusedError if G1.1 does not apply to it."""
    if unit.side is not Side.JAPANESE or unit.has_trait("korean_laborer"):
        raise RefusedError(f"{unit.id}: the Japanese rules do not apply to Marines or laborers")
    sort = (
        UnitSort.HEROIC_LEADER if unit.leader and unit.has_trait("heroic") else UnitSort(unit.kind)
    )
    states = reversed(STATES[sort]) if sort in SMC else STATES[sort]  # a wound matters most
    state = next((each for each in states if unit.has_status(each)), UnitState.GOOD_ORDER)
    classed = sort in (UnitSort.SQUAD, UnitSort.HALF_SQUAD) and state is not UnitState.UNARMED
    type_ = unit.type if sort in SMC else None
    class_ = unit.class_ if classed else None
    return UnitCase(sort, class_, unit.strength, state, Cause.KIA, type=type_)


def result_text(result: UnitResult) -> str:
    """Return a result in one line."""
    case, row = result.case, result.row
    check = read_vocabulary().checks.get(case.check)
    when = read_vocabulary().causes[case.cause] + (f", {check}" if check else "")
    if row.result == "not_possible":
        return f"{when}: {row.text} ({row.rule})"
    after = f" → {_shown(result.after)}" if result.after else ""
    odds = wound_odds(case) if row.wounds else {}
    severity = f" · {', '.join(f'{key} {chance}' for key, chance in odds.items())}" if odds else ""
    points = f"CVP +{result.cvp} · Casualty Tally {_tally(result)}"
    ruling = f" · {row.ruling}" if row.ruling else ""
    return f"{when}: {row.text}{after}{severity} · {points} · {row.rule}{ruling}"


def _shown(after: tuple[Unit, ...]) -> str:
    """Return the resulting units in words: "two 2-3-7 half squads, broken, dm"."""
    unit, many = after[0], len(after) > 1
    kind = unit.kind.replace("_", " ") + ("s" if many else "")
    states = [state for state in unit.status if state != unit.type]
    return ", ".join([f"{'two ' if many else ''}{unit.type} {kind}", *states])


def _tally(result: UnitResult) -> str:
    if result.tally is not None:
        return f"+{result.tally}"
    lacking = [name for name in bpv_names_needed(result) if name not in read_outcomes().bpv]
    return f"needs the BPV of: {', '.join(lacking)}"


# --- reading a sentence ---------------------------------------------------------------------------


def _words_of(sentence: str) -> tuple[dict[str, list[str]], str | None, str | None]:
    """Return the values found by field, the digits of an MMC and those of a leader."""
    text = sentence.lower().replace("−", "-")
    text = re.sub(r"(?<![\w-])(\d)(\d)(\d)(?!\w)", r"\1-\2-\3", text)  # also accept "447"
    digits, leader = _DIGITS.search(text), None
    text = _DIGITS.sub(" ", text)
    if (named := _LEADER.search(text)) is not None:
        leader, text = named.group(), _LEADER.sub(" ", text)
    text = re.sub(r"\b\d(?=kia|mc)|(?<=k/)\d", "", text)
    spoken = re.sub(r"[^a-z0-9/>]", " ", text).split()
    text = f" {' '.join(word for word in spoken if word not in read_vocabulary().filler)} "
    found: dict[str, list[str]] = {field: [] for field in FIELDS}
    meant: set[Cause] = set()
    every = [
        (word, field, value)
        for field, values in read_vocabulary().words.items()
        for value, words in values.items()
        for word in words
    ]
    for word, field, meaning in sorted(every, key=lambda entry: -len(entry[0])):
        if f" {word} " in text:
            found[field].append(meaning)
            meant |= {read_vocabulary().also[word]} if word in read_vocabulary().also else set()
            text = text.replace(f" {word} ", "  ")
    if text.strip():
        why = f"not understood: {', '.join(text.split())}; write one of these events: {_events()}"
        near = nearest_name(text.strip(), (word for word, *_ in every))
        raise RefusedError(NotUnderstoodError("", why, meant=near))
    found["cause"] = found["cause"] or [cause.value for cause in meant]
    for field, values in found.items():
        if len(values) > 1 and field != "check":
            raise RefusedError(f"more than one {field}: {', '.join(values)}")
    return found, digits.group() if digits else None, leader


def _unit(
    found: dict[str, list[str]], digits: str | None, leader: str | None
) -> tuple[UnitSort, UnitClass | None, UnitStrength, UnitState]:
    """Return the unit that is meant."""
    state = UnitState(found["state"][0]) if found["state"] else UnitState.GOOD_ORDER
    sort = UnitSort(found["unit"][0]) if found["unit"] else UnitSort.LEADER if leader else None
    if sort in LEADERS:
        known = CARD.ladders.figures.leaders[Side.JAPANESE].ladder
        if leader not in known:
            raise RefusedError(
                f"which leader? {leader or 'none'} is not accepted; enter {list_text(known)}"
            )
    if sort is not None and (sort in SMC or state is UnitState.UNARMED):
        return sort, None, UnitStrength.FULL, state
    # A 1-2-7 is also called just a crew (G1.3).
    sorts = (sort, UnitSort.VEHICLE_CREW) if sort is UnitSort.CREW and digits else (sort,)
    described = {
        case: its_digits
        for case, its_digits in _counters().items()
        if (sort is None or case.sort in sorts)
        and (not found["class"] or case.class_ in (None, found["class"][0]))
        and (not found["strength"] or case.strength in found["strength"])
    }
    possible = [case for case, its_digits in described.items() if digits in (None, its_digits)]
    if len(possible) == 1:
        return possible[0].sort, possible[0].class_, possible[0].strength, state
    named = digits or sort
    several = "; ".join(map(str, possible))
    if named and possible:
        raise RefusedError(f"which unit? {named} may be: {several}")
    allowed = ", ".join(dict.fromkeys((described or _counters()).values()))
    problem = f"no {_described(found)} has the factors {digits}" if digits else "give its factors"
    raise RefusedError(f"which unit? {problem}; enter {allowed}, or a leader or hero")


def _described(found: dict[str, list[str]]) -> str:
    """Return the description of a unit in a sentence, without its factors: "reduced elite squad";
    "such unit" if there is none."""
    words = [found[field][0] for field in ("strength", "class", "unit") if found[field]]
    noun = [] if found["unit"] else ["unit"]
    return " ".join([*(words or ["such"]), *noun]).replace("_", " ")


@cache
def _counters() -> dict[UnitCase, str]:
    """Return the digits of each side of every MMC's counter."""
    classes = tuple(reversed(CARD.ladders.figures.japanese.ladder))
    cases = (
        UnitCase(sort, class_, strength, UnitState.GOOD_ORDER, Cause.KIA)
        for sort in UnitSort
        if sort not in SMC
        for class_ in (classes if sort in (UnitSort.SQUAD, UnitSort.HALF_SQUAD) else (None,))
        for strength in (UnitStrength if sort in TWO_SIDED else (UnitStrength.FULL,))
    )
    return {case: case.as_counter().type for case in cases}


def _events() -> str:
    """Return the possible events, for a message."""
    return list_text(words[0] for words in read_vocabulary().words["cause"].values())


def _checks(found: dict[str, list[str]]) -> tuple[UnitCheck, ...]:
    """Return the checks that the words name, if any."""
    named = {UnitCheck(value) for value in found["check"]}
    if {UnitCheck.TWELVE, UnitCheck.EXCEEDED} <= named:
        return (UnitCheck.TWELVE_EXCEEDED,)
    return tuple(named - {UnitCheck.FAILED}) or tuple(named)


# --- the PTO chart, and searches by words ---------------------------------------------------------


TERRAIN = ("instead_of", "los", "tem", "infantry", "tracked", "halftrack", "notes")


@immutable
class PtoChart:
    """`pto.toml`: the line at its top, and its entries, terrain first."""

    heading: str
    entries: tuple[RuleNote, ...]


@cached_aid_reader("pto")
def read_pto_chart(reading: CardReading) -> PtoChart:
    root = reading.root
    rule = root.text("rule")
    terrain = [
        RuleNote(
            f"{rule}, terrain",
            row.text("name"),
            " · ".join(f"{key.replace('_', ' ')} {row.text(key)}" for key in TERRAIN),
        )
        for row in root.sections("terrain")
    ]
    entries = [
        RuleNote(f"{rule}, {row.text('section')}", row.text("title"), row.text("text"))
        for row in root.sections("entries")
    ]
    return PtoChart(root.text("heading"), (*terrain, *entries))


def search_notes(notes: Sequence[RuleNote], words: Sequence[str]) -> list[RuleNote]:
    """Return the notes that contain all the words, ignoring case; all notes if there are no words.
    Raises RefusedError if no note does."""
    found = [note for note in notes if all(_plain(word) in _plain(str(note)) for word in words)]
    if not found:
        raise RefusedError(f"nothing contains {' '.join(words)!r}")
    return found


def search_rules(words: Sequence[str]) -> list[RuleNote]:
    """Return the paragraphs and the chart's entries that contain all the words."""
    try:
        return search_notes((*read_japanese_rolls().notes, *read_pto_chart().entries), words)
    except RefusedError:
        return []


def _plain(text: str) -> str:
    return text.casefold().replace("−", "-")
