"""The status of a campaign: date, phase, step, open question, and the contents of each area."""

from collections import Counter as Tally
from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from brt_cg.board.locations import is_location
from brt_cg.card import arrival_text
from brt_cg.exports.refit_summary import last_refit_summary
from brt_cg.exports.wording import (
    SIDE_TOTALS,
    next_step_text,
    total_text,
    total_value,
    turn_words,
    view_name,
    view_words,
)
from brt_cg.journal.entries import NO_HASH
from brt_cg.journal.heads import short_head
from brt_cg.model import SIDES, Area, Campaign, Phase, Piece, Side, Vehicle, natural_sort_key
from brt_cg.questions import Question
from brt_cg.refit.sequence import TITLES, next_paragraph_number
from brt_cg.refit.victory import victory_points, victory_points_text, victory_requirement_lines
from brt_cg.text import count_text
from brt_cg.views.view import View

MOST_AREAS = 10
ASKED = ("rule", "subject", "kind", "allowed", "side", "prompt")


def status_document(book: View) -> dict[str, Any]:
    """Return the document of `status --json`, as a side (None: the umpire) may see it."""
    view = book.campaign
    situation = view.situation
    ask = book.ask
    document: dict[str, Any] = {
        "view": view_name(book.side),
        "cg": situation.cg,
        "name": situation.name,
        "date": situation.date,
        "phase": situation.phase.value,
        "step": situation.paragraph or situation.done,
        "next": next_paragraph_number(situation),
        "asks": ask and {name: getattr(ask, name) for name in ASKED},
        **({"cannot_continue": [*book.mismatch.sentences]} if book.mismatch is not None else {}),
        **{name: {side: total_value(view, side, name) for side in SIDES} for name in SIDE_TOTALS},
        "players": {side: view.sides[side].player for side in SIDES},
        "areas": [_area(view, view.areas[key]) for key in sorted(view.areas)],
        "isolated": [
            {"location": where, "side": whose.value, "units": units}
            for (where, whose), units in Tally(view.isolated_unit_locations()).items()
        ],
        "off_map": {side: sum(piece.off_map for piece in _own(view, side)) for side in SIDES},
        "on_the_table": {
            whose: sum(piece.is_on_map_without_hex for piece in _own(view, whose))
            for whose in SIDES
            if book.side in (None, whose)
        },
        "victor": situation.victor,
        "reminders": book.reminders_for(situation.date),
        "head": short_head(book.head or NO_HASH),
    }
    if situation.phase is Phase.OVER:
        sums = victory_points(view, whole=True)
        document["victory_points"] = {whose: sums[whose].total for whose in SIDES}
    return document


def _own(view: Campaign, side: Side) -> Iterator[Piece]:
    """Yield a side's units, without prisoners, and its vehicles."""
    yield from view.free_units_in_play_of(side)
    yield from (car for car in view.vehicles.values() if car.side is side and car.in_play)


def _area(view: Campaign, area: Area) -> dict[str, Any]:
    """Return the counters of a side in its Setup Area."""

    def here(piece: Piece) -> bool:
        return view.whereabouts(piece).area is area

    own = [piece for piece in _own(view, area.side) if here(piece)]
    vehicles = sum(isinstance(piece, Vehicle) for piece in own)
    return {
        "id": area.id,
        "side": area.side.value,
        "hexes": len(area.hexes),
        "units": len(own) - vehicles,
        "vehicles": vehicles,
    }


# --- in words -------------------------------------------------------------------------------------


def status_text(book: View, file: str = "FILE") -> str:
    """Return the status for people; its last lines name the next step and the command for it, with
    `file` as the campaign's file."""
    document = status_document(book)
    view = book.campaign
    head = [
        *_head(document, view, _turn(book)),
        *_victory(book),
        *_last_refit(book),
        *document["reminders"],
    ]
    next_lines = [*_requests(book, file), *_next_steps(document, book, file)]
    lines = [*head, "", *_forces(document, view), "", *next_lines]
    noted = f"checksum {document['head']}; audit --head checks that the journal still contains it"
    return "\n".join([*lines, "", noted, view_words(book.side)])


def _requests(book: View, file: str) -> Iterator[str]:
    """Yield the open requests of each side, and the command to agree to them."""
    for request in book.requests:
        asked = f"the {request.side.label} player asks: {request.words}"
        yield f"request {request.number}: {asked}"
        yield f"  brt-cg agree {file} {request.number} --side {request.side.enemy} (or decline)"


def _victory(book: View) -> Iterator[str]:
    """Yield the winner and the reason, or the state of each way to win, as a side knows it."""
    view = book.campaign
    fought = view.situation.phase is Phase.SCENARIO or not view.situation.initial
    if view.situation.phase is Phase.OVER:
        yield (f"Campaign Victory Points: {victory_points_text(victory_points(view, whole=True))}")
    elif fought and not view.situation.victor:
        yield from victory_requirement_lines(view, book.card)


def _last_refit(book: View) -> Iterator[str]:
    """Yield the last Refit Phase in brief, and the counters still to arrive."""
    view = book.campaign
    coming = [each for each in view.arrivals.values() if not each.entered]
    for arrival in sorted(coming, key=lambda each: (each.side, natural_sort_key(each.id))):
        yield f"{arrival.side.label} arrivals, {arrival_text(arrival)}"
    if view.situation.phase not in (Phase.SCENARIO, Phase.SETUP, Phase.OVER):
        return
    summary = last_refit_summary(book)
    if summary is not None and (brief := summary.brief_text):
        yield brief


def _turn(book: View) -> str:
    """Return the player whose turn it is, as a side (None: the umpire) may know it."""
    words = turn_words(book.side_to_answer, None)
    return f" · {words}{', in private' if book.waiting else ''}" if words else ""


def _head(document: dict[str, Any], view: Campaign, turn: str) -> Iterator[str]:
    name = f" · {document['name']}" if document["name"] else ""
    yield f"CG {document['cg']}{name} · {document['date']} · {document['phase']}{turn}"
    step = document["step"]
    if step is not None:
        yield f"at {step} {TITLES[step]}"
    if document["victor"]:
        yield f"the {Side(document['victor']).plural} have won the campaign"
    yield ""
    for side in SIDES:
        player = document["players"][side]
        figures = (f"{word} {total_text(view, side, name)}" for name, word in SIDE_TOTALS.items())
        totals = "   ".join(figures)
        whose = f"   {player}" if player else ""
        yield f"  {side.label:<8}  {totals}{whose}"


def _forces(document: dict[str, Any], view: Campaign) -> Iterator[str]:
    areas = document["areas"]
    for area in areas[:MOST_AREAS]:
        hexes = "hex  " if area["hexes"] == 1 else "hexes"
        where = f"  {area['id']:<4} {Side(area['side']).label:<8} {area['hexes']:>4} {hexes}"
        vehicles = f", {count_text(area['vehicles'], 'vehicle')}" if area["vehicles"] else ""
        yield f"{where}  {count_text(area['units'], 'unit')}{vehicles}"
    if len(areas) > MOST_AREAS:
        yield f"  … {len(areas) - MOST_AREAS} more Setup Areas"
    if document["isolated"]:
        units = _isolated_text(document["isolated"], view)
        yield from wrap(f"Isolated: {units}", 78, initial_indent="  ", subsequent_indent="    ")
    away = [(side.label, document["off_map"][side]) for side in SIDES if document["off_map"][side]]
    if away:
        many = ", ".join(f"{label} {number}" for label, number in away)
        yield f"  Off map: {many} (placed at a scenario's end, or now with `edit`)"
    there = [f"{side.label} {many}" for side, many in document["on_the_table"].items() if many]
    if there:
        yield f"  On the table, in a hex of their Setup Area: {', '.join(there)}"
    if not (areas or document["isolated"] or away):
        yield "  no Setup Areas yet"


def _isolated_text(isolated: list[dict[str, Any]], view: Campaign) -> str:
    """Return the Isolated units of each side, by Location."""
    places = {
        side.label: ", ".join(
            f"{view.location_text(unit['location'])} ({unit['units']})".replace(", inside", " in")
            for unit in isolated
            if unit["side"] == side
        )
        for side in SIDES
    }
    return "; ".join(f"{label} {text}" for label, text in places.items() if text)


def _next_steps(document: dict[str, Any], book: View, file: str) -> Iterator[str]:
    ask, seat = book.ask, _seat_option(book.side)
    if book.mismatch is not None:
        yield from book.mismatch.sentences
        yield from book.mismatch.ways_out(f"brt-cg undo {file}{seat}", f"brt-cg redo {file}{seat}")
        return
    if ask is None:
        yield _next_command(document, book, file)
        return
    yield f"{ask.rule} asks the {ask.side.plural}{_about(ask, book.campaign)}:"
    yield f"  {ask.prompt}"
    yield from (f"  {line}" for line in ask.allowed_lines)
    yield from (f"  {line}" for line in ask.short_form_lines)
    yield f"Answer it: {_answering(ask, file, seat)}"


def _about(ask: Question[Any], view: Campaign) -> str:
    """Return the counter or Location that a question is about, by name; "" if there is none."""
    counter = view.find(ask.subject)
    if counter is not None:
        return f" about {counter.label}"
    return f" about {view.location_text(ask.subject)}" if is_location(ask.subject) else ""


def _seat_option(side: Side | None) -> str:
    """Return the option that enters a command from a side's seat; "" for the umpire's."""
    return f" --side {side.value}" if side is not None else ""


def _answering(ask: Question[Any], file: str, seat: str) -> str:
    answer, refit = f"brt-cg answer {file}", f"brt-cg refit {file}"
    if ask.dice:
        return (
            f"{answer} DICE{seat}; to have the rest of the phase rolled and chosen by default: "
            f"{refit} --auto{seat}"
        )
    if ask.buying:
        buying = f"brt-cg buy {file} ITEM --side {ask.side.value} …"
        return f"{buying}; when done: {answer} done{seat}"
    if ask.as_multi_question:
        return f'{answer} "…"{seat}, or from a file: {refit} --answers FILE{seat}'
    return f"{answer} VALUE{seat}"


def _next_command(document: dict[str, Any], book: View, file: str) -> str:
    situation, upcoming = book.campaign.situation, document["next"]
    half, seat = book.half, _seat_option(book.side)
    words = next_step_text(situation, half, f"{upcoming} {TITLES[upcoming]}" if upcoming else "")
    if situation.phase is Phase.PURCHASE:
        buying = f"brt-cg buy {file} ITEM --side {book.side or 'SIDE'} (or reinforce, or import)"
        return f"{words}:\n{buying}, then brt-cg refit {file}{seat}"
    if situation.phase is Phase.OVER:
        return f"{words}; its records: brt-cg export {file} records{seat}"
    if half is not None or situation.phase is Phase.SCENARIO:
        seat = _seat_option(half) or seat
        return f"{words}:\nbrt-cg end {file} CODES{seat}, or brt-cg import {file} STATE{seat}"
    return f"{words}: brt-cg refit {file}{seat}"
