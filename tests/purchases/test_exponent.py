"""15.6142: the CAPP Exponent may be added to any pillbox that is set up in the beach's area."""

from brt_cg.model.counters import Fate, Side
from brt_cg.model.records import Phase
from brt_cg.model.visibility import visible_campaign
from tests.purchases.shop import Shop, refit_shop, shop
from tests.refit.table import fort

ARC = ["N20", "N21"]
AREAS = {"J1": "M20-M22 N18-N22 L19-L22", "M1": "E1-E5"}


def standing(**values: object) -> Shop:
    """15.614 of a Refit Phase, with a pillbox of capacity 1 in the area of Red One."""
    box = {"capacity": 1, "controller": Side.JAPANESE, **values}
    return refit_shop(fort("F7", "M21", "pillbox_1_3_5", **box), areas=AREAS)


def capacity(market: Shop, id: str = "F7") -> int | None:
    return market.campaign.fortifications[id].capacity


def test_an_existing_pillbox_gets_capacity_from_the_exponent_for_no_capp() -> None:
    market = standing()
    before = market.left("red_one")
    bought = market.buy("pillbox_1_3_5", location="M21:F7", capacity=3)
    assert capacity(market) == 3
    spent = before - market.left("red_one")
    assert (spent.capp, spent.exponent, spent.fpp) == (0, 2, 0)
    assert market.campaign.purchases[bought].created == ()


def test_a_pillbox_bought_with_fpp_gets_exponent_capacity_too() -> None:
    market = shop()
    box = market.buy("pillbox_fpp_1_3_5", location="M21", arc=ARC)
    market.buy("pillbox_fpp_1_3_5", location=f"M21:{box}-1", capacity=2)
    assert capacity(market, f"{box}-1") == 2
    left = market.left("red_one")
    assert (left.exponent, left.fpp) == (39, 400 - 18)


def test_exponent_capacity_may_be_added_again_up_to_the_points_left() -> None:
    market = standing()
    market.campaign.allotments["japanese/red_one"].exponent = 2
    market.buy("pillbox_1_3_5", location="M21:F7", capacity=2)
    market.buy("pillbox_1_3_5", location="M21:F7", capacity=3)
    refusal = market.no("pillbox_1_3_5", location="M21:F7", capacity=4)
    assert refusal == (
        "CAPP Exponent of Red One: 3 spent including this, but only 2 received (1 too many) "
        "(15.6142)"
    )


def test_the_total_capacity_is_entered() -> None:
    market = standing(capacity=2)
    for more in ({}, {"capacity": 1}, {"capacity": 2}):
        refusal = market.no("pillbox_1_3_5", location="M21:F7", **more)
        assert "enter more than 2, its current capacity" in refusal
    twice = market.no("pillbox_1_3_5", location="M21:F7", capacity=3, quantity=2)
    assert "enter the new total capacity, and a quantity of 1" in twice


def test_only_an_own_pillbox_set_up_in_the_beachs_area_gets_capacity() -> None:
    order = {"location": "M21:F7", "capacity": 2}
    assert "not set up, or is the enemy's" in (
        standing(controller=Side.MARINE).no("pillbox_1_3_5", **order)
    )
    assert "there is no Fortification F7 in play in M21" in (
        standing(fate=Fate.ELIMINATED).no("pillbox_1_3_5", **order)
    )
    market = standing()
    assert "there is no Fortification F7 in play in M22" in (
        market.no("pillbox_1_3_5", location="M22:F7", capacity=2)
    )
    elsewhere = refit_shop(
        fort("F7", "M21", "pillbox_1_3_5", capacity=1, controller=Side.JAPANESE),
        areas={"J1": "N18-N20", "J2": "M20-M22"},
    )
    assert "points of Red One are for Area J1, but M21:F7 is in Area J2" in (
        elsewhere.no("pillbox_1_3_5", **order)
    )
    trench = refit_shop(fort("F7", "M21", "trench", controller=Side.JAPANESE), areas=AREAS)
    assert "there is no Japanese pillbox set up there" in trench.no("pillbox_1_3_5", **order)


def test_before_the_first_scenario_the_beachs_area_is_the_hexes_nearest_to_it() -> None:
    box = fort("F7", "M21", "pillbox_1_3_5", capacity=1)
    refusal = shop(box).no("pillbox_1_3_5", "green", location="M21:F7", capacity=2)
    assert "points of Green are for its area, but M21 belongs to Red One (R-BEACH-AREA)" in refusal


def test_a_pillbox_not_set_up_yet_gets_its_capacity_when_bought() -> None:
    market = shop()
    box = market.buy("pillbox_1_3_5")
    refusal = market.no("pillbox_1_3_5", location=f"M21:{box}-1", capacity=2)
    assert "is not set up" in refusal
    assert capacity(market, f"{market.buy('pillbox_1_3_5', capacity=2)}-1") == 2


def test_a_void_removes_the_added_capacity() -> None:
    market = standing()
    raised = market.buy("pillbox_1_3_5", location="M21:F7", capacity=3)
    market.void(raised)
    assert capacity(market) == 1
    assert market.left("red_one").exponent == 40


def test_a_pillbox_is_not_voided_before_its_added_capacity() -> None:
    market = shop()
    box = market.buy("pillbox_1_3_5", location="M21", arc=ARC)
    raised = market.buy("pillbox_1_3_5", location=f"M21:{box}-1", capacity=2)
    refusal = market.refusal("void", purchase=box, reason="elsewhere")
    assert f"{raised} gives {box}-1 more capacity; void that purchase first" in refusal
    market.void(raised)
    market.void(box)


def test_the_marines_see_the_old_capacity_until_the_next_scenario() -> None:
    market = standing()
    market.buy("pillbox_1_3_5", location="M21:F7", capacity=3)

    def seen() -> int | None:
        return visible_campaign(market.campaign, Side.MARINE).fortifications["F7"].capacity

    market.campaign.situation.ended = "20 AM"
    assert seen() == 1
    market.campaign.situation.phase = Phase.SCENARIO
    assert seen() == 3
    assert visible_campaign(market.campaign, Side.JAPANESE).fortifications["F7"].capacity == 3
