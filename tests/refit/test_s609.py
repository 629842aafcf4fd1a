"""15.609: prisoners, the unarmed, and the end of the campaign."""

import pytest

from brt_cg.model.counters import Fate, UnitKind, UnitStrength
from brt_cg.model.records import Phase
from brt_cg.questions.answers import RefusedError
from brt_cg.refit.s609_prisoners import resolve_prisoners_and_unarmed_units
from tests.refit.table import (
    JAPANESE,
    MARINE,
    campaign,
    crew,
    hero,
    japanese_half_squad,
    japanese_squad,
    leader,
    marine_half_squad,
    marine_squad,
    play,
    vehicle,
)

AREAS = {"M1": "N18-N21", "M2": "N30-N33", "J1": "J40-J50"}


def guard(area="M1", **values):
    return marine_squad("guard", None, setup_area=area, **values)


def captors(**values):
    return japanese_squad("captors", None, setup_area="J1", **values)


def held(**values):
    return marine_squad("held", None, status="prisoner", guard="captors", setup_area="J1", **values)


@pytest.mark.parametrize(
    ("one", "points"),
    [
        (lambda **k: japanese_squad("p", None, **k), 4),
        (lambda **k: japanese_half_squad("p", None, **k), 2),
        (lambda **k: crew("p", None, JAPANESE, **k), 4),
        (lambda **k: leader("p", None, "9-1", JAPANESE, **k), 4),
        (lambda **k: hero("p", None, JAPANESE, **k), 0),
    ],
)
def test_a_japanese_prisoner_is_removed_and_his_doubled_cvp_subtracted(one, points):
    prisoner = one(status="prisoner", guard="guard", setup_area="M1")
    table = campaign(guard(), prisoner, areas=AREAS, japanese={"cvp": 50}, marine={"cvp": 7})
    result = play(resolve_prisoners_and_unarmed_units, table)
    assert result.unit("p").fate is Fate.ELIMINATED
    assert (result.cvp(JAPANESE), result.cvp(MARINE)) == (50 - points, 7)


def test_a_prisoner_worth_no_cvp_subtracts_and_reports_none():
    prisoner = hero("p", None, JAPANESE, status="prisoner", guard="guard", setup_area="M1")
    result = play(
        resolve_prisoners_and_unarmed_units,
        campaign(guard(), prisoner, areas=AREAS, japanese={"cvp": 3}),
    )
    assert "CVP" not in result.log


@pytest.mark.parametrize(
    ("ruling", "left", "told"),
    [
        ("subtract", 0, "(twice its 2, not below 0), now 0 (ruling R-PRISONER-CVP)"),
        ("subtract_below", -1, "(twice its 2), now −1 (ruling R-PRISONER-CVP)"),
        ("ignore", 3, None),
    ],
)
def test_a_ruling_limits_how_far_the_japanese_total_falls(ruling, left, told):
    prisoner = japanese_squad("p", None, status="prisoner", guard="guard", setup_area="M1")
    ruled = {"R-PRISONER-CVP": ruling}
    table = campaign(guard(), prisoner, areas=AREAS, japanese={"cvp": 3}, rulings=ruled)
    result = play(resolve_prisoners_and_unarmed_units, table)
    assert result.cvp(JAPANESE) == left
    if told:
        assert f"Japanese CVP −4 for 4-4-7 squad p {told}" in result.said


def test_a_prisoner_of_an_isolated_marine_stays_a_prisoner():
    table = campaign(
        marine_squad("guard", "K30", isolated=True),
        japanese_squad("p", "K30", status="prisoner", guard="guard"),
        areas=AREAS,
    )
    result = play(resolve_prisoners_and_unarmed_units, table)
    assert (result.unit("p").fate, result.unit("p").guard) == (Fate.IN_PLAY, "guard")


def test_marine_prisoners_are_kept_by_default():
    result = play(resolve_prisoners_and_unarmed_units, campaign(captors(), held(), areas=AREAS))
    assert result.unit("held").in_play
    assert (result.cvp(JAPANESE), result.campaign.situation.massacre) == (0, False)


def test_a_massacre_lists_its_lasting_effects_at_the_table():
    told = "Massacre (A20.4) is in effect: apply it at the table in each scenario"
    table = campaign(captors(), held(), areas=AREAS)
    result = play(resolve_prisoners_and_unarmed_units, table, choices={"held": "massacre"})
    assert result.log.count(told) == 1
    assert (
        told
        not in play(
            resolve_prisoners_and_unarmed_units, campaign(captors(), held(), areas=AREAS)
        ).log
    )


def test_massacre_scores_undoubled_and_stays_in_effect():
    table = campaign(captors(), held(), areas=AREAS)
    result = play(resolve_prisoners_and_unarmed_units, table, choices={"held": "massacre"})
    assert result.unit("held").fate is Fate.ELIMINATED
    assert result.cvp(JAPANESE) == 2
    assert result.campaign.situation.massacre


def test_a_prisoner_may_be_handed_to_another_guard_in_the_area():
    other = japanese_half_squad("other", None, setup_area="J1")
    unarmed = japanese_half_squad("unarmed", None, setup_area="J1", status="unarmed")
    table = campaign(captors(), other, unarmed, held(), areas=AREAS)
    result = play(resolve_prisoners_and_unarmed_units, table, choices={"held": {"guard": "other"}})
    assert result.unit("held").guard == "other"
    assert {"guard": "unarmed"} not in result.ask("held").allowed


@pytest.mark.parametrize("wanted", ["away", "captors", "held", "nobody"])
def test_a_prisoner_is_not_handed_to_a_guard_elsewhere(wanted):
    away = japanese_half_squad("away", "N19", isolated=True)
    table = campaign(captors(), away, held(), areas=AREAS)
    with pytest.raises(RefusedError):
        play(resolve_prisoners_and_unarmed_units, table, choices={"held": {"guard": wanted}})


def test_an_unarmed_japanese_squad_becomes_full_strength_conscripts():
    one = japanese_squad("u", "N25", "elite", "reduced", status="unarmed")
    result = play(resolve_prisoners_and_unarmed_units, campaign(one, areas=AREAS))
    unit = result.unit("u")
    assert (unit.type, unit.strength, unit.kind) == ("3-3-6", UnitStrength.FULL, UnitKind.SQUAD)
    assert (unit.status, unit.setup_area, unit.location) == ((), "J1", None)


def test_an_unarmed_japanese_half_squad_becomes_a_conscript_half_squad():
    one = japanese_half_squad("u", "N25", "elite", status="unarmed")
    assert (
        play(resolve_prisoners_and_unarmed_units, campaign(one, areas=AREAS)).unit("u").type
        == "1-2-6"
    )


def test_an_unarmed_marine_squad_becomes_two_2_4_8():
    one = marine_squad("u", "N23", status="unarmed")
    result = play(resolve_prisoners_and_unarmed_units, campaign(one, areas=AREAS))
    for id in ("u", "u.2"):
        unit = result.unit(id)
        assert (unit.type, unit.kind, unit.setup_area) == ("2-4-8", UnitKind.HALF_SQUAD, "M1")


def test_an_unarmed_marine_half_squad_becomes_a_2_4_8():
    one = marine_half_squad("u", "N23", status="unarmed", traits="engineer")
    unit = play(resolve_prisoners_and_unarmed_units, campaign(one, areas=AREAS)).unit("u")
    assert (unit.type, unit.traits) == ("2-4-8", ())


@pytest.mark.parametrize(
    "one", [crew("u", "N23", status="unarmed"), leader("u", "N23", "9-1", status="unarmed")]
)
def test_crews_and_smc_are_rearmed_unchanged(one):
    before = one.type
    unit = play(resolve_prisoners_and_unarmed_units, campaign(one, areas=AREAS)).unit("u")
    assert (unit.type, unit.status) == (before, ())


def test_an_unarmed_unit_off_map_is_rearmed_and_stays_there():
    away = marine_half_squad("u", "off_map", status="unarmed")
    unit = play(resolve_prisoners_and_unarmed_units, campaign(away, areas=AREAS)).unit("u")
    assert (unit.status, unit.location, unit.setup_area) == ((), "off_map", None)


def test_a_prisoner_whose_guard_is_gone_is_rearmed():
    one = marine_half_squad("u", "N23", status="prisoner")
    unit = play(resolve_prisoners_and_unarmed_units, campaign(one, areas=AREAS)).unit("u")
    assert (unit.status, unit.setup_area) == ((), "M1")


def test_the_owner_chooses_between_two_equally_near_areas():
    one = marine_half_squad("u", "N26", status="unarmed")
    areas = {"M1": "N18-N22", "M2": "N30-N33"}
    default = play(resolve_prisoners_and_unarmed_units, campaign(one.clone(), areas=areas))
    assert default.unit("u").setup_area == "M1"
    chosen = play(
        resolve_prisoners_and_unarmed_units, campaign(one, areas=areas), choices={"u": "M2"}
    )
    assert chosen.unit("u").setup_area == "M2"


def test_a_unit_on_the_table_may_start_from_any_hex_of_its_area():
    one = marine_half_squad("u", "in N23", status="unarmed")
    areas = {"M1": "N18-N22", "M2": "N30-N33", "J1": "N23-N29"}
    chosen = play(
        resolve_prisoners_and_unarmed_units, campaign(one, areas=areas), choices={"u": "M2"}
    )
    assert chosen.unit("u").setup_area == "M2"


def test_a_rearmed_unit_is_no_longer_aboard_a_vehicle_left_in_the_ocean():
    one = marine_half_squad("u", "S22", status="unarmed", aboard="v")
    afloat = vehicle("v", "S22", status="mired")
    unit = play(resolve_prisoners_and_unarmed_units, campaign(one, afloat, areas=AREAS)).unit("u")
    assert (unit.setup_area, unit.aboard) == ("M1", None)


def test_a_unit_left_in_the_ocean_reaches_the_area_nearest_to_its_land():
    """His guard was lost with their LVT (15.6043)."""
    drifting = japanese_squad("u", "T27", status="prisoner")
    areas = {"M1": "N18", "J1": "S30-S33 M40-M45", "J2": "B5-B9"}
    result = play(resolve_prisoners_and_unarmed_units, campaign(drifting, areas=areas))
    unit = result.unit("u")
    assert (unit.setup_area, unit.location, unit.isolated) == ("J1", None, False)
    assert "Retained in Area J1" in result.log


def test_paths_lead_over_land_not_through_the_ocean():
    one = marine_half_squad("u", "T33:pier", status="unarmed")
    areas = {"M1": "R33", "M2": "S13"}
    result = play(resolve_prisoners_and_unarmed_units, campaign(one, areas=areas))
    assert result.unit("u").setup_area == "M1"


def test_after_the_last_date_prisoners_count_double_and_the_campaign_ends():
    table = campaign(captors(), held(), areas=AREAS, date="22 PM", rulings={"R-CG-END": "close"})
    result = play(resolve_prisoners_and_unarmed_units, table)
    assert result.cvp(JAPANESE) == 4
    assert result.campaign.situation.phase is Phase.OVER
    assert "(ruling R-CG-END)" in result.log


def test_prisoners_do_not_count_double_before_the_last_date():
    table = campaign(captors(), held(), areas=AREAS, date="22 AM")
    result = play(resolve_prisoners_and_unarmed_units, table)
    assert (result.cvp(JAPANESE), result.campaign.situation.phase) == (0, Phase.REFIT)


def test_a_campaign_already_won_ends_at_15_609():
    result = play(resolve_prisoners_and_unarmed_units, campaign(areas=AREAS, victor=MARINE))
    assert result.campaign.situation.phase is Phase.OVER


def test_a_rearmed_unit_by_agreement_has_the_strength_of_its_class():
    unarmed = japanese_squad("u", "N19", status="unarmed")
    table = campaign(unarmed, areas=AREAS, rulings={"R-REARM": "enter"})
    result = play(
        resolve_prisoners_and_unarmed_units, table, choices={"rearm:u": {"class": "second_line"}}
    )
    assert result.unit("u").type == "3-4-7"


# --- nowhere to go ------------------------------------------------------------------------------

NO_PERIMETER = {"areas": {"J1": "J40-J50 N22"}}


def test_a_rearmed_marine_with_no_area_to_reach_is_isolated_in_place():
    unarmed = marine_half_squad("m1", "N22", status="unarmed")
    result = play(resolve_prisoners_and_unarmed_units, campaign(unarmed, **NO_PERIMETER))
    one = result.unit("m1")
    assert (one.isolated, one.recorded_location, one.location) == (True, "N22", "N22")
    assert result.said[-1] == "2-4-8 HS m1 (N22) is Isolated"


def test_a_prisoner_held_in_an_area_has_no_known_location():
    freed = marine_half_squad("m1", None, status="unarmed", setup_area="J1")
    result = play(resolve_prisoners_and_unarmed_units, campaign(freed, **NO_PERIMETER))
    assert (result.unit("m1").location, result.unit("m1").setup_area) == (None, None)
    assert "enter its Location with edit" in result.said[-1]


def test_both_half_squads_of_a_rearmed_squad_are_isolated_in_place():
    freed = marine_squad("m1", "N22", status="prisoner")
    result = play(resolve_prisoners_and_unarmed_units, campaign(freed, **NO_PERIMETER))
    assert [result.unit(id).recorded_location for id in ("m1", "m1.2")] == ["N22", "N22"]


def test_a_rearmed_japanese_with_no_area_to_reach_is_isolated_among_marines_alone():
    rulings = {"areas": {"M1": "N18-N21"}}
    units = [
        japanese_half_squad(id, at, status="unarmed") for id, at in (("a", "N20"), ("b", "K9"))
    ]
    result = play(resolve_prisoners_and_unarmed_units, campaign(*units, **rulings))
    assert [result.unit(id).isolated for id in ("a", "b")] == [True, False]
