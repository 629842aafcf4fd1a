"""The `buy`, `void`, `commit` and `discard` commands for the purchases of 15.614."""

from typing import Any

from brt_cg.card import CATALOGUE, Card, read_printed_types
from brt_cg.commands import Command
from brt_cg.commands.problems import InputProblems
from brt_cg.commands.units_lost import settling_lost_units
from brt_cg.model import Campaign, Purchase, Side, Text, secret_of
from brt_cg.purchases import ledger, limits, pools, voids
from brt_cg.purchases.breach import raise_breaches
from brt_cg.purchases.counter_creation import create_purchased_counters, remove_purchased_counters
from brt_cg.purchases.orders import read_order
from brt_cg.purchases.totals import drafts_of
from brt_cg.questions import Problem, RefusedError, raise_problems
from brt_cg.text import count_text, list_text, short_json

Asked = dict[str, Any]
REASON = Text()
NOT_BOUGHT = "is not bought"


# --- buy ------------------------------------------------------------------------------------------


def buy_or_draft_item(command: Command) -> None:
    """Buy an item, or record a draft of a purchase, which may break limits; with `instead`, replace
    a draft. For the input see `purchases.orders`. Raises RefusedError with every broken limit."""
    campaign, card = command.campaign, command.card
    order = read_order(card, command.asked)
    _in_window(campaign, order.side)
    _read_the_whole_capacity(command, order)
    if command.asked.get("instead") is not None:
        _discard_replaced_draft(command, order.side)
    purchase = ledger.priced_purchase(campaign, card, order)
    purchase.draft = command.asked.get("draft") is True
    purchase.id = command.next_purchase_id("d" if purchase.draft else "p", order.side)
    purchase.entered_by, purchase.entered_at = command.by, command.at
    command.secret = secret_of(campaign, purchase)
    if purchase.draft:
        campaign.add(purchase)
        command.log(f"draft {purchase.id}: {ledger.purchase_text(card, purchase)}", purchase)
        for breach in limits.draft_breaches(campaign, card, order.side):
            words = f"warning: together the drafts break a limit: {breach}"
            command.log(words, secret=order.side)
        return
    raise_breaches(limits.breaches_of_purchases_together(campaign, card, (purchase,)))
    _enter(command, purchase)


def _read_the_whole_capacity(command: Command, order: Purchase) -> None:
    """Turn the capacity ordered for an existing pillbox into the increase (15.6142). Raises
    RefusedError."""
    box = command.campaign.fortifications.get(order.enlarged_pillbox_id or "")
    if box is None:
        return
    now, whole = box.capacity or 1, 1 + order.capacity
    if whole <= now:
        found = command.asked.get("capacity")
        allowed = f"more than {now}, its current capacity; enter the new total capacity"
        raise_problems(
            [Problem("capacity", f"{short_json(found)} is not accepted; enter {allowed} (15.6142)")]
        )
    order.capacity = whole - now


def _discard_replaced_draft(command: Command, side: Side) -> None:
    """Discard the draft that this order replaces. Raises RefusedError."""
    instead = command.asked["instead"]
    draft = next((mine for mine in drafts_of(command.campaign, side) if mine.id == instead), None)
    if draft is None:
        raise RefusedError(f"{instead} is not a draft of the {side.label} player")
    command.campaign.remove(draft)
    words = ledger.purchase_text(command.card, draft)
    command.log(f"draft {draft.id} is replaced: {words}", draft, secret=side)


def _only(command: Command, *fields: str) -> None:
    """Raise RefusedError for unknown fields."""
    findings = InputProblems()
    findings.note_unknown_fields(command.asked, fields)
    findings.raise_problems()


def _in_window(campaign: Campaign, side: Side) -> None:
    """Raise RefusedError outside a buying window of that side."""
    if not limits.can_buy(campaign, side):
        raise RefusedError(f"{limits.reason_not_buying_window(campaign, side)} (15.614)")


def _enter(command: Command, purchase: Purchase) -> None:
    """Add a purchase that breaks no limit, with the counters it creates."""
    campaign, card = command.campaign, command.card
    types = read_printed_types(command.asked.get(CATALOGUE, []))
    made = create_purchased_counters(campaign, card, purchase, types)
    campaign.purchases[purchase.id] = purchase
    bought = f"{_in_public(card, purchase)} (purchase {purchase.id})"
    command.log(f"the {purchase.side.plural} buy {bought}", purchase, *made)
    command.log_figures_from_own_catalog(types, made)
    if purchase.side is Side.MARINE and purchase.location is not None:
        where = f"purchase {purchase.id} is to set up in {purchase.location}"
        command.log(where, purchase, secret=purchase.side)
    if card.prices[purchase.item].per_refit is not None:
        _say_san(command, purchase)
    for warning in limits.purchase_warnings(campaign, card, purchase):
        command.log(warning, purchase)


def _say_san(command: Command, purchase: Purchase) -> None:
    """Log the SAN after an increase, or after an increase is voided; the line is secret to its side
    until the SAN is announced."""
    san = command.campaign.sides[purchase.side].san
    command.log(f"{purchase.side.label} SAN is now {san}", purchase, secret=purchase.side)


def _in_public(card: Card, purchase: Purchase) -> str:
    """Return a purchase in words for the public log, without the Location of a Marine purchase:
    everything else about it is public."""
    if purchase.side is Side.JAPANESE:
        return ledger.purchase_text(card, purchase)
    return ledger.purchase_text(card, purchase.replace(location=None, exit=None))


# --- drafts ---------------------------------------------------------------------------------------


def buy_drafts_or_shopping_list(command: Command) -> None:
    """Buy all of a side's drafts together, at current prices and under new ids. Input: side
    (optional if only one side has drafts). Raises RefusedError with every limit that any of them
    breaks. With `list`, the orders on the side's shopping list are bought instead, in order; those
    that break a limit are skipped."""
    _only(command, "side", CATALOGUE, "list")
    campaign, card = command.campaign, command.card
    if "list" in command.asked:
        _buy_from_list(command)
        return
    side = _side_with_drafts(command)
    _in_window(campaign, side)
    bought = [ledger.priced_purchase(campaign, card, draft) for draft in drafts_of(campaign, side)]
    for purchase in bought:
        purchase.draft = False
    raise_breaches(limits.breaches_of_purchases_together(campaign, card, bought))
    command.secret = secret_of(campaign, bought[0])
    for number, purchase in enumerate(bought):
        campaign.remove(purchase)
        purchase.id = command.next_purchase_id("p", side, further=number)
        purchase.entered_by, purchase.entered_at = command.by, command.at
        _enter(command, purchase)
    cost = pools.sum_amounts(pools.purchase_amounts(draft) for draft in bought)
    many = count_text(len(bought), "draft")
    command.log(f"{many} bought for {cost}")


def _buy_from_list(command: Command) -> None:
    campaign, card, wishes = command.campaign, command.card, command.asked["list"]
    side = _side(command.asked.get("side"))
    _in_window(campaign, side)
    bought = 0
    for number, asked in enumerate(wishes, 1):
        purchase = ledger.priced_purchase(campaign, card, read_order(card, asked))
        if purchase.side is not side:
            raise RefusedError(
                f"order {number} of the list does not belong to the {side.label} player"
            )
        breaches = limits.breaches_of_purchases_together(campaign, card, (purchase,))
        if breaches:
            words = f"{ledger.purchase_text(card, purchase)} {NOT_BOUGHT}: {breaches[0]}"
            command.log(f"item {number} on the shopping list: {words}", secret=side)
            continue
        purchase.id = command.next_purchase_id("p", side, further=bought)
        purchase.entered_by, purchase.entered_at = command.by, command.at
        command.secret = secret_of(campaign, purchase)
        _enter(command, purchase)
        bought += 1
    if not bought:
        command.secret = side


def discard_drafts(command: Command) -> None:
    """Discard a side's drafts. Input: side (optional if only one side has drafts), and purchase to
    discard only that one."""
    _only(command, "side", "purchase")
    campaign = command.campaign
    side = _side_with_drafts(command)
    found = drafts_of(campaign, side)
    named = command.asked.get("purchase")
    if named is not None:
        found = [draft for draft in found if draft.id == named]
        if not found:
            raise RefusedError(f"{named} is not a draft of the {side.label} player")
    command.secret = side
    for draft in found:
        campaign.remove(draft)
        command.log(
            f"draft {draft.id} is discarded: {ledger.purchase_text(command.card, draft)}", draft
        )


def _side_with_drafts(command: Command) -> Side:
    named = command.asked.get("side")
    if named is not None:
        side = _side(named)
        if not drafts_of(command.campaign, side):
            raise RefusedError(f"the {side.label} player has no drafts")
        return side
    sides = [side for side in Side if drafts_of(command.campaign, side)]
    if not sides:
        raise RefusedError("there are no drafts")
    if len(sides) > 1:
        raise RefusedError("both sides have drafts; name the side")
    return sides[0]


# --- void -----------------------------------------------------------------------------------------


def void_purchase(command: Command) -> None:
    """Void a purchase, and remove the counters that it created, except those lost in play. In the
    same buying window its points and its share of the maximums are restored; later they are
    restored only if no part of the purchase was ever placed, lost or used; otherwise only the
    record is corrected, and the enemy is informed. Input: purchase, reason, and optionally the side
    that must own it. Raises RefusedError."""
    _only(command, "purchase", "reason", "side")
    campaign, card = command.campaign, command.card
    purchase = _to_be_voided(campaign, command.asked)
    reason = _reason(command.asked.get("reason"))
    id = command.next_purchase_id("v", purchase.side)
    record = voids.build_void_record(campaign, purchase, id, reason, command.by, command.at)
    raise_breaches(voids.breaches_of_voiding_now(campaign, card, purchase, record))
    kept = voids.reason_points_are_not_returned(campaign, purchase)
    if not voids.is_in_open_buying_window(campaign, purchase):
        command.log(f"the {purchase.side.label} player corrects the record of purchases")
    command.secret = secret_of(campaign, purchase)
    with settling_lost_units(command):
        campaign.add(record)
        gone, lost = remove_purchased_counters(campaign, card, purchase)
        words = _in_public(card, purchase)
        comes_of_it = "the points are returned"
        if kept is not None:
            comes_of_it = (
                "only the record is corrected: no points are returned, and it still counts "
                f"toward the maximums ({kept})"
            )
        named = f"purchase {purchase.id} ({words})"
        text = f"the {purchase.side.plural} void {named}: {reason}; {comes_of_it}"
        command.log(text, purchase, record, *gone)
        if card.prices[purchase.item].per_refit is not None:
            _say_san(command, purchase)
        for counter in lost:
            command.log(f"{counter.label} was lost in play and stays lost", counter)


def _reason(found: object) -> str:
    reason = found.strip() if isinstance(found, str) else found
    if not reason:
        raise RefusedError("a void needs a reason (15.614)")
    try:
        return REASON.read(reason)
    except ValueError as error:
        raise RefusedError(f"a void needs a reason: {error} (15.614)") from None


def _to_be_voided(campaign: Campaign, asked: Asked) -> Purchase:
    id, named = asked.get("purchase"), asked.get("side")
    purchase = campaign.purchases.get(id) if isinstance(id, str) else None
    if purchase is None or (named is not None and purchase.side is not _side(named)):
        whose = "" if named is None else f" of the {_side(named).label} player"
        raise RefusedError(f"{id} is not a purchase{whose}; `purchases` lists them")
    if purchase.draft:
        raise RefusedError(f"{id} is a draft; discard it instead")
    if purchase.voids is not None:
        raise RefusedError(f"{id} is itself the void of {purchase.voids}, and cannot be voided")
    return purchase


def _side(found: object) -> Side:
    if found not in tuple(Side):
        what = "no side is given" if found is None else f"there is no side {found!r}"
        raise RefusedError(f"{what}; enter {list_text(Side)}")
    return Side(str(found))
