"""The codes of the counters on the scenario-end sheet: one for each counter, for that scenario
only, the same on the screen, on paper and in typed lines.

Each side has its own sheet: its counters in the order of the numbered lists, a digit and a letter
each ("1a" to "9z", then "0a" to "0z"). Counters known to the enemy come first, without gaps; those
that its side hides come last. So a reader who knows less has the same codes, and no gap reveals
more. The codes of the opponent's sheet have a slash: "/3f".
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.model.numbered_lists import NumberedList, numbered_lists
from brt_cg.model.visibility import visible_campaign

LETTERS = "abcdefghjkmnpqrstuvwxyz"  # no i, l, o, which look like digits
SHORT = 10 * len(LETTERS)  # counters on a sheet whose codes have one digit
THEIRS = "/"  # before a code of the opponent's sheet


@dataclass(frozen=True)
class CounterCodes:
    """The codes of a scenario as a seat types them, by counter: on its `own` sheet (that of `side`)
    and on the opponent's (`theirs`). Empty while no scenario is played."""

    side: Side = Side.MARINE
    own: Mapping[str, str] = field(default_factory=dict)
    theirs: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def by_id(self) -> Mapping[str, str]:
        """The codes by counter; codes on the other sheet have a slash."""
        return {id: f"{THEIRS}{code}" for id, code in self.theirs.items()} | {**self.own}

    def as_typed_by(self, side: Side) -> "CounterCodes":
        """Return these codes as a side types them."""
        return self if side is self.side else CounterCodes(side, self.theirs, self.own)

    @cached_property
    def _ids(self) -> dict[str, str]:
        return {_bare(code): id for id, code in self.by_id.items()}

    @cached_property
    def digits_in_longest_code(self) -> int:
        """The number of digits in the longest code."""
        return max((len(code.removeprefix(THEIRS)) - 1 for code in self.by_id.values()), default=1)

    def id_of_code(self, code: str) -> str | None:
        """Return the id of the counter with a code, "3f" or "/3f"; "03f" is the same."""
        return self._ids.get(_bare(code))

    def code_of(self, id: str) -> str:
        """Return the code of a counter; "" without one."""
        return self.by_id.get(id, "")

    def sort_by_code(self, of: NumberedList) -> NumberedList:
        """Return a list in the order of the codes, so that hidden counters come last; counters
        without a code, which arrived later, come after all others."""
        order = {id: at for at, id in enumerate(self.by_id)}
        counters = sorted(of.counters, key=lambda each: order.get(each.id, len(order)))
        return NumberedList(of.side, of.kind, of.name, counters, of.words)


NO_CODES = CounterCodes()


def assign_codes(began: Campaign | None, seat: Side | None) -> CounterCodes:
    """Return the codes of the scenario that began with these counters, as a seat knows them. The
    umpire (None) types the Japanese ones with the slash, as the Marine player does."""
    if began is None:
        return NO_CODES
    side = seat or Side.MARINE
    return CounterCodes(side, _sheet(began, side), _sheet(began, side.enemy))


def _sheet(began: Campaign, side: Side) -> dict[str, str]:
    known = visible_campaign(visible_campaign(began, side), side.enemy)
    both, own = ([*_ids(view, side)] for view in (known, began))
    in_order = [*both, *(id for id in own if id not in {*both})]
    long = len(in_order) > SHORT
    return {id: _code(at, long=long) for at, id in enumerate(in_order)}


def _ids(view: Campaign, side: Side) -> Iterable[str]:
    return (counter.id for of in numbered_lists(view, side) for counter in of.counters)


def _code(at: int, *, long: bool) -> str:
    """Return the code of a place on a sheet, counted from 0. With three characters, "01a" is still
    the same counter as "1a"."""
    ten, letter = divmod(at, len(LETTERS))
    number = (ten + 1) % 10 if ten < 10 else ten
    return f"{number:02}{LETTERS[letter]}" if long else f"{number}{LETTERS[letter]}"


def _bare(code: str) -> str:
    stroke = THEIRS * code.startswith(THEIRS)
    number = code.removeprefix(THEIRS)
    return stroke + (number[1:] if len(number) == 3 and number[0] == "0" else number).lower()
