"""Writes `end.json` of recorded campaigns anew: `python -m tests.recorded.regenerate FOLDER…`.

For a new campaign, or after a change of the export: what is written is to be read, line by line,
before it is committed; the `says` of `campaign.json` are worked out by hand and never written here.
"""

import json
import sys
import tempfile
from pathlib import Path

from brt_cg.commands.state_document import document
from brt_cg.exports.writers.as_json import json_text
from tests.test_recorded import RECORDED, as_it_was_first, chains_of, replay


def regenerate(folder: Path) -> None:
    """Plays a recorded campaign and writes down how it ended."""
    with tempfile.TemporaryDirectory() as place:
        with as_it_was_first():
            desk = replay(folder, Path(place) / "campaign.brt")
        situation = desk.campaign.situation
        end = {
            "phase": situation.phase.value,
            "date": situation.date,
            "turns": situation.turns,
            "chains": chains_of(desk),
            "state": json.loads(json.dumps(document(desk.campaign))),
        }
        desk.close()
    (folder / "end.json").write_text(json_text(end), encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        regenerate(RECORDED / Path(name).name)
