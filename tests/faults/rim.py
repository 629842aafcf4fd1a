"""The storage rim: every write, sync, truncation and deletion that SQLite does, counted and broken.

SQLite is given a file system of its own: the usual one, but that each of these calls first asks
`Rim.before`, in the order in which they come. What is tested is the program as it is, with its own
connections; nothing of it knows of this.
"""

import _sqlite3
import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

OK: Final = 0
READONLY: Final = 8
IOERR: Final = 10
FULL: Final = 13
FOLDER_SYNC: Final = 10 | 5 << 8  # of a deletion that was done


class Call(NamedTuple):
    """A call that went through: its name (open, write, sync, truncate, delete), the file, and of a
    write the place and the bytes, of a truncation the size, of a deletion whether the folder was
    synced."""

    name: str
    path: Path
    number: int = 0
    data: bytes = b""


Before = Callable[[str], int]
After = Callable[[Call], object]
T = TypeVar("T")


class _Vfs(ctypes.Structure):
    """`sqlite3_vfs`, as far as it is needed: its functions from `open` on are pointers."""

    _fields_ = (
        ("version", ctypes.c_int),
        ("file_size", ctypes.c_int),
        ("longest_path", ctypes.c_int),
        ("next", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("data", ctypes.c_void_p),
        ("functions", ctypes.c_void_p * 16),
    )


class _Methods(ctypes.Structure):
    """`sqlite3_io_methods`: what can be done to an open file."""

    _fields_ = (("version", ctypes.c_int), ("functions", ctypes.c_void_p * 18))


class _File(ctypes.Structure):
    _fields_ = (("methods", ctypes.POINTER(_Methods)),)


_OPEN, _DELETE = 0, 1
_WRITE, _TRUNCATE, _SYNC = 2, 3, 4
_POINTER, _INT, _LONG = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64
_Open = ctypes.CFUNCTYPE(_INT, _POINTER, _POINTER, _POINTER, _INT, _POINTER)
_Delete = ctypes.CFUNCTYPE(_INT, _POINTER, _POINTER, _INT)
_Write = ctypes.CFUNCTYPE(_INT, _POINTER, _POINTER, _INT, _LONG)
_Truncate = ctypes.CFUNCTYPE(_INT, _POINTER, _LONG)
_Sync = ctypes.CFUNCTYPE(_INT, _POINTER, _INT)


class Rim:
    """Stands between SQLite and the disk in this process, from now on.

    `before` is asked before each call, with its name (write, sync, truncate, delete); what it
    returns is SQLite's result code: OK lets the call through. `after` is told each call that did;
    a number that it returns for a deletion is its result code all the same.
    """

    def __init__(self, before: Before, after: After = lambda _: None) -> None:
        self.before, self.after = before, after
        self._paths: dict[int, Path] = {}  # of open files, by their address
        self._kept: list[object] = []  # SQLite holds their addresses
        self._wrapped: dict[int, _Methods] = {}
        library = ctypes.CDLL(_sqlite3.__file__)
        find, register = library.sqlite3_vfs_find, library.sqlite3_vfs_register
        find.restype = ctypes.POINTER(_Vfs)
        self._usual = find(None)
        self._vfs = _Vfs()
        ctypes.memmove(ctypes.byref(self._vfs), self._usual, ctypes.sizeof(_Vfs))
        self._vfs.name = b"rim"
        functions = self._vfs.functions
        self._open = _Open(functions[_OPEN])
        functions[_OPEN] = self._address(_Open(self._opened))
        functions[_DELETE] = self._deleting(functions[_DELETE])
        if register(ctypes.byref(self._vfs), 1) != OK:
            raise OSError("SQLite does not take another file system")

    def _opened(self, _vfs: int, name: int, file: int, flags: int, out: int) -> int:
        result = self._open(ctypes.addressof(self._usual.contents), name, file, flags, out)
        opened = ctypes.cast(file, ctypes.POINTER(_File)).contents
        if opened.methods:
            usual = ctypes.addressof(opened.methods.contents)
            if usual not in self._wrapped:
                self._wrapped[usual] = self._wrap(opened.methods.contents)
            opened.methods = ctypes.pointer(self._wrapped[usual])
            self._paths[file] = _path(name) if name else Path()  # SQLite's own have no name
            self.after(Call("open", self._paths[file]))
        return int(result)

    def _wrap(self, usual: _Methods) -> _Methods:
        methods = _Methods()
        ctypes.memmove(ctypes.byref(methods), ctypes.byref(usual), ctypes.sizeof(_Methods))
        functions = methods.functions
        for place, kind, name in (
            (_WRITE, _Write, "write"),
            (_TRUNCATE, _Truncate, "truncate"),
            (_SYNC, _Sync, "sync"),
        ):
            functions[place] = self._guarded(kind, functions[place], name)
        return methods

    def _guarded(self, kind: type, address: int, name: str) -> int:
        call = kind(address)

        def guarded(file: int, *more: int) -> int:
            code = self.before(name) or int(call(file, *more))
            if code == OK:
                self.after(Call(name, self._paths.get(file, Path()), *_written(name, more)))
            return code

        return self._address(kind(guarded))

    def _deleting(self, address: int) -> int:
        call, usual = _Delete(address), ctypes.addressof(self._usual.contents)

        def guarded(_vfs: int, name: int, folder_too: int) -> int:
            code = self.before("delete") or int(call(usual, name, folder_too))
            if code == OK:
                told = self.after(Call("delete", _path(name), folder_too))
                return told if isinstance(told, int) else OK
            return code

        return self._address(_Delete(guarded))

    def _address(self, function: object) -> int:
        self._kept.append(function)
        return int(ctypes.cast(function, ctypes.c_void_p).value or 0)  # type: ignore[arg-type]


def _path(name: int) -> Path:
    return Path(ctypes.string_at(name).decode())


def _written(name: str, more: tuple[int, ...]) -> tuple[int, bytes]:
    if name == "write":
        buffer, amount, offset = more
        return offset, ctypes.string_at(buffer, amount)
    return (more[0] if name == "truncate" else 0), b""


def watched(work: Callable[[], T], before: Before, after: After = lambda _: None) -> T:
    """Does the work, asking before each call, and telling it after."""
    rim = Rim(before, after)
    result = work()
    rim.before, rim.after = (lambda _: OK), (lambda _: None)
    return result
