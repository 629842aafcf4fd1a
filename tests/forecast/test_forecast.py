"""What to expect of the coming Refit Phase: exact where one roll decides, honest where not."""

import json
import pickle
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from brt_cg.card import load_card
from brt_cg.forecast import MOST, outcomes, parallel_runs, runs
from brt_cg.forecast.outcomes import (
    ENOUGH,
    TELLING,
    Chance,
    Forecast,
    Spread,
    build_forecast,
    counters_by_risk,
    significant_differences,
    wilson_interval,
)
from brt_cg.forecast.parallel_runs import (
    EACH,
    is_precise_enough,
    play_and_count_runs,
    play_runs_until_precise,
)
from brt_cg.forecast.runs import RunCounts, Runs, list_decisions
from brt_cg.forecast.start import start_from_journal
from brt_cg.forecast.wording import interval_bar, stacked_bar
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.questions.answers import RefusedError
from brt_cg.questions.dice import BLOCK
from brt_cg.refit.simulation import DiceNeededError
from tests.exports.journals import JAPANESE, MARINE, begun, demo, new, play, squad, take_in
from tests.secrets.pairs import HIDDEN, POINTS, ended
from tests.settings import EFFORT, count

Chances = dict[str, float]


def expected(
    journal: Journal,
    runs: int = 200,
    seat: Side | None = None,
    seed: str = "7",
    choices: dict[str, Any] | None = None,
) -> Forecast:
    start = start_from_journal(journal, seat, seed, choices)
    return build_forecast(start, seat, Runs(start).play(0, runs))


def chances(found: Forecast, id: str) -> Chances:
    return {one.outcome: one.chance for one in found.counters[id]}


def answers(rolls: dict[str, Any] | None = None, **choices: Any) -> dict[str, Any]:
    return {
        "format": "brt-cg/answers",
        "version": 1,
        "rolls": rolls or {},
        "choices": choices,
    }


@cache
def of_some_rolls() -> Forecast:
    return expected(some_rolls())


def some_rolls() -> Journal:
    """Leaders who are wounded, and an MMG that malfunctions."""
    mmg = {"id": "m-mmg-1", "side": "marine", "kind": "sw", "type": "MMG", "location": "N19"}
    more = {"possessor": "m-sq-1", "status": ["malfunctioned"], "repair_number": 2, "pp": 4}
    return begun(
        squad("m-ldr-1", "N18", status=["wounded"]),
        squad("j-ldr-1", "K40", status=["wounded"]),
        squad("m-sq-1", "N19"),
        squad("j-sq-1", "K40"),
        weapons=[mmg | more],
    )


# --- chances ------------------------------------------------------------------------------------


def test_one_roll_has_the_chances_of_its_table() -> None:
    found = of_some_rolls()
    table = load_card("III").tables["15.6112"]
    for id, facts in (("m-ldr-1", {}), ("j-ldr-1", {"japanese": 1})):
        odds = {
            row.result: float(n) for row, n in table.odds(table.modifiers_for_facts(facts)) if n
        }
        in_words = {"unwounded": "no longer wounded", "wounded": "still wounded"}
        told = {in_words.get(result, result): chance for result, chance in odds.items()}
        assert chances(found, id) == pytest.approx(told)
        assert all(one.is_exact for one in found.counters[id])


def test_a_vehicles_weapon_that_is_repaired_is_no_longer_malfunctioned() -> None:
    tank = {"id": "m-tk-1", "side": "marine", "type": "M4A2", "location": "N19"}
    main = {
        "id": "m-ma-1",
        "side": "marine",
        "kind": "vehicular",
        "type": "75",
        "vehicle": "m-tk-1",
    }
    main |= {"location": "N19", "status": ["malfunctioned"]}
    found = expected(begun(squad("m-sq-1", "N19"), vehicles=[tank], weapons=[main]))
    told = {"no longer malfunctioned": 4 / 6, "disabled": 2 / 6}
    assert chances(found, "m-ma-1") == pytest.approx(told)


def test_outcomes_of_several_rolls_are_simulated_and_match_exact_chances() -> None:
    """What runs came to lies within the interval of the exact chance, 95 times in 100."""
    simulated, found = of_the_demo()
    exact = {
        (id, one.outcome): one.chance
        for id, of in found.counters.items()
        for one in of
        if one.is_exact
    }
    pairs = [
        (exact[id, one.outcome], one)
        for id, of in simulated.counters.items()
        for one in of
        if (id, one.outcome) in exact
    ]
    assert len(pairs) > 30
    missed = [one for chance, one in pairs if not one.low <= chance <= one.high]
    assert len(missed) <= len(pairs) * 0.12
    on_several = [of for of in found.counters.values() if not of[0].is_exact]
    assert on_several
    for of in on_several:
        assert sum(one.chance for one in of) == pytest.approx(1)
        assert all(one.low < one.high and one.low <= one.chance <= one.high for one in of)


@cache
def of_the_demo() -> tuple[Forecast, Forecast]:
    """After one run too few for what one roll decides to be exact, and after one more."""
    start = start_from_journal(demo_begun(), None, "another")
    runs, enough = Runs(start), count(ci=ENOUGH // 2, full=ENOUGH)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outcomes, "ENOUGH", enough)
        counted = runs.play(0, enough - 1)
        simulated = build_forecast(start, None, counted)
        counted.add(runs.play(enough - 1, 1))
        return simulated, build_forecast(start, None, counted)


def demo_begun() -> Journal:
    return start_from_phase(demo())


def start_from_phase(journal: Journal) -> Journal:
    """The same campaign before its Refit Phase was played."""
    again = Journal(journal.clock)
    again.load(journal.entries[:2])
    return again


def test_a_counters_outcome_is_one_phrase_and_a_lost_pathfinder_is_named() -> None:
    _, found = of_the_demo()
    outcomes = {chance.outcome for of in found.counters.values() for chance in of}
    assert {"now 3-4-8 HS", "now Marine", "no Pathfinder"} <= outcomes
    assert not any("now none" in words or words.count("now ") > 1 for words in outcomes)


def test_few_runs_never_claim_to_be_exact() -> None:
    found = expected(some_rolls(), 50)
    assert not any(one.is_exact for of in found.counters.values() for one in of)


def test_the_interval_narrows_with_the_runs() -> None:
    assert (
        wilson_interval(50, 100)[0]
        < wilson_interval(500, 1000)[0]
        < 0.5
        < wilson_interval(500, 1000)[1]
    )
    assert wilson_interval(0, 10)[0] == 0
    assert wilson_interval(10, 10)[1] == 1


# --- sides --------------------------------------------------------------------------------------


def test_a_sides_totals_have_a_spread() -> None:
    found = of_some_rolls()
    japanese = found.sides[JAPANESE]["cvp"]
    assert japanese.p10 <= japanese.mean <= japanese.p90
    # The Marine leader is eliminated by three faces of six, worth two points or more to them.
    assert japanese.mean > 9
    assert found.sides[MARINE]["squad_equivalents"].mean == 1


def test_every_block_of_runs_gives_the_same_sums() -> None:
    blocks = [expected(some_rolls(), BLOCK, seed=seed) for seed in ("1", "2", "3")]
    assert len({found.sides[JAPANESE]["cvp"].mean for found in blocks}) == 1


def test_enough_batches_show_the_benefit_of_even_dice() -> None:
    start = start_from_journal(some_rolls(), None, "7")
    runs, counted = Runs(start), RunCounts()
    off = []
    for block in range(TELLING):
        counted.add(runs.play(block * BLOCK, BLOCK))
        off.append(build_forecast(start, None, counted).sides[JAPANESE]["cvp"].off)
    assert off[-1] < off[-2] / 5
    assert all(few > more > off[-1] for few, more in pairwise(off[:-1]))


# --- where it begins ----------------------------------------------------------------------------


def test_earlier_rolls_are_kept() -> None:
    journal = play(some_rolls(), to="15.6112 m-ldr-1")
    journal.answer(1, MARINE)
    found = expected(journal, 120)
    assert "m-ldr-1" not in found.counters
    assert len(chances(found, "j-ldr-1")) > 1


def test_earlier_decisions_are_kept() -> None:
    held = [squad(id, "K40", status=["prisoner"], guard="j-sq-1") for id in ("m-sq-1", "m-sq-2")]
    journal = play(begun(*held, squad("j-sq-1", "K40")), to="m-sq-2", m_sq_1="massacre")
    counted = Runs(start_from_journal(journal, None, "7")).play(0, 20)
    lost = {id for (_, id, state, _) in counted.states if "eliminated" in state}
    assert lost == {"m-sq-1"}


def test_there_is_no_forecast_between_scenarios() -> None:
    with pytest.raises(RefusedError, match="forecast is not possible during the scenario"):
        start_from_journal(play(some_rolls()), None, "1")


def test_a_forecast_changes_nothing_in_the_campaign() -> None:
    journal = some_rolls()
    before = (journal.head, journal.campaign.clone())
    expected(journal, 5)
    assert (journal.head, journal.campaign) == before


# --- choices ------------------------------------------------------------------------------------


def test_a_given_die_is_used() -> None:
    found = expected(some_rolls(), 100, choices=answers({"15.6112": {"m-ldr-1": [6]}}))
    assert found.sides[JAPANESE]["cvp"].p10 > 9  # he is lost in every run
    assert "m-ldr-1" not in found.counters


def test_two_sets_of_choices_are_compared_by_significant_differences() -> None:
    journal = some_rolls()
    plain = expected(journal, 150)
    other = expected(journal, 150, choices=answers(**{"15.6122": {"marine": 7}}))
    found = [(one.about, one.what, one.second) for one in significant_differences(plain, other)]
    assert found == [("marine", "san", 7.0)]
    assert significant_differences(plain, plain) == []


def test_a_choice_that_is_never_allowed_is_reported() -> None:
    found = expected(some_rolls(), 5, choices=answers(**{"15.6122": {"marine": 99}}))
    assert found.unused == ("15.6122 marine",)


def test_every_run_fights_the_same_rounds() -> None:
    journal = begun(squad("m-ldr-1", "N19"), squad("m-sq-1", "N19"), squad("j-sq-1", "N19"))
    fought = {"casualty_reduced": ["m-ldr-1"], "eliminated": ["j-sq-1"]}
    found = expected(journal, 20, choices=answers(**{"15.601": {"N19": [fought]}}))
    assert found.sides[JAPANESE]["squad_equivalents"].p90 == 0
    assert "m-ldr-1" in found.counters  # whose wound is rolled for


def test_units_that_enter_during_the_phase_are_not_counted() -> None:
    unarmed = squad("m-sq-1", "N19", status=["unarmed"])  # two HS once it is armed anew (15.609)
    journal = begun(unarmed, squad("m-sq-2", "N19"), squad("j-sq-1", "K40"))
    counted = Runs(start_from_journal(journal, None, "7")).play(0, 2)
    assert {id for _, id, _, _ in counted.states} == {"m-sq-1", "m-sq-2", "j-sq-1"}


# --- risk ---------------------------------------------------------------------------------------


def test_counters_are_ordered_by_casualty_vp_at_risk() -> None:
    campaign, card = some_rolls().campaign, load_card("III")
    rows = counters_by_risk(of_some_rolls(), campaign, card)
    told = [(row.id, round(row.risk.chance * 6), row.worth) for row in rows]
    assert told == [("j-ldr-1", 4, 1), ("m-ldr-1", 3, 1), ("m-mmg-1", 2, 0)]
    assert [each.outcome for each in rows[1].others] == ["still wounded", "no longer wounded"]


def test_wrecks_and_captured_counters_count_as_lost() -> None:
    _, found = of_the_demo()
    lost = {chance.outcome for of in found.counters.values() for chance in of if chance.lost}
    kept = {chance.outcome for of in found.counters.values() for chance in of if not chance.lost}
    assert "eliminated" in lost
    assert "now Marine" in lost
    assert any("wreck" in words for words in lost)
    assert {"unchanged", "still wounded", "now 3-4-8 HS"} <= kept


@pytest.mark.parametrize(
    ("chance", "low", "high", "bar"),
    [
        (0.5, 0.5, 0.5, "█████░░░░░"),
        (0.01, 0.01, 0.01, "█░░░░░░░░░"),
        (0.99, 0.99, 0.99, "█████████░"),
        (1.0, 1.0, 1.0, "██████████"),
        (0.5, 0.28, 0.72, "██▒▒▒▒▒▒░░"),
        (0.0, 0.0, 0.15, "▒▒░░░░░░░░"),
    ],
)
def test_a_bar_ends_at_the_upper_bound_of_the_risk(
    chance: float, low: float, high: float, bar: str
) -> None:
    assert "".join(stacked_bar(Chance("", chance, low, high), 10)) == bar


def test_a_range_is_drawn_between_the_current_and_the_possible_value() -> None:
    assert interval_bar(0, Spread(5, 0.1, 4, 7), (0, 10), 11) == "○───━┃━━───"
    assert interval_bar(5, Spread(5, 0, 5, 5), (5, 5), 4) == "┃───"


# --- cores --------------------------------------------------------------------------------------


def total(cores: int) -> str:
    start = start_from_journal(some_rolls(), None, "3")
    *_, counted = play_and_count_runs(start, 60, cores)
    return json.dumps(build_forecast(start, None, counted).as_json())


@cache
def alone(seed: str = "3") -> str:
    """The same, played by this process."""
    return json.dumps(expected(some_rolls(), 60, seed=seed).as_json())


def test_a_seed_gives_the_same_result_on_any_number_of_cores() -> None:
    assert total(1) == total(2) == alone()
    assert alone(seed="4") != alone()


def test_runs_counted_before_a_stop_are_kept() -> None:
    played = play_and_count_runs(start_from_journal(some_rolls(), None, "3"), 200, 2)
    counted = next(played)
    assert counted.runs == parallel_runs.FIRST
    played.close()


def test_a_killed_process_loses_no_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    begin = parallel_runs._process

    def dying() -> Any:
        process = begin()
        process.kill()
        return process

    monkeypatch.setattr(parallel_runs, "_process", dying)
    assert total(2) == alone()


def test_run_counts_pass_through_a_pipe_unchanged() -> None:
    counted = Runs(start_from_journal(some_rolls(), None, "3")).play(0, 10)
    assert RunCounts.from_hex(counted.as_hex()) == counted


def test_an_unplayable_phase_is_refused_by_the_processes_too() -> None:
    wrong = answers(**{"15.9": {"marine": 1}})
    with pytest.raises(RefusedError, match="unknown rule"):
        list(play_and_count_runs(start_from_journal(some_rolls(), None, "3", wrong), 60, 1))


@pytest.mark.parametrize("chosen", [False, True])
def test_a_run_started_at_the_first_roll_gives_the_same_result(
    chosen: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = start_from_journal(demo_begun(), None, "5")
    if chosen:
        decision = next(found for found in list_decisions(start) if found.rule == "15.602")
        start = start_from_journal(
            demo_begun(), None, "5", decision.as_answers_file(decision.options[0].raw)
        )
    found = Runs(start).play(2, 4)

    def from_the_start(*_: object) -> None:
        raise DiceNeededError

    monkeypatch.setattr(runs, "play_next_paragraph_without_dice", from_the_start)
    assert Runs(start).play(2, 4) == found
    assert bool(found.choices) is chosen


# --- secrets ------------------------------------------------------------------------------------


def test_a_sides_forecast_uses_no_enemy_secrets() -> None:
    found = [hidden_twin(number) for number in (0, 1)]
    seen = [json.dumps(expected(journal, count(12, 200), MARINE).as_json()) for journal in found]
    assert seen[0] == seen[1]
    umpire = [json.dumps(expected(journal, 12).as_json()) for journal in found]
    assert umpire[0] != umpire[1]
    assert "j-gun-1" in umpire[0]
    assert "j-gun-1" not in seen[0]


def hidden_twin(number: int) -> Journal:
    journal = new(allotments=POINTS)
    order = {"item": ("hmg", "wire")[number], "side": "japanese", "beach": "red_one"}
    journal.run_command("buy", order | {"quantity": number + 1}, "japanese")
    return take_in(journal, ended(HIDDEN[number])["state"])


def test_a_decision_names_its_counter() -> None:
    start = start_from_journal(demo_begun(), None, "5")
    asked = {decision.name: decision.ask.prompt for decision in list_decisions(start)}
    assert asked["15.602 j-cr-9"].startswith("2-2-8 crew no. 430 (D55) is hidden: ")
    assert asked["15.6042 m-tk-4"].startswith("M4A2 no. 19 (P30): Bog Removal: ")


# --- when it stops by itself ----------------------------------------------------------------------


def test_a_forecast_stops_when_every_chance_is_precise_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    each, close = (BLOCK, 0.12) if EFFORT == "ci" else (EACH, 0.06)  # else it would take long
    monkeypatch.setattr(parallel_runs, "EACH", each)
    monkeypatch.setattr(parallel_runs, "CLOSE", close)
    start = start_from_journal(demo_begun(), None, "1")
    counts = [(counted.runs, pickle.dumps(counted)) for counted in play_runs_until_precise(start)]
    runs, last = counts[-1]
    assert runs in range(2 * each, MOST, each)
    assert is_precise_enough(build_forecast(start, None, pickle.loads(last)))
    before = next(text for number, text in counts if number == runs - each)
    assert not is_precise_enough(build_forecast(start, None, pickle.loads(before)))


def test_a_forecast_with_exact_chances_stops_immediately() -> None:
    *_, counted = play_runs_until_precise(start_from_journal(some_rolls(), None, "3"))
    assert counted.runs == EACH


def test_first_results_are_shown_after_a_few_runs() -> None:
    first = next(iter(play_and_count_runs(start_from_journal(some_rolls(), None, "3"), 500, 2)))
    assert first.runs == parallel_runs.FIRST < BLOCK
