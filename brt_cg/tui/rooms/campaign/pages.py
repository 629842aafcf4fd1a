"""The pages of the Campaign room, one file for each."""

from brt_cg.tui.rooms.campaign import allotments, export, order_of_battle, rulings, totals
from brt_cg.tui.rooms.campaign.audit import AuditPage
from brt_cg.tui.rooms.campaign.page import Page


def pages() -> tuple[Page, ...]:
    """All pages, in order."""
    return (
        Page("allotments", allotments.rows),
        Page("totals", totals.rows),
        Page("order_of_battle", order_of_battle.rows, "What has arrived, and when"),
        Page("rulings", rulings.rows, "What it decided"),
        AuditPage(),
        Page("export", export.rows, "Preview", previews=True),
    )
