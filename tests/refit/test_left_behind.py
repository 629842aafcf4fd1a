"""Who is lost after 15.609 by a void or a correction leaves nobody and nothing behind."""

from typing import Any

import pytest

from brt_cg.board import locations
from brt_cg.commands import Command
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Fate
from brt_cg.model.records import Phase
from brt_cg.questions.answers import RefusedError
from tests.commands.campaigns import carry
from tests.purchases.shop import refit_shop
from tests.refit.table import (
    JAPANESE,
    MARINE,
    campaign,
    crew,
    fort,
    japanese_squad,
    leader,
    marine_squad,
    sw,
    vehicle,
)

AREAS = {"M1": "N18-N21", "J1": "N22 M19 M20", "M2": "L20"}
NOW: dict[str, Any] = {"ended": "20 AM", "date": "20 PM", "done": "15.6142"}
RED_ONE = " ".join(locations.beach_hexes("red_one"))
ISOLATED: dict[str, Any] = {"isolated": True, "recorded_location": "K20"}


def captive(guard: str, **values: Any) -> Any:
    held = {"setup_area": "J1", "status": "prisoner", **values}
    return marine_squad("m1", held.pop("location", None), guard=guard, **held)


def table(*counters: Any, **facts: Any) -> Campaign:
    return campaign(*counters, areas=AREAS, **{**NOW, **facts})


def edit(found: Campaign, id: str, **values: Any) -> Command:
    return carry(found, "edit", id=id, set=values, reason="miscounted")


def guards(*more: Any) -> list[Any]:
    return [leader("j-ldr", None, "9-0", JAPANESE, setup_area="J1"), captive("j-ldr"), *more]


# --- prisoners ------------------------------------------------------------------------------------


@pytest.mark.parametrize("lost", [{"fate": "eliminated"}, {"fate": "captured"}])
def test_a_prisoner_goes_to_the_first_friend_of_a_guard_removed_by_correction(
    lost: dict[str, str],
) -> None:
    friends = [japanese_squad(id, None, setup_area="J1") for id in ("j2", "j1")]
    found = table(*guards(*friends))
    said = edit(found, "j-ldr", **lost).said
    assert found.units["m1"].guard == "j1"
    assert "now guarded by 4-4-7 squad j1" in said[-1].text


def test_a_prisoner_without_a_new_guard_is_rearmed_in_his_lowest_nearest_area() -> None:
    found = table(*guards())
    edit(found, "j-ldr", fate="eliminated")
    for id in ("m1", "m1.2"):
        one = found.units[id]
        assert (one.type, one.status, one.guard, one.setup_area) == ("2-4-8", (), None, "M1")


def test_a_prisoner_corrected_to_have_no_guard_is_handed_over() -> None:
    found = table(*guards(japanese_squad("j1", None, setup_area="J1")))
    edit(found, "m1", guard=None)
    assert found.units["m1"].guard == "j1"


def test_a_prisoner_given_another_guard_is_in_that_guards_location() -> None:
    off = japanese_squad("j1", "off_map")
    found = table(*guards(off))
    edit(found, "m1", guard="j1")
    one = found.units["m1"]
    assert (one.guard, one.location, one.setup_area) == ("j1", "off_map", None)


def test_a_unit_made_a_prisoner_by_correction_has_a_guard() -> None:
    found = table(marine_squad("m1", None, setup_area="M1"))
    with pytest.raises(RefusedError, match="m1: no guard; enter an enemy unit as its guard"):
        edit(found, "m1", status=["prisoner"])


def test_a_prisoner_sets_up_with_his_new_guard() -> None:
    guard = japanese_squad("j1", "M19", setup_area="J1")
    old = leader("j-ldr", "M20", "9-0", JAPANESE, setup_area="J1")
    found = table(old, guard, captive("j-ldr", location="M20"), phase=Phase.SETUP, done="15.6202")
    edit(found, "j-ldr", fate="eliminated")
    assert (found.units["m1"].guard, found.units["m1"].location) == ("j1", "M19")


@pytest.mark.parametrize("facts", [{"done": "15.6082"}, {"phase": Phase.SCENARIO, "done": None}])
def test_before_15609_and_in_a_scenario_players_handle_prisoners_themselves(
    facts: dict[str, Any],
) -> None:
    found = table(*guards(japanese_squad("j1", None, setup_area="J1")), **facts)
    edit(found, "j-ldr", fate="eliminated")
    assert found.units["m1"].guard is None


def test_the_prisoner_of_a_crew_whose_purchase_is_voided_goes_to_a_friend() -> None:
    market = refit_shop(
        leader("j-ldr", None, "9-0", JAPANESE, setup_area="J1"),
        captive("pj17-1-crew"),
        areas={"M1": "N40", "J1": RED_ONE},
        done="15.6142",
        ended="20 AM",
    )
    market.buy("hmg")
    assert market.campaign.units["pj17-1-crew"].setup_area == "J1"
    market.void("pj17")
    assert market.campaign.units["m1"].guard == "j-ldr"


def test_a_hidden_friend_guards_in_secret() -> None:
    hidden = japanese_squad("j1", None, setup_area="J1", status="hidden")
    said = edit(table(*guards(hidden)), "j-ldr", fate="eliminated").said
    assert said[-1].secret is JAPANESE


# --- what lies with the Isolated ------------------------------------------------------------------


def isolated(*more: Any) -> Campaign:
    return table(
        crew("m-crew", "K20", MARINE, **ISOLATED),
        sw("w1", "K20", "MMG", MARINE, **ISOLATED),
        fort("f1", "K20", "foxhole_1s", MARINE, controller=MARINE),
        *more,
    )


def test_equipment_of_the_last_isolated_unit_goes_to_the_location_controller() -> None:
    found = isolated()
    found.areas["J1"].hexes = (*found.areas["J1"].hexes, "K20")
    edit(found, "m-crew", fate="eliminated")
    weapon = found.weapons["w1"]
    assert (weapon.side, weapon.isolated, weapon.setup_area) == (JAPANESE, False, "J1")
    assert found.fortifications["f1"].controller is JAPANESE


def test_another_isolated_unit_keeps_the_equipment() -> None:
    found = isolated(leader("m-ldr", "K20", **ISOLATED))
    edit(found, "m-crew", fate="eliminated")
    assert found.weapons["w1"].isolated


def test_a_tank_whose_crew_is_removed_by_correction_isolates_nobody() -> None:
    found = table(vehicle("t1", "K20", **ISOLATED), sw("w1", "K20", "MMG", MARINE, **ISOLATED))
    found.areas["J1"].hexes = (*found.areas["J1"].hexes, "K20")
    edit(found, "t1", inherent_crew=False, status=["abandoned"])
    assert (found.vehicles["t1"].isolated, found.weapons["w1"].setup_area) == (False, "J1")


def test_an_unrelated_correction_changes_no_possession() -> None:
    found = isolated()
    edit(found, "m-crew", name="Able")
    assert found.weapons["w1"].isolated
    assert found.units["m-crew"].fate is Fate.IN_PLAY
