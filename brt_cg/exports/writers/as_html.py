"""HTML: one self-contained file, for the screen in light and dark, and for paper."""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from functools import partial
from hashlib import sha256
from html import escape
from pathlib import Path

from brt_cg.exports import blocks

STYLE = Path(__file__).parent / "style.css"  # for every document, on the screen and on paper
STEPS = Path(__file__).parent / "steps.js"  # for a stepped document
TURNS = (("previous", "‹"), ("next", "›"))
MARKS = {
    blocks.WriteIn.BOX: '<span class="box"></span>',
    blocks.WriteIn.LINE: '<span class="line"></span>',
}
PLAIN = " .,:;·()–-"  # characters without a meaning in a style sheet
WIDE = 125  # characters in a row that are too many for portrait
FIGURES = re.compile(r"\d+[-+]\d(?:-\d+)?(?: →| ×)?")  # on a counter: not broken into lines
GROUND = re.compile(r'<g id="(ground[-.\d]+)">.*?</g>', re.S)
SHORT = 14  # rows that stay together on a page
ABOVE = 58  # millimeters of a landscape page that are not for its drawing


def write_html(document: blocks.Document) -> str:
    head = document.head()
    whole = list(document.blocks())
    title = _text(f"{document.title} · {head.campaign}")
    page = "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f"<style>\n{_margins(document, head)}{STYLE.read_text('utf-8')}</style>",
            "</head>\n<body>",
            *_opening(document.title, head, whole, document.stepped),
            '<main class="half"><div class="cut"></div>' if document.half else "<main>",
            *_html_blocks(whole, 2),
            f"</main>{_script() if document.stepped else ''}\n</body>\n</html>\n",
        ]
    )
    drawn: set[str] = set()
    return GROUND.sub(partial(_once, drawn), page)


def _once(drawn: set[str], ground: re.Match[str]) -> str:
    """Return the background of a drawing, or a reference if the page already contains that
    background."""
    name = ground[1]
    if name in drawn:
        return f'<use href="#{name}"/>'
    drawn.add(name)
    return ground[0]


def _margins(document: blocks.Document, head: blocks.PageHeader) -> str:
    """Return the paper, the text in the margins of each printed page, and the height of a drawing
    that has a landscape page."""
    size, low = document.paper.value, min(document.paper.size)
    return (
        f"@page wide {{ size: {size} landscape; }}\n"
        f"@media print {{ .across figure svg {{ max-height: {low - ABOVE:.0f}mm !important; }} }}\n"
        f"@page {{ size: {size}{' landscape' if document.across else ''};\n"
        f"  @top-left {{ content: {_css_text(document.title)}; }}\n"
        f"  @top-right {{ content: {_css_text(head.words)}; }}\n"
        f"  @bottom-left {{ content: {_css_text(head.journal_hash_text)}; }}\n"
        "}\n"
    )


def _css_text(text: str) -> str:
    """Escape text for a style sheet, so that it can end neither its quotes nor the sheet."""
    signs = (sign if sign.isalnum() or sign in PLAIN else f"\\{ord(sign):x} " for sign in text)
    return f'"{"".join(signs)}"'


def _script() -> str:
    """Return the script that steps through a document: the only script that a page may have."""
    return f"\n<script>{STEPS.read_text('utf-8')}</script>"


def script_csp_source() -> str:
    """Return the source of the page's script for a Content-Security-Policy: the hash of the
    script."""
    digest = sha256(STEPS.read_text("utf-8").encode()).digest()
    return f"'sha256-{b64encode(digest).decode()}'"


def _opening(
    title: str, head: blocks.PageHeader, whole: Iterable[blocks.Block], stepped: bool
) -> Iterator[str]:
    yield f"<header>\n<h1>{_text(title)}</h1>"
    yield f'<p class="head">{_text(head.words.removeprefix(f"{title} · "))}</p>'
    if head.journal_hash_text:
        yield f'<p class="hash">{_text(head.journal_hash_text)}</p>'
    pages = [block.title for block in whole if isinstance(block, blocks.SectionBlock)]
    if len(pages) > 2 or stepped:
        links = "".join(f'<a href="#{_anchor(page)}">{_text(page)}</a>' for page in pages)
        back, on = (f'<button aria-label="{to} page">{sign}</button>' for to, sign in TURNS)
        line = f'{back}<div class="dates">{links}</div>{on}' if stepped else links
        yield f"<nav>{line}</nav>"
    yield "</header>"


def _anchor(title: str) -> str:
    return "s-" + "".join(sign if sign.isalnum() else "-" for sign in title.lower())


def _html_blocks(held: Iterable[blocks.Block], level: int) -> Iterator[str]:
    for block in held:
        match block:
            case blocks.SectionBlock():
                yield from _section(block, level)
            case blocks.SideBySide():
                inside = (
                    f"<div>{''.join(_html_blocks(column, level))}</div>" for column in block.columns
                )
                yield f'<div class="beside">{"".join(inside)}</div>'
            case blocks.TextBlock():
                yield f"<p>{_text(block.words)}</p>"
            case blocks.Bullets():
                yield f"<ul>{''.join(map(_html_item, block.items))}</ul>"
            case blocks.TableBlock():
                yield from _table(block)
            case blocks.Picture():
                caption = f"<figcaption>{_text(block.words)}</figcaption>"
                kind = ' class="half"' if block.half else ""
                # A drawing or table that is wider than the window is scrolled by keys, too.
                yield f'<figure{kind} tabindex="0">{block.svg}{caption}</figure>'


def _section(section: blocks.SectionBlock, level: int) -> Iterator[str]:
    named = f' id="{_anchor(section.title)}"' if level == 2 else ""
    inside = list(_html_blocks(section.blocks, min(level + 1, 6)))
    wide = any(line.startswith('<div class="table wide') for line in inside)
    wide = wide and section.columns == 1
    kinds = ["page"] * section.page + ["across"] * (section.across or wide)
    kinds += ["columns"] * (section.columns > 1)
    kind = f' class="{" ".join(kinds)}"' if kinds else ""
    yield f"<section{named}{kind}>\n<h{level}>{_text(section.title)}</h{level}>"
    yield from inside
    yield "</section>"


def _html_item(item: blocks.ListItem | str) -> str:
    if isinstance(item, str):
        return f"<li>{_text(item)}</li>"
    words = FIGURES.sub(r'<span class="whole">\g<0></span>', _text(item.words))
    text = f"<s>{words}</s>" if item.struck else words
    return f'<li>{text}<span class="after">{_text(item.after)}</span></li>'


def _table(table: blocks.TableBlock) -> Iterator[str]:
    kinds = [_kind([row[at] for row in table.rows]) for at in range(len(table.columns))]
    names = zip(table.columns, kinds, strict=True)
    yield f'<div class="{" ".join(_shape(table))}" tabindex="0"><table>{_widths(table)}'
    heading = "".join(f'<th scope="col"{kind}>{_text(name)}</th>' for name, kind in names)
    yield f"<thead><tr>{heading}</tr></thead>\n<tbody>"
    for row in table.rows:
        cells = zip(row, kinds, strict=True)
        yield f"<tr>{''.join(f'<td{kind}>{_cell(value)}</td>' for value, kind in cells)}</tr>"
    yield "</tbody></table></div>"


def _shape(table: blocks.TableBlock) -> Iterator[str]:
    """Yield the CSS classes of a table."""
    yield "table"
    if table.rows and table.is_wider_than(WIDE):
        yield "wide"
    if len(table.rows) <= SHORT:
        yield "short"
    if table.widths:
        yield "full"
    if table.roomy:
        yield "roomy"


def _widths(table: blocks.TableBlock) -> str:
    whole = sum(table.widths)
    shares = (f'<col style="width:{100 * share / whole:.1f}%">' for share in table.widths)
    return f"<colgroup>{''.join(shares)}</colgroup>" if table.widths else ""


def _kind(values: list[blocks.Cell]) -> str:
    """Return the class of a column: figures are right-aligned; boxes and lines have a width."""
    if blocks.is_numeric_column(values):
        return ' class="figure"'
    return ' class="boxs"' if blocks.WriteIn.BOX in values else ""


def _cell(value: blocks.Cell) -> str:
    if isinstance(value, blocks.CounterLabel):
        return _label(value)
    if isinstance(value, list):
        return " ".join(map(_cell, value))
    return MARKS[value] if isinstance(value, blocks.WriteIn) else _text(blocks.cell_text(value))


def _label(label: blocks.CounterLabel) -> str:
    kind = f" {_text(label.kind)}" if label.kind else ""
    id = f' <span class="id">{_text(label.number)}</span>' if label.number else ""
    notes = f'<span class="notes">{_text(label.notes)}</span>' if label.notes else ""
    inside = " inside" if label.inside else ""
    return f'<span class="counter{inside}"><b>{_text(label.printed)}</b>{kind}{id} {notes}</span>'


def _text(text: str) -> str:
    return escape(blocks.printable_line(text))
