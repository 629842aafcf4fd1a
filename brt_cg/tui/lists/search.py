"""Search: text that contains typed words, the next item in a cycle, and items of one kind."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")
K = TypeVar("K")


def contains_words(text: str, words: str) -> bool:
    """Whether a string contains every one of the words, ignoring case; true without words."""
    found = text.lower()
    return all(word in found for word in words.lower().split())


def next_cyclic(things: Sequence[T], now: T | None, by: int = 1) -> T:
    """Return the item some steps (by default one) after another, continuing with the first after
    the last; the first item if the other is not among them."""
    return things[(things.index(now) + by) % len(things)] if now in things else things[0]


def group_by(things: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """Return the items grouped by the result of `key`, in their original order."""
    return group_pairs((key(thing), thing) for thing in things)


def group_pairs(pairs: Iterable[tuple[K, T]]) -> dict[K, list[T]]:
    """Return the items of (key, item) pairs, grouped by key in their original order."""
    found: dict[K, list[T]] = {}
    for key, thing in pairs:
        found.setdefault(key, []).append(thing)
    return found
