"""The demo campaign in memory: played with fixed dice, the default decisions and the shipped values
of the catalog, so that a guide can show real questions and figures. It opens no campaign file."""

import json
from collections.abc import Callable
from typing import Any

from brt_cg.catalogue import load_shipped_catalogue
from brt_cg.catalogue.command_figures import KINDS, add_catalog_figures
from brt_cg.journal.entries import Entry
from brt_cg.journal.journal import Journal
from brt_cg.model import Side
from brt_cg.questions import (
    DEFAULT,
    Question,
    Raw,
    RollKey,
    SeededDice,
    Source,
    faces_as_json,
)
from brt_cg.resources import game_data_folder, read_toml_cached
from brt_cg.views.view import View, create_view

CAMPAIGN_NAME = "Demo: Betio, 20 Nov 1943"
SEED = "guide"
WRITTEN = "1943-11-20T18:00:00Z"  # the time of every entry


class DemoCampaign:
    """A game of the demo, from the end of its scenario on. `answers` counts its questions so far,
    `rolls` the rolls among them."""

    def __init__(self) -> None:
        folder = game_data_folder() / "demo"
        self._journal = Journal(lambda: WRITTEN)
        self._dice = SeededDice(SEED)
        self._catalogue = load_shipped_catalogue()
        self.answers = self.rolls = 0
        allotments = read_toml_cached(folder / "allotments.toml")
        self.enter("new", {"cg": "III", "name": CAMPAIGN_NAME, "allotments": allotments})
        state = json.loads((folder / "state.json").read_text("utf-8"))
        self.enter(
            "import", {"state": state, "source": "state.json", "missing": None, "side": None}
        )

    def view(self, side: Side | None = None) -> View:
        """Return the view of a side, or of the umpire, now."""
        return create_view(self._journal, side)

    def enter(self, kind: str, asked: dict[str, Any]) -> list[str]:
        """Enter a command. Return its sentences. Raises RefusedError."""
        journal = self._journal
        if kind in KINDS:
            asked = add_catalog_figures(
                kind, asked, self._catalogue, journal.campaign, journal.card
            )
        return _sentences(journal.run_command(kind, asked, "players"))

    def answer(self) -> list[str]:
        """Answer the open question by dice or by default. Return the sentences of the log."""
        ask = self._journal.play_to_next_question()
        assert ask is not None, "the phase is over"
        self.answers += 1
        self.rolls += ask.dice is not None
        return _sentences(self._journal.answer(*self._answer_to(ask)))

    def play_to(self, is_wanted: Callable[[Question[Any]], bool]) -> Question[Any]:
        """Play to a question, and leave it open. Raises LookupError if the question is not
        asked."""
        self._play_until(is_wanted)
        if (ask := self._journal.open_question()) is None:
            raise LookupError("no such question is asked in the demo")
        return ask

    def play_past(self, is_wanted: Callable[[Question[Any]], bool]) -> list[str]:
        """Play to a question and answer it. Return the sentences of the log."""
        self._play_until(is_wanted)
        return self.answer()

    def play_to_the_end(self) -> None:
        """Play the rest of the Refit Phase."""
        self._play_until(lambda ask: False)

    def _play_until(self, is_wanted: Callable[[Question[Any]], bool]) -> None:
        with self._journal.without_display():
            while (ask := self._journal.play_to_next_question()) is not None and not is_wanted(ask):
                self.answer()

    def _answer_to(self, ask: Question[Any]) -> tuple[Raw, str, Source]:
        if not ask.dice:
            return self._printed_figure(ask) or ask.default, "players", DEFAULT
        date, position = self._journal.campaign.situation.date, self._journal.times_answered(ask)
        faces = self._dice.roll(ask.dice, RollKey(date, ask.rule, ask.subject, position))
        return faces_as_json(faces), "players", Source("app", SEED)

    def _printed_figure(self, ask: Question[Any]) -> Raw:
        """Return the value printed on the counter, if the question asks for one and it is known."""
        if ask.figure is None:
            return None
        found = self._catalogue.printed_type(*ask.figure[:3])
        return found.figures.get(ask.figure.name) if found is not None else None


def _sentences(entry: Entry) -> list[str]:
    return [line.text for line in entry.said]
