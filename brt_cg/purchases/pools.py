"""The accounts of 15.614: points allotted, granted, spent and left, per side and beach.

Nothing here is stored: every number follows from the allotments and the purchases.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from operator import itemgetter

from brt_cg.board import locations
from brt_cg.card import Card
from brt_cg.immutable import immutable
from brt_cg.model import Allotment, Campaign, Purchase, Side, Table, not_allowed_error
from brt_cg.purchases.breach import Breach
from brt_cg.purchases.totals import POINTS, CountedPurchases, Fund, fund_of

# The CAPP Exponent is a separate kind, with a short name for columns.
HEADS = {"gpp": "GPP", "capp": "CAPP", "exponent": "Exp", "fpp": "FPP"}
KINDS = (*HEADS,)
RULES = {"gpp": "15.6141", "capp": "15.6142", "exponent": "15.6142", "fpp": "15.6143"}
CAPP = r"([0-9]{1,4})(?:\^([0-9]{1,3}))?"
KIND_NAMES = HEADS | {"exponent": "CAPP Exponent"}


@immutable
class Amounts:
    """Points by kind; `exponent` is the CAPP Exponent."""

    gpp: int = 0
    capp: int = 0
    exponent: int = 0
    fpp: int = 0

    def __add__(self, other: "Amounts") -> "Amounts":
        return Amounts(*(self.points_of(kind) + other.points_of(kind) for kind in KINDS))

    def __sub__(self, other: "Amounts") -> "Amounts":
        return Amounts(*(self.points_of(kind) - other.points_of(kind) for kind in KINDS))

    def points_of(self, kind: str) -> int:
        """Return the points of one kind, one of KINDS."""
        figure: int = getattr(self, kind)
        return figure

    def __bool__(self) -> bool:
        return any(self.points_of(kind) for kind in KINDS)

    def __str__(self) -> str:
        """Return the points in words: "24 GPP, 26 CAPP, exponent 2, 60 FPP"; "nothing" if there are
        none."""
        capp = f"{self.capp} CAPP" + (f", exponent {self.exponent}" if self.exponent else "")
        words = [f"{self.gpp} GPP"] if self.gpp else []
        words += [capp] if self.capp or self.exponent else []
        words += [f"{self.fpp} FPP"] if self.fpp else []
        return ", ".join(words) or "nothing"


NOTHING = Amounts()


@immutable
class Account:
    """One row of the Beach Defense Record; `beach` is None for the Marines, "island" for no beach.

    `granted` counts the grants credited so far (15.614).
    """

    side: Side
    beach: str | None
    allotted: Amounts = NOTHING
    granted: Amounts = NOTHING
    spent: Amounts = NOTHING

    @property
    def fund(self) -> Fund:
        return Fund(self.side, self.beach)

    @property
    def given(self) -> Amounts:
        return self.allotted + self.granted

    @property
    def left(self) -> Amounts:
        return self.given - self.spent

    def overdraft_breaches(self, by: Purchase | None = None) -> list[Breach]:
        """Return the kinds of points (or only a given purchase's kinds) of which more is spent than
        was given, with the numbers."""
        kinds = KINDS
        if by is not None:
            kinds = tuple(k for k in KINDS if k == by.points or (k == "exponent" and by.exponent))
        given, left = self.given, self.left
        return [
            Breach(
                "exponent" if kind == "exponent" else "allotment",
                RULES[kind],
                f"{KIND_NAMES[kind]} of {owner_text(self)}: {self.spent.points_of(kind)} spent"
                f"{'' if by is None else ' including this'}, but only {given.points_of(kind)} "
                f"received ({-left.points_of(kind)} too many)",
                () if by is None else (by.id,),
            )
            for kind in kinds
            if left.points_of(kind) < 0
        ]


class GivenPoints:
    """The points given to each fund: allotted by the card, granted and credited so far, and the
    total of each kind."""

    def __init__(self, table: Table[Allotment]) -> None:
        self.allotted: dict[Fund, Amounts] = {}
        self.granted: dict[Fund, Amounts] = {}
        self.points: Counter[tuple[Fund, str]] = Counter()
        for allotment in table.values():
            if allotment.credited:
                fund, given = fund_of(allotment.side, allotment.beach), allotment_amounts(allotment)
                part = self.allotted if allotment.date is None else self.granted
                part[fund] = part.get(fund, NOTHING) + given
                self.points.update({(fund, kind): given.points_of(kind) for kind in KINDS})


def owner_text(points: Account | Allotment | Fund) -> str:
    """Return the owner of points: "Red One", "the Marines"."""
    return locations.beach_name(points.beach) if points.beach else f"the {points.side.label} player"


def compute_account(
    campaign: Campaign, side: Side, beach: str | None, bought: CountedPurchases | None = None
) -> Account:
    """Compute one account; with `bought`, as if these had been bought. Drafts do not count as
    spent."""
    fund = fund_of(side, beach)
    given, spent = (
        campaign.allotments.derived_value(GivenPoints),
        bought or CountedPurchases(campaign),
    )
    return Account(
        side,
        fund.beach,
        given.allotted.get(fund, NOTHING),
        given.granted.get(fund, NOTHING),
        Amounts(**{kind: spent.points_spent(fund, kind) for kind in KINDS}),
    )


def list_accounts(
    campaign: Campaign, card: Card, side: Side | None = None, bought: CountedPurchases | None = None
) -> list[Account]:
    """Return all accounts, or those of one side: the Marines', then the Japanese by beach as the
    card lists them."""
    spent = bought or CountedPurchases(campaign)
    wanted = [(Side.MARINE, None), *((Side.JAPANESE, beach) for beach in card.beaches)]
    return [
        compute_account(campaign, whose, beach, spent)
        for whose, beach in wanted
        if side in (None, whose)
    ]


def sum_amounts(figures: Iterable[Amounts]) -> Amounts:
    """Return the sum of amounts."""
    return sum(figures, Amounts())


def allotment_amounts(allotment: Allotment) -> Amounts:
    """Return the points of an allotment or grant."""
    return Amounts(allotment.gpp, allotment.capp, allotment.exponent, allotment.fpp)


def purchase_amounts(purchase: Purchase) -> Amounts:
    """Return the cost of a purchase; negative for a void; nothing for an unknown kind of points."""
    figure = {purchase.points: purchase.total} if purchase.points in POINTS else {}
    return Amounts(exponent=purchase.exponent, **figure)


def capp_text(points: Amounts | Allotment) -> str:
    """Return CAPP and exponent as printed on a card: "26^2", "26"; "" for none."""
    capp, exponent = points.capp, points.exponent
    return f"{capp}^{exponent}" if exponent else str(capp or "")


def parse_capp(value: object) -> tuple[int, int]:
    """Read CAPP and exponent as printed on a card: 26, "26" or "26^2". Raises ValueError for
    anything else, and for more than 9999 CAPP or an exponent of more than 999."""
    written = str(value) if type(value) is int else value
    found = re.fullmatch(CAPP, written) if isinstance(written, str) else None
    if found:
        return int(found[1]), int(found[2] or 0)
    raise not_allowed_error(value, 'CAPP as "26^2" (26 CAPP, exponent 2), or "26^0" without one')


# --- points that a card grants at a later date (15.614) -------------------------------------------


def due_grants(campaign: Campaign, card: Card) -> list[Allotment]:
    """Return the grants to be credited now, in the order of the card's dates, then of ids.

    A grant is due if it is dated after the last scenario, up to the current date; also if its date
    is an AM that followed a Night with no scenario, because no Refit Phase came between (R-NIGHT).
    Older grants were given before a campaign was adopted in progress.
    """
    return _uncredited(campaign, card, partial(_is_due, campaign, card))


def due_and_future_grants(campaign: Campaign, card: Card, side: Side) -> list[Allotment]:
    """Return a side's grants that are still to be credited, by date, then by id; except those given
    before a campaign was adopted in progress."""
    now = card.date_index(campaign.situation.date)

    def is_to_come(date: str) -> bool:
        return _is_due(campaign, card, date) or card.date_index(date) > now

    return [grant for grant in _uncredited(campaign, card, is_to_come) if grant.side is side]


def _uncredited(campaign: Campaign, card: Card, wanted: Callable[[str], bool]) -> list[Allotment]:
    """Return the grants not yet credited on the wanted dates, by date, then by id."""
    found = [
        (card.date_index(grant.date), grant.id, grant)
        for grant in campaign.allotments.values()
        if not grant.credited and grant.date is not None and wanted(grant.date)
    ]
    return [grant for *_, grant in sorted(found, key=itemgetter(0, 1))]


def _is_due(campaign: Campaign, card: Card, date: str) -> bool:
    situation = campaign.situation
    if card.date_index(date) > card.date_index(situation.date):
        return False
    ended = situation.ended
    return (
        ended is None
        or card.date_index(date) > card.date_index(ended)
        or date == _passed(campaign, card)
    )


def _passed(campaign: Campaign, card: Card) -> str | None:
    """Return the date just played if no Refit Phase came before it: an AM after a Night without a
    scenario."""
    situation = campaign.situation
    ended = situation.ended
    if ended is None or not situation.nights_without_scenario or card.date_index(ended) == 0:
        return None
    night = card.dates[card.date_index(ended) - 1]
    return ended if card.is_night_date(night) else None
