"""Dialogs that show text over a room: a rule, a ruling, a service record, an explanation."""

from collections.abc import Sequence
from itertools import groupby

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from brt_cg.exports.history import life
from brt_cg.exports.wording import state_text
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter
from brt_cg.tui.dialogs.dialog import Dialog
from brt_cg.tui.keys.actions import bound
from brt_cg.tui.lists.panes import ReadingPane
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.views.rows import ShownLine

AROUND = 4  # lines of the box above and below its text


class WordsScreen(Dialog[None]):
    """Shows text until the player closes it."""

    KEYS = (
        "{lists.cursor_up}{lists.cursor_down} {lists.page_up} {lists.page_down} · "
        "{dialogs.close} closes"
    )
    BINDINGS = [bound("lists.select", "dismiss(None)"), bound("dialogs.leave", "dismiss(None)")]

    def __init__(self, title: str, words: Content) -> None:
        super().__init__(title)
        self.words = words

    def inside(self) -> ComposeResult:
        with ReadingPane():
            yield Static(self.words)

    def on_resize(self) -> None:
        """Lets the text have the height that the box may have, and scroll beyond it."""
        self.query_one(ReadingPane).styles.max_height = self.size.height * 9 // 10 - AROUND


async def show_life(app: CampaignApp, id: str) -> None:
    """Shows the service record of a counter over the room."""
    seen = app.session.seen
    counter = seen.view.find(id) if seen else None
    if seen is not None and counter is not None:
        lines = await app.session.consult(lambda desk: life(desk.book(), id))
        await app.push_screen(WordsScreen(*life_text(seen.view, counter, lines)))


def life_text(view: Campaign, counter: Counter, lines: Sequence[ShownLine]) -> tuple[str, Content]:
    """A service record: its title, and the lines of a counter's life under their dates."""
    fate = "" if counter.in_play else str(counter.fate).replace("_", " ")
    now = ", ".join(filter(None, (view.place(counter), fate, state_text(counter))))
    parts = [Content.from_markup("[dim]now[/] $now", now=now)]
    for date, run in groupby(lines, key=lambda line: line.date):
        parts.append(Content.from_markup("\n[bold]$date[/]", date=date))
        for line in run:
            rule = line.rule or line.title
            parts.append(Content.from_markup("[dim]$rule[/] $text", rule=rule, text=line.text))
    if not lines:
        parts.append(Content("\nThe journal says nothing about it yet."))
    return f"Service record: {counter.label}", Content("\n").join(parts)
