"""Campaigns and state documents to try commands on."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from brt_cg.card import load_card
from brt_cg.commands import Command
from brt_cg.commands.registry import COMMANDS
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.model.records import Area, Phase
from brt_cg.questions.answers import RefusedError

DEMO = Path(__file__).parents[2] / "campaigns" / "demo"


def carry(campaign: Campaign, kind: str, **asked: Any) -> Command:
    """Carries a command out on a campaign, as an audit would from the journal's JSON."""
    cg = asked["cg"] if kind == "new" else campaign.situation.cg
    read_back = json.loads(json.dumps(asked))
    numbers, at = dict.fromkeys(Side, 6), "2026-01-01T12:00:00Z"
    command = Command(kind, read_back, campaign, load_card(cg), numbers, "Ann", at)
    COMMANDS[kind](command)
    return command


def new(cg: str = "III", **asked: Any) -> Campaign:
    """A campaign that has just been created."""
    campaign = Campaign()
    carry(campaign, "new", cg=cg, **asked)
    return campaign


def document(**fields: Any) -> dict[str, Any]:
    """A state of 20 AM with nobody on the table, and these fields."""
    return {
        "format": "brt-cg/state",
        "version": 1,
        "scenario": {"date": "20 AM", "winner": "marine", "moved_first": "marine"},
        "sides": {
            "marine": {"san": 4, "elr": 5, "cvp": 12},
            "japanese": {"san": 5, "elr": 4, "cvp": 9},
        },
        **fields,
    }


def demo() -> dict[str, Any]:
    """The state of the demo campaign."""
    found: dict[str, Any] = json.loads((DEMO / "state.json").read_text("utf-8"))
    return found


def marine_squad(**fields: Any) -> dict[str, Any]:
    squad = {"id": "m-sq-1", "side": "marine", "kind": "squad", "type": "7-6-8", "location": "N21"}
    return squad | fields


def japanese_squad(**fields: Any) -> dict[str, Any]:
    squad = {"id": "j-sq-1", "side": "japanese", "kind": "squad", "class": "elite"}
    return squad | {"location": "M40"} | fields


def running(*units: dict[str, Any], **fields: Any) -> Campaign:
    """A campaign whose first scenario has just been played, with these units on the table."""
    campaign = new()
    carry(campaign, "import", state=document(units=list(units), **fields))
    campaign.situation.phase = Phase.SCENARIO
    return campaign


def in_setup(*units: dict[str, Any]) -> Campaign:
    """A campaign in the phase setup: M1 is N18-N21, J1 the hexes M38-M42."""
    campaign = running(*units)
    campaign.situation.phase = Phase.SETUP
    campaign.add(Area(id="J1", side=Side.JAPANESE, hexes=("M38", "M39", "M40", "M41", "M42")))
    campaign.add(Area(id="M1", side=Side.MARINE, hexes=("N18", "N19", "N20", "N21")))
    return campaign


def problems(doing: Callable[[], object]) -> list[str]:
    """The lines with which a command is refused; fails if it is not."""
    try:
        doing()
    except RefusedError as refusal:
        return str(refusal).splitlines()
    raise AssertionError("it was not refused")


def texts(command: Command) -> list[str]:
    return [said.text for said in command.said]
