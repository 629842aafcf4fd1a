"""15.604: Encircled units check, bogged vehicles come free or not, Shock is recovered or kills."""

from typing import Any

import pytest

from brt_cg.model.counters import Fate, Unit, UnitKind
from brt_cg.questions.answers import RefusedError
from brt_cg.refit.s604_encirclement import (
    attempt_bog_removal,
    check_encircled_units,
    roll_for_shocked_vehicles,
)
from tests.refit.table import (
    JAPANESE,
    MARINE,
    Result,
    campaign,
    crew,
    dr,
    hero,
    japanese_squad,
    leader,
    marine_half_squad,
    marine_squad,
    pathfinder,
    play,
    sw,
    unit,
    vehicle,
    vehicular,
)

PASS = [[1, 1]]
FAIL = [[6, 6]]
ML = "Morale Level (0 or less passes)"


def check(
    *counters: Any, rolls: Any, choices: Any = None, rulings: Any = None, **how: Any
) -> Result:
    table = campaign(*counters, rulings=rulings)
    return play(check_encircled_units, table, rolls, choices, **how)


def marine(**values: Any) -> Unit:
    """An Encircled Marine squad, m1, in N21."""
    return marine_squad("m1", "N21", status="encircled", **values)


def japanese(class_: str = "first_line", **values: Any) -> Unit:
    """An Encircled Japanese squad, j1, in N21."""
    return japanese_squad("j1", "N21", class_, status="encircled", **values)


# --- 15.6041: the check -----------------------------------------------------------------------


@pytest.mark.parametrize("total", range(2, 13))
def test_a_marine_squad_needs_a_six(total: int) -> None:
    result = check(marine(), rolls={"m1": dr(total)})
    assert result.unit("m1").in_play is (total <= 6)
    assert result.modifiers("m1") == {
        "for the 1TC": 1,
        ML: -8,
        "Encircled (Morale Level −1, R-ENCIRCLED-ML)": 1,
    }


@pytest.mark.parametrize("total", range(2, 13))
def test_a_first_line_japanese_squad_needs_a_seven(total: int) -> None:
    result = check(japanese(), rolls={"j1": dr(total)})
    assert result.unit("j1").in_play is (total <= 7)
    assert result.modifiers("j1") == {ML: -7}


@pytest.mark.parametrize(
    ("passer", "needed"),
    [
        (marine_half_squad("u", "N21"), 6),
        (crew("u", "N21"), 6),
        (hero("u", "N21"), 7),
        (hero("u", "N21", status="wounded"), 6),
        (pathfinder("u", "N21"), 7),
        (pathfinder("u", "N21", status="wounded"), 6),
        (leader("u", "N21", "8-1"), 6),
        (leader("u", "N21", "9-2"), 7),
        (leader("u", "N21", "9-2", status="wounded"), 6),
        (japanese_squad("u", "N21", "elite"), 8),
        (japanese_squad("u", "N21", "elite", "reduced"), 8),
        (japanese_squad("u", "N21", "conscript"), 6),
        (leader("u", "N21", "10-1", JAPANESE), 10),
        (leader("u", "N21", "10-1", JAPANESE, status="wounded"), 9),
        (leader("u", "N21", "9-1", JAPANESE, status="wounded"), 8),
        (crew("u", "N21", JAPANESE), 8),
    ],
)
def test_each_unit_needs_its_morale_level(passer: Unit, needed: int) -> None:
    for total, in_play in ((needed, True), (needed + 1, False)):
        one = passer.clone()
        one.add_status("encircled")
        assert check(one, rolls={"u": dr(total)}).unit("u").in_play is in_play


def test_encirclement_does_not_lower_morale_if_so_ruled() -> None:
    result = check(marine(), rolls={"m1": dr(7)}, rulings={"R-ENCIRCLED-ML": "none"})
    assert result.unit("m1").in_play
    assert result.modifiers("m1") == {"for the 1TC": 1, ML: -8}


def test_a_unit_that_passes_stays_encircled_in_place() -> None:
    result = check(marine(), rolls={"m1": PASS})
    assert (result.unit("m1").location, result.unit("m1").status) == ("N21", ("encircled",))


def test_a_unit_that_fails_is_eliminated_and_scores() -> None:
    result = check(marine(), rolls={"m1": FAIL})
    assert result.unit("m1").fate is Fate.ELIMINATED
    assert result.cvp(JAPANESE) == 2


def test_prisoners_take_no_check() -> None:
    held = marine_squad("m1", "N21", status="encircled prisoner")
    assert check(held, rolls={}).asks == []


def test_units_not_encircled_take_no_check() -> None:
    assert check(marine_squad("m1", "N21"), rolls={}).said == []


def test_checks_go_marines_first_then_by_hex_with_the_best_leaders_first() -> None:
    counters = [
        leader("l1", "N21", "8-0"),
        leader("l2", "N21", "9-2"),
        marine_squad("a1", "N21"),
        hero("h1", "N21"),
        marine_squad("m2", "N9"),
        leader("k1", "N21", "8-0", JAPANESE),
        leader("k2", "N21", "10-0", JAPANESE),
        leader("k0", "N21", "9-1", JAPANESE),
        japanese_squad("j1", "A10"),
    ]
    for one in counters:
        one.add_status("encircled")
    ids = [one.id for one in counters]
    result = check(*counters, rolls=dict.fromkeys(ids, PASS), choices=None)
    rolled = [one.subject for one in result.asks if one.kind == "roll"]
    assert rolled == ["m2", "l2", "l1", "h1", "a1", "j1", "k2", "k0", "k1"]


# --- a leader's help --------------------------------------------------------------------------


def test_the_best_leader_in_the_location_helps_by_default() -> None:
    leaders = leader("l1", "N21", "8-1"), leader("l2", "N21", "9-2")
    result = check(marine(), *leaders, rolls={"m1": dr(8)})
    assert result.ask("m1", "choice").allowed == ["l2", "l1", None]
    assert result.modifiers("m1")["leader"] == -2
    assert result.unit("m1").in_play


@pytest.mark.parametrize(("choice", "drm"), [("l1", -1), ("l2", -2), (None, None)])
def test_the_owner_may_choose_another_leader_or_none(choice: str | None, drm: int | None) -> None:
    leaders = leader("l1", "N21", "8-1"), leader("l2", "N21", "9-2")
    result = check(marine(), *leaders, rolls={"m1": PASS}, choices={"m1": choice})
    assert result.modifiers("m1").get("leader") == drm


def test_a_wounded_leader_helps_with_his_wounded_drm() -> None:
    hurt = leader("l1", "N21", "9-2", status="wounded")
    assert check(marine(), hurt, rolls={"m1": PASS}).modifiers("m1")["leader"] == -1


@pytest.mark.parametrize(
    "other",
    [
        leader("l1", "N22", "9-2"),
        leader("l1", "N21:1", "9-2"),
        leader("l1", "N21", "9-1", JAPANESE),
        leader("l1", "N21", "9-2", status="broken"),
        leader("l1", "N21", "9-2", status="prisoner"),
        leader("l1", "N21", "9-2", fate=Fate.ELIMINATED),
        leader("l1", "N21", "8-0"),
        hero("l1", "N21"),
    ],
)
def test_ineligible_leaders_help_nobody(other: Unit) -> None:
    result = check(marine(), other.clone(), rolls={"m1": PASS})
    assert result.subjects == ["m1"]
    assert "leader" not in result.modifiers("m1")


def test_a_leader_does_not_help_himself_but_another_does() -> None:
    one, two = leader("l1", "N21", "9-2", status="encircled"), leader("l2", "N21", "8-1")
    assert "leader" not in check(one.clone(), rolls={"l1": PASS}).modifiers("l1")
    assert check(one, two, rolls={"l1": PASS}).modifiers("l1")["leader"] == -1


def test_a_leader_who_fails_helps_nobody() -> None:
    lost = leader("l1", "N21", "8-1", status="encircled")
    result = check(marine(), lost, rolls={"l1": FAIL, "m1": dr(7)})
    assert not result.unit("m1").in_play


def test_a_leader_who_passes_helps_others() -> None:
    passed = leader("l1", "N21", "8-1", status="encircled")
    result = check(marine(), passed, rolls={"l1": PASS, "m1": dr(7)})
    assert result.unit("m1").in_play


def test_a_leader_with_a_harmful_drm_is_left_out() -> None:
    result = check(marine(), leader("l1", "N21", "6+1"), rolls={"m1": PASS})
    assert result.subjects == ["m1"]
    assert "leader" not in result.modifiers("m1")
    assert (
        "has a DRM of +1, which would hurt and does not apply (ruling R-LEADER-DRM)" in result.log
    )


def test_a_leader_without_a_drm_is_not_mentioned() -> None:
    result = check(marine(), leader("l1", "N21", "7-0"), rolls={"m1": PASS})
    assert "his DRM" not in result.log


def test_a_leader_with_a_harmful_drm_applies_if_so_ruled() -> None:
    ruled = {"R-LEADER-DRM": "apply"}
    result = check(marine(), leader("l1", "N21", "6+1"), rolls={"m1": dr(6)}, rulings=ruled)
    assert result.modifiers("m1")["leader"] == 1
    assert not result.unit("m1").in_play


def test_by_ruling_apply_one_leader_must_help() -> None:
    leaders = leader("l1", "N21", "6+1"), leader("l2", "N21", "8-1")
    ruled = {"R-LEADER-DRM": "apply"}
    result = check(marine(), *leaders, rolls={"m1": PASS}, rulings=ruled)
    assert result.ask("m1", "choice").allowed == ["l2", "l1"]
    assert result.modifiers("m1")["leader"] == -1


def test_a_japanese_leader_raises_morale_by_one() -> None:
    kondo = leader("l1", "N21", "8-0", JAPANESE)
    result = check(japanese(), kondo, rolls={"j1": dr(8)})
    assert result.unit("j1").in_play
    assert result.modifiers("j1") == {
        ML: -7,
        "leader (Morale Level +1, R-LEADER-ML)": -1,
    }


def test_a_japanese_leader_with_a_harmful_drm_raises_morale() -> None:
    kondo = leader("l1", "N21", "8+1", JAPANESE)
    assert check(japanese(), kondo, rolls={"j1": dr(8)}).unit("j1").in_play


def test_a_japanese_leader_raises_a_heros_morale() -> None:
    counters = hero("h1", "N21", JAPANESE, status="encircled"), leader("l1", "N21", side=JAPANESE)
    assert check(*counters, rolls={"h1": dr(10)}).unit("h1").in_play


@pytest.mark.parametrize(
    ("other", "rulings"),
    [
        (leader("l1", "N22", "8-0", JAPANESE), {}),
        (leader("l1", "N21", "8-0", JAPANESE, status="prisoner"), {}),
        (leader("l1", "N21", "8-0", JAPANESE), {"R-LEADER-ML": "no"}),
        (hero("l1", "N21", JAPANESE), {}),
    ],
)
def test_ineligible_leaders_raise_nobodys_morale(other: Unit, rulings: Any) -> None:
    result = check(japanese(), other.clone(), rolls={"j1": PASS}, rulings=rulings)
    assert result.modifiers("j1") == {ML: -7}


def test_a_japanese_leader_does_not_raise_another_leader_or_a_berserk_unit() -> None:
    kondo = leader("l1", "N21", "8-0", JAPANESE)
    other = leader("l2", "N21", "9-0", JAPANESE, status="encircled")
    assert check(kondo.clone(), other, rolls={"l2": PASS}).modifiers("l2") == {ML: -9}
    wild = japanese_squad("j1", "N21", status="berserk encircled")
    assert check(kondo, wild, rolls={"j1": PASS}).modifiers("j1") == {ML: -7}


def test_a_marine_leader_raises_no_morale() -> None:
    result = check(marine(), leader("l1", "N21", "8-0"), rolls={"m1": PASS})
    assert len(result.modifiers("m1")) == 3


def test_all_modifiers_add_up() -> None:
    kondo = leader("l1", "N21", "9-1", JAPANESE)
    result = check(japanese(), kondo, rolls={"j1": dr(9)})
    assert result.unit("j1").in_play
    assert (
        "NTC against Morale 8 (7, leader +1), DR 6,3 = 9, −1 leader, Final DR 8: passes"
        in result.log
    )
    assert sum(result.modifiers("j1").values()) == -9


# --- vehicles ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tank", "needed"),
    [
        (vehicle("t1", "N21"), 6),
        (vehicle("t1", "N21", "Jeep", armored=False), 5),
        (vehicle("t1", "N21", "Type 95 HA-GO", JAPANESE), 8),
        (vehicle("t1", "N21", "Truck", nation=JAPANESE, armored=False), 5),
    ],
)
def test_a_vehicle_checks_with_its_crews_morale(tank: Any, needed: int) -> None:
    for total, in_play in ((needed, True), (needed + 1, False)):
        one = tank.clone()
        one.add_status("encircled")
        assert check(one, rolls={"t1": dr(total)}).vehicle("t1").in_play is in_play


@pytest.mark.parametrize(
    ("ruling", "aboard", "drm"), [("yes", None, -2), ("no", None, None), ("no", "t1", -2)]
)
def test_a_leader_on_foot_helps_a_vehicles_crew_unless_ruled_otherwise(
    ruling: str, aboard: str | None, drm: int | None
) -> None:
    tank = vehicle("t1", "N21", status="encircled")
    helps = leader("l1", "N21", "9-2", aboard=aboard)
    result = check(tank, helps, rolls={"t1": PASS}, rulings={"R-LEADER-CREW": ruling})
    assert result.modifiers("t1").get("leader") == drm


def test_a_leader_on_foot_helps_infantry_under_either_ruling() -> None:
    ruled = {"R-LEADER-CREW": "no"}
    result = check(marine(), leader("l1", "N21", "9-2"), rolls={"m1": PASS}, rulings=ruled)
    assert result.modifiers("m1")["leader"] == -2


@pytest.mark.parametrize("status", ["immobilized", "bogged", "mired"])
def test_an_immobile_vehicle_is_left_abandoned(status: str) -> None:
    tank = vehicle("t1", "N21", status=f"encircled stunned {status}", armor_leader="8-1")
    rider = marine_half_squad("m1", "N21", aboard="t1")
    gun = vehicular("w1", "N21", "t1")
    result = check(tank, rider, gun, rolls={"t1": FAIL})
    left = result.vehicle("t1")
    assert left.in_play
    assert left.status == tuple(sorted(["abandoned", "encircled", status]))
    assert (left.inherent_crew, left.armor_leader) == (False, None)
    assert not result.unit("m1").in_play
    assert result.weapon("w1").in_play
    assert result.cvp(JAPANESE) == 3


def test_a_mobile_vehicle_is_eliminated_with_those_aboard() -> None:
    tank = vehicle("t1", "N21", status="encircled")
    rider = marine_half_squad("m1", "N21", aboard="t1")
    result = check(tank, rider, rolls={"t1": FAIL})
    assert not result.vehicle("t1").in_play
    assert not result.unit("m1").in_play
    assert result.cvp(JAPANESE) == 7


def test_riders_who_are_encircled_check_for_themselves() -> None:
    tank = vehicle("t1", "N21", status="encircled immobilized")
    rider = marine_half_squad("m1", "N21", aboard="t1", status="encircled")
    result = check(tank, rider, rolls={"m1": PASS, "t1": FAIL})
    assert result.subjects == ["m1", "t1"]
    assert (result.unit("m1").in_play, result.unit("m1").aboard) == (True, None)
    assert result.vehicle("t1").has_status("abandoned")


def test_riders_who_fail_leave_the_vehicle_manned() -> None:
    tank = vehicle("t1", "N21", status="encircled immobilized")
    rider = marine_half_squad("m1", "N21", aboard="t1", status="encircled")
    result = check(tank, rider, rolls={"m1": FAIL, "t1": PASS})
    assert not result.unit("m1").in_play
    assert result.vehicle("t1").manned


@pytest.mark.parametrize("status", ["encircled abandoned", "encircled wreck"])
def test_an_empty_vehicle_takes_no_check(status: str) -> None:
    assert check(vehicle("t1", "N21", status=status), rolls={}).asks == []


# --- prisoners and equipment ------------------------------------------------------------------


def held(id: str = "m1", **values: Any) -> Unit:
    """A Marine HS, prisoner of j1 in N21."""
    return marine_half_squad(id, "N21", status="prisoner", guard="j1", **values)


def test_a_friend_in_the_location_claims_the_prisoners() -> None:
    result = check(japanese(), held(), japanese_squad("j2", "N21"), rolls={"j1": FAIL})
    assert result.unit("m1").guard == "j2"
    assert "prisoners:j1" not in result.subjects


def test_the_first_friend_by_id_claims_the_prisoners_by_default() -> None:
    friends = japanese_squad("j3", "N21"), japanese_squad("j2", "N21")
    guards = [
        check(
            *(japanese(), held(), held("m2"), *(one.clone() for one in friends)),
            rolls={"j1": FAIL},
            choices=choices,
        )
        for choices in (None, {"prisoners:j1": "j3"})
    ]
    assert [one.unit("m1").guard for one in guards] == ["j2", "j3"]
    assert [one.unit("m2").guard for one in guards] == ["j2", "j3"]
    assert guards[0].ask("prisoners:j1").side is JAPANESE


@pytest.mark.parametrize(
    "friend",
    [
        japanese_squad("j2", "N22"),
        japanese_squad("j2", "N21:1"),
        japanese_squad("j2", "N21", status="broken"),
        japanese_squad("j2", "N21", status="unarmed"),
        marine_squad("m9", "N21"),
    ],
)
def test_prisoners_nobody_claims_are_rearmed(friend: Unit) -> None:
    result = check(japanese(), held(), friend.clone(), rolls={"j1": FAIL})
    freed = result.unit("m1")
    assert (freed.status, freed.guard, freed.type) == ((), None, "2-4-8")
    assert "Rearmed" in result.log
    assert "(ruling R-REARM)" in result.log


def test_a_claimant_who_fails_his_check_loses_the_prisoners() -> None:
    second = japanese_squad("j2", "N21", status="encircled")
    result = check(japanese(), second, held(), rolls={"j1": FAIL, "j2": FAIL})
    assert not result.unit("m1").prisoner


def test_a_guard_who_passes_keeps_his_prisoners() -> None:
    result = check(japanese(), held(), rolls={"j1": PASS})
    assert (result.unit("m1").guard, result.unit("m1").prisoner) == ("j1", True)


def rearmed(prisoner: Unit, guard: Unit, **how: Any) -> Result:
    prisoner.add_status("prisoner")
    prisoner.guard = guard.id
    return check(guard, prisoner, rolls={guard.id: FAIL}, **how)


def test_a_rearmed_marine_squad_becomes_two_248() -> None:
    squad = marine_squad("m1", "N21", traits="engineer", name="Able")
    result = rearmed(squad, japanese())
    assert (result.unit("m1").name, result.unit("m1.2").name) == ("Able", None)
    for id in ("m1", "m1.2"):
        half = result.unit(id)
        assert (half.kind, half.type, half.traits) == (UnitKind.HALF_SQUAD, "2-4-8", ())
        assert (half.location, half.status, half.guard) == ("N21", (), None)


def test_rearmed_laborers_stay_laborers() -> None:
    laborers = japanese_squad("j1", "N21", "conscript", traits="korean_laborer")
    assert rearmed(laborers, marine()).unit("j1").traits == ("korean_laborer",)


@pytest.mark.parametrize(
    "prisoner",
    [
        leader("x", "N21", "9-1", status="wounded"),
        hero("x", "N21"),
        crew("x", "N21"),
        unit("x", "N21", MARINE, UnitKind.VEHICLE_CREW, "1-2-6"),
    ],
)
def test_a_rearmed_crew_or_smc_keeps_its_type(prisoner: Unit) -> None:
    before = prisoner.clone()
    freed = rearmed(prisoner.clone(), japanese()).unit("x")
    assert freed == before


def test_players_may_enter_the_type_of_a_rearmed_unit() -> None:
    result = rearmed(
        marine_squad("m1", "N21"),
        japanese(),
        rulings={"R-REARM": "enter"},
        choices={"rearm:m1": {"kind": "half_squad", "type": "3-4-8"}},
    )
    freed = result.unit("m1")
    assert (freed.kind, freed.type, freed.status) == (UnitKind.HALF_SQUAD, "3-4-8", ())
    assert "m1.2" not in result.campaign.units


@pytest.mark.parametrize(
    ("entered", "words"),
    [
        ({"location": "N21:zz"}, "m1: location: N21:zz: zz is not a fortification"),
        (
            {"status": ["prisoner"]},
            "7-6-8 squad m1: a Rearmed unit cannot still be a prisoner or unarmed",
        ),
        ({"guard": "j2"}, "m1: guard: only a unit with the status prisoner has one"),
    ],
)
def test_a_rearmed_unit_that_no_state_file_may_hold_is_refused(
    entered: dict[str, Any], words: str
) -> None:
    held = marine_squad("m1", "N21", status="prisoner", guard="j1")
    entering: dict[str, Any] = {
        "rulings": {"R-REARM": "enter"},
        "choices": {"rearm:m1": entered},
    }
    with pytest.raises(RefusedError, match=words):
        check(japanese(), held, japanese_squad("j2", "N30"), rolls={"j1": FAIL}, **entering)


def test_units_are_rearmed_provisionally_without_an_entry() -> None:
    result = rearmed(marine_squad("m1", "N21"), japanese(), rulings={"R-REARM": "enter"})
    assert result.unit("m1.2").type == "2-4-8"
    assert "no other values were entered" in result.log


def test_an_entered_rearmed_unit_must_be_a_counter_of_the_game() -> None:
    with pytest.raises(RefusedError, match="there is no Marine squad 9-9-9"):
        rearmed(
            marine_squad("m1", "N21"),
            japanese(),
            rulings={"R-REARM": "enter"},
            choices={"rearm:m1": {"type": "9-9-9"}},
        )


def lying() -> tuple[Any, ...]:
    return (
        sw("w1", "N21", "LMG", JAPANESE, possessor="j1"),
        sw("w2", "N21", "HMG", JAPANESE),
        sw("w3", "N22", "MMG", JAPANESE),
        sw("w5", "N21", "LMG", JAPANESE, possessor="j9"),
        vehicular("w6", "N21", "t9", side=JAPANESE),
    )


def test_rearmed_units_take_nothing_by_default() -> None:
    result = check(japanese(), held(), *lying(), rolls={"j1": FAIL})
    assert result.weapon("w1").possessor is None
    assert result.ask("equipment:j1").side is MARINE


def test_rearmed_units_may_take_equipment_of_an_eliminated_encircled_unit() -> None:
    choice = {"equipment:j1": ["w1"]}
    squad = marine_squad("m1", "N21", status="prisoner", guard="j1")
    result = check(japanese(), squad, *lying(), rolls={"j1": FAIL}, choices=choice)
    assert result.unit("m1.2").in_play
    weapon = result.weapon("w1")
    assert (weapon.possessor, weapon.side, weapon.captured) == ("m1", MARINE, True)


def test_rearmed_units_may_take_equipment_of_a_unit_eliminated_before_their_guard() -> None:
    first = japanese_squad("j0", "N21", status="encircled")
    its_own = sw("w0", "N21", "DC", JAPANESE, possessor="j0")
    units = (first, japanese(), held(), its_own, *lying())
    result = check(*units, rolls={"j0": FAIL, "j1": FAIL}, choices={"equipment:j1": ["w0", "w1"]})
    assert {result.weapon(id).possessor for id in ("w0", "w1")} == {"m1"}


def test_rearmed_units_take_no_earlier_or_distant_equipment() -> None:
    for id in ("w2", "w3"):
        with pytest.raises(RefusedError, match=r"enter a list of w1$"):
            check(
                *(japanese(), held(), *lying()),
                rolls={"j1": FAIL},
                choices={"equipment:j1": [id]},
            )
    result = check(japanese(), held(), *lying()[1:], rolls={"j1": FAIL})
    assert "equipment:j1" not in result.subjects


def test_equipment_hidden_by_the_enemy_is_not_offered() -> None:
    hidden = sw("w4", "N21", "DC", JAPANESE, status="hidden", possessor="j1")
    told = [
        check(japanese(), held(), *lying(), *more, rolls={"j1": FAIL}).ask("equipment:j1").allowed
        for more in ((), (hidden,))
    ]
    assert told[0] == told[1]
    result = check(japanese(), held(), hidden, rolls={"j1": FAIL})
    assert "equipment:j1" not in result.subjects


def test_no_question_without_equipment_to_take() -> None:
    result = check(japanese(), held(), rolls={"j1": FAIL})
    assert "equipment:j1" not in result.subjects


# --- 15.6042 ----------------------------------------------------------------------------------

ROLLED = {"R-BOG": "provisional"}


def bogged(*counters: Any, rolls: Any = None, choices: Any = None, rulings: Any = None) -> Result:
    return play(attempt_bog_removal, campaign(*counters, rulings=rulings), rolls, choices)


@pytest.mark.parametrize("status", ["bogged", "mired"])
@pytest.mark.parametrize(
    ("outcome", "left"), [("freed", ("stunned",)), ("immobilized", ("immobilized", "stunned"))]
)
def test_bog_removal_is_applied_as_entered(
    status: str, outcome: str, left: tuple[str, ...]
) -> None:
    tank = vehicle("t1", "N21", status=f"{status} stunned")
    result = bogged(tank, choices={"t1": outcome})
    assert result.vehicle("t1").status == left
    assert f"is {outcome}, as the players entered for Bog Removal" in result.log


@pytest.mark.parametrize("die", range(1, 7))
def test_bog_removal_is_rolled_provisionally_without_an_entry(die: int) -> None:
    again = [[die]] if die < 6 else [[6], [1]]
    rolls = {"t1": [one[0] for one in again]}
    result = bogged(vehicle("t1", "N21", status="bogged"), rolls=rolls)
    assert result.ask("t1", "choice").allowed == ["freed", "immobilized", "provisional"]
    words = [option.label for option in result.ask("t1", "choice").options]
    assert words[-1] == "roll (assumed: ≤ 4 freed, 5 again, ≥ 6 immobilized)"
    assert "Bog Removal (assumed numbers) dr" in result.log
    assert result.vehicle("t1").status == ()


@pytest.mark.parametrize(
    ("location", "pathfinder", "dice", "left"),
    [
        ("N21", "none", [5], ()),
        ("N21", "good_order", [6, 5], ()),
        ("N21", "none", [6, 6, 5], ()),
        ("Z33:pier", "none", [5], ()),
        ("S23", "none", [4], ()),
        ("S23", "none", [5, 4], ()),
        ("S23", "none", [6], ("immobilized",)),
        ("S23", "good_order", [6], ()),
        ("S23", "wounded", [6], ()),
    ],
)
def test_bog_removal_has_a_provisional_roll(
    location: str, pathfinder: str, dice: list[int], left: tuple[str, ...]
) -> None:
    tank = vehicle("t1", location, status="bogged", pathfinder=pathfinder)
    result = bogged(tank, rolls={"t1": dice}, rulings=ROLLED)
    assert result.vehicle("t1").status == left
    assert {one.kind for one in result.asks} == {"roll"}


@pytest.mark.parametrize(
    ("status", "location", "modifiers"),
    [
        ("bogged", "N21", {"on land": -1}),
        ("mired", "N21", {"on land": -1, "Mired": 1}),
        ("sand_bog", "N21", {"on land": -1, "Sand Bog": -1}),
        ("sand_mired", "N21", {"on land": -1}),
        ("bogged", "S23", {}),
        ("mired", "S23", {"Ocean Mired": 2}),
        ("ocean_mired", "S23", {"Ocean Mired": 2}),
        ("mired ocean_mired", "S23", {"Ocean Mired": 2}),
        ("mired sand_mired", "N21", {"on land": -1}),
    ],
)
def test_the_bog_marker_modifies_removal_by_its_printed_drm(
    status: str, location: str, modifiers: dict[str, int]
) -> None:
    tank = vehicle("t1", location, status=status)
    result = bogged(tank, rolls={"t1": [1]}, rulings=ROLLED)
    assert result.modifiers("t1") == modifiers
    assert result.vehicle("t1").status == ()


@pytest.mark.parametrize("marker", ["sand_bog", "sand_mired", "ocean_mired"])
def test_a_vehicle_with_a_bog_marker_is_immobile(marker: str) -> None:
    assert vehicle("t1", "N21", status=marker).immobile
    immobilized = bogged(vehicle("t1", "N21", status=marker), choices={"t1": "immobilized"})
    assert immobilized.vehicle("t1").status == ("immobilized",)


@pytest.mark.parametrize("status", ["bogged abandoned", "bogged wreck", "mired burnt_out"])
def test_abandoned_vehicles_and_wrecks_stay_bogged(status: str) -> None:
    result = bogged(vehicle("t1", "N21", status=status))
    assert (result.asks, result.said) == ([], [])


def test_bog_removal_takes_no_other_answer() -> None:
    with pytest.raises(RefusedError, match="enter freed, immobilized, provisional"):
        bogged(vehicle("t1", "N21", status="bogged"), choices={"t1": "sunk"})


# --- 15.6043 ----------------------------------------------------------------------------------


ENTERED = {"R-SHOCK": "enter"}
# How a vehicle of a status fares with these dice, by what is printed on the markers.
BY_THE_MARKERS = [
    ("shocked", [1], True),
    ("shocked", [2], True),
    ("shocked", [3, 3], True),
    ("shocked", [4, 4], False),
    ("shocked", [5, 1], True),
    ("shocked", [6, 3], True),
    ("shocked", [6, 6], False),
    ("unconfirmed_kill", [3], True),
    ("unconfirmed_kill", [4], False),
]


def shocked(
    status: str, *others: Any, rolls: Any = None, choices: Any = None, rulings: Any = None
) -> Result:
    tank = vehicle("t1", "N21", status=status)
    return play(roll_for_shocked_vehicles, campaign(tank, *others, rulings=rulings), rolls, choices)


@pytest.mark.parametrize("status", ["shocked", "unconfirmed_kill"])
def test_a_vehicle_recovers_as_entered(status: str) -> None:
    result = shocked(f"{status} motion", choices={"t1": "recovered"}, rulings=ENTERED)
    assert result.vehicle("t1").status == ("motion",)
    assert result.cvp(JAPANESE) == 0


@pytest.mark.parametrize("status", ["shocked", "unconfirmed_kill"])
def test_a_vehicle_is_eliminated_as_entered(status: str) -> None:
    rider = marine_half_squad("m1", "N21", aboard="t1")
    gun = vehicular("w1", "N21", "t1")
    result = shocked(status, rider, gun, choices={"t1": "eliminated"}, rulings=ENTERED)
    assert {result.piece(one).fate for one in ("t1", "m1", "w1")} == {Fate.ELIMINATED}
    assert result.cvp(JAPANESE) == 7


@pytest.mark.parametrize(("status", "dice", "survives"), BY_THE_MARKERS)
def test_shock_follows_the_printed_markers_by_default(
    status: str, dice: list[int], survives: bool
) -> None:
    result = shocked(status, rolls={"t1": dice})
    assert result.vehicle("t1").in_play is survives
    assert not result.vehicle("t1").has_status("shocked", "unconfirmed_kill")
    assert {one.kind for one in result.asks} == {"roll"}
    assert "recovery dr" in result.log
    assert "(ruling R-SHOCK)" in result.log


def test_by_ruling_enter_shock_markers_may_be_rolled_too() -> None:
    result = shocked("shocked", rolls={"t1": [6, 3]}, choices={"t1": "marker"}, rulings=ENTERED)
    assert result.vehicle("t1").in_play
    assert result.ask("t1", "choice").allowed == ["recovered", "eliminated", "marker"]


def test_an_old_ruling_of_assumed_shock_numbers_now_uses_the_markers() -> None:
    agreed = campaign(vehicle("t1", "N21", status="shocked"), rulings=ENTERED)
    agreed.rulings["R-SHOCK"].value = "provisional"
    assert play(roll_for_shocked_vehicles, agreed, {"t1": [6, 3]}).vehicle("t1").in_play


def test_a_wreck_is_no_longer_shocked() -> None:
    assert shocked("shocked wreck").asks == []


@pytest.mark.parametrize("status", ["encircled", "encircled immobilized"])
def test_the_crew_of_a_captured_tank_scores_2_whether_the_tank_is_lost_or_left(status):
    tank = vehicle("t1", "H20", side=JAPANESE, nation=MARINE, status=status)
    result = play(check_encircled_units, campaign(tank), {"t1": [[6, 6]]})
    assert result.cvp(MARINE) == 2


def test_the_best_leader_is_chosen_by_his_current_drm() -> None:
    # Wounded, a 9-2 counts as 8-1, a 9-1 as 8-0 and a 10-2 as 9-1.
    leaders = [
        leader("l1", "N21", "9-2", status="encircled wounded"),
        leader("l2", "N21", "9-1", status="encircled"),
        leader("l3", "N21", "8-1", status="encircled"),
        leader("l4", "N21", "10-2", status="encircled wounded"),
        leader("l5", "N21", "9-1", status="encircled wounded"),
    ]
    result = check(*leaders, rolls={one.id: PASS for one in leaders}, choices=None)
    rolled = [one.subject for one in result.asks if one.kind == "roll"]
    assert rolled == ["l2", "l4", "l1", "l3", "l5"]


@pytest.mark.parametrize("empty", [{"inherent_crew": False}, {"status": "bogged abandoned"}])
def test_a_bogged_vehicle_without_a_crew_does_not_roll(empty: dict[str, Any]) -> None:
    assert bogged(vehicle("t1", "N21", **{"status": "bogged", **empty})).asks == []
