"""The desk stores what one player does in one go as a whole, and tells what has been stored."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from brt_cg.imports.answers_file import Answers
from brt_cg.journal.entries import Entry
from brt_cg.model.campaign import Campaign
from brt_cg.questions.answers import Refused
from brt_cg.questions.dice import SeededDice
from brt_cg.service.desk import Desk
from brt_cg.service.supply import Missing, Supply
from brt_cg.service.whole import whole
from brt_cg.storage.place import Place
from tests.exports.journals import squad, state

WOUNDED = squad("m-ldr-1", "N18", status=["wounded"])
RULING = {"id": "R-VP", "value": "campaign"}


class Transactions:
    """Listens at the desk's file: the kinds of the entries of each transaction."""

    def __init__(self, desk: Desk) -> None:
        self.stored: list[list[str]] = []
        self.full = False
        self._write = whole(desk).writer
        whole(desk).writer = self

    def __call__(self, entries: Sequence[Entry], campaign: Campaign) -> None:
        if self.full:
            raise OSError("disk full")
        assert self._write is not None
        self._write(entries, campaign)
        self.stored.append([entry.kind for entry in entries])


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A campaign at the end of a scenario."""
    asked = {"cg": "III", "name": None, "players": None, "allotments": None}
    desk = Desk.create(tmp_path / "t.brt", asked)
    taken: dict[str, Any] = {"state": state(WOUNDED), "source": "t", "missing": None, "side": None}
    desk.command("import", taken)
    return desk


def reopened(desk: Desk) -> Desk:
    return Desk.open(desk.path)


def test_an_answer_and_the_paragraphs_that_follow_are_one_transaction(desk: Desk) -> None:
    kept = Transactions(desk)
    ask = desk.begin()
    assert ask is not None
    following = desk.answer_on(ask, ask.default)
    assert following is not None
    beginning, answered = kept.stored
    assert set(beginning) <= {"begin", "skip"}
    assert answered[0] == "answer"
    assert set(answered[1:]) <= {"begin", "skip"}
    again = reopened(desk)
    assert list(whole(again).entries) == list(whole(desk).entries)
    assert whole(again).open_ask() is not None
    assert (whole(again).open_ask().rule, whole(again).open_ask().subject) == (
        following.rule,
        following.subject,
    )


def test_a_run_of_dice_and_defaults_is_one_transaction(desk: Desk) -> None:
    kept = Transactions(desk)
    told = list(desk.play(Supply(dice=SeededDice(1), defaults=True)))
    assert [entry.kind for entry in told] == kept.stored[0]
    assert len(kept.stored) == 1
    assert list(whole(reopened(desk)).entries) == list(whole(desk).entries)


def test_a_fault_at_its_end_leaves_nothing_of_it(desk: Desk) -> None:
    kept, before = Transactions(desk), list(whole(desk).entries)
    kept.full = True
    with pytest.raises(OSError, match="disk full"):
        list(desk.play(Supply(dice=SeededDice(1), defaults=True)))
    assert list(whole(desk).entries) == list(whole(reopened(desk)).entries) == before
    kept.full = False
    list(desk.play(Supply(dice=SeededDice(1), defaults=True)))
    assert whole(desk).campaign.situation.phase == "scenario"


def test_a_run_that_is_stopped_keeps_what_was_played(desk: Desk) -> None:
    class Stopping(SeededDice):
        def roll(self, *_: object) -> tuple[int, ...]:
            raise KeyboardInterrupt

    told: list[Entry] = []
    with pytest.raises(KeyboardInterrupt):
        told.extend(desk.play(Supply(dice=Stopping(1), defaults=True)))
    assert len(whole(reopened(desk)).entries) == len(whole(desk).entries) > 2
    assert whole(reopened(desk)).open_ask() is not None


def test_answers_that_players_gave_are_stored_one_by_one(desk: Desk) -> None:
    kept = Transactions(desk)
    for entry in desk.play(Supply(Answers(), SeededDice(1), defaults=True)):
        assert entry.seq <= 2 + sum(map(len, kept.stored))
    assert all(stored.count("answer") <= 1 for stored in kept.stored)
    assert len(kept.stored) > 2


def test_a_fault_between_two_of_them_leaves_what_was_told(desk: Desk) -> None:
    kept, told = Transactions(desk), []

    def run() -> None:
        for entry in desk.play(Supply(Answers(), SeededDice(1), defaults=True)):
            told.append(entry)
            kept.full = len(kept.stored) == 3

    with pytest.raises(OSError, match="disk full"):
        run()
    assert [*whole(desk).entries[2:]] == told == [*whole(reopened(desk)).entries[2:]]


def test_an_answer_that_is_missing_leaves_what_was_answered_before(desk: Desk) -> None:
    run = desk.play(Supply(Answers(), defaults=True))
    with pytest.raises(Missing, match="m-ldr-1"):
        list(run)
    again = reopened(desk)
    assert list(whole(again).entries) == list(whole(desk).entries)
    assert whole(again).open_ask() is not None
    assert whole(again).open_ask().subject == "m-ldr-1"


def test_a_refused_answer_begins_nothing(desk: Desk) -> None:
    before = len(whole(desk).entries)
    with pytest.raises(Refused, match=r"15\.603"):
        desk.answer_typed("perhaps")
    assert len(whole(desk).entries) == len(whole(reopened(desk)).entries) == before
    assert whole(desk).campaign == whole(reopened(desk)).campaign
    assert desk.answer_typed("no") is not None


def test_several_rulings_are_set_together_or_not_at_all(desk: Desk) -> None:
    before = len(whole(desk).entries)
    with pytest.raises(Refused, match="R-NONE"):
        desk.commands("ruling", [RULING, {"id": "R-NONE", "value": "x"}])
    assert len(whole(desk).entries) == len(whole(reopened(desk)).entries) == before
    kept = Transactions(desk)
    desk.commands("ruling", [RULING, RULING | {"value": whole(desk).card.rulings["R-VP"].default}])
    assert kept.stored == [["ruling", "ruling"]]


def test_an_edit_at_a_first_question_is_stored_with_what_it_takes_back(desk: Desk) -> None:
    desk.begin()
    kept = Transactions(desk)
    edit = {"id": "m-ldr-1", "set": {"status": []}, "reason": "was not wounded"}
    kept.full = True
    with pytest.raises(OSError, match="disk full"):
        desk.command("edit", edit)
    assert list(whole(desk).entries) == list(whole(reopened(desk)).entries)
    kept.full = False
    desk.command("edit", edit)
    assert kept.stored == [["undo", "edit"]]
    assert list(whole(desk).entries) == list(whole(reopened(desk)).entries)


def test_what_others_added_is_read_on_and_what_they_took_away_is_read_anew(
    place: Place,
) -> None:
    mine = Desk.create(place, {"cg": "III"})
    theirs = Desk.open(place)
    journal, words = whole(mine), {"words": "x", "side": None, "about": None}
    for _ in range(3):
        theirs.command("note", words)
    mine.reload()
    assert whole(mine) is journal
    assert [*whole(mine).entries] == [*whole(theirs).entries]
    mine.command("note", words)
    theirs.reload()
    theirs.undo()
    mine.reload()
    assert whole(mine) is journal
    assert (whole(mine).standing, whole(mine).redoable) == (
        whole(theirs).standing,
        whole(theirs).redoable,
    )
    assert whole(mine).campaign == whole(theirs).campaign
    mine.reload()
    assert whole(mine) is not journal
    assert [*whole(mine).entries] == [*whole(theirs).entries]
    mine.close()
    theirs.close()


def test_a_journal_that_is_another_one_is_read_anew(tmp_path: Path) -> None:
    path, other = tmp_path / "a.brt", tmp_path / "b.brt"
    mine = Desk.create(path, {"cg": "III"})
    mine.close()
    theirs = Desk.create(other, {"cg": "I"})
    theirs.command("note", {"words": "x", "side": None, "about": None})
    theirs.close()
    shutil.copy(other, path)
    mine.reload()
    assert whole(mine).campaign.situation.cg == "I"
    assert [*whole(mine).entries] == [*whole(theirs).entries]
    mine.close()
