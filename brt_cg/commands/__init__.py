"""The commands that players can enter between the answers of the Refit Phase, one file for each
verb.

A command is a function that changes the campaign or raises RefusedError. Its input is JSON, stored
whole in the journal, so that an audit can replay it and compare.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from brt_cg.card import Card, PrintedType, own_catalog_differences_text
from brt_cg.model import (
    Campaign,
    Counter,
    Phase,
    Record,
    Side,
    counter_known_to,
    id_series,
    only_side_allowed_to_read,
)
from brt_cg.questions import RefusedError
from brt_cg.refit.log_line import LogLine
from brt_cg.text import list_text

_ID = attrgetter("id")
PHASE_WORDS = {
    Phase.PURCHASE: "buy, reinforce, import, or start the setup with `refit`",
    Phase.SCENARIO: "play the scenario, then report its end (`end` or `import`)",
    Phase.REFIT: "continue with refit",
    Phase.SETUP: "continue with refit",
    Phase.OVER: "use `status`, `export`, `explain` and `audit`",
}

# The early orders of a side besides answers (early_answers.py): its purchases, and the questions
# that it answers by default.
WISHES, STANDING = "buy", "always"
EVERY_KIND = "15.6"  # every kind of question that a side can answer by default


@dataclass(slots=True)
class Command:
    """One command being carried out on `campaign`.

    `asked` is its input as JSON; `numbers` the highest number so far in each series of ids
    (`records.id_series`); `side` is the seat that enters it; `secret` may be set to the side whose
    secret the whole entry is.
    """

    kind: str
    asked: dict[str, Any]
    campaign: Campaign
    card: Card
    numbers: Mapping[str, int]
    by: str
    at: str
    side: Side | None = None
    said: list[LogLine] = field(default_factory=list)
    secret: Side | None = None

    def log(self, text: str, *about: Record, secret: Side | None = None) -> None:
        """Add a sentence to the log."""
        whose = secret or self.secret
        for record in about:
            whose = whose or only_side_allowed_to_read(self.campaign, record)
        self.said.append(LogLine(text, tuple(map(_ID, about)), whose))

    def log_figures_from_own_catalog(
        self,
        types: Iterable[PrintedType],
        counters: Iterable[Counter],
        arrival: Record | None = None,
    ) -> None:
        """Log the new counters whose values come from a player's own catalog and differ from the
        shipped ones. They may belong to an `arrival`. Equal counters are logged together."""
        alike: dict[tuple[str, Side | None], list[Counter]] = {}
        for counter in counters:
            words = own_catalog_differences_text(counter, types)
            if words:
                whose = None if arrival else only_side_allowed_to_read(self.campaign, counter)
                alike.setdefault((words, whose), []).append(counter)
        for (words, _), found in alike.items():
            named = list_text(each.label for each in found)
            about = [arrival] if arrival is not None else found
            self.log(f"{named}: {words}, from a player's own catalog", *about)

    def find_visible_counter(self, id: str) -> Counter | None:
        """Return the counter with an id; never one that is hidden from the side that enters the
        command."""
        return counter_known_to(self.campaign, id, self.side_with_limited_view)

    @property
    def side_with_limited_view(self) -> Side | None:
        """Return the side that enters the command, if its knowledge is limited; None for the
        umpire, or if the seat is not known."""
        return Side.from_name(self.by) or self.side

    def next_purchase_id(self, letter: str, side: Side, further: int = 0) -> str:
        """Return the id of the next purchase of a side ("pm17"), void ("vm17") or draft ("dm17"),
        or the one `further` after it. Each side has its own numbers, separate ones for drafts, so
        that no id reveals a secret."""
        number = self.numbers.get(id_series(letter, side), 0) + 1 + further
        return f"{letter}{side[0]}{number}"

    def require_phase(self, *phases: Phase) -> None:
        """Raise RefusedError unless the campaign is in one of these phases."""
        phase = self.campaign.situation.phase
        if phase not in phases:
            raise RefusedError(wrong_phase_text(self.kind, phase))

    def require_campaign_not_over(self) -> None:
        """Raise RefusedError once the campaign is over."""
        self.require_phase(*(phase for phase in Phase if phase is not Phase.OVER))


def name_and_place_text(campaign: Campaign, counter: Counter) -> str:
    """Return a counter and its place in words: "7-6-8 squad m-sq-1, N21"."""
    return ", ".join(filter(None, (counter.label, campaign.place_text(counter))))


def wrong_phase_text(kind: str, phase: Phase) -> str:
    """Return the message for a command entered in the wrong phase."""
    return f"{kind} is not possible {phase.when_text}; you can now {PHASE_WORDS[phase]}"


def correction_text(by: str) -> str:
    """Return the beginning of a line about a correction: "the Marine player corrects"."""
    side = Side.from_name(by)
    if side is not None:
        return f"the {side.label} player corrects"
    return "the players correct" if by == "players" else f"{by} corrects"
