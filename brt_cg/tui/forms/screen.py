"""The one screen of all forms: fields, the problems of each, and the result."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from itertools import groupby
from typing import Generic, TypeVar

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.events import DescendantFocus
from textual.widget import Widget
from textual.widgets import Input, TextArea

from brt_cg.board import OFF_MAP, locations
from brt_cg.files import file_error
from brt_cg.questions import ARC, Candidate, answers
from brt_cg.questions.pointing import MapPointing
from brt_cg.storage.errors import OtherCampaignError, StorageError
from brt_cg.tui.dialogs.dialog import STYLE, Dialog
from brt_cg.tui.dialogs.pick import PickScreen
from brt_cg.tui.dialogs.why import show_reasons
from brt_cg.tui.dialogs.working import run_with_box_if_long
from brt_cg.tui.forms.fields import (
    Chooser,
    LinesField,
    TableField,
    folded_fields_text,
    problems_content,
    widget_for,
)
from brt_cg.tui.keys.actions import FORMS, binding_of, bindings_of_named
from brt_cg.tui.keys.key_buffer import WHILE_TYPING
from brt_cg.tui.lists.panes import Pane
from brt_cg.tui.look.lines import HangingText, Horizontal, Static, hang_text
from brt_cg.tui.map.painting import Painting
from brt_cg.tui.point.screen import AreasScreen, PointScreen
from brt_cg.tui.question.form import (
    EntryForm,
    FormField,
    FormPage,
    Validation,
    group_by_field,
    split_parts,
)

T = TypeVar("T")
IN_FIELDS = {
    "next_field": "step(1)",
    "last_field": "step(-1)",
    "scroll_down": "scroll(1)",
    "scroll_up": "scroll(-1)",
}
POINTS_AT = "Press {key} to fill in {fields} from the map or a list."
FILLED_IN = "What you typed here earlier has been filled in; {forms.anew} starts over without it."
LEFT = "Not stored. What you typed is kept for the next time you open this."
BESIDE = 100  # the columns needed to show the verdict beside the fields
DASHES = ("-", "–", "—")  # pasted for a field that stays empty
WRONG = "✗"  # before a line that is not understood
AROUND = 14  # the rows that a form takes without its fields


class FormScreen(Dialog[T], Generic[T]):
    """A form that returns its result, or None if it was left. Everything typed is kept until it is
    entered: after a refusal in the open form, and after leaving the form until it is opened
    again."""

    CSS_PATH = [STYLE, "screen.tcss"]
    HORIZONTAL_BREAKPOINTS = [(BESIDE, "-beside")]
    PLACE = FORMS
    MADE = "opened"
    BINDINGS = [
        *bindings_of_named(FORMS, back="back", enter="enter", more="more", hand_out="hand_out"),
        binding_of("everywhere.why", "why"),
        binding_of("everywhere.point", "point", first=True),
        binding_of(f"{FORMS}.anew", "anew", first=True),
        # Before the keys of the field that has the focus.
        *(binding_of(f"{FORMS}.{name}", does, first=True) for name, does in IN_FIELDS.items()),
    ]

    def __init__(self, form: EntryForm[T]) -> None:
        super().__init__("")
        self.form = form
        self.typed: dict[str, str] = {}
        self._first: dict[str, str] = {}  # the text of each field before anything is typed
        name = form.draft_name
        self._draft = self.app.drafts(form.at_home).form_draft(name) if name else None
        self._put_away: dict[str, str] = {}  # the text before the player emptied the form
        self._at = 0
        self._asked_for = ""  # the empty required field that Enter moved to
        self._going_on = False
        self._unfolded = False
        columns, rows = self.app.size  # not updated if the window changes later
        # the number of fields that fit unfolded
        self._fitting = rows - AROUND if columns >= BESIDE else 0
        self._judged_last = Validation()  # the lines of this check stay in view
        self._keep_first_values()

    @property
    def page(self) -> FormPage:
        """The current page, without the fields that are folded."""
        page = self.form.pages(self.typed)[self._at]
        fits = len(page.fields) <= self._fitting
        return page if self._unfolded or fits else page.without_folded_fields()

    def _keep_first_values(self) -> None:
        left = self._draft.text if self._draft is not None else {}
        for page in self.form.pages(self.typed):
            for field in page.fields:
                if field.name not in self.typed:
                    self._first[field.name] = field.value
                    text = left.get(field.name, field.value)
                    fits = not field.choices or text in dict(field.choices)
                    self.typed[field.name] = text if fits else field.value

    @property
    def _changed(self) -> dict[str, str]:
        """The fields that differ from their first text."""
        return {name: text for name, text in self.typed.items() if text != self._first[name]}

    @property
    def kept_draft_name(self) -> str:
        return self.page.title if self._draft is not None and self._changed else ""

    def _keep(self) -> None:
        """Keep the text until it is entered."""
        if self._draft is not None:
            self._draft.save(self._changed)

    # --- drawing --------------------------------------------------------------------------------

    def frame_titles(self) -> tuple[str, str]:
        page = self.page
        fields = "{forms.last_field}{forms.next_field} fields · " if len(page.fields) > 1 else ""
        fields = "{lists.next_group} next field · " + fields if page.heads else fields
        line = " on an empty line" if page.has_multiline_field else ""
        keys = self.app.fill_in_keys(f"{fields}{{forms.enter}}{line}: $ · {{forms.back}}: ")
        return page.title, keys.replace("$", page.enter) + ("back" if self._at else "cancel")

    def compose_box(self) -> ComposeResult:
        # Set before anything is mounted, so that the style is computed only once.
        page = self.page
        self.set_class(self.app.size.width >= BESIDE, "-beside", update=False)
        self.set_class(page.explains_each_field, "-long", update=False)
        self.set_class(page.has_multiline_field, "-lines", update=False)
        self.set_class(bool(page.heads), "-table", update=False)
        if page.words:
            yield Static(page.words, id="words")
        with Container(id="body"):
            if page.fields:
                yield from self._fields(page)
            with Pane(id="told"):
                yield HangingText(id="verdict")
        if page.left_out:
            more = HangingText(id="more")
            more.set_text(folded_fields_text(page.left_out, self.app.key_text(f"{FORMS}.more")), 0)
            yield more
        yield HangingText(id="about")

    def _fields(self, page: FormPage) -> ComposeResult:
        with Pane(id="fields"):
            if page.heads:
                with Horizontal(classes="row"):
                    yield Static("", classes="label")
                    for head in page.heads:
                        yield Static(head, classes="head")
            if page.has_multiline_field:
                yield from map(self._widget, page.fields)
                return
            for label, row in groupby(page.fields, key=lambda field: field.label):
                fields = list(row)
                with Horizontal(classes="row"):
                    yield Static(label, classes="label")
                    yield from self._columns(fields, page.heads)
                for field in fields:
                    yield Static(classes="wrong", id=f"wrong-{_id(field.name)}")

    def _columns(self, fields: Sequence[FormField], heads: Sequence[str]) -> ComposeResult:
        """Yield the fields of a row. In a table, the end of a field's name decides its column."""
        if not heads:
            yield from map(self._widget, fields)
        for head in heads:
            field = next(
                (field for field in fields if field.name.endswith(f".{head.lower()}")), None
            )
            yield self._widget(field) if field else Static("", classes="head")

    def _widget(self, field: FormField) -> Widget:
        in_table, text = bool(self.page.heads), self.typed[field.name]
        made = widget_for(field, text, _id(field.name), in_table=in_table)
        if isinstance(made, Input) and text != self._first[field.name]:
            made.select_on_focus = False  # else the next key would replace what was typed
        return made

    def on_mount(self) -> None:
        self._begin_page()
        if self.kept_draft_name:
            self.app.show_notice(self.app.fill_in_keys(FILLED_IN))

    def catch_up(self) -> None:
        """Check the text again when the campaign changes: it may no longer be possible."""
        super().catch_up()
        if not self._going_on and (self.made_before_text or self.app.session.is_replaced):
            self._judge()

    def _begin_page(self, judged: Validation | None = None) -> None:
        """Begin at the field that was refused, if the page was checked already."""
        fields = self.page.fields
        at = [*judged.problems] if judged else [self.form.begins_at]
        wanted = next((field for field in fields if field.name in at), None)
        first = wanted or self._missing() or next(iter(fields), None)
        self.set_focus(self.query_one(f"#{_id(first.name)}") if first else None)
        if judged:
            self._show(judged)
        else:
            self._judge()

    def _missing(self) -> FormField | None:
        """Return the first required field that is still empty."""
        open = (field for field in self.page.fields if not self.typed[field.name].strip())
        return next((field for field in open if field.required), None)

    def _turn_to(self, page: int, judged: Validation | None = None) -> None:
        self._at = page
        self._keep_first_values()
        self._draw_page(judged)

    @work(group="page", exclusive=True, description="draw")
    async def _draw_page(self, judged: Validation | None) -> None:
        await self.recompose()
        self._begin_page(judged)

    @on(DescendantFocus)
    def _tell_about(self) -> None:
        for row in self.query(".row"):
            row.set_class(self.focused is not None and row is self.focused.parent, "-current")
        field = self._current_field()
        about = self.query_one("#about", HangingText)
        text = Content.styled(field.about if field else "", "dim")
        if field is not None and field.lines:
            text = self._about_lines()
        elif field is not None and (field.can_fill_on_map or field.offered):
            where = "on the map" if field.can_fill_on_map else "picks from a list"
            key = self._offer("everywhere.point", "point", where)
            text = Content.assemble(text, "   " if field.about else "", key)
        about.display = bool(text.plain)
        about.set_text(text, 0)

    def _offer(self, id: str, runs: str, what: str) -> Content:
        """Return a key and its action as text to click."""
        markup = f"[@click=screen.{runs}][bold $accent]$key[/] $what[/]"
        return Content.from_markup(markup, key=self.app.key_text(id), what=what)

    def _about_lines(self) -> Content:
        """Return the total of the lines, or their problems, and the changes that keys offer."""
        judged = self._judged_last
        offers = []
        if judged.meant:
            offers.append(self._offer("everywhere.point", "point", "accepts the suggestions"))
        if (many := judged.handed[1]) and not judged.problems:
            words = f"gives out {many} SW to the squads, one each, in order"
            offers.append(self._offer(f"{FORMS}.hand_out", "hand_out", words))
        rest = [problems_content(text) for text in judged.problems.values()]
        return Content("\n").join(filter(None, [judged.verdict, *rest, *offers]))

    @on(TextArea.SelectionChanged)
    def _follow(self) -> None:
        """Show the meaning of the cursor's line, and mark it."""
        field = self.focused
        lines = self._judged_last.lines
        told = self.query_one("#told")
        if not isinstance(field, LinesField) or not lines:
            return
        at, rows, above = field.cursor_line_number, [], 0
        for number, line in lines.items():
            sign = Content.styled("›", "bold $accent") if number == at else Content(" ")
            row = hang_text(Content.assemble(sign, line), max(told.size.width - 1, 1))
            above += row.plain.count("\n") + 1 if number < at else 0
            rows.append(row)
        self.query_one("#verdict", HangingText).show_written_by(
            lambda room: Content("\n").join(rows)
        )
        told.scroll_to(y=max(above - told.size.height // 2, 0), animate=False)
        field.call_after_refresh(field.scroll_cursor_visible)  # a message may have taken a row

    def _current_field(self) -> FormField | None:
        name = self.focused.name if self.focused else None
        return next((field for field in self.page.fields if field.name == name), None)

    # --- on the map, or from a list ---------------------------------------------------------------

    def action_point(self) -> None:
        """Open the map, or a list, to fill in the selected field."""
        field = self._current_field()
        if field is None:
            return
        if field.painted is not None:
            self._paint(field, field.painted)
        elif field.pointed is not None:
            self._point(field)
        elif field.offered:
            self._pick(field)
        elif field.lines:
            self._take_meant()
        else:
            able = ", ".join(
                each.label for each in self.page.fields if each.can_fill_on_map or each.offered
            )
            self.app.show_notice(
                POINTS_AT.format(key=self.app.key_text("everywhere.point"), fields=able)
            )

    @work(group="point", exclusive=True, description="pick")
    async def _take_meant(self) -> None:
        """Apply every suggestion about the lines as typed now."""
        self._write((await self._judged()).meant)

    @work(group="point", exclusive=True, description="give out")
    async def action_hand_out(self) -> None:
        """Give SW that are listed separately to squads, in the lines as typed now."""
        judged = await self._judged()
        if not judged.problems:
            self._write(judged.handed[0])

    def _write(self, text: str) -> None:
        """Replace the text of the lines; "" leaves it unchanged."""
        if text:
            field = self.query_one(LinesField)
            field.text = text
            field.move_cursor(field.document.end)

    @work(group="point", exclusive=True, description="pick")
    async def _pick(self, field: FormField) -> None:
        offered = [each for each in field.offered if each.typed not in self._entered(field)]
        picked = await self.app.push_screen_wait(PickScreen(field.label, field.about, offered))
        if picked is not None:
            self._fill(field, ",".join([*self._entered(field), picked]))

    def _entered(self, field: FormField) -> list[str]:
        """Return the entries already in a field that joins several."""
        names = (each.typed for each in field.offered)
        return split_parts(self.typed[field.name], names) if field.joins else []

    @work(group="point", exclusive=True, description="point")
    async def _point(self, field: FormField) -> None:
        offered: Sequence[Candidate] = ()
        with suppress(ValueError):  # no offers for a form that cannot be read
            offered = await self.form.candidates_for_field(field.name, dict(self.typed))
        assert field.pointed is not None, "only such a field can be filled from the map"
        beside = locations.capitalize_hexes(self.typed.get("location", "").strip())
        at = beside if locations.is_location(beside) and beside != OFF_MAP else None
        pointing = MapPointing(
            f"{self.page.title}: {field.label}",
            field.pointed,
            offered,
            near=at if field.pointed.parts == ARC else None,
            start=locations.hex_of_location(at) if at else None,
        )
        await self.app.push_screen(PointScreen(pointing, partial(self._fill, field)))

    def _paint(self, field: FormField, form: answers.AnswerForm) -> None:
        try:
            painting = Painting(field.label, form, form.parse(self.typed[field.name]))
        except ValueError:
            painting = Painting(field.label, form, [])
        fill = partial(self._fill, field)
        over = self.form.campaign_to_paint_over()
        _ = self.app.push_screen(
            AreasScreen(painting, lambda done: fill(done.painted_text()), over)
        )

    def _fill(self, field: FormField, text: str) -> None:
        self.query_one(f"#{_id(field.name)}", Input).value = text

    # --- judging --------------------------------------------------------------------------------

    @on(Input.Changed)
    def _input_changed(self, event: Input.Changed) -> None:
        name = str(event.input.name)
        if event.value != self._first[name]:
            event.input.select_on_focus = False  # else coming back would select what was typed
        self._note(name, event.value)

    @on(TableField.Pasted)
    def _values_pasted(self, event: TableField.Pasted) -> None:
        """Fill a field of the table and those after it, row by row; a dash leaves a field
        unchanged."""
        names = [field.name for field in self.page.fields]
        names = names[names.index(event.name) :]
        for name, value in zip(names, event.values, strict=False):
            if value not in DASHES:
                self.query_one(f"#{_id(name)}", Input).value = value
        if len(event.values) > len(names):
            left = " ".join(event.values[len(names) :])
            self.app.show_notice(f"There was no field for: {left}")
        last = names[min(len(event.values), len(names)) - 1]
        self.set_focus(self.query_one(f"#{_id(last)}"))

    @on(TextArea.Changed)
    def _lines_changed(self, event: TextArea.Changed) -> None:
        self._note(str(event.text_area.name), event.text_area.text)

    @on(Chooser.Changed)
    def _chooser_changed(self, event: Chooser.Changed) -> None:
        self._note(event.name, event.value)

    def _note(self, name: str, value: str) -> None:
        if self.typed[name] != value:
            self.typed[name] = value
            self.form.field_changed(name, value)
            self._keep()
            self._judge(WHILE_TYPING)

    @work(group="judge", exclusive=True, description="judge")
    async def _judge(self, rest: float = 0) -> None:
        """Check the typed text, once the player has stopped typing for a moment."""
        self.app.let_keys_pass()
        await asyncio.sleep(rest)
        self._show(await self._judged())

    async def _judged(self) -> Validation:
        try:
            if self.app.session.is_replaced and not self.form.at_home:
                raise OtherCampaignError
            return await self.form.validate(dict(self.typed), self._at)
        except StorageError as error:
            return Validation(problems={"": self.app.words_for_viewer(str(error))})
        except (ValueError, OSError) as problem:  # OSError: about a typed file or folder
            return self._refusal(problem, self.page)

    def _refusal(self, problem: ValueError | OSError, page: FormPage) -> Validation:
        problems: Sequence[object] = getattr(problem, "problems", (problem,))
        if isinstance(problem, OSError) and problem.filename:
            problems = (file_error(problem),)
        named = group_by_field(problems, [field.name for field in page.fields])
        return Validation(
            problems={name: self.app.words_for_viewer(text) for name, text in named.items()}
        )

    def _show_problem(self, problem: ValueError | OSError) -> None:
        """Show a refusal on the first page with a field that it names, or else on the current
        page."""
        pages = enumerate(self.form.pages(self.typed))
        refused = ((at, self._refusal(problem, page)) for at, page in pages)
        here = (self._at, self._refusal(problem, self.page))
        at, judged = next((each for each in refused if any(each[1].problems)), here)
        if at == self._at:
            self._show_wrong(judged)
        else:
            self._turn_to(at, judged)

    def _show(self, judged: Validation) -> None:
        """Show each problem beside its field, and the others in the verdict. Show nothing while the
        page is being drawn, or after the form has been left."""
        names = [] if self.page.has_multiline_field else [field.name for field in self.page.fields]
        beside = {wrong.id: wrong for wrong in self.query(".wrong").results(Static)}
        verdict = next(iter(self.query("#verdict").results(HangingText)), None)
        if verdict is None or not {f"wrong-{_id(name)}" for name in names} <= beside.keys():
            return
        self._judged_last = judged
        self._tell_about()
        if self.page.has_multiline_field:
            self._follow()
            return
        missing = self._missing()
        how = " ({forms.turn_back} {forms.turn_on}: choose)" if missing and missing.choices else ""
        told = self.app.fill_in_keys(f"required{how}")
        needed = {missing.name: told} if missing and missing.name == self._asked_for else {}
        for name in names:
            wrong = beside[f"wrong-{_id(name)}"]
            message = judged.problems.get(name) or needed.get(name, "")
            wrong.display = bool(message)
            wrong.update(problems_content(message))
        rest = [text for name, text in judged.problems.items() if name not in names]
        parts = [problems_content(text) for text in rest]
        if judged.verdict:
            parts.insert(0, judged.verdict)
        verdict.set_text(Content("\n").join(parts))
        # A verdict set while the page is being drawn would keep the height of an empty one.
        verdict.call_after_refresh(verdict.refresh, layout=True)

    def _show_wrong(self, judged: Validation) -> None:
        """Show the problems, and go to the first field that has one."""
        self._show(judged)
        wrong = [field.name for field in self.page.fields if field.name in judged.problems]
        if isinstance(self.focused, LinesField):
            self._go_to_wrong_line(judged, self.focused)
        elif wrong and (self.focused is None or self.focused.name not in wrong):
            self.set_focus(self.query_one(f"#{_id(wrong[0])}"))

    def _go_to_wrong_line(self, judged: Validation, field: LinesField) -> None:
        """Go to the first line that is not understood."""
        wrong = [number for number, line in judged.lines.items() if WRONG in line.plain[:5]]
        if judged.problems and wrong:
            field.action_go_to_line(wrong[0] - 1)

    # --- going on -------------------------------------------------------------------------------

    @on(Input.Submitted)
    @on(LinesField.Done)
    def action_enter(self) -> None:
        """Go to an empty required field, if any; otherwise go to the next page, or submit the form
        on the last page."""
        missing = self._missing()
        if missing is not None:
            self.set_focus(self.query_one(f"#{_id(missing.name)}"))
            self._asked_for = missing.name
            self._judge()
        elif not self._going_on:  # a second Enter before the answer must not do it twice
            self._going_on = True
            self.workers.cancel_group(self, "judge")  # the attempt itself checks the last text
            self._go_on()

    @work(group="desk")
    async def _go_on(self) -> None:
        try:
            if self._at + 1 == len(self.form.pages(self.typed)):
                work = self.form.submit(dict(self.typed))
                cancel = self.form.can_stop
                stop = None if cancel or self.form.at_home else self.app.session.stopping
                done = await run_with_box_if_long(
                    self.app, self.page.title, work, can_stop=cancel, stop=stop
                )
                if self._draft is not None:
                    self._draft.save({})
                _ = self.dismiss(done)
                return
            judged = await self._judged()
            self._show_wrong(judged)
            if not judged.problems:
                self._turn_to(self._at + 1)
        except (ValueError, OSError) as problem:
            # Show the problems as the check words them, beside the fields, if the check finds any.
            judged = await self._judged()
            if judged.problems:
                self._show_wrong(judged)
            else:
                self._show_problem(problem)
        except Exception as error:
            # Input that could not be stored stays in the form, so that the player can try again.
            if not isinstance(error, StorageError):
                _ = self.dismiss(None)
            self.app.report_error(error)
        finally:
            self._going_on = False

    async def action_why(self) -> None:
        """Explain the selected field, or else the form."""
        field = self._current_field()
        await show_reasons(self.app, (field and field.explains) or self.form.explains)

    def action_back(self) -> None:
        if self._at:
            self._turn_to(self._at - 1)
        else:
            self.app.show_notice(LEFT if self.kept_draft_name else "")
            _ = self.dismiss(None)

    def action_anew(self) -> None:
        """Empty the form; the second time, restore its text."""
        back = {} if self._changed else self._put_away
        self._put_away = self._changed or self._put_away
        self.typed = self._first | back
        for name, text in self.typed.items():
            self.form.field_changed(name, text)
        self._keep()
        self._turn_to(0)

    def action_more(self) -> None:
        """Show the fields that are folded, or fold them again."""
        self._unfolded = not self._unfolded
        self._turn_to(self._at)

    def action_step(self, by: int) -> None:
        if isinstance(self.focused, LinesField):
            self.focused.action_cursor_down() if by > 0 else self.focused.action_cursor_up()
            return
        below = self._in_column(by)
        if not self.page.fields:
            self.action_scroll(by)
        elif below is not None:
            self.query_one(f"#{_id(below)}").focus()
        elif not self._is_at_end(by):
            _ = self.focus_next() if by > 0 else self.focus_previous()

    def _is_at_end(self, by: int) -> bool:
        """Whether the current field is the last (or first) one."""
        field, fields = self._current_field(), self.page.fields
        return field is not None and field.name == fields[-1 if by > 0 else 0].name

    def _in_column(self, by: int) -> str | None:
        """Return the field below (or above) the current one in a table; if that row has no field in
        this column, return its first one."""
        field, page = self._current_field(), self.page
        if field is None or not page.heads:
            return None
        rows = [[each.name for each in row] for _, row in groupby(page.fields, lambda of: of.label)]
        at = next(at for at, row in enumerate(rows) if field.name in row) + by
        below, end = rows[at] if 0 <= at < len(rows) else [], field.name.rpartition(".")[2]
        return next((name for name in below if name.endswith(f".{end}")), next(iter(below), None))

    def action_scroll(self, by: int) -> None:
        if isinstance(self.focused, LinesField):
            field = self.focused
            field.action_cursor_page_down() if by > 0 else field.action_cursor_page_up()
            return
        self.query_one("#told").scroll_relative(y=6 * by, animate=False)


def _id(name: str) -> str:
    return name.replace(".", "-")
