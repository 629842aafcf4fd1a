"""What the Marines read must follow from what they may know: two campaigns that differ only in
Japanese secrets read alike to them, in every document and to the last byte."""

import copy
import json
import re
import tomllib
from collections.abc import Callable
from typing import Any

import pytest

from brt_cg.exports import export_document
from brt_cg.exports.purchases import purchases_text
from brt_cg.journal.journal import Journal
from brt_cg.model.visibility import visible_campaign
from brt_cg.views.view import create_view
from tests.exports.journals import (
    DEMO,
    JAPANESE,
    MARINE,
    begun,
    new,
    play,
    squad,
    state,
    take_in,
)
from tests.secrets.pairs import all_that_is_read, assert_alike, glance

POINTS = {"japanese": {"red_one": {"gpp": 24, "fpp": 60}}, "marine": {"fpp": 30}}


# --- hidden counters ------------------------------------------------------------------------------

SEEN = (
    squad("m-ldr-1", "N19", status=["wounded"]),
    squad("m-sq-1", "N20", status=["pinned"]),
    squad("j-sq-9", "M40", status=["ti"]),
)
HIDDEN = (
    squad("j-sq-1", "M41", status=["hidden"]),
    squad("j-ldr-1", "M41", status=["hidden", "wounded"]),
    squad("j-hs-1", "M42", kind="half_squad", status=["cloaked"]),
    squad("j-hs-2", "M42", kind="half_squad", status=["cloaked"]),
)
GUNS = [
    {"id": "j-gun-1", "side": "japanese", "kind": "gun", "type": "37L AT", "location": "M41"}
    | {"possessor": "j-sq-1", "status": ["hidden", "malfunctioned"]}
]
PILLBOXES = [
    {"id": "j-pb-1", "side": "japanese", "type": "pillbox", "location": "M43", "hidden": True}
]


@pytest.mark.parametrize("through", [None, "15.602", "15.6032", "15.6082", "15.6112", "15.616"])
def test_hidden_counters_leave_no_trace(through: str | None) -> None:
    bare = play(begun(*SEEN), through=through)
    full = begun(*SEEN, *HIDDEN, weapons=GUNS, fortifications=PILLBOXES)
    # He stays wounded: the Casualty VP of a hidden leader's death would be known to all.
    play(full, through=through, j_ldr_1=2)
    assert_alike(full, bare)


ON_PAPER = (
    squad("j-sq-1", "in M41", status=["hidden"]),
    squad("j-ldr-1", "in M41", status=["hidden", "wounded"]),
)


@pytest.mark.parametrize("through", [None, "15.602", "15.6032", "15.6082", "15.6112", "15.616"])
def test_counters_hidden_on_paper_leave_no_trace(through: str | None) -> None:
    bare = play(begun(*SEEN), through=through)
    gun = GUNS[0] | {"location": "in M41"}
    full = play(begun(*SEEN, *ON_PAPER, weapons=[gun]), through=through, j_ldr_1=2)
    assert_alike(full, bare)


def test_undone_answers_about_hidden_counters_leave_no_trace() -> None:
    bare = play(begun(*SEEN), through="15.602")
    full = play(begun(*SEEN, *HIDDEN), to="15.602 j-hs-2")
    for _ in range(2):
        full.undo()
    full.redo()
    full.undo()
    play(full, through="15.602")
    assert_alike(full, bare)


def test_a_correction_of_a_hidden_counter_leaves_no_trace() -> None:
    journals = [play(begun(*SEEN, *HIDDEN), through="15.602") for _ in range(2)]
    asked = {"id": "j-sq-1", "set": {"status": ["hidden", "low_ammo"]}, "reason": "forgotten"}
    journals[0].run_command("edit", asked, "japanese")
    assert_alike(*journals)
    for journal in journals:
        play(journal)
    assert_alike(*journals)


def test_the_demo_looks_the_same_with_and_without_hidden_counters() -> None:
    found = json.loads((DEMO / "state.json").read_text("utf-8"))
    allotments = tomllib.loads((DEMO / "allotments.toml").read_text("utf-8"))
    # A hidden wire in a Marine area goes on map at 15.6082, and is a secret no more.
    for wire in found["fortifications"]:
        wire["hidden"] = wire.get("hidden", False) and wire["id"] != "j-wire-4"
    journals = [
        play(take_in(new(allotments=allotments), one)) for one in (found, without_hidden(found))
    ]
    assert_alike(*journals)


def without_hidden(found: dict[str, Any]) -> dict[str, Any]:
    bare = copy.deepcopy(found)
    gone: set[str] = set()
    for name in ("units", "vehicles", "fortifications", "weapons"):
        gone |= {one["id"] for one in bare[name] if is_hidden(one, gone)}
        bare[name] = [one for one in bare[name] if one["id"] not in gone]
    return bare


def is_hidden(one: dict[str, Any], gone: set[str]) -> bool:
    secret = {"hidden", "cloaked"} & set(one.get("status", [])) or one.get("hidden") is True
    with_one = {one.get("possessor"), one.get("vehicle")} & gone
    return one["side"] == "japanese" and bool(secret or with_one)


# --- purchases ------------------------------------------------------------------------------------


def hmg(journal: Journal, **asked: object) -> None:
    order = {"item": "hmg", "side": "japanese", "beach": "red_one"} | asked
    journal.run_command("buy", order, "japanese")


def buys(journal: Journal) -> None:
    hmg(journal, quantity=2)


def buys_and_voids(journal: Journal) -> None:
    hmg(journal)
    journal.run_command("void", {"purchase": "pj1", "reason": "a slip"}, "japanese")


def drafts(journal: Journal) -> None:
    hmg(journal, draft=True, quantity=9)


def drafts_and_buys(journal: Journal) -> None:
    hmg(journal, draft=True)
    journal.run_command("commit", {"side": "japanese"}, "japanese")


def drafts_and_discards(journal: Journal) -> None:
    hmg(journal, draft=True)
    journal.run_command("discard", {"side": "japanese"}, "japanese")


def buys_san(journal: Journal) -> None:
    hmg(journal, item="san_increase")


def is_allotted_more(journal: Journal) -> None:
    journal.run_command("allot", {"side": "japanese", "beach": "green", "gpp": 9}, "japanese")


def buys_and_takes_it_back(journal: Journal) -> None:
    journal.begin_invocation()
    hmg(journal)
    journal.undo()
    journal.redo()
    journal.undo(whole_call=True)


SECRETS = (
    *(buys, buys_and_voids, drafts, drafts_and_buys, drafts_and_discards, buys_san),
    *(is_allotted_more, buys_and_takes_it_back),
)


@pytest.mark.parametrize("secret", SECRETS)
def test_japanese_purchases_leave_no_trace(secret: Callable[[Journal], None]) -> None:
    full = new(allotments=POINTS)
    secret(full)
    assert_alike(full, new(allotments=POINTS))


@pytest.mark.parametrize("secret", SECRETS)
def test_ids_of_marine_purchases_and_leaders_reveal_nothing(
    secret: Callable[[Journal], None],
) -> None:
    journals = [new(allotments=POINTS) for _ in range(2)]
    secret(journals[0])
    for journal in journals:
        journal.run_command("buy", {"item": "foxhole_1s", "side": "marine"}, "marine")
        play(take_in(journal, state(squad("m-sq-1", "N20"))), to="15.614 marine")
        journal.run_command("buy", {"item": "foxhole_2s", "side": "marine"}, "marine")
    assert_alike(*journals)
    assert [*journals[0].campaign.fortifications][-1] == "pm2-1"
    assert "marine-ldr-1" in journals[0].campaign.units


def test_japanese_allotments_leave_no_trace() -> None:
    assert_alike(new(allotments=POINTS), new(allotments={"marine": {"fpp": 30}}))


def test_setup_locations_of_the_order_of_battle_leave_no_trace() -> None:
    journals = [new(), new()]
    arcs = {"N20": ["O20", "O21"], "N22": ["O22", "O23"]}
    for journal, (hex, arc) in zip(journals, arcs.items(), strict=True):
        box = {"id": "j-pb-1", "side": "japanese", "type": "pillbox", "location": hex}
        found = {"units": [squad("j-sq-1", hex)], "fortifications": [box | {"covered_arc": arc}]}
        document = {"format": "brt-cg/state", "version": 1} | found
        journal.run_command("reinforce", {"state": document, "source": "oob.json"}, "japanese")
    assert_alike(*journals)
    for journal in journals:
        play(journal, through="15.6202")
    assert_alike(*journals)


def test_purchases_before_the_first_scenario_leave_no_trace_in_its_setup() -> None:
    full, bare = new(allotments=POINTS), new(allotments=POINTS)
    buys(full)
    for journal in (full, bare):
        play(journal, through="15.6202")
    assert_alike(full, bare)


def test_purchases_between_two_scenarios_leave_no_trace() -> None:
    journals = [
        play(take_in(new(allotments=POINTS), state(*SEEN)), to="15.614 japanese") for _ in range(2)
    ]
    hmg(journals[0])
    hmg(journals[0], item="foxhole_1s")
    assert_alike(*journals)
    for journal in journals:
        play(journal, to="15.6202 japanese")
    assert_alike(*journals)


# --- decisions ------------------------------------------------------------------------------------


def test_the_banzai_decision_leaves_no_trace_until_it_is_revealed() -> None:
    journals = [play(begun(*SEEN, date="20 PM"), to="15.616 japanese") for _ in range(2)]
    for journal, yes in zip(journals, (True, False), strict=True):
        journal.answer(yes, "japanese")
        play(journal, through="15.6202")
    assert_alike(*journals)
    for journal in journals:
        play(journal)
    logs = [glance(journal, MARINE)["log"] for journal in journals]
    assert logs[0] != logs[1]


def test_japanese_setup_locations_leave_no_trace_until_both_have_set_up() -> None:
    journals = [play(begun(*SEEN), to="15.6202 japanese") for _ in range(2)]
    for journal, places in zip(journals, ({"j-sq-9": "M38"}, {}), strict=True):
        journal.answer(places, "japanese")
    assert_alike(*journals)
    for journal in journals:
        play(journal)
    places_seen = [state_of(journal)["j-sq-9"] for journal in journals]
    assert places_seen == ["M38", None]


def state_of(journal: Journal) -> dict[str, str | None]:
    found = json.loads(str(export_document(create_view(journal, MARINE), "state", "json")))
    return {unit["id"]: unit["location"] for unit in found["units"]}


# --- the other way about --------------------------------------------------------------------------


def test_marine_drafts_leave_no_trace_for_the_japanese() -> None:
    journals = [new(allotments=POINTS) for _ in range(2)]
    order = {"item": "foxhole_1s", "side": "marine", "draft": True}
    journals[0].run_command("buy", order, "marine")
    assert_alike(*journals, side=JAPANESE)
    assert purchases_text(create_view(journals[0], MARINE)) != purchases_text(
        create_view(journals[1], MARINE)
    )


def test_marine_purchases_do_not_reveal_the_number_of_drafts() -> None:
    order = {"item": "foxhole_1s", "side": "marine"}
    journals = [new(allotments=POINTS) for _ in range(4)]
    for journal in journals[1:]:
        journal.run_command("buy", order | {"draft": True}, "marine")
    journals[2].run_command("discard", {"side": "marine"}, "marine")
    journals[3].run_command("buy", order | {"draft": True, "instead": "dm1"}, "marine")
    for journal in journals:
        journal.run_command("buy", order, "marine")
    for journal in journals[1:]:
        assert_alike(journals[0], journal, side=JAPANESE)


def test_a_japanese_breach_is_not_shown_to_the_marines() -> None:
    breach = {"item": "seawall_breach", "location": "N18/N19"}
    journals = [new(allotments=POINTS) for _ in range(2)]
    journals[0].run_command("buy", breach | {"side": "japanese", "beach": "red_one"}, "japanese")
    for journal in journals:
        journal.run_command("buy", breach | {"side": "marine"}, "marine")
    assert_alike(*journals)


def test_hidden_marines_are_secret_until_15_602() -> None:
    """Then they go on map, and where they are is known."""
    journals = [begun(squad("m-sq-1", place, status=["hidden"])) for place in ("N19", "N20")]
    assert_alike(*journals, side=JAPANESE)
    for journal in journals:
        play(journal, through="15.602")
    views = [visible_campaign(journal.campaign, JAPANESE) for journal in journals]
    assert [view.units["m-sq-1"].location for view in views] == ["N19", "N20"]


def test_a_marine_fortification_is_secret_until_both_have_set_up() -> None:
    journal = play(take_in(new(allotments=POINTS), state(*SEEN)), to="15.614 marine")
    order = {"item": "foxhole_1s", "side": "marine", "quantity": 1}
    for place in ("N19", None):
        journal.begin_invocation()
        journal.run_command("buy", order | {"location": place}, "marine")
    given, left_open = journal.campaign.fortifications
    play(journal, to="15.6202 marine")
    journal.answer({left_open: "N20"}, "marine")
    play(journal, through="15.6202")
    for read in all_that_is_read(journal, JAPANESE).values():
        assert not re.search(r"foxhole_1s\W*N\d", str(read))
    view = visible_campaign(journal.campaign, JAPANESE)
    assert [view.fortifications[one].location for one in (given, left_open)] == [None, None]
    play(journal)
    view = visible_campaign(journal.campaign, JAPANESE)
    assert [view.fortifications[one].location for one in (given, left_open)] == ["N19", "N20"]


# --- what stands in another document --------------------------------------------------------------


def test_the_document_of_an_import_is_in_no_view() -> None:
    """What was imported is kept whole in the entry; a side reads only what came of it."""
    journal = begun(squad("j-sq-1", "M41", status=["hidden"], name="Ghost"))
    for name in ("json", "csv", "md"):
        assert "Ghost" not in str(export_document(create_view(journal, MARINE), "journal", name))
    assert "missing" not in str(export_document(create_view(journal, MARINE), "journal", "json"))
    assert "Ghost" in str(export_document(create_view(journal, JAPANESE), "journal", "json"))


def test_units_inside_a_hidden_pillbox_are_hidden() -> None:
    journal = begun(squad("m-sq-1", "N19"), squad("j-sq-7", "M43:j-pb-1"), fortifications=PILLBOXES)
    assert "j-sq-7" not in visible_campaign(journal.campaign, MARINE).units
    play(journal, through="15.6202")
    assert "j-sq-7" not in visible_campaign(journal.campaign, MARINE).units
    read = all_that_is_read(journal, MARINE)
    assert [name for name in read if "explain" not in name and "j-sq-7" in str(read[name])] == []


def test_no_link_in_a_view_leads_to_a_hidden_counter() -> None:
    journal = begun(*SEEN, *HIDDEN, squad("m-sq-3", "M41", status=["prisoner"], guard="j-sq-1"))
    prisoner = visible_campaign(journal.campaign, MARINE).units["m-sq-3"]
    assert (prisoner.guard, prisoner.location) == (None, None)


def test_no_link_in_a_view_leads_into_a_hidden_pillbox() -> None:
    journal = begun(squad("m-sq-1", "M43:j-pb-1"), fortifications=PILLBOXES)
    assert visible_campaign(journal.campaign, MARINE).units["m-sq-1"].location == "M43"
