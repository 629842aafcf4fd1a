"""Every command by the kind of its journal entry."""

from importlib import import_module

from brt_cg.commands import Command
from brt_cg.model.value import value


@value
class CommandKind:
    """A command: its title in the log, and the function that carries it out. That function's module
    is loaded at its first use: most invocations carry out one or two, and loading all takes a tenth
    of a short one's time."""

    title: str
    module: str
    function: str

    def __call__(self, command: Command) -> None:
        getattr(import_module(f"brt_cg.commands.{self.module}"), self.function)(command)


COMMANDS = {
    "new": CommandKind("New campaign", "new", "create"),
    "import": CommandKind("Scenario end", "adopt", "adopt"),
    "waive": CommandKind("Refit Phase without a report", "waive", "waive"),
    "reinforce": CommandKind("Reinforcements", "reinforce", "reinforce"),
    "drop": CommandKind("Order of battle corrected", "drop", "drop"),
    "deploy": CommandKind("Deployment", "deploy", "deploy"),
    "edit": CommandKind("Correction", "edit", "edit"),
    "ruling": CommandKind("Ruling", "rulings", "rule"),
    "aid": CommandKind("Play aid", "note", "keep_aid"),
    "note": CommandKind("Note", "note", "note"),
    "restore": CommandKind("Backup restored", "recovered", "restore"),
    "repair": CommandKind("File repaired", "recovered", "repair"),
    "take": CommandKind("Mail received", "recovered", "take"),
    "ahead": CommandKind("Answers ahead", "ahead", "answer_ahead"),
    "ask": CommandKind("Request", "agreement", "ask"),
    "agree": CommandKind("Request agreed to", "agreement", "end"),
    "decline": CommandKind("Request declined", "agreement", "end"),
    "withdraw": CommandKind("Request withdrawn", "agreement", "end"),
    "buy": CommandKind("Purchase", "buying", "buy"),
    "void": CommandKind("Purchase voided", "buying", "void"),
    "commit": CommandKind("Drafts bought", "buying", "commit"),
    "discard": CommandKind("Drafts discarded", "buying", "discard"),
    "allot": CommandKind("Allotment", "allotting", "allot"),
}
