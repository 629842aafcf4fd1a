"""The plain text that goes with a mail: where the campaign stands, whose turn it is, and what the
receiver is asked, as far as his side may know."""

from collections.abc import Iterator
from textwrap import fill

from brt_cg.exports.status import status_document
from brt_cg.exports.wording import next_text
from brt_cg.journal.heads import short
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.questions.asks import Ask, Several
from brt_cg.refit.sequence import TITLES
from brt_cg.views.public_point import known_ask, public_book
from brt_cg.views.view_chain import head_of

WIDTH = 66  # so that it fits a box on a small screen, and a quoted mail


def cover_letter(journal: Journal, receiver: Side | None, mail: str, begins: bool) -> str:
    """The text for the player of a side (None: for whoever it may be, so only what both may know).
    `begins` is whether the mail holds the whole campaign."""
    lines = [*_stands(journal, receiver), "", *_turn(journal, receiver), ""]
    seat = f" --side {receiver}" if receiver else ""
    take = f"brt-cg receive YOUR-FILE.brt {mail}{seat}"
    lines += [f"To take it in: {take}", "or on the screen: M at Home, or M and r in the campaign"]
    if begins:
        lines += ["It holds the whole campaign."]
    lines += ["", *_head(journal, receiver, seat)]
    return "\n".join(_folded(line) for line in lines)


def _folded(line: str) -> str:
    return fill(line, WIDTH, subsequent_indent="    ", break_long_words=False) if line else ""


def _stands(journal: Journal, receiver: Side | None) -> Iterator[str]:
    situation = public_book(journal, receiver).campaign.situation
    name = f", {situation.name}" if situation.name else ""
    yield f"Blood Reef: Tarawa, CG {situation.cg}{name}"
    yield f"{situation.date}, {situation.phase.when}"
    step = situation.paragraph or situation.done
    if step is not None and (receiver is not None or _ask_for(journal, None) is not None):
        yield f"at {step} {TITLES[step]}"


def _ask_for(journal: Journal, receiver: Side | None) -> Ask[object] | None:
    """The open question, if the receiver may know of it; without one, if both sides may."""
    if receiver is not None:
        return known_ask(journal, receiver)
    known = all(known_ask(journal, side) is not None for side in Side)
    return journal.open_ask() if known else None


def _turn(journal: Journal, receiver: Side | None) -> Iterator[str]:
    ask = _ask_for(journal, receiver)
    if ask is not None:
        yield f"It is the {ask.side.label} side's turn{'; anyone may roll' * (ask.kind == 'roll')}."
        yield f"{ask.rule} asks about {ask.subject}: {ask.prompt}"
        picked = isinstance(ask, Several)
        where = "Pick from the list on the screen; an answers file takes" if picked else "Allowed"
        yield f"{where}: {ask.allowed_text}"
    elif journal.open_ask() is not None:
        whose = f"the {receiver.enemy.label} side's" if receiver else "one side's"
        yield f"It is {whose} turn, to decide something in private."
    else:
        situation = journal.campaign.situation
        document = status_document(public_book(journal, receiver), receiver)
        half = journal.missing_half() if situation.refit_is_due else None
        upcoming = document["next"]
        words = f"{upcoming} {TITLES[upcoming]}" if upcoming else ""
        yield f"No question is open. {next_text(situation, half, words)}."


def _head(journal: Journal, receiver: Side | None, seat: str) -> Iterator[str]:
    known = head_of(public_book(journal, receiver), receiver) or ""
    where = f"brt-cg status YOUR-FILE.brt{seat}"
    yield f"Head: {short(known)}, which `{where}` shows once it is in."
