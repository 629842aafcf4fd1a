"""Units by what players call them: "6-6-8", "768", "9-1", "hero"; their digits tell the class."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from brt_cg.card import Card
from brt_cg.model.counters import Class, Kind, Side, Strength
from brt_cg.text import NotUnderstood, listed, phrase

KINDS = {
    "squad": Kind.SQUAD,
    "sq": Kind.SQUAD,
    "half-squad": Kind.HALF_SQUAD,
    "hs": Kind.HALF_SQUAD,
    "crew": Kind.CREW,
    "vehicle": Kind.VEHICLE_CREW,  # "vehicle crew"
}
CLASSES = {
    **{"elite": Class.ELITE, "1st": Class.FIRST_LINE, "first": Class.FIRST_LINE},
    **{"2nd": Class.SECOND_LINE, "second": Class.SECOND_LINE, "conscript": Class.CONSCRIPT},
}
TRAITS = {
    **dict.fromkeys(("engineer", "engineers"), "engineer"),
    **dict.fromkeys(("laborer", "laborers"), "korean_laborer"),
}
OWN_KINDS = ("engineer", "korean_laborer")  # traits that make a unit a type of its own
FILLING = ("line", "assault", "korean")  # words that say nothing by themselves
HEROES = {"hero": (), "heroes": (), "t-h": ("tank_hunter",)}
DIGITS = re.compile(r"(\d)-?(\d)-?(\d)")
LEADER = re.compile(r"\d{1,2}[-+]\d")


@dataclass(frozen=True, slots=True)
class CalledCounters:
    """A unit as it is called: the values of its fields."""

    kind: Kind
    type: str
    class_: Class | None = None
    strength: Strength = Strength.FULL
    traits: tuple[str, ...] = ()

    def row(self, side: Side) -> dict[str, Any]:
        """The unit as a row of a state document, without id and place."""
        row: dict[str, Any] = {"side": str(side), "kind": str(self.kind), "type": self.type}
        if self.class_ is not None:
            row["class"] = str(self.class_)
        if self.strength is Strength.REDUCED:
            row["strength"] = str(self.strength)
        if self.traits:
            row["traits"] = list(self.traits)
        return row

    @property
    def plain(self) -> bool:
        """Whether the digits alone are enough."""
        return self.strength is Strength.FULL and not self.traits


def printed_type(card: Card, side: Side, text: str) -> str:
    """Digits as they are printed: "768" is 7-6-8, "91" is 9-1; any other text as it is."""
    ladder = card.ladders.figures.leaders[side].ladder
    leader, bare = _leader(text.strip(), ladder), re.fullmatch(r"(\d)(\d)(\d)", text.strip())
    return leader if leader in ladder or bare is None else "-".join(bare.groups())


def _leader(text: str, ladder: Iterable[str]) -> str:
    """A leader of a ladder whose hyphen was left out: "91" is 9-1."""
    return {re.sub("[-+]", "", each): each for each in ladder}.get(text, text)


def unit_called(card: Card, side: Side, words: Sequence[str]) -> tuple[CalledCounters, int]:
    """The unit that the first words name, and how many words they are. Raises NotUnderstood
    with what is allowed."""
    first = words[0].lower()
    if first in HEROES:
        more = 2 if words[1:2] and words[1].lower() in ("hero", "heroes") else 1
        return CalledCounters(Kind.HERO, card.ladders.figures.hero, traits=HEROES[first]), more
    if first in ("pathfinder", "pathfinders"):
        return CalledCounters(Kind.PATHFINDER, card.ladders.figures.pathfinder), 1
    ladder = card.ladders.figures.leaders[side].ladder
    first = _leader(first, ladder)
    if LEADER.fullmatch(first):
        if first in ladder:
            return CalledCounters(Kind.LEADER, first), 1
        raise NotUnderstood(words[0], f"no {side.label} leader", allowed=listed(ladder))
    digits = DIGITS.fullmatch(first)
    if digits is None:
        raise NotUnderstood(words[0], "no unit")
    return _mmc(card, side, "-".join(digits.groups()), words)


def _mmc(card: Card, side: Side, type_: str, words: Sequence[str]) -> tuple[CalledCounters, int]:
    figures = card.ladders.figures
    if type_ in (figures.hero, figures.pathfinder):
        kind = Kind.HERO if type_ == figures.hero else Kind.PATHFINDER
        return CalledCounters(kind, type_), 1
    stated, used = _stated(words[1:])
    found = [each for each in mmc_of(card, side) if each.type == type_]
    if not found:
        known = dict.fromkeys(each.type for each in mmc_of(card, side))
        digits = phrase(words[:1]).saying(type_)
        raise NotUnderstood(digits, f"no {side.label} unit", allowed=listed(known))
    fitting = [each for each in found if _fits(each, stated)]
    chosen = [each for each in fitting if each.plain]
    chosen = chosen or [each for each in fitting if not each.traits] or fitting
    if len(chosen) == 1:
        return chosen[0], 1 + used
    these = "; ".join(sorted(words_of(each, each.traits) for each in chosen or found))
    raise NotUnderstood(phrase(words[: 1 + used]), f"which one? {these}")


def _stated(words: Sequence[str]) -> tuple[dict[str, object], int]:
    """What the words after the digits say of a unit, and how many they are."""
    fields: dict[str, object] = {}
    for at, word in enumerate(words):
        plain = word.lower()
        if plain == "reduced":
            fields["strength"] = Strength.REDUCED
        elif plain in KINDS or plain.rstrip("s") in KINDS:
            fields.setdefault("kind", KINDS.get(plain) or KINDS[plain.rstrip("s")])
        elif plain in CLASSES:
            fields["class_"] = CLASSES[plain]
        elif plain in TRAITS:
            fields["traits"] = (TRAITS[plain],)
        elif plain not in FILLING:
            return fields, at
    return fields, len(words)


def _fits(each: CalledCounters, stated: dict[str, object]) -> bool:
    return all(getattr(each, name) == value for name, value in stated.items())


def mmc_of(card: Card, side: Side) -> Iterator[CalledCounters]:
    """Every MMC of a side: its kind, class, strength and traits, and the digits that follow."""
    figures = card.ladders.figures
    if side is Side.MARINE:
        own = figures.marine
        for squad, half in own.half_squads.items():
            yield CalledCounters(Kind.SQUAD, squad, own.class_)
            if squad == own.engineer_squad:
                yield CalledCounters(Kind.SQUAD, squad, own.class_, traits=("engineer",))
                yield CalledCounters(Kind.HALF_SQUAD, half, own.class_, traits=("engineer",))
        for half in dict.fromkeys(own.half_squads.values()):
            yield CalledCounters(Kind.HALF_SQUAD, half, own.class_)
        yield CalledCounters(Kind.CREW, own.crew, own.class_)
        yield CalledCounters(Kind.VEHICLE_CREW, own.vehicle_crew, own.class_)
        return
    japanese = figures.japanese
    for class_, digits in japanese.squads.items():
        many: list[tuple[tuple[str, ...], Class]] = [((), class_)]
        if class_ is japanese.engineer_class:
            many.append((("engineer",), class_))
        for traits, of in many:
            yield CalledCounters(Kind.SQUAD, digits.full, of, traits=traits)
            yield CalledCounters(Kind.SQUAD, digits.reduced, of, Strength.REDUCED, traits)
            yield CalledCounters(Kind.HALF_SQUAD, digits.half_squad, of, traits=traits)
    laborer = ("korean_laborer",)
    yield CalledCounters(Kind.SQUAD, japanese.laborer_squad, Class.CONSCRIPT, traits=laborer)
    yield CalledCounters(
        Kind.HALF_SQUAD, japanese.laborer_half_squad, Class.CONSCRIPT, traits=laborer
    )
    yield CalledCounters(Kind.CREW, japanese.crew, Class.ELITE)
    yield CalledCounters(Kind.CREW, japanese.reduced_crew, Class.ELITE, Strength.REDUCED)
    yield CalledCounters(Kind.VEHICLE_CREW, japanese.vehicle_crew, Class.ELITE)


def words_of(each: CalledCounters, traits: tuple[str, ...]) -> str:
    """A unit as a line calls it: "4-4-8 reduced", "7-6-8 engineers", "2-3-8 HS"."""
    more = ["reduced"] if each.strength is Strength.REDUCED else []
    more += ["engineers"] if "engineer" in traits else []
    more += ["laborers"] if "korean_laborer" in traits else []
    if each.kind in (Kind.HALF_SQUAD, Kind.CREW):
        more.append(each.kind.label)
    return " ".join([each.type, *more])
