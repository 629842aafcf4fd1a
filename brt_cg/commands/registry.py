"""Every command by the kind of its journal entry."""

from functools import cache
from importlib import import_module

from brt_cg.commands import Carry


def _of(module: str, name: str) -> Carry:
    """A command of a module that is loaded at its first use: most invocations carry out one or two,
    and loading all takes a tenth of a short one's time."""

    @cache
    def loaded() -> Carry:
        carry: Carry = getattr(import_module(f"brt_cg.commands.{module}"), name)
        return carry

    return lambda command: loaded()(command)


COMMANDS: dict[str, Carry] = {
    "new": _of("new", "create"),
    "import": _of("adopt", "adopt"),
    "reinforce": _of("reinforce", "reinforce"),
    "edit": _of("edit", "edit"),
    "ruling": _of("rulings", "rule"),
    "aid": _of("aid", "keep_aid"),
    "note": _of("note", "note"),
    "buy": _of("buying", "buy"),
    "void": _of("buying", "void"),
    "commit": _of("buying", "commit"),
    "discard": _of("buying", "discard"),
    "allot": _of("allotting", "allot"),
}
