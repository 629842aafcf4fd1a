"""purchase → scenario → refit → setup → scenario → … → over, and what is possible when."""

from pathlib import Path

import pytest

from tests.cli.shell import COMPLETE, Shell, answers, state, unit, written


def phase(brt: Shell, file: Path | str) -> str:
    return str(brt("status", file, "--json").json["phase"])


def test_a_new_campaign_starts_with_purchases(brt: Shell) -> None:
    assert brt("new", "a.brt", "--cg", "II").code == 0
    assert phase(brt, "a.brt") == "purchase"


def test_refit_in_purchase_sets_up_the_first_scenario(brt: Shell) -> None:
    brt("new", "a.brt", "--cg", "II")
    got = brt("refit", "a.brt", "--auto")
    assert got.code == 0
    assert "15.6205" in got.out
    assert "15.601 " not in got.out
    assert phase(brt, "a.brt") == "scenario"
    assert brt("status", "a.brt", "--json").json["date"] == "20 AM"


def test_the_first_scenario_of_cg_i_is_set_up_with_a_die_as_last_answer(brt: Shell) -> None:
    brt("new", "a.brt", "--cg", "I")
    got = brt("refit", "a.brt", "--auto", "--seed", 1)
    assert (got.code, got.err) == (0, "")
    assert phase(brt, "a.brt") == "scenario"


def test_refit_leads_from_scenario_end_to_the_next_scenario(brt: Shell, file: Path) -> None:
    assert phase(brt, file) == "refit"
    assert brt("refit", file, "--auto", "--through", "15.6143").code == 0
    assert phase(brt, file) == "refit"
    assert brt("refit", file, "--auto", "--through", "15.616").code == 0
    assert phase(brt, file) == "setup"
    assert brt("refit", file, "--auto").code == 0
    assert phase(brt, file) == "scenario"
    assert brt("status", file, "--json").json["date"] == "20 PM"


@pytest.mark.parametrize(
    ("words", "possible"),
    [
        (("refit",), "play the scenario"),
        (("reinforce", "STATE"), "play the scenario"),
        (("buy", "hmg", "--side", "japanese", "--beach", "red_one"), "15.614"),
    ],
)
def test_during_a_scenario_the_phase_and_possible_commands_are_named(
    brt: Shell, file: Path, tmp_path: Path, words: tuple[str, ...], possible: str
) -> None:
    brt("refit", file, "--auto", "--seed", 1)
    more = written(tmp_path / "more.json", {"format": "brt-cg/state", "version": 1, "units": []})
    arguments = [more if word == "STATE" else word for word in words[1:]]
    before = file.read_bytes()
    got = brt(words[0], file, *arguments)
    assert got.code == 2
    assert got.out == ""
    assert "scenario" in got.err
    assert possible in got.err
    assert file.read_bytes() == before


def test_a_state_is_not_imported_during_a_refit_phase(brt: Shell, file: Path) -> None:
    again = written(file.parent / "again.json", state())
    got = brt("import", file, again)
    assert got.code == 2
    assert "refit" in got.err


def test_the_state_of_another_date_is_refused_once_the_campaign_runs(
    brt: Shell, file: Path, tmp_path: Path
) -> None:
    brt("refit", file, "--auto", "--seed", 1)
    late = written(tmp_path / "late.json", state())  # of 20 AM, and 20 PM is played
    got = brt("import", file, late, "--missing", "keep")
    assert got.code == 2
    assert "scenario.date" in got.err
    assert "20 PM" in got.err


def test_a_campaign_may_be_adopted_at_any_of_its_dates(brt: Shell, tmp_path: Path) -> None:
    brt("new", "a.brt", "--cg", "III")
    scenario = {"date": "21 PM", "winner": "japanese", "moved_first": "marine"}
    assert brt("import", "a.brt", written(tmp_path / "s.json", state(scenario=scenario))).code == 0
    assert phase(brt, "a.brt") == "refit"
    assert brt("status", "a.brt", "--json").json["date"] == "21 PM"


def test_after_the_last_date_the_campaign_is_over_and_can_only_be_looked_at(
    brt: Shell, tmp_path: Path
) -> None:
    brt("new", "a.brt", "--cg", "III")
    scenario = {"date": "22 PM", "winner": "japanese", "moved_first": "marine"}
    brt("import", "a.brt", written(tmp_path / "s.json", state(scenario=scenario)))
    assert brt("refit", "a.brt", "--auto").code == 0
    assert phase(brt, "a.brt") == "over"
    for words in (
        ("refit", "a.brt", "--auto"),
        ("import", "a.brt", "s.json"),
        ("edit", "a.brt", "m-sq-1", "location=N19", "--reason", "late"),
        ("answer", "a.brt", "3"),
        ("rulings", "a.brt", "--set", "R-VP=campaign"),
    ):
        got = brt(*words)
        assert got.code == 2, words
        assert got.err
    for words in (("status", "a.brt"), ("audit", "a.brt"), ("export", "a.brt", "roster")):
        assert brt(*words).code == 0, words


def test_an_answer_without_a_question_is_refused(brt: Shell) -> None:
    brt("new", "a.brt", "--cg", "II")
    got = brt("answer", "a.brt", "3")
    assert got.code == 2
    assert "no open question" in got.err


def test_reinforcements_arrive_at_15_614(brt: Shell, file: Path, tmp_path: Path) -> None:
    squad = unit("m-new", "marine", "squad", None, type="7-6-8", setup_area="M1")
    more = {"format": "brt-cg/state", "version": 1, "units": [squad]}
    arrivals = written(tmp_path / "more.json", more)
    early = brt("reinforce", file, arrivals)
    assert early.code == 2
    assert "15.614" in early.err
    partial = answers(rolls=COMPLETE["rolls"], choices={**COMPLETE["choices"], "15.614": {}})
    got = brt("refit", file, "--answers", written(tmp_path / "a.json", partial))
    assert got.code == 3
    assert "15.614 marine" in got.err
    assert brt("reinforce", file, arrivals).code == 0
    assert brt("refit", file, "--auto").code == 0
    units = brt("export", file, "state").json["units"]
    assert next(one for one in units if one["id"] == "m-new")["setup_area"] == "M1"


def test_an_answers_file_may_name_leaders(brt: Shell, file: Path, tmp_path: Path) -> None:
    assert brt("edit", file, "m-ldr-1", "name=Hawkins", "--reason", "his name").code == 0
    rolls = COMPLETE["rolls"] | {"15.6112": {"HAWKINS": [2], "j-ldr-1": [1]}}
    choices = COMPLETE["choices"] | {"15.6114": {"marine": {"harden": "hawkins"}}}
    prepared = written(tmp_path / "names.json", answers(rolls=rolls, choices=choices))
    got = brt("refit", file, "--answers", prepared, "--through", "15.6114")
    assert got.code == 0, got.err
    assert "9-1 Hawkins (Area M1) Battle Hardens to 9-2" in got.out + got.err
