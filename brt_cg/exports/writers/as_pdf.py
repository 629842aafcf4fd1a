"""PDF, set by typst; needs the extra `pdf`.

The document is passed on as typst code in which every text is a quoted string, so nothing in a name
is markup. The fonts are typst's own, and no time is included: the same document gives the same
bytes on every computer. Other fonts are used only for characters that those fonts lack (日本).
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from brt_cg.exports import blocks
from brt_cg.exports.paper import Paper
from brt_cg.questions import RefusedError
from brt_cg.text import install_command

MARKS = {blocks.WriteIn.BOX: "box-to-tick", blocks.WriteIn.LINE: "line-to-write-on"}
PAPERS = {Paper.A4: "a4", Paper.LETTER: "us-letter"}  # as typst names them
MARGINS = (47, 24)  # of a landscape page, above and beside its picture, in millimeters
UPRIGHT = "margin: (x: 16mm, top: 16mm, bottom: 13mm)"
ACROSS = "flipped: true, margin: (x: 12mm, top: 16mm, bottom: 14mm)"
WIDE = 130  # characters in a row that need small print
LONG = 16  # characters in a cell that may be broken into lines
PREAMBLE = Path(__file__).parent / "preamble.typ"  # the style, and what the code below uses
_BROUGHT = re.compile(r"[\x00-\u052f\u1e00-\u27bf\ufffd]*")  # the characters in typst's fonts


def write_pdf(document: blocks.Document) -> bytes:
    """Make the PDF. Raises RefusedError if the extra is not installed."""
    try:
        import typst
    except ImportError:
        raise RefusedError(f'PDF files need the "pdf" extra: {install_command("pdf")}') from None
    code = typst_source(document)
    brought = _BROUGHT.fullmatch(code) is not None
    made = typst.compile(code.encode(), format="pdf", ignore_system_fonts=brought)
    assert isinstance(made, bytes), "one PDF file"
    return made


def typst_source(document: blocks.Document) -> str:
    """Return a document as typst code."""
    head, title = document.head(), _quoted(document.title)
    return "\n".join(
        [
            f"#set document(title: {title}, author: (), date: none)",
            _page(document, head),
            PREAMBLE.read_text("utf-8"),
            *(["#show: half-a-page"] if document.half else []),
            f"#heading(level: 1, outlined: false, {title})",
            f"#text(fill: soft, {_quoted(head.words)})",
            *_typst_blocks(document.blocks(), 2, document.paper),
        ]
    )


def _page(document: blocks.Document, head: blocks.PageHeader) -> str:
    title = _quoted(document.title)
    return (
        f'#set page(paper: "{PAPERS[document.paper]}", {ACROSS if document.across else UPRIGHT},\n'
        f'  header: text(size: 8pt, fill: rgb("#6d6a62"), grid(columns: (auto, 1fr), '
        f"align: (left, right), strong({title}), {_quoted(head.words)})),\n"
        f'  footer: text(size: 6.5pt, fill: rgb("#6d6a62"), grid(columns: (1fr, auto), '
        f'text(font: "DejaVu Sans Mono", size: 5.6pt, {_quoted(head.journal_hash_text)}), '
        'text(size: 8pt, context counter(page).display("1 / 1", both: true)))))'
    )


def _typst_blocks(held: Iterable[blocks.Block], level: int, paper: Paper) -> Iterator[str]:
    whole = list(held)
    for block in whole:
        match block:
            case blocks.SectionBlock():
                yield from _section(block, level, paper)
            case blocks.SideBySide():
                inside = (
                    "\n".join(_typst_blocks(column, level, paper)) for column in block.columns
                )
                shares = ", ".join("1fr" for _ in block.columns)
                columns = ", ".join(f"[{column}]" for column in inside)
                yield f"#grid(columns: ({shares}), gutter: 8mm, inset: (top: 6pt), {columns})"
            case blocks.TextBlock():
                above = str(block is not whole[-1]).lower()  # words stay with their subject
                yield f"#block(sticky: {above}, par({_quoted(block.words)}))"
            case blocks.Bullets():
                yield f"#list({', '.join(map(_typst_item, block.items))})"
            case blocks.TableBlock():
                yield _table(block)
            case blocks.Picture():
                wide = "50%" if block.half else _filling(block, paper)
                picture = f'image(bytes({_quoted(block.svg)}), format: "svg", width: {wide})'
                caption = f"text(size: 8pt, fill: soft, {_quoted(block.words)})"
                yield f"#block(breakable: false, stack(spacing: 4pt, {picture}, {caption}))"


def _filling(picture: blocks.Picture, paper: Paper) -> str:
    """Return the width of a picture: the whole column, or as much of a landscape page as fits."""
    high, wide = (side - margins for side, margins in zip(paper.size, MARGINS, strict=True))
    return f"{min(wide, high * picture.ratio):.0f}mm" if picture.ratio else "100%"


def _section(section: blocks.SectionBlock, level: int, paper: Paper) -> Iterator[str]:
    """Yield a heading and its blocks; in landscape if it has a wide table."""
    held = list(section.blocks)
    wide = any(isinstance(block, blocks.TableBlock) and block.is_wider_than(WIDE) for block in held)
    across = (wide or section.across) and level == 2  # a page is not inside another, or a column
    if across:
        yield f"#page({ACROSS})["
    elif section.page:
        yield "#pagebreak(weak: true)"
    if section.columns == 1:
        yield f"#heading(level: {min(level, 4)}, {_quoted(section.title)})"
        yield from _typst_blocks(held, level + 1, paper)
    else:
        yield f"#in-columns({section.columns})["
        yield from _typst_blocks(held, level + 1, paper)
        yield "]"
    if across:
        yield "]"


def _typst_item(item: blocks.ListItem | str) -> str:
    if isinstance(item, str):
        return f"[#{_quoted(item)}]"
    words = f"strike({_quoted(item.words)})" if item.struck else _quoted(item.words)
    return f"[#{words}#text(fill: soft, size: 0.85em, {_quoted(item.after)})]"


def _table(table: blocks.TableBlock) -> str:
    size = "6.6pt" if table.is_wider_than(WIDE) else "8.6pt"
    # Short columns take what they need; long ones share the rest in proportion to their texts.
    shares = [
        f"{min(most, 90)}fr" if most > LONG else "auto" for most in table.longest_cell_lengths
    ]
    widths = [f"{share}fr" for share in table.widths] or shares
    columns = [[row[at] for row in table.rows] for at in range(len(table.columns))]
    sides = ["right" if blocks.is_numeric_column(column) else "left" for column in columns]
    # A long name of a column may be broken after each word.
    names = (name.replace("_", "_\N{ZERO WIDTH SPACE}") for name in table.columns)
    heads = _array(map(_quoted, names))
    cells = _array(map(_cell, _cells(table)))
    shape = (
        "roomy"
        if table.roomy
        else "slim"
        if any(isinstance(cell, blocks.CounterLabel) for cell in _cells(table))
        else "ruled"
    )
    return f"#{shape}({_array(widths)}, {_array(sides)}, {size}, {heads}, {cells})"


def _cells(table: blocks.TableBlock) -> Iterator[blocks.Cell]:
    return (value for row in table.rows for value in row)


def _array(parts: Iterable[str]) -> str:
    return f"({''.join(f'{part}, ' for part in parts)})"


def _cell(value: blocks.Cell) -> str:
    if isinstance(value, blocks.CounterLabel):
        return _label(value)
    if isinstance(value, list):
        return f"[{' '.join(f'#{_cell(part)}' for part in value)}]"
    return MARKS[value] if isinstance(value, blocks.WriteIn) else _quoted(blocks.cell_text(value))


def _label(label: blocks.CounterLabel) -> str:
    parts = map(_quoted, (label.printed, label.kind, label.number, label.notes))
    return f"on-a-list({', '.join(parts)}, {str(label.inside).lower()})"


def _quoted(text: str) -> str:
    """Return text as a quoted string of typst code."""
    return '"' + blocks.printable_line(text).replace("\\", "\\\\").replace('"', '\\"') + '"'
