"""What is being picked for a question: its candidates, filtered as one types, and those taken."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from brt_cg.asks import Candidate, Form, Raw

MOST_SHOWN = 200  # of the candidates; a word more finds the others


@dataclass(slots=True)
class Picking:
    """Answers are picked for some items of a question, or (none) for the whole of it.

    `offered` are the candidates; `picked` those taken so far, where several may be joined;
    `given` says that there is an answer already, which can be taken back.
    """

    form: Form
    offered: Sequence[Candidate]
    items: tuple[str, ...] = ()
    given: bool = False
    picked: list[Candidate] = field(default_factory=list)

    def fitting(self, text: str) -> list[tuple[int, Candidate]]:
        """The candidates that hold every word of a text, with their numbers."""
        words = text.lower().split()
        found = (
            (at, candidate)
            for at, candidate in enumerate(self.offered)
            if all(word in f"{candidate.words} {candidate.typed}".lower() for word in words)
        )
        return [pair for pair, _ in zip(found, range(MOST_SHOWN), strict=False)]

    def typed_in_full(self, text: str) -> Candidate | None:
        """The candidate that is typed just so."""
        wanted = text.strip().lower()
        return next(
            (candidate for candidate in self.offered if candidate.typed.lower() == wanted), None
        )

    def toggle(self, candidate: Candidate) -> None:
        """Takes a candidate, or leaves it again."""
        if candidate in self.picked:
            self.picked.remove(candidate)
        else:
            self.picked.append(candidate)

    @property
    def joins(self) -> bool:
        """Whether several may be picked at once."""
        return self.form.joined is not None

    def joined(self) -> Raw:
        """What is picked, as one answer."""
        assert self.form.joined is not None, "only where several may be picked"
        return self.form.joined([candidate.raw for candidate in self.picked])


def words_of(candidates: Iterable[Candidate]) -> str:
    """Candidates in a line."""
    return "; ".join(candidate.words for candidate in candidates)
