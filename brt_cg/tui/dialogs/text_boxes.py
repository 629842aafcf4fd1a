"""Boxes that show text over a room: a service record, a letter to copy into a mail, the luck of the
dice."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from textual.app import ComposeResult
from textual.content import Content

from brt_cg.exports.history import counter_history
from brt_cg.exports.luck import FACES, Luck, TableLuck
from brt_cg.exports.wording import notable_state_text
from brt_cg.model import Campaign, Counter
from brt_cg.text import count_text
from brt_cg.tui.dialogs.dialog import Dialog
from brt_cg.tui.keys.actions import binding_of
from brt_cg.tui.lists.panes import ReadingPane
from brt_cg.tui.look.columns import Column, columns, side_by_side
from brt_cg.tui.look.lines import HangingText, Lines
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.views.journal_rows import ShownLine

AROUND = 4  # lines of the box above and below its text


class WordsScreen(Dialog[None]):
    """A box that shows text until the player closes it."""

    KEYS = (
        "{lists.cursor_up}{lists.cursor_down} {lists.page_up} {lists.page_down} · "
        "{dialogs.close} closes"
    )
    BINDINGS = [
        binding_of("lists.select", "dismiss(None)"),
        binding_of("dialogs.leave", "dismiss(None)"),
    ]

    def __init__(self, title: str, words: Content) -> None:
        super().__init__(title)
        self.words = words

    def compose_box(self) -> ComposeResult:
        with ReadingPane():
            yield HangingText(self.words)

    def on_resize(self) -> None:
        """Let the text be as high as the box allows, and scroll if it is longer."""
        self.query_one(ReadingPane).styles.max_height = self.size.height * 9 // 10 - AROUND


async def show_service_record(app: CampaignApp, id: str) -> None:
    """Show the service record of a counter over the room."""
    seen = app.session.seen
    counter = seen.view.find(id) if seen else None
    if seen is not None and counter is not None:
        lines = await app.session.look_up(lambda desk: counter_history(desk.view(), id))
        await app.push_screen(WordsScreen(*service_record_text(seen.view, counter, lines)))


def service_record_text(
    view: Campaign, counter: Counter, lines: Sequence[ShownLine]
) -> tuple[str, Content]:
    """Return a service record: its title, and the lines of a counter's life under their dates."""
    fate = "" if counter.in_play else str(counter.fate).replace("_", " ")
    now = ", ".join(filter(None, (view.place_text(counter), fate, notable_state_text(counter))))
    parts = [Content.from_markup("[dim]now[/] $now", now=now)]
    for date, run in groupby(lines, key=lambda line: line.date):
        parts.append(Content.from_markup("\n[bold]$date[/]", date=date))
        for line in run:
            rule = line.rule or line.title
            parts.append(Content.from_markup("[dim]$rule[/] $text", rule=rule, text=line.text))
    if not lines:
        parts.append(Content("\nThe journal says nothing about it yet."))
    return f"Service record: {counter.label}", Content("\n").join(parts)


# --- a letter -------------------------------------------------------------------------------------


class LetterScreen(WordsScreen):
    """A box that shows text until the player closes it; a key copies the text to the clipboard."""

    KEYS = "{everywhere.copy_row} copies it · {dialogs.close} closes"
    BINDINGS = [binding_of("everywhere.copy_row", "copy")]

    def __init__(self, title: str, letter: str) -> None:
        super().__init__(title, Content(letter))
        self.letter = letter

    def action_copy(self) -> None:
        self.app.copy_to_clipboard(self.letter)
        self.app.notify("The text is on the clipboard.", title="Copied", timeout=3, markup=False)


# --- the luck of the dice -------------------------------------------------------------------------


BAR = 40  # cells of the longest bar
TABLE = columns(4, BAR + 1, Column(7, "rolled", right=True), Column(10, "expected", right=True))
BARS = "│ is the expected number. Low rolls are good in the Refit Phase."


class LuckScreen(WordsScreen):
    """A box with a block of bars for the dice of each side, and for each table; two side by side if
    there is room."""

    def __init__(self, luck: Sequence[Luck], tables: Sequence[TableLuck]) -> None:
        super().__init__("The luck of the dice", Content())
        self.blocks = [*luck_blocks(luck, tables)]

    def compose_box(self) -> ComposeResult:
        with ReadingPane():
            lines = Lines()
            lines.show_written_by(lambda room: luck_text(self.blocks, room.width))
            yield lines


def luck_text(found: Sequence[Sequence[Content]], width: int) -> Content:
    """Return the blocks about the dice, laid out for a width."""
    if not found:
        return Content("No dice have been rolled yet.")
    return Content("\n").join([Content.styled(BARS, "dim"), *side_by_side(found, width)])


def luck_blocks(luck: Sequence[Luck], tables: Sequence[TableLuck]) -> Iterator[list[Content]]:
    """Yield the lines about the dice of each side, then by table: bars for the counts, with a mark
    at the expected average."""
    for rolled in luck:
        if rolled.dice:
            bars = _bars(FACES, rolled.faces, [rolled.dice / len(FACES)] * len(FACES))
            yield [*_head(rolled, f"all {rolled.dice} dice"), *bars]
    for table in tables:
        # Its ruling says which part the rules lack.
        name = table.heading.partition(" (")[0]
        head = _head(table, f"{name}, {count_text(table.rolls, 'roll')}")
        yield [*head, *_bars(table.possible_totals, table.counts, table.expected_counts)]


def _head(rolled: Luck | TableLuck, what: str) -> Iterator[Content]:
    yield Content()
    yield Content.styled(f"{rolled.side.label}: {what}", f"bold ${rolled.side}")
    average = f"average {rolled.average}, expected {rolled.expected_average}"
    yield Content(f"{average}; luckier than {rolled.percent}% of rolls")
    yield TABLE.headings()


def _bars(
    totals: Sequence[int], counts: Sequence[int], expected: Sequence[float]
) -> Iterator[Content]:
    most = max([*counts, *expected])
    for total, count, mean in zip(totals, counts, expected, strict=True):
        long, mark = round(count / most * BAR), round(mean / most * BAR)
        bar = "█" * long + " " * (BAR + 1 - long)
        # A line within the bar is drawn on its color, so that the bar is not broken.
        line = ("│", "$secondary reverse" if mark < long else "$secondary")
        drawn = Content.assemble((bar[:mark], "$secondary"), line, (bar[mark + 1 :], "$secondary"))
        yield TABLE.row((f"{total:>3}", "bold"), drawn, f"{count}", (f"{mean:.1f}", "dim"))
