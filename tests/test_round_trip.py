"""Whatever a command or an answer accepts, an export of it is accepted by a new campaign."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brt_cg.commands.state_document import build_state_document as exported
from brt_cg.journal.journal import Journal
from brt_cg.model.campaign import Campaign
from brt_cg.model.records import Phase, Situation
from brt_cg.questions.answers import RefusedError
from brt_cg.questions.question_types import Question
from tests.commands.campaigns import carry, document, in_setup, new
from tests.purchases.shop import refit_shop, shop
from tests.reading import differences
from tests.round_trip import come_back, entries, strange_units, wild_answers, wild_orders
from tests.strategies import random_answer, states

RECORDED = Path(__file__).parent / "recorded"
ALLOTMENTS = {
    "japanese": {"red_one": {"gpp": 24, "capp": "26^2", "fpp": 60}, "island": {"fpp": 40}},
    "marine": {"fpp": 30},
}


@given(states(), st.data())
def test_a_correction_round_trips(state: dict[str, Any], data: st.DataObject) -> None:
    campaign = new()
    carry(campaign, "import", state=state)
    come_back(campaign)
    counters = [*campaign.counters()]
    if not counters:
        return
    for _ in range(3):
        counter = data.draw(st.sampled_from(counters))
        wanted = data.draw(entries(counter, campaign))
        before = campaign.clone()
        try:
            carry(campaign, "edit", id=counter.id, set=wanted, reason="miscounted")
        except RefusedError:
            campaign = before
        else:
            come_back(campaign)


def played(state: dict[str, Any], **rulings: str) -> Journal:
    """A campaign that has just taken a state in."""
    journal = Journal(lambda: "2026-01-01T00:00:00Z")
    asked = {"cg": "III", "name": None, "players": None, "allotments": ALLOTMENTS}
    journal.run_command("new", asked, "players")
    for id, value in rulings.items():
        journal.run_command("ruling", {"id": id, "value": value}, "players")
    imported = {"state": state, "source": None, "missing": None, "side": None}
    journal.run_command("import", imported, "players")
    return journal


def answered(journal: Journal, ask: Question[Any], wild: Any, chance: random.Random) -> None:
    """Answers a question with a wild answer, or, where it is none or refused, with a random one."""
    if wild is not None:
        try:
            journal.answer(wild, ask.side)
        except RefusedError:
            pass
        else:
            return
    again = journal.open_question()
    assert again is not None
    journal.answer(random_answer(again, chance), again.side)


def records_of(campaign: Campaign) -> tuple[object, ...]:
    """All that there is, but for how far the paragraphs have come."""
    tables = campaign.clone().tables
    course = tables.pop(Situation.TABLE)["campaign"]
    return (course.date, course.phase, tables)


@given(states(), st.data(), st.integers(0, 2**16))
def test_answers_round_trip(state: dict[str, Any], data: st.DataObject, seed: int) -> None:
    journal, chance, tries = played(state, **{"R-REARM": "enter"}), random.Random(seed), 20
    before: object = None
    while journal.campaign.situation.phase in (Phase.REFIT, Phase.SETUP):
        ask = journal.play_to_next_question()
        now = records_of(journal.campaign)
        if now != before:
            come_back(journal.campaign)
        before = now
        if ask is not None:
            # A Melee may go on for ever.
            wild = data.draw(wild_answers(ask, journal.campaign)) if tries else None
            tries -= wild is not None
            answered(journal, ask, wild, chance)


@given(wild_orders(), st.sampled_from((shop, refit_shop)))
def test_purchases_round_trip(orders: list[dict[str, Any]], made: Any) -> None:
    market = made(each={"gpp": 90, "capp": 90, "exponent": 9, "fpp": 90})
    for order in orders:
        try:
            market.do("buy", **order)
        except RefusedError:
            continue
        come_back(market.campaign)


@given(st.lists(strange_units(), max_size=3), st.booleans())
def test_reinforcements_round_trip(arrivals: list[dict[str, Any]], in_setup_: bool) -> None:
    campaign = in_setup() if in_setup_ else new()
    try:
        carry(campaign, "reinforce", state=document(units=arrivals))
    except RefusedError:
        return
    come_back(campaign)


@pytest.mark.parametrize(
    "end", sorted(RECORDED.glob("*/end.json")), ids=lambda end: end.parent.name
)
def test_the_final_state_of_a_recorded_campaign_round_trips(end: Path) -> None:
    steps = json.loads((end.parent / "campaign.json").read_text("utf-8"))["steps"]
    campaign = new(steps[0]["new"]["cg"])
    state = json.loads(end.read_text("utf-8"))["state"]
    carry(campaign, "import", state=state)
    found = json.loads(json.dumps(exported(campaign)))
    assert differences(state | {"scenario": None}, found | {"scenario": None}) == []
