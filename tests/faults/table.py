"""The table of what was tried: each row a suite, each try repeatable by its seed."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol


class Harm(StrEnum):
    """What a try may find."""

    LOST = "lost"  # something that was stored is gone, or the campaign cannot go on
    UNTRUE = "untrue"  # the program says what is not so, passes a forgery, or ends in a traceback
    LEAKED = "leaked"  # a side reads a secret of the other


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong after a try."""

    harm: Harm
    what: str


class Suite(Protocol):
    """Tries of one kind. A seed says all that differs between two tries; `full` gives each that
    there is, or as many as the issue asks for."""

    def seeds(self, full: bool) -> Iterable[str]: ...
    def problems(self, seed: str) -> Iterator[Problem]: ...


@dataclass(slots=True)
class Row:
    """What became of a suite's tries: how many there were, and the problems by seed."""

    name: str
    tried: int = 0
    found: dict[str, list[Problem]] = field(default_factory=dict)
    seconds: float = 0.0

    def line(self) -> str:
        held = self.tried - len(self.found)
        harms = "".join(f"{self.harmed(harm):>9,}" for harm in Harm)
        return f"{self.name:<12}{self.tried:>9,}{held:>9,}{harms}{self.seconds:>8.0f} s"

    def harmed(self, harm: Harm) -> int:
        """How many tries found that harm."""
        return sum(any(one.harm is harm for one in found) for found in self.found.values())


HEAD = f"{'':<12}{'tried':>9}{'held':>9}" + "".join(f"{harm:>9}" for harm in Harm)


def tried(name: str, suite: Suite, full: bool, only: str | None = None, most: int = 0) -> Row:
    """Tries each seed of a suite, or one, or as many as `most`, evenly spread."""
    row, began = Row(name), time.monotonic()
    seeds = [only] if only is not None else [*suite.seeds(full)]
    step = max(1, len(seeds) // most) if most else 1
    for seed in seeds[::step]:
        row.tried += 1
        if problems := [*suite.problems(seed)]:
            row.found[seed] = problems
    row.seconds = time.monotonic() - began
    return row


def room(folder: Path, name: str) -> Path:
    """A folder of a suite's own."""
    made = folder / name
    made.mkdir(exist_ok=True)
    return made
