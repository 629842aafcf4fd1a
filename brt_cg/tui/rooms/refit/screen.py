"""The Refit Phase, question by question: the steps, the selected question, the log."""

from collections.abc import Callable, Iterator
from typing import Any

from textual import events, getters, on, work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input

from brt_cg.card.rulings import Ruling
from brt_cg.journal.entries import Entry
from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from brt_cg.questions.answers import Raw
from brt_cg.questions.asks import Ask, Roll, Several
from brt_cg.questions.dice import AppDice, DiceSource
from brt_cg.service.desk import Desk
from brt_cg.storage.place import Place
from brt_cg.text import counted
from brt_cg.tui.answering import going_on
from brt_cg.tui.answering.answer_list import Answered
from brt_cg.tui.answering.question_panel import QuestionPanel
from brt_cg.tui.dialogs.choice import ChoiceScreen, Reply, is_sure
from brt_cg.tui.forms.importing import ImportingRoom
from brt_cg.tui.keys.actions import BY_ID, REFIT
from brt_cg.tui.lists.log import LogView, newest_outcome
from brt_cg.tui.look.fit import WIDE, is_low
from brt_cg.tui.look.lines import click
from brt_cg.tui.question.placing import setup_question
from brt_cg.tui.rooms.refit.steps_list import StepClicked, StepsLine, StepsList
from brt_cg.tui.session.campaign_app import SEAT
from brt_cg.tui.session.first_steps import stages
from brt_cg.tui.session.session import Seat, Seen
from brt_cg.tui.session.steps import Stand, Step, summary_beside
from brt_cg.views.rows import TITLES

THEIRS = "It is the {} side that is asked, and buys as long as it likes."
ROSTERS, BEGIN, STOP = "refit.rosters", "refit.begin", "refit.stop"
NEWEST = 8  # log lines that Why? offers beside the question


class RefitScreen(ImportingRoom):
    """The steps on the left, the question in the middle, the log on the right; on a narrow screen
    the steps are a line and the log is at the bottom. `dice` is the source of the app's dice."""

    PLACE = REFIT
    AUTO_FOCUS = ""  # the question itself decides what is focused
    # The question takes its room first.
    WIDTHS = ((0, "-narrow"), (116, "-normal"), (WIDE, "-wide"))
    POSSIBLE = {
        "roll": lambda room, seen: isinstance(seen.ask, Roll),
        "untype": lambda room, seen: bool(room.panel.faces),
        "begin": lambda room, seen: _begins(seen),
        "stop": lambda room, seen: room.can_stop() or room.has_class("-steps"),
        "go_on": lambda room, seen: _can_go(seen),
        "go_rest": lambda room, seen: seen.ask is not None and not seen.ask.buying,
        "go_all": lambda room, seen: _can_go(seen),
        "undo_run": lambda room, seen: seen.undo != "nothing",
        "form": lambda room, seen: seen.ends_scenario,
        "rosters": lambda room, seen: seen.view.situation.phase is Phase.SCENARIO,
        "import": (
            lambda room, seen: seen.ends_scenario or seen.view.situation.phase is Phase.PURCHASE
        ),
    }

    panel = getters.query_one(QuestionPanel)
    dice: DiceSource = AppDice()
    _has_typed = False  # typed dice, with the newest key
    _before: tuple[Place, Seat, int] | None = None  # the outcome shown, by its newest line

    def room(self) -> ComposeResult:
        yield StepsLine(id="steps_line")
        yield StepsList(id="steps", classes="panel")
        yield QuestionPanel(id="question", classes="panel")
        yield LogView(id="log", classes="panel")

    def on_mount(self) -> None:
        self.query_one("#log").border_title = "Log of this phase"

    # --- showing --------------------------------------------------------------------------------

    def show(self, seen: Seen) -> None:
        self.query_one(StepsLine).show(seen.steps)
        self.query_one(StepsList).show(seen.steps)
        started = max(
            (at for at, line in enumerate(seen.log) if line.title == TITLES["import"]), default=-1
        )
        lines = [line for line in seen.log[started + 1 :] if not line.travels]
        self.query_one(LogView).show(lines)
        self.panel.tell_doing(self._doing(seen))
        if seen.ask is not None:
            step = self._step(seen)
            title = f"{step.number} {step.title}" if step else seen.ask.rule
            summary = summary_beside(step.summary, seen.ask.rule, is_low(self)) if step else ""
            self.panel.show_ask(seen, seen.ask, title, summary, not self._is_theirs(seen))
        else:
            self.panel.show_words(*_words(seen))
            self.set_focus(None)
        self._show_outcome(seen)
        self.refresh_bindings()

    def arrive(self) -> None:
        self.panel.answers.catch_up()

    def _show_outcome(self, seen: Seen) -> None:
        """Shows the result of the dice rolled for the last answer, until the next one."""
        newest = max((line.seq for line in seen.log), default=0)
        before, self._before = self._before, (seen.path, seen.seat, newest)
        if before != self._before:
            goes_on = before is not None and before[:2] == (seen.path, seen.seat)
            since = before[2] if before is not None and goes_on else newest
            self.panel.show_outcome(newest_outcome(seen.log, since))

    def _is_theirs(self, seen: Seen) -> bool:
        """Whether the open decision is the enemy's, who has a screen of his own."""
        ask = seen.ask
        theirs = ask is not None and seen.seat is ask.side.enemy and not isinstance(ask, Roll)
        return theirs and not self.app.may(SEAT)

    def _step(self, seen: Seen) -> Step | None:
        return next((step for step in seen.steps if step.stand.is_current), None)

    def _doing(self, seen: Seen) -> Content:
        """The possible actions, each with its key, to press or click."""
        if self.app.session.busy:
            return Content.from_markup("[bold $accent]Playing…[/] [bold]Esc[/] to stop")
        if self._is_theirs(seen) or (seen.waiting and not self.app.may(SEAT)):
            return Content.styled(
                "This screen goes on by itself when the other side has decided.", "dim"
            )
        if seen.waiting:
            return self._button(SEAT, "Hand over the seat")
        parts = self._to_go_on(seen) if seen.ask is None else self._to_answer(seen, seen.ask)
        return Content("   ").join(parts)

    def _to_answer(self, seen: Seen, ask: Ask[Any]) -> list[Content]:
        """The ways to answer a question."""
        if isinstance(ask, Roll):
            dice = "the die" if ask.table.dice == "dr" else "the dice, coloured first"
            ready = f"\n{counted(seen.queued, 'answer')} given in advance"
            beside = Content.styled(f"  or type {dice}" + (ready if seen.queued else ""), "dim")
            return [Content.assemble(self._button("refit.roll", "Roll"), beside)]
        many = isinstance(ask, Several) or seen.listed is not None
        further = "   Home, Enter: go on" if many else ""
        keys = Content.styled(f"↑↓ choose   Enter: answer{further}", "dim")
        if setup_question(ask):
            return [self._button("everywhere.setup", "The Setup room"), keys]
        if ask.buying:
            return [self._button("everywhere.purchases", "Buy"), keys]
        if ask.is_decision:
            return [keys]
        return [keys, self._button("refit.go_on", "Go on to the next decision")]

    def _to_go_on(self, seen: Seen) -> list[Content]:
        """The ways to go on while there is no question."""
        if seen.ends_scenario:
            form = self._button("refit.form", "Fill in its end")
            rosters = [self._button(ROSTERS, "Print rosters")] if self.app.may(ROSTERS) else []
            return [form, self._button("refit.import", "Import its end"), *rosters]
        if seen.upcoming is None:
            return []
        what = f"{seen.upcoming.number} {seen.upcoming.title}"
        begin = self._button("refit.begin", f"Begin {'without it' if seen.half else what}")
        buys = seen.view.situation.phase is Phase.PURCHASE
        return [self._button("everywhere.purchases", "Buy"), begin] if buys else [begin]

    def _button(self, id: str, label: str) -> Content:
        """An action with its key, to click."""
        key = (f" {self.app.key(id)} ", "reverse bold")
        return Content.assemble(key, (f" {label} ", "bold")).stylize(click(BY_ID[id].clicked))

    # --- what can be done -----------------------------------------------------------------------

    def action_roll(self) -> None:
        ask = self.seen.ask
        if isinstance(ask, Roll) and self.panel.faces:
            text = "You have typed one die: type the other too, or delete it with Backspace."
            self.app.say(text)
        elif isinstance(ask, Roll):
            dice = self.dice
            self.app.perform(lambda desk: going_on.roll(desk, ask, dice))

    def action_begin(self) -> None:
        """Begins the next paragraph; rolls the dice that are asked for."""
        if self.seen.ask is None:
            self._play_on(lambda desk: desk.begin())
        elif self.panel.is_refused:
            self.panel.refuse("")  # after a mistyped die, it must not roll another
        elif not self.panel.faces:
            self.action_roll()

    def _play_on(self, work: Callable[[Any], Any]) -> None:
        """Does work at the desk that may begin the Refit Phase, or the first setup."""
        missing = _missing(self.seen)
        if missing:
            self._begin_without(missing, work)
        else:
            self.app.perform(work)

    @work(group="begin", exclusive=True, description="begin without something")
    async def _begin_without(self, missing: str, work: Callable[[Any], Any]) -> None:
        if await is_sure(self.app, "Begin without it?", missing, "b", "begin anyway"):
            self.app.perform(work)

    def action_go_on(self) -> None:
        ask, dice = self.seen.ask, self.dice
        if ask is not None and ask.is_decision and self._is_theirs(self.seen):
            self.app.say("The other side decides this.")
        elif ask is not None and ask.is_decision:
            rest = f"{self.app.key('refit.go_rest')} takes the defaults of this whole paragraph"
            self.app.say(f"A decision is open: Enter takes its default, {rest}.")
        else:
            at_table = self.seen.at_table
            self._play_on(lambda desk: going_on.to_decision(desk, dice, at_table))

    def action_go_rest(self) -> None:
        dice, seat, at_table = self.dice, self.seen.seat, self.seen.at_table
        self.app.perform(
            self._from_here(lambda desk: going_on.to_end_of_paragraph(desk, dice, seat, at_table))
        )

    def _from_here(self, play_on: Callable[[Desk], Iterator[Entry]]) -> Callable[[Desk], Any]:
        """Makes a function that plays on automatically after entering what was given for the
        question's items."""
        answers = self.panel.answers.answers

        def work(desk: Desk) -> Iterator[Entry]:
            rest = play_on(desk)
            if answers is not None and answers.given:
                going_on.answer(desk, answers.ask, answers.given)
            yield from rest

        return work

    @work(group="go_all", exclusive=True)
    async def action_go_all(self) -> None:
        seen, dice = self.seen, self.dice
        chosen = await self.app.push_screen_wait(_play_the_rest(seen))
        if chosen is not None and chosen.value:
            who = seen.seat, seen.at_table
            self._play_on(self._from_here(lambda desk: going_on.to_end(desk, dice, *who)))

    @work(group="undo", exclusive=True)
    async def action_undo_run(self) -> None:
        await going_on.undo(self.app, whole_call=True)

    def action_rosters(self) -> None:
        if not self.app.hides(self.action_rosters):
            self._write_rosters()

    @work(group="rosters", exclusive=True, description="write the rosters")
    async def _write_rosters(self) -> None:
        from brt_cg.tui.forms.rosters import write_rosters

        await write_rosters(self.app, self.seen)

    def action_steps(self) -> None:
        showing = not self.has_class("-steps")
        self.set_class(showing, "-steps")
        self.query_one(StepsList).take_keys(showing)
        if not showing:
            choices = self.query_one("#choices")
            self.set_focus(choices if choices.display else None)

    @on(StepClicked)
    def _step_clicked(self, event: StepClicked) -> None:
        if not self.has_class("-steps"):
            self.action_steps()
        self.query_one(StepsList).go_to(event.at)

    def action_log_up(self) -> None:
        self.query_one(LogView).scroll_page_up(animate=False)

    def action_log_down(self) -> None:
        self.query_one(LogView).scroll_page_down(animate=False)

    def on_key(self, event: events.Key) -> None:
        """Types a die, or the first digit of an entry."""
        if isinstance(self.focused, Input):
            return
        has_typed, self._has_typed = self._has_typed, False
        if has_typed and self.app.has_key(event.key, BEGIN, "lists.select"):
            event.stop()  # habit: it would roll the next die, or take a default
            self.app.say("Typed dice need no Enter. Press it again to go on.")
        elif event.character is not None and event.character in "0123456789":
            event.stop()
            self.panel.type_digit(int(event.character))

    def action_untype(self) -> None:
        self.panel.untype()

    def action_stop(self) -> None:
        """Stops what is being played; else closes the list of steps."""
        if self.app.session.busy:
            self.app.session.stop()
        else:
            self.action_steps()

    @on(Answered)
    def _answered(self, event: Answered) -> None:
        ask, raw = event.ask, event.raw
        self._has_typed = isinstance(ask, Roll)
        step, theirs = self._step(self.seen), self.seen.seat is ask.side.enemy
        note = THEIRS.format(ask.side.label) if theirs else step.note if step else ""
        if ask.buying and note:
            self._done_in_spite_of(note, ask, raw)
        else:
            self._answer(ask, raw)

    def _answer(self, ask: Ask[Any], raw: Raw) -> None:
        self.app.perform(lambda desk: going_on.answer(desk, ask, raw), refused=self.panel.refuse)

    @work(group="done", exclusive=True, description="done in spite of something")
    async def _done_in_spite_of(self, note: str, ask: Ask[Any], raw: Raw) -> None:
        """Asks first whether the side is done in spite of its drafts, or is the enemy's to say."""
        title = f"{ask.side.label}: done with purchases?"
        if await is_sure(self.app, title, note.strip(), "d", "done anyway"):
            self._answer(ask, raw)

    def can_stop(self) -> bool:
        return self.app.session.busy

    def is_unseen(self, key: events.Key) -> bool:
        if self.seen.ask is None or self.panel.drawn.was_before(key.time):
            return False
        found = self.active_bindings.get(key.key)
        action = BY_ID.get(found.binding.id or "") if found is not None else None
        # A key of no action begins an entry, picks from the list, or moves in it.
        return not self.app.has_key(key.key, STOP) and (action is None or action.answers)

    def can_point(self) -> bool:
        return self.panel.answers.can_point()

    def point(self) -> None:
        self.panel.answers.point()

    def row_text(self) -> str | None:
        ask, log = self.seen.ask, self.seen.log
        if ask is not None:
            return f"{ask.rule} {ask.prompt}"
        return log[-1].text if log else None

    def why(self) -> tuple[str, ...]:
        """The counter and the paragraph of the question, its rulings, the newest lines of the
        log."""
        seen, step = self.seen, self._step(self.seen)
        if step is None:
            return ()
        counter = [seen.ask.counter] if seen.ask is not None and seen.ask.counter else []
        rulings = (ruling.id for ruling in _rulings_of(seen, step.number))
        newest = dict.fromkeys(f"entry {line.seq}" for line in reversed(seen.log[-NEWEST:]))
        return (*counter, step.number, *rulings, *newest, "")

    def about(self) -> tuple[str, str] | None:
        seen, step = self.seen, self._step(self.seen)
        if step is None:
            return None
        rulings = (
            f"{ruling.id}: {ruling.question} Now: {ruling.worded(seen.view.ruling(ruling.id))}."
            for ruling in _rulings_of(seen, step.number)
        )
        return f"{step.number} {step.title}", "\n\n".join([step.summary, *rulings])


def _missing(seen: Seen) -> str:
    """What is missing before the Refit Phase, or the first setup, begins, or lost by that."""
    situation = seen.view.situation
    if seen.half is not None:
        return (
            f"The {seen.half.label} half of the end of {situation.date} has not been entered yet. "
            "Once the Refit Phase has begun, it is too late."
        )
    if situation.phase is not Phase.PURCHASE:
        return ""
    found = [f"{stage.todo} ({stage.missing})." for stage in stages(seen) if stage.missing]
    if seen.seat is not None:
        enemy = seen.seat.enemy.label
        found.append(f"The {enemy} side can then buy no more for the first scenario.")
    return "\n".join(found)


def _rulings_of(seen: Seen, rule: str) -> list[Ruling]:
    """The rulings about a paragraph."""
    return [ruling for ruling in seen.card.rulings.values() if str(ruling.rule) == rule]


def _words(seen: Seen) -> tuple[str, str, Side | None]:
    """The page shown when there is no question: title, words, and the side that must act."""
    situation = seen.view.situation
    if seen.waiting and seen.seat is not None:
        enemy = seen.seat.enemy
        return (
            "A decision of the other side",
            f"The {enemy.label} player decides in private. "
            "The question, and the counter it is about, are not shown here.",
            enemy,
        )
    if situation.phase is Phase.SCENARIO:
        facts = [f"{situation.first_move.label} moves first"] if situation.first_move else []
        facts += [f"{situation.turns} turns"] if situation.turns else []
        return (
            f"The scenario of {situation.date}",
            f"{': '.join(filter(None, ('Play it on the map', ', '.join(facts))))}.\n\n"
            "After its last turn, fill in its end counter by counter, or import it from a file; "
            "then the Refit Phase begins.",
            None,
        )
    if situation.phase is Phase.OVER:
        won = f"The {situation.victor.label} side has won." if situation.victor else ""
        return "The campaign is over", won, situation.victor
    if situation.phase is Phase.PURCHASE:
        return (
            "Before the first scenario",
            "Make purchases now. When both sides have bought what they want, the setup begins. You "
            "can also import a campaign that is already under way on the table.",
            None,
        )
    if seen.half is not None:
        return (
            f"The end of {situation.date}",
            f"The {seen.half.label} half of it must be entered before the Refit Phase begins.",
            seen.half,
        )
    if seen.upcoming is not None:
        return f"{seen.upcoming.number} {seen.upcoming.title}", seen.upcoming.summary, None
    return "The Refit Phase", "There is no question now.", None


def _play_the_rest(seen: Seen) -> ChoiceScreen[bool]:
    """The question before playing to the end, with what that does."""
    ahead = sum(step.stand not in (Stand.DONE, Stand.SKIPPED) for step in seen.steps)
    stops = f" It stops where the {seen.seat.enemy.label} side decides." if seen.seat else ""
    stops = " It stops where a side decides in private." if seen.at_table else stops
    words = (
        f"The app plays the remaining {counted(ahead, 'paragraph')}: it rolls all dice and gives "
        f"every choice that is not ticked its default; Melees end, nobody buys.{stops}\n\n"
        "The log shows everything. Undo takes back one answer at a time, Undo run all of it at "
        "once."
    )
    answers = (Reply(True, "p", "play it"), Reply(False, "n", "not now"))
    return ChoiceScreen("Play the rest of the Refit Phase", words, answers)


def _begins(seen: Seen) -> bool:
    """Whether a paragraph can begin, or dice can be rolled."""
    return isinstance(seen.ask, Roll) or (seen.ask is None and seen.upcoming is not None)


def _can_go(seen: Seen) -> bool:
    return seen.ask is not None or seen.upcoming is not None
