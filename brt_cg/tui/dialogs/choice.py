"""The dialogs for a choice between a few answers: a seat, a confirmation, a counter."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from brt_cg.immutable import immutable
from brt_cg.model import Campaign, Side
from brt_cg.text import key_text
from brt_cg.tui.dialogs.dialog import Dialog
from brt_cg.tui.keys.actions import DIALOGS, bindings_of_named
from brt_cg.tui.lists.panes import Pane
from brt_cg.tui.lists.row_lists import RowList
from brt_cg.tui.look.columns import columns
from brt_cg.tui.look.first_drawn import FirstDrawn
from brt_cg.tui.look.lines import HangingText, hang_text
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import Seat, seat_label

T = TypeVar("T")
MOST = 94  # percent of the screen's rows that a box may take, as in dialog.tcss
KEY = 3  # cells of the column of keys
YES, NO = "y", "n"  # in every box; neither is a global key


@immutable
class Reply(Generic[T]):
    """An answer: its value, the keys that choose it immediately (separated by commas), and its
    words; their first `column` cells form a separate column."""

    value: T
    key: str
    words: str | Content
    column: int = 0


class _Replies(RowList):
    """The answers, all in view; the page keys scroll the words above them."""

    def __init__(self, replies: Sequence[Reply[Any]]) -> None:
        super().__init__(*[Option(_reply_row(reply)) for reply in replies])
        self._replies = replies

    def on_resize(self) -> None:
        """Indent the later lines of long answers."""
        for at, reply in enumerate(self._replies):
            row = hang_text(_reply_row(reply), self.size.width - 2, KEY + reply.column)
            if row != self.get_option_at_index(at).prompt:
                self.replace_option_prompt_at_index(at, row)

    def action_page_up(self) -> None:
        for pane in self.screen.query(Pane):
            pane.scroll_page_up(animate=False)

    def action_page_down(self) -> None:
        for pane in self.screen.query(Pane):
            pane.scroll_page_down(animate=False)


class ChoiceScreen(Dialog[Reply[T]], Generic[T]):
    """A dialog that returns the chosen answer, None after Escape or q. `at` is the answer selected
    at first: never one that loses something; None: each answer needs its own key. Digits that are
    no answer's key select the row with that number."""

    KEYS = "{dialogs.close} cancels"
    BINDINGS = bindings_of_named(DIALOGS, leave="dismiss(None)")

    def __init__(
        self, title: str, words: str, answers: Sequence[Reply[T]], at: int | None = 0
    ) -> None:
        super().__init__(title)
        self.words, self.answers, self.at = words, answers, at
        self._typed = ""  # the number that selected a row

    def compose_box(self) -> ComposeResult:
        if self.words:
            with Pane():  # the words scroll, the answers do not
                yield HangingText(self.words)
        listed = _Replies(self.answers)
        # immediately: the screen sets the focus when it is open
        listed.can_focus = self.at is not None
        yield listed

    def on_mount(self) -> None:
        listed = self.query_one(OptionList)
        listed.highlighted = self.at
        listed.focus()

    def on_resize(self) -> None:
        _ = self.call_after_refresh(self._leave_room)

    def _leave_room(self) -> None:
        """Reduce the height of the words, which scroll, if they would push answers out of view."""
        box, listed = self.query_one("#box"), self.query_one(OptionList)
        room = self.size.height * MOST // 100 - box.gutter.height - listed.virtual_size.height
        for pane in self.query(Pane):
            pane.styles.max_height = max(min(self.size.height // 2, room), 1)

    def on_key(self, event: events.Key) -> None:
        pressed = (event.key, event.character)
        for answer in self.answers:
            if answer.key and any(key in pressed for key in answer.key.split(",")):
                event.stop()
                self.app.ignore_repeat_of(event)
                _ = self.dismiss(answer)
                return
        digit = event.character or ""
        if self.at is not None and digit.isascii() and digit.isdigit():
            self._type_number(digit)

    def _type_number(self, digit: str) -> None:
        """Select the row whose number is typed; a second digit continues a number, if there are so
        many rows."""
        several = f"{self._typed}{digit}"
        number = next((each for each in (several, digit) if self._is_row(each)), "")
        self._typed = number
        if number:
            self.query_one(OptionList).highlighted = int(number) - 1
        else:
            self.app.show_notice(f"{digit}: there are only {len(self.answers)} rows.")

    def _is_row(self, number: str) -> bool:
        return 0 < int(number) <= len(self.answers)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        _ = self.dismiss(self.answers[event.option_index])


class ConfirmScreen(ChoiceScreen[T], Generic[T]):
    """A dialog that asks the player to confirm a loss. A key pressed before the player could read
    the question does not answer it, including the one that opened the box."""

    def __init__(self, title: str, words: str, answers: Sequence[Reply[T]]) -> None:
        super().__init__(title, words, answers)
        self.drawn = FirstDrawn()

    def on_mount(self) -> None:
        self.drawn.expect_redraw(self)

    def is_premature(self, key: events.Key) -> bool:
        return not self.drawn.was_drawn_before(key.time)


def _reply_row(answer: Reply[T]) -> Content:
    key = key_text(answer.key.split(",")[0])
    return columns(KEY).row((key, "bold $accent"), answer.words)


async def confirm(
    app: CampaignApp, title: str, words: str, yes: str, no: str = "leave it as it is"
) -> bool:
    """Return whether the player agrees to lose something, with the key for yes or by choosing that
    row; `no` is selected at first. The key that opened the box does not answer it."""
    answers = (Reply(False, NO, no), Reply(True, YES, yes))
    chosen = await app.push_screen_wait(ConfirmScreen(title, app.words_for_viewer(words), answers))
    return chosen is not None and chosen.value


# --- which seat -----------------------------------------------------------------------------------


TWO_PLAYERS = "two players"  # instead of a seat
SEATS = 10  # cells of the column of seats
HOT_SEAT = " players at one screen, a curtain between them"


def seat_dialog(
    players: Mapping[str, str | None], now: Seat | str
) -> ChoiceScreen[Side | str | None]:
    """Return the dialog that asks who is looking, a seat or TWO_PLAYERS, with `now` selected."""
    seats: list[Seat] = [*Side, None]
    answers: list[Reply[Side | str | None]] = [
        _seat_answer(seat, players.get(seat.value) if seat else None) for seat in seats
    ]
    two = columns(SEATS - 1).row(("Two", "bold"), (HOT_SEAT, "dim"))
    answers.append(Reply(TWO_PLAYERS, "t", two, SEATS))
    at = [answer.value for answer in answers].index(now)
    return ChoiceScreen("Which seat?", "", answers, at)


def _seat_answer(seat: Seat, player: str | None) -> Reply[Side | str | None]:
    name = seat_label(seat)
    what = f"without {seat.enemy.label} secrets" if seat else "sees everything"
    color = f"bold ${seat or 'foreground'}"
    text = f" {player}, {what}" if player else f" {what}"
    words = columns(SEATS - 1).row((name, color), (text, "dim"))
    return Reply(seat, name[0].lower(), words, SEATS)


# --- which counter --------------------------------------------------------------------------------


async def pick_service_record_counter(
    app: CampaignApp, view: Campaign, ids: Iterable[str]
) -> str | None:
    """Return the counter whose service record to show, if any; ask if there are several."""
    found = [counter for counter in map(view.find, ids) if counter]
    if len(found) < 2:
        return found[0].id if found else None
    keys = "123456789abcdefghijklmnoprstuvwxyz"
    answers = [
        Reply(counter.id, keys[at : at + 1], counter.label) for at, counter in enumerate(found)
    ]
    chosen = await app.push_screen_wait(ChoiceScreen("Whose service record?", "", answers))
    return chosen.value if chosen else None
