"""Classes that only hold something: values, which never change, and records, which do.

They are dataclasses with slots, but cheap to declare and to make: `dataclass` writes and compiles
up to six methods for each class, which for the hundred classes that a look at a campaign loads was
a third of its time. Here `__init__` alone is written, for a class of which one is made; the other
methods are the same for all, and its fields are listed when somebody asks for them.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, FrozenInstanceError, dataclass, fields
from functools import cache
from operator import attrgetter
from typing import Any, ClassVar, TypeVar, cast, dataclass_transform, get_origin, overload

T = TypeVar("T")


def once(make: Callable[[type[Any]], T]) -> Callable[[type[Any]], T]:
    """Has what is made for a class made once. For mypy a class is as hashable as its instances."""
    return cast(Callable[[type[Any]], T], cache(make))


@overload
def frozen(kind: type[T], /) -> type[T]: ...
@overload
def frozen(*, kw_only: bool = False) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True)
def frozen(kind: type[T] | None = None, /, *, kw_only: bool = False) -> Any:
    """Makes a class one of values. Two are equal if they are of one class and so are their fields;
    to set one raises FrozenInstanceError. `dataclasses.replace` and `fields` take them."""

    def wrap(kind: type[Any]) -> type[Any]:
        return _made(kind, kw_only, SHARED | FROZEN)

    return wrap if kind is None else wrap(kind)


@dataclass_transform(kw_only_default=True)
def record(kind: type[T]) -> type[T]:
    """Makes a class one of records, whose fields are given by name and may be set later. A new one
    is filled without `__setattr__`: nobody waits for news of it yet."""
    return _made(kind, True, SHARED)


@dataclass_transform()
def mutable(kind: type[T]) -> type[T]:
    """Makes a class one that holds what may be set: as `dataclass(slots=True)` does."""
    return _made(kind, False, SHARED)


def _made(kind: type[Any], kw_only: bool, methods: Mapping[str, Any]) -> type[Any]:
    hints = kind.__annotations__.items()
    names = [name for name, held in hints if ClassVar not in (held, get_origin(held))]
    above = {slot for base in kind.__mro__ for slot in vars(base).get("__slots__", ())}
    body = {**methods, **vars(kind)}
    for name in (*names, "__dict__", "__weakref__"):
        body.pop(name, None)
    body["__slots__"] = tuple(name for name in names if name not in above)
    body["__dataclass_fields__"] = listing = _Listing(kind, kw_only)
    meta: Any = type(kind)
    made: type[Any] = meta(kind.__name__, kind.__bases__, body)
    listing.made = made
    made.__init__ = _first_init(made)
    return made


class _Listing:
    """The fields of a class, as `dataclasses` lists them: once they are asked for."""

    made: type[Any]

    def __init__(self, kind: type[Any], kw_only: bool) -> None:
        self._kind, self._kw_only = kind, kw_only

    def __get__(self, *_: object) -> Any:
        dataclass(init=False, repr=False, eq=False, kw_only=self._kw_only)(self._kind)
        for name in ("__dataclass_params__", "__dataclass_fields__"):
            setattr(self.made, name, vars(self._kind)[name])
        return vars(self.made)[name]


def _first_init(made: type[Any]) -> Any:
    """What makes the first one, and writes what makes the others: of many a class there is none."""

    def init(self: Any, *given: Any, **named: Any) -> None:
        made.__init__ = _init(made)
        made.__init__(self, *given, **named)

    return init


def _init(made: type[Any]) -> Any:
    """What fills the slots of a new one."""
    scope: dict[str, Any] = {"MISSING": MISSING}
    given, lines = ["self"], ["pass"]
    for field in sorted(fields(made), key=lambda field: field.kw_only is True):
        name, default = field.name, ""
        if field.kw_only and "*" not in given:
            given.append("*")
        if field.default is not MISSING:
            scope[f"default_{name}"], default = field.default, f"=default_{name}"
        elif field.default_factory is not MISSING:
            scope[f"new_{name}"], default = field.default_factory, "=MISSING"
            lines.append(f"if {name} is MISSING: {name} = new_{name}()")
        scope[f"set_{name}"] = getattr(made, name).__set__
        given.append(name + default)
        lines.append(f"set_{name}(self, {name})")
    exec("\n ".join([f"def __init__({', '.join(given)}):", *lines]), scope)
    return scope["__init__"]


@once
def _compared(kind: type[Any]) -> Callable[[Any], Any]:
    """What gives the fields of one of a class that are compared."""
    names = [field.name for field in fields(kind) if field.compare]
    return attrgetter(*names) if names else type


def _equal(self: Any, other: object) -> bool:
    kind = self.__class__
    alike = other.__class__ is kind
    return bool(_compared(kind)(self) == _compared(kind)(other)) if alike else NotImplemented


def _hash(self: Any) -> int:
    return hash(_compared(type(self))(self))


def _repr(self: Any) -> str:
    told = [f"{field.name}={getattr(self, field.name)!r}" for field in fields(self) if field.repr]
    return f"{type(self).__qualname__}({', '.join(told)})"


def _refuse(self: Any, name: str, *_: object) -> None:
    raise FrozenInstanceError(f"cannot set {name!r} of {type(self).__qualname__}")


def _state(self: Any) -> list[Any]:
    """For pickle."""
    return [getattr(self, field.name) for field in fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for field, held in zip(fields(self), state, strict=True):
        object.__setattr__(self, field.name, held)


SHARED = {"__eq__": _equal, "__hash__": None, "__repr__": _repr}
FROZEN = {
    "__hash__": _hash,
    "__setattr__": _refuse,
    "__delattr__": _refuse,
    "__getstate__": _state,
    "__setstate__": _restore,
}
