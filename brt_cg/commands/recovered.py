"""The commands `restore`, `repair` and `take`: a file was replaced by a backup, saved from a
damaged one, or joined with what the other player mailed. They change no counter, and undo passes
over them, so that a file always tells what was done.

`asked` holds `dropped`, by seat the heads in short of the entries that the campaign lost by it; a
restore also `backup`, the name of the backup's file; a repair also `lost`, whether anything was
lost that may not stand in `dropped`; a take `took`, which of the two goes on, and `dice`, the rolls
that were dropped, each with the side whose secret it was.
"""

from typing import Any

from brt_cg.commands import Command
from brt_cg.commands.problems import Findings
from brt_cg.model.counters import Side
from brt_cg.model.records import SIDES
from brt_cg.model.seat import Seat
from brt_cg.text import counted, listed

TOOK = {
    "theirs": "both players had gone on: the other's entries are kept, this one's are dropped",
    "mine": "both players had gone on: this one's entries are kept, the other's are dropped",
    "joined": "both players had gone on: what one side owns is entered again after the other's",
}


def restore(command: Command) -> None:
    """Carries out `restore`. Raises Refused, with everything that is wrong."""
    backup, findings = command.asked.get("backup"), Findings()
    if not isinstance(backup, str):
        findings.bad("backup", backup, "the name of a backup")
    words = "the campaign was put back to a backup; what had been entered since is dropped"
    _enter(command, ("backup",), words, findings)


def repair(command: Command) -> None:
    """Carries out `repair`. Raises Refused, with everything that is wrong."""
    lost, findings = command.asked.get("lost"), Findings()
    if not isinstance(lost, bool):
        findings.bad("lost", lost, "true or false")
    _enter(command, ("lost",), "the campaign was saved from a damaged file", findings)


def take(command: Command) -> None:
    """Carries out `take`. Raises Refused, with everything that is wrong."""
    asked, findings = command.asked, Findings()
    words = TOOK.get(str(asked.get("took")), "")
    if not words:
        findings.bad("took", asked.get("took"), listed(TOOK))
    dice: Any = asked.get("dice")
    if not isinstance(dice, list) or not all(map(_is_die, dice)):
        findings.bad("dice", dice, "a list of rolls")
    _enter(command, ("took", "dice"), words, findings)
    for die in dice:
        faces = ", ".join(map(str, die["dice"]))
        text = f"dropped: {die['rule']} {die['subject']}: {faces}"
        command.say(text, secret=Side.called(die["secret"]))


def _enter(command: Command, fields: tuple[str, ...], words: str, findings: Findings) -> None:
    """Says what was done, and what was dropped. Raises Refused if anything is wrong."""
    findings.refuse_unknown(command.asked, (*fields, "dropped"))
    _check_dropped(command, findings)
    findings.finish()
    command.say(words)
    _say_dropped(command)


def _is_die(die: Any) -> bool:
    return (
        isinstance(die, dict)
        and {*die} == {"rule", "subject", "dice", "secret"}
        and isinstance(die["dice"], list)
    )


def _check_dropped(command: Command, findings: Findings) -> None:
    by_seat: Any = command.asked.get("dropped")
    if not isinstance(by_seat, dict) or not {*by_seat} <= {*Seat}:
        findings.bad("dropped", by_seat, f"heads by seat: {listed(Seat)}")
        return
    for seat, heads in by_seat.items():
        if not isinstance(heads, list) or not all(isinstance(head, str) for head in heads):
            findings.bad(f"dropped.{seat}", heads, "a list of heads")


def _say_dropped(command: Command) -> None:
    """Tells each side, and nobody else, how much of what it knew was dropped."""
    for side in SIDES:
        count = len(command.asked["dropped"].get(side) or ())
        if count:
            text = f"{counted(count, 'entry')} that the {side.label} side knew about"
            command.say(f"{text} {'are' if count > 1 else 'is'} dropped", secret=side)
