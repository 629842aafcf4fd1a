"""The pages for friends of a campaign, who have no seat: its state, the newest lines, the map and
the chronicle. They are made only from the view of what both sides know."""

from collections.abc import Iterator
from contextlib import closing

from brt_cg.exports import export_document
from brt_cg.exports.wording import next_step_text, turn_words
from brt_cg.model import Phase
from brt_cg.refit.sequence import TITLES
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.storage.engine import engine_of
from brt_cg.storage.place import Place
from brt_cg.views.view import PublicView
from brt_cg.web.plain_html import STYLE, escape_html

STATUS = "status"
# The format of each document, and its media type.
FORMATS = {"chronicle": ("html", "text/html"), "map": ("svg", "image/svg+xml")}
NEWEST = 12  # lines of the log


def render_friends_page(file: Place, what: str) -> bytes:
    """Return a page for friends: STATUS or a document. Raises StorageError."""
    with (
        engine_of(file).reuse_connection(file),
        closing(CampaignReader.open_read_only(file)) as desk,
    ):
        book = desk.public_view()
        if what == STATUS:
            return "".join(friends_status_html_parts(book)).encode()
        return str(export_document(book, what, FORMATS[what][0])).encode()


def friends_status_html_parts(book: PublicView) -> Iterator[str]:
    """Yield the page about the state of the campaign, in parts."""
    situation = book.campaign.situation
    name = situation.name or "A campaign on Betio"
    step = situation.paragraph or situation.done
    at = f", at {step} {TITLES[step]}" if step and not book.waiting else ""
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape_html(name)}</title><style>{STYLE}</style></head>"
    yield (
        f"<body><header><h1>{escape_html(name)}</h1><p>What both sides know · CG {situation.cg} · "
    )
    yield f"{escape_html(f'{situation.date} · {situation.phase.when_text}{at}')}</p></header><main>"
    yield f"<p>{escape_html(_next(book))}.</p>"
    yield '<p><a class="link" href="chronicle">The chronicle</a></p>'
    yield '<h2>The map</h2><a href="map"><img src="map" style="width: 100%" '
    yield 'alt="Betio with the Setup Areas and stacks that both sides know"></a>'
    yield "<h2>What happened</h2><ul>"
    lines = book.newest_lines(NEWEST)[-NEWEST:]
    yield from (f"<li>{escape_html(str(line))}</li>" for line in reversed(lines))
    yield "</ul></main></body></html>"


def _next(book: PublicView) -> str:
    """Return the player whose turn it is, or the next step."""
    upcoming = f"{book.next} {TITLES[book.next]}" if book.next else ""
    turn = turn_words(book.side_to_answer, None)
    situation = book.campaign.situation
    step = next_step_text(situation, book.half, upcoming)
    step = step if situation.phase is Phase.OVER else f"Next: {step[0].lower()}{step[1:]}"
    return turn or step
