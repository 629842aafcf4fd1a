"""Every limit of 15.614 as a small named function: a purchase in, its breaches out.

The same functions refuse a purchase, list the breaches of a draft, and let an audit check a
purchase on the campaign as it was. All are pure; no breach hides another.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from brt_cg.board import OFF_MAP, beach_name, grid, ground_hex
from brt_cg.card import Card, PlacementCondition, Price
from brt_cg.immutable import immutable
from brt_cg.model import WINDOW, Campaign, Phase, PointsKind, Purchase, Side, Situation
from brt_cg.purchases import pools
from brt_cg.purchases.breach import Breach, merge_breaches, squad_equivalents_text
from brt_cg.purchases.ledger import priced_purchase, purchase_cost
from brt_cg.purchases.placement import (
    Spot,
    can_mines_join_tetrahedron,
    destination_area,
    placement_breaches,
)
from brt_cg.purchases.totals import ISLAND, CountedPurchases, Fund, PurchaseLot, drafts_of, fund_of
from brt_cg.text import halves_text, list_text

AFLOAT = frozenset({PlacementCondition.OCEAN, PlacementCondition.WITH_TETRAHEDRON})


def is_placed_in_ocean(price: Price) -> bool:
    """Whether an item is placed in the Ocean."""
    return not AFLOAT.isdisjoint(price.placement)


def beach_maximum_breaches_by_location(
    campaign: Campaign, card: Card, price: Price, bought: CountedPurchases, *only: str
) -> Iterator[Breach]:
    """Yield a breach for each beach with too many of an item and the items that share its maximum;
    only breaches that concern the purchases `only`, if any are named."""
    most, group = price.max_per_beach, price.beach_group
    alike = [key for key, other in card.prices.items() if _shares(price, other)]
    if most is None:
        return
    counted, where = _by_beach(campaign, bought.purchases_of_items(alike))
    for beach, number in counted.items():
        records = tuple(id for id in where[beach] if not only or id in only)
        if number > most and records:
            name = f"{group} of any type" if group else price.name
            what = (
                f"{name} for {beach_name(beach)}: {number} including this; the maximum is {most} "
                "per beach"
            )
            yield Breach(group or "beach-maximum", price.rule, what, records)


def _shares(price: Price, other: Price) -> bool:
    group = price.beach_group
    return price.key == other.key or (group is not None and other.beach_group == group)


def _by_beach(
    campaign: Campaign, purchases: Iterable[Purchase]
) -> tuple[Counter[str], dict[str, list[str]]]:
    """Return the number of items at each beach, and their purchases. In a tie, items bought with a
    beach's points count for that beach; others count for the beach with the fewest."""
    counted: Counter[str] = Counter()
    where: dict[str, list[str]] = {}
    several: list[tuple[str, frozenset[str]]] = []
    for purchase in purchases:
        for place in _places(campaign, purchase):
            near = _beaches_of(campaign, purchase, place)
            if len(near) > 1:
                several.append((purchase.id, near))
                continue
            (beach,) = near
            counted[beach] += 1
            where.setdefault(beach, []).append(purchase.id)
    for id, near in several:
        beach = min(sorted(near), key=lambda beach: counted[beach])
        counted[beach] += 1
        where.setdefault(beach, []).append(id)
    return counted, {beach: list(dict.fromkeys(ids)) for beach, ids in where.items()}


def _places(campaign: Campaign, purchase: Purchase) -> list[str | None]:
    """Return the Locations of a purchase's items; None for one without a Location."""
    if not purchase.created:
        return [purchase.location] * purchase.quantity
    made = map(campaign.fortifications.get, purchase.created)
    return [purchase.location if fort is None else fort.location for fort in made]


def _beaches_of(campaign: Campaign, purchase: Purchase, place: str | None) -> frozenset[str]:
    """Return the beaches for which a place may count."""
    paid = frozenset({purchase.beach or ""})
    if place in (None, OFF_MAP) or campaign.ruling_value("R-BEACH-AREA") == "free":
        return paid
    near = grid.nearest_beaches(ground_hex(place))
    return paid if paid <= near else near


# --- the limits -----------------------------------------------------------------------------------


BEFORE_WINDOW = ("15.6141", "15.6142")  # also a buying window, if the players stop after these
MORNING_WINDOW = "15.6203"  # the paragraph if a side buys there (R-NIGHT-POINTS)
MAX_SAN = 7


@immutable
class PurchaseCase:
    """One purchase to check: `campaign` is the campaign before it, `price` its row of the price
    list, `bought` the purchases that count together with it: all purchases that are not voided,
    those committed at the same time, and the purchase itself."""

    campaign: Campaign
    card: Card
    purchase: Purchase
    price: Price
    bought: CountedPurchases

    def make_breach(self, code: str, message: str, rule: str | None = None) -> Breach:
        return Breach(code, rule or self.price.rule, message, (self.purchase.id,))


Limit = Callable[[PurchaseCase], Iterator[Breach]]


def find_breaches(campaign: Campaign, card: Card, purchase: Purchase) -> list[Breach]:
    """Return all limits that a purchase would break on this campaign."""
    return breaches_with_window_and_price(campaign, card, (purchase,))


def breaches_with_window_and_price(
    campaign: Campaign, card: Card, purchases: Sequence[Purchase]
) -> list[Breach]:
    """Return all limits that several purchases made together would break, or broke, including those
    about their window and prices."""
    return breaches_of_purchases_together(campaign, card, purchases, (check_window, check_price))


def breaches_of_purchases_together(
    campaign: Campaign, card: Card, purchases: Sequence[Purchase], besides: Sequence[Limit] = ()
) -> list[Breach]:
    """Return all limits that several purchases, made together in their window at current prices,
    would break, plus the breaches `besides`; their totals are checked together."""
    together = CountedPurchases(campaign, purchases)
    found: list[Breach] = []
    for purchase in purchases:
        price = card.prices.get(purchase.item)
        if price is None:
            what = f"{purchase.item} is not in any price list"
            found.append(Breach("item", "15.614", what, (purchase.id,)))
            continue
        case = PurchaseCase(campaign, card, purchase, price, together)
        for limit in (*LIMITS, *besides):
            found += limit(case)
        for field, limit in LIMITS_OF_PURCHASES:
            if getattr(purchase, field):
                found += limit(case)
        for field, limit in LIMITS_OF_PRICES:
            if getattr(price, field):
                found += limit(case)
    return merge_breaches(found) if found else []


# --- quantity and side ----------------------------------------------------------------------------


def check_quantity(case: PurchaseCase) -> Iterator[Breach]:
    """Check the quantity: at least one; a hexside can be breached only once."""
    bought = case.purchase.quantity
    if bought > 1 and case.purchase.enlarged_pillbox_id:
        raised = f"pillbox {case.purchase.enlarged_pillbox_id}: capacity +{bought}"
        yield case.make_breach(
            "quantity", f"{raised}; enter the new total capacity, and a quantity of 1"
        )
    if bought < 1:
        yield case.make_breach("quantity", f"{bought} × {case.price.name}; buy at least 1")
    if bought > 1 and case.purchase.location and PlacementCondition.HEXSIDE in case.price.placement:
        what = (
            f"{bought} × {case.price.name} at {case.purchase.location}; each hexside can be "
            f"breached only once"
        )
        yield case.make_breach("quantity", what)


def check_side(case: PurchaseCase) -> Iterator[Breach]:
    """Check the side: some items are for one side only (15.6141, 15.6142, 15.6143 J)."""
    if not case.price.can_be_bought_by(case.purchase.side):
        only = case.price.side.label if case.price.side else "either"
        yield case.make_breach("side", f"{case.price.name} is for the {only} player only")


def check_window(case: PurchaseCase) -> Iterator[Breach]:
    """Check the time: a purchase is made before the initial scenario, or at 15.614 until the side
    is done."""
    if not can_buy(case.campaign, case.purchase.side):
        yield case.make_breach(
            "window", reason_not_buying_window(case.campaign, case.purchase.side), "15.614"
        )
    date = case.campaign.situation.date
    if case.purchase.date != date:
        what = f"its CG Date is {case.purchase.date}, but the current one is {date}"
        yield case.make_breach("window", what, "15.614")


def reason_not_buying_window(campaign: Campaign, side: Side) -> str:
    """Return the reason why a side may not buy now, and when it may."""
    situation = campaign.situation
    now = f"not {situation.phase.when_text}"
    if situation.paragraph == WINDOW:
        now = "that player is done"
    elif situation.paragraph or situation.done:
        now += f", at {situation.paragraph or situation.done}"
    return (
        f"the {side.label} player may buy in the purchase phase, and at 15.614 of each "
        f"Refit Phase until done; {now}"
    )


def can_buy(campaign: Campaign, side: Side) -> bool:
    """Whether a side may buy now (15.614)."""
    situation = campaign.situation
    if situation.phase is Phase.PURCHASE:
        return True
    asked = situation.paragraph in (WINDOW, MORNING_WINDOW)
    return is_buying_paragraph(situation) and (not asked or side.value in situation.buying)


def is_buying_paragraph(situation: Situation) -> bool:
    """Whether purchases are being made: in the last paragraph of 15.614, or an earlier one at which
    the players stopped; or in the window for an AM date after a Night without a scenario
    (R-NIGHT-POINTS)."""
    if situation.phase is not Phase.REFIT:
        return situation.paragraph == MORNING_WINDOW and bool(situation.buying)
    if situation.paragraph is None:
        return situation.done in BEFORE_WINDOW
    return situation.paragraph == WINDOW


def check_price(case: PurchaseCase) -> Iterator[Breach]:
    """Check that cost, total and exponent are those of the price list at that moment; the cost of
    some items doubles after the initial scenario (15.6143 h)."""
    recorded, right = case.purchase, purchase_cost(case.campaign, case.card, case.purchase)
    figures = (
        ("kind of points", recorded.points, case.price.points),
        ("unit cost", recorded.unit_cost, right.unit_cost),
        ("total", recorded.total, right.total),
        ("exponent", recorded.exponent, right.exponent),
    )
    for what, found, due in figures:
        if found != due:
            yield case.make_breach(
                "price", f"{case.price.name}: {what} {found} is wrong; it must be {due}"
            )
    if recorded.initial != right.initial:
        when = "the initial scenario" if right.initial else "a later one"
        yield case.make_breach("price", f"{case.price.name}: it was bought for {when}")


def check_capacity(case: PurchaseCase) -> Iterator[Breach]:
    """Check the capacity: only pillboxes can have more, and none may have less than normal
    (15.6142)."""
    extra, creates = case.purchase.capacity, case.price.creates
    if extra and creates.extra_capacity_cost is None:
        yield case.make_breach(
            "capacity", f"you cannot choose the capacity of {case.price.name}; leave it out"
        )
    elif extra < 0:
        normal = creates.capacity or 0
        yield case.make_breach(
            "capacity",
            f"{case.price.name}: capacity {normal + extra} is too low; enter at least {normal}",
        )


# --- when -----------------------------------------------------------------------------------------


INITIAL_ONLY = "initial-only"  # the code of the limit that still applies on later dates


def check_initial_only(case: PurchaseCase) -> Iterator[Breach]:
    """Check the date: some items are only for the Initial CG scenario (15.6143 a)."""
    later = case.campaign.situation.phase is not Phase.PURCHASE
    if case.price.initial_only and later and not case.purchase.enlarged_pillbox_id:
        what = (
            f"{case.price.name} can only be bought before the initial scenario, in the "
            f"purchase phase"
        )
        yield case.make_breach(INITIAL_ONLY, what)


def check_concealment_date(case: PurchaseCase) -> Iterator[Breach]:
    """Check the date: Marines buy “?” only in the Refit Phase before an AM or Night date (15.6143
    g)."""
    dates, situation = case.price.marine_dates, case.campaign.situation
    if not dates or case.purchase.side is not Side.MARINE:
        return
    if situation.phase is Phase.PURCHASE or situation.date.split()[-1] not in dates:
        what = (
            f"Marine {case.price.name} can only be bought in a Refit Phase before "
            f"{case.price.marines_buy_before_text}"
        )
        initial = ", the initial scenario" if situation.phase is Phase.PURCHASE else ""
        yield case.make_breach(
            "concealment-date", f"{what}; the next date is {situation.date}{initial}"
        )


# --- how many -------------------------------------------------------------------------------------


def check_allotment(case: PurchaseCase) -> Iterator[Breach]:
    """Check that no more points of any kind, or exponent, are spent than allotted and granted, for
    each beach."""
    if not case.price.can_be_bought_by(case.purchase.side):
        return
    bought, given = case.purchase, case.campaign.allotments.derived_value(pools.GivenPoints).points
    fund = fund_of(bought.side, bought.beach)
    # The account is only needed for a breach, which is rare.
    for kind in (bought.points, "exponent") if bought.exponent else (bought.points,):
        if case.bought.points_spent(fund, kind) > given[fund, kind]:
            account = pools.compute_account(case.campaign, fund.side, fund.beach, case.bought)
            yield from account.overdraft_breaches(bought)
            return


def check_beach(case: PurchaseCase) -> Iterator[Breach]:
    """Check the beach: Japanese points belong to a beach, Marine points to none; GPP and CAPP never
    belong to the island; some Guns may not be bought for some beaches; and the purchases for a
    beach need a Setup Area."""
    where, price = case.purchase.beach, case.price
    if case.purchase.side is Side.MARINE:
        if where is not None:
            yield case.make_breach(
                "beach",
                f"Marine FPP are not tied to a beach; leave out {beach_name(where)}",
                "15.6143",
            )
        return
    allowed = beaches_that_may_pay_for(case.card, price)
    if where not in allowed:
        wanted = f"cannot be bought for {beach_name(where)}" if where else "needs a beach"
        choose = list_text(map(beach_name, allowed))
        what = f"{price.name} {wanted}; choose {choose}"
        yield case.make_breach("beach", what)
    elif where != ISLAND and case.campaign.areas:
        area = destination_area(case.campaign, case.purchase.side, where)
        if area is None:
            there = f"a Beach hex of {beach_name(where)}"
            what = f"no Japanese Setup Area contains {there}, so its points cannot be spent"
            yield case.make_breach("beach", what, "15.614")


def beaches_that_may_pay_for(card: Card, price: Price) -> tuple[str, ...]:
    """Return the beaches whose points may buy an item."""
    return _paying(card.beaches, price.not_beaches, price.points)


@cache
def _paying(
    beaches: tuple[str, ...], but_not: tuple[str, ...], points: PointsKind
) -> tuple[str, ...]:
    own = (beach for beach in beaches if beach not in but_not)
    return tuple(beach for beach in own if points in Fund(Side.JAPANESE, beach).point_kinds)


def check_beach_maximum(case: PurchaseCase) -> Iterator[Breach]:
    """Check the maximum per beach; tetrahedra of all types count together, and items in the Ocean
    count at their Location."""
    most, group = case.price.max_per_beach, case.price.beach_group
    if most is None:
        return
    if is_placed_in_ocean(case.price):
        of = case.campaign, case.card, case.price, case.bought
        yield from beach_maximum_breaches_by_location(*of, case.purchase.id)
        return
    beach = case.purchase.beach
    alike = items_sharing_maximum(case.card, case.price)
    bought = case.bought.quantity(alike, lambda lot: lot.beach == beach)
    if bought > most:
        name = f"{group} of any type" if group else case.price.name
        where = beach_name(case.purchase.beach)
        what = f"{name} for {where}: {bought} including this; the maximum is {most} per beach"
        yield case.make_breach(group or "beach-maximum", what)


def items_sharing_maximum(card: Card, price: Price) -> set[str]:
    """Return the items that share a maximum per beach: the item itself, or its whole group."""
    group = price.beach_group
    alike = (key for key, price in card.prices.items() if group and price.beach_group == group)
    return {price.key, *alike}


def check_campaign_maximum(case: PurchaseCase) -> Iterator[Breach]:
    """Check the maximum in the whole campaign (15.6141; R-HMG-CG2)."""
    cg = case.card.cg
    if case.price.max_campaign is None:
        return
    most = case.price.campaign_maximum(cg, case.campaign.current_rulings)
    bought = case.bought.quantity([case.price.key])
    if most is not None and bought > most:
        ruling = case.price.campaign_rulings.get(cg)
        by = f" ({ruling}: {most})" if ruling else ""
        what = f"{case.price.name}: {bought} including this; the maximum is {most} in CG {cg}{by}"
        yield case.make_breach("campaign-maximum", what)


def check_san(case: PurchaseCase) -> Iterator[Breach]:
    """Check that each side buys one SAN increase in each Refit Phase and one before the initial
    scenario; SAN is 0–7."""
    most = case.price.per_refit
    if most is None:
        return
    whose = case.purchase.side
    now = _lots_of_its_window(case.purchase)
    bought = case.bought.quantity([case.price.key], lambda lot: lot.side is whose and now(lot))
    if bought > most:
        when = "before the initial scenario" if case.purchase.initial else "in this Refit Phase"
        count = f"{bought} including this {when}; the maximum is {most}"
        what = f"{whose.label} {case.price.name}: {count}"
        yield case.make_breach("san", what)
    before = case.campaign.sides[whose].san
    if before + case.purchase.quantity > MAX_SAN:
        raised = before + case.purchase.quantity
        yield case.make_breach(
            "san", f"{whose.label} SAN {before} → {raised} is too high; the maximum is {MAX_SAN}"
        )


def _lots_of_its_window(purchase: Purchase) -> Callable[[PurchaseLot], bool]:
    """Return a function that says whether a lot was bought in the same window as a purchase (before
    the initial scenario an import may still set the date)."""
    if purchase.initial:
        return lambda lot: lot.initial
    return lambda lot: not lot.initial and lot.date == purchase.date


def check_at_mines(case: PurchaseCase) -> Iterator[Breach]:
    """Check that A-T mine factors are placed with a tetrahedron of their own beach or of no beach
    (15.6143 b)."""
    if PlacementCondition.WITH_TETRAHEDRON not in case.price.placement:
        return
    beach = case.purchase.beach
    if not case.bought.quantity(
        case.card.items_with_placement_condition(PlacementCondition.OCEAN),
        lambda lot: can_mines_join_tetrahedron(beach, lot.beach),
    ):
        what = (
            f"{case.price.name} for {beach_name(beach)}: no tetrahedron has been bought for "
            f"this beach"
        )
        yield case.make_breach("at-mines", what)


def check_hip(case: PurchaseCase) -> Iterator[Breach]:
    """Check HIP: 5% of the on-map Japanese squad-equivalents by day, 10% by night (15.6143 m)."""
    if case.price.hip is None or not has_order_of_battle(case.campaign, case.purchase.side):
        return
    when = day_or_night_text(case.campaign, case.card)
    most, reckoned = hip_allowed(case.campaign, case.card, when)
    bought = hip_bought_in_lots(case.card, case.bought, _lots_of_its_window(case.purchase))
    if bought > most:
        sizes = (
            f"HIP for {squad_equivalents_text(bought)} including this; the maximum is "
            f"{halves_text(most)}"
        )
        yield case.make_breach("hip", f"{sizes}: {reckoned} {when}")


def day_or_night_text(campaign: Campaign, card: Card) -> str:
    """Return "by night" or "by day" for the next scenario."""
    return "by night" if card.is_night_date(campaign.situation.date) else "by day"


def hip_allowed(campaign: Campaign, card: Card, when: str) -> tuple[float, str]:
    """Return the squad-equivalents that bought HIP may hide "by day" or "by night", rounded down to
    ½, and the calculation: "5% of 41 on map"."""
    row = next(price.hip for price in card.prices.values() if price.hip is not None)
    percent = row.night_percent if when == "by night" else row.day_percent
    units = (unit for unit in campaign.free_units_in_play_of(Side.JAPANESE) if not unit.off_map)
    on_map = sum(map(card.ladders.size_in_squad_equivalents, units), 0.0)
    most = int(on_map * percent * 2 / 100) / 2
    return most, f"{percent}% of {halves_text(on_map)} on map"


def hip_bought_in_lots(
    card: Card, bought: CountedPurchases, fits: Callable[[PurchaseLot], bool]
) -> float:
    """Return the squad-equivalents of HIP in the lots that fit."""
    items = ((key, price.hip) for key, price in card.prices.items() if price.hip is not None)
    sizes = (row.squad_equivalents * bought.quantity([key], fits) for key, row in items)
    return sum(sizes, 0.0)


def has_order_of_battle(campaign: Campaign, side: Side) -> bool:
    """Whether any unit of a side has been entered, other than the crews that it bought."""
    return any(unit.side is side and unit.purchase is None for unit in campaign.units.values())


# --- where ----------------------------------------------------------------------------------------


def check_placement(case: PurchaseCase) -> Iterator[Breach]:
    """Check the place, if the purchase has a Location."""
    bought, at = case.purchase, case.purchase.location
    if at is not None:
        yield from placement_breaches(case.campaign, case.card, bought, Spot(at), case.bought)


LIMITS: tuple[Limit, ...] = (check_quantity, check_side, check_beach, check_allotment)
# The limits of purchases, or of rows of the price list, in which this field is set.
LIMITS_OF_PURCHASES: tuple[tuple[str, Limit], ...] = (
    ("capacity", check_capacity),
    ("location", check_placement),
)
LIMITS_OF_PRICES: tuple[tuple[str, Limit], ...] = (
    ("initial_only", check_initial_only),
    ("marine_dates", check_concealment_date),
    ("max_per_beach", check_beach_maximum),
    ("max_campaign", check_campaign_maximum),
    ("per_refit", check_san),
    ("placement", check_at_mines),
    ("hip", check_hip),
)


def draft_breaches(campaign: Campaign, card: Card, side: Side) -> list[Breach]:
    """Return all limits that a side's drafts would break if they were bought now, together."""
    return breaches_with_window_and_price(
        campaign,
        card,
        [priced_purchase(campaign, card, draft) for draft in drafts_of(campaign, side)],
    )


def purchase_warnings(campaign: Campaign, card: Card, purchase: Purchase) -> list[str]:
    """Return remarks about a purchase just made; they do not forbid it."""
    price, side = card.prices[purchase.item], campaign.sides[purchase.side]
    if price.per_refit is not None and purchase.initial and side.san == purchase.quantity:
        return ["warning: the SAN of the CG card has not been entered yet, so this adds to 0"]
    if price.hip is None or has_order_of_battle(campaign, purchase.side):
        return []
    return [
        "warning: no Japanese units have been entered yet; HIP may be used for at most "
        f"{price.hip.day_percent}% of the squad-equivalents on map by day, "
        f"{price.hip.night_percent}% by night (15.6143)"
    ]


# --- HIP that cannot be used (15.6143 m) ----------------------------------------------------------


def skipped_night_hip_warning(campaign: Campaign, card: Card) -> str | None:
    """Return the message if HIP was bought for the current date, a Night that will not be played:
    only the day percentage may be used (15.6143 m). None if all of it may be."""
    return _beyond(campaign, card, "by day")


def excess_hip_warning(campaign: Campaign, card: Card) -> str | None:
    """Return the message if the scenario begins with more HIP than may be used: it was bought
    before the order of battle was entered, or units were lost since (15.6143 m). None if all of it
    may be."""
    return _beyond(campaign, card, day_or_night_text(campaign, card))


def usable_hip(campaign: Campaign, card: Card, when: str) -> float:
    """Return the squad-equivalents of the HIP bought for the next scenario that may be used in it
    "by day" or "by night"."""
    allowed, _ = hip_allowed(campaign, card, when)
    return min(_bought(campaign, card), allowed)


def _bought(campaign: Campaign, card: Card) -> float:
    """Return the squad-equivalents of the HIP bought for the next scenario."""
    situation = campaign.situation

    def for_this_scenario(lot: PurchaseLot) -> bool:
        now = lot.date == situation.date and not lot.initial
        return lot.initial if situation.initial else now

    return hip_bought_in_lots(card, CountedPurchases(campaign), for_this_scenario)


def _beyond(campaign: Campaign, card: Card, when: str) -> str | None:
    sizes = _bought(campaign, card)
    if not sizes or not has_order_of_battle(campaign, Side.JAPANESE):
        return None
    allowed, reckoned = hip_allowed(campaign, card, when)
    if sizes <= allowed:
        return None
    return (
        f"HIP is bought for {squad_equivalents_text(sizes)}, but only {halves_text(allowed)} "
        "may be used "
        f"{when}: {reckoned} (15.6143)"
    )
