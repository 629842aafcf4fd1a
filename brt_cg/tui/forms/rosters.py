"""Both setup rosters by one key, for the table."""

from contextlib import suppress
from functools import partial

from brt_cg.exports import export, missing_extra
from brt_cg.exports.blocks import Output
from brt_cg.exports.paper import Printing, usual_paper
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Refused
from brt_cg.service.desk import Desk
from brt_cg.tui.forms.delivery import IN_A_TAB, PRINTING, deliver, say_delivered
from brt_cg.tui.forms.export import usual_path
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import Seen

ROSTER = "roster"


def _roster(side: Side, format: str, printing: Printing, desk: Desk) -> Output:
    return export(desk.book().of(side), ROSTER, format, printing)


async def write_rosters(app: CampaignApp, seen: Seen) -> None:
    """Writes the roster of each side that the seat may see, for the player's paper: as PDF where
    that extra is installed, else as a page to print."""
    format = "html" if missing_extra("pdf") else "pdf"
    printing, written = Printing(usual_paper()), []
    for side in [seen.seat] if seen.seat is not None else list(Side):
        made = await app.session.consult(partial(_roster, side, format, printing))
        path = usual_path(seen, ROSTER, side).with_suffix(f".{format}")
        with suppress(Refused):  # the player keeps what is there
            written.append(await deliver(app, made, path, side, shows=format == "html"))
    if written:
        how = [IN_A_TAB if app.served else PRINTING] if format == "html" else []
        say_delivered(app, "\n".join([*written, *how]))
