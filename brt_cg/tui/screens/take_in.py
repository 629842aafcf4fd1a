"""Import and reinforcement: choose a file, see what it would change, import it."""

from pathlib import Path

from brt_cg.answers import Refused
from brt_cg.counters import Side
from brt_cg.tui.campaign_app import CampaignApp
from brt_cg.tui.screens.path import PathScreen

ENDINGS = (".json", ".csv", ".xlsx", ".vsav", ".vlog")
HINT = (
    "The situation at scenario end: a JSON file, the workbook that export template made, a folder "
    "of CSV files (choose any table in it), a VASL save or log. Without a scenario: reinforcements."
)


async def take_in(app: CampaignApp) -> None:
    """Asks for a file, shows the difference, and imports it if wanted.

    From a side's seat only that side is imported; of a VASL save the umpire says whose.
    """
    from brt_cg.tui.forms.take_in import TakeInForm, offer

    seen = app.session.seen
    if seen is None:
        return
    start = seen.path.parent if isinstance(seen.path, Path) else Path.cwd()
    entries = seen.entries
    path = await app.push_screen_wait(PathScreen("Import", HINT, ENDINGS, start))
    if not isinstance(path, Path):
        return
    chosen = path
    try:
        side = seen.seat.value if seen.seat else await _whose(app, chosen)
        found = await app.session.perform(lambda desk: offer(desk, chosen, side))
    except Exception as error:
        app.tell(error)
        return
    await app.fill_in(TakeInForm(app.session, chosen.name, found))
    after = app.session.seen
    if after is not None and after.entries != entries:
        app.say("Imported.")


async def _whose(app: CampaignApp, path: Path) -> str | None:
    """Whose counters of a VASL save the umpire imports; None of all else. Raises Refused."""
    from brt_cg.imports.state_file import Format, format_of
    from brt_cg.tui.screens.choice import Answer, ChoiceScreen
    from brt_cg.vasl.reading import BOTH

    if format_of(path) is not Format.VASL:
        return None
    answers = [Answer(BOTH, "b", "both sides'")]
    answers += [Answer(side.value, side.value[0], f"the {side.label} side's") for side in Side]
    words = "A VASL save holds both players' hidden units."
    side = await app.push_screen_wait(ChoiceScreen("Whose counters?", words, answers))
    if side is None:
        raise Refused("nothing was imported")
    return side
