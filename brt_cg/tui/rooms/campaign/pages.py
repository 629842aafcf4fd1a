"""The pages of the Campaign room, one file for each."""

from brt_cg.tui.rooms.campaign import allotments, export, order_of_battle, rulings, totals
from brt_cg.tui.rooms.campaign.audit import AuditPage
from brt_cg.tui.rooms.campaign.catalogue import CataloguePage
from brt_cg.tui.rooms.campaign.page import CampaignPage


def pages() -> tuple[CampaignPage, ...]:
    """All pages, in order."""
    return (
        CampaignPage("allotments", allotments.rows),
        CampaignPage("totals", totals.rows),
        CampaignPage("order_of_battle", order_of_battle.rows, "What has arrived, and when"),
        CampaignPage("rulings", rulings.rows, "What it decided"),
        AuditPage(),
        CampaignPage("export", export.rows, "Preview", previews=True),
        CataloguePage(),
    )
