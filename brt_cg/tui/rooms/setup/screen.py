"""Setup: the counters to set up, in the order of 15.6201 to 15.6205, and the Locations given."""

from collections.abc import Sequence
from dataclasses import replace

from textual import work
from textual.app import ComposeResult
from textual.content import Content

from brt_cg.board.locations import OFF_MAP, OFF_MAP_PLACED
from brt_cg.card import Card
from brt_cg.exports.setup_pages import (
    PRISONERS,
    RosterPage,
    coming_text,
    hidden_text,
    pages,
    scenario_start,
    start_text,
)
from brt_cg.forecast.coming_questions import AheadSheet
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter, Side
from brt_cg.model.setup_areas import PlaceKind
from brt_cg.questions.answers import Pointed, Raw, Refused
from brt_cg.questions.noted import Noted
from brt_cg.questions.pointing import Pointing, start_of
from brt_cg.refit.sequence import SETUP_ORDER, TITLES
from brt_cg.refit.setting_up import (
    TABLE,
    TO_BE_PLACED,
    allowed_text,
    asked_words,
    free_of,
    left_text,
    nowhere_text,
    one_by_one,
    places_of,
    put_on_the_table,
    setup_state,
    table_offered,
    undone_words,
)
from brt_cg.service import as_shown
from brt_cg.service.desk import Desk
from brt_cg.service.drafts import ItemDraft, as_read
from brt_cg.service.placings import carried_over, crews_of_guns
from brt_cg.text import counted, some_of
from brt_cg.tui.answering import going_on
from brt_cg.tui.answering.ahead import A_SETUP, sheet_of
from brt_cg.tui.dialogs.choice import NO, YES, ChoiceScreen, ConfirmScreen, Reply
from brt_cg.tui.dialogs.pick import PickScreen
from brt_cg.tui.frame.list_room import CounterRoom
from brt_cg.tui.keys.actions import SETUP
from brt_cg.tui.lists.counter_list import CounterList
from brt_cg.tui.lists.filter_line import FilterLine
from brt_cg.tui.lists.groups import (
    CounterRow,
    Group,
    filtered,
    ids_of,
    kept,
    row_of,
    tally_text,
    under_their_owners,
)
from brt_cg.tui.lists.marking import Marked
from brt_cg.tui.lists.panes import DetailPanel
from brt_cg.tui.look.fit import is_low
from brt_cg.tui.look.lines import Hanging, Vertical
from brt_cg.tui.point.screen import PointScreen
from brt_cg.tui.session.session import Seen
from brt_cg.views.question_name import QuestionName

LOOK_EVERY = 1.0  # seconds between looks at what another window has noted
KEPT = "Not entered. The Locations that you gave ahead are kept for when you come back."
PLACES = {
    PlaceKind.AREA: "Setup Area {}",
    PlaceKind.ISOLATED: "Isolated in {}",
    PlaceKind.OFF_MAP: "off map",
    PlaceKind.ELSEWHERE: "in no Setup Area",
    PRISONERS: "prisoners of the enemy",
}

DONE, ON_TABLE = "done", "on the table"


class SetupScreen(CounterRoom):
    """The counters in the order of setup; beside or below, its progress and limits."""

    PLACE = SETUP
    POSSIBLE = dict.fromkeys(
        ("mark", "mark_all", "place", "on_table", "take_back", "show_all", "done"),
        lambda room, seen: room.placing is not None,
    ) | {
        "deploy": lambda room, seen: room.placing is not None and room.early is None,
        "ahead": lambda room, seen: room.placing is None or room.early is not None,
    }

    all: Sequence[Group] = ()
    early: Noted | None = None  # the setup that is noted before it is asked for
    _early_draft: ItemDraft | None = None
    shows_all = False  # else those that the open question asks for
    _asked: tuple[QuestionName | None, str | None] = (None, None)  # the question shown last
    _listed: Noted | None = None  # and the Locations given then

    @property
    def placing(self) -> Noted | None:
        """The Locations given for the open setup question, if this seat answers it, else for one
        to come."""
        seen = self.seen
        if self.early is not None or seen.ask is None or not seen.may_know(seen.ask.side):
            return self.early
        return self.app.session.placings.of(seen.ask)

    def __init__(self) -> None:
        super().__init__()
        self.marked = Marked()

    def room(self) -> ComposeResult:
        with Vertical(id="listed"):
            yield FilterLine("filter: any words")
            yield CounterList(id="counters")
        with DetailPanel():
            yield Hanging(id="told")

    def on_mount(self) -> None:
        self.set_interval(LOOK_EVERY, self.look_again)

    # --- showing --------------------------------------------------------------------------------

    def forget(self) -> None:
        super().forget()
        self.early = self._early_draft = None

    def show(self, seen: Seen) -> None:
        placing = self.placing
        name = seen.asked if self.early is None else None
        question = name, placing.ask.rule if placing is not None else None
        begins = placing is None or question != self._asked
        self._asked = question
        if begins:
            self.marked.clear()
            self.asks_anew()
        self.filter()
        if begins:
            asked = self._in_question(ids_of(self.all))
            if asked:
                self.listed.put_cursor(asked[0])

    def arrive(self) -> None:
        """Shows Locations that were given in the Refit room meanwhile."""
        if self._listed is not self.placing:
            self.filter()

    def filter(self) -> None:
        seen = self.seen
        self._listed = self.placing
        self.all = setup_groups(seen.view, seen.card, self.placing, seen.seat)
        found = self._found()
        self.listed.mark = self.marked.sign
        self.listed.show(found)
        self.listed.refresh()
        self.filter_line.tell(counted(len(ids_of(found)), "counter") + self.marked.count_text)
        self._tell(seen)
        self.refresh_bindings()

    def _found(self) -> list[Group]:
        """The counters asked for, or all, that match the filter."""
        shown, placing = self.all, self.placing
        if placing is not None and not self.shows_all:
            shown = kept(shown, lambda _, row: row.id in placing.asked)
        return filtered(shown, self.filter_line.words)

    def _tell(self, seen: Seen) -> None:
        """Shows the progress of the setup, its steps, and the limits."""
        date = scenario_start(seen.view, seen.card).date
        self.query_one(DetailPanel).entitle(f"Setup for {date}")
        parts = [Content(start_text(seen.view, seen.card))]
        if self.placing is not None:
            early = f"{self.placing.ask.rule} ahead\n" if self.early is not None else ""
            left = left_text(self.placing, seen.view)
            parts.append(Content.styled(f"{early}{left}", "bold"))
        elif seen.waiting:
            parts.append(Content.styled("The other side decides in private.", "$warning"))
        coming = coming_text(seen.view, seen.card, seen.seat)
        parts += [Content(coming)] if coming else []
        limit = hidden_text(seen.view, seen.card, seen.seat)
        parts += [Content.styled(limit, "dim")] if limit else []
        steps = [
            Content.assemble((step.stand.mark, "dim"), f" {step.number} {step.title}")
            for step in seen.steps
            if step.number in SETUP_ORDER
        ]
        parts.append(Content("\n").join(steps))
        between = "\n" if is_low(self) else "\n\n"
        self.query_one("#told", Hanging).tell(Content(between).join(parts))

    # --- what can be done -----------------------------------------------------------------------

    def _in_question(self, ids: list[str]) -> list[str]:
        """Those that the question asks for."""
        asked = self.placing.asked if self.placing else frozenset()
        return [id for id in ids if id in asked]

    def action_mark(self) -> None:
        self.marked.turn(self._in_question([self.selected_counter or ""]))
        self.filter()
        self.listed.action_move(1)

    def action_mark_all(self) -> None:
        """Marks all counters of the filter that are not bound, or unmarks them."""
        placing = self.placing
        if placing is None:
            return
        self.marked.turn(free_of(placing, self.seen.view) & {*ids_of(self._found())})
        self.filter()

    def action_show_all(self) -> None:
        self.shows_all = not self.shows_all
        self.filter()

    @property
    def _chosen(self) -> tuple[str, ...]:
        """The marked counters, else the selected one."""
        asked = self._in_question([self.selected_counter or ""])
        return self.marked.chosen(next(iter(asked), None))

    @work(group="place", exclusive=True)
    async def action_place(self) -> None:
        """Asks for the Location of the chosen counters."""
        seen, placing, ids = self.seen, self.placing, self._chosen
        if placing is None:
            return
        if not ids:
            counter = seen.view.find(self.selected_counter or "")
            off_map = counter is not None and counter.off_map
            how = f": off map, it is {OFF_MAP_PLACED}" if off_map else ""
            self.app.say(f"This counter is not placed here{how}.")
            return
        offered = await self.app.session.consult(lambda _: [*places_of(placing, ids, seen.seat)])
        title = f"Where? {placing.ask.words_of(ids)}"
        allowed = f"Allowed: {allowed_text(offered)}"
        if all(place.typed == OFF_MAP for place in offered):
            allowed += await self.app.session.consult(
                lambda _: nowhere_text(placing, ids, seen.view, seen.card, seen.seat)
            )
        table = await self.app.session.consult(lambda _: table_offered(seen.view, ids))
        typed = await self.app.push_screen_wait(PickScreen(title, allowed, [*table, *offered]))
        if typed == TABLE:
            await self._set_on_table(ids)
        elif typed is not None:
            await self._give(ids, typed)

    @work(group="place", exclusive=True)
    async def action_on_table(self) -> None:
        """Sets the marked counters, else all that are shown and have no Location yet, up on the
        table: in their Setup Area, in a hex that is not known."""
        placing = self.placing
        if placing is None:
            return
        shown = self._in_question(ids_of(self._found()))
        await self._set_on_table(
            self.marked.chosen(None) or [id for id in shown if id not in placing.given]
        )

    async def _set_on_table(self, ids: Sequence[str]) -> None:
        seen, placing = self.seen, self.placing
        if placing is None:
            return
        tried, words = await self.app.session.consult(
            lambda _: put_on_the_table(placing, ids, seen.view)
        )
        if placing is self.placing:
            self._keep(tried)
            self.app.say(words)

    async def _give(self, ids: tuple[str, ...], typed: str | None) -> None:
        """Notes a Location for some counters, or removes theirs. Where it is refused for some of
        several, the others get it, and it shows why."""
        placing = self.placing
        if placing is None:
            return
        try:
            tried, refused = await self.app.session.consult(
                lambda _: one_by_one(placing, ids, typed)
            )
        except (Refused, ValueError) as error:
            self.app.warn(str(error), "Not allowed")
            return
        if placing is self.placing:
            self._keep(tried)
            if refused:
                self.marked.turn(refused)
                self.filter()
                self.app.warn("\n".join(refused.values()), "Not allowed, and still marked")

    def _keep(self, placing: Noted) -> None:
        """Notes the Locations, and selects the next counter without one."""
        if self._early_draft is not None:
            self._early_draft.keep(placing.given)
            self.early = self._early_as_kept(placing)
        else:
            self.app.session.placings.keep(placing)
        given = self._chosen
        self.marked.clear()
        self.filter()
        view, ids = self.seen.view, ids_of(self._found())
        if given and given[-1] in ids and given[-1] in placing.given:
            at, free = ids.index(given[-1]), free_of(placing, view) - placing.given.keys()
            after = (id for id in (*ids[at:], *ids[:at]) if id in free)
            self.listed.put_cursor(next(after, given[-1]))

    def _early_as_kept(self, noted: Noted) -> Noted:
        """Return an early setup, with the Locations of another window."""
        draft = self._early_draft
        if draft is None or draft.items == as_read(noted.given):
            return noted
        joined = carried_over(noted.ask, draft.items)
        joined.crews = noted.crews
        return joined

    def look_again(self) -> None:
        """Add the Locations that another window has given for the same setup."""
        if self.app.screen is not self or self.placing is None:
            return
        if self.early is None:
            changed = self.app.session.placings.join()
        else:
            changed = self._early_draft is not None and self._early_draft.join()
            self.early = self._early_as_kept(self.early)
        if changed:
            self.filter()

    def can_point(self) -> bool:
        return self.placing is not None and bool(self._chosen)

    @work(group="place", exclusive=True)
    async def point(self) -> None:
        """Points at the map for the Location of the chosen counters."""
        seen, placing, ids = self.seen, self.placing, self._chosen
        if placing is None or not ids:
            return
        offered = await self.app.session.consult(lambda _: [*places_of(placing, ids, seen.seat)])
        placed = [place for place in offered if place.spots]
        how = placing.ask.item(ids[0]).form.pointed or Pointed()
        start = start_of(seen.view, ids[0])
        pointing = Pointing(placing.ask.words_of(ids), how, placed, start=start)

        async def judge(raw: Raw) -> None:
            await self.app.session.consult(lambda _: placing.changed(dict.fromkeys(ids, (raw,))))

        def take(raw: Raw) -> None:
            if placing is self.placing:
                self._keep(placing.changed(dict.fromkeys(ids, (raw,))))

        await self.app.push_screen(PointScreen(pointing, take, judge))

    def action_deploy(self) -> None:
        """Exchanges the chosen squads for their HS; the setup goes on with them."""
        ids, seat = list(self._chosen), self.seen.seat
        by = "players" if seat is None else seat.value

        def deploy(desk: Desk) -> None:
            desk.command("deploy", {"ids": ids}, by)
            desk.go()  # the setup is asked for again, of the HS too

        self.app.perform(deploy)

    @work(group="place", exclusive=True)
    async def action_take_back(self) -> None:
        await self._give(self._chosen, None)

    @work(group="place", exclusive=True)
    async def action_done(self) -> None:
        """Answers the question with the Locations given, after naming the counters without one,
        which may be set up on the table first."""
        asked, wish = "", ""
        while (placing := self.placing) is not None:
            shown, left = self.seen.asked, self._without_location(placing)
            words = self._words_at_end(placing, left)
            if wish == DONE and words == asked:
                self._end(placing, shown)
                return
            again = going_on.CHANGED if wish == DONE else ""
            wish, asked = await self._wish(again + words, len(left)), words
            if wish == ON_TABLE:
                await self._set_on_table(left)
            elif wish != DONE:
                return

    def _without_location(self, placing: Noted) -> list[str]:
        """The counters of the question that need a Location of their own and have none."""
        free = free_of(placing, self.seen.view) - placing.given.keys()
        return [id for id in placing.ask.subjects if id in free]

    def _words_at_end(self, placing: Noted, left: Sequence[str]) -> str:
        """What stays undone, and the question."""
        view = self.seen.view
        counters = [counter for id in left if (counter := view.find(id)) is not None]
        many = f"{len(left)} without a Location: {tally_text(counters)}.\n" if left else ""
        which = f"{some_of([each.label for each in counters])}.\n" if left else ""
        undone, asked = undone_words(placing, view), asked_words(placing, view, self.seen.card)
        return f"{left_text(placing, view)}.\n{many}{which}{undone}\n{asked}"

    async def _wish(self, words: str, left: int) -> str:
        """What the player wants: DONE, ON_TABLE first, or "" for not yet."""
        table = [Reply(ON_TABLE, "", f"set the {left} up on the table first")] if left else []
        answers = [Reply("", NO, "not yet"), *table, Reply(DONE, YES, "done with this setup")]
        chosen = await self.app.push_screen_wait(ConfirmScreen("Done?", words, answers))
        return chosen.value if chosen is not None else ""

    def _end(self, placing: Noted, shown: QuestionName | None) -> None:
        """Enters the Locations: for the question that was shown, or ahead of it."""
        ask, given = placing.ask, dict(placing.given)
        if self.early is None:
            self.app.perform(lambda desk: as_shown.answer(desk, shown, given))
            return

        def enter(desk: Desk) -> str:
            sheet = AheadSheet(desk, ask.side)
            sheet.set_up(ask.rule, given)
            return sheet.enter(desk)

        self.app.perform(enter, self._entered)

    def _entered(self, words: str) -> None:
        """Ends the setup ahead once it is entered."""
        if self._early_draft is not None:
            self._early_draft.keep({})
        self._note_early(None)
        self.app.say(words)

    @work(group="place", exclusive=True)
    async def action_ahead(self) -> None:
        """Begins to note a setup before it is asked for, or leaves that."""
        if self.early is not None:
            self.app.say(KEPT if self.early.given else "")
            self._note_early(None)
            return
        sheet = await sheet_of(self.app)
        if sheet is None:
            return
        replies = [
            Reply(each, rule[-1], f"{rule} {TITLES[rule]}") for rule, each in sheet.setups.items()
        ]
        if not replies:
            self.app.say("As far as is known, this side will not be asked to set up.")
            return
        chosen = await self.app.push_screen_wait(ChoiceScreen("Set up ahead", A_SETUP, replies))
        if chosen is not None and (several := chosen.value.ask.several) is not None:
            date, drafts = self.seen.view.situation.date, self.app.session.drafts(sheet.side)
            draft = drafts.of_items(f"setup ahead {several.rule} {date}")
            noted = carried_over(several, {**sheet.raw(chosen.value), **draft.items})
            noted.crews = crews_of_guns(self.seen.view)
            self._note_early(noted, draft)

    def _note_early(self, noted: Noted | None, draft: ItemDraft | None = None) -> None:
        self.early, self._early_draft = noted, draft
        self.show(self.seen)

    async def action_export(self) -> None:
        await self.app.run_action("export")

    def on_drawn_list_chosen(self, event: CounterList.Chosen) -> None:
        if self.placing is not None:
            self.action_place()


# --- the list -------------------------------------------------------------------------------------


def setup_groups(
    view: Campaign, card: Card, placing: Noted | None, seat: Side | None
) -> list[Group]:
    """A group for each Isolated Location and area, in the order of setup, and for what is off map
    or elsewhere; each counter with what its side should know for its setup."""
    first = scenario_start(view, card).first_setup
    return [_group(view, page, placing, seat) for page in pages(view, first) if page.counters]


def _group(view: Campaign, page: RosterPage, placing: Noted | None, seat: Side | None) -> Group:
    rows = tuple(
        under_their_owners(page.counters, lambda counter: _row(view, counter, placing, seat))
    )
    guarded = {unit.id for unit in page.units if unit.prisoner and page.kind != PRISONERS}
    tally = tally_text(counter for counter in page.counters if counter.id not in guarded)
    if placing is not None:
        open_ones = sum(row.state == TO_BE_PLACED for row in rows)
        tally = ", ".join(filter(None, (f"{open_ones} {TO_BE_PLACED}" if open_ones else "", tally)))
    return Group(page.side, PLACES[page.kind].format(view.spot(page.name)), tally, rows)


def _row(view: Campaign, counter: Counter, placing: Noted | None, seat: Side | None) -> CounterRow:
    """The row about a counter, with what its side should know for its setup (searchable too)."""
    row, knows = row_of(view, counter), seat in (None, counter.side)
    state = setup_state(view, counter, placing) if knows else ""
    return replace(row, state=state, found_by=f"{row.found_by} {state.lower()}")
