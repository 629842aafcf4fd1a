"""The checks of purchases, voids and pools: each limit, its rule, its figures."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from brt_cg.audit.finding import Finding
from brt_cg.model.counters import Counter
from brt_cg.model.encoding import encode_record
from brt_cg.model.records import Purchase
from brt_cg.purchases.limits import LIMITS, LIMITS_OF_PRICES, LIMITS_OF_PURCHASES
from brt_cg.purchases.voids import build_void_record
from tests.audit.entries import NOON, adds, on, only
from tests.purchases.shop import Shop, refit_shop, shop
from tests.refit.table import JAPANESE, MARINE, japanese_squad


def forged(market: Shop, *bought: Purchase) -> list[Finding]:
    """What is found in purchases entered without asking the rules."""
    changes = [adds(one) for one in bought]
    return on(market.campaign, {"kind": "buy", "changes": changes})


def purchase(item: str = "hmg", **fields: Any) -> Purchase:
    """A purchase before the initial scenario that breaks nothing by itself."""
    given: dict[str, Any] = {
        "id": "p2",
        "date": "20 AM",
        "side": JAPANESE,
        "beach": "red_one",
        "points": "gpp",
        "item": item,
        "quantity": 1,
        "unit_cost": 4,
        "total": 4,
        "initial": True,
    }
    return Purchase(**given | fields)


def fpp(item: str, cost: int, **fields: Any) -> Purchase:
    total = cost * fields.get("quantity", 1)
    return purchase(item, points="fpp", unit_cost=cost, total=total, **fields)


def first(*counters: Counter, **each: int) -> Shop:
    """A shop before the initial scenario of CG III."""
    return shop(*counters, date="20 AM", ended=None, **({"each": each} if each else {}))


def poor() -> Shop:
    return first(gpp=3, capp=9, exponent=0)


def later() -> Shop:
    """A shop at 15.614 of a Refit Phase, with an Isolated squad and a front line."""
    alone = japanese_squad("j1", "E10", isolated=True, recorded_location="E10")
    many = (japanese_squad(f"s{number}", None, setup_area="J1") for number in range(10))
    areas = {"J1": "N17-N21 L15-L25 M15-M25", "M1": "O14-O22"}
    return refit_shop(alone, *many, areas=areas)


def closed() -> Shop:
    """The same shop once its side is done."""
    market = later()
    market.campaign.situation.buying = ()
    return market


LATER: dict[str, Any] = {"initial": False, "date": "20 PM"}
PILLBOX: dict[str, Any] = {"points": "capp", "unit_cost": 3, "total": 3}


@dataclass(frozen=True)
class Broken:
    """A purchase that breaks a limit, and what the audit says of it."""

    code: str
    rule: str
    words: str
    bought: Purchase
    market: Callable[[], Shop] = first


BROKEN = (
    Broken("item", "15.614", "p2: cannon is not in any price list", purchase("cannon")),
    Broken("quantity", "15.6141", "0 × HMG; buy at least 1", purchase(quantity=0, total=0)),
    Broken("side", "15.6141", "HMG is for the Japanese player only", purchase(side=MARINE)),
    Broken(
        *("window", "15.614", "until done; that player is done", purchase(**LATER)),
        closed,
    ),
    Broken("window", "15.614", "its CG Date is 22 AM", purchase(date="22 AM")),
    Broken("beach", "15.6141", "HMG needs a beach", purchase(beach=None)),
    Broken("beach", "15.6141", "HMG cannot be bought for Orange", purchase(beach="orange")),
    Broken("price", "15.6141", "HMG: unit cost 3 is wrong; it must be 4", purchase(unit_cost=3)),
    Broken("price", "15.6141", "HMG: total 3 is wrong; it must be 4", purchase(total=3)),
    Broken(
        "price", "15.6141", "kind of points fpp is wrong; it must be gpp", purchase(points="fpp")
    ),
    Broken("price", "15.6141", "HMG: exponent 1 is wrong; it must be 0", purchase(exponent=1)),
    Broken("price", "15.6141", "for the initial scenario", purchase(initial=False)),
    Broken(
        "capacity",
        "15.6141",
        "you cannot choose the capacity of HMG; leave it out",
        purchase(capacity=1),
    ),
    Broken(
        *(
            "initial-only",
            "15.6143",
            "Wire can only be bought before the initial",
            fpp("wire", 5, **LATER),
        ),
        later,
    ),
    Broken(
        *("concealment-date", "15.6143", "before an AM or Night date"),
        fpp("concealment", 1, side=MARINE, beach=None),
    ),
    Broken(
        "beach",
        "15.6141",
        "HMG cannot be bought for Island; choose Green",
        purchase(beach="island"),
    ),
    Broken(
        "beach", "15.6143", "Marine FPP are not tied to a beach", fpp("foxhole_1s", 1, side=MARINE)
    ),
    Broken(
        *("beach", "15.614", "no Japanese Setup Area contains a Beach hex of Black Two"),
        *(purchase(beach="black_two", **LATER), later),
    ),
    Broken(
        "allotment",
        "15.6141",
        "4 spent including this, but only 3 received (1 too many)",
        purchase(),
        poor,
    ),
    Broken(
        *("exponent", "15.6142", "1 spent including this, but only 0 received (1 too many)"),
        *(purchase("pillbox_1_3_5", exponent=1, capacity=1, **PILLBOX), poor),
    ),
    Broken(
        *(
            "beach-maximum",
            "15.6141",
            "HMG for Red One: 5 including this; the maximum is 4 per beach",
        ),
        purchase(quantity=5, total=20),
    ),
    Broken(
        *("campaign-maximum", "15.6141", "HMG: 17 including this; the maximum is 16 in CG III"),
        purchase(quantity=17, total=68),
    ),
    Broken(
        *("san", "15.6143", "2 including this before the initial scenario; the maximum is 1"),
        fpp("san_increase", 8, quantity=2),
    ),
    Broken(
        *("san", "15.6143", "Japanese SAN 4 → 8 is too high; the maximum is 7"),
        fpp("san_increase", 8, quantity=4),
    ),
    Broken(
        "at-mines",
        "15.6143",
        "no tetrahedron has been bought for this beach",
        fpp("at_mine_factor", 4),
    ),
    Broken(
        *("tetrahedra", "15.6143", "5 including this; the maximum is 4 per beach"),
        fpp("tetrahedron", 8, quantity=5),
    ),
    Broken(
        *("hip", "15.6143", "HIP for 1 squad-equivalent including this; the maximum is ½: 5% of"),
        *(fpp("hip_squad", 3, **LATER), later),
    ),
    Broken(
        *("placement", "15.6143", "Tetrahedron in L20: it must be in an Ocean hex"),
        fpp("tetrahedron", 8, location="L20"),
    ),
    Broken(
        *("isolated", "15.6143", "E10 is an Isolated Location"),
        *(fpp("fortified_building", 16, beach="island", location="E10", **LATER), later),
    ),
    Broken(
        *("front-line", "15.6143", "N20 is a Front Line Location"),
        *(fpp("foxhole_1s", 1, beach="island", location="N20", **LATER), later),
    ),
)


def numbered(one: Broken) -> str:
    return f"{one.code}-{one.bought.item}"


@pytest.mark.parametrize("broken", BROKEN, ids=numbered)
def test_a_purchase_over_a_limit_is_found(broken: Broken) -> None:
    found = [
        one
        for one in forged(broken.market(), broken.bought)
        if one.code == broken.code and broken.words in one.message
    ]
    assert [(one.rule, one.records) for one in found] == [(broken.rule, ("p2",))]
    assert found[0].secret is (broken.bought.side if broken.bought.side is JAPANESE else MARINE)


def test_every_limit_has_a_forgery_test() -> None:
    """Each code that a limit may give is in the list above."""
    tried = {one.code for one in BROKEN}
    assert {"item", "quantity", "side", "window", "price", "capacity", "initial-only"} <= tried
    limits = (*LIMITS, *LIMITS_OF_PURCHASES, *LIMITS_OF_PRICES)
    assert len(limits) <= len(tried)  # allotment gives two codes, placement three; price is none


def test_purchases_of_one_commit_are_checked_together() -> None:
    drafts = [purchase(id=f"p{n}", quantity=3, total=12, draft=True) for n in (2, 3)]
    market = first()
    for one in drafts:
        market.campaign.add(one)
    commits = [["purchases", one.id, "draft", True, False] for one in drafts]
    found = only(on(market.campaign, {"kind": "commit", "changes": commits}), "beach-maximum")
    assert "HMG for Red One: 6 including this; the maximum is 4 per beach" in found.message
    assert found.records == ("p2", "p3")


def test_a_purchase_is_checked_by_the_rulings_at_its_time() -> None:
    """R-HMG-CG2: 8 or 12 in all, whatever is agreed later."""
    campaign = shop(cg="II", date="20 AM").campaign
    bought = purchase(quantity=9, total=36)
    agreed = campaign.ruling_value("R-HMG-CG2")
    ruled = {"kind": "ruling", "changes": [["rulings", "R-HMG-CG2", "value", agreed, "8"]]}
    buys = {"kind": "buy", "changes": [adds(bought)]}
    assert "campaign-maximum" not in {one.code for one in on(campaign, buys, ruled)}
    found = only(on(campaign, ruled, buys), "campaign-maximum")
    assert "HMG: 9 including this; the maximum is 8 in CG II (R-HMG-CG2: 8)" in found.message


def test_locations_of_marine_purchases_are_shown_to_the_marines_alone() -> None:
    there = fpp("foxhole_1s", 1, side=MARINE, beach=None, location="S22")
    assert only(forged(first(), there), "placement").secret is MARINE


@pytest.mark.parametrize("kind", ["edit", "buy", "void", "answer", "import"])
def test_an_altered_purchase_is_found(kind: str) -> None:
    market = first()
    market.buy("hmg")
    change = ["purchases", "pj17", "beach", "red_one", "green"]
    ask = {"rule": "15.614", "subject": "marine", "kind": "choice", "side": "marine"}
    found = only(on(market.campaign, {"kind": kind, "ask": ask, "changes": [change]}), "ledger")
    assert (found.rule, found.records, found.secret) == ("15.614", ("2",), JAPANESE)
    assert found.message == (
        f"entry 2: pj17 was changed by an entry of type {kind}; only a later void may cancel it"
    )


def test_a_deleted_purchase_is_found() -> None:
    market = first()
    market.buy("hmg")
    gone = ["purchases", "pj17", "", encode_record(market.campaign.purchases["pj17"]), None]
    assert only(on(market.campaign, {"kind": "discard", "changes": [gone]}), "ledger")


def test_a_draft_may_be_deleted() -> None:
    market = first()
    market.buy("hmg", draft=True)
    gone = ["purchases", "dj17", "", encode_record(market.campaign.purchases["dj17"]), None]
    assert on(market.campaign, {"kind": "discard", "changes": [gone]}) == []
    assert only(on(market.campaign, {"kind": "edit", "changes": [gone]}), "ledger")


def test_a_draft_may_be_bought_under_another_id() -> None:
    market = first()
    market.buy("hmg", draft=True)
    gone = ["purchases", "dj17", "", encode_record(market.campaign.purchases["dj17"]), None]
    changes = [gone, adds(purchase(id="pj17"))]
    assert on(market.campaign, {"kind": "commit", "changes": changes}) == []


# --- voids ----------------------------------------------------------------------------------------


def voided(market: Shop, **fields: Any) -> list[Finding]:
    """What is found in a void of pj17, with some fields otherwise."""
    void = build_void_record(
        market.campaign, market.campaign.purchases["pj17"], "v2", "a slip", "Ann", NOON
    )
    for name, value in fields.items():
        setattr(void, name, value)
    return on(market.campaign, {"kind": "void", "changes": [adds(void)]})


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"voids": "p99"}, "v2 voids p99, which is not a purchase"),
        ({"reason": " "}, "a void needs a reason"),
        ({"total": -3}, "v2 voids pj17 with total -3, but it must be -4"),
        ({"quantity": 0}, "v2 voids pj17 with quantity 0, but it must be -1"),
        ({"beach": "green"}, "v2 voids pj17 with beach green, but it must be red_one"),
        ({"date": "20 PM"}, "v2 voids pj17 with date 20 PM, but it must be 20 AM"),
        ({"item": "inf_37"}, "v2 voids pj17 with item inf_37, but it must be hmg"),
    ],
)
def test_a_wrong_void_is_found(fields: dict[str, Any], words: str) -> None:
    market = first()
    market.buy("hmg")
    found = [one for one in voided(market, **fields) if one.code == "void"]
    assert [one.message for one in found] == [words]
    assert (found[0].rule, found[0].secret) == ("15.614", JAPANESE)


def test_a_purchase_voided_twice_is_found() -> None:
    market = first()
    market.buy("hmg")
    market.void("pj17", "once")
    found = only(voided(market), "void")
    assert found.message.startswith("pj17 was already voided, by vj18")


def test_a_void_outside_its_window_is_found() -> None:
    market = later()
    market.buy("foxhole_1s", beach="island")
    market.campaign.situation.paragraph, market.campaign.situation.done = None, "15.6143"
    assert only(voided(market), "window").rule == "15.614"


def test_a_void_that_breaks_nothing_is_no_finding() -> None:
    market = first()
    market.buy("hmg")
    assert voided(market) == []


# --- pools ----------------------------------------------------------------------------------------


def test_an_overspent_pool_is_found() -> None:
    market = first(gpp=8, fpp=8)
    market.buy("hmg")
    less = {"kind": "allot", "changes": [["allotments", "japanese/red_one", "gpp", 8, 1]]}
    found = only(on(market.campaign, less), "pool")
    assert (found.rule, found.records, found.secret) == ("15.6141", ("2",), JAPANESE)
    assert found.message == "entry 2: GPP of Red One: 4 spent, but only 1 received (3 too many)"


def test_a_pool_temporarily_below_zero_is_found() -> None:
    market = first(gpp=8, fpp=8)
    market.marine_buys("foxhole_3s")
    less = {"kind": "allot", "changes": [["allotments", "marine", "fpp", 8, 2]]}
    more = {"kind": "allot", "changes": [["allotments", "marine", "fpp", 2, 8]]}
    found = only(on(market.campaign, less, more), "pool")
    assert (found.message, found.secret) == (
        "entry 2: FPP of the Marine player: 3 spent, but only 2 received (1 too many)",
        None,
    )
