"""Tables of records by id, indexed by the fields that the rules look up, and the Recorder that
notes the first old value of each field that changes.

A table calls its Recorder, if it has one, before a record is added, removed or changed. The journal
makes an entry's changes from the notes, and uses them to roll back work that is refused before it
is complete.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, Self, TypeVar

from brt_cg.model.record import Record

R = TypeVar("R", bound=Record)
T = TypeVar("T")
Groups = dict[Any, dict[str, R]]  # records by id, by the value of a field


class CounterNumber(NamedTuple):
    """The number of a counter, and the pool of counters in which the number is unique
    (counter_numbers.py)."""

    pool: str
    number: int


class Recorder:
    """The state before all changes since the last `forget`. `replaced` holds, by table and id, the
    records that were replaced or removed; their own fields may have changed since."""

    def __init__(self) -> None:
        self._fields: dict[int, tuple[Record, dict[str, Any]]] = {}
        self.replaced: dict[tuple[str, str], Record | None] = {}

    def note_field(self, record: Record, name: str) -> None:
        """Note a field of a record before it is set."""
        noted = self._fields.get(id(record))
        if noted is None:
            self._fields[id(record)] = (record, {name: getattr(record, name)})
        elif name not in noted[1]:
            noted[1][name] = getattr(record, name)

    def note_record(self, table: str, key: str, stands: Record | None) -> None:
        """Note the record with an id before it is replaced or removed."""
        self.replaced.setdefault((table, key), stands)

    def touched_ids(self) -> set[tuple[str, str]]:
        """Return the tables and ids of all records that may have changed."""
        changed = {(record.TABLE, record.id) for record, _ in self._fields.values()}
        return changed | self.replaced.keys() if self.replaced else changed

    def changed_records(self) -> Collection[tuple[Record, Mapping[str, Any]]]:
        """Return the records that were changed but not replaced, with the first old value of each
        field."""
        found = self._fields.values()
        if not found or not self.replaced:
            return found
        return [noted for noted in found if (noted[0].TABLE, noted[0].id) not in self.replaced]

    def old_values(self, record: Record) -> Mapping[str, Any]:
        """Return the first old value of each changed field of a record."""
        noted = self._fields.get(id(record))
        return noted[1] if noted else {}

    def roll_back(self, tables: "Mapping[str, Table[Any]]") -> None:
        """Restore everything that was noted."""
        for record, was in self._fields.values():
            for name, value in was.items():
                record.restore_field(name, value)
        for (table, key), stood in self.replaced.items():
            tables[table].restore_record(key, stood)
        self.forget_changes()

    def forget_changes(self) -> None:
        """Drop all notes: the current state is the new starting point."""
        self._fields.clear()
        self.replaced.clear()


class IncrementalAggregate(Generic[R]):
    """A value derived from a table and updated with each change. It is for long tables only:
    counting short ones again after a change is simpler."""

    def update(self, table: "Table[R]", touched: Collection[str]) -> None:
        """Update the value after records with these ids were added, removed or changed."""
        raise NotImplementedError


class _Copies(IncrementalAggregate[R]):
    """Clones of the records of a table, in any order."""

    def __init__(self, table: "Table[R]") -> None:
        self.records = table.clone()

    def update(self, table: "Table[R]", touched: Collection[str]) -> None:
        for key in touched:
            record = table.get(key)
            if record is None:
                dict.pop(self.records, key, None)
            else:
                dict.__setitem__(self.records, key, record.clone(self.records))


class Table(dict[str, R]):
    """The records of one kind by id.

    A record belongs to one table. Other tables may contain it as well, to show a part of a
    campaign, but are not notified of its changes; so a table with a recorder accepts only records
    that do not belong to another table.
    """

    # Shared by all new tables: views of a part of a campaign make thousands that stay empty.
    recorder: Recorder | None = None
    _filed: Mapping[str, Groups[R]] = MappingProxyType({})
    _derived: Mapping[Callable[[Any], Any], Any] = MappingProxyType({})
    numbers: Mapping[str, CounterNumber] = MappingProxyType({})  # for all counters of the campaign
    _touched: set[str]  # ids changed since the derived values were computed

    def __init__(self, records: Iterable[R] = ()) -> None:
        for record in records:
            self[record.id] = record

    def clone(self) -> "Table[R]":
        """Clone the records into a new table without a recorder."""
        made: Table[R] = Table()
        if self.numbers:
            made.numbers = self.numbers
        for key, record in self.items():
            dict.__setitem__(made, key, record.clone(made))
        return made

    def snapshot(self) -> "Table[R]":
        """Return the records as they are now, to be read but not changed. Only the records changed
        since the last snapshot are cloned; that snapshot contains the others too."""
        copies = self.derived_value(_Copies).records
        made: Table[R] = Table()
        if self.numbers:
            made.numbers = copies.numbers = self.numbers
        dict.update(made, {key: copies[key] for key in self})
        return made

    def clear_to_free_memory(self) -> None:
        """Remove all records, which refer to their table, so that their memory is freed
        immediately."""
        self._filed, self._derived = {}, {}
        dict.clear(self)

    # --- looking up -----------------------------------------------------------------------------

    def index_by(self, name: str) -> Groups[R]:
        """Return the current records by the value of a field. Must not be changed."""
        groups = self._filed.get(name)
        if groups is None:
            groups, value_of = defaultdict(dict), attrgetter(name)
            for key, record in self.items():
                groups[value_of(record)][key] = record
            self._filed = {**self._filed, name: groups}
        return groups

    def records_with(self, name: str, value: Any) -> list[R]:
        """Return the records with a value of a field, by id."""
        found = (self._filed.get(name) or self.index_by(name)).get(value)
        if not found:
            return []
        return [found[key] for key in sorted(found)] if len(found) > 1 else [*found.values()]

    def derived_value(self, make: Callable[[Self], T]) -> T:
        """Return the value that `make` computes from the records alone, kept until a record
        changes, or updated if it is an IncrementalAggregate."""
        if not self._derived:
            self._touched = set()
        elif self._touched:
            self._bring_up_to_date()
        if make not in self._derived:
            self._derived = {**self._derived, make: make(self)}
        found: T = self._derived[make]
        return found

    def _bring_up_to_date(self) -> None:
        """Drop the derived values, except those that are updated with the changes."""
        running = {
            key: kept
            for key, kept in self._derived.items()
            if isinstance(kept, IncrementalAggregate)
        }
        for kept in running.values():
            kept.update(self, self._touched)
        self._derived, self._touched = running, set()

    # --- facts about the records ----------------------------------------------------------------

    def before_change(self, record: Any, name: str, value: Any) -> None:
        """Note that a field of one of its records is about to be set."""
        if self.recorder is not None:
            self.recorder.note_field(record, name)
        if self._derived or name in self._filed:
            self.reindex(record, name, value)

    def reindex(self, record: Any, name: str, value: Any) -> None:
        """Move a record in the index of a field to the value that is about to be set."""
        key, groups = record.id, self._filed.get(name)
        if self._derived:
            self._touched.add(key)
        if groups is not None and self.get(key) is record:
            groups[getattr(record, name)].pop(key)
            groups.setdefault(value, {})[key] = self[key]

    # --- the methods that change a dict ---------------------------------------------------------

    def __setitem__(self, key: str, record: R) -> None:
        elsewhere = not record.attach_to(self)
        if self.recorder is not None:
            if elsewhere:
                raise ValueError(f"{key} belongs to another campaign")
            self.recorder.replaced.setdefault((record.TABLE, key), self.get(key))
        self.restore_record(key, record)

    def __delitem__(self, key: str) -> None:
        if self.recorder is not None:
            self.recorder.note_record(self[key].TABLE, key, self[key])
        self.restore_record(key, None)

    def restore_record(self, key: str, record: R | None) -> None:
        """Set the record with an id (None: remove it) without calling the recorder."""
        if self._derived:
            self._touched.add(key)
        if self._filed:
            self._file(key, record)
        if record is not None:
            if self.numbers:
                numbered = self.numbers.get(key)
                record.set_number(numbered.number if numbered is not None else None)
            dict.__setitem__(self, key, record)
        elif key in self:
            dict.__delitem__(self, key)

    def _file(self, key: str, record: R | None) -> None:
        """Update each index for the record with an id."""
        stood = self.get(key)
        for name, groups in self._filed.items():
            if stood is not None:
                groups[getattr(stood, name)].pop(key, None)
            if record is not None:
                groups.setdefault(getattr(record, name), {})[key] = record

    def pop(self, key: str, *default: Any) -> Any:
        if key not in self:
            return super().pop(key, *default)
        record = self[key]
        del self[key]
        return record

    def update(self, records: Mapping[str, R]) -> None:  # type: ignore[override]
        for key, record in records.items():
            self[key] = record

    def clear(self) -> None:
        for key in list(self):
            del self[key]

    def setdefault(self, *_: Any) -> Any:
        raise TypeError("add a record with table[id] = record")

    popitem = __ior__ = setdefault
