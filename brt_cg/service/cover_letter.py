"""The plain text that goes with a mail: where the campaign stands, whose turn it is, and what the
receiver is asked, as far as his side may know."""

from collections.abc import Iterator
from textwrap import fill

from brt_cg.exports.wording import next_text
from brt_cg.model.counters import Side
from brt_cg.refit.sequence import TITLES
from brt_cg.views.book import SharedBook

WIDTH = 66  # so that it fits a box on a small screen, and a quoted mail


def cover_letter(book: SharedBook, receiver: Side | None, mail: str, begins: bool) -> str:
    """The text for the player of a side (None: for whoever it may be), who reads what both may
    know; so does who sends it. `begins` is whether the mail holds the whole campaign."""
    lines = [*_stands(book), "", *_turn(book), ""]
    seat = f" --side {receiver}" if receiver else ""
    take = f"brt-cg receive YOUR-FILE.brt {mail}{seat}"
    lines += [f"To take it in: {take}", "or on the screen: M at Home, or M and r in the campaign"]
    if begins:
        lines += ["It holds the whole campaign."]
    return "\n".join(_folded(line) for line in lines)


def _folded(line: str) -> str:
    return fill(line, WIDTH, subsequent_indent="    ", break_long_words=False) if line else ""


def _stands(book: SharedBook) -> Iterator[str]:
    situation = book.campaign.situation
    name = f", {situation.name}" if situation.name else ""
    yield f"Blood Reef: Tarawa, CG {situation.cg}{name}"
    yield f"{situation.date}, {situation.phase.when}"
    step = situation.paragraph or situation.done
    if step is not None and not book.waiting:
        yield f"at {step} {TITLES[step]}"


def _turn(book: SharedBook) -> Iterator[str]:
    ask = book.ask
    if ask is not None:
        anyone = "; anyone may roll" if ask.dice else ""
        yield f"It is the {ask.side.label} side's turn{anyone}."
        yield f"{ask.rule} asks about {ask.subject}: {ask.prompt}"
        picks = "Pick from the list on the screen; an answers file takes"
        where = picks if ask.several else "Allowed"
        yield f"{where}: {ask.allowed_text}"
    elif book.turn is not None:
        yield f"It is the {book.turn.label} side's turn, to decide something in private."
    else:
        words = f"{book.next} {TITLES[book.next]}" if book.next else ""
        yield f"No question is open. {next_text(book.campaign.situation, book.half, words)}."
