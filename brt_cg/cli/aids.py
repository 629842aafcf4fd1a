"""What `brt-cg aid` does: the play aids, which need no campaign."""

import argparse
import json
from collections.abc import Sequence
from typing import Any

from brt_cg.asks import Refused
from brt_cg.cli.talk import DONE, show

EXAMPLES = """examples:
  brt-cg aid japanese my reduced 3-4-7 squad takes a 2KIA, what now
  brt-cg aid japanese 4-4-8 fails a 1MC, exceeds ELR
  brt-cg aid japanese --json wounded 9-1 fails MC
"""


def main(words: Sequence[str]) -> int:
    """Runs one aid; returns the exit status. Raises Refused."""
    parser = argparse.ArgumentParser(
        prog="brt-cg aid",
        description="Play aids for the table.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    aids = parser.add_subparsers(dest="aid", required=True, metavar="AID")
    unit = aids.add_parser("japanese", help="what becomes of a Japanese unit (G1.1–G1.4)")
    unit.add_argument("words", nargs="+", metavar="WORDS", help="the unit, and what happens to it")
    unit.add_argument("--json", action="store_true")
    unit.add_argument("--ruling", action="append", default=[], metavar="R-…=VALUE")
    unit.add_argument("--bpv", action="append", default=[], metavar='"elite squad=N"')
    unit.set_defaults(run=_japanese)
    options = parser.parse_args(list(words))
    done: int = options.run(options)
    return done


def _japanese(options: argparse.Namespace) -> int:
    from brt_cg.aids.japanese import read_cases, told
    from brt_cg.aids.outcomes import resolve
    from brt_cg.aids.sources import rulings

    agreed = rulings(options.ruling)
    bpv = _figures(options.bpv)
    cases = read_cases(" ".join(options.words))
    results = [resolve(case, agreed, bpv) for case in cases]
    if options.json:
        _show_json({"unit": str(cases[0]), "results": [one.plain() for one in results]})
        return DONE
    show(str(cases[0]))
    for one in results:
        show(f"  {told(one)}")
    return DONE


def _figures(texts: Sequence[str]) -> dict[str, int]:
    """Figures by name, from "NAME=N" texts. Raises Refused."""
    found = {}
    for text in texts:
        name, _, figure = text.partition("=")
        if not figure.isdecimal():
            raise Refused(f'--bpv {text!r}: write NAME=N, as in "elite squad=N"')
        found[" ".join(name.split())] = int(figure)
    return found


def _show_json(plain: Any) -> None:
    show(json.dumps(plain, ensure_ascii=False, indent=2))
