"""`forecast` at the command line."""

from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from brt_cg.cli import forecast
from brt_cg.forecast.parallel_runs import play_and_count_runs
from tests.cli.shell import Shell, answers, written


def test_a_forecast_is_printed_in_words(brt: Shell, file: Path) -> None:
    before = file.read_bytes()
    got = brt("forecast", file, "--runs", "40", "--seed", "1")
    assert got.code == 0
    assert "20 AM · 40 Refit Phases · seed 1 · Umpire's view" in got.out
    assert "9-1 no. 1" in got.out
    assert "no longer wounded" in got.out
    assert "squad-equivalents" in got.out
    assert file.read_bytes() == before


def test_a_forecast_is_printed_as_json(brt: Shell, file: Path) -> None:
    found = brt("forecast", file, "--runs", "40", "--seed", "1", "--json").json
    assert (found["format"], found["version"], found["runs"]) == ("brt-cg/forecast", 1, 40)
    assert sum(found["counters"]["m-ldr-1"].values()) == pytest.approx(1)
    assert set(found["sides"]["marine"]["cvp"]) == {"mean", "p10", "p90"}
    assert set(found["sides"]["japanese"]) == {"cvp", "san", "squad_equivalents"}


def test_the_same_seed_gives_the_same_forecast(brt: Shell, file: Path) -> None:
    words = ("forecast", file, "--runs", "12", "--json", "--seed")
    assert brt(*words, "1").out == brt(*words, "1").out != brt(*words, "2").out


def test_a_sides_forecast_leaves_the_enemys_secrets_out(brt: Shell, file: Path) -> None:
    got = brt("forecast", file, "--runs", "12", "--side", "marine")
    assert "The Marine player's view" in got.out
    assert "j-sq-2" not in got.out


def test_two_sets_of_choices_are_shown_side_by_side(brt: Shell, file: Path, tmp_path: Path) -> None:
    low = written(tmp_path / "low.json", answers(choices={"15.6122": {"marine": 2}}))
    high = written(tmp_path / "high.json", answers(choices={"15.6122": {"marine": 6}}))
    words = ("forecast", file, "--runs", "12", "--seed", "1", "--choices", low, "--choices", high)
    got = brt(*words)
    assert got.code == 0
    assert "=== low.json" in got.out
    assert "Marine SAN: 2 → 6" in got.out
    assert brt(*words, "--json").json["differences"] == [
        {"about": "marine", "what": "san", "first": 2.0, "second": 6.0}
    ]
    assert brt(*words, "--choices", low).code == 2


def test_an_impossible_forecast_is_refused(brt: Shell, file: Path, tmp_path: Path) -> None:
    assert brt("forecast", file, "--runs", "0").code == 2
    wrong = written(tmp_path / "wrong.json", answers(choices={"15.6122": {"m-sq-77": 2}}))
    got = brt("forecast", file, "--choices", wrong)
    assert (got.code, "unknown subject" in got.err) == (2, True)
    brt("refit", file, "--auto", "--seed", "1")
    got = brt("forecast", file)
    assert got.code == 2
    assert "forecast is not possible during the scenario" in got.err


def test_a_choice_for_a_hidden_counter_is_refused_as_unknown(
    brt: Shell, file: Path, tmp_path: Path
) -> None:
    told = []
    for id in ("j-sq-2", "j-sq-99"):
        path = written(tmp_path / "c.json", answers(choices={"15.602": {id: "reveal"}}))
        got = brt("forecast", file, "--side", "marine", "--choices", path)
        told.append((got.code, got.err.replace(id, "ID")))
    assert told[0] == told[1]
    assert told[0][0] == 2


def test_a_choice_that_no_run_reached_is_reported(brt: Shell, file: Path, tmp_path: Path) -> None:
    path = written(tmp_path / "c.json", answers(choices={"15.6122": {"marine": 99}}))
    got = brt("forecast", file, "--runs", "3", "--choices", path)
    assert got.code == 0
    assert "15.6122 marine" in got.err


def test_ctrl_c_stops_a_forecast_and_shows_the_results_so_far(
    brt: Shell, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, counted = play_and_count_runs, [1]

    def broken_off(*args: Any) -> Any:
        yield from islice(whole(*args), counted.pop() if counted else 0)
        raise KeyboardInterrupt

    monkeypatch.setattr(forecast, "play_and_count_runs", broken_off)
    got = brt("forecast", file, "--runs", "40", "--seed", "1")
    assert got.code == 0
    assert "stopped: 12 of 40 played" in got.err
    assert "12 Refit Phases" in got.out
    before_the_first = brt("forecast", file, "--runs", "30", "--seed", "1")
    assert (before_the_first.code, before_the_first.out) == (3, "")
    assert "stopped" in before_the_first.err
