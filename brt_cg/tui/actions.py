"""Every action of the screen, in one list.

The line of keys, the command palette, the help and the names in `keys.toml` derive from it.
An action's `name` is that of its method: `action_NAME` of the app (place "everywhere") or of the
screen of its place.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from textual.binding import Binding, BindingType

EVERYWHERE, HOME, DASHBOARD, REFIT, FORCES = "everywhere", "home", "dashboard", "refit", "forces"
MODES = (HOME, DASHBOARD, REFIT, FORCES)
PLACES = (EVERYWHERE, *MODES)


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that a player can do.

    `keys` as Textual names them, commas between; `label` is a word or two, `help` a sentence;
    `shown` puts it in the line of keys; `campaign` says that it needs an open campaign.
    """

    place: str
    name: str
    keys: str
    label: str
    help: str
    shown: bool = True
    campaign: bool = False

    @property
    def id(self) -> str:
        """Its name in `keys.toml`: "refit.undo"."""
        return f"{self.place}.{self.name}"

    @property
    def binding(self) -> Binding:
        return Binding(
            self.keys, self.name, self.label, show=self.shown, tooltip=self.help, id=self.id
        )


ACTIONS: tuple[Action, ...] = (
    # --- everywhere -----------------------------------------------------------------------------
    Action(EVERYWHERE, "home", "h", "Home", "Recent campaigns; new, open, import, demo.", False),
    Action(
        EVERYWHERE,
        "dashboard",
        "d",
        "Dashboard",
        "Where the campaign stands.",
        False,
        campaign=True,
    ),
    Action(
        EVERYWHERE,
        "refit",
        "r",
        "Refit",
        "The Refit Phase, question by question.",
        False,
        campaign=True,
    ),
    Action(
        EVERYWHERE,
        "forces",
        "f",
        "Forces",
        "All counters; the end of a scenario.",
        False,
        campaign=True,
    ),
    Action(
        EVERYWHERE,
        "undo",
        "u,ctrl+z",
        "Undo",
        "Takes back the newest answer or command; its line stays in the log, struck out.",
        False,
        campaign=True,
    ),
    Action(
        EVERYWHERE,
        "redo",
        "U,ctrl+y",
        "Redo",
        "Puts back in force what was taken back last, until something new is entered.",
        False,
        campaign=True,
    ),
    Action(
        EVERYWHERE,
        "seat",
        "s",
        "Seat",
        "Sees the campaign as the Marine player, the Japanese player or the umpire.",
        campaign=True,
    ),
    Action(EVERYWHERE, "copy_row", "y", "Copy", "Copies the row in hand to the clipboard.", False),
    Action(
        EVERYWHERE, "next_theme", "t", "Theme", "The next theme; it is kept for next time.", False
    ),
    Action(
        EVERYWHERE, "command_palette", "ctrl+p", "Palette", "Finds every action by its name.", False
    ),
    Action(EVERYWHERE, "help", "question_mark,f1", "Help", "Keys and words, to be searched."),
    Action(EVERYWHERE, "quit", "q,ctrl+q", "Quit", "Leaves; everything entered is kept.", False),
    # --- Home -----------------------------------------------------------------------------------
    Action(HOME, "new", "n", "New", "A new campaign: CG, players, points, rulings."),
    Action(HOME, "open", "o", "Open", "Opens a campaign file."),
    Action(HOME, "import", "i", "Import", "Takes in the situation at scenario end from a file."),
    Action(HOME, "demo", "e", "Demo", "The example campaign, laid out in a new folder."),
    # --- Dashboard ------------------------------------------------------------------------------
    Action(DASHBOARD, "next", "enter", "What is next", "Goes where the next thing is to be done."),
    Action(
        DASHBOARD, "import", "i", "Import", "Takes in the situation at scenario end from a file."
    ),
    # --- Refit ----------------------------------------------------------------------------------
    # --- Forces ---------------------------------------------------------------------------------
)

BY_ID = {action.id: action for action in ACTIONS}


def actions_of(place: str) -> tuple[Action, ...]:
    """The actions of a place, in the order of the list."""
    return tuple(action for action in ACTIONS if action.place == place)


def bindings(place: str) -> list[BindingType]:
    """The `BINDINGS` of the screen (or the app) of a place."""
    return [action.binding for action in actions_of(place)]


def reachable(place: str) -> Iterable[Action]:
    """What can be done in a place: its own actions first, then those of everywhere."""
    return (*actions_of(place), *actions_of(EVERYWHERE))
