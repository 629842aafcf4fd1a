"""Changes: what an entry did to the records of the campaign; applying and inverting them.

A change is [table, id, field, old, new]. A record that is added is one change whose field is "" and
whose new value is an object of its fields (`encoding`); a record that is removed is the reverse.
Applying changes runs no rules.
"""

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields
from enum import Enum
from itertools import chain
from operator import itemgetter
from types import NoneType
from typing import Any

from brt_cg.journal.encoding import FORM, encoded
from brt_cg.model.campaign import Campaign
from brt_cg.model.fields import declared, field_of, plain, public_name
from brt_cg.model.record import Record, cache_by_class
from brt_cg.model.records import TABLES
from brt_cg.model.table import Recorder
from brt_cg.text import listed

Change = list[Any]  # [table, id, field, old, new], as JSON
RECORDS: dict[str, type[Record]] = {kind.TABLE: kind for kind in TABLES}
PLACES = {table: place for place, table in enumerate(RECORDS)}


def noted(recorder: Recorder, campaign: Campaign, form: int = FORM) -> list[Change]:
    """The net changes since the recorder's last `forget`, in the order of tables, then of ids, then
    of fields; `form` is that of the entry."""
    found = []
    for record, was in recorder.changed():
        found.append((PLACES[record.TABLE], record.id, _of_fields(record, was)))
    for (name, key), stood in recorder.replaced.items():
        now = campaign.tables[name].get(key)
        if stood is None:
            changes = [] if now is None else [[name, key, "", None, encoded(now, form)]]
        elif stood is now:
            changes = _of_fields(now, recorder.was(now))
        else:
            before = stood.replace(**recorder.was(stood))
            changes = _compare_record(name, key, before, now, form)
        found.append((PLACES[name], key, changes))
    found.sort(key=itemgetter(0, 1))
    return [*chain.from_iterable(map(itemgetter(2), found))]


def _of_fields(record: Record, was: Mapping[str, Any]) -> list[Change]:
    names = was if len(was) == 1 else sorted(was, key=record.names().index)
    return [
        [record.TABLE, record.id, public_name(name), plain(old), plain(new)]
        for name in names
        if (new := getattr(record, name)) != (old := was[name])
    ]


def compare(before: Campaign, after: Campaign, form: int = FORM) -> list[Change]:
    """The changes that lead from one view of a campaign to another, in the same order."""
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
        return [[name, key, "", old and encoded(old, form), new and encoded(new, form)]]
    if old == new:
        return []
    fields = zip(type(old).names(), old.values(), new.values(), strict=True)
    return [
        [name, key, public_name(field), plain(before), plain(after)]
        for field, before, after in fields
        if before != after
    ]


def inverse(changes: Iterable[Change]) -> list[Change]:
    """The changes that undo others."""
    return [[table, key, name, new, old] for table, key, name, old, new in reversed(list(changes))]


def apply(campaign: Campaign, changes: Iterable[Change]) -> None:
    """Applies changes to a campaign, in place. Raises ValueError if they do not fit it."""
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
        found = plain(getattr(record, field.attribute))
        if found != old:
            raise ValueError(f"{key}.{name} is {found!r}, not {old!r} as the entry says")
        setattr(record, field.attribute, field.restore(new))


def adopt(campaign: Campaign, changes: Iterable[Change]) -> list[str]:
    """Applies changes that may not fit: the new value is set whatever the old one was. Returns what
    did not fit, for an audit, which continues after a finding."""
    misfits: list[str] = []
    for change in changes:
        try:
            apply(campaign, (change,))
        except (ValueError, TypeError, AttributeError) as misfit:
            misfits.append(str(misfit))
            _overwrite(campaign, change)
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
            records[key] = record_of(RECORDS[table], new)
        elif record is not None:
            field = field_of(type(record), name)
            setattr(record, field.attribute, field.restore(new))
    except (ValueError, TypeError, AttributeError):
        return  # a value that no record can hold; the misfit has been noted


def _apply_whole(records: dict[str, Any], kind: type[Record], key: str, old: Any, new: Any) -> None:
    if old is None and new is not None:
        if key in records:
            raise ValueError(f"{key} is there already")
        records[key] = record_of(kind, new)
    elif new is None and old is not None:
        if records.get(key) != record_of(kind, old):
            raise ValueError(f"{key} is not as the entry says")
        del records[key]
    else:
        raise ValueError(f"a change of {key} says neither what was nor what is")


# --- records as JSON --------------------------------------------------------------------------


def record_plain(record: Record) -> dict[str, Any]:
    """All fields of a record as JSON, by their names in files; sorted."""
    return {name: plain(getattr(record, attribute)) for name, attribute in _sorted(type(record))}


@cache_by_class
def _sorted(kind: type[Any]) -> list[tuple[str, str]]:
    """The fields of a kind of record by their names in files, and their attributes."""
    return sorted((field.name, field.attribute) for field in declared(kind))


def record_of(kind: type[Record], values: dict[str, Any]) -> Record:
    """A record from its fields as JSON; those left out have their default. Raises ValueError if one
    is unknown, of a wrong type, or left out without a default."""
    slots, usual, needed = _slots(kind)
    record = usual.clone()
    for name, value in values.items():
        try:
            field, fill, right, words = slots[name]
        except KeyError:
            raise ValueError(f"{kind.TABLE} have no field {name!r}") from None
        # Fast path: most values are already right, or a word, and there are many.
        if type(value) not in right:
            word = words.get(value) if type(value) is str else None
            value = field.restore(value) if word is None else word
        fill(record, value)
    if not needed <= values.keys():
        raise ValueError(f"{kind.TABLE} need {listed(needed - values.keys())}")
    return record


@cache_by_class
def _slots(kind: type[Any]) -> tuple[dict[str, Any], Record, frozenset[str]]:
    """By their names in files: for each field of a kind of record its descriptor, its types and its
    words; a record with all defaults; and the names of the fields that have none."""
    slots = {}
    for field in declared(kind):
        right = {field.holds, NoneType} if field.optional else {field.holds}
        words = {word.value: word for word in field.holds} if issubclass(field.holds, Enum) else {}
        slots[field.name] = (field, getattr(kind, field.attribute).__set__, right, words)
    usual: Record = kind.blank()
    needed = set()
    for each in fields(kind):
        name = public_name(each.name)
        if each.default is MISSING:
            needed.add(name)
        slots[name][1](usual, None if each.default is MISSING else each.default)
    return slots, usual, frozenset(needed)
