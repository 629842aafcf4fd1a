"""The command `note`: records the players' own words. It changes no counter.

`asked` holds `words`, `side` (whose secret the note is, or null) and `about`, the id of the counter
that it is about, or null.
"""

from brt_cg.commands import Command
from brt_cg.commands.problems import Findings
from brt_cg.model.counters import Side
from brt_cg.model.visibility import found_by, telling_is_secret
from brt_cg.text import listed, told_hidden

ASKED = ("words", "side", "about")
BEGINS = "note: "  # the sentence of the entry
BREAKS = "\t\n"


def note(command: Command) -> None:
    """Carries out `note`. Raises Refused, with everything that is wrong."""
    words, side, about = (command.asked.get(name) for name in ASKED)
    findings = Findings()
    findings.refuse_unknown(command.asked, ASKED)
    if not isinstance(words, str) or not words.strip():
        findings.bad("words", words, "a text")
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
