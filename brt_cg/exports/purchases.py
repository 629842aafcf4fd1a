"""The ledger of purchases as text: per account what was given, spent and is left, and each item."""

from collections.abc import Iterable, Iterator

from brt_cg.campaign import Campaign
from brt_cg.card import Card
from brt_cg.counters import Side
from brt_cg.exports.formats import view_words
from brt_cg.journal.book import Book
from brt_cg.purchases.ledger import drafts
from brt_cg.purchases.listing import Row, beach_records, draft_report
from brt_cg.purchases.pools import KIND_NAMES, KINDS, Account
from brt_cg.secrets_kept import seen_by


def purchases_text(book: Book, side: Side | None = None) -> str:
    """What `purchases` prints: the accounts that a side may see (None: the umpire, all of both),
    and the drafts of each with every limit that they would break."""
    view = seen_by(book.campaign, side)
    blocks: list[list[str]] = []
    for record in beach_records(view, book.card, side):
        if record.account.given or record.rows:
            lines = [account_name(record.account), *account_lines(record.account)]
            blocks.append(lines + [f"    {item_told(row)}" for row in record.rows])
    for whose in Side:
        if drafts(view, whose):
            blocks.append(list(_draft(view, book.card, whose)))
    if not blocks:
        blocks = [["No points are allotted, and nothing has been bought."]]
    return "\n\n".join("\n".join(block) for block in [*blocks, [view_words(side)]])


def account_name(account: Account) -> str:
    """Whose points: "Marine", "Japanese, red one"."""
    beach = f", {account.beach.replace('_', ' ')}" if account.beach else ""
    return f"{account.side.label}{beach}"


def account_lines(account: Account) -> Iterator[str]:
    """A line for each kind of points that there is."""
    for kind in KINDS:
        given, spent = account.given.of(kind), account.spent.of(kind)
        if given or spent:
            granted = account.granted.of(kind)
            also = f" + {granted} granted" if granted else ""
            figures = f"{account.allotted.of(kind)} allotted{also} − {spent} spent"
            yield f"  {KIND_NAMES[kind]}: {figures} = {account.left.of(kind)} left"


def item_told(row: Row) -> str:
    """A record of the ledger in one line."""
    if row.voids is not None:
        return f"{row.id} · {row.date} · voids {row.voids}: {figures_told(row)} ({row.reason})"
    where = [f"at {row.location}"] if row.location else []
    where += [f"exit {row.exit}"] if row.exit else []
    where += [f"capacity {row.capacity}"] if row.capacity is not None else []
    place = f", {', '.join(where)}" if where else ""
    gone = f", voided by {row.voided_by}" if row.voided_by else ""
    lost = f", lost: {', '.join(row.lost)}" if row.lost and not row.voided_by else ""
    item = f"{row.quantity} × {row.name}"
    return f"{row.id} · {row.date} · {item}{place}: {figures_told(row)}{gone}{lost}"


def figures_told(row: Row) -> str:
    """What a record costs (a void gives back), in points."""
    exponent = f", exponent {row.exponent}" if row.exponent else ""
    return f"{row.total} {row.points.upper()}{exponent}".replace("-", "−")


def _draft(view: Campaign, card: Card, side: Side) -> Iterator[str]:
    report = draft_report(view, card, side)
    yield f"{side.label} draft: {report.total}"
    yield from (f"    {item_told(row)}" for row in report.rows)
    yield from _breaks(str(breach) for breach in report.breaches)


def _breaks(breaches: Iterable[str]) -> Iterator[str]:
    found = list(breaches)
    yield "  breaks no limit" if not found else "  breaks limits:"
    yield from (f"    {breach}" for breach in found)
