"""Setup: the counters to set up, in the order of 15.6201 to 15.6205, and the Locations given."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from textual import work
from textual.app import ComposeResult
from textual.content import Content

from brt_cg.board import OFF_MAP, OFF_MAP_PLACED
from brt_cg.card import Card
from brt_cg.exports.setup_pages import (
    PRISONERS,
    RosterPage,
    arrivals_text,
    japanese_limits_text,
    list_roster_pages,
    scenario_start,
    scenario_start_text,
)
from brt_cg.forecast.upcoming_questions import EarlyAnswerSheet
from brt_cg.model import Campaign, Counter, Phase, PlaceKind, Side, Weapon
from brt_cg.questions import PointingForm, Raw, RefusedError
from brt_cg.questions.partial_answers import Changes, PartialAnswers
from brt_cg.questions.pointing import MapPointing, hex_to_start_at
from brt_cg.refit.sequence import SETUP_ORDER, TITLES
from brt_cg.refit.setup_progress import (
    TABLE,
    TO_BE_PLACED,
    allowed_places_text,
    common_possible_locations,
    ids_needing_hex,
    ids_needing_location,
    ids_without_location,
    is_setup_complete,
    no_common_location_reason,
    on_table_candidates,
    place_on_table,
    place_together_or_each,
    setup_note,
    setup_progress_text,
    setup_prompt,
    unplaced_purchases_text,
)
from brt_cg.service import shown_actions
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.drafts import ItemDraft, json_round_trip
from brt_cg.service.setup_answers import answers_still_allowed, gun_possessors
from brt_cg.text import count_text, first_few_text
from brt_cg.tui.answering import playback
from brt_cg.tui.answering.early_answers import A_SETUP, make_early_answer_sheet
from brt_cg.tui.dialogs.choice import NO, YES, ChoiceScreen, ConfirmScreen, Reply
from brt_cg.tui.dialogs.pick import PickScreen
from brt_cg.tui.frame.list_room import CounterRoom
from brt_cg.tui.keys.actions import EVERYWHERE, SETUP
from brt_cg.tui.lists.counter_list import CounterList
from brt_cg.tui.lists.filter_line import FilterLine
from brt_cg.tui.lists.groups import (
    CounterRow,
    Group,
    counter_row,
    filter_rows,
    filter_rows_by_text,
    ids_of,
    order_under_owners,
    tally_text,
)
from brt_cg.tui.lists.marks import MarkedRows
from brt_cg.tui.lists.panes import DetailPanel
from brt_cg.tui.look.lines import HangingText, Vertical
from brt_cg.tui.look.screen_size import is_screen_low
from brt_cg.tui.point.screen import PointScreen
from brt_cg.tui.session.session import CampaignSnapshot
from brt_cg.views.question_name import QuestionName

LOOK_EVERY = 1.0  # seconds between checks for another window's notes
KEPT = "Not entered. The Locations that you gave early are kept for when you come back."
PLACES = {
    PlaceKind.AREA: "Setup Area {}",
    PlaceKind.ISOLATED: "Isolated in {}",
    PlaceKind.OFF_MAP: "off map",
    PlaceKind.ELSEWHERE: "in no Setup Area",
    PRISONERS: "prisoners of the enemy",
}

DONE, ON_TABLE = "done", "on the table"
NEED_A_HEX = "Need a hex"


class SetupStep(NamedTuple):
    """A step that can be undone: the Locations that it changed as they were before it, the marks
    before it, and the step in words."""

    before: Changes
    marked: frozenset[str]
    words: str


class SetupScreen(CounterRoom):
    """The counters in the order of setup; beside or below, its progress and limits."""

    PLACE = SETUP
    POSSIBLE = dict.fromkeys(
        ("mark", "mark_all", "place", "on_table", "take_back", "show_all", "done"),
        lambda room, seen: room.setup_answers is not None,
    ) | {
        "deploy": lambda room, seen: room.setup_answers is not None and room.early is None,
        "ahead": lambda room, seen: room.setup_answers is None or room.early is not None,
    }

    all: Sequence[Group] = ()
    early: PartialAnswers | None = None  # the setup noted before its question comes
    _early_draft: ItemDraft | None = None
    shows_all = False  # false: only the counters that the question asks for
    _asked: tuple[QuestionName | None, str | None] = (None, None)  # the question shown last
    _listed: PartialAnswers | None = None  # the Locations given at that time

    @property
    def setup_answers(self) -> PartialAnswers | None:
        """The Locations given for the open setup question, if this seat answers it, or else for a
        future one."""
        seen = self.seen
        if self.early is not None or seen.ask is None or not seen.may_know(seen.ask.side):
            return self.early
        return self.app.session.setup_answers.answers_to(seen.asked)

    def __init__(self) -> None:
        super().__init__()
        self.marked = MarkedRows()
        self._steps: list[SetupStep] = []  # to undo, the newest last

    def compose_contents(self) -> ComposeResult:
        with Vertical(id="listed"):
            yield FilterLine("filter: any words")
            yield CounterList(id="counters")
        with DetailPanel():
            yield HangingText(id="told")

    def on_mount(self) -> None:
        self.set_interval(LOOK_EVERY, self.merge_locations_of_other_window)

    # --- showing --------------------------------------------------------------------------------

    def clear_shown_and_typed(self) -> None:
        super().clear_shown_and_typed()
        self.early = self._early_draft = None
        self._steps.clear()

    def show_snapshot(self, seen: CampaignSnapshot) -> None:
        placing = self.setup_answers
        name = seen.asked if self.early is None else None
        question = name, placing.ask.rule if placing is not None else None
        begins = placing is None or question != self._asked
        self._asked = question
        if begins:
            self.marked.clear()
            self._steps.clear()
            self.note_question_changed()
        self.apply_filter()
        if begins:
            asked = self._in_question(ids_of(self.all))
            if asked:
                self.listed.put_cursor(asked[0])

    def after_catch_up(self) -> None:
        """Show Locations that have been given in the Refit room since."""
        if self._listed is not self.setup_answers:
            self.apply_filter()

    def apply_filter(self) -> None:
        seen = self.seen
        self._listed = self.setup_answers
        self.all = setup_groups(seen.view, seen.card, self.setup_answers, seen.seat)
        found = self._matching_groups()
        self.listed.mark = self.marked.sign_before
        self.listed.show(found)
        self.listed.refresh()
        self.filter_line.show_count(
            count_text(len(ids_of(found)), "counter") + self.marked.count_text
        )
        self._show_progress(seen)
        self.refresh_bindings()
        self.refresh_state_line()

    def has_draft(self) -> bool:
        return self.setup_answers is not None and bool(self.setup_answers.given)

    def _matching_groups(self) -> list[Group]:
        """Return the counters asked for, or all, that match the filter."""
        shown, placing = self.all, self.setup_answers
        if placing is not None and not self.shows_all:
            shown = filter_rows(shown, lambda _, row: row.id in placing.asked)
        return filter_rows_by_text(shown, self.filter_line.words)

    def _show_progress(self, seen: CampaignSnapshot) -> None:
        """Show the progress of the setup, its steps, and the limits."""
        date = scenario_start(seen.view, seen.card).date
        self.query_one(DetailPanel).set_titles(f"Setup for {date}")
        parts = [Content(scenario_start_text(seen.view, seen.card))]
        if self.setup_answers is not None:
            early = f"{self.setup_answers.ask.rule} ahead\n" if self.early is not None else ""
            left = setup_progress_text(self.setup_answers, seen.view)
            needing = len(ids_needing_hex(self.setup_answers, seen.view))
            left += f"; {needing} need{'s' if needing == 1 else ''} a hex" if needing else ""
            parts.append(Content.styled(f"{early}{left}", "bold"))
        elif seen.waiting:
            parts.append(Content.styled("Your opponent is making a secret decision.", "$warning"))
        elif seen.view.situation.phase is Phase.SCENARIO:
            key = self.app.key_text(f"{EVERYWHERE}.export")
            done = f"The setup is done: {key} prints what you need, then play the scenario."
            parts.insert(0, Content.styled(done, "bold"))
        coming = arrivals_text(seen.view, seen.card, seen.seat)
        parts += [Content(coming)] if coming else []
        limit = japanese_limits_text(seen.view, seen.card, seen.seat)
        parts += [Content.styled(limit, "dim")] if limit else []
        steps = [
            Content.assemble((step.stand.mark, "dim"), f" {step.number} {step.title}")
            for step in seen.steps
            if step.number in SETUP_ORDER
        ]
        parts.append(Content("\n").join(steps))
        between = "\n" if is_screen_low(self) else "\n\n"
        self.query_one("#told", HangingText).set_text(Content(between).join(parts))

    # --- the possible actions -------------------------------------------------------------------

    def _in_question(self, ids: list[str]) -> list[str]:
        """Return the counters that the question asks for."""
        asked = self.setup_answers.asked if self.setup_answers else frozenset()
        return [id for id in ids if id in asked]

    def action_mark(self) -> None:
        self._mark(self._in_question([self.selected_counter or ""]))
        self.listed.action_move(1)

    def action_mark_all(self) -> None:
        """Mark all counters of the filter that are not bound, or unmark them."""
        placing = self.setup_answers
        if placing is None:
            return
        free = ids_needing_location(placing, self.seen.view)
        self._mark([id for id in ids_of(self._matching_groups()) if id in free])

    def _mark(self, ids: Sequence[str]) -> None:
        self._begin_step({}, "the mark of", ids)
        self.marked.mark_or_unmark_all(ids)
        self.apply_filter()

    def _begin_step(self, before: Changes, did: str, ids: Sequence[str]) -> None:
        """Record a step before applying it to counters."""
        if self.setup_answers is not None and ids:
            words = f"{did} {self.setup_answers.ask.items_text(ids)}"
            self._steps.append(SetupStep(before, self.marked.ids, words))

    def undo_last_unentered(self) -> str:
        """Undo the newest Location or mark given here; return its description, "" if there is
        none. Locations that another window or room has given since are kept."""
        placing = self.setup_answers
        if placing is None or not self._steps:
            return ""
        step = self._steps.pop()
        if step.before:
            given = {id: (raw,) for id, raw in placing.given.items()} | dict(step.before)
            now = {id: answer[0] for id, answer in given.items() if answer is not None}
            before = answers_still_allowed(placing.ask, now)
            before.crews = placing.crews
            self._store(before)
        self.marked.ids = step.marked
        self.apply_filter()
        if step.before:
            listed = ids_of(self._matching_groups())
            self.listed.put_cursor(next((id for id in listed if id in step.before), None))
        return step.words

    def action_show_all(self) -> None:
        self.shows_all = not self.shows_all
        self.apply_filter()

    @property
    def _chosen(self) -> tuple[str, ...]:
        """The marked counters, else the selected one."""
        asked = self._in_question([self.selected_counter or ""])
        return self.marked.marked_or_selected(next(iter(asked), None))

    @work(group="place", exclusive=True)
    async def action_place(self) -> None:
        """Ask for the Location of the chosen counters."""
        seen, placing, ids = self.seen, self.setup_answers, self._chosen
        if placing is None:
            return
        if not ids:
            counter = seen.view.find(self.selected_counter or "")
            off_map = counter is not None and counter.off_map
            how = f": it is off map, {OFF_MAP_PLACED}" if off_map else ""
            self.app.show_notice(f"This counter is not placed here{how}.")
            return
        offered = await self.app.session.look_up(
            lambda _: [*common_possible_locations(placing, ids, seen.seat)]
        )
        title = f"Where? {placing.ask.items_text(ids)}"
        allowed = f"Allowed: {allowed_places_text(offered)}"
        if all(place.typed == OFF_MAP for place in offered):
            allowed += await self.app.session.look_up(
                lambda _: no_common_location_reason(placing, ids, seen.view, seen.card, seen.seat)
            )
        table = await self.app.session.look_up(lambda _: on_table_candidates(seen.view, ids))
        typed = await self.app.push_screen_wait(PickScreen(title, allowed, [*table, *offered]))
        if typed == TABLE:
            await self._set_on_table(ids)
        elif typed is not None:
            await self._give(ids, typed)

    @work(group="place", exclusive=True)
    async def action_on_table(self) -> None:
        """Set up on the table, in an unknown hex of their Setup Area, the marked counters or else
        all that are shown and have no Location yet."""
        placing = self.setup_answers
        if placing is None:
            return
        shown = self._in_question(ids_of(self._matching_groups()))
        await self._set_on_table(
            self.marked.marked_or_selected(None) or [id for id in shown if id not in placing.given]
        )

    async def _set_on_table(self, ids: Sequence[str]) -> None:
        seen, placing = self.seen, self.setup_answers
        if placing is None:
            return
        tried, words = await self.app.session.look_up(
            lambda _: place_on_table(placing, ids, seen.view)
        )
        if placing is self.setup_answers:
            self._keep(tried)
            self.app.show_notice(words)

    async def _give(self, ids: tuple[str, ...], typed: str | None) -> None:
        """Note a Location for some counters, or remove theirs. If the Location is refused for some
        of the counters, the others get it, and the reason is shown."""
        placing = self.setup_answers
        if placing is None:
            return
        try:
            tried, refused = await self.app.session.look_up(
                lambda _: place_together_or_each(placing, ids, typed)
            )
        except (RefusedError, ValueError) as error:
            self.app.show_warning(str(error), "Not allowed")
            return
        if placing is self.setup_answers:
            self._keep(tried)
            if refused:
                self.marked.mark_or_unmark_all(refused)
                self.apply_filter()
                self.app.show_warning("\n".join(refused.values()), "Not allowed, and still marked")

    def _keep(self, placing: PartialAnswers) -> None:
        """Note the Locations, and select the next counter without one."""
        before = self.setup_answers.given if self.setup_answers is not None else {}
        changed = [id for id in placing.ask.subjects if before.get(id) != placing.given.get(id)]
        was: Changes = {id: (before[id],) if id in before else None for id in changed}
        self._begin_step(was, "the Location of", changed)
        given, rows = self._chosen, ids_of(self._matching_groups())
        needing = self._needing_hex()
        self._store(placing)
        self.marked.clear()
        self.apply_filter()
        if given and given[-1] in rows and given[-1] in placing.given:
            at, free = rows.index(given[-1]), ids_needing_location(placing, self.seen.view)
            free -= placing.given.keys()
            after = [id for id in (*rows[at:], *rows[:at]) if id in free]
            # After a counter that needed a hex, the next one that needs one; else the next row.
            wanted = [id for id in after if id in needing and given[-1] in needing] or after
            self.listed.put_cursor(next(iter(wanted), given[-1]))

    def _needing_hex(self) -> list[str]:
        """Return the counters that still need a hex from the player."""
        placing = self.setup_answers
        return ids_needing_hex(placing, self.seen.view) if placing is not None else []

    def _store(self, placing: PartialAnswers) -> None:
        """Keep the Locations as a draft."""
        if self._early_draft is not None:
            self._early_draft.save(placing.given)
            self.early = self._early_as_kept(placing)
        else:
            self.app.session.setup_answers.store(placing, self.seen.asked)

    def _early_as_kept(self, noted: PartialAnswers) -> PartialAnswers:
        """Return an early setup, with the Locations of another window."""
        draft = self._early_draft
        if draft is None or draft.items == json_round_trip(noted.given):
            return noted
        joined = answers_still_allowed(noted.ask, draft.items)
        joined.crews = noted.crews
        return joined

    def merge_locations_of_other_window(self) -> None:
        """Add the Locations that another window has given for the same setup."""
        if self.app.screen is not self or self.setup_answers is None:
            return
        if self.early is None:
            changed = self.app.session.setup_answers.merge_saved()
        else:
            changed = self._early_draft is not None and self._early_draft.merge_saved()
            self.early = self._early_as_kept(self.early)
        if changed:
            self.apply_filter()

    def can_point(self) -> bool:
        return self.setup_answers is not None and bool(self._chosen)

    @work(group="place", exclusive=True)
    async def start_pointing(self) -> None:
        """Let the player point on the map to the Location of the chosen counters."""
        seen, placing, ids = self.seen, self.setup_answers, self._chosen
        if placing is None or not ids:
            return
        offered = await self.app.session.look_up(
            lambda _: [*common_possible_locations(placing, ids, seen.seat)]
        )
        placed = [place for place in offered if place.spots]
        how = placing.ask.item(ids[0]).form.pointed or PointingForm()
        start = hex_to_start_at(seen.view, ids[0])
        pointing = MapPointing(placing.ask.items_text(ids), how, placed, start=start)

        async def judge(raw: Raw) -> None:
            await self.app.session.look_up(
                lambda _: placing.with_changes(dict.fromkeys(ids, (raw,)))
            )

        def take(raw: Raw) -> None:
            if placing is self.setup_answers:
                self._keep(placing.with_changes(dict.fromkeys(ids, (raw,))))

        await self.app.push_screen(PointScreen(pointing, take, judge))

    def action_deploy(self) -> None:
        """Exchange the chosen squads for their HS; the setup continues with them."""
        ids, seat = list(self._chosen), self.seen.seat
        by = "players" if seat is None else seat.value

        shown = self.seen.asked
        self._steps.clear()  # so undo begins with this entry
        self.app.perform(lambda desk: shown_actions.deploy_shown(desk, shown, ids, by))

    @work(group="place", exclusive=True)
    async def action_take_back(self) -> None:
        await self._give(self._chosen, None)

    @work(group="place", exclusive=True)
    async def action_done(self) -> None:
        """Answer the question with the Locations given. First name anything still to be done,
        such as counters without a Location, which may be set up on the table instead."""
        asked, wish = "", ""
        while (placing := self.setup_answers) is not None:
            shown, left = self.seen.asked, ids_without_location(placing, self.seen.view)
            words = self._words_at_end(placing, left)
            on_table = self._for_table(placing, left)
            if not asked and is_setup_complete(placing, self.seen.view, self.seen.card):
                self._end(placing, shown)
                return
            if wish == DONE and words == asked:
                self._end(placing, shown)
                return
            again = playback.CHANGED if wish == DONE else ""
            wish, asked = await self._wish(again + words, len(on_table)), words
            if wish == ON_TABLE:
                await self._set_on_table(on_table)
            elif wish != DONE:
                return

    def _for_table(self, placing: PartialAnswers, left: Sequence[str]) -> list[str]:
        """Return the remaining counters that may be set up on the table."""
        needing = ids_needing_hex(placing, self.seen.view)
        return [id for id in left if id not in needing]

    def _words_at_end(self, placing: PartialAnswers, left: Sequence[str]) -> str:
        """Return the list of things left undone, and the question."""
        view = self.seen.view
        on_table = self._for_table(placing, left)
        needing = [id for id in left if id not in on_table]
        todo = self._named_text(needing, "still need a hex") + self._named_text(
            on_table, "have no Location yet"
        )
        undone, asked = (
            unplaced_purchases_text(placing, view),
            setup_prompt(placing, view, self.seen.card),
        )
        return f"{setup_progress_text(placing, view)}.\n{todo}{undone}\n{asked}"

    def _named_text(self, ids: Sequence[str], lack: str) -> str:
        """Return counters with the same `lack`, counted and named, in lines."""
        view = self.seen.view
        counters = [counter for id in ids if (counter := view.find(id)) is not None]
        if not counters:
            return ""
        named = first_few_text([each.label for each in counters])
        return f"{len(counters)} {lack}: {tally_text(counters)}.\n{named}.\n"

    async def _wish(self, words: str, left: int) -> str:
        """Return the player's choice: DONE, ON_TABLE first, or "" for not yet."""
        table = [Reply(ON_TABLE, "", f"set the {left} up on the table first")] if left else []
        answers = [Reply("", NO, "not yet"), *table, Reply(DONE, YES, "done with this setup")]
        chosen = await self.app.push_screen_wait(ConfirmScreen("Done?", words, answers))
        return chosen.value if chosen is not None else ""

    def _end(self, placing: PartialAnswers, shown: QuestionName | None) -> None:
        """Enter the Locations: for the question that was shown, or before it is asked."""
        ask, given = placing.ask, dict(placing.given)
        if self.early is None:
            self.app.perform(lambda desk: shown_actions.answer_shown(desk, shown, given))
            return

        def enter(desk: CampaignReader) -> str:
            sheet = EarlyAnswerSheet(desk, ask.side)
            sheet.answer_setup_question(ask.rule, given)
            return sheet.enter_answers(desk)

        self.app.perform(enter, self._entered)

    def _entered(self, words: str) -> None:
        """End the early setup once it is entered."""
        if self._early_draft is not None:
            self._early_draft.save({})
        self._note_early(None)
        self.app.show_notice(words)

    @work(group="place", exclusive=True)
    async def action_ahead(self) -> None:
        """Begin to note a setup before it is asked for, or leave that mode."""
        if self.early is not None:
            self.app.show_notice(KEPT if self.early.given else "")
            self._note_early(None)
            return
        sheet = await make_early_answer_sheet(self.app)
        if sheet is None:
            return
        replies = [
            Reply(each, rule[-1], f"{rule} {TITLES[rule]}")
            for rule, each in sheet.setup_questions.items()
        ]
        if not replies:
            self.app.show_notice("This side will probably not be asked to set up.")
            return
        chosen = await self.app.push_screen_wait(ChoiceScreen("Set up early", A_SETUP, replies))
        if chosen is not None and (several := chosen.value.ask.as_multi_question) is not None:
            date, drafts = self.seen.view.situation.date, self.app.session.drafts(sheet.side)
            draft = drafts.item_draft(f"setup ahead {several.rule} {date}")
            noted = answers_still_allowed(
                several, {**sheet.answer_or_default(chosen.value), **draft.items}
            )
            noted.crews = gun_possessors(self.seen.view)
            self._note_early(noted, draft)

    def _note_early(self, noted: PartialAnswers | None, draft: ItemDraft | None = None) -> None:
        self.early, self._early_draft = noted, draft
        self.show_snapshot(self.seen)

    def on_drawn_list_chosen(self, event: CounterList.Chosen) -> None:
        if self.setup_answers is not None:
            self.action_place()


# --- the list -------------------------------------------------------------------------------------


def setup_groups(
    view: Campaign, card: Card, placing: PartialAnswers | None, seat: Side | None
) -> list[Group]:
    """Return a group for the counters that still need a hex, if there are any; then one for each
    Isolated Location and area, in the order of setup, and for the counters off map or elsewhere;
    each counter with the note about its setup for its side."""
    first = scenario_start(view, card).first_setup
    pages = list_roster_pages(view, first)
    needing = {*ids_needing_hex(placing, view)} if placing is not None else set()
    if placing is None or not needing:
        return [_group(view, page, placing, seat) for page in pages if page.counters]
    counters = [each for page in pages for each in page.counters if _is_with(each, needing)]
    rows = order_under_owners(counters, lambda counter: _setup_row(view, counter, placing, seat))
    tally = count_text(len(needing), "counter")
    rest = (_without(page, needing) for page in pages)
    return [
        Group(placing.ask.side, NEED_A_HEX, tally, tuple(rows)),
        *(_group(view, page, placing, seat) for page in rest if page.counters),
    ]


def _is_with(counter: Counter, ids: set[str]) -> bool:
    """Whether a counter is one of the given counters, or is possessed by one of them."""
    return counter.id in ids or (isinstance(counter, Weapon) and counter.possessor in ids)


def _without(page: RosterPage, ids: set[str]) -> RosterPage:
    """Return a page without some counters, and without what they possess."""
    return replace(
        page,
        units=[each for each in page.units if each.id not in ids],
        weapons=[each for each in page.weapons if not _is_with(each, ids)],
        vehicles=[each for each in page.vehicles if each.id not in ids],
        fortifications=[each for each in page.fortifications if each.id not in ids],
    )


def _group(
    view: Campaign, page: RosterPage, placing: PartialAnswers | None, seat: Side | None
) -> Group:
    rows = tuple(
        order_under_owners(page.counters, lambda counter: _setup_row(view, counter, placing, seat))
    )
    guarded = {unit.id for unit in page.units if unit.prisoner and page.kind != PRISONERS}
    tally = tally_text(counter for counter in page.counters if counter.id not in guarded)
    if placing is not None:
        open_ones = sum(row.state == TO_BE_PLACED for row in rows)
        tally = ", ".join(filter(None, (f"{open_ones} {TO_BE_PLACED}" if open_ones else "", tally)))
    return Group(page.side, PLACES[page.kind].format(view.location_text(page.name)), tally, rows)


def _setup_row(
    view: Campaign, counter: Counter, placing: PartialAnswers | None, seat: Side | None
) -> CounterRow:
    """Return the row about a counter, with the note about its setup for its side (searchable
    too)."""
    row, knows = counter_row(view, counter), seat in (None, counter.side)
    state = setup_note(view, counter, placing) if knows else ""
    return replace(row, state=state, found_by=f"{row.found_by} {state.lower()}")
