"""Command lines of every kind that the parser takes: each command with each of its arguments at
each of the values of its sort. A command, or an option, that is added is found here by itself; one
of which no value is known fails, and says so."""

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random

from brt_cg.cli.options import SIDES
from brt_cg.cli.parser import command_line_parser
from brt_cg.exports import DOCUMENTS
from brt_cg.model.counters import Side
from tests.exports.journals import JAPANESE, state
from tests.secrets.campaigns import CAMPAIGN, FOUND, HIDDEN_PILLBOXES, THEIRS

Words = tuple[str, ...]
Takes = Mapping[argparse.Action, str | None]  # the arguments that are given; None: a flag

# Who begins a campaign or leads the game needs no seat. `serve --as` gives addresses, and lasts.
OF_NO_SEAT = {"demo", "guide", "new", "completion", "campaigns", "copy", "aid", "open", "serve"}

HIDDEN_JAPANESE = (
    *("j-sq-1", "j-sq-77", "j-gun-1", "j-pb-1", "j-tank-1", "pj1-1"),
    *HIDDEN_PILLBOXES,
)
HIDDEN_MARINE = ("m-sq-77", "pm1-1")
SEEN = ("m-sq-1", "m-sq-8", "j-sq-9", "m-sq-3", *FOUND)
INVENTED = ("x-9", "j-sq-99", "pj9")
IDS = (*SEEN, *HIDDEN_JAPANESE, *HIDDEN_MARINE, *INVENTED)
BOUGHT = ("pm1", "pm3", "pj1", "pj2", "dj1", "dj2", "dm1", "pj99", "nothing")
HEXES = ("N19", "N20", "M20", "L38", "K36", "S22", "M44:j-pb-2", "N20:j-pb-1", "Z99", "off_map")
NUMBERS = ("1", "2", "9")
BEACHES = ("red_one", "black_two", "island", "atlantis")
CHANGES = (
    *("name=Q", "nofield=1", "status=broken", "status=hidden", "kind=leader", "location=N20"),
    *("location=M44:j-pb-2", "san=3", "cvp=10", "fate=eliminated", "setup_area=J1"),
    *(f"{link}={id}" for link in ("possessor", "guard", "aboard") for id in ("j-sq-1", "x-9")),
)
ANSWERS = (
    *("1", "3,4", "none", "no", "yes", "done", "default", "stay_hidden", "N19", "{}", "[", ""),
    *("m-sq-8=N19", "j-sq-1=N19", "x-9=N19", *IDS),
)
SUBJECTS = (*IDS, *BOUGHT, *HEXES, "marine", "japanese", "campaign", "R-SAN", "J1", "M1", "squad")
RULES = ("15.602", "15.605", "15.614", "15.616", "15.6202", "15.6205", "99")
NOTHING = "nothing-here"  # a file that there is not
TEXTS = ("a slip", "Ghost")

# By the name of a value in the help, in capitals; what a command takes by it comes first.
VALUES: dict[str, Sequence[str]] = {
    "FILE": (CAMPAIGN,),
    "STATE": ("half.json", "aboard-hidden.json", "aboard-unknown.json", "lines.txt", "-", NOTHING),
    "TOML": ("names.toml", NOTHING),
    "JSON": ("answers.json", NOTHING),
    "SAVE": ("names.toml", NOTHING),
    "MODULE": ("none", NOTHING),
    "LINE": ("M1: N19 1 2", "J1: N19 1", "in N20 1", "X9: N19"),
    "COUNTER": IDS,
    "SQUAD": IDS,
    "NAMES": ("all", "m-sq-1,j-sq-9", *IDS),
    "edit COUNTER": (*IDS, "marine", "japanese", "campaign", *BOUGHT[:3]),
    "FIELD=VALUE": CHANGES,
    "TEXT": TEXTS,
    "REASON": TEXTS,
    "WORDS": ("words", "j-sq-1"),
    "catalogue WORDS": ("HMG", "37L AT", NOTHING),
    "R-…[=VALUE]": ("R-SAN", "R-NONE", "R-CG1-WHEN", "R-SAN=enter"),
    "R-…=VALUE": ("R-SAN=enter", "R-SPLIT=no", "R-NONE=1", "R-SAN=?"),
    "LINES": ("x1a", "=n19 b", "c/1a by 1a", "x2c /1b", "y/1a-d", "q35 1a"),
    "MAIL": ("out.brtmail", "c.brt", "no-folder/out.brtmail"),
    "receive MAIL": (THEIRS, CAMPAIGN, NOTHING),
    "SEED": ("11",),
    "RULE": RULES,
    "VALUE": ANSWERS,
    "SUBJECT": SUBJECTS,
    "explain SUBJECT": (*SUBJECTS, "cvp", "marine.san", "japanese.san", "entry", "3", "12", "99"),
    "RULE SUBJECT=ANSWER": (
        *(f"15.602 {id}=stay_hidden" for id in IDS[:8]),
        *("15.605 m-sq-8=N19", "15.6202 marine=", "15.616 japanese=yes", "15.616 japanese", "x=y"),
    ),
    "WHAT": ("15.605", "15.614", "15.6202 marine", "15.602 j-sq-1", "15.9"),
    "N": NUMBERS,
    "ITEM": ("hmg", "foxhole_1s", "nonsense"),
    "{MARINE,JAPANESE}": SIDES,
    "B": BEACHES,
    "HEX": HEXES,
    "H,H": ("O20,O21", "O20", "Z9,Z8"),
    "PURCHASE": BOUGHT,
    "DATE": ("20 PM", "20 NT", "22 AM", "99"),
    "N^E": ("26^2", "26"),
    "DOCUMENT": (*DOCUMENTS, "vsav", "novel"),
    "FORMAT": ("json", "csv", "md", "html", "svg", "txt", "rtf"),
    "PATH": ("out", "out.txt", "no-folder/out"),
    "CHECKSUM": ("ABCDEFGHJKLMN", "what"),
    "BACKUP": (*NUMBERS, NOTHING),
}
# What has no end, or other dice each time, without these.
ALWAYS = {"forecast": ("--runs", "2", "--seed", "1"), "refit": ("--seed", "11")}
MANY = 3  # arguments at most, in one line


class Unknown(AssertionError):
    """An argument of which no value is known."""


def commands_of_a_seat() -> dict[str, argparse.ArgumentParser]:
    """The commands that know whose view they show, or who enters what they enter."""
    found = command_line_parser().commands
    seated = {name: parser for name, parser in found.items() if _side_of(parser) is not None}
    beside = sorted({*found} - {*seated} - OF_NO_SEAT)
    if beside:
        raise Unknown(f"{', '.join(beside)}: no --side; if no seat uses it, add it to OF_NO_SEAT")
    return seated


def _side_of(parser: argparse.ArgumentParser) -> argparse.Action | None:
    return next((one for one in parser._actions if "--side" in one.option_strings), None)


def values_of(command: str, action: argparse.Action) -> Sequence[str | None]:
    """The values at which an argument is tried; of a flag, that it is given."""
    if action.nargs == 0:
        return (None,)
    if action.choices is not None:
        return [str(choice) for choice in action.choices]
    name = str(action.metavar or action.dest).upper()
    values = VALUES.get(f"{command} {name}", VALUES.get(name))
    if values is None:
        what = "/".join(action.option_strings) or name
        raise Unknown(f"brt-cg {command}: no value of {what} {name} is known: add it to VALUES")
    return values


def lines_of(command: str, side: Side, chance: Random, more: int) -> Iterator[Words]:
    """Each argument of a command at each of its values, and `more` lines of several by chance."""
    parser = commands_of_a_seat()[command]
    taken = [
        one
        for one in parser._actions
        if "--side" not in one.option_strings and not isinstance(one, argparse._HelpAction)
    ]
    values = {one: [*values_of(command, one)] for one in taken}
    needed = [one for one in taken if not one.option_strings and one.nargs not in ("?", "*")]
    needed += [one for one in taken if one.option_strings and one.required]
    for at, one in enumerate(taken):
        for value in values[one]:
            base = {each: chance.choice(values[each]) for each in needed}
            yield _line(command, side, taken, base | {one: value})
        if at == 0 and not needed:
            yield _line(command, side, taken, {})
    optional = [one for one in taken if one not in needed]
    for _ in range(more):
        some = chance.sample(optional, chance.randint(0, min(MANY, len(optional))))
        chosen = {one: chance.choice(values[one]) for one in (*needed, *some)}
        yield _line(command, side, taken, chosen)


def _line(command: str, side: Side, taken: Iterable[argparse.Action], given: Takes) -> Words:
    """A command line; options come before the `--` behind which nothing is one."""
    options, words = [*_always(command, given)], []
    for one in taken:
        if one not in given:
            continue
        value = given[one]
        if not one.option_strings:
            words.append(str(value))
        elif value is None:
            options.append(one.option_strings[-1])
        else:
            options.append(f"{one.option_strings[-1]}={value}")
    return (command, *options, f"--side={side}", "--", *words)


def _always(command: str, given: Takes) -> Iterator[str]:
    words = ALWAYS.get(command, ())
    for name, value in zip(words[::2], words[1::2], strict=True):
        if not any(name in one.option_strings for one in given):
            yield f"{name}={value}"


def files_for(side: Side) -> dict[str, bytes]:
    """The files that they name: a half of a scenario's end of this side; a counter aboard what
    hides, and aboard nothing that there is. (A counter of his own that bears the id of something
    hidden gets another one: test_ids.py.)"""
    letter, enemy = side[0], ("j-sq-77" if side is not JAPANESE else "m-sq-77")
    unit = {"side": side, "kind": "hero", "type": "1-4-9", "location": "N20"}
    half = state({"id": f"{letter}-hero-5"} | unit, date="20 PM")
    rider = unit | {"id": f"{letter}-hero-6"}
    aboard = {
        f"aboard-{name}.json": {
            "format": "brt-cg/state",
            "version": 1,
            "units": [rider | {"aboard": id}],
        }
        for name, id in (("hidden", enemy), ("unknown", f"{enemy}9"))
    }
    answers = {"15.602": dict.fromkeys(HIDDEN_JAPANESE, "stay_hidden")}
    answers |= {"15.605": {"m-sq-8": "N19"}, "15.616": {"japanese": False}}
    documents = aboard | {
        "half.json": half,
        "answers.json": {"format": "brt-cg/answers", "version": 1, "choices": answers},
    }
    texts = {"lines.txt": "4 x 6-6-8\n" if side is not JAPANESE else "4 x 4-4-7\n"}
    texts["names.toml"] = "[pieces]\n"
    return {name: json.dumps(one).encode() for name, one in documents.items()} | {
        name: text.encode() for name, text in texts.items()
    }
