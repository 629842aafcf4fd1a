"""The `refit` command, which plays until an answer is missing."""

import argparse

from brt_cg.cli import last_question
from brt_cg.cli.console import DONE, open_for_command, print_error, print_log_since, print_notices
from brt_cg.imports.answers_file import read_answers
from brt_cg.questions import AppDice, DiceSource, SeededDice
from brt_cg.refit.play import Paragraph
from brt_cg.refit.sequence import last_paragraph_beginning_with
from brt_cg.service.answer_supply import AnswerSupply, MissingAnswerError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.views.rights import private_turn_error


def refit(options: argparse.Namespace) -> int:
    last = last_paragraph_beginning_with(options.through) if options.through is not None else None
    desk = open_for_command(options)
    with desk.one_invocation():
        return _play(options, desk, last)


def _play(options: argparse.Namespace, desk: OpenCampaign, last: Paragraph | None) -> int:
    """Continue until an answer is missing, or to the end of `last`; first agree to continue without
    a missing report, if the player wants that."""
    known = desk.view().campaign
    answers = read_answers(options.answers, known) if options.answers else None
    dice: DiceSource | None = None
    if options.auto:
        dice = SeededDice(options.seed) if options.seed is not None else AppDice()
    supply = AnswerSupply(answers, dice, defaults=options.auto)
    half = desk.view().half
    if half is not None and options.one_report:
        desk.run_command("waive", {"side": half.value})
        print_notices(desk)
        if desk.view().half is not None:
            return DONE  # the opponent must agree
    begun, told = False, desk.view().mark
    try:
        for _ in desk.play_with_supply(supply, last):
            begun, told = True, print_log_since(desk, told)
    except MissingAnswerError:
        last_question.remember_question(options, desk)
        if desk.view().waiting:
            raise private_turn_error() from None
        raise
    last_question.remember_question(options, desk)
    print_notices(desk)
    if answers is not None and (unused := answers.unused_answers(last)):
        print_error("unused answers: " + ", ".join(unused))
    if answers is not None and answers.silent and not options.auto:
        print_error(
            "the answers file has no answer to these choices, so none was made: "
            + ", ".join(answers.silent)
        )
    if not begun:
        print_error("nothing to do: the Refit Phase is already past that paragraph")
    return DONE
