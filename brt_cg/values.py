"""Decorators for plain data classes: values, which never change, and records, which do.

They make dataclasses with slots that are cheap to declare: `dataclass` by itself compiles up to six
methods for each class, which took a third of the time of a look at a campaign. Here only `__init__`
is compiled, at the first instance of a class; the other methods are shared.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, fields
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, cast, dataclass_transform, overload

T = TypeVar("T")
MANY = 8  # fields, with more of which it is quicker to fill an instance as its class's twin


def once(make: Callable[[type[Any]], T]) -> Callable[[type[Any]], T]:
    """Makes a function cache its result for each class. (mypy does not know that classes are
    hashable.)"""
    return cast(Callable[[type[Any]], T], cache(make))


@overload
def frozen(kind: type[T], /) -> type[T]: ...
@overload
def frozen(*, kw_only: bool = False) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True)
def frozen(kind: type[T] | None = None, /, *, kw_only: bool = False) -> Any:
    """Makes a class a value: equal to others of its class with equal fields; setting a field raises
    FrozenInstanceError. `dataclasses.replace` and `fields` accept it."""

    def wrap(kind: type[Any]) -> type[Any]:
        return _made(kind, kw_only, SHARED | FROZEN)

    return wrap if kind is None else wrap(kind)


@dataclass_transform(kw_only_default=True)
def record(kind: type[T]) -> type[T]:
    """Makes a class a record: fields are given by name and may be set later. A new instance is
    filled without calling `__setattr__`, since no table holds it yet."""
    return _made(kind, True, SHARED)


@dataclass_transform()
def mutable(kind: type[T]) -> type[T]:
    """Makes a class like `dataclass(slots=True)`: its fields may be set."""
    return _made(kind, False, SHARED)


def _made(kind: type[Any], kw_only: bool, methods: Mapping[str, Any]) -> type[Any]:
    bare = dataclass(
        init=False, repr=False, eq=False, match_args=False, slots=True, kw_only=kw_only
    )
    made = bare(kind)
    for name in methods.keys() - vars(kind).keys():
        setattr(made, name, methods[name])

    def first_init(self: Any, *given: Any, **named: Any) -> None:
        made.__init__ = _init(made)
        made.__init__(self, *given, **named)

    made.__init__ = first_init
    return made


@once
def slots_of(made: type[Any]) -> dict[str, Field[Any]]:
    """The fields of a class by name, those of its base classes first."""
    return {said.name: said for said in fields(made)}


@once
def twin_of(kind: type[Any]) -> type[Any]:
    """A twin of a class that sets fields at once, past `__setattr__`; an instance of the one can be
    turned into one of the other."""
    names = {"__slots__": (), "__setattr__": object.__setattr__}
    return type(kind.__name__, (kind,), names)


def _init(made: type[Any]) -> Any:
    """Compiles the `__init__` of a class; if it has many fields, they are set as those of its
    twin. `EMPTY` names slots that are no fields, None at first."""
    many = len(slots_of(made)) > MANY
    scope: dict[str, Any] = {"MISSING": MISSING}
    given, lines = ["self"], ["pass"]
    if many:
        scope |= {"_set": object.__setattr__, "_twin": twin_of(made)}
        lines = ["_kind = self.__class__", "_set(self, '__class__', _twin)"]
    for name, said in sorted(slots_of(made).items(), key=lambda item: item[1].kw_only is True):
        default = ""
        if said.kw_only and "*" not in given:
            given.append("*")
        if said.default is not MISSING:
            scope[f"default_{name}"], default = said.default, f"=default_{name}"
        elif said.default_factory is not MISSING:
            scope[f"new_{name}"], default = said.default_factory, "=MISSING"
            lines.append(f"if {name} is MISSING: {name} = new_{name}()")
        scope[f"set_{name}"] = getattr(made, name).__set__
        given.append(name + default)
        lines.append(f"self.{name} = {name}" if many else f"set_{name}(self, {name})")
    for name in getattr(made, "EMPTY", ()):
        scope[f"set_{name}"] = getattr(made, name).__set__
        lines.append(f"set_{name}(self, None)")
    if many:
        lines.append("self.__class__ = _kind")
    exec("\n ".join([f"def __init__({', '.join(given)}):", *lines]), scope)
    return scope["__init__"]


@once
def _compared(kind: type[Any]) -> Callable[[Any], Any]:
    """Returns a function that gives the compared fields of an instance."""
    names = [name for name, said in slots_of(kind).items() if said.compare]
    return attrgetter(*names) if names else type


def _equal(self: Any, other: object) -> bool:
    kind = self.__class__
    alike = other.__class__ is kind
    return bool(_compared(kind)(self) == _compared(kind)(other)) if alike else NotImplemented


def _hash(self: Any) -> int:
    return hash(_compared(type(self))(self))


def _repr(self: Any) -> str:
    found = slots_of(type(self)).items()
    parts = [f"{name}={getattr(self, name)!r}" for name, said in found if said.repr]
    return f"{type(self).__qualname__}({', '.join(parts)})"


def _refuse(self: Any, name: str, *_: object) -> None:
    raise FrozenInstanceError(f"cannot set {name!r} of {type(self).__qualname__}")


def _state(self: Any) -> list[Any]:
    """The state of an instance for pickle."""
    return [getattr(self, name) for name in slots_of(type(self))]


def _restore(self: Any, state: list[Any]) -> None:
    for name, held in zip(slots_of(type(self)), state, strict=True):
        object.__setattr__(self, name, held)


SHARED = {"__eq__": _equal, "__hash__": None, "__repr__": _repr}
FROZEN = {
    "__hash__": _hash,
    "__setattr__": _refuse,
    "__delattr__": _refuse,
    "__getstate__": _state,
    "__setstate__": _restore,
}
