"""What the log keeps in sight beside the question, and how its lines hang."""

from dataclasses import replace

import pytest

from brt_cg.tui.lists.log import log_content, text_in_words
from brt_cg.views.journal_rows import ShownLine, shorten_undone_runs


def line(seq: int, text: str, rule: str | None) -> ShownLine:
    return ShownLine(seq, rule, "", text)


ROLLED = line(4, "M4A2 m-tk-6 (S23): dr 6: still stunned", "15.6131")


def test_an_undone_phase_does_not_hide_the_current_entries() -> None:
    undone = [
        replace(line(number, f"{number} happened", "15.605"), undone=True)
        for number in range(5, 305)
    ]
    undo = [ShownLine(305, None, "Undo", f"undone: {gone.text}") for gone in undone]
    shown = [*shorten_undone_runs([ROLLED, *undone, *undo])]
    assert [each.text for each in shown if not each.is_undo_report] == [
        ROLLED.text,
        *(gone.text for gone in undone[:12]),
        "and 288 more lines",
    ]
    assert len([each for each in shown if each.is_undo_report]) == 13


def test_redone_entries_are_not_counted_as_undone() -> None:
    back, again = ("undone", "Undo"), ("redone", "Redo")
    lines = [
        ShownLine(seq, None, title, f"{verb}: {number}")
        for seq, (verb, title) in enumerate((back, again), start=9)
        for number in range(14)
    ]
    shown = [*shorten_undone_runs(lines)]
    assert [(line.title, line.text) for line in shown[12:14]] == [
        ("Undo", "and 2 more lines"),
        ("Redo", "redone: 0"),
    ]
    assert shown[-1].title == "Redo"


def test_long_headings_and_lines_have_a_hanging_indent() -> None:
    title, text = "Banzai Night Attack determination", "the Japanese reveal that they attempt none"
    shown = log_content([ShownLine(1, "15.6203", title, text)], 30).plain
    assert shown.splitlines() == [
        "15.6203 Banzai Night Attack",
        "  determination",
        "the Japanese reveal that they",
        "  attempt none",
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("7-0 Beal wades ashore to N19 (ruling R-FRIENDLY-BEACH)", "7-0 Beal wades ashore to N19"),
        ("LMG no. 17 is lost (R-OCEAN-SW: lost)", "LMG no. 17 is lost"),  # an older log
        (
            "Japanese CVP +1 for 7-0 Maddox, now 156 (ruling R-CVP-REFIT, program's reading: so)",
            "Japanese CVP +1 for 7-0 Maddox, now 156 (program's reading: so)",
        ),
        ("dr 4, Final dr 4: ruling R-IMMOBILE-4 decides", "dr 4, Final dr 4: a ruling decides"),
        (
            "R-VP (15.615): Which? those; until now: these",
            "Ruling on 15.615: Which? those; until now: these",
        ),
    ],
)
def test_the_screen_leaves_out_the_codes_of_rulings(text: str, shown: str) -> None:
    assert text_in_words(text) == shown
