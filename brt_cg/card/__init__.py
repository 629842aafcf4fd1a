"""The card: a CG's dates, dice tables, prices, rulings and ladders, read from `campaigns/`."""

from brt_cg.card.games import Card, Victory, available, load_card, may_be_won_at_once
from brt_cg.card.ladders import Ladders, Rearmed
from brt_cg.card.prices import Created, Creates, Hip, Placement, Points, Price
from brt_cg.card.reading import CardError, Problem
from brt_cg.card.rulings import Completion, Ruling, RulingKind, Sureness
from brt_cg.card.tables import SetupOrder

__all__ = [
    "Card",
    "CardError",
    "Completion",
    "Created",
    "Creates",
    "Hip",
    "Ladders",
    "Placement",
    "Points",
    "Price",
    "Problem",
    "Rearmed",
    "Ruling",
    "RulingKind",
    "SetupOrder",
    "Sureness",
    "Victory",
    "available",
    "load_card",
    "may_be_won_at_once",
]
