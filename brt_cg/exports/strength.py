"""The strength in a place: counters by side and type, in squad-equivalents, and in words."""

from collections import Counter as Tally
from collections.abc import Iterable

from brt_cg.card import Ladders
from brt_cg.immutable import immutable
from brt_cg.model import (
    CREWS,
    SIDES,
    Counter,
    Fortification,
    Side,
    Unit,
    UnitKind,
    Vehicle,
    Weapon,
    WeaponKind,
)
from brt_cg.purchases.breach import squad_equivalents_text

# The counts in a total, in order: the name in files; in words one, and several.
TOTALS = {
    "leaders": ("leader", "leaders"),
    "heroes": ("hero", "heroes"),
    "pathfinders": ("Pathfinder", "Pathfinders"),
    "squads": ("squad", "squads"),
    "half_squads": ("HS", "HS"),
    "crews": ("crew", "crews"),
    "prisoners": ("prisoner", "prisoners"),
    "sw": ("SW", "SW"),
    "guns": ("Gun", "Guns"),
    "vehicles": ("vehicle", "vehicles"),
    "wrecks": ("wreck", "wrecks"),
    "fortifications": ("fortification", "fortifications"),
}
_UNITS = {
    UnitKind.LEADER: "leaders",
    UnitKind.HERO: "heroes",
    UnitKind.PATHFINDER: "pathfinders",
    UnitKind.SQUAD: "squads",
    UnitKind.HALF_SQUAD: "half_squads",
    **dict.fromkeys(CREWS, "crews"),
}


@immutable
class ForceStrength:
    """The number of counters by side, by category (a key of TOTALS) and by type; prisoners do not
    count for the squad-equivalents."""

    counts: dict[tuple[Side, str, str], int]
    squad_equivalents: float

    def count_of_category(self, what: str) -> int:
        return sum(number for (_, group, _), number in self.counts.items() if group == what)

    @property
    def totals(self) -> dict[str, int]:
        return {what: self.count_of_category(what) for what in TOTALS}

    @property
    def words(self) -> str:
        """The strength in words: "2 leaders, 6 squads (7-6-8 × 4, 6-6-8 × 2) · 6
        squad-equivalents"."""
        parts = ", ".join(self._part(what) for what in TOTALS if self.count_of_category(what))
        size = self.squad_equivalents
        return f"{parts} · {squad_equivalents_text(size)}" if size else parts

    def types_text(self, what: str) -> str:
        """Return the types of a category: "7-6-8 × 4, 6-6-8"."""
        found = Tally[str]()
        for (_, group, type), number in self.counts.items():
            if group == what:
                found[type] += number
        parts = (f"{type} × {number}" if number > 1 else type for type, number in found.items())
        return ", ".join(parts)

    def _part(self, what: str) -> str:
        number = self.count_of_category(what)
        text = f"{number} {TOTALS[what][number != 1]}"
        return f"{text} ({self.types_text(what)})" if what in ("squads", "half_squads") else text


def count_strength(
    counters: Iterable[Counter], ladders: Ladders, of: tuple[Side, ...] = SIDES
) -> ForceStrength:
    """Return the strength of the counters of these sides, in their order; terrain is not
    counted."""
    counts: dict[tuple[Side, str, str], int] = {}
    size = 0.0
    for counter in counters:
        what = strength_category(counter)
        side = counter.side
        if what is None or side is None or side not in of:
            continue
        if isinstance(counter, Unit) and counter.prisoner:
            what = "prisoners"
        counts[side, what, counter.type_text] = counts.get((side, what, counter.type_text), 0) + 1
        if isinstance(counter, Unit) and not counter.prisoner:
            size += ladders.size_in_squad_equivalents(counter)
    return ForceStrength(counts, size)


def strength_category(counter: Counter) -> str | None:
    """Return a counter's category, a key of TOTALS, if it is counted."""
    if isinstance(counter, Unit):
        return _UNITS[counter.kind]
    if isinstance(counter, Weapon):
        return {WeaponKind.SW: "sw", WeaponKind.GUN: "guns"}.get(counter.kind)
    if isinstance(counter, Vehicle):
        return "wrecks" if counter.wreck else "vehicles"
    return "fortifications" if isinstance(counter, Fortification) else None
