"""`reinforce`: the order of battle, and arrivals."""

from typing import Any

import pytest

from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from brt_cg.questions.answers import RefusedError
from tests.commands.campaigns import (
    carry,
    in_setup,
    japanese_squad,
    marine_squad,
    new,
    problems,
    running,
    texts,
)


def arriving(*units: dict[str, Any], **lists: Any) -> dict[str, Any]:
    return {"format": "brt-cg/state", "version": 1, "units": list(units), **lists}


def reinforce(campaign: Campaign, *units: dict[str, Any], **lists: Any) -> Any:
    return carry(campaign, "reinforce", state=arriving(*units, **lists), source="oob.json")


def test_the_order_of_battle_may_be_entered_before_the_first_scenario() -> None:
    campaign = new()
    waiting = marine_squad(location=None)
    said = texts(reinforce(campaign, waiting, marine_squad(id="m-2", location="off_map")))
    assert said[1:3] == ["added: 7-6-8 squad no. 2", "added: 7-6-8 squad no. 1"]
    assert [one.location for one in campaign.units.values()] == [None, "off_map"]
    assert campaign.situation.phase is Phase.PURCHASE


def test_the_order_of_battle_may_be_in_hexes_before_areas_exist() -> None:
    campaign = new()
    reinforce(campaign, japanese_squad())
    assert campaign.units["j-sq-1"].location == "M40"


def test_the_order_of_battle_changes_no_totals_and_says_so() -> None:
    campaign = new()
    command = reinforce(campaign, marine_squad(), sides={"marine": {"san": 4, "elr": 5, "cvp": 0}})
    assert campaign.sides["marine"].san == 0
    assert (
        "warning: the sides' totals in the file are ignored; to change them, use `edit`"
    ) in texts(command)


def test_arrivals_are_retained_in_their_given_area() -> None:
    campaign = in_setup()
    reinforce(campaign, marine_squad(location=None, setup_area="M1"))
    unit = campaign.units["m-sq-1"]
    assert (unit.location, unit.setup_area) == (None, "M1")


def test_a_location_inside_an_area_means_that_area() -> None:
    campaign = in_setup()
    reinforce(campaign, marine_squad(location="N20:1"))
    unit = campaign.units["m-sq-1"]
    assert (unit.location, unit.setup_area) == (None, "M1")


def test_arrivals_may_be_off_map() -> None:
    campaign = in_setup()
    reinforce(campaign, marine_squad(location="off_map"))
    assert campaign.units["m-sq-1"].retained


def test_a_fortification_has_its_location_from_the_start() -> None:
    campaign = in_setup()
    foxhole = {"id": "F1", "side": "marine", "type": "foxhole_1s", "location": "N19"}
    reinforce(campaign, fortifications=[foxhole])
    assert campaign.fortifications["F1"].location == "N19"


def test_arrivals_are_listed_and_hidden_ones_kept_secret() -> None:
    command = reinforce(in_setup(), marine_squad(), japanese_squad(status=["hidden"]))
    assert texts(command) == [
        "reinforcements from oob.json",
        "added: 7-6-8 squad no. 1, Area M1",
        "added: 4-4-8 squad no. 834, Area J1",
    ]
    assert [one.secret for one in command.said] == [None, None, Side.JAPANESE]


def test_an_arrival_may_be_linked_to_an_existing_counter() -> None:
    campaign = in_setup(marine_squad())
    weapon = {"id": "w", "side": "marine", "kind": "sw", "type": "MMG", "location": "N21"}
    reinforce(campaign, weapons=[weapon | {"possessor": "m-sq-1"}])
    assert campaign.weapons["w"].possessor == "m-sq-1"


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        (
            {"location": "M40"},
            'location: "M40" is not accepted; enter a Location in M1, or off_map',
        ),
        ({"location": "A1"}, 'location: "A1" is not accepted; enter a Location in M1, or off_map'),
        ({"location": None}, "location: missing; enter a Location in M1; or off_map; or a"),
        ({"setup_area": "J1"}, 'setup_area: "J1" is not accepted; enter M1'),
        ({"fate": "eliminated"}, 'fate: "eliminated" is not accepted; enter in_play'),
        (
            {"isolated": True},
            "isolated: true is not accepted; enter false, since a reinforcement is not",
        ),
        ({"id": "m-old"}, "id: m-old is already in the campaign; to change it, use `edit`"),
    ],
)
def test_an_impossible_arrival_is_refused(fields: dict[str, Any], line: str) -> None:
    campaign = in_setup(marine_squad(id="m-old"))
    lines = problems(lambda: reinforce(campaign, marine_squad(**fields)))
    assert lines[0].startswith(f"oob.json: units[0].{line}")
    assert list(campaign.units) == ["m-old"]


def test_an_area_before_the_first_scenario_is_refused() -> None:
    lines = problems(lambda: reinforce(new(), marine_squad(setup_area="M1")))
    assert lines == [
        'oob.json: units[0].setup_area: "M1" is not accepted; enter null, since there are no Setup '
        "Areas yet"
    ]


def test_adding_nothing_is_refused() -> None:
    assert problems(lambda: reinforce(new())) == ["oob.json: the file has no counters to add"]


def test_reinforcements_come_in_the_buying_window_of_the_refit_phase_only() -> None:
    campaign = in_setup()
    campaign.situation.phase, campaign.situation.paragraph = Phase.REFIT, "15.6131"
    with pytest.raises(RefusedError, match=r"counters can be added at 15\.614"):
        reinforce(campaign, marine_squad())
    campaign.situation.paragraph = "15.6143"
    reinforce(campaign, marine_squad())
    assert "m-sq-1" in campaign.units


def test_nobody_arrives_in_the_middle_of_a_scenario() -> None:
    with pytest.raises(
        RefusedError, match="reinforce is not possible during the scenario; you can now"
    ):
        reinforce(running(), marine_squad())


# --- pillboxes that are still to be filled --------------------------------------------------------


def boxed(**fields: Any) -> dict[str, Any]:
    box = {"id": "pb", "side": "japanese", "type": "pillbox_1_3_5", "location": "J42"}
    return box | {"capacity": 1} | fields


def with_a_pillbox(**fields: Any) -> Campaign:
    campaign = new()
    reinforce(campaign, fortifications=[boxed(**fields)])
    return campaign


def test_no_japanese_arrives_outside_a_pillbox_to_be_filled() -> None:
    outside = japanese_squad(id="j", location="J43")
    (told,) = problems(lambda: reinforce(with_a_pillbox(), outside))
    assert "pillbox 1+3+5 no. 837 is not filled (1 of 1 squad-equivalent free" in told
    assert "no Japanese unit may set up elsewhere until it is (15.6142)" in told
    campaign = with_a_pillbox()
    reinforce(campaign, outside, japanese_squad(id="k", location="J42:pb"))
    assert campaign.units["j"].location == "J43"


def test_no_japanese_arrives_while_a_pillbox_has_no_location() -> None:
    bare = with_a_pillbox()
    bare.fortifications["pb"].location = None
    (told,) = problems(lambda: reinforce(bare.clone(), japanese_squad(location="J43")))
    assert "no. 837 has no Location and is not filled" in told
    reinforce(bare, japanese_squad(location="off_map"))


def test_no_more_units_arrive_inside_a_pillbox_than_its_capacity() -> None:
    squads = [japanese_squad(id=id, location="J42:pb") for id in ("j", "k")]
    (told,) = problems(lambda: reinforce(with_a_pillbox(), *squads))
    assert "pillbox 1+3+5 no. 837 has room for 1 squad-equivalent, and would then hold 2" in told


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"formations": "2/8"}, "enter the Wave, or the turn it lands"),
        ({"wave": "2", "turn": 0}, "turn: 0 is not accepted"),
        ({"wave": "2", "entry_area": 3}, "entry_area: 3 is not accepted"),
    ],
)
def test_a_landing_has_a_wave_or_a_turn(given: dict[str, Any], told: str) -> None:
    asked = {"state": arriving(marine_squad(location=None)), "source": None, "date": "20 AM"}
    with pytest.raises(RefusedError, match=told):
        carry(new(), "reinforce", **asked, **given)
