"""What the ticks of the form make of the counters."""

from pathlib import Path

import pytest

from brt_cg.commands.difference import import_difference
from brt_cg.imports.event_sheet import EventSheet, Ticks, normalize_event_details, ticks_text
from brt_cg.imports.totals import TOTALS, default_totals
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import (
    Fate,
    Piece,
    Side,
    Unit,
    UnitKind,
    UnitStrength,
    Vehicle,
    Weapon,
    WeaponKind,
)
from brt_cg.model.events import BY_NAME
from brt_cg.questions.answers import RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.question.form import group_by_field
from tests.imports.ends import asked, told
from tests.tui.moments import played


@pytest.fixture
def desk(demo_file: Path) -> OpenCampaign:
    return OpenCampaign.open(demo_file)


def ticked(desk: OpenCampaign, ticks: Ticks) -> Campaign:
    return told(desk, ticks).campaign_after()


def unit(campaign: Campaign, id: str) -> Unit:
    return campaign.units[id]


def test_an_eliminated_leader_is_out_of_play(desk: OpenCampaign) -> None:
    assert unit(ticked(desk, {"m-ldr-5": {"eliminated": ""}}), "m-ldr-5").fate is Fate.ELIMINATED
    assert unrestricted_campaign(desk).campaign.units["m-ldr-5"].in_play


def test_possessions_move_with_their_unit(desk: OpenCampaign) -> None:
    weapon = next(
        one for one in unrestricted_campaign(desk).campaign.weapons.values() if one.possessor
    )
    assert weapon.possessor is not None
    campaign = ticked(desk, {weapon.possessor: {"moved": "N22"}})
    assert campaign.weapons[weapon.id].location == "N22"


def test_an_event_of_a_counter_on_the_table_may_need_a_hex_later(
    desk: OpenCampaign,
) -> None:
    view = unrestricted_campaign(desk).campaign.clone()
    weapon = next(one for one in view.weapons.values() if one.possessor)
    tank, armed = view.vehicles["m-tk-4"], view.units[str(weapon.possessor)]
    for piece in (tank, armed, weapon):
        piece.place_unisolated("in N18", "M1")
    ticks: Ticks = {tank.id: {"wreck": ""}, armed.id: {"eliminated": ""}}
    now = EventSheet(view, unrestricted_campaign(desk).card, None, ticks).campaign_after()
    for id in (tank.id, weapon.id):
        piece = now.find(id)
        assert isinstance(piece, Piece)
        assert (piece.location, piece.setup_area) == (None, "M1")
    lost: Ticks = {armed.id: {"captured": "j-sq-1", "moved": "N20"}}
    assert not EventSheet(
        view, unrestricted_campaign(desk).card, None, lost
    ).location_moved_to_with_holder(weapon.id)


def test_possessions_of_an_eliminated_unit_stay_in_its_location(desk: OpenCampaign) -> None:
    weapon = next(
        one for one in unrestricted_campaign(desk).campaign.weapons.values() if one.possessor
    )
    assert weapon.possessor is not None
    campaign = ticked(desk, {weapon.possessor: {"eliminated": ""}})
    assert campaign.weapons[weapon.id].possessor is None


def test_a_full_japanese_squad_is_reduced_first(desk: OpenCampaign) -> None:
    squad = next(
        one
        for one in unrestricted_campaign(desk).campaign.units.values()
        if one.kind is UnitKind.SQUAD and one.side is Side.JAPANESE and one.strength == "full"
    )
    reduced = unit(ticked(desk, {squad.id: {"reduced": ""}}), squad.id)
    assert (reduced.kind, reduced.strength) == (UnitKind.SQUAD, UnitStrength.REDUCED)
    assert unrestricted_campaign(desk).card.ladders.no_such_counter_reason(reduced) is None


def test_a_marine_squad_becomes_a_half_squad(desk: OpenCampaign) -> None:
    reduced = unit(ticked(desk, {"m-sq-8": {"reduced": ""}}), "m-sq-8")
    assert (reduced.kind, reduced.type) == (UnitKind.HALF_SQUAD, "3-4-8")


def test_a_captured_unit_is_a_prisoner_in_its_guards_location(desk: OpenCampaign) -> None:
    held = unit(ticked(desk, {"j-sq-8": {"captured": "m-sq-15"}}), "j-sq-8")
    assert held.prisoner
    assert held.guard == "m-sq-15"
    assert held.location == unrestricted_campaign(desk).campaign.units["m-sq-15"].location


def ride(desk: OpenCampaign, id: str, vehicle: str) -> None:
    where = unrestricted_campaign(desk).campaign.vehicles[vehicle].location
    asked = {"id": id, "set": {"aboard": vehicle, "location": where}, "reason": "it rides"}
    desk.run_command("edit", asked)


def test_a_captured_vehicle_takes_its_armament_along_but_nobody_aboard(desk: OpenCampaign) -> None:
    ride(desk, "m-sq-8", "m-tk-1")
    campaign = ticked(desk, {"m-tk-1": {"abandoned": "", "captured": "j-sq-8"}})
    where = unrestricted_campaign(desk).campaign.units["j-sq-8"].location
    for id in ("m-tk-1", "m-tk-1-ma"):
        taken = campaign.find(id)
        assert isinstance(taken, Vehicle | Weapon)
        assert (taken.side, taken.nation, taken.location) == (Side.JAPANESE, Side.MARINE, where)
    rider = unit(campaign, "m-sq-8")
    assert (rider.aboard, rider.location) == (
        None,
        unrestricted_campaign(desk).campaign.vehicles["m-tk-1"].location,
    )


def test_riders_of_a_new_wreck_stand_next_to_it(desk: OpenCampaign) -> None:
    ride(desk, "m-sq-8", "m-tk-1")
    rider = unit(ticked(desk, {"m-tk-1": {"wreck": ""}}), "m-sq-8")
    assert (rider.aboard, rider.location) == (
        None,
        unrestricted_campaign(desk).campaign.vehicles["m-tk-1"].location,
    )
    assert rider.in_play


def test_a_unit_that_moves_without_its_vehicle_has_left_it(desk: OpenCampaign) -> None:
    ride(desk, "m-sq-8", "m-tk-1")
    ride(desk, "m-sq-9", "m-tk-1")
    ticks = {"m-tk-1": {"moved": "N20"}, "m-sq-8": {"moved": "N22"}, "m-sq-9": {"moved": "N20"}}
    campaign = ticked(desk, ticks)
    assert (unit(campaign, "m-sq-8").aboard, unit(campaign, "m-sq-9").aboard) == (None, "m-tk-1")


def test_riders_and_their_possessions_move_with_the_vehicle(desk: OpenCampaign) -> None:
    weapon = next(
        one for one in unrestricted_campaign(desk).campaign.weapons.values() if one.possessor
    )
    assert weapon.possessor is not None
    ride(desk, weapon.possessor, "m-tk-1")
    ticks: Ticks = {"m-tk-1": {"moved": "N20"}}
    assert told(desk, ticks).location_moved_to_with_holder(weapon.possessor) == "N20"
    assert told(desk, ticks).location_moved_to_with_holder(weapon.id) == "N20"
    ticks[weapon.possessor] = {"moved": "N22"}
    assert told(desk, ticks).location_moved_to_with_holder(weapon.possessor) == ""
    assert told(desk, ticks).location_moved_to_with_holder(weapon.id) == "N22"
    assert told(desk, {}).location_moved_to_with_holder(weapon.id) == ""


def test_a_crew_moves_with_the_gun_it_pushes(desk: OpenCampaign) -> None:
    guns = (
        one
        for one in unrestricted_campaign(desk).campaign.weapons.values()
        if one.kind is WeaponKind.GUN
    )
    gun = next(one for one in guns if one.possessor)
    crew = str(gun.possessor)
    assert told(desk, {gun.id: {"moved": "N20"}}).location_moved_to_with_holder(crew) == "N20"
    dropped: Ticks = {gun.id: {"moved": "N20", "passed": "nobody"}}
    assert told(desk, dropped).location_moved_to_with_holder(crew) == ""


def test_a_captured_counter_moves_only_with_its_captor(desk: OpenCampaign) -> None:
    weapon = next(
        w
        for w in unrestricted_campaign(desk).campaign.weapons.values()
        if w.possessor and w.side == "marine"
    )
    ticks = {weapon.id: {"captured": "j-sq-1"}, str(weapon.possessor): {"moved": "N20"}}
    assert told(desk, ticks).location_moved_to_with_holder(weapon.id) == ""
    ticks["j-sq-1"] = {"moved": "N22"}
    assert told(desk, ticks).location_moved_to_with_holder(weapon.id) == "N22"
    assert ticked(desk, ticks).weapons[weapon.id].location == "N22"


def test_a_captured_tanks_armament_moves_with_its_captors_vehicle(
    desk: OpenCampaign,
) -> None:
    ride(desk, "j-sq-8", "j-tk-1")
    ticks = {"m-tk-1": {"captured": "j-sq-8"}, "j-tk-1": {"moved": "N22"}}
    assert told(desk, ticks).location_moved_to_with_holder("m-tk-1-ma") == "N22"
    assert {ticked(desk, ticks).find(id).location for id in ("m-tk-1", "m-tk-1-ma")} == {"N22"}  # type: ignore[union-attr]


def test_two_units_that_captured_each_other_stay_in_place(desk: OpenCampaign) -> None:
    ticks = {"m-sq-1": {"captured": "j-sq-1"}, "j-sq-1": {"captured": "m-sq-1"}}
    assert told(desk, ticks).location_moved_to_with_holder("m-sq-1") == ""
    places = {unit(unrestricted_campaign(desk).campaign, id).location for id in ticks}
    assert {unit(ticked(desk, ticks), id).location for id in ticks} <= places


@pytest.mark.parametrize(
    ("captor", "wrong"),
    [
        (
            {"captured": "j-sq-1"},
            "is a prisoner itself; enter a free enemy unit",
        ),
        (
            {"captured": "j-sq-2"},
            "is a prisoner itself; enter a free enemy unit",
        ),
        ({"eliminated": ""}, "is out of play (eliminated); enter the id of a unit in play"),
    ],
)
def test_a_captor_is_neither_captured_nor_lost(
    desk: OpenCampaign, captor: dict[str, str], wrong: str
) -> None:
    for ticks in (
        {"j-sq-1": {"captured": "m-sq-1"}, "m-sq-1": captor},
        {"m-sq-1": captor, "j-sq-1": {"captured": "m-sq-1"}},
    ):
        with pytest.raises(RefusedError) as refused:
            asked(desk, ticks)
        assert f"j-sq-1: guard: m-sq-1 {wrong}" in str(refused.value).splitlines()


def test_a_captor_missing_from_the_campaign_is_named(desk: OpenCampaign) -> None:
    ticks = {"j-sq-1": {"captured": "m-sq-99"}, "j-dc-1": {"captured": "m-sq-99"}}
    with pytest.raises(RefusedError, match=r"j-sq-1: guard: m-sq-99 is neither in the campaign"):
        asked(desk, ticks)


def test_revealed_and_broken_counters_are_marked(desk: OpenCampaign) -> None:
    ticks = {"j-fb-3": {"revealed": ""}, "j-cr-14": {"revealed": ""}, "j-dc-1": {"broken": ""}}
    campaign = ticked(desk, ticks)
    assert not campaign.fortifications["j-fb-3"].hidden
    assert not unit(campaign, "j-cr-14").hidden
    assert campaign.weapons["j-dc-1"].has_status("malfunctioned")


def test_a_captor_is_a_unit_of_the_other_side(desk: OpenCampaign) -> None:
    squad = unrestricted_campaign(desk).campaign.units["j-sq-8"]
    problem, *_ = told(desk).detail_problems([squad], BY_NAME["captured"], "j-sq-1") or [None]
    assert problem == "'j-sq-1' is not an enemy unit in play"


def test_a_prisoner_captures_nobody(desk: OpenCampaign) -> None:
    squad = unrestricted_campaign(desk).campaign.units["j-sq-8"]
    captor = told(desk).possible_captors([squad])[0]
    captor.add_status("prisoner")
    assert captor not in told(desk).possible_captors([squad])


def test_possible_captors_in_the_same_location_are_listed_first(desk: OpenCampaign) -> None:
    prisoner = unrestricted_campaign(desk).campaign.units["j-sq-8"]
    found = told(desk).possible_captors([prisoner])
    beside = [unit.location == prisoner.location for unit in found]
    assert beside == sorted(beside, reverse=True)
    assert True in beside
    assert {captor.side for captor in found} == {Side.MARINE}


def test_equipment_taken_by_a_unit_without_a_location_stays_in_place(desk: OpenCampaign) -> None:
    unrestricted_campaign(desk).campaign.units["j-sq-8"].location = None
    campaign = ticked(desk, {"m-tk-1": {"captured": "j-sq-8"}})
    where = unrestricted_campaign(desk).campaign.vehicles["m-tk-1"].location
    assert {campaign.vehicles["m-tk-1"].location, campaign.weapons["m-tk-1-ma"].location} == {where}


def test_a_wound_scores_nothing_and_a_lost_wounded_leader_scores_as_wounded(
    desk: OpenCampaign,
) -> None:
    def scored(*ticks: str) -> int:
        lost = {"m-ldr-1": dict.fromkeys(ticks, "")}  # 9-2
        return told(desk, lost).casualty_points_gained()[Side.JAPANESE]

    assert (scored("wounded"), scored("eliminated"), scored("wounded", "eliminated")) == (0, 3, 2)


def test_losses_count_as_casualty_vp_for_the_enemy(desk: OpenCampaign) -> None:
    ticks: Ticks = {"m-sq-8": {"reduced": ""}, "m-sq-9": {"eliminated": ""}}
    assert told(desk, ticks).casualty_points_gained() == {
        Side.MARINE: 0,
        Side.JAPANESE: 3,
    }


def test_the_form_starts_with_the_known_values(desk: OpenCampaign) -> None:
    totals = default_totals(told(desk, {"m-sq-9": {"eliminated": ""}}))
    assert totals["san_japanese"] == str(
        unrestricted_campaign(desk).campaign.sides[Side.JAPANESE].san
    )
    assert totals["perimeters"].startswith("M18-M20 N18-N20 / ")


def test_ticks_are_described_in_words() -> None:
    assert ticks_text({"broken": "", "moved": "N22"}) == "broken, moved → N22"


@pytest.mark.parametrize(
    ("name", "typed", "meant"),
    [
        ("moved", "n18", "N18"),
        ("moved", "z33:pier", "Z33:pier"),
        ("moved", "off_map", "off_map"),
        ("captured", "M-SQ-15", "m-sq-15"),
    ],
)
def test_hexes_and_ids_are_typed_in_upper_or_lower_case(
    desk: OpenCampaign, name: str, typed: str, meant: str
) -> None:
    assert normalize_event_details(name, typed) == meant
    squad = unrestricted_campaign(desk).campaign.units["j-sq-8"]
    assert told(desk).detail_problems([squad], BY_NAME[name], meant) == []


def test_perimeters_are_typed_in_upper_or_lower_case(desk: OpenCampaign) -> None:
    found = asked(desk, {}, perimeters="m18-m20 n18, n19 n20")["state"]["perimeters"]
    assert found == [["M18-M20", "N18", "N19", "N20"]]


@pytest.mark.parametrize("typed", ["n18-n19 n21", "a1"])
def test_forbidden_perimeters_are_refused_with_their_field_name(
    desk: OpenCampaign, typed: str
) -> None:
    with pytest.raises(ValueError, match=r"^Marine Perimeters: (not connected|A1: Ocean)"):
        asked(desk, {}, perimeters=typed)


def test_a_total_that_is_not_a_number_is_reported_at_its_field(desk: OpenCampaign) -> None:
    with pytest.raises(
        RefusedError, match=r'^Marine SAN: "ten" is not accepted; enter a whole number$'
    ) as no:
        asked(desk, {}, san_marine="ten")
    assert group_by_field(no.value.problems, TOTALS) == {
        "san_marine": '"ten" is not accepted; enter a whole number'
    }


def tank_of(desk: OpenCampaign) -> Vehicle:
    return next(one for one in unrestricted_campaign(desk).campaign.vehicles.values() if one.manned)


def test_an_abandoned_vehicle_is_treated_as_at_15_6131c(desk: OpenCampaign) -> None:
    tank = tank_of(desk)
    tank.add_status("crew_exposed", "motion")
    left = ticked(desk, {tank.id: {"abandoned": ""}}).vehicles[tank.id]
    tank.remove_status("crew_exposed", "motion")
    assert left.status == tuple(sorted({*tank.status, "abandoned"}))
    assert not left.manned


def test_the_crew_of_an_abandoned_vehicle_scores_but_the_vehicle_does_not(
    desk: OpenCampaign,
) -> None:
    tank = tank_of(desk)
    crew = unrestricted_campaign(desk).card.ladders.figures.worth.kinds[UnitKind.VEHICLE_CREW]
    gained = told(desk, {tank.id: {"abandoned": ""}}).casualty_points_gained()
    assert gained[tank.side.enemy] == crew
    wrecked = told(desk, {tank.id: {"wreck": ""}}).casualty_points_gained()
    assert wrecked[tank.side.enemy] == unrestricted_campaign(desk).card.ladders.current_vehicle_cvp(
        tank
    )


def after_at(desk: OpenCampaign, ticks: Ticks, id: str) -> Unit:
    return ticked(desk, ticks).units[id]


def test_a_leader_hardens_to_the_next_better_one_and_may_be_heroic(desk: OpenCampaign) -> None:
    hays = unrestricted_campaign(desk).campaign.units["m-ldr-19"]
    better = unrestricted_campaign(desk).card.ladders.hardened_leader(hays)
    now = after_at(desk, {hays.id: {"hardened": "", "heroic": ""}}, hays.id)
    assert (now.type, now.has_trait("heroic")) == (better, True)


def test_a_japanese_squad_rises_a_class_and_a_marine_squad_becomes_fanatic(
    desk: OpenCampaign,
) -> None:
    squads = [
        one
        for one in unrestricted_campaign(desk).campaign.units.values()
        if one.kind is UnitKind.SQUAD
    ]
    first_line = next(one for one in squads if one.class_ == "first_line" and one.in_play)
    assert after_at(desk, {first_line.id: {"hardened": ""}}, first_line.id).class_ == "elite"
    assert after_at(desk, {"m-sq-8": {"hardened": ""}}, "m-sq-8").has_status("fanatic")


def test_a_hero_and_a_leader_are_created_in_their_units_location(desk: OpenCampaign) -> None:
    ticks = {"m-sq-8": {"joined": "hero", "moved": "N22"}, "m-sq-9": {"joined": "8-0 Smith"}}
    campaign = ticked(desk, ticks)
    hero, smith = campaign.units["marine-hero-1"], campaign.units["marine-ldr-1"]
    assert (hero.kind, hero.type, hero.location) == (UnitKind.HERO, "1-4-9", "N22")
    assert (smith.kind, smith.type, smith.name) == (UnitKind.LEADER, "8-0", "Smith")
    assert smith.location == unrestricted_campaign(desk).campaign.units["m-sq-9"].location
    rows = asked(desk, ticks)["state"]["units"]
    assert {"marine-hero-1", "marine-ldr-1"} <= {row["id"] for row in rows}


@pytest.mark.parametrize("typed", ["9-9", "hro", ""])
def test_a_created_unit_is_a_hero_or_a_leader_of_its_side(desk: OpenCampaign, typed: str) -> None:
    squad = unrestricted_campaign(desk).campaign.units["m-sq-8"]
    problem, *_ = told(desk).detail_problems([squad], BY_NAME["joined"], typed) or [None]
    assert problem is not None
    assert "enter hero, 6+1" in problem


def test_a_weapon_passed_on_goes_with_its_new_possessor_and_a_dropped_one_stays(
    desk: OpenCampaign,
) -> None:
    weapon = next(
        w
        for w in unrestricted_campaign(desk).campaign.weapons.values()
        if w.possessor and w.side == "marine"
    )
    campaign = ticked(desk, {weapon.id: {"passed": "m-sq-9"}, "m-sq-9": {"moved": "N22"}})
    now = campaign.weapons[weapon.id]
    assert (now.possessor, now.location) == ("m-sq-9", "N22")
    ticks = {weapon.id: {"passed": "nobody"}, str(weapon.possessor): {"moved": "N22"}}
    dropped = ticked(desk, ticks).weapons[weapon.id]
    assert (dropped.possessor, dropped.location) == (None, weapon.location)


def test_the_enemy_takes_no_weapon_without_capturing_it(desk: OpenCampaign) -> None:
    weapon = next(
        w
        for w in unrestricted_campaign(desk).campaign.weapons.values()
        if w.possessor and w.side == "marine"
    )
    event = BY_NAME["passed"]
    assert told(desk).detail_problems([weapon], event, "j-sq-8")
    assert told(desk).detail_problems([weapon], event, "nobody") == []


def test_a_counter_may_have_moved_to_an_area_without_a_known_hex(desk: OpenCampaign) -> None:
    squad = unrestricted_campaign(desk).campaign.units["m-sq-8"]
    meant = normalize_event_details("moved", "in n18")
    assert told(desk).detail_problems([squad], BY_NAME["moved"], meant) == []
    assert after_at(desk, {"m-sq-8": {"moved": meant}}, "m-sq-8").location == "in N18"
    assert normalize_event_details("moved", "off") == "off_map"


def test_a_fortification_bought_and_never_placed_is_placed_at_the_scenarios_end(
    demo_file: Path,
) -> None:
    desk = OpenCampaign.open(played(demo_file, None))
    wire = unrestricted_campaign(desk).campaign.fortifications["j-wire-1"]
    assert told(desk).reasons_event_is_impossible([wire], BY_NAME["moved"]), (
        "what is placed never moves"
    )
    wire.location = None
    assert not told(desk, seat=Side.JAPANESE).reasons_event_is_impossible([wire], BY_NAME["moved"])
    ticks = {wire.id: {"moved": "R32"}}
    end = asked(desk, ticks, winner="marine")
    lines = [
        str(line)
        for line in import_difference(
            unrestricted_campaign(desk).campaign, end, unrestricted_campaign(desk).card
        )
    ]
    assert "moved: wire no. 16: Location – → R32" in lines


def test_ticks_that_are_redundant_or_contradictory_are_reported(desk: OpenCampaign) -> None:
    wounded = next(
        one
        for one in unrestricted_campaign(desk).campaign.units.values()
        if one.has_status("wounded") and one.in_play
    )
    weapon = next(
        w
        for w in unrestricted_campaign(desk).campaign.weapons.values()
        if w.possessor and w.side == "marine"
    )
    best = next(
        one for one in unrestricted_campaign(desk).campaign.units.values() if one.type == "10-3"
    )
    ticks = {
        wounded.id: {"wounded": ""},
        weapon.id: {"captured": "j-sq-8", "passed": "m-sq-9"},
        best.id: {"hardened": ""},
        "m-sq-9": {"broken": "", "eliminated": ""},
        "m-sq-8": {"eliminated": "", "moved": "N22"},
    }
    said = "\n".join(told(desk, ticks).oddities())
    captor, taker = (
        unrestricted_campaign(desk).campaign.units[id].label for id in ("j-sq-8", "m-sq-9")
    )
    assert f"{wounded.label} is wounded already, so this changes nothing" in said
    assert f"{weapon.label} is ticked as captured by {captor} and also as taken by {taker}" in said
    assert "10-3 Crowe is the best possible leader" in said
    assert "no. 6 is ticked broken, eliminated: it counts as eliminated" in said
    assert "no. 5" not in said
