"""A record: the unit of change in the journal. Its table is called before each change."""

from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Protocol, Self

from brt_cg.shapes import Id, Mark
from brt_cg.values import once, record, slots_of, twin_of

_set = object.__setattr__


class Holder(Protocol):
    """A table that holds records by id; it is called before a field of one is set."""

    def get(self, key: str, /) -> Any: ...

    def changing(self, record: "Record", name: str, value: Any) -> None: ...

    def refile(self, record: "Record", name: str, value: Any) -> None: ...


class _Held:
    """A slot for a record's table, empty at first. It is no field, so it does not count when
    records are compared."""

    EMPTY: ClassVar = ("_holder",)
    __slots__ = EMPTY
    _holder: Holder | None


@record
class Record(_Held):
    """Anything that the journal can change: a counter, a side, an area, a purchase, a ruling…

    Field values are strings, integers, booleans, None, or tuples of these. `TABLE` is the name of
    its table in a change and in the campaign file. A record that belongs to a campaign calls its
    table before a field is set to a different value, so that every change is recorded.
    """

    TABLE: ClassVar[str]

    id: Annotated[str, Id(), Mark.FIXED]

    if not TYPE_CHECKING:  # else mypy would accept any name as a field

        def __setattr__(self, name: str, value: Any) -> None:
            holder = self._holder
            if holder is not None:
                if getattr(self, name) is value:
                    return
                holder.changing(self, name, value)
            _set(self, name, value)

    def put_back(self, name: str, value: Any) -> None:
        """Restores a field without noting the change."""
        if self._holder is not None:
            self._holder.refile(self, name, value)
        _set(self, name, value)

    def lies_in(self, holder: Holder) -> bool:
        """Makes a table the record's holder, unless it lies in another one; whether it is now."""
        before = self._holder
        if before is not holder:
            if before is not None and before.get(self.id) is self:
                return False
            _set(self, "_holder", holder)
        return True

    @classmethod
    def blank(cls) -> Self:
        """Returns a record whose fields have yet to be filled."""
        made = object.__new__(cls)
        _set(made, "_holder", None)
        return made

    def clone(self, holder: Holder | None = None) -> Self:
        """Returns a copy in no table, or in `holder`, which must then add it."""
        cloned: Self = _cloner(type(self))(self, holder)
        return cloned

    def but(self, **values: Any) -> Self:
        """Returns a copy in no table with other values."""
        made = self.clone()
        for name, value in values.items():
            _set(made, name, value)
        return made

    def values(self) -> tuple[Any, ...]:
        """All field values, in the order of `names()`."""
        values: tuple[Any, ...] = _getter(type(self))(self)
        return values

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The attribute names, in order of declaration."""
        return _names(cls)


@once
def _names(cls: type) -> tuple[str, ...]:
    return tuple(slots_of(cls))


@once
def _cloner(cls: type) -> Any:
    """Returns a compiled function that clones records of a kind field by field, as `dataclass`
    compiles `__init__`, since a forecast clones hundreds of records thousands of times."""
    lines = [
        "new = make(twin)",
        "new._holder = holder",
        *(f"new.{name} = old.{name}" for name in _names(cls)),
        "new.__class__ = kind",
    ]
    scope: dict[str, Any] = {"make": object.__new__, "twin": twin_of(cls), "kind": cls}
    exec("\n    ".join(["def clone(old, holder):", *lines, "return new"]), scope)
    return scope["clone"]


@once
def _getter(cls: type) -> Any:
    return attrgetter(*_names(cls))
