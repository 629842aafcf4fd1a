"""The Dashboard: the line of CG Dates, the next step, the forces of both sides, the log."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from textual import work
from textual.app import ComposeResult
from textual.content import Content
from textual.geometry import Size

from brt_cg.exports.next_step import NextStep, Stage
from brt_cg.model import Phase, Side
from brt_cg.refit.victory import victory_requirement_lines
from brt_cg.text import count_text
from brt_cg.tui.forms.import_action import import_in_room
from brt_cg.tui.frame.room import Room
from brt_cg.tui.keys.actions import (
    CAMPAIGN,
    DASHBOARD,
    EVERYWHERE,
    FORCES,
    MAP,
    REFIT,
    SCENARIO_END,
    campaign_page_actions,
)
from brt_cg.tui.look.lines import Horizontal, Static, click_style
from brt_cg.tui.look.screen_size import is_screen_low, is_screen_narrow
from brt_cg.tui.map.island import Island
from brt_cg.tui.map.sheet import build_map_sheet
from brt_cg.tui.rooms.dashboard.panels import (
    DashboardLog,
    ForcesPanel,
    Overview,
    merge_import_lines,
)
from brt_cg.tui.session.session import CampaignSnapshot

MISSING = " · missing: "
LEADS = {"seat": ": change seats", "mail": ": send your news, or receive your opponent's"}
ROOMY = Size(120, 40)  # the cells needed to show the island


class DashboardScreen(Room):
    """The state of the campaign at a glance."""

    PLACE = DASHBOARD
    HAS_LISTS = False  # the first frame need not wait for the styles of lists
    POSSIBLE = {
        "next": lambda room, seen: seen.view.situation.phase != "over",
        "import": lambda room, seen: seen.view.situation.phase != "over",
        "form": lambda room, seen: room.can_enter_scenario_end(seen),
    }

    _step: NextStep  # the next thing to do
    _on_tour = False

    def action_import(self) -> None:
        import_in_room(self)

    def compose_contents(self) -> ComposeResult:
        yield Overview(id="overview")
        self._news = Static(id="news")  # mounted once there is news
        if self.app.news is not None:
            yield self._news
        with Horizontal(id="sides"):
            for side in Side:
                yield ForcesPanel(side)
        if self._is_roomy:
            yield self._island
        yield DashboardLog(self._beside_the_log)

    def size_classes(self, size: Size) -> dict[str, bool]:
        has_island = size.width >= ROOMY.width and size.height >= ROOMY.height
        return super().size_classes(size) | {"-island": has_island}

    def show_snapshot(self, seen: CampaignSnapshot) -> None:
        self._step = seen.next_step
        if self._step.action == "seat" and self.app.is_played_by_mail(seen):
            self._step = replace(self._step, action="mail")
        situation, dates = seen.view.situation, seen.card.dates
        past = len(dates) if situation.phase == "over" else dates.index(situation.date)
        ways = [*self._out_of(seen)]
        due = [Content.styled(_ended(each), "$warning") for each in seen.reminders]
        steps = [self._next(self._step), *ways, *self._asked(seen), *due, *self._way(seen)]
        steps += _standing(seen)
        self._on_tour = self.app.tour == seen.path
        steps = [*self._tour(seen)] if self._on_tour else steps
        self.query_one(Overview).show(dates, past, steps, self._pages())
        for panel in self.query(ForcesPanel):
            panel.show(seen)
        if self._is_roomy:
            if not self._island.is_attached:
                _ = self.query_one("#room").mount(self._island, after="#sides")
            self._island.show_sheet(build_map_sheet(seen.view, seen.card))
        self.query_one(DashboardLog).show(merge_import_lines(seen.log, 0), most=60)
        self._sum_up(seen)

    @work(group="summary", exclusive=True, description="sum up the last Refit Phase")
    async def _sum_up(self, seen: CampaignSnapshot) -> None:
        """Show the results of the last Refit Phase, until the next scenario ends."""
        from brt_cg.exports.refit_summary import newest_refit_summaries

        self.app.let_keys_pass()
        log, last = self.query_one(DashboardLog), None
        if not seen.shows_shared_table:  # each side has its own news
            found = await self.app.session.look_up(lambda desk: newest_refit_summaries(desk.view()))
            if self._shown is not seen:
                return
            log.show(merge_import_lines(seen.log, found[-1].imported if found else 0), most=60)
            last = next((each for each in found if each.has_events), None)
        reads = seen.view.situation.phase in (Phase.SCENARIO, Phase.OVER)
        log.show_summary(last if reads else None)

    def _beside_the_log(self, room: Size) -> int:
        """Return the lines that a low screen needs for the rest of the room."""
        above = self.query_one(Overview).get_content_height(room, room, room.width)
        news = self._news.outer_size.height if self._news.display else 0
        return above + news + max(panel.least_height for panel in self.query(ForcesPanel))

    @property
    def _is_roomy(self) -> bool:
        return self.has_class("-island")

    @cached_property
    def _island(self) -> Island:
        """The island, added once there is room."""
        return Island()

    def on_whole_island_pointed(self, event: Island.Pointed) -> None:
        """Open the Map at the hex that was clicked."""
        self.app.map_cursor = event.hex
        self.run_worker(self.app.run_action(f"app.{MAP}"))

    def _tour(self, seen: CampaignSnapshot) -> Iterator[Content]:
        """Yield the position in the demo, and the one key to press."""
        date = seen.view.situation.date
        yield Content(f"A demo on Betio, November 1943: the scenario of {date} has been played.")
        yield Content("Now the Refit Phase: who rallies, what is repaired, what can be bought.")
        key = (self.app.key_text(f"{DASHBOARD}.next"), "bold $accent")
        words = Content.assemble("Press ", key, ": it begins, one question at a time.")
        yield words.stylize(click_style("screen.next"))

    def after_catch_up(self) -> None:
        if self._on_tour and self.app.tour is None:
            self.show_snapshot(self.seen)
        news = self.app.news
        self._news.display = news is not None
        if news is not None:
            if not self._news.is_attached:
                _ = self.query_one("#room").mount(self._news, after="#overview")
            words = Content.from_markup(
                "[@click=app.journal]$news: press [bold $accent]$key[/][/]",
                news=news.text,
                key=self.app.key_text(f"{EVERYWHERE}.journal"),
            )
            self._news.update(words)

    def _next(self, step: NextStep) -> Content:
        words = Content(_ended(step.sentence))
        if step.action is not None and self.app.is_action_allowed(f"{EVERYWHERE}.{step.action}"):
            key = self.app.key_text(f"{DASHBOARD}.next")
            sentence = _ended(f"{step.sentence}{LEADS.get(step.action, '')}")
            play, then, how = sentence.partition(", then ")
            if then and self.seen.view.situation.phase is Phase.SCENARIO:
                named = (key, "bold $accent")
                words = Content.assemble(f"{play}, then press ", named, f" and {how}")
            else:
                words = Content.assemble("Press ", (key, "bold $accent"), f": {sentence}")
            words = words.stylize(click_style("screen.next"))
        return words

    def _out_of(self, seen: CampaignSnapshot) -> Iterator[Content]:
        """Yield the ways out of a paragraph that cannot continue."""
        keys = (self.app.key_text(f"{EVERYWHERE}.{action}") for action in ("undo", "redo"))
        for way in seen.mismatch.ways_out(*keys) if seen.mismatch is not None else ():
            key, colon, label = way.partition(": ")
            yield Content.assemble((key, "bold $accent" if colon else ""), colon, label)

    def _asked(self, seen: CampaignSnapshot) -> Iterator[Content]:
        """Yield the requests of one side to the other, as many as fit on one line."""
        key = self.app.key_text(f"{EVERYWHERE}.requests")
        for request in seen.requests[:1]:
            more = len(seen.requests) - 1
            others = f", and {count_text(more, 'more request')}" if more else ""
            who = "You ask" if seen.seat is request.side else f"The {request.side.plural} ask"
            words = f": {who}: {request.words}{others}"
            line = Content.assemble("Press ", (key, "bold $accent"), words)
            yield line.stylize(click_style("app.requests"))

    def _pages(self) -> Content:
        """Return the links to the pages of the Campaign room."""
        key = self.app.key_text(f"{EVERYWHERE}.{CAMPAIGN}")
        room = Content.assemble(
            (key, "bold $accent"), "" if is_screen_narrow(self) else " Campaign:"
        )
        links = [room.stylize(click_style(f"app.{CAMPAIGN}"))]
        links += [
            Content.styled(each.label, click_style(f"app.{each.name}"))
            for each in campaign_page_actions()
        ]
        return Content("  ").join(links)

    def _way(self, seen: CampaignSnapshot) -> Iterator[Content]:
        """Yield the stages up to the first scenario. On a short screen, completed stages share a
        line."""
        lines = [(stage.is_done, _stage_text(stage)) for stage in seen.stages]
        if is_screen_low(self):
            done = [line for is_done, line in lines if is_done]
            yield from [Content("  ").join(done)] * bool(done)
            lines = [line for line in lines if not line[0]]
        yield from (line for _, line in lines)
        imports = f"{DASHBOARD}.import"
        if (
            seen.stages
            and seen.view.situation.phase == "purchase"
            and self.app.is_action_allowed(imports)
        ):
            key = self.app.key_text(imports)
            yield Content.styled(f"Already under way? {key} imports a situation instead.", "dim")

    def selected_row_text(self) -> str | None:
        return _ended(self._step.sentence)

    async def action_next(self) -> None:
        """Go to the next step; a paragraph that is due begins immediately, and the form for the end
        of the scenario opens."""
        action, upcoming = self._step.action, self.seen.upcoming
        if action == REFIT and upcoming is not None:
            await self.app.go_to_room(REFIT, upcoming.number)
        elif action == FORCES and self.seen.can_report_scenario_end:
            await self.app.go_to_room(SCENARIO_END)
        elif action is not None and self.app.is_action_allowed(f"{EVERYWHERE}.{action}"):
            await self.app.run_action(action)


def _stage_text(stage: Stage) -> Content:
    """Return a stage with its mark and its missing part, which a click leads to."""
    mark, style = ("✓", "$success") if stage.is_done else ("○", "$warning")
    return Content.from_markup(
        f"[@click=app.{stage.action}][{style}]{mark}[/] $words[dim]$missing[/][/]",
        words=stage.words,
        missing=f"{MISSING}{stage.missing}" if stage.missing else "",
    )


def _standing(seen: CampaignSnapshot) -> Iterator[Content]:
    """Yield the state of victory, once a scenario has begun."""
    situation = seen.view.situation
    if situation.phase is Phase.SCENARIO or not situation.initial:
        for line in victory_requirement_lines(seen.view, seen.card):
            yield Content.styled(f"{line}.", "$secondary")


def _ended(sentence: str) -> str:
    """Return a sentence with a period, unless it ends in another mark."""
    return sentence if sentence.endswith((".", "?", "!")) else f"{sentence}."
