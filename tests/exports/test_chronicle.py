"""The chronicle: a campaign told date by date."""

from functools import partial
from typing import Any

import pytest

from brt_cg.exports import export
from brt_cg.exports.history import service_records
from brt_cg.exports.luck import luck
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.views.book import book_of
from brt_cg.views.journal import journal_rows
from tests.exports.journals import (
    JAPANESE,
    MARINE,
    as_data,
    begun,
    new,
    play,
    squad,
    state,
    take_in,
)

WOUNDED = squad("m-ldr-1", "N19", status=["wounded"], name="Hawkins")


chronicle = partial(as_data, "chronicle")


def two_dates() -> Journal:
    """20 AM with a leader who dies of his wound, and 20 PM, in which a squad is lost."""
    journal = play(begun(WOUNDED, squad("m-sq-1", "N19"), squad("j-sq-1", "M40")), m_ldr_1=6)
    second = state(squad("m-sq-1", "N19"), date="20 PM")
    second["units"].append(squad("j-sq-1", "M40") | {"fate": "eliminated"})
    second["sides"]["marine"]["cvp"] = 30
    return take_in(journal, second)


def test_each_date_tells_its_scenario_and_totals() -> None:
    dates = chronicle(two_dates())["dates"]
    assert [(one["date"], one["winner"]) for one in dates] == [
        ("20 AM", "marine"),
        ("20 PM", "marine"),
    ]
    assert dates[1]["sides"]["marine"]["cvp"] == 30


def test_it_says_who_moved_first_and_when_forces_and_losses_are_counted() -> None:
    ended = state(WOUNDED)
    ended["scenario"]["winner"] = "japanese"
    told = str(export(book_of(take_in(new(), ended)), "chronicle", "md"))
    assert "The Japanese side won the scenario; the Marine side moved first." in told
    assert {"at scenario end", "lost, Refit Phase included"} <= {*map(str.strip, told.split("|"))}


def test_losses_are_those_of_the_date_on_which_they_fell() -> None:
    first, second = chronicle(two_dates())["dates"]
    assert first["sides"]["marine"]["losses"]["leaders"] == 1
    assert first["sides"]["japanese"]["losses"]["squads"] == 0
    assert second["sides"]["japanese"]["losses"]["squads"] == 1


def test_a_vehicle_that_becomes_a_wreck_is_lost_on_that_date_and_never_again() -> None:
    def tank(*status: str) -> dict[str, Any]:
        fields = {"id": "m-tk-1", "side": "marine", "type": "M4A2", "location": "N19"}
        return {"vehicles": [fields | {"cvp": 6, "status": [*status]}]}

    unit = squad("m-sq-1", "N19")
    journal = play(take_in(new(), state(unit, **tank())))
    journal = play(take_in(journal, state(unit, date="20 PM", **tank("wreck"))))
    journal = take_in(journal, state(unit, date="21 AM", **tank("burnt_out")))
    lost = [one["sides"]["marine"]["losses"]["vehicles"] for one in chronicle(journal)["dates"]]
    assert lost == [0, 1, 0, 0]  # the Night of 20 NT too


def test_a_prisoner_that_dies_is_lost_as_the_unit_that_it_was() -> None:
    held = squad("j-sq-1", "N19", status=["prisoner"], guard="m-sq-1")
    (date, _) = chronicle(play(begun(squad("m-sq-1", "N19"), held)))["dates"]
    assert date["sides"]["japanese"]["losses"]["squads"] == 1


def test_decisive_moments_are_of_leaders_and_heroes_not_markers() -> None:
    first, _ = chronicle(two_dates())["dates"]
    assert any("Hawkins" in words and "eliminated" in words for words in first["moments"])
    assert not any("m-sq-1" in words for words in first["moments"])


def test_of_a_night_attack_it_is_the_dr_that_decided_and_no_ruling() -> None:
    begins = begun(squad("m-sq-1", "N19"), squad("j-sq-1", "M40"), date="20 PM")
    journal = play(begins, to="15.616 japanese")
    journal.answer(True, JAPANESE)
    told = [words for one in chronicle(play(journal))["dates"] for words in one["moments"]]
    assert any(words.startswith("dr ") for words in told)
    assert not any("R-BANZAI-DRM" in words for words in told)


@pytest.mark.parametrize("seat", [None, MARINE, JAPANESE])
def test_what_came_of_a_night_stands_under_that_night_not_under_the_next_morning(
    seat: Side | None,
) -> None:
    begins = begun(squad("m-sq-1", "N19"), squad("j-sq-1", "M40"), date="20 PM")
    _, night, morning = chronicle(play(begins), seat)["dates"]
    assert (night["date"], morning["date"]) == ("20 NT", "21 AM")
    assert any("20 NT passes without a scenario" in words for words in night["moments"])
    assert morning["moments"] == []


def test_the_players_own_words_stand_with_their_date_those_of_a_side_for_it_alone() -> None:
    journal = two_dates()
    for words, side in (("What a night!", None), ("They never saw us", JAPANESE)):
        journal.begin_call()
        journal.command("note", {"words": words, "side": side, "about": None}, "players")
    assert [one["notes"] for one in chronicle(journal)["dates"]] == [
        [],
        ["What a night!", "They never saw us"],
    ]
    assert chronicle(journal, MARINE)["dates"][1]["notes"] == ["What a night!"]
    told = str(export(book_of(journal), "chronicle", "md"))
    assert "### The players' own words\n\n- What a night!\n" in told


def test_a_campaign_that_is_over_says_who_has_won() -> None:
    journal = play(begun(squad("m-sq-1", "N19"), date="22 PM"))
    assert "CG III is over: the Marine side has won." in str(
        export(book_of(journal), "chronicle", "md")
    )


def test_a_named_leader_has_a_service_record() -> None:
    [record] = service_records(journal_rows(two_dates(), None))
    assert (record.name, record.side, record.words) == ("Hawkins", MARINE, "9-1, eliminated")
    assert any(date == "20 AM" and "eliminated" in words for date, words in record.events)


def test_a_leader_who_is_renamed_has_his_new_name_in_his_service_record() -> None:
    journal = two_dates()
    asked = {"id": "m-ldr-1", "set": {"name": "Hawkins, W. D."}, "reason": "his initials"}
    journal.command("edit", asked, "players")
    [record] = service_records(journal_rows(journal, None))
    assert (record.name, len(record.events)) == ("Hawkins, W. D.", 3)


def test_luck_is_how_likely_dice_are_to_come_to_more() -> None:
    """One die, a 6: none is more, and one in six is as much, which counts half."""
    found = luck(journal_rows(two_dates(), None), MARINE)
    assert (found.drs, found.double_drs, found.faces) == (1, 0, (0, 0, 0, 0, 0, 1))
    assert found.percent == 8
    assert luck(journal_rows(two_dates(), None), JAPANESE).percent == 50


def test_rolls_that_were_taken_back_are_no_luck() -> None:
    journal = play(begun(WOUNDED, squad("j-sq-1", "M40")), to="m-ldr-1")
    journal.answer(6, MARINE)
    journal.undo()
    assert luck(journal_rows(journal, None), MARINE).dice == 0
