"""What players type at a question, in the short forms of the table, as raw answers; and back.

Everything that an answers file may hold can be typed as it stands there (JSON). Where that would be
clumsy there is a shorter form: "m-sq-1 m-sq-2" for a list of ids, "N18-N21 M18 / T26" for
perimeters, "reduced m-sq-15; withdrew j-hs-13 to N21" for a Melee round, "+2 counted anew" for CVP.
"""

import json
import re
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from brt_cg.asks import Ask, Choose, Enter, Raw, Refused, Several
from brt_cg.card import load_card
from brt_cg.counters import Counter, Fortification, Kind, Terrain, Unit, Vehicle, Weapon
from brt_cg.refit.s607_perimeters import in_ranges
from brt_cg.refit.s6139_removal import dr_without_help
from brt_cg.tui.doing_words import BY_HAND, HINT, doings_raw
from brt_cg.tui.setup_words import SETUP, likely_places, spot_hint, spot_raw, upper_hexes

if TYPE_CHECKING:
    from brt_cg.campaign import Campaign

MELEE, CVP, EQUIPMENT, PERIMETERS = "15.601", "15.6032", "15.6041", "15.607"
RECOMBINING, TRANSFERS, REMOVAL = "15.6111", "15.6137", "15.6139"
LISTS = (EQUIPMENT, RECOMBINING)
MOST_ANSWERS = 12  # that are listed; where there are more they are typed
VERBS = {
    "eliminated": "eliminated",
    "x": "eliminated",
    "reduced": "casualty_reduced",
    "casualty_reduced": "casualty_reduced",
    "captured": "captured",
    "withdrew": "withdrew",
}

HINTS = {
    MELEE: "eliminated ID…; reduced ID…; captured ID by ID; withdrew ID to HEX",
    PERIMETERS: "hexes and ranges, / between perimeters: N18-N21 M18 / T26-T28",
    EQUIPMENT: "ids with spaces between",
    RECOMBINING: "one id of each type, spaces between",
    **dict.fromkeys(BY_HAND, HINT),
}
ITEM_HINTS = {
    CVP: "±points and the reason: +2 counted anew",
    TRANSFERS: "the unit that has it from now on, or - for nobody",
    REMOVAL: "the ids of those who help, spaces between; + for a try without help",
}


# --- what is typed --------------------------------------------------------------------------------


def entry_raw(ask: Ask[Any], text: str, view: "Campaign") -> Raw:
    """A typed answer to a question as it stands in an answers file. Raises Refused."""
    text = text.strip()
    if text[:1] in ("{", "["):
        return _json(text)
    if text.lower() in ("none", "null", "-"):
        return [] if ask.rule in LISTS else None
    if ask.rule == MELEE:
        return _melee(text)
    if ask.rule in BY_HAND and text:
        return doings_raw(view, text)
    if ask.rule == PERIMETERS:
        return [part.split() for part in text.upper().replace(",", " ").split("/") if part.strip()]
    if ask.rule in LISTS:
        return text.replace(",", " ").split()
    return ask.parse(text)


def item_raw(ask: Ask[Any], text: str) -> Raw:
    """A typed answer about one item of several. Raises Refused."""
    text = text.strip()
    if text[:1] in ("{", "["):
        return _json(text)
    if ask.rule == CVP:
        return _correction(text)
    if ask.rule == REMOVAL:
        return {"helpers": [one for one in text.replace(",", " ").split() if one != "+"]}
    if ask.rule == TRANSFERS:
        return None if text in ("-", "none", "nobody") else text
    if ask.rule in SETUP:
        return spot_raw(text)
    return ask.parse(text)


def _json(text: str) -> Raw:
    """What is typed as it stands in an answers file. Raises Refused for what is broken."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Refused(f"broken JSON: {error}") from None


def _correction(text: str) -> Raw:
    found = re.fullmatch(r"([+-]?\d+)\s+(.+)", text.replace("−", "-"))
    if found is None:
        raise Refused(f"{text!r}: write the points and why, as in: +2 counted anew")
    return {"cvp": int(found[1]), "reason": found[2]}


def _melee(text: str) -> Raw:
    """A Melee round: parts with semicolons between, each a verb and what it is about."""
    result: dict[str, Any] = {}
    for part in filter(str.strip, text.split(";")):
        verb, *words = part.replace(",", " ").split()
        name = VERBS.get(verb.lower().rstrip(":"))
        if name is None:
            raise Refused(f"{verb!r}: begin each part with eliminated, reduced, captured, withdrew")
        if name in ("captured", "withdrew"):
            result.setdefault(name, {}).update(_pairs(verb, words))
        else:
            result.setdefault(name, []).extend(words)
    return result


def _pairs(verb: str, words: list[str]) -> dict[str, str]:
    """ "ID by ID" and "ID to HEX", several of them if there are."""
    flat = [word for word in words if word.lower() not in ("by", "to")]
    if not flat or len(flat) % 2:
        word = "by" if verb.lower() == "captured" else "to"
        raise Refused(f"{verb}: write ID {word} {'ID' if word == 'by' else 'HEX'}")
    taken = flat[1::2] if verb.lower() == "captured" else map(upper_hexes, flat[1::2])
    return dict(zip(flat[::2], taken, strict=True))


# --- what may be typed ----------------------------------------------------------------------------


def hint_of(ask: Ask[Any]) -> str:
    """What may be typed at an entry, shortly."""
    hint = HINTS.get(ask.rule)
    return hint if hint is not None else str(ask.allowed)


def item_hint(ask: Ask[Any], counter: Counter | None = None) -> str:
    """What may be typed about one item of several; about a counter, if it matters which."""
    if ask.rule in SETUP:
        return spot_hint(counter)
    return ITEM_HINTS.get(ask.rule, str(ask.allowed))


def candidates(ask: Ask[Any], view: "Campaign", item: str) -> list[str]:
    """The ids that are likely to be typed about an item, for completion."""
    if ask.rule == MELEE:
        return [one.id for one in view.at(ask.subject)]
    if ask.rule == RECOMBINING and isinstance(ask, Enter):
        return [one for group in _single_of_each(ask, view) for one in group]
    if ask.rule in BY_HAND:
        return [one.id for one in view.in_order(view.pieces()) if one.side is ask.side]
    counter = view.find(item)
    if ask.rule == TRANSFERS and isinstance(counter, Weapon):
        return [one.id for one in view.retained_together(counter) if not one.has("unarmed")]
    if ask.rule == REMOVAL and counter is not None:
        return _helpers(ask, view, counter)
    if ask.rule in SETUP and counter is not None:
        return likely_places(ask.rule, view, counter)
    return []


def plain_answers(ask: Enter[Any], view: "Campaign") -> list[tuple[Raw, str]]:
    """The answers to an entry that can be listed, the default among them, each with its words;
    none if there are too many."""
    if ask.rule != RECOMBINING:
        return []
    groups = _single_of_each(ask, view)
    if not all(groups) or prod(map(len, groups)) > MOST_ANSWERS:
        return []
    return [([*ids], _single_told(view, ids)) for ids in product(*groups)]


def _single_of_each(ask: Enter[Any], view: "Campaign") -> list[list[str]]:
    """15.6111: of each type, who may stay single in place of the one who does by default."""
    here = [
        one.id
        for one in view.units.values()
        if one.kind is Kind.HALF_SQUAD and one.side is ask.side and view.home(one) == ask.subject
    ]
    default = list(ask.default)
    return [
        sorted(id for id in here if _allowed(ask, [*default[:at], id, *default[at + 1 :]]))
        for at in range(len(default))
    ]


def _allowed(ask: Enter[Any], raw: Raw) -> bool:
    try:
        ask.read(raw)
    except Refused:
        return False
    return True


def _single_told(view: "Campaign", ids: tuple[str, ...]) -> str:
    units = [view.units[id] for id in ids]
    named = ", ".join(
        f"{view.label(unit)} ({unit.id})" if unit.name else view.label(unit) for unit in units
    )
    return f"{named} {'stays' if len(units) == 1 else 'stay'} single"


def _helpers(ask: Ask[Any], view: "Campaign", item: Counter) -> list[str]:
    home = view.home(item)
    able = [
        one.id
        for one in view.in_order(view.units.values())
        if one.side is ask.side and _can_help(one) and view.home(one) == home
    ]
    dozers = [
        one.id
        for one in view.in_order(view.vehicles.values())
        if one.side is ask.side and one.bulldozer and view.home(one) == home
    ]
    return able + dozers


def _can_help(unit: Unit) -> bool:
    return unit.mmc and not unit.prisoner and unit.is_a("engineer", "korean_laborer")


def summary_of(summary: str, rule: str, low: bool) -> str:
    """A paragraph's summary beside a question by `rule`. Where the screen is low: the part that the
    question comes under (15.6131b: "b) …"), or else the first sentence of one without parts."""
    if not low:
        return summary
    part = (
        re.search(rf"\b{rule[-1]}\) .+?(?= [a-z]\) |$)", summary) if rule[-1:].isalpha() else None
    )
    if part is not None:
        return part[0]
    if re.search(r"\ba\) ", summary):
        return summary
    return summary.split(". ")[0].rstrip(".") + "."


# --- in words -------------------------------------------------------------------------------------


def default_told(ask: Ask[Any]) -> str:
    """The default of an entry in words: what Enter alone answers."""
    if isinstance(ask, Several):
        return "nothing"
    assert isinstance(ask, Enter)
    if ask.rule == MELEE:
        return "no more CC attacks here"
    if ask.rule == PERIMETERS:
        told = " / ".join(in_ranges(hexes) for hexes in ask.default)
        return f"as in the state: {told}" if told else "none"
    return raw_told(ask.default)


def item_told(ask: Ask[Any], view: "Campaign", counter: Counter) -> str:
    """An item of several, with what is to be known for this question: who has a weapon now, which
    dr removes something."""
    named = f"{view.label(counter)} ({view.place(counter)})"
    if ask.rule == TRANSFERS and isinstance(counter, Weapon):
        possessor = view.units.get(counter.possessor or "")
        return f"{named}, {view.label(possessor) if possessor else 'nobody'} has it"
    if ask.rule == REMOVAL and isinstance(counter, Vehicle | Fortification | Terrain):
        highest = dr_without_help(view, load_card(view.situation.cg), ask.side, counter)
        return named if highest is None else f"{named}, without help {_at_most(highest)}"
    return named


def _at_most(highest: int) -> str:
    return f"dr ≤ {min(highest, 6)}" if highest > 0 else "never"


def raw_told(raw: Raw) -> str:
    """A raw answer in words."""
    if raw is None or raw in ([], {}):
        return "none"
    if isinstance(raw, bool):
        return "yes" if raw else "no"
    if isinstance(raw, str):
        return raw
    if isinstance(raw, list) and all(isinstance(one, str) for one in raw):
        return ", ".join(raw)
    if isinstance(raw, dict) and set(raw) == {"helpers"}:
        return f"with {', '.join(raw['helpers'])}" if raw["helpers"] else "tried, without help"
    if isinstance(raw, dict) and set(raw) == {"cvp", "reason"}:
        return f"{raw['cvp']:+d} ({raw['reason']})".replace("-", "−")
    return json.dumps(raw, ensure_ascii=False)


def is_decision(ask: Ask[Any]) -> bool:
    """Whether a player really has something to decide: an entry, a choice with an alternative, and
    the end of purchases, after which nobody buys any more in this Refit Phase."""
    if isinstance(ask, Choose):
        return len(ask.options) > 1 or ask.rule == "15.614"
    return isinstance(ask, Enter | Several)
