"""Points are conserved, nothing is negative, and voiding undoes buying: whatever is bought."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from brt_cg.card import load_card
from brt_cg.model.campaign import Campaign
from brt_cg.model.records import Allotment, Phase, Purchase
from brt_cg.purchases import pools
from brt_cg.purchases.totals import (
    CountedPurchases,
    drafts_of,
    fund_of,
    purchases_not_voided,
    sort_purchases,
)
from brt_cg.questions.answers import RefusedError
from tests.exports.journals import new, plain_answer, squad, state
from tests.purchases.shop import BEACHES, Shop, refit_shop, shop
from tests.refit.table import JAPANESE, MARINE

CARD = load_card("III")
POINTS = {
    "japanese": {
        "red_one": {"gpp": 40, "capp": "30^4", "fpp": 60},
        "black_two": {"gpp": 20, "fpp": 40},
        "island": {"fpp": 60},
    },
    "marine": {"fpp": 60},
    "grant": [{"date": "20 NT", "side": "japanese", "beach": "red_one", "fpp": 20}],
}
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


def totals(campaign: Campaign) -> tuple[Any, ...]:
    """The accounts, what is in play, and the SANs."""
    sans = {key: one.san for key, one in campaign.sides.items()}
    return pools.list_accounts(campaign, CARD), in_play(campaign), sans


def in_play(campaign: Campaign) -> set[str]:
    return {one.id for one in campaign.counters() if one.in_play}


@given(shops(), st.lists(orders(), max_size=8))
def test_points_given_equal_points_left_and_spent(
    market: Shop, wanted: list[dict[str, Any]]
) -> None:
    for order in wanted:
        try:
            market.do("buy", **order)
        except RefusedError:
            continue
    for account in pools.list_accounts(market.campaign, CARD):
        bought = pools.sum_amounts(
            pools.purchase_amounts(one)
            for one in purchases_not_voided(market.campaign)
            if fund_of(one.side, one.beach) == account.fund
        )
        assert account.given == account.left + bought
        assert account.overdraft_breaches() == []


@given(shops(), st.lists(orders(), max_size=4), orders())
def test_voiding_a_purchase_restores_the_earlier_state(
    market: Shop, before: list[dict[str, Any]], order: dict[str, Any]
) -> None:
    for one in [*before, order]:
        had = totals(market.campaign)
        try:
            market.do("buy", **one)
        except RefusedError:
            continue
        bought = market.campaign.clone()
        market.void(f"pj{market.number - 1}")
        assert totals(market.campaign) == had
        market.campaign = bought


class Treasury(RuleBasedStateMachine):
    """Both sides buy, void, draft, commit, discard, play on, undo and redo as they like."""

    def __init__(self) -> None:
        super().__init__()
        self.journal = new(allotments=POINTS)

    @property
    def campaign(self) -> Campaign:
        return self.journal.campaign

    def attempt(self, kind: str, **asked: Any) -> bool:
        before = self.campaign.clone()
        self.journal.begin_invocation()
        try:
            self.journal.run_command(kind, asked, "players")
        except RefusedError:
            assert self.campaign == before
            return False
        return True

    @rule(order=orders(), draft=st.booleans())
    def buy(self, order: dict[str, Any], draft: bool) -> None:
        self.attempt("buy", **order, draft=draft)

    @rule(order=orders())
    def buy_and_void(self, order: dict[str, Any]) -> None:
        before = totals(self.campaign)
        if self.attempt("buy", **order):
            made = self.journal.entries[-1].changes
            bought = next(id for table, id, *_ in made if table == "purchases")
            assert self.attempt("void", purchase=bought, reason="a slip")
        assert totals(self.campaign) == before

    @rule(data=st.data())
    def void(self, data: st.DataObject) -> None:
        known = sorted(self.campaign.purchases)
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

    @precondition(lambda self: self.campaign.situation.phase is Phase.PURCHASE)
    @rule()
    def the_first_scenario_ends(self) -> None:
        found = state(squad("m-sq-1", "N19"), squad("j-sq-1", "L38"), date="20 PM")
        self.attempt("import", state=found, source="state.json", missing="keep", side=None)

    @precondition(lambda self: self.campaign.situation.phase is Phase.REFIT)
    @rule(to=st.sampled_from(("15.614 japanese", "15.614 marine", "15.6202 japanese")))
    def play_on(self, to: str) -> None:
        self.journal.begin_invocation()
        while (
            ask := self.journal.play_to_next_question()
        ) is not None and f"{ask.rule} {ask.subject}" != to:
            self.journal.answer(plain_answer(ask), ask.side)

    @rule(whole=st.booleans())
    def undo(self, whole: bool) -> None:
        self.journal.begin_invocation()
        try:
            self.journal.undo(whole)
        except RefusedError:
            assert not [number for number in self.journal.standing if number > 1]

    @rule()
    def redo(self) -> None:
        self.journal.begin_invocation()
        try:
            self.journal.redo()
        except RefusedError:
            assert not self.journal.redoable

    @invariant()
    def what_is_given_is_left_or_was_spent(self) -> None:
        for account in pools.list_accounts(self.campaign, CARD):
            mine = (one for one in purchases_not_voided(self.campaign) if belongs(one, account))
            credits = self.campaign.allotments.values()
            given = (one for one in credits if one.credited and belongs(one, account))
            spent = pools.sum_amounts(map(pools.purchase_amounts, mine))
            assert pools.sum_amounts(map(pools.allotment_amounts, given)) == account.left + spent

    @invariant()
    def the_running_totals_are_the_plain_sums(self) -> None:
        """After whatever was done, refused, undone or done again."""
        purchases = list(self.campaign.purchases.values())
        voided = {one.voids for one in purchases}
        paid = [one for one in purchases if not one.draft]
        stand = [one for one in paid if one.voids is None and one.id not in voided]
        assert purchases_not_voided(self.campaign) == sort_purchases(stand)
        assert drafts_of(self.campaign, JAPANESE) + drafts_of(self.campaign, MARINE) == [
            one
            for side in (JAPANESE, MARINE)
            for one in sort_purchases(purchases)
            if one.draft and one.side is side
        ]
        for account in pools.list_accounts(self.campaign, CARD):
            plain = (pools.purchase_amounts(one) for one in paid if belongs(one, account))
            assert account.spent == pools.sum_amounts(plain)
        bought = CountedPurchases(self.campaign)
        for item in CARD.prices:
            plainly = [one for one in stand if one.item == item]
            assert bought.purchases_of_items([item]) == sort_purchases(plainly)
            assert bought.quantity([item]) == sum(one.quantity for one in plainly)
            at_red_one = [one.quantity for one in plainly if one.beach == "red_one"]
            assert bought.quantity([item], lambda lot: lot.beach == "red_one") == sum(at_red_one)

    @invariant()
    def nothing_is_negative(self) -> None:
        assert [
            one for one in pools.list_accounts(self.campaign, CARD) if one.overdraft_breaches()
        ] == []
        assert all(0 <= side.san <= 7 and side.cvp >= 0 for side in self.campaign.sides.values())

    @invariant()
    def what_stands_is_on_the_table_and_nothing_else_that_was_bought(self) -> None:
        made = {id for one in purchases_not_voided(self.campaign) for id in one.created}
        bought = {one.id for one in self.campaign.counters() if one.in_play and one.purchase}
        assert bought == made


def of_two_hmgs() -> Treasury:
    treasury = Treasury()
    assert treasury.attempt("buy", side="japanese", beach="red_one", item="hmg", quantity=2)
    treasury.the_running_totals_are_the_plain_sums()
    return treasury


def test_a_purchase_counts_again_once_its_void_is_undone() -> None:
    treasury = of_two_hmgs()
    before = totals(treasury.campaign)
    assert treasury.attempt("void", purchase="pj1", reason="a slip")
    treasury.the_running_totals_are_the_plain_sums()
    treasury.journal.undo()
    treasury.the_running_totals_are_the_plain_sums()
    assert totals(treasury.campaign) == before


def test_a_corrected_purchase_counts_with_its_current_values() -> None:
    treasury = of_two_hmgs()
    bought = treasury.campaign.purchases["pj1"]
    bought.quantity, bought.total = 3, 12
    treasury.the_running_totals_are_the_plain_sums()


def test_a_repeated_request_counts_once() -> None:
    campaign = of_two_hmgs().campaign
    again = CountedPurchases(campaign, list(campaign.purchases.values()))
    assert again.quantity(["hmg"]) == 2
    assert again.points_spent(fund_of(JAPANESE, "red_one"), "gpp") == 8


def belongs(one: Purchase | Allotment, account: pools.Account) -> bool:
    """Whether points were spent from, or given to, an account."""
    return fund_of(one.side, one.beach) == account.fund


TestTreasury = Treasury.TestCase
