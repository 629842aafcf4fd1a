"""A small table to play on: counters by the names players use, and one paragraph played on them.

Lists may be written as words: `status="broken wounded"`, `areas={"M1": "N18-N21 M18"}`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from brt_cg.board import locations
from brt_cg.board.locations import sort_hexes
from brt_cg.card import load_card
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import (
    Counter,
    Fire,
    Fortification,
    Material,
    PathfinderState,
    Piece,
    Side,
    Terrain,
    TerrainKind,
    Unit,
    UnitClass,
    UnitKind,
    UnitStrength,
    Vehicle,
    Weapon,
    WeaponKind,
)
from brt_cg.model.records import Area, Phase, RulingInForce, SideRecord, Situation
from brt_cg.questions.answers import Raw
from brt_cg.questions.question_types import EntryQuestion, Question, RollQuestion
from brt_cg.refit.play import Paragraph
from brt_cg.refit.run import ParagraphRun

MARINE, JAPANESE = Side.MARINE, Side.JAPANESE
LADDERS = load_card("III").ladders

# --- the campaign -----------------------------------------------------------------------------


def campaign(
    *counters: Counter,
    cg: str = "III",
    rulings: Mapping[str, str] | None = None,
    marine: Mapping[str, Any] | None = None,
    japanese: Mapping[str, Any] | None = None,
    areas: Mapping[str, str] | None = None,
    not_agreed: Iterable[str] = (),
    **facts: Any,
) -> Campaign:
    """A campaign in its Refit Phase with these counters, every ruling agreed at its default but
    those given, or `not_agreed` yet, and no CVP. `facts` are fields of the Situation; an area's
    letter is its side."""
    card = load_card(cg)
    facts.setdefault("date", card.first_date)
    made = _agreed(cg).clone()
    made.add(Situation(id="campaign", cg=cg, **{"phase": Phase.REFIT, "initial": False, **facts}))
    made.add(SideRecord(id="marine", **(marine or {})))
    made.add(SideRecord(id="japanese", **(japanese or {})))
    for key, value in (rulings or {}).items():
        made.rulings[key].value = card.rulings[key].check_value(value)
    for key in not_agreed:
        del made.rulings[key]
    for name, spans in (areas or {}).items():
        hexes = sort_hexes(
            one for span in spans.split() for one in locations.expand_hex_range(span)
        )
        side = MARINE if name.startswith("M") else JAPANESE
        made.add(Area(id=name, side=side, hexes=hexes))
    for counter in counters:
        made.add(counter)
    return made


@cache
def _agreed(cg: str) -> Campaign:
    """Every ruling of a CG at its default."""
    made = Campaign()
    for key, ruling in load_card(cg).rulings.items():
        made.add(RulingInForce(id=key, value=ruling.check_value(ruling.default)))
    return made


# --- counters ---------------------------------------------------------------------------------


def unit(
    id: str, location: str | None, side: Side, kind: UnitKind, type: str, **values: Any
) -> Unit:
    """Any unit. A location of None goes with setup_area="M1"."""
    made = Unit(
        id=id, location=_location(location), side=side, kind=kind, type=type, **_lists(values)
    )
    if made.mmc and made.class_ is None:
        made.class_ = UnitClass.ELITE
    return made


def marine_squad(id: str, location: str | None, type: str = "7-6-8", **values: Any) -> Unit:
    return unit(id, location, MARINE, UnitKind.SQUAD, type, **values)


def marine_half_squad(id: str, location: str | None, type: str = "3-4-8", **values: Any) -> Unit:
    return unit(id, location, MARINE, UnitKind.HALF_SQUAD, type, **values)


def japanese_squad(
    id: str, location: str | None, class_: str = "first_line", strength: str = "full", **values: Any
) -> Unit:
    """A Japanese squad; its digits follow from class, strength and traits."""
    return _japanese(id, location, UnitKind.SQUAD, class_, strength, values)


def japanese_half_squad(
    id: str, location: str | None, class_: str = "first_line", **values: Any
) -> Unit:
    """A Japanese HS; its digits follow from class and traits."""
    return _japanese(id, location, UnitKind.HALF_SQUAD, class_, "full", values)


def _japanese(
    id: str,
    location: str | None,
    kind: UnitKind,
    class_: str,
    strength: str,
    values: dict[str, Any],
) -> Unit:
    made = unit(id, location, JAPANESE, kind, "", class_=UnitClass(class_), **values)
    made.strength = UnitStrength(strength)
    made.type = LADDERS.digits_of_unit(made)
    return made


def crew(id: str, location: str | None, side: Side = MARINE, **values: Any) -> Unit:
    """An Infantry crew, 2-2-8."""
    return unit(id, location, side, UnitKind.CREW, "2-2-8", **values)


def leader(
    id: str, location: str | None, type: str = "8-0", side: Side = MARINE, **values: Any
) -> Unit:
    return unit(id, location, side, UnitKind.LEADER, type, **values)


def hero(id: str, location: str | None, side: Side = MARINE, **values: Any) -> Unit:
    return unit(id, location, side, UnitKind.HERO, "1-4-9", **values)


def pathfinder(id: str, location: str | None, **values: Any) -> Unit:
    return unit(id, location, MARINE, UnitKind.PATHFINDER, "0-0-9", **values)


def sw(
    id: str, location: str | None, type: str = "MMG", side: Side = MARINE, **values: Any
) -> Weapon:
    """A support weapon; nation= the other side for a captured one."""
    return _weapon(id, location, WeaponKind.SW, type, side, values)


def gun(
    id: str, location: str | None, type: str = "37mm", side: Side = JAPANESE, **values: Any
) -> Weapon:
    return _weapon(id, location, WeaponKind.GUN, type, side, values)


def vehicular(
    id: str,
    location: str | None,
    vehicle: str,
    type: str = "MA",
    side: Side = MARINE,
    **values: Any,
) -> Weapon:
    """A Weapon mounted on the vehicle of that id."""
    return _weapon(id, location, WeaponKind.VEHICULAR, type, side, {"vehicle": vehicle, **values})


def _weapon(
    id: str, location: str | None, kind: WeaponKind, type: str, side: Side, values: dict[str, Any]
) -> Weapon:
    values = {"nation": side, **_lists(values)}
    return Weapon(id=id, location=_location(location), side=side, kind=kind, type=type, **values)


def vehicle(
    id: str, location: str | None, type: str = "M4A2", side: Side = MARINE, **values: Any
) -> Vehicle:
    """A manned vehicle, worth what the table says of its type; pathfinder="none"."""
    values = {"nation": side, "cvp": LADDERS.vehicle_type_cvp(type) or 0, **_lists(values)}
    values["pathfinder"] = PathfinderState(values.get("pathfinder", "none"))
    return Vehicle(id=id, location=_location(location), side=side, type=type, **values)


def fort(
    id: str, location: str, type: str = "pillbox", side: Side = JAPANESE, **values: Any
) -> Fortification:
    return Fortification(id=id, location=_location(location), side=side, type=type, **values)


def terrain(
    id: str,
    location: str,
    kind: str = "building",
    material: str | None = None,
    fire: str | None = None,
    **values: Any,
) -> Terrain:
    return Terrain(
        id=id,
        location=_location(location),
        kind=TerrainKind(kind),
        material=Material(material) if material else None,
        fire=Fire(fire) if fire else None,
        **values,
    )


def _location(location: str | None) -> str | None:
    if location is None or locations.is_area_only_location(location):
        return location
    return locations.check_location(location)


def _lists(values: dict[str, Any]) -> dict[str, Any]:
    """Lists of words as the sorted tuples that counters keep."""
    return {key: _words(one) if key in LISTS else one for key, one in values.items()}


LISTS = ("status", "traits", "depleted")


def _words(value: str | Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(value.split() if isinstance(value, str) else value))


# --- playing a paragraph ----------------------------------------------------------------------


@dataclass
class Result:
    """What came of a paragraph: the sentences said, the questions asked in order, and the
    campaign, which the paragraph has changed."""

    campaign: Campaign
    said: list[str] = field(default_factory=list)
    secrets: list[Side | None] = field(default_factory=list)
    asks: list[Question[Any]] = field(default_factory=list)
    because: str | None = None

    @property
    def log(self) -> str:
        return "\n".join(self.said)

    @property
    def subjects(self) -> list[str]:
        """The subjects of the questions, in the order asked."""
        return [one.subject for one in self.asks]

    def ask(self, subject: str, kind: str | None = None) -> Question[Any]:
        """The first question about a subject."""
        return next(one for one in self.asks if one.subject == subject and kind in (None, one.kind))

    def modifiers(self, subject: str) -> dict[str, int]:
        """The modifiers of a subject's first roll, by reason."""
        roll = self.ask(subject, "roll")
        assert isinstance(roll, RollQuestion)
        return {one.reason: one.amount for one in roll.modifiers}

    def unit(self, id: str) -> Unit:
        return self.campaign.units[id]

    def weapon(self, id: str) -> Weapon:
        return self.campaign.weapons[id]

    def vehicle(self, id: str) -> Vehicle:
        return self.campaign.vehicles[id]

    def piece(self, id: str) -> Piece:
        found = self.campaign.find(id)
        assert isinstance(found, Piece)
        return found

    def cvp(self, side: Side) -> int:
        return self.campaign.cvp(side)


def play(
    paragraph: Paragraph,
    campaign: Campaign,
    rolls: Mapping[str, list[Raw]] | None = None,
    choices: Mapping[str, Raw] | None = None,
    *,
    default: bool = True,
    look: Callable[[Question[Any]], None] = lambda ask: None,
) -> Result:
    """Plays a paragraph with answers as an answers file has them: by subject, a list of dice for
    rolls ([3], [[3, 4]]), one raw answer for a choice, a list of them for a series.

    A choice that is not given takes its default (with `default=False` it is missing, as a die is).
    Raises LookupError for a missing answer, Refused for one that is not allowed, AssertionError for
    answers that nothing asked for. `look` sees each question as it stands open.
    """
    dice = {subject: list(raws) for subject, raws in (rolls or {}).items()}
    chosen = dict(choices or {})
    series = {key: list(value) for key, value in chosen.items() if isinstance(value, list)}
    result = Result(campaign)
    run = ParagraphRun(paragraph, campaign, load_card(campaign.situation.cg))
    asked: set[str] = set()
    while run.ask is not None:
        ask = run.ask
        result.asks.append(ask)
        look(ask)
        if isinstance(ask, RollQuestion):
            raw = _next_roll(ask, dice)
        elif isinstance(ask, EntryQuestion) and ask.series:
            asked.add(ask.subject)
            left = series.get(ask.subject, [])
            raw = left.pop(0) if left else ask.stop if ask.subject in chosen else ask.default
        elif ask.subject in chosen:
            asked.add(ask.subject)
            raw = chosen[ask.subject]
        elif default:
            raw = ask.default
        else:
            raise LookupError(f"{ask.rule}, {ask.subject}: no answer to: {ask.prompt}")
        run.send(ask.read(raw))
    said = run.take_log_lines()
    result.said = [one.text for one in said]
    result.secrets = [one.secret for one in said]
    result.because = run.play.because
    unused = {subject: left for subject, left in dice.items() if left}
    assert not unused, f"dice that nothing asked for: {unused}"
    assert asked >= set(chosen), f"choices that nothing asked for: {sorted(set(chosen) - asked)}"
    return result


def _next_roll(ask: RollQuestion, dice: dict[str, list[Raw]]) -> Raw:
    left = dice.get(ask.subject)
    if not left:
        raise LookupError(f"{ask.rule}, {ask.subject}: no dice for: {ask.prompt}")
    return left.pop(0)


def dr(total: int) -> list[list[int]]:
    """A DR of that total."""
    return [[min(6, total - 1), total - min(6, total - 1)]]
