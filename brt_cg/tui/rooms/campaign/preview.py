"""A document as lines for the screen."""

from collections.abc import Iterable, Iterator

from textual.content import Content

from brt_cg.exports import blocks
from brt_cg.exports.writers.as_md import MARKS
from brt_cg.tui.look.columns import Column, columns, longest
from brt_cg.tui.rooms.campaign.page import RowLink


def preview(document: blocks.Document) -> Iterator[RowLink]:
    """Yields the title and the blocks, with a blank line between."""
    yield RowLink(Content.styled(document.title, "bold"))
    yield from _lines(document.blocks())


def _lines(held: Iterable[blocks.Block]) -> Iterator[RowLink]:
    for block in held:
        yield RowLink("")
        match block:
            case blocks.SectionBlock():
                yield RowLink(Content.styled(block.title, "bold"))
                yield from _lines(block.blocks)
            case blocks.TextBlock():
                yield RowLink(blocks.printable(block.words))
            case blocks.Bullets():
                yield from map(_item, block.items)
            case blocks.TableBlock():
                yield from _table(block)
            case blocks.Picture():
                yield RowLink(Content.styled(block.words, "dim"))


def _item(item: blocks.ListItem | str) -> RowLink:
    if isinstance(item, str):
        return RowLink(f"• {blocks.printable(item)}")
    style = "strike" if item.struck else ""
    return RowLink(Content.assemble("• ", (blocks.printable(item.words), style), item.after))


def _table(block: blocks.TableBlock) -> Iterator[RowLink]:
    """Yields a table without its empty columns; a line is cut off where it ends."""
    cells = [[_words(value) for value in row] for row in block.rows]
    kept = [at for at in range(len(block.columns)) if any(row[at] for row in cells)]
    table = columns(
        *(
            Column(longest([block.columns[at], *(row[at] for row in cells)]), block.columns[at])
            for at in kept
        )
    )
    yield RowLink(table.headings(), is_cut=True)
    for row in cells:
        yield RowLink(table.row(*(row[at] for at in kept)).rstrip(), is_cut=True)


def _words(value: blocks.Cell) -> str:
    return MARKS[value] if isinstance(value, blocks.WriteIn) else blocks.cell_words(value)
