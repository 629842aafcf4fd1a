"""A new campaign as the form on the screen gathers it, checked step by step."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from brt_cg.card import Card
from brt_cg.counters import Side
from brt_cg.storage.place import Place

if TYPE_CHECKING:
    from brt_cg.desk import Desk


@dataclass(slots=True)
class NewCampaign:
    """What a new campaign is made of. `rulings` holds those that differ from their default."""

    path: Place
    cg: str
    name: str | None = None
    players: dict[str, str] = field(default_factory=dict)
    allotments: dict[str, Any] | None = None
    rulings: dict[str, str] = field(default_factory=dict)

    def make(self) -> "Desk":
        """Makes it: a command `new`, and one for each ruling. Raises Refused, StorageError."""
        from brt_cg.desk import Desk

        asked = {
            "cg": self.cg,
            "name": self.name,
            "players": self.players or None,
            "allotments": self.allotments,
        }
        desk = Desk.create(self.path.absolute(), asked)
        for id, value in self.rulings.items():
            desk.command("ruling", {"id": id, "value": value})
        return desk


def allotments_from(typed: Mapping[tuple[str, str], str], card: Card) -> dict[str, Any] | None:
    """The allotments that were typed, by (beach or "marine", kind); None if there are none.

    Raises Refused with everything that is wrong.
    """
    from brt_cg.commands.allotting import read_allotments
    from brt_cg.commands.problems import Findings

    found: dict[str, Any] = {}
    for (where, kind), text in typed.items():
        if not text.strip():
            continue
        value = int(text) if kind != "capp" and text.strip().isdigit() else text.strip()
        if where == Side.MARINE:
            found.setdefault("marine", {})[kind] = value
        else:
            found.setdefault("japanese", {}).setdefault(where, {})[kind] = value
    findings = Findings()
    list(read_allotments(found or None, card, findings))
    findings.finish()
    return found or None
