"""What is printed on counters, as far as the catalogue of types has it."""

from collections.abc import Callable
from typing import Any

from brt_cg.card import Card
from brt_cg.catalogue import Catalogue, command_figures, load_catalogue
from brt_cg.catalogue.types import learn_figure
from brt_cg.model import Campaign, Side, visible_campaign
from brt_cg.questions import FILE, HAND, Question, Raw, RefusedError, Source


class PrintedFigures:
    """The figures of the catalogue for a desk; `note` tells the player what could not be used."""

    def __init__(self, note: Callable[[str], None]) -> None:
        self._note = note

    @property
    def catalogue(self) -> Catalogue:
        """The catalogue of types. A file of it that cannot be used is left out, with a notice."""
        try:
            return load_catalogue()
        except RefusedError as refused:
            self._note(f"no figures from the catalogue: {refused}")
            return Catalogue()

    def fill_in(
        self,
        kind: str,
        asked: dict[str, Any],
        campaign: Campaign,
        card: Card,
        side: Side | None = None,
    ) -> dict[str, Any]:
        """What a command of a side (None: the umpire) is asked, with what the catalogue has on the
        types of its counters."""
        if kind not in command_figures.KINDS:
            return asked
        known = visible_campaign(campaign, side)
        return command_figures.add_figures(kind, asked, self.catalogue, known, card)

    def proposed_figure(self, ask: Question[Any]) -> Raw:
        """The figure to propose where one is to be read off a counter; None if there is none."""
        if ask.figure is None:
            return None
        found = self.catalogue.printed_type(*ask.figure[:3])
        return None if found is None else found.figures.get(ask.figure.name)

    def learn_figure(self, ask: Question[Any], raw: Raw, source: Source) -> None:
        """Keeps a figure that a player has read off a counter in his own catalogue."""
        if ask.figure is None or raw is None or source not in (HAND, FILE):
            return
        try:
            learn_figure(*ask.figure, ask.read(raw))
        except (RefusedError, OSError) as error:
            self._note(f"not kept in your catalogue: {error}")
