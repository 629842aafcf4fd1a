"""The identity of a question: a value that distinguishes it from any other question, for the
viewer.

It is made from the question and the paragraph so far, as the viewers may know them, so no note and
no secret of the enemy changes it. Text typed, ticked or painted for a question is kept while its
identity is the same, and is entered for no other question.
"""

import hashlib
import json
from collections.abc import Iterator
from typing import Any, NewType

from brt_cg.journal.entries import KINDS_OF_PARAGRAPH, TRANSPARENT, Entry
from brt_cg.journal.journal import NOTE, Journal
from brt_cg.questions import Question
from brt_cg.views.journal import is_hidden_from, known_lines
from brt_cg.views.public_point import known_question
from brt_cg.views.undo import Sides

QuestionName = NewType("QuestionName", str)
LETTERS = 16  # characters of a name


def question_identity(journal: Journal, sides: Sides) -> QuestionName | None:
    """Return the identity of the open question for these sides together (none: the umpire); None if
    there is no question that all of them may know of."""
    ask = journal.open_question()
    if ask is None or any(known_question(journal, side) is not ask for side in sides):
        return None
    so_far = [each for entry in _so_far(journal) for each in _known_facts(entry, sides)]
    named = [*_asked(ask), journal.campaign.situation.date, so_far]
    told = json.dumps(named, sort_keys=True, default=str)
    return QuestionName(hashlib.sha256(told.encode()).hexdigest()[:LETTERS])


def _asked(ask: Question[Any]) -> list[object]:
    """Return the question's own part of the identity."""
    options = [[option.raw, option.label] for option in ask.named_options]
    modifiers = [[modifier.amount, modifier.reason] for modifier in ask.modifiers]
    return [ask.rule, ask.subject, ask.kind, ask.side, ask.prompt, options, modifiers]


def _so_far(journal: Journal) -> Iterator[Entry]:
    """Yield the entries, not undone, of the paragraph in progress, and the commands between it and
    the previous paragraph, newest first."""
    number, begun = journal.campaign.situation.paragraph, False
    for entry in journal.newest_not_undone_first():
        if begun and (entry.kind in KINDS_OF_PARAGRAPH or entry.kind in ("import", "new")):
            return
        if entry.kind != NOTE and entry.kind not in TRANSPARENT:
            yield entry
        begun = begun or (entry.kind == "begin" and entry.rule == number)


def _known_facts(entry: Entry, sides: Sides) -> list[object]:
    """Return the facts about an entry that these sides know: its lines, and the answer if they may
    know it."""
    lines = [line for line in entry.said if all(line in known_lines(entry, s) for s in sides)]
    told: list[object] = [line.text for line in lines]
    if entry.kind == "answer" and not any(is_hidden_from(entry, side) for side in sides):
        told += [entry.payload["ask"]["subject"], entry.payload["answer"]]
    return told
