"""15.6121-15.6122: the new CG Date and the SAN."""

import pytest

from brt_cg.questions.answers import RefusedError
from brt_cg.refit.s612_new_date import adjust_san, begin_new_cg_date
from tests.refit.table import JAPANESE, MARINE, campaign, play


@pytest.mark.parametrize(
    ("cg", "date", "following"),
    [
        ("III", "20 AM", "20 PM"),
        ("III", "20 PM", "20 NT"),
        ("III", "20 NT", "21 AM"),
        ("III", "21 AM", "21 PM"),
        ("III", "21 PM", "21 NT"),
        ("III", "21 NT", "22 AM"),
        ("III", "22 AM", "22 PM"),
        ("II", "20 AM", "20 PM"),
        ("I", "21 AM", "21 PM"),
        ("I", "21 PM", "21 NT"),
    ],
)
def test_the_next_cg_date_starts(cg, date, following):
    result = play(begin_new_cg_date, campaign(cg=cg, date=date))
    assert result.campaign.situation.date == following
    attacker = "Japanese" if following.endswith("NT") else "Marines"
    assert f"the {attacker} attack" in result.log


def test_after_the_first_scenario_no_scenario_is_the_initial_one():
    assert not play(
        begin_new_cg_date, campaign(date="20 AM", initial=True)
    ).campaign.situation.initial


def test_nothing_is_known_yet_of_the_next_scenario():
    before = {"turns": "7.5", "first_setup": JAPANESE, "first_move": MARINE}
    situation = play(begin_new_cg_date, campaign(date="20 AM", **before)).campaign.situation
    assert {getattr(situation, name) for name in before} == {None}


def test_no_date_follows_the_last_date():
    result = play(begin_new_cg_date, campaign(date="22 PM"))
    assert (result.campaign.situation.date, result.said) == ("22 PM", [])


def test_san_stays_by_default():
    table = campaign(marine={"san": 4}, japanese={"san": 6})
    result = play(adjust_san, table)
    assert [result.campaign.sides[s].san for s in ("marine", "japanese")] == [4, 6]
    assert "R-SAN" in result.log


@pytest.mark.parametrize("san", [0, 7])
def test_san_may_be_entered_from_0_to_7(san):
    result = play(adjust_san, campaign(marine={"san": 4}), choices={"marine": san})
    assert result.campaign.sides["marine"].san == san
    assert result.campaign.sides["marine"].announced_san == san


@pytest.mark.parametrize("san", [-1, 8, "4", True, None])
def test_san_beyond_0_to_7_is_refused(san):
    with pytest.raises(RefusedError, match="enter a whole number from 0 to 7"):
        play(adjust_san, campaign(), choices={"marine": san})
