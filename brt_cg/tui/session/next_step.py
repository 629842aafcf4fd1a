"""What to do next, in a sentence."""

from dataclasses import dataclass

from brt_cg.exports.wording import next_text
from brt_cg.model.records import Phase
from brt_cg.refit.victory import both_sums, distance, victory_points
from brt_cg.tui.session.first_steps import stages
from brt_cg.tui.session.session import Seen


@dataclass(frozen=True, slots=True)
class NextStep:
    """The next thing to do: one sentence, and the action (of everywhere or the Dashboard) that
    leads there; None when there is nothing more to do."""

    sentence: str
    action: str | None


def what_next(seen: Seen, by_mail: bool = False) -> NextStep:
    """Returns the next thing to do, as far as the seat may know. What waits for the other side
    leads to his seat, or to the mail if the campaign is played by mail."""
    situation = seen.view.situation
    ask, other_seat = seen.ask, "mail" if by_mail else "seat"
    if seen.waiting:
        other = seen.seat.enemy.label if seen.seat else "other"
        return NextStep(f"The {other} side has something to decide in private", other_seat)
    if ask is not None and seen.seat not in (None, ask.side) and ask.kind != "roll":
        return NextStep(f"{ask.rule} asks the {ask.side.label} side", other_seat)
    if ask is not None:
        room = "purchases" if ask.buying else "refit"
        return NextStep(f"{ask.rule} asks the {ask.side.label} side: {ask.prompt}", room)
    upcoming = f"{step.number} {step.title}" if (step := seen.upcoming) else ""
    words = next_text(situation, seen.half, upcoming)
    if situation.phase is Phase.SCENARIO:
        left = distance(seen.view, seen.card)
        at_once = f" (victory in CG I at once: {left})" if left is not None else ""
        return NextStep(f"{words} in Forces{at_once}", "forces")
    if situation.phase is Phase.OVER:
        sums = both_sums(victory_points(seen.view, whole=True))
        won = f": the {situation.victor.label} side has won, {sums}" if situation.victor else ""
        return NextStep(f"{words}{won}", None)
    if seen.half is not None and not seen.ends_scenario:
        return NextStep(words, other_seat)
    if situation.phase is Phase.PURCHASE:
        stage = next((stage for stage in stages(seen) if stage.missing), None)
        if stage is not None:
            return NextStep(f"{stage.todo} ({stage.missing})", stage.action)
        return NextStep(words, "purchases")
    return NextStep(words, "forces" if seen.half else "refit")
