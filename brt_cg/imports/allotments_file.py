"""The points of a CG card that players copied into a TOML file, for `new --allotments`."""

import tomllib
from pathlib import Path
from typing import Any

from brt_cg.card import Card
from brt_cg.commands import allotting
from brt_cg.commands.problems import Findings
from brt_cg.files import foreign
from brt_cg.imports.reading import read_text


def read_allotments(path: Path, card: Card) -> dict[str, Any]:
    """Reads a file as the `allotments` of the command `new`, and checks them. Raises Refused,
    naming the file and everything that is wrong in it."""
    with foreign(path, "TOML"):
        found = tomllib.loads(read_text(path))
    findings = Findings(path.name)
    list(allotting.read_allotments(found, card, findings))
    findings.finish()
    return found
