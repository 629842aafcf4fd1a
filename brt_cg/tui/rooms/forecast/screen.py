"""Forecast: the expected results of the coming Refit Phase, and the effect of other choices."""

import secrets
from threading import Event
from time import monotonic
from typing import Any

from textual import work
from textual.app import ComposeResult
from textual.content import Content
from textual.worker import get_current_worker

from brt_cg.forecast import MOST
from brt_cg.forecast.cores import count_runs, count_until_settled
from brt_cg.forecast.outcomes import (
    Chance,
    Difference,
    Forecast,
    differences,
    outcome_of,
    worth_knowing,
)
from brt_cg.forecast.runs import Decision, decisions
from brt_cg.forecast.start import Start, start_of
from brt_cg.forecast.telling import (
    FIGURES,
    bar,
    chance_text,
    counter_text,
    difference_text,
    figure,
    percent,
    spread_text,
)
from brt_cg.model.campaign import Campaign
from brt_cg.questions.answers import Raw, Refused, in_words
from brt_cg.tui.dialogs.choice import ChoiceScreen, Reply
from brt_cg.tui.dialogs.pick import PickScreen
from brt_cg.tui.frame.room import Room
from brt_cg.tui.keys.actions import FORECAST
from brt_cg.tui.lists.panes import ReadingPane
from brt_cg.tui.look.columns import by_twos, columns, longest
from brt_cg.tui.look.lines import Lines, Static
from brt_cg.tui.look.signs import SIGNS
from brt_cg.tui.session.session import Seat, Seen

SHOWN_EACH = 0.5  # seconds between two pictures of a forecast in progress

RANGE = "in brackets: the range that the chance is in, 95% sure"
FEW = 3  # counters that come first, as most worth knowing


class ForecastScreen(Room):
    """Its progress; the figures of both sides; the chances of each counter as bars. With other
    choices a second forecast is beside the first, on the same dice."""

    PLACE = FORECAST
    AUTO_FOCUS = "#chances"

    first: Forecast | None = None
    other: Forecast | None = None
    what_if = ""
    playing = False
    _is_last = False  # whether the one shown is the last one, while another is played
    _seat: Seat = None
    _began_with: Seen | None = None
    _seed = ""
    _stop = Event()  # of the forecast in progress

    def room(self) -> ComposeResult:
        yield Static(id="course")
        yield Lines(id="figures")
        yield ReadingPane(Lines(id="each"), id="chances")

    # --- playing --------------------------------------------------------------------------------

    def go_to(self, subject: str) -> None:
        """Plays the coming phase, unless it has been played."""
        if self.is_open and not self.playing and self.is_stale(self.seen):
            self.action_again()

    def is_stale(self, seen: Seen) -> bool:
        """Whether the forecast shown is of an earlier state of the campaign."""
        began = self._began_with
        return self.first is None or began is None or seen.view != began.view

    def show(self, seen: Seen) -> None:
        if seen.seat is not self._seat:
            # The forecast shown may be the previous seat's secret.
            self._stop.set()
            self._seat = seen.seat
            self.first = self.other = None
        self._update()

    def action_again(self) -> None:
        """Plays with the default choices."""
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
        # The last forecast stays in sight until there is something of the new one.
        self._began_with, self.playing = self.seen, True
        self._is_last = choices is None and self.first is not None
        self._update()
        self._count(start, seat, stop, choices is not None)

    async def _start(self, choices: dict[str, Any] | None) -> Start | None:
        seed = self._seed
        try:
            return await self.app.session.consult(lambda desk: start_of(desk, seed, choices))
        except Refused as refused:
            self.query_one("#course", Static).update(Content(str(refused)))
            return None

    @work(group="counting", thread=True, description="count")
    def _count(self, start: Start, seat: Seat, stop: Event, is_other: bool) -> None:
        """Plays in a thread of its own until it is stopped."""
        self.app.let_keys_pass()
        worker = get_current_worker()
        runs = self.first.runs if is_other and self.first is not None else None
        played = count_until_settled(start, MOST) if runs is None else count_runs(start, runs)
        counted, shown = None, 0.0
        try:
            for counted in played:
                if stop.is_set() or worker.is_cancelled:
                    break
                if monotonic() - shown > SHOWN_EACH:
                    self._give(outcome_of(start, seat, counted), stop, is_other)
                    shown = monotonic()
            if counted is not None:
                self._give(outcome_of(start, seat, counted), stop, is_other)
        except Refused as refused:
            self.app.call_from_thread(self.app.warn, str(refused))
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
        first, other, view = self.first, self.other, self.seen.view
        self.query_one("#course", Static).update(self._course())
        self.query_one("#figures", Lines).write_by(
            lambda room: _figures(first, other, room.width) if first else Content()
        )
        self.query_one("#each", Lines).write_by(
            lambda room: _chances(view, first, other, room.width) if first else Content()
        )
        self.refresh_bindings()

    def _course(self) -> Content:
        newest = self.other or self.first
        if newest is None:
            words = "Playing the coming Refit Phase…" if self.playing else "Enter plays it."
            return Content(words)
        text = f"{newest.date} · {newest.runs} Refit Phases played"
        if self._is_last and self.playing:
            text = f"Playing again… Below is the last forecast: {text}"
        elif self.playing:
            text += " · Esc stops"
        elif self.is_stale(self.seen):
            text += " · the campaign has changed since: Enter plays again"
        if self.what_if:
            text += f"\nWhat if: {self.what_if}. Each line shows the default → what if."
        return Content(text)

    # --- what if, leaving, help -----------------------------------------------------------------

    @work(group="what if", exclusive=True)
    async def action_what_if(self) -> None:
        seat, start = self._seat, await self._start(None)
        if start is None or self.first is None:
            return
        answers = [
            Reply(decision, "", f"{decision.rule}  {decision.ask.prompt}")
            for decision in decisions(start)
        ]
        words = "Choose a decision to make differently from the default."
        chosen = await self.app.push_screen_wait(ChoiceScreen("What if…", words, answers))
        if chosen is None:
            return
        decision, tried = chosen.value, await self._decided(chosen.value)
        if tried is not None and self._seat is seat:
            raw, words = tried
            self.what_if, self.other = f"{decision.rule} {decision.ask.prompt} – {words}", None
            self._play(decision.choices(raw))

    async def _decided(self, decision: Decision) -> tuple[Raw, str] | None:
        """The answer to try, which may be null, and its words. None for no answer."""
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
        except Refused as refused:
            self.app.warn(str(refused))
            return None
        return raw, in_words(raw)

    async def action_leave(self) -> None:
        """Stops a forecast in progress; else leaves the room."""
        if self.playing:
            self._stop.set()
        else:
            await super().action_leave()

    def row_text(self) -> str | None:
        if self.first is None:
            return None
        return "\n".join(
            f"{counter_text(self.seen.view, id)}: {', '.join(map(chance_text, chances))}"
            for id, chances in self.first.counters.items()
        )


def _figures(first: Forecast, other: Forecast | None, width: int) -> Content:
    """The figures of both sides, side by side if there is room; with other choices, each has its
    default before it."""
    blocks = []
    for side, spreads in first.sides.items():
        lines = [Content.styled(f"{SIGNS[side]} {side.label}", f"bold ${side}")]
        for what, spread in spreads.items():
            text = spread_text(spread)
            if other is not None:
                text = f"{figure(spread.mean)} → {spread_text(other.sides[side][what])}"
            lines.append(Content(f"  {FIGURES[what]:<18} {text}"))
        blocks.append(lines)
    return Content("\n").join(by_twos(blocks, width))


def _chances(view: Campaign, first: Forecast, other: Forecast | None, width: int) -> Content:
    """What would be different with other choices, and the chances of each counter, two counters
    side by side where a width has room for them."""
    lines = []
    if other is not None:
        found = [*map(_difference, differences(first, other))]
        head = Content.styled("What would be different", "bold")
        lines += [head, *(found or [Content("Nothing differs by more than chance.")]), Content("")]
    if other is None and len(first.counters) > FEW:
        lines.append(Content.styled("Least certain", "bold"))
        worth = worth_knowing(first, view)[:FEW]
        names = {id: _named(view, id, "") for id, _ in worth}
        table = columns(2, longest(name.plain for name in names.values()))
        for id, chance in sorted(worth, key=lambda pair: -pair[1].chance):
            lines.append(table.row("", names[id], _line(chance)))
        head = Content.styled("Counter by counter", "bold")
        lines += [Content(""), Content.assemble(head, (f"  ({RANGE})", "dim")), Content("")]
    counters = (
        [_named(view, id, "bold"), *map(_line, chances)] for id, chances in first.counters.items()
    )
    lines += by_twos(counters, width)
    if not first.counters:
        lines.append(Content("No counter's fate depends on dice."))
    return Content("\n").join(lines)


def _named(view: Campaign, id: str, style: str) -> Content:
    """A counter with the sign of its side."""
    counter = view.find(id)
    side = counter.side if counter is not None else None
    sign = (f"{SIGNS[side]} ", f"${side}") if side else ""
    return Content.assemble(sign, (counter_text(view, id), style))


def _line(chance: Chance) -> Content:
    return Content.assemble("  ", (bar(chance.chance), "$secondary"), " ", chance_text(chance))


def _difference(difference: Difference) -> Content:
    if difference.what in FIGURES:
        return Content(f"  {difference_text(difference)}")
    bars = f"{bar(difference.first, 10)} → {bar(difference.second, 10)}"
    shares = f"{percent(difference.first):>6} → {percent(difference.second):<6}"
    return Content.assemble(
        "  ", (bars, "$secondary"), f" {shares} {difference.about} {difference.what}"
    )
