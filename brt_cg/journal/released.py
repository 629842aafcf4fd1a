"""Which versions of the rules, with which data, were ever given out: only those explain why an
entry comes out differently today. Players who change the data agree to it by the ruling R-DATA."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from brt_cg.journal.rules_version import RulesVersion
from brt_cg.resources import toml

FILE = Path(__file__).with_name("released.toml")


@cache
def released(number: int, cg: str) -> Mapping[str, Sequence[str]] | None:
    """The digests that a version of the rules was given out with for a CG, by part; None if there
    was no such version. Version 1 had none."""
    table = toml(FILE)
    if number != 1 and str(number) not in table:
        return None
    parts: dict[str, Any] = {}
    for version, changed in table.items():
        if int(version) <= number:
            parts |= changed
    return {part: _digests(held, cg) for part, held in parts.items()}


def _digests(held: Any, cg: str) -> Sequence[str]:
    """The digests of a part in the table: one, several, or one for each CG."""
    found = held.get(cg) if isinstance(held, dict) else held
    return (found,) if isinstance(found, str) else tuple(found or ())


def was_released(version: RulesVersion, cg: str, also: Mapping[str, str]) -> bool:
    """Whether these rules were ever given out for a CG, but for data that was agreed on."""
    due = released(version.number, cg)
    if due is None:
        return False
    return all(
        digest in due.get(part, ()) or digest == also.get(part)
        for part, digest in version.data.items()
    )
