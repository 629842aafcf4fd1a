"""What is found by the words that a player types."""


def holds(text: str, words: str) -> bool:
    """Whether a text holds every word of some, whatever their capitals; any text holds none."""
    found = text.lower()
    return all(word in found for word in words.lower().split())
