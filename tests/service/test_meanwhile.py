"""Two who enter at the same time: what depends on nothing that the other entered is entered after
it, what does is refused; and what was put in place of the campaign is left alone."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import Context
from pathlib import Path
from typing import Any

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.journal.entries import Entry
from brt_cg.service.campaign_reader import TRIES
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.storage import sqlite
from brt_cg.storage.errors import StaleCampaignError, StorageError
from brt_cg.storage.place import Place
from brt_cg.web import plain_page
from tests.web.forms import Forms
from tests.web.serving import at_its_first_question


def noting(words: str) -> dict[str, object]:
    return {"words": words, "side": None, "about": None}


def words_in(place: Place) -> list[str]:
    with opened(place) as desk:
        return [
            one.asked["words"] for one in unrestricted_campaign(desk).entries if one.kind == "note"
        ]


@contextmanager
def opened(place: Place) -> Iterator[OpenCampaign]:
    desk = OpenCampaign.open(place)
    try:
        yield desk
    finally:
        desk.close()


def new(place: Place) -> None:
    OpenCampaign.create(place, {"cg": "III"}).close()


def test_a_note_is_entered_after_another_windows_entry(place: Place) -> None:
    new(place)
    with opened(place) as mine, opened(place) as other:
        other.run_command("note", noting("first"))
        mine.run_command("note", noting("second"))
        assert len(unrestricted_campaign(mine).entries) == 3
    assert words_in(place) == ["first", "second"]


def test_several_notes_of_one_command_are_one_invocation_after_it(place: Place) -> None:
    new(place)
    with opened(place) as mine, opened(place) as other:
        other.run_command("note", noting("first"))
        mine.run_commands("note", map(noting, ["second", "third"]))
        calls = [entry.invocation for entry in unrestricted_campaign(mine).entries]
        assert calls == [1, 2, 3, 3]


def test_a_note_is_finally_entered_while_another_window_keeps_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "campaign.brt"
    new(path)
    with opened(path) as mine, opened(path) as other:
        entered, waits = OpenCampaign._at_once, list[str]()

        def note_before() -> None:
            try:
                entered(other, [("note", noting("quicker"))], "players")
                other.reload()
            except StorageError as why:
                waits.append(str(why))

        def after_another(desk: OpenCampaign, commands: Any, by: str) -> list[Entry]:
            Context().run(note_before)  # as in a thread of its own
            made = entered(desk, commands, by)
            Context().run(other.reload)
            return made

        monkeypatch.setattr(sqlite, "PATIENCE", 0.05)
        monkeypatch.setattr(OpenCampaign, "_at_once", after_another)
        mine.run_command("note", noting("mine"))
    assert words_in(path) == [*["quicker"] * (TRIES - 1), "mine"]
    assert len(waits) == 1
    assert "another window or program" in waits[0]
    assert audit_campaign(path).ok
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_a_correction_is_not_entered_after_another_windows_entry(place: Place) -> None:
    new(place)
    edit = {"id": "marine", "set": {"cvp": 40}, "reason": "miscounted"}
    with opened(place) as mine, opened(place) as other:
        other.run_command("note", noting("first"))
        with pytest.raises(StaleCampaignError):
            mine.run_command("edit", edit)
    assert words_in(place) == ["first"]


def test_a_note_is_not_written_into_a_replacement_campaign(
    tmp_path: Path,
) -> None:
    path, other = tmp_path / "campaign.brt", tmp_path / "other.brt"
    new(path)
    OpenCampaign.create(other, {"cg": "II"}).close()
    with opened(other) as desk:
        desk.run_commands("note", map(noting, ["one", "two", "three"]))
    with opened(path) as mine:
        path.write_bytes(other.read_bytes())
        with pytest.raises(StorageError):
            mine.run_command("note", noting("mine"))
    assert words_in(path) == ["one", "two", "three"]


def test_a_note_is_not_written_after_a_restore_that_dropped_seen_entries(tmp_path: Path) -> None:
    path = tmp_path / "campaign.brt"
    new(path)
    earlier = path.read_bytes()
    with opened(path) as mine:
        mine.run_command("note", noting("seen"))
        path.write_bytes(earlier)
        with pytest.raises(StaleCampaignError):
            mine.run_command("note", noting("mine"))
    assert words_in(path) == []


# --- the plain page -------------------------------------------------------------------------------


@pytest.fixture
def asked(demo_file: Path) -> Path:
    """The demo, where the Marines are asked."""
    at_its_first_question(demo_file)
    return demo_file


def tap(file: Path) -> dict[str, str]:
    """What the first button of the Marines' page sends."""
    (fields, _), *_ = Forms(plain_page.render_page(file, "marine")).found
    return fields


@pytest.mark.parametrize("side", [None, "marine", "japanese"])
def test_a_note_does_not_close_an_open_question_on_a_page(asked: Path, side: str | None) -> None:
    fields = tap(asked)
    with opened(asked) as other:
        other.run_command("note", noting("seen") | {"side": side})
    assert tap(asked) == fields
    plain_page.submit_form(asked, "marine", fields)
    assert tap(asked) != fields


def test_an_answer_is_entered_after_a_note_that_came_while_it_was_stored(
    asked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields, does = tap(asked), plain_page._does
    notes = iter(["first", "second"])

    def meanwhile(desk: OpenCampaign, given: dict[str, str]) -> None:
        with opened(asked) as other:
            other.run_commands("note", map(noting, [*notes][:1]))
        does(desk, given)

    monkeypatch.setattr(plain_page, "_does", meanwhile)
    plain_page.submit_form(asked, "marine", fields)
    assert words_in(asked) == ["first"]
    with opened(asked) as desk:
        assert unrestricted_campaign(desk).entries[-1].kind == "answer"
    assert audit_campaign(asked).ok


def test_an_answer_whose_question_another_answered_meanwhile_is_refused(
    asked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields, does = tap(asked), plain_page._does
    before = len(answers(asked))

    def meanwhile(desk: OpenCampaign, given: dict[str, str]) -> None:
        monkeypatch.setattr(plain_page, "_does", does)
        plain_page.submit_form(asked, "marine", fields)
        does(desk, given)

    monkeypatch.setattr(plain_page, "_does", meanwhile)
    with (
        suppress(StaleCampaignError),
        pytest.raises(plain_page.RefusedError, match="That question has already been answered"),
    ):
        plain_page.submit_form(asked, "marine", fields)
    assert len(answers(asked)) == before + 1


def answers(file: Path) -> list[int]:
    with opened(file) as desk:
        return [
            entry.seq for entry in unrestricted_campaign(desk).entries if entry.kind == "answer"
        ]
