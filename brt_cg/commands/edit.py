"""The command `edit`: the players correct a counter, a side's totals or a fact of the campaign.

`asked` holds `id` (of a counter; or marine, japanese, campaign), `set` (new values by field) and
`reason`.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from brt_cg.asks import Refused
from brt_cg.campaign import Campaign, Phase
from brt_cg.commands import Command
from brt_cg.commands.counter_checks import broken_links, loosen, placed
from brt_cg.commands.difference import worded
from brt_cg.commands.problems import Findings, listed, shown
from brt_cg.commands.shapes import Text
from brt_cg.commands.state_document import build
from brt_cg.commands.state_fields import FACT_FIELDS, FIELDS, SIDE_FIELDS, Field
from brt_cg.counters import SMC, Counter, Piece, Record, Side, Unit
from brt_cg.secrets_kept import secret_of

NOT_EDITED = ("id", "purchase")
# What the digits of a Japanese MMC follow from.
MAKES_DIGITS = {"side", "kind", "class", "strength", "traits"}


def edit(command: Command) -> None:
    """Carries out `edit`. Raises Refused, with everything that is wrong."""
    command.only_in(Phase.PURCHASE, Phase.SCENARIO, Phase.REFIT, Phase.SETUP)
    findings = Findings()
    id, values, reason = _read_asked(command.asked, findings)
    findings.finish()
    record = _find(command.campaign, id)
    fields = fields_of(record)
    new = _read_values(id, values, fields, findings)
    findings.finish()
    if isinstance(record, Counter):
        _edit_counter(command, record, new, reason)
    else:
        _edit_record(command, record, new, reason)


def _read_asked(asked: dict[str, Any], findings: Findings) -> tuple[str, dict[str, Any], str]:
    id, values, reason = asked.get("id"), asked.get("set"), asked.get("reason")
    for key in asked:
        if key not in ("id", "set", "reason"):
            findings.add(key, "unknown; allowed: id, set, reason")
    if not isinstance(id, str):
        findings.bad("id", id, "an id")
    if not isinstance(values, dict) or not values:
        findings.bad("set", values, "at least one FIELD=VALUE")
    try:
        Text().read(reason)
    except ValueError:
        findings.bad("reason", reason, "a reason, in one line")
    return str(id), values if isinstance(values, dict) else {}, str(reason)


def _find(campaign: Campaign, id: str) -> Record:
    if id == "campaign":
        return campaign.situation
    found: Record | None = campaign.sides.get(id) or campaign.find(id)
    if found is None:
        raise Refused(
            f"{id} is not in the campaign; allowed: the id of a counter, marine, japanese, campaign"
        )
    return found


def fields_of(record: Record) -> Mapping[str, Field]:
    """The fields of a record that may be edited, by name."""
    fields = FIELDS.get(record.TABLE)
    if fields is None:
        fields = SIDE_FIELDS if record.id in list(Side) else FACT_FIELDS
    return {name: one for name, one in fields.items() if name not in NOT_EDITED}


def _read_values(
    id: str, values: dict[str, Any], fields: Mapping[str, Field], findings: Findings
) -> dict[str, Any]:
    """The new values by field; null sets what the field is when left out."""
    new = {}
    for name, raw in values.items():
        one = fields.get(name)
        if one is None:
            findings.add(f"{id}.{name}", f"unknown field; allowed: {listed(fields)}")
        elif raw is None and one.required:
            findings.add(f"{id}.{name}", "found null; it is required")
        else:
            try:
                new[name] = one.default if raw is None else one.shape.read(raw)
            except ValueError as error:
                findings.add(f"{id}.{name}", str(error))
    return new


# --- a counter ------------------------------------------------------------------------------------


def _edit_counter(command: Command, counter: Counter, new: dict[str, Any], reason: str) -> None:
    label = command.campaign.label(counter)
    findings = Findings()
    edited = _edited(command, counter, new, findings)
    if edited is not None:
        _note_problems(command, edited, new, findings)
    findings.finish()
    assert edited is not None, "a counter that cannot be built has been noted"
    changes = _changes(counter, edited)
    command.campaign.tables[counter.TABLE][counter.id] = edited
    loosen([*command.campaign.counters()], command.campaign.find)
    # Of a hidden counter, that it was corrected, and to what, is nobody else's business.
    command.secret = secret_of(command.campaign, edited)
    named = label if counter.id in label else f"{label} ({counter.id})"
    command.say(f"{command.by}: {named}: {changes} ({reason})", edited)


def _edited(
    command: Command, counter: Counter, new: dict[str, Any], findings: Findings
) -> Counter | None:
    values = {name: getattr(counter, one.attribute) for name, one in FIELDS[counter.TABLE].items()}
    values |= new
    digits_follow = isinstance(counter, Unit) and MAKES_DIGITS & new.keys() and "type" not in new
    if digits_follow and values["side"] is Side.JAPANESE and values["kind"] not in SMC:
        values["type"] = None
    return build(
        counter.TABLE,
        values,
        command.card,
        lambda name, message: findings.add(f"{counter.id}.{name}", message),
    )


def _note_problems(
    command: Command, edited: Counter, new: dict[str, Any], findings: Findings
) -> None:
    campaign = command.campaign

    def find(id: str) -> Counter | None:
        return edited if id == edited.id else campaign.find(id)

    for name, message in broken_links(edited, find):
        findings.add(f"{edited.id}.{name}", message)
    area = getattr(edited, "setup_area", None)
    if "setup_area" in new and area is not None and area not in campaign.areas:
        findings.bad(f"{edited.id}.setup_area", area, listed(campaign.areas))
    was = campaign.find(edited.id)
    if not placed(edited) and was is not None and placed(was):
        allowed = (
            "a Location, or a setup_area to be Retained in" if isinstance(edited, Piece) else ""
        )
        findings.add(f"{edited.id}.location", f"missing; allowed: {allowed or 'a Location'}")


# --- totals and facts -----------------------------------------------------------------------------


def _edit_record(command: Command, record: Record, new: dict[str, Any], reason: str) -> None:
    edited = record.clone()
    for name, value in new.items():
        setattr(edited, name, value)
    if "san" in new and "announced_san" not in new:
        edited.announced_san = new["san"]  # type: ignore[attr-defined]
    changes = _changes(record, edited)
    command.campaign.tables[record.TABLE][record.id] = edited
    label = Side(record.id).label if record.id in list(Side) else "campaign"
    command.say(f"{command.by}: {label}: {changes} ({reason})")


def _changes(old: Record, new: Record) -> str:
    """What is corrected: "location N21 → N22"; raises Refused if nothing is."""
    changed = [
        f"{name.rstrip('_')} {worded(before)} → {worded(after)}"
        for name, before, after in zip(type(old).names(), old.values(), new.values(), strict=True)
        if before != after
    ]
    if not changed:
        raise Refused(f"{old.id} is so already: nothing to edit")
    return ", ".join(changed)


# --- from the command line ------------------------------------------------------------------------


def parse_assignments(campaign: Campaign, id: str, assignments: Iterable[str]) -> dict[str, Any]:
    """The `set` of an edit of `id` from FIELD=VALUE texts: "status=broken,wounded", "pp=3".

    An empty value, or null, stands for nothing (lists: an empty one). Raises Refused for what is no
    assignment or names no field; values are checked when the edit is carried out.
    """
    fields = fields_of(_find(campaign, id))
    findings = Findings()
    values: dict[str, Any] = {}
    for one in assignments:
        name, equals, text = one.partition("=")
        name = name.strip()
        if not equals:
            findings.add(one, "not FIELD=VALUE")
        elif name not in fields:
            findings.add(name, f"unknown field of {id}; allowed: {listed(fields)}")
        elif name in values:
            findings.add(name, f"given twice: {shown(one)}; allowed: once")
        else:
            values[name] = _parse(fields[name], text)
    findings.finish()
    return values


def _parse(field: Field, text: str) -> Any:
    if text.strip().lower() in ("", "null"):
        return None
    return field.shape.parse(text)
