"""Arguments of the command line that are not plain text."""

from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # `--help` needs no place
    from brt_cg.storage.place import Place


class CampaignGames:
    """The CGs that have a card, looked up when they are typed or shown. If the cards cannot be
    read, any word is accepted, and the command reports the error."""

    def __iter__(self) -> Iterator[str]:
        # Imported here: other commands, and their help, need no cards.
        from brt_cg.card import CardError, available_campaign_games

        try:
            return iter(available_campaign_games())
        except CardError:
            return iter(())

    def __contains__(self, word: object) -> bool:
        known = [*self]
        return not known or word in known


def place_argument(text: str) -> "Place":
    """Read the file or address of a campaign from the command line."""
    from brt_cg.storage.place import AddressError, parse_place

    try:
        return parse_place(text)
    except AddressError as wrong:
        raise ArgumentTypeError(str(wrong)) from None


def server_argument(text: str) -> "Place":
    """Read the address of a server from the command line."""
    from brt_cg.storage.place import SHAPE

    found = place_argument(text)
    if isinstance(found, Path):
        words = f"{text} is not the address of a server; enter {SHAPE}"
        raise ArgumentTypeError(words)
    return found


def whole_number_between(low: int, high: int) -> Callable[[str], int]:
    """Build a type for arguments of the command line: a whole number within these bounds."""

    def number(text: str) -> int:
        if text.isascii() and text.isdecimal() and len(text) <= 9 and low <= int(text) <= high:
            return int(text)
        words = f"{text} is not accepted; enter a whole number from {low} to {high}"
        raise ArgumentTypeError(words)

    return number
