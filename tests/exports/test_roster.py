"""The setup rosters: who sets up where, in tables that players want to print."""

import re
from io import BytesIO
from typing import Any

import pytest
from openpyxl import load_workbook
from pypdf import PdfReader

from brt_cg.exports import export_document
from brt_cg.exports.map_frame import POINT
from brt_cg.exports.paper import Paper, Printing, default_paper
from brt_cg.exports.roster import roster_markdown_files
from brt_cg.exports.wording import notable_state_text
from brt_cg.journal.heads import short_head
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.questions.answers import RefusedError
from brt_cg.views.view import create_view
from tests.exports.journals import JAPANESE, MARINE, as_data, begun, demo, new, play, squad

HAWKINS = squad("m-ldr-1", "N19", status=["wounded"], name="Hawkins")
HALF = squad("m-hs-1", "N19", kind="half_squad", type="3-4-8")
MORTAR = {"id": "m-mtr-1", "side": "marine", "kind": "sw", "type": "60mm MTR", "location": "N19"}
GUN = {"id": "j-gun-1", "side": "japanese", "kind": "gun", "type": "37L AT", "location": "M40"}
PILLBOX = {"id": "j-pb-1", "side": "japanese", "type": "pillbox", "location": "M41"}


def retained(*units: dict[str, Any], **lists: Any) -> Journal:
    return play(begun(*units, **lists), through="15.6082")


def pages(journal: Journal, side: Side | None = None) -> dict[str, dict[str, Any]]:
    found = as_data("roster", journal, side)["places"]
    return {page["place"]: page for page in found}


def ids(page: dict[str, Any], kind: str = "units") -> list[str]:
    return [one["id"] for one in page[kind]]


def test_each_area_isolated_location_and_off_map_has_a_page() -> None:
    units = (HAWKINS, squad("j-sq-1", "M19"), squad("j-sq-2", "M40"), squad("m-sq-1", "off_map"))
    found = pages(retained(*units))
    assert {name: ids(page) for name, page in found.items()} == {
        "M1": ["m-ldr-1"],
        "off_map": ["m-sq-1"],
        "J1": ["j-sq-2"],
        "M19": ["j-sq-1"],
    }
    assert found["M1"]["hexes"] == ["M18-M21", "N18-N21"]
    assert (found["M19"]["kind"], found["M19"]["side"]) == ("isolated", "japanese")


def test_an_isolated_unit_without_a_location_is_not_listed_as_isolated() -> None:
    nowhere = [squad("m-sq-1", None, isolated=True), squad("m-sq-2", "off_map", isolated=True)]
    found = pages(begun(*nowhere))
    assert {name: ids(page) for name, page in found.items()} == {
        "off_map": ["m-sq-2"],
        "elsewhere": ["m-sq-1"],
    }


def test_leaders_come_before_squads_and_squads_before_half_squads() -> None:
    found = pages(retained(HALF, squad("m-sq-1", "N18"), HAWKINS))
    assert ids(found["M1"]) == ["m-ldr-1", "m-sq-1", "m-hs-1"]


def test_a_gun_has_its_recorded_location_and_a_squad_has_none() -> None:
    found = pages(retained(squad("j-sq-1", "M40"), weapons=[GUN]))
    assert found["J1"]["weapons"][0]["sets_up_in"] == "M40 (recorded)"
    assert found["J1"]["units"][0]["sets_up_in"] == ""


def test_a_fortification_is_listed_in_its_area_for_any_buyer() -> None:
    inside = PILLBOX | {"id": "j-pb-2", "location": "N19"}
    found = pages(retained(HAWKINS, fortifications=[PILLBOX, inside]))
    assert ids(found["J1"], "fortifications") == ["j-pb-1"]
    assert ids(found["M1"], "fortifications") == ["j-pb-2"]


def test_a_pillbox_may_be_off_map() -> None:
    box = PILLBOX | {"location": "off_map"}
    found = pages(retained(squad("m-sq-1", "N19"), squad("j-sq-1", "M40"), fortifications=[box]))
    assert ids(found["elsewhere"], "fortifications") == ["j-pb-1"]


def test_a_pillbox_shows_its_numbers_and_a_foxhole_has_none() -> None:
    box = PILLBOX | {"capacity": 1, "ca_tem": 3, "nca_tem": 5}
    foxhole = PILLBOX | {"id": "j-fox-1", "type": "foxhole_1s", "capacity": 1}
    text = str(
        export_document(
            create_view(retained(HAWKINS, fortifications=[box, foxhole])), "roster", "md"
        )
    )
    assert "1+3+5" in text
    assert "1+–" not in text
    assert not re.search(r"pillbox 1\+3\+5[^|]*1\+3\+5", text), "it is said once"


def test_a_bulldozer_does_not_repeat_its_type() -> None:
    dozer = {"id": "m-bd-1", "side": "marine", "type": "Bulldozer", "location": "N19"}
    journal = retained(HAWKINS, vehicles=[dozer | {"bulldozer": True}])
    told = str(export_document(create_view(journal), "roster", "md"))
    [line] = [line for line in told.splitlines() if "Bulldozer" in line and "☐" in line]
    assert "bulldozer" not in line


def test_vehicle_armament_is_not_listed_as_support_weapons() -> None:
    tank = {"id": "m-tk-1", "side": "marine", "type": "M4A2", "location": "N19"}
    gun = {"id": "m-tk-1-ma", "side": "marine", "kind": "vehicular", "type": "75"}
    weapons = [MORTAR, gun | {"vehicle": "m-tk-1", "location": "N19"}]
    text = roster_markdown_files(
        create_view(retained(HAWKINS, HALF, weapons=weapons, vehicles=[tank]))
    )["M1.md"]
    assert "## Support weapons (1)" in text
    assert "## Vehicles' weapons (1)" in text


def test_mines_are_named_as_in_the_price_list() -> None:
    mine = PILLBOX | {"id": "j-mine-1", "type": "at_mine_factor", "hidden": True}
    assert "A-T mine factor" in str(
        export_document(create_view(retained(HAWKINS, fortifications=[mine])), "roster", "md")
    )


def test_a_prisoner_is_listed_with_his_guard() -> None:
    held = squad("j-sq-1", "N19", status=["prisoner"], guard="m-ldr-1")
    text = roster_markdown_files(create_view(retained(HAWKINS, held)))["M1.md"]
    assert "## Prisoners (1)" in text
    assert "guarded by 9-1 Hawkins" in text


def test_an_area_page_has_the_expected_text() -> None:
    armed = MORTAR | {"possessor": "m-hs-1", "status": ["malfunctioned"]}
    journal = retained(HAWKINS, HALF, weapons=[armed])
    assert roster_markdown_files(create_view(journal))["M1.md"] == "\n".join(
        [
            "# M1 · Marine Setup Area",
            "",
            "*CG III · 20 PM · Umpire's view: both sides' secrets*",
            "",
            f"Journal `{short_head(journal.head or '')}`",
            "",
            "CG III · 20 PM: the Japanese set up first, the Marines move first, 7 turns"
            " · SAN Marine 4, Japanese 5",
            "",
            "8 hexes: M18-M21 N18-N21",
            "",
            "1 leader, 1 HS (3-4-8), 1 SW · ½ squad-equivalent",
            "",
            "*M1 and its surroundings.*",
            "",
            "### Leaders (1)",
            "",
            "|     | unit        | state   | with | sets up in |",
            "| --- | ----------- | ------- | ---- | ---------- |",
            "| ☐   | 9-1 Hawkins | wounded |      | ______     |",
            "",
            "### Half-squads (1)",
            "",
            "|     | unit           | state | with           | sets up in |",
            "| --- | -------------- | ----- | -------------- | ---------- |",
            "| ☐   | 3-4-8 HS no. 1 |       | 60mm MTR no. 1 | ______     |",
            "",
            "### Support weapons (1)",
            "",
            "|     | weapon         | state         | with           | sets up in |",
            "| --- | -------------- | ------------- | -------------- | ---------- |",
            "| ☐   | 60mm MTR no. 1 | malfunctioned | 3-4-8 HS no. 1 | ______     |",
            "",
        ]
    ).replace("### ", "## ")


def test_each_page_can_be_written_to_its_own_file() -> None:
    names = set(roster_markdown_files(create_view(demo())))
    assert {"M1.md", "M2.md", "J1.md", "isolated-K24.md", "off-map-marine.md"} <= names
    assert not any(set(name) & set(":/ ") for name in names)


def test_before_the_first_scenario_counters_are_in_no_area_yet() -> None:
    journal = new()
    document = {
        "format": "brt-cg/state",
        "version": 1,
        "sides": {"marine": {"san": 4, "elr": 5, "cvp": 0}},
        "units": [squad("m-sq-1", "off_map"), squad("j-sq-1", "M40")],
    }
    journal.run_command("reinforce", {"state": document, "source": "oob.json"}, "players")
    found = pages(journal)
    assert (ids(found["off_map"]), ids(found["elsewhere"])) == (["m-sq-1"], ["j-sq-1"])


def test_csv_has_a_location_for_each_counter() -> None:
    files = export_document(create_view(retained(HAWKINS)), "roster", "csv")
    assert isinstance(files, dict)
    assert files["places.csv"].splitlines()[2].startswith("M1,area,marine,")
    assert files["units.csv"].splitlines()[1].startswith("M1,m-ldr-1,marine,leader,9-1,")
    assert files["scenario.csv"].splitlines()[1] == "III,20 PM,japanese,marine,7"


# --- how the scenario starts ----------------------------------------------------------------------


def start(journal: Journal) -> tuple[str, str, str | None, str]:
    found = as_data("roster", journal)
    return found["date"], found["sets_up_first"], found["moves_first"], found["turns"]


def test_the_next_date_is_shown_before_and_after_it_begins() -> None:
    before = play(begun(), through="15.6114")
    after = play(begun(), through="15.6122")
    assert start(before) == start(after) == ("20 PM", "japanese", "marine", "7")


def test_a_campaign_that_begins_is_set_up_for_its_first_date() -> None:
    assert start(new()) == ("20 AM", "japanese", "marine", "7.5")


def test_in_the_first_scenario_of_cg_i_a_die_decides_who_moves_first() -> None:
    assert start(new("I")) == ("21 AM", "japanese", None, "7")
    assert "a dr decides who moves first" in str(
        export_document(create_view(new("I")), "roster", "md")
    )


def test_the_banzai_decision_is_a_step_of_a_nights_setup_and_not_of_the_morning_after() -> None:
    step = "| 15.6203 | Japanese | reveal whether they attempt a Banzai Night Attack"
    begins = begun(squad("m-sq-1", "N19"), squad("j-sq-1", "M40"), date="20 PM")
    assert step in str(export_document(create_view(play(begins, through="15.616")), "roster", "md"))
    morning = play(begins)
    assert morning.campaign.situation.date == "21 AM"
    assert "15.6203" not in str(export_document(create_view(morning), "roster", "md"))


def test_a_campaign_that_is_over_has_forces_but_no_next_scenario() -> None:
    over = play(begun(squad("m-sq-1", "N19"), squad("j-sq-1", "M40"), date="22 PM"))
    told = str(export_document(create_view(over), "roster", "md"))
    assert "CG III is over" in told
    assert "## Forces" in told
    assert not any(word in told for word in ("15.6201", "set up first", "T-H Hero", "starts"))


def test_a_status_has_the_name_that_players_use() -> None:
    states = ["broken", "cx", "dm", "low_ammo", "ti"]
    unit = begun(squad("m-sq-1", "N19", status=states)).campaign.units["m-sq-1"]
    assert notable_state_text(unit) == "broken, CX, DM, low ammo, TI"


def test_limits_are_shown_as_numbers() -> None:
    journal = retained(squad("j-sq-1", "M40"))
    told = str(export_document(create_view(journal), "roster", "md"))
    hip = "HIP now 0, allowed by day 1, at night 1"
    assert f"{hip} · T-H Heroes: at most 1 (SSR BRT5)" in told


# --- what a side may know -------------------------------------------------------------------------


def test_hidden_units_are_on_no_page_of_the_enemy() -> None:
    journal = retained(squad("j-sq-1", "M40", status=["hidden"]), squad("j-sq-2", "M41"))
    assert ids(pages(journal, JAPANESE)["J1"]) == ["j-sq-1", "j-sq-2"]
    assert ids(pages(journal, MARINE)["J1"]) == ["j-sq-2"]
    called = journal.campaign.units["j-sq-1"].label
    assert called in "".join(roster_markdown_files(create_view(journal, JAPANESE)).values())
    assert called not in "".join(roster_markdown_files(create_view(journal, MARINE)).values())


# --- compact, and in full -------------------------------------------------------------------------


@pytest.mark.parametrize("side", [None, *Side])
def test_the_compact_lists_have_each_counter_of_their_side_once(side: Side | None) -> None:
    """In the umpire's both sides'; the enemy, and prisoners whose guard is not known, in words."""
    places = as_data("roster", demo(), side)["places"]
    ids = [
        one["id"]
        for page in places
        if side in (None, page["side"])
        for kind in ("units", "weapons", "vehicles", "fortifications")
        for one in page[kind]
    ]
    book = create_view(demo(), side)
    page = str(export_document(book, "roster", "html"))
    shown = re.findall(r'<span class="counter[^"]*"><b>(\S+) ', page)
    assert sorted(shown) == sorted(map(book.codes.code_of, ids))


def test_possessions_are_listed_below_their_unit() -> None:
    armed = MORTAR | {"possessor": "m-hs-1"}
    text = str(
        export_document(create_view(retained(HAWKINS, HALF, weapons=[armed])), "roster", "md")
    )
    lines = text.splitlines()
    [at] = [at for at, line in enumerate(lines) if "3-4-8 no. 1 " in line]
    assert "______" in lines[at]
    assert "– 60mm MTR no. 1 " in lines[at + 1]
    assert "______" not in lines[at + 1]


def test_each_known_enemy_location_has_a_line() -> None:
    journal = retained(HAWKINS, squad("j-sq-2", "M40"))
    text = str(export_document(create_view(journal, MARINE), "roster", "md"))
    assert "- J1: 1 squad (4-4-7) · 1 squad-equivalent" in text
    called = journal.campaign.units["j-sq-2"].display_name
    assert called in str(export_document(create_view(journal, JAPANESE), "roster", "md"))
    assert called not in text


def test_the_tables_of_strength_are_in_the_full_roster_only() -> None:
    full = export_document(create_view(demo()), "roster", "md", printing=Printing(full=True))
    assert "## Strength by place" in str(full)
    assert "## Strength by place" not in str(export_document(create_view(demo()), "roster", "md"))
    with pytest.raises(RefusedError, match="map has no full version; choose roster"):
        export_document(create_view(demo()), "map", "svg", printing=Printing(full=True))


@pytest.mark.parametrize("paper", Paper)
def test_the_marines_of_the_demo_fit_on_six_pages(paper: Paper) -> None:
    made = export_document(create_view(demo(), MARINE), "roster", "pdf", Printing(paper))
    pages = PdfReader(BytesIO(bytes(made))).pages  # type: ignore[arg-type]
    assert len(pages) <= 6
    size = tuple(round(float(side) * POINT, 1) for side in pages[0].mediabox[2:])
    assert size == pytest.approx(paper.size, abs=0.2)


def test_a_workbook_has_boxes_to_tick_and_no_table_twice() -> None:
    book = load_workbook(BytesIO(bytes(export_document(create_view(demo()), "roster", "xlsx"))))  # type: ignore[arg-type]
    assert [cell.value for cell in book["units"][2]][:2] == ["☐", "K24"]
    assert "strength" not in book.sheetnames


def test_the_paper_size_is_that_of_the_players_country(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_PAPER", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for lang, paper in {"en_US.UTF-8": "letter", "en_GB.UTF-8": "a4", "fr_CA": "letter"}.items():
        monkeypatch.setenv("LANG", lang)
        assert default_paper() == paper
    monkeypatch.setenv("LC_PAPER", "de_DE.UTF-8")
    assert default_paper() == "a4"


def test_html_and_worksheets_are_for_the_same_paper() -> None:
    letter = Printing(Paper.LETTER)
    assert "@page { size: letter;" in str(
        export_document(create_view(demo()), "roster", "html", letter)
    )
    assert "size: a4" not in str(export_document(create_view(demo()), "roster", "html", letter))
    book = load_workbook(
        BytesIO(bytes(export_document(create_view(demo()), "roster", "xlsx", letter)))
    )  # type: ignore[arg-type]
    assert {sheet.page_setup.paperSize for sheet in book} == {1}


# --- in hand --------------------------------------------------------------------------------------


def test_pages_follow_the_order_of_setup() -> None:
    """20 PM: the Japanese set up first (15.6205)."""
    units = (HAWKINS, squad("j-sq-1", "M19"), squad("j-sq-2", "M40"), squad("m-sq-1", "off_map"))
    assert list(pages(retained(*units))) == ["M19", "J1", "M1", "off_map"]


def test_isolated_marines_may_set_up_beside_their_recorded_location() -> None:
    """15.6201: in it, or in an ADJACENT Location that their side Controls."""
    other = [["N18-N21", "M18-M21"]]
    journal = retained(HAWKINS, squad("m-sq-9", "M23"), squad("j-sq-2", "M40"), perimeters=other)
    called = journal.campaign.units["m-sq-9"].label
    [line] = [
        one
        for one in str(export_document(create_view(journal), "roster", "md")).splitlines()
        if called in one
    ]
    assert "| M23 " in line


def test_counters_bound_to_a_location_come_first() -> None:
    text = roster_markdown_files(
        create_view(retained(HAWKINS, squad("j-sq-2", "M40"), weapons=[GUN]))
    )["J1.md"]
    assert text.index("## Bound to their Locations (1)") < text.index("## Squads (1)")


def test_strength_is_counted_by_side_and_type() -> None:
    units = (HAWKINS, HALF, squad("m-sq-1", "N18"), squad("m-sq-2", "N18"))
    page = pages(retained(*units, weapons=[MORTAR]))["M1"]
    counts = {(one["what"], one["type"]): one["number"] for one in page["counts"]}
    assert counts == {
        ("leaders", "9-1"): 1,
        ("squads", "7-6-8"): 2,
        ("half_squads", "3-4-8"): 1,
        ("sw", "60mm MTR"): 1,
    }
    assert page["squad_equivalents"] == 2.5


def test_tank_hunter_heroes_and_hip_are_shares_of_the_japanese_on_map() -> None:
    """20% of the squads, 10% and 25% of the squad-equivalents, each rounded up."""
    half = {"kind": "half_squad", "class": "first_line"}
    units = [squad(f"j-sq-{number}", "M40") for number in range(6)]
    journal = retained(*units, squad("j-hs-1", "M40", **half), squad("j-sq-9", "off_map"))
    found = as_data("roster", journal)["limits"]
    assert found == {"tank_hunter_heroes": 2, "hip_by_day": 1, "hip_by_night": 2}
    assert as_data("roster", journal, MARINE)["limits"] is None
