"""The casualty ledger: every loss that scores Casualty VP is a row of it, entered when it happens,
and a side's CVP are the sum of its rows.

`enter_loss` makes every row for a loss: those of the Refit Phase, and those of reports and
corrections, which `enter_cvp_changes_between` finds by comparing the counters before and after.
"""

from collections.abc import Iterable, Iterator

from brt_cg.card import Card
from brt_cg.immutable import immutable
from brt_cg.model import (
    SIDES,
    Campaign,
    Casualty,
    Counter,
    Fate,
    LossKind,
    Piece,
    Side,
    Unit,
    UnitKind,
    Vehicle,
    Weapon,
    natural_sort_key,
    only_side_allowed_to_read,
)
from brt_cg.model.hidden_ids import is_part_of
from brt_cg.text import hyphens_to_minus_signs, list_text, signed_text

LOSSES = (
    LossKind.ELIMINATED,
    LossKind.REDUCED,
    LossKind.CAPTURED,
    LossKind.CREW,
    LossKind.MASSACRED,
)
STILL_THERE = (Fate.RECOMBINED, Fate.CREWED)  # as part of another counter
REPORTED = ("import", "edit")  # the commands whose rows `settle` makes
CAPTURE = "R-CAPTURE-VP"
HIDDEN = "R-HIDDEN-LOSSES"


def casualty_points(card: Card, counter: Counter) -> int:
    """Return the Casualty VP that a counter is worth to its enemy now. The value of a vehicle
    includes its Inherent crew while it has one; captured equipment is worth nothing, but the crew
    of a captured vehicle is."""
    if isinstance(counter, Unit):
        return card.ladders.unit_cvp(counter)
    if isinstance(counter, Vehicle):
        return card.ladders.current_vehicle_cvp(counter)
    if isinstance(counter, Weapon) and not counter.captured:
        return card.ladders.weapon_kind_cvp(counter.kind)
    return 0


def casualty_points_for_loss(card: Card, before: Counter, now: Counter) -> int:
    """Return the Casualty VP for a counter's loss; 0 if it was lost before, or is now part of
    another counter. A prisoner scores at 15.6032 (R-CAPTURE-VP); a wound does not, and an
    eliminated leader scores by his value then (G1.65)."""
    if not before.in_play or now.fate in STILL_THERE:
        return 0
    if isinstance(now, Unit) and now.leader:
        return 0 if now.in_play else casualty_points(card, now)
    left = casualty_points(card, now) if now.in_play else 0
    return max(0, casualty_points(card, before) - left)


# --- rows -----------------------------------------------------------------------------------------


@immutable
class Loss:
    """A loss to be entered: the `side` that scores it, its points, how the counter was lost, and
    the rule (or command); `secret` is the side whose secret the counter is."""

    side: Side
    points: int
    how: LossKind
    rule: str
    counter: Counter | None = None
    ruling: str | None = None
    reason: str | None = None
    secret: Side | None = None


def enter_loss(campaign: Campaign, loss: Loss, date: str | None) -> Casualty:
    """Enter a loss in the ledger, for the scenario of `date` (None: for none)."""
    row = Casualty(
        id=_free_id(campaign, loss),
        side=loss.side,
        points=loss.points,
        how=loss.how,
        counter=None if loss.counter is None else loss.counter.id,
        date=date,
        rule=loss.rule,
        ruling=loss.ruling,
        reason=loss.reason,
        secret=loss.secret,
        open=loss.secret is not None and campaign.ruling_value(HIDDEN) == "at_once",
    )
    campaign.add(row)
    return row


def _free_id(campaign: Campaign, loss: Loss) -> str:
    """Return the id of a new row. The id of a secret row does not name its counter, since the enemy
    reads it once the row is open."""
    of = loss.side.value if loss.counter is None else loss.counter.id
    name = of if loss.secret is None else f"{loss.secret}/hidden"
    number = 1
    while f"{name}/{number}" in campaign.casualties:
        number += 1
    return f"{name}/{number}"


def enter_correction(
    campaign: Campaign, side: Side, points: int, rule: str, reason: str
) -> Casualty:
    """Enter a correction of a side's CVP that the players enter."""
    loss = Loss(side=side, points=points, how=LossKind.STATED, rule=rule, reason=reason)
    return enter_loss(campaign, loss, campaign.situation.scenario_date_of_losses)


def casualty_rows_of_counter(campaign: Campaign, counter: Counter) -> list[Casualty]:
    """Return the rows of a counter, newest last."""
    found = campaign.casualties.records_with("counter", counter.id)
    return sorted(found, key=lambda row: natural_sort_key(row.id))


def points_scored_for_capture(campaign: Campaign, counter: Counter) -> int:
    """Return the CVP already scored for a counter as a prisoner (R-CAPTURE-VP)."""
    rows = casualty_rows_of_counter(campaign, counter)
    return sum(row.points for row in rows if row.how in (LossKind.CAPTURED, LossKind.FREED))


def subtract_capture_points(campaign: Campaign, unit: Unit, rule: str) -> Casualty | None:
    """Subtract the points scored for a prisoner that is free again: without a trace if they were
    scored in the same scenario, else by a row that counts for no scenario. Return that row."""
    points = points_scored_for_capture(campaign, unit)
    rows = [row for row in casualty_rows_of_counter(campaign, unit) if row.how is LossKind.CAPTURED]
    if not points or not rows:
        return None
    if rows[-1].date == campaign.situation.scenario_date_of_losses and rows[-1].points == points:
        campaign.remove(rows[-1])
        return None
    secret = only_side_allowed_to_read(campaign, unit)
    return enter_loss(
        campaign,
        Loss(
            side=unit.side.enemy,
            points=-points,
            how=LossKind.FREED,
            rule=rule,
            counter=unit,
            ruling=CAPTURE,
            secret=secret,
        ),
        None,
    )


def reveal_hidden_losses(campaign: Campaign) -> dict[Side, int]:
    """Open the rows for hidden losses (R-HIDDEN-LOSSES). Return the points for each side that
    scores any."""
    found = dict.fromkeys(SIDES, 0)
    for row in campaign.casualties.values():
        if row.secret is not None and not row.open:
            row.open = True
            found[row.side] += row.points
    return found


def cvp_known_to_both(campaign: Campaign, side: Side) -> int:
    """Return the part of a side's CVP that both sides know."""
    rows = campaign.casualty_rows_scored_by(side)
    return campaign.cvp(side) - sum(r.points for r in rows if r.secret is not None and not r.open)


# --- the changes by a report or a correction ------------------------------------------------------


def enter_cvp_changes_between(before: Campaign, after: Campaign, card: Card, rule: str) -> None:
    """Enter the losses of counters between `before` and `after`, and subtract the points scored for
    counters that are no longer lost."""
    date = after.situation.scenario_date_of_losses
    latest = after.snapshot().tables  # contains what has not changed, if `before` is a snapshot too
    changed = [
        (was, now)
        for was in before.pieces()
        if was is not latest[was.TABLE].get(was.id)
        and isinstance(now := after.find(was.id), Piece)
        and was != now
    ]
    for was, now in sorted(changed, key=lambda each: natural_sort_key(each[0].id)):
        if isinstance(now, Unit) and _is_freed(was, now):
            subtract_capture_points(after, now, rule)
        loss = _loss_between(before, after, card, was, now, rule)
        if loss is not None:
            enter_loss(after, loss, date)
        else:
            _take_back(after, card, was, now, rule)


def _is_freed(was: Piece, now: Unit) -> bool:
    return isinstance(was, Unit) and was.prisoner and now.in_play and not now.prisoner


def _loss_between(
    before: Campaign, after: Campaign, card: Card, was: Piece, now: Piece, rule: str
) -> Loss | None:
    points = casualty_points_for_loss(card, was, now) - sum(
        casualty_points(card, new) for new in _made_of(was, before, after)
    )
    if isinstance(was, Unit) and was.prisoner:
        points -= points_scored_for_capture(after, now)
    if points <= 0:
        return None
    secret = only_side_allowed_to_read(after, now)
    how = _how(was, now)
    return Loss(side=was.side.enemy, points=points, how=how, rule=rule, counter=now, secret=secret)


def _made_of(was: Piece, before: Campaign, after: Campaign) -> Iterator[Unit]:
    """Yield the units made from a counter: the other HS of a squad that Deployed, a vehicle's
    crew."""
    if not isinstance(was, Unit | Vehicle):
        return
    for id, unit in after.units.items():
        counts = unit.side is was.side and unit.in_play and not unit.prisoner
        if counts and id not in before.units and is_part_of(after, id, was):
            yield unit


def _how(was: Piece, now: Piece) -> LossKind:
    if not now.in_play:
        return LossKind.CAPTURED if now.fate is Fate.CAPTURED else LossKind.ELIMINATED
    if now.side is not was.side:
        return LossKind.CAPTURED
    if isinstance(now, Unit) and now.kind is UnitKind.HALF_SQUAD:
        return LossKind.REDUCED
    if isinstance(now, Vehicle) and not now.wreck:
        return LossKind.CREW
    return LossKind.ELIMINATED


def _take_back(campaign: Campaign, card: Card, was: Piece, now: Piece, rule: str) -> None:
    """Subtract the points scored for a counter that is no longer lost or reduced; if they are part
    of an opening total, by a separate row."""
    if now.in_play and not was.in_play and now.side is not was.side:
        for row in casualty_rows_of_counter(campaign, now):
            row.how = LossKind.CAPTURED if row.how is LossKind.ELIMINATED else row.how
    left = (casualty_points(card, now) if now.in_play else 0) - (
        casualty_points(card, was) if was.in_play else 0
    )
    side = now.side.enemy
    for row in reversed(casualty_rows_of_counter(campaign, now)):
        if left <= 0:
            return
        if row.side is side and row.how in LOSSES and row.points > 0:
            taken = min(left, row.points)
            left -= taken
            if taken == row.points:
                campaign.remove(row)
            else:
                row.points -= taken
    opening = sum(row.points for row in carried_over_cvp_rows(campaign, side))
    if left > 0 and opening > 0 and not was.in_play and was.fate not in STILL_THERE:
        loss = Loss(
            side=side,
            points=-min(left, opening),
            how=LossKind.REVIVED,
            rule=rule,
            counter=now,
            secret=only_side_allowed_to_read(campaign, now),
        )
        enter_loss(campaign, loss, None)


# --- in words -------------------------------------------------------------------------------------

OPENING = "carried over"
_WORDS = {
    LossKind.REDUCED: "{}, reduced",
    LossKind.CAPTURED: "{}, captured",
    LossKind.CREW: "the crew of {}",
    LossKind.MASSACRED: "{}, Massacred",
    LossKind.PRISONER: "{}, eliminated as a prisoner",
    LossKind.HELD: "{}, still a prisoner",
    LossKind.FREED: "{}, no longer a prisoner",
    LossKind.REVIVED: "{}, in play again",
}


def carried_over_cvp_rows(campaign: Campaign, side: Side) -> list[Casualty]:
    """Return the rows of a side's ledger that name no loss: the total recorded by an older version
    of the program, as one row, and points entered with a campaign that was adopted in progress."""
    record = campaign.sides[side]
    rows = [row for row in campaign.casualty_rows_scored_by(side) if row.reason == OPENING]
    if not record.cvp:
        return rows
    opening = Casualty(
        id=f"{side}/opening",
        side=side,
        points=record.cvp,
        how=LossKind.STATED,
        rule="import",
        reason=OPENING,
    )
    return [opening, *rows]


def row_text(campaign: Campaign, row: Casualty) -> str:
    """Return a row in words: "4-4-8 squad no. 9 (2)"."""
    points = hyphens_to_minus_signs(row.points) if row.points < 0 else str(row.points)
    return f"{row_reason_text(campaign, row)} ({points})"


def row_reason_text(campaign: Campaign, row: Casualty) -> str:
    """Return the reason for a row, in words: "4-4-8 squad no. 9, captured"."""
    if row.how is LossKind.STATED:
        return row.reason or OPENING
    counter = campaign.find(row.counter) if row.counter else None
    name = counter.label if counter is not None else "a hidden counter"
    return _WORDS.get(row.how, "{}").format(name)


def cvp_change_with_reasons_text(before: Campaign, after: Campaign, side: Side) -> str | None:
    """Return the change in a side's CVP, in words: "Japanese CVP 167 → 171: 4-4-8 squad no. 9 (2),
    HMG crew no. 3 (2)"; None if there is none."""
    old, new = before.casualties, after.casualties
    came = [row for row in after.casualty_rows_scored_by(side) if old.get(row.id) != row]
    gone = [row for row in before.casualty_rows_scored_by(side) if row.id not in new]
    if not came and not gone:
        return None
    words = [row_text(after, row) for row in came]
    words += [f"no longer {row_text(before, row)}" for row in gone]
    total = (
        f"{hyphens_to_minus_signs(before.cvp(side))} → {hyphens_to_minus_signs(after.cvp(side))}"
    )
    return f"{side.label} CVP {total}: {list_text(words)}"


def cvp_change_text(side: Side, points: int, now: int, why: str = "") -> str:
    """Return a change of a side's CVP in words: "Marine CVP +2 for 9-1 Oda, now 140"; `why` is
    " for 9-1 Oda"."""
    return f"{side.label} CVP {signed_text(points)}{why}, now {hyphens_to_minus_signs(now)}"


def cvp_totals_text(campaign: Campaign, sides: Iterable[Side] = SIDES) -> str:
    """Return the CVP of both sides: "Marine 148, Japanese 171"."""
    return ", ".join(f"{side.label} {hyphens_to_minus_signs(campaign.cvp(side))}" for side in sides)
