"""Single lines of a difference refused: what they are about stays as the campaign has it."""

from typing import Any

import pytest

from brt_cg.commands.difference import Line, What, difference
from brt_cg.commands.state_document import document
from brt_cg.imports.door import REFUSABLE, accepted
from brt_cg.journal.book import Book
from tests.exports.books import begun, play, squad


@pytest.fixture
def book() -> Book:
    units = (squad("m-sq-1", "N19"), squad("m-sq-2", "N20"), squad("j-sq-1", "M40"))
    return play(begun(*units, squad("j-sq-2", "M41"), squad("m-ldr-1", "N19")))


@pytest.fixture
def asked(book: Book) -> dict[str, Any]:
    """The end of the 20 PM scenario: two stand on map, one is broken, one missing, one new."""
    state = document(book.campaign)
    rows = {row["id"]: row for row in state["units"]}
    rows["m-sq-1"] |= {"location": "N21"}
    rows["m-ldr-1"] |= {"location": "N21", "status": ["broken"]}
    del rows["j-sq-1"]
    state["units"] = [*rows.values(), squad("m-sq-9", "N18")]
    state["scenario"] |= {"winner": "japanese", "moved_first": "marine"}
    state["sides"]["marine"] |= {"cvp": 40}
    state["perimeters"] = [["N18", "N19"]]
    pieces = {"101": "m-sq-1", "102": "m-sq-9", "103": "m-sq-2"}
    return {"state": state, "source": "x", "missing": None, "side": None, "pieces": pieces}


def lines(book: Book, asked: dict[str, Any]) -> list[Line]:
    return difference(book.campaign, asked, book.card)


def told(found: list[Line]) -> set[tuple[What, str]]:
    return {(line.what, line.about) for line in found if line.what is not What.WARNING}


def test_nothing_refused_is_what_was_asked(book: Book, asked: dict[str, Any]) -> None:
    assert accepted(book.campaign, asked, []) == asked


def test_each_line_can_be_refused_by_itself(book: Book, asked: dict[str, Any]) -> None:
    found = lines(book, asked)
    whats = {line.what for line in found}
    assert whats >= {What.ADDED, What.MISSING, What.MOVED, What.CHANGED, What.TOTALS}
    for line in found:
        if line.what in REFUSABLE:
            left = lines(book, accepted(book.campaign, asked, [line]))
            assert told(found) - told(left) == {(line.what, line.about)}


def test_the_difference_warns_of_totals_and_of_odd_counters_and_of_nothing_else(
    book: Book, asked: dict[str, Any]
) -> None:
    book.command("ruling", {"id": "R-VP", "value": "campaign"}, "Ann")
    book.campaign.situation.pillbox_vp = 3
    asked["state"]["facts"] = {"pillbox_vp": 1}
    asked["state"]["vehicles"] = [
        {"id": "m-tk-1", "side": "marine", "type": "M4A2", "location": "N19", "cvp": 0}
    ]
    totals, odd = (line.head for line in lines(book, asked) if line.what is What.WARNING)
    assert totals.startswith("warning: VP for pillboxes were 3 before")
    assert odd.endswith("its CVP is 0; that of M4A2 is 6")


def test_with_all_refused_and_the_missing_kept_nothing_changes(
    book: Book, asked: dict[str, Any]
) -> None:
    found = lines(book, asked)
    refused = [line for line in found if line.what in REFUSABLE]
    left = lines(book, accepted(book.campaign, asked, refused, {"j-sq-1": "keep"}))
    assert {what for what, _ in told(left)} == {What.SCENARIO}


def test_the_missing_are_answered_one_by_one(book: Book, asked: dict[str, Any]) -> None:
    asked["state"]["units"] = [row for row in asked["state"]["units"] if row["id"] != "j-sq-2"]
    fates = {"j-sq-1": "eliminated", "j-sq-2": "keep"}
    book.begin_call()
    book.command("import", accepted(book.campaign, asked, [], fates), "players")
    units = book.campaign.units
    assert [units[id].fate for id in fates] == ["eliminated", "in_play"]


def test_the_piece_of_a_refused_line_is_matched_anew_next_time(
    book: Book, asked: dict[str, Any]
) -> None:
    refused = [line for line in lines(book, asked) if line.about in ("m-sq-1", "m-sq-9")]
    assert accepted(book.campaign, asked, refused)["pieces"] == {"103": "m-sq-2"}


def test_what_is_handed_in_stays_as_it_is(book: Book, asked: dict[str, Any]) -> None:
    before = str(asked)
    accepted(book.campaign, asked, lines(book, asked), {"j-sq-1": "keep"})
    assert str(asked) == before
