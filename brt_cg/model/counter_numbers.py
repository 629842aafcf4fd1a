"""The number that distinguishes a counter without a name from others like it: "6-6-8 no. 24".

It stays with the counter whatever happens, is the same for both seats, and reveals neither the
number nor the existence of hidden counters: those that both sides know of when they arrive are
counted from 1, and one that arrives hidden gets a number from a separate range, based on its id.
Numbers are assigned at the end of the entry that adds the counters, so every reading of a journal
gives the same numbers. They are not fields of a counter, and an undone counter that is restored
gets its old number back.

A campaign with a key assigns the numbers of counters that arrive hidden in an order that follows
from the key. Without a key, a number follows from the id and from the hidden numbers already taken,
which can reveal another hidden counter; older campaigns keep those numbers.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, count
from zlib import crc32

from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter, Unit, UnitKind, Vehicle, Weapon
from brt_cg.model.numbered_lists import Natural, natural_sort_key
from brt_cg.model.table import CounterNumber
from brt_cg.model.visibility import secret_of

FIRST_OF_HIDDEN, OF_HIDDEN = 400, 600  # the first number of counters that arrive hidden; how many
END_OF_HIDDEN = FIRST_OF_HIDDEN + OF_HIDDEN
MORE_OF_HIDDEN = 10_000  # the next range, when that one is full
_RANK = {kind: rank for rank, kind in enumerate(UnitKind)}


class AssignedNumbers(dict[str, CounterNumber]):
    """The numbers of counters by id; and for each pool the numbers `taken`, the `last` number of a
    counter that both sides know of, the number that `came_hidden`, and the next of the `hidden`
    numbers once their range is full. `key` is the campaign's key."""

    def __init__(self, numbers: Mapping[str, CounterNumber], key: str | None = None) -> None:
        super().__init__(numbers)
        self.key = key
        self.taken: dict[str, set[int]] = {}
        self.last: dict[str, int] = {}
        self.hidden: dict[str, int] = {}
        self.came_hidden: dict[str, int] = {}
        if isinstance(numbers, AssignedNumbers):
            self.taken = {pool: taken.copy() for pool, taken in numbers.taken.items()}
            self.last, self.hidden = numbers.last.copy(), numbers.hidden.copy()
            self.came_hidden = numbers.came_hidden.copy()
        else:
            for own in numbers.values():
                self._take(own)

    def assign_number(self, counter: Counter, hidden: bool) -> int:
        """Give a counter the next free number of its pool."""
        pool = _pool(counter)
        if not hidden:
            free: Iterator[int] = _after(self.last.get(pool, 0))
        elif pool in self.hidden:
            free = count(self.hidden[pool])
        elif self.key is not None:
            dealt = _dealt(self.key, pool)[self.came_hidden.get(pool, 0) :]
            free = chain(dealt, count(MORE_OF_HIDDEN))
        else:
            free = _of_hidden(counter.id)
        taken = self.taken.get(pool, ())
        number = next(each for each in free if each not in taken)
        self[counter.id] = own = CounterNumber(pool, number)
        self._take(own)
        return number

    def _take(self, own: CounterNumber) -> None:
        pool, number = own
        self.taken.setdefault(pool, set()).add(number)
        if number < FIRST_OF_HIDDEN or END_OF_HIDDEN <= number < MORE_OF_HIDDEN:
            self.last[pool] = max(number, self.last.get(pool, 0))
        elif number >= MORE_OF_HIDDEN:
            self.hidden[pool] = max(number + 1, self.hidden.get(pool, 0))
        else:
            self.came_hidden[pool] = self.came_hidden.get(pool, 0) + 1


def assign_numbers(campaign: Campaign, came: Iterable[Counter] | None = None) -> None:
    """Number the counters added since the last call; they are among those in `came`, if that is
    known. No two of a side's MMC, or of its SMC, vehicles, weapons or Fortifications, have the same
    number."""
    before, known = campaign.numbers, campaign.counters() if came is None else came
    new = sorted((each for each in known if each.id not in before), key=_order)
    if not new:
        return
    given = AssignedNumbers(before, campaign.hidden_ids_key)
    for counter in new:
        counter.set_number(given.assign_number(counter, secret_of(campaign, counter) is not None))
    campaign.store_numbers_in_tables(given)


@lru_cache(maxsize=32)
def _dealt(key: str, pool: str) -> tuple[int, ...]:
    """Return the numbers of the hidden counters of a pool, in the order in which they arrive.
    Without the key, every order is equally likely."""

    def place(number: int) -> bytes:
        return blake2b(f"{pool}/{number}".encode(), key=key.encode(), digest_size=16).digest()

    return tuple(sorted(range(FIRST_OF_HIDDEN, END_OF_HIDDEN), key=place))


def _of_hidden(id: str) -> Iterator[int]:
    """Yield the possible numbers of a counter that arrives hidden in a campaign without a key, the
    first choice first."""
    first = crc32(id.encode())
    own = (FIRST_OF_HIDDEN + (first + step) % OF_HIDDEN for step in range(OF_HIDDEN))
    return chain(own, count(MORE_OF_HIDDEN))


def _after(last: int) -> Iterator[int]:
    """Yield the possible numbers of a counter that both sides know of, after the last one
    assigned."""
    return count(END_OF_HIDDEN if last == FIRST_OF_HIDDEN - 1 else last + 1)


def _pool(counter: Counter) -> str:
    """Return the counters among which a number is unique, whatever they become."""
    if isinstance(counter, Unit):
        return f"{counter.side} {'mmc' if counter.mmc else 'smc'}"
    side = counter.nation if isinstance(counter, Weapon | Vehicle) else counter.side
    return f"{side or ''} {counter.TABLE}"


def _order(counter: Counter) -> tuple[int, str, Natural]:
    """Return the sort key: squads before HS and crews, others by type, then by id."""
    if isinstance(counter, Unit):
        return _RANK[counter.kind], "", natural_sort_key(counter.id)
    return 0, counter.type_text, natural_sort_key(counter.id)
