"""One side's import tells that side nothing of the other's secrets: neither in what it would
change, nor in what is refused, nor in what is printed. A prisoner stays with his hidden guard."""

import json
from pathlib import Path
from typing import Any

import pytest

from brt_cg.board import locations
from brt_cg.cli import main
from brt_cg.commands.difference import import_difference
from brt_cg.commands.state_document import build_state_document
from brt_cg.exports.roster import roster_markdown_files
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Fate
from brt_cg.questions.answers import RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.views.view import create_view
from tests.exports.journals import JAPANESE, MARINE, NOON, begun, play, squad, state
from tests.secrets.pairs import assert_alike

SEEN = (squad("m-sq-1", "N19"), squad("j-sq-9", "P21"))
PLACES = ("L38", "K36")


def held(place: str) -> Journal:
    """A scenario being played, a Marine prisoner with a hidden guard; a pillbox is hidden, too."""
    units = [
        squad("j-sq-1", place, status=["hidden"]),
        squad("m-sq-3", place, status=["prisoner"], guard="j-sq-1"),
    ]
    pillbox = {"id": "j-pb-1", "side": "japanese", "type": "pillbox", "hidden": True}
    gun = {"id": "j-gun-1", "side": "japanese", "kind": "gun", "type": "37L AT"}
    return play(
        begun(
            *SEEN,
            *units,
            weapons=[gun | {"location": place, "status": ["hidden"]}],
            fortifications=[pillbox | {"location": place}],
        )
    )


@pytest.fixture(scope="module")
def pair() -> list[Journal]:
    return [held(place) for place in PLACES]


def half(journal: Journal, *units: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """What the Marines import."""
    found = build_state_document(journal.campaign, MARINE)
    found["scenario"] |= {"winner": "marine", "moved_first": "marine"}
    if units:
        found |= {"units": list(units)}
    return {"state": found | fields, "source": "half.json", "missing": "keep", "side": "marine"}


def told(journal: Journal, asked: dict[str, Any]) -> str:
    """What the preview says, or why it is refused."""
    try:
        return "\n".join(map(str, import_difference(journal.campaign, asked, journal.card)))
    except RefusedError as refused:
        return str(refused)


PRISONER = {"status": ["prisoner"]}
GUN = {"side": "marine", "kind": "gun", "nation": "japanese", "type": "37L AT", "location": "N19"}
DOCUMENTS: dict[str, dict[str, Any]] = {
    "nobody else": {"units": [squad("m-sq-1", "N19")]},
    "his guard": {"units": [squad("m-sq-3", "L38", guard="j-sq-1", **PRISONER)]},
    "no such guard": {"units": [squad("m-sq-3", "L38", guard="j-nobody", **PRISONER)]},
    "another guard": {"units": [squad("m-sq-3", "P21", guard="j-sq-9", **PRISONER)]},
    "in a hidden pillbox": {"units": [squad("m-sq-1", "L38:j-pb-1")]},
    "a captured gun": {"weapons": [GUN | {"id": "j-gun-1"}]},
}


@pytest.mark.parametrize("missing", [None, "keep", "eliminated"])
@pytest.mark.parametrize("fields", DOCUMENTS.values(), ids=DOCUMENTS)
def test_a_preview_or_refusal_of_an_import_shows_no_secret(
    fields: dict[str, Any], missing: str | None, pair: list[Journal]
) -> None:
    one, other = (told(journal, half(journal, **fields) | {"missing": missing}) for journal in pair)
    assert one == other


def test_a_missing_prisoner_is_named_without_his_location(pair: list[Journal]) -> None:
    asked = half(pair[0], squad("m-sq-1", "N19"))
    lines = told(pair[0], asked).splitlines()
    assert "missing from the file, kept unchanged: 7-6-8 squad no. 2 (m-sq-3)" in lines


def test_a_hidden_guard_is_refused_like_a_missing_one(pair: list[Journal]) -> None:
    refusals = [
        told(pair[0], half(pair[0], **DOCUMENTS[name])).replace("j-sq-1", "j-nobody")
        for name in ("his guard", "no such guard")
    ]
    assert "is neither in the campaign" in refusals[0]
    assert refusals[0] == refusals[1]


@pytest.mark.parametrize("id", ["j-sq-1", "j-pb-1"])
def test_a_hidden_counters_id_cannot_be_used_and_is_not_revealed(
    id: str, pair: list[Journal]
) -> None:
    weapon = {"id": id, "side": "marine", "kind": "sw", "type": "MMG", "location": "N19"}
    refusal = told(pair[0], half(pair[0], weapons=[weapon]))
    assert refusal == f"half.json: weapons[0].id: {id} cannot be used; enter another id"


def test_a_marine_export_can_be_imported_unchanged(pair: list[Journal]) -> None:
    for place in PLACES:
        journal = held(place)
        before = journal.campaign.units["m-sq-3"]
        journal.run_command("import", half(journal) | {"missing": None}, "marine")
        after = journal.campaign.units["m-sq-3"]
        assert (after.location, after.guard) == (before.location, before.guard) == (place, "j-sq-1")


def test_nothing_is_logged_of_a_prisoner_who_does_not_move(pair: list[Journal]) -> None:
    assert "m-sq-3" not in told(pair[0], half(pair[0]))


def test_importing_both_reports_leaves_no_trace_of_secrets() -> None:
    journals = [held(place) for place in PLACES]
    for journal in journals:
        journal.run_command("import", half(journal), "marine")
        found = build_state_document(journal.campaign, JAPANESE)
        found["scenario"] |= {"winner": "marine", "moved_first": "marine"}
        asked = {"state": found, "source": "other.json", "missing": None, "side": "japanese"}
        journal.run_command("import", asked, "japanese")
        play(journal, through="15.6082")
    assert_alike(*journals)


def test_a_prisoners_death_is_imported(pair: list[Journal]) -> None:
    journal = held("L38")
    gone = squad("m-sq-3", "") | {"location": None, "fate": "eliminated"}
    journal.run_command("import", half(journal, squad("m-sq-1", "N19"), gone), "marine")
    assert journal.campaign.units["m-sq-3"].fate is Fate.ELIMINATED


def test_the_roster_of_the_marines_has_a_page_for_their_prisoners(pair: list[Journal]) -> None:
    journal = play(begun(*SEEN, *_guarded("L38")), through="15.616")
    assert (
        "7-6-8 squad no. 2"
        in roster_markdown_files(create_view(journal, MARINE))["prisoners-marine.md"]
    )
    assert "7-6-8 squad no. 2" in roster_markdown_files(create_view(journal, JAPANESE))["J1.md"]


def _guarded(place: str) -> list[dict[str, Any]]:
    return [
        squad("j-sq-1", place, status=["hidden"]),
        squad("m-sq-3", place, guard="j-sq-1", **PRISONER),
    ]


def test_a_prisoners_hidden_area_leaves_no_trace() -> None:
    """The Marines split the Japanese; the hidden guard is in one part or the other."""
    band = [["A30-A31", *(f"{row}30-{row}31" for row in "BCDEFGHIJKLMNOPQRSTUVWXYZ")]]
    journals = [
        begun(squad("m-sq-1", "N30"), squad("j-sq-8", "N40"), squad("j-sq-9", "P21"), *hidden)
        for hidden in (_guarded("N22"), _guarded("N41"))
    ]
    for journal in journals:
        play(journal, through="15.6071", marine=_on_land(band))
        assert len([one for one in journal.campaign.areas if one.startswith("J")]) > 1
        play(journal, through="15.616")
    assert_alike(*journals)


def _on_land(spans: list[list[str]]) -> list[list[str]]:
    land = locations.non_ocean_hexes(63)
    return [
        [one for span in row for one in locations.expand_hex_range(span) if one in land]
        for row in spans
    ]


def test_the_command_line_prints_only_facts_the_marines_may_know(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = []
    for place in PLACES:
        folder = tmp_path / place
        folder.mkdir()
        file = folder / "c.brt"
        desk = OpenCampaign.create(
            file, {"cg": "III", "name": None, "allotments": None}, lambda: NOON
        )
        desk.close()
        handed_in = folder / "state.json"
        _write(handed_in, [*SEEN, *_guarded(place)])
        assert main(["import", str(file), str(handed_in)]) == 0
        capsys.readouterr()
        _write(handed_in, [SEEN[0]])
        for more in (["--preview"], []):
            line = ["import", str(file), str(handed_in), "--side", "marine", "--missing", "keep"]
            assert main([*line, *more]) == 0
        printed.append(capsys.readouterr())
    assert printed[0] == printed[1]
    assert "m-sq-3" in printed[0].out


def _write(path: Path, units: list[dict[str, Any]]) -> None:
    path.write_text(json.dumps(state(*units)), "utf-8")
