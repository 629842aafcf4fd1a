"""The command `ahead`: a side answers its questions before they are asked."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from brt_cg.cli.talk import DONE, opened, say, show
from brt_cg.forecast.coming_questions import AheadSheet, AskAhead, add_wish, answer
from brt_cg.imports.answers_file import read_answers
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Refused
from brt_cg.service.desk import Desk
from brt_cg.text import listed, some_of


def ahead(options: argparse.Namespace) -> int:
    side = Side(options.side)
    desk = opened(options)
    if options.none:
        _enter(desk, lambda desk: answer(desk, side, {}))
        return DONE
    sheet = AheadSheet(desk, side)
    file = read_answers(options.answers, desk.book().campaign) if options.answers else None
    for each in sheet.asks:
        early = file.take(each.ask, 0) if file is not None else None
        if early is not None:
            sheet.give(each.key, early[0])
    for each, typed in _typed(sheet.asks, options.answer):
        try:
            sheet.give(each.key, each.ask.parse(typed))
        except Refused as why:
            raise Refused(f"--answer {each.ask.rule} {each.ask.subject}: {why}") from None
    sheet.always = list(dict.fromkeys([*sheet.always, *options.always]))
    if options.defaults:
        sheet.fill()
    for what in options.except_:
        if not sheet.leave_open(what):
            raise Refused(f'--except: found "{what}"; allowed: {_nameable(sheet)}')
    if sheet.is_changed:
        _enter(desk, sheet.enter)
    _show(sheet)
    for unused in file.unused() if file is not None else ():
        say(f"not asked, as far as is known: {unused}")
    return DONE


def wish(desk: Desk, side: Side, order: dict[str, Any]) -> None:
    """Puts an order on a side's shopping list, and shows the list."""
    _enter(desk, partial(add_wish, side=side, order=order))
    _show_list(AheadSheet(desk, side))


def _show(sheet: AheadSheet) -> None:
    """Shows each question with its answer, the shopping list, and at what the phase waits."""
    for each in sheet.asks:
        perhaps = "" if each.is_sure else " (if it comes to that)"
        show(f"{each.ask.rule} {each.ask.subject}: {each.ask.prompt}{perhaps}")
        how = "always" if sheet.stands(each) else "default"
        how = "answered" if each.key in sheet.given else how
        show(f"  {how}: {sheet.words(each)}")
    _show_list(sheet)
    for kind in sheet.always:
        show(f"always by default: {kind}")
    if not sheet.asks:
        say("no question that this side will be asked is known yet")
    elif left := sheet.open_words:
        say(left)


def _show_list(sheet: AheadSheet) -> None:
    for number, order in enumerate(sheet.wishes, 1):
        show(f"15.614 shopping list, {number}: {sheet.wish_words(order)}")
    for line in sheet.not_bought:
        say(f"as far as is known now: {line}")


def _nameable(sheet: AheadSheet) -> str:
    """What --except may name."""
    rules = {each.ask.rule: None for each in sheet.asks}
    names = (f"{each.ask.rule} {each.ask.subject}" for each in sheet.asks)
    return some_of([*rules, *sheet.always, *names])


def _enter(desk: Desk, enter: Callable[[Desk], str]) -> None:
    """Enters answers given ahead, and prints that, which a side's log tells only once the other
    side has decided what it may be deciding now, and what came of it."""
    before = desk.book().mark
    entered = enter(desk)
    lines = [str(line) for line in desk.book().lines_since(before)]
    for line in dict.fromkeys([entered, *lines]):
        show(line)


def _typed(asks: Sequence[AskAhead], answers: Sequence[str]) -> Iterator[tuple[AskAhead, str]]:
    """The questions with the answers typed to them as "15.605 m-sq-1=O8". Raises Refused."""
    by_name: dict[str, list[AskAhead]] = {}
    for each in asks:
        by_name.setdefault(f"{each.ask.rule} {each.ask.subject}", []).append(each)
    for text in answers:
        what, equals, value = text.partition("=")
        if not equals:
            raise Refused(f'--answer "{text}": write "RULE SUBJECT=ANSWER"')
        if what.strip() not in by_name:
            raise Refused(f'--answer: found "{what.strip()}"; allowed: {listed(by_name)}')
        yield from ((each, value.strip()) for each in by_name[what.strip()])
