"""The form of a purchase: the fields that the item takes, its cost and limits as they are typed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Grid, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from brt_cg import board
from brt_cg.asks import Refused
from brt_cg.card import Placement
from brt_cg.counters import Side
from brt_cg.purchases.ledger import priced
from brt_cg.purchases.limits import beaches_for, breaches, warnings
from brt_cg.purchases.offers import Offer
from brt_cg.purchases.orders import fields_for, read_order
from brt_cg.purchases.pools import KIND_NAMES, account, cost
from brt_cg.tui import shop
from brt_cg.tui.session import Seen
from brt_cg.tui.widgets.chooser import Chooser

AT_ONCE, DRAFT = "at once", "draft"
HEXSIDE = "N18/N19; may stay open until setup"


@dataclass(frozen=True, slots=True)
class Bought:
    """What came of the form: a sentence, the beach that pays, whether it was drafted."""

    told: str
    beach: str | None
    as_draft: bool


class BuyScreen(ModalScreen[Bought | None]):
    """Answers what was bought, None if nothing; a refusal leaves all that was typed."""

    CSS_PATH = "buy.tcss"
    BINDINGS = [("escape", "dismiss(None)", "Leave it")]

    def __init__(
        self, seen: Seen, offer: Offer, side: Side, beach: str | None, as_draft: bool
    ) -> None:
        super().__init__()
        self.seen, self.price, self.side = seen, offer.price, side
        self.beach, self.as_draft = beach, as_draft
        self.fields = fields_for(self.price, side)
        self._buying = False

    def compose(self) -> ComposeResult:
        with Vertical(id="order") as box:
            box.border_title = f"Buy {self.price.name}"
            box.border_subtitle = "Tab: next field · Enter: buy · Esc: leave it"
            with Grid():
                for field in self.fields:
                    at_hexside = Placement.HEXSIDE in self.price.placement
                    hexside = field.name == "location" and at_hexside
                    yield Static("Hexside" if hexside else field.label, classes="asks")
                    yield self._field(field.name, HEXSIDE if hexside else field.hint)
                yield Static("Bought", classes="asks")
                wishes = ((AT_ONCE, "at once"), (DRAFT, "as a draft, which may break limits"))
                yield Chooser(wishes, DRAFT if self.as_draft else AT_ONCE, id="when")
            with VerticalScroll(can_focus=False):
                yield Static(id="problem")

    def _field(self, name: str, hint: str) -> Input | Chooser:
        if name == "beach":
            names = beaches_for(self.seen.card, self.price)
            now = self.beach if self.beach in names else names[0]
            return Chooser([(one, shop.beach_name(one)) for one in names], str(now), id="beach")
        return Input("1" if name == "quantity" else "", placeholder=hint, id=name, compact=True)

    def on_mount(self) -> None:
        self.query_one("#quantity").focus()
        self._judge()

    # --- what is typed --------------------------------------------------------------------------

    def asked(self) -> dict[str, Any]:
        """The order as `buy` takes it; what is no number is handed on, to be refused."""
        order: dict[str, Any] = {"item": self.price.key, "side": self.side.value}
        for name in (field.name for field in self.fields):
            read = _READ.get(name, str)
            typed = self._typed(name)
            if typed:
                order[name] = read(typed)
        return order | {"draft": self._typed("when") == DRAFT}

    def _typed(self, name: str) -> str:
        field = self.query_one(f"#{name}")
        assert isinstance(field, Input | Chooser)
        return field.value.strip()

    def _judge(self) -> None:
        """Tells the cost and every limit that it would break, before anything is done."""
        view, card = self.seen.view, self.seen.card
        try:
            order = read_order(card, self.asked())
        except Refused as refused:
            self._tell(shop.refusal(str(refused)))
            return
        wanted = priced(view, card, order)
        left = account(view, self.side, wanted.beach).left
        kinds = [self.price.points.value, *(["exponent"] if wanted.exponent else [])]
        before = ", ".join(f"{left.of(kind)} {KIND_NAMES[kind]}" for kind in kinds)
        told = Content(
            f"{wanted.quantity} × {self.price.name}: {cost(wanted)} of the {before} left"
        )
        found = [shop.broken(str(one)) for one in breaches(view, card, wanted)]
        warned = [Content.styled(one, "dim") for one in warnings(view, card, wanted)]
        self._tell(Content("\n").join([told, *found, *warned]))

    def _tell(self, told: Content) -> None:
        self.query_one("#problem", Static).update(told)

    def on_input_changed(self, event: Input.Changed) -> None:
        self._judge()

    def on_chooser_changed(self, event: Chooser.Changed) -> None:
        self._judge()

    # --- buying ---------------------------------------------------------------------------------

    @on(Input.Submitted)
    @on(Chooser.Submitted)
    def _entered(self) -> None:
        # A second Enter before the first has been answered must not buy twice.
        if not self._buying:
            self._buying = True
            self.run_worker(self._buy(), group="desk")

    async def _buy(self) -> None:
        from brt_cg.tui.app import BrtApp

        app, asked, by = self.app, self.asked(), self.side.value
        assert isinstance(app, BrtApp)
        try:
            await app.session.perform(lambda desk: desk.command("buy", asked, by))
        except Refused as refused:
            self._buying = False
            self._tell(shop.refusal(str(refused)))
        except Exception as error:
            _ = self.dismiss(None)
            app.tell(error)
        else:
            verb = "Drafted" if asked["draft"] else "Bought"
            beach = asked.get("beach")
            for_beach = f" for {shop.beach_name(beach)}" if beach else ""
            told = f"{verb}: {asked.get('quantity', 1)} × {self.price.name}{for_beach}"
            _ = self.dismiss(Bought(told, beach, asked["draft"]))


def _number(text: str) -> int | str:
    return int(text) if text.isdecimal() else text


_READ: dict[str, Callable[[str], Any]] = {
    "quantity": _number,
    "capacity": _number,
    "location": board.in_capitals,
    "exit": board.in_capitals,
    "arc": lambda text: [board.in_capitals(one) for one in text.replace(",", " ").split()],
}
