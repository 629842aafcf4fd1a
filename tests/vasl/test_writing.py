"""The next setup written into a VASL save, as VASSAL will carry it out."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from brt_cg.board.locations import ground_hex
from brt_cg.card import load_card
from brt_cg.model.counters import Side, Unit
from brt_cg.questions.answers import RefusedError
from brt_cg.questions.dice import SeededDice
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.vasl.layers import layered_name, shown_picture
from brt_cg.vasl.matching import state_from_save
from brt_cg.vasl.module import read_module
from brt_cg.vasl.names import load_names
from brt_cg.vasl.pieces import VaslPlace, VaslSave
from brt_cg.vasl.save_writer import WrittenSave, make_next_setup_save
from brt_cg.vasl.situation import read_situation
from brt_cg.views.view import create_view
from tests.vasl.carried_out import Table, opened
from tests.vasl.demo_save import save_of
from tests.vasl.small_module import module_for
from tests.vasl.test_import import read, taken_in
from tests.vasl.writer import Save, Wrote, conceal, hide, layer, levels

LADDERS = load_card("III").ladders


def table_of(written: WrittenSave | Save) -> Table:
    file = written.file() if isinstance(written, Save) else written.file
    return Table(opened(file.as_zip()))


def changed(before: Save, after: WrittenSave) -> list[set[str]]:
    """The commands that only one of two saves has, by the ids of pieces and stacks."""
    each = [table_of(one).commands for one in (before, after)]
    only = [[one for one in some if one not in other] for some, other in (each, each[::-1])]
    return [{command.split("/")[1] for command in some} for some in only]


# --- as VASSAL carries it out ---------------------------------------------------------------------


def refitted(desk: OpenCampaign, save: Save, tmp_path: Path) -> WrittenSave:
    """The save after the Refit Phase."""
    taken_in(desk, read(desk, save, tmp_path))
    for _ in desk.play_with_supply(AnswerSupply(dice=SeededDice("9"), defaults=True)):
        pass
    return make_next_setup_save(create_view(unrestricted_campaign(desk)), save.file())


def test_an_unchanged_save_is_written_with_the_same_commands(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    taken_in(desk, read(desk, save, tmp_path))
    written = make_next_setup_save(create_view(unrestricted_campaign(desk)), save.file())
    assert table_of(written).commands == table_of(save).commands
    assert written.exposed == []


def test_after_a_refit_phase_no_piece_falls_out_of_its_stack(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    table = table_of(refitted(desk, save, tmp_path))
    assert (table.dropped, table.loose()) == ([], [])
    assert set(table.types.values()) <= set(table_of(save).types.values())


def test_a_possessed_weapon_is_directly_on_its_possessor(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    """On the map and beside it."""
    save = save_of(unrestricted_campaign(desk).campaign)
    stacks = [pieces for _, pieces in table_of(refitted(desk, save, tmp_path)).stacks.values()]
    below = {piece: pieces[: pieces.index(piece)] for pieces in stacks for piece in pieces}
    campaign, checked = unrestricted_campaign(desk).campaign, 0
    for weapon in campaign.weapons.values():
        holder = campaign.units.get(weapon.possessor or "")
        if holder is None or not weapon.in_play or not {weapon.id, holder.id} <= below.keys():
            continue
        hexes = {one.location and ground_hex(one.location) for one in (weapon, holder)}
        if len(hexes) == 1:
            units = [id for id in below[weapon.id] if id in campaign.units]
            assert units[-1] == holder.id
            checked += 1
    assert checked > 5


def test_a_changed_hex_changes_only_the_piece_and_its_two_stacks(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    squad = next(
        unit
        for unit in unrestricted_campaign(desk).campaign.units.values()
        if unit.kind == "squad" and unit.in_play and unit.location and not unit.status
        if not unrestricted_campaign(desk).campaign.weapons_possessed_by(unit)
    )
    other = next(
        unit.location
        for unit in unrestricted_campaign(desk).campaign.units.values()
        if unit.in_play and unit.location and unit.side is squad.side and not unit.off_map
        if ground_hex(unit.location) != ground_hex(str(squad.location)) and unit.kind == "squad"
    )
    written = written_after(desk, save, tmp_path, squad.id, location=ground_hex(other))
    stacks = {id for id, (_, pieces) in table_of(save).stacks.items() if squad.id in pieces}
    stacks |= {id for id, (_, pieces) in table_of(written).stacks.items() if squad.id in pieces}
    assert set.union(*changed(save, written)) == {squad.id, *stacks}


def test_a_changed_status_changes_only_its_piece(desk: OpenCampaign, tmp_path: Path) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    leader = next(piece for piece in save.pieces() if piece.name == "9-2")
    written = written_after(desk, save, tmp_path, leader.id, status=["broken"])
    assert changed(save, written) == [{leader.id}, {leader.id}]


def test_a_changed_concealment_changes_only_its_piece(desk: OpenCampaign, tmp_path: Path) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    squads = [piece for piece in save.pieces() if piece.name == "4-4-8 Esq"]
    for squad in squads:
        squad.traits.insert(0, conceal())
    squads[0].traits[0] = conceal("them")
    seen = next(
        one for one in squads[1:] if not unrestricted_campaign(desk).campaign.units[one.id].status
    )
    id = read(desk, save, tmp_path).pieces[seen.id]
    written = written_after(desk, save, tmp_path, id, status=["concealed"])
    assert changed(save, written) == [{seen.id}, {seen.id}]
    assert table_of(written).states[seen.id].startswith("them;")


def test_markers_on_a_removed_counter_are_removed_with_it(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    tank = next(
        one
        for one in unrestricted_campaign(desk).campaign.vehicles.values()
        if one.in_play and not one.status
    )
    stack = next(pieces for *_, pieces in save.stacks if tank.id in [one.id for one in pieces])
    at = [one.id for one in stack].index(tank.id)
    stack[at + 1 : at + 1] = [Wrote("701", "Immob.", "MS/x"), Wrote("702", "Motion", "MS/x")]
    written = written_after(desk, save, tmp_path, tank.id, location="N20")
    ids = next(pieces for _, pieces in table_of(written).stacks.values() if tank.id in pieces)
    assert ids[ids.index(tank.id) :][:3] == [tank.id, "701", "702"]


def test_an_encircled_marker_is_removed_when_nobody_is_left(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    squad = next(piece for piece in save.pieces() if piece.name == "6-6-8 Msq")
    stack = next(pieces for *_, pieces in save.stacks if squad in pieces)
    stack.append(Wrote("703", "Encircled", "MS/x"))
    written = written_after(desk, save, tmp_path, squad.id, location="N20", status=[])
    assert "703" not in table_of(written).types


def test_an_encircled_marker_moves_with_the_last_encircled_unit(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    squads = [piece for piece in save.pieces() if piece.name == "6-6-8 Msq"]
    squad = next(
        one for one in squads if not unrestricted_campaign(desk).campaign.units[one.id].status
    )
    stack = next(pieces for *_, pieces in save.stacks if squad in pieces)
    stack.append(Wrote("703", "Encircled", "MS/x"))
    id = read(desk, save, tmp_path).pieces[squad.id]
    written = written_after(desk, save, tmp_path, id, location="N20")
    ids = next(pieces for _, pieces in table_of(written).stacks.values() if squad.id in pieces)
    assert ids.index("703") > ids.index(squad.id)


def test_each_sides_dead_are_in_its_own_bin(desk: OpenCampaign, tmp_path: Path) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    taken_in(desk, read(desk, save, tmp_path))
    dead = [
        next(piece.id for piece in save.pieces() if piece.name == name)
        for name in ("7-6-8 Msq", "4-4-8 Esq")
    ]
    for id in dead:
        desk.run_command("edit", {"id": id, "set": {"fate": "eliminated"}, "reason": "died"})
    table = table_of(make_next_setup_save(create_view(unrestricted_campaign(desk)), save.file()))
    marine, japanese = (table.own_place[id] for id in dead)
    assert (marine[0], japanese[0]) == ("Casualties", "Casualties")
    assert int(marine[1]) <= 260 < int(japanese[1])


def test_a_dead_unit_in_the_enemys_bin_is_moved_to_its_own(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    dead = next(piece for piece in save.pieces() if piece.name == "7-6-8 Msq")
    save.drop(dead)
    save.at_pixel(300, 300, dead, on="Casualties")
    taken_in(desk, read(desk, save, tmp_path))
    table = table_of(make_next_setup_save(create_view(unrestricted_campaign(desk)), save.file()))
    assert int(table.own_place[dead.id][1]) <= 260


def test_a_recombined_counter_is_removed_without_being_a_casualty(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    lives, gone = [piece.id for piece in save.pieces() if piece.name == "2-3-8 Ehs"][:2]
    written = written_after(desk, save, tmp_path, gone, fate="recombined", became=lives)
    assert gone not in table_of(written).types


def test_a_log_is_refused(desk: OpenCampaign, tmp_path: Path) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    taken_in(desk, read(desk, save, tmp_path))
    piece = save.pieces()[0]
    save.others = [f"LOG\t-/{piece.id}"]
    with pytest.raises(RefusedError, match="it is a log"):
        make_next_setup_save(create_view(unrestricted_campaign(desk)), save.file())


def test_a_save_of_another_board_is_not_written_to(desk: OpenCampaign, tmp_path: Path) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    taken_in(desk, read(desk, save, tmp_path))
    save.others = ["bd\t0\t0\t37\tVER\t5.0\t"]
    with pytest.raises(RefusedError, match="the board '37'"):
        make_next_setup_save(create_view(unrestricted_campaign(desk)), save.file())


# --- secrets --------------------------------------------------------------------------------------


def test_a_newly_hidden_counter_belongs_to_a_player_of_the_save(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    seen = next(
        one
        for one in save.pieces()
        if one.name == "4-4-8 Esq" and not unrestricted_campaign(desk).campaign.units[one.id].status
    )
    written = written_after(desk, save, tmp_path, seen.id, status=["hidden"])
    hidden = next(piece for piece in save.pieces() if hide("them") in piece.traits)
    owner = hidden.traits[0][1]
    assert written.exposed == []
    assert table_of(written).states[seen.id].startswith(owner)


def test_a_counter_that_cannot_be_hidden_is_reported(desk: OpenCampaign, tmp_path: Path) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    for piece in save.pieces():
        piece.traits = [hide() if one[0].startswith("hide") else one for one in piece.traits]
    units = unrestricted_campaign(desk).campaign.units
    squads = [piece for piece in save.pieces() if piece.name == "7-6-8 Msq"]
    marine = next(piece for piece in squads if not units[piece.id].status)
    written = written_after(desk, save, tmp_path, marine.id, status=["hidden"])
    (said,) = [line for line in written.exposed if marine.id in line]
    assert "no Marine player" in said


def test_enemy_secrets_do_not_change_a_sides_save(desk: OpenCampaign, tmp_path: Path) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    hidden = [
        unit.id
        for unit in unrestricted_campaign(desk).campaign.units.values()
        if unit.in_play and unit.location and unit.hidden and unit.side is Side.JAPANESE
    ]
    taken_in(desk, read(desk, save, tmp_path))
    before = make_next_setup_save(
        create_view(unrestricted_campaign(desk), Side.MARINE), save.file()
    )
    for fields in ({"location": "Q20"}, {"location": "N20"}, {"fate": "eliminated"}):
        for id in hidden[:3]:
            desk.run_command("edit", {"id": id, "set": fields, "reason": "nobody saw it"})
        after = make_next_setup_save(
            create_view(unrestricted_campaign(desk), Side.MARINE), save.file()
        )
        assert after.file.as_zip() == before.file.as_zip(), fields
        assert (after.exposed, after.left_out) == (before.exposed, before.left_out)


def test_armament_and_tunnels_are_not_listed_as_missing(desk: OpenCampaign, tmp_path: Path) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    taken_in(desk, read(desk, save, tmp_path))
    left_out = " ".join(
        make_next_setup_save(create_view(unrestricted_campaign(desk)), save.file()).left_out
    )
    forts = [
        one.id for one in unrestricted_campaign(desk).campaign.fortifications.values() if one.exit
    ]
    arms = [
        one.id
        for one in unrestricted_campaign(desk).campaign.weapons.values()
        if one.vehicle and one.in_play
    ]
    assert forts
    assert arms
    assert not [id for id in (*forts, *arms) if id in left_out]


# --- what pieces show -----------------------------------------------------------------------------


def test_a_wounded_japanese_leader_is_flipped_to_his_wounded_side(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    leader = next(
        unit
        for unit in unrestricted_campaign(desk).campaign.units.values()
        if unit.leader and unit.side is Side.JAPANESE and unit.location and not unit.status
        if unit.type in ("9-1", "8-0", "9-0") and unit.in_play
    )
    save = save_of(unrestricted_campaign(desk).campaign)
    piece = next(one for one in save.pieces() if one.id == leader.id)
    level = ["9-1", "9-0", "8-0"].index(leader.type) + 1
    ladder = [layer("Wnd +", -1), layer(r"8-0,8\+1,7\+1", -level), layer("9-1,9-0,8-0", level)]
    piece.name, piece.traits = "jaLDR", [hide(), *ladder]
    written = written_after(desk, save, tmp_path, leader.id, status=["wounded"])
    assert shown_as(written, leader.id)["type"] == leader.type
    assert shown_as(written, leader.id)["status"] == ["wounded"]
    found = next(
        one
        for one in read_situation(VaslSave(written.file.text), load_names(), LADDERS).found
        if one.piece == leader.id
    )
    assert found.name == {"9-1": "Wnd 8-0", "9-0": "Wnd 8+1", "8-0": "Wnd 7+1"}[leader.type]


def test_a_reduced_crew_is_striped(desk: OpenCampaign, tmp_path: Path) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    crew = next(piece for piece in save.pieces() if piece.name == "2-2-8 Icr")
    id = crew.id
    crew.traits = [one for one in crew.traits if "striped" not in one[0]]
    crew.traits.append(layer("striped +,1-2-7 Icr", -1))
    written = written_after(desk, save, tmp_path, id, strength="reduced", type="1-2-8")
    assert shown_as(written, id)["strength"] == "reduced"


def test_the_next_setup_is_written_into_the_save_and_read_back(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    taken_in(desk, read(desk, save, tmp_path))
    desk.undo_or_request()
    taken_in(desk, read(desk, save, tmp_path))
    for _ in desk.play_with_supply(AnswerSupply(dice=SeededDice("9"), defaults=True)):
        pass
    written = make_next_setup_save(create_view(unrestricted_campaign(desk)), save.file())
    shown = read_situation(VaslSave(written.file.text), load_names(), LADDERS)
    found = {one.piece: one for one in shown.found}
    pieces = dict(create_view(unrestricted_campaign(desk)).counters_by_vasl_piece)
    wrong = []
    for piece, id in pieces.items():
        counter = unrestricted_campaign(desk).campaign.find(id)
        assert counter is not None
        if found[piece].dead != (not counter.in_play):
            wrong.append(id)
        if counter.in_play and counter.location and not counter.off_map:
            wrong += [id] * (found[piece].location != ground_hex(counter.location))
        if isinstance(counter, Unit) and counter.in_play and counter.kind != "hero":
            wrong += [id] * (found[piece].fields["type"] != counter.type)
    listed = " ".join(written.left_out)
    assert [id for id in wrong if id not in listed] == []


def test_an_unchanged_save_keeps_every_piece(desk: OpenCampaign, tmp_path: Path) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    taken_in(desk, read(desk, save, tmp_path))
    before = read_situation(VaslSave(save.text()), load_names(), LADDERS)
    written = make_next_setup_save(create_view(unrestricted_campaign(desk)), save.file())
    assert not [line for line in written.left_out if "cannot become" in line]
    after = read_situation(VaslSave(written.file.text), load_names(), LADDERS)
    assert any("wreck" in one.fields.get("status", ()) for one in before.found)
    stood = [
        {one.piece: (one.location, one.fields.get("status")) for one in shown.found}
        for shown in (before, after)
    ]
    assert stood[0] == stood[1]


def written_after(
    desk: OpenCampaign, save: Save, tmp_path: Path, id: str, **fields: Any
) -> WrittenSave:
    """The save after it has been imported and a counter corrected."""
    taken_in(desk, read(desk, save, tmp_path))
    desk.run_command("edit", {"id": id, "set": fields, "reason": "what happened to it"})
    return make_next_setup_save(create_view(unrestricted_campaign(desk)), save.file())


def shown_as(written: WrittenSave, id: str) -> dict[str, Any]:
    found = read_situation(VaslSave(written.file.text), load_names(), LADDERS).found
    return next(one.fields for one in found if one.piece == id)


def test_a_squad_that_became_a_hs_is_flipped_if_its_piece_has_such_a_side(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    first, second = [piece for piece in save.pieces() if piece.name == "7-6-8 Msq"][:2]
    first.traits = [*first.traits, layer("3-4-8 Mhs", -1, "am/x")]
    second.traits = [("replace;Reduce;72,130;AsslTop/HS;;0;0", ""), *second.traits]
    taken_in(desk, read(desk, save, tmp_path))
    for piece in (first, second):
        half = {"kind": "half_squad", "type": "3-4-8"}
        desk.run_command("edit", {"id": piece.id, "set": half, "reason": "casualty reduction"})
    written = make_next_setup_save(create_view(unrestricted_campaign(desk)), save.file())
    assert shown_as(written, first.id)["kind"] == "half_squad"
    assert shown_as(written, second.id)["kind"] == "squad"
    [refused] = [line for line in written.left_out if f"({second.id})" in line]
    assert refused.startswith("3-4-8 HS no. ")
    assert refused.endswith(": its piece cannot become a 3-4-8 HS; replace it")
    assert not [line for line in written.left_out if f"({first.id})" in line]
    assert "replace;Reduce;72,130;AsslTop" in written.file.text


def blank(written: WrittenSave | Save) -> list[str]:
    """The pieces that VASSAL draws with no pixel."""
    table = table_of(written)
    return [id for id in table.types if not table.drawn(id)[1]]


@pytest.mark.parametrize("level", [1, -1])
def test_a_hs_that_recombines_into_the_name_of_its_blank_basic_piece_is_drawn_as_a_squad(
    desk: OpenCampaign, tmp_path: Path, level: int
) -> None:
    """With that layer off, the basic piece has the name of the squad, and no picture."""
    save = save_of(unrestricted_campaign(desk).campaign)
    half = next(piece for piece in save.pieces() if piece.name == "3-4-8 Mhs")
    half.name, half.picture = "6-6-8 Msq", " "
    broken = layer("broken +,broken +", -1, "am/x")
    half.traits = [hide(), broken, layer("3-4-8 Mhs,6-6-8 Msq", 1, "am/x")]
    taken_in(desk, read(desk, save, tmp_path))
    squad = {"kind": "squad", "type": "6-6-8"}
    desk.run_command("edit", {"id": half.id, "set": squad, "reason": "recombined"})
    half.traits[-1] = layer("3-4-8 Mhs,6-6-8 Msq", level, "am/x")
    written = make_next_setup_save(create_view(unrestricted_campaign(desk)), save.file())
    assert shown_as(written, half.id)["type"] == "6-6-8"
    assert blank(written) == []


def with_blank_basic_pieces(save: Save) -> Save:
    """A save in which layers draw the units: one with the unbroken side and the broken one."""
    for piece in save.pieces():
        at = next((n for n, one in enumerate(piece.traits) if "broken +" in one[0]), None)
        if at is not None:
            piece.traits = [(t.replace("ja/x", piece.picture), state) for t, state in piece.traits]
            level = 2 if piece.traits[at][1] == "1" else 1
            piece.traits[at] = layer(",broken +", level, piece.picture)
            piece.picture = " "
    return save


def test_a_broken_side_in_the_same_layer_is_turned_both_ways(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = with_blank_basic_pieces(save_of(unrestricted_campaign(desk).campaign))
    leader = next(piece for piece in save.pieces() if piece.name == "9-2")
    written = written_after(desk, save, tmp_path, leader.id, status=["broken"])
    assert shown_as(written, leader.id)["status"] == ["broken"]
    desk.run_command("edit", {"id": leader.id, "set": {"status": []}, "reason": "rallied"})
    again = make_next_setup_save(create_view(unrestricted_campaign(desk)), written.file)
    assert (shown_as(again, leader.id)["status"], blank(again)) == ([], [])


def test_a_vehicle_that_is_no_longer_crew_exposed_is_buttoned_up(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    manned = {
        vehicle.id
        for vehicle in unrestricted_campaign(desk).campaign.vehicles.values()
        if vehicle.manned
    }
    tanks = (piece for piece in save.pieces() if piece.name == "M4A2")
    tank = next(piece for piece in tanks if piece.id in manned)
    tank.traits = [hide(), layer("+ BU,+ CE", 2, " ")]
    written = written_after(desk, save, tmp_path, tank.id, status=[])
    assert table_of(written).drawn(tank.id)[0] == "M4A2 BU"


def test_a_piece_without_an_image_gets_none_from_an_absent_status(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    squad = next(piece for piece in save.pieces() if piece.name == "6-6-8 Msq")
    squad.picture = " "
    squad.traits = [layer("Berserk +", -1, "mober"), layer("3-4-8 Mhs,6-6-8 Msq", -1, "am/x")]
    written = written_after(desk, save, tmp_path, squad.id, status=[])
    assert table_of(written).drawn(squad.id) == ("6-6-8 Msq", ["am/x"])


@pytest.mark.parametrize(
    ("seat", "palette"), [(None, False), (None, True), (Side.MARINE, True), (Side.JAPANESE, True)]
)
def test_vassal_shows_every_written_piece_as_it_is_here(
    desk: OpenCampaign, tmp_path: Path, seat: Side | None, palette: bool
) -> None:
    """By a second reader: its layers, its name, its picture, and the stack that it lies in."""
    save = with_blank_basic_pieces(save_of(unrestricted_campaign(desk).campaign))
    gone = [piece for piece in save.pieces() if piece.name in ("6-6-8 Msq", "4-4-8 Esq")]
    refitted(desk, save, tmp_path)
    for one in gone:
        save.drop(one)
    path = module_for(unrestricted_campaign(desk).campaign).write(tmp_path / "VASL.vmod")
    module = read_module(path) if palette else None
    written = make_next_setup_save(
        create_view(unrestricted_campaign(desk), seat), save.file(), module
    )
    ours, table = VaslSave(written.file.text), table_of(written)
    assert bool(written.made) is palette
    assert ours.pieces.keys() == table.types.keys()
    for id, piece in ours.pieces.items():
        name, pictures = table.drawn(id)
        layers = [trait for trait in piece.traits if trait.kind == "emb2"]
        assert layered_name(piece).full_name() == name
        ours_drawn = [piece.basic.fields()[3].strip(), *map(shown_picture, layers)]
        assert sorted(filter(None, ours_drawn)) == sorted(pictures)
        assert pictures, f"{name} is drawn with no pixel"
    stacks = {id: (stack.place, stack.pieces) for id, stack in ours.stacks.items()}
    told = {
        id: (VaslPlace(m, int(x), int(y)), pieces)
        for id, ((m, x, y), pieces) in table.stacks.items()
    }
    assert stacks == told
    assert (table.dropped, table.loose()) == ([], [])


def test_malfunction_bog_and_immobilization_are_set_on_the_vehicles_own_layers(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save, table = (
        save_of(unrestricted_campaign(desk).campaign),
        unrestricted_campaign(desk).campaign,
    )
    arms = {one.vehicle for one in table.weapons.values() if one.main_armament and one.in_play}
    tank = next(
        one for one in table.vehicles.values() if one.id in arms and one.in_play and not one.status
    )
    (gun,) = [one for one in table.weapons.values() if one.vehicle == tank.id if one.main_armament]
    piece = next(piece for piece in save.pieces() if piece.id == tank.id)
    piece.traits += [levels(name, ",a,b", 1) for name in ("Bog", "MA Malf")]
    piece.traits.append(levels("Immoblized", ",a", 1))
    taken_in(desk, read(desk, save, tmp_path))
    for id, status in ((gun.id, "disabled"), (tank.id, "mired")):
        desk.run_command("edit", {"id": id, "set": {"status": [status]}, "reason": "so it was"})
    written = make_next_setup_save(create_view(unrestricted_campaign(desk)), save.file())
    found = read_situation(VaslSave(written.file.text), load_names(), LADDERS).found
    (shown,) = [one for one in found if one.piece == tank.id]
    assert (shown.fields["status"], shown.armament) == (["mired"], {"MA": "disabled"})
    for id in (gun.id, tank.id):
        desk.run_command("edit", {"id": id, "set": {"status": []}, "reason": "repaired"})
    assert (
        table_of(
            make_next_setup_save(create_view(unrestricted_campaign(desk)), written.file)
        ).states
        == table_of(save).states
    )


def test_a_stack_is_written_without_a_missing_piece(desk: OpenCampaign, tmp_path: Path) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    squad = next(piece for piece in save.pieces() if piece.name == "6-6-8 Msq")
    stack = next(pieces for *_, pieces in save.stacks if squad in pieces)
    stack[:] = [Wrote("70", "6-6-8 Msq", "am/x"), *stack, Wrote("71", "Encircled", "MS/x")]
    taken_in(desk, read(desk, save, tmp_path))
    desk.run_command("edit", {"id": squad.id, "set": {"location": "N20"}, "reason": "moved"})
    file = save.file()
    torn = replace(file, text=file.text.replace("\x1b+/70/", "\x1bX/70/").replace("+/70/", "X/70/"))
    assert (
        "70"
        not in table_of(make_next_setup_save(create_view(unrestricted_campaign(desk)), torn)).types
    )


def test_a_wounded_leader_is_flipped(desk: OpenCampaign, tmp_path: Path) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    leader = next(piece for piece in save.pieces() if piece.name == "9-2")
    assert "wounded" not in shown_as(WrittenSave(save.file()), leader.id)["status"]
    written = written_after(desk, save, tmp_path, leader.id, status=["wounded"])
    assert "wounded" in shown_as(written, leader.id)["status"]


def test_a_status_that_needs_an_extra_counter_is_listed(desk: OpenCampaign, tmp_path: Path) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    leader = next(piece for piece in save.pieces() if piece.name == "9-2")
    written = written_after(desk, save, tmp_path, leader.id, status=["wounded", "encircled"])
    [own] = [line for line in written.left_out if f"({leader.id})" in line]
    assert own.startswith("9-2 ")
    assert own.endswith(": its piece cannot show encircled; add that counter")


@pytest.mark.parametrize("fields", [{"status": []}, {"fate": "eliminated"}])
def test_the_counter_of_an_ended_status_is_removed(
    desk: OpenCampaign, tmp_path: Path, fields: dict[str, Any]
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    stack = next(pieces for *_, pieces in save.stacks if [p.name for p in pieces] == ["7-6-8 Msq"])
    (squad,) = stack
    stack.append(Wrote("777", "Immob.", ""))
    stack.append(Wrote("778", "Wounded", ""))
    stack[1].name = "Wounded"
    written = written_after(desk, save, tmp_path, squad.id, **fields)
    assert not {"777", "778"} & table_of(written).types.keys()


def test_a_status_counter_of_the_enemy_stays_in_a_save_for_one_side(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    squad = next(piece for piece in save.pieces() if piece.name.endswith("1sq"))
    *_, stack = next(one for one in save.stacks if squad in one[-1])
    stack.append(Wrote("777", "Low Ammo", ""))
    before = VaslSave(save.text()).places_and_pieces_above()["777"][0]
    taken_in(desk, read(desk, save, tmp_path))
    asked = {"id": squad.id, "set": {"status": []}, "reason": "it ended"}
    desk.run_command("edit", asked)
    written = make_next_setup_save(
        create_view(unrestricted_campaign(desk), Side.MARINE), save.file()
    )
    assert VaslSave(written.file.text).places_and_pieces_above()["777"][0] == before


def test_a_unit_lost_in_the_refit_phase_is_not_a_new_casualty_at_import(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    dead = next(piece.id for piece in save.pieces() if piece.name == "7-6-8 Msq")
    written = written_after(desk, save, tmp_path, dead, fate="eliminated")
    path = tmp_path / "next.vsav"
    path.write_bytes(written.file.as_zip())
    again = state_from_save(create_view(unrestricted_campaign(desk)), path, "both", None)
    assert not [
        text for text in map(str, again.guesses) if "not a counter of this campaign" in text
    ]


def test_possessions_of_a_hidden_unit_stay_hidden(desk: OpenCampaign, tmp_path: Path) -> None:
    """As long as it is hidden by nothing but its possessor, too."""
    save = save_of(unrestricted_campaign(desk).campaign)
    units = unrestricted_campaign(desk).campaign.units
    weapons = [
        one
        for one in unrestricted_campaign(desk).campaign.weapons.values()
        if one.possessor and one.in_play
    ]
    held = next(weapon for weapon in weapons if units[weapon.possessor or ""].hidden)
    piece = next(piece for piece in save.pieces() if piece.id == held.id)
    piece.traits[0] = hide("them")
    written = written_after(desk, save, tmp_path, held.id, status=[])
    assert (
        unrestricted_campaign(desk).campaign.side_hiding(
            unrestricted_campaign(desk).campaign.weapons[held.id]
        )
        is Side.JAPANESE
    )
    assert "hidden" in shown_as(written, held.id)["status"]


def test_a_sides_save_shows_nothing_new_of_enemy_counters(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    """Hidden or not: the save that goes to the Marine player has them where he saw them last."""
    save = save_of(unrestricted_campaign(desk).campaign)
    taken_in(desk, read(desk, save, tmp_path))
    units = [
        unit
        for unit in unrestricted_campaign(desk).campaign.units.values()
        if unit.in_play and unit.location
    ]
    hidden = next(unit.id for unit in units if unit.hidden and unit.side is Side.JAPANESE)
    seen = next(unit.id for unit in units if unit.id.startswith("j-sq") and not unit.hidden)
    own = next(unit.id for unit in units if unit.id.startswith("m-sq"))
    for id, place in ((hidden, "Q20"), (seen, "Q21"), (own, "N20")):
        desk.run_command("edit", {"id": id, "set": {"location": place}, "reason": "moved"})
    written = make_next_setup_save(
        create_view(unrestricted_campaign(desk), Side.MARINE), save.file()
    )
    for id in (hidden, seen):
        assert shown_as(written, id) == shown_as(WrittenSave(save.file()), id)
    assert shown_as(written, own)["location"] == "N20"
    assert not [line for line in written.left_out if "j-" in line]


@pytest.mark.parametrize("size", ["1s", "2s", "3s"])
def test_a_foxhole_of_any_size_needs_a_piece_and_is_listed_without_one(size: str) -> None:
    assert load_names().has_required_piece_type("fortifications", f"foxhole_{size}")
    assert not load_names().has_required_piece_type("fortifications", "foxhole_4x")


# --- what the next scenario needs -----------------------------------------------------------------


def test_the_scenario_information_is_that_of_the_next_scenario(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    save.others = ["INFO\tAllied\tAllied\t7\t ? \t ? \t ? \t ? \t ? \t ? \t"]
    written = refitted(desk, save, tmp_path)
    view = unrestricted_campaign(desk).campaign
    japanese, marine = view.sides[Side.JAPANESE], view.sides[Side.MARINE]
    (info,) = [one for one in table_of(written).commands if one.startswith("INFO")]
    mover = "Axis" if view.situation.first_move is Side.JAPANESE else "Allied"
    sides = [str(each) for one in (japanese, marine) for each in (one.elr, one.announced_san)]
    notes = f"Blood Reef: Tarawa, {view.situation.date}"
    assert info.split("\t")[1:8] == [mover, mover, "1", *sides]
    assert info.split("\t")[10] == notes


def test_players_notes_in_a_save_are_kept(desk: OpenCampaign, tmp_path: Path) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    save.others = ["INFO\tAxis\tAxis\t1\t ? \t ? \t ? \t ? \t ? \t ? \tbring beer"]
    (info,) = [
        one for one in table_of(refitted(desk, save, tmp_path)).commands if one.startswith("INFO")
    ]
    assert info.endswith("\tbring beer")


def test_control_counters_that_contradict_the_perimeters_are_reported(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    taken_in(desk, read(desk, save, tmp_path))
    held = [
        hex for piece in unrestricted_campaign(desk).campaign.situation.perimeters for hex in piece
    ]
    for number, hex in enumerate([*held, "Z30"]):
        save.at(hex, Wrote(f"60{number}", "USMC Control", "MS/x"))
    said = [
        one
        for one in make_next_setup_save(
            create_view(unrestricted_campaign(desk)), save.file()
        ).left_out
        if "Control" in one
    ]
    assert said == [
        "the Perimeter and Control counters of the save differ from the Marine Perimeters in "
        "1 hex: Z30"
    ]


# --- a part of the board --------------------------------------------------------------------------


def test_a_save_of_a_part_of_the_board_uses_the_right_hexes(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    whole_board, part = (
        save_of(unrestricted_campaign(desk).campaign),
        save_of(unrestricted_campaign(desk).campaign),
    )
    part.stacks = [
        (on, x, y, pieces) if x < 400 else (on, x - 225, y - 129, pieces)
        for on, x, y, pieces in part.stacks
    ]
    part.others = ["bd\t0\t0\tBRT\t225\t129\t-1\t-1\tVER\t1.2\t"]
    stood = [
        {
            one.piece: one.location
            for one in read_situation(VaslSave(save.text()), load_names(), LADDERS).found
        }
        for save in (whole_board, part)
    ]
    on_part = {piece: hex for piece, hex in stood[1].items() if hex != "off_map"}
    assert len(on_part) > 50
    assert {piece: stood[0][piece] for piece in on_part} == on_part
    taken_in(desk, read(desk, whole_board, tmp_path))
    squad = next(piece for piece in part.pieces() if piece.name == "6-6-8 Msq")
    desk.run_command("edit", {"id": squad.id, "set": {"location": "T20"}, "reason": "moved"})
    written = make_next_setup_save(create_view(unrestricted_campaign(desk)), part.file())
    assert shown_as(written, squad.id)["location"] == "T20"
