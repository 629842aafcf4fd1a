"""FIGURES.md is rewritten by the commands that measure, and keeps what they do not."""

from datetime import date

from brt_cg import __version__
from tests.benchmarks import report
from tests.benchmarks.figures import Clock, Figure
from tests.faults.table import Harm, Problem, Row

TEXT = report.FIGURES.read_text("utf-8")
MET = Figure("an answer stored", 0.5, "ms", 1, "median 0.8 ms")
MISSED = Figure("its first bars", 2, "s", 1, clock=Clock.WALL)


def test_measurements_of_a_version_replace_the_earlier_ones() -> None:
    text = report.with_costs(TEXT, [MET, MISSED], date(2026, 11, 30))
    assert text.startswith(f"# The figures of {__version__}\n\nMeasured on 30 November 2026, ")
    assert "| an answer stored | 0.5 ms | cpu | ≤ 1 | median 0.8 ms |" in text
    assert "| its first bars | 2 s | wall | ≤ 1 **missed** |  |" in text
    assert text.partition("## What faults")[0].count("missed**") == 1
    assert "- its first bars: 2 s (≤ 1)" in text
    assert text.count("| an answer stored") == 1
    assert report.with_costs(text, [MET, MISSED], date(2026, 11, 30)) == text
    assert report.FAULTS in text, "other sections stay"


def test_a_row_of_faults_replaces_its_predecessor_and_lists_findings() -> None:
    row = Row("send", 5, {"1": [Problem(Harm.LOST, "an entry")]})
    text = report.with_faults(TEXT, [row, Row("comets", 2)])
    assert "| send | 5 | 4 | 1 | 0 | 0 |" in text
    assert text.count("| send |") == 1
    assert "| comets | 2 | 2 | 0 | 0 | 0 |" in text


def test_the_code_is_counted_in_statements_lines_and_modules() -> None:
    sizes = {name: rest for name, *rest in report.measured_house()}
    assert sizes["`brt_cg/`"][0] > sizes["… of it `tui/`"][0] > 10_000
    text = report.with_house(TEXT, [("`brt_cg/`", 53_000, 79_000, 475)])
    assert "| `brt_cg/` | 53,000 | 79,000 | 475 |" in text
