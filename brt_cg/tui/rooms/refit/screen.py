"""The Refit Phase, question by question: the steps, the selected question, the log."""

from collections.abc import Callable
from typing import Any

from textual import events, getters, on, work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input

from brt_cg.forecast.trial_run import RemainingQuestions, count_remaining_questions
from brt_cg.model import Phase
from brt_cg.questions import AppDice, Dice, DiceSource, Question
from brt_cg.service import shown_actions
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.setup_answers import as_setup_question
from brt_cg.text import count_text
from brt_cg.tui.answering import playback
from brt_cg.tui.answering.answer_list import Answered, Done, GivenSoFar
from brt_cg.tui.answering.question_panel import QuestionPanel
from brt_cg.tui.dialogs.choice import confirm
from brt_cg.tui.forms.import_action import import_in_room
from brt_cg.tui.frame.room import Room
from brt_cg.tui.keys.actions import BY_ID, REFIT
from brt_cg.tui.lists.log import LogView
from brt_cg.tui.look.lines import click_style
from brt_cg.tui.look.screen_size import is_screen_low
from brt_cg.tui.question.picking import AnswerRows
from brt_cg.tui.rooms.refit.steps_list import StepClicked, StepsLine, StepsList
from brt_cg.tui.rooms.refit.wording import (
    can_agree_rulings_before_refit,
    fit_summary,
    how_far_dialog,
    is_begin_key_enabled,
    is_continue_key_enabled,
    missing_before_begin_text,
    no_question_page,
    rulings_about,
    unfinished_lines,
)
from brt_cg.tui.session.campaign_app import SEAT
from brt_cg.tui.session.session import CampaignSnapshot
from brt_cg.views.journal_rows import TITLES
from brt_cg.views.mismatch import ShownMismatch
from brt_cg.views.question_name import QuestionName
from brt_cg.views.rights import is_for_both
from brt_cg.views.steps import Step

ROSTERS, BEGIN, STOP, DONE = "refit.rosters", "refit.begin", "refit.stop", "refit.done"
RULE, MAIL = "refit.rule", "everywhere.mail"
UNDO, REDO, EXPORT = "everywhere.undo", "everywhere.redo", "everywhere.export"
NEWEST = 8  # log lines that Why? offers beside the question


class RefitScreen(Room):
    """The question, with the log beside it, or below it on a narrow screen; the steps are a line
    above them, or a list on the left of a wide screen. `dice` is the source of the program's
    dice."""

    PLACE = REFIT
    AUTO_FOCUS = ""  # the question itself decides what gets the focus
    # The question takes its room first, then the log, then the steps their whole titles.
    WIDTHS = ((0, "-narrow"), (116, "-normal"), (190, "-wide"))
    POSSIBLE = {
        "roll": lambda room, seen: seen.ask is not None and seen.ask.dice is not None,
        "untype": lambda room, seen: bool(room.panel.faces),
        "begin": lambda room, seen: is_begin_key_enabled(seen),
        "stop": lambda room, seen: room.has_work_to_stop() or room.has_class("-steps"),
        "go_on": lambda room, seen: is_continue_key_enabled(seen),
        "rule": lambda room, seen: seen.ask is not None,
        "done": lambda room, seen: room.can_finish_with_default(seen),
        "undo_run": lambda room, seen: seen.undo != "nothing",
        "go_back": lambda room, seen: seen.undo != "nothing",
        "form": lambda room, seen: room.can_enter_scenario_end(seen),
        "rosters": lambda room, seen: seen.view.situation.phase is Phase.SCENARIO,
        "import": (
            lambda room, seen: (
                seen.can_report_scenario_end or seen.view.situation.phase is Phase.PURCHASE
            )
        ),
    }

    panel = getters.query_one(QuestionPanel)
    dice: DiceSource = AppDice()
    _has_typed = False  # whether the newest key typed a die
    _reading = ""  # the paragraph whose summary is shown, or folded
    _asked: QuestionName | None = None  # its newest question
    _folds = False
    _due = ""  # the paragraph to begin as soon as the room is open

    def compose_contents(self) -> ComposeResult:
        yield StepsLine(id="steps_line")
        yield StepsList(id="steps", classes="panel")
        yield QuestionPanel(id="question", classes="panel")
        yield LogView(id="log", classes="panel")

    def on_mount(self) -> None:
        self.query_one("#log").border_title = "Log of this phase"

    # --- showing --------------------------------------------------------------------------------

    def clear_shown_and_typed(self) -> None:
        """Drop the text typed for the question."""
        self.panel.forget_question()

    def show_snapshot(self, seen: CampaignSnapshot) -> None:
        self.query_one(StepsLine).show(seen.steps)
        self.query_one(StepsList).show(seen.steps)
        started = max(
            (at for at, line in enumerate(seen.log) if line.title == TITLES["import"]), default=-1
        )
        lines = [line for line in seen.log[started + 1 :] if not line.is_undo_report]
        self.query_one(LogView).show(lines)
        if seen.ask is not None:
            step = self._step(seen)
            title = f"{step.number} {step.title}" if step else seen.ask.rule
            summary = self._summary(step, seen.ask) if step else ""
            self.panel.show_question(seen, seen.ask, title, summary, not self._is_theirs(seen))
        else:
            title, words, side = no_question_page(seen)
            self.panel.show_text_instead(title, "\n\n".join((words, *seen.reminders)), side)
            self.set_focus(None)
        self.panel.show_actions(self._doing(seen))
        self.panel.show_outcome(seen.rolled)
        self.refresh_bindings()

    def _summary(self, step: Step, ask: Question[Any]) -> str:
        """Return the summary of a paragraph next to its first question. Once that is answered, the
        summary counts as read, and only its note and the key that unfolds it are shown, also in
        later phases."""
        if self._reading != step.number:
            self._reading, self._folds = step.number, step.number in self.app.memory.rules
        elif self.seen.asked != self._asked:
            self._folds = True
            if step.number not in self.app.memory.rules:
                self.app.memory.note_read(step.number)
        self._asked = self.seen.asked
        if self._folds:
            return f"{step.note}{self.app.key_text(RULE)}: the rule in short"
        return fit_summary(step.summary, ask.rule, is_screen_low(self))

    def action_rule(self) -> None:
        """Unfold the summary of the paragraph, or fold it."""
        self._folds = not self._folds
        self.show_snapshot(self.seen)

    def go_to(self, number: str) -> None:
        """Begin the paragraph that is due, if it has that number."""
        self._due = number
        if self.shows_contents:
            self.after_catch_up()

    def after_catch_up(self) -> None:
        due, self._due = self._due, ""
        upcoming = self.seen.upcoming
        if due and self.seen.ask is None and upcoming is not None and upcoming.number == due:
            self.action_begin()
        self.panel.answers.show_setup_room_answers()

    def _is_theirs(self, seen: CampaignSnapshot) -> bool:
        """Whether the open decision belongs to the opponent, who has another screen, or may not be
        answered from this seat."""
        ask = seen.ask
        if ask is None or seen.seat is not ask.side.enemy:
            return False
        return not (is_for_both(ask) if self.app.is_action_allowed(SEAT) else ask.dice)

    def can_finish_with_default(self, seen: CampaignSnapshot) -> bool:
        """Whether the rest of the open question can be left at its default here."""
        ask = seen.listed or seen.ask
        ends = ask is not None and (ask.default_forgoes_acting or ask.as_multi_question is not None)
        return ends and not self._is_theirs(seen)

    def _step(self, seen: CampaignSnapshot) -> Step | None:
        return next((step for step in seen.steps if step.stand.is_now_or_next), None)

    def _doing(self, seen: CampaignSnapshot) -> Content:
        """Return the possible actions, each with the key to press or click."""
        if self.app.session.busy:
            return Content.from_markup("[bold $accent]Playing…[/] [bold]Esc[/] to stop")
        if seen.side_behind_curtain is not None:
            return Content()
        if seen.mismatch is not None:
            return self._out_of(seen.mismatch)
        if self._is_theirs(seen) or seen.waiting:
            return self._to_hand_over(seen)
        parts = self._to_go_on(seen) if seen.ask is None else self._to_answer(seen, seen.ask)
        doing = Content("   ").join(parts)
        step = self._first_step(seen)
        return Content("\n").join(filter(None, [doing, Content.styled(step, "$accent")]))

    def _first_step(self, seen: CampaignSnapshot) -> str:
        """Return the demo's line for the open question, if this is its first of the kind."""
        steps, ask = self.app.first_steps, seen.listed or seen.ask
        if steps is None or ask is None or steps[0] != seen.path:
            return ""
        return self.app.fill_in_keys(steps[1].line_for(ask, seen.asked))

    def _out_of(self, mismatch: ShownMismatch) -> Content:
        """Return the ways out of a paragraph that cannot continue."""
        ids = {self.app.key_text(id): id for id in (UNDO, REDO)}
        parts = []
        for way in mismatch.ways_out(*ids):
            key, colon, label = way.partition(": ")
            button = f"{label[:1].upper()}{label[1:]}"
            parts.append(self._button(ids[key], button) if colon else Content.styled(way, "dim"))
        return Content("\n").join(parts)

    def _tells_it_cannot_continue(self) -> bool:
        """Tell the player, with the ways out, if the paragraph in progress cannot continue; return
        whether that is so."""
        mismatch = self.seen.mismatch
        if mismatch is not None:
            ways = mismatch.ways_out(self.app.key_text(UNDO), self.app.key_text(REDO))
            self.app.show_notice("\n".join([f"{mismatch.title}.", *ways]))
        return mismatch is not None

    def _to_hand_over(self, seen: CampaignSnapshot) -> Content:
        """Return the possible actions while only the opponent can continue."""
        if self.app.is_played_by_mail(seen):
            return self._button(MAIL, "Send your news, or receive your opponent's")
        if self.app.is_action_allowed(SEAT):
            return self._button(SEAT, "Hand over the seat")
        return Content.styled(
            "This screen continues by itself when your opponent has decided.", "dim"
        )

    def _to_answer(self, seen: CampaignSnapshot, ask: Question[Any]) -> list[Content]:
        """Return the ways to answer a question."""
        if ask.dice:
            dice = "the die" if ask.dice is Dice.ONE else "the dice, colored first"
            beside = Content.styled(f"  or type {dice}{_ready_text(seen)}", "dim")
            return [Content.assemble(self._button("refit.roll", "Roll"), beside)]
        answers = self.panel.answers
        shows = ask.buying or (answers.answers is not None and answers.answers.given)
        done = (
            [self._button(DONE, answers.rest_default_text)] if shows else []
        )  # its row may be out of sight
        if as_setup_question(ask):
            return [self._button("everywhere.setup", "The Setup room"), *done]
        if ask.buying:
            return [self._button("everywhere.purchases", "Buy"), *done]
        if ask.is_decision:
            return done
        return [self._button("refit.go_on", "Continue to the next decision")]

    def _to_go_on(self, seen: CampaignSnapshot) -> list[Content]:
        """Return the ways to continue while there is no question."""
        if seen.can_report_scenario_end:
            form = self._button("refit.form", "Enter its end")
            rosters = (
                [self._button(ROSTERS, "Print rosters, sheets")]
                if self.app.is_action_allowed(ROSTERS)
                else []
            )
            return [form, self._button("refit.import", "Import its end"), *rosters]
        if seen.upcoming is None:
            return []
        what = f"{seen.upcoming.number} {seen.upcoming.title}"
        begin = self._button("refit.begin", f"Begin {'without it' if seen.half else what}")
        if seen.view.situation.phase is Phase.PURCHASE:
            return [self._button("everywhere.purchases", "Buy"), begin]
        if seen.half is None:
            return [begin]
        enter = self._button("refit.form", f"Enter the {seen.half.label} half")
        return [enter if self.can_enter_scenario_end(seen) else self._to_hand_over(seen), begin]

    def _button(self, id: str, label: str) -> Content:
        """Return an action with its key, as text to click."""
        key = (f" {self.app.key_text(id)} ", "reverse bold")
        return Content.assemble(key, (f" {label} ", "bold")).stylize(
            click_style(BY_ID[id].click_action)
        )

    # --- the possible actions -------------------------------------------------------------------

    def action_roll(self) -> None:
        ask = self.seen.ask
        if ask is None or ask.dice is None:
            return
        if self.panel.faces:
            text = "You have typed one die: type the other too, or delete it with Backspace."
            self.app.show_notice(text)
        else:
            dice, shown = self.dice, self.seen.asked
            self.app.perform(lambda desk: shown_actions.roll_shown(desk, shown, dice))

    def action_begin(self) -> None:
        """Begin the next paragraph, without rolling any dice."""
        if self._tells_it_cannot_continue():
            return
        seen, shown = self.seen, self.seen.position
        if seen.ask is None:
            self._play_on(lambda desk: shown_actions.begin_shown_paragraph(desk, shown))
        elif self.panel.is_refused:
            self.panel.show_refusal("")
        elif seen.ask.dice is not None and not self._is_theirs(seen):
            key = self.app.key_text("refit.roll")
            self.app.show_notice(
                f"Type your dice, or {key} to let the program roll. Enter never rolls."
            )

    def _play_on(self, work: Callable[[Any], Any]) -> None:
        """Do work in the campaign that may begin the Refit Phase, or the first setup."""
        if missing_before_begin_text(self.seen) or can_agree_rulings_before_refit(self.seen):
            self._begin(work)
        else:
            self.app.perform(work, plays=True)

    @work(group="begin", exclusive=True, description="begin")
    async def _begin(self, work: Callable[[Any], Any]) -> None:
        """Ask whether to begin without something, and which rulings the players agree on; then
        begin."""
        seen, missing = self.seen, missing_before_begin_text(self.seen)
        if missing and not await confirm(self.app, "Begin without it?", missing, "begin anyway"):
            return
        if can_agree_rulings_before_refit(seen):
            from brt_cg.tui.dialogs.likely_rulings import ask_rulings_before_phase

            if not await ask_rulings_before_phase(self.app, seen):
                return
        if self.seen.upcoming == seen.upcoming:
            self.app.perform(work, plays=True)

    def action_go_on(self) -> None:
        """Play to the next decision; from a decision, play by defaults up to the point that the
        player chooses."""
        seen, ask, dice = self.seen, self.seen.ask, self.dice
        if self._tells_it_cannot_continue() or self._tells_who_decides():
            return
        if ask is not None and ask.is_decision:
            self._go_by_defaults()
        else:
            shown, stretch = seen.position, playback.until_decision(seen.shows_shared_table)
            self._play_on(lambda desk: stretch.play(desk, dice, shown))

    def _tells_who_decides(self) -> bool:
        """Tell the player if the open decision is the opponent's; return whether it is."""
        seen, ask = self.seen, self.seen.ask
        if (
            ask is None
            or not ask.is_decision
            or seen.seat is not ask.side.enemy
            or seen.shows_shared_table
        ):
            return False
        agreed = "" if self._is_theirs(seen) else "; answer it only if you both agree"
        self.app.show_notice(f"Your opponent decides this{agreed}.")
        return True

    @work(group="by_defaults", exclusive=True)
    async def _go_by_defaults(self) -> None:
        """Ask how far to play by defaults, and play that far."""
        seen, dice = self.seen, self.dice
        step = self._step(seen)
        figures = await self._figures(seen)
        box = how_far_dialog(seen, step.title if step else "", figures)
        chosen = await self.app.push_screen_wait(box)
        if chosen is None or chosen.value is None:
            return
        stretch, shown = chosen.value(seen.seat, seen.shows_shared_table), seen.position
        answers = self.panel.answers.answers

        def enter_given(desk: CampaignReader) -> None:
            """Enter the answers given for the question's items."""
            if answers is not None and answers.given:
                playback.answer_and_play(desk, answers.ask, answers.name, answers.given)

        self.app.perform(lambda desk: stretch.play(desk, dice, shown, enter_given), plays=True)

    async def _figures(self, seen: CampaignSnapshot) -> RemainingQuestions | None:
        """Return the numbers of rolls and decisions ahead; None at the table, where they must not
        depend on one player's knowledge."""
        if seen.shows_shared_table:
            return None
        figures: RemainingQuestions | None = await self.app.session.look_up(
            lambda desk: count_remaining_questions(desk, seen.seat)
        )
        return figures

    @work(group="undo", exclusive=True)
    async def action_undo_run(self) -> None:
        await playback.undo_newest(self.app, whole_call=True)

    @work(group="undo", exclusive=True)
    async def action_go_back(self) -> None:
        await playback.go_back_to_answer(self.app)

    def action_import(self) -> None:
        import_in_room(self)

    def action_rosters(self) -> None:
        if not self.app.defers_to_curtain(self.action_rosters):
            self._write_rosters()

    @work(group="rosters", exclusive=True, description="write the rosters")
    async def _write_rosters(self) -> None:
        from brt_cg.tui.forms.export import rosters_and_sheets_text, write_rosters_and_sheets

        words = rosters_and_sheets_text(self.seen, self.app.key_text(EXPORT))
        if await confirm(self.app, "For the table", words, "write them", "not now"):
            await write_rosters_and_sheets(self.app, self.seen)

    def action_steps(self) -> None:
        showing = not self.has_class("-steps")
        self.set_class(showing, "-steps")
        self.query_one(StepsList).set_key_focus(showing)
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
        """Type a die, the first digit of an entry, or the first letter of one in codes."""
        if isinstance(self.focused, Input):
            return
        has_typed, self._has_typed = self._has_typed, False
        if has_typed and self.app.has_key(event.key, BEGIN, "lists.select"):
            event.stop()  # a habitual second press would take a default
            words = "Dice you type are accepted without Enter. Press Enter again to continue."
            self.app.show_notice(words)
        elif event.character is not None and event.character in "0123456789":
            event.stop()
            self.panel.type_digit(int(event.character))
        elif event.key.isalpha() and len(event.key) == 1 and self._begins_code(event.key):
            event.stop()
            self.panel.answers.begin_entry_or_select(event.key)
        elif self.app.has_key(event.key, DONE) and not self.can_finish_with_default(self.seen):
            self._say_how_to_answer()

    def _begins_code(self, letter: str) -> bool:
        """Whether a letter that is not a key here begins an answer in codes."""
        ask = self.panel.answers.ask
        has_codes = ask is not None and ask.form is not None and ask.form.codes is not None
        return has_codes and letter not in self.active_bindings

    def _say_how_to_answer(self) -> None:
        """Tell the player which keys answer a question that the key Done cannot answer."""
        ask = self.seen.ask
        if ask is None or self._is_theirs(self.seen):
            return
        roll = self.app.key_text("refit.roll")
        how = (
            f"type the dice, or press {roll} to roll"
            if ask.dice
            else "choose an answer with ↑ ↓ Enter"
        )
        self.app.show_notice(f"{self.app.key_text(DONE)} cannot answer this: {how}.")

    def action_untype(self) -> None:
        self.panel.remove_last_die()

    def undo_last_unentered(self) -> str:
        faces = self.panel.faces
        if faces:
            self.panel.remove_last_die()
            return f"die {faces[-1]}"
        return self.panel.answers.undo_last_unentered()

    def action_stop(self) -> None:
        """Stop the running play; else close the list of steps."""
        if self.app.session.busy:
            self.app.session.stop_work()
        else:
            self.action_steps()

    @on(Answered)
    def _answered(self, event: Answered) -> None:
        self._has_typed = event.ask.dice is not None
        self._answer(event)

    @on(GivenSoFar)
    def _given(self) -> None:
        self.panel.show_actions(self._doing(self.seen))
        self.refresh_state_line()

    def _answer(self, given: Answered) -> None:
        self.app.perform(
            lambda desk: playback.answer_and_play(desk, given.ask, given.shown, given.raw),
            refused=self.panel.show_refusal,
        )

    @on(Done)
    def _done(self) -> None:
        self.action_done()

    @work(group="done", exclusive=True, description="done despite a warning")
    async def action_done(self) -> None:
        """Leave the rest at its default. Ask first if something would be left undone, and ask again
        if that has changed since."""
        answers = self.panel.answers.answers
        if answers is None or answers.answer_leaving_rest_default is None:
            return
        shown, title = answers.name, f"{answers.ask.side.label}: done?"
        agreed: list[str] = []
        while (undone := self._left_undone(answers)) and undone != agreed:
            said = "\n".join(undone)
            said = f"{playback.CHANGED}{said}" if agreed else said
            if not await confirm(self.app, title, said, "done", "not yet"):
                return
            agreed = undone
        self._answer(Answered(answers.ask, shown, answers.answer_leaving_rest_default[1]))

    def _left_undone(self, answers: AnswerRows) -> list[str]:
        """Return the things that are left undone if the rest is answered by default, under a
        heading; empty if there are none."""
        if answers.answer_leaving_rest_default is None:
            return []
        words, raw = answers.answer_leaving_rest_default
        step = self._step(self.seen)
        undone = unfinished_lines(self.seen, answers.ask, raw, step.note if step else "")
        undone += answers.marked_and_unanswered_lines()
        return [f"{words}:", *undone] if undone else []

    def is_typing(self) -> bool:
        return bool(self.panel.faces) or self.panel.has_class("-entering")

    def has_draft(self) -> bool:
        answers = self.panel.answers.answers
        return answers is not None and bool(answers.given)

    def has_work_to_stop(self) -> bool:
        return self.app.session.busy

    def is_premature(self, key: events.Key) -> bool:
        if self.seen.ask is None or self.panel.drawn.was_drawn_before(key.time):
            return False
        found = self.active_bindings.get(key.key)
        action = BY_ID.get(found.binding.id or "") if found is not None else None
        # A key of no action begins an entry, picks from the list, or moves in it.
        return not self.app.has_key(key.key, STOP) and (action is None or action.answers)

    def can_point(self) -> bool:
        return self.panel.answers.can_point()

    def start_pointing(self) -> None:
        self.panel.answers.open_map_to_point()

    def selected_row_text(self) -> str | None:
        ask, log = self.seen.ask, self.seen.log
        if ask is not None:
            return f"{ask.rule} {ask.prompt}"
        return log[-1].text if log else None

    def why_subjects(self) -> tuple[str, ...]:
        """Return the counter and the paragraph of the question, its rulings, the newest lines of
        the log."""
        seen, step = self.seen, self._step(self.seen)
        if step is None:
            return ()
        counter = [seen.ask.counter] if seen.ask is not None and seen.ask.counter else []
        rulings = (ruling.id for ruling in rulings_about(seen, step.number))
        newest = dict.fromkeys(f"entry {line.seq}" for line in reversed(seen.log[-NEWEST:]))
        return (*counter, step.number, *rulings, *newest, "")

    def help_introduction(self) -> tuple[str, str] | None:
        seen, step = self.seen, self._step(self.seen)
        if step is None:
            return None
        rulings = (
            f"{ruling.question} Now: {ruling.meaning(seen.view.ruling_value(ruling.id))}."
            if ruling.has_choice
            else f"The program's reading: {ruling.fixed_reading_text}"
            for ruling in rulings_about(seen, step.number)
        )
        return f"{step.number} {step.title}", "\n\n".join([step.summary, *rulings])


def _ready_text(seen: CampaignSnapshot) -> str:
    """Return the lines about answers that are entered automatically: early ones, or kept ones."""
    queued = f"\n{count_text(seen.queued, 'answer')} given early" if seen.queued else ""
    kept = (
        f"\n{count_text(seen.kept, 'later answer')} kept, to be entered again" if seen.kept else ""
    )
    return queued + kept
