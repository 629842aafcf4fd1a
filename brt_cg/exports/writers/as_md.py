"""Markdown that is readable as plain text too."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from brt_cg.exports import blocks

MARKS = {blocks.WriteIn.BOX: "☐", blocks.WriteIn.LINE: "______"}
# Characters with a meaning in Markdown anywhere; at the beginning of a line; and entities.
_SIGNS = re.compile(r"([\\`*<>|~\[\]]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;))")
_BEGINS = re.compile(r"^(\d*)([#+=.)-])(?=\s|#|-|=|$)")


def write_md(document: blocks.Document) -> str:
    """Return the title, the header, and the blocks, with blank lines between them."""
    head = document.head()
    paragraphs = [
        f"# {md_text(document.title)}",
        f"*{md_text(head.words)}*",
        *([f"Journal `{head.journal}`"] if head.journal else ()),
    ]
    return "\n\n".join([*paragraphs, *_md_blocks(document.blocks(), "##")]) + "\n"


def write_md_pages(document: blocks.Document) -> dict[str, str]:
    """Return each section of a document that has its own file, by file name; the part before the
    first section is repeated in each file."""
    shared: list[blocks.Block] = []
    files = {}
    for block in document.blocks():
        if isinstance(block, blocks.SectionBlock) and block.file:
            page = replace(
                document, title=block.title, blocks=partial(list, [*shared, *block.blocks])
            )
            files[f"{block.file}.md"] = write_md(page)
        elif not isinstance(block, blocks.SectionBlock):
            shared.append(block)
    return files


def _md_blocks(held: Iterable[blocks.Block], level: str) -> Iterator[str]:
    for block in held:
        match block:
            case blocks.SectionBlock():
                yield f"{level} {md_text(block.title)}"
                yield from _md_blocks(block.blocks, level + "#")
            case blocks.SideBySide():
                yield from _md_blocks(chain.from_iterable(block.columns), level)
            case blocks.TextBlock():
                yield _paragraph(block.words)
            case blocks.Bullets():
                yield "\n".join(map(_md_item, block.items))
            case blocks.TableBlock():
                yield "\n".join(md_table(block.columns, block.rows))
            case blocks.Picture():
                yield f"*{md_text(block.words)}*"


def _paragraph(words: str) -> str:
    return _BEGINS.sub(r"\1\\\2", md_text(words))


def _md_item(item: blocks.ListItem | str) -> str:
    if isinstance(item, str):
        return f"- {_paragraph(item)}"
    words = _paragraph(item.words)
    return f"- ~~{words}~~{item.after}" if item.struck else f"- {words}{item.after}"


def md_table(columns: Sequence[str], rows: Iterable[Sequence[blocks.Cell]]) -> list[str]:
    """Return a table as lines, its columns padded."""
    names = [md_text(name) for name in columns]
    cells = [[md_cell(value) for value in row] for row in rows]
    widths = [
        max([len(name), 3, *(len(row[at]) for row in cells)]) for at, name in enumerate(names)
    ]
    lines = [_padded(names, widths), _padded(["-" * width for width in widths], widths)]
    return lines + [_padded(row, widths) for row in cells]


def _padded(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return f"| {' | '.join(padded)} |"


def md_cell(value: blocks.Cell) -> str:
    return MARKS[value] if isinstance(value, blocks.WriteIn) else md_text(blocks.cell_text(value))


def md_text(text: str) -> str:
    """Escape every character of the text that has a meaning in Markdown."""
    return _SIGNS.sub(r"\\\1", " ".join(blocks.printable_line(text).split()))
