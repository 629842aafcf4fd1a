"""The benchmarks run: what they print is no promise, that they print it is."""

import pytest

from tests.benchmarks.__main__ import BENCHMARKS, main


@pytest.mark.parametrize("name", ["answer", "phase"])
def test_a_measurement_is_shown_with_its_goal_and_reference(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["benchmarks", "--quick", name])
    assert main() == 0
    first, *_, last = capsys.readouterr().out.splitlines()
    assert " ms" in first
    assert "≤" in first
    assert "bare sqlite3" in first or "median" in first
    assert "goal" in last


def test_no_goal_is_shown_next_to_an_unrelated_share(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["benchmarks", "--quick", "buying"])
    assert main() == 0
    *figures, last = capsys.readouterr().out.splitlines()
    assert [line for line in figures if "≤" in line or "MISSED" in line] == []
    assert last == "every goal is met"


def test_an_unknown_benchmark_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["benchmarks", "weather"])
    with pytest.raises(SystemExit):
        main()
    assert len(BENCHMARKS) == 23
