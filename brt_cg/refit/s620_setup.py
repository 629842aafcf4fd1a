"""15.620: setup, the Banzai determination, and the start of the next scenario."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from functools import partial

from brt_cg.board import OFF_MAP_PLACED, hex_order_key, locations
from brt_cg.card import OrderOfPlay
from brt_cg.model import Counter, Fortification, Piece, Place, Side, Weapon
from brt_cg.model.cleanup import keep_hidden_without_holder
from brt_cg.model.hidden_ids import TUNNEL_PART, new_part_id
from brt_cg.purchases.limits import excess_hip_warning, skipped_night_hip_warning
from brt_cg.purchases.placement import Spot
from brt_cg.questions import AnswerForm, QuestionItem, Raw, raise_problems
from brt_cg.refit.garrisons import (
    over_capacity_problems,
    pillboxes_to_fill_text,
    unfilled_pillbox_problems,
    warn_of_unfilled_pillboxes,
)
from brt_cg.refit.play import Play, TableResults, paragraph
from brt_cg.refit.s602_markers import A_LOCATION
from brt_cg.refit.s607_perimeters import land_in_play
from brt_cg.refit.s608_retained import makes_location_isolated
from brt_cg.refit.s609_prisoners import TELL_OF_MASSACRE
from brt_cg.refit.s612_new_date import bring_arrivals
from brt_cg.refit.s614_purchases import credit_all_points_and_buy, log_unbought_drafts
from brt_cg.refit.sequence import TUNNELS
from brt_cg.refit.setup_form import (
    HINT_OF_MORE,
    Checker,
    lacks_arc,
    lacks_exit,
    read_spot,
    spot_form,
)
from brt_cg.refit.setup_places import (
    bound_location,
    carrier_id,
    isolated_fortification_problem,
    isolated_setup_locations,
    located_text,
    location_planned_at_purchase,
    on_table_locations_and_refusals,
    pieces_to_set_up,
    purchase_for_coming_scenario,
    set_setup_location_with_companions,
    setup_place_problem,
    setup_problems_together,
    unplaced_fortifications,
)
from brt_cg.refit.unfinished import log_unplaced_fortifications
from brt_cg.refit.victory import has_fallen, japanese_pillboxes
from brt_cg.text import first_few_text

DR_OF_A_NIGHT = "the dr for a Night attack"  # its third drm may grow with the dates
PLACE = Place()
TUNNEL = "tunnel"
IN_THE_ROSTER = "the others are listed in the roster"
TABLE = "table"  # set up on the table: all counters that may be
HINT = '{counter id: Location, …}, for example {"m-sq-1": "N21"}; {} for none'


class BanzaiNightResults(TableResults, tables=("15.6203",)):
    """The results of a Banzai Night Attack."""

    NIGHT = "night"
    NO_ATTACK = "no_attack"


class FirstMoveResults(TableResults, tables=("15.6205",)):
    """The results for the first move in the initial scenario of CG I."""

    MARINE = "marine"
    JAPANESE = "japanese"


def current_order_of_play(play: Play) -> OrderOfPlay:
    """Return the row of 15.6205 for the current date (R-ORDER)."""
    return play.card.order_of_play_on(play.campaign.situation.date, play.campaign.current_rulings)


def sides_in_setup_order(play: Play) -> tuple[Side, Side]:
    """Return the side that sets up first, then the other."""
    first = current_order_of_play(play).first_setup
    return first, first.enemy


@paragraph("15.6201", nothing="nothing is Isolated")
async def set_up_isolated_units(play: Play) -> None:
    """Each side sets up its Isolated units with their equipment, and new Fortifications for
    Isolated Locations; the side that sets up first goes first. A Marine unit becomes Encircled, in
    its recorded Location or an ADJACENT friendly-Controlled one; a Japanese unit sets up in its
    recorded Location."""
    for side in sides_in_setup_order(play):
        pieces = (piece for piece in play.campaign.pieces() if piece.isolated)
        isolated = play.campaign.sort_counters_in_play(
            piece for piece in pieces if piece.side is side
        )
        if not isolated:
            continue
        choices: dict[str, Counter] = {piece.id: piece for piece in isolated}
        for piece in isolated:
            if piece.recorded_location is not None:
                set_setup_location_with_companions(
                    play.campaign, piece, Spot(piece.recorded_location), choices
                )
        new = {fort.id: fort for fort in unplaced_fortifications(play.campaign, side)}
        rest = "the others set up in their recorded Locations"
        chosen = await _places(play, side, choices | new, _isolated_checker(play), rest, {})
        for piece in isolated:
            if piece.id in chosen:
                set_setup_location_with_companions(play.campaign, piece, chosen[piece.id], chosen)
        for piece in isolated:
            _set_up_isolated(play, piece)
        for fort in (fort for fort in new.values() if fort.id in chosen):
            set_setup_location_with_companions(play.campaign, fort, chosen[fort.id], chosen)
            play.log(f"{fort.label} sets up in {fort.location}", fort, secret=side)


def _set_up_isolated(play: Play, piece: Piece) -> None:
    """Set up an Isolated piece. Only a unit becomes Encircled, not an empty vehicle that is with
    Isolated units."""
    if piece.side is Side.MARINE and makes_location_isolated(piece):
        piece.add_status("encircled")
    also = " and Encircled" if piece.has_status("encircled") else ""
    where = play.campaign.location_text(piece.location)
    words = f"{piece.label} sets up in {where}, Isolated{also}"
    play.log(words, piece, secret=piece.side)


def _isolated_checker(play: Play) -> Checker:
    def problem(counter: Counter, spot: Spot) -> str | None:
        if not isinstance(counter, Piece):
            return isolated_fortification_problem(play.campaign, play.card, counter, spot)
        place = spot.location
        allowed = isolated_setup_locations(play.campaign, counter)
        if place == counter.recorded_location or place in allowed:
            return None
        return f"{place}: an Isolated unit sets up in {', '.join(allowed)} (15.6201)"

    return problem


@paragraph("15.6202", nothing="nothing is left to set up", subjects=("tunnels", "tunnel:COUNTER"))
async def set_up_the_rest(play: Play) -> None:
    """Each side sets up everything else in its own area; the side that sets up first goes first.
    Counters may be in any hex there that is not Ocean (R-SETUP-LIST), bound items in their recorded
    Location (R-RECORDED). Counters without a Location are listed in the roster of their area. A
    pillbox that the Japanese set up may come with a tunnel (R-TUNNEL)."""
    placed = set[str]()
    for side in sides_in_setup_order(play):
        if play.campaign.situation.initial:
            log_unbought_drafts(play, side)
        bound = _bound_pieces(play, side)
        for piece, place in bound:
            piece.location = place
        rest = _waiting(play, side)
        if not rest:
            continue
        loose = (counter for counter in rest.values() if counter.location is None)
        free = {counter.id for counter in loose if carrier_id(counter) not in rest}
        stays = IN_THE_ROSTER
        if play.campaign.situation.initial and any(
            piece.off_map for piece in play.campaign.pieces() if piece.side is side
        ):
            stays += f", and those off map are {OFF_MAP_PLACED}"
        table, _ = on_table_locations_and_refusals(play.campaign, rest.values())
        chosen = await _set_up_some(play, side, rest, stays, table, bound)
        play.log(located_text(side, len(free & chosen.keys()), len(free)), secret=side)
        placed |= chosen.keys()
        warn_of_unfilled_pillboxes(play, side)
        log_unplaced_fortifications(play, side)
    await _free_tunnels(play, placed)


def _waiting(play: Play, side: Side) -> dict[str, Counter]:
    """Return the counters that a side has to set up, by id."""
    new = unplaced_fortifications(play.campaign, side)
    return {counter.id: counter for counter in (*pieces_to_set_up(play.campaign, side), *new)}


async def _set_up_some(
    play: Play,
    side: Side,
    counters: dict[str, Counter],
    left_out: str,
    table: dict[str, str],
    bound: Sequence[tuple[Piece, str]] = (),
) -> dict[str, Spot]:
    """Set up counters in the places that their side gives, or as bought, the `bound` ones first.
    Return the places given."""
    chosen = await _places(play, side, counters, _area_checker(play), left_out, table)
    for piece, place in bound:
        set_setup_location_with_companions(play.campaign, piece, Spot(place), chosen)
    for key, spot in chosen.items():
        set_setup_location_with_companions(play.campaign, counters[key], spot, chosen)
    _set_up_as_bought(play, counters, chosen)
    return chosen


async def _free_tunnels(play: Play, placed: Set[str]) -> None:
    """Give each pillbox that the Japanese set up its one hidden tunnel, if they enter its other end
    (G1.632, R-TUNNEL)."""
    if play.ruling_value("R-TUNNEL") == "none":
        return
    initial, boxes = play.campaign.situation.initial, dict[str, Fortification]()
    forts = play.campaign.fortifications.values()
    have = {fort.location for fort in forts if fort.type == TUNNEL and fort.purchase is None}
    for box in play.campaign.sort_counters_in_play(japanese_pillboxes(play.campaign)):
        stands = box.in_play and box.location is not None and not box.off_map
        new = (
            initial
            or box.id in placed
            or purchase_for_coming_scenario(play.campaign, box) is not None
        )
        if stands and new and _entrance(box) not in have and not has_fallen(play.campaign, box):
            boxes[f"tunnel:{box.id}"] = box
    ends = await play.ask_about_counters_together(
        Side.JAPANESE,
        "tunnels: enter the other end of each pillbox's free tunnel; leave it out for no tunnel",
        boxes,
        partial(_tunnel_item, play),
        partial(_read_ends, play, boxes),
        '{"tunnel:ID of the pillbox": Location, …}; {} for none',
        "no tunnels",
        secret=Side.JAPANESE,
        subject=TUNNELS,
        about=TUNNELS,
        optional=True,
    )
    for id, end in ends.items():
        tunnel = _tunnel(play, boxes[id], end)
        play.campaign.add(tunnel)
        words = f"comes with a tunnel to {end} (G1.632)"
        play.log_event(boxes[id], words, secret=Side.JAPANESE, ruling="R-TUNNEL")


def _tunnel_item(play: Play, box: Fortification) -> QuestionItem:
    return replace(play.question_item(box, "", A_LOCATION), subject=f"tunnel:{box.id}")


def _entrance(box: Fortification) -> str:
    return locations.location_inside_fortification(box.location or "", box.id)


def _tunnel(play: Play, box: Fortification, end: str) -> Fortification:
    """Return the tunnel from a pillbox to a Location, hidden."""
    return Fortification(
        id=new_part_id(play.campaign, box, TUNNEL_PART),
        side=Side.JAPANESE,
        type=TUNNEL,
        location=_entrance(box),
        exit=end,
        hidden=True,
        unseen=True,
        controller=Side.JAPANESE,
    )


def _read_ends(play: Play, boxes: Mapping[str, Fortification], raw: Raw) -> dict[str, str]:
    """Return the other end of each pillbox's tunnel, if the setup requirements of a tunnel allow
    it. Raises RefusedError."""
    ends: dict[str, str] = {}
    problems = []
    allowed = _area_checker(play)
    for id, typed in (raw or {}).items():
        box = boxes[id]
        try:
            ends[id] = end = PLACE.read(typed)
            hex = locations.ground_hex(end)
        except ValueError as error:
            problems.append(f"{box.label}: {error}")
            continue
        if hex == locations.ground_hex(box.location or ""):
            problems.append(f"{box.label}: its tunnel cannot end in {hex}; enter another hex")
        elif problem := allowed(_tunnel(play, box, end), Spot(_entrance(box), end)):
            problems.append(f"{box.label}: {problem}")
    raise_problems(problems)
    return ends


def _bound_pieces(play: Play, side: Side) -> list[tuple[Piece, str]]:
    """Return the pieces bound to their recorded Location, with that Location; except the Isolated
    ones, which have set up already."""
    pieces = (piece for piece in play.campaign.pieces() if piece.recorded_location is not None)
    free = (piece for piece in pieces if piece.side is side and not piece.isolated)
    bound = ((piece, bound_location(play.campaign, piece)) for piece in free)
    return [(piece, place) for piece, place in bound if place is not None]


def _set_up_as_bought(play: Play, counters: dict[str, Counter], chosen: dict[str, Spot]) -> None:
    """Set up counters in the Location that they were bought for, unless another one was given."""
    problem = _area_checker(play)
    for piece in play.campaign.sort_counters_in_play(
        each for each in counters.values() if each.purchase
    ):
        meant = (
            location_planned_at_purchase(play.campaign, piece) if isinstance(piece, Piece) else None
        )
        if meant is None or piece.id in chosen or problem(piece, Spot(meant)):
            continue
        set_setup_location_with_companions(play.campaign, piece, Spot(meant), counters)
        play.log_event(piece, f"sets up in {meant}, as bought", secret=piece.side)


def _area_checker(play: Play) -> Checker:
    land = land_in_play(play)
    return lambda counter, spot: setup_place_problem(play.campaign, play.card, land, counter, spot)


async def _places(
    play: Play,
    side: Side,
    counters: dict[str, Counter],
    problem: Checker,
    left_out: str,
    table: dict[str, str],
) -> dict[str, Spot]:
    """Ask a side for the Locations of any number of counters; `left_out` describes the fate of the
    rest; `table` is the whole answer "set up on the table": Isolated counters are in their recorded
    Locations, so it names none of them."""
    forts = (each for each in counters.values() if isinstance(each, Fortification))
    lacking = any(lacks_exit(play.card, fort) or lacks_arc(fort) for fort in forts)
    first = pillboxes_to_fill_text(play.campaign, play.card, side)
    return await play.ask_about_counters_together(
        side,
        f"setup: enter the Location of any of these counters; {left_out}{first}",
        dict(sorted(counters.items())),
        lambda counter: play.question_item(counter, "", _form(play, side, counter, problem)),
        partial(_read_setup, play, side, counters, problem),
        f"{HINT}; {HINT_OF_MORE}" if lacking else HINT,
        "no Locations given: set up on the table",
        secret=side,
        wholes={TABLE: table},
    )


def _read_setup(
    play: Play, side: Side, counters: Mapping[str, Counter], problem: Checker, raw: Raw
) -> dict[str, Spot]:
    """Return the Locations given, by counter. Raises RefusedError."""
    if not raw:
        return {}  # nothing is set up, so nothing can be wrong
    chosen: dict[str, Spot] = {}
    wrong: dict[str, list[str]] = {}  # counters by their problem
    for key, value in raw.items():
        try:
            chosen[key] = read_spot(counters[key], value)
            found = problem(counters[key], chosen[key])
        except ValueError as error:
            found = str(error)
        if found:
            wrong.setdefault(found, []).append(counters[key].label)
    problems = [f"{first_few_text(named)}: {found}" for found, named in wrong.items()]
    problems = problems or setup_problems_together(play.campaign, play.card, chosen)
    problems = problems or _ill_garrisoned(play, side, chosen)
    raise_problems(problems)
    return chosen


def _ill_garrisoned(play: Play, side: Side, chosen: Mapping[str, Spot]) -> list[str]:
    """Return the problems with the garrisons of the pillboxes (15.6142)."""
    of = play.campaign, play.card, side, chosen
    return over_capacity_problems(*of) or unfilled_pillbox_problems(*of)


def _form(play: Play, side: Side, counter: Counter, problem: Checker) -> AnswerForm:
    """Return the form for a counter's Location."""

    def beside(chosen: Mapping[str, Spot], spot: Spot) -> str | None:
        ill = _ill_garrisoned(play, side, {**chosen, counter.id: spot})
        return problem(counter, spot) or next(iter(ill), None)

    return spot_form(play.campaign, play.card, counter, beside)


@paragraph(
    "15.6203",
    nothing="the CG Date is not a Night date",
    rolls=[BanzaiNightResults],
    subjects=("R-BANZAI-DRM", "marine", "japanese", "tunnels", "tunnel:COUNTER"),
)
async def determine_banzai_night(play: Play) -> None:
    """Before the AM scenario the Japanese reveal 15.616. If yes, a dr of Final 1 or less makes a
    Night scenario, played now; otherwise the next AM date starts immediately, and counts
    as a Night without a scenario (R-NIGHT)."""
    situation = play.campaign.situation
    if not play.card.is_night_date(situation.date):
        play.because = f"{situation.date} is not a Night date"
        return
    attempt, situation.banzai = situation.banzai, None
    if not attempt:
        play.log("the Japanese reveal that they will not attempt a Banzai Night Attack")
        await _pass_the_night(play)
        return
    play.log("the Japanese reveal that they will attempt a Banzai Night Attack")
    facts = {
        "earlier_nights": situation.nights_without_scenario,
        "ruling_banzai": int(
            await play.ask_ruling_if_not_agreed("R-BANZAI-DRM", about=DR_OF_A_NIGHT, each_time=True)
        ),
        **_of_the_game(play),
    }
    outcome = await play.roll_for_side(BanzaiNightResults, Side.JAPANESE, "japanese", facts)
    if outcome.result == BanzaiNightResults.NIGHT:
        play.log(f"the Night scenario {situation.date} is played")
    else:
        await _pass_the_night(play)


def _of_the_game(play: Play) -> dict[str, int]:
    """Return the fact of 15.6203 for the CG in play, such as "cg_i", if its table has one."""
    (key,) = BanzaiNightResults.TABLES
    name = f"cg_{play.campaign.situation.cg.lower()}"
    return {fact.name: 1 for fact in play.card.tables[key].facts if fact.name == name}


async def _pass_the_night(play: Play) -> None:
    """Start the AM date after a Night immediately, with its arrivals (15.6121); its points are kept
    for the next 15.614, or are spent now (R-NIGHT-POINTS)."""
    situation = play.campaign.situation
    too_much = skipped_night_hip_warning(play.campaign, play.card)
    if too_much is not None:
        play.log(too_much, secret=Side.JAPANESE)
    night = situation.date
    following = play.card.next_date(night)
    assert following is not None, f"{night} is followed by an AM date"
    situation.nights_without_scenario += 1
    situation.date = following
    play.log(
        f"{night} passes without a scenario, and the CG Date is now {following}", ruling="R-NIGHT"
    )
    bring_arrivals(play)
    if play.ruling_value("R-NIGHT-POINTS") == "window":
        await _buy_for_the_morning(play)


async def _buy_for_the_morning(play: Play) -> None:
    """Open a buying window for the points of an AM date after a Night without a scenario, and set
    up the purchases made in it."""
    before = {counter.id for counter in play.campaign.counters()}
    words = f"the points of {play.campaign.situation.date} may be spent now"
    play.log(words, ruling="R-NIGHT-POINTS")
    await credit_all_points_and_buy(play)
    placed = set[str]()
    for side in sides_in_setup_order(play):
        new = {id: each for id, each in _waiting(play, side).items() if id not in before}
        placed |= (await _set_up_some(play, side, new, IN_THE_ROSTER, {})).keys()
    await _free_tunnels(play, placed)


@paragraph("15.6204", nothing="there is nothing to announce")
async def commence_scenario(play: Play) -> None:
    """Both sides have set up, and each announces its SAN. A SW or Gun in a different hex
    from its possessor becomes unpossessed (R-APART). If each side set up without seeing the
    other's setup, hexes that both are known to be in are named."""
    for side in sides_in_setup_order(play):
        record = play.campaign.sides[side]
        record.announced_san = record.san
        play.log(f"the {side.plural} announce SAN {record.san}")
    if play.campaign.situation.massacre:
        play.log(TELL_OF_MASSACRE)
    too_much = excess_hip_warning(play.campaign, play.card)
    if too_much is not None:
        play.log(too_much, secret=Side.JAPANESE)
    for counter in play.campaign.counters():
        if counter.unseen and not counter.hidden:
            where = counter.location
            counter.unseen = (
                where is None or counter.off_map or locations.is_area_only_location(where)
            )
    if play.campaign.situation.initial:
        _warn_of_shared_hexes(play)
    if play.ruling_value("R-APART") == "nobody":
        apart = (each for each in play.campaign.weapons.values() if _is_apart(play, each))
        for weapon in play.campaign.sort_counters_in_play(apart):
            keep_hidden_without_holder(play.campaign, weapon)
            weapon.possessor = None
            words = "is not set up with its possessor, so nobody possesses it"
            play.log_event(weapon, words, ruling="R-APART")


def _is_apart(play: Play, weapon: Weapon) -> bool:
    """Whether a SW or Gun is in a different hex from its possessor."""
    unit = play.campaign.units.get(weapon.possessor or "")
    if unit is None or unit.location is None or weapon.location is None:
        return False
    return hex_order_key(unit.location) != hex_order_key(weapon.location)


def _warn_of_shared_hexes(play: Play) -> None:
    """Warn of hexes with both sides: in the initial scenario no areas separate them."""
    found: dict[str, dict[Side, Counter]] = {}
    fighting = (piece for piece in play.campaign.pieces() if piece.in_play and piece.is_opposing)
    known = (piece for piece in fighting if play.secret_of(piece) is None)
    for piece in play.campaign.sort_counters_in_play(known):
        if piece.location is not None and not (piece.off_map or piece.is_on_map_without_hex):
            found.setdefault(locations.hex_of_location(piece.location), {})[piece.side] = piece
    for hex, sides in found.items():
        if len(sides) > 1:
            words = f"warning: both sides have set up in {hex} (ruling R-SETUP-LIST)"
            play.log(words, *sides.values())


@paragraph(
    "15.6205",
    nothing="there is nothing to settle",
    rolls=[FirstMoveResults],
    subjects=("first_move",),
)
async def determine_first_move_and_length(play: Play) -> None:
    """The side that sets up first, the side that moves first, and the scenario's length, by the
    table (R-ORDER). In the initial scenario of CG I a Japanese dr decides who moves first: 1-3
    Marine, 4-6 Japanese."""
    situation = play.campaign.situation
    order = current_order_of_play(play)
    first_move = order.first_move
    if order.first_move_table is not None:
        outcome = await play.roll_for_side(FirstMoveResults, Side.JAPANESE, "first_move", {})
        first_move = Side(outcome.result)
    situation.first_setup = order.first_setup
    situation.first_move = first_move
    situation.turns = order.turns
    setup, move = order.first_setup.plural, first_move.plural
    first = f"set up first, and the {move} move first" if move != setup else "set up and move first"
    play.log(
        f"{situation.date}: the {setup} {first}; the scenario has {order.turns} turns",
        ruling="R-ORDER",
    )
