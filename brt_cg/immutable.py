"""Immutable values, equal to others of their class with the same fields.

The class is a dataclass with slots whose equality, hash and repr are written here once, for all
fields: for a frozen dataclass, Python writes and compiles nine methods for each class whenever the
program starts, which took a quarter of a command's time, and sets each field by a call. The type
checker ensures that nothing changes a value, and so does every test, in which a value refuses
changes (`enforce`).
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import partial
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")

enforce = False  # set by the tests before they load anything else


@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def immutable(cls: type[T], /) -> type[T]: ...


@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def immutable(*, kw_only: bool) -> Callable[[type[T]], type[T]]: ...


def immutable(cls: Any = None, /, *, kw_only: bool = False) -> Any:
    """Make a class immutable. Methods that it defines itself are kept."""
    if cls is None:
        return partial(_made, kw_only=kw_only)
    return _made(cls)


def _made(cls: type, kw_only: bool = False) -> type:
    made: type = dataclass(slots=True, eq=False, repr=False, kw_only=kw_only, frozen=enforce)(cls)
    for name, method in {"__repr__": dataclass_repr, **_alike(made)}.items():
        if name not in vars(made):
            setattr(made, name, method)
    return made


def _alike(cls: type) -> dict[str, Callable[..., Any]]:
    """Return the equality and the hash of a class, from its fields that are compared."""
    names = [each.name for each in fields(cls) if each.compare]
    said: Callable[[object], Any] = attrgetter(*names) if names else lambda one: ()

    def alike(self: object, other: object) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return said(self) == said(other)

    def hashed(self: object) -> int:
        return hash(said(self))

    return {"__eq__": alike, "__hash__": hashed}


def dataclass_repr(self: Any) -> str:
    """Return the repr of a dataclass: its class, and its fields by name."""
    shown = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"
