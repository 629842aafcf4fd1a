"""Questions that the command line asks on a terminal, where an argument was left out."""

from typing import Any

from brt_cg.card import Card
from brt_cg.purchases.pools import read_capp


def ask_allotments(card: Card) -> dict[str, Any] | None:
    """The points of the CG card, asked beach by beach; None if the player has none at hand."""
    print("The points on the CG card, or Enter for none; they can be changed later with allot.")
    japanese: dict[str, Any] = {}
    for beach in card.beaches:
        kinds = ("fpp",) if beach == "island" else ("gpp", "capp", "fpp")
        found = {kind: _points(f"{beach} {kind.upper()}", kind) for kind in kinds}
        given = {kind: value for kind, value in found.items() if value is not None}
        if given:
            japanese[beach] = given
    marine = _points("Marine FPP", "fpp")
    if not japanese and marine is None:
        return None
    allotments: dict[str, Any] = {"japanese": japanese} if japanese else {}
    if marine is not None:
        allotments["marine"] = {"fpp": marine}
    return allotments


def _points(words: str, kind: str) -> int | str | None:
    while True:
        text = input(f"  {words}: ").strip()
        if not text:
            return None
        try:
            return _read(text, kind)
        except ValueError as problem:
            print(f"  {problem}")


def _read(text: str, kind: str) -> int | str:
    if kind == "capp":
        read_capp(text)
        return text
    if not text.isdigit():
        raise ValueError(f"a whole number of points, not {text!r}")
    return int(text)
