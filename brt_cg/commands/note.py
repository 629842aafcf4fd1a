"""The commands that keep words and change no counter: `note`, the players' own, and `aid`, an
answer of a play aid.

`asked` of a note holds `words`, `side` (whose secret the note is, or null) and `about`, the id of
the counter that it is about, or null; of an aid `line` (the question), `said` (the answer's lines)
and `unit`, the id of its unit, or null.
"""

from brt_cg.commands import Command
from brt_cg.commands.problems import Findings
from brt_cg.model.counters import Side
from brt_cg.model.visibility import found_by, telling_is_secret
from brt_cg.questions.answers import Refused
from brt_cg.text import listed, shown, told_hidden

ASKED = ("words", "side", "about")
OF_AN_AID = ("line", "said", "unit")
BEGINS = "note: "  # the sentence of the entry
BREAKS = "\t\n"


def note(command: Command) -> None:
    """Carries out `note`. Raises Refused, with everything that is wrong."""
    words, side, about = (command.asked.get(name) for name in ASKED)
    findings = Findings()
    findings.refuse_unknown(command.asked, ASKED)
    if not isinstance(words, str) or not words.strip():
        findings.bad("words", words, "a text of one word or more")
    elif wrong := told_hidden(words, BREAKS):
        findings.add("words", wrong)
    if side not in (None, *Side):
        findings.bad("side", side, listed(Side))
    known_to = Side.called(side)
    counter = found_by(command.campaign, about, known_to) if isinstance(about, str) else None
    if about is not None and counter is None:
        findings.bad("about", about, "the id of a counter of the campaign")
    findings.finish()
    if counter is not None:
        command.secret = telling_is_secret(command.campaign, counter)
    command.secret = known_to or command.secret
    command.say(BEGINS + str(words).strip(), *([counter] if counter else []))


def keep_aid(command: Command) -> None:
    """Carries out `aid`. Raises Refused, with everything that is wrong."""
    line, said, id = (command.asked.get(name) for name in OF_AN_AID)
    findings = Findings()
    findings.refuse_unknown(command.asked, OF_AN_AID)
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
