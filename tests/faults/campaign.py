"""What a fault must not harm: a command on a campaign, tried with the storage failing under it."""

import shutil
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from brt_cg.audit import audit
from brt_cg.cli import main
from brt_cg.storage.backups import Why, make
from brt_cg.storage.errors import StorageError
from tests.faults.children import KILLED, in_child, left_by_kills
from tests.faults.rim import FULL, IOERR, OK, watched
from tests.reading import read_entries

Words = list[str]


@dataclass(frozen=True, slots=True)
class Command:
    """A command line on a file; `before` are those that lead to it. One that stores answer by
    answer keeps those that were stored before it failed; before one that `upgrades`, the file is of
    an older revision."""

    name: str
    words: Words
    before: tuple[Words, ...] = ()
    by_answer: bool = False
    upgrades: bool = False


@dataclass(slots=True)
class Tally:
    """What became of the faults that were tried on a command; `left` holds how it ended after
    each, with the files to the byte."""

    tried: int = 0
    lost: list[str] = field(default_factory=list)
    left: set[tuple[object, ...]] = field(default_factory=set)


FAULTS: dict[str, int | None] = {"kill": None, "disk full": FULL, "disk error": IOERR}


def try_faults(command: Command, start: Path | None, most: int, within: Path) -> Tally:
    """Tries each fault at each call that SQLite makes at the storage rim, or at as many as `most`
    allows, evenly spread, and each kind at calls of its own."""
    tally = Tally()
    with TemporaryDirectory(dir=within) as place:
        folder, kept = Path(place, "here"), Path(place, "left")
        folder.mkdir()
        path = _fresh(folder, start)
        before = stored(path)
        # What it loads, no child need load again.
        assert run_hushed(command.words, path) in (0, 3), command.name
        stands = (before, stored(path))
        _fresh(folder, start)
        left = left_by_kills(lambda: run(command.words, path), folder, kept)
        step = max(1, len(left) * len(FAULTS) // most)
        for index, (kind, fault) in enumerate(FAULTS.items()):
            for number in range(index * step // len(FAULTS), len(left), step):
                tally.tried += 1
                ended, code = left[number], KILLED
                if fault is not None:
                    _fresh(folder, start)
                    ended, code = folder, in_child(_failing(command.words, path, number, fault))
                found = _problems(command, ended, code, stands, tally.left)
                tally.lost += [f"{command.name}, {kind} at call {number}: {each}" for each in found]
    return tally


def _problems(
    command: Command,
    folder: Path,
    code: int,
    stands: tuple[int, int],
    left: set[tuple[object, ...]],
) -> list[str]:
    """What is wrong after a fault: with what stands (so many entries before the command, and with
    it), with what was said, or with going on. Where one before left the same, nothing else is."""
    path = folder / "campaign.brt"
    before, whole = stands
    ended = (
        code,
        *((each.relative_to(folder), each.read_bytes()) for each in sorted(_files(folder))),
    )
    if ended in left:
        return []
    left.add(ended)
    problems = []
    if code not in (0, 2, 3, KILLED):
        problems.append(f"it ends with status {code}")
    try:
        now = stored(path)
        if before and not audit(path).ok:
            problems.append("the audit finds something")
    except StorageError as error:
        return [*problems, f"the campaign cannot be read: {error}"]
    if not before <= now <= whole:
        problems.append(f"{now} entries stand, there were {before}, and {whole} with it")
    if code == 2 and now != before and not command.by_answer:
        problems.append(f"it was refused, and {now - before} entries stand")
    if now < whole and run_hushed(command.words, path) not in (0, 3):
        problems.append("it cannot be done any more")
    if now:
        make(path, Why.BEFORE_IMPORT)  # which clears away what was half-made
    problems += [f"{each.name} is left behind" for each in folder.iterdir() if _is_litter(each)]
    return problems


def _files(folder: Path) -> list[Path]:
    return [each for each in folder.rglob("*") if each.is_file()]


def _is_litter(path: Path) -> bool:
    if path.name == "campaign.backups":
        return any(each.suffix != ".brt" for each in path.iterdir())
    return path.name != "campaign.brt"


def _failing(words: Words, path: Path, number: int, code: int) -> Callable[[], int]:
    """Runs a command; after so many calls, every one fails."""
    count = 0

    def before(_: str) -> int:
        nonlocal count
        count += 1
        return code if count > number else OK

    return lambda: watched(lambda: run(words, path), before)


def run(words: Words, path: Path) -> int:
    return main([str(path) if word == "FILE" else word for word in words])


def run_hushed(words: Words, path: Path) -> int:
    """Runs a command that nothing happens to; what it raises is status 70."""
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        try:
            return run(words, path)
        except Exception:
            return 70


def stored(path: Path) -> int:
    """How many entries stand; none where there is no file, or an empty one."""
    if not path.exists() or _holds_nothing(path):
        return 0
    return len(read_entries(path))


def _holds_nothing(path: Path) -> bool:
    from brt_cg.storage.file import is_empty

    return is_empty(path)


def _fresh(folder: Path, start: Path | None) -> Path:
    for each in folder.iterdir():
        shutil.rmtree(each) if each.is_dir() else each.unlink()
    path = folder / "campaign.brt"
    if start is not None:
        shutil.copy(start, path)
    return path


def prepared(command: Command, folder: Path, make: Callable[[Path], Path]) -> Path | None:
    """The file that a command meets; None for one that makes its own."""
    if command.words[0] == "new":
        return None
    path = Path(shutil.copy(make(folder), folder / f"{command.name}.brt"))
    for words in command.before:
        assert run_hushed(words, path) in (0, 3), words
    return path
