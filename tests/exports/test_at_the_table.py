"""What lies on the table beside the map: the sheet of a scenario's end, the HIP sheet, the card."""

import re
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from brt_cg.cli import main
from brt_cg.exports import export_document
from brt_cg.exports.paper import Paper, Printing
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.model.numbered_lists import numbered_lists
from brt_cg.model.records import Arrival
from brt_cg.questions.answers import RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.views.view import SharedView, create_view
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
)

HIDDEN = squad("j-sq-1", "M40", status=["hidden"])


def text(what: str, journal: Journal, side: Side | None = None, format: str = "md") -> str:
    return str(export_document(create_view(journal, side), what, format))


def page_count(what: str, journal: Journal, side: Side, paper: Paper) -> int:
    made: Any = export_document(create_view(journal, side), what, "pdf", Printing(paper))
    return len(PdfReader(BytesIO(made)).pages)


def retained(*units: dict[str, Any], **lists: Any) -> Journal:
    return play(begun(*units, **lists), through="15.6082")


# --- the sheet of a scenario's end ----------------------------------------------------------------


@pytest.mark.parametrize("side", Side)
def test_the_sheet_has_a_code_for_each_counter_of_its_side(side: Side) -> None:
    found = as_data("scenario-sheet", demo(), side)["lists"]
    sheet = {one["id"]: one["code"] for held in found for one in held["counters"]}
    listed = [one.id for of in numbered_lists(demo().campaign, side) for one in of.counters]
    assert sheet.keys() == {*listed}
    assert len({*sheet.values()}) == len(listed)
    assert sheet.items() <= create_view(demo(), side).codes.by_id.items()


@pytest.mark.parametrize("side", Side)
def test_the_roster_uses_the_codes_of_the_scenario_end_form(side: Side) -> None:
    journal = demo()
    codes, roster = create_view(journal, side).codes, text("roster", journal, side)
    own = next(unit for unit in journal.campaign.units.values() if unit.side is side)
    assert f"{codes.code_of(own.id)} {own.type_text}" in roster


def test_a_sheet_printed_before_the_scenario_begins_says_that_it_has_no_codes_yet() -> None:
    journal = retained(squad("m-sq-1", "N19"), squad("j-sq-1", "M40"))
    assert "codes are assigned when the scenario begins" in text("scenario-sheet", journal)
    assert "codes are assigned when the scenario begins" not in text("scenario-sheet", demo())


def test_only_possible_events_have_a_box() -> None:
    journal = retained(squad("m-ldr-1", "N19"), squad("m-sq-1", "N19"), squad("j-sq-1", "M40"))
    lines = text("scenario-sheet", journal, MARINE).splitlines()
    [heading] = [line for line in lines if "Area M1" in line]
    boxes = {
        called: [
            name for name, cell in zip(cells(heading), cells(line), strict=True) if cell == "☐"
        ]
        for called in ("9-1 leader no. 1", "7-6-8 squad no. 1")
        for line in lines
        if called in cells(line)
    }
    assert boxes == {
        "9-1 leader no. 1": ["eliminated", "broken", "wounded", "captured"],
        "7-6-8 squad no. 1": ["eliminated", "broken", "reduced", "captured"],
    }


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


def test_the_printed_form_does_not_repeat_the_setup_area_in_each_row() -> None:
    assert "waits" not in text("scenario-sheet", retained(squad("m-sq-1", "N19")))


# --- the HIP sheet --------------------------------------------------------------------------------


def test_the_hip_sheet_has_the_hidden_counters_with_their_locations() -> None:
    journal = begun(squad("m-sq-1", "N19"), HIDDEN, squad("j-sq-2", "M41"))
    [own] = as_data("hip-sheet", journal, JAPANESE)["sides"]
    assert [(one["id"], one["location"]) for one in own["hidden"]] == [("j-sq-1", "M40")]
    [seen] = as_data("hip-sheet", journal, MARINE)["sides"]
    assert seen == {"side": "marine", "hidden": []}
    called = journal.campaign.units["j-sq-1"].label
    assert called in text("hip-sheet", journal, JAPANESE)
    assert called not in text("hip-sheet", journal, MARINE)


def test_the_default_hip_sheet_is_the_japanese_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.brt"
    assert main(["new", str(path), "--cg", "III"]) == 0
    capsys.readouterr()
    assert main(["export", str(path), "hip-sheet"]) == 0
    made = capsys.readouterr()
    assert "The Japanese player's view" in made.out
    assert "Marine side\n" not in made.out
    assert "this is the Japanese sheet; use --side marine" in made.err
    assert main(["export", str(path), "hip-sheet", "--side", "marine"]) == 0
    assert "The Marine player's view" in capsys.readouterr().out


def test_a_hip_sheet_without_hidden_counters_has_blank_lines() -> None:
    found = text("hip-sheet", begun(squad("m-sq-1", "N19")), MARINE)
    assert found.count("☐") == 20


@pytest.mark.parametrize("paper", Paper)
@pytest.mark.parametrize("side", Side)
def test_the_hip_sheet_of_the_demo_is_one_page(side: Side, paper: Paper) -> None:
    assert page_count("hip-sheet", demo(), side, paper) == 1


# --- the card of the next scenario ----------------------------------------------------------------


def test_the_card_lists_counters_still_to_place_for_its_own_side_only() -> None:
    journal = retained(squad("m-sq-1", "N19"), squad("j-sq-1", "M40"))
    sides = {one["side"]: one for one in as_data("scenario-card", journal, MARINE)["sides"]}
    assert sides["marine"]["to_place"] == "1 squad (7-6-8) · 1 squad-equivalent"
    assert sides["japanese"]["to_place"] is None
    assert as_data("scenario-card", journal, MARINE)["limits"] is None


def test_the_card_has_its_limits_in_words() -> None:
    told = text("scenario-card", demo(), JAPANESE)
    assert "squad-equivalents are hidden; at most" in told
    assert "HIP now" not in told


@pytest.mark.parametrize("side", [None, *Side])
def test_the_card_is_half_a_page(side: Side | None) -> None:
    made: Any = export_document(
        create_view(demo(), side), "scenario-card", "pdf", Printing(Paper.LETTER)
    )
    [page] = PdfReader(BytesIO(made)).pages
    lowest: list[float] = []

    def note(words: str, matrix: Any, *rest: Any) -> None:
        if words.strip() and matrix[5] > 60:  # above the footer
            lowest.append(float(matrix[5]))

    page.extract_text(visitor_text=note)
    assert lowest
    assert min(lowest) > float(page.mediabox[3]) / 2


def test_a_campaign_that_is_over_has_no_next_card() -> None:
    over = play(begun(squad("m-sq-1", "N19"), squad("j-sq-1", "M40"), date="22 PM"))
    with pytest.raises(RefusedError, match="the campaign is over: there is no next scenario"):
        export_document(create_view(over), "scenario-card")


# --- before it is settled whether Night falls -----------------------------------------------------


def at_dusk() -> Journal:
    begins = begun(squad("m-sq-1", "N19"), squad("j-sq-1", "M40"), date="20 PM")
    return play(begins, through="15.616")


@pytest.mark.parametrize("what", ["roster", "scenario-sheet", "hip-sheet", "scenario-card"])
def test_papers_printed_before_the_night_is_decided_name_both_dates(what: str) -> None:
    found = text(what, at_dusk())
    assert "20 NT or 21 AM" in found
    # The Japanese reveal no attack: the morning it is, and so say the papers made then.
    morning = play(at_dusk())
    assert "20 NT" not in text(what, morning)
    assert "21 AM" in text(what, morning)


def test_both_orders_of_setup_are_on_the_card() -> None:
    starts = as_data("scenario-card", at_dusk())["starts"]
    assert [(one["date"], one["turns"]) for one in starts] == [("20 NT", "6"), ("21 AM", "7")]
    assert "20 NT: " in text("roster", at_dusk())
    assert re.search("; or 21 AM: .* 7 turns", text("roster", at_dusk()))


def test_the_first_scenario_has_a_card_before_anything_is_bought() -> None:
    assert as_data("scenario-card", new())["date"] == "20 AM"


# --- arrivals -------------------------------------------------------------------------------------


def test_arrivals_due_are_on_their_sides_card_and_roster() -> None:
    journal = retained(squad("m-sq-1", "N19"), squad("j-sq-1", "M40"))
    for number, (side, date) in enumerate(((MARINE, "20 PM"), (MARINE, "21 AM"))):
        coming = Arrival(id=f"a{number}", side=side, date=date, lines="3 x 6-6-8", state="{}")
        journal.campaign.add(coming)
    own = text("scenario-card", journal, MARINE)
    assert "20 PM: 3 x 6-6-8" in own
    assert "21 AM" not in own
    assert "Marine arrivals due: 20 PM: 3 x 6-6-8." in text("roster", journal, MARINE)
    for what in ("scenario-card", "roster"):
        assert "3 x 6-6-8" not in text(what, journal, JAPANESE)


# --- on the table, and waiting --------------------------------------------------------------------


def test_counters_on_the_table_or_still_in_the_box_are_printed_as_such() -> None:
    units = (squad("m-sq-1", "N19"), squad("m-sq-2", "N19"), squad("j-sq-1", "M40"))
    journal = retained(*units)
    placed = journal.campaign.units["m-sq-1"]
    placed.location, placed.setup_area = "in N19", None
    found = as_data("scenario-sheet", journal, MARINE)["lists"]
    [area] = [held for held in found if held["place"] == "M1"]
    assert [(one["id"], one["was_in"]) for one in area["counters"]] == [
        ("m-sq-1", "on the table"),
        ("m-sq-2", "waits"),
    ]
    told = text("roster", journal, MARINE).splitlines()
    [there], [waits] = ([one for one in told if f"no. {number} " in one] for number in (1, 2))
    assert "| on the table" in there
    assert "on the table" not in waits
    assert [one["hex"] for one in as_data("map", journal)["stacks"]] == []


def test_a_name_is_printed_large_and_a_number_small() -> None:
    journal = retained(squad("m-sq-1", "N19", name="B"), squad("m-sq-2", "N19"))
    page = text("roster", journal, MARINE, "html")
    number = journal.campaign.units["m-sq-2"].name_or_number
    assert f'<b>7-6-8</b> <span class="id">{number}</span>' in page
    [row] = re.findall("<tr>(?:(?!</tr>).)*<b>7-6-8 B</b>.*?</tr>", page)
    assert 'class="id"' not in row


# --- reminders ------------------------------------------------------------------------------------


def reminders_of(journal: Journal, *dates: str) -> list[list[str]]:
    """Those of the Marines, of the Japanese, of the umpire, and of both at one screen."""
    views = [
        *(create_view(journal, side) for side in (MARINE, JAPANESE, None)),
        SharedView(journal),
    ]
    return [view.reminders_for(*dates) for view in views]


def test_a_reminder_is_for_one_side_and_appears_at_its_date() -> None:
    journal = new()
    for side, words, date in (
        ("marine", "naval battery fires", "20 AM"),
        ("marine", "Gyrostabilizer dr", "20 PM"),
        ("japanese", "tide", "20 AM"),
    ):
        asked = {"words": words, "side": side, "about": None, "date": date}
        journal.run_command("note", asked, side)
    marine, japanese, umpire, table = reminders_of(journal, "20 AM")
    assert marine == ["Marine reminder for 20 AM: naval battery fires"]
    assert japanese == ["Japanese reminder for 20 AM: tide"]
    assert umpire == marine + japanese
    assert table == []
    assert reminders_of(journal, "20 PM")[0] == ["Marine reminder for 20 PM: Gyrostabilizer dr"]
    journal.undo()
    assert reminders_of(journal, "20 AM")[1] == []
    journal.redo()
    assert reminders_of(journal, "20 AM")[1] == japanese
    again = Journal(journal.clock)
    again.load(journal.entries)
    assert reminders_of(again, "20 AM") == [marine, japanese, umpire, []]


def test_a_note_without_a_date_is_no_reminder() -> None:
    journal = new()
    words = "reminder for 20 AM: nothing"
    journal.run_command("note", {"words": words, "side": "marine", "about": None}, "marine")
    assert reminders_of(journal, "20 AM")[0] == []


def test_a_reminder_of_both_sides_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.brt"
    assert main(["new", str(path), "--cg", "III"]) == 0
    assert main(["note", str(path), "x", "--date", "20 AM"]) == 2
    assert "a reminder is the secret of one side; enter marine or japanese" in (
        capsys.readouterr().err
    )
    assert main(["note", str(path), "x", "--side", "marine", "--date", "24 PM"]) == 2
    assert "enter 20 AM" in capsys.readouterr().err


def test_status_and_the_scenario_card_show_a_side_its_reminders(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.brt"
    assert main(["new", str(path), "--cg", "III"]) == 0
    for words, date in (("naval battery fires", "20 AM"), ("Gyrostabilizer dr", "20 pm")):
        assert main(["note", str(path), words, "--side", "marine", "--date", date]) == 0
    capsys.readouterr()
    for what in (["status"], ["status", "--json"], ["export", "scenario-card"]):
        command = [what[0], str(path), *what[1:]]
        assert main([*command, "--side", "marine"]) == 0
        own = capsys.readouterr().out
        assert "Marine reminder for 20 AM: naval battery fires" in own
        assert "Gyrostabilizer" not in own, "it is for a later date"
        assert main([*command, "--side", "japanese"]) in (0, 3)
        assert "naval" not in capsys.readouterr().out
    assert main(["undo", str(path), "--side", "marine"]) == 0
    assert main(["audit", str(path)]) == 0


def test_a_reminder_appears_with_the_command_that_begins_its_date(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.brt"
    desk = OpenCampaign.create(path, {"cg": "III", "name": None, "allotments": None})
    for side in (MARINE, JAPANESE):
        asked = {"words": f"dr of {side}", "side": side, "about": None, "date": "20 PM"}
        desk.run_command("note", asked, side)
    desk.run_command("import", {"state": state(date="20 AM"), "source": "s.json"})
    desk.close()
    assert main(["refit", str(path), "--auto", "--side", "marine"]) in (0, 3)
    told = capsys.readouterr().out
    assert told.endswith("Marine reminder for 20 PM: dr of marine\n")
    assert "dr of japanese" not in told
