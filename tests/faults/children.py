"""Children of this process, forked to be killed."""

import os
import signal
import traceback
from collections.abc import Callable

from tests.faults.rim import OK, Rim

KILLED = -signal.SIGKILL


def in_child(work: Callable[[], object], talk: bool = False) -> int:
    """Does the work in a forked child; the exit status of that, or minus the signal that ended it.

    The status is what the work returns, if that is a number; 70 if it raises.
    """
    child = os.fork()
    if child == 0:
        status = 70
        try:
            if not talk:
                _hush()
            result = work()
            status = result if isinstance(result, int) else 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    _, waited = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(waited)


def _hush() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)


def killed_at(number: int, work: Callable[[], object], *calls: str) -> int:
    """Does the work in a child that is killed just before the `number`-th call of those names
    (write, sync, truncate, delete; any of them if none is named) that SQLite makes."""

    def work_to_the_kill() -> object:
        count = 0

        def before(name: str) -> int:
            nonlocal count
            count += not calls or name in calls
            if count == number:
                os.kill(os.getpid(), signal.SIGKILL)
            return OK

        rim = Rim(before)
        result = work()
        rim.before = lambda _: OK
        return result

    return in_child(work_to_the_kill)
