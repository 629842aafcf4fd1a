"""A state as a file: JSON, or a folder of CSV files."""

import csv
import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brt_cg.commands.state_document import FACT_FIELDS, FIELDS
from brt_cg.exports import export_document, save_document
from brt_cg.imports.state_file import (
    FileFormat,
    errors_with_cell_names,
    read_state_document,
    read_state_input,
)
from brt_cg.imports.text_files import read_json_file, read_text_file
from brt_cg.model import Side, Unit, UnitKind
from brt_cg.model.campaign import Campaign
from brt_cg.questions import RefusedError
from brt_cg.text import join_quoting_if_needed, split_at_spaces_and_commas
from brt_cg.views.view import create_view
from tests.commands.campaigns import DEMO, carry, demo, marine_squad, new, problems
from tests.exports.journals import begun
from tests.strategies import matching


def in_csv(folder: Path, state: dict[str, Any]) -> Path:
    """Writes a state as a folder of CSV files."""
    write(folder, "scenario", [*state["scenario"]], [[*state["scenario"].values()]])
    write(folder, "facts", [*FACT_FIELDS], [[state["facts"][name] for name in FACT_FIELDS]])
    sides = [{"side": side} | fields for side, fields in state["sides"].items()]
    write_records(folder, "sides", ("side", "san", "elr", "cvp"), sides)
    numbered = enumerate(state["perimeters"], 1)
    rows = [{"perimeter": number, "hexes": hexes} for number, hexes in numbered]
    write_records(folder, "perimeters", ("perimeter", "hexes"), rows)
    for name, fields in FIELDS.items():
        write_records(folder, name, tuple(fields), state[name])
    return folder


def write_records(
    folder: Path, name: str, columns: tuple[str, ...], records: list[dict[str, Any]]
) -> None:
    write(folder, name, [*columns], [[one.get(key) for key in columns] for one in records])


def write(folder: Path, name: str, header: list[str], rows: list[list[Any]]) -> None:
    with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows([[cell(one) for one in row] for row in rows])


def cell(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(value)
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def text(folder: Path, name: str, written: str) -> Path:
    (folder / f"{name}.csv").write_text(written, encoding="utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a scenario and both sides, and nothing else."""
    text(tmp_path, "scenario", "date,winner\n20 AM,marine\n")
    return text(tmp_path, "sides", "side,san,elr,cvp\nmarine,4,5,0\njapanese,5,4,0\n")


def taken_in(path: Path) -> Campaign:
    campaign = new()
    carry(campaign, "import", **read_state_input(path))
    return campaign


# --- JSON ---------------------------------------------------------------------------------------


def test_a_json_file_is_its_document() -> None:
    assert read_state_input(DEMO / "state.json") == {"state": demo(), "source": "state.json"}


@pytest.mark.parametrize(
    ("written", "line"),
    [
        ("{", "state.json: not JSON: Expecting property name enclosed in double quotes (line 1,"),
        ('{"a": 1,\n "b": 2 "c"}', "state.json: not JSON: Expecting ',' delimiter (line 2, column"),
        (
            '{"a": 1, "a": 2}',
            "state.json: not usable JSON: a given twice in one object; enter it once",
        ),
        ('"\\ud800"', "state.json: some text contains only half of a character (a lone surrogate)"),
        (
            '{"a": [{"b": "\\ud800"}]}',
            "state.json: a[0].b: some text contains only half of a character (a lone surrogate)",
        ),
        (
            '{"\\ud800": 1}',
            "state.json: '\\ud800': some text contains only half of a character (a lone surrogate)",
        ),
        ("[" * 200_000, "state.json: not usable JSON: nested too deeply"),
        ("[" * 900 + "]" * 900, "state.json: not usable JSON: nested too deeply"),
        ("9" * 5000, "state.json: not usable JSON: "),
    ],
)
def test_a_file_that_is_not_json_is_refused(tmp_path: Path, written: str, line: str) -> None:
    path = tmp_path / "state.json"
    path.write_text(written, encoding="utf-8")
    assert problems(lambda: read_json_file(path))[0].startswith(str(tmp_path / line))


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    missing, binary = tmp_path / "none.json", tmp_path / "picture.json"
    binary.write_bytes(b"\xff\xfe\x00")
    assert problems(lambda: read_state_input(missing)) == [f"{missing}: there is no such file"]
    assert problems(lambda: read_state_input(binary)) == [
        f"{binary}: not a text file in UTF-8. Save it as UTF-8."
    ]


def test_a_byte_order_mark_is_accepted(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_text('{"version": 1}', encoding="utf-8-sig")
    assert read_state_input(path)["state"] == {"version": 1}


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_utf_16_file_of_windows_is_read_by_its_byte_order_mark(
    tmp_path: Path, encoding: str
) -> None:
    path = tmp_path / "state.json"
    path.write_text('\ufeff{"name": "Müller ½"}', encoding=encoding)
    assert read_json_file(path) == {"name": "Müller ½"}


def test_a_table_in_an_old_windows_encoding_is_refused_with_advice(
    tmp_path: Path,
) -> None:
    path = tmp_path / "units.CSV"
    path.write_bytes("name\nMüller\n".encode("cp1252"))
    assert problems(lambda: read_text_file(path)) == [
        f"{path}: not a text file in UTF-8. In Excel, save as CSV UTF-8."
    ]


# --- CSV ----------------------------------------------------------------------------------------


@given(st.lists(st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "))))
def test_texts_with_gaps_and_quotes_come_back_from_a_cell(texts: list[str]) -> None:
    entries = [text.strip() for text in texts if text.strip()]
    assert split_at_spaces_and_commas(join_quoting_if_needed(entries)) == entries
    assert split_at_spaces_and_commas(join_quoting_if_needed(entries, ",")) == entries


@pytest.mark.parametrize("format", ["csv", "xlsx"])
def test_depleted_ammo_of_two_words_is_one_ammo_in_a_table_too(format: str, tmp_path: Path) -> None:
    gun = {"id": "g", "side": "marine", "kind": "gun", "type": "75 ART", "location": "N20"}
    journal = begun(weapons=[gun | {"depleted": ["A", "White Phosphorus", '5" S,WP']}])
    path = tmp_path / ("state" if format == "csv" else "state.xlsx")
    save_document(export_document(create_view(journal), "state", format), path, private=False)
    (weapon,) = read_state_input(path)["state"]["weapons"]
    assert weapon["depleted"] == ['5" S,WP', "A", "White Phosphorus"]


def test_a_folder_of_csv_files_makes_the_same_campaign(tmp_path: Path) -> None:
    json_file = tmp_path / "state.json"
    json_file.write_text(json.dumps(demo()), encoding="utf-8")
    folder = tmp_path / "state"
    folder.mkdir()
    assert taken_in(in_csv(folder, demo())).tables == taken_in(json_file).tables


counters = st.lists(
    st.fixed_dictionaries(
        {
            "id": matching(r"m-[0-9]{1,3}"),
            "location": st.just("N21:1"),
        },
        optional={
            "name": matching(r"[A-Za-z,;\"' é]{0,8}[a-z]").map(str.strip),
            "status": st.lists(st.sampled_from(["broken", "cx", "wounded"]), unique=True),
            "isolated": st.booleans(),
        },
    ),
    unique_by=lambda one: str(one["id"]),
)


@given(counters)
def test_cells_are_read_as_they_were_written(found: list[dict[str, Any]]) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_records(folder, "units", ("id", "location", "name", "status", "isolated"), found)
        said = [{key: one for key, one in unit.items() if one not in ([], None)} for unit in found]
        assert read_state_input(folder)["state"].get("units", []) == said


def test_facts_may_be_given_next_to_the_scenario(folder: Path) -> None:
    text(folder, "scenario", "date,massacre,pillbox_vp\n20 AM,true,4\n")
    assert read_state_input(folder)["state"]["scenario"] == {"date": "20 AM"}
    assert read_state_input(folder)["state"]["facts"] == {"massacre": True, "pillbox_vp": 4}


def test_a_perimeter_may_take_several_rows(folder: Path) -> None:
    text(folder, "perimeters", "perimeter,hexes\nA,N18-N20 M18\nB,R22\nA,M19\n")
    assert read_state_input(folder)["state"]["perimeters"] == [["N18-N20", "M18", "M19"], ["R22"]]


def test_an_empty_cell_leaves_its_field_out(folder: Path) -> None:
    text(folder, "units", "id,side,kind,type,location,name,status\nm1,marine,squad,7-6-8,N21,,\n")
    assert read_state_input(folder)["state"]["units"] == [marine_squad(id="m1")]


def test_an_exported_counter_not_set_up_has_no_location(folder: Path) -> None:
    header = "id,side,type,location,fate\n"
    text(folder, "fortifications", f"{header}f1,japanese,trench,,in_play\n")
    (fortification,) = taken_in(folder).fortifications.values()
    assert (fortification.location, fortification.in_play) == (None, True)
    text(folder, "fortifications", "id,side,type,location\nf1,japanese,trench,\n")
    (problem,) = problems(lambda: taken_in(folder))
    assert "fortifications.csv, row 2, column location: missing" in problem


def test_semicolons_of_other_countries_spreadsheets_are_read(folder: Path) -> None:
    written = "\ufeffid;side;kind;type;location\r\nm1;marine;squad;7-6-8;N21\r\n;;;;\r\n"
    text(folder, "units", written)
    assert read_state_input(folder)["state"]["units"] == [marine_squad(id="m1")]


def test_an_id_given_twice_is_reported_with_both_rows(folder: Path) -> None:
    hero = "marine,hero,1-4-9,N19\n"
    text(folder, "units", f"id,side,kind,type,location\nm1,{hero}m2,{hero}m1,{hero}")
    here = f"{folder.name}/units.csv, row"
    assert problems(lambda: taken_in(folder)) == [
        f"{here} 4, column id: m1 is also the id of {here} 2; use each id once"
    ]


def test_an_invalid_cell_is_reported_with_file_row_and_column(folder: Path) -> None:
    text(
        folder,
        "units",
        "id,side,kind,type,location\nm1,marine,squad,7-6-8,N21\nm2,us,squad,7-6-8,ZZ9\n",
    )
    text(folder, "sides", "side,san,elr,cvp\nmarine,many,5,0\njapanese,5,4,0\n")
    text(folder, "perimeters", "perimeter,hexes\n1,N18 Z99\n")
    here = f"{folder.name}/"
    assert problems(lambda: taken_in(folder)) == [
        f'{here}sides.csv, row of marine, column san: "many" is not accepted; '
        "enter a whole number from 0 to 7",
        f"{here}perimeters.csv, perimeter 1, column hexes: Z99 is not a hex of Betio (A1–Z63)",
        f'{here}units.csv, row 3, column side: "us" is not accepted; enter marine, japanese',
        f"{here}units.csv, row 3, column location: ZZ9 is not a hex of Betio (A1–Z63)",
    ]


def test_a_table_named_in_capitals_is_read(folder: Path) -> None:
    text(folder, "scenario", "date\n20 AM\n")
    (folder / "units.CSV").write_text("id,side,kind\nm1,marine,hero\n")
    assert [unit["id"] for unit in read_state_input(folder)["state"]["units"]] == ["m1"]
    (folder / "Weapons.csv").write_text("id,side\nw1,marine\n")
    assert [weapon["id"] for weapon in read_state_input(folder)["state"]["weapons"]] == ["w1"]


def test_a_file_that_is_no_table_of_a_state_is_reported_immediately(folder: Path) -> None:
    text(folder, "fortification", "id\n")
    text(folder, "units", "id,locaton\nm1,N21\n")
    text(folder, "weapons", "id,id\nw1,w2\n")
    text(folder, "vehicles", "id,side\nv1,marine,extra\n\nv2,marine\n")
    text(folder, "terrain", "")
    text(folder, "scenario", "date\n20 AM\n20 PM\n")
    text(folder, "sides", "side,san\nmarine,4\nmarine,5\nus,1\n")
    text(folder, "perimeters", "perimeter,hexes\n1,\n")
    here = f"{folder.name}/"
    told = problems(lambda: read_state_input(folder))
    lines = [re.split(r"; (?:enter|use|name)| name the|; allowed", line)[0] for line in told]
    assert lines == [
        f"{here}fortification.csv: unknown file; did you mean fortifications?",
        f"{here}scenario.csv, row 3: remove this row: only one is allowed",
        f'{here}sides.csv, row 3, column side: "marine" is not accepted',
        f'{here}sides.csv, row 4, column side: "us" is not accepted',
        f"{here}perimeters.csv, row 2, column hexes: missing",
        f'{here}units.csv, row 1: unknown column "locaton"; did you mean location?',
        f"{here}weapons.csv, column id: given twice",
        f"{here}terrain.csv, row 1: no header",
    ]


def test_capitals_and_spaces_in_a_table_are_accepted(folder: Path) -> None:
    text(folder, "units", "ID,Side,Kind,Type,Setup Area\nm1,Marine,Squad,6-6-8,M1\n")
    text(
        folder,
        "weapons",
        "Id,SIDE,kind,type,Location,Status\nw1,marine,SW,HMG,n 18,Malfunctioned\n",
    )
    text(folder, "fortifications", "id,side,type,location\nf1,Japanese,tunnel,k40:pb-1\n")
    text(folder, "sides", "Side,SAN,ELR\nMarine,4,5\n")
    found = read_state_input(folder)["state"]
    [unit], [weapon], [fort] = (found[name] for name in ("units", "weapons", "fortifications"))
    assert (unit["side"], unit["kind"], unit["setup_area"]) == ("marine", "squad", "M1")
    assert (weapon["kind"], weapon["location"]) == ("sw", "N18")
    assert weapon["status"] == ["malfunctioned"]
    assert fort["location"] == "K40:pb-1", "an id keeps its letters"
    assert found["sides"]["marine"]["san"] == 4


# --- what players leave around their tables -------------------------------------------------------

STRAY = """sep=;
Our units at the end;;;;;

id;side;kind;type;location;name;Notes
m-sq-1;marine;squad;6-6-8;N18;;first wave
;;;;;;

m-sq-2;marine;squad;6-6-8;N19;;;beside it
Total;;2;;;;
"""


def test_stray_cells_are_ignored_with_one_notice_that_lists_them(folder: Path) -> None:
    text(folder, "units", STRAY)
    (folder / "._units.csv").write_bytes(b"\0\5\x16\7 Mac OS X")
    text(folder, "casualties by turn", "turn,lost\n1,3\n")
    document, [notice] = read_state_document(folder, FileFormat.CSV)
    assert [unit["id"] for unit in document["state"]["units"]] == ["m-sq-1", "m-sq-2"]
    here = f"{folder.name}/"
    assert notice == (
        f"ignored, because they are not part of the tables: {here}._units.csv, {here}casualties "
        f"by turn.csv, "
        f"{here}units.csv, row 2 (Our units at the end), {here}units.csv, row 4 (column Notes), "
        f"{here}units.csv, row 6 (blank), {here}units.csv, row 7 (blank), "
        f"{here}units.csv, row 8 (beside the table: beside it), {here}units.csv, row 9 (Total 2)"
    )


def test_a_problem_below_stray_rows_is_named_by_its_true_row(folder: Path) -> None:
    text(folder, "units", STRAY.replace("N19", "ZZ9"))
    with pytest.raises(RefusedError) as refused, errors_with_cell_names(folder):
        taken_in(folder)
    assert str(refused.value).startswith(f"{folder.name}/units.csv, row 8, column location: ZZ9")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_a_table_in_any_encoding_of_a_spreadsheet_is_read(folder: Path, encoding: str) -> None:
    written = "id,side,kind,type,location,name\nm1,marine,leader,9-1,N21,Müller\n"
    (folder / "units.csv").write_bytes(written.encode(encoding))
    document, notices = read_state_document(folder, FileFormat.CSV)
    assert document["state"]["units"][0]["name"] == "Müller"
    assert bool(notices) is (encoding == "cp1252")


@pytest.mark.parametrize("word", ["WAHR", "VRAI", "TRUE", "x", "verdadero"])
def test_flags_and_numbers_are_read_in_spreadsheet_form(folder: Path, word: str) -> None:
    header = "id,side,type,location,armored,abandoned,best_af".replace(",abandoned", "")
    text(folder, "vehicles", f"{header}\nv1,marine,M4A2,N21,{word},8.0\n")
    text(folder, "sides", 'side,san,elr,cvp\nmarine,4.0,5,140.0\njapanese,5,"4,0",0\n')
    state = read_state_input(folder)["state"]
    assert (state["vehicles"][0]["armored"], state["vehicles"][0]["best_af"]) == (True, 8)
    assert state["sides"]["marine"] == {"san": 4, "elr": 5, "cvp": 140}
    assert state["sides"]["japanese"]["elr"] == 4


@pytest.mark.parametrize("word", ["KIA", "kia", "K.I.A.", "Dead", "destroyed", "eliminated"])
def test_a_loss_is_entered_by_the_word_that_players_write(folder: Path, word: str) -> None:
    text(folder, "units", f"id,side,kind,type,location,fate\nm1,marine,squad,6-6-8,,{word}\n")
    assert read_state_input(folder)["state"]["units"][0]["fate"] == "eliminated"


def test_counters_copied_from_paper_into_a_new_campaign_need_no_ids(folder: Path) -> None:
    """Each of them was refused: "id: missing; it is required"."""
    squads = "m-sq-1,Marine,squad,6-6-8,N19\n,Marine,squad,6-6-8,N20\n,Marine,leader,9-1,N19\n"
    text(folder, "units", f"id,side,kind,type,location\n{squads}")
    text(folder, "fortifications", "side,type,location\nJapanese,Pillbox 1+3+5,Q23\n")
    state = read_state_document(folder, FileFormat.CSV, new())[0]["state"]
    assert [row["id"] for row in state["units"]] == ["m-sq-1", "m-sq-2", "m-ldr-1"]
    [pillbox] = state["fortifications"]
    assert (pillbox["id"], pillbox["type"]) == ("j-pillbox135-1", "pillbox_1_3_5")


def test_a_counter_without_an_id_is_refused_once_the_campaign_has_counters(folder: Path) -> None:
    """It may be one that the campaign has, and would be there twice."""
    campaign = new()
    campaign.add(Unit(id="m1", side=Side.MARINE, kind=UnitKind.SQUAD, type="6-6-8", location="N21"))
    text(folder, "units", "id,side,kind,type,location\n,marine,squad,6-6-8,N21\n")
    state = read_state_document(folder, FileFormat.CSV, campaign)[0]["state"]
    assert "id" not in state["units"][0]


@pytest.mark.parametrize("excel", ["6/6/2008", "06.06.2008", "2008-06-06", "6-Jun", "Jun-08", ""])
def test_the_roster_restores_a_known_type_that_excel_made_a_date(folder: Path, excel: str) -> None:
    campaign = new()
    squad = Unit(id="m1", side=Side.MARINE, kind=UnitKind.SQUAD, type="6-6-8", location="N21")
    campaign.add(squad)
    text(folder, "units", f"id,side,kind,type,location\nm1,marine,squad,{excel},N22\n")
    document, notices = read_state_document(folder, FileFormat.CSV, campaign)
    assert document["state"]["units"][0]["type"] == squad.type
    where = f"{folder.name}/units.csv, row 2, column type"
    assert notices == ([f"types taken from the roster: 6-6-8 ({where}: {excel})"] if excel else [])


def test_a_date_as_the_type_of_an_unknown_counter_is_refused(folder: Path) -> None:
    text(folder, "units", "id,side,kind,type,location\nm9,marine,squad,6/6/2008,N22\n")
    (problem,) = problems(lambda: taken_in(folder))
    assert "row 2, column type: there is no Marine squad 6/6/2008" in problem


def test_a_file_that_is_not_csv_is_refused(folder: Path) -> None:
    text(folder, "units", f"id,side,kind,type,location\nm1,marine,squad,{'7' * 200_000},N21\n")
    (problem,) = problems(lambda: read_state_input(folder))
    assert problem.startswith(f"{folder.name}/units.csv: not CSV: field larger than")


def test_the_current_folder_can_be_imported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    text(folder, "units", "id,side,kind,type,location\nm1,us,squad,7-6-8,N21\n")
    (problem,) = problems(lambda: taken_in(Path()))
    assert problem.startswith("./units.csv, row 2, column side: ")


def test_facts_may_be_given_only_once(folder: Path) -> None:
    text(folder, "scenario", "date,pillbox_vp\n20 AM,4\n")
    text(folder, "facts", "pillbox_vp\n5\n")
    assert problems(lambda: read_state_input(folder)) == [
        f"{folder.name}/facts.csv, column pillbox_vp: the scenario table has a different "
        "value; enter it once"
    ]


def test_a_folder_must_be_given_instead_of_one_of_its_files(folder: Path) -> None:
    path = folder / "units.csv"
    path.write_text("id,side\n", "utf-8")
    assert problems(lambda: read_state_input(path)) == [
        f"{path}: a state in CSV is a folder; enter the folder, {folder}"
    ]
