"""The `edit` command, with which the players correct a counter, a side's totals or a fact of the
campaign.

`asked` holds `id` (of a counter; or marine, japanese, campaign), `set` (new values by field) and
`reason`; and in `also` the `id` and `set` of counters that are corrected with it, such as the
possessions of a unit that is in play again.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from brt_cg.board import OFF_MAP, ground_hex
from brt_cg.card import (
    CATALOGUE,
    Card,
    Find,
    broken_link_problems,
    counter_problems,
    counters_referring_to,
    impossible_ammunition,
    read_printed_types,
)
from brt_cg.card.counter_builder import correct_counter, note_contradictions
from brt_cg.commands import Command, correction_text
from brt_cg.commands.casualty_lines import log_cvp_changes
from brt_cg.commands.counter_checks import (
    clear_links_to_counters_out_of_play,
    is_placed_or_out_of_play,
)
from brt_cg.commands.name_resolution import counters_side_may_mean, only_one
from brt_cg.commands.problems import InputProblems
from brt_cg.commands.state_document import FACT_FIELDS, IN_LEDGER, ammunition_never_had_text
from brt_cg.commands.units_lost import settling_lost_units
from brt_cg.model import (
    Campaign,
    Counter,
    Field,
    FieldMark,
    Fortification,
    Phase,
    Piece,
    Record,
    Side,
    SideRecord,
    Situation,
    Table,
    Unit,
    Vehicle,
    Weapon,
    changes_between,
    fields_of,
    only_side_allowed_to_read,
    read_assignments,
    visible_campaign,
)
from brt_cg.questions import Problem, RefusedError, raise_problems
from brt_cg.refit.casualties import enter_correction, enter_cvp_changes_between
from brt_cg.refit.engineers import keep_engineer_trait
from brt_cg.refit.log_line import LogLine
from brt_cg.refit.sequence import VICTORY, is_past_paragraph
from brt_cg.refit.victory import (
    cvp_problems,
    japanese_pillboxes,
    pillbox_points,
    record_fallen_pillbox,
)
from brt_cg.text import list_text


def correct_record(command: Command) -> None:
    """Carry out `edit`. Raises RefusedError, with everything that is wrong."""
    command.require_campaign_not_over()
    findings = InputProblems()
    id, values, reason = _read_asked(command.asked, findings)
    also = _read_also(command.asked, findings)
    findings.raise_problems()
    for each, set_ in ((id, values), *also):
        _correct(command, each, set_, reason)
    if any(line.secret is None for line in command.said):
        command.secret = None


def preview_edit(campaign: Campaign, card: Card, asked: dict[str, Any], by: str) -> list[str]:
    """Return the lines that a correction would log for a campaign as a seat sees it. The campaign
    is not changed. Raises RefusedError if the correction would be refused."""
    command = Command("edit", asked, campaign.clone(), card, {}, by, "")
    correct_record(command)
    return [line.text for line in command.said]


def _correct(command: Command, id: str, values: dict[str, Any], reason: str) -> None:
    findings = InputProblems()
    record = _find(command.campaign, id, command.find_visible_counter)
    new = _read_values(id, values, editable_fields(record), findings)
    findings.raise_problems()
    if isinstance(record, Counter):
        _edit_counter(command, record, new, reason)
    else:
        _edit_record(command, record, new, reason)


def _read_asked(asked: dict[str, Any], findings: InputProblems) -> tuple[str, dict[str, Any], str]:
    id, values, reason = asked.get("id"), asked.get("set"), asked.get("reason")
    findings.note_unknown_fields(asked, ("id", "set", "reason", "also", CATALOGUE))
    if not isinstance(id, str):
        findings.add_bad_value("id", id, "an id")
    if not isinstance(values, dict) or not values:
        findings.add_bad_value("set", values, "at least one FIELD=VALUE")
    findings.check_reason(reason)
    return str(id), values if isinstance(values, dict) else {}, str(reason)


def _read_also(asked: dict[str, Any], findings: InputProblems) -> list[tuple[str, dict[str, Any]]]:
    found = []
    also = asked.get("also", [])
    for each in also if isinstance(also, list) else [also]:
        if (
            isinstance(each, dict)
            and each.keys() == {"id", "set"}
            and isinstance(each["set"], dict)
        ):
            found.append((str(each["id"]), each["set"]))
        else:
            findings.add_bad_value("also", each, "an object with id and set")
    return found


def _find(campaign: Campaign, id: str, find: Find) -> Record:
    if id == "campaign":
        return campaign.situation
    found: Record | None = campaign.sides.get(id) or find(id)
    if found is None:
        alike = counters_side_may_mean(campaign, id, None)
        found = only_one(each for each in alike if find(each.id) is not None)
    if found is None:
        raise RefusedError(
            f"{id} is not in the campaign; enter a counter, marine, japanese or campaign"
        )
    return found


def editable_fields(record: Record) -> Mapping[str, Field]:
    """Return the fields of a record that may be edited, by name."""
    fields = FACT_FIELDS if isinstance(record, Situation) else fields_of(type(record))
    return {name: field for name, field in fields.items() if FieldMark.FIXED not in field.marks}


def _read_values(
    id: str, values: dict[str, Any], fields: Mapping[str, Field], findings: InputProblems
) -> dict[str, Any]:
    """Return the new values by attribute; null sets the default."""
    new = {}
    for name, raw in values.items():
        field = fields.get(name)
        if field is None:
            findings.add(f"{id}.{name}", f"unknown field; enter {list_text(fields)}")
            continue
        try:
            new[field.attribute] = field.read(raw)
        except ValueError as error:
            findings.add(f"{id}.{name}", str(error))
    return new


# --- a counter ------------------------------------------------------------------------------------


def _edit_counter(command: Command, counter: Counter, new: dict[str, Any], reason: str) -> None:
    findings = InputProblems()
    note = findings.problem_noter(counter.id)
    edited = note_contradictions(
        correct_counter(counter, new, command.card, note), command.card, note, counter
    )
    if edited is not None:
        _note_problems(command, edited, new, findings)
    findings.raise_problems()
    assert edited is not None, "a counter that cannot be built has been noted"
    if isinstance(edited, Unit) and isinstance(counter, Unit) and "traits" not in new:
        keep_engineer_trait(command.campaign, command.card, counter, edited)
    _put(command, counter, edited, reason)


def _note_problems(
    command: Command, edited: Counter, new: dict[str, Any], findings: InputProblems
) -> None:
    campaign = command.campaign

    def find(id: str) -> Counter | None:
        return edited if id == edited.id else command.find_visible_counter(id)

    for name, message in broken_link_problems(edited, find):
        findings.add(f"{edited.id}.{name}", message)
    if isinstance(edited, Weapon) and new.get("depleted"):
        vehicle = find(edited.vehicle or "")
        types = read_printed_types(command.asked.get(CATALOGUE, []))
        wrong = impossible_ammunition(
            edited, vehicle if isinstance(vehicle, Vehicle) else None, types
        )
        if wrong is not None:
            findings.add(f"{edited.id}.depleted", ammunition_never_had_text(edited, *wrong))
    if isinstance(edited, Piece) and "location" in new and not edited.hidden:
        _note_shared_hex(command, edited, findings)
    area = edited.setup_area
    if "setup_area" in new and area is not None and area not in campaign.areas:
        findings.add_bad_value(f"{edited.id}.setup_area", area, list_text(campaign.areas))
    if new.get("isolated") and edited.location in (None, OFF_MAP):
        findings.add_bad_value(
            f"{edited.id}.isolated", True, "false, since it has no Location on map"
        )
    was = campaign.find(edited.id)
    if not is_placed_or_out_of_play(edited) and was is not None and is_placed_or_out_of_play(was):
        retained = ", or the Setup Area where it is Retained" if isinstance(edited, Piece) else ""
        findings.add(f"{edited.id}.location", f"missing; enter a Location{retained}")


def _note_shared_hex(command: Command, edited: Piece, findings: InputProblems) -> None:
    if not edited.is_on_map_without_hex:
        return
    view = visible_campaign(command.campaign, command.side_with_limited_view)
    hex = ground_hex(edited.location or "")
    enemies = (each for each in view.pieces() if each.in_play and each.is_opposing)
    where = {each.location for each in enemies if each.side is not edited.side}
    if any(place not in (None, OFF_MAP) and ground_hex(place or "") == hex for place in where):
        why = f"both sides have units in {hex}"
        findings.add_bad_value(
            f"{edited.id}.location", edited.location, f"the hex that the counter is in, since {why}"
        )


# --- totals and facts -----------------------------------------------------------------------------


def _edit_record(command: Command, record: Record, new: dict[str, Any], reason: str) -> None:
    edited = record.clone()
    for name, value in new.items():
        if name not in IN_LEDGER:
            setattr(edited, name, value)
    if isinstance(record, SideRecord):
        problems = cvp_problems(command.campaign, Side(record.id), new)
        raise_problems(Problem(f"{record.id}.{name}", message) for name, message in problems)
        if _state_cvp(command, Side(record.id), new, reason) and record == edited:
            return
    if "san" in new and "announced_san" not in new:
        edited.announced_san = new["san"]  # type: ignore[attr-defined]
    _put(command, record, edited, reason)


def _state_cvp(command: Command, side: Side, new: dict[str, Any], reason: str) -> bool:
    """Enter in the casualty ledger the CVP that the players state, as a correction. Return whether
    that changes anything."""
    campaign, before = command.campaign, command.campaign.snapshot()
    view = visible_campaign(before, command.side_with_limited_view)
    total = view.cvp(side)
    earlier = total - view.cvp_of_last_scenario(side)
    more = new.get("cvp", total) - total
    if more:
        enter_correction(campaign, side, more, "edit", reason)
    if "cvp_before" in new and (shift := new["cvp_before"] - earlier):
        enter_correction(campaign, side, shift, "edit", reason).date = None
        enter_correction(campaign, side, -shift, "edit", reason)
    if campaign.casualties == before.casualties:
        return False
    log_cvp_changes(command, before)
    return True


# --- making and logging the correction ------------------------------------------------------------


def _put(command: Command, record: Record, edited: Record, reason: str) -> None:
    """Apply a correction. Raises RefusedError if nothing changes, or if a linked counter would
    become impossible."""
    campaign = command.campaign
    if record == edited:
        raise RefusedError(f"{record.id} already has these values, so there is nothing to edit")
    known = set(_impossible(command, counters_referring_to(campaign, record.id)))
    before, whole = _around(campaign, record).clone(), campaign.snapshot()
    with settling_lost_units(command):
        campaign.tables[record.TABLE][record.id] = edited
        if isinstance(edited, Counter):
            clear_links_to_counters_out_of_play(
                [edited, *counters_referring_to(campaign, edited.id)], campaign.find
            )
        linked = counters_referring_to(
            campaign, edited.id
        )  # nothing is logged about a hidden record
        seen = (
            counter for counter in linked if only_side_allowed_to_read(campaign, counter) is None
        )
        raise_problems(line for line in _impossible(command, seen) if line not in known)
        _log_correction(command, before, _around(campaign, edited), record, reason)
        if isinstance(edited, Counter):
            _tell_of_links(command, whole, edited, reason)
        if isinstance(edited, Vehicle):
            _take_along_weapons(command, whole, edited)
        if isinstance(edited, Fortification):
            _settle_pillbox(command, whole, edited)
        if isinstance(edited, Counter) and campaign.situation.phase is not Phase.PURCHASE:
            enter_cvp_changes_between(whole, campaign, command.card, "edit")
            log_cvp_changes(command, whole)


def _tell_of_links(command: Command, before: Campaign, edited: Counter, reason: str) -> None:
    """Log the possessions, prisoners and passengers that a corrected counter no longer has."""
    for was in before.sort_counters_in_play(counters_referring_to(before, edited.id)):
        now = command.campaign.find(was.id)
        if now is not None and now != was:
            _log_correction(
                command, _around(before, was), _around(command.campaign, now), was, reason
            )


def _settle_pillbox(command: Command, before: Campaign, box: Fortification) -> None:
    """Count the VP for a pillbox if a correction says it was lost in the scenario whose VP are
    settled (15.6032), and remove the VP for one that is in play again."""
    campaign, was = command.campaign, before.fortifications[box.id]
    situation = campaign.situation
    if situation.pillbox_vp_so_far is None or box not in [*japanese_pillboxes(campaign)]:
        return
    if was.fell is not None and box.in_play and not was.in_play:
        points = -pillbox_points(box)
        settled = was.fell == situation.ended
        box.fell = box.controller = None
    elif not box.in_play and was.in_play and was.fell is None and _vp_are_settled(situation):
        points, settled = record_fallen_pillbox(campaign, box), True
    else:
        return
    before_all = situation.pillbox_vp_so_far
    situation.pillbox_vp_so_far = max(0, before_all + points)
    if settled:
        situation.pillbox_vp = max(0, situation.pillbox_vp + points)
    command.log(f"VP for pillboxes: {before_all} → {situation.pillbox_vp_so_far}", box)


def _vp_are_settled(situation: Situation) -> bool:
    running = situation.phase in (Phase.REFIT, Phase.SETUP) and situation.ended is not None
    return running and is_past_paragraph(situation, VICTORY)


def _take_along_weapons(command: Command, before: Campaign, vehicle: Vehicle) -> None:
    """Mark a vehicle's own Weapons as lost with it, or put them in play again with it."""
    fate = before.vehicles[vehicle.id].fate
    if fate is vehicle.fate:
        return
    words = "is in play again" if vehicle.in_play else "is lost"
    for was in before.weapons.records_with("vehicle", vehicle.id):
        weapon = command.campaign.weapons[was.id]
        if was.fate is fate:
            weapon.fate, weapon.vehicle = vehicle.fate, vehicle.id
            command.log(f"{weapon.label} {words} with its vehicle", weapon)


def _impossible(command: Command, counters: Iterable[Counter]) -> Iterator[str]:
    for counter in counters:
        yield from counter_problems(counter, command.campaign, command.card)


def _log_correction(
    command: Command, before: Campaign, after: Campaign, record: Record, reason: str
) -> None:
    """Log a correction. Both sides read the changes that both can see; if there are others, the
    side whose secret those are, before or after it, reads all changes. `before` and `after` contain
    only the records `_around` this one."""
    whole = _correction(before, after, record, reason)
    seen = {
        side: _correction(
            visible_campaign(before, side), visible_campaign(after, side), record, reason
        )
        for side in Side
    }
    owner = _owner(before, after, record)
    keeper = next((side for side in (owner, owner.enemy) if seen[side] == whole), owner)
    public = seen[keeper.enemy]
    about = (record.id,) if isinstance(record, Counter) else ()
    if public is not None:
        command.said.append(LogLine(f"{correction_text(command.by)} {public}", about))
    else:
        command.secret = keeper
    if public != whole:
        command.said.append(LogLine(f"{correction_text(command.by)} {whole}", about, keeper))


def _around(campaign: Campaign, record: Record) -> Campaign:
    """Return a record with everything that decides how a side sees it: the situation, the sides,
    and the counters that it refers to, directly or indirectly. A view of the whole campaign would
    be slow.
    """
    whole = (Situation.TABLE, SideRecord.TABLE)
    tables = campaign.tables.items()
    part = Campaign({key: Table(table.values() if key in whole else ()) for key, table in tables})
    ahead: list[Record] = [campaign.tables[record.TABLE][record.id]]
    while ahead:
        met = ahead.pop()
        part.tables[met.TABLE][met.id] = met
        named = (text.rpartition(":")[2] for text in met.values() if isinstance(text, str))
        linked = (campaign.find(id) for id in named)
        ahead += (new for new in linked if new and new.id not in part.tables[new.TABLE])
    return part


def _owner(before: Campaign, after: Campaign, record: Record) -> Side:
    """Return the side that may have a secret in a record; either one if the record belongs to
    neither side."""
    if record.id in list(Side):
        return Side(record.id)
    moments = ((moment, moment.tables[record.TABLE][record.id]) for moment in (before, after))
    secrets = [only_side_allowed_to_read(campaign, moment) for campaign, moment in moments]
    side = record.side if isinstance(record, Counter) else None
    return next((secret for secret in secrets if secret is not None), side or Side.MARINE)


def _correction(before: Campaign, after: Campaign, record: Record, reason: str) -> str | None:
    """Describe the changes of a record from one view of a campaign to another, with the reason:
    "7-6-8 squad m-sq-1: location N21 → N22 (a slip)"; None if there are none. If a counter appears
    or disappears, the reason is left out, because it may reveal the counter's hiding place."""
    old: Record | None = before.tables[record.TABLE].get(record.id)
    new: Record | None = after.tables[record.TABLE].get(record.id)
    if old is not None and new is not None:
        changes = ", ".join(
            str(before.change_with_spoken_values(one, after)) for one in changes_between(old, new)
        )
        return f"{_named(before, old)}: {changes} ({reason})" if changes else None
    if new is not None:
        return f"{_named(after, new)}: now visible to the enemy{_where(after, new)}"
    return f"{_named(before, old)}: no longer visible to the enemy" if old is not None else None


def _where(campaign: Campaign, record: Record) -> str:
    if isinstance(record, Counter) and is_placed_or_out_of_play(record):
        return f", {campaign.place_text(record)}"
    return ""


def _named(campaign: Campaign, record: Record) -> str:
    if isinstance(record, Counter):
        return record.label
    if record.id in list(Side):
        return f"the {Side(record.id).label} totals"
    return "the campaign"


# --- from the command line ------------------------------------------------------------------------


def parse_edit_assignments(
    campaign: Campaign, id: str, assignments: Iterable[str]
) -> dict[str, Any]:
    """Return the `set` of an edit of `id` from FIELD=VALUE strings: "status=broken,wounded",
    "pp=3".

    An empty value, or null, clears the field (a list becomes empty). Raises RefusedError for a
    malformed assignment or an unknown field; the edit itself checks the values.
    """
    record = _find(campaign, id, campaign.find)
    values, wrong = read_assignments(editable_fields(record), id, assignments)
    raise_problems(wrong)
    return values
