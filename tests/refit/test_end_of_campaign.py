"""15.6, R-CG-END: what is still done after the last scenario, or once a side has won the CG."""

from typing import Any

import pytest

from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from brt_cg.refit.s601_melee import fight_out_melees
from brt_cg.refit.s603_rally_and_victory import rally_and_unload, settle_control_cvp_and_winner
from brt_cg.refit.s604_encirclement import check_encircled_units
from brt_cg.refit.s609_prisoners import resolve_prisoners_and_unarmed_units
from brt_cg.refit.sequence import last_paragraph_number_of_campaign, paragraph_of
from tests.refit.table import (
    JAPANESE,
    MARINE,
    Result,
    campaign,
    fort,
    japanese_half_squad,
    japanese_squad,
    marine_squad,
    play,
)

LAST = "22 PM"
BEFORE_VICTORY = ("15.601", "15.602", "15.6031")


def the_end(*counters: Any, choices: Any = None, **facts: Any) -> Result:
    """15.6032 on the last date."""
    return play(
        settle_control_cvp_and_winner,
        campaign(*counters, **{"date": LAST, **facts}),
        choices=choices,
    )


@pytest.mark.parametrize("number", BEFORE_VICTORY)
def test_after_the_last_scenario_nobody_fights_rallies_or_comes_on_map(number: str) -> None:
    fighting = marine_squad("m", "N19", status="broken"), japanese_squad("j", "N19")
    result = play(paragraph_of(number), campaign(*fighting, date=LAST))
    assert (result.asks, result.said) == ([], [])
    assert result.because is not None
    assert result.unit("m").has_status("broken")


@pytest.mark.parametrize("number", BEFORE_VICTORY)
def test_by_ruling_close_units_fight_rally_and_enter_after_the_last_scenario(number: str) -> None:
    fighting = marine_squad("m", "N19", status="broken ti"), japanese_squad("j", "N19")
    ruled = {"R-CG-END": "close"}
    result = play(paragraph_of(number), campaign(*fighting, date=LAST, rulings=ruled))
    assert result.asks or result.said


@pytest.mark.parametrize(("marine", "victor"), [(21, MARINE), (20, JAPANESE), (19, JAPANESE)])
def test_the_campaign_ends_at_15_6032_by_the_points_of_the_current_map(
    marine: int, victor: Side
) -> None:
    encircled = marine_squad("m", "N19", status="encircled")
    result = the_end(encircled, marine={"cvp": marine}, japanese={"cvp": 20})
    situation = result.campaign.situation
    assert (situation.phase, situation.victor) == (Phase.OVER, victor)
    assert result.unit("m").in_play
    assert not any(ask.kind == "roll" for ask in result.asks)


def test_prisoners_still_held_count_double_and_nothing_is_subtracted() -> None:
    held = japanese_half_squad("j", "N19", status="prisoner", guard="m")
    result = the_end(held, marine_squad("m", "N19"), marine={"cvp": 9}, japanese={"cvp": 10})
    assert (result.cvp(MARINE), result.cvp(JAPANESE)) == (11, 10)
    assert result.unit("j").in_play
    assert result.campaign.situation.victor is MARINE


def test_the_last_scenario_is_decided_before_prisoners_count_double() -> None:
    held = japanese_half_squad("j", "N19", status="prisoner", guard="m")
    result = the_end(held, marine_squad("m", "N19"), marine={"cvp": 9}, japanese={"cvp": 10})
    situation = result.campaign.situation
    assert (situation.winner, situation.victor) == (JAPANESE, MARINE)
    won = next(at for at, text in enumerate(result.said) if "won the 22 PM scenario" in text)
    assert won < next(at for at, text in enumerate(result.said) if "still held" in text)


def test_an_empty_pillbox_next_to_marines_alone_counts_for_the_campaign() -> None:
    box = fort("F7", "N21", "pillbox_1_3_5", capacity=2)
    beside = marine_squad("m", "N21")
    facts = {"marine": {"cvp": 9}, "japanese": {"cvp": 10}, "pillbox_vp_so_far": 0}
    result = the_end(box, beside, **facts)
    assert result.campaign.situation.pillbox_vp_so_far == 2
    assert result.campaign.situation.victor is MARINE
    result = the_end(box.clone(), beside.clone(), japanese_squad("j", "N21"), **facts)
    assert result.campaign.situation.victor is JAPANESE


def test_the_refit_phase_continues_before_the_last_date() -> None:
    assert the_end(date="22 AM").campaign.situation.phase is Phase.REFIT


def cg_one(*counters: Any, **facts: Any) -> Any:
    return campaign(*counters, cg="I", date="21 PM", japanese={"cvp": 204}, **facts)


def test_cg_i_won_by_the_scenarios_final_map_ends_without_a_refit_phase() -> None:
    units = marine_squad("m", "N25"), japanese_half_squad("j", "N25")
    result = play(fight_out_melees, cg_one(*units))
    assert result.asks == []
    assert result.campaign.situation.victor is MARINE
    result = play(rally_and_unload, result.campaign)
    assert (result.asks, result.said) == ([], [])
    result = play(settle_control_cvp_and_winner, result.campaign)
    assert result.campaign.situation.phase is Phase.OVER


def test_cg_i_won_by_a_loss_in_the_refit_phase_ends_with_that_paragraph() -> None:
    last = japanese_squad("j", "N25", status="encircled")
    guards = japanese_half_squad("j2", "N26"), marine_squad("m", "N24")
    result = play(check_encircled_units, cg_one(last, *guards), {"j": [[6, 6]]})
    situation = result.campaign.situation
    assert (situation.victor, situation.phase) == (MARINE, Phase.OVER)


def test_by_ruling_close_the_campaign_ends_at_15_609() -> None:
    ruled = {"R-CG-END": "close"}
    result = the_end(rulings=ruled)
    assert result.campaign.situation.phase is Phase.REFIT
    result = play(resolve_prisoners_and_unarmed_units, result.campaign)
    assert result.campaign.situation.phase is Phase.OVER
    assert last_paragraph_number_of_campaign(campaign(rulings=ruled)) == "15.609"
    assert last_paragraph_number_of_campaign(campaign()) == "15.6032"
