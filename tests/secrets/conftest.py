"""What the tests of secrets share: much that they read twice is worked out once."""

from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache

import pytest

from brt_cg.exports import explain


@cache
def _near(word: str, names: tuple[str, ...], n: int, cutoff: float) -> list[str]:
    return get_close_matches(word, names, n, cutoff)


@pytest.fixture(scope="session", autouse=True)
def _likened_once() -> Iterator[None]:
    """What is spelt like a word is the same among the same names; only secrets add others."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            explain,
            "get_close_matches",
            lambda word, names, n, cutoff: _near(word, tuple(names), n, cutoff),
        )
        yield
