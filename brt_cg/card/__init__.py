"""The card: a CG's dates, dice tables, prices, rulings and ladders, read from `campaigns/`."""

from brt_cg.card.arrivals import (
    arrival_counters,
    arrival_text,
    due_arrivals,
    due_arrivals_on,
    enter_arrival,
    landing_on,
    serialize_counters,
)
from brt_cg.card.consistency import (
    Find,
    broken_links,
    counter_problems,
    counters_referring_to,
    links_of,
    no_broken_side_text,
    reason_for_hex,
)
from brt_cg.card.data_digest import DATA_RULING, DIGEST, PARTS, RELEASED, agreed_data, data_digests
from brt_cg.card.games import Card, SharedData, available_games, load_card
from brt_cg.card.ladders import Ladders, leader_values
from brt_cg.card.landing import Wave, landing_schedule, parse_wave
from brt_cg.card.prices import CreatedKind, PlacementCondition, Price
from brt_cg.card.printed_types import (
    CATALOGUE,
    FIGURES,
    PrintedType,
    counters_of_type,
    differing_figures,
    differing_figures_text,
    fill_in_figures,
    impossible_ammunition,
    lookup_names,
    own_figures_text,
    read_types,
)
from brt_cg.card.rulings import Ruling, read_rulings
from brt_cg.card.tables import SetupOrder, read_facts, read_table
from brt_cg.card.toml_reader import CardError, CardReading, Minimum, TomlSection

__all__ = [
    "CATALOGUE",
    "DATA_RULING",
    "DIGEST",
    "FIGURES",
    "PARTS",
    "RELEASED",
    "Card",
    "CardError",
    "CardReading",
    "CreatedKind",
    "Find",
    "Ladders",
    "Minimum",
    "PlacementCondition",
    "Price",
    "PrintedType",
    "Ruling",
    "SetupOrder",
    "SharedData",
    "TomlSection",
    "Wave",
    "agreed_data",
    "arrival_counters",
    "arrival_text",
    "available_games",
    "broken_links",
    "counter_problems",
    "counters_of_type",
    "counters_referring_to",
    "data_digests",
    "differing_figures",
    "differing_figures_text",
    "due_arrivals",
    "due_arrivals_on",
    "enter_arrival",
    "fill_in_figures",
    "impossible_ammunition",
    "landing_on",
    "landing_schedule",
    "leader_values",
    "links_of",
    "load_card",
    "lookup_names",
    "no_broken_side_text",
    "own_figures_text",
    "parse_wave",
    "read_facts",
    "read_rulings",
    "read_table",
    "read_types",
    "reason_for_hex",
    "serialize_counters",
]
