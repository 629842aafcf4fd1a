"""Every IFT result on every kind of Japanese counter, compared with G1.1–G1.4.

The text of the rules is written here a second time, by the digits on the counters as its examples
have them, and not by the table of the program. For a hero, an unarmed HS and a crew beyond its ELR
it is the default ruling.
"""

from dataclasses import dataclass, replace
from functools import cache
from itertools import product

import pytest

from brt_cg.aids import japanese
from brt_cg.aids.japanese import parse_cases, parse_sentence, roll_event
from brt_cg.aids.outcomes import STATES, UnitResult, resolve_case
from brt_cg.aids.sources import CARD, aid_ruling_values
from brt_cg.model.counters import Unit
from brt_cg.questions.answers import RefusedError
from brt_cg.questions.question_types import Question, run_with_answers
from tests.refit.table import japanese_squad

SQUADS = {"4-4-8": "3-4-8", "4-4-7": "3-4-7", "full 2nd line 3-4-7": "2-3-7", "3-3-6": "2-2-6"}
HALF = {"4-4-8": "2-3-8", "4-4-7": "2-3-7", "full 2nd line 3-4-7": "1-3-7", "3-3-6": "1-2-6"}
LOWER = dict(zip(SQUADS, [*SQUADS][1:], strict=False))
REDUCED = {
    "4-4-8": "3-4-8",
    "4-4-7": "reduced 1st line 3-4-7",
    "full 2nd line 3-4-7": "reduced 2nd line squad",
    "3-3-6": "2-2-6",
}
NAMED_HALF = {"4-4-7": "1st line 2-3-7 HS", "full 2nd line 3-4-7": "1-3-7 HS"}
SMC = {"leader": "9-1", "heroic leader": "heroic 9-1", "hero": "hero"}
CREWS = {"crew": "2-2-8", "reduced crew": "1-2-8", "vehicle crew": "1-2-7"}

# How a morale check ends, with the ELR that makes it so; how a KIA result treats a unit.
CHECKS = {"passed": 3, "failed": 3, "beyond": 0, "twelve": 10, "twelve beyond": 0}
KIA = ("hit", "spared")


@dataclass(frozen=True)
class Target:
    """A unit as the text distinguishes it; `squad` names the squad whose class it has."""

    kind: str
    squad: str = "4-4-8"
    state: str = "good order"

    @property
    def typed(self) -> str:
        """The unit as a player types it."""
        word = "" if self.state == "good order" else f"{self.state} "
        if self.state == "unarmed":
            return word + {"full": "squad", "half": "HS"}.get(self.kind, self.kind)
        squads = {
            "full": self.squad,
            "reduced": REDUCED[self.squad],
            "half": NAMED_HALF.get(self.squad, f"{HALF[self.squad]} HS"),
        }
        return word + ({**SMC, **CREWS} | squads)[self.kind]

    @property
    def digits(self) -> str:
        """The digits of its counter, with its state."""
        full = self.squad.removeprefix("full 2nd line ")
        squads = {"full": full, "reduced": SQUADS[self.squad], "half": HALF[self.squad]}
        smc = {"leader": "9-1", "heroic leader": "9-1", "hero": "1-4-9"}
        if self.state == "unarmed":
            return "unarmed"
        return " ".join([({**smc, **CREWS} | squads)[self.kind], *self._marks()])

    def _marks(self) -> list[str]:
        return [] if self.state == "good order" else [self.state]


def in_state(target: Target, kind: str, state: str = "good order") -> str:
    return replace(target, kind=kind, state=state).digits


def after_break(target: Target, by: str) -> str:
    """The unit after a break result of the IFT: digits and state; "" if it is eliminated. `by` is
    how its MC ended; a unit that a KIA spares breaks as if it "failed" one."""
    if target.kind in SMC:
        return smc_after_break(target, by)
    if target.state == "berserk" or (target.state == "unarmed" and target.kind == "full"):
        return casualty_reduced(target)  # G1.14; A15.42 for the others
    if target.state == "broken":
        return ""  # A10.3: Casualty Reduction of a HS or crew
    if target.state == "unarmed":  # R-AID-UNARMED: broken
        return "" if "twelve" in by else "unarmed broken"
    if target.kind in CREWS:
        return crew_after_break(target, by)
    return squad_after_break(target, by)


def squad_after_break(target: Target, by: str) -> str:
    """G1.12, G1.14 and G1.2: armed squads and HS that are not berserk."""
    lower, kind = LOWER.get(target.squad), target.kind
    now = target if lower is None or "beyond" not in by else replace(target, squad=lower)
    if "twelve" in by:
        gone = kind == "half" or (lower is None and "beyond" in by)
        return "" if gone else in_state(now, "half", "broken")
    if kind == "half" or (lower is None and by == "beyond"):
        return in_state(now, "half", "broken")
    return in_state(now, "reduced" if kind == "full" else "half")


def crew_after_break(target: Target, by: str) -> str:
    """G1.3: a crew is flipped, then a broken vehicle crew; a Casualty MC eliminates it."""
    if "twelve" in by:
        return ""
    return CREWS["reduced crew"] if target.kind == "crew" else f"{CREWS['vehicle crew']} broken"


def smc_after_break(target: Target, by: str) -> str:
    """G1.4 and G1.41: an SMC is wounded; a wounded hero, or a leader's Casualty MC: eliminated."""
    leader, heroic = "leader" in target.kind, target.kind != "leader"
    if ("twelve" in by and leader) or (target.state == "wounded" and heroic):
        return ""
    return wounded(target)


def wounded(target: Target) -> str:
    return in_state(target, target.kind, "wounded")


def casualty_reduced(target: Target) -> str:
    """G1.14: a squad becomes one of its HS; a HS or crew is eliminated; an SMC is wounded."""
    if target.kind in SMC:
        again = target.state == "wounded" and target.kind != "leader"
        return "" if again else wounded(target)
    if target.kind not in ("full", "reduced"):
        return ""
    return in_state(target, "half", target.state)


def survivor_of(target: Target) -> Target | None:
    """The unit that takes the MC of a K/# result."""
    if casualty_reduced(target) == "":
        return None
    if target.kind in SMC:
        return replace(target, state="wounded")
    return replace(target, kind="half")


def by_the_text(target: Target, result: str, by: str) -> str:
    """The unit after a result of the IFT, from the text of G1.1–G1.4."""
    if result == "KIA":
        return "" if by == "hit" else after_break(target, "failed")
    if result[0] == "K":
        survivor = survivor_of(target)
        if survivor is None:
            return ""
        if by == "passed":
            return casualty_reduced(target)
        return after_break(survivor, by)
    return target.digits if by == "passed" else after_break(target, by)


def shown(unit: Unit) -> str:
    """A unit by its digits and the state that the text is about."""
    states = ("wounded", "broken", "berserk")
    return " ".join([unit.type, *[state for state in states if unit.has_status(state)][:1]])


def faces(level: int, morale: int, by: str) -> tuple[int, int]:
    """A DR by which an MC of a level ends so; an Original 12 only for `twelve`."""
    if "twelve" in by:
        return (6, 6)
    if by == "passed":
        return (1, 1)
    due = morale + 1 - level
    return (due // 2, due - due // 2)


parsed = cache(parse_sentence)


def rolled(sentence: str, elr: int, level: int, by: str) -> list[UnitResult]:
    """The results of a sentence by dice. A Wound Severity dr is a 1: he survives."""
    event = parsed(sentence)

    def answer(ask: Question[object]) -> object:
        if ask.dice is not None and ask.dice.dice_count == 1:
            return 1
        morale = CARD.ladders.morale_level(event.cases[-1].as_counter())
        return list(faces(level, morale, by))

    return run_with_answers(roll_event(event, elr, 0, aid_ruling_values()), answer)[1]


WORDS = {
    "failed": "fails",
    "beyond": "exceeds ELR",
    "twelve": "original 12",
    "twelve beyond": "original 12 exceeds ELR",
    "hit": "hit",
    "spared": "spared",
}


def told(sentence: str, by: str) -> list[UnitResult]:
    """The results of a sentence that says how its MC ended, without dice."""
    return [
        resolve_case(case, aid_ruling_values()) for case in parse_cases(f"{sentence} {WORDS[by]}")
    ]


ARMED = ("good order", "berserk")
TARGETS = [
    *(
        Target(kind, squad, state)
        for kind, squad, state in product(("full", "reduced", "half"), SQUADS, ARMED)
    ),
    *(Target("half", squad, "broken") for squad in SQUADS),
    *(Target(kind, state=state) for kind, state in product(CREWS, ARMED)),
    Target("vehicle crew", state="broken"),
    *(Target(kind, state="unarmed") for kind in ("full", "half", "crew", "vehicle crew")),
    *(Target(kind, state=state) for kind, state in product(SMC, (*ARMED, "wounded"))),
]
MC = {f"{level or 'N'}MC": level for level in range(5)}
K = {f"K/{level}": level for level in range(1, 5)}


def found(target: Target, result: str, by: str) -> str:
    """The unit after a result of the IFT, from the program."""
    if result == "KIA" or target.state == "unarmed":
        results = told(f"{target.typed} {result}", by)
    else:
        level = (MC | K)[result]
        results = rolled(f"{target.typed} {result}", CHECKS[by], level, by)
    if not results:
        return target.digits
    return " + ".join(map(shown, results[-1].after))


@pytest.mark.parametrize("result", [*MC, *K, "KIA"])
def test_an_ift_result_on_every_counter_matches_the_rules_text(result: str) -> None:
    wrong = []
    for target, by in product(TARGETS, KIA if result == "KIA" else CHECKS):
        if by == "passed" and target.state == "unarmed":
            continue  # its Morale Level is on its own counter: see below
        due, now = by_the_text(target, result, by), found(target, result, by)
        if now != due:
            wrong.append((target.typed, by, now, due))
    assert wrong == []


def test_the_table_holds_every_kind_and_state_of_a_japanese_unit() -> None:
    """Only laborers are not in it: G1.1–G1.4 are not about them."""
    read = [parse_cases(f"{target.typed} KIA hit")[0] for target in TARGETS]
    states = {(case.sort, case.state) for case in read}
    assert states == {(sort, state) for sort, several in STATES.items() for state in several}
    assert {(case.sort, case.class_, case.strength) for case in read} >= {
        (case.sort, case.class_, case.strength) for case in japanese._counters()
    }


@pytest.mark.parametrize("result", [*MC, *K, "KIA hit", "KIA spared"])
def test_laborers_are_not_covered_by_the_japanese_rules(result: str) -> None:
    laborers = japanese_squad("j-sq-1", "N21", traits="korean_laborer")
    with pytest.raises(RefusedError, match="do not apply to Marines or laborers"):
        parse_sentence(f"j-sq-1 {result}", {"j-sq-1": laborers}.get)


@pytest.mark.parametrize("sentence", ["unarmed squad NMC", "unarmed squad K/2", "unarmed crew 1MC"])
def test_the_morale_level_of_an_unarmed_unit_is_asked_for(sentence: str) -> None:
    with pytest.raises(RefusedError, match="the Morale Level of its Unarmed counter"):
        rolled(sentence, 3, 1, "twelve")


def by_dice(sentence: str, *dice: int | list[int]) -> tuple[list[str], list[UnitResult]]:
    """The results of the dice and of the unit."""
    left = iter(dice)

    def answer(ask: Question[object]) -> object:
        return next(left)

    event = roll_event(parse_sentence(sentence), 3, 0, aid_ruling_values())
    outcomes, results = run_with_answers(event, answer)
    return [outcome.result for outcome in outcomes], results


def test_k_2_breaks_the_half_squad_of_an_elite_squad_on_a_seven() -> None:
    _, (reduction, check) = by_dice("4-4-8 K/2", [3, 4])
    assert [shown(unit) for unit in reduction.after] == ["2-3-8"]
    assert [shown(unit) for unit in check.after] == ["2-3-8 broken"]


def test_k_1_wounds_a_leader_who_then_takes_the_check_of_his_wounded_side() -> None:
    dice, results = by_dice("9-1 K/1", 2, [4, 4])
    assert dice == ["wounded", "failed"]
    assert [result.row.result for result in results] == ["wounded", "wounded"]


def test_a_leader_who_dies_of_the_wound_of_a_k_result_takes_no_check() -> None:
    dice, (died,) = by_dice("9-1 K/1", 5)
    assert (dice, died.after, died.cvp) == (["dies"], (), 2)
