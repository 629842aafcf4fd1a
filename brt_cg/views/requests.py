"""Requests of one player to the other that have not been agreed to, declined or withdrawn."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from brt_cg.commands import correction_text
from brt_cg.commands.free_ids import replace_ids_taken_by_hidden_counters
from brt_cg.immutable import immutable
from brt_cg.journal.entries import Entry
from brt_cg.journal.journal import NOTE, Journal, can_be_entered_at_any_time
from brt_cg.journal.mismatch import RulesChangedError
from brt_cg.journal.selective_undo import entries_undone_with
from brt_cg.model import (
    Campaign,
    Counter,
    Side,
    field_name_in_files,
    fields_of,
    only_side_allowed_to_read,
    spoken_word,
    to_json,
    visible_campaign,
)
from brt_cg.questions import RefusedError
from brt_cg.text import count_text, list_text
from brt_cg.views.journal import entry_name_for_sides, is_hidden_from, is_unknown_to
from brt_cg.views.public_point import is_position_known_to, visible_journal
from brt_cg.views.rights import (
    FREE,
    Right,
    counters_contradicting_opponent,
    no_right_error,
    not_possible_error,
    right_to,
)
from brt_cg.views.undo import next_to_undo

MOST_TOLD = 12  # lines about the changes by a request


@immutable
class Request:
    """A request of a side: its number, the command wanted, its description, its changes line by
    line, and the state that it depends on."""

    number: int
    side: Side
    kind: str
    asked: dict[str, Any]
    words: str
    tells: tuple[str, ...]
    stands: Any

    def can_be_answered_from(self, seat: Side | None) -> bool:
        """Whether a seat (None: the umpire) may agree to the request or decline it."""
        return seat is not self.side

    def can_be_withdrawn_from(self, seat: Side | None) -> bool:
        """Whether a seat may withdraw the request."""
        return seat in (None, self.side)


def open_requests(journal: Journal) -> list[Request]:
    """Return the requests that the opponent has still to answer, oldest first."""
    made: dict[int, Request] = {}
    number = 0
    for entry in _of_agreement(journal):
        if entry.kind == "ask":
            number += 1
            asked = entry.asked
            made[number] = Request(
                number,
                Side(asked["side"]),
                asked["kind"],
                asked["asked"],
                asked["words"],
                tuple(asked.get("tells", ())),
                asked.get("stands"),
            )
        else:
            made.pop(int(entry.asked["request"]), None)
    return list(made.values())


def _of_agreement(journal: Journal) -> Iterator[Entry]:
    return (journal.entries[seq - 1] for seq in journal.agreements)


def find_request(journal: Journal, number: int | None) -> Request:
    """Return the open request with a number; without a number, the only open request. Raises
    RefusedError."""
    found = open_requests(journal)
    if number is None and len(found) == 1:
        return found[0]
    for request in found:
        if request.number == number:
            return request
    if not found:
        raise RefusedError(f"no request{'' if number is None else f' {number}'} is open")
    what = "several requests are open" if number is None else f"no request {number} is open"
    raise RefusedError(f"{what}; enter {list_text(request.number for request in found)}")


def state_request_depends_on(
    journal: Journal, kind: str, asked: dict[str, Any], side: Side | None = None
) -> Any:
    """Return the state that a request depends on, so that it can be refused if that state changes:
    for a correction, the values that it would change, as its side sees them; for a ruling, the
    current one; for an undo, the undone entries that both sides know of; else the number of
    entries, not undone, that both know of."""
    match kind:
        case "edit":
            return _values(visible_campaign(journal.campaign, side), asked)
        case "ruling":
            return journal.campaign.ruling_value(str(asked.get("id")))
        case "undo":
            return _seqs(journal, next_to_undo(journal, tuple(Side), bool(asked.get("whole"))))
        case "go_back":
            return _seqs(journal, journal.entries_to_undo_after(int(asked["entry"])))
        case _:
            standing = (journal.entries[seq - 1] for seq in journal.standing)
            return sum(not any(is_hidden_from(entry, side) for side in Side) for entry in standing)


def entries_request_undoes(journal: Journal, request: Request) -> list[int]:
    """Return the entries that a requested undo undoes: those that both know of and those that
    follow from them; if going back was requested, all later ones."""
    if request.kind == "go_back":
        return journal.entries_to_undo_after(int(request.asked["entry"]))
    whole = bool(request.asked.get("whole"))
    group = next_to_undo(journal, tuple(Side), whole)
    return entries_undone_with(journal, group) if group else []


def _values(campaign: Campaign, asked: dict[str, Any]) -> dict[str, Any] | None:
    """Return the values that a correction would change, unless they are one side's secret."""
    record, values = _record(campaign, str(asked.get("id"))), asked.get("set")
    if record is None or not isinstance(values, dict):
        return None
    if isinstance(record, Counter) and only_side_allowed_to_read(campaign, record) is not None:
        return None
    names = {field_name_in_files(name): name for name in record.names()}
    return {name: to_json(getattr(record, names[name])) for name in values if name in names}


def _record(campaign: Campaign, id: str) -> Any:
    if id == "campaign":
        return campaign.situation
    return campaign.sides.get(id) or campaign.find(id)


def check_request_still_valid(journal: Journal, request: Request) -> None:
    """Raise RefusedError if the state that a request depends on has changed since it was made."""
    with suppress(RefusedError):  # nothing left to undo
        stands = request.stands
        if request.kind in ("undo", "go_back"):
            # Older requests name the secrets too.
            stands = _seqs(journal, [seq for seq in stands or () if seq in journal.standing])
        if state_request_depends_on(journal, request.kind, request.asked, request.side) == stands:
            return
    raise RefusedError(
        f"request {request.number} ({request.words}) is out of date, because something "
        f"else has been entered since; ask again"
    )


def request_text(journal: Journal, kind: str, asked: dict[str, Any]) -> str:
    """Return a request in the players' words: "correct 7-6-8 squad no. 1 (Location N20): he
    moved"."""
    match kind:
        case "edit":
            return f"correct {_correction_text(journal.campaign, asked)}: {asked.get('reason')}"
        case "ruling":
            ruling = journal.card.rulings[str(asked.get("id"))]
            return f"{ruling.question} {ruling.meaning(str(asked.get('value')))}"
        case "import" if (side := Side.from_name(asked.get("side"))) is not None:
            about = list_text(
                piece.label for piece in counters_contradicting_opponent(journal, asked)
            )
            return (
                f"enter the {side.label} end-of-scenario report, which contradicts the "
                f"{side.enemy.label} report about: {about}"
            )
        case "import":
            return f"import the end of the scenario, both sides ({asked.get('source')})"
        case "waive":
            missing = Side(str(asked["side"]))
            return f"begin the Refit Phase without the {missing.label} report"
        case "reinforce":
            return "add counters for both sides"
        case "undo":
            known = _known_to_both(journal, state_request_depends_on(journal, kind, asked))
            if asked.get("whole"):
                return f"undo the last command ({count_text(len(known), 'entry')})"
            return "undo the last entry" + (
                f" ({entry_name_for_sides(known[0], Side)})" if known else ""
            )
        case "go_back":
            known = _known_to_both(journal, state_request_depends_on(journal, kind, asked))
            return (
                (f"undo {entry_name_for_sides(known[0], Side)} and everything after it")
                if known
                else "go back"
            )
        case _:
            return kind


def _correction_text(campaign: Campaign, asked: dict[str, Any]) -> str:
    """Return the name of the corrected record, and its new values."""
    given, id = asked.get("set"), str(asked.get("id"))
    values = given.items() if isinstance(given, dict) else ()
    counter = campaign.find(id)
    if counter is None:
        return f"{id} ({', '.join(f'{name}={value}' for name, value in values)})"
    labels = {name: field.label for name, field in fields_of(type(counter)).items()}
    words = ", ".join(f"{labels.get(name, name)} {_spoken(value)}" for name, value in values)
    return f"{counter.label} ({campaign.replace_ids_with_names(words)})"


def _spoken(value: Any) -> str:
    """Return a new value in the players' words."""
    several = value if isinstance(value, list) else [value]
    words = ("yes" if each is True else "no" if each is False else each for each in several)
    return ", ".join(spoken_word(str(each)) for each in words if each is not None) or "–"


def _known_to_both(journal: Journal, group: list[int]) -> list[Entry]:
    """Return the answers and commands of these entries that both sides know of."""
    entries = (journal.entries[seq - 1] for seq in group)
    alone = (entry for entry in entries if entry.can_be_undone_alone)
    return [entry for entry in alone if not any(is_unknown_to(entry, side) for side in Side)]


def _seqs(journal: Journal, group: list[int]) -> list[int]:
    return [entry.seq for entry in _known_to_both(journal, group)]


# --- entering -----------------------------------------------------------------------------------


def enter_or_request(journal: Journal, kind: str, asked: dict[str, Any], by: str) -> Entry:
    """Carry out a command that the seat may enter alone; for one that concerns both, make a request
    to the opponent.

    The command is first tried on the campaign that its side sees, so that a refusal has the same
    words whether an id is invented or is the enemy's secret. A command that conflicts only with the
    enemy's secrets is always refused with the same sentence. Raises RefusedError.
    """
    side = None if journal.seat is None else journal.seat.side
    words_alone = kind == NOTE and asked.get("about") is None
    if side is None:
        return journal.run_command(kind, asked, by)
    if journal.mismatch is not None and not can_be_entered_at_any_time(kind):
        raise RulesChangedError
    if kind in FREE or (words_alone and asked.get("side") in (None, side)):
        _check_when(journal, kind, side)
        return journal.run_command(kind, asked, by)
    known = visible_journal(journal, side)
    said = journal.try_command(kind, asked, side, known.campaign if known is not journal else None)
    right = right_to(journal, journal.seat, kind, asked)
    if right is Right.NONE:
        raise no_right_error(kind)
    asked = replace_ids_taken_by_hidden_counters(kind, asked, journal.campaign, side)
    if right is Right.AGREED:
        open_to_both = (line.text for line in said if line.secret is None)
        lines = [text.removeprefix(f"{correction_text(side)} ") for text in open_to_both]
        return enter_request(journal, kind, asked, side, lines)
    _check_when(journal, kind, side)
    try:
        return journal.run_command(kind, asked, by)
    except RulesChangedError:
        raise
    except RefusedError:
        raise not_possible_error(kind) from None


def _check_when(journal: Journal, kind: str, side: Side) -> None:
    """Raise RefusedError if a command is not possible in the middle of a paragraph, without naming
    a paragraph in which the enemy makes a secret decision."""
    try:
        journal.entries_to_undo_before(kind)
    except RefusedError:
        if is_position_known_to(journal, side):
            raise
        words = "the other player is making a secret decision; wait for it"
        raise RefusedError(words) from None


def enter_request(
    journal: Journal, kind: str, asked: dict[str, Any], side: Side, tells: Sequence[str] = ()
) -> Entry:
    """Enter a side's request to its opponent, with the changes that it would make. Raises
    RefusedError if there is nothing to undo."""
    stands = state_request_depends_on(journal, kind, asked, side)
    for request in open_requests(journal):
        made = (request.side, request.kind, request.asked, request.stands)
        if made == (side, kind, asked, stands):
            raise RefusedError(
                f"you have already asked your opponent for this: request {request.number} "
                f"({request.words})"
            )
    if kind in ("undo", "go_back"):
        if not stands:
            raise RefusedError("nothing was answered or entered after that")
        known = _known_to_both(journal, stands)
        tells = [
            f"undone: {line.text}"
            for entry in known
            for line in entry.said[:1]
            if line.secret is None
        ]
    wish = {
        "kind": kind,
        "asked": asked,
        "side": side,
        "words": request_text(journal, kind, asked),
        "stands": stands,
        "tells": _some(tells),
    }
    return journal.run_command("ask", wish, side)


def _some(lines: Sequence[str]) -> list[str]:
    """Return the first lines, and the number of other lines."""
    more = len(lines) - MOST_TOLD
    return [*lines[:MOST_TOLD], *([f"and {count_text(more, 'more line')}"] if more > 0 else [])]
