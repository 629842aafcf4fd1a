"""The end of a scenario, from a file, a workbook or a VASL save (`read_scenario_end`), or from
ticks and numbers (totals.py). Each makes a `ScenarioEnd`, whose `asked` is the input of `import`,
and the steps from there are the same:

    found = read_scenario_end(book, path, side)  or  scenario_end_from_sheet(book, told, totals)
    open_ = find_open_places(book, found.asked)  asks for hexes, the Encircled, the captured
    asked = open_.complete_import_input(book.campaign, found.asked, lines)
    preview_import(book, found)                  the preview, which refuses the impossible
    desk.run_command("import", asked)
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from brt_cg.commands.difference import DifferenceKind, DifferenceLine
from brt_cg.commands.import_plan import KEEP
from brt_cg.commands.problems import XLSX
from brt_cg.commands.state_document import (
    FACT_FIELDS,
    FIELDS,
    IN_LEDGER,
    build_state_document,
)
from brt_cg.files import translate_errors
from brt_cg.immutable import immutable
from brt_cg.imports.open_places import CAPTURED, Asked
from brt_cg.imports.save_conflicts import (
    casualty_point_comparisons_with_vasl,
    drop_conflicting_facts,
)
from brt_cg.imports.state_file import FileFormat, format_of, read_state_document
from brt_cg.model import Campaign, Fate, Side, to_json
from brt_cg.vasl.matching import BOTH, state_from_save
from brt_cg.vasl.rows import Casualties, Guess
from brt_cg.vasl.stack_questions import StackQuestion, answers_by_field, apply_answers
from brt_cg.views.view import View

COUNTERS = (DifferenceKind.ADDED, DifferenceKind.MOVED, DifferenceKind.CHANGED)
# The campaign holds no earlier value for the scenario itself: 15.6032 asks who won.
REFUSABLE = (*COUNTERS, DifferenceKind.TOTALS, DifferenceKind.PERIMETERS)


@immutable
class ScenarioEnd:
    """The end of a scenario: the input of `import`, and the program's guesses. For a save, also the
    `names` of its pieces with their hexes, by counter; the `unknown` pieces; the questions about
    its stacks (`stacked`); the input and guesses before those were answered; and VASL's count of
    the `casualties`."""

    asked: dict[str, Any]
    guesses: list[Guess] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    stacked: list[StackQuestion] = field(default_factory=list)
    unsettled: tuple[dict[str, Any], list[Guess]] | None = None
    casualties: Casualties = field(default_factory=Casualties)
    notices: list[str] = field(default_factory=list)  # about cells of tables

    def with_stack_answers(self, book: View, lines: Mapping[str, str]) -> "ScenarioEnd":
        """Return the scenario end with the players' answers about its stacks, by the field of each
        question; questions without an answer get their default. Raises RefusedError."""
        is_named = any(question.names for question in self.stacked)
        # An answer may name counters that are new.
        shown = self.with_stack_answers(book, {}) if lines and not is_named else self
        answers = answers_by_field(shown.stacked, lines)
        if self.unsettled is None:
            return self
        asked, guesses = self.unsettled
        book = book.for_scenario_end_report(Side.from_name(asked.get("side")))
        known = build_state_document(book.campaign, Side.from_name(asked.get("side")))
        given = apply_answers(asked, answers, known)
        settles, more, after = drop_conflicting_facts(book.campaign, book.card, given, self.names)
        more += casualty_point_comparisons_with_vasl(
            book.card, book.campaign, after, self.casualties, self.names
        )
        stacked = [question.with_counter_names(after) for question in self.stacked]
        return replace(self, asked=settles, guesses=[*guesses, *more], stacked=stacked)

    def guesses_about(self, line: DifferenceLine) -> list[str]:
        """Return the guesses about the counters of a line of the difference."""
        return [guess.words for guess in self.guesses if guess.about and guess.about in line.ids]

    def other_guesses(self, lines: list[DifferenceLine]) -> list[str]:
        """Return the guesses that are about none of these lines."""
        named = {id for line in lines for id in line.ids}
        return [str(guess) for guess in self.guesses if not guess.about or guess.about not in named]


def read_scenario_end(
    book: View,
    path: Path,
    side: str | None,
    missing: str | None = None,
    names: Path | None = None,
    stacked: Mapping[str, str] = MappingProxyType({}),
) -> ScenarioEnd:
    """Read a file or folder. `side` is "marine", "japanese", or "both" or None for both; a VASL
    save requires it, and accepts `names`, a file of the player's own, and answers about stacks
    (`stacked`), by the field of each question. Raises RefusedError."""
    taken = None if side == BOTH else side
    book = book.for_scenario_end_report(Side.from_name(taken))
    asked = {"missing": missing, "side": taken}
    with translate_errors(path, "a file that can be imported; it is damaged or in another format"):
        format = format_of(path)
        if format is not FileFormat.VASL:
            document, notices = read_state_document(path, format, book.campaign)
            found = ScenarioEnd(add_captured_by_enemy(book, asked | document), notices=notices)
            return found.with_stack_answers(book, stacked)
        save = state_from_save(book, path, side, names)
    source = path.name.removesuffix(XLSX)  # not a workbook, whatever its name
    given = asked | {"state": save.document, "pieces": save.pieces, "source": source}
    given |= {"others": save.others} if save.others else {}
    given = add_captured_by_enemy(book, given)
    found = ScenarioEnd(
        given,
        names=save.names,
        unknown=save.unknown,
        stacked=save.stacked,
        unsettled=(given, save.guesses),
        casualties=save.casualties,
    )
    return found.with_stack_answers(book, stacked)


def add_captured_by_enemy(book: View, asked: Asked) -> Asked:
    """Return the input of an import with the counters that stay captured, unless the players say
    otherwise: the units of its side that the enemy's report made prisoners, and that its own
    document does not show as prisoners (free, lost or not named), and the equipment that the enemy
    captured and the document still has. `book` is the view of the reporting side."""
    side, state, view = Side.from_name(asked["side"]), asked["state"], book.campaign
    if side is None or (book.half is None and not view.situation.is_refit_due):
        return asked
    if not isinstance(state, dict):
        return asked
    rows = state.get("units") or ()
    held = {row.get("id") for row in rows if isinstance(row, dict) and _is_held(row)}
    before = book.before_scenario_end
    captured = [
        unit.id
        for unit in view.sort_counters_in_play(view.units.values())
        if unit.side is side and unit.prisoner and unit.id not in held
        if (was := before.units.get(unit.id)) is not None and not was.prisoner
    ]
    own = {
        row.get("id")
        for table in ("weapons", "vehicles")
        for row in state.get(table) or ()
        if isinstance(row, dict) and row.get("side") == side
    }
    for piece in view.sort_counters_in_play([*view.weapons.values(), *view.vehicles.values()]):
        had = before.find(piece.id)
        if piece.id in own and piece.side is side.enemy and had is not None and had.side is side:
            captured.append(piece.id)
    return asked | {CAPTURED: captured} if captured else asked


def ids_left_as_opponent_reported(book: View, asked: Asked, before: Campaign) -> list[str]:
    """Return the ids of the counters that a side's report leaves as its opponent's report has them,
    if that was entered first: everything captured, and everything else that the report leaves as in
    `before` (the campaign that its side knew at the time); and the totals that it leaves unchanged.
    A different report on captured equipment is a contradiction."""
    side, state = Side.from_name(asked["side"]), asked["state"]
    now, was = (build_state_document(each, side) for each in (book.campaign, before))
    kept = [
        id
        for id in add_captured_by_enemy(book, asked).get(CAPTURED, ())
        if id in book.campaign.units or id in asked.get(CAPTURED, ())
    ]
    for table in FIELDS:
        known, changed = ({row["id"]: row for row in each[table]} for each in (was, now))
        for row in state.get(table) or ():
            id = row.get("id")
            old = known.get(id, {})
            as_before = row.items() <= old.items()
            if as_before and changed.get(id, old) != old and id not in kept:
                kept.append(id)
    return [*kept, *_kept_totals(state, before)]


def _kept_totals(state: dict[str, Any], before: Campaign) -> Iterator[str]:
    """Yield the facts of the scenario that a report leaves as its side knew them before."""
    if state["scenario"].get("moved_first") in (None, before.situation.first_move):
        yield "moved_first"
    for name, fact in (state.get("facts") or {}).items():
        if fact in (0, to_json(getattr(before.situation, FACT_FIELDS[name].attribute))):
            yield name


def _is_held(row: dict[str, Any]) -> bool:
    """Whether a document shows a unit as a living prisoner."""
    lives = row.get("fate") in (None, Fate.IN_PLAY)
    return lives and "prisoner" in (row.get("status") or ())


# --- accepted line by line ------------------------------------------------------------------------


def without_refused_lines(
    campaign: Campaign,
    asked: Asked,
    refused: Collection[DifferenceLine],
    fates: Mapping[str, str] | None = None,
) -> Asked:
    """Return the input of an import without the `refused` lines of its difference: their counters
    stay as the campaign has them, or are left out if they are new. `fates` gives the fate of
    missing counters by id: "keep" or "eliminated"."""
    known = build_state_document(campaign, Side.from_name(asked.get("side")))
    state = dict(asked["state"])
    for line in refused:
        if line.what is DifferenceKind.TOTALS:
            given = {name: state["sides"][line.about].get(name) for name in IN_LEDGER}
            state["sides"] = state["sides"] | {line.about: known["sides"][line.about] | given}
        elif line.what is DifferenceKind.PERIMETERS:
            state["perimeters"] = known["perimeters"]
    stay = {id for line in refused if line.what in COUNTERS for id in line.ids}
    for table in FIELDS:
        rows = [row for row in state.get(table, ()) if row["id"] not in stay]
        rows += _as_known(known[table], stay, fates or {})
        if rows or table in state:
            state[table] = rows
    found = asked | {"state": state}
    if asked.get("pieces"):
        # A refused line may mean the wrong piece, so it is matched again next time.
        pieces = asked["pieces"].items()
        found["pieces"] = {piece: id for piece, id in pieces if id not in stay}
    return found


def import_input_without_refused(
    book: View,
    found: ScenarioEnd,
    refused: Collection[DifferenceLine],
    fates: Mapping[str, str] | None = None,
) -> Asked:
    """Return the input of an import without the `refused` lines (see `without_refused_lines`). For
    a save, conflicts without these lines are settled too, so that one refused line does not refuse
    the rest."""
    book = book.for_scenario_end_report(Side.from_name(found.asked.get("side")))
    asked = without_refused_lines(book.campaign, found.asked, refused, fates)
    if asked.get("pieces") is None:
        return asked
    return drop_conflicting_facts(book.campaign, book.card, asked, found.names)[0]


def _as_known(
    rows: Iterable[Asked], stay: Collection[str], fates: Mapping[str, str]
) -> Iterable[Asked]:
    """Yield the counters of a list that stay unchanged, then the missing ones with their fate."""
    for row in rows:
        fate = fates.get(row["id"], KEEP if row["id"] in stay else None)
        if fate is not None:
            yield row if fate == KEEP else row | {"fate": fate}
