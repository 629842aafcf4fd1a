"""The entries of a campaign in order, and the facts that follow from them alone.

These are the entries that are not undone, the entries that can be redone, the number of answers to
each question in this Refit Phase, and corrections of a side's own secrets. The opponent is not
asked about such a correction, and reads it once the corrected counter is revealed.
"""

import re
from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Any

from brt_cg.journal.changes import Change, apply_changes, invert_changes
from brt_cg.journal.entries import (
    AGREEMENT,
    AHEAD,
    KINDS_OF_PARAGRAPH,
    TIME_TRAVEL,
    TRANSPARENT,
    Entry,
)
from brt_cg.journal.entry_cache import EntryCache, Fetch
from brt_cg.model import (
    Campaign,
    Counter,
    FieldChange,
    Purchase,
    Side,
    id_series,
    number_in_id,
    only_side_allowed_to_read,
    schema_of,
)
from brt_cg.questions import Question, RefusedError
from brt_cg.refit.log_line import LogLine

BEFORE = ("new", "import")  # commands that a Refit Phase can follow
WAIVE = "waive"  # the Refit Phase may begin without one report
COUNTED = (*BEFORE, "answer")  # the kinds that change how often a question has been answered
NUMBERED = ("buy", "void", "commit")  # commands that number a purchase
AskKey = tuple[str, str, str]  # rule, subject, kind


class EntryChain:
    """`entries` count from 1; `standing` are the entries that are not undone, except those that
    undo skips (TRANSPARENT); `redoable` are the undone groups, newest last. `numbers` is the
    highest number in each series of ids (`id_series`), undone and discarded ones included."""

    def __init__(self, fetch: Fetch | None = None) -> None:
        self.entries = EntryCache(fetch)
        self.standing: set[int] = set()
        self.redoable: list[list[int]] = []
        self.agreements: list[int] = []  # requests of one side to the other, and the answers
        self.ahead: list[int] = []  # answers to questions that are still to come
        self.reminders: list[int] = []  # notes for a CG Date
        self.corrections: dict[str, list[int]] = {}  # those made in secret, by counter
        self.numbers: dict[str, int] = {}
        self._numbers_before: dict[str, int] = {}  # the newest entry that numbers a purchase
        self._answers: Tally[AskKey] | None = Tally()

    @property
    def head(self) -> str | None:
        """The hash of the newest entry."""
        return self.entries[-1].hash if self.entries else None

    @property
    def digest(self) -> str | None:
        """The identity of this journal: the hash of its newest entry."""
        return self.head

    def append(self, entry: Entry) -> None:
        """Append the next entry."""
        self.entries.append(entry)
        self._note(entry)

    def replace_newest(self, entry: Entry) -> None:
        """Replace the newest entry with another one for the same question or command: the numbers
        that the first one assigned no longer count."""
        self.entries.replace_newest(entry)
        if entry.kind in NUMBERED:
            self.numbers = self._numbers_before
            self._note_numbers(entry)

    def _note_numbers(self, entry: Entry) -> None:
        self._numbers_before = {**self.numbers}
        for table, id, name, _, new in entry.changes:
            if table == Purchase.TABLE and name == "" and isinstance(new, dict):
                series = id_series(id, str(new.get("side")))  # a forged one may belong to no side
                self.numbers[series] = max(self.numbers.get(series, 0), number_in_id(id))

    def _note(self, entry: Entry) -> None:
        kind = entry.kind
        if kind in NUMBERED:
            self._note_numbers(entry)
        if is_secret_correction(entry):
            self.corrections.setdefault(str(entry.asked["id"]), []).append(entry.seq)
        if kind == "note" and entry.asked.get("date") is not None:
            self.reminders.append(entry.seq)
        if kind == "undo":
            group = entry.asked["entries"]
            self.standing -= set(group)
            if "for" not in entry.asked:
                self.redoable.append(group)
        elif kind == "redo":
            self.standing |= set(entry.asked["entries"])
            self._restored(entry.asked["entries"])
        elif kind in AGREEMENT:
            self.agreements.append(entry.seq)
        elif kind == AHEAD:
            self.ahead.append(entry.seq)
        elif kind not in TRANSPARENT:
            self.standing.add(entry.seq)
            self.redoable.clear()
        if kind in TIME_TRAVEL:
            self._answers = None  # counted at next use
        elif self._answers is not None and kind in COUNTED:
            _count_answer(self._answers, entry)

    def _restored(self, group: list[int]) -> None:
        """Drop a group from those that can be redone: the newest group, or one that a side restored
        below entries that it may not know of."""
        if group in self.redoable:
            at = max(at for at, undone in enumerate(self.redoable) if undone == group)
            del self.redoable[at]

    def set_not_undone(self, standing: set[int]) -> None:
        """Count only these entries as not undone, and none as redoable."""
        self.standing, self.redoable, self._answers = standing, [], None

    def check_redo_restores_undone(self, entry: Entry) -> None:
        """Raise LookupError for a redo of entries that were not undone."""
        group = entry.asked["entries"] if entry.kind == "redo" else []
        made = (seq not in self.standing and 0 < seq <= len(self.entries) for seq in group)
        if group and group not in self.redoable and not (self._ever_undone(group) and all(made)):
            raise LookupError(f"it restores {group}, which was not undone")

    def _ever_undone(self, group: list[int]) -> bool:
        travels = (entry for entry in self.entries[group[0] :] if entry.kind == "undo")
        return any(entry.asked["entries"] == group for entry in travels)

    def truncate(self, length: int) -> list[Entry]:
        """Remove all entries after the first `length` without a trace."""
        gone = self.entries.truncate(length)
        if gone:
            self.standing, self.redoable, self._answers = set(), [], None
            self.agreements, self.ahead, self.corrections = [], [], {}
            self.reminders = []
            self.numbers = {}
            for entry in self.entries:
                self._note(entry)
        return gone

    # --- answers of this Refit Phase ------------------------------------------------------------

    def times_answered(self, ask: Question[Any]) -> int:
        """Return the number of answers to this rule, subject and kind in this Refit Phase that are
        not undone."""
        return self._tally()[(ask.rule, ask.subject, ask.kind)]

    def answer_counts(self) -> list[tuple[AskKey, int]]:
        """Return the number of answers to each rule, subject and kind in this Refit Phase that are
        not undone."""
        return list(self._tally().items())

    def answered_items(self) -> Iterator[tuple[str, str]]:
        """Yield the rule and item of each entry about many items in this Refit Phase that is not
        undone."""
        for entry in self.entries_of_this_phase():
            given = entry.payload.get("answer")
            if isinstance(given, dict):
                yield from ((entry.payload["ask"]["rule"], item) for item in given)

    def _tally(self) -> Tally[AskKey]:
        if self._answers is None:
            self._answers = Tally()
            for entry in self.entries_of_this_phase():
                _count_answer(self._answers, entry)
        return self._answers

    def newest_not_undone_first(self) -> Iterator[Entry]:
        """Yield the entries not undone, newest first, read as they are needed."""
        numbers = range(len(self.entries), 0, -1)
        return (self.entries[seq - 1] for seq in numbers if seq in self.standing)

    def entries_of_this_phase(self) -> Iterator[Entry]:
        """Yield the entries of this Refit Phase that are not undone, newest first."""
        return takewhile(lambda entry: entry.kind not in BEFORE, self.newest_not_undone_first())

    def is_of_this_phase(self, entry: Entry) -> bool:
        """Whether an entry, undone or not, was made in this Refit Phase."""
        began = next((each for each in self.newest_not_undone_first() if each.kind in BEFORE), None)
        return began is None or entry.seq > began.seq

    # --- the end of a scenario, by two reports ----------------------------------------------------

    def scenario_end_reports(self) -> dict[Side | None, Entry]:
        """Return the reports of the end of the last scenario that are not undone, by the reporting
        side (None: both); only until the Refit Phase begins."""
        found: dict[Side | None, Entry] = {}
        for entry in self.newest_not_undone_first():
            if entry.kind == "new" or entry.kind in KINDS_OF_PARAGRAPH:
                break
            if entry.kind == "import":
                found.setdefault(Side.from_name(entry.asked.get("side")), entry)
        return found

    def side_with_missing_report(self) -> Side | None:
        """Return the side whose scenario-end report is missing while the enemy's is there, unless
        both sides agreed to continue without it; only until the Refit Phase begins."""
        entered: set[str | None] = set()
        for entry in self.newest_not_undone_first():
            if entry.kind in ("new", WAIVE):
                return None  # a campaign adopted in progress: no scenario was played here
            if entry.kind in KINDS_OF_PARAGRAPH:
                break
            if entry.kind == "import":
                entered.add(entry.asked.get("side"))
        return next((side.enemy for side in Side if entered == {side}), None)

    # --- the entries to undo --------------------------------------------------------------------

    def entries_to_undo(self, whole_call: bool = False) -> list[int]:
        """Return the entries that `undo` would undo now: those from the newest answer or command
        on, or all entries of an invocation that only began paragraphs. Raises RefusedError if there
        are none."""
        standing = sorted(self.standing)
        call = self.entries[standing[-1] - 1].invocation
        same = [
            *takewhile(lambda seq: self.entries[seq - 1].invocation == call, reversed(standing))
        ]
        alone = (
            seq for seq in same if self.entries[seq - 1].can_be_undone_alone and not whole_call
        )
        first = next(alone, same[-1])
        if first == 1:
            # Nothing has been answered yet; paragraphs without questions may have been played.
            first = standing[1] if len(standing) > 1 else 1
        if first == 1:
            raise RefusedError("there is nothing to undo; the campaign has just been created")
        return [seq for seq in standing if seq >= first]

    def entries_to_undo_after(self, seq: int) -> list[int]:
        """Return the entries to undo so that a given one becomes the newest answer or command: the
        next answer or command after it, and everything since. Empty if there is none."""
        standing = sorted(self.standing)
        later = [number for number in standing if number > max(seq, 1)]
        alone = (
            at for at, number in enumerate(later) if self.entries[number - 1].can_be_undone_alone
        )
        first = next(alone, len(later))
        return later[first:]

    def with_dependents(self, group: Iterable[int]) -> list[int]:
        """Return the entries of a group that are not undone, and the later entries that changed a
        record or field that they changed."""
        found = set(group)
        touched: dict[tuple[str, str], set[str]] = {}
        for seq in sorted(seq for seq in self.standing if seq >= min(found)):
            changes = self.entries[seq - 1].changes
            if seq in found or any(_meets(change, touched) for change in changes):
                found.add(seq)
                for table, id, name, _, _ in changes:
                    touched.setdefault((table, id), set()).add(name)
        return sorted(found)

    def entries_undone_to_make_room_for(self, seq: int) -> list[int]:
        """Return the entries undone to make room for the command with this number: a paragraph's
        beginning, or a side's earlier report. Empty for any other command."""
        command, before = self.entries[seq - 1], self.entries[max(seq - 2, 0)]
        makes_room = before.kind == "undo" and before.asked.get("for") == command.kind
        is_same = makes_room and before.invocation == command.invocation
        return [*before.asked["entries"]] if is_same else []

    def is_restored_by_newest_undo(self, group: list[int]) -> bool:
        """Whether the newest entry undoes the command for which these entries were undone, so that
        they are restored."""
        newest = self.entries[-1]
        is_undo = newest.kind == "undo" and "for" not in newest.asked
        return (
            is_undo
            and bool(group)
            and group == self.entries_undone_to_make_room_for(newest.asked["entries"][0])
        )

    def original_command(self, entry: Entry) -> Entry:
        """Return the command that an entry enters, or the first one that it restores."""
        return self.entries[entry.asked["entries"][0] - 1] if entry.kind == "redo" else entry

    def entries_of_paragraph(self, number: str) -> list[int]:
        """Return the entries of the paragraph in progress that are not undone, its beginning first.
        Raises ValueError if there are none."""
        found: list[int] = []
        for entry in self.newest_not_undone_first():
            found.append(entry.seq)
            if entry.kind == "begin" and entry.rule == number:
                return found[::-1]
        raise ValueError(f"no entry begins {number}")


def _meets(change: Change, touched: dict[tuple[str, str], set[str]]) -> bool:
    table, id, name, _, _ = change
    names = touched.get((table, id), set())
    return name in names or "" in names or (name == "" and bool(names))


def _count_answer(answers: Tally[AskKey], entry: Entry) -> None:
    if entry.kind in BEFORE:
        answers.clear()
    elif entry.kind == "answer":
        ask = entry.payload["ask"]
        answers[(ask["rule"], ask["subject"], ask["kind"])] += 1


# --- corrections of a side's own secrets ----------------------------------------------------------

MARK = "corrected in secret: the {} player can read this once the counter is shown"
_WORD = re.compile(r"[\w.-]+")


def is_secret_correction(entry: Entry) -> bool:
    """Whether an entry is a correction by a side of one of its secrets."""
    payload = entry.payload
    return entry.kind == "edit" and entry.secret is not None and payload.get("seat") == entry.secret


def secret_correction_line(secret: Side, id: str) -> LogLine:
    """Return the sentence that marks a secret correction for its own side."""
    return LogLine(MARK.format(secret.enemy.label), (id,), secret)


def revealed_correction_lines(
    campaign: Campaign, changes: Sequence[Change], corrected: Iterable[tuple[str, Sequence[Entry]]]
) -> Iterator[LogLine]:
    """Yield the lines for both sides about corrections that these changes have revealed, by the id
    of the counter."""
    before: Campaign | None = None
    for id, entries in corrected:
        counter = campaign.find(id)
        if counter is None or only_side_allowed_to_read(campaign, counter) is not None:
            continue
        if before is None:
            before = campaign.clone()
            apply_changes(before, invert_changes(changes))
        was = before.find(id)
        if was is not None and only_side_allowed_to_read(before, was) is not None:
            yield from (_revealed_line(campaign, counter, entry) for entry in entries)


def _revealed_line(campaign: Campaign, counter: Counter, entry: Entry) -> LogLine:
    side, reason = entry.secret, entry.asked.get("reason")
    assert side is not None, "it was marked"
    changed = ", ".join(_changed(campaign, counter, entry.changes))
    text = f"the {side.label} player corrected {counter.label} in secret"
    return LogLine(f"{text}: {changed} ({reason})", (counter.id,))


def _changed(campaign: Campaign, counter: Counter, changes: Iterable[Change]) -> Iterator[str]:
    """Yield the changes of a counter in words, without values that name something hidden."""
    fields = schema_of(type(counter)).by_attribute
    for _, id, name, old, new in changes:
        if id != counter.id or name not in fields:
            continue
        changed = FieldChange(fields[name], old, new)
        secret = _names_a_secret(campaign, str(changed))
        yield fields[name].label if secret else str(campaign.change_with_spoken_values(changed))


def _names_a_secret(campaign: Campaign, words: str) -> bool:
    named = filter(None, map(campaign.find, _WORD.findall(words)))
    return any(only_side_allowed_to_read(campaign, counter) is not None for counter in named)
