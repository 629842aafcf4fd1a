"""Files that the program writes for its player: completely or not at all, and never over the
player's own work.

A file is written next to its place, synced and renamed, so that neither a full disk nor a kill
leaves part of it. The digests of written files are remembered, on this machine only: a file that is
unchanged since then may be replaced, but not one that somebody has edited.
"""

import errno
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar
from unicodedata import normalize

from brt_cg import __version__
from brt_cg.connections import read_header, read_in_parts
from brt_cg.questions import RefusedError
from brt_cg.text import escape_unprintable

T = TypeVar("T")
APP = "brt-cg"
CAMPAIGN_ENDING, MAIL_ENDING = ".brt", ".brtmail"
HALF_WRITTEN = ".part"
WAIT = 2.0  # seconds to wait for a file that another program holds
MOST_SHOWN = 200  # characters of a library's own words
PAUSE = 0.1  # seconds between two attempts
MOST_REMEMBERED = 1000  # written files; the oldest are forgotten first
PORTS = (f"{port}{number}" for port in ("COM", "LPT") for number in range(10))
DEVICES = {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", *PORTS}
FORBIDDEN = '<>:"|?*\\/'


# --- names ------------------------------------------------------------------------------------


def check_file_name(path: Path) -> None:
    """Raise RefusedError if the last part of a path is a name that some system does not allow,
    because campaign files are mailed between systems."""
    name = path.name
    wrong = [sign for sign in FORBIDDEN if sign in name]
    stem = name.partition(".")[0].rstrip(" ").upper()
    if wrong:
        why = f"Windows allows no {' '.join(wrong)} in a name"
    elif any(ord(sign) < 32 for sign in name):
        why = "a name may contain only printable characters"
    elif stem in DEVICES:
        why = f"{stem} is a device on Windows"
    elif name != name.rstrip(". "):
        why = "Windows drops a dot or space at the end of a name"
    else:
        return
    raise RefusedError(
        f"{path}: {why}, so your opponent may be unable to save the file; choose another name"
    )


def path_as_spelled_on_disk(path: Path) -> Path:
    """Return the file that a path leads to, with links followed and the name spelled as in its
    folder: Windows and macOS also find a file by a name in another case, and macOS by one with
    decomposed accents."""
    try:
        real = path.resolve()
        named = (
            each
            for each in real.parent.iterdir()
            if normalize_file_name(each.name) == normalize_file_name(real.name)
        )
        return min((each for each in named if each.samefile(real)), default=real)
    except (OSError, RuntimeError):
        return path.absolute()


def normalize_file_name(name: str) -> str:
    """Return a file's name without differences that some systems ignore."""
    return normalize("NFC", name).casefold()


# --- reading files by other programs ----------------------------------------------------------


MOST_BYTES = 64 * 1024**2  # of any file that a player gives, unpacked too; a campaign's has a few


@contextmanager
def translate_errors(path: Path, what: str) -> Iterator[None]:
    """Turn any exception in the `with` block around a reader of a player's file into one message,
    "PATH: not WHAT: …". Raises RefusedError."""
    try:
        yield
    except RefusedError:
        raise
    except OSError as error:
        words = IN_USE if is_in_use(path, TO_READ) else system_error_text(error)
        raise RefusedError(f"{path}: {words}") from None
    except RecursionError:
        raise RefusedError(f"{path}: not {what}: nested too deeply") from None
    except MemoryError:
        raise RefusedError(f"{path}: not {what}: it needs too much memory") from None
    except Exception as error:  # a reader, and the libraries under it, may raise anything
        why = error_text(error)
        raise RefusedError(f"{path}: not {what}{f': {why}' if why else ''}") from None


def system_error_text(error: OSError) -> str:
    """Return the system's message about a file, without the file's name."""
    words = error.strerror or str(error)
    return "there is no such file" if words == os.strerror(errno.ENOENT) else words


def file_error(error: OSError) -> str:
    """Return an error of a file as one line: its path as typed, and the system's message."""
    return f"{error.filename or ''}: {system_error_text(error)}".removeprefix(": ")


def error_text(error: Exception) -> str:
    """Return the message of an error, in one line of readable length."""
    words = escape_unprintable(" ".join(str(error).split()))
    if isinstance(error, ValueError) and "integer string conversion" in words:
        words = "a number has thousands of digits"
    return words if len(words) <= MOST_SHOWN else f"{words[:MOST_SHOWN]}…"


def read_bytes(path: Path) -> bytes:
    """Return the contents of a player's file. Raises RefusedError if it cannot be read, or has no
    end."""
    found = bytearray()
    with translate_errors(path, "a file"):
        for part in read_in_parts(path):  # all together would take the memory of the largest
            found += part
            if len(found) > MOST_BYTES:
                raise RefusedError(f"{path} is larger than {MOST_BYTES // 1024**2} MB")
    return bytes(found)


# --- writing ----------------------------------------------------------------------------------


IN_USE = "Another program is using the file. Try again."
OPEN_ELSEWHERE = (
    "The file is open in another program (Word or Excel?). Close it there and try again."
)
TO_READ, TO_WRITE, TO_REPLACE = 0x80000000, 0xC0000000, 0x40010000  # rights, as Windows names them
SHARED, OPEN_EXISTING = 7, 3
_IN_USE = (32, 33)  # ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION


def is_in_use(path: Path, access: int) -> bool:
    """Whether another program holds a file in a way that denies this access to others, which is
    possible only on Windows."""
    if os.name != "nt":
        return False
    windows = import_module("_winapi")
    try:
        opened = windows.CreateFile(str(path), access, SHARED, 0, OPEN_EXISTING, 0, 0)
    except OSError as error:
        return getattr(error, "winerror", 0) in _IN_USE
    windows.CloseHandle(opened)
    return False


def wait_for_release(path: Path, access: int) -> bool:
    """Wait up to two seconds for another program to release a file. Return whether it has."""
    until = time.monotonic() + WAIT
    while is_in_use(path, access):
        if time.monotonic() > until:
            return False
        time.sleep(PAUSE)
    return True


def retry_if_blocked(work: Callable[[], T]) -> T:
    """For two seconds, retry an action that another program, such as a scanner that holds a file,
    may block for a moment. Raises PermissionError."""
    until = time.monotonic() + WAIT
    while True:
        try:
            return work()
        except PermissionError:
            if os.name != "nt" or time.monotonic() > until:
                raise
            time.sleep(PAUSE)


PRIVATE, PUBLIC = 0o600, 0o666  # modes of a new file, before the system restricts them


def create_private_file(path: Path) -> None:
    """Make an empty file that only its owner may read, because it will hold both sides' secrets.
    Raises OSError; FileExistsError leaves the mode of the existing file."""
    os.close(_new(path, PRIVATE))


def _new(path: Path, mode: int) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)


def copy_permissions_from(path: Path, other: Path) -> None:
    """Give a file the permissions of another file, which it will replace. Raises OSError."""
    known = other.stat()
    with suppress(OSError, AttributeError):  # another's group; Windows has none
        os.chown(path, -1, known.st_gid)
    path.chmod(known.st_mode & 0o7777)


def write_atomically(path: Path, content: str | bytes, *, private: bool = False) -> None:
    """Write a file as a whole or not at all; a new `private` one may be read by its owner only. The
    permissions of a file that is replaced are kept. Raises OSError, with the file, for example if
    its folder is missing."""
    target = path.resolve() if path.is_symlink() else path
    beside = target.with_name(f"{target.name}.{os.getpid()}{HALF_WRITTEN}")
    try:
        check_parent_folder_exists(target)
        beside.unlink(missing_ok=True)
        _fill(_new(beside, PRIVATE if private or target.exists() else PUBLIC), _data(content))
        if target.exists():
            copy_permissions_from(beside, target)
        _replace(beside, target)
        fsync_folder(target.parent)
    except OSError as error:
        error.filename = str(path)  # which a full disk does not name
        error.filename2 = None
        raise
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def _fill(handle: int, content: bytes) -> None:
    """Write a new file durably, and close it."""
    try:
        file = os.fdopen(handle, "wb")
    except BaseException:
        os.close(handle)
        raise
    with file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _replace(beside: Path, target: Path) -> None:
    """Rename a file over another one. Raises OSError, whose message says so if the file is open in
    another program."""
    try:
        retry_if_blocked(lambda: beside.replace(target))
    except PermissionError:
        if is_in_use(target, TO_REPLACE):
            raise PermissionError(errno.EACCES, OPEN_ELSEWHERE) from None
        raise


def check_parent_folder_exists(path: Path) -> None:
    """Raise OSError, with the file, if its folder is missing. The folder is not created, because
    its name is probably misspelled."""
    folder = path.absolute().parent
    if not folder.is_dir():
        raise FileNotFoundError(errno.ENOENT, f"there is no folder {folder}", str(path))


def make_folder(folder: Path) -> None:
    """Make a folder that is to be filled, unless it exists. Raises OSError, with the folder."""
    check_parent_folder_exists(folder)
    folder.mkdir(exist_ok=True)


def fsync_folder(folder: Path) -> None:
    """Make a new name durable, if a folder can be synced."""
    with suppress(OSError, AttributeError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def is_mail_path(path: object) -> bool:
    """Whether a path is that of a mail, by its name."""
    return isinstance(path, Path) and path.suffix.lower() == MAIL_ENDING


def player_files_folder() -> Path:
    """Return the folder for the player's own files: the current folder if it holds campaigns
    already, else the documents folder, or the home folder if there is none."""
    here = Path.cwd()
    if any(here.glob(f"*{CAMPAIGN_ENDING}")):
        return here
    from platformdirs import user_documents_path

    documents = user_documents_path()
    return documents if documents.is_dir() else Path.home()


# --- the player's state folder ----------------------------------------------------------------


def _state_folder() -> Path:
    from platformdirs import user_state_path  # imported here: not every command keeps something

    return user_state_path(APP)


def state_file_path(folder: str, whose: str) -> Path:
    """Return the state file, in a folder, for a campaign, a seat or a question."""
    # The bytes of a path that are not UTF-8 are lone surrogates.
    digest = sha256(whose.encode("utf-8", "surrogatepass")).hexdigest()
    return _state_folder() / folder / f"{digest[:16]}.json"


def write_state_file(file: Path, state: Mapping[str, Any]) -> OSError | None:
    """Write a state file, which only the player may read, because it may hold secrets of one side.
    Return the error if the disk is full or read-only."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.exists():
            file.chmod(PRIVATE)
        write_atomically(file, json.dumps(state, indent=1), private=True)
    except OSError as error:
        return error
    return None


def read_state_file(file: Path) -> dict[str, Any]:
    """Return the contents of a state file; empty if it is missing or damaged."""
    try:
        found = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def write_crash_report(error: BaseException) -> Path | None:
    """Write the report of a crash, readable only by its player, in place of the previous one.
    Return its file; None if it cannot be written."""
    import traceback

    file = _state_folder() / "fault.txt"
    # Only the place and the kind of the error: local variables, and an error's message, may contain
    # a secret of the side that did not look.
    told: list[str] = []
    cause: BaseException | None = error
    seen = set[int]()
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        told.append(f"{''.join(traceback.format_tb(cause.__traceback__))}{type(cause).__name__}\n")
        cause = cause.__cause__ or cause.__context__
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        versions = f"brt-cg {__version__}, Python {sys.version.split()[0]}, {sys.platform}"
        text = "\ncaused by:\n\n".join(told)
        write_atomically(file, f"{versions}\n\n{text}", private=True)
    except OSError:
        return None
    return file


# --- files written before ---------------------------------------------------------------------


def write_export_files(
    files: Mapping[Path, str | bytes], force: bool = False, *, private: bool = True
) -> None:
    """Write exported files; `private` ones hold both sides' secrets. Raises RefusedError, with
    nothing written, if one would replace a campaign file, or, unless `force`, a file that the
    program did not write or that was edited since; OSError, with the file."""
    for path in files:
        check_file_name(path)
        check_parent_folder_exists(path)
        if path.is_dir():
            raise RefusedError(f"{path} is a folder; enter the name of a file")
        if _is_device_or_pipe(path):
            raise RefusedError(f"{path} is a device or a pipe; enter the name of a file")
        if is_sqlite_file(path):
            raise RefusedError(f"{path} is a campaign file; choose another name")
    theirs = (
        []
        if force
        else [path for path, content in files.items() if not is_replaceable(path, content)]
    )
    if theirs:
        names = ", ".join(map(str, theirs[:6]))
        raise RefusedError(
            f"{names}: not replaced, because it is not an export or has been edited since; choose "
            f"another name, or add --force"
        )
    for path, content in files.items():
        write_atomically(path, content, private=private)
        _remember(path, content)


def _is_device_or_pipe(path: Path) -> bool:
    """Whether there is something at a path that is not a regular file: it must not be replaced, and
    reading it may never end."""
    return path.exists() and not path.is_file()


def is_sqlite_file(path: Path) -> bool:
    """Whether there is a campaign file (or any other SQLite database) with that name."""
    return path.is_file() and read_header(path, 16) == b"SQLite format 3\0"


def is_replaceable(path: Path, content: str | bytes | None = None) -> bool:
    """Whether a path is free, or its file is unchanged since an export wrote it, or already has
    this `content`."""
    if _is_device_or_pipe(path):
        return False
    try:
        stands = b"".join(read_in_parts(path))
    except FileNotFoundError:
        return True
    except OSError:
        return False
    digest = sha256(stands).hexdigest()
    if content is not None and stands == _data(content):
        return True
    return read_state_file(_written()).get(str(path_as_spelled_on_disk(path))) == digest


def _remember(path: Path, content: str | bytes) -> None:
    known = read_state_file(_written())
    known.pop(str(path_as_spelled_on_disk(path)), None)
    known[str(path_as_spelled_on_disk(path))] = sha256(_data(content)).hexdigest()
    write_state_file(_written(), dict(list(known.items())[-MOST_REMEMBERED:]))


def _data(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


def _written() -> Path:
    return _state_folder() / "exported.json"
