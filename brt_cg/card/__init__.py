"""The card: a CG's dates, dice tables, prices, rulings and ladders, read from `campaigns/`."""

from brt_cg.card.games import Card, available_games, load_card
from brt_cg.card.toml_reader import CardError

__all__ = ["Card", "CardError", "available_games", "load_card"]
