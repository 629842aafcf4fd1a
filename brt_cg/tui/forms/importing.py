"""A room from which the situation at scenario end is imported."""

from textual import work

from brt_cg.tui.frame.room import Room


class ImportingRoom(Room):
    """A room with the key that imports a file."""

    def action_import(self) -> None:
        if not self.app.hides(self.action_import):
            self._import()

    @work(group="import", exclusive=True)
    async def _import(self) -> None:
        from brt_cg.tui.forms.import_file import import_file

        await import_file(self.app)
