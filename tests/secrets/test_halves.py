"""The end of a scenario that each side enters for itself."""

from collections.abc import Iterator
from typing import Any

from brt_cg.commands.state_document import build_state_document
from brt_cg.exports.status import status_text
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.questions.question_types import Question
from brt_cg.views.public_point import visible_journal
from brt_cg.views.view import create_view
from tests.exports.journals import JAPANESE, MARINE, new, plain_answer, take_in
from tests.secrets.pairs import HIDDEN, POINTS, ended


def begun() -> Journal:
    """A campaign with Japanese secrets of every kind, at the start of its Refit Phase."""
    return take_in(new(allotments=POINTS), ended(HIDDEN[0])["state"])


def played(journal: Journal) -> Iterator[Question[Any]]:
    """Plays the Refit Phase; each question that comes, before it is answered."""
    while (ask := journal.play_to_next_question()) is not None:
        yield ask
        journal.answer(plain_answer(ask), ask.side)


def test_both_sides_see_whose_end_of_scenario_report_is_missing() -> None:
    journal = begun()
    for _ in played(journal):
        assert journal.side_with_missing_report() is None
    for side, to_come in ((MARINE, JAPANESE), (JAPANESE, None)):
        half = {
            "state": build_state_document(journal.campaign, side),
            "source": f"{side}.json",
            "side": side,
        }
        journal.run_command("import", half, side)
        assert journal.side_with_missing_report() == to_come
        for reader in (None, *Side):
            told = status_text(create_view(visible_journal(journal, reader), reader))
            assert (f"import FILE STATE --side {to_come}" in told) is bool(to_come)


def test_a_report_scores_only_losses_the_enemy_sees() -> None:
    journal = begun()
    assert list(played(journal))
    for id, was in (("j-sq-8", {"status": ["hidden"]}), ("j-sq-5", {"fate": "eliminated"})):
        journal.run_command("edit", {"id": id, "set": was, "reason": "before the end"}, JAPANESE)
    readers = (MARINE, JAPANESE, None)
    before = [create_view(journal, reader).campaign.cvp(MARINE) for reader in readers]
    half = build_state_document(journal.campaign, JAPANESE)
    for unit in half["units"]:
        if unit["id"] in ("j-sq-8", "j-sq-9"):
            unit["fate"] = "eliminated"
    journal.run_command("import", {"state": half, "source": "j.json", "side": "japanese"}, JAPANESE)
    after = [create_view(journal, reader).campaign.cvp(MARINE) for reader in readers]
    scored = [now - was for was, now in zip(before, after, strict=True)]
    assert scored == [2, 4, 4], "of j-sq-9 alone, and of the hidden j-sq-8 too"


def test_a_campaign_adopted_by_two_reports_needs_no_scenario_end() -> None:
    journal, state = new(), ended(HIDDEN[0])["state"]
    journal.run_command("import", {"state": state, "side": "japanese"}, "players")
    assert journal.side_with_missing_report() is None
