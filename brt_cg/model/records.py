"""The records in addition to the counters: the campaign itself, its sides, areas, purchases and
rulings.

They only hold data; the rules give it a meaning.
"""

from enum import StrEnum
from typing import Annotated

from brt_cg.model.counters import COUNTERS, Side
from brt_cg.model.record import Record, record_class
from brt_cg.model.shapes import MOST, Arc, FieldMark, Label, Number, Place

SIDES = (Side.MARINE, Side.JAPANESE)


WINDOW = "15.6143"  # when 15.614 asks each side whether it is done with its purchases


class Phase(StrEnum):
    """The phases of a campaign."""

    PURCHASE = "purchase"
    SCENARIO = "scenario"
    REFIT = "refit"
    SETUP = "setup"
    OVER = "over"

    @property
    def when_text(self) -> str:
        """The time of the phase, for a sentence: "during setup"."""
        return WHEN[self]


WHEN = {
    Phase.PURCHASE: "in the purchase phase",
    Phase.SCENARIO: "during the scenario",
    Phase.REFIT: "in the Refit Phase",
    Phase.SETUP: "during setup",
    Phase.OVER: "after the end of the campaign",
}

BETWEEN = (Phase.SCENARIO, Phase.OVER)  # phases in which no Refit Phase is in progress or due


class PointsKind(StrEnum):
    """The kinds of points: Gun, Covered Arc and Fortification Purchase Points."""

    GPP = "gpp"
    CAPP = "capp"
    FPP = "fpp"


class LossKind(StrEnum):
    """The reasons for rows of the casualty ledger."""

    ELIMINATED = "eliminated"
    REDUCED = "reduced"
    CAPTURED = "captured"
    CREW = "crew"  # the crew of a vehicle that is lost or empty
    MASSACRED = "massacred"
    PRISONER = "prisoner"  # eliminated under guard (R-PRISONER-CVP)
    HELD = "held"  # still a prisoner at CG End
    FREED = "freed"
    REVIVED = "revived"  # of a loss in an opening total
    STATED = "stated"  # entered by the players, for a reason


@record_class
class Situation(Record):
    """The one record of the campaign itself.

    `date` is the current CG Date; `ended` the date of the scenario that ended last; `paragraph` the
    paragraph of the Refit Phase in progress; `done` the last one completed in this Refit Phase.
    `initial` is true until the first scenario has been imported. `banzai` is the Japanese secret of
    15.616. `buying` names the sides that may still buy at 15.614. `pillbox_vp` are the Marines' VP
    for pillboxes in the last scenario (15.615), `pillbox_vp_so_far` in the whole campaign; None in
    a campaign begun under rules that did not add them up. `said_winner` is the winner by the
    scenario-end report, `overruled` the reason why the winner is not the side that the count names.
    `key` is the random value that determines the ids and numbers of counters that arrive hidden;
    None in a campaign begun before keys were recorded.
    """

    TABLE = "campaign"

    cg: str
    name: str | None = None
    phase: Phase = Phase.PURCHASE
    date: Annotated[str, FieldMark.SCENARIO]
    ended: str | None = None
    initial: bool = True
    paragraph: str | None = None
    done: str | None = None
    winner: Annotated[Side | None, FieldMark.SCENARIO] = None
    moved_first: Annotated[Side | None, FieldMark.SCENARIO] = None
    first_setup: Side | None = None
    first_move: Side | None = None
    turns: str | None = None
    massacre: Annotated[bool, Label("Massacre"), FieldMark.FACT] = False
    nights_without_scenario: Annotated[
        int, Number(0, 9), Label("Nights not fought"), FieldMark.FACT
    ] = 0
    pillbox_vp: Annotated[int, Label("VP for pillboxes"), FieldMark.FACT] = 0
    banzai: Annotated[bool | None, FieldMark.OWN] = None
    perimeters: tuple[tuple[str, ...], ...] = ()
    buying: tuple[str, ...] = ()
    victor: Side | None = None
    pillbox_vp_so_far: Annotated[
        int | None,
        *(Number(0, MOST), Label("VP for pillboxes so far"), FieldMark.OF_THE_PROGRAM),
    ] = None
    said_winner: Annotated[Side | None, FieldMark.OF_THE_PROGRAM] = None
    overruled: Annotated[str | None, FieldMark.OF_THE_PROGRAM] = None
    key: Annotated[str | None, FieldMark.OF_THE_PROGRAM, FieldMark.OF_NO_SEAT] = None

    @property
    def scenario_date_of_losses(self) -> str | None:
        """The date of the scenario that a loss counts for now: the one being played, else the one
        that ended last."""
        return self.date if self.phase is Phase.SCENARIO else self.ended

    @property
    def is_refit_due(self) -> bool:
        """Whether a scenario's end has been imported and no paragraph of the Refit Phase begun."""
        begun = self.done is not None or self.paragraph is not None
        return self.phase is Phase.REFIT and not begun


@record_class
class SideRecord(Record):
    """A side's totals. `announced_san` is the SAN that the enemy knows (15.6204). CVP are here only
    if recorded by versions before the casualty ledger, where they serve as the ledger's opening
    row: `cvp` is the total, `cvp_before` the total when the last scenario began."""

    TABLE = "sides"

    player: Annotated[str | None, Label("Player")] = None
    san: Annotated[int, Number(0, 7), Label("SAN"), FieldMark.REQUIRED] = 0
    announced_san: Annotated[int, Number(0, 7), Label("SAN announced")] = 0
    elr: Annotated[int, Number(0, 10), Label("ELR"), FieldMark.REQUIRED] = 0
    cvp: Annotated[int, Number(-MOST, MOST), Label("CVP")] = 0
    cvp_before: Annotated[int, Number(-MOST, MOST), Label("CVP before scenario")] = 0


@record_class
class Area(Record):
    """A Setup Area (15.6071). `hexes` are in the board's order."""

    TABLE = "setup_areas"

    side: Side
    hexes: tuple[str, ...]

    @property
    def display_name(self) -> str:
        """The area's name, "Area J1", to distinguish it from the hex J1."""
        return area_name(self.id)


def area_name(id: str) -> str:
    """Return the name of the Setup Area with an id."""
    return f"Area {id}"


@record_class
class Purchase(Record):
    """A purchase, a draft of one, or the voiding of one (15.614).

    `points` is gpp, capp or fpp; `capacity` is the capacity added to a pillbox's normal one;
    `total` is in points, `exponent` in CAPP Exponent points (both negative for a void). `voids` is
    the id of the purchase that this record voids, for `reason`. `created` are ids of counters. A
    purchase of a pillbox inside a pillbox adds to the capacity of that one (`raises`).
    """

    TABLE = "purchases"

    date: str
    side: Side
    beach: str | None = None
    points: str
    item: str
    quantity: int
    unit_cost: int
    total: int
    exponent: int = 0
    location: Annotated[str | None, Place(hexside=True), FieldMark.SITE] = None
    exit: Annotated[str | None, Place(), FieldMark.SITE] = None
    covered_arc: Annotated[tuple[str, ...], Arc(), FieldMark.SITE] = ()
    capacity: int = 0
    entered_by: str | None = None
    entered_at: str | None = None
    initial: bool = False
    draft: bool = False
    voids: str | None = None
    reason: str | None = None
    created: tuple[str, ...] = ()

    @property
    def enlarged_pillbox_id(self) -> str | None:
        """The id of the existing pillbox whose capacity the purchase increases (15.6142), if any:
        the purchase's Location is the inside of that pillbox."""
        _, _, inside = (self.location or "").partition(":")
        into = inside and not inside.isdigit() and inside != "pier"
        return inside if into and self.item.startswith("pillbox") else None


def number_in_id(id: str) -> int:
    """Return the number in the id of a purchase, a void or a draft ("pm17": the 17th of the
    Marines'); 0 for an id of any other form."""
    digits = id.lstrip("dpvmj")
    return int(digits) if digits.isdecimal() else 0


def id_series(id: str, side: str) -> str:
    """Return the series that numbers an id: the purchases and voids of its side, or its drafts,
    whose number is that side's secret."""
    return f"{side} drafts" if id.startswith("d") else side


@record_class
class Allotment(Record):
    """Points to spend: from the card ("japanese/red_one"), or granted at a later date ("grant-1").

    A grant counts once it is `credited` (15.614). `exponent` is the CAPP Exponent.
    """

    TABLE = "allotments"

    side: Side
    beach: str | None = None
    date: str | None = None
    gpp: int = 0
    capp: int = 0
    exponent: int = 0
    fpp: int = 0
    credited: bool = True


@record_class
class Arrival(Record):
    """Counters of a CG card that enter on a later CG Date, or land in the first scenario. `lines`
    are the players' own lines, `state` the counters as a list of JSON by table. As in the Landing
    Schedule Record (T15.13): the name of their `wave`, the `turn` on which they land, their
    `formations` ("2/8") and `entry_area` ("Red Two")."""

    TABLE = "arrivals"

    side: Side
    date: str
    wave: str | None = None
    lines: str
    state: str
    entered: bool = False
    turn: Annotated[int | None, Number(1, 99)] = None
    formations: str | None = None
    entry_area: Annotated[str | None, Label("Entry Area")] = None


@record_class
class RulingInForce(Record):
    """The players' agreement on a point that the rules leave open. A ruling that the program asks
    about gets its record when it first matters."""

    TABLE = "rulings"

    value: str


@record_class
class Casualty(Record):
    """A row of the casualty ledger: `side` scores `points` (below 0: loses them) in the scenario of
    `date` (None: none), because a `counter` was lost (`how`), by a `rule` (or the command that
    entered it) and perhaps a `ruling`; or as entered by the players for a `reason`. `secret` is the
    side that hid the counter then; once the row is `open`, the enemy knows its points."""

    TABLE = "casualties"

    side: Side
    points: Annotated[int, Number(-MOST, MOST)]
    how: LossKind
    counter: str | None = None
    date: str | None = None
    rule: str
    ruling: str | None = None
    reason: str | None = None
    secret: Side | None = None
    open: bool = False


TABLES: tuple[type[Record], ...] = (
    *(Situation, SideRecord, Area, *COUNTERS, Purchase, Allotment, RulingInForce, Arrival),
    Casualty,
)
