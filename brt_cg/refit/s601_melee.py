"""15.601: opposing units in one Location fight their Melee to its end, on the map."""

from collections.abc import Iterable, Iterator

from brt_cg.board import hex_order_key, locations
from brt_cg.model import SIDES, Piece, Side, Unit, Vehicle
from brt_cg.questions import EntryQuestion
from brt_cg.refit.casualties import casualty_points
from brt_cg.refit.losses import (
    WoundSeverityResults,
    casualty_reduce,
    eliminate_and_score,
    make_prisoner,
)
from brt_cg.refit.manual_outcomes import apply_setting
from brt_cg.refit.melee_rounds import HINT, MeleeRound, melee_round_form, read_melee_round
from brt_cg.refit.moves import place_piece_with_possessions
from brt_cg.refit.play import Play, paragraph
from brt_cg.refit.selection import counters_by_map_location, units_at
from brt_cg.refit.trial import read_after_trial
from brt_cg.refit.victory import check_immediate_victory


@paragraph(
    "15.601",
    nothing="no Location holds opposing units that can fight CC (vehicles do not fight each other)",
    rolls=[WoundSeverityResults],
    subjects=("R-CVP-REFIT",),
    series=True,
)
async def fight_out_melees(play: Play) -> None:
    """In each Location with opposing units (prisoners do not oppose; a pillbox's inside is a
    separate Location) the players fight Melee rounds on the map until no more CC attacks can be
    made, and enter the result of each. A unit that withdraws goes to an Accessible Location, and
    fights any enemy who was hidden there. The side that moved first in the scenario is the
    ATTACKER. After the first round in a Location concealed units there are revealed, Motion ends,
    and a Stun counter flips to its "+1" side. Afterwards T-H Heroes who are in no Melee are
    eliminated. CG I may end before the first Melee (R-CG1-WHEN)."""
    check_immediate_victory(play)
    fought: set[str] = set()
    while location := next((place for place in _opposed(play) if place not in fought), None):
        fought.add(location)
        fought -= await _melee(play, location)
    await _tank_hunters_go(play)


async def _melee(play: Play, location: str) -> set[str]:
    """Fight the Melee of a Location. Return the Locations that units withdrew to."""
    _tell_hints(play, location)
    rounds, entered, where = 0, set[str](), play.campaign.location_text(location)
    while _are_opposed(play, location):
        hider = _hider(play, location)
        outcome = await play.ask(
            EntryQuestion(
                subject=location,
                side=hider or play.campaign.situation.moved_first or Side.MARINE,
                prompt=f"{where}, Melee round {rounds + 1}: {_who_fights(play, location)}",
                public=hider is None,
                secret=hider,
                # A Melee that is still secret is not listed with the others.
                about=location if hider else "",
                reader=lambda raw: read_after_trial(
                    play, lambda on: read_melee_round(on, location, raw), _try_out
                ),
                hint=HINT,
                form=melee_round_form(play, location),
                series=True,
            )
        )
        if outcome is None:
            none = "no more" if rounds else "warning: no"
            words = f"{none} CC attacks were entered for {where}; opposing units remain there"
            play.log(words, secret=hider)
            return entered
        rounds += 1
        play.log(f"{where}: Melee round {rounds}")
        entered.update(place for _, place in outcome.withdrew)
        present = play.campaign.pieces_at(location)
        await _carry_out(play, outcome)
        if rounds == 1:
            _after_the_first_round(play, present)
    play.log(f"{where}: the Melee is over")
    return entered


async def _tank_hunters_go(play: Play) -> None:
    """Remove T-H Heroes (G1.425): one stays beyond his Player Turn only while he is in Melee or
    hidden. The DC of a DC Hero is removed with him."""
    heroes = [
        hero
        for location, there in counters_by_map_location(play.campaign, Unit)
        if not _are_opposed(play, location)
        for hero in there
        if hero.has_trait("tank_hunter")
        and hero.in_play
        and hero.is_opposing
        and not play.secret_of(hero)
    ]
    for hero in play.campaign.sort_counters_in_play(heroes):
        charges = [each for each in play.campaign.weapons_possessed_by(hero) if each.type == "DC"]
        play.log_event(
            hero, "is eliminated: he is not in Melee at the end of his Player Turn (G1.425)"
        )
        await eliminate_and_score(play, hero)
        for charge in charges:
            play.log_event(charge, "is eliminated with its hero (G1.424)")
            await eliminate_and_score(play, charge)


# --- opposing units ---------------------------------------------------------------------------


def _opposed(play: Play) -> list[str]:
    """Return the Locations with opposing units, in order."""
    held: dict[str, set[Side]] = {}
    for location, there in counters_by_map_location(play.campaign, Unit, Vehicle):
        held.setdefault(location, set()).update(piece.side for piece in there if piece.in_play)
    both = (location for location, sides in held.items() if len(sides) > 1)
    opposed = (location for location in both if _are_opposed(play, location))
    return sorted(opposed, key=lambda location: (hex_order_key(location), location))


def _are_opposed(play: Play, location: str) -> bool:
    """Whether there is a Melee in a Location."""
    return _oppose(_there(play, location, *SIDES))


def _oppose(units: list[Piece]) -> bool:
    """Whether these include units of both sides, at least one of them Personnel (vehicles do not
    attack each other in CC)."""
    personnel = any(isinstance(piece, Unit) for piece in units)
    return personnel and {piece.side for piece in units} == set(SIDES)


def _hider(play: Play, location: str) -> Side | None:
    """Return the only side that knows of a Melee because of its hidden units; None if both sides
    know of it. If each side hides a unit, return the Japanese."""
    if _oppose(_there(play, location)):
        return None
    hiding = {play.secret_of(piece) for piece in _there(play, location, *SIDES)}
    return next(side for side in reversed(SIDES) if side in hiding)


def _there(play: Play, location: str, *of: Side) -> list[Piece]:
    """Return the opposing counters in a Location: those that both sides know of, and those that
    these sides hide."""
    there = play.campaign.pieces_at(location)
    return [piece for piece in there if piece.is_opposing and play.secret_of(piece) in (None, *of)]


# --- hints ------------------------------------------------------------------------------------


def _tell_hints(play: Play, location: str) -> None:
    """Log the special rules of CC that apply to the known units in this Location; the players apply
    them."""
    hider = _hider(play, location)
    for hint in _hints(play, location, hider):
        play.log(f"{play.campaign.location_text(location)}: {hint}", secret=hider)


def _hints(play: Play, location: str, hider: Side | None) -> Iterator[str]:
    attacker = play.campaign.situation.moved_first
    units = [unit for unit in units_at(play.campaign, location) if unit.is_opposing]
    units = [unit for unit in units if play.secret_of(unit) in (None, hider)]
    japanese = [unit for unit in units if unit.side is Side.JAPANESE]
    on_foot = [unit for unit in units if not unit.aboard]
    if attacker is not None:
        yield f"the {attacker.plural} are the ATTACKER because they moved first"
    fort = play.campaign.fortifications.get(locations.split_location(location)[1] or "")
    if fort is not None and fort.is_pillbox:
        if any(unit.crew for unit in japanese):
            yield "+1 in CC against a Japanese crew in a pillbox (BRT3)"
        return
    if {unit.side for unit in on_foot} != set(SIDES):
        return
    free = [unit for unit in japanese if not unit.has_status("broken", "disrupted", "pinned")]
    if attacker is Side.JAPANESE and any(not unit.aboard for unit in free):
        yield (
            "Hand-to-Hand is automatic for the unbroken Japanese (G1.64), "
            "but not by or against vehicles and PRC"
        )
    else:
        yield "the Marines may declare Hand-to-Hand CC"


def _who_fights(play: Play, location: str) -> str:
    """Return the opponents in words, except hidden ones."""
    known = _there(play, location)
    sides = [[piece.label for piece in known if piece.side is side] for side in SIDES]
    return " against ".join(", ".join(names) or "hidden units" for names in sides)


# --- the results of a round -------------------------------------------------------------------


async def _try_out(trial: Play, outcome: MeleeRound | None) -> None:
    if outcome is not None:
        await _carry_out(trial, outcome)


async def _carry_out(play: Play, outcome: MeleeRound) -> None:
    """Carry out a round as a whole, after agreeing on the ruling about its scoring."""
    reduced = [unit for unit in outcome.casualty_reduced if unit.mmc]
    lost = [unit for unit in (*outcome.eliminated, *reduced) if casualty_points(play.card, unit)]
    await play.ask_ruling_if_not_agreed("R-CVP-REFIT", *lost)
    for piece in outcome.eliminated:
        play.log_event(piece, "is eliminated in Melee")
        await eliminate_and_score(play, piece)
    for unit in outcome.casualty_reduced:
        await casualty_reduce(play, unit)
    for unit, captor in outcome.captured:
        if unit.in_play and captor.in_play:
            _capture(play, unit, captor)
        elif unit.in_play:
            play.log_event(unit, "is not captured, since the captor is lost", captor)
    for unit, location in outcome.withdrew:
        if unit.in_play:
            play.log_event(unit, f"withdraws to {play.campaign.location_text(location)}")
            unit.aboard = None
            place_piece_with_possessions(play, unit, location)
    for setting in outcome.settings:
        apply_setting(play, setting)


def _capture(play: Play, unit: Unit, captor: Unit) -> None:
    """Capture a unit. A prisoner scores at 15.6032 (R-CAPTURE-VP)."""
    make_prisoner(play.campaign, unit, captor)
    by = captor.label
    play.log_event(unit, f"is captured by {by}", captor)


def _after_the_first_round(play: Play, present: Iterable[Piece]) -> None:
    """End concealment and Motion for all present, and flip Stun to its "+1" side."""
    for piece in present:
        if not piece.in_play:
            continue
        if piece.hidden or piece.has_status("concealed"):
            piece.reveal()
            piece.unseen = False
            play.log_event(piece, "is revealed", readings=("melee",))
        if isinstance(piece, Vehicle) and piece.has_status("motion"):
            piece.remove_status("motion")
            play.log_event(piece, "is no longer in Motion")
        if isinstance(piece, Vehicle) and piece.has_status("stunned"):
            piece.remove_status("stunned")
            piece.add_status("stun_plus1")
            play.log_event(piece, "flips its Stun counter to +1")
