"""What is written for a side says all that its views of the journal say, and holds no more."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from brt_cg.commands.state_document import document
from brt_cg.exports.status import status_text
from brt_cg.exports.time_travel import Reach, much_text, redo_reach, undo_reach
from brt_cg.forecast.start import start_of
from brt_cg.journal.changes import compare
from brt_cg.journal.entries import canonical
from brt_cg.journal.journal import Journal
from brt_cg.journal.seat_pages import Pages
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.model.visibility import seen_by
from brt_cg.questions.answers import Form, Pointed, Raw, Refused
from brt_cg.questions.asks import Ask, Enter, Several
from brt_cg.refit.s620_setup import AT_SETUP
from brt_cg.tui.scenario_end import points_before
from brt_cg.tui.steps import steps_of
from brt_cg.views.asks import LEFT, made_whole, page_of_ask
from brt_cg.views.book import SeatJournal
from brt_cg.views.journal import visible
from brt_cg.views.pages import pages_of
from brt_cg.views.public_point import known_ask, public_book
from tests.exports.journals import JAPANESE, MARINE, new, plain_answer, take_in
from tests.secrets.pairs import HIDDEN, POINTS, all_that_is_read, difference, ended, glance
from tests.settings import count
from tests.test_recorded import CAMPAIGNS, replay

SIDES = (MARINE, JAPANESE)


def begun(number: int = 0) -> Journal:
    """A campaign with Japanese secrets of every kind, at the start of its Refit Phase."""
    journal = new(allotments=POINTS)
    item = ("hmg", "wire")[number]
    order = {"item": item, "side": "japanese", "beach": "red_one", "quantity": number + 1}
    journal.command("buy", order, "japanese")
    return take_in(journal, ended(HIDDEN[number])["state"])


def played(journal: Journal) -> Iterator[Ask[Any]]:
    """Plays the Refit Phase; each question that comes, before it is answered."""
    while (ask := journal.advance()) is not None:
        yield ask
        now = journal.advance()  # after what was taken back meanwhile
        if now is not None:
            journal.answer(plain_answer(now), now.side)


def reloaded(journal: Journal) -> Journal:
    """A journal as it is read from storage."""
    found = Journal(journal.clock)
    found.load(replace(entry, payload=json.loads(entry.text)) for entry in journal.entries)
    return found


def assert_same(journal: Journal, side: Side, read: Any) -> None:
    """A side reads of its pages what it reads of the journal."""
    journal = reloaded(journal)
    known, pages = public_book(journal, side), SeatJournal(pages_of(journal, side), side)
    one, other = read(known, side), read(pages, side)
    unread = one.keys() - other.keys()  # entries that the side knows nothing of
    assert {str(one[name]).partition(" of ")[0] for name in unread} <= {"nothing is known"}
    for name in other:
        if one[name] != other[name]:
            pytest.fail(f"{name} differs:\n{difference(one[name], other[name])}", pytrace=False)


def around(journal: Journal, side: Side) -> dict[str, Any]:
    """What the screen shows beside what is exported."""
    ask = known_ask(journal, side)
    return glance(journal, side) | {
        "view": compare(Campaign(), seen_by(journal.campaign, side)),
        "steps": repr(steps_of(journal, side)),
        "ask": ask and canonical(page_of_ask(ask, side)),
        "upcoming": journal.next_paragraph(),
    }


@pytest.mark.parametrize("side", SIDES)
def test_at_every_question_of_a_refit_phase_a_side_reads_the_same(side: Side) -> None:
    journal = begun()
    for number, _ in enumerate(played(journal)):
        if number % 3 == 0:
            assert_same(journal, side, around)
    assert_same(journal, side, all_that_is_read)


@pytest.mark.parametrize(
    "folder", CAMPAIGNS[: count(ci=1, full=len(CAMPAIGNS))], ids=lambda folder: folder.name
)
def test_of_a_recorded_campaign_a_side_reads_the_same(folder: Path, tmp_path: Path) -> None:
    desk = replay(folder, tmp_path / "t.brt")
    for side in SIDES:
        assert_same(desk.journal, side, all_that_is_read)
    desk.close()


@pytest.mark.parametrize("side", SIDES)
def test_of_what_was_taken_back_and_done_again_a_side_reads_the_same(side: Side) -> None:
    journal = begun()
    for number, _ in enumerate(played(journal)):
        if number % 4 == 3:
            for _ in range(number % 3):
                journal.undo(whole_call=number % 2 == 0)
            if number % 8 == 3 and journal.redoable:
                journal.redo()
            assert_same(journal, side, around)
            assert_reach(journal, side)
        if number > 80:
            break
    assert_same(journal, side, all_that_is_read)


def assert_reach(journal: Journal, side: Side) -> None:
    """What may be taken back may be asked for; whether a secret is in the way, is not written."""
    pages = SeatJournal(pages_of(journal, side), side)
    for whole_call in (False, True):
        if undo_reach(journal, side, whole_call) is Reach.POSSIBLE:
            assert undo_reach(pages, side, whole_call) is Reach.POSSIBLE
            assert much_text(pages, side, whole_call) == much_text(journal, side, whole_call)
    if redo_reach(journal, side) is Reach.POSSIBLE:
        assert redo_reach(pages, side) is Reach.POSSIBLE


def test_whose_half_of_the_end_of_a_scenario_is_still_to_come_a_side_reads_of_its_pages() -> None:
    journal = begun()
    for _ in played(journal):
        assert journal.missing_half() is None
    for side, to_come in ((MARINE, JAPANESE), (JAPANESE, None)):
        half = {"state": document(journal.campaign, side), "source": f"{side}.json", "side": side}
        journal.command("import", half, side)
        pages = [SeatJournal(pages_of(journal, reader), reader) for reader in SIDES]
        assert {known.missing_half() for known in (journal, *pages)} == {to_come}
        for known in (journal, *pages):
            assert (f"import FILE STATE --side {to_come}" in status_text(known)) is bool(to_come)


def test_a_half_begins_with_the_points_for_what_its_side_knew_and_sees_lost() -> None:
    journal = begun()
    assert list(played(journal))
    for id, was in (("j-sq-8", {"status": ["hidden"]}), ("j-sq-5", {"fate": "eliminated"})):
        journal.command("edit", {"id": id, "set": was, "reason": "before the end"}, JAPANESE)
    half = document(journal.campaign, JAPANESE)
    for unit in half["units"]:
        if unit["id"] in ("j-sq-8", "j-sq-9"):
            unit["fate"] = "eliminated"
    journal.command("import", {"state": half, "source": "j.json", "side": "japanese"}, JAPANESE)
    pages = SeatJournal(pages_of(journal, MARINE), MARINE)
    assert points_before(journal, MARINE) == points_before(pages, MARINE) == 2, "of j-sq-9 alone"


def test_of_a_campaign_adopted_by_halves_no_end_of_a_scenario_is_to_come() -> None:
    journal, state = new(), ended(HIDDEN[0])["state"]
    journal.command("import", {"state": state, "side": "japanese"}, "players")
    assert journal.missing_half() is None


def refused(ask: Several[Any], given: Raw) -> str:
    """Why an answer is not allowed, if it is not."""
    try:
        ask.read(given)
    except Refused as refusal:
        return str(refusal)
    return ""


@pytest.mark.parametrize("side", SIDES)
def test_at_setup_a_player_is_offered_what_the_rules_offer(side: Side) -> None:
    journal, offered = begun(), 0
    for ask in played(journal):
        if ask.rule not in AT_SETUP or ask.side is not side:
            continue
        assert isinstance(ask, Several)
        found = SeatJournal(pages_of(journal, side), side).open_ask()
        assert isinstance(found, Several)
        for item, own in zip(ask.items, found.items, strict=True):
            assert own.form.hint == item.form.hint
            assert own.form.offered(side) == item.form.offered(side)
            offered += len(own.form.offered(side))
            for raw in ("A1", "Z63", "off_map", {"location": 1}, "N20"):
                given = {item.subject: raw}
                assert refused(found, given) == refused(ask, given)
    assert offered > 20


def forms_of(ask: Any) -> dict[str, Form]:
    """How each part of an answer is given."""
    if isinstance(ask, Several):
        return {item.subject: item.form for item in ask.items}
    return {"": ask.form} if isinstance(ask, Enter) else {}


@pytest.mark.parametrize("side", SIDES)
def test_what_a_player_types_or_picks_is_made_an_answer_by_the_keeper(side: Side) -> None:
    journal, ways = begun(), set()
    for ask in played(journal):
        if ask.side is not side:
            continue
        found = SeatJournal(pages_of(journal, side), side).open_ask()
        for (key, form), made in zip(forms_of(ask).items(), forms_of(found).values(), strict=True):

            def kept(raw: Raw, ask: Ask[Any] = ask, key: str = key) -> Raw:
                sent = json.loads(json.dumps({key: raw} if key else raw))
                whole: Any = made_whole(ask, sent, side)
                return whole[key] if key else whole

            def told(raw: Raw, made: Form = made) -> str:
                ways.add(raw.get(LEFT) if isinstance(raw, dict) else None)
                return made.worded(raw)

            offered = made.offered(side)[:3]
            for one in offered:
                left = made.parse(one.typed, side)
                assert kept(left) == form.parse(one.typed, side)
                assert LEFT not in told(left)
            if form.joined is not None and len(offered) > 1:
                assert made.joined is not None
                left = made.joined([offered[0].raw, made.parse(offered[1].typed, side)])
                assert kept(left) == form.joined([one.raw for one in offered[:2]])
                assert told(left) == f"{offered[0].words}; {offered[1].typed}"
            assert (made.pointed or Pointed()).parts == (form.pointed or Pointed()).parts
    assert ways - {None} == ({"typed", "joined"} if side is JAPANESE else {"typed"})


def test_pages_that_are_written_on_are_those_that_are_written_afresh() -> None:
    journal = begun()
    for number, _ in enumerate(played(journal)):
        written = [pages_of(journal, side) for side in SIDES]
        if number % 7 == 6:
            journal.undo()  # of what has been written
            written = [pages_of(journal, side) for side in SIDES]
        if number % 14 == 6:
            journal.redo()
            written = [pages_of(journal, side) for side in SIDES]
        if number % 3 == 0:
            with pytest.MonkeyPatch.context() as patch:  # as another program would
                patch.setattr(journal, "memo", {})
                assert written == [pages_of(journal, side) for side in SIDES]


def test_a_forecast_begins_alike() -> None:
    for side in SIDES:
        journal = begun()
        for number, ask in enumerate(played(journal)):
            if number % 5 == 0:
                found = reloaded(journal)
                pages = SeatJournal(pages_of(found, side), side)
                one, other = (
                    start_of(known, side, "1") for known in (public_book(found, side), pages)
                )
                assert one == other, ask.rule


def test_what_is_written_for_the_marines_is_alike_whatever_the_japanese_hide() -> None:
    """After the same answers that they know of, while the same is asked or something is waited
    for; and in the end."""
    written: defaultdict[tuple[object, ...], set[Pages]] = defaultdict(set)
    for number in (0, 1):
        journal = begun(number)
        for _ in played(journal):
            ask = known_ask(journal, MARINE)
            known = sum(not row.heading for row in visible(journal, MARINE))
            at = (known, ask and ask.rule, ask and ask.subject)
            written[at].add(pages_of(journal, MARINE))
        written["the end",].add(pages_of(journal, MARINE))
    assert len(written) > 10
    for at, alike in written.items():
        first, *others = alike
        for other in others:
            told = difference(json.loads(first.stands), json.loads(other.stands))
            pytest.fail(f"{at}: {told}", pytrace=False)


def test_no_hidden_counter_is_named_in_what_is_written_for_the_marines() -> None:
    journal = begun()
    for _ in played(journal):
        pages = pages_of(journal, MARINE)
        text = "".join((*pages.rows, pages.stands, *pages.links))
        view = seen_by(journal.campaign, MARINE)
        hidden = [one.id for one in journal.campaign.counters() if view.find(one.id) is None]
        assert [id for id in hidden if re.search(rf"\b{id}\b", text)] == []
