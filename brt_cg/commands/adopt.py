"""The command `import`: the situation at the end of a scenario is taken in.

Counters are matched by id. `asked` holds `state` (the document as given), `source` (its file),
`missing` ("keep", "eliminated" or null) and `side` (one side's counters only, or null).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from brt_cg.campaign import Campaign
from brt_cg.card import Card
from brt_cg.commands import Command
from brt_cg.commands.counter_checks import loosen, oddities, placed
from brt_cg.commands.one_side import (
    check_free,
    go_with_their_guards,
    is_held,
    leave_with_his_guard,
)
from brt_cg.commands.problems import Findings, listed, shown
from brt_cg.commands.state_document import Item, State, Wanted, note_state
from brt_cg.commands.taken_over import forget_setup, take_over
from brt_cg.counters import Counter, Fate, Side, Terrain
from brt_cg.impossible import Find, broken_links, tied_to
from brt_cg.records import SIDES, Phase, SideRecord
from brt_cg.refit.losses import close_crews
from brt_cg.secrets_kept import seen_by

KEEP, ELIMINATED = "keep", "eliminated"
ASKED = ("state", "source", "missing", "side")


@dataclass(slots=True)
class Adoption:
    """What a state changes in a campaign, found before anything is changed.

    `view` is the campaign as the side that is taken in knows it (else all of it): nothing that is
    refused tells more. `taken` are the document's counters that count here, `missing` those in play
    that it does not name; `waiting` the taken ones without a Location that stay Retained; `held`
    the prisoners (ids) of a guard that their side does not see, who stay with him.
    """

    view: Campaign
    state: State
    taken: list[Item]
    missing: list[Counter]
    waiting: list[Item]
    held: frozenset[str]


def take_in(command: Command) -> None:
    """Carries out `import`. Raises Refused, with everything that is wrong."""
    adopt(command)


def adopt(command: Command) -> Adoption:
    """Takes a state in, and tells what was found. Raises Refused."""
    asked = command.asked
    findings = Findings(asked.get("source"))
    side, missing = _read_asked(asked)
    _check_phase(command, side)
    plan = _plan(command.campaign, command.card, asked["state"], side, findings)
    if missing is None and plan.missing:
        _refuse_missing(plan, findings)
    _note_links(plan, missing, findings)
    findings.finish()
    _say_head(command, plan.state, side)
    running = command.campaign.situation.phase is not Phase.PURCHASE
    _take_totals(command, plan.state, side)
    _take_counters(command, plan, missing, running)
    _warn(command, plan)
    return plan


# --- what is asked, and when ----------------------------------------------------------------------


def _read_asked(asked: dict[str, Any]) -> tuple[Side | None, str | None]:
    findings = Findings()
    for name in asked:
        if name not in ASKED:
            findings.add(name, f"unknown; allowed: {listed(ASKED)}")
    if asked.get("missing") not in (None, KEEP, ELIMINATED):
        findings.bad("missing", asked["missing"], f"{KEEP}, {ELIMINATED}")
    if asked.get("side") not in (None, *Side):
        findings.bad("side", asked["side"], listed(Side))
    if "state" not in asked:
        findings.add("state", "missing; it is required")
    findings.finish()
    side = asked.get("side")
    return (Side(side) if side else None), asked.get("missing")


def _check_phase(command: Command, side: Side | None) -> None:
    """Before a Refit Phase; and at its beginning for the second player's half of the state."""
    if side is None or not is_unbegun(command.campaign):
        command.only_in(Phase.PURCHASE, Phase.SCENARIO)


def is_unbegun(campaign: Campaign) -> bool:
    """Whether a state has just been taken in and no paragraph of the Refit Phase begun."""
    situation = campaign.situation
    begun = situation.done is not None or situation.paragraph is not None
    return situation.phase is Phase.REFIT and not begun


# --- what it changes ------------------------------------------------------------------------------


def _plan(
    campaign: Campaign, card: Card, document: object, side: Side | None, findings: Findings
) -> Adoption:
    wanted = Wanted(sides=(side,) if side else SIDES)
    view = seen_by(campaign, side)
    state = note_state(document, card, view, findings, wanted)
    if not state.sides:
        findings.finish()
    if campaign.situation.phase is not Phase.PURCHASE:
        _check_date(campaign, state, findings)
    taken = [item for item in state.items.values() if _counts(item.counter, side)]
    for item in taken:
        _check_alive(view, item, findings)
        check_free(campaign, view, item, findings)
    missing = [
        one
        for one in campaign.in_order(campaign.counters())
        if one.id not in state.named and _expected(one, state, side) and view.find(one.id)
    ]
    held = frozenset(item.counter.id for item in taken if is_held(campaign, view, item.counter))
    free = [item for item in taken if item.counter.id not in held]
    waiting = [item for item in free if not placed(item.counter) or _is_retained(view, item)]
    plan = Adoption(view, state, taken, missing, waiting, held)
    _check_placed(plan, findings)
    return plan


def _check_date(campaign: Campaign, state: State, findings: Findings) -> None:
    date, current = state.scenario.get("date"), campaign.situation.date
    if date is not None and date != current:
        findings.bad("scenario.date", date, f"{current}, the date of the scenario just played")


def _counts(counter: Counter, side: Side | None) -> bool:
    return side is None or isinstance(counter, Terrain) or getattr(counter, "side", None) is side


def _expected(counter: Counter, state: State, side: Side | None) -> bool:
    if side is not None and isinstance(counter, Terrain):
        return Terrain.TABLE in state.lists
    return _counts(counter, side)


def _check_alive(campaign: Campaign, item: Item, findings: Findings) -> None:
    known = campaign.find(item.counter.id)
    if known is not None and not known.in_play and item.counter.in_play:
        allowed = f"fate {known.fate}, or a new id; if it is a mistake, edit its fate first"
        findings.add(
            f"{item.path}.id", f"{known.id} is out of play ({known.fate}); allowed: {allowed}"
        )


def _is_retained(campaign: Campaign, item: Item) -> bool:
    """Whether a counter without a Location is one that was Retained and never set up."""
    known = campaign.find(item.counter.id)
    running = campaign.situation.phase is not Phase.PURCHASE
    absent = item.counter.in_play and item.counter.location is None
    return running and absent and known is not None and known.location is None


def _check_placed(plan: Adoption, findings: Findings) -> None:
    running = plan.view.situation.phase is not Phase.PURCHASE
    for item in plan.taken:
        counter = item.counter
        if not counter.in_play or counter.location is not None or _is_retained(plan.view, item):
            continue
        if counter.id in plan.held:
            continue
        # An export says null where a counter waits for its setup; a gap in a sheet is a mistake.
        if not running and (placed(counter) or "location" in item.given):
            continue
        allowed = "a Location: a hex A1–Z63, a place in it (N21:1), or off_map"
        findings.add(f"{item.path}.location", f"missing; allowed: {allowed}")


def _refuse_missing(plan: Adoption, findings: Findings) -> None:
    names = listed(f"{plan.view.label(one)} ({one.id})" for one in plan.missing)
    findings.add("", f"in play but missing: {names}; say --missing keep or --missing eliminated")


def _note_links(plan: Adoption, missing: str | None, findings: Findings) -> None:
    taken = {item.counter.id: item.counter for item in plan.taken}
    gone = {one.id for one in plan.missing} if missing == ELIMINATED else set()

    def find(id: str) -> Counter | None:
        found = taken.get(id) or plan.view.find(id)
        if found is not None and id in gone:
            found = found.clone()
            found.fate = Fate.ELIMINATED
        return found

    for item in plan.taken:
        note_links(item, plan.state, find, findings)


def note_links(item: Item, state: State, find: Find, findings: Findings) -> None:
    """Notes the links of a document's counter that lead nowhere. What they lead to may itself be
    wrong in the document, and is then told there."""
    unread = state.named.keys() - state.items.keys()
    for name, message in broken_links(item.counter, find):
        link = str(getattr(item.counter, name))
        if link not in unread and link.partition(":")[2] not in unread:
            findings.add(f"{item.path}.{name}", message)


# --- changing it ----------------------------------------------------------------------------------


def _take_totals(command: Command, state: State, side: Side | None) -> None:
    situation = command.campaign.situation
    adopted = situation.phase is Phase.PURCHASE
    if situation.phase is not Phase.REFIT:
        for record in command.campaign.sides.values():
            record.cvp_before = 0 if adopted else record.cvp
    for one in SIDES if side is None else (side,):
        _take_side(command.campaign.sides[one], state.sides[one], adopted)
    _take_scenario(command, state, side)
    for name, value in _facts(command, state).items():
        if getattr(situation, name) != value:
            command.say(f"{name.replace('_', ' ')}: {shown(value)}")
            setattr(situation, name, value)
    if state.perimeters is not None or side is None:
        situation.perimeters = state.perimeters or ()
    situation.phase, situation.done, situation.paragraph = Phase.REFIT, None, None


def _facts(command: Command, state: State) -> dict[str, Any]:
    """The facts of the state. VP for pillboxes are those of the scenario just played, none unless
    it says so; or those of the whole campaign, which stay (R-VP)."""
    campaign = command.campaign
    if campaign.situation.phase is not Phase.SCENARIO:
        return state.facts
    if campaign.ruling("R-VP") == "scenario":
        return {"pillbox_vp": 0, **state.facts}
    before = campaign.situation.pillbox_vp
    if state.facts.get("pillbox_vp", before) < before:
        command.say(
            f"warning: VP for pillboxes were {before} already, and count for the whole campaign "
            "(R-VP)"
        )
    return state.facts


def _take_side(record: SideRecord, values: dict[str, Any], adopted: bool) -> None:
    record.san = record.announced_san = values["san"]
    record.elr, record.cvp = values["elr"], values["cvp"]
    if adopted:
        for name in ("cvp_before", "announced_san", "player"):
            if values.get(name) is not None:
                setattr(record, name, values[name])


def _take_scenario(command: Command, state: State, side: Side | None) -> None:
    situation = command.campaign.situation
    date = state.scenario["date"]
    if situation.phase is Phase.PURCHASE and date != command.card.first_date:
        command.say(
            f"adopted half-way: all CVP so far count as amassed in the {date} scenario "
            "(correct cvp_before with edit)"
        )
    situation.date = situation.ended = date
    situation.initial = date == command.card.first_date
    if side is None or "winner" in state.scenario:
        situation.winner = state.scenario.get("winner")
    moved_first = state.scenario.get("moved_first") or situation.first_move
    if side is None or moved_first is not None:
        situation.moved_first = moved_first


def _take_counters(command: Command, plan: Adoption, missing: str | None, running: bool) -> None:
    campaign = command.campaign
    added: list[Counter] = []
    for item in plan.taken:
        known = campaign.find(item.counter.id)
        table = campaign.tables[item.counter.TABLE]
        if known is None:
            added.append(item.counter)
        take_over(item, known, running)
        if item.counter.id in plan.held:
            leave_with_his_guard(campaign, item.counter)
        table[item.counter.id] = item.counter
    for one in plan.missing:
        if missing == ELIMINATED:
            one.fate = Fate.ELIMINATED
        elif running:
            forget_setup(one)
    if running:
        _close_crews(campaign)
    loosen([*campaign.counters()], campaign.find)
    go_with_their_guards(campaign, {item.counter.id for item in plan.taken} - plan.held)
    _say_counters(command, plan, added, missing)


def _close_crews(campaign: Campaign) -> None:
    """Whoever crewed a vehicle (15.6131a) that is empty now, or the enemy's, is lost."""
    for vehicle in campaign.vehicles.values():
        crews = campaign.crews_of(vehicle)
        if not vehicle.manned or any(crew.side is not vehicle.side for crew in crews):
            close_crews(campaign, vehicle)


# --- saying it ------------------------------------------------------------------------------------


def _say_head(command: Command, state: State, side: Side | None) -> None:
    source = command.asked.get("source") or "a state"
    whose = f", {side.label} side only" if side else ""
    command.say(f"the situation at the end of {state.scenario['date']}, from {source}{whose}")
    for one in SIDES if side is None else (side,):
        before, after = command.campaign.sides[one].cvp, state.sides[one]["cvp"]
        command.say(f"{one.label} CVP {after}, was {before}; SAN {state.sides[one]['san']}")


def _say_counters(
    command: Command, plan: Adoption, added: list[Counter], missing: str | None
) -> None:
    for one in added:
        command.say(f"added: {told(command.campaign, one)}", one)
    fate = "eliminated" if missing == ELIMINATED else "kept as it was"
    for one in plan.missing:
        command.say(f"missing from the state, {fate}: {told(command.campaign, one)}", one)
    for item in plan.waiting:
        where = getattr(item.counter, "setup_area", None)
        words = f"still Retained in {where}" if where else "waits without a Location"
        command.say(f"not set up, {words}: {told(command.campaign, item.counter)}", item.counter)


def told(campaign: Campaign, counter: Counter) -> str:
    """A counter in one phrase, with its id and where it is: "7-6-8 squad m-sq-1, N21"."""
    return f"{named(campaign, counter)}, {campaign.place(counter)}"


def named(campaign: Campaign, counter: Counter) -> str:
    """A counter in one phrase, with its id: "7-6-8 squad m-sq-1"."""
    label = campaign.label(counter)
    return label if counter.id in label else f"{label} ({counter.id})"


def _warn(command: Command, plan: Adoption) -> None:
    for counter, text in warnings(command, (item.counter for item in plan.taken)):
        linked = linked_to(command.campaign, counter)
        command.say(f"warning: {told(command.campaign, counter)}: {text}", counter, *linked)


def linked_to(campaign: Campaign, counter: Counter) -> list[Counter]:
    """The counters that a counter names, and so may a sentence about it."""
    found = (campaign.find(link) for _, link in tied_to(counter))
    return [one for one in found if one is not None]


def warnings(command: Command, counters: Iterable[Counter]) -> Iterator[tuple[Counter, str]]:
    """What is odd about counters that were taken in."""
    campaign = command.campaign
    last_hex = command.card.highest_hex(campaign.ruled)
    for one in counters:
        for text in oddities(one, campaign.find, command.card, last_hex):
            yield one, text
