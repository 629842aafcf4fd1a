"""The facts at the end of a scenario other than its counters: who moved first, SAN, VP for
pillboxes, the Marine Perimeters; and the scenario end from ticks and these totals together."""

from collections.abc import Mapping

from brt_cg.board import hexes_as_ranges
from brt_cg.board.perimeters import read_perimeters, split_perimeters
from brt_cg.card import counter_problems
from brt_cg.commands.state_document import build_state_document
from brt_cg.imports.event_sheet import EventSheet
from brt_cg.imports.open_places import (
    NOTHING_OPEN,
    Lines,
    OpenPlaces,
    areas_of_blank_lines_text,
    find_open_places,
)
from brt_cg.imports.scenario_end import ScenarioEnd, add_captured_by_enemy
from brt_cg.model import Number, Phase, Side
from brt_cg.questions import Problem, RefusedError, raise_problems
from brt_cg.refit.victory import newly_fallen_pillboxes, pillbox_points
from brt_cg.views.view import View

SOURCE = "the scenario-end form"
TOTALS = ("moved", *(f"san_{side}" for side in Side), "pillboxes", "perimeters")  # the fields
Totals = Mapping[str, str]  # by field, as typed


def default_totals(told: EventSheet) -> dict[str, str]:
    """Return the totals that the program can know, for the players to correct."""
    view, situation = told.view, told.view.situation
    half_entered = situation.phase is not Phase.SCENARIO  # with totals, by the opponent
    moved = situation.moved_first
    return {
        "moved": str((half_entered and moved) or situation.first_move or ""),
        **{f"san_{side}": str(view.sides[side].san) for side in Side},
        "pillboxes": str(_vp_for_pillboxes(told)),
        "perimeters": " / ".join(hexes_as_ranges(hexes) for hexes in situation.perimeters),
    }


def _vp_for_pillboxes(told: EventSheet) -> int:
    """Return the VP for pillboxes (15.615) with the pillboxes that are ticked as fallen; if none
    is, the previous VP, or those in the opponent's report."""
    view, known = told.view, told.view.situation.pillbox_vp
    second = view.situation.phase is not Phase.SCENARIO
    found = known if view.ruling_value("R-VP") == "campaign" and not second else 0
    if told.ticks.keys() & view.fortifications.keys():
        found += sum(map(pillbox_points, newly_fallen_pillboxes(told.campaign_after())))
    return max(found, known) if second else found


def scenario_end_from_sheet(book: View, told: EventSheet, totals: Totals) -> ScenarioEnd:
    """Return the end of the scenario from ticks and totals. Raises RefusedError for wrongly typed
    totals, and for impossible ticks; the import checks the rest."""
    after = told.campaign_after()
    ticked = filter(None, map(after.find, told.ticks))
    raise_problems(
        line
        for each in ticked
        for line in counter_problems(each, after, told.card, told.view.find(each.id))
    )
    state = build_state_document(after)
    state["scenario"]["winner"] = None
    state["scenario"]["moved_first"] = totals["moved"] or None
    state["facts"]["pillbox_vp"] = _number(totals, "pillboxes", "VP for pillboxes")
    for side in Side:
        san = _number(totals, f"san_{side}", f"{side.label} SAN")
        state["sides"][side.value] |= {"san": san, "cvp": None, "cvp_before": None}
    state["perimeters"] = _perimeters(totals["perimeters"], told)
    seat = told.seat.value if told.seat else None
    asked = {"state": state, "source": SOURCE, "missing": None, "side": seat}
    return ScenarioEnd(add_captured_by_enemy(book.for_scenario_end_report(told.seat), asked))


def _number(totals: Totals, field: str, what: str) -> int:
    number = Number().parse(totals[field])
    if not isinstance(number, int):
        problem = f'"{totals[field]}" is not accepted; enter a whole number'
        raise RefusedError(Problem(field, problem, what))
    return number


def _perimeters(text: str, told: EventSheet) -> list[list[str]]:
    view, stated = told.view, split_perimeters(text)
    free = view.ruling_value("R-PERIMETER") == "free"
    _, wrong = read_perimeters(
        [*stated], told.card.highest_hex_number(view.current_rulings), free=free
    )
    if wrong:
        raise RefusedError(Problem("perimeters", wrong[0].message, "Marine Perimeters"))
    return stated


def open_places_of_sheet(book: View, told: EventSheet) -> OpenPlaces:
    """Return the points that ticks leave open, before the totals are known; none while the ticks
    are impossible (`scenario_end_from_sheet` reports that)."""
    try:
        return find_open_places(
            book, scenario_end_from_sheet(book, told, default_totals(told)).asked
        )
    except RefusedError:
        return NOTHING_OPEN


def areas_for_lines_left_blank(book: View, open_: OpenPlaces, typed: Lines) -> str:
    """Return the Areas of the counters whose line is left blank, within the typed perimeters."""
    left = [each for each, _ in open_.lists_still_open(typed)]
    view, card = book.campaign, book.card
    stated = split_perimeters(typed["perimeters"]) if left else []
    perimeters, _ = read_perimeters(
        [*stated], card.highest_hex_number(view.current_rulings), free=True
    )
    return areas_of_blank_lines_text(view, card, perimeters, left) if left else ""
