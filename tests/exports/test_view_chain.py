"""The hash chain of what one side may know: it only grows, and tells of no secret."""

import json
from collections.abc import Iterator

import pytest

from brt_cg.journal.changes import apply_changes, compare_campaigns
from brt_cg.journal.journal import Journal
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.model.encoding import encode_record
from brt_cg.model.visibility import visible_campaign
from brt_cg.views import side_view
from brt_cg.views.side_view import VisibleCampaign
from brt_cg.views.view_chain import view_hashes, view_head, view_links
from tests.exports.journals import JAPANESE, MARINE, NOON, begun, demo, play, squad

WOUNDED = squad("m-ldr-1", "N19", status=["wounded"], traits=["heroic"], name="Hawkins")
HIDDEN = squad("j-ldr-1", "M40", status=["hidden", "wounded"])
SETUP = squad("j-sq-1", "M40", status=["hidden"])


def test_a_sides_checksum_is_found_again_later() -> None:
    journal = play(begun(WOUNDED, HIDDEN), to="m-ldr-1")
    heads = []
    for die in (4, 2, 3):
        journal.answer(die, "marine")
        heads.append(view_head(journal, MARINE))
        journal.undo()
        heads.append(view_head(journal, MARINE))
    play(journal)
    assert set(heads) <= set(view_hashes(journal, MARINE))
    assert len(set(heads)) == 6


def test_a_truncated_journal_is_detected() -> None:
    whole = play(begun(WOUNDED), through="15.6112", m_ldr_1=4)
    assert view_head(whole, MARINE) not in view_hashes(without_the_last(whole), MARINE)


def without_the_last(journal: Journal, count: int = 1) -> Journal:
    """The journal with its tail cut off."""
    cut = Journal(lambda: NOON)
    cut.load(journal.entries[: len(journal.entries) - count])
    return cut


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_the_checksum_covers_the_end_of_a_refit_phase(side: Side, count: int) -> None:
    """15.6204 announces the SAN, 15.6205 moves the date on; nobody answers anything there."""
    journal = play(begun(WOUNDED, HIDDEN))
    assert journal.entries[-1].kind == "begin"
    assert view_head(journal, side) not in view_hashes(without_the_last(journal, count), side)


def test_the_end_of_a_paragraph_lists_changed_totals() -> None:
    """The leader dies of his wound: the enemy scores for him (15.6112), whatever else ended
    without a change."""
    journal = play(begun(WOUNDED, HIDDEN), through="15.6112", m_ldr_1=6, j_ldr_1=3)
    end = json.loads(view_links(journal, MARINE)[-1])
    (row,) = journal.campaign.casualties.records_with("counter", "m-ldr-1")
    assert (end["kind"], end["rule"]) == ("paragraph", "15.6112")
    assert ["casualties", row.id, "", None, encode_record(row)] in end["changes"]


def test_a_paragraph_that_ends_with_a_secret_reads_like_one_that_asks_nothing() -> None:
    journals = [play(begun(WOUNDED, *more)) for more in ((), (SETUP,))]
    assert view_hashes(journals[0], MARINE) == view_hashes(journals[1], MARINE)


def test_the_same_end_after_an_undone_secret_adds_no_link() -> None:
    journal = play(begun(SETUP), to="15.6114 marine")
    journal.answer(None, "marine")  # so that the Marines have nothing to set up
    play(journal)
    before = view_hashes(journal, MARINE)
    assert "hidden" in journal.campaign.units["j-sq-1"].status
    journal.undo()
    assert journal.campaign.situation.phase == "setup"
    play(journal)
    assert view_hashes(journal, MARINE) == before
    journal.undo()
    journal.redo()
    assert view_hashes(journal, MARINE) == before


def test_a_different_end_adds_a_link() -> None:
    journal = play(begun(squad("m-sq-1", "N19")))
    before = view_hashes(journal, JAPANESE)
    edit = {"id": "marine", "set": {"san": 6}, "reason": "misread"}
    journal.undo()
    journal.run_command("edit", edit, "players")
    play(journal)
    after = view_hashes(journal, JAPANESE)
    assert after[: len(before)] == before
    assert len(after) > len(before) + 1


# --- what a side sees, entry by entry -------------------------------------------------------------


def folds(journal: Journal, side: Side) -> Iterator[tuple[VisibleCampaign, Campaign]]:
    """The view after each entry, and the whole campaign."""
    view, fold = VisibleCampaign(side), Campaign()
    for entry in journal.entries:
        view.apply_to_whole(entry.changes)
        apply_changes(fold, entry.changes)
        yield view, fold


@pytest.mark.parametrize("side", Side)
def test_an_updated_view_equals_a_fresh_one(side: Side) -> None:
    before = Campaign()
    for view, fold in folds(demo(), side):
        changes = view.update()
        now = visible_campaign(fold, side)
        assert view.seen == now
        assert changes == compare_campaigns(before, now)
        before = now


def test_a_view_may_fall_behind_and_catch_up() -> None:
    for number, (view, fold) in enumerate(folds(demo(), MARINE)):
        if number % 7 == 0:
            view.update()
            assert view.seen == visible_campaign(fold, MARINE)


def test_correcting_one_counter_does_not_recompute_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes = []

    def counted(campaign: Campaign, side: Side | None) -> Campaign:
        sizes.append(sum(map(len, campaign.tables.values())))
        return visible_campaign(campaign, side)

    monkeypatch.setattr(side_view, "visible_campaign", counted)
    view = VisibleCampaign(MARINE)
    view.apply_to_whole(compare_campaigns(Campaign(), demo().campaign))
    view.update()
    view.apply_to_whole([["units", "m-sq-1", "name", view.fold.units["m-sq-1"].name, "Able"]])
    assert [one[1:3] for one in view.update()] == [["m-sq-1", "name"]]
    assert sizes[0] > 300
    assert sizes[1] < 30
