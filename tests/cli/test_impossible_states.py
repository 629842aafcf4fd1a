"""A state that the rules do not have is refused by each way in, with what was probably meant
(G1.1, G1.3, G1.4, G1.421, 15.6131)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from brt_cg.card.consistency import impossible_state_problems
from brt_cg.journal.rules_version import VERSION, RulesVersion, released_digests
from brt_cg.model.counters import Counter
from brt_cg.service.open_campaign import OpenCampaign
from tests.cli.shell import Shell, state, unit, written
from tests.imports.ends import coded, told
from tests.refit.table import (
    JAPANESE,
    crew,
    hero,
    japanese_half_squad,
    japanese_squad,
    leader,
    marine_squad,
    vehicle,
)
from tests.tui.moments import played

GIVEN_OUT = released_digests(VERSION - 1, "III") or {}
BEFORE = str(RulesVersion(VERSION - 1, {part: last for part, (*_, last) in GIVEN_OUT.items()}))
BROKEN: dict[str, Any] = {"status": "broken"}
NEVER = "a Japanese squad has no broken side (G1.1); did you mean reduced?"
LEFT = "a vehicle without its Inherent crew is abandoned (15.6131)"


@pytest.mark.parametrize(
    ("counter", "where", "meant"),
    [
        (japanese_squad("j", "N21", **BROKEN), "status", "(G1.1); did you mean reduced?"),
        (crew("j", "N21", JAPANESE, **BROKEN), "status", "(G1.3); did you mean reduced?"),
        (leader("j", "N21", "9-0", JAPANESE, **BROKEN), "status", "(G1.4); did you mean wounded?"),
        (hero("j", "N21", JAPANESE, **BROKEN), "status", "(G1.4); did you mean wounded?"),
        (vehicle("t", "N21", inherent_crew=False), "status", "add the status abandoned"),
        (hero("m", "N21", traits="tank_hunter"), "traits", "only the Japanese have T-H Heroes"),
    ],
)
def test_a_state_that_no_counter_has_is_refused(counter: Counter, where: str, meant: str) -> None:
    ((field, wrong),) = impossible_state_problems(counter)
    assert (field, meant in wrong) == (where, True)


@pytest.mark.parametrize(
    "counter",
    [
        japanese_half_squad("j", "N21", **BROKEN),
        japanese_squad("j", "N21", traits="korean_laborer", **BROKEN),
        crew("j", "N21", JAPANESE, status="broken unarmed"),
        marine_squad("m", "N21", **BROKEN),
        crew("m", "N21", **BROKEN),
        leader("m", "N21", "9-1", **BROKEN),
        vehicle("t", "N21", inherent_crew=False, status="abandoned bogged"),
        vehicle("t", "N21", inherent_crew=False, status="wreck"),
        vehicle("t", "N21", status="bogged stunned"),
        hero("j", "N21", JAPANESE, traits="tank_hunter"),
        hero("m", "N21", traits="heroic"),
    ],
)
def test_other_counters_may_have_that_state(counter: Counter) -> None:
    assert [*impossible_state_problems(counter)] == []


def test_an_import_names_each_impossible_state_and_stores_nothing(
    brt: Shell, tmp_path: Path
) -> None:
    file = tmp_path / "new.brt"
    brt("new", file, "--cg", "III")
    wrong = state()
    wrong["units"].append(
        unit("j-sq-3", "japanese", "squad", "M40", **{"class": "elite"}, status=["broken"])
    )
    wrong["units"].append(
        unit("m-hero-9", "marine", "hero", "N21", type="1-4-9", traits=["tank_hunter"])
    )
    tank = {"id": "m-tk-9", "side": "marine", "type": "M4A2", "location": "N20"}
    wrong["vehicles"] = [tank | {"inherent_crew": False, "status": ["bogged"]}]
    before = file.read_bytes()
    got = brt("import", file, written(tmp_path / "wrong.json", wrong))
    assert (got.code, file.read_bytes() == before) == (2, True)
    assert NEVER in got.err
    assert LEFT in got.err
    assert "only the Japanese have T-H Heroes (G1.421)" in got.err


def test_an_edit_to_an_impossible_state_is_refused(brt: Shell, file: Path) -> None:
    got = brt("edit", file, "j-sq-1", "status=broken", "--reason", "a slip")
    assert got.code == 2
    assert NEVER in got.err
    got = brt("edit", file, "j-ldr-1", "status=broken,wounded", "--reason", "a slip")
    assert "no broken side (G1.4); did you mean wounded?" in got.err
    assert brt("edit", file, "m-sq-1", "status=broken", "--reason", "a slip").code == 0


def test_codes_and_scenario_ends_with_an_impossible_state_are_refused(
    brt: Shell, demo_file: Path
) -> None:
    file = played(demo_file, None)
    desk = OpenCampaign.open_read_only(file)
    here = desk.view().campaign.units.values()
    id = next(
        each.id
        for each in here
        if each.side is JAPANESE and each.kind == "squad" and each.in_play and not each.traits
    )
    words = coded(told(desk), f"b{{{id}}}")
    desk.close()
    before = file.read_bytes()
    got = brt("end", file, words, "--yes")
    assert (got.code, file.read_bytes() == before) == (2, True)
    assert NEVER in got.err


@pytest.fixture
def then() -> Iterator[pytest.MonkeyPatch]:
    """The rules of the time when a Japanese squad could be entered as broken."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("brt_cg.card.consistency.impossible_state_problems", lambda counter: ())
        patch.setattr("brt_cg.journal.journal.current_version_text", lambda cg: BEFORE)
        yield patch


@pytest.fixture
def old(then: pytest.MonkeyPatch, brt: Shell, tmp_path: Path) -> Path:
    """A campaign of that time with a broken Japanese squad."""
    file = tmp_path / "old.brt"
    assert brt("new", file, "--cg", "III").code == 0
    assert brt("import", file, written(tmp_path / "state.json", state())).code == 0
    assert brt("edit", file, "j-sq-1", "status=broken", "--reason", "then").code == 0
    then.undo()
    return file


def test_an_old_campaign_with_an_impossible_state_continues(brt: Shell, old: Path) -> None:
    assert brt("status", old, "--json").json["phase"] == "refit"
    assert brt("edit", old, "j-sq-1", "name=Ito", "--reason", "its name").code == 0
    assert brt("audit", old).code == 0
    assert (brt("undo", old).code, brt("undo", old).code) == (0, 0)
    assert (brt("redo", old).code, brt("redo", old).code) == (0, 0)
    assert brt("audit", old).code == 0


def test_an_old_impossible_state_can_be_corrected_but_none_added(brt: Shell, old: Path) -> None:
    got = brt("edit", old, "j-ldr-1", "status=broken", "--reason", "x")
    assert (got.code, "no broken side (G1.4)" in got.err) == (2, True)
    assert brt("edit", old, "j-sq-1", "status=", "strength=reduced", "--reason", "x").code == 0
    got = brt("edit", old, "j-sq-1", "status=broken", "--reason", "x")
    assert (got.code, NEVER in got.err) == (2, True)
