"""What the first save of a campaign says: totals, armament, who is aboard, and who has a weapon."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brt_cg.card import load_card
from brt_cg.imports.scenario_end import ScenarioEnd, read_scenario_end
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.vasl.matching import MatchedSave, reconcile_carriers_and_guards
from brt_cg.vasl.names import load_names
from brt_cg.vasl.pieces import VaslSave
from brt_cg.vasl.rows import update_row
from brt_cg.vasl.save_writer import make_next_setup_save
from brt_cg.vasl.situation import SavedCounter, read_situation
from brt_cg.views.view import create_view
from tests.vasl.test_names import shown
from tests.vasl.writer import Save, Wrote, hide, layer

OCEAN = "N4"
Read = Callable[..., ScenarioEnd]


@pytest.fixture
def desk(tmp_path: Path) -> OpenCampaign:
    return OpenCampaign.create(tmp_path / "new.brt", {"cg": "III"})


@pytest.fixture
def read(desk: OpenCampaign, tmp_path: Path) -> Read:
    """Reads stacks of a save, by hex, into a campaign that has nothing yet, and imports them."""

    def reads(*others: str, **stacks: list[Wrote]) -> ScenarioEnd:
        save = Save(others=[*others])
        for hex, pieces in stacks.items():
            save.at(hex, *pieces)
        path = tmp_path / "first.vsav"
        path.write_bytes(save.file().as_zip())
        found = read_scenario_end(create_view(unrestricted_campaign(desk)), path, "both")
        desk.run_command("import", found.asked)
        return found

    return reads


def marine(id: str, name: str, *traits: tuple[str, str]) -> Wrote:
    return Wrote(id, name, "am/x", [*traits])


def japanese(id: str, name: str, *traits: tuple[str, str]) -> Wrote:
    return Wrote(id, name, "ja/x", [*traits])


def rows(found: ScenarioEnd, table: str) -> dict[str, dict[str, Any]]:
    """The rows of a list, by piece, and those without a piece by id."""
    pieces = {id: piece for piece, id in found.asked["pieces"].items()}
    return {pieces.get(row["id"], row["id"]): row for row in found.asked["state"][table]}


def test_the_first_save_sets_elr_san_and_cvp(read: Read) -> None:
    lost = ("AxisCVP", "16"), ("AlliedCVP", "21")
    counted = [f"GlobalProperty\tx;{name};{number}" for name, number in lost]
    found = read("INFO\tx\tx\tx\t4\t3\t5\t2", *counted, N21=[marine("1", "6-6-8 Msq")])
    sides = found.asked["state"]["sides"]
    totals = {
        side: [given[name] for name in ("elr", "san", "cvp")] for side, given in sides.items()
    }
    assert totals == {"marine": [5, 2, 16], "japanese": [4, 3, 21]}
    assert not [
        guess for guess in found.guesses if "campaign 0" in str(guess) or "CVP" in str(guess)
    ]


def test_an_impossible_san_is_left_unchanged_and_reported(read: Read) -> None:
    found = read("INFO\tx\tx\tx\t4\t9\t5\t2", N21=[marine("1", "6-6-8 Msq")])
    assert found.asked["state"]["sides"]["japanese"]["san"] == 0
    assert [str(guess) for guess in found.guesses if "SAN" in str(guess)]


def test_a_malfunction_on_a_new_vehicle_is_of_its_armament(read: Read) -> None:
    marks = [Wrote("2", "MA Malf", "MS/x"), Wrote("3", "CMG disabled", "MS/x")]
    found = read(N21=[marine("1", "M4A2"), *marks])
    vehicle = found.asked["pieces"]["1"]
    arms = {
        (row["type"], row["main_armament"], *row["status"])
        for row in found.asked["state"]["weapons"]
        if row["vehicle"] == vehicle
    }
    assert arms == {("MA", True, "malfunctioned"), ("CMG", False, "disabled")}


def test_units_stacked_with_a_new_lvt_at_sea_are_aboard(read: Read) -> None:
    found = read(**{OCEAN: [marine("1", "LVT2"), marine("2", "6-6-8 Msq"), marine("3", "8-1")]})
    aboard = {piece: row.get("aboard") for piece, row in rows(found, "units").items()}
    lvt = found.asked["pieces"]["1"]
    assert aboard == {"2": lvt, "3": lvt}


@pytest.mark.parametrize(("vehicle", "room"), [("LVT2", 2), ("LVT(A)2", 1), ("M4A2", 1)])
def test_no_more_units_are_aboard_than_there_is_room_for(
    read: Read, vehicle: str, room: int
) -> None:
    many = [marine(str(number), "6-6-8 Msq") for number in range(2, 6)]
    found = read(**{OCEAN: [marine("1", vehicle), *many]})
    assert sum(bool(row.get("aboard")) for row in rows(found, "units").values()) == room


def holder(*stack: Wrote) -> str | None:
    (weapon,) = [one for one in shown(*stack).found if one.table == "weapons"]
    return weapon.fields.get("possessor")


def test_a_sw_on_a_leader_is_possessed_by_an_mmc_of_his_stack() -> None:
    squad, leader, mg = marine("1", "6-6-8 Msq"), marine("2", "8-1"), marine("3", "MMG")
    assert holder(squad, leader, mg) == "1"
    assert holder(leader, mg, squad) == "1"
    assert holder(leader, mg) == "2"
    stack = shown(marine("4", "7-6-8 Msq"), squad, leader, marine("5", "LMG"), mg).found
    assert [one.fields["possessor"] for one in stack if one.table == "weapons"] == ["1", "4"]
    assert holder(marine("4", "7-6-8 Msq"), squad, mg) == "1"


def test_a_question_counter_conceals_the_units_of_one_side_under_it() -> None:
    stack = shown(
        marine("1", "6-6-8 Msq"),
        *(japanese(id, "4-4-7 1sq") for id in ("2", "3")),
        Wrote("4", "?", "MS/x"),
        japanese("5", "4-4-7 1sq"),
        Wrote("6", "?", "MS/x"),
        japanese("7", "4-4-7 1sq"),
    ).found
    assert [one.piece for one in stack if "concealed" in one.fields["status"]] == ["2", "3", "5"]


def test_a_visible_gun_is_not_given_to_a_hidden_crew() -> None:
    crew, gun = japanese("1", "2-2-8 Icr", hide("Ito")), japanese("2", "37L AT", hide())
    assert holder(crew, gun) is None
    assert holder(crew, japanese("2", "37L AT", hide("Ito"))) == "1"
    assert holder(japanese("1", "2-2-8 Icr", hide()), gun) == "1"


@pytest.mark.parametrize("now", ["crew", "vehicle_crew"])
def test_a_known_piece_never_turns_one_kind_of_crew_into_the_other(now: str) -> None:
    was = {"crew": "vehicle_crew", "vehicle_crew": "crew"}[now]
    row: dict[str, Any] = {"kind": was, "type": "1-2-7", "strength": "full", "location": "N21"}
    fields = {"kind": now, "type": "1-2-8", "strength": "reduced", "location": "N22"}
    crew = SavedCounter("1", "1-2-7 Icr", "units", fields)
    kept = update_row(row, crew, is_known=True)
    assert (kept["kind"], kept["type"], kept["location"]) == (was, "1-2-7", "N22")
    assert update_row(row, crew)["kind"] == now


def written_again(
    read: Read, desk: OpenCampaign, tmp_path: Path, stack: list[Wrote], hex: str
) -> Any:
    """The situation of a save that was read and then written."""
    read(**{hex: stack})
    made = make_next_setup_save(
        create_view(unrestricted_campaign(desk)), Save().at(hex, *stack).file()
    )
    return read_situation(VaslSave(made.file.text), load_names(), load_card("III").ladders)


@pytest.mark.parametrize(
    ("marker", "status", "armament"),
    [("Sand Bog", ["bogged"], {}), ("MA Malf", [], {"MA": "malfunctioned"})],
)
def test_a_vehicles_marker_above_its_passengers_is_kept_in_the_save(
    read: Read, desk: OpenCampaign, tmp_path: Path, marker: str, status: list[str], armament: Any
) -> None:
    stack = [marine("1", "M4A2"), marine("2", "6-6-8 Msq"), Wrote("3", marker, "MS/x")]
    (tank, _) = written_again(read, desk, tmp_path, stack, "N21").found
    assert (tank.fields["status"], tank.armament) == (status, armament)


def test_the_blaze_of_a_burnt_out_wreck_is_removed(
    read: Read, desk: OpenCampaign, tmp_path: Path
) -> None:
    wreck = [marine("1", "M4A2 Wreck"), Wrote("2", "Burnt Out Wreck", "MS/x")]
    assert (
        written_again(read, desk, tmp_path, [*wreck, Wrote("3", "Blaze", "MS/x")], "N21").fires
        == {}
    )
    assert next(iter(unrestricted_campaign(desk).campaign.vehicles.values())).status == (
        "burnt_out",
        "wreck",
    )


@pytest.mark.parametrize(
    ("level", "tem", "dead"), [(1, (5, 7), False), (2, (2, 2), False), (3, (5, 7), True)]
)
def test_a_pillbox_is_reduced_or_rubbled(level: int, tem: tuple[int, int], dead: bool) -> None:
    (box,) = shown(
        Wrote("1", "1+5+7 Pillbox", "ML/x", [layer(",Reduced +,Rubbled +", level)])
    ).found
    assert ((box.fields["ca_tem"], box.fields["nca_tem"]), box.dead) == (tem, dead)
    assert box.words.endswith("(N21)")


@pytest.mark.parametrize("name", ["Cmd Bunker Roof", "Island Cmd", "Breach Out", "Tunnel Entrance"])
def test_pieces_that_only_vasl_uses_are_not_reported_as_unknown(name: str) -> None:
    assert shown(Wrote("1", name, "MS/x")).unknown == []


def test_a_prisoner_apart_from_his_guard_has_no_guard() -> None:
    prisoner = {"id": "m-1", "status": ["prisoner"], "guard": "j-1", "location": "N21"}
    for hex, guard in (("N21", "j-1"), ("N22", None), (None, "j-1"), ("N21:box", "j-1")):
        units = [dict(prisoner), {"id": "j-1", "status": [], "location": hex}]
        matched = MatchedSave({"units": units, "vehicles": [], "weapons": []})
        reconcile_carriers_and_guards(matched, {})
        assert units[0]["guard"] == guard
        alone = [dict(prisoner)]
        reconcile_carriers_and_guards(
            MatchedSave({"units": alone, "vehicles": [], "weapons": []}), {"j-1": units[1]}
        )
        assert alone[0]["guard"] == guard
