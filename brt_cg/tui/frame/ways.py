"""The keys of everywhere that lead to a room, or to a page of the Campaign room."""

from brt_cg.tui.keys.actions import (
    CAMPAIGN,
    DASHBOARD,
    FORCES,
    FORECAST,
    HOME,
    JOURNAL,
    PURCHASES,
    REFIT,
    SETUP,
)
from brt_cg.tui.session.campaign_app import CampaignApp


class Ways(CampaignApp):
    """The app, with an action for each way."""

    async def action_home(self) -> None:
        await self.show(HOME)

    async def action_dashboard(self) -> None:
        await self.show(DASHBOARD)

    async def action_refit(self) -> None:
        await self.show(REFIT)

    async def action_forces(self) -> None:
        await self.show(FORCES)

    async def action_journal(self) -> None:
        await self.show(JOURNAL)

    async def action_purchases(self) -> None:
        await self.show(PURCHASES)

    async def action_setup(self) -> None:
        await self.show(SETUP)

    async def action_forecast(self) -> None:
        await self.show(FORECAST, "the coming phase")

    async def action_campaign(self) -> None:
        await self.show(CAMPAIGN)

    async def action_allotments(self) -> None:
        await self.show(CAMPAIGN, "allotments")

    async def action_totals(self) -> None:
        await self.show(CAMPAIGN, "totals")

    async def action_order_of_battle(self) -> None:
        await self.show(CAMPAIGN, "order_of_battle")

    async def action_rulings(self) -> None:
        await self.show(CAMPAIGN, "rulings")

    async def action_audit(self) -> None:
        await self.show(CAMPAIGN, "audit")

    async def action_export(self) -> None:
        await self.show(CAMPAIGN, "export")
