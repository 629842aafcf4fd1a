"""A player at the command line, given one of a pair: what he reads there, and finds written."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from brt_cg.cli import refit
from brt_cg.model.counters import Side
from brt_cg.questions.dice import SeededDice
from brt_cg.service import stored_journal
from tests.cli.shell import Shell
from tests.homes import set_home
from tests.secrets.campaigns import CAMPAIGN, Files, files_in
from tests.secrets.command_lines import Words

HERE, HOME = "here", "home"
# After a command that enters something.
TOLD_TO_HIM = (
    ("status", "{side}", "--", CAMPAIGN),
    ("export", "{side}", "--format=md", "--", CAMPAIGN, "journal"),
)
LONG_AGO = 1_700_000_000  # when every file was last written


class Noon(datetime):
    """A clock that stands."""

    @classmethod
    def now(cls, tz: object = None) -> "Noon":  # type: ignore[override]
        return cls(2026, 1, 2, 12, tzinfo=UTC)


class Terminal:
    """A folder that is one of a pair at a stop anew before each command. Both of a pair are at the
    same place, one after the other, so that nothing tells them apart."""

    def __init__(self, folder: Path, shell: Shell) -> None:
        self.folder, self.shell = folder, shell
        self.looked: dict[tuple[int, int], Files] = {}

    def read(self, files: Files, line: Words, side: Side) -> dict[str, object]:
        """What a command gives, and what the side is told after it."""
        self.lay_out(self._as_seen(files, side))
        before = self._campaign()
        got = self.shell(*line)
        parts: dict[str, object] = {"status": got.code, "stdout": got.out, "stderr": got.err}
        written = files_in(self.folder / HERE)
        parts["files"] = {name: self._shown(data) for name, data in written.items()}
        if self._campaign() != before:
            for words in TOLD_TO_HIM:
                then = self.shell(*(word.format(side=f"--side={side}") for word in words))
                parts[f"then {words[0]}"] = (then.code, then.out, then.err)
        return parts

    def _as_seen(self, files: Files, side: Side) -> Files:
        """The folder once he has looked at the campaign, as a player has who is asked something."""
        key = (id(files), [*Side].index(side))
        if key not in self.looked:
            self.lay_out({f"{HERE}/{name}": data for name, data in files.items()})
            self.shell("status", f"--side={side}", "--", CAMPAIGN)
            self.looked[key] = files_in(self.folder)
        return self.looked[key]

    def lay_out(self, files: Files) -> None:
        for name in (HERE, HOME):
            shutil.rmtree(self.folder / name, ignore_errors=True)
            (self.folder / name).mkdir(exist_ok=True)  # a screen that ends may write
        os.chdir(self.folder / HERE)  # which is another one now
        for name, data in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            os.utime(path, (LONG_AGO, LONG_AGO))

    def _campaign(self) -> bytes:
        return (self.folder / HERE / CAMPAIGN).read_bytes()

    def _shown(self, data: bytes) -> object:
        """A file that he reads; of the campaign, its backups and mails, that it is there."""
        return "" if data.startswith((b"SQLite format", b"\x1f\x8b")) else data


@contextmanager
def terminal(folder: Path, shell: Shell) -> Iterator[Terminal]:
    """A machine of its own, where time stands and dice fall as they are to."""
    (folder / HERE).mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder / HERE)
        set_home(patch, folder / HOME)
        patch.setattr(stored_journal, "datetime", Noon)
        patch.setattr(refit, "AppDice", lambda: SeededDice(1))
        yield Terminal(folder, shell)
