"""The files in which this machine remembers, for each seat, the campaign that it last saw at a
place, and the entries that it has seen of a campaign there. A player may try something on a copy at
another place, so each place has a separate memory."""

from pathlib import Path

from brt_cg.files import read_state_file, state_file_path, write_state_file
from brt_cg.model import Side, seat_of_side
from brt_cg.storage.place import Place, canonical_place

FOLDER = "seen"


def last_seen_campaign_file(place: Place, side: Side | None) -> Path:
    """Return the file that says which campaign a seat last saw at a place."""
    return state_file_path(FOLDER, f"at {canonical_place(place)} {seat_of_side(side)}")


def seen_heads_file(first: str, place: Place, side: Side | None) -> Path:
    """Return the file with the heads of a campaign that a seat has seen at a place. It is named
    after the first head."""
    return state_file_path(FOLDER, f"{first} at {canonical_place(place)} {seat_of_side(side)}")


def forget_campaign_seen_at_place(place: Place) -> None:
    """Forget which campaign was at a place, where a player begins a new one."""
    for side in (None, *Side):
        file = last_seen_campaign_file(place, side)
        if read_state_file(file):
            write_state_file(file, {})
