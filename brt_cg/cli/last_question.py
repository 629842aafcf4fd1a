"""The question that a command showed last, so that the next answer falls on no other.

What was shown is remembered on this machine, by file and seat, with the campaign and how far the
seat saw it: in another campaign, or before that, it means nothing.
"""

import argparse
from pathlib import Path
from typing import Any, NamedTuple

from brt_cg.files import read_state, state_file, write_state
from brt_cg.questions.answers import Refused
from brt_cg.questions.asks import Ask
from brt_cg.service.desk import Desk
from brt_cg.storage.place import spelled


class Shown(NamedTuple):
    """A question as it was shown, what identifies the campaign, and how far the seat saw it."""

    rule: str
    subject: str
    kind: str
    begun: str
    rows: int

    def stands_in(self, desk: Desk) -> bool:
        """Whether the campaign has gone on from there."""
        return self.begun == desk.begun and self.rows <= desk.book().mark.rows

    def is_like(self, ask: Ask[Any]) -> bool:
        return (self.rule, self.subject, self.kind) == (ask.rule, ask.subject, ask.kind)


def note(options: argparse.Namespace, desk: Desk) -> None:
    """Remembers the open question as shown, if the seat knows of it."""
    book, shown = desk.book(), None
    if (ask := book.ask) is not None:
        shown = Shown(ask.rule, ask.subject, ask.kind, desk.begun, book.mark.rows)
    write_state(_file(options), {"shown": shown})


def shown_before(options: argparse.Namespace) -> Shown | None:
    """The question that the last command showed for this file and seat."""
    found = read_state(_file(options)).get("shown")
    if not isinstance(found, list) or [type(part) for part in found] != [str, str, str, str, int]:
        return None
    return Shown(*found)


def check(options: argparse.Namespace, shown: Shown | None, desk: Desk, ask: Ask[Any]) -> None:
    """Raises Refused if an answer is meant for another question than the open one: one that is
    named, or the one that was shown."""
    rule, subject = options.rule or ask.rule, options.subject or ask.subject
    if (rule, subject) != (ask.rule, ask.subject):
        raise Refused(f"{rule} {subject} is not asked now: see brt-cg status")
    is_named = options.rule is not None or options.subject is not None
    if not is_named and shown is not None and shown.stands_in(desk) and not shown.is_like(ask):
        was = f"{shown.rule} {shown.subject}, which you were shown"
        raise Refused(f"{was}, is not asked any more: see brt-cg status")


def _file(options: argparse.Namespace) -> Path:
    return state_file("asked", f"{spelled(options.file)} {options.side or ''}")
