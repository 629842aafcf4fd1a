"""Explanations of numbers: SAN, ELR and CVP of a side, its Victory Points, points left."""

from collections.abc import Iterable, Iterator, Mapping

from brt_cg.exports.explain.counters import counter_summary
from brt_cg.exports.explain.pages import (
    ExplanationPage,
    KnownFacts,
    PageLine,
    entered_text,
    journal_row_line,
    record_history_lines,
)
from brt_cg.exports.history import campaign_after_each_row
from brt_cg.exports.purchases import account_lines, account_name
from brt_cg.exports.wording import SIDE_TOTALS, total_text, total_value
from brt_cg.journal.changes import apply_changes
from brt_cg.model import BY_TABLE, SIDES, Allotment, Campaign, Casualty, Purchase, Side, SideRecord
from brt_cg.purchases import pools
from brt_cg.purchases.checks import list_limit_checks
from brt_cg.purchases.ledger import purchase_text
from brt_cg.purchases.totals import Fund, fund_of, void_record_of
from brt_cg.refit.casualties import REPORTED, row_reason_text
from brt_cg.refit.victory import fallen_pillboxes, pillbox_points, victory_points
from brt_cg.text import hyphens_to_minus_signs, signed_text
from brt_cg.views.journal_rows import ShownRow

POOL_TABLES = (Allotment.TABLE, Purchase.TABLE)
CVP, VICTORY = "cvp", "vp"


def total_names() -> list[str]:
    """Return the names of all totals: "marine.cvp"."""
    return [f"{side}.{name}" for side in SIDES for name in (*SIDE_TOTALS, VICTORY)]


def total_page(known: KnownFacts, subject: str) -> ExplanationPage | None:
    """Return the page about a side's SAN, ELR or CVP, with every change."""
    whose, _, name = subject.partition(".")
    if whose not in list(Side) or name not in SIDE_TOTALS:
        return None
    side = Side(whose)
    now = total_text(known.view, side, name)
    return ExplanationPage(
        f"{side.label} {SIDE_TOTALS[name]} {now}", tuple(_total_lines(known, side, name))
    )


def _total_lines(known: KnownFacts, side: Side, name: str) -> Iterator[PageLine]:
    """Yield every change of a total; those of CVP with the rows of the casualty ledger."""
    campaign, before = Campaign(), None
    tables = (SideRecord.TABLE, Casualty.TABLE, *BY_TABLE)
    for row in known.rows:
        if not row.is_standing:
            continue
        gone = {id: one.clone() for id, one in campaign.casualties.items() if _names(row, id)}
        apply_changes(campaign, (change for change in row.changes if change[0] in tables))
        after = total_value(campaign, side, name) if side in campaign.sides else None
        if after is None or after == before:
            continue
        figures = f"{SIDE_TOTALS[name]} {after if before is None else f'{before} → {after}'}"
        before = after
        if name != CVP:
            yield _total_line(row, side, figures, ())
            continue
        came = {id: one for id, one in campaign.casualties.items() if _names(row, id)}
        entered = row.kind in REPORTED
        leads = [one.counter for one in (*gone.values(), *came.values()) if one.counter]
        yield journal_row_line(row, figures) if entered else _total_line(row, side, figures, leads)
        if entered:
            yield from _rows(known, side, gone, came)


def _names(row: ShownRow, id: str) -> bool:
    return any(table == Casualty.TABLE and key == id for table, key, *_ in row.changes)


def _rows(
    known: KnownFacts, side: Side, gone: Mapping[str, Casualty], came: Mapping[str, Casualty]
) -> Iterator[PageLine]:
    """Yield the rows of the casualty ledger that a report or correction entered or undid."""
    for id, one in {**gone, **came}.items():
        if one.side is not side or gone.get(id) == came.get(id):
            continue
        back = "" if id in came else "no longer "
        words = (
            f"    {back}{hyphens_to_minus_signs(one.points)} CVP for "
            f"{row_reason_text(known.view, one)}"
        )
        yield PageLine(words, (one.counter,) if one.counter else ())


def _total_line(row: ShownRow, side: Side, figures: str, leads: Iterable[str]) -> PageLine:
    """Return a change of a total ("CVP 9 → 10"), with the lines about it. Their counters are links
    too."""
    word = figures.split()[0]
    about = [line for line in row.lines if word in line.text and side.label in line.text]
    words = f"{figures}: {'; '.join(line.text for line in about)}" if about else figures
    return journal_row_line(
        row, words, *dict.fromkeys([*leads, *(id for line in about for id in line.about)])
    )


# --- Victory Points -------------------------------------------------------------------------------


def victory_points_page(known: KnownFacts, subject: str) -> ExplanationPage | None:
    """Return the page of a side's Victory Points, in the campaign and in its last scenario
    (15.615)."""
    whose, _, name = subject.partition(".")
    if name != VICTORY or whose not in list(Side):
        return None
    side, view = Side(whose), known.view
    whole = victory_points(view, whole=True)[side]
    sums = {"campaign": whole, "last scenario": victory_points(view, whole=False)[side]}
    lines = [PageLine(f"{what}: {points}", (f"{side}.cvp",)) for what, points in sums.items()]
    if side is Side.MARINE:
        lines += [
            PageLine(f"pillbox, {pillbox_points(box)} VP: {counter_summary(view, box)}", (box.id,))
            for box in fallen_pillboxes(view)
        ]
    lines.append(PageLine(f"the total that counts (R-VP): {view.ruling_value('R-VP')}", ("R-VP",)))
    return ExplanationPage(f"{side.label} Victory Points {whole.total}", tuple(lines))


# --- purchases and pools --------------------------------------------------------------------------


def purchase_page(known: KnownFacts, id: str) -> ExplanationPage | None:
    """Return the page of a purchase: its cost, the counters that it created, who entered it, and
    its fate."""
    purchase = known.view.purchases.get(id)
    if purchase is None and not known.ever_had_record(id, (Purchase.TABLE,)):
        return None
    history = record_history_lines(known.rows, id, (Purchase.TABLE,))
    if purchase is None:
        return ExplanationPage(f"{id}: no longer known", tuple(history))
    pool = Fund(purchase.side, purchase.beach).id
    by, at = purchase.entered_by or "–", purchase.entered_at or "–"
    facts = [PageLine("a draft: nothing is spent yet")] if purchase.draft else []
    if purchase.voids is not None:
        facts.append(known.linked_line(f"voids {purchase.voids}: {purchase.reason}"))
    facts.append(PageLine(entered_text(by, at), (f"{pool}/{purchase.points}",)))
    void = void_record_of(known.view, purchase)
    if void is not None:
        facts.append(PageLine(f"voided on {void.date} by {void.id}: {void.reason}", (void.id,)))
    counters = (known.view.find(made) for made in purchase.created)
    there = (counter for counter in counters if counter is not None)
    facts += [
        PageLine(f"created {counter_summary(known.view, made)}", (made.id,)) for made in there
    ]
    title = f"{id}: {purchase.side.label}, {purchase.date}: {purchase_text(known.card, purchase)}"
    return ExplanationPage(title, (*facts, *history))


def known_accounts(known: KnownFacts) -> list[pools.Account]:
    """Return the accounts whose points the asking side may know."""
    side = Side.MARINE if known.side is Side.MARINE else None
    return pools.list_accounts(known.view, known.card, side)


def pool_names(known: KnownFacts) -> list[str]:
    """Return the pools of the known accounts: each kind of points, and each account as a whole."""
    names = [account.fund.id for account in known_accounts(known)]
    return [f"{name}/{kind}" for name in names for kind in pools.KINDS] + names


def pool_page(known: KnownFacts, subject: str) -> ExplanationPage | None:
    """Return the page of a pool: its allotment, each grant, purchase and void, and the points left
    after each."""
    if subject.partition("/")[0] not in SIDES or subject not in pool_names(known):
        return None
    whose, *rest = subject.split("/")
    kinds = (rest.pop(),) if rest and rest[-1] in pools.KINDS else pools.KINDS
    side, beach = Side(whose), rest[0] if rest else None
    now = pools.compute_account(known.view, side, beach)
    lines = [*map(PageLine, account_lines(now, kinds))] or [PageLine("  nothing allotted")]
    before = pools.Account(side, beach)
    for campaign, row in campaign_after_each_row(known.rows, *POOL_TABLES):
        after = pools.compute_account(campaign, side, beach)
        moved = [figure for kind in kinds for figure in _moved(before, after, kind)]
        if moved:
            ids = _ids_of(campaign, row, now)
            texts = [line.text for line in row.lines if not ids.isdisjoint(line.about)]
            lines.append(journal_row_line(row, "; ".join([*moved, *texts]), *sorted(ids)))
        before = after
    return ExplanationPage(account_name(now), tuple(lines))


LIMITS = "limits"  # the page of every limit of the purchases


def limits_page(known: KnownFacts, subject: str) -> ExplanationPage | None:
    """Return the page of the limits of 15.614, each with its figures and the purchases that
    count."""
    if subject != LIMITS:
        return None
    found = list_limit_checks(known.view, known.card, known.side)
    lines = [
        PageLine(
            f"{'ok' if each.is_kept else 'BROKEN'} · {each.what}: {each.count} of {each.most}, "
            f"{hyphens_to_minus_signs(each.remaining)} left ({each.rule})",
            each.records,
        )
        for each in found
    ]
    broken = sum(not each.is_kept for each in found)
    return ExplanationPage(f"Purchase limits: {broken or 'none'} exceeded", tuple(lines))


def allotment_page(known: KnownFacts, id: str) -> ExplanationPage | None:
    """Return the page of a grant, or of an allotment, by its id."""
    allotment = known.view.allotments.get(id)
    if allotment is None:
        return None
    when = f", granted on {allotment.date}" if allotment.date else ""
    pending = "" if allotment.credited else ", not yet credited"
    points = pools.allotment_amounts(allotment)
    owner = account_name(pools.Account(allotment.side, allotment.beach))
    title = f"{id}: {owner}{when}{pending}: {points}"
    return ExplanationPage(title, tuple(record_history_lines(known.rows, id, (Allotment.TABLE,))))


def _moved(before: pools.Account, after: pools.Account, kind: str) -> Iterator[str]:
    """Yield the points given, spent and left."""
    name, left = pools.KIND_NAMES[kind], after.left.points_of(kind)
    given = after.given.points_of(kind) - before.given.points_of(kind)
    spent = after.spent.points_of(kind) - before.spent.points_of(kind)
    if given:
        yield f"{signed_text(given)} {name} given, {left} left"
    if spent:
        yield f"{signed_text(-spent)} {name} {'spent' if spent > 0 else 'returned'}, {left} left"


def _ids_of(campaign: Campaign, row: ShownRow, account: pools.Account) -> set[str]:
    """Return the allotments and purchases of an account that a row changed."""
    named = (change[:2] for change in row.changes if change[0] in POOL_TABLES)
    found = (campaign.tables[table].get(id) for table, id in named)
    return {
        record.id
        for record in found
        if record is not None and fund_of(record.side, record.beach) == account.fund
    }
