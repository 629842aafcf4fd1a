"""Questions of one kind are known ahead, and are answered beforehand without changing anything."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from brt_cg.journal.entries import Entry
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Refused
from brt_cg.questions.asks import Ask, Enter, Roll
from brt_cg.questions.dice import SeededDice
from brt_cg.questions.sources import HAND
from brt_cg.service import demo
from brt_cg.service.desk import Desk
from brt_cg.service.supply import Supply
from brt_cg.service.whole import whole

DICE = Supply(dice=SeededDice(1), defaults=True)


@pytest.fixture(scope="module")
def _laid_out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(str(demo.lay_out(tmp_path_factory.mktemp("demo"))))


@pytest.fixture
def desk(_laid_out: Path, tmp_path: Path) -> Desk:
    """The demo, at the start of its Refit Phase."""
    return Desk.open(Path(shutil.copy(_laid_out, tmp_path / "demo.brt")))


def at(desk: Desk, rule: str, about: str = "") -> Ask[Any]:
    """Plays on to a question."""
    ask = desk.begin()
    while ask is not None and (ask.rule, ask.about) != (rule, about):
        ask = desk.answer_on(ask, *desk.supply(ask, DICE))
    assert ask is not None, f"{rule} {about} is never asked"
    return ask


def to_the_end_of(desk: Desk, rule: str, choices: dict[str, Any]) -> list[Entry]:
    """Answers each question of a paragraph singly when it comes."""
    ask, first = whole(desk).open_ask(), len(whole(desk).entries)
    while ask is not None and ask.rule == rule:
        raw, source = desk.supply(ask, DICE)
        if ask.subject in choices and not isinstance(ask, Roll):
            raw, source = choices[ask.subject], HAND
        ask = desk.answer_on(ask, raw, source)
    return list(whole(desk).entries[first:])


def facts(entries: list[Entry]) -> list[Any]:
    """What was asked in which order, answered, and came of it."""
    told = ("ask", "answer", "from", "roll")
    return [([entry.payload.get(what) for what in told], entry.changes) for entry in entries]


def test_choices_with_dice_between_are_known_ahead_and_nothing_is_decided(desk: Desk) -> None:
    at(desk, "15.6131", "Recall")
    before, entries = whole(desk).campaign.clone(), len(whole(desk).entries)
    coming = desk.coming()
    assert len(coming.asks) == 11
    assert {ask.side for ask in coming.asks} == {Side.MARINE}
    assert coming.asks[0] is whole(desk).open_ask()
    assert not coming.doubtful
    assert (whole(desk).campaign, len(whole(desk).entries)) == (before, entries)


def test_what_only_some_dice_lead_to_is_marked(desk: Desk) -> None:
    at(desk, "15.605", "destination")
    coming = desk.coming()
    subjects = {ask.subject for ask in coming.asks}
    assert coming.doubtful < subjects, "who drowns is placed nowhere"
    assert coming.asks[0].subject not in coming.doubtful


@pytest.mark.parametrize(("rule", "about"), [("15.6131", "Recall"), ("15.605", "destination")])
def test_answers_given_beforehand_change_neither_order_nor_dice(
    desk: Desk, rule: str, about: str
) -> None:
    at(desk, rule, about)
    asks, start = desk.coming().asks, len(whole(desk).entries)
    given = {ask.subject: ask.allowed[0] for ask in asks[::2]}
    together = desk.answer_alike(asks, given)
    while together is not None and together.rule == rule:
        assert together.group != asks[0].group, "each question has its answer when it comes"
        together = desk.answer_on(together, *desk.supply(together, DICE))
    listed = list(whole(desk).entries[start:])
    assert len({entry.seq for entry in listed if entry.kind == "answer"}) > len(given)
    desk.go_back(start)
    singly = to_the_end_of(desk, rule, given)
    assert facts(listed) == facts(singly)


def test_each_is_undone_by_itself_and_then_asked_again_with_those_still_ready(desk: Desk) -> None:
    at(desk, "15.6131", "Recall")
    asks = desk.coming().asks
    last = asks[-1].subject
    ask = desk.answer_alike(asks, {asks[1].subject: {"recall": True}, last: {"recall": True}})
    while ask is not None and not whole(desk).campaign.vehicles[asks[1].subject].has("recalled"):
        ask = desk.answer_on(ask, *desk.supply(ask, DICE))
    while whole(desk).open_ask() is None or whole(desk).open_ask().group != asks[0].group:
        desk.undo()
    assert not whole(desk).campaign.vehicles[whole(desk).open_ask().subject].has("recalled")
    assert desk.early.of(desk.coming().asks) == {last: {"recall": True}}
    assert whole(desk).open_ask().subject not in desk.early.of(desk.coming().asks), "used once"


def test_what_was_given_beforehand_ends_with_its_paragraph(desk: Desk) -> None:
    at(desk, "15.605", "destination")
    asks = desk.coming().asks
    ask = desk.answer_alike(asks, {})
    assert desk.early.count(Side.MARINE) > 0
    assert desk.early.count(Side.JAPANESE) == 0
    while ask is not None and ask.rule == "15.605":
        ask = desk.answer_on(ask, *desk.supply(ask, DICE))
    assert desk.early.count(None) == 0


def test_what_the_disk_refuses_stands_ready_again(desk: Desk) -> None:
    at(desk, "15.6131", "Recall")
    ask = desk.answer_alike(desk.coming().asks, {})
    ready, write = desk.early.count(None), whole(desk).writer

    def full(*_: object) -> None:
        raise OSError("disk full")

    whole(desk).writer = full
    assert ask is not None
    with pytest.raises(OSError, match="disk full"):
        desk.answer_on(ask, *desk.supply(ask, DICE))
    assert desk.early.count(None) == ready
    whole(desk).writer = write


def test_entries_are_known_ahead_each_with_its_own_form(desk: Desk) -> None:
    first = at(desk, "15.601")
    second = desk.coming().asks[1]
    assert second.subject != first.subject
    assert isinstance(second, Enter)
    (lost, *_) = second.form.offered(None)
    with pytest.raises(Refused, match="is not there"):
        second.read({"eliminated": ["m-sq-1"]})
    ask = desk.answer_alike([first, second], {second.subject: lost.raw})
    assert ask is not None
    assert ask.about == "R-CVP-REFIT", "what losses score is settled first"
    desk.answer_on(ask, ask.default)
    (id,) = lost.raw["eliminated"]
    assert whole(desk).campaign.find(id).fate == "eliminated"


def test_a_melee_with_units_still_hidden_is_not_told_beside_the_others(desk: Desk) -> None:
    at(desk, "15.601")
    before = [ask.subject for ask in desk.coming().asks]
    assert len(before) == 3
    for piece in whole(desk).campaign.at(before[1]):
        if piece.side is Side.JAPANESE:
            asked = {"id": piece.id, "set": {"status": ["hidden"]}, "reason": "was not seen"}
            desk.command("edit", asked)
    at(desk, "15.601")
    assert [ask.subject for ask in desk.coming().asks] == [before[0], before[2]]
