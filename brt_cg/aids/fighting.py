"""The orders of a quick fight, as steps that ask for dice and cards.

An order is a line of words: "fire m-tank-1 j-tank-1 side cover range=20". Options after a comma
belong to that target alone: "fire m-machinegun-1 j-rifle-1,range=10 j-rifle-2,cover,range=30".
"""

from collections.abc import Awaitable, Callable

from brt_cg.aids.fight import FightPiece
from brt_cg.aids.fight_orders import Order, Words, enemy, inches_of
from brt_cg.aids.fight_tables import GROUNDS, tables
from brt_cg.aids.firing import barrage, call, fire, lose
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Refused
from brt_cg.text import none_of, signed


async def carry_out(order: Order, line: str) -> None:
    """Carries out one order. Raises Refused."""
    verb, *words = line.split() or [""]
    if verb not in ORDERS:
        raise Refused(none_of(ORDERS, verb, f"unknown order {verb!r}"))
    given = Words.of(words)
    count, form, carries_out = ORDERS[verb]
    if len(given.ids) < count:
        raise Refused(f"{verb} needs more; allowed: {verb} {form}")
    await carries_out(order, given)


# --- turns ----------------------------------------------------------------------------------------


async def go_on(order: Order, _: Words) -> None:
    """Begins the next phase; at its movement phase a side's stunned vehicles may recover."""
    fight = order.fight
    fight.phase = (fight.phase + 1) % len(tables().phases)
    fight.turn += fight.phase == 0
    for piece in fight.pieces.values():
        piece.fired_now = False
        if fight.phase == 0:
            lasting = {name: end for name, end in piece.effects.items() if not 0 < end < fight.turn}
            piece.effects = lasting
        if fight.now.does == "move" and piece.side in fight.acting:
            piece.moved = False
            piece.fired = fight.fire_lasts and piece.fired and piece.fired_in == fight.turn
    order.say(fight.telling())
    for piece in fight.pieces.values():
        anybody = fight.rulings["R-FIGHT-STUN"] == "any" or piece.side in fight.acting
        if fight.now.does == "move" and piece.in_play and "stunned" in piece.effects and anybody:
            await _recover(order, piece)


async def _recover(order: Order, piece: FightPiece) -> None:
    needed = tables().numbers["stun_recovery"]
    die = await order.die(piece, f"{piece.id} recovers on {needed} or more", "Card Results")
    if die >= needed:
        del piece.effects["stunned"]
    order.say(f"{piece.id}: {die}, {'recovers' if die >= needed else 'still stunned'}")


# --- moving ---------------------------------------------------------------------------------------


async def move(order: Order, words: Words) -> None:
    """Moves a piece: "move m-tank-1 6 open 2 rough", one leg after the other."""
    piece = order.fight.piece(words.ids[0], "move")
    legs: list[tuple[float, str]] = []
    for word in words.ids[1:]:
        if word in GROUNDS and legs:
            legs[-1] = (legs[-1][0], word)
        else:
            legs.append((inches_of(word), "open"))
    used = order.fight.check_move(piece, legs, "reverse" in words.options)
    piece.moved = True
    way = " and ".join(f"{inches:g} {ground}" for inches, ground in legs)
    order.say(f"{piece.id} moves {way} ({used:.0%} of its move)")


# --- melee, crews, concealment --------------------------------------------------------------------


async def melee(order: Order, words: Words) -> None:
    """Resolves melee between two pieces: the high die wins, ties roll again, Japanese officers add
    1."""
    piece = order.fight.piece(words.ids[0], "melee")
    other = enemy(order.fight, piece, words.ids[1])
    if piece.sort.vehicle or other.sort.vehicle:
        raise Refused("vehicles do not fight in melee")
    scores = [0, 0]
    while scores[0] == scores[1]:
        scores = [await _blow(order, fighter) for fighter in (piece, other)]
        order.say(f"melee: {piece.id} {scores[0]}, {other.id} {scores[1]}")
    lose(order, other if scores[0] > scores[1] else piece, 1, heavy=False)


async def _blow(order: Order, piece: FightPiece) -> int:
    officer = piece.type == "officer" and piece.side == Side.JAPANESE
    bonus = tables().numbers["officer_bonus"] if officer else 0
    shown = f" {signed(bonus)} Japanese officer" if bonus else ""
    return bonus + await order.die(piece, f"{piece.id} in melee{shown}", "Melee")


async def crew(order: Order, words: Words) -> None:
    """Lets figures crew a weapon or vehicle whose crew was killed (rule 7; card 5)."""
    fight = order.fight
    left = fight.pieces.get(words.ids[0])
    if left is None or left.lost != "crew killed":
        state = left.state() if left else "not in this fight"
        raise Refused(f"{words.ids[0]}: {state}; allowed: a piece whose crew was killed")
    figures = [fight.piece(id) for id in dict.fromkeys(words.ids[1:])]
    if any(figure.side != left.side or figure.sort.kind != "infantry" for figure in figures):
        raise Refused("only infantry figures of its own side can crew it")
    officers = sum(figure.type == "officer" for figure in figures)
    needed = tables().numbers["vehicle_crew_infantry"]
    if left.sort.vehicle and (officers != 1 or len(figures) != 1 + needed):
        raise Refused(f"a vehicle needs an officer and {needed} infantry (card 5)")
    if left.sort.kind == "artillery":
        raise Refused("a gun cannot be crewed again, only a machinegun or mortar (rule 7)")
    if not left.sort.vehicle and len(figures) < int(fight.rulings["R-FIGHT-RECREW"]):
        raise Refused(f"it needs {fight.rulings['R-FIGHT-RECREW']} figures (R-FIGHT-RECREW)")
    for figure in figures:
        figure.lost = f"crewing {left.id}"
    left.figures, left.lost = (0 if left.sort.vehicle else len(figures)), None
    order.say(f"{left.id} is crewed by {', '.join(figure.id for figure in figures)}")


async def conceal(order: Order, words: Words) -> None:
    """Marks a piece as 90% concealed, or ends that."""
    piece = order.fight.piece(words.ids[0])
    piece.concealed = not piece.concealed
    order.say(f"{piece.id} is {'concealed' if piece.concealed else 'in the open'}")


CarriesOut = Callable[[Order, Words], Awaitable[None]]
# The number of ids that an order needs, its syntax, and its function.
ORDERS: dict[str, tuple[int, str, CarriesOut]] = {
    "next": (0, "", go_on),
    "move": (2, "ID INCHES [GROUND] [INCHES GROUND …] [reverse]", move),
    "fire": (
        2,
        "ID TARGET… [range=N] [front|side|rear] [cover] [heavier|lighter] [flank] [weapon=W]",
        fire,
    ),
    "melee": (2, "ID ID", melee),
    "call": (2, "ID TARGET", call),
    "barrage": (2, "ID TARGET", barrage),
    "crew": (2, "ID FIGURE…", crew),
    "conceal": (1, "ID", conceal),
}
