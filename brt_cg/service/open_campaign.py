"""The one service behind every driver.

It opens a campaign, asks, accepts answers and commands, undoes and redoes; each is one entry of the
journal, stored before it counts. It needs neither SQLAlchemy nor Textual.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

from brt_cg.commands import wrong_phase_text
from brt_cg.commands.name_resolution import replace_names_with_ids
from brt_cg.journal.early_answers import (
    due_queued_purchase_command,
    find_early_answer,
    key_within_kind,
)
from brt_cg.journal.entries import Entry
from brt_cg.journal.journal import Journal
from brt_cg.journal.mismatch import RulesChangedError
from brt_cg.journal.selective_undo import entries_undone_with, redo_entries
from brt_cg.model import BETWEEN, Campaign, Phase, Situation
from brt_cg.questions import (
    DEFAULT,
    FROM_CATALOGUE,
    HAND,
    DiceSource,
    Question,
    Raw,
    RefusedError,
    Source,
)
from brt_cg.refit.play import Paragraph
from brt_cg.refit.sequence import is_past_paragraph
from brt_cg.service import mail_state
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.seen_places import forget_campaign_seen_at_place
from brt_cg.service.stored_journal import entry_fetcher, random_key, read_journal, utc_now
from brt_cg.service.undo_redo import UndoReach, check_reach
from brt_cg.storage import reader, store
from brt_cg.storage.backups import BackupReason
from brt_cg.storage.engine import engine_of
from brt_cg.storage.place import Address, Place
from brt_cg.storage.store import CampaignStore
from brt_cg.views.journal import knows_enemy_acted
from brt_cg.views.requests import enter_or_request, enter_request
from brt_cg.views.rights import NotYourTurnError, Right, check_may_answer, right_to_undo_entries
from brt_cg.views.undo import Sides, next_to_redo, next_to_undo, sides_of_seat

INDEPENDENT = ("note", "aid")  # commands that do the same no matter what others enter


class OpenCampaign(CampaignReader):
    """One open campaign, read and written."""

    def __init__(self, path: Place, journal: Journal, backs_up: bool = True) -> None:
        super().__init__(path, journal, backs_up)
        self._filing = CampaignStore(path, backs_up)
        self._may_warn = True  # whether it may warn that the campaign was mailed
        self.has_stored = False  # whether any entry has been stored
        self.has_new_date = False  # whether one of them began a CG Date
        journal.writer = self._write

    @classmethod
    def create(
        cls, path: Place, asked: dict[str, Any], clock: Callable[[], str] = utc_now
    ) -> "OpenCampaign":
        """Make a new campaign in a new place. Raises RefusedError or StorageError, leaving nothing
        behind."""
        desk = cls(path, Journal(clock, fetch=entry_fetcher(path)))
        desk._filing.prepare_new()
        key = random_key()
        desk._journal.run_command("new", ({"key": key} if key else {}) | asked, "players")
        with suppress(OSError):  # the only harm: a report of another campaign here
            forget_campaign_seen_at_place(path)
        return desk

    @classmethod
    def open(
        cls, path: Place, clock: Callable[[], str] = utc_now, backs_up: bool = True
    ) -> "OpenCampaign":
        """Open a campaign. An older one on a server is upgraded; an older file is upgraded when
        something is first entered, after a backup, so that a file in a read-only folder can be
        looked at."""
        with engine_of(path).consistent_reads(path):
            if not isinstance(path, Address) or reader.read_revision(path) == reader.HEAD:
                return cls(path, read_journal(path, clock), backs_up)
        store.open_upgraded_store(path, backs_up).close()
        return cls(path, read_journal(path, clock), backs_up)

    def close(self) -> None:
        super().close()
        self._filing.close()

    def _write(self, entries: Sequence[Entry], campaign: Campaign) -> None:
        self.before_storing()
        self.notices += self._filing.write_with_notices(entries, campaign)
        self.has_stored = True
        self.has_new_date |= any(map(_begins_date, entries))
        self.stored()
        asked = (entry for entry in entries if entry.kind == "ask")
        self.notices += [
            f"{entry.said[0].text}; it is done when your opponent agrees" for entry in asked
        ]
        warned = mail_state.take_mail_warning(self.campaign_id, entries) if self._may_warn else None
        if warned is not None:
            self.notices.append(warned)
        self._may_warn = self._may_warn and not any(map(mail_state.causes_fork, entries))

    # --- doing: each is stored as a whole, or nothing of it ---------------------------------------

    def begin_invocation(self) -> None:
        """Start a new invocation, which `undo --command` undoes as a whole."""
        self._journal.begin_invocation()

    def one_invocation(self) -> AbstractContextManager[None]:
        """Make all entries in the `with` block one invocation."""
        return self._journal.one_invocation()

    def run_command(self, kind: str, asked: dict[str, Any], by: str = "players") -> Entry:
        """Carry out a command (commands/) as a separate invocation, and return its entry."""
        return self.run_as_one_invocation([(kind, asked)], by)[0]

    def run_commands(self, kind: str, asked: Iterable[dict[str, Any]], by: str = "players") -> None:
        """Carry out several commands of a kind as one invocation."""
        _ = self.run_as_one_invocation(((kind, command) for command in asked), by)

    def run_as_one_invocation(
        self, commands: Iterable[tuple[str, dict[str, Any]]], by: str = "players"
    ) -> list[Entry]:
        """Carry out several commands, of any kinds, as one invocation, and return their entries.
        Commands that do not depend on others' entries are entered again after entries that others
        made at the same time."""
        listed = [*commands]
        if all(kind in INDEPENDENT for kind, _ in listed):
            return self.retry_if_stale(lambda: self._at_once(listed, by))
        return self._at_once(listed, by)

    def _at_once(self, commands: Iterable[tuple[str, dict[str, Any]]], by: str) -> list[Entry]:
        self._journal.begin_invocation()
        with self._journal.question_kept_open():
            return [self._enter_command(kind, asked, by) for kind, asked in commands]

    def _enter_command(self, kind: str, asked: dict[str, Any], by: str) -> Entry:
        if kind == "import":
            self._filing.back_up_if_enabled(BackupReason.BEFORE_IMPORT)
        journal = self._journal
        campaign, card, side = journal.campaign, journal.card, self.side
        asked = replace_names_with_ids(kind, asked, campaign, side)
        asked = self.figures.add_figures_to_command_input(kind, asked, campaign, card, side)
        return enter_or_request(journal, kind, asked, by)

    # --- back and forth ---------------------------------------------------------------------------

    def undo_or_request(self, whole_call: bool = False, sides: Sides | None = None) -> Entry:
        """Undo the newest answer or command that the seat may know of (or the whole invocation that
        it is in); make a request if it is the opponent's. At a shared table, `sides` are those that
        must know of it; they agree in person. Raises RefusedError.

        The result depends only on the seat's knowledge, so it is the same with and without the
        enemy's secrets.
        """
        self._journal.begin_invocation()
        journal, side = self._journal, self.side
        if side is None and sides is None:
            return self.drop_useless_early_answers(journal.undo(whole_call))
        group = next_to_undo(journal, sides_of_seat(side) if sides is None else sides, whole_call)
        right = self._right_to(group)
        if right is Right.AGREED and side is not None:
            return enter_request(journal, "undo", {"whole": whole_call}, side)
        if right is Right.NONE:
            check_reach(UndoReach.NOT_YOURS, "undo")
        return self.drop_useless_early_answers(
            journal.undo_and_restore_displaced(entries_undone_with(journal, group))
        )

    def go_back_or_request(self, seq: int) -> Entry:
        """Undo all answers and commands after an entry, as one undo; from a side's seat, make a
        request instead. Raises RefusedError if there are none."""
        self._journal.begin_invocation()
        if self.side is not None:
            return enter_request(self._journal, "go_back", {"entry": seq}, self.side)
        return self.drop_useless_early_answers(self._journal.go_back(seq))

    def reopen_answered_question(self, seq: int) -> Entry:
        """Undo an answer and everything after it, so that its question is open again, and keep the
        later answers, to enter them again where they fit. Only the umpire may. Raises
        RefusedError."""
        if self.side is not None:
            check_reach(UndoReach.NOT_YOURS, "undo")
        journal = self._journal
        _, *later = (journal.entries[each - 1] for each in journal.entries_to_undo_after(seq - 1))
        undone = self.go_back_or_request(seq - 1)
        self.kept.keep(later, journal.campaign.situation.date)
        return undone

    def redo(self, sides: Sides | None = None) -> Entry:
        """Restore the last undone entries that the seat, or these sides, may know. Raises
        RefusedError."""
        self._journal.begin_invocation()
        if self.side is None and sides is None:
            return self.drop_useless_early_answers(self._journal.redo())
        group = next_to_redo(self._journal, sides_of_seat(self.side) if sides is None else sides)
        if self._right_to(group) is not Right.OWN:
            check_reach(UndoReach.NOT_YOURS, "redo")
        try:
            return self.drop_useless_early_answers(redo_entries(self._journal, group))
        except RefusedError:
            check_reach(UndoReach.NOT_YOURS, "redo")
            raise

    def _right_to(self, group: list[int]) -> Right:
        if not group:
            return Right.NONE
        return right_to_undo_entries(self._journal, self.seat, group, self._shared_up_to())

    def _shared_up_to(self) -> int:
        """Return the number of entries that both players have or can see: all entries if both use
        the campaign, or if the side knows of an entry by its opponent; in a mailed campaign, those
        mailed."""
        side, length = self.side, len(self._journal.entries)
        if side is None or self.both_play:
            return length
        mailed_so_far = mail_state.count_entries_opponent_has(self.campaign_id)
        if mailed_so_far is not None:
            return min(mailed_so_far, length)
        return length if knows_enemy_acted(self._journal, side) else 0

    def drop_useless_early_answers(self, entry: Entry) -> Entry:
        """Drop the early answers that an undo or redo made useless."""
        self.early.drop_answers_of_other_paragraphs(self._journal.campaign.situation.paragraph)
        self.kept.clear()
        return entry

    def continue_play(self) -> Question[Any] | None:
        """Play to the next question, or to the end of the phase, as a separate invocation. Raises
        RefusedError if no Refit Phase is in progress or due."""
        self._journal.begin_invocation()
        return self.play_to_question()

    def play_to_question(self, last: Paragraph | None = None) -> Question[Any] | None:
        """Play to the next question, or to the end of the phase or of `last`. Raises RefusedError
        if no Refit Phase is in progress or due."""
        phase = self._journal.campaign.situation.phase
        if phase in BETWEEN:
            raise RefusedError(wrong_phase_text("refit", phase))
        return self._on(last)

    def _on(self, last: Paragraph | None, beforehand: bool = False) -> Question[Any] | None:
        """Play to the next question that has no early answer: neither its side's entry, nor an
        answer given `beforehand` in a list."""
        if last is not None and is_past_paragraph(self._journal.campaign.situation, last.number):
            return None
        situation = self._journal.campaign.situation
        if situation.paragraph is situation.done is None and situation.phase is Phase.REFIT:
            self._filing.back_up_if_enabled(BackupReason.BEFORE_REFIT)
        with self._journal.transaction():
            while (ask := self._journal.play_to_next_question(last)) and self._enter_early(
                ask, beforehand
            ):
                pass
        self.early.drop_answers_of_other_paragraphs(self._journal.campaign.situation.paragraph)
        return self._ask

    def _enter_early(self, ask: Question[Any], beforehand: bool) -> bool:
        """Enter the early answer to the open question, if it is still allowed. Return whether it
        was; if an answer given beforehand, or a kept one, was refused, note the reason."""
        with suppress(RefusedError):
            if (errand := due_queued_purchase_command(self._journal, ask)) is not None:
                self._journal.run_command("commit", errand, ask.side)
        ahead = find_early_answer(self._journal, ask)
        with suppress(RefusedError):
            if ahead is not None:
                self._journal.answer(ahead[0], ask.side, ahead[1])
                return True
        early = self.early.find_and_use(ask) if beforehand else None
        if early is None and self.side is None:
            early = self.kept.find_and_use(ask, self._journal.campaign.situation.date)
        try:
            if early is not None:
                self._answer(ask, *early)
        except RefusedError as refused:
            self.early.again = (self.question_identity(), str(refused))
            return False
        return early is not None

    def answer(self, raw: Raw, by: str = "players", source: Source = HAND) -> Entry:
        """Answer the open question without playing further. Raises RefusedError."""
        if self._ask is not None:
            check_may_answer(self._journal, self.seat, self._ask)
        return self._journal.answer(raw, by, source)

    def answer_and_play(
        self, ask: Question[Any], raw: Raw, source: Source = HAND, last: Paragraph | None = None
    ) -> Question[Any] | None:
        """Answer the open question `ask` for its side, and the following ones that were answered
        early, and play to the next one, or to the end of the phase or of `last`. All of that is
        stored together."""
        kept = self.kept.restored_on_error()
        with self._journal.transaction(), self.early.restored_on_error(), kept:
            self._answer(ask, raw, source)
            return self._on(last, beforehand=True)

    def _answer(self, ask: Question[Any], raw: Raw, source: Source) -> None:
        """Answer the open question for its side."""
        check_may_answer(self._journal, self.seat, ask)
        self._journal.answer(raw, ask.side, source)
        self.figures.save_own_figure(ask, raw, source)

    def answer_group(
        self, asks: Sequence[Question[Any]], given: Mapping[str, Raw]
    ) -> Question[Any] | None:
        """Answer questions of one kind, the first of which is open, as a separate invocation:
        `given` by subject, the others by default; then continue. Each answer is entered when its
        question is reached. Raises RefusedError, with none of them answered, if the first answer is
        refused."""
        self._journal.begin_invocation()
        with self.early.restored_on_error(), _naming(asks[0]):
            for ask in asks:
                source = HAND if ask.subject in given else DEFAULT
                self.early.set_answers(key_within_kind(ask), given.get(ask.subject), source=source)
            first = self.early.find_and_use(asks[0])
            assert first is not None, "its answer has just been set"
            return self.answer_and_play(asks[0], *first)

    def answer_if_answered_early(self) -> None:
        """Answer the open question if it was answered early, after another window has played up to
        it."""
        ask = self._ask
        if ask is not None and self.early.find_answer(ask) is not None:
            self._journal.begin_invocation()
            with self._journal.transaction(), self.early.restored_on_error():
                self._on(None, beforehand=True)

    def answer_typed(
        self, typed: str, check: Callable[[Question[Any]], None] = lambda ask: None
    ) -> Question[Any] | None:
        """Answer the open question, or the first one reached by playing, as a separate invocation,
        and play to the next one. Raises RefusedError, with nothing begun, if the answer is refused
        or if `check`, called with the question, refuses it."""
        self._journal.begin_invocation()
        with self._journal.transaction():
            ask = self._asked()
            check_may_answer(
                self._journal, self.seat, ask
            )  # first, so that any error names the question
            check(ask)
            with _naming(ask):
                return self.answer_and_play(ask, ask.parse(typed))

    def _asked(self) -> Question[Any]:
        """Return the open question, or the first one reached by playing. Raises RefusedError."""
        ask = self.play_to_question()
        if ask is None:
            raise RefusedError("there is no open question; see brt-cg status")
        return ask

    def get_answer_from_supply(
        self, ask: Question[Any], supply: AnswerSupply
    ) -> tuple[Raw, Source]:
        """Return a supply's raw answer to a question, and its source. Raises MissingAnswerError if
        it has none."""
        date, position = self._journal.campaign.situation.date, self._journal.times_answered(ask)
        raw, source = supply.supply_answer(ask, date, position)
        if source == DEFAULT and (known := self.figures.proposed_figure(ask)) is not None:
            return known, FROM_CATALOGUE
        return raw, source

    def play_with_supply(
        self, supply: AnswerSupply, last: Paragraph | None = None
    ) -> Iterator[Entry]:
        """Play with a supply of answers, yielding each new entry once it is stored, until the phase
        (or `last`) ends. Raises MissingAnswerError at a question that the supply has no answer to,
        and RefusedError at an answer that is not allowed; earlier answers are kept.

        Each answer from a file is stored as it is entered, because players wrote it; a run of only
        the program's dice and defaults is stored as a whole.
        """
        self._journal.begin_invocation()
        seen, stopped = len(self._journal.entries), None
        if supply.answers is not None:
            supply.answers.mark_given_answers_used(self._journal)
            for _ in self._steps(supply, last):
                yield from self._journal.entries[seen:]
                seen = len(self._journal.entries)
            return
        with self._journal.transaction(), self._journal.without_display():
            try:
                for _ in self._steps(supply, last):
                    pass
            except BaseException as why:  # raised again after earlier entries are stored
                stopped = why
        yield from self._journal.entries[seen:]
        if stopped is not None:
            raise stopped

    def play_by_defaults_until(
        self, dice: DiceSource, stops: Callable[[Question[Any]], bool], within: bool = False
    ) -> Iterator[None]:
        """Play with dice and defaults, answer by answer, to a question at which it `stops`, or to
        the end of the phase; `within` limits it to the paragraph in progress."""
        supply, situation = AnswerSupply(dice=dice, defaults=True), self._journal.campaign.situation
        paragraph, ask = situation.paragraph, self.continue_play()
        while ask is not None and not stops(ask):
            if within and self._journal.campaign.situation.paragraph != paragraph:
                return
            ask = self.answer_and_play(ask, *self.get_answer_from_supply(ask, supply))
            yield

    def _steps(self, supply: AnswerSupply, last: Paragraph | None) -> Iterator[None]:
        """Play, stopping at each question before it is answered, and at the end."""
        ask = self.play_to_question(last)
        while ask is not None:
            yield
            with _naming(ask):
                check_may_answer(self._journal, self.seat, ask)
                raw, source = self.get_answer_from_supply(ask, supply)
                ask = self.answer_and_play(ask, raw, source, last)
        yield


def as_open_campaign(reader: CampaignReader) -> OpenCampaign:
    """Return the open campaign of a reader that was opened to enter something."""
    assert isinstance(reader, OpenCampaign), "opened for reading only"
    return reader


def _begins_date(entry: Entry) -> bool:
    return any(
        table == Situation.TABLE and name == "date" for table, _, name, _, _ in entry.changes
    )


@contextmanager
def _naming(ask: Question[Any]) -> Iterator[None]:
    """Add the question to a refusal of its answer, for a player who does not see the question."""
    try:
        yield
    except (RulesChangedError, NotYourTurnError):
        raise
    except RefusedError as why:
        raise RefusedError(f"{ask.rule} {ask.subject}: {why}") from None
