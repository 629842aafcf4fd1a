"""The pages stored for a side that may read nothing else of the campaign, and its requests."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from brt_cg.journal.entries import NO_HASH, chain_hash
from brt_cg.model.counters import Side


@dataclass(frozen=True, slots=True)
class Pages:
    """Everything that a side may read of a campaign, as JSON texts: its rows of the journal, its
    view of the current state, and the links of its chain, first to last."""

    rows: tuple[str, ...]
    stands: str
    links: tuple[str, ...]

    @property
    def digest(self) -> str:
        """Identifies these pages."""
        parts = ("\n".join(part) for part in (self.rows, (self.stands,), self.links))
        return hashlib.sha256("\n\n".join(parts).encode()).hexdigest()


def hashes_of(links: tuple[str, ...]) -> list[str]:
    """The hash of every link of a side's chain, first to last."""
    hashes: list[str] = []
    for number, link in enumerate(links, start=1):
        hashes.append(chain_hash(hashes[-1] if hashes else NO_HASH, number, link))
    return hashes


@dataclass(frozen=True, slots=True)
class Request:
    """A player's request: his side, its number among the side's requests, and the work as JSON."""

    side: Side
    number: int
    work: str


@dataclass(frozen=True, slots=True)
class Beside:
    """The data stored together with entries: both sides' pages after them, and the request that
    they carry out, if any."""

    pages: Callable[[], Mapping[Side, Pages]]
    request: Request | None = None
