"""A command of the command line and its arguments, as data for argparse."""

from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

SIDES = ("marine", "japanese")


class Argument(NamedTuple):
    """An argument of a command: its names, and its other settings for argparse."""

    names: tuple[str, ...]
    settings: dict[str, Any]


def argument(*names: str, **settings: Any) -> Argument:
    """Describe an argument or an option for argparse."""
    return Argument(names, settings)


def flag(name: str, text: str, **more: Any) -> Argument:
    """Describe an option without a value."""
    return Argument((name,), {"action": "store_true", "help": text, **more})


def side_option(text: str, sides: tuple[str, ...] = SIDES, **more: Any) -> Argument:
    """Describe the option that names a side."""
    return Argument(("--side",), {"choices": sides, "help": text, **more})


def list_option(name: str, metavar: str, text: str, **more: Any) -> Argument:
    """Build an option that may be given several times."""
    settings = {"action": "append", "default": [], "metavar": metavar, "help": text}
    return Argument((name,), {**settings, **more})


class Command(NamedTuple):
    """A command: its purpose in a line, its arguments, and the function that adds its
    subcommands."""

    about: str
    arguments: tuple[Argument, ...]
    more: Callable[[ArgumentParser], None] | None = None
    defaults: Mapping[str, Any] = MappingProxyType({})

    def add_to(self, parser: ArgumentParser) -> None:
        """Add the arguments to the command's parser."""
        for names, settings in self.arguments:
            added = {key: value for key, value in settings.items() if key != "choices"}
            # If passed to add_argument, the choices of --cg would be looked up immediately.
            parser.add_argument(*names, **added).choices = settings.get("choices")
        parser.set_defaults(**self.defaults)
        if self.more:
            self.more(parser)
