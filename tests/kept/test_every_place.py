"""A campaign of an older version is opened wherever it was left in the middle of a paragraph: it is
asked on, or says what differs, and one undo leads to a question.

A run tries some campaigns, and some places in each; BRT_CG_EFFORT=full tries all.
"""

import pytest

from brt_cg.exports.status import status_text
from brt_cg.journal.journal import Journal
from brt_cg.journal.mismatch import Mismatch
from brt_cg.model.counters import Side
from brt_cg.views.view import create_view
from tests.choices import unclear
from tests.kept.stops import KEPT, entries_of
from tests.kept.test_kept_versions import chance
from tests.settings import count

OLDEST = KEPT[0]


def left_at(kept: str, length: int) -> Journal:
    journal = Journal(lambda: "2026-11-29T00:00:00Z")
    journal.load(entries_of(kept)[:length])
    return journal


def places(kept: str) -> list[int]:
    """The lengths of its journal after a beginning or an answer."""
    return [each.seq for each in entries_of(kept) if each.kind in ("begin", "answer")]


def steps_back(journal: Journal, found: Mismatch) -> None:
    """Every seat reads that it cannot continue; one undo changes that."""
    for side in (None, *Side):
        assert "cannot continue" in status_text(create_view(journal, side))
    undone = journal.undo().asked["entries"]
    assert (journal.mismatch, found.entry in undone) == (None, True)
    assert journal.open_question() is not None or found.agree is None


@pytest.mark.parametrize("kept", KEPT[:: count(16, 1)])
def test_an_old_campaign_continues_or_shows_the_difference_and_one_undo_helps(kept: str) -> None:
    at = sorted(places(kept), key=lambda length: chance(kept, str(length)))
    for length in at[: count(6, len(at))]:
        journal = left_at(kept, length)
        if (found := journal.mismatch) is not None:
            steps_back(journal, found)
        journal.play_to_next_question()


def test_some_kept_paragraph_is_played_differently_by_current_rules() -> None:
    found = [length for length in places(OLDEST) if entries_of(OLDEST)[length - 1].rule == "15.605"]
    journals = [left_at(OLDEST, length) for length in found[-3:-1]]
    differing = [(each, each.mismatch) for each in journals if each.mismatch is not None]
    assert differing
    for journal, mismatch in differing:
        assert mismatch is not None
        steps_back(journal, mismatch)


@pytest.mark.parametrize("kept", KEPT[:: count(8, 1)])
def test_no_two_choices_have_the_same_text_and_each_is_found_by_name(kept: str) -> None:
    entries = entries_of(kept)
    asked = [
        entry.seq - 1
        for entry in entries
        if entry.kind == "answer" and entry.payload["ask"]["kind"] != "roll"
    ]
    at = sorted(asked, key=lambda length: chance(kept, f"choice {length}"))
    for length in at[: count(6, len(at))]:
        journal = left_at(kept, length)
        ask = journal.open_question() if journal.mismatch is None else None
        assert ask is None or unclear(ask, journal.campaign) == []
