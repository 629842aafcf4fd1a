"""Questions of one kind, shown as one list."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import field
from typing import Any

from brt_cg.immutable import immutable
from brt_cg.questions.answers import Raw
from brt_cg.questions.question_items import QuestionItem
from brt_cg.questions.question_types import MultiQuestion, Question


@immutable(kw_only=True)
class QuestionGroup(MultiQuestion[dict[str, Any]]):
    """Questions of one kind about many counters, shown as one list although the rules ask them one
    by one. `asks` are the questions by subject, in the order of asking; `usual` their defaults in
    words; `ready` the answers given in advance in an earlier list, and `ready_words` these answers
    in words."""

    questions_by_subject: Mapping[str, Question[Any]] = field()
    usual: Mapping[str, str]
    ready: Mapping[str, Raw] = field()
    ready_words: Mapping[str, str] = field()

    @property
    def default_forgoes_acting(self) -> bool:
        return all(ask.default_forgoes_acting for ask in self.questions_by_subject.values())

    @property
    def common_default(self) -> str:
        """The default in words, if all the questions share it; otherwise ""."""
        usual = {*self.usual.values()}
        return usual.pop() if len(usual) == 1 else ""

    @property
    def is_tick_list(self) -> bool:
        return all(self.only_other_answer(subject) for subject in self.questions_by_subject)

    def only_other_answer(self, subject: str) -> tuple[Raw] | None:
        ask = self.questions_by_subject[subject]
        others = [option.raw for option in ask.options if option.raw != ask.default]
        return (others[0],) if len(others) == 1 else None

    def default_text_of(self, subject: str) -> str:
        return "" if self.common_default else self.usual[subject]

    def continue_text(self, given: int) -> str:
        common, of = f": {self.common_default}" if self.common_default else "", len(self.items)
        if not given:
            return f"Accept {'both' if of == 2 else f'all {of}'} defaults{common}"
        rest = f", the rest by default{common}" if given < of else ""
        return f"Continue with the {given} of {of} entered{rest}"


def group_questions(
    found: Iterable[Question[Any]], doubtful: Collection[str], ready: Mapping[str, Raw]
) -> QuestionGroup | None:
    """Return several questions of one kind as one list, the open one first, or None if there is
    only one. `doubtful` are the subjects of questions that may not come up, `ready` the early
    answers. This takes as long as finding the candidates of all."""
    asks = {ask.subject: ask for ask in found if not (ask.dice or ask.as_multi_question)}
    if len(asks) < 2:
        return None
    first = next(iter(asks.values()))
    _, colon, what = first.prompt.partition(": ")
    alike = all(ask.prompt.endswith(colon + what) for ask in asks.values())
    forms = {subject: ask.short_form for subject, ask in asks.items()}

    def words(ask: Question[Any]) -> str:
        doubt = " (if needed)" if ask.subject in doubtful else ""
        return (ask.prompt.partition(": ")[0] if alike else ask.prompt) + doubt

    def read(raw: dict[str, Raw]) -> dict[str, Any]:
        return {subject: asks[subject].read(answer) for subject, answer in raw.items()}

    return QuestionGroup(
        rule=first.rule,
        subject=first.subject,
        side=first.side,
        prompt=f"{len(asks)} similar questions{colon + what if alike else ''}",
        secret=first.secret,
        items=tuple(QuestionItem(key, words(ask), forms[key]) for key, ask in asks.items()),
        reader=read,
        hint="an answer for each",
        of_equals=any(ask.of_equals for ask in asks.values()),
        questions_by_subject=asks,
        usual={key: forms[key].worded(ask.default) for key, ask in asks.items()},
        ready=ready,
        ready_words={key: forms[key].worded(raw) for key, raw in ready.items()},
    )
