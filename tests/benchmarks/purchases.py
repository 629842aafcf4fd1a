"""How long purchases and their audit take, stored: `python -m tests.benchmarks.purchases [COUNT…]`.

Of three, two are foxholes bought and one is voided again, so that the points of one campaign last.
Beside the audit stands `bean-check` on as many transactions, if it is there.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from brt_cg.audit import audit
from brt_cg.desk import Desk

BEACHES = ("green", "red_one", "red_two", "red_three", "black_one", "black_two", "island")
ALLOTMENTS = {"japanese": {beach: {"fpp": 9999} for beach in BEACHES}}
NOON = "2026-01-01T12:00:00Z"


def market(path: Path) -> Desk:
    """A new campaign with all the points that there can be."""
    asked = {"cg": "III", "name": None, "players": None, "allotments": ALLOTMENTS}
    return Desk.create(path, asked, clock=lambda: NOON)


def trade(desk: Desk, count: int) -> float:
    """Buys and voids `count` times in all, two in three bought; seconds for each."""
    began = perf_counter()
    bought: list[str] = []
    for number in range(count):
        if number % 3 == 2:
            desk.command("void", {"purchase": bought.pop(0), "reason": "a slip"}, "japanese")
            continue
        beach = BEACHES[number % len(BEACHES)]
        asked = {"item": "foxhole_1s", "side": "japanese", "beach": beach, "quantity": 1}
        desk.command("buy", asked, "japanese")
        bought.append(f"p{desk.book.entries[-1].seq}")
    return (perf_counter() - began) / count


def beancount(path: Path, count: int) -> None:
    """A ledger of as many transactions."""
    lines = ["2026-01-01 open Assets:Points", "2026-01-01 open Expenses:Foxholes"]
    for number in range(count):
        lines += [f'2026-01-02 * "foxhole {number}"', "  Expenses:Foxholes  1 FPP"]
        lines += ["  Assets:Points  -1 FPP", ""]
    path.write_text("\n".join(lines))


def bean_check(path: Path) -> float | None:
    """Seconds of the whole process, its cache off; None where there is no bean-check."""
    program = shutil.which("bean-check")
    if program is None:
        return None
    began = perf_counter()
    subprocess.run([program, "--no-cache", path], check=True)
    return perf_counter() - began


def audited(path: Path) -> float:
    """Seconds of the whole process."""
    began = perf_counter()
    command = [sys.executable, "-m", "brt_cg", "audit", path]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - began


def main() -> None:
    counts = [int(text) for text in sys.argv[1:]] or [1000, 10000]
    with tempfile.TemporaryDirectory() as folder:
        for count in counts:
            path, ledger = Path(folder, f"{count}.brt"), Path(folder, f"{count}.beancount")
            desk = market(path)
            each = trade(desk, count)
            desk.close()
            beancount(ledger, count)
            assert audit(path).ok
            yardstick = bean_check(ledger)
            beside = "no bean-check here" if yardstick is None else f"bean-check {yardstick:.2f} s"
            sys.stdout.write(
                f"{count:>6} bought or voided: {each * 1000:.2f} ms each, stored; "
                f"audit {audited(path):.2f} s, {beside}\n"
            )


if __name__ == "__main__":
    main()
