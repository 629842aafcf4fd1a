"""What ends a scenario besides its counters: who moved first, SAN, VP for pillboxes, the Marine
Perimeters; and the end that ticks and these totals tell together."""

from collections.abc import Mapping

from brt_cg.board.locations import in_ranges
from brt_cg.board.perimeters import from_text, read_perimeters
from brt_cg.card.consistency import impossible_about
from brt_cg.commands.state_document import document
from brt_cg.imports.open_places import (
    NOTHING_OPEN,
    Lines,
    OpenPlaces,
    blank_text,
    open_places,
)
from brt_cg.imports.scenario_end import Brought, with_captured
from brt_cg.imports.ticks import Ticked
from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from brt_cg.model.shapes import Number
from brt_cg.questions.answers import Problem, Refused, refuse
from brt_cg.refit.victory import newly_fallen, worth_of
from brt_cg.views.book import Book

SOURCE = "the form for the end of the scenario"
TOTALS = ("moved", *(f"san_{side}" for side in Side), "pillboxes", "perimeters")  # the fields
Totals = Mapping[str, str]  # by field, as typed


def first_totals(told: Ticked) -> dict[str, str]:
    """The totals as far as the program can know them, for the players to correct."""
    view, situation = told.view, told.view.situation
    half_entered = situation.phase is not Phase.SCENARIO  # with totals, by the other side
    moved = situation.moved_first
    return {
        "moved": str((half_entered and moved) or situation.first_move or ""),
        **{f"san_{side}": str(view.sides[side].san) for side in Side},
        "pillboxes": str(situation.pillbox_vp if half_entered else _vp_for_pillboxes(told)),
        "perimeters": " / ".join(in_ranges(hexes) for hexes in situation.perimeters),
    }


def _vp_for_pillboxes(told: Ticked) -> int:
    """The VP for pillboxes (15.615) with those that are ticked as fallen; none is, none more."""
    view, earlier = told.view, 0
    if view.ruling("R-VP") == "campaign":
        earlier = view.situation.pillbox_vp
    if not told.ticks.keys() & view.fortifications.keys():
        return earlier
    return earlier + sum(map(worth_of, newly_fallen(told.after())))


def end_told(book: Book, told: Ticked, totals: Totals) -> Brought:
    """The end of the scenario that ticks and totals tell. Raises Refused for wrongly typed totals,
    and for what the ticks make impossible; the import checks the rest."""
    after = told.after()
    ticked = filter(None, map(after.find, told.ticks))
    refuse(line for each in ticked for line in impossible_about(each, after, told.card))
    state = document(after)
    state["scenario"]["winner"] = None
    state["scenario"]["moved_first"] = totals["moved"] or None
    state["facts"]["pillbox_vp"] = _number(totals, "pillboxes", "VP for pillboxes")
    for side in Side:
        san = _number(totals, f"san_{side}", f"{side.label} SAN")
        state["sides"][side.value] |= {"san": san, "cvp": None, "cvp_before": None}
    state["perimeters"] = _perimeters(totals["perimeters"], told)
    seat = told.seat.value if told.seat else None
    asked = {"state": state, "source": SOURCE, "missing": None, "side": seat}
    return Brought(with_captured(book.for_half(told.seat), asked))


def _number(totals: Totals, field: str, what: str) -> int:
    number = Number().parse(totals[field])
    if not isinstance(number, int):
        problem = f'found "{totals[field]}"; allowed: a whole number'
        raise Refused(Problem(field, problem, what))
    return number


def _perimeters(text: str, told: Ticked) -> list[list[str]]:
    view, stated = told.view, from_text(text)
    free = view.ruling("R-PERIMETER") == "free"
    _, wrong = read_perimeters([*stated], told.card.highest_hex(view.ruled), free=free)
    if wrong:
        raise Refused(Problem("perimeters", wrong[0].message, "Marine Perimeters"))
    return stated


def left_open(book: Book, told: Ticked) -> OpenPlaces:
    """What ticks leave open, before the totals are known; nothing while they are not possible, as
    `end_told` says then."""
    try:
        return open_places(book, end_told(book, told, first_totals(told)).asked)
    except Refused:
        return NOTHING_OPEN


def waiting_text(book: Book, open_: OpenPlaces, typed: Lines) -> str:
    """Where the counters wait whose line is left blank, within the perimeters that are typed."""
    left = [each for each, _ in open_.left(typed)]
    view, card = book.campaign, book.card
    stated = from_text(typed["perimeters"]) if left else []
    perimeters, _ = read_perimeters([*stated], card.highest_hex(view.ruled), free=True)
    return blank_text(view, card, perimeters, left) if left else ""
