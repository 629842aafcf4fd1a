"""Journal entries and their hash chain.

An entry's payload is canonical JSON (sorted keys, no spaces, UTF-8; no floats). The hash covers the
entry's number, the payload's text and the previous hash, so that no entry can be moved, altered,
dropped or inserted without a break.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from brt_cg.immutable import immutable
from brt_cg.model import MOST, Seat, Side
from brt_cg.questions import GIVEN_AHEAD, Outcome, Question, Raw, RefusedError
from brt_cg.refit.log_line import LogLine

NO_HASH = "0" * 64
KINDS_OF_PARAGRAPH = ("begin", "skip", "answer")
# Kinds that change nothing and that undo skips: they remain even if the entries around them are
# undone.
AGREEMENT = ("ask", "agree", "decline", "withdraw")
AHEAD = "ahead"  # answers to questions that are still to come
TRANSPARENT = ("restore", "repair", "take", AHEAD, *AGREEMENT)
TIME_TRAVEL = {"undo": "undone", "redo": "redone"}  # and its past participle for sentences


@immutable
class Entry:
    """One appended fact.

    `text` is the canonical payload, `said` the derived sentences (outside the hash, so that wording
    may improve). The payload's keys: kind, asked, changes, by, at, rules, call, form; and, if they
    apply, seat, rule, ask, answer, from, seed, roll, secret, public. `by` is the side that was
    asked, or "players".
    """

    seq: int
    text: str
    hash: str
    payload: dict[str, Any]
    said: tuple[LogLine, ...] = ()

    @property
    def kind(self) -> str:
        kind: str = self.payload["kind"]
        return kind

    @property
    def changes(self) -> list[list[Any]]:
        changes: list[list[Any]] = self.payload["changes"]
        return changes

    @property
    def rule(self) -> str | None:
        """The paragraph of a begin, a skip or an answer."""
        return self.payload.get("rule")

    @property
    def invocation(self) -> int:
        """The number of the first entry of the same invocation."""
        return int(self.payload["call"])

    @property
    def record_form(self) -> int:
        """The form in which the entry writes records (`encoding`)."""
        return self.payload.get("form") or 1

    @property
    def seat(self) -> Seat | None:
        """The seat that made the entry; None if not known."""
        seat = self.payload.get("seat")
        return Seat(seat) if seat is not None else None

    @property
    def secret(self) -> Side | None:
        whose = self.payload.get("secret")
        return Side(whose) if whose else None

    @property
    def asked(self) -> dict[str, Any]:
        asked: dict[str, Any] = self.payload.get("asked") or {}
        return asked

    @property
    def can_be_undone_alone(self) -> bool:
        """Whether undo can stop at the entry: an answer or a command can be undone alone, but not
        the start of a paragraph or an early answer, which follow from the previous entries."""
        return self.kind not in ("begin", "skip", *TIME_TRAVEL) and not self.is_early_answer

    @property
    def is_early_answer(self) -> bool:
        """Whether the entry is an answer that its side gave before the question was asked, or buys
        the orders on its side's list."""
        if self.kind == "commit":
            return "list" in self.asked
        return self.kind == "answer" and self.payload.get("from") == GIVEN_AHEAD.way


# Gives the canonical text of a value that is known to hold no float.
encode = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, check_circular=False
).encode


def canonical_json(payload: Any, /) -> str:
    """Return the JSON text of a payload. Raises ValueError on a float."""
    _check_whole((payload,))
    return encode(payload)


def _check_whole(values: Iterable[Any]) -> None:
    for each in values:
        kind = type(each)
        if kind is str:  # the common case
            continue
        if kind is float:
            raise ValueError(f"{each!r}: the journal holds no fractions")
        if kind is dict:
            _check_whole(each.values())
        elif kind is list or kind is tuple:
            _check_whole(each)


def chain_hash(before: str, seq: int, text: str) -> str:
    """Return the SHA-256 over an entry's payload text, its number, and the previous hash."""
    return hashlib.sha256(
        f'{{"payload":{text},"prev":"{before}","seq":{seq}}}'.encode()
    ).hexdigest()


def make_next_entry(
    entries: Sequence[Entry],
    payload: dict[str, Any],
    said: tuple[LogLine, ...] = (),
    written: Callable[[Any], str] = canonical_json,
) -> Entry:
    """Make the next entry of a journal."""
    seq = len(entries) + 1
    before = entries[-1].hash if seq > 1 else NO_HASH
    text = written(payload)
    return Entry(seq, text, chain_hash(before, seq, text), payload, said)


def log_lines_to_json(said: Sequence[LogLine]) -> str:
    """Return the sentences of an entry as the JSON text that is stored beside it."""
    return encode([(sentence.text, sentence.about, sentence.secret) for sentence in said])


def log_lines_from_json(text: str) -> tuple[LogLine, ...]:
    """Return the sentences of an entry from their stored text."""
    return log_lines_from_data(json.loads(text))


def log_lines_from_data(plain: Iterable[Any]) -> tuple[LogLine, ...]:
    """Return the sentences of an entry from JSON."""
    return tuple(
        LogLine(sentence, tuple(about), Side(secret) if secret else None)
        for sentence, about, secret in plain
    )


# --- how answers, rolls and undos are written down ------------------------------------------------


def question_key_as_json(ask: Question[Any]) -> dict[str, Any]:
    """Return a question as the journal stores it."""
    return {"rule": ask.rule, "subject": ask.subject, "kind": ask.kind, "side": str(ask.side)}


def roll_as_json(outcome: Outcome) -> dict[str, Any]:
    """Return a roll as the journal stores it: dice, modifiers with reasons, Final and table row."""
    return {
        "table": outcome.table_key,
        "dice": list(outcome.faces),
        "modifiers": [[modifier.amount, modifier.reason] for modifier in outcome.modifiers],
        "original": outcome.original,
        "final": outcome.final,
        "row": outcome.row.result,
    }


def normalize_answer(raw: Raw) -> Raw:
    """Return an answer as it will be read back from the journal, with keys in order, so that a
    replay gets exactly this answer. Raises RefusedError for text that a file cannot hold."""
    if raw is None or isinstance(raw, int):
        return raw
    text = raw if type(raw) is str else encode(raw)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise RefusedError("a text contains half of a character") from None
    return raw if text is raw else json.loads(text)


def check_number_sizes(raw: Raw) -> None:
    """Raise RefusedError for a number in an answer that is too large for any counter or total."""
    if isinstance(raw, float) or (isinstance(raw, int) and abs(raw) > MOST):
        raise RefusedError(f"{raw} is not accepted; enter a whole number from −{MOST} to {MOST}")
    for part in raw.values() if isinstance(raw, dict) else raw if isinstance(raw, list) else ():
        check_number_sizes(part)


def undo_log_lines(kind: str, about: list[Entry]) -> tuple[LogLine, ...]:
    """Return the sentences of an undo or redo: one for each undone or restored sentence, with the
    same secrecy."""
    lines = [line for entry in about for line in entry.said]
    return tuple(
        LogLine(f"{TIME_TRAVEL[kind]}: {line.text}", line.about, line.secret) for line in lines
    )
