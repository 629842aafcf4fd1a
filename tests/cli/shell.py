"""A player at the command line: what he types, and what he gets."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from brt_cg.cli import main


@dataclass(frozen=True)
class Got:
    """What a command gave: exit status, data on stdout, talk on stderr."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Shell = Callable[..., Got]


def shell(capsys: pytest.CaptureFixture[str], folder: Path) -> Shell:
    """Runs commands in this process; relative paths are in `folder`."""

    def run(*words: object) -> Got:
        capsys.readouterr()
        try:
            code = main([str(word) for word in words])
        except SystemExit as usage:
            code = usage.code if isinstance(usage.code, int) else 1
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Got(code, captured.out, captured.err)

    return run


def next_typed(typed: Iterator[str | type[BaseException]], then: str = "") -> str:
    """The next line that is typed, and `then` once there is none; an exception stands for a key."""
    line = next(typed, then)
    if isinstance(line, str):
        return line
    raise line


# --- files ----------------------------------------------------------------------------------------


def state(**fields: Any) -> dict[str, Any]:
    """The end of 20 AM with a handful of counters, some of which roll: leaders m-ldr-1 and j-ldr-1
    are wounded, m-mmg-1 malfunctions."""
    document: dict[str, Any] = {
        "format": "brt-cg/state",
        "version": 1,
        "scenario": {"date": "20 AM", "winner": "marine", "moved_first": "marine"},
        "sides": {
            "marine": {"san": 4, "elr": 5, "cvp": 9},
            "japanese": {"san": 5, "elr": 4, "cvp": 6},
        },
        "perimeters": [["N18-N21", "M18-M21"]],
        "units": [
            unit("m-sq-1", "marine", "squad", "N20", type="7-6-8"),
            unit("m-hs-1", "marine", "half_squad", "N19", type="3-4-8"),
            unit("m-hs-2", "marine", "half_squad", "N18", type="3-4-8"),
            unit("m-hs-3", "marine", "half_squad", "N18", type="3-4-8"),
            unit("m-ldr-1", "marine", "leader", "N20", type="9-1", status=["wounded"]),
            unit("j-sq-1", "japanese", "squad", "N24", **{"class": "first_line"}),
            unit("j-sq-2", "japanese", "squad", "M40", **{"class": "elite"}, status=["hidden"]),
            unit("j-ldr-1", "japanese", "leader", "N24", type="9-0", status=["wounded"]),
        ],
        "weapons": [
            {"id": "m-mmg-1", "side": "marine", "kind": "sw", "type": "MMG", "location": "N20"}
            | {"possessor": "m-sq-1", "status": ["malfunctioned"], "repair_number": 2, "pp": 3}
        ],
    }
    return document | fields


def unit(id: str, side: str, kind: str, location: str | None, **values: Any) -> dict[str, Any]:
    return {"id": id, "side": side, "kind": kind, "location": location, **values}


def answers(**sorts: Any) -> dict[str, Any]:
    return {"format": "brt-cg/answers", "version": 1, **sorts}


# All dice and choices that `state()` needs from 15.601 to 15.6205.
COMPLETE = answers(
    rolls={
        "15.6112": {"m-ldr-1": [2], "j-ldr-1": [1]},
        "15.6132": {"m-mmg-1": [4]},
    },
    choices={
        "15.602": {"j-sq-2": "stay_hidden"},
        "15.6032": {"winner": "marine"},
        "15.607": {"marine": [["N18-N21", "M18-M21"]]},
        "15.6111": {"M1": ["m-hs-3"]},
        "15.6114": {"marine": None},
        "15.6122": {"marine": 4, "japanese": 5},
        "15.6133": {"marine": None, "japanese": None},
        "15.6135": {"marine": None, "japanese": None},
        "15.6137": {},
        "15.614": {"marine": "done", "japanese": "done"},
        "15.6202": {},
    },
)


def written(path: Path, document: Any) -> Path:
    """A document in a file."""
    path.write_text(json.dumps(document), encoding="utf-8")
    return path
