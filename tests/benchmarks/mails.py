"""What a mail costs: written, and taken into the other player's campaign."""

import os
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from brt_cg.journal.entries import NO_HASH
from brt_cg.service import mail
from brt_cg.service.mail import MailResult
from brt_cg.service.mail_file import Mail, pack_mail
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from tests.benchmarks import campaigns
from tests.benchmarks.figures import Clock, Figure, Size, computing
from tests.homes import homes

KNOWN = 20  # entries that the other player has already


def mailing(size: Size, folder: Path) -> Iterator[Figure]:
    """Many entries of the demo's Refit Phases, mailed to a player who has only the first few; both
    ends, and the file that is sent."""
    entries = size.count(300, 1500)
    mine, theirs = folder / "mine.brt", folder / "theirs.brt"
    desk = OpenCampaign.open(campaigns.long_campaign(mine, entries + KNOWN))
    first, made = folder / "first.brtmail", folder / "new.brtmail"
    first.write_bytes(
        pack_mail(
            Mail(desk.campaign_id, None, (0, NO_HASH), unrestricted_campaign(desk).entries[:KNOWN])
        )
    )

    def to_and_fro() -> None:
        mail.write_mail_file(desk, made, None, begins=True, force=True)
        assert mail.receive_mail(theirs, made, None).done is MailResult.APPENDED

    with patch.dict(os.environ, homes(folder)):  # nothing of it is remembered
        mail.receive_mail(theirs, first, None)
        took = computing(to_and_fro)
    new = len(unrestricted_campaign(desk).entries) - KNOWN
    yield Figure(f"a mail of {new:,} entries, made and taken", took, "s", size.goal(1.0))
    size_of_it = made.stat().st_size / 1024
    yield Figure("  its size", size_of_it, "kB", size.goal(1024), clock=Clock.NONE)
