"""The way from a new campaign to its first scenario: what is done, what is missing, where it is
entered."""

from collections.abc import Callable, Iterable

from brt_cg.counters import Side
from brt_cg.figures import counted
from brt_cg.records import Phase
from brt_cg.tui.session import Seen
from brt_cg.values import frozen


@frozen
class Stage:
    """A stage of the way: what it is, what of it is `missing` ("" if nothing is), what is to be
    done then, and the action of everywhere that leads there. What is `open` cannot be seen to be
    done."""

    words: str
    missing: str
    todo: str
    action: str
    open: bool = False

    @property
    def done(self) -> bool:
        return not (self.missing or self.open)


def stages(seen: Seen) -> list[Stage]:
    """The stages, first to last, as far as the seat may know; none once the first scenario is set
    up, or a situation has been imported half-way."""
    situation = seen.view.situation
    if not situation.initial or situation.phase not in (Phase.PURCHASE, Phase.SETUP):
        return []
    buying = situation.phase is Phase.PURCHASE
    sides = [side for side in Side if seen.may_know(side)]
    return [
        Stage(
            "Allotments",
            _of(sides, lambda side: _has_points(seen, side)),
            "Copy the points of the CG card",
            "allotments",
        ),
        Stage(
            "SAN and ELR",
            _of(sides, lambda side: not seen.view.totals_missing(side)),
            "Copy SAN and ELR of the CG card",
            "totals",
        ),
        Stage(
            "Order of battle",
            _of(sides, lambda side: _has_counters(seen, side)),
            "Enter the order of battle",
            "order_of_battle",
        ),
        Stage("Purchases", _drafted(seen), "Buy what is drafted, or drop it", "purchases", buying),
        Stage("Setup, 15.6201 to 15.6205, and the first scenario", "", "", "refit", open=True),
    ]


def _of(sides: Iterable[Side], has: Callable[[Side], bool]) -> str:
    """Whose is missing: "Marine, Japanese"."""
    return ", ".join(side.label for side in sides if not has(side))


def _has_points(seen: Seen, side: Side) -> bool:
    return any(points.side is side for points in seen.view.allotments.values())


def _has_counters(seen: Seen, side: Side) -> bool:
    return any(piece.side is side and piece.purchase is None for piece in seen.view.pieces())


def _drafted(seen: Seen) -> str:
    drafts = sum(purchase.draft for purchase in seen.view.purchases.values())
    return f"{counted(drafts, 'draft')} to be bought" if drafts else ""
