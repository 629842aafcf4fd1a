"""The pages of the Campaign room, one file for each."""

from brt_cg.tui.rooms.campaign import allotments, export, order_of_battle, rulings, totals
from brt_cg.tui.rooms.campaign.audit import AuditPage
from brt_cg.tui.rooms.campaign.catalogue import CataloguePage
from brt_cg.tui.rooms.campaign.page import CampaignPage, Shape


def pages() -> tuple[CampaignPage, ...]:
    """All pages, in order."""
    return (
        CampaignPage("allotments", allotments.rows, shape=Shape.FEW),
        CampaignPage("totals", totals.rows, shape=Shape.FEW),
        CampaignPage(
            "order_of_battle", order_of_battle.rows, "What has arrived, and when", Shape.TABLE
        ),
        CampaignPage("rulings", rulings.rows, "What it decided", Shape.BROAD),
        AuditPage(),
        CampaignPage("export", export.rows, "Preview", Shape.PREVIEW),
        CataloguePage(),
    )
