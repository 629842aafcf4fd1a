"""The tokens of plain pages: the first form sent from a page uses up its token, so that no form
acts twice.

The tokens used are remembered on this machine, so that a restart of the server forgets none.
"""

import secrets
import time

from brt_cg.files import state_file_path
from brt_cg.service.saved_notes import SavedNotes, saved_value_or_empty

FIELD = "page-token"
FORM = '<form method="post">'
MOST_USED = 500  # tokens remembered; a page older than the first of them can no longer be used
USED = "A form on this page has already been sent. This is the current page: enter it here."


class PageTokens:
    """The tokens of the plain pages of a campaign, by the name of its addresses."""

    def __init__(self, campaign: str) -> None:
        self._notes = SavedNotes(state_file_path("pages", campaign))
        found = self._notes.read()
        self._used = {str(token) for token in saved_value_or_empty(found, "used", list)}
        self._oldest = saved_value_or_empty(found, "oldest", str)

    def add_form_token(self, page: str) -> str:
        """Return a page with a new token in each of its forms."""
        token = f"{time.time_ns():020}-{secrets.token_urlsafe(12)}"
        field = f'<input type="hidden" name="{FIELD}" value="{token}">'
        return page.replace(FORM, FORM + field)

    def use(self, token: str) -> bool:
        """Use up a token. Return whether it was still unused."""
        if token in self._used or token <= self._oldest:
            return False
        self._used.add(token)
        if len(self._used) > MOST_USED:
            self._oldest = min(self._used)
            self._used.remove(self._oldest)
        self._notes.save(used=sorted(self._used), oldest=self._oldest)
        return True
