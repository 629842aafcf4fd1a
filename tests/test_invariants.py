"""What holds whatever the players do, and wherever they are interrupted."""

import random
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from brt_cg.audit.entry_checks import apply_entries_and_check as folded_and_judged
from brt_cg.audit.replay import replay_entries
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Fate, Side
from brt_cg.model.records import Phase
from brt_cg.questions.answers import RefusedError
from brt_cg.refit.sequence import paragraph_of
from brt_cg.refit.victory import minimum_cvp
from brt_cg.views.journal import SeatJournalReader, updated_seat_reader
from tests.reading import folded, reopened
from tests.strategies import random_answer, states

ALLOTMENTS = {
    "japanese": {
        "red_one": {"gpp": 24, "capp": "26^2", "fpp": 60},
        "island": {"fpp": 40},
    },
    "marine": {"fpp": 30},
    "grant": [{"date": "20 NT", "side": "japanese", "beach": "red_one", "fpp": 20}],
}
PURCHASES = (
    {"item": "hmg", "side": "japanese", "beach": "red_one", "quantity": 1},
    {"item": "wire", "side": "japanese", "beach": "red_one", "quantity": 2},
    {"item": "foxhole_1s", "side": "marine", "quantity": 1},
    {"item": "san_increase", "side": "marine", "quantity": 1},
    {"item": "hmg", "side": "japanese", "beach": "red_one", "quantity": 1, "draft": True},
)


class CampaignMachine(RuleBasedStateMachine):
    """A campaign in the hands of players who answer, undo, redo, edit, buy, and come back later."""

    @initialize(state=states(), seed=st.integers(0, 2**16))
    def begin(self, state: dict[str, Any], seed: int) -> None:
        self.chance = random.Random(seed)
        self.journal = Journal(lambda: "2026-01-01T00:00:00Z")
        asked = {"cg": "III", "name": None, "players": None, "allotments": ALLOTMENTS}
        self.journal.run_command("new", asked, "players")
        imported = {"state": state, "source": "test", "missing": None, "side": None}
        self.journal.begin_invocation()
        self.journal.run_command("import", imported, "players")

    @property
    def playing(self) -> bool:
        return self.journal.campaign.situation.phase in (Phase.REFIT, Phase.SETUP)

    @precondition(lambda self: self.playing)
    @rule(times=st.integers(1, 12))
    def answer(self, times: int) -> None:
        self.journal.begin_invocation()
        for _ in range(times):
            ask = self.journal.play_to_next_question() if self.playing else None
            if ask is None:
                return
            self.journal.answer(random_answer(ask, self.chance), ask.side)

    @precondition(lambda self: self.playing)
    @rule(times=st.integers(1, 8))
    def answer_in_as_many_programs(self, times: int) -> None:
        for _ in range(times):
            if not self.playing:
                return
            ask = self.journal.open_question()
            upcoming = self.journal.number_of_next_paragraph()
            if ask is not None:
                self.journal.answer(random_answer(ask, self.chance), ask.side)
            elif upcoming is not None:
                self.journal.begin_paragraph(paragraph_of(upcoming))
            self.journal = reopened(self.journal)

    @rule(whole=st.booleans())
    def undo_then_redo_is_as_if_nothing_happened(self, whole: bool) -> None:
        before = folded(self.journal)
        self.journal.begin_invocation()
        try:
            self.journal.undo(whole)
        except RefusedError:
            return
        self.journal.redo()
        assert folded(self.journal) == before

    @rule(whole=st.booleans())
    def undo(self, whole: bool) -> None:
        self.journal.begin_invocation()
        try:
            self.journal.undo(whole)
        except RefusedError:
            assert len(self.journal.standing) >= 1

    @rule(share=st.floats(0, 1))
    def go_back(self, share: float) -> None:
        self.journal.begin_invocation()
        seq = 1 + int(share * len(self.journal.entries))
        try:
            self.journal.go_back(seq)
        except RefusedError:
            assert not self.journal.entries_to_undo_after(seq)

    @rule(side=st.sampled_from((None, *Side)))
    def write_a_note(self, side: Side | None) -> None:
        asked = {"words": "well fought", "side": side, "about": None}
        question = self.journal.open_question()
        self.journal.begin_invocation()
        assert self.journal.run_command("note", asked, "players").changes == []
        assert self.journal.open_question() is question

    @rule(side=st.sampled_from((None, *Side)))
    def read_on_in_the_log(self, side: Side | None) -> None:
        afresh = SeatJournalReader(side)
        afresh.read_new_entries(self.journal)
        assert (
            updated_seat_reader(self.journal, side).lines_after_rows() == afresh.lines_after_rows()
        )

    @rule()
    def redo(self) -> None:
        self.journal.begin_invocation()
        try:
            self.journal.redo()
        except RefusedError:
            assert not self.journal.redoable

    @rule(points=st.integers(0, 50))
    def edit_then_undo_gives_the_state_before(self, points: int) -> None:
        asked = {"id": "marine", "set": {"cvp": points}, "reason": "miscounted"}
        number = self.journal.campaign.situation.paragraph
        try:
            self.journal.begin_invocation()
            self.journal.run_command("edit", asked, "players")
        except RefusedError:
            return
        before = folded(self.journal)
        self.journal.undo()
        self.journal.redo()
        assert folded(self.journal) == before
        assert self.journal.campaign.situation.paragraph in (None, number)

    @rule(asked=st.sampled_from(PURCHASES))
    def buy(self, asked: dict[str, Any]) -> None:
        before = folded(self.journal)
        try:
            self.journal.begin_invocation()
            self.journal.run_command("buy", asked, asked["side"])
        except RefusedError:
            assert folded(self.journal) == before

    @rule()
    def come_back_later(self) -> None:
        self.journal = reopened(self.journal)
        asked, again = self.journal.open_question(), reopened(self.journal).open_question()
        assert (asked is None) == (again is None)

    @invariant()
    def the_campaign_is_the_fold_of_its_journal(self) -> None:
        if hasattr(self, "journal"):
            assert folded(self.journal) == self.journal.campaign

    @invariant()
    def every_counter_is_in_exactly_one_place(self) -> None:
        if not hasattr(self, "journal"):
            return
        campaign = self.journal.campaign
        ids = [counter.id for counter in campaign.counters()]
        assert len(ids) == len(set(ids))
        for piece in campaign.pieces():
            gone = piece.fate is not Fate.IN_PLAY
            if not gone and campaign.situation.phase is Phase.SETUP:
                assert piece.location is not None or piece.setup_area in campaign.areas

    @invariant()
    def no_total_is_negative(self) -> None:
        if hasattr(self, "journal"):
            for side in self.journal.campaign.sides.values():
                assert side.cvp >= minimum_cvp(self.journal.campaign, Side(side.id))
                assert 0 <= side.san <= 7

    def teardown(self) -> None:
        if hasattr(self, "journal"):
            judged = folded_and_judged(self.journal.entries)[1]
            findings = [*judged, *replay_entries(self.journal.entries).findings]
            assert [one.message for one in findings] == []


TestCampaign = CampaignMachine.TestCase
