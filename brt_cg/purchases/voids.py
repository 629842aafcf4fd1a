"""Voiding a purchase (15.614): this adds a later record with a reason, and never alters the
first."""

from collections.abc import Iterator
from dataclasses import replace

from brt_cg.board import beach_name
from brt_cg.card import Card, PlacementCondition
from brt_cg.model import Campaign, Counter, Fortification, Phase, Piece, Purchase, Unit
from brt_cg.purchases import limits
from brt_cg.purchases.breach import Breach
from brt_cg.purchases.placement import Spot, can_mines_join_tetrahedron, placement_breaches
from brt_cg.purchases.totals import CountedPurchases, void_record_of
from brt_cg.text import first_few_text

RULE = "15.614"


def build_void_record(
    campaign: Campaign,
    purchase: Purchase,
    id: str,
    reason: str | None,
    by: str | None,
    at: str | None,
) -> Purchase:
    """Return the record that would void a purchase now, with its amounts negated, or without
    amounts if the void returns nothing."""
    situation = campaign.situation
    back = -1 if reason_points_are_not_returned(campaign, purchase) is None else 0
    return purchase.replace(
        id=id,
        voids=purchase.id,
        reason=reason,
        date=situation.date,
        initial=situation.phase is Phase.PURCHASE,
        quantity=back * purchase.quantity,
        total=back * purchase.total,
        exponent=back * purchase.exponent,
        created=(),
        entered_by=by,
        entered_at=at,
    )


def is_in_open_buying_window(campaign: Campaign, purchase: Purchase) -> bool:
    """Whether a purchase was made in the buying window that is open now."""
    now = campaign.situation
    return purchase.date == now.date and purchase.initial is (now.phase is Phase.PURCHASE)


def reason_points_are_not_returned(campaign: Campaign, purchase: Purchase) -> str | None:
    """Return the reason why a void made now would return neither the points of a purchase nor its
    share of the maximums, if there is one: in a later window than the purchase's, a purchased
    counter was placed, lost or used."""
    if is_in_open_buying_window(campaign, purchase):
        return None
    made = [*filter(None, map(campaign.find, purchase.created))]
    if lost := [each for each in made if is_purchased_counter_lost(purchase, each)]:
        return f"{first_few_text([each.label for each in lost])}, lost in play"
    if placed := [each for each in made if not _is_new(each)]:
        return f"{first_few_text([each.label for each in placed])}, already set up"
    return None if made else "it has been used"


def _is_new(counter: Counter) -> bool:
    """Whether a purchased counter has never been set up, as reported to the program."""
    if isinstance(counter, Fortification):
        return counter.location is None
    waits = counter.location is None or counter.off_map
    isolated = isinstance(counter, Piece) and counter.isolated
    return counter.unseen and not counter.hidden and waits and not isolated


def is_purchased_counter_lost(purchase: Purchase, counter: Counter) -> bool:
    """Whether a counter that a purchase created is out of play, or captured."""
    controller = counter.controller if isinstance(counter, Fortification) else None
    holder = controller or counter.side or purchase.side
    prisoner = isinstance(counter, Unit) and counter.prisoner
    return not counter.in_play or holder is not purchase.side or prisoner


def void_record_breaches(campaign: Campaign, card: Card, void: Purchase) -> list[Breach]:
    """Return all problems of a voiding record, on the campaign as it was before it; pure."""
    purchase = campaign.purchases.get(void.voids or "")
    if purchase is None or purchase.draft or purchase.voids is not None:
        what = f"{void.id} voids {void.voids}, which is not a purchase"
        return [Breach("void", RULE, what, (void.id,))]
    figures = [
        Breach("void", RULE, what, (purchase.id, void.id))
        for what in _other_figures(campaign, purchase, void)
    ]
    return [*figures, *breaches_of_voiding_now(campaign, card, purchase, void)]


def breaches_of_voiding_now(
    campaign: Campaign, card: Card, purchase: Purchase, void: Purchase
) -> list[Breach]:
    """Return the problems with voiding a purchase now by a record with the right numbers; pure."""
    both = (purchase.id, void.id)
    found = [Breach("void", RULE, what, both) for what in _oddities(campaign, purchase, void)]
    if not limits.can_buy(campaign, purchase.side):
        found.append(
            Breach("window", RULE, limits.reason_not_buying_window(campaign, purchase.side), both)
        )
    if card.has_placement_condition(purchase.item, PlacementCondition.OCEAN):
        found += _stranded(campaign, card, purchase)
    pillboxes = (item for item in card.prices if item.startswith("pillbox"))
    for raising in CountedPurchases(campaign).purchases_of_items(pillboxes):
        if (
            raising.enlarged_pillbox_id is not None
            and raising.enlarged_pillbox_id in purchase.created
        ):
            what = (
                f"{raising.id} gives {raising.enlarged_pillbox_id} "
                f"more capacity; void that purchase first"
            )
            found.append(Breach("void", RULE, what, both))
    return found


def _oddities(campaign: Campaign, purchase: Purchase, void: Purchase) -> Iterator[str]:
    before = void_record_of(campaign, purchase)
    if before is not None and before.id != void.id:
        yield (
            f"{purchase.id} was already voided, by {before.id} on {before.date}: {before.reason}"
        )
    if not (void.reason or "").strip():
        yield "a void needs a reason"


def _other_figures(campaign: Campaign, purchase: Purchase, void: Purchase) -> Iterator[str]:
    right = build_void_record(
        campaign, purchase, void.id, void.reason, void.entered_by, void.entered_at
    )
    right.initial = void.initial
    for name, due, recorded in zip(void.names(), right.values(), void.values(), strict=True):
        if recorded != due:
            yield f"{void.id} voids {purchase.id} with {name} {recorded}, but it must be {due}"


def _stranded(campaign: Campaign, card: Card, purchase: Purchase) -> Iterator[Breach]:
    """Yield the mines that would lose the last tetrahedron of their beach, or that in their place
    (15.6143 b)."""
    rest = CountedPurchases(campaign, without=[purchase.id])
    for mines in campaign.fortifications.values():
        afloat = mines.in_play and card.has_placement_condition(
            mines.type, PlacementCondition.WITH_TETRAHEDRON
        )
        where = mines.location if afloat else None
        if where is None or placement_breaches(campaign, card, mines, Spot(where)):
            continue
        for breach in placement_breaches(campaign, card, mines, Spot(where), rest):
            yield replace(breach, message=f"{mines.id}: {breach.message}")
    for other in rest.purchases_of_items(
        card.items_with_placement_condition(PlacementCondition.WITH_TETRAHEDRON)
    ):
        if can_mines_join_tetrahedron(other.beach, purchase.beach):
            case = limits.PurchaseCase(campaign, card, other, card.prices[other.item], rest)
            for breach in limits.check_at_mines(case):
                where = beach_name(other.beach)
                what = f"{other.id} would have no tetrahedron left in {where}; void it first"
                yield replace(breach, message=f"{card.prices[other.item].name}: {what}")
