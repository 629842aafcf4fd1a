"""The end of a scenario imported from a VASL save, and the next setup written into one."""

from copy import deepcopy
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from brt_cg.card import load_card
from brt_cg.cli import main
from brt_cg.commands.difference import DifferenceLine, import_difference
from brt_cg.imports.preview import preview_import
from brt_cg.imports.scenario_end import read_scenario_end
from brt_cg.imports.state_file import FileFormat, format_of
from brt_cg.model.counters import Side
from brt_cg.questions.answers import RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.vasl import geometry
from brt_cg.vasl.matching import MatchedSave, state_from_save
from brt_cg.vasl.names import TABLES, load_names
from brt_cg.vasl.pieces import VaslSave
from brt_cg.vasl.rows import Guess
from brt_cg.vasl.situation import read_situation
from brt_cg.views.view import create_view
from tests.settings import count
from tests.vasl.demo_save import save_of
from tests.vasl.writer import Save, Wrote, conceal, hide, layer

LADDERS = load_card("III").ladders


MATCHED: dict[tuple[Any, ...], MatchedSave] = {}


def read(desk: OpenCampaign, save: Save, tmp_path: Path, side: str = "both") -> MatchedSave:
    """What a save says to a campaign; the same said to the same is read once."""
    key = (unrestricted_campaign(desk).head, save.text(), save.module, side)
    if key not in MATCHED:
        path = tmp_path / "end.vsav"
        path.write_bytes(save.file().as_zip())
        assert format_of(path) is FileFormat.VASL
        MATCHED[key] = state_from_save(create_view(unrestricted_campaign(desk)), path, side, None)
    return deepcopy(MATCHED[key])


def lines(
    desk: OpenCampaign, matched: MatchedSave, side: Side | None = None
) -> list[DifferenceLine]:
    asked = {"state": matched.document, "source": "end.vsav", "missing": None, "side": side}
    found = import_difference(
        unrestricted_campaign(desk).campaign,
        asked | {"pieces": matched.pieces},
        unrestricted_campaign(desk).card,
    )
    return [line for line in found if line.what not in ("scenario", "warning")]


def test_the_demo_written_as_a_save_and_read_back_shows_no_difference(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    matched = read(desk, save_of(unrestricted_campaign(desk).campaign), tmp_path)
    assert [str(line) for line in lines(desk, matched)] == []


@pytest.mark.parametrize("side", Side)
def test_one_sides_import_holds_equipment_it_captured(
    desk: OpenCampaign, tmp_path: Path, side: Side
) -> None:
    lost = "m-tk-2" if side is Side.JAPANESE else "j-tk-2"
    desk.run_command("edit", {"id": lost, "set": {"side": side}, "reason": "captured"})
    matched = read(desk, save_of(unrestricted_campaign(desk).campaign), tmp_path, side)
    assert lost in matched.pieces.values()
    assert [str(line) for line in lines(desk, matched, side)] == []


def test_ten_edits_of_a_save_are_exactly_ten_differences(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    units = [
        unit
        for unit in unrestricted_campaign(desk).campaign.units.values()
        if unit.in_play and not unit.off_map
    ]
    marines = [unit for unit in units if unit.side is Side.MARINE]  # Japanese squads never break
    squads = [unit.id for unit in marines if unit.kind == "squad" and not unit.status][:6]
    leaders = [unit.id for unit in units if unit.leader and not unit.status][:4]
    save = save_of(unrestricted_campaign(desk).campaign)
    for piece in save.pieces():
        if piece.id in (*squads, *leaders):
            word = "Wnd +" if piece.id in leaders else "broken +"
            piece.traits = [layer(word, 1), *piece.traits]
    found = lines(desk, read(desk, save, tmp_path))
    counters = [unrestricted_campaign(desk).campaign.find(line.about) for line in found]
    edited = [unrestricted_campaign(desk).campaign.units[id] for id in (*squads, *leaders)]
    # Of squads alike in one hex any may be the one that broke.
    alike = [sorted((one.type, one.location) for one in some if one) for some in (counters, edited)]
    assert alike[0] == alike[1]


def taken_in(
    desk: OpenCampaign, matched: MatchedSave, side: Side | None = None, **more: Any
) -> None:
    asked = {"state": matched.document, "source": "end.vsav", "missing": None, "side": side}
    desk.run_command("import", asked | {"pieces": matched.pieces} | more)


def test_a_fire_burns_the_terrain_or_the_wreck_in_its_hex(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    for id in ("t-sr-2", "m-tk-9"):  # rubble and a wreck in P36, removed meanwhile
        gone = {"id": id, "set": {"fate": "eliminated"}, "reason": "removed"}
        desk.run_command("edit", gone)
    save = save_of(unrestricted_campaign(desk).campaign)
    for hex, fire in (("P32", "Blaze"), ("V23", "Flame"), ("P36", "Blaze")):
        save.at(hex, Wrote(f"fire-{hex}", fire, ""))
    matched = read(desk, save, tmp_path)
    told = {line.about: str(line) for line in lines(desk, matched)}
    assert {*told} == {"t-bldg-4", "m-lvt-10"}
    assert "blaze" in told["t-bldg-4"]
    assert "burning" in told["m-lvt-10"]
    assert "a blaze in P36 does not match any terrain or vehicle in the campaign" in "\n".join(
        map(str, matched.guesses)
    )


def test_a_matched_piece_is_recognized_by_its_id(desk: OpenCampaign, tmp_path: Path) -> None:
    """Two squads of one type change places: their pieces tell what type and place cannot."""
    save = save_of(unrestricted_campaign(desk).campaign)
    matched = read(desk, save, tmp_path)
    squads = [piece for piece in save.pieces() if piece.name == "7-6-8 Msq"]
    first, second = squads[0], squads[-1]
    save.swap(first, second)
    guessed = read(desk, save, tmp_path)
    assert guessed.pieces[first.id] == second.id
    taken_in(desk, matched)
    assert read(desk, save, tmp_path).pieces[first.id] == first.id


def test_the_other_sides_counters_are_dropped_unless_both_are_asked_for(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    for piece in save.pieces():
        if piece.id.startswith("j-sq"):
            piece.traits = [layer("broken +", 1), *piece.traits]
    marine = read(desk, save, tmp_path, "marine")
    assert not [id for id in marine.pieces.values() if id.startswith("j-sq")]
    assert not any("j-sq" in str(guess) for guess in marine.guesses)
    both = read(desk, save, tmp_path)
    assert [id for id in both.pieces.values() if id.startswith("j-sq")]


def test_a_save_without_a_side_is_refused(played: Path, tmp_path: Path) -> None:
    path = tmp_path / "end.vlog"
    path.write_bytes(Save().at("N21", Wrote("1", "9-1")).file().as_zip())
    assert main(["import", str(played), str(path)]) == 2


def test_a_save_is_recognized_by_content_and_not_by_name(tmp_path: Path) -> None:
    save = tmp_path / "state.json"
    save.write_bytes(Save().at("N21", Wrote("1", "9-1")).file().as_zip())
    state = tmp_path / "end.vsav"
    state.write_text("{}", "utf-8")
    assert format_of(save) is FileFormat.VASL
    assert format_of(state) is FileFormat.JSON


def test_the_casualties_window_holds_the_dead_and_its_count_is_no_piece(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    dead = next(piece for piece in save.pieces() if piece.name == "9-2")
    save.drop(dead)
    save.at_pixel(100, 100, dead, Wrote("77", "Allied CVP Count", ""), on="Casualties")
    matched = read(desk, save, tmp_path)
    assert {line.about for line in lines(desk, matched)} >= {dead.id}
    row = next(row for row in matched.document["units"] if row["id"] == dead.id)
    assert row["fate"] == "eliminated"
    assert not [guess for guess in matched.guesses if "CVP Count" in guess.words]


def test_unrecognized_pieces_are_listed_and_never_dropped_silently(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign).at("N21", Wrote("77", "Kilroy"))
    assert read(desk, save, tmp_path).unknown == ["Kilroy (N21)"]


def test_a_new_counter_of_neither_side_is_left_out_and_reported(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign).at(
        "N21", Wrote("77", "4-4-7 1sq", "ge/ge447")
    )
    matched = read(desk, save, tmp_path)
    assert lines(desk, matched) == []
    words = (
        "4-4-7 1sq (N21), of neither side, is not a counter of this campaign, so it was left out"
    )
    assert Guess("", words) in matched.guesses


def test_unrecognized_hidden_enemy_pieces_are_not_reported(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign).at(
        "N21", Wrote("77", "Kilroy", traits=[hide("them")]), Wrote("78", "MMG", "", [hide("them")])
    )
    marine = read(desk, save, tmp_path, "marine")
    assert not [one for one in marine.guesses if "MMG (N21)" in one.words]
    assert not [one for one in marine.unknown if "Kilroy" in one]
    assert [one for one in read(desk, save, tmp_path).unknown if "Kilroy" in one]


MINE, YOURS = "me", "you"  # the players of a save, by their ids
MINES = [Wrote("81", "7-6-8 Msq", "am/x", [conceal(MINE)])]
YOUR_SQUAD = Wrote("82", "4-4-7 1sq", "ja/x", [conceal(YOURS)])


def test_concealed_enemy_units_are_not_named_to_a_side(desk: OpenCampaign, tmp_path: Path) -> None:
    save = save_of(unrestricted_campaign(desk).campaign).at(
        "N21", Wrote("77", "Knee Mortar", "ja/x", [conceal(YOURS)])
    )
    marine = read(desk, save, tmp_path, "marine")
    told = [*marine.unknown, *map(str, marine.guesses), *marine.names.values()]
    assert not [words for words in told if "Knee Mortar" in words]
    for side in ("japanese", "both"):
        assert read(desk, save, tmp_path, side).unknown == ["Knee Mortar (N21)"]


CONCEALED = (
    *(("Kilroy", "ja/x"), ("Kilroy", ""), ("MMG", ""), ("MMG", "ja/x"), ("4-4-7 1sq", "ja/x")),
    *(("Wounded", ""), ("Blaze", ""), ("Perimeter", "MS/x"), ("Type 95", "ja/x")),
    *(("Wire", ""), ("75* INF", "ja/x"), ("MMG", "am/x"), ("9-1", "ja/x")),
)


def test_concealed_enemy_units_do_not_change_a_sides_import(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    empty = read(desk, save, tmp_path, "marine")
    save.at("N20", *MINES).at("N21", YOUR_SQUAD)
    without = read(desk, save, tmp_path, "marine")
    assert without.document != empty.document
    covered = [*product(CONCEALED, (conceal, hide))]
    for (name, picture), cover in covered[:: count(ci=5, full=1)]:
        save.stacks[-1][-1][1:] = [Wrote("77", name, picture, [cover(YOURS)])]
        assert read(desk, save, tmp_path, "marine") == without, (name, picture, cover)


def test_a_visible_marker_does_not_reveal_a_hidden_piece_under_it(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign).at("N20", *MINES).at("N21", YOUR_SQUAD)
    save.at("N22", Wrote("78", "Sand Bog", ""))
    without = read(desk, save, tmp_path, "marine")
    assert "Sand Bog (N22): no counter under it" in without.unknown
    save.stacks[-1][-1].insert(0, Wrote("77", "Type 95", "ja/x", [hide(YOURS)]))
    assert read(desk, save, tmp_path, "marine") == without


def test_a_concealed_captured_weapon_does_not_reveal_the_enemys_location(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    before = read(desk, save, tmp_path)
    desk.run_command("import", asked_of(before))
    weapon = next(
        piece for piece in save.pieces() if piece.id.startswith("m-") and "MG" in piece.name
    )
    save.drop(weapon)
    weapon.traits.insert(0, conceal(YOURS, "am"))
    save.at("N21", YOUR_SQUAD, weapon)
    marine = read(desk, save, tmp_path, "marine")
    assert weapon.id not in marine.pieces
    assert not [row for row in marine.document["weapons"] if row["location"] == "N21"]


def asked_of(matched: MatchedSave) -> dict[str, Any]:
    asked = {"state": matched.document, "source": "end.vsav", "missing": None, "side": None}
    return asked | {"pieces": matched.pieces}


def test_a_side_sees_its_own_concealed_captures(desk: OpenCampaign, tmp_path: Path) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    taken = Wrote("77", "MMG", "ja/x", [conceal(MINE)])
    save.at("N21", Wrote("81", "7-6-8 Msq", "am/x", [conceal(MINE)]), taken)
    marine = read(desk, save, tmp_path, "marine")
    assert {"77", "81"} <= {*marine.pieces}
    assert not {"77", "81"} & {*read(desk, save, tmp_path, "japanese").pieces}


def test_the_refusal_of_a_save_without_a_counter_names_no_concealed_piece(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = Save().at("N21", Wrote("1", "Kilroy", "ja/x", [conceal(YOURS)]))
    with pytest.raises(RefusedError, match="its pieces: no piece") as refusal:
        read(desk, save, tmp_path, "marine")
    assert "Kilroy" not in str(refusal.value)


def test_a_save_of_another_game_is_refused_with_its_content(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    with pytest.raises(
        RefusedError, match=r"none of its counters is recognized; .* its pieces: Kilroy \(N21\)"
    ):
        read(desk, Save().at("N21", Wrote("1", "Kilroy")), tmp_path)


def test_a_player_adds_his_own_names_without_code(desk: OpenCampaign, tmp_path: Path) -> None:
    own = tmp_path / "names.toml"
    own.write_text('[[counter]]\nname = "Kilroy"\ntable = "weapons"\nkind = "sw"\n', "utf-8")
    path = tmp_path / "end.vsav"
    save = save_of(unrestricted_campaign(desk).campaign).at("N21", Wrote("77", "Kilroy", "am/x"))
    path.write_bytes(save.file().as_zip())
    matched = state_from_save(create_view(unrestricted_campaign(desk)), path, "both", own)
    new = next(row for row in matched.document["weapons"] if row["id"] == matched.pieces["77"])
    assert (new["type"], new["side"], new["location"]) == ("Kilroy", Side.MARINE, "N21")


def test_a_wrong_names_file_reports_every_problem(desk: OpenCampaign, tmp_path: Path) -> None:
    own = tmp_path / "names.toml"
    own.write_text('[[counter]]\nname = "X"\ntable = "guns"\n[[marker]]\npattern = "("\n', "utf-8")
    path = tmp_path / "end.vsav"
    path.write_bytes(save_of(unrestricted_campaign(desk).campaign).file().as_zip())
    with pytest.raises(RefusedError) as refusal:
        state_from_save(create_view(unrestricted_campaign(desk)), path, "both", own)
    assert {"guns", "regular expression"} <= {
        word for word in ("guns", "regular expression") if word in str(refusal.value)
    }


def test_pieces_far_from_every_hex_center_are_doubtful_or_off_map(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    moved, gone = [piece for piece in save.pieces() if piece.name == "7-6-8 Msq"][:2]
    x, y = geometry.hex_center("N21")
    save.drop(moved)
    save.drop(gone)
    save.at_pixel(x + 31, y, moved)
    save.at_pixel(150, 2000, gone)
    matched = read(desk, save, tmp_path)
    assert any("31 pixels from the center of N21" in guess.words for guess in matched.guesses)
    rows = {row["id"]: row for row in matched.document["units"]}
    assert rows[matched.pieces[gone.id]]["location"] == "off_map"


def test_totals_of_the_save_are_only_compared(desk: OpenCampaign, tmp_path: Path) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    save.others = [
        "INFO\tAxis\tAxis\t1\t4 \t7 \t5 \t ? \t?",
        f"GlobalProperty\t;AxisCVP;{'9' * 5000};Casualties",  # Python reads no number so long
    ]
    matched = read(desk, save, tmp_path)
    sides = unrestricted_campaign(desk).campaign.sides
    assert matched.document["sides"]["japanese"]["san"] == sides[Side.JAPANESE].san
    words = f"Japanese SAN: 7 in the save, {sides[Side.JAPANESE].san} in the campaign"
    assert Guess("", words) in matched.guesses
    assert matched.casualties.counted == {}


def test_perimeter_counters_propose_the_perimeters(desk: OpenCampaign, tmp_path: Path) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    for number, hex in enumerate(("N18", "N19", "T34")):
        save.at(hex, Wrote(f"88{number}", "Perimeter", "MS/x", [layer("Allied +,Axis +", 1)]))
    assert read(desk, save, tmp_path).document["perimeters"] == [["N18", "N19"], ["T34"]]


def test_a_players_own_pattern_ignores_additional_words(tmp_path: Path) -> None:
    own = tmp_path / "names.toml"
    own.write_text("[words]\nignored_pattern = 'Lvl [1-3]'\n")
    worded = [layer("+ Lvl 2", 1), layer("+ vca4", 1), layer("+ Odd", 1)]
    save = Save().at("N21", Wrote("1", "7-6-8 MAEsq", "am/x", worded))
    (found,) = read_situation(VaslSave(save.text()), load_names(own), LADDERS).found
    assert [doubt.words for doubt in found.doubts] == ["'Odd' on it is not known to the program"]


def test_a_label_on_a_leader_or_squad_is_its_name_unless_it_has_one(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    save, units = (
        save_of(unrestricted_campaign(desk).campaign),
        unrestricted_campaign(desk).campaign.units,
    )
    squad = next(one for one in save.pieces() if one.name == "7-6-8 Msq" and not units[one.id].name)
    leader = next(one for one in save.pieces() if one.name == "9-2" and units[one.id].name)
    for piece, words in ((squad, "Sgt Rock"), (leader, "Capt Somebody")):
        piece.traits = [*piece.traits, ("label;76,130;Label", words)]
    matched = read(desk, save, tmp_path)
    named = {row["id"]: row["name"] for row in matched.document["units"]}
    assert named[matched.pieces[squad.id]] == "Sgt Rock"
    assert named[leader.id] == units[leader.id].name
    words = "7-6-8 Msq ({}): named Sgt Rock, as written on it"
    assert [one for one in matched.guesses if "named" in one.words] == [
        Guess(
            matched.pieces[squad.id], words.format(matched.names[matched.pieces[squad.id]][11:-1])
        )
    ]


def test_unrecognized_pieces_are_listed_once_per_name(desk: OpenCampaign, tmp_path: Path) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    for number, hex in enumerate(("N21", "N22", "N22")):
        save.at(hex, Wrote(f"77{number}", "Kilroy"))
    save.at("N21", Wrote("780", "Sand Bog", ""))
    unknown = read(desk, save, tmp_path).unknown
    assert unknown == ["Kilroy (N21, 2 in N22)", "Sand Bog (N21): no counter under it"]


def test_unrecognized_dead_pieces_are_one_line(desk: OpenCampaign, tmp_path: Path) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    for number, name in enumerate(("1-2-6 Chs", "1-2-6 Chs", "6-5-8 Esq")):
        save.at_pixel(350, 190, Wrote(f"77{number}", name, "ja/x"), on="Casualties")
    told = [one.words for one in read(desk, save, tmp_path).guesses if "Casualties" in one.words]
    assert told == ["in the Casualties window, but not in this campaign: 2 1-2-6 Chs, 6-5-8 Esq"]


@pytest.mark.parametrize("name", ["Shellholes BRT", "Shellholes", "Palm Debris", "Path"])
def test_terrain_counters_of_brt_are_not_mentioned(name: str) -> None:
    shown = read_situation(
        VaslSave(Save().at("N21", Wrote("1", name)).text()), load_names(), LADDERS
    )
    assert (shown.found, shown.unknown) == ([], [])


# --- a first import, and a second -----------------------------------------------------------------


def test_a_first_import_summarizes_new_counters_by_side_kind_and_area(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    path, empty = tmp_path / "end.vsav", tmp_path / "new.brt"
    path.write_bytes(save_of(unrestricted_campaign(desk).campaign).file().as_zip())
    assert main(["new", "--cg", "III", str(empty)]) == 0
    with_nothing = OpenCampaign.open(empty)
    book = create_view(unrestricted_campaign(with_nothing))
    found = read_scenario_end(book, path, "both", "keep")
    added = [str(line) for line in preview_import(book, found) if line.what == "added"]
    with_nothing.close()
    new = {row["id"] for table in TABLES for row in found.asked["state"][table]}
    assert len(new) > 100
    assert len(added) < 30
    assert any(line.startswith("added: Marine ") and " × squad, " in line for line in added)
    assert all(any(id in line for line in added) for id in new)


def test_a_second_import_is_refused_and_names_undo(desk: OpenCampaign, tmp_path: Path) -> None:
    save = save_of(unrestricted_campaign(desk).campaign)
    taken_in(desk, read(desk, save, tmp_path))
    with pytest.raises(RefusedError, match="undo removes the last import"):
        taken_in(desk, read(desk, save, tmp_path))
