"""`new`: a campaign and the points of its card."""

import tomllib
from typing import Any

import pytest

from brt_cg.card import available_campaign_games, load_card
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from tests.commands.campaigns import DEMO, carry, new, problems, texts


def refused(**asked: Any) -> list[str]:
    return problems(lambda: carry(Campaign(), "new", cg="III", **asked))


@pytest.mark.parametrize(("cg", "date"), [("I", "21 AM"), ("II", "20 AM"), ("III", "20 AM")])
def test_a_new_campaign_begins_on_its_first_date_in_phase_purchase(cg: str, date: str) -> None:
    situation = new(cg).situation
    assert (situation.cg, situation.date, situation.phase) == (cg, date, Phase.PURCHASE)
    assert situation.initial
    assert situation.ended is None


def test_every_ruling_starts_with_its_default() -> None:
    for cg in available_campaign_games():
        campaign, rulings = new(cg), load_card(cg).rulings
        assert all(campaign.ruling_value(key) == one.default for key, one in rulings.items())
        assert campaign.rulings.keys() == {
            key for key, one in rulings.items() if not one.is_asked_when_it_matters
        }


def test_a_new_campaign_has_a_name_and_its_players() -> None:
    campaign = new(name="Betio again", players={"marine": "Ann", "japanese": "Bo"})
    assert campaign.situation.name == "Betio again"
    assert [one.player for one in campaign.sides.values()] == ["Ann", "Bo"]


def test_without_allotments_nobody_has_points() -> None:
    assert new().allotments == {}


def test_the_points_of_the_card_are_kept_by_side_and_beach() -> None:
    campaign = new(
        allotments={
            "japanese": {"red_one": {"gpp": 24, "capp": "26^2", "fpp": 60}, "island": {"fpp": 40}},
            "marine": {"fpp": 30},
        }
    )
    assert list(campaign.allotments) == ["japanese/red_one", "japanese/island", "marine"]
    red_one = campaign.allotments["japanese/red_one"]
    assert (red_one.gpp, red_one.capp, red_one.exponent, red_one.fpp) == (24, 26, 2, 60)
    assert (red_one.side, red_one.beach, red_one.credited) == (Side.JAPANESE, "red_one", True)
    assert campaign.allotments["marine"].fpp == 30


def test_capp_without_an_exponent_are_stored_without_one() -> None:
    campaign = new(allotments={"japanese": {"green": {"capp": 9}, "black_one": {"capp": "7"}}})
    assert [(one.capp, one.exponent) for one in campaign.allotments.values()] == [(9, 0), (7, 0)]


def test_a_grant_counts_from_its_date() -> None:
    grant = {"date": "20 PM", "side": "japanese", "beach": "red_one", "fpp": 20}
    kept = new(allotments={"grant": [grant]}).allotments["grant-1"]
    assert (kept.date, kept.beach, kept.fpp, kept.credited) == ("20 PM", "red_one", 20, False)


def test_a_japanese_grant_without_a_beach_is_for_the_island() -> None:
    grants = [{"date": "20 PM", "side": side, "fpp": 5} for side in ("japanese", "marine")]
    allotments = new(allotments={"grant": grants}).allotments
    assert [one.beach for one in allotments.values()] == ["island", None]


def test_the_allotments_of_the_demo_are_usable() -> None:
    found = tomllib.loads((DEMO / "allotments.toml").read_text("utf-8"))
    assert len(new(allotments=found).allotments) == 8 + 6


def test_the_log_hides_japanese_points_from_the_marines() -> None:
    allotments = {"japanese": {"green": {"gpp": 1}}, "marine": {"fpp": 2}}
    command = carry(Campaign(), "new", cg="III", allotments=allotments)
    assert texts(command)[1:] == [
        "Green begins with 1 GPP",
        "the Marine player begins with 2 FPP",
    ]
    assert [one.secret for one in command.said] == [None, Side.JAPANESE, None]


def test_a_campaign_is_created_once() -> None:
    assert problems(lambda: carry(new(), "new", cg="III")) == [
        "new is not possible, since this file already holds a campaign; use another file"
    ]


def test_all_problems_of_allotments_are_reported_together() -> None:
    wrong = {
        "japanese": {"red_four": {"gpp": 1}, "green": {"gpp": -1, "capp": "26x2"}, "island": {}},
        "marine": {"gpp": 3, "colour": "red"},
        "grant": [{"date": "20 AM", "side": "us", "fpp": 1}],
        "korean": {},
    }
    lines = refused(allotments=wrong)
    assert lines == [
        "allotments: korean: unknown field; enter marine, japanese, grant",
        "allotments: japanese.red_four: not a beach; enter green, red_one, red_two, red_three, "
        "black_one, black_two, island",
        "allotments: japanese.green.gpp: -1 is not accepted; enter a whole number from 0 to 9999",
        'allotments: japanese.green.capp: "26x2" is not accepted; enter CAPP as "26^2" (26 CAPP, '
        'exponent 2), or "26^0" without one',
        "allotments: japanese.island: no points; enter fpp",
        "allotments: marine.colour: unknown field; enter fpp",
        "allotments: marine.gpp: GPP and CAPP are for Japanese beaches; allowed here: fpp (15.614)",
        'allotments: grant[0].date: "20 AM" is not accepted; enter a later date: 20 PM, 20 NT, '
        "21 AM, 21 PM, 21 NT, 22 AM, 22 PM",
        "allotments: grant[0].side: there is no side 'us'; enter marine, japanese",
    ]


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ({"colour": "red"}, "colour: unknown field; enter cg, name, players, allotments, key"),
        ({"name": ""}, 'name: "" is not accepted; enter one line of text'),
        (
            {"players": {"usmc": "Ann"}},
            'players: {"usmc": "Ann"} is not accepted; enter a name for each',
        ),
        (
            {"allotments": []},
            "allotments: [] is not accepted; enter tables marine, japanese, grant",
        ),
        (
            {"allotments": {"marine": 3}},
            "allotments: marine: 3 is not accepted; enter a table with",
        ),
        (
            {"allotments": {"grant": {}}},
            "allotments: grant: {} is not accepted; enter a list of tables",
        ),
        (
            {"allotments": {"grant": [{"date": "21 AM", "side": "marine", "beach": "green"}]}},
            'allotments: grant[0].beach: "green" is not accepted; enter no beach, since the ',
        ),
    ],
)
def test_an_impossible_new_campaign_is_refused(asked: dict[str, Any], line: str) -> None:
    assert refused(**asked)[0].startswith(line)
