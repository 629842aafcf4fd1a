"""What a player waits for who imports the end of a scenario."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from brt_cg.commands.state_document import build_state_document
from brt_cg.exports import export_document
from brt_cg.imports.scenario_end import read_scenario_end
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.views.view import create_view
from tests.benchmarks import campaigns
from tests.benchmarks.figures import Figure, Size, best, brt, processes
from tests.vasl.demo_save import save_of
from tests.vasl.writer import Wrote, layer

PIECES = 400
GOAL = 0.3  # seconds


def files(size: Size, folder: Path) -> Iterator[Figure]:
    """The same 400 counters as JSON, as a workbook and as a VASL save, read in a process that has
    loaded what that needs; and a whole command, which compares them with the campaign."""
    desk = _at_scenario_end(folder)
    state = build_state_document(unrestricted_campaign(desk).campaign)
    state["scenario"] |= {"winner": "marine", "moved_first": "marine"}
    (folder / "end.json").write_text(json.dumps(state), "utf-8")
    workbook = export_document(create_view(unrestricted_campaign(desk)), "template", "xlsx")
    assert isinstance(workbook, bytes)
    (folder / "end.xlsx").write_bytes(workbook)
    _save(folder / "end.vsav", desk)
    for name in ("end.json", "end.xlsx", "end.vsav"):
        took = best(
            partial(
                read_scenario_end, create_view(unrestricted_campaign(desk)), folder / name, "both"
            ),
            size.count(2, 7),
        )
        what = f"{PIECES} counters from {name.partition('.')[2]}, read"
        yield Figure(what, took.median, "s", GOAL, took.told())
    words = brt("import", desk.path, folder / "end.json", "--preview")
    took = processes(words, folder, size.count(2, 7))
    yield Figure("  from json, --preview, cold process", took.median, "s", None, took.told())
    desk.close()


def _at_scenario_end(folder: Path) -> OpenCampaign:
    """As many counters at their second scenario."""
    path = campaigns.at_scenario_end(folder / "400.brt", campaigns.state_of(PIECES))
    desk = OpenCampaign.open(path)
    campaigns.played_on(desk)
    return desk


def _save(path: Path, desk: OpenCampaign) -> None:
    """A save of it, with new squads to make up the number."""
    save = save_of(unrestricted_campaign(desk).campaign)
    while len(save.pieces()) < PIECES:
        squad = Wrote(f"new-{len(save.pieces())}", "7-6-8 Msq", "am/x", [layer("broken +", -1)])
        save.at("N21", squad)
    path.write_bytes(save.file().as_zip())
