"""Everything at once on one campaign, each in a process of its own, for a while:
`python -m tests.faults.at_once [--seconds N] [--times N] [--only ROLE…]`.

A local screen, a server with two plain pages and two screens, the command line, the audit, backups,
restores, and a program that is not ours. What each was told is stored, it notes outside of the
program; afterwards all of that must be in the campaign, or in the backup that a restore made.
"""

import argparse
import asyncio
import http.client
import io
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, closing, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any
from unittest.mock import patch
from urllib.parse import urlencode, urlsplit

import aiohttp

from brt_cg.audit import audit_campaign
from brt_cg.cli import main as brt_cg
from brt_cg.files import is_sqlite_file
from brt_cg.journal.entries import Entry
from brt_cg.questions.answers import RefusedError
from brt_cg.service import demo, recovery
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.storage import backups
from brt_cg.storage.backups import BackupReason
from brt_cg.storage.engine import engine_of
from brt_cg.storage.errors import BackupError, StaleCampaignError, StorageError
from brt_cg.storage.place import Place, parse_place
from brt_cg.tui.session.session import Session
from tests.homes import homes
from tests.reading import read_entries
from tests.web.forms import Forms, preferred
from tests.web.load import Watched
from tests.web.serving import at_its_first_question, served
from tests.web.tabs import PATIENCE
from tests.web.test_doors import cookie

CHECKOUT = Path(__file__).parents[2]
FORM = "application/x-www-form-urlencoded"
PLAYERS = ("marine", "japanese")
PAUSE = 0.02  # seconds between two notes of one writer
SELDOM = 1.0  # and between two backups, audits or restores


@dataclass(slots=True)
class Ledger:
    """What one role was told, in files that the program knows nothing of."""

    folder: Path
    role: str
    counts: Counter[str] = field(default_factory=Counter)

    def note(self, kind: str, words: str = "") -> None:
        self.counts[kind] += 1
        with (self.folder / f"{self.role}.{kind}").open("a", encoding="utf-8") as file:
            file.write(f"{words}\n")

    def words(self) -> Iterator[str]:
        """The words of one note after the other, which no other writer uses."""
        number = 0
        while True:
            number += 1
            yield f"{self.role} {number}"


STORED, ANSWERED = "stored", "answered"  # acknowledged
AUDITED, KEPT, RESTORED, READ = "audited", "kept", "restored", "read"
ENOUGH = {STORED: 10, ANSWERED: 4}
REFUSED, UNWELL, UNUSABLE = "refused", "unwell", "unusable"


def told(ledger: Ledger, folder: Path) -> dict[str, list[str]]:
    """The lines that a role wrote, by kind."""
    files = folder.glob(f"{ledger.role}.*")
    return {file.suffix[1:]: file.read_text("utf-8").splitlines() for file in files}


@dataclass(frozen=True, slots=True)
class Shift:
    """How long the roles work by the clock; on a busy machine each until it has done something."""

    end: float

    def is_over(self, ledger: Ledger, kind: str) -> bool:
        late = time.time() - self.end
        return late > 0 and (ledger.counts[kind] >= ENOUGH.get(kind, 1) or late > PATIENCE)


Ready = Callable[[], Shift]  # waits until all are ready
Beside = Callable[[Place, Shift, Ledger], Coroutine[None, None, None]]


# --- the roles ------------------------------------------------------------------------------------


def screen(place: Place, ready: Ready, ledger: Ledger) -> None:
    """A local screen whose player takes notes, with its Audit page open, and a form that looks at
    the file again and again."""
    asyncio.run(_notes(place, ready, ledger, _audits, _looks))


def window(place: Place, ready: Ready, ledger: Ledger) -> None:
    """Another screen, whose player only takes notes."""
    asyncio.run(_notes(place, ready, ledger))


async def _notes(place: Place, ready: Ready, ledger: Ledger, *beside: Beside) -> None:
    session = Session(lambda seen: None)
    await session.open(lambda: OpenCampaign.open(place))
    await session.show_as_seat(None)
    shift = ready()
    others = [asyncio.create_task(work(place, shift, ledger)) for work in beside]
    for words in ledger.words():
        try:
            await session.perform(partial(enter_note, words=words))
            ledger.note(STORED, words)
            await session.catch_up()
        except (RefusedError, StorageError) as why:
            ledger.note(REFUSED, str(why))
        if shift.is_over(ledger, STORED):
            break
    await asyncio.gather(*others)
    session.end_session()


async def _looks(place: Place, shift: Shift, ledger: Ledger) -> None:
    """Whether it is a campaign, as the export form asks before it writes."""
    while isinstance(place, Path) and not shift.is_over(ledger, STORED):
        await asyncio.to_thread(is_sqlite_file, place)
        await asyncio.sleep(PAUSE / 10)


async def _audits(place: Place, shift: Shift, ledger: Ledger) -> None:
    while not shift.is_over(ledger, AUDITED):
        await asyncio.to_thread(_audit, place, ledger)
        await asyncio.sleep(SELDOM)


def _audit(place: Place, ledger: Ledger) -> None:
    try:
        report = audit_campaign(place)
    except StorageError as why:
        ledger.note(REFUSED, str(why))
        return
    ledger.note(AUDITED)
    for finding in report.findings:
        ledger.note(UNWELL, str(finding))


def enter_note(desk: OpenCampaign, words: str) -> object:
    return desk.run_command("note", noting(words))


def noting(words: str) -> dict[str, object]:
    return {"words": words, "side": None, "about": None}


def command(place: Place, ready: Ready, ledger: Ledger) -> None:
    """The command line."""
    shift = ready()
    for words in ledger.words():
        said = io.StringIO()
        with redirect_stdout(said), redirect_stderr(said):
            code = brt_cg(["note", str(place), words])
        ledger.note(STORED if code == 0 else REFUSED, words if code == 0 else said.getvalue())
        time.sleep(PAUSE)
        if shift.is_over(ledger, STORED):
            return


def auditor(place: Place, ready: Ready, ledger: Ledger) -> None:
    shift = ready()
    while not shift.is_over(ledger, AUDITED):
        _audit(place, ledger)
        time.sleep(SELDOM)


def keeper(place: Path, ready: Ready, ledger: Ledger) -> None:
    """Who makes backups, and looks at them."""
    shift = ready()
    while not shift.is_over(ledger, KEPT):
        try:
            backups.make_backup(place, BackupReason.BEFORE_IMPORT)
            backups.list_backups(place)
            ledger.note(KEPT)
        except BackupError as why:
            ledger.note(REFUSED, str(why))
        time.sleep(SELDOM / 2)


def restorer(place: Path, ready: Ready, ledger: Ledger) -> None:
    """Who goes back to a backup; what the campaign then loses must be in the one made before."""
    shift = ready()
    while not shift.is_over(ledger, RESTORED):
        try:
            backup = backups.make_backup(place, BackupReason.BEFORE_REFIT)
            copied = Path(shutil.copy(backup, ledger.folder / f"{backup.name}.old"))
            time.sleep(SELDOM)
            made = recovery.restore_backup(place, copied, None)
            if made is not None:
                shutil.copy(made, ledger.folder / f"{ledger.counts[RESTORED]}.copy")
            ledger.note(RESTORED)
        except StorageError as why:
            ledger.note(REFUSED, str(why))


def foreign(place: Place, ready: Ready, ledger: Ledger) -> None:
    """A program that is not ours reads the campaign's tables."""
    shift = ready()
    while not shift.is_over(ledger, READ):
        if isinstance(place, Path):
            only_read = sqlite3.connect(f"{place.as_uri()}?mode=ro", timeout=PATIENCE, uri=True)
            with closing(only_read) as connection:
                checked = connection.execute("PRAGMA integrity_check").fetchall()
                if checked != [("ok",)]:
                    ledger.note(UNWELL, str(checked[:3]))
        else:
            with engine_of(place).reading_connection(place) as connection:
                connection.execute("SELECT count(*), max(hash) FROM journal").fetchone()
        ledger.note(READ)
        time.sleep(PAUSE)


def pages(place: Place, ready: Ready, ledger: Ledger) -> None:
    """A server with two screens open, and a player at each of two plain pages."""
    home = ledger.folder / "home"
    with served(place, umpire=False, home=home) as addresses:
        asyncio.run(_visit(place, addresses, ready, ledger))


async def _visit(place: Place, addresses: Mapping[str, str], ready: Ready, ledger: Ledger) -> None:
    async with AsyncExitStack() as stack:
        session = await stack.enter_async_context(aiohttp.ClientSession())
        for number, seat in enumerate(PLAYERS):
            address = addresses[seat]
            tab = Watched(address, session, cookie(address), seat, f"{number:016x}")
            await tab.open("width=100&height=30")
            await tab.shows("CG III")
        shift = ready()
        turn = Lock()
        phones = [
            asyncio.to_thread(_tap, place, addresses[seat], seat, shift, ledger, turn)
            for seat in PLAYERS
        ]
        await asyncio.gather(*phones)


def _tap(place: Place, address: str, seat: str, shift: Shift, ledger: Ledger, turn: Lock) -> None:
    """Answers what a seat's plain page asks; once nobody is asked, the phase begins again. The two
    players take turns, or one would answer what both are asked just before the other."""
    phone = Phone(address, seat)
    while not shift.is_over(ledger, ANSWERED):
        phone.shown()
        with turn:
            code, text = phone.shown()
            if code != 200:
                ledger.note(UNUSABLE, f"{code} {text}")
                continue
            fields = _fields(text)
            if fields is not None:
                _note_answer(ledger, fields, *phone.tapped(fields))
            elif "Your turn" not in text and seat == PLAYERS[0]:
                _begin_again(place)
        time.sleep(PAUSE)


def _fields(text: str) -> Mapping[str, str] | None:
    """What the button of a page sends that leads on; None if there is none."""
    forms = [form for form in Forms(text).found if form[0].get("do") not in ("run", "buy")]
    at = preferred([words for _, words in forms])
    return None if at is None else {"confirmed": "yes"} | forms[at][0]


def _note_answer(ledger: Ledger, fields: Mapping[str, str], code: int, text: str) -> None:
    match code:
        case 303:
            ledger.note("begun" if fields["do"] == "go" else ANSWERED)
        case 200:
            ledger.note(REFUSED, text.partition("autofocus>")[2].partition("<")[0])
        case _:
            ledger.note(UNUSABLE, f"{code} {text}")


def _begin_again(place: Place) -> None:
    """Undoes what was played, if no phase is in progress."""
    with (
        suppress(StaleCampaignError, RefusedError, StorageError),
        closing(OpenCampaign.open(place)) as desk,
    ):
        if desk.view().ask is None and desk.view().turn is None:
            desk.undo_or_request()


class Phone:
    """A browser at a plain page."""

    def __init__(self, address: str, seat: str) -> None:
        parts = urlsplit(address)
        self._host, self._path = parts.netloc, f"/seat/{seat}/plain"
        self._headers = {"Cookie": cookie(address), "Accept-Encoding": "identity"}

    def shown(self) -> tuple[int, str]:
        return self._request("GET")

    def tapped(self, fields: Mapping[str, str]) -> tuple[int, str]:
        return self._request("POST", urlencode(fields))

    def _request(self, how: str, body: str | None = None) -> tuple[int, str]:
        headers = self._headers | {"Origin": f"http://{self._host}", "Content-Type": FORM}
        with closing(http.client.HTTPConnection(self._host, timeout=PATIENCE)) as connection:
            connection.request(how, self._path, body, headers)
            response = connection.getresponse()
            return response.status, response.read().decode("utf-8", "replace")


ROLES: dict[str, Callable[[Any, Ready, Ledger], None]] = {
    "screen": screen,
    "window": window,
    "command": command,
    "auditor": auditor,
    "foreign": foreign,
    "pages": pages,
    "keeper": keeper,
    "restorer": restorer,
}
OF_FILES = ("keeper", "restorer")  # on a server its owner does that


# --- all of them ----------------------------------------------------------------------------------


@dataclass(slots=True)
class Outcome:
    """What came of it: how often each role did what, and the problems."""

    counts: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    refusals: Counter[str] = field(default_factory=Counter)

    def text(self) -> str:
        told = ", ".join(f"{number} {what}" for what, number in sorted(self.counts.items()))
        refused = (f"  {number} x {why}" for why, number in self.refusals.most_common(6))
        wrong = (f"  PROBLEM: {problem}" for problem in self.problems[:20])
        return "\n".join([told, *refused, *wrong])


def at_once(place: Place, seconds: float, folder: Path, only: Iterable[str] = ROLES) -> Outcome:
    """Lets all roles work on a campaign for so long; what came of it. `folder` is for what they
    were told."""
    roles = [role for role in only if isinstance(place, Path) or role not in OF_FILES]
    command = [sys.executable, "-m", "tests.faults.at_once", "--as"]
    processes = {
        role: subprocess.Popen(
            [*command, role, "--in", str(folder), "--seconds", str(seconds), str(place)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for role in roles
    }
    outcome = Outcome()
    for process in processes.values():  # each has loaded what it needs
        assert process.stdout is not None
        process.stdout.readline()
    for process in processes.values():
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    for role, process in processes.items():
        process.communicate()
        if process.returncode:
            outcome.problems.append(f"the {role} ended with status {process.returncode}")
    _look_back(place, folder, roles, outcome)
    return outcome


def _look_back(place: Place, folder: Path, roles: Sequence[str], outcome: Outcome) -> None:
    acknowledged: list[str] = []
    answered = 0
    for role in roles:
        for kind, lines in told(Ledger(folder, role), folder).items():
            outcome.counts[f"{role} {kind}"] = len(lines)
            if kind in (UNWELL, UNUSABLE):
                outcome.problems += [f"{role}: {line}" for line in lines]
            elif kind == REFUSED:
                outcome.refusals.update(line.partition("\n")[0] for line in lines)
            elif kind == STORED:
                acknowledged += lines
            elif kind == ANSWERED:
                answered += len(lines)
    outcome.problems += [*_unwell(place), *_lost(place, folder, acknowledged, answered)]


def _unwell(place: Place) -> Iterator[str]:
    """What is wrong with the campaign."""
    if isinstance(place, Path):
        with closing(sqlite3.connect(place)) as connection:
            found = connection.execute("PRAGMA integrity_check").fetchall()
            found += connection.execute("PRAGMA foreign_key_check").fetchall()
        if found != [("ok",)]:
            yield f"SQLite: {found[:3]}"
        litter = [each.name for each in place.parent.glob(f"{place.name}?*")]
        if litter:
            yield f"left over: {litter}"
    yield from map(str, audit_campaign(place).findings)


def _lost(place: Place, folder: Path, acknowledged: Sequence[str], answered: int) -> Iterator[str]:
    """What was acknowledged and is neither in the campaign nor in what restores dropped of it."""
    here = read_entries(place)
    entries = {entry.hash: entry for entry in here}
    for copied in folder.glob("*.copy"):
        entries |= {entry.hash: entry for entry in read_entries(copied)}
    there = Counter(_words(entries.values()))
    yield from (f"lost: {words}" for words in acknowledged if not there[words])
    yield from (f"twice: {words}" for words, number in Counter(_words(here)).items() if number > 1)
    answers = sum(entry.kind == "answer" for entry in entries.values())
    if answers < answered:
        yield f"lost: {answered - answers} of {answered} answers"
    for role in ("screen", "window", "command"):
        numbers = [int(words.split()[1]) for words in _words(here) if words.split()[0] == role]
        if numbers != sorted(numbers):
            yield f"the notes of the {role} are out of order"


def _words(entries: Iterable[Entry]) -> Iterator[str]:
    return (entry.asked["words"] for entry in entries if entry.kind == "note")


def _as(role: str, place: Place, seconds: float, folder: Path) -> None:
    """Works as one role."""

    def ready() -> Shift:
        print("ready", flush=True)
        sys.stdin.readline()
        return Shift(time.time() + seconds)

    ROLES[role](place, ready, Ledger(folder, role))


def guarded() -> dict[str, str]:
    """The variables of a process that may not drop the locks of a campaign."""
    paths = [str(CHECKOUT / "tests" / "guarded"), str(CHECKOUT)]
    return {"PYTHONPATH": os.pathsep.join(paths)}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.at_once", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=[*ROLES], choices=ROLES)
    parser.add_argument("--as", dest="role", choices=ROLES, help=argparse.SUPPRESS)
    parser.add_argument("--in", dest="folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("place", nargs="?", type=parse_place)
    asked = parser.parse_args()
    if asked.role is not None:
        _as(asked.role, asked.place, asked.seconds, asked.folder)
        return 0
    failed = 0
    for _ in range(asked.times):
        outcome = _on_the_demo(asked.seconds, asked.only)
        print(outcome.text(), flush=True)
        failed += bool(outcome.problems)
    return 1 if failed else 0


def _on_the_demo(seconds: float, only: Sequence[str]) -> Outcome:
    with TemporaryDirectory() as place, patch.dict(os.environ, guarded()):
        os.environ |= homes(Path(place, "home"))
        for name in ("campaign", "ledger"):
            Path(place, name).mkdir()
        file = demo.create_demo(Path(place, "campaign"))
        at_its_first_question(file)
        return at_once(file, seconds, Path(place, "ledger"), only)


if __name__ == "__main__":
    sys.exit(main())
