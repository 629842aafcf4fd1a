"""The whole campaign behind a desk, with the secrets of both sides.

Only what must judge by the truth takes it: mail, recovery, what this machine has seen, agreements,
what comes in from files, an audit, a forecast's start. Everything that is shown comes from a book
(views/view.py); import-linter holds who may import this.
"""

from typing import Protocol

from brt_cg.journal.journal import Journal
from brt_cg.model import Side


class SeatedCampaign(Protocol):
    """What is needed of a desk to say what may be undone there."""

    _journal: Journal
    at_table: bool

    @property
    def side(self) -> Side | None: ...


def unrestricted_campaign(desk: SeatedCampaign) -> Journal:
    """The journal of a desk's campaign."""
    return desk._journal
