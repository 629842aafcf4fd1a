"""The journal of a campaign, open for the next entry.

A Journal holds the entries, the campaign that they make, and the paragraph in progress. It plays
paragraphs, accepts answers and commands, undoes and redoes; each of these becomes one entry, passed
to `writer` before it counts. It is pure: it uses no files, clock or dice itself.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

from brt_cg.card import Card, load_card
from brt_cg.commands import Command
from brt_cg.commands.registry import COMMANDS
from brt_cg.journal.chain import EntryChain, revealed_correction_lines, secret_correction_line
from brt_cg.journal.changes import (
    Change,
    apply_changes,
    force_changes,
    invert_changes,
    number_new_counters,
    recorded_changes,
)
from brt_cg.journal.entries import (
    TIME_TRAVEL,
    TRANSPARENT,
    Entry,
    canonical_json,
    check_number_sizes,
    make_next_entry,
    normalize_answer,
    question_key_as_json,
    roll_as_json,
    undo_log_lines,
)
from brt_cg.journal.entry_cache import Fetch
from brt_cg.journal.mismatch import (
    Cause,
    Mismatch,
    RulesChangedError,
    find_mismatch,
    replay_entry_on,
)
from brt_cg.journal.rules_version import current_version_text
from brt_cg.model import FORM, WINDOW, Campaign, Recorder, Seat, Side, Situation, visible_campaign
from brt_cg.questions import HAND, Question, Raw, RefusedError, Source
from brt_cg.refit.log_line import LogLine
from brt_cg.refit.play import Paragraph, Play, PlayWithUnshownQuestions
from brt_cg.refit.run import ParagraphRun, record_paragraph_begun, record_paragraph_ended
from brt_cg.refit.sequence import NUMBERS, is_past_paragraph, next_paragraph_number, paragraph_of

BOOKKEEPING = {"paragraph", "done", "phase"}
NOTE = "note"  # changes nothing, so the paragraph in progress continues after it


def can_be_entered_at_any_time(kind: str) -> bool:
    """Whether a command may be entered at any time, because it changes nothing."""
    return kind == NOTE or kind in TRANSPARENT


class _DoesNotFit(Exception):
    """The exception that rolls back an attempt."""


class Transaction:
    """A `with` block in which everything entered in a journal is stored as a whole. It is a class,
    because a generator would be three times as slow: each answer enters five of them, one inside
    another."""

    def __init__(self, journal: "Journal") -> None:
        self._journal, self._first = journal, len(journal.entries)
        self._within = journal.is_together
        self._numbers = journal.campaign.numbers

    def __enter__(self) -> None:
        self._journal.is_together = True

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._journal.is_together = self._within
        try:
            if kind is None and not self._within:
                self._journal.store_entries(self._first)
            elif kind is not None:
                self._journal.drop_entries_after(self._first)
        finally:
            if len(self._journal.entries) == self._first:
                self._journal.campaign.numbers = self._numbers


Writer = Callable[[Sequence[Entry], Campaign], None]


class Journal(EntryChain):
    """A campaign's journal. `writer` stores new entries, all of them or none; `fetch` reads stored
    ones back. `seat` is the seat that enters the next entries (None: not known), `form` the form in
    which they are written."""

    _as_recorded = staticmethod(normalize_answer)
    _written = staticmethod(canonical_json)
    _marks_public = True  # older entries do not say that their question was public

    def __init__(
        self, clock: Callable[[], str], writer: Writer | None = None, fetch: Fetch | None = None
    ) -> None:
        super().__init__(fetch)
        self.clock = clock
        self.writer = writer
        self.campaign = Campaign()
        self.call = 1
        self._is_one_call = False
        self.seat: Seat | None = None
        self.form = FORM
        self._recorder = Recorder()
        self.campaign.set_recorder(self._recorder)
        self._run: ParagraphRun | Mismatch | None = None
        self.is_together = False
        self._prepares = True  # whether questions are prepared for the screen

    # --- reading ------------------------------------------------------------------------------

    def load(self, entries: Iterable[Entry]) -> None:
        """Append entries from storage, either the whole journal or those that others have added,
        and apply them to the campaign. Raises ValueError if one does not fit."""
        self._run = None
        self.campaign.set_recorder(None)
        for entry in entries:
            try:
                apply_changes(self.campaign, entry.changes)
                self.check_redo_restores_undone(entry)
                self.append(entry)
            except (ValueError, LookupError, TypeError, AttributeError) as misfit:
                what = f"entry {entry.seq} of the journal does not fit the entries before it"
                raise ValueError(what) from misfit
            self.entries.mark_stored()
        self.campaign.set_recorder(self._recorder)
        self.call = len(self.entries) + 1

    def begin_invocation(self) -> None:
        """Start a new invocation, the unit of `undo --command`, unless `one_invocation` is in
        progress."""
        if not self._is_one_call:
            self.call = len(self.entries) + 1

    @contextmanager
    def one_invocation(self) -> Iterator[None]:
        """Make all entries in the `with` block one invocation."""
        self.begin_invocation()
        within, self._is_one_call = self._is_one_call, True
        try:
            yield
        finally:
            self._is_one_call = within

    @property
    def card(self) -> Card:
        return load_card(self.campaign.situation.cg)

    def open_question(self) -> Question[Any] | None:
        """Return the open question of the paragraph in progress; None also while the paragraph does
        not fit the rules."""
        run = self._resumed()
        return run.ask if isinstance(run, ParagraphRun) else None

    @property
    def mismatch(self) -> Mismatch | None:
        """The difference between the paragraph in progress and its replay by the rules, because of
        which it cannot continue; None if all of it fits."""
        run = self._resumed()
        return run if isinstance(run, Mismatch) else None

    def _resumed(self) -> ParagraphRun | Mismatch | None:
        if self._run is None and self.entries and self.campaign.situation.paragraph:
            self._resume()
        return self._run

    def play_paragraph_on_copy(self) -> ParagraphRun:
        """Play the paragraph in progress on a copy of the campaign, up to the open question."""
        standing = self.entries_of_paragraph(str(self.campaign.situation.paragraph))
        return self._replayed(standing, self._before(standing[0]))

    # --- playing ------------------------------------------------------------------------------

    def number_of_next_paragraph(self) -> str | None:
        """Return the number of the paragraph to begin once the one in progress has ended; None if
        the phase is over, or the paragraph in progress cannot continue."""
        return None if self.mismatch is not None else next_paragraph_number(self.campaign.situation)

    def play_to_next_question(self, last: Paragraph | None = None) -> Question[Any] | None:
        """Play to the next question and return it, or to the end of the phase, or to the end of the
        paragraph `last`. Raises RulesChangedError."""
        with self.transaction():
            while True:
                self._check_it_fits()
                ask = self.open_question()
                if ask is not None:
                    return ask
                upcoming = self.number_of_next_paragraph()
                if upcoming is None or (
                    last and is_past_paragraph(self.campaign.situation, last.number)
                ):
                    return None
                self.begin_paragraph(paragraph_of(upcoming))

    @contextmanager
    def without_display(self) -> Iterator[None]:
        """Skip preparing questions for the screen within the `with` block; at its end, ask the open
        question again, so that it can be shown."""
        self._prepares = False
        try:
            yield
        finally:
            self._prepares, self._run = True, None

    def begin_paragraph(self, paragraph: Paragraph) -> Entry:
        """Begin a paragraph: play it to its first question or its end, as one entry. Raises
        RefusedError for the first paragraph while a scenario-end report is missing."""
        missing = self.side_with_missing_report() if paragraph.number == NUMBERS[0] else None
        if missing is not None:
            raise RefusedError(
                f"the {missing.label} report of the end of the {self.campaign.situation.date} "
                f"scenario is missing; enter it first, or continue without it if both "
                f"players agree (refit --one-report)"
            )
        with self.transaction():
            record_paragraph_begun(self.campaign, paragraph)
            run = ParagraphRun(
                paragraph,
                self.campaign,
                self.card,
                Play if self._prepares else PlayWithUnshownQuestions,
            )
            said = run.take_log_lines()
            self._go_on_with(run)
            changes = recorded_changes(self._recorder, self.campaign, self.form)
            other = [c for c in changes if c[0] != Situation.TABLE or c[2] not in BOOKKEEPING]
            idle = run.has_ended and not said and not other
            payload: dict[str, Any] = {"kind": "begin", "rule": paragraph.number}
            if idle:
                because = run.play.because or paragraph.nothing
                payload |= {"kind": "skip", "because": because}
                said = (LogLine(because),)
            return self._append(payload, said, changes)

    def answer(self, raw: Raw, by: str, source: Source = HAND) -> Entry:
        """Answer the open question. Raises RefusedError, with nothing changed, if it is not
        allowed."""
        self._check_it_fits()
        ask, run = self.open_question(), self._run
        if ask is None or not isinstance(run, ParagraphRun):
            raise RefusedError("there is no open question")
        raw, seed = self._as_recorded(raw), self._as_recorded(source.seed)
        value = ask.read(raw)
        check_number_sizes(raw)
        with self.transaction():
            payload = self._answer_payload(ask, raw, value)
            payload |= {"by": by, "from": source.way}
            if seed is not None:
                payload["seed"] = seed
            run.send(value)
            said = run.take_log_lines()
            self._go_on_with(run)
            return self._append(payload, said)

    def _answer_payload(self, ask: Question[Any], raw: Raw, value: Any) -> dict[str, Any]:
        payload: dict[str, Any] = {
            "kind": "answer",
            "rule": self.campaign.situation.paragraph,
            "ask": question_key_as_json(ask),
            "answer": raw,
        }
        if ask.dice:
            payload["roll"] = roll_as_json(value) | {
                "position": self.times_answered(ask),
                "date": self.campaign.situation.date,
            }
        if ask.secret:
            payload["secret"] = ask.secret
        if ask.public and self._marks_public:
            payload["public"] = True
        return payload

    def _go_on_with(self, run: ParagraphRun) -> None:
        if run.has_ended:
            record_paragraph_ended(self.campaign, run.paragraph)
        self._run = None if run.has_ended else run

    # --- commands -----------------------------------------------------------------------------

    def run_command(self, kind: str, asked: dict[str, Any], by: str) -> Entry:
        """Carry out a command as one entry; if the beginning of a paragraph must be undone for it,
        that undo is an entry before it. Raises RefusedError, with nothing changed."""
        begun = len(self.entries) > 0
        if not begun and kind != "new":
            raise RefusedError("there is no campaign yet")
        asked = self._as_recorded(asked)
        in_the_way = self.entries_to_undo_before(kind)
        with self.transaction():
            if in_the_way:
                self.undo_entries(in_the_way, kind)
            if replaced := self.report_replaced_by(kind, asked):
                self.undo_entries([replaced.seq], kind)
            command = self._carried_out(kind, asked, by, self.campaign)
            payload: dict[str, Any] = {"kind": kind, "asked": asked, "by": by, "at": command.at}
            if command.secret:
                payload["secret"] = command.secret
            side = self.seat.side if self.seat is not None else None
            if kind == "edit" and side is not None and side is command.secret:
                command.said.append(secret_correction_line(side, str(asked["id"])))
            return self._append(payload, tuple(command.said))

    def try_command(
        self, kind: str, asked: dict[str, Any], side: Side, known: Campaign | None = None
    ) -> Sequence[LogLine]:
        """Return the sentences of a side's command, carried out on a copy of the campaign without
        the enemy's secrets, or of the campaign `known` to the side if that is an earlier one.
        Raises RefusedError."""
        copy, begun = (known or self.campaign).clone(), self._in_progress()
        if len(begun) == 1 and known is None:
            apply_changes(copy, invert_changes(self.entries[begun[0] - 1].changes))
        elif replaced := self.report_replaced_by(kind, asked):
            apply_changes(copy, invert_changes(replaced.changes))
        known = visible_campaign(copy, side)
        return self._carried_out(kind, self._as_recorded(asked), side, known).said

    def _carried_out(self, kind: str, asked: dict[str, Any], by: str, on: Campaign) -> Command:
        card = self.card if self.entries else load_card(asked["cg"])
        side = None if self.seat is None else self.seat.side
        command = Command(kind, asked, on, card, self.numbers, str(by), self.clock(), side)
        COMMANDS[kind](command)
        return command

    def report_replaced_by(self, kind: str, asked: dict[str, Any]) -> Entry | None:
        """Return the report of a side that its new one replaces. Raises RefusedError if the
        opponent's report depends on it."""
        side = Side.from_name(asked.get("side")) if kind == "import" else None
        found = self.scenario_end_reports().get(side) if side is not None else None
        if found is not None and self.with_dependents([found.seq]) != [found.seq]:
            raise RefusedError(
                "your opponent's report depends on the "
                "earlier one; undo both, then enter them again"
            )
        return found

    def entries_to_undo_before(self, kind: str) -> list[int]:
        """Return the entries to undo before a command: the beginning of a paragraph that has no
        answer yet; the paragraph is begun again afterwards. Commands are entered between
        paragraphs, or when 15.614 asks for purchases; a note at any time. Raises RefusedError in
        the middle of a paragraph."""
        return [] if can_be_entered_at_any_time(kind) else self.paragraph_beginning_to_undo(kind)

    def paragraph_beginning_to_undo(self, kind: str) -> list[int]:
        """Return the beginning of a paragraph that has no answer yet. Raises RefusedError in the
        middle of one."""
        later = self._in_progress()
        if len(later) != 1:
            self._check_it_fits()
        if len(later) > 1:
            raise RefusedError(
                f"{kind} is not possible in the middle of {self.campaign.situation.paragraph}; "
                f"finish the paragraph, or undo back to its beginning"
            )
        return later

    def _in_progress(self) -> list[int]:
        """Return the entries of the paragraph in progress that are not undone, its beginning first;
        none between paragraphs, and in the window for purchases."""
        number = self.campaign.situation.paragraph if self.entries else None
        return [] if number in (None, WINDOW) else self.entries_of_paragraph(str(number))

    @contextmanager
    def question_kept_open(self) -> Iterator[None]:
        """Begin the paragraph in progress again, if its beginning had to be undone for the entries
        made in the `with` block. So a side whose question is open sees no trace of a secret."""
        number = self.campaign.situation.paragraph if len(self._in_progress()) == 1 else None
        with self.transaction():
            yield
            is_due = (
                self.campaign.situation.paragraph is None
                and self.number_of_next_paragraph() == number
            )
            if number is not None and is_due:
                with suppress(RefusedError):  # a report of the scenario's end is missing now
                    self.begin_paragraph(paragraph_of(number))

    # --- undo and redo --------------------------------------------------------------------------

    def entries_to_undo(self, whole_call: bool = False) -> list[int]:
        """Return the entries that `undo` would undo now (EntryChain.entries_to_undo); if the
        paragraph in progress does not fit the rules, at least all entries after the newest one that
        does."""
        group = super().entries_to_undo(whole_call)
        mismatch = self.mismatch
        return (
            max(group, self.entries_not_fitting_rules(mismatch), key=len)
            if mismatch is not None
            else group
        )

    def entries_not_fitting_rules(self, mismatch: Mismatch) -> list[int]:
        """Return the entries of the paragraph in progress after the newest one that the rules still
        reproduce; all of them if its beginning differs."""
        played = self.entries_of_paragraph(str(self.campaign.situation.paragraph))
        return [seq for seq in played if mismatch.agree is None or seq > mismatch.agree]

    def undo(self, whole_call: bool = False) -> Entry:
        """Undo the newest answer or command (or the whole last invocation), with everything that
        followed from it; undo more if the rules give another result (`entries_to_undo`). Raises
        RefusedError when there is nothing to undo."""
        return self.undo_and_restore_displaced(self.entries_to_undo(whole_call))

    def go_back(self, seq: int) -> Entry:
        """Undo all answers and commands after an entry, with everything that followed from them.
        Raises RefusedError if there are none."""
        group = self.entries_to_undo_after(seq)
        if not group:
            raise RefusedError("nothing was answered or entered after that")
        return self.undo_and_restore_displaced(group)

    def undo_and_restore_displaced(self, group: list[int]) -> Entry:
        """Undo entries for the players. Then restore the entries that were undone to make room for
        the first of them, if they still fit: the beginning of a paragraph, so that its question is
        open again, or a side's earlier report."""
        with self.transaction():
            undone = self.undo_entries(group)
            earlier = self.entries_undone_to_make_room_for(group[0])
            if earlier and self.campaign.situation.paragraph is None:
                self._restore(earlier)
        return undone

    def _restore(self, earlier: list[int]) -> None:
        with suppress(_DoesNotFit, ValueError, LookupError), self.transaction():
            self.redo(earlier)
            if self.mismatch is not None:
                raise _DoesNotFit

    def undo_entries(self, group: list[int], make_room_for: str | None = None) -> Entry:
        """Undo entries, on which no remaining entry may depend. With `make_room_for` a command,
        this does not count as the players' undo and cannot be redone."""
        undone = [self.entries[seq - 1] for seq in group]
        changes = invert_changes(change for entry in undone for change in entry.changes)
        asked = {"for": make_room_for} if make_room_for else {}
        return self._travel("undo", undone, changes, asked)

    def redo(self, group: list[int] | None = None) -> Entry:
        """Restore the entries undone last, or another undone group; first undo again, as a separate
        entry, the entries that had made room for them. Raises RefusedError if anything new was
        entered since."""
        if group is None and not self.redoable:
            raise RefusedError("there is nothing to redo")
        again = [self.entries[seq - 1] for seq in group or self.redoable[-1]]
        changes = [change for entry in again for change in entry.changes]
        with self.transaction():
            if self._is_in_the_way(earlier := self.entries_undone_to_make_room_for(again[0].seq)):
                self.undo_entries(earlier, again[0].kind)
            return self._travel("redo", again, changes, {})

    def _is_in_the_way(self, group: list[int]) -> bool:
        """Whether entries that were once undone for a command are in force again: the beginning of
        the paragraph in progress, without an answer, or a side's earlier report."""
        if not group or not self.standing.issuperset(group):
            return False
        return self.entries[group[0] - 1].kind != "begin" or group == self._in_progress()

    def _travel(
        self, kind: str, about: list[Entry], changes: list[Change], also: dict[str, Any]
    ) -> Entry:
        with self.transaction():
            apply_changes(self.campaign, changes)
            self._run = None
            asked = {"entries": [entry.seq for entry in about], **also}
            return self._append(
                {"kind": kind, "asked": asked}, undo_log_lines(kind, about), changes
            )

    # --- the chain ------------------------------------------------------------------------------

    def transaction(self) -> AbstractContextManager[None]:
        """Store everything entered in a `with` block as a whole at its end. If anything is raised,
        even by the writer, all of it is rolled back."""
        return Transaction(self)

    def store_entries(self, first: int) -> None:
        """Store the entries after the first `first`; if that fails, drop them."""
        if self.writer is None or len(self.entries) == first:
            return
        try:
            self.writer(self.entries[first:], self.campaign)
        except BaseException:
            self.drop_entries_after(first)
            raise
        self.entries.mark_stored()

    def _append(
        self,
        payload: dict[str, Any],
        said: tuple[LogLine, ...],
        changes: list[Change] | None = None,
    ) -> Entry:
        """Append an entry with the changes noted, or with given ones."""
        if changes is None:
            changes = recorded_changes(self._recorder, self.campaign, self.form)
        whole = {"by": "players", "rules": self._rules(), "call": self.call, **payload}
        whole["changes"] = changes
        if self.form > 1:
            whole["form"] = self.form
        if self.seat is not None:
            whole["seat"] = self.seat.value
        if "at" not in whole:
            whole["at"] = self.clock()
        if self.corrections and payload["kind"] not in TIME_TRAVEL:
            said = (*said, *revealed_correction_lines(self.campaign, changes, self._corrected()))
        number_new_counters(self.campaign, changes)
        entry = self._sealed(whole, said)
        self.append(entry)
        self._recorder.forget_changes()
        return entry

    def _corrected(self) -> Iterator[tuple[str, list[Entry]]]:
        """Yield the corrections that a side made in secret and that are not undone, by counter."""
        for id, made in self.corrections.items():
            standing = [self.entries[seq - 1] for seq in made if seq in self.standing]
            if standing:
                yield id, standing

    def _sealed(self, payload: dict[str, Any], said: tuple[LogLine, ...]) -> Entry:
        return make_next_entry(self.entries, payload, said, self._written)

    def _rules(self) -> str:
        return current_version_text(self.campaign.situation.cg)

    def drop_entries_after(self, length: int) -> None:
        """Remove all entries after the first `length`, and roll back unfinished work."""
        self._run = None
        self._recorder.roll_back(self.campaign.tables)
        for entry in reversed(self.truncate(length)):
            apply_changes(self.campaign, invert_changes(entry.changes))
        self._recorder.forget_changes()

    # --- for an audit ---------------------------------------------------------------------------

    def append_unchecked(self, entry: Entry) -> None:
        """Append an entry as recorded, even if it does not fit, so that an audit can continue after
        a finding."""
        self._run = None
        force_changes(self.campaign, entry.changes)
        self.append(entry)
        self._recorder.forget_changes()

    def replace_with_recorded(self, entry: Entry) -> None:
        """Replace the newest entry with the recorded one for the same question and answer; the
        paragraph in progress continues."""
        force_changes(self.campaign, [*invert_changes(self.entries[-1].changes), *entry.changes])
        self.replace_newest(entry)
        self._recorder.forget_changes()

    # --- resuming -------------------------------------------------------------------------------

    def _resume(self) -> None:
        """Replay the paragraph in progress from its beginning, with its recorded answers, up to the
        open question. The campaign ends up unchanged."""
        standing = self.entries_of_paragraph(str(self.campaign.situation.paragraph))
        try:
            for entry in reversed(self.entries[standing[0] - 1 :]):
                apply_changes(self.campaign, invert_changes(entry.changes))
            run = self._replayed(standing)
            fits = not run.has_ended and not recorded_changes(self._recorder, self.campaign)
        except Exception:  # other rules may raise anything of an answer
            fits = False
        except BaseException:
            self._recorder.roll_back(self.campaign.tables)
            raise
        if fits:
            self._recorder.forget_changes()
            run.take_log_lines()
            self._run = run
        else:
            self._recorder.roll_back(self.campaign.tables)
            self._run = self.compare_with_rules() or Mismatch(standing[0], None, Cause.RESULT)

    def compare_with_rules(self) -> Mismatch | None:
        """Compare the paragraph in progress with its replay by the rules, entry by entry."""
        number = self.campaign.situation.paragraph
        if number is None:
            return None
        standing = self.entries_of_paragraph(number)
        played = [self.entries[seq - 1] for seq in standing]
        return find_mismatch(played, self._before(standing[0]), self.card)

    def _check_it_fits(self) -> None:
        """Raise RulesChangedError if the paragraph in progress cannot continue."""
        if self.mismatch is not None:
            raise RulesChangedError

    def _before(self, seq: int) -> Campaign:
        """Return a copy of the campaign before an entry of the paragraph in progress."""
        copy = self.campaign.clone()
        for entry in reversed(self.entries[seq - 1 :]):
            apply_changes(copy, invert_changes(entry.changes))
        return copy

    def _replayed(self, standing: list[int], campaign: Campaign | None = None) -> ParagraphRun:
        """Replay entries, the first of which begins a paragraph, on a campaign (by default this
        one's) up to the open question."""
        run: ParagraphRun | None = None
        for entry in (self.entries[seq - 1] for seq in standing):
            run = replay_entry_on(run, entry, campaign or self.campaign, self.card)
        assert run is not None, "the first entry begins the paragraph"
        return run
