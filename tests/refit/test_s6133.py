"""15.6133 and 15.6135: FT/DC, and what is abandoned, scrounged or removed, as entered."""

from typing import Any

import pytest

from brt_cg.model.counters import Fate, UnitClass
from brt_cg.questions.answers import Raw, RefusedError
from brt_cg.refit.play import Paragraph
from brt_cg.refit.s613_equipment import ask_abandoned_and_scrounged, ask_replenished_ft_and_dc
from tests.refit.table import (
    JAPANESE,
    MARINE,
    Result,
    campaign,
    gun,
    japanese_squad,
    marine_half_squad,
    marine_squad,
    play,
    sw,
    terrain,
    vehicle,
    vehicular,
)

AREAS = {"M1": "N20-N24 M20-M24", "J1": "N25-N45"}
BOTH = [ask_replenished_ft_and_dc, ask_abandoned_and_scrounged]


def table() -> tuple[Any, ...]:
    return (
        marine_squad("m1", None, setup_area="M1", traits="engineer"),
        sw("ft", None, "FT", setup_area="M1", status="malfunctioned"),
        sw("dc", None, "DC", fate=Fate.ELIMINATED),
        vehicle("t1", None, setup_area="M1"),
        japanese_squad("j1", None, setup_area="J1"),
        terrain("r1", "N22", "stone_rubble"),
    )


def enter(paragraph: Paragraph = ask_replenished_ft_and_dc, *more: Any, **entries: Raw) -> Result:
    return play(paragraph, campaign(*table(), *more, areas=AREAS), choices=entries)


def refusal(*entry: Raw) -> str:
    with pytest.raises(RefusedError) as caught:
        enter(marine=list(entry))
    return str(caught.value)


def doing(counter: Any = "ft", do: Any = "FT replenished", **values: Any) -> dict[str, Any]:
    return {"do": do, "counter": counter, "set": values}


@pytest.mark.parametrize("paragraph", BOTH)
def test_each_side_is_asked_and_nothing_changes_by_default(paragraph: Paragraph) -> None:
    result = enter(paragraph)
    assert result.subjects == ["marine", "japanese"]
    assert [one.side for one in result.asks] == [MARINE, JAPANESE]
    assert result.said == []


@pytest.mark.parametrize("nothing", [None, []])
def test_null_or_an_empty_list_means_no_change(nothing: Raw) -> None:
    assert enter(marine=nothing).said == []


@pytest.mark.parametrize(("paragraph", "ruling"), [(BOTH[0], "R-FT-DC"), (BOTH[1], "R-SCROUNGE")])
def test_an_entered_change_is_made_and_logged_with_its_ruling(
    paragraph: Paragraph, ruling: str
) -> None:
    result = enter(paragraph, marine=[doing(status=[], possessor="m1")])
    assert result.weapon("ft").status == ()
    assert result.weapon("ft").possessor == "m1"
    assert f"FT ft (Area M1): FT replenished (ruling {ruling})" in result.said
    assert "FT ft (Area M1): possessed by – → 7-6-8 squad m1" in result.said


def test_an_unchanged_field_is_not_logged() -> None:
    result = enter(marine=[doing(status=["malfunctioned"], possessor="m1")])
    assert [line for line in result.said if "→" in line] == [
        "FT ft (Area M1): possessed by – → 7-6-8 squad m1"
    ]


def test_a_revealed_counter_is_logged_without_its_former_state() -> None:
    lurks = japanese_squad("lurks", "N31", setup_area="J1", status="hidden")
    lmg = sw("lmg", None, "LMG", JAPANESE, setup_area="J1", possessor="lurks")
    left = doing("lmg", "left behind", possessor=None)
    shown = doing("lurks", "comes out", status=[], location="N33")
    result = enter(ask_abandoned_and_scrounged, lurks, lmg, japanese=[left, shown])
    told = zip(result.said, result.secrets, strict=True)
    public = [line for line, secret in told if secret is None]
    assert "LMG lmg (Area J1): possessed by –" in public
    assert not any("lurks" in line for line in public if "lmg" in line)
    assert not any("N31 →" in line for line in public)
    assert any(line.endswith(": Location N33") for line in public)


def test_several_changes_are_made_in_the_order_entered() -> None:
    entry = [doing(status=[]), doing("ft", "thrown away", fate="eliminated")]
    assert enter(marine=entry).weapon("ft").fate is Fate.ELIMINATED


def test_an_expended_dc_comes_back_in_its_possessors_location() -> None:
    found = enter(marine=[doing("dc", "DC", fate="in_play", possessor="m1")]).weapon("dc")
    assert (found.in_play, found.setup_area, found.location) == (True, "M1", None)


def test_a_counter_back_in_play_needs_a_location() -> None:
    assert "dc: back in play; enter its location or possessor" in refusal(
        doing("dc", "DC", fate="in_play")
    )


def test_a_tank_may_be_abandoned() -> None:
    entry = [doing("t1", "abandoned", status=["abandoned"], inherent_crew=False, location="N22")]
    result = enter(ask_abandoned_and_scrounged, marine=entry)
    assert not result.vehicle("t1").manned
    assert result.vehicle("t1").location == "N22"
    crew = result.unit("t1-crew")
    assert (crew.type, crew.in_play, crew.setup_area, crew.location) == ("1-2-6", True, "M1", None)
    assert "1-2-6 vehicle crew t1-crew (Area M1) leaves M4A2 t1" in result.said


def test_the_unit_that_re_manned_it_gets_out_again() -> None:
    crewed = marine_half_squad("hs", None, fate=Fate.CREWED, became="t1")
    entry = [doing("t1", "abandoned", status=["abandoned"], inherent_crew=False)]
    result = enter(ask_abandoned_and_scrounged, crewed, marine=entry)
    assert (result.unit("hs").fate, result.unit("hs").setup_area) == (Fate.IN_PLAY, "M1")
    assert "t1-crew" not in result.campaign.units


@pytest.mark.parametrize(
    "values",
    [
        {"fate": "eliminated", "inherent_crew": False},
        {"status": ["wreck"], "fate": "eliminated"},
        {"side": "japanese", "inherent_crew": False, "status": ["abandoned"]},
        {"status": ["immobilized"]},
    ],
)
def test_nobody_gets_out_of_a_tank_that_is_gone_or_stays_manned(values: dict[str, Any]) -> None:
    result = enter(ask_abandoned_and_scrounged, marine=[doing("t1", "done", **values)])
    assert "t1-crew" not in result.campaign.units


def test_the_crew_of_a_tank_abandoned_in_the_ocean_stays_beside_it() -> None:
    boat = vehicle("lvt", "Z20", "LVT2", status="immobilized")
    entry = [doing("lvt", "abandoned", status=["abandoned", "immobilized"], inherent_crew=False)]
    crew = enter(ask_abandoned_and_scrounged, boat, marine=entry).unit("lvt-crew")
    assert (crew.location, crew.setup_area, crew.isolated) == ("Z20", None, False)


def test_abandoning_is_offered_for_an_immobile_vehicle() -> None:
    stuck = vehicle("t2", "N22", setup_area="M1", status="immobilized stunned")
    form = enter(ask_abandoned_and_scrounged, stuck).ask("marine").form
    assert form is not None
    told = {one.words: one.raw for one in form.candidates_for(None)}
    left = told["M4A2 t2 (N22): abandoned"]
    values = {"status": ["abandoned", "immobilized"], "inherent_crew": False}
    assert left == [{"do": "abandoned", "counter": "t2", "set": values}]
    assert not any("t1" in words for words in told), "it is mobile"


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (["FT"], '[0]: "FT" is not accepted; enter an object with do, counter and set'),
        ([{"do": "x", "counter": "ft"}], "enter an object with do, counter and set"),
        ([doing() | {"why": "so"}], "enter an object with do, counter and set"),
        ([doing(do="  ")], 'do: "  " is not accepted'),
        ([doing(do=3)], "do: 3 is not accepted"),
        (
            [doing("nobody")],
            'counter: "nobody" is not accepted; enter the name of a Marine counter',
        ),
        ([doing(7)], "counter: 7 is not accepted"),
        ([doing("j1")], 'counter: "j1" is not accepted'),
        ([doing("r1")], 'counter: "r1" is not accepted'),
        ([doing(colour="red")], "ft: no field 'colour' to set"),
        ([doing(id="ft2")], "ft: no field 'id' to set"),
        ([doing(status=["rusty"])], '"rusty" is not accepted; enter disabled'),
        (
            [{"do": "x", "counter": "ft", "set": 5}],
            "ft: 5 is not accepted; enter an object of fields",
        ),
        ([doing(fate="crewed")], '"crewed" is not accepted; enter in_play, eliminated, captured'),
        ([doing(repair_number="2")], "enter a whole number from 0 to 99"),
    ],
)
def test_an_entry_is_checked(entry: list[Any], words: str) -> None:
    assert words in refusal(*entry)


@pytest.mark.parametrize("entry", ["ft", {"do": "x"}, 3])
def test_an_entry_is_a_list(entry: Raw) -> None:
    with pytest.raises(RefusedError, match="a list of"):
        enter(marine=entry)


def test_every_problem_is_reported_with_its_place_in_the_list() -> None:
    lines = refusal(doing("nobody"), doing(), doing(colour="red", status=["rusty"])).splitlines()
    assert [line[:3] for line in lines] == ["[0]", "[2]", "[2]"]


def test_a_side_that_hides_something_answers_in_secret() -> None:
    hidden = japanese_squad("j2", None, setup_area="J1", status="hidden")
    result = enter(ask_replenished_ft_and_dc, hidden)
    assert [one.secret for one in result.asks] == [None, JAPANESE]


@pytest.mark.parametrize(
    ("values", "digits"),
    [
        ({"class": "elite"}, "4-4-8"),
        ({"strength": "reduced"}, "3-4-7"),
        ({"kind": "half_squad"}, "2-3-7"),
        ({"class": "conscript", "strength": "reduced"}, "2-2-6"),
        ({"class": "conscript", "traits": ["korean_laborer"]}, "3-3-6"),
    ],
)
def test_strength_factors_of_a_japanese_unit_follow_the_entered_fields(
    values: dict[str, Any], digits: str
) -> None:
    result = enter(japanese=[doing("j1", "as the players agree", **values)])
    assert result.unit("j1").type == digits
    assert f"→ {digits}" in result.log


def test_null_sets_a_field_to_its_default() -> None:
    weapon = enter(marine=[doing(nation=None, repair_number=None, depleted=None)]).weapon("ft")
    assert (weapon.nation, weapon.repair_number, weapon.depleted) == (MARINE, None, ())
    assert enter(marine=[doing("m1", **{"class": None})]).unit("m1").class_ is UnitClass.ELITE


def test_strength_factors_that_contradict_other_fields_are_refused() -> None:
    with pytest.raises(RefusedError):
        enter(japanese=[doing("j1", "hardened", **{"class": "elite", "type": "4-4-7"})])


def test_a_class_without_counters_is_refused_with_the_allowed_ones() -> None:
    with pytest.raises(RefusedError, match="enter elite"):
        enter(japanese=[doing("j1", "hardened", **{"class": "green"})])


# --- what cannot be -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ([doing("m1", guard="j1")], "m1: guard: only a unit with the status prisoner has one"),
        (
            [doing("m1", status=["prisoner"])],
            "m1: no guard; enter an enemy unit as its guard (15.609)",
        ),
        ([doing("t1", location="N22:zz")], "t1: location: N22:zz: zz is not a fortification"),
        ([doing("ft", possessor="j1")], "possessor: j1 is japanese, but ft is marine"),
        ([doing("hs", fate="in_play", location="N22")], "hs: fate: it was recombined into m1"),
        ([doing("ft", possessor="m1"), doing("m1", side="japanese", type="4-4-7")], "m1"),
    ],
)
def test_a_state_that_no_file_may_hold_is_refused_and_changes_nothing(
    entry: list[Any], words: str
) -> None:
    hs = marine_half_squad("hs", None, fate=Fate.RECOMBINED, became="m1")
    made = campaign(*table(), hs, areas=AREAS)
    before = made.clone()
    with pytest.raises(RefusedError) as refused:
        play(ask_abandoned_and_scrounged, made, choices={"marine": entry})
    assert words in str(refused.value)
    assert made == before


def test_an_abandoned_tank_is_captured_with_its_armament() -> None:
    ma = vehicular("ma", None, "t1", setup_area="M1")
    entry = [doing("t1", "taken", side="japanese", location="N30")]
    result = enter(ask_abandoned_and_scrounged, ma, marine=entry)
    assert (result.weapon("ma").side, result.weapon("ma").setup_area) == (JAPANESE, "J1")


# --- another Location ---------------------------------------------------------------------------

SPLIT = {"M1": "N20-N22", "M2": "N24", "J1": "N25-N45 N23"}
ISOLATED: dict[str, Any] = {"isolated": True, "recorded_location": "N30"}
BOUND = {"recorded_location": "N21"}
BETWEEN = (("m1", "N30"), ("m2", "N31"))


def moved(to: str, *counters: Any, id: str = "m1") -> Result:
    made = campaign(*counters, areas=SPLIT)
    entry = {"marine": [doing(id, "goes elsewhere", location=to)]}
    return play(ask_abandoned_and_scrounged, made, choices=entry)


def test_a_retained_unit_given_a_location_is_retained_in_its_area_with_its_sw() -> None:
    result = moved(
        "N24",
        marine_squad("m1", None, setup_area="M1"),
        sw("mg", None, possessor="m1", setup_area="M1"),
        gun("g", None, side=MARINE, possessor="m1", setup_area="M1", recorded_location="N21"),
    )
    unit, gun_left = result.unit("m1"), result.weapon("g")
    assert (unit.location, unit.setup_area) == (None, "M2")
    assert (result.weapon("mg").location, result.weapon("mg").setup_area) == (None, "M2")
    assert (gun_left.setup_area, gun_left.possessor) == ("M1", None)
    assert result.said[-1] == "7-6-8 squad m1 is Retained in Area M2"


@pytest.mark.parametrize("to", ["N23", "N30", "A1"])
def test_a_unit_may_not_be_retained_in_an_enemy_area(to: str) -> None:
    with pytest.raises(
        RefusedError, match=f"m1 cannot be in {to}; enter off_map, or a hex of Area M1"
    ):
        moved(to, marine_squad("m1", None, setup_area="M1"))


def test_a_unit_off_map_is_in_no_area() -> None:
    unit = moved("off_map", marine_squad("m1", None, setup_area="M1")).unit("m1")
    assert (unit.location, unit.setup_area) == ("off_map", None)


def test_the_recorded_location_of_an_isolated_unit_follows_it() -> None:
    captive = japanese_squad("c", "N30", status="prisoner", guard="m1")
    result = moved(
        "N31",
        marine_squad("m1", "N30", **ISOLATED),
        sw("mg", "N30", possessor="m1", **ISOLATED),
        sw("left", "N30", **ISOLATED),
        captive,
    )
    for id in ("m1", "mg"):
        one = result.piece(id)
        assert (one.location, one.isolated, one.recorded_location) == ("N31", True, "N31")
    assert (result.unit("c").location, result.unit("c").isolated) == ("N31", False)
    left = result.weapon("left")
    assert (left.side, left.isolated, left.setup_area) == (JAPANESE, False, "J1")


def test_isolated_units_moved_to_an_area_of_their_side_are_retained_there() -> None:
    unit = moved("N24", marine_squad("m1", "N30", **ISOLATED)).unit("m1")
    assert (unit.location, unit.setup_area, unit.isolated) == (None, "M2", False)
    assert unit.recorded_location is None


def test_an_immobile_tank_is_recorded_in_its_new_location() -> None:
    tank = vehicle("t1", "N21", setup_area="M1", recorded_location="N21", status="immobilized")
    result = moved("N24", tank, vehicular("ma", "N21", "t1", setup_area="M1"), id="t1")
    one = result.vehicle("t1")
    assert (one.location, one.recorded_location, one.setup_area) == ("N24", "N24", "M2")
    assert (result.weapon("ma").location, result.weapon("ma").setup_area) == ("N24", "M2")


def test_a_gun_is_recorded_in_its_new_location() -> None:
    result = moved("N24", gun("g", "N21", side=MARINE, setup_area="M1", **BOUND), id="g")
    assert (result.weapon("g").setup_area, result.weapon("g").recorded_location) == ("M2", "N24")


def test_unretained_equipment_may_be_moved_within_its_place() -> None:
    result = moved("N31", sw("mg", "N30"), id="mg")
    assert (result.weapon("mg").location, result.weapon("mg").setup_area) == ("N31", None)


def test_a_weapon_goes_from_one_isolated_location_to_another() -> None:
    others = [marine_squad(id, at, isolated=True, recorded_location=at) for id, at in BETWEEN]
    result = moved("N31", sw("mg", "N30", **ISOLATED), *others, id="mg")
    found = result.weapon("mg")
    assert (found.isolated, found.recorded_location) == (True, "N31")


@pytest.mark.parametrize(("id", "carrier"), [("mg", "m1"), ("ma", "t1")])
def test_a_carried_counter_is_in_its_carriers_location(id: str, carrier: str) -> None:
    with pytest.raises(RefusedError, match=f"it is where {carrier} is"):
        moved(
            "N24",
            marine_squad("m1", None, setup_area="M1"),
            sw("mg", None, possessor="m1", setup_area="M1"),
            vehicle("t1", None, setup_area="M1"),
            vehicular("ma", None, "t1", setup_area="M1"),
            id=id,
        )


def test_a_prisoner_given_another_guard_is_retained_with_him() -> None:
    result = play(
        ask_abandoned_and_scrounged,
        campaign(
            marine_squad("m1", None, setup_area="J1", status="prisoner", guard="j1"),
            japanese_squad("j1", None, setup_area="J1"),
            japanese_squad("j2", None, setup_area="J2"),
            areas=AREAS | {"J2": "N50"},
        ),
        choices={"marine": [doing("m1", "handed over", guard="j2")]},
    )
    assert (result.unit("m1").guard, result.unit("m1").setup_area) == ("j2", "J2")
