"""The `import` and `end` commands, which show the changes first; the player accepts all, some or
none of them."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from brt_cg.catalogue.command_figures import new_counters_of_unknown_type
from brt_cg.cli.console import (
    DONE,
    ask_choice,
    is_terminal,
    open_for_command,
    print_error,
    print_output,
)
from brt_cg.commands.difference import DifferenceKind, DifferenceLine
from brt_cg.commands.import_plan import ELIMINATED, KEEP
from brt_cg.commands.stated_totals import COUNTED, STATED, OtherTotal
from brt_cg.commands.unaccounted import Unaccounted, find_unaccounted
from brt_cg.imports.code_line import ParsedCode, parse_code_line, parsed_code_text, tick_code_events
from brt_cg.imports.event_sheet import EventSheet
from brt_cg.imports.open_places import ENCIRCLED, EXCEPT, PLACES, YES, find_open_places
from brt_cg.imports.preview import (
    changes_from_replaced_report,
    differing_cvp,
    group_difference_lines,
    preview_import,
)
from brt_cg.imports.scenario_end import (
    REFUSABLE,
    ScenarioEnd,
    import_input_without_refused,
    read_scenario_end,
)
from brt_cg.imports.state_file import errors_with_cell_names
from brt_cg.imports.text_files import read_stdin
from brt_cg.imports.totals import default_totals, scenario_end_from_sheet
from brt_cg.model import Side
from brt_cg.questions import RefusedError, raise_problems
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.text import NotUnderstoodError, list_text, split_at_spaces_and_commas
from brt_cg.vasl.stack_questions import TITLES
from brt_cg.views.view import View

NOTHING = "nothing stored"


def import_(options: argparse.Namespace) -> int:
    desk = open_for_command(options)
    book, said = desk.view(), dict(map(_stack_line, options.stacked))
    taken = (options.state, options.side, options.missing, options.names)
    asking = is_terminal() and not options.yes and not options.preview
    found = _about_stacks(book, read_scenario_end(book, *taken, said), said, asking)
    with errors_with_cell_names(options.state):
        return _entered(desk, found, options)


def end(options: argparse.Namespace) -> int:
    desk = open_for_command(options)
    book = desk.view()
    side = Side.from_name(options.side) or book.half
    own = book.for_scenario_end_report(side)
    date = own.campaign.situation.date
    if options.date is not None and options.date.strip().upper() != date:
        raise RefusedError(
            f"--date {options.date} does not match: the scenario that ends is {date}"
        )
    if own.at_scenario_start is None:
        phase = own.campaign.situation.phase
        raise RefusedError(f"no scenario is being played ({phase}), so none can end")
    told = EventSheet(own.campaign, own.card, side, {}, own.codes)
    said = parse_code_line(
        told, read_stdin() if options.lines == ["-"] else " ".join(options.lines)
    )
    raise_problems(_not_understood(told, said))
    for each in said:
        tick_code_events(told, each)
        if each.has_effect or each.notes:
            print_output(f"{each.token}  {parsed_code_text(told, each)}")
    doubts = [f"{each.token}: {doubt}" for each in said for doubt in each.doubts]
    if doubts and not (options.yes or options.preview or is_terminal()):
        raise RefusedError(*doubts, "if this is right, add --yes")
    for doubt in doubts:
        print_error(f"is this right? {doubt}")
    for words in told.oddities():
        print_error(f"warning: {words}")
    if not said and not (options.yes or options.preview) and not _nothing_changed():
        print_error(NOTHING)
        return DONE
    return _entered(desk, scenario_end_from_sheet(book, told, default_totals(told)), options, told)


def _nothing_changed() -> bool:
    """Ask whether it is right that a scenario-end report changes nothing. Raises RefusedError if
    nobody can answer."""
    question = "Nothing has changed. Is that right?"
    if not is_terminal():
        raise RefusedError(f"{question} If so, add --yes")
    return ask_choice(question, ("yes", "no")) == "yes"


def _not_understood(told: EventSheet, said: Sequence[ParsedCode]) -> Iterator[str]:
    """Return the problems in a line, each after the word that it concerns."""
    for each in said:
        yield from (_beside(each, wrong) for wrong in each.wrong)
        if each.needs_captor_or_possessor and not each.wrong:
            yield f"{each.token}: captured by which unit? Write {each.token} by /3f"


def _beside(said: ParsedCode, wrong: NotUnderstoodError) -> str:
    return str(wrong) if str(wrong).startswith(str(said.token)) else f"{said.token}: {wrong}"


def _waiting(told: EventSheet, open_: Unaccounted) -> Iterator[str]:
    """List the number of counters without a hex, those that need one, and those that were
    Encircled."""
    yield from told.hex_reminders([each for _, numbered in open_.no_hex for _, each in numbered])
    if open_.encircled:
        yield (
            f"Encircled since setup; still Encircled? "
            f"{', '.join(map(told.counter_text, open_.encircled))}"
        )


def _entered(
    desk: OpenCampaign,
    found: ScenarioEnd,
    options: argparse.Namespace,
    told: EventSheet | None = None,
) -> int:
    """Show the changes, ask if somebody can answer, and store them; `told` holds the values from
    typed lines."""
    side = Side.from_name(found.asked.get("side"))
    book = desk.view()
    asking = is_terminal() and not options.yes and not options.preview
    lines: list[DifferenceLine] = []
    found = _completed(desk, found, options)
    for words in changes_from_replaced_report(book, found.asked):
        print_error(words)
    book = book.for_scenario_end_report(side) if side in book.sides_with_report else book
    if options.preview or asking:
        lines = preview_import(book, found)
        _show(found, lines)
        open_ = find_unaccounted(book.campaign, found.asked, book.card)
        for words in open_.describe() if told is None else _waiting(told, open_):
            print_output(words)
        for words in _new_types(desk, found):
            print_error(words)
    for guess in found.other_guesses(lines):
        print_error(f"guessed: {guess}")
    if captured := found.asked.get("captured"):
        pieces = filter(None, map(book.campaign.find, captured))
        named = ", ".join(piece.label for piece in pieces)
        print_error(f"captured according to your opponent's report, but not this one: {named}")
    for words in found.notices:
        print_error(words)
    if found.unknown:
        print_error(f"not recognized: {', '.join(found.unknown)}")
    if options.preview:
        if found.asked["missing"] is None and any(line.what == "missing" for line in lines):
            print_error(
                "some counters are missing; add --missing keep if they are still in play, or "
                "--missing eliminated"
            )
        return DONE
    if options.cvp is not None:
        totals = STATED if options.cvp == "file" else COUNTED
        found = replace(found, asked=found.asked | {"totals": totals})
    elif not (asking or options.yes):
        raise_problems(_other_totals(book, found))
    asked = _ask(book, found, lines) if asking else found.asked
    if asked is None:
        print_error(NOTHING)
        return DONE
    before = desk.view().mark
    desk.run_command("import", asked)
    if not asking and not options.yes:
        print_error(
            "stored without asking because there is no terminal; --preview shows the changes first"
        )
    for line in desk.view().lines_since(before):
        print_output(str(line))
    return DONE


def _stack_line(text: str) -> tuple[str, str]:
    """Read the field and the answer in a line about stacks."""
    field, colon, answer = text.partition(":")
    if not colon:
        raise RefusedError(
            f"--stacked {text} is not accepted; write "
            f"{list_text(TITLES)}, a colon, and the counters"
        )
    return field.strip(), answer.strip()


def _typed(words: str) -> str:
    try:
        return input(words).strip()
    except (EOFError, KeyboardInterrupt):
        raise RefusedError(f"\nstopped; {NOTHING}") from None


def _about_stacks(
    book: View, found: ScenarioEnd, lines: dict[str, str], asking: bool
) -> ScenarioEnd:
    """Report the facts that no stack shows, and the assumptions; at a terminal the player may
    change these."""
    said = dict(lines)
    for question in found.stacked:
        taken = said.get(question.field, question.default_text)
        print_output(f"{question.title} ({question.field}): {question.possible_pairs_text}")
        if not asking or question.field in lines:
            print_error(f'assumed: {taken}; if that is wrong, add --stacked "{question.field}: …"')
            continue
        while text := _typed(f"  all, none, or names separated by commas (Enter: {taken}): "):
            try:
                question.read(text)
            except RefusedError as problem:
                print(f"  {problem}")
            else:
                said[question.field] = text
                break
    return found.with_stack_answers(book, said) if said != lines else found


def _completed(desk: OpenCampaign, found: ScenarioEnd, options: argparse.Namespace) -> ScenarioEnd:
    """Return the contents of the file with the catalog's values for its types, with the hexes of
    --places and of possessed counters, and without the Encircled units of --free."""
    book = desk.view().for_scenario_end_report(Side.from_name(found.asked.get("side")))
    asked = desk.figures.add_figures_to_command_input(
        "import", found.asked, book.campaign, book.card
    )
    left = find_open_places(book, asked)
    if left.open.beside:
        print_error(left.open.assumed_with_equipment_text)
    encircled = [each.id for each in left.open.encircled]
    freed = encircled if options.free == "all" else split_at_spaces_and_commas(options.free or "")
    if unknown := [id for id in freed if id not in encircled]:
        choices = list_text(["all", *encircled])
        raise RefusedError(f"--free {', '.join(unknown)} is not accepted; enter {choices}")
    lines = {PLACES: "\n".join(options.places), ENCIRCLED: YES, EXCEPT: ",".join(freed)}
    return replace(found, asked=left.complete_import_input(book.campaign, asked, lines))


def _new_types(desk: OpenCampaign, found: ScenarioEnd) -> Iterator[str]:
    """Report types that are not in the catalog; they are accepted as new ones."""
    state = found.asked.get("state")
    for id, type_, near in new_counters_of_unknown_type(
        state, desk.figures.catalogue, desk.view().campaign
    ):
        meant = f"; did you mean {near}?" if near else ""
        yield f"{id}: {type_} is not in the catalog; it is assumed to be a new type{meant}"


def _show(found: ScenarioEnd, lines: list[DifferenceLine]) -> None:
    """Print the changes, with the program's guesses below each line."""
    is_save = bool(found.asked.get("pieces"))
    for heading, group in group_difference_lines(found, lines) if is_save else [("", lines)]:
        if heading:
            print_output(f"{heading}:")
        for line in group:
            print_output(str(line))
            for words in found.guesses_about(line):
                print_output(f"    guessed: {words}")
    if not lines:
        print_output("nothing changes")


def _ask(book: View, found: ScenarioEnd, lines: list[DifferenceLine]) -> dict[str, Any] | None:
    """Ask the player. Return the changes to be stored, or None to store nothing. Report changes
    that cannot be stored, and ask again."""
    try:
        while True:
            how = ask_choice("Import", ("all", "line by line", "nothing"))
            if how == "nothing":
                return None
            refused = _refused(found, lines) if how == "line by line" else []
            fates = _fates(found, lines, one_by_one=how == "line by line")
            asked = import_input_without_refused(book, found, refused, fates)
            try:
                doubts = differing_cvp(book, asked)
            except RefusedError as problem:
                print(f"These do not fit together:\n{problem}")
            else:
                return asked | _which_totals(found, doubts)
    except (EOFError, KeyboardInterrupt):
        raise RefusedError(f"\nstopped; {NOTHING}") from None


def _other_totals(book: View, found: ScenarioEnd) -> Iterator[str]:
    """Report the CVP in a file that do not match its losses."""
    for side, doubt in differing_cvp(book, found.asked).items():
        yield (
            f"{side.label} CVP: {doubt}; leave them empty, or add --yes to store "
            f"{doubt.counted} (--cvp file stores {doubt.given})"
        )


def _which_totals(found: ScenarioEnd, doubts: Mapping[Side, OtherTotal]) -> dict[str, str]:
    """Ask which CVP count if those in the file do not match its losses."""
    if not doubts or found.asked.get("totals") is not None:
        return {}
    given = ", ".join(f"{side.label} {doubt.given}" for side, doubt in doubts.items())
    words = f"Which CVP count: those for the losses, or those in the file ({given})?"
    return {"totals": COUNTED if ask_choice(words, ("losses", "file")) == "losses" else STATED}


def _refused(found: ScenarioEnd, lines: list[DifferenceLine]) -> list[DifferenceLine]:
    refused = []
    for line in lines:
        if line.what in REFUSABLE:
            guessed = "".join(f"\n    guessed: {words}" for words in found.guesses_about(line))
            if ask_choice(f"{line}{guessed}\n ", ("yes", "no")) == "no":
                refused.append(line)
    return refused


def _fates(found: ScenarioEnd, lines: list[DifferenceLine], one_by_one: bool) -> dict[str, str]:
    """Ask for the fate of each missing counter, unless --missing gives it."""
    missing = [line for line in lines if line.what is DifferenceKind.MISSING]
    if not missing or found.asked["missing"] is not None:
        return {}
    fates = (KEEP, ELIMINATED)
    if not one_by_one:
        are = "1 is missing" if len(missing) == 1 else f"{len(missing)} are missing"
        all_of_them = ask_choice(are, (*fates, "one by one"))
        if all_of_them in fates:
            return {line.about: all_of_them for line in missing}
    return {line.about: ask_choice(line.head, fates) for line in missing}
