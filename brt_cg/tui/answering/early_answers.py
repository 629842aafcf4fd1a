"""The box in which a side answers its questions before they are asked."""

from functools import partial
from textwrap import shorten
from typing import Any, ClassVar

from textual import getters, work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from brt_cg.board import is_location
from brt_cg.commands import EVERY_KIND
from brt_cg.forecast.upcoming_questions import EarlyAnswerSheet, UpcomingQuestion
from brt_cg.journal.early_answers import is_harmless_default, is_setup_question
from brt_cg.model import Campaign, Side
from brt_cg.questions import PointingForm, Question, Raw, RefusedError
from brt_cg.questions.pointing import MapPointing, hex_to_start_at
from brt_cg.tui.dialogs.choice import ChoiceScreen, Reply
from brt_cg.tui.dialogs.dialog import Dialog
from brt_cg.tui.dialogs.pick import PickScreen
from brt_cg.tui.keys.actions import DIALOGS, EVERYWHERE, bindings_of_named
from brt_cg.tui.lists.panes import Pane
from brt_cg.tui.lists.row_lists import SteadyList
from brt_cg.tui.look.lines import HangingText, hang_text
from brt_cg.tui.map.painting import Painting
from brt_cg.tui.point.screen import AreasScreen, PointScreen
from brt_cg.tui.session.campaign_app import CampaignApp

NOTHING = (
    "No questions for this side are known yet. They are listed here when the Refit Phase is due."
)
NOT_ENTERED = " · not entered yet"
KEPT = "Not entered. Your answers here are kept for the next time you open this."
LONGEST = 56  # letters of a question in a row
IN_SETUP = "Set up counter by counter: press {everywhere.setup}, then {setup.ahead} there."
SECRET = "Your opponent cannot see it until then."
ABOUT = f"Used when the question comes up, if unchanged. {SECRET}"
A_SETUP = f"Used when the question comes up, if still allowed. {SECRET}"


async def show_early_answers(app: CampaignApp) -> None:
    """Show the questions to come for the side at the screen. Must run in a worker."""
    sheet = await make_early_answer_sheet(app)
    if sheet is not None:
        await app.push_screen_wait(EarlyAnswersScreen(sheet))


async def make_early_answer_sheet(app: CampaignApp) -> EarlyAnswerSheet | None:
    """Return the early answers of the side at the screen; ask the umpire which side's. Return None
    if the umpire chooses none, or if no questions are to come. Must run in a worker."""
    side = app.session.seat
    if side is None:
        sides = [Reply(each, each.value[0], f"the {each.plural}") for each in Side]
        chosen = await app.push_screen_wait(ChoiceScreen("Who answers early?", "", sides))
        if chosen is None:
            return None
        side = chosen.value
    try:
        return await app.session.look_up(partial(EarlyAnswerSheet, side=side))
    except RefusedError as refused:
        app.show_warning(str(refused))
        return None


class EarlyAnswersScreen(Dialog[None]):
    """The questions by rule, each with its answer or its default. The answers are entered as a
    whole."""

    KEYS: ClassVar[str] = (
        "{lists.select}/{everywhere.point} answers · {dialogs.usual} default · "
        "{dialogs.always}/{dialogs.every_kind} always · {dialogs.all_usual} all · "
        "{dialogs.enter_ahead} enters"
    )
    BINDINGS = [
        *bindings_of_named(
            DIALOGS,
            usual="usual",
            always="always",
            every_kind="every_kind",
            all_usual="all_usual",
            enter_ahead="enter",
            close="leave",
            leave="leave",
        ),
        *bindings_of_named(EVERYWHERE, point="point"),
    ]

    listed = getters.query_one(SteadyList)
    detail = getters.query_one("#detail", HangingText)

    def __init__(self, sheet: EarlyAnswerSheet) -> None:
        super().__init__(f"{sheet.side.label}: early answers")
        self.sheet = sheet
        date = sheet.view.situation.date
        self._draft = self.app.session.drafts(sheet.side).item_draft(f"ahead {date}")
        sheet.apply_changes(self._draft.items)

    def frame_titles(self) -> tuple[str, str]:
        title, keys = super().frame_titles()
        return f"{title}{NOT_ENTERED if self.kept_draft_name else ''}", keys

    @property
    def kept_draft_name(self) -> str:
        return self.heading if self.sheet.is_changed else ""

    def compose_box(self) -> ComposeResult:
        yield SteadyList(id="ahead")
        with Pane():
            yield HangingText(id="detail")

    def on_mount(self) -> None:
        self._list()
        self.listed.focus()

    def _list(self) -> None:
        if self.sheet.changes != self._draft.items:
            self._draft.save(self.sheet.changes)
        self.catch_up()  # the heading says whether the answers are entered
        asks = self.sheet.asks
        self.listed.display = bool(asks)
        self.listed.show(
            lambda width: [
                Option(hang_text(self._question_row(each), width, 4), str(at))
                for at, each in enumerate(asks)
            ]
        )
        self._look()

    def _question_row(self, each: UpcomingQuestion) -> Content:
        ask, sheet, words = each.ask, self.sheet, self.sheet.answer_or_default_text(each)
        how = (f" · default: {words}", "dim")
        if each.key in sheet.given:
            how = (f" → {words}", "bold")
        elif sheet.is_answered_by_shopping_list(each):
            how = (f" → {'; '.join(map(sheet.shopping_order_text, sheet.wishes))}", "bold")
        elif sheet.is_always_default(each):
            how = (f" → always {words}", "bold")
        mark = ("✓ ", "bold $accent") if how[1] == "bold" else "  "
        return Content.assemble(mark, (ask.rule, "dim"), f" {_name(ask, self.sheet.view)}", how)

    @property
    def _selected(self) -> UpcomingQuestion | None:
        at = self.listed.id_at_cursor
        return self.sheet.asks[int(at)] if at is not None else None

    def _look(self, problem: str = "") -> None:
        """Show the selected question in full."""
        each = self._selected
        if each is None:
            self.detail.set_text(NOTHING)
            return
        perhaps = "" if each.is_sure else " This question may never come up."
        about = A_SETUP if is_setup_question(each.ask) else ABOUT
        parts = [Content(f"{each.ask.prompt}{perhaps}"), Content.styled(about, "dim")]
        if each in self.sheet.setup_questions.values():
            parts += [Content(self.app.fill_in_keys(IN_SETUP))]
        if self.sheet.is_answered_by_shopping_list(each):
            parts += [*map(Content, self.sheet.not_bought)]
        parts += [Content.styled(problem, "$error")] if problem else []
        self.detail.set_text(Content("\n").join(parts))

    def on_option_list_option_highlighted(self, _: OptionList.OptionHighlighted) -> None:
        self._look()

    # --- answering --------------------------------------------------------------------------------

    @work(group="pick", exclusive=True)
    async def on_option_list_option_selected(self) -> None:
        """Ask for the answer to the selected question."""
        each = self._selected
        if each is None:
            return
        ask = each.ask
        offered = ask.short_form.candidates_for(self.sheet.side)
        allowed = "\n".join(filter(None, (ask.prompt, ask.short_form.hint)))
        picked = await self.app.push_screen_wait(
            PickScreen(_name(ask, self.sheet.view), allowed, offered)
        )
        if picked is None:
            return
        try:
            self._give(each, ask.parse(picked, self.sheet.side))
        except RefusedError as refused:
            self._look(self.app.words_for_viewer(str(refused)))

    def _give(self, each: UpcomingQuestion, raw: Raw) -> None:
        if is_setup_question(each.ask):
            self.sheet.answer_setup_question(each.ask.rule, raw)
        else:
            self.sheet.set_answers(each.key, raw)
        self._list()

    def action_point(self) -> None:
        """Open the map for the answer to the selected question, if the answer is a point or a
        painting."""
        each = self._selected
        if each is None:
            return
        give, form = partial(self._give, each), each.ask.form
        offered = each.ask.short_form.candidates_for(self.sheet.side)
        placed = [candidate for candidate in offered if candidate.spots]
        how = form.pointed if form else PointingForm()
        if form and form.painted:
            painting = Painting(each.ask.prompt, form, self.sheet.answer_or_default(each))
            _ = self.app.push_screen(AreasScreen(painting, lambda done: give(done.raw)))
        elif how is not None and (placed or how.made):
            seen = self.app.session.seen
            start = hex_to_start_at(seen.view if seen else None, each.ask.counter)
            pointing = MapPointing(each.ask.prompt, how, placed, start=start)
            _ = self.app.push_screen(PointScreen(pointing, give))
        else:
            self._look("This question is not answered on the map.")

    def action_usual(self) -> None:
        """Answer the selected question by default, or remove its answer."""
        each = self._selected
        if each is not None:
            if each.key in self.sheet.given:
                self.sheet.drop_answers(each.key)
            elif self.sheet.is_answered_by_shopping_list(each):
                self.sheet.wishes = []
            else:
                self._give(each, each.ask.default)
            self._list()
            self.listed.action_cursor_down()

    def action_always(self) -> None:
        """Answer all questions of the selected one's kind by default, or stop doing so."""
        each = self._selected
        if each is None:
            return
        if not is_harmless_default(each.ask):
            self._look("Answer these one at a time.")
            return
        self.sheet.toggle_always_default(each)
        self._list()

    def action_every_kind(self) -> None:
        """Answer by default all kinds of questions that allow it, or stop doing so."""
        always = self.sheet.always
        self.sheet.always = [] if EVERY_KIND in always else [EVERY_KIND]
        self._list()

    def action_all_usual(self) -> None:
        """Answer by default all remaining questions, except those that end the purchases, decide on
        a Banzai, set up or agree on a ruling."""
        self.sheet.answer_harmless_rest_by_default()
        self._list()

    @work(group="enter", exclusive=True)
    async def action_enter(self) -> None:
        """Enter the answers given here, and close the box."""
        if not self.sheet.is_changed:
            _ = self.dismiss(None)
            return
        many = len(self.sheet.given)
        try:
            await self.app.session.perform(self.sheet.enter_answers)
        except RefusedError as refused:
            self._look(self.app.words_for_viewer(str(refused)))
            return
        self.app.show_campaign_notices()
        self._draft.save({})
        number = f"Early answers entered: {many}" if many else "Entered"
        number = number if self.sheet.has_answers else "No early answers are left"
        self.app.show_notice(f"{number}.")
        _ = self.dismiss(None)

    def action_leave(self) -> None:
        self.app.show_notice(KEPT if self.kept_draft_name else "")
        _ = self.dismiss(None)


def _name(ask: Question[Any], view: Campaign) -> str:
    """Return the subject of a question: a counter or Location by its name, else the question
    itself."""
    counter = view.find(ask.subject)
    if counter is not None:
        return counter.label
    if is_location(ask.subject):
        return view.location_text(ask.subject)
    return shorten(ask.prompt, LONGEST, placeholder=" …")
