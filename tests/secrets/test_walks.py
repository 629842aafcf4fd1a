"""A seat's view follows from what is not undone, and not from how that came about: random walks of
answers, commands, undo and redo, from each seat and from the umpire's, come back to points where
each seat sees what it saw when the point was first reached."""

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from brt_cg.commands.state_document import build_state_document
from brt_cg.exports import build_document
from brt_cg.exports.purchases import purchases_text
from brt_cg.exports.status import status_document, status_text
from brt_cg.journal.heads import short_head
from brt_cg.journal.selective_undo import entries_undone_with, redo_entries
from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from brt_cg.model.seat import seat_of_side
from brt_cg.questions.answers import RefusedError
from brt_cg.views.public_point import visible_journal
from brt_cg.views.undo import next_to_redo, next_to_undo, sides_of_seat
from brt_cg.views.view import PublicView, SeatView, SharedView, View, create_view
from brt_cg.views.view_chain import view_hashes
from tests.exports.journals import JAPANESE, MARINE, new, plain_answer, play, take_in
from tests.secrets.pairs import HIDDEN, POINTS, all_that_is_text, difference, ended
from tests.settings import count
from tests.strategies import random_answer

ITEMS = ("foxhole_1s", "san_increase", "wire", "hmg")


class Walk:
    """A campaign in which anything is entered and undone by chance."""

    def __init__(self, name: str) -> None:
        self.chance = Random(name)
        self.journal = take_in(new(allotments=POINTS), ended(HIDDEN[0])["state"])
        if (to := self.chance.choice((None, "15.614 japanese", "15.6202 marine"))) is not None:
            play(self.journal, to=to)
        self.seen: dict[tuple[int, ...], list[Any]] = {}
        self.again = 0  # points reached again

    def step(self) -> None:
        self.journal.begin_invocation()
        self.journal.seat = None
        steps: tuple[Callable[[], object], ...] = (self.answer, self.enter, self.undo, self.redo)
        with suppress(RefusedError):
            self.chance.choices(steps, (4, 2, 4, 3))[0]()

    def answer(self) -> None:
        for _ in range(self.chance.randrange(1, 9)):
            if self.journal.campaign.situation.phase is Phase.SCENARIO:
                return self.end_scenario()
            ask = self.journal.play_to_next_question()
            if ask is None:
                return None
            by_chance = self.chance.random() < 0.5
            raw = random_answer(ask, self.chance) if by_chance else plain_answer(ask)
            self.journal.answer(raw, ask.side)
        return None

    def end_scenario(self) -> None:
        side = self.chance.choice((None, *Side))
        document = build_state_document(self.journal.campaign, side)
        for totals in document["sides"].values():
            totals |= {"cvp": None, "cvp_before": None}
        asked = {"state": document, "source": "s.json", "missing": "keep", "side": side}
        self.journal.run_command("import", asked, side or "players")

    def enter(self) -> None:
        side = self.chance.choice([*Side])
        self.journal.seat = seat_of_side(side)
        if self.chance.random() < 0.5:
            whose = self.chance.choice((None, side.value))
            asked: dict[str, Any] = {"words": "well", "side": whose, "about": None}
            self.journal.run_command("note", asked, side)
            return
        beach = {"beach": "red_one"} if side is JAPANESE else {}
        draft = self.chance.random() < 0.5
        asked = {"item": self.chance.choice(ITEMS), "side": side.value, "draft": draft, **beach}
        with self.journal.question_kept_open():
            self.journal.run_command("buy", asked, side)

    def undo(self) -> None:
        side, whole = self.chance.choice((None, *Side)), self.chance.random() < 0.3
        self.journal.seat = seat_of_side(side)
        group = next_to_undo(self.journal, sides_of_seat(side), whole)
        if group:
            self.journal.undo_and_restore_displaced(
                group if side is None else entries_undone_with(self.journal, group)
            )

    def redo(self) -> None:
        side = self.chance.choice((None, *Side))
        self.journal.seat = seat_of_side(side)
        group = next_to_redo(self.journal, sides_of_seat(side))
        if group:
            redo_entries(self.journal, group)

    def look(self) -> None:
        """Compare what each seat sees with what it saw when this point was first reached."""
        point = tuple(sorted(self.journal.standing))
        now = [told_of(create_view(self.journal, side)) for side in Side]
        now += [told_of(view(self.journal)) for view in (SharedView, PublicView)]
        self.again += point in self.seen
        for before, after in zip(self.seen.setdefault(point, now), now, strict=True):
            for name, told in after.items():
                assert told == before[name], (name, difference(before[name], told))


def told_of(view: View) -> dict[str, Any]:
    """What a view shows of how the campaign is now, without the hash of how it came about."""
    found: dict[str, Any] = {
        "tables": {
            name: {id: repr(record) for id, record in table.items()}
            for name, table in view.campaign.tables.items()
        },
        "turn": (view.ask and (view.ask.rule, view.ask.subject), view.turn, view.waiting),
        "course": (view.begun, view.next),
    }
    if isinstance(view, SeatView):
        found["status"] = status_document(view) | {"head": None}
        found["status text"] = status_text(view).partition("\nchecksum ")[0]
        found["purchases"] = purchases_text(view)
        for name in ("map", "state"):
            text = repr(all_that_is_text(build_document(view, name)))
            found[name] = text.replace(str(view.head), "").replace(short_head(view.head or ""), "")
    return found


@pytest.mark.parametrize("number", range(count(ci=2, full=200)))
def test_a_state_reached_again_looks_the_same_to_each_seat(number: int) -> None:
    walk = Walk(f"walk {number}")
    for _ in range(count(ci=30, full=120)):
        walk.step()
        walk.look()
    assert walk.again > 3


@pytest.mark.parametrize("number", range(count(ci=1, full=100)))
def test_an_undo_removes_nothing_a_seat_has_already_seen(number: int) -> None:
    """Otherwise its documents are not found again, and the file is taken for one rolled back."""
    walk = Walk(f"chain {number}")
    heads: dict[Side, list[str]] = {side: [] for side in Side}
    for _ in range(count(ci=30, full=120)):
        walk.step()
        for side in Side:
            now = view_hashes(visible_journal(walk.journal, side), side)
            assert now[: len(heads[side])] == heads[side], side
            heads[side] = [*now]


@pytest.mark.parametrize("reported", [True, False])
def test_an_undo_back_into_setup_affects_the_opponent_too(reported: bool) -> None:
    """The next scenario is over by the Japanese report, which is undone; then their setup is. The
    Marines were told to play that scenario."""
    journal = play(
        take_in(new(allotments=POINTS), ended(HIDDEN[0])["state"]), to="15.6202 japanese"
    )
    before = told_of(create_view(journal, MARINE))
    assert before["turn"] == (None, JAPANESE, True)
    play(journal)
    heads = [*view_hashes(journal, MARINE)]
    assert create_view(journal, MARINE).campaign.situation.phase is Phase.SCENARIO
    if reported:
        document = build_state_document(journal.campaign, JAPANESE)
        for totals in document["sides"].values():
            totals |= {"cvp": None, "cvp_before": None}
        asked = {"state": document, "source": "s.json", "missing": "keep", "side": JAPANESE}
        journal.run_command("import", asked, JAPANESE)
        heads = [*view_hashes(journal, MARINE)]
    journal.seat = seat_of_side(JAPANESE)
    for _ in range(2 if reported else 1):
        journal.undo_and_restore_displaced(
            entries_undone_with(journal, next_to_undo(journal, (JAPANESE,)))
        )
    assert journal.open_question().subject == "japanese"  # type: ignore[union-attr]
    assert told_of(create_view(journal, MARINE)) == before
    assert view_hashes(visible_journal(journal, MARINE), MARINE)[: len(heads)] == heads
