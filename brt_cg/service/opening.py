"""The opening and creation of campaigns for a driver with a screen, which enters only what was
shown (shown_actions.py)."""

from collections.abc import Iterable
from typing import Any

from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.storage.place import Place


def open_campaign(path: Place, backs_up: bool = True) -> CampaignReader:
    """Open a campaign. Raises StorageError."""
    return OpenCampaign.open(path, backs_up=backs_up)


def create_campaign(
    path: Place, asked: dict[str, Any], commands: Iterable[tuple[str, list[dict[str, Any]]]]
) -> None:
    """Create a campaign, with commands of several kinds, each kind as one invocation. Raises
    RefusedError and StorageError."""
    desk = OpenCampaign.create(path, asked)
    try:
        for kind, several in commands:
            desk.run_commands(kind, several)
    finally:
        desk.close()
