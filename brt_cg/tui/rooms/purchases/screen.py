"""Purchases: the points of each beach, the price list, the draft, and the records."""

from collections.abc import Iterable, Iterator
from functools import partial, partialmethod

from textual import events, getters, on, work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from brt_cg.exports.explain.numbers import LIMITS
from brt_cg.exports.purchases import buying_window_text
from brt_cg.model import WINDOW, Phase, Side
from brt_cg.purchases.limits import INITIAL_ONLY, can_buy, is_buying_paragraph
from brt_cg.purchases.listing import ListedPurchase, draft_report, list_purchase_records
from brt_cg.purchases.offers import Offer, list_offers
from brt_cg.purchases.pools import due_and_future_grants, list_accounts
from brt_cg.purchases.totals import Fund
from brt_cg.refit.sequence import is_past_paragraph
from brt_cg.refit.unfinished import unfinished_texts
from brt_cg.service import shown_actions
from brt_cg.tui.answering.playback import CHANGED
from brt_cg.tui.answering.question_panel import BADGES
from brt_cg.tui.dialogs.choice import NO, YES, ConfirmScreen, Reply
from brt_cg.tui.frame.list_room import ListRoom
from brt_cg.tui.keys.actions import PURCHASES, REFIT
from brt_cg.tui.lists.filter_line import FilterLine
from brt_cg.tui.lists.panes import DetailPanel
from brt_cg.tui.lists.row_lists import BESIDE, SteadyList
from brt_cg.tui.lists.search import next_cyclic
from brt_cg.tui.look.lines import HangingText, Horizontal, Lines, Static, Vertical
from brt_cg.tui.look.screen_size import is_screen_low
from brt_cg.tui.rooms.purchases import shop
from brt_cg.tui.rooms.purchases.buy_form import BuyForm, VoidForm
from brt_cg.tui.rooms.purchases.shop import points_text
from brt_cg.tui.session.session import CampaignSnapshot

DONE, COMMIT = "done", "commit"


class PurchasesScreen(ListRoom):
    """The points on top; below them the price list and the records, side by side if there is room;
    at the bottom the details of the selected row."""

    PLACE = PURCHASES
    AUTO_FOCUS = "#prices"
    WIDTHS = ((0, "-narrow"), (118, "-normal"), (140, "-wide"))
    POSSIBLE = {
        "buy": lambda room, seen: room.may_buy(seen) or room.may_order_in_advance(seen),
        "void": lambda room, seen: room.may_buy(seen) and room.has_selected_purchase(draft=False),
        "change": lambda room, seen: room.may_buy(seen) and room.has_selected_purchase(draft=True),
        "discard": lambda room, seen: room.has_selected_purchase(draft=True),
        "discard_all": lambda room, seen: room.has_draft(),
        "commit": lambda room, seen: room.may_buy(seen) and room.has_draft(),
        "done": lambda room, seen: (
            room.is_asked_if_done(seen) or room.is_before_first_scenario(seen)
        ),
        "other_side": lambda room, seen: seen.seat is None,
        "next_beach": lambda room, seen: room.side is Side.JAPANESE,
        "last_beach": lambda room, seen: room.side is Side.JAPANESE,
    }

    prices = getters.query_one("#prices", SteadyList)
    records = getters.query_one("#records", SteadyList)
    side = Side.JAPANESE
    beach: str | None = None
    asked: Side | None = None  # the side that was last asked whether it is done
    drafting: Side | None = None  # the side that bought last, if as a draft
    offers: tuple[Offer, ...] = ()
    rows: tuple[ListedPurchase, ...] = ()

    def compose_contents(self) -> ComposeResult:
        with Horizontal(id="stand"):
            yield Static(id="window")
            yield Static(id="draft")
        yield Lines(id="points")
        yield Static(id="grants")
        with Horizontal(id="lists"):
            with Vertical(id="priced"):
                yield FilterLine("filter by any words", Static(id="columns"))
                yield SteadyList(id="prices", markup=False)
            yield SteadyList(id="records", classes=f"panel {BESIDE}", markup=False)
        yield DetailPanel(HangingText(id="told"))

    # --- showing --------------------------------------------------------------------------------

    def show_snapshot(self, seen: CampaignSnapshot) -> None:
        before = self.side
        self._choose_side(seen)
        if self.side is not before:
            self.clear_shown_and_typed()
        found = list_accounts(seen.view, seen.card, self.side)
        beaches = [account.beach for account in found]
        if self.beach not in beaches:
            first = next((account for account in found if account.given), found[0])
            self.beach = first.beach
        self.offers = list_offers(seen.view, seen.card, self.side, self.beach)
        own = list_purchase_records(seen.view, seen.card, seen.seat)
        self.rows = tuple(row for row in own if row.side is self.side)
        badge = (BADGES[self.side], f"bold ${self.side}")
        window = Content.assemble(badge, f" {self._window_text(seen)}")
        self.query_one("#window", Static).update(window)
        self.query_one("#points", Lines).show_written_by(partial(points_text, found, self.beach))
        grants = due_and_future_grants(seen.view, seen.card, self.side)
        self.query_one("#grants", Static).update(shop.points_legend_with_grants(grants))
        report = draft_report(seen.view, seen.card, self.side)
        self.query_one("#draft", Static).update(shop.draft_brief(report))
        for side in Side:
            self.records.set_class(self.side is side, side.value)
        self.records.border_title = f"{self.side.label} purchases"
        self.records.show(
            lambda width: shop.record_rows(self.rows, report, grants, width, is_screen_low(self))
        )
        self.apply_filter()
        self.refresh_bindings()

    def _window_text(self, seen: CampaignSnapshot) -> str:
        """Return, in words, the time when the side shown may buy. Before the first scenario, also
        show the umpire the key to the opponent's purchases."""
        text = buying_window_text(seen.view, seen.card, self.side, seen.steps, seen.waiting)
        if seen.seat is None and self.is_before_first_scenario(seen):
            key = self.app.key_text(f"{PURCHASES}.other_side")
            text += f" · {key}: the {self.side.enemy.plural}"
        return text

    def _choose_side(self, seen: CampaignSnapshot) -> None:
        """Show the seat's side; for the umpire the side that is asked now, until the umpire
        switches."""
        asked = seen.ask.side if seen.ask is not None and seen.ask.buying else None
        if asked is not None and asked is not self.asked:
            self.side = asked
            self.prices.highlighted = None  # the first item of the list is selected
        self.asked = asked
        self.side = seen.seat or self.side

    def apply_filter(self) -> None:
        text = self.filter_line.words
        kept = [offer for offer in self.offers if shop.matches_filter(offer, text)]
        if self._offer() not in kept:
            self.prices.highlighted = None  # the first item is selected
        self.prices.show(lambda width: self._price_rows(kept, width))
        self.show_selected_row_details()

    def _price_rows(self, kept: Iterable[Offer], width: int) -> Iterator[Option]:
        """Yield the rows of the price list; its headings are written for the same width."""
        headings = shop.price_headings(self.beach, width)
        self.query_one("#columns", Static).update(headings)
        return shop.price_rows(kept, self.beach, self.seen.card.cg, width)

    def show_selected_row_details(self) -> None:
        """Show the details of the selected row in the focused list."""
        page, details = self.query_one(DetailPanel), self.query_one("#told", HangingText)
        offer, row = self._offer(), self._selected_purchase()
        if self._at_records and row is not None:
            page.set_titles(f"{row.id} · {shop.quantity_and_name(row)}")
            void = next((other for other in self.rows if other.voids == row.id), None)
            details.set_text(shop.record_text(row, void))
        elif not self._at_records and offer is not None:
            page.set_titles(f"{offer.price.name} · {offer.price.rule}")
            details.set_text(shop.offer_text(offer, self.seen.card.cg))
        else:
            page.set_titles()
            details.set_text("")
        self.refresh_bindings()

    @property
    def _at_records(self) -> bool:
        return self.has_class("-records")

    def _offer(self) -> Offer | None:
        key = self.prices.id_at_cursor
        return next((offer for offer in self.offers if offer.price.key == key), None)

    def _selected_purchase(self) -> ListedPurchase | None:
        id = self.records.id_at_cursor
        return next((row for row in self.rows if row.id == id), None)

    # --- the possible actions -------------------------------------------------------------------

    def may_buy(self, seen: CampaignSnapshot) -> bool:
        """Whether the side shown may buy now."""
        return can_buy(seen.view, self.side)

    def may_order_in_advance(self, seen: CampaignSnapshot) -> bool:
        """Whether the side shown may give orders in advance, for its 15.614."""
        situation = seen.view.situation
        is_before = not (is_buying_paragraph(situation) or is_past_paragraph(situation, WINDOW))
        return situation.phase is Phase.REFIT and is_before

    def has_selected_purchase(self, draft: bool) -> bool:
        """Whether the selected row is a draft, or else a purchase that is not voided."""
        row = self._selected_purchase() if self._at_records else None
        return row is not None and row.draft is draft and row.voided_by is None

    def has_draft(self) -> bool:
        """Whether the side shown has drafted anything."""
        return any(row.draft for row in self.rows)

    def is_asked_if_done(self, seen: CampaignSnapshot) -> bool:
        """Whether the side shown is now asked whether it is done."""
        ask = seen.ask
        return ask is not None and ask.buying and ask.side is self.side

    def is_before_first_scenario(self, seen: CampaignSnapshot) -> bool:
        """Whether purchases are made for the first scenario, when nobody is asked."""
        return seen.view.situation.phase is Phase.PURCHASE

    def action_buy(self) -> None:
        """Buy the selected item; from the records, first move the focus to the prices."""
        if self._at_records:
            self._turn_to(False)
        else:
            self._buy()

    @work(group="buy", exclusive=True)
    async def _buy(self) -> None:
        offer = self._offer()
        if offer is None:
            return
        is_ahead = not self.may_buy(self.seen)
        if is_ahead and not self.may_order_in_advance(self.seen):
            text = f"The {self.side.plural} {self._window_text(self.seen)}"
            self.app.show_warning(text, "Not now")
            return
        over = [str(breach) for breach in offer.breaches if breach.code == INITIAL_ONLY]
        if over:
            self.app.show_warning("\n".join(over), "Not for sale")
            return
        as_draft = self.drafting is self.side and self.has_draft()
        form = BuyForm(
            self.app.session, offer.price, self.side, self.beach, as_draft, is_ahead=is_ahead
        )
        await self._fill_in(form)

    async def _fill_in(self, form: BuyForm) -> None:
        done = await self.app.show_form(form)
        if done is not None:
            self.drafting, self.beach = self.side if done.as_draft else None, done.beach
            self.show_snapshot(self.seen)
            self.app.show_notice(done.text)

    @work(group="buy", exclusive=True)
    async def action_change(self) -> None:
        row = self._selected_purchase()
        if row is not None:
            price = self.seen.card.prices[row.item]
            form = BuyForm(self.app.session, price, row.side, row.beach, True, row)
            await self._fill_in(form)

    @work(group="buy", exclusive=True)
    async def action_void(self) -> None:
        row = self._selected_purchase()
        if row is not None:
            await self.app.show_form(VoidForm(self.app.session, row))

    def action_commit(self) -> None:
        self._command("commit", "The draft has been bought.")

    def action_discard(self) -> None:
        row = self._selected_purchase()
        if row is not None:
            self._command("discard", purchase=row.id)

    def action_discard_all(self) -> None:
        self._command("discard")

    def _command(self, kind: str, text: str = "", **asked: str) -> None:
        """Carry out a command for the side shown, on the drafts shown, and show `text`, if any."""
        side, by, ids = self.side, self.side.value, [*asked.values()]

        shown = self.seen.basis_of(*ids, drafts=None if ids else side)
        self.app.perform(
            lambda desk: shown_actions.run_shown_command(
                desk, shown, kind, {"side": by, **asked}, by
            ),
            lambda _: self.app.show_notice(text),
        )

    @work(group="buy", exclusive=True)
    async def action_done(self) -> None:
        """Answer that the side is done; ask first if it has drafts or leaves something undone, and
        ask again if that has changed since."""
        side = self.side
        if self.is_before_first_scenario(self.seen):
            await self.app.go_to_room(REFIT)
            key = self.app.key_text("refit.begin")
            self.app.show_notice(f"Both sides may buy until the setup begins; {key} begins it.")
            return
        shown, wish = self.seen.asked, await self._wish("")
        while wish == DONE and shown != self.seen.asked and self.side is side:
            shown, wish = self.seen.asked, await self._wish(CHANGED)
        if wish == COMMIT:
            self.action_commit()
        elif wish == DONE:
            text = f"The {side.plural} are done: {self.app.key_text('everywhere.refit')} continues."
            self.app.perform(
                lambda desk: shown_actions.end_shown_purchases(desk, shown, side),
                lambda _: self.app.show_notice(text),
            )

    async def _wish(self, before: str) -> str:
        """Return the player's choice after reading the words `before` and the list of things left
        undone: DONE, COMMIT, or "" for neither. The key that opened the box does not answer it."""
        title = f"{self.side.label}: done with purchases?"
        if self.has_draft():
            draft = draft_report(self.seen.view, self.seen.card, self.side).total
            words = f"A draft of {draft} has not been bought."
            buys = [Reply(COMMIT, self.app.key_text("purchases.commit"), "buy it first")]
        else:
            words, buys = "\n".join(unfinished_texts(self.seen.view, self.seen.card, self.side)), []
        if not words and not before:
            return DONE
        answers = [Reply("", NO, "not yet"), *buys, Reply(DONE, YES, "done")]
        chosen = await self.app.push_screen_wait(ConfirmScreen(title, before + words, answers))
        return chosen.value if chosen else ""

    def action_other_side(self) -> None:
        self.side = self.side.enemy
        self.clear_shown_and_typed()
        self.show_snapshot(self.seen)

    def _go(self, by: int) -> None:
        found = list_accounts(self.seen.view, self.seen.card, self.side)
        self.beach = next_cyclic([account.beach for account in found], self.beach, by)
        self.show_snapshot(self.seen)

    action_next_beach = partialmethod(_go, 1)
    action_last_beach = partialmethod(_go, -1)

    def action_take_beach(self, beach: str) -> None:
        """Show the beach that was clicked."""
        if self.side is Side.JAPANESE:
            self.beach = beach
            self.show_snapshot(self.seen)

    # --- from list to list ----------------------------------------------------------------------

    def action_turn(self) -> None:
        self._turn_to(not self._at_records)

    def _turn_to(self, records: bool) -> None:
        self.set_class(records, "-records")
        self.set_focus(self.records if records else self.prices)
        self.show_selected_row_details()

    def action_filter(self) -> None:
        self._turn_to(False)
        super().action_filter()

    @on(OptionList.OptionHighlighted)
    def _moved(self) -> None:
        self.show_selected_row_details()

    @on(OptionList.OptionSelected, "#prices")
    def _chosen(self) -> None:
        self.action_buy()

    @on(OptionList.OptionSelected, "#records")
    def _record_chosen(self) -> None:
        if self.check_action("change", ()):
            self.action_change()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        if self.records.has_focus is not self._at_records:
            self.set_class(self.records.has_focus, "-records")
            self.show_selected_row_details()

    def selected_row_text(self) -> str | None:
        offer, row = self._offer(), self._selected_purchase()
        if self._at_records and row is not None:
            return f"{row.id} · {shop.quantity_and_name(row)} · {row.total} {row.points.upper()}"
        if offer is None:
            return None
        return f"{offer.price.name} · {offer.cost} {offer.price.points.upper()}"

    def why_subjects(self) -> tuple[str, ...]:
        """Return the selected purchase, or the points for the selected item; and every limit."""
        offer, row = self._offer(), self._selected_purchase()
        if self._at_records and row is not None:
            return (row.id, LIMITS)
        account = Fund(self.side, self.beach).id
        return (f"{account}/{offer.price.points}" if offer is not None else account, LIMITS)
