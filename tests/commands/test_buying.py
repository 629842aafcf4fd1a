"""buy, void, commit, discard, allot: the commands of 15.614."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from brt_cg.commands import Command
from brt_cg.commands.registry import COMMANDS
from brt_cg.journal.changes import apply_changes, compare_campaigns, invert_changes
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Fate
from brt_cg.model.records import Phase
from brt_cg.refit.victory import japanese_pillboxes
from tests.purchases.shop import Shop, refit_shop, shop
from tests.refit.table import JAPANESE, MARINE


def test_the_registry_has_all_purchase_commands() -> None:
    assert {"buy", "void", "commit", "discard", "allot"} <= set(COMMANDS)


# --- buy ------------------------------------------------------------------------------------------


def test_a_purchase_entry_contains_all_its_values() -> None:
    market = shop()
    market.buy("hmg", quantity=2, location="L20")
    bought = market.campaign.purchases["pj17"]
    assert (bought.date, bought.side, bought.beach) == ("20 AM", JAPANESE, "red_one")
    assert (bought.points, bought.item, bought.location) == ("gpp", "hmg", "L20")
    assert (bought.quantity, bought.unit_cost, bought.total) == (2, 4, 8)
    assert (bought.entered_by, bought.entered_at) == ("Ann", "1943-11-20T09:00:00")


def test_a_purchase_can_be_applied_and_undone() -> None:
    market = shop()
    before = market.campaign.clone()
    market.buy("pillbox_1_3_5", location="M21", arc=["N20", "N21"], capacity=2)
    market.buy("hmg", quantity=2, draft=True)
    market.do("commit")
    market.void("pj17")
    changes = json.loads(json.dumps(compare_campaigns(before, market.campaign)))
    folded = before.clone()
    apply_changes(folded, changes)
    assert folded == market.campaign
    apply_changes(folded, invert_changes(changes))
    assert folded == before


def test_a_japanese_purchase_is_secret() -> None:
    command = shop().do("buy", item="hmg", side="japanese", beach="red_one")
    assert command.secret is JAPANESE
    assert [one.text for one in command.said] == [
        "the Japanese buy 1 × HMG for Red One, 4 GPP (purchase pj17)"
    ]
    assert {one.secret for one in command.said} == {JAPANESE}


def test_a_marine_purchase_is_public_but_a_marine_draft_is_secret() -> None:
    market = refit_shop()
    bought = market.do("buy", item="foxhole_1s", side="marine")
    assert (bought.secret, bought.said[0].secret) == (None, None)
    drafted = market.do("buy", item="foxhole_1s", side="marine", draft=True)
    assert (drafted.secret, drafted.said[0].secret) == (MARINE, MARINE)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"item": "bomb"}, "there is no item 'bomb'; enter hmg"),
        ({"item": None}, "no item is given; enter hmg"),
        ({"side": "navy"}, "there is no side 'navy'; enter marine, japanese"),
        ({"beach": None}, "HMG needs a beach; choose Green, Red One"),
        ({"beach": "orange"}, "there is no beach 'orange'; enter green, red_one"),
        ({"quantity": 0}, "quantity: 0 is not accepted; enter a whole number from 1"),
        (
            {"quantity": 10**30, "draft": True},
            f"quantity: {10**30} is not accepted; enter a whole number from 1",
        ),
        ({"quantity": True}, "quantity: true is not accepted; enter a whole number from 1"),
        ({"quantity": "2"}, 'quantity: "2" is not accepted; enter a whole number from 1'),
        ({"draft": "yes"}, 'draft: "yes" is not accepted; enter true or false'),
        ({"colour": "red"}, "buy has no field 'colour'; enter item, side"),
        ({"location": 21}, "location: 21 is not a hex"),
    ],
)
def test_an_unreadable_order_is_refused(asked: dict[str, object], message: str) -> None:
    order = {"item": "hmg", "side": "japanese", "beach": "red_one", **asked}
    assert message in shop().refusal("buy", **order)


def test_all_unreadable_fields_are_named_together() -> None:
    refusal = shop().no("hmg", "orange", quantity=0, capacity=2, exit="L20")
    assert len(refusal.splitlines()) == 4


def test_the_marines_have_no_beach() -> None:
    refusal = refit_shop().no_marine("foxhole_1s", beach="red_one")
    assert refusal == "Marine FPP are not tied to a beach; leave out red_one (15.6143)"


# --- drafts ---------------------------------------------------------------------------------------


def test_a_draft_creates_no_counters_and_may_break_limits() -> None:
    market = shop(each={"gpp": 4})
    command = market.do("buy", item="hmg", side="japanese", beach="red_one", quantity=5, draft=True)
    assert market.campaign.purchases["dj17"].draft
    assert list(market.campaign.counters()) == []
    assert [one.text for one in command.said] == [
        "draft dj17: 5 × HMG for Red One, 20 GPP",
        "warning: together the drafts break a limit: GPP of Red One: 20 spent including this, "
        "but only 4 received (16 too many) (15.6141)",
        "warning: together the drafts break a limit: HMG for Red One: 5 including this; the "
        "maximum is 4 per beach (15.6141)",
    ]


def test_a_commit_buys_all_drafts_together() -> None:
    market = shop()
    # The mines are drafted first: only together with the tetrahedron may they be bought.
    market.buy("at_mine_factor", draft=True)
    market.buy("tetrahedron", draft=True)
    command = market.do("commit", side="japanese")
    assert command.secret is JAPANESE
    assert command.said[-1].text == "2 drafts bought for 12 FPP"
    assert set(market.campaign.fortifications) == {"pj19-1", "pj20-1"}
    assert list(market.campaign.purchases) == ["pj19", "pj20"]


def test_the_enemy_sees_only_the_commit_of_drafts() -> None:
    """Neither its number nor its time tells how many drafts there were, and when."""
    market = shop()
    market.marine_buys("foxhole_1s", draft=True)
    draft = market.campaign.purchases["dm17"]
    draft.entered_by, draft.entered_at = "Bob", "1943-11-20T08:00:00"
    market.do("commit")
    (bought,) = market.campaign.purchases.values()
    assert (bought.id, bought.entered_by) == ("pm18", "Ann")
    assert bought.entered_at == "1943-11-20T09:00:00"


def test_a_commit_that_breaks_a_limit_buys_nothing() -> None:
    market = shop(each={"gpp": 10})
    market.buy("hmg", draft=True)
    market.buy("hmg_50cal", quantity=2, draft=True)
    refusal = market.refusal("commit", side="japanese")
    assert (
        refusal
        == "GPP of Red One: 14 spent including this, but only 10 received (4 too many) (15.6141)"
    )


def test_a_draft_kept_for_a_later_date_pays_the_later_price() -> None:
    market = shop()
    market.buy("fortified_building", draft=True)
    now = market.campaign.situation
    now.phase, now.date, now.paragraph = refit_shop().campaign.situation.phase, "20 PM", "15.6143"
    now.buying = ("japanese",)
    market.do("commit")
    bought = market.campaign.purchases["pj18"]
    assert (bought.date, bought.initial, bought.total) == ("20 PM", False, 16)


def test_a_commit_needs_a_window_and_drafts() -> None:
    market = shop()
    assert market.refusal("commit") == "there are no drafts"
    assert market.refusal("commit", side="marine") == "the Marine player has no drafts"
    market.buy("hmg", draft=True)
    market.campaign.situation.phase = market.campaign.situation.phase.SCENARIO
    assert "the Japanese player may buy in the purchase phase" in market.refusal("commit")


def test_drafts_of_both_sides_are_distinguished_by_side() -> None:
    market = shop()
    market.buy("hmg", draft=True)
    market.marine_buys("foxhole_1s", draft=True)
    assert market.refusal("commit") == "both sides have drafts; name the side"
    market.do("commit", side="marine")
    assert market.campaign.purchases["dj17"].draft


def test_discarded_drafts_are_gone() -> None:
    market = shop()
    before = market.campaign.clone()
    market.buy("hmg", draft=True)
    market.buy("trench", draft=True)
    assert market.refusal("discard", purchase="pj18") == (
        "pj18 is not a draft of the Japanese player"
    )
    market.do("discard", purchase="dj17")
    assert list(market.campaign.purchases) == ["dj18"]
    command = market.do("discard", side="japanese")
    assert market.campaign == before
    assert command.secret is JAPANESE


def test_drafts_may_be_discarded_at_any_time() -> None:
    market = shop()
    market.buy("hmg", draft=True)
    market.campaign.situation.phase = market.campaign.situation.phase.SCENARIO
    market.do("discard")


# --- void -----------------------------------------------------------------------------------------


def test_a_void_is_a_separate_record() -> None:
    market = shop()
    market.buy("pillbox_1_3_5", capacity=2, quantity=2)
    kept = market.campaign.purchases["pj17"].clone()
    command = market.do("void", purchase="pj17", reason=" wrong beach ")
    record = market.campaign.purchases["vj18"]
    assert market.campaign.purchases["pj17"] == kept
    assert (record.voids, record.reason, record.created) == ("pj17", "wrong beach", ())
    assert (record.quantity, record.total, record.exponent) == (-2, -6, -2)
    assert command.secret is JAPANESE
    assert command.said[0].text.startswith("the Japanese void purchase pj17 (2 × Pillbox 1+3+5 of")
    assert command.said[0].text.endswith("): wrong beach; the points are returned")


def test_a_wrong_void_is_refused() -> None:
    market = shop()
    market.buy("hmg")
    market.buy("hmg", draft=True)
    assert market.refusal("void", purchase="pj17", reason=" ") == "a void needs a reason (15.614)"
    assert "pj99 is not a purchase" in market.refusal("void", purchase="pj99", reason="x")
    assert market.refusal("void", purchase="dj18", reason="x") == (
        "dj18 is a draft; discard it instead"
    )
    of_theirs = market.refusal("void", purchase="pj17", reason="x", side="marine")
    assert of_theirs.startswith("pj17 is not a purchase of the Marine player")
    market.void("pj17", "typing")
    again = market.refusal("void", purchase="pj17", reason="x")
    assert again == "pj17 was already voided, by vj19 on 20 AM: typing (15.614)"
    refusal = market.refusal("void", purchase="vj19", reason="x")
    assert refusal == "vj19 is itself the void of pj17, and cannot be voided"


def test_a_void_needs_a_buying_window() -> None:
    market = refit_shop()
    market.buy("foxhole_1s")
    market.campaign.situation.buying = ("marine",)
    assert "that player is done (15.614)" in market.refusal("void", purchase="pj17", reason="x")


def in_a_later_window(market: Shop) -> None:
    """The window of the next Refit Phase opens."""
    now = market.campaign.situation
    now.phase, now.date, now.paragraph = Phase.REFIT, "20 PM", "15.6143"
    now.buying = ("marine", "japanese")


def test_a_later_void_returns_points_for_items_never_set_up() -> None:
    market = shop()
    market.buy("trench")
    in_a_later_window(market)
    market.void("pj17")
    assert (market.campaign.purchases["vj18"].date, market.left().fpp) == ("20 PM", 400)


def later_void(item: str, change: Callable[[Campaign], None], **order: Any) -> tuple[Shop, Command]:
    """What an initial purchase is voided to in a later window, after something was done with it."""
    market = shop()
    market.buy(item, **order)
    change(market.campaign)
    in_a_later_window(market)
    return market, market.do("void", purchase="pj17", reason="never there")


def is_lost(campaign: Campaign) -> None:
    campaign.weapons["pj17-1"].fate = Fate.ELIMINATED


def was_set_up(campaign: Campaign) -> None:
    campaign.weapons["pj17-1"].unseen = False


def is_captured(campaign: Campaign) -> None:
    campaign.weapons["pj17-1"].side = MARINE


def is_hidden(campaign: Campaign) -> None:
    campaign.weapons["pj17-1"].add_status("hidden")


def stands(campaign: Campaign) -> None:
    campaign.weapons["pj17-1"].location = "L20"


@pytest.mark.parametrize("change", [is_lost, was_set_up, is_captured, is_hidden, stands])
def test_a_later_void_of_used_items_only_corrects_the_record(
    change: Callable[[Campaign], None],
) -> None:
    market, command = later_void("turret_8in", change, quantity=2)
    record = market.campaign.purchases["vj18"]
    assert (record.voids, record.quantity, record.total) == ("pj17", 0, 0)
    assert market.left().gpp == 400 - 16
    told = next(one.text for one in command.said if "void purchase pj17" in one.text)
    assert "corrected: no points are returned, and it still counts toward the maximums" in told
    assert "3 including this; the maximum is 2 in CG III" in market.no("turret_8in", "red_two")


def test_a_later_void_of_turrets_never_set_up_frees_their_maximum() -> None:
    market, _ = later_void("turret_8in", lambda _: None, quantity=2)
    assert market.left().gpp == 400
    market.buy("turret_8in", quantity=2)


@pytest.mark.parametrize("item", ["concealment", "hip_squad", "san_increase"])
def test_items_used_up_in_a_scenario_are_not_refunded(item: str) -> None:
    market, command = later_void(item, lambda _: None, beach=None)
    assert market.campaign.purchases["vj18"].total == 0
    assert any("it has been used" in one.text for one in command.said)


def test_a_void_in_the_same_window_returns_even_placed_items() -> None:
    market = shop()
    market.buy("turret_8in", quantity=2)
    stands(market.campaign)
    market.void("pj17")
    assert market.left().gpp == 400
    market.buy("turret_8in", quantity=2)


def test_a_later_void_shows_the_enemy_only_that_a_record_was_corrected() -> None:
    _, command = later_void("turret_8in", is_lost, quantity=2)
    public = [one.text for one in command.said if one.secret is None]
    assert public == ["the Japanese player corrects the record of purchases"]
    assert command.secret is JAPANESE


def test_a_fallen_pillbox_counts_despite_a_corrected_record() -> None:
    market = shop()
    bought = market.buy("pillbox_1_3_5", location="M21", arc=["N20", "N21"])
    box = market.campaign.fortifications[f"{bought}-1"]
    box.fate, box.fell, box.controller = Fate.ELIMINATED, "20 AM", MARINE
    in_a_later_window(market)
    market.void(bought)
    assert [each.id for each in japanese_pillboxes(market.campaign)] == [box.id]


# --- allot ----------------------------------------------------------------------------------------


def test_an_allotment_can_be_changed() -> None:
    market = shop()
    command = market.do("allot", side="japanese", beach="red_one", gpp=24, capp="26^2")
    found = market.campaign.allotments["japanese/red_one"]
    assert (found.gpp, found.capp, found.exponent, found.fpp) == (24, 26, 2, 400)
    assert (command.secret, command.said[0].secret) == (JAPANESE, JAPANESE)


@pytest.mark.parametrize(("capp", "points"), [("26", (26, 0)), ("26^0", (26, 0)), (13, (13, 0))])
def test_capp_without_an_exponent_are_stored_without_one(
    capp: object, points: tuple[int, int]
) -> None:
    market = shop()
    market.do("allot", side="japanese", beach="red_one", capp=capp)
    found = market.campaign.allotments["japanese/red_one"]
    assert (found.capp, found.exponent) == points


def test_a_missing_allotment_is_created() -> None:
    market = shop()
    market.campaign.allotments.clear()
    market.do("allot", side="marine", fpp=30)
    market.do("allot", side="japanese", beach="island", fpp=40)
    assert set(market.campaign.allotments) == {"marine", "japanese/island"}


def test_an_allotment_is_never_below_what_is_spent() -> None:
    market = shop()
    market.buy("hmg", quantity=2)
    market.do("allot", side="japanese", beach="red_one", gpp=8)
    refusal = market.refusal("allot", side="japanese", beach="red_one", gpp=7)
    assert refusal == "GPP of Red One: 8 spent, but only 7 received (1 too many) (15.6141)"


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"side": None}, "side: missing; enter marine, japanese"),
        ({"beach": None}, "beach: missing; enter green"),
        ({"beach": "orange"}, 'beach: "orange" is not a beach; enter green'),
        (
            {"side": "marine"},
            'beach: "red_one" is not accepted; enter no beach, since the Marines have',
        ),
        ({"side": "marine", "beach": None}, "gpp: GPP and CAPP are for Japanese beaches"),
        ({"beach": "island"}, "gpp: GPP and CAPP are for Japanese beaches; allowed here: fpp"),
        ({"gpp": -1}, "gpp: -1 is not accepted; enter a whole number from 0 to 9999"),
        ({"gpp": 10**30}, f"gpp: {10**30} is not accepted; enter a whole number from 0 to 9999"),
        ({"gpp": None}, "no points; enter gpp, capp, exponent, fpp"),
        ({"capp": "many"}, 'capp: "many" is not accepted; enter CAPP as "26^2"'),
        ({"date": "20 AM"}, 'date: "20 AM" is not accepted; enter 20 PM, 20 NT'),
        ({"hexes": 3}, "hexes: unknown field; enter date, side, beach"),
    ],
)
def test_an_unreadable_allotment_is_refused(asked: dict[str, object], message: str) -> None:
    order = {"side": "japanese", "beach": "red_one", "gpp": 4, **asked}
    assert message in shop().refusal("allot", **order)


def test_a_grant_counts_from_its_date() -> None:
    market = shop()
    market.do("allot", side="japanese", beach="red_one", fpp=9, date="20 PM")
    market.do("allot", side="marine", fpp=5, date="20 PM")
    market.do("allot", side="marine", fpp=6, date="20 PM")
    grants = {key: one for key, one in market.campaign.allotments.items() if one.date}
    assert {key: (one.fpp, one.credited) for key, one in grants.items()} == {
        "grant-1": (9, False),
        "grant-2": (6, False),
    }


def test_a_grant_of_the_current_date_counts_immediately() -> None:
    market = refit_shop(date="20 PM", ended="20 AM")
    market.do("allot", side="marine", fpp=5, date="20 PM")
    assert market.left(None).fpp == 405


def test_before_the_new_date_a_grant_of_the_old_one_is_refused() -> None:
    market = refit_shop(date="20 AM", ended="20 AM")
    market.campaign.situation.paragraph = None
    assert "enter 20 PM" in market.refusal("allot", side="marine", fpp=5, date="20 AM")


def test_all_problems_are_reported_even_without_item_and_side() -> None:
    asked = {"item": "hmgs", "side": "navy", "beach": "mars", "quantity": 0, "arc": ["N21"]}
    refusal = shop().refusal("buy", **asked, location="ZZ9", exit="ZZ8", capacity=0)
    for words in (
        *("'navy'", "did you mean hmg?", "'mars'", "quantity: 0 is not accepted", "ZZ9", "ZZ8"),
        *('arc: "N21" is not accepted', "capacity: 0 is not accepted"),
    ):
        assert words in refusal


def test_all_problems_of_an_allotment_are_reported() -> None:
    asked = {"beach": "mars", "date": "9 XX", "gpp": -4, "fpp": "x"}
    refusal = shop().refusal("allot", side="japanese", **asked)
    for words in ('"mars"', "9 XX", "gpp: -4 is not accepted", 'fpp: "x" is not accepted'):
        assert words in refusal
