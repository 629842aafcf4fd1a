"""CVP that a document gives, where its losses make others."""

from typing import NamedTuple

COUNTED, STATED = "counted", "stated"  # which CVP count


class OtherTotal(NamedTuple):
    """A side's CVP as a document gives them, and as its losses make them."""

    given: int
    counted: int

    def __str__(self) -> str:
        return f"the file says {self.given}, its losses make {self.counted}"
