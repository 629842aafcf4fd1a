"""Who may enter what: a side its own, the umpire everything; what concerns both is agreed to."""

from pathlib import Path
from typing import Any

import pytest

from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat
from brt_cg.questions.answers import RefusedError
from brt_cg.questions.dice import SeededDice
from brt_cg.questions.question_types import Question
from brt_cg.service import demo
from brt_cg.service.agreements import (
    agree_and_carry_out_request,
    decline_request,
    request_problem,
    withdraw_request,
)
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.undo_redo import undo_text
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.views.requests import open_requests
from brt_cg.views.rights import COMMANDS, NotYourTurnError, Right, right_to
from brt_cg.views.view import create_view

MARINE, JAPANESE, UMPIRE = Seat.MARINE, Seat.JAPANESE, Seat.UMPIRE
OWN, AGREED, NONE = Right.OWN, Right.AGREED, Right.NONE


@pytest.fixture
def desk(tmp_path: Path) -> OpenCampaign:
    return OpenCampaign.open(demo.create_demo(tmp_path))


def first(desk: OpenCampaign, side: str, hidden: bool = False) -> str:
    """A unit in play that its side does, or does not, hide."""
    campaign = unrestricted_campaign(desk).campaign
    units = (unit for unit in campaign.units.values() if unit.side == side and unit.in_play)
    return next(unit.id for unit in units if (campaign.side_hiding(unit) is not None) is hidden)


def correction(id: str, **values: Any) -> dict[str, Any]:
    return {"id": id, "set": values or {"name": "Able"}, "reason": "misread"}


@pytest.mark.parametrize(
    ("kind", "asked", "right"),
    [
        ("import", {"side": "marine"}, OWN),
        ("import", {"side": "japanese"}, NONE),
        ("import", {"side": None}, AGREED),
        ("reinforce", {"state": {"units": [{"side": "marine"}]}}, OWN),
        ("reinforce", {"state": {"units": [{"side": "japanese"}]}}, NONE),
        ("reinforce", {"state": {"units": [{"side": "japanese"}, {"side": "marine"}]}}, AGREED),
        ("buy", {"side": "marine"}, OWN),
        ("buy", {"side": "japanese"}, NONE),
        ("commit", {"side": "japanese"}, NONE),
        ("discard", {"side": "marine"}, OWN),
        ("void", {"purchase": "pj1"}, NONE),
        ("allot", {"side": "marine"}, OWN),
        ("allot", {"side": "japanese"}, NONE),
        ("note", {"side": None}, OWN),
        ("note", {"side": "japanese"}, NONE),
        ("ruling", {"id": "R-SAN"}, AGREED),
        ("edit", {"id": "marine"}, AGREED),
        ("edit", {"id": "campaign"}, AGREED),
        ("aid", {}, OWN),
        ("restore", {}, OWN),
    ],
)
def test_each_side_may_enter_only_its_own_commands(
    desk: OpenCampaign, kind: str, asked: dict[str, Any], right: Right
) -> None:
    assert right_to(unrestricted_campaign(desk), MARINE, kind, asked) is right
    for seat in (UMPIRE, None):
        assert right_to(unrestricted_campaign(desk), seat, kind, asked) is OWN


def test_every_command_is_in_the_table_of_rights() -> None:
    from brt_cg.commands.registry import COMMANDS as KINDS

    assert {*KINDS} - {"new"} == {*COMMANDS}


def test_a_side_corrects_its_own_secret_alone_and_never_the_enemys(desk: OpenCampaign) -> None:
    hidden, seen = first(desk, "japanese", hidden=True), first(desk, "japanese")
    rights = {
        (seat, id): right_to(unrestricted_campaign(desk), seat, "edit", {"id": id})
        for seat in (MARINE, JAPANESE)
        for id in (hidden, seen)
    }
    assert rights == {
        (MARINE, hidden): NONE,
        (MARINE, seen): AGREED,
        (JAPANESE, hidden): OWN,
        (JAPANESE, seen): AGREED,
    }


def test_rulings_are_free_before_the_first_scenario(tmp_path: Path) -> None:
    new = OpenCampaign.create(tmp_path / "new.brt", {"cg": "III", "name": None, "allotments": None})
    assert right_to(unrestricted_campaign(new), MARINE, "ruling", {"id": "R-SAN"}) is OWN


def test_a_correction_is_made_once_the_opponent_agrees(
    desk: OpenCampaign,
) -> None:
    id = first(desk, "marine")
    desk.set_seat(MARINE)
    desk.run_command("edit", correction(id))
    assert unrestricted_campaign(desk).campaign.units[id].name != "Able"
    [request] = open_requests(unrestricted_campaign(desk))
    assert (request.number, request.side, request.kind) == (1, "marine", "edit")
    with pytest.raises(RefusedError, match="only the Japanese player or the umpire may agree"):
        agree_and_carry_out_request(desk)
    desk.set_seat(JAPANESE)
    agree_and_carry_out_request(desk)
    assert unrestricted_campaign(desk).campaign.units[id].name == "Able"
    assert open_requests(unrestricted_campaign(desk)) == []
    assert unrestricted_campaign(desk).entries[-1].payload["by"] == "marine"
    assert unrestricted_campaign(desk).entries[-1].seat is JAPANESE


def test_the_umpire_agrees_for_either_side(desk: OpenCampaign) -> None:
    desk.set_seat(JAPANESE)
    desk.run_command(
        "ruling",
        {"id": "R-SAN", "value": unrestricted_campaign(desk).campaign.ruling_value("R-SAN")},
    )
    desk.set_seat(UMPIRE)
    agree_and_carry_out_request(desk, 1)
    assert unrestricted_campaign(desk).campaign.is_ruling_agreed("R-SAN")


def test_an_impossible_change_cannot_be_requested(desk: OpenCampaign) -> None:
    before = len(unrestricted_campaign(desk).entries)
    desk.set_seat(MARINE)
    with pytest.raises(RefusedError, match="m-sq-999 is not in the campaign"):
        desk.run_command("edit", correction("m-sq-999"))
    with pytest.raises(RefusedError, match="unknown field"):
        desk.run_command("edit", correction(first(desk, "marine"), colour="green"))
    assert len(unrestricted_campaign(desk).entries) == before


def test_an_enemy_secret_is_refused_like_a_missing_counter(desk: OpenCampaign) -> None:
    desk.set_seat(MARINE)
    with pytest.raises(RefusedError) as hidden:
        desk.run_command("edit", correction(hides := first(desk, "japanese", hidden=True)))
    with pytest.raises(RefusedError) as invented:
        desk.run_command("edit", correction("x7"))
    assert str(hidden.value).replace(hides, "x7") == str(invented.value)


def test_a_request_is_declined_or_withdrawn(desk: OpenCampaign) -> None:
    id = first(desk, "marine")
    desk.set_seat(MARINE)
    desk.run_command("edit", correction(id))
    desk.run_command("edit", correction(id, name="Baker"))
    assert [request.number for request in open_requests(unrestricted_campaign(desk))] == [1, 2]
    with pytest.raises(RefusedError, match="enter 1, 2"):
        withdraw_request(desk)
    withdraw_request(desk, 1)
    desk.set_seat(JAPANESE)
    with pytest.raises(RefusedError, match="only the Marine player or the umpire may withdraw"):
        withdraw_request(desk, 2)
    decline_request(desk, 2)
    assert open_requests(unrestricted_campaign(desk)) == []
    with pytest.raises(RefusedError, match="no request 2 is open"):
        agree_and_carry_out_request(desk, 2)


def test_a_request_is_asked_again_after_a_change(desk: OpenCampaign) -> None:
    id = first(desk, "marine")
    desk.set_seat(MARINE)
    desk.run_command("edit", correction(id))
    desk.set_seat(UMPIRE)
    desk.run_command("edit", correction(id, name="Charlie"))
    desk.set_seat(JAPANESE)
    with pytest.raises(RefusedError, match="ask again"):
        agree_and_carry_out_request(desk)
    assert unrestricted_campaign(desk).campaign.units[id].name == "Charlie"


def test_a_request_changes_nothing_and_undo_skips_it(desk: OpenCampaign) -> None:
    desk.set_seat(UMPIRE)
    desk.run_command("note", {"words": "a day", "side": None, "about": None})
    standing, before = (
        {*unrestricted_campaign(desk).standing},
        unrestricted_campaign(desk).campaign.clone(),
    )
    desk.set_seat(MARINE)
    desk.run_command("edit", correction("marine", san=5))
    assert (unrestricted_campaign(desk).standing, unrestricted_campaign(desk).campaign) == (
        standing,
        before,
    )
    desk.set_seat(UMPIRE)
    undone = desk.undo_or_request()
    assert undone.asked["entries"] == [max(standing)]
    assert len(open_requests(unrestricted_campaign(desk))) == 1


def test_a_side_undoes_its_own_entries_and_requests_undo_of_others(desk: OpenCampaign) -> None:
    desk.set_seat(JAPANESE)
    desk.run_command("note", {"words": "ours", "side": None, "about": None}, "japanese")
    desk.set_seat(MARINE)
    desk.undo_or_request()
    [request] = open_requests(unrestricted_campaign(desk))
    assert request.kind == "undo"
    desk.set_seat(JAPANESE)
    agree_and_carry_out_request(desk)
    assert unrestricted_campaign(desk).entries[-1].kind == "undo"
    desk.set_seat(MARINE)
    desk.run_command("note", {"words": "mine", "side": None, "about": None}, "marine")
    desk.undo_or_request()
    assert unrestricted_campaign(desk).entries[-1].kind == "undo"
    assert open_requests(unrestricted_campaign(desk)) == []


def test_an_enemy_secret_cannot_be_undone(desk: OpenCampaign) -> None:
    desk.set_seat(JAPANESE)
    secret = desk.run_command(
        "note", {"words": "ours", "side": "japanese", "about": None}, "japanese"
    )
    desk.set_seat(MARINE)
    assert desk.undo_or_request().asked["entries"][0] == 2
    assert secret.seq in unrestricted_campaign(desk).standing


def test_going_back_needs_a_request(desk: OpenCampaign) -> None:
    desk.set_seat(UMPIRE)
    desk.run_command("note", {"words": "a day", "side": None, "about": None})
    desk.set_seat(MARINE)
    desk.go_back_or_request(2)
    desk.set_seat(JAPANESE)
    agree_and_carry_out_request(desk)
    assert unrestricted_campaign(desk).entries[-1].kind == "undo"


@pytest.mark.parametrize("seed", ["rights", "more"])
def test_a_side_answers_its_own_and_public_questions_and_any_dice(
    desk: OpenCampaign, seed: str
) -> None:
    """Each question of a whole Refit Phase, from both seats: whoever may not answer it is told so,
    whoever may is told that no such answer is allowed."""
    met = set()
    dice = SeededDice(seed)
    desk.set_seat(UMPIRE)
    ask = desk.continue_play()
    while ask is not None:
        for seat in (MARINE, JAPANESE):
            desk.set_seat(seat)
            with pytest.raises(RefusedError) as refused:
                desk.answer("no such answer, whatever is asked")
            case, may = case_of(ask, seat)
            assert isinstance(refused.value, NotYourTurnError) is not may, (seat, ask)
            met.add((case, may))
        desk.set_seat(UMPIRE)
        ask = desk.answer_and_play(
            ask, *desk.get_answer_from_supply(ask, AnswerSupply(dice=dice, defaults=True))
        )
    assert met == {
        ("its own", True),
        ("the enemy's secret", False),
        ("the enemy's dice", True),
        ("what concerns both", True),
        ("the enemy's decision", False),
    }


def case_of(ask: Question[Any], seat: Seat) -> tuple[str, bool]:
    """What a question is to a seat, and whether that may answer it."""
    if ask.side.value == seat.value:
        return "its own", True
    if ask.secret is not None:
        return "the enemy's secret", False
    if ask.kind == "roll":
        return "the enemy's dice", True
    if ask.public and ask.subject not in ("marine", "japanese"):
        return "what concerns both", True
    return "the enemy's decision", False


# --- in the middle of a paragraph -----------------------------------------------------------------


DICE = SeededDice("middle")


def in_the_middle(desk: OpenCampaign, rule: str = "15.602") -> None:
    """Plays on until a paragraph has been answered in part, by the umpire."""
    desk.set_seat(UMPIRE)
    supply = AnswerSupply(dice=DICE, defaults=True)
    ask = desk.continue_play()
    while ask is not None and ask.rule != rule:
        ask = desk.answer_and_play(ask, *desk.get_answer_from_supply(ask, supply))
    assert ask is not None
    desk.answer_and_play(ask, *desk.get_answer_from_supply(ask, supply))


def test_a_correction_requested_at_any_time_is_made_after_the_paragraph(
    desk: OpenCampaign,
) -> None:
    in_the_middle(desk, "15.6112")
    ask, before = (
        unrestricted_campaign(desk).open_question(),
        unrestricted_campaign(desk).campaign.clone(),
    )
    desk.set_seat(MARINE)
    desk.run_command("edit", correction("marine", san=5))
    [request] = open_requests(unrestricted_campaign(desk))
    assert request.tells == ("the Marine totals: SAN 3 → 5, SAN announced 3 → 5 (misread)",)
    assert (unrestricted_campaign(desk).open_question(), unrestricted_campaign(desk).campaign) == (
        ask,
        before,
    )
    desk.set_seat(JAPANESE)
    with pytest.raises(RefusedError, match=r"not possible in the middle of 15\.6112; finish"):
        agree_and_carry_out_request(desk)
    assert request_problem(desk, request).startswith("edit is not possible")
    assert open_requests(unrestricted_campaign(desk)) == [request]
    desk.set_seat(UMPIRE)
    while unrestricted_campaign(desk).campaign.situation.paragraph == "15.6112":
        assert unrestricted_campaign(desk).open_question() is not None
        desk.answer_and_play(
            unrestricted_campaign(desk).open_question(),
            *desk.get_answer_from_supply(
                unrestricted_campaign(desk).open_question(), AnswerSupply(defaults=True, dice=DICE)
            ),
        )
    desk.set_seat(JAPANESE)
    agree_and_carry_out_request(desk)
    assert unrestricted_campaign(desk).campaign.sides[Side.MARINE].san == 5


def test_agreeing_does_not_reveal_progress_of_the_enemys_secret_decisions(
    desk: OpenCampaign,
) -> None:
    desk.set_seat(MARINE)
    desk.run_command("edit", correction("marine", san=5))
    desk.set_seat(JAPANESE)
    desk.run_command("edit", correction("japanese", san=5))
    in_the_middle(desk)  # the Japanese side decides in secret
    desk.set_seat(MARINE)
    with pytest.raises(RefusedError) as refused:
        agree_and_carry_out_request(desk, 2)
    assert "secret decision" in str(refused.value)
    assert "15.602" not in str(refused.value)
    desk.set_seat(JAPANESE)
    decline_request(desk, 1, "not now")
    assert [request.number for request in open_requests(unrestricted_campaign(desk))] == [2]


def test_undoing_an_answer_can_be_requested_mid_paragraph(desk: OpenCampaign) -> None:
    in_the_middle(desk, "15.6112")
    desk.set_seat(JAPANESE)
    desk.undo_or_request()
    [request] = open_requests(unrestricted_campaign(desk))
    assert request.tells[0].startswith("undone: ")
    desk.set_seat(UMPIRE)
    assert agree_and_carry_out_request(desk).kind == "undo"


def test_entries_unknown_to_the_opponent_are_undone_without_a_request(desk: OpenCampaign) -> None:
    in_the_middle(desk)  # the umpire has answered for the Japanese side, in secret
    desk.set_seat(JAPANESE)
    assert desk.undo_or_request().kind == "undo"


# --- what a request rests on ----------------------------------------------------------------------


def test_a_secret_of_the_other_side_does_not_make_a_request_void(desk: OpenCampaign) -> None:
    """Else who asks, or who agrees, would learn of it."""
    desk.set_seat(MARINE)
    desk.run_command(
        "ruling",
        {"id": "R-SAN", "value": unrestricted_campaign(desk).campaign.ruling_value("R-SAN")},
    )
    desk.set_seat(JAPANESE)
    desk.run_command("note", {"words": "ours", "side": "japanese", "about": None}, "japanese")
    agree_and_carry_out_request(desk)
    assert unrestricted_campaign(desk).campaign.is_ruling_agreed("R-SAN")


def test_a_request_to_go_back_undoes_no_more_than_was_asked(desk: OpenCampaign) -> None:
    desk.set_seat(JAPANESE)
    desk.run_command("note", {"words": "one", "side": None, "about": None}, "japanese")
    desk.set_seat(MARINE)
    desk.go_back_or_request(2)
    desk.run_command("note", {"words": "two", "side": None, "about": None}, "marine")
    desk.set_seat(JAPANESE)
    with pytest.raises(RefusedError, match="ask again"):
        agree_and_carry_out_request(desk)


def test_no_request_to_go_back_without_later_entries(desk: OpenCampaign) -> None:
    desk.set_seat(MARINE)
    with pytest.raises(RefusedError, match="nothing was answered or entered after that"):
        desk.go_back_or_request(len(unrestricted_campaign(desk).entries))


def test_both_sides_and_the_journal_know_of_a_request(desk: OpenCampaign) -> None:
    desk.set_seat(MARINE)
    desk.run_command("edit", correction(first(desk, "marine")))
    for side in (MARINE.side, JAPANESE.side, None):
        assert len(create_view(unrestricted_campaign(desk), side).requests) == 1


def test_the_requester_sees_that_nothing_is_done_yet(desk: OpenCampaign) -> None:
    desk.set_seat(MARINE)
    desk.run_command("edit", correction("marine", san=5))
    asked = "the Marine player asks the Japanese player: correct marine (san=5): misread"
    assert desk.notices == [f"{asked}; it is done when your opponent agrees"]


def test_a_requested_undo_is_shown_as_such(desk: OpenCampaign) -> None:
    desk.set_seat(JAPANESE)
    desk.run_command("note", {"words": "ours", "side": None, "about": None}, "japanese")
    desk.set_seat(MARINE)
    told = undo_text(desk, desk.undo_or_request())
    assert told == "the Marine player asks the Japanese player: undo the last entry (Note)"


def test_the_same_request_made_twice_is_one_request(desk: OpenCampaign) -> None:
    """63 identical ones were stored."""
    desk.set_seat(MARINE)
    asked = correction(first(desk, "japanese"))
    desk.run_command("edit", asked)
    for _ in range(3):
        with pytest.raises(RefusedError, match="already asked your opponent for this: request 1"):
            desk.run_command("edit", asked)
    desk.run_command("edit", correction(first(desk, "japanese"), name="Baker"))
    assert len(open_requests(unrestricted_campaign(desk))) == 2
