"""What one side reads never changes when only the other side's secrets do.

Two campaigns are played side by side that differ in one side's secrets only: what and where it buys
or drafts, where its hidden counters are and in what state, its points, its decision of 15.616, its
setup; and in how many secret entries there are, though what is undone then differs, so that
nothing is any more. Every other doing is the same in both. They are not played beyond 15.6202:
after it the setups are on the map for all to see, SAN are announced (15.6204) and the decision of
15.616 is revealed (15.6203), each by the rules. Hidden leaders do not die in them, since the enemy
scores Casualty VP for it, and nothing hidden is revealed at 15.602.
"""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from brt_cg.card import load_card
from brt_cg.commands import Command
from brt_cg.commands.registry import COMMANDS
from brt_cg.journal.journal import Journal
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from brt_cg.questions.answers import RefusedError
from brt_cg.questions.question_types import Question
from brt_cg.refit.sequence import NUMBERS, paragraph_of
from tests.exports.journals import JAPANESE, MARINE, new, plain_answer, squad
from tests.secrets.pairs import (
    HIDDEN,
    POINTS,
    Reader,
    all_that_is_read,
    assert_alike,
    ended,
    quick_glance,
)

CARD = load_card("III")
BEACHES = ("red_one", "black_two", "island")
LAIRS = ("M20", "M18", "N21")  # in the Marine area; hidden Japanese are in one of them
PLACES = ("L20", "M21", "E10", "M40", "K30")


def japanese_orders() -> st.SearchStrategy[dict[str, Any]]:
    """Anything that the Japanese may ask for, within the limits or not."""
    return st.fixed_dictionaries(
        {
            "item": st.one_of(
                st.sampled_from(("san_increase", "hmg", "wire")),
                st.sampled_from(sorted(CARD.prices)),
            ),
            "side": st.just("japanese"),
            "beach": st.sampled_from(BEACHES),
            "quantity": st.integers(1, 3),
            "location": st.sampled_from((None, *PLACES)),
            "draft": st.booleans(),
        }
    )


MARINE_ITEMS = ("foxhole_1s", "foxhole_3s", "concealment", "san_increase", "seawall_breach")


def marine_orders() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "item": st.sampled_from(MARINE_ITEMS),
            "side": st.just("marine"),
            "quantity": st.integers(1, 2),
            "location": st.sampled_from((None, *LAIRS)),
            "draft": st.booleans(),
        }
    )


def may(journal: Journal, kind: str, asked: dict[str, Any]) -> bool:
    """Whether a command would be carried out; tried on a copy."""
    after = journal.campaign.clone()
    try:
        COMMANDS[kind](
            Command(kind, asked, after, journal.card, journal.numbers, "players", journal.clock())
        )
    except RefusedError:
        return False
    number = journal.campaign.situation.paragraph
    return number is None or number == "15.6143"


Pair = tuple[dict[str, Any], dict[str, Any]]


def pairs(of: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[Pair]:
    return st.tuples(of, of)


class Twins(RuleBasedStateMachine):
    """Two campaigns played side by side, alike but for the secrets of one side."""

    keeper: Side
    reader: Side

    def __init__(self) -> None:
        super().__init__()
        self.journals: tuple[Journal, Journal] = (new(allotments=POINTS), new(allotments=POINTS))
        self.laid_out = 1  # entries that stay
        self.read_at: dict[Reader, object] = {}
        self.one_has_more = False  # entries, all of them secret

    # --- the same in both -------------------------------------------------------------------

    def both(self, kind: str, *asked: dict[str, Any]) -> bool:
        """Carries a command out in both, if it is possible in both; `asked` is one, or one each."""
        each = asked * 2 if len(asked) == 1 else asked
        wanted = list(zip(self.journals, each, strict=True))
        if not all(may(journal, kind, one) for journal, one in wanted):
            return False
        for journal, one in wanted:
            journal.begin_invocation()
            journal.run_command(kind, one, "players")
        return True

    def somebody_waits(self, id: str) -> None:
        """Somebody to set up, whatever is placed before: so both are asked at 15.6202."""
        waiting = squad(id, "") | {"location": None}
        document = {"format": "brt-cg/state", "version": 1, "units": [waiting]}
        self.both("reinforce", {"state": document, "source": "oob.json"})
        self.laid_out = len(self.journals[0].entries)

    @property
    def campaigns(self) -> list[Campaign]:
        return [journal.campaign for journal in self.journals]

    def advance(self) -> list[Question[Any]] | None:
        asks = [journal.play_to_next_question(paragraph_of("15.6202")) for journal in self.journals]
        keys = [ask and not ask.secret and (ask.rule, ask.subject, ask.kind) for ask in asks]
        assert keys[0] == keys[1], f"what is asked shows a secret: {keys}"
        return [ask for ask in asks if ask is not None] or None

    @precondition(lambda self: self.journals[0].campaign.situation.phase is not Phase.SCENARIO)
    @rule(times=st.integers(1, 10), data=st.data())
    def play_on(self, times: int, data: st.DataObject) -> None:
        for journal in self.journals:
            journal.begin_invocation()
        for _ in range(times):
            asks = self.advance()
            if asks is None:
                return
            self.answer_both(asks, data)

    @precondition(lambda self: self.journals[0].campaign.situation.phase is not Phase.SCENARIO)
    @rule(data=st.data(), to=st.sampled_from(("15.6041", "15.614", "15.6202", "15.6203")))
    def play_on_to(self, to: str, data: st.DataObject) -> None:
        for journal in self.journals:
            journal.begin_invocation()
        while (asks := self.advance()) is not None:
            if self.paragraph(asks[0].rule) >= self.paragraph(to):
                break
            self.answer_both(asks, data)

    def paragraph(self, rule: str) -> int:
        return next(at for at, number in enumerate(NUMBERS) if number.startswith(rule))

    def answer_both(self, asks: list[Question[Any]], data: st.DataObject) -> None:
        answers = self.answers(asks, data)
        for journal, ask, raw in zip(self.journals, asks, answers, strict=True):
            journal.answer(raw, ask.side)

    def answers(self, asks: list[Question[Any]], data: st.DataObject) -> list[Any]:
        """The same answer in both, but to a question that is the keeper's secret."""
        one, other = asks
        if one.side is self.reader:
            assert (one.prompt, one.allowed) == (other.prompt, other.allowed)
        if one.rule.startswith("15.62") and one.side is self.keeper:
            return [
                self.setup(journal, ask, data)
                for journal, ask in zip(self.journals, asks, strict=True)
            ]
        if one.rule == "15.616" and self.keeper is JAPANESE:
            return [data.draw(st.booleans()) for _ in asks]
        return [plain_answer(ask) for ask in asks]

    def setup(self, journal: Journal, ask: Question[Any], data: st.DataObject) -> dict[str, str]:
        """Locations for some of the counters that may be named, as far as they are allowed."""
        chosen: dict[str, str] = {}
        for id in getattr(ask, "subjects", ()):
            place = data.draw(st.sampled_from(("M41", "L38", "N19", "M18", "P21", "off_map", "")))
            try:
                ask.read(chosen | {id: place})
            except RefusedError:
                continue
            chosen[id] = place
        return chosen

    @precondition(lambda self: not self.one_has_more)
    @rule(whole=st.booleans())
    def undo(self, whole: bool) -> None:
        self.time_travel(lambda journal: self.undo_in(journal, whole))

    def undo_in(self, journal: Journal, whole: bool) -> None:
        if min(journal.entries_to_undo(whole)) <= self.laid_out:
            raise RefusedError("who is to set up stays")
        journal.undo(whole)

    @precondition(lambda self: not self.one_has_more)
    @rule()
    def redo(self) -> None:
        self.time_travel(lambda journal: journal.redo())

    def time_travel(self, doing: Callable[[Journal], object]) -> None:
        done = 0
        for journal in self.journals:
            journal.begin_invocation()
            try:
                doing(journal)
            except RefusedError:
                continue
            done += 1
        assert done in (0, 2)

    # --- what is read -----------------------------------------------------------------------

    @rule()
    def look_at_everything(self) -> None:
        if self.something_new(all_that_is_read):
            assert_alike(*self.journals, side=self.reader)

    @invariant()
    def a_glance_shows_no_secret(self) -> None:
        if self.something_new(quick_glance):
            assert_alike(*self.journals, side=self.reader, read=quick_glance)

    def something_new(self, read: Reader) -> bool:
        """Whether anything was entered or asked since they were read so: much is refused."""
        now = [(journal.head, journal.open_question()) for journal in self.journals]
        before, self.read_at[read] = self.read_at.get(read), now
        return now != before

    def teardown(self) -> None:
        self.look_at_everything()


class JapaneseSecrets(Twins):
    """The Japanese keep their secrets from the Marines."""

    keeper, reader = JAPANESE, MARINE

    @initialize(
        points=st.tuples(*[st.integers(30, 60)] * 2),
        more=st.tuples(*[st.integers(0, len(HIDDEN) - 1)] * 2),
        to=st.sampled_from(("purchase", "15.601", "15.614", "15.6202", "15.6203")),
        data=st.data(),
    )
    def begin(
        self, points: tuple[int, int], more: tuple[int, int], to: str, data: st.DataObject
    ) -> None:
        for number, gpp in enumerate(points):
            beach = {"red_one": {"gpp": gpp, "capp": "30^4", "fpp": 2 * gpp}}
            grant = POINTS["grant"][0] | {"fpp": gpp}
            allotments = POINTS | {"japanese": POINTS["japanese"] | beach, "grant": [grant]}
            journals = list(self.journals)
            journals[number] = new(allotments=allotments)
            self.journals = (journals[0], journals[1])
        self.somebody_waits("j-new-0")
        if to != "purchase":
            self.the_scenario_ends_with_other_hidden_counters(more=more)
            self.play_on_to(to=to, data=data)

    @rule(orders=pairs(japanese_orders()))
    def each_japanese_buys_or_drafts_something_else(self, orders: Pair) -> None:
        self.both("buy", *orders)

    @rule(data=st.data())
    def each_japanese_voids_something_else(self, data: st.DataObject) -> None:
        asked = []
        for campaign in self.campaigns:
            mine = [one.id for one in campaign.purchases.values() if one.side is JAPANESE]
            if not mine:
                return
            asked.append({"purchase": data.draw(st.sampled_from(mine)), "reason": "a slip"})
        self.both("void", *asked)

    @rule(kinds=st.tuples(*[st.sampled_from(("commit", "discard"))] * 2))
    def one_japanese_commits_and_the_other_discards(self, kinds: tuple[str, str]) -> None:
        asked = {"side": "japanese"}
        if all(
            may(journal, kind, asked) for journal, kind in zip(self.journals, kinds, strict=True)
        ):
            for journal, kind in zip(self.journals, kinds, strict=True):
                journal.begin_invocation()
                journal.run_command(kind, asked, "japanese")

    @rule(which=st.integers(0, 1), many=st.integers(1, 3))
    def one_japanese_enters_more(self, which: int, many: int) -> None:
        self.one_has_more = True
        for _ in range(many):
            self.journals[which].begin_invocation()
            asked = {"words": "in secret", "side": "japanese", "about": None}
            self.journals[which].run_command("note", asked, "japanese")

    @rule(points=st.tuples(st.integers(40, 60), st.integers(40, 60)))
    def each_japanese_is_allotted_something_else(self, points: tuple[int, int]) -> None:
        asked = ({"side": "japanese", "beach": "green", "gpp": gpp} for gpp in points)
        self.both("allot", *asked)

    @rule(order=marine_orders())
    def the_marines_buy(self, order: dict[str, Any]) -> None:
        possible = {may(journal, "buy", order) for journal in self.journals}
        assert len(possible) == 1, f"what may be bought shows a secret: {order}"
        self.both("buy", order)

    @rule(kind=st.sampled_from(("commit", "discard")))
    def the_marines_decide_on_their_drafts(self, kind: str) -> None:
        self.both(kind, {"side": "marine"})

    @precondition(lambda self: self.journals[0].campaign.situation.phase is Phase.PURCHASE)
    @rule(more=st.tuples(*[st.integers(0, len(HIDDEN) - 1)] * 2))
    def the_scenario_ends_with_other_hidden_counters(self, more: tuple[int, int]) -> None:
        self.both("import", *(ended(HIDDEN[one]) for one in more))

    @rule(states=st.tuples(*[st.sampled_from(("low_ammo", "broken", "ti"))] * 2))
    def each_hidden_squad_is_corrected_otherwise(self, states: tuple[str, str]) -> None:
        asked = (
            {"id": "j-sq-1", "set": {"status": ["hidden", one]}, "reason": one} for one in states
        )
        self.both("edit", *asked)

    @rule()
    def who_hides_among_the_marines_comes_in_sight(self) -> None:
        nowhere = {"setup_area": None, "isolated": False, "recorded_location": None}
        seen = {"location": "M41", "status": []} | nowhere
        self.both("edit", {"id": "j-sq-6", "set": seen, "reason": "seen"})

    @rule(places=st.tuples(*[st.sampled_from(("L38", "K36"))] * 2))
    def who_was_seen_hides_somewhere(self, places: tuple[str, str]) -> None:
        asked = (
            {"id": "j-sq-8", "set": {"location": place, "status": ["hidden"]}, "reason": "hides"}
            for place in places
        )
        self.both("edit", *asked)

    @rule(places=st.tuples(*[st.sampled_from(("L38", "K36"))] * 2), number=st.integers(1, 3))
    def hidden_reinforcements_come_to_other_places(
        self, places: tuple[str, str], number: int
    ) -> None:
        asked = []
        for place in places:
            one = squad(f"j-new-{number}", place, status=["hidden"])
            document = {"format": "brt-cg/state", "version": 1, "units": [one]}
            asked.append({"state": document, "source": "oob.json"})
        self.both("reinforce", *asked)


class MarineSecrets(Twins):
    """The Marines keep theirs from the Japanese: drafts, and where they mean to set up. What they
    buy is known, so a commit comes only where both drafts are of the same."""

    keeper, reader = MARINE, JAPANESE

    @initialize()
    def begin(self) -> None:
        self.somebody_waits("m-new-0")

    @rule(orders=pairs(marine_orders()))
    def each_marine_drafts_something_else(self, orders: Pair) -> None:
        self.both("buy", *(one | {"draft": True} for one in orders))

    @rule(order=marine_orders(), places=st.tuples(*[st.sampled_from((None, "N19", "M18"))] * 2))
    def the_marines_buy_the_same_for_other_places(
        self, order: dict[str, Any], places: tuple[str | None, str | None]
    ) -> None:
        self.both("buy", *(order | {"location": place} for place in places))

    @rule(data=st.data())
    def the_marines_void_the_same(self, data: st.DataObject) -> None:
        known = [one.id for one in self.campaigns[0].purchases.values() if not one.draft]
        if known:
            self.both("void", {"purchase": data.draw(st.sampled_from(known)), "reason": "a slip"})

    @rule()
    def the_marines_discard(self) -> None:
        self.both("discard", {"side": "marine"})

    @rule()
    def the_marines_commit_the_same(self) -> None:
        if len({self.drafted(campaign) for campaign in self.campaigns}) == 1:
            self.both("commit", {"side": "marine"})

    def drafted(self, campaign: Campaign) -> tuple[Any, ...]:
        drafts = (one for one in campaign.purchases.values() if one.draft)
        return tuple(sorted((one.id, one.item, one.quantity) for one in drafts))

    @rule(order=japanese_orders())
    def the_japanese_buy(self, order: dict[str, Any]) -> None:
        self.both("buy", order)

    @precondition(lambda self: self.journals[0].campaign.situation.phase is Phase.PURCHASE)
    @rule(more=st.integers(0, len(HIDDEN) - 1))
    def the_scenario_ends(self, more: int) -> None:
        """Where something stood in a scenario that has been played is nobody's secret."""
        placed = [
            one for journal in self.journals for one in journal.campaign.counters() if one.location
        ]
        if not placed:
            self.both("import", ended(HIDDEN[more]))

    @precondition(lambda self: self.journals[0].campaign.situation.phase is Phase.PURCHASE)
    @rule(
        places=st.tuples(*[st.sampled_from(("N19", "M18", "off_map"))] * 2),
        number=st.integers(1, 3),
    )
    def marines_are_corrected_to_other_places(self, places: tuple[str, str], number: int) -> None:
        if self.campaigns[0].find(f"m-new-{number}") is not None:
            asked = (
                {"id": f"m-new-{number}", "set": {"location": place}, "reason": "a slip"}
                for place in places
            )
            self.both("edit", *asked)

    @precondition(lambda self: self.journals[0].campaign.situation.phase is Phase.PURCHASE)
    @rule(
        places=st.tuples(*[st.sampled_from(("N19", "M18", "M20", "off_map"))] * 2),
        number=st.integers(1, 3),
    )
    def marines_are_entered_with_other_places(self, places: tuple[str, str], number: int) -> None:
        asked = []
        for place in places:
            forts = [{"id": f"m-f-{number}", "side": "marine", "type": "foxhole_1s"}]
            document: dict[str, Any] = {"format": "brt-cg/state", "version": 1}
            document["units"] = [squad(f"m-new-{number}", place)]
            document["fortifications"] = [forts[0] | {"location": place}]
            asked.append({"state": document, "source": "oob.json"})
        self.both("reinforce", *asked)


TestJapaneseSecrets = JapaneseSecrets.TestCase
TestMarineSecrets = MarineSecrets.TestCase
