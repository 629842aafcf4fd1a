"""The files of `campaigns/aids/`, each read once and checked, and the data on every card."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TypeVar

from brt_cg.card import CardReading, Ruling, SharedData, read_rulings
from brt_cg.questions import raise_problems
from brt_cg.resources import game_data_folder
from brt_cg.text import split_assignment, unknown_name_error

T = TypeVar("T")
CARD = SharedData(
    game_data_folder()
)  # the data on every card: dice tables of the Refit Phase, ladders


def cached_aid_reader(name: str) -> Callable[[Callable[[CardReading], T]], Callable[[], T]]:
    """Make a reader of a file of `campaigns/aids/` read that file only at its first call. It raises
    CardError with everything that is wrong in the file."""

    def made(reader: Callable[[CardReading], T]) -> Callable[[], T]:
        @cache
        def read() -> T:
            reading = CardReading.from_file(game_data_folder() / "aids" / f"{name}.toml")
            found = reader(reading)
            reading.raise_problems()
            return found

        return read

    return made


@cache
def aid_rulings() -> Mapping[str, Ruling]:
    """Return the rulings of the play aids by id."""
    return read_rulings(CardReading.from_file(game_data_folder() / "aids" / "rulings.toml")).by_id


def aid_ruling_values(changed: Iterable[str] = ()) -> dict[str, str]:
    """Return the value of every ruling, with the changes given as "ID=value". Raises
    RefusedError."""
    known, problems = aid_rulings(), []
    values = {id: ruling.default for id, ruling in known.items()}
    for text in changed:
        try:
            id, value = split_assignment(text, "ID=VALUE")
            if id not in known:
                raise unknown_name_error(known, id, f"{id}: no such ruling")
            values[id] = known[id].check_value(value)
        except ValueError as error:
            problems.append(str(error))
    raise_problems(problems)
    return values
