"""The answers that a side gave to its questions before they were asked.

An answer is for one question of a Refit Phase: its rule, subject and kind, and its mark, which
covers how it is put and what it allows. Where the question that is asked differs in any of that,
because of dice or of the other side's answers, the player is asked.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from brt_cg.journal.entries import Entry, ask_record, canonical
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.questions.asks import Ask, Enter, Several

Key = tuple[str, str, str, str]
LETTERS = 16  # of a mark


def mark_of(ask: Ask[Any]) -> str:
    """What tells a question from others of its rule and subject: how it is put, what it allows,
    and what it offers."""
    offers: list[list[str]] = []
    if isinstance(ask, Several):
        offers = [[item.subject, item.words] for item in ask.items]
    elif isinstance(ask, Enter):
        offers = [[each.typed, each.words] for each in ask.form.offered(ask.side)]
    put = canonical([ask.side, ask.prompt, ask.allowed, offers])
    return sha256(put.encode()).hexdigest()[:LETTERS]


def key_of(ask: Ask[Any]) -> Key:
    """The key of a question that may be answered ahead."""
    return ask.rule, ask.subject, ask.kind, mark_of(ask)


def answered_ahead(journal: Journal, side: Side) -> Mapping[Key, Any]:
    """The raw answers that a side gave ahead in this Refit Phase, whether or not they were
    entered."""
    newest = _newest(journal, side)
    return {} if newest is None else _answers(newest)


def answer_ahead(journal: Journal, ask: Ask[Any]) -> tuple[bool, Any]:
    """Whether a question was answered ahead by its side, and is asked for the first time since;
    and the raw answer."""
    newest = _newest(journal, ask.side)
    if newest is None or ask.kind == "roll":
        return False, None
    answers, key = _answers(newest), key_of(ask)
    if key not in answers or _was_entered(journal, ask, newest.seq):
        return False, None
    return True, answers[key]


def _newest(journal: Journal, side: Side) -> Entry | None:
    entries = (journal.entries[seq - 1] for seq in reversed(journal.ahead))
    newest = next((entry for entry in entries if entry.asked.get("side") == side), None)
    return newest if newest is not None and journal.is_of_this_phase(newest) else None


def _answers(entry: Entry) -> dict[Key, Any]:
    rows = entry.asked["answers"]
    return {(row["rule"], row["subject"], row["kind"], row["mark"]): row["answer"] for row in rows}


def _was_entered(journal: Journal, ask: Ask[Any], since: int) -> bool:
    record = ask_record(ask)
    return any(
        entry.seq > since and entry.is_ahead and entry.payload["ask"] == record
        for entry in journal.of_this_phase()
    )
