"""The numbered lists of the end of a scenario: the printed sheet and the screen agree."""

import pytest

from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.model.numbered_lists import natural_sort_key, numbered_lists
from brt_cg.model.visibility import visible_campaign
from tests.exports.journals import JAPANESE, MARINE, begun, demo, play, squad

HMG = {"id": "m-hmg-1", "side": "marine", "kind": "sw", "type": "HMG", "location": "N19"}


def lists(journal: Journal, side: Side) -> dict[str, list[str]]:
    found = numbered_lists(journal.campaign, side)
    return {one.title: [counter.id for counter in one.counters] for one in found}


def on_map() -> Journal:
    held = squad("j-sq-7", "N19", status=["prisoner"], guard="m-sq-2")
    units = (
        *(squad("m-sq-10", "N19"), squad("m-sq-2", "N19"), squad("m-ldr-1", "N20")),
        *(squad("m-sq-1", "M18"), squad("j-sq-2", "M40"), squad("m-sq-3", "off_map"), held),
    )
    return begun(*units, weapons=[HMG | {"possessor": "m-sq-2"}])


def test_counters_are_numbered_by_hex_followed_by_their_equipment_and_prisoners() -> None:
    found = lists(play(on_map(), through="15.6082"), MARINE)
    assert found == {
        "Area M1": ["m-ldr-1", "m-sq-1", "m-sq-2", "m-hmg-1", "j-sq-7", "m-sq-10"],
        "off map": ["m-sq-3"],
    }
    assert lists(on_map(), MARINE)["in no Setup Area"] == [
        *("m-sq-1", "m-sq-2", "m-hmg-1", "j-sq-7", "m-sq-10", "m-ldr-1"),
    ]


def test_a_prisoner_is_on_the_list_of_his_captors() -> None:
    assert lists(on_map(), JAPANESE) == {"in no Setup Area": ["j-sq-2"]}


@pytest.mark.parametrize("side", Side)
def test_a_sides_sheet_has_the_same_numbers_as_the_umpires(side: Side) -> None:
    """The enemy's secrets, the Japanese hidden guards among them, change no number."""
    campaign = demo().campaign
    own = numbered_lists(visible_campaign(campaign, side), side)
    ids = [(one.title, [counter.id for counter in one.counters]) for one in own]
    whole = numbered_lists(campaign, side)
    assert ids == [(one.title, [counter.id for counter in one.counters]) for one in whole]


def test_every_counter_in_play_has_one_number() -> None:
    campaign = demo().campaign
    own = [one for side in Side for one in numbered_lists(campaign, side)]
    ids = [counter.id for one in own for counter in one.counters if one.kind != "terrain"]
    in_play = [counter.id for counter in campaign.counters() if counter.in_play]
    assert sorted(ids) == sorted(set(in_play) - set(campaign.terrain))
    assert {counter.id for one in own for _, counter in one.numbered} == set(in_play)


def test_a_number_finds_its_counter() -> None:
    [found] = numbered_lists(on_map().campaign, JAPANESE)
    assert [found.counter_numbered(number) and True for number in (0, 1, 2)] == [None, True, None]


def test_ids_sort_as_numbers() -> None:
    assert sorted(["m-sq-10", "m-sq-2", "m-sq-1.2"], key=natural_sort_key) == [
        *("m-sq-1.2", "m-sq-2", "m-sq-10")
    ]
