"""What the log keeps in sight beside the question."""

from brt_cg.exports.entries_told import LogLine
from brt_cg.tui.widgets.log import newest_outcome


def line(seq: int, text: str, rule: str | None) -> LogLine:
    return LogLine(seq, rule, "", text)


ROLLED = line(4, "M4A2 m-tk-6 (S23): dr 6: still stunned", "15.6131")


def test_what_the_dice_came_to_stays_in_sight() -> None:
    assert newest_outcome([ROLLED, line(5, "R26: Isolated", "15.6132")], 3) == ROLLED.text


def test_dice_of_the_phase_before_do_not() -> None:
    assert newest_outcome([ROLLED, line(5, "Marine CVP 131, was 0", None)], 3) == ""
