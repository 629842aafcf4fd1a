"""Changes as they happen: the first old value of each field that is touched.

A table tells its `Recorder`, if it has one, before a record is put, taken away or changed. The
journal makes an entry's changes of what was noted, and what is refused half-way is rolled back.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from brt_cg.record import Record


class Restorable(Protocol):
    """A table of records by id, as far as rolling back goes."""

    def put_back(self, key: str, record: Record | None) -> None: ...


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

    def roll_back(self, tables: Mapping[str, Restorable]) -> None:
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
