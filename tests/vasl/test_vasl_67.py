"""Pieces as VASL 6.7 draws them: crews of three levels, layers of classes, and its casualty key."""

from pathlib import Path
from typing import Any

import pytest

from brt_cg.imports.scenario_end import ScenarioEnd, read_scenario_end
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.vasl.matching import state_from_save
from brt_cg.vasl.save_writer import make_next_setup_save
from brt_cg.vasl.savefile import SaveFile, read_save
from brt_cg.views.view import create_view
from tests.vasl.rereading import reread
from tests.vasl.test_losses import sent_from
from tests.vasl.writer import Save, Wrote, layer, levels

CREW = "2-2-8 Icr"


def crew(id: str, level: int, broken: bool = False) -> Wrote:
    """A crew of three levels, with the layers that only tell how it is drawn."""
    traits = [
        layer("broken +", 1 if broken else -1),
        layer(f"{CREW},striped {CREW},1-2-7 Icr", level),
        levels("classId", "ja/e,ja/g", 2),
        levels("jaNoRoi", "ja/n", 1),
    ]
    return Wrote(id, CREW, "ja/x", traits)


def save() -> Save:
    """A first save: four crews, and a tank with a layer for each of its Weapons."""
    tank = Wrote("5", "M4A2", "am/x", [levels("MA Malf", ",am/m,am/d", 2)])
    crews = [crew("1", 1), crew("2", 2), crew("3", 3), crew("4", 3, broken=True)]
    version_67 = Save(version="6.7.0")
    for hex, piece in zip(("N21", "N22", "N23", "N24", "N26"), (*crews, tank), strict=True):
        version_67.at(hex, piece)
    return version_67.at("N28", Wrote("6", "6-6-8 Msq", "am/x", [layer("NoRoi +", 1)]))


@pytest.fixture
def desk(tmp_path: Path) -> OpenCampaign:
    return OpenCampaign.create(tmp_path / "new.brt", {"cg": "III"})


def read(desk: OpenCampaign, file: SaveFile, tmp_path: Path) -> ScenarioEnd:
    path = tmp_path / "end.vsav"
    path.write_bytes(file.as_zip())
    return read_scenario_end(create_view(unrestricted_campaign(desk)), path, "both")


def units(found: ScenarioEnd) -> dict[str, dict[str, Any]]:
    rows = {row["id"]: row for row in found.asked["state"]["units"]}
    return {piece: rows[id] for piece, id in found.asked["pieces"].items() if id in rows}


def test_a_crew_is_an_infantry_crew_at_each_of_its_three_levels(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    found = read(desk, save().file(), tmp_path)
    assert found.unknown == []
    shown = {id: (row["kind"], row["strength"], row["status"]) for id, row in units(found).items()}
    assert [shown[id] for id in "1234"] == [
        ("crew", "full", []),
        ("crew", "reduced", []),
        ("crew", "reduced", []),
        ("crew", "reduced", []),
    ]
    (guess,) = [str(guess) for guess in found.guesses if "broken in VASL" in str(guess)]
    assert "broken 1-2-7 Icr (N24)" in guess


def test_a_vasl_67_save_read_and_written_is_unchanged(desk: OpenCampaign, tmp_path: Path) -> None:
    file = save().file()
    desk.run_command("import", read(desk, file, tmp_path).asked)
    made = make_next_setup_save(create_view(unrestricted_campaign(desk)), file)
    assert [*reread(file.text, made.file.text)] == []
    assert (made.exposed, made.left_out) == ([], [])
    written = tmp_path / "written.vsav"
    written.write_bytes(made.file.as_zip())
    assert read_save(written).others == file.others


def test_a_squad_replaced_by_its_hs_in_vasl_67_is_reduced(
    desk: OpenCampaign, tmp_path: Path
) -> None:
    """Its casualty key sends a clone to the window, and lays a HS of its own in the hex."""
    first = save()
    found = read(desk, first.file(), tmp_path)
    squad = found.asked["pieces"]["6"]
    both = save()
    (piece,) = [one for one in both.pieces() if one.id == "6"]
    both.drop(piece)
    both.at("N28", Wrote("60", "3-4-8 Mhs", "am/x", noted={"UniqueID": "6"}))
    clone = Wrote("61", "6-6-8 Msq", "am/x", noted=sent_from("N28", UniqueID="6"))
    both.at_pixel(100, 100, clone, on="Casualties")
    desk.run_command("import", found.asked)
    path = tmp_path / "next.vsav"
    path.write_bytes(both.file().as_zip())
    matched = state_from_save(create_view(unrestricted_campaign(desk)), path, "both", None)
    (row,) = [row for row in matched.document["units"] if row["side"] == "marine"]
    assert (row["id"], row["kind"], row["fate"]) == (squad, "half_squad", "in_play")
