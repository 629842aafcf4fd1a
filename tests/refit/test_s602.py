"""15.602: hidden counters go on map or are bound to their Location; the scenario's markers go."""

from typing import Any

import pytest

from brt_cg.model.counters import UNIT_STATUS, VEHICLE_STATUS
from brt_cg.questions.answers import RefusedError
from brt_cg.questions.question_types import ChoiceQuestion
from brt_cg.refit.s602_markers import place_hidden_and_remove_markers
from tests.refit.table import (
    JAPANESE,
    Result,
    campaign,
    fort,
    gun,
    japanese_squad,
    leader,
    marine_squad,
    play,
    sw,
    vehicle,
)


def markers(*counters: Any, **choices: str) -> Result:
    named = {key.replace("_", "-"): answer for key, answer in choices.items()}
    return play(place_hidden_and_remove_markers, campaign(*counters), choices=named)


GO = ("berserk", "concealed", "cx", "dm", "fanatic", "pinned", "ti", "wall_advantage")
VEHICLE_GO = ("crew_exposed", "motion")
HIDING = ("hidden", "cloaked")


@pytest.mark.parametrize("status", GO)
def test_temporary_markers_are_removed(status: str) -> None:
    result = markers(marine_squad("m1", "N21", status=status))
    assert result.unit("m1").status == ()
    assert "(ruling R-MARKERS)" in result.log


@pytest.mark.parametrize("status", [one for one in UNIT_STATUS if one not in (*GO, *HIDING)])
def test_other_markers_stay(status: str) -> None:
    result = markers(marine_squad("m1", "N21", status=status))
    assert (result.unit("m1").status, result.said) == ((status,), [])


@pytest.mark.parametrize("status", VEHICLE_GO)
def test_motion_and_ce_are_removed(status: str) -> None:
    assert markers(vehicle("t1", "N21", status=status)).vehicle("t1").status == ()


@pytest.mark.parametrize(
    "status", [one for one in VEHICLE_STATUS if one not in (*VEHICLE_GO, "hidden")]
)
def test_a_vehicle_keeps_its_other_markers_and_hull_down_while_on_map(status: str) -> None:
    assert markers(vehicle("t1", "N21", status=status)).vehicle("t1").status == (status,)


def test_a_weapon_keeps_its_malfunction() -> None:
    result = markers(sw("w1", "N21", status="malfunctioned"))
    assert result.weapon("w1").status == ("malfunctioned",)


def test_markers_are_removed_off_map_too() -> None:
    assert markers(marine_squad("m1", "off_map", status="ti")).unit("m1").status == ()


def test_several_markers_are_removed_and_the_rest_stay() -> None:
    squad = marine_squad("m1", "N21", status="pinned cx encircled broken dm")
    result = markers(squad)
    assert result.unit("m1").status == ("broken", "encircled")
    assert result.said == [
        "7-6-8 squad m1 (N21) loses its CX and DM and pin markers (ruling R-MARKERS)"
    ]


@pytest.mark.parametrize("status", HIDING)
def test_a_hidden_marine_goes_on_map_without_a_question(status: str) -> None:
    result = markers(marine_squad("m1", "N21", status=status))
    assert (result.asks, result.unit("m1").status) == ([], ())
    assert result.said == ["7-6-8 squad m1 (N21) is placed on map"]


@pytest.mark.parametrize("status", HIDING)
def test_hidden_japanese_stay_hidden_by_default(status: str) -> None:
    result = markers(japanese_squad("j1", "N21", status=status))
    squad = result.unit("j1")
    assert squad.status == (status,)
    assert squad.recorded_location == "N21"
    assert result.secrets == [JAPANESE]


def test_the_decision_to_stay_hidden_is_secret() -> None:
    ask = markers(japanese_squad("j1", "N21", status="hidden")).ask("j1")
    assert (ask.side, ask.secret) == (JAPANESE, JAPANESE)
    assert isinstance(ask, ChoiceQuestion)
    assert (ask.allowed, ask.default) == (["reveal", "stay_hidden"], "stay_hidden")


def test_the_japanese_may_put_a_hidden_counter_on_map() -> None:
    result = markers(japanese_squad("j1", "N21", status="hidden", unseen=True), j1="reveal")
    squad = result.unit("j1")
    assert (squad.status, squad.recorded_location, squad.unseen) == ((), None, False)
    assert result.secrets == [None]


def test_a_hidden_gun_tank_and_pillbox_are_asked_about_too() -> None:
    counters = (
        gun("g1", "N21", status="hidden"),
        vehicle("t1", "N22", "Type 95 HA-GO", JAPANESE, status="hidden"),
        fort("F7", "N23", hidden=True),
    )
    result = markers(*counters, F7="reveal", t1="reveal")
    assert result.subjects == ["g1", "t1", "F7"]
    assert result.weapon("g1").status == ("hidden",)
    assert result.weapon("g1").recorded_location == "N21"
    assert result.vehicle("t1").status == ()
    assert result.campaign.fortifications["F7"].hidden is False


def test_a_fortification_may_stay_hidden() -> None:
    result = markers(fort("F7", "N23", hidden=True))
    assert result.campaign.fortifications["F7"].hidden is True


def test_hidden_off_map_needs_no_question() -> None:
    assert markers(japanese_squad("j1", "off_map", status="hidden")).asks == []


def test_counters_out_of_play_are_left_alone() -> None:
    dead = japanese_squad("j1", "N21", status="hidden pinned", fate="eliminated")
    assert markers(dead).asks == []


def test_marines_come_first_then_the_japanese_by_hex() -> None:
    counters = (
        japanese_squad("j1", "N9", status="hidden"),
        japanese_squad("j2", "A10", status="hidden"),
        marine_squad("m1", "T20", status="hidden"),
    )
    result = markers(*counters)
    assert result.subjects == ["j2", "j1"]
    assert result.said[0] == "7-6-8 squad m1 (T20) is placed on map"


def test_a_unit_that_stays_hidden_loses_its_other_markers() -> None:
    result = markers(leader("l1", "N21", "9-0", JAPANESE, status="hidden ti"))
    assert result.unit("l1").status == ("hidden",)


def test_another_answer_is_refused() -> None:
    with pytest.raises(RefusedError, match="enter reveal, stay_hidden"):
        markers(japanese_squad("j1", "N21", status="hidden"), j1="maybe")
