"""Two windows on one campaign, each doing what it likes: nothing is lost, or done twice."""

import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from brt_cg.audit import audit_campaign
from brt_cg.questions.answers import RefusedError
from brt_cg.questions.dice import SeededDice
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.storage.errors import StaleCampaignError
from brt_cg.storage.reader import newest_entry
from tests.audit import played
from tests.faults.table import Harm, Problem
from tests.reading import read_entries

AUDITED = 10  # one interleaving in so many, as an audit takes its time
STEPS = 8  # of both windows together, in one interleaving


@dataclass(slots=True)
class Window:
    """A desk at the file, which may have fallen behind; what it entered, by hash."""

    desk: OpenCampaign
    random: Random
    entered: list[str] = field(default_factory=list)

    def act(self) -> bool:
        """Does one thing; whether it was stored. Who came too late is told, and reads anew."""
        before = len(unrestricted_campaign(self.desk).entries)
        try:
            self.random.choice(ACTIONS)(self)
        except StaleCampaignError:
            self.desk.reload()
            return False
        except RefusedError:
            return False
        self.entered += [one.hash for one in unrestricted_campaign(self.desk).entries[before:]]
        return len(unrestricted_campaign(self.desk).entries) > before

    def answer(self) -> None:
        ask = self.desk.continue_play()
        if ask is None:
            return
        dice = SeededDice(self.random.random().hex())
        self.desk.answer_and_play(
            ask, *self.desk.get_answer_from_supply(ask, AnswerSupply(dice=dice, defaults=True))
        )

    def buy(self) -> None:
        order = {"item": "foxhole_1s", "side": "japanese", "beach": "red_one", "draft": True}
        self.desk.run_command("buy", order, "japanese")

    def note(self) -> None:
        self.desk.run_command("note", {"words": "seen", "side": None, "about": None})

    def undo(self) -> None:
        self.desk.undo_or_request()

    def redo(self) -> None:
        self.desk.redo()

    def take_in(self) -> None:
        state = played.document("20 AM")
        asked = {"state": state, "source": "s.json", "missing": "keep", "side": None}
        self.desk.run_command("import", asked)


ACTIONS: tuple[Callable[[Window], None], ...] = (
    *(Window.answer, Window.answer, Window.buy, Window.note),
    *(Window.undo, Window.redo, Window.take_in),
)


class Windows:
    """Interleavings of two windows on a campaign with points, at the beginning of a Refit Phase."""

    def __init__(self, folder: Path, quick: int, full: int) -> None:
        self.folder, self.quick, self.full = folder, quick, full
        self.start = folder / "start.brt"
        points = {"cg": "III", "name": None, "allotments": played.ALLOTMENTS}
        desk = OpenCampaign.create(self.start, points)
        desk.run_command("import", played.imported(played.document("20 AM")))
        desk.close()

    def seeds(self, full: bool) -> Iterable[str]:
        return map(str, range(self.full if full else self.quick))

    def problems(self, seed: str) -> Iterator[Problem]:
        """What is wrong after one interleaving on a copy of the campaign."""
        path = Path(shutil.copy(self.start, self.folder / "windows.brt"))
        random = Random(int(seed))
        windows = [Window(OpenCampaign.open(path, backs_up=False), random) for _ in range(2)]
        there, _ = newest_entry(path)
        for _ in range(STEPS):
            stored = random.choice(windows).act()
            now, _ = newest_entry(path)
            if (now > there) is not stored:
                told = f"{now - there} entries stored, told {stored}"
                yield Problem(Harm.LOST if stored else Harm.UNTRUE, told)
            there = now
        stand = [one.hash for one in read_entries(path)]
        # a note that came too late is entered after what the other entered, and has read that
        entered = {hash for window in windows for hash in window.entered}
        kept = stand[len(stand) - len(entered) :] if entered else []
        if sorted(entered) != sorted(kept):
            yield Problem(Harm.LOST, "what was entered is not what stands")
        if int(seed) % AUDITED == 0 and not audit_campaign(path).ok:
            yield Problem(Harm.LOST, "the audit finds something")
        for window in windows:
            window.desk.close()
