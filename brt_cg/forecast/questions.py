"""The decisions of the coming Refit Phase: the questions that a first run comes to."""

from dataclasses import dataclass
from typing import Any

from brt_cg.forecast.runs import Runs
from brt_cg.forecast.start import Start
from brt_cg.model.records import SIDES
from brt_cg.questions.answers import Raw
from brt_cg.questions.asks import Ask, Option
from brt_cg.questions.dice import SeededDice
from brt_cg.refit.play_out import Unrecorded, play_out
from brt_cg.refit.sequence import TITLES


@dataclass(frozen=True, slots=True)
class Decision:
    """A question to decide: its rule and subject, with its title. `options` are the answers to pick
    from, without the default; if there are none, the answer is typed as `hint` says."""

    ask: Ask[Any]
    rule: str
    title: str
    options: tuple[Option[Any], ...]

    @property
    def name(self) -> str:
        """Its key: rule and subject."""
        return f"{self.rule} {self.ask.subject}"

    def choices(self, raw: Raw) -> dict[str, Any]:
        """An answers file's document with this one answer."""
        choices = {self.rule: {self.ask.subject: raw}}
        return {"format": "brt-cg/answers", "version": 1, "choices": choices}


def decisions(start: Start) -> list[Decision]:
    """The decisions with alternatives to the default, those of whole sides first."""
    runs = Runs(start)
    campaign = runs.campaign.clone()
    found: dict[str, Decision] = {}

    def choose(ask: Ask[Any]) -> Raw:
        rule = ask.rule or campaign.situation.paragraph or ""
        decision = Decision(ask, rule, TITLES.get(rule, ""), _options(ask))
        if decision.options or (ask.form is not None and ask.subject in SIDES):
            found.setdefault(decision.name, decision)
        return ask.default

    play_out(campaign, runs.card, SeededDice(start.seed), choose, Unrecorded)
    return sorted(found.values(), key=lambda decision: decision.ask.subject not in SIDES)


def _options(ask: Ask[Any]) -> tuple[Option[Any], ...]:
    others = (option for option in ask.options if option.raw != ask.default)
    return tuple(others) if ask.is_decision else ()
