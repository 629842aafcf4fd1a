"""The journal of a campaign, open for reading and for the next entry.

A Book holds the entries, the campaign that they fold to, and the paragraph in progress. It plays
paragraphs, takes answers and commands, undoes and redoes; every doing becomes one entry, handed to
`writer` before it counts. It is pure: no files, no clock and no dice of its own.
"""

from collections import Counter as Tally
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from brt_cg.asks import Ask, Raw, Refused, Roll
from brt_cg.campaign import Campaign
from brt_cg.card import Card, load_card
from brt_cg.commands import Command
from brt_cg.commands.registry import COMMANDS
from brt_cg.journal.changes import Change, adopt, apply, compare, inverse
from brt_cg.journal.entries import TIME_TRAVEL, Entry, seal
from brt_cg.journal.recording import as_recorded, check_numbers, roll_record, travel_said
from brt_cg.records import Phase
from brt_cg.refit.play import Paragraph, Said
from brt_cg.refit.run import Run
from brt_cg.refit.sequence import BY_NUMBER, FIRST_OF_SETUP, SEQUENCE, WINDOW, following, played

RULES = "1"  # the version of the rules as built here; raised when a rule's code or data changes
RULE_VERSIONS = (RULES,)  # every version that there has been, first to last
BOOKKEEPING = {"paragraph", "phase"}


class RulesMoved(Refused):
    """The paragraph in progress was begun under rules that gave other results."""


Writer = Callable[[Entry, Campaign], None]


class Book:
    """A campaign's journal. `entries` count from 1; `standing` are those not undone."""

    def __init__(self, clock: Callable[[], str], writer: Writer | None = None) -> None:
        self.clock = clock
        self.writer = writer
        self.entries: list[Entry] = []
        self.standing: set[int] = set()
        self.redoable: list[list[int]] = []
        self.campaign = Campaign()
        self.call = 1
        self._shadow = Campaign()
        self._run: Run | None = None
        self._rolls: Tally[tuple[str, str, str]] = Tally()

    # --- reading ------------------------------------------------------------------------------

    def load(self, entries: Iterable[Entry]) -> None:
        """Takes in entries from storage, folding them. Raises ValueError if one does not fit."""
        for entry in entries:
            apply(self.campaign, entry.changes)
            self._count(entry)
        self._shadow = self.campaign.clone()
        self.begin_call()

    def begin_call(self) -> None:
        """Starts a new invocation: what `undo --command` takes back together."""
        self.call = len(self.entries) + 1

    @property
    def card(self) -> Card:
        return load_card(self.campaign.situation.cg)

    @property
    def head(self) -> str | None:
        """The hash of the newest entry."""
        return self.entries[-1].hash if self.entries else None

    def open_ask(self) -> Ask[Any] | None:
        """The question that stands open in the paragraph in progress."""
        if self._run is None and self.entries and self.campaign.situation.paragraph:
            self._resume()
        return self._run.ask if self._run else None

    def position(self, ask: Ask[Any]) -> int:
        """How many answers to this rule, subject and kind stand in this Refit Phase."""
        return self._rolls[(ask.rule, ask.subject, ask.kind)]

    def standing_answers(self) -> list[tuple[tuple[str, str, str], int]]:
        """How often each rule, subject and kind has been answered in this Refit Phase."""
        return list(self._rolls.items())

    def standing_items(self) -> Iterator[tuple[str, str]]:
        """The rule and item of each entry about many items that stands in this Refit Phase."""
        for seq in sorted(self.standing, reverse=True):
            entry = self.entries[seq - 1]
            if entry.kind in ("new", "import"):
                return
            given = entry.payload.get("answer")
            if isinstance(given, dict):
                yield from ((entry.payload["ask"]["rule"], item) for item in given)

    # --- playing ------------------------------------------------------------------------------

    def next_paragraph(self) -> Paragraph | None:
        """The paragraph to begin once the one in progress has ended; None if the phase is over."""
        return following(self.campaign.situation, self.campaign.situation.done)

    def advance(self, last: Paragraph | None = None) -> Ask[Any] | None:
        """Plays on to the next question, which it returns, or to the end of the phase, or to the
        end of the paragraph `last`."""
        while True:
            ask = self.open_ask()
            if ask is not None:
                return ask
            upcoming = self.next_paragraph()
            if upcoming is None or (last and played(self.campaign.situation, last)):
                return None
            self.begin(upcoming)

    def begin(self, paragraph: Paragraph) -> Entry:
        """Begins a paragraph: plays it to its first question or its end, as one entry."""
        try:
            self._mark_begun(self.campaign, paragraph)
            run = Run(paragraph, self.campaign, self.card, len(self.entries) + 1)
            run.start()
            said = run.take_said()
            changes = compare(self._shadow, self.campaign)
            idle = run.ended and not said and all(_is_bookkeeping(one) for one in changes)
            payload: dict[str, Any] = {"kind": "begin", "rule": paragraph.number}
            if idle:
                because = run.play.because or paragraph.nothing
                payload |= {"kind": "skip", "because": because}
                said = (Said(because),)
            self._run = run
            self._end_if_ended(run)
            return self._append(payload, said)
        except BaseException:
            self.drop()
            raise

    def answer(self, raw: Raw, by: str, source: str = "hand") -> Entry:
        """Answers the open question. Raises Refused, with nothing changed, if it is not allowed."""
        ask = self.open_ask()
        if ask is None or self._run is None:
            raise Refused("nothing is asked now")
        raw = as_recorded(raw)
        value = ask.read(raw)
        check_numbers(raw)
        payload = self._answer_payload(ask, raw, value, by, source)
        try:
            self._run.send(value, len(self.entries) + 1)
            said = self._run.take_said()
            self._end_if_ended(self._run)
            return self._append(payload, said)
        except BaseException:
            self.drop()
            raise

    def _answer_payload(
        self, ask: Ask[Any], raw: Raw, value: Any, by: str, source: str
    ) -> dict[str, Any]:
        payload: dict[str, Any] = {
            "kind": "answer",
            "rule": self.campaign.situation.paragraph,
            "ask": {"rule": ask.rule, "subject": ask.subject, "kind": ask.kind, "side": ask.side},
            "answer": raw,
            "by": by,
            "from": source,
        }
        if isinstance(ask, Roll):
            payload["roll"] = roll_record(value) | {
                "position": self.position(ask),
                "date": self.campaign.situation.date,
            }
        if ask.secret:
            payload["secret"] = ask.secret
        return payload

    def _mark_begun(self, campaign: Campaign, paragraph: Paragraph) -> None:
        campaign.situation.paragraph = paragraph.number
        if campaign.situation.phase is Phase.PURCHASE:
            campaign.situation.phase = Phase.SETUP

    def _end_if_ended(self, run: Run) -> None:
        if not run.ended:
            return
        situation = self.campaign.situation
        situation.paragraph = None
        situation.done = run.paragraph.number
        self._run = None
        if situation.phase is Phase.OVER:
            return
        if run.paragraph is SEQUENCE[-1]:
            situation.phase = Phase.SCENARIO
            situation.done = None
        elif SEQUENCE[SEQUENCE.index(run.paragraph) + 1] is FIRST_OF_SETUP:
            situation.phase = Phase.SETUP

    # --- commands -----------------------------------------------------------------------------

    def command(self, kind: str, asked: dict[str, Any], by: str) -> Entry:
        """Carries out a command as one entry. Raises Refused, with nothing changed."""
        if not self.entries and kind != "new":
            raise Refused("there is no campaign yet")
        asked = as_recorded(asked)
        in_the_way = self.in_the_way_of(kind)
        after = self.campaign.clone()
        for seq in reversed(in_the_way):
            apply(after, inverse(self.entries[seq - 1].changes))
        before = after.clone() if in_the_way else self.campaign
        at = self.clock()
        serial = len(self.entries) + 1 + bool(in_the_way)
        card = self.card if self.entries else load_card(asked["cg"])
        command = Command(kind, asked, after, card, serial, by, at)
        COMMANDS[kind](command)
        payload: dict[str, Any] = {"kind": kind, "asked": asked, "by": by, "at": at}
        if command.secret:
            payload["secret"] = command.secret
        changes = compare(before, after)
        if in_the_way:
            self.take_back(in_the_way, kind)
        try:
            apply(self.campaign, changes)
            return self._append(payload, tuple(command.said), changes)
        except BaseException:
            self.drop()
            raise

    def in_the_way_of(self, kind: str) -> list[int]:
        """What must be taken back before a command: the beginning of a paragraph that has no answer
        yet, which then begins anew. Commands happen between paragraphs, or where 15.614 asks for
        purchases. Raises Refused in the middle of a paragraph."""
        number = self.campaign.situation.paragraph if self.entries else None
        if number is None or BY_NUMBER[number] is WINDOW:
            return []
        start = self._start_of(number)
        later = [seq for seq in sorted(self.standing) if seq >= start]
        if len(later) > 1:
            raise Refused(
                f"{kind} is not possible in the middle of {number}: finish the paragraph, "
                "or undo back to its beginning"
            )
        return later

    # --- undo and redo --------------------------------------------------------------------------

    def undo(self, whole_call: bool = False) -> Entry:
        """Takes back the newest answer or command (or the whole last invocation), with all that
        followed from it. Raises Refused when there is nothing to take back."""
        return self.take_back(self.to_undo(whole_call))

    def to_undo(self, whole_call: bool = False) -> list[int]:
        """The standing entries that `undo` would take back now. Raises Refused if there are
        none."""
        standing = sorted(self.standing)
        if whole_call:
            newest = self.entries[standing[-1] - 1]
            first = min(seq for seq in standing if self.entries[seq - 1].call == newest.call)
        else:
            alone = (seq for seq in reversed(standing) if self.entries[seq - 1].stands_alone)
            first = next(alone, 1)
        if first == 1:
            # Nothing was answered yet; paragraphs that asked nothing may have been played.
            first = standing[1] if len(standing) > 1 else 1
        if first == 1:
            raise Refused("there is nothing to undo: the campaign has just been created")
        return [seq for seq in standing if seq >= first]

    def take_back(self, group: list[int], make_room_for: str | None = None) -> Entry:
        """Undoes standing entries, which must be the newest ones. To make room for a command, it
        is no undo of the players', and nothing to redo."""
        undone = [self.entries[seq - 1] for seq in group]
        changes = inverse(change for entry in undone for change in entry.changes)
        asked = {"for": make_room_for} if make_room_for else {}
        return self._travel("undo", undone, changes, asked)

    def redo(self) -> Entry:
        """Does again what was undone last. Raises Refused when something new came after it."""
        if not self.redoable:
            raise Refused("there is nothing to redo")
        group = self.redoable[-1]
        again = [self.entries[seq - 1] for seq in group]
        return self._travel("redo", again, [one for entry in again for one in entry.changes], {})

    def _travel(
        self, kind: str, about: list[Entry], changes: list[Change], also: dict[str, Any]
    ) -> Entry:
        try:
            apply(self.campaign, changes)
            self._run = None
            asked = {"entries": [entry.seq for entry in about], **also}
            return self._append({"kind": kind, "asked": asked}, travel_said(kind, about), changes)
        except BaseException:
            self.drop()
            raise

    # --- the chain ------------------------------------------------------------------------------

    def _append(
        self, payload: dict[str, Any], said: tuple[Said, ...], changes: list[Change] | None = None
    ) -> Entry:
        if changes is None:
            changes = compare(self._shadow, self.campaign)
        defaults = {"by": "players", "at": self.clock(), "rules": RULES, "call": self.call}
        entry = seal(self.entries, defaults | payload | {"changes": changes}, said)
        if self.writer is not None:
            self.writer(entry, self.campaign)
        apply(self._shadow, changes)
        self._count(entry)
        return entry

    def _count(self, entry: Entry) -> None:
        """Keeps the tallies that derive from the entries."""
        self.entries.append(entry)
        if entry.kind == "undo":
            group = entry.asked["entries"]
            self.standing -= set(group)
            if "for" not in entry.asked:
                self.redoable.append(group)
        elif entry.kind == "redo":
            self.standing |= set(entry.asked["entries"])
            self.redoable.pop()
        else:
            self.standing.add(entry.seq)
            self.redoable.clear()
        if entry.kind in TIME_TRAVEL:
            self._recount_rolls()
        else:
            self._count_roll(entry)

    def _count_roll(self, entry: Entry) -> None:
        if entry.kind in ("new", "import"):
            self._rolls.clear()
        elif entry.kind == "answer":
            ask = entry.payload["ask"]
            self._rolls[(ask["rule"], ask["subject"], ask["kind"])] += 1

    def _recount_rolls(self) -> None:
        self._rolls.clear()
        for seq in sorted(self.standing):
            self._count_roll(self.entries[seq - 1])

    def drop(self) -> None:
        """Forgets the live campaign and folds anew: after anything that went wrong half-way."""
        self._run = None
        self.campaign = self._shadow.clone()

    def force(self, entry: Entry) -> None:
        """Takes in an entry as it was recorded, whether it fits or not, for an audit that goes on
        after a finding."""
        self.drop()
        for campaign in (self.campaign, self._shadow):
            adopt(campaign, entry.changes)
        if entry.kind == "redo" and not self.redoable:
            self.redoable.append(entry.asked["entries"])
        self._count(entry)

    def correct(self, entry: Entry) -> None:
        """Takes in an entry as it was recorded in place of the newest one, which was made of the
        same question and answer; the paragraph in progress goes on."""
        changes = [*inverse(self.entries[-1].changes), *entry.changes]
        for campaign in (self.campaign, self._shadow):
            adopt(campaign, changes)
        self.entries[-1] = entry

    # --- resuming -------------------------------------------------------------------------------

    def _start_of(self, number: str) -> int:
        starts = (
            seq
            for seq in sorted(self.standing, reverse=True)
            if self.entries[seq - 1].kind == "begin" and self.entries[seq - 1].rule == number
        )
        return next(starts)

    def _resume(self) -> None:
        """Plays the paragraph in progress again on the campaign as that paragraph found it, with
        its recorded answers, up to the open question."""
        number = self.campaign.situation.paragraph
        assert number is not None
        start = self._start_of(number)
        found = self.campaign.clone()
        for entry in reversed(self.entries[start - 1 :]):
            apply(found, inverse(entry.changes))
        paragraph = BY_NUMBER[number]
        self._mark_begun(found, paragraph)
        run = Run(paragraph, found, load_card(found.situation.cg), start)
        run.start()
        for seq in sorted(seq for seq in self.standing if seq > start):
            self._again(run, found, self.entries[seq - 1])
        if compare(self.campaign, found):
            begun = self.entries[start - 1].payload["rules"]
            raise RulesMoved(
                f"{number} was begun under other rules (version {begun}, now {RULES}): "
                "undo back to its beginning"
            )
        run.take_said()
        self.campaign, self._run = found, run

    def _again(self, run: Run, found: Campaign, entry: Entry) -> None:
        if entry.kind != "answer":
            apply(found, entry.changes)
            return
        if run.ask is None:
            raise RulesMoved(f"entry {entry.seq} answers what is not asked any more: undo it")
        run.send(run.ask.read(entry.payload["answer"]), entry.seq)


def _is_bookkeeping(change: Change) -> bool:
    table, _, name, _, _ = change
    return table == "campaign" and name in BOOKKEEPING
