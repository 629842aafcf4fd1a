"""The commands that store text and change no counter: `note` for a note of the players, and `aid`
for an answer of a play aid.

`asked` of a note holds `words`, `side` (whose secret the note is, or null), `about`, the id of the
counter that it is about, or null, and perhaps the CG Date on which it reminds its side; of an aid
`line` (the question), `said` (the answer's lines) and `unit`, the id of its unit, or null.
"""

from brt_cg.commands import Command
from brt_cg.commands.problems import InputProblems
from brt_cg.model import Side, counter_known_to, only_side_allowed_to_read
from brt_cg.questions import RefusedError
from brt_cg.text import NOTE_BEGINS, invisible_sign_problem, list_text, short_json

ASKED = ("words", "side", "about", "date")
OF_AN_AID = ("line", "said", "unit")

BREAKS = "\t\n"


def store_note(command: Command) -> None:
    """Carry out `note`. Raises RefusedError, with everything that is wrong."""
    words, side, about, date = (command.asked.get(name) for name in ASKED)
    findings = InputProblems()
    findings.note_unknown_fields(command.asked, ASKED)
    if not isinstance(words, str) or not words.strip():
        findings.add_bad_value("words", words, "at least one word")
    elif wrong := invisible_sign_problem(words, BREAKS):
        findings.add("words", wrong)
    if side not in (None, *Side):
        findings.add_bad_value("side", side, list_text(Side))
    if date is not None and date not in command.card.dates:
        findings.add_bad_value("date", date, list_text(command.card.dates))
    elif date is not None and side is None:
        findings.add("side", "a reminder is the secret of one side; enter marine or japanese")
    known_to = Side.from_name(side)
    counter = (
        counter_known_to(command.campaign, about, known_to) if isinstance(about, str) else None
    )
    if about is not None and counter is None:
        findings.add_bad_value("about", about, "the name of a counter in the campaign")
    findings.raise_problems()
    if counter is not None:
        command.secret = only_side_allowed_to_read(command.campaign, counter)
    command.secret = known_to or command.secret
    begins = NOTE_BEGINS if date is None else f"reminder for {date}: "
    command.log(begins + str(words).strip(), *([counter] if counter else []))


def store_aid_answer(command: Command) -> None:
    """Carry out `aid`. Raises RefusedError, with everything that is wrong."""
    line, said, id = (command.asked.get(name) for name in OF_AN_AID)
    findings = InputProblems()
    findings.note_unknown_fields(command.asked, OF_AN_AID)
    if not isinstance(line, str) or not line.strip():
        findings.add_bad_value("line", line, "the question")
    if not isinstance(said, list) or not said or not all(isinstance(line, str) for line in said):
        findings.add_bad_value("said", said, "the lines of the answer")
    findings.raise_problems()
    unit = command.campaign.units.get(id) if isinstance(id, str) else None
    if id is not None and unit is None:
        raise RefusedError(f"{short_json(id)} is not a unit of the campaign")
    if unit is not None:
        command.secret = only_side_allowed_to_read(command.campaign, unit)
    answer = "; ".join(line.strip() for line in said or ())
    command.log(f"play aid, {line}: {answer}", *([unit] if unit else []))
