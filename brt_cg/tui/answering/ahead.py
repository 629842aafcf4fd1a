"""The box in which a side answers its questions before they are asked."""

from functools import partial
from textwrap import shorten
from typing import Any, ClassVar

from textual import getters, work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from brt_cg.board.locations import is_location
from brt_cg.commands import EVERY_KIND
from brt_cg.forecast.coming_questions import AheadSheet, AskAhead
from brt_cg.journal.early_answers import is_light, sets_up
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Pointed, Raw, Refused
from brt_cg.questions.asks import Ask
from brt_cg.questions.pointing import Pointing, start_of
from brt_cg.tui.dialogs.choice import ChoiceScreen, Reply
from brt_cg.tui.dialogs.dialog import Dialog
from brt_cg.tui.dialogs.pick import PickScreen
from brt_cg.tui.keys.actions import DIALOGS, EVERYWHERE, bound_to
from brt_cg.tui.lists.panes import Pane
from brt_cg.tui.lists.row_lists import SteadyList
from brt_cg.tui.look.lines import Static
from brt_cg.tui.map.painting import Painting
from brt_cg.tui.point.screen import AreasScreen, PointScreen
from brt_cg.tui.session.campaign_app import CampaignApp

NOTHING = (
    "Nothing that this side will be asked is known yet. Once the Refit Phase is due, its questions "
    "are listed here, as far as it can know of them."
)
NOT_ENTERED = " · not entered yet"
KEPT = "Not entered. The answers that you gave here are kept for when you open this again."
LONGEST = 56  # letters of a question in a row
IN_SETUP = "Counter by counter: {everywhere.setup}, then {setup.ahead} there."
ABOUT = "Entered when its question comes, if that is unchanged; until then it is your secret."
A_SETUP = "Entered when its question comes, if still allowed; until then it is your secret."


async def answer_ahead(app: CampaignApp) -> None:
    """Shows the questions to come for the side at the screen. Must run in a worker."""
    sheet = await sheet_of(app)
    if sheet is not None:
        await app.push_screen_wait(AheadScreen(sheet))


async def sheet_of(app: CampaignApp) -> AheadSheet | None:
    """What the side at the screen answers ahead; the umpire says for which. None if he does not, or
    if there is nothing to come. Must run in a worker."""
    side = app.session.seat
    if side is None:
        sides = [Reply(each, each.value[0], f"the {each.label} side") for each in Side]
        chosen = await app.push_screen_wait(ChoiceScreen("Who answers ahead?", "", sides))
        if chosen is None:
            return None
        side = chosen.value
    try:
        return await app.session.consult(partial(AheadSheet, side=side))
    except Refused as refused:
        app.warn(str(refused))
        return None


class AheadScreen(Dialog[None]):
    """Lists the questions by rule, each with its answer or its default. What is answered is entered
    as a whole."""

    KEYS: ClassVar[str] = (
        "{lists.select}/{everywhere.point} answers · {dialogs.usual} default · "
        "{dialogs.always}/{dialogs.every_kind} always · {dialogs.all_usual} all · "
        "{dialogs.enter_ahead} enters"
    )
    BINDINGS = [
        *bound_to(
            DIALOGS,
            usual="usual",
            always="always",
            every_kind="every_kind",
            all_usual="all_usual",
            enter_ahead="enter",
            close="leave",
            leave="leave",
        ),
        *bound_to(EVERYWHERE, point="point"),
    ]

    listed = getters.query_one(SteadyList)
    detail = getters.query_one("#detail", Static)

    def __init__(self, sheet: AheadSheet) -> None:
        super().__init__(f"{sheet.side.label}: answers ahead")
        self.sheet = sheet
        date = sheet.view.situation.date
        self._draft = self.app.session.drafts(sheet.side).of_items(f"ahead {date}")
        sheet.change(self._draft.items)

    def frame(self) -> tuple[str, str]:
        title, keys = super().frame()
        return f"{title}{NOT_ENTERED if self.keeps else ''}", keys

    @property
    def keeps(self) -> str:
        return self.heading if self.sheet.is_changed else ""

    def inside(self) -> ComposeResult:
        yield SteadyList(id="ahead")
        with Pane():
            yield Static(id="detail")

    def on_mount(self) -> None:
        self._list()
        self.listed.focus()

    def _list(self) -> None:
        if self.sheet.changes != self._draft.items:
            self._draft.keep(self.sheet.changes)
        self.catch_up()  # the heading says whether they are entered
        asks = self.sheet.asks
        self.listed.display = bool(asks)
        self.listed.show(
            lambda _: [Option(self._row(each), str(at)) for at, each in enumerate(asks)]
        )
        self._look()

    def _row(self, each: AskAhead) -> Content:
        ask, sheet, words = each.ask, self.sheet, self.sheet.words(each)
        how = (f" default: {words}", "dim")
        if each.key in sheet.given:
            how = (f" → {words}", "bold")
        elif sheet.lists(each):
            how = (f" → {'; '.join(map(sheet.wish_words, sheet.wishes))}", "bold")
        elif sheet.stands(each):
            how = (f" → always {words}", "bold")
        mark = ("✓ ", "bold $accent") if how[1] == "bold" else "  "
        return Content.assemble(mark, (ask.rule, "dim"), f" {_name(ask, self.sheet.view)}", how)

    @property
    def _selected(self) -> AskAhead | None:
        at = self.listed.id_at_cursor
        return self.sheet.asks[int(at)] if at is not None else None

    def _look(self, problem: str = "") -> None:
        """Shows the selected question in full."""
        each = self._selected
        if each is None:
            self.detail.update(NOTHING)
            return
        perhaps = "" if each.is_sure else " It may not come to that."
        about = A_SETUP if sets_up(each.ask) else ABOUT
        parts = [Content(f"{each.ask.prompt}{perhaps}"), Content.styled(about, "dim")]
        if each in self.sheet.setups.values():
            parts += [Content(self.app.with_keys(IN_SETUP))]
        if self.sheet.lists(each):
            parts += [*map(Content, self.sheet.not_bought)]
        parts += [Content.styled(problem, "$error")] if problem else []
        self.detail.update(Content("\n").join(parts))

    def on_option_list_option_highlighted(self, _: OptionList.OptionHighlighted) -> None:
        self._look()

    # --- answering --------------------------------------------------------------------------------

    @work(group="pick", exclusive=True)
    async def on_option_list_option_selected(self) -> None:
        """Asks for the answer to the selected question."""
        each = self._selected
        if each is None:
            return
        ask = each.ask
        offered = ask.short.offered(self.sheet.side)
        allowed = "\n".join(filter(None, (ask.prompt, ask.short.hint)))
        picked = await self.app.push_screen_wait(
            PickScreen(_name(ask, self.sheet.view), allowed, offered)
        )
        if picked is None:
            return
        try:
            self._give(each, ask.parse(picked, self.sheet.side))
        except Refused as refused:
            self._look(self.app.fit(str(refused)))

    def _give(self, each: AskAhead, raw: Raw) -> None:
        if sets_up(each.ask):
            self.sheet.set_up(each.ask.rule, raw)
        else:
            self.sheet.give(each.key, raw)
        self._list()

    def action_point(self) -> None:
        """Opens the map for the answer to the selected question, where one is pointed at or painted
        there."""
        each = self._selected
        if each is None:
            return
        give, form = partial(self._give, each), each.ask.form
        offered = each.ask.short.offered(self.sheet.side)
        placed = [candidate for candidate in offered if candidate.spots]
        how = form.pointed if form else Pointed()
        if form and form.painted:
            painting = Painting(each.ask.prompt, form, self.sheet.raw(each))
            _ = self.app.push_screen(AreasScreen(painting, lambda done: give(done.raw)))
        elif how is not None and (placed or how.made):
            seen = self.app.session.seen
            start = start_of(seen.view if seen else None, each.ask.counter)
            pointing = Pointing(each.ask.prompt, how, placed, start=start)
            _ = self.app.push_screen(PointScreen(pointing, give))
        else:
            self._look("This is not answered on the map.")

    def action_usual(self) -> None:
        """Answers the selected question by default, or takes its answer back."""
        each = self._selected
        if each is not None:
            if each.key in self.sheet.given:
                self.sheet.take_back(each.key)
            elif self.sheet.lists(each):
                self.sheet.wishes = []
            else:
                self._give(each, each.ask.default)
            self._list()
            self.listed.action_cursor_down()

    def action_always(self) -> None:
        """Answers all questions of the selected one's kind by default, or takes that back."""
        each = self._selected
        if each is None:
            return
        if not is_light(each.ask):
            self._look("This is answered one by one.")
            return
        self.sheet.stand(each)
        self._list()

    def action_every_kind(self) -> None:
        """Answers all kinds of questions by default that may be, or takes that back."""
        always = self.sheet.always
        self.sheet.always = [] if EVERY_KIND in always else [EVERY_KIND]
        self._list()

    def action_all_usual(self) -> None:
        """Answers by default whatever is left; but ends no purchases, decides on no Banzai, sets
        nothing up and agrees on no ruling."""
        self.sheet.fill()
        self._list()

    @work(group="enter", exclusive=True)
    async def action_enter(self) -> None:
        """Enters what was answered here, and closes the box."""
        if not self.sheet.is_changed:
            _ = self.dismiss(None)
            return
        many = len(self.sheet.given)
        try:
            await self.app.session.perform(self.sheet.enter)
        except Refused as refused:
            self._look(self.app.fit(str(refused)))
            return
        self.app.tell_notices()
        self._draft.keep({})
        number = f"{many} answered ahead" if many else "Entered"
        number = number if self.sheet.is_begun else "Nothing is answered ahead any more"
        self.app.say(f"{number}.")
        _ = self.dismiss(None)

    def action_leave(self) -> None:
        self.app.say(KEPT if self.keeps else "")
        _ = self.dismiss(None)


def _name(ask: Ask[Any], view: Campaign) -> str:
    """What a question is about: a counter or Location by its name, else the question itself."""
    counter = view.find(ask.subject)
    if counter is not None:
        return counter.label
    if is_location(ask.subject):
        return view.spot(ask.subject)
    return shorten(ask.prompt, LONGEST, placeholder=" …")
