"""A book holds nothing of the enemy's secrets: of two campaigns that differ in them alone, however
many there are, the books are the same to the last byte."""

import pickle
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from brt_cg.exports import PUBLIC, export_document
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.model.visibility import visible_campaign
from brt_cg.views.view import (
    PublicView,
    ReadMark,
    SeatView,
    SharedView,
    StaleViewError,
    UmpireView,
    View,
    create_view,
)
from brt_cg.web import friends_page
from tests.exports.journals import JAPANESE, MARINE, new, plain_answer
from tests.secrets.pairs import HIDDEN, POINTS, ended


def played(secrets: int, through: str | None) -> Journal:
    """A campaign with some of the Japanese side's secrets, and so many secret notes of his."""
    journal = new(allotments=POINTS)
    journal.run_command("import", ended(HIDDEN[secrets]), "players")
    for number in range(secrets):
        note = {"words": f"dig in {number}", "side": "japanese", "about": None}
        journal.run_command("note", note, "japanese")
    while through is not None and (ask := journal.play_to_next_question()) is not None:
        if ask.rule > through and ask.side is MARINE:
            break
        journal.answer(plain_answer(ask), ask.side)
    return journal


def held(book: View) -> dict[str, Any]:
    """All that a book holds and reads, pickled; the question by what is asked."""
    parts = {"campaign": book.campaign, "requests": book.requests, "begun": book.begun}
    parts |= {"next": book.next, "half": book.half, "turn": book.turn, "waiting": book.waiting}
    parts |= {"lines": book.lines, "mark": book.mark, "since": book.lines_since(ReadMark(1, 0))}
    ask = book.ask
    parts["ask"] = ask and (ask.rule, ask.subject, ask.prompt, ask.allowed)
    if isinstance(book, PublicView) or not isinstance(book, SharedView):
        parts |= {"rows": book.rows}
    if not isinstance(book, SharedView):
        parts |= {"head": book.head}
    return {name: pickle.dumps(part) for name, part in parts.items()}


@pytest.mark.parametrize("through", [None, "15.602", "15.605", "15.6111", "15.614"])
@pytest.mark.parametrize("opened", [partial(SeatView, side=MARINE), SharedView, PublicView])
def test_views_of_campaigns_that_differ_in_enemy_secrets_are_identical(
    through: str | None, opened: Callable[[Journal], View]
) -> None:
    twins = [played(secrets, through) for secrets in range(2)]
    books = map(opened, twins)
    first, *others = map(held, books)
    for other in others:
        assert {name for name in first if other[name] != first[name]} == set()


@pytest.mark.parametrize("through", [None, "15.602", "15.605", "15.614", "15.616"])
@pytest.mark.parametrize("what", PUBLIC)
def test_the_public_view_does_not_depend_on_secrets(through: str | None, what: str) -> None:
    bare, full = (played(secrets, through) for secrets in range(2))
    note = {"words": "We land at dawn", "side": "marine", "about": None}
    full.run_command("note", note, "marine")
    assert export_document(PublicView(bare), what, "html") == export_document(
        PublicView(full), what, "html"
    )


@pytest.mark.parametrize("through", [None, "15.602", "15.605", "15.614", "15.616"])
def test_the_page_for_friends_does_not_depend_on_secrets(
    through: str | None,
) -> None:
    bare, full = (played(secrets, through) for secrets in range(2))
    full.run_command(
        "note", {"words": "We land at dawn", "side": "marine", "about": None}, "marine"
    )
    pages = [
        "".join(friends_page.friends_status_html_parts(PublicView(each))) for each in (bare, full)
    ]
    assert pages[0] == pages[1]
    assert "land at dawn" not in pages[1]


def test_no_id_of_hidden_enemy_counters_is_in_a_view() -> None:
    journal = played(1, "15.602")
    seen = {counter.id for counter in SeatView(journal, MARINE).campaign.counters()}
    hidden = {counter.id for counter in journal.campaign.counters()} - seen
    assert {"j-sq-1", "j-gun-1", "j-pb-1"} <= hidden
    for book in (SeatView(journal, MARINE), SharedView(journal), PublicView(journal)):
        parts = held(book).values()
        assert {id for id in hidden if any(id.encode() in part for part in parts)} == set()


def test_an_outdated_view_cannot_be_read() -> None:
    journal = played(0, None)
    for book in (UmpireView(journal), SeatView(journal, MARINE), SharedView(journal)):
        begun = len(journal.entries)
        journal.run_command("note", {"words": "on", "side": None, "about": None}, "players")
        assert len(journal.entries) == begun + 1
        with pytest.raises(StaleViewError):
            _ = book.lines


def test_only_the_umpire_opens_the_view_of_another_seat() -> None:
    journal = played(0, None)
    assert UmpireView(journal).for_seat(JAPANESE).side is JAPANESE
    own = SeatView(journal, MARINE)
    assert own.for_seat(MARINE) is own
    with pytest.raises(LookupError, match="only the umpire"):
        own.for_seat(JAPANESE)


def test_the_public_view_has_neither_rows_nor_a_checksum() -> None:
    book = SharedView(played(1, None))
    with pytest.raises(LookupError):
        _ = book.rows
    with pytest.raises(LookupError):
        _ = book.head


@pytest.mark.parametrize("side", [None, *Side])
def test_lines_since_a_mark_are_the_new_lines(side: Side | None) -> None:
    journal = played(0, "15.602")
    before = create_view(journal, side)
    mark, known = before.mark, len(before.lines)
    for words in ("one", "two"):
        journal.run_command("note", {"words": words, "side": None, "about": None}, "players")
    now = create_view(journal, side)
    assert [line.text for line in now.lines_since(mark)] == [
        line.text for line in now.lines[known:]
    ]
    assert now.lines_since(now.mark) == []


@pytest.mark.parametrize("side", Side)
def test_a_view_of_a_view_is_the_same(side: Side) -> None:
    seen = SeatView(played(1, "15.614"), side).campaign
    assert pickle.dumps(visible_campaign(seen, side)) == pickle.dumps(seen)


@pytest.mark.parametrize("side", Side)
def test_a_sides_rows_are_the_same_without_enemy_changes(side: Side) -> None:
    journal = played(1, "15.614")
    for _ in range(8):  # also of what the other side knows
        journal.undo()
    book = create_view(journal, side)
    assert any(row.undone for row in book.rows)
    assert any(row.changes for row in book.rows)
    without = [replace(row, changes=()) for row in book.rows]
    assert [replace(row, changes=()) for row in book.rows_without_changes] == without
