"""The checks of what entries mean: dice, the fold, where counters come from and go."""

from typing import Any

import pytest

from brt_cg.audit import entry_checks
from brt_cg.journal.changes import compare_campaigns
from brt_cg.journal.rules_version import current_rules
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Fate, Side
from brt_cg.model.encoding import encode_record
from brt_cg.model.records import LossKind
from brt_cg.refit.casualties import Loss, enter_loss
from tests.audit.entries import adds, journal, on, only
from tests.purchases.shop import shop
from tests.refit import table
from tests.refit.table import JAPANESE, fort, marine_squad, sw

# --- dice -----------------------------------------------------------------------------------------


WOUNDED = "15.6112"


def rolled(*dice: int, table: str = WOUNDED, **roll: Any) -> dict[str, Any]:
    """The answer of a leader's dr, heroic, with its roll."""
    final = sum(dice) - 1
    row = "wounded"
    recorded = {
        "table": table,
        "dice": list(dice),
        "modifiers": [[-1, "heroic"]],
        "original": sum(dice),
        "final": final,
        "row": row,
        "position": 0,
        "date": "20 PM",
    }
    ask = {"rule": WOUNDED, "subject": "m-ldr-1", "kind": "roll", "side": "marine"}
    return {"kind": "answer", "rule": WOUNDED, "ask": ask, "answer": 1, "roll": recorded | roll}


@pytest.mark.parametrize("dice", [(7,), (0,), (3, 4), ()])
def test_impossible_dice_are_found(dice: tuple[int, ...]) -> None:
    found = only(on(table.campaign(), rolled(*dice)), "dice")
    assert (found.rule, found.records) == (WOUNDED, ("2",))
    assert "1 to 6" in found.message or "dr" in found.message


def test_a_wrong_final_dr_is_found() -> None:
    found = only(on(table.campaign(), rolled(3, final=5)), "roll")
    assert found.rule == WOUNDED
    assert found.message == "entry 2: Original 3, Final 5, but it should be Original 3, Final 2"


def test_a_wrong_table_row_is_found() -> None:
    found = only(on(table.campaign(), rolled(3, row="eliminated")), "roll")
    right = "row eliminated is recorded, but the Final result of 2 gives row wounded"
    assert found.message == f"entry 2: {right}"


def test_an_unknown_table_is_found() -> None:
    found = only(on(table.campaign(), rolled(3, table="15.9")), "roll")
    assert found.message == "entry 2: there is no table 15.9"


def test_a_correct_roll_is_no_finding() -> None:
    assert on(table.campaign(), rolled(3)) == []


def test_a_draw_among_the_available_types_is_no_finding() -> None:
    assert on(table.campaign(), rolled(3, table="15.6112.draw")) == []


# --- the fold -------------------------------------------------------------------------------------


def test_a_change_from_a_wrong_value_is_found() -> None:
    edit = {"kind": "edit", "changes": [["sides", "marine", "cvp", 77, 78]]}
    found = only(on(table.campaign(), edit), "fold")
    assert (found.rule, found.records) == ("journal", ("2",))
    told = "marine.cvp is 0, but the entry says 77"
    assert found.message == f"entry 2: it does not fit the campaign at that point: {told}"


@pytest.mark.parametrize(
    "change",
    [
        ["gifts", "a", "", None, {}],
        ["units", "nobody", "name", None, "x"],
        ["sides", "marine", "luck", 0, 1],
        ["sides", "marine", "cvp", 0, "many"],
        ["units", "u", "", None, {"id": "u"}],
        ["units", "u", "", None, None],
        ["units", "u", "", {"id": "u"}, None],
        ["units", "u", "", None, encode_record(marine_squad("u", "N20")) | {"kind": None}],
        ["units", "u", "", None, encode_record(marine_squad("u", "N20")) | {"luck": 1}],
        ["weapons", "w", "", None, encode_record(sw("w", "N20")) | {"repair_number": True}],
    ],
)
def test_a_change_that_does_not_fit_the_campaign_is_found(change: list[Any]) -> None:
    assert only(on(table.campaign(), {"kind": "begin", "rule": "x", "changes": [change]}), "fold")


def test_the_audit_continues_with_the_entrys_value() -> None:
    entries = journal(
        {"kind": "import", "changes": compare_campaigns(Campaign(), table.campaign())},
        {"kind": "edit", "changes": [["sides", "marine", "elr", 7, 8]]},
        {"kind": "edit", "changes": [["sides", "marine", "elr", 8, 9]]},
    )
    campaign, findings = entry_checks.apply_entries_and_check(entries)
    assert campaign.sides["marine"].elr == 9
    assert len(findings) == 1


def test_a_total_changed_by_7_without_a_row_in_the_ledger_is_named_with_both_figures() -> None:
    now = str(current_rules("III"))
    entries = journal(
        {"kind": "import", "changes": compare_campaigns(Campaign(), table.campaign())},
        {"kind": "edit", "rules": now, "changes": [["sides", "marine", "cvp", 0, 7]]},
    )
    _, findings = entry_checks.apply_entries_and_check(entries)
    assert [finding.what for finding in findings if finding.code == "casualty"] == [
        "Marine CVP changed from 0 to 7 (+7) without a row in the ledger"
    ]


def test_points_for_a_squad_that_is_in_play_are_a_finding() -> None:
    campaign = table.campaign(table.marine_squad("m", "N19"))
    loss = Loss(
        side=Side.JAPANESE,
        points=2,
        how=LossKind.ELIMINATED,
        rule="import",
        counter=campaign.units["m"],
    )
    enter_loss(campaign, loss, "20 AM")
    (found,) = entry_checks.check_casualty_ledger(campaign)
    assert found.what == ("7-6-8 squad m is in play, but its loss counts +2 for the Japanese CVP")
    campaign.units["m"].fate = Fate.ELIMINATED
    assert [*entry_checks.check_casualty_ledger(campaign)] == []


@pytest.mark.parametrize(("why", "notice"), [(None, False), ("the die was misread", True)])
def test_a_winner_against_the_count_is_a_finding_and_one_with_a_reason_a_notice(
    why: str | None, notice: bool
) -> None:
    campaign = table.campaign(marine={"cvp": 12}, winner=Side.JAPANESE, overruled=why)
    done = {"kind": "answer", "rules": str(current_rules("III"))}
    entries = journal(
        {"kind": "import", "changes": compare_campaigns(Campaign(), campaign)},
        done | {"changes": [["campaign", "campaign", "done", None, "15.6032"]]},
    )
    found = [
        one for one in entry_checks.apply_entries_and_check(entries)[1] if one.code == "winner"
    ]
    assert [(one.notice, "the Victory Points are 12 to 0" in one.what) for one in found] == [
        (notice, True)
    ]


def test_a_draft_added_and_removed_by_an_undo_is_no_finding() -> None:
    market = shop()
    market.do("buy", item="hmg", side="japanese", beach="red_one", draft=True)
    draft = adds(*market.campaign.purchases.values())
    gone = [*draft[:3], draft[-1], None]
    undo = {"kind": "undo", "asked": {"entries": [3, 2]}, "changes": [draft, gone]}
    assert on(shop().campaign, undo) == []


# --- counters -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["edit", "ruling", "void", "discard", "allot"])
def test_a_counter_of_an_entry_that_cannot_add_it_is_found(kind: str) -> None:
    payload = {"kind": kind, "changes": [adds(marine_squad("m1", "N21"))]}
    found = only(on(table.campaign(), payload), "origin")
    assert (found.rule, found.records) == ("15.6", ("2",))
    assert (
        found.message
        == f"entry 2: m1 appears in an entry of type {kind}, which cannot add counters"
    )


@pytest.mark.parametrize("kind", ["import", "reinforce"])
def test_an_imported_counter_has_an_origin(kind: str) -> None:
    payload = {"kind": kind, "changes": [adds(marine_squad("m1", "N21", purchase="p9"))]}
    assert on(table.campaign(), payload) == []


def test_a_counter_that_no_purchase_created_is_found() -> None:
    payload = {"kind": "begin", "rule": "15.614", "changes": [adds(fort("p9-1", "N21"))]}
    payload["changes"][0][4]["purchase"] = "p9"
    found = only(on(table.campaign(), payload), "origin")
    assert (found.rule, found.records) == ("15.614", ("p9-1", "p9"))
    assert found.message == "p9-1 names the purchase p9, which did not create it"


def test_a_purchase_without_its_counters_is_found() -> None:
    market = shop()
    market.buy("hmg")
    del market.campaign.weapons["pj17-1"]
    found = only(on(market.campaign), "origin")
    assert found.message == "pj17 created pj17-1, which is not in the campaign"
    assert found.secret is JAPANESE


@pytest.mark.parametrize("became", [None, "nobody"])
def test_a_recombined_unit_without_a_resulting_counter_is_found(became: str | None) -> None:
    gone = marine_squad("m1", None, fate=Fate.RECOMBINED, became=became)
    found = only(on(table.campaign(gone)), "fate")
    assert (found.rule, found.records) == ("15.6", ("m1",))
    assert found.message == "m1 is recombined, but no resulting counter is named"


@pytest.mark.parametrize(
    ("done", "guard", "found"),
    [("15.614", None, 1), ("15.614", "m-gone", 1), ("15.614", "j-1", 0), ("15.6082", None, 0)],
)
def test_a_prisoner_without_a_valid_guard_is_found(
    done: str, guard: str | None, found: int
) -> None:
    held = marine_squad("m-1", None, setup_area="J1", status="prisoner", guard=guard)
    gone = marine_squad("m-gone", None, fate=Fate.ELIMINATED)
    facts = {"ended": "20 AM", "done": done.replace("15.614", "15.6143")}
    keeper = table.japanese_squad("j-1", None, setup_area="J1")
    findings = entry_checks.check_final_state(table.campaign(held, gone, keeper, **facts), [])
    assert [one.code for one in findings] == ["guard"] * found


def reported(*changes: list[Any]) -> list[str]:
    """The findings about casualties in a correction of a campaign whose scenario has ended."""
    campaign = table.campaign(table.japanese_squad("j", "N21"))
    now = {"rules": str(current_rules("III"))}
    found = on(campaign, now | {"kind": "edit", "changes": [*changes]})
    return [finding.what for finding in found if finding.code == "casualty"]


def lost(points: int) -> list[Any]:
    """The row for the loss of a squad, with some points."""
    campaign = table.campaign(table.japanese_squad("j", "N21"))
    loss = Loss(
        side=Side.MARINE,
        points=points,
        how=LossKind.ELIMINATED,
        rule="edit",
        counter=campaign.units["j"],
    )
    return adds(enter_loss(campaign, loss, "20 AM"))


FATE = ["units", "j", "fate", "in_play", "eliminated"]


def test_a_loss_without_a_row_in_the_ledger_is_found() -> None:
    (what,) = reported(FATE)
    assert what == "Marine CVP for 4-4-7 squad no. 1: 0 in the ledger, but its loss is worth 2 (−2)"
    assert reported(FATE, lost(2)) == []


def test_points_changed_by_7_are_named_with_both_figures() -> None:
    (what,) = reported(FATE, lost(9))
    assert what == "Marine CVP for 4-4-7 squad no. 1: 9 in the ledger, but its loss is worth 2 (+7)"


@pytest.mark.parametrize(("rule", "found"), [("15.6041", True), ("15.6111", False)])
def test_a_unit_eliminated_in_a_paragraph_that_scores_has_a_row(rule: str, found: bool) -> None:
    campaign = table.campaign(table.japanese_squad("j", "N21"))
    entry = {"kind": "answer", "rule": rule, "rules": str(current_rules("III"))}
    what = [each.what for each in on(campaign, entry | {"changes": [FATE]})]
    due = "4-4-7 squad no. 1 was eliminated, but the Marine CVP ledger has no row for it (+2)"
    assert (due in what) is found
