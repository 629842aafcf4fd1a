"""The one door for the end of a scenario, whatever kind of file it comes in."""

from dataclasses import field
from pathlib import Path
from typing import Any

from brt_cg.commands.difference import Line
from brt_cg.imports.state_file import Format, format_of, read_state, source_of
from brt_cg.journal.book import Book
from brt_cg.values import frozen
from brt_cg.vasl.matching import Guess
from brt_cg.vasl.reading import BOTH, state_of


@frozen
class Brought:
    """What a file brings: all that `import` is asked, and what the program guessed for it."""

    asked: dict[str, Any]
    guesses: list[Guess] = field(default_factory=list)

    def beside(self, line: Line) -> list[str]:
        """What is guessed of the counter that a line of the difference is about."""
        return [guess.words for guess in self.guesses if guess.about and guess.about == line.about]

    def elsewhere(self, lines: list[Line]) -> list[str]:
        """What is guessed, but stands beside none of these lines."""
        told = {line.about for line in lines}
        return [str(guess) for guess in self.guesses if not guess.about or guess.about not in told]


def brought(
    book: Book, path: Path, side: str | None, missing: str | None = None, names: Path | None = None
) -> Brought:
    """What a file or folder brings. `side` is "marine", "japanese", or "both" or None for both; a
    VASL save needs it said, and takes `names`, a file of the player's own. Raises Refused."""
    taken = None if side == BOTH else side
    asked = {"source": source_of(path), "missing": missing, "side": taken}
    if format_of(path) is not Format.VASL:
        return Brought(asked | {"state": read_state(path)})
    found = state_of(book, path, side, names)
    return Brought(asked | {"state": found.document, "pieces": found.pieces}, found.guesses)
