"""What an answer may be about: counters, sides, areas, Locations, and the special subjects."""

import re

from brt_cg import board, grid
from brt_cg.answers import Called, id_called
from brt_cg.campaign import Campaign
from brt_cg.counters import Side
from brt_cg.refit.sequence import BY_NUMBER

# What the paragraphs ask about beside counters, sides, areas and Locations.
SUBJECTS = frozenset(subject for each in BY_NUMBER.values() for subject in each.subjects)
# Counters that may come to be during the Refit Phase: a created leader, what a purchase makes; and
# those named after another: the second HS of a squad, the crew of a vehicle.
TO_COME = re.compile(r"(marine|japanese)-ldr-\d+(-\d+)?|p[mj]?\d+-\d+(-crew)?")
NAMED_AFTER = re.compile(r"(?P<another>.+?)(\.([2-9]|[1-9]\d+)|-crew(-\d+)?)")
AREA = re.compile(r"[MJ][1-9]\d*")


class Subjects:
    """What answers about a campaign may be about; counters go by id, those in play by name too."""

    def __init__(self, campaign: Campaign) -> None:
        buildings = {hex.building for hex in campaign.terrain.values() if hex.building}
        self._ids = frozenset({counter.id for counter in campaign.counters()} | buildings)
        self._named = [
            Called(counter.id, counter.name)
            for counter in campaign.counters()
            if counter.in_play and counter.name
        ]

    def holds(self, subject: str) -> bool:
        """Whether a subject is one of a question that may come."""
        return _is_subject(subject, self._ids)

    def called(self, subject: str) -> str:
        """A subject with the id of the counter that it calls by name. Raises Refused where several
        bear it."""
        if self.holds(subject):
            return subject
        parts = re.split("([:/])", subject, maxsplit=1)
        return "".join(id_called(part, self._named) for part in parts)


def _is_subject(subject: str, known: frozenset[str]) -> bool:
    if subject in known or subject in (*Side, *SUBJECTS) or _is_place(subject):
        return True
    if _to_come(subject, known) or AREA.fullmatch(subject):
        return True
    what, colon, about = subject.partition(":")
    if colon:
        in_play = f"{what}:COUNTER" in SUBJECTS and _is_counter(about, known)
        return in_play or (f"{what}:LOCATION" in SUBJECTS and _is_place(about))
    counter, slash, _ = subject.partition("/")
    return bool(slash) and "COUNTER/…" in SUBJECTS and _is_counter(counter, known)


def _is_place(subject: str) -> bool:
    if "/" not in subject:
        return board.is_location(subject)
    try:
        grid.check_hexside(subject)
    except board.BadLocation:
        return False
    return True


def _to_come(subject: str, known: frozenset[str]) -> bool:
    after = NAMED_AFTER.fullmatch(subject)
    if after is not None and _is_counter(after["another"], known):
        return True
    return TO_COME.fullmatch(subject) is not None


def _is_counter(subject: str, known: frozenset[str]) -> bool:
    return subject in known or _to_come(subject, known)
