"""A counter's fields in the players' words, for its page."""

from collections.abc import Iterator

from brt_cg.campaign import Campaign
from brt_cg.counters import Counter, Fortification
from brt_cg.fields import schema_of
from brt_cg.impossible import tied_to

LEFT_OUT = ("id", "name", "fate")
SOLE = {"strength": "full", "pathfinder": "none"}  # what goes without saying


def fields_told(view: Campaign, counter: Counter) -> Iterator[tuple[str, str]]:
    """What there is to say of a counter, name and value; what is empty is left out."""
    if counter.id not in view.label(counter):
        yield "id", counter.id
    if not counter.in_play:
        yield "fate", str(counter.fate)
    side = counter.side
    schema = schema_of(type(counter))
    for name, field in schema.fields.items():
        value = getattr(counter, field.attribute)
        if name == "type" and isinstance(counter, Fortification):
            value = counter.sort
        if name in LEFT_OUT or value in (None, False, (), 0) or SOLE.get(name) == value:
            continue
        if name == "nation" and value is side:
            continue
        linked = view.find(value) if field.attribute in schema.links else None
        yield field.label, view.label(linked) if linked else field.told(value)
    yield from _tied(view, counter)


def _tied(view: Campaign, counter: Counter) -> Iterator[tuple[str, str]]:
    """What is tied to a counter from elsewhere."""
    ties: dict[str, list[str]] = {}
    for other in view.pieces():
        for name, id in tied_to(other) if other.in_play else ():
            words = schema_of(type(other)).links[name].back
            if id == counter.id and words:
                ties.setdefault(words, []).append(view.label(other))
    for words in sorted(ties):
        yield words, ", ".join(ties[words])
