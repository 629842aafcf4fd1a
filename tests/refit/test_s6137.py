"""15.6137: who possesses which SW and Gun."""

from typing import Any

import pytest

from brt_cg.questions.answers import Raw, RefusedError
from brt_cg.questions.question_types import MultiQuestion
from brt_cg.refit.s613_equipment import ask_transfers
from tests.refit.table import (
    JAPANESE,
    MARINE,
    Result,
    campaign,
    crew,
    gun,
    japanese_squad,
    leader,
    marine_half_squad,
    marine_squad,
    play,
    sw,
    vehicle,
    vehicular,
)

AREAS = {"M1": "N20-N24", "M2": "P22", "J1": "N25-N45"}
ISOLATED: dict[str, Any] = {"isolated": True, "recorded_location": "N30"}


def table() -> tuple[Any, ...]:
    return (
        marine_squad("m1", None, setup_area="M1"),
        marine_squad("m2", None, setup_area="M1"),
        leader("ldr", None, setup_area="M1"),
        marine_squad("bare", None, setup_area="M1", status="unarmed"),
        marine_half_squad("held", None, setup_area="M1", status="prisoner"),
        marine_squad("other", None, setup_area="M2"),
        marine_squad("cut-off", "N30", **ISOLATED),
        sw("mmg", None, setup_area="M1", possessor="m1"),
        sw("bar", "N30", "BAR", possessor="cut-off", **ISOLATED),
        crew("j-crew", None, JAPANESE, setup_area="J1"),
        gun("j-gun", None, setup_area="J1", recorded_location="N40"),
    )


def transfer(*more: Any, marine: Raw = None, japanese: Raw = None) -> Result:
    given = {"marine": marine, "japanese": japanese}
    choices = {side: raw for side, raw in given.items() if raw is not None}
    return play(ask_transfers, campaign(*table(), *more, areas=AREAS), choices=choices)


def test_each_side_is_asked_once_about_all_its_sw_and_guns() -> None:
    result = transfer()
    asks = [one for one in result.asks if isinstance(one, MultiQuestion)]
    assert [(one.side, one.subjects) for one in asks] == [
        (MARINE, ("bar", "mmg")),
        (JAPANESE, ("j-gun",)),
    ]
    assert result.weapon("mmg").possessor == "m1"
    assert result.said == []


@pytest.mark.parametrize("taker", ["m2", "ldr", "m1"])
def test_any_unit_in_the_same_area_may_take_a_weapon(taker: str) -> None:
    result = transfer(marine={"mmg": taker})
    assert result.weapon("mmg").possessor == taker
    assert "MMG mmg (Area M1) is now possessed by" in result.log
    assert "(ruling R-TRANSFER)" in result.log


def test_a_transferred_gun_stays_bound_to_its_location() -> None:
    found = transfer(japanese={"j-gun": "j-crew"}).weapon("j-gun")
    assert (found.possessor, found.recorded_location) == ("j-crew", "N40")


def test_a_weapon_may_be_left_unpossessed() -> None:
    result = transfer(marine={"mmg": None})
    assert result.weapon("mmg").possessor is None
    assert "now possessed by nobody" in result.log


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (
            {"mmg": "other"},
            'mmg: "other" may not take it (R-TRANSFER); enter ldr, m1, m2, or none to leave it',
        ),
        ({"mmg": "cut-off"}, '"cut-off" may not take it'),
        ({"mmg": "bare"}, '"bare" may not take it'),
        ({"mmg": "held"}, '"held" may not take it'),
        ({"mmg": "j-crew"}, '"j-crew" may not take it'),
        ({"mmg": 7}, "7 may not take it"),
        (
            {"bar": "m1"},
            'bar: "m1" may not take it (R-TRANSFER); enter cut-off, or none to leave it',
        ),
        ({"j-gun": "m1"}, "j-gun cannot be named here; enter bar, mmg"),
        ("mmg", "is not an object"),
    ],
)
def test_only_a_unit_in_the_same_area_may_take_a_weapon(answer: Raw, words: str) -> None:
    with pytest.raises(RefusedError) as caught:
        transfer(marine=answer)
    assert words in str(caught.value)


def test_all_problems_of_a_transfer_are_reported_together() -> None:
    with pytest.raises(RefusedError) as caught:
        transfer(marine={"mmg": "other", "bar": "m1"})
    assert len(str(caught.value).splitlines()) == 2


def test_a_vehicles_weapon_is_not_transferred() -> None:
    tank = vehicle("t1", None, setup_area="M1")
    ask = transfer(tank, vehicular("ma", None, "t1", setup_area="M1")).ask("marine")
    assert isinstance(ask, MultiQuestion)
    assert "ma" not in ask.subjects


def test_a_weapon_nobody_can_take_is_not_asked_about() -> None:
    made = campaign(sw("w1", None, setup_area="M2"), areas=AREAS)
    assert play(ask_transfers, made).asks == []


def test_a_side_with_a_hidden_weapon_answers_in_secret() -> None:
    hidden = japanese_squad("j1", None, setup_area="J1", status="hidden")
    lmg = sw("lmg", None, "LMG", JAPANESE, setup_area="J1", possessor="j1")
    assert transfer(hidden, lmg).ask("japanese").secret is JAPANESE
    assert transfer().ask("japanese").secret is None


def test_weapons_are_not_transferred_off_map() -> None:
    taker = marine_squad("m8", "off_map"), sw("w1", "off_map", possessor="m8")
    ask = transfer(*taker).ask("marine")
    assert isinstance(ask, MultiQuestion)
    assert "w1" not in ask.subjects
