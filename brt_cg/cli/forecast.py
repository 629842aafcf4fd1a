"""The `forecast` command, which plays the phase many times and prints the results."""

import argparse
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

from brt_cg.cli.console import (
    DONE,
    open_for_command,
    print_error,
    print_json,
    print_output,
    side_option,
)
from brt_cg.forecast.outcomes import Difference, Forecast, build_forecast, significant_differences
from brt_cg.forecast.parallel_runs import play_and_count_runs, play_runs_until_precise
from brt_cg.forecast.start import start_from_open_campaign
from brt_cg.forecast.wording import difference_text, forecast_lines
from brt_cg.imports.answers_file import read_answers
from brt_cg.imports.text_files import read_json_file
from brt_cg.questions import RefusedError
from brt_cg.service.open_campaign import OpenCampaign


def forecast(options: argparse.Namespace) -> int:
    files: list[Path | None] = options.choices or [None]
    if len(files) > 2:
        raise RefusedError(
            "more than two sets of choices cannot be compared; give --choices once or twice"
        )
    desk = open_for_command(options)
    seed = options.seed or str(secrets.randbelow(10**9))
    found = [_played(desk, options, files[0], seed, options.runs)]
    found += [_played(desk, options, file, seed, found[0].runs) for file in files[1:]]
    different = significant_differences(*found) if len(found) == 2 else None
    if options.json:
        _show_json(found, different)
        return DONE
    book = desk.view()
    for file, played in zip(files, found, strict=True):
        if file is not None:
            print_output(f"=== {file.name}")
        for line in forecast_lines(played, book.campaign, book.card):
            print_output(line)
    if different is not None:
        print_output("=== differences: first → second")
        for line in map(difference_text, different):
            print_output(line)
        if not different:
            print_output("No significant difference.")
    return DONE


def _show_json(found: Sequence[Forecast], different: Sequence[Difference] | None) -> None:
    document = found[0].as_json()
    if different is not None:
        names = ("about", "what", "first", "second")
        document["what_if"] = found[1].as_json()
        document["differences"] = [
            {name: getattr(difference, name) for name in names} for difference in different
        ]
    print_json(document)


def _played(
    desk: OpenCampaign, options: argparse.Namespace, file: Path | None, seed: str, runs: int | None
) -> Forecast:
    """Return the forecast for a file of choices; if the player stops it, return the forecast from
    the phases played so far. Without a number of runs, it ends when each chance is settled."""
    start = start_from_open_campaign(desk, seed, None if file is None else read_json_file(file))
    if file is not None:
        read_answers(file, start.make_campaign())
    counted = None
    try:
        played = (
            play_runs_until_precise(start) if runs is None else play_and_count_runs(start, runs)
        )
        for counted in played:
            _progress(counted.runs, runs)
    except KeyboardInterrupt:
        if counted is None:
            raise
        print_error(f"\nstopped: {counted.runs}{'' if runs is None else f' of {runs}'} played")
    _clear_progress()
    assert counted is not None
    found = build_forecast(start, side_option(options), counted)
    for question in found.unused:
        print_error(f"this choice was never needed, or is not allowed: {question}")
    return found


def _progress(done: int, runs: int | None) -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        of = "" if runs is None else f" of {runs}"
        print(f"\r{done}{of} played; Ctrl+C stops", end="", file=sys.stderr, flush=True)


def _clear_progress() -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
