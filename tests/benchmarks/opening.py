"""How long a campaign takes to open, and how much memory: `python -m tests.benchmarks.opening`.

A whole campaign, and corrections after it until there are as many entries as wanted; opened by a
process of its own, which tells its time without that of starting Python, and its peak memory.
"""

import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from brt_cg.desk import Desk
from brt_cg.journal.entries import Entry, canonical, chain_hash
from tests.benchmarks.campaigns import whole_campaign

CORRECTED = "m-sq-1"
OPEN = """
import re, sys, time
from pathlib import Path
from brt_cg.desk import Desk
began = time.perf_counter()
desk = Desk.open(Path(sys.argv[1]))
took = time.perf_counter() - began
status = Path("/proc/self/status").read_text()  # the peak of this program, not of its parent too
print(len(desk.entries), took, int(re.search(r"VmHWM:\\s+([0-9]+)", status)[1]) / 1024)
"""


def lengthened(path: Path, count: int) -> None:
    """Corrects one name again and again, until the journal of a file has `count` entries."""
    desk = Desk.open(path)
    rows = list(_corrections(desk.entries[-1], desk.campaign.units[CORRECTED].name, count))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executemany("INSERT INTO journal VALUES (?, ?, ?, ?)", rows)
        name = f"Able {count}"
        connection.execute("UPDATE units SET name = ? WHERE id = ?", (name, CORRECTED))


def _corrections(last: Entry, name: str | None, count: int) -> Iterator[tuple[int, str, str, str]]:
    before = last.hash
    for seq in range(last.seq + 1, count + 1):
        new = f"Able {seq}"
        payload: dict[str, Any] = {key: last.payload[key] for key in ("by", "at", "rules")}
        payload |= {"kind": "edit", "call": seq}
        payload["asked"] = {"id": CORRECTED, "set": {"name": new}, "reason": "a name"}
        payload["changes"] = [["units", CORRECTED, "name", name, new]]
        text = canonical(payload)
        before, name = chain_hash(before, seq, text), new
        yield seq, text, before, canonical([[f"players: name {new} (a name)", [CORRECTED], None]])


def opened(path: Path) -> tuple[int, float, float]:
    """Entries, seconds, and megabytes at the peak, of a process that opens a file."""
    run = subprocess.run(
        [sys.executable, "-c", OPEN, path], check=True, stdout=subprocess.PIPE, text=True
    )
    count, took, peak = run.stdout.split()
    return int(count), float(took), float(peak)


def main() -> None:
    counts = [int(text) for text in sys.argv[1:]] or [5_000, 100_000]
    with tempfile.TemporaryDirectory() as folder:
        whole = whole_campaign(Path(folder))
        for count in counts:
            path = Path(shutil.copy(whole, Path(folder, f"{count}.brt")))
            lengthened(path, count)
            entries, took, peak = opened(path)
            sys.stdout.write(f"{entries:>7} entries opened in {took:.2f} s, {peak:.0f} MB\n")


if __name__ == "__main__":
    main()
