"""Two windows on one campaign, each doing what it likes: nothing is lost, or done twice."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from brt_cg.audit import audit
from brt_cg.questions.answers import Refused
from brt_cg.questions.dice import SeededDice
from brt_cg.service.desk import Desk
from brt_cg.service.supply import Supply
from brt_cg.storage.errors import MovedOn
from brt_cg.storage.reader import tip
from tests.audit import played
from tests.reading import read_entries

AUDITED = 10  # one interleaving in so many, as an audit takes its time
STEPS = 8  # of both windows together, in one interleaving


@dataclass(slots=True)
class Window:
    """A desk at the file, which may have fallen behind; what it entered, by hash."""

    desk: Desk
    random: Random
    entered: list[str] = field(default_factory=list)

    def act(self) -> bool:
        """Does one thing; whether it was stored. Who came too late is told, and reads anew."""
        before = len(self.desk.entries)
        try:
            self.random.choice(ACTIONS)(self)
        except MovedOn:
            self.desk.reload()
            return False
        except Refused:
            return False
        self.entered += [one.hash for one in self.desk.entries[before:]]
        return len(self.desk.entries) > before

    def answer(self) -> None:
        ask = self.desk.begin()
        if ask is None:
            return
        dice = SeededDice(self.random.random().hex())
        self.desk.answer_on(ask, *self.desk.supply(ask, Supply(dice=dice, defaults=True)))

    def buy(self) -> None:
        order = {"item": "foxhole_1s", "side": "japanese", "beach": "red_one", "draft": True}
        self.desk.command("buy", order, "japanese")

    def note(self) -> None:
        self.desk.command("note", {"words": "seen", "side": None, "about": None})

    def undo(self) -> None:
        self.desk.undo()

    def redo(self) -> None:
        self.desk.redo()

    def take_in(self) -> None:
        state = played.document("20 AM")
        asked = {"state": state, "source": "s.json", "missing": "keep", "side": None}
        self.desk.command("import", asked)


ACTIONS: tuple[Callable[[Window], None], ...] = (
    *(Window.answer, Window.answer, Window.buy, Window.note),
    *(Window.undo, Window.redo, Window.take_in),
)


def interleaved(start: Path, folder: Path, seed: int) -> list[str]:
    """One interleaving on a copy of a campaign; what is wrong after it."""
    path = Path(shutil.copy(start, folder / "windows.brt"))
    random = Random(seed)
    windows = [Window(Desk.open(path, backs_up=False), random) for _ in range(2)]
    problems = []
    there, _ = tip(path)
    for _ in range(STEPS):
        window = random.choice(windows)
        stored = window.act()
        now, _ = tip(path)
        if (now > there) is not stored:
            problems.append(f"seed {seed}: {now - there} entries stored, told {stored}")
        there = now
    stand = [one.hash for one in read_entries(path)]
    entered = [hash for window in windows for hash in window.entered]
    kept = stand[len(stand) - len(entered) :] if entered else []
    if sorted(entered) != sorted(kept):
        problems.append(f"seed {seed}: what was entered is not what stands")
    if seed % AUDITED == 0 and not audit(path).ok:
        problems.append(f"seed {seed}: the audit finds something")
    for window in windows:
        window.desk.close()
    return problems
