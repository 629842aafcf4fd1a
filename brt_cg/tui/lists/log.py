"""The log in the rooms: a line for each sentence; undone ones struck out."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby

from textual.content import Content
from textual.geometry import Size

from brt_cg.tui.look.lines import Panel, click_style, hang_text
from brt_cg.views.journal_rows import ShownLine

TAKEN_BACK = "↶ "
# The ruling that a line rests on, alone or before a reading, as now and as in older logs.
RULING = re.compile(r" \((?:ruling R-[A-Z0-9-]+|R-[A-Z0-9-]+(?:: [^)]*)?)\)")
RULING_AND_READING = re.compile(r"\(ruling R-[A-Z0-9-]+, ")
AGREED = re.compile(r"R-[A-Z0-9-]+ \(([0-9., ]+)\):")
CODE = re.compile(r"\b(?:ruling )?R-[A-Z0-9-]+")


def text_in_words(text: str) -> str:
    """Return the text of a line of the log without the codes of rulings, which Why? explains."""
    text = RULING_AND_READING.sub("(", RULING.sub("", text))
    return CODE.sub("a ruling", AGREED.sub(r"Ruling on \1:", text))


def line_content(line: ShownLine) -> Content:
    """Return one line of the log: struck out and marked if it was undone, marked if it is secret. A
    click on it explains it."""
    text = Content.styled(text_in_words(line.text), click_style(f"app.why('entry {line.seq}')"))
    if line.undone:
        text = Content.assemble(TAKEN_BACK, text.stylize("strike")).stylize("dim")
    if line.secret is None:
        return text
    return Content.assemble(text, " ", (f"({line.secret.label} secret)", "dim"))


@lru_cache(1024)
def _hung(line: ShownLine, width: int) -> Content:
    return hang_text(line_content(line), width)


def log_content(lines: Iterable[ShownLine], width: int) -> Content:
    """Return the lines of the log, with a heading for each paragraph or command. Long lines have a
    hanging indent."""
    blocks = []
    for (rule, title), run in groupby(lines, key=lambda line: (line.rule, line.title)):
        heading = Content.styled(f"{rule} {title}" if rule else title, "bold")
        heading = heading.stylize(click_style(f"app.why('{rule}')")) if rule else heading
        rows = [hang_text(heading, width)]
        rows += [_hung(line, width) for line in run]
        blocks.append(Content("\n").join(rows))
    return Content("\n\n").join(blocks)


class LogView(Panel):
    """The newest lines of the log, scrolled to the end."""

    BORDER_TITLE = "Log"
    _lines: Sequence[ShownLine] = ()

    def show(self, lines: Sequence[ShownLine], most: int = 120) -> None:
        """Show the newest lines, `most` of them."""
        before, self._lines = self._lines, lines[-most:]
        if self._lines != before:
            self.rewrite()

    def write_content(self, room: Size) -> Content:
        if not self._lines:
            return Content.styled("Nothing has been entered yet.", "dim")
        return log_content(self._lines, room.width)

    def write_for_size(self) -> None:
        super().write_for_size()
        self.scroll_to(y=self.max_scroll_y, animate=False, force=True)
