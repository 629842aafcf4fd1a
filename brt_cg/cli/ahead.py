"""The command `ahead`: a side answers its questions before they are asked."""

import argparse
from collections.abc import Iterator, Sequence

from brt_cg.cli.talk import DONE, opened, say, show
from brt_cg.forecast.ahead import AskAhead, answer, asks_ahead, worded
from brt_cg.imports.answers_file import Answers, read_answers
from brt_cg.journal.answers_ahead import Key
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Raw, Refused
from brt_cg.service.desk import Desk
from brt_cg.text import listed


def ahead(options: argparse.Namespace) -> int:
    side = Side(options.side)
    desk = opened(options)
    if options.none:
        _enter(desk, side, {})
        return DONE
    asks = asks_ahead(desk, side)
    known = desk.book().campaign
    file = read_answers(options.answers, known) if options.answers else None
    given = dict(_given(asks, file, options))
    if given != {each.key: each.raw for each in asks if each.given}:
        _enter(desk, side, given)
    for each in asks:
        show(_line(each, given))
    for unused in file.unused() if file is not None else ():
        say(f"not asked, as far as is known: {unused}")
    if not asks:
        say("no question that this side will be asked is known yet")
    return DONE


def _enter(desk: Desk, side: Side, given: dict[Key, Raw]) -> None:
    """Enters answers given ahead, and prints that, which a side's log tells only once the other
    side has decided what it may be deciding now, and what came of it."""
    before = desk.book().mark
    entered = answer(desk, side, given)
    lines = [str(line) for line in desk.book().lines_since(before)]
    for line in dict.fromkeys([entered, *lines]):
        show(line)


def _given(
    asks: Sequence[AskAhead], file: Answers | None, options: argparse.Namespace
) -> Iterator[tuple[Key, Raw]]:
    """The answers given now or before, by the question. Raises Refused."""
    typed = dict(_typed(asks, options.answer))
    for each in asks:
        found, raw = file.find(each.ask, 0) if file is not None else (False, None)
        if each.key in typed:
            yield each.key, each.ask.parse(typed[each.key])
        elif found or each.given:
            yield each.key, raw if found else each.raw
        elif options.defaults and not each.is_a_ruling:
            yield each.key, each.usual


def _typed(asks: Sequence[AskAhead], answers: Sequence[str]) -> Iterator[tuple[Key, str]]:
    """The answers typed as "15.605 m-sq-1=O8", by the question. Raises Refused."""
    for text in answers:
        what, equals, value = text.partition("=")
        found = [each for each in asks if f"{each.ask.rule} {each.ask.subject}" == what.strip()]
        if not equals:
            raise Refused(f'--answer "{text}": write "RULE SUBJECT=ANSWER"')
        if not found:
            known = listed(dict.fromkeys(f"{each.ask.rule} {each.ask.subject}" for each in asks))
            raise Refused(f'--answer: found "{what.strip()}"; allowed: {known}')
        for each in found:
            yield each.key, value.strip()


def _line(each: AskAhead, given: dict[Key, Raw]) -> str:
    ask = each.ask
    perhaps = "" if each.is_sure else " (if it comes to that)"
    is_given = each.key in given
    raw = given[each.key] if is_given else each.usual
    how = "answered" if is_given else "default"
    return f"{ask.rule} {ask.subject}: {ask.prompt}{perhaps}\n  {how}: {worded(ask, raw)}"
