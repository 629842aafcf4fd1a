"""The play of the Refit Phase from the screen, forward and back, as work for the campaign's
thread."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from textual.content import Content

from brt_cg.immutable import immutable
from brt_cg.model import Side
from brt_cg.questions import DiceSource, Question, Raw
from brt_cg.service import shown_actions
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.shown_actions import (
    CampaignPosition,
    Group,
    NotAsShownError,
    Reversal,
    identity_of_entries_to_undo,
)
from brt_cg.service.undo_redo import (
    check_reach,
    commands_after,
    first_entry_to_undo,
    is_undo_of_answer_list,
    newest_answers,
    redo_reach,
    undo_extent_text,
    undo_reach,
    undo_text,
)
from brt_cg.tui.dialogs.choice import ChoiceScreen, Reply, confirm
from brt_cg.tui.look.columns import columns
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import Seat
from brt_cg.views.hot_seat import HotSeat
from brt_cg.views.question_name import QuestionName
from brt_cg.views.rights import is_for_both
from brt_cg.views.undo import Sides

AROUND_ANSWERS = 12  # rows of the box above and below the newest answers
MOST_WORDS = 60  # cells of each row
BY_UMPIRE = (
    "Going back undoes actions of both sides, so only the umpire can. {} undoes the newest answer."
)
AGAIN = (
    "That question is asked again. Later answers that still fit are entered again. You can redo "
    "all of this until you enter something new."
)
ALSO = "These come after that answer, and must be entered again:"
CHANGED = "This has changed since you were asked:\n\n"
SECRET_TOO = "Anything that was decided in secret since then is undone too."
CAN_REDO = "You can redo this until you enter something new."
ONE_CAN_REDO = "Only the player who decided it can redo it."


def answer_and_play(
    desk: CampaignReader, ask: Question[Any], shown: QuestionName | None, raw: Raw
) -> None:
    """Answer the question that was `shown`, or each question of its list, and play to the next one.
    Raises NotAsShownError and RefusedError."""
    if ask.open_question is not ask:
        shown_actions.answer_shown_list(desk, shown, ask.questions_by_subject, raw)
    else:
        shown_actions.answer_shown(desk, shown, raw)


@immutable
class PlayExtent:
    """The extent of playing by defaults: to a question at which it `stops`, or to the end of the
    phase; `within` limits it to the paragraph in progress."""

    stops: Callable[[Question[Any]], bool]
    within: bool = False

    def play(
        self,
        desk: CampaignReader,
        dice: DiceSource,
        shown: CampaignPosition,
        first: Callable[[CampaignReader], object] = lambda _: None,
    ) -> Iterator[None]:
        """Continue from the point at which the campaign was shown, after doing something
        `first`."""
        return shown_actions.play_from_shown_position(
            desk, shown, dice, self.stops, self.within, first
        )


Stop = Callable[[Seat, bool], PlayExtent]  # arguments: a seat, and whether it is at the table


def until_decision(at_table: bool) -> PlayExtent:
    """Return the extent to the next real decision, or at the table to the next secret die."""
    return PlayExtent(lambda ask: ask.is_decision or (at_table and not is_for_both(ask)))


def until_end_of_paragraph(seat: Seat, at_table: bool = False) -> PlayExtent:
    """Return the extent to the end of the current paragraph, or to an earlier decision of the
    seat's enemy; if two players are looking at the table, to anything that only one of them may
    see."""
    return PlayExtent(lambda ask: _is_of_another(ask, seat, at_table), within=True)


def until_end_of_phase(seat: Seat, at_table: bool = False) -> PlayExtent:
    """Return the extent to the end of the phase, or to an earlier stop as in
    `until_end_of_paragraph`."""
    return PlayExtent(lambda ask: _is_of_another(ask, seat, at_table))


def until_purchases(seat: Seat, at_table: bool = False) -> PlayExtent:
    """Return the extent to the purchases (15.614), or to an earlier stop as in
    `until_end_of_paragraph`."""
    return PlayExtent(lambda ask: ask.buying or _is_of_another(ask, seat, at_table))


def _is_of_another(ask: Question[Any], seat: Seat, at_table: bool) -> bool:
    if at_table:
        return not is_for_both(ask)
    return ask.is_decision and seat not in (None, ask.side)


# --- and back -------------------------------------------------------------------------------------


async def undo_newest(app: CampaignApp, whole_call: bool = False) -> None:
    """Undo the newest entry, or the whole last command, if the seat may; ask first if that is more
    than one answer, or if the opponent has looked at the shared screen since, and again if it has
    changed meanwhile. Must run in a worker."""
    who, seen, hot = current_viewer(app), app.session.current_snapshot, app.session.hot

    def look(desk: CampaignReader, again: bool = True) -> tuple[Reversal, str]:
        whole = whole_call or is_undo_of_answer_list(desk, who.sides_who_must_know)
        check_reach(undo_reach(desk, whole, who.sides_who_must_know), "undo", who.at_table)
        shown = Reversal(identity_of_entries_to_undo(desk, whole, who.sides_who_must_know), whole)
        return shown, _words_before_undo(desk, whole, who, hot, again)

    def first_look(desk: CampaignReader) -> tuple[Reversal, str]:
        if identity_of_entries_to_undo(desk) != seen.undoes:
            raise NotAsShownError(shown_actions.OTHERS.format("undone"))
        return look(desk, again=False)

    try:
        shown, much = await app.session.look_up(first_look)
        before, changed = None, ""
        while much and shown != before:
            words = f"{changed}{much}"
            if not await confirm(app, "Undo this?", words, "undo it") or current_viewer(app) != who:
                return
            before, changed = shown, CHANGED
            shown, much = await app.session.look_up(look)
    except Exception as error:
        app.report_error(error)
        return

    def travel(desk: CampaignReader) -> str:
        with who.entering_for_viewers(desk):
            entry = shown_actions.undo_shown(desk, shown, who.sides_who_must_know)
        # The open campaign itself shows a notice about a request to the opponent.
        return "" if entry.kind == "ask" else undo_text(desk, entry)

    if current_viewer(app) == who:
        app.perform(travel, app.show_notice)


def _words_before_undo(
    desk: CampaignReader, whole: bool, who: "Viewer", hot: HotSeat | None, again: bool
) -> str:
    """Return the entries that would be undone, in words; "" if they are few, the player is not
    asked `again`, and nobody else may have decided anything since."""
    first, begun = first_entry_to_undo(desk, whole, who.sides_who_must_know)
    secret = who.sides_who_decide_in_secret
    looked = hot is not None and first > 0 and hot.has_looked_since(first, secret)
    much = undo_extent_text(desk, whole, who.sides_who_must_know, always=again or looked)
    redo = CAN_REDO if much else ONE_CAN_REDO
    if looked:
        much = f"{much or begun}\n\n{SECRET_TOO}"
    return f"{much}\n\n{redo}" if much else ""


async def go_back_to_answer(app: CampaignApp) -> None:
    """Ask which of the newest answers to give again, and open its question; the later answers are
    entered again if they fit. Must run in a worker."""
    seen = app.session.current_snapshot
    if seen.seat is not None or seen.shows_shared_table:
        app.show_warning(BY_UMPIRE.format(app.key_text("everywhere.undo")), "")
        return
    rows, ago = app.size.height - AROUND_ANSWERS, columns(4)
    try:
        answers = await app.session.look_up(lambda desk: newest_answers(desk, rows))
        replies = [
            Reply(seq, "", ago.row((f"{number:>2}", "dim"), _cut(app, words)), ago.width)
            for number, (seq, words) in enumerate(answers, start=1)
        ]
        box = ChoiceScreen("Go back to an answer", AGAIN, replies)
        chosen = await app.push_screen_wait(box) if replies else None
        if chosen is None:
            app.show_notice("" if replies else "Nothing has been answered in this Refit Phase yet.")
            return
        answer = chosen.value
        lost = await app.session.look_up(lambda desk: commands_after(desk, answer))
    except Exception as error:
        app.report_error(error)
        return
    words = "\n".join([ALSO, *dict.fromkeys(lost)])
    if lost and not await confirm(app, "Go back that far?", words, "undo these too"):
        return

    def travel(desk: CampaignReader) -> str:
        return undo_text(
            desk, shown_actions.reopen_question_of_shown_answer(desk, answer, seen.undoes)
        )

    app.perform(travel, app.show_notice)


def _cut(app: CampaignApp, words: str) -> Content:
    return Content(app.words_for_viewer(words)).truncate(MOST_WORDS, ellipsis=True)


def redo_last(desk: CampaignReader, who: "Viewer", shown: Group) -> str:
    """Restore the entries undone last, and return a sentence about them. Raises RefusedError if
    there is nothing to restore, or nothing that the viewers may know of."""
    check_reach(redo_reach(desk, who.sides_who_must_know), "redo", who.at_table)
    with who.entering_for_viewers(desk):
        entry = shown_actions.redo_shown(desk, shown, who.sides_who_must_know)
    return undo_text(desk, entry)


@immutable
class Viewer:
    """The viewer who undoes something: a seat, or two players who share the screen (`shared`), at
    the table or behind the curtain of one of them. Two such players agree in person, so neither has
    to agree to a request."""

    seat: Seat
    shared: bool = False
    at_table: bool = False

    @property
    def sides_who_must_know(self) -> Sides | None:
        """The sides that must know of the undone entries, if two players share the screen."""
        if not self.shared or self.seat is None:
            return None
        return tuple(Side) if self.at_table else (self.seat,)

    @property
    def sides_who_decide_in_secret(self) -> Sides:
        """The sides whose secret decisions the viewers do not all know."""
        return tuple(Side) if self.at_table or self.seat is None else (self.seat.enemy,)

    def entering_for_viewers(self, desk: CampaignReader) -> AbstractContextManager[None]:
        """Return a context in which work is entered for both players, if they share the screen."""
        return desk.entering_for_both() if self.shared else nullcontext()


def current_viewer(app: CampaignApp) -> Viewer:
    """Return the viewer who would undo something now."""
    session = app.session
    at_table = session.seen is not None and session.seen.shows_shared_table
    return Viewer(session.seat, session.hot is not None, at_table)
