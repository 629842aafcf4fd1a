"""The fields of forms, beside those that Textual has."""

import re
from collections.abc import Sequence

from textual.content import Content
from textual.suggester import Suggester
from textual.widgets import Input

from brt_cg.tui.look.lines import click


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


def folded_text(labels: Sequence[str], key: str) -> Content:
    """The line for the fields that are left out, which a click or the key shows."""
    words = f" shows {len(labels)} more: {', '.join(labels)}"
    return Content.assemble((key, "bold $accent"), (words, "dim")).stylize(click("screen.more"))


def wrong_content(message: str) -> Content:
    """Problems, one to a line."""
    lines = (Content.assemble(("✗", "bold $error"), f" {line}") for line in message.splitlines())
    return Content("\n").join(lines)
