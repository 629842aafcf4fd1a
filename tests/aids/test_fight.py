"""The quick fight: every row of its tables, every card, every special rule."""

from collections.abc import Sequence
from typing import Any

import pytest

from brt_cg.aids.fight import FightState, create_pieces, new_deck, read_fight_tables
from brt_cg.aids.fight_file import try_order
from brt_cg.aids.fight_orders import FightOrder
from brt_cg.aids.sources import aid_ruling_values
from brt_cg.questions.answers import RefusedError
from brt_cg.questions.question_types import Question

MOVE, FIRE_B, FIRE_A, MELEE = range(4)  # the phases of the first half of a turn; A are the Marines


def fight(*pieces: str, phase: int = MOVE, agreed: Sequence[str] = ()) -> FightState:
    return FightState(
        first="marine", rulings=aid_ruling_values(agreed), pieces=create_pieces(pieces), phase=phase
    )


def do(where: FightState, line: str, *answers: object) -> FightOrder:
    """Carries out an order with these dice and cards; what they leave open takes its default. The
    fight itself is changed."""
    left = iter(answers)

    def answer(ask: Question[Any]) -> object:
        found = next(left, None)
        return ask.default if found is None else found

    order, _ = try_order(where.as_json(), line, answer)
    assert next(left, None) is None, "too many dice"
    for name in ("turn", "phase", "pieces", "deck", "calls"):
        setattr(where, name, getattr(order.fight, name))
    return order


def refused(where: FightState, line: str, told: str) -> None:
    with pytest.raises(RefusedError) as refusal:
        do(where, line)
    assert told in str(refusal.value)


# --- turns ----------------------------------------------------------------------------------------


def test_a_turn_has_eight_phases_in_this_order() -> None:
    where = fight("marine:rifle", "japanese:rifle")
    told = [where.turn_text()]
    for _ in range(8):
        told += do(where, "next").lines
    assert told == [
        "turn 1: Marine move",
        "turn 1: Japanese fire",
        "turn 1: Marine fire",
        "turn 1: Marine and Japanese melee",
        "turn 1: Japanese move",
        "turn 1: Marine fire",
        "turn 1: Japanese fire",
        "turn 1: Marine and Japanese melee",
        "turn 2: Marine move",
    ]


def test_nobody_acts_outside_his_phase() -> None:
    where = fight("marine:rifle", "japanese:rifle")
    refused(where, "move j-rifle-1 3", "cannot move now (turn 1: Marine move); enter “next”")
    refused(where, "fire m-rifle-1 j-rifle-1 range=3", "cannot fire now")
    refused(where, "melee m-rifle-1 j-rifle-1", "cannot melee now")


# --- movement -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("piece", "way", "most"),
    [
        ("rifle", "open", 6),
        ("rifle", "rough", 3),
        ("truck", "open", 18),
        ("truck", "rough", 6),
        ("tank", "open", 12),
        ("tank", "rough", 8),
        ("tank", "open reverse", 3),
        ("tank", "rough reverse", 3),
        ("rifle", "woods", 3),
        ("truck", "woods", 9),
        ("tank", "woods", 6),
        ("rifle", "road", 12),
        ("truck", "road", 36),
        ("tank", "road", 24),
        ("machinegun", "open", 3),
        ("light_mortar", "open", 3),
        ("heavy_mortar", "rough", 1.5),
    ],
)
def test_each_unit_moves_its_distance(piece: str, way: str, most: float) -> None:
    ground, *reverse = way.split()
    where = fight(f"marine:{piece}")
    refused(
        where, f"move m-{piece}-1 {most + 0.5} {ground} {' '.join(reverse)}", "cannot move that far"
    )
    do(where, f"move m-{piece}-1 {most} {ground} {' '.join(reverse)}")
    assert where.pieces[f"m-{piece}-1"].moved


def test_woods_and_roads_may_use_the_rough_move() -> None:
    where = fight("marine:tank", agreed=["R-FIGHT-WOODS=rough", "R-FIGHT-ROAD=rough"])
    refused(where, "move m-tank-1 5 woods", "woods 4, road 16")


def test_a_move_over_several_terrains_uses_a_share_of_each() -> None:
    where = fight("marine:tank")
    refused(where, "move m-tank-1 6 open 5 rough", "cannot move that far")
    assert "(100% of its move)" in do(where, "move m-tank-1 6 open 4 rough").lines[0]
    refused(where, "move m-tank-1 1", "has already moved this turn")


# --- spotting -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "near", "agreed"),
    [
        ("rifle", 6, ()),
        ("truck", 12, ()),
        ("gun", 6, ()),
        ("gun", 12, ("R-FIGHT-SPOT=vehicle",)),
    ],
)
def test_concealed_pieces_are_spotted_only_nearby(
    target: str, near: int, agreed: Sequence[str]
) -> None:
    where = fight("marine:rifle", f"japanese:{target},concealed", phase=FIRE_A, agreed=agreed)
    line = f"fire m-rifle-1 j-{target}-1"
    refused(where, line, "add range=N")
    refused(where, f"{line} range={near + 1}", f"not spotted beyond {near} inches")
    do(where, f"{line} range={near}", 10)


@pytest.mark.parametrize("done", ["moved", "fired"])
def test_pieces_that_moved_or_fired_are_spotted(done: str) -> None:
    where = fight("marine:rifle", "japanese:rifle,concealed", phase=FIRE_A)
    setattr(where.pieces["j-rifle-1"], done, True)
    do(where, "fire m-rifle-1 j-rifle-1 range=20", 10)


def spotted_again(*agreed: str) -> FightState:
    """A concealed gun of the second mover fires in the first half of a turn; in the second its
    enemies may fire."""
    where = fight("marine:rifle", "japanese:gun,concealed", phase=FIRE_B, agreed=agreed)
    do(where, "fire j-gun-1 m-rifle-1 range=20", 10)
    for _ in range(4):
        do(where, "next")
    assert where.turn_text() == "turn 1: Marine fire"
    return where


def test_a_gun_that_fired_in_the_first_half_of_a_turn_stays_spotted_in_the_second() -> None:
    do(spotted_again(), "fire m-rifle-1 j-gun-1 range=20", 10)
    line = "fire m-rifle-1 j-gun-1 range=20"
    refused(spotted_again("R-FIGHT-FIRED=move"), line, "not spotted beyond 6 inches")


def test_a_gun_is_hidden_again_after_its_sides_next_movement() -> None:
    where = spotted_again()
    for _ in range(5):
        do(where, "next")
    assert where.turn_text() == "turn 2: Marine fire"
    assert where.pieces["j-gun-1"].fired
    do(where, "next")
    do(where, "next")
    assert not where.pieces["j-gun-1"].fired


def test_the_first_movers_guns_are_hidden_again_with_the_next_turn() -> None:
    where = fight("marine:gun,concealed", "japanese:rifle", phase=5)
    do(where, "fire m-gun-1 j-rifle-1 range=20", 10)
    for _ in range(3):
        do(where, "next")
    assert where.turn_text() == "turn 2: Marine move"
    assert not where.pieces["m-gun-1"].fired


def test_a_piece_may_be_concealed_later() -> None:
    where = fight("marine:rifle")
    do(where, "conceal m-rifle-1")
    assert where.pieces["m-rifle-1"].concealed


# --- fire -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("by", "target", "below", "follows"),
    [
        ("tank", "rifle", 6, "dice"),
        ("tank", "truck", 8, 2),
        ("tank", "tank,front", 5, 1),
        ("tank", "tank,side", 7, 2),
        ("tank", "tank,rear", 8, 3),
        ("tank", "gun", 5, "dice"),
        ("tank", "machinegun", 7, "dice"),
        ("machinegun", "tank", 6, 1),
        ("rifle", "truck", 9, 2),
        ("rifle", "machinegun", 6, "dice"),
        ("rifle", "gun", 6, "dice"),
        ("rifle", "rifle", 6, "dice"),
    ],
)
def test_every_row_of_the_fire_tables_gives_its_result(
    by: str, target: str, below: int, follows: object
) -> None:
    type_, _, facing = target.partition(",")
    line = f"fire m-{by}-1 j-{type_}-1 range=6 {facing}"
    where = fight(f"marine:{by}", f"japanese:{type_}", phase=FIRE_A)
    assert do(where, line, below).lines[-1].endswith("miss")
    where = fight(f"marine:{by}", f"japanese:{type_}", phase=FIRE_A)
    if follows == "dice":
        figures = where.pieces[f"j-{type_}-1"].figures
        order = do(where, line, below - 1, *[5] * figures)
        assert order.lines[-1].endswith("0 dead")
    else:
        cards = ["Q"] * int(str(follows))
        assert len(do(where, line, below - 1, *cards).lines) == 1 + len(cards)


def test_every_row_of_the_fire_tables_is_tested() -> None:
    assert (
        len(read_fight_tables().targets) == 11
    )  # armored cars and tanks share one row, crews and guns too


@pytest.mark.parametrize(
    ("by", "target", "options", "total"),
    [
        ("tank", "truck", "cover", 2),
        ("tank", "truck", "heavier", -2),
        ("tank", "truck", "lighter", 2),
        ("tank", "gun", "flank", -3),
        ("tank", "machinegun", "flank", -3),
        ("tank", "gun", "flank cover lighter", 1),
        ("rifle", "rifle", "cover", 2),
    ],
)
def test_every_hit_modifier_applies(by: str, target: str, options: str, total: int) -> None:
    where = fight(f"marine:{by}", f"japanese:{target}", phase=FIRE_A)
    told = do(where, f"fire m-{by}-1 j-{target}-1 range=6 {options}", 10).lines[0]
    assert f"→ {10 + total}," in told


@pytest.mark.parametrize(("moved", "total"), [((), 0), (("a",), 1), (("b",), 1), (("a", "b"), 2)])
@pytest.mark.parametrize("by", ["tank", "rifle"])
def test_a_moving_firer_and_a_moving_target_add_one_each(
    by: str, moved: Sequence[str], total: int
) -> None:
    where = fight(f"marine:{by}", "japanese:truck", phase=FIRE_A)
    where.pieces[f"m-{by}-1"].moved = "a" in moved
    where.pieces["j-truck-1"].moved = "b" in moved
    told = do(where, f"fire m-{by}-1 j-truck-1 range=6", 9).lines[0]
    assert (f"→ {9 + total}," in told) or (total == 0 and "→" not in told)


def test_a_natural_one_always_hits() -> None:
    where = fight("marine:tank", "japanese:tank", phase=FIRE_A)
    line = "fire m-tank-1 j-tank-1 front cover lighter"
    told = do(where, line, 1, "Q").lines[0]
    assert told.endswith("1, +2 in cover, +2 attacker lighter → 5, below 5: hit")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("fire m-rifle-1 j-rifle-1 range=6 heavier", "heavier does not apply to infantry fire"),
        ("fire m-tank-1 j-tank-1 flank side", "flank applies to artillery"),
        ("fire m-tank-1 j-tank-1", "add one of: front, side, rear"),
        ("fire m-rifle-1 j-tank-1 range=3", "rifle fire cannot hit armor"),
        ("fire m-rifle-1 m-tank-1 range=3", "same side"),
        ("fire m-rifle-1 j-rifle-1 weapon=gun range=3", "has no gun"),
        ("fire m-rifle-1 j-rifle-9 range=3", "j-rifle-9: not in this fight; enter m-rifle-1"),
        ("fire m-rifle-1 j-rifle-1,coverr range=3", "did you mean cover?"),
        ("fire m-rifle-1 j-rifle-1 rnage=3", "unknown option rnage=3; enter front"),
        ("fire m-rifle-1 j-rifle-1,rnage=3", "unknown option rnage=3"),
        ("fire m-rifle-1 j-rifle-1 range=x", "inches from 0 to 1000"),
        ("fire m-rifle-1", "fire ID TARGET…"),
        ("shoot m-rifle-1", "unknown order 'shoot'; enter next, move, fire"),
    ],
)
def test_impossible_fire_is_refused_with_the_reason(line: str, told: str) -> None:
    pieces = ("marine:rifle", "marine:tank", "japanese:rifle", "japanese:tank")
    refused(fight(*pieces, phase=FIRE_A), line, told)


@pytest.mark.parametrize(
    ("by", "weapon", "reach"),
    [
        ("rifle", "grenade", 6),
        ("officer", "pistol", 6),
        ("rifle", "rifle", 24),
        ("automatic", "automatic", 24),
        ("machinegun", "machinegun", 36),
        ("light_mortar", "light_mortar", 36),
        ("heavy_mortar", "heavy_mortar", 36),
    ],
)
def test_each_weapon_has_its_range(by: str, weapon: str, reach: int) -> None:
    where = fight(f"marine:{by}", "japanese:rifle", phase=FIRE_A)
    line = f"fire m-{by}-1 j-rifle-1 weapon={weapon}"
    refused(where, f"{line} range={reach + 1}", f"reaches {reach}")
    assert read_fight_tables().weapons[weapon].range == reach


def test_each_figure_hit_is_dead_on_a_six() -> None:
    where = fight("marine:tank", "japanese:gun", phase=FIRE_A)
    do(where, "fire m-tank-1 j-gun-1", 2, 6, 5, 6, 1)
    assert where.pieces["j-gun-1"].figures == 2


# --- cards ----------------------------------------------------------------------------------------


def hit_by(rank: str, *more: object, agreed: Sequence[str] = ()) -> FightState:
    """A Japanese tank that a hit on its front has made draw a card, at the end of turn 1."""
    where = fight("marine:tank", "japanese:tank", "japanese:rifle", phase=FIRE_A, agreed=agreed)
    do(where, "fire m-tank-1 j-tank-1 front", 2, rank, *more)
    return where


@pytest.mark.parametrize(
    ("rank", "state"),
    [
        ("A", "destroyed"),
        ("K", "no fire to turn 2"),
        ("Q", "no move to turn 2"),
        ("J", "no fire for good"),
        ("10", "no move for good"),
        ("9", "no move to turn 2"),
        ("8", "no move to turn 2"),
        ("7", "forward only for good"),
        ("6", "reverse only to turn 3"),
        ("5", "crew killed"),
        ("4", "destroyed"),
        ("3", "destroyed"),
        ("2", "stunned for good"),
    ],
)
def test_every_damage_card_has_its_effect(rank: str, state: str) -> None:
    assert hit_by(rank).pieces["j-tank-1"].state_text() == state


def test_rulings_decide_how_long_a_card_lasts() -> None:
    this_turn = hit_by("K", agreed=["R-FIGHT-TURNS=this"]).pieces["j-tank-1"]
    assert this_turn.state_text() == "no fire to turn 1"
    seven = hit_by("7", agreed=["R-FIGHT-SEVEN=turn"]).pieces["j-tank-1"]
    assert seven.state_text() == "forward only to turn 2"


@pytest.mark.parametrize(
    ("rank", "may_move", "may_reverse"),
    [
        ("K", True, True),
        ("Q", False, False),
        ("10", False, False),
        ("9", False, False),
        ("7", True, False),
        ("6", False, True),
        ("2", False, False),
    ],
)
def test_some_cards_stop_a_vehicle(rank: str, may_move: bool, may_reverse: bool) -> None:
    for reverse, may in (("", may_move), ("reverse", may_reverse)):
        where = hit_by(rank)
        where.phase = 4
        if may:
            do(where, f"move j-tank-1 1 {reverse}")
        else:
            refused(where, f"move j-tank-1 1 {reverse}", "j-tank-1:")


@pytest.mark.parametrize("rank", ["K", "J", "2"])
def test_some_cards_silence_a_vehicle(rank: str) -> None:
    where = hit_by(rank)
    where.phase = 6
    refused(where, "fire j-tank-1 m-tank-1 side", "j-tank-1:")


def test_an_effect_ends_with_its_turn() -> None:
    where = hit_by("K")
    where.turn, where.phase = 2, 7
    do(where, "next")
    assert where.pieces["j-tank-1"].state_text() == "ready"


def test_a_stunned_vehicle_recovers_on_a_four_in_its_own_movement_phase() -> None:
    where = hit_by("2")
    do(where, "next")
    assert do(where, "next", 3).lines[-1] == "j-tank-1: 3, still stunned"
    for _ in range(7):
        do(where, "next")
    assert do(where, "next", 4).lines[-1] == "j-tank-1: 4, recovers"


def test_by_ruling_a_stunned_vehicle_recovers_in_any_movement_phase() -> None:
    where = hit_by("2", agreed=["R-FIGHT-STUN=any"])
    where.phase = 7
    assert do(where, "next", 4).lines[-1] == "j-tank-1: 4, recovers"


def test_a_vehicle_that_blows_up_damages_those_near_it() -> None:
    where = hit_by("4", "m-tank-1,j-rifle-1", "K", 6)
    assert where.pieces["m-tank-1"].state_text() == "fired, no fire to turn 2"
    assert where.pieces["j-rifle-1"].state_text() == "killed"


def test_no_card_comes_twice_before_the_deck_is_used_up() -> None:
    where = hit_by("K")
    assert len(new_deck()) == 52
    assert sorted(where.deck) == sorted(set_aside(new_deck(), "K"))
    where.deck = ["A"]
    where.pieces["m-tank-1"].fired_now = False
    with pytest.raises(RefusedError, match="K is not accepted; enter A"):
        do(where, "fire m-tank-1 j-tank-1 front", 2, "K")


def set_aside(deck: list[str], rank: str) -> list[str]:
    deck.remove(rank)
    return deck


def test_by_ruling_the_deck_is_shuffled_before_each_hit() -> None:
    where = fight("marine:tank", "japanese:truck", phase=FIRE_A, agreed=["R-FIGHT-DECK=hit"])
    where.deck = ["A"]
    do(where, "fire m-tank-1 j-truck-1", 2, "K", "Q")
    assert len(where.deck) == 50


# --- melee ----------------------------------------------------------------------------------------


def test_the_high_die_wins_and_ties_roll_again() -> None:
    where = fight("marine:rifle", "japanese:rifle", phase=MELEE)
    do(where, "melee m-rifle-1 j-rifle-1", 3, 3, 4, 2)
    assert where.pieces["j-rifle-1"].state_text() == "killed"


def test_a_japanese_officer_adds_one_and_a_marine_one_does_not() -> None:
    where = fight("marine:officer", "japanese:officer", phase=MELEE)
    told = do(where, "melee m-officer-1 j-officer-1", 3, 3).lines
    assert told == ["melee: m-officer-1 3, j-officer-1 4", "m-officer-1: killed"]


def test_by_ruling_melee_has_a_d10() -> None:
    where = fight("marine:rifle", "japanese:rifle", phase=MELEE, agreed=["R-FIGHT-DIE=d10"])
    do(where, "melee m-rifle-1 j-rifle-1", 9, 10)


# --- special rules --------------------------------------------------------------------------------


def test_there_are_eight_special_rules() -> None:
    assert list(read_fight_tables().special) == [1, 2, 3, 4, 5, 6, 7, 8]


def test_1_an_automatic_weapon_rolls_three_times() -> None:
    where = fight("marine:automatic", "japanese:rifle*4", phase=FIRE_A)
    assert len(do(where, "fire m-automatic-1 j-rifle-1 range=6", 9, 9, 9).lines) == 3
    where.pieces["m-automatic-1"].fired_now = False
    line = "fire m-automatic-1 j-rifle-1 j-rifle-2 j-rifle-3 j-rifle-4 range=6"
    refused(where, line, "at most 3 rolls for automatic, not 4")


def test_2_a_machinegun_rolls_for_every_target() -> None:
    where = fight("marine:machinegun", "japanese:rifle*5", phase=FIRE_A)
    targets = " ".join(f"j-rifle-{number},range={number * 7}" for number in range(1, 6))
    assert len(do(where, f"fire m-machinegun-1 {targets}", 9, 9, 9, 9, 9).lines) == 5


@pytest.mark.parametrize("crew", ["machinegun", "light_mortar", "heavy_mortar"])
def test_3_their_crews_do_not_both_move_and_fire(crew: str) -> None:
    where = fight(f"marine:{crew}", "japanese:rifle")
    do(where, f"move m-{crew}-1 1")
    where.phase = FIRE_A
    refused(where, f"fire m-{crew}-1 j-rifle-1 range=9", "has moved, so it may not fire")


def test_5_and_6_every_figure_has_grenades_and_no_other_weapon_than_its_own() -> None:
    types = {
        name: piece for name, piece in read_fight_tables().pieces.items() if not piece.is_vehicle
    }
    assert all("grenade" in piece.weapons for piece in types.values())
    where = fight("marine:rifle", "japanese:rifle", phase=FIRE_A)
    refused(where, "fire m-rifle-1 j-rifle-1 weapon=machinegun range=3", "has no machinegun")


def test_7_a_machinegun_lost_to_small_arms_is_crewed_again() -> None:
    where = fight("marine:rifle", "japanese:machinegun", "japanese:rifle", phase=FIRE_A)
    do(where, "fire m-rifle-1 j-machinegun-1 range=6", 1, 6, 6)
    assert where.pieces["j-machinegun-1"].state_text() == "crew killed"
    do(where, "crew j-machinegun-1 j-rifle-1")
    assert where.pieces["j-machinegun-1"].state_text() == "ready"
    assert where.pieces["j-rifle-1"].state_text() == "crewing j-machinegun-1"


def test_7_a_machinegun_lost_to_heavy_weapons_is_destroyed() -> None:
    where = fight("marine:tank", "japanese:machinegun", "japanese:rifle", phase=FIRE_A)
    do(where, "fire m-tank-1 j-machinegun-1", 1, 6, 6)
    refused(where, "crew j-machinegun-1 j-rifle-1", "destroyed")


def test_the_number_of_new_machinegun_crew_is_a_ruling() -> None:
    where = fight("japanese:light_mortar", "japanese:rifle", agreed=["R-FIGHT-RECREW=2"])
    where.pieces["j-light_mortar-1"].lost = "crew killed"
    refused(where, "crew j-light_mortar-1 j-rifle-1", "it needs 2 figures")
    refused(where, "crew j-gun-9 j-rifle-1", "j-gun-9: not in this fight; enter a piece whose")


def test_an_officer_and_two_infantry_crew_a_vehicle_again() -> None:
    where = fight("japanese:tank", "japanese:officer", "japanese:rifle*2")
    where.pieces["j-tank-1"].lost = "crew killed"
    refused(where, "crew j-tank-1 j-rifle-1 j-rifle-2", "an officer and 2 infantry")
    do(where, "crew j-tank-1 j-officer-1 j-rifle-1 j-rifle-2")
    assert where.pieces["j-tank-1"].in_play


def test_8_artillery_must_have_been_called_in_an_earlier_turn() -> None:
    where = fight("marine:rifle", "japanese:tank", "japanese:rifle", phase=FIRE_A)
    refused(where, "barrage m-rifle-1 j-tank-1", "must be called in an earlier turn")
    do(where, "call m-rifle-1 j-tank-1")
    refused(where, "barrage m-rifle-1 j-tank-1", "must be called in an earlier turn")
    where.turn = 2
    do(where, "barrage m-rifle-1 j-tank-1", "j-tank-1,j-rifle-1", "K", "Q")
    assert where.pieces["j-tank-1"].state_text() == "no fire to turn 3, no move to turn 3"
    assert where.pieces["j-rifle-1"].state_text() == "killed"
    refused(where, "barrage m-rifle-1 j-tank-1", "must be called")


def test_8_by_ruling_an_earlier_phase_is_enough_and_the_overlay_decides() -> None:
    agreed = ["R-FIGHT-PRECALL=phase", "R-FIGHT-OFF-BOARD=overlay"]
    where = fight("marine:rifle", "japanese:rifle", agreed=agreed)
    do(where, "call m-rifle-1 j-rifle-1")
    where.phase = FIRE_A
    told = do(where, "barrage m-rifle-1 j-rifle-1", "HIT", "j-rifle-1", 9).lines
    assert told[-1] == "m-rifle-1 off_board at j-rifle-1: 9, below 6: miss"


# --- indirect fire --------------------------------------------------------------------------------


@pytest.mark.parametrize(("weapon", "inches"), [("light_mortar", 2), ("heavy_mortar", 3)])
def test_a_mortar_hits_what_its_overlay_touches(weapon: str, inches: int) -> None:
    where = fight(f"marine:{weapon}", "japanese:rifle*2", phase=FIRE_A)
    assert read_fight_tables().weapons[weapon].overlay == inches
    line = f"fire m-{weapon}-1 j-rifle-1 range=30"
    told = do(where, line, "HIT", "j-rifle-1,j-rifle-2", 5, 6, 6).lines
    assert told[0].endswith("lands on j-rifle-1")
    assert where.pieces["j-rifle-1"].state_text() == "killed"
    assert where.pieces["j-rifle-2"].in_play


def test_heavy_artillery_has_an_overlay_of_four_inches() -> None:
    assert read_fight_tables().weapons["off_board"].overlay == 4


def test_an_arrow_gives_the_scatter_direction_and_a_d6_the_distance() -> None:
    where = fight("marine:light_mortar", "japanese:rifle", phase=FIRE_A)
    told = do(where, "fire m-light_mortar-1 j-rifle-1 range=30", "ARROW", 7, 4, "none").lines
    assert told == ["m-light_mortar-1 light_mortar: lands 4 inches off at 7 o'clock"]


def test_nobody_is_hit_twice_by_one_shell() -> None:
    where = fight("marine:light_mortar", "japanese:rifle", phase=FIRE_A)
    line = "fire m-light_mortar-1 j-rifle-1 range=9"
    assert len(do(where, line, "HIT", "j-rifle-1,j-rifle-1", 1, 6).lines) == 4


def test_the_armor_hit_by_a_shell_is_asked() -> None:
    where = fight("marine:light_mortar", "japanese:tank", phase=FIRE_A)
    told = do(
        where, "fire m-light_mortar-1 j-tank-1 range=9", "HIT", "j-tank-1", "rear", 7, *["K"] * 3
    )
    assert len(told.lines) == 5


@pytest.mark.parametrize(
    ("agreed", "below"), [("R-FIGHT-TOUCHED=infantry", 6), ("R-FIGHT-INFANTRY=9", 9)]
)
def test_rulings_decide_which_pieces_a_shell_hits(agreed: str, below: int) -> None:
    where = fight("marine:light_mortar", "japanese:rifle", phase=FIRE_A, agreed=[agreed])
    told = do(where, "fire m-light_mortar-1 j-rifle-1 range=9", "HIT", "j-rifle-1", 10).lines
    assert told[-1].endswith(f"below {below}: miss")


def test_the_scatter_die_is_a_ruling() -> None:
    where = fight("marine:light_mortar", "japanese:rifle", phase=2, agreed=["R-FIGHT-SCATTER=5"])
    asked: list[Question[Any]] = []

    def answer(ask: Question[Any]) -> object:
        asked.append(ask)
        return "10" if "d10" in ask.prompt else "HIT" if len(asked) == 1 else ask.default

    try_order(where.as_json(), "fire m-light_mortar-1 j-rifle-1 range=9", answer)
    assert getattr(asked[0], "faces", ()).count("HIT") == 5


# --- fielding -------------------------------------------------------------------------------------


def test_all_problems_of_the_forces_are_reported_together() -> None:
    with pytest.raises(RefusedError) as refusal:
        create_pieces(["marine:rifle*0", "german:tank", "japanese:samurai"])
    assert len(str(refusal.value).splitlines()) == 3


@pytest.mark.parametrize(("agreed", "cards"), [("R-FIGHT-BLAST=0", 0), ("R-FIGHT-BLAST=3", 3)])
def test_the_number_of_cards_a_blast_draws_is_a_ruling(agreed: str, cards: int) -> None:
    where = hit_by("4", "m-tank-1", *["K"] * cards, agreed=[agreed])
    assert len(where.deck) == 51 - cards


def test_the_number_of_cards_artillery_draws_is_a_ruling() -> None:
    where = fight("marine:rifle", "japanese:tank", agreed=["R-FIGHT-OFF-BOARD-CARDS=3"])
    where.phase, where.calls = FIRE_A, {"j-tank-1": [0, 0]}
    do(where, "barrage m-rifle-1 j-tank-1", "j-tank-1", "K", "K", "K")
