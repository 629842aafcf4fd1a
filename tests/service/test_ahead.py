"""A side answers its questions before they are asked: fewer mails, and no answer goes astray."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from brt_cg.audit import audit
from brt_cg.exports.status import status_document
from brt_cg.forecast.ahead import AheadSheet, AskAhead, answer
from brt_cg.journal.early_answers import Key, exactly, given_ahead
from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from brt_cg.model.seat import Seat
from brt_cg.questions.answers import Refused
from brt_cg.questions.asks import Choose, Option
from brt_cg.questions.dice import SeededDice
from brt_cg.questions.sources import GIVEN_AHEAD
from brt_cg.refit.sequence import paragraph_of
from brt_cg.service import demo
from brt_cg.service.desk import Desk
from brt_cg.service.mail import Done
from brt_cg.service.supply import Supply
from brt_cg.service.whole import whole
from brt_cg.views.book import book_of
from brt_cg.views.rights import Right, right_to
from tests.exports.journals import begun, play, squad
from tests.service.test_mail import Player, laid_out, players, turns_of

__all__ = ["laid_out", "players"]  # fixtures

FEW = 8  # mails of a Refit Phase, and once more at its end
MARINE, JAPANESE = Side.MARINE, Side.JAPANESE


def by_default(desk: Desk, side: Side) -> None:
    """Answers by default whatever a side knows that it will be asked."""
    sheet = AheadSheet(desk, side)
    sheet.fill()
    sheet.enter(desk)


def answers_all_ahead(player: Player) -> None:
    """The player answers by default whatever he knows that he will be asked."""
    desk = player.sits()
    side = player.seat.side
    assert side is not None
    by_default(desk, side)
    desk.close()


def one(found: list[AskAhead], rule: str, subject: str) -> AskAhead:
    return next(each for each in found if (each.ask.rule, each.ask.subject) == (rule, subject))


# --- few mails ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", ["few", "many"])
def test_a_refit_phase_of_many_turns_takes_few_mails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: str
) -> None:
    marine, japanese = (
        Player(seat, tmp_path / seat, monkeypatch) for seat in (Seat.MARINE, Seat.JAPANESE)
    )
    marine.home.mkdir()
    japanese.home.mkdir()
    shutil.move(str(demo.lay_out(tmp_path)), marine.file)
    japanese.receives(marine.sends(whole=True))
    at_work, other, mails = marine, japanese, 1
    while not at_work.plays(seed):
        answers_all_ahead(at_work)
        assert other.receives(at_work.sends()).done is Done.APPENDED
        at_work, other, mails = other, at_work, mails + 1
    other.receives(at_work.sends())
    assert mails <= FEW
    assert turns_of(marine.file) > 2 * FEW
    assert marine.head == japanese.head
    assert whole(Desk.look_at(marine.file)).campaign.situation.phase is Phase.SCENARIO
    for player in (marine, japanese):
        assert audit(player.file).ok
        assert audit(player.file, side=player.seat.side).ok


# --- an answer for its question, and no other -----------------------------------------------------


def test_an_answer_is_entered_when_its_question_comes(players: tuple[Player, Player]) -> None:
    marine, japanese = players
    desk = marine.sits()
    beach = one(AheadSheet(desk, MARINE).asks, "15.605", "m-ldr-16")
    wanted = next(option.raw for option in beach.ask.options if option.raw != beach.ask.default)
    answer(desk, MARINE, {beach.key: wanted})
    desk.close()
    japanese.receives(marine.sends())
    japanese.plays("mail")
    desk = marine.sits()
    desk.close()
    japanese.does(lambda desk: None)
    marine.receives(japanese.sends())
    marine.plays("mail")
    entries = whole(Desk.look_at(marine.file)).entries
    [entry] = [entry for entry in entries if entry.is_ahead]
    assert (entry.payload["ask"]["subject"], entry.payload["answer"]) == ("m-ldr-16", wanted)
    assert entry.payload["by"] == "marine"


def test_what_is_answered_ahead_holds_on_the_next_date_of_the_phase_too(
    laid_out: Path, tmp_path: Path
) -> None:
    desk = Desk.open(Path(shutil.copy(laid_out, tmp_path)), backs_up=False)
    banzai = one(AheadSheet(desk, JAPANESE).asks, "15.616", "japanese")
    answer(desk, JAPANESE, {banzai.key: True})
    supply = Supply(dice=SeededDice("mail"), defaults=True)
    [*desk.play(supply, paragraph_of("15.616"))]
    assert whole(desk).campaign.situation.date != whole(desk).campaign.situation.ended
    assert whole(desk).campaign.situation.banzai is True


def test_a_question_that_is_put_otherwise_is_asked(players: tuple[Player, Player]) -> None:
    _, japanese = players
    desk = japanese.sits()
    ask = whole(desk).open_ask()
    assert isinstance(ask, Choose)
    row = {"rule": ask.rule, "subject": ask.subject, "kind": ask.kind, "mark": "0" * 16}
    asked = {"side": "japanese", "date": "20 PM", "answers": [row | {"answer": "reveal"}]}
    desk.command("ahead", asked, "japanese")
    assert desk.go() is not None
    assert whole(desk).open_ask() is not None
    assert whole(desk).open_ask().subject == ask.subject
    desk.command(
        "ahead", asked | {"answers": [row | {"mark": exactly(ask).mark, "answer": "reveal"}]}
    )
    desk.go()
    assert whole(desk).open_ask().subject != ask.subject


def test_the_mark_covers_how_a_question_is_put_and_what_it_allows() -> None:
    def choice(prompt: str, *options: str) -> Choose[str]:
        made = tuple(Option(raw, raw, raw) for raw in options)
        return Choose(rule="15.605", subject="a", side=MARINE, prompt=prompt, options=made)

    asked = choice("where?", "N20", "O8")
    assert exactly(asked) == exactly(choice("where?", "N20", "O8"))
    others = choice("where?", "N20"), choice("where is it placed?", "N20", "O8")
    assert exactly(asked) not in map(exactly, others)


def test_an_answer_is_entered_once_and_dropped_by_an_empty_list(
    players: tuple[Player, Player],
) -> None:
    _, japanese = players
    desk = japanese.sits()
    open_one, second, *_ = AheadSheet(desk, JAPANESE).asks
    answer(desk, JAPANESE, {open_one.key: "stay_hidden", second.key: "stay_hidden"})
    assert whole(desk).open_ask() is not None
    assert whole(desk).open_ask().subject not in (open_one.ask.subject, second.ask.subject)
    third = one(AheadSheet(desk, JAPANESE).asks, "15.602", whole(desk).open_ask().subject)
    assert third.key[1] == whole(desk).open_ask().subject
    answer(desk, JAPANESE, {})
    assert given_ahead(whole(desk), JAPANESE).given == {}
    assert whole(desk).open_ask().subject == third.ask.subject


def test_what_would_not_be_allowed_is_refused_at_once(players: tuple[Player, Player]) -> None:
    marine, _ = players
    desk = marine.sits()
    beach = one(AheadSheet(desk, MARINE).asks, "15.605", "m-ldr-16")
    before = len(whole(desk).entries)
    with pytest.raises(Refused, match=r"15\.605 m-ldr-16: .* is not allowed"):
        answer(desk, MARINE, {beach.key: "A1"})
    assert len(whole(desk).entries) == before


def test_an_answer_ahead_goes_with_the_answer_that_it_followed(
    players: tuple[Player, Player],
) -> None:
    """Who takes his own answer back need not ask for what followed from it by itself."""
    marine, japanese = players
    desk = marine.sits()
    by_default(desk, MARINE)
    desk.close()
    japanese.receives(marine.sends())
    japanese.plays("mail")
    desk = japanese.sits()
    last = max(entry.seq for entry in whole(desk).entries if entry.is_ahead)
    entries = reversed(whole(desk).entries[: last - 1])
    own = next(entry for entry in entries if entry.kind == "answer" and not entry.is_ahead)
    while own.seq in whole(desk).standing:
        assert desk.undo().kind == "undo"
    assert last not in whole(desk).standing
    desk.redo()


# --- who may, and who knows -----------------------------------------------------------------------


def test_a_side_answers_ahead_for_itself_only(players: tuple[Player, Player]) -> None:
    marine, _ = players
    desk = marine.sits()
    rights = [
        right_to(whole(desk), Seat.MARINE, "ahead", {"side": side})
        for side in ("marine", "japanese")
    ]
    assert rights == [Right.OWN, Right.NONE]
    with pytest.raises(Refused, match="not yours"):
        answer(desk, JAPANESE, {})


def test_the_other_side_reads_nothing_of_it(players: tuple[Player, Player]) -> None:
    def read(desk: Desk) -> list[Any]:
        book = book_of(whole(desk), JAPANESE)
        return [repr(each) for each in (status_document(book), book.rows, book.lines, book.head)]

    marine, japanese = players
    desk = marine.sits()
    before = read(desk)
    by_default(desk, MARINE)
    assert read(desk) == before
    assert "questions ahead" in str(book_of(whole(desk)).lines[-1])
    desk.close()
    japanese.receives(marine.sends())
    assert "ahead" not in japanese.sends().name + japanese.letter


def test_what_may_be_answered_ahead_tells_nothing_of_the_enemys_secrets() -> None:
    seen = squad("m-ldr-1", "N19", status=["wounded"]), squad("m-sq-1", "N20", status=["pinned"])
    hidden = squad("j-sq-1", "M41", status=["hidden"]), squad("j-ldr-1", "M41", status=["hidden"])

    def offered(*units: dict[str, Any]) -> list[Key]:
        desk = Desk(Path("none.brt"), play(begun(*units), to="15.6112 m-ldr-1"))
        return [each.key for each in AheadSheet(desk, MARINE).asks]

    bare = offered(*seen, squad("j-sq-9", "M40"))
    assert bare
    assert offered(*seen, squad("j-sq-9", "M40"), *hidden) == bare


def test_a_mail_may_not_say_that_i_answered_what_i_did_not(
    players: tuple[Player, Player],
) -> None:
    marine, japanese = players

    def cheat(desk: Desk) -> None:
        whole(desk).answer("reveal", "japanese", GIVEN_AHEAD)

    marine.does(cheat)
    with pytest.raises(Refused, match="Marine seat may not enter"):
        japanese.receives(marine.sends())


def test_an_audit_finds_an_answer_that_was_not_given_ahead(
    players: tuple[Player, Player],
) -> None:
    _, japanese = players
    japanese.does(lambda desk: whole(desk).answer("reveal", "japanese", GIVEN_AHEAD))
    found = audit(japanese.file)
    assert not found.ok
    assert "gave the answer ahead, which it did not" in found.text()


def test_answers_ahead_of_both_do_not_fork(players: tuple[Player, Player]) -> None:
    marine, japanese = players
    answers_all_ahead(marine)
    japanese.does(lambda desk: desk.answer_typed("stay_hidden"))
    assert marine.receives(japanese.sends()).done is Done.JOINED
    assert japanese.receives(marine.sends()).done is Done.APPENDED
    assert given_ahead(whole(Desk.look_at(japanese.file)), MARINE).given
    assert audit(japanese.file).ok
