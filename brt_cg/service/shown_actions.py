"""Everything that a player enters at a screen or a page: an answer, a command, an undo, a redo.

Each function takes what was shown, and raises NotAsShownError, with nothing done, if that has
changed: another window, your opponent or a second program may have entered something since. A
driver with a screen has no other way in, because it gets a CampaignReader.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import nullcontext
from typing import Any, NewType

from brt_cg.immutable import immutable
from brt_cg.journal.entries import Entry
from brt_cg.model import Campaign, Side, encode_record
from brt_cg.questions import HAND, DiceSource, Question, Raw, RefusedError, Source
from brt_cg.service import agreements
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.open_campaign import OpenCampaign, as_open_campaign
from brt_cg.service.undo_redo import known_answers_and_commands, looking_sides
from brt_cg.service.unrestricted import SeatedCampaign, unrestricted_campaign
from brt_cg.views.question_name import QuestionName
from brt_cg.views.requests import Request
from brt_cg.views.undo import Sides, next_to_redo, next_to_undo

Group = NewType("Group", str)  # names entries that are undone or restored together
Records = NewType("Records", str)  # names what records hold
NOTHING_UNDONE = Group("")
STAGE = "campaign"  # the id of the campaign's situation
CLOSED = "That question has already been answered, so nothing was entered. This is the open one."
ENDED = "That request is closed or has been replaced, so nothing was entered."
CHANGED = "This has changed since you saw it, so nothing was entered. Check it, then try again."
OTHERS = (
    "Something else was entered meanwhile, so nothing was {}. Check it, then press the key again."
)


class NotAsShownError(RefusedError):
    """Raised when something is open, or would be undone, that differs from what was shown."""


# --- a question -----------------------------------------------------------------------------------


def question_as_shown(desk: CampaignReader, shown: QuestionName | None) -> Question[Any]:
    """Return the open question, which must be the one that was shown. Raises NotAsShownError."""
    book = desk.view()
    if book.ask is None or shown is None or book.question_identity != shown:
        raise NotAsShownError(CLOSED)
    return book.ask


def answer_shown(
    desk: CampaignReader, shown: QuestionName | None, raw: Raw, source: Source = HAND
) -> None:
    """Answer the question that was shown, as a separate invocation, and play to the next one.
    Raises RefusedError."""
    ask, entering = question_as_shown(desk, shown), as_open_campaign(desk)
    entering.begin_invocation()
    entering.answer_and_play(ask, raw, source)


def answer_shown_typed(desk: CampaignReader, shown: QuestionName | None, typed: str) -> None:
    """Answer the question that was shown by a line of text. Raises RefusedError."""
    _ = question_as_shown(desk, shown)
    as_open_campaign(desk).answer_typed(typed)


def answer_shown_list(
    desk: CampaignReader,
    shown: QuestionName | None,
    subjects: Iterable[str],
    given: Mapping[str, Raw],
) -> None:
    """Answer a list of questions of one kind, whose first was shown: `given` by subject, the others
    by default. Raises RefusedError."""
    _ = question_as_shown(desk, shown)
    known = {ask.subject: ask for ask in desk.open_and_similar_upcoming_questions().asks}
    asks = [known.get(subject) for subject in subjects]
    found = [ask for ask in asks if ask is not None]
    if len(found) < len(asks):
        raise NotAsShownError(CLOSED)
    as_open_campaign(desk).answer_group(found, given)


def roll_shown(desk: CampaignReader, shown: QuestionName | None, dice: DiceSource) -> None:
    """Roll for the question that was shown, and play to the next one. Raises RefusedError."""
    raw, source = as_open_campaign(desk).get_answer_from_supply(
        question_as_shown(desk, shown), AnswerSupply(dice=dice)
    )
    answer_shown(desk, shown, raw, source)


def end_shown_purchases(desk: CampaignReader, shown: QuestionName | None, side: Side) -> None:
    """End the purchases of a side, which were shown to be open. Raises NotAsShownError and
    RefusedError."""
    if question_as_shown(desk, shown).side is not side:
        raise NotAsShownError(CLOSED)
    entering = as_open_campaign(desk)
    entering.begin_invocation()
    entering.answer("done", by=side.value)


def deploy_shown(
    desk: CampaignReader, shown: QuestionName | None, ids: Collection[str], by: str
) -> None:
    """Exchange squads for half-squads at the setup question that was shown, which then also asks
    for the half-squads. Raises RefusedError."""
    _, entering = question_as_shown(desk, shown), as_open_campaign(desk)
    entering.run_command("deploy", {"ids": [*ids]}, by)
    entering.play_to_question()


def answer_if_answered_early(desk: CampaignReader) -> None:
    """Answer the open question, if that very question was answered early in this window, after
    another window has reached it."""
    as_open_campaign(desk).answer_if_answered_early()


# --- playing on -----------------------------------------------------------------------------------


@immutable
class CampaignPosition:
    """The position of a campaign: at a question, or before the next paragraph."""

    asked: QuestionName | None
    next: str | None = None


def check_position(desk: CampaignReader, shown: CampaignPosition) -> None:
    """Raise NotAsShownError unless the campaign is where it was shown."""
    book = desk.view()
    if shown.asked is not None:
        _ = question_as_shown(desk, shown.asked)
    elif book.ask is not None or book.next != shown.next:
        raise NotAsShownError(CLOSED)


def begin_shown_paragraph(desk: CampaignReader, shown: CampaignPosition) -> None:
    """Begin the paragraph shown as next. If an end-of-scenario report is missing, both players must
    agree. Raises RefusedError."""
    check_position(desk, shown)
    missing, entering = desk.view().half, as_open_campaign(desk)
    with entering.one_invocation():
        if missing is not None:
            with desk.entering_for_both() if desk.at_table else nullcontext():
                entering.run_command("waive", {"side": missing.value})
            if desk.view().half is not None:
                return  # your opponent is asked to agree
        entering.continue_play()


def play_from_shown_position(
    desk: CampaignReader,
    shown: CampaignPosition,
    dice: DiceSource,
    stops: Callable[[Question[Any]], bool],
    within: bool = False,
    first: Callable[[CampaignReader], object] = lambda _: None,
) -> Iterator[None]:
    """Play with dice and defaults from the point where the campaign was shown, after doing
    something `first`, to a question at which it `stops`; `within` limits it to the paragraph in
    progress. Raises RefusedError."""
    check_position(desk, shown)
    with as_open_campaign(desk).one_invocation():
        _ = first(desk)
        yield from as_open_campaign(desk).play_by_defaults_until(dice, stops, within)


# --- commands -------------------------------------------------------------------------------------


@immutable
class CommandBasis:
    """The facts that a player saw when deciding to enter a command: some records of a campaign (if
    `fields` is set, only those fields) and the `drafts` of a side. A campaign is identified by its
    first entry. A note is based on no record."""

    campaign: str
    held: Records
    ids: tuple[str, ...] = ()
    fields: tuple[str, ...] | None = None
    drafts: Side | None = None


def basis_of(
    campaign: str,
    view: Campaign,
    ids: Iterable[str] = (),
    fields: Iterable[str] | None = None,
    drafts: Side | None = None,
) -> CommandBasis:
    """Return the facts that a command is based on, as a seat sees them."""
    of, only = tuple(ids), tuple(fields) if fields is not None else None
    return CommandBasis(campaign, _held(view, of, only, drafts), of, only, drafts)


def check_basis(desk: CampaignReader, shown: CommandBasis) -> None:
    """Raise NotAsShownError if a command is no longer based on what was shown."""
    held = _held(desk.view().campaign, shown.ids, shown.fields, shown.drafts)
    if desk.campaign_id != shown.campaign or held != shown.held:
        raise NotAsShownError(CHANGED)


def run_shown_command(
    desk: CampaignReader, shown: CommandBasis, kind: str, asked: dict[str, Any], by: str = "players"
) -> Entry:
    """Enter a command that is based on what was shown. Raises RefusedError."""
    check_basis(desk, shown)
    return as_open_campaign(desk).run_command(kind, asked, by)


def run_shown_commands(
    desk: CampaignReader,
    shown: CommandBasis,
    several: Iterable[tuple[str, dict[str, Any]]],
    by: str = "players",
) -> None:
    """Enter several commands, based on what was shown, as one invocation. Raises RefusedError."""
    check_basis(desk, shown)
    as_open_campaign(desk).run_as_one_invocation(several, by)


# --- requests -------------------------------------------------------------------------------------


def agree_shown(desk: CampaignReader, shown: Request) -> Entry:
    """Carry out the request that was shown. Raises RefusedError."""
    return agreements.agree_and_carry_out_request(_with_request(desk, shown), shown.number)


def decline_shown(desk: CampaignReader, shown: Request, reason: str | None = None) -> Entry:
    """Decline the request that was shown, with a reason. Raises RefusedError."""
    return agreements.decline_request(_with_request(desk, shown), shown.number, reason)


def withdraw_shown(desk: CampaignReader, shown: Request) -> Entry:
    """Withdraw the seat's own request that was shown. Raises RefusedError."""
    return agreements.withdraw_request(_with_request(desk, shown), shown.number)


def _with_request(desk: CampaignReader, shown: Request) -> OpenCampaign:
    """Return the desk, if the request that was shown is still open. Raises NotAsShownError."""
    if shown not in desk.view().requests:
        raise NotAsShownError(ENDED)
    return as_open_campaign(desk)


# --- records: a purchase, drafts, a counter -------------------------------------------------------


def _held(
    view: Campaign, ids: Iterable[str], fields: Collection[str] | None, drafts: Side | None
) -> Records:
    """Return an identity for the contents of some records, or some of their fields, and of a side's
    drafts. A missing record counts as empty."""
    drafted = [id for id, each in view.purchases.items() if each.draft and each.side is drafts]
    held = []
    for id in sorted([*ids, *drafted]):
        written = _written(view, id)
        held.append([id, {k: v for k, v in written.items() if fields is None or k in fields}])
    return Records(_short(json.dumps(held, sort_keys=True)))


def _written(view: Campaign, id: str) -> dict[str, Any]:
    """Return the fields of a side, a purchase, a ruling or a counter; none if it is missing."""
    side = Side.from_name(id)
    if id == STAGE:
        return encode_record(view.situation)
    if id in view.rulings or id.startswith("R-"):
        return {"value": view.ruling_value(id), "agreed": id in view.rulings}
    points = view.purchases.get(id) or view.allotments.get(id)
    record = view.sides[side] if side else points or view.find(id)
    return encode_record(record) if record is not None else {}


# --- back and forth -------------------------------------------------------------------------------


@immutable
class Reversal:
    """The entries that an undo would undo: the whole invocation or its newest entry, and their
    identity."""

    group: Group
    whole_call: bool = False


def identity_of_entries_to_undo(
    desk: SeatedCampaign, whole_call: bool = False, sides: Sides | None = None
) -> Group:
    """Return the entries that an undo would undo now, identified by what the viewers may know."""
    sides = looking_sides(desk) if sides is None else sides
    return _named(desk, next_to_undo(unrestricted_campaign(desk), sides, whole_call), sides)


def identity_of_entries_to_redo(desk: SeatedCampaign, sides: Sides | None = None) -> Group:
    """Return the entries that a redo would restore now."""
    sides = looking_sides(desk) if sides is None else sides
    return _named(desk, next_to_redo(unrestricted_campaign(desk), sides), sides)


def identity_of_go_back_entries(desk: SeatedCampaign, entry: int) -> Group:
    """Return the entries that going back to an entry would undo now, for the umpire."""
    return _named(
        desk, unrestricted_campaign(desk).entries_to_undo_after(entry), looking_sides(desk)
    )


def undo_shown(desk: CampaignReader, shown: Reversal, sides: Sides | None = None) -> Entry:
    """Undo the entries that were shown. Raises NotAsShownError and RefusedError."""
    if identity_of_entries_to_undo(desk, shown.whole_call, sides) != shown.group:
        raise NotAsShownError(OTHERS.format("undone"))
    return as_open_campaign(desk).undo_or_request(shown.whole_call, sides)


def redo_shown(desk: CampaignReader, shown: Group, sides: Sides | None = None) -> Entry:
    """Restore the entries that were shown. Raises NotAsShownError and RefusedError."""
    if identity_of_entries_to_redo(desk, sides) != shown:
        raise NotAsShownError(OTHERS.format("restored"))
    return as_open_campaign(desk).redo(sides)


def go_back_shown(desk: CampaignReader, entry: int, shown: Group) -> Entry:
    """Undo everything after an entry, if that was shown. Raises NotAsShownError and
    RefusedError."""
    if identity_of_go_back_entries(desk, entry) != shown:
        raise NotAsShownError(OTHERS.format("undone"))
    return as_open_campaign(desk).go_back_or_request(entry)


def reopen_question_of_shown_answer(desk: CampaignReader, entry: int, shown: Group) -> Entry:
    """Undo an answer and everything after it, and keep the later answers, if an undo would still
    begin as shown. Raises NotAsShownError and RefusedError."""
    if identity_of_entries_to_undo(desk) != shown:
        raise NotAsShownError(OTHERS.format("undone"))
    return as_open_campaign(desk).reopen_answered_question(entry)


def _named(desk: SeatedCampaign, group: Collection[int], sides: Sides) -> Group:
    """Return an identity for these entries. It depends only on the answers and commands that these
    sides know of, so no secret of the enemy changes it; for a paragraph that has just begun, it
    depends on the paragraph."""
    if not group:
        return NOTHING_UNDONE
    entries = unrestricted_campaign(desk).entries
    known = known_answers_and_commands(desk, group, sides)
    numbers: list[object] = [entry.seq for entry in known]
    told = numbers or [entries[seq - 1].rule for seq in [*group][:1]]
    return Group(_short(repr(told)))


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
