"""The page of the limits: each with its figures, as the purchases stand."""

from typing import Any

import pytest

from brt_cg.model.counters import Fate
from brt_cg.purchases.checks import LimitCheck, list_limit_checks
from tests.commands.test_buying import in_a_later_window
from tests.purchases.shop import Shop, refit_shop, shop
from tests.refit.table import JAPANESE, MARINE


def check_of(market: Shop, what: str) -> LimitCheck:
    (found,) = (
        each for each in list_limit_checks(market.campaign, market.card, None) if each.what == what
    )
    return found


def figures(market: Shop, what: str) -> tuple[int, int, int]:
    found = check_of(market, what)
    return found.count, found.most, found.remaining


def test_points_spent_of_each_pool() -> None:
    market = shop(each={"gpp": 24, "fpp": 40})
    market.buy("hmg", quantity=2)
    assert figures(market, "GPP of Red One") == (8, 24, 16)
    assert figures(market, "FPP of the Marine player") == (0, 40, 40)


def test_maxima_of_a_beach_and_of_the_campaign_list_their_purchases() -> None:
    market = shop()
    one, two = market.buy("hmg", quantity=2), market.buy("hmg", "green")
    assert figures(market, "HMG for Red One") == (2, 4, 2)
    assert figures(market, "HMG in CG III") == (3, 16, 13)
    assert check_of(market, "HMG in CG III").records == (one, two)


def test_a_group_shares_its_maximum() -> None:
    market = shop()
    market.buy("tetrahedron", quantity=2)
    market.buy("tetrahedron_wire")
    found = list_limit_checks(market.campaign, market.card, None)
    shared = [each for each in found if each.what == "tetrahedra of any type for Red One"]
    assert [(each.count, each.most) for each in shared] == [(3, 4), (3, 4)]


def test_a_voided_purchase_no_longer_counts_but_a_corrected_one_does() -> None:
    market = shop()
    market.void(market.buy("turret_8in"))
    assert figures(market, "8-in. Gun Turret in CG III") == (0, 2, 2)
    lost = market.buy("turret_8in")
    market.campaign.weapons[f"{lost}-1"].fate = Fate.ELIMINATED
    in_a_later_window(market)
    market.void(lost)
    assert figures(market, "8-in. Gun Turret in CG III") == (1, 2, 1)


def test_only_one_san_increase_is_allowed_per_window() -> None:
    market = shop()
    market.buy("san_increase", None)
    in_a_later_window(market)
    market.buy("san_increase", None)
    assert figures(market, "Japanese SAN increase before the initial scenario") == (1, 1, 0)
    assert figures(market, "Japanese SAN increase at 20 PM") == (1, 1, 0)


@pytest.mark.parametrize(
    ("values", "what"),
    [
        ({"total": 401}, "GPP of Red One"),
        ({"quantity": 5}, "HMG for Red One"),
        ({"quantity": 17}, "HMG in CG III"),
    ],
)
def test_a_hand_edited_purchase_breaks_its_limit(values: dict[str, Any], what: str) -> None:
    market = shop()
    id = market.buy("hmg")
    bought = market.campaign.purchases[id]
    for name, value in values.items():
        setattr(bought, name, value)
    assert not check_of(market, what).is_kept


def test_a_later_purchase_of_an_initial_scenario_item_breaks_its_limit() -> None:
    market = shop()
    id = market.buy("trench")
    trench = market.campaign.purchases[id]
    assert check_of(market, "Trench after the initial scenario").is_kept
    trench.initial = False
    assert not check_of(market, "Trench after the initial scenario").is_kept


def test_a_side_sees_its_own_limits() -> None:
    market = refit_shop()
    market.buy("foxhole_1s")
    for side, own in ((MARINE, "FPP of the Marine player"), (JAPANESE, "FPP of Red One")):
        seen = {each.what for each in list_limit_checks(market.campaign, market.card, side)}
        assert own in seen
        assert len(seen & {"FPP of the Marine player", "FPP of Red One"}) == 1
