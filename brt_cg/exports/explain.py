"""How a counter, a total, an area, a purchase or a pool came to be what it is: the chain of the
journal's entries, in the players' words."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from brt_cg.asks import Refused
from brt_cg.campaign import Campaign
from brt_cg.card import Card
from brt_cg.counters import Counter, Fate, Side
from brt_cg.exports.entries_told import Row
from brt_cg.exports.history import folded
from brt_cg.exports.purchases import account_lines, account_name
from brt_cg.exports.seat_journal import journal_rows
from brt_cg.exports.wording import state_told
from brt_cg.journal.book import Book
from brt_cg.journal.changes import Change
from brt_cg.journal.entries import TIME_TRAVEL
from brt_cg.purchases import pools
from brt_cg.purchases.ledger import in_words
from brt_cg.purchases.totals import fund_of, void_of
from brt_cg.records import SIDES, Allotment, Area, Purchase, RulingInForce, SideRecord
from brt_cg.refit.s607_perimeters import in_ranges
from brt_cg.secrets_kept import seen_by

COUNTERS = ("units", "weapons", "vehicles", "fortifications", "terrain")
POOL_TABLES = (Allotment.TABLE, Purchase.TABLE)
TOTALS = {"san": "SAN", "elr": "ELR", "cvp": "CVP"}


@dataclass(frozen=True, slots=True)
class Known:
    """What the asking side may know: the campaign as it sees it, and its rows of the journal."""

    view: Campaign
    card: Card
    rows: list[Row]
    side: Side | None


def explain(book: Book, subject: str, side: Side | None = None) -> list[str]:
    """The chain of entries behind a subject, as a side (None: the umpire) may know it.

    A subject is the id of a counter, an area, a purchase, an allotment or a ruling, a total
    ("marine.cvp"), or a pool ("japanese/red_one/gpp", "marine/fpp"). Raises Refused for what is not
    known, naming what is like it.
    """
    return explain_of(known_to(book, side), subject)


def known_to(book: Book, side: Side | None) -> Known:
    """What a side (None: the umpire) may know, to explain several subjects of."""
    return Known(seen_by(book.campaign, side), book.card, journal_rows(book, side), side)


def explain_of(known: Known, subject: str) -> list[str]:
    """The chain of entries behind one of several subjects."""
    for explains in (_total, _area, _purchase, _pool, _allotment, _ruling, _counter):
        lines = explains(known, subject)
        if lines is not None:
            return lines
    near = get_close_matches(subject, _subjects(known), n=5, cutoff=0.5)
    hint = f"; is it {', '.join(near)}?" if near else ""
    allowed = "the id of a counter, area, purchase or ruling, marine.cvp, marine/fpp"
    raise Refused(f"nothing is known of {subject!r}{hint} (allowed: {allowed})")


def _subjects(known: Known) -> list[str]:
    """Everything that can be explained to the asking side."""
    tables = (*COUNTERS, Area.TABLE, Purchase.TABLE, RulingInForce.TABLE)
    ids = [key for table in tables for key in known.view.tables[table]]
    totals = [f"{side}.{name}" for side in SIDES for name in TOTALS]
    return [*ids, *totals, *_pools(known)]


# --- counters -------------------------------------------------------------------------------------


def _counter(known: Known, id: str) -> list[str] | None:
    counter = known.view.find(id)
    if counter is None and not _changed(known.rows, id, COUNTERS):
        return None
    head = f"{id}: not known here any more" if counter is None else _stands(known.view, counter)
    return [head, *_chain(known.rows, id, COUNTERS)]


def _stands(view: Campaign, counter: Counter) -> str:
    """A counter as it is now."""
    label = view.label(counter)
    named = label if counter.id in label else f"{label} ({counter.id})"
    side = getattr(counter, "side", None)
    facts = [side.label] if side else []
    fate = str(counter.fate).replace("_", " ")
    if counter.fate is Fate.IN_PLAY:
        facts.append(f"in {view.place(counter)}" if not counter.off_map else "off map")
    else:
        facts.append(fate if counter.became is None else f"{fate}, became {counter.became}")
    told = state_told(counter)
    return f"{named}: {', '.join([*facts, told] if told else facts)}"


def _changed(rows: Iterable[Row], id: str, tables: tuple[str, ...]) -> bool:
    """Whether a record was ever there."""
    return any(change[0] in tables and change[1] == id for row in rows for change in row.changes)


def _chain(rows: Iterable[Row], id: str, tables: tuple[str, ...]) -> Iterator[str]:
    """The rows that changed a record or speak of it."""
    for row in rows:
        if row.kind in TIME_TRAVEL:
            continue
        changes = [change for change in row.changes if change[0] in tables and change[1] == id]
        lines = [line.text for line in row.lines if id in line.about]
        if changes or lines:
            yield _told(row, lines, changes)


def _told(row: Row, lines: Iterable[str], changes: Iterable[Change]) -> str:
    said = "; ".join(lines)
    # A correction's own line says what it changed.
    told = () if row.kind == "edit" and said else (_change_told(row, change) for change in changes)
    what = ", ".join(told)
    words = f"{said} [{what}]" if said and what else said or what
    return _numbered(row, words)


def _numbered(row: Row, words: str) -> str:
    return f"{row.number} · {row.heading} · {words}" + (" (taken back)" if row.undone else "")


def _change_told(row: Row, change: Change) -> str:
    _, _, name, old, new = change
    if name:
        return f"{name.replace('_', ' ')} {worded(old)} → {worded(new)}"
    if new is None:
        return "gone" if row.hash is not None else "no longer known"
    return "created" if row.hash is not None else "first known"


def worded(value: Any) -> str:
    """A field's value from a change: "broken, wounded", "yes", "–" for nothing."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(worded, value)) or "–"
    return "–" if value is None else str(value).replace("_", " ")


# --- totals, areas, rulings -----------------------------------------------------------------------


def _total(known: Known, subject: str) -> list[str] | None:
    """SAN, ELR or CVP of a side, each time that it changed."""
    whose, _, name = subject.partition(".")
    if whose not in list(Side) or name not in TOTALS:
        return None
    now = getattr(known.view.sides[whose], name)
    lines = [f"{Side(whose).label} {TOTALS[name]} {now}"]
    before: int | None = None
    for campaign, row in folded(known.rows, SideRecord.TABLE):
        record = campaign.sides.get(whose)
        after = None if record is None else getattr(record, name)
        if after != before:
            lines.append(_numbered(row, _total_told(row, whose, name, before, after)))
        before = after
    return lines


def _total_told(row: Row, whose: str, name: str, before: int | None, after: int | None) -> str:
    word, label = TOTALS[name], Side(whose).label
    figures = f"{word} {after}" if before is None else f"{word} {before} → {after}"
    said = [line.text for line in row.lines if word in line.text and label in line.text]
    return f"{figures}: {'; '.join(said)}" if said else figures


def _area(known: Known, id: str) -> list[str] | None:
    area = known.view.areas.get(id)
    if area is None and not _changed(known.rows, id, (Area.TABLE,)):
        return None
    found = [row for row in known.rows if row.stands and _concerns(row, id)]
    lines = [f"{id}: no such Setup Area now"]
    if area is not None:
        hexes = in_ranges(area.hexes)
        lines = [f"{id}: {area.side.label} Setup Area of {len(area.hexes)} hexes: {hexes}"]
    return lines + [_numbered(row, "; ".join(_area_lines(row, id)) or "changed") for row in found]


def _concerns(row: Row, area: str) -> bool:
    changed = any(change[0] == Area.TABLE and change[1] == area for change in row.changes)
    return changed or any(_area_lines(row, area))


def _area_lines(row: Row, area: str) -> list[str]:
    return [line.text for line in row.lines if line.text.startswith(f"{area}: ")]


def _ruling(known: Known, id: str) -> list[str] | None:
    ruling = known.card.rulings.get(id)
    if ruling is None:
        return None
    head = f"{id} ({ruling.rule}): {ruling.question}: {known.view.ruling(id)}"
    agreed = (
        _numbered(row, "; ".join(line.text for line in row.lines))
        for row in known.rows
        if row.kind == "ruling" and row.subject == id
    )
    return [head, f"default {ruling.default}; {ruling.provenance}; {ruling.sure}", *agreed]


# --- purchases and pools --------------------------------------------------------------------------


def _purchase(known: Known, id: str) -> list[str] | None:
    purchase = known.view.purchases.get(id)
    if purchase is None and not _changed(known.rows, id, (Purchase.TABLE,)):
        return None
    chain = _chain(known.rows, id, (Purchase.TABLE,))
    if purchase is None:
        return [f"{id}: no longer there", *chain]
    lines = [f"{id}: {purchase.side.label}, {purchase.date}: {in_words(known.card, purchase)}"]
    if purchase.draft:
        lines.append("a draft: nothing is spent yet")
    if purchase.voids is not None:
        lines.append(f"voids {purchase.voids}: {purchase.reason}")
    lines.append(f"entered by {purchase.entered_by or '–'} at {purchase.entered_at or '–'}")
    void = void_of(known.view, purchase)
    if void is not None:
        lines.append(f"voided on {void.date} by {void.id}: {void.reason}")
    counters = (known.view.find(id) for id in purchase.created)
    lines += [
        f"created {_stands(known.view, counter)}" for counter in counters if counter is not None
    ]
    return [*lines, *chain]


def _pools(known: Known) -> list[str]:
    """The pools whose points the asking side may know."""
    accounts = pools.accounts(known.view, known.card, _pool_side(known))
    names = [
        f"{account.side}/{account.beach}" if account.beach else str(account.side)
        for account in accounts
    ]
    return [f"{name}/{kind}" for name in names for kind in pools.KINDS] + names


def _pool_side(known: Known) -> Side | None:
    return Side.MARINE if known.side is Side.MARINE else None


def _pool(known: Known, subject: str) -> list[str] | None:
    """A pool: what is allotted, granted, each purchase and void, and what is left after each."""
    if subject not in _pools(known):
        return None
    side, beach, kinds = _read_pool(subject)
    now = _account(known.view, side, beach)
    of_kinds = [line for line in account_lines(now) if _is_of(line, kinds)]
    lines = [account_name(now), *(of_kinds or ["  nothing is allotted"])]
    before = pools.Account(side, beach)
    for campaign, row in folded(known.rows, *POOL_TABLES):
        after = _account(campaign, side, beach)
        told = [line for kind in kinds for line in _moved(before, after, kind)]
        if told:
            ids = _ids_of(campaign, row, now)
            said = [line.text for line in row.lines if not ids.isdisjoint(line.about)]
            lines.append(_numbered(row, "; ".join([*told, *said])))
        before = after
    return lines


def _allotment(known: Known, id: str) -> list[str] | None:
    """A grant, or an allotment by its id."""
    allotment = known.view.allotments.get(id)
    if allotment is None:
        return None
    when = f", granted on {allotment.date}" if allotment.date else ""
    pending = "" if allotment.credited else ", not yet credited"
    points = pools.amounts(allotment)
    owner = account_name(pools.Account(allotment.side, allotment.beach))
    head = f"{id}: {owner}{when}{pending}: {points}"
    return [head, *_chain(known.rows, id, (Allotment.TABLE,))]


def _read_pool(subject: str) -> tuple[Side, str | None, tuple[str, ...]]:
    parts = subject.split("/")
    kinds = (parts.pop(),) if parts[-1] in pools.KINDS else pools.KINDS
    return Side(parts[0]), parts[1] if len(parts) > 1 else None, kinds


def _is_of(line: str, kinds: Iterable[str]) -> bool:
    return any(line.strip().startswith(f"{pools.KIND_NAMES[kind]}:") for kind in kinds)


def _account(campaign: Campaign, side: Side, beach: str | None) -> pools.Account:
    return pools.account(campaign, side, beach)


def _moved(before: pools.Account, after: pools.Account, kind: str) -> Iterator[str]:
    """How much was given and spent, and what is left."""
    name, left = pools.KIND_NAMES[kind], after.left.of(kind)
    given = after.given.of(kind) - before.given.of(kind)
    spent = after.spent.of(kind) - before.spent.of(kind)
    if given:
        yield f"{_signed(given)} {name} given, {left} left"
    if spent:
        yield f"{_signed(-spent)} {name} {'spent' if spent > 0 else 'returned'}, {left} left"


def _signed(number: int) -> str:
    return f"{number:+}".replace("-", "−")


def _ids_of(campaign: Campaign, row: Row, account: pools.Account) -> set[str]:
    """The allotments and purchases of an account that a row changed."""
    found = (
        campaign.tables[change[0]].get(change[1])
        for change in row.changes
        if change[0] in POOL_TABLES
    )
    return {
        record.id
        for record in found
        if record is not None and fund_of(record.side, record.beach) == account.fund
    }
