"""Every connection to a campaign file, and every descriptor of a file that may have one.

POSIX drops all locks of a process on a file when the process closes any descriptor of that file
("How To Corrupt An SQLite Database", 2.2), even one opened only to read a header. So all code that
connects to a campaign, or reads the bytes of a file that may be one, does so here. The users of
each file (inode) are counted; a descriptor is closed only when its file has no users left.
"""

import os
import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from io import FileIO
from pathlib import Path, PurePath
from threading import Lock
from typing import Literal
from weakref import WeakSet

PART = 1024**2  # bytes read in one step

UNLOCKED = "immutable=1"

Inode = tuple[int, int]


@dataclass(slots=True)
class _File:
    """A file with connections or readers: their number, and where it is open."""

    users: int = 0
    opened: list[FileIO] = field(default_factory=list)


_files: dict[Inode, _File] = {}
_left: deque[Inode] = deque()  # the files of users who have left but are still counted
_connections: WeakSet["Connection"] = WeakSet()
_lock = Lock()


# --- connections ----------------------------------------------------------------------------------


class Connection(sqlite3.Connection):
    """A connection that counts as a user of its file until it is closed. `is_unlocked` means that
    it reads without locks, because nobody else should be using the file."""

    inode: Inode | None = None
    is_unlocked = False

    def close(self) -> None:
        super().close()
        inode, self.inode = self.inode, None
        if inode is not None:
            _leave(inode)

    def __del__(self) -> None:
        with suppress(sqlite3.Error):
            self.close()


def connect(path: Path, mode: str, timeout: float) -> Connection:
    """Return a connection to an existing SQLite file, without a transaction; `timeout` is the
    number of seconds that it waits for others. Raises sqlite3.Error; RuntimeError, before Python
    3.13, for a link that leads to itself."""
    whole = _resolved(path)
    while True:
        inode = inode_of(whole)
        if inode is not None:
            _enter(inode)
        try:
            connection = _connected(f"{sqlite_uri(whole)}?mode={mode}", timeout)
        except BaseException:
            if inode is not None:
                _leave(inode)
            raise
        connection.inode, connection.is_unlocked = inode, UNLOCKED in mode
        if inode is not None and inode_of(whole) == inode:
            _connections.add(connection)
            return connection
        connection.close()  # the file was replaced meanwhile


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except OSError:  # raised on Windows for a very long path
        return path.absolute()


def _connected(uri: str, timeout: float) -> Connection:
    # A default connection begins transactions late and commits DDL and savepoints by itself.
    return sqlite3.connect(
        uri,
        uri=True,
        timeout=timeout,
        isolation_level=None,
        check_same_thread=False,
        factory=Connection,
    )


def sqlite_uri(path: PurePath) -> str:
    """Return the URI of an absolute path for SQLite. The server of a Windows share
    (`\\\\nas\\games`) becomes part of the path, since SQLite accepts no other host."""
    uri = path.as_uri()
    return uri if uri.startswith("file:///") else uri.replace("file://", "file:////", 1)


# --- bytes ----------------------------------------------------------------------------------------


def read_header(path: Path, size: int) -> bytes:
    """Return the first bytes of a file. Raises OSError."""
    return next(read_in_parts(path, size), b"")


def read_in_parts(path: Path, size: int = PART) -> Iterator[bytes]:
    """Yield the contents of any file, part by part. Raises OSError."""
    if not path.is_file():  # a pipe cannot be a campaign, and is read only once
        with path.open("rb", buffering=0) as stream:
            while part := stream.read(size):
                yield part
        return
    with _open(path) as opened:
        offset = 0
        while part := _read_at(opened, size, offset):
            offset += len(part)
            yield part


def copy_file_bytes(path: Path, target: Path) -> None:
    """Copy the bytes of a file, damaged or not, over a new or empty file. Raises OSError."""
    with target.open("wb") as copied:
        for part in read_in_parts(path):
            copied.write(part)


# The bytes that SQLite locks: a reader has one of them, a writer all.
LOCKED_FROM, LOCKED = 0x40000000, 512


@contextmanager
def locked_against_others(path: Path) -> Iterator[bool]:
    """Keep others from reading and writing a file that SQLite itself cannot open, in order to
    replace it in the `with` block; yield whether nobody is using it now. A file that cannot be
    replaced while it is open (on Windows), or cannot be opened, needs no lock."""
    with ExitStack() as stack:
        try:
            fcntl = import_module("fcntl")  # which Windows lacks
            opened = stack.enter_context(_open(path, "r+b"))
        except (ImportError, OSError):
            yield True
            return
        inode = _inode(os.fstat(opened.fileno()))
        is_free = not any(one.inode == inode and one.in_transaction for one in [*_connections])
        try:
            fcntl.lockf(opened, fcntl.LOCK_EX | fcntl.LOCK_NB, LOCKED, LOCKED_FROM)
        except OSError:
            is_free = False
        yield is_free


@contextmanager
def _open(path: Path, mode: Literal["rb", "r+b"] = "rb") -> Iterator[FileIO]:
    """Yield a file that is open for reading; other threads read with the same descriptor."""
    inode, opened = _opened(path, mode)
    try:
        yield opened
    finally:
        _leave(inode)


def _opened(path: Path, mode: Literal["rb", "r+b"]) -> tuple[Inode, FileIO]:
    """Return the descriptor of a file; it counts as a user of the file until the caller's `with`
    block ends."""
    inode = inode_of(path)
    if inode is not None and mode == "rb":
        with _counting():
            file = _files.get(inode)
            if file is not None and file.opened:
                file.users += 1
                return inode, file.opened[0]
    opened = path.open(mode, buffering=0)
    with _counting():
        inode = _inode(os.fstat(opened.fileno()))
        file = _files.setdefault(inode, _File())
        file.users += 1
        file.opened.append(opened)
    return inode, opened


def _read_at(opened: FileIO, size: int, offset: int) -> bytes:
    if hasattr(os, "pread"):
        return os.pread(opened.fileno(), size, offset)
    with _counting():  # Windows has no pread
        opened.seek(offset)
        return opened.read(size)


# --- counting -------------------------------------------------------------------------------------


def inode_of(path: Path) -> Inode | None:
    """Return the identity of a file on this machine (device and inode); None if there is no such
    file."""
    try:
        return _inode(path.stat())
    except OSError:
        return None


def is_used_by_this_process(inode: Inode) -> bool:
    """Whether this process has connections to a file, or is reading it."""
    return inode in _files


def _inode(found: os.stat_result) -> Inode:
    return found.st_dev, found.st_ino


def _enter(inode: Inode) -> None:
    with _counting():
        _files.setdefault(inode, _File()).users += 1


def _leave(inode: Inode) -> None:
    _left.append(inode)
    _count_out()


@contextmanager
def _counting() -> Iterator[None]:
    try:
        with _lock:
            yield
    finally:
        _count_out()


def _count_out() -> None:
    """Count out the users who left. The garbage collector may close a connection while its own
    thread is counting, so this never waits for the lock; the lock's holder counts next."""
    while _left and _lock.acquire(blocking=False):
        try:
            while _left:
                _count_one_out(_left.popleft())
        finally:
            _lock.release()


def _count_one_out(inode: Inode) -> None:
    file = _files[inode]
    file.users -= 1
    if not file.users:
        del _files[inode]
        for opened in file.opened:
            opened.close()
