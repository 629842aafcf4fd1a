"""The play aids: a line of words, as for `brt-cg aid`, and the answers below it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from textual import getters, work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from brt_cg.aids.japanese import search_rules
from brt_cg.aids.line import AidPlayer, OutOfDiceError, answer_line, parse_line
from brt_cg.aids.options import AID_NAMES
from brt_cg.aids.outcomes import UnitResult, edit_for_result
from brt_cg.immutable import immutable
from brt_cg.model import Unit
from brt_cg.questions import RefusedError
from brt_cg.resources import read_toml_cached
from brt_cg.service import shown_actions
from brt_cg.text import shell_words
from brt_cg.tui.frame.room import Room
from brt_cg.tui.keys.actions import AIDS
from brt_cg.tui.lists.row_lists import RowList
from brt_cg.tui.lists.search import next_cyclic
from brt_cg.tui.look.columns import column_width_for, columns
from brt_cg.tui.look.lines import Horizontal, Static
from brt_cg.tui.session.session import CampaignSnapshot

MOST = 60  # the most answers kept on the screen
EXAMPLES = Path(__file__).with_name("examples.toml")
EXAMPLE = "example"  # the prefix of the ids of rows with examples
PICK = "Type what happened, or pick a question below: Enter writes it into the line."


@immutable
class AidAnswer:
    """A question, and its answer or the problem with it."""

    line: str
    lines: tuple[str, ...]
    results: tuple[UnitResult, ...] = ()
    unit: str | None = None


class AidsScreen(Room):
    """The play aids, with the newest answer on top. Enter on a result for one of the campaign's
    counters enters the result."""

    PLACE = AIDS
    NEEDS_CAMPAIGN = False
    AUTO_FOCUS = "#line"
    line = getters.query_one("#line", Input)
    answers = getters.query_one("#answers", RowList)
    asked: Sequence[AidAnswer] = ()

    def compose_contents(self) -> ComposeResult:
        with Horizontal(id="asking"):
            yield Static("aid ›", id="prompt")
            yield Input(
                placeholder="what happened: reduced 3-4-7 takes a 2KIA; ↓ to the examples",
                id="line",
            )
        yield RowList(id="answers")

    def on_mount(self) -> None:
        self._list()

    def go_to(self, words: str) -> None:
        """Write the first words of a question into the line."""
        self.line.value = words
        self.line.cursor_position = len(words)

    def clear_shown_and_typed(self) -> None:
        """Drop the answers, which may be about the opponent's secrets."""
        self.asked = ()
        self.line.value = ""
        self._list()

    def show_snapshot(self, seen: CampaignSnapshot) -> None:
        """Keep the answers as they are."""

    # --- asking ---------------------------------------------------------------------------------

    def on_input_submitted(self, event: Input.Submitted) -> None:
        line = event.value.strip()
        if line:
            self.asked = (self._ask(line), *self.asked[: MOST - 1])
            event.input.value = ""
            self._list()

    def _ask(self, line: str) -> AidAnswer:
        try:
            words = shell_words(line)
            named = words if words[0] in AID_NAMES else ["japanese", *words]
            options = parse_line([word for word in named if word not in ("-h", "--help")])
            if self.app.served and options.aid == "fight":
                raise RefusedError(
                    "a recorded fight is a file on the machine that serves this screen"
                )
            found = answer_line(options, AidPlayer(find=self._unit))
        except (RefusedError, OutOfDiceError, OSError, ValueError) as problem:
            notes = search_rules(line.split())
            return AidAnswer(line, tuple(map(str, notes)) or (f"✗ {problem}",))
        if found.rolled and self.app.session.seen is not None:
            self._keep({"line": line, "said": list(found.lines), "unit": found.unit})
        return AidAnswer(line, found.lines, found.results, found.unit)

    def _unit(self, id: str) -> Unit | None:
        """Return the unit with an id, if the seat may know it."""
        seen = self.app.session.seen
        return seen.view.units.get(id) if seen else None

    @work(group="desk", description="keep")
    async def _keep(self, kept: dict[str, Any]) -> None:
        """Put a roll into the log of the open campaign, unless a paragraph is being played."""
        try:
            shown = self.app.session.current_snapshot.basis_of()
            await self.app.session.perform(
                lambda desk: shown_actions.run_shown_command(desk, shown, "aid", kept)
            )
        except RefusedError as refused:
            self.app.show_notice(f"Not entered in the campaign: {refused}")
        except Exception as error:
            self.app.report_error(error)

    # --- showing --------------------------------------------------------------------------------

    def _list(self) -> None:
        answers = self.answers
        answers.clear_options()
        if not self.asked:
            self._list_examples()
        for number, asked in enumerate(self.asked):
            head = Content.from_markup("[bold]$line[/]", line=asked.line)
            answers.add_option(Option(head, disabled=True))
            plain = len(asked.lines) - len(asked.results)
            for place, line in enumerate(asked.lines):
                id = f"{number}:{place - plain}" if place >= plain else None
                enters = " [dim]⏎ enters it[/]" if id and self._edit(asked, place - plain) else ""
                shown = Content.from_markup(f"$line{enters}", line=line)
                answers.add_option(Option(shown, id))
            answers.add_option(None)
        answers.highlighted = None

    def _list_examples(self) -> None:
        """List questions to pick, each with the line that asks it."""
        self.answers.add_option(Option(Content.styled(f"{PICK}\n", "dim"), disabled=True))
        examples = read_toml_cached(EXAMPLES)
        table = columns(column_width_for(examples))
        heads = table.row("Question", "What to type").stylize_before("dim")
        self.answers.add_option(Option(heads, disabled=True))
        for words, line in examples.items():
            row = table.row(words, (line, "dim"))
            self.answers.add_option(Option(row, f"{EXAMPLE}:{line}"))

    def _edit(self, asked: AidAnswer, number: int) -> dict[str, object] | None:
        """Return the correction that enters a result; None if there is nothing to enter."""
        unit = self._unit(asked.unit) if asked.unit else None
        return edit_for_result(asked.results[number], unit) if unit is not None else None

    # --- entering -------------------------------------------------------------------------------

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        number, _, which = (event.option_id or "").partition(":")
        if not which:
            return
        if number == EXAMPLE:
            self.go_to(which)
            self.line.focus()
            return
        asked = self.asked[int(number)]
        values = self._edit(asked, int(which))
        if values is None:
            return
        row = asked.results[int(which)].row
        wanted = {"id": asked.unit, "set": values, "reason": f"{row.rule}: {row.text}"}

        def entered(_: object) -> None:
            self.app.show_notice(f"{asked.unit}: {row.text}; undo removes it")
            self._list()

        shown = self.app.session.current_snapshot.basis_of(str(asked.unit), fields=values)
        self.app.perform(
            lambda desk: shown_actions.run_shown_command(desk, shown, "edit", wanted), entered
        )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("results", "earlier"):
            return self.line.has_focus and (action == "results" or bool(self.asked))
        return super().check_action(action, parameters)

    def action_results(self) -> None:
        """Go from the line to the first answer that can be entered."""
        results = (at for at, option in enumerate(self.answers.options) if option.id)
        self.answers.highlighted = next(results, 1)
        self.answers.focus()

    def action_earlier(self) -> None:
        """Show the previous question, the newest first."""
        self.go_to(next_cyclic([asked.line for asked in self.asked], self.line.value))

    def selected_row_text(self) -> str | None:
        return "\n".join(self.asked[0].lines) if self.asked else None
