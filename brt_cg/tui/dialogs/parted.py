"""Taking a file as it is although it does not continue what the seat saw."""

from brt_cg.service import last_seen
from brt_cg.tui.dialogs.choice import is_sure
from brt_cg.tui.session.campaign_app import CampaignApp

WHAT = "What your seat saw of it before is then forgotten."
CONTINUES = "The file continues what your seat saw: there is nothing to accept."


async def accept(app: CampaignApp) -> None:
    """Takes the open file as it is, if it does not continue what the seat saw and the player is
    sure. Must run in a worker."""
    session, seat = app.session, app.session.seat
    if session.seen is None or session.seen.at_table:
        return
    parted = await session.consult(last_seen.look)
    if parted is None:
        app.say(CONTINUES)
        return
    words = f"{parted.text(str(session.path), WHAT)}"
    sure = await is_sure(app, "Accept the file as it is?", words, "t", "accept it as it is")

    if sure and session.seat is seat:
        app.perform(last_seen.accept, lambda _: app.say("Accepted as it is."))
