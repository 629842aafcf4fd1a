"""Replay of recorded entries by the rules, each from its question and answer. An audit compares the
result with the record; a repair uses the result for everything that a damaged file has lost."""

from brt_cg.commands.registry import COMMANDS
from brt_cg.journal.early_answers import due_queued_purchase_command, find_early_answer
from brt_cg.journal.entries import Entry, encode, question_key_as_json
from brt_cg.journal.journal import Journal
from brt_cg.journal.selective_undo import can_redo_below_later_entries, can_undo_below_later_entries
from brt_cg.questions import GIVEN_AHEAD, Source
from brt_cg.refit.sequence import paragraph_of
from brt_cg.text import list_text


class ReplayError(Exception):
    """Raised when an entry cannot be replayed, or its replay has a different result."""


class Replay(Journal):
    """A journal being replayed, each entry at its recorded time. Its payloads need not be checked
    for floats, because they are compared with payloads that have none."""

    _as_recorded = staticmethod(lambda raw: raw)
    _written = staticmethod(encode)

    def __init__(self) -> None:
        super().__init__(lambda: self.now)
        self.now = ""

    def prepare_for(self, entry: Entry) -> None:
        """Prepare to replay an entry: at its time, in its invocation and its form, from its
        seat."""
        self.now, self.call = str(entry.payload["at"]), entry.invocation
        self.form, self.seat = entry.record_form, entry.seat
        self._marks_public = self.form > 1 or "public" in entry.payload


def replay_entry(journal: Journal, entry: Entry, following: Entry | None) -> Entry:
    """Return the entry that the rules make from the question and answer of a recorded one;
    `following` is the entry recorded after it. Raises ReplayError, or whatever a forged entry makes
    a rule raise."""
    kind, by = entry.kind, str(entry.payload["by"])
    if kind == "commit" and entry.is_early_answer:
        _check_the_list(journal, entry)
    if kind in COMMANDS:
        return journal.run_command(kind, entry.asked, by)
    if kind in ("begin", "skip"):
        return _begun(journal, entry)
    if kind == "answer":
        return _answered(journal, entry, by)
    if kind == "undo":
        return _undone(journal, entry, following)
    if kind == "redo":
        return _restored(journal, entry)
    raise ReplayError(f"there is no such kind of entry; the kinds are {list_text(COMMANDS)}")


def _check_the_list(journal: Journal, entry: Entry) -> None:
    if entry.asked != due_queued_purchase_command(journal, journal.open_question()):
        raise ReplayError(
            "buys items that were not on the shopping list, or not when they were due"
        )


def _begun(journal: Journal, entry: Entry) -> Entry:
    upcoming = None if journal.open_question() else journal.number_of_next_paragraph()
    if upcoming is None or upcoming != entry.rule:
        raise ReplayError(f"begins {entry.rule}, but {upcoming or 'no paragraph'} is due")
    return journal.begin_paragraph(paragraph_of(upcoming))


def _question_text(key: object) -> str:
    """Return the question that an entry, perhaps a forged one, names: "15.609 m-sq-1 (choice,
    marine)"."""
    if not isinstance(key, dict):
        return str(key)
    rule, subject, kind, side = (key.get(part) for part in ("rule", "subject", "kind", "side"))
    return f"{rule} {subject} ({kind}, {side})"


def _answered(journal: Journal, entry: Entry, by: str) -> Entry:
    ask = journal.open_question()
    if ask is None:
        raise ReplayError("answers, but there is no open question")
    recorded, asked = entry.payload["ask"], question_key_as_json(ask)
    if recorded != asked:
        words = f"answers {_question_text(recorded)}, but the open question is"
        raise ReplayError(f"{words} {_question_text(asked)}")
    source = Source(str(entry.payload.get("from")), entry.payload.get("seed"))
    if entry.is_early_answer and find_early_answer(journal, ask) != (
        entry.payload.get("answer"),
        GIVEN_AHEAD,
    ):
        raise ReplayError("claims to be an early answer of its side, which gave none")
    return journal.answer(entry.payload.get("answer"), by, source)


def _undone(journal: Journal, entry: Entry, following: Entry | None) -> Entry:
    group, room_for = entry.asked["entries"], entry.asked.get("for")
    if room_for is None:
        allowed = [
            journal.entries_to_undo(),
            journal.entries_to_undo(whole_call=True),
            journal.entries_to_undo_after(group[0] - 1),
        ]
        doing = "undo"
    else:
        allowed = [journal.paragraph_beginning_to_undo(room_for)] if room_for in COMMANDS else []
        if room_for == "import":
            allowed += [[report.seq] for report in journal.scenario_end_reports().values()]
        doing = f"making room for {room_for}"
    if group not in allowed and not (room_for is None and _may_go(journal, group)):
        due = " or ".join(dict.fromkeys(str(value) for value in allowed if value)) or "nothing"
        raise ReplayError(f"undoes {group}, but {doing} must undo {due}")
    # The program may have been killed before the command: then another invocation follows.
    next_command = (
        following if following is not None and following.invocation == entry.invocation else None
    )
    entered = journal.original_command(next_command).kind if next_command is not None else room_for
    if room_for is not None and entered != room_for:
        raise ReplayError(f"makes room for {room_for}, but {entered} follows")
    return journal.undo_entries(group, room_for)


def _may_go(journal: Journal, group: list[int]) -> bool:
    """Whether a seat may undo entries below others, or whether an undo steps back to the point up
    to which the rules give the recorded changes."""
    if can_undo_below_later_entries(journal, group):
        return True
    mismatch = journal.compare_with_rules()
    return mismatch is not None and group == journal.entries_not_fitting_rules(mismatch)


def _restored(journal: Journal, entry: Entry) -> Entry:
    group = entry.asked["entries"]
    newest = journal.redoable[-1] if journal.redoable else None
    allowed = journal.is_restored_by_newest_undo(group) or can_redo_below_later_entries(
        journal, group
    )
    if group == newest or not allowed:
        return journal.redo()
    return journal.redo(group)


def append_as_recorded(journal: Replay, entry: Entry) -> Replay:
    """Return the journal with the recorded entry appended to the state before it."""
    made = journal.entries[-1] if journal.entries else None
    if made is not None and made.seq == entry.seq:
        journal.replace_with_recorded(entry)
    elif len(journal.entries) < entry.seq:
        journal.append_unchecked(entry)
    else:
        before, journal = journal.entries[: entry.seq - 1], Replay()
        for earlier in (*before, entry):
            journal.append_unchecked(earlier)
    return journal
