"""The projection: records and rolls as exact values of cells."""

from brt_cg.model.counters import Side, Unit, UnitClass, UnitKind
from brt_cg.model.records import Situation
from brt_cg.storage.projection import Row, cell_value, record_row, roll_row, roll_rows, table_rows
from tests.reading import raw_tables
from tests.storage.pen import Pen


def test_a_unit_is_a_row_with_the_field_names_of_files() -> None:
    squad = Unit(
        id="j1",
        side=Side.JAPANESE,
        kind=UnitKind.SQUAD,
        type="4-4-8",
        class_=UnitClass.ELITE,
        isolated=True,
    )
    squad.add_status("pinned", "broken")
    row = record_row(squad)
    assert (row["class"], row["isolated"], row["status"]) == ("elite", 1, '["broken","pinned"]')
    assert (row["location"], row["traits"]) == (None, "[]")
    assert {type(value) for value in row.values()} == {str, int, type(None)}


def test_perimeters_are_lists_of_lists() -> None:
    situation = Situation(id="campaign", cg="I", date="20 AM", perimeters=(("N18", "N19"), ("P4",)))
    assert record_row(situation)["perimeters"] == '[["N18","N19"],["P4"]]'
    assert record_row(situation)["banzai"] is None


def test_a_roll_is_a_row(pen: Pen) -> None:
    assert roll_row(pen.entries[2]) == {
        "seq": 3,
        "date": "20 AM",
        "rule": "15.6112",
        "subject": "m-ldr-1",
        "position": 0,
        "dice": "4",
        "modifiers": '[[-1,"heroic"]]',
        "original": 4,
        "final": 3,
        "row": "still_wounded",
    }


def test_two_dice_are_stored_as_colored_then_white(pen: Pen) -> None:
    entry = pen.entries[2]
    entry.payload["roll"]["dice"] = [3, 4]
    row = roll_row(entry)
    assert row is not None
    assert row["dice"] == "3,4"


def test_an_entry_without_a_roll_has_no_row(pen: Pen) -> None:
    assert roll_row(pen.entries[0]) is None
    assert [*roll_rows(pen.entries).values] == ["3", "4"]


def test_every_cell_of_a_file_matches_the_projection(pen: Pen) -> None:
    raw = raw_tables(pen.place)
    expected = table_rows(pen.campaign)
    assert all(rows.values for rows in expected.values()), "every kind of record is on the table"
    expected["die_rolls"] = roll_rows([pen.entries[2]])
    assert raw.keys() == expected.keys()
    for name, rows in expected.items():
        # A later revision adds its columns at the end.
        held = [dict(zip(raw[name].columns, row, strict=True)) for row in raw[name].rows]
        due = [
            dict(zip(rows.columns, map(cell_value, row), strict=True))
            for row in rows.values.values()
        ]
        assert sorted(map(_by_name, held)) == sorted(map(_by_name, due))


def _by_name(row: Row) -> str:
    return repr(sorted(row.items()))
