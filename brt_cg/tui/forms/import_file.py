"""The form for import and reinforcement: the file, a preview of the changes, and the lines to leave
out."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import starmap
from pathlib import Path
from typing import Any

from textual.content import Content

from brt_cg.commands.difference import DifferenceLine
from brt_cg.commands.stated_totals import COUNTED, STATED, OtherTotal
from brt_cg.imports.open_places import CAPTURED, THEIRS
from brt_cg.imports.preview import (
    CHANGES,
    ImportPreview,
    differing_cvp,
    group_difference_lines,
    preview_import,
    preview_import_file,
)
from brt_cg.imports.scenario_end import REFUSABLE, import_input_without_refused
from brt_cg.imports.state_file import FileFormat, format_of
from brt_cg.model import Side
from brt_cg.questions import Candidate, Problem, RefusedError, raise_problems
from brt_cg.service import shown_actions
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.text import count_text, normalize_spaces_and_case
from brt_cg.tui.dialogs.choice import ChoiceScreen, Reply
from brt_cg.tui.forms.delivery import file_from_player
from brt_cg.tui.forms.open_place_fields import (
    captured_field,
    captured_texts,
    open_place_fields,
    open_place_texts,
)
from brt_cg.tui.question.form import (
    NONE,
    EntryForm,
    FormField,
    FormPage,
    Typed,
    Validation,
    group_by_field,
    split_parts,
)
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import CampaignSnapshot, Session
from brt_cg.vasl.matching import BOTH
from brt_cg.views.view import View

ENDINGS = (".json", ".csv", ".xlsx", ".vsav", ".vlog")
HINT = (
    "The situation at scenario end: a JSON file, the filled-in template workbook, a folder of "
    "CSV files (choose any file in it), or a VASL save or log. A file without a scenario adds "
    "reinforcements."
)
CHANGED = (
    "Another window has changed the campaign since the preview was made: press Esc "
    "and import the file again"
)
STACK = "stack."  # before the field of a question about stacks
VERBS = {"import": "Import", "reinforce": "Reinforce from"}
FATES = (("", "not decided yet"), ("eliminated", "eliminated"), ("keep", "still in play"))
TOTALS = "totals"  # the field that says which CVP count
WHICH = (("", NONE), (COUNTED, "the sum of the losses"), (STATED, "those in the file"))
OTHER = {"eliminated": "keep", "keep": "eliminated", "": ""}


async def import_file(app: CampaignApp) -> None:
    """Ask for a file, show the difference, and import it if the player agrees.

    From a side's seat only that side is imported; at the end of a scenario, only the missing report
    is. For a VASL save the umpire chooses the side.
    """
    if app.session.seen is None:
        return
    seen = app.session.seen.for_missing_scenario_report()
    start = seen.path.parent if isinstance(seen.path, Path) else Path.cwd()
    try:
        last = app.session.imported if seen.half is not None else None  # it may hold both reports
        async with file_from_player(app, "Import", HINT, ENDINGS, start, last) as path:
            if isinstance(path, Path):
                await _offered(app, seen, path)
    except Exception as error:
        app.report_error(error)


async def _offered(app: CampaignApp, seen: CampaignSnapshot, path: Path) -> None:
    """Show the changes that a file would make, and import it if the player agrees."""
    side = seen.seat.value if seen.seat else None
    if side is None and format_of(path) is FileFormat.VASL:
        side = await _whose(app)
        if side is None:
            return
    found = await app.session.look_up(lambda desk: preview_import_file(desk.view(), path, side))
    done = await app.show_form(ImportForm(app.session, path.name, found))
    if done is not None:
        app.session.imported = path
        app.show_notice(done)


async def _whose(app: CampaignApp) -> str | None:
    """Ask which side's counters of a VASL save to import; return None if the player leaves."""
    answers = [Reply(BOTH, "b", "both sides'")]
    answers += [Reply(side.value, side.value[0], f"{side.label} only") for side in Side]
    words = "A VASL save holds both players' hidden units."
    chosen = await app.push_screen_wait(ChoiceScreen("Whose counters?", words, answers))
    return chosen.value if chosen is not None else None


# --- the changes ----------------------------------------------------------------------------------


class ImportForm(EntryForm[str]):
    """The form that shows the changes a file would make, and imports all but the excluded
    lines."""

    def __init__(self, session: Session, name: str, offer: ImportPreview) -> None:
        self.session, self.offer, self.shown = session, offer, session.current_snapshot.basis_of()
        side = offer.found.asked.get("side")
        whose = f", {Side(side).label} side only" if side else ""
        self.title = f"{VERBS[offer.kind]} {name}{whose}"
        refusable = [line for line in offer.lines if line.what in REFUSABLE and _id(line)]
        self.refusable = {_id(line): line for line in refusable}
        self.missing = {line.about: line for line in offer.lines if line.what == "missing"}
        self.names = self._names()
        self.doubts: Mapping[Side, OtherTotal] = {}

    @property
    def draft_name(self) -> str:
        return self.title

    def _names(self) -> dict[str, str]:
        """Return the words that a player types for each line, by its id: the name of its counter,
        or of the piece of a new one; with the id if several have the same name."""
        campaign, pieces = self.session.current_snapshot.view, self.offer.found.names
        counters = {id: campaign.find(id) for id in (*self.refusable, *self.missing)}
        names = {id: one.label if one else pieces.get(id, id) for id, one in counters.items()}
        often = Counter(map(normalize_spaces_and_case, names.values()))
        unique = {id: often[normalize_spaces_and_case(name)] == 1 for id, name in names.items()}
        named = {id: name if unique[id] else f"{name} {id}" for id, name in names.items()}
        return {id: re.sub(r"[,;\s]+", " ", name) for id, name in named.items()}

    def _lines_field(
        self, name: str, label: str, about: str, lines: Mapping[str, DifferenceLine]
    ) -> FormField:
        """Return a field that selects some lines by the names of their counters."""
        offered = tuple(Candidate(id, str(line), self.names[id]) for id, line in lines.items())
        return FormField(name, label, hint="none", offered=offered, joins=True, about=about)

    def _ids(self, typed: Typed, name: str) -> list[str]:
        """Return the ids of the lines named in a field, by name or id; any other text as typed."""
        ids = {normalize_spaces_and_case(line): id for id, line in self.names.items()}
        parts = split_parts(typed.get(name, ""), self.names.values())
        return [ids.get(normalize_spaces_and_case(part), part) for part in parts]

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        changes = FormPage(self.title, tuple(self._fields()), "import it")
        if not self.doubts:
            return (changes,)
        words = "\n".join(f"{side.label} CVP: {each}." for side, each in self.doubts.items())
        which = FormField(TOTALS, "Which CVP count", choices=WHICH, required=True)
        return (changes, FormPage(f"{self.title}: the CVP", (which,), "import it", words))

    def _fields(self) -> Iterator[FormField]:
        missing = len(self.missing)
        if missing:
            are = "The missing counter is" if missing == 1 else f"The {missing} missing are"
            yield FormField("missing", are, FATES[0][0], FATES)
        if missing > 1:
            yield self._lines_field(
                "except", "except", "missing counters for which the opposite is true", self.missing
            )
        if captured := self.offer.found.asked.get(CAPTURED):
            yield captured_field(captured, THEIRS)
        if self.refusable:
            yield self._lines_field("leave", "Leave out", "lines not to import", self.refusable)
        for question in self.offer.found.stacked:
            about = (
                f"{question.title}: {question.possible_pairs_text}; all, none, or names separated "
                "by commas"
            )
            label = question.field.capitalize()
            yield FormField(STACK + question.field, label, question.default_text, about=about)
        yield from open_place_fields(self.offer.open, {})

    def _stacks(self, typed: Typed) -> dict[str, str]:
        """Return the answer to each stack's question, by its field."""
        return {
            question.field: typed.get(STACK + question.field, "").strip() or question.default_text
            for question in self.offer.found.stacked
        }

    def _wrong_stacks(self, typed: Typed) -> Iterator[tuple[str, str]]:
        said = self._stacks(typed)
        for question in self.offer.found.stacked:
            try:
                question.read(said[question.field])
            except RefusedError as refused:
                yield STACK + question.field, str(refused)

    async def validate(self, typed: Typed, page: int) -> Validation:
        wrong = (
            self._wrong_places(typed)
            | dict(self._wrong_stacks(typed))
            | {
                name: f"no line is about {', '.join(strange)}; choose from the list"
                for name, allowed in (("except", self.missing), ("leave", self.refusable))
                if (strange := [id for id in self._ids(typed, name) if id not in allowed])
            }
        )
        if self.missing and not typed["missing"] and not wrong.get("except"):
            undecided = [id for id, fate in self._fates(typed).items() if not fate]
            if undecided:
                wrong["missing"] = "Choose what happened to them: eliminated, or still in play"
        gone = [id for id, fate in self._fates(typed).items() if fate == "eliminated"]
        lines = [*self._preview(self._left_out(typed))]
        at = next((n for n, line in enumerate(lines) if line.plain.startswith(CHANGES)), len(lines))
        lines[at:at] = open_place_texts(self.offer.open, typed, gone)
        return Validation(Content("\n").join(lines) or Content("Nothing would change."), wrong)

    def _wrong_places(self, typed: Typed) -> dict[str, str]:
        """Return the problems with the lines of Locations, by field."""
        problems = [*self.offer.open.line_problems(typed)]
        return group_by_field(problems, [each.field for each in self.offer.open.open_lists])

    def _fates(self, typed: Typed) -> dict[str, str]:
        """Return the fate of each missing counter; one that is given a Location is still in
        play."""
        if not self.missing:
            return {}
        all_are, others = typed["missing"], self._ids(typed, "except")
        placed = self.offer.open.ids_given_a_place(typed)
        fates = {id: OTHER[all_are] if id in others else all_are for id in self.missing}
        return {id: "keep" if id in placed else fate for id, fate in fates.items()}

    def _left_out(self, typed: Typed) -> list[DifferenceLine]:
        return [self.refusable[id] for id in self._ids(typed, "leave") if id in self.refusable]

    def _preview(self, left: list[DifferenceLine]) -> Iterator[Content]:
        """Yield the lines of the preview under headings, unmatched and missing counters first.
        Excluded lines are struck through, and guesses are added."""
        lines, found = self.offer.lines, self.offer.found
        yield from map(Content, self.offer.replaced)
        yield from (Content.styled(words, "dim") for words in found.notices)
        if found.unknown:
            yield _heading(f"{count_text(len(found.unknown), 'piece')} not recognized")
            yield from map(Content, found.unknown)
        yield from captured_texts(found.asked.get(CAPTURED, ()))
        groups = [*group_difference_lines(found, lines)]
        if self.offer.kind != "import":
            groups = [(CHANGES, lines)] if lines else []
        for heading, some in groups:
            yield _heading(heading)
            yield from self._lines(some, left)
        for words in found.other_guesses(lines):
            yield Content.from_markup("[$warning]guessed:[/] $words", words=words)

    def _lines(self, lines: list[DifferenceLine], left: list[DifferenceLine]) -> Iterator[Content]:
        for line in lines:
            if line in left:
                yield Content.styled(f"left out: {line}", "dim strike")
                continue
            yield Content(str(line))
            for words in self.offer.found.guesses_about(line):
                yield Content.from_markup("  [$warning]guessed:[/] $words", words=words)

    async def submit(self, typed: Typed) -> str:
        judged = await self.validate(typed, 0)
        raise_problems(starmap(Problem, judged.problems.items()))
        refused, fates = self._left_out(typed), self._fates(typed)
        found, open_, stacks = self.offer.found, self.offer.open, self._stacks(typed)

        def take(desk: CampaignReader) -> None:
            book = desk.view()
            ends = self.offer.kind == "import"  # a reinforcement changes no counter
            if ends and preview_import(book, found) != self.offer.lines:
                raise RefusedError(CHANGED)
            told = found.with_stack_answers(book, stacks) if found.stacked else found
            asked = open_.complete_import_input(
                book.campaign, import_input_without_refused(book, told, refused, fates), typed
            )
            asked |= self._totals(book, asked, typed) if ends else {}
            shown_actions.run_shown_command(desk, self.shown, self.offer.kind, asked)

        await self.session.perform(take)
        return "Imported."

    def _totals(self, book: View, asked: dict[str, Any], typed: Typed) -> dict[str, str]:
        """Return the player's choice of the CVP that count, if the file's totals do not match its
        losses. Raises RefusedError until the player has chosen."""
        doubts = differing_cvp(book, asked)
        shown, self.doubts = self.doubts, doubts
        if doubts and (doubts != shown or not typed.get(TOTALS)):
            raise RefusedError(Problem(TOTALS, "The file's CVP do not match its losses: choose"))
        return {TOTALS: typed[TOTALS]} if doubts else {}


def _heading(words: str) -> Content:
    return Content.styled(words, "bold $accent")


def _id(line: DifferenceLine) -> str:
    """Return the id by which a line is left out."""
    return "perimeters" if line.what == "perimeters" else line.about
