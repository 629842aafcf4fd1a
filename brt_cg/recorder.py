"""Changes as they happen: the first old value of each field that is touched.

A `Table` holds the records of one kind. Where there is a `Recorder`, the table tells it before a
record is put, taken away or changed; the journal makes an entry's changes of what was noted, and
what is refused half-way is rolled back. Without a recorder nothing is noted.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Self

from brt_cg.counters import Record


class Recorder:
    """What was before, of all that has been touched since the last `forget`."""

    def __init__(self) -> None:
        self._fields: dict[int, tuple[Record, dict[str, Any]]] = {}
        self._records: dict[tuple[str, str], Record | None] = {}

    def note_field(self, record: Record, name: str) -> None:
        """Notes a field of a record before it is set."""
        noted = self._fields.get(id(record))
        if noted is None:
            self._fields[id(record)] = (record, {name: getattr(record, name)})
        elif name not in noted[1]:
            noted[1][name] = getattr(record, name)

    def note_record(self, table: str, key: str, stands: Record | None) -> None:
        """Notes the record that stands under an id before another one, or none, does."""
        self._records.setdefault((table, key), stands)

    def touched(self) -> set[tuple[str, str]]:
        """The tables and ids of all records that may have changed."""
        changed = {(record.TABLE, record.id) for record, _ in self._fields.values()}
        return changed | self._records.keys()

    def before(self, table: str, key: str, now: Record | None) -> Record | None:
        """The record that stood under an id as it was then; `now` is the one that stands there."""
        stood = self._records.get((table, key), now)
        if stood is None or id(stood) not in self._fields:
            return stood
        was = stood.clone()
        for name, value in self._fields[id(stood)][1].items():
            was.put_back(name, value)
        return was

    def roll_back(self, tables: "Mapping[str, Table]") -> None:
        """Puts back all that was noted."""
        for record, was in self._fields.values():
            for name, value in was.items():
                record.put_back(name, value)
            tables[record.TABLE].touch(record.id)
        for (table, key), stood in self._records.items():
            tables[table].put_back(key, stood)
        self.forget()

    def forget(self) -> None:
        """Begins anew: what is now is what was before."""
        self._fields.clear()
        self._records.clear()


class Table(dict[str, Any]):
    """The records of one kind by id.

    A record lies in one table. Others may show it too, for a look at a part of a campaign, but hear
    nothing of what becomes of it; so a table with a recorder takes only what lies nowhere else.
    """

    __slots__ = ("derived", "recorder")
    recorder: Recorder | None
    derived: "Derived | None"

    def __new__(cls, *_: Any, **__: Any) -> "Table":
        made = super().__new__(cls)
        made.recorder = made.derived = None
        return made

    def __init__(self, records: Iterable[Record] = ()) -> None:
        super().__init__()
        for record in records:
            self[record.id] = record

    def changing(self, record: Record, name: str) -> None:
        """A field of one of its records is about to be set."""
        if self.recorder is not None:
            self.recorder.note_field(record, name)
        self.touch(record.id)

    def touch(self, key: str) -> None:
        """Tells whoever derives something from this table."""
        if self.derived is not None:
            self.derived.touch(key)

    def put_back(self, key: str, record: Record | None) -> None:
        """Puts what stood under an id there again; the recorder is not told."""
        self.touch(key)
        if record is None:
            super().pop(key, None)
        else:
            super().__setitem__(key, record)

    # --- what changes a dict -------------------------------------------------------------------

    def __setitem__(self, key: str, record: Record) -> None:
        holder = record.holder
        elsewhere = holder is not None and holder is not self and holder.get(key) is record
        if self.recorder is not None:
            if elsewhere:
                raise ValueError(f"{key} lies in another campaign")
            self.recorder.note_record(record.TABLE, key, self.get(key))
        if not elsewhere:
            record.lie_in(self)
        self.touch(key)
        super().__setitem__(key, record)

    def __delitem__(self, key: str) -> None:
        if self.recorder is not None:
            self.recorder.note_record(self[key].TABLE, key, self[key])
        self.touch(key)
        super().__delitem__(key)

    def pop(self, key: str, *default: Any) -> Any:
        if key not in self:
            return super().pop(key, *default)
        record = self[key]
        del self[key]
        return record

    def update(self, records: Mapping[str, Record]) -> None:  # type: ignore[override]
        for key, record in records.items():
            self[key] = record

    def clear(self) -> None:
        for key in list(self):
            del self[key]

    def setdefault(self, *_: Any) -> Any:
        raise TypeError("put a record with table[id] = record")

    popitem = __ior__ = setdefault


class Derived:
    """Something kept of a table that follows from its records alone, whatever changes them.

    The table tells which records it touches; of these `count_anew` forgets what it knew, and learns
    what is now, when somebody looks.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self._touched = set(table)

    @classmethod
    def of(cls, table: Table) -> Self:
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
        """Takes in what became of the records of these ids."""
        raise NotImplementedError


class ByLocation(Derived):
    """The records of a table by the Location that they lie in."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._where: dict[str, str | None] = {}
        self._lying: dict[str | None, set[str]] = {}

    def count_anew(self, touched: set[str]) -> None:
        for key in touched:
            if key in self._where:
                self._lying[self._where.pop(key)].discard(key)
            if key in self.table:
                where = self._where[key] = self.table[key].location
                self._lying.setdefault(where, set()).add(key)

    def at(self, location: str) -> list[Any]:
        """The records there, in the order of their ids."""
        return [self.table[key] for key in sorted(self._lying.get(location, ()))]
