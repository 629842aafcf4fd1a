"""The forms for making a purchase, which show its cost and limits while the player types, and for
voiding one, which asks for a reason for the record."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from textual.content import Content

from brt_cg.board import OFF_MAP, beach_name, ground_hex, locations
from brt_cg.card import Card, PlacementCondition, Price
from brt_cg.forecast.upcoming_questions import append_to_shopping_list
from brt_cg.immutable import immutable
from brt_cg.model import Arc, Campaign, Place, Purchase, Side
from brt_cg.purchases.ledger import priced_purchase
from brt_cg.purchases.limits import (
    beaches_that_may_pay_for,
    breaches_of_purchases_together,
    find_breaches,
    purchase_warnings,
)
from brt_cg.purchases.listing import ListedPurchase
from brt_cg.purchases.orders import OrderField, order_fields, read_order
from brt_cg.purchases.placement import allowed_spots
from brt_cg.purchases.pools import KIND_NAMES, compute_account, purchase_amounts
from brt_cg.purchases.voids import reason_points_are_not_returned
from brt_cg.questions import ACROSS, Candidate, PointingForm, Problem
from brt_cg.service import shown_actions
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.text import split_at_spaces_and_commas
from brt_cg.tui.question.form import (
    POINTED,
    EntryForm,
    FormField,
    FormPage,
    Typed,
    Validation,
    group_by_field,
    parse_number_or_text,
    value_as_field_text,
)
from brt_cg.tui.rooms.purchases.shop import LIMITS, quantity_and_name
from brt_cg.tui.session.session import CampaignSnapshot, Session

AT_ONCE, DRAFT, AHEAD = "at once", "draft", "ahead"
PLACES = ("location", "exit", "arc")
POINTED_AT = {"location": POINTED[Place], "exit": POINTED[Place], "arc": POINTED[Arc]}
HEXSIDE = "its two hexes, HEX/HEX; or leave empty until setup"


@immutable
class BuyResult:
    """The result of the form: a sentence, the beach that pays, and whether it is a draft."""

    text: str
    beach: str | None
    as_draft: bool


class BuyForm(EntryForm[BuyResult]):
    """The form that buys or drafts an item, or changes a `draft` of it; or, if it `is_ahead` of
    15.614, puts the item on its side's shopping list."""

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
        self.shown = session.current_snapshot.basis_of(*([draft.id] if draft is not None else []))
        self.fields = order_fields(self.price, side)
        self.names = [field.name for field in self.fields]

    @property
    def draft_name(self) -> str:
        return f"buy {self.side} {self.draft.id if self.draft else self.price.name}"

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        fields = [self._field(field, self.session.current_snapshot) for field in self.fields]
        # The field that players change most often comes first.
        fields.sort(key=lambda field: field.name != "quantity")
        wishes: tuple[tuple[str, str], ...]
        wishes = ((AT_ONCE, "now"), (DRAFT, "as a draft, which may break limits"))
        usual = DRAFT if self.as_draft else AT_ONCE
        if self.is_ahead:
            wishes, usual = ((AHEAD, "at your 15.614"),), AHEAD
        when = FormField("when", "Bought", usual, wishes)
        verb, enter = ("Change the draft:", "change it") if self.draft else ("Buy", "buy or draft")
        if self.is_ahead:
            verb, enter = "On the shopping list:", "put it on the list"
        return (FormPage(f"{verb} {self.price.name}", (*fields, when), enter),)

    def _field(self, field: OrderField, seen: CampaignSnapshot) -> FormField:
        name = field.name
        if name == "beach":
            names = beaches_that_may_pay_for(seen.card, self.price)
            now = self.beach if self.beach in names else names[0]
            choices = tuple((beach, beach_name(beach)) for beach in names)
            return FormField(name, field.label, str(now), choices)
        hexside = name == "location" and PlacementCondition.HEXSIDE in self.price.placement
        return FormField(
            name,
            "Hexside" if hexside else field.label,
            self._first_value(name),
            hint=HEXSIDE if hexside else field.hint,
            pointed=PointingForm(ACROSS, "/".join, bare=True) if hexside else POINTED_AT.get(name),
        )

    async def candidates_for_field(self, name: str, typed: Typed) -> Sequence[Candidate]:
        """Return the places where the item may be, given the other fields."""
        seen = self.session.current_snapshot
        where = {field: "" for field in PLACES if field in self.names}
        asked = self.command_input({**typed, "quantity": "1", **where})
        wanted = read_order(seen.card, asked)
        return await self.session.look_up(
            lambda _: _offered(seen.view, seen.card, wanted, name, typed["location"])
        )

    def _first_value(self, name: str) -> str:
        """Return the first value of a field: the drafted one, if this changes a draft."""
        if self.draft is None:
            return "1" if name == "quantity" else ""
        held = {"arc": "covered_arc", "capacity": "whole_capacity"}.get(name, name)
        return value_as_field_text(getattr(self.draft, held))

    def command_input(self, typed: Typed) -> dict[str, Any]:
        """Return the arguments of the `buy` command, which refuses text in place of a number."""
        order: dict[str, Any] = {"item": self.price.key, "side": self.side.value}
        for name in self.names:
            read = _READERS.get(name, str)
            if text := typed[name].strip():
                order[name] = read(text)
        if self.draft is not None:
            order["instead"] = self.draft.id
        return order | {"draft": typed["when"] == DRAFT}

    async def validate(self, typed: Typed, page: int) -> Validation:
        view, card = self.session.current_snapshot.view, self.session.current_snapshot.card
        wanted = priced_purchase(view, card, read_order(card, self.command_input(typed)))
        left = compute_account(view, self.side, wanted.beach).left
        kinds = [self.price.points.value, *(["exponent"] if wanted.exponent else [])]
        before = ", ".join(f"{left.points_of(kind)} {KIND_NAMES[kind]}" for kind in kinds)
        text = (
            f"{wanted.quantity} × {self.price.name}: costs {purchase_amounts(wanted)} of the "
            f"{before} left"
        )
        warned = [
            Content.styled(warning, "dim") for warning in purchase_warnings(view, card, wanted)
        ]
        if self.is_ahead:  # a limit broken now may not be broken then
            found = map(str, breaches_of_purchases_together(view, card, (wanted,)))
            warned += [Content.styled(f"By today's figures: {breach}", "dim") for breach in found]
            return Validation(Content("\n").join([Content(text), *warned]))
        broken = find_breaches(view, card, wanted)
        fields = LIMITS["field"]
        problems = (Problem(fields.get(breach.code, ""), str(breach)) for breach in broken)
        verdict = Content("\n").join([Content(text), *warned])
        return Validation(verdict, group_by_field(problems, self.names))

    async def submit(self, typed: Typed) -> BuyResult:
        asked = self.command_input(typed)
        verb = "Drafted" if asked["draft"] else "Bought"
        if self.is_ahead:
            order = {name: found for name, found in asked.items() if name != "draft"}
            await self.session.perform(
                partial(append_to_shopping_list, side=self.side, order=order)
            )
            verb = "On the shopping list"
        else:
            await self.session.perform(partial(self._buy, asked=asked))
        beach = asked.get("beach")
        for_beach = f" for {beach_name(beach)}" if beach else ""
        text = f"{verb}: {asked.get('quantity', 1)} × {self.price.name}{for_beach}"
        return BuyResult(text, beach, asked["draft"])

    def _buy(self, desk: CampaignReader, asked: dict[str, Any]) -> None:
        """Buy, or change the draft that was shown."""
        shown_actions.run_shown_command(desk, self.shown, "buy", asked, self.side.value)


class VoidForm(EntryForm[None]):
    """The form that voids a purchase."""

    def __init__(self, session: Session, row: ListedPurchase) -> None:
        self.session, self.row, self.explains = session, row, row.id
        self.shown = session.current_snapshot.basis_of(row.id)

    @property
    def draft_name(self) -> str:
        return f"void {self.row.id}"

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        why = FormField("reason", "Why", hint="kept in the journal", required=True)
        title = f"Void {self.row.id}: {quantity_and_name(self.row)}"
        return (FormPage(title, (why,), "void it"),)

    async def validate(self, typed: Typed, page: int) -> Validation:
        kept = reason_points_are_not_returned(self.session.current_snapshot.view, self.row)
        back = f"{self.row.total} {self.row.points.upper()} will be refunded."
        if kept is not None:
            back = f"No points are refunded, and it still counts toward the maxima: {kept}."
        return Validation(
            Content(
                f"{back} The counters that it created are removed, except those lost in play. The "
                "record keeps the purchase, and the reason why it was voided."
            )
        )

    async def submit(self, typed: Typed) -> None:
        side = self.row.side.value
        asked = {"purchase": self.row.id, "reason": typed["reason"].strip(), "side": side}

        await self.session.perform(
            lambda desk: shown_actions.run_shown_command(desk, self.shown, "void", asked, side)
        )


def _offered(
    view: Campaign, card: Card, wanted: Purchase, name: str, location: str
) -> list[Candidate]:
    """Return the possible values of a field: Locations, or the exits or Covered Arcs at the
    Location."""
    if name == "location":
        hexes = sorted(
            locations.hexes_in_play(card.highest_hex_number(view.current_rulings)),
            key=locations.hex_sort_key,
        )
        return [
            Candidate(place, place, place, spots=tuple(place.split("/")))
            for hex in hexes
            for place in _places(view, card, wanted, hex)
        ]
    at = locations.capitalize_hexes(location.strip())
    if not locations.is_location(at) or at == OFF_MAP:
        return []
    ends = (
        spot.places_to_point_at[1:] for spot in allowed_spots(view, card, wanted, ground_hex(at))
    )
    orders = (order for end in ends for order in dict.fromkeys((end, end[::-1])))
    return [Candidate(",".join(end), ",".join(end), "", spots=end) for end in orders]


def _places(view: Campaign, card: Card, wanted: Purchase, hex: str) -> Iterator[str]:
    """Yield the hex where an item may be placed, or else its hexsides."""
    for spot in allowed_spots(view, card, wanted, hex):
        yield spot.location
        if spot.location == hex:
            return


_READERS: dict[str, Callable[[str], Any]] = {
    "quantity": parse_number_or_text,
    "capacity": parse_number_or_text,
    "location": locations.capitalize_hexes,
    "exit": locations.capitalize_hexes,
    "arc": lambda text: [
        locations.capitalize_hexes(name) for name in split_at_spaces_and_commas(text)
    ],
}
