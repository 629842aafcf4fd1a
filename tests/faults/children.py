"""Children of this process, forked to be killed."""

import os
import shutil
import signal
import sys
import traceback
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any

# What writes is loaded here once, and not by each child.
import brt_cg.storage.entry_writer
import brt_cg.storage.migrations  # noqa: F401
from tests.faults.rim import OK, watched

KILLED = -getattr(signal, "SIGKILL", 9)  # which Windows lacks
SYSTEM = ("posix", "_io")  # the modules with the calls by which Python reaches files


def in_child(work: Callable[[], object]) -> int:
    """Does the work in a forked child, whose output nobody sees; its exit status, or minus the
    signal that ended it.

    The status is what the work returns, if that is a number; 70 if it raises.
    """
    child = os.fork()
    if child == 0:
        status = 70
        heard = _hush()
        sys.dont_write_bytecode = True  # half a module would stay behind for other tests
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
            deleted += name == "delete" and any(folder.glob("*-journal"))  # not that of a lock
            if deleted > commits:
                os.kill(os.getpid(), signal.SIGKILL)
            return OK

        return watched(work, before)

    assert in_child(work_to_the_end) in (0, 1, 3, KILLED)
    return sorted(kept.iterdir())


def left_at_every_step(work: Callable[[], object], folder: Path, kept: Path) -> list[Path]:
    """Does the work in one child. What a kill would leave in a folder before each call that SQLite
    makes, before each by which Python itself may change a file (open, send, rename, delete…), and
    after the last: copies in `kept`, in order, one for each change."""
    last: list[tuple[Path, bytes]] | None = None
    count = 0

    def keep(_: str = "") -> int:
        nonlocal last, count
        sys.setprofile(None)
        now = [(each, each.read_bytes()) for each in folder.rglob("*") if each.is_file()]
        if now != last:
            last = now
            shutil.copytree(folder, kept / f"{count:04}")
            count += 1
        sys.setprofile(profile)
        return OK

    def profile(_frame: object, event: str, called: Any) -> None:
        if event == "c_call" and (called.__module__ in SYSTEM or called.__name__ == "write"):
            keep()

    def work_to_the_end() -> None:
        keep()
        watched(work, keep)
        keep()

    assert in_child(work_to_the_end) == 0
    return sorted(kept.iterdir())
