"""The `deploy` command, which turns a squad into its HS during setup (A1.31). A Marine 7-6-8 may
Deploy freely; for others the players check the rule themselves.

`asked` holds `ids`, of squads of one side. Each keeps its id as the first HS, and its possessions;
the second is `ID.2`. A reduced Japanese squad gives just one HS (G1.16).
"""

from collections.abc import Iterable

from brt_cg.commands import Command
from brt_cg.commands.problems import InputProblems
from brt_cg.model import Counter, Phase, Side, Unit, UnitKind, UnitStrength, assign_numbers
from brt_cg.purchases.limits import is_buying_paragraph
from brt_cg.refit.engineers import is_engineer
from brt_cg.refit.losses import reduce_to_half_squad, split_off_half_squad

FREELY = "freely"
BY_YOUR_RULES = "if A1.31 allows it; check your rulebook"


def deploy_squads(command: Command) -> None:
    """Carry out `deploy`. Raises RefusedError, with everything that is wrong."""
    situation = command.campaign.situation
    if not (situation.phase is Phase.REFIT and is_buying_paragraph(situation)):
        command.require_phase(Phase.PURCHASE, Phase.SETUP)
    findings = InputProblems()
    ids = findings.read_ids(command.asked)
    squads = list(_squads(command, ids, findings))
    if len({squad.side for squad in squads}) > 1:
        findings.add("ids", "these squads are from both sides; Deploy one side's squads at a time")
    findings.raise_problems()
    deployed = [_deploy(command, squad) for squad in squads]
    assign_numbers(command.campaign)
    for before, why, halves in deployed:
        into = " and ".join(half.label for half in halves)
        command.log(f"{before} Deploys into {into} ({why})", *halves)
    hidden = {command.campaign.side_hiding(squad) for squad in squads}
    if None not in hidden:
        command.secret = squads[0].side


def _squads(command: Command, ids: Iterable[str], findings: InputProblems) -> Iterable[Unit]:
    for id in ids:
        found = command.find_visible_counter(id)
        problem = _why_not(found)
        if problem is not None:
            findings.add("", f"{id} {problem}")
        elif isinstance(found, Unit):
            yield found


def _why_not(counter: Counter | None) -> str | None:
    if counter is None or not counter.in_play:
        return "is not in play"
    if not isinstance(counter, Unit) or counter.kind is not UnitKind.SQUAD:
        return "is not a squad"
    return None if counter.good_order else "is not in Good Order"


def _deploy(command: Command, squad: Unit) -> tuple[str, str, list[Unit]]:
    """Deploy a squad. Return its old name, the reason why it may Deploy, and its HS."""
    campaign, card = command.campaign, command.card
    freely = squad.side is Side.MARINE and is_engineer(campaign, card, squad)
    alone = squad.side is Side.JAPANESE and squad.strength is UnitStrength.REDUCED
    before, made = squad.label, [squad]
    if alone:
        reduce_to_half_squad(campaign, card, squad)
    else:
        made.append(split_off_half_squad(campaign, card, squad))
    why = "just one HS of a reduced squad, G1.16" if alone else FREELY if freely else BY_YOUR_RULES
    return before, why, made
