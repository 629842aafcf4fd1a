"""JSON, for other programs."""

import json
from collections.abc import Mapping
from typing import Any

from brt_cg.exports.blocks import Document
from brt_cg.text import replace_invisible


def write_json(document: Document) -> str:
    return json_text(document.data)


def json_text(data: Mapping[str, Any]) -> str:
    """Return JSON indented by two spaces; flat values, such as a counter, take one line."""
    return _pretty(data, "") + "\n"


def _pretty(value: Any, indent: str) -> str:
    inner = indent + "  "
    if isinstance(value, Mapping) and (not indent or any(map(_has_objects, value.values()))):
        parts = [
            f"{inner}{compact_json(key)}: {_pretty(held, inner)}" for key, held in value.items()
        ]
        return "{\n" + ",\n".join(parts) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(held, dict | list) for held in value):
        parts = [f"{inner}{_pretty(held, inner)}" for held in value]
        return "[\n" + ",\n".join(parts) + f"\n{indent}]"
    return compact_json(value)


def _has_objects(value: Any) -> bool:
    if isinstance(value, dict):
        return bool(value)
    return isinstance(value, list) and any(isinstance(held, dict | list) for held in value)


def compact_json(value: Any) -> str:
    """Return a value on one line; invisible characters are escaped."""
    return replace_invisible(
        json.dumps(value, ensure_ascii=False), lambda sign: json.dumps(sign)[1:-1]
    )
