"""A counter's fields in the players' words, for its page."""

from collections.abc import Iterator

from brt_cg.campaign import Campaign
from brt_cg.counters import Counter, Piece, Side
from brt_cg.exports.wording import in_words
from brt_cg.fields import public_name

LINKS = {
    "possessor": "possessed by",
    "vehicle": "mounted on",
    "aboard": "aboard",
    "guard": "guarded by",
    "became": "became",
}
NAMES = {
    "nation": "made by",
    "best_af": "best AF",
    "cvp": "CVP",
    "pp": "PP",
    "repair_number": "Repair Number",
    "setup_area": "Setup Area",
    "recorded_location": "recorded Location",
    "main_armament": "Main Armament",
    "non_qualified_use_only": "Non-Qualified Use only",
    "covered_arc": "Covered Arc",
    "ca_tem": "CA TEM",
    "nca_tem": "NCA TEM",
    "location": "Location",
    "depleted": "Depleted",
}
FIRST = ("side", "kind", "type", "class_", "strength", "traits", "status", "location")
LEFT_OUT = ("id", "name", "fate")
SOLE = {"strength": "full", "pathfinder": "none"}  # what goes without saying


def fields_told(view: Campaign, counter: Counter) -> Iterator[tuple[str, str]]:
    """What there is to say of a counter, name and value; what is empty is left out."""
    if counter.id not in view.label(counter):
        yield "id", counter.id
    if not counter.in_play:
        yield "fate", str(counter.fate)
    side = getattr(counter, "side", None)
    names = type(counter).names()
    for attribute in (*(n for n in FIRST if n in names), *(n for n in names if n not in FIRST)):
        value = getattr(counter, attribute)
        if attribute in LEFT_OUT or value in (None, False, (), 0) or SOLE.get(attribute) == value:
            continue
        if attribute == "nation" and value is side:
            continue
        name = LINKS.get(attribute) or NAMES.get(attribute) or public_name(attribute)
        linked = view.find(value) if attribute in LINKS else None
        yield name.replace("_", " "), view.label(linked) if linked else told(value)
    yield from _links(view, counter)


def told(value: object) -> str:
    """A value in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(in_words(str(one)) for one in value)
    if isinstance(value, Side):
        return value.label
    return str(value).replace("_", " ")


def _links(view: Campaign, counter: Counter) -> Iterator[tuple[str, str]]:
    """What is tied to a counter from elsewhere."""
    if not isinstance(counter, Piece):
        return
    ties = {"possesses": "possessor", "guards": "guard", "carries": "aboard", "mounts": "vehicle"}
    for words, link in ties.items():
        tied = [
            view.label(one)
            for one in view.pieces()
            if one.in_play and getattr(one, link, None) == counter.id
        ]
        if tied:
            yield words, ", ".join(tied)
