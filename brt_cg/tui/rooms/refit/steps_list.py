"""The paragraphs of the Refit Phase in order: a list if there is room, else a line."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events, on
from textual.app import ComposeResult, RenderResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from brt_cg.tui.lists.rows import BESIDE, RowList
from brt_cg.tui.look.columns import columns
from brt_cg.tui.session.steps import Stand, Step

LOOKS = {  # the style of a step, and what its stand means
    Stand.DONE: ("$foreground", "Done."),
    Stand.SKIPPED: ("dim", "Skipped"),
    Stand.NOW: ("bold $accent", "In progress."),
    Stand.NEXT: ("bold $accent", "Up next."),
    Stand.AHEAD: ("$secondary", "Still to come."),
}


def counted(steps: Sequence[Step]) -> str:
    """The steps in figures: "14 done, 7 skipped, 23 left", the current one counted among those
    left."""
    tally = {stand: sum(step.stand is stand for step in steps) for stand in Stand}
    parts = [f"{tally[Stand.DONE]} done"]
    if tally[Stand.SKIPPED]:
        parts.append(f"{tally[Stand.SKIPPED]} skipped")
    ahead = len(steps) - tally[Stand.DONE] - tally[Stand.SKIPPED]
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
        yield _Steps(classes=BESIDE, markup=False)
        yield Static(id="step")

    def show(self, steps: Sequence[Step]) -> None:
        """Shows the steps, with the current one in view."""
        if steps == self.steps:
            return
        before, self.steps = self.steps, steps
        listed = self.query_one(_Steps)
        if [step.number for step in before] != [step.number for step in steps]:
            listed.clear_options()
            listed.add_options(Option(_row(step), id=step.number) for step in steps)
        else:
            for old, new in zip(before, steps, strict=True):
                if old != new:
                    listed.replace_option_prompt(new.number, _row(new))
        if not listed.has_focus:
            listed.highlighted = _now(steps)
        if counted(steps) != counted(before):  # a frame that is named anew is drawn anew
            self.border_subtitle = counted(steps)
        self.tell(listed.highlighted)

    def go_to(self, at: int) -> None:
        """Selects a step."""
        self.query_one(_Steps).highlighted = at

    def take_keys(self, wanted: bool) -> None:
        """Makes the arrow keys move through the steps, or gives them back to the question."""
        listed = self.query_one(_Steps)
        listed.can_focus = wanted
        if wanted:
            listed.focus()
        else:
            listed.highlighted = _now(self.steps)

    def tell(self, at: int | None) -> None:
        """Shows the details of a step."""
        text, step = Content(), self.steps[at] if at is not None and at < len(self.steps) else None
        if step is not None:
            # The current one's summary is already shown beside its question.
            summary = "" if step.stand.is_current else f"\n{step.summary}"
            because = f": {step.because}" if step.because else ""
            stand = (f"\n{LOOKS[step.stand][1]}{because}", "$accent")
            text = Content.assemble(
                (f"{step.number} {step.title}", "bold"), stand, (summary, "dim")
            )
        self.query_one("#step", Static).update(text)

    @on(OptionList.OptionHighlighted)
    @on(OptionList.OptionSelected)
    def _moved(self, event: OptionList.OptionMessage) -> None:
        event.stop()
        self.tell(event.option_index)


class _Steps(RowList, can_focus=False):
    """A list that also shows the details of the row under the mouse. It takes the focus only when
    asked to."""

    def _on_mouse_move(self, event: events.MouseMove) -> None:
        super()._on_mouse_move(event)
        over = event.style.meta.get("option")
        if isinstance(over, int) and isinstance(self.parent, StepsList):
            self.parent.tell(over)

    async def _on_click(self, event: events.Click) -> None:
        at = event.style.meta.get("option")
        event.stop()
        event.prevent_default()
        if isinstance(at, int):
            self.post_message(StepClicked(at))

    def _on_leave(self, event: events.Leave) -> None:
        super()._on_leave(event)
        if isinstance(self.parent, StepsList):
            self.parent.tell(self.highlighted)


def _row(step: Step) -> Content:
    """A step in one row; its title may be cut off, and is told in full with its details."""
    row = columns(2, 8).row(step.stand.mark, step.number, step.title)
    return row.stylize(LOOKS[step.stand][0])


def _now(steps: Sequence[Step]) -> int | None:
    return next((at for at, step in enumerate(steps) if step.stand.is_current), None)


class StepsLine(Widget):
    """The steps as a line of marks, and in words the current one, or the one under the mouse."""

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
        text = f"{step.number} {step.because}" if self._over is not None else counted(self.steps)
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
