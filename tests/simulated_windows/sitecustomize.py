"""Takes from Python what it lacks on Windows, as far as that can be done elsewhere.

Python imports it by itself where this folder is on PYTHONPATH, in each child process too.
"""

import os
import signal
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from types import ModuleType
from typing import NoReturn

MODULES = (
    "curses",
    "fcntl",
    "grp",
    "pty",
    "pwd",
    "readline",
    "resource",
    "syslog",
    "termios",
    "tty",
)
OF_OS = (
    *("chown", "fchmod", "fchown", "lchown", "getegid", "getgid"),
    *("fork", "forkpty", "getpgid", "killpg", "setsid", "nice", "setpriority", "openpty"),
    *("getloadavg", "mkfifo", "posix_fallocate", "pread", "pwrite", "sched_getaffinity"),
    *("sync", "uname", "O_DIRECTORY", "O_NOFOLLOW"),
)
OF_SIGNAL = (
    *("SIGALRM", "SIGCONT", "SIGHUP", "SIGPIPE", "SIGQUIT", "SIGTSTP", "SIGUSR1", "SIGUSR2"),
    *("alarm", "pthread_sigmask", "setitimer"),
)


class Missing(MetaPathFinder):
    """Finds the modules that are not there, first, to say so."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> None:
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r} (as on Windows)", name=name)


for module in MODULES:
    sys.modules.pop(module, None)
sys.meta_path.insert(0, Missing())
for place, names in ((os, OF_OS), (signal, OF_SIGNAL)):
    for name in names:
        if hasattr(place, name):
            delattr(place, name)

import asyncio.unix_events  # noqa: E402  (it looks at what there is)


def _refused(*_: object) -> NoReturn:
    raise NotImplementedError  # as the loop of Windows does


asyncio.unix_events._UnixSelectorEventLoop.add_signal_handler = _refused  # type: ignore[assignment]
