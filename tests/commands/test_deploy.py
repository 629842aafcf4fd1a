"""`deploy`: squads become their HS during setup (A1.31; freely for the Marine 7-6-8)."""

from typing import Any

import pytest

from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Unit, UnitKind
from brt_cg.model.records import Phase
from tests.commands.campaigns import carry, problems, texts
from tests.refit.table import (
    JAPANESE,
    campaign,
    japanese_squad,
    leader,
    marine_squad,
    sw,
    vehicle,
)

AREAS = {"M1": "N18-N21", "J1": "J40-J50"}


def setup(*units: Any, **facts: Any) -> Campaign:
    return campaign(*units, areas=AREAS, **{"phase": Phase.SETUP, **facts})


def squad(type_: str = "7-6-8", **values: Any) -> Unit:
    return marine_squad("m1", None, type_, setup_area="M1", **values)


@pytest.mark.parametrize(("type_", "half"), [("7-6-8", "3-4-8"), ("5-5-8", "2-3-8")])
def test_a_squad_deploys_into_two_half_squads_in_its_location(type_: str, half: str) -> None:
    table = setup(squad(type_), sw("w", None, setup_area="M1", possessor="m1"))
    command = carry(table, "deploy", ids=["m1"])
    halves = [table.units[id] for id in ("m1", "m1.2")]
    assert [(unit.kind, unit.type, unit.setup_area) for unit in halves] == [
        (UnitKind.HALF_SQUAD, half, "M1")
    ] * 2
    assert table.weapons["w"].possessor == "m1"
    assert ("(freely)" in texts(command)[0]) is (type_ == "7-6-8")


def test_the_second_half_squad_gets_no_name_equipment_or_prisoners() -> None:
    """It is aboard with the other, whom all of these stay with."""
    lvt = vehicle("t1", "N19", "LVT2")
    there = marine_squad("m1", "N19", name="Smith", aboard="t1")
    held = japanese_squad("j1", "N19", status="prisoner", guard="m1")
    table = campaign(lvt, there, held, sw("w", "N19", possessor="m1"), phase=Phase.SETUP)
    carry(table, "deploy", ids=["m1"])
    first, second = table.units["m1"], table.units["m1.2"]
    assert (first.name, second.name) == ("Smith", None)
    assert first.aboard == second.aboard == "t1"
    assert table.weapons["w"].possessor == table.units["j1"].guard == "m1"
    assert second.guard is None


def test_the_half_squads_of_a_7_6_8_are_engineers() -> None:
    table = setup(squad())
    carry(table, "deploy", ids=["m1"])
    assert {table.units[id].traits for id in ("m1", "m1.2")} == {("engineer",)}


def test_a_reduced_japanese_squad_deploys_into_just_one_half_squad() -> None:
    """G1.16."""
    reduced = japanese_squad("j1", None, strength="reduced", setup_area="J1")
    table = setup(reduced, japanese_squad("j2", None, setup_area="J1"))
    carry(table, "deploy", ids=["j1", "j2"])
    assert [id for id in table.units if id.startswith("j")] == ["j1", "j2", "j2.2"]
    assert table.units["j1"].type == "2-3-7"


def test_hidden_squads_deploy_in_secret() -> None:
    hidden = japanese_squad("j1", "J42", status="hidden", recorded_location="J42")
    command = carry(setup(hidden), "deploy", ids=["j1"])
    assert command.secret is JAPANESE


@pytest.mark.parametrize(
    ("id", "why"),
    [
        ("m9", "m9 is not in play"),
        ("l1", "l1 is not a squad"),
        ("held", "held is not in Good Order"),
    ],
)
def test_units_that_cannot_deploy_are_named(id: str, why: str) -> None:
    table = setup(
        squad(),
        leader("l1", None, setup_area="M1"),
        marine_squad("held", None, setup_area="M1", status="unarmed"),
    )
    assert why in str(problems(lambda: carry(table, "deploy", ids=["m1", id])))
    assert "m1.2" not in table.units


@pytest.mark.parametrize("phase", [Phase.SCENARIO, Phase.OVER])
def test_nobody_deploys_during_a_scenario(phase: Phase) -> None:
    assert "deploy is not possible" in str(
        problems(lambda: carry(setup(squad(), phase=phase), "deploy", ids=["m1"]))
    )


def test_only_one_side_deploys_per_command() -> None:
    table = setup(squad(), japanese_squad("j1", None, setup_area="J1"))
    assert "both sides" in str(problems(lambda: carry(table, "deploy", ids=["m1", "j1"])))
