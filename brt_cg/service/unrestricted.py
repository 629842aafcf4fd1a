"""The unrestricted campaign, with the secrets of both sides.

Only code that must know everything uses it: mail, recovery, the record of the entries seen on this
machine, agreements, imports from files, an audit, a forecast's start. Everything that is shown
comes from a view (views/view.py); import-linter enforces which modules may import this.
"""

from typing import Protocol

from brt_cg.journal.journal import Journal
from brt_cg.model import Side


class SeatedCampaign(Protocol):
    """The part of an open campaign that decides what may be undone there."""

    _journal: Journal
    at_table: bool

    @property
    def side(self) -> Side | None: ...


def unrestricted_campaign(desk: SeatedCampaign) -> Journal:
    """Return the journal of an open campaign."""
    return desk._journal
