"""Refuses what would drop the locks of a campaign file, in every process of the tests.

The program may open a file that has a connection, and connect to one, only in `connections`. Python
imports this by itself where this folder is on PYTHONPATH, in each child process too.
"""

import os
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec

HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120  (at each start of Python)
TESTS = os.path.dirname(HERE)  # noqa: PTH120
INSTALLED = "_brt_cg_guard"


class LocksDropped(BaseException):
    """Raised where the program opens a file that has a connection. Nothing that catches errors
    catches it."""


def refuse(event: str, args: tuple[object, ...]) -> None:
    """The audit hook."""
    if event == "open":
        if isinstance(args[0], str | bytes | os.PathLike):
            _check_open(args[0])
    elif event == "sqlite3.connect" and args[0] != ":memory:":
        _check_connection(args[0])


def _check_open(path: "str | bytes | os.PathLike[str]") -> None:
    module = sys.modules.get("brt_cg.connections")
    has_users = getattr(module, "is_used_by_this_process", None)
    if module is None or has_users is None:
        return
    try:
        found = os.stat(path)  # noqa: PTH116
    except (OSError, ValueError):
        return
    if has_users((found.st_dev, found.st_ino)):
        _check_caller(str(module.__file__), f"opens {path!r}, which has a connection")


def _check_connection(database: object) -> None:
    package = sys.modules.get("brt_cg")
    if package is not None and package.__file__:
        owner = os.path.join(os.path.dirname(package.__file__), "connections.py")  # noqa: PTH118, PTH120
        _check_caller(owner, f"connects to {database!r}")


def _check_caller(owner: str, does: str) -> None:
    """Whether a file of the program does it, other than its owner; a test may."""
    package = os.path.dirname(owner) + os.sep  # noqa: PTH120
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        if name == owner or (name.startswith(TESTS) and not name.startswith(HERE)):
            return
        if name.startswith(package):
            raise LocksDropped(f"{name}:{frame.f_lineno} {does}: only {owner} may")
        frame = frame.f_back  # type: ignore[assignment]


def _run_the_next_one() -> None:
    """Python imports only the first `sitecustomize` that it finds."""
    rest = [path for path in sys.path if os.path.abspath(path) != HERE]  # noqa: PTH100
    spec = PathFinder.find_spec("sitecustomize", rest)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(module_from_spec(spec))


if not hasattr(sys, INSTALLED):
    setattr(sys, INSTALLED, LocksDropped)
    sys.addaudithook(refuse)
if __name__ == "sitecustomize":
    _run_the_next_one()
