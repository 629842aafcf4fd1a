"""The running totals are those that counting everything anew gives."""

from typing import Any

from brt_cg.purchases.totals import CountedPurchases, PurchaseTotals, purchase_totals
from tests.purchases.shop import Shop, shop


def filled(value: Any) -> Any:
    """A value without what is empty in it: nothing of an item, no void of a purchase."""
    if isinstance(value, dict):
        return {key: kept for key, each in value.items() if (kept := filled(each))}
    return value


def assert_as_counted_anew(market: Shop) -> None:
    running, anew = purchase_totals(market.campaign), PurchaseTotals(market.campaign.purchases)
    assert running is not anew
    assert filled(vars(running)) == filled(vars(anew))


def test_totals_are_right_after_each_purchase_draft_void_and_removal() -> None:
    market = shop()
    assert_as_counted_anew(market)
    first = market.buy("pillbox_1_3_5", capacity=3, quantity=2)
    assert_as_counted_anew(market)
    market.buy("hmg", draft=True)
    assert_as_counted_anew(market)
    second = market.buy("hmg")
    assert_as_counted_anew(market)
    market.void(first)
    assert_as_counted_anew(market)
    (void,) = (one.id for one in market.campaign.purchases.values() if one.voids)
    del market.campaign.purchases[void]
    assert_as_counted_anew(market)
    assert first in purchase_totals(market.campaign).standing
    market.campaign.purchases[second].quantity = 3
    assert_as_counted_anew(market)


def test_adding_capacity_to_a_pillbox_does_not_count_as_another_pillbox() -> None:
    market = shop()
    box = market.buy("pillbox_1_3_5", location="M21", arc=["N20", "N21"])
    assert CountedPurchases(market.campaign).quantity(["pillbox_1_3_5"]) == 1
    market.buy("pillbox_1_3_5", location=f"M21:{box}-1", capacity=2)
    assert CountedPurchases(market.campaign).quantity(["pillbox_1_3_5"]) == 1
