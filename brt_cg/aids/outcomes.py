"""Outcomes for a Japanese unit (G1.1–G1.4): cases, the table of outcomes, and results.

The table is in `campaigns/aids/japanese.toml`; exactly one of its rows applies to a case.
"""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Annotated, Any

from brt_cg.aids.sources import CARD, cached_aid_reader
from brt_cg.card import CardReading, Minimum, TomlSection
from brt_cg.immutable import immutable
from brt_cg.model import Fate, Side, Unit, UnitClass, UnitKind, UnitStrength
from brt_cg.questions import RefusedError


class UnitSort(StrEnum):
    """The kinds of Japanese units that outcomes distinguish."""

    SQUAD = "squad"
    HALF_SQUAD = "half_squad"
    CREW = "crew"
    VEHICLE_CREW = "vehicle_crew"
    LEADER = "leader"
    HEROIC_LEADER = "heroic_leader"
    HERO = "hero"


class UnitState(StrEnum):
    """The states of a unit that outcomes distinguish."""

    GOOD_ORDER = "good_order"
    BERSERK = "berserk"
    UNARMED = "unarmed"
    BROKEN = "broken"
    WOUNDED = "wounded"


class Cause(StrEnum):
    """The events. `kia` breaks the units that a KIA spares; `kia_hit` is for its victims."""

    ATTACK_MC = "attack_mc"
    KIA = "kia"
    KIA_HIT = "kia_hit"
    SNIPER = "sniper"
    OTHER_BREAK = "other_break"
    VOLUNTARY = "voluntary"
    CASUALTY_REDUCTION = "casualty_reduction"
    CAPTURED = "captured"
    HARA_KIRI = "hara_kiri"
    DEPLOY = "deploy"
    RECOMBINE = "recombine"
    DISARMED = "disarmed"
    REARMED = "rearmed"


class UnitCheck(StrEnum):
    """The kinds of failed morale checks; none if there was no check."""

    NONE = "none"
    FAILED = "failed"
    EXCEEDED = "exceeded"
    TWELVE = "twelve"
    TWELVE_EXCEEDED = "twelve_exceeded"


FAILURES = tuple(check for check in UnitCheck if check is not UnitCheck.NONE)
LEADERS = (UnitSort.LEADER, UnitSort.HEROIC_LEADER)
SMC = (*LEADERS, UnitSort.HERO)
TWO_SIDED = (UnitSort.SQUAD, UnitSort.CREW)
_BREAKABLE = (UnitState.GOOD_ORDER, UnitState.BERSERK, UnitState.UNARMED, UnitState.BROKEN)
STATES: dict[UnitSort, tuple[UnitState, ...]] = {
    **dict.fromkeys(TWO_SIDED, _BREAKABLE[:3]),
    **dict.fromkeys((UnitSort.HALF_SQUAD, UnitSort.VEHICLE_CREW), _BREAKABLE),
    **dict.fromkeys(SMC, (UnitState.GOOD_ORDER, UnitState.BERSERK, UnitState.WOUNDED)),
}
CHECKS = {Cause.ATTACK_MC: FAILURES, Cause.OTHER_BREAK: tuple(UnitCheck)}


@immutable
class UnitCase:
    """A unit and an event. `type` is a leader's ("9-1"), if it was named."""

    sort: UnitSort
    class_: UnitClass | None
    strength: UnitStrength
    state: UnitState
    cause: Cause
    check: UnitCheck = UnitCheck.NONE
    type: str | None = None

    def __str__(self) -> str:
        """Return the unit in words: "3-4-7 reduced first line squad"."""
        side = (
            self.strength if self.sort in TWO_SIDED and self.state is not UnitState.UNARMED else ""
        )
        state = self.state if self.state is not UnitState.GOOD_ORDER else ""
        digits = "" if self.state is UnitState.UNARMED else self.as_counter().type
        words = (state, digits, side, self.class_ or "", self.sort)
        return " ".join(filter(None, words)).replace("_", " ")

    def as_counter(self) -> Unit:
        """Return the unit as a counter. An unarmed squad has no digits that show its class."""
        kind = UnitKind.LEADER if self.sort in LEADERS else UnitKind(self.sort)
        default = CARD.ladders.figures.hero if self.sort is UnitSort.HERO else "8-0"
        if self.state is UnitState.UNARMED:
            default = UnitState.UNARMED
        unit = Unit(
            id="",
            side=Side.JAPANESE,
            kind=kind,
            type=self.type or default,
            class_=self.class_,
            strength=self.strength,
            status=() if self.state is UnitState.GOOD_ORDER else (self.state.value,),
            traits=("heroic",) if self.sort is UnitSort.HEROIC_LEADER else (),
        )
        unit.type = self.type or _digits(unit)
        return unit


def _digits(unit: Unit) -> str:
    return unit.type if unit.class_ is None and not unit.crew else CARD.ladders.digits_of_unit(unit)


@immutable(kw_only=True)
class OutcomeRow:
    """A row of the table: its conditions by field of a case, and the outcome."""

    rule: str
    result: str
    text: str
    conditions: Mapping[str, tuple[str, ...]]
    ruling: str | None
    kind: UnitKind | None
    count: Annotated[int, Minimum(0)] = 1
    strength_after: UnitStrength | None
    class_after: UnitClass | None
    lower: bool
    broken: bool
    unarmed: bool
    wounds: bool
    loss: bool = True
    tally: bool = True

    def applies(self, case: UnitCase, rulings: Mapping[str, str]) -> bool:
        id, _, value = (self.ruling or "").partition("=")
        return (not id or rulings[id] == value) and all(
            getattr(case, field) in allowed for field, allowed in self.conditions.items()
        )


_CONDITIONS: tuple[tuple[str, str, type[StrEnum]], ...] = (
    *(
        ("units", "sort", UnitSort),
        ("strength", "strength", UnitStrength),
        ("classes", "class_", UnitClass),
    ),
    *(("states", "state", UnitState), ("causes", "cause", Cause), ("checks", "check", UnitCheck)),
)


@immutable
class OutcomeTable:
    """`japanese.toml`: the table of outcomes, and the BPV that the Casualty Tally uses."""

    rows: tuple[OutcomeRow, ...]
    bpv: Mapping[str, int]


@cached_aid_reader("japanese")
def read_outcomes(reading: CardReading) -> OutcomeTable:
    rows = tuple(_read_outcome_row(section) for section in reading.root.sections("outcomes"))
    bpv = reading.root.section("bpv")
    bpv.text("rule")
    values = bpv.section("values")
    return OutcomeTable(rows, {name: values.integer(name, low=0) for name in values.key_names()})


def _read_outcome_row(section: TomlSection) -> OutcomeRow:
    conditions = {
        field: section.texts(key, [*kind])
        for key, field, kind in _CONDITIONS
        if section.has_key(key)
    }
    return section.read_fields(OutcomeRow, conditions=conditions)


def matching_rows(case: UnitCase, rulings: Mapping[str, str]) -> list[OutcomeRow]:
    """Return the rows that apply to a case: always exactly one."""
    return [row for row in read_outcomes().rows if row.applies(case, rulings)]


@immutable
class UnitResult:
    """The result for a unit. `replaced` is the unit after an ELR failure, before its reduction;
    `after` are the units afterwards; `tally` is None if the rules give no BPV for the unit."""

    case: UnitCase
    row: OutcomeRow
    replaced: Unit
    after: tuple[Unit, ...]
    tally: int | None
    cvp: int

    def as_json(self) -> dict[str, Any]:
        """Return the result as JSON."""
        after = [
            {
                "type": unit.type,
                "kind": unit.kind,
                "class": unit.class_,
                "strength": unit.strength,
                "status": list(unit.status),
            }
            for unit in self.after
        ]
        return {
            "cause": self.case.cause,
            "check": self.case.check,
            "outcome": self.row.result,
            "text": self.row.text,
            "replacement": after,
            "broken": self.row.broken,
            "casualty_tally": self.tally,
            "cvp": self.cvp,
            "wound_severity": wound_odds(self.case) if self.row.wounds else None,
            "rule": self.row.rule,
            "ruling": self.row.ruling,
        }


def resolve_case(
    case: UnitCase, rulings: Mapping[str, str], bpv: Mapping[str, int] | None = None
) -> UnitResult:
    """Return the result of a case. `bpv` adds values that the table lacks ("elite squad": 14)."""
    (row,) = matching_rows(case, rulings)
    before = case.as_counter()
    if row.result == "not_possible":
        return UnitResult(case, row, before, (before,), 0, 0)
    replaced = replace(before, class_=_next_lower(before.class_)) if row.lower else before
    after = tuple(_after(row, replaced) for _ in range(row.count))
    values = {**read_outcomes().bpv, **(bpv or {})}
    tally = _tally(replaced, after, values) if row.loss and row.tally else 0
    worth = CARD.ladders.unit_cvp
    cvp = worth(before) - sum(worth(unit) for unit in after) if row.loss and not row.wounds else 0
    return UnitResult(case, row, replaced, after, tally, cvp)


def _next_lower(class_: UnitClass | None) -> UnitClass:
    ladder = CARD.ladders.figures.japanese.ladder
    assert class_ is not None, "only classes with a lower one are Replaced"
    return ladder[ladder.index(class_) - 1]


def _after(row: OutcomeRow, unit: Unit) -> Unit:
    """Return the unit that this unit becomes."""
    became = unit.clone()
    became.kind = row.kind or unit.kind
    became.strength = UnitStrength.FULL if row.kind else row.strength_after or unit.strength
    if became.crew:
        became.class_ = None
    elif row.class_after:
        became.class_ = row.class_after
    became.status = () if row.result in ("rearmed",) else unit.status
    if row.broken:
        became.add_status("broken", "dm")
    if row.wounds:
        became.add_status("wounded")
    if row.unarmed:
        became.status, became.class_ = tuple(s for s in ("broken", "dm") if row.broken), None
        became.add_status("unarmed")
        became.type = "unarmed"
    else:
        became.type = _digits(became)
    return became


def _tally(before: Unit, after: tuple[Unit, ...], bpv: Mapping[str, int]) -> int | None:
    """Return the change of the Casualty Tally (G1.622): flipping a counter, or replacing a squad by
    two half-squads, never matters."""
    sizes = CARD.ladders.size_in_squad_equivalents
    if after and sum(map(sizes, after)) == sizes(before) and not before.crew:
        return 0
    values = [bpv.get(bpv_name(unit)) for unit in (before, *after)]
    if None in values:
        return None
    first, *rest = (value for value in values if value is not None)
    return first - sum(rest)


def bpv_name(unit: Unit) -> str:
    """Return a unit's name in the BPV table: "first_line squad", "crew", "9-1 leader"."""
    if unit.crew:
        return unit.kind
    return f"{unit.type if unit.smc or unit.class_ is None else unit.class_} {unit.kind}"


def bpv_names_needed(result: UnitResult) -> list[str]:
    """Return the units, by name, whose BPV a result's Casualty Tally needs."""
    return list(dict.fromkeys(map(bpv_name, (result.replaced, *result.after))))


def wound_odds(case: UnitCase) -> dict[str, str]:
    """Return the chances of the Wound Severity dr by result: {"wounded": "2/3", "dies": "1/3"}."""
    table = CARD.tables.dice["wound"]
    facts = {"already_wounded": int(case.state is UnitState.WOUNDED)}
    return {row.result: str(chance) for row, chance in table.odds(table.modifiers_for_facts(facts))}


def check_case_is_possible(case: UnitCase) -> None:
    """Raise RefusedError for an impossible combination."""
    if case.state not in STATES[case.sort]:
        allowed = ", ".join(STATES[case.sort])
        raise RefusedError(f"a Japanese {case.sort} is never {case.state}; enter {allowed}")


# The statuses that an outcome decides; all others are kept.
DECIDED = {UnitState.BERSERK, UnitState.UNARMED, UnitState.BROKEN, UnitState.WOUNDED, "dm"}


def edit_for_result(result: UnitResult, unit: Unit) -> dict[str, Any] | None:
    """Return a result as a correction of the campaign's unit: the fields for the command `edit`;
    None if nothing changes. Of two half-squads the unit becomes the first."""
    if result.row.result == "not_possible":
        return None
    if not result.after:
        captured = result.row.result == "captured"
        return {"fate": (Fate.CAPTURED if captured else Fate.ELIMINATED).value}
    after = result.after[0]
    decided = DECIDED - {UnitState.BERSERK} if unit.smc else DECIDED  # a wound leaves him berserk
    status = {*unit.status} - decided | {*after.status}
    values: dict[str, Any] = {"status": sorted(status)}
    if after.kind is not unit.kind:
        values["kind"] = after.kind.value
    if after.class_ not in (None, unit.class_):
        values["class"] = str(after.class_)
    if after.strength is not unit.strength:
        values["strength"] = after.strength.value
    return values if len(values) > 1 or status != {*unit.status} else None
