"""The command `aid`: what a play aid told is kept."""

from typing import Any

import pytest

from brt_cg.journal.journal import Journal
from brt_cg.questions.answers import RefusedError

KEPT = {"line": "roll atmm", "said": ["dr 3: he has an ATMM"], "unit": None}


@pytest.fixture
def journal() -> Journal:
    journal = Journal(lambda: "2026-01-01T00:00:00Z")
    journal.run_command("new", {"cg": "I"}, "players")
    return journal


def test_an_aid_answer_is_an_entry_without_changes(journal: Journal) -> None:
    entry = journal.run_command("aid", KEPT, "players")
    assert (entry.kind, entry.changes) == ("aid", [])
    assert [one.text for one in entry.said] == [
        "play aid, roll atmm: dr 3: he has an ATMM",
    ]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"line": " "}, 'line: " " is not accepted'),
        ({"said": []}, r"said: \[\] is not accepted"),
        ({"said": [3]}, r"said: \[3\] is not accepted"),
        ({"unit": "nobody"}, "is not a unit of the campaign"),
        ({"odd": 1}, "odd: unknown field; enter line, said, unit"),
    ],
)
def test_a_wrong_aid_answer_is_reported_and_not_stored(
    journal: Journal, asked: dict[str, Any], told: str
) -> None:
    with pytest.raises(RefusedError, match=told):
        journal.run_command("aid", KEPT | asked, "players")
    assert len(journal.entries) == 1
