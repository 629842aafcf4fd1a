"""`edit`: the players put right what is wrong."""

from typing import Any

import pytest

from brt_cg.commands.edit import parse_edit_assignments
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Fate, Side, UnitClass, UnitKind
from brt_cg.model.records import LossKind, Phase
from brt_cg.questions.answers import RefusedError
from tests.commands.campaigns import (
    carry,
    in_setup,
    japanese_squad,
    marine_squad,
    problems,
    running,
    texts,
)

WEAPON = {"id": "w", "side": "marine", "kind": "sw", "type": "MMG", "location": "N21"}


def edit(campaign: Campaign, id: str, reason: str = "miscounted", /, **values: Any) -> Any:
    return carry(campaign, "edit", id=id, set=values, reason=reason)


def refused(campaign: Campaign, id: str, /, **values: Any) -> list[str]:
    return problems(lambda: edit(campaign, id, **values))


def test_a_correction_is_logged_with_author_and_reason() -> None:
    campaign = running(marine_squad(name="Able"))
    command = edit(campaign, "m-sq-1", location="M20", status=["wounded", "broken"])
    unit = campaign.units["m-sq-1"]
    assert (unit.location, unit.status) == ("M20", ("broken", "wounded"))
    assert texts(command) == [
        "Ann corrects 7-6-8 squad Able: Location N21 → M20, status – → broken, wounded (miscounted)"
    ]


def test_strength_factors_follow_the_class_of_a_japanese_squad() -> None:
    campaign = running(japanese_squad())
    edit(campaign, "j-sq-1", **{"class": "conscript", "strength": "reduced"})
    unit = campaign.units["j-sq-1"]
    assert (unit.class_, unit.type) == (UnitClass.CONSCRIPT, "2-2-6")


def test_a_marine_squad_becomes_one_of_its_half_squads() -> None:
    campaign = running(marine_squad())
    edit(campaign, "m-sq-1", kind="half_squad", type="3-4-8")
    assert campaign.units["m-sq-1"].kind is UnitKind.HALF_SQUAD
    assert campaign.units["m-sq-1"].traits == ("engineer",)  # BRT9


def test_a_half_squad_of_a_7_6_8_is_plain_on_request() -> None:
    campaign = running(marine_squad())
    edit(campaign, "m-sq-1", kind="half_squad", type="3-4-8", traits=[])
    assert campaign.units["m-sq-1"].traits == ()


def test_null_sets_a_field_to_its_default() -> None:
    campaign = running(marine_squad(status=["cx"], name="Able"))
    edit(campaign, "m-sq-1", status=None, name=None)
    assert (campaign.units["m-sq-1"].status, campaign.units["m-sq-1"].name) == ((), None)


def test_a_gun_may_be_relocated() -> None:
    campaign = in_setup()
    gun = {"id": "g", "side": "japanese", "kind": "gun", "type": "37L AT", "location": "M40"}
    carry(campaign, "reinforce", state={"format": "brt-cg/state", "version": 1, "weapons": [gun]})
    campaign.weapons["g"].location, campaign.weapons["g"].recorded_location = "M40", "M40"
    edit(campaign, "g", location=None, recorded_location=None, setup_area="J1")
    assert campaign.weapons["g"].location is None


def test_equipment_of_a_dead_unit_is_unpossessed() -> None:
    campaign = running(marine_squad(), weapons=[WEAPON | {"possessor": "m-sq-1"}])
    edit(campaign, "m-sq-1", fate="eliminated")
    assert campaign.units["m-sq-1"].fate is Fate.ELIMINATED
    assert campaign.weapons["w"].possessor is None


def test_the_correction_of_a_hidden_counter_is_secret() -> None:
    campaign = running(japanese_squad(status=["hidden"]), marine_squad())
    assert edit(campaign, "j-sq-1", location="M41").secret is Side.JAPANESE
    assert edit(campaign, "m-sq-1", location="M20").secret is None


def test_a_sides_totals_may_be_corrected() -> None:
    campaign = running()
    command = edit(campaign, "japanese", cvp=11, san=6)
    japanese = campaign.sides["japanese"]
    assert (campaign.cvp("japanese"), japanese.san, japanese.announced_san) == (11, 6, 6)
    assert texts(command) == [
        "Japanese CVP 9 → 11: miscounted (2)",
        "Ann corrects the Japanese totals: SAN 5 → 6, SAN announced 5 → 6 (miscounted)",
    ]


def test_a_total_entered_by_players_is_a_ledger_row_with_its_reason() -> None:
    campaign = running()
    edit(campaign, "japanese", cvp=11)
    row = campaign.casualties["japanese/2"]
    assert (row.points, row.how, row.reason) == (2, LossKind.STATED, "miscounted")


def test_cvp_before_the_scenario_may_be_corrected_without_changing_the_total() -> None:
    campaign = running()
    edit(campaign, "japanese", cvp_before=4)
    assert (campaign.cvp(Side.JAPANESE), campaign.cvp_of_last_scenario(Side.JAPANESE)) == (9, 5)


def test_reviving_a_squad_subtracts_its_cvp() -> None:
    campaign = running(japanese_squad(), marine_squad())
    assert "Marine CVP 12 → 14: 4-4-8 squad no. 1 (2)" in texts(
        edit(campaign, "j-sq-1", fate="eliminated")
    )
    campaign.situation.date = "21 AM"  # two dates later
    lines = texts(edit(campaign, "j-sq-1", fate="in_play"))
    assert "Marine CVP 14 → 12: no longer 4-4-8 squad no. 1 (2)" in lines
    assert not campaign.casualties.records_with("counter", "j-sq-1")


def test_a_tanks_weapons_are_lost_and_revived_with_it() -> None:
    tank = {"id": "t", "side": "marine", "type": "M4A2", "location": "N21", "cvp": 6}
    gun = {"id": "g", "side": "marine", "kind": "vehicular", "type": "75", "location": "N21"}
    campaign = running(vehicles=[tank], weapons=[gun | {"vehicle": "t"}])
    edit(campaign, "t", fate="eliminated")
    assert (campaign.weapons["g"].in_play, campaign.cvp_of_last_scenario(Side.JAPANESE)) == (
        False,
        15,
    )
    edit(campaign, "t", fate="in_play")
    assert (campaign.weapons["g"].in_play, campaign.cvp_of_last_scenario(Side.JAPANESE)) == (
        True,
        9,
    )


def test_in_an_old_campaign_a_revived_squad_reduces_the_opening_row() -> None:
    campaign = running(japanese_squad(fate="eliminated"))
    campaign.casualties.clear()
    campaign.sides["marine"].cvp = 12
    edit(campaign, "j-sq-1", fate="in_play")
    assert campaign.cvp(Side.MARINE) == 10


def test_cvp_may_be_negative_only_through_prisoners() -> None:
    campaign = running()
    refused = "japanese.cvp: -1 is not accepted; enter 0 or more (R-PRISONER-CVP)"
    assert problems(lambda: edit(campaign, "japanese", cvp=-1)) == [refused]
    campaign.tables["rulings"]["R-PRISONER-CVP"].value = "subtract_below"
    edit(campaign, "japanese", cvp=-1, cvp_before=-1)
    assert (campaign.cvp("japanese"), campaign.cvp_of_last_scenario("japanese")) == (-1, 0)
    assert problems(lambda: edit(campaign, "marine", cvp=-1)) != []


def test_the_facts_of_the_campaign_may_be_corrected() -> None:
    campaign = running()
    edit(campaign, "campaign", massacre=True, nights_without_scenario=1)
    assert campaign.situation.massacre
    assert campaign.situation.nights_without_scenario == 1


@pytest.mark.parametrize(
    ("id", "values", "line"),
    [
        ("m-sq-1", {"type": "9-9-9"}, "m-sq-1.type: there is no Marine squad 9-9-9; enter 7-6-8"),
        ("m-sq-1", {"kind": "half_squad"}, "m-sq-1.type: there is no Marine half squad 7-6-8;"),
        ("m-sq-1", {"location": "ZZ9"}, "m-sq-1.location: ZZ9 is not a hex of Betio (A1–Z63)"),
        (
            "m-sq-1",
            {"location": None},
            "m-sq-1.location: missing; enter a Location, or the Setup Area where it is Retained",
        ),
        (
            "m-sq-1",
            {"aboard": "v9"},
            "m-sq-1.aboard: v9 is neither in the campaign nor entered now",
        ),
        ("m-sq-1", {"setup_area": "M9"}, 'm-sq-1.setup_area: "M9" is not accepted; enter none'),
        ("m-sq-1", {"side": None}, "m-sq-1.side: null is not accepted; a value is required"),
        ("m-sq-1", {"id": "m-2"}, "m-sq-1.id: unknown field; enter side, kind, type,"),
        ("m-sq-1", {"purchase": "p3"}, "m-sq-1.purchase: unknown field; enter side,"),
        (
            "m-sq-1",
            {"location": "N21"},
            "m-sq-1 already has these values, so there is nothing to edit",
        ),
        ("marine", {"san": 9}, "marine.san: 9 is not accepted; enter a whole number from 0 to 7"),
        (
            "marine",
            {"location": "N21"},
            "marine.location: unknown field; enter san, elr,",
        ),
        ("campaign", {"date": "20 PM"}, "campaign.date: unknown field; enter massacre,"),
        ("nobody", {"name": "x"}, "nobody is not in the campaign; enter a counter,"),
    ],
)
def test_an_impossible_correction_is_refused(id: str, values: dict[str, Any], line: str) -> None:
    lines = refused(running(marine_squad()), id, **values)
    assert lines[0].startswith(line)


def test_a_correction_may_not_break_linked_counters() -> None:
    mine = {"id": "g", "side": "japanese", "kind": "crew", "class": "elite", "location": "N21"}
    campaign = running(mine, weapons=[WEAPON | {"side": "japanese", "possessor": "g"}])
    assert refused(campaign, "g", side="marine", type="2-2-8") == [
        "w: possessor: g is marine, but w is japanese; enter one of the same side"
    ]


def test_a_refused_correction_does_not_reveal_a_hidden_unit_in_a_pillbox() -> None:
    inside = japanese_squad(location="N21:F7", status=["hidden"])
    box = {"id": "F7", "side": "japanese", "type": "pillbox", "location": "N21"}
    campaign = running(inside, fortifications=[box])
    edit(campaign, "F7", location="N22")
    assert campaign.fortifications["F7"].location == "N22"


def test_several_problems_are_reported_together() -> None:
    campaign = running(marine_squad())
    assert len(refused(campaign, "m-sq-1", location="ZZ9", status=["asleep"], colour="red")) == 3
    assert campaign.units["m-sq-1"].location == "N21"


@pytest.mark.parametrize(
    "nowhere", [{"location": None, "setup_area": "M1"}, {"location": "off_map"}]
)
def test_a_unit_not_on_map_cannot_be_isolated(nowhere: dict[str, Any]) -> None:
    campaign = in_setup(marine_squad())
    assert refused(campaign, "m-sq-1", isolated=True, **nowhere) == [
        "m-sq-1.isolated: true is not accepted; enter false, since it has no Location on map"
    ]


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        (
            {"id": "m-sq-1", "set": {"name": "x"}, "reason": " "},
            'reason: " " is not accepted; enter a re',
        ),
        ({"id": "m-sq-1", "set": {"name": "x"}}, "reason: null is not accepted; enter a reason"),
        (
            {"id": "m-sq-1", "set": {}, "reason": "r"},
            "set: {} is not accepted; enter at least one FIELD",
        ),
        ({"id": 3, "set": {"name": "x"}, "reason": "r"}, "id: 3 is not accepted; enter an id"),
        (
            {"id": "m", "set": {"a": 1}, "reason": "r", "why": 1},
            "why: unknown field; enter id",
        ),
    ],
)
def test_a_correction_needs_a_reason(asked: dict[str, Any], line: str) -> None:
    lines = problems(lambda: carry(running(marine_squad()), "edit", **asked))
    assert lines[0].startswith(line)


def test_nothing_is_corrected_after_the_campaign() -> None:
    campaign = running(marine_squad())
    campaign.situation.phase = Phase.OVER
    with pytest.raises(RefusedError, match="edit is not possible after the end"):
        edit(campaign, "m-sq-1", location="M20")


# --- as typed -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("status=broken,wounded", {"status": ["broken", "wounded"]}),
        ("status=", {"status": None}),
        ("location=N21:1", {"location": "N21:1"}),
        ("aboard=null", {"aboard": None}),
        ("isolated=yes", {"isolated": True}),
        ("name=Able Baker", {"name": "Able Baker"}),
        ("class=green", {"class": "green"}),
    ],
)
def test_assignments_are_read_by_field_type(typed: str, meant: dict[str, Any]) -> None:
    assert parse_edit_assignments(running(marine_squad()), "m-sq-1", [typed]) == meant


def test_numbers_are_read_and_invalid_ones_left_for_the_edit_to_refuse() -> None:
    campaign = running(weapons=[WEAPON])
    typed = ["repair_number=2", "pp=many", "main_armament=true"]
    values = parse_edit_assignments(campaign, "w", typed)
    assert values == {"repair_number": 2, "pp": "many", "main_armament": True}
    assert refused(campaign, "w", **values) == [
        'w.pp: "many" is not accepted; enter a whole number from 0 to 99'
    ]


def test_a_text_that_is_no_assignment_is_refused() -> None:
    campaign = running(marine_squad())
    typed = ["broken", "colour=red", "name=a", "name=b"]
    lines = problems(lambda: parse_edit_assignments(campaign, "m-sq-1", typed))
    assert [line.partition(";")[0] for line in lines] == [
        "broken: write FIELD=VALUE",
        "colour: unknown field of m-sq-1",
        'name: given twice: "name=b"',
    ]


def test_a_lost_units_possessions_return_with_one_correction() -> None:
    held = marine_squad(id="m-sq-2", location="N21", status=["prisoner"], guard="j-sq-1")
    gun = {"id": "w", "side": "japanese", "kind": "sw", "type": "LMG", "location": "N21"}
    armed = gun | {"possessor": "j-sq-1"}
    campaign = running(japanese_squad(location="N21"), marine_squad(), held, weapons=[armed])
    lines = texts(edit(campaign, "j-sq-1", fate="eliminated"))
    for words in ("possessed by 4-4-8 squad no. 1 → –", "guarded by 4-4-8 squad no. 1 → –"):
        assert any(words in line for line in lines)
    assert campaign.cvp(Side.MARINE) == 14
    also = [
        {"id": "w", "set": {"possessor": "j-sq-1"}},
        {"id": "m-sq-2", "set": {"guard": "j-sq-1"}},
    ]
    asked = {"id": "j-sq-1", "set": {"fate": "in_play"}, "reason": "a slip", "also": also}
    carry(campaign, "edit", **asked)
    assert (campaign.weapons["w"].possessor, campaign.units["m-sq-2"].guard) == ("j-sq-1",) * 2
    assert campaign.cvp(Side.MARINE) == 12


@pytest.mark.parametrize("also", [[{"id": "w"}], "w", [{"id": "w", "set": 3}]])
def test_further_corrections_have_an_id_and_values(also: Any) -> None:
    campaign = running(japanese_squad())
    asked = {"id": "j-sq-1", "set": {"fate": "eliminated"}, "reason": "a slip", "also": also}
    found = problems(lambda: carry(campaign, "edit", **asked))
    assert any("enter an object with id and set" in line for line in found)
    assert campaign.units["j-sq-1"].in_play
