"""Firing in a quick fight: direct and indirect fire, off-board artillery, and the effects of a
hit."""

from fractions import Fraction

from brt_cg.aids.fight import Fight, FightPiece, new_deck
from brt_cg.aids.fight_orders import D6, D10, FACINGS, FLAGS, Order, Words, enemy
from brt_cg.aids.fight_tables import Target, tables
from brt_cg.questions.answers import Refused
from brt_cg.questions.dice import Modifier
from brt_cg.text import listed, signed


async def fire(order: Order, words: Words) -> None:
    """Fires at one target or, with a machinegun or an automatic weapon, at several."""
    fight = order.fight
    piece = fight.piece(words.ids[0], "fire")
    weapon = words.options.get("weapon") or next(iter(piece.sort.weapons), "weapon")
    aimed = [words.target(id) for id in words.ids[1:]]
    fight.check_fire(piece, weapon, len(aimed))
    data = tables().weapons[weapon]
    if len(aimed) == 1:
        aimed *= data.rolls
    for aim in aimed:
        target = enemy(fight, piece, aim.ids[0])
        fight.check_target(target, weapon, aim.inches)
        if data.overlay is None:
            _row(fight, target, weapon, aim, data.fire)
    piece.fired = piece.fired_now = True
    piece.fired_in = fight.turn if fight.fire_lasts else 0
    for aim in aimed:
        target = fight.pieces[aim.ids[0]]
        if data.overlay is not None:
            await _drop(order, piece, target, weapon, aim)
        elif target.in_play:
            await _shoot(order, piece, target, weapon, aim, data.fire)


async def _shoot(
    order: Order, piece: FightPiece, target: FightPiece, weapon: str, aim: Words, table: str
) -> None:
    """Rolls one d10 against the target's row, and resolves a hit."""
    row, below = _row(order.fight, target, weapon, aim, table)
    modifiers = _modifiers(piece, target, aim, table)
    total = sum(modifier.amount for modifier in modifiers)
    shown = "".join(f", {signed(modifier.amount)} {modifier.reason}" for modifier in modifiers)
    chance = Fraction(sum(n == 1 or n + total < below for n in range(1, 11)), 10)
    arc = f", within {tables().numbers['arc']}° of arc" if weapon in ("gun", "machinegun") else ""
    prompt = f"{piece.id} at {target.id}{arc}: below {below}{shown}, hits {float(chance):.0%}"
    part = "Tank/Antitank Fire" if table == "tank" else "Infantry Fire"
    natural = int(await order.lot(piece, D10, f"{prompt} (d10)", part))
    hit = natural == 1 or natural + total < below
    ends = f" → {natural + total}" if modifiers else ""
    order.say(
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


def _row(
    fight: Fight, target: FightPiece, weapon: str, aim: Words, table: str
) -> tuple[Target, int]:
    """The row of a target in a fire table, and the number below which it is hit. Raises Refused."""
    name = target.sort.rows[table]
    if table == "tank" and target.type == "tank":
        facing = [word for word in FACINGS if word in aim.options]
        if len(facing) != 1:
            raise Refused(f"which armor of {target.id}? add one of: {', '.join(FACINGS)}")
        name = facing[0]
    row = tables().targets[table, name]
    if row.only and weapon not in row.only:
        raise Refused(f"a {weapon} cannot hit armor; allowed: {listed(row.only)}")
    seen_below = (table, name) == ("tank", "infantry")
    return row, int(fight.rulings["R-FIGHT-INFANTRY"]) if seen_below else row.below


def _modifiers(piece: FightPiece, target: FightPiece, aim: Words, table: str) -> list[Modifier]:
    """The hit modifiers that apply, in the order of the table. Raises Refused for one of another
    table."""
    holding = {name for name in FLAGS if name in aim.options}
    holding |= {"attacker_moved"} if piece.moved else set()
    holding |= {"target_moved"} if target.moved else set()
    found = []
    for name, (fires, modifier) in tables().modifiers.items():
        if name in holding and table not in fires:
            raise Refused(f"{name} does not apply to {table} fire")
        if name in holding:
            found.append(modifier)
    if "flank" in holding and target.sort.kind not in ("artillery", "crew"):
        raise Refused(f"flank applies to artillery and heavy weapons only, not to {target.id}")
    return found


async def _dead(order: Order, target: FightPiece, heavy: bool) -> None:
    """Rolls a die for each figure; a 6 is dead."""
    number = tables().numbers["dead"]
    dice = [
        await order.die(target, f"{target.id}: a figure is dead on {number}", "Infantry Fire")
        for _ in range(target.figures)
    ]
    dead = sum(die >= number for die in dice)
    order.say(f"{target.id}: {', '.join(map(str, dice))}: {dead} dead")
    lose(order, target, dead, heavy)


def lose(order: Order, target: FightPiece, dead: int, heavy: bool) -> None:
    """Removes figures; a crew lost to small arms leaves its weapon (rule 7)."""
    target.figures -= dead
    if target.figures > 0 or not dead:
        return
    weapon = target.sort.kind in ("crew", "artillery")
    target.lost = ("destroyed" if heavy else "crew killed") if weapon else "killed"
    order.say(f"{target.id}: {target.lost}")


async def _cards(order: Order, target: FightPiece, count: int) -> None:
    """Draws cards for a vehicle and applies them, until one destroys it."""
    for _ in range(count):
        if not target.in_play:
            return
        fight = order.fight
        if not fight.deck:
            fight.deck = new_deck()
        rank = await order.lot(target, fight.deck, f"a card for {target.id}", "Card Results")
        left = list(fight.deck)
        left.remove(rank)
        fight.deck = left
        order.say(f"{target.id} draws {rank}: {tables().cards[rank].text}")
        await _card(order, target, rank)


async def _card(order: Order, target: FightPiece, rank: str) -> None:
    fight, card = order.fight, tables().cards[rank]
    if card.does == "crew_killed":
        target.lost = "crew killed"
    elif card.does in ("destroyed", "blows_up"):
        target.lost = "destroyed"
    else:
        turns = card.turns
        if card.does == "forward_only" and fight.rulings["R-FIGHT-SEVEN"] == "turn":
            turns = 1
        old = target.effects.get(card.does)
        new = 0 if card.does == "stunned" else fight.until(turns)
        target.effects[card.does] = 0 if 0 in (old, new) else max(old or 0, new)
    if card.does == "blows_up":
        inches = tables().numbers["blast_inches"]
        prompt = f"which pieces are within {inches} inches of {target.id}?"
        for near in await order.pieces(target, "none", prompt, "Card Results"):
            await _damage(order, near, int(fight.rulings["R-FIGHT-BLAST"]))


async def _damage(order: Order, piece: FightPiece, cards: int) -> None:
    """Applies damage without a roll to hit."""
    if piece.sort.vehicle:
        await _cards(order, piece, cards)
    else:
        await _dead(order, piece, heavy=True)


# --- indirect fire, artillery ---------------------------------------------------------------------


async def _drop(
    order: Order, piece: FightPiece, target: FightPiece, weapon: str, aim: Words
) -> None:
    """Resolves a shell: its landing point, and fire at everything under its overlay."""
    hits = int(order.fight.rulings["R-FIGHT-SCATTER"])
    faces = ("HIT",) * hits + ("ARROW",) * (tables().numbers["scatter_die"] - hits)
    part = "Indirect Fire"
    landed = await order.lot(piece, faces, f"{piece.id} at {target.id}: the special die", part)
    where = f"on {target.id}"
    if landed == "ARROW":
        way = await order.lot(
            piece, (*D10, "11", "12"), "the arrow points to which hour (1 to 12)?", part
        )
        where = f"{await order.lot(piece, D6, 'inches off (d6)', part)} inches off at {way} o'clock"
    order.say(f"{piece.id} {weapon}: lands {where}")
    overlay = tables().weapons[weapon].overlay
    default = target.id if landed == "HIT" else "none"
    prompt = f"which pieces does the {overlay}-inch overlay touch?"
    for touched in await order.pieces(piece, default, prompt, part):
        table = order.fight.rulings["R-FIGHT-TOUCHED"]
        options = {name: "1" for name in aim.options if name not in FACINGS}
        if touched.type == "tank" and table == "tank":
            options[await order.facing(piece, touched, part)] = "1"
        if touched.in_play:
            await _shoot(order, piece, touched, weapon, Words((touched.id,), options), table)


async def call(order: Order, words: Words) -> None:
    """Calls off-board artillery on a target that a figure sees, for later (rule 8)."""
    caller, target = order.fight.piece(words.ids[0]), words.ids[1]
    enemy(order.fight, caller, target)
    order.fight.calls[target] = [order.fight.turn, order.fight.phase]
    order.say(f"{caller.id} calls artillery on {target}")


async def barrage(order: Order, words: Words) -> None:
    """Resolves off-board artillery that was called before (rule 8)."""
    fight = order.fight
    caller, target = fight.piece(words.ids[0], "fire"), fight.piece(words.ids[1])
    called = fight.calls.get(target.id)
    turn = fight.rulings["R-FIGHT-PRECALL"] == "turn"
    now = [fight.turn, -1] if turn else [fight.turn, fight.phase]
    if not fight.free and (called is None or called >= now):
        when = fight.rulings["R-FIGHT-PRECALL"]
        raise Refused(f"artillery on {target.id} must be called in an earlier {when} (rule 8)")
    fight.calls.pop(target.id, None)
    if fight.rulings["R-FIGHT-OFF-BOARD"] == "overlay":
        await _drop(order, caller, target, "off_board", words)
        return
    numbers = tables().numbers
    prompt = f"{numbers['off_board_cards']} cards dropped from {numbers['off_board_drop']} inches:"
    part = "Special Rules 8"
    for hit in await order.pieces(caller, target.id, f"{prompt} which pieces do they touch?", part):
        order.say(f"artillery hits {hit.id}")
        if hit.sort.vehicle:
            await _cards(order, hit, int(fight.rulings["R-FIGHT-OFF-BOARD-CARDS"]))
        else:
            lose(order, hit, hit.figures, heavy=True)
