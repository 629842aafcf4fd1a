"""Import and reinforcement: choose a state, see what it would change, take it in."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from brt_cg.counters import Side
from brt_cg.records import Phase
from brt_cg.tui.screens.path import PathScreen

if TYPE_CHECKING:
    from brt_cg.commands.difference import Line
    from brt_cg.desk import Desk
    from brt_cg.tui.app import BrtApp

HINT = (
    "The situation at scenario end, or without a scenario reinforcements: a JSON file, or a folder "
    "of CSV files (choose any table in it)."
)
VERBS = {"import": "Import", "reinforce": "Reinforce from"}


class DifferenceScreen(ModalScreen[str | None]):
    """What an import would change; answers "take", "keep", "eliminated", or None to leave it."""

    CSS_PATH = "take_in.tcss"
    BINDINGS = [Binding("escape", "dismiss(None)", "Leave it")]

    def __init__(self, heading: str, lines: "list[Line]", whose: str | None) -> None:
        super().__init__()
        self.heading, self.lines, self.whose = heading, lines, whose

    def compose(self) -> ComposeResult:
        missing = sum(line.what == "missing" for line in self.lines)
        with Vertical(id="difference") as box:
            box.border_title = self.heading
            box.border_subtitle = f"{self.whose} side only" if self.whose else ""
            with VerticalScroll():
                yield Static(
                    "\n".join(map(str, self.lines)) or "Nothing would change.", markup=False
                )
            yield OptionList(*_choices(missing))

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        _ = self.dismiss(None if event.option_id == "leave" else event.option_id)


def _choices(missing: int) -> list[Option]:
    leave = Option("Leave it; nothing is stored", "leave")
    if not missing:
        return [Option("Take it in", "take"), leave]
    are = "1 missing counter is" if missing == 1 else f"{missing} missing counters are"
    return [
        Option(f"Take it in; the {are} eliminated", "eliminated"),
        Option(f"Take it in; the {are} still in play", "keep"),
        leave,
    ]


async def take_in(app: "BrtApp", path: Path | None = None) -> None:
    """Asks for a state (unless it is given), shows the difference, and takes it in if wanted.

    From a side's seat only that side is taken in.
    """
    seen = app.session.seen
    if seen is None:
        return
    if path is None:
        start = seen.path.parent
        path = await app.push_screen_wait(PathScreen("Import", HINT, (".json", ".csv"), start))
    if path is None:
        return
    side = seen.seat.value if seen.seat else None
    try:
        kind, asked, lines = await app.session.perform(lambda desk: _preview(desk, path, side))
    except Exception as error:
        app.tell(error)
        return
    whose = seen.seat.label if seen.seat else None
    heading = f"{VERBS[kind]} {path.name}"
    wish = await app.push_screen_wait(DifferenceScreen(heading, lines, whose))
    if wish is not None:
        decided = asked | ({"missing": wish} if wish != "take" else {})
        app.perform(lambda desk: desk.command(kind, decided), lambda _: app.notify("Taken in."))


def _preview(
    desk: "Desk", path: Path, side: str | None
) -> "tuple[str, dict[str, Any], list[Line]]":
    """The command that a file is for, what it is asked, and what would come of it."""
    from brt_cg.commands.difference import difference, reinforcement
    from brt_cg.imports.state_file import read_state, source_of

    place = path.parent if path.suffix.lower() == ".csv" else path
    found = read_state(place)
    asked: dict[str, Any] = {"state": found, "source": source_of(place)}
    ended = desk.campaign.situation.phase is Phase.SCENARIO
    if isinstance(found, dict) and "scenario" not in found and not ended:
        seat = Side(side) if side else None
        return "reinforce", asked, reinforcement(desk.campaign, asked, desk.card, seat)
    asked |= {"missing": None, "side": side}
    return "import", asked, difference(desk.campaign, asked, desk.card)
