"""The header of every page of a document."""

from collections.abc import Callable
from typing import Any

from brt_cg.exports.blocks import PageHeader
from brt_cg.exports.wording import view_name, view_words
from brt_cg.journal.heads import short_head
from brt_cg.model import Side
from brt_cg.views.view import PublicView, View


def json_document_start(what: str, side: Side | None, *, public: bool = False) -> dict[str, Any]:
    """Return the beginning of a document for programs."""
    view = "public" if public else view_name(side)
    return {"format": f"brt-cg/{what}", "version": 1, "view": view}


def page_header_maker(book: View, date: str | None = None) -> Callable[[], PageHeader]:
    """Make the header of a side's documents (None: the umpire's) on demand, because finding a
    side's head requires reading the whole journal. `date` is the CG Date of the document if it is
    not the current one."""

    def head() -> PageHeader:
        situation = book.campaign.situation
        name = f"{situation.name} · " if situation.name else ""
        campaign = f"{name}CG {situation.cg}"
        if isinstance(book, PublicView):
            return PageHeader(campaign, date or situation.date, "What both sides know", "")
        head = short_head(book.head) if book.head else "–"
        return PageHeader(campaign, date or situation.date, view_words(book.side), head)

    return head
