"""The campaigns that are measured: made once in a run, copied for each measurement."""

import json
import shutil
from collections.abc import Callable
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from brt_cg.commands.state_document import build_state_document
from brt_cg.imports.text_files import read_allotments_file
from brt_cg.model.records import Phase
from brt_cg.questions.dice import SeededDice
from brt_cg.resources import game_data_folder
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign

TABLES = ("units", "weapons", "vehicles", "fortifications", "terrain")
NOON = "2026-01-01T12:00:00Z"


def demo_state() -> dict[str, Any]:
    state: dict[str, Any] = json.loads((game_data_folder() / "demo/state.json").read_text("utf-8"))
    return state


def state_of(counters: int) -> dict[str, Any]:
    """The demo with as many counters, the others Marine squads within their Perimeters."""
    state = demo_state()
    squad = {"side": "marine", "kind": "squad", "type": "6-6-8"}
    for number in range(counters - sum(len(state[table]) for table in TABLES)):
        where = f"{'OPQ'[number % 3]}{29 + number % 9}"
        state["units"].append(squad | {"id": f"m-more-{number}", "location": where})
    return state


def at_scenario_end(path: Path, state: dict[str, Any]) -> Path:
    """A campaign file of CG III that has taken a state in."""
    from brt_cg.card import load_card

    allotments = read_allotments_file(game_data_folder() / "demo/allotments.toml", load_card("III"))
    desk = OpenCampaign.create(path, {"cg": "III", "name": "Demo", "allotments": allotments})
    take_in(desk, state)
    desk.close()
    return path


def take_in(desk: OpenCampaign, state: dict[str, Any]) -> None:
    asked = {"state": state, "source": "state.json", "missing": "keep", "side": None}
    desk.run_command("import", asked)


def unwritten(desk: OpenCampaign) -> OpenCampaign:
    """A desk with the same journal, writing nothing."""
    made = OpenCampaign(desk.path, unrestricted_campaign(desk), backs_up=False)
    unrestricted_campaign(made).writer = None
    return made


def played_on(desk: OpenCampaign, seed: int = 7) -> int:
    """Plays a Refit Phase with seeded dice and defaults; the number of entries made."""
    before = len(unrestricted_campaign(desk).entries)
    for _ in desk.play_with_supply(AnswerSupply(dice=SeededDice(seed), defaults=True)):
        pass
    return len(unrestricted_campaign(desk).entries) - before


def long_campaign(path: Path, entries: int) -> Path:
    """The demo played on from date to date to as many entries; where the campaign is over, its last
    Refit Phase is taken back and played again.

    It is written at once: how long that takes is measured elsewhere.
    """
    desk = unwritten(OpenCampaign.open(at_scenario_end(path, demo_state())))
    stored = len(unrestricted_campaign(desk).entries)
    for seed in count(1):
        played_on(desk, seed)
        if len(unrestricted_campaign(desk).entries) >= entries:
            break
        if unrestricted_campaign(desk).campaign.situation.phase is Phase.OVER:
            desk.undo_or_request(whole_call=True)
        else:
            take_in(desk, build_state_document(unrestricted_campaign(desk).campaign))
    _write_all(path, desk, stored)
    return path


def _write_all(path: Path, desk: OpenCampaign, stored: int) -> None:
    from brt_cg.storage.campaign_file import CampaignFile

    file = CampaignFile.open_upgraded(path)
    file.write_with_notices(
        unrestricted_campaign(desk).entries[stored:], unrestricted_campaign(desk).campaign
    )
    file.close()


@cache
def made(maker: Callable[..., Path], folder: Path, name: str, *what: Any) -> Path:
    """A campaign that several figures use, made once."""
    return maker(folder / name, *what)


def copied(path: Path, name: str) -> Path:
    return Path(shutil.copy(path, path.with_name(name)))
