"""The PTO chart, and everything else in the aids that can be searched by words."""

from collections.abc import Sequence
from dataclasses import dataclass

from brt_cg.aids.japanese import Note, japanese_rolls
from brt_cg.aids.sources import read_once
from brt_cg.card.toml_data import CardReading
from brt_cg.questions.answers import Refused

TERRAIN = ("instead_of", "los", "tem", "infantry", "tracked", "halftrack", "notes")


@dataclass(frozen=True, slots=True)
class Chart:
    """`pto.toml`: the line at its top, and its entries, terrain first."""

    heading: str
    entries: tuple[Note, ...]


@read_once("pto")
def chart(reading: CardReading) -> Chart:
    root = reading.root
    rule = root.text("rule")
    terrain = [
        Note(
            f"{rule}, terrain",
            row.text("name"),
            " · ".join(f"{key.replace('_', ' ')} {row.text(key)}" for key in TERRAIN),
        )
        for row in root.sections("terrain")
    ]
    entries = [
        Note(f"{rule}, {row.text('section')}", row.text("title"), row.text("text"))
        for row in root.sections("entries")
    ]
    return Chart(root.text("heading"), (*terrain, *entries))


def search(notes: Sequence[Note], words: Sequence[str]) -> list[Note]:
    """The notes that contain all the words, ignoring case; all notes if there are no words. Raises
    Refused if none does."""
    found = [note for note in notes if all(_plain(word) in _plain(str(note)) for word in words)]
    if not found:
        raise Refused(f"nothing contains {' '.join(words)!r}")
    return found


def search_all(words: Sequence[str]) -> list[Note]:
    """The paragraphs and the chart's entries that contain all the words."""
    try:
        return search((*japanese_rolls().notes, *chart().entries), words)
    except Refused:
        return []


def _plain(text: str) -> str:
    return text.casefold().replace("−", "-")
