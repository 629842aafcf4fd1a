"""Reads a VASL save or log for an import: its state, and the program's guesses."""

from pathlib import Path

from brt_cg.card import load_card
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Refused
from brt_cg.vasl.matching import Matched, match
from brt_cg.vasl.names import load_names
from brt_cg.vasl.origin import check_origin
from brt_cg.vasl.pieces import VaslSave
from brt_cg.vasl.savefile import Unusable, read_save
from brt_cg.vasl.situation import situation
from brt_cg.views.book import Book

BOTH = "both"
SOME = 6  # the number of unknown pieces that a refusal names


def state_of(book: Book, path: Path, side: str | None, names: Path | None) -> Matched:
    """The state of a campaign as a save shows it. A save holds both players' hidden units, so the
    `side` to import must be given: "marine", "japanese" or "both". Raises Refused."""
    if side is None:
        raise Refused(
            f"{path}: a VASL save holds both sides' hidden units; "
            f"say --side {', '.join(Side)} or {BOTH}"
        )
    seat = None if side == BOTH else Side(side)
    save, known = read_save(path, whole=False), load_names(names)
    card = load_card(book.campaign.situation.cg)
    try:
        saved = VaslSave(save.text)
        check_origin(save, saved)
        pieces = book.pieces
        own = {piece for piece, id in pieces.items() if _is_of(book.campaign, id, seat)}
        shown = situation(saved, known, card.ladders, seat, own)
    except Unusable as error:
        raise Refused(f"{path}: not a VASL save that can be read: {error}") from None
    if not shown.found:
        strange = ", ".join(shown.unknown[:SOME]) or "no piece"
        words = "no counter in it is known; --names adds names of your own"
        raise Refused(f"{path}: {words}; found: {strange}")
    return match(book.campaign, card, shown, seat, pieces, known)


def _is_of(campaign: Campaign, id: str, seat: Side | None) -> bool:
    counter = campaign.find(id)
    return counter is not None and counter.side is seat
