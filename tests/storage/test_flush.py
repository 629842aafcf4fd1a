"""What was committed is not said to be lost, though the last flush after it fails."""

import pytest

from tests.faults.children import in_child
from tests.faults.rim import FOLDER_SYNC, OK, Call, watched
from tests.reading import read_entries
from tests.storage.pen import Pen, heal


def last_flush_fails(call: Call) -> int:
    return FOLDER_SYNC if call.name == "delete" else OK


@pytest.mark.posix
def test_an_entry_whose_last_flush_fails_is_reported_as_stored(file_pen: Pen) -> None:
    def work() -> int:
        file_pen.kept.close()
        watched(lambda: file_pen.enter("edit", heal), lambda _: OK, last_flush_fails)
        return 0

    assert in_child(work) == 0
    assert len(read_entries(file_pen.place)) == 6
