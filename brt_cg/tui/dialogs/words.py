"""Dialogs that show text over a room: a rule, a ruling, a service record, an explanation."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from brt_cg.exports.history import life
from brt_cg.exports.luck import FACES, Luck, OnTable
from brt_cg.exports.wording import state_text
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter
from brt_cg.text import counted
from brt_cg.tui.dialogs.dialog import Dialog
from brt_cg.tui.keys.actions import bound
from brt_cg.tui.lists.reading import ReadingPane
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.views.rows import ShownLine


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


async def show_life(app: CampaignApp, id: str) -> None:
    """Shows the service record of a counter over the room."""
    seen = app.session.seen
    counter = seen.view.find(id) if seen else None
    if seen is not None and counter is not None:
        lines = await app.session.consult(lambda desk: desk.tell(life, seen.seat, id))
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


# --- dice -----------------------------------------------------------------------------------------

BAR = 40  # cells of the longest bar
BARS = (
    "Bars show how often each number was rolled, │ the average. Low rolls are "
    "good in the Refit Phase."
)


def dice_text(luck: Sequence[Luck], tables: Sequence[OnTable]) -> Content:
    """The dice of each side, then by table: bars for the counts, with a mark at the average that
    dice give."""
    parts = [Content.styled(BARS, "dim")]
    for rolled in luck:
        if rolled.dice:
            head = f"{rolled.side.label}: all {rolled.dice} dice"
            parts.append(_head(rolled, head))
            parts += _bars(FACES, rolled.faces, [rolled.dice / len(FACES)] * len(FACES))
    for table in tables:
        head = f"{table.side.label}: {table.heading}, {counted(table.rolls, 'roll')}"
        parts.append(_head(table, head))
        parts += _bars(table.totals, table.counts, table.expected)
    return Content("\n").join(
        parts if len(parts) > 1 else [Content("No dice have been rolled yet.")]
    )


def _head(rolled: Luck | OnTable, head: str) -> Content:
    average = f"average {rolled.average}, expected {rolled.expected_average}"
    words = f"\n{average}; luckier than {rolled.percent} % of rolls"
    return Content.assemble((f"\n{head}", f"bold ${rolled.side}"), words)


def _bars(
    totals: Sequence[int], counts: Sequence[int], expected: Sequence[float]
) -> Iterator[Content]:
    most = max([*counts, *expected])
    for total, count, mean in zip(totals, counts, expected, strict=True):
        cells = ["█" if at < round(count / most * BAR) else " " for at in range(BAR + 1)]
        cells[round(mean / most * BAR)] = "│"
        yield Content.assemble(
            (f"{total:>3} ", "bold"),
            ("".join(cells), "$secondary"),
            f"{count:>4}",
            (f"  {mean:.1f} on average", "dim"),
        )
