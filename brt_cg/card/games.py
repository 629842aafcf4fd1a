"""A CG card: the dates, playing area and tables of one campaign game."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Any

from brt_cg.board import locations
from brt_cg.card.ladders import Ladders, read_counter_figures
from brt_cg.card.prices import PlacementCondition, Price, read_prices
from brt_cg.card.rulings import Completion, Ruling, Rulings, read_rulings
from brt_cg.card.tables import OrderOfPlay, Tables, read_tables
from brt_cg.card.toml_reader import CardReading, Minimum, TomlSection
from brt_cg.immutable import immutable
from brt_cg.model import Side
from brt_cg.questions import DiceTable
from brt_cg.resources import game_data_folder
from brt_cg.text import list_text


@immutable
class VictoryCondition:
    """The condition of an immediate CG victory: no unbroken Japanese or Korean squad on map, and
    Japanese Casualty VP of no more than `japanese_cvp_limit` (15.6032)."""

    rule: str
    winner: Side
    japanese_cvp_limit: Annotated[int, Minimum(0)]


@immutable
class Misprint:
    """The CAPP of a beach as printed on the card, and as corrected by the official answer."""

    rule: str
    beach: str
    capp: Annotated[int, Minimum(0)]
    exponent: Annotated[int, Minimum(0)]
    official: str

    @property
    def text(self) -> str:
        """The misprint and its correction in a sentence."""
        beach = locations.beach_name(self.beach)
        return (
            f"{beach}: {self.capp}^{self.exponent} CAPP is printed, but the official answer "
            f"says {self.official} ({self.rule})"
        )


@immutable(kw_only=True)
class Card:
    """The card of one CG, with everything that is the same for all of them.

    `max_hex` is the highest hex number in play, None where the ruling `max_hex_ruling` decides it;
    `initial` holds the card's order of its initial scenario, by fields of OrderOfPlay.
    """

    cg: str
    title: str
    rule: str
    dates: tuple[str, ...]
    first_date: str
    max_hex: int | None
    max_hex_ruling: str | None
    victory: VictoryCondition | None
    initial: Mapping[str, Any]
    beaches: tuple[str, ...]
    misprints: tuple[Misprint, ...] = ()
    shared: "SharedData"

    @property
    def tables(self) -> Mapping[str, DiceTable]:
        return self.shared.tables.dice

    @property
    def prices(self) -> Mapping[str, Price]:
        return self.shared.prices

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        """The rulings that matter in this CG, by id."""
        return _rulings_of(self.shared, self.cg)

    @property
    def fixed_completions(self) -> tuple[Completion, ...]:
        every = self.shared.rulings.fixed
        return tuple(completion for completion in every if completion.cg in (None, self.cg))

    def fixed_reading_log_text(self, key: str) -> str:
        """Return the words that the log uses for a fixed completion."""
        (short,) = (each.short for each in self.fixed_completions if each.key == key)
        return f"program's reading: {short}"

    @property
    def ladders(self) -> Ladders:
        return self.shared.ladders

    def date_index(self, date: str) -> int:
        """Return the index of a date of this CG, from 0. Raises ValueError for a date that this CG
        does not have."""
        if date not in self.dates:
            allowed = ", ".join(self.dates)
            raise ValueError(f"{date!r} is not a date of CG {self.cg}; enter {allowed}")
        return self.dates.index(date)

    def next_date(self, date: str) -> str | None:
        """Return the CG Date after this one; None after the last."""
        following = self.date_index(date) + 1
        return self.dates[following] if following < len(self.dates) else None

    def is_last_date(self, date: str) -> bool:
        return self.next_date(date) is None

    def is_pm_date(self, date: str) -> bool:
        return self._part(date) == "PM"

    def is_night_date(self, date: str) -> bool:
        return self._part(date) == "NT"

    def _part(self, date: str) -> str:
        return self.dates[self.date_index(date)].split()[1]

    def has_placement_condition(self, item: str, condition: PlacementCondition) -> bool:
        """Whether an item of the price lists has a condition on its Location."""
        price = self.prices.get(item)
        return price is not None and condition in price.placement

    def items_with_placement_condition(self, condition: PlacementCondition) -> frozenset[str]:
        """Return the items with a condition on their Location."""
        return frozenset(key for key, price in self.prices.items() if condition in price.placement)

    def order_of_play_on(self, date: str, ruled: Mapping[str, str]) -> OrderOfPlay:
        """Return the sides that set up and move first on a date, under the current rulings
        (15.6205, R-ORDER)."""
        by_prose = ruled.get("R-ORDER", self.rulings["R-ORDER"].default) == "prose"
        tables = self.shared.tables
        tabled = (tables.prose_order if by_prose else tables.order)[date]
        return tabled if self.date_index(date) else replace(tabled, **self.initial)

    def highest_hex_number(self, ruled: Mapping[str, str]) -> int:
        """Return the highest hex number in play, under the current rulings (R-CG2-AREA)."""
        if self.max_hex_ruling is None:
            assert self.max_hex is not None, "a card has max_hex or max_hex_ruling"
            return self.max_hex
        return int(ruled.get(self.max_hex_ruling, self.rulings[self.max_hex_ruling].default))


class SharedData:
    """The data that all CG have in common. Each file is read and checked at first use, which also
    loads the code that reads it. Raises CardError for a file that cannot be used."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def dates(self) -> tuple[str, ...]:
        """The dates in the order of play, read without the rest of their file."""
        return tuple(date.text("date") for date in self._file("tables").root.sections("dates"))

    @property
    def table_keys(self) -> tuple[str, ...]:
        """The keys of the dice tables, without reading the tables."""
        return self._file("tables").root.section("tables").key_names()

    @cached_property
    def tables(self) -> Tables:
        return read_tables(self._file("tables"))

    @cached_property
    def rulings(self) -> Rulings:
        return read_rulings(self._file("rulings"))

    @cached_property
    def prices(self) -> Mapping[str, Price]:
        return read_prices(self._file("prices"), self.rulings.by_id)

    @cached_property
    def beaches(self) -> tuple[str, ...]:
        """The beaches in the price lists, without reading the prices."""
        return self._file("prices").root.texts("beaches")

    @cached_property
    def ladders(self) -> Ladders:
        return Ladders(read_counter_figures(self._file("counters")))

    def _file(self, name: str) -> CardReading:
        return CardReading.from_file(self._folder / f"{name}.toml")


@cache
def load_card(cg: str, folder: Path | None = None) -> Card:
    """Return the card of a CG ("I"), from the files of `folder` or the installed ones.

    Raises ValueError for a CG without a card, CardError for files that cannot be used; tables,
    prices, rulings and ladders raise it at first use.
    """
    folder = folder or game_data_folder()
    readings = _readings(folder)
    if cg not in readings:
        raise ValueError(f"there is no card of CG {cg!r}; enter {list_text(readings)}")
    return read_card(readings[cg], _shared(folder))


def available_campaign_games() -> tuple[str, ...]:
    """Return the CGs that have cards. Raises CardError for files that cannot be used."""
    return tuple(_readings(game_data_folder()))


def _readings(folder: Path) -> dict[str, CardReading]:
    """Return the files of the cards, by CG."""
    named = (path for path in folder.iterdir() if path.name.startswith("cg"))
    readings = (CardReading.from_file(path) for path in sorted(named) if path.suffix == ".toml")
    return {reading.root.text("cg"): reading for reading in readings}


_shared = cache(SharedData)


@cache
def _rulings_of(shared: SharedData, cg: str) -> Mapping[str, Ruling]:
    every = shared.rulings.by_id
    return {id_: ruling for id_, ruling in every.items() if ruling.cg in (None, cg)}


def read_card(reading: CardReading, shared: SharedData) -> Card:
    """Read `cg1.toml` or another CG's card. Raises CardError with everything that is wrong in
    it."""
    root = reading.root
    dates = root.texts("dates", shared.dates)
    first_date = root.text("first_date")
    if first_date not in dates[:1]:
        root.note_bad_value(
            "first_date", first_date, f"the first of its dates, {', '.join(dates[:1])}"
        )
    max_hex, max_hex_ruling = _area(root, shared)
    card = root.read_fields(
        Card,
        dates=dates,
        first_date=first_date,
        max_hex=max_hex,
        max_hex_ruling=max_hex_ruling,
        initial=_initial(root.optional_section("initial"), shared),
        beaches=_beaches(shared.beaches, max_hex),
        shared=shared,
    )
    reading.raise_problems()
    return card


def _beaches(all_beaches: tuple[str, ...], max_hex: int | None) -> tuple[str, ...]:
    """Return the beaches with a hex in play, and the island, which is not a beach and is always in
    play."""
    if max_hex in (None, locations.NUMBERS):
        return all_beaches
    in_play, known = locations.beach_sections(max_hex), locations.beach_sections()
    return tuple(beach for beach in all_beaches if beach in in_play or beach not in known)


def _area(root: TomlSection, shared: SharedData) -> tuple[int | None, str | None]:
    """Return the highest hex number in play, or the ruling that decides it; the other is None."""
    ruling = root.optional_text("max_hex_ruling")
    if ruling is None:
        return root.integer("max_hex", low=1), None
    rulings = shared.rulings.by_id
    known = [id_ for id_, ruling in rulings.items() if ruling.kind == "number"]
    if ruling not in known:
        root.note_bad_value("max_hex_ruling", ruling, ", ".join(known))
    if root.has_key("max_hex"):
        root.note_bad_value(
            "max_hex", root.optional_integer("max_hex"), "no max_hex together with max_hex_ruling"
        )
    return None, ruling


def _initial(section: TomlSection | None, shared: SharedData) -> dict[str, Any]:
    """Return the card's order of play for the initial scenario, by field of OrderOfPlay."""
    if section is None:
        return {}
    table = section.optional_text("first_move_table")
    if table is not None and table not in shared.table_keys:
        section.note_bad_value("first_move_table", table, ", ".join(shared.table_keys))
    first, rule = section.enum_member("first_setup", Side), section.text("rule")
    return {"rule": rule, "first_setup": first, "first_move_table": table}
