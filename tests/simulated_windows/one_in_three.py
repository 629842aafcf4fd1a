"""Which tests run again without what Windows lacks: those of the rooms that are asked for, and one
in three of what does most of its work in rooms that cannot reach the system.

The rest of it is run by every other run, and by Windows itself; and no line of the program may
name what Windows lacks unseen (tests/test_house.py).
"""

from zlib import crc32

import pytest

FEWER = ("tests/imports/", "tests/service/")
ONE_IN = 3


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Takes some away: a test's name alone decides that, so that a test more does not choose
    others."""
    left_out = [
        one for one in items if one.nodeid.startswith(FEWER) and crc32(one.nodeid.encode()) % ONE_IN
    ]
    config.hook.pytest_deselected(items=left_out)
    gone = {*left_out}
    items[:] = [one for one in items if one not in gone]
