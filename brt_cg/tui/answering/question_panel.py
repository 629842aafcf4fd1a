"""The selected question: the side that is asked, its roll or choice, and the answer being given.

The panel posts an answer (`Answered`); a refusal is shown at the field, and the question stays.
"""

from functools import partial
from typing import Any

from textual import getters
from textual.app import ComposeResult
from textual.content import Content

from brt_cg.exports.wording import notable_state_text
from brt_cg.model import Campaign, Side
from brt_cg.questions import Dice, Question, Raw, faces_as_json, read_faces
from brt_cg.tui.answering.answer_list import Answered, AnswerList
from brt_cg.tui.answering.roll_view import (
    REASON,
    dice_content,
    modifiers_content,
    odds_text,
    result_content,
)
from brt_cg.tui.lists.panes import Pane
from brt_cg.tui.look.first_drawn import FirstDrawn
from brt_cg.tui.look.lines import HangingText, Horizontal, Lines, Static, Vertical
from brt_cg.tui.look.screen_size import is_screen_low, is_too_small
from brt_cg.tui.look.signs import SIGNS
from brt_cg.tui.look.stylesheet import restyle
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import CampaignSnapshot
from brt_cg.views.question_name import QuestionName
from brt_cg.views.roll_result import RollResult

ROWS = 19  # of the panel, for dice six lines high
BADGES = {side: f"{sign} {side.label}" for side, sign in SIGNS.items()}


class QuestionPanel(Vertical):
    """A panel for one question of any kind. `show_question` shows the question, `show_text_instead`
    a page of text."""

    app = getters.app(CampaignApp)
    ask: Question[Any] | None = None
    name_of_question: QuestionName | None = None
    faces: tuple[int, ...] = ()
    answers = getters.query_one(AnswerList)
    _heading = ("", "")  # the title of the paragraph, and its summary

    def __init__(self, **named: Any) -> None:
        super().__init__(**named)
        self.drawn = FirstDrawn()

    def compose(self) -> ComposeResult:
        yield Lines(id="outcome")
        with Pane(id="above"):
            yield Static(id="paragraph")
            yield Static(id="summary", markup=False)
            yield HangingText(id="who")
            with Horizontal(id="dice"):
                yield Static(id="faces")
                yield HangingText(id="modifiers")
            yield Lines(id="odds")
        # Above the answers, to stay in view however many they are.
        with Vertical(id="foot"):
            yield HangingText(id="problem")
            yield HangingText(id="doing")
        yield AnswerList(self.show_refusal, self._typing)

    # --- showing --------------------------------------------------------------------------------

    def show_question(
        self,
        seen: CampaignSnapshot,
        ask: Question[Any],
        title: str,
        summary: str,
        answered_here: bool = True,
    ) -> None:
        """Show the question, grouped with others of its kind, under its paragraph's title, with its
        answers if it is `answered_here`. A question with the same name is not redrawn, and the text
        typed for it is kept, unless the seat has changed and may have different answers."""
        is_same = self.ask is not None and seen.asked == self.name_of_question
        if not is_same or (title, summary) != self._heading:
            self._head(title, summary)
        self.answers.view = seen.view
        if is_same and seen.seat is self.answers.seat:
            self.ask = ask
            self.answers.continue_with_reread_question(seen.listed or ask, seen.offered)
            return
        if not is_same:
            self.drawn.expect_redraw(self)
            if self.faces:
                self.app.note_dropped_die()
        self.ask, self.name_of_question, self.faces = ask, seen.asked, ()
        dice = ask.dice is not None
        choices = answered_here and not dice
        self._dress(ask.side, ask.secret, dice=dice, choices=choices)
        self.query_one("#who", HangingText).set_text(self._who(seen.listed or ask, seen.view))
        self.answers.show(
            seen.listed or ask if choices else None, seen.seat, seen.offered, seen.asked
        )
        if not choices:
            self.screen.set_focus(None)
            self.draw_for_size()
        if seen.again:
            self.show_refusal(f"the early answer: {seen.again}")

    def show_text_instead(self, title: str, words: str, side: Side | None) -> None:
        """Show a page of text while there is no question."""
        self.forget_question()
        self._dress(side, None)
        self._head(title, "")
        self.query_one("#who", HangingText).set_text(words)
        self.answers.show(None, None)

    def forget_question(self) -> None:
        """Drop the text typed for the question, and show the question again."""
        self.ask, self.name_of_question, self.faces = None, None, ()

    def show_actions(self, doing: Content) -> None:
        """Show the possible actions."""
        shown = self.query_one("#doing", HangingText)
        restyle(shown, {"-none": not doing})
        shown.set_text(doing, 0)

    def show_outcome(self, rolled: RollResult | None) -> None:
        """Show the result of the newest roll, and its effects; None clears it."""
        shown = self.query_one("#outcome", Lines)
        shown.display = rolled is not None and not is_too_small(self.app.size)
        if rolled is not None:
            shown.border_title = "Result"
            shown.show_written_by(lambda room: result_content(rolled, room, is_screen_low(self)))

    def _dress(
        self, side: Side | None, secret: Side | None, dice: bool = False, choices: bool = False
    ) -> None:
        """Set the frame for the side that is asked, and show `dice` or `choices` within it."""
        restyle(self, {other.value: other is side for other in Side})
        restyle(self.query_one("#above"), {"-choices": choices})
        about = (
            BADGES[side] if side else "",
            f"{secret.label} secret" if secret else "",
        )
        if about != (self.border_title, self.border_subtitle):  # a new title redraws the frame
            self.border_title, self.border_subtitle = about
        self.query_one("#dice").display = dice
        self.query_one("#odds").display = dice
        self.show_refusal("")
        self.query_one("#above").scroll_home(animate=False)

    def _head(self, title: str, summary: str) -> None:
        self._heading = (title, summary)
        self.query_one("#paragraph", Static).update(Content(title))
        shown = self.query_one("#summary", Static)
        shown.update(summary)
        shown.display = bool(summary)
        if summary:
            self.call_after_refresh(self._leave_out_the_summary)

    def _leave_out_the_summary(self, with_bar: bool = True) -> None:
        """Hide the summary of the paragraph if there is no room for both it and the question."""
        above = self.query_one("#above")
        if not above.max_scroll_y:
            return
        if with_bar and above.show_vertical_scrollbar:
            # A scroll bar left from another size takes a column, and may cause the wrapped line
            # that needs it.
            above.show_vertical_scrollbar = False
            self.call_after_refresh(self._leave_out_the_summary, with_bar=False)
            return
        # Shorter words would keep the height of the longer ones: Textual has just measured it.
        self.query_one("#summary").display = False

    def _who(self, ask: Question[Any], view: Campaign) -> Content:
        """Return the question with its counter in bold, and the facts about that counter that the
        player should know."""
        who, colon, what = ask.prompt.partition(": ")
        counter = view.find(ask.counter) if ask.counter else None
        state = notable_state_text(counter) if counter is not None else ""
        beside = (f"\n{state}", "dim") if state else ""
        return Content.assemble((who, f"bold ${ask.side}"), (colon + what, "bold"), beside)

    @property
    def is_refused(self) -> bool:
        """Whether a refusal is being shown."""
        return self.query_one("#problem").display

    def show_refusal(self, message: str) -> None:
        """Show at the field why an answer is refused; "" clears that."""
        problem = self.query_one("#problem", HangingText)
        problem.display = bool(message)
        problem.set_text(Content.assemble(("✗ Not allowed:", "bold $error"), f" {message}"))
        if message and self.faces:
            self.faces = ()
            self.draw_for_size()
            self.app.refresh_state_lines()

    # --- dice -----------------------------------------------------------------------------------

    def on_resize(self) -> None:
        self.draw_for_size()

    def draw_for_size(self) -> None:
        """Draw dice and modifiers for the available size."""
        ask = self.ask
        self._head(*self._heading)
        if ask is not None and ask.dice is not None:
            self._show_dice(ask.dice)
            text = modifiers_content(ask.dice, ask.modifiers, self._is_low)
            text = Content(ask.check_text) if ask.check_text else text
            self.query_one("#modifiers", HangingText).set_text(text, 0 if self._is_low else REASON)

    @property
    def _is_low(self) -> bool:
        """Whether the dice are drawn in one line, to leave room for their odds."""
        return is_screen_low(self) or self.size.height < ROWS

    def _show_dice(self, dice: Dice) -> None:
        drawn = dice_content(dice, self.faces, self._is_low)
        self.query_one("#faces", Static).update(drawn)
        if self.ask is not None:
            self.query_one("#odds", Lines).show_written_by(partial(odds_text, self.ask, self.faces))

    def type_digit(self, digit: int) -> None:
        """Enter a die rolled on the table, or begin an entry with a digit."""
        self.answers.begin_entry_or_select(str(digit))
        ask = self.ask
        if ask is None or ask.dice is None:
            return
        try:
            read_faces(Dice.ONE, digit)
        except ValueError:
            self.show_refusal(f"{digit}: a die shows 1–6")
            return
        self.show_refusal("")
        self.faces += (digit,)
        self._show_dice(ask.dice)
        self.app.refresh_state_lines()
        if len(self.faces) == ask.dice.dice_count:
            self._answer(faces_as_json(self.faces), ask)

    def remove_last_die(self) -> None:
        """Remove the last typed die."""
        if self.ask is not None and self.ask.dice is not None and self.faces:
            self.faces = self.faces[:-1]
            self._show_dice(self.ask.dice)
            self.app.refresh_state_lines()

    # --- answering ------------------------------------------------------------------------------

    def _typing(self, open: bool, about: Question[Any] | None) -> None:
        """Show the question of an open field above it; for a list, the question of the current
        item."""
        self.set_class(open, "-entering")
        self.app.refresh_state_lines()
        asked = about or self.answers.ask
        if asked is not None and self.answers.view is not None:
            who = self._who(asked, self.answers.view)
            self.query_one("#who", HangingText).set_text(who)

    def _answer(self, raw: Raw, ask: Question[Any]) -> None:
        self.show_refusal("")
        self.post_message(Answered(ask, self.name_of_question, raw))
