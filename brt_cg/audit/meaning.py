"""What the entries mean, entry by entry: dice, rolls, origins and fates, purchases and pools.

Each check is a small function of one moment: the entry, and the campaign before and after it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from brt_cg.audit.finding import Finding
from brt_cg.campaign import Campaign, Purchase
from brt_cg.card import Card, load_card
from brt_cg.counters import Fate, Side
from brt_cg.dice import Modifier, read_faces
from brt_cg.journal.changes import apply
from brt_cg.journal.entries import Entry
from brt_cg.purchases.limits import breaches_together
from brt_cg.purchases.pools import accounts
from brt_cg.purchases.voids import void_breaches
from brt_cg.secrets_kept import secret_of

ORIGINS = ("import", "reinforce", "buy", "commit", "begin", "answer", "redo", "undo")
COUNTERS = ("units", "weapons", "vehicles", "fortifications", "terrain")


@dataclass(frozen=True, slots=True)
class Moment:
    """One entry, and the campaign just before and just after it."""

    entry: Entry
    before: Campaign
    after: Campaign
    card: Card

    def finding(self, code: str, rule: str, message: str, secret: Side | None = None) -> Finding:
        where = str(self.entry.seq)
        whose = secret or self.entry.secret
        return Finding(code, rule, f"entry {where}: {message}", (where,), whose)


Check = Callable[[Moment], Iterator[Finding]]


def folded(entries: Sequence[Entry]) -> tuple[Campaign, list[Finding]]:
    """Folds the journal, with every check on every entry. The fold ends where one does not fit."""
    campaign = Campaign()
    findings: list[Finding] = []
    for entry in entries:
        before = campaign.clone() if _needs_before(entry) else campaign
        try:
            apply(campaign, entry.changes)
            card = load_card(campaign.situation.cg)
        except (ValueError, KeyError, TypeError) as problem:
            text = f"entry {entry.seq} does not fit the campaign it found: {problem}"
            findings.append(Finding("fold", "journal", text, (str(entry.seq),), entry.secret))
            return campaign, findings
        moment = Moment(entry, before, campaign, card)
        findings.extend(one for check in CHECKS for one in check(moment))
    findings.extend(fates(campaign))
    return campaign, findings


def _needs_before(entry: Entry) -> bool:
    return entry.kind in ("buy", "commit", "void")


def dice(moment: Moment) -> Iterator[Finding]:
    """The dice of a roll are dice."""
    roll = moment.entry.payload.get("roll")
    if roll is None:
        return
    rule = str(moment.entry.payload["ask"]["rule"])
    table = moment.card.tables.get(roll["table"])
    try:
        faces = roll["dice"]
        if table is not None:
            read_faces(table.dice, faces[0] if len(faces) == 1 else faces)
        elif not all(type(face) is int and 1 <= face <= 6 for face in faces):
            raise ValueError(f"{faces} are not dice")
    except (ValueError, IndexError) as problem:
        yield moment.finding("dice", rule, str(problem))


def rolls(moment: Moment) -> Iterator[Finding]:
    """Final and row follow from the dice, the modifiers and the table."""
    roll = moment.entry.payload.get("roll")
    if roll is None:
        return
    rule = str(moment.entry.payload["ask"]["rule"])
    original = sum(roll["dice"])
    final = original + sum(amount for amount, _ in roll["modifiers"])
    if (roll["original"], roll["final"]) != (original, final):
        told = f"Original {roll['original']}, Final {roll['final']}"
        yield moment.finding("roll", rule, f"{told}, where {original} and {final} are right")
        return
    table = moment.card.tables.get(roll["table"])
    if table is not None:
        modifiers = [Modifier(amount, reason) for amount, reason in roll["modifiers"]]
        row = table.resolve(tuple(roll["dice"]), modifiers).row.result
        if row != roll["row"]:
            yield moment.finding("roll", rule, f"row {roll['row']}, where {row} is right")


def origins(moment: Moment) -> Iterator[Finding]:
    """A counter enters play by an import, a purchase or a paragraph; purchases by their command."""
    if moment.entry.kind in ORIGINS:
        return
    for table, key, name, _, new in moment.entry.changes:
        if name == "" and new is not None and table in COUNTERS:
            yield moment.finding("origin", "15.6", f"{key} appears by a {moment.entry.kind}")


def purchases(moment: Moment) -> Iterator[Finding]:
    """Every purchase, as of its own moment and the rulings then in force, keeps the limits."""
    if moment.entry.kind not in ("buy", "commit"):
        return
    bought = [one for one in map(_purchase_in(moment), moment.entry.changes) if one is not None]
    for breach in breaches_together(moment.before, moment.card, bought):
        secret = secret_of(moment.after, bought[0])
        message = f"{', '.join(breach.records)}: {breach.message}"
        yield Finding(breach.code, breach.rule, message, breach.records, secret)


def _purchase_in(moment: Moment) -> Callable[[list[Any]], Purchase | None]:
    def find(change: list[Any]) -> Purchase | None:
        table, key, name, _, _ = change
        found = moment.after.purchases.get(key) if table == Purchase.TABLE else None
        made = found is not None and name in ("", "draft")
        return found if made and found is not None and not found.draft else None

    return find


def voids(moment: Moment) -> Iterator[Finding]:
    """Every void takes back one standing purchase of its side, whole, in a buying window."""
    if moment.entry.kind != "void":
        return
    for table, key, name, _, _ in moment.entry.changes:
        if table == Purchase.TABLE and name == "" and key in moment.after.purchases:
            void = moment.after.purchases[key]
            for breach in void_breaches(moment.before, moment.card, void):
                secret = secret_of(moment.after, void)
                yield Finding(breach.code, breach.rule, breach.message, breach.records, secret)


def pools(moment: Moment) -> Iterator[Finding]:
    """No pool is ever below zero."""
    touched = {table for table, *_ in moment.entry.changes}
    if not touched & {"purchases", "allotments"}:
        return
    for account in accounts(moment.after, moment.card):
        for breach in account.overdrawn():
            secret = account.side if account.side is Side.JAPANESE else None
            yield moment.finding("pool", breach.rule, breach.message, secret)


def fates(campaign: Campaign) -> Iterator[Finding]:
    """Every counter that became another one, or crews one, names it."""
    for counter in campaign.counters():
        changed = counter.fate in (Fate.RECOMBINED, Fate.CREWED)
        if changed and (counter.became is None or campaign.find(counter.became) is None):
            message = f"{counter.id} is {counter.fate}, but not into any counter"
            yield Finding("fate", "15.6", message, (counter.id,), secret_of(campaign, counter))


CHECKS: tuple[Check, ...] = (dice, rolls, origins, purchases, voids, pools)
