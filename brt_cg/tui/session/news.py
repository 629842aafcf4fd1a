"""What has happened since a seat last looked."""

from collections.abc import Sequence
from dataclasses import dataclass

from brt_cg.text import counted
from brt_cg.views.rows import ShownLine


@dataclass(frozen=True, slots=True)
class News:
    """A line about everything since a seat last looked, that is, after the entry `since`."""

    since: int
    text: str


def news_of(lines: Sequence[ShownLine], since: int) -> News:
    """The news in these lines, of which there is at least one."""
    first, last = lines[0].heading, lines[-1].heading
    steps = first if first == last else f"from {first} to {last}"
    number = counted(len(lines), "line")
    return News(since, f"Since you last looked: {number}, {steps}")
