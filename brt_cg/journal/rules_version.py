"""The version of the rules that an entry carries: the number of the code and a digest of each part
of the data, written "2 card=1f0e9a77 counters=…"; version 1 had no digests."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cache
from pathlib import Path
from typing import Any

from brt_cg.card import DIGEST, PARTS, data_digests
from brt_cg.immutable import immutable
from brt_cg.resources import read_toml_cached

VERSION = 34  # raised when a change of the code changes what an entry does
CODE = "code"  # the name of the code among the parts of the rules
EVERYTHING = frozenset({CODE, *PARTS})


@immutable
class RulesVersion:
    """The rules that an entry was made under: `data` holds a digest by part, and is empty if these
    are unknown."""

    number: int
    data: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return " ".join(
            [str(self.number), *(f"{key}={digest}" for key, digest in self.data.items())]
        )

    def differs_in(self, other: "RulesVersion") -> frozenset[str]:
        """Return the parts of the rules, CODE among them, that may differ."""
        if self.number != other.number or not self.data:
            return EVERYTHING
        parts = self.data.keys() | other.data.keys()
        return frozenset(part for part in parts if self.data.get(part) != other.data.get(part))


@cache
def current_rules(cg: str) -> RulesVersion:
    """Return the current rules for a CG. Raises ValueError if there is no card for it."""
    return RulesVersion(VERSION, data_digests(cg))


@cache
def current_version_text(cg: str) -> str:
    """Return the current version for a CG as entries carry it."""
    return str(current_rules(cg))


@cache
def read_rules_version(text: str) -> RulesVersion:
    """Read the version in an entry. Raises ValueError if it is malformed."""
    number, *digests = text.split(" ")
    found = [DIGEST.fullmatch(digest) for digest in digests]
    known = number.isdecimal() and number.isascii() and number[0] != "0"
    if not known or not all(found) or (bool(found) is (number == "1")):
        raise ValueError(f"{text!r} is not a version of the rules")
    return RulesVersion(int(number), {match[1]: match[2] for match in found if match})


# --- which were ever given out --------------------------------------------------------------------

FILE = Path(__file__).with_name("released.toml")


@cache
def released_digests(number: int, cg: str) -> Mapping[str, Sequence[str]] | None:
    """Return the digests with which a version of the rules was released for a CG, by part; None if
    there was no such version. Version 1 had none."""
    table = read_toml_cached(FILE)
    if number != 1 and str(number) not in table:
        return None
    parts: dict[str, Any] = {}
    for version, changed in table.items():
        if int(version) <= number:
            parts |= changed
    return {part: _digests(held, cg) for part, held in parts.items()}


def _digests(held: Any, cg: str) -> Sequence[str]:
    """Return the digests of a part in the table: one, several, or one for each CG."""
    found = held.get(cg) if isinstance(held, dict) else held
    return (found,) if isinstance(found, str) else tuple(found or ())


def was_released(version: RulesVersion, cg: str, also: Mapping[str, str]) -> bool:
    """Whether these rules were ever released for a CG, except for data that was agreed on."""
    due = released_digests(version.number, cg)
    if due is None:
        return False
    return all(
        digest in due.get(part, ()) or digest == also.get(part)
        for part, digest in version.data.items()
    )
