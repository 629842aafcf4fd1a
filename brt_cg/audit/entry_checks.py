"""The meaning of the entries, one by one: dice, rolls, origins and fates, purchases and pools.

Each check is a small function of one moment: an entry, and the campaign just before or just after
it.
"""

from collections import Counter as Tally
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import replace

from brt_cg.audit.finding import Finding
from brt_cg.audit.other_rules import (
    PURCHASING,
    card_of_campaign,
    entries_with_trusted_label,
    is_explained_by_other_rules,
    rules_version_of_entry,
)
from brt_cg.card import Card
from brt_cg.immutable import immutable
from brt_cg.journal.chain import NUMBERED
from brt_cg.journal.changes import apply_changes, force_changes, invert_changes
from brt_cg.journal.entries import KINDS_OF_PARAGRAPH, TIME_TRAVEL, Entry
from brt_cg.model import (
    BY_TABLE,
    INTO_ANOTHER,
    Allotment,
    Campaign,
    Counter,
    Fate,
    LossKind,
    Phase,
    Purchase,
    RulingInForce,
    Side,
    SideRecord,
    Situation,
    Unit,
    Vehicle,
    is_purchase_site_secret,
    only_side_allowed_to_read,
    secret_of,
)
from brt_cg.purchases.limits import breaches_with_window_and_price
from brt_cg.purchases.pools import compute_account
from brt_cg.purchases.totals import Fund, fund_of
from brt_cg.purchases.voids import is_in_open_buying_window, void_record_breaches
from brt_cg.questions import Modifier, read_faces
from brt_cg.refit.casualties import REPORTED, casualty_points, enter_cvp_changes_between
from brt_cg.refit.losses import SCORING
from brt_cg.refit.sequence import NUMBERS, VICTORY, has_played_prisoners_paragraph
from brt_cg.refit.victory import leading_side, score_text, victory_points
from brt_cg.text import hyphens_to_minus_signs, signed_text

CVP_REFIT = "R-CVP-REFIT"
WITH_LEDGER = 32  # the first version of the rules with a casualty ledger
OUT_OF_PLAY = (LossKind.ELIMINATED, LossKind.MASSACRED, LossKind.PRISONER)
ORIGINS = ("import", "reinforce", "deploy", "buy", "commit", "begin", "answer", *TIME_TRAVEL)
FROM_OUTSIDE = ("import", "reinforce")


@immutable
class EntryContext:
    """One entry, and the campaign that a check looks at; `purchases` are the purchases that it
    changes, by id, after the change; `labelled` is true if its rules version can explain
    anything."""

    entry: Entry
    campaign: Campaign
    card: Card
    purchases: Mapping[str, Purchase]
    labelled: bool

    def make_finding(self, code: str, rule: str, what: str, secret: Side | None = None) -> Finding:
        seq = self.entry.seq
        return Finding(code, rule, what, (str(seq),), secret or self.entry.secret, seq)

    def as_notice_if_explained(self, found: Finding, *parts: str) -> Finding:
        """Turn a finding into a notice, if different code, or different data of these parts, may
        explain it."""
        excused = self.labelled and is_explained_by_other_rules(self.entry, self.card, *parts)
        return replace(found, notice=excused)


Check = Callable[[EntryContext], Iterator[Finding]]


def apply_entries_and_check(
    entries: Sequence[Entry], sound: Set[int] = frozenset()
) -> tuple[Campaign, list[Finding]]:
    """Fold the journal, checking every entry except the `sound` ones. A change that does not fit is
    a finding, and is applied anyway."""
    campaign = Campaign()
    findings: list[Finding] = []
    labels = entries_with_trusted_label(entries)
    for entry in entries:
        if entry.seq in sound:
            force_changes(campaign, entry.changes)
            continue
        purchases = _purchases_of(campaign, entry)
        labelled = entry.seq in labels
        findings += _found(BEFORE, entry, campaign, purchases, labelled)
        misfits = force_changes(campaign, entry.changes)
        findings += (_misfit(entry, misfit) for misfit in misfits)
        findings += _found(AFTER, entry, campaign, purchases, labelled)
    return campaign, findings


def check_final_state(campaign: Campaign, entries: Sequence[Entry]) -> Iterator[Finding]:
    """Check the campaign after the whole journal."""
    yield from check_purchase_links(campaign, entries)
    yield from check_links_to_later_counters(campaign)
    yield from check_prisoner_guards(campaign)
    yield from check_casualty_ledger(campaign)
    yield from check_refit_losses_in_ledger(campaign, entries)


def _purchases_of(campaign: Campaign, entry: Entry) -> Mapping[str, Purchase]:
    """Return the purchases that an entry changes, after the change; `campaign` is the campaign
    before it."""
    changes = [change for change in entry.changes if change[0] == Purchase.TABLE]
    if not changes:
        return {}
    changed = Campaign()
    for key in {change[1] for change in changes} & campaign.purchases.keys():
        changed.purchases[key] = campaign.purchases[key].clone()
    force_changes(changed, changes)
    return changed.purchases


def _found(
    checks: Sequence[Check],
    entry: Entry,
    campaign: Campaign,
    purchases: Mapping[str, Purchase],
    labelled: bool,
) -> Iterator[Finding]:
    card = card_of_campaign(campaign)
    if card is not None:
        moment = EntryContext(entry, campaign, card, purchases, labelled)
        for check in checks:
            yield from _judged(check, moment)


def _misfit(entry: Entry, what: str) -> Finding:
    text = f"it does not fit the campaign at that point: {what}"
    return Finding("fold", "journal", text, (str(entry.seq),), entry.secret, entry.seq)


def _judged(check: Check, moment: EntryContext) -> Iterator[Finding]:
    try:
        yield from check(moment)
    except Exception as problem:  # a forged entry may raise anything in a check
        what = f"{check.__name__} failed: {problem!r}"
        yield moment.make_finding("unjudged", "journal", what)


# --- dice -----------------------------------------------------------------------------------------


def check_dice_faces(moment: EntryContext) -> Iterator[Finding]:
    """Check that the faces of a roll are possible dice."""
    roll = moment.entry.payload.get("roll")
    if roll is None:
        return
    table = moment.card.tables.get(roll["table"])
    faces = roll["dice"]
    try:
        if table is not None:
            read_faces(table.dice, faces[0] if len(faces) == 1 else faces)
        elif not faces or not all(1 <= face <= 6 for face in faces):
            raise ValueError(f"{faces} are not dice")
    except ValueError as problem:
        found = moment.make_finding("dice", _rule(moment), str(problem))
        real = all(1 <= face <= 6 for face in faces)
        yield moment.as_notice_if_explained(found, "tables") if real else found


def check_roll_results(moment: EntryContext) -> Iterator[Finding]:
    """Check that Final and row follow from the dice, the modifiers and the table."""
    roll = moment.entry.payload.get("roll")
    if roll is None:
        return
    original = sum(roll["dice"])
    final = original + sum(amount for amount, _ in roll["modifiers"])
    if (roll["original"], roll["final"]) != (original, final):
        text = f"Original {roll['original']}, Final {roll['final']}"
        yield moment.make_finding(
            "roll", _rule(moment), f"{text}, but it should be Original {original}, Final {final}"
        )
        return
    table = moment.card.tables.get(roll["table"])
    if table is None:
        # The rows of a draw depend on the remaining draws: the replay checks them.
        if roll["table"] != f"{_rule(moment)}.draw":
            found = moment.make_finding("roll", _rule(moment), f"there is no table {roll['table']}")
            yield moment.as_notice_if_explained(found, "tables")
        return
    modifiers = [Modifier(amount, reason) for amount, reason in roll["modifiers"]]
    try:
        row = table.resolve(tuple(roll["dice"]), modifiers).row.result
    except ValueError:
        return  # without dice: the check of the dice reports it
    if row != roll["row"]:
        text = f"row {roll['row']} is recorded, but the Final result of {final} gives row {row}"
        yield moment.as_notice_if_explained(
            moment.make_finding("roll", _rule(moment), text), "tables"
        )


def _rule(moment: EntryContext) -> str:
    return str(moment.entry.payload["ask"]["rule"])


# --- counters -------------------------------------------------------------------------------------


def check_counter_origins(moment: EntryContext) -> Iterator[Finding]:
    """Check that a counter enters the campaign by an import, a reinforcement, a purchase or a
    paragraph."""
    if moment.entry.kind in ORIGINS:
        return
    for table, key, name, _, new in moment.entry.changes:
        if name == "" and new is not None and table in BY_TABLE:
            counter = moment.campaign.find(key)
            secret = secret_of(moment.campaign, counter) if counter else None
            what = (
                f"{key} appears in an entry of type {moment.entry.kind}, which cannot add counters"
            )
            yield moment.make_finding("origin", "15.6", what, secret)


def check_purchase_links(campaign: Campaign, entries: Sequence[Entry]) -> Iterator[Finding]:
    """Check that every purchase and the counters it created refer to each other; a counter imported
    from a file may name a purchase of another campaign."""
    outside = {
        change[1] for entry in entries if entry.kind in FROM_OUTSIDE for change in entry.changes
    }
    made = {id: purchase.id for purchase in campaign.purchases.values() for id in purchase.created}
    counters = {counter.id: counter for counter in campaign.counters()}
    for counter in counters.values():
        if counter.purchase in (None, made.get(counter.id)) or counter.id in outside:
            continue
        what = f"{counter.id} names the purchase {counter.purchase}, which did not create it"
        secret = secret_of(campaign, counter)
        yield Finding("origin", "15.614", what, (counter.id, str(counter.purchase)), secret)
    for id, purchase in made.items():
        if id not in counters:
            what = f"{purchase} created {id}, which is not in the campaign"
            secret = secret_of(campaign, campaign.purchases[purchase])
            yield Finding("origin", "15.614", what, (id, purchase), secret)


def check_links_to_later_counters(campaign: Campaign) -> Iterator[Finding]:
    """Check that every counter that became another counter, or crews one, names that counter."""
    for counter in campaign.counters():
        changed = counter.fate in INTO_ANOTHER
        if changed and (counter.became is None or campaign.find(counter.became) is None):
            what = f"{counter.id} is {counter.fate}, but no resulting counter is named"
            yield Finding("fate", "15.6", what, (counter.id,), secret_of(campaign, counter))


def check_prisoner_guards(campaign: Campaign) -> Iterator[Finding]:
    """Check that every prisoner has a guard between 15.609 and the next scenario."""
    situation: Situation | None = campaign.tables[Situation.TABLE].get("campaign")
    if situation is None or situation.done not in {None, *NUMBERS}:
        return  # the entry that names it is lost or forged, which is another finding
    if not has_played_prisoners_paragraph(situation):
        return
    for unit in campaign.units.values():
        guard = campaign.units.get(unit.guard or "")
        if unit.in_play and unit.prisoner and (guard is None or not guard.in_play):
            what = f"{unit.id} is a prisoner without a guard"
            yield Finding("guard", "15.609", what, (unit.id,), secret_of(campaign, unit))


# --- casualties -----------------------------------------------------------------------------------


def check_casualty_ledger(campaign: Campaign) -> Iterator[Finding]:
    """Check that every row of the casualty ledger names a counter that was lost in the way that the
    row says."""
    for row in campaign.casualties.values():
        counter = campaign.find(row.counter) if row.counter is not None else None
        if row.how is LossKind.STATED:
            if not row.reason:
                what = (
                    f"{row.side.label} CVP {signed_text(row.points)} were entered without a reason"
                )
                yield Finding("casualty", "15.6032", what, (row.id,), row.secret)
        elif counter is None:
            what = (
                f"{row.side.label} CVP {signed_text(row.points)} were scored for an unknown counter"
            )
            yield Finding("casualty", "15.6032", what, (row.id,), row.secret)
        elif row.how in OUT_OF_PLAY and _is_unhurt(counter):
            what = (
                f"{counter.label} is in play, but its loss counts "
                f"{signed_text(row.points)} for the "
                f"{row.side.label} CVP"
            )
            yield Finding("casualty", "15.6032", what, (row.id, counter.id), row.secret)


def _is_unhurt(counter: Counter) -> bool:
    wreck = isinstance(counter, Vehicle) and (counter.wreck or not counter.inherent_crew)
    return counter.in_play and not wreck


def check_refit_losses_in_ledger(campaign: Campaign, entries: Sequence[Entry]) -> Iterator[Finding]:
    """Check that every unit eliminated by a paragraph that scores has a row in the casualty ledger,
    if those losses always score (R-CVP-REFIT). The paragraph in progress may have to ask for a
    ruling before it can score."""
    card = card_of_campaign(campaign)
    if card is None or not _always_combat(entries):
        return
    eliminated = {
        key: entry
        for entry in reversed([*_before_open_paragraph(campaign, entries)])
        for table, key, name, _, _ in entry.changes
        if table == Unit.TABLE and name == "fate"
    }
    for id, entry in eliminated.items():
        unit = campaign.units.get(id)
        scores = entry.kind in KINDS_OF_PARAGRAPH and entry.rule in SCORING and _has_ledger(entry)
        if unit is None or unit.fate is not Fate.ELIMINATED or not scores:
            continue
        if casualty_points(card, unit) and not campaign.casualties.records_with("counter", id):
            what = (
                f"{unit.label} was eliminated, but the {unit.side.enemy.label} CVP ledger has no "
                f"row for it ({signed_text(casualty_points(card, unit))})"
            )
            secret = secret_of(campaign, unit)
            yield Finding("casualty", str(entry.rule), what, (id,), secret, entry.seq)


def _before_open_paragraph(campaign: Campaign, entries: Sequence[Entry]) -> Iterator[Entry]:
    """Return the entries before those of the paragraph in progress, the newest first."""
    situation: Situation | None = campaign.tables[Situation.TABLE].get("campaign")
    rule = situation.paragraph if situation is not None else None
    is_done = rule is None
    for entry in reversed(entries):
        is_done = is_done or (entry.kind in KINDS_OF_PARAGRAPH and entry.rule != rule)
        if is_done:
            yield entry


def _always_combat(entries: Sequence[Entry]) -> bool:
    ruled = [
        new.get("value") if isinstance(new, Mapping) else new
        for entry in entries
        for table, key, _, _, new in entry.changes
        if table == RulingInForce.TABLE and key == CVP_REFIT
    ]
    return {*ruled} <= {None, "combat"}


def check_reported_losses_in_ledger(moment: EntryContext) -> Iterator[Finding]:
    """Check that a report or a correction enters exactly its losses in the casualty ledger."""
    entry = moment.entry
    if entry.kind not in REPORTED or not _has_ledger(entry):
        return
    before, due = moment.campaign.clone(), moment.campaign.clone()
    apply_changes(before, invert_changes(entry.changes))
    if not before.sides or before.situation.phase is Phase.PURCHASE:
        return  # its opening total includes this
    due.casualties.clear()
    due.casualties.update({id: row.clone() for id, row in before.casualties.items()})
    enter_cvp_changes_between(before, due, moment.card, entry.kind)
    recorded, makes = _scored(moment.campaign), _scored(due)
    for side, id in sorted(recorded.keys() | makes.keys()):
        have, should = recorded[side, id], makes[side, id]
        counter = moment.campaign.find(id)
        if have != should and counter is not None:
            what = (
                f"{side.label} CVP for {counter.label}: {hyphens_to_minus_signs(have)} in "
                "the ledger, "
                f"but its loss is worth {hyphens_to_minus_signs(should)} "
                f"({signed_text(have - should)})"
            )
            secret = only_side_allowed_to_read(moment.campaign, counter)
            yield moment.as_notice_if_explained(
                moment.make_finding("casualty", "15.6032", what, secret), "counters"
            )


def _scored(campaign: Campaign) -> Tally[tuple[Side, str]]:
    """Return the CVP that each side scored for a counter."""
    found = Tally[tuple[Side, str]]()
    for row in campaign.casualties.values():
        if row.counter is not None:
            found[row.side, row.counter] += row.points
    return found


def _has_ledger(entry: Entry) -> bool:
    version = rules_version_of_entry(entry)
    return version is not None and version.number >= WITH_LEDGER


def check_cvp_change_only_in_ledger(moment: EntryContext) -> Iterator[Finding]:
    """Check that CVP change only by the casualty ledger, in campaigns that have one."""
    if not _has_ledger(moment.entry) or moment.entry.kind in TIME_TRAVEL:
        return
    for table, side, name, old, new in moment.entry.changes:
        if table == SideRecord.TABLE and name == "cvp":
            what = f"{Side(side).label} CVP changed from {old} to {new} ({signed_text(new - old)})"
            yield moment.make_finding("casualty", "15.6032", f"{what} without a row in the ledger")


def check_scenario_winner(moment: EntryContext) -> Iterator[Finding]:
    """Check that the winner of a scenario has the most Victory Points, unless the players overruled
    the count with a reason."""
    campaign = moment.campaign
    settled = [Situation.TABLE, "campaign", "done"]
    changes = moment.entry.changes
    if not any(c[:3] == settled and c[4] == VICTORY for c in changes) or not campaign.sides:
        return
    winner, why = campaign.situation.winner, campaign.situation.overruled
    sums = victory_points(campaign, whole=campaign.ruling_value("R-VP") == "campaign")
    ahead = leading_side(sums)
    if winner in (None, ahead) or moment.entry.kind in TIME_TRAVEL:
        return
    what = (
        f"the recorded winner of the {campaign.situation.ended} scenario is "
        f"{winner.label}, but the Victory Points are {score_text(sums)}, for {ahead.label}"
    )
    found = moment.make_finding("winner", "15.6032", f"{what}: {why}" if why else what)
    yield replace(found, notice=True) if why else moment.as_notice_if_explained(found)


# --- purchases ------------------------------------------------------------------------------------


def check_purchase_limits(moment: EntryContext) -> Iterator[Finding]:
    """Check every purchase against the limits and rulings that applied when it was made."""
    if moment.entry.kind not in ("buy", "commit"):
        return
    changed = dict.fromkeys(
        key
        for table, key, name, _, new in moment.entry.changes
        if table == Purchase.TABLE and name in ("", "draft") and new is not None
    )
    made = [moment.purchases[key] for key in changed if not moment.purchases[key].draft]
    for breach in breaches_with_window_and_price(moment.campaign, moment.card, made):
        secret = _secret_of(moment, made[0])
        what = f"{', '.join(breach.records)}: {breach.message}"
        found = Finding(breach.code, breach.rule, what, breach.records, secret)
        # Under any price list, no more may be spent than was given.
        sums = breach.code in ("allotment", "exponent")
        yield found if sums else moment.as_notice_if_explained(found, *PURCHASING)


def _secret_of(moment: EntryContext, purchase: Purchase) -> Side | None:
    """Return the side that must keep a message about a purchase secret: the message names a
    Location, which is secret until the setup is over."""
    if is_purchase_site_secret(moment.campaign, purchase):
        return purchase.side
    return secret_of(moment.campaign, purchase)


def check_purchases_unaltered(moment: EntryContext) -> Iterator[Finding]:
    """Check that a purchase is never altered or deleted: it is bought, or voided by a separate
    record; only a draft is bought later, or discarded."""
    kind = moment.entry.kind
    if kind in TIME_TRAVEL:
        return
    for table, key, name, old, new in moment.entry.changes:
        if table != Purchase.TABLE:
            continue
        before = moment.campaign.purchases.get(key)
        added = name == "" and old is None and kind in NUMBERED
        # Purchases made from drafts kept the drafts' ids until version 12 of the rules.
        committed = name != "" and kind == "commit" and before is not None and before.draft
        drops = name == "" and new is None and kind in ("buy", "discard", "commit")
        dropped = drops and old.get("draft") is True
        if not (added or committed or dropped):
            what = f"{key} was changed by an entry of type {kind}; only a later void may cancel it"
            whose = moment.purchases.get(key) or before
            secret = secret_of(moment.campaign, whose) if whose else Side.JAPANESE
            yield moment.make_finding("ledger", "15.614", what, secret)


def check_purchase_voids(moment: EntryContext) -> Iterator[Finding]:
    """Check that every void cancels one whole purchase of its side that is still valid, in a buying
    window. A void in a later window than the purchase's is reported as a notice."""
    if moment.entry.kind != "void":
        return
    for table, key, name, _, _ in moment.entry.changes:
        if table == Purchase.TABLE and name == "" and key in moment.purchases:
            void = moment.purchases[key]
            for breach in void_record_breaches(moment.campaign, moment.card, void):
                secret = _secret_of(moment, void)
                found = Finding(breach.code, breach.rule, breach.message, breach.records, secret)
                yield moment.as_notice_if_explained(found, *PURCHASING)
            yield from _late(moment, void)


def _late(moment: EntryContext, void: Purchase) -> Iterator[Finding]:
    purchase = moment.campaign.purchases.get(void.voids or "")
    if purchase is None or is_in_open_buying_window(moment.campaign, purchase):
        return
    back = "" if void.quantity else "; no points are returned"
    what = f"{void.id} voids {purchase.id} of {purchase.date} on {void.date}{back}: {void.reason}"
    found = Finding("late-void", "15.614", what, (purchase.id, void.id), _secret_of(moment, void))
    yield replace(found, notice=True)


def check_pools_not_negative(moment: EntryContext) -> Iterator[Finding]:
    """Check that no pool is ever below zero."""
    for fund in sorted(_funds_touched(moment), key=str):
        for breach in compute_account(moment.campaign, fund.side, fund.beach).overdraft_breaches():
            secret = fund.side if fund.side is Side.JAPANESE else None
            yield moment.make_finding("pool", breach.rule, breach.message, secret)


def _funds_touched(moment: EntryContext) -> set[Fund]:
    """Return the funds of the purchases and allotments that an entry adds, changes or removes."""
    kinds = (Purchase.TABLE, Allotment.TABLE)
    funds = set()
    for table, key, name, old, new in moment.entry.changes:
        record = moment.campaign.tables[table].get(key) if table in kinds else None
        if record is not None:
            funds.add(fund_of(record.side, record.beach))
        elif table in kinds and name == "":
            gone = old or new  # an undo may restore what it removes
            funds.add(fund_of(Side(gone["side"]), gone.get("beach")))
    return funds


BEFORE: tuple[Check, ...] = (check_purchase_limits, check_purchases_unaltered, check_purchase_voids)
AFTER: tuple[Check, ...] = (
    check_dice_faces,
    check_roll_results,
    check_counter_origins,
    check_pools_not_negative,
    check_cvp_change_only_in_ledger,
    check_reported_losses_in_ledger,
    check_scenario_winner,
)
