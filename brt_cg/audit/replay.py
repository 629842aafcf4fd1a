"""Replay of the journal by the rules, to check that the recorded changes follow from the questions
and answers."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from typing import Any

from brt_cg.audit.chain import UNREADABLE, check_seeded_dice
from brt_cg.audit.finding import Finding
from brt_cg.audit.other_rules import (
    RulesExplanation,
    entries_with_trusted_label,
    rules_version_of_entry,
)
from brt_cg.card import Card, load_card
from brt_cg.commands.registry import COMMANDS
from brt_cg.journal import payload_checks
from brt_cg.journal.changes import invert_changes
from brt_cg.journal.entries import (
    KINDS_OF_PARAGRAPH,
    NO_HASH,
    TIME_TRAVEL,
    TRANSPARENT,
    Entry,
    canonical_json,
    chain_hash,
    encode,
    log_lines_to_json,
)
from brt_cg.journal.journal import NOTE, Journal
from brt_cg.journal.replay import Replay, ReplayError, append_as_recorded, replay_entry
from brt_cg.journal.rules_version import read_rules_version
from brt_cg.model import Campaign, Side
from brt_cg.refit.log_line import LogLine
from brt_cg.storage.reader import RawEntry

# Rows that are read together, then replayed, then compared: it is faster to do one thing at a time.
BLOCK = 256
KINDS = (*COMMANDS, *KINDS_OF_PARAGRAPH, *TIME_TRAVEL)


@dataclass(slots=True)
class ReplayResult:
    """The result of replaying entries: the findings; the entries with exactly the same result
    (except for the wording of older rules); the entries not undone; and the campaign at the end."""

    findings: list[Finding]
    reproduced: set[int]
    standing: set[int]
    campaign: Campaign


OnProgress = Callable[[int, int], None]  # called with the number of entries replayed, and of all


def replay_entries(
    entries: Sequence[Entry], on_progress: OnProgress = lambda done, of: None
) -> ReplayResult:
    """Replay every entry from its question and answer, in order, and compare. After a finding the
    recorded entry is appended, so that it does not hide others. An exception in `on_progress` stops
    the replay."""
    return _replayed(Replay(), entries, 0, on_progress)


def _replayed(
    journal: Replay, entries: Sequence[Entry], begun: int, on_progress: OnProgress
) -> ReplayResult:
    """Replay the entries after the first `begun`, which the journal holds."""
    other_rules = RulesExplanation(entries_with_trusted_label(entries))
    findings: list[Finding] = []
    reproduced: set[int] = set()
    for entry, following in zip_longest(entries[begun:], entries[begun + 1 :]):
        on_progress(entry.seq, len(entries))
        if entry.kind == UNREADABLE:
            journal.append_unchecked(entry)
            continue
        journal.prepare_for(entry)
        other_rules.advance_to(entry)
        made: Entry | None = None
        numbers = journal.campaign.numbers
        try:
            made = replay_entry(journal, entry, following)
            _compare(journal, made, entry)
            journal.replace_newest(entry)  # with its original wording, which an undo repeats
            reproduced.add(entry.seq)
        except Exception as problem:  # a forged entry may raise anything in a rule
            card = _card(journal, entry)
            explained = card is not None and other_rules.explains_and_remembers_paragraph(
                entry, card
            )
            explained = explained and _is_as_under_any_rules(journal, entry)
            findings.append(replace(_finding(entry, made, problem), notice=explained))
            journal.campaign.numbers = numbers  # if the rules give another result, it has none
            journal = append_as_recorded(journal, entry)
    return ReplayResult(findings, reproduced, journal.standing, journal.campaign)


def replay_additions(before: Sequence[Entry], new: Sequence[Entry]) -> ReplayResult:
    """Replay the new entries alone, on the campaign that results from the earlier ones. The
    paragraph in progress is replayed too, because rules that explain a difference there also
    explain the rest of it."""
    if _are_added_just_so(before, new):
        return ReplayResult([], {entry.seq for entry in new}, set(), Campaign())
    journal = Replay()
    journal.load(before)
    number = journal.campaign.situation.paragraph if before else None
    begun = journal.entries_of_paragraph(number)[0] - 1 if number is not None else len(before)
    journal.drop_entries_after(begun)
    again = _replayed(journal, [*before, *new], begun, lambda done, of: None)
    known = {entry.seq for entry in before}
    again.findings = [each for each in again.findings if each.entry not in known]
    again.reproduced -= known
    return again


def _are_added_just_so(before: Sequence[Entry], new: Sequence[Entry]) -> bool:
    """Whether a replay gives exactly the new entries, checked by `replay_if_exact`."""
    journal = _TrustedReplay()
    journal.load(before)
    rows = [RawEntry(each.seq, each.text, each.hash, log_lines_to_json(each.said)) for each in new]
    return _are_made_again(journal, rows, ())


def replay_if_exact(
    rows: Sequence[RawEntry], on_progress: OnProgress = lambda done, of: None
) -> Journal | None:
    """Return the journal of some rows, if a replay reproduces every row to the last character,
    except for the version of the rules. Return None at the first row that differs: then every check
    is needed. Everything that the rules write is canonical, has the shape of an entry, and is
    valid. So exact rows need no further checks, except of the facts that only the entry has: its
    time and an answer's source."""
    journal = _TrustedReplay()
    for first in range(0, len(rows), BLOCK):
        on_progress(first, len(rows))
        if not _are_made_again(journal, rows[first : first + BLOCK], rows[first + BLOCK :][:1]):
            return None
    return journal


def _are_made_again(
    journal: "_TrustedReplay", rows: Sequence[RawEntry], following: Sequence[RawEntry]
) -> bool:
    """Whether a replay gives exactly these rows as the next entries."""
    before = journal.head or NO_HASH
    try:
        recorded = [_decoded(row) for row in (*rows, *following)]
        pairs = zip_longest(recorded, recorded[1:])
        made = [journal.follow(entry, after) for entry, after in islice(pairs, len(rows))]
        for row, entry in zip(rows, made, strict=True):
            text = encode(entry.payload)
            again = (
                entry.seq,
                text,
                chain_hash(before, entry.seq, text),
                log_lines_to_json(entry.said),
            )
            odd = any(payload_checks.payload_oddities(entry.payload))
            if (
                again != row
                or odd
                or ("seed" in entry.payload and any(check_seeded_dice((entry,))))
            ):
                return False
            before = entry.hash
    except Exception:  # not an entry, or one that the rules refuse: it is checked separately
        return False
    return True


def _decoded(row: RawEntry) -> Entry:
    """Decode the entry of a row without its changes, which the replay makes. Nothing is checked,
    because the result is compared with the whole text. Raises ValueError or TypeError."""
    seq, text, digest, said = row
    if type(seq) is not int or not type(text) is type(digest) is type(said) is str:
        raise TypeError("a cell has the wrong type")
    payload, _ = _without_floats(_CHANGES.sub("", text))
    return Entry(seq, text, digest, payload)


_CHANGES = re.compile(r'"changes":\[.*\],(?="(?:form|from|kind)":)', re.DOTALL)


def _no_float(text: str) -> float:
    raise ValueError(f"{text}: the journal holds no fractions")


_without_floats = json.JSONDecoder(parse_float=_no_float, parse_constant=_no_float).raw_decode


class _TrustedReplay(Replay):
    """A replay of entries that are already known to be exact, or are compared later: each gets the
    recorded version of the rules, text and hash. It ends at the first entry that the rules refuse,
    so nothing is rolled back."""

    def follow(self, entry: Entry, following: Entry | None) -> Entry:
        """Replay the next entry."""
        self._recorded = entry
        self.prepare_for(entry)
        read_rules_version(entry.payload["rules"])
        return replay_entry(self, entry, following)

    def transaction(self) -> nullcontext[None]:
        return _NOT_ROLLED_BACK

    def _rules(self) -> str:
        return str(self._recorded.payload["rules"])

    def _sealed(self, payload: dict[str, Any], said: tuple[LogLine, ...]) -> Entry:
        return Entry(len(self.entries) + 1, self._recorded.text, self._recorded.hash, payload, said)


_NOT_ROLLED_BACK = nullcontext()


def _card(journal: Journal, entry: Entry) -> Card | None:
    """Return the campaign's card, or the card of the campaign that an entry begins; None if there
    is none."""
    try:
        return journal.card if journal.entries else load_card(str(entry.asked.get("cg")))
    except (KeyError, ValueError):
        return None


def _is_as_under_any_rules(journal: Journal, entry: Entry) -> bool:
    """Whether an entry has the same changes under all rules: a note has none, and an undo has the
    changes of the entries that it undoes. The changes of other entries depend on the rules."""
    if entry.kind in (NOTE, *TRANSPARENT):
        return not entry.changes
    if entry.kind not in TIME_TRAVEL:
        return True
    about = (journal.entries[seq - 1] for seq in entry.asked["entries"])
    changes = [change for each in about for change in each.changes]
    due = invert_changes(changes) if entry.kind == "undo" else changes
    return [*map(list, due)] == [*map(list, entry.changes)]


def _finding(entry: Entry, made: Entry | None, problem: Exception) -> Finding:
    """Build the finding, as secret as the replayed entry, or as the recorded one if there is
    none."""
    words = str(problem) if isinstance(problem, ReplayError | ValueError) else repr(problem)
    text = f"({entry.kind}) {'; '.join(words.splitlines()) or type(problem).__name__}"
    rule = entry.rule or "journal"
    secret = (made or entry).secret
    belied = _belied(entry, made)
    return Finding("rules", rule, text, (str(entry.seq),), secret, entry.seq, belied)


def _belied(entry: Entry, made: Entry | None) -> bool:
    """Whether an entry is, or may be, wrong about its secrecy, so that both sides see the
    finding."""
    if made is None:
        return entry.kind not in KINDS or bool(_open_words(entry, entry.secret))
    whose = made.secret
    return entry.secret is not whose or _open_words(entry, whose) != _open_words(made, whose)


def _open_words(entry: Entry, secret: Side | None) -> list[LogLine]:
    """Return the sentences of an entry that are not secret from a side (None: all sentences)."""
    return [
        sentence
        for sentence in entry.said
        if sentence.secret is None or sentence.secret is not secret
    ]


def _compare(journal: Journal, made: Entry, entry: Entry) -> None:
    if len(journal.entries) != entry.seq:
        raise ReplayError(
            f"the rules produce {len(journal.entries)} entries, but {entry.seq} are recorded"
        )
    _same_payload(made, entry)
    if rules_version_of_entry(entry) is None:
        raise ReplayError(f"there is no version {entry.payload['rules']!r} of the rules")
    _same_sentences(made, entry)


def _same_payload(made: Entry, entry: Entry) -> None:
    if made.text == entry.text:
        return
    differing = [
        key
        for key in sorted(made.payload.keys() | entry.payload.keys())
        if key != "rules"
        and canonical_json(made.payload.get(key)) != canonical_json(entry.payload.get(key))
    ]
    if "changes" in differing:
        raise ReplayError(_first_difference(made.changes, entry.changes))
    if differing:
        other = ", ".join("reason" if key == "because" else key for key in differing)
        raise ReplayError(f"replayed by the rules, it has a different {other}")


def _same_sentences(made: Entry, entry: Entry) -> None:
    """Raise ReplayError if the subjects or the secrecy of the sentences differ; their wording may
    differ."""
    wrong = "its sentences differ from those that the rules produce"
    due, found = (
        [(sentence.about, sentence.secret) for sentence in which.said] for which in (made, entry)
    )
    if due != found:
        raise ReplayError(
            f"{wrong}: they have different subjects, or different players may read them"
        )
    if entry.payload["rules"] == made.payload["rules"] and made.said != entry.said:
        raise ReplayError(wrong)


def _first_difference(made: Iterable[list[object]], recorded: Iterable[list[object]]) -> str:
    made, recorded = list(made), list(recorded)
    missing = [change for change in made if change not in recorded]
    extra = [change for change in recorded if change not in made]
    words = []
    if missing:
        words.append(f"by the rules {_change(missing[0])}")
    if extra:
        words.append(f"in the journal {_change(extra[0])}")
    return "; ".join(words) or "its changes are in a different order"


def _change(change: list[object]) -> str:
    _, key, name, old, new = change
    if name:
        return f"{key}.{name} changes from {old!r} to {new!r}"
    return f"{key} is {'added' if old is None else 'removed'}"
