"""PDF, set by typst. Needs the extra `pdf`.

The document is passed on as typst code in which every text is a quoted string, so nothing in a name
is markup. The fonts are typst's own, and no time is included: the same document gives the same
bytes on every computer. Other fonts are only used for characters that those fonts lack (日本).
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from brt_cg.exports import blocks
from brt_cg.questions.answers import Refused

MARKS = {blocks.Mark.BOX: "box-to-tick", blocks.Mark.LINE: "line-to-write-on"}
WIDE = 130  # characters in a row that need small print
LONG = 16  # characters in a cell that may be broken into lines
PREAMBLE = Path(__file__).parent / "preamble.typ"  # the style, and what the code below uses
_BROUGHT = re.compile(r"[\x00-\u052f\u1e00-\u27bf\ufffd]*")  # the characters in typst's fonts


def write(document: blocks.Document) -> bytes:
    """Makes the PDF. Raises Refused if the extra is not installed."""
    try:
        import typst
    except ImportError:
        raise Refused("pdf needs the extra pdf: pip install 'brt-cg[pdf]'") from None
    code = source(document)
    brought = _BROUGHT.fullmatch(code) is not None
    made = typst.compile(code.encode(), format="pdf", ignore_system_fonts=brought)
    assert isinstance(made, bytes), "one PDF file"
    return made


def source(document: blocks.Document) -> str:
    """A document as typst code."""
    head, title = document.head(), _quoted(document.title)
    return "\n".join(
        [
            f"#set document(title: {title}, author: (), date: none)",
            _page(document.title, head),
            PREAMBLE.read_text("utf-8"),
            f"#heading(level: 1, outlined: false, {title})",
            f"#text(fill: soft, {_quoted(head.words)})",
            *_blocks(document.blocks(), 2),
        ]
    )


def _page(title: str, head: blocks.Head) -> str:
    return (
        '#set page(paper: "a4", margin: (x: 16mm, top: 18mm, bottom: 17mm),\n'
        f'  header: text(size: 8pt, fill: rgb("#6d6a62"), grid(columns: (auto, 1fr), '
        f"align: (left, right), strong({_quoted(title)}), {_quoted(head.words)})),\n"
        f'  footer: text(size: 6.5pt, fill: rgb("#6d6a62"), grid(columns: (1fr, auto), '
        f'text(font: "DejaVu Sans Mono", size: 5.6pt, {_quoted("Journal " + head.journal)}), '
        'text(size: 8pt, context counter(page).display("1 / 1", both: true)))))'
    )


def _blocks(held: Iterable[blocks.Block], level: int) -> Iterator[str]:
    for block in held:
        match block:
            case blocks.Section():
                yield from _section(block, level)
            case blocks.Text():
                yield f"#par({_quoted(block.words)})"
            case blocks.Bullets():
                yield f"#list({', '.join(map(_item, block.items))})"
            case blocks.Table():
                yield _table(block)
            case blocks.Picture():
                wide = "50%" if block.half else "100%"
                picture = f'image(bytes({_quoted(block.svg)}), format: "svg", width: {wide})'
                caption = f"text(size: 8pt, fill: soft, {_quoted(block.words)})"
                yield f"#block(breakable: false, stack(spacing: 4pt, {picture}, {caption}))"


def _section(section: blocks.Section, level: int) -> Iterator[str]:
    """A heading and its blocks; in landscape if it has a wide table."""
    held = list(section.blocks)
    across = any(isinstance(block, blocks.Table) and block.is_wider_than(WIDE) for block in held)
    if across:
        yield "#page(flipped: true)["
    elif section.page:
        yield "#pagebreak(weak: true)"
    yield f"#heading(level: {min(level, 4)}, {_quoted(section.title)})"
    yield from _blocks(held, level + 1)
    if across:
        yield "]"


def _item(item: blocks.Item | str) -> str:
    if isinstance(item, str):
        return f"[#{_quoted(item)}]"
    words = f"strike({_quoted(item.words)})" if item.struck else _quoted(item.words)
    return f"[#{words}#text(fill: soft, size: 0.85em, {_quoted(item.after)})]"


def _table(table: blocks.Table) -> str:
    size = "6.6pt" if table.is_wider_than(WIDE) else "8.6pt"
    # Short columns take what they need; long ones share the rest in proportion to their texts.
    shares = [f"{min(most, 90)}fr" if most > LONG else "auto" for most in table.longest]
    widths = [f"{share}fr" for share in table.widths] or shares
    columns = [[row[at] for row in table.rows] for at in range(len(table.columns))]
    sides = ["right" if blocks.figures(column) else "left" for column in columns]
    # A long name of a column may be broken after each word.
    names = (name.replace("_", "_\N{ZERO WIDTH SPACE}") for name in table.columns)
    heads = _array(map(_quoted, names))
    cells = _array(_cell(value) for row in table.rows for value in row)
    return f"#ruled({_array(widths)}, {_array(sides)}, {size}, {heads}, {cells})"


def _array(parts: Iterable[str]) -> str:
    return f"({''.join(f'{part}, ' for part in parts)})"


def _cell(value: blocks.Cell) -> str:
    return MARKS[value] if isinstance(value, blocks.Mark) else _quoted(blocks.cell_words(value))


def _quoted(text: str) -> str:
    """A text as a string of typst code."""
    return '"' + blocks.printable(text).replace("\\", "\\\\").replace('"', '\\"') + '"'
