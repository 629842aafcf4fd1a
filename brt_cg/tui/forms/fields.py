"""The form fields in addition to Textual's: a choice among a few values, changed with ← and →, a
click, the space bar or a first letter; and several lines of text, typed, or pasted with their line
breaks kept."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from textual import events, getters
from textual.app import RenderResult
from textual.content import Content
from textual.message import Message
from textual.suggester import Suggester
from textual.widget import Widget
from textual.widgets import Input, TextArea

from brt_cg.tui.keys.actions import BY_ID, FORMS, bindings_of_named
from brt_cg.tui.keys.key_buffer import MANY_LINES
from brt_cg.tui.lists.search import next_cyclic
from brt_cg.tui.look.lines import click_style
from brt_cg.tui.question.form import FormField
from brt_cg.tui.session.campaign_app import CampaignApp


class Chooser(Widget, can_focus=True):
    """A field for one of several `choices`, which are values and their names; `value` is the chosen
    one."""

    BINDINGS = bindings_of_named(FORMS, turn_back="turn(-1)", turn_on="turn(1)")

    @dataclass
    class Changed(Message):
        """Posted when another value is chosen."""

        name: str
        value: str

    def __init__(self, choices: Sequence[tuple[str, str]], value: str, id: str, name: str) -> None:
        super().__init__(id=id, name=name)
        values = [known for known, _ in choices]
        self.choices, self.value = choices, value if value in values else values[0]

    def render(self) -> RenderResult:
        room = max(self.size.width - len("‹  ›"), 1)
        name = Content(dict(self.choices)[self.value]).truncate(room, ellipsis=True)
        return Content.from_markup("[$accent]‹[/] [bold]$name[/] [$accent]›[/]", name=name.plain)

    def action_turn(self, by: int) -> None:
        self._take(next_cyclic([value for value, _ in self.choices], self.value, by))

    def _take(self, value: str) -> None:
        self.value = value
        self.refresh()
        self.post_message(self.Changed(str(self.name), value))

    def on_click(self, event: events.Click) -> None:
        self.action_turn(1)

    def on_key(self, event: events.Key) -> None:
        """Go to the next choice that begins with the letter."""
        if event.character is None or not event.character.isalnum():
            return
        values = [value for value, _ in self.choices]
        at = values.index(self.value) + 1
        for value, name in (*self.choices[at:], *self.choices[:at]):
            if name.lower().startswith(event.character.lower()):
                event.stop()
                self._take(value)
                return


ENTER = BY_ID[f"{FORMS}.enter"]


class LinesField(TextArea):
    """A field for several lines. Enter begins another line, or ends the input on an empty one."""

    app = getters.app(CampaignApp)
    BINDINGS = bindings_of_named(FORMS, text_start="go_to_line(0)", text_end="go_to_end")

    @dataclass
    class Done(Message):
        """Posted by Enter on an empty line."""

    def __init__(self, text: str, hint: str, name: str, id: str) -> None:
        super().__init__(
            text,
            soft_wrap=False,
            show_line_numbers=True,
            placeholder=hint,
            name=name,
            id=id,
            classes=MANY_LINES,
        )
        self.move_cursor(self.document.end)

    @property
    def cursor_line_number(self) -> int:
        """The number of the cursor's line, from 1."""
        return self.cursor_location[0] + 1

    def action_go_to_line(self, at: int) -> None:
        """Go to the beginning of a line, counted from 0."""
        self.move_cursor((at, 0))

    def action_go_to_end(self) -> None:
        self.move_cursor(self.document.end)

    async def _on_key(self, event: events.Key) -> None:
        ends = event.key in self.app.keys_of(ENTER)
        if ends and not self.document[self.cursor_location[0]].strip():
            event.stop()
            event.prevent_default()
            self.post_message(self.Done())
        else:
            await super()._on_key(event)


class LastWordSuggester(Suggester):
    """A suggester of the first candidate that starts with the last words typed."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self.words = words

    async def get_suggestion(self, value: str) -> str | None:
        for between in (r"[,;]\s*", r"[\s,;]"):
            last = re.split(between, value)[-1]
            fitting = (word for word in self.words if word.lower().startswith(last.lower()))
            if last and (found := next(fitting, None)):
                return value + found[len(last) :]
        return None


class ListField(Input):
    """A field for several entries: each pasted line is one of them."""

    between_lines = ", "


class TableField(Input):
    """A field of a table: several pasted values fill it and the fields after it, row by row. The
    player can continue typed text after coming back to it."""

    @dataclass
    class Pasted(Message):
        """Posted for several values pasted at a field."""

        name: str
        values: Sequence[str]

    def __init__(self, value: str, hint: str, name: str, id: str) -> None:
        super().__init__(value, hint, name=name, id=id, select_on_focus=False, validate_on=())

    def _on_paste(self, event: events.Paste) -> None:
        values = event.text.split()
        if len(values) > 1:
            event.stop()
            event.prevent_default()
            self.post_message(self.Pasted(str(self.name), values))
        else:
            super()._on_paste(event)


def widget_for(field: FormField, value: str, id: str, *, in_table: bool = False) -> Widget:
    """Return the input widget of a field. Its hint is in brackets, for a terminal whose colors do
    not distinguish hints from typed text."""
    if field.lines:
        return LinesField(value, field.hint, field.name, id)
    if field.choices:
        return Chooser(field.choices, value, id, field.name)
    words = [candidate.typed for candidate in field.offered]
    suggests = LastWordSuggester(words) if words else None
    hints = "; ".join(filter(None, ("required" if field.required else "", field.hint)))
    hint = f"({hints})" if hints else ""
    if in_table:
        return TableField(value, hint, field.name, id)
    made = ListField if field.joins else Input
    return made(value, hint, suggester=suggests, name=field.name, id=id, validate_on=())


MOST_NAMED = 12  # fields that are left out


def folded_fields_text(labels: Sequence[str], key: str) -> Content:
    """Return the line in place of the folded fields; a click on it, or its key, unfolds them."""
    named = f": {', '.join(labels)}" if len(labels) <= MOST_NAMED else ""
    words = f" shows {len(labels)} more{named}"
    return Content.assemble((key, "bold $accent"), (words, "dim")).stylize(
        click_style("screen.more")
    )


def problems_content(message: str) -> Content:
    """Return problems, one to a line."""
    lines = (Content.assemble(("✗", "bold $error"), f" {line}") for line in message.splitlines())
    return Content("\n").join(lines)
