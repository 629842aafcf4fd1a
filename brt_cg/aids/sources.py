"""The files of `campaigns/aids/`, each read once and checked."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TypeVar

from brt_cg.answers import refuse
from brt_cg.card.digits import read_digits
from brt_cg.card.ladders import Ladders
from brt_cg.card.reading import Reading
from brt_cg.card.rulings import Ruling, read_rulings
from brt_cg.card.tables import read_tables
from brt_cg.dice import DiceTable
from brt_cg.resources import campaigns

T = TypeVar("T")


def read(name: str, reader: Callable[[Reading], T]) -> T:
    """Reads a file of `campaigns/aids/`. Raises CardError with everything that is wrong in it."""
    reading = Reading.of(campaigns() / "aids" / f"{name}.toml")
    found = reader(reading)
    reading.finish()
    return found


@cache
def ladders() -> Ladders:
    """The ladders of counters, as on every card."""
    return Ladders(read_digits(Reading.of(campaigns() / "counters.toml")))


@cache
def refit_table(key: str) -> DiceTable:
    """A dice table of the Refit Phase."""
    return read_tables(Reading.of(campaigns() / "tables.toml")).dice[key]


@cache
def all_rulings() -> Mapping[str, Ruling]:
    """The rulings of the play aids by id."""
    return read_rulings(Reading.of(campaigns() / "aids" / "rulings.toml")).by_id


def rulings(changed: Iterable[str] = ()) -> dict[str, str]:
    """The value of every ruling, as changed by "ID=value" texts. Raises Refused."""
    known, problems = all_rulings(), []
    values = {id: ruling.default for id, ruling in known.items()}
    for text in changed:
        id, _, value = text.partition("=")
        try:
            if id not in known:
                raise ValueError(f"{text!r}: write ID=VALUE; ids: {', '.join(known)}")
            values[id] = known[id].check(value)
        except ValueError as error:
            problems.append(str(error))
    refuse(problems)
    return values
