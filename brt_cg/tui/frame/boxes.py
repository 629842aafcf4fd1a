"""The keys of everywhere that open a box over the room in front."""

from textual import work

from brt_cg.tui.frame.shared_screen import SharedByTwo


class Boxes(SharedByTwo):
    """The app, with an action for each box, whose module is loaded at its first use."""

    def action_command_palette(self) -> None:
        if not self.screen.is_modal:
            self._choose_action()

    @work(group="palette", exclusive=True)
    async def _choose_action(self) -> None:
        from brt_cg.tui.frame.palette import choose_action

        await choose_action(self)

    async def action_requests(self) -> None:
        from brt_cg.tui.dialogs.requests import RequestsScreen

        if self.session.seen is not None:
            await self.push_screen(RequestsScreen())

    @work(group="accept", exclusive=True)
    async def action_as_it_is(self) -> None:
        """Takes a file that does not continue what the seat saw, if the player is sure."""
        from brt_cg.tui.dialogs.parted import accept

        await accept(self)

    @work(group="backups", exclusive=True)
    async def action_backups(self) -> None:
        from brt_cg.tui.dialogs.backups import choose_backup

        await choose_backup(self)
