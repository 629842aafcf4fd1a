"""The whole campaign behind a desk, with the secrets of both sides.

Only what must judge by the truth takes it: mail, recovery, what this machine has seen, agreements,
what comes in from files, an audit, a forecast's start. Everything that is shown comes from a book
(views/book.py); import-linter holds who may import this.
"""

from typing import TYPE_CHECKING

from brt_cg.journal.journal import Journal

if TYPE_CHECKING:
    from brt_cg.service.desk import Desk


def whole(desk: "Desk") -> Journal:
    """The journal of a desk's campaign."""
    return desk._journal
