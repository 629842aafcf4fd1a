"""The command `catalogue`: what is printed on the types of weapons, Guns and vehicles."""

import argparse
from itertools import chain
from pathlib import Path

from brt_cg.catalogue import catalogue
from brt_cg.catalogue.types import (
    edited,
    joined,
    keep,
    lines_of,
    own_path,
    own_types,
    read_catalogue,
    written,
)
from brt_cg.cli.talk import DONE, say, show
from brt_cg.files import write_whole
from brt_cg.model.counters import Side, Vehicle, Weapon
from brt_cg.questions.answers import Refused
from brt_cg.text import counted, nearest, none_of, shown


def catalogue_(options: argparse.Namespace) -> int:
    verb = VERBS.get(options.what)
    if verb is None and options.words and (near := nearest(options.what, VERBS)):
        raise Refused(f"catalogue: found {shown(options.what)}; did you mean {near}?")
    if verb is None:
        options.words.insert(0, options.what)
    return (verb or _list)(options)


def _list(options: argparse.Namespace) -> int:
    """Prints every figure with its source; of those types only that WORDS name."""
    wanted = " ".join(options.words)
    found = [
        each
        for each in catalogue().all
        if not (options.side and each.nation) or options.side == each.nation
        if any(wanted.casefold() in name.casefold() for name in (each.type, *each.called))
    ]
    if not found:
        types = dict.fromkeys(each.type for each in catalogue().all)
        raise Refused(none_of(types, wanted, f"no type is called {wanted!r}", "brt-cg catalogue"))
    for line in chain.from_iterable(map(lines_of, found)):
        show(line)
    return DONE


def _edit(options: argparse.Namespace) -> int:
    """Sets figures of a type in the player's own catalogue."""
    type_, *assignments = options.words or [""]
    if not type_ or not assignments:
        raise Refused(
            "catalogue edit needs a type and FIELD=VALUE, for example: catalogue edit HMG pp=4"
        )
    side = Side.called(options.side)
    found = [each for each in catalogue().all if each.is_called(type_)]
    tables = {each.table for each in found}
    if options.vehicle:
        tables = {Vehicle.TABLE}
    table = tables.pop() if len(tables) == 1 else Weapon.TABLE
    keep(edited(table, side, type_, assignments))
    say(f"kept in {own_path()}")
    return DONE


def _export(options: argparse.Namespace) -> int:
    """Prints the player's own catalogue, or writes it to a file, to be given to others."""
    text = written(own_types())
    if not options.words:
        print(text.rstrip("\n"))
        return DONE
    path = Path(" ".join(options.words))
    if path.exists():
        raise Refused(f"{path} exists already: choose another name")
    write_whole(path, text)
    say(f"written: {path}")
    return DONE


def _import(options: argparse.Namespace) -> int:
    """Adds another player's catalogue to one's own; its figures count."""
    if not options.words:
        raise Refused("catalogue import needs a file")
    new = read_catalogue(Path(" ".join(options.words)))
    keep(joined(own_types(), new))
    say(f"{counted(len(new), 'type')} added to {own_path()}")
    return DONE


VERBS = {"list": _list, "edit": _edit, "export": _export, "import": _import}
