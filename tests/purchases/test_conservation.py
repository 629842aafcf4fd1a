"""Points are conserved, nothing is negative, and voiding undoes buying: whatever is bought."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from brt_cg.asks import Refused
from brt_cg.campaign import Campaign
from brt_cg.card import load_card
from brt_cg.purchases import pools
from brt_cg.purchases.ledger import standing
from tests.purchases.shop import BEACHES, Shop, refit_shop, shop

CARD = load_card("III")
PLACES = ("L20", "M21", "N21", "O21", "E10")


@st.composite
def orders(draw: st.DrawFn) -> dict[str, Any]:
    """Anything that either side may ask for, within the limits or not."""
    item = draw(st.sampled_from(sorted(CARD.prices)))
    side = draw(st.sampled_from(("japanese", "japanese", "marine")))
    asked: dict[str, Any] = {"item": item, "side": side, "quantity": draw(st.integers(1, 6))}
    if side == "japanese":
        asked["beach"] = draw(st.sampled_from(("red_one", "black_two", *BEACHES, "island")))
    if draw(st.booleans()):
        asked["location"] = draw(st.sampled_from(PLACES))
    if item.startswith("pillbox"):
        asked["capacity"] = draw(st.integers(1, 3))
        asked["arc"] = ["N20", "N21"]
    return asked


def shops() -> st.SearchStrategy[Shop]:
    """A shop before the first scenario or in a Refit Phase, poor or rich."""
    return st.builds(
        lambda make, points: make(
            each={"gpp": points, "capp": points, "exponent": points // 8, "fpp": points}
        ),
        st.sampled_from((shop, refit_shop)),
        st.integers(0, 60),
    )


def in_play(campaign: Campaign) -> set[str]:
    return {one.id for one in campaign.counters() if one.in_play}


@given(shops(), st.lists(orders(), max_size=8))
def test_what_is_given_is_what_is_left_and_what_was_bought(
    market: Shop, wanted: list[dict[str, Any]]
) -> None:
    for order in wanted:
        try:
            market.do("buy", **order)
        except Refused:
            continue
    for account in pools.accounts(market.campaign, CARD):
        bought = pools.total(
            pools.cost(one)
            for one in standing(market.campaign)
            if one.side is account.side and pools.beach_of(one.side, one.beach) == account.beach
        )
        assert account.given == account.left + bought
        assert account.overdrawn() == []


@given(shops(), st.lists(orders(), max_size=4), orders())
def test_voiding_a_purchase_is_as_if_it_had_never_been_made(
    market: Shop, before: list[dict[str, Any]], order: dict[str, Any]
) -> None:
    for one in [*before, order]:
        accounts, counters = pools.accounts(market.campaign, CARD), in_play(market.campaign)
        san = {key: side.san for key, side in market.campaign.sides.items()}
        try:
            market.do("buy", **one)
        except Refused:
            continue
        bought = market.campaign.clone()
        market.void(f"p{market.serial - 1}")
        assert pools.accounts(market.campaign, CARD) == accounts
        assert in_play(market.campaign) == counters
        assert {key: side.san for key, side in market.campaign.sides.items()} == san
        market.campaign = bought


class Ledger(RuleBasedStateMachine):
    """Both sides buy, void, draft, commit and discard as they like."""

    def __init__(self) -> None:
        super().__init__()
        self.market = shop(each={"gpp": 40, "capp": 30, "exponent": 4, "fpp": 60})

    def attempt(self, kind: str, **asked: Any) -> None:
        before = self.market.campaign.clone()
        try:
            self.market.do(kind, **asked)
        except Refused:
            assert self.market.campaign == before

    @rule(order=orders(), draft=st.booleans())
    def buy(self, order: dict[str, Any], draft: bool) -> None:
        self.attempt("buy", **order, draft=draft)

    @rule(data=st.data())
    def void(self, data: st.DataObject) -> None:
        known = sorted(self.market.campaign.purchases)
        if known:
            self.attempt("void", purchase=data.draw(st.sampled_from(known)), reason="a slip")

    @rule(side=st.sampled_from(("japanese", "marine", None)))
    def commit(self, side: str | None) -> None:
        self.attempt("commit", side=side)

    @rule(side=st.sampled_from(("japanese", "marine", None)))
    def discard(self, side: str | None) -> None:
        self.attempt("discard", side=side)

    @rule(beach=st.sampled_from(BEACHES), points=st.integers(0, 80))
    def allot(self, beach: str, points: int) -> None:
        self.attempt("allot", side="japanese", beach=beach, gpp=points, fpp=points)

    @invariant()
    def nothing_is_overdrawn(self) -> None:
        for account in pools.accounts(self.market.campaign, CARD):
            assert account.overdrawn() == []

    @invariant()
    def what_stands_is_on_the_table_and_nothing_else(self) -> None:
        made = {id for one in standing(self.market.campaign) for id in one.created}
        assert in_play(self.market.campaign) == made


TestLedger = Ledger.TestCase
