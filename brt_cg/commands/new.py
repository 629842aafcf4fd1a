"""The `new` command, which creates a campaign, with the points of its CG card if they are known.

`asked` holds `cg`, `name`, `players` (a name per side), `allotments` (as in the TOML file), and
`key`, a random value that makes this campaign differ from every other and that determines the ids
and numbers of counters that are hidden from the start. All but `cg` may be null.
"""

import re

from brt_cg.commands import Command
from brt_cg.commands.allotments import read_allotments, warn_of_misprint
from brt_cg.commands.problems import InputProblems
from brt_cg.model import SIDES, Allotment, RulingInForce, Side, SideRecord, Situation, Text
from brt_cg.purchases import pools
from brt_cg.questions import RefusedError
from brt_cg.text import list_text

ASKED = ("cg", "name", "players", "allotments", "key")
KEY = re.compile("[0-9a-f]{32}")


def create_campaign(command: Command) -> None:
    """Carry out `new`. Raises RefusedError, with everything that is wrong."""
    campaign, card, asked = command.campaign, command.card, command.asked
    if campaign.tables[Situation.TABLE]:
        raise RefusedError(
            "new is not possible, since this file already holds a campaign; use another file"
        )
    findings = InputProblems()
    findings.note_unknown_fields(asked, ASKED)
    name = _read_name(asked.get("name"), "name", findings)
    players = _read_players(asked.get("players"), findings)
    key = _read_key(asked.get("key"), findings)
    points = InputProblems("allotments")
    allotments = list(read_allotments(asked.get("allotments"), card, points))
    findings.problems += points.problems
    findings.raise_problems()
    first, none_yet = card.first_date, 0
    campaign.add(
        Situation(
            id="campaign", cg=card.cg, name=name, date=first, pillbox_vp_so_far=none_yet, key=key
        )
    )
    for side in SIDES:
        campaign.add(SideRecord(id=side.value, player=players.get(side)))
    for ruling in card.rulings.values():
        if not ruling.is_asked_when_it_matters:
            campaign.add(RulingInForce(id=ruling.id, value=ruling.default))
    for allotment in allotments:
        campaign.add(allotment)
    _say(command, allotments)


def _read_name(raw: object, path: str, findings: InputProblems) -> str | None:
    try:
        return None if raw is None else Text().read(raw)
    except ValueError as error:
        findings.add(path, str(error))
        return None


def _read_key(raw: object, findings: InputProblems) -> str | None:
    if raw is None or (isinstance(raw, str) and KEY.fullmatch(raw)):
        return raw
    findings.add_bad_value("key", raw, "32 hexadecimal digits")
    return None


def _read_players(raw: object, findings: InputProblems) -> dict[Side, str | None]:
    if raw is None:
        return {}
    if not isinstance(raw, dict) or not set(raw) <= set(Side):
        findings.add_bad_value("players", raw, f"a name for each of {list_text(Side)}")
        return {}
    return {Side(side): _read_name(name, f"players.{side}", findings) for side, name in raw.items()}


def _say(command: Command, allotments: list[Allotment]) -> None:
    situation = command.campaign.situation
    named = f" “{situation.name}”" if situation.name else ""
    command.log(f"{command.card.title}{named} begins on {situation.date}, with purchases")
    for allotment in allotments:
        gets, when = "begins with", ""
        if allotment.date:
            gets, when = "gets", f" in the Refit Phase of {allotment.date}"
        points = f"{pools.allotment_amounts(allotment)}{when}"
        command.log(f"{pools.owner_text(allotment)} {gets} {points}", allotment)
        warn_of_misprint(command, allotment)
