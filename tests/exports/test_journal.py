"""The log, the journal as a document, and what of it a side may read."""

import json
from typing import Any

import pytest

from brt_cg.exports import export_document
from brt_cg.exports.history import campaign_after_each_row
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.model.visibility import visible_campaign
from brt_cg.views.journal import NOTHING, journal_rows
from brt_cg.views.view import create_view
from tests.exports.journals import JAPANESE, MARINE, begun, demo, new, play, squad

WOUNDED = squad("m-ldr-1", "N19", status=["wounded"], traits=["heroic"], name="Hawkins")
HIDDEN = squad("j-ldr-1", "M40", status=["hidden", "wounded"])


def rows_of(journal: Journal, side: Side | None = None) -> list[dict[str, Any]]:
    found: dict[str, Any] = json.loads(
        str(export_document(create_view(journal, side), "journal", "json"))
    )
    return list(found["rows"])


def log(journal: Journal, side: Side | None = None) -> list[str]:
    return [str(line) for line in create_view(journal, side).lines]


def rolled(die: int = 4) -> Journal:
    return play(begun(WOUNDED), through="15.6112", m_ldr_1=die)


# --- the umpire's ---------------------------------------------------------------------------------


def test_a_line_reads_as_players_speak() -> None:
    line = "9-1 Hawkins (Area M1): dr 4, −1 heroic, Final dr 3: still wounded"
    assert f"15.6112 Wounded leaders · {line}" in log(rolled())


def test_a_command_is_shown_by_its_title() -> None:
    assert log(new())[0].startswith("New campaign · Campaign Game III")


def test_a_skipped_paragraph_says_why() -> None:
    assert "15.6113 Heroes and MMC · no hero is Retained" in log(play(begun(), through="15.6113"))


def test_the_printed_journal_repeats_only_the_first_lines_of_an_undo() -> None:
    journal = begun(*(squad(f"m-sq-{number}", "off_map") for number in range(1, 21)))
    told = len(journal.entries[-1].said)
    journal.undo()
    shown = str(export_document(create_view(journal), "journal", "md"))
    assert shown.count("~~ (undone)") == told > 20
    assert shown.count("- undone: ") == 12
    assert f"- and {told - 12} more lines" in shown


def test_undone_entries_stay_and_are_marked() -> None:
    journal = rolled()
    journal.undo()
    [line] = [
        line for line in create_view(journal).lines if "dr 4" in line.text and not line.undone
    ]
    assert line.title == "Undo"
    [line] = [line for line in create_view(journal).lines if "dr 4" in line.text and line.undone]
    assert str(line).endswith("still wounded (undone)")
    journal.redo()
    assert not any(line.undone for line in create_view(journal).lines)


def test_each_entry_has_a_row_with_its_hash() -> None:
    journal = rolled()
    found = rows_of(journal)
    assert [row["seq"] for row in found] == list(range(1, len(journal.entries) + 1))
    assert [row["hash"] for row in found] == [entry.hash for entry in journal.entries]
    answer = next(row for row in found if row["subject"] == "m-ldr-1")
    assert (answer["kind"], answer["rule"], answer["answer"]) == ("answer", "15.6112", 4)
    assert answer["title"] == "Wounded leaders"
    assert answer["roll"]["final"] == 3
    assert answer["changes"][0][:3] == ["campaign", "campaign", "paragraph"]


def test_csv_has_the_columns_of_a_row() -> None:
    header = str(export_document(create_view(rolled()), "journal", "csv")).splitlines()[0]
    assert header == (
        "seq,at,by,kind,rule,title,subject,answer,roll,lines,changes,undone,seat,source,seed,hash"
    )


def test_markdown_strikes_out_undone_entries() -> None:
    journal = rolled()
    journal.undo()
    text = str(export_document(create_view(journal), "journal", "md"))
    assert "## 15.6112 Wounded leaders" in text
    assert (
        "- ~~9-1 Hawkins (Area M1): dr 4, −1 heroic, Final dr 3: still wounded~~ (undone)" in text
    )


# --- a side's -------------------------------------------------------------------------------------


def test_a_side_sees_neither_the_number_nor_the_hash_of_an_entry() -> None:
    found = rows_of(rolled(), MARINE)
    assert [row["n"] for row in found] == list(range(1, len(found) + 1))
    assert not any({"seq", "hash"} & set(row) for row in found)


def test_a_paragraph_with_secrets_only_reads_like_one_that_was_skipped() -> None:
    secret = play(begun(HIDDEN), through="15.6113", j_ldr_1=2)
    skipped = play(begun(), through="15.6113")
    assert log(secret, MARINE) == log(skipped, MARINE)
    assert f"15.6112 Wounded leaders · {NOTHING}" in log(skipped, MARINE)


def test_results_of_a_secret_answer_keep_their_usual_position() -> None:
    pinned = squad("m-sq-1", "N20", status=["pinned"])
    secret = play(begun(pinned, HIDDEN), through="15.6031")
    open_ = play(begun(pinned), through="15.6031")
    line = "15.602 Marker removal · 7-6-8 squad no. 1 (N20) loses its pin marker (ruling R-MARKERS)"
    assert line in log(open_, MARINE)
    assert rows_of(secret, MARINE) == rows_of(open_, MARINE)


@pytest.mark.parametrize("side", [None, *Side])
def test_new_and_undone_entries_are_shown_immediately(side: Side | None) -> None:
    journal = begun()
    before = rows_of(journal, side)
    journal.run_command("note", {"words": "x", "side": None, "about": None}, "players")
    assert [row["kind"] for row in rows_of(journal, side)[len(before) :]] == ["note"]
    journal.undo()
    assert [row["undone"] for row in rows_of(journal, side)[len(before) :]] == [True, False]


def test_a_counter_appears_when_it_goes_on_map() -> None:
    journal = play(begun(HIDDEN), through="15.602", j_ldr_1="reveal")
    changes = [change for row in rows_of(journal, MARINE) for change in row["changes"]]
    [appears] = [change for change in changes if change[1] == "j-ldr-1"]
    assert appears[2:4] == ["", None]
    assert "15.602 Marker removal · 9-1 no. 502 (M40) is placed on map" in log(journal, MARINE)


def test_an_undone_die_roll_stays_visible_to_the_enemy() -> None:
    journal = play(begun(squad("j-ldr-1", "M40", status=["wounded"])), to="j-ldr-1")
    journal.answer(6, "japanese")
    journal.undo()
    play(journal, through="15.6112", j_ldr_1=1)
    told = [
        line
        for line in create_view(journal, MARINE).lines
        if line.rule == "15.6112" or not line.rule
    ]
    assert [line.undone for line in told if "dr 6" in line.text] == [True]
    assert [line.text for line in told if line.title == "Undo"] == [
        "undone: 15.6112 Wounded leaders, j-ldr-1"
    ]
    assert [line.undone for line in told if "dr 1" in line.text] == [False]


def test_an_undone_entry_names_its_side() -> None:
    journal = play(begun(squad("m-ldr-1", "N19")), to="15.6114 marine")
    play(journal, through="15.6114")
    journal.undo()
    told = [line.text for line in create_view(journal, MARINE).lines if line.title == "Undo"]
    assert told == ["undone: 15.6114 Leaders, Marine"]


def test_enemy_choices_are_hidden_but_their_results_are_shown() -> None:
    agreed = {"winner": "japanese", "overruling": "so we agreed"}
    journal = play(begun(squad("j-sq-1", "M40")), through="15.6114", **agreed)
    choice = next(
        row for row in rows_of(journal) if row["rule"] == "15.6114" and row["answer"] is None
    )
    assert choice["kind"] == "begin"
    assert any(row["subject"] == "japanese" for row in rows_of(journal, JAPANESE))
    assert not any(row["subject"] == "japanese" for row in rows_of(journal, MARINE))


def test_a_sides_visible_changes_add_up_to_its_view() -> None:
    tables = ("sides", "setup_areas", "units", "weapons", "vehicles", "fortifications", "terrain")
    for side in Side:
        seen = visible_campaign(demo().campaign, side)
        *_, (campaign, _) = campaign_after_each_row(journal_rows(demo(), side), *tables)
        assert {name: campaign.tables[name] for name in tables} == {
            name: seen.tables[name] for name in tables
        }
