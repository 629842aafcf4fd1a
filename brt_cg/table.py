"""The records of one kind by id, filed by the fields that the rules look them up by; and what notes
changes as they happen: the first old value of each field that is touched.

A table tells its Recorder, if it has one, before a record is put, taken away or changed. The
journal makes an entry's changes of what was noted, and what is refused half-way is rolled back.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Generic, Self, TypeVar

from brt_cg.record import Record

R = TypeVar("R", bound=Record)
Groups = dict[Any, dict[str, R]]  # by value of a field, the records by id


class Recorder:
    """What was before, of all that has been touched since the last `forget`. `replaced` are the
    records that stood, by table and id, where another one, or none, does now; of a record its
    fields are as they are now."""

    def __init__(self) -> None:
        self._fields: dict[int, tuple[Record, dict[str, Any]]] = {}
        self.replaced: dict[tuple[str, str], Record | None] = {}

    def note_field(self, record: Record, name: str) -> None:
        """Notes a field of a record before it is set."""
        noted = self._fields.get(id(record))
        if noted is None:
            self._fields[id(record)] = (record, {name: getattr(record, name)})
        elif name not in noted[1]:
            noted[1][name] = getattr(record, name)

    def note_record(self, table: str, key: str, stands: Record | None) -> None:
        """Notes the record that stands under an id before another one, or none, does."""
        self.replaced.setdefault((table, key), stands)

    def touched(self) -> set[tuple[str, str]]:
        """The tables and ids of all records that may have changed."""
        changed = {(record.TABLE, record.id) for record, _ in self._fields.values()}
        return changed | self.replaced.keys() if self.replaced else changed

    def changed(self) -> Iterator[tuple[Record, Mapping[str, Any]]]:
        """The other records that have been touched, and the first old value of each field."""
        for record, was in self._fields.values():
            if not self.replaced or (record.TABLE, record.id) not in self.replaced:
                yield record, was

    def was(self, record: Record) -> Mapping[str, Any]:
        """The first old value of each field of a record that has been touched."""
        noted = self._fields.get(id(record))
        return noted[1] if noted else {}

    def roll_back(self, tables: "Mapping[str, Table[Any]]") -> None:
        """Puts back all that was noted."""
        for record, was in self._fields.values():
            for name, value in was.items():
                record.put_back(name, value)
        for (table, key), stood in self.replaced.items():
            tables[table].put_back(key, stood)
        self.forget()

    def forget(self) -> None:
        """Begins anew: what is now is what was before."""
        self._fields.clear()
        self.replaced.clear()


class Table(dict[str, R]):
    """The records of one kind by id.

    A record lies in one table. Others may show it too, for a look at a part of a campaign, but hear
    nothing of what becomes of it; so a table with a recorder takes only what lies nowhere else.
    """

    # As a new one has them: views of a part of a campaign make thousands that stay empty.
    recorder: Recorder | None = None
    derived: "Derived[R] | None" = None
    _filed: Mapping[str, Groups[R]] = MappingProxyType({})

    def __init__(self, records: Iterable[R] = ()) -> None:
        for record in records:
            self[record.id] = record

    def clone(self) -> "Table[R]":
        """Clones of the same records, in a table of their own that nobody records."""
        made: Table[R] = Table()
        for key, record in self.items():
            dict.__setitem__(made, key, record.clone(made))
        return made

    # --- looking up -----------------------------------------------------------------------------

    def by(self, name: str) -> Groups[R]:
        """The records by the value of a field, as they stand. For looking only."""
        groups = self._filed.get(name)
        if groups is None:
            groups, value_of = defaultdict(dict), attrgetter(name)
            for key, record in self.items():
                groups[value_of(record)][key] = record
            self._filed = {**self._filed, name: groups}
        return groups

    def having(self, name: str, value: Any) -> list[R]:
        """The records with that value of a field, by id."""
        found = self.by(name).get(value)
        if not found:
            return []
        return [found[key] for key in sorted(found)] if len(found) > 1 else [*found.values()]

    # --- what records tell ----------------------------------------------------------------------

    def changing(self, record: Any, name: str, value: Any) -> None:
        """A field of one of its records is about to be set."""
        if self.recorder is not None:
            self.recorder.note_field(record, name)
        if self.derived is not None or name in self._filed:
            self.refile(record, name, value)

    def refile(self, record: Any, name: str, value: Any) -> None:
        """Files a record by the value that a field is about to have."""
        key = record.id
        if self.derived is not None:
            self.derived.touch(key)
        groups = self._filed.get(name)
        if groups is not None and self.get(key) is record:
            groups[getattr(record, name)].pop(key)
            groups.setdefault(value, {})[key] = self[key]

    def _touch(self, key: str) -> None:
        if self.derived is not None:
            self.derived.touch(key)

    def put_back(self, key: str, record: R | None) -> None:
        """Puts what stood under an id there again; the recorder is not told."""
        self._put(key, record)

    # --- what changes a dict --------------------------------------------------------------------

    def __setitem__(self, key: str, record: R) -> None:
        holder = record.holder
        elsewhere = holder is not None and holder is not self and holder.get(key) is record
        if self.recorder is not None:
            if elsewhere:
                raise ValueError(f"{key} lies in another campaign")
            self.recorder.note_record(record.TABLE, key, self.get(key))
        if not elsewhere:
            record.lie_in(self)
        self._put(key, record)

    def __delitem__(self, key: str) -> None:
        if self.recorder is not None:
            self.recorder.note_record(self[key].TABLE, key, self[key])
        self._put(key, None)

    def _put(self, key: str, record: R | None) -> None:
        self._touch(key)
        stood = self.get(key)
        for name, groups in self._filed.items():
            if stood is not None:
                groups[getattr(stood, name)].pop(key, None)
            if record is not None:
                groups.setdefault(getattr(record, name), {})[key] = record
        if record is not None:
            super().__setitem__(key, record)
        elif stood is not None:
            super().__delitem__(key)

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
        raise TypeError("put a record with table[id] = record")

    popitem = __ior__ = setdefault


class Derived(Generic[R]):
    """Something kept of a table that follows from its records alone, whatever changes them.

    The table tells which records it touches; of these `count_anew` forgets what it knew, and learns
    what is now, when somebody looks.
    """

    def __init__(self, table: Table[R]) -> None:
        self.table = table
        self._touched = set(table)

    @classmethod
    def of(cls, table: Table[R]) -> Self:
        """What is kept of a table, up to date."""
        kept = table.derived
        if not isinstance(kept, cls):
            kept = table.derived = cls(table)
        if kept._touched:
            touched, kept._touched = kept._touched, set()
            kept.count_anew(touched)
        return kept

    def touch(self, key: str) -> None:
        """A record of that id is put, taken away, changed or put back."""
        self._touched.add(key)

    def count_anew(self, touched: set[str]) -> None:
        """Notes what became of the records of these ids."""
        raise NotImplementedError
