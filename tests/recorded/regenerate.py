"""Writes `end.json` of recorded campaigns anew: `python -m tests.recorded.regenerate FOLDER…`.

For a new campaign, or after a change of the export: what is written is to be read, line by line,
before it is committed; the `says` of `campaign.json` are worked out by hand and never written here.
"""

import json
import sys
import tempfile
from pathlib import Path
from unittest.mock import patch

from brt_cg.commands.state_document import build_state_document
from brt_cg.exports.writers.as_json import json_text
from brt_cg.service import open_campaign
from brt_cg.service.unrestricted import unrestricted_campaign
from tests.test_recorded import (
    CAMPAIGNS,
    CHANGES,
    RECORDED,
    as_it_was_first,
    chains_of,
    changes_of,
    replay,
)


def regenerate(folder: Path) -> None:
    """Plays a recorded campaign and writes down how it ended."""
    with tempfile.TemporaryDirectory() as place:
        with as_it_was_first():
            desk = replay(folder, Path(place) / "campaign.brt")
        situation = unrestricted_campaign(desk).campaign.situation
        end = {
            "phase": situation.phase.value,
            "date": situation.date,
            "turns": situation.turns,
            "chains": chains_of(desk),
            "state": json.loads(
                json.dumps(build_state_document(unrestricted_campaign(desk).campaign))
            ),
        }
        desk.close()
    (folder / "end.json").write_text(json_text(end), encoding="utf-8")


def changes_now(folder: Path) -> dict[str, str]:
    """What comes of a recorded campaign now."""
    with tempfile.TemporaryDirectory() as place:
        desk = replay(folder, Path(place) / "campaign.brt")
        found = changes_of(desk)
        desk.close()
    return found


def write_changes() -> None:
    """Writes down what came of every campaign. Exits where that has changed and the rules say that
    they have not."""
    kept = json.loads(CHANGES.read_text("utf-8")) if CHANGES.exists() else {}
    found = {folder.name: changes_now(folder) for folder in CAMPAIGNS}
    for name, now in found.items():
        was = kept.get(name, {})
        if was.get("rules") == now["rules"] and was["changes"] != now["changes"]:
            raise SystemExit(f"{name} comes out otherwise: raise VERSION in rules_version.py")
    CHANGES.write_text(json_text(found), encoding="utf-8")


if __name__ == "__main__":
    with patch.object(open_campaign, "random_key", lambda: None):  # as in the tests
        for name in sys.argv[1:]:
            if name == "--changes":
                write_changes()
            else:
                regenerate(RECORDED / Path(name).name)
