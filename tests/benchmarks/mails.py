"""What a mail costs: written, and taken into the other player's campaign."""

import os
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from brt_cg.journal.entries import NO_HASH
from brt_cg.service import mail
from brt_cg.service.desk import Desk
from brt_cg.service.mail import Done
from brt_cg.service.mail_file import Mail, packed
from brt_cg.service.whole import whole
from tests.benchmarks import campaigns
from tests.benchmarks.figures import Clock, Figure, Size, computing
from tests.homes import homes

KNOWN = 20  # entries that the other player has already


def mailing(size: Size, folder: Path) -> Iterator[Figure]:
    """Many entries of the demo's Refit Phases, mailed to a player who has only the first few; both
    ends, and the file that is sent."""
    entries = size.count(300, 1500)
    mine, theirs = folder / "mine.brt", folder / "theirs.brt"
    desk = Desk.open(campaigns.long_campaign(mine, entries + KNOWN))
    first, made = folder / "first.brtmail", folder / "new.brtmail"
    first.write_bytes(packed(Mail(desk.begun, None, (0, NO_HASH), whole(desk).entries[:KNOWN])))

    def to_and_fro() -> None:
        mail.send(desk, made, None, begins=True, force=True)
        assert mail.receive(theirs, made, None).done is Done.APPENDED

    with patch.dict(os.environ, homes(folder)):  # nothing of it is remembered
        mail.receive(theirs, first, None)
        took = computing(to_and_fro)
    new = len(whole(desk).entries) - KNOWN
    yield Figure(f"a mail of {new:,} entries, made and taken", took, "s", size.goal(1.0))
    size_of_it = made.stat().st_size / 1024
    yield Figure("  its size", size_of_it, "kB", size.goal(1024), clock=Clock.NONE)
