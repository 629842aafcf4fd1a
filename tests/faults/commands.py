"""The commands on which faults of the storage are tried, and the campaigns that they meet."""

import json
import shutil
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from brt_cg.cli import main
from tests.audit import played

Words = list[str]
ANSWERS = ["--auto", "--seed", "5"]
STATE = "state.json"
BESIDE = "BESIDE"
NOTE = ["note", "FILE", "seen"]


@dataclass(frozen=True, slots=True)
class Command:
    """A command line on a file, and BESIDE it another one that it makes; `before` are those that
    lead to it. One that stores answer by answer keeps those that were stored before it failed;
    before one that `upgrades`, the file is of an older revision; one that `makes` the file finds
    none."""

    name: str
    words: Words
    before: tuple[Words, ...] = ()
    by_answer: bool = False
    upgrades: bool = False
    makes: bool = False
    done: tuple[int, ...] = (0, 3)  # how it ends when it is done

    @property
    def makes_beside(self) -> bool:
        return BESIDE in self.words


def commands(folder: Path) -> list[Command]:
    """The commands that are tried."""
    state = folder / STATE
    state.write_text(json.dumps(played.document("20 AM")), "utf-8")
    taken_in = ["import", "FILE", str(state), "--yes"]
    order = ["buy", "FILE", "foxhole_1s", "--side", "japanese", "--beach", "red_one"]
    begun = (taken_in, ["refit", "FILE", *ANSWERS, "--through", "15.6041"], ["refit", "FILE"])
    return [
        Command("new", ["new", "FILE", "--cg", "III"], makes=True),
        Command("import", taken_in),
        Command("buy", order),
        Command(
            "edit", ["edit", "FILE", "m-sq-1", "name=Baker", "--reason", "a slip"], (taken_in,)
        ),
        Command("answer", ["answer", "FILE", "stay_hidden"], (taken_in, ["refit", "FILE"])),
        Command("run", ["refit", "FILE", *ANSWERS], begun, by_answer=True),
        Command("undo", ["undo", "FILE"], (order,)),
        Command("redo", ["redo", "FILE"], (order, ["undo", "FILE"])),
        Command("restore", ["restore", "FILE", str(_kept(folder, order)), "--yes"]),
        Command("migration", NOTE, upgrades=True),
        *_mailed(folder, order),
        Command("agree", ["agree", "FILE", "--side", "japanese"], (ASKED,)),
        Command("copy", ["copy", "FILE", BESIDE], (order,)),
        # This machine has seen copies of the campaign that went on otherwise.
        Command("repair", ["repair", "FILE", "-o", BESIDE], (order,), done=(0, 1)),
    ]


ASKED = ["edit", "FILE", "marine", "san=5", "--reason", "misread", "--side", "marine"]


def _mailed(folder: Path, order: Words) -> list[Command]:
    """A mail received, which continues the file, is joined with it, replaces it, or makes it."""
    receive = ["receive", "FILE"]
    bought = [str(_mail(folder, "bought", order)), "--from-umpire"]
    other = ["buy", "FILE", "wire", "--side", "japanese", "--beach", "red_one"]
    noted = [str(_mail(folder, "noted", NOTE)), "--from-umpire"]
    return [
        Command("append", [*receive, *bought]),
        Command("join", [*receive, *noted], (["note", "FILE", "mine"],)),
        Command("take", [*receive, *bought, "--take", "theirs"], (other,)),
        Command("receive-new", [*receive, *bought], makes=True),
    ]


def _mail(folder: Path, name: str, words: Words) -> Path:
    """A mail of a whole campaign that has gone on by one command."""
    path = folder / f"{name}.brtmail"
    if not path.exists():
        theirs = Path(shutil.copy(start_of(folder), folder / f"{name}.brt"))
        for each in (words, ["send", "FILE", "-o", str(path), "--all", "--force"]):
            assert run_hushed(each, theirs) == 0, each
    return path


def _kept(folder: Path, order: list[str]) -> Path:
    """A backup that has come further than the campaign."""
    path = folder / "kept.brt"
    if not path.exists():
        shutil.copy(start_of(folder), path)
        assert run_hushed(order, path) == 0
    return path


def start_of(folder: Path) -> Path:
    """A new campaign with points to spend."""
    from brt_cg.service.open_campaign import OpenCampaign

    path = folder / "start.brt"
    if not path.exists():
        asked = {"cg": "III", "name": None, "allotments": played.ALLOTMENTS}
        OpenCampaign.create(path, asked).close()
    return path


def prepared(command: Command, folder: Path) -> Path | None:
    """The file that a command meets; None for one that makes its own."""
    if command.makes:
        return None
    path = Path(shutil.copy(start_of(folder), folder / f"{command.name}.brt"))
    for words in command.before:
        assert run_hushed(words, path) in (0, 3), words
    return path


def run(words: Words, path: Path) -> int:
    named = {"FILE": str(path), BESIDE: str(beside(path))}
    return main([named.get(word, word) for word in words])


def beside(path: Path) -> Path:
    """The other file that a command makes."""
    return path.with_name("beside.brt")


def run_hushed(words: Words, path: Path) -> int:
    """Runs a command that nothing happens to; what it raises is status 70."""
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        try:
            return run(words, path)
        except Exception:
            return 70
