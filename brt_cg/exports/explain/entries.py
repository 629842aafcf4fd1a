"""Explains a row of the journal, a paragraph, a ruling."""

import re
from collections.abc import Iterator

from brt_cg.exports.dice import modifiers_text, row_in_words
from brt_cg.exports.explain.pages import (
    ENTRY,
    EXPLAINED,
    ExplanationPage,
    Known,
    PageLine,
    change_text,
    numbered,
)
from brt_cg.exports.purchases import account_name
from brt_cg.purchases.pools import Account
from brt_cg.purchases.totals import fund_of
from brt_cg.questions.answers import Raw, in_words, source_words
from brt_cg.refit.sequence import NUMBERS, TITLES, paragraph_of
from brt_cg.text import minus
from brt_cg.views.rows import ShownRow, undone_mark

_IS_NUMBER = re.compile(r"15\.[0-9]+")
MOST_ROWS = 200  # the newest lines of a paragraph that are shown


def entry_page(known: Known, subject: str) -> ExplanationPage | None:
    """A row of the journal: who entered it and when, its dice, its lines and its changes."""
    number = subject.removeprefix(ENTRY)
    row = next((row for row in known.rows if str(row.number) == number), None)
    if row is None:
        return None
    lines = [*_answer_text(known, row), *_roll_text(known, row), *_lines_text(known, row)]
    if row.rule in NUMBERS:
        lines.append(PageLine(f"the rule: {row.heading}", (str(row.rule),)))
    return ExplanationPage(f"{row.number} · {row.heading}{undone_mark(row.undone)}", tuple(lines))


def _answer_text(known: Known, row: ShownRow) -> Iterator[PageLine]:
    counter = known.view.find(row.subject or "")
    about = counter.label if counter is not None else row.subject
    if about is not None and row.kind == "answer":
        answer = f"the {row.side.label} side's answer" if row.side else "answer"
        source = f", {source_words(row.source, row.seed)}" if row.source else ""
        given = "" if row.roll is not None else f": {_answer_worded(known, row.answer)}"
        yield known.line(f"{answer} about {about}{given}{source}", *_ids(known, row.subject))
    if row.by is not None:
        seat = f" from the {row.seat.label} seat" if row.seat is not None else ""
        yield PageLine(f"entered by {row.by}{seat} at {row.at}")


def _answer_worded(known: Known, raw: Raw) -> str:
    """An answer in words, with counters by name."""
    if isinstance(raw, dict) and raw:
        parts = (f"{_answer_worded(known, key)}: {_answer_worded(known, raw[key])}" for key in raw)
        return "; ".join(parts)
    if isinstance(raw, list) and raw:
        return ", ".join(_answer_worded(known, part) for part in raw)
    if not isinstance(raw, str):
        return in_words(raw)
    counter = known.view.find(raw)
    return counter.label if counter is not None else raw.replace("_", " ")


def _ids(known: Known, *ids: str | None) -> list[str]:
    return [id for id in ids if id is not None and known.has(id)]


def _roll_text(known: Known, row: ShownRow) -> Iterator[PageLine]:
    """The dice, each modifier with its reason, the Final, and the row of the table."""
    roll = row.roll
    if roll is None:
        return
    faces = ",".join(map(str, roll["dice"]))
    yield PageLine(f"{'dr' if len(roll['dice']) == 1 else 'DR'} {faces}: {roll['original']}")
    if roll["modifiers"]:
        yield PageLine(f"drm: {modifiers_text(roll)}")
    table = known.card.tables.get(roll["table"])
    named = f"{table.title} ({table.rule})" if table is not None else roll["table"]
    final = f"Final {minus(roll['final'])}: {row_in_words(known.card, roll)}, on the table {named}"
    yield known.line(final)


def _lines_text(known: Known, row: ShownRow) -> Iterator[PageLine]:
    for line in row.lines:
        yield known.line(line.text, *_ids(known, *line.about))
    for change in row.changes:
        table, id, *_ = change
        if table in EXPLAINED:
            named = f"{_record_named(known, id)}: {change_text(row, change)}"
            yield PageLine(named, tuple(_ids(known, id)))


def _record_named(known: Known, id: str) -> str:
    """The name of a counter or other record."""
    counter, points = known.view.find(id), known.view.allotments.get(id)
    if counter is not None:
        return counter.label
    if points is not None:
        fund = fund_of(points.side, points.beach)
        return account_name(Account(fund.side, fund.beach))
    return id


# --- paragraphs and rulings -----------------------------------------------------------------------


def rule_page(known: Known, number: str) -> ExplanationPage | None:
    """A paragraph: its summary, its rulings, and all its results in this campaign. For a number
    with several paragraphs or rulings under it, a list of them."""
    rulings = list(_rulings(known, number))
    if number not in NUMBERS:
        under = [
            rule for rule in NUMBERS if _IS_NUMBER.fullmatch(number) and rule.startswith(number)
        ]
        lines = [PageLine(f"{rule} {TITLES[rule]}", (rule,)) for rule in under] + rulings
        return ExplanationPage(number, tuple(lines)) if lines else None
    rows = [row for row in known.rows if row.rule == number and row.lines]
    lines = [
        known.line(paragraph_of(number).summary),
        *rulings,
        *map(_row_in_short, rows[-MOST_ROWS:]),
    ]
    return ExplanationPage(f"{number} {TITLES[number]}", tuple(lines))


def _rulings(known: Known, number: str) -> Iterator[PageLine]:
    """The rulings on a paragraph."""
    for id, ruling in known.card.rulings.items():
        if str(ruling.rule) == number:
            now = ruling.worded(known.view.ruling(id))
            yield PageLine(f"{id}: {ruling.question} Current value: {now}", (id,))


def _row_in_short(row: ShownRow) -> PageLine:
    return numbered(row, "; ".join(line.text for line in row.lines))


def ruling_page(known: Known, id: str) -> ExplanationPage | None:
    """A ruling: its question, its current value, the alternatives, and when it was agreed."""
    ruling = known.card.rulings.get(id)
    if ruling is None:
        return None
    now = known.view.ruling(id)
    rule = (str(ruling.rule),) if _IS_NUMBER.fullmatch(str(ruling.rule)) else ()
    default = ruling.worded(ruling.default)
    facts = f"default: {default} ({ruling.provenance}); confidence: {ruling.sure}"
    lines = [PageLine(facts, rule)]
    if ruling.is_asked and not known.view.is_agreed(id):
        lines.append(PageLine("not yet agreed: you will be asked the first time that it matters"))
    if ruling.options:
        for value, words in ((value, ruling.meaning(value)) for value in ruling.options):
            meaning = f": {words}" if words != value else ""
            mark = "●" if value == now else "○"
            lines.append(PageLine(f"{mark} {ruling.worded(value)}{meaning}"))
    agreed = (row for row in known.rows if row.subject == id)
    lines += map(_row_in_short, agreed)
    lines += [
        _row_in_short(row)
        for row in known.rows
        if row.subject != id and any(f"({id}: " in line.text for line in row.lines)
    ][-MOST_ROWS:]
    return ExplanationPage(
        f"{id} ({ruling.rule}): {ruling.question} {ruling.worded(now)}", tuple(lines)
    )
