"""Purchases as data: what each side sees of them, per beach, and drafts with running totals."""

from brt_cg.purchases.listing import beach_defense_pages, draft_report, list_purchase_records
from brt_cg.purchases.pools import Amounts
from tests.purchases.shop import Shop, shop
from tests.refit.table import JAPANESE, MARINE


def _busy() -> Shop:
    market = shop()
    market.buy("hmg", quantity=2)
    market.buy("foxhole_1s", "island")
    market.marine_buys("foxhole_2s")
    market.do("buy", item="foxhole_3s", side="marine", draft=True)
    market.void("pj17")
    return market


def _ids(market: Shop, viewer: object) -> list[str]:
    side = None if viewer is None else JAPANESE if viewer is JAPANESE else MARINE
    return [row.id for row in list_purchase_records(market.campaign, market.card, side)]


def test_the_umpire_sees_every_record_in_order() -> None:
    assert _ids(_busy(), None) == ["pj17", "pj18", "pm19", "vj21", "dm20"]


def test_the_marines_see_nothing_japanese() -> None:
    assert _ids(_busy(), MARINE) == ["pm19", "dm20"]


def test_the_japanese_see_no_marine_draft() -> None:
    assert _ids(_busy(), JAPANESE) == ["pj17", "pj18", "pm19", "vj21"]


def test_a_void_and_its_purchase_name_each_other() -> None:
    rows = {row.id: row for row in list_purchase_records(_busy().campaign, _busy().card, None)}
    assert rows["pj17"].voided_by == "vj21"
    assert rows["vj21"].voids == "pj17"
    assert (rows["vj21"].quantity, rows["vj21"].total) == (-2, -8)
    assert rows["pj17"].lost == ("pj17-1", "pj17-1-crew", "pj17-2", "pj17-2-crew")


def test_a_row_shows_a_pillboxs_total_capacity() -> None:
    market = shop()
    market.buy("pillbox_1_3_5", capacity=2)
    market.buy("trench")
    first, second = list_purchase_records(market.campaign, market.card, None)
    assert (first.whole_capacity, first.name, first.exponent) == (2, "Pillbox 1+3+5", 1)
    assert second.whole_capacity is None


def test_the_beach_defense_record_has_a_page_for_each_beach() -> None:
    market = _busy()
    pages = {
        page.account.beach: page for page in beach_defense_pages(market.campaign, market.card, None)
    }
    assert [row.id for row in pages["red_one"].rows] == ["pj17", "vj21"]
    assert pages["red_one"].account.left == pages["red_one"].account.allotted
    assert [row.id for row in pages["island"].rows] == ["pj18"]
    assert [row.id for row in pages[None].rows] == ["pm19"]


def test_the_marines_have_only_their_own_page() -> None:
    market = _busy()
    (page,) = beach_defense_pages(market.campaign, market.card, MARINE)
    assert (page.account.side, [row.id for row in page.rows]) == (MARINE, ["pm19"])


def test_a_draft_shows_totals_and_the_limits_it_breaks() -> None:
    market = shop(each={"gpp": 10, "fpp": 10})
    market.buy("hmg", quantity=2)
    market.buy("hmg", quantity=3, draft=True)
    market.buy("trench", draft=True)
    report = draft_report(market.campaign, market.card, JAPANESE)
    assert report.total == Amounts(gpp=12, fpp=4)
    (account,) = [one for one in report.accounts if one.beach == "red_one"]
    assert (account.left.gpp, account.left.fpp) == (-10, 6)
    assert [(one.code, one.message) for one in report.breaches] == [
        (
            "allotment",
            "GPP of Red One: 20 spent including this, but only 10 received (10 too many)",
        ),
        ("beach-maximum", "HMG for Red One: 5 including this; the maximum is 4 per beach"),
    ]
