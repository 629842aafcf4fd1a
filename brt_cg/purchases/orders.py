"""The reading of a side's order: names, numbers and Locations. All problems are reported
together."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from brt_cg.board import OFF_MAP, beach_name, grid, locations
from brt_cg.card import CATALOGUE, Card, CreatedKind, PlacementCondition, Price
from brt_cg.immutable import immutable
from brt_cg.model import MOST, MOST_CAPACITY, SIDES, PointsKind, Purchase, Side
from brt_cg.purchases.ledger import new_unpriced_order
from brt_cg.purchases.limits import beaches_that_may_pay_for
from brt_cg.purchases.totals import ISLAND
from brt_cg.questions import Problem, raise_problems
from brt_cg.text import list_text, short_json, unknown_name_error


@immutable
class OrderField:
    """A field of an order in the players' input. `name` is its name in files; `hint` describes the
    allowed text; `takes` says whether the field applies to an item and a side."""

    name: str
    label: str
    hint: str
    takes: Callable[[Price, Side], bool]


def _has_location(price: Price, side: Side) -> bool:
    """Whether an item has a Location: all do except a SAN increase, and HIP, which applies to a
    unit."""
    return price.creates.kind is not CreatedKind.NONE or price.front_line_ok


ORDER = (
    OrderField("beach", "Beach", "", lambda price, side: side is Side.JAPANESE),
    OrderField("quantity", "How many", "", lambda price, side: True),
    OrderField("location", "Location", "N21, N21:1; or leave empty until setup", _has_location),
    OrderField(
        "exit",
        "Its exit",
        "the Location of its other end",
        lambda price, side: PlacementCondition.TWO_LOCATIONS in price.placement,
    ),
    OrderField(
        "arc",
        "Covered Arc",
        "two adjacent hexes: O21,O22",
        lambda price, side: PlacementCondition.COVERED_ARC in price.placement,
    ),
    OrderField(
        "capacity",
        "Capacity",
        "squad-equivalents; leave empty for the normal capacity",
        lambda price, side: price.creates.extra_capacity_cost is not None,
    ),
)
FIELDS = ("item", "side", *(field.name for field in ORDER), "draft", "instead", CATALOGUE)


def order_fields(price: Price, side: Side) -> tuple[OrderField, ...]:
    """Return the fields of an order for an item, other than item and side."""
    return tuple(field for field in ORDER if field.takes(price, side))


def read_order(card: Card, asked: Mapping[str, Any]) -> Purchase:
    """Read and check an order as JSON (FIELDS). Return a purchase without price. Raises
    RefusedError with every problem, its rule and the allowed values."""
    reading = _Reading(card, asked)
    order = reading.order()
    if reading.problems:
        raise_problems(reading.problems)
    assert order is not None, "every problem has been noted"
    return order


class _Reading:
    """The state of reading one order; `problems` collects its problems."""

    def __init__(self, card: Card, asked: Mapping[str, Any]) -> None:
        self.card = card
        self.asked = asked
        self.problems: list[Problem | str] = []
        if asked.keys() - FIELDS:
            self.problems += (
                f"buy has no field {key!r}; enter {list_text(FIELDS)}"
                for key in asked
                if key not in FIELDS
            )

    def bad(self, key: str, found: object, allowed: str) -> None:
        """Note a value that is not allowed."""
        self.problems.append(Problem(key, f"{short_json(found)} is not accepted; enter {allowed}"))

    def order(self) -> Purchase | None:
        if type(self.asked.get("draft", False)) is not bool:
            self.bad("draft", self.asked["draft"], "true or false")
        named = self.one_of("side", SIDES)
        prices = self.card.prices
        item = self.one_of("item", prices)
        if named is None or item is None:
            self.check_without_item()
            return None
        side, price = Side.MARINE if named == Side.MARINE else Side.JAPANESE, prices[item]
        fields: dict[str, Any] = {"beach": self.beach(side, price)}
        quantity = self.number("quantity", low=1) or 1
        for key, name, read in OF_SOME:
            if self.asked.get(key) is not None:
                fields[name] = read(self, price, side)
        return new_unpriced_order(price, side, quantity, **fields)

    def check_without_item(self) -> None:
        """Note the problems that do not depend on the item or side, if one of these is unknown."""
        self.number("quantity", low=1)
        self.number("capacity", low=1, high=MOST_CAPACITY)
        beach = self.asked.get("beach")
        if beach not in (None, *self.card.beaches):
            self.no_beach(beach)
        self.place("location", lambda at: grid.normalize_hexside(at) if "/" in at else _on_map(at))
        self.place("exit", _on_map)
        self.hexes_of_arc(self.asked.get("arc"))

    def one_of(self, key: str, allowed: Collection[str]) -> str | None:
        found = self.asked.get(key)
        if isinstance(found, str) and found in allowed:
            return found
        what = f"no {key} is given" if found is None else f"there is no {key} {found!r}"
        listing = "brt-cg purchases FILE --prices" if key == "item" else ""
        self.problems.append(str(unknown_name_error(allowed, str(found or ""), what, listing)))
        return None

    def no_beach(self, found: object) -> None:
        wrong = unknown_name_error(self.card.beaches, str(found), f"there is no beach {found!r}")
        self.problems.append(str(wrong))

    def number(self, key: str, low: int, high: int = MOST) -> int | None:
        found = self.asked.get(key)
        if found is None or (type(found) is int and low <= found <= high):
            return found
        self.bad(key, found, f"a whole number from {low} to {high}")
        return None

    def beach(self, side: Side, price: Price) -> str | None:
        found = self.asked.get("beach")
        if side is Side.MARINE:
            if found is not None and price.can_be_bought_by(side):
                self.problems.append(
                    f"Marine FPP are not tied to a beach; leave out {found} (15.6143)"
                )
            return None
        if found not in (None, *self.card.beaches):
            self.no_beach(found)
            return None
        allowed = beaches_that_may_pay_for(self.card, price)
        if found is None and price.points is PointsKind.FPP:
            return ISLAND
        if found not in allowed:
            wanted = (
                f"cannot be bought for {beach_name(str(found))}"
                if found is not None
                else "needs a beach"
            )
            named = ", ".join(map(beach_name, allowed))
            self.problems.append(f"{price.name} {wanted}; choose {named} ({price.rule})")
            return None
        return str(found)

    def place(self, key: str, read: Callable[[str], str]) -> str | None:
        found = self.asked.get(key)
        if found is None:
            return None
        try:
            return read(found if isinstance(found, str) else repr(found))
        except locations.BadLocationError as error:
            self.problems.append(Problem(key, str(error)))
            return None

    def location(self, price: Price, side: Side) -> str | None:
        if not _has_location(price, side):
            self.problems.append(f"{price.name} has no Location; leave it out ({price.rule})")
            return None
        hexside = PlacementCondition.HEXSIDE in price.placement
        return self.place("location", grid.normalize_hexside if hexside else _on_map)

    def exit(self, price: Price, side: Side) -> str | None:
        if PlacementCondition.TWO_LOCATIONS not in price.placement:
            self.problems.append(f"{price.name} has no exit; leave it out")
            return None
        if self.asked.get("location") is None:
            self.problems.append(
                f"{price.name} has an exit but no Location; enter its Location too"
            )
        return self.place("exit", _on_map)

    def arc(self, price: Price, side: Side) -> tuple[str, ...]:
        found = self.asked["arc"]
        if found == []:
            return ()
        if PlacementCondition.COVERED_ARC not in price.placement:
            self.problems.append(f"{price.name} has no Covered Arc; leave it out")
            return ()
        arc = self.hexes_of_arc(found)
        if not arc:
            return ()
        if self.asked.get("location") is None and not grid.are_adjacent(*arc):
            self.bad("arc", ",".join(arc), "adjacent hexes, such as O21,O22")
        return arc

    def hexes_of_arc(self, found: object) -> tuple[str, ...]:
        if found is None or found == []:
            return ()
        if not isinstance(found, list | tuple) or len(found) != 2:
            text = ",".join(map(str, found)) if isinstance(found, list | tuple) else found
            self.bad("arc", text, "two adjacent hexes, such as O21,O22")
            return ()
        try:
            return tuple(
                sorted((locations.check_hex(str(hex)) for hex in found), key=locations.hex_sort_key)
            )
        except locations.BadLocationError as error:
            self.problems.append(Problem("arc", str(error)))
            return ()

    def more_capacity(self, price: Price, side: Side) -> int:
        """Return the capacity ordered in addition to the normal one."""
        least = price.creates.capacity
        if price.creates.extra_capacity_cost is None or least is None:
            self.problems.append(
                f"you cannot choose the capacity of {price.name}; "
                f"leave the capacity out ({price.rule})"
            )
            return 0
        return (self.number("capacity", low=least, high=MOST_CAPACITY) or least) - least


# Values of some items only: the name in the input and in a purchase, and the function that reads
# it.
OF_SOME: tuple[tuple[str, str, Callable[[_Reading, Price, Side], Any]], ...] = (
    ("location", "location", _Reading.location),
    ("exit", "exit", _Reading.exit),
    ("arc", "covered_arc", _Reading.arc),
    ("capacity", "capacity", _Reading.more_capacity),
)


def _on_map(text: str) -> str:
    if text == OFF_MAP:
        raise locations.BadLocationError(
            text, "off map is not allowed for a purchase; enter a Location on the map"
        )
    return locations.check_location(text)
