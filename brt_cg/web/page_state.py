"""The state of a campaign as a seat may know it, for a plain page to compare."""

from hashlib import sha256

from brt_cg.immutable import immutable
from brt_cg.views.view import View


@immutable
class PageState:
    """The `state` of the campaign as a seat may know it, which changes whenever the seat's page
    would; and whether it is the seat's `own` turn."""

    state: str
    own: bool


def page_state(book: View) -> PageState:
    """Return the state for the seat of a view."""
    requests = [request.number for request in book.requests]
    known = (
        book.question_identity,
        book.turn,
        book.waiting,
        book.next,
        book.half,
        book.mark,
        requests,
    )
    own = book.side is not None and book.side_to_answer is book.side
    return PageState(sha256(repr(known).encode()).hexdigest()[:16], own)
