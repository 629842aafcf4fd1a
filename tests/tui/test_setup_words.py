"""What is typed at setup, and the places that are offered for it."""

from typing import Any

import pytest

from brt_cg.asks import Refused
from brt_cg.counters import Counter
from brt_cg.tui.setup_words import likely_places, spot_hint, spot_raw
from brt_cg.tui.spoken import entry_raw, item_raw
from tests.refit.table import campaign, fort, gun, marine_squad
from tests.tui.test_spoken import entry, several

AREAS = {"M1": "N18-N21", "J1": "J40-J50"}


@pytest.mark.parametrize(
    ("typed", "raw"),
    [
        ("n21", "N21"),
        ("n21:1", "N21:1"),
        ("n21:j-fort-1", "N21:j-fort-1"),
        ("n18/n19", "N18/N19"),
        ("off_map", "off_map"),
        ("m22 n21,n22", {"location": "M22", "covered_arc": ["N21", "N22"]}),
        ("M21 exit k21", {"location": "M21", "exit": "K21"}),
    ],
)
def test_a_spot_in_its_short_form(typed: str, raw: Any) -> None:
    assert spot_raw(typed) == raw
    assert item_raw(several("15.6202"), typed) == raw


def test_half_a_covered_arc_is_refused() -> None:
    with pytest.raises(Refused, match="with a Covered Arc M22 N21,N22"):
        spot_raw("M22 N21")


@pytest.mark.parametrize(
    ("one", "hint"),
    [
        (fort("p", "N21", "pillbox_1_3_5"), "N21; with its Covered Arc: M22 N21,N22"),
        (fort("p", "N21", "pillbox_1_3_5", covered_arc=("N21", "N22")), "a Location: N21"),
        (fort("t", "N21", "tunnel"), "N21; with its exit: M21 exit K21"),
        (marine_squad("m", "N21"), "a Location: N21, N21:1"),
    ],
)
def test_the_hint_tells_what_a_fortification_lacks(one: Counter, hint: str) -> None:
    assert spot_hint(one) == hint


def test_perimeters_and_withdrawals_are_raised_to_capitals() -> None:
    assert entry_raw(entry("15.607"), "n18-n21 m18", campaign()) == [["N18-N21", "M18"]]
    assert entry_raw(entry("15.601"), "withdrew a to n21", campaign()) == {"withdrew": {"a": "N21"}}


@pytest.mark.parametrize("typed", ['{"location": "N21"', "[1"])
def test_broken_json_is_said_to_be_broken(typed: str) -> None:
    with pytest.raises(Refused, match="broken JSON"):
        item_raw(several("15.6202"), typed)
    with pytest.raises(Refused, match="broken JSON"):
        entry_raw(entry("15.607"), typed, campaign())


def test_the_isolated_and_the_bound_are_offered_where_they_may_go() -> None:
    lone = marine_squad("m", "N22", isolated=True, recorded_location="N22")
    hidden = gun("g", None, setup_area="J1", status="hidden", recorded_location="J45")
    table = campaign(lone, hidden, areas=AREAS)
    assert likely_places("15.6201", table, lone) == ["N22", "N21"]
    assert likely_places("15.6202", table, hidden) == ["J45"]


def test_no_ocean_hex_is_offered() -> None:
    squad = marine_squad("m", None, setup_area="M1")
    table = campaign(squad, areas={"M1": "A1 N18-N21"})
    assert likely_places("15.6202", table, squad) == ["N18", "N19", "N20", "N21"]


def test_a_new_fortification_is_offered_the_isolated_locations() -> None:
    lone = marine_squad("m", "N22", isolated=True, recorded_location="N22")
    wire = fort("w", "N21", "foxhole_1s", side=lone.side)
    wire.location = None
    assert likely_places("15.6201", campaign(lone, wire, areas=AREAS), wire) == ["N22"]
