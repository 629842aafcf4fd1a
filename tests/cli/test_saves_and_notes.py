"""VASL saves, notes and the browser, as typed on the command line."""

from pathlib import Path

import pytest

from tests.cli.shell import Shell
from tests.vasl.writer import Save, Wrote

NAMES = '[[counter]]\nname = "Amtrac"\ntable = "vehicles"\ntype = "LVT2"\n'


@pytest.fixture
def save(tmp_path: Path) -> Path:
    """A squad and its MMG in N20, a Japanese squad in N24, and an LVT2 by another name."""
    found = Save().at("N20", Wrote("1", "7-6-8 Msq", "am/x"), Wrote("2", "MMG", "am/x"))
    found.at("N24", Wrote("3", "4-4-7 1sq", "ja/x")).at("N19", Wrote("4", "Amtrac", "am/x"))
    path = tmp_path / "end.vsav"
    path.write_bytes(found.file().as_zip())
    return path


@pytest.fixture
def adopted(brt: Shell, save: Path, tmp_path: Path) -> Path:
    """A campaign adopted from the save."""
    (tmp_path / "names.toml").write_text(NAMES, "utf-8")
    assert brt("new", "c.brt", "--cg", "III").code == 0
    words = ("--side", "both", "--names", "names.toml", "--yes")
    assert brt("import", "c.brt", save, *words).code == 0
    return tmp_path / "c.brt"


def test_a_campaign_is_adopted_from_a_save_with_own_names(brt: Shell, adopted: Path) -> None:
    state = brt("export", adopted, "state").json
    assert [vehicle["type"] for vehicle in state["vehicles"]] == ["LVT2"]
    assert state["weapons"][0]["possessor"] == next(
        unit["id"] for unit in state["units"] if unit["side"] == "marine"
    )


def test_the_next_setup_is_written_into_the_imported_save(
    brt: Shell, adopted: Path, save: Path, tmp_path: Path
) -> None:
    done = brt("export", adopted, "vsav", "--from", save, "-o", tmp_path / "next.vsav")
    assert done.code == 0
    assert (tmp_path / "next.vsav").read_bytes()[:2] == b"PK"
    assert "--module VASL.vmod" not in done.err, "it has a piece for every counter"


def test_pieces_missing_in_a_save_are_listed_with_the_option_to_create_them(
    brt: Shell, adopted: Path, save: Path, tmp_path: Path
) -> None:
    [squad] = [
        unit for unit in brt("export", adopted, "state").json["units"] if unit["side"] == "marine"
    ]
    done = brt("edit", adopted, squad["id"], "status=encircled", "--reason", "forgotten")
    assert done.code == 0, done.err
    done = brt("export", adopted, "vsav", "--from", save, "-o", tmp_path / "next.vsav")
    assert "its piece cannot show encircled; add that counter" in done.err
    assert "With --module VASL.vmod missing counters are made" in done.err


def test_a_vasl_export_without_a_save_is_refused(brt: Shell, adopted: Path) -> None:
    assert "--from SAVE (the save to write into) and -o FILE" in brt("export", adopted, "vsav").err


def test_an_imported_save_is_not_overwritten(brt: Shell, adopted: Path, save: Path) -> None:
    before = save.read_bytes()
    got = brt("export", adopted, "vsav", "--from", save, "-o", save)
    assert got.code == 2
    assert "choose another name" in got.err
    assert save.read_bytes() == before


def test_a_note_is_kept_for_both_or_for_one_side(brt: Shell, adopted: Path) -> None:
    id = brt("export", adopted, "state").json["units"][0]["id"]
    assert brt("note", adopted, "Who fired first?", "--about", id).code == 0
    assert brt("note", adopted, "Feint at Green", "--side", "japanese").code == 0
    marine = brt("export", adopted, "journal", "--side", "marine").out
    assert "Who fired first?" in marine
    assert "Feint at Green" not in marine


def test_a_note_about_an_unknown_counter_is_refused(brt: Shell, adopted: Path) -> None:
    done = brt("note", adopted, "x", "--about", "nobody")
    assert (done.code, '"nobody" is not accepted; enter the name' in done.err) == (2, True)


def test_an_invalid_port_is_refused(brt: Shell, adopted: Path) -> None:
    assert brt("serve", adopted, "--port", "99999").code == 2


def test_a_line_about_a_stack_names_its_subject(brt: Shell, save: Path) -> None:
    brt("demo", "--headless", "-o", "out")
    refused = brt("import", "out/demo.brt", str(save), "--side", "both", "--stacked", "everybody")
    assert refused.code == 2
    assert "--stacked everybody is not accepted; write aboard" in refused.err


@pytest.mark.parametrize("option", ["--notify", "--notify-marine", "--notify-japanese"])
def test_a_notification_command_is_checked_before_serving(brt: Shell, option: str) -> None:
    brt("new", "c.brt", "--cg", "III")
    for words, why in (("'unclosed", "No closing quotation"), (" ", "is empty")):
        refused = brt("serve", "c.brt", option, words)
        assert (refused.code, why in refused.err) == (2, True)
