"""The stages from a new campaign to its first scenario: what is done, what is missing, where to
enter it."""

from dataclasses import dataclass

from brt_cg.exports.wording import totals_missing
from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from brt_cg.text import counted
from brt_cg.tui.session.session import Seen


@dataclass(frozen=True, slots=True)
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
    view, sides = seen.view, [side for side in Side if seen.may_know(side)]
    allotted = {points.side for points in view.allotments.values()}
    with_totals = {side for side in sides if not totals_missing(view, side)}
    entered = {piece.side for piece in view.pieces() if piece.purchase is None}
    drafts = sum(purchase.draft for purchase in view.purchases.values())

    def lacking(having: set[Side]) -> str:
        """The sides that lack something: "Marine, Japanese"."""
        return ", ".join(side.label for side in sides if side not in having)

    return [
        Stage("Allotments", lacking(allotted), "Copy the points of the CG card", "allotments"),
        Stage("SAN and ELR", lacking(with_totals), "Copy SAN and ELR of the CG card", "totals"),
        Stage("Order of battle", lacking(entered), "Enter the order of battle", "order_of_battle"),
        Stage(
            "Purchases",
            f"{counted(drafts, 'draft')} to be bought" if drafts else "",
            "Buy the draft, or drop it",
            "purchases",
            open=situation.phase is Phase.PURCHASE,
        ),
        Stage("Setup, 15.6201 to 15.6205, and the first scenario", "", "", "refit", open=True),
    ]
