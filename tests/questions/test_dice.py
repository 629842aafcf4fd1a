"""Dice, tables and odds, in the players' words."""

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brt_cg.questions.dice import (
    BLOCK,
    AppDice,
    Dice,
    DiceTable,
    Faces,
    Modifier,
    ModifierFact,
    RollKey,
    SeededDice,
    StratifiedDice,
    TableRow,
    faces_as_json,
    read_faces,
)
from tests.strategies import TEXT

WOUNDED = DiceTable(
    "wounded_leader",
    "15.6112",
    "Wounded leaders",
    Dice.ONE,
    (
        TableRow(None, 1, "unwounded", "unwounded"),
        TableRow(2, 3, "wounded", "still wounded"),
        TableRow(4, None, "eliminated", "eliminated"),
    ),
    (
        ModifierFact("japanese", 1, "Japanese"),
        ModifierFact("isolated", 1, "Isolated"),
        ModifierFact("heroic", -1, "heroic"),
    ),
)
WADING = DiceTable(
    "wading",
    "15.605",
    "Wading survival",
    Dice.TWO,
    (
        TableRow(None, 7, "survives", "survives"),
        TableRow(8, 9, "reduced", "Casualty Reduction"),
        TableRow(10, None, "lost", "lost"),
    ),
    (
        ModifierFact("encircled", 2, "Encircled"),
        ModifierFact("hexes", 1, "for {n hex} (1 per full 2)", per=2),
        ModifierFact("leader_drm", 1, "leader {n}"),
    ),
)
KEY = RollKey("20 AM", "15.6112", "m-ldr-1", 0)

keys = st.builds(RollKey, TEXT, TEXT, TEXT, st.integers(0, 20))
drms = st.lists(st.builds(Modifier, st.integers(-6, 6), st.just("any")), max_size=4)


def test_wounded_leader_on_an_original_four_is_eliminated() -> None:
    assert WOUNDED.resolve((4,)).result == "eliminated"


def test_heroic_leader_on_a_four_is_still_wounded_and_the_roll_says_why() -> None:
    outcome = WOUNDED.resolve((4,), WOUNDED.modifiers_for_facts({"heroic": 1}))
    assert (outcome.original, outcome.final, outcome.result) == (4, 3, "wounded")
    assert outcome.roll_text() == "dr 4, −1 heroic, Final dr 3: still wounded"


def test_a_dr_without_drm_is_logged_without_a_final_dr() -> None:
    assert WOUNDED.resolve((4,)).roll_text() == "dr 4: eliminated"


def test_modifiers_that_cancel_out_are_all_logged() -> None:
    outcome = WOUNDED.resolve((2,), WOUNDED.modifiers_for_facts({"heroic": 1, "isolated": 1}))
    assert outcome.roll_text() == "dr 2, +1 Isolated, −1 heroic, Final dr 2: still wounded"


def test_the_enemy_sees_neither_a_hidden_helpers_drm_nor_the_final_dr() -> None:
    outcome = WOUNDED.resolve((2,), [Modifier(1, "Isolated"), Modifier(-1, "heroic")])
    told = outcome.roll_text([Modifier(1, "Isolated")])
    assert told == "dr 2, +1 Isolated, other drm unknown: still wounded"
    assert outcome.roll_text([]) == "dr 2, other drm unknown: still wounded"


def test_a_negative_final_dr_has_a_proper_minus_sign() -> None:
    outcome = WOUNDED.resolve((1,), (Modifier(-3, "luck"),))
    assert outcome.roll_text() == "dr 1, −3 luck, Final dr −2: unwounded"


def test_a_dr_shows_both_dice_and_their_sum() -> None:
    outcome = WADING.resolve((3, 4), WADING.modifiers_for_facts({"encircled": 1}))
    assert outcome.roll_text() == "DR 3,4 = 7, +2 Encircled, Final DR 9: Casualty Reduction"
    assert WADING.resolve((3, 4)).roll_text() == "DR 3,4 = 7: survives"


def test_modifiers_come_in_the_order_of_the_table() -> None:
    given_backwards = {"heroic": 1, "isolated": 1, "japanese": 1}
    reasons = [modifier.reason for modifier in WOUNDED.modifiers_for_facts(given_backwards)]
    assert reasons == ["Japanese", "Isolated", "heroic"]


def test_a_fact_with_value_zero_is_no_modifier() -> None:
    assert WOUNDED.modifiers_for_facts({"japanese": 0, "heroic": 1}) == (Modifier(-1, "heroic"),)


def test_a_fact_counts_as_often_as_it_is_given() -> None:
    assert WADING.modifiers_for_facts({"hexes": 7, "leader_drm": -2}) == (
        Modifier(3, "for 7 hexes (1 per full 2)"),
        Modifier(-2, "leader −2"),
    )


def test_a_fact_the_table_does_not_know_is_refused() -> None:
    with pytest.raises(KeyError, match=r"15\.6112.*no fact lucky, only japanese"):
        WOUNDED.modifiers_for_facts({"lucky": 1})


@pytest.mark.parametrize(
    ("final", "result"),
    [(-9, "unwounded"), (1, "unwounded"), (2, "wounded"), (3, "wounded"), (4, "eliminated")],
)
def test_the_final_result_selects_its_row_including_the_edges(final: int, result: str) -> None:
    assert WOUNDED.row_for_final(final).result == result


def test_a_final_outside_every_row_names_the_table() -> None:
    first_move = DiceTable(
        "first_move", "15.6205", "First move", Dice.ONE, (TableRow(1, 6, "any", "any"),), ()
    )
    with pytest.raises(LookupError, match="first_move has no row for a Final 7"):
        first_move.row_for_final(7)


def test_a_dr_table_refuses_two_dice() -> None:
    with pytest.raises(ValueError, match="is not a dr"):
        WOUNDED.resolve((3, 4))


def test_odds_of_a_wounded_japanese_leader_are_exact() -> None:
    odds = WOUNDED.odds(WOUNDED.modifiers_for_facts({"japanese": 1}))
    assert [(row.result, chance) for row, chance in odds] == [
        ("unwounded", Fraction(0)),
        ("wounded", Fraction(1, 3)),
        ("eliminated", Fraction(2, 3)),
    ]


@given(table=st.sampled_from([WOUNDED, WADING]), modifiers=drms)
def test_odds_sum_to_one_and_match_all_possible_rolls(
    table: DiceTable, modifiers: list[Modifier]
) -> None:
    odds = table.odds(modifiers)
    every = list(product(range(1, 7), repeat=1 if table is WOUNDED else 2))
    counted = Counter(table.resolve(faces, modifiers).row for faces in every)
    assert sum(chance for _, chance in odds) == 1
    assert dict(odds) == {row: Fraction(counted[row], len(every)) for row in table.rows}


@pytest.mark.parametrize(("dice", "raw", "faces"), [("dr", 4, (4,)), ("DR", [3, 4], (3, 4))])
def test_dice_are_read_from_an_answers_file_and_written_back(
    dice: str, raw: object, faces: Faces
) -> None:
    assert read_faces(Dice(dice), raw) == faces
    assert faces_as_json(faces) == raw


def test_the_colored_and_the_white_die_keep_their_places() -> None:
    assert read_faces(Dice.TWO, (6, 1)) == (6, 1)


@pytest.mark.parametrize("raw", [0, 7, -1, True, 4.0, "4", None, [4], [3, 4], (4,)])
def test_an_invalid_dr_is_refused_with_the_allowed_values(raw: object) -> None:
    with pytest.raises(ValueError, match="is not a dr; enter a whole number from 1 to 6"):
        read_faces(Dice.ONE, raw)


@pytest.mark.parametrize("raw", [7, "34", None, [3], [3, 4, 5], [0, 4], [3, 7], [True, 2], ["3"]])
def test_an_invalid_pair_of_dice_is_refused_with_the_value_found(raw: object) -> None:
    with pytest.raises(ValueError, match=r"is not a DR; .*\[colored, white\]") as refusal:
        read_faces(Dice.TWO, raw)
    assert json.dumps(raw) in str(refusal.value)


@given(seed=st.integers() | TEXT, asked=st.lists(keys, min_size=1), data=st.data())
def test_seeded_dice_do_not_depend_on_earlier_questions(
    seed: int | str, asked: list[RollKey], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(asked))
    first, second = SeededDice(seed), SeededDice(seed)
    rolled = {key: first.roll(Dice.TWO, key) for key in asked}
    assert {key: second.roll(Dice.TWO, key) for key in shuffled} == rolled
    assert all(read_faces(Dice.TWO, faces) == faces for faces in rolled.values())


def test_seeded_dice_never_change_between_versions() -> None:
    keys = [RollKey("20 AM", "15.605", "m-sq-1", position) for position in range(4)]
    rolled = [SeededDice(7).roll(Dice.TWO, key) for key in keys]
    assert rolled == [(5, 1), (4, 2), (5, 4), (5, 2)]


def test_a_seed_is_the_same_as_a_number_and_as_text() -> None:
    assert SeededDice(12).roll(Dice.TWO, KEY) == SeededDice("12").roll(Dice.TWO, KEY)


def test_every_part_of_the_key_and_the_seed_changes_the_dice() -> None:
    def rolls(seed: int, date: str, rule: str, subject: str, start: int) -> list[Faces]:
        return [
            SeededDice(seed).roll(Dice.TWO, RollKey(date, rule, subject, start + n))
            for n in range(20)
        ]

    streams = [
        rolls(1, "20 AM", "15.605", "m-sq-1", 0),
        rolls(2, "20 AM", "15.605", "m-sq-1", 0),
        rolls(1, "20 PM", "15.605", "m-sq-1", 0),
        rolls(1, "20 AM", "15.6112", "m-sq-1", 0),
        rolls(1, "20 AM", "15.605", "m-sq-2", 0),
        rolls(1, "20 AM", "15.605", "m-sq-1", 1),
    ]
    assert len({tuple(stream) for stream in streams}) == len(streams)


def test_seeded_dice_fall_evenly_on_all_pairs() -> None:
    dice = SeededDice("even")
    rolls = 7200
    seen = Counter(
        dice.roll(Dice.TWO, RollKey("20 AM", "15.605", "m-sq-1", n)) for n in range(rolls)
    )
    expected = rolls / 36
    pairs = product(range(1, 7), repeat=2)
    chi_square = sum((seen[pair] - expected) ** 2 / expected for pair in pairs)
    assert chi_square < 66.6  # 35 degrees of freedom, p = 0.001


def even(dice: Dice, run: int, subject: str = "m-sq-1", seed: int = 7) -> Faces:
    return StratifiedDice(seed, run).roll(dice, RollKey("20 AM", "15.605", subject, 0))


def test_even_dice_show_each_pair_once_in_a_block_of_runs_and_each_face_six_times() -> None:
    for block in (range(BLOCK), range(5 * BLOCK, 6 * BLOCK)):
        assert {even(Dice.TWO, run) for run in block} == set(product(range(1, 7), repeat=2))
        faces = Counter(even(Dice.ONE, run) for run in block)
        assert faces == {(face,): 6 for face in range(1, 7)}


def test_even_dice_fall_in_another_order_for_each_seed_block_and_roll() -> None:
    def of(**other: Any) -> tuple[Faces, ...]:
        return tuple(even(Dice.TWO, run, **other) for run in range(BLOCK))

    later = tuple(even(Dice.TWO, run) for run in range(BLOCK, 2 * BLOCK))
    assert len({of(), of(seed=8), of(subject="m-sq-2"), later}) == 4


def test_even_dice_of_one_run_do_not_depend_on_one_another() -> None:
    seeds = 3600
    seen = Counter(
        even(Dice.ONE, 5, seed=seed) + even(Dice.ONE, 5, "m-sq-2", seed) for seed in range(seeds)
    )
    expected = seeds / 36
    pairs = product(range(1, 7), repeat=2)
    chi_square = sum((seen[pair] - expected) ** 2 / expected for pair in pairs)
    assert chi_square < 66.6  # 35 degrees of freedom, p = 0.001


def test_even_dice_never_change_between_versions() -> None:
    assert [even(Dice.TWO, run) for run in range(4)] == [(3, 6), (3, 1), (5, 3), (4, 5)]


def test_the_programs_dice_show_every_face_and_no_other() -> None:
    faces = [AppDice().roll(Dice.TWO, KEY) for _ in range(500)]
    assert {face for pair in faces for face in pair} == set(range(1, 7))
    assert len(AppDice().roll(Dice.ONE, KEY)) == 1
