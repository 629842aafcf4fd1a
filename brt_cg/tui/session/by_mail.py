"""Whether two players in two homes mail each other the campaign."""

from brt_cg.service import mailed
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import Seen


def comes_by_mail(app: CampaignApp, seen: Seen) -> bool:
    """Whether what the other side enters comes by mail to the seat that looks."""
    is_alone = seen.seat is not None and seen.turn is None and not app.served
    return is_alone and mailed.side_here(seen.begun) is seen.seat
