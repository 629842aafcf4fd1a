"""What everything costs, in one table: `python -m tests.benchmarks [--quick] [NAME…]`.

Each figure stands beside its goal and, where there is one, its yardstick from the same run. Not a
test: a figure depends on the machine, and on what else it does.
"""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks import (
    documents,
    files,
    imports,
    mails,
    processes,
    report,
    rules,
    screen,
    seats,
    server,
)
from tests.benchmarks.figures import Benchmark, Size

BENCHMARKS: dict[str, Benchmark] = {
    "phase": rules.phase_in_memory,
    "forecast": rules.phases_unrecorded,
    "cores": rules.forecast_on_two_cores,
    "answer": files.answer_stored,
    "refit": processes.refit_whole,
    "buying": files.buying,
    "audit": files.audit_of_a_campaign,
    "opening": files.opening,
    "mail": mails.mailing,
    "commands": processes.commands_cold,
    "exports": documents.exports,
    "import": imports.files,
    "server": server.on_a_server,
    "seats": seats.many,
    "link": seats.by_a_slow_link,
    "dashboard": processes.dashboard,
    "go": screen.all_at_once,
    "keys": screen.keys,
    "map": screen.on_the_map,
    "rooms": screen.rooms,
    "enter": screen.entered,
    "memory": screen.memory,
    "journal": screen.journal,
}

# What is stored there is stored as it is for a player.
DISK = ("answer", "refit", "commands", "exports", "go", "enter")
MEMORY = next((path for path in ("/dev/shm",) if Path(path).is_dir()), None)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("name", nargs="*", choices=[[], *BENCHMARKS], help=", ".join(BENCHMARKS))
    parser.add_argument("--quick", action="store_true", help="a small share of each")
    parser.add_argument(
        "--write", action="store_true", help="and rewrite FIGURES.md; about an hour"
    )
    asked = parser.parse_args()
    if asked.write and (asked.name or asked.quick):
        parser.error("--write needs every figure, and the whole of each")
    found = []
    for name in asked.name or BENCHMARKS:
        with TemporaryDirectory(dir=None if name in DISK else MEMORY) as folder:
            for figure in BENCHMARKS[name](Size(asked.quick), Path(folder)):
                print(figure.line(), flush=True)
                found.append(figure)
    if asked.write:
        text = report.with_costs(report.FIGURES.read_text("utf-8"), found, report.today())
        text = report.with_house(text, report.measured_house())
        report.FIGURES.write_text(text, "utf-8")
    missed = sum(not figure.met for figure in found)
    print(f"{missed} of the goals are missed" if missed else "every goal is met")
    return 0


if __name__ == "__main__":
    sys.exit(main())
