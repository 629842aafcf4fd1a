"""The forms for a purchase, with its cost and limits while the player types, and for voiding one,
with the reason for its record."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from textual.content import Content

from brt_cg.board import locations
from brt_cg.board.locations import OFF_MAP, beach_name, ground
from brt_cg.card import Card
from brt_cg.card.prices import Placement, Price
from brt_cg.forecast.coming_questions import add_wish
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.model.records import Purchase
from brt_cg.model.shapes import Arc, Place
from brt_cg.model.value import value
from brt_cg.purchases.ledger import priced
from brt_cg.purchases.limits import beaches_for, breaches, breaches_together, warnings
from brt_cg.purchases.listing import ListedPurchase
from brt_cg.purchases.orders import OrderField, fields_for, read_order
from brt_cg.purchases.placement import spots_for
from brt_cg.purchases.pools import KIND_NAMES, account, cost
from brt_cg.purchases.voids import why_kept
from brt_cg.questions.answers import ACROSS, Candidate, Pointed, Problem
from brt_cg.service import as_shown
from brt_cg.service.desk import Desk
from brt_cg.text import parted
from brt_cg.tui.question.form import (
    POINTED,
    EntryForm,
    FormField,
    FormPage,
    Judged,
    Typed,
    as_typed,
    by_field,
    number_typed,
)
from brt_cg.tui.rooms.purchases.shop import LIMITS, record_name
from brt_cg.tui.session.session import Seen, Session

AT_ONCE, DRAFT, AHEAD = "at once", "draft", "ahead"
PLACES = ("location", "exit", "arc")
POINTED_AT = {"location": POINTED[Place], "exit": POINTED[Place], "arc": POINTED[Arc]}
HEXSIDE = "N18/N19; or empty until setup"


@value
class BuyResult:
    """The result of the form: a sentence, the beach that pays, and whether it is a draft."""

    text: str
    beach: str | None
    as_draft: bool


class BuyForm(EntryForm[BuyResult]):
    """Buys or drafts an item, or changes a `draft` of it; or, `is_ahead` of 15.614, puts it on
    its shopping list."""

    def __init__(
        self,
        session: Session,
        price: Price,
        side: Side,
        beach: str | None,
        as_draft: bool,
        draft: ListedPurchase | None = None,
        is_ahead: bool = False,
    ) -> None:
        self.session, self.price, self.side, self.is_ahead = session, price, side, is_ahead
        self.beach, self.as_draft, self.draft = beach, as_draft, draft
        self.explains = str(self.price.points)
        changes = [draft.id] if draft is not None else []
        self.shown = as_shown.records(session.now.view, changes)
        self.fields = fields_for(self.price, side)
        self.names = [field.name for field in self.fields]

    @property
    def kept_as(self) -> str:
        return f"buy {self.side} {self.draft.id if self.draft else self.price.name}"

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        fields = [self._field(field, self.session.now) for field in self.fields]
        # The field that players change most often comes first.
        fields.sort(key=lambda field: field.name != "quantity")
        wishes: tuple[tuple[str, str], ...]
        wishes = ((AT_ONCE, "at once"), (DRAFT, "as a draft, which may break limits"))
        usual = DRAFT if self.as_draft else AT_ONCE
        if self.is_ahead:
            wishes, usual = ((AHEAD, "at your 15.614"),), AHEAD
        when = FormField("when", "Bought", usual, wishes)
        verb, enter = ("Change the draft:", "change it") if self.draft else ("Buy", "buy or draft")
        if self.is_ahead:
            verb, enter = "On the shopping list:", "put it on the list"
        return (FormPage(f"{verb} {self.price.name}", (*fields, when), enter),)

    def _field(self, field: OrderField, seen: Seen) -> FormField:
        name = field.name
        if name == "beach":
            names = beaches_for(seen.card, self.price)
            now = self.beach if self.beach in names else names[0]
            choices = tuple((beach, beach_name(beach)) for beach in names)
            return FormField(name, field.label, str(now), choices)
        hexside = name == "location" and Placement.HEXSIDE in self.price.placement
        return FormField(
            name,
            "Hexside" if hexside else field.label,
            self._first_value(name),
            hint=HEXSIDE if hexside else field.hint,
            pointed=Pointed(ACROSS, "/".join, bare=True) if hexside else POINTED_AT.get(name),
        )

    async def offered(self, name: str, typed: Typed) -> Sequence[Candidate]:
        """The places where the item may be, given the other fields."""
        seen = self.session.now
        where = {field: "" for field in PLACES if field in self.names}
        asked = self.asked({**typed, "quantity": "1", **where})
        wanted = read_order(seen.card, asked)
        return await self.session.consult(
            lambda _: _offered(seen.view, seen.card, wanted, name, typed["location"])
        )

    def _first_value(self, name: str) -> str:
        """The first value of a field: what was drafted, if this changes a draft."""
        if self.draft is None:
            return "1" if name == "quantity" else ""
        held = {"arc": "covered_arc", "capacity": "whole_capacity"}.get(name, name)
        return as_typed(getattr(self.draft, held))

    def asked(self, typed: Typed) -> dict[str, Any]:
        """The arguments of the command `buy`, which refuses text in place of a number."""
        order: dict[str, Any] = {"item": self.price.key, "side": self.side.value}
        for name in self.names:
            read = _READERS.get(name, str)
            if text := typed[name].strip():
                order[name] = read(text)
        if self.draft is not None:
            order["instead"] = self.draft.id
        return order | {"draft": typed["when"] == DRAFT}

    async def judge(self, typed: Typed, page: int) -> Judged:
        view, card = self.session.now.view, self.session.now.card
        wanted = priced(view, card, read_order(card, self.asked(typed)))
        left = account(view, self.side, wanted.beach).left
        kinds = [self.price.points.value, *(["exponent"] if wanted.exponent else [])]
        before = ", ".join(f"{left.of(kind)} {KIND_NAMES[kind]}" for kind in kinds)
        text = f"{wanted.quantity} × {self.price.name}: {cost(wanted)} of the {before} left"
        warned = [Content.styled(warning, "dim") for warning in warnings(view, card, wanted)]
        if self.is_ahead:  # what it breaks now, it may not break then
            found = map(str, breaches_together(view, card, (wanted,)))
            warned += [
                Content.styled(f"As far as is known now: {breach}", "dim") for breach in found
            ]
            return Judged(Content("\n").join([Content(text), *warned]))
        broken = breaches(view, card, wanted)
        fields = LIMITS["field"]
        problems = (Problem(fields.get(breach.code, ""), str(breach)) for breach in broken)
        verdict = Content("\n").join([Content(text), *warned])
        return Judged(verdict, by_field(problems, self.names))

    async def carry_out(self, typed: Typed) -> BuyResult:
        asked = self.asked(typed)
        verb = "Drafted" if asked["draft"] else "Bought"
        if self.is_ahead:
            order = {name: found for name, found in asked.items() if name != "draft"}
            await self.session.perform(partial(add_wish, side=self.side, order=order))
            verb = "On the shopping list"
        else:
            await self.session.perform(partial(self._buy, asked=asked))
        beach = asked.get("beach")
        for_beach = f" for {beach_name(beach)}" if beach else ""
        text = f"{verb}: {asked.get('quantity', 1)} × {self.price.name}{for_beach}"
        return BuyResult(text, beach, asked["draft"])

    def _buy(self, desk: Desk, asked: dict[str, Any]) -> None:
        """Buys, or changes the draft that was shown."""
        if self.draft is not None:
            found = as_shown.records(desk.book().campaign, [self.draft.id])
            as_shown.check(found, self.shown)
        desk.command("buy", asked, self.side.value)


class VoidForm(EntryForm[None]):
    """Voids a purchase."""

    def __init__(self, session: Session, row: ListedPurchase) -> None:
        self.session, self.row, self.explains = session, row, row.id
        self.shown = as_shown.records(session.now.view, [row.id])

    @property
    def kept_as(self) -> str:
        return f"void {self.row.id}"

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        why = FormField("reason", "Why", hint="kept in the record", required=True)
        title = f"Void {self.row.id}: {record_name(self.row)}"
        return (FormPage(title, (why,), "void it"),)

    async def judge(self, typed: Typed, page: int) -> Judged:
        kept = why_kept(self.session.now.view, self.row)
        back = f"{self.row.total} {self.row.points.upper()} come back."
        if kept is not None:
            back = f"No points come back, and it counts in the maxima: {kept}."
        return Judged(
            Content(
                f"{back} What it created is removed, except what was lost in play. The record "
                "keeps the purchase, and why it was voided."
            )
        )

    async def carry_out(self, typed: Typed) -> None:
        side = self.row.side.value
        asked = {"purchase": self.row.id, "reason": typed["reason"].strip(), "side": side}

        def void(desk: Desk) -> None:
            found = as_shown.records(desk.book().campaign, [self.row.id])
            as_shown.check(found, self.shown)
            desk.command("void", asked, side)

        await self.session.perform(void)


def _offered(
    view: Campaign, card: Card, wanted: Purchase, name: str, location: str
) -> list[Candidate]:
    """The possible values of a field: Locations, or the exits or Covered Arcs at the Location."""
    if name == "location":
        hexes = sorted(locations.in_play(card.highest_hex(view.ruled)), key=locations.key)
        return [
            Candidate(place, place, place, spots=tuple(place.split("/")))
            for hex in hexes
            for place in _places(view, card, wanted, hex)
        ]
    at = locations.in_capitals(location.strip())
    if not locations.is_location(at) or at == OFF_MAP:
        return []
    ends = (spot.pointed_at[1:] for spot in spots_for(view, card, wanted, ground(at)))
    orders = (order for end in ends for order in dict.fromkeys((end, end[::-1])))
    return [Candidate(",".join(end), ",".join(end), "", spots=end) for end in orders]


def _places(view: Campaign, card: Card, wanted: Purchase, hex: str) -> Iterator[str]:
    """Yields the hex where an item may be placed, or else the hexsides of it."""
    for spot in spots_for(view, card, wanted, hex):
        yield spot.location
        if spot.location == hex:
            return


_READERS: dict[str, Callable[[str], Any]] = {
    "quantity": number_typed,
    "capacity": number_typed,
    "location": locations.in_capitals,
    "exit": locations.in_capitals,
    "arc": lambda text: [locations.in_capitals(name) for name in parted(text)],
}
