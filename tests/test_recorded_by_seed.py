"""Campaigns that were thought up by chance and played on the command line: each folder of
tests/recorded/by_seed/ is typed again, line by line, and must end as it did.

What a rule changes is read in their logs and recorded anew: `python -m
tests.recorded.by_seed.generate`.
"""

import json
import shutil
from pathlib import Path

import pytest

from brt_cg.card import consistency
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from tests.recorded.by_seed.generate import CAMPAIGNS, FILE, HERE, end_of, flat, run
from tests.settings import count
from tests.words import of_the_log, raw_words


@pytest.fixture
def states_of_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """They were recorded when any status could be imported, and have what no counter can be: broken
    Japanese squads, and vehicles that nobody crews and nobody abandoned."""
    monkeypatch.setattr(consistency, "impossible_state_problems", lambda counter: ())


@pytest.mark.usefixtures("read_on", "states_of_then")
@pytest.mark.parametrize("name", [*CAMPAIGNS][:: count(2, 1)])
def test_a_campaign_played_by_seed_ends_as_recorded(name: str, tmp_path: Path) -> None:
    folder = tmp_path / name
    shutil.copytree(HERE / name, folder)
    for line in (folder / "script.txt").read_text("utf-8").splitlines():
        code, printed = run(line, folder)
        assert code in (0, 3), f"{line}\n{printed}"
        if line.startswith("new "):  # so prisoners counted when these were played
            assert run(f"rulings {FILE} --set R-CAPTURE-VP=none", folder)[0] == 0
    assert flat(end_of(folder)) == json.loads((folder / "end.json").read_text("utf-8"))
    code, found = run(f"audit {FILE}", folder)
    assert code == 0, found
    assert raw_words(of_the_log(unrestricted_campaign(OpenCampaign.open(folder / FILE)))) == {}


def test_the_winner_of_cg_i_matches_a_count_by_hand() -> None:
    """A tie: the Marines need more."""
    end = json.loads((HERE / "cg1-fought-out" / "end.json").read_text("utf-8"))
    marine = (
        10  # amassed in the scenario of 21 AM
        + 20  # in that of 21 PM: 30 in all
        + 15  # in that of 22 AM, after a Night without a scenario: 45
        + 6  # in that of 22 PM: 51; nothing Japanese was lost in a Refit Phase
        + 2  # pillbox j-pb-1, eliminated on 21 AM
        + 3  # pillbox j-pb-3, eliminated on 21 PM; j-pb-2 never fell
    )
    japanese = (
        21  # amassed in the scenario of 21 AM
        - 2 * 2  # the laborer squad j-lab-1, a prisoner eliminated at 15.609
        - 2 * 2  # the squad j-sq-4, likewise
        + 1  # the 9-1 m-ldr-1 dies of his wound at 15.6112, shown as an 8-0: 14
        + 2  # in the scenario of 21 PM: 16
        + 1  # the HS m-sq-3.2, Encircled, fails its check (15.6041)
        + 2  # the squad m-hs-1, recombined, likewise
        + 1  # the HS m-hs-3, likewise: 20
        + 14  # in the scenario of 22 AM: 34
        + 22  # in that of 22 PM: 56
    )
    assert (marine, japanese) == (56, 56)
    assert end["victory_points"] == {"marine": 56, "japanese": 56}
    assert end["victor"] == "japanese"


def test_the_winner_of_cg_iii_matches_a_count_by_hand() -> None:
    end = json.loads((HERE / "cg3-fought-out" / "end.json").read_text("utf-8"))
    scenarios = {  # amassed by Marines and Japanese in each
        "20 AM": (13, 16),
        "20 PM": (19, 3),
        "20 NT": (6, 17),
        "21 AM": (9, 21),
        "21 PM": (23, 2),
        "21 NT": (16, 10),
        "22 AM": (18, 8),
        "22 PM": (15, 5),
    }
    marine_in_refit = (
        1  # half of squad j-sq-3, wading
        + 1  # what is left of it, a HS, Encircled
        + 1  # the 9-1 j-ldr-1 dies of his wound, shown as an 8-0
        + 2  # the squad j-sq-2, Encircled
        + 2  # the crew j-crew-1, wading
        + 2 * 2  # the 9-1 japanese-ldr-1, a prisoner to the end
    )
    japanese_in_refit = (
        4  # the LVT2 m-lvt-1: Shocked, then an Unconfirmed Kill
        + 1  # half of squad m-sq-2, wading
        + 1  # the HS m-hs-2, wading
        + 1  # half of squad m-sq-4, wading
        + 6  # the M4A2 m-tk-1: Shocked, then an Unconfirmed Kill
        + 1  # the 8-1 m-ldr-2 dies of his wound: shown as a 7-0
        + 1  # the 9-1 m-ldr-1 dies of his wound: shown as an 8-0
        + 1  # the 8-1 marine-ldr-2, Encircled: wounded, he is shown as a 7-0
        + 1  # the HS m-sq-2, wading
    )
    pillboxes = (
        2  # j-pb-1, captured on 20 AM; retaken and captured again, counted once
        + 1  # j-pb-2, empty in the hex of Isolated Marines on 20 PM; they remove it at 15.6139
        + 3  # j-pb-3, eliminated on 21 AM
        + 3  # the state of 21 PM says so, which the players confirm
    )
    marine = sum(one for one, _ in scenarios.values()) + marine_in_refit + pillboxes
    japanese = sum(other for _, other in scenarios.values()) + japanese_in_refit
    assert (marine, japanese) == (139, 99)
    assert end["victory_points"] == {"marine": 139, "japanese": 99}
    assert end["victor"] == "marine"


def test_the_recorded_campaigns_cover_all_games_commands_and_phases() -> None:
    scripts = {name: (HERE / name / "script.txt").read_text("utf-8") for name in CAMPAIGNS}
    typed = "\n".join(scripts.values())
    for words in ("--cg I ", "--cg II ", "--cg III ", "--draft", "draft", "void", "undo", "redo"):
        assert words in typed, words
    ends = [json.loads((HERE / name / "end.json").read_text("utf-8")) for name in CAMPAIGNS]
    assert {"scenario", "over"} == {end["phase"] for end in ends}
