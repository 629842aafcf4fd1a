"""Which counter a piece of a save is, and what becomes of a piece that contradicts the campaign."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from brt_cg.board.locations import ground_hex, is_ocean
from brt_cg.card import load_card
from brt_cg.commands.difference import DifferenceLine
from brt_cg.commands.state_document import build_state_document
from brt_cg.imports.preview import preview_import
from brt_cg.imports.save_conflicts import drop_conflicting_facts
from brt_cg.imports.scenario_end import ScenarioEnd, import_input_without_refused, read_scenario_end
from brt_cg.model.counters import Unit
from brt_cg.questions.answers import RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.vasl.likeness import Likeness
from brt_cg.vasl.names import TABLES, load_names
from brt_cg.vasl.pieces import VaslSave
from brt_cg.vasl.rows import piece_contradictions, update_row
from brt_cg.vasl.situation import SavedCounter, read_situation
from brt_cg.views.view import create_view
from tests.vasl.demo_save import save_of
from tests.vasl.writer import Save, Wrote, layer

Read = Callable[[Save], ScenarioEnd]


@pytest.fixture
def read(desk: OpenCampaign, tmp_path: Path) -> Read:
    def reads(save: Save) -> ScenarioEnd:
        path = tmp_path / "end.vsav"
        path.write_bytes(save.file().as_zip())
        return read_scenario_end(create_view(unrestricted_campaign(desk)), path, "both", "keep")

    return reads


def row(found: ScenarioEnd, piece: Wrote) -> dict[str, Any]:
    id = found.asked["pieces"][piece.id]
    rows = [row for table in ("units", "vehicles") for row in found.asked["state"][table]]
    return next(row for row in rows if row["id"] == id)


def about(found: ScenarioEnd, words: str) -> list[str]:
    return [str(guess) for guess in found.guesses if words in str(guess)]


def renamed(save: Save, id: str, name: str) -> Wrote:
    """Puts another piece, new to the campaign, where that of a counter lies."""
    for *_, pieces in save.stacks:
        for number, one in enumerate(pieces):
            if one.id == id:
                pieces[number] = Wrote(f"99{number}", name, one.picture, list(one.traits))
                return pieces[number]
    raise AssertionError(id)


def squad_of(desk: OpenCampaign, **fields: str) -> Unit:
    return next(
        unit
        for unit in unrestricted_campaign(desk).campaign.units.values()
        if unit.in_play
        and unit.location
        and not unit.status
        and all(getattr(unit, name) == value for name, value in fields.items())
    )


def test_more_full_squads_than_the_roster_has_are_lines_to_decide(
    desk: OpenCampaign, read: Read
) -> None:
    reduced = squad_of(desk, kind="squad", strength="reduced")
    save = save_of(unrestricted_campaign(desk).campaign)
    full = {"elite": "4-4-8 Esq", "first_line": "4-4-7 1sq", "second_line": "3-4-7 2sq"}
    piece = renamed(save, reduced.id, full[str(reduced.class_)])
    found = read(save)
    assert (row(found, piece)["id"], row(found, piece)["strength"]) == (reduced.id, "full")
    (guess,) = about(found, "at Reduced Strength")
    assert piece.name in guess
    assert "units[" not in guess


def test_a_wreck_that_replaces_its_vehicle_is_that_vehicle(desk: OpenCampaign, read: Read) -> None:
    tank = next(
        one
        for one in unrestricted_campaign(desk).campaign.vehicles.values()
        if one.in_play and not one.status
    )
    save = save_of(unrestricted_campaign(desk).campaign)
    wreck = renamed(save, tank.id, f"{tank.type} Wreck")
    now = row(read(save), wreck)
    assert (now["type"], now["location"]) == (tank.type, tank.location)
    assert now["status"] == ["wreck"]


def test_a_wreck_never_comes_back_to_life(desk: OpenCampaign, read: Read) -> None:
    tank = next(
        one
        for one in unrestricted_campaign(desk).campaign.vehicles.values()
        if one.has_status("wreck") and one.in_play
    )
    save = save_of(unrestricted_campaign(desk).campaign)
    piece = renamed(save, tank.id, tank.type)
    found = read(save)
    if found.asked["pieces"][piece.id] == tank.id:
        assert "wreck" in row(found, piece)["status"]
        assert about(found, "it is a wreck in the campaign")


def test_a_fortification_dragged_elsewhere_stays_and_is_reported(
    desk: OpenCampaign,
) -> None:
    rows = build_state_document(unrestricted_campaign(desk).campaign)["fortifications"]
    wire = next(row for row in rows if row["type"] == "wire")
    piece = SavedCounter("1", "Wire", "fortifications", {"type": "wire", "location": "N20"})
    assert update_row(wire, piece)["location"] == wire["location"]
    assert [*piece_contradictions(wire, piece)] == [
        f"the campaign has it in {wire['location']}, and it cannot move"
    ]


def test_the_number_of_engineers_does_not_change(desk: OpenCampaign, read: Read) -> None:
    before = sum(
        unit.has_trait("engineer") and unit.in_play
        for unit in unrestricted_campaign(desk).campaign.units.values()
    )
    found = read(save_of(unrestricted_campaign(desk).campaign))
    rows = found.asked["state"]["units"]
    assert sum("engineer" in row["traits"] and row["fate"] == "in_play" for row in rows) == before


def test_a_status_that_the_piece_cannot_show_stays_with_its_counter(
    desk: OpenCampaign, read: Read
) -> None:
    weapon = next(
        one
        for one in unrestricted_campaign(desk).campaign.weapons.values()
        if one.type in ("FT", "DC")
    )
    desk.run_command(
        "edit", {"id": weapon.id, "set": {"status": ["malfunctioned"]}, "reason": "was"}
    )
    save = save_of(unrestricted_campaign(desk).campaign)
    piece = next(one for one in save.pieces() if one.id == weapon.id)
    piece.traits = [one for one in piece.traits if "malf" not in one[0]]
    rows = read(save).asked["state"]["weapons"]
    assert next(row for row in rows if row["id"] == weapon.id)["status"] == ["malfunctioned"]


def test_states_without_a_vasl_piece_side_are_listed_in_one_line(
    desk: OpenCampaign, read: Read
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    charge = next(piece for piece in save.pieces() if piece.name == "DC")
    charge.traits = [one for one in charge.traits if "malf" not in one[0]]
    (said,) = about(read(save), "no malfunctioned side")
    assert unrestricted_campaign(desk).campaign.weapons[charge.id].label in said


def test_a_guard_out_of_play_guards_nobody_and_is_reported(desk: OpenCampaign, read: Read) -> None:
    captive = next(
        one
        for one in unrestricted_campaign(desk).campaign.units.values()
        if one.prisoner and one.guard
    )
    guard = unrestricted_campaign(desk).campaign.units[str(captive.guard)]
    save = save_of(unrestricted_campaign(desk).campaign)
    dead = next(one for one in save.pieces() if one.id == guard.id)
    save.drop(dead)
    save.at_pixel(300, 300, dead, on="Casualties")
    found = read(save)
    rows = {one["id"]: one for one in found.asked["state"]["units"]}
    assert rows[captive.id]["guard"] is None
    (said,) = about(found, "is out of play")
    assert dead.name in said


def test_counters_not_set_up_are_found_in_their_area_as_one_line(
    desk: OpenCampaign, read: Read
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    areas = unrestricted_campaign(desk).campaign.areas
    squads = [
        unit
        for unit in unrestricted_campaign(desk).campaign.units.values()
        if unit.kind == "squad" and unit.in_play and unit.location and not unit.prisoner
    ]
    free = [unit for unit in squads if unrestricted_campaign(desk).campaign.area_at(unit.location)][
        :5
    ]
    for unit in free:
        area = unrestricted_campaign(desk).campaign.area_at(unit.location)
        assert area is not None
        held = [
            one.id
            for one in unrestricted_campaign(desk).campaign.weapons.values()
            if one.possessor == unit.id
        ]
        if not held and not unit.aboard:
            asked = {"location": None, "setup_area": area.id}
            desk.run_command("edit", {"id": unit.id, "set": asked, "reason": "it waits"})
    waiting = [
        unit
        for unit in free
        if unrestricted_campaign(desk).campaign.units[unit.id].location is None
    ]
    assert waiting
    assert areas
    found = read(save)
    lines = [
        line
        for line in preview_import(create_view(unrestricted_campaign(desk)), found)
        if "now on the map, from" in str(line)
    ]
    assert {id for line in lines for id in line.ids} == {unit.id for unit in waiting}
    assert len(lines) <= len({unit.setup_area for unit in waiting}) + len(areas)


def test_a_counter_on_the_table_without_a_hex_is_found_in_its_area(
    desk: OpenCampaign, read: Read
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    areas = unrestricted_campaign(desk).campaign.areas.values()
    area = next(one for one in areas if one.side == "marine" and len(one.hexes) > 20)
    dry = [hex for hex in map(ground_hex, area.hexes) if not is_ocean(hex)]
    squad = squad_of(desk, kind="squad", type="5-5-8")
    piece = next(one for one in save.pieces() if one.id == squad.id)
    save.drop(piece)
    save.at(dry[-1], piece)
    asked = {"location": f"in {dry[0]}", "status": []}
    desk.run_command("edit", {"id": squad.id, "set": asked, "reason": "somewhere there"})
    found = read(save)
    assert row(found, piece)["id"] == squad.id
    assert ground_hex(row(found, piece)["location"]) == dry[-1]
    (line,) = [
        line
        for line in preview_import(create_view(unrestricted_campaign(desk)), found)
        if squad.id in line.ids
    ]
    assert f"from Area {area.id}" in str(line)


def test_equal_squads_that_moved_are_one_line_with_their_names(
    desk: OpenCampaign, read: Read
) -> None:
    campaign = unrestricted_campaign(desk).campaign
    save = save_of(campaign)
    free = [one for one in campaign.units.values() if one.kind == "squad" and not one.status]
    free = [one for one in free if one.in_play and one.location and not one.aboard]
    some = [one for one in free if (one.type, one.name, one.traits) == ("6-6-8", None, ())][:2]
    assert len(some) == 2
    for piece in [one for one in save.pieces() if one.id in {squad.id for squad in some}]:
        save.drop(piece)
        save.at("N20", piece)
    lines = map(str, preview_import(create_view(unrestricted_campaign(desk)), read(save)))
    (line,) = [line for line in lines if "identical counters" in line]
    for squad in some:
        assert squad.name_or_number in line
        assert squad.id not in line


def test_refusing_one_line_does_not_refuse_the_rest(desk: OpenCampaign, read: Read) -> None:
    """The guard's own line is refused, so that he still guards; the others are imported."""
    save = save_of(unrestricted_campaign(desk).campaign)
    moved = next(one for one in save.pieces() if one.name == "7-6-8 Msq")
    save.drop(moved)
    save.at("N20", moved)
    found = read(save)
    lines: list[DifferenceLine] = preview_import(create_view(unrestricted_campaign(desk)), found)
    refused = [line for line in lines if found.asked["pieces"][moved.id] in line.ids]
    before = unrestricted_campaign(desk).campaign.units[found.asked["pieces"][moved.id]].location
    desk.run_command(
        "import",
        import_input_without_refused(create_view(unrestricted_campaign(desk)), found, refused),
    )
    assert (
        unrestricted_campaign(desk).campaign.units[found.asked["pieces"][moved.id]].location
        == before
    )


def test_a_piece_that_cannot_be_imported_is_named_with_its_hex(
    desk: OpenCampaign, read: Read
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    found = read(save)
    rows = {row["id"]: row for row in found.asked["state"]["units"]}
    squad, captive = squad_of(desk, kind="squad", type="7-6-8"), "j-hs-12"
    known = dict(rows[squad.id])
    gone = next(
        one.id for one in unrestricted_campaign(desk).campaign.units.values() if not one.in_play
    )
    rows[squad.id] |= {"type": "9-9-9", "location": "N99"}
    rows[captive]["guard"] = gone
    asked, said, _ = drop_conflicting_facts(
        unrestricted_campaign(desk).campaign,
        unrestricted_campaign(desk).card,
        found.asked,
        found.names,
    )
    now = {row["id"]: row for row in asked["state"]["units"]}
    assert now[squad.id] == known
    assert now[captive]["guard"] is None
    words = " / ".join(map(str, said))
    assert found.names[squad.id] in words
    assert f"({ground_hex(str(squad.location))})" in words
    assert "units[" not in words
    desk.run_command("import", asked)


@pytest.mark.parametrize(
    ("board", "says"),
    [
        ("bd\t0\t0\t37\tVER\t5.0\t", "the board '37'"),
        ("bd\t0\t0\trBRT\tVER\t1.2\t", "reversed board"),
        ("bd\t0\t0\tBRT\tVER\t1.2\tbd\t0\t1\t37\tVER\t5\t", "the board '37'"),
    ],
)
def test_another_board_is_never_read_as_betio(
    desk: OpenCampaign, read: Read, board: str, says: str
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    save.others = [board]
    with pytest.raises(RefusedError, match="but must be the board BRT or a part of it") as refusal:
        read(save)
    assert says in str(refusal.value)


def test_betio_itself_is_read(desk: OpenCampaign, read: Read) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    save.others = ["bd\t0\t0\tBRT\tVER\t1.2\t"]
    assert read(save).asked["pieces"]


def test_a_save_of_another_module_names_the_module(desk: OpenCampaign, read: Read) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    save.module = "Red Barricades"
    with pytest.raises(RefusedError, match="of the module 'Red Barricades'"):
        read(save)


def test_a_broken_step_reduced_squad_of_the_palette_is_recognized(
    desk: OpenCampaign, read: Read
) -> None:
    squad = squad_of(desk, kind="squad", type="6-6-8")
    save = save_of(unrestricted_campaign(desk).campaign)
    piece = renamed(save, squad.id, "3-4-8 Mhs")
    piece.traits = [layer("broken +", 1), *piece.traits]
    found = read(save)
    assert row(found, piece)["kind"] == "half_squad"
    assert "broken" in row(found, piece)["status"]


def test_a_malfunction_counter_on_a_vehicle_is_its_armaments(
    desk: OpenCampaign, read: Read
) -> None:
    arm = next(
        one
        for one in unrestricted_campaign(desk).campaign.weapons.values()
        if one.main_armament and one.in_play and not one.status and one.vehicle
    )
    save = save_of(unrestricted_campaign(desk).campaign)
    stack = next(ids for *_, ids in save.stacks if arm.vehicle in [one.id for one in ids])
    at = [one.id for one in stack].index(str(arm.vehicle))
    stack.insert(at + 1, Wrote("801", "MA Malf", "MS/x"))
    rows = read(save).asked["state"]["weapons"]
    assert next(row for row in rows if row["id"] == arm.id)["status"] == ["malfunctioned"]


def test_ranking_all_pieces_together_equals_ranking_each_pair(
    desk: OpenCampaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousands of pieces of another game are compared kind by kind, not pair by pair."""
    campaign, ladders = unrestricted_campaign(desk).campaign, load_card("III").ladders
    found = read_situation(VaslSave(save_of(campaign).text()), load_names(), ladders).found
    state = build_state_document(campaign)
    likeness = Likeness(campaign, ladders, state["weapons"], found)
    for table in TABLES:
        pieces = [piece for piece in found if piece.table == table]
        rows = [row for row in state[table] if row["fate"] == "in_play"]
        ranked = [*likeness.rank(pieces, rows)]
        for piece, (differ, ids) in zip(pieces[::7], ranked[::7], strict=True):
            each = (next(likeness.rank([piece], [row])) for row in rows)
            alone = [(far, id) for ranks in each for far, id in zip(*ranks, strict=True)]
            assert [*zip(differ, ids, strict=True)] == sorted(alone)
    compared = 0

    def count(*_: object) -> float:
        nonlocal compared
        compared += 1
        return 0

    monkeypatch.setattr(likeness, "_differ", count)
    squads = [piece for piece in found if piece.fields.get("type") == "6-6-8"]
    rows = [row for row in state["units"] if row["type"] == "6-6-8"]
    many = [replace(squad, piece=str(at)) for squad in squads for at in range(50)]
    assert all(len(ids) == len(rows) for _, ids in likeness.rank(many, rows))
    assert compared <= len(squads) * len(rows)
