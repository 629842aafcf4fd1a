"""Counters that do not exist are refused, with what is allowed."""

import pytest

from brt_cg.card import load_card
from brt_cg.card.ladders import Ladders
from brt_cg.model.counters import Side, Unit, UnitClass, UnitKind, UnitStrength
from tests.card.counter_for import (
    CONSCRIPT,
    ELITE,
    FIRST_LINE,
    SECOND_LINE,
    hero,
    japanese,
    leader,
    marine,
)

SQUAD, HALF_SQUAD, CREW, VEHICLE_CREW = (
    UnitKind.SQUAD,
    UnitKind.HALF_SQUAD,
    UnitKind.CREW,
    UnitKind.VEHICLE_CREW,
)


@pytest.fixture
def ladders() -> Ladders:
    return load_card("I").ladders


@pytest.mark.parametrize(
    "unit",
    [
        marine("7-6-8", SQUAD, "engineer"),
        marine("3-4-8", HALF_SQUAD, "engineer"),
        marine("4-5-8"),
        marine("2-4-8", HALF_SQUAD),
        marine("2-2-8", CREW),
        marine("1-2-6", VEHICLE_CREW),
        marine("0-0-9", UnitKind.PATHFINDER),
        leader(Side.MARINE, "6+1"),
        leader(Side.JAPANESE, "8+1"),
        hero(Side.MARINE),
        hero(Side.JAPANESE),
        japanese(ELITE, type_="4-4-8"),
        japanese(FIRST_LINE, type_="3-4-7", reduced=True),
        japanese(SECOND_LINE, type_="3-4-7"),
        japanese(ELITE, SQUAD, "engineer", type_="3-4-8", reduced=True),
        japanese(CONSCRIPT, SQUAD, "korean_laborer", type_="3-3-6"),
        japanese(None, CREW, type_="1-2-8", reduced=True),
        japanese(None, VEHICLE_CREW, type_="1-2-7"),
    ],
)
def test_counters_of_the_game_have_no_problem(ladders: Ladders, unit: Unit) -> None:
    assert ladders.no_such_counter_reason(unit) is None


@pytest.mark.parametrize(
    ("unit", "found", "allowed"),
    [
        (leader(Side.JAPANESE, "8-1"), "there is no Japanese leader 8-1", "8+1, 8-0, 9-0, 9-1"),
        (leader(Side.MARINE, "9-0"), "there is no Marine leader 9-0", "6+1, 7-0, 8-0, 8-1"),
        (marine("4-4-8"), "there is no Marine squad 4-4-8", "7-6-8, 6-6-8, 5-5-8, 4-5-8"),
        (marine("4-4-8", HALF_SQUAD), "Marine half squad 4-4-8", "3-4-8, 2-3-8, 2-4-8"),
        (marine("1-2-7", VEHICLE_CREW), "Marine vehicle crew 1-2-7", "1-2-6"),
        (marine("1-1-1", UnitKind.HERO), "hero 1-1-1", "1-4-9"),
        (marine("0-0-8", UnitKind.PATHFINDER), "Pathfinder 0-0-8", "0-0-9"),
        (japanese(ELITE, type_="4-4-7"), "there is no Japanese elite full squad 4-4-7", "4-4-8"),
        (japanese(None, type_="4-4-7"), "needs a class", "elite, first_line"),
        (japanese(UnitClass.GREEN, type_="4-4-7"), "green", "elite, first_line"),
        (japanese(FIRST_LINE, SQUAD, "engineer", type_="4-4-7"), "engineers", "elite"),
        (japanese(ELITE, HALF_SQUAD, type_="2-3-8", reduced=True), "has no reduced", "full"),
        (japanese(None, VEHICLE_CREW, type_="1-2-7", reduced=True), "has no reduced", "full"),
        (
            japanese(None, SQUAD, "korean_laborer", type_="4-4-8"),
            "no Japanese full laborer squad 4-4-8",
            "3-3-6",
        ),
        (marine("6-6-8", SQUAD, "korean_laborer"), "Korean Laborer", "only a Japanese unit"),
    ],
)
def test_nonexistent_counters_are_reported_with_the_allowed_ones(
    ladders: Ladders, unit: Unit, found: str, allowed: str
) -> None:
    problem = ladders.no_such_counter_reason(unit) or ""
    says, _, may = problem.partition("; enter " if "; enter " in problem else ": ")
    assert found in says
    assert allowed in may


def test_a_marine_squad_is_elite_and_has_no_reduced_side(ladders: Ladders) -> None:
    unit = marine("6-6-8")
    unit.class_ = ELITE
    assert ladders.no_such_counter_reason(unit) is None
    unit.class_ = FIRST_LINE
    assert (
        ladders.no_such_counter_reason(unit)
        == "there is no Marine MMC of class first_line; enter elite"
    )
    unit.class_, unit.strength = None, UnitStrength.REDUCED
    assert (
        ladders.no_such_counter_reason(unit)
        == "there is no Marine squad at reduced strength; enter full"
    )


def test_there_is_no_japanese_pathfinder(ladders: Ladders) -> None:
    unit = marine("0-0-9", UnitKind.PATHFINDER)
    unit.side = Side.JAPANESE
    assert ladders.no_such_counter_reason(unit) == "there is no Japanese Pathfinder; enter marine"
