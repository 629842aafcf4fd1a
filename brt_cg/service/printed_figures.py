"""The printed values of counters that are in the catalog of types."""

from collections.abc import Callable
from typing import Any

from brt_cg.card import Card
from brt_cg.catalogue import Catalogue, command_figures, load_catalogue
from brt_cg.catalogue.types import save_own_figure
from brt_cg.model import Campaign, Side, visible_campaign
from brt_cg.questions import FILE, HAND, Question, Raw, RefusedError, Source


class PrintedFigures:
    """The catalog's values for an open campaign; `note` reports to the player any file that cannot
    be used."""

    def __init__(self, note: Callable[[str], None]) -> None:
        self._note = note

    @property
    def catalogue(self) -> Catalogue:
        """The catalog of types. A file that cannot be used is left out, with a notice."""
        try:
            return load_catalogue()
        except RefusedError as refused:
            self._note(f"no values from the catalog: {refused}")
            return Catalogue()

    def add_figures_to_command_input(
        self,
        kind: str,
        asked: dict[str, Any],
        campaign: Campaign,
        card: Card,
        side: Side | None = None,
    ) -> dict[str, Any]:
        """Return the input of a command from a side (None: the umpire), with the catalog's values
        for the types of its counters."""
        if kind not in command_figures.KINDS:
            return asked
        known = visible_campaign(campaign, side)
        return command_figures.add_catalog_figures(kind, asked, self.catalogue, known, card)

    def proposed_figure(self, ask: Question[Any]) -> Raw:
        """Return the value to propose when one is to be read off a counter; None if there is
        none."""
        if ask.figure is None:
            return None
        found = self.catalogue.printed_type(*ask.figure[:3])
        return None if found is None else found.figures.get(ask.figure.name)

    def save_own_figure(self, ask: Question[Any], raw: Raw, source: Source) -> None:
        """Keep, in the player's own catalog, a value that the player has read off a counter."""
        if ask.figure is None or raw is None or source not in (HAND, FILE):
            return
        try:
            save_own_figure(*ask.figure, ask.read(raw))
        except (RefusedError, OSError) as error:
            self._note(f"not stored in your catalog: {error}")
