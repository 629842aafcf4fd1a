"""Lines of the log about the changes that a command made in the casualty ledger."""

from brt_cg.commands import Command
from brt_cg.model import SIDES, Campaign, visible_campaign
from brt_cg.refit.casualties import cvp_change_with_reasons_text


def log_cvp_changes(command: Command, before: Campaign) -> None:
    """Log the changes in each side's CVP since `before`: public losses to both sides, and losses of
    hidden counters to their own side only."""
    after = command.campaign
    if before.casualties == after.casualties:
        return  # most corrections change no loss, and each view copies the campaign
    for side in SIDES:
        # The points that `side` scores may be its enemy's secret.
        public = cvp_change_with_reasons_text(
            visible_campaign(before, side), visible_campaign(after, side), side
        )
        whole = cvp_change_with_reasons_text(before, after, side)
        if public is not None:
            command.log(public)
        if whole != public and whole is not None:
            command.log(whole, secret=side.enemy)
