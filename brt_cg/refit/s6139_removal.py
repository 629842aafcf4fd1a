"""15.6139: removal of wrecks, wire, rubble, pillboxes, entrenchments."""

from collections.abc import Iterable, Sequence
from typing import Any

from brt_cg.board import grid, hex_order_key, locations
from brt_cg.model import (
    SIDES,
    Counter,
    Fortification,
    Side,
    Terrain,
    TerrainKind,
    Unit,
    UnitKind,
    UnitStrength,
    Vehicle,
)
from brt_cg.model.cleanup import move_counters_out
from brt_cg.questions import (
    AnswerForm,
    Candidate,
    Dice,
    DiceTable,
    QuestionItem,
    Raw,
    RollQuestion,
    TableRow,
    raise_problems,
)
from brt_cg.refit.engineers import separate_type_traits
from brt_cg.refit.losses import (
    casualty_reduce,
    disembark_crew,
    log_and_score_crew_loss,
    log_lost_weapons,
    mark_crews_eliminated,
    remove_from_play,
)
from brt_cg.refit.play import Play, TableResults, paragraph
from brt_cg.refit.s608_retained import location_deciding_control, take_over_location_if_deserted
from brt_cg.refit.s609_prisoners import reassign_prisoners_if_guard_lost
from brt_cg.refit.victory import has_fallen
from brt_cg.text import short_json, split_at_spaces_and_commas

Removable = Vehicle | Fortification | Terrain
Helper = Unit | Vehicle
Try = tuple[Removable, list[Helper]]  # an item, and its helpers

WIRE = ("wire", "seawall_breach")
EARTHWORKS = ("bombproof", "trench")
MANY_TYPES = ("pillbox", "foxhole")  # "pillbox_1_3_5", "foxhole_2s" …
RUBBLE = (TerrainKind.WOODEN_RUBBLE, TerrainKind.STONE_RUBBLE)


class RemovalResults(TableResults, tables=("15.6139.wreck", "15.6139.wire", "15.6139.rubble")):
    """The results of an attempt at removal."""

    REMOVED = "removed"
    REMAINS = "remains"


@paragraph(
    "15.6139",
    nothing="there is nothing to remove",
    rolls=[RemovalResults],
    subjects=("COUNTER/…", "R-CVP-REFIT", "R-WRECK-REMOVAL"),
)
async def attempt_removals(play: Play) -> None:
    """A side may try once to remove each wreck or immobile vehicle (R-WRECK-REMOVAL), wire, seawall
    breach, rubble, pillbox, bombproof, trench or foxhole in its friendly-Controlled Locations. Each
    engineer squad, laborer squad and bulldozer helps one try in its own area. The crew of a manned
    vehicle leaves it first (R-REMOVED-CREW). An Original 6 for an item in a Front Line
    Location is a Casualty Reduction of one MMC in that area."""
    for side in SIDES:
        for item, helpers in await _tries_of(play, side):
            await _try(play, side, item, helpers)


# --- the possible attempts, and their helpers -----------------------------------------------------


async def _tries_of(play: Play, side: Side) -> list[Try]:
    """Return the attempts that a side enters, by hex, then by id."""
    items = {item.id: item for item in _items_of(play, side)}
    return await play.ask_about_counters_together(
        side,
        "removal: which items do you try to remove, and which units help?",
        items,
        lambda item: _form_of(play, side, item),
        lambda raw: _read_attempts(play, side, items, raw),
        '{item: {"helpers": [ids]}, …}; {} for none',
        "no removal attempts",
    )


def _form_of(play: Play, side: Side, item: Removable) -> QuestionItem:
    """Yield the form for an attempt: with the dr needed without help, and the possible helpers."""

    def worded(raw: Raw) -> str:
        units = [play.campaign.find(id) for id in raw["helpers"]]
        names = [unit.label for unit in units if unit is not None]
        return f"tried with {', '.join(names)}" if names else "tried without help"

    highest = _highest_dr(play, side, item, [])

    def candidates() -> Iterable[Candidate]:
        alone = Candidate({"helpers": []}, f"without help: {_dr_text(highest)}", "+")
        if highest > 0 and not _unmet(play, item, []):
            yield alone
        for helper in _able_to_help(play, side, item):
            if not _unmet(play, item, [helper]):
                dr = _dr_text(_highest_dr(play, side, item, [helper]))
                words = f"with the help of {play.name_with_place(helper)}: {dr}"
                yield Candidate({"helpers": [helper.id]}, words, helper.id)
        if highest <= 0 and not _unmet(play, item, []):
            yield alone

    alone = f"{_dr_text(highest)} without help" if highest > 0 else "needs help"
    if highest <= 0 and not _able_to_help(play, side, item):
        alone = "needs help, and no unit in its Setup Area can help"
    form = AnswerForm(
        hint="the units that help, separated by spaces; + to try without help",
        typed=lambda text: {"helpers": split_at_spaces_and_commas(text.replace("+", " "))},
        worded=worded,
        candidates=candidates,
        joined=lambda raws: {"helpers": [id for raw in raws for id in raw["helpers"]]},
        counters=lambda: play.named_counters(_able_to_help(play, side, item)),
    )
    manned = isinstance(item, Vehicle) and item.manned
    lost = ", and its crew is lost with it" if manned and _crew_is_lost(play) else ""
    return play.question_item(item, f", {alone}{lost}", form)


def _items_of(play: Play, side: Side) -> list[Removable]:
    campaign = play.campaign
    items: tuple[Removable, ...] = (
        *(vehicle for vehicle in campaign.vehicles.values() if vehicle.immobile),
        *(fort for fort in campaign.fortifications.values() if _table_of(fort) is not None),
        *(terrain for terrain in campaign.terrain.values() if terrain.kind in RUBBLE),
    )
    mine = (item for item in items if item.in_play and _controller(play, item) is side)
    mine = (item for item in mine if play.secret_of(item) is not side.enemy)
    return sorted(mine, key=lambda item: (hex_order_key(item.location), item.id))


def _controller(play: Play, item: Removable) -> Side | None:
    if item.location is None or item.off_map:
        return None
    if isinstance(item, Fortification):
        return item.controller
    return play.campaign.side_controlling(item.location, play.secret_of(item))


def _table_of(item: Removable) -> str | None:
    """Return the table that an item rolls on; None if it cannot be removed."""
    if isinstance(item, Vehicle):
        return "15.6139.wreck"
    if isinstance(item, Terrain):
        return "15.6139.rubble"
    if item.type in WIRE:
        return "15.6139.wire"
    return "15.6139.rubble" if item.type in EARTHWORKS or item.type.startswith(MANY_TYPES) else None


def _home(play: Play, side: Side, item: Removable) -> str | None:
    """Return the area or Isolated Location that an item is in."""
    here = (
        location_deciding_control(play.campaign, item)
        if isinstance(item, Fortification)
        else item.location
    )
    if here is not None and play.campaign.side_isolated_in(here, play.secret_of(item)) is side:
        return here if play.ruling_value("R-ISOLATED-AREA") == "yes" else None
    area = next(filter(None, map(play.campaign.area_at, _own_hexes(play, side, item))), None)
    return area.id if area else None


def _own_hexes(play: Play, side: Side, item: Removable) -> list[str]:
    """Return the Location of an item; for a hexside, those of its two hexes that belong to its
    side, if any."""
    assert item.location is not None
    both = item.location.split("/")
    known_to = play.secret_of(item)
    return [
        place for place in both if play.campaign.side_controlling(place, known_to) is side
    ] or both


def _read_attempts(
    play: Play, side: Side, items: dict[str, Removable], raw: dict[str, Raw]
) -> list[Try]:
    problems: list[str] = []
    helping: dict[str, str] = {}
    tries: list[Try] = []
    for key, item in items.items():
        if key not in raw:
            continue
        helpers = list(_read_helpers(play, side, item, raw[key], problems))
        for helper in helpers:
            if helping.setdefault(helper.id, key) != key:
                problems.append(f"{key}: {helper.id} already helps at {helping[helper.id]}")
        problems.extend(_unmet(play, item, helpers))
        tries.append((item, helpers))
    raise_problems(problems)
    return tries


def _read_helpers(
    play: Play, side: Side, item: Removable, raw: Any, problems: list[str]
) -> Iterable[Helper]:
    """Yield the helpers named for an item, and note those that cannot help."""
    ids = raw.get("helpers", []) if isinstance(raw, dict) and set(raw) <= {"helpers"} else None
    if not isinstance(ids, list) or not all(isinstance(id_, str) for id_ in ids):
        problems.append(f'{item.id}: {short_json(raw)} is not accepted; enter {{"helpers": [ids]}}')
        return
    able = {helper.id: helper for helper in _able_to_help(play, side, item)}
    for key in ids:
        if key not in able:
            allowed = play.names_or_ids_text(able.values()) or "none"
            problems.append(f"{item.id}: {key} cannot help there; enter {allowed}")
        elif ids.count(key) > 1:
            problems.append(f"{item.id}: {key} is named twice")
        else:
            yield able[key]


def _able_to_help(play: Play, side: Side, item: Removable) -> list[Helper]:
    """Return the engineer squads, laborer squads and bulldozers of a side in an item's area."""
    campaign, home = play.campaign, _home(play, side, item)
    if home is None:
        return []
    pieces = campaign.sort_counters_in_play((*campaign.units.values(), *campaign.vehicles.values()))
    own = (piece for piece in pieces if piece.side is side and _can_work(play, piece))
    return [piece for piece in own if campaign.retained_place(piece) == home]


def _can_work(play: Play, helper: Helper) -> bool:
    if isinstance(helper, Vehicle):
        return helper.bulldozer and not helper.immobile
    workers = helper.kind is UnitKind.SQUAD and separate_type_traits(
        play.campaign, play.card, helper
    )
    return bool(workers) and helper.armed


def _unmet(play: Play, item: Removable, helpers: list[Helper]) -> list[str]:
    """Return the unmet conditions for an attempt on a wreck or immobile vehicle
    (R-WRECK-REMOVAL)."""
    ruling = play.ruling_value("R-WRECK-REMOVAL")
    if not isinstance(item, Vehicle) or ruling == "none":
        return []
    if ruling == "helper" and not helpers:
        return [
            f"{item.id}: an engineer squad, laborer squad or bulldozer must help (R-WRECK-REMOVAL)"
        ]
    if ruling == "bulldozer" and not any(isinstance(helper, Vehicle) for helper in helpers):
        return [f"{item.id}: a bulldozer must help (R-WRECK-REMOVAL)"]
    return []


# --- a try ----------------------------------------------------------------------------------------


async def _try(play: Play, side: Side, item: Removable, helpers: list[Helper]) -> None:
    """Roll for an item; a helper reduced in an earlier attempt no longer helps."""
    helpers = [helper for helper in helpers if helper.in_play and _can_work(play, helper)]
    if isinstance(item, Vehicle) and not any(isinstance(helper, Vehicle) for helper in helpers):
        await play.ask_ruling_if_not_agreed("R-WRECK-REMOVAL", item)
    unmet = _unmet(play, item, helpers)
    if unmet:
        _, _, why = unmet[0].partition(": ")
        play.log_event(item, f"stays, with no attempt to remove it: {why}")
        return
    table = _table_of(item)
    assert table is not None
    known_to = play.secret_of(item)
    places = _front_places(play, side, item)
    in_front = any(play.campaign.is_front_line(place, known_to) for place in places)
    facts, helping = _facts(play, side, item, helpers), _by_fact(helpers)
    readings = ["immobile"] if isinstance(item, Vehicle) and not item.wreck else []
    readings += ["laborers"] if helping["laborers"] else []
    outcome = await play.roll(
        RemovalResults, item, facts, table=table, side=side, helpers=helping, readings=readings
    )
    if outcome.result == RemovalResults.REMOVED:
        await _remove(play, item)
    if outcome.original == 6 and in_front:
        await _reduce_somebody(play, side, item)


def _dr_text(highest: int) -> str:
    return f"dr ≤ {min(highest, 6)}" if highest > 0 else "no dr can succeed"


def _highest_dr(play: Play, side: Side, item: Removable, helpers: list[Helper]) -> int:
    """Return the highest dr that removes an item when these helpers help."""
    table = play.card.tables[_table_of(item) or ""]
    modifiers = table.modifiers_for_facts(_facts(play, side, item, helpers))
    removed = next(row.high for row in table.rows if row.result == RemovalResults.REMOVED)
    assert removed is not None, f"{table.key}: no Final dr can remove it"
    return removed - sum(modifier.amount for modifier in modifiers)


def _facts(play: Play, side: Side, item: Removable, helpers: list[Helper]) -> dict[str, int]:
    near = _range_to_the_enemy_front(play, side, item)
    return {
        "adjacent_front_line": int(near == 1),
        "one_hex_front_line": int(near == 2),
        **{fact: len(who) for fact, who in _by_fact(helpers).items()},
    }


def _by_fact(helpers: list[Helper]) -> dict[str, list[Helper]]:
    """Return the helpers by the modifier that they give."""
    squads = [helper for helper in helpers if isinstance(helper, Unit)]
    return {
        "engineers": [squad for squad in squads if not squad.has_trait("korean_laborer")],
        "laborers": [squad for squad in squads if squad.has_trait("korean_laborer")],
        "bulldozers": [helper for helper in helpers if isinstance(helper, Vehicle)],
    }


def _range_to_the_enemy_front(play: Play, side: Side, item: Removable) -> int | None:
    """Return the hexes from an item to the nearest enemy Front Line Location (R-FLL) in another
    hex."""
    front = play.campaign.front_hexes(side.enemy)
    own = [locations.hex_of_location(place) for place in _own_hexes(play, side, item)]
    ranges = [grid.range_to_nearest(hex, front) for hex in own]
    return min((near for near in ranges if near is not None), default=None)


def _front_places(play: Play, side: Side, item: Removable) -> list[str]:
    here = (
        location_deciding_control(play.campaign, item)
        if isinstance(item, Fortification)
        else item.location
    )
    if here is not None and "/" not in here:
        return [here]
    return _own_hexes(play, side, item)


async def _remove(play: Play, item: Removable) -> None:
    """Remove an item; counters that were bound to its inside become bound to its hex."""
    if isinstance(item, Fortification):
        move_counters_out(play.campaign, item)
        if item.controller is item.side and not has_fallen(play.campaign, item):
            item.capacity = 0  # it scores nothing for the enemy (15.615)
    if isinstance(item, Vehicle):
        if _crew_is_lost(play):
            await log_and_score_crew_loss(play, item)
        elif item.manned:
            disembark_crew(play, item, "R-REMOVED-CREW")
        mark_crews_eliminated(play.campaign, item)
        log_lost_weapons(play, item)
    remove_from_play(play.campaign, item)
    if isinstance(item, Vehicle) and item.isolated:
        take_over_location_if_deserted(play, item.location)


def _crew_is_lost(play: Play) -> bool:
    return play.ruling_value("R-REMOVED-CREW") == "lost"


# --- an Original 6 in a Front Line Location -------------------------------------------------------


async def _reduce_somebody(play: Play, side: Side, item: Removable) -> None:
    """Apply a Casualty Reduction: dice choose the type of MMC, its owner chooses the unit. The
    number of types in a Japanese area could reveal hidden ones."""
    types = _mmc_by_type(play, side, item)
    secret = Side.JAPANESE if side is Side.JAPANESE else None
    if not types:
        what = (
            "an Original 6 in a Front Line Location reduces nobody, because no MMC is in that area"
        )
        play.log(what, item, secret=secret)
        return
    names = sorted(types)
    drawn = await draw_one_by_dice(
        play,
        names,
        counter=item,
        side=side,
        subject=f"{item.id}/pick",
        title="Casualty Reduction of an MMC",
        secret=secret,
    )
    chosen: Unit = await play.ask_unit(
        types[names[drawn]],
        f"{item.id}/reduce",
        f"Casualty Reduction: which {names[drawn]}?",
        secret=secret,
        about="Casualty Reduction",
    )
    prisoners = play.campaign.prisoners_of(chosen)
    await casualty_reduce(play, chosen)
    await reassign_prisoners_if_guard_lost(play, chosen, prisoners)


def _mmc_by_type(play: Play, side: Side, item: Removable) -> dict[str, list[Unit]]:
    """Return a side's MMC in an item's area, except prisoners, by the words for their type."""
    home = _home(play, side, item)
    found: dict[str, list[Unit]] = {}
    for unit in play.campaign.sort_counters_in_play(play.campaign.free_units_in_play_of(side)):
        if unit.mmc and play.campaign.retained_place(unit) == home:
            found.setdefault(_type_of(play, unit), []).append(unit)
    return found


def _type_of(play: Play, unit: Unit) -> str:
    """Return an MMC's type in words: "first line 4-4-7 squad", "engineer elite 3-4-8 half
    squad"."""
    of_class = [] if unit.has_trait("korean_laborer") else [unit.class_ or ""]
    strength = "" if unit.strength is UnitStrength.FULL else unit.strength
    words = (
        *separate_type_traits(play.campaign, play.card, unit),
        *of_class,
        strength,
        unit.type,
        unit.kind,
    )
    return " ".join(word.replace("_", " ") for word in words if word)


# --- one of several at random, by dr --------------------------------------------------------------

FACES = 6
Slots = tuple[int | None, ...]


async def draw_one_by_dice(
    play: Play,
    names: Sequence[str],
    *,
    counter: Counter,
    side: Side,
    subject: str,
    title: str,
    secret: Side | None,
) -> int:
    """Draw one of the names by dice. Return its index.

    All have the same chance: a dr outside the range is rolled again, and more than six names are
    first divided into equal parts. A single name needs no dr.
    """
    everything: Slots = tuple(range(len(names)))
    left = everything
    while len(left) > 1:
        parts = split_into_equal_parts(left)
        outcome = await play.ask(
            RollQuestion(
                subject=subject,
                side=side,
                prompt=f"{play.name_with_place(counter)}: {title}",
                secret=secret,
                counter=counter.id,
                table=_table(play.rule, title, parts, names),
            )
        )
        play.log(
            f"{play.name_with_place(counter)}: {title} {outcome.roll_text()}",
            counter,
            secret=secret,
        )
        left = everything if outcome.result == "again" else parts[int(outcome.result)]
    assert left[0] is not None
    return left[0]


def split_into_equal_parts(slots: Slots) -> list[Slots]:
    """Split names into up to six parts of one size; the last part is filled up with empty slots
    (None)."""
    size = -(-len(slots) // FACES)
    parts = [slots[start : start + size] for start in range(0, len(slots), size)]
    parts[-1] += (None,) * (size - len(parts[-1]))
    return parts


def _table(rule: str, title: str, parts: list[Slots], names: Sequence[str]) -> DiceTable:
    """Return a table with the same number of faces for each part; a face left over is rolled
    again."""
    each = FACES // len(parts)
    rows = [
        TableRow(number * each + 1, (number + 1) * each, *_part_row(number, part, names))
        for number, part in enumerate(parts)
    ]
    if each * len(parts) < FACES:
        rows.append(TableRow(each * len(parts) + 1, FACES, "again", "rolled again"))
    return DiceTable(f"{rule}.draw", rule, title, Dice.ONE, tuple(rows), ())


def _part_row(number: int, part: Slots, names: Sequence[str]) -> tuple[str, str]:
    """Return a part's result and its wording."""
    held = [names[roll] for roll in part if roll is not None]
    return (str(number), " or ".join(held)) if held else ("again", "rolled again")
