"""The help: about this place, its keys, the global keys, and questions with answers; searchable.
The guide to an evening opens from the help or from the palette."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from textual.app import ComposeResult
from textual.binding import Binding
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input

from brt_cg.exports.guide import (
    FAQ_TITLE,
    ITEM,
    TITLE,
    GuideSection,
    demo_figures,
    faq_sections,
    guide_sections,
)
from brt_cg.resources import read_toml_cached
from brt_cg.text import key_text
from brt_cg.tui.dialogs.dialog import Dialog
from brt_cg.tui.dialogs.text_boxes import WordsScreen
from brt_cg.tui.frame.room import Room
from brt_cg.tui.keys.actions import (
    ACTIONS,
    EVERYWHERE,
    LISTS,
    PLACES,
    Action,
    binding_of,
    place_folder,
    place_name,
)
from brt_cg.tui.lists.panes import Pane
from brt_cg.tui.lists.search import contains_words
from brt_cg.tui.look.columns import columns
from brt_cg.tui.look.lines import Lines, hang_text
from brt_cg.tui.session.campaign_app import CampaignApp

PALETTE = f"{EVERYWHERE}.command_palette"
COLUMN = 17  # width of the column of keys
Rows = Iterable[tuple[str, str]]
WAYS = {
    **{"cursor_up": "up", "cursor_down": "down", "page_up": "page_up", "page_down": "page_down"},
    **{"first": "home", "last": "end"},
}
WORDS = Path(__file__).with_name("words.toml")


class HelpScreen(Dialog[None]):
    """The dialog that `?` opens over a room, a form or a box: typing searches. It begins with the
    text about the place that it was opened over, and the actions there."""

    FOLLOWS = True
    KEYS = (
        "{lists.cursor_up}{lists.cursor_down} {lists.page_up} {lists.page_down} {lists.first} "
        "{lists.last} · {dialogs.guide} the guide · {dialogs.close} closes"
    )
    BINDINGS = [
        binding_of("everywhere.help", "dismiss(None)"),
        binding_of("dialogs.guide", "app.guide", first=True),
        # These take precedence over the keys of the field, which has the focus.
        *(
            binding_of(f"{LISTS}.{name}", f"scroll('{where}')", first=True)
            for name, where in WAYS.items()
        ),
    ]

    def __init__(self, room: Room, over: Screen[Any] | None = None) -> None:
        super().__init__("Help")
        over = over or room
        self.place = getattr(over, "PLACE", room.PLACE)
        if over is room:
            self.about = (room.help_introduction() if room.shows_contents else None) or _about(
                *room.help_topic
            )
        else:
            self.about = _about(self.place)
        here = action_ids_with_keys(over)
        self.here = [
            action
            for action in ACTIONS
            if action.id in here or (action.place == EVERYWHERE and not over.is_modal)
        ]

    def compose_box(self) -> ComposeResult:
        yield Input(placeholder="Search: a key, a word")
        with Pane():
            yield Lines(id="found")

    def on_mount(self) -> None:
        self._search("")

    def on_input_changed(self, event: Input.Changed) -> None:
        self._search(event.value)

    def action_scroll(self, where: str) -> None:
        getattr(self.query_one(Pane), f"scroll_{where}")(animate=False)

    def _search(self, text: str) -> None:
        words = text.strip()
        self.query_one("#found", Lines).show_written_by(lambda room: self._found(words, room.width))

    def _found(self, words: str, width: int) -> Content:
        """Return the parts of the help that contain some words, for a width."""
        parts, actions = [], ACTIONS if words else self.here
        if not words:
            title, about = self.about
            parts.append(Content.assemble((title, "bold"), f"\n{self.app.fill_in_keys(about)}"))
        for place in sorted(PLACES, key=lambda place: (place != self.place, place != EVERYWHERE)):
            keys = ((action, self._keys(action)) for action in actions if action.place == place)
            rows = [(key, f"{action.label}. {action.help}") for action, key in keys if key]
            # The text about this place contains its name already.
            named = place_name(place) if words or place != self.place else "Keys here"
            parts += _section(named, rows, words, width)
        named = f"No key: press {self.app.key_text(PALETTE)} and type its name"
        keyless = (action for action in actions if not self.app.keys_of(action))
        rows = [(action.label, action.help) for action in keyless]
        parts += _section(named, rows, words, width)
        parts += _section("Words", read_toml_cached(WORDS).items(), words, width)
        parts += _questions(self.app, words, width)
        nothing = Content.styled("Nothing found.", "dim")
        return Content("\n\n").join(parts) if parts else nothing

    def _keys(self, action: Action) -> str:
        """Return the keys of an action, without global keys that do something else here."""
        taken = self.app.keys_in(self.place) if action.place == EVERYWHERE else set()
        return "  ".join(key_text(key) for key in self.app.keys_of(action) if key not in taken)


def action_ids_with_keys(screen: Screen[Any]) -> set[str]:
    """Return the actions that a screen, or any of its widgets, has keys for."""
    bound = (
        binding.id
        for node in (screen, *screen.query("*"))
        for cls in type(node).__mro__
        for binding in vars(cls).get("BINDINGS", ())
        if isinstance(binding, Binding)
    )
    return set(filter(None, bound))


def _about(place: str, page: str = "") -> tuple[str, str]:
    """Return the title and the text of the help of a place, or of one of its pages."""
    found = read_toml_cached(place_folder(place) / "help.toml")
    topic = found[page] if page else found
    return topic["title"], " ".join(topic["text"].split())


def _section(title: str, rows: Rows, words: str, width: int) -> list[Content]:
    """Return a titled list of the rows that contain all the words; empty if there are none."""
    found = [row for row in rows if contains_words(" ".join(row), words)]
    if not found:
        return []
    lines = [columns(COLUMN).row((key, "bold"), what) for key, what in found]
    hung = (hang_text(line, width, COLUMN) for line in lines)
    return [Content("\n").join([Content.styled(title, "bold"), *hung])]


def _questions(app: CampaignApp, words: str, width: int) -> list[Content]:
    """Return the questions that contain all the words, with their answers, below a heading."""
    asked = faq_sections(app.fill_in_keys)
    found = [one for one in asked if contains_words(" ".join([one.title, *one.lines]), words)]
    return [Content.styled(FAQ_TITLE, "bold"), *_written(found, width)] if found else []


def _written(sections: Sequence[GuideSection], width: int) -> Iterator[Content]:
    """Yield each section: its title, and its lines for a width, with a blank row before each
    paragraph except the first."""
    for section in sections:
        lines = [Content.styled(section.title, "bold")]
        for line in section.lines:
            is_item = line.startswith(ITEM)
            if not is_item and len(lines) > 1:
                lines.append(Content(""))
            lines.append(hang_text(_with_commands(line), width, len(ITEM) * is_item))
        yield Content("\n").join(lines)


def _with_commands(line: str) -> Content:
    """Return a line with its commands bold, without their backquotes."""
    parts = line.split("`")
    return Content.assemble(*((part, "bold" if at % 2 else "") for at, part in enumerate(parts)))


async def guide_box(app: CampaignApp) -> WordsScreen:
    """Make the box with the guide, with the player's keys."""
    await asyncio.to_thread(demo_figures)
    sections = guide_sections(app.fill_in_keys)
    return WordsScreen(TITLE, Content("\n\n").join(_written(sections, 0)))
