"""The `ahead` command, with which a side enters early answers to its questions."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from brt_cg.cli.console import DONE, open_for_command, print_error, print_output
from brt_cg.commands import EVERY_KIND
from brt_cg.forecast.upcoming_questions import (
    EarlyAnswerSheet,
    UpcomingQuestion,
    append_to_shopping_list,
    enter_early_answers,
)
from brt_cg.imports.answers_file import read_answers
from brt_cg.journal.early_answers import is_harmless_default
from brt_cg.model import Side
from brt_cg.questions import RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.text import first_few_text, list_text, shell_quote


def ahead(options: argparse.Namespace) -> int:
    side = Side(options.side)
    others = (options.answer, options.answers, options.defaults, options.except_, options.always)
    if options.none and any(others):
        raise RefusedError("--none withdraws all early answers; leave the other options out")
    desk = open_for_command(options)
    if options.none:
        _enter(desk, lambda desk: enter_early_answers(desk, side, {}))
        return DONE
    sheet = EarlyAnswerSheet(desk, side)
    file = read_answers(options.answers, desk.view().campaign) if options.answers else None
    for each in sheet.asks:
        early = file.find_and_use(each.ask, 0) if file is not None else None
        if early is not None:
            sheet.set_answers(each.key, early[0])
    for each, typed in _typed(sheet.asks, options.answer):
        try:
            sheet.set_answers(each.key, each.ask.parse(typed))
        except RefusedError as why:
            raise RefusedError(f"--answer {each.ask.rule} {each.ask.subject}: {why}") from None
    every = [EVERY_KIND] if options.defaults else []
    sheet.always = list(dict.fromkeys([*sheet.always, *options.always, *every]))
    for what in options.except_:
        if not sheet.drop_answers_by_name(what):
            raise RefusedError(f'--except: "{what}" is not accepted; enter {_nameable(sheet)}')
    if sheet.is_changed:
        _enter(desk, sheet.enter_answers)
    _show(sheet, shell_quote(options.file))
    for unused in file.unused_answers() if file is not None else ():
        print_error(f"unused so far: {unused}")
    return DONE


def add_to_shopping_list(desk: OpenCampaign, side: Side, order: dict[str, Any]) -> None:
    """Put an order on a side's shopping list, and show the list."""
    _enter(desk, partial(append_to_shopping_list, side=side, order=order))
    _show_list(EarlyAnswerSheet(desk, side))


def _show(sheet: EarlyAnswerSheet, file: str) -> None:
    """Show each question with its answer, the shopping list, and the questions that stop the phase,
    with the commands that answer them early."""
    for each in sheet.asks:
        perhaps = "" if each.is_sure else " (if this question comes up)"
        print_output(f"{each.ask.rule} {each.ask.subject}: {each.ask.prompt}{perhaps}")
        how = "always" if sheet.is_always_default(each) else "default"
        how = "answered" if each.key in sheet.given else how
        print_output(f"  {how}: {sheet.answer_or_default_text(each)}")
    _show_list(sheet)
    for kind in sheet.always:
        print_output(f"always by default: {kind}")
    if not sheet.asks:
        print_error("no upcoming questions for this side are known yet")
    elif left := sheet.unanswered_rules_text:
        for command in _commands_that_answer(sheet, file):
            print_error(f"to answer early: {command}")
        print_error(left)


def _commands_that_answer(sheet: EarlyAnswerSheet, file: str) -> Iterator[str]:
    """Yield the commands that answer early the questions that --defaults leaves open."""
    command = f"brt-cg ahead {file} --side {sheet.side}"
    if not sheet.always:
        yield f"{command} --defaults"
    left = {
        (each.ask.rule, each.ask.subject): each.ask
        for each in sheet.unanswered_questions
        if not is_harmless_default(each.ask) and not each.ask.subject.startswith("R-")
    }
    for (rule, subject), ask in left.items():
        if ask.buying:
            yield f"brt-cg buy {file} ITEM --side {sheet.side} --ahead"
        else:
            yield f'{command} --answer "{rule} {subject}=ANSWER"'


def _show_list(sheet: EarlyAnswerSheet) -> None:
    for number, order in enumerate(sheet.wishes, 1):
        print_output(f"15.614 shopping list, {number}: {sheet.shopping_order_text(order)}")
    for line in sheet.not_bought:
        print_error(f"currently: {line}")


def _nameable(sheet: EarlyAnswerSheet) -> str:
    """List the questions that --except may name."""
    rules = {each.ask.rule: None for each in sheet.asks}
    names = (f"{each.ask.rule} {each.ask.subject}" for each in sheet.asks)
    return first_few_text([*rules, *sheet.always, *names])


def _enter(desk: OpenCampaign, enter: Callable[[OpenCampaign], str]) -> None:
    """Enter early answers, and print them, because the side's log shows them only after a decision
    that the opponent may be making now; then print the result."""
    before = desk.view().mark
    entered = enter(desk)
    lines = [str(line) for line in desk.view().lines_since(before)]
    for line in dict.fromkeys([entered, *lines]):
        print_output(line)


def _typed(
    asks: Sequence[UpcomingQuestion], answers: Sequence[str]
) -> Iterator[tuple[UpcomingQuestion, str]]:
    """Return the questions with the answers typed for them as "15.605 m-sq-1=O8". Raises
    RefusedError."""
    by_name: dict[str, list[UpcomingQuestion]] = {}
    for each in asks:
        by_name.setdefault(f"{each.ask.rule} {each.ask.subject}", []).append(each)
    for text in answers:
        what, equals, value = text.partition("=")
        if not equals:
            raise RefusedError(f'--answer "{text}" has no "="; write "RULE SUBJECT=ANSWER"')
        if what.strip() not in by_name:
            raise RefusedError(
                f'--answer: "{what.strip()}" is not accepted; enter {list_text(by_name)}'
            )
        yield from ((each, value.strip()) for each in by_name[what.strip()])
