"""The fields of records as files have them: their public names, and their values as JSON."""

import json
from collections.abc import Iterable
from enum import StrEnum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from brt_cg.counters import Record

_ATTRIBUTES: dict[type, dict[str, str]] = {}
_HINTS: dict[type, dict[str, Any]] = {}


def plain(value: Any) -> Any:
    """A field's value as JSON: tuples as lists."""
    if isinstance(value, tuple):
        return [plain(one) for one in value]
    if isinstance(value, StrEnum):
        return value.value
    return value


def public_name(attribute: str) -> str:
    """A field's name in files: `class_` is "class"."""
    return attribute.rstrip("_")


def by_public_name(kind: type[Record]) -> dict[str, str]:
    """The attributes of a kind of record by their names in files."""
    if kind not in _ATTRIBUTES:
        _ATTRIBUTES[kind] = {public_name(name): name for name in kind.names()}
    return _ATTRIBUTES[kind]


def attribute_name(kind: type[Record], name: str) -> str:
    """The attribute of a field's public name. Raises ValueError if there is none."""
    found = by_public_name(kind).get(name)
    if found is None:
        raise ValueError(f"{kind.TABLE} have no field {name!r}")
    return found


def typed(kind: type[Record], attribute: str, value: Any) -> Any:
    """A field's value from JSON: enums and tuples restored. Raises ValueError on a wrong type."""
    return _restore(_hints(kind)[attribute], value, f"{kind.TABLE}.{public_name(attribute)}")


def _hints(kind: type[Record]) -> dict[str, Any]:
    if kind not in _HINTS:
        _HINTS[kind] = get_type_hints(kind)
    return _HINTS[kind]


def _restore(hint: Any, value: Any, where: str) -> Any:
    if get_origin(hint) in (Union, UnionType):
        if value is None and NoneType in get_args(hint):
            return None
        hint = next(one for one in get_args(hint) if one is not NoneType)
    if get_origin(hint) is tuple:
        if not isinstance(value, list):
            raise ValueError(f"{where}: {value!r} is not a list")
        return tuple(_restore(get_args(hint)[0], one, where) for one in value)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _member(hint, value, where)
    if type(value) is not hint:
        raise ValueError(f"{where}: {value!r} is not of type {hint.__name__}")
    return value


def _member(kind: type[StrEnum], value: Any, where: str) -> StrEnum:
    try:
        return kind(value)
    except ValueError:
        allowed = ", ".join(kind)
        raise ValueError(f"{where}: found {value!r}; allowed: {allowed}") from None


# --- in messages ------------------------------------------------------------------------------


def shown(found: object) -> str:
    """A value as it would be written in JSON, cut if it is long."""
    text = json.dumps(found, ensure_ascii=False, default=str)
    return text if len(text) <= 80 else f"{text[:79]}…"


def listed(names: Iterable[object]) -> str:
    """What is allowed, for a message."""
    return ", ".join(map(str, names)) or "none"
