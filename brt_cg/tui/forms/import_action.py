"""Importing the situation at scenario end from a room."""

from functools import partial

from brt_cg.tui.frame.room import Room


def import_in_room(room: Room) -> None:
    """Ask for a file to import, once the player who may import it is looking."""
    if not room.app.defers_to_curtain(partial(import_in_room, room)):
        _ = room.run_worker(_import(room), group="import", exclusive=True)


async def _import(room: Room) -> None:
    from brt_cg.tui.forms.import_file import import_file

    await import_file(room.app)
