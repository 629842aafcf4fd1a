"""The CG cards: dates, playing area, order of play."""

import pytest

from brt_cg.card import available_campaign_games, load_card
from brt_cg.model.counters import Side

J, M = Side.JAPANESE, Side.MARINE
ALL_DATES = ("20 AM", "20 PM", "20 NT", "21 AM", "21 PM", "21 NT", "22 AM", "22 PM")


def test_there_are_three_campaign_games() -> None:
    assert available_campaign_games() == ("I", "II", "III")


def test_a_card_is_read_once() -> None:
    assert load_card("I") is load_card("I")


def test_an_unknown_campaign_game_is_refused() -> None:
    with pytest.raises(ValueError, match="no card of CG 'IV'; enter I, II, III"):
        load_card("IV")


def test_cg_i_runs_from_21_am_to_22_pm() -> None:
    card = load_card("I")
    assert card.dates == ALL_DATES[3:]
    assert card.first_date == "21 AM"


@pytest.mark.parametrize("cg", ["II", "III"])
def test_cg_ii_and_iii_run_from_20_am_to_22_pm(cg: str) -> None:
    card = load_card(cg)
    assert card.dates == ALL_DATES
    assert card.first_date == "20 AM"


def test_each_campaign_game_has_its_playing_area() -> None:
    assert load_card("I").highest_hex_number({}) == 32
    assert load_card("III").highest_hex_number({}) == 63
    assert load_card("I").max_hex == 32


def test_the_playing_area_of_cg_ii_is_a_ruling() -> None:
    card = load_card("II")
    assert card.max_hex is None
    assert card.max_hex_ruling == "R-CG2-AREA"
    assert card.highest_hex_number({}) == 35
    assert card.highest_hex_number({"R-CG2-AREA": "38"}) == 38


def test_the_marines_win_cg_i_at_204_japanese_casualty_vp() -> None:
    victory = load_card("I").victory
    assert victory is not None
    assert (victory.winner, victory.japanese_cvp_limit) == (M, 204)
    assert load_card("II").victory is None
    assert load_card("III").victory is None


def test_each_date_has_its_next_date() -> None:
    card = load_card("III")
    assert [card.next_date(date) for date in ALL_DATES] == [*ALL_DATES[1:], None]
    assert card.is_last_date("22 PM")
    assert not card.is_last_date("22 AM")


def test_each_date_has_its_part_of_the_day() -> None:
    card = load_card("III")
    assert [date for date in card.dates if card.is_night_date(date)] == ["20 NT", "21 NT"]
    assert [date for date in card.dates if card.is_pm_date(date)] == ["20 PM", "21 PM", "22 PM"]


def test_a_date_that_the_campaign_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="'20 AM' is not a date of CG I; enter 21 AM, 21 PM"):
        load_card("I").next_date("20 AM")


def test_in_cg_i_the_japanese_set_up_first_and_a_dr_decides_who_moves_first() -> None:
    order = load_card("I").order_of_play_on("21 AM", {})
    assert order.first_setup is J
    assert order.first_move_table == "15.6205"
    assert load_card("I").order_of_play_on("21 PM", {}).first_move_table is None


def test_the_ruling_leaves_the_initial_scenario_of_cg_i_alone() -> None:
    order = load_card("I").order_of_play_on("21 AM", {"R-ORDER": "prose"})
    assert (order.first_setup, order.first_move_table) == (J, "15.6205")
