"""Campaigns in memory, played to where a test wants them."""

import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from brt_cg.exports import export_document
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Raw
from brt_cg.questions.dice import Dice, RollKey, SeededDice, faces_as_json
from brt_cg.questions.question_types import Question, RollQuestion
from brt_cg.refit.sequence import paragraph_of
from brt_cg.views.view import create_view

MARINE, JAPANESE = Side.MARINE, Side.JAPANESE
DEMO = Path(__file__).parents[2] / "campaigns" / "demo"
NOON = "2026-01-01T12:00:00Z"
PERIMETER = [["N18-N21", "M18-M21"]]


def squad(id: str, location: str, **fields: Any) -> dict[str, Any]:
    """A unit of a state document; its side and sort follow from the id ("j-ldr-1")."""
    letter, sort, _ = id.split("-", 2)
    marine = letter == "m"
    found: dict[str, Any] = {"id": id, "side": "marine" if marine else "japanese"}
    found["location"] = location
    if sort == "ldr":
        return found | {"kind": "leader", "type": "9-1"} | fields
    if sort == "hero":
        return found | {"kind": "hero", "type": "1-4-9"} | fields
    digits = {"type": "7-6-8"} if marine else {"class": "first_line"}
    return found | {"kind": "squad"} | digits | fields


def state(*units: dict[str, Any], date: str = "20 AM", **fields: Any) -> dict[str, Any]:
    """A state document."""
    return {
        "format": "brt-cg/state",
        "version": 1,
        "scenario": {"date": date, "winner": "marine", "moved_first": "marine"},
        "sides": {
            "marine": {"san": 4, "elr": 5, "cvp": 12},
            "japanese": {"san": 5, "elr": 4, "cvp": 9},
        },
        "perimeters": PERIMETER,
        "units": list(units),
        **fields,
    }


def new(cg: str = "III", **asked: Any) -> Journal:
    """A campaign that has just been created."""
    journal = Journal(lambda: NOON)
    journal.run_command("new", {"cg": cg, "name": None, "allotments": None} | asked, "players")
    return journal


def take_in(journal: Journal, found: dict[str, Any]) -> Journal:
    """The end of a scenario, imported."""
    journal.begin_invocation()
    asked = {"state": found, "source": "state.json", "missing": "keep", "side": None}
    asked["totals"] = "stated"
    journal.run_command("import", asked, "players")
    return journal


def begun(*units: dict[str, Any], **fields: Any) -> Journal:
    """A campaign at the beginning of its first Refit Phase, with these units."""
    return take_in(new(), state(*units, **fields))


def play(
    journal: Journal, through: str | None = None, to: str | None = None, **answers: Raw
) -> Journal:
    """Plays through a paragraph, or up to a question ("m-ldr-1", "15.6032 marine"),
    or to the end of the phase.

    `answers` are given by subject, with _ for -: a number for dice, anything else for choices. The
    rest are seeded dice and defaults.
    """
    given = {subject.replace("_", "-"): raw for subject, raw in answers.items()}
    last = paragraph_of(through) if through else None
    journal.begin_invocation()
    while (ask := journal.play_to_next_question(last)) is not None:
        if to in (ask.subject, f"{ask.rule} {ask.subject}"):
            return journal
        journal.answer(_supplied(journal, ask, given), ask.side)
    assert to is None, f"nothing asks {to}"
    return journal


def _supplied(journal: Journal, ask: Question[Any], given: dict[str, Raw]) -> Raw:
    raw = given.get(ask.subject)
    if ask.subject in given and isinstance(raw, int) == isinstance(ask, RollQuestion):
        return raw
    if isinstance(ask, RollQuestion):
        date = journal.campaign.situation.date
        key = RollKey(date, ask.rule, ask.subject, journal.times_answered(ask))
        return faces_as_json(SeededDice(1).roll(ask.table.dice, key))
    return ask.default


def plain_answer(ask: Question[Any]) -> Raw:
    """The same every time: dice with a 3, which leaves a wounded leader wounded, and defaults."""
    if isinstance(ask, RollQuestion):
        return 3 if ask.table.dice is Dice.ONE else [3, 4]
    return ask.default


@cache
def demo() -> Journal:
    """The demo campaign, its Refit Phase played."""
    found = tomllib.loads((DEMO / "allotments.toml").read_text("utf-8"))
    journal = new(allotments=found, name="Demo")
    take_in(journal, json.loads((DEMO / "state.json").read_text("utf-8")))
    return play(journal)


def as_data(what: str, journal: Journal, side: Side | None = None) -> Any:
    """A document as other programs read it."""
    return json.loads(str(export_document(create_view(journal, side), what, "json")))
