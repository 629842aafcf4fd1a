"""Counts what faults, forgers and strange files do:
`python -m tests.faults [--full] [--most N] [--seed SEED] [ROW…]`.

Each row of the table is a kind of try: how many there were, how many held, and in how many
something that was stored was lost, something untrue was told or passed, or a secret leaked. Below
it stands each problem with the words that try it again.
"""

import argparse
import os
import sys
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from tests.benchmarks import report
from tests.faults import forging
from tests.faults.campaign import FAULTS, Faults, Storage
from tests.faults.power import Cuts
from tests.faults.readers import Readers
from tests.faults.sending import Sends
from tests.faults.spoiling import Spoiled
from tests.faults.table import HEAD, Row, Suite, room, tried
from tests.faults.windows import Windows
from tests.homes import homes

QUICK = 12  # tries of each row, unless all are asked for


def suites(folder: Path) -> Mapping[str, Callable[[], Suite]]:
    """What makes each row, by name; none is made before it is tried."""
    storage = cache(lambda: Storage(room(folder, "storage")))
    forged = cache(lambda: room(folder, "forged"))
    return {
        **{fault: partial(_faults, storage, fault) for fault in FAULTS},
        "power-cut": lambda: Cuts(room(folder, "power"), quick=45, full=1000),
        "send": lambda: Sends(room(folder, "send")),
        "two-writers": lambda: Windows(room(folder, "windows"), quick=40, full=1000),
        "cells": lambda: forging.Cells(forged(), quick=60, full=5000),
        "rows": lambda: forging.Rows(forged(), quick=60, full=1000),
        "schema": lambda: forging.Schema(forged(), quick=60, full=1000),
        "entries": lambda: forging.Entries(forged()),
        "labels": lambda: forging.Labels(forged()),
        "heads": lambda: forging.Heads(forged(), quick=20, full=1000),
        "spoiled": lambda: Spoiled(room(folder, "spoiled"), quick=40, full=500),
        "readers": lambda: Readers(room(folder, "readers"), quick=4, longest=5.0),
    }


def _faults(storage: Callable[[], Storage], fault: str) -> Faults:
    return Faults(storage(), fault)


def rows(names: list[str], full: bool, most: int, seed: str | None) -> list[Row]:
    """Tries what is named, and prints each row when it is done."""
    with TemporaryDirectory() as place, patch.dict(os.environ, homes(Path(place))):
        found = []
        made = suites(Path(place))
        for name in names or made:
            row = tried(name, made[name](), full, seed, most)
            print(row.line(), flush=True)
            found.append(row)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("row", nargs="*")
    parser.add_argument("--full", action="store_true", help="all that there is, for hours")
    parser.add_argument("--most", type=int, default=0, metavar="N", help="tries of each row")
    parser.add_argument("--seed", help="one try of a row again")
    parser.add_argument("--write", action="store_true", help="and rewrite its rows of FIGURES.md")
    asked = parser.parse_args()
    print(HEAD, flush=True)
    most = asked.most or (0 if asked.full else QUICK)
    found = rows(asked.row, asked.full, most, asked.seed)
    if asked.write:
        text = report.with_faults(report.FIGURES.read_text("utf-8"), found)
        report.FIGURES.write_text(text, "utf-8")
    for row in found:
        for seed, problems in row.found.items():
            print(f"\npython -m tests.faults {row.name} --seed '{seed}'")
            for problem in problems:
                print(f"  {problem.harm}: {problem.what}")
    return 1 if any(row.found for row in found) else 0


if __name__ == "__main__":
    sys.exit(main())
