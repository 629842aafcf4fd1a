"""The table of faults is made, a row for each kind of try, and a try is repeated by its seed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.__main__ import main, suites
from tests.faults.campaign import FAULTS
from tests.faults.table import HEAD, Harm, Problem, Row, tried

ELSEWHERE = (*FAULTS, "power-cut", "two-writers")  # tested more thoroughly beside this
ROWS = [name for name in suites(Path()) if name not in ELSEWHERE]


@pytest.mark.parametrize("name", ROWS)
def test_every_injected_fault_is_survived(name: str, tmp_path: Path) -> None:
    row = tried(name, suites(tmp_path)[name](), full=False, most=4)
    assert row.found == {}
    assert row.tried >= 2


class Odd:
    """Tries of which each other fails."""

    def seeds(self, full: bool) -> list[str]:
        return [*"1234"] if full else ["1"]

    def problems(self, seed: str) -> Iterator[Problem]:
        if int(seed) % 2:
            yield Problem(Harm.LEAKED, seed)


def test_a_row_counts_failures_by_harm() -> None:
    row = tried("odd", Odd(), full=True)
    assert row.line().split()[:6] == ["odd", "4", "2", "0", "0", "2"]
    assert len(HEAD) == len(Row("odd").line()) - len("       0 s")


def test_a_seed_repeats_one_trial() -> None:
    assert tried("odd", Odd(), full=True, only="3").found == {"3": [Problem(Harm.LEAKED, "3")]}
    assert tried("odd", Odd(), full=True, only="2").found == {}


def test_the_command_prints_the_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["faults", "--most", "2", "labels", "schema"])
    assert main() == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head == HEAD
    assert [row.split()[0] for row in rows] == ["labels", "schema"]
