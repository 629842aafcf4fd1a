"""What a command changed in the casualty ledger, in lines of the log."""

from brt_cg.commands import Command
from brt_cg.model import SIDES, Campaign, visible_campaign
from brt_cg.refit.casualties import change_text


def log_casualties(command: Command, before: Campaign) -> None:
    """Logs the changes of each side's CVP since `before`: to both what both know, and to a side
    what it lost while hidden."""
    after = command.campaign
    for side in SIDES:
        # What `side` scores is its enemy's to hide.
        public = change_text(visible_campaign(before, side), visible_campaign(after, side), side)
        whole = change_text(before, after, side)
        if public is not None:
            command.log(public)
        if whole != public and whole is not None:
            command.log(whole, secret=side.enemy)
