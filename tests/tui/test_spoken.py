"""What players type, in short forms, as raw answers."""

from typing import Any

import pytest

from brt_cg.asks import Choose, Enter, Option, Refused, Several
from brt_cg.card import load_card
from brt_cg.counters import Side
from brt_cg.exports.wording import state_told
from brt_cg.refit.s611_promotion import recombining
from brt_cg.refit.s613_equipment import abandon_and_scrounge
from brt_cg.refit.s6131_vehicles import vehicles
from brt_cg.tui.doing_words import doings_raw
from brt_cg.tui.spoken import (
    candidates,
    entry_raw,
    is_decision,
    item_raw,
    item_told,
    plain_answers,
    raw_told,
    summary_of,
)
from brt_cg.tui.widgets.odds_bars import row_told
from tests.refit.table import (
    campaign,
    fort,
    japanese_half_squad,
    marine_half_squad,
    play,
    sw,
    vehicle,
)


def entry(rule: str) -> Enter[Any]:
    return Enter(
        rule=rule, subject="x", side=Side.MARINE, prompt="?", reader=lambda raw: raw, hint="any"
    )


def several(rule: str) -> Several[Any]:
    return Several(
        rule=rule,
        subject="x",
        side=Side.MARINE,
        prompt="?",
        subjects=("a",),
        reader=lambda raw: raw,
        hint="any",
    )


@pytest.mark.parametrize(
    ("rule", "typed", "raw"),
    [
        ("15.601", "none", None),
        (
            "15.601",
            "reduced a b; eliminated c",
            {"casualty_reduced": ["a", "b"], "eliminated": ["c"]},
        ),
        ("15.601", "captured a by b", {"captured": {"a": "b"}}),
        ("15.601", "withdrew a to N21, b to N22", {"withdrew": {"a": "N21", "b": "N22"}}),
        ("15.601", '{"eliminated": ["a"]}', {"eliminated": ["a"]}),
        ("15.607", "N18-N21 M18 / T26", [["N18-N21", "M18"], ["T26"]]),
        ("15.6111", "a, b", ["a", "b"]),
        ("15.6041", "none", []),
        ("15.6122", "4", 4),
    ],
)
def test_an_entry_in_its_short_form(rule: str, typed: str, raw: Any) -> None:
    assert entry_raw(entry(rule), typed, campaign()) == raw


@pytest.mark.parametrize(
    ("rule", "typed", "raw"),
    [
        ("15.6032", "−2 counted twice", {"cvp": -2, "reason": "counted twice"}),
        ("15.6137", "m-sq-1", "m-sq-1"),
        ("15.6137", "-", None),
        ("15.6139", "a b", {"helpers": ["a", "b"]}),
        ("15.6139", "+", {"helpers": []}),
        ("15.6202", "n21", "N21"),
    ],
)
def test_an_item_in_its_short_form(rule: str, typed: str, raw: Any) -> None:
    assert item_raw(several(rule), typed) == raw


def test_a_melee_part_begins_with_what_happened() -> None:
    with pytest.raises(Refused, match="begin each part with eliminated, reduced"):
        entry_raw(entry("15.601"), "shot a", campaign())


def test_cvp_need_a_reason() -> None:
    with pytest.raises(Refused, match="write the points and why"):
        item_raw(several("15.6032"), "+2")


def test_answers_are_told_in_words() -> None:
    assert raw_told({"helpers": []}) == "tried, without help"
    assert raw_told({"cvp": -2, "reason": "counted twice"}) == "−2 (counted twice)"
    assert raw_told(["a", "b"]) == "a, b"


def test_a_choice_of_one_is_no_decision_but_the_end_of_purchases_is() -> None:
    def choice(rule: str) -> Choose[None]:
        return Choose(
            rule=rule,
            subject="x",
            side=Side.MARINE,
            prompt="?",
            options=(Option("done", "done", None),),
        )

    assert not is_decision(choice("15.6113"))
    assert is_decision(choice("15.614"))


def test_who_may_stay_single_is_listed_by_name() -> None:
    table = campaign(
        *(marine_half_squad(f"m-hs-{n}", None, setup_area="M1") for n in (1, 2, 3)),
        marine_half_squad("m-hs-4", None, "2-4-8", setup_area="M1"),
        japanese_half_squad("j-hs-1", None, setup_area="J1"),
        areas={"M1": "N18-N21", "J1": "J40-J50"},
    )
    view = table.clone()
    (ask,) = play(recombining, table).asks
    assert isinstance(ask, Enter)
    assert candidates(ask, view, ask.subject) == ["m-hs-1", "m-hs-2", "m-hs-3"]
    assert plain_answers(ask, view) == [
        ([f"m-hs-{n}"], f"3-4-8 HS m-hs-{n} stays single") for n in (1, 2, 3)
    ]


def test_beside_a_question_stands_the_part_of_the_summary_that_it_comes_under() -> None:
    summary = vehicles.summary
    assert summary_of(summary, "15.6131b", low=True).startswith("b) An immobilized one")
    assert summary_of(summary, "15.6131b", low=True).endswith("to become mobile.")
    assert summary_of(summary, "15.6131", low=True) == summary
    assert summary_of("One. Two.", "15.6112", low=True) == "One."
    assert summary_of("One. Two.", "15.6112", low=False) == "One. Two."


def test_of_a_weapon_that_may_change_hands_is_told_who_has_it() -> None:
    squad = marine_half_squad("m-hs-1", None, setup_area="M1")
    mg = sw("m-mmg-3", None, setup_area="M1", possessor="m-hs-1")
    lying = sw("m-mmg-4", None, setup_area="M1")
    table = campaign(squad, mg, lying, areas={"M1": "N18-N21"})
    ask = several("15.6137")
    assert item_told(ask, table, mg) == "MMG m-mmg-3 (M1), 3-4-8 HS m-hs-1 has it"
    assert item_told(ask, table, lying) == "MMG m-mmg-4 (M1), nobody has it"
    assert item_told(several("15.6202"), table, mg) == "MMG m-mmg-3 (M1)"


def test_a_check_tells_the_dice_that_pass_it() -> None:
    table = load_card("III").tables["15.6041"]
    passes, fails = table.rows
    drm = table.modifiers({"morale_level": -7, "marine_1tc": 1})
    assert row_told(table, passes, drm) == "passes on DR ≤ 6"
    assert row_told(table, fails, drm) == "fails"
    assert row_told(table, passes, ()) == "passes"


def test_of_what_may_be_removed_is_told_the_dr() -> None:
    wreck = vehicle("w", "N19", status="wreck")
    wire = fort("f", "N20", "wire")
    table = campaign(
        wreck, wire, japanese_half_squad("j", "N21"), areas={"M1": "N18-N20", "J1": "N21-N25"}
    )
    ask = several("15.6139")
    assert item_told(ask, table, wreck) == "M4A2 w (N19), without help dr ≤ 2"
    assert item_told(ask, table, wire) == "wire f (N20), without help never"


def test_a_stun_is_told_as_the_counter_has_it() -> None:
    assert state_told(vehicle("t", "N21", status="stun_plus1")) == "+1 Stun"


def test_what_is_done_by_hand_is_typed_as_fields_and_words() -> None:
    mg = sw("m-mmg-3", None, setup_area="M1")
    squad = marine_half_squad("m-hs-1", None, setup_area="M1")
    table = campaign(mg, squad, areas={"M1": "N18-N21"})
    view = table.clone()
    typed = "m-mmg-3 status=malfunctioned: scrounged from a wreck; m-hs-1 location=N21:1: goes up"
    raw = entry_raw(entry("15.6135"), typed, view)
    assert raw == [
        {
            "do": "scrounged from a wreck",
            "counter": "m-mmg-3",
            "set": {"status": ["malfunctioned"]},
        },
        {"do": "goes up", "counter": "m-hs-1", "set": {"location": "N21:1"}},
    ]
    result = play(abandon_and_scrounge, table, choices={"marine": raw[:1]})
    assert result.piece("m-mmg-3").has("malfunctioned")


@pytest.mark.parametrize("typed", ["m-1", "m-1: gone", "m-1 status=broken", "x status=broken: so"])
def test_what_is_done_by_hand_needs_a_counter_a_field_and_words(typed: str) -> None:
    table = campaign(marine_half_squad("m-1", "N21"))
    with pytest.raises(Refused, match=r"write ID FIELD=VALUE|allowed: the id"):
        doings_raw(table, typed)
