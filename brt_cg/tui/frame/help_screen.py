"""The help: about this place, its keys, the keys of everywhere; searchable."""

from collections.abc import Iterable
from pathlib import Path

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from brt_cg.resources import toml
from brt_cg.tui.dialogs.dialog import Dialog
from brt_cg.tui.frame.room import Room
from brt_cg.tui.keys.actions import (
    ACTIONS,
    BY_ID,
    EVERYWHERE,
    PLACES,
    Action,
    folder_of,
    place_name,
)
from brt_cg.tui.keys.own_keys import shown_key
from brt_cg.tui.lists.found import holds
from brt_cg.tui.look.columns import columns
from brt_cg.tui.look.lines import hanging

COLUMN = 15  # width of the column of keys
Rows = Iterable[tuple[str, str]]
WORDS = Path(__file__).with_name("words.toml")


class HelpScreen(Dialog[None]):
    """The dialog that `?` opens over a room: typing searches, Escape closes. It begins with the
    text about the room and the actions of the room."""

    KEYS = "↑↓ PgUp PgDn Home End · Esc closes"
    BINDINGS = [
        Binding("escape,f1", "dismiss(None)", "Close"),
        Binding("down", "scroll('down')", "Down", priority=True),
        Binding("up", "scroll('up')", "Up", priority=True),
        Binding("pagedown", "scroll('page_down')", "Next page", priority=True),
        Binding("pageup", "scroll('page_up')", "Previous page", priority=True),
        Binding("home", "scroll('home')", "Beginning", priority=True),
        Binding("end", "scroll('end')", "End", priority=True),
    ]

    def __init__(self, room: Room) -> None:
        super().__init__("Help")
        self.place = room.PLACE
        self.about = (room.about() if room.is_open else None) or _about(*room.help_topic)
        bound = {binding.id for binding in room.BINDINGS if isinstance(binding, Binding)}
        self.here = [
            action
            for action in ACTIONS
            if action.id in bound or (action.place == EVERYWHERE and not room.is_modal)
        ]

    def inside(self) -> ComposeResult:
        yield Input(placeholder="Search: a key, a word")
        with VerticalScroll(can_focus=False):
            yield Static(id="found")

    def on_resize(self) -> None:
        self.call_after_refresh(lambda: self._search(self.query_one(Input).value))

    def on_input_changed(self, event: Input.Changed) -> None:
        self._search(event.value)

    def action_scroll(self, where: str) -> None:
        getattr(self.query_one(VerticalScroll), f"scroll_{where}")(animate=False)

    def _search(self, text: str) -> None:
        words = text.strip()
        width = self.query_one("#found").size.width - 1
        parts, actions = [], ACTIONS if words else self.here
        if not words:
            title, about = self.about
            parts.append(Content.assemble((title, "bold $accent"), f"\n{about}"))
        for place in sorted(PLACES, key=lambda place: (place != self.place, place != EVERYWHERE)):
            keys = ((action, self._keys(action)) for action in actions if action.place == place)
            rows = [(key, f"{action.label}. {action.help}") for action, key in keys if key]
            parts += _section(place_name(place), rows, words, width)
        parts += _section("Words", toml(WORDS).items(), words, width)
        nothing = Content.styled("Nothing found.", "dim")
        self.query_one("#found", Static).update(Content("\n\n").join(parts) if parts else nothing)

    def _keys(self, action: Action) -> str:
        """The keys of an action, without those of everywhere that do something else here. An action
        without keys shows those of the palette."""
        palette = BY_ID[f"{EVERYWHERE}.command_palette"]
        keys = self.app.keys_of(action) or self.app.keys_of(palette)
        taken = self.app.keys_in(self.place) if action.place == EVERYWHERE else set()
        return "  ".join(shown_key(key) for key in keys if key not in taken)


def _about(place: str, page: str = "") -> tuple[str, str]:
    """The title and the text of the help of a place, or of one of its pages."""
    found = toml(folder_of(place) / "help.toml")
    topic = found[page] if page else found
    return topic["title"], " ".join(topic["text"].split())


def _section(title: str, rows: Rows, words: str, width: int) -> list[Content]:
    """A titled list of the rows that contain all the words; empty if there are none."""
    found = [row for row in rows if holds(" ".join(row), words)]
    if not found:
        return []
    lines = [columns(COLUMN).row((key, "bold"), what) for key, what in found]
    hung = (hanging(line, width, COLUMN) for line in lines)
    return [Content("\n").join([Content.styled(title, "bold $accent"), *hung])]
