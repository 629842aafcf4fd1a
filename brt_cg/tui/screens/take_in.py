"""Import and reinforcement: choose a state, see what it would change, take it in."""

from pathlib import Path

from brt_cg.tui.campaign_app import CampaignApp
from brt_cg.tui.screens.path import PathScreen

HINT = (
    "The situation at scenario end, or without a scenario reinforcements: a JSON file, or a folder "
    "of CSV files (choose any table in it)."
)


async def take_in(app: CampaignApp) -> None:
    """Asks for a state, shows the difference, and takes it in if wanted.

    From a side's seat only that side is taken in.
    """
    from brt_cg.tui.forms.take_in import TakeInForm, preview
    from brt_cg.tui.screens.form import FormScreen

    seen = app.session.seen
    if seen is None:
        return
    start = seen.path.parent
    path: Path | None = await app.push_screen_wait(
        PathScreen("Import", HINT, (".json", ".csv"), start)
    )
    if path is None:
        return
    chosen, side = path, seen.seat.value if seen.seat else None
    entries = seen.entries
    try:
        found = await app.session.perform(lambda desk: preview(desk, chosen, side))
    except Exception as error:
        app.tell(error)
        return
    await app.push_screen_wait(FormScreen(TakeInForm(app.session, chosen.name, *found)))
    after = app.session.seen
    if after is not None and after.entries != entries:
        app.notify("Taken in.")
