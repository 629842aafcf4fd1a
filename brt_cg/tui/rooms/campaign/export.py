"""Export and print: the documents of a campaign, each with a preview as text."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from pathlib import Path

from textual.content import Content

from brt_cg.exports import ABOUT, DOCUMENTS, NAMES, USES, blocks, build_document, render_document
from brt_cg.exports.blocks import Document
from brt_cg.exports.writers.as_md import MARKS
from brt_cg.questions import RefusedError
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.text import capitalize
from brt_cg.tui.forms.delivery import file_from_player, report_delivery
from brt_cg.tui.forms.export import SAVE, SHEET, ExportForm
from brt_cg.tui.look.columns import Column, column_width_for, columns
from brt_cg.tui.rooms.campaign.page import PageRow, RowLink
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import CampaignSnapshot, Session, seat_label

MOST = 400  # lines of a preview
LISTED, ROOM = columns(21), 50  # the column of names, and the width for their uses too
GIVE = "A VASL save of the scenario; the program writes the counters into it."


def document_rows(seen: CampaignSnapshot) -> Sequence[PageRow]:
    return [_document_row(seen, document) for document in ABOUT]


def _document_row(seen: CampaignSnapshot, document: str) -> PageRow:
    about = ABOUT[document]
    seat = seat_label(seen.seat)
    whose = "with both sides' secrets" if seen.seat is None else f"as the {seat} player sees it"
    whose = "as the chosen side sees it" if (seen.seat, document) == (None, SHEET) else whose
    whose = "without any of your secrets" if document == "guide" else whose
    formats = ", ".join(DOCUMENTS.get(document, ()))
    words = Content.assemble(
        (f"{capitalize(USES[document])}.\n", "bold"),
        f"{capitalize(about)}, ",
        (whose, "bold"),
        ".",
        (f"\nFormats: {formats}" if formats else "", "dim"),
    )

    async def write_it(app: CampaignApp) -> None:
        if document != SAVE or not app.served:
            await _write_document(app, seen, document)
            return
        async with file_from_player(app, "Your VASL save", GIVE, (f".{SAVE}",), Path()) as given:
            if isinstance(given, Path):
                await _write_document(app, seen, document, given)

    name = NAMES[document]
    row = PageRow(partial(_row_text, name, USES[document]), document, name, words)
    return replace(row, enter="write or print it", does=write_it, leads=_preview)


def _row_text(name: str, use: str, width: int) -> Content:
    """Return the name of a document and, where there is room, its use."""
    return LISTED.row(name, (use, "dim")) if width > ROOM else Content(name)


async def _write_document(
    app: CampaignApp, seen: CampaignSnapshot, document: str, given: Path | None = None
) -> None:
    done = await app.show_form(ExportForm(app, seen, document, given))
    if done:
        report_delivery(app, done)


async def _preview(session: Session, seen: CampaignSnapshot, document: str) -> Sequence[RowLink]:
    formats = DOCUMENTS.get(document, ())
    if not {"md", "json"} & {*formats} or (seen.seat, document) == (None, SHEET):
        return ()

    def lines(desk: CampaignReader) -> list[RowLink]:
        """Return the first lines, and a note if there are more."""
        built = build_document(desk.view(), document)
        found = preview_lines(built) if "md" in formats else _json(built)
        return [*islice(found, MOST + 1)]

    try:
        found = await session.look_up(lines)
    except RefusedError as refused:
        return [RowLink(str(refused))]
    return found if len(found) <= MOST else [*found[:MOST], RowLink("… and more")]


def _json(document: Document) -> Iterator[RowLink]:
    return map(RowLink, str(render_document(document, "json")).splitlines())


# --- a preview ------------------------------------------------------------------------------------


def preview_lines(document: blocks.Document) -> Iterator[RowLink]:
    """Yield the title and the blocks, with a blank line between."""
    yield RowLink(Content.styled(document.title, "bold"))
    yield from _lines(document.blocks())


def _lines(held: Iterable[blocks.Block]) -> Iterator[RowLink]:
    for block in held:
        yield RowLink("")
        match block:
            case blocks.SectionBlock():
                yield RowLink(Content.styled(block.title, "bold"))
                yield from _lines(block.blocks)
            case blocks.SideBySide():
                yield from _lines(chain.from_iterable(block.columns))
            case blocks.TextBlock():
                yield RowLink(blocks.printable_line(block.words))
            case blocks.Bullets():
                yield from map(_item, block.items)
            case blocks.TableBlock():
                yield from _table(block)
            case blocks.Picture():
                yield RowLink(Content.styled(block.words, "dim"))


def _item(item: blocks.ListItem | str) -> RowLink:
    if isinstance(item, str):
        return RowLink(f"• {blocks.printable_line(item)}")
    style = "strike" if item.struck else ""
    return RowLink(Content.assemble("• ", (blocks.printable_line(item.words), style), item.after))


def _table(block: blocks.TableBlock) -> Iterator[RowLink]:
    """Yield a table without its empty columns; a line that does not fit is cut, not wrapped."""
    cells = [[_words(value) for value in row] for row in block.rows]
    kept = [at for at in range(len(block.columns)) if any(row[at] for row in cells)]
    table = columns(
        *(
            Column(
                column_width_for([block.columns[at], *(row[at] for row in cells)]),
                block.columns[at],
            )
            for at in kept
        )
    )
    yield RowLink(table.headings(), is_cut=True)
    for row in cells:
        yield RowLink(table.row(*(row[at] for at in kept)).rstrip(), is_cut=True)


def _words(value: blocks.Cell) -> str:
    return MARKS[value] if isinstance(value, blocks.WriteIn) else blocks.cell_text(value)
