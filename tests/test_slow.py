"""What plain `pytest` leaves out is what was measured, and nothing else."""

import re
from pathlib import Path

import pytest

from tests.slow import LONGEST, listing, seconds_of, slow_tests

CHECKOUT = Path(__file__).parents[1]


def test_nearly_every_test_on_the_slow_list_exists() -> None:
    gone = [
        name
        for name in slow_tests()
        for file, *within in [name.split("::")]
        if not all(
            re.search(rf"\b{part}\b", (CHECKOUT / file).read_text("utf-8"))
            for part in within
            if part != "runTest"  # of a class that Hypothesis makes
        )
    ]
    assert len(slow_tests()) > 20
    assert len(gone) <= len(slow_tests()) / 10, f"measure again: python -m tests.slow; {gone}"


def test_a_test_is_marked_slow_exactly_if_on_the_list(
    request: pytest.FixtureRequest,
) -> None:
    wrong = [
        item.nodeid
        for item in request.session.items
        if (item.get_closest_marker("slow") is not None)
        is not (item.nodeid.partition("[")[0] in slow_tests())
    ]
    assert wrong == []


def test_a_parametrized_test_is_as_slow_as_its_slowest_case_and_the_slowest_is_first() -> None:
    measured = ["0.90  tests/a.py::test_b[x-1.5]", "3.10  tests/a.py::test_b[y]"]
    measured += [f"{LONGEST:.2f}  tests/a.py::test_c", "12.00  tests/a.py::test_d"]
    found = seconds_of(measured)
    assert found == {
        "tests/a.py::test_b": 3.1,
        "tests/a.py::test_c": LONGEST,
        "tests/a.py::test_d": 12.0,
    }
    assert seconds_of(listing(found).splitlines()) == {
        "tests/a.py::test_d": 12.0,
        "tests/a.py::test_b": 3.1,
    }
    assert listing(found).splitlines()[1].endswith("test_d")
