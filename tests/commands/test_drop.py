"""`drop`: counters are taken out of the order of battle, as if they had never been in it."""

from pathlib import Path
from typing import Any

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.imports.order_line import reinforce_inputs
from brt_cg.imports.order_lines import parse_order_lines
from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat
from brt_cg.questions.answers import RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign

LINES = """
Marine:
3 x 6-6-8
2 x 7-6-8 engineers: DC, FT
2 x 6-6-8 in LVT2
20 NT, wave 2: 4 x 6-6-8
Japanese:
3 x 4-4-7
"""


@pytest.fixture
def desk(tmp_path: Path) -> OpenCampaign:
    made = OpenCampaign.create(tmp_path / "new.brt", {"cg": "III"})
    enter(made, LINES)
    return made


def enter(desk: OpenCampaign, text: str, side: Side | None = None) -> None:
    of = (
        unrestricted_campaign(desk).campaign,
        unrestricted_campaign(desk).card,
        desk.figures.catalogue,
    )
    desk.run_commands("reinforce", reinforce_inputs(parse_order_lines(text, side, *of)))


def drop(desk: OpenCampaign, *ids: str) -> None:
    desk.run_command("drop", {"ids": list(ids)})


def test_dropped_counters_are_gone_and_their_equipment_is_unpossessed(desk: OpenCampaign) -> None:
    engineer = next(
        unit.id for unit in unrestricted_campaign(desk).campaign.units.values() if unit.traits
    )
    held = [
        one.id
        for one in unrestricted_campaign(desk).campaign.weapons.values()
        if one.possessor == engineer
    ]
    drop(desk, engineer)
    assert unrestricted_campaign(desk).campaign.find(engineer) is None
    assert [unrestricted_campaign(desk).campaign.weapons[id].possessor for id in held] == [
        None
    ] * len(held)
    desk.undo_or_request()
    assert unrestricted_campaign(desk).campaign.weapons[held[0]].possessor == engineer


def test_a_dropped_vehicle_takes_only_its_armament_with_it(desk: OpenCampaign) -> None:
    tank = next(iter(unrestricted_campaign(desk).campaign.vehicles))
    aboard = [
        unit.id
        for unit in unrestricted_campaign(desk).campaign.units.values()
        if unit.aboard == tank
    ]
    drop(desk, tank)
    assert {unrestricted_campaign(desk).campaign.units[id].aboard for id in aboard} == {None}


def test_an_arrival_is_dropped_completely(desk: OpenCampaign) -> None:
    (arrival,) = unrestricted_campaign(desk).campaign.arrivals
    drop(desk, arrival)
    assert not unrestricted_campaign(desk).campaign.arrivals


def test_a_campaign_with_a_drop_audits_clean(desk: OpenCampaign) -> None:
    drop(desk, "m-sq-1", "m-sq-2")
    desk.close()
    again = OpenCampaign.open(desk.path)
    assert unrestricted_campaign(again).campaign.find("m-sq-1") is None
    enter(again, "6-6-8", Side.MARINE)
    assert unrestricted_campaign(again).campaign.find("m-sq-1") is not None
    again.close()
    assert audit_campaign(desk.path).ok


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"ids": ["m-sq-1", "j-sq-1"]}, "these counters are from both sides"),
        ({"ids": ["m-sq-99"]}, "m-sq-99 is not in the order of battle"),
        ({"ids": []}, "a list of ids"),
        ({"ids": "m-sq-1"}, "a list of ids"),
        ({"ids": ["m-sq-1"], "why": 1}, "why"),
    ],
)
def test_a_wrong_drop_is_reported_and_drops_nothing(
    desk: OpenCampaign, asked: dict[str, Any], words: str
) -> None:
    before = len(unrestricted_campaign(desk).entries)
    with pytest.raises(RefusedError, match=words):
        desk.run_command("drop", asked)
    assert len(unrestricted_campaign(desk).entries) == before


def test_purchases_are_voided_and_not_dropped(desk: OpenCampaign) -> None:
    desk.run_command("allot", {"side": "japanese", "beach": "red_one", "gpp": 30})
    desk.run_command("buy", {"side": "japanese", "item": "hmg", "beach": "red_one"})
    bought = next(
        one.id for one in unrestricted_campaign(desk).campaign.weapons.values() if one.purchase
    )
    with pytest.raises(RefusedError, match="was bought; void the purchase"):
        drop(desk, bought)


def test_a_counter_that_was_in_a_scenario_is_corrected_instead(desk: OpenCampaign) -> None:
    unrestricted_campaign(desk).campaign.situation.initial = False
    with pytest.raises(RefusedError, match="has been in a scenario; correct it with `edit`"):
        drop(desk, "m-sq-1")


def test_a_side_drops_only_its_own_counters(desk: OpenCampaign) -> None:
    desk.set_seat(Seat.MARINE)
    with pytest.raises(RefusedError, match="only your opponent or the umpire may enter this"):
        drop(desk, "j-sq-1")
    drop(desk, "m-sq-1")
    assert unrestricted_campaign(desk).campaign.find("m-sq-1") is None
