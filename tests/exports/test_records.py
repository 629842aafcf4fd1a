"""The Beach Defense Record, the Miscellaneous Status Record, and the list of purchases."""

from functools import partial
from typing import Any

import pytest

from brt_cg.exports import export_document
from brt_cg.exports.purchases import purchases_text
from brt_cg.journal.heads import short_head
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.views.view import create_view
from brt_cg.views.view_chain import view_hashes
from tests.exports.journals import (
    JAPANESE,
    MARINE,
    as_data,
    begun,
    demo,
    new,
    play,
    squad,
    state,
    take_in,
)
from tests.exports.test_explain import shop

records = partial(as_data, "records")


def beach(journal: Journal, name: str | None) -> dict[str, Any]:
    return next(one for one in records(journal)["beaches"] if one["beach"] == name)


def test_a_beach_shows_points_allotted_spent_and_left() -> None:
    found = beach(shop(), "red_one")
    figures = {name: found[name]["gpp"] for name in ("allotted", "granted", "spent", "left")}
    assert figures == {"allotted": 24, "granted": 0, "spent": 4, "left": 20}


def test_granted_points_are_listed_separately() -> None:
    found = beach(demo(), None)
    assert (found["allotted"]["fpp"], found["granted"]["fpp"]) == (30, 10)


def test_each_purchase_is_listed_with_its_void_and_without_drafts() -> None:
    items = beach(shop(), "red_one")["items"]
    assert [(one["id"], one["total"], one["voided_by"], one["voids"]) for one in items] == [
        ("pj1", 8, "vj2", None),
        ("vj2", -8, None, "pj1"),
        ("pj3", 4, None, None),
    ]


def test_markdown_has_the_points_and_purchases_of_each_beach() -> None:
    text = str(export_document(create_view(shop()), "records", "md"))
    assert "| Japanese, Red One | GPP (15.6141) | 24       | 0       | 4     | 20   |" in text
    assert "### Japanese, Red One\n" in text
    assert "| vj2 | 20 AM   | HMG  | −2     | −8 GPP |" in text
    assert "voids pj1: a slip" in text
    assert "black one" not in text


def test_csv_has_a_row_per_pool_and_item() -> None:
    files = export_document(create_view(shop()), "records", "csv")
    assert isinstance(files, dict)
    assert "japanese,red_one,gpp,24,0,4,20" in files["points.csv"].splitlines()
    assert len(files["items.csv"].splitlines()) == 4


def test_scenarios_played_are_listed_with_their_winners() -> None:
    journal = play(begun(squad("m-sq-1", "N19")))
    second = state(squad("m-sq-1", "N20"), date="20 PM")
    second["scenario"]["winner"] = "japanese"
    second["sides"]["marine"]["cvp"] = 20
    take_in(journal, second)
    given = {"winner": "japanese", "overruling": "a Melee was never fought"}
    found = records(play(journal, through="15.6032", **given))["scenarios"]
    assert [(one["date"], one["winner"], one["marine_cvp"]) for one in found] == [
        ("20 AM", "marine", 12),
        ("20 PM", "japanese", 20),
    ]
    assert found[1]["marine_scored"] == 8


def test_the_campaign_roster_has_a_line_per_date_with_both_sides_numbers() -> None:
    first, last = records(demo())["dates"]
    assert (first["date"], first["marine_san"]) == ("20 PM", 3)
    assert records(demo())["sides"]["marine"]["cvp"] == first["marine_cvp"] == 142
    played = [date for date in records(demo())["dates"] if date["marine_cvp"] is not None]
    scores = records(demo())["scenarios"]
    assert [(one["date"], one["marine_cvp"], one["japanese_vp"]) for one in played] == [
        (one["date"], one["marine_cvp"], one["japanese_vp"]) for one in scores
    ]
    assert last["marine_strength"] > 0
    assert sum(one["japanese_lost"] or 0 for one in played) > 0
    text = str(export_document(create_view(demo()), "records", "md"))
    assert "Campaign roster" in text
    files = export_document(create_view(demo()), "records", "csv")
    assert isinstance(files, dict)
    assert len(files["dates.csv"].splitlines()) == 1 + len(records(demo())["dates"])


def test_points_spent_are_listed_by_date_and_enemy_ones_are_secret() -> None:
    journal = shop()
    take_in(journal, state(squad("m-sq-1", "N19"), date="20 AM"))
    dates = {seat: records(journal, seat)["dates"][0] for seat in (None, MARINE, JAPANESE)}
    assert dates[None]["japanese_gpp_spent"] == dates[JAPANESE]["japanese_gpp_spent"] == 4
    assert dates[MARINE]["japanese_gpp_spent"] is None
    assert dates[JAPANESE]["marine_fpp_spent"] == 0


def test_pillbox_vp_are_shown_per_scenario_or_campaign_as_ruled() -> None:
    journal = begun(squad("m-sq-1", "N19"), facts={"pillbox_vp": 3})
    assert "pillboxes in the last scenario: 3" in str(
        export_document(create_view(journal), "records", "md")
    )
    ruled = new()
    ruled.run_command("ruling", {"id": "R-VP", "value": "campaign"}, "players")
    take_in(ruled, state(squad("m-sq-1", "N19"), facts={"pillbox_vp": 3}))
    assert "pillboxes over the whole campaign so far (R-VP): 3" in str(
        export_document(create_view(ruled), "records", "md")
    )


def test_a_night_is_listed_with_its_results() -> None:
    [night] = records(demo())["nights"]
    assert night["date"] == "20 NT"
    assert night["told"][0] == (
        "the Japanese reveal that they will not attempt a Banzai Night Attack"
    )
    assert records(demo(), MARINE)["nights"] == [night]


@pytest.mark.parametrize("seat", [None, *Side])
def test_a_night_lists_no_rulings(seat: Side | None) -> None:
    begins = begun(squad("m-sq-1", "N19"), squad("j-sq-1", "M40"), date="20 PM")
    journal = play(begins, to="15.616 japanese")
    journal.answer(True, JAPANESE)
    [night] = records(play(journal), seat)["nights"]
    assert night["told"][0] == "the Japanese reveal that they will attempt a Banzai Night Attack"
    assert night["told"][1].startswith("Night Banzai Attack dr ")
    assert not any("R-BANZAI-DRM" in words for words in night["told"])


def test_records_show_a_checksum_that_can_be_verified() -> None:
    assert records(demo())["head"] == demo().head
    assert records(demo(), MARINE)["head"] in view_hashes(demo(), MARINE)
    assert short_head(demo().head or "") in str(
        export_document(create_view(demo()), "records", "md")
    )


# --- the list of purchases ------------------------------------------------------------------------


def test_the_list_shows_accounts_items_and_drafts() -> None:
    text = purchases_text(create_view(shop()))
    assert "Japanese, Red One\n  GPP: 24 allotted − 4 spent = 20 left" in text
    assert "    pj1 · 20 AM · 2 × HMG: 8 GPP, voided by vj2" in text
    assert "    vj2 · 20 AM · voids pj1: −8 GPP (a slip)" in text
    assert "Japanese draft: 5 GPP" in text
    assert "  within limits" in text


def test_an_empty_list_says_so() -> None:
    assert purchases_text(create_view(new())).startswith(
        "No points are allotted, and nothing has been bought."
    )
