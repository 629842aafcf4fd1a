"""Importing the situation at scenario end from a room."""

from functools import partial

from brt_cg.tui.frame.room import Room


def import_here(room: Room) -> None:
    """Asks for a file to import, once the player whose it is looks."""
    if not room.app.hides(partial(import_here, room)):
        _ = room.run_worker(_import(room), group="import", exclusive=True)


async def _import(room: Room) -> None:
    from brt_cg.tui.forms.import_file import import_file

    await import_file(room.app)
