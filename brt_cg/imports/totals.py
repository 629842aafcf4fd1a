"""What ends a scenario besides its counters: who won and moved first, CVP, SAN, VP for pillboxes,
the Marine Perimeters; and the end that ticks and these totals tell together."""

from collections import Counter as Count
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
from brt_cg.refit.losses import worth_lost
from brt_cg.refit.victory import newly_fallen, worth_of
from brt_cg.views.book import Book

SOURCE = "the form for the end of the scenario"
PER_SIDE = [f"{figure}_{side}" for figure in ("cvp", "san") for side in Side]
TOTALS = ("winner", "moved", *PER_SIDE, "pillboxes", "perimeters")  # the fields
Totals = Mapping[str, str]  # by field, as typed
NONE_BEFORE: Mapping[Side, int] = {}


def points_before(book: Book, half: Side | None) -> Mapping[Side, int]:
    """The Casualty VP that a side, whose half of the scenario end is not yet entered, gains by the
    enemy's half: only for units that it knew before and still knows now. Nothing for no half."""
    if half is None:
        return NONE_BEFORE
    book = book.of(half)
    theirs = (
        piece for piece in book.before_end.pieces() if piece.in_play and piece.side is not half
    )
    left = ((piece, book.campaign.find(piece.id)) for piece in theirs)
    return {half: sum(worth_lost(book.card, was, now) for was, now in left if now is not None)}


def first_totals(told: Ticked, before: Mapping[Side, int] = NONE_BEFORE) -> dict[str, str]:
    """The totals as far as the program can know them, for the players to correct. `before` holds
    the Casualty VP that a side gains by the half that its enemy has entered."""
    view, situation = told.view, told.view.situation
    gained = Count(told.points_lost()) + Count(before)
    half_entered = situation.phase is not Phase.SCENARIO  # with totals, by the other side
    winner, moved = situation.winner, situation.moved_first
    return {
        "winner": str((half_entered and winner) or ""),
        "moved": str((half_entered and moved) or situation.first_move or ""),
        **{f"cvp_{side}": str(view.sides[side].cvp + gained[side]) for side in Side},
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
    state["scenario"]["winner"] = totals["winner"] or None
    state["scenario"]["moved_first"] = totals["moved"] or None
    state["facts"]["pillbox_vp"] = _number(totals, "pillboxes", "VP for pillboxes")
    for side in Side:
        for name in ("cvp", "san"):
            what = f"{side.label} {name.upper()}"
            state["sides"][side.value][name] = _number(totals, f"{name}_{side}", what)
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
