"""The contract of the command line: what each command does, and how it says so."""

import builtins
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from brt_cg.card import load_card
from brt_cg.cli import counters
from brt_cg.text import shell_quote
from tests.cli.shell import COMPLETE, Shell, answers, state, unit, written

STATUS = {"cg", "date", "phase", "step", "asks", "san", "cvp", "areas"}
ASKS = {"rule", "subject", "kind", "allowed"}


@pytest.fixture
def complete(tmp_path: Path) -> Path:
    """An answers file with every answer that the campaign needs."""
    return written(tmp_path / "complete.json", COMPLETE)


def without(rule: str, subject: str, sort: str = "rolls") -> dict[str, object]:
    """The complete answers but one."""
    left = json.loads(json.dumps(COMPLETE))
    del left[sort][rule][subject]
    return dict(left)


def end(brt: Shell, file: Path) -> dict[str, object]:
    return dict(brt("export", file, "state").json)


# --- refit with answers ---------------------------------------------------------------------------


def test_a_complete_file_plays_the_whole_phase_silently(
    brt: Shell, file: Path, complete: Path
) -> None:
    got = brt("refit", file, "--answers", complete)
    assert (got.code, got.err) == (0, "")
    assert "15.6112 Wounded leaders · 9-1 no. 1 (Area M1): dr 2: still wounded" in got.out
    assert (
        "15.6132 Weapon repair · MMG no. 1 (Area M1): dr 4, −2 Repair Number, −1 U.S., Final dr 1"
        in got.out
    )
    assert brt("status", file, "--json").json["date"] == "20 PM"


def test_a_missing_die_is_named_with_rule_subject_and_allowed_values(
    brt: Shell, file: Path, tmp_path: Path
) -> None:
    partial = written(tmp_path / "a.json", without("15.6112", "j-ldr-1"))
    got = brt("refit", file, "--answers", partial)
    assert got.code == 3
    assert "15.6112" in got.err
    assert "j-ldr-1" in got.err
    assert "1–6" in got.err
    asks = brt("status", file, "--json").json["asks"]
    assert (asks["rule"], asks["subject"], asks["kind"]) == ("15.6112", "j-ldr-1", "roll")
    kept = {one["subject"] for one in brt("export", file, "dice").json["rolls"]}
    assert kept == {"m-ldr-1"}


def test_without_answers_refit_stops_at_the_first_question(brt: Shell, file: Path) -> None:
    got = brt("refit", file)
    assert got.code == 3
    assert "15.602 j-sq-2" in got.err
    assert "stay_hidden" in got.err
    assert f"answer it with brt-cg answer {shell_quote(file)} VALUE" in got.err


def test_a_list_question_can_be_answered_by_command(brt: Shell, file: Path) -> None:
    brt("answer", file, "stay_hidden")
    asked = brt("refit", file)
    assert "15.6032 cvp: an answer is missing" in asked.err
    assert "in short: ITEM ANSWER; ITEM ANSWER" in asked.err
    assert brt("answer", file, "marine +2 recounted").code == 0


def test_the_same_answers_file_continues_after_an_interruption(
    brt: Shell, file: Path, tmp_path: Path, complete: Path
) -> None:
    other = Path(str(file) + ".other")
    other.write_bytes(file.read_bytes())
    assert brt("refit", file, "--answers", complete).code == 0
    for through in ("15.602", "15.6112", "15.6112", "15.6132", "15.6139"):
        got = brt("refit", other, "--answers", complete, "--through", through)
        assert got.code == 0
    got = brt("refit", other, "--answers", complete)
    assert (got.code, got.err) == (0, "")
    assert end(brt, other) == end(brt, file)


def test_answers_used_before_are_not_reported_as_unused(
    brt: Shell, file: Path, tmp_path: Path
) -> None:
    given = json.loads(json.dumps(COMPLETE))
    given["choices"]["15.6137"] = {"m-mmg-1": "m-hs-3"}
    partial = written(tmp_path / "a.json", given)
    assert brt("refit", file, "--answers", partial, "--through", "15.6138").code == 0
    got = brt("refit", file, "--answers", partial)
    assert (got.code, got.err) == (0, "")


def test_a_file_without_setup_gets_a_warning_that_nobody_sets_up(
    brt: Shell, file: Path, tmp_path: Path
) -> None:
    given = json.loads(json.dumps(COMPLETE))
    del given["choices"]["15.6202"]
    silent = written(tmp_path / "a.json", given)
    assert brt("refit", file, "--answers", silent, "--through", "15.616").err == ""
    got = brt("refit", file, "--answers", silent)
    assert got.code == 0
    assert got.err == "the answers file has no answer to these choices, so none was made: 15.6202\n"
    assert brt("undo", file, "--command").code == 0
    assert brt("refit", file, "--answers", silent, "--auto").err == ""


def test_unused_answers_are_reported_at_the_end(brt: Shell, file: Path, tmp_path: Path) -> None:
    given = json.loads(json.dumps(COMPLETE))
    given["rolls"]["15.6112"]["m-ldr-1"] = [2, 5]
    given["rolls"]["15.605"] = {"m-sq-1": [[1, 1]]}
    got = brt("refit", file, "--answers", written(tmp_path / "a.json", given))
    assert got.code == 0
    assert 'rolls["15.6112"]["m-ldr-1"][1]: 5' in got.err
    assert 'rolls["15.605"]["m-sq-1"][0]: [1, 1]' in got.err
    assert "15.614" not in got.err


def test_an_answers_file_is_checked_completely_before_storing(
    brt: Shell, file: Path, tmp_path: Path
) -> None:
    given = json.loads(json.dumps(COMPLETE))
    given["rolls"]["15.6112"]["m-ldr-1"] = [7]
    given["rolls"]["15.6041"] = {"m-sq-1": [3]}
    given["rolls"]["15.99"] = {"m-sq-1": [3]}
    given["choices"]["15.6113"] = {"nobody": "m-sq-1"}
    before = file.read_bytes()
    got = brt("refit", file, "--answers", written(tmp_path / "a.json", given))
    assert got.code == 2
    for wrong in ('["m-ldr-1"][0]: 7', '["15.6041"]["m-sq-1"]', '["15.99"]', '["nobody"]'):
        assert wrong in got.err
    assert file.read_bytes() == before


def test_a_refused_answer_before_a_paragraph_begins_stores_nothing(brt: Shell, file: Path) -> None:
    before = file.read_bytes()
    got = brt("answer", file, "[1, 2, 3, 4]")
    assert got.code == 2
    assert file.read_bytes() == before


def test_a_refused_answer_keeps_the_earlier_ones_and_the_question(
    brt: Shell, file: Path, tmp_path: Path
) -> None:
    given = json.loads(json.dumps(COMPLETE))
    given["choices"]["15.6114"] = {"marine": {"harden": "m-sq-1"}}
    got = brt("refit", file, "--answers", written(tmp_path / "a.json", given))
    assert got.code == 2
    assert "15.6114 marine" in got.err
    assert "enter harden 9-1 no. 1, create M1, none" in got.err
    asks = brt("status", file, "--json").json["asks"]
    assert (asks["rule"], asks["subject"]) == ("15.6114", "marine")
    assert len(brt("export", file, "dice").json["rolls"]) == 2
    assert brt("refit", file, "--answers", written(tmp_path / "b.json", COMPLETE)).code == 0


# --- --through ------------------------------------------------------------------------------------


def test_through_stops_after_the_last_paragraph_with_that_prefix(brt: Shell, file: Path) -> None:
    assert brt("refit", file, "--auto", "--through", "15.611").code == 0
    status = brt("status", file, "--json").json
    assert (status["step"], status["next"]) == ("15.6114", "15.6121")


@pytest.mark.parametrize("rule", ["15.611", "15.601", "15.6114"])
def test_through_a_past_paragraph_does_nothing(brt: Shell, file: Path, rule: str) -> None:
    brt("refit", file, "--auto", "--through", "15.612")
    before = file.read_bytes()
    got = brt("refit", file, "--auto", "--through", rule)
    assert (got.code, got.out) == (0, "")
    assert "nothing to do" in got.err
    assert file.read_bytes() == before


def test_through_a_past_paragraph_does_nothing_with_an_open_question(
    brt: Shell, file: Path
) -> None:
    brt("refit", file, "--auto", "--through", "15.6111")
    assert brt("refit", file).code == 3
    assert brt("status", file, "--json").json["asks"]["rule"] == "15.6112"
    got = brt("refit", file, "--through", "15.609")
    assert (got.code, got.out) == (0, "")


@pytest.mark.parametrize("rule", ["15.77", "15.6131b", "wounds", "", "16"])
def test_through_an_unknown_rule_is_refused(brt: Shell, file: Path, rule: str) -> None:
    before = file.read_bytes()
    got = brt("refit", file, "--auto", "--through", rule)
    assert got.code == 2
    assert "is not a paragraph of the Refit Phase; " in got.err
    assert file.read_bytes() == before


# --- --auto and --seed ----------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_dice_after_any_question(
    brt: Shell, file: Path, tmp_path: Path
) -> None:
    at_once, in_pieces = tmp_path / "one.brt", tmp_path / "two.brt"
    for path in (at_once, in_pieces):
        path.write_bytes(file.read_bytes())
    brt("refit", at_once, "--auto", "--seed", "tarawa")
    brt("refit", in_pieces, "--auto", "--seed", "another", "--through", "15.6111")
    by_hand = written(tmp_path / "a.json", answers(rolls={"15.6112": {"j-ldr-1": [1]}}))
    brt("refit", in_pieces, "--answers", by_hand, "--auto", "--seed", "tarawa")
    first, second = (
        {one["subject"]: one["dice"] for one in brt("export", path, "dice").json["rolls"]}
        for path in (at_once, in_pieces)
    )
    assert second["j-ldr-1"] == [1]
    assert second["m-ldr-1"] == first["m-ldr-1"]
    assert second["m-mmg-1"] == first["m-mmg-1"]


def test_auto_uses_the_default_where_the_file_has_no_answer(
    brt: Shell, file: Path, tmp_path: Path
) -> None:
    given = answers(rolls={"15.6112": {"m-ldr-1": [1]}}, choices={"15.602": {"j-sq-2": "reveal"}})
    got = brt("refit", file, "--answers", written(tmp_path / "a.json", given), "--auto")
    assert got.code == 0
    assert "9-1 no. 1 (Area M1): dr 1: unwounded" in got.out
    assert " (M40) is placed on map" in got.out


# --- answer, undo, redo ---------------------------------------------------------------------------


def test_answer_answers_the_question_shown_by_status(brt: Shell, file: Path) -> None:
    brt("refit", file, "--auto", "--through", "15.6111")
    brt("refit", file)
    got = brt("answer", file, 2)
    assert got.code == 0
    assert "9-1 no. 1 (Area M1): dr 2: still wounded" in got.out
    assert "j-ldr-1" in got.err  # what is asked next
    refused = brt("answer", file, 9)
    assert refused.code == 2
    assert "15.6112 j-ldr-1" in refused.err
    assert "from 1 to 6" in refused.err
    assert brt("status", file, "--json").json["asks"]["subject"] == "j-ldr-1"


def test_a_leader_can_be_typed_by_name(brt: Shell, tmp_path: Path) -> None:
    leaders = [
        unit(id, "marine", "leader", "N20", type="9-1", name=name)
        for id, name in (("m-ldr-2", "Hawkins"), ("m-ldr-3", "Crowe"), ("m-ldr-4", "crowe"))
    ]
    document = state(units=[*state()["units"], *leaders])
    file = tmp_path / "campaign.brt"
    brt("new", file, "--cg", "III")
    brt("import", file, written(tmp_path / "state.json", document))
    brt("refit", file, "--auto", "--through", "15.6113")
    both = brt("answer", file, "Crowe")
    assert both.code == 2
    assert "m-ldr-3" in both.err
    assert "m-ldr-4" in both.err
    got = brt("answer", file, "hawkins")
    assert got.code == 0
    assert "9-1 Hawkins (Area M1) Battle Hardens to 9-2" in got.out


def test_undo_removes_one_answer_and_redo_restores_it(brt: Shell, file: Path) -> None:
    brt("refit", file, "--auto", "--through", "15.6111")
    brt("refit", file)
    brt("answer", file, 1)
    wounded = end(brt, file)
    got = brt("undo", file)
    assert got.code == 0
    assert "undone: 9-1 no. 1 (Area M1): dr 1: unwounded" in got.out
    assert "next: 15.6112 m-ldr-1: 9-1 no. 1 (Area M1): Wounded leader" in got.err
    assert brt("status", file, "--json").json["asks"]["subject"] == "m-ldr-1"
    assert brt("redo", file).code == 0
    assert end(brt, file) == wounded
    assert brt("redo", file).code == 2
    brt("undo", file)
    brt("answer", file, 6)
    got = brt("redo", file)
    assert got.code == 2
    assert "nothing to redo" in got.err


def test_undo_and_redo_of_a_started_paragraph_name_it(brt: Shell, file: Path) -> None:
    brt("refit", file, "--auto", "--through", "15.6111")
    brt("refit", file)
    assert brt("undo", file).out == "Undone: 15.6112 Wounded leaders\n"
    assert brt("redo", file).out == "Redone: 15.6112 Wounded leaders\n"


def test_undo_command_undoes_the_whole_last_command(brt: Shell, file: Path) -> None:
    before = end(brt, file)
    brt("refit", file, "--auto", "--seed", 1)
    lines = brt("undo", file, "--command").out.splitlines()
    assert len(lines) == 13
    assert lines[-1].startswith("Undo · and ")
    assert lines[-1].endswith(" more lines")
    assert end(brt, file) == before
    assert brt("undo", file, "--command").code == 0  # the import
    assert brt("export", file, "state").json["units"] == []
    got = brt("undo", file, "--command")
    assert got.code == 2
    assert "nothing to undo" in got.err


def test_the_journal_keeps_undone_entries(brt: Shell, file: Path) -> None:
    brt("refit", file, "--auto", "--through", "15.6111")
    brt("refit", file)
    brt("answer", file, 6)
    brt("undo", file)
    journal = brt("export", file, "journal").json["rows"]
    assert any(one["undone"] for one in journal)
    assert any(one["kind"] == "undo" for one in journal)
    assert brt("audit", file).code == 0


# --- status, rulings, edit ------------------------------------------------------------------------


def test_status_json_has_the_keys_of_the_contract(brt: Shell, file: Path) -> None:
    brt("refit", file, "--auto", "--through", "15.6111")
    brt("refit", file)
    status = brt("status", file, "--json").json
    assert set(status) >= STATUS
    assert set(status["asks"]) >= ASKS
    asked = {name: status["asks"][name] for name in ("rule", "kind", "allowed")}
    assert asked == {"rule": "15.6112", "kind": "roll", "allowed": "a dr: 1–6"}
    assert status["san"] == {"marine": 4, "japanese": 5}
    assert status["cvp"] == {"marine": 9, "japanese": 6}
    m1 = next(one for one in status["areas"] if one["id"] == "M1")
    assert {key: m1[key] for key in ("id", "side", "hexes", "units")} == {
        "id": "M1",
        "side": "marine",
        "hexes": 8,
        "units": 4,  # the squad, a squad of two HS, the third HS, the leader
    }
    assert status["step"] == "15.6112"


def test_the_fixed_readings_are_listed_below_the_rulings(brt: Shell, file: Path) -> None:
    shown = brt("rulings", file).out.partition("No choice here;")[2]
    card = load_card("III")
    assert [
        fixed.text
        for fixed in card.fixed_completions
        if f"{fixed.rule} · {fixed.text}" not in shown
    ] == []
    assert (
        "The results of 15.6131c are “unstunned” and “still stunned” (official erratum)." in shown
    )


def test_a_ruling_can_be_set_without_the_word_set(brt: Shell, file: Path) -> None:
    assert brt("rulings", file, "r-vp=campaign").code == 0
    assert "R-VP · 15.615" in brt("rulings", file).out
    assert "now: campaign" in brt("rulings", file, "R-VP").out
    got = brt("rulings", file, "R-VP=nobody")
    assert (got.code, "enter scenario, campaign" in got.err) == (2, True)


def test_rulings_are_shown_and_set(brt: Shell, file: Path) -> None:
    assert "R-BANZAI-DRM" in brt("rulings", file).out
    assert brt("rulings", file, "--set", "R-SHOCK=enter", "--set", "R-VP=campaign").code == 0
    shown = brt("rulings", file).out
    assert "R-SHOCK" in shown
    assert "enter (default marker)" in shown
    assert brt("undo", file, "--command").code == 0
    assert "enter (default marker)" not in brt("rulings", file).out


def test_no_ruling_is_set_if_one_of_them_is_wrong(brt: Shell, file: Path) -> None:
    before = file.read_bytes()
    words = ("--set", "R-VP=campaign", "--set", "R-NONE=1", "--set", "R-SAN=never", "--set", "x")
    got = brt("rulings", file, *words)
    assert got.code == 2
    assert all(wrong in got.err for wrong in ("R-NONE", "R-SAN", "--set x: write"))
    assert file.read_bytes() == before


def test_edit_corrects_a_counter_and_says_why(brt: Shell, file: Path) -> None:
    got = brt("edit", file, "m-sq-1", "location=N21", "status=broken", "--reason", "misread")
    assert got.code == 0
    assert "misread" in got.out
    squad = next(one for one in end(brt, file)["units"] if one["id"] == "m-sq-1")  # type: ignore[attr-defined]
    assert (squad["location"], squad["status"]) == ("N21", ["broken"])
    refused = brt("edit", file, "m-sq-1", "location=ZZ9", "colour=red", "--reason", "x")
    assert refused.code == 2
    assert "colour" in refused.err
    refused = brt("edit", file, "m-sq-1", "location=ZZ9", "--reason", "x")
    assert "ZZ9 is not a hex of Betio (A1–Z63)" in refused.err


@pytest.mark.parametrize(("alone", "possessor"), [([], "m-sq-1"), (["--alone"], None)])
def test_edit_restores_a_lost_squads_possessions_unless_alone(
    brt: Shell, file: Path, alone: list[str], possessor: str | None
) -> None:
    brt("edit", file, "m-sq-1", "fate=eliminated", "--reason", "a slip")
    got = brt("edit", file, "m-sq-1", "fate=in_play", "location=N20", "--reason", "no", *alone)
    assert got.code == 0
    (gun,) = end(brt, file)["weapons"]  # type: ignore[misc]
    assert gun["possessor"] == possessor


@pytest.mark.parametrize(("typed", "lost"), [("yes", True), ("no", False)])
def test_on_a_terminal_edit_shows_the_consequences_and_asks(
    brt: Shell, file: Path, monkeypatch: pytest.MonkeyPatch, typed: str, lost: bool
) -> None:
    monkeypatch.setattr(counters, "is_terminal", lambda: True)
    monkeypatch.setattr(builtins, "input", lambda question: typed)
    got = brt("edit", file, "m-sq-1", "fate=eliminated", "--reason", "a slip")
    assert got.code == 0
    assert "Japanese CVP 6 → 8: 7-6-8 squad no. 1 (2)" in got.out
    (fate,) = [one["fate"] for one in end(brt, file)["units"] if one["id"] == "m-sq-1"]  # type: ignore[attr-defined]
    assert (fate == "eliminated") is lost


# --- import ---------------------------------------------------------------------------------------


def later(*ids: str) -> dict[str, Any]:
    """The end of 20 PM, with those units of the first state, and nothing else."""
    scenario = {"date": "20 PM", "winner": "japanese", "moved_first": "marine"}
    left = [one for one in state()["units"] if one["id"] in ids]
    return state(scenario=scenario, units=left, weapons=[])


def test_preview_shows_the_difference_and_stores_nothing(
    brt: Shell, file: Path, tmp_path: Path
) -> None:
    brt("refit", file, "--auto", "--seed", 1)
    before = file.read_bytes()
    late = written(tmp_path / "late.json", later("m-sq-1", "j-sq-1"))
    got = brt("import", file, late, "--preview", "--missing", "keep")
    assert got.code == 0
    assert "j-sq-2" in got.out
    assert file.read_bytes() == before


def test_missing_counters_are_refused_until_their_fate_is_given(brt: Shell, tmp_path: Path) -> None:
    brt("new", "a.brt", "--cg", "III")
    brt("import", "a.brt", written(tmp_path / "first.json", state()))
    brt("refit", "a.brt", "--auto", "--seed", 1)
    late = written(tmp_path / "late.json", later("m-sq-1", "j-sq-1", "j-sq-2"))
    got = brt("import", "a.brt", late)
    assert got.code == 2
    assert "m-hs-1" in got.err
    assert "--missing" in got.err
    got = brt("import", "a.brt", late, "--missing", "eliminated")
    assert got.code == 2, "on a pipe"
    assert "Marine CVP: the file says 9, but its losses are worth" in got.err
    assert brt("import", "a.brt", late, "--missing", "eliminated", "--yes").code == 0
    counted = brt("export", "a.brt", "state").json["sides"]["marine"]["cvp"]
    assert f"but its losses are worth {counted};" in got.err
    brt("undo", "a.brt")
    given = ("--missing", "eliminated", "--cvp", "file")
    assert brt("import", "a.brt", late, *given, "--yes").code == 0
    assert counted != brt("export", "a.brt", "state").json["sides"]["marine"]["cvp"] == 9
    fates = {one["id"]: one["fate"] for one in brt("export", "a.brt", "state").json["units"]}
    assert fates["m-hs-1"] == "eliminated"
    assert fates["m-sq-1"] == "in_play"


def test_all_problems_of_a_state_are_reported_with_path_and_allowed_values(
    brt: Shell, tmp_path: Path
) -> None:
    brt("new", "a.brt", "--cg", "III")
    bad = state()
    bad["units"][3]["location"] = "ZZ9"
    bad["units"][4]["kind"] = "general"
    bad["units"][5]["colour"] = "red"
    got = brt("import", "a.brt", written(tmp_path / "bad.json", bad))
    assert got.code == 2
    assert "bad.json" in got.err
    assert "units[3].location: ZZ9 is not a hex of Betio (A1–Z63)" in got.err
    assert "units[4].kind" in got.err
    assert "leader" in got.err
    assert "units[5].colour" in got.err
    assert brt("status", "a.brt", "--json").json["phase"] == "purchase"


# --- export ---------------------------------------------------------------------------------------


def test_csv_of_several_tables_needs_a_folder(brt: Shell, file: Path) -> None:
    got = brt("export", file, "state", "--format", "csv")
    assert (got.code, got.out) == (2, "")
    assert "-o" in got.err


# --- audit ----------------------------------------------------------------------------------------


def test_audit_json_matches_the_contract(brt: Shell, file: Path) -> None:
    brt("refit", file, "--auto", "--seed", 1)
    got = brt("audit", file, "--json")
    assert got.code == 0
    report = got.json
    assert set(report) == {"ok", "entries", "head", "findings", "notices"}
    assert (report["ok"], report["findings"], report["notices"]) == (True, [], [])
    assert len(report["head"]) == 64
    assert brt("audit", file, "--head", report["head"]).code == 0
    wrong = brt("audit", file, "--json", "--head", "0" * 64)
    assert wrong.code == 1
    finding = wrong.json["findings"][0]
    assert set(finding) == {"code", "rule", "message", "records"}
    assert wrong.json["ok"] is False


# --- as a program of its own ----------------------------------------------------------------------


def test_the_demo_plays_without_a_screen_and_leaves_its_campaign_and_rosters(
    brt: Shell, tmp_path: Path
) -> None:
    got = brt("demo", "--headless", "-o", "out")
    assert (got.code, got.err) == (0, "")
    for words in ("15.601 ", "15.6112 Wounded leaders", "15.6205", "only examples", "demo.brt"):
        assert words in got.out
    left = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"demo.brt", "M1.md", "J1.md"} <= left
    assert brt("audit", "out/demo.brt").code == 0
    assert brt("demo", "--headless").code == 0
    assert (tmp_path / "brt-demo" / "demo.brt").exists()


def test_data_in_a_pipe_is_always_utf8(file: Path) -> None:
    script = "import sys; from brt_cg.cli import main; sys.exit(main(sys.argv[1:]))"
    got = subprocess.run(
        [sys.executable, "-c", script, "rulings", str(file)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=True,
    )
    assert "R-UNLOAD · 15.6031 · " in got.stdout.decode("utf-8")
    assert got.stderr == b""


@pytest.mark.parametrize(
    ("command", "address"),
    [("status", "postgresql://x/y?campaign=z"), ("campaigns", "postgresql://x/y")],
)
def test_an_address_names_the_extra_a_server_needs(command: str, address: str) -> None:
    script = "import sys; sys.modules['psycopg'] = None; from brt_cg.cli import main"
    got = subprocess.run(
        [
            sys.executable,
            "-c",
            f"{script}; sys.exit(main())",
            command,
            address,
        ],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (got.returncode, got.stdout) == (2, "")
    needs = "a campaign on a server needs the extra postgres (psycopg is missing); "
    assert got.stderr == f'{needs}run pip install "brt-cg[postgres]"\n'


def test_open_without_a_terminal_shows_the_status(brt: Shell, file: Path) -> None:
    got = brt("open", file)
    assert (got.code, got.out) == (0, brt("status", file).out)
