"""The items of a question about several."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

from brt_cg.immutable import immutable
from brt_cg.questions.answers import AnswerForm


@immutable
class QuestionItem:
    """One item of an entry about several items: the key of its answer; a description with
    everything that the player should know; the form of its answer; its counter's id, name, and the
    `sort` printed on it."""

    subject: str
    words: str
    form: AnswerForm = field(default_factory=AnswerForm)
    counter: str | None = None
    name: str | None = None
    sort: str = ""


class QuestionItems(Sequence[QuestionItem]):
    """The items of an entry, found at first use."""

    def __init__(self, find: Callable[[], Iterable[QuestionItem]]) -> None:
        self._find = find

    @cached_property
    def _found(self) -> tuple[QuestionItem, ...]:
        return tuple(self._find())

    def __getitem__(self, at: Any) -> Any:
        return self._found[at]

    def __len__(self) -> int:
        return len(self._found)
