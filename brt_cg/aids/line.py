"""A line typed to a play aid, and its answer, for the command line and the screen."""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from brt_cg.aids import fight_file
from brt_cg.aids.draws import RandomDrawAnswerer, odds_text
from brt_cg.aids.fight import read_fight_tables
from brt_cg.aids.fight_orders import ORDERS
from brt_cg.aids.japanese import (
    RuleNote,
    allowed_number,
    automatically_passed_check,
    dyo_cost,
    find_table,
    parse_sentence,
    read_japanese_rolls,
    read_pto_chart,
    result_text,
    roll_event,
    roll_on_table,
    search_notes,
)
from brt_cg.aids.options import add_aid_subcommands
from brt_cg.aids.outcomes import CHECKS, UnitResult, resolve_case
from brt_cg.aids.sources import aid_ruling_values, aid_rulings
from brt_cg.immutable import immutable
from brt_cg.model import MOST, Unit
from brt_cg.questions import AppDice, Question, Raw, RefusedError, SeededDice, run_with_answers
from brt_cg.text import parse_halves, parse_whole_number, short_json, unknown_name_error

WITH_SPOKEN = ("japanese", "roll")  # the aids with such options
VERBS = ("new", "do", "undo", "show", "log", "check", "try", "orders", "rules")
SPOKEN = ("elr", "drm", "dice")  # options whose name and number may be among the words


@immutable
class AidReply:
    """An aid's answer, in lines and as JSON. `results` are the possible results for a unit, each
    described in one of the last lines; `unit` is its id in the campaign, if it has one. `rolled`
    means that dice decided it; `noted`, that it may be kept in a campaign; `wrong`, that a check
    found an error."""

    lines: tuple[str, ...]
    plain: Any
    results: tuple[UnitResult, ...] = ()
    unit: str | None = None
    rolled: bool = False
    noted: bool = True
    wrong: bool = False


@dataclass(slots=True)
class AidPlayer:
    """The player at the table: `typed` returns the player's answer to a question (None: nobody is
    there, "": the program decides), `say` shows each question with its odds, `find` finds a unit of
    the open campaign."""

    typed: Callable[[Question[Any]], str | None] = lambda _: None
    say: Callable[[str], None] = lambda _: None
    find: Callable[[str], Unit | None] = lambda _: None


class OutOfDiceError(Exception):
    """Raised when the player's own dice are used up."""


def answer_line(options: argparse.Namespace, table: AidPlayer) -> AidReply:
    """Answer a line. Raises RefusedError or OutOfDiceError."""
    return RUNS[options.aid](options, table)


def parse_line(words: Sequence[str]) -> argparse.Namespace:
    """Parse a line of words as the command line does, but accept "ELR 3" as well as --elr 3. Raises
    RefusedError; SystemExit after --help."""
    return _parser().parse_args([*_spoken(words)] if words[0] in WITH_SPOKEN else [*words])


def _spoken(words: Sequence[str]) -> Iterator[str]:
    """Yield the words, turning the name of an option before a number into that option ("ELR 3":
    --elr 3)."""
    is_named = False  # whether the word before names an option
    for word, then in zip(words, [*words[1:], ""], strict=True):
        if is_named:
            yield word.rstrip(",")
            is_named = False
        else:
            is_named = word.lower() in SPOKEN and then.lstrip("+-")[:1].isdigit()
            yield f"--{word.lower()}" if is_named else word


class _Parser(argparse.ArgumentParser):
    """A parser that raises RefusedError when the command line would print and exit."""

    def error(self, message: str) -> NoReturn:
        raise RefusedError(f"{message}; see {self.prog} --help")


@cache
def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="brt-cg aid")
    add_aid_subcommands(parser, _Parser)
    return parser


def _supply(options: argparse.Namespace, table: AidPlayer) -> Callable[[Question[Any]], Raw]:
    """Return the source of answers: the player's own dice first ("4 6,5" are a 4 and then a DR of 6
    and 5), then the terminal, then the program's dice, and defaults for facts that players see on
    their table."""
    own = iter((options.dice or "").split())
    picker = RandomDrawAnswerer(AppDice() if options.seed is None else SeededDice(options.seed))

    def supplied(ask: Question[Any]) -> Raw:
        odds = odds_text(ask)
        table.say(f"{ask.rule} {ask.prompt}{f': {odds}' if odds else ''}")
        text = next(own, None)
        if text is None and not options.auto and (typed := table.typed(ask)) is not None:
            text = typed or None
        elif text is None and options.dice:
            raise OutOfDiceError(
                f"--dice has no dice left for: {ask.prompt}; enter {ask.allowed_text}"
            )
        return ask.parse(text) if text is not None else picker(ask)

    return supplied


# --- the Japanese rules ---------------------------------------------------------------------------


def _japanese(options: argparse.Namespace, table: AidPlayer) -> AidReply:
    agreed, bpv = aid_ruling_values(options.ruling), _figures("--bpv", options.bpv)
    case = parse_sentence(" ".join(options.words), table.find)
    lines = [str(case.cases[0])]
    plain: dict[str, Any] = {"unit": lines[0]}
    if options.elr is None:
        results = [resolve_case(case, agreed, bpv) for case in case.cases]
    else:
        steps = roll_event(case, options.elr, options.drm, agreed, bpv=bpv)
        outcomes, results = run_with_answers(steps, _supply(options, table))
        lines = [*(outcome.roll_text() for outcome in outcomes), *lines]
    plain["results"] = [result.as_json() for result in results]
    then = f"then the {case.cases[-1]}: " if case.is_reduced_first else ""
    texts = [
        f"  {then if result.case.cause in CHECKS else ''}{result_text(result)}"
        for result in results
    ]
    last = results if options.elr is None else results[-1:]  # the one that a campaign may get
    return AidReply((*lines, *texts), plain, tuple(last), case.unit, rolled=options.elr is not None)


def _roll(options: argparse.Namespace, table: AidPlayer) -> AidReply:
    key, facts = _first(options, "which roll?"), _facts(options.words[1:])
    if (sure := automatically_passed_check(key, facts)) is not None:
        text = f"{sure.rule} {sure.title} · no roll needed: {sure.passed}"
        return AidReply((text,), {"rule": sure.rule, "dice": [], "outcome": "passed"})
    dice, modifying = find_table(key, facts)
    outcome = run_with_answers(roll_on_table(dice, modifying), _supply(options, table))
    besides = read_japanese_rolls().originals.get((key, outcome.original))
    plain = {
        "rule": dice.rule,
        "dice": list(outcome.faces),
        "modifiers": [[modifier.amount, modifier.reason] for modifier in outcome.modifiers],
        "final": outcome.final,
        "outcome": outcome.result,
        "besides": besides and besides.text,
    }
    lines = [f"{dice.rule} {dice.title} · {outcome.roll_text()}"]
    if besides:
        lines.append(f"  {besides.text}")
    return AidReply(tuple(lines), plain, rolled=True)


def _allowed(options: argparse.Namespace, _: AidPlayer) -> AidReply:
    item, number, facts = _item(options, "of how many?", "year=", "russian")
    return _figure(
        item, *allowed_number(item, number, facts.get("year"), bool(facts.get("russian")))
    )


def _cost(options: argparse.Namespace, _: AidPlayer) -> AidReply:
    item, normal, facts = _item(options, "what is its normal cost?", "year=")
    if normal % 1:
        raise RefusedError(f"{item}: enter its normal cost as a whole number")
    return _figure(item, *dyo_cost(item, int(normal), facts.get("year")))


def _figure(item: str, count: int, why: str) -> AidReply:
    return AidReply((f"{item}: {count} · {why}",), {"item": item, "count": count, "why": why})


def _rules(options: argparse.Namespace, _: AidPlayer) -> AidReply:
    return _found(options, read_japanese_rolls().notes, None)


def _rulings(options: argparse.Namespace, _: AidPlayer) -> AidReply:
    notes = [
        RuleNote(
            f"{ruling.id} · {ruling.rule}",
            ruling.question,
            f"{ruling.value_text(ruling.default)} (options: {ruling.allowed_text}; "
            f"{ruling.provenance}; "
            f"confidence: {ruling.sure})",
        )
        for ruling in aid_rulings().values()
    ]
    return _found(options, notes, None)


def _pto(options: argparse.Namespace, _: AidPlayer) -> AidReply:
    return _found(options, read_pto_chart().entries, read_pto_chart().heading)


def _found(options: argparse.Namespace, notes: Sequence[Any], heading: str | None) -> AidReply:
    found = search_notes(notes, options.words)
    rows = [{"rule": ruling.rule, "title": ruling.title, "text": ruling.text} for ruling in found]
    lines = filter(None, (heading, *map(str, found)))
    return AidReply(tuple(lines), {"heading": heading, "entries": rows}, noted=False)


# --- the quick fight ------------------------------------------------------------------------------


def _fight(options: argparse.Namespace, table: AidPlayer) -> AidReply:
    verb, *words = options.words or ["orders"]
    if verb == "orders":
        return _reply([f"{name} {form}".rstrip() for name, (_, form, _) in ORDERS.items()])
    if verb == "rules":
        return _reply([f"{number}. {text}" for number, text in read_fight_tables().special.items()])
    if verb == "try":
        supply = _supply(options, table)
        return _reply(
            fight_file.try_single_action(" ".join(words), options.ruling, supply), rolled=True
        )
    if verb not in VERBS:
        raise RefusedError(unknown_name_error(VERBS, verb, f"fight: unknown word {verb}"))
    if not words:
        raise RefusedError(f"fight {verb} needs the fight's FILE")
    path = Path(words[0])
    if verb == "new":
        recorded = fight_file.begin_fight(words[1:], options.first, options.ruling)
        fight_file.save_fight(path, recorded, new=True)
        return _reply([recorded.fight.turn_text()], recorded)
    recorded = fight_file.load_fight(path)
    if verb == "check":
        wrong = fight_file.replay_differences(recorded)
        return _reply(wrong or ["the replay has the same result"], wrong=bool(wrong))
    if verb == "log":
        return _reply(list(recorded.history_lines()), recorded)
    if verb == "show":
        return _reply(list(recorded.fight.describe_state()), recorded)
    if verb == "do":
        lines = recorded.carry_out(" ".join(words[1:]), _supply(options, table))
    else:
        lines = [f"undone: {recorded.undo()}"]
    fight_file.save_fight(path, recorded)
    return _reply(lines, recorded)


def _reply(
    lines: list[str], recorded: Any = None, *, rolled: bool = False, wrong: bool = False
) -> AidReply:
    plain = {"said": lines, "fight": recorded and recorded.fight.as_json()}
    return AidReply(tuple(lines), plain, rolled=rolled, noted=rolled, wrong=wrong)


RUNS: Mapping[str, Callable[[argparse.Namespace, AidPlayer], AidReply]] = {
    "japanese": _japanese,
    "roll": _roll,
    "allowed": _allowed,
    "cost": _cost,
    "rules": _rules,
    "rulings": _rulings,
    "pto": _pto,
    "fight": _fight,
}


# --- reading words --------------------------------------------------------------------------------


def _first(options: argparse.Namespace, question: str) -> str:
    if not options.words:
        raise RefusedError(f"{question} see brt-cg aid --help")
    return str(options.words[0])


def _item(
    options: argparse.Namespace, question: str, *words: str
) -> tuple[str, float, dict[str, int]]:
    """Return an item, its number, and facts about it: those of `words` that were typed ("year="
    takes a number). Raises RefusedError, for example for any other word."""
    item = _first(options, "which item?")
    typed = options.words[1] if len(options.words) > 1 else ""
    number = parse_halves(typed)
    if number is None or not 0 <= number <= MOST:
        wanted = f"enter a number from 0 to {MOST}"
        raise RefusedError(f"{item}: {question} {short_json(typed)} is not accepted; {wanted}")
    known = [f"{word}1944" if word.endswith("=") else word for word in words]
    for word in options.words[2:]:
        name, equals, _ = word.partition("=")
        if f"{name}{equals}" not in words:
            raise RefusedError(
                unknown_name_error(known, word, f"{item}: {short_json(word)} is not accepted")
            )
    return item, number, _facts(options.words[2:])


def _facts(words: Sequence[str]) -> dict[str, int]:
    """Read facts by name: "dc" is 1, "ml=8" is 8. Raises RefusedError."""
    pairs = [word if "=" in word else f"{word}=1" for word in words]
    return _figures("fact", pairs)


def _figures(what: str, texts: Sequence[str]) -> dict[str, int]:
    """Read values by name from arguments such as "NAME=N". Raises RefusedError."""
    found = {}
    for text in texts:
        name, _, figure = text.partition("=")
        if (number := parse_whole_number(figure)) is None:
            raise RefusedError(f"{what} {text!r}: write NAME=N, where N is a whole number")
        found[" ".join(name.split())] = number
    return found
