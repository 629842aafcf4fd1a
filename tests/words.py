"""The game's words, not the program's: what no sentence for players may hold."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from brt_cg.journal.journal import Journal
from brt_cg.questions.question_types import ChoiceQuestion, EntryQuestion, MultiQuestion, Question

MANY = "counters|units|hexes|drafts|weapons|squads|leaders|vehicles|answers|entries"
RAW = re.compile(
    r"\b[a-z0-9]+(?:_[a-z0-9]+)+\b|<[A-Za-z]+\.|\b(?:None|True|False)\b"
    rf"|(?<![\w-])1 (?:{MANY})\b"
)


def raw_words(texts: Iterable[str]) -> dict[str, str]:
    """Keys, values and representations of the program in texts, each with a text that has it."""
    return {found: text for text in texts for found in RAW.findall(text)}


def of_the_log(journal: Journal) -> Iterator[str]:
    """All sentences of a journal."""
    return (said.text for entry in journal.entries for said in entry.said)


def of_a_question(ask: Question[Any]) -> Iterator[str]:
    """What a question shows: its sentence, its answers, its items, its default."""
    yield ask.prompt
    if isinstance(ask, ChoiceQuestion):
        yield from (option.label for option in ask.named_options)
    if isinstance(ask, EntryQuestion):
        yield ask.form.worded(ask.default)
        yield from (candidate.words for candidate in ask.form.candidates_for(None))
    if isinstance(ask, MultiQuestion):
        yield from (item.words for item in ask.items)
        for item in ask.items[:1]:
            yield from (candidate.words for candidate in item.form.candidates_for(None))
