"""A workbook filled in at the table: what `export template` writes, `import` reads."""

from datetime import date
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from openpyxl import Workbook, load_workbook

from brt_cg.cli import main
from brt_cg.commands.state_document import build_state_document
from brt_cg.exports import export_document
from brt_cg.imports.state_file import (
    FileFormat,
    errors_with_cell_names,
    read_state_document,
    read_state_input,
)
from brt_cg.journal.journal import Journal
from brt_cg.questions.answers import RefusedError
from brt_cg.views.view import create_view
from tests.exports.journals import JAPANESE, begun, play, squad


def waiting() -> Journal:
    """The 20 PM scenario is to be played; one Marine and one Japanese squad wait for setup."""
    return play(begun(squad("m-sq-1", "N19"), squad("j-sq-1", "M40"), squad("m-ldr-1", "N19")))


@pytest.fixture
def journal() -> Journal:
    return waiting()


@cache
def template() -> bytes:
    return bytes(export_document(create_view(waiting()), "template", "xlsx"))  # type: ignore[arg-type]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "20pm.xlsx"
    path.write_bytes(template())
    return path


def fill(path: Path, **cells: Any) -> Path:
    """Writes into cells: `units_I2` is cell I2 of the sheet `units`."""
    found = load_workbook(path)
    for name, value in cells.items():
        sheet, _, cell = name.rpartition("_")
        found[sheet][cell] = value
    found.save(path)
    return path


def fill_in(path: Path) -> Path:
    """A scenario won by the Marines, with everybody somewhere on map."""
    return fill(path, scenario_B2="marine", units_I2="M40", units_I3="N19", units_I4="N20")


def take_in(journal: Journal, path: Path) -> None:
    asked = read_state_input(path) | {"missing": None, "side": None}
    journal.begin_invocation()
    with errors_with_cell_names(path):
        journal.run_command("import", asked, "players")


def problems(journal: Journal, path: Path) -> list[str]:
    with pytest.raises(RefusedError) as refused:
        take_in(journal, path)
    return str(refused.value).splitlines()


def test_a_template_lists_counters_in_play_by_id(file: Path) -> None:
    units = load_workbook(file)["units"]
    assert [units.cell(row, 1).value for row in (2, 3, 4)] == ["j-sq-1", "m-ldr-1", "m-sq-1"]


def test_a_filled_in_template_is_imported(journal: Journal, file: Path) -> None:
    take_in(journal, fill_in(file))
    where = {unit.id: unit.location for unit in journal.campaign.units.values()}
    assert where == {"j-sq-1": "M40", "m-ldr-1": "N19", "m-sq-1": "N20"}
    assert journal.campaign.situation.said_winner == "marine"


def test_a_fate_is_chosen_from_a_list(journal: Journal, file: Path) -> None:
    lists = load_workbook(file)["units"].data_validations.dataValidation
    assert '"eliminated,captured"' in [one.formula1 for one in lists]
    take_in(journal, fill(fill_in(file), units_J4="eliminated"))
    assert build_state_document(journal.campaign)["units"][2]["fate"] == "eliminated"


def test_new_counters_are_added_below(journal: Journal, file: Path) -> None:
    new = {"A5": "m-sq-9", "B5": "marine", "C5": "squad", "D5": "6-6-8", "I5": "N18"}
    take_in(journal, fill(fill_in(file), **{f"units_{cell}": value for cell, value in new.items()}))
    assert journal.campaign.units["m-sq-9"].type == "6-6-8"


def test_every_problem_is_named_by_sheet_and_cell(journal: Journal, file: Path) -> None:
    wrong = {"units_C3": "platoon", "units_I4": "ZZ9", "sides_B2": 9, "scenario_B2": "nobody"}
    told = problems(journal, fill(fill_in(file), **wrong))
    assert [line.partition(":")[0] for line in told] == [
        "20pm.xlsx, sheet scenario, cell B2 (winner)",
        "20pm.xlsx, sheet sides, cell B2 (san)",
        "20pm.xlsx, sheet units, cell C3 (kind)",
        "20pm.xlsx, sheet units, cell I4 (location)",
    ]
    assert "enter squad, half_squad, crew" in told[2]


def test_a_missing_side_is_named(journal: Journal, file: Path) -> None:
    """It said "sheet sides, column : missing", and not whose row."""
    rest = {f"sides_{column}3": None for column in "ABCDEF"}
    assert load_workbook(file)["sides"]["A3"].value == "japanese"
    [told] = problems(journal, fill(fill_in(file), **rest))
    assert told.startswith("20pm.xlsx, sheet sides, row japanese: missing; enter an object")


def test_a_perimeter_is_named_by_its_own_cell(journal: Journal, file: Path) -> None:
    two = {"A2": "1", "B2": "N18-N21", "A3": "2", "B3": "ZZ9"}
    wrong = fill(fill_in(file), **{f"perimeters_{cell}": value for cell, value in two.items()})
    [told] = problems(journal, wrong)
    assert told.startswith("20pm.xlsx, sheet perimeters, cell B3 (hexes): ZZ9")


def test_a_leader_9_1_turned_into_a_date_is_noticed(journal: Journal, file: Path) -> None:
    [told] = problems(journal, fill(fill_in(file), units_D3=date(2026, 9, 1)))
    assert told.startswith("20pm.xlsx, sheet units, cell D3 (type): this is the date 2026-09-01")


def test_the_roster_restores_a_known_type_turned_into_a_date(journal: Journal, file: Path) -> None:
    path = fill(fill_in(file), units_D3=date(2026, 9, 1))
    found = read_state_document(path, FileFormat.WORKBOOK, journal.campaign)
    id = str(load_workbook(path)["units"]["A3"].value)
    known = journal.campaign.units[id]
    [row] = [row for row in found[0]["state"]["units"] if row["id"] == id]
    assert row.get("type", known.type) == known.type
    assert "2026-09-01" in " ".join(found[1])


def test_other_sheets_and_columns_are_ignored_and_listed(journal: Journal, file: Path) -> None:
    found = load_workbook(fill_in(file))
    found.create_sheet("airplanes")
    found["units"].cell(1, found["units"].max_column + 2).value = "Notes"
    found["units"].cell(3, found["units"].max_column).value = "hit twice"
    found.save(file)
    document, [notice] = read_state_document(file, FileFormat.WORKBOOK)
    assert document["state"]["units"]
    assert "20pm.xlsx, sheet airplanes" in notice
    assert "column Notes" in notice


def test_a_misspelled_sheet_or_column_is_refused_with_a_suggestion(
    journal: Journal, file: Path
) -> None:
    found = load_workbook(file)
    found["weapons"].title = "weapon"
    found["units"]["B1"] = "sides"
    found.save(file)
    told = problems(journal, file)
    assert told[0].startswith("20pm.xlsx, sheet weapon: unknown sheet; did you mean weapons?")
    assert 'sheet units, row 1: unknown column "sides"; did you mean side?' in told[1]


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04nonsense", b"units,id"])
def test_a_file_that_is_not_a_workbook_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.xlsx"
    path.write_bytes(content)
    with pytest.raises(RefusedError, match=r"broken\.xlsx: not a workbook"):
        read_state_input(path)


def test_an_empty_workbook_is_refused(journal: Journal, tmp_path: Path) -> None:
    path = tmp_path / "empty.xlsx"
    Workbook().save(path)
    with pytest.raises(RefusedError, match="it has no known sheet"):
        take_in(journal, path)


def test_a_sides_template_holds_its_counters_only(journal: Journal, tmp_path: Path) -> None:
    path = tmp_path / "j.xlsx"
    path.write_bytes(bytes(export_document(create_view(journal, JAPANESE), "template", "xlsx")))  # type: ignore[arg-type]
    found = read_state_input(path)["state"]
    assert [unit["id"] for unit in found["units"]] == ["j-sq-1"]
    assert list(found["sides"]) == ["japanese"]
    assert "perimeters" not in found


def test_the_command_line_reports_the_same_problems(
    tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    campaign = str(tmp_path / "c.brt")
    assert main(["new", campaign, "--cg", "III"]) == 0
    wrong = str(fill(fill_in(file), units_I4="ZZ9"))
    assert main(["import", campaign, wrong, "--yes"]) == 2
    assert "20pm.xlsx, sheet units, cell I4 (location): ZZ9" in capsys.readouterr().err


def test_a_workbook_is_recognized_by_content_and_not_by_name(file: Path) -> None:
    renamed = file.rename(file.with_suffix(".json"))
    read = read_state_input(renamed)
    assert read["source"] == "20pm.xlsx"
    assert [unit["id"] for unit in read["state"]["units"]] == ["j-sq-1", "m-ldr-1", "m-sq-1"]


@pytest.mark.parametrize("cell", ["A20000", "XFD1"])
def test_a_sheet_larger_than_any_campaign_is_refused(file: Path, cell: str) -> None:
    with pytest.raises(RefusedError, match="sheet units: larger than"):
        read_state_input(fill(file, **{f"units_{cell}": "x"}))


def test_a_workbook_that_unpacks_too_large_is_refused(file: Path) -> None:
    with ZipFile(file, "a", ZIP_DEFLATED) as archive:
        archive.writestr("xl/media/bomb", bytes(65 * 1024 * 1024))
    with pytest.raises(RefusedError, match="unpacks to more than 64 MB"):
        read_state_input(file)
