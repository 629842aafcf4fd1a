"""What the runs of a forecast came to, counted: parts of it are added up in any order."""

import pickle
from collections import Counter as Tally
from dataclasses import dataclass, field
from typing import Any

# The fields of a counter that a forecast watches, whatever kind of counter has them.
WATCHED = (
    *("fate", "status", "type", "strength", "class_", "traits", "side", "depleted", "pathfinder"),
    *("kind", "fire"),
)
State = tuple[Any, ...]  # a value for each of WATCHED, None where a counter has no such field


@dataclass(slots=True)
class Counted:
    """`states` counts the runs by counter, state at the end and the one roll that it made (rule and
    faces; "" for none, "*" for several), where it changed or rolled at all; `sides` by side, what
    is told and its value; `choices` by question and whether the given choice was allowed."""

    runs: int = 0
    states: Tally[tuple[str, State, str]] = field(default_factory=Tally)
    sides: Tally[tuple[str, str, float]] = field(default_factory=Tally)
    choices: Tally[tuple[str, bool]] = field(default_factory=Tally)

    def add(self, other: "Counted") -> None:
        """Adds what others have counted."""
        self.runs += other.runs
        self.states.update(other.states)
        self.sides.update(other.sides)
        self.choices.update(other.choices)

    def text(self) -> str:
        """All of it in one line, for another process."""
        return pickle.dumps(self).hex()

    @classmethod
    def from_text(cls, text: str) -> "Counted":
        """What another process has counted."""
        counted: Counted = pickle.loads(bytes.fromhex(text))
        return counted
