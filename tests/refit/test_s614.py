"""15.614: grants are credited, then each side buys until it is done."""

from typing import Any

from brt_cg.card import load_card
from brt_cg.model.campaign import Campaign
from brt_cg.model.records import Allotment
from brt_cg.purchases import pools
from brt_cg.refit.run import ParagraphRun
from brt_cg.refit.s614_purchases import (
    credit_covered_arc_points,
    credit_fortification_points_and_buy,
    credit_gun_points,
)
from tests.purchases.shop import Shop
from tests.refit.table import JAPANESE, MARINE, campaign, play


def grant(id: str, date: str, side: Any = JAPANESE, **points: int) -> Allotment:
    beach = "red_one" if side is JAPANESE else None
    return Allotment(id=id, side=side, beach=beach, date=date, credited=False, **points)


def refit(*grants: Allotment, date: str = "20 PM", ended: str = "20 AM", **facts: Any) -> Campaign:
    made = campaign(date=date, ended=ended, **facts)
    for one in grants:
        made.add(one)
    return made


def credited(found: Campaign) -> set[str]:
    return {key for key, one in found.allotments.items() if one.credited}


# --- grants ---------------------------------------------------------------------------------------


def test_a_grant_is_credited_when_its_points_are_first_named() -> None:
    found = refit(
        grant("g", "20 PM", gpp=5, fpp=3),
        grant("c", "20 PM", capp=4, exponent=1, fpp=2),
        grant("f", "20 PM", fpp=7),
    )
    play(credit_gun_points, found)
    assert credited(found) == {"g"}
    play(credit_covered_arc_points, found)
    assert credited(found) == {"g", "c"}
    play(credit_fortification_points_and_buy, found)
    assert credited(found) == {"g", "c", "f"}


def test_a_future_grant_is_not_credited() -> None:
    found = refit(grant("g", "20 NT", gpp=5))
    play(credit_gun_points, found)
    assert credited(found) == set()


def test_a_grant_is_credited_once() -> None:
    found = refit(grant("g", "20 PM", gpp=5))
    play(credit_gun_points, found)
    play(credit_gun_points, found)
    (account,) = [
        one for one in pools.list_accounts(found, load_card("III")) if one.beach == "red_one"
    ]
    assert account.granted.gpp == 5


def test_grants_before_the_campaign_was_adopted_are_not_credited_again() -> None:
    found = refit(grant("g", "20 NT", fpp=5), date="21 PM", ended="21 AM")
    play(credit_fortification_points_and_buy, found)
    assert credited(found) == set()


def test_a_morning_grant_after_a_skipped_night_is_not_lost() -> None:
    found = refit(
        grant("g", "21 AM", fpp=5), date="21 PM", ended="21 AM", nights_without_scenario=1
    )
    play(credit_fortification_points_and_buy, found)
    assert credited(found) == {"g"}


def test_japanese_grants_are_secret_and_marine_ones_are_not() -> None:
    found = refit(grant("j", "20 PM", fpp=5), grant("m", "20 PM", MARINE, fpp=6))
    result = play(credit_fortification_points_and_buy, found)
    told = dict(zip(result.said, result.secrets, strict=True))
    assert told["Red One receives 5 FPP, due on 20 PM"] is JAPANESE
    assert told["the Marine player receives 6 FPP, due on 20 PM"] is None


def test_a_paragraph_without_grants_shows_the_marines_nothing_more() -> None:
    with_grant = play(credit_gun_points, refit(grant("g", "20 PM", gpp=5)))
    without = play(credit_gun_points, refit())
    assert without.said == [
        text
        for text, secret in zip(with_grant.said, with_grant.secrets, strict=True)
        if secret is None
    ]
    assert without.said == ["both sides receive any Gun Purchase Points due on 20 PM"]


# --- buying ---------------------------------------------------------------------------------------


def test_each_side_is_asked_until_it_is_done_the_marines_first() -> None:
    result = play(credit_fortification_points_and_buy, refit())
    assert [(ask.rule, ask.subject, ask.allowed) for ask in result.asks] == [
        ("15.614", "marine", ["done"]),
        ("15.614", "japanese", ["done"]),
    ]
    assert result.campaign.situation.buying == ()


def test_a_side_that_is_done_buys_no_more() -> None:
    found = refit(paragraph="15.6143")
    found.add(Allotment(id="marine", side=MARINE, fpp=9))
    found.add(Allotment(id="japanese/island", side=JAPANESE, beach="island", fpp=9))
    run = ParagraphRun(credit_fortification_points_and_buy, found, load_card("III"))
    assert found.situation.buying == ("marine", "japanese")
    run.send(None)
    market = Shop(found)
    assert "that player is done" in market.no_marine("foxhole_1s")
    market.buy("foxhole_1s", None)
    run.send(None)
    assert run.has_ended


def test_uncommitted_drafts_stay_and_are_reported_to_their_side() -> None:
    found = refit(paragraph="15.6143", buying=("japanese",))
    market = Shop(found)
    market.buy("hmg", draft=True)
    result = play(credit_fortification_points_and_buy, market.campaign)
    told = dict(zip(result.said, result.secrets, strict=True))
    draft = "the Japanese have not bought their drafts: 1 × HMG for Red One, 4 GPP (dj17)"
    assert told[draft] is JAPANESE
