"""G1: the Refit Phase and the play aid do the same to a Japanese unit in every case that both
know."""

from collections.abc import Iterator
from typing import Any

import pytest

from brt_cg.aids.outcomes import Cause, UnitCase, UnitSort, UnitState, resolve_case
from brt_cg.aids.sources import aid_ruling_values
from brt_cg.model.counters import Unit, UnitClass, UnitStrength
from brt_cg.refit.s601_melee import fight_out_melees
from brt_cg.refit.s609_prisoners import resolve_prisoners_and_unarmed_units
from brt_cg.refit.s611_promotion import recombine_half_squads
from brt_cg.refit.s6131_vehicles import remedy_or_recall_vehicles
from tests.aids.test_outcomes import cases
from tests.refit.table import JAPANESE, Result, campaign, marine_squad, play, vehicle

AREAS = {"M1": "N18-N21", "J1": "J40-J50"}


def of(cause: Cause) -> list[UnitCase]:
    """The cases of an event in which a unit may be at that moment of the Refit Phase."""
    return [case for case in cases() if case.cause is cause]


def told(units: Iterator[Unit] | list[Unit]) -> list[tuple[Any, ...]]:
    """What matters of the units that are left."""
    return [
        (unit.kind, unit.type, unit.strength, unit.class_ if not unit.crew else None)
        for unit in units
    ]


def by_the_aid(case: UnitCase) -> list[tuple[Any, ...]]:
    return told([*resolve_case(case, aid_ruling_values({})).after])


def placed(case: UnitCase, **values: Any) -> Unit:
    """The unit of a case on the table."""
    made = case.as_counter()
    made.id = "j1"
    for name, value in values.items():
        setattr(made, name, value)
    return made


@pytest.mark.parametrize("case", of(Cause.CASUALTY_REDUCTION), ids=str)
def test_casualty_reduction(case: UnitCase) -> None:
    unit = placed(case, location="N35")
    if case.state is UnitState.UNARMED:
        unit.type, unit.class_ = "4-4-7", UnitClass.FIRST_LINE  # the table has its digits
    round_ = {"N35": [{"casualty_reduced": ["j1"]}]}
    table = campaign(marine_squad("m1", "N35"), unit)
    severity = resolve_case(case, aid_ruling_values({})).row.wounds
    result = play(fight_out_melees, table, {"j1": [1]} if severity else None, round_)
    left = result.unit("j1")
    expected = resolve_case(case, aid_ruling_values({}))
    assert left.in_play is bool(expected.after)
    if expected.after and case.state is not UnitState.UNARMED:
        assert told([left]) == told([*expected.after])
        assert left.has_status("wounded") is expected.after[0].has_status("wounded")
    assert result.cvp(marine_side()) == (0 if severity else expected.cvp)


def marine_side() -> Any:
    return JAPANESE.enemy


@pytest.mark.parametrize(
    "case",
    [c for c in of(Cause.DEPLOY) if c.sort is UnitSort.SQUAD and c.state is UnitState.GOOD_ORDER],
    ids=str,
)
def test_a_squad_deploys_to_man_a_vehicle(case: UnitCase) -> None:
    tank = vehicle("t1", "J42", "Type 95 HA-GO", JAPANESE, setup_area="J1")
    tank.recorded_location, tank.status, tank.inherent_crew = "J42", ("abandoned",), False
    table = campaign(tank, placed(case, setup_area="J1"), areas=AREAS)
    result: Result = play(remedy_or_recall_vehicles, table, choices={"t1": {"crew": "j1"}})
    made = [unit for unit in result.campaign.units.values() if unit.side is JAPANESE]
    assert told(made) == by_the_aid(case)
    assert result.vehicle("t1").inherent_crew


@pytest.mark.parametrize(
    "case",
    [
        c
        for c in of(Cause.RECOMBINE)
        if c.sort is UnitSort.HALF_SQUAD and c.state is UnitState.GOOD_ORDER
    ],
    ids=str,
)
def test_two_half_squads_recombine(case: UnitCase) -> None:
    pair = [placed(case, setup_area="J1"), placed(case, id="j2", setup_area="J1")]
    result = play(recombine_half_squads, campaign(*pair, areas=AREAS))
    assert told([result.unit("j1")]) == by_the_aid(case)


@pytest.mark.parametrize("sort", [UnitSort.SQUAD, UnitSort.HALF_SQUAD, UnitSort.CREW])
def test_the_rearmed(sort: UnitSort) -> None:
    case = UnitCase(sort, None, UnitStrength.FULL, UnitState.UNARMED, Cause.REARMED)
    unit = placed(case, location="J42", status=("unarmed",))
    unit.type = {"squad": "4-4-7", "half_squad": "2-3-7", "crew": "2-2-8"}[sort]
    result = play(resolve_prisoners_and_unarmed_units, campaign(unit, areas=AREAS))
    assert told([result.unit("j1")]) == by_the_aid(case)
