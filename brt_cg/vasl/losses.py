"""Losses entered by one VASL key: the counter, or a clone of it, goes to the Casualties window, and
the result is a new piece in its hex: a squad's HS, a vehicle's wreck.

VASSAL gives a clone the `UniqueID` of its original, and notes the place from which a piece was
sent. A loss is accepted if this leaves only one possibility; the order of pieces never decides.
"""

from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace

from brt_cg.vasl.situation import SavedCounter

TABLES = ("units", "vehicles")


@dataclass(slots=True)
class LossPairing:
    """The pieces and counters still to be matched: the pieces `found`, without those in the bin
    that live on in another piece, and the counters `remembered` by piece, including new ones;
    `told` are the pieces assumed to be replacements of others, and `open` the new pieces with the
    lost counters that each may have been."""

    found: list[SavedCounter]
    remembered: dict[str, str]
    told: list[SavedCounter] = field(default_factory=list)
    open: list[tuple[SavedCounter, list[SavedCounter]]] = field(default_factory=list)


def pair_losses_with_replacements(
    found: Sequence[SavedCounter],
    remembered: Mapping[str, str],
    becomes: Callable[[SavedCounter, SavedCounter], bool],
    long_dead: Container[str] = (),
) -> LossPairing:
    """Return the pieces of a save, without dead ones whose counter lives on in another piece.
    `becomes` says whether the first piece can have become the second by one loss; `long_dead` are
    the pieces that were dead before."""
    result = LossPairing([*found], {**remembered})
    _descend(result)
    alive = {
        id for one in result.found if not one.dead and (id := result.remembered.get(one.piece))
    }
    result.found = [
        one for one in result.found if not (one.dead and _counter(one, result.remembered) in alive)
    ]
    dead = [
        one
        for one in result.found
        if one.dead and one.table in TABLES and one.left and one.piece not in long_dead
    ]
    new = [one for one in result.found if not one.dead and one.piece not in result.remembered]
    pairs = [
        (was, now)
        for was in dead
        for now in new
        if was.left == now.location and was.table == now.table and becomes(was, now)
    ]
    _pair(result, pairs)
    return result


def _counter(piece: SavedCounter, remembered: Mapping[str, str]) -> str | None:
    """Return the counter of a piece, or of the piece from which it was cloned."""
    return remembered.get(piece.piece) or remembered.get(piece.origin)


def _descend(result: LossPairing) -> None:
    """Assign to each new piece that VASSAL cloned from another piece the counter of that piece,
    unless the original is still on the map, or several pieces were cloned from it."""
    alive = {one.piece for one in result.found if not one.dead}
    new = [
        one
        for one in result.found
        if not one.dead and one.piece not in result.remembered and one.origin not in alive
    ]
    origins = Counter(one.origin for one in new)
    for one in new:
        id = result.remembered.get(one.origin)
        if id is not None and origins[one.origin] == 1:
            result.remembered[one.piece] = id
            result.told.append(one)


def _pair(result: LossPairing, pairs: Sequence[tuple[SavedCounter, SavedCounter]]) -> None:
    """Accept the pairs in which neither member has another possibility; leave the others open."""
    times = Counter(one.piece for pair in pairs for one in pair)
    for was, now in pairs:
        if times[was.piece] == times[now.piece] == 1:
            id = _counter(was, result.remembered)
            if id is not None:
                result.remembered[now.piece] = id
            at = result.found.index(now)
            result.found[at] = replace(now, before=replace(was, dead=False, fields=_there(was)))
            result.found.remove(was)
            result.told.append(now)
    for piece in {now.piece: now for _, now in pairs}.values():
        dead = [was for was, now in pairs if now is piece]
        if len(dead) > 1 or times[dead[0].piece] > 1:
            result.open.append((piece, dead))


def _there(was: SavedCounter) -> dict[str, object]:
    return was.fields | {"location": was.left}
