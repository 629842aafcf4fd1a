"""The orders of a quick fight, as steps that ask for dice and cards.

An order is a line of words: "fire m-tank-1 j-tank-1 side cover range=20". Options after a comma
belong to that target alone: "fire m-machinegun-1 j-rifle-1,range=10 j-rifle-2,cover,range=30".
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from brt_cg.aids.draws import RandomDraw
from brt_cg.aids.fight import (
    GROUNDS,
    RULE,
    FightPiece,
    FightState,
    TargetRow,
    new_deck,
    read_fight_tables,
)
from brt_cg.immutable import immutable
from brt_cg.model import Side
from brt_cg.questions import ChoiceQuestion, EntryQuestion, Modifier, Option, RefusedError
from brt_cg.text import list_text, signed_text, unknown_name_error

D10 = tuple(str(face) for face in range(1, 11))
D6 = D10[:6]
FACINGS = ("front", "side", "rear")
VALUED = ("range", "weapon")
FLAGS = (*FACINGS, "cover", "heavier", "lighter", "flank", "reverse")


@dataclass(slots=True)
class FightOrder:
    """One order while it is carried out on a fight, which it changes; `lines` are for the
    players."""

    fight: FightState
    lines: list[str] = field(default_factory=list)

    def add_line(self, text: str) -> None:
        self.lines.append(text)

    async def draw_face(
        self, piece: FightPiece, faces: Sequence[str], prompt: str, part: str
    ) -> str:
        """Draw one of these faces."""
        side = Side(piece.side)
        rule = f"{RULE}, {part}"
        return await RandomDraw(
            rule=rule, subject=piece.id, side=side, prompt=prompt, faces=tuple(faces)
        )

    async def roll_die(self, piece: FightPiece, prompt: str, part: str) -> int:
        """Roll the die that R-FIGHT-DIE names."""
        faces = D6 if self.fight.rulings["R-FIGHT-DIE"] == "d6" else D10
        return int(await self.draw_face(piece, faces, f"{prompt} (d{len(faces)})", part))

    async def ask_facing(self, by: FightPiece, target: FightPiece, part: str) -> str:
        """Ask which armor of a tank is hit, as the players see it on the table."""
        return await ChoiceQuestion(
            rule=f"{RULE}, {part}",
            subject=target.id,
            side=Side(by.side),
            prompt=f"which armor of {target.id} is hit?",
            options=tuple(Option(facing, facing, facing) for facing in FACINGS),
            default="side",
        )

    async def ask_pieces(
        self, by: FightPiece, default: str, prompt: str, part: str
    ) -> list[FightPiece]:
        """Ask for pieces; there may be none."""

        def read(raw: object) -> list[FightPiece]:
            ids = [] if raw in (None, "", "none") else str(raw).split(",")
            return [self.fight.usable_piece(id) for id in dict.fromkeys(ids)]

        return await EntryQuestion(
            rule=f"{RULE}, {part}",
            subject=by.id,
            side=Side(by.side),
            prompt=prompt,
            reader=read,
            hint="ids separated by commas, or none",
            default=default,
        )


@immutable
class OrderWords:
    """The words of an order after its verb: ids (and numbers), and options by name."""

    ids: tuple[str, ...]
    options: dict[str, str]

    @classmethod
    def parse(cls, words: Sequence[str]) -> "OrderWords":
        """Parse the typed words. Raises RefusedError for an unknown option."""
        ids: list[str] = []
        options: dict[str, str] = {}
        for word in words:
            name, equals, value = word.partition("=")
            if word in FLAGS or (name in VALUED and value):
                options[name] = value or "1"
            elif equals and "," not in word:
                raise unknown_option_error(word)
            else:
                ids.append(word)
        return cls(tuple(ids), options)

    def words_for_target(self, id: str) -> "OrderWords":
        """Return one target, with its own options in addition to those for all."""
        name, *own = id.split(",")
        unknown = [word for word in own if "=" not in word and word not in FLAGS]
        if unknown:
            raise unknown_option_error(unknown[0])
        return OrderWords((name,), {**self.options, **OrderWords.parse(own).options})

    @property
    def distance(self) -> float | None:
        return None if "range" not in self.options else parse_inches(self.options["range"])


def unknown_option_error(word: str) -> RefusedError:
    """Return the error for a word that is not an option of an order."""
    known = (*FLAGS, *(f"{name}=…" for name in VALUED))
    return RefusedError(unknown_name_error(known, word, f"unknown option {word}"))


def parse_inches(text: str) -> float:
    """Return a number of inches as players write it: "6", "1/2", "4.5". Raises RefusedError."""
    try:
        found = float(Fraction(text))
    except (ValueError, ZeroDivisionError):
        found = -1.0
    if not 0 <= found <= 1000:
        raise RefusedError(f"{text} is not accepted; enter inches from 0 to 1000")
    return found


def enemy_piece(fight: FightState, piece: FightPiece, id: str) -> FightPiece:
    """Return an opponent's piece in play. Raises RefusedError for any other."""
    target = fight.usable_piece(id)
    if target.side == piece.side:
        raise RefusedError(f"{id} is on the same side")
    return target


# --- firing ---------------------------------------------------------------------------------------


async def fire_weapon(order: FightOrder, words: OrderWords) -> None:
    """Fire at one target or, with a machinegun or an automatic weapon, at several."""
    fight = order.fight
    piece = fight.usable_piece(words.ids[0], "fire")
    weapon = words.options.get("weapon") or next(iter(piece.piece_type.weapons), "weapon")
    aimed = [words.words_for_target(id) for id in words.ids[1:]]
    fight.check_fire(piece, weapon, len(aimed))
    data = read_fight_tables().weapons[weapon]
    if len(aimed) == 1:
        aimed *= data.rolls
    for aim in aimed:
        target = enemy_piece(fight, piece, aim.ids[0])
        fight.check_target(target, weapon, aim.distance)
        if data.overlay is None:
            _target_row(fight, target, weapon, aim, data.fire)
    piece.fired = piece.fired_now = True
    piece.fired_in = fight.turn if fight.fired_pieces_stay_spotted else 0
    for aim in aimed:
        target = fight.pieces[aim.ids[0]]
        if data.overlay is not None:
            await _drop(order, piece, target, weapon, aim)
        elif target.in_play:
            await _shoot(order, piece, target, weapon, aim, data.fire)


async def _shoot(
    order: FightOrder,
    piece: FightPiece,
    target: FightPiece,
    weapon: str,
    aim: OrderWords,
    table: str,
) -> None:
    """Roll one d10 against the target's row, and resolve a hit."""
    row, below = _target_row(order.fight, target, weapon, aim, table)
    modifiers = _modifiers(piece, target, aim, table)
    total = sum(modifier.amount for modifier in modifiers)
    shown = "".join(f", {signed_text(modifier.amount)} {modifier.reason}" for modifier in modifiers)
    chance = Fraction(sum(n == 1 or n + total < below for n in range(1, 11)), 10)
    arc = (
        f", within {read_fight_tables().numbers['arc']}° of arc"
        if weapon in ("gun", "machinegun")
        else ""
    )
    prompt = f"{piece.id} at {target.id}{arc}: below {below}{shown}, hits {float(chance):.0%}"
    part = "Tank/Antitank Fire" if table == "tank" else "Infantry Fire"
    natural = int(await order.draw_face(piece, D10, f"{prompt} (d10)", part))
    hit = natural == 1 or natural + total < below
    ends = f" → {natural + total}" if modifiers else ""
    order.add_line(
        f"{piece.id} {weapon} at {target.id}: {natural}{shown}{ends}, below {below}: "
        + ("hit" if hit else "miss")
    )
    if not hit:
        return
    if order.fight.rulings["R-FIGHT-DECK"] == "hit":
        order.fight.deck = []
    if row.cards:
        await _cards(order, target, row.cards)
    else:
        heavy = table == "tank" or weapon in ("light_mortar", "heavy_mortar")
        await _dead(order, target, heavy)


def _target_row(
    fight: FightState, target: FightPiece, weapon: str, aim: OrderWords, table: str
) -> tuple[TargetRow, int]:
    """Return the row of a target in a fire table, and the number below which it is hit. Raises
    RefusedError."""
    name = target.piece_type.rows[table]
    if table == "tank" and target.type == "tank":
        facing = [word for word in FACINGS if word in aim.options]
        if len(facing) != 1:
            raise RefusedError(f"which armor of {target.id}? add one of: {', '.join(FACINGS)}")
        name = facing[0]
    row = read_fight_tables().targets[table, name]
    if row.only and weapon not in row.only:
        raise RefusedError(f"{weapon} fire cannot hit armor; use {list_text(row.only)}")
    seen_below = (table, name) == ("tank", "infantry")
    return row, int(fight.rulings["R-FIGHT-INFANTRY"]) if seen_below else row.below


def _modifiers(
    piece: FightPiece, target: FightPiece, aim: OrderWords, table: str
) -> list[Modifier]:
    """Return the hit modifiers that apply, in the order of the table. Raises RefusedError for a
    modifier of another table."""
    holding = {name for name in FLAGS if name in aim.options}
    holding |= {"attacker_moved"} if piece.moved else set()
    holding |= {"target_moved"} if target.moved else set()
    found = []
    for name, (fires, modifier) in read_fight_tables().modifiers.items():
        if name in holding and table not in fires:
            raise RefusedError(f"{name} does not apply to {table} fire")
        if name in holding:
            found.append(modifier)
    if "flank" in holding and target.piece_type.kind not in ("artillery", "crew"):
        raise RefusedError(f"flank applies to artillery and heavy weapons only, not to {target.id}")
    return found


async def _dead(order: FightOrder, target: FightPiece, heavy: bool) -> None:
    """Roll a die for each figure, which dies on a 6."""
    number = read_fight_tables().numbers["dead"]
    dice = [
        await order.roll_die(target, f"{target.id}: a figure dies on a {number}", "Infantry Fire")
        for _ in range(target.figures)
    ]
    dead = sum(die >= number for die in dice)
    order.add_line(f"{target.id}: {', '.join(map(str, dice))}: {dead} dead")
    remove_figures(order, target, dead, heavy)


def remove_figures(order: FightOrder, target: FightPiece, dead: int, heavy: bool) -> None:
    """Remove figures; a crew lost to small arms leaves its weapon (rule 7)."""
    target.figures -= dead
    if target.figures > 0 or not dead:
        return
    weapon = target.piece_type.kind in ("crew", "artillery")
    target.lost = ("destroyed" if heavy else "crew killed") if weapon else "killed"
    order.add_line(f"{target.id}: {target.lost}")


async def _cards(order: FightOrder, target: FightPiece, count: int) -> None:
    """Draw cards for a vehicle and apply them, until one destroys it."""
    for _ in range(count):
        if not target.in_play:
            return
        fight = order.fight
        if not fight.deck:
            fight.deck = new_deck()
        rank = await order.draw_face(target, fight.deck, f"a card for {target.id}", "Card Results")
        left = list(fight.deck)
        left.remove(rank)
        fight.deck = left
        order.add_line(f"{target.id} draws {rank}: {read_fight_tables().cards[rank].text}")
        await _card(order, target, rank)


async def _card(order: FightOrder, target: FightPiece, rank: str) -> None:
    fight, card = order.fight, read_fight_tables().cards[rank]
    if card.does == "crew_killed":
        target.lost = "crew killed"
    elif card.does in ("destroyed", "blows_up"):
        target.lost = "destroyed"
    else:
        turns = card.turns
        if card.does == "forward_only" and fight.rulings["R-FIGHT-SEVEN"] == "turn":
            turns = 1
        old = target.effects.get(card.does)
        new = 0 if card.does == "stunned" else fight.last_turn_of_effect(turns)
        target.effects[card.does] = 0 if 0 in (old, new) else max(old or 0, new)
    if card.does == "blows_up":
        inches = read_fight_tables().numbers["blast_inches"]
        prompt = f"which pieces are within {inches} inches of {target.id}?"
        for near in await order.ask_pieces(target, "none", prompt, "Card Results"):
            await _damage(order, near, int(fight.rulings["R-FIGHT-BLAST"]))


async def _damage(order: FightOrder, piece: FightPiece, cards: int) -> None:
    """Apply damage without a roll to hit."""
    if piece.piece_type.is_vehicle:
        await _cards(order, piece, cards)
    else:
        await _dead(order, piece, heavy=True)


# --- indirect fire, artillery ---------------------------------------------------------------------


async def _drop(
    order: FightOrder, piece: FightPiece, target: FightPiece, weapon: str, aim: OrderWords
) -> None:
    """Resolve a shell: its landing point, and fire at everything under its overlay."""
    hits = int(order.fight.rulings["R-FIGHT-SCATTER"])
    faces = ("HIT",) * hits + ("ARROW",) * (read_fight_tables().numbers["scatter_die"] - hits)
    part = "Indirect Fire"
    landed = await order.draw_face(
        piece, faces, f"{piece.id} fires at {target.id}: the special die", part
    )
    where = f"on {target.id}"
    if landed == "ARROW":
        way = await order.draw_face(
            piece, (*D10, "11", "12"), "which hour does the arrow point to (1 to 12)?", part
        )
        where = (
            f"{await order.draw_face(piece, D6, 'inches off (d6)', part)} inches off "
            f"at {way} o'clock"
        )
    order.add_line(f"{piece.id} {weapon}: lands {where}")
    overlay = read_fight_tables().weapons[weapon].overlay
    default = target.id if landed == "HIT" else "none"
    prompt = f"which pieces does the {overlay}-inch overlay touch?"
    for touched in await order.ask_pieces(piece, default, prompt, part):
        table = order.fight.rulings["R-FIGHT-TOUCHED"]
        options = {name: "1" for name in aim.options if name not in FACINGS}
        if touched.type == "tank" and table == "tank":
            options[await order.ask_facing(piece, touched, part)] = "1"
        if touched.in_play:
            await _shoot(order, piece, touched, weapon, OrderWords((touched.id,), options), table)


async def call_artillery(order: FightOrder, words: OrderWords) -> None:
    """Call off-board artillery on a target that a figure sees, for later (rule 8)."""
    caller, target = order.fight.usable_piece(words.ids[0]), words.ids[1]
    enemy_piece(order.fight, caller, target)
    order.fight.calls[target] = [order.fight.turn, order.fight.phase]
    order.add_line(f"{caller.id} calls artillery on {target}")


async def resolve_artillery(order: FightOrder, words: OrderWords) -> None:
    """Resolve off-board artillery that was called before (rule 8)."""
    fight = order.fight
    caller, target = fight.usable_piece(words.ids[0], "fire"), fight.usable_piece(words.ids[1])
    called = fight.calls.get(target.id)
    turn = fight.rulings["R-FIGHT-PRECALL"] == "turn"
    now = [fight.turn, -1] if turn else [fight.turn, fight.phase]
    if not fight.free and (called is None or called >= now):
        when = fight.rulings["R-FIGHT-PRECALL"]
        raise RefusedError(f"artillery on {target.id} must be called in an earlier {when} (rule 8)")
    fight.calls.pop(target.id, None)
    if fight.rulings["R-FIGHT-OFF-BOARD"] == "overlay":
        await _drop(order, caller, target, "off_board", words)
        return
    numbers = read_fight_tables().numbers
    prompt = f"{numbers['off_board_cards']} cards dropped from {numbers['off_board_drop']} inches:"
    part = "Special Rules 8"
    for hit in await order.ask_pieces(
        caller, target.id, f"{prompt} which pieces do they touch?", part
    ):
        order.add_line(f"artillery hits {hit.id}")
        if hit.piece_type.is_vehicle:
            await _cards(order, hit, int(fight.rulings["R-FIGHT-OFF-BOARD-CARDS"]))
        else:
            remove_figures(order, hit, hit.figures, heavy=True)


# --- orders ---------------------------------------------------------------------------------------


async def carry_out_order(order: FightOrder, line: str) -> None:
    """Carry out one order. Raises RefusedError."""
    verb, *words = line.split() or [""]
    if verb not in ORDERS:
        raise RefusedError(unknown_name_error(ORDERS, verb, f"unknown order {verb!r}"))
    given = OrderWords.parse(words)
    count, form, carries_out = ORDERS[verb]
    if len(given.ids) < count:
        raise RefusedError(f"{verb} needs more; enter {verb} {form}")
    await carries_out(order, given)


# --- turns ----------------------------------------------------------------------------------------


async def begin_next_phase(order: FightOrder, _: OrderWords) -> None:
    """Begin the next phase; in its movement phase a side's stunned vehicles may recover."""
    fight = order.fight
    fight.phase = (fight.phase + 1) % len(read_fight_tables().phases)
    fight.turn += fight.phase == 0
    for piece in fight.pieces.values():
        piece.fired_now = False
        if fight.phase == 0:
            lasting = {name: end for name, end in piece.effects.items() if not 0 < end < fight.turn}
            piece.effects = lasting
        if fight.current_phase.does == "move" and piece.side in fight.acting_sides:
            piece.moved = False
            piece.fired = (
                fight.fired_pieces_stay_spotted and piece.fired and piece.fired_in == fight.turn
            )
    order.add_line(fight.turn_text())
    for piece in fight.pieces.values():
        anybody = fight.rulings["R-FIGHT-STUN"] == "any" or piece.side in fight.acting_sides
        if (
            fight.current_phase.does == "move"
            and piece.in_play
            and "stunned" in piece.effects
            and anybody
        ):
            await _recover(order, piece)


async def _recover(order: FightOrder, piece: FightPiece) -> None:
    needed = read_fight_tables().numbers["stun_recovery"]
    die = await order.roll_die(piece, f"{piece.id} recovers on {needed} or more", "Card Results")
    if die >= needed:
        del piece.effects["stunned"]
    order.add_line(f"{piece.id}: {die}, {'recovers' if die >= needed else 'still stunned'}")


# --- moving ---------------------------------------------------------------------------------------


async def move_piece(order: FightOrder, words: OrderWords) -> None:
    """Move a piece: "move m-tank-1 6 open 2 rough", one leg after the other."""
    piece = order.fight.usable_piece(words.ids[0], "move")
    legs: list[tuple[float, str]] = []
    for word in words.ids[1:]:
        if word in GROUNDS and legs:
            legs[-1] = (legs[-1][0], word)
        else:
            legs.append((parse_inches(word), "open"))
    used = order.fight.move_share_used(piece, legs, "reverse" in words.options)
    piece.moved = True
    way = " and ".join(f"{inches:g} {ground}" for inches, ground in legs)
    order.add_line(f"{piece.id} moves {way} ({used:.0%} of its move)")


# --- melee, crews, concealment --------------------------------------------------------------------


async def resolve_melee(order: FightOrder, words: OrderWords) -> None:
    """Resolve melee between two pieces: the high die wins, ties roll again, Japanese officers add
    1."""
    piece = order.fight.usable_piece(words.ids[0], "melee")
    other = enemy_piece(order.fight, piece, words.ids[1])
    if piece.piece_type.is_vehicle or other.piece_type.is_vehicle:
        raise RefusedError("vehicles do not fight in melee")
    scores = [0, 0]
    while scores[0] == scores[1]:
        scores = [await _blow(order, fighter) for fighter in (piece, other)]
        order.add_line(f"melee: {piece.id} {scores[0]}, {other.id} {scores[1]}")
    remove_figures(order, other if scores[0] > scores[1] else piece, 1, heavy=False)


async def _blow(order: FightOrder, piece: FightPiece) -> int:
    officer = piece.type == "officer" and piece.side == Side.JAPANESE
    bonus = read_fight_tables().numbers["officer_bonus"] if officer else 0
    shown = f" {signed_text(bonus)} Japanese officer" if bonus else ""
    return bonus + await order.roll_die(piece, f"{piece.id} in melee{shown}", "Melee")


async def crew_weapon(order: FightOrder, words: OrderWords) -> None:
    """Let figures crew a weapon or vehicle whose crew was killed (rule 7; card 5)."""
    fight = order.fight
    left = fight.pieces.get(words.ids[0])
    if left is None or left.lost != "crew killed":
        state = left.state_text() if left else "not in this fight"
        raise RefusedError(f"{words.ids[0]}: {state}; enter a piece whose crew was killed")
    figures = [fight.usable_piece(id) for id in dict.fromkeys(words.ids[1:])]
    if any(figure.side != left.side or figure.piece_type.kind != "infantry" for figure in figures):
        raise RefusedError("only infantry figures of the same side can crew it")
    officers = sum(figure.type == "officer" for figure in figures)
    needed = read_fight_tables().numbers["vehicle_crew_infantry"]
    if left.piece_type.is_vehicle and (officers != 1 or len(figures) != 1 + needed):
        raise RefusedError(f"a vehicle needs an officer and {needed} infantry (card 5)")
    if left.piece_type.kind == "artillery":
        raise RefusedError("a gun cannot be crewed again, only a machinegun or mortar (rule 7)")
    if not left.piece_type.is_vehicle and len(figures) < int(fight.rulings["R-FIGHT-RECREW"]):
        raise RefusedError(f"it needs {fight.rulings['R-FIGHT-RECREW']} figures (R-FIGHT-RECREW)")
    for figure in figures:
        figure.lost = f"crewing {left.id}"
    left.figures, left.lost = (0 if left.piece_type.is_vehicle else len(figures)), None
    order.add_line(f"{left.id} is crewed by {', '.join(figure.id for figure in figures)}")


async def toggle_concealed(order: FightOrder, words: OrderWords) -> None:
    """Mark a piece as 90% concealed, or no longer concealed."""
    piece = order.fight.usable_piece(words.ids[0])
    piece.concealed = not piece.concealed
    order.add_line(f"{piece.id} is {'concealed' if piece.concealed else 'in the open'}")


CarriesOut = Callable[[FightOrder, OrderWords], Awaitable[None]]
# The number of ids that an order needs, its syntax, and its function.
ORDERS: dict[str, tuple[int, str, CarriesOut]] = {
    "next": (0, "", begin_next_phase),
    "move": (2, "ID INCHES [GROUND] [INCHES GROUND …] [reverse]", move_piece),
    "fire": (
        2,
        "ID TARGET… [range=N] [front|side|rear] [cover] [heavier|lighter] [flank] [weapon=W]",
        fire_weapon,
    ),
    "melee": (2, "ID ID", resolve_melee),
    "call": (2, "ID TARGET", call_artillery),
    "barrage": (2, "ID TARGET", resolve_artillery),
    "crew": (2, "ID FIGURE…", crew_weapon),
    "conceal": (1, "ID", toggle_concealed),
}
