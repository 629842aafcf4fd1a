"""Children of this process, forked to be killed."""

import os
import shutil
import signal
import traceback
from collections.abc import Callable
from math import inf
from pathlib import Path

# What writes is loaded here once, and not by each child.
import brt_cg.storage.migrating
import brt_cg.storage.writing  # noqa: F401
from tests.faults.rim import OK, watched

KILLED = -signal.SIGKILL


def in_child(work: Callable[[], object]) -> int:
    """Does the work in a forked child, whose output nobody sees; its exit status, or minus the
    signal that ended it.

    The status is what the work returns, if that is a number; 70 if it raises.
    """
    child = os.fork()
    if child == 0:
        status = 70
        heard = _hush()
        try:
            result = work()
            status = result if isinstance(result, int) else 0
        except BaseException:
            os.write(heard, traceback.format_exc().encode())
        finally:
            os._exit(status)
    _, waited = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(waited)


def _hush() -> int:
    """Sends what is printed nowhere; where errors were printed until now."""
    heard, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    return heard


def left_by_kills(
    work: Callable[[], object], folder: Path, kept: Path, commits: float = inf, *calls: str
) -> list[Path]:
    """Does the work in one child, which is killed in the commit after so many, if it comes so far.
    What a kill before each call of those names (any, if none is named) that SQLite makes would
    leave in a folder: copies in `kept`, in order."""

    def work_to_the_end() -> object:
        count = deleted = 0

        def before(name: str) -> int:
            nonlocal count, deleted
            if not calls or name in calls:
                shutil.copytree(folder, kept / f"{count:04}")
                count += 1
            deleted += name == "delete"
            if deleted > commits:
                os.kill(os.getpid(), signal.SIGKILL)
            return OK

        return watched(work, before)

    assert in_child(work_to_the_end) in (0, 3, KILLED)
    return sorted(kept.iterdir())
