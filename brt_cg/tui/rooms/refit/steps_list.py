"""The paragraphs of the Refit Phase in order: a list if there is room, else a line."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import ComposeResult, RenderResult
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from brt_cg.tui.lists.drawn_list import DrawnList
from brt_cg.tui.lists.row_lists import POINTER
from brt_cg.tui.look.lines import HangingText, Vertical
from brt_cg.views.steps import Progress, Step

LOOKS = {  # the style of a step, and the meaning of its progress
    Progress.DONE: ("$foreground", "Done."),
    Progress.SKIPPED: ("dim", "Skipped"),
    Progress.NOW: ("bold $accent", "In progress."),
    Progress.NEXT: ("bold $accent", "Up next."),
    Progress.AHEAD: ("$secondary", "Still to come."),
}
STANDING = "drawn--standing"  # the style of the current step while another widget has the keys


def step_counts_text(steps: Sequence[Step]) -> str:
    """Return the numbers of steps: "14 done, 7 skipped, 23 left", the current one counted among
    those left."""
    tally = {stand: sum(step.stand is stand for step in steps) for stand in Progress}
    parts = [f"{tally[Progress.DONE]} done"]
    if tally[Progress.SKIPPED]:
        parts.append(f"{tally[Progress.SKIPPED]} skipped")
    ahead = len(steps) - tally[Progress.DONE] - tally[Progress.SKIPPED]
    return ", ".join([*parts, *([f"{ahead} left"] if ahead else [])])


@dataclass
class StepClicked(Message):
    """Posted when a step is clicked, in the list or in the line."""

    at: int


class StepsList(Vertical):
    """The steps as a list; below it, the summary of the highlighted one, or why it was skipped."""

    BORDER_TITLE = "Steps"
    steps: Sequence[Step] = ()

    def compose(self) -> ComposeResult:
        yield _Steps()
        yield HangingText(id="step")

    def show(self, steps: Sequence[Step]) -> None:
        """Show the steps, with the current one in view."""
        if steps == self.steps:
            return
        before, self.steps = self.steps, steps
        listed = self.query_one(_Steps)
        listed.show(steps)
        if not listed.has_focus:
            self.go_to(_now(steps))
        # Setting a title redraws the frame.
        if step_counts_text(steps) != step_counts_text(before):
            self.border_subtitle = step_counts_text(steps)
        self.show_details(listed.at)

    def go_to(self, at: int | None) -> None:
        """Select a step."""
        listed = self.query_one(_Steps)
        if at is not None:
            listed.put_cursor_on_line(at)
        elif listed.at is not None:
            listed.put_lines(listed.lines, None)

    def set_key_focus(self, wanted: bool) -> None:
        """Make the arrow keys move through the steps, or give them back to the question."""
        listed = self.query_one(_Steps)
        listed.can_focus = wanted
        if wanted:
            listed.focus()
        else:
            self.go_to(_now(self.steps))

    def show_details(self, at: int | None) -> None:
        """Show the details of a step."""
        text, step = Content(), self.steps[at] if at is not None and at < len(self.steps) else None
        if step is not None:
            # The current one's summary is already shown beside its question.
            summary = "" if step.stand.is_now_or_next else f"\n{step.summary}"
            because = f": {step.because}" if step.because else ""
            stand = (f"\n{LOOKS[step.stand][1]}{because}", "$accent")
            text = Content.assemble(
                (f"{step.number} {step.title}", "bold"), stand, (summary, "dim")
            )
        self.query_one("#step", HangingText).set_text(text)

    def on_drawn_list_moved(self, event: DrawnList.Moved) -> None:
        event.stop()
        self.show_details(self.query_one(_Steps).at)


class _Steps(DrawnList, can_focus=False):
    """The steps, one to a row. A long title is cut off; the details show it in full, also for the
    row under the mouse. The list receives the focus only on request."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"drawn--{stand}" for stand in Progress} | {STANDING}
    lines: Sequence[Step]

    def show(self, steps: Sequence[Step]) -> None:
        """Show the steps, and draw those that have changed."""
        before, self.lines = self.lines, steps
        if [step.number for step in before] != [step.number for step in steps]:
            self.put_lines(steps, self.at)
            return
        for at, (old, new) in enumerate(zip(before, steps, strict=True)):
            if old != new:
                self.refresh_line(at)

    def line_segments(self, at: int, width: int, is_top: bool) -> list[Segment]:
        step = self.lines[at]
        pointer = POINTER if at == self.at and self.has_focus else " "
        row = f"{pointer}{step.stand.mark:<2}{step.number:<8}{step.title}"
        if cell_len(row) > width:
            row = f"{set_cell_size(row, width - 1)}…"
        return [Segment(row, self.part_style(step.stand))]

    def part_style(self, name: str) -> Style:
        """Return the style of a step; without the focus its cursor is only a shade."""
        is_shade = name == "cursor" and not self.has_focus
        return super().part_style(STANDING.removeprefix("drawn--") if is_shade else name)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        at = self.scroll_offset.y + event.y
        if isinstance(self.parent, StepsList) and at < len(self.lines):
            self.parent.show_details(at)

    def on_click(self, event: events.Click) -> None:
        at = self.scroll_offset.y + event.y
        event.stop()
        event.prevent_default()
        if at < len(self.lines):
            self.post_message(StepClicked(at))

    def on_leave(self) -> None:
        if isinstance(self.parent, StepsList):
            self.parent.show_details(self.at)


def _now(steps: Sequence[Step]) -> int | None:
    return next((at for at, step in enumerate(steps) if step.stand.is_now_or_next), None)


class StepsLine(Widget):
    """The steps as a line of marks, followed by the current step, or the one under the mouse, in
    words."""

    steps: Sequence[Step] = ()
    _over: int | None = None

    def show(self, steps: Sequence[Step]) -> None:
        self.steps = steps
        self.refresh()

    def render(self) -> RenderResult:
        at = self._over if self._over is not None else _now(self.steps)
        marks = Content.assemble(
            *(
                (
                    step.stand.mark.replace(" ", "╌"),
                    LOOKS[step.stand][0] + (" reverse" if index == self._over else ""),
                )
                for index, step in enumerate(self.steps)
            )
        )
        if at is None or at >= len(self.steps):
            return marks
        step = self.steps[at]
        text = (
            f"{step.number} {step.because}"
            if self._over is not None
            else step_counts_text(self.steps)
        )
        return Content.assemble(marks, "  ", (text, "dim"))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        at = event.x - self.styles.padding.left
        self._over = at if 0 <= at < len(self.steps) else None
        self.refresh()

    def on_click(self) -> None:
        if self._over is not None:
            self.post_message(StepClicked(self._over))

    def on_leave(self) -> None:
        self._over = None
        self.refresh()
