"""A record: what the journal can change. The table that it lies in is told of every change."""

from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Protocol, Self

from brt_cg.shapes import Id, Mark
from brt_cg.values import once, record, slots_of

_set = object.__setattr__

ORDERED_BY = frozenset({"id", "side", "location", "setup_area"})


class Holder(Protocol):
    """A table that records lie in, by id: it is told before a field of one is set."""

    def get(self, key: str, /) -> Any: ...

    def changing(self, record: "Record", name: str, value: Any) -> None: ...

    def refile(self, record: "Record", name: str, value: Any) -> None: ...


class _Held:
    """Room in a record for the table that it lies in, and for its place among others; no fields, so
    records are equal wherever they lie."""

    __slots__ = ("_holder", "order_known")
    _holder: Holder | None
    order_known: Any

    def __new__(cls, *_: Any, **__: Any) -> Self:
        made = object.__new__(cls)
        _set(made, "_holder", None)
        _set(made, "order_known", None)
        return made


@record
class Record(_Held):
    """Anything the journal can change: a counter, a side, an area, a purchase, a ruling…

    Field values are strings, integers, booleans, None, or tuples of these.
    `TABLE` names the kind of record in a change and in the campaign file. A record that lies in a
    campaign tells its table before a field is set to something else, so that changes are known as
    they happen.
    """

    TABLE: ClassVar[str]

    id: Annotated[str, Id(), Mark.FIXED]

    if not TYPE_CHECKING:  # or mypy would take every name for a field

        def __setattr__(self, name: str, value: Any) -> None:
            holder = self._holder
            if holder is not None:
                if getattr(self, name) is value:
                    return
                holder.changing(self, name, value)
            _set(self, name, value)
            if name in ORDERED_BY:
                _set(self, "order_known", None)

    def put_back(self, name: str, value: Any) -> None:
        """Sets a field to what it was, of which nothing is noted."""
        if self._holder is not None:
            self._holder.refile(self, name, value)
        _set(self, name, value)
        _set(self, "order_known", None)

    def keep_order(self, key: Any) -> None:
        """Keeps its place among others until something that it follows from is set."""
        _set(self, "order_known", key)

    @property
    def holder(self) -> Holder | None:
        """The table that it lies in, or lay in last."""
        return self._holder

    def lie_in(self, holder: Holder) -> None:
        """Lies in a table from now on."""
        _set(self, "_holder", holder)

    def clone(self, holder: Holder | None = None) -> Self:
        """The same record, in no table, or about to be put in another one."""
        cloned: Self = _cloner(type(self))(self, holder)
        return cloned

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
    """What clones a record of a kind: written out field by field, as `dataclass` writes `__init__`,
    since a forecast clones hundreds of them thousands of times."""
    # A twin that tells no table what is set, and then becomes a record of the kind.
    twin = type(cls.__name__, (cls,), {"__slots__": (), "__setattr__": object.__setattr__})
    lines = [
        "new = make(twin)",
        "new._holder = holder",
        "new.order_known = old.order_known",
        *(f"new.{name} = old.{name}" for name in _names(cls)),
        "new.__class__ = kind",
    ]
    scope: dict[str, Any] = {"make": object.__new__, "twin": twin, "kind": cls}
    exec("\n    ".join(["def clone(old, holder):", *lines, "return new"]), scope)
    return scope["clone"]


@once
def _getter(cls: type) -> Any:
    return attrgetter(*_names(cls))
