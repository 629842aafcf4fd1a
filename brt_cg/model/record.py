"""A record: the unit of change in the journal. Its table is notified before each change."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from operator import attrgetter
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Protocol,
    Self,
    TypeVar,
    cast,
    dataclass_transform,
)

from brt_cg.immutable import dataclass_repr
from brt_cg.model.shapes import FieldMark, Id

T = TypeVar("T")

_set = object.__setattr__


def cache_by_class(make: Callable[[type[Any]], T]) -> Callable[[type[Any]], T]:
    """Cache results like `functools.cache`, for a function of a class: mypy considers the class of
    records, which cannot be hashed, unhashable itself."""
    return cast(Callable[[type[Any]], T], cache(make))


class RecordHolder(Protocol):
    """A table that holds records by id; it is notified before a field of a record is set. `numbers`
    has the numbers of its counters, if it belongs to a campaign."""

    @property
    def numbers(self) -> Mapping[str, Any]: ...

    def get(self, key: str, /) -> Any: ...

    def before_change(self, record: "Record", name: str, value: Any) -> None: ...

    def reindex(self, record: "Record", name: str, value: Any) -> None: ...


class _Held:
    """The slots for a record's table and its number in the campaign. They are not fields, so they
    do not count when records are compared."""

    __slots__ = ("_holder", "_number")
    _holder: RecordHolder | None
    _number: int | None

    def __new__(cls, *_: Any, **__: Any) -> Self:
        made = object.__new__(cls)
        _set(made, "_holder", None)
        _set(made, "_number", None)
        return made


@dataclass_transform(kw_only_default=True, field_specifiers=(field,))
def record_class(cls: type[T]) -> type[T]:
    """Make a class of records. Record defines how they compare and are shown."""
    made: type[T] = dataclass(kw_only=True, slots=True, eq=False, repr=False)(cls)
    return made


@record_class
class Record(_Held):
    """Anything that the journal can change: a counter, a side, an area, a purchase, a ruling…

    Field values are strings, integers, booleans, None, or tuples of these. `TABLE` is the name of
    its table in a change and in the campaign file. A record that belongs to a campaign calls its
    table before a field is set to a different value, so that every change is recorded.
    """

    TABLE: ClassVar[str]

    id: Annotated[str, Id(), FieldMark.FIXED]

    if not TYPE_CHECKING:  # else mypy would accept any name as a field

        def __setattr__(self, name: str, value: Any) -> None:
            holder = self._holder
            if holder is not None:
                if getattr(self, name) is value:
                    return
                holder.before_change(self, name, value)
            _set(self, name, value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record) or other.__class__ is not self.__class__:
            return NotImplemented
        return self.values() == other.values()

    __repr__ = dataclass_repr

    def restore_field(self, name: str, value: Any) -> None:
        """Restore a field without noting the change."""
        if self._holder is not None:
            self._holder.reindex(self, name, value)
        _set(self, name, value)

    def attach_to(self, holder: RecordHolder) -> bool:
        """Make a table the record's holder, unless it has another holder; return whether the table
        holds it now."""
        before = self._holder
        if before is not holder:
            if before is not None and before.get(self.id) is self:
                return False
            _set(self, "_holder", holder)
        return True

    @property
    def has_no_number(self) -> bool:
        return self._number is None

    @property
    def _is_coming(self) -> bool:
        """Whether the record is in a campaign that numbers its counters, but has no number yet."""
        return self._number is None and self._holder is not None and bool(self._holder.numbers)

    def set_number(self, number: int | None) -> None:
        """Set the record's number in the campaign."""
        self.restore_field("_number", number)

    @classmethod
    def new_blank(cls) -> Self:
        """Return a record whose fields have yet to be filled."""
        return cls.__new__(cls)

    def clone(self, holder: RecordHolder | None = None) -> Self:
        """Return a copy that does not belong to a table, or that belongs to `holder`, which must
        then add the copy."""
        made: Self = object.__new__(type(self))
        _set(made, "_holder", holder)
        _set(made, "_number", self._number)
        for write, value in zip(_writers(type(self)), self.values(), strict=True):
            write(made, value)
        return made

    def replace(self, **values: Any) -> Self:
        """Return a copy with different values, which does not belong to a table."""
        made = self.clone()
        for name, value in values.items():
            _set(made, name, value)
        return made

    def values(self) -> tuple[Any, ...]:
        """Return all field values, in the order of `names()`."""
        values: tuple[Any, ...] = _getter(type(self))(self)
        return values

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Return the attribute names, in order of declaration."""
        return _names(cls)


@cache_by_class
def _names(cls: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(cls))


@cache_by_class
def _writers(cls: type[Any]) -> tuple[Callable[[Any, Any], None], ...]:
    """Return the functions that fill the slots of a kind of record. A forecast clones hundreds of
    records thousands of times, and this is the quickest way to copy them."""
    return tuple(getattr(cls, name).__set__ for name in _names(cls))


@cache_by_class
def _getter(cls: type[Any]) -> Callable[[Any], Any]:
    return attrgetter(*_names(cls))
