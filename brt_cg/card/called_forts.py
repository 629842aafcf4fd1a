"""Fortifications by what players call them: "1S foxhole", "pillbox 2+3+5", "1+3+5 pillboxes"."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from brt_cg.card import Card
from brt_cg.card.prices import Created, Creates, Price
from brt_cg.model.counters import Fortification, Side
from brt_cg.text import nearest

PILLBOX = re.compile(r"(?:pillbox)?(\d+)\+(\d)\+(\d)(?:pillbox)?")  # capacity, TEM, TEM

PILLBOXES = "pillbox"
FIGURES = ("capacity", "ca_tem", "nca_tem")


def fortification_called(card: Card, side: Side, text: str) -> Fortification | None:
    """The Fortification, without an id and a place, that a text names; None if it names none. The
    capacity of a pillbox may be any."""
    called = _folded(text)
    known = {name: each for each in _of(card, side) for name in _names(each)}
    if called in known:
        return _made(known[called], side, known[called].creates)
    box = PILLBOX.fullmatch(called)
    found = known.get(f"1+{box[2]}+{box[3]}pillbox") if box is not None else None
    if box is None or found is None or not 1 <= int(box[1]) <= 9:
        return None
    return _made(found, side, replace(found.creates, capacity=int(box[1])))


def fortification_near(card: Card, side: Side, text: str) -> str | None:
    """The Fortification whose name looks most like a text; None if none does."""
    known = {
        name: fort_words(_made(each, side, each.creates))
        for each in _of(card, side)
        for name in _names(each)
    }
    close = nearest(_folded(text), known)
    return None if close is None else known[close]


def fort_words(fort: Fortification) -> str:
    """A Fortification as a line calls it."""
    box = fort.is_pillbox and fort.capacity is not None and fort.ca_tem is not None
    return f"pillbox {fort.capacity}+{fort.ca_tem}+{fort.nca_tem}" if box else fort.sort


def _of(card: Card, side: Side) -> Iterator[Price]:
    for price in card.prices.values():
        if price.creates.kind is Created.FORTIFICATION and price.allows(side):
            yield price


def _names(price: Price) -> Iterator[str]:
    yield _folded(price.name)
    yield _folded(" ".join(reversed(price.name.split())))
    yield _folded(_made(price, Side.JAPANESE, price.creates).sort)


def _folded(text: str) -> str:
    """A name without capitals, spaces and the s or es of several."""
    return "".join(re.sub(r"(?<=[xh])es$|s$", "", word) for word in text.casefold().split())


def _made(price: Price, side: Side, creates: Creates) -> Fortification:
    boxes = price.key.startswith(PILLBOXES)  # nobody bought it: no price says where it stands
    return Fortification(
        id="",
        side=side,
        type=PILLBOXES if boxes else price.key,
        hidden=creates.hidden,
        capacity=creates.capacity,
        ca_tem=creates.ca_tem,
        nca_tem=creates.nca_tem,
        controller=side,
    )


def fort_row(fort: Fortification) -> dict[str, Any]:
    """It as a row of a state document, without id and place."""
    row: dict[str, Any] = {"side": str(fort.side), "type": fort.type, "hidden": fort.hidden}
    figures = {name: getattr(fort, name) for name in FIGURES}
    return row | {name: value for name, value in figures.items() if value is not None}


def fortification_of(row: Mapping[str, Any]) -> Fortification:
    """The Fortification of such a row."""
    fort = Fortification(id="", side=Side(row["side"]), type=row["type"])
    return fort.replace(**{name: row[name] for name in FIGURES if name in row})
