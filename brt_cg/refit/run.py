"""The run of one paragraph: it starts the coroutine, sends it values, and collects its log lines.

It does not depend on a journal; a journal, a forecast, or a test drives it.
"""

from collections.abc import Generator
from importlib import import_module
from typing import Any

from brt_cg.card import Card
from brt_cg.model import Campaign, Phase
from brt_cg.questions import Question
from brt_cg.refit.log_line import LogLine
from brt_cg.refit.play import Paragraph, Play
from brt_cg.refit.sequence import (
    AT,
    FIRST_OF_SETUP,
    NUMBERS,
    PRISONERS,
    VICTORY,
    is_campaign_ending,
)
from brt_cg.refit.victory import check_immediate_victory


class ParagraphRun:
    """The play of a paragraph, which changes its campaign. Its creation plays it to the first
    question, or to the end.

    `ask` is the open question, None once the paragraph has ended. `kind` is the class of Play that
    the step gets.
    """

    def __init__(
        self, paragraph: Paragraph, campaign: Campaign, card: Card, kind: type[Play] = Play
    ) -> None:
        self.paragraph = paragraph
        self.play = kind(paragraph.number, campaign, card)
        self.ask: Question[Any] | None = None
        self._steps: Generator[Question[Any], Any, None] = _played(paragraph, self.play).__await__()
        self.send(None)

    @property
    def has_ended(self) -> bool:
        return self.ask is None

    def send(self, value: object) -> None:
        """Answer the open question with a value, and continue."""
        try:
            self.ask = self._steps.send(value)
        except StopIteration:
            self.ask = None

    def take_log_lines(self) -> tuple[LogLine, ...]:
        """Return the log lines since the last call."""
        said = tuple(self.play.said)
        self.play.said.clear()
        return said


async def _played(paragraph: Paragraph, play: Play) -> None:
    """Play a paragraph. By R-CG-END `none` a campaign that is over has no more Refit Phase:
    paragraphs before 15.6032 are skipped, and the first one from 15.6032 on ends it."""
    if play.ruling_value("R-CG-END") != "none" or AT[paragraph.number] > AT[PRISONERS]:
        await paragraph.play(play)
        return
    if AT[paragraph.number] < AT[VICTORY]:
        check_immediate_victory(play)
        if is_campaign_ending(play.campaign.situation, play.card):
            play.because = "the campaign is over: nothing is rolled or moved any more (R-CG-END)"
            return
    await paragraph.play(play)
    if AT[paragraph.number] >= AT[VICTORY] and is_campaign_ending(
        play.campaign.situation, play.card
    ):
        # Loaded when a campaign ends, since every command would wait for it.
        await import_module("brt_cg.refit.end_of_campaign").end_campaign(play)


def record_paragraph_begun(campaign: Campaign, paragraph: Paragraph) -> None:
    """Record that the campaign is at a paragraph."""
    campaign.situation.paragraph = paragraph.number
    if campaign.situation.phase is Phase.PURCHASE:
        campaign.situation.phase = Phase.SETUP


def record_paragraph_ended(campaign: Campaign, paragraph: Paragraph) -> None:
    """Record that a paragraph has been played; the scenario follows the last one."""
    situation = campaign.situation
    situation.paragraph = None
    situation.done = paragraph.number
    if situation.phase is Phase.OVER:
        return
    if paragraph.number == NUMBERS[-1]:
        situation.phase = Phase.SCENARIO
        situation.done = None
    elif AT[paragraph.number] + 1 == AT[FIRST_OF_SETUP]:
        situation.phase = Phase.SETUP
