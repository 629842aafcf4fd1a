"""What `brt-cg aid` does: the play aids, which need no campaign."""

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from brt_cg.asks import Ask, Choose, Enter, Raw, Refused, default_of
from brt_cg.cli.talk import DONE, FINDINGS, MISSING, on_terminal, say, show, shown
from brt_cg.dice import AppDice, SeededDice

EXAMPLES = """examples:
  brt-cg aid japanese my reduced 3-4-7 squad takes a 2KIA, what now
  brt-cg aid japanese 4-4-8 fails a 1MC, exceeds ELR
  brt-cg aid japanese --json wounded 9-1 fails MC
  brt-cg aid japanese 4-4-7 1MC --elr 3 --dice 6,5     the check itself, with your dice
  brt-cg aid roll th_hero half_squad dc                or atmm, hara_kiri ml=7, oba_accuracy
  brt-cg aid allowed th_heroes 23 year=1944            or hip_day, hip_night, at_set_dc
  brt-cg aid cost pillbox 35                           what a Japanese DYO item costs
  brt-cg aid rules banzai                              the other Japanese paragraphs
  brt-cg aid pto bamboo                                the PTO chart
  brt-cg aid fight try fire tank tank,front,range=20 cover
  brt-cg aid fight new hill.fight marine:tank marine:rifle*6 japanese:gun,concealed
  brt-cg aid fight do hill.fight move m-tank-1 6 open 2 rough
  brt-cg aid fight do hill.fight fire j-gun-1 m-tank-1 side range=20 --dice "4 K 8"
  brt-cg aid fight undo hill.fight                     or show, log, check, orders
"""
Answer = Callable[[Ask[Any]], Raw]


def main(words: Sequence[str]) -> int:
    """Runs one aid; returns the exit status. Raises Refused."""
    options = _parser().parse_args(list(words))
    try:
        done: int = options.run(options)
    except DiceEnd as end:
        say(f"--dice ends before: {end}; nothing was done")
        return MISSING
    return done


class DiceEnd(Exception):
    """A player's own dice do not suffice."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="brt-cg aid",
        description="Play aids for the table.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    aids = parser.add_subparsers(dest="aid", required=True, metavar="AID")

    def add(name: str, run: Callable[[argparse.Namespace], int], words: str, text: str) -> Any:
        one = aids.add_parser(name, help=text, description=text)
        one.add_argument("words", nargs="*", metavar="WORDS", help=words)
        one.add_argument("--json", action="store_true")
        one.set_defaults(run=run)
        return one

    text = "what becomes of a Japanese unit (G1.1–G1.4)"
    unit = add("japanese", _japanese, "the unit, and what happens to it", text)
    unit.add_argument("--ruling", action="append", default=[], metavar="R-…=VALUE")
    unit.add_argument("--bpv", action="append", default=[], metavar='"elite squad=N"')
    unit.add_argument("--elr", type=int, metavar="N", help="rolls the morale check")
    unit.add_argument("--drm", type=int, default=0, metavar="N", help="all other DRM of the check")
    _dice(unit)
    _dice(add("roll", _roll, "a roll, and what modifies it", "T-H Heroes, ATMM, Hara-Kiri"))
    add("allowed", _allowed, "what, of how many, year=, russian", "how many are allowed")
    add("cost", _cost, "an item, its normal cost, year=", "DYO costs of the Japanese")
    add("rules", _rules, "words to look for", "the other Japanese paragraphs")
    add("pto", _pto, "words to look for", "the PTO chart")
    fight = add("fight", _fight, "new|do|undo|show|log|check FILE …, try …, orders", "quick fight")
    fight.add_argument("--first", default="marine", metavar="SIDE", help="who moves first")
    fight.add_argument("--ruling", action="append", default=[], metavar="R-FIGHT-…=VALUE")
    _dice(fight)
    return parser


def _dice(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dice", metavar="N,…", help="your own dice, in the order asked for")
    parser.add_argument("--auto", action="store_true", help="the program rolls")
    parser.add_argument("--seed", help="repeatable dice for --auto")


def supply(options: argparse.Namespace) -> Answer:
    """Where the answers come from: own dice first ("4 6,5" are a 4 and then a DR of 6 and 5), then
    the terminal, then the program's dice, and its defaults for what players see on their table."""
    from brt_cg.aids.asking import Picker, odds_of

    own = iter((options.dice or "").split())
    picker = Picker(AppDice() if options.seed is None else SeededDice(options.seed))

    def answer(ask: Ask[Any]) -> Raw:
        odds = odds_of(ask)
        say(f"{ask.rule} {ask.prompt}{f': {odds}' if odds else ''}")
        text = next(own, None)
        if text is None and on_terminal() and not options.auto:
            text = input(f"  {shown(ask.allowed)} (Enter: left to the program): ").strip() or None
        elif text is None and options.dice:
            raise DiceEnd(f"{ask.prompt}; allowed: {shown(ask.allowed)}")
        if text is not None:
            return ask.parse(text)
        return default_of(ask) if isinstance(ask, Choose | Enter) else picker(ask)

    return answer


# --- the Japanese rules ---------------------------------------------------------------------------


def _japanese(options: argparse.Namespace) -> int:
    from brt_cg.aids.japanese import read_cases, told
    from brt_cg.aids.outcomes import resolve
    from brt_cg.aids.sources import rulings

    agreed = rulings(options.ruling)
    bpv = _figures("--bpv", options.bpv)
    cases = read_cases(" ".join(options.words))
    if options.elr is not None:
        results = _checked(options, agreed, bpv)
    else:
        results = [resolve(case, agreed, bpv) for case in cases]
    if options.json:
        _show_json({"unit": str(cases[0]), "results": [one.plain() for one in results]})
        return DONE
    show(str(cases[0]))
    for one in results:
        show(f"  {told(one)}")
    return DONE


def _checked(options: argparse.Namespace, agreed: dict[str, str], bpv: dict[str, int]) -> list[Any]:
    """Rolls the unit's morale check, and gives what becomes of it, if anything."""
    from brt_cg.aids.asking import drive
    from brt_cg.aids.japanese import morale_check_of
    from brt_cg.aids.japanese_rolls import morale_check

    check = morale_check_of(" ".join(options.words), options.elr, options.drm)
    outcome, result = drive(morale_check(*check, agreed, bpv=bpv), supply(options))
    if not options.json:
        show(outcome.telling())
    return [] if result is None else [result]


def _roll(options: argparse.Namespace) -> int:
    from brt_cg.aids.asking import drive
    from brt_cg.aids.japanese_rolls import japanese_rolls, rolled, table_of

    key, facts = _first(options, "which roll?"), _facts(options.words[1:])
    table, modifying = table_of(key, facts)
    outcome = drive(rolled(table, modifying), supply(options))
    besides = japanese_rolls().originals.get((key, outcome.original))
    if options.json:
        _show_json(
            {
                "rule": table.rule,
                "dice": list(outcome.faces),
                "modifiers": [[one.amount, one.reason] for one in outcome.modifiers],
                "final": outcome.final,
                "outcome": outcome.result,
                "besides": besides and besides.text,
            }
        )
        return DONE
    show(f"{table.rule} {table.title} · {outcome.telling()}")
    if besides:
        show(f"  {besides.text}")
    return DONE


def _allowed(options: argparse.Namespace) -> int:
    from brt_cg.aids.japanese_rolls import allowed

    item, number, facts = _item(options, "of how many?")
    count, why = allowed(item, number, facts.get("year"), bool(facts.get("russian")))
    return _figure(options, item, count, why)


def _cost(options: argparse.Namespace) -> int:
    from brt_cg.aids.japanese_rolls import cost

    item, normal, facts = _item(options, "what is its normal cost?")
    return _figure(options, item, *cost(item, normal, facts.get("year")))


def _figure(options: argparse.Namespace, item: str, count: int, why: str) -> int:
    if options.json:
        _show_json({"item": item, "count": count, "why": why})
    else:
        show(f"{item}: {count} · {why}")
    return DONE


def _rules(options: argparse.Namespace) -> int:
    from brt_cg.aids.japanese_rolls import japanese_rolls

    return _found(options, japanese_rolls().notes, None)


def _pto(options: argparse.Namespace) -> int:
    from brt_cg.aids.pto import chart

    return _found(options, chart().entries, chart().heading)


def _found(options: argparse.Namespace, notes: Sequence[Any], heading: str | None) -> int:
    from brt_cg.aids.pto import search

    found = search(notes, options.words)
    if options.json:
        rows = [{"rule": one.rule, "title": one.title, "text": one.text} for one in found]
        _show_json({"heading": heading, "entries": rows})
        return DONE
    for line in filter(None, (heading, *map(str, found))):
        show(line)
    return DONE


# --- the quick fight ------------------------------------------------------------------------------


def _fight(options: argparse.Namespace) -> int:
    from brt_cg.aids import fight_file
    from brt_cg.aids.fighting import ORDERS

    verb, *words = options.words or ["orders"]
    if verb == "orders":
        for name, (_, form, _) in ORDERS.items():
            show(f"{name} {form}".rstrip())
        return DONE
    if verb == "try":
        said = fight_file.try_out(" ".join(words), options.ruling, supply(options))
        return _told(options, said, None)
    if verb not in ("new", "do", "undo", "show", "log", "check"):
        raise Refused(f"fight {verb}: allowed: new, do, undo, show, log, check, try, orders")
    if not words:
        raise Refused(f"fight {verb} needs the fight's FILE")
    path = Path(words[0])
    if verb == "new":
        recorded = fight_file.begin(words[1:], options.first, options.ruling)
        fight_file.save(path, recorded, new=True)
        return _told(options, [recorded.fight.telling()], recorded)
    recorded = fight_file.load(path)
    if verb == "check":
        wrong = fight_file.replayed(recorded)
        _told(options, wrong or ["it replays to the same end"], None)
        return FINDINGS if wrong else DONE
    said = list(recorded.log()) if verb == "log" else []
    if verb == "do":
        said = recorded.do(" ".join(words[1:]), supply(options))
    elif verb == "undo":
        said = [f"undone: {recorded.undo()}"]
    if verb in ("do", "undo"):
        fight_file.save(path, recorded)
    return _told(options, said, recorded if verb != "log" else None, pieces=verb == "show")


def _told(
    options: argparse.Namespace, said: Sequence[str], recorded: Any, *, pieces: bool = False
) -> int:
    """What was said, and how the fight stands."""
    if options.json:
        _show_json({"said": list(said), "fight": recorded and recorded.fight.plain()})
        return DONE
    for line in said:
        show(line)
    if recorded is not None and pieces:
        show(recorded.fight.telling())
        for piece in recorded.fight.pieces.values():
            show(f"  {piece.id} · {piece.state()}")
    return DONE


# --- reading words --------------------------------------------------------------------------------


def _first(options: argparse.Namespace, question: str) -> str:
    if not options.words:
        raise Refused(f"{question} see brt-cg aid --help")
    return str(options.words[0])


def _item(options: argparse.Namespace, question: str) -> tuple[str, int, dict[str, int]]:
    item = _first(options, "what?")
    number = options.words[1] if len(options.words) > 1 else ""
    if not number.isdecimal():
        raise Refused(f"{item}: {question} found {number or 'nothing'}; allowed: a whole number")
    return item, int(number), _facts(options.words[2:])


def _facts(words: Sequence[str]) -> dict[str, int]:
    """Facts by name: "dc" is 1, "ml=8" is 8. Raises Refused."""
    pairs = [word if "=" in word else f"{word}=1" for word in words]
    return _figures("fact", pairs)


def _figures(what: str, texts: Sequence[str]) -> dict[str, int]:
    """Figures by name, from "NAME=N" texts. Raises Refused."""
    found = {}
    for text in texts:
        name, _, figure = text.partition("=")
        try:
            found[" ".join(name.split())] = int(figure.replace("−", "-"))
        except ValueError:
            raise Refused(f"{what} {text!r}: write NAME=N, N a whole number") from None
    return found


def _show_json(plain: Any) -> None:
    show(json.dumps(plain, ensure_ascii=False, indent=2))
