"""Additions from the catalog to a command's input: the values of the types whose counters it
creates, and their ammunition if some is reported as depleted."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from brt_cg.card import CATALOGUE, Card, CreatedKind, PrintedType
from brt_cg.catalogue import TABLES, Catalogue
from brt_cg.model import Campaign, Side, Weapon

Asked = dict[str, Any]
Wanted = tuple[str, Side, str]  # a table, who made it, the name of the type
KINDS = ("import", "reinforce", "buy", "commit", "edit")


def add_catalog_figures(
    kind: str, asked: Asked, catalogue: Catalogue, campaign: Campaign, card: Card
) -> Asked:
    """Return a command's input with the printed values of the types of its counters; unchanged if
    it creates no counters or already has the values."""
    if CATALOGUE in asked:
        return asked
    wanted = dict.fromkeys(_wanted(kind, asked, campaign, card))
    shells = _says_depleted(kind, asked)
    found = [
        known.as_json()
        for known in (_known(catalogue, each, shells) for each in wanted)
        if known is not None
    ]
    return asked | {CATALOGUE: found} if found else asked


def _known(catalogue: Catalogue, wanted: Wanted, shells: bool) -> PrintedType | None:
    found = catalogue.printed_type(*wanted)
    if found is None or (not found.figures and not shells):
        return None
    ammunition = found.ammunition if shells else None
    return replace(found, ammunition=ammunition)


def _wanted(kind: str, asked: Asked, campaign: Campaign, card: Card) -> Iterator[Wanted]:
    if kind in ("import", "reinforce"):
        yield from _in_a_state(asked.get("state"))
    elif kind == "edit":
        counter = campaign.find(str(asked.get("id")))
        if isinstance(counter, Weapon):
            yield counter.TABLE, counter.nation, counter.type
            vehicle = campaign.vehicles.get(counter.vehicle or "")
            if vehicle is not None:
                yield vehicle.TABLE, vehicle.nation, vehicle.type
    elif kind == "buy":
        yield from _bought(card, [(asked.get("item"), asked.get("side"))])
    else:
        drafts = (each for each in campaign.purchases.values() if each.draft)
        mine = (each for each in drafts if asked.get("side") in (None, each.side))
        yield from _bought(card, ((each.item, each.side) for each in mine))


def _bought(card: Card, items: Iterable[tuple[object, object]]) -> Iterator[Wanted]:
    for item, side in items:
        price, whose = card.prices.get(str(item)), Side.from_name(side)
        if price is not None and whose is not None and price.creates.kind is CreatedKind.WEAPON:
            yield Weapon.TABLE, whose, price.name


def _in_a_state(state: object) -> Iterator[Wanted]:
    for table, row in _state_rows(state):
        nation = Side.from_name(row.get("nation") or row.get("side"))
        if isinstance(row.get("type"), str) and nation is not None:
            yield table, nation, row["type"]


def _state_rows(state: object) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for table in TABLES:
        rows = state.get(table) if isinstance(state, dict) else None
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, dict):
                yield table, row


def _says_depleted(kind: str, asked: Asked) -> bool:
    if kind == "edit":
        new = asked.get("set")
        return isinstance(new, dict) and bool(new.get("depleted"))
    return any(row.get("depleted") for _, row in _state_rows(asked.get("state")))


def new_counters_of_unknown_type(
    state: object, catalogue: Catalogue, campaign: Campaign
) -> Iterator[tuple[str, str, str | None]]:
    """Yield the new counters of a state whose type no catalog has: their id, the type, and the
    nearest known type."""
    for table, row in _state_rows(state):
        nation = Side.from_name(row.get("nation") or row.get("side"))
        id, type_ = row.get("id"), row.get("type")
        if nation is None or not isinstance(type_, str) or campaign.find(str(id)) is not None:
            continue
        if next(catalogue.find_entries(table, nation, type_), None) is None:
            yield str(id), type_, catalogue.nearest_name(type_, nation)
