"""How hard the tests try: the one setting, BRT_CG_EFFORT.

`ci` (the default) is what every run and every submission does; `full` is a long, random search.
"""

import os
from collections.abc import Iterable
from itertools import product
from typing import Any, Final

EFFORTS: Final = ("ci", "full")
EFFORT: Final = os.environ.get("BRT_CG_EFFORT", "ci")

if EFFORT not in EFFORTS:
    raise ValueError(f"BRT_CG_EFFORT is {EFFORT!r}; allowed: {', '.join(EFFORTS)}")


def count(ci: int, full: int) -> int:
    """How many to try (examples, steps, counters) at the effort of this run."""
    return full if EFFORT == "full" else ci


def crossed(*axes: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return the combinations of several parameters; below full effort, only so many that each
    value of each parameter is in one."""
    values = [[*axis] for axis in axes]
    if EFFORT == "full":
        return [*product(*values)]
    most = max(map(len, values))
    return [tuple(axis[at % len(axis)] for axis in values) for at in range(most)]
