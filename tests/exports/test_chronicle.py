"""The chronicle: a campaign told date by date to friends who were not there."""

import json
import re
from functools import partial
from typing import Any

import pytest

from brt_cg.card import load_card
from brt_cg.exports import export_document
from brt_cg.exports.luck import count_luck
from brt_cg.exports.story import Career, build_story
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.views.journal import journal_rows
from brt_cg.views.view import PublicView, create_view
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
from tests.test_recorded import RECORDED, replay

WOUNDED = squad("m-ldr-1", "N19", status=["wounded"], name="Hawkins")


chronicle = partial(as_data, "chronicle")


def told(journal: Journal, format: str = "md", seat: Side | None = None) -> str:
    return str(export_document(create_view(journal, seat), "chronicle", format))


def careers(journal: Journal) -> list[Career]:
    return build_story(journal_rows(journal, None), load_card("III"))[1]


def moments(journal: Journal, date: str) -> dict[str, str]:
    [found] = [one for one in chronicle(journal)["dates"] if one["date"] == date]
    return {one["what"]: one["words"] for one in found["moments"]}


def fallen(date: dict[str, Any]) -> list[tuple[str, str, int, int]]:
    return [(one["side"], one["who"], one["number"], one["cvp"]) for one in date["fallen"]]


def two_dates() -> Journal:
    """20 AM with a leader who dies of his wound, and 20 PM, in which a squad is lost."""
    journal = play(begun(WOUNDED, squad("m-sq-1", "N19"), squad("j-sq-1", "M40")), m_ldr_1=6)
    second = state(squad("m-sq-1", "N19"), date="20 PM", perimeters=[["N18-N20", "M18-M21"]])
    second["units"].append(squad("j-sq-1", "M40") | {"fate": "eliminated"})
    second["sides"]["marine"]["cvp"] = 30
    return play(take_in(journal, second), through="15.6082")


@pytest.fixture(scope="module")
def eight_dates(tmp_path_factory: pytest.TempPathFactory) -> Journal:
    folder = RECORDED / "cg3-eight-dates"
    return unrestricted_campaign(replay(folder, tmp_path_factory.mktemp("told") / "campaign.brt"))


# --- a page for each date -------------------------------------------------------------------------


def test_each_date_shows_the_winner_and_the_victory_points() -> None:
    dates = chronicle(two_dates())["dates"]
    assert [(one["date"], one["winner"]) for one in dates] == [
        ("20 AM", "marine"),
        ("20 PM", "marine"),
    ]
    assert (dates[1]["sides"]["marine"]["vp"], dates[1]["sides"]["marine"]["scored"]) == (30, 18)


def test_the_chronicle_has_the_scores_of_the_records_after_a_late_correction_too() -> None:
    journal = play(two_dates())
    asked = {"id": "j-sq-1", "set": {"fate": "in_play"}, "reason": "he only routed"}
    journal.run_command("edit", asked, "players")
    scores = as_data("records", journal)["scenarios"]
    dates = [each for each in chronicle(journal)["dates"] if each["winner"]]
    assert [each["date"] for each in dates] == [each["date"] for each in scores]
    for date, score in zip(dates, scores, strict=True):
        for side, figures in date["sides"].items():
            due = (score[f"{side}_vp"], score[f"{side}_vp_scored"])
            assert (figures["vp"], figures["scored"]) == due


def test_a_unit_never_freed_is_listed_as_captured() -> None:
    journal = two_dates()
    taken = next(unit for unit in journal.campaign.units.values() if unit.in_play)
    asked = {"id": taken.id, "set": {"fate": "captured"}, "reason": "Mopping Up took him"}
    journal.run_command("edit", asked, "players")
    (fallen,) = [each for each in chronicle(journal)["dates"][1]["fallen"] if each["captured"]]
    assert fallen["side"] == taken.side


def test_points_before_adoption_do_not_count_on_the_first_date() -> None:
    adopted = state(WOUNDED, date="21 PM")
    adopted["sides"]["marine"] |= {"cvp": 60, "cvp_before": 48}
    [date] = chronicle(take_in(new(), adopted))["dates"]
    assert (date["sides"]["marine"]["vp"], date["sides"]["marine"]["scored"]) == (60, 12)


def test_the_chronicle_names_the_winner_and_the_first_mover() -> None:
    ended = state(WOUNDED)
    ended["sides"]["marine"]["cvp"] = 0
    journal = play(take_in(new(), ended), through="15.6032")
    assert "The Japanese won; the Marines moved first." in told(journal)


def test_a_campaign_that_is_over_says_who_has_won() -> None:
    journal = play(begun(squad("m-sq-1", "N19"), date="22 PM"))
    assert "CG III is over: the Marines have won." in told(journal)


def test_the_movement_of_the_front_is_described_and_drawn() -> None:
    """M1 is N18-N21 M18-M21 on 20 AM, and N18-N20 M18-M21 on 20 PM."""
    first, second = chronicle(two_dates())["dates"]
    assert (first["marine_hexes"], second["marine_hexes"]) == (8, 7)
    assert (second["gained"], second["lost"]) == (0, 1)
    page = told(two_dates(), "html")
    assert "In Marine Setup Areas: 7 hexes, 1 hex lost." in page
    assert page.count("Front on 20 AM") == 1


def test_the_victory_points_are_lines_over_the_dates(eight_dates: Journal) -> None:
    page = told(eight_dates, "html")
    [chart] = re.findall(r"<svg[^>]*><title>Victory Points</title>.*?</svg>", page)
    assert chart.count("<circle") == 7  # the Japanese, on seven dates with a scenario
    assert ">Marine 62<" in chart
    assert ">Japanese 45<" in chart


# --- who fell -------------------------------------------------------------------------------------


def test_a_lost_leader_is_listed_by_name_with_points_on_his_date() -> None:
    first, second = chronicle(two_dates())["dates"]
    assert fallen(first) == [("marine", "9-1 Hawkins", 1, 1)]  # an 8-0 with his wound
    assert fallen(second) == [("japanese", "4-4-7 squad", 1, 2)]
    assert first["fallen"][0]["in_refit"]
    assert not second["fallen"][0]["in_refit"]


def test_identical_losses_are_counted_together_leaders_first() -> None:
    lost = [squad(f"m-sq-{number}", "N19") | {"fate": "eliminated"} for number in (1, 2)]
    leader = squad("m-ldr-1", "N19") | {"fate": "eliminated"}
    [date, *_] = chronicle(begun(*lost, leader))["dates"]
    assert fallen(date) == [("marine", "9-1 leader", 1, 2), ("marine", "7-6-8 squad", 2, 2)]


def test_a_vehicle_that_becomes_a_wreck_is_lost_on_that_date_and_never_again() -> None:
    def tank(*status: str) -> dict[str, Any]:
        fields = {"id": "m-tk-1", "side": "marine", "type": "M4A2", "location": "N19"}
        return {"vehicles": [fields | {"cvp": 6, "status": [*status]}]}

    unit = squad("m-sq-1", "N19")
    journal = play(take_in(new(), state(unit, **tank())))
    journal = play(take_in(journal, state(unit, date="20 PM", **tank("wreck"))))
    journal = take_in(journal, state(unit, date="21 AM", **tank("burnt_out")))
    lost = [fallen(one) for one in chronicle(journal)["dates"]]
    assert lost == [[], [("marine", "M4A2", 1, 6)], [], []]  # the Night of 20 NT too


def test_a_prisoner_that_dies_is_worth_twice_as_much() -> None:
    held = squad("j-sq-1", "N19", status=["prisoner"], guard="m-sq-1")
    [date, _] = chronicle(play(begun(squad("m-sq-1", "N19"), held)))["dates"]
    assert fallen(date) == [("japanese", "4-4-7 squad", 1, 4)]


# --- moments --------------------------------------------------------------------------------------


def test_battle_hardening_and_new_leaders_are_moments(
    eight_dates: Journal,
) -> None:
    """As its README says: a heroic 8-0 becomes an 8-1, no longer heroic; a hero Hardens the
    conscripts, 3-3-6 to 3-4-7; on 20 PM a 7-0 is created."""
    first = moments(eight_dates, "20 AM")
    assert first["Marine Battle Hardening"] == "8-0 leader → 8-1"
    assert "3-3-6 squad → 3-4-7" in first["Japanese Battle Hardening"]
    assert moments(eight_dates, "20 PM")["New Marine leaders"] == "7-0 leader"
    assert "no longer heroic" not in told(eight_dates)


def test_captured_guns_and_vehicles_isolated_locations_and_pillboxes_are_moments() -> None:
    found = moments(demo(), "20 PM")
    assert found["Captured by the Marines"] == "Type 88 75 AA, HMG, Type 95 HA-GO"
    assert found["Isolated Marines"] == "K24, L30, R26, T30, X27"
    assert found["Pillboxes fallen"] == "in Q40 (1 VP)"


def test_a_hero_made_in_a_scenario_is_a_moment_if_known_to_be_unhidden() -> None:
    second = state(squad("m-sq-1", "N19"), squad("j-hero-1", "N22"), date="20 PM")
    journal = take_in(play(begun(squad("m-sq-1", "N19"), squad("j-sq-1", "M40"))), second)
    assert moments(journal, "20 PM")["New Japanese heroes"] == "1-4-9 hero"
    [_, date] = chronicle(journal, MARINE)["dates"]
    assert date["moments"] == []


def test_a_revealed_leader_is_not_listed_as_new() -> None:
    lurking = squad("j-ldr-9", "N19", status=["hidden"])
    journal = begun(squad("m-sq-1", "N20"), squad("j-sq-2", "M40"), lurking)
    assert "j-ldr-9" not in create_view(journal, MARINE).campaign.units
    journal = play(journal, j_ldr_9="reveal")
    assert "j-ldr-9" in create_view(journal, MARINE).campaign.units
    for date in chronicle(journal, MARINE)["dates"]:
        assert not any(one["what"].startswith("New Japanese") for one in date["moments"])


def test_a_melee_is_described_with_its_rounds() -> None:
    journal = play(begun(squad("m-sq-1", "N19"), squad("j-sq-1", "N19")), to="15.601 N19")
    journal.answer({"eliminated": ["j-sq-1"]}, MARINE)
    assert moments(play(journal), "20 AM")["Melees"] == "N19 (1 round)"


def test_a_banzai_attack_is_listed_under_its_night() -> None:
    begins = begun(squad("m-sq-1", "N19"), squad("j-sq-1", "M40"), date="20 PM")
    journal = play(begins, to="15.616 japanese")
    journal.answer(True, JAPANESE)
    found = moments(play(journal), "20 NT")
    assert found["Night"].startswith("the Japanese attempt a Banzai attack")


@pytest.mark.parametrize("seat", [None, MARINE, JAPANESE])
def test_results_of_a_night_are_listed_under_that_night(
    seat: Side | None,
) -> None:
    begins = begun(squad("m-sq-1", "N19"), squad("j-sq-1", "M40"), date="20 PM")
    _, night, morning = chronicle(play(begins), seat)["dates"]
    assert (night["date"], morning["date"]) == ("20 NT", "21 AM")
    words = {one["words"] for one in night["moments"]}
    assert words == {"20 NT passes without a scenario"}
    assert morning["moments"] == []


def test_purchases_are_listed_on_their_date_without_voided_ones() -> None:
    journal = new(allotments={"marine": {"fpp": 20}})
    for quantity in (2, 3):
        asked = {"item": "foxhole_1s", "side": "marine", "quantity": quantity}
        journal.run_command("buy", asked, "marine")
    voided = next(id for id, row in journal.campaign.purchases.items() if row.quantity == 3)
    journal.run_command("void", {"purchase": voided, "reason": "a change of mind"}, "marine")
    [date] = chronicle(journal)["dates"]
    assert [(one["item"], one["quantity"]) for one in date["purchases"]] == [("1S Foxhole", 2)]


def test_players_notes_are_listed_by_date_and_secret_ones_for_their_side_only() -> None:
    journal = two_dates()
    for words, side in (("What a night!", None), ("They never saw us", JAPANESE)):
        journal.begin_invocation()
        journal.run_command("note", {"words": words, "side": side, "about": None}, "players")
    assert [one["notes"] for one in chronicle(journal)["dates"]] == [
        [],
        ["What a night!", "They never saw us"],
    ]
    assert chronicle(journal, MARINE)["dates"][1]["notes"] == ["What a night!"]
    assert "### In the players’ own words\n\n- What a night!\n" in told(journal)


# --- service records and dice ---------------------------------------------------------------------


def test_each_leader_has_a_line_with_his_fate() -> None:
    record, _ = careers(two_dates())
    assert (record.name, record.side, record.words) == ("Hawkins", MARINE, "20 AM eliminated")


def test_unnamed_leaders_are_distinguished_by_number(eight_dates: Journal) -> None:
    names = [one.name for one in careers(eight_dates) if not one.has_name]
    assert len(names) > 2
    assert len({*names}) == len(names)
    assert all(" no. " in name for name in names)


def test_a_leader_who_is_renamed_has_his_new_name_in_his_service_record() -> None:
    journal = two_dates()
    asked = {"id": "m-ldr-1", "set": {"name": "Hawkins, W. D."}, "reason": "his initials"}
    journal.run_command("edit", asked, "players")
    record, _ = careers(journal)
    assert (record.name, record.first_and_last_value) == ("Hawkins, W. D.", "9-1")


def test_a_leader_who_rises_and_falls_has_both_in_one_line(eight_dates: Journal) -> None:
    shoup = next(one for one in careers(eight_dates) if one.name == "Shoup")
    assert "21 PM now 10-3" in shoup.words
    assert shoup.words.endswith("wounded, eliminated")


def test_luck_is_the_chance_of_a_higher_total() -> None:
    """One die, a 6: none is more, and one in six is as much, which counts half."""
    found = count_luck(journal_rows(two_dates(), None), MARINE)
    assert (found.drs, found.double_drs, found.faces) == (1, 0, (0, 0, 0, 0, 0, 1))
    assert found.percent == 8
    assert count_luck(journal_rows(two_dates(), None), JAPANESE).percent == 50


def test_dice_are_shown_as_deviation_from_the_expectation() -> None:
    """One die, a 6: 2½ pips more than expected."""
    marine, _ = chronicle(two_dates())["luck"]
    assert marine["deviation"] == 2.5


def test_undone_rolls_do_not_count_as_luck() -> None:
    journal = play(begun(WOUNDED, squad("j-sq-1", "M40")), to="m-ldr-1")
    journal.answer(6, MARINE)
    journal.undo()
    assert count_luck(journal_rows(journal, None), MARINE).dice == 0


# --- the page -------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["html", "json"])
def test_the_chronicle_has_no_ids_and_no_journal_lines(eight_dates: Journal, format: str) -> None:
    for journal in (eight_dates, demo()):
        page = re.sub(
            r"<style>.*?</style>|<script>.*?</script>", "", told(journal, format), flags=re.S
        )
        ids = {counter.id for counter in journal.campaign.counters()}
        assert ids & {*re.findall(r"[\w-]+", page)} == set()
        no_words = {id for id in ids if not re.fullmatch(r"[\w-]+", id)}
        assert {id for id in no_words if id in page} == set()
        lines = {line.text for line in create_view(journal).lines if len(line.text) > 30}
        assert {line for line in lines if line in page} == set()


def test_the_chronicle_is_one_page_that_loads_nothing(
    eight_dates: Journal,
) -> None:
    page = told(eight_dates, "html")
    assert re.findall(r"<script[^>]*>", page) == ["<script>"]
    assert not re.search(r"""(?:src|href)\s*=\s*["'](?!#)|url\(|@import|<link|<iframe""", page)
    dates = re.search(r"<nav>.*?</nav>", page, re.S)
    assert dates is not None
    assert re.findall(r">(2\d [AP]M|2\d NT)<", dates[0]) == [
        *("20 AM", "20 PM", "20 NT", "21 AM", "21 PM", "21 NT", "22 AM", "22 PM"),
    ]


def test_pointing_at_a_hex_shows_its_counters() -> None:
    units = [squad(f"m-sq-{number}", "N19") for number in (1, 2)]
    page = told(begun(*units, WOUNDED, squad("j-sq-1", "M40", status=["hidden"])), "html", MARINE)
    titles = re.findall(r'class="hit"[^>]*><title>([^<]*)', page)
    assert set(titles) == {"N19 · Marine: 9-1 leader Hawkins, 7-6-8 squad × 2"}


def test_the_first_page_shows_the_current_map_before_two_dates_exist(
    eight_dates: Journal,
) -> None:
    def first(page: str) -> str:
        return page.partition("<h2>The campaign")[2].partition("<h2")[0]

    assert "In Marine Setup Areas: " in first(told(begun(squad("m-sq-1", "N19")), "html"))
    of_eight = first(told(eight_dates, "html"))
    assert ("In Marine Setup Areas: " in of_eight, "Victory Points: " in of_eight) == (False, True)


# --- what both know -------------------------------------------------------------------------------


def public(journal: Journal, format: str = "json") -> str:
    return str(export_document(PublicView(journal), "chronicle", format))


def test_the_public_chronicle_covers_every_date(eight_dates: Journal) -> None:
    data = json.loads(public(eight_dates))
    assert data["view"] == "public"
    assert [(one["date"], one["sides"]["marine"]["vp"]) for one in data["dates"]] == [
        (one["date"], one["sides"]["marine"]["vp"]) for one in chronicle(eight_dates)["dates"]
    ]
    assert any(one["fallen"] for one in data["dates"])


def test_the_public_chronicle_holds_no_secrets_of_either_side() -> None:
    journal = new(allotments={"japanese": {"red_one": {"gpp": 40}}, "marine": {"fpp": 20}})
    asked = {"item": "hmg", "side": "japanese", "beach": "red_one", "quantity": 1}
    journal.run_command("buy", asked, "japanese")
    hidden = squad("j-sq-1", "M40", status=["hidden"], type="4-4-8", **{"class": "elite"})
    take_in(journal, state(hidden, squad("j-sq-2", "M41"), squad("m-sq-1", "N19")))
    for side, words in ((MARINE, "Ours alone"), (JAPANESE, "Theirs alone")):
        journal.run_command("note", {"words": words, "side": side, "about": None}, str(side))
    page = public(journal, "html")
    assert "M41 · Japanese: 4-4-7 squad" in page
    umpires = told(journal, "html")
    for secret in ("M40 ·", "HMG", "Ours alone", "Theirs alone", "4-4-8"):
        assert secret in umpires
        assert secret not in page


def test_the_terrain_of_the_maps_is_drawn_once_per_page(eight_dates: Journal) -> None:
    page = told(eight_dates, "html")
    [name] = re.findall(r'<g id="(ground[^"]*)">', page)
    assert page.count(f'<use href="#{name}"/>') == 7  # of the eight dates
