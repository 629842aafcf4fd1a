"""The question that a command showed last, so that the next answer cannot go to another one.

It is stored on this machine, by file and seat, together with the campaign and the last entry that
the seat saw; it does not apply to another campaign, or before that entry.
"""

import argparse
from pathlib import Path
from typing import Any, NamedTuple

from brt_cg.files import read_state_file, state_file_path, write_state_file
from brt_cg.questions import Question, RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.storage.place import canonical_place


class ShownQuestion(NamedTuple):
    """A question as shown, the identity of the campaign, and the last entry that the seat saw."""

    rule: str
    subject: str
    kind: str
    begun: str
    rows: int

    def was_shown_in_campaign(self, desk: OpenCampaign) -> bool:
        """Whether the question was shown in this campaign, at its current point or an earlier
        one."""
        return self.begun == desk.campaign_id and self.rows <= desk.view().mark.rows

    def matches(self, ask: Question[Any]) -> bool:
        return (self.rule, self.subject, self.kind) == (ask.rule, ask.subject, ask.kind)


def remember_question(options: argparse.Namespace, desk: OpenCampaign) -> None:
    """Remember the open question as shown, if the seat knows of it."""
    book, shown = desk.view(), None
    if (ask := book.ask) is not None:
        shown = ShownQuestion(ask.rule, ask.subject, ask.kind, desk.campaign_id, book.mark.rows)
    write_state_file(_file(options), {"shown": shown})


def last_shown_question(options: argparse.Namespace) -> ShownQuestion | None:
    """Return the question that the last command showed for this file and seat."""
    found = read_state_file(_file(options)).get("shown")
    if not isinstance(found, list) or [type(part) for part in found] != [str, str, str, str, int]:
        return None
    return ShownQuestion(*found)


def check_same_question(
    options: argparse.Namespace, shown: ShownQuestion | None, desk: OpenCampaign, ask: Question[Any]
) -> None:
    """Raise RefusedError if an answer is not for the open question: it names another question, or
    it names none and another question was shown last."""
    rule, subject = options.rule or ask.rule, options.subject or ask.subject
    if (rule, subject) != (ask.rule, ask.subject):
        raise RefusedError(f"{rule} {subject} is not the open question; see `brt-cg status`")
    is_named = options.rule is not None or options.subject is not None
    if (
        not is_named
        and shown is not None
        and shown.was_shown_in_campaign(desk)
        and not shown.matches(ask)
    ):
        was = f"{shown.rule} {shown.subject}, which you were shown"
        raise RefusedError(f"{was}, is no longer the open question; see `brt-cg status`")


def _file(options: argparse.Namespace) -> Path:
    return state_file_path("asked", f"{canonical_place(options.file)} {options.side or ''}")
