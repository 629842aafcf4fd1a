"""The Japanese rules with rolls, limits or costs, and the other rules as notes."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from brt_cg.aids.outcomes import Result, UnitCase, UnitCheck, resolve
from brt_cg.aids.sources import CARD, read_once
from brt_cg.card.reading import CardReading, Least, TomlSection
from brt_cg.card.tables import read_facts, read_table
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Refused
from brt_cg.questions.asks import Roll
from brt_cg.questions.dice import Dice, DiceTable, Fact, Outcome, TableRow
from brt_cg.text import listed, signed


@dataclass(frozen=True, slots=True)
class MoraleCheck:
    """A check against a Morale Level: its meaning, its modifiers, and who passes without a roll."""

    key: str
    rule: str
    title: str
    passed: str
    failed: str
    facts: tuple[Fact, ...]
    automatic: tuple[str, ...]

    def table(self, morale: int, elr: int | None = None) -> DiceTable:
        """The check as a dice table: passed, failed and, with an ELR, exceeded."""
        rows = [TableRow(None, morale, "passed", f"{self.passed} (Morale Level {morale})")]
        if elr is None:
            rows.append(TableRow(morale + 1, None, "failed", self.failed))
        else:
            beyond = f"{self.failed} by more than the ELR {elr}"
            within = [TableRow(morale + 1, morale + elr, "failed", self.failed)] if elr else []
            rows += [*within, TableRow(morale + elr + 1, None, "exceeded", beyond)]
        return DiceTable(self.key, self.rule, self.title, Dice.TWO, tuple(rows), self.facts)


@dataclass(frozen=True, slots=True)
class Note:
    """A note: an Original result, a modifier of another chapter's roll, a paragraph."""

    rule: str
    title: str
    text: str

    def __str__(self) -> str:
        colon = "" if self.title.endswith("?") else ":"
        return f"{self.rule} · {self.title}{colon} {self.text}"


@dataclass(frozen=True, slots=True)
class Share:
    """A percentage of something in some years. `russian`: against Russians only, or never."""

    item: str
    rule: str
    what: str
    percent: Annotated[int, Least(1)]
    first: int | None
    last: int | None
    russian: bool | None

    def fits(self, year: int | None, russian: bool) -> bool:
        if (self.first or self.last) and year is None:
            raise Refused(f"{self.item} depends on the year: add year=1944, for example")
        late = year is not None and self.first is not None and year < self.first
        early = year is not None and self.last is not None and year > self.last
        return not late and not early and self.russian in (None, russian)

    def of(self, number: int) -> int:
        """That percentage of a number, fractions rounded up."""
        return -(-number * self.percent // 100)


@dataclass(frozen=True, slots=True)
class JapaneseRolls:
    """The contents of `japanese_rolls.toml`."""

    tables: Mapping[str, DiceTable]
    checks: Mapping[str, MoraleCheck]
    originals: Mapping[tuple[str, int], Note]
    limits: tuple[Share, ...]
    costs: tuple[Share, ...]
    notes: tuple[Note, ...]


@read_once("japanese_rolls")
def japanese_rolls(reading: CardReading) -> JapaneseRolls:
    root = reading.root
    return JapaneseRolls(
        tables={key: read_table(key, found) for key, found in root.section("tables").named()},
        checks={
            key: found.read(MoraleCheck, key=key, facts=read_facts(found))
            for key, found in root.section("checks").named()
        },
        originals={
            (row.text("table"), row.integer("original", low=1)): Note(
                row.text("rule"), "Original", row.text("text")
            )
            for row in root.sections("originals")
        },
        limits=tuple(_share(row, "of") for row in root.sections("limits")),
        costs=tuple(_share(row, "what") for row in root.sections("costs")),
        notes=(
            *map(_drm, root.sections("drms")),
            *(row.read(Note) for row in root.sections("notes")),
        ),
    )


def _drm(row: TomlSection) -> Note:
    words = f"{signed(row.integer('drm'))}, {row.text('when')}"
    return Note(row.text("rule"), row.text("roll"), words)


def automatic(key: str, facts: Mapping[str, int]) -> MoraleCheck | None:
    """The check that such a unit passes without a roll."""
    check = japanese_rolls().checks.get(key)
    return check if check is not None and {*check.automatic} & {*facts} else None


def _share(row: TomlSection, what: str) -> Share:
    years = {"first": row.maybe_integer("from"), "last": row.maybe_integer("to")}
    return row.read(Share, what=row.text(what), **years)


# --- how many, and how much -----------------------------------------------------------------------


def allowed(item: str, number: int, year: int | None, russian: bool = False) -> tuple[int, str]:
    """How many of `number` squads, squad-equivalents or DC are allowed, and why: th_heroes,
    th_heroes_brt, hip_day, hip_night, at_set_dc, dare_death. Raises Refused."""
    figures = CARD.ladders.figures
    fixed = {
        "th_heroes_brt": (figures.tank_hunter_percent, "Japanese squads at start", "tank_hunters"),
        "hip_day": (figures.hip_day_percent, "MMC squad-equivalents set up onboard", "hip"),
        "hip_night": (figures.hip_night_percent, "MMC squad-equivalents set up onboard", "hip"),
    }
    shares = [share for share in japanese_rolls().limits if share.item == item]
    if item in fixed:
        percent, what, part = fixed[item]
        share = Share(item, figures.rules[part], what, percent, None, None, None)
    elif not shares:
        known = dict.fromkeys(share.item for share in japanese_rolls().limits)
        raise Refused(f"{item} has no limit; allowed: {listed([*known, *fixed])}")
    else:
        fitting = [share for share in shares if share.fits(year, russian)]
        if not fitting:
            return 0, f"none allowed ({shares[0].rule})"
        share = fitting[0]
    count = share.of(number)
    return count, f"{share.percent}% of {number} {share.what}, rounded up ({share.rule})"


def cost(item: str, normal: int, year: int | None = None) -> tuple[int, str]:
    """The cost of a Japanese DYO item, given its normal cost, and why. Raises Refused."""
    found = next((share for share in japanese_rolls().costs if share.item == item), None)
    if found is None:
        known = ", ".join(share.item for share in japanese_rolls().costs)
        raise Refused(f"{item} has no Japanese cost; allowed: {known}")
    if not found.fits(year, russian=False):
        return normal, f"normal in {year} ({found.rule})"
    why = f"{found.percent}% of {normal}, rounded up: {found.what} ({found.rule})"
    return found.of(normal), why


# --- rolls, as steps that ask ---------------------------------------------------------------------


def table_of(key: str, facts: Mapping[str, int]) -> tuple[DiceTable, dict[str, int]]:
    """A table by its key, and the facts that modify it. A check needs the fact `ml`, and may have
    `elr`. Raises Refused."""
    rolls, left = japanese_rolls(), dict(facts)
    if key in rolls.checks:
        if "ml" not in left:
            raise Refused(f"{key} needs the Morale Level: add ml=8, for example")
        table = rolls.checks[key].table(left.pop("ml"), left.pop("elr", None))
    elif key in rolls.tables:
        table = rolls.tables[key]
    elif key == "wound":
        table = CARD.tables.dice[key]
    else:
        known = ", ".join([*rolls.tables, "wound", *rolls.checks])
        raise Refused(f"unknown roll {key}; allowed: {known}")
    names = [fact.name for fact in table.facts]
    unknown = [name for name in left if name not in names]
    if unknown:
        listed = ", ".join(names) or "none"
        raise Refused(
            f"{table.rule}: {', '.join(unknown)} does not modify {key}; allowed: {listed}"
        )
    return table, left


async def rolled(table: DiceTable, facts: Mapping[str, int], subject: str = "") -> Outcome:
    """Asks for the dice of a table."""
    return await Roll(
        rule=table.rule,
        subject=subject or table.key,
        side=Side.JAPANESE,
        prompt=table.title,
        table=table,
        modifiers=table.modifiers(facts),
    )


async def morale_check(
    case: UnitCase,
    check: tuple[DiceTable, Mapping[str, int]],
    rulings: Mapping[str, str],
    **given: Any,
) -> tuple[Outcome, Result | None]:
    """Rolls a unit's MC. Returns the result, or None if it passes. An Original 12 fails."""
    outcome = await rolled(*check)
    beyond = outcome.result == "exceeded"
    if outcome.original == 6 * len(outcome.faces):
        how = UnitCheck.TWELVE_EXCEEDED if beyond else UnitCheck.TWELVE
    elif outcome.result == "passed":
        return outcome, None
    else:
        how = UnitCheck.EXCEEDED if beyond else UnitCheck.FAILED
    return outcome, resolve(replace(case, check=how), rulings, **given)
