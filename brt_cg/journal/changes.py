"""Changes that an entry made to the records of the campaign; applying and inverting them.

A change is [table, id, field, old, new]. A record that is added is one change whose field is "" and
whose new value is an object of its fields (`encoding`); a record that is removed is the reverse.
Applying changes runs no rules.
"""

from collections.abc import Iterable, Mapping
from itertools import chain
from operator import itemgetter
from typing import Any

from brt_cg.model import (
    BY_TABLE,
    FORM,
    TABLES,
    Campaign,
    Record,
    Recorder,
    assign_numbers,
    decode_record,
    encode_record,
    field_name_in_files,
    field_of,
    to_json,
)

Change = list[Any]  # [table, id, field, old, new], as JSON
RECORDS: dict[str, type[Record]] = {kind.TABLE: kind for kind in TABLES}
PLACES = {table: place for place, table in enumerate(RECORDS)}


def recorded_changes(recorder: Recorder, campaign: Campaign, form: int = FORM) -> list[Change]:
    """Return the net changes since the recorder's last `forget`, in the order of tables, then of
    ids, then of fields; `form` is that of the entry."""
    found = []
    for record, was in recorder.changed_records():
        found.append((PLACES[record.TABLE], record.id, _of_fields(record, was)))
    for (name, key), stood in recorder.replaced.items():
        now = campaign.tables[name].get(key)
        if stood is None:
            changes = [] if now is None else [[name, key, "", None, encode_record(now, form)]]
        elif stood is now:
            changes = _of_fields(now, recorder.old_values(now))
        else:
            before = stood.replace(**recorder.old_values(stood))
            changes = _compare_record(name, key, before, now, form)
        found.append((PLACES[name], key, changes))
    found.sort(key=itemgetter(0, 1))
    return [*chain.from_iterable(map(itemgetter(2), found))]


def _of_fields(record: Record, was: Mapping[str, Any]) -> list[Change]:
    names = was if len(was) == 1 else sorted(was, key=record.names().index)
    return [
        [record.TABLE, record.id, field_name_in_files(name), to_json(old), to_json(new)]
        for name in names
        if (new := getattr(record, name)) != (old := was[name])
    ]


def compare_campaigns(before: Campaign, after: Campaign, form: int = FORM) -> list[Change]:
    """Return the changes from one view of a campaign to another, in the order of
    `recorded_changes`."""
    changes: list[Change] = []
    for name in RECORDS:
        old, new = before.tables[name], after.tables[name]
        if old == new:
            continue
        for key in sorted(old.keys() | new.keys()):
            changes.extend(_compare_record(name, key, old.get(key), new.get(key), form))
    return changes


def _compare_record(
    name: str, key: str, old: Record | None, new: Record | None, form: int
) -> list[Change]:
    if old is None or new is None:
        return [[name, key, "", old and encode_record(old, form), new and encode_record(new, form)]]
    if old == new:
        return []
    fields = zip(type(old).names(), old.values(), new.values(), strict=True)
    return [
        [name, key, field_name_in_files(field), to_json(before), to_json(after)]
        for field, before, after in fields
        if before != after
    ]


def invert_changes(changes: Iterable[Change]) -> list[Change]:
    """Return the changes that undo others."""
    return [[table, key, name, new, old] for table, key, name, old, new in reversed(list(changes))]


def apply_changes(campaign: Campaign, changes: Iterable[Change]) -> None:
    """Apply the changes of an entry to a campaign, in place, and number the new counters. Raises
    ValueError if they do not fit it."""
    changes = list(changes)
    _apply(campaign, changes)
    number_new_counters(campaign, changes)


def number_new_counters(campaign: Campaign, changes: Iterable[Change]) -> None:
    """Number the counters that the changes of an entry add."""
    # Each counter once: an audit removes and adds again a counter that it corrects.
    keys = {(table, key) for table, key, name, *_ in changes if name == "" and table in BY_TABLE}
    if keys:
        came = (campaign.tables[table].get(key) for table, key in keys)
        assign_numbers(campaign, [counter for counter in came if counter is not None])


def _apply(campaign: Campaign, changes: Iterable[Change]) -> None:
    for table, key, name, old, new in changes:
        records = campaign.tables.get(table)
        if records is None:
            raise ValueError(f"there is no table {table!r}")
        if name == "":
            _apply_whole(records, RECORDS[table], key, old, new)
            continue
        record = records.get(key)
        if record is None:
            raise ValueError(f"{table} has no {key}")
        field = field_of(type(record), name)
        found = to_json(getattr(record, field.attribute))
        if found != old:
            raise ValueError(f"{key}.{name} is {found!r}, but the entry says {old!r}")
        setattr(record, field.attribute, field.from_json(new))


def force_changes(campaign: Campaign, changes: Iterable[Change]) -> list[str]:
    """Apply changes that may not fit: the new value is set regardless of the old one. Return the
    changes that did not fit, for an audit, which continues after a finding."""
    misfits: list[str] = []
    changes = list(changes)
    for change in changes:
        try:
            _apply(campaign, (change,))
        except (ValueError, TypeError, AttributeError) as misfit:
            misfits.append(str(misfit))
            _overwrite(campaign, change)
    number_new_counters(campaign, changes)
    return misfits


def _overwrite(campaign: Campaign, change: Change) -> None:
    table, key, name, _, new = change
    records = campaign.tables.get(table)
    if records is None:
        return
    record = records.get(key)
    try:
        if name == "" and new is None:
            records.pop(key, None)
        elif name == "":
            records[key] = decode_record(RECORDS[table], new)
        elif record is not None:
            field = field_of(type(record), name)
            setattr(record, field.attribute, field.from_json(new))
    except (ValueError, TypeError, AttributeError):
        return  # no record can hold this value; the problem has been noted


def _apply_whole(records: dict[str, Any], kind: type[Record], key: str, old: Any, new: Any) -> None:
    if old is None and new is not None:
        if key in records:
            raise ValueError(f"{key} already exists")
        records[key] = decode_record(kind, new)
    elif new is None and old is not None:
        if records.get(key) != decode_record(kind, old):
            raise ValueError(f"{key} differs from the entry")
        del records[key]
    else:
        raise ValueError(f"a change of {key} has neither an old nor a new value")
