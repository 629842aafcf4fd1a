"""The command `aid`: records an answer of a play aid. It changes no counter.

`asked` holds `line` (the question), `said` (the answer's lines) and `unit`, the id of its unit, or
null.
"""

from brt_cg.commands import Command
from brt_cg.commands.problems import Findings
from brt_cg.model.visibility import telling_is_secret
from brt_cg.questions.answers import Refused
from brt_cg.text import shown

ASKED = ("line", "said", "unit")


def keep_aid(command: Command) -> None:
    """Carries out `aid`. Raises Refused, with everything that is wrong."""
    line, said, id = (command.asked.get(name) for name in ASKED)
    findings = Findings()
    findings.refuse_unknown(command.asked, ASKED)
    if not isinstance(line, str) or not line.strip():
        findings.bad("line", line, "what was asked")
    if not isinstance(said, list) or not said or not all(isinstance(line, str) for line in said):
        findings.bad("said", said, "the lines of the answer")
    findings.finish()
    unit = command.campaign.units.get(id) if isinstance(id, str) else None
    if id is not None and unit is None:
        raise Refused(f"{shown(id)} is not a unit of the campaign")
    if unit is not None:
        command.secret = telling_is_secret(command.campaign, unit)
    answer = "; ".join(line.strip() for line in said or ())
    command.say(f"play aid, {line}: {answer}", *([unit] if unit else []))
