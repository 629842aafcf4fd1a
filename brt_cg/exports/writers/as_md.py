"""Markdown that reads well as plain text too."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from brt_cg.exports.blocks import (
    Block,
    Bullets,
    Cell,
    Document,
    Item,
    Section,
    Table,
    Text,
    view_words,
)


def write(document: Document) -> str:
    """A title, whose view it is, and the blocks with a blank line between."""
    paragraphs = [f"# {md_text(document.title)}", f"*{view_words(document.side)}*"]
    return "\n\n".join([*paragraphs, *_told(document.blocks, "##")]) + "\n"


def write_pages(document: Document) -> dict[str, str]:
    """Each page of a document as a text of its own, by file name; what comes before the first page
    stands on each."""
    shared: list[Block] = []
    files = {}
    for block in document.blocks:
        if isinstance(block, Section) and block.page:
            page = replace(document, title=block.title, blocks=[*shared, *block.blocks])
            files[f"{block.file}.md"] = write(page)
        else:
            shared.append(block)
    return files


def _told(blocks: Iterable[Block], level: str) -> Iterator[str]:
    for block in blocks:
        match block:
            case Section():
                yield f"{level} {md_text(block.title)}"
                yield from _told(block.blocks, level + "#")
            case Text():
                yield md_text(block.words)
            case Bullets():
                yield "\n".join(map(_item, block.items))
            case Table():
                yield "\n".join(md_table(block.columns, block.rows))


def _item(item: Item | str) -> str:
    if isinstance(item, str):
        return f"- {md_text(item)}"
    words = md_text(item.words)
    return f"- ~~{words}~~{item.after}" if item.struck else f"- {words}{item.after}"


def md_table(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> list[str]:
    """A table as lines, its columns padded."""
    cells = [[md_cell(value) for value in row] for row in rows]
    widths = [
        max([len(name), 3, *(len(row[at]) for row in cells)]) for at, name in enumerate(columns)
    ]
    lines = [_padded(columns, widths), _padded(["-" * width for width in widths], widths)]
    return lines + [_padded(row, widths) for row in cells]


def _padded(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return f"| {' | '.join(padded)} |"


def md_cell(value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return " ".join(map(md_cell, value))
    return md_text(str(value))


def md_text(text: str) -> str:
    """A text that means nothing to Markdown but itself."""
    for sign in ("\\", "|", "<", "*", "`"):
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())
