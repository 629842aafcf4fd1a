"""Voiding records that no command would have written."""

import pytest

from brt_cg.purchases.voids import void_breaches
from tests.purchases.shop import shop


@pytest.mark.parametrize(
    ("values", "code", "message"),
    [
        ({"total": -4}, "void", "vj18 voids pj17 with total -4; it must be -8"),
        ({"quantity": -1}, "void", "vj18 voids pj17 with quantity -1; it must be -2"),
        ({"beach": "green"}, "void", "vj18 voids pj17 with beach green; it must be red_one"),
        ({"date": "20 PM"}, "void", "vj18 voids pj17 with date 20 PM; it must be 20 AM"),
        ({"reason": None}, "void", "a void needs a reason"),
        ({"reason": "  "}, "void", "a void needs a reason"),
        ({"voids": "pj9"}, "void", "vj18 voids pj9, which is not a purchase"),
    ],
)
def test_an_audit_finds_a_void_that_was_tampered_with(
    values: dict[str, object], code: str, message: str
) -> None:
    market = shop()
    market.buy("hmg", quantity=2)
    before = market.campaign.clone()
    market.void("pj17")
    void = market.campaign.purchases["vj18"]
    assert void_breaches(before, market.card, void) == []
    for name, value in values.items():
        setattr(void, name, value)
    assert [(one.code, one.message) for one in void_breaches(before, market.card, void)] == [
        (code, message)
    ]


def test_an_audit_finds_a_second_void() -> None:
    market = shop()
    market.buy("hmg")
    market.void("pj17")
    again = market.campaign.purchases["vj18"].clone()
    again.id = "vj19"
    (breach,) = void_breaches(market.campaign, market.card, again)
    assert breach.message.startswith("pj17 was already voided, by vj18")


def test_an_audit_finds_a_void_outside_a_window() -> None:
    market = shop()
    market.buy("hmg")
    before = market.campaign.clone()
    market.void("pj17")
    before.situation.phase = before.situation.phase.SCENARIO
    (breach,) = void_breaches(before, market.card, market.campaign.purchases["vj18"])
    assert breach.code == "window"


def test_a_reason_is_one_line_of_text() -> None:
    market = shop()
    bought = market.buy("hmg")
    for reason in ("two\nlines", "\x1b[31m", 3):
        refusal = market.refusal("void", purchase=bought, reason=reason)
        assert refusal.startswith("a void needs a reason: found ")
