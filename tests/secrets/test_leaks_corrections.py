"""What a correction tells the enemy is what he saw change; the rest is told to its own side."""

from typing import Any

import pytest

from brt_cg.answers import Refused
from brt_cg.counters import Side
from brt_cg.exports.log import log_lines
from brt_cg.journal.book import Book
from tests.exports.books import JAPANESE, MARINE, begun, new, play, squad, state, take_in
from tests.secrets.pairs import POINTS, assert_alike

SEEN = (squad("m-sq-1", "N19"), squad("m-sq-2", "N20"), squad("j-sq-9", "P21"))
PLACES = ("L38", "K36")


def correct(book: Book, id: str, **fields: Any) -> Book:
    book.begin_call()
    book.command("edit", {"id": id, "set": fields, "reason": "a slip"}, "Ann")
    return book


def told(book: Book, side: Side | None) -> list[str]:
    """What a side reads of the newest entry."""
    return [line.text for line in log_lines(book, side, since=len(book.entries) - 1)]


def hiding(place: str, *units: dict[str, Any], **fields: Any) -> Book:
    return begun(*SEEN, squad("j-sq-1", place, status=["hidden"]), *units, **fields)


def test_one_that_comes_in_sight_does_not_tell_where_it_was() -> None:
    books = [correct(hiding(place), "j-sq-1", location="M41", status=[]) for place in PLACES]
    assert_alike(*books)
    assert told(books[0], MARINE) == ["Ann: 4-4-7 squad j-sq-1: now seen, M41"]
    assert told(books[0], JAPANESE) == [
        "Ann: 4-4-7 squad j-sq-1: now seen, M41",
        "Ann: 4-4-7 squad j-sq-1: Location L38 → M41, status hidden → – (a slip)",
    ]


def test_one_that_goes_out_of_sight_does_not_tell_where_to_nor_why() -> None:
    books = [begun(*SEEN) for _ in PLACES]
    for book, place in zip(books, PLACES, strict=True):
        correct(book, "j-sq-9", location=place, status=["hidden"])
    assert_alike(*books)
    assert told(books[0], MARINE) == ["Ann: 4-4-7 squad j-sq-9: seen no longer"]


def test_what_stays_hidden_is_told_to_its_side_alone() -> None:
    book = correct(hiding("L38"), "j-sq-1", location="K36")
    assert told(book, MARINE) == []
    assert told(book, JAPANESE) == ["Ann: 4-4-7 squad j-sq-1: Location L38 → K36 (a slip)"]


def test_what_stays_in_sight_is_told_to_both_in_one_sentence() -> None:
    book = correct(hiding("L38"), "j-sq-9", status=["broken"])
    for side in (None, MARINE, JAPANESE):
        assert told(book, side) == ["Ann: 4-4-7 squad j-sq-9: status – → broken (a slip)"]


def test_a_prisoner_handed_on_does_not_tell_who_hid_with_him() -> None:
    books = []
    for place in PLACES:
        prisoner = squad("m-sq-3", place, status=["prisoner"], guard="j-sq-1")
        books.append(hiding(place, prisoner))
        correct(books[-1], "m-sq-3", location="P21", guard="j-sq-9")
    assert_alike(*books)
    assert told(books[0], MARINE) == [
        "Ann: 7-6-8 squad m-sq-3: Location – → P21, guarded by – → j-sq-9 (a slip)"
    ]


def test_a_weapon_handed_on_does_not_tell_who_hid_with_it() -> None:
    books = []
    for place in PLACES:
        weapon = {"id": "j-lmg-1", "side": "japanese", "kind": "sw", "type": "LMG"}
        books.append(hiding(place, weapons=[weapon | {"location": place, "possessor": "j-sq-1"}]))
        correct(books[-1], "j-lmg-1", location="P21", possessor="j-sq-9")
    assert_alike(*books)
    assert told(books[0], MARINE) == ["Ann: LMG j-lmg-1: now seen, P21"]


@pytest.mark.parametrize("phase", ["purchase", "setup"])
def test_where_one_is_to_set_up_is_told_to_its_side_alone(phase: str) -> None:
    books = []
    for place in ("N20", "N21"):
        book = entered() if phase == "purchase" else play(begun(*SEEN), through="15.6201")
        books.append(correct(book, "m-sq-1", location=place))
    assert_alike(*books, side=JAPANESE)
    assert told(books[0], JAPANESE) == []
    assert told(books[0], MARINE) == ["Ann: 7-6-8 squad m-sq-1: Location – → N20 (a slip)"]


def entered() -> Book:
    book = new()
    waiting = squad("m-sq-1", "") | {"location": None}
    document = {"format": "brt-cg/state", "version": 1, "units": [waiting]}
    book.command("reinforce", {"state": document, "source": "oob.json"}, "players")
    return book


def test_a_san_corrected_does_not_tell_what_was_bought() -> None:
    books = []
    for item in ("san_increase", "wire"):
        book = new(allotments=POINTS)
        order = {"item": item, "side": "japanese", "beach": "red_one", "quantity": 1}
        book.command("buy", order, "japanese")
        books.append(correct(book, "japanese", san=4))
    assert_alike(*books)


def test_a_correction_of_what_both_know_is_one_sentence_in_the_setup_too() -> None:
    book = play(take_in(new(), state(*SEEN)), through="15.6201")
    correct(book, "m-sq-1", name="Baker")
    assert told(book, JAPANESE) == ["Ann: 7-6-8 squad m-sq-1: name – → Baker (a slip)"]


@pytest.mark.parametrize(
    "wanted",
    [
        {"id": "m-sq-1", "set": {"aboard": "j-sq-1"}},
        {"id": "m-sq-1", "set": {"location": "N19:j-pb-1"}},
        {"id": "j-sq-1", "set": {"name": "Ito"}},
    ],
)
def test_a_seat_finds_nothing_hidden_by_naming_it(wanted: dict[str, Any]) -> None:
    """It is refused as an id that there is not; the umpire may do it, or is told why not."""
    pillbox = {"id": "j-pb-1", "side": "japanese", "type": "pillbox", "location": "N19"}
    books = [hiding("L38", fortifications=[pillbox | {"hidden": True}]), begun(*SEEN)]
    told = []
    for book in books:
        with pytest.raises(Refused) as refused:
            book.command("edit", wanted | {"reason": "a guess"}, "marine")
        told.append(str(refused.value))
    assert told[0] == told[1]
