"""Columns: figures end under the end of their headings, and nothing is cut off."""

from rich.segment import Segment
from textual.content import Content

from brt_cg.tui.look.columns import (
    Column,
    column_width_for,
    columns,
    right_aligned_columns,
    side_by_side,
)

TABLE = columns(8, *right_aligned_columns(("Sq", "Crew"), (4, 6)))


def test_numbers_are_right_aligned_under_their_headings() -> None:
    assert TABLE.headings().plain == "          Sq  Crew"
    assert TABLE.row("M1", "12", "·").plain == "M1        12     ·"


def test_a_text_too_long_for_its_column_shifts_the_others() -> None:
    assert TABLE.row("off the map", "3", "4").plain == "off the map   3     4"


def test_text_after_the_last_column_keeps_its_length() -> None:
    row = columns(3).row(("y", "bold"), Content("yes, all of it"))
    assert row.plain == "y  yes, all of it"
    assert [(span.start, span.end, str(span.style)) for span in row.spans] == [(0, 1, "bold")]


def test_wide_characters_count_as_two_cells() -> None:
    assert Column(4).pad("海").cell_length == 4


def test_a_line_too_long_to_draw_is_cut_with_a_mark() -> None:
    table = columns(Column(6, "Name"), Column(4, "Place"))
    assert text(table.row_segments(*table.heading_cells)) == "Name  Pl… "
    assert text(table.row_segments([Segment("Hays"), Segment("")], [Segment("N2")])) == "Hays  N2  "
    assert (
        text(table.row_segments([Segment("Haw"), Segment("kins")], [Segment("")])) == "Hawk…     "
    )


def test_columns_are_two_spaces_wider_than_their_longest_text() -> None:
    assert column_width_for(["Hays", "Hawkins"]) == 9


def test_two_blocks_are_side_by_side_if_both_fit() -> None:
    blocks = [[Content("Hays"), Content("gone")], [Content("Crowe")], [Content("a longer line")]]
    told = [line.plain for line in side_by_side([*blocks, blocks[1]], 20)]
    assert told == ["Hays      Crowe", "gone      ", "a longer line", "Crowe"]
    assert [line.plain for line in side_by_side(blocks, 0)] == [
        "Hays",
        "gone",
        "Crowe",
        "a longer line",
    ]


def text(parts: list[Segment]) -> str:
    return "".join(part.text for part in parts)
