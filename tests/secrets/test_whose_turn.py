"""Whose secrets may be on a screen that two players share: the table, a curtain, or one side's."""

from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.views.hot_seat import HotSeat, ScreenTurn
from brt_cg.views.view import SharedView
from tests.exports.journals import begun, play, squad


def at(question: str) -> Journal:
    """A Refit Phase up to a question."""
    return play(begun(squad("m-sq-1", "N19"), squad("j-sq-1", "M30")), to=question)


def test_public_questions_are_asked_at_the_table() -> None:
    turn = HotSeat().update_screen_turn(SharedView(at("15.6032 winner")), "asked")
    assert turn.at_table
    assert turn.curtain is None


def test_a_decision_of_one_side_is_behind_its_curtain() -> None:
    turn = HotSeat().update_screen_turn(SharedView(at("15.6202 japanese")), "asked")
    assert turn == ScreenTurn(Side.MARINE, at_table=True, curtain=Side.JAPANESE)


def test_a_lifted_curtain_falls_again_with_the_next_question_for_the_other_side() -> None:
    hot, book = HotSeat(), SharedView(at("15.6202 japanese"))
    hot.lift_curtain(Side.JAPANESE, "asked")
    assert hot.update_screen_turn(book, "asked") == ScreenTurn(Side.JAPANESE, at_table=False)
    other = SharedView(at("15.6202 marine"))
    assert hot.update_screen_turn(other, "another").curtain is Side.MARINE
    assert hot.lifted is None


def test_a_player_looking_around_keeps_the_screen_until_the_next_question() -> None:
    hot, book = HotSeat(), SharedView(at("15.6032 winner"))
    hot.lift_curtain(Side.MARINE, "asked")
    assert not hot.update_screen_turn(book, "asked").at_table
    assert hot.update_screen_turn(book, "another").at_table
    hot.lift_curtain(Side.MARINE, "another")
    hot.lower_curtain()
    assert hot.update_screen_turn(book, "another").at_table


def test_a_lifted_curtain_stays_up_for_public_dice() -> None:
    wounded = squad("m-ldr-1", "N19", status=["wounded"])
    book = SharedView(play(begun(wounded, squad("j-sq-1", "M30")), to="m-ldr-1"))
    assert book.ask is not None
    assert book.ask.dice is not None
    hot = HotSeat()
    hot.lift_curtain(Side.JAPANESE, "asked")
    assert hot.update_screen_turn(book, "another") == ScreenTurn(Side.JAPANESE, at_table=False)


def test_a_lifted_curtain_stays_up_until_the_opponent_decides() -> None:
    between = begun(squad("m-sq-1", "N19"), squad("j-sq-1", "M30"))
    hot, book = HotSeat(), SharedView(between)
    assert book.ask is None
    hot.lift_curtain(Side.MARINE, "asked")
    assert not hot.update_screen_turn(book, "another").at_table
    assert (
        hot.update_screen_turn(SharedView(at("15.6202 japanese")), "a third").curtain
        is Side.JAPANESE
    )


def test_who_has_looked_since_an_entry_may_have_decided_something() -> None:
    hot, book = HotSeat(), SharedView(at("15.6202 japanese"))
    _ = hot.update_screen_turn(book, "asked", 10)
    assert hot.has_looked_since(10, [Side.MARINE]), "before they sat down, each may have looked"
    assert not hot.has_looked_since(11, Side)
    hot.lift_curtain(Side.JAPANESE, "asked")
    _ = hot.update_screen_turn(book, "asked", 12)
    assert hot.has_looked_since(12, [Side.JAPANESE])
    assert not hot.has_looked_since(13, [Side.JAPANESE])
    assert not hot.has_looked_since(11, [Side.MARINE])
