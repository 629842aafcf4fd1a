"""The locks of a campaign file stay as long as its connections: nothing else opens it."""

import ast
import asyncio
import gc
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import brt_cg
from brt_cg import connections
from brt_cg.connections import (
    connect,
    copy_file_bytes,
    inode_of,
    is_used_by_this_process,
    read_header,
    read_in_parts,
)
from brt_cg.files import is_replaceable, is_sqlite_file, read_bytes
from brt_cg.imports.state_file import format_of
from brt_cg.journal import entry_cache
from brt_cg.questions.answers import RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.storage import reader, sqlite
from brt_cg.storage.errors import StorageError
from brt_cg.storage.sqlite import is_in_wal_mode, reuse_connection
from brt_cg.tui.session.session import Session
from brt_cg.vasl.module import read_module

PACKAGE = Path(brt_cg.__file__).parent
BUSY = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
try:
    connection.execute("BEGIN IMMEDIATE")
except sqlite3.OperationalError as error:
    sys.exit(3 if "locked" in str(error) else 4)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "campaign.brt"
    OpenCampaign.create(path, {"cg": "III"}).close()
    return path


@pytest.fixture
def locked(path: Path) -> Iterator[Path]:
    """The campaign while this process has begun to write to it."""
    with closing(connect(path, "rw", 5)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield path


def is_locked(path: Path) -> bool:
    """Whether another process may not write to it now."""
    return subprocess.run([sys.executable, "-c", BUSY, str(path)], check=False).returncode == 3


def read_as_a_module(path: Path) -> None:
    with pytest.raises(RefusedError, match="it is a campaign file"):
        read_module(path)


LOOKS = {
    "header": lambda path: read_header(path, 100),
    "some": lambda path: next(read_in_parts(path, 10)),
    "all": lambda path: [*read_in_parts(path)],
    "copied": lambda path: copy_file_bytes(path, path.with_name("copy")),
    "wal": is_in_wal_mode,
    "campaign": is_sqlite_file,
    "ours": lambda path: is_replaceable(path, "words"),
    "read": read_bytes,
    "format": format_of,
    "module": read_as_a_module,
    "opened again": lambda path: connect(path, "ro", 0).close(),
}


@pytest.mark.parametrize("look", LOOKS)
def test_reading_a_file_keeps_its_locks(locked: Path, look: str) -> None:
    LOOKS[look](locked)  # type: ignore[no-untyped-call]
    assert is_locked(locked)


def test_a_descriptor_opened_before_a_connection_is_closed_after_it(path: Path) -> None:
    parts = read_in_parts(path, 10)
    next(parts)
    with closing(connect(path, "rw", 5)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        parts.close()  # type: ignore[attr-defined]
        assert is_locked(path)
    assert not is_used_by_this_process(inode_of(path) or (0, 0))
    assert not is_locked(path)


@pytest.mark.posix
def test_a_file_under_another_name_is_the_same_file(locked: Path) -> None:
    other = locked.with_name("link.brt")
    other.hardlink_to(locked)
    symbolic = locked.with_name("symbolic.brt")
    symbolic.symlink_to(locked)
    for name in (other, symbolic):
        read_header(name, 10)
    assert is_locked(locked)


def test_one_descriptor_is_enough_for_any_number_of_readers(locked: Path) -> None:
    for _ in range(20):
        read_header(locked, 10)
        [*read_in_parts(locked)]
    inode = inode_of(locked)
    assert inode is not None
    assert len(connections._files[inode].opened) == 1


def test_readers_see_later_writes(path: Path) -> None:
    with closing(connect(path, "rw", 5)) as connection:
        before = read_header(path, 28)
        connection.execute("PRAGMA user_version = 7")
        assert read_header(path, 28) != before


def test_nothing_is_left_open_after_closing(path: Path) -> None:
    some = [connect(path, "ro", 0) for _ in range(3)]
    [*read_in_parts(path)]
    for connection in some:
        connection.close()
        connection.close()  # a second time counts nothing
    assert not is_used_by_this_process(inode_of(path) or (0, 0))


def test_the_garbage_collector_releases_an_unclosed_connection(
    path: Path,
) -> None:
    connection = connect(path, "ro", 0)
    inode = connection.inode
    assert inode is not None
    assert is_used_by_this_process(inode)
    del connection
    gc.collect()
    assert not is_used_by_this_process(inode)


def test_a_file_that_cannot_be_connected_to_has_no_users(tmp_path: Path) -> None:
    before = {inode: file.users for inode, file in connections._files.items()}
    with pytest.raises(sqlite3.OperationalError, match="unable to open"):
        connect(tmp_path / "gone.brt", "rw", 0)
    assert {inode: file.users for inode, file in connections._files.items()} == before


# --- nothing else does it -------------------------------------------------------------------------


def test_no_other_module_opens_connections() -> None:
    """What calls sqlite3.connect, or makes an engine for a file, is found by its name."""
    for file in PACKAGE.rglob("*.py"):
        calls = (node for node in ast.walk(ast.parse(file.read_text("utf-8"))))
        names = {
            ast.unparse(node.func)
            for node in calls
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        }
        assert ("sqlite3.connect" in names) == (file == PACKAGE / "connections.py"), file


def by_the_program(code: str, **names: object) -> None:
    """Runs code as if it stood in a file of the program."""
    exec(compile(code, str(PACKAGE / "storage" / "careless.py"), "exec"), names)


CARELESS = {
    "open": "open(path).close()",
    "pathlib": "path.read_bytes()",
    "os": "import os; os.close(os.open(path, os.O_RDONLY))",
    "copy": "import shutil; shutil.copyfile(path, path.with_name('copy'))",
    "zip": "import zipfile; zipfile.is_zipfile(path)",
    "connect": "import sqlite3; sqlite3.connect(path)",
}


@pytest.mark.parametrize("way", CARELESS)
def test_in_a_test_the_program_cannot_open_a_file_with_a_connection(locked: Path, way: str) -> None:
    guard: type[BaseException] = sys._brt_cg_guard  # type: ignore[attr-defined]
    with pytest.raises(guard, match=r"careless\.py"):
        by_the_program(CARELESS[way], path=locked)
    assert is_locked(locked)


@pytest.mark.parametrize("way", CARELESS)
def test_a_process_started_by_a_test_cannot_open_a_file_with_a_connection(
    path: Path, way: str
) -> None:
    code = f"""
from pathlib import Path
from brt_cg.connections import connect
path = Path({str(path)!r})
connection = connect(path, "ro", 0)
exec(compile({CARELESS[way]!r}, {str(PACKAGE / "careless.py")!r}, "exec"))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "LocksDropped" in done.stderr


def test_a_file_without_a_connection_may_be_opened_by_any_code(tmp_path: Path) -> None:
    (other := tmp_path / "words.txt").write_text("words")
    by_the_program("assert path.read_text() == 'words'", path=other)


@pytest.mark.posix
def test_a_link_that_leads_to_itself_is_refused(tmp_path: Path) -> None:
    (loop := tmp_path / "loop.brt").symlink_to(tmp_path / "loop.brt")
    with pytest.raises(StorageError):
        OpenCampaign.open(loop)


# --- one connection for each piece of work --------------------------------------------------------


def test_one_task_uses_one_connection(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = counted(monkeypatch)
    with reuse_connection(path):
        for _ in range(20):
            reader.newest_entry(path)
        assert len(made) == 1
        assert [*reader.stream_entries(path)]
    reader.newest_entry(path)
    assert len(made) == 2
    assert not is_used_by_this_process(inode_of(path) or (0, 0))


def test_one_task_reads_entries_of_others(path: Path) -> None:
    with reuse_connection(path):
        before = reader.newest_entry(path)
        with closing(OpenCampaign.open(path)) as other:
            other.run_command("note", {"words": "seen", "side": None, "about": None})
        assert reader.newest_entry(path) != before


@pytest.mark.posix  # Windows lets nobody replace a file that is open
def test_one_task_reads_a_replacement_file(path: Path) -> None:
    other = path.with_name("other.brt")
    OpenCampaign.create(other, {"cg": "II"}).close()
    with reuse_connection(path):
        before = reader.newest_entry(path)
        assert reader.newest_entry(other) != before
        other.replace(path)
        assert reader.newest_entry(path) != before


def test_each_screen_action_reads_old_entries_by_one_connection(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NEWEST", "PAGE", "PAGES"):
        monkeypatch.setattr(entry_cache, name, 2)
    with closing(OpenCampaign.open(path)) as desk:
        desk.run_commands("note", [{"words": str(number), "side": None} for number in range(30)])
    made = counted(monkeypatch)

    async def look() -> None:
        session = Session(lambda seen: None)
        await session.open(lambda: OpenCampaign.open(path))
        await session.show_as_seat(None)
        made.clear()
        await session.look_up(
            lambda desk: [
                *unrestricted_campaign(desk).entries,
                *unrestricted_campaign(desk).entries,
            ]
        )
        assert len(made) == 1
        session.end_session()

    asyncio.run(look())


def counted(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files to which connections are made from now on."""
    made: list[Path] = []

    def connect_and_count(path: Path, mode: str, timeout: float) -> connections.Connection:
        made.append(path)
        return connect(path, mode, timeout)

    monkeypatch.setattr(sqlite, "connect", connect_and_count)
    return made
