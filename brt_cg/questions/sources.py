"""Where an answer comes from: a player's hand, a file, the app's dice, a default, the catalogue
of types, or what its side answered before it was asked."""

from dataclasses import dataclass

SOURCES = {  # what an entry calls each, with its words
    "hand": "by hand",
    "file": "from a file",
    "app": "by the app's dice",
    "default": "by default",
    "catalogue": "from the catalogue",
    "ahead": "ahead",
}
SEEDED = "seeded"  # what a side reads for the app's dice where they had a seed


@dataclass(frozen=True, slots=True)
class Source:
    """The source of an answer: its `way`, a key of SOURCES; for the app's dice the seed, if they
    had one."""

    way: str
    seed: str | None = None


HAND, FILE, APP, DEFAULT, FROM_CATALOGUE, GIVEN_AHEAD = map(Source, SOURCES)


def source_words(way: str, seed: str | None = None) -> str:
    """A source in words: "by hand", "by the app's dice, seed 7", "by the app's dice, with a
    seed"."""
    if seed is not None:
        return f"{SOURCES['app']}, seed {seed}"
    return f"{SOURCES['app']}, with a seed" if way == SEEDED else SOURCES.get(way, way)
