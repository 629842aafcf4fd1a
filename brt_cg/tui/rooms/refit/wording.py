"""The wording of the Refit room when there is no question, and before many steps are played
together."""

import re
from typing import Any

from brt_cg.card import Ruling
from brt_cg.forecast.trial_run import Figures, RemainingQuestions
from brt_cg.model import WINDOW, Phase, Side
from brt_cg.questions import Question, Raw
from brt_cg.questions.partial_answers import PartialAnswers
from brt_cg.refit.sequence import NUMBERS
from brt_cg.refit.setup_progress import unplaced_counters_lines
from brt_cg.refit.unfinished import unfinished_texts
from brt_cg.service.setup_answers import as_setup_question
from brt_cg.text import count_text
from brt_cg.tui.answering import playback
from brt_cg.tui.answering.playback import Stop
from brt_cg.tui.dialogs.choice import ConfirmScreen, Reply
from brt_cg.tui.session.session import CampaignSnapshot
from brt_cg.views.steps import Progress


def missing_before_begin_text(seen: CampaignSnapshot) -> str:
    """Return the facts that are missing before the Refit Phase, or the first setup, begins, or that
    are lost when it begins."""
    situation = seen.view.situation
    if seen.half is not None:
        return (
            f"The {seen.half.label} end-of-scenario report of {situation.date} has not been "
            "entered yet. Once the Refit Phase has begun, it is too late."
        )
    if situation.phase is not Phase.PURCHASE:
        return ""
    found = [f"{stage.todo} ({stage.missing})." for stage in seen.stages if stage.missing]
    if seen.seat is not None:
        enemy = seen.seat.enemy.plural
        found.append(f"Then the {enemy} can buy no more for the first scenario.")
    return "\n".join(found)


def rulings_about(seen: CampaignSnapshot, rule: str) -> list[Ruling]:
    """Return the rulings about a paragraph."""
    return [ruling for ruling in seen.card.rulings.values() if str(ruling.rule) == rule]


def no_question_page(seen: CampaignSnapshot) -> tuple[str, str, Side | None]:
    """Return the page shown when there is no question: title, words, and the side that must act."""
    situation = seen.view.situation
    if seen.side_behind_curtain is not None:
        return (
            f"{seen.side_behind_curtain.label}",
            "The curtain is being lifted…",
            seen.side_behind_curtain,
        )
    if seen.mismatch is not None:
        first, *reasons = seen.mismatch.sentences
        return seen.mismatch.what, "\n".join([f"{first}\n", *reasons]), None
    if seen.waiting and seen.seat is not None:
        enemy = seen.seat.enemy
        return (
            "Your opponent decides",
            f"The {enemy.label} player is making a secret decision. The question, and the "
            f"counter it is about, are not shown here.",
            enemy,
        )
    if situation.phase is Phase.SCENARIO:
        facts = [f"the {situation.first_move.plural} move first"] if situation.first_move else []
        facts += [f"{situation.turns.replace('.5', '½')} turns"] if situation.turns else []
        return (
            f"The scenario of {situation.date}",
            f"{': '.join(filter(None, ('Play it on the map', ', '.join(facts))))}.\n\n"
            "After its last turn, enter what happened to each counter, or import the result from a "
            "file; then the Refit Phase begins.",
            None,
        )
    if situation.phase is Phase.OVER:
        won = f"The {situation.victor.plural} have won." if situation.victor else ""
        return "The campaign is over", won, situation.victor
    if situation.phase is Phase.PURCHASE:
        return (
            "Before the first scenario",
            "Make purchases now. When both sides have bought what they want, the setup begins. You "
            "can also import a campaign that is already under way on the table.",
            None,
        )
    if seen.half is not None:
        return (
            f"The end of {situation.date}",
            f"The {seen.half.label} report of it must be entered before the Refit Phase begins.",
            seen.half,
        )
    if seen.upcoming is not None:
        return f"{seen.upcoming.number} {seen.upcoming.title}", seen.upcoming.summary, None
    return "The Refit Phase", "There is no question now.", None


def how_far_dialog(
    seen: CampaignSnapshot, title: str, ahead: RemainingQuestions | None
) -> ConfirmScreen[Stop | None]:
    """Ask how far the program should continue with defaults from a question of the paragraph
    `title`; `ahead` has the numbers of rolls and decisions, if the viewer may know them. No letter
    chooses an answer, and "no" is selected first."""
    steps = [
        step.number for step in seen.steps if step.stand not in (Progress.DONE, Progress.SKIPPED)
    ]
    stops = f" It stops where the {seen.seat.enemy.plural} decide." if seen.seat else ""
    stops = (
        " It stops where a side has a secret decision to make."
        if seen.shows_shared_table
        else stops
    )
    words = (
        "The program rolls all dice and uses the default for every choice that is not ticked; "
        f"Melees end, and nobody buys anything. The numbers are estimates.{stops}\n\n"
        "The log shows everything. Undo removes one answer at a time; Undo run removes all of "
        "them."
    )

    def reply(play: Stop, where: str, part: str) -> Reply[Stop | None]:
        figures: Figures | None = getattr(ahead, part, None)
        return Reply(play, "", f"{where}{_many(figures)}")

    no: Reply[Stop | None] = Reply(None, "", "no: I continue by hand")
    here = reply(playback.until_end_of_paragraph, f"to the end of {title}", "paragraph")
    shop = reply(playback.until_purchases, "to the purchases (15.614)", "purchases")
    paragraphs = count_text(len(steps), "paragraph")
    end = reply(playback.until_end_of_phase, f"to the end of the phase, {paragraphs}", "phase")
    shops = [shop] if WINDOW in steps else []
    buying = seen.ask is not None and seen.ask.buying
    answers = [no, end] if buying else [no, here, *shops, end]
    return ConfirmScreen("Continue by defaults?", words, answers)


def _many(figures: Figures | None) -> str:
    """Return the expected numbers of rolls and decisions, in words."""
    if figures is None:
        return ""
    rolls, decisions = figures
    return f": {count_text(rolls, 'roll')}, {count_text(decisions, 'decision')}"


def is_begin_key_enabled(seen: CampaignSnapshot) -> bool:
    """Whether a paragraph can begin, or dice can be rolled. The key is also enabled if the
    paragraph cannot continue, to report that."""
    if seen.mismatch is not None:
        return True
    return bool(seen.ask.dice) if seen.ask is not None else seen.upcoming is not None


def is_continue_key_enabled(seen: CampaignSnapshot) -> bool:
    return seen.ask is not None or seen.upcoming is not None or seen.mismatch is not None


THEIRS = "Only the {} player is asked now and may buy as much as the points allow."


def unfinished_lines(
    seen: CampaignSnapshot, ask: Question[Any], given: Raw, note: str
) -> list[str]:
    """Return the things that a side leaves undone if it continues now: drafts (`note`) and points,
    unplaced purchases, Melees without a CC attack; as the seat may know them."""
    known = seen.may_know(ask.side)
    if ask.buying:
        theirs = THEIRS.format(ask.side.label) if not known else ""
        undone = unfinished_texts(seen.view, seen.card, ask.side) if known else []
        return [line for line in (theirs or note.strip(), *undone) if line]
    setup = as_setup_question(ask)
    if setup is not None:
        return unplaced_counters_lines(PartialAnswers(setup, {**given}), seen.view) if known else []
    named = given if ask.as_multi_question else {}
    fights = [subject for subject, each in ask.questions_by_subject.items() if each.series]
    return [
        f"no CC attack in {seen.view.location_text(subject)}"
        for subject in fights
        if subject not in named
    ]


def fit_summary(summary: str, rule: str, low: bool) -> str:
    """Return a paragraph's summary beside a question by `rule`. On a low screen, return only the
    part about the question (15.6131b: "b) …"), or the first sentence if it has no parts."""
    if not low:
        return summary
    part = re.search(rf"\b{rule[-1:]}\) .+?(?= [a-z]\) |$)", summary)
    if part is not None and rule[-1:].isalpha():
        return part[0]
    if re.search(r"\ba\) ", summary):
        return summary
    return summary.split(". ")[0].rstrip(".") + "."


def can_agree_rulings_before_refit(seen: CampaignSnapshot) -> bool:
    """Whether 15.601 begins next, and the viewers may agree on rulings for both sides."""
    upcoming, together = seen.upcoming, seen.seat is None or seen.shows_shared_table
    refit = seen.view.situation.phase is Phase.REFIT
    return together and refit and upcoming is not None and upcoming.number == NUMBERS[0]
