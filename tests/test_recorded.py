"""Whole campaigns, played from their files: every folder of tests/recorded/ is one.

`campaign.json` lists what the players did, in order: `new`, then `buy`, `void`, `draft`, `allot`,
`reinforce`, `import`, `edit`, `ruling`, `refit`, `undo`, `redo`. A `refit` names its answers file;
choices that the file leaves out take their default, dice that it leaves out are missing. `says` are
lines that the log must then hold, worked out by hand (README.md of the folder); `asks` is what the
step ends at: [rule, subject] of the open question. `end.json` is the state it must end in, and the
length and the head of the journal and of each side's chain, written in the first form of entries
and under rules that are named "1".

`changes.json` holds what came of each campaign's entries, and the rules that it was played under:
their version and the digests of their data. A step that is changed raises the version. `python -m
tests.recorded.regenerate --changes` writes it anew after either was changed, and refuses to where
neither was.
"""

import json
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.card import load_card
from brt_cg.commands.state_document import build_state_document
from brt_cg.imports.answers_file import read_answers
from brt_cg.imports.state_file import read_state_input
from brt_cg.journal import journal
from brt_cg.journal.entries import encode
from brt_cg.journal.journal import Journal
from brt_cg.journal.rules_version import current_version_text
from brt_cg.model.counters import Side
from brt_cg.questions.question_types import Question
from brt_cg.refit.sequence import last_paragraph_beginning_with
from brt_cg.service.answer_supply import AnswerSupply, MissingAnswerError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.views.public_point import visible_journal
from brt_cg.views.view_chain import view_hashes
from tests.choices import unclear
from tests.reading import differences, folded
from tests.words import of_a_question, of_the_log, raw_words

RECORDED = Path(__file__).parent / "recorded"
CAMPAIGNS = sorted(path.parent for path in RECORDED.glob("*/campaign.json"))
CHANGES = RECORDED / "changes.json"
ATOLL = "1943-11-20T09:00:00Z"  # every entry is made at this time


def replay(folder: Path, path: Path) -> OpenCampaign:
    """Plays a recorded campaign into a new file, checking what each step says."""
    steps = json.loads((folder / "campaign.json").read_text("utf-8"))["steps"]
    first = steps[0]["new"]
    points = folder / "allotments.toml"
    allotments = tomllib.loads(points.read_text("utf-8")) if points.exists() else None
    asked = {"cg": first["cg"], "name": first.get("name"), "allotments": allotments}
    desk = OpenCampaign.create(path, asked, clock=lambda: ATOLL)
    # A prisoner counted for nothing at the end of his scenario when they were played.
    desk.run_command("ruling", {"id": "R-CAPTURE-VP", "value": "none"})
    for number, step in enumerate(steps[1:], start=2):
        before = len(unrestricted_campaign(desk).entries)
        _take(desk, folder, step)
        log = "\n".join(
            line.text for one in unrestricted_campaign(desk).entries[before:] for line in one.said
        )
        missing = [line for line in step.get("says", []) if line not in log]
        assert not missing, f"step {number} does not say {missing}; it says:\n{log}"
    return desk


def chains_of(desk: OpenCampaign) -> dict[str, list[Any]]:
    """The length and the head of the journal, and of each side's chain."""
    hashes = {"umpire": [entry.hash for entry in unrestricted_campaign(desk).entries]}
    hashes |= {
        side.value: view_hashes(visible_journal(unrestricted_campaign(desk), side), side)
        for side in Side
    }
    return {seat: [len(each), each[-1]] for seat, each in hashes.items()}


def changes_of(desk: OpenCampaign) -> dict[str, str]:
    """The rules that a campaign was played under, and a digest of what came of each of its entries
    and of what was rolled."""
    told = ("kind", "rule", "ask", "roll", "changes")
    found = [
        [entry.payload.get(name) for name in told] for entry in unrestricted_campaign(desk).entries
    ]
    rules = current_version_text(unrestricted_campaign(desk).campaign.situation.cg)
    return {"rules": rules, "changes": sha256(encode(found).encode()).hexdigest()}


@contextmanager
def as_it_was_first() -> Iterator[None]:
    """New journals are written in the first form, under rules that keep their name."""
    with patch.object(journal, "FORM", 1), patch.object(Journal, "_rules", lambda _: "1"):
        yield


def _take(desk: OpenCampaign, folder: Path, step: dict[str, Any]) -> None:
    """One thing that the players did."""
    (verb, asked) = next(iter(step.items()))
    if verb == "refit":
        _refit(desk, folder, asked, step)
    elif verb in ("undo", "redo"):
        desk.undo_or_request(asked == "command") if verb == "undo" else desk.redo()
    elif verb in ("import", "reinforce"):
        # The players' own totals, which the files give, stood then.
        more = {"missing": step.get("missing"), "side": None, "totals": "stated"}
        more = more if verb == "import" else {}
        desk.run_command(verb, read_state_input(folder / asked) | more)
    else:
        desk.run_command(verb, asked)


def _refit(desk: OpenCampaign, folder: Path, answers: str, step: dict[str, Any]) -> None:
    last = last_paragraph_beginning_with(step["through"]) if "through" in step else None
    given = read_answers(folder / answers, unrestricted_campaign(desk).campaign)
    monitor(desk)
    asked = None
    try:
        list(desk.play_with_supply(AnswerSupply(given, defaults="asks" not in step), last))
    except MissingAnswerError as missing:
        asked = [missing.ask.rule, missing.ask.subject]
    assert asked == step.get("asks")
    if asked is None and last is None:
        assert given.unused_answers() == []


def monitor(desk: OpenCampaign) -> None:
    """Has each question looked at before it is answered: it speaks in the game's words."""
    supply = OpenCampaign.get_answer_from_supply

    def looked_at(ask: Question[Any], given: AnswerSupply) -> tuple[Any, str]:
        assert raw_words(of_a_question(ask)) == {}
        assert unclear(ask, unrestricted_campaign(desk).campaign) == []
        return supply(desk, ask, given)

    vars(desk)["get_answer_from_supply"] = looked_at


each_campaign = pytest.mark.parametrize(
    ("desk", "folder"),
    [(folder, folder) for folder in CAMPAIGNS],
    ids=[folder.name for folder in CAMPAIGNS],
    indirect=["desk"],
    scope="module",
)


@pytest.fixture(scope="module")
def desk(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> OpenCampaign:
    """A recorded campaign, played to its end."""
    return replay(request.param, tmp_path_factory.mktemp("recorded") / "campaign.brt")


@each_campaign
def test_a_recorded_result_changes_only_with_its_rules_version(
    desk: OpenCampaign, folder: Path
) -> None:
    kept = json.loads(CHANGES.read_text("utf-8")).get(folder.name, {})
    found = changes_of(desk)
    if kept.get("rules") == found["rules"]:
        assert found == kept, "a step was changed: raise VERSION in rules_version.py"
    assert found == kept, "python -m tests.recorded.regenerate --changes"


@each_campaign
def test_a_recorded_campaign_ends_as_expected(desk: OpenCampaign, folder: Path) -> None:
    expected = json.loads((folder / "end.json").read_text("utf-8"))
    found = json.loads(json.dumps(build_state_document(unrestricted_campaign(desk).campaign)))
    assert differences(expected["state"], found) == []
    situation = unrestricted_campaign(desk).campaign.situation
    now = {"phase": situation.phase, "date": situation.date, "turns": situation.turns}
    assert now == {key: expected[key] for key in now}
    assert folded(unrestricted_campaign(desk)) == unrestricted_campaign(desk).campaign
    assert raw_words(of_the_log(unrestricted_campaign(desk))) == {}
    desk.close()
    assert [str(one) for one in audit_campaign(desk.path).findings] == []


@pytest.mark.parametrize("folder", CAMPAIGNS, ids=lambda folder: folder.name)
def test_in_the_first_format_every_checksum_is_unchanged(folder: Path, tmp_path: Path) -> None:
    expected = json.loads((folder / "end.json").read_text("utf-8"))
    with as_it_was_first():
        desk = replay(folder, tmp_path / "campaign.brt")
    assert chains_of(desk) == expected["chains"]


def test_a_recorded_campaign_plays_the_same_twice_byte_by_byte(tmp_path: Path) -> None:
    one = replay(CAMPAIGNS[0], tmp_path / "one.brt")
    other = replay(CAMPAIGNS[0], tmp_path / "other.brt")
    assert [entry.text for entry in unrestricted_campaign(one).entries] == [
        e.text for e in unrestricted_campaign(other).entries
    ]
    assert unrestricted_campaign(one).head == unrestricted_campaign(other).head


def test_each_cg_is_recorded_and_each_phase_reached() -> None:
    read = [json.loads((folder / "campaign.json").read_text("utf-8")) for folder in CAMPAIGNS]
    ends = [json.loads((folder / "end.json").read_text("utf-8")) for folder in CAMPAIGNS]
    assert {one["steps"][0]["new"]["cg"] for one in read} == {"I", "II", "III"}
    assert {"over", "scenario"} <= {one["phase"] for one in ends}
    assert all((folder / "README.md").exists() for folder in CAMPAIGNS)
    assert len(load_card("III").dates) == 8
