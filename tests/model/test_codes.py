"""The codes of the sheet: one for each counter, the same whoever looks, and without a gap."""

from itertools import pairwise

import pytest

from brt_cg.model.campaign import Campaign
from brt_cg.model.codes import LETTERS, NO_CODES, CounterCodes, assign_codes
from brt_cg.model.counters import Side, Unit, UnitKind
from brt_cg.model.visibility import visible_campaign
from brt_cg.views.view import create_view
from tests.exports.journals import JAPANESE, MARINE, begun, demo, new, squad

IN_ORDER = [f"{number}{letter}" for number in "1234567890" for letter in LETTERS]


def of_side(codes: CounterCodes, *, own: bool = True) -> list[str]:
    return sorted(
        (code.strip("/") for code in codes.by_id.values() if code.startswith("/") is not own),
        key=IN_ORDER.index,
    )


@pytest.mark.parametrize("side", Side)
def test_known_counters_have_the_same_code_for_both_sides(side: Side) -> None:
    own, theirs = (create_view(demo(), seat).codes for seat in (side, side.enemy))
    known = [id for id, code in theirs.by_id.items() if code.startswith("/")]
    assert len(known) > 50
    assert all(theirs.code_of(id) == f"/{own.code_of(id)}" for id in known)


def test_codes_of_known_counters_have_no_gap_and_hidden_ones_come_last() -> None:
    journal = demo()
    hidden = {each.id for each in journal.campaign.pieces() if each.hidden and each.in_play}
    own = create_view(journal, JAPANESE).codes
    theirs = create_view(journal, MARINE).codes
    seen = of_side(theirs, own=False)
    assert seen == IN_ORDER[: len(seen)]
    assert of_side(own) == IN_ORDER[: len(of_side(own))]
    assert hidden
    assert {own.code_of(id) for id in hidden}.isdisjoint(seen)


def test_the_umpire_types_codes_of_both_sheets_with_a_slash_for_japanese() -> None:
    journal = demo()
    umpire, marine, japanese = (
        create_view(journal, seat).codes for seat in (None, MARINE, JAPANESE)
    )
    own = [id for id, code in umpire.by_id.items() if not code.startswith("/")]
    assert all(umpire.code_of(id) == marine.code_of(id) for id in own)
    assert all(umpire.code_of(id) == f"/{japanese.code_of(id)}" for id in {*umpire.by_id} - {*own})
    assert all(umpire.id_of_code(code) == id for id, code in umpire.by_id.items())


def test_codes_are_for_one_scenario_and_none_exist_between_scenarios() -> None:
    assert create_view(begun(squad("m-sq-1", "N19"))).codes.by_id.keys() <= {"m-sq-1"}
    assert assign_codes(None, MARINE) is NO_CODES


def crowd(number: int) -> Campaign:
    found = new().campaign.clone()
    for at in range(number):
        found.add(
            Unit(
                id=f"m-sq-{at}", side=MARINE, kind=UnitKind.SQUAD, type="6-6-8", location="off_map"
            )
        )
    return found


def test_more_than_230_counters_get_longer_codes_and_short_ones_still_work() -> None:
    short, long = assign_codes(crowd(230), MARINE), assign_codes(crowd(231), MARINE)
    assert {len(code) for code in short.by_id.values()} == {2}
    assert {len(code) for code in long.by_id.values()} == {3}
    assert len({*long.by_id.values()}) == 231
    assert all(long.id_of_code(code) == id for id, code in short.by_id.items())


def test_no_code_has_a_letter_that_looks_like_a_digit() -> None:
    codes = assign_codes(crowd(230), MARINE)
    assert not {*"ilo"} & {*"".join(codes.by_id.values())}
    assert all(one != other for one, other in pairwise(codes.by_id.values()))


def test_a_sides_own_view_is_enough_for_its_codes() -> None:
    campaign = demo().campaign
    own = assign_codes(visible_campaign(campaign, MARINE), MARINE).by_id
    assert own == {
        id: code for id, code in assign_codes(campaign, MARINE).by_id.items() if id in own
    }
