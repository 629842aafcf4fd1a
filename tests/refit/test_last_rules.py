"""What an independent reader of the rules found wrong, point by point."""

from typing import Any

import pytest

from brt_cg.card import load_card
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import PathfinderState, UnitKind
from brt_cg.questions.answers import RefusedError
from brt_cg.refit.s604_encirclement import check_encircled_units
from brt_cg.refit.s605_wading import roll_for_wading_survival
from brt_cg.refit.s609_prisoners import resolve_prisoners_and_unarmed_units
from brt_cg.refit.s610_fires import burn_out_burning_wrecks, burn_out_vehicles_in_blaze
from brt_cg.refit.s611_promotion import harden_mmc_by_heroes, recombine_half_squads
from brt_cg.refit.s613_equipment import ask_transfers
from brt_cg.refit.s620_setup import set_up_the_rest
from tests.refit.table import (
    JAPANESE,
    MARINE,
    campaign,
    crew,
    gun,
    hero,
    japanese_half_squad,
    japanese_squad,
    leader,
    marine_squad,
    play,
    sw,
    terrain,
    vehicle,
    vehicular,
)

AREAS = {"M1": "N18-N21", "J1": "N22-N30"}
IN_J1: dict[str, Any] = {"setup_area": "J1"}

# --- 15.609: a Massacre, and the Rearmed --------------------------------------------------------


@pytest.mark.parametrize("ruling", ["combat", "none"])
def test_a_massacre_scores_under_every_ruling_on_losses(ruling: str) -> None:
    held = marine_squad("held", None, status="prisoner", guard="j", **IN_J1)
    guard = japanese_squad("j", None, **IN_J1)
    table = campaign(guard, held, areas=AREAS, rulings={"R-CVP-REFIT": ruling})
    assert (
        play(resolve_prisoners_and_unarmed_units, table, choices={"held": "massacre"}).cvp(JAPANESE)
        == 2
    )


@pytest.mark.parametrize(
    ("ruling", "kind", "type_"),
    [("g1.15", UnitKind.CREW, "2-2-8"), ("conscript", UnitKind.HALF_SQUAD, "1-2-6")],
)
def test_an_unarmed_japanese_crew_is_armed_as_the_players_agree(
    ruling: str, kind: UnitKind, type_: str
) -> None:
    bare = crew("c", "N25", JAPANESE, status="unarmed")
    table = campaign(bare, areas=AREAS, rulings={"R-REARM": ruling})
    armed = play(resolve_prisoners_and_unarmed_units, table).unit("c")
    assert (armed.kind, armed.type, armed.has_status("unarmed")) == (kind, type_, False)
    assert load_card("III").ladders.no_such_counter_reason(armed) is None


def test_an_unarmed_marine_crew_stays_a_crew() -> None:
    table = campaign(
        crew("c", "N19", status="unarmed"), areas=AREAS, rulings={"R-REARM": "conscript"}
    )
    assert play(resolve_prisoners_and_unarmed_units, table).unit("c").kind is UnitKind.CREW


# --- 15.6111: hidden HS ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruling", "other", "left"),
    [
        ("apart", "N25", ["j0", "j1"]),
        ("recombine", "N25", ["j0"]),
        ("recombine", "N26", ["j0", "j1"]),
    ],
)
def test_hidden_hs_stay_apart_or_recombine_in_one_location_if_the_players_agree(
    ruling: str, other: str, left: list[str]
) -> None:
    units = [
        japanese_half_squad(f"j{n}", None, status="hidden", recorded_location=place, **IN_J1)
        for n, place in enumerate(("N25", other))
    ]
    result = play(
        recombine_half_squads, campaign(*units, areas=AREAS, rulings={"R-HIDDEN-HS": ruling})
    )
    assert [unit.id for unit in result.campaign.units.values() if unit.in_play] == left


# --- 15.605: Pathfinders ----------------------------------------------------------------------


def test_a_pathfinder_is_removed_when_his_vehicle_reaches_land() -> None:
    led = vehicle("t1", "T29", pathfinder="good_order")
    table = campaign(led, perimeters=(("S29",),))
    result = play(roll_for_wading_survival, table, {"t1": [[1, 1]]})
    assert result.vehicle("t1").pathfinder is PathfinderState.NONE
    assert "reaches land and loses its Pathfinder" in result.log


def test_a_pathfinder_stays_with_a_vehicle_mired_in_the_ocean() -> None:
    led = vehicle("t1", "T29", pathfinder="good_order")
    table = campaign(led, perimeters=(("S29",),))
    for dice in ([1, 2], [3, 4], [4, 4], [3, 6]):
        result = play(roll_for_wading_survival, table.clone(), {"t1": [dice]})
        mired = result.vehicle("t1").has_status("mired")
        assert (result.vehicle("t1").pathfinder is PathfinderState.GOOD_ORDER) is mired


def test_a_pathfinder_is_removed_when_his_vehicle_is_eliminated() -> None:
    led = vehicle("t1", "T29", pathfinder="good_order")
    result = play(roll_for_wading_survival, campaign(led, perimeters=(("S29",),)), {"t1": [[6, 6]]})
    assert not result.vehicle("t1").in_play
    assert result.vehicle("t1").pathfinder is PathfinderState.NONE
    burning = vehicle("t2", "T29", pathfinder="wounded", status="burning wreck")
    assert (
        play(burn_out_burning_wrecks, campaign(burning)).vehicle("t2").pathfinder
        is PathfinderState.NONE
    )


# --- 15.605: the prisoners, SW and Guns of a lost MMC ---------------------------------------------


def test_an_mmcs_possessions_and_prisoners_are_lost_with_it_each_with_a_log_line() -> None:
    lost = marine_squad("m", "T29")
    held = japanese_squad("p", "T29", status="prisoner", guard="m")
    with_it = [sw("w", "T29", pp=0, possessor="m"), gun("g", "T29", side=MARINE, possessor="m")]
    table = campaign(lost, held, *with_it, perimeters=(("S29",),))
    result = play(roll_for_wading_survival, table, {"m": [[6, 6]]})
    assert not any(result.piece(id).in_play for id in ("m", "p", "w", "g"))
    reading = " (program's reading: lost with its unit or alone)"
    assert f"4-4-7 squad p (T29) is eliminated with its guard{reading}" in result.said
    assert f"MMG w (T29) is lost in the Ocean{reading}" in result.said
    assert f"37mm g (T29) is lost in the Ocean{reading}" in result.said
    assert (result.cvp(JAPANESE), result.cvp(MARINE)) == (2 + 2, 2)


def test_a_reduced_squads_possessions_and_prisoners_stay_with_its_half_squad() -> None:
    reduced = marine_squad("m", "T29")
    held = japanese_squad("p", "T29", status="prisoner", guard="m")
    table = campaign(reduced, held, sw("w", "T29", pp=0, possessor="m"), perimeters=(("S29",),))
    result = play(roll_for_wading_survival, table, {"m": [[4, 4]]})
    assert [result.piece(id).location for id in ("m", "p", "w")] == ["S29"] * 3


# --- vehicles and what is lost with them --------------------------------------------------------


@pytest.mark.parametrize(
    ("paragraph", "status", "others"),
    [
        (burn_out_burning_wrecks, "burning wreck", []),
        (burn_out_vehicles_in_blaze, "abandoned", [terrain("b", "N25", fire="blaze")]),
    ],
)
def test_each_weapon_lost_in_a_fire_has_a_log_line(
    paragraph: Any, status: str, others: list[Any]
) -> None:
    tank = vehicle("t1", "N25", status=status, inherent_crew=False)
    result = play(paragraph, campaign(tank, vehicular("w1", "N25", "t1"), *others))
    assert "MA w1 (N25) is lost with its vehicle" in result.said


def test_a_manned_vehicle_that_burns_logs_the_loss_of_its_crew() -> None:
    tank = vehicle("t1", "N25", status="immobilized")
    result = play(burn_out_vehicles_in_blaze, campaign(tank, terrain("b", "N25", fire="blaze")))
    assert "M4A2 t1 (N25) loses its crew" in result.said
    assert result.cvp(JAPANESE) == 0  # R-CVP-REFIT does not name 15.6102


def test_each_weapon_of_a_vehicle_that_fails_its_check_has_a_log_line() -> None:
    tank = vehicle("t1", "N25", status="encircled")
    table = campaign(tank, vehicular("w1", "N25", "t1"))
    assert "lost with its vehicle" in play(check_encircled_units, table, {"t1": [[6, 6]]}).log


def test_no_lone_smc_mans_a_gun() -> None:
    there = [leader("l", None, side=JAPANESE, **IN_J1), crew("c", None, JAPANESE, **IN_J1)]
    made = campaign(gun("g", None, **IN_J1), *there, areas=AREAS)
    assert play(ask_transfers, made, choices={"japanese": {"g": "c"}}).weapon("g").possessor == "c"
    with pytest.raises(RefusedError, match="may not take it"):
        play(ask_transfers, made, choices={"japanese": {"g": "l"}})


# --- heroes -------------------------------------------------------------------------------------


def test_hardening_by_a_hidden_hero_does_not_reveal_him() -> None:
    hidden = hero("h", None, JAPANESE, status="hidden", recorded_location="N25", **IN_J1)
    squad = japanese_squad("j", None, "second_line", **IN_J1)
    result = play(harden_mmc_by_heroes, campaign(hidden, squad, areas=AREAS))
    assert result.unit("j").class_ == "first_line"
    assert set(result.secrets) == {JAPANESE}
    seen = hero("h", None, JAPANESE, **IN_J1)
    squad = japanese_squad("j", None, "second_line", **IN_J1)
    assert set(play(harden_mmc_by_heroes, campaign(seen, squad, areas=AREAS)).secrets) == {None}


# --- setup and placement ------------------------------------------------------------------------


def test_nobody_sets_up_in_a_location_where_the_enemy_is_isolated() -> None:
    lone = marine_squad("m", "N25", isolated=True, recorded_location="N25")
    squad = japanese_squad("j", None, **IN_J1)
    made = campaign(lone, squad, areas=AREAS, phase="setup", date="20 PM")
    with pytest.raises(RefusedError, match="N25 is an Isolated Location of the enemy"):
        play(set_up_the_rest, made, choices={"japanese": {"j": "N25"}})
    made = campaign(lone.clone(), squad.clone(), areas=AREAS, phase="setup", date="20 PM")
    result = play(set_up_the_rest, made, choices={"japanese": {"j": "N26"}})
    assert result.unit("j").location == "N26"


def test_a_hidden_isolated_enemy_is_not_given_away_by_setup() -> None:
    hidden = japanese_squad("j", "N19", isolated=True, recorded_location="N19", status="hidden")
    squad = marine_squad("m", None, setup_area="M1")
    made = campaign(hidden, squad, areas=AREAS, phase="setup", date="20 PM")
    result = play(set_up_the_rest, made, choices={MARINE: {"m": "N19"}})
    assert result.unit("m").location == "N19"


# --- points of the cards --------------------------------------------------------------------------


def new_campaign(cg: str, beach: str, capp: str) -> Journal:
    journal = Journal(lambda: "2026-01-01T00:00:00Z")
    allotments = {"japanese": {beach: {"capp": capp}}}
    asked = {"cg": cg, "name": None, "players": None, "allotments": allotments}
    journal.run_command("new", asked, "players")
    return journal


@pytest.mark.parametrize(
    ("cg", "capp", "warned"), [("II", "31^5", True), ("II", "13^5", False), ("III", "31^5", False)]
)
def test_the_misprinted_points_of_black_two_are_pointed_out(
    cg: str, capp: str, warned: bool
) -> None:
    said = [line.text for line in new_campaign(cg, "black_two", capp).entries[0].said]
    told = "Black Two: 31^5 CAPP is printed, but the official answer says 13^5 (15.6142)"
    assert (told in said) is warned


@pytest.mark.parametrize("beach", ["red_three", "black_two"])
def test_cg_i_sells_nothing_for_a_beach_without_a_hex_in_play(beach: str) -> None:
    assert beach not in load_card("I").beaches
    assert beach in load_card("II").beaches
    with pytest.raises(RefusedError, match="green, red_one, red_two, black_one, island"):
        new_campaign("I", beach, "3^1")
