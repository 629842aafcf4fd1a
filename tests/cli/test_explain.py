"""Why? on the command line: any number, name, place, ruling, paragraph or entry."""

from pathlib import Path

from tests.cli.shell import Shell


def test_each_explanation_line_names_its_further_subject(brt: Shell, file: Path) -> None:
    brt("refit", file, "--auto", "--seed", "7")
    assert brt("explain", file, "cvp").out.splitlines()[:2] == [
        "CVP",
        "Marine CVP 10  → marine.cvp",
    ]
    led_on = brt("explain", file, "marine.cvp").out.splitlines()
    assert led_on[2] == "2 · Scenario end · CVP 0 → 9  → entry 2"
    assert led_on[3] == "    9 CVP for carried over"
    assert brt("explain", file, "entry", "2").out.startswith("2 · Scenario end")


def test_any_subject_is_explained_and_none_lists_the_subjects(brt: Shell, file: Path) -> None:
    told = brt("explain", file)
    assert told.out.startswith("What do you want to know?")
    for subject in ("R-SAN", "15.6112", "m-sq-1", "M1", "N19", "2", "san", "elr", "vp"):
        assert brt("explain", file, subject).code == 0, subject


def test_an_unknown_subject_is_refused_with_the_known_ones(brt: Shell, file: Path) -> None:
    told = brt("explain", file, "zebra", "crossing")
    assert told.code == 2
    assert "enter a counter's id or name" in told.err
