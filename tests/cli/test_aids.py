"""The play aids at the command line: no campaign is needed."""

from pathlib import Path

from tests.cli.shell import Shell


def test_help_shows_examples(brt: Shell) -> None:
    got = brt("aid", "--help")
    assert got.code == 0
    assert "my reduced 3-4-7 squad takes a 2KIA" in got.out


def test_an_aid_question_is_answered_without_a_campaign(brt: Shell) -> None:
    got = brt("aid", "japanese", "my", "reduced", "3-4-7", "takes", "a", "2KIA")
    assert got.code == 0
    assert "→ 2-3-7 half squad · CVP +1 · Casualty Tally +7 · G1.122" in got.out


def test_json_has_outcome_replacement_broken_tally_cvp_and_rule(brt: Shell) -> None:
    got = brt("aid", "japanese", "--json", "3-3-6", "FPF MC", "exceeds ELR")
    (result,) = got.json["results"]
    assert result["outcome"] == "replaced"
    assert [one["type"] for one in result["replacement"]] == ["1-2-6"]
    assert (result["broken"], result["cvp"], result["rule"]) == (True, 1, "G1.125")
    assert result["casualty_tally"] is None


def test_a_bpv_may_be_given_where_the_rules_name_none(brt: Shell) -> None:
    bpv = ("--bpv", "elite squad=15", "--bpv", "elite half_squad=7")
    got = brt("aid", "japanese", *bpv, "4-4-8", "casualty reduction")
    assert "Casualty Tally +8" in got.out


def test_an_unclear_question_is_refused_in_one_message(brt: Shell) -> None:
    got = brt("aid", "japanese", "3-4-7", "fails", "MC")
    assert (got.code, got.out) == (2, "")
    assert got.err == (
        "which unit? 3-4-7 may be: 3-4-7 reduced first line squad; 3-4-7 full second line squad\n"
    )


def test_a_k_result_by_dice_reduces_first_and_then_checks_the_half_squad(brt: Shell) -> None:
    got = brt("aid", "japanese", "4-4-8", "K/2", "--elr", "3", "--dice", "3,4")
    assert got.out.splitlines()[0] == "DR 3,4 = 7, +2 2MC, Final DR 9: failed"
    assert "Casualty Reduction: exchanged for one of its half-squads" in got.out
    assert "then the 2-3-8 elite half squad: morale check, failed within its ELR" in got.out


# --- rolls, limits, costs, the chart --------------------------------------------------------------


def test_a_check_is_rolled_with_the_players_own_dice(brt: Shell) -> None:
    got = brt("aid", "japanese", "4-4-7", "1MC", "--elr", "3", "--dice", "5,5")
    assert (
        got.out.splitlines()[0]
        == "DR 5,5 = 10, +1 1MC, Final DR 11: failed by more than the ELR of 3"
    )
    assert "→ 2-3-7 squad" in got.out
    assert "failed 41.7%" in got.err


def test_a_roll_shows_its_drm_and_the_effect_of_an_original_six(brt: Shell) -> None:
    got = brt("aid", "roll", "th_hero", "dc", "--dice", "6")
    assert "dr 6, −2 has a DC for the Hero, Final dr 4: no Hero" in got.out
    assert "Original 6: the MMC is pinned" in got.out
    plain = brt("aid", "roll", "th_hero", "dc", "--dice", "6", "--json").json
    assert (plain["final"], plain["outcome"], plain["rule"]) == (4, "none", "G1.421")


def test_berserk_and_heroic_units_need_no_hara_kiri_roll(brt: Shell) -> None:
    got = brt("aid", "roll", "hara_kiri", "heroic")
    assert got.out.startswith("G1.641 Hara-Kiri NTC · no roll needed: takes its own life")
    failed = brt("aid", "roll", "hara_kiri", "ml=7", "--dice", "4,4").out
    assert "the Capture attempt has −1 DRM" in failed


def test_a_seed_repeats_the_programs_dice(brt: Shell) -> None:
    once, again = (brt("aid", "roll", "atmm", "--auto", "--seed", "5") for _ in range(2))
    assert once == again


def test_limits_and_costs_are_explained(brt: Shell) -> None:
    assert brt("aid", "allowed", "th_heroes", 23, "year=1944").out.startswith("th_heroes: 8 · 33%")
    assert brt("aid", "cost", "pillbox", 35, "--json").json["count"] == 18
    for many in ((), ("many",), ("9" * 5000,)):
        assert brt("aid", "allowed", "th_heroes", *many).code == 2


def test_an_unknown_word_for_limits_is_refused(brt: Shell) -> None:
    known = brt("aid", "allowed", "th_heroes", 23, "year=1941", "russian")
    assert known.out.startswith("th_heroes: 5 · 20%")
    assert brt("aid", "allowed", "at_set_dc", 5, "year=1945", "russian").out.startswith(
        "at_set_dc: 0 · none allowed"
    )
    for aid, *words in (
        ("allowed", "th_heroes", 23, "year=1941", "russians"),
        ("allowed", "at_set_dc", 5, "year=1945", "russians"),
        ("allowed", "hip_day", 5, "foo"),
        ("allowed", "th_heroes", 23, "year"),
        ("allowed", "th_heroes", 23, "russian=1"),
        ("cost", "pillbox", 35, "foo=1"),
    ):
        got = brt("aid", aid, *words)
        assert (got.code, got.out) == (2, "")
        assert f"'{words[-1]}' is not accepted; enter year=1944" in got.err.replace('"', "'")


def test_the_charts_res_fg_is_a_restricted_fire_group(brt: Shell) -> None:
    for name in ("dense jungle", "kunai", "swamp"):
        rows = brt("aid", "pto", name).out.splitlines()
        (row,) = (line for line in rows if f"terrain · {name}" in line.lower())
        assert "Fire Group (Restricted)" in row
        assert "Residual FP" not in row
    assert "Residual FP, as Area Fire" in brt("aid", "pto", "LATW").out


def test_the_charts_tank_hunters_are_rounded_up(brt: Shell) -> None:
    told = brt("aid", "pto", "tank-hunter").out
    assert "50% in 1945, fractions rounded up" in told


def test_the_chart_says_first_that_it_is_not_in_effect(brt: Shell) -> None:
    got = brt("aid", "pto", "bamboo")
    assert got.out.splitlines()[0].startswith("PTO terrain is not in effect")
    assert "Bamboo" in got.out
    assert brt("aid", "pto", "xyzzy").code == 2


def test_points_left_open_by_the_sources_are_listed_with_defaults(brt: Shell) -> None:
    (line,) = brt("aid", "rulings", "sniper").out.splitlines()
    assert line.startswith("R-AID-SNIPER-SMC · G1.4 (A14.3)")
    assert "to a Japanese SMC? eliminated (options: eliminated, wounded; " in line
    assert line.endswith("; confidence: medium)")


def test_squad_equivalents_are_typed_with_a_half_in_two_ways(brt: Shell) -> None:
    halves = [brt("aid", "allowed", "hip_day", typed).out for typed in ("10.5", "10½")]
    assert halves[0] == halves[1]
    assert halves[0].startswith("hip_day: 2 · 10% of 10½ MMC squad-equivalents")
    assert "enter a number" in brt("aid", "allowed", "hip_day", "10.4").err
    assert "whole number" in brt("aid", "cost", "atmm", "10.5").err


# --- the quick fight ------------------------------------------------------------------------------


def test_a_fight_is_begun_fought_undone_and_checked(brt: Shell) -> None:
    new = brt("aid", "fight", "new", "hill.fight", "marine:tank", "japanese:gun", "japanese:tank")
    assert new.out == "turn 1: Marine move\n"
    brt("aid", "fight", "do", "hill.fight", "move", "m-tank-1", "6", "open", "2", "rough")
    brt("aid", "fight", "do", "hill.fight", "next")
    words = ("fire", "j-gun-1", "m-tank-1", "side", "range=20")
    got = brt("aid", "fight", "do", "hill.fight", *words, "--dice", "4 K 8")
    assert "below 7: hit" in got.out
    shown = brt("aid", "fight", "show", "hill.fight").out
    assert "m-tank-1 · moved, no fire to turn 2, no move to turn 2" in shown
    assert brt("aid", "fight", "undo", "hill.fight").out == f"undone: {' '.join(words)}\n"
    assert f"3. {' '.join(words)} (undone)" in brt("aid", "fight", "log", "hill.fight").out
    assert brt("aid", "fight", "check", "hill.fight").out == "the replay has the same result\n"
    assert brt("aid", "fight", "show", "hill.fight", "--json").json["fight"]["phase"] == 1


def test_too_few_dice_change_nothing(brt: Shell) -> None:
    brt("aid", "fight", "new", "a.fight", "marine:tank", "japanese:truck", "--first", "japanese")
    brt("aid", "fight", "do", "a.fight", "next")
    words = ("fire", "m-tank-1", "j-truck-1", "--dice", "1 K")
    got = brt("aid", "fight", "do", "a.fight", *words)
    assert got.code == 3
    assert "a card for j-truck-1" in got.err
    assert brt("aid", "fight", "log", "a.fight").out.count("\n") == 2


def test_a_single_action_works_without_a_file(brt: Shell) -> None:
    got = brt("aid", "fight", "try", "fire", "tank", "tank,front", "cover", "--dice", "3")
    assert got.out == "m-tank-1 gun at j-tank-1: 3, +2 in cover → 5, below 5: miss\n"


def test_a_tampered_fight_file_is_detected(brt: Shell) -> None:
    brt("aid", "fight", "new", "a.fight", "marine:rifle", "japanese:rifle")
    brt("aid", "fight", "do", "a.fight", "move", "m-rifle-1", "6")
    path = Path("a.fight")
    path.write_text(path.read_text("utf-8").replace("false,\n     true", "false,\n     false"))
    got = brt("aid", "fight", "check", "a.fight")
    assert (got.code, got.out.partition(":")[0]) == (1, "1. move m-rifle-1 6")


def test_a_wrong_word_is_refused_with_the_allowed_ones(brt: Shell) -> None:
    assert "enter new, do, undo, show, log, check" in brt("aid", "fight", "resume").err
    assert "needs the fight's FILE" in brt("aid", "fight", "log").err
    assert brt("aid", "fight", "log", "none.fight").code == 2
    assert "move ID INCHES" in brt("aid", "fight", "orders").out
    assert len(brt("aid", "fight", "rules").out.splitlines()) == 8


# --- with a campaign ------------------------------------------------------------------------------


def strength(brt: Shell, file: Path) -> str:
    units = brt("export", file, "state").json["units"]
    return next(str(unit.get("strength", "full")) for unit in units if unit["id"] == "j-sq-1")


def test_an_answer_is_kept_in_the_campaigns_log_and_changes_no_counter(
    brt: Shell, file: Path
) -> None:
    before = brt("export", file, "state").json
    got = brt("aid", "japanese", "j-sq-1", "fails", "MC", "--campaign", file)
    assert "→ 3-4-7 squad" in got.out
    assert brt("export", file, "state").json == before
    (entry,) = [row for row in brt("export", file, "journal").json["rows"] if row["kind"] == "aid"]
    assert "play aid, japanese j-sq-1 fails MC" in str(entry)
    assert brt("audit", file).code == 0


def test_an_aid_answer_changes_the_counter_on_request(brt: Shell, file: Path) -> None:
    assert strength(brt, file) == "full"
    brt("aid", "japanese", "j-sq-1", "fails", "MC", "--campaign", file, "--enter")
    assert strength(brt, file) == "reduced"
    assert "G1.121: flipped to its reduced side" in brt("explain", file, "j-sq-1").out
    assert brt("audit", file).code == 0
    brt("undo", file)
    brt("undo", file)
    assert strength(brt, file) == "full"


def test_an_impossible_aid_entry_is_reported_and_not_stored(brt: Shell, file: Path) -> None:
    for words, told in (
        (("j-sq-1", "MC"), "one definite result"),
        (("4-4-7", "kia", "hit"), "needs --campaign FILE, and the name of one of its units"),
        (("m-sq-1", "fails", "MC"), "do not apply to Marines or laborers"),
    ):
        got = brt("aid", "japanese", *words, "--campaign", file, "--enter")
        assert (got.code, got.out) == (2, "")
        assert told in got.err
    rows = brt("export", file, "journal").json["rows"]
    assert [row["kind"] for row in rows] == ["new", "import"]


def test_a_question_about_a_hidden_unit_is_secret(brt: Shell, file: Path) -> None:
    brt("aid", "japanese", "j-sq-2", "fails", "MC", "--campaign", file)
    assert "j-sq-2" in brt("export", file, "journal", "--side", "japanese").out
    assert "j-sq-2" not in brt("export", file, "journal", "--side", "marine").out
    assert "play aid" not in brt("export", file, "journal", "--side", "marine").out


def test_a_search_is_not_logged(brt: Shell, file: Path) -> None:
    brt("aid", "pto", "palms", "--campaign", file)
    rows = brt("export", file, "journal").json["rows"]
    assert [row["kind"] for row in rows] == ["new", "import"]
