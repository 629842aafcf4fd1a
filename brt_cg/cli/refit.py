"""The command `refit`: plays on until an answer is missing."""

import argparse

from brt_cg.cli import last_question
from brt_cg.cli.talk import DONE, log, opened, say, say_notices
from brt_cg.imports.answers_file import read_answers
from brt_cg.questions.dice import AppDice, DiceSource, SeededDice
from brt_cg.refit.sequence import paragraph_named
from brt_cg.service.supply import Missing, Supply
from brt_cg.views.rights import in_private


def refit(options: argparse.Namespace) -> int:
    last = paragraph_named(options.through) if options.through is not None else None
    desk = opened(options)
    known = desk.book().campaign
    answers = read_answers(options.answers, known) if options.answers else None
    dice: DiceSource | None = None
    if options.auto:
        dice = SeededDice(options.seed) if options.seed is not None else AppDice()
    supply = Supply(answers, dice, defaults=options.auto)
    half = desk.book().half
    if half is not None and options.one_report:
        desk.command("waive", {"side": half.value})
        say_notices(desk)
        if desk.book().half is not None:
            return DONE  # the other side is asked for its consent
    begun, told = False, desk.book().mark
    try:
        for _ in desk.play(supply, last):
            begun, told = True, log(desk, told)
    except Missing:
        last_question.note(options, desk)
        if desk.book().waiting:
            raise in_private() from None
        raise
    last_question.note(options, desk)
    say_notices(desk)
    if answers is not None and (unused := answers.unused(last)):
        say("answers that were not used: " + ", ".join(unused))
    if answers is not None and answers.silent and not options.auto:
        say("nothing was chosen where the answers file is silent: " + ", ".join(answers.silent))
    if not begun:
        say("nothing to do: the Refit Phase is already past this point")
    return DONE
