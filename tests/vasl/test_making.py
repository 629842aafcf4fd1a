"""Counters made from the player's own VASL module, and where the save has them."""

from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from brt_cg.board.locations import ground_hex
from brt_cg.card import load_card
from brt_cg.cli import main
from brt_cg.files import state_file_path
from brt_cg.imports.preview import preview_import
from brt_cg.imports.scenario_end import read_scenario_end
from brt_cg.journal.early_answers import Early
from brt_cg.model.counters import Side
from brt_cg.questions.answers import RefusedError
from brt_cg.questions.dice import SeededDice
from brt_cg.questions.question_types import Question
from brt_cg.service.answer_supply import AnswerSupply, MissingAnswerError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.vasl.layers import layered_name
from brt_cg.vasl.module import (
    Slot,
    VaslModule,
    load_given_or_remembered_module,
    read_module,
    remember_module,
    remembered_module_path,
)
from brt_cg.vasl.names import load_names
from brt_cg.vasl.pieces import VaslSave
from brt_cg.vasl.save_writer import WrittenSave, make_next_setup_save
from brt_cg.vasl.situation import read_situation
from brt_cg.views.view import create_view
from tests.vasl.demo_save import save_of
from tests.vasl.small_module import SmallModule, module_for
from tests.vasl.test_import import read, taken_in
from tests.vasl.test_writing import shown_as, table_of
from tests.vasl.writer import Save, hide

LADDERS = load_card("III").ladders


def lacking(desk: OpenCampaign, tmp_path: Path, *names: str) -> tuple[Save, list[str]]:
    """A save without a counter of each of these names, and their ids; the campaign has them."""
    save, units = (
        save_of(unrestricted_campaign(desk).campaign),
        unrestricted_campaign(desk).campaign.units,
    )
    gone = []
    for name in names:
        piece = next(
            one
            for one in save.pieces()
            if one.name == name and not getattr(units.get(one.id), "status", ())
        )
        gone.append(piece.id)
    taken_in(desk, read(desk, save, tmp_path))
    for piece in [piece for piece in save.pieces() if piece.id in gone]:
        save.drop(piece)
    return save, gone


def written(
    desk: OpenCampaign, save: Save, tmp_path: Path, module: SmallModule | None = None
) -> WrittenSave:
    palette = module or module_for(unrestricted_campaign(desk).campaign)
    read_ = read_module(palette.write(tmp_path / "VASL.vmod"))
    return make_next_setup_save(create_view(unrestricted_campaign(desk)), save.file(), read_)


def made_in(made: WrittenSave, hex: str, name: str) -> list[str]:
    found = read_situation(VaslSave(made.file.text), load_names(), LADDERS).found
    return [one.piece for one in found if one.location == hex and one.name == name]


def test_missing_counters_are_created_in_their_hex_with_possessions(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save, (id,) = lacking(desk, tmp_path, "6-6-8 Msq")
    hex = ground_hex(str(unrestricted_campaign(desk).campaign.units[id].location))
    before = len(made_in(WrittenSave(save.file()), hex, "6-6-8 Msq"))
    made = written(desk, save, tmp_path)
    assert len(made_in(made, hex, "6-6-8 Msq")) == before + 1
    assert [line for line in made.left_out if id in line] == []
    assert [line for line in made.made if id in line] == [
        f"{unrestricted_campaign(desk).campaign.units[id].name_with_id}: new piece: 6-6-8 Msq"
    ]
    table = table_of(made)
    assert (table.dropped, table.loose()) == ([], [])


def test_without_a_module_missing_pieces_are_listed_with_hex_and_palette_place(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save, (id,) = lacking(desk, tmp_path, "6-6-8 Msq")
    hex = ground_hex(str(unrestricted_campaign(desk).campaign.units[id].location))
    (line,) = [
        line
        for line in make_next_setup_save(
            create_view(unrestricted_campaign(desk)), save.file()
        ).left_out
        if id in line
    ]
    assert line == (
        f"{unrestricted_campaign(desk).campaign.units[id].name_with_id} in {hex}: the "
        "save has no piece for it: "
        "in VASL's Counters, Allied O/B, American"
    )


def test_a_created_piece_is_built_from_its_palette_slot_and_prototype(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    """No label, no owner: of the piece that it stands for it has the id alone, as VASSAL notes."""
    save, _ = lacking(desk, tmp_path, "6-6-8 Msq")
    for piece in save.pieces():
        if piece.name == "6-6-8 Msq":
            piece.traits.append(("label;76,130;Label", "Capt Smith"))
    made = written(desk, save, tmp_path)
    (new,) = VaslSave(made.file.text).pieces.keys() - {piece.id for piece in save.pieces()}
    piece = VaslSave(made.file.text).pieces[new]
    assert [trait.kind for trait in piece.traits][:3] == ["hide", "conceal", "label"]
    assert "Capt" not in piece.state()
    assert (layered_name(piece).hidden, layered_name(piece).concealed) == (False, False)
    assert piece.vassal_property("UniqueID") == new


def test_a_wrecked_tank_is_replaced_by_a_wreck_piece(desk: OpenCampaign, tmp_path: Path) -> None:
    save, campaign = (
        save_of(unrestricted_campaign(desk).campaign),
        unrestricted_campaign(desk).campaign,
    )
    tank = next(
        one for one in save.pieces() if one.name == "M4A2" and not campaign.vehicles[one.id].status
    )
    taken_in(desk, read(desk, save, tmp_path))
    fields = {"status": ["wreck"]}
    desk.run_command("edit", {"id": tank.id, "set": fields, "reason": "hit"})
    palette = module_for(campaign).add("M4A2 Wreck", "am/x")
    made = written(desk, save, tmp_path, palette)
    assert tank.id not in table_of(made).types
    (new,) = [
        piece.id
        for piece in VaslSave(made.file.text).pieces.values()
        if piece.vassal_property("UniqueID") == tank.id
    ]
    assert shown_as(made, new)["status"] == ["wreck"]
    path = tmp_path / "next.vsav"
    path.write_bytes(made.file.as_zip())
    assert [line for line in made.left_out if tank.id in line] == []


def test_a_marker_is_created_for_a_status_that_no_side_of_the_piece_shows(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save, campaign = (
        save_of(unrestricted_campaign(desk).campaign),
        unrestricted_campaign(desk).campaign,
    )
    tank = next(
        one for one in save.pieces() if one.name == "M4A2" and not campaign.vehicles[one.id].status
    )
    taken_in(desk, read(desk, save, tmp_path))
    for status in ("immobilized", "abandoned"):
        desk.run_command("edit", {"id": tank.id, "set": {"status": [status]}, "reason": "so it is"})
        made = written(desk, save, tmp_path)
        assert shown_as(made, tank.id)["status"] == [status]
        assert [line for line in made.left_out if tank.id in line] == []


# --- secrets --------------------------------------------------------------------------------------


def japanese_squad(desk: OpenCampaign, tmp_path: Path) -> tuple[Save, str]:
    save, (id,) = lacking(desk, tmp_path, "4-4-8 Esq")
    desk.run_command("edit", {"id": id, "set": {"status": ["hidden"]}, "reason": "HIP"})
    return save, id


def test_a_hidden_counter_is_created_hidden_by_its_sides_player(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save, id = japanese_squad(desk, tmp_path)
    made = written(desk, save, tmp_path)
    (new,) = VaslSave(made.file.text).pieces.keys() - {piece.id for piece in save.pieces()}
    assert layered_name(VaslSave(made.file.text).pieces[new]).covered_by == "them"
    assert shown_as(made, new)["status"] == ["hidden"]
    assert [line for line in made.exposed if id in line] == []


def test_a_counter_that_cannot_be_hidden_is_not_created_but_reported(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save, id = japanese_squad(desk, tmp_path)
    for piece in save.pieces():
        piece.traits = [hide() if one[0].startswith("hide") else one for one in piece.traits]
    made = written(desk, save, tmp_path)
    assert not [line for line in made.made if id in line]
    (line,) = [line for line in made.left_out if id in line]
    assert line.endswith("the save has no piece for it, and a new one would not be hidden")
    assert VaslSave(made.file.text).pieces.keys() <= {piece.id for piece in save.pieces()}


def test_a_side_creates_no_enemy_counters(desk: OpenCampaign, tmp_path: Path) -> None:
    save, ids = lacking(desk, tmp_path, "6-6-8 Msq", "4-4-8 Esq")
    module = read_module(
        module_for(unrestricted_campaign(desk).campaign).write(tmp_path / "VASL.vmod")
    )
    made = make_next_setup_save(
        create_view(unrestricted_campaign(desk), Side.MARINE), save.file(), module
    )
    assert [ids[0] in line for line in made.made] == [True]
    assert not [line for line in (*made.made, *made.left_out) if ids[1] in line]


# --- a foreign file -------------------------------------------------------------------------------


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
FOREIGN = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


@pytest.mark.parametrize("head", [BOMB, FOREIGN, '<!DOCTYPE x SYSTEM "http://x/y.dtd">'])
def test_a_module_that_declares_entities_is_refused(tmp_path: Path, head: str) -> None:
    module = SmallModule().add("LMG", "ja/x")
    module.head = head
    with pytest.raises(RefusedError, match="declares a document type"):
        read_module(module.write(tmp_path / "x.vmod"))


def test_circular_prototypes_create_no_counter(tmp_path: Path) -> None:
    module = SmallModule().add("LMG", "ja/x")
    module.shared = [("prototype;Shared", ""), ("prototype;Shared", "")]
    found = read_module(module.write(tmp_path / "x.vmod"))
    assert [found.piece(slot) for slot in found.slots] == [None]


@pytest.mark.parametrize("member", ["buildFile", "buildFile.xml"])
def test_a_module_is_read_with_either_name_of_its_build_file(tmp_path: Path, member: str) -> None:
    module = SmallModule("6.7").add("LMG", "ja/x").write(tmp_path / "x.vmod", member)
    found = read_module(module)
    assert (found.version, found.slots[0].name, found.slots[0].where) == ("6.7", "LMG", ("Units",))


def test_no_module_is_one_clear_message(tmp_path: Path) -> None:
    SmallModule(name="VSQL").add("LMG", "ja/x").write(tmp_path / "other.vmod")
    (tmp_path / "torn.vmod").write_bytes(b"PK nothing")
    SmallModule().add("LMG", "ja/x").write(tmp_path / "empty.vmod", "readme.txt")
    for name, why in (
        ("other.vmod", "it is the module 'VSQL'; use your VASL module"),
        ("torn.vmod", "a VASL module that can be read"),
        ("empty.vmod", "no member buildFile"),
        ("missing.vmod", "there is no such file"),
    ):
        with pytest.raises(RefusedError, match=why):
            read_module(tmp_path / name)


def test_a_module_version_different_from_the_saves_is_reported(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save, _ = lacking(desk, tmp_path, "6-6-8 Msq")
    save.version = "6.7.0"
    (line,) = [line for line in written(desk, save, tmp_path).left_out if "VASL" in line]
    assert line == "the module is VASL 6.5, but the save is from 6.7.0; open it in that version"


def test_only_this_machine_remembers_where_the_module_is(tmp_path: Path) -> None:
    path = SmallModule().add("LMG", "ja/x").write(tmp_path / "x.vmod")
    assert load_given_or_remembered_module(None) is None
    module = load_given_or_remembered_module(str(path))
    assert module is not None
    assert remembered_module_path() == "", "it has been of no use yet"
    remember_module(module)
    assert remembered_module_path() == str(path)
    assert load_given_or_remembered_module(None) is not None
    path.unlink()
    assert load_given_or_remembered_module(None) is None
    load_given_or_remembered_module("none")
    assert remembered_module_path() == ""
    assert state_file_path("vasl", "module").exists()


# --- a whole life ---------------------------------------------------------------------------------


class UntilBuying(AnswerSupply):
    """Plays until somebody may buy."""

    def supply_answer(self, ask: Question[Any], date: str, position: int) -> Early:
        if ask.rule.startswith("15.614"):
            raise MissingAnswerError(ask)
        return AnswerSupply.supply_answer(self, ask, date, position)


def bought(desk: OpenCampaign) -> list[str]:
    """The ids of what both sides buy, one of each kind as long as they may."""
    before = {counter.id for counter in unrestricted_campaign(desk).campaign.counters()}
    for key, price in unrestricted_campaign(desk).card.prices.items():
        for side, beach in product(Side, (None, "green", "red_one", "red_two", "black_one")):
            if price.side in (side, None) and (beach is None) is (side is Side.MARINE):
                asked = {"item": key, "side": side, "beach": beach, "quantity": 1}
                with suppress(RefusedError):
                    desk.run_command("buy", {name: given for name, given in asked.items() if given})
                    break
    return sorted(
        {counter.id for counter in unrestricted_campaign(desk).campaign.counters()} - before
    )


def test_import_refit_export_and_import_need_no_work_by_hand(
    desk: OpenCampaign, tmp_path: Path, capsys: Any
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    taken_in(desk, read(desk, save, tmp_path))
    with suppress(MissingAnswerError):
        for _ in desk.play_with_supply(UntilBuying(dice=SeededDice("9"), defaults=True)):
            pass
    new = bought(desk)
    for _ in desk.play_with_supply(AnswerSupply(dice=SeededDice("9"), defaults=True)):
        pass
    campaign = unrestricted_campaign(desk).campaign
    needs = load_names().needs_a_piece
    counters = {id: campaign.find(id) for id in new}
    new = [
        id
        for id, one in counters.items()
        if one is not None and needs(one.TABLE, getattr(one, "kind", None), one.type)
    ]
    assert len(new) > 15
    source, module, out = (tmp_path / name for name in ("end.vsav", "VASL.vmod", "next.vsav"))
    source.write_bytes(save.file().as_zip())
    module_for(campaign).write(module)
    path = str(desk.path)
    args = ["export", path, "vsav", "--from", str(source), "-o", str(out)]
    assert main([*args, "--module", str(module)]) == 0
    told = capsys.readouterr()
    made = {line.split(":")[0] for line in told.out.splitlines() if ": new piece: " in line}
    assert {id for id in new if any(f"({id})" in line for line in made)} == {*new}
    by_hand = [line for line in told.err.splitlines() if "no piece for it" in line]
    assert all(line.startswith("seawall breach") for line in by_hand)  # VASL's has no hexside
    found = read_scenario_end(create_view(unrestricted_campaign(desk)), out, "both")
    changes = [
        line
        for line in preview_import(create_view(unrestricted_campaign(desk)), found)
        if line.what != "scenario"
    ]
    assert [str(line) for line in changes if line.what != "warning"] == []
    assert not [id for id in new if id not in found.asked["pieces"].values()]
    assert found.unknown == []
    assert str(module) not in str(list(unrestricted_campaign(desk).entries))
    assert main([*args, "--force"]) == 0  # the module is remembered, on this machine
    assert ": new piece: " in capsys.readouterr().out


def test_exponentially_nested_prototypes_are_refused_quickly() -> None:
    """38 of them in a module of 619 bytes took minutes."""
    twice = "+/null/prototype;P{0}\tprototype;P{0}\\\tpiece;;;x;x/\t\\\tnull;0;0;;0"
    prototypes = {f"P{number}": twice.format(number + 1) for number in range(38)}
    module = VaslModule("VASL", prototypes=prototypes)
    assert module.piece(Slot("x", "1", twice.format(0), ())) is None
