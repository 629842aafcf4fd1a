"""A recorded fight: it is resumed, taken back and replayed to the same end."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from brt_cg.aids.fight_file import (
    RecordedFight,
    begin_fight,
    load_fight,
    replay_differences,
    save_fight,
    try_single_action,
)
from brt_cg.questions.answers import RefusedError
from tests.aids.fought import RECORDED, fought, sides
from tests.settings import count


def test_a_whole_fight_is_recorded_and_replays_to_the_same_end() -> None:
    recorded = load_fight(RECORDED)
    assert len(sides(recorded.fight)) == 1, "it was fought to the end"
    assert len(recorded.entries) > 100
    assert replay_differences(recorded) == []


@pytest.mark.parametrize("seed", range(count(3, 200)))
def test_every_fight_is_rebuilt_from_its_file(seed: int, tmp_path: Path) -> None:
    recorded = fought(seed)
    save_fight(tmp_path / "a.fight", recorded, new=True)
    again = load_fight(tmp_path / "a.fight")
    assert again.fight.as_json() == recorded.fight.as_json()
    assert replay_differences(again) == []


def test_undo_goes_back_through_the_whole_fight() -> None:
    were: list[object] = []
    recorded = fought(1, after=lambda one: were.append(json.dumps(one.fight.as_json())))
    while recorded.entries_not_undone:
        assert json.dumps(recorded.fight.as_json()) == were.pop()
        recorded.undo()
    assert recorded.fight.as_json() == recorded.start


def small() -> RecordedFight:
    return begin_fight(["marine:rifle", "japanese:rifle"], "marine")


def test_an_undone_action_stays_in_the_log_and_may_be_changed() -> None:
    recorded = small()
    recorded.carry_out("move m-rifle-1 6", lambda _: None)
    assert recorded.undo() == "move m-rifle-1 6"
    recorded.carry_out("move m-rifle-1 3", lambda _: None)
    assert [line for line in recorded.history_lines() if line[0] != " "] == [
        "1. move m-rifle-1 6 (undone)",
        "2. move m-rifle-1 3",
    ]
    assert replay_differences(recorded) == []


def test_undo_without_an_action_says_so() -> None:
    with pytest.raises(RefusedError, match="nothing to undo"):
        small().undo()


def test_a_refused_action_changes_nothing() -> None:
    recorded = small()
    before = recorded.fight.as_json()
    with pytest.raises(RefusedError):
        recorded.carry_out("move m-rifle-1 99", lambda _: None)
    assert (recorded.fight.as_json(), recorded.entries) == (before, [])


def test_a_new_fight_never_replaces_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.fight"
    path.write_text("mine")
    with pytest.raises(RefusedError, match="already exists"):
        save_fight(path, small(), new=True)
    assert path.read_text() == "mine"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"format": "brt-cg/fight", "version": 2}',
        '{"format": "brt-cg/fight", "version": 1, "start": {}, "entries": []}',
        '{"format": "brt-cg/fight", "version": 1, "start": {"pieces": {"a": {}}}, "entries": 3}',
    ],
)
def test_a_file_that_is_not_a_fight_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.fight"
    path.write_text(text)
    with pytest.raises(RefusedError, match="not a recorded fight"):
        load_fight(path)


def answers(*given: str) -> Callable[[object], str]:
    left = iter(given)
    return lambda _: next(left)


def test_single_actions_need_no_turns() -> None:
    assert (
        try_single_action("barrage rifle tank", [], answers("j-tank-1", "K", "Q"))[0]
        == "artillery hits j-tank-1"
    )
