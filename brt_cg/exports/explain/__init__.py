"""Explanations of the current state of a counter, a number, an area, a ruling or a line of the log.

They serve the command line and the screen: each answer is a page whose lines link to the entries,
counters, rulings and paragraphs that they name.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

from brt_cg.exports.dice import modifiers_text, roll_result_text
from brt_cg.exports.explain import numbers
from brt_cg.exports.explain.counters import area_page, counter_page, counter_summary, hex_page
from brt_cg.exports.explain.pages import (
    ENTRY,
    EXPLAINED,
    ExplanationPage,
    KnownFacts,
    PageLine,
    change_text,
    entered_text,
    journal_row_line,
)
from brt_cg.exports.purchases import account_name
from brt_cg.exports.wording import SIDE_TOTALS, notable_state_text
from brt_cg.model import BY_TABLE, SIDES, Area, Counter, Purchase, natural_sort_key
from brt_cg.purchases import pools
from brt_cg.purchases.pools import Account
from brt_cg.purchases.totals import fund_of
from brt_cg.questions import Raw, RefusedError, answer_text, source_text
from brt_cg.refit.sequence import NUMBERS, TITLES, paragraph_of
from brt_cg.text import (
    NotUnderstoodError,
    count_text,
    hyphens_to_minus_signs,
    nearest_name,
    normalize_spaces_and_case,
    searchable_names,
)
from brt_cg.views.journal_rows import ShownRow, undone_mark
from brt_cg.views.view import View

__all__ = [
    "ExplanationPage",
    "KnownFacts",
    "PageLine",
    "explain",
    "explanation_page",
    "known_facts",
    "links_page",
]

ALLOWED = (
    "a counter's id or name, a Setup Area, a hex, an entry's number, a paragraph (15.6112), a "
    "ruling (R-SAN), a total (cvp, marine/fpp), limits, a purchase; explain alone lists them"
)
NEWEST = 60  # lines of the log on the first page


def explain(book: View, subject: str) -> list[str]:
    """Return a subject's page as lines of text, as a side (None: the umpire) may know it.

    Raises RefusedError for an unknown subject, naming similar ones.
    """
    return explanation_page(known_facts(book), subject).text


def known_facts(book: View) -> KnownFacts:
    """Return everything that a side (None: the umpire) may know, to explain several subjects."""
    rows = book.rows
    changed = {(change[0], change[1]) for row in rows for change in row.changes}
    return KnownFacts(book.campaign, book.card, rows, changed, book.side)


def links_page(known: KnownFacts, subjects: Sequence[str]) -> ExplanationPage:
    """Return a page with links to several known subjects."""
    lines = []
    for subject in dict.fromkeys(subjects):
        row = _row_of(known, subject.removeprefix(ENTRY)) if subject.startswith(ENTRY) else None
        if row is not None and row.lines:  # entries of one paragraph have one title
            lines.append(journal_row_line(row, row.lines[0].text))
            continue
        with suppress(RefusedError):
            lines.append(PageLine(explanation_page(known, subject).title, (subject,)))
    return ExplanationPage("Which one?", tuple(lines))


def explanation_page(known: KnownFacts, subject: str = "") -> ExplanationPage:
    """Return the page of a subject; for "", return the first page, with everything worth asking
    about.

    Raises RefusedError for an unknown subject, naming similar ones.
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
    near, wrong = nearest_name(subject, _subjects(known)), f"nothing is known about {subject!r}"
    raise RefusedError(NotUnderstoodError("", wrong, allowed="" if near else ALLOWED, meant=near))


def _subjects(known: KnownFacts) -> list[str]:
    """Return the names of everything that can be explained to the asking side."""
    tables = (*BY_TABLE, Area.TABLE, Purchase.TABLE)
    ids = [key for table in tables for key in known.view.tables[table]]
    return [
        *ids,
        *known.card.rulings,
        *numbers.total_names(),
        *numbers.pool_names(known),
        numbers.LIMITS,
    ]


# --- pages that only lead on ----------------------------------------------------------------------


def _both_sides(known: KnownFacts, word: str) -> ExplanationPage | None:
    """Return the totals of both sides for "cvp", "san" or "gpp" without a side."""
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


def _left(known: KnownFacts, kind: str | None = None) -> Iterator[PageLine]:
    """Yield the points that each side or beach has left, of one kind or of all."""
    for account in numbers.known_accounts(known):
        if account.given and kind is None:
            yield PageLine(f"{account_name(account)}: {account.left} left", (account.fund.id,))
        elif kind is not None and account.given.points_of(kind):
            left = (
                f"{account_name(account)}: {account.left.points_of(kind)} "
                f"{pools.KIND_NAMES[kind]} left"
            )
            yield PageLine(left, (f"{account.fund.id}/{kind}",))


def _titles(known: KnownFacts, subjects: list[str]) -> Iterator[PageLine]:
    for subject in subjects:
        yield PageLine(explanation_page(known, subject).title, (subject,))


def _by_words(known: KnownFacts, words: str) -> ExplanationPage | None:
    """Return the counters with this name, else those whose descriptions contain all the words; for
    a single counter, return its page."""
    parts, called = words.lower().split(), normalize_spaces_and_case(words)

    def has_them(counter: Counter) -> bool:
        """Whether a counter's description contains the words; the beginning of a word is enough."""
        text = f"{counter.label} {counter.id} {notable_state_text(counter)}".lower().split()
        return all(any(word.startswith(part) for word in text) for part in parts)

    counters = [*known.view.counters()]
    so = [
        each
        for each in counters
        if called in searchable_names(each.name_or_number, each.full_type_text)
    ]
    found = sorted(
        so or filter(has_them, counters), key=lambda counter: natural_sort_key(counter.id)
    )
    if len(found) == 1:
        return counter_page(known, found[0].id)
    lines = tuple(
        PageLine(counter_summary(known.view, counter), (counter.id,)) for counter in found
    )
    return (
        ExplanationPage(f"{count_text(len(found), 'counter')}: {words}", lines) if found else None
    )


def _first_page(known: KnownFacts) -> ExplanationPage:
    """Return the totals, the points left, the Setup Areas, Isolated units, and the newest lines of
    the log."""
    view = known.view
    lines = [*_titles(known, numbers.total_names())]
    lines += _left(known)
    lines += [
        PageLine(explanation_page(known, id).title, (id,))
        for id in sorted(view.areas, key=natural_sort_key)
    ]
    cut_off = view.sort_counters_in_play(unit for unit in view.units.values() if unit.isolated)
    lines += [PageLine(f"Isolated: {counter_summary(view, unit)}", (unit.id,)) for unit in cut_off]
    lately = [journal_row_line(row, line.text) for row in known.rows for line in row.lines]
    return ExplanationPage("What do you want to know?", (*lines, *reversed(lately[-NEWEST:])))


# --- the text of an entry -------------------------------------------------------------------------

_IS_NUMBER = re.compile(r"15\.[0-9]+")
MOST_ROWS = 200  # the newest lines of a paragraph that are shown


def _row_of(known: KnownFacts, number: str) -> ShownRow | None:
    """Return the row of the journal with a number, if any."""
    return next((row for row in known.rows if str(row.number) == number), None)


def entry_page(known: KnownFacts, subject: str) -> ExplanationPage | None:
    """Return the page of a row of the journal: who entered it and when, its dice, its lines and its
    changes."""
    row = _row_of(known, subject.removeprefix(ENTRY))
    if row is None:
        return None
    lines = [*_answer_text(known, row), *_roll_text(known, row), *_lines_text(known, row)]
    if row.rule in NUMBERS:
        lines.append(PageLine(f"the rule: {row.heading}", (str(row.rule),)))
    return ExplanationPage(f"{row.number} · {row.heading}{undone_mark(row.undone)}", tuple(lines))


def _answer_text(known: KnownFacts, row: ShownRow) -> Iterator[PageLine]:
    counter = known.view.find(row.subject or "")
    about = counter.label if counter is not None else row.subject
    if about is not None and row.kind == "answer":
        answer = f"the {row.side.label} player's answer" if row.side else "answer"
        source = f", {source_text(row.source, row.seed)}" if row.source else ""
        given = "" if row.roll is not None else f": {_answer_worded(known, row.answer)}"
        yield known.linked_line(f"{answer} about {about}{given}{source}", *_ids(known, row.subject))
    if row.by is not None:
        seat = f" from the {row.seat.label} seat" if row.seat is not None else ""
        yield PageLine(entered_text(row.by, row.at or "–", seat))


def _answer_worded(known: KnownFacts, raw: Raw) -> str:
    """Return an answer in words, with counters by name."""
    if isinstance(raw, dict) and raw:
        parts = (f"{_answer_worded(known, key)}: {_answer_worded(known, raw[key])}" for key in raw)
        return "; ".join(parts)
    if isinstance(raw, list) and raw:
        return ", ".join(_answer_worded(known, part) for part in raw)
    if not isinstance(raw, str):
        return answer_text(raw)
    counter = known.view.find(raw)
    return counter.label if counter is not None else raw.replace("_", " ")


def _ids(known: KnownFacts, *ids: str | None) -> list[str]:
    return [id for id in ids if id is not None and known.has_subject(id)]


def _roll_text(known: KnownFacts, row: ShownRow) -> Iterator[PageLine]:
    """Yield the dice, each modifier with its reason, the Final, and the row of the table."""
    roll = row.roll
    if roll is None:
        return
    faces = ",".join(map(str, roll["dice"]))
    yield PageLine(f"{'dr' if len(roll['dice']) == 1 else 'DR'} {faces}: {roll['original']}")
    if roll["modifiers"]:
        kind = "drm" if len(roll["dice"]) == 1 else "DRM"
        yield PageLine(f"{kind}: {modifiers_text(roll)}")
    table = known.card.tables.get(roll["table"])
    named = f"{table.title} ({table.rule})" if table is not None else roll["table"]
    final = (
        f"Final {hyphens_to_minus_signs(roll['final'])}: {roll_result_text(known.card, roll)}, on "
        f"the table {named}"
    )
    yield known.linked_line(final)


def _lines_text(known: KnownFacts, row: ShownRow) -> Iterator[PageLine]:
    for line in row.lines:
        yield known.linked_line(line.text, *_ids(known, *line.about))
    for change in row.changes:
        table, id, *_ = change
        if table in EXPLAINED:
            named = f"{_record_named(known, id)}: {change_text(row, change)}"
            yield PageLine(named, tuple(_ids(known, id)))


def _record_named(known: KnownFacts, id: str) -> str:
    """Return the name of a counter or other record."""
    counter, points = known.view.find(id), known.view.allotments.get(id)
    if counter is not None:
        return counter.label
    if points is not None:
        fund = fund_of(points.side, points.beach)
        return account_name(Account(fund.side, fund.beach))
    return id


# --- paragraphs and rulings -----------------------------------------------------------------------


def rule_page(known: KnownFacts, number: str) -> ExplanationPage | None:
    """Return the page of a paragraph: its summary, its rulings, and all its results in this
    campaign. For a number with several paragraphs or rulings under it, return a list of them."""
    rulings = list(_rulings(known, number))
    if number not in NUMBERS:
        under = [
            rule for rule in NUMBERS if _IS_NUMBER.fullmatch(number) and rule.startswith(number)
        ]
        lines = [PageLine(f"{rule} {TITLES[rule]}", (rule,)) for rule in under] + rulings
        return ExplanationPage(number, tuple(lines)) if lines else None
    rows = [row for row in known.rows if row.rule == number and row.lines]
    lines = [
        known.linked_line(paragraph_of(number).summary),
        *rulings,
        *map(_row_in_short, rows[-MOST_ROWS:]),
    ]
    return ExplanationPage(f"{number} {TITLES[number]}", tuple(lines))


def _rulings(known: KnownFacts, number: str) -> Iterator[PageLine]:
    """Yield the rulings on a paragraph."""
    for id, ruling in known.card.rulings.items():
        if str(ruling.rule) == number:
            now = ruling.short_value_text(known.view.ruling_value(id))
            words = f"{id}: {ruling.question} Current ruling: {now}"
            yield PageLine(
                words if ruling.has_choice else f"Fixed reading: {ruling.fixed_reading_text}", (id,)
            )


def _row_in_short(row: ShownRow) -> PageLine:
    return journal_row_line(row, "; ".join(line.text for line in row.lines))


def ruling_page(known: KnownFacts, id: str) -> ExplanationPage | None:
    """Return the page of a ruling: its question, its current value, the alternatives, and the time
    of the agreement."""
    ruling = known.card.rulings.get(id)
    if ruling is None:
        return None
    now = known.view.ruling_value(id)
    rule = (str(ruling.rule),) if _IS_NUMBER.fullmatch(str(ruling.rule)) else ()
    default = ruling.short_value_text(ruling.default)
    facts = f"default: {default} ({ruling.provenance}); confidence: {ruling.sure}"
    lines = [PageLine(facts, rule)]
    if ruling.is_asked_when_it_matters and not known.view.is_ruling_agreed(id):
        lines.append(PageLine("not yet agreed: you will be asked the first time that it matters"))
    if ruling.options:
        for value, words in ((value, ruling.meaning(value)) for value in ruling.options):
            meaning = f": {words}" if words != value else ""
            mark = "●" if value == now else "○"
            lines.append(PageLine(f"{mark} {ruling.value_text(value)}{meaning}"))
    agreed = (row for row in known.rows if row.subject == id)
    named = re.compile(rf"\((ruling {id}\b|{id}: )")  # as older logs name it
    lines += map(_row_in_short, agreed)
    lines += [
        _row_in_short(row)
        for row in known.rows
        if row.subject != id and any(named.search(line.text) for line in row.lines)
    ][-MOST_ROWS:]
    return ExplanationPage(
        f"{id} ({ruling.rule}): {ruling.question} {ruling.short_value_text(now)}", tuple(lines)
    )


PAGES = (
    numbers.total_page,
    numbers.victory_points_page,
    area_page,
    numbers.purchase_page,
    numbers.pool_page,
    numbers.limits_page,
    numbers.allotment_page,
    ruling_page,
    rule_page,
    counter_page,
    entry_page,
    hex_page,
)
