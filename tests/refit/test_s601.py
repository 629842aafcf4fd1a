"""15.601: Melees are fought to their end before anything else happens."""

from typing import Any

import pytest

from brt_cg.board.grid import neighbors
from brt_cg.board.locations import TerrainType, beach_hexes, hexes_in_play, is_ocean, terrain_of
from brt_cg.model.counters import Fate, Side, UnitKind
from brt_cg.questions.answers import RefusedError
from brt_cg.questions.question_types import EntryQuestion
from brt_cg.refit.melee_rounds import can_withdraw_to, withdrawal_locations
from brt_cg.refit.s601_melee import fight_out_melees
from tests.refit.table import (
    JAPANESE,
    MARINE,
    Result,
    campaign,
    crew,
    fort,
    gun,
    hero,
    japanese_half_squad,
    japanese_squad,
    leader,
    marine_half_squad,
    marine_squad,
    play,
    sw,
    vehicle,
    vehicular,
)

LAND = sorted(one for one in hexes_in_play(63) if terrain_of(one) is TerrainType.LAND)


def melee(*counters: Any, rounds: Any = None, rolls: Any = None, **facts: Any) -> Result:
    """The paragraph played; `rounds` by Location."""
    table = campaign(*counters, **{"moved_first": MARINE, **facts})
    return play(fight_out_melees, table, rolls, rounds)


def refusal(*counters: Any, rounds: Any) -> str:
    with pytest.raises(RefusedError) as refused:
        melee(*counters, rounds={"N35": rounds})
    return str(refused.value)


def pair(**values: Any) -> tuple[Any, Any]:
    """A Marine and a Japanese squad in one Location."""
    return marine_squad("m1", "N35"), japanese_squad("j1", "N35", **values)


# --- where there is Melee ---------------------------------------------------------------------


def test_no_opposing_units_no_melee() -> None:
    result = melee(marine_squad("m1", "N35"), japanese_squad("j1", "N36"))
    assert (result.asks, result.said) == ([], [])


def test_locations_come_in_the_boards_order() -> None:
    places = ("T11", "N35", "N9", "N35:1")
    counters = [
        unit
        for number, place in enumerate(places)
        for unit in (marine_squad(f"m{number}", place), japanese_squad(f"j{number}", place))
    ]
    assert melee(*counters).subjects == ["N9", "N35", "N35:1", "T11"]


def test_the_inside_of_a_pillbox_is_a_location_of_its_own() -> None:
    box = fort("F7", "N21")
    outside = melee(marine_squad("m1", "N21"), japanese_squad("j1", "N21:F7"), box)
    assert outside.subjects == []
    inside = melee(marine_squad("m1", "N21:F7"), japanese_squad("j1", "N21:F7"), box)
    assert inside.subjects == ["N21:F7"]


def test_different_levels_do_not_oppose() -> None:
    assert melee(marine_squad("m1", "N21"), japanese_squad("j1", "N21:1")).subjects == []


def test_prisoners_do_not_oppose() -> None:
    held = marine_squad("m1", "N35", status="prisoner", guard="j1")
    assert melee(held, japanese_squad("j1", "N35")).subjects == []


def test_unarmed_units_oppose() -> None:
    unarmed = marine_squad("m1", "N35", status="unarmed")
    assert melee(unarmed, japanese_squad("j1", "N35")).subjects == ["N35"]


def test_a_tank_and_enemy_infantry_oppose() -> None:
    assert melee(vehicle("t1", "N35"), japanese_squad("j1", "N35")).subjects == ["N35"]


@pytest.mark.parametrize("status", ["abandoned", "wreck"])
def test_an_empty_vehicle_opposes_nobody(status: str) -> None:
    tank = vehicle("t1", "N35", status=status)
    assert melee(tank, japanese_squad("j1", "N35")).subjects == []


def test_two_vehicles_do_not_fight_in_cc() -> None:
    tanks = vehicle("t1", "N35"), vehicle("t2", "N35", "Type 95 HA-GO", JAPANESE)
    assert melee(*tanks).subjects == []
    assert "vehicles do not fight each other" in fight_out_melees.nothing


def test_units_off_map_do_not_fight() -> None:
    off = marine_squad("m1", "off_map"), japanese_squad("j1", "off_map")
    assert melee(*off).subjects == []


# --- rounds -----------------------------------------------------------------------------------


def test_no_more_cc_attacks_is_the_default_and_a_warning() -> None:
    result = melee(*pair())
    assert result.subjects == ["N35"]
    assert "warning: no CC attacks were entered for N35; opposing units remain there" in result.said


def test_rounds_continue_until_one_side_is_gone() -> None:
    result = melee(*pair(), rounds={"N35": [{}, {}, {"eliminated": ["j1"]}]})
    assert result.subjects == ["N35"] * 3
    assert result.unit("j1").fate is Fate.ELIMINATED
    assert result.said[-1] == "N35: the Melee is over"


def test_rounds_end_when_the_players_say_so() -> None:
    result = melee(*pair(), rounds={"N35": [{}]})
    assert result.subjects == ["N35", "N35"]
    assert "no more CC attacks were entered for N35; opposing units remain there" in result.said


def test_the_side_that_moved_first_attacks_and_answers() -> None:
    result = melee(*pair(), moved_first=JAPANESE)
    assert result.ask("N35").side is JAPANESE
    assert "the Japanese are the ATTACKER" in result.log


def test_rounds_are_a_series_that_null_ends() -> None:
    ask = melee(*pair()).ask("N35")
    assert isinstance(ask, EntryQuestion)
    assert (ask.series, ask.stop, ask.default) == (True, None, None)


# --- losses -----------------------------------------------------------------------------------


def test_an_eliminated_squad_scores_two() -> None:
    result = melee(*pair(), rounds={"N35": [{"eliminated": ["m1"]}]})
    assert (result.cvp(JAPANESE), result.cvp(MARINE)) == (2, 0)


def test_a_reduced_squad_is_a_half_squad_and_scores_one() -> None:
    result = melee(*pair(), rounds={"N35": [{"casualty_reduced": ["j1", "m1"]}]})
    japanese, marine = result.unit("j1"), result.unit("m1")
    assert (japanese.kind, japanese.type) == (UnitKind.HALF_SQUAD, "2-3-7")
    assert (marine.kind, marine.type) == (UnitKind.HALF_SQUAD, "3-4-8")
    assert (result.cvp(JAPANESE), result.cvp(MARINE)) == (1, 1)


def test_a_reduced_japanese_squad_becomes_a_half_squad() -> None:
    result = melee(*pair(strength="reduced"), rounds={"N35": [{"casualty_reduced": ["j1"]}]})
    assert result.unit("j1").type == "2-3-7"
    assert result.unit("j1").strength == "full"


@pytest.mark.parametrize(
    ("lost", "points"),
    [(japanese_half_squad("j1", "N35"), 1), (crew("j1", "N35", JAPANESE), 2)],
)
def test_casualty_reduction_eliminates_a_half_squad_or_crew(lost: Any, points: int) -> None:
    rounds = {"N35": [{"casualty_reduced": ["j1"]}]}
    result = melee(marine_squad("m1", "N35"), lost.clone(), rounds=rounds)
    assert result.unit("j1").fate is Fate.ELIMINATED
    assert result.cvp(MARINE) == points


@pytest.mark.parametrize(
    ("status", "dr", "dies"),
    [("", 4, False), ("", 5, True), ("wounded", 3, False), ("wounded", 4, True)],
)
def test_a_leader_rolls_for_the_severity_of_his_wound(status: str, dr: int, dies: bool) -> None:
    hawkins = leader("l1", "N35", "9-1", status=status)
    rounds = {"N35": [{"casualty_reduced": ["l1"]}]}
    result = melee(*pair(), hawkins, rounds=rounds, rolls={"l1": [dr]})
    assert result.unit("l1").in_play is not dies
    assert result.unit("l1").has_status("wounded") or dies
    assert result.asks[1].rule == "15.601"


@pytest.mark.parametrize(("dr", "asked"), [(4, False), (5, True)])
def test_the_wound_scoring_ruling_is_asked_when_a_leader_dies_of_his_wound(
    dr: int, asked: bool
) -> None:
    rounds = {"N35": [{"casualty_reduced": ["l1"]}]}
    open_yet = {"not_agreed": ["R-CVP-REFIT"]}
    result = melee(*pair(), leader("l1", "N35"), rounds=rounds, rolls={"l1": [dr]}, **open_yet)
    assert ("R-CVP-REFIT" in result.subjects) is asked


def test_possessions_of_an_eliminated_unit_are_left_in_its_location() -> None:
    gun = sw("w1", "N35", possessor="m1")
    result = melee(*pair(), gun, rounds={"N35": [{"eliminated": ["m1"]}]})
    assert (result.weapon("w1").possessor, result.weapon("w1").location) == (None, "N35")


def test_an_eliminated_tank_scores_its_cvp() -> None:
    tank = vehicle("t1", "N35")
    result = melee(*pair(), tank, rounds={"N35": [{"eliminated": ["t1"]}]})
    assert (result.vehicle("t1").fate, result.cvp(JAPANESE)) == (Fate.ELIMINATED, 6)


@pytest.mark.parametrize(("status", "points"), [("abandoned", 4), ("wreck", 0)])
def test_a_tank_without_its_crew_scores_without_it(status: str, points: int) -> None:
    tank = vehicle("t1", "N35", status=status)
    result = melee(*pair(), tank, rounds={"N35": [{"eliminated": ["t1"]}]})
    assert result.cvp(JAPANESE) == points


def test_a_captured_tank_scores_its_crew_alone() -> None:
    tank = vehicle("t1", "N35", side=JAPANESE, nation=MARINE, cvp=6)
    result = melee(*pair(), tank, rounds={"N35": [{"eliminated": ["t1"]}]})
    assert (result.cvp(JAPANESE), result.cvp(MARINE)) == (0, 2)


# --- captured, withdrawn, set by hand ---------------------------------------------------------


def test_a_captured_unit_is_its_captors_prisoner() -> None:
    gun, tank = sw("w1", "N35", possessor="m1"), vehicle("t1", "N35", status="abandoned")
    taken = marine_squad("m1", "N35", status="encircled unarmed", aboard="t1")
    counters = taken, japanese_squad("j1", "N35"), gun, tank
    result = melee(*counters, rounds={"N35": [{"captured": {"m1": "j1"}}]})
    held = result.unit("m1")
    assert (held.side, held.status, held.guard, held.aboard, held.fate) == (
        *(MARINE, ("prisoner",), "j1", None),
        Fate.IN_PLAY,
    )
    assert result.weapon("w1").possessor is None
    assert result.said[-1] == "N35: the Melee is over"


def test_a_capture_scores_at_15_6032_and_not_in_melee() -> None:
    result = melee(*pair(), rounds={"N35": [{"captured": {"m1": "j1"}}]})
    assert (result.cvp(JAPANESE), result.cvp(MARINE)) == (0, 0)
    assert "captured by 4-4-7 squad j1" in result.log


@pytest.mark.parametrize(
    "also", [{"withdrew": {"m1": "N36"}}, {"captured": {"m1": "j1"}}, {"captured": {"j1": "m1"}}]
)
def test_a_unit_lost_by_casualty_reduction_does_nothing_else(also: Any) -> None:
    units = marine_half_squad("m1", "N35"), japanese_squad("j1", "N35")
    result = melee(*units, rounds={"N35": [{"casualty_reduced": ["m1"], **also}]})
    assert (result.unit("m1").in_play, result.unit("m1").location) == (False, "N35")
    assert (result.unit("m1").prisoner, result.unit("j1").prisoner) == (False, False)


def wounded_again(hurt: Any, ruling: str, rolls: Any = None) -> Result:
    enemy = japanese_squad("j1", "N35") if hurt.side is MARINE else marine_squad("m1", "N35")
    rounds = {"N35": [{"casualty_reduced": [hurt.id]}]}
    ruled = {"R-HERO-WOUND": ruling}
    return melee(hurt, enemy, rounds=rounds, rolls=rolls, rulings=ruled)


@pytest.mark.parametrize("side", [MARINE, JAPANESE])
def test_a_wounded_hero_or_heroic_leader_is_eliminated_by_another_wound(side: Side) -> None:
    """G1.4, by R-HERO-WOUND for both sides."""
    for hurt in (
        hero("h", "N35", side, status="wounded"),
        leader("h", "N35", "8-0", side, traits="heroic", status="wounded"),
    ):
        result = wounded_again(hurt.clone(), "eliminated")
        assert not result.unit("h").in_play
        assert wounded_again(hurt, "severity", {"h": [3]}).unit("h").in_play


def test_a_wounded_leader_who_is_not_heroic_rolls_with_a_drm_of_1() -> None:
    hurt = leader("h", "N35", "8-0", JAPANESE, status="wounded")
    assert wounded_again(hurt.clone(), "eliminated", {"h": [3]}).unit("h").in_play
    assert not wounded_again(hurt, "eliminated", {"h": [4]}).unit("h").in_play


def tank_hunter(**values: Any) -> Any:
    return hero("th", "N35", JAPANESE, traits="tank_hunter", **values)


def test_a_tank_hunter_no_longer_in_melee_is_removed_immediately() -> None:
    """G1.425; the DC of a DC Hero goes with him (G1.424)."""
    charge = sw("dc", "N35", "DC", JAPANESE, possessor="th")
    rounds = {"N35": [{"eliminated": ["m1"]}]}
    result = melee(*pair(), tank_hunter(), charge, rounds=rounds)
    assert not result.unit("th").in_play
    assert not result.weapon("dc").in_play
    assert result.unit("j1").in_play
    assert "(G1.425)" in result.log
    assert result.cvp(MARINE) == 0


def test_a_tank_hunter_still_in_melee_stays() -> None:
    assert melee(*pair(), tank_hunter(), rounds={"N35": []}).unit("th").in_play


def test_a_tank_hunter_not_in_melee_leaves_at_the_end_of_the_last_player_turn() -> None:
    result = melee(tank_hunter(), japanese_squad("j1", "N35"))
    assert not result.unit("th").in_play
    assert result.unit("j1").in_play
    assert "(G1.425)" in result.log
    assert result.cvp(MARINE) == 0


@pytest.mark.parametrize("values", [{"status": "hidden"}, {"status": "prisoner"}])
def test_a_hidden_or_captured_tank_hunter_stays(values: Any) -> None:
    assert melee(tank_hunter(**values)).unit("th").in_play


def test_a_tank_hunter_who_withdraws_is_removed() -> None:
    rounds = {"N35": [{"withdrew": {"th": "N36"}}, {"withdrew": {"j1": "N36"}}]}
    assert not melee(*pair(), tank_hunter(), rounds=rounds).unit("th").in_play


def test_a_hero_of_another_kind_stays() -> None:
    rounds = {"N35": [{"eliminated": ["m1"]}]}
    assert melee(*pair(), hero("h", "N35", JAPANESE), rounds=rounds).unit("h").in_play


@pytest.mark.parametrize(("ruling", "victor"), [("always", MARINE), ("scenario_end", None)])
def test_cg_i_is_won_by_the_scenarios_final_map_whatever_a_melee_adds(
    ruling: str, victor: Side | None
) -> None:
    units = marine_squad("m1", "N25"), japanese_half_squad("j1", "N25")
    facts = {
        "cg": "I",
        "japanese": {"cvp": 204},
        "rulings": {"R-CG1-WHEN": ruling, "R-CG-END": "close"},
    }
    result = melee(*units, rounds={"N25": [{"eliminated": ["m1"]}]}, **facts)
    assert result.cvp(JAPANESE) == 206
    assert result.campaign.situation.victor is victor


def test_a_captor_lost_by_casualty_reduction_captures_nobody_as_the_log_says() -> None:
    units = marine_squad("m1", "N35"), japanese_half_squad("j1", "N35")
    answer = {"captured": {"m1": "j1"}, "casualty_reduced": ["j1"]}
    result = melee(*units, rounds={"N35": [answer]})
    assert not result.unit("m1").prisoner
    assert "7-6-8 squad m1 (N35) is not captured, since the captor is lost" in result.said


def test_prisoners_of_a_captured_guard_are_no_longer_guarded() -> None:
    held = japanese_half_squad("j2", "N35", status="prisoner", guard="m1")
    result = melee(*pair(), held, rounds={"N35": [{"captured": {"m1": "j1"}}]})
    assert result.unit("j2").guard is None


def test_a_unit_that_withdraws_takes_its_weapons_and_prisoners_along() -> None:
    gun, rider = sw("w1", "N35", possessor="m1"), marine_squad("m1", "N35", aboard="t1")
    held = japanese_half_squad("j2", "N35", status="prisoner", guard="m1")
    counters = rider, japanese_squad("j1", "N35"), gun, held, vehicle("t1", "N35")
    result = melee(*counters, rounds={"N35": [{"withdrew": {"m1": "N36"}}]})
    assert {result.piece(one).location for one in ("m1", "w1", "j2")} == {"N36"}
    assert result.unit("m1").aboard is None


def test_withdrawing_into_hidden_enemies_makes_a_melee_there() -> None:
    there = japanese_squad("j2", "N36", status="hidden")
    result = melee(*pair(), there, rounds={"N35": [{"withdrew": {"m1": "N36"}}]})
    assert result.subjects == ["N35", "N36"]


def test_any_field_of_a_counter_in_the_melee_can_be_set() -> None:
    gun = sw("w1", "N35", possessor="j1", side=JAPANESE)
    taken = {"counter": "w1", "side": "marine", "possessor": "m1", "status": ["malfunctioned"]}
    wound = {"counter": "m1", "class": "elite", "type": "6-6-8"}
    result = melee(*pair(), gun, rounds={"N35": [{"set": [taken, wound]}]})
    assert (result.weapon("w1").side, result.weapon("w1").possessor) == (MARINE, "m1")
    assert result.weapon("w1").status == ("malfunctioned",)
    assert result.unit("m1").type == "6-6-8"
    assert "possessed by 4-4-7 squad j1 → 7-6-8 squad m1" in result.log


def test_the_pillbox_itself_can_be_set_from_its_inside() -> None:
    counters = marine_squad("m1", "N21:F7"), japanese_squad("j1", "N21:F7"), fort("F7", "N21")
    rounds = {"N21:F7": [{"eliminated": ["j1"], "set": [{"counter": "F7", "capacity": 2}]}]}
    assert melee(*counters, rounds=rounds).campaign.fortifications["F7"].capacity == 2


# --- after the first round --------------------------------------------------------------------


@pytest.mark.parametrize("status", ["concealed", "hidden", "cloaked"])
def test_the_first_round_reveals_hidden_units(status: str) -> None:
    result = melee(*pair(status=status, unseen=True), rounds={"N35": [{}]})
    assert (result.unit("j1").status, result.unit("j1").unseen) == ((), False)
    assert "j1 (N35) is revealed" in result.log


def test_without_a_round_nobody_is_revealed() -> None:
    assert melee(*pair(status="concealed")).unit("j1").has_status("concealed")


def test_motion_ends_and_stun_markers_flip_after_the_first_round() -> None:
    tank = vehicle("t1", "N35", status="motion stunned")
    result = melee(*pair(), tank, rounds={"N35": [{}]})
    assert result.vehicle("t1").status == ("stun_plus1",)


def test_a_second_round_changes_no_motion_or_stun() -> None:
    again = {"set": [{"counter": "t1", "status": ["motion", "stunned"]}]}
    result = melee(*pair(), vehicle("t1", "N35"), rounds={"N35": [{}, again]})
    assert result.vehicle("t1").status == ("motion", "stunned")


def test_a_unit_that_withdrew_in_the_first_round_is_revealed_too() -> None:
    result = melee(*pair(status="concealed"), rounds={"N35": [{"withdrew": {"j1": "N36"}}]})
    assert not result.unit("j1").has_status("concealed")


def test_other_locations_keep_their_concealment() -> None:
    far = japanese_squad("j9", "N36", status="concealed")
    assert melee(*pair(), far, rounds={"N35": [{}]}).unit("j9").has_status("concealed")


# --- hints ------------------------------------------------------------------------------------

AUTOMATIC = "Hand-to-Hand is automatic"
MAY = "the Marines may declare Hand-to-Hand"


def test_hand_to_hand_is_automatic_for_japanese_attackers() -> None:
    log = melee(*pair(), moved_first=JAPANESE).log
    assert AUTOMATIC in log
    assert MAY not in log


def test_marines_may_declare_hand_to_hand() -> None:
    log = melee(*pair(), moved_first=MARINE).log
    assert AUTOMATIC not in log
    assert MAY in log


def test_hand_to_hand_is_not_automatic_for_broken_japanese() -> None:
    assert AUTOMATIC not in melee(*pair(status="broken"), moved_first=JAPANESE).log


def test_hand_to_hand_is_not_automatic_if_every_unbroken_japanese_is_pinned() -> None:
    assert AUTOMATIC not in melee(*pair(status="pinned"), moved_first=JAPANESE).log
    unpinned = japanese_squad("j2", "N35")
    assert AUTOMATIC in melee(*pair(status="pinned"), unpinned, moved_first=JAPANESE).log


@pytest.mark.parametrize("first", [MARINE, JAPANESE])
def test_against_vehicles_alone_there_is_no_hand_to_hand(first: Side) -> None:
    """G1.64: never by or against vehicles and PRC."""
    squad, enemy = marine_squad("m1", "N35"), vehicle("t1", "N35", "Type 95 HA-GO", JAPANESE)
    assert "Hand-to-Hand" not in melee(squad, enemy, moved_first=first).log
    assault = vehicle("t2", "N35"), japanese_squad("j1", "N35")
    assert "Hand-to-Hand" not in melee(*assault, moved_first=first).log


def test_hand_to_hand_is_not_automatic_for_vehicles_and_their_crews() -> None:
    tank = vehicle("t1", "N35", "Type 95 HA-GO", JAPANESE)
    rider = japanese_squad("j1", "N35", aboard="t1")
    log = melee(marine_squad("m1", "N35"), tank, rider, moved_first=JAPANESE).log
    assert AUTOMATIC not in log


def test_hand_to_hand_is_not_automatic_in_a_pillbox() -> None:
    counters = marine_squad("m1", "N21:F7"), crew("j1", "N21:F7", JAPANESE), fort("F7", "N21")
    log = melee(*counters, moved_first=JAPANESE).log
    assert AUTOMATIC not in log
    assert "+1 in CC against a Japanese crew in a pillbox (BRT3)" in log


def test_a_squad_in_a_pillbox_gets_no_pillbox_hint() -> None:
    counters = marine_squad("m1", "N21:F7"), japanese_squad("j1", "N21:F7"), fort("F7", "N21")
    assert "BRT3" not in melee(*counters).log


def test_the_question_names_no_hidden_counter() -> None:
    prompt = melee(*pair(status="hidden")).ask("N35").prompt
    assert "j1" not in prompt
    assert "m1" in prompt


def test_a_melee_says_nothing_of_unseen_enemies() -> None:
    """A tank in the Location of a hidden squad: whether it attacks is for its side to say."""
    tank, lurks = vehicle("t1", "N35"), japanese_squad("j1", "N35", status="hidden")
    result = melee(tank, lurks)
    ask = result.ask("N35")
    assert (ask.side, ask.secret, ask.public) == (JAPANESE, JAPANESE, False)
    assert {*result.secrets} == {JAPANESE}
    beside_a_tank = melee(tank, lurks, vehicle("t2", "N35", side=JAPANESE))
    assert beside_a_tank.ask("N35").secret is JAPANESE
    seen = melee(tank, lurks, japanese_squad("j2", "N35"))
    assert (seen.ask("N35").side, seen.ask("N35").secret) == (MARINE, None)


def test_hints_say_nothing_of_unseen_enemies() -> None:
    broken = japanese_squad("j2", "N35", status="broken")
    lurks = japanese_squad("j1", "N35", status="hidden")
    told = [
        melee(marine_squad("m1", "N35"), broken, *more, moved_first=JAPANESE).said
        for more in ((), (lurks,))
    ]
    assert told[0] == told[1]


def test_units_in_melee_can_be_typed_by_name() -> None:
    crowe = marine_squad("m1", "N35", name="Crowe")
    ask = melee(crowe, japanese_squad("j1", "N35", name="Ito")).ask("N35")
    assert isinstance(ask, EntryQuestion)
    assert ask.parse("reduced crowe; captured Ito by Crowe") == {
        "casualty_reduced": ["m1"],
        "captured": {"j1": "m1"},
    }
    with pytest.raises(
        RefusedError, match=r"'Shoup' is not there; enter 4-4-7 squad Ito, 7-6-8 squad Crowe"
    ):
        ask.read(ask.parse("eliminated Shoup"))


def test_typing_a_hidden_enemys_name_does_not_find_it() -> None:
    hidden = japanese_squad("j2", "N35", name="Tanaka", status=["hidden"])
    ask = melee(*pair(), hidden).ask("N35")
    assert ask.parse("reduced Tanaka", MARINE) == {"casualty_reduced": ["Tanaka"]}
    assert ask.parse("reduced Tanaka", JAPANESE) == {"casualty_reduced": ["j2"]}
    with pytest.raises(RefusedError) as refused:
        ask.read(ask.parse("reduced Tanaka", MARINE))
    assert "j2" not in str(refused.value)


# --- what is refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("none", "is not accepted; enter {"),
        ({"killed": ["m1"]}, "is not accepted; enter {"),
        ({"eliminated": "m1"}, "a list of ids"),
        ({"eliminated": ["m1", "m1"]}, "each once"),
        ({"eliminated": [3]}, "a list of ids"),
        ({"eliminated": ["far"]}, "'far' is not there; enter j1, m1, w1"),
        ({"casualty_reduced": ["w1"]}, "'w1' is not there; enter j1, m1"),
        ({"captured": ["m1"]}, "an object by unit id"),
        ({"captured": {"far": "j1"}}, "'far' is not there; enter j1, m1"),
        ({"captured": {"m1": "far"}}, "an enemy unit in that Location"),
        ({"captured": {"m1": "m1"}}, "an enemy unit in that Location"),
        ({"captured": {"m1": ["j1"]}}, "an enemy unit in that Location"),
        (
            {"captured": {"m1": "j1"}, "eliminated": ["j1"]},
            "j1: was itself eliminated or captured; enter another captor",
        ),
        (
            {"captured": {"m1": "j1", "j1": "m1"}},
            "j1: was itself eliminated or captured; enter another captor",
        ),
        (
            {"captured": {"m1": "j1"}, "withdrew": {"m1": "N36"}},
            "m1: captured, and also withdrew; enter one result",
        ),
        (
            {"captured": {"m1": "j1"}, "eliminated": ["m1"]},
            "m1: eliminated, and also in another result",
        ),
        ({"withdrew": {"m1": "ZZ9"}}, "ZZ9 is not a hex of Betio"),
        (
            {"withdrew": {"m1": "N35"}},
            "enter an Accessible Location without enemies: M35, M36",
        ),
        ({"withdrew": {"m1": 7}}, "enter an Accessible Location without enemies: M35, M36"),
        ({"set": {"counter": "m1"}}, "a list of"),
        ({"set": [{"counter": "far"}]}, "'far' is not there"),
        ({"set": [{"type": "7-6-8"}]}, "None is not there"),
        ({"set": [{"counter": "m1", "rank": 3}]}, "no field 'rank' to set"),
        ({"set": [{"counter": "m1", "id": "m9"}]}, "no field 'id' to set"),
        (
            {"set": [{"counter": "m1", "status": ["tired"]}]},
            '"tired" is not accepted; enter berserk',
        ),
        ({"set": [{"counter": "m1", "status": "wounded"}]}, "enter a list of berserk"),
        ({"set": [{"counter": "m1", "kind": "platoon"}]}, "enter squad, half_squad"),
        ({"set": [{"counter": "m1", "type": "9-9-9"}]}, "there is no Marine squad 9-9-9"),
        ({"set": [{"counter": "m1", "location": "A99"}]}, "A99 is not a hex of Betio"),
        ({"set": [{"counter": "m1", "location": None}]}, "enter a Location"),
        ({"set": [{"counter": "w1", "possessor": "nobody"}]}, "enter the id of a unit"),
        ({"set": [{"counter": "m1", "name": " "}]}, "enter one line of text"),
        ({"set": [{"counter": "w1", "type": ""}]}, "enter one line of text"),
        ({"set": [{"counter": "w1", "repair_number": 5000}]}, "a whole number from 0 to 99"),
        ({"set": [{"counter": "w1", "pp": -1}]}, "a whole number from 0 to 99"),
        ({"set": [{"counter": "w1", "pp": "four"}]}, "a whole number from 0 to 99"),
    ],
)
def test_a_round_is_checked_strictly(answer: Any, words: str) -> None:
    others = sw("w1", "N35"), marine_squad("far", "N36")
    assert words in refusal(*pair(), *others, rounds=[answer])


@pytest.mark.parametrize(
    ("captured", "words"),
    [({"m2": "j1"}, "it is already a prisoner"), ({"j1": "m2"}, "an enemy unit in that Location")],
)
def test_a_prisoner_is_not_captured_again_and_captures_nobody(captured: Any, words: str) -> None:
    held = marine_half_squad("m2", "N35", status="prisoner", guard="j1")
    assert words in refusal(*pair(), held, rounds=[{"captured": captured}])


def test_all_problems_of_a_round_are_reported_together() -> None:
    answer = {"eliminated": ["x"], "withdrew": {"m1": "ZZ9"}, "set": [{"counter": "y"}]}
    assert len(refusal(*pair(), rounds=[answer]).splitlines()) == 3


def test_a_japanese_squad_reduced_by_hand_has_its_reduced_strength() -> None:
    reduced = {"counter": "j1", "strength": "reduced"}
    result = melee(*pair(), rounds={"N35": [{"set": [reduced]}]})
    assert result.unit("j1").type == "3-4-7"


def test_withdrawing_into_a_finished_location_makes_a_melee_there() -> None:
    units = marine_squad("m2", "N34", status="hidden"), japanese_squad("j2", "N34")
    rounds = {
        "N34": [None, {"eliminated": ["j1", "j2"]}],
        "N35": [{"withdrew": {"j1": "N34"}}],
    }
    result = melee(*pair(), *units, rounds=rounds)
    assert result.subjects == ["N34", "N35", "N34"]
    assert result.unit("j1").fate is Fate.ELIMINATED


# --- where one withdraws to -------------------------------------------------------------------


def where_to(location: str, *others: Any) -> list[str]:
    """The Locations that the Marine squad may withdraw to."""
    table = campaign(marine_squad("m1", location), japanese_squad("j1", location), *others)
    return withdrawal_locations(table, table.units["m1"], location)


def test_units_withdraw_to_adjacent_hexes() -> None:
    assert where_to("N35") == list(neighbors("N35"))


def test_nobody_withdraws_to_a_known_enemy() -> None:
    enemies = japanese_squad("j2", "N36"), vehicle("t1", "N34", "Type 95 HA-GO", JAPANESE)
    prisoner = japanese_squad("j3", "M35", status="prisoner", guard="m1")
    assert not {"N34", "N36"} & set(where_to("N35", *enemies, prisoner))
    assert "M35" in where_to("N35", prisoner)
    assert "N36" in where_to("N35", japanese_squad("j2", "N36", status="hidden"))


def test_units_withdraw_into_and_out_of_a_fortification_through_its_hex() -> None:
    assert "N35:F7" in where_to("N35", fort("F7", "N35", side=MARINE))
    assert "N35:F7" not in where_to("N35", fort("F7", "N35", hidden=True))
    assert where_to("N35:F7", fort("F7", "N35", side=MARINE)) == ["N35"]


def test_units_upstairs_withdraw_on_their_level_or_downstairs() -> None:
    refused = refusal(*pair(), rounds=[{"withdrew": {"m1": "N37"}}])
    assert 'withdrew: m1: "N37" is not accepted; enter an Accessible Location' in refused
    upstairs = marine_squad("m1", "N35:1")
    table = campaign(upstairs)
    reached = ("N35", "N35:2", "N36:1")
    assert all(can_withdraw_to(table, upstairs, "N35:1", one) for one in reached)
    assert not can_withdraw_to(table, upstairs, "N35:1", "N36")


def test_only_units_in_water_or_on_a_beach_withdraw_into_the_ocean() -> None:
    beach = next(one for one in beach_hexes("red_one") if any(map(is_ocean, neighbors(one))))
    ocean = next(filter(is_ocean, neighbors(beach)))
    assert ocean in where_to(beach)
    assert beach in where_to(ocean)
    inland = next(one for one in LAND if any(map(is_ocean, neighbors(one))))
    assert not any(map(is_ocean, where_to(inland)))


def test_withdrawing_to_a_location_without_enemies_starts_no_fight() -> None:
    units = marine_squad("m2", "N34"), japanese_squad("j2", "N34")
    rounds = {"N34": [{"eliminated": ["m2"]}], "N35": [{"withdrew": {"j1": "N34"}}]}
    assert melee(*pair(), *units, rounds=rounds).subjects == ["N34", "N35"]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"set": [{"counter": "m1", "location": "N36:zz"}]}, "zz is not a fortification"),
        ({"set": [{"counter": "m1", "guard": "j1"}]}, "m1: guard: only a unit with the status pri"),
        ({"set": [{"counter": "c1", "side": "marine"}]}, "c1 is marine, but"),
        ({"set": [{"counter": "w1", "possessor": "j1"}]}, "j1 is japanese, but w1 is marine"),
    ],
)
def test_a_state_that_no_file_may_hold_is_refused_and_changes_nothing(
    answer: Any, words: str
) -> None:
    manned = crew("c1", "N35", JAPANESE), gun("g1", "N35", possessor="c1")
    assert words in refusal(*pair(), *manned, sw("w1", "N35"), rounds=[answer])


def test_a_squad_and_its_weapon_may_be_captured_in_one_answer() -> None:
    manned = crew("c1", "N35", JAPANESE), sw("w1", "N35", "MMG", JAPANESE, possessor="c1")
    changes = [{"counter": "c1", "side": "marine"}, {"counter": "w1", "side": "marine"}]
    result = melee(*pair(), *manned, rounds={"N35": [{"set": changes}]})
    assert (result.unit("c1").side, result.weapon("w1").side) == (MARINE, MARINE)


def test_a_captured_vehicle_takes_its_armament_along() -> None:
    tank = vehicle("t1", "N35"), vehicular("ma", "N35", "t1")
    taken = [{"counter": "t1", "side": "japanese"}]
    result = melee(*pair(), *tank, rounds={"N35": [{"set": taken}]})
    assert result.weapon("ma").side is JAPANESE
