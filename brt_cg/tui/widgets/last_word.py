"""Completion of the last word in a field that may hold several."""

import re
from collections.abc import Sequence

from textual.suggester import Suggester


class LastWord(Suggester):
    """Suggests the first of some words that begins as the last one typed does."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self.words = words

    async def get_suggestion(self, value: str) -> str | None:
        last = re.split(r"[\s,;]", value)[-1]
        fitting = (word for word in self.words if word.lower().startswith(last.lower()))
        found = next(fitting, None) if last else None
        return value + found[len(last) :] if found else None
