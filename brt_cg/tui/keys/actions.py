"""Every action of the screen: the global ones, listed in `everywhere.toml`, and those of each room
and of each part that rooms share (lists, forms, the map), listed in its own `keys.toml`.

The key bar, the command palette, the help and the names in a player's `keys.toml` all come from
here. An action runs the method `action_NAME` of the app (place "everywhere") or of its place's
screen; those in a table [METHOD] of the file run that method, each with its name. The code that an
action of a part runs is given with its binding.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from textual.binding import Binding, BindingType

from brt_cg.immutable import immutable
from brt_cg.resources import read_toml_cached

EVERYWHERE, HOME, DASHBOARD, REFIT, FORCES = "everywhere", "home", "dashboard", "refit", "forces"
PURCHASES = "purchases"
SCENARIO_END = "scenario_end"  # opened from Forces; its keys come before the global ones
AIDS, FORECAST, CAMPAIGN = "aids", "forecast", "campaign"
MAP = "map"
JOURNAL = "journal"
SETUP = "setup"
POINT = "point"  # the map, while the player points at it for a question or a field
MODES = (HOME, DASHBOARD, REFIT, FORCES, MAP, JOURNAL, PURCHASES)
ON_TABLE = (HOME, DASHBOARD, REFIT)  # shown to two players at one screen with no curtain
# Not in the header: reached from another room, or not part of the play.
BESIDE = (SETUP, CAMPAIGN, AIDS, FORECAST, SCENARIO_END)
ROOMS = (*MODES, *BESIDE)
# The rooms where a letter begins a line, as in a field, instead of running an action.
WRITTEN = (SCENARIO_END,)
NO_KEY = "no_key_for_"  # begins the binding of an action that has no key
LISTS, ISLAND, ANSWERS, FORMS, DIALOGS = "lists", "island", "answers", "forms", "dialogs"
PARTS = {  # parts of several rooms, each with the folder of its keys
    LISTS: "lists",
    ISLAND: "map",
    ANSWERS: "answering",
    FORMS: "forms",
    DIALOGS: "dialogs",
}
ALSO_OVER = ("everywhere.help", "everywhere.why", "everywhere.point")  # works in forms too
OVER = (FORMS, DIALOGS)  # in front of a room, whose own keys do not work meanwhile
PLACES = (EVERYWHERE, *ROOMS, POINT, *PARTS)
SCREEN = Path(__file__).parents[1]
NAMES = {  # names of places other than the capitalized place itself
    SCENARIO_END: "End of scenario",
    AIDS: "Play aids",
    POINT: "Pointing",
    LISTS: "In lists and text",
    ISLAND: "On the map",
    ANSWERS: "Answering",
    FORMS: "In forms",
    DIALOGS: "In boxes",
}


@immutable
class Action:
    """An action that a player can take. `everywhere.toml` explains the fields and marks."""

    place: str
    name: str
    keys: str
    label: str
    help: str
    also: str = ""
    runs: str = ""  # the Textual action
    quiet: bool = False
    campaign: bool = False
    machine: bool = False
    loses: bool = False
    answers: bool = False
    moves: bool = False
    brief: bool = False
    often: bool = False
    seldom: bool = False
    written: bool = False  # its keys are letters to type, not bindings

    @property
    def id(self) -> str:
        """The action's name in `keys.toml`: "refit.undo"."""
        return f"{self.place}.{self.name}"

    @property
    def key_bar_rank(self) -> int:
        """The rank by which the key bar leaves the action out if there is little room: the lowest
        last."""
        return 0 if self.often else 2 if self.seldom else 1

    @property
    def click_action(self) -> str:
        """The Textual action that a click runs."""
        return f"{'app' if self.place == EVERYWHERE else 'screen'}.{self.runs}"

    @property
    def binding(self) -> Binding:
        return Binding(
            (not self.written and self.keys) or f"{NO_KEY}{self.name}",
            self.runs,
            self.label,
            show=not (self.quiet or self.moves),
            id=self.id,
        )


def place_folder(place: str) -> Path:
    """Return the folder of a place, with its screen, style, keys and help."""
    if place in PARTS:
        return SCREEN / PARTS[place]
    return SCREEN / place if place == POINT else SCREEN / "rooms" / place


def _read() -> Iterator[Action]:
    for place in PLACES:
        everywhere = Path(__file__).with_name("everywhere.toml")
        listed = everywhere if place == EVERYWHERE else place_folder(place) / "keys.toml"
        for method, lines in read_toml_cached(listed).items():
            of_one = isinstance(lines, dict)
            for name, (keys, label, help, *more) in (lines if of_one else {method: lines}).items():
                marks, also = (*more, "", "")[:2]
                runs = f"{method}('{name}')" if of_one else method
                marked = dict.fromkeys(marks.split(), True)
                marked["written"] = of_one and place in WRITTEN
                yield Action(place, name, keys, label, help, also, runs, **marked)


ACTIONS = tuple(_read())
BY_ID = {action.id: action for action in ACTIONS}


def actions_of(place: str) -> tuple[Action, ...]:
    """Return the actions of a place, in the order of the file."""
    return tuple(action for action in ACTIONS if action.place == place)


def place_name(place: str) -> str:
    """Return the players' name for a place."""
    return NAMES.get(place, place.capitalize())


def campaign_page_actions() -> tuple[Action, ...]:
    """Return the actions that lead to the pages of the Campaign room."""
    return tuple(action for action in actions_of(EVERYWHERE) if action.campaign and not action.keys)


def bindings(place: str) -> list[BindingType]:
    """Return the `BINDINGS` for the screen (or the app) of a place."""
    return [action.binding for action in actions_of(place)]


def binding_of(id: str, does: str = "", *, first: bool = False) -> Binding:
    """Return the binding of an action for the `BINDINGS` of a widget or dialog. `does` is the
    Textual action that the key runs there, by default the one that a click runs; `first` gives it
    precedence over the widget that has the focus."""
    return replace(BY_ID[id].binding, action=does or BY_ID[id].click_action, priority=first)


def bindings_of_named(place: str, **does: str) -> list[BindingType]:
    """Return the bindings of several actions of a place, each with the action that it runs."""
    return [binding_of(f"{place}.{name}", what) for name, what in does.items()]


def reachable_actions(place: str) -> Iterable[Action]:
    """Return all actions available in a place: its own first, then the global ones."""
    return (*actions_of(place), *actions_of(EVERYWHERE))
