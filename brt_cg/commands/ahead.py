"""The command `ahead`: a side answers its own questions before they are asked. It changes nothing,
and is that side's secret; each answer is entered when exactly its question is asked.

`asked` holds `side`, `date` (the CG Date in force) and `answers`: of each the question's `rule`,
`subject`, `kind` and `mark` (journal/early_answers.py), and the raw `answer`. They replace all that
the side has answered ahead before; an empty list takes that back.
"""

from typing import Any

from brt_cg.commands import Command
from brt_cg.commands.problems import Findings
from brt_cg.model.counters import Side
from brt_cg.text import counted, listed

ASKED = ("side", "date", "answers")
KEY = ("rule", "subject", "kind", "mark")
MOST = 2000  # answers


def answer_ahead(command: Command) -> None:
    """Carries out `ahead`. Raises Refused, with everything that is wrong."""
    command.only_before_the_end()
    asked, findings = command.asked, Findings()
    findings.refuse_unknown(asked, ASKED)
    side, answers, today = Side.called(asked.get("side")), asked.get("answers"), _today(command)
    if side is None:
        findings.bad("side", asked.get("side"), listed(Side))
    if asked.get("date") != today:
        findings.bad("date", asked.get("date"), today)
    if not isinstance(answers, list) or not all(map(_is_answer, answers)):
        findings.bad("answers", answers, f"a list of objects with {listed(KEY)} and answer")
    elif len(answers) > MOST:
        findings.bad("answers", counted(len(answers), "answer"), f"at most {MOST}")
    findings.finish()
    assert side is not None, "it has been checked"
    command.secret = side
    words = f"answers {counted(len(answers or ()), 'question')} ahead"
    command.say(f"the {side.label} side {words if answers else 'answers nothing ahead any more'}")


def _today(command: Command) -> str:
    return command.campaign.situation.date


def _is_answer(row: Any) -> bool:
    return (
        isinstance(row, dict)
        and {*row} == {*KEY, "answer"}
        and all(isinstance(row[name], str) for name in KEY)
    )
