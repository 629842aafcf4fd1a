"""The `catalogue` command, for the printed values of types of weapons, Guns and vehicles."""

import argparse
from itertools import chain
from pathlib import Path

from brt_cg.catalogue import load_catalogue
from brt_cg.catalogue.types import (
    describe_type,
    format_catalogue,
    merge_types,
    own_catalogue_path,
    own_types_with_assignments,
    read_catalogue,
    read_own_types,
    write_own_types,
)
from brt_cg.cli.console import DONE, print_error, print_output
from brt_cg.files import write_atomically
from brt_cg.model import Side, Vehicle, Weapon
from brt_cg.questions import RefusedError
from brt_cg.text import count_text, nearest_name, short_json, unknown_name_error


def catalogue_(options: argparse.Namespace) -> int:
    verb = VERBS.get(options.what)
    if verb is None and options.words and (near := nearest_name(options.what, VERBS)):
        raise RefusedError(
            f"there is no command catalogue {short_json(options.what)}; did you mean {near}?"
        )
    if verb is None:
        options.words.insert(0, options.what)
    return (verb or _list)(options)


def _list(options: argparse.Namespace) -> int:
    """Print every value with its source; if there are WORDS, only the values of the types that they
    name."""
    wanted = " ".join(options.words)
    found = [
        each
        for each in load_catalogue().all_types
        if not (options.side and each.nation) or options.side == each.nation
        if any(wanted.casefold() in name.casefold() for name in (each.type, *each.called))
    ]
    if not found:
        types = dict.fromkeys(each.type for each in load_catalogue().all_types)
        raise RefusedError(
            unknown_name_error(types, wanted, f"no type is called {wanted!r}", "brt-cg catalogue")
        )
    for line in chain.from_iterable(map(describe_type, found)):
        print_output(line)
    return DONE


def _edit(options: argparse.Namespace) -> int:
    """Set values of a type in the player's own catalog."""
    type_, *assignments = options.words or [""]
    if not type_ or not assignments:
        raise RefusedError(
            "catalogue edit needs a type and FIELD=VALUE, for example: catalogue edit HMG pp=4"
        )
    side = Side.from_name(options.side)
    found = [each for each in load_catalogue().all_types if each.is_called(type_)]
    tables = {each.table for each in found}
    if options.vehicle:
        tables = {Vehicle.TABLE}
    table = tables.pop() if len(tables) == 1 else Weapon.TABLE
    write_own_types(own_types_with_assignments(table, side, type_, assignments))
    print_error(f"stored in {own_catalogue_path()}")
    return DONE


def _export(options: argparse.Namespace) -> int:
    """Print the player's own catalog, or write it to a file, to share with others."""
    text = format_catalogue(read_own_types())
    if not options.words:
        print(text.rstrip("\n"))
        return DONE
    path = Path(" ".join(options.words))
    if path.exists():
        raise RefusedError(f"{path} already exists; choose another name")
    write_atomically(path, text)
    print_error(f"written: {path}")
    return DONE


def _import(options: argparse.Namespace) -> int:
    """Add another player's catalog to the player's own; where both have a value, the other player's
    counts."""
    if not options.words:
        raise RefusedError("catalogue import needs a file")
    new = read_catalogue(Path(" ".join(options.words)))
    write_own_types(merge_types(read_own_types(), new))
    print_error(f"{count_text(len(new), 'type')} added to {own_catalogue_path()}")
    return DONE


VERBS = {"list": _list, "edit": _edit, "export": _export, "import": _import}
