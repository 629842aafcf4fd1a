"""An export imported by a new campaign, and what a player might enter who tries everything."""

import json
from typing import Any

from hypothesis import strategies as st

from brt_cg.card import load_card
from brt_cg.commands.state_document import build_state_document
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import COUNTERS, Counter, Piece, Unit
from brt_cg.model.fields import Field, fields_of
from brt_cg.model.shapes import Arc, Flag, Link, ListOf, Number, Place, Shape, Word
from brt_cg.questions.question_types import EntryQuestion, Question
from tests.commands.campaigns import carry
from tests.strategies import units

CARD = load_card("III")

HEXES = ("N18", "N19", "M20", "J40", "Z63", "S22")
PLACES = (*HEXES, "N18:1", "Z33:pier", "off_map", "N18/N19", "N18:f0", "M20:nothing")
TEXTS = ("MMG", "7-6-8", "3-4-8", "4-4-8", "9-1", "10-2", "Île", "M4A2", "wire", "pillbox")
WRONG = (None, "", " ", " MMG", "a\nb", 5000, -1, True, [], [""], {})
PERIMETERS = ([], [["N18"]], [["N18-N19", "M19"], ["P34"]], [["N18"], ["N18"]], [["S22"]], "N18")


def come_back(campaign: Campaign) -> None:
    """Fails unless the state of a campaign, exported, gives a new campaign the same state."""
    state = json.loads(json.dumps(build_state_document(campaign)))
    again = Campaign()
    carry(again, "new", cg=campaign.situation.cg)
    for id, value in campaign.current_rulings.items():
        if again.ruling_value(id) != value:
            carry(again, "ruling", id=id, value=value)
    carry(again, "import", state=state)
    for kind in COUNTERS:
        assert again.tables[kind.TABLE] == campaign.tables[kind.TABLE]
    assert again.sides == campaign.sides
    assert build_state_document(again) | {"scenario": None} == state | {"scenario": None}


# --- fields ---------------------------------------------------------------------------------------


@st.composite
def entries(draw: st.DrawFn, counter: Counter, campaign: Campaign) -> dict[str, Any]:
    """Fields of a counter, and what a player might enter for them: mostly what may be."""
    fields = {name: one for name, one in fields_of(type(counter)).items() if name != "id"}
    names = draw(st.lists(st.sampled_from([*fields]), min_size=1, max_size=2, unique=True))
    return {name: draw(_values(fields[name], campaign)) for name in names}


def _values(field: Field, campaign: Campaign) -> st.SearchStrategy[Any]:
    ids = [*(counter.id for counter in campaign.counters()), *campaign.areas, "nobody"]
    right = _right(field.shape, ids)
    return st.integers(0, 7).flatmap(lambda luck: right if luck else st.sampled_from(WRONG))


def _right(shape: Shape, ids: list[str]) -> st.SearchStrategy[Any]:
    if isinstance(shape, Word):
        return st.sampled_from([*map(str, shape.words)])
    if isinstance(shape, Flag):
        return st.booleans()
    if isinstance(shape, Number):
        return st.integers(shape.low - 1, shape.high + 1)
    if isinstance(shape, Place):
        return st.sampled_from(PLACES)
    if isinstance(shape, Arc):
        return st.lists(st.sampled_from(HEXES), max_size=3)
    if isinstance(shape, ListOf):
        return st.lists(st.sampled_from(shape.words or TEXTS), max_size=3)
    return st.sampled_from(ids if isinstance(shape, Link) else TEXTS)


# --- answers --------------------------------------------------------------------------------------


def wild_answers(ask: Question[Any], campaign: Campaign) -> st.SearchStrategy[Any]:
    """What a player might enter where a question leaves it to him; None where it does not."""
    counters = [counter for counter in campaign.counters() if counter.in_play]
    if not isinstance(ask, EntryQuestion):
        return st.none()
    if ask.rule == "15.601":
        return rounds([one for one in counters if one.location == ask.subject], campaign)
    if ask.rule in ("15.6133", "15.6135"):
        own = [one for one in campaign.pieces() if one.side is ask.side]
        return st.lists(doings(own, campaign), min_size=1, max_size=2) if own else st.none()
    if ask.subject.startswith("rearm:"):
        return entries(campaign.units[ask.subject.partition(":")[2]], campaign)
    if ask.rule == "15.607":
        return st.sampled_from(PERIMETERS)
    numbers = st.integers(-20, 20)
    score = st.fixed_dictionaries({"cvp": numbers, "reason": st.sampled_from(TEXTS)})
    return score if ask.rule == "15.6032" else st.one_of(numbers, st.sampled_from(PLACES))


@st.composite
def doings(draw: st.DrawFn, own: list[Piece], campaign: Campaign) -> dict[str, Any]:
    """One thing done by hand (15.6133, 15.6135)."""
    piece = draw(st.sampled_from(own))
    return {"do": "done", "counter": piece.id, "set": draw(entries(piece, campaign))}


@st.composite
def rounds(draw: st.DrawFn, there: list[Counter], campaign: Campaign) -> dict[str, Any]:
    """One Melee round (15.601)."""
    units = st.sampled_from([one.id for one in there if isinstance(one, Unit)])
    few = st.lists(units, max_size=1)
    chosen = draw(st.lists(st.sampled_from(there), max_size=2, unique_by=lambda one: one.id))
    parts = {
        "eliminated": draw(few),
        "casualty_reduced": draw(few),
        "captured": draw(st.dictionaries(units, units, max_size=1)),
        "withdrew": draw(st.dictionaries(units, st.sampled_from(PLACES), max_size=1)),
        "set": [{"counter": one.id, **draw(entries(one, campaign))} for one in chosen],
    }
    named = draw(st.lists(st.sampled_from([*parts]), max_size=2, unique=True))
    return {name: parts[name] for name in named}


# --- what comes new into a campaign ---------------------------------------------------------------


@st.composite
def wild_orders(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Anything that either side may try to buy."""
    return [draw(_order()) for _ in range(draw(st.integers(1, 4)))]


@st.composite
def _order(draw: st.DrawFn) -> dict[str, Any]:
    item = draw(st.sampled_from(sorted(CARD.prices)))
    side = draw(st.sampled_from(("japanese", "marine")))
    places = st.sampled_from((*PLACES, "L20", "M21", "L20/L21", None))
    order = {
        "item": item,
        "side": side,
        "quantity": draw(st.integers(1, 3)),
        "beach": draw(st.sampled_from(("red_one", "island"))) if side == "japanese" else None,
        "location": draw(places),
        "exit": draw(places) if item in ("tunnel", "passage") else None,
        "arc": ["M21", "M20"] if item.startswith("pillbox") and draw(st.booleans()) else None,
        "capacity": draw(st.integers(1, 200)) if item.startswith("pillbox") else None,
    }
    return {name: value for name, value in order.items() if value is not None}


@st.composite
def strange_units(draw: st.DrawFn) -> dict[str, Any]:
    """A unit that arrives, one field of it as a player might write it who tries everything."""
    unit = draw(units(draw(st.integers(0, 9))))
    field = draw(st.sampled_from([one for one in fields_of(Unit).values() if one.name != "id"]))
    return unit | {field.name: draw(_values(field, Campaign()))}
