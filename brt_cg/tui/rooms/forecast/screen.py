"""Forecast: the expected results of the coming Refit Phase, and the effect of other choices."""

import secrets
from collections.abc import Iterator, Sequence
from threading import Event
from time import monotonic
from typing import Any

from textual import work
from textual.app import ComposeResult
from textual.content import Content
from textual.worker import get_current_worker

from brt_cg.forecast import MOST
from brt_cg.forecast.outcomes import (
    CounterRisk,
    Difference,
    Forecast,
    build_forecast,
    counters_by_risk,
    significant_differences,
)
from brt_cg.forecast.parallel_runs import play_and_count_runs, play_runs_until_precise
from brt_cg.forecast.runs import Decision, list_decisions
from brt_cg.forecast.start import ForecastStart, start_from_open_campaign
from brt_cg.forecast.wording import (
    FIGURES,
    STACKED,
    chance_text,
    counter_text,
    difference_text,
    interval_bar,
    percent_text,
    risk_text,
    short_spread,
    stacked_bar,
)
from brt_cg.model import SIDES, Campaign
from brt_cg.questions import Raw, RefusedError, answer_text
from brt_cg.tui.dialogs.choice import ChoiceScreen, Reply
from brt_cg.tui.dialogs.pick import PickScreen
from brt_cg.tui.frame.room import Room
from brt_cg.tui.keys.actions import FORECAST
from brt_cg.tui.lists.panes import ReadingPane
from brt_cg.tui.look.columns import Column, Columns, column_width_for, columns, side_by_side
from brt_cg.tui.look.lines import Lines, Static, hang_text
from brt_cg.tui.look.screen_size import NARROW
from brt_cg.tui.look.signs import SIGNS
from brt_cg.tui.session.session import CampaignSnapshot, Seat, entries_since_text

SHOWN_EACH = 0.5  # seconds between two updates of a forecast in progress

COLORS = ("$error", "$warning", "$secondary")  # colors of lost, unsure and kept counters
RISK, WORTH = 8, 5  # cells
LONGEST_BAR, LEAST_LINE = 24, 12


class ForecastScreen(Room):
    """The room of the forecast: its progress; the figures of both sides, CVP on one line; the risk
    of each counter as a bar. With other choices a second forecast is below the first, on the same
    dice."""

    PLACE = FORECAST
    AUTO_FOCUS = "#chances"

    first: Forecast | None = None
    other: Forecast | None = None
    what_if = ""
    playing = False
    _is_last = False  # whether the last forecast is shown while another is played
    _seat: Seat = None
    _began_with: CampaignSnapshot | None = None
    _seed = ""
    _stop = Event()  # stops the forecast in progress

    def compose_contents(self) -> ComposeResult:
        yield Static(id="course")
        yield Lines(id="figures")
        yield ReadingPane(Lines(id="each"), id="chances")

    # --- playing --------------------------------------------------------------------------------

    def go_to(self, subject: str) -> None:
        """Play the coming phase, unless it has been played."""
        if self.shows_contents and not self.playing and self.is_stale(self.seen):
            self.action_again()

    def is_stale(self, seen: CampaignSnapshot) -> bool:
        """Whether the forecast shown is of an earlier state of the campaign."""
        began = self._began_with
        return self.first is None or began is None or bool(entries_since_text(began, seen))

    def show_snapshot(self, seen: CampaignSnapshot) -> None:
        if seen.seat is not self._seat:
            # The forecast shown may be the previous seat's secret.
            self._stop.set()
            self._seat = seen.seat
            self.first = self.other = None
        self._update()

    def action_again(self) -> None:
        """Play with the default choices."""
        self.other, self.what_if = None, ""
        self._seed = str(secrets.randbelow(10**9))
        self._play(None)

    @work(group="forecast", exclusive=True, description="play")
    async def _play(self, choices: dict[str, Any] | None) -> None:
        self._stop.set()
        self._stop = stop = Event()
        seat, start = self._seat, await self._start(choices)
        if start is None or seat is not self._seat:
            return
        # The last forecast stays on the screen until a part of the new one is there.
        self._began_with, self.playing = self.seen, True
        self._is_last = choices is None and self.first is not None
        self._update()
        self._count(start, seat, stop, choices is not None)

    async def _start(self, choices: dict[str, Any] | None) -> ForecastStart | None:
        seed = self._seed
        try:
            return await self.app.session.look_up(
                lambda desk: start_from_open_campaign(desk, seed, choices)
            )
        except RefusedError as refused:
            self.query_one("#course", Static).update(Content(str(refused)))
            return None

    @work(group="counting", thread=True, description="count")
    def _count(self, start: ForecastStart, seat: Seat, stop: Event, is_other: bool) -> None:
        """Play in a separate thread until it is stopped."""
        self.app.let_keys_pass()
        worker = get_current_worker()
        runs = self.first.runs if is_other and self.first is not None else None
        played = (
            play_runs_until_precise(start, MOST)
            if runs is None
            else play_and_count_runs(start, runs)
        )
        counted, shown = None, 0.0
        try:
            for counted in played:
                if stop.is_set() or worker.is_cancelled:
                    break
                if monotonic() - shown > SHOWN_EACH:
                    self._give(build_forecast(start, seat, counted), stop, is_other)
                    shown = monotonic()
            if counted is not None:
                self._give(build_forecast(start, seat, counted), stop, is_other)
        except RefusedError as refused:
            self.app.call_from_thread(self.app.show_warning, str(refused))
        finally:
            played.close()  # type: ignore[attr-defined]
            self.app.call_from_thread(self._end, stop)

    def _give(self, found: Forecast, stop: Event, is_other: bool) -> None:
        self.app.call_from_thread(self._take, found, stop, is_other)

    def _take(self, found: Forecast, stop: Event, is_other: bool) -> None:
        if stop is not self._stop or found.seat is not self._seat:
            return
        if is_other:
            self.other = found
        else:
            self.first, self._is_last = found, False
        self._update()

    def _end(self, stop: Event) -> None:
        if stop is self._stop:
            self.playing = False
            self._update()

    # --- showing --------------------------------------------------------------------------------

    def _update(self) -> None:
        if not self._composed:
            return
        first, other, seen = self.first, self.other, self.seen
        self.query_one("#course", Static).update(self._course())
        self.query_one("#figures", Lines).show_written_by(
            lambda room: _figures(seen.view, first, other, room.width) if first else Content()
        )
        self.query_one("#each", Lines).show_written_by(
            lambda room: _chances(seen, first, other, room.width) if first else Content()
        )
        self.refresh_bindings()

    def _course(self) -> Content:
        newest = self.other or self.first
        if newest is None:
            words = (
                "Playing the coming Refit Phase…"
                if self.playing
                else "Nothing has been played yet."
            )
            return Content(words)
        text = f"{newest.date} · {newest.runs} Refit Phases played"
        if self._is_last and self.playing:
            text = f"Playing again… Below is the last forecast: {text}"
        elif self._began_with is not None and entries_since_text(self._began_with, self.seen):
            text += f" · made {entries_since_text(self._began_with, self.seen)}"
        if self.what_if:
            text += f"\nWhat if: {self.what_if}. Each line shows the default → what if."
        return Content(text)

    # --- other choices, leaving, help -----------------------------------------------------------

    @work(group="what if", exclusive=True)
    async def action_what_if(self) -> None:
        seat, start = self._seat, await self._start(None)
        if start is None or self.first is None:
            return
        answers = [
            Reply(decision, "", f"{decision.rule}  {decision.ask.prompt}")
            for decision in list_decisions(start)
        ]
        words = "Choose a decision to make differently from the default."
        chosen = await self.app.push_screen_wait(ChoiceScreen("What if…", words, answers))
        if chosen is None:
            return
        decision, tried = chosen.value, await self._decided(chosen.value)
        if tried is not None and self._seat is seat:
            raw, words = tried
            self.what_if, self.other = f"{decision.rule} {decision.ask.prompt} – {words}", None
            self._play(decision.as_answers_file(raw))

    async def _decided(self, decision: Decision) -> tuple[Raw, str] | None:
        """Ask for the answer to try. Return the answer, which may be null, and its words; None if
        the player gives no answer."""
        title, prompt = f"{decision.rule} {decision.title}", decision.ask.prompt
        if decision.options:
            answers = [Reply(option, "", option.label) for option in decision.options]
            chosen = await self.app.push_screen_wait(ChoiceScreen(title, prompt, answers))
            return (chosen.value.raw, chosen.value.label) if chosen else None
        allowed = f"{prompt}\n{decision.ask.allowed_text}"
        typed = await self.app.push_screen_wait(PickScreen(title, allowed, ()))
        if typed is None:
            return None
        try:
            raw = decision.ask.parse(typed, self._seat)
            decision.ask.read(raw)
        except RefusedError as refused:
            self.app.show_warning(str(refused))
            return None
        return raw, answer_text(raw)

    async def action_leave(self) -> None:
        """Stop a forecast in progress; else leave the room."""
        if self.playing:
            self._stop.set()
        else:
            await super().action_leave()

    def selected_row_text(self) -> str | None:
        if self.first is None:
            return None
        return "\n".join(
            f"{counter_text(self.seen.view, id)}: {', '.join(map(chance_text, chances))}"
            for id, chances in self.first.counters.items()
        )


# --- figures --------------------------------------------------------------------------------------


def _figures(view: Campaign, first: Forecast, other: Forecast | None, width: int) -> Content:
    """Return the figures of both sides, their CVP on lines of one scale; with other choices, their
    figures below."""
    found = [(side, view.cvp(side), first.sides[side]) for side in SIDES]
    tried = [(side, now, other.sides[side]) for side, now, _ in found] if other else []
    spreads = [(now, spread["cvp"]) for _, now, spread in (*found, *tried)]
    ends = (
        min(min(now, spread.p10) for now, spread in spreads),
        max(max(now, spread.p90) for now, spread in spreads),
    )
    texts = [{what: short_spread(of[what]) for what in FIGURES} for _, _, of in (*found, *tried)]
    heads = FIGURES | {"cvp": "CVP (80% of runs)"}
    fits = {
        what: column_width_for([heads[what], *(text[what] for text in texts)]) for what in FIGURES
    }
    line = max(LEAST_LINE, width - 12 - sum(fits.values()) - 2)
    table = columns(
        Column(12),
        Column(fits["cvp"], heads["cvp"]),
        Column(line + 2, f"{ends[0]:<{line - len(str(ends[1]))}}{ends[1]}".replace(".0", "")),
        Column(fits["san"], FIGURES["san"]),
        Column(fits["squad_equivalents"], FIGURES["squad_equivalents"]),
    )
    lines = [table.headings()]
    for number, ((side, now, of), text) in enumerate(zip((*found, *tried), texts, strict=True)):
        who = (f"{SIGNS[side]} {side.label}", f"bold ${side}")
        drawn = (interval_bar(now, of["cvp"], ends, line), f"${side}")
        row = table.row(
            ("  what if", "dim") if number >= len(found) else who,
            *(text["cvp"], drawn, text["san"], text["squad_equivalents"]),
        )
        lines.insert(len(lines) if number < len(found) else 2 * (number - 1), row)
    return Content("\n").join(lines)


# --- counters -------------------------------------------------------------------------------------


def _chances(
    seen: CampaignSnapshot, first: Forecast, other: Forecast | None, width: int
) -> Content:
    """Return the differences made by other choices, and the risk of each counter, a column for each
    side if a width has room for them."""
    lines = []
    if other is not None:
        found = [*map(_difference, significant_differences(first, other))]
        head = Content.styled("Differences", "bold")
        lines += [head, *(found or [Content("No significant difference.")]), Content("")]
    rows = counters_by_risk(first, seen.view, seen.card)
    if not rows:
        return Content("\n").join([*lines, Content("No counter's fate depends on dice.")])
    parts = zip(STACKED.items(), COLORS, strict=True)
    signs = (f"[{color}]{sign}[/] {word}" for (word, sign), color in parts)
    lines += [Content.from_markup(f"[bold]By risk × CVP[/]   {'   '.join(signs)}")]
    parted = [[row for row in rows if row.side is side] for side in SIDES]
    if width < NARROW or not all(parted):
        parted = [rows]
    else:
        width, rest = width // 2, [row for row in rows if row.side is None]
        parted += [rest] if rest else []
    blocks = [[*_block(seen.view, each, width - 2)] for each in parted]
    return Content("\n").join([*lines, *side_by_side(blocks, width * len(parted[:2]))])


def _block(view: Campaign, rows: Sequence[CounterRisk], width: int) -> Iterator[Content]:
    """Yield a column of counters: the bar of each, the chance that it is lost, and its value if it
    is; its other possible fates in the same line, or in a separate one."""
    names = [_named(view, row) for row in rows]
    name = min(column_width_for(each.plain for each in names), width // 2)
    bar = max(0, min(LONGEST_BAR, width - name - RISK - WORTH))
    table = columns(
        Column(name), Column(bar), Column(RISK, "lost", True), Column(WORTH, "CVP", True)
    )
    yield table.headings()
    for row, called in zip(rows, names, strict=True):
        yield from _counter(table, row, called.truncate(name - 1, ellipsis=True), width)


def _counter(table: Columns, row: CounterRisk, name: Content, width: int) -> Iterator[Content]:
    drawn = zip(stacked_bar(row.risk, table.columns[1].width), COLORS, strict=True)
    bar = Content.assemble(*drawn)
    line = table.row(name, bar, (risk_text(row), "bold"), (str(row.worth or ""), "dim"))
    others = Content.styled("  " + _others(row), "dim")
    if line.cell_length + others.cell_length <= width:
        yield line + others
    else:
        yield line
        yield from hang_text(Content("  ") + others, width, 4).split("\n")


def _others(row: CounterRisk) -> str:
    """Return the other possible fates of a counter, and how it is lost if not eliminated."""
    how = "wreck" if "wreck" in row.risk.outcome else row.risk.outcome
    lost = "" if how in ("", "eliminated") else f"lost: {how}"
    chances = (
        f"{'' if each.is_exact else '~'}{percent_text(each.chance)} {each.outcome}"
        for each in row.others
    )
    return " · ".join(filter(None, (lost, *chances)))


def _named(view: Campaign, row: CounterRisk) -> Content:
    """Return a counter with the symbol of its side."""
    sign = (f"{SIGNS[row.side]} ", f"${row.side}") if row.side else "  "
    return Content.assemble(sign, (counter_text(view, row.id), "bold"))


def _difference(difference: Difference) -> Content:
    if difference.what in FIGURES:
        return Content(f"  {difference_text(difference)}")
    shares = f"{percent_text(difference.first):>6} → {percent_text(difference.second):<6}"
    return Content(f"  {shares} {difference.about} {difference.what}")
