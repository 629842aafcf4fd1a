"""How hard the tests try: the one setting, BRT_CG_EFFORT.

`ci` (the default) is what every run and every submission does; `full` is a long, random search.

Below full effort some tests run a share of their cases. BRT_CG_TURN, any number, chooses which:
`.ci/run` counts it up with each commit, so that every case runs within a few submissions.
"""

import os
from collections.abc import Iterable
from itertools import product
from typing import Any, Final

EFFORTS: Final = ("ci", "full")
EFFORT: Final = os.environ.get("BRT_CG_EFFORT", "ci")

TURN: Final = int(os.environ.get("BRT_CG_TURN", "0"))

if EFFORT not in EFFORTS:
    raise ValueError(f"BRT_CG_EFFORT is {EFFORT!r}; allowed: {', '.join(EFFORTS)}")


def count(ci: int, full: int) -> int:
    """How many to try (examples, steps, counters) at the effort of this run."""
    return full if EFFORT == "full" else ci


def share(cases: Iterable[Any], of: int) -> list[Any]:
    """Return one case in so many, evenly spread; all at full effort."""
    listed = [*cases]
    return listed if EFFORT == "full" else listed[TURN % of :: of]


def crossed(*axes: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return the combinations of several parameters; below full effort, only so many that each
    value of each parameter is in one. After enough turns each combination has been in one."""
    values = [[*axis] for axis in axes]
    if EFFORT == "full":
        return [*product(*values)]
    most = max(map(len, values))
    offsets, turn = [0], TURN
    for axis in values[1:]:
        offsets.append(turn % len(axis))
        turn //= len(axis)
    return [
        tuple(axis[(at + by) % len(axis)] for axis, by in zip(values, offsets, strict=True))
        for at in range(most)
    ]
