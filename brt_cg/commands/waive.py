"""The command `waive`: both players agree that the Refit Phase begins without the report that one
of them owes. It changes no counter. `asked` holds `side`, whose report is missing.
"""

from brt_cg.commands import Command
from brt_cg.commands.problems import Findings
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Refused
from brt_cg.text import listed


def waive(command: Command) -> None:
    """Carries out `waive`. Raises Refused where no report is missing."""
    findings, side = Findings(), Side.called(command.asked.get("side"))
    findings.refuse_unknown(command.asked, ("side",))
    if side is None:
        findings.bad("side", command.asked.get("side"), listed(Side))
    findings.finish()
    assert side is not None, "it has been checked"
    situation = command.campaign.situation
    if not situation.refit_is_due:
        raise Refused("no report of a scenario's end is missing")
    command.say(
        f"the Refit Phase begins without the {side.label} report of how {situation.date} ended"
    )
