"""15.603: everyone rallies and unloads; the scenario is decided."""

from typing import Any

import pytest

from brt_cg.model.records import LossKind
from brt_cg.model.visibility import visible_campaign
from brt_cg.questions.answers import RefusedError
from brt_cg.refit.casualties import Loss, enter_loss
from brt_cg.refit.s603_rally_and_victory import rally_and_unload, settle_control_cvp_and_winner
from tests.refit.table import (
    JAPANESE,
    MARINE,
    Result,
    campaign,
    japanese_squad,
    leader,
    marine_squad,
    play,
    sw,
    vehicle,
)

# --- 15.6031 ----------------------------------------------------------------------------------


def rally(*counters: Any, **rulings: str) -> Result:
    ruled = {key.replace("_", "-"): value for key, value in rulings.items()}
    return play(rally_and_unload, campaign(*counters, rulings=ruled))


@pytest.mark.parametrize("status", ["broken", "disrupted", "broken disrupted", "broken dm"])
def test_broken_and_disrupted_units_rally_without_a_dr(status: str) -> None:
    for unit in (japanese_squad("u", "N21", status=status), leader("u", "N21", status=status)):
        result = rally(unit)
        assert result.unit("u").status == ()
        assert result.asks == []
        assert result.said[0].endswith(" rallies")


def test_wounds_and_encirclement_stay() -> None:
    result = rally(leader("l1", "N21", status="broken wounded encircled"))
    assert result.unit("l1").status == ("encircled", "wounded")


def test_units_off_map_rally_too() -> None:
    assert rally(marine_squad("m1", "off_map", status="broken")).unit("m1").status == ()


def test_an_unbroken_unit_is_not_mentioned() -> None:
    assert rally(marine_squad("m1", "N21", status="wounded")).said == []


def riders(location: str) -> tuple[Any, ...]:
    return (
        vehicle("v1", location, "LVT2", amphibious=True),
        marine_squad("m1", location, aboard="v1"),
        sw("w1", location, possessor="m1"),
    )


def test_passengers_unload_on_land() -> None:
    result = rally(*riders("N19"))
    assert (result.unit("m1").aboard, result.unit("m1").location) == (None, "N19")
    assert "unloads from LVT2 v1" in result.log


def test_riders_unload_in_the_vehicles_location() -> None:
    tank, squad, gun = riders("N19")
    squad.location = gun.location = "N20"
    result = rally(tank, squad, gun)
    assert {result.unit("m1").location, result.weapon("w1").location} == {"N19"}


def test_passengers_stay_aboard_in_an_ocean_location() -> None:
    result = rally(*riders("T26"))
    assert result.unit("m1").aboard == "v1"
    assert "(ruling R-UNLOAD)" in result.log


def test_passengers_unload_in_an_ocean_location_if_so_ruled() -> None:
    result = rally(*riders("T26"), R_UNLOAD="unload")
    assert (result.unit("m1").aboard, result.unit("m1").location) == (None, "T26")
    assert "(ruling R-UNLOAD)" in result.log


def test_the_pier_is_no_ocean_location() -> None:
    assert rally(*riders("Z33:pier")).unit("m1").aboard is None


def test_a_unit_unloading_from_a_hidden_vehicle_is_hidden() -> None:
    tank, rider = vehicle("v1", "N19", status="hidden"), marine_squad("m1", "N19", aboard="v1")
    assert rally(tank, rider).unit("m1").has_status("hidden")


def test_passengers_of_a_vehicle_off_map_unload_off_map() -> None:
    result = rally(*riders("off_map"))
    assert (result.unit("m1").aboard, result.unit("m1").location) == (None, "off_map")


# --- 15.6032 ----------------------------------------------------------------------------------


def victory(*counters: Any, choices: Any = None, **facts: Any) -> Result:
    return play(settle_control_cvp_and_winner, campaign(*counters, **facts), choices=choices)


def test_corrections_are_asked_before_the_winner() -> None:
    assert victory().subjects == ["cvp", "winner"]


@pytest.mark.parametrize(
    ("marine", "japanese", "pillboxes", "winner"),
    [
        (10, 9, 0, MARINE),
        (10, 10, 0, JAPANESE),
        (10, 10, 1, MARINE),
        (8, 10, 2, JAPANESE),
        (8, 10, 3, MARINE),
    ],
)
def test_the_marines_need_more_victory_points(
    marine: int, japanese: int, pillboxes: int, winner: str
) -> None:
    result = victory(marine={"cvp": marine}, japanese={"cvp": japanese}, pillbox_vp=pillboxes)
    assert result.campaign.situation.winner is winner
    assert f"({marine} CVP and {pillboxes} for pillboxes)" in result.log


@pytest.mark.parametrize(("ruling", "winner"), [("scenario", JAPANESE), ("campaign", MARINE)])
def test_points_count_since_the_scenario_or_the_campaign_began(ruling: str, winner: str) -> None:
    totals = {"marine": {"cvp": 50, "cvp_before": 45}, "japanese": {"cvp": 20, "cvp_before": 5}}
    result = victory(**totals, rulings={"R-VP": ruling})
    assert result.campaign.situation.winner is winner
    assert "(ruling R-VP)" in result.log


def test_a_reported_winner_is_checked_against_the_count() -> None:
    result = victory(marine={"cvp": 10}, said_winner=JAPANESE)
    assert result.ask("winner").prompt.startswith("The count is 10 to 0 for the Marines")
    assert result.campaign.situation.winner is MARINE
    assert (
        "warning: the report says that the Japanese won, but the count is 10 to 0 for the Marines"
    ) in result.said


def test_a_scenario_without_points_is_reported_as_a_japanese_win() -> None:
    result = victory()
    assert result.campaign.situation.winner is JAPANESE
    won = "the Japanese won the 20 AM scenario, 0 to 0; at a tie the Japanese win (15.615)"
    assert won in result.said


def test_the_players_overrule_the_count_with_a_reason_and_a_warning() -> None:
    choices = {"winner": "japanese", "overruling": "the last Melee was never fought"}
    result = victory(marine={"cvp": 10}, choices=choices)
    assert result.campaign.situation.winner is JAPANESE
    assert result.campaign.situation.overruled == "the last Melee was never fought"
    assert result.said[-1] == (
        "warning: the Japanese won the 20 AM scenario, although the count is 10 to 0 for the "
        "Marines: the last Melee was never fought"
    )


def test_the_count_cannot_be_overruled_without_a_reason() -> None:
    result = victory(marine={"cvp": 10}, choices={"winner": "japanese"})
    assert (result.campaign.situation.winner, result.campaign.situation.overruled) == (MARINE, None)


def held() -> tuple[Any, Any]:
    """A Japanese squad that a Marine one guards."""
    guard = marine_squad("m", "N19")
    return guard, japanese_squad("j", "N19", status="prisoner", guard="m")


def test_a_prisoner_counts_once_at_scenario_end_and_is_named_with_his_points() -> None:
    result = victory(*held())
    assert result.cvp(MARINE) == 2
    assert result.campaign.situation.winner is MARINE
    line = next(text for text in result.said if "the prisoners that the Marines hold" in text)
    words = "for the prisoners that the Marines hold: 2 for 4-4-7 squad j"
    assert line == f"Marine CVP +2, now 2, {words}"
    again = play(settle_control_cvp_and_winner, result.campaign)
    assert again.cvp(MARINE) == 2


def test_by_r_capture_vp_none_prisoners_are_named_and_not_counted() -> None:
    result = victory(*held(), rulings={"R-CAPTURE-VP": "none"})
    assert result.cvp(MARINE) == 0
    assert "do not count for the scenario: 4-4-7 squad j (2 CVP)" in result.log


def test_hidden_losses_count_openly_when_the_scenario_is_decided() -> None:
    made = campaign(japanese_squad("j", "N19", status="hidden", fate="eliminated"))
    loss = Loss(
        side=MARINE,
        points=2,
        how=LossKind.ELIMINATED,
        rule="import",
        counter=made.units["j"],
        secret=JAPANESE,
    )
    enter_loss(made, loss, made.situation.ended)
    assert (
        visible_campaign(made, MARINE).cvp(MARINE),
        visible_campaign(made, JAPANESE).cvp(MARINE),
    ) == (0, 2)
    result = play(settle_control_cvp_and_winner, made)
    seen = visible_campaign(result.campaign, MARINE)
    assert seen.cvp(MARINE) == 2
    assert [(row.counter, row.points) for row in seen.casualties.values()] == [(None, 2)]


def test_a_correction_needs_a_reason_and_is_logged() -> None:
    correction = {"cvp": -3, "reason": "a tank was counted twice"}
    result = victory(marine={"cvp": 10}, choices={"cvp": {"marine": correction}})
    assert result.cvp(MARINE) == 7
    assert "Marine CVP −3, now 7: a tank was counted twice" in result.said


@pytest.mark.parametrize(("side", "points", "total"), [("marine", -10, 0), ("japanese", 999, 999)])
def test_a_correction_goes_down_to_zero_and_up_by_999(side: str, points: int, total: int) -> None:
    correction = {side: {"cvp": points, "reason": "counted anew"}}
    result = victory(marine={"cvp": 10}, choices={"cvp": correction})
    assert result.campaign.cvp(side) == total


def test_no_correction_makes_marine_points_negative() -> None:
    below = {"R-PRISONER-CVP": "subtract_below"}
    correction = {"cvp": -1, "reason": "x"}
    assert victory(rulings=below, choices={"cvp": {"japanese": correction}}).cvp(JAPANESE) == -1
    with pytest.raises(RefusedError):
        victory(rulings=below, choices={"cvp": {"marine": correction}})


def test_a_correction_counts_for_the_victory() -> None:
    totals = {"marine": {"cvp": 10}, "japanese": {"cvp": 9}}
    correction = {"cvp": 1, "reason": "a leader forgotten"}
    result = victory(**totals, choices={"cvp": {"japanese": correction}})
    assert result.campaign.situation.winner is JAPANESE


@pytest.mark.parametrize(
    "correction",
    [
        3,
        {"cvp": 3},
        {"cvp": 3, "reason": " "},
        {"cvp": "3", "reason": "x"},
        {"cvp": True, "reason": "x"},
        {"cvp": -11, "reason": "x"},
        {"cvp": 1000, "reason": "x"},
        {"cvp": 1, "reason": "x", "side": "marine"},
    ],
)
def test_an_incomplete_correction_is_refused(correction: Any) -> None:
    with pytest.raises(RefusedError):
        victory(marine={"cvp": 10}, choices={"cvp": {"marine": correction}})


def test_only_a_side_can_win() -> None:
    with pytest.raises(RefusedError, match="enter marine, japanese"):
        victory(choices={"winner": "nobody"})


def test_a_player_with_nothing_to_correct_answers_no() -> None:
    ask = victory().ask("cvp")
    assert ask.parse("no") == ask.parse("none") == {}


def test_a_correction_too_long_for_a_number_is_refused() -> None:
    with pytest.raises(RefusedError, match="write the points and why"):
        victory().ask("cvp").parse(f"marine +{'9' * 5000} counted anew")
