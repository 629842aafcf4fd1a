"""Marked rows: marked and unmarked together, else the selected one counts."""

from brt_cg.tui.lists.marking import Marked


def test_rows_that_are_all_marked_are_unmarked_together() -> None:
    marked = Marked()
    marked.turn(["a", "b"])
    marked.turn(["b", "c"])
    assert marked.ids == {"a", "b", "c"}
    marked.turn(["a", "b"])
    assert marked.ids == {"c"}
    assert (marked.sign("c"), marked.sign("a")) == ("■", "")
    assert marked.count_text == ", 1 marked"


def test_without_marks_the_selected_row_is_chosen() -> None:
    marked = Marked()
    assert marked.chosen("x") == ("x",)
    assert marked.chosen(None) == ()
    marked.turn(["b", "a"])
    assert marked.chosen("x") == ("a", "b")
    marked.clear()
    assert not marked
    assert marked.count_text == ""
