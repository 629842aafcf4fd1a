"""Why? Explains how a counter, a number, an area, a ruling or a line of the log became what it is.

One service for the command line and the screen: each answer is a page whose lines link to the
entries, counters, rulings and paragraphs that they name.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from difflib import get_close_matches

from brt_cg.exports.explain import numbers
from brt_cg.exports.explain.counters import area_page, counter_page, hex_page, stands
from brt_cg.exports.explain.entries import entry_page, rule_page, ruling_page
from brt_cg.exports.explain.pages import ExplanationPage, Known, PageLine, numbered
from brt_cg.exports.purchases import account_name
from brt_cg.exports.wording import SIDE_TOTALS, state_text
from brt_cg.model.counters import BY_TABLE, Counter
from brt_cg.model.numbered import natural
from brt_cg.model.records import SIDES, Area, Purchase
from brt_cg.purchases import pools
from brt_cg.questions.answers import Refused
from brt_cg.text import counted
from brt_cg.views.book import Book

__all__ = [
    "ExplanationPage",
    "Known",
    "PageLine",
    "explain",
    "known_to",
    "page_of",
    "page_of_several",
]

ALLOWED = (
    "a counter's id or words of its name, a Setup Area, a hex, the number of an entry, a paragraph "
    "(15.6112), a ruling (R-SAN), cvp, san, elr, vp, gpp, capp, fpp, marine.cvp, marine/fpp, "
    "the id of a purchase"
)
NEWEST = 60  # lines of the log on the first page
PAGES = (
    numbers.total_page,
    numbers.victory_page,
    area_page,
    numbers.purchase_page,
    numbers.pool_page,
    numbers.allotment_page,
    ruling_page,
    rule_page,
    counter_page,
    entry_page,
    hex_page,
)


def explain(book: Book, subject: str) -> list[str]:
    """A subject's page as lines of text, as a side (None: the umpire) may know it.

    Raises Refused for an unknown subject, naming similar ones.
    """
    return page_of(known_to(book), subject).text


def known_to(book: Book) -> Known:
    """Everything that a side (None: the umpire) may know, to explain several subjects."""
    rows = book.rows
    changed = {(change[0], change[1]) for row in rows for change in row.changes}
    return Known(book.campaign, book.card, rows, changed, book.side)


def page_of_several(known: Known, subjects: Sequence[str]) -> ExplanationPage:
    """A page with links to several known subjects."""
    lines = []
    for subject in dict.fromkeys(subjects):
        with suppress(Refused):
            lines.append(PageLine(page_of(known, subject).title, (subject,)))
    return ExplanationPage("Which one?", tuple(lines))


def page_of(known: Known, subject: str = "") -> ExplanationPage:
    """The page of a subject; "" is the first page, with everything worth asking about.

    Raises Refused for an unknown subject, naming similar ones.
    """
    subject = subject.strip()
    if not subject:
        return _first_page(known)
    capitals = subject.upper()
    if capitals in known.view.areas or capitals in known.card.rulings:
        subject = capitals
    for worded in dict.fromkeys((subject, subject.lower())):
        for make in PAGES:
            page = make(known, worded)
            if page is not None:
                return page
    found = _both_sides(known, subject) or _by_words(known, subject)
    if found is not None:
        return found
    near = get_close_matches(subject, _subjects(known), n=5, cutoff=0.5)
    hint = f"; did you mean {', '.join(near)}?" if near else ""
    raise Refused(f"nothing is known about {subject!r}{hint} (allowed: {ALLOWED})")


def _subjects(known: Known) -> list[str]:
    """Everything with a name that can be explained to the asking side."""
    tables = (*BY_TABLE, Area.TABLE, Purchase.TABLE)
    ids = [key for table in tables for key in known.view.tables[table]]
    return [*ids, *known.card.rulings, *numbers.totals(), *numbers.pool_names(known)]


# --- pages that only lead on ----------------------------------------------------------------------


def _both_sides(known: Known, word: str) -> ExplanationPage | None:
    """The totals of both sides for "cvp", "san" or "gpp" without a side."""
    name = word.lower()
    if name in (*SIDE_TOTALS, numbers.VICTORY):
        names = [f"{side}.{name}" for side in SIDES]
        return ExplanationPage(
            SIDE_TOTALS.get(name, "Victory Points"), tuple(_titles(known, names))
        )
    if name in pools.KINDS:
        title = f"{pools.KIND_NAMES[name]} left"
        return ExplanationPage(title, tuple(_left(known, name)))
    return None


def _left(known: Known, kind: str | None = None) -> Iterator[PageLine]:
    """The points that each side or beach has left, of one kind or of all."""
    for account in numbers.accounts_known(known):
        if account.given and kind is None:
            yield PageLine(f"{account_name(account)}: {account.left} left", (account.fund.id,))
        elif kind is not None and account.given.of(kind):
            left = f"{account_name(account)}: {account.left.of(kind)} {pools.KIND_NAMES[kind]} left"
            yield PageLine(left, (f"{account.fund.id}/{kind}",))


def _titles(known: Known, subjects: list[str]) -> Iterator[PageLine]:
    for subject in subjects:
        yield PageLine(page_of(known, subject).title, (subject,))


def _by_words(known: Known, words: str) -> ExplanationPage | None:
    """The counters whose descriptions contain all the words; for a single one, its page."""
    parts = words.lower().split()

    def has_them(counter: Counter) -> bool:
        """Whether a counter's description contains the words; parts of words are enough."""
        text = f"{counter.label} {counter.id} {state_text(counter)}".lower().split()
        return all(any(word.startswith(part) for word in text) for part in parts)

    has = filter(has_them, known.view.counters())
    found = sorted(has, key=lambda counter: natural(counter.id))
    if len(found) == 1:
        return counter_page(known, found[0].id)
    lines = tuple(PageLine(stands(known.view, counter), (counter.id,)) for counter in found)
    return ExplanationPage(f"{counted(len(found), 'counter')}: {words}", lines) if found else None


def _first_page(known: Known) -> ExplanationPage:
    """The totals, the points left, the Setup Areas, Isolated units, and the newest lines of the
    log."""
    view = known.view
    lines = [*_titles(known, numbers.totals())]
    lines += _left(known)
    lines += [PageLine(page_of(known, id).title, (id,)) for id in sorted(view.areas, key=natural)]
    cut_off = view.in_order(unit for unit in view.units.values() if unit.isolated)
    lines += [PageLine(f"Isolated: {stands(view, unit)}", (unit.id,)) for unit in cut_off]
    lately = [numbered(row, line.text) for row in known.rows for line in row.lines]
    return ExplanationPage("What do you want to know?", (*lines, *reversed(lately[-NEWEST:])))
