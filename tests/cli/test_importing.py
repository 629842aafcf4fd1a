"""`import` on a terminal: the difference first, accepted whole, line by line, or not at all."""

import builtins
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brt_cg.cli import scenario_end
from tests.cli.shell import Got, Shell, next_typed, state, unit, written

Typing = Callable[..., Got]
YES = ("yes",) * 20
WHERE = {"m-sq-1": "N21", "j-sq-1": "N24", "j-sq-2": "M40", "j-ldr-1": "N24", "m-ldr-1": "N21"}


@pytest.fixture
def played(brt: Shell, file: Path) -> Path:
    """The 20 PM scenario is to be played."""
    assert brt("refit", file, "--auto", "--seed", 1).code == 0
    return file


CALLED = {
    "m_sq_9": "added: 6-6-8 squad no. 5",
    "m_hs_1": "m-hs-1",  # its id too, which the file would have
    "j_sq_1": "4-4-7 squad",
}


@pytest.fixture
def late(brt: Shell, played: Path, tmp_path: Path) -> Path:
    """Its end: m-sq-1 and others stand on map, m-hs-1 is missing, m-sq-9 is new."""
    document: dict[str, Any] = brt("export", played, "state").json
    document["scenario"] |= {"winner": "japanese", "moved_first": "marine"}
    document["units"] = [row for row in document["units"] if row["id"] != "m-hs-1"]
    for row in document["units"]:
        row["location"] = WHERE.get(row["id"], "N18")
    document["weapons"][0]["location"] = "N21"
    document["units"].append(unit("m-sq-9", "marine", "squad", "N19", type="6-6-8"))
    return written(tmp_path / "late.json", document)


@pytest.fixture
def typing(brt: Shell, played: Path, late: Path, monkeypatch: pytest.MonkeyPatch) -> Typing:
    """Takes that in on a terminal where answers are typed: `said` by a part of the question, else
    what comes next in `lines`."""
    monkeypatch.setattr(scenario_end, "is_terminal", lambda: True)

    def run(*lines: str | type[BaseException], **said: str) -> Got:
        typed = iter(lines)

        def answer(question: str) -> str:
            named = {CALLED[part]: text for part, text in said.items()}
            fitting = (text for part, text in named.items() if part in question)
            return next(fitting, None) or next_typed(typed, "yes")

        monkeypatch.setattr(builtins, "input", answer)
        return brt("import", played, late)

    return run


def units(brt: Shell, file: Path) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in brt("export", file, "state").json["units"]}


def test_everything_is_imported_once_missing_counters_are_explained(
    brt: Shell, played: Path, typing: Typing
) -> None:
    got = typing("all", "eliminated", "losses")
    assert got.code == 0
    assert got.out.index("added: 6-6-8 squad no. 5") < got.out.index("Scenario end")
    now = units(brt, played)
    assert (now["m-hs-1"]["fate"], now["m-sq-9"]["location"]) == ("eliminated", "N19")
    assert now["m-sq-1"]["location"] == "N21"


def test_refused_lines_keep_the_campaigns_values(brt: Shell, played: Path, typing: Typing) -> None:
    before = units(brt, played)
    got = typing("line by line", m_sq_9="no", j_sq_1="no", m_hs_1="keep")
    assert got.code == 0
    now = units(brt, played)
    assert "m-sq-9" not in now
    assert now["m-hs-1"]["fate"] == "in_play"
    assert now["j-sq-1"]["location"] == before["j-sq-1"]["location"]
    assert now["m-sq-1"]["location"] == "N21"


def test_contradictory_choices_are_reported_and_asked_again(
    played: Path, late: Path, typing: Typing
) -> None:
    """A new squad is refused, but not the MMG that it has."""
    document = json.loads(late.read_text("utf-8"))
    mmg = {"id": "m-mmg-9", "side": "marine", "kind": "sw", "type": "MMG", "location": "N19"}
    document["weapons"].append(mmg | {"possessor": "m-sq-9"})
    written(late, document)
    before = played.read_bytes()
    got = typing("line", *YES, EOFError, m_sq_9="no", m_hs_1="keep")
    assert "These do not fit together" in got.out
    assert "m-sq-9" in got.out.partition("together")[2]
    assert played.read_bytes() == before


@pytest.mark.parametrize("typed", ["nothing", "n", EOFError, KeyboardInterrupt])
def test_nothing_is_stored_unless_it_is_accepted(
    played: Path, typing: Typing, typed: str | type[BaseException]
) -> None:
    before = played.read_bytes()
    got = typing(typed)
    assert "nothing stored" in got.err
    assert got.code == (0 if isinstance(typed, str) else 2)
    assert played.read_bytes() == before


def test_without_a_terminal_an_import_is_stored_immediately_and_says_so(
    brt: Shell, tmp_path: Path
) -> None:
    brt("new", "a.brt", "--cg", "III")
    path = written(tmp_path / "first.json", state())
    assert "stored without asking" in brt("import", "a.brt", path).err
    brt("new", "b.brt", "--cg", "III")
    assert "without asking" not in brt("import", "b.brt", path, "--yes").err


def test_a_refused_import_is_not_reported_as_stored(brt: Shell, tmp_path: Path) -> None:
    brt("new", "a.brt", "--cg", "III")
    wrong = written(tmp_path / "first.json", state(units=[unit("m", "marine", "squad", "N99")]))
    refused = brt("import", "a.brt", wrong)
    assert (refused.code, "stored" in refused.err) == (2, False)


def test_a_preview_lists_open_questions(brt: Shell, played: Path, late: Path) -> None:
    got = brt("import", played, late, "--preview")
    assert "missing: 6-6-8 squad no. 2 (m-hs-1), Area M1\n" in got.out
    assert "some counters are missing; add --missing keep" in got.err


def test_a_refit_phase_does_not_begin_with_one_report_unless_both_agree(
    brt: Shell, played: Path, late: Path
) -> None:
    imported = brt("import", played, late, "--side", "marine", "--missing", "keep")
    assert imported.code == 0
    got = brt("refit", played)
    assert got.code == 2
    assert "the Japanese report of the end of the 20 PM scenario is missing" in got.err
    assert "Japanese report" not in brt("refit", played, "--one-report").err
