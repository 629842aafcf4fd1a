"""Both setup rosters by one key, for the table."""

from functools import partial

from brt_cg.exports import export, missing_extra, put
from brt_cg.exports.blocks import Output
from brt_cg.exports.paper import Printing, usual_paper
from brt_cg.model.counters import Side
from brt_cg.service.desk import Desk
from brt_cg.tui.forms.export import PRINTING, may_write, usual_path
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import Seen

ROSTER = "roster"


def _roster(side: Side, format: str, printing: Printing, desk: Desk) -> Output:
    return desk.tell(export, side, ROSTER, format, printing)


async def write_rosters(app: CampaignApp, seen: Seen) -> None:
    """Writes the roster of each side that the seat may see, for the player's paper: as PDF where
    that extra is installed, else as a page to print."""
    format = "html" if missing_extra("pdf") else "pdf"
    printing, written = Printing(usual_paper()), []
    for side in [seen.seat] if seen.seat is not None else list(Side):
        made = await app.session.consult(partial(_roster, side, format, printing))
        path = usual_path(seen, ROSTER, side).with_suffix(f".{format}")
        if await may_write(app, made, path):
            written += put(made, path, force=True)
    if written:
        files = [str(file) for file in written] + ([PRINTING] if format == "html" else [])
        app.notify("\n".join(files), title="Written", timeout=10, markup=False)
