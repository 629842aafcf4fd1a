"""`import`: the situation at scenario end becomes the campaign's."""

from typing import Any

import pytest

from brt_cg.commands.import_plan import ASKED
from brt_cg.model.counters import Fate, Side, UnitClass, UnitKind, UnitStrength
from brt_cg.model.records import Phase
from brt_cg.questions.answers import RefusedError
from tests.commands.campaigns import (
    carry,
    demo,
    document,
    in_setup,
    japanese_squad,
    marine_squad,
    new,
    problems,
    running,
    texts,
)


def take_in(campaign: Any, *units: dict[str, Any], **more: Any) -> Any:
    how = {key: more.pop(key) for key in ("missing", "side") if key in more}
    how["totals"] = "counted"  # its CVP are of no matter here
    return carry(campaign, "import", state=document(units=list(units), **more), **how)


# --- the first one ------------------------------------------------------------------------------


def test_after_the_import_the_refit_phase_is_due() -> None:
    campaign = new()
    take_in(campaign, marine_squad())
    situation = campaign.situation
    assert situation.phase is Phase.REFIT
    assert (situation.date, situation.ended, situation.initial) == ("20 AM", "20 AM", True)
    assert (situation.said_winner, situation.moved_first) == (Side.MARINE, Side.MARINE)
    assert situation.winner is None  # it is counted at 15.6032


def test_totals_are_imported_unchanged() -> None:
    campaign = new()
    take_in(campaign)
    marine, japanese = campaign.sides["marine"], campaign.sides["japanese"]
    assert (marine.san, marine.announced_san, marine.elr, campaign.cvp("marine")) == (4, 4, 5, 12)
    assert (japanese.san, campaign.cvp("japanese"), campaign.cvp_of_last_scenario("japanese")) == (
        5,
        9,
        9,
    )


@pytest.mark.parametrize(("before", "traits"), [("7-6-8", ("engineer",)), ("6-6-8", ())])
def test_a_7_6_8_that_is_a_half_squad_at_the_end_stays_an_engineer(
    before: str, traits: tuple[str, ...]
) -> None:
    """SSR BRT9: its digits are those of a 6-6-8's HS."""
    campaign = running(marine_squad(type=before))
    take_in(campaign, marine_squad(kind="half_squad", type="3-4-8", traits=[]))
    assert campaign.units["m-sq-1"].traits == traits


def test_a_3_4_8_entered_as_plain_is_plain() -> None:
    campaign = new()
    take_in(campaign, marine_squad(kind="half_squad", type="3-4-8"))
    assert campaign.units["m-sq-1"].traits == ()


def test_a_campaign_may_be_adopted_midway() -> None:
    campaign = new()
    command = carry(campaign, "import", state=demo(), source="state.json")
    assert campaign.situation.date == "20 PM"
    assert not campaign.situation.initial
    assert campaign.situation.pillbox_vp == 9
    assert any("campaign is already under way" in text for text in texts(command))


def test_defaults_are_those_of_the_contract() -> None:
    campaign = new()
    take_in(
        campaign,
        marine_squad(),
        japanese_squad(strength="reduced"),
        weapons=[{"id": "w", "side": "marine", "kind": "sw", "type": "MMG", "location": "N21"}],
        vehicles=[{"id": "v", "side": "marine", "type": "M4A2", "location": "N21", "cvp": 6}],
    )
    squad, reduced = campaign.units["m-sq-1"], campaign.units["j-sq-1"]
    assert (squad.class_, squad.strength, squad.traits, squad.status) == (
        UnitClass.ELITE,
        UnitStrength.FULL,
        (),
        (),
    )
    assert reduced.type == "3-4-8"
    assert campaign.weapons["w"].nation is Side.MARINE
    vehicle = campaign.vehicles["v"]
    assert (vehicle.armored, vehicle.inherent_crew, vehicle.best_af) == (True, True, None)


def test_ranges_of_a_perimeter_are_its_hexes() -> None:
    campaign = new()
    take_in(campaign, perimeters=[["N18-N20", "M18"], ["R22"]])
    assert campaign.situation.perimeters == (("M18", "N18", "N19", "N20"), ("R22",))


def test_a_perimeter_may_be_in_the_ocean_if_players_agreed_it_is_free() -> None:
    campaign = new()
    stated = {"perimeters": [["N18", "O18"], ["N21"]]}
    ocean = "perimeters[0][1]: O18: Ocean; enter only land and the pier"
    assert problems(lambda: take_in(campaign, **stated)) == [ocean]
    carry(campaign, "ruling", id="R-PERIMETER", value="free")
    take_in(campaign, **stated)
    assert campaign.situation.perimeters == (("N18", "O18"), ("N21",))


def test_new_ids_are_listed() -> None:
    command = take_in(new(), marine_squad(), japanese_squad(status=["hidden"]))
    added = [said for said in command.said if said.text.startswith("added: ")]
    assert [one.text for one in added] == [
        "added: 7-6-8 squad no. 1, N21",
        "added: 4-4-8 squad no. 834, M40",
    ]
    assert [one.secret for one in added] == [None, Side.JAPANESE]


# --- a running campaign -------------------------------------------------------------------------


def test_a_counter_is_known_by_its_id_through_every_change() -> None:
    campaign = running(marine_squad(name="Able", status=["cx"]))
    half = marine_squad(kind="half_squad", type="3-4-8", location="M20", status=["broken"])
    take_in(campaign, half)
    unit = campaign.units["m-sq-1"]
    assert (unit.kind, unit.type, unit.location, unit.status, unit.name) == (
        UnitKind.HALF_SQUAD,
        "3-4-8",
        "M20",
        ("broken",),
        "Able",
    )


def test_the_type_of_a_known_counter_is_kept_when_left_out() -> None:
    pillbox = {"id": "F7", "side": "japanese", "type": "pillbox_1_3_5", "location": "O21"}
    built = pillbox | {"capacity": 2, "ca_tem": 3, "nca_tem": 5, "covered_arc": ["P21", "P20"]}
    campaign = running(fortifications=[built])
    take_in(campaign, fortifications=[pillbox])
    kept = campaign.fortifications["F7"]
    assert (kept.capacity, kept.ca_tem, kept.nca_tem) == (2, 3, 5)
    assert kept.covered_arc == ("P20", "P21")


def test_negative_cvp_are_imported_only_if_due_to_prisoners() -> None:
    campaign = running()
    sides = document()["sides"]
    sides["japanese"]["cvp"] = -1
    refused = "sides.japanese.cvp: -1 is not accepted; enter 0 or more (R-PRISONER-CVP)"
    assert problems(lambda: take_in(campaign, sides=sides)) == [refused]
    campaign.tables["rulings"]["R-PRISONER-CVP"].value = "subtract_below"
    carry(campaign, "import", state=document(sides=sides), totals="stated")
    assert campaign.cvp("japanese") == -1


def test_cvp_that_differ_from_the_losses_are_reported_with_both_numbers() -> None:
    campaign = running(japanese_squad())
    state = document(units=[japanese_squad(fate="eliminated")])
    lines = texts(carry(campaign, "import", state=state))
    assert (
        "warning: Marine CVP: the file says 12, but its losses are worth 14; the losses count"
    ) in lines


def test_either_the_losses_or_the_files_cvp_can_count_with_a_reason() -> None:
    state = document(units=[japanese_squad(fate="eliminated")])
    state["sides"]["marine"]["cvp"] = 20
    for totals, cvp in (("counted", 14), ("stated", 20)):
        campaign = running(japanese_squad())
        carry(campaign, "import", state=state, totals=totals, source="end.json")
        assert campaign.cvp("marine") == cvp
        reasons = [row.reason for row in campaign.casualties.values() if row.date == "20 AM"]
        assert ("as end.json says" in reasons) is (totals == "stated")


def test_only_losses_since_the_scenario_began_score() -> None:
    campaign = running(japanese_squad())
    campaign.situation.date = "20 PM"
    state = document(units=[japanese_squad(fate="eliminated")], scenario={"date": "20 PM"})
    state["sides"]["marine"]["cvp"] = None
    carry(campaign, "import", state=state)
    assert (campaign.cvp_of_last_scenario("marine"), campaign.cvp("marine")) == (2, 14)
    assert campaign.cvp_of_last_scenario("japanese") == 0


def test_omitted_facts_are_unchanged() -> None:
    campaign = running(facts={"massacre": True, "pillbox_vp": 3})
    take_in(campaign, facts={"pillbox_vp": 5})
    assert campaign.situation.massacre
    assert campaign.situation.pillbox_vp == 5


@pytest.mark.parametrize(("ruling", "then"), [("scenario", 0), ("campaign", 3)])
def test_pillbox_vp_are_for_the_scenario_or_the_campaign(ruling: str, then: int) -> None:
    campaign = running(facts={"pillbox_vp": 3})
    carry(campaign, "ruling", id="R-VP", value=ruling)
    take_in(campaign)
    assert campaign.situation.pillbox_vp == then


def test_the_second_report_keeps_the_pillbox_vp_of_the_first() -> None:
    campaign = running(facts={"pillbox_vp": 3})
    take_in(campaign, side="marine", facts={"pillbox_vp": 2})
    take_in(campaign, side="japanese")
    assert campaign.situation.pillbox_vp == 2


def test_decreasing_campaign_pillbox_vp_are_a_warning() -> None:
    campaign = running(facts={"pillbox_vp": 3})
    carry(campaign, "ruling", id="R-VP", value="campaign")
    command = take_in(campaign, facts={"pillbox_vp": 1})
    assert campaign.situation.pillbox_vp == 1
    assert any(
        text.startswith("warning: VP for pillboxes are now less than 3") for text in texts(command)
    )


def test_a_missing_counter_is_refused_by_name() -> None:
    campaign = running(marine_squad(), japanese_squad())
    lines = problems(lambda: take_in(campaign, marine_squad()))
    assert lines == [
        "in play but missing: 4-4-8 squad no. 1 (j-sq-1); add --missing keep or "
        "--missing eliminated"
    ]


def test_a_missing_counter_may_be_kept_unchanged() -> None:
    campaign = running(marine_squad(), japanese_squad())
    command = take_in(campaign, marine_squad(), missing="keep")
    assert campaign.units["j-sq-1"].in_play
    assert "4-4-8 squad no. 1 (M40) is missing from the file and is kept unchanged" in texts(
        command
    )


def test_a_missing_counter_that_is_eliminated_is_a_loss() -> None:
    campaign = running(marine_squad(), japanese_squad())
    take_in(campaign, marine_squad(), missing="eliminated")
    assert campaign.units["j-sq-1"].fate is Fate.ELIMINATED
    assert campaign.cvp("marine") == 14


def test_an_earlier_eliminated_counter_is_not_missing() -> None:
    campaign = running(marine_squad(), japanese_squad(fate="eliminated"))
    take_in(campaign, marine_squad())
    assert campaign.units["j-sq-1"].fate is Fate.ELIMINATED


def test_the_dead_do_not_come_back() -> None:
    campaign = running(japanese_squad(fate="eliminated"))
    assert problems(lambda: take_in(campaign, japanese_squad())) == [
        "units[0].id: j-sq-1 is out of play (eliminated); enter fate eliminated, or a "
        "new id; if that fate is a mistake, first correct it with `edit`"
    ]


def test_the_date_is_that_of_the_scenario_just_played() -> None:
    later = {"date": "20 PM", "winner": "marine", "moved_first": "marine"}
    lines = problems(lambda: take_in(running(), scenario=later))
    assert lines == [
        'scenario.date: "20 PM" is not accepted; enter 20 AM, the date of the scenario just played'
    ]


def test_a_counter_back_on_map_is_retained_nowhere() -> None:
    campaign = running(marine_squad())
    unit = campaign.units["m-sq-1"]
    unit.setup_area, unit.isolated, unit.recorded_location = "M1", True, "N21"
    take_in(campaign, marine_squad(setup_area="M9", isolated=True))
    unit = campaign.units["m-sq-1"]
    assert (unit.setup_area, unit.isolated, unit.recorded_location) == (None, False, None)


def test_a_counter_never_set_up_may_stay_retained() -> None:
    campaign = running(marine_squad())
    unit = campaign.units["m-sq-1"]
    unit.location, unit.setup_area = None, "M1"
    command = take_in(campaign, marine_squad(location=None))
    assert campaign.units["m-sq-1"].setup_area == "M1"
    assert "no Location, assumed to be in its Setup Area: 7-6-8 squad no. 1, Area M1" in texts(
        command
    )


def test_equipment_of_units_on_map_is_not_retained() -> None:
    mmg = {"id": "m-mmg-1", "side": "marine", "kind": "sw", "type": "MMG", "possessor": "m-sq-1"}
    campaign = running(marine_squad(), weapons=[mmg | {"location": "N20"}])
    for piece in (campaign.units["m-sq-1"], campaign.weapons["m-mmg-1"]):
        piece.location, piece.setup_area = None, "M1"
    command = take_in(campaign, marine_squad(), weapons=[mmg | {"location": None}])
    assert not [text for text in texts(command) if text.startswith("not set up")]


def test_a_counter_that_was_on_map_needs_a_location() -> None:
    campaign = running(marine_squad())
    lines = problems(lambda: take_in(campaign, marine_squad(location=None, setup_area="M1")))
    assert [line.partition(";")[0] for line in lines] == ["units[0].location: missing"]


def test_a_purchase_is_visible_once_on_map_unhidden() -> None:
    campaign = running(japanese_squad(), japanese_squad(id="j-sq-2", status=["hidden"]))
    for unit in campaign.units.values():
        unit.unseen = True
    take_in(campaign, japanese_squad(), japanese_squad(id="j-sq-2", status=["hidden"]))
    assert [one.unseen for one in campaign.units.values()] == [False, True]


def test_control_of_a_fortification_is_not_imported() -> None:
    trench = {"id": "t", "side": "japanese", "type": "trench", "location": "O21"}
    campaign = running(fortifications=[trench])
    campaign.fortifications["t"].controller = Side.MARINE
    take_in(campaign, fortifications=[trench | {"controller": "japanese"}])
    assert campaign.fortifications["t"].controller is Side.MARINE


def test_a_kept_weapon_of_a_dead_unit_is_unpossessed() -> None:
    weapon = {"id": "w", "side": "marine", "kind": "sw", "type": "MMG", "location": "N21"}
    campaign = running(marine_squad(), weapons=[weapon | {"possessor": "m-sq-1"}])
    take_in(campaign, marine_squad(fate="eliminated"), missing="keep")
    assert campaign.weapons["w"].possessor is None


def test_the_first_mover_is_known_from_setup() -> None:
    campaign = running()
    campaign.situation.first_move = Side.JAPANESE
    take_in(campaign, scenario={"date": "20 AM", "winner": None})
    assert campaign.situation.moved_first is Side.JAPANESE
    assert campaign.situation.winner is None


# --- one side only --------------------------------------------------------------------------------


def half(side: str, *units: dict[str, Any]) -> dict[str, Any]:
    state = document(units=list(units))
    state["sides"] = {side: state["sides"][side]}
    state["sides"][side]["cvp"] = 30
    return state


def test_one_side_imports_only_its_own_counters() -> None:
    campaign = running(marine_squad(), japanese_squad())
    state = half("marine", marine_squad(location="M20"), japanese_squad(location="M41"))
    carry(campaign, "import", state=state, side="marine")
    assert campaign.units["m-sq-1"].location == "M20"
    assert campaign.units["j-sq-1"].location == "M40"
    assert (campaign.cvp("marine"), campaign.cvp("japanese")) == (12, 9)  # not its own to say


def test_enemy_counters_are_not_missing_from_one_sides_state() -> None:
    campaign = running(marine_squad(), japanese_squad())
    carry(campaign, "import", state=half("marine", marine_squad()), side="marine")
    assert campaign.units["j-sq-1"].in_play


def test_a_report_without_terrain_keeps_it_and_one_with_terrain_lists_all() -> None:
    house = {"id": "t1", "location": "N18", "kind": "building", "material": "wood"}
    campaign = running(marine_squad(), terrain=[house])
    missing = problems(lambda: take_in(campaign, marine_squad(), side="marine", terrain=[]))
    assert missing == [
        "in play but missing: building no. 1 (t1); add --missing keep or --missing eliminated"
    ]
    take_in(campaign, marine_squad(), side="marine")
    assert campaign.terrain["t1"].in_play


def test_a_missing_eliminated_guard_guards_nobody() -> None:
    held = japanese_squad(status=["prisoner"], guard="m-sq-1", location="N21")
    campaign = running(marine_squad(), held)
    [problem] = problems(lambda: take_in(campaign, held, missing="eliminated"))
    assert problem.startswith("units[0].guard: m-sq-1 is out of play (eliminated)")


def test_the_opponent_reports_before_the_refit_phase_begins() -> None:
    campaign = running(marine_squad(), japanese_squad())
    carry(campaign, "import", state=half("marine", marine_squad()), side="marine")
    state = half("japanese", japanese_squad(location="M41"))
    carry(campaign, "import", state=state, side="japanese")
    assert campaign.units["j-sq-1"].location == "M41"


@pytest.mark.parametrize("order", [("marine", "japanese"), ("japanese", "marine")])
def test_a_prisoner_is_with_his_hidden_guard_in_either_report_order(
    order: tuple[str, str],
) -> None:
    held = {"status": ["prisoner"]}
    campaign = running(
        marine_squad(**held, guard="j-sq-1"), japanese_squad(location="N21", status=["hidden"])
    )
    halves = {
        "marine": half("marine", marine_squad(**held, location=None)),
        "japanese": half("japanese", japanese_squad(location="M41", status=["hidden"])),
    }
    for side in order:
        carry(campaign, "import", state=halves[side], side=side)
    prisoner = campaign.units["m-sq-1"]
    assert (prisoner.guard, prisoner.location) == ("j-sq-1", "M41")


def test_a_prisoner_not_set_up_moves_with_his_guard() -> None:
    campaign = running(marine_squad(status=["prisoner"], guard="j-sq-1"), japanese_squad())
    for unit in campaign.units.values():
        unit.location, unit.setup_area = None, "J1"
    carry(campaign, "import", state=half("japanese", japanese_squad()), side="japanese")
    prisoner = campaign.units["m-sq-1"]
    assert (prisoner.location, prisoner.setup_area) == ("M40", None)


def test_a_prisoner_is_in_his_imported_location() -> None:
    campaign = running(marine_squad(), japanese_squad())
    held = marine_squad(status=["prisoner"], guard="j-sq-1", location="M39")
    take_in(campaign, held, japanese_squad())
    assert campaign.units["m-sq-1"].location == "M39"


def test_a_report_after_the_refit_phase_has_begun_is_refused() -> None:
    campaign = running(marine_squad())
    carry(campaign, "import", state=half("marine", marine_squad()), side="marine")
    campaign.situation.done = "15.601"
    with pytest.raises(RefusedError, match="import is not possible in the Refit Phase"):
        carry(campaign, "import", state=half("japanese"), side="japanese")


@pytest.mark.parametrize("phase", [Phase.REFIT, Phase.SETUP, Phase.OVER])
def test_a_whole_state_is_imported_only_at_scenario_end(phase: Phase) -> None:
    campaign = in_setup()
    campaign.situation.phase = phase
    with pytest.raises(
        RefusedError, match=f"import is not possible {phase.when_text}; you can now"
    ):
        take_in(campaign)


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ({"missing": "lost"}, 'missing: "lost" is not accepted; enter keep, eliminated'),
        ({"side": "us"}, 'side: "us" is not accepted; enter marine, japanese'),
        ({"preview": True}, f"preview: unknown field; enter {', '.join(ASKED)}"),
    ],
)
def test_import_options_are_checked(asked: dict[str, Any], line: str) -> None:
    assert problems(lambda: carry(new(), "import", state=document(), **asked)) == [line]


@pytest.mark.parametrize(
    ("now", "fate"),
    [
        ({}, "crewed"),
        ({"inherent_crew": False, "status": ["abandoned"]}, "eliminated"),
        ({"side": "marine"}, "eliminated"),
    ],
)
def test_the_crew_of_an_emptied_or_captured_vehicle_is_lost(now: dict[str, Any], fate: str) -> None:
    tank = {"id": "t1", "side": "japanese", "type": "M4A2", "location": "M40", "nation": "marine"}
    crew = japanese_squad(fate="crewed", became="t1", location=None)
    campaign = running(crew, vehicles=[tank])
    take_in(campaign, vehicles=[tank | now])
    assert campaign.units["j-sq-1"].fate == fate


def test_an_adopted_campaign_includes_pillbox_vp_of_earlier_dates() -> None:
    box = {"side": "japanese", "type": "pillbox_1_3_5", "location": "N20", "controller": "marine"}
    forts = [
        {"id": "F1", **box, "capacity": 3, "fell": "20 AM"},
        {"id": "F2", **box, "capacity": 2, "fell": "20 PM"},
        {"id": "F3", **box, "capacity": 1},
    ]
    campaign = new()
    take_in(campaign, scenario={"date": "20 PM"}, fortifications=forts)
    assert campaign.situation.pillbox_vp_so_far == 3


# --- captured -----------------------------------------------------------------------------------


def taken_prisoner(guard: str = "m-sq-1") -> dict[str, Any]:
    return japanese_squad(location="M20", status=["prisoner"], guard=guard)


def test_a_captors_report_names_his_prisoners() -> None:
    campaign = running(marine_squad(), japanese_squad())
    state = half("marine", marine_squad(location="M20"), taken_prisoner())
    command = carry(campaign, "import", state=state, side="marine")
    prisoner = campaign.units["j-sq-1"]
    assert (prisoner.prisoner, prisoner.guard, prisoner.location) == (True, "m-sq-1", "M20")
    assert any(text.endswith(" is captured by 7-6-8 squad no. 1") for text in texts(command))


def test_a_captors_report_may_follow_one_with_the_prisoner_eliminated() -> None:
    campaign = running(marine_squad(), japanese_squad())
    lost = half("japanese", japanese_squad(fate="eliminated"))
    carry(campaign, "import", state=lost, side="japanese")
    state = half("marine", marine_squad(location="M20"), taken_prisoner())
    carry(campaign, "import", state=state, side="marine")
    prisoner = campaign.units["j-sq-1"]
    assert (prisoner.in_play, prisoner.guard) == (True, "m-sq-1")


def test_a_captors_report_of_a_hidden_unit_is_handled_like_an_unknown_one() -> None:
    for there in (True, False):
        hidden = japanese_squad(location="M41", status=["hidden"])
        campaign = running(marine_squad(), *([hidden] if there else []))
        state = half("marine", marine_squad(location="M20"), taken_prisoner())
        carry(campaign, "import", state=state, side="marine")
        assert not there or campaign.units["j-sq-1"].hidden


@pytest.mark.parametrize("guard", ["j-sq-2", "m-sq-9"])
def test_only_a_free_enemy_unit_captures(guard: str) -> None:
    other = japanese_squad(id="j-sq-2", location="M41")
    campaign = running(marine_squad(), japanese_squad(), other)
    state = half("marine", marine_squad(location="M20"), taken_prisoner(guard), other)
    found = problems(lambda: carry(campaign, "import", state=state, side="marine"))
    assert [problem for problem in found if "guard" in problem]


def test_an_owners_report_frees_his_unit_unless_it_stays_captured() -> None:
    for captured in (["j-sq-1"], []):
        campaign = running(marine_squad(), japanese_squad())
        state = half("marine", marine_squad(location="M20"), taken_prisoner())
        carry(campaign, "import", state=state, side="marine")
        free = half("japanese", japanese_squad(location="M41"))
        carry(campaign, "import", state=free, side="japanese", captured=captured)
        assert campaign.units["j-sq-1"].prisoner is bool(captured)


def test_a_captured_unit_no_longer_guards_anybody() -> None:
    held = marine_squad(id="m-sq-2", location="M40", status=["prisoner"], guard="j-sq-1")
    campaign = running(marine_squad(), held, japanese_squad())
    carry(campaign, "import", state=half("marine", marine_squad(), held), side="marine")
    state = half("japanese", japanese_squad(location="N21", status=["prisoner"], guard="m-sq-1"))
    carry(campaign, "import", state=state, side="japanese")
    freed = campaign.units["m-sq-2"]
    assert (freed.prisoner, freed.guard, freed.location) == (True, None, "M40")
