"""Every command by the kind of its journal entry."""

from importlib import import_module

from brt_cg.commands import Command
from brt_cg.immutable import immutable


@immutable
class CommandKind:
    """A command: its title in the log, and the function that carries it out. The function's module
    is loaded at its first use: most invocations carry out one or two, and loading all takes a tenth
    of the time of a short one."""

    title: str
    module: str
    function: str

    def __call__(self, command: Command) -> None:
        getattr(import_module(f"brt_cg.commands.{self.module}"), self.function)(command)


COMMANDS = {
    "new": CommandKind("New campaign", "new", "create_campaign"),
    "import": CommandKind("Scenario end", "import_end", "import_scenario_end"),
    "waive": CommandKind("Refit Phase without a report", "waive", "waive_missing_report"),
    "reinforce": CommandKind("Reinforcements", "reinforce", "add_reinforcements"),
    "drop": CommandKind("Order of battle corrected", "drop", "drop_counters_or_arrivals"),
    "deploy": CommandKind("Deployment", "deploy", "deploy_squads"),
    "edit": CommandKind("Correction", "edit", "correct_record"),
    "ruling": CommandKind("Ruling", "rulings", "record_ruling"),
    "aid": CommandKind("Play aid", "note", "store_aid_answer"),
    "note": CommandKind("Note", "note", "store_note"),
    "restore": CommandKind("Backup restored", "recovery", "record_restore"),
    "repair": CommandKind("File repaired", "recovery", "record_file_repair"),
    "take": CommandKind("Mail received", "recovery", "record_received_mail"),
    "ahead": CommandKind("Early answers", "early_answers", "store_early_answers"),
    "ask": CommandKind("Request", "agreement", "make_request"),
    "agree": CommandKind("Request agreed to", "agreement", "close_open_request"),
    "decline": CommandKind("Request declined", "agreement", "close_open_request"),
    "withdraw": CommandKind("Request withdrawn", "agreement", "close_open_request"),
    "buy": CommandKind("Purchase", "purchases", "buy_or_draft_item"),
    "void": CommandKind("Purchase voided", "purchases", "void_purchase"),
    "commit": CommandKind("Drafts bought", "purchases", "buy_drafts_or_shopping_list"),
    "discard": CommandKind("Drafts discarded", "purchases", "discard_drafts"),
    "allot": CommandKind("Allotment", "allotments", "set_allotment_or_grant"),
}
