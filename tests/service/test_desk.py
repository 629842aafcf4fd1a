"""The desk stores what one player does in one go as a whole, and tells what has been stored."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from brt_cg.imports.answers_file import FileAnswers
from brt_cg.journal.entries import Entry
from brt_cg.model.campaign import Campaign
from brt_cg.questions.answers import RefusedError
from brt_cg.questions.dice import SeededDice
from brt_cg.service.answer_supply import AnswerSupply, MissingAnswerError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.storage.place import Place
from tests.exports.journals import squad, state

WOUNDED = squad("m-ldr-1", "N18", status=["wounded"])
RULING = {"id": "R-VP", "value": "campaign"}


class Transactions:
    """Listens at the desk's file: the kinds of the entries of each transaction."""

    def __init__(self, desk: OpenCampaign) -> None:
        self.stored: list[list[str]] = []
        self.full = False
        self._write = unrestricted_campaign(desk).writer
        unrestricted_campaign(desk).writer = self

    def __call__(self, entries: Sequence[Entry], campaign: Campaign) -> None:
        if self.full:
            raise OSError("disk full")
        assert self._write is not None
        self._write(entries, campaign)
        self.stored.append([entry.kind for entry in entries])


@pytest.fixture
def desk(tmp_path: Path) -> OpenCampaign:
    """A campaign at the end of a scenario."""
    asked = {"cg": "III", "name": None, "players": None, "allotments": None}
    desk = OpenCampaign.create(tmp_path / "t.brt", asked)
    taken: dict[str, Any] = {"state": state(WOUNDED), "source": "t", "missing": None, "side": None}
    desk.run_command("import", taken)
    return desk


def reopened(desk: OpenCampaign) -> OpenCampaign:
    return OpenCampaign.open(desk.path)


def test_an_answer_and_the_paragraphs_that_follow_are_one_transaction(desk: OpenCampaign) -> None:
    kept = Transactions(desk)
    ask = desk.continue_play()
    assert ask is not None
    following = desk.answer_and_play(ask, ask.default)
    assert following is not None
    beginning, answered = kept.stored
    assert set(beginning) <= {"begin", "skip"}
    assert answered[0] == "answer"
    assert set(answered[1:]) <= {"begin", "skip"}
    again = reopened(desk)
    assert list(unrestricted_campaign(again).entries) == list(unrestricted_campaign(desk).entries)
    assert unrestricted_campaign(again).open_question() is not None
    assert (
        unrestricted_campaign(again).open_question().rule,
        unrestricted_campaign(again).open_question().subject,
    ) == (
        following.rule,
        following.subject,
    )


def test_a_run_of_dice_and_defaults_is_one_transaction(desk: OpenCampaign) -> None:
    kept = Transactions(desk)
    told = list(desk.play_with_supply(AnswerSupply(dice=SeededDice(1), defaults=True)))
    assert [entry.kind for entry in told] == kept.stored[0]
    assert len(kept.stored) == 1
    assert list(unrestricted_campaign(reopened(desk)).entries) == list(
        unrestricted_campaign(desk).entries
    )


def test_a_failure_at_the_end_of_a_run_leaves_nothing_of_it(desk: OpenCampaign) -> None:
    kept, before = Transactions(desk), list(unrestricted_campaign(desk).entries)
    kept.full = True
    with pytest.raises(OSError, match="disk full"):
        list(desk.play_with_supply(AnswerSupply(dice=SeededDice(1), defaults=True)))
    assert (
        list(unrestricted_campaign(desk).entries)
        == list(unrestricted_campaign(reopened(desk)).entries)
        == before
    )
    kept.full = False
    list(desk.play_with_supply(AnswerSupply(dice=SeededDice(1), defaults=True)))
    assert unrestricted_campaign(desk).campaign.situation.phase == "scenario"


def test_a_stopped_run_keeps_its_entries(desk: OpenCampaign) -> None:
    class Stopping(SeededDice):
        def roll(self, *_: object) -> tuple[int, ...]:
            raise KeyboardInterrupt

    told: list[Entry] = []
    with pytest.raises(KeyboardInterrupt):
        told.extend(desk.play_with_supply(AnswerSupply(dice=Stopping(1), defaults=True)))
    assert (
        len(unrestricted_campaign(reopened(desk)).entries)
        == len(unrestricted_campaign(desk).entries)
        > 2
    )
    assert unrestricted_campaign(reopened(desk)).open_question() is not None


def test_answers_that_players_gave_are_stored_one_by_one(desk: OpenCampaign) -> None:
    kept = Transactions(desk)
    for entry in desk.play_with_supply(AnswerSupply(FileAnswers(), SeededDice(1), defaults=True)):
        assert entry.seq <= 2 + sum(map(len, kept.stored))
    assert all(stored.count("answer") <= 1 for stored in kept.stored)
    assert len(kept.stored) > 2


def test_a_failure_between_two_answers_keeps_the_first(desk: OpenCampaign) -> None:
    kept, told = Transactions(desk), []

    def run() -> None:
        for entry in desk.play_with_supply(
            AnswerSupply(FileAnswers(), SeededDice(1), defaults=True)
        ):
            told.append(entry)
            kept.full = len(kept.stored) == 3

    with pytest.raises(OSError, match="disk full"):
        run()
    assert (
        [*unrestricted_campaign(desk).entries[2:]]
        == told
        == [*unrestricted_campaign(reopened(desk)).entries[2:]]
    )


def test_a_missing_answer_keeps_the_answers_before_it(desk: OpenCampaign) -> None:
    run = desk.play_with_supply(AnswerSupply(FileAnswers(), defaults=True))
    with pytest.raises(MissingAnswerError, match="m-ldr-1"):
        list(run)
    again = reopened(desk)
    assert list(unrestricted_campaign(again).entries) == list(unrestricted_campaign(desk).entries)
    assert unrestricted_campaign(again).open_question() is not None
    assert unrestricted_campaign(again).open_question().subject == "m-ldr-1"


def test_a_refused_answer_starts_no_paragraph(desk: OpenCampaign) -> None:
    before = len(unrestricted_campaign(desk).entries)
    with pytest.raises(RefusedError, match=r"15\.603"):
        desk.answer_typed("perhaps")
    assert (
        len(unrestricted_campaign(desk).entries)
        == len(unrestricted_campaign(reopened(desk)).entries)
        == before
    )
    assert unrestricted_campaign(desk).campaign == unrestricted_campaign(reopened(desk)).campaign
    assert desk.answer_typed("no") is not None


def test_several_rulings_are_set_together_or_not_at_all(desk: OpenCampaign) -> None:
    before = len(unrestricted_campaign(desk).entries)
    with pytest.raises(RefusedError, match="R-NONE"):
        desk.run_commands("ruling", [RULING, {"id": "R-NONE", "value": "x"}])
    assert (
        len(unrestricted_campaign(desk).entries)
        == len(unrestricted_campaign(reopened(desk)).entries)
        == before
    )
    kept = Transactions(desk)
    desk.run_commands(
        "ruling",
        [RULING, RULING | {"value": unrestricted_campaign(desk).card.rulings["R-VP"].default}],
    )
    assert kept.stored == [["ruling", "ruling"]]


def test_an_edit_at_a_first_question_is_stored_with_the_start_it_undoes(desk: OpenCampaign) -> None:
    desk.continue_play()
    kept = Transactions(desk)
    edit = {"id": "m-ldr-1", "set": {"status": []}, "reason": "was not wounded"}
    kept.full = True
    with pytest.raises(OSError, match="disk full"):
        desk.run_command("edit", edit)
    assert list(unrestricted_campaign(desk).entries) == list(
        unrestricted_campaign(reopened(desk)).entries
    )
    kept.full = False
    desk.run_command("edit", edit)
    assert kept.stored == [["undo", "edit", "begin"]]
    assert list(unrestricted_campaign(desk).entries) == list(
        unrestricted_campaign(reopened(desk)).entries
    )


def test_entries_added_by_others_are_read_and_removals_reload_the_journal(
    place: Place,
) -> None:
    mine = OpenCampaign.create(place, {"cg": "III"})
    theirs = OpenCampaign.open(place)
    journal, words = unrestricted_campaign(mine), {"words": "x", "side": None, "about": None}
    for _ in range(3):
        theirs.run_command("note", words)
    mine.reload()
    assert unrestricted_campaign(mine) is journal
    assert [*unrestricted_campaign(mine).entries] == [*unrestricted_campaign(theirs).entries]
    mine.run_command("note", words)
    theirs.reload()
    theirs.undo_or_request()
    mine.reload()
    assert unrestricted_campaign(mine) is journal
    assert (unrestricted_campaign(mine).standing, unrestricted_campaign(mine).redoable) == (
        unrestricted_campaign(theirs).standing,
        unrestricted_campaign(theirs).redoable,
    )
    assert unrestricted_campaign(mine).campaign == unrestricted_campaign(theirs).campaign
    mine.reload()
    assert unrestricted_campaign(mine) is not journal
    assert [*unrestricted_campaign(mine).entries] == [*unrestricted_campaign(theirs).entries]
    mine.close()
    theirs.close()


def test_a_replaced_journal_is_reloaded(tmp_path: Path) -> None:
    path, other = tmp_path / "a.brt", tmp_path / "b.brt"
    mine = OpenCampaign.create(path, {"cg": "III"})
    mine.close()
    theirs = OpenCampaign.create(other, {"cg": "I"})
    theirs.run_command("note", {"words": "x", "side": None, "about": None})
    theirs.close()
    shutil.copy(other, path)
    mine.reload()
    assert unrestricted_campaign(mine).campaign.situation.cg == "I"
    assert [*unrestricted_campaign(mine).entries] == [*unrestricted_campaign(theirs).entries]
    mine.close()
