"""15.615: who has won a scenario and the campaign; the victory at once of CG I."""

from typing import Any

import pytest

from brt_cg.card import load_card
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Fate
from brt_cg.model.records import Area, Purchase
from brt_cg.refit.s603_rally_and_victory import rally_and_unload, settle_control_cvp_and_winner
from brt_cg.refit.s604_encirclement import check_encircled_units, roll_for_shocked_vehicles
from brt_cg.refit.s605_wading import roll_for_wading_survival
from brt_cg.refit.s608_retained import reveal_fortifications_and_set_control
from brt_cg.refit.s609_prisoners import resolve_prisoners_and_unarmed_units
from brt_cg.refit.s6139_removal import attempt_removals
from brt_cg.refit.victory import (
    distance_to_immediate_victory,
    newly_fallen_pillboxes,
    pillbox_points,
    victory_points,
    vp_of_fallen_pillboxes,
)
from tests.refit.table import (
    JAPANESE,
    MARINE,
    Result,
    campaign,
    fort,
    japanese_half_squad,
    japanese_squad,
    leader,
    marine_squad,
    play,
    vehicle,
)

LAST = "22 PM"


def at_the_end(
    *counters: Any, marine: int, japanese: int, choices: Any = None, **facts: Any
) -> Result:
    """15.609 on the last date."""
    rulings = {"R-CG-END": "close", **facts.pop("rulings", {})}
    points = {"marine": {"cvp": marine}, "japanese": {"cvp": japanese}}
    made = campaign(*counters, **points, date=LAST, rulings=rulings, **facts)
    return play(resolve_prisoners_and_unarmed_units, made, choices=choices)


# --- the campaign ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marine", "japanese", "victor"), [(41, 40, MARINE), (40, 40, JAPANESE), (39, 40, JAPANESE)]
)
def test_the_marines_win_the_campaign_with_more_vp_than_the_japanese(
    marine: int, japanese: int, victor: str
) -> None:
    result = at_the_end(marine=marine, japanese=japanese)
    assert result.campaign.situation.phase == "over"
    assert result.campaign.situation.victor is victor
    assert result.said[-1] == f"the {victor.plural} have won the campaign"


def test_the_sum_is_shown_line_by_line_for_the_players_to_confirm() -> None:
    taken = fort("F7", "N21", "pillbox_1_3_5", capacity=2, controller=MARINE)
    result = at_the_end(taken, marine=40, japanese=41, choices={"victor": "japanese"})
    told = "Marine 42 (40 CVP and 2 for pillboxes), Japanese 41"
    assert f"Victory Points of the campaign: {told} (ruling R-CG-VICTORY)" in result.said
    assert result.ask("victor").public
    assert result.campaign.situation.victor is JAPANESE


def test_prisoners_still_held_count_double_before_the_sum_is_made() -> None:
    held = japanese_half_squad("j", "N19", status="prisoner", guard="m")
    guard = marine_squad("m", "N19", isolated=True, recorded_location="N19")
    result = at_the_end(held, guard, marine=39, japanese=40, choices={"victor": "marine"})
    assert result.cvp(MARINE) == 41


def test_by_ruling_enter_the_players_enter_the_winner() -> None:
    ruled = {"R-CG-VICTORY": "enter"}
    result = at_the_end(marine=9, japanese=1, rulings=ruled, choices={"victor": "japanese"})
    assert result.ask("victor").prompt == "Who has won the campaign (R-CG-VICTORY)?"
    assert result.campaign.situation.victor is JAPANESE


def test_an_immediate_winner_stays_the_winner() -> None:
    result = at_the_end(marine=1, japanese=9, victor=MARINE)
    assert result.subjects == []
    assert result.campaign.situation.victor is MARINE


# --- pillboxes ------------------------------------------------------------------------------------


def box(**values: Any) -> Any:
    place = values.pop("location", "N21")
    return fort("F7", place, "pillbox_1_3_5", **{"capacity": 2, **values})


INSIDE = "N21:F7"
PERIMETER = (("N20", "N21"),)


@pytest.mark.parametrize(
    ("pillbox", "others", "falls"),
    [
        (box(), [], False),
        (box(fate=Fate.ELIMINATED), [], True),
        (box(), [marine_squad("m", INSIDE)], True),
        (box(), [marine_squad("m", INSIDE), japanese_squad("j", INSIDE)], False),
        (box(), [marine_squad("m", INSIDE), japanese_squad("j", INSIDE, status="hidden")], True),
        (box(), [marine_squad("m", INSIDE, status="prisoner", guard="x")], False),
        (box(hidden=True), [], False),
        (box(location="off_map"), [], False),
        (box(controller=MARINE), [marine_squad("m", INSIDE)], False),
        (fort("F7", "N21", "wire", fate=Fate.ELIMINATED), [], False),
        (box(side=MARINE, fate=Fate.ELIMINATED), [], False),
    ],
)
def test_a_pillbox_falls_when_it_is_eliminated_or_captured(
    pillbox: Any, others: list[Any], falls: bool
) -> None:
    made = campaign(pillbox.clone(), *(one.clone() for one in others))
    assert [one.id for one in newly_fallen_pillboxes(made)] == (["F7"] if falls else [])


def test_a_pillbox_in_a_marine_perimeter_is_captured_unless_japanese_are_inside() -> None:
    assert newly_fallen_pillboxes(campaign(box(), perimeters=PERIMETER))
    assert not newly_fallen_pillboxes(campaign(box(hidden=True), perimeters=PERIMETER))
    assert not newly_fallen_pillboxes(campaign(box(unseen=True), perimeters=PERIMETER))
    manned = campaign(box(), japanese_squad("j", INSIDE), perimeters=PERIMETER)
    assert not newly_fallen_pillboxes(manned)


@pytest.mark.parametrize(
    ("others", "falls"),
    [
        ([marine_squad("m", "N21")], True),
        ([marine_squad("m", "N21"), japanese_squad("j", INSIDE, status="hidden")], True),
        ([marine_squad("m", "N21"), japanese_squad("j", INSIDE)], False),
        ([marine_squad("m", "N21"), japanese_squad("j", "N21")], False),
        ([marine_squad("m", "N21", status="prisoner", guard="x")], False),
        ([marine_squad("m", "N20")], False),
    ],
)
def test_by_r_empty_pillbox_scenario_marines_in_its_hex_capture_it_immediately(
    others: list[Any], falls: bool
) -> None:
    counters = [box(), *(one.clone() for one in others)]
    assert newly_fallen_pillboxes(campaign(*counters)) == []
    made = campaign(*counters, rulings={"R-EMPTY-PILLBOX": "scenario"})
    assert [one.id for one in newly_fallen_pillboxes(made)] == (["F7"] if falls else [])


def test_a_pillbox_captured_by_ruling_counts_for_the_scenario_and_names_the_ruling() -> None:
    ruled = {"R-EMPTY-PILLBOX": "scenario"}
    result = settled(box(), marine_squad("m", "N21"), rulings=ruled)
    assert (
        "pillbox 1+3+5 F7 (N21) is captured by the Marines, worth 2 VP for its capacity (15.615) "
        "(ruling R-EMPTY-PILLBOX)"
    ) in result.said
    assert result.campaign.situation.pillbox_vp == 2
    inside = settled(box(), marine_squad("m", INSIDE), rulings=ruled)
    assert "R-EMPTY-PILLBOX" not in inside.log


def test_by_default_isolated_marines_capture_an_empty_pillbox_for_the_campaign() -> None:
    outside = marine_squad("m", "N21", isolated=True, recorded_location="N21")
    made = settled(box(), outside).campaign
    assert made.situation.pillbox_vp == 0
    made.add(Area(id="J1", side=JAPANESE, hexes=("N21",)))
    result = play(reveal_fortifications_and_set_control, made)
    assert (
        "pillbox 1+3+5 F7 (N21) is captured by the Marines, worth 2 VP for its capacity (15.615) "
        "(ruling R-EMPTY-PILLBOX)"
    ) in result.said
    assert (made.situation.pillbox_vp, vp_of_fallen_pillboxes(made)) == (0, 2)


def test_a_pillbox_with_a_voided_purchase_does_not_count() -> None:
    what = {"date": "20 AM", "side": JAPANESE, "points": "capp", "item": "pillbox_1_3_5"}
    bought = Purchase(id="p1", **what, quantity=1, unit_cost=3, total=3)
    made = campaign(box(purchase="p1", fate=Fate.ELIMINATED), bought)
    assert newly_fallen_pillboxes(made)
    made.add(Purchase(id="p2", **what, quantity=-1, unit_cost=3, total=-3, voids="p1"))
    assert not newly_fallen_pillboxes(made)


def settled(*counters: Any, choices: Any = None, **facts: Any) -> Result:
    made = campaign(*counters, marine={"cvp": 4}, japanese={"cvp": 5}, **facts)
    return play(settle_control_cvp_and_winner, made, choices=choices)


def test_a_lost_pillboxs_capacity_counts_for_the_marines_in_the_scenario() -> None:
    result = settled(box(fate=Fate.ELIMINATED))
    assert (
        "Victory Points (15.615): Marine 6 (4 CVP and 2 for pillboxes), Japanese 5 (ruling R-VP"
        in (result.log)
    )
    assert result.campaign.situation.winner is MARINE


def test_a_lost_pillbox_counts_once() -> None:
    first = settled(box(fate=Fate.ELIMINATED)).campaign
    assert newly_fallen_pillboxes(first) == []
    assert vp_of_fallen_pillboxes(first) == 2
    assert victory_points(first, whole=True)[MARINE].total == 6


def retaken(made: Campaign) -> Campaign:
    """The Japanese have a pillbox again, which stands in their area, for the next scenario."""
    made.fortifications["F7"].fate = Fate.IN_PLAY
    made.situation.date, made.situation.pillbox_vp = "20 PM", 0
    made.situation.perimeters = ()
    made.add(Area(id="J1", side=JAPANESE, hexes=("N21",)))
    play(reveal_fortifications_and_set_control, made)
    assert made.fortifications["F7"].controller is JAPANESE
    return made


def test_a_pillbox_lost_retaken_and_lost_again_scores_once() -> None:
    made = retaken(settled(box(), perimeters=PERIMETER).campaign)
    assert victory_points(made, whole=True)[MARINE].total == 4 + 2
    made.fortifications["F7"].fate = Fate.ELIMINATED
    again = play(settle_control_cvp_and_winner, made)
    assert made.situation.pillbox_vp == 0
    assert "F7" not in again.log
    assert made.fortifications["F7"].fell == "20 AM"
    assert victory_points(made, whole=False)[MARINE].total == 4
    assert victory_points(made, whole=True)[MARINE].total == 4 + 2


def test_a_pillbox_retaken_without_a_fight_scores_once() -> None:
    made = retaken(settled(box(), perimeters=PERIMETER).campaign)
    made.areas["J1"].side = MARINE
    result = play(reveal_fortifications_and_set_control, made)
    assert "Marine-Controlled" in result.log
    assert "captured" not in result.log
    assert made.fortifications["F7"].fell == "20 AM"


def test_a_retaken_pillbox_stays_counted_in_the_campaign() -> None:
    made = retaken(settled(box(), perimeters=PERIMETER).campaign)
    made.situation.date = LAST
    assert (
        play(resolve_prisoners_and_unarmed_units, made).log.count("6 (4 CVP and 2 for pillboxes)")
        == 1
    )


def test_a_counted_pillbox_stays_in_the_sum_when_the_japanese_remove_it() -> None:
    made = retaken(settled(box(), perimeters=PERIMETER).campaign)
    play(attempt_removals, made, {"F7": [1]}, {"japanese": {"F7": {"helpers": []}}})
    assert not made.fortifications["F7"].in_play
    assert vp_of_fallen_pillboxes(made) == 2


def test_an_empty_pillbox_in_a_new_perimeter_counts_for_the_campaign() -> None:
    made = campaign(box(hidden=True, controller=JAPANESE), areas={"M1": "N20-N22"})
    result = play(reveal_fortifications_and_set_control, made)
    assert "captured by the Marines, worth 2 VP for its capacity (15.615)" in result.log
    assert (made.fortifications["F7"].fell, vp_of_fallen_pillboxes(made)) == (
        made.situation.date,
        2,
    )
    assert newly_fallen_pillboxes(made) == []


def test_pillboxes_held_under_earlier_rules_stay_counted() -> None:
    held = campaign(box(controller=MARINE))
    assert (newly_fallen_pillboxes(held), vp_of_fallen_pillboxes(held)) == ([], 2)


@pytest.mark.parametrize(("answer", "points"), [("entered", 3), ("counted", 2)])
def test_a_different_number_of_pillboxes_in_the_state_is_asked_about(
    answer: str, points: int
) -> None:
    lost = box(fate=Fate.ELIMINATED)
    result = settled(lost, pillbox_vp=3, choices={"pillboxes": answer})
    assert "(pillbox 1+3+5 F7 (N21) 2)" in result.ask("pillboxes").prompt
    assert result.campaign.situation.pillbox_vp == points


def test_by_r_vp_campaign_the_pillboxes_of_earlier_scenarios_count_too() -> None:
    earlier = fort("F8", "N22", "pillbox_1_3_5", capacity=3, fell="20 AM", controller=JAPANESE)
    ruled = {"R-VP": "campaign"}
    result = settled(box(fate=Fate.ELIMINATED), earlier, rulings=ruled, pillbox_vp=5)
    assert "Marine 9 (4 CVP and 5 for pillboxes)" in result.log
    assert result.subjects == ["cvp", "winner"]


def test_a_campaign_counts_the_states_pillboxes_where_those_are_more() -> None:
    made = campaign(box(fate=Fate.ELIMINATED, fell="20 AM"), pillbox_vp=3)
    assert victory_points(made, whole=True)[MARINE].total == 3


def test_a_matching_number_of_pillboxes_is_not_asked_about() -> None:
    assert settled(box(fate=Fate.ELIMINATED), pillbox_vp=2).subjects == ["cvp", "winner"]


def test_a_pillbox_removed_by_the_japanese_never_falls() -> None:
    made = campaign(box(controller=JAPANESE), areas={"J1": "N20-N30"})
    play(attempt_removals, made, {"F7": [1]}, {"japanese": {"F7": {"helpers": []}}})
    assert not made.fortifications["F7"].in_play
    assert sum(map(pillbox_points, newly_fallen_pillboxes(made))) == 0


def test_a_pillbox_removed_by_the_japanese_is_not_reported_as_eliminated() -> None:
    made = campaign(box(controller=JAPANESE), areas={"J1": "N20-N30"})
    play(attempt_removals, made, {"F7": [1]}, {"japanese": {"F7": {"helpers": []}}})
    result = play(settle_control_cvp_and_winner, made)
    assert "F7" not in result.log
    assert made.fortifications["F7"].fell is None


# --- what was settled stands ----------------------------------------------------------------------


def begun(*counters: Any, **facts: Any) -> Campaign:
    """A campaign of the present rules, which adds up what is settled."""
    return campaign(*counters, **{"pillbox_vp_so_far": 0, "japanese": {"cvp": 2}, **facts})


def ended(made: Campaign, date: str, pillbox_vp: int = 0, answer: str | None = None) -> Result:
    """A scenario ends: its VP for pillboxes are settled."""
    made.situation.date, made.situation.pillbox_vp = date, pillbox_vp
    return play(
        settle_control_cvp_and_winner, made, choices={"pillboxes": answer} if answer else None
    )


def test_points_settled_for_a_date_are_in_the_campaign_sum() -> None:
    made = begun(fort("F7", "N21", "pillbox_1_3_5", capacity=3, fate=Fate.ELIMINATED))
    told = ended(made, LAST, 1, "entered").log
    assert "Victory Points (15.615): Marine 1 (0 CVP and 1 for pillboxes), Japanese 2" in told
    assert victory_points(made, whole=True)[MARINE].total == 1
    assert play(resolve_prisoners_and_unarmed_units, made).campaign.situation.victor is JAPANESE


def test_points_entered_for_pillboxes_without_counters_keep_counting() -> None:
    made = begun()
    ended(made, "22 AM", 9, "entered")
    assert victory_points(made, whole=False)[MARINE].total == 9
    ended(made, LAST)
    assert victory_points(made, whole=False)[MARINE].total == 0
    assert victory_points(made, whole=True)[MARINE].total == 9
    assert play(resolve_prisoners_and_unarmed_units, made).campaign.situation.victor is MARINE


def test_the_total_is_the_sum_of_the_settled_dates() -> None:
    made = begun(box(fate=Fate.ELIMINATED))
    ended(made, "21 PM", 5, "entered")
    made.add(fort("F8", "N22", "pillbox_1_3_5", capacity=3, fate=Fate.ELIMINATED))
    ended(made, "22 AM")
    made.add(fort("F9", "N23", "pillbox_1_3_5", capacity=1, hidden=True, controller=JAPANESE))
    made.add(Area(id="M1", side=MARINE, hexes=("N23",)))
    play(reveal_fortifications_and_set_control, made)
    assert victory_points(made, whole=True)[MARINE].total == 5 + 3 + 1


def test_by_r_vp_campaign_the_settled_points_are_the_total() -> None:
    made = begun(box(fate=Fate.ELIMINATED), rulings={"R-VP": "campaign"})
    ended(made, "21 PM", 5, "entered")
    made.add(fort("F8", "N22", "pillbox_1_3_5", capacity=3, fate=Fate.ELIMINATED))
    assert ended(made, "22 AM", 5).subjects == ["cvp", "winner"]
    assert made.situation.pillbox_vp == 8
    ended(made, LAST, 7, "entered")
    assert victory_points(made, whole=True)[MARINE].total == 7


@pytest.mark.parametrize("controller", [None, MARINE, JAPANESE])
def test_control_entered_at_the_first_date_changes_no_points(controller: Any) -> None:
    made = begun(box(controller=controller), marine_squad("m", INSIDE))
    assert "captured by the Marines, worth 2 VP" in ended(made, "20 AM").log
    assert victory_points(made, whole=False)[MARINE].total == 2
    assert victory_points(made, whole=True)[MARINE].total == 2


@pytest.mark.parametrize("controller", [None, MARINE])
def test_the_entered_controller_does_not_change_the_points_of_a_captured_pillbox(
    controller: Any,
) -> None:
    made = begun(box(controller=controller), areas={"M1": "N21"})
    ended(made, "20 AM")
    assert play(reveal_fortifications_and_set_control, made).log.count("2 VP for its capacity") == 1
    assert victory_points(made, whole=True)[MARINE].total == 2


# --- CG I -----------------------------------------------------------------------------------------


def leaving(*counters: Any, cvp: int = 204, when: str = "always") -> Result:
    """15.6031 of CG I."""
    made = campaign(*counters, cg="I", japanese={"cvp": cvp}, rulings={"R-CG1-WHEN": when})
    return play(rally_and_unload, made)


def test_cg_i_is_won_by_the_scenarios_final_map_before_any_rally() -> None:
    broken = japanese_squad("j", "N21", status="broken")
    assert leaving(broken.clone()).campaign.situation.victor is MARINE
    assert leaving(broken.clone(), when="scenario_end").campaign.situation.victor is None


@pytest.mark.parametrize(
    ("counters", "cvp", "won"),
    [
        ([], 204, True),
        ([], 205, False),
        ([japanese_squad("j", "N21")], 0, False),
        ([japanese_squad("j", "N21", traits="korean_laborer")], 0, False),
        ([japanese_squad("j", "N21", status="disrupted")], 0, True),
        ([japanese_squad("j", "N21", status="prisoner", guard="m")], 0, True),
        ([japanese_squad("j", "off_map")], 0, True),
        ([japanese_squad("j", "N21", fate=Fate.ELIMINATED)], 0, True),
        ([japanese_half_squad("j", "N21"), leader("l", "N21", side=JAPANESE)], 0, True),
    ],
)
def test_no_unbroken_squad_on_map_and_no_more_cvp_than_allowed(
    counters: list[Any], cvp: int, won: bool
) -> None:
    result = leaving(*(one.clone() for one in counters), cvp=cvp)
    assert (result.campaign.situation.victor is MARINE) is won


def test_eliminating_the_last_squad_wins_cg_i() -> None:
    last = japanese_squad("j", "N21", status="encircled")
    made = campaign(last, cg="I")
    result = play(check_encircled_units, made, {"j": [[6, 6]]})
    assert result.campaign.situation.victor is MARINE
    ruled = campaign(last.clone(), cg="I", rulings={"R-CG1-WHEN": "scenario_end"})
    ruled.units["j"].fate, ruled.units["j"].status = Fate.IN_PLAY, ("encircled",)
    assert play(check_encircled_units, ruled, {"j": [[6, 6]]}).campaign.situation.victor is None


def test_losing_the_last_squad_with_its_vehicle_wins_cg_i() -> None:
    tank = vehicle("t", "T29", "Type 95 HA-GO", JAPANESE, status="unconfirmed_kill")
    made = campaign(tank, japanese_squad("j", "T29", aboard="t"), cg="I")
    assert play(roll_for_shocked_vehicles, made, {"t": [6]}).campaign.situation.victor is MARINE


def test_reducing_the_last_squad_to_a_half_squad_wins_cg_i() -> None:
    made = campaign(japanese_squad("j", "T29"), cg="I")
    result = play(roll_for_wading_survival, made, {"j": [[6, 2]]})
    assert result.unit("j").kind == "half_squad"
    assert result.campaign.situation.victor is MARINE


@pytest.mark.parametrize(("cvp", "won"), [(208, True), (209, False)])
def test_a_prisoner_eliminated_at_15_609_may_bring_the_japanese_cvp_down_to_the_limit(
    cvp: int, won: bool
) -> None:
    held = japanese_squad("j", None, status="prisoner", guard="m", setup_area="M1")
    guard = marine_squad("m", None, setup_area="M1")
    made = campaign(held, guard, cg="I", japanese={"cvp": cvp}, areas={"M1": "N18-N21"})
    assert (
        play(resolve_prisoners_and_unarmed_units, made).campaign.situation.victor is MARINE
    ) is won


def test_cg_i_is_won_once() -> None:
    made = campaign(cg="I", victor=MARINE)
    assert "no unbroken Japanese" not in play(settle_control_cvp_and_winner, made).log


@pytest.mark.parametrize("cg", ["II", "III"])
def test_no_other_cg_is_won_by_the_last_squad(cg: str) -> None:
    assert play(rally_and_unload, campaign(cg=cg)).campaign.situation.victor is None
    assert distance_to_immediate_victory(campaign(cg=cg), load_card(cg)) is None


def test_the_distance_to_winning_cg_i_is_reported() -> None:
    made = campaign(japanese_squad("j", "N21"), cg="I", japanese={"cvp": 12})
    told = "1 unbroken Japanese squad on map; Japanese CVP 12 of at most 204"
    assert str(distance_to_immediate_victory(made, load_card("I"))) == told
    made.sides[JAPANESE].cvp = 205
    assert "not while the Japanese CVP are" in str(
        distance_to_immediate_victory(made, load_card("I"))
    )
