"""The stages from a new campaign to its first scenario: what is done, what is missing, where to
enter it."""

from collections.abc import Callable

from brt_cg.counters import Side
from brt_cg.figures import counted
from brt_cg.records import Phase
from brt_cg.tui.session import Seen
from brt_cg.values import frozen


@frozen
class Stage:
    """A stage: its name, what is `missing` ("" if nothing is), what to do about that, and the
    action of everywhere that leads there. An `open` stage never counts as done."""

    words: str
    missing: str
    todo: str
    action: str
    open: bool = False

    @property
    def done(self) -> bool:
        return not (self.missing or self.open)


def stages(seen: Seen) -> list[Stage]:
    """The stages in order, as far as the seat may know them; none after the setup of the first
    scenario, or if a situation was imported half-way."""
    situation = seen.view.situation
    if not situation.initial or situation.phase not in (Phase.PURCHASE, Phase.SETUP):
        return []
    buying = situation.phase is Phase.PURCHASE

    def lacking(has: Callable[[Side], bool]) -> str:
        """The sides that lack something: "Marine, Japanese"."""
        sides = [side.label for side in Side if seen.may_know(side) and not has(side)]
        return ", ".join(sides) + (": the umpire enters it" if sides and seen.by_role else "")

    return [
        Stage(
            "Allotments",
            lacking(lambda side: _has_points(seen, side)),
            "Copy the points of the CG card",
            "allotments",
        ),
        Stage(
            "SAN and ELR",
            lacking(lambda side: not seen.view.totals_missing(side)),
            "Copy SAN and ELR of the CG card",
            "totals",
        ),
        Stage(
            "Order of battle",
            lacking(lambda side: _has_counters(seen, side)),
            "Enter the order of battle",
            "order_of_battle",
        ),
        Stage("Purchases", _drafted(seen), "Buy the draft, or drop it", "purchases", buying),
        Stage("Setup, 15.6201 to 15.6205, and the first scenario", "", "", "refit", open=True),
    ]


def _has_points(seen: Seen, side: Side) -> bool:
    return any(points.side is side for points in seen.view.allotments.values())


def _has_counters(seen: Seen, side: Side) -> bool:
    return any(piece.side is side and piece.purchase is None for piece in seen.view.pieces())


def _drafted(seen: Seen) -> str:
    drafts = sum(purchase.draft for purchase in seen.view.purchases.values())
    return f"{counted(drafts, 'draft')} to be bought" if drafts else ""
