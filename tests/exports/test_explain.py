"""How a number came to be."""

import pytest

from brt_cg.exports.explain import (
    ExplanationPage,
    explain,
    explanation_page,
    known_facts,
    links_page,
)
from brt_cg.exports.explain.pages import change_text
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.questions.answers import RefusedError
from brt_cg.views.view import create_view
from tests.exports.journals import (
    MARINE,
    begun,
    demo,
    new,
    play,
    squad,
    state,
    take_in,
)

WOUNDED = squad("m-ldr-1", "N19", status=["wounded"], traits=["heroic"], name="Hawkins")
POINTS = {"japanese": {"red_one": {"gpp": 24}, "green": {"gpp": 9}}, "marine": {"fpp": 30}}


def shop() -> Journal:
    """Two HMG for Red One: one voided, one that stands; and a draft."""
    journal = new(allotments=POINTS)
    buy(journal, "hmg", quantity=2)
    journal.run_command("void", {"purchase": "pj1", "reason": "a slip"}, "japanese")
    buy(journal, "hmg")
    buy(journal, "hmg_50cal", draft=True)
    return journal


def buy(journal: Journal, item: str, **asked: object) -> None:
    order = {"item": item, "side": "japanese", "beach": "red_one"} | asked
    journal.run_command("buy", order, "japanese")


def refusal(journal: Journal, subject: str, side: object = None) -> str:
    with pytest.raises(RefusedError) as refused:
        explain(create_view(journal, MARINE if side else None), subject)
    return str(refused.value)


def page(journal: Journal, subject: str, side: Side | None = None) -> ExplanationPage:
    return explanation_page(known_facts(create_view(journal, side)), subject)


def leads(journal: Journal, subject: str) -> list[str]:
    """All that a page leads on to."""
    return [one for line in page(journal, subject).lines for one in line.leads]


# --- counters -------------------------------------------------------------------------------------


def test_explaining_a_counter_shows_its_whole_history() -> None:
    lines = explain(create_view(play(begun(WOUNDED), through="15.6112", m_ldr_1=1)), "m-ldr-1")
    assert lines[0] == "9-1 Hawkins (m-ldr-1): Marine, in Area M1, heroic"
    assert lines[1] == "where: Setup Area M1"
    assert lines[2] == "2 · Scenario end · added: 9-1 Hawkins, N19 [created]"
    assert lines[-1].endswith(
        "· 15.6112 Wounded leaders · 9-1 Hawkins (Area M1): dr 1, −1 heroic, Final dr 0: unwounded "
        "[status wounded → –]"
    )


def test_explaining_a_voided_purchase_shows_its_history() -> None:
    journal = new(allotments=POINTS)
    journal.begin_invocation()
    buy(journal, "hmg")
    journal.begin_invocation()
    journal.undo()
    bought = "the Japanese buy 1 × HMG for Red One, 4 GPP (purchase pj1)"
    history = f"2 · Purchase · {bought} [created] (undone)"
    for id in ("pj1", "pj1-1", "pj1-1-crew"):
        assert explain(create_view(journal), id) == [f"{id}: no longer known", history]
    assert "nothing is known about 'pj2'" in refusal(journal, "pj2")


def test_undone_entries_are_shown_and_marked() -> None:
    journal = play(begun(WOUNDED), through="15.6112", m_ldr_1=1)
    journal.undo()
    lines = explain(create_view(journal), "m-ldr-1")
    assert lines[0].endswith("heroic, wounded")
    assert lines[-1].endswith("[status wounded → –] (undone)")


def test_an_edit_is_shown_with_its_reason() -> None:
    journal = begun(WOUNDED)
    asked = {"id": "m-ldr-1", "set": {"status": []}, "reason": "misread the sheet"}
    journal.run_command("edit", asked, "Ann")
    assert explain(create_view(journal), "m-ldr-1")[-1] == (
        "3 · Correction · Ann corrects 9-1 Hawkins: status wounded → – (misread the sheet)"
    )


def test_a_change_translates_values_but_not_ids() -> None:
    row = known_facts(create_view(begun(WOUNDED))).rows[0]
    held = ("weapons", "m-mmg-1", "possessor", None, "m_sq_1")
    assert change_text(row, held) == "possessed by – → m_sq_1"
    marked = ("units", "m-ldr-1", "status", [], ["low_ammo"])
    assert change_text(row, marked) == "status – → low ammo"


def test_an_unknown_subject_suggests_similar_ones() -> None:
    assert "did you mean m-ldr-1?" in refusal(begun(WOUNDED), "m-ldr-11")
    assert "did you mean marine.cvp" in refusal(begun(WOUNDED), "marine.cpv")


def test_a_ruling_of_another_cg_is_unknown_and_not_suggested() -> None:
    refused = refusal(begun(WOUNDED), "R-HMG-CG2")
    assert refused.count("R-HMG-CG2") == 1


# --- totals, areas, rulings -----------------------------------------------------------------------


def test_explaining_a_total_lists_each_change() -> None:
    lines = explain(create_view(play(begun(WOUNDED), through="15.6112", m_ldr_1=6)), "japanese.cvp")
    assert lines[0] == "Japanese CVP 10"
    assert lines[1] == "1 · New campaign · CVP 0"
    assert lines[2] == "2 · Scenario end · CVP 0 → 9"
    assert lines[3] == "    9 CVP for carried over"
    assert (
        "15.6112 Wounded leaders · CVP 9 → 10: Japanese CVP +1 for 9-1 Hawkins, now 10" in lines[4]
    )


@pytest.mark.parametrize("subject", ["Marine.CVP", "MARINE.VP", "Marine/FPP", "Entry 1"])
def test_subjects_may_be_typed_in_upper_or_lower_case(subject: str) -> None:
    assert explain(create_view(begun(WOUNDED)), subject) == explain(
        create_view(begun(WOUNDED)), subject.lower()
    )


def test_explaining_an_area_lists_its_hexes() -> None:
    lines = explain(create_view(play(begun(WOUNDED), through="15.6082")), "M1")
    assert lines[0] == "M1: Marine Setup Area of 8 hexes: M18-M21 N18-N21"
    assert lines[1].endswith("15.6071 Setup Areas · Area M1: Marine Setup Area of 8 hexes")


def test_explaining_a_ruling_shows_the_agreed_value() -> None:
    journal = begun()
    journal.run_command("ruling", {"id": "R-SPLIT", "value": "every"}, "players")
    lines = explain(create_view(journal), "R-SPLIT")
    assert lines[0].startswith("R-SPLIT (15.6071): ")
    assert lines[0].endswith("? all of them")
    assert "separate Setup Areas? all of them; until now: " in lines[-1]


def test_explaining_an_entry_shows_its_die_modifiers_and_row() -> None:
    journal = play(begun(WOUNDED), through="15.6112", m_ldr_1=1)
    number = next(one for one in journal.entries if one.payload.get("roll")).seq
    lines = explain(create_view(journal), str(number))
    assert lines[0] == f"{number} · 15.6112 Wounded leaders"
    assert "the Marine player's answer about 9-1 Hawkins, by hand" in lines
    assert lines[3:6] == [
        "dr 1: 1",
        "drm: −1 heroic",
        "Final 0: unwounded, on the table Wounded leader (15.6112)",
    ]
    assert "9-1 Hawkins: status wounded → –" in lines
    found = leads(journal, f"entry {number}")
    assert {"m-ldr-1", "15.6112"} <= {*found}


def test_entries_to_choose_from_are_told_apart_by_their_first_lines() -> None:
    journal = play(begun(WOUNDED), through="15.6112", m_ldr_1=1)
    known = known_facts(create_view(journal))
    rows = [row for row in known.rows if row.lines][-2:]
    newest = [f"entry {row.number}" for row in rows]
    listed = links_page(known, [*newest, "m-ldr-1", "entry 999"])
    assert [line.leads[0] for line in listed.lines] == [*newest, "m-ldr-1"]
    for row, line in zip(rows, listed.lines, strict=False):
        assert row.lines[0].text in line.text


def test_explaining_a_paragraph_shows_its_rulings_and_results() -> None:
    journal = play(begun(WOUNDED), through="15.6112", m_ldr_1=1)
    lines = explain(create_view(journal), "15.6112")
    assert lines[0] == "15.6112 Wounded leaders"
    assert any("dr 1, −1 heroic, Final dr 0: unwounded" in line for line in lines)
    assert any(line.startswith("R-SPLIT: ") for line in explain(create_view(journal), "15.6071"))


def test_explaining_cvp_lists_each_lost_unit() -> None:
    journal = begun(squad("j-sq-1", "M40"), squad("j-sq-2", "M40"))
    asked = {"id": "j-sq-1", "set": {"fate": "eliminated"}, "reason": "forgotten"}
    journal.run_command("edit", asked, "Ann")
    journal.run_command("edit", {"id": "marine", "set": {"cvp": 15}, "reason": "so"}, "Ann")
    journal = begun(WOUNDED)
    journal.run_command("ruling", {"id": "R-CVP-REFIT", "value": "combat"}, "Ann")
    play(journal, through="15.6112", m_ldr_1=6)
    assert "m-ldr-1" in leads(journal, "japanese.cvp")
    assert leads(journal, "cvp") == ["marine.cvp", "japanese.cvp"]


def test_cvp_link_only_to_the_unit_lost_before_its_ruling() -> None:
    alike = squad("m-ldr-2", "N19", name="Haw")
    journal = play(begun(WOUNDED, alike), through="15.6112", m_ldr_1=6)
    (line,) = (
        line for line in page(journal, "japanese.cvp").lines if "+1 for 9-1 Hawkins" in line.text
    )
    assert [lead for lead in line.leads if lead.startswith("m-ldr")] == ["m-ldr-1"]


def test_cvp_subtracted_for_a_prisoner_link_to_him() -> None:
    held = squad("j-sq-1", "N19", status=["prisoner"], guard="m-sq-1")
    journal = play(begun(squad("m-sq-1", "N19"), held), through="15.609")
    assert "j-sq-1" in leads(journal, "japanese.cvp")


def test_cvp_entered_at_scenario_end_are_split_by_unit() -> None:
    journal = begun(WOUNDED, squad("j-sq-1", "M40"), squad("j-sq-2", "M40"))
    play(journal)
    lost = [squad("m-ldr-1", "N19"), squad("j-sq-1", "M40")]
    ended = state(*lost, date=journal.campaign.situation.date)
    ended["sides"]["marine"]["cvp"] = 17
    asked = {"state": ended, "source": "s.json", "missing": "eliminated", "side": None}
    asked["totals"] = "stated"
    journal.run_command("import", asked, "players")
    lines = explain(create_view(journal), "marine.cvp")
    assert "    2 CVP for 4-4-7 squad no. 2" in lines
    assert "    3 CVP for as s.json says" in lines
    assert "j-sq-2" in leads(journal, "marine.cvp")


def test_cvp_entered_at_scenario_end_exclude_earlier_losses() -> None:
    lost = squad("j-sq-1", "M40", fate="eliminated")
    journal = play(begun(WOUNDED, lost))
    ended = state(WOUNDED, lost | {"location": "M41"}, date=journal.campaign.situation.date)
    ended["sides"]["marine"]["cvp"] = 13
    lines = explain(create_view(take_in(journal, ended)), "marine.cvp")
    assert lines[-1] == "    1 CVP for as state.json says"


def test_victory_points_link_to_cvp_and_pillboxes() -> None:
    found = leads(demo(), "marine.vp")
    assert {"marine.cvp", "R-VP"} <= {*found}
    assert any(one.startswith("j-pb-") for one in found)


def test_an_isolated_unit_names_the_area_and_the_hexes_that_cut_it_off() -> None:
    journal = play(
        begun(WOUNDED, squad("m-sq-1", "N23"), squad("j-sq-1", "N20")), through="15.6072"
    )
    told = explain(create_view(journal), "m-sq-1")
    assert "Isolated: N23 is in Japanese Setup Area J1" in told
    assert "cut off by J1 in M23-M24 N22 N24 O23-O24" in told
    assert "nearest Marine Setup Area: M1, 2 hexes away at N21, behind the enemy's N22" in told
    told = explain(create_view(journal), "j-sq-1")
    assert "Isolated: N20 is in Marine Setup Area M1" in told
    assert "cut off by M1 in M20-M21 N19 N21" in told


def test_a_unit_that_was_lost_while_isolated_is_no_longer_cut_off() -> None:
    journal = begun(squad("m-ldr-1", "N23", status=["wounded"]), squad("j-sq-1", "N20"))
    told = explain(create_view(play(journal, through="15.6112", m_ldr_1=6)), "m-ldr-1")
    assert told[0] == "9-1 no. 1 (m-ldr-1): Marine, eliminated, wounded"
    assert not any(line.startswith(("Isolated", "cut off", "nearest")) for line in told)


def test_explaining_a_hex_shows_its_controller_and_units() -> None:
    journal = play(begun(WOUNDED, squad("m-sq-1", "N23")), through="15.6072")
    assert explain(create_view(journal), "N23")[0].startswith(
        "N23: land, in Japanese Setup Area J1"
    )
    assert "m-sq-1" in leads(journal, "N23")
    assert "hex J1" in leads(journal, "J1")
    assert explain(create_view(journal), "hex J1")[0].startswith("J1: ")
    assert (
        explain(create_view(journal), "n23")
        == explain(create_view(journal), "N23")
        == explain(create_view(journal), "hex n23")
    )


def test_words_of_a_name_find_the_counter() -> None:
    journal = begun(WOUNDED, squad("m-sq-1", "N19"), squad("m-sq-2", "N19"))
    assert explain(create_view(journal), "hawk")[0].startswith("9-1 Hawkins (m-ldr-1)")
    assert leads(journal, "7-6-8 squad") == ["m-sq-1", "m-sq-2"]


def test_a_name_with_its_number_is_that_counter_alone() -> None:
    squads = [squad(f"m-sq-{number}", "N19") for number in range(1, 13)]
    journal = begun(*squads)
    assert explain(create_view(journal), "7-6-8 no. 1")[0].startswith("7-6-8 squad no. 1 (m-sq-1)")
    assert explain(create_view(journal), "7-6-8 squad no. 2")[0].startswith("7-6-8 squad no. 2 (")
    assert len(leads(journal, "7-6-8 no.")) == len(squads)


def test_explaining_nothing_lists_the_subjects() -> None:
    told = explain(create_view(shop()), "")
    assert "Marine CVP 0" in told
    assert "Japanese, Red One: 20 GPP left" in told
    assert leads(shop(), "gpp") == ["japanese/green/gpp", "japanese/red_one/gpp"]


def test_every_link_of_the_demo_has_an_explanation() -> None:
    known = known_facts(create_view(demo()))
    ahead, seen = [""], {""}
    while ahead:
        for line in explanation_page(known, ahead.pop()).lines:
            ahead += [one for one in line.leads if one not in seen]
            seen |= {*line.leads}
    counters = {one.id for one in demo().campaign.counters()}
    assert counters <= seen
    assert {f"entry {row.number}" for row in known.rows if row.lines} <= seen


# --- purchases and pools --------------------------------------------------------------------------


def test_explaining_a_purchase_shows_its_counters_and_author() -> None:
    lines = explain(create_view(shop()), "pj3")
    assert lines[0] == "pj3: Japanese, 20 AM: 1 × HMG for Red One, 4 GPP"
    assert lines[1] == "entered by the Japanese player at 2026-01-01 12:00:00 UTC"
    assert lines[2].startswith("created HMG no. 793 (pj3-1): Japanese")


def test_explaining_a_voided_purchase_shows_the_reason() -> None:
    lines = explain(create_view(shop()), "pj1")
    assert "voided on 20 AM by vj2: a slip" in lines
    assert explain(create_view(shop()), "vj2")[1] == "voids pj1: a slip"


def test_explaining_a_draft_shows_it_as_not_spent() -> None:
    assert explain(create_view(shop()), "dj1")[1] == "a draft: nothing is spent yet"


def test_explaining_a_pool_shows_the_balance_after_each_record() -> None:
    lines = explain(create_view(shop()), "japanese/red_one/gpp")
    assert lines[:2] == ["Japanese, Red One", "  GPP: 24 allotted − 4 spent = 20 left"]
    told = [line.split(" · ", 2)[2].split(";")[0] for line in lines[2:]]
    assert told == [
        "+24 GPP given, 24 left",
        "−8 GPP spent, 16 left",
        "+8 GPP returned, 24 left",
        "−4 GPP spent, 20 left",
    ]


def test_explaining_a_pool_without_a_kind_shows_all_kinds() -> None:
    assert (
        explain(create_view(shop()), "japanese/green")[1] == "  GPP: 9 allotted − 0 spent = 9 left"
    )
    assert explain(create_view(shop()), "marine/fpp")[1] == "  FPP: 30 allotted − 0 spent = 30 left"


def test_explaining_a_grant_shows_whether_it_is_credited() -> None:
    assert explain(create_view(demo()), "grant-2")[0].startswith(
        "grant-2: Marine, granted on 20 NT: 10 FPP"
    )
    assert "not yet credited" in explain(create_view(demo()), "grant-6")[0]


def test_every_purchase_limit_links_to_its_purchases() -> None:
    found = page(shop(), "limits")
    assert found.title == "Purchase limits: none exceeded"
    hmg = next(line for line in found.lines if "HMG for Red One: 1 of 4" in line.text)
    assert hmg.leads == ("pj3",)
    assert "HMG" not in "".join(page(shop(), "limits", MARINE).text)
