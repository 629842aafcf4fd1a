"""The check whether a mail's sender may make its entries, by the same table as for entries made
here (rights.py)."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from brt_cg.commands.registry import COMMANDS
from brt_cg.journal.early_answers import due_queued_purchase_command, find_early_answer
from brt_cg.journal.entries import (
    AGREEMENT,
    KINDS_OF_PARAGRAPH,
    TIME_TRAVEL,
    Entry,
    question_key_as_json,
)
from brt_cg.journal.journal import Journal
from brt_cg.model import Seat, Side
from brt_cg.questions import GIVEN_AHEAD, RefusedError
from brt_cg.views.journal import is_hidden_from
from brt_cg.views.journal_rows import title_of_entry
from brt_cg.views.requests import Request, entries_request_undoes, find_request
from brt_cg.views.rights import Right, right_to, right_to_undo_entries

Key = tuple[str, str, str]


KEPT = "kept"  # the fields of a report left as in the opponent's report


def entry_identity(entry: Entry) -> Key:
    """Return the part of an entry that stays the same when the entry is entered again in another
    place."""
    asked = {name: value for name, value in entry.asked.items() if name != KEPT}
    return entry.kind, str(asked), str(entry.payload["at"])


@dataclass(slots=True)
class SenderCheck:
    """A check of the entries of a mail, one after another, each before it is added to `journal`.
    `known` are the keys of the receiver's own entries that come back, each once; the receiver
    already had the first `shared` entries, of which those that concern both sides are not undone
    without the receiver's consent; with `takes_back`, all entries said to be from the receiver's
    seat are accepted as the receiver's own, and `took_back` says whether there were any;
    `entered_again` returns the input of one of the receiver's entries as it is in its present
    place."""

    journal: Journal
    sender: Seat | None
    known: Counter[Key]
    shared: int = 0
    takes_back: bool = False
    took_back: bool = False
    entered_again: Callable[[Entry], dict[str, Any]] = attrgetter("asked")
    _agreed: tuple[int, Request] | None = field(default=None)  # the invocation, and the part of it

    def check_entry(self, entry: Entry, following: Entry | None) -> None:
        """Raise RefusedError for an entry that the sender's seat may not enter; `following` is the
        next entry of the mail."""
        seat = self._seat_of(entry)
        side = None if seat is None else seat.side
        if side is None or not self._breaks(entry, following, seat, side):
            return
        raise RefusedError(
            f"the {side.label} seat may not enter its contents ({_words(entry, side)}), so "
            f"nothing was accepted; ask your opponent to undo that entry and send again, "
            f"continue from your own campaign, or, if an umpire entered it, receive it "
            f"with --from-umpire"
        )

    def _seat_of(self, entry: Entry) -> Seat | None:
        """Return the seat by whose rights an entry is judged: that of the mail, unless it is the
        receiver's own entry coming back. Raises RefusedError if it names a side that the mail does
        not come from."""
        named, sender = entry.seat, self.sender
        if sender is None or sender.side is None or named is sender:
            return sender if sender is not None else named
        is_own = self.known[entry_identity(entry)] > 0
        if is_own and entry.asked == self.entered_again(entry):
            self.known[entry_identity(entry)] -= 1
            return named
        if named is None or named.side is None:
            return sender
        if not self.takes_back:
            raise RefusedError(
                f"it contains an entry from the {named.label} seat, not from the {sender.label} "
                f"seat; if you entered it and lost it, receive it with --take theirs"
            )
        self.took_back = True
        return named

    def _breaks(self, entry: Entry, following: Entry | None, seat: Seat | None, side: Side) -> bool:
        if entry.kind == "undo" and "for" in entry.asked:
            return not self._makes_room(entry, following)
        if entry.kind in AGREEMENT:
            return self._breaks_agreement(entry, side)
        agreed = self._agreed[1] if self._agreed and self._agreed[0] == entry.invocation else None
        if entry.is_early_answer:
            return not self._was_given(entry)
        if entry.kind in KINDS_OF_PARAGRAPH:
            return entry.kind == "answer" and _breaks_answer(entry, side)
        if entry.kind in TIME_TRAVEL:
            group = entry.asked["entries"]
            right = right_to_undo_entries(self.journal, seat, group, self.shared)
            return right is not Right.OWN and not self._was_agreed(entry, agreed)
        if agreed is not None and (agreed.kind, agreed.asked) == (entry.kind, entry.asked):
            return False
        return right_to(self.journal, seat, entry.kind, entry.asked) is not Right.OWN

    def _was_agreed(self, entry: Entry, agreed: Request | None) -> bool:
        """Whether an undo undoes only the entries that the opponent requested."""
        if agreed is None or entry.kind != "undo" or agreed.kind not in ("undo", "go_back"):
            return False
        return bool(entry.asked["entries"] == entries_request_undoes(self.journal, agreed))

    def _makes_room(self, entry: Entry, following: Entry | None) -> bool:
        """Whether an undo is one that the program makes before a command: of a paragraph's
        beginning that has no answer yet, or of the report that the command replaces; the command
        must follow immediately."""
        if following is None or following.invocation != entry.invocation:
            return False
        command = self.journal.original_command(following)
        kind, group = command.kind, entry.asked["entries"]
        if kind not in COMMANDS or entry.asked["for"] != kind:
            return False
        try:
            replaced = self.journal.report_replaced_by(kind, command.asked)
            if replaced is not None and group == [replaced.seq]:
                return True
            return bool(group == self.journal.entries_to_undo_before(kind))
        except RefusedError:  # in the middle of a paragraph
            return False

    def _breaks_agreement(self, entry: Entry, side: Side) -> bool:
        if entry.kind == "ask":
            return bool(entry.asked.get("side") != side)
        request = find_request(self.journal, entry.asked.get("request"))
        if entry.kind == "agree":
            self._agreed = (entry.invocation, request)
        return (request.side is side) is not (entry.kind == "withdraw")

    def _was_given(self, entry: Entry) -> bool:
        """Whether the entry's side gave this early answer to the open question, or put this
        purchase on its list."""
        ask = self.journal.open_question()
        if entry.kind == "commit":
            return entry.asked == due_queued_purchase_command(self.journal, ask)
        if ask is None or question_key_as_json(ask) != entry.payload["ask"]:
            return False
        return find_early_answer(self.journal, ask) == (entry.payload["answer"], GIVEN_AHEAD)


def _breaks_answer(entry: Entry, side: Side) -> bool:
    ask: Any = entry.payload["ask"]
    if entry.secret is side.enemy:
        return True
    is_public = ask["kind"] == "roll" or bool(entry.payload.get("public"))
    return ask["side"] != side and not is_public


def _words(entry: Entry, side: Side) -> str:
    """Return an entry in words, as both sides may know it."""
    if entry.secret is side.enemy:
        return "something that side may not see"
    if entry.secret is side or is_hidden_from(entry, side.enemy):
        return "something you are not allowed to see yet"
    return " ".join(filter(None, (entry.rule, title_of_entry(entry))))
