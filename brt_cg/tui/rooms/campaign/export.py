"""Export and print: the documents of a campaign, each with a preview as text."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from textual.content import Content

from brt_cg.exports import ABOUT, DOCUMENTS, build, write
from brt_cg.exports.blocks import Document
from brt_cg.questions.answers import Refused
from brt_cg.service.desk import Desk
from brt_cg.tui.forms.delivery import fetched, say_delivered
from brt_cg.tui.forms.export import SAVE, SHEET, ExportForm
from brt_cg.tui.rooms.campaign.page import PageRow, RowLink
from brt_cg.tui.rooms.campaign.preview import preview
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import Seen, Session, seat_label

MOST = 400  # lines of a preview
GIVE = "A save of the scenario, into which the counters are written."


def rows(seen: Seen) -> Sequence[PageRow]:
    return [_row(seen, document) for document in (*DOCUMENTS, SAVE)]


def _row(seen: Seen, document: str) -> PageRow:
    about = ABOUT[document]
    seat = seat_label(seen.seat)
    whose = "with both sides' secrets" if seen.seat is None else f"as the {seat} player sees it"
    whose = "as the chosen side sees it" if (seen.seat, document) == (None, SHEET) else whose
    formats = ", ".join(DOCUMENTS.get(document, ()))
    words = Content.assemble(
        f"{about[:1].upper()}{about[1:]}, ",
        (whose, "bold"),
        ".",
        (f"\nFormats: {formats}" if formats else "", "dim"),
    )

    async def write_it(app: CampaignApp) -> None:
        if document != SAVE or not app.served:
            await _write(app, seen, document)
            return
        async with fetched(app, "Your VASL save", GIVE, (f".{SAVE}",), Path()) as given:
            if isinstance(given, Path):
                await _write(app, seen, document, given)

    name = _name(document)
    row = PageRow(Content(name), document, name, words)
    return replace(row, enter="write or print it", does=write_it, leads=_preview)


async def _write(app: CampaignApp, seen: Seen, document: str, given: Path | None = None) -> None:
    done = await app.fill_in(ExportForm(app, seen, document, given))
    if done:
        say_delivered(app, done)


async def _preview(session: Session, seen: Seen, document: str) -> Sequence[RowLink]:
    formats = DOCUMENTS.get(document, ())
    if not {"md", "json"} & {*formats} or (seen.seat, document) == (None, SHEET):
        return ()

    def lines(desk: Desk) -> list[RowLink]:
        """The first lines, and one more if there are."""
        built = build(desk.book(), document)
        found = preview(built) if "md" in formats else _json(built)
        return [*islice(found, MOST + 1)]

    try:
        found = await session.consult(lines)
    except Refused as refused:
        return [RowLink(str(refused))]
    return found if len(found) <= MOST else [*found[:MOST], RowLink("… and more")]


def _json(document: Document) -> Iterator[RowLink]:
    return map(RowLink, str(write(document, "json")).splitlines())


def _name(document: str) -> str:
    if document == SAVE:
        return "VASL save"
    named = document.replace("-", " ").replace("vasl", "VASL").replace("hip", "HIP")
    return f"{named[:1].upper()}{named[1:]}"
