"""Who took back how many rolls, and who rolled with seeds: no breach, but what players want to know
of each other."""

from collections.abc import Iterator, Sequence

from brt_cg.journal.entries import Entry
from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat
from brt_cg.text import counted
from brt_cg.views.journal import is_hidden


def hands(entries: Sequence[Entry], side: Side | None) -> Iterator[str]:
    """A sentence for each seat that took back a roll or rolled with a seed, as far as a side (None:
    the umpire) may know of it."""
    for seat in (*Seat, None):
        made = [entry for entry in entries if entry.seat is seat]
        back = sum(_rolls_taken_back(entry, entries, side) for entry in made)
        seeded = [e for e in made if e.payload.get("seed") is not None and _is_known(e, side)]
        parts = [f"took back {counted(back, 'roll')}"] if back else []
        if seeded:
            parts.append(f"rolled {counted(len(seeded), 'roll')} with {_seeds(seeded, side)}")
        if parts:
            yield f"{'nobody by name' if seat is None else seat.label} {' and '.join(parts)}"


def _seeds(seeded: Sequence[Entry], side: Side | None) -> str:
    """How many seeds there were; a side knows that of its own only."""
    if side is not None and (seeded[0].seat is None or seeded[0].seat.side is not side):
        return "a seed"
    return counted(len({entry.payload["seed"] for entry in seeded}), "seed")


def _rolls_taken_back(entry: Entry, entries: Sequence[Entry], side: Side | None) -> int:
    if entry.kind != "undo":
        return 0
    concerned = (entries[seq - 1] for seq in entry.asked["entries"])
    return sum("roll" in each.payload and _is_known(each, side) for each in concerned)


def _is_known(entry: Entry, side: Side | None) -> bool:
    return side is None or not is_hidden(entry, side)
