"""Which tests are slow: those that took a fifth of a second of the processor, by measurement.

`python -m tests.slow` measures all anew, on one core, and writes slow.txt; with paths, only those
below them. A parametrized test is slow as a whole if one of its cases is.
"""

import os
import subprocess
import sys
from collections.abc import Generator, Iterable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

LIST = Path(__file__).with_name("slow.txt")
# Seconds of the processor, of a test's own call: what it shares is made for others too. All that
# take longer take four fifths of the whole, and are a ninth of the tests.
LONGEST = 0.2
MEASURED = "BRT_CG_MEASURED"  # the file to which each test's seconds are written
TO = Path(
    os.environ.get(MEASURED, os.devnull)
)  # a test that forges another system can make no Path


@cache
def slow_tests() -> frozenset[str]:
    """The node ids of the slow tests, without their parameters."""
    return frozenset(seconds_of(LIST.read_text("utf-8").splitlines()))


def seconds_of(lines: Iterable[str]) -> dict[str, float]:
    """The tests of some lines, each with the seconds of its longest case."""
    found: dict[str, float] = {}
    for line in lines:
        if not line.startswith("#"):
            seconds, case = line.split(maxsplit=1)
            name = case.partition("[")[0]
            found[name] = max(found.get(name, 0.0), float(seconds))
    return found


def _processor() -> float:
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Measures a test, where this module is a plugin."""
    before = _processor()
    result = yield
    with TO.open("a", encoding="utf-8") as file:
        file.write(f"{_processor() - before:.2f}  {item.nodeid}\n")
    return result


def listing(found: Mapping[str, float]) -> str:
    """The slow ones of some tests as a file, the slowest first."""
    head = "# seconds of the processor of its longest case, and the test: python -m tests.slow\n"
    slow = [(-seconds, name) for name, seconds in found.items() if seconds > LONGEST]
    return head + "".join(f"{-seconds:7.2f}  {name}\n" for seconds, name in sorted(slow))


def main(paths: list[str]) -> int:
    with TemporaryDirectory() as folder:
        measured = Path(folder, "measured")
        ran = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "tests.slow", "-m", "not web"]
            + (paths or ["tests"]),
            env={**os.environ, MEASURED: str(measured)},
        )
        found = seconds_of(measured.read_text("utf-8").splitlines())
    listed = seconds_of(LIST.read_text("utf-8").splitlines()) if paths else {}
    kept = {name: each for name, each in listed.items() if not name.startswith(tuple(paths))}
    LIST.write_text(listing(kept | found), encoding="utf-8")
    return ran.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
