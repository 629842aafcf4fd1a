"""The `ask`, `agree`, `decline` and `withdraw` commands, for changes that a player may enter only
if the opponent agrees. They change nothing themselves, and undo skips them; the change is made by a
separate entry, next to the agreement.

`asked` of `ask` holds `kind` and `asked` of the wanted command; `side`, the side that wants it;
`words`, the request in the players' words; `tells`, the changes that it would make; and `stands`,
the state that it depends on. The others hold `request`, the number of the request (requests are
numbered separately); `decline` may also hold `reason`.
"""

from brt_cg.commands import Command
from brt_cg.commands.problems import InputProblems
from brt_cg.model import Side
from brt_cg.text import list_text

WISHES = ("import", "waive", "reinforce", "edit", "ruling", "allot", "undo", "go_back")
ASKED = ("kind", "asked", "side", "words", "tells", "stands")
ENDS = {
    "agree": "agreed to request {}",
    "decline": "declined request {}",
    "withdraw": "withdrew request {}",
}


def make_request(command: Command) -> None:
    """Carry out `ask`. Raises RefusedError, with everything that is wrong."""
    asked, findings = command.asked, InputProblems()
    findings.note_unknown_fields(asked, ASKED)
    if asked.get("kind") not in WISHES:
        findings.add_bad_value("kind", asked.get("kind"), list_text(WISHES))
    if not isinstance(asked.get("asked"), dict):
        findings.add_bad_value("asked", asked.get("asked"), "an object")
    side = Side.from_name(asked.get("side"))
    if side is None:
        findings.add_bad_value("side", asked.get("side"), list_text(Side))
    if not isinstance(asked.get("words"), str):
        findings.add_bad_value("words", asked.get("words"), "a text")
    tells = asked.get("tells", [])
    if not isinstance(tells, list) or not all(isinstance(line, str) for line in tells):
        findings.add_bad_value("tells", tells, "a list of texts")
    findings.raise_problems()
    assert side is not None, "the side has been checked"
    command.log(f"the {side.label} player asks the {side.enemy.label} player: {asked['words']}")


def close_open_request(command: Command) -> None:
    """Carry out `agree`, `decline` or `withdraw`. Raises RefusedError."""
    findings = InputProblems()
    findings.note_unknown_fields(command.asked, ("request", "reason"))
    number, reason = command.asked.get("request"), command.asked.get("reason")
    if type(number) is not int or number < 1:
        findings.add_bad_value("request", number, "the number of a request")
    if reason is not None:
        findings.check_reason(reason)
    findings.raise_problems()
    side = Side.from_name(command.by)
    whose = f"the {side.label} player" if side is not None else "the umpire"
    because = f": {reason}" if reason else ""
    command.log(f"{whose} {ENDS[command.kind].format(number)}{because}")
