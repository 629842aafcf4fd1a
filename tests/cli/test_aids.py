"""The play aids at the command line: no campaign is needed."""

from tests.cli.shell import Shell


def test_help_shows_examples(brt: Shell) -> None:
    got = brt("aid", "--help")
    assert got.code == 0
    assert "my reduced 3-4-7 squad takes a 2KIA" in got.out


def test_a_sentence_is_answered_without_a_campaign(brt: Shell) -> None:
    got = brt("aid", "japanese", "my", "reduced", "3-4-7", "takes", "a", "2KIA")
    assert got.code == 0
    assert "→ 2-3-7 half squad · CVP +1 · Casualty Tally +7 · G1.122" in got.out


def test_json_names_outcome_replacement_broken_tally_cvp_and_rule(brt: Shell) -> None:
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


def test_what_is_unclear_is_refused_in_one_message(brt: Shell) -> None:
    got = brt("aid", "japanese", "3-4-7", "fails", "MC")
    assert (got.code, got.out) == (2, "")
    assert got.err == (
        "which unit? 3-4-7 may be: 3-4-7 reduced first line squad; 3-4-7 full second line squad\n"
    )
