"""The import of a scenario's end into a campaign.

`apply_import` checks a state against a campaign, changes the campaign, and returns an ImportPlan of
the changes, which `import_scenario_end` logs. `try_import` works on a copy instead, for
`difference` and `unaccounted`.
"""

from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from typing import Any

from brt_cg.board import ground_hex, is_area_only_location
from brt_cg.card import (
    CATALOGUE,
    Card,
    PrintedType,
    fill_in_printed_figures,
    read_printed_types,
    reason_hex_is_required,
)
from brt_cg.card.counter_builder import Values
from brt_cg.commands import wrong_phase_text
from brt_cg.commands.captives import (
    Captive,
    make_captives_prisoners,
    note_impossible_guards,
    reported_captives,
    unlink_prisoners_from_captured_guards,
)
from brt_cg.commands.counter_checks import (
    are_both_sides_in_hex,
    clear_links_to_counters_out_of_play,
    is_placed_or_out_of_play,
)
from brt_cg.commands.problems import InputProblems
from brt_cg.commands.state_document import (
    FACT_FIELDS,
    IN_LEDGER,
    SIDE_FIELDS,
    StateDocument,
    StateItem,
    note_broken_links,
    read_state,
)
from brt_cg.commands.stated_totals import COUNTED, STATED, OtherTotal
from brt_cg.immutable import immutable
from brt_cg.model import (
    A_LOCATION,
    SIDES,
    Campaign,
    Counter,
    Fate,
    FieldMark,
    Fortification,
    LossKind,
    Phase,
    Piece,
    Side,
    SideRecord,
    Situation,
    Terrain,
    Unit,
    Vehicle,
    Weapon,
    fields_marked,
    visible_campaign,
)
from brt_cg.questions import RefusedError
from brt_cg.refit.casualties import (
    OPENING,
    Loss,
    enter_correction,
    enter_cvp_changes_between,
    enter_loss,
)
from brt_cg.refit.engineers import keep_engineer_trait
from brt_cg.refit.losses import mark_crews_eliminated, units_crewing
from brt_cg.refit.s609_prisoners import move_prisoner_to_guard
from brt_cg.refit.victory import pillbox_vp_of_earlier_dates
from brt_cg.text import list_text, short_json

KEEP, ELIMINATED = "keep", "eliminated"
# `captured`: equipment that stays captured, as in the opponent's report. `kept`: other fields that
# a report leaves as in the opponent's report, because that was entered first.
ASKED = (
    *("state", "source", "missing", "side", "pieces", "others", "captured", "kept", "totals"),
    CATALOGUE,
)


@immutable
class ImportInput:
    """The input of an import: the `document` and its file, the fate of the counters missing from
    it, whose report it is (None: both sides'), and the printed values of its types; `kept` are the
    ids and fields that a side's report leaves as its opponent's has them; `totals` says which CVP
    count if the document's CVP do not match its losses (COUNTED, the default, or STATED)."""

    document: object
    source: str | None
    missing: str | None
    side: Side | None
    types: tuple[PrintedType, ...] = ()
    kept: frozenset[str] = frozenset()
    totals: str | None = None

    @property
    def sides(self) -> tuple[Side, ...]:
        """The sides whose totals the document gives."""
        return SIDES if self.side is None else (self.side,)


@dataclass(slots=True, kw_only=True)
class ImportPlan:
    """The effects of an import.

    `after` is the resulting campaign. `before` is the campaign before the import, `view` that
    campaign as the importing side knows it, so that refusals reveal nothing. `undecided` means that
    the fate of missing counters is not given yet. `taken` are the document's counters that are
    imported, `added` the ids of new ones, `missing` those of counters in play that the document
    does not name; `waiting` the imported ones without a Location that stay Retained; `held` the ids
    of prisoners who stay with a guard whom their side does not see; `captives` the enemy's units
    that a side's report says it captured. `notes` are sentences about the whole import, `warnings`
    the warnings among them. `doubts` has each side's CVP if the document's do not match its losses.
    """

    asked: ImportInput
    view: Campaign
    after: Campaign
    state: StateDocument
    taken: list[StateItem] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    waiting: list[StateItem] = field(default_factory=list)
    held: frozenset[str] = frozenset()
    captives: list[Captive] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    undecided: bool = False
    before: Campaign = field(default_factory=Campaign)
    doubts: dict[Side, OtherTotal] = field(default_factory=dict)

    @property
    def missing_fate_text(self) -> str:
        """The fate of the missing counters, in words."""
        return "eliminated" if self.asked.missing == ELIMINATED else "kept unchanged"

    @property
    def is_campaign_running(self) -> bool:
        """Whether the campaign is under way, so that it knows some facts better than a document."""
        return self.view.situation.phase is not Phase.PURCHASE


def try_import(campaign: Campaign, card: Card, raw: dict[str, Any]) -> ImportPlan:
    """Return the plan of an import; the campaign is not changed. Raises RefusedError if the import
    would be refused, except because of missing counters whose fate is not given yet."""
    undecided = raw.get("missing") is None
    asked = raw | {"missing": KEEP} if undecided else raw
    plan = apply_import(campaign, campaign.clone(), card, asked)
    plan.undecided = undecided
    return plan


def apply_import(
    campaign: Campaign, after: Campaign, card: Card, raw: dict[str, Any]
) -> ImportPlan:
    """Import a state into `after`, a copy of the `campaign` that the state is checked against.
    Raises RefusedError with everything that is wrong; `after` may then be partly changed."""
    asked = read_import_input(raw)
    _check_phase(campaign, asked.side)
    findings = InputProblems(asked.source)
    view = visible_campaign(campaign, asked.side)
    state = read_state(asked.document, card, view, findings, asked.sides)
    if not state.sides:
        findings.raise_problems()
    plan = ImportPlan(asked=asked, view=view, after=after, state=state, before=campaign)
    _sort_counters(plan, campaign, findings)
    _note_problems(plan, campaign, findings)
    findings.raise_problems()
    _say_head(plan)
    _put_totals(plan, card)
    _put_counters(plan, card)
    _put_losses(plan, card)
    _note_shared_hexes(plan, findings)
    findings.raise_problems()
    return plan


# --- the input of an import, and its time ---------------------------------------------------------


def read_import_input(raw: dict[str, Any]) -> ImportInput:
    """Read the input from JSON. Raises RefusedError."""
    findings = InputProblems()
    findings.note_unknown_fields(raw, ASKED)
    if raw.get("missing") not in (None, KEEP, ELIMINATED):
        findings.add_bad_value("missing", raw["missing"], f"{KEEP}, {ELIMINATED}")
    if raw.get("side") not in (None, *Side):
        findings.add_bad_value("side", raw["side"], list_text(Side))
    if raw.get("totals") not in (None, COUNTED, STATED):
        findings.add_bad_value("totals", raw["totals"], f"{COUNTED}, {STATED}")
    if "state" not in raw:
        findings.add("state", "missing; it is required")
    findings.raise_problems()
    return ImportInput(
        document=raw["state"],
        source=raw.get("source"),
        missing=raw.get("missing"),
        side=Side.from_name(raw.get("side")),
        types=read_printed_types(raw.get(CATALOGUE, [])),
        kept=frozenset(str(id) for key in ("captured", "kept") for id in raw.get(key) or ()),
        totals=raw.get("totals"),
    )


def _check_phase(campaign: Campaign, side: Side | None) -> None:
    """Raise RefusedError unless an import is allowed: before a Refit Phase and, for a side's
    report, at the beginning of a Refit Phase too."""
    phase = campaign.situation.phase
    second_half = side is not None and campaign.situation.is_refit_due
    if phase not in (Phase.PURCHASE, Phase.SCENARIO) and not second_half:
        back = " (undo removes the last import)" if campaign.situation.is_refit_due else ""
        raise RefusedError(f"{wrong_phase_text('import', phase)}{back}")


# --- the counters that the report is about --------------------------------------------------------


def _is_on_paper(campaign: Campaign, counter: Counter) -> bool:
    """Whether a counter is hidden in a hex that only its player knows: no VASL save has such a
    counter, so it does not count as missing."""
    on_table = isinstance(counter, Piece) and counter.is_on_map_without_hex
    return on_table and isinstance(counter, Piece) and campaign.side_hiding(counter) is not None


def _sort_counters(plan: ImportPlan, campaign: Campaign, findings: InputProblems) -> None:
    """Sort the counters into imported, new, waiting and missing ones."""
    view, state = plan.view, plan.state
    stay = plan.asked.kept
    counted = [item for item in state.items.values() if _is_reported(plan, item.counter)]
    plan.taken = [item for item in counted if item.counter.id not in stay]
    ids = (item.counter.id for item in plan.taken)
    plan.added = [id for id in ids if view.find(id) is None]
    plan.missing = [
        counter.id
        for counter in campaign.sort_counters_in_play(campaign.counters())
        if counter.id not in (*state.named, *stay)
        and _is_expected(plan, counter)
        and view.find(counter.id)
        and not _is_on_paper(campaign, counter)
    ]
    date = campaign.situation.scenario_date_of_losses
    lost = {row.counter for row in campaign.casualties.values() if row.date == date}
    plan.captives = [*reported_captives(view, plan.asked.side, state.items, lost)]
    counters = (item.counter for item in plan.taken)
    plan.held = frozenset(unit.id for unit in counters if has_secret_guard(view, unit))
    free = [item for item in plan.taken if item.counter.id not in plan.held]
    plan.waiting = [
        item
        for item in free
        if not is_placed_or_out_of_play(item.counter) or _is_retained(plan, item)
    ]


def _is_reported(plan: ImportPlan, counter: Counter) -> bool:
    """Whether a report is about a counter: one of its side, or equipment that its side lost to a
    captor, because either player may enter that."""
    side = plan.asked.side
    known = plan.view.find(counter.id) if isinstance(counter, Weapon | Vehicle) else None
    return _counts(counter, side) or (known is not None and known.side is side)


def _counts(counter: Counter, side: Side | None) -> bool:
    return side is None or isinstance(counter, Terrain) or counter.side is side


def _is_expected(plan: ImportPlan, counter: Counter) -> bool:
    if plan.asked.side is not None and isinstance(counter, Terrain):
        return Terrain.TABLE in plan.state.lists
    return _counts(counter, plan.asked.side)


def _is_retained(plan: ImportPlan, item: StateItem) -> bool:
    """Whether a counter without a Location was Retained and never set up, or was on the table and
    now needs a hex."""
    known, counter = plan.view.find(item.counter.id), item.counter
    if (
        not plan.is_campaign_running
        or known is None
        or not counter.in_play
        or counter.location is not None
    ):
        return False
    if known.location is None or not isinstance(counter, Piece):
        return known.location is None
    there = counter.replace(location=known.location)
    return there.is_on_map_without_hex and reason_hex_is_required(there) is not None


# --- problems -------------------------------------------------------------------------------------


def _note_problems(plan: ImportPlan, campaign: Campaign, findings: InputProblems) -> None:
    if plan.is_campaign_running:
        date, current = plan.state.scenario.get("date"), plan.view.situation.date
        if date is not None and date != current:
            allowed = f"{current}, the date of the scenario just played"
            findings.add_bad_value("scenario.date", date, allowed)
    for item in plan.taken:
        if not _was_lost_to(plan, campaign, item.counter):
            _check_alive(plan.view, item, findings)
        note_if_id_is_secret(campaign, plan.view, item, findings)
    for item in plan.taken:
        if _is_nowhere(plan, item):
            findings.add(f"{item.path}.location", f"missing; enter {A_LOCATION}")
    if plan.asked.missing is None and plan.missing:
        _refuse_missing(plan, campaign, findings)
    _note_links(plan, findings)
    note_impossible_guards(plan.captives, plan.state.items, plan.view, findings)


def _was_lost_to(plan: ImportPlan, campaign: Campaign, new: Counter) -> bool:
    """Whether a side's report captured equipment that its opponent's lists as eliminated."""
    known, date = plan.view.find(new.id), campaign.situation.scenario_date_of_losses
    if known is None or known.in_play or not isinstance(new, Weapon | Vehicle):
        return False
    rows = campaign.casualties.records_with("counter", new.id)
    return new.side is plan.asked.side is not known.side and any(row.date == date for row in rows)


def _check_alive(view: Campaign, item: StateItem, findings: InputProblems) -> None:
    known = view.find(item.counter.id)
    if known is not None and not known.in_play and item.counter.in_play:
        allowed = (
            f"fate {known.fate}, or a new id; "
            "if that fate is a mistake, first correct it with `edit`"
        )
        findings.add(
            f"{item.path}.id", f"{known.id} is out of play ({known.fate}); enter {allowed}"
        )


def _is_nowhere(plan: ImportPlan, item: StateItem) -> bool:
    """Whether a counter lacks a Location that it should have."""
    counter = item.counter
    if not counter.in_play or counter.location is not None or counter.id in plan.held:
        return False
    if _is_retained(plan, item):
        return False
    # In an export null means that a counter is not set up yet; a gap in a sheet is a mistake.
    return plan.is_campaign_running or not (
        is_placed_or_out_of_play(counter) or "location" in item.given
    )


def _refuse_missing(plan: ImportPlan, campaign: Campaign, findings: InputProblems) -> None:
    counters = (campaign.find(id) for id in plan.missing)
    names = list_text(counter.name_with_id for counter in counters if counter)
    findings.add("", f"in play but missing: {names}; add --missing keep or --missing eliminated")


def _note_links(plan: ImportPlan, findings: InputProblems) -> None:
    taken = {item.counter.id: item.counter for item in plan.taken}
    gone = plan.missing if plan.asked.missing == ELIMINATED else ()

    def find(id: str) -> Counter | None:
        found = taken.get(id) or plan.view.find(id)
        if found is not None and id in gone:
            found = found.clone()
            found.fate = Fate.ELIMINATED
        return found

    for item in plan.taken:
        note_broken_links(item, plan.state, find, findings)


def _note_shared_hexes(plan: ImportPlan, findings: InputProblems) -> None:
    """Note each hex that holds both sides, if its future Setup Area has counters without a hex."""
    view = visible_campaign(plan.after, plan.asked.side)
    for item in plan.taken:
        counter = item.counter
        loose = isinstance(counter, Piece) and counter.in_play and counter.is_on_map_without_hex
        loose = loose and not counter.hidden
        if loose and are_both_sides_in_hex(view, ground_hex(counter.location or "")):
            words = (
                f"{short_json(counter.location)} is not enough, since both sides have units there"
            )
            findings.add(f"{item.path}.location", f"{words}; enter the hex that the counter is in")


# --- the resulting totals -------------------------------------------------------------------------


def _say_head(plan: ImportPlan) -> None:
    asked, state = plan.asked, plan.state
    whose = f", {asked.side.label} counters only" if asked.side else ""
    source = asked.source or "a file"
    date = state.scenario["date"]
    plan.notes.append(f"the end of the {date} scenario, from {source}{whose}")
    for side in asked.sides:
        plan.notes.append(f"{side.label} SAN {state.sides[side]['san']}")


def _put_totals(plan: ImportPlan, card: Card) -> None:
    state, situation = plan.state, plan.after.situation
    if situation.phase is not Phase.REFIT:
        for record in plan.after.sides.values():
            record.cvp_before = record.cvp
    for side in plan.asked.sides:
        _put_side(plan.after.sides[side], state.sides[side], plan.is_campaign_running)
    _put_scenario(plan, situation, card)
    for name, now in dict(_facts(plan)).items():
        if getattr(situation, name) != now:
            fact = FACT_FIELDS[name]
            plan.notes.append(f"{fact.label}: {fact.value_text(now)}")
            setattr(situation, name, now)
    stated = state.perimeters is not None and plan.asked.side is not Side.JAPANESE
    if stated or plan.asked.side is None:
        situation.perimeters = state.perimeters or ()
    situation.phase, situation.done, situation.paragraph = Phase.REFIT, None, None


def _put_side(record: SideRecord, given: Values, running: bool) -> None:
    """Set a side's totals; a running campaign accepts only the required ones, and keeps its own
    values for the others."""
    record.announced_san = given["san"]
    for name, total in SIDE_FIELDS.items():
        if name in IN_LEDGER:
            continue
        if given.get(name) is not None and (total.required or not running):
            setattr(record, total.attribute, given[name])


def _put_scenario(plan: ImportPlan, situation: Situation, card: Card) -> None:
    scenario, side = plan.state.scenario, plan.asked.side
    date, second = scenario["date"], side is not None and situation.is_refit_due
    if not plan.is_campaign_running and date != card.first_date:
        plan.notes.append(
            f"the campaign is already under way: all CVP so far count as scored in the {date} "
            f"scenario, unless you give the CVP from before it; if that is wrong, "
            "correct them with `edit`"
        )
    situation.date = situation.ended = date
    situation.initial = date == card.first_date
    situation.winner = situation.overruled = None
    if not second or scenario.get("winner") is not None:
        situation.said_winner = scenario.get("winner")
    moved_first = scenario.get("moved_first") or situation.first_move
    if (side is None or moved_first is not None) and "moved_first" not in plan.asked.kept:
        situation.moved_first = moved_first


def _facts(plan: ImportPlan) -> Iterator[tuple[str, Any]]:
    """Yield the facts of the state. The VP for pillboxes are either those of the last scenario (by
    default none) or those of the whole campaign, which are kept (R-VP)."""
    facts, campaign = plan.state.facts, plan.view
    if campaign.situation.phase is Phase.SCENARIO:
        before = campaign.situation.pillbox_vp
        if campaign.ruling_value("R-VP") == "scenario":
            yield "pillbox_vp", 0
        elif facts.get("pillbox_vp", before) < before:
            plan.warnings.append(
                f"warning: VP for pillboxes are now less than {before}, although they count for "
                f"the whole campaign (R-VP)"
            )
            plan.notes += plan.warnings
    yield from ((name, now) for name, now in facts.items() if name not in plan.asked.kept)


# --- the resulting counters -----------------------------------------------------------------------


def _put_counters(plan: ImportPlan, card: Card) -> None:
    after = plan.after
    for item in plan.taken:
        counter = item.counter
        if after.find(counter.id) is None:
            fill_in_printed_figures(counter, item.given, plan.asked.types, plan.view)
        known = after.find(counter.id)
        apply_campaign_facts(item, known, plan.is_campaign_running)
        if isinstance(counter, Unit) and isinstance(known, Unit):
            keep_engineer_trait(after, card, known, counter)
        if counter.id in plan.held:
            restore_prisoner_facts(after, counter)
        after.tables[counter.TABLE][counter.id] = counter
    for counter in filter(None, map(after.find, plan.missing)):
        if plan.asked.missing == ELIMINATED:
            counter.fate = Fate.ELIMINATED
        elif plan.is_campaign_running:
            end_retained_if_placed(counter)
    if plan.is_campaign_running:
        _close_crews(after)
    else:
        after.situation.pillbox_vp_so_far = pillbox_vp_of_earlier_dates(after)
    clear_links_to_counters_out_of_play([*after.counters()], after.find)
    make_captives_prisoners(after, plan.captives)
    unlink_prisoners_from_captured_guards(after)
    move_prisoners_to_guards(after, {item.counter.id for item in plan.taken} - plan.held)


def _close_crews(campaign: Campaign) -> None:
    """Eliminate the crews (15.6131a) of vehicles that are now empty or captured."""
    for vehicle in campaign.vehicles.values():
        crews = units_crewing(campaign, vehicle)
        if not vehicle.manned or any(crew.side is not vehicle.side for crew in crews):
            mark_crews_eliminated(campaign, vehicle)


# --- the losses -----------------------------------------------------------------------------------


def _put_losses(plan: ImportPlan, card: Card) -> None:
    """Enter the report's losses in the casualty ledger; in a new campaign, the CVP so far."""
    if not plan.is_campaign_running:
        for side in plan.asked.sides:
            _put_opening(plan, side)
        return
    enter_cvp_changes_between(plan.before, plan.after, card, "import")
    known = visible_campaign(plan.after, plan.asked.side)
    for side in SIDES:
        # A side's report contains the losses that its enemy scores for, not its own CVP.
        given = plan.state.sides.get(side, {}).get("cvp")
        if given is None or given == known.cvp(side):
            continue
        if side is plan.asked.side:
            words = (
                f"{side.label} CVP follow from the {side.enemy.label} report, so those in the file"
            )
            plan.warnings.append(f"warning: {words} ({given}) are not used")
            plan.notes.append(plan.warnings[-1])
            continue
        plan.doubts[side] = OtherTotal(given, known.cvp(side))
        _settle_doubt(plan, side)


def _put_opening(plan: ImportPlan, side: Side) -> None:
    given = plan.state.sides[side]
    total, before = given.get("cvp") or 0, given.get("cvp_before") or 0
    for points, date in ((before, None), (total - before, plan.after.situation.ended)):
        if points:
            opening = Loss(
                side=side, points=points, how=LossKind.STATED, rule="import", reason=OPENING
            )
            enter_loss(plan.after, opening, date)


def _settle_doubt(plan: ImportPlan, side: Side) -> None:
    """Settle which CVP count, as the input says, if those in a document do not match its losses."""
    doubt = plan.doubts[side]
    if plan.asked.totals == STATED:
        reason = f"as {plan.asked.source or 'the file'} says"
        enter_correction(plan.after, side, doubt.given - doubt.counted, "import", reason)
    else:
        plan.warnings.append(f"warning: {side.label} CVP: {doubt}; the losses count")
        plan.notes.append(plan.warnings[-1])


# --- the facts that an imported counter keeps from the campaign -----------------------------------


def apply_campaign_facts(item: StateItem, known: Counter | None, running: bool) -> None:
    """Copy to a counter of the document the facts that only the campaign knows, or that it knows
    better during a scenario."""
    new = item.counter
    if known is not None:
        for name, field in fields_marked(type(new), FieldMark.KEPT).items():
            if name not in item.given:
                setattr(new, field.attribute, getattr(known, field.attribute))
    if known is not None and (running or "unseen" not in item.given):
        new.unseen = known.unseen
    elif running:
        new.unseen = False
    if running:
        _keep_own(new, known)
    if new.unseen and (running or "unseen" not in item.given):
        # The enemy has seen it on map in the scenario just played.
        new.unseen = not _was_seen(new)


def _was_seen(counter: Counter) -> bool:
    """Whether the enemy has seen a counter on map: its last place is known, and it is not
    hidden."""
    where = counter.location
    return not (where is None or counter.off_map or is_area_only_location(where) or counter.hidden)


def _keep_own(new: Counter, known: Counter | None) -> None:
    if isinstance(new, Fortification):
        before = known if isinstance(known, Fortification) else None
        new.controller = before.controller if before is not None else None
        new.fell = before.fell if before is not None else None
    if not isinstance(new, Piece):
        return
    end_retained_if_placed(new)
    if new.in_play and new.location is None and isinstance(known, Piece):
        new.setup_area, new.isolated = known.setup_area, known.isolated
        new.recorded_location = known.recorded_location


def end_retained_if_placed(counter: Counter) -> None:
    """End the Retained status of a counter that is on map again."""
    if isinstance(counter, Piece) and (counter.location is not None or not counter.in_play):
        counter.place_unisolated(counter.location)


# --- of one side's report -------------------------------------------------------------------------


def note_if_id_is_secret(
    campaign: Campaign, view: Campaign, item: StateItem, findings: InputProblems
) -> None:
    """Note an id that is the enemy's secret, unless it belongs to a Weapon or vehicle in play,
    which may have been captured."""
    id = item.counter.id
    known = campaign.find(id) if view.find(id) is None else None
    if known is None:
        return
    captured = isinstance(known, Weapon | Vehicle) and type(known) is type(item.counter)
    if not captured or not known.in_play:
        findings.add(f"{item.path}.id", f"{id} cannot be used; enter another id")


def has_secret_guard(view: Campaign, new: Counter) -> bool:
    """Whether a counter is a prisoner whose guard, and therefore Location, is the enemy's secret,
    while the document gives no more about the prisoner than the prisoner's side sees."""
    seen = view.units.get(new.id)
    if seen is None or not isinstance(new, Unit):
        return False
    unsaid = new.prisoner and new.in_play and new.location is None and new.guard is None
    nowhere = seen.location is None and seen.setup_area is None
    return unsaid and seen.prisoner and seen.guard is None and nowhere


def restore_prisoner_facts(campaign: Campaign, prisoner: Counter) -> None:
    """Restore the facts about a prisoner that the campaign knew but the prisoner's side did not
    see."""
    known = campaign.units[prisoner.id]
    for name in ("guard", *fields_marked(Unit, FieldMark.WHERE)):
        setattr(prisoner, name, getattr(known, name))


def move_prisoners_to_guards(campaign: Campaign, taken: Set[str]) -> None:
    """Move a prisoner whose guard was imported (ids) to that guard, unless the document gives the
    prisoner's own place."""
    for prisoner in campaign.units.values():
        guard = campaign.units.get(prisoner.guard or "") if prisoner.in_play else None
        if guard is not None and guard.id in taken and prisoner.id not in taken:
            move_prisoner_to_guard(prisoner, guard)
