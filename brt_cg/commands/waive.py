"""The `waive` command, with which both players agree to begin the Refit Phase without one player's
missing report. It changes no counter. `asked` holds `side`, the side whose report is missing."""

from brt_cg.commands import Command
from brt_cg.commands.problems import InputProblems
from brt_cg.model import Side
from brt_cg.questions import RefusedError
from brt_cg.text import list_text


def waive_missing_report(command: Command) -> None:
    """Carry out `waive`. Raises RefusedError if no report is missing."""
    findings, side = InputProblems(), Side.from_name(command.asked.get("side"))
    findings.note_unknown_fields(command.asked, ("side",))
    if side is None:
        findings.add_bad_value("side", command.asked.get("side"), list_text(Side))
    findings.raise_problems()
    assert side is not None, "the side has been checked"
    situation = command.campaign.situation
    if not situation.is_refit_due:
        raise RefusedError("no end-of-scenario report is missing")
    command.log(
        f"the Refit Phase begins without the {side.label} report of the end of the "
        f"{situation.date} scenario"
    )
