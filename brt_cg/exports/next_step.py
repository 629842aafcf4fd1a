"""The next thing to do, in a sentence; and the stages from a new campaign to its first scenario:
done or not, the facts that are missing, and where to enter them."""

from collections.abc import Collection

from brt_cg.exports.wording import missing_totals, next_step_text
from brt_cg.immutable import immutable
from brt_cg.model import Campaign, Phase, Side
from brt_cg.refit.victory import distance_to_immediate_victory, victory_points, victory_points_text
from brt_cg.text import count_text
from brt_cg.views.steps import Step
from brt_cg.views.view import View


@immutable
class Stage:
    """A stage: its name, the facts `missing` ("" if none are), the way to enter them, and the
    global action that leads there. An `open` stage never counts as done."""

    words: str
    missing: str
    todo: str
    action: str
    open: bool = False

    @property
    def is_done(self) -> bool:
        return not (self.missing or self.open)


def setup_stages(view: Campaign, known: Collection[Side]) -> tuple[Stage, ...]:
    """Return the stages in order, as known to a reader who knows the secrets of these sides; there
    are none after the setup of the first scenario, or if the campaign began with the import of a
    later situation."""
    situation = view.situation
    if not situation.initial or situation.phase not in (Phase.PURCHASE, Phase.SETUP):
        return ()
    allotted = {points.side for points in view.allotments.values()}
    with_totals = {side for side in known if not missing_totals(view, side)}
    entered = {piece.side for piece in view.pieces() if piece.purchase is None}
    drafts = sum(purchase.draft for purchase in view.purchases.values())

    def lacking(having: set[Side]) -> str:
        """Return the sides that lack something, in words: "Marine, Japanese"."""
        return ", ".join(side.label for side in known if side not in having)

    return (
        Stage("Allotments", lacking(allotted), "Copy the points from the CG card", "allotments"),
        Stage("SAN and ELR", lacking(with_totals), "Copy SAN and ELR from the CG card", "totals"),
        Stage("Order of battle", lacking(entered), "Enter the order of battle", "order_of_battle"),
        Stage(
            "Purchases",
            f"{count_text(drafts, 'draft')} to be bought" if drafts else "",
            "Buy the draft, or discard it",
            "purchases",
            open=situation.phase is Phase.PURCHASE,
        ),
        Stage("Setup, 15.6201 to 15.6205, and the first scenario", "", "", "refit", open=True),
    )


@immutable
class NextStep:
    """The next thing to do: one sentence, and the global action that leads there; None when there
    is nothing more to do."""

    sentence: str
    action: str | None


def find_next_step(
    book: View, seat: Side | None, known: Collection[Side], upcoming: Step | None
) -> NextStep:
    """Return the next thing to do, as known to a seat that knows the secrets of some sides;
    `upcoming` is the paragraph that begins next. If it is the opponent's turn, the action leads to
    the opponent's seat."""
    situation, ask = book.campaign.situation, book.ask
    if book.mismatch is not None:
        return NextStep(book.mismatch.sentences[0], "refit")
    if book.waiting:
        whose = f"The {seat.enemy.plural} have" if seat else "Your opponent has"
        return NextStep(f"{whose} a secret decision to make", "seat")
    if ask is not None and seat not in (None, ask.side) and not ask.dice:
        return NextStep(f"{ask.rule} asks the {ask.side.plural}", "seat")
    if ask is not None:
        room = "purchases" if ask.buying else "refit"
        return NextStep(f"{ask.rule} asks the {ask.side.plural}: {ask.prompt}", room)
    begins = f"{upcoming.number} {upcoming.title}" if upcoming is not None else ""
    words = next_step_text(situation, book.half, begins)
    if situation.phase is Phase.SCENARIO:
        left = distance_to_immediate_victory(book.campaign, book.card)
        at_once = f" (immediate victory in CG I: {left})" if left is not None else ""
        return NextStep(f"{words}{at_once}", "forces")
    if situation.phase is Phase.OVER:
        sums = victory_points_text(victory_points(book.campaign, whole=True))
        won = f": the {situation.victor.plural} have won, {sums}" if situation.victor else ""
        return NextStep(f"{words}{won}", None)
    if book.half is not None and book.half not in known:
        return NextStep(words, "seat")
    if situation.phase is Phase.PURCHASE:
        stage = next((stage for stage in setup_stages(book.campaign, known) if stage.missing), None)
        if stage is not None:
            return NextStep(f"{stage.todo} ({stage.missing})", stage.action)
        return NextStep(words, "purchases")
    return NextStep(words, "forces" if book.half else "refit")
