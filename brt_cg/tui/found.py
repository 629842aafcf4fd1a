"""Finds text by the words that a player types."""


def holds(text: str, words: str) -> bool:
    """Whether a text contains every one of the words, ignoring case; true without words."""
    found = text.lower()
    return all(word in found for word in words.lower().split())
