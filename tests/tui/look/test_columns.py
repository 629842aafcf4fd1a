"""Columns: figures end under the end of their headings, and nothing is cut off."""

from textual.content import Content

from brt_cg.tui.look.columns import Column, columns, figures

TABLE = columns(8, *figures(("Sq", "Crew"), (4, 6)))


def test_figures_end_under_their_headings() -> None:
    assert TABLE.headings().plain == "          Sq  Crew"
    assert TABLE.row("M1", "12", "·").plain == "M1        12     ·"


def test_a_text_that_is_too_long_pushes_the_others_on() -> None:
    assert TABLE.row("off the map", "3", "4").plain == "off the map   3     4"


def test_what_follows_the_last_column_is_as_long_as_it_is() -> None:
    row = columns(3).row(("y", "bold"), Content("yes, all of it"))
    assert row.plain == "y  yes, all of it"
    assert [(span.start, span.end, str(span.style)) for span in row.spans] == [(0, 1, "bold")]


def test_wide_signs_count_as_two_cells() -> None:
    assert Column(4).fill("海").cell_length == 4
