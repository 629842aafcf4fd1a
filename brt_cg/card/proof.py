"""An order of battle in a form for checking it against a card: by kind, with squad-equivalents and
Casualty VP."""

from collections.abc import Iterable

from brt_cg.card.games import Card
from brt_cg.immutable import immutable
from brt_cg.model import Counter, Unit, Vehicle, Weapon, WeaponKind


@immutable
class ProofLine:
    """Counters of one kind and type: their number and their total value."""

    kind: str
    what: str
    count: int
    squad_equivalents: float
    cvp: int


def proofreading_lines(counters: Iterable[Counter], card: Card) -> list[ProofLine]:
    """Return the lines for some counters, in their order, followed by their total."""
    found: dict[tuple[str, str], list[Counter]] = {}
    for counter in counters:
        found.setdefault((_kind(counter), counter.type_text), []).append(counter)
    lines = [
        ProofLine(kind, what, len(alike), *_worth(alike, card))
        for (kind, what), alike in found.items()
    ]
    everything = [each for alike in found.values() for each in alike]
    return [*lines, ProofLine("total", "", len(everything), *_worth(everything, card))]


def _worth(counters: Iterable[Counter], card: Card) -> tuple[float, int]:
    size, cvp = 0.0, 0
    for counter in counters:
        if isinstance(counter, Unit):
            size += card.ladders.size_in_squad_equivalents(counter)
            cvp += card.ladders.unit_cvp(counter)
        elif isinstance(counter, Vehicle):
            cvp += counter.cvp
        elif isinstance(counter, Weapon):
            cvp += card.ladders.weapon_kind_cvp(counter.kind)
    return size, cvp


def _kind(counter: Counter) -> str:
    if isinstance(counter, Unit):
        return counter.kind.label
    if isinstance(counter, Weapon):
        return {WeaponKind.GUN: "Gun", WeaponKind.SW: "SW"}.get(counter.kind, "armament")
    return counter.TABLE.rstrip("s")
