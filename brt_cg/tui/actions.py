"""Every action of the screen: the rows of `every_action.toml`.

The line of keys, the command palette, the help and the names in `keys.toml` derive from it.
An action's `name` is that of its method: `action_NAME` of the app (place "everywhere") or of the
screen of its place.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from textual.binding import Binding, BindingType

from brt_cg.resources import toml
from brt_cg.values import frozen

EVERYWHERE, HOME, DASHBOARD, REFIT, FORCES = "everywhere", "home", "dashboard", "refit", "forces"
PURCHASES = "purchases"
SCENARIO_END = "scenario_end"  # entered from Forces; its keys go before those of everywhere
AIDS = "aids"  # beside the campaign, and so not in the header
FORECAST = "forecast"  # likewise
CAMPAIGN = "campaign"  # its pages stand behind the play, and so neither
MAP = "map"
JOURNAL = "journal"
SETUP = "setup"  # beside the Refit room, and so not in the header
POINT = "point"  # the map, while something is pointed at for a question or a field
MODES = (HOME, DASHBOARD, REFIT, FORCES, MAP, JOURNAL, PURCHASES)
ROOMS = (*MODES, SETUP, CAMPAIGN, AIDS, FORECAST, SCENARIO_END)
PLACES = (EVERYWHERE, *ROOMS, POINT)
NAMES = {  # of places, where not as above
    SCENARIO_END: "The end of a scenario",
    AIDS: "Play aids",
    POINT: "Pointing on the map",
}


@frozen
class Action:
    """One thing that a player can do. `every_action.toml` says what its fields and marks mean."""

    place: str
    name: str
    keys: str
    label: str
    help: str
    also: str = ""
    quiet: bool = False
    campaign: bool = False
    machine: bool = False
    loses: bool = False

    @property
    def id(self) -> str:
        """Its name in `keys.toml`: "refit.undo"."""
        return f"{self.place}.{self.name}"

    @property
    def clicked(self) -> str:
        """What a click on it runs."""
        return f"{'app' if self.place == EVERYWHERE else 'screen'}.{self.name}"

    @property
    def binding(self) -> Binding:
        return Binding(
            self.keys or f"no_key_for_{self.name}",
            self.name,
            self.label,
            show=not self.quiet,
            id=self.id,
        )


def _read() -> Iterator[Action]:
    for place, actions in toml(Path(__file__).with_name("every_action.toml")).items():
        for name, (keys, label, help, *more) in actions.items():
            marks, also = (*more, "", "")[:2]
            yield Action(place, name, keys, label, help, also, **dict.fromkeys(marks.split(), True))


ACTIONS = tuple(_read())
BY_ID = {action.id: action for action in ACTIONS}


def actions_of(place: str) -> tuple[Action, ...]:
    """The actions of a place, in the order of the list."""
    return tuple(action for action in ACTIONS if action.place == place)


def place_name(place: str) -> str:
    """A place as players call it."""
    return NAMES.get(place, place.capitalize())


def pages() -> tuple[Action, ...]:
    """The actions that lead to the pages of the Campaign room."""
    return tuple(action for action in actions_of(EVERYWHERE) if not action.keys)


def bindings(place: str) -> list[BindingType]:
    """The `BINDINGS` of the screen (or the app) of a place."""
    return [action.binding for action in actions_of(place)]


def reachable(place: str) -> Iterable[Action]:
    """What can be done in a place: its own actions first, then those of everywhere."""
    return (*actions_of(place), *actions_of(EVERYWHERE))
