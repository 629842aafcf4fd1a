"""The commands that enter something: each calls the desk and prints the result."""

import argparse
from functools import partial
from pathlib import Path

from brt_cg import resources
from brt_cg.card import Card, load_card
from brt_cg.cli import last_question
from brt_cg.cli.completion import script
from brt_cg.cli.parser import SCRIPTS, command_line_parser
from brt_cg.cli.prompts import ask_allotments
from brt_cg.cli.talk import (
    DONE,
    carry_out,
    log,
    logged,
    on_terminal,
    opened,
    say,
    say_notices,
    show,
    side_of,
)
from brt_cg.commands.edit import parse_assignments
from brt_cg.commands.rulings import read_ruling
from brt_cg.exports.time_travel import travel_text
from brt_cg.imports.allotments_file import read_allotments
from brt_cg.imports.answers_file import read_answers
from brt_cg.imports.order_lines import asked_of, read_lines
from brt_cg.imports.reading import read_text, read_typed
from brt_cg.imports.state_file import errors_by_cell, read_state
from brt_cg.journal.entries import Entry
from brt_cg.model.records import Phase
from brt_cg.questions.answers import Refused, refuse
from brt_cg.questions.dice import AppDice, DiceSource, SeededDice
from brt_cg.refit.rulings_ahead import ruling_page, rulings_ahead
from brt_cg.refit.sequence import paragraph_named
from brt_cg.service.desk import Desk
from brt_cg.service.supply import Missing, Supply
from brt_cg.storage import store
from brt_cg.storage.synced import warning
from brt_cg.text import counted

# --- campaigns ----------------------------------------------------------------------------------


def completion(options: argparse.Namespace) -> int:
    """Prints the installed completion; in a checkout, the one that the wheel would contain."""
    try:
        text = (resources.folder("completions") / SCRIPTS[options.shell]).read_text("utf-8")
    except FileNotFoundError:
        try:
            text = script(command_line_parser(), options.shell)
        except ModuleNotFoundError as error:
            raise Refused(
                f"in a checkout this needs {error.name}: pip install {error.name}"
            ) from None
    print(text.rstrip("\n"))
    return DONE


def new(options: argparse.Namespace) -> int:
    card = load_card(options.cg)
    allotments = read_allotments(options.allotments, card) if options.allotments else None
    if allotments is None and on_terminal():
        store.create(options.file).close()  # makes nothing yet, but refuses an existing place
        allotments = ask_allotments(card)
    asked = {"cg": options.cg, "name": options.name, "allotments": allotments}
    desk = Desk.create(options.file, asked)
    situation = desk.campaign.situation
    show(f"{options.file}: {desk.card.title}, {situation.date}, {situation.phase.when}")
    synced = warning(options.file)
    if synced is not None:
        say(synced)
    if allotments is None:
        say("no allotments: enter the points of the CG card with brt-cg allot")
    return DONE


def reinforce(options: argparse.Namespace) -> int:
    path: Path = options.state
    if path == Path("-") or (path.suffix.lower() in ("", ".txt", ".md") and not path.is_dir()):
        return _reinforce_by_lines(options)
    asked = read_state(path)
    with errors_by_cell(path):
        return carry_out(options, "reinforce", asked)


def _reinforce_by_lines(options: argparse.Namespace) -> int:
    """Adds the counters of an order of battle by lines; arrivals wait for their date."""
    path: Path = options.state
    text = read_typed() if path == Path("-") else read_text(path)
    desk = opened(options)
    lines = read_lines(text, side_of(options), desk.campaign, desk.card, desk.figures.catalogue)
    if options.preview:
        for line in lines:
            show(f"{line.number} · {line.text} · {line.words}")
        return DONE
    asked = asked_of(lines, None if path == Path("-") else path.name)
    with logged(desk):
        desk.commands("reinforce", asked)
    return DONE


def drop(options: argparse.Namespace) -> int:
    return carry_out(options, "drop", {"ids": options.ids})


def note(options: argparse.Namespace) -> int:
    asked = {"words": options.words, "side": options.side, "about": options.about}
    return carry_out(options, "note", asked)


def edit(options: argparse.Namespace) -> int:
    desk = opened(options)
    values = parse_assignments(desk.campaign, options.id, options.fields)
    with logged(desk):
        desk.command("edit", {"id": options.id, "set": values, "reason": options.reason})
    return DONE


def rulings(options: argparse.Namespace) -> int:
    desk = opened(options)
    if options.sets:
        agreed = _agreed(options.sets, desk.card)
        with logged(desk):
            desk.commands("ruling", agreed)
        return DONE
    if options.ahead or options.defaults:
        return _rulings_ahead(desk, options)
    for ruling in desk.card.rulings.values():
        value = desk.campaign.ruling(ruling.id)
        mark = "" if value == ruling.default else f" (default {ruling.worded(ruling.default)})"
        if ruling.is_asked and not desk.campaign.is_agreed(ruling.id):
            mark = " (asked the first time it matters)"
        show(f"{ruling.id} · {ruling.rule} · {ruling.question}: {ruling.worded(value)}{mark}")
        show(f"    allowed: {ruling.allowed} · {ruling.provenance} · {ruling.sure}")
    return DONE


def _rulings_ahead(desk: Desk, options: argparse.Namespace) -> int:
    """Shows the rulings that what is on the table will raise, or agrees on all their defaults."""
    if desk.campaign.situation.phase is Phase.SCENARIO:
        raise Refused("what the Refit Phase asks is known once the scenario's end is imported")
    ahead = rulings_ahead(desk.campaign, desk.card)
    if not ahead:
        say("the coming Refit Phase asks about no ruling")
    elif options.defaults:
        with logged(desk):
            desk.commands("ruling", [{"id": each.id, "value": each.default} for each in ahead])
    for line in () if options.defaults else (line for each in ahead for line in ruling_page(each)):
        show(line)
    return DONE


def _agreed(sets: list[str], card: Card) -> list[dict[str, str]]:
    """What the command `ruling` is asked by each --set. Raises Refused with everything that is
    wrong, before any is stored."""
    asked, problems = [], []
    for text in sets:
        id, given, value = text.partition("=")
        asked.append({"id": id, "value": value})
        try:
            read_ruling(card, asked[-1])
        except Refused as refused:
            problems.append(f"--set {refused}" if given else f"--set {text}: write R-…=VALUE")
    refuse(problems)
    return asked


# --- the Refit Phase ------------------------------------------------------------------------------


def refit(options: argparse.Namespace) -> int:
    last = paragraph_named(options.through) if options.through is not None else None
    desk = opened(options)
    answers = read_answers(options.answers, desk.campaign) if options.answers else None
    dice: DiceSource | None = None
    if options.auto:
        dice = SeededDice(options.seed) if options.seed is not None else AppDice()
    supply = Supply(answers, dice, defaults=options.auto)
    if answers is not None:
        desk.tell_whole(answers.count_standing)
    due = desk.campaign.situation.refit_is_due
    half = desk.tell_whole(lambda journal: journal.missing_half()) if due else None
    if half is not None:
        say(f"warning: begun without the {half.label} half of the scenario's end")
    start = shown = len(desk.entries)
    try:
        for entry in desk.play(supply, last):
            if entry.seq > shown:  # stored as a whole, so printed as a whole
                log(desk, shown)
                shown = len(desk.entries)
    except Missing:
        last_question.note(options, desk)
        raise
    last_question.note(options, desk)
    say_notices(desk)
    if answers is not None and (unused := answers.unused(last)):
        say("answers that were not used: " + ", ".join(unused))
    if answers is not None and answers.silent and not options.auto:
        say("nothing was chosen where the answers file is silent: " + ", ".join(answers.silent))
    if len(desk.entries) == start:
        say("nothing to do: the Refit Phase is already past this point")
    return DONE


def answer(options: argparse.Namespace) -> int:
    shown = last_question.shown_before(options)
    desk = opened(options)
    if not options.value.strip():
        raise Refused("the answer is empty; if there is nothing, answer none")
    if desk.ask is None and desk.campaign.situation.phase not in (Phase.REFIT, Phase.SETUP):
        raise Refused("there is no open question: see brt-cg status")
    with logged(desk):
        desk.answer_typed(options.value, partial(last_question.check, options, shown, desk))
    say_notices(desk)
    _say_next(options, desk)
    return DONE


def _say_next(options: argparse.Namespace, desk: Desk) -> None:
    """Says what is asked now, if anything is."""
    ask = desk.ask
    if ask is not None:
        say(f"next: {ask.rule} {ask.subject}: {ask.prompt}; allowed: {ask.allowed_text}")
    last_question.note(options, desk)


def undo(options: argparse.Namespace) -> int:
    desk = opened(options)
    with logged(desk):
        _say_if_silent(desk, desk.undo(options.whole))
    _say_next(options, desk)
    return DONE


def redo(options: argparse.Namespace) -> int:
    desk = opened(options)
    with logged(desk):
        _say_if_silent(desk, desk.redo())
    _say_next(options, desk)
    return DONE


def _say_if_silent(desk: Desk, entry: Entry) -> None:
    """Names what was undone or redone if its log has no line, as a paragraph that has just begun
    has none."""
    if not entry.said:
        show(desk.tell(travel_text, None, entry))


# --- from place to place --------------------------------------------------------------------------


def copy(options: argparse.Namespace) -> int:
    entries, head = store.copy(options.file, options.target)
    show(f"{options.target}: {counted(entries, 'entry')}, head {head}")
    return DONE
