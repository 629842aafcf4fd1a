"""Explanations of the place and state of a counter, the contents of a Setup Area or a hex, and
Isolation."""

from collections.abc import Iterable, Iterator

from brt_cg.board import grid, ground_hex, hexes_as_ranges, locations
from brt_cg.card import differing_figures_text
from brt_cg.catalogue import differences_from_shipped
from brt_cg.exports.explain.pages import (
    ExplanationPage,
    KnownFacts,
    PageLine,
    journal_row_line,
    record_history_lines,
)
from brt_cg.exports.wording import notable_state_text
from brt_cg.model import BY_TABLE, Area, Campaign, Counter, Piece, Side, area_name, schema_of
from brt_cg.text import count_text

HEX = "hex "  # the prefix of a hex with the name of a Setup Area: "hex J1"


def counter_page(known: KnownFacts, id: str) -> ExplanationPage | None:
    """Return the page of a counter: its state, the reason for its Isolation, its companions, and
    its history."""
    counter = known.view.find(id)
    history = record_history_lines(known.rows, id, BY_TABLE)
    if counter is None:
        seen = known.ever_had_record(id, BY_TABLE)
        return ExplanationPage(f"{id}: no longer known", tuple(history)) if seen else None
    lines = [*isolation_reason_lines(known.view, counter), *_goes_with(known, counter)]
    lines += [*_not_as_shipped(counter), *history]
    return ExplanationPage(counter_summary(known.view, counter), tuple(lines))


def counter_summary(view: Campaign, counter: Counter) -> str:
    """Return a counter and its current state."""
    return f"{counter.name_with_id}: {counter_state_text(view, counter)}"


def counter_state_text(view: Campaign, counter: Counter) -> str:
    """Return a counter's side, place or fate, and state."""
    side = counter.side
    facts = [side.label] if side else []
    if counter.in_play:
        place = view.place_text(counter)
        facts += [f"in {place}" if place and not counter.off_map else place]
    else:
        facts += [str(counter.fate), *([f"became {counter.became}"] if counter.became else [])]
    return ", ".join(filter(None, (*facts, notable_state_text(counter))))


def _goes_with(known: KnownFacts, counter: Counter) -> Iterator[PageLine]:
    """Yield a counter's place, and the counters that it is linked to."""
    for name, link in schema_of(type(counter)).links.items():
        other = known.view.find(getattr(counter, name) or "")
        if other is not None:
            yield PageLine(f"{link.words}: {other.label}", (other.id,))
    purchase = getattr(counter, "purchase", None)
    if purchase is not None and purchase in known.view.purchases:
        yield PageLine(f"bought: {purchase}", (purchase,))
    area = known.view.whereabouts(counter).area
    place = counter.location or counter.recorded_location
    where = {area.id: f"Setup Area {area.id}"} if area is not None else {}
    if place is not None and not counter.off_map:
        where[f"{HEX}{ground_hex(place)}"] = place
    if where and counter.in_play:
        yield PageLine(f"where: {', '.join(where.values())}", tuple(where))


def _not_as_shipped(counter: Counter) -> Iterator[PageLine]:
    """Yield the counter's values that differ from those of its type in the shipped catalog."""
    words = differing_figures_text(differences_from_shipped(counter))
    if words:
        yield PageLine(f"differs from brt-cg's own catalog: {words}")


# --- Isolated units -------------------------------------------------------------------------------


def isolation_reason_lines(view: Campaign, counter: Counter) -> Iterator[PageLine]:
    """Yield the reason why a counter is Isolated: the enemy's Setup Area, its hexes that cut the
    counter off, and the distance to the nearest area of the counter's side (15.6072)."""
    place = counter.recorded_location or counter.location
    if not (isinstance(counter, Piece) and counter.isolated and counter.in_play) or place is None:
        return
    hex, side = ground_hex(place), counter.side
    area = view.area_at(place)
    if area is not None and area.side is not side:
        yield PageLine(f"Isolated: {hex} is in {area.side.label} Setup Area {area.id}", (area.id,))
    elif area is None:
        own = f"an Ocean hex, outside every {side.label} Setup Area"
        where = own if locations.is_ocean(hex) else "outside all Setup Areas"
        yield PageLine(f"Isolated: {hex} is {where}")
    for enemy in _areas_of(view, side.enemy):
        cut = [beside for beside in grid.neighbors(hex) if beside in enemy.hexes]
        if cut:
            yield PageLine(f"cut off by {enemy.id} in {hexes_as_ranges(cut)}", (enemy.id,))
    yield from _way_home(view, side, hex)
    if locations.is_ocean(hex):
        rulings = ("R-OCEAN-VEHICLES", "R-OCEAN-MOBILE")
        yield PageLine(f"for counters left in Ocean hexes see {' and '.join(rulings)}", rulings)


def _areas_of(view: Campaign, side: Side) -> list[Area]:
    return [area for area in view.areas.values() if area.side is side]


def _way_home(view: Campaign, side: Side, hex: str) -> Iterator[PageLine]:
    """Yield the nearest Setup Area of the counter's side, and the enemy hexes on the way there."""
    own = _areas_of(view, side)
    if not own:
        yield PageLine(f"the {side.plural} have no Setup Area")
        return
    near = min(own, key=lambda area: (grid.nearest_hexes(hex, area.hexes)[0], area.id))
    far, ends = grid.nearest_hexes(hex, near.hexes)
    theirs = {held for area in _areas_of(view, side.enemy) for held in area.hexes}
    between = _between(hex, ends[0]) & theirs
    behind = f", behind the enemy's {hexes_as_ranges(between)}" if between else ""
    where = f"{count_text(far, 'hex')} away at {ends[0]}{behind}"
    yield PageLine(f"nearest {side.label} Setup Area: {near.id}, {where}", (near.id,))


def _between(start: str, end: str) -> set[str]:
    """Return the hexes of a shortest path between two hexes, without the two hexes themselves."""
    way: set[str] = set()
    at = start
    while grid.distance(at, end) > 1:
        at = min(
            grid.neighbors(at),
            key=lambda hex: (grid.distance(hex, end), locations.hex_sort_key(hex)),
        )
        way.add(at)
    return way


# --- Setup Areas and hexes ------------------------------------------------------------------------


def area_page(known: KnownFacts, id: str) -> ExplanationPage | None:
    """Return the page of a Setup Area: its hexes, its counters, and its lines in the log."""
    area = known.view.areas.get(id)
    if area is None and not known.ever_had_record(id, (Area.TABLE,)):
        return None
    title = f"{id}: no longer a Setup Area"
    lines: list[PageLine] = []
    if area is not None:
        title = f"{id}: {area.side.label} Setup Area of {count_text(len(area.hexes), 'hex')}: "
        title += hexes_as_ranges(area.hexes)
    named = (f"{area_name(id)}: ", f"{id}: ")  # older logs included
    for row in (row for row in known.rows if row.is_standing):
        texts = [line.text for line in row.lines if line.text.startswith(named)]
        if texts or any(change[:2] == [Area.TABLE, id] for change in row.changes):
            lines.append(journal_row_line(row, "; ".join(texts) or "changed"))
    if area is not None:
        in_play = (piece for piece in known.view.pieces() if piece.in_play)
        inside = (piece for piece in in_play if known.view.whereabouts(piece).area is area)
        lines += _present(known.view, inside)
    if locations.is_location(id):
        lines.append(PageLine(f"{id} is also a hex", (f"{HEX}{id}",)))
    return ExplanationPage(title, tuple(lines))


def _present(view: Campaign, counters: Iterable[Counter]) -> Iterator[PageLine]:
    for counter in view.sort_counters_in_play(counters):
        yield PageLine(f"here: {counter_summary(view, counter)}", (counter.id,))


def hex_page(known: KnownFacts, subject: str) -> ExplanationPage | None:
    """Return the page of a hex: the side that Controls it, and the counters in it."""
    name = locations.capitalize_hexes(subject.removeprefix(HEX))
    if name == locations.OFF_MAP or not locations.is_location(name):
        return None
    hex, view = locations.hex_of_location(name), known.view
    facts = [locations.terrain_of(hex).label]
    area = view.area_at(hex)
    facts += [f"in {area.side.label} Setup Area {area.id}"] if area else ["not in any Setup Area"]
    facts += ["Front Line (R-FLL)"] if view.is_front_line(hex) else []
    controller = view.side_controlling(hex)
    facts += [f"Controlled by the {controller.plural}"] if controller else []
    lines = [PageLine(f"Setup Area {area.id}", (area.id,))] if area is not None else []
    placed = (found for found in view.counters() if found.location and not found.off_map)
    here = (found for found in placed if found.in_play and ground_hex(found.location or "") == hex)
    lines += _present(view, here)
    return ExplanationPage(f"{hex}: {', '.join(facts)}", tuple(lines))
