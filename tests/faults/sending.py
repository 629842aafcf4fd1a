"""A mail that is being written when the program is killed: it is there as a whole or not at all."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from brt_cg.audit import audit_campaign
from brt_cg.questions.answers import RefusedError
from brt_cg.service.mail_file import read_mail
from tests.faults.campaign import fresh, stored
from tests.faults.children import left_at_every_step
from tests.faults.commands import run, run_hushed, start_of
from tests.faults.table import Harm, Problem, room


class Sends:
    """A whole campaign sent, and killed before each call that changes a file: the seed is its
    number."""

    def __init__(self, folder: Path) -> None:
        here = room(folder, "here")
        path = fresh(here, start_of(folder))
        self.whole = stored(path)
        kept = room(folder, "left")
        self.left = left_at_every_step(lambda: run(_words(path), path), here, kept)

    def seeds(self, full: bool) -> Iterable[str]:
        return map(str, range(len(self.left)))

    def problems(self, seed: str) -> Iterator[Problem]:
        path = self.left[int(seed)] / "campaign.brt"
        if stored(path) != self.whole or not audit_campaign(path).ok:
            yield Problem(Harm.LOST, "the campaign is not as it was")
        mail = path.with_name("mail.brtmail")
        if not mail.exists() and run_hushed(_words(path), path) != 0:
            yield Problem(Harm.LOST, "it cannot be sent any more")
        try:
            held = len(read_mail(mail).entries)
        except RefusedError as why:
            yield Problem(Harm.UNTRUE, f"half a mail is there: {why}")
            return
        if held != self.whole:
            yield Problem(Harm.LOST, f"the mail holds {held} of {self.whole} entries")


def _words(path: Path) -> list[str]:
    mail = path.with_name("mail.brtmail")
    return ["send", str(path), "-o", str(mail), "--side", "marine", "--all"]
