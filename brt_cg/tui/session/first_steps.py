"""The first steps of the demo: a line at its first question of each kind."""

from pathlib import Path
from typing import Any

from brt_cg.questions import Question
from brt_cg.resources import read_toml_cached
from brt_cg.service.setup_answers import as_setup_question
from brt_cg.views.question_name import QuestionName

_LINES = read_toml_cached(Path(__file__).with_name("first_steps.toml"))


class FirstSteps:
    """The lines of a demo: each is shown until the first question of its kind is answered."""

    def __init__(self) -> None:
        self._shown: dict[str, QuestionName | None] = {}  # the question that each was shown at

    def line_for(self, ask: Question[Any], name: QuestionName | None) -> str:
        """Return the line for a question, or for a list of questions, with the names of keys in
        braces; "" if none is left."""
        kind = _kind(ask)
        return _LINES[kind] if self._shown.setdefault(kind, name) == name else ""


def _kind(ask: Question[Any]) -> str:
    if ask.buying:
        return "buying"
    if ask.dice is not None:
        return "roll"
    if as_setup_question(ask) is not None:
        return "setup"
    if any(each.series for each in ask.questions_by_subject.values()):
        return "melee"
    return "list" if ask.as_multi_question is not None else "choice"
