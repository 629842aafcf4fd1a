"""The commands `import` and `end`: the difference is shown first; the player accepts all, some or
none of it."""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from brt_cg.catalogue.entering import unknown_types
from brt_cg.cli.talk import DONE, choose, on_terminal, opened, say, show
from brt_cg.commands.difference import DifferenceLine, What
from brt_cg.commands.plan import COUNTED, ELIMINATED, KEEP, STATED, try_import
from brt_cg.commands.unaccounted import Unaccounted, unaccounted
from brt_cg.imports.code_line import Said, read_line, take, words_of
from brt_cg.imports.open_places import ENCIRCLED, EXCEPT, PLACES, YES, open_places
from brt_cg.imports.preview import preview
from brt_cg.imports.scenario_end import REFUSABLE, Brought, agreed, brought
from brt_cg.imports.state_file import errors_by_cell
from brt_cg.imports.ticks import Ticked
from brt_cg.imports.totals import end_told, first_totals
from brt_cg.model.counters import Side
from brt_cg.model.visibility import seen_by
from brt_cg.questions.answers import Refused, refuse
from brt_cg.service.desk import Desk
from brt_cg.text import NotUnderstood, listed, parted
from brt_cg.vasl.stacked import TITLES
from brt_cg.views.book import Book

NOTHING = "nothing stored"


def import_(options: argparse.Namespace) -> int:
    desk = opened(options)
    book, said = desk.book(), dict(map(_stack_line, options.stacked))
    taken = (options.state, options.side, options.missing, options.names)
    asking = on_terminal() and not options.yes and not options.preview
    found = _about_stacks(book, brought(book, *taken, said), said, asking)
    with errors_by_cell(options.state):
        return _entered(desk, found, options)


def end(options: argparse.Namespace) -> int:
    desk = opened(options)
    book = desk.book()
    side = Side.called(options.side) or book.half
    own = book.for_half(side)
    date = own.campaign.situation.date
    if options.date is not None and options.date.strip().upper() != date:
        raise Refused(f"--date {options.date}: the scenario that ends is {date}")
    if own.began is None:
        phase = own.campaign.situation.phase
        raise Refused(f"phase {phase}: no scenario is being played, so none can end")
    told = Ticked(own.campaign, own.card, side, {}, own.codes)
    said = read_line(told, sys.stdin.read() if options.lines == ["-"] else " ".join(options.lines))
    refuse(_not_understood(told, said))
    for each in said:
        take(told, each)
        if each.tells or each.notes:
            show(f"{each.token}  {words_of(told, each)}")
    doubts = [f"{each.token}: {doubt}" for each in said for doubt in each.doubts]
    if doubts and not (options.yes or options.preview or on_terminal()):
        raise Refused(*doubts, "if that is meant, add --yes")
    for doubt in doubts:
        say(f"meant? {doubt}")
    for words in told.odd():
        say(f"warning: {words}")
    if not said and not (options.yes or options.preview) and not _nothing_changed():
        say(NOTHING)
        return DONE
    return _entered(desk, end_told(book, told, first_totals(told)), options, told)


def _nothing_changed() -> bool:
    """Asks whether it is right that a scenario's end says nothing. Raises Refused where nobody can
    answer."""
    question = "Nothing has changed: is that right?"
    if not on_terminal():
        raise Refused(f"{question} If so, add --yes")
    return choose(question, ("yes", "no")) == "yes"


def _not_understood(told: Ticked, said: Sequence[Said]) -> Iterator[str]:
    """The problems with the words of a line, each beside its word."""
    for each in said:
        yield from (_beside(each, wrong) for wrong in each.wrong)
        if each.to_be_picked and not each.wrong:
            yield f"{each.token}: by whom? {each.token} by /3f"


def _beside(said: Said, wrong: NotUnderstood) -> str:
    return str(wrong) if str(wrong).startswith(str(said.token)) else f"{said.token}: {wrong}"


def _waiting(told: Ticked, open_: Unaccounted) -> Iterator[str]:
    """How many counters have no hex, and which of them need one; who was Encircled."""
    yield from told.without_a_hex([each for _, numbered in open_.no_hex for _, each in numbered])
    if open_.encircled:
        yield f"Encircled since setup, still so? {', '.join(map(told.called, open_.encircled))}"


def _entered(
    desk: Desk, found: Brought, options: argparse.Namespace, told: Ticked | None = None
) -> int:
    """Shows the difference, asks where somebody can answer, and stores; `told` is what lines
    say."""
    side = Side.called(found.asked.get("side"))
    book = desk.book()
    if side is not None and side in book.reported:
        say(f"this replaces the {side.label} report entered before")
        book = book.for_half(side)
    asking = on_terminal() and not options.yes and not options.preview
    lines: list[DifferenceLine] = []
    found = _completed(desk, found, options)
    if options.preview or asking:
        lines = preview(book, found)
        _show(found, lines)
        open_ = unaccounted(book.campaign, found.asked, book.card)
        for words in open_.lines() if told is None else _waiting(told, open_):
            show(words)
        for words in _new_types(desk, found):
            say(words)
    for guess in found.elsewhere(lines):
        say(f"guessed: {guess}")
    if captured := found.asked.get("captured"):
        say(f"captured according to the other half, but not here: {', '.join(captured)}")
    if found.unknown:
        say(f"not recognised: {', '.join(found.unknown)}")
    if options.preview:
        if found.asked["missing"] is None and any(line.what == "missing" for line in lines):
            say("say what happened to missing counters: --missing keep or --missing eliminated")
        return DONE
    if options.cvp is not None:
        totals = STATED if options.cvp == "file" else COUNTED
        found = replace(found, asked=found.asked | {"totals": totals})
    elif not (asking or options.yes):
        refuse(_other_totals(book, found))
    asked = _ask(book, found, lines) if asking else found.asked
    if asked is None:
        say(NOTHING)
        return DONE
    before = desk.book().mark
    desk.command("import", asked)
    if not asking and not options.yes:
        say("stored without asking because there is no terminal; --preview shows the changes first")
    for line in desk.book().lines_since(before):
        show(str(line))
    return DONE


def _stack_line(text: str) -> tuple[str, str]:
    """The field and the answer of a line about what is stacked."""
    field, colon, answer = text.partition(":")
    if not colon:
        raise Refused(f"--stacked {text}: write {listed(TITLES)}, a colon, and who")
    return field.strip(), answer.strip()


def _typed(words: str) -> str:
    try:
        return input(words).strip()
    except (EOFError, KeyboardInterrupt):
        raise Refused(f"\nstopped: {NOTHING}") from None


def _about_stacks(book: Book, found: Brought, lines: dict[str, str], asking: bool) -> Brought:
    """Says what no stack tells, and what is taken; at a terminal the player may say otherwise."""
    said = dict(lines)
    for question in found.stacked:
        taken = said.get(question.field, question.default_text)
        show(f"{question.title} ({question.field}): {question.words}")
        if not asking or question.field in lines:
            say(f'taken: {taken}; otherwise --stacked "{question.field}: …"')
            continue
        while text := _typed(f"  all, none, or ids (Enter: {taken}): "):
            try:
                question.read(text)
            except Refused as problem:
                print(f"  {problem}")
            else:
                said[question.field] = text
                break
    return found.with_stacks(book, said) if said != lines else found


def _completed(desk: Desk, found: Brought, options: argparse.Namespace) -> Brought:
    """The contents of the file with what the catalogue has on its types, with the hexes of
    --places and of what a counter has, and without the Encircled of --free."""
    book = desk.book().for_half(Side.called(found.asked.get("side")))
    asked = desk.figures.filled_in("import", found.asked, book.campaign, book.card)
    left = open_places(book, asked)
    if left.open.beside:
        say(left.open.beside_text)
    encircled = [each.id for each in left.open.encircled]
    freed = encircled if options.free == "all" else parted(options.free or "")
    if unknown := [id for id in freed if id not in encircled]:
        raise Refused(f"--free {', '.join(unknown)}: allowed: all, {listed(encircled)}")
    lines = {PLACES: "\n".join(options.places), ENCIRCLED: YES, EXCEPT: ",".join(freed)}
    return replace(found, asked=left.settled(book.campaign, asked, lines))


def _new_types(desk: Desk, found: Brought) -> Iterator[str]:
    """Asks back about types that the catalogue does not have; they are taken as new ones."""
    state = found.asked.get("state")
    for id, type_, near in unknown_types(state, desk.figures.catalogue, desk.book().campaign):
        meant = f"; did you mean {near}?" if near else ""
        yield f"{id}: {type_} is not in the catalogue, and is taken as a new type{meant}"


def _show(found: Brought, lines: list[DifferenceLine]) -> None:
    """Prints the difference, with the program's guesses beside each line."""
    for line in lines:
        show(str(line))
        for words in found.beside(line):
            show(f"    guessed: {words}")
    if not lines:
        show("nothing would change")


def _ask(book: Book, found: Brought, lines: list[DifferenceLine]) -> dict[str, Any] | None:
    """Asks the player. Returns what is to be stored, or None for nothing. Reports what cannot be
    stored and asks again."""
    try:
        while True:
            how = choose("Import", ("all", "line by line", "nothing"))
            if how == "nothing":
                return None
            refused = _refused(found, lines) if how == "line by line" else []
            fates = _fates(found, lines, one_by_one=how == "line by line")
            asked = agreed(book, found, refused, fates)
            try:
                doubts = try_import(book.campaign, book.card, asked).doubts
            except Refused as problem:
                print(f"These do not fit together:\n{problem}")
            else:
                return asked | _which_totals(found, doubts)
    except (EOFError, KeyboardInterrupt):
        raise Refused(f"\nstopped: {NOTHING}") from None


def _other_totals(book: Book, found: Brought) -> Iterator[str]:
    """The CVP in a file that its losses do not make."""
    after = try_import(book.campaign, book.card, found.asked)
    if after.undecided and after.missing:
        return  # what became of these is refused first, and makes other totals
    for side, given in after.doubts.items():
        counted = seen_by(after.after, after.asked.side).cvp(side)
        yield (
            f"{side.label} CVP: the file says {given}, its losses make {counted}; leave it empty, "
            f"or add --yes to store {counted} (--cvp file: {given})"
        )


def _which_totals(found: Brought, doubts: Mapping[Side, int]) -> dict[str, str]:
    """Asks which CVP count where the file gives others than its losses make."""
    if not doubts or found.asked.get("totals") is not None:
        return {}
    given = ", ".join(f"{side.label} {cvp}" for side, cvp in doubts.items())
    words = f"Which CVP count: what the losses make, or those in the file ({given})?"
    return {"totals": COUNTED if choose(words, ("losses", "file")) == "losses" else STATED}


def _refused(found: Brought, lines: list[DifferenceLine]) -> list[DifferenceLine]:
    refused = []
    for line in lines:
        if line.what in REFUSABLE:
            guessed = "".join(f"\n    guessed: {words}" for words in found.beside(line))
            if choose(f"{line}{guessed}\n ", ("yes", "no")) == "no":
                refused.append(line)
    return refused


def _fates(found: Brought, lines: list[DifferenceLine], one_by_one: bool) -> dict[str, str]:
    """The fate of each missing counter that --missing does not give."""
    missing = [line for line in lines if line.what is What.MISSING]
    if not missing or found.asked["missing"] is not None:
        return {}
    fates = (KEEP, ELIMINATED)
    if not one_by_one:
        are = "1 is missing" if len(missing) == 1 else f"{len(missing)} are missing"
        all_of_them = choose(are, (*fates, "one by one"))
        if all_of_them in fates:
            return {line.about: all_of_them for line in missing}
    return {line.about: choose(line.head, fates) for line in missing}
