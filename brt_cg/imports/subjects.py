"""The possible subjects of answers: counters, sides, areas, Locations, and special ones."""

import re
from functools import cache

from brt_cg.board import grid, locations
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Called, id_called
from brt_cg.refit.sequence import NUMBERS, paragraph_of

# Counters that the Refit Phase may create: a leader, purchased ones; and
# those named after another: the second HS of a squad, the crew of a vehicle.
TO_COME = re.compile(r"(marine|japanese)-ldr-\d+(-\d+)?|p[mj]?\d+-\d+(-crew)?")
NAMED_AFTER = re.compile(r"(?P<another>.+?)(\.([2-9]|[1-9]\d+)|-crew(-\d+)?)")
AREA = re.compile(r"[MJ][1-9]\d*")


@cache
def special_subjects() -> frozenset[str]:
    """The subjects of questions other than counters, sides, areas and Locations. Read when they are
    first asked for: whoever only looks at a campaign needs no paragraph of the Refit Phase."""
    return frozenset(subject for number in NUMBERS for subject in paragraph_of(number).subjects)


class Subjects:
    """The possible subjects of answers about a campaign; counters by id, those in play by name
    too."""

    def __init__(self, campaign: Campaign) -> None:
        buildings = {hex.building for hex in campaign.terrain.values() if hex.building}
        self._ids = frozenset({counter.id for counter in campaign.counters()} | buildings)
        self._named = [
            Called(counter.id, counter.name, sort=counter.sort)
            for counter in campaign.counters()
            if counter.in_play and counter.name
        ]

    def holds(self, subject: str) -> bool:
        """Whether a possible question has this subject."""
        known = self._ids
        if subject in known or subject in (*Side, *special_subjects()) or _is_place(subject):
            return True
        if _to_come(subject, known) or AREA.fullmatch(subject):
            return True
        what, colon, about = subject.partition(":")
        if colon:
            in_play = f"{what}:COUNTER" in special_subjects() and _is_counter(about, known)
            return in_play or (f"{what}:LOCATION" in special_subjects() and _is_place(about))
        counter, slash, _ = subject.partition("/")
        return bool(slash) and "COUNTER/…" in special_subjects() and _is_counter(counter, known)

    def called(self, subject: str) -> str:
        """The subject with a counter's name replaced by its id. Raises Refused where several share
        the name."""
        if self.holds(subject):
            return subject
        parts = re.split("([:/])", subject, maxsplit=1)
        return "".join(id_called(part, self._named) for part in parts)


def _is_place(subject: str) -> bool:
    if "/" not in subject:
        return locations.is_location(subject)
    try:
        grid.check_hexside(subject)
    except locations.BadLocation:
        return False
    return True


def _to_come(subject: str, known: frozenset[str]) -> bool:
    after = NAMED_AFTER.fullmatch(subject)
    if after is not None and _is_counter(after["another"], known):
        return True
    return TO_COME.fullmatch(subject) is not None


def _is_counter(subject: str, known: frozenset[str]) -> bool:
    return subject in known or _to_come(subject, known)
