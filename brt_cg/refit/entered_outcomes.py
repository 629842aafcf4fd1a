"""15.6133 and 15.6135: outcomes that the players enter, since our copy of the rules is
incomplete."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from brt_cg.card import broken_link_problems
from brt_cg.immutable import immutable
from brt_cg.model import (
    SIDES,
    Area,
    Campaign,
    Counter,
    Fate,
    Piece,
    Side,
    Unit,
    Vehicle,
    Weapon,
    WeaponKind,
)
from brt_cg.model.cleanup import keep_hidden_without_holder
from brt_cg.questions import (
    AnswerForm,
    Candidate,
    EntryQuestion,
    PointingForm,
    Raw,
    RefusedError,
    raise_problems,
)
from brt_cg.refit.losses import disembark_crew
from brt_cg.refit.manual_outcomes import FieldSetting, apply_setting, parse_setting, read_setting
from brt_cg.refit.play import Play
from brt_cg.refit.s607_perimeters import is_cut_off, isolate_in_place
from brt_cg.refit.s608_retained import retain_in_area, take_over_location_if_deserted
from brt_cg.refit.s609_prisoners import move_prisoner_to_guard, reassign_prisoners_if_guard_lost
from brt_cg.refit.trial import Work, read_after_trial
from brt_cg.text import list_text, short_json

PLACES = {"location", "possessor"}
HINT = 'a list of {"do": text, "counter": id, "set": {field: value}}, or null for none'


Outcome = tuple[str, FieldSetting]  # one outcome: its words, and the setting of a counter


@immutable
class UsualOutcome:
    """A usual outcome for a counter: its words, and the fields that it sets."""

    counter: Counter
    do: str
    values: dict[str, Raw]


async def ask_and_apply_outcomes(
    play: Play, what: str, ruling: str, usual: Callable[[Side], Iterable[UsualOutcome]]
) -> None:
    """Ask each side for outcomes and carry them out; `usual` ones can be picked."""

    async def put(trial: Play, outcomes: list[Outcome]) -> None:
        await _carry_out(trial, outcomes, ruling)

    for side in SIDES:
        outcomes = await play.ask(
            EntryQuestion(
                subject=side,
                side=side,
                prompt=f"{side.label}: which {what} ({ruling})?",
                secret=side if play.has_secrets(side) else None,
                reader=partial(_try_out, play, side, put),
                hint=HINT,
                form=_form(play, side, partial(usual, side)),
            )
        )
        await _carry_out(play, outcomes, ruling)


def _try_out(
    play: Play, side: Side, put: Callable[[Play, list[Outcome]], Work], raw: Raw
) -> list[Outcome]:
    return (
        read_after_trial(play, lambda on: _read_outcomes(on, side, raw), put)
        if raw
        else _read_outcomes(play, side, raw)
    )


def _form(play: Play, side: Side, usual: Callable[[], Iterable[UsualOutcome]]) -> AnswerForm:
    """Return the form for typing outcomes ("m-mmg-3 status=malfunctioned: scrounged"), for wording
    them and for picking them."""
    campaign = play.campaign

    def typed(text: str) -> Raw:
        parts = filter(None, map(str.strip, text.split(";")))
        return [_outcome_typed(campaign, side, part) for part in parts]

    def worded(raw: Raw) -> str:
        named = []
        for outcome in raw or []:
            id = outcome["counter"]
            counter = campaign.find(id)
            who = counter.label if counter is not None else id
            named.append(f"{who}: {outcome['do']}")
        return "; ".join(named) or "none"

    def candidates() -> Iterable[Candidate]:
        for outcome in usual():
            id, words = outcome.counter.id, f"{play.name_with_place(outcome.counter)}: {outcome.do}"
            raw = [{"do": outcome.do, "counter": id, "set": outcome.values}]
            values = " ".join(f"{name}={_typed(value)}" for name, value in outcome.values.items())
            secret = play.secret_of(outcome.counter)
            yield Candidate(raw, words, f"{id} {values}: {outcome.do}", secret)

    return AnswerForm(
        hint="COUNTER FIELD=VALUE…: DESCRIPTION, such as MMG no. 3 status=malfunctioned: scrounged",
        typed=typed,
        worded=worded,
        candidates=candidates,
        joined=lambda raws: [outcome for raw in raws for outcome in raw],
        pointed=PointingForm(),
        counters=lambda: play.named_counters(_counters(campaign, side)),
        own_words=r":\s[^;]*",
    )


def _counters(campaign: Campaign, side: Side) -> Iterable[Counter]:
    """Return the counters that a side's outcomes may be about, its equipment first."""
    own = (each for each in campaign.counters() if each.side is side)
    return sorted(own, key=lambda each: not isinstance(each, Weapon))


def _typed(value: Raw) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(value) if isinstance(value, list) else str(value or "")


def _outcome_typed(campaign: Campaign, side: Side, text: str) -> Raw:
    # A Location contains a colon too, but without a blank after it.
    head, _, do = text.partition(": ")
    id, *assignments = head.split() or [""]
    if not do.strip() or not assignments:
        raise RefusedError(f"{text!r}: write COUNTER FIELD=VALUE…: DESCRIPTION")
    counter = campaign.find(id)
    if counter is None or counter.side is not side:
        names = sorted(counter.name for counter in _counters(campaign, side) if counter.name)
        raise RefusedError(
            f"{id} is not a {side.label} counter; enter "
            f"{list_text(['the name of a counter', *names])}"
        )
    return {"do": do.strip(), "counter": id, "set": parse_setting(counter, assignments)}


async def _carry_out(play: Play, outcomes: list[Outcome], ruling: str) -> None:
    for do, setting in outcomes:
        words = f"{play.name_with_place(setting.counter)}: {do}"
        play.log(words, setting.counter, ruling=ruling)
        await _set(play, setting)


async def _set(play: Play, setting: FieldSetting) -> None:
    """Set a counter's values, with all consequences."""
    counter = setting.counter
    was = counter.clone()
    prisoners = play.campaign.prisoners_of(counter) if isinstance(counter, Unit) else []
    apply_setting(play, setting)
    if isinstance(counter, Unit):
        if counter.in_play and counter.prisoner and counter.guard is None:
            raise RefusedError(f"{counter.id}: no guard; enter an enemy unit as its guard (15.609)")
        await reassign_prisoners_if_guard_lost(play, counter, prisoners)
        guard = play.campaign.units.get(counter.guard or "")
        if counter.in_play and guard is not None:
            move_prisoner_to_guard(counter, guard)
    if isinstance(counter, Unit | Vehicle) and counter.isolated and not counter.in_play:
        take_over_location_if_deserted(play, counter.location)
    if isinstance(counter, Piece) and counter.in_play and "location" in setting.attributes:
        assert isinstance(was, Piece), f"{was.id} has become a {counter.TABLE}"
        retain_at_location(play, counter, was)
    if isinstance(counter, Weapon):
        _join_its_possessor(play, counter)
    if isinstance(counter, Vehicle) and _is_abandoned(was, counter):
        disembark_crew(play, counter)


def _is_abandoned(was: Counter, now: Vehicle) -> bool:
    """Whether a vehicle that was manned has been left by its crew."""
    manned = isinstance(was, Vehicle) and was.manned and was.side is now.side
    return manned and now.in_play and not now.manned


def _read_outcomes(play: Play, side: Side, raw: Raw) -> list[Outcome]:
    if raw is None:
        return []
    if not isinstance(raw, list):
        raise RefusedError(f"{short_json(raw)} is not accepted; enter {HINT}")
    problems: list[str] = []
    outcomes: list[Outcome] = []
    for number, entry in enumerate(raw):
        try:
            outcomes.append(_read_outcome(play, side, entry))
        except RefusedError as error:
            problems.extend(f"[{number}]: {line}" for line in str(error).splitlines())
    raise_problems(problems)
    return outcomes


def _read_outcome(play: Play, side: Side, raw: Any) -> Outcome:
    if not isinstance(raw, dict) or set(raw) != {"do", "counter", "set"}:
        raise RefusedError(
            f"{short_json(raw)} is not accepted; enter an object with do, counter and set"
        )
    if not isinstance(raw["do"], str) or not raw["do"].strip():
        raise RefusedError(
            f"do: {short_json(raw['do'])} is not accepted; enter what is done, in words"
        )
    counter = play.campaign.find(raw["counter"]) if isinstance(raw["counter"], str) else None
    if counter is None or counter.side is not side:
        raise RefusedError(
            f"counter: {short_json(raw['counter'])} is not accepted; enter the name of a "
            f"{side.label} counter"
        )
    setting = read_setting(play, counter, raw["set"], side)
    back = ("fate", Fate.IN_PLAY) in setting.values and not counter.in_play
    if back and not setting.attributes & PLACES:
        raise RefusedError(f"{counter.id}: back in play; enter its {' or '.join(sorted(PLACES))}")
    return " ".join(raw["do"].split()), setting


def _join_its_possessor(play: Play, weapon: Weapon) -> None:
    """Keep a found or replenished SW with its possessor."""
    possessor: Unit | None = play.campaign.units.get(weapon.possessor or "")
    if possessor is None or weapon.kind is not WeaponKind.SW:
        return
    weapon.location = possessor.location
    weapon.setup_area = possessor.setup_area
    weapon.isolated = possessor.isolated
    weapon.recorded_location = possessor.recorded_location


# --- the place of a Retained counter whose Location was entered by hand ---------------------------


def retain_at_location(play: Play, piece: Piece, was: Piece) -> None:
    """Retain a counter with an entered Location in the area of that hex, if that area is its
    side's; off map; or, if it is Isolated there, in that recorded Location. Its possessions move
    with it. `was` is the counter before this. Raises RefusedError if it cannot be Retained there,
    and for a counter whose place depends on its guard, possessor or vehicle."""
    for field, problem in broken_link_problems(piece, play.campaign.find):
        if field == "location":
            raise RefusedError(f"{piece.id}: {field}: {problem}")
    carrier = _carrier(piece)
    if carrier is not None:
        raise _refusal(piece, f"it is where {carrier} is; enter a Location for {carrier}")
    if _lay_in_no_area(was) and not _retained_in(play, piece):
        return
    if not (piece.off_map or _retained_in(play, piece) or _is_isolated_there(play, piece, was)):
        own = (
            area.display_name for area in play.campaign.areas.values() if area.side is piece.side
        )
        areas = ", ".join(sorted(own)) or "no area"
        raise _refusal(piece, f"enter off_map, or a hex of {areas}, where its side is Retained")
    area = _retained_in(play, piece)
    for moved in [piece, *_taken_along(play, piece, was)]:
        _place(play, moved, piece.location, area)
    if area is not None:
        play.log(f"{piece.label} is Retained in {area.display_name}", piece)
    if was.isolated:
        take_over_location_if_deserted(play, was.location)


def _refusal(piece: Piece, words: str) -> RefusedError:
    return RefusedError(f"{piece.id} cannot be in {piece.location}; {words}")


def _carrier(piece: Piece) -> str | None:
    """Return the link that decides the place of a counter; a Gun has its own place."""
    if isinstance(piece, Unit):
        return piece.guard
    if isinstance(piece, Weapon):
        return piece.vehicle or (piece.possessor if piece.kind is WeaponKind.SW else None)
    return None


def _lay_in_no_area(was: Piece) -> bool:
    """Whether a piece was a vehicle or Weapon on map that nobody Retained, so that it may be moved
    there."""
    on_map = was.in_play and was.location is not None and not was.off_map
    return on_map and not was.retained and not isinstance(was, Unit)


def _retained_in(play: Play, piece: Piece) -> Area | None:
    area = play.campaign.area_at(piece.location)
    return area if area is not None and area.side is piece.side else None


def _is_isolated_there(play: Play, piece: Piece, was: Piece) -> bool:
    """Whether an Isolated counter would be Isolated in its new Location too."""
    if not was.isolated:
        return False
    if isinstance(piece, Unit | Vehicle) and is_cut_off(play, piece):
        return True
    return play.campaign.side_isolated_in(piece.location, play.secret_of(piece)) is piece.side


def _taken_along(play: Play, piece: Piece, was: Piece) -> Iterable[Piece]:
    """Return a counter's SW, prisoners and armament. A Gun remains in place, and becomes
    unpossessed if that is another area or another Isolated Location."""
    if isinstance(piece, Vehicle):
        return [*play.campaign.weapons_mounted_on(piece), *play.campaign.units_aboard(piece)]
    if not isinstance(piece, Unit):
        return []
    possessed = play.campaign.weapons_possessed_by(piece)
    area = _retained_in(play, piece)
    stays = area is not None and area.id == was.setup_area
    for gun in (weapon for weapon in possessed if weapon.kind is WeaponKind.GUN and not stays):
        keep_hidden_without_holder(play.campaign, gun)
        gun.possessor = None
        play.log_event(gun, "is left behind, and nobody possesses it")
    sw = (weapon for weapon in possessed if weapon.kind is WeaponKind.SW)
    return [*sw, *play.campaign.prisoners_of(piece)]


def _place(play: Play, piece: Piece, location: str | None, area: Area | None) -> None:
    piece.place_unisolated(location)
    if area is not None:
        retain_in_area(play, piece, area)
    elif not piece.off_map and not piece.has_status("prisoner"):
        isolate_in_place(piece)
