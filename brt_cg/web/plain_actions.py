"""The parts of a plain page other than its question: the opponent's requests, undo, notes, and the
player's drafts and purchases; and what their forms do."""

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256

from brt_cg.model import Side
from brt_cg.purchases.ledger import purchase_text
from brt_cg.purchases.totals import drafts_of, purchases_not_voided
from brt_cg.service import shown_actions
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.shown_actions import Records, Reversal
from brt_cg.service.undo_redo import (
    UndoReach,
    is_undo_of_answer_list,
    redo_reach,
    undo_extent_text,
    undo_reach,
)
from brt_cg.views.requests import Request
from brt_cg.views.view import View
from brt_cg.web.page_state import page_state
from brt_cg.web.plain_html import (
    NOTHING_TYPED,
    button_form,
    escape_html,
    form_start,
    select_field,
    text_field,
)

Asked = Mapping[str, str]


# --- requests -------------------------------------------------------------------------------------


def requests_part(book: View) -> Iterator[str]:
    """Yield the open requests, with the buttons that answer them."""
    for request in book.requests:
        name = _name_of(request)
        yield f"<h2>Request {request.number} from the {request.side.label} player</h2>"
        yield f"<p>{escape_html(book.campaign.replace_ids_with_names(request.words))}</p><ul>"
        told = (book.campaign.replace_ids_with_names(line) for line in request.tells)
        yield from (f"<li>{escape_html(line)}</li>" for line in told)
        yield "</ul>"
        if request.can_be_answered_from(book.side):
            yield button_form("agree", "Agree", request=name)
            yield button_form("decline", "Decline", request=name)
        if request.can_be_withdrawn_from(book.side):
            yield button_form("withdraw", "Withdraw", request=name)


def answer_or_withdraw_request(desk: CampaignReader, asked: Asked) -> None:
    """Agree to, decline or withdraw the request that was shown. Raises RefusedError."""
    found = [each for each in desk.view().requests if _name_of(each) == asked.get("request")]
    if not found:
        raise shown_actions.NotAsShownError(shown_actions.ENDED)
    match asked["do"]:
        case "agree":
            _ = shown_actions.agree_shown(desk, found[0])
        case "decline":
            _ = shown_actions.decline_shown(desk, found[0])
        case _:
            _ = shown_actions.withdraw_shown(desk, found[0])


def _name_of(request: Request) -> str:
    """Return the identity of a request, because after an undo another request may have its
    number."""
    told = json.dumps([request.number, request.side, request.words, *request.tells])
    return sha256(told.encode()).hexdigest()[:16]


# --- back and forth -------------------------------------------------------------------------------


def undo_and_redo_part(desk: CampaignReader, book: View) -> Iterator[str]:
    """Yield the buttons that undo and redo, with the answers or purchases that they would undo."""
    state = page_state(book).state
    if undo_reach(desk) is UndoReach.POSSIBLE:
        words = undo_extent_text(desk, is_undo_of_answer_list(desk), always=True)
        named = book.campaign.replace_ids_with_names(words)
        label = f"Undo: {named}" if named else "Undo the start of this paragraph"
        yield button_form("undo", label, shown=state)
    if redo_reach(desk) is UndoReach.POSSIBLE:
        yield button_form("redo", "Redo the last undo", shown=state)


def undo_as_shown(desk: CampaignReader, asked: Asked) -> None:
    """Undo the entries that the page showed, or ask the opponent for that. Raises RefusedError."""
    _check_shown(desk, asked, "undone")
    whole = desk.view().mismatch is None and is_undo_of_answer_list(desk)
    group = shown_actions.identity_of_entries_to_undo(desk, whole)
    _ = shown_actions.undo_shown(desk, Reversal(group, whole))


def redo_as_shown(desk: CampaignReader, asked: Asked) -> None:
    """Restore the entries that the page showed. Raises RefusedError."""
    _check_shown(desk, asked, "restored")
    _ = shown_actions.redo_shown(desk, shown_actions.identity_of_entries_to_redo(desk))


def _check_shown(desk: CampaignReader, asked: Asked, done: str) -> None:
    """Raise NotAsShownError if the seat knows of something that its page did not show. The names of
    the entries would reveal the number of the others."""
    if page_state(desk.view()).state != asked.get("shown"):
        raise shown_actions.NotAsShownError(shown_actions.OTHERS.format(done))


# --- notes ----------------------------------------------------------------------------------------


def note_part(book: View, typed: Asked) -> Iterator[str]:
    """Yield the form of a note."""
    given = typed if typed.get("do") == "note" else NOTHING_TYPED
    yield f"<details{' open' if given else ''}><summary>Write a note</summary>"
    yield f'{form_start("note")}<label for="words">Note</label><textarea id="words" name="words">'
    yield f"{escape_html(given.get('words', ''))}</textarea>"
    readers = {"": "Both players", **({book.side.value: "Only you"} if book.side else {})}
    yield from select_field("reader", "Who may read it", readers, given)
    dates = book.card.dates[book.card.date_index(book.campaign.situation.date) :]
    due = {"": "No", **{date: f"On {date}" for date in dates}}
    yield from select_field("date", "Reminder (only for a note that only you may read)", due, given)
    yield "<button>Write it</button></form></details>"


def write_note(desk: CampaignReader, asked: Asked) -> None:
    """Enter a note. Raises RefusedError."""
    note = {"words": asked.get("words", ""), "side": asked.get("reader") or None, "about": None}
    note |= {"date": date} if (date := asked.get("date")) else {}
    shown = shown_actions.basis_of(desk.campaign_id, desk.view().campaign)
    by = desk.seat.value if desk.seat else "players"
    _ = shown_actions.run_shown_command(desk, shown, "note", note, by)


# --- drafts and purchases -------------------------------------------------------------------------


def purchases_part(book: View, side: Side, typed: Asked) -> Iterator[str]:
    """Yield a side's drafts, to buy or drop, and its purchases, to void."""
    campaign = book.campaign
    drafts = drafts_of(campaign, side)
    if drafts:
        yield "<h2>Your drafts</h2>"
        together = shown_actions.basis_of("", campaign, drafts=side).held
        yield button_form("commit", f"Buy your drafts ({len(drafts)})", based=together)
    for draft in drafts:
        based = shown_actions.basis_of("", campaign, [draft.id]).held
        words = f"Discard the draft {purchase_text(book.card, draft)}"
        yield button_form("discard", words, purchase=draft.id, based=based)
    bought = [each for each in purchases_not_voided(campaign) if each.side is side]
    if bought:
        given = typed if typed.get("do") == "void" else NOTHING_TYPED
        yield f"<details{' open' if given else ''}><summary>Void a purchase</summary>"
        yield form_start("void")
        items = {
            f"{each.id} {shown_actions.basis_of('', campaign, [each.id]).held}": purchase_text(
                book.card, each
            )
            for each in bought
        }
        yield from select_field("purchase", "Purchase", items, given)
        yield text_field("reason", "Reason (kept in the journal)", given.get("reason", ""))
        yield "<button>Void it</button></form></details>"


def buy_discard_or_void(desk: CampaignReader, asked: Asked) -> None:
    """Buy the drafts that were shown, drop one of them, or void a purchase. Raises RefusedError."""
    side, order = desk.side, dict[str, str | None]()
    id, _, based = asked.get("purchase", "").partition(" ")
    if asked["do"] != "commit":
        order["purchase"] = id
    if asked["do"] == "void":
        order["reason"] = asked.get("reason")
    held = Records(based or asked.get("based", ""))
    shown = shown_actions.CommandBasis(
        desk.campaign_id,
        held,
        ids=(id,) if id else (),
        drafts=side if asked["do"] == "commit" else None,
    )
    order["side"] = side.value if side is not None else None
    _ = shown_actions.run_shown_command(desk, shown, asked["do"], dict(order), str(side))
