"""What is allotted, granted, spent and left; and how a void gives it back."""

import pytest

from brt_cg.model.records import Allotment
from brt_cg.purchases import pools
from brt_cg.purchases.ledger import new_unpriced_order, priced_purchase
from brt_cg.purchases.limits import find_breaches
from brt_cg.purchases.pools import Amounts, parse_capp
from tests.purchases.shop import refit_shop, shop
from tests.refit.table import JAPANESE, MARINE


@pytest.mark.parametrize(
    ("written", "read"), [("26^2", (26, 2)), ("26", (26, 0)), (26, (26, 0)), (0, (0, 0))]
)
def test_capp_are_written_with_their_exponent(written: object, read: tuple[int, int]) -> None:
    assert parse_capp(written) == read


@pytest.mark.parametrize("written", ["26^", "^2", "-1", -1, True, None, "26 2"])
def test_other_texts_are_not_capp(written: object) -> None:
    with pytest.raises(ValueError, match="26 CAPP, exponent 2"):
        parse_capp(written)


def test_the_marines_come_first_then_the_beaches_as_the_card_lists_them() -> None:
    market = shop()
    found = pools.list_accounts(market.campaign, market.card)
    assert [one.beach for one in found] == [None, *market.card.beaches]
    (marine,) = pools.list_accounts(market.campaign, market.card, MARINE)
    assert marine.side is MARINE


def test_a_grant_counts_once_it_is_credited() -> None:
    market = refit_shop(each={"fpp": 1})
    grant = Allotment(
        id="grant-1", side=JAPANESE, beach="red_one", date="20 PM", fpp=9, credited=False
    )
    market.campaign.add(grant)
    assert market.left().fpp == 1
    grant.credited = True
    (account,) = [
        one for one in pools.list_accounts(market.campaign, market.card) if one.beach == "red_one"
    ]
    assert (account.allotted.fpp, account.granted.fpp, account.left.fpp) == (1, 9, 10)


def test_drafts_spend_no_points() -> None:
    market = shop()
    market.buy("hmg", draft=True)
    assert market.left().gpp == 400


def test_a_void_returns_the_points_and_the_exponent() -> None:
    market = shop()
    before = market.left()
    bought = market.buy("pillbox_1_3_5", capacity=3, quantity=2)
    assert before - market.left() == Amounts(capp=6, exponent=4)
    market.void(bought)
    assert market.left() == before


def test_an_account_shows_an_overdraft() -> None:
    market = shop(each={"capp": 3, "exponent": 1})
    market.buy("pillbox_1_3_5", capacity=2)
    market.campaign.allotments["japanese/red_one"].capp = 1
    market.campaign.allotments["japanese/red_one"].exponent = 0
    found = pools.compute_account(market.campaign, JAPANESE, "red_one").overdraft_breaches()
    assert [str(one) for one in found] == [
        "CAPP of Red One: 3 spent, but only 1 received (2 too many) (15.6142)",
        "CAPP Exponent of Red One: 1 spent, but only 0 received (1 too many) (15.6142)",
    ]


def test_a_purchase_is_checked_against_the_current_points() -> None:
    """Whatever changes them, and back again."""
    market = shop(each={"gpp": 4})
    campaign, card = market.campaign, market.card
    given = campaign.allotments["japanese/red_one"]
    hmg = priced_purchase(
        campaign, card, new_unpriced_order(card.prices["hmg"], JAPANESE, beach="red_one")
    )
    for points, credited, due in (
        *((4, True, []), (3, True, ["allotment"]), (4, True, []), (4, False, ["allotment"])),
        *((9, True, []), (3, True, ["allotment"])),
    ):
        given.gpp, given.credited = points, credited
        assert [breach.code for breach in find_breaches(campaign, card, hmg)] == due
    campaign.add(Allotment(id="grant-1", side=JAPANESE, beach="red_one", date="20 PM", gpp=1))
    assert find_breaches(campaign, card, hmg) == []
    campaign.remove(given)
    assert len(find_breaches(campaign, card, hmg)) == 1


def test_amounts_are_written_in_words() -> None:
    assert str(Amounts(24, 26, 2, 60)) == "24 GPP, 26 CAPP, exponent 2, 60 FPP"
    assert str(Amounts()) == "nothing"
