"""The `drop` command, which removes counters from the order of battle, as if they had never been in
it, or arrivals that have not entered.

`asked` holds `ids`, of counters or arrivals of one side. Counters are dropped before the first
scenario only; after that they are corrected with `edit`.
"""

from collections import Counter as Tally
from collections.abc import Iterable, Set

from brt_cg.card import (
    arrival_text,
    counters_referring_to,
    read_arrival_counters,
    serialize_counters,
)
from brt_cg.commands import Command
from brt_cg.commands.problems import InputProblems
from brt_cg.model import (
    Arrival,
    Campaign,
    Counter,
    Phase,
    Vehicle,
    only_side_allowed_to_read,
    schema_of,
)
from brt_cg.questions import RefusedError
from brt_cg.text import count_text

EARLY = (Phase.PURCHASE, Phase.SETUP)


def drop_counters_or_arrivals(command: Command) -> None:
    """Carry out `drop`. Raises RefusedError, with everything that is wrong."""
    command.require_campaign_not_over()
    findings = InputProblems()
    ids = findings.read_ids(command.asked)
    counters, arrivals = _find_records(command, ids, findings)
    sides = {each.side for each in counters} | {each.side for each in arrivals}
    if len(sides) > 1:
        findings.add(
            "ids", "these counters are from both sides; drop one side's counters at a time"
        )
    findings.raise_problems()
    for arrival in arrivals:
        words = f"{arrival.side.label} arrivals, {arrival_text(arrival)}"
        command.log(f"this leaves the order of battle: {words}", arrival)
        del command.campaign.arrivals[arrival.id]
    if counters:
        _say(command, counters)
        remove_counters_and_links(command.campaign, [each.id for each in counters])
        _drop_from_waves(command.campaign, {each.id for each in counters})


def _drop_from_waves(campaign: Campaign, gone: Set[str]) -> None:
    """Remove dropped counters from their Waves (T15.13), and delete any Wave left empty."""
    for arrival in [each for each in campaign.arrivals.values() if each.entered]:
        landing = read_arrival_counters(arrival)
        left = [each for each in landing if each.id not in gone]
        if not left:
            del campaign.arrivals[arrival.id]
        elif len(left) < len(landing):
            arrival.state, arrival.lines = serialize_counters(left), _kinds_text(left)


def _kinds_text(counters: Iterable[Counter]) -> str:
    kinds = Tally(each.type_text for each in counters)
    return ", ".join(f"{many} × {what}" for what, many in kinds.items())


def _find_records(
    command: Command, ids: Iterable[str], findings: InputProblems
) -> tuple[list[Counter], list[Arrival]]:
    """Find the counters and arrivals of some ids. Note any that cannot be dropped."""
    campaign = command.campaign
    counters: list[Counter] = []
    arrivals: list[Arrival] = []
    for id in ids:
        arrival, counter = campaign.arrivals.get(id), command.find_visible_counter(id)
        problem = None
        if arrival is not None:
            arrivals.append(arrival)
            problem = "has already entered" if arrival.entered else None
        elif counter is None:
            problem = "is not in the order of battle"
        else:
            counters.append(counter)
            problem = _why_not(campaign, counter)
        if problem is not None:
            findings.add("", f"{id} {problem}")
    return counters, arrivals


def _why_not(campaign: Campaign, counter: Counter) -> str | None:
    situation = campaign.situation
    if not situation.initial or situation.phase not in EARLY:
        return "has been in a scenario; correct it with `edit`"
    if counter.purchase is not None:
        return "was bought; void the purchase"
    return None


def _say(command: Command, counters: list[Counter]) -> None:
    """Log the dropped counters, with equal ones together. Hidden counters are logged only for their
    own side."""
    for whose in dict.fromkeys(
        only_side_allowed_to_read(command.campaign, each) for each in counters
    ):
        mine = [
            each for each in counters if only_side_allowed_to_read(command.campaign, each) is whose
        ]
        leave = f"{count_text(len(mine), 'counter')} {'leaves' if len(mine) == 1 else 'leave'}"
        words = f"{leave} the order of battle: {_kinds_text(mine)}"
        command.log(words, *mine, secret=whose)
        command.secret = whose if len(mine) == len(counters) else command.secret


def remove_counters_and_links(campaign: Campaign, ids: Iterable[str]) -> None:
    """Remove counters from a campaign, vehicles with their armament, and every link to them. Raises
    RefusedError for an unknown id."""
    for id in ids:
        counter = campaign.find(id)
        if counter is None:
            raise RefusedError(f"{id} is not in the campaign")
        if isinstance(counter, Vehicle):
            remove_counters_and_links(
                campaign, [each.id for each in campaign.weapons_mounted_on(counter)]
            )
        for other in counters_referring_to(campaign, id):
            for name in schema_of(type(other)).links:
                if getattr(other, name) == id:
                    setattr(other, name, None)
        del campaign.tables[counter.TABLE][id]
