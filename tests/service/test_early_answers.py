"""Answers given before they are asked: in one list with others, or ahead, however long before. They
change neither order nor dice, and none goes astray."""

import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.exports.status import status_document
from brt_cg.forecast.upcoming_questions import (
    EarlyAnswerSheet,
    UpcomingQuestion,
    enter_early_answers,
)
from brt_cg.imports.answers_file import read_answers
from brt_cg.journal.early_answers import AnswerKey, early_answers_of, key_in_exact_form
from brt_cg.journal.entries import Entry
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from brt_cg.model.seat import Seat
from brt_cg.questions.answers import GIVEN_AHEAD, HAND, RefusedError
from brt_cg.questions.dice import SeededDice
from brt_cg.questions.question_types import (
    ChoiceQuestion,
    EntryQuestion,
    Option,
    Question,
    RollQuestion,
)
from brt_cg.refit.sequence import paragraph_of
from brt_cg.service import demo
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.mail import MailResult
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.views.rights import Right, right_to
from brt_cg.views.sender import SenderCheck
from brt_cg.views.view import create_view
from tests.exports.journals import begun, play, squad, state
from tests.service.test_desk import Transactions, reopened
from tests.service.test_mail import Player, _homes, laid_out, players, turns_of
from tests.settings import count

__all__ = ["_homes", "laid_out", "players"]  # fixtures

FEW = 8  # mails of a Refit Phase, and once more at its end
MARINE, JAPANESE = Side.MARINE, Side.JAPANESE
DICE = AnswerSupply(dice=SeededDice(1), defaults=True)


# --- in one list with others ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def at_start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(str(demo.create_demo(tmp_path_factory.mktemp("demo"))))


@pytest.fixture
def desk(at_start: Path, tmp_path: Path) -> OpenCampaign:
    """The demo, at the start of its Refit Phase."""
    return OpenCampaign.open(Path(shutil.copy(at_start, tmp_path / "demo.brt")))


def at(desk: OpenCampaign, rule: str, about: str = "") -> Question[Any]:
    """Plays on to a question."""
    ask = desk.continue_play()
    while ask is not None and (ask.rule, ask.about) != (rule, about):
        ask = desk.answer_and_play(ask, *desk.get_answer_from_supply(ask, DICE))
    assert ask is not None, f"{rule} {about} is never asked"
    return ask


def to_the_end_of(desk: OpenCampaign, rule: str, choices: dict[str, Any]) -> list[Entry]:
    """Answers each question of a paragraph singly when it comes."""
    ask, first = (
        unrestricted_campaign(desk).open_question(),
        len(unrestricted_campaign(desk).entries),
    )
    while ask is not None and ask.rule == rule:
        raw, source = desk.get_answer_from_supply(ask, DICE)
        if ask.subject in choices and not isinstance(ask, RollQuestion):
            raw, source = choices[ask.subject], HAND
        ask = desk.answer_and_play(ask, raw, source)
    return list(unrestricted_campaign(desk).entries[first:])


def facts(entries: list[Entry]) -> list[Any]:
    """What was asked in which order, answered, and came of it."""
    told = ("ask", "answer", "from", "roll")
    return [([entry.payload.get(what) for what in told], entry.changes) for entry in entries]


def test_choices_with_dice_between_them_are_listed_early_and_undecided(
    desk: OpenCampaign,
) -> None:
    at(desk, "15.6131", "Recall")
    before, entries = (
        unrestricted_campaign(desk).campaign.clone(),
        len(unrestricted_campaign(desk).entries),
    )
    coming = desk.open_and_similar_upcoming_questions()
    assert len(coming.asks) == 11
    assert {ask.side for ask in coming.asks} == {Side.MARINE}
    assert coming.asks[0] is unrestricted_campaign(desk).open_question()
    assert not coming.doubtful
    assert (unrestricted_campaign(desk).campaign, len(unrestricted_campaign(desk).entries)) == (
        before,
        entries,
    )


def test_questions_that_only_some_rolls_lead_to_are_marked(desk: OpenCampaign) -> None:
    at(desk, "15.605", "destination")
    coming = desk.open_and_similar_upcoming_questions()
    subjects = {ask.subject for ask in coming.asks}
    assert coming.doubtful < subjects, "who drowns is placed nowhere"
    assert coming.asks[0].subject not in coming.doubtful


@pytest.mark.parametrize(("rule", "about"), [("15.6131", "Recall"), ("15.605", "destination")])
def test_early_answers_change_neither_order_nor_dice(
    desk: OpenCampaign, rule: str, about: str
) -> None:
    at(desk, rule, about)
    asks, start = (
        desk.open_and_similar_upcoming_questions().asks,
        len(unrestricted_campaign(desk).entries),
    )
    given = {ask.subject: ask.allowed[0] for ask in asks[::2]}
    together = desk.answer_group(asks, given)
    while together is not None and together.rule == rule:
        assert together.group_key != asks[0].group_key, "each question has its answer when it comes"
        together = desk.answer_and_play(together, *desk.get_answer_from_supply(together, DICE))
    listed = list(unrestricted_campaign(desk).entries[start:])
    assert len({entry.seq for entry in listed if entry.kind == "answer"}) > len(given)
    desk.go_back_or_request(start)
    singly = to_the_end_of(desk, rule, given)
    assert facts(listed) == facts(singly)


def test_an_early_answer_is_undone_alone_and_its_question_asked_again(
    desk: OpenCampaign,
) -> None:
    at(desk, "15.6131", "Recall")
    asks = desk.open_and_similar_upcoming_questions().asks
    last = asks[-1].subject
    ask = desk.answer_group(asks, {asks[1].subject: {"recall": True}, last: {"recall": True}})
    while ask is not None and not unrestricted_campaign(desk).campaign.vehicles[
        asks[1].subject
    ].has_status("recalled"):
        ask = desk.answer_and_play(ask, *desk.get_answer_from_supply(ask, DICE))
    while (
        unrestricted_campaign(desk).open_question() is None
        or unrestricted_campaign(desk).open_question().group_key != asks[0].group_key
    ):
        desk.undo_or_request()
    assert (
        not unrestricted_campaign(desk)
        .campaign.vehicles[unrestricted_campaign(desk).open_question().subject]
        .has_status("recalled")
    )
    assert desk.early.non_default_answers_for(desk.open_and_similar_upcoming_questions().asks) == {
        last: {"recall": True}
    }
    assert unrestricted_campaign(
        desk
    ).open_question().subject not in desk.early.non_default_answers_for(
        desk.open_and_similar_upcoming_questions().asks
    ), "used once"


def test_early_answers_end_with_their_paragraph(desk: OpenCampaign) -> None:
    at(desk, "15.605", "destination")
    asks = desk.open_and_similar_upcoming_questions().asks
    ask = desk.answer_group(asks, {})
    assert desk.early.count_unused_known_to(Side.MARINE) > 0
    assert desk.early.count_unused_known_to(Side.JAPANESE) == 0
    while ask is not None and ask.rule == "15.605":
        ask = desk.answer_and_play(ask, *desk.get_answer_from_supply(ask, DICE))
    assert desk.early.count_unused_known_to(None) == 0


def test_an_early_answer_the_disk_refuses_is_ready_again(desk: OpenCampaign) -> None:
    at(desk, "15.6131", "Recall")
    ask = desk.answer_group(desk.open_and_similar_upcoming_questions().asks, {})
    ready, kept = desk.early.count_unused_known_to(None), Transactions(desk)
    kept.full = True
    assert ask is not None
    with pytest.raises(OSError, match="disk full"):
        desk.answer_and_play(ask, *desk.get_answer_from_supply(ask, DICE))
    assert desk.early.count_unused_known_to(None) == ready


def test_upcoming_entries_are_listed_each_with_its_own_form(desk: OpenCampaign) -> None:
    first = at(desk, "15.601")
    second = desk.open_and_similar_upcoming_questions().asks[1]
    assert second.subject != first.subject
    assert isinstance(second, EntryQuestion)
    (lost, *_) = second.form.candidates_for(None)
    with pytest.raises(RefusedError, match="is not there"):
        second.read({"eliminated": ["m-sq-1"]})
    ask = desk.answer_group([first, second], {second.subject: lost.raw})
    assert ask is not None
    assert ask.about == "R-CVP-REFIT", "what losses score is settled first"
    desk.answer_and_play(ask, ask.default)
    (id,) = lost.raw["eliminated"]
    assert unrestricted_campaign(desk).campaign.find(id).fate == "eliminated"


def test_a_melee_with_hidden_units_is_not_listed_with_the_others(desk: OpenCampaign) -> None:
    at(desk, "15.601")
    before = [ask.subject for ask in desk.open_and_similar_upcoming_questions().asks]
    assert len(before) == 3
    for piece in unrestricted_campaign(desk).campaign.pieces_at(before[1]):
        if piece.side is Side.JAPANESE:
            asked = {"id": piece.id, "set": {"status": ["hidden"]}, "reason": "was not seen"}
            desk.run_command("edit", asked)
    at(desk, "15.601")
    assert [ask.subject for ask in desk.open_and_similar_upcoming_questions().asks] == [
        before[0],
        before[2],
    ]


HIDDEN = [squad(f"j-sq-{number}", "M40", status=["hidden"]) for number in range(1, 4)]


@pytest.fixture
def hidden(tmp_path: Path) -> OpenCampaign:
    """A campaign where 15.602 asks of three hidden squads."""
    asked = {"cg": "III", "name": None, "players": None, "allotments": None}
    desk = OpenCampaign.create(tmp_path / "h.brt", asked)
    desk.run_command(
        "import", {"state": state(*HIDDEN), "source": "t", "missing": None, "side": None}
    )
    desk.continue_play()
    return desk


def test_questions_of_one_kind_are_answered_together_and_undone_one_by_one(
    hidden: OpenCampaign,
) -> None:
    kept = Transactions(hidden)
    hidden.answer_group(hidden.open_and_similar_upcoming_questions().asks, {"j-sq-2": "reveal"})
    (stored,) = kept.stored
    assert stored[:3] == ["answer"] * 3
    units = unrestricted_campaign(reopened(hidden)).campaign.units
    assert [units[f"j-sq-{number}"].hidden for number in (1, 2, 3)] == [True, False, True]
    assert [
        entry.payload["from"]
        for entry in unrestricted_campaign(hidden).entries
        if entry.kind == "answer"
    ][:3] == [*("default", "hand", "default")]
    hidden.undo_or_request()
    assert unrestricted_campaign(hidden).open_question().subject == "j-sq-3"


def test_an_early_answer_no_longer_allowed_is_asked_again_with_the_reason(
    hidden: OpenCampaign,
) -> None:
    hidden.answer_group(
        hidden.open_and_similar_upcoming_questions().asks, {"j-sq-2": "maybe", "j-sq-3": "reveal"}
    )
    assert unrestricted_campaign(hidden).open_question().subject == "j-sq-2"
    assert "maybe is not allowed here" in hidden.early.reason_to_ask_again(
        hidden.question_identity()
    )
    hidden.answer_and_play(unrestricted_campaign(hidden).open_question(), "reveal")
    units = unrestricted_campaign(hidden).campaign.units
    assert [units[f"j-sq-{number}"].hidden for number in (1, 2, 3)] == [True, False, False]


def test_no_answer_is_given_if_the_first_is_refused(hidden: OpenCampaign) -> None:
    entries = len(unrestricted_campaign(hidden).entries)
    with pytest.raises(RefusedError, match="j-sq-1: maybe is not allowed here"):
        hidden.answer_group(hidden.open_and_similar_upcoming_questions().asks, {"j-sq-1": "maybe"})
    assert len(unrestricted_campaign(hidden).entries) == entries
    assert not hidden.early.count_unused_known_to(None)


def test_early_answers_come_before_a_list_and_a_list_before_a_file(
    hidden: OpenCampaign,
) -> None:
    asks, sheet = (
        hidden.open_and_similar_upcoming_questions().asks,
        EarlyAnswerSheet(hidden, JAPANESE),
    )
    sheet.set_answers(key_in_exact_form(asks[1]), "reveal")
    sheet.enter_answers(hidden)
    in_file = {ask.subject: "stay_hidden" for ask in asks}
    document = {"format": "brt-cg/answers", "version": 1, "choices": {"15.602": in_file}}
    file = read_answers(document, hidden.view().campaign)
    hidden.answer_group(asks[:2], {ask.subject: "stay_hidden" for ask in asks[:2]})
    [*hidden.play_with_supply(AnswerSupply(file), paragraph_of("15.602"))]
    answered = [
        entry.payload for entry in unrestricted_campaign(hidden).entries if entry.kind == "answer"
    ]
    told = [(payload["answer"], payload["from"]) for payload in answered]
    assert told == [("stay_hidden", "hand"), ("reveal", "ahead"), ("stay_hidden", "file")]


# --- ahead ----------------------------------------------------------------------------------------


def by_default(desk: OpenCampaign, side: Side) -> None:
    """Answers by default whatever a side knows that it will be asked."""
    sheet = EarlyAnswerSheet(desk, side)
    sheet.answer_harmless_rest_by_default()
    for each in sheet.unanswered_questions:
        if not each.ask.subject.startswith("R-"):
            sheet.set_answers(each.key, each.ask.default)
    sheet.enter_answers(desk)


def answers_all_ahead(player: Player) -> None:
    """The player answers by default whatever he knows that he will be asked."""
    desk = player.sits()
    side = player.seat.side
    assert side is not None
    by_default(desk, side)
    desk.close()


def one(found: list[UpcomingQuestion], rule: str, subject: str) -> UpcomingQuestion:
    return next(each for each in found if (each.ask.rule, each.ask.subject) == (rule, subject))


# --- few mails ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", ["few", "many"][: count(1, 2)])
def test_a_refit_phase_of_many_turns_takes_few_mails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: str
) -> None:
    marine, japanese = (
        Player(seat, tmp_path / seat, monkeypatch) for seat in (Seat.MARINE, Seat.JAPANESE)
    )
    marine.home.mkdir()
    japanese.home.mkdir()
    shutil.move(str(demo.create_demo(tmp_path)), marine.file)
    japanese.receives(marine.sends(whole=True))
    at_work, other, mails = marine, japanese, 1
    while not at_work.plays(seed):
        answers_all_ahead(at_work)
        assert other.receives(at_work.sends()).done is MailResult.APPENDED
        at_work, other, mails = other, at_work, mails + 1
    other.receives(at_work.sends())
    assert mails <= FEW
    assert turns_of(marine.file) > 2 * FEW
    assert marine.head == japanese.head
    assert (
        unrestricted_campaign(OpenCampaign.open_read_only(marine.file)).campaign.situation.phase
        is Phase.SCENARIO
    )
    for player in (marine, japanese):
        assert audit_campaign(player.file).ok
        assert audit_campaign(player.file, side=player.seat.side).ok


# --- an answer for its question, and no other -----------------------------------------------------


def test_an_early_answer_is_entered_when_its_question_comes(players: tuple[Player, Player]) -> None:
    marine, japanese = players
    desk = marine.sits()
    beach = one(EarlyAnswerSheet(desk, MARINE).asks, "15.605", "m-ldr-16")
    wanted = next(option.raw for option in beach.ask.options if option.raw != beach.ask.default)
    enter_early_answers(desk, MARINE, {beach.key: wanted})
    desk.close()
    japanese.receives(marine.sends())
    japanese.plays("mail")
    desk = marine.sits()
    desk.close()
    japanese.does(lambda desk: None)
    marine.receives(japanese.sends())
    marine.plays("mail")
    entries = unrestricted_campaign(OpenCampaign.open_read_only(marine.file)).entries
    [entry] = [entry for entry in entries if entry.is_early_answer]
    assert (entry.payload["ask"]["subject"], entry.payload["answer"]) == ("m-ldr-16", wanted)
    assert entry.payload["by"] == "marine"


def test_an_early_answer_is_valid_on_the_next_date_of_the_phase_too(
    laid_out: Path, tmp_path: Path
) -> None:
    desk = OpenCampaign.open(Path(shutil.copy(laid_out, tmp_path)), backs_up=False)
    banzai = one(EarlyAnswerSheet(desk, JAPANESE).asks, "15.616", "japanese")
    enter_early_answers(desk, JAPANESE, {banzai.key: True})
    supply = AnswerSupply(dice=SeededDice("mail"), defaults=True)
    [*desk.play_with_supply(supply, paragraph_of("15.616"))]
    assert (
        unrestricted_campaign(desk).campaign.situation.date
        != unrestricted_campaign(desk).campaign.situation.ended
    )
    assert unrestricted_campaign(desk).campaign.situation.banzai is True


def test_a_question_with_different_wording_is_asked_again(players: tuple[Player, Player]) -> None:
    _, japanese = players
    desk = japanese.sits()
    ask = unrestricted_campaign(desk).open_question()
    assert isinstance(ask, ChoiceQuestion)
    row = {"rule": ask.rule, "subject": ask.subject, "kind": ask.kind, "mark": "0" * 16}
    asked = {"side": "japanese", "date": "20 PM", "answers": [row | {"answer": "reveal"}]}
    desk.run_command("ahead", asked, "japanese")
    assert desk.play_to_question() is not None
    assert unrestricted_campaign(desk).open_question() is not None
    assert unrestricted_campaign(desk).open_question().subject == ask.subject
    desk.run_command(
        "ahead",
        asked | {"answers": [row | {"mark": key_in_exact_form(ask).mark, "answer": "reveal"}]},
    )
    desk.play_to_question()
    assert unrestricted_campaign(desk).open_question().subject != ask.subject


def test_the_fingerprint_covers_a_questions_wording_and_options() -> None:
    def choice(prompt: str, *options: str) -> ChoiceQuestion[str]:
        made = tuple(Option(raw, raw, raw) for raw in options)
        return ChoiceQuestion(rule="15.605", subject="a", side=MARINE, prompt=prompt, options=made)

    asked = choice("where?", "N20", "O8")
    assert key_in_exact_form(asked) == key_in_exact_form(choice("where?", "N20", "O8"))
    others = choice("where?", "N20"), choice("where is it placed?", "N20", "O8")
    assert key_in_exact_form(asked) not in map(key_in_exact_form, others)


def test_a_counters_changed_number_does_not_change_the_fingerprint() -> None:
    def of(prompt: str) -> ChoiceQuestion[str]:
        yes = Option("yes", "yes", "yes")
        return ChoiceQuestion(
            rule="15.6131", subject="m-tk-1", side=MARINE, prompt=prompt, options=(yes,)
        )

    assert key_in_exact_form(of("M4A2 no. 16 (O12): Recalled?")) == key_in_exact_form(
        of("M4A2 no. 7 (O12): Recalled?")
    )
    assert key_in_exact_form(of("M4A2 no. 16 (O12): Recalled?")) != key_in_exact_form(
        of("M4A2 no. 16 (O13): Recalled?")
    )


def test_an_early_answer_is_used_once_and_removed_by_an_empty_list(
    players: tuple[Player, Player],
) -> None:
    _, japanese = players
    desk = japanese.sits()
    open_one, second, *_ = EarlyAnswerSheet(desk, JAPANESE).asks
    enter_early_answers(desk, JAPANESE, {open_one.key: "stay_hidden", second.key: "stay_hidden"})
    assert unrestricted_campaign(desk).open_question() is not None
    assert unrestricted_campaign(desk).open_question().subject not in (
        open_one.ask.subject,
        second.ask.subject,
    )
    third = one(
        EarlyAnswerSheet(desk, JAPANESE).asks,
        "15.602",
        unrestricted_campaign(desk).open_question().subject,
    )
    assert third.key[1] == unrestricted_campaign(desk).open_question().subject
    enter_early_answers(desk, JAPANESE, {})
    assert early_answers_of(unrestricted_campaign(desk), JAPANESE).given == {}
    assert unrestricted_campaign(desk).open_question().subject == third.ask.subject


def test_an_early_answer_that_is_not_allowed_is_refused_immediately(
    players: tuple[Player, Player],
) -> None:
    marine, _ = players
    desk = marine.sits()
    beach = one(EarlyAnswerSheet(desk, MARINE).asks, "15.605", "m-ldr-16")
    before = len(unrestricted_campaign(desk).entries)
    with pytest.raises(RefusedError, match=r"15\.605 m-ldr-16: .* is not allowed"):
        enter_early_answers(desk, MARINE, {beach.key: "A1"})
    assert len(unrestricted_campaign(desk).entries) == before


def test_an_early_answer_is_undone_with_the_answer_it_followed(
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
    last = max(entry.seq for entry in unrestricted_campaign(desk).entries if entry.is_early_answer)
    entries = reversed(unrestricted_campaign(desk).entries[: last - 1])
    own = next(entry for entry in entries if entry.kind == "answer" and not entry.is_early_answer)
    while own.seq in unrestricted_campaign(desk).standing:
        assert desk.undo_or_request().kind == "undo"
    assert last not in unrestricted_campaign(desk).standing
    desk.redo()


# --- who may, and who knows -----------------------------------------------------------------------


def test_a_side_gives_early_answers_only_for_itself(players: tuple[Player, Player]) -> None:
    marine, _ = players
    desk = marine.sits()
    rights = [
        right_to(unrestricted_campaign(desk), Seat.MARINE, "ahead", {"side": side})
        for side in ("marine", "japanese")
    ]
    assert rights == [Right.OWN, Right.NONE]
    with pytest.raises(RefusedError, match="only your opponent or the umpire may enter this"):
        enter_early_answers(desk, JAPANESE, {})


def test_the_opponent_sees_nothing_of_early_answers(players: tuple[Player, Player]) -> None:
    def read(desk: OpenCampaign) -> list[Any]:
        book = create_view(unrestricted_campaign(desk), JAPANESE)
        return [repr(each) for each in (status_document(book), book.rows, book.lines, book.head)]

    marine, japanese = players
    desk = marine.sits()
    before = read(desk)
    by_default(desk, MARINE)
    assert read(desk) == before
    line = create_view(unrestricted_campaign(desk)).lines[-1]
    assert line.text == "the Marine player enters 70 early answers"
    desk.close()
    japanese.receives(marine.sends())
    told = japanese.sends().name + japanese.letter
    offer = "brt-cg ahead YOUR-FILE.brt --side marine --defaults"  # as in each letter
    assert "ahead" not in told.replace(offer, "")
    assert "70" not in told


def test_early_questions_reveal_no_enemy_secrets() -> None:
    seen = squad("m-ldr-1", "N19", status=["wounded"]), squad("m-sq-1", "N20", status=["pinned"])
    hidden = squad("j-sq-1", "M41", status=["hidden"]), squad("j-ldr-1", "M41", status=["hidden"])

    def offered(*units: dict[str, Any]) -> list[AnswerKey]:
        desk = OpenCampaign(Path("none.brt"), play(begun(*units), to="15.6112 m-ldr-1"))
        return [each.key for each in EarlyAnswerSheet(desk, MARINE).asks]

    bare = offered(*seen, squad("j-sq-9", "M40"))
    assert bare
    assert offered(*seen, squad("j-sq-9", "M40"), *hidden) == bare


def test_a_mail_may_not_claim_an_answer_i_did_not_give(
    players: tuple[Player, Player],
) -> None:
    marine, japanese = players

    def cheat(desk: OpenCampaign) -> None:
        unrestricted_campaign(desk).answer("reveal", "japanese", GIVEN_AHEAD)

    marine.does(cheat)
    with pytest.raises(RefusedError, match="Marine seat may not enter"):
        japanese.receives(marine.sends())


def test_a_mail_cannot_buy_off_my_list_or_end_my_purchases_early(
    laid_out: Path, tmp_path: Path
) -> None:
    desk = OpenCampaign.open(Path(shutil.copy(laid_out, tmp_path)), backs_up=False)
    sheet = EarlyAnswerSheet(desk, JAPANESE)
    sheet.wishes.append({"item": "san_increase", "side": "japanese"})
    sheet.enter_answers(desk)
    [*desk.play_with_supply(DICE, paragraph_of("15.6143"))]
    entries = unrestricted_campaign(desk).entries
    at = next(number for number, entry in enumerate(entries) if entry.kind == "commit")
    before = Journal(lambda: "")
    before.load(entries[:at])
    check = SenderCheck(before, Seat.MARINE, Counter())
    bought, done = entries[at : at + 2]
    check.check_entry(bought, done)
    with pytest.raises(RefusedError, match="Marine seat may not enter"):
        check.check_entry(done, None)
    asked = {"side": "japanese", "list": [{"item": "concealment", "side": "japanese"}]}
    other = replace(bought, payload=bought.payload | {"asked": asked})
    with pytest.raises(RefusedError, match="Marine seat may not enter"):
        check.check_entry(other, done)
    assert audit_campaign(Path(str(desk.path))).ok


def test_an_audit_finds_a_false_early_answer(
    players: tuple[Player, Player],
) -> None:
    _, japanese = players
    japanese.does(
        lambda desk: unrestricted_campaign(desk).answer("reveal", "japanese", GIVEN_AHEAD)
    )
    found = audit_campaign(japanese.file)
    assert not found.ok
    assert "claims to be an early answer of its side, which gave none" in found.text()


def test_early_answers_of_both_sides_do_not_fork(players: tuple[Player, Player]) -> None:
    marine, japanese = players
    answers_all_ahead(marine)
    japanese.does(lambda desk: desk.answer_typed("stay_hidden"))
    assert marine.receives(japanese.sends()).done is MailResult.JOINED
    assert japanese.receives(marine.sends()).done is MailResult.APPENDED
    assert early_answers_of(
        unrestricted_campaign(OpenCampaign.open_read_only(japanese.file)), MARINE
    ).given
    assert audit_campaign(japanese.file).ok
