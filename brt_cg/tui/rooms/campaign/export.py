"""Export and print: the documents of a campaign, each with a preview as text."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from textual.content import Content

from brt_cg.exports import ABOUT, DOCUMENTS, build, write
from brt_cg.questions.answers import Refused
from brt_cg.tui.forms.delivery import fetched, say_delivered
from brt_cg.tui.forms.export import SAVE, SHEET, ExportForm
from brt_cg.tui.rooms.campaign.page import PageRow, RowLink
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import Seen, Session, seat_label

AS_TEXT = ("md", "json")  # the formats for previews, the best first
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
        (f". As {formats}." if formats else ".", "dim"),
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
    format = next((wanted for wanted in AS_TEXT if wanted in DOCUMENTS.get(document, ())), None)
    if format is None or (seen.seat, document) == (None, SHEET):
        return ()
    try:
        text = await session.consult(
            lambda desk: str(write(desk.tell(build, seen.seat, document), format))
        )
    except Refused as refused:
        return [RowLink(str(refused))]
    lines = text.splitlines()
    more = [RowLink(f"… {len(lines) - MOST} more lines")] if len(lines) > MOST else []
    return [*map(RowLink, lines[:MOST]), *more]


def _name(document: str) -> str:
    if document == SAVE:
        return "VASL save"
    named = document.replace("-", " ").replace("vasl", "VASL").replace("hip", "HIP")
    return f"{named[:1].upper()}{named[1:]}"
