"""15.611: recombining, wounded leaders, heroes, and the promotion of leaders."""

from collections.abc import Callable, Iterable
from itertools import product
from math import prod
from typing import Any

from brt_cg.board import OFF_MAP
from brt_cg.model import Fate, Side, Unit, UnitKind, UnitStrength, assign_numbers
from brt_cg.questions import (
    AnswerForm,
    Candidate,
    ChoiceQuestion,
    EntryQuestion,
    NamedCounter,
    Option,
    Raw,
    RefusedError,
)
from brt_cg.refit.engineers import separate_type_traits
from brt_cg.refit.losses import eliminate_and_score, remove_from_play
from brt_cg.refit.play import Play, TableResults, paragraph
from brt_cg.refit.s608_retained import take_over_location_if_deserted
from brt_cg.refit.s609_prisoners import reassign_prisoners_if_guard_lost
from brt_cg.refit.selection import friendly_units_retained_with, pieces_with_any_of_statuses
from brt_cg.text import list_text, short_json, split_at_spaces_and_commas

MOST_WAYS = 12  # ways to leave HS single that are listed in full


class WoundedLeaderResults(TableResults, tables=("15.6112",)):
    """The results for a wounded leader."""

    UNWOUNDED = "unwounded"
    WOUNDED = "wounded"
    ELIMINATED = "eliminated"


@paragraph("15.6111", nothing="no two HS of one type are in the same area")
async def recombine_half_squads(play: Play) -> None:
    """In each Setup Area (an Isolated Location counts by itself) HS of the same side, type, class
    and Strength Factors pair up until at most one of each type is left. Marine 2-4-8 never do;
    Assault Engineers only with each other. A Japanese pair becomes a Full-Strength squad. HS that
    stay hidden are bound to their Locations, so they do not Recombine (R-HIDDEN-HS)."""
    for home, groups in _half_squads_by_home(play).items():
        if play.ruling_value("R-HIDDEN-HS") == "apart":
            for unit in (unit for group in groups for unit in group if unit.hidden):
                play.log_event(unit, "stays hidden and does not Recombine", ruling="R-HIDDEN-HS")
            groups = [group for group in groups if not group[0].hidden]
        single = await _who_stays_single(play, home, groups)
        for group in groups:
            pairing = [unit for unit in group if unit.id not in single]
            for first, second in zip(pairing[::2], pairing[1::2], strict=True):
                _recombine(play, first, second)


def _half_squads_by_home(play: Play) -> dict[str, list[list[Unit]]]:
    """Return the groups of two or more HS that can pair up, by area or Isolated Location."""
    found: dict[str, dict[tuple[Any, ...], list[Unit]]] = {}
    halves = play.campaign.units.records_with("kind", UnitKind.HALF_SQUAD)
    for unit in play.campaign.sort_counters_in_play(
        unit for unit in halves if _can_recombine(play, unit)
    ):
        home = play.campaign.retained_place(unit)
        if home is not None and home != OFF_MAP:
            found.setdefault(home, {}).setdefault(_alike(play, unit), []).append(unit)
    pairs = {
        home: [sorted(group, key=lambda unit: unit.id) for group in groups.values()]
        for home, groups in found.items()
    }
    several = {home: [g for g in groups if len(g) > 1] for home, groups in pairs.items()}
    return {home: groups for home, groups in several.items() if groups}


def _alike(play: Play, unit: Unit) -> tuple[Any, ...]:
    """Return the properties that two HS must share to pair up; for HS that stay hidden, also their
    Location."""
    bound = unit.recorded_location if unit.hidden else None
    kind = separate_type_traits(play.campaign, play.card, unit)
    return (unit.side, unit.type, unit.class_, kind, unit.hidden, bound)


def _can_recombine(play: Play, unit: Unit) -> bool:
    return unit.retained and unit.armed and play.card.ladders.full_squad_of(unit) is not None


async def _who_stays_single(play: Play, home: str, groups: list[list[Unit]]) -> list[str]:
    """Ask the owner of an odd number of HS of one type to choose the one that stays single."""
    odd = [group for group in groups if len(group) % 2]
    if not odd:
        return []
    area = play.campaign.areas.get(home)
    kinds = ", ".join(
        f"{len(group)} × {group[0].type}{_distinction_text(play, group[0], odd)}" for group in odd
    )
    each = "one" if len(odd) == 1 else "one each"
    called = "; ".join(" or ".join(unit.label for unit in group) for group in odd)
    return await play.ask(
        EntryQuestion(
            subject=home,
            side=odd[0][0].side,
            prompt=(
                f"{area.display_name if area else home}: which HS stays single, {each} of {kinds}?"
            ),
            secret=play.whose_secret(unit for group in odd for unit in group),
            reader=lambda raw: _read_single(
                raw, odd, lambda: _who_stays_single_anyway(play, home, groups)
            ),
            hint=f"a list with one of each: {called}",
            form=AnswerForm(
                hint="one of each type, separated by spaces",
                typed=split_at_spaces_and_commas,
                worded=lambda raw: _single_text(play, raw),
                candidates=lambda: _single_of_each(play, odd),
                counters=lambda: play.named_counters(unit for group in odd for unit in group),
            ),
            default=[max(unit.id for unit in group) for group in odd],
            nothing=[],
            of_equals=True,
        )
    )


def _distinction_text(play: Play, unit: Unit, odd: list[list[Unit]]) -> str:
    """Return in parentheses what distinguishes a group, by its first unit, from the others of its
    type; "" if there are none."""
    alike = [group[0] for group in odd if group[0].type == unit.type]
    words = {each.id: _distinctions(play, each) for each in alike}
    shared = {word for word in words[unit.id] if all(word in found for found in words.values())}
    own = [word for word in words[unit.id] if word not in shared]
    return f" ({', '.join(own) or 'the others'})" if len(alike) > 1 else ""


def _distinctions(play: Play, unit: Unit) -> list[str]:
    """Return the properties, in words, for which HS of one type do not pair up."""
    words: list[str] = [unit.class_] if unit.class_ is not None else []
    words += separate_type_traits(play.campaign, play.card, unit)
    where = play.campaign.location_text(unit.recorded_location)
    hidden = [f"hidden: {where}"] if unit.hidden else []
    return [*(word.replace("_", " ") for word in words), *hidden]


def _single_of_each(play: Play, odd: list[list[Unit]]) -> Iterable[Candidate]:
    """Yield all ways to leave one of each type single; if there are too many, those that differ
    from the default in at most one type."""
    groups = [[unit.id for unit in group] for group in odd]
    ways: Iterable[Iterable[str]] = product(*groups)
    if prod(map(len, groups)) > MOST_WAYS:
        default = list(map(max, groups))
        ways = [
            [*default[:at], id, *default[at + 1 :]]
            for at, group in enumerate(groups)
            for id in group
            if at == 0 or id != default[at]
        ]
    for ids in map(list, ways):
        yield Candidate(ids, _single_text(play, ids), " ".join(ids))


def _single_text(play: Play, ids: list[str]) -> str:
    units = [play.campaign.units[id] for id in ids if id in play.campaign.units]
    named = ", ".join(each.label for each in units)
    return f"{named} {'stays' if len(units) == 1 else 'stay'} single" if units else "none"


def _who_stays_single_anyway(play: Play, home: str, groups: list[list[Unit]]) -> set[str]:
    """Return the HS there that have no partner; an answer may name these too."""
    paired = {unit.id for group in groups for unit in group}
    units = (
        unit for unit in play.campaign.units.values() if unit.in_play and unit.id not in paired
    )
    return {
        unit.id
        for unit in units
        if unit.kind is UnitKind.HALF_SQUAD
        and unit.retained
        and play.campaign.retained_place(unit) == home
    }


def _read_single(raw: Raw, odd: list[list[Unit]], anyway: Callable[[], set[str]]) -> list[str]:
    if not isinstance(raw, list) or not all(isinstance(id_, str) for id_ in raw):
        raise RefusedError(
            f"{short_json(raw)} is not accepted; enter a list of the ids of the HS that stay single"
        )
    known = {unit.id for group in odd for unit in group}
    strangers = [id_ for id_ in raw if id_ not in known]
    if strangers and (strangers := [id_ for id_ in strangers if id_ not in anyway()]):
        raise RefusedError(
            f"{', '.join(strangers)} cannot be chosen here; enter {list_text(sorted(known))}"
        )
    for group in odd:
        chosen = [unit.id for unit in group if unit.id in raw]
        if len(chosen) != 1:
            called = ", ".join(unit.label for unit in group)
            raise RefusedError(f"exactly one of {called} stays single, not {len(chosen)}")
    return [str(id_) for id_ in raw]


def _recombine(play: Play, lives: Unit, goes: Unit) -> None:
    """Turn the HS with the lower id, the first, into the squad, with everything that both had."""
    squad = play.card.ladders.full_squad_of(lives)
    assert squad is not None
    two = f"{lives.label} and {goes.label}"
    lives.kind, lives.type, lives.strength = UnitKind.SQUAD, squad, UnitStrength.FULL
    lives.add_status(*goes.status)
    for weapon in play.campaign.weapons_possessed_by(goes):
        weapon.possessor = lives.id
    for prisoner in play.campaign.prisoners_of(goes):
        prisoner.guard = lives.id
    place = play.campaign.place_text(lives)
    remove_from_play(play.campaign, goes, Fate.RECOMBINED)
    goes.became = lives.id
    goes.place_unisolated(None)
    play.log(f"{two} ({place}) Recombine into {lives.label}", lives, goes)


@paragraph(
    "15.6112",
    nothing="no Retained leader is wounded",
    rolls=[WoundedLeaderResults],
    subjects=("R-CVP-REFIT",),
)
async def roll_for_wounded_leaders(play: Play) -> None:
    """Roll a dr for each Retained wounded leader: he recovers, stays wounded, or is eliminated."""
    wounded = pieces_with_any_of_statuses(play.campaign, "wounded")
    for leader in _retained(play, (unit for unit in wounded if unit.leader)):
        outcome = await play.roll(WoundedLeaderResults, leader, leader_facts(leader))
        if outcome.result == WoundedLeaderResults.UNWOUNDED:
            leader.remove_status("wounded")
        elif outcome.result == WoundedLeaderResults.ELIMINATED:
            prisoners = play.campaign.prisoners_of(leader)
            await eliminate_and_score(play, leader)
            await reassign_prisoners_if_guard_lost(play, leader, prisoners)
            if leader.isolated:
                take_over_location_if_deserted(play, leader.location)


def leader_facts(unit: Unit) -> dict[str, int]:
    """Return a leader's facts for the table of 15.6112."""
    return {
        "japanese": int(unit.side is Side.JAPANESE),
        "isolated": int(unit.isolated),
        "heroic": int(unit.has_trait("heroic")),
    }


def _retained(play: Play, units: Iterable[Unit]) -> list[Unit]:
    """Return the units among these that are Retained and not prisoners, in order."""
    return play.campaign.sort_counters_in_play(
        unit for unit in units if unit.retained and not unit.prisoner
    )


@paragraph("15.6113", nothing="no hero is Retained", subjects=("R-HARDEN-ELITE",))
async def harden_mmc_by_heroes(play: Play) -> None:
    """Each Retained hero who is not a leader is eliminated, and lets his side Battle Harden one MMC
    of its choice in his area (not a crew). If none there can Harden, he is Retained
    (R-HARDEN-ELITE)."""
    for hero in _retained(play, play.campaign.units.records_with("kind", UnitKind.HERO)):
        await _agree_on_the_elite(play, hero)
        able = [
            unit
            for unit in friendly_units_retained_with(play.campaign, hero)
            if _can_harden(play, unit)
        ]
        if not able:
            play.log_event(
                hero,
                "is Retained, since no MMC in his area can Battle Harden",
                ruling="R-HARDEN-ELITE",
            )
            continue
        prompt = f"{play.name_with_place(hero)} is eliminated: which MMC Battle Hardens?"
        chosen: Unit = await play.ask_unit(able, hero.id, prompt, counter=hero.id)
        play.log_event(hero, "is eliminated")
        prisoners = play.campaign.prisoners_of(hero)
        hidden_by = play.secret_of(hero)
        remove_from_play(play.campaign, hero)
        await reassign_prisoners_if_guard_lost(play, hero, prisoners)
        _harden(play, chosen, hidden_by)


async def _agree_on_the_elite(play: Play, hero: Unit) -> None:
    """Agree on R-HARDEN-ELITE if an Elite MMC is in a hero's area, without revealing the hero."""
    if play.secret_of(hero) is None and not play.campaign.is_ruling_agreed("R-HARDEN-ELITE"):
        together = friendly_units_retained_with(play.campaign, hero)
        elite = [unit for unit in together if _may_be_fanatic(play, unit)]
        await play.ask_ruling_if_not_agreed("R-HARDEN-ELITE", *elite)


def _can_harden(play: Play, unit: Unit) -> bool:
    if _may_be_fanatic(play, unit):
        return play.ruling_value("R-HARDEN-ELITE") == "fanatic"
    return _may_rise(unit) and play.card.ladders.hardened_class(unit) is not None


def _may_rise(unit: Unit) -> bool:
    return unit.armed and not (unit.smc or unit.crew)


def _may_be_fanatic(play: Play, unit: Unit) -> bool:
    """Whether an MMC is Elite, so that it could only become Fanatic (R-HARDEN-ELITE)."""
    top = _may_rise(unit) and play.card.ladders.hardened_class(unit) is None
    return top and not unit.has_trait("korean_laborer") and not unit.has_status("fanatic")


def _harden(play: Play, unit: Unit, secret: Side | None) -> None:
    """Move an MMC one step up the ladder, keeping its strength; an Elite one becomes Fanatic if so
    ruled. A hidden hero's presence is a secret of the hero's side."""
    before = play.name_with_place(unit)
    better = play.card.ladders.hardened_class(unit)
    if better is None:
        unit.add_status("fanatic")
        play.log(
            f"{before} Battle Hardens and becomes Fanatic",
            unit,
            ruling="R-HARDEN-ELITE",
            secret=secret,
        )
        return
    unit.class_ = better
    unit.type = play.card.ladders.digits_of_unit(unit)
    play.log(f"{before} Battle Hardens to {unit.type}", unit, secret=secret)


@paragraph("15.6114", nothing="no leader is heroic, and no side gains one")
async def promote_leaders(play: Play) -> None:
    """Each Retained heroic leader Battle Hardens and is no longer heroic (a heroic 10-3 only stops
    being heroic). The side that won the scenario may Harden one non-Isolated leader, or create one
    7-0 (Japanese: 8-0)."""
    leaders = play.campaign.units.records_with("kind", UnitKind.LEADER)
    for leader in _retained(play, (unit for unit in leaders if unit.has_trait("heroic"))):
        leader.traits = tuple(trait for trait in leader.traits if trait != "heroic")
        _harden_leader(play, leader, "is no longer heroic")
    winner = play.campaign.situation.winner
    if winner is not None:
        await _reward(play, winner)


def _harden_leader(play: Play, leader: Unit, *also: str) -> None:
    before, was = play.name_with_place(leader), leader.type
    leader.type = play.card.ladders.hardened_leader(leader)
    rises = [] if leader.type == was else [f"Battle Hardens to {leader.type}"]
    readings = _ladder_readings(was, leader) if rises else ()
    play.log(f"{before} {' and '.join([*also, *rises])}", leader, readings=readings)


def _ladder_readings(was: str, leader: Unit) -> tuple[str, ...]:
    """Return the fixed readings on which a leader's promotion depends: in the Japanese ladder 8-0
    is below 9-0."""
    if leader.side is Side.MARINE:
        return ("us_ladder",)
    return ("no_8_1",) if was == "8-0" else ()


async def _reward(play: Play, winner: Side) -> None:
    """Let the side that won the scenario choose (15.6114)."""
    options: list[Option[tuple[str, Any]]] = []
    leaders = play.campaign.units.records_with("kind", UnitKind.LEADER)
    own = (unit for unit in leaders if unit.side is winner)
    for leader in _retained(play, (unit for unit in own if not unit.isolated)):
        if play.card.ladders.hardened_leader(leader) != leader.type:
            words = f"Battle Harden {play.name_with_place(leader)}"
            rises = ("harden", leader)
            options.append(
                Option({"harden": leader.id}, words, rises, of=play.named_counter(leader))
            )
    new = play.card.ladders.leader_type_created(winner)
    a_new = f"an {new}" if new.startswith("8") else f"a {new}"
    for _, area in sorted(play.campaign.areas.items()):
        if area.side is winner:
            words = f"create {a_new} leader in {area.display_name}"
            of = NamedCounter(area.id, area.id)
            options.append(Option({"create": area.id}, words, ("create", area), of=of))
    if not options:
        return
    options.append(Option(None, "neither", ("nothing", None)))
    what, whom = await play.ask(
        ChoiceQuestion(
            subject=winner,
            side=winner,
            prompt=f"The {winner.plural} won: Battle Harden a leader, or create {a_new}?",
            options=tuple(options),
            default=options[0].raw,  # the default never gives up what the rule grants
            of_equals=True,
        )
    )
    if what == "harden":
        _harden_leader(play, whom)
    elif what == "create":
        id = _id_of_the_next_leader(play, winner)
        leader = Unit(id=id, side=winner, kind=UnitKind.LEADER, type=new, setup_area=whom.id)
        play.campaign.add(leader)
        assign_numbers(play.campaign)
        play.log_event(leader, "is created")


def _id_of_the_next_leader(play: Play, side: Side) -> str:
    """Return the next id for a side's created leaders ("marine-ldr-2")."""
    begins = f"{side}-ldr-"
    created = sum(id.startswith(begins) for id in play.campaign.units)
    return play.campaign.free_counter_id(f"{begins}{created + 1}")
