"""Units by the names that players use: "6-6-8", "768", "9-1", "hero"; their digits show the class;
and Fortifications: "1S foxhole", "pillbox 2+3+5", "1+3+5 pillboxes"."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

from brt_cg.card.games import Card
from brt_cg.card.prices import CreatedCounter, CreatedKind, Price
from brt_cg.immutable import immutable
from brt_cg.model import Fortification, Side, UnitClass, UnitKind, UnitStrength
from brt_cg.text import NotUnderstoodError, list_text, merge_adjacent_words, nearest_name

KINDS = {
    "squad": UnitKind.SQUAD,
    "sq": UnitKind.SQUAD,
    "half-squad": UnitKind.HALF_SQUAD,
    "hs": UnitKind.HALF_SQUAD,
    "crew": UnitKind.CREW,
    "vehicle": UnitKind.VEHICLE_CREW,  # "vehicle crew"
}
CLASSES = {
    **{"elite": UnitClass.ELITE, "1st": UnitClass.FIRST_LINE, "first": UnitClass.FIRST_LINE},
    **{
        "2nd": UnitClass.SECOND_LINE,
        "second": UnitClass.SECOND_LINE,
        "conscript": UnitClass.CONSCRIPT,
    },
}
TRAITS = {
    **dict.fromkeys(("engineer", "engineers", "ae", "aes", "eng", "engr"), "engineer"),
    **dict.fromkeys(("laborer", "laborers", "korean", "koreans", "kl"), "korean_laborer"),
    **dict.fromkeys(("labourer", "labourers", "labor", "labour"), "korean_laborer"),
}
OWN_KINDS = ("engineer", "korean_laborer")  # traits that make a unit a separate type
FILLING = ("line", "assault", "infantry", "mmc", "mmcs")  # words that mean nothing by themselves
LEADERS = ("leader", "leaders", "ldr", "ldrs", "smc", "officer")  # and so these after a leader
# Words of a line that are not a name unless they are in quotes.
RESERVED = (
    *(*KINDS, *CLASSES, *TRAITS, *FILLING, *LEADERS, "reduced", "hero", "heroes", "armor", "al"),
    *("in", "aboard", "at", "with", "x", "each", "no", "squads", "crews", "gun", "guns", "team"),
    *("tank", "tanks", "mt", "lt", "sw", "gunners", "hip", "hidden", "concealed", "broken", "dm"),
    *("captured", "wounded", "pinned", "malf", "disabled", "dug", "ca", "aa", "at", "inf", "art"),
    *("mine", "mines", "snlf", "usmc"),
)
HEROES = {"hero": (), "heroes": (), "t-h": ("tank_hunter",)}
DIGITS = re.compile(r"(\d)-?(\d)-?(\d)")
LEADER = re.compile(r"\d{1,2}[-+]\d")


@immutable
class NamedUnit:
    """A unit by its name: the values of its fields."""

    kind: UnitKind
    type: str
    class_: UnitClass | None = None
    strength: UnitStrength = UnitStrength.FULL
    traits: tuple[str, ...] = ()

    def as_state_row(self, side: Side) -> dict[str, Any]:
        """Return the unit as a row of a state document, without id and place."""
        row: dict[str, Any] = {"side": str(side), "kind": str(self.kind), "type": self.type}
        if self.class_ is not None:
            row["class"] = str(self.class_)
        if self.strength is UnitStrength.REDUCED:
            row["strength"] = str(self.strength)
        if self.traits:
            row["traits"] = list(self.traits)
        return row

    @property
    def is_named_by_digits_alone(self) -> bool:
        """Whether the digits alone identify the unit."""
        return self.strength is UnitStrength.FULL and not self.traits


def normalize_digits(card: Card, side: Side, text: str) -> str:
    """Return digits as they are printed: "768" is 7-6-8, "91" is 9-1; any other text is
    unchanged."""
    ladder = card.ladders.figures.leaders[side].ladder
    leader, bare = _leader(text.strip(), ladder), re.fullmatch(r"(\d)(\d)(\d)", text.strip())
    return leader if leader in ladder or bare is None else "-".join(bare.groups())


def _leader(text: str, ladder: Iterable[str]) -> str:
    """Return a ladder's leader from a name typed without its hyphen: "91" is 9-1."""
    if "-" in text or "+" in text:
        return text
    return {re.sub("[-+]", "", each): each for each in ladder}.get(text, text)


def parse_unit(card: Card, side: Side, words: Sequence[str]) -> tuple[NamedUnit, int]:
    """Return the unit that the first words name, and the number of these words. Raises
    NotUnderstoodError with the allowed names."""
    first = words[0].lower()
    if first in HEROES:
        more = 2 if words[1:2] and words[1].lower() in ("hero", "heroes") else 1
        return NamedUnit(UnitKind.HERO, card.ladders.figures.hero, traits=HEROES[first]), more
    if first in ("pathfinder", "pathfinders"):
        return NamedUnit(UnitKind.PATHFINDER, card.ladders.figures.pathfinder), 1
    ladder = card.ladders.figures.leaders[side].ladder
    first = _leader(first, ladder)
    if LEADER.fullmatch(first):
        if first in ladder:
            more = len([*takewhile(lambda word: word.lower() in LEADERS, words[1:])])
            return NamedUnit(UnitKind.LEADER, first), 1 + more
        raise NotUnderstoodError(words[0], f"no {side.label} leader", allowed=list_text(ladder))
    digits = DIGITS.fullmatch(first)
    if digits is None:
        raise NotUnderstoodError(words[0], "no unit")
    return _mmc(card, side, "-".join(digits.groups()), words)


def _mmc(card: Card, side: Side, type_: str, words: Sequence[str]) -> tuple[NamedUnit, int]:
    figures = card.ladders.figures
    if type_ in (figures.hero, figures.pathfinder):
        kind = UnitKind.HERO if type_ == figures.hero else UnitKind.PATHFINDER
        return NamedUnit(kind, type_), 1
    stated, used = _stated(words[1:])
    found = [each for each in all_mmc_of_side(card, side) if each.type == type_]
    if not found:
        known = dict.fromkeys(each.type for each in all_mmc_of_side(card, side))
        digits = merge_adjacent_words(words[:1]).with_text(type_)
        raise NotUnderstoodError(digits, f"no {side.label} unit", allowed=list_text(known))
    fitting = [each for each in found if _fits(each, stated)]
    chosen = [each for each in fitting if each.is_named_by_digits_alone]
    chosen = chosen or [each for each in fitting if not each.traits] or fitting
    if len(chosen) == 1:
        return chosen[0], 1 + used
    these = "; ".join(sorted(typed_unit_text(each, each.traits) for each in chosen or found))
    raise NotUnderstoodError(merge_adjacent_words(words[: 1 + used]), f"which one? {these}")


def _stated(words: Sequence[str]) -> tuple[dict[str, object], int]:
    """Return the values given by the words after the digits, and the number of these words."""
    fields: dict[str, object] = {}
    for at, word in enumerate(words):
        plain = word.lower()
        if plain == "reduced":
            fields["strength"] = UnitStrength.REDUCED
        elif plain in KINDS or plain.rstrip("s") in KINDS:
            fields.setdefault("kind", KINDS.get(plain) or KINDS[plain.rstrip("s")])
        elif plain in CLASSES:
            fields["class_"] = CLASSES[plain]
        elif plain in TRAITS:
            fields["traits"] = (TRAITS[plain],)
        elif plain not in FILLING:
            return fields, at
    return fields, len(words)


def _fits(each: NamedUnit, stated: dict[str, object]) -> bool:
    return all(getattr(each, name) == value for name, value in stated.items())


def all_mmc_of_side(card: Card, side: Side) -> Iterator[NamedUnit]:
    """Yield every MMC of a side: its kind, class, strength and traits, and the digits that
    follow."""
    figures = card.ladders.figures
    if side is Side.MARINE:
        own = figures.marine
        for squad, half in own.half_squads.items():
            yield NamedUnit(UnitKind.SQUAD, squad, own.class_)
            if squad == own.engineer_squad:
                yield NamedUnit(UnitKind.SQUAD, squad, own.class_, traits=("engineer",))
                yield NamedUnit(UnitKind.HALF_SQUAD, half, own.class_, traits=("engineer",))
        for half in dict.fromkeys(own.half_squads.values()):
            yield NamedUnit(UnitKind.HALF_SQUAD, half, own.class_)
        yield NamedUnit(UnitKind.CREW, own.crew, own.class_)
        yield NamedUnit(UnitKind.VEHICLE_CREW, own.vehicle_crew, own.class_)
        return
    japanese = figures.japanese
    for class_, digits in japanese.squads.items():
        many: list[tuple[tuple[str, ...], UnitClass]] = [((), class_)]
        if class_ is japanese.engineer_class:
            many.append((("engineer",), class_))
        for traits, of in many:
            yield NamedUnit(UnitKind.SQUAD, digits.full, of, traits=traits)
            yield NamedUnit(UnitKind.SQUAD, digits.reduced, of, UnitStrength.REDUCED, traits)
            yield NamedUnit(UnitKind.HALF_SQUAD, digits.half_squad, of, traits=traits)
    laborer = ("korean_laborer",)
    yield NamedUnit(UnitKind.SQUAD, japanese.laborer_squad, UnitClass.CONSCRIPT, traits=laborer)
    yield NamedUnit(
        UnitKind.HALF_SQUAD, japanese.laborer_half_squad, UnitClass.CONSCRIPT, traits=laborer
    )
    yield NamedUnit(UnitKind.CREW, japanese.crew, UnitClass.ELITE)
    yield NamedUnit(UnitKind.CREW, japanese.reduced_crew, UnitClass.ELITE, UnitStrength.REDUCED)
    yield NamedUnit(UnitKind.VEHICLE_CREW, japanese.vehicle_crew, UnitClass.ELITE)


def crews_text(card: Card, side: Side) -> str:
    """Return the crews of a side, as they are typed: "2-2-8 (crew), 1-2-6 (vehicle crew)"."""
    crews = {UnitKind.CREW: "crew", UnitKind.VEHICLE_CREW: "vehicle crew"}
    found = (each for each in all_mmc_of_side(card, side) if each.kind in crews)
    return list_text(f"{each.type} ({crews[each.kind]})" for each in found)


_PLAIN_NAME = re.compile(r"[^\W\d_][\w.'’]*( [^\W\d_][\w.'’]*)*")


def may_be_several_names(name: str) -> bool:
    """Whether a name may be the names of several counters: "A B C"."""
    words = name.split()
    return len(words) > 1 and all(len(word) == 1 for word in words)


def quote_name_if_needed(name: str) -> str:
    """Return a counter's name as in a typed line: in quotes if it could be read as something
    else."""
    words = {word.casefold().rstrip(".") for word in name.split()}
    is_plain = (
        _PLAIN_NAME.fullmatch(name) and not words & {*RESERVED} and not may_be_several_names(name)
    )
    return name if is_plain else '"' + name.replace('"', '""') + '"'


def typed_unit_text(each: NamedUnit, traits: tuple[str, ...]) -> str:
    """Return a unit's name as in a typed line: "4-4-8 reduced", "7-6-8 engineers", "2-3-8 HS"."""
    more = ["reduced"] if each.strength is UnitStrength.REDUCED else []
    more += ["engineers"] if "engineer" in traits else []
    more += ["laborers"] if "korean_laborer" in traits else []
    if each.kind in (UnitKind.HALF_SQUAD, UnitKind.CREW):
        more.append(each.kind.label)
    return " ".join([each.type, *more])


# --- Fortifications -------------------------------------------------------------------------------


PILLBOX = re.compile(r"(?:pillbox)?(\d+)\+(\d)\+(\d)(?:pillbox)?")  # capacity, TEM, TEM

PILLBOXES = "pillbox"
FIGURES = ("capacity", "ca_tem", "nca_tem")


def parse_fortification(card: Card, side: Side, text: str) -> Fortification | None:
    """Return the Fortification that the text names, without an id and a place; None if there is
    none. A pillbox may have any capacity."""
    called = _folded(text)
    known = {name: each for each in _of(card, side) for name in _names(each)}
    if called in known:
        return _made(known[called], side, known[called].creates)
    box = PILLBOX.fullmatch(called)
    found = known.get(f"1+{box[2]}+{box[3]}pillbox") if box is not None else None
    if box is None or found is None or not 1 <= int(box[1]) <= 9:
        return None
    return _made(found, side, replace(found.creates, capacity=int(box[1])))


def nearest_fortification_name(card: Card, side: Side, text: str) -> str | None:
    """Return the Fortification whose name is most like the text; None if none is similar."""
    known = {
        name: typed_fortification_text(_made(each, side, each.creates))
        for each in _of(card, side)
        for name in _names(each)
    }
    close = nearest_name(_folded(text), known)
    return None if close is None else known[close]


def typed_fortification_text(fort: Fortification) -> str:
    """Return a Fortification's name as in a typed line."""
    box = fort.is_pillbox and fort.capacity is not None and fort.ca_tem is not None
    return f"pillbox {fort.capacity}+{fort.ca_tem}+{fort.nca_tem}" if box else fort.type_text


def _of(card: Card, side: Side) -> Iterator[Price]:
    for price in card.prices.values():
        if price.creates.kind is CreatedKind.FORTIFICATION and price.can_be_bought_by(side):
            yield price


def _names(price: Price) -> Iterator[str]:
    yield _folded(price.name)
    yield _folded(" ".join(reversed(price.name.split())))
    yield _folded(_made(price, Side.JAPANESE, price.creates).type_text)
    if "mine" in price.name:
        for name in (price.name, price.name.removesuffix(" factor")):
            yield from (_folded(name), _folded(name.replace("-", "")))


def _folded(text: str) -> str:
    """Return a name without capitals, spaces and the plural s or es."""
    return "".join(re.sub(r"(?<=[xh])es$|s$", "", word) for word in text.casefold().split())


def _made(price: Price, side: Side, creates: CreatedCounter) -> Fortification:
    boxes = price.key.startswith(PILLBOXES)  # not bought, so no price limits its place
    return Fortification(
        id="",
        side=side,
        type=PILLBOXES if boxes else price.key,
        hidden=creates.hidden,
        capacity=creates.capacity,
        ca_tem=creates.ca_tem,
        nca_tem=creates.nca_tem,
        controller=side,
    )


def fortification_as_state_row(fort: Fortification) -> dict[str, Any]:
    """Return the Fortification as a row of a state document, without id and place."""
    row: dict[str, Any] = {"side": str(fort.side), "type": fort.type, "hidden": fort.hidden}
    figures = {name: getattr(fort, name) for name in FIGURES}
    return row | {name: value for name, value in figures.items() if value is not None}


def fortification_from_state_row(row: Mapping[str, Any]) -> Fortification:
    """Return the Fortification of a state-document row."""
    fort = Fortification(id="", side=Side(row["side"]), type=row["type"])
    return fort.replace(**{name: row[name] for name in FIGURES if name in row})
