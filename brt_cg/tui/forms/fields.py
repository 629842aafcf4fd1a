"""The fields of forms, beside those that Textual has."""

import re
from collections.abc import Sequence

from textual.content import Content
from textual.suggester import Suggester
from textual.widget import Widget
from textual.widgets import Input

from brt_cg.tui.forms.chooser import Chooser
from brt_cg.tui.forms.lines_field import LinesField
from brt_cg.tui.look.lines import click
from brt_cg.tui.question.form import FormField


class LastWord(Suggester):
    """Suggests the first of some words that begins like the last word typed."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self.words = words

    async def get_suggestion(self, value: str) -> str | None:
        last = re.split(r"[\s,;]", value)[-1]
        fitting = (word for word in self.words if word.lower().startswith(last.lower()))
        found = next(fitting, None) if last else None
        return value + found[len(last) :] if found else None


class ListField(Input):
    """A field for several entries: each line that is pasted is one of them."""

    between_lines = ", "


def widget_for(field: FormField, value: str, id: str) -> Widget:
    """The widget that enters a field. Its hint is in brackets, for a terminal whose colours do not
    tell it from something typed."""
    if field.lines:
        return LinesField(value, field.hint, field.name, id)
    if field.choices:
        return Chooser(field.choices, value, id, field.name)
    words = [candidate.typed for candidate in field.offered]
    suggests = LastWord(words) if words else None
    hint = f"({field.hint})" if field.hint else ""
    made = ListField if field.joins else Input
    return made(value, hint, suggester=suggests, name=field.name, id=id, validate_on=())


def folded_text(labels: Sequence[str], key: str) -> Content:
    """The line for the fields that are left out, which a click or the key shows."""
    words = f" shows {len(labels)} more: {', '.join(labels)}"
    return Content.assemble((key, "bold $accent"), (words, "dim")).stylize(click("screen.more"))


def wrong_content(message: str) -> Content:
    """Problems, one to a line."""
    lines = (Content.assemble(("✗", "bold $error"), f" {line}") for line in message.splitlines())
    return Content("\n").join(lines)
