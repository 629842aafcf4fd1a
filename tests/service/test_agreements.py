"""Who may enter what: a side its own, the umpire everything; what concerns both is agreed to."""

from pathlib import Path
from typing import Any

import pytest

from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat
from brt_cg.questions.answers import Refused
from brt_cg.questions.asks import Ask
from brt_cg.questions.dice import SeededDice
from brt_cg.service import demo
from brt_cg.service.agreements import agree, decline, problem_with, withdraw
from brt_cg.service.desk import Desk
from brt_cg.service.supply import Supply
from brt_cg.service.time_travel import travel_text
from brt_cg.service.whole import whole
from brt_cg.views.book import book_of
from brt_cg.views.requests import open_requests
from brt_cg.views.rights import COMMANDS, NotYourTurn, Right, right_to

MARINE, JAPANESE, UMPIRE = Seat.MARINE, Seat.JAPANESE, Seat.UMPIRE
OWN, AGREED, NONE = Right.OWN, Right.AGREED, Right.NONE


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk.open(demo.lay_out(tmp_path))


def first(desk: Desk, side: str, hidden: bool = False) -> str:
    """A unit in play that its side does, or does not, hide."""
    campaign = whole(desk).campaign
    units = (unit for unit in campaign.units.values() if unit.side == side and unit.in_play)
    return next(unit.id for unit in units if (campaign.hidden_by(unit) is not None) is hidden)


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
def test_what_a_side_may_enter(desk: Desk, kind: str, asked: dict[str, Any], right: Right) -> None:
    assert right_to(whole(desk), MARINE, kind, asked) is right
    for seat in (UMPIRE, None):
        assert right_to(whole(desk), seat, kind, asked) is OWN


def test_every_command_stands_in_the_table() -> None:
    from brt_cg.commands.registry import COMMANDS as KINDS

    assert {*KINDS} - {"new"} == {*COMMANDS}


def test_a_side_corrects_its_own_secret_alone_and_never_the_enemys(desk: Desk) -> None:
    hidden, seen = first(desk, "japanese", hidden=True), first(desk, "japanese")
    rights = {
        (seat, id): right_to(whole(desk), seat, "edit", {"id": id})
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
    new = Desk.create(tmp_path / "new.brt", {"cg": "III", "name": None, "allotments": None})
    assert right_to(whole(new), MARINE, "ruling", {"id": "R-SAN"}) is OWN


def test_a_correction_of_a_side_waits_for_the_other_one_and_is_then_made(desk: Desk) -> None:
    id = first(desk, "marine")
    desk.sit(MARINE)
    desk.command("edit", correction(id))
    assert whole(desk).campaign.units[id].name != "Able"
    [request] = open_requests(whole(desk))
    assert (request.number, request.side, request.kind) == (1, "marine", "edit")
    with pytest.raises(Refused, match="the Japanese side may agree"):
        agree(desk)
    desk.sit(JAPANESE)
    agree(desk)
    assert whole(desk).campaign.units[id].name == "Able"
    assert open_requests(whole(desk)) == []
    assert whole(desk).entries[-1].payload["by"] == "marine"
    assert whole(desk).entries[-1].seat is JAPANESE


def test_the_umpire_agrees_for_either_side(desk: Desk) -> None:
    desk.sit(JAPANESE)
    desk.command("ruling", {"id": "R-SAN", "value": whole(desk).campaign.ruling("R-SAN")})
    desk.sit(UMPIRE)
    agree(desk, 1)
    assert whole(desk).campaign.is_agreed("R-SAN")


def test_what_could_not_be_done_is_not_asked_for(desk: Desk) -> None:
    before = len(whole(desk).entries)
    desk.sit(MARINE)
    with pytest.raises(Refused, match="m-sq-999 is not in the campaign"):
        desk.command("edit", correction("m-sq-999"))
    with pytest.raises(Refused, match="unknown field"):
        desk.command("edit", correction(first(desk, "marine"), colour="green"))
    assert len(whole(desk).entries) == before


def test_the_enemys_secret_is_refused_as_what_is_not_there(desk: Desk) -> None:
    desk.sit(MARINE)
    with pytest.raises(Refused) as hidden:
        desk.command("edit", correction(hides := first(desk, "japanese", hidden=True)))
    with pytest.raises(Refused) as invented:
        desk.command("edit", correction("x7"))
    assert str(hidden.value).replace(hides, "x7") == str(invented.value)


def test_a_request_is_declined_or_withdrawn(desk: Desk) -> None:
    id = first(desk, "marine")
    desk.sit(MARINE)
    desk.command("edit", correction(id))
    desk.command("edit", correction(id, name="Baker"))
    assert [request.number for request in open_requests(whole(desk))] == [1, 2]
    with pytest.raises(Refused, match="allowed: 1, 2"):
        withdraw(desk)
    withdraw(desk, 1)
    desk.sit(JAPANESE)
    with pytest.raises(Refused, match="the Marine side may withdraw"):
        withdraw(desk, 2)
    decline(desk, 2)
    assert open_requests(whole(desk)) == []
    with pytest.raises(Refused, match="no request 2 is open"):
        agree(desk, 2)


def test_what_has_changed_since_is_asked_again(desk: Desk) -> None:
    id = first(desk, "marine")
    desk.sit(MARINE)
    desk.command("edit", correction(id))
    desk.sit(UMPIRE)
    desk.command("edit", correction(id, name="Charlie"))
    desk.sit(JAPANESE)
    with pytest.raises(Refused, match="ask again"):
        agree(desk)
    assert whole(desk).campaign.units[id].name == "Charlie"


def test_a_request_changes_nothing_and_undo_passes_over_it(desk: Desk) -> None:
    desk.sit(UMPIRE)
    desk.command("note", {"words": "a day", "side": None, "about": None})
    standing, before = {*whole(desk).standing}, whole(desk).campaign.clone()
    desk.sit(MARINE)
    desk.command("edit", correction("marine", san=5))
    assert (whole(desk).standing, whole(desk).campaign) == (standing, before)
    desk.sit(UMPIRE)
    undone = desk.undo()
    assert undone.asked["entries"] == [max(standing)]
    assert len(open_requests(whole(desk))) == 1


def test_a_side_takes_back_its_own_and_asks_for_the_other_sides(desk: Desk) -> None:
    desk.sit(JAPANESE)
    desk.command("note", {"words": "ours", "side": None, "about": None}, "japanese")
    desk.sit(MARINE)
    desk.undo()
    [request] = open_requests(whole(desk))
    assert request.kind == "undo"
    desk.sit(JAPANESE)
    agree(desk)
    assert whole(desk).entries[-1].kind == "undo"
    desk.sit(MARINE)
    desk.command("note", {"words": "mine", "side": None, "about": None}, "marine")
    desk.undo()
    assert whole(desk).entries[-1].kind == "undo"
    assert open_requests(whole(desk)) == []


def test_a_secret_of_the_enemy_is_not_there_to_take_back(desk: Desk) -> None:
    desk.sit(JAPANESE)
    secret = desk.command("note", {"words": "ours", "side": "japanese", "about": None}, "japanese")
    desk.sit(MARINE)
    assert desk.undo().asked["entries"][0] == 2
    assert secret.seq in whole(desk).standing


def test_going_back_is_asked_for(desk: Desk) -> None:
    desk.sit(UMPIRE)
    desk.command("note", {"words": "a day", "side": None, "about": None})
    desk.sit(MARINE)
    desk.go_back(2)
    desk.sit(JAPANESE)
    agree(desk)
    assert whole(desk).entries[-1].kind == "undo"


@pytest.mark.parametrize("seed", ["rights", "more"])
def test_a_side_answers_its_own_questions_the_public_ones_and_any_dice(
    desk: Desk, seed: str
) -> None:
    """Each question of a whole Refit Phase, from both seats: whoever may not answer it is told so,
    whoever may is told that no such answer is allowed."""
    met = set()
    dice = SeededDice(seed)
    desk.sit(UMPIRE)
    ask = desk.begin()
    while ask is not None:
        for seat in (MARINE, JAPANESE):
            desk.sit(seat)
            with pytest.raises(Refused) as refused:
                desk.answer("no such answer, whatever is asked")
            case, may = case_of(ask, seat)
            assert isinstance(refused.value, NotYourTurn) is not may, (seat, ask)
            met.add((case, may))
        desk.sit(UMPIRE)
        ask = desk.answer_on(ask, *desk.supply(ask, Supply(dice=dice, defaults=True)))
    assert met == {
        ("its own", True),
        ("the enemy's secret", False),
        ("the enemy's dice", True),
        ("what concerns both", True),
        ("the enemy's decision", False),
    }


def case_of(ask: Ask[Any], seat: Seat) -> tuple[str, bool]:
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


def in_the_middle(desk: Desk, rule: str = "15.602") -> None:
    """Plays on until a paragraph has been answered in part, by the umpire."""
    desk.sit(UMPIRE)
    supply = Supply(dice=DICE, defaults=True)
    ask = desk.begin()
    while ask is not None and ask.rule != rule:
        ask = desk.answer_on(ask, *desk.supply(ask, supply))
    assert ask is not None
    desk.answer_on(ask, *desk.supply(ask, supply))


def test_a_correction_is_asked_for_at_any_time_and_made_once_the_paragraph_has_ended(
    desk: Desk,
) -> None:
    in_the_middle(desk, "15.6112")
    ask, before = whole(desk).open_ask(), whole(desk).campaign.clone()
    desk.sit(MARINE)
    desk.command("edit", correction("marine", san=5))
    [request] = open_requests(whole(desk))
    assert request.tells == ("Marine: SAN 3 → 5, SAN announced 3 → 5 (misread)",)
    assert (whole(desk).open_ask(), whole(desk).campaign) == (ask, before)
    desk.sit(JAPANESE)
    with pytest.raises(Refused, match=r"not possible in the middle of 15\.6112: finish"):
        agree(desk)
    assert problem_with(desk, request).startswith("edit is not possible")
    assert open_requests(whole(desk)) == [request]
    desk.sit(UMPIRE)
    while whole(desk).campaign.situation.paragraph == "15.6112":
        assert whole(desk).open_ask() is not None
        desk.answer_on(
            whole(desk).open_ask(),
            *desk.supply(whole(desk).open_ask(), Supply(defaults=True, dice=DICE)),
        )
    desk.sit(JAPANESE)
    agree(desk)
    assert whole(desk).campaign.sides[Side.MARINE].san == 5


def test_who_agrees_does_not_learn_how_far_the_enemys_secret_decisions_are(desk: Desk) -> None:
    desk.sit(MARINE)
    desk.command("edit", correction("marine", san=5))
    desk.sit(JAPANESE)
    desk.command("edit", correction("japanese", san=5))
    in_the_middle(desk)  # the Japanese side decides in secret
    desk.sit(MARINE)
    with pytest.raises(Refused) as refused:
        agree(desk, 2)
    assert "in private" in str(refused.value)
    assert "15.602" not in str(refused.value)
    desk.sit(JAPANESE)
    decline(desk, 1, "not now")
    assert [request.number for request in open_requests(whole(desk))] == [2]


def test_an_answer_is_asked_to_be_taken_back_in_the_middle(desk: Desk) -> None:
    in_the_middle(desk, "15.6112")
    desk.sit(JAPANESE)
    desk.undo()
    [request] = open_requests(whole(desk))
    assert request.tells[0].startswith("taken back: ")
    desk.sit(UMPIRE)
    assert agree(desk).kind == "undo"


def test_what_the_other_side_may_not_know_of_is_taken_back_unasked(desk: Desk) -> None:
    in_the_middle(desk)  # the umpire has answered for the Japanese side, in secret
    desk.sit(JAPANESE)
    assert desk.undo().kind == "undo"


# --- what a request rests on ----------------------------------------------------------------------


def test_a_secret_of_the_other_side_does_not_make_a_request_void(desk: Desk) -> None:
    """Else who asks, or who agrees, would learn of it."""
    desk.sit(MARINE)
    desk.command("ruling", {"id": "R-SAN", "value": whole(desk).campaign.ruling("R-SAN")})
    desk.sit(JAPANESE)
    desk.command("note", {"words": "ours", "side": "japanese", "about": None}, "japanese")
    agree(desk)
    assert whole(desk).campaign.is_agreed("R-SAN")


def test_a_request_to_go_back_takes_back_no_more_than_was_asked(desk: Desk) -> None:
    desk.sit(JAPANESE)
    desk.command("note", {"words": "one", "side": None, "about": None}, "japanese")
    desk.sit(MARINE)
    desk.go_back(2)
    desk.command("note", {"words": "two", "side": None, "about": None}, "marine")
    desk.sit(JAPANESE)
    with pytest.raises(Refused, match="ask again"):
        agree(desk)


def test_there_is_nothing_to_ask_for_where_nothing_came_after(desk: Desk) -> None:
    desk.sit(MARINE)
    with pytest.raises(Refused, match="nothing was answered or entered after that"):
        desk.go_back(len(whole(desk).entries))


def test_both_sides_and_the_journal_know_of_a_request(desk: Desk) -> None:
    desk.sit(MARINE)
    desk.command("edit", correction(first(desk, "marine")))
    for side in (MARINE.side, JAPANESE.side, None):
        assert len(book_of(whole(desk), side).requests) == 1


def test_who_asks_is_told_that_nothing_is_done_yet(desk: Desk) -> None:
    desk.sit(MARINE)
    desk.command("edit", correction("marine", san=5))
    asked = "the Marine side asks the Japanese side: correct marine (san=5): misread"
    assert desk.notices == [f"{asked}; it is done once that side agrees"]


def test_an_undo_that_is_asked_for_is_told_as_that(desk: Desk) -> None:
    desk.sit(JAPANESE)
    desk.command("note", {"words": "ours", "side": None, "about": None}, "japanese")
    desk.sit(MARINE)
    told = travel_text(desk, desk.undo())
    assert told == "the Marine side asks the Japanese side: take back the last entry (Note)"
