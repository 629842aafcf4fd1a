"""Marked rows: marked and unmarked together, else the selected one counts."""

from brt_cg.tui.lists.marks import MarkedRows


def test_rows_that_are_all_marked_are_unmarked_together() -> None:
    marked = MarkedRows()
    marked.mark_or_unmark_all(["a", "b"])
    marked.mark_or_unmark_all(["b", "c"])
    assert marked.ids == {"a", "b", "c"}
    marked.mark_or_unmark_all(["a", "b"])
    assert marked.ids == {"c"}
    assert (marked.sign_before("c"), marked.sign_before("a")) == ("■", "")
    assert marked.count_text == ", 1 marked"


def test_without_marks_the_selected_row_is_chosen() -> None:
    marked = MarkedRows()
    assert marked.marked_or_selected("x") == ("x",)
    assert marked.marked_or_selected(None) == ()
    marked.mark_or_unmark_all(["b", "a"])
    assert marked.marked_or_selected("x") == ("a", "b")
    marked.clear()
    assert not marked
    assert marked.count_text == ""
