"""What is printed on counters, as far as the catalogue of types has it."""

from collections.abc import Callable
from typing import Any

from brt_cg.card import Card
from brt_cg.catalogue import Catalogue, catalogue, entering
from brt_cg.catalogue.types import learn
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.model.visibility import seen_by
from brt_cg.questions.answers import FILE, HAND, Raw, Refused, Source
from brt_cg.questions.asks import Ask


class PrintedFigures:
    """The figures of the catalogue for a desk; `note` tells the player what could not be used."""

    def __init__(self, note: Callable[[str], None]) -> None:
        self._note = note

    @property
    def catalogue(self) -> Catalogue:
        """The catalogue of types. A file of it that cannot be used is left out, with a notice."""
        try:
            return catalogue()
        except Refused as refused:
            self._note(f"no figures from the catalogue: {refused}")
            return Catalogue()

    def filled_in(
        self,
        kind: str,
        asked: dict[str, Any],
        campaign: Campaign,
        card: Card,
        side: Side | None = None,
    ) -> dict[str, Any]:
        """What a command of a side (None: the umpire) is asked, with what the catalogue has on the
        types of its counters."""
        if kind not in entering.KINDS:
            return asked
        known = seen_by(campaign, side)
        return entering.with_figures(kind, asked, self.catalogue, known, card)

    def proposed(self, ask: Ask[Any]) -> Raw:
        """The figure to propose where one is to be read off a counter; None if there is none."""
        if ask.figure is None:
            return None
        found = self.catalogue.printed(*ask.figure[:3])
        return None if found is None else found.figures.get(ask.figure.name)

    def learn(self, ask: Ask[Any], raw: Raw, source: Source) -> None:
        """Keeps a figure that a player has read off a counter in his own catalogue."""
        if ask.figure is None or raw is None or source not in (HAND, FILE):
            return
        try:
            learn(*ask.figure, ask.read(raw))
        except (Refused, OSError) as error:
            self._note(f"not kept in your catalogue: {error}")
