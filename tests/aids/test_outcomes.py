"""What becomes of a Japanese unit: every case has one outcome, and the rulebook's examples hold."""

from collections.abc import Iterator
from itertools import product

import pytest

from brt_cg.aids.japanese import parse_cases, read_vocabulary
from brt_cg.aids.outcomes import (
    CHECKS,
    STATES,
    TWO_SIDED,
    Cause,
    UnitCase,
    UnitCheck,
    UnitResult,
    UnitSort,
    UnitState,
    bpv_names_needed,
    edit_for_result,
    matching_rows,
    read_outcomes,
    resolve_case,
)
from brt_cg.aids.sources import CARD, aid_ruling_values, aid_rulings
from brt_cg.model.counters import Fate, UnitClass, UnitStrength
from brt_cg.questions.answers import RefusedError
from tests.commands.campaigns import carry
from tests.refit.table import campaign

# No outcome depends on two rulings, so each value of each needs to be tried once.
NAMED = {row.ruling.partition("=")[0] for row in read_outcomes().rows if row.ruling}
RULINGS = [{id: aid_rulings()[id].options[which] for id in sorted(NAMED)} for which in (0, 1)]


def cases() -> Iterator[UnitCase]:
    """Every combination that can be."""
    classes = CARD.ladders.figures.japanese.ladder
    for sort, cause in product(UnitSort, Cause):
        for state, check in product(STATES[sort], CHECKS.get(cause, (UnitCheck.NONE,))):
            classed = (
                sort in (UnitSort.SQUAD, UnitSort.HALF_SQUAD) and state is not UnitState.UNARMED
            )
            two_sided = sort in TWO_SIDED and state is not UnitState.UNARMED
            strengths = tuple(UnitStrength) if two_sided else (UnitStrength.FULL,)
            for class_, strength in product(classes if classed else (None,), strengths):
                yield UnitCase(sort, class_, strength, state, cause, check)


def results(sentence: str, *changed: str) -> list[UnitResult]:
    return [resolve_case(case, aid_ruling_values(changed)) for case in parse_cases(sentence)]


def became(sentence: str, *changed: str) -> str:
    """What becomes of it, in the rulebook's short form: "1-2-6 half_squad broken"."""
    (result,) = results(sentence, *changed)
    return ", ".join(" ".join((one.type, one.kind, *one.status)) for one in result.after)


def test_each_ruling_on_outcomes_has_two_options() -> None:
    assert {len(aid_rulings()[id].options) for id in NAMED} == {2}


@pytest.mark.parametrize("agreed", RULINGS, ids=lambda values: "-".join(values.values()))
def test_every_case_has_exactly_one_outcome(agreed: dict[str, str]) -> None:
    several = [
        (case, [row.text for row in found])
        for case in cases()
        if len(found := matching_rows(case, agreed)) != 1
    ]
    assert several == []


def test_every_outcome_belongs_to_a_case() -> None:
    used = {
        id(row) for agreed in RULINGS for case in cases() for row in matching_rows(case, agreed)
    }
    assert [row.text for row in read_outcomes().rows if id(row) not in used] == []


def test_every_result_can_be_worked_out() -> None:
    assert all(resolve_case(case, aid_ruling_values()).row.rule for case in cases())


# --- the rulebook's examples ----------------------------------------------------------------------

EXAMPLES = [
    ("G1.121", "4-4-8 fails MC", "3-4-8 squad"),
    ("G1.122", "3-4-8 fails collateral MC", "2-3-8 half_squad"),
    ("G1.123", "4-4-8 MC exceeds ELR", "3-4-7 squad"),
    ("G1.124", "3-4-8 1MC exceeds ELR", "2-3-7 half_squad"),
    ("G1.125", "3-3-6 FPF MC exceeds ELR", "1-2-6 half_squad broken dm"),
    ("G1.125", "2-2-6 FPF MC exceeds ELR", "1-2-6 half_squad broken dm"),
    ("G1.14", "4-4-8 casualty reduction", "2-3-8 half_squad"),
    ("G1.14", "berserk 3-4-8 casualty reduction", "2-3-8 half_squad berserk"),
    ("G1.14", "unarmed squad casualty reduction", "unarmed half_squad unarmed"),
    ("G1.14", "4-4-8 casualty MC", "2-3-8 half_squad broken dm"),
    ("G1.14", "4-4-8 takes a casualty MC", "2-3-8 half_squad broken dm"),
    ("G1.14", "4-4-8 casualty MC exceeds ELR", "2-3-7 half_squad broken dm"),
    ("G1.14", "3-3-6 casualty MC, exceeds ELR", ""),
    ("G1.14", "4-4-8 WP casualty MC", "2-3-8 half_squad broken dm"),
    ("G1.14", "2-3-8 casualty reduction", ""),
    ("G1.14", "2-2-8 casualty reduction", ""),
    ("G1.14", "9-1 casualty reduction", "9-1 leader wounded"),
    ("G1.14", "4-4-8 MC original 12", "2-3-8 half_squad broken dm"),
    ("G1.14", "3-4-8 MC original 12", "2-3-8 half_squad broken dm"),
    ("G1.14", "4-4-8 MC original 12 exceeds ELR", "2-3-7 half_squad broken dm"),
    ("G1.14", "3-4-8 MC original 12 exceeds ELR", "2-3-7 half_squad broken dm"),
    ("G1.14", "3-3-6 MC original 12", "1-2-6 half_squad broken dm"),
    ("G1.14", "2-2-6 MC original 12", "1-2-6 half_squad broken dm"),
    ("G1.14", "3-3-6 MC original 12 exceeds ELR", ""),
    ("G1.14", "2-2-6 MC original 12 exceeds ELR", ""),
    ("G1.3", "2-2-8 fails 1MC", "1-2-8 crew"),
    ("G1.3", "1-2-8 fails 1MC", "1-2-7 vehicle_crew broken dm"),
    ("G1.14", "2-2-8 MC original 12", ""),
    ("G1.3", "2-2-8 sniper", "1-2-8 crew"),
    ("G1.3", "1-2-8 sniper", "1-2-7 vehicle_crew broken dm"),
    ("G1.3", "1-2-7 sniper", "1-2-7 vehicle_crew broken dm"),
]


@pytest.mark.parametrize(("rule", "sentence", "expected"), EXAMPLES)
def test_the_examples_of_the_rulebook_are_right(rule: str, sentence: str, expected: str) -> None:
    assert became(sentence) == expected
    assert results(sentence)[0].row.rule == rule


@pytest.mark.parametrize(
    ("sentence", "tally", "cvp"),
    [
        ("full 4-4-7 fails MC", 0, 0),
        ("4-4-7 casualty reduction", 7, 1),
        ("reduced 3-4-7 fails MC", 7, 1),
        ("reduced 3-4-7 casualty reduction", 7, 1),
        ("2-2-8 kia hit", 10, 2),
        ("1-2-8 captured", 10, 2),
        ("full 3-4-7 captured", 10, 2),
        ("2-3-7 second line squad kia hit", 10, 2),
        ("1-2-7 captured", 8, 2),
        ("broken 1-2-7 casualty reduction", 8, 2),
        ("1-2-8 fails MC", 2, 0),
        ("2-2-8 voluntary", 2, 0),
    ],
)
def test_the_examples_of_the_casualty_tally_are_right(sentence: str, tally: int, cvp: int) -> None:
    (result,) = results(sentence)
    assert (result.tally, result.cvp) == (tally, cvp)


# --- other paragraphs -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("4-4-7 bails out", "2-3-7 half_squad broken dm, 2-3-7 half_squad broken dm"),
        ("reduced 3-4-7 breaks voluntarily", "2-3-7 half_squad broken dm"),
        ("reduced 3-4-7 voluntarily breaks", "2-3-7 half_squad broken dm"),
        ("4-4-7 WP MC exceeds ELR", "1-3-7 half_squad broken dm, 1-3-7 half_squad broken dm"),
        ("reduced 3-4-7 panji exceeds ELR", "1-3-7 half_squad broken dm"),
        ("3-3-6 WP MC exceeds ELR", "1-2-6 half_squad broken dm, 1-2-6 half_squad broken dm"),
        ("berserk 4-4-7 fails MC", "2-3-7 half_squad berserk"),
        ("4-4-7 deploys", "2-3-7 half_squad, 2-3-7 half_squad"),
        ("reduced 3-4-7 deploys", "2-3-7 half_squad"),
        ("2-3-7 HS recombines", "4-4-7 squad"),
        ("4-4-7 disarmed", "unarmed squad unarmed"),
        ("unarmed squad rearmed", "3-3-6 squad"),
        ("2-3-7 HS MC exceeds ELR", "1-3-7 half_squad broken dm"),
        ("wounded 9-1 fails MC", "9-1 leader wounded"),
        ("wounded heroic 9-1 fails MC", ""),
        ("9-1 MC original 12", ""),
        ("wounded hero kia break", ""),
    ],
)
def test_each_unit_has_its_outcome(sentence: str, expected: str) -> None:
    assert became(sentence) == expected


def test_a_reduced_squad_that_takes_a_2kia_is_hit_or_spared() -> None:
    hit, spared = results("my reduced 3-4-7 squad takes a 2KIA, what now")
    assert (hit.after, hit.tally, hit.cvp) == ((), 13, 2)
    assert [one.type for one in spared.after] == ["2-3-7"]
    assert (spared.row.rule, spared.row.broken, spared.tally, spared.cvp) == ("G1.122", False, 7, 1)


def test_a_morale_check_alone_shows_each_way_to_fail() -> None:
    assert [one.row.rule for one in results("4-4-7 1MC")] == ["G1.121", "G1.123", "G1.14", "G1.14"]


def test_a_leader_gives_casualty_vp_by_the_side_shown() -> None:
    assert [one.cvp for one in results("10-2 kia hit")] == [3]
    assert [one.cvp for one in results("wounded 10-2 kia hit")] == [2]


def test_a_hero_gives_no_casualty_vp() -> None:
    assert [one.cvp for one in results("hero kia hit")] == [0]


def test_hara_kiri_gives_casualty_vp_but_no_tally() -> None:
    (result,) = results("4-4-7 hara-kiri")
    assert (result.tally, result.cvp) == (0, 2)


def test_an_unknown_bpv_is_asked_for_and_not_guessed() -> None:
    (case,) = parse_cases("4-4-8 casualty reduction")
    assert resolve_case(case, aid_ruling_values()).tally is None
    assert (
        resolve_case(case, aid_ruling_values(), {"elite squad": 15, "elite half_squad": 7}).tally
        == 8
    )


def test_an_unarmed_squads_bpv_is_asked_for_by_its_name() -> None:
    (result,) = results("unarmed squad casualty reduction")
    assert bpv_names_needed(result) == ["unarmed squad", "unarmed half_squad"]


def test_a_vehicle_crew_may_be_called_a_crew() -> None:
    """G1.3 itself does so."""
    assert became("1-2-7 crew sniper") == became("1-2-7 vehicle crew sniper") != ""


def test_a_ruling_changes_its_outcome() -> None:
    assert became("9-1 sniper") == ""
    assert became("9-1 sniper", "R-AID-SNIPER-SMC=wounded") == "9-1 leader wounded"


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("3-4-7 fails MC", "3-4-7 reduced first line squad; 3-4-7 full second line squad"),
        ("9-9-9 fails MC", "no such unit has the factors 9-9-9; enter 4-4-8"),
        ("3-4-8 half squad fails MC", "no half squad has the factors 3-4-8; enter 2-3-8, 2-3-7"),
        ("elite 4-4-7 fails MC", "no elite unit has the factors 4-4-7; enter 4-4-8, 3-4-8, 2-3-8"),
        ("1-2-8 vehicle crew fails MC", "no vehicle crew has the factors 1-2-8; enter 1-2-7, or"),
        ("2KIA", "which unit? give its factors; enter 4-4-8"),
        ("4-4-7", "what happens to it"),
        ("4-4-7 MC banana", "not understood: banana"),
        ("4-4-7 MC brokn", "did you mean broken"),
        ("8-1 MC", "which leader? 8-1 is not accepted"),
        ("broken 4-4-7 fails MC", "never broken"),
        ("4-4-7 sniper voluntary", "more than one cause"),
    ],
)
def test_an_unclear_question_is_refused_with_the_allowed_words(sentence: str, told: str) -> None:
    with pytest.raises(RefusedError, match=told.replace("?", "[?]")):
        parse_cases(sentence)


@pytest.mark.parametrize(
    ("sentence", "rules"),
    [
        ("4-4-7 takes a K/2", ["G1.14", "G1.2", "G1.2", "G1.14", "G1.14"]),
        ("What happens when my 4-4-7 is KIA'd?", ["A7.301", "G1.121"]),
        ("What happens when my 447 is KIA'd?", ["A7.301", "G1.121"]),
        ("reduced first-line squad fails an NMC by more than its ELR", ["G1.124"]),
        ("reduced 1st Line squad fails a 2MC, but by no more than its ELR", ["G1.122"]),
        ("2-2-8 crew breaks", ["G1.3", "G1.3", "G1.14", "G1.14", "G1.3"]),
        ("the T-H Hero dies", ["A7.301"]),
        ("my 10−1 leader fails a morale check", ["G1.4"]),
    ],
)
def test_players_may_ask_in_their_own_words(sentence: str, rules: list[str]) -> None:
    assert [one.row.rule for one in results(sentence)] == rules


def test_no_keyword_is_also_an_ignored_word() -> None:
    words = [
        word
        for values in read_vocabulary().words.values()
        for spoken in values.values()
        for word in spoken
    ]
    assert [word for word in words if {*word.split()} & {*read_vocabulary().filler}] == []
    assert len(words) == len(set(words))


# --- taken over into a campaign -------------------------------------------------------------------


def test_a_units_correction_matches_its_outcome() -> None:
    fates = set()
    for case in cases():
        result, unit = resolve_case(case, aid_ruling_values(())), case.as_counter()
        unit.id = "u"
        if unit.mmc and unit.class_ is None:  # unarmed: nothing on it tells its class
            unit.class_ = UnitClass.ELITE
            unit.type = CARD.ladders.digits_of_unit(unit)
        made = campaign(unit)
        correction = edit_for_result(result, unit)
        if correction is not None:
            carry(made, "edit", id="u", set=correction, reason="play aid")
        unit = made.units["u"]
        fates.add(unit.fate)
        if result.after and result.row.result != "not_possible":
            after = result.after[0]
            assert (unit.kind, {*unit.status}) == (after.kind, {*after.status}), case
            assert after.type in (unit.type, "unarmed"), case
    assert fates == {Fate.IN_PLAY, Fate.ELIMINATED, Fate.CAPTURED}
