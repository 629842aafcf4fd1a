"""The price list as it stands for a side, the fields of an order, and the grants to come."""

from brt_cg.card.prices import Price
from brt_cg.model.counters import Side
from brt_cg.model.records import Allotment
from brt_cg.purchases.offers import Offer, list_offers
from brt_cg.purchases.orders import order_fields
from brt_cg.purchases.pools import due_and_future_grants
from tests.purchases.shop import Shop, refit_shop, shop
from tests.refit.table import JAPANESE, MARINE


def _offers(market: Shop, beach: str | None = "red_one") -> dict[str, Offer]:
    side = MARINE if beach is None else JAPANESE
    return {one.price.key: one for one in list_offers(market.campaign, market.card, side, beach)}


def _codes(offer: Offer) -> list[str]:
    return [one.code for one in offer.breaches]


def test_an_offer_counts_purchases_of_the_beach_and_the_campaign() -> None:
    market = shop()
    market.buy("hmg", quantity=3)
    market.buy("hmg", "green", quantity=2)
    hmg = _offers(market)["hmg"]
    assert (hmg.cost, hmg.bought_here, hmg.most_here) == (4, 3, 4)
    assert (hmg.bought, hmg.most, hmg.more) == (5, 16, 1)


def test_a_voided_item_may_be_bought_again() -> None:
    market = shop()
    market.void(market.buy("turret_8in", quantity=2))
    assert _offers(market)["turret_8in"].more == 2


def test_no_more_is_offered_than_the_points_can_buy() -> None:
    assert _offers(shop(each={"gpp": 11}))["hmg"].more == 2
    assert _codes(_offers(shop(each={"gpp": 3}))["hmg"]) == ["allotment"]


def test_tetrahedra_of_any_type_share_the_remaining_maximum() -> None:
    market = shop()
    market.buy("tetrahedron", quantity=3)
    wired = _offers(market)["tetrahedron_wire"]
    assert (wired.bought_here, wired.bought, wired.more) == (3, 0, 1)


def test_the_turret_is_listed_on_green_beach_with_the_reason_against_it() -> None:
    turret = _offers(shop(), "green")["turret_8in"]
    assert (turret.more, _codes(turret)) == (0, ["beach"])


def test_the_island_is_offered_only_fpp_items() -> None:
    assert {one.price.points for one in _offers(shop(), "island").values()} == {"fpp"}


def test_after_the_first_scenario_a_fortified_building_is_offered_at_double() -> None:
    found = _offers(refit_shop())
    assert found["fortified_building"].cost == 16
    assert _codes(found["wire"]) == ["initial-only"]


def test_the_marines_are_offered_only_their_own_items() -> None:
    found = _offers(shop(), None)
    assert list(found) == [
        *("seawall_breach", "foxhole_3s", "foxhole_2s", "foxhole_1s", "concealment"),
        "san_increase",
    ]
    assert _codes(found["concealment"]) == ["concealment-date"]


def test_nothing_can_be_bought_outside_the_purchase_window() -> None:
    market = refit_shop()
    market.campaign.situation.buying = ()
    assert _codes(_offers(market)["hmg"]) == ["window"]


def names_for(price: Price, side: Side) -> tuple[str, ...]:
    return tuple(field.name for field in order_fields(price, side))


def test_an_order_takes_the_fields_of_its_item() -> None:
    prices = shop().card.prices
    where = ("beach", "quantity", "location")
    assert names_for(prices["hmg"], JAPANESE) == where
    assert names_for(prices["tunnel"], JAPANESE) == (*where, "exit")
    assert names_for(prices["pillbox_1_3_5"], JAPANESE) == (*where, "arc", "capacity")
    assert names_for(prices["concealment"], MARINE) == ("quantity", "location")
    assert names_for(prices["san_increase"], JAPANESE) == ("beach", "quantity")


def test_future_grants_are_those_not_yet_credited() -> None:
    market = refit_shop(date="20 PM", ended="20 AM")
    for id, side, date, credited in (
        ("grant-1", JAPANESE, "21 AM", False),
        ("grant-2", JAPANESE, "20 PM", False),
        ("grant-3", JAPANESE, "20 PM", True),
        ("grant-4", MARINE, "21 AM", False),
        ("grant-5", JAPANESE, "20 AM", False),
    ):
        beach = "red_one" if side is JAPANESE else None
        grant = Allotment(id=id, side=side, beach=beach, date=date, fpp=5, credited=credited)
        market.campaign.add(grant)
    found = due_and_future_grants(market.campaign, market.card, JAPANESE)
    assert [one.id for one in found] == ["grant-2", "grant-1"]
