"""What the tests of secrets share: much that they read twice is worked out once."""

import difflib
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache

import pytest

from brt_cg.model.counters import Side
from tests.secrets.campaigns import Files, made

Pairs = dict[Side, list[dict[str, Files]]]  # by who reads them: both, at each stop


@cache
def _near(word: str, names: tuple[str, ...], n: int, cutoff: float) -> list[str]:
    return get_close_matches(word, names, n, cutoff)


@pytest.fixture(scope="session", autouse=True)
def _likened_once() -> Iterator[None]:
    """What is spelt like a word is the same among the same names; only secrets add others."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            difflib,
            "get_close_matches",
            lambda word, names, n, cutoff: _near(word, tuple(names), n, cutoff),
        )
        yield


@pytest.fixture(scope="session")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Pairs:
    """Campaign files that differ in the secrets of one side only."""

    def one(reader: Side, number: int) -> dict[str, Files]:
        folder = tmp_path_factory.mktemp("twin")
        (folder / "played").mkdir()
        return made(folder, number, reader)

    return {reader: [one(reader, number) for number in (0, 1)] for reader in Side}
