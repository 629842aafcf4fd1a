"""Only the newest entries of a long journal are kept in memory: nobody who looks can tell."""

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from brt_cg.exports.journal import build_journal
from brt_cg.journal import entry_cache
from brt_cg.journal.entries import Entry, make_next_entry
from brt_cg.journal.entry_cache import EntryCache
from brt_cg.model.counters import Side
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign as journal_of
from brt_cg.storage.errors import DamagedError
from brt_cg.views.view import create_view
from tests.audit.forger import pried_open
from tests.audit.played import make


@pytest.fixture
def short_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry_cache, "NEWEST", 3)
    monkeypatch.setattr(entry_cache, "PAGE", 4)
    monkeypatch.setattr(entry_cache, "PAGES", 2)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("kept") / "played.brt")


def whole(path: Path) -> list[Entry]:
    return list(journal_of(OpenCampaign.open(path)).entries)


@pytest.mark.usefixtures("short_memory")
def test_entries_are_read_back_as_written(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short = journal_of(OpenCampaign.open(played)).entries
    read = [short[index] for index in (0, 40, 3, -1, 17, len(short) - 1)]
    monkeypatch.undo()
    entries = whole(played)
    assert read == [entries[index] for index in (0, 40, 3, -1, 17, len(entries) - 1)]
    assert list(short) == entries
    assert short[5:50:7] == entries[5:50:7]
    assert short[::-1] == entries[::-1]


@pytest.mark.parametrize("side", [None, *Side])
def test_documents_and_undo_are_the_same_with_the_cache(
    side: Side | None, played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = OpenCampaign.open(played)
    monkeypatch.setattr(entry_cache, "NEWEST", 3)
    short = OpenCampaign.open(played)
    assert (
        build_journal(create_view(journal_of(short), side)).data
        == build_journal(create_view(journal_of(long), side)).data
    )
    for whole_call in (False, True):
        assert journal_of(short).entries_to_undo(whole_call) == journal_of(long).entries_to_undo(
            whole_call
        )
    assert sorted(journal_of(short).answer_counts()) == sorted(journal_of(long).answer_counts())


@pytest.mark.usefixtures("short_memory")
def test_play_and_undo_work_with_the_cache(tmp_path: Path) -> None:
    path = make(tmp_path / "campaign.brt")
    desk = OpenCampaign.open(path)
    before = [entry.text for entry in journal_of(desk).entries]
    state = journal_of(desk).campaign.clone()
    for _ in range(4):
        desk.undo_or_request()
    for _ in range(4):
        desk.redo()
    assert journal_of(desk).campaign == state
    assert [entry.text for entry in journal_of(desk).entries][: len(before)] == before
    desk.close()
    assert whole(path)[-1].kind == "redo"


@pytest.mark.usefixtures("short_memory")
def test_entries_missing_from_the_file_are_noticed(tmp_path: Path) -> None:
    path = make(tmp_path / "campaign.brt")
    entries = journal_of(OpenCampaign.open(path)).entries
    with pried_open(path) as connection:
        connection.execute("DELETE FROM journal WHERE seq = 7")
    with pytest.raises(DamagedError, match="are missing"):
        list(entries)


# --- by themselves --------------------------------------------------------------------------------


@given(st.lists(st.sampled_from(["append", "stored", "cut", "newest"]), max_size=40))
@example(["append"] * 4 + ["stored", "append", "cut"])  # of those that are in memory, some
def test_cached_entries_behave_like_a_list(steps: list[str]) -> None:
    plain: list[Entry] = []
    stored = 0
    entries = EntryCache(lambda first, last: plain[first - 1 : last])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(entry_cache, "NEWEST", 2)
        patch.setattr(entry_cache, "PAGE", 3)
        for number, step in enumerate(steps):
            if step == "append":
                plain.append(make_next_entry(plain, {"number": number}))
                entries.append(plain[-1])
            elif step == "stored":
                entries.mark_stored()
                stored = len(plain)
            elif step == "cut":
                assert entries.truncate(stored) == plain[stored:]
                del plain[stored:]
            elif len(plain) > stored:
                plain[-1] = make_next_entry(plain[:-1], {"instead": number})
                entries.replace_newest(plain[-1])
            assert list(entries) == plain
            assert len(entries) == len(plain)
            assert entries[-1:] == plain[-1:]
    with pytest.raises(IndexError):
        entries[len(plain)]
