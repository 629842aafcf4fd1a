"""Counts what storage faults do: `python -m tests.faults [--most N] [NAME…]`.

A command is killed, or the disk is full, or fails, at each write, sync, truncation and deletion
that SQLite makes for it. Afterwards the campaign stands before or after it, audits clean, says what
happened, and goes on; what does not is lost.
"""

import argparse
import json
import shutil
import sys
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.audit import played
from tests.faults.campaign import Command, Tally, prepared, run_hushed, try_faults
from tests.faults.later import one_revision_further
from tests.settings import count

ANSWERS = ["--auto", "--seed", "5"]
STATE = "state.json"


def commands(folder: Path) -> list[Command]:
    """The commands that are tried."""
    state = folder / STATE
    state.write_text(json.dumps(played.document("20 AM")), "utf-8")
    taken_in = ["import", "FILE", str(state), "--yes"]
    order = ["buy", "FILE", "foxhole_1s", "--side", "japanese", "--beach", "red_one"]
    begun = (taken_in, ["refit", "FILE", *ANSWERS, "--through", "15.6041"], ["refit", "FILE"])
    return [
        Command("new", ["new", "FILE", "--cg", "III"]),
        Command("import", taken_in),
        Command("buy", order),
        Command(
            "edit", ["edit", "FILE", "m-sq-1", "name=Baker", "--reason", "a slip"], (taken_in,)
        ),
        Command("answer", ["answer", "FILE", "stay_hidden"], (taken_in, ["refit", "FILE"])),
        Command("run", ["refit", "FILE", *ANSWERS], begun, by_answer=True),
        Command("undo", ["undo", "FILE"], (order,)),
        Command("redo", ["redo", "FILE"], (order, ["undo", "FILE"])),
        Command("restore", ["restore", "FILE", str(_kept(folder, order))]),
        Command("migration", ["note", "FILE", "seen"], upgrades=True),
    ]


def _kept(folder: Path, order: list[str]) -> Path:
    """A backup that has come further than the campaign."""
    path = folder / "kept.brt"
    if not path.exists():
        shutil.copy(make(folder), path)
        assert run_hushed(order, path) == 0
    return path


def make(folder: Path) -> Path:
    """A new campaign with points to spend."""
    from brt_cg.service.desk import Desk

    path = folder / "start.brt"
    if not path.exists():
        asked = {"cg": "III", "name": None, "allotments": played.ALLOTMENTS}
        Desk.create(path, asked).close()
    return path


def counted(most: int, names: list[str]) -> dict[str, Tally]:
    with TemporaryDirectory() as place:
        folder = Path(place)
        wanted = [each for each in commands(folder) if not names or each.name in names]
        share = max(3, most // len(wanted))
        return {each.name: tried(each, folder, share) for each in wanted}


def tried(command: Command, folder: Path, most: int) -> Tally:
    """Tries faults on a command; the file that it meets is made in `folder`."""
    start = prepared(command, folder, make)
    with one_revision_further(folder) if command.upgrades else nullcontext():
        return try_faults(command, start, most, folder)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("name", nargs="*")
    parser.add_argument("--most", type=int, default=count(200, 10_000))
    asked = parser.parse_args()
    tallies = counted(asked.most, asked.name)
    print(f"{'command':<12}{'tried':>8}{'survived':>10}{'lost':>6}")
    for name, tally in tallies.items():
        print(f"{name:<12}{tally.tried:>8}{tally.tried - _lost(tally):>10}{_lost(tally):>6}")
    for tally in tallies.values():
        for problem in tally.lost:
            print(problem)
    return 1 if any(tally.lost for tally in tallies.values()) else 0


def _lost(tally: Tally) -> int:
    return len({problem.partition(": ")[0] for problem in tally.lost})


if __name__ == "__main__":
    sys.exit(main())
