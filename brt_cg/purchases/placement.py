"""The allowed places of a purchase (15.6141–15.6143, 15.6201–15.6202), one small check per
condition.

A limit that needs a Location is checked when the Location is given: at the purchase, or at setup.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain

from brt_cg.board import OFF_MAP, grid, ground_hex, locations
from brt_cg.card import Card, CreatedKind, PlacementCondition, Price
from brt_cg.immutable import immutable
from brt_cg.model import (
    Area,
    Campaign,
    Counter,
    Fortification,
    PointsKind,
    Purchase,
    SetupAreas,
    Side,
    TerrainKind,
    Weapon,
    WeaponKind,
)
from brt_cg.purchases.breach import Breach
from brt_cg.purchases.totals import ISLAND, CountedPurchases


@immutable
class Spot:
    """The place of a counter, now or at setup: a Location, or a Fortification's hexside; for a
    Fortification also its exit or Covered Arc, if it was bought without one."""

    location: str
    exit: str | None = None
    covered_arc: tuple[str, ...] = ()

    @property
    def places_to_point_at(self) -> tuple[str, ...]:
        """The places on the map to point at for this spot, in order."""
        exit = (self.exit,) if self.exit else ()
        return (*self.location.split("/"), *exit, *self.covered_arc)


Chosen = Mapping[str, Spot]  # places by counter


@immutable(kw_only=True)
class PurchaseSite:
    """A place for one purchased item.

    `price` is None for a Fortification that is not in any price list ("pillbox"). `record` is the
    id of the purchase, or of the counter; `quantity` is the number of items to be placed, `bought`
    the other purchases that count.
    """

    campaign: Campaign
    card: Card
    price: Price | None
    name: str
    record: str
    side: Side
    beach: str | None
    location: str
    exit: str | None
    covered_arc: tuple[str, ...]
    quantity: int
    bought: CountedPurchases

    @property
    def locations_occupied(self) -> tuple[str, ...]:
        """The Locations that the item occupies: both hexes of a hexside, both ends of a tunnel."""
        ends = tuple(self.location.split("/"))
        return (*ends, self.exit) if self.exit else ends

    @property
    def hexes(self) -> tuple[str, ...]:
        return tuple(locations.hex_of_location(end) for end in self.locations_occupied)

    def has_condition(self, condition: PlacementCondition) -> bool:
        return self.price is not None and condition in self.price.placement

    @property
    def is_in_ocean(self) -> bool:
        """Whether the item is in Ocean, which is not in any Setup Area."""
        return self.has_condition(PlacementCondition.OCEAN) or self.has_condition(
            PlacementCondition.WITH_TETRAHEDRON
        )

    def make_breach(self, what: str, code: str = "placement") -> Breach:
        rule = "15.6202" if self.price is None else self.price.rule
        where = f"{'at' if '/' in self.location else 'in'} {self.location}"  # a hexside, or a hex
        return Breach(code, rule, f"{self.name} {where}: {what}", (self.record,))


# --- facts for both the ledger and the setup ------------------------------------------------------


def placement_breaches(
    campaign: Campaign,
    card: Card,
    bought: Purchase | Counter,
    spot: Spot,
    beside: CountedPurchases | None = None,
) -> list[Breach]:
    """Return the reasons why a purchase, or one counter of it, may not be in a place
    (15.6201–15.6202); pure.

    If the spot has no exit or Covered Arc, those of the purchase count; `beside` are the other
    purchases that count, by default all that are not voided. A counter that is neither a
    Fortification nor bought may be anywhere, and so may a Gun's crew.
    """
    purchase, item = _bought(campaign, bought)
    if item is None:
        return []
    price = card.prices.get(item)
    site = PurchaseSite(
        campaign=campaign,
        card=card,
        price=price,
        name=item if price is None else price.name,
        record=bought.id,
        side=bought.side or Side.JAPANESE,
        beach=None if purchase is None else purchase.beach,
        location=spot.location,
        exit=spot.exit or getattr(bought, "exit", None),
        covered_arc=spot.covered_arc or getattr(bought, "covered_arc", ()),
        quantity=bought.quantity if isinstance(bought, Purchase) else 1,
        bought=beside or CountedPurchases(campaign),
    )
    try:
        found = list(_off_board(site))
    except locations.BadLocationError as error:
        return [site.make_breach(str(error))]
    if found or (isinstance(bought, Purchase) and bought.enlarged_pillbox_id is not None):
        return found or list(_raised(site))
    conditions = (_CONDITIONS[condition](site) for condition in (price.placement if price else ()))
    return [*_terrain(site), *_control(site), *(b for some in conditions for b in some)]


def _bought(campaign: Campaign, bought: Purchase | Counter) -> tuple[Purchase | None, str | None]:
    """Return the purchase that created a counter, and its item; no item if the counter may be
    anywhere."""
    if isinstance(bought, Purchase):
        return bought, bought.item
    purchase = campaign.purchases.get(bought.purchase or "")
    if isinstance(bought, Fortification):
        return purchase, bought.type
    if isinstance(bought, Weapon) and purchase is not None:
        return purchase, purchase.item
    return purchase, None


def destination_area(campaign: Campaign, side: Side, beach: str | None) -> Area | None:
    """Return the Setup Area for the purchases of a beach: the Japanese one with most of its Beach
    hexes (ties: lowest id). None if there is none, or if the points are tied to no beach."""
    if side is Side.MARINE or beach is None or beach == ISLAND:
        return None
    return campaign.areas.derived_value(SetupAreas).area_with_most_beach_hexes(beach, side)


# --- on the board, on the right ground, in the right hands ----------------------------------------


def _off_board(site: PurchaseSite) -> Iterator[Breach]:
    if site.location == OFF_MAP:
        yield site.make_breach("it must be on the map")
        return
    if "/" in site.location and not site.has_condition(PlacementCondition.HEXSIDE):
        yield site.make_breach("it must be in a Location, not on a hexside")
        return
    problems = (
        inside_fortification_problem(site.campaign, end, site.side)
        for end in site.locations_occupied
    )
    for problem in filter(None, problems):
        yield site.make_breach(problem)
    last = site.card.highest_hex_number(site.campaign.current_rulings)
    for hex in site.covered_arc:
        locations.check_hex(hex)
    for hex in dict.fromkeys(site.hexes):
        if hex not in locations.hexes_in_play(last):
            what = f"{hex} is not in play; the hex numbers of CG {site.card.cg} are 1–{last}"
            yield site.make_breach(what)


def inside_fortification_problem(campaign: Campaign, location: str, side: Side) -> str | None:
    """Return the problem with a place inside a Fortification, which must be in play and in that
    hex. A Fortification without a Location may be set up together with its contents."""
    hex, inside = locations.split_location(location)
    if inside is None or inside == "pier" or inside.isdigit():
        return None
    fort = campaign.fortifications.get(inside)
    if fort is not None and fort.in_play and campaign.side_hiding(fort) is not side.enemy:
        ends = [
            ground_hex(location) for location in (fort.location, fort.exit) if location is not None
        ]
        if fort.location is None or hex in ends:
            return None
    return f"there is no Fortification {inside} in play in {hex}"


def is_forbidden_emplacement(campaign: Campaign, hex: str) -> bool:
    """Whether no Fortification, Gun or vehicle may set up in a hex (T8.1; R-GUN-SITES)."""
    return hex in locations.GUN_EMPLACEMENTS and _checks_gun_sites(campaign)


def _checks_gun_sites(campaign: Campaign) -> bool:
    return campaign.ruling_value("R-GUN-SITES") == "checked"


def _terrain(site: PurchaseSite) -> Iterator[Breach]:
    """Check the terrain: only tetrahedra, and mines with them, may be in Ocean; a hexside may have
    one Ocean hex."""
    if site.is_in_ocean:
        return
    wet = [end for end in site.locations_occupied if locations.is_ocean(end)]
    if len(wet) > int(site.has_condition(PlacementCondition.HEXSIDE)):
        are = "are" if len(wet) > 1 else "is"
        yield site.make_breach(f"{' and '.join(wet)} {are} Ocean, where only tetrahedra may set up")
    off = site.price.not_beaches if site.price else ()
    made = site.price.creates if site.price else None
    if made is None or made.kind is CreatedKind.FORTIFICATION or made.weapon_kind is WeaponKind.GUN:
        for hex in filter(partial(is_forbidden_emplacement, site.campaign), site.hexes):
            yield site.make_breach(f"{hex} is a Gun Emplacement hex (T8.1)")
    banned = [
        locations.beach_of_hex(hex) for hex in site.hexes if locations.beach_of_hex(hex) in off
    ]
    if banned:
        yield site.make_breach(f"it may not set up on {banned[0]}")
    elif off and site.campaign.areas and site.campaign.ruling_value("R-BEACH-AREA") != "free":
        yield from _beside(site, off)


def _beside(site: PurchaseSite, off: tuple[str, ...]) -> Iterator[Breach]:
    """Check R-BEACH-AREA even after Setup Areas exist: items that may not be set up on some beaches
    may not be in their areas, nor in a hex that is as near to another beach as to the beach whose
    points paid for them."""
    for hex in site.hexes:
        near = grid.nearest_beaches(hex)
        if not near.isdisjoint(off) and site.beach not in near:
            whose = " or ".join(map(locations.beach_name, sorted(near)))
            yield site.make_breach(
                f"it may not set up on {off[0]}: {hex} belongs to {whose} (R-BEACH-AREA)"
            )


def _control(site: PurchaseSite) -> Iterator[Breach]:
    """Check that an item is in its side's Setup Area (the area of the beach that paid), and in
    neither an Isolated nor a Front Line Location unless its row allows that. An item in the Ocean
    is in the area of the beach next to it."""
    if site.is_in_ocean or not site.campaign.areas:
        yield from _beach_area(site)
        return
    refusals = {end: _not_ours(site, end) for end in site.locations_occupied}
    wrong = [refusal for refusal in refusals.values() if refusal is not None]
    if len(wrong) > int(site.has_condition(PlacementCondition.HEXSIDE)):
        yield next((refusal for refusal in wrong if refusal.code == "isolated"), wrong[0])
    if site.price is None or site.price.front_line_ok or not _front_line_counts(site, site.price):
        return
    for end, refusal in refusals.items():
        if refusal is None and site.campaign.is_front_line(end, site.side):
            what = f"{end} is a Front Line Location, where only “?” may set up"
            yield site.make_breach(what, "front-line")


def _front_line_counts(site: PurchaseSite, price: Price) -> bool:
    """Whether an item whose row does not allow a Front Line Location is kept out of it
    (R-FRONT-LINE-SETUP: FPP items, or all)."""
    return (
        price.points is PointsKind.FPP or site.campaign.ruling_value("R-FRONT-LINE-SETUP") == "all"
    )


def _beach_area(site: PurchaseSite) -> Iterator[Breach]:
    """Check R-BEACH-AREA: before there are Setup Areas, purchases for a beach are placed in its
    area: the hexes with no nearer Beach hex of another beach."""
    if site.beach in (None, ISLAND) or site.campaign.ruling_value("R-BEACH-AREA") == "free":
        return
    wrong = [hex for hex in site.hexes if site.beach not in grid.nearest_beaches(hex)]
    if len(wrong) > int(site.has_condition(PlacementCondition.HEXSIDE)):
        whose = " or ".join(map(locations.beach_name, sorted(grid.nearest_beaches(wrong[0]))))
        points = f"points of {locations.beach_name(site.beach)}"
        yield site.make_breach(
            f"{points} are for its area, but {wrong[0]} belongs to {whose} (R-BEACH-AREA)"
        )


def _not_ours(site: PurchaseSite, end: str) -> Breach | None:
    isolated = site.campaign.side_isolated_in(end, site.side)
    if isolated is site.side:
        if site.price is None or site.price.isolated_ok:
            return None
        what = f"{end} is an Isolated Location, where only foxholes and “?” may set up"
        return site.make_breach(what, "isolated")
    area = site.campaign.area_at(end)
    if isolated is not None or area is None or area.side is not site.side:
        return site.make_breach(f"{end} is not in a {site.side.label} Setup Area")
    target = destination_area(site.campaign, site.side, site.beach)
    if target is not None and target is not area:
        points = f"points of {locations.beach_name(site.beach)}"
        return site.make_breach(
            f"{points} are for {target.display_name}, but {end} is in {area.display_name}"
        )
    return None


def _raised(site: PurchaseSite) -> Iterator[Breach]:
    """Check the pillbox that gets more capacity (15.6142): it must belong to the side, and be set
    up in the area of the beach that pays."""
    box = site.campaign.fortifications.get(locations.split_location(site.location)[1] or "")
    if box is None or not box.is_pillbox or box.side is not site.side:
        yield site.make_breach(f"there is no {site.side.label} pillbox set up there")
    elif box.location is None or box.off_map or box.controller not in (None, site.side):
        yield site.make_breach(f"pillbox {box.id} is not set up, or is the enemy's")
    elif not site.campaign.areas:
        yield from _beach_area(site)
    else:
        refusal = _not_ours(site, site.location)
        yield from () if refusal is None else (refusal,)


# --- the conditions of the price list -------------------------------------------------------------


def _ocean(site: PurchaseSite) -> Iterator[Breach]:
    if not locations.is_ocean(site.location):
        yield site.make_breach("it must be in an Ocean hex")


def _one_a_hex(site: PurchaseSite) -> Iterator[Breach]:
    """Check G14.51: one tetrahedron per hex, even for those bought together."""
    if site.quantity > 1:
        what = f"{site.quantity} of them cannot be in one hex; buy them one at a time (G14.51)"
        yield site.make_breach(what)
    for other in _there_already(site, PlacementCondition.OCEAN):
        yield site.make_breach(f"that hex already has a tetrahedron: {other} (G14.51)")


def _there_already(site: PurchaseSite, condition: PlacementCondition) -> Iterator[str]:
    """Yield the ids of items with a given condition that are, or will be, in the same place."""
    yield from (
        fort.id
        for fort in site.campaign.fortifications.values()
        if fort.in_play and site.record not in (fort.id, fort.purchase)
        if fort.location == site.location
        and site.card.has_placement_condition(fort.type, condition)
        if fort.side is site.side or not (fort.hidden or fort.unseen)
    )
    yield from (
        bought.id
        for bought in site.bought.purchases_of_items(
            site.card.items_with_placement_condition(condition)
        )
        if bought.location == site.location and not bought.created and bought.id != site.record
        if bought.side is site.side
    )


def _beach_adjacent(site: PurchaseSite) -> Iterator[Breach]:
    if not _of_its_beach(site, grid.neighbors(site.hexes[0])):
        where = locations.beach_name(site.beach) if site.beach else "a beach"
        yield site.make_breach(f"it must be adjacent to a Beach hex of {where}")


def _not_beach_adjacent(site: PurchaseSite) -> Iterator[Breach]:
    near = [hex for hex in grid.neighbors(site.hexes[0]) if locations.is_beach(hex)]
    if near:
        yield site.make_breach(f"it may not be adjacent to a Beach hex such as {near[0]}")


def _not_beach(site: PurchaseSite) -> Iterator[Breach]:
    if locations.is_beach(site.hexes[0]):
        yield site.make_breach("it may not be in a Beach hex")


def _hexside(site: PurchaseSite) -> Iterator[Breach]:
    if "/" not in site.location:
        yield site.make_breach("it must be on a hexside, such as N18/N19")
    for other in _there_already(site, PlacementCondition.HEXSIDE):
        yield site.make_breach(f"that hexside is already breached: {other}")


def _two_locations(site: PurchaseSite) -> Iterator[Breach]:
    if site.exit is None:
        yield site.make_breach("it needs an exit hex (the other end)")
    elif site.exit == site.location:
        yield site.make_breach("its two ends must be different Locations")


def _adjacent_locations(site: PurchaseSite) -> Iterator[Breach]:
    if site.exit is None:
        return
    here, there = site.hexes[0], site.hexes[-1]
    if here != there and not grid.are_adjacent(here, there):
        away = grid.distance(here, there)
        yield site.make_breach(f"its exit {site.exit} is {away} hexes away, but must be adjacent")


def _with_tetrahedron(site: PurchaseSite) -> Iterator[Breach]:
    """Check that mines are placed with a tetrahedron, once all of their beach's tetrahedra have
    been placed; in Ocean also before that."""
    yield from _ocean(site)
    beach = site.beach
    places: set[str | None] = set()
    for purchase in site.bought.purchases_of_items(
        site.card.items_with_placement_condition(PlacementCondition.OCEAN)
    ):
        if can_mines_join_tetrahedron(beach, purchase.beach):
            made = map(site.campaign.fortifications.get, purchase.created)
            standing = {fort.location for fort in made if fort is not None and fort.in_play}
            places |= standing or {purchase.location}
    if None not in places and site.location not in places:
        shown = ", ".join(sorted(filter(None, places))) or "none"
        yield site.make_breach(
            f"there is no tetrahedron of {locations.beach_name(beach)} there; its "
            f"tetrahedra: {shown}"
        )


def can_mines_join_tetrahedron(mines: str | None, tetrahedron: str | None) -> bool:
    """Whether mines and a tetrahedron may be placed together, by the points that paid for them:
    points of the same beach, or of no beach, which may be spent anywhere."""
    return mines == tetrahedron or ISLAND in (mines or ISLAND, tetrahedron or ISLAND)


def _covered_arc(site: PurchaseSite) -> Iterator[Breach]:
    arc, own = site.covered_arc, site.hexes[0]
    if not arc:
        yield site.make_breach("it needs a Covered Arc of two adjacent hexes")
        return
    stray = [hex for hex in arc if not grid.are_adjacent(own, hex)]
    if stray or len(set(arc)) != 2 or not grid.are_adjacent(*arc):
        what = (
            f"Covered Arc {', '.join(arc)} is not possible; enter two adjacent hexes that "
            f"are both adjacent to {own}"
        )
        yield site.make_breach(what)
    elif site.has_condition(PlacementCondition.BEACH_ADJACENT) and not _of_its_beach(site, arc):
        what = f"its Covered Arc must contain a Beach hex, but neither {arc[0]} nor {arc[1]} is one"
        yield site.make_breach(what)


def _not_inside(site: PurchaseSite) -> Iterator[Breach]:
    """Check that no large Gun is in a pillbox or in a recorded building (SSR BRT6, R-GUN-SITES)."""
    if not _checks_gun_sites(site.campaign):
        return
    hex, inside = locations.split_location(site.location)
    fort = site.campaign.fortifications.get(inside or "")
    buildings = (
        terrain.location
        for terrain in site.campaign.terrain.values()
        if terrain.in_play and terrain.kind is TerrainKind.BUILDING
    )
    if (fort is not None and fort.is_pillbox) or hex in map(ground_hex, filter(None, buildings)):
        yield site.make_breach("it may not set up in a building or pillbox (SSR BRT6)")


def _of_its_beach(site: PurchaseSite, hexes: Iterable[str]) -> bool:
    """Whether any of the hexes is a Beach hex of the beach whose points bought the item."""
    if site.beach in (None, ISLAND):
        return any(map(locations.is_beach, hexes))
    return any(locations.beach_of_hex(hex) == site.beach for hex in hexes)


_CONDITIONS: Mapping[PlacementCondition, Callable[[PurchaseSite], Iterator[Breach]]] = {
    PlacementCondition.OCEAN: lambda site: chain(_ocean(site), _one_a_hex(site)),
    PlacementCondition.BEACH_ADJACENT: _beach_adjacent,
    PlacementCondition.NOT_BEACH_ADJACENT: _not_beach_adjacent,
    PlacementCondition.NOT_BEACH: _not_beach,
    PlacementCondition.HEXSIDE: _hexside,
    PlacementCondition.TWO_LOCATIONS: _two_locations,
    PlacementCondition.ADJACENT_LOCATIONS: _adjacent_locations,
    PlacementCondition.WITH_TETRAHEDRON: _with_tetrahedron,
    PlacementCondition.COVERED_ARC: _covered_arc,
    PlacementCondition.NOT_INSIDE: _not_inside,
}


# --- places to point at ---------------------------------------------------------------------------


def allowed_spots(campaign: Campaign, card: Card, order: Purchase, hex: str) -> Iterator[Spot]:
    """Yield the allowed places for an order in a hex, on its ground, with each exit or Covered Arc.
    A hexside belongs to its lower hex."""
    price, beside = card.prices[order.item], CountedPurchases(campaign)
    for spot in _spots_in(price, hex):
        if not placement_breaches(campaign, card, order, spot, beside):
            yield spot


def _spots_in(price: Price, hex: str) -> Iterator[Spot]:
    if PlacementCondition.HEXSIDE in price.placement:
        after = (
            near
            for near in grid.neighbors(hex)
            if locations.hex_sort_key(near) > locations.hex_sort_key(hex)
        )
        yield from (Spot(f"{hex}/{near}") for near in after)
    elif PlacementCondition.TWO_LOCATIONS in price.placement:
        yield from (Spot(hex, near) for near in grid.neighbors(hex))
    elif PlacementCondition.COVERED_ARC in price.placement:
        yield from (Spot(hex, None, arc) for arc in grid.possible_covered_arcs(hex))
    else:
        yield Spot(hex)
