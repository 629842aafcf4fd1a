"""Digests of the data that decides results, which are part of the version of the rules.

Wording is left out, so that a better sentence does not change the rules.
"""

import hashlib
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from brt_cg.resources import game_data_folder, read_toml_cached

CARD, MAP = "card", "map"
SHARED = ("counters", "prices", "rulings", "tables")  # TOML files shared by all CGs
PARTS = (CARD, "counters", MAP, "prices", "rulings", "tables")
DIGITS = 8  # hex digits of a digest: enough to distinguish two, not for security
DIGEST = re.compile(r"([a-z]+)=([0-9a-f]{8})")  # of a part of the data, as an entry names it
DATA_RULING = "R-DATA"  # the ruling to agree on changed data
RELEASED = "released"  # its value for unchanged data; otherwise digests, "tables=1f0e9a77 …"
WORDING = {"text", "title", "question", "provenance", "fixed", "check", "beforehand"}


def data_digests(cg: str, folder: Path | None = None) -> dict[str, str]:
    """Return a digest of each part of a CG's data (PARTS), from the files of `folder` or the
    installed ones. Raises ValueError for a CG without a card."""
    return dict(_digests(cg, folder or game_data_folder()))


@cache
def _digests(cg: str, folder: Path) -> tuple[tuple[str, str], ...]:
    cards = [
        data
        for path in sorted(folder.glob("cg*.toml"))
        if (data := read_toml_cached(path))["cg"] == cg
    ]
    if not cards:
        raise ValueError(f"there is no card of CG {cg!r}")
    shared = {name: read_toml_cached(folder / f"{name}.toml") for name in SHARED}
    hexes = (folder / "betio" / "hexes.csv").read_text("utf-8").split()
    found = {CARD: cards[0], MAP: hexes, **shared}
    return tuple((part, _digest(found[part])) for part in PARTS)


def parse_agreed_digests(value: str) -> dict[str, str]:
    """Return the digests in a value of the ruling R-DATA, by part. Raises ValueError if it contains
    none."""
    words = [] if value == RELEASED else value.split()
    found = [DIGEST.fullmatch(word) for word in words]
    parts = {match[1]: match[2] for match in found if match and match[1] in PARTS}
    if len(parts) < len(words) or (not words and value != RELEASED):
        raise ValueError(f"{RELEASED}, or digests such as tables=1f0e9a77")
    return parts


def _digest(data: Any) -> str:
    text = json.dumps(_deciding(data), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def _deciding(data: Any) -> Any:
    """Return data without its wording; a ruling's options are reduced to their names."""
    if isinstance(data, list):
        return [_deciding(value) for value in data]
    if not isinstance(data, dict):
        return data
    return {
        key: list(value) if key == "options" else _deciding(value)
        for key, value in data.items()
        if key not in WORDING
    }
