"""The `restore`, `repair` and `take` commands, which record that a file was replaced with a backup,
saved from a damaged one, or joined with the opponent's mail. They change no counter, and undo skips
them, so that a file always shows them.

`asked` holds `dropped`, the short heads, by seat, of the entries that the campaign lost; a restore
also `backup`, the name of the backup's file; a repair also `lost`, whether there are losses that
may not be in `dropped`; a take also `took`, the version that continues, and `dice`, the rolls that
were dropped, each with the side whose secret it was.
"""

from typing import Any

from brt_cg.commands import Command
from brt_cg.commands.problems import InputProblems
from brt_cg.model import SIDES, Seat, Side, only_side_allowed_to_read
from brt_cg.text import count_text, list_text

TOOK = {
    "theirs": "both players had continued: the mailed entries are kept, the others are dropped",
    "mine": "both players had continued: the mailed entries are dropped, the others are kept",
    "joined": "both players had continued: one player's own entries are entered again after "
    "the other's",
}


def record_restore(command: Command) -> None:
    """Carry out `restore`. Raises RefusedError, with everything that is wrong."""
    backup, findings = command.asked.get("backup"), InputProblems()
    if not isinstance(backup, str):
        findings.add_bad_value("backup", backup, "the name of a backup")
    words = "the campaign was restored from a backup; everything entered since then is dropped"
    _enter(command, ("backup",), words, findings)


def record_file_repair(command: Command) -> None:
    """Carry out `repair`. Raises RefusedError, with everything that is wrong."""
    lost, findings = command.asked.get("lost"), InputProblems()
    if not isinstance(lost, bool):
        findings.add_bad_value("lost", lost, "true or false")
    _enter(command, ("lost",), "the campaign was saved from a damaged file", findings)


def record_received_mail(command: Command) -> None:
    """Carry out `take`. Raises RefusedError, with everything that is wrong."""
    asked, findings = command.asked, InputProblems()
    words = TOOK.get(str(asked.get("took")), "")
    if not words:
        findings.add_bad_value("took", asked.get("took"), list_text(TOOK))
    dice: Any = asked.get("dice")
    if not isinstance(dice, list) or not all(map(_is_die, dice)):
        findings.add_bad_value("dice", dice, "a list of rolls")
    _enter(command, ("took", "dice"), words, findings)
    for die in dice:
        faces = ", ".join(map(str, die["dice"]))
        secret = Side.from_name(die["secret"])
        text = f"the {die['rule']} roll for {_roller(command, die['subject'], secret)} is dropped"
        command.log(f"{text}: {faces}", secret=secret)


def _roller(command: Command, id: str, secret: Side | None) -> str:
    """Return the name of the counter that a roll was for, if those who read the line may know it;
    otherwise its id."""
    counter = command.campaign.find(id)
    if counter is None or only_side_allowed_to_read(command.campaign, counter) not in (
        None,
        secret,
    ):
        return id
    return counter.label


def _enter(command: Command, fields: tuple[str, ...], words: str, findings: InputProblems) -> None:
    """Log the action, and the dropped entries. Raises RefusedError if anything is wrong."""
    findings.note_unknown_fields(command.asked, (*fields, "dropped"))
    _check_dropped(command, findings)
    findings.raise_problems()
    command.log(words)
    _say_dropped(command)


def _is_die(die: Any) -> bool:
    return (
        isinstance(die, dict)
        and {*die} == {"rule", "subject", "dice", "secret"}
        and isinstance(die["dice"], list)
    )


def _check_dropped(command: Command, findings: InputProblems) -> None:
    by_seat: Any = command.asked.get("dropped")
    if not isinstance(by_seat, dict) or not {*by_seat} <= {*Seat}:
        findings.add_bad_value("dropped", by_seat, f"checksums by seat: {list_text(Seat)}")
        return
    for seat, heads in by_seat.items():
        if not isinstance(heads, list) or not all(isinstance(head, str) for head in heads):
            findings.add_bad_value(f"dropped.{seat}", heads, "a list of checksums")


def _say_dropped(command: Command) -> None:
    """Log the number of dropped entries that each side knew of, as that side's secret."""
    for side in SIDES:
        count = len(command.asked["dropped"].get(side) or ())
        if count:
            text = f"{count_text(count, 'entry')} known to the {side.label} player"
            command.log(f"{text} {'are' if count > 1 else 'is'} dropped", secret=side)
