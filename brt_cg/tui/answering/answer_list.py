"""The list of answers to a question: picked, found by typing, typed in a short form, or pointed at
on the map."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

from textual import getters, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, OptionList

from brt_cg.model import Campaign, Side
from brt_cg.questions import (
    AnswerForm,
    Candidate,
    NamedCounter,
    PointingForm,
    Question,
    Raw,
    RefusedError,
)
from brt_cg.questions.partial_answers import Changes, PartialAnswers
from brt_cg.questions.pointing import MapPointing, hex_to_start_at
from brt_cg.service.drafts import FormDraft, ItemDraft
from brt_cg.service.setup_answers import answers_still_allowed
from brt_cg.service.shown_actions import CLOSED
from brt_cg.tui.keys.actions import ANSWERS, EVERYWHERE, bindings_of_named
from brt_cg.tui.lists.row_lists import FieldAbove, PickList
from brt_cg.tui.look.lines import NoRelayout, Static, Vertical
from brt_cg.tui.point.screen import Judge, PointScreen
from brt_cg.tui.question.picking import (
    NAME,
    NOTHING,
    NUMBER,
    AnswerPicking,
    AnswerRows,
    OfferedAnswers,
    candidate_typed_in_full,
    matching_candidates,
)
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.views.question_name import QuestionName


@dataclass
class Answered(Message):
    """Posted with a raw answer to the question with that name."""

    ask: Question[Any]
    shown: QuestionName | None
    raw: Raw


class GivenSoFar(Message):
    """Posted when an answer for an item has been noted."""


class Done(Message):
    """Posted when the remaining items should take their defaults, even if that gives something
    up."""


class _Choices(PickList, NoRelayout):
    """A list that uses all the available height, however many rows it has."""


class AnswerList(Vertical, FieldAbove):
    """The answers to a choice, an entry, or an entry about several items, and the field to type in.

    An allowed answer is posted (`Answered`). `refuse` shows why one is not allowed, and "" clears
    that; `typing` is called when the field opens (true, and the question of a list that it is for)
    or closes (false). `view` is the campaign as the seat sees it.
    """

    app = getters.app(CampaignApp)
    BINDINGS: ClassVar[list[BindingType]] = bindings_of_named(
        ANSWERS, find="find", mark="mark", mark_all="mark_all", leave_entry="leave_entry"
    )
    rows = getters.query_one(PickList)
    entry = getters.query_one("#entry", Input)
    answers: AnswerRows | None = None
    seat: Side | None = None
    view: Campaign | None = None
    _picking: AnswerPicking | None = None
    _about_field = Content()  # the item of the field, and its keys

    def __init__(
        self, refuse: Callable[[str], None], typing: Callable[[bool, Question[Any] | None], None]
    ) -> None:
        super().__init__(id="answers")
        self._refuse, self._typing = refuse, typing
        self._left: dict[Side | None, AnswerRows] = {}  # each seat's latest answers
        self._draft: ItemDraft | None = None  # the draft of a question about several items
        self._typed: FormDraft | None = None  # the draft of the field's text, by its items

    @property
    def ask(self) -> Question[Any] | None:
        """The question being answered."""
        return self.answers.ask if self.answers is not None else None

    @property
    def name_of_question(self) -> QuestionName | None:
        """The name of the question being answered."""
        return self.answers.name if self.answers is not None else None

    def compose(self) -> ComposeResult:
        yield Static(id="hint")
        yield Static(id="about_item")
        yield Input(
            id="entry", select_on_focus=False
        )  # otherwise a second digit would replace the first
        yield _Choices(id="choices")

    # --- showing --------------------------------------------------------------------------------

    def show(
        self,
        ask: Question[Any] | None,
        seat: Side | None,
        offered: OfferedAnswers = NOTHING,
        name: QuestionName | None = None,
    ) -> None:
        """Show the answers `offered` for the question with that name (never a roll); None if there
        is no question. A seat that returns to its question finds its earlier answers and marks."""
        if self.answers is not None:
            self._left[self.seat] = self.answers
        left = self._left.get(seat)
        if left is not None and ask is not None and left.name == name:
            left.continue_with_reread_question(ask, offered)
            self.answers = left
        else:
            self.answers = AnswerRows(ask, offered, name=name) if ask is not None else None
            self._take_draft()
            self._take_typed()
        self.seat = seat
        self._take_noted()
        self._close_entry()
        self.display = ask is not None
        self.rows.show([])  # no pick carries over from the previous question
        if self.answers is not None:
            self._fill(self.answers.rows(), self.answers.row_to_select())
            self._show_hint(self.answers)
            if left is not self.answers and self._typed is not None and self._typed.text:
                self._pick(*next(iter(self.answers.left.items())))

    def continue_with_reread_question(self, ask: Question[Any], offered: OfferedAnswers) -> None:
        """Continue with the same question after it was read again, keeping everything typed,
        picked, marked and selected."""
        answers = self.answers
        if answers is None:
            return
        answers.continue_with_reread_question(ask, offered)
        if self._picking is not None:
            self._picking.form = self._form(self._picking.items) or self._picking.form
        self.show_setup_room_answers()

    def show_setup_room_answers(self) -> None:
        """Show the answers entered in the Setup room for the same question."""
        if self._take_noted() and self.answers is not None and self._picking is None:
            self._fill(self.answers.rows(), self.rows.highlighted or 0)
            self.post_message(GivenSoFar())

    def _take_draft(self) -> None:
        """Restore the answers given to the items before the program ended, or before an undo."""
        answers, self._draft = self.answers, None
        if answers is None or answers.noted is None or self.view is None:
            return
        if self.app.session.setup_answers.answers_to(answers.name) is not None:
            return  # shared with the Setup room, which keeps it
        date = {"date": self.view.situation.date}
        self._draft = ItemDraft(self.app.drafts().saved_notes("answers", date))
        given = self._draft.items.get(str(answers.name))
        if isinstance(given, dict):
            answers.noted = answers_still_allowed(answers.noted.ask, given)

    def _keep_draft(self, given: Mapping[str, Raw]) -> None:
        if self._draft is not None:
            self._draft.save({**self._draft.items, str(self.name_of_question): given})

    def _take_typed(self) -> None:
        """Restore the text that was typed for the question before the program ended."""
        answers, self._typed = self.answers, None
        if answers is None or answers.name is None or self.view is None:
            return
        question = {"question": str(answers.name)}
        self._typed = FormDraft(self.app.drafts().saved_notes("typed", question))
        answers.left |= {tuple(items.split()): text for items, text in self._typed.text.items()}

    def _keep_typed(self, text: str) -> None:
        """Keep the text of the field on disk; "" drops it."""
        if self._typed is not None and self._picking is not None:
            kept = {" ".join(self._picking.items): text} if text else {}
            if kept != self._typed.text:
                self._typed.save(kept)

    def _take_noted(self) -> bool:
        """Copy the answers entered for a setup question. Return whether they are new."""
        answers, noted = (
            self.answers,
            self.app.session.setup_answers.answers_to(self.name_of_question),
        )
        if noted is None or answers is None or noted is answers.noted:
            return False
        answers.noted = noted
        return True

    def _fill(self, rows: list[tuple[str, Content]], at: int | None) -> None:
        if self.answers is not None and rows[:1] and rows[0][0] == "default":
            key = "" if self.answers.can_choose_first_row else self.app.key_text("refit.done")
            named = Content.assemble((f"{key}: " if key else "", "bold $accent"), rows[0][1])
            rows = [("default", named), *rows[1:]]
        self.rows.show(rows, at)
        if self._picking is None and not self._is_finding:
            self.rows.focus()

    def _show_hint(self, answers: AnswerRows) -> None:
        """Show the allowed input for the item being picked, or else the keys."""
        ask, picking = answers.ask, self._picking
        point_key, map_key = (
            self.app.key_text(f"{EVERYWHERE}.{name}") for name in ("point", "map")
        )
        hint = answers.hint(map_key, self.app.key_text("refit.done"))
        if picking is not None:
            codes = picking.form.codes
            hint = codes.hint if codes is not None else picking.form.hint or ask.hint
            hint += f" · {point_key}: point on the map" if picking.form.pointed else ""
        elif ask.as_multi_question and self.can_point():
            hint += f" · {map_key}: point on the map"
        shown = self.query_one("#hint", Static)
        shown.display = bool(hint)
        shown.update(Content.styled(hint, "dim"))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if self.answers is not None and self.answers.noted is not None:
            self._show_hint(self.answers)

    @property
    def selected_item(self) -> str | None:
        """The item of the selected row, if the question is about several."""
        kind, _, subject = str(self.rows.id_at_cursor).partition(":")
        return subject if kind == "item" else None

    def on_pick_list_nothing_chosen(self, event: PickList.NothingChosen) -> None:
        """Show a hint: Enter alone never answers if no row is selected."""
        event.stop()
        if self.ask is not None and self.ask.buying:
            self._tell_key_for_done()
        else:
            self.app.show_notice("Choose with ↑ ↓ first: no answer is selected yet.")

    def _tell_key_for_done(self) -> None:
        key = self.app.key_text("refit.done")
        self.app.show_notice(
            f"Press {key} for this: {self.rest_default_text}. Enter never does that."
        )

    @property
    def rest_default_text(self) -> str:
        """The meaning of leaving the rest at its default, in words; "" if that is not a way to
        answer."""
        done = self.answers.answer_leaving_rest_default if self.answers is not None else None
        return done[0] if done is not None else ""

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._select(str(event.option_id))

    def _select(self, id: str) -> None:
        answers = self.answers
        kind, _, name = id.partition(":")
        if self._picking is not None:
            self._take_row(kind, name)
        elif kind == "plain" and answers is not None:
            self._answer(answers.offered.plain[int(name)].raw)
        elif kind == "default" and answers is not None:
            if not answers.can_choose_first_row:
                self._tell_key_for_done()
            elif answers.answer_leaving_rest_default is None:
                self._answer(answers.default_answer)
            else:
                self.post_message(Done())
        elif kind == "item" and answers is not None:
            ticks = answers.tick_changes(name)
            if ticks is None:
                self._pick(tuple(sorted({name, *answers.marked.ids})), "")
            else:
                self._give(ticks, name)
        else:
            self._pick((), "")

    # --- picking --------------------------------------------------------------------------------

    def begin_entry_or_select(self, text: str) -> None:
        """Begin an entry with text typed over the list; a digit selects that answer to a choice."""
        if self.ask is None:
            return
        if self.ask.form is not None:
            self._pick((), text)
        elif self.ask.options and 0 < int(text) <= self.rows.option_count:
            self.rows.highlighted = int(text) - 1
        elif self.ask.options:
            self.app.show_notice(f"{text}: there are answers 1–{self.rows.option_count}.")

    @work(group="desk", description="pick")
    async def _pick(self, items: tuple[str, ...], text: str) -> None:
        """Open the field and the candidates, for some items or for the whole answer."""
        ask = self.ask
        form = self._form(items)
        if ask is None or form is None:
            return
        name = self.name_of_question
        offered = await self._offered(form, items)
        if name != self.name_of_question or self.answers is None:
            return
        given = any(item in self.answers.given for item in items)
        named = [] if items and form.codes is None else await self._named(form)
        self._picking = AnswerPicking(form, offered, items, given, named=named)
        left = self.answers.left.pop(items, "")
        one_of_list = ask.questions_by_subject.get(items[0]) if len(items) == 1 else None
        self._open_entry("" if one_of_list else self._about(ask, items), text or left, one_of_list)
        if not text and " " not in left:
            # Typing replaces a word that was left there, perhaps refused, but not a long answer.
            self.entry.action_select_all()
        self._keep_typed(text or left)
        self._show_candidates()
        self._show_hint(self.answers)

    def _form(self, items: tuple[str, ...]) -> AnswerForm | None:
        """Return the form for an answer to some items, or for the whole answer; None if it cannot
        be typed."""
        several = self.ask.as_multi_question if self.ask is not None else None
        if several is not None and items:
            return several.item(items[0]).form
        return self.ask.form if self.ask is not None else None

    async def _offered(self, form: AnswerForm, items: tuple[str, ...]) -> list[Candidate]:
        """Return the candidates for items, given the answers for others."""
        noted = self.answers.given if self.answers is not None else {}
        given = {id: raw for id, raw in noted.items() if id not in items}
        offered = await self.app.session.look_up(lambda _: form.candidates_for(self.seat, given))
        at_table = self.app.session.current_snapshot.shows_shared_table
        return [each for each in offered if not (at_table and each.secret)]

    async def _named(self, form: AnswerForm) -> list[NamedCounter]:
        """Return the counters that a typed answer may name."""
        named = await self.app.session.look_up(lambda _: form.counters_seat_may_name(self.seat))
        at_table = self.app.session.current_snapshot.shows_shared_table
        return [each for each in named if not (at_table and each.secret)]

    def _about(self, ask: Question[Any], items: tuple[str, ...]) -> str:
        return ask.as_multi_question.items_text(items) if ask.as_multi_question and items else ""

    def _open_entry(self, about: str, text: str, ask: Question[Any] | None = None) -> None:
        field = self.entry
        with field.prevent(Input.Changed):
            field.value = text
        picking = self._picking
        finds = picking is None or bool(picking.offered or picking.named)
        field.placeholder = "type to find, or type a short answer" if finds else "type the answer"
        field.display = True
        self._typing(True, ask)
        shown = self.query_one("#about_item", Static)
        shown.display = True
        keys = f"{'↑↓ Enter pick' if finds else 'Enter answers'}, Esc goes back"
        self._about_field = Content.assemble((f"{about}  " if about else "", "bold"), (keys, "dim"))
        shown.update(self._about_field)
        field.focus()
        field.cursor_position = len(text)

    def _show_candidates(self) -> None:
        """Show the rows for the typed text, and above them its meaning if it is in codes."""
        picking, text = self._picking, self.entry.value
        if picking is None:
            return
        rows, first = picking.rows(text)
        self._fill(rows, first)
        above, meaning = self._about_field, picking.code_text(text)
        keys = [self.app.key_text(id) for id in ("lists.select", f"{ANSWERS}.leave_entry")]
        if meaning:
            enters = (f" · {keys[0]}: answer", "dim")
            above = Content.assemble(("✓ ", "bold $success"), meaning, enters)
        elif not rows and (picking.offered or picking.named):
            words = "Not in the list: {} tries it as typed, {} goes back."
            above = Content.styled(words.format(*keys), "$warning")
        self.query_one("#about_item", Static).update(above)

    def _take_row(self, kind: str, name: str) -> None:
        picking = self._picking
        assert picking is not None, "only while something is picked"
        if kind == NAME:
            self.entry.value = picking.complete_name(self.entry.value, name)
            self.entry.cursor_position = len(self.entry.value)
        elif kind == NUMBER:
            [named] = [each for each in picking.named if each.id == name]
            self.entry.value = f"{named.display_name} "
            self.entry.cursor_position = len(self.entry.value)
        elif kind == "back":
            self._give(dict.fromkeys(picking.items), picking.items[-1])
        elif kind == "done":
            self._take(picking, picking.joined_answer())
        elif picking.can_pick_several:
            picking.toggle(picking.offered[int(name)])
            if len(picking.offered) == 1 and picking.picked:  # nothing else can be picked
                self._take(picking, picking.joined_answer())
                return
            self.entry.value = ""
            self._show_candidates()
        else:
            self._take(picking, picking.offered[int(name)].raw)

    def _take(self, picking: AnswerPicking, raw: Raw, *, then_next: bool = False) -> None:
        """Use an answer for the item being picked: note it for items, else answer the question."""
        self._keep_typed("")
        if picking.items:
            self._give(dict.fromkeys(picking.items, (raw,)), picking.items[-1], then_next)
        else:
            self._answer(raw)

    @property
    def _is_finding(self) -> bool:
        return self.has_class("-finding")

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if self._picking is not None:
            self._keep_typed(event.value)
            self._show_candidates()
        elif self._is_finding and self.answers is not None:
            self.answers.found = event.value
            ask = self.answers.ask
            self._fill(self.answers.rows(), int(ask.as_multi_question is not None))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self._is_finding:
            self._leave_entry()
        else:
            self._enter_text(event.value)

    @work(group="desk", description="enter")
    async def _enter_text(self, text: str) -> None:
        """Use the candidate typed in full, else the answer in its short form, else the selected
        row."""
        picking, ask = self._picking, self.ask
        if picking is None or ask is None:
            return
        exact = candidate_typed_in_full(picking.offered, text)
        if exact is not None and not picking.can_pick_several:
            self._take(picking, exact.raw)
            return
        pointed = self.rows.id_at_cursor
        if text.strip():
            try:
                raw = await self.app.session.look_up(lambda _: self._read_answer(picking, text))
            except RefusedError as refused:
                names = str(pointed).startswith(f"{NAME}:")
                if pointed is None or not (names or matching_candidates(picking.offered, text)):
                    self._refuse(self.app.words_for_viewer(str(refused)))
                    return
            else:
                self._take(picking, raw, then_next=picking.is_code(text))
                return
        if pointed is not None:
            self._select(pointed)
        elif ask.form is not None and not text.strip():
            if ask.default_forgoes_acting:
                self._tell_key_for_done()
            else:
                self._answer(ask.default)

    def _read_answer(self, picking: AnswerPicking, text: str) -> Raw:
        """Read the text as an answer that the question allows. Raises RefusedError."""
        answers = self.answers
        assert answers is not None, "a question is open while something is typed for it"
        ask = answers.ask
        coded = picking.parse_codes(text)
        if not picking.items:
            raw = picking.joined_answer(ask.parse(text, self.seat) if coded is None else coded)
            ask.read(raw)
            return raw
        words = replace(picking.form, codes=None)
        raw = picking.joined_answer(words.parse(text, self.seat) if coded is None else coded)
        ask.read(answers.given | dict.fromkeys(picking.items, raw))
        return raw

    @work(group="desk", description="give")
    async def _give(self, changes: Changes, last: str, then_next: bool = False) -> None:
        """Note answers for some items, if the question allows them with the others; None removes
        one. Select the row after the `last` of them, or open the field for the next item without an
        answer (`then_next`)."""
        answers = self.answers
        noted = answers.noted if answers is not None else None
        if answers is None or noted is None:
            return
        try:
            changed = await self.app.session.look_up(lambda _: noted.with_changes(changes))
        except RefusedError as refused:
            self._refuse(self.app.words_for_viewer(str(refused)))
            return
        if answers is not self.answers:
            return
        answers.push_undo_step(changes, "the answer for")
        answers.noted = changed
        self.app.session.setup_answers.store(changed, answers.name)
        self._keep_draft(changed.given)
        answers.marked.clear()
        self.post_message(GivenSoFar())
        self._refuse("")
        self._leave_entry()
        ids = [*self.rows.rows]
        at = ids.index(f"item:{last}") + 1 if f"item:{last}" in ids else 0
        self.rows.highlighted = min(at, len(ids) - 1)
        if then_next:
            self._open_next_item(changed)

    def _open_next_item(self, noted: PartialAnswers) -> None:
        """Open the field for the next item without an answer; if there is none, select the row that
        continues."""
        left = [each for each in noted.ask.subjects if each not in noted.given]
        if left:
            self._pick((left[0],), "")
        else:
            self.rows.highlighted = 0

    def _close_entry(self) -> None:
        self._picking = None
        self.remove_class("-finding")
        self.entry.display = False
        self.query_one("#about_item").display = False
        self._typing(False, None)

    def _leave_entry(self) -> None:
        """Return from the field to the list: to the row that was found, or to the row of the item
        being answered."""
        picking, answers, row = self._picking, self.answers, self.rows.id_at_cursor
        if picking is not None:
            row = f"item:{picking.items[-1]}" if picking.items else None
        self._close_entry()
        if answers is not None:
            rows = answers.rows()
            ids = [id for id, _ in rows]
            self._fill(rows, ids.index(row) if row in ids else answers.row_to_select())
            self._show_hint(answers)
        self.rows.focus()

    # --- pointing at the map --------------------------------------------------------------------

    def can_point(self) -> bool:
        """Whether the selected row, or the item being picked, is answered by pointing at the
        map."""
        ask, subject = self.ask, self.selected_item
        if ask is None:
            return False
        if self._picking is not None:
            return self._picking.form.pointed is not None
        form = self._form((subject,)) if subject is not None else None
        if form is not None:
            return form.pointed is not None and form.pointed.made is not None
        return any(option.spot for option in ask.options)

    @work(group="desk")
    async def open_map_to_point(self) -> None:
        """Open the map to point at the answer."""
        ask, picking, answers, subject = self.ask, self._picking, self.answers, self.selected_item
        if ask is None or answers is None:
            return
        if ask.options:
            placed = [candidate for candidate in answers.offered.plain if candidate.spots]
            self._go_and_point(MapPointing(ask.prompt, PointingForm(), placed), self._answer)
            return
        if picking is None and subject is not None:
            items = tuple(sorted({subject, *answers.marked.ids}))
            form = self._form(items)
            picking = AnswerPicking(form, (), items) if form is not None else None
        if picking is None or picking.form.pointed is None:
            return
        name = self.name_of_question
        offered = picking.offered or await self._offered(picking.form, picking.items)
        if name != self.name_of_question:
            return
        placed = [candidate for candidate in offered if candidate.spots]
        title = self._about(ask, picking.items) or ask.prompt
        start = hex_to_start_at(self.view, picking.items[0] if picking.items else ask.counter)
        pointing = MapPointing(title, picking.form.pointed, placed, start=start)
        if pointing.how.made is None and not placed:
            pointing.how = PointingForm(pointing.how.parts, lambda at: at[0])
            self._go_and_point(pointing, self._write_location)
        else:
            judge = partial(self._judge_pointed, picking.items)
            self._go_and_point(pointing, partial(self._take_pointed, picking), judge)

    def _go_and_point(
        self, pointing: MapPointing, then: Callable[[Raw], None], judge: Judge | None = None
    ) -> None:
        name = self.name_of_question

        def take(raw: Raw) -> None:
            if name == self.name_of_question:
                then(raw)
            else:
                self.app.show_notice(CLOSED)

        _ = self.app.push_screen(PointScreen(pointing, take, judge))

    async def _judge_pointed(self, items: tuple[str, ...], raw: Raw) -> None:
        """Raise RefusedError for an answer that the question does not allow, given the earlier
        ones."""
        ask, answers = self.ask, self.answers
        if ask is not None and answers is not None and items:
            whole = answers.given | dict.fromkeys(items, raw)
            await self.app.session.look_up(lambda _: ask.read(whole))

    def _take_pointed(self, picking: AnswerPicking, raw: Raw) -> None:
        """Use an answer from the map, as one more of several joined answers or as the whole
        answer."""
        if picking.can_pick_several:
            picking.toggle(next(known for known in picking.offered if known.raw == raw))
            self._show_candidates()
            self.entry.focus()
        else:
            self._take(picking, raw)

    def _write_location(self, raw: Raw) -> None:
        """Insert a Location from the map at the cursor of the typed text."""
        self.entry.insert_text_at_cursor(str(raw))
        self.entry.focus()

    # --- keys -----------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        types, ask = bool(self.entry.display), self.ask
        if action in ("cursor_up", "cursor_down", "leave_entry"):
            return types
        if action in ("mark", "mark_all"):
            return not types and ask is not None and ask.as_multi_question is not None
        return action != "find" or (not types and ask is not None and ask.form is None)

    @property
    def list_below(self) -> OptionList:
        return self.rows

    def action_find(self) -> None:
        """Open the field to find answers or items."""
        if self.answers is not None:
            self.add_class("-finding")
            self._open_entry("Find", self.answers.found)

    def action_mark(self) -> None:
        """Mark the selected item, and go to the next."""
        at = self.rows.highlighted or 0
        self._mark([str(self.rows.id_at_cursor)], at + 1)

    def action_mark_all(self) -> None:
        """Mark all items that are shown."""
        self._mark([*self.rows.rows], self.rows.highlighted or 0)

    def _mark(self, rows: list[str], then: int) -> None:
        if self.answers is not None:
            items = [row.partition(":")[2] for row in rows if row.startswith("item:")]
            self.answers.push_undo_step(items, "the mark of")
            self.answers.mark_or_unmark(rows)
            self._fill(self.answers.rows(), then)

    def undo_last_unentered(self) -> str:
        """Undo the newest answer or mark for items; return its description, "" if there is none."""
        answers = self.answers
        words = answers.undo_step() if answers is not None and self._picking is None else ""
        if answers is not None and answers.noted is not None and words:
            self.app.session.setup_answers.store(answers.noted, answers.name)
            self._keep_draft(answers.noted.given)
            self._fill(answers.rows(), self.rows.highlighted)
            self.post_message(GivenSoFar())
        return words

    def action_leave_entry(self) -> None:
        """Leave the field; when it is reopened, it contains the typed text again. From the results
        for a counter chosen by its number, return to the counters."""
        if self._picking is not None and self._picking.is_name_alone(self.entry.value):
            self.entry.value = ""
            return
        if self.answers is not None:
            if self._picking is not None:
                self.answers.left[self._picking.items] = self.entry.value
            self.answers.found = ""
        self._refuse("")
        self._leave_entry()

    # --- answering ------------------------------------------------------------------------------

    def _answer(self, raw: Raw) -> None:
        if self.ask is not None:
            self._refuse("")
            self.post_message(Answered(self.ask, self.name_of_question, raw))
