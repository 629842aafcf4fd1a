"""The command `ahead`: a side answers its questions before they are asked."""

import argparse
from collections.abc import Callable, Iterator, Sequence

from brt_cg.cli.talk import DONE, opened, say, show
from brt_cg.forecast.coming_questions import AheadSheet, AskAhead, answer
from brt_cg.imports.answers_file import read_answers
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Refused
from brt_cg.service.desk import Desk
from brt_cg.text import listed


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
        sheet.give(each.key, each.ask.parse(typed))
    if options.defaults:
        sheet.fill()
    if sheet.is_changed:
        _enter(desk, sheet.enter)
    for each in sheet.asks:
        perhaps = "" if each.is_sure else " (if it comes to that)"
        show(f"{each.ask.rule} {each.ask.subject}: {each.ask.prompt}{perhaps}")
        how = "answered" if each.key in sheet.given else "default"
        show(f"  {how}: {sheet.words(each)}")
    for unused in file.unused() if file is not None else ():
        say(f"not asked, as far as is known: {unused}")
    if not sheet.asks:
        say("no question that this side will be asked is known yet")
    return DONE


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
