"""The counted results of runs; parts can be added up in any order."""

import pickle
from collections import Counter as Tally
from dataclasses import dataclass, field
from typing import Any

# The fields of counters of any kind that a forecast watches.
WATCHED = (
    *("fate", "status", "type", "strength", "class_", "traits", "side", "depleted", "pathfinder"),
    *("kind", "fire"),
)
State = tuple[Any, ...]  # a value for each of WATCHED, None where a counter has no such field


@dataclass(slots=True)
class Counted:
    """`states` counts the runs by counter, final state and the one roll that it made (rule and
    faces; "" for none, "*" for several), if it changed or rolled at all; `sides` by side, figure
    and value; `choices` by question and whether the given choice was allowed."""

    runs: int = 0
    states: Tally[tuple[str, State, str]] = field(default_factory=Tally)
    sides: Tally[tuple[str, str, float]] = field(default_factory=Tally)
    choices: Tally[tuple[str, bool]] = field(default_factory=Tally)

    def add(self, other: "Counted") -> None:
        """Adds another count."""
        self.runs += other.runs
        self.states.update(other.states)
        self.sides.update(other.sides)
        self.choices.update(other.choices)

    def text(self) -> str:
        """The counts in one line, for another process."""
        return pickle.dumps(self).hex()

    @classmethod
    def from_text(cls, text: str) -> "Counted":
        """The counts from another process."""
        counted: Counted = pickle.loads(bytes.fromhex(text))
        return counted
