"""The keys of everywhere that lead to a room, or to a page of the Campaign room."""

import re

from textual import work

from brt_cg.tui.keys.actions import (
    BY_ID,
    CAMPAIGN,
    DASHBOARD,
    EVERYWHERE,
    FORCES,
    FORECAST,
    HOME,
    JOURNAL,
    PURCHASES,
    REFIT,
    ROOMS,
    SETUP,
    Action,
)
from brt_cg.tui.look.columns import columns
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

    @work(group="rooms", exclusive=True)
    async def action_rooms(self) -> None:
        """Lists the rooms that can be gone to, each with its key."""
        from brt_cg.tui.dialogs.choice import ChoiceScreen, Reply

        ways = (BY_ID.get(f"{EVERYWHERE}.{room}") for room in ROOMS)
        replies = [
            Reply(
                way.name,
                self.keys_of(way)[0],
                columns(12).row(way.label, (_brief(way), "dim")),
            )
            for way in ways
            if way is not None and self.keys_of(way) and self.check_action(way.name, ())
        ]
        chosen = await self.push_screen_wait(ChoiceScreen("Rooms", "", replies))
        if chosen is not None:
            await self.run_action(chosen.value)

    async def action_campaign(self) -> None:
        await self.show(CAMPAIGN)

    async def action_allotments(self) -> None:
        await self.show(CAMPAIGN, "allotments")

    async def action_totals(self) -> None:
        await self.show(CAMPAIGN, "totals")

    async def action_order_of_battle(self) -> None:
        await self.show(CAMPAIGN, "order_of_battle")

    async def action_catalogue(self) -> None:
        await self.show(CAMPAIGN, "catalogue")

    async def action_rulings(self) -> None:
        await self.show(CAMPAIGN, "rulings")

    async def action_audit(self) -> None:
        await self.show(CAMPAIGN, "audit")

    async def action_export(self) -> None:
        await self.show(CAMPAIGN, "export")


def _brief(way: Action) -> str:
    """What a room is for, in a few words."""
    return re.split(r"[;:.]", way.help)[0]
