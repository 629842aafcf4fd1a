"""The dialog about the luck of the dice: how often each number was rolled, by side and table."""

from collections.abc import Iterator, Sequence

from textual.app import ComposeResult
from textual.content import Content

from brt_cg.exports.luck import FACES, Luck, OnTable
from brt_cg.text import counted
from brt_cg.tui.dialogs.words import WordsScreen
from brt_cg.tui.lists.panes import ReadingPane
from brt_cg.tui.look.columns import Column, by_twos, columns
from brt_cg.tui.look.lines import Lines

BAR = 40  # cells of the longest bar
TABLE = columns(4, BAR + 1, Column(7, "rolled", right=True), Column(10, "expected", right=True))
BARS = "│ marks what to expect. Low rolls are good in the Refit Phase."


class LuckScreen(WordsScreen):
    """Shows a block of bars for the dice of each side, and for each table; two side by side if
    there is room."""

    def __init__(self, luck: Sequence[Luck], tables: Sequence[OnTable]) -> None:
        super().__init__("The luck of the dice", Content())
        self.blocks = [*blocks(luck, tables)]

    def inside(self) -> ComposeResult:
        with ReadingPane():
            lines = Lines()
            lines.write_by(lambda room: luck_text(self.blocks, room.width))
            yield lines


def luck_text(found: Sequence[Sequence[Content]], width: int) -> Content:
    """The blocks about the dice in a width."""
    if not found:
        return Content("No dice have been rolled yet.")
    return Content("\n").join([Content.styled(BARS, "dim"), *by_twos(found, width)])


def blocks(luck: Sequence[Luck], tables: Sequence[OnTable]) -> Iterator[list[Content]]:
    """Yields the lines about the dice of each side, then by table: bars for the counts, with a mark
    at the average that dice give."""
    for rolled in luck:
        if rolled.dice:
            bars = _bars(FACES, rolled.faces, [rolled.dice / len(FACES)] * len(FACES))
            yield [*_head(rolled, f"all {rolled.dice} dice"), *bars]
    for table in tables:
        # What the rules lack of it is told by its ruling.
        name = table.heading.partition(" (")[0]
        head = _head(table, f"{name}, {counted(table.rolls, 'roll')}")
        yield [*head, *_bars(table.totals, table.counts, table.expected)]


def _head(rolled: Luck | OnTable, what: str) -> Iterator[Content]:
    yield Content()
    yield Content.styled(f"{rolled.side.label}: {what}", f"bold ${rolled.side}")
    average = f"average {rolled.average}, expected {rolled.expected_average}"
    yield Content(f"{average}; luckier than {rolled.percent} % of rolls")
    yield TABLE.headings()


def _bars(
    totals: Sequence[int], counts: Sequence[int], expected: Sequence[float]
) -> Iterator[Content]:
    most = max([*counts, *expected])
    for total, count, mean in zip(totals, counts, expected, strict=True):
        long, mark = round(count / most * BAR), round(mean / most * BAR)
        bar = "█" * long + " " * (BAR + 1 - long)
        # A line within the bar is drawn on its colour, so that the bar is not broken.
        line = ("│", "$secondary reverse" if mark < long else "$secondary")
        drawn = Content.assemble((bar[:mark], "$secondary"), line, (bar[mark + 1 :], "$secondary"))
        yield TABLE.row((f"{total:>3}", "bold"), drawn, f"{count}", (f"{mean:.1f}", "dim"))
