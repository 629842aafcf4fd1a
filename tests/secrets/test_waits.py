"""Where the phase waits for what only the enemy may know, a side sees it stand at a public point:
neither the wait nor its paragraph tells of a hidden counter."""

import gc
import json
from collections import defaultdict
from dataclasses import asdict
from typing import Any
from weakref import ref

import pytest

from brt_cg.exports.status import status_document
from brt_cg.forecast.start import start_from_journal
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat
from brt_cg.model.visibility import visible_campaign
from brt_cg.questions.answers import RefusedError
from brt_cg.service.mail_letter import cover_letter
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.views.journal import visible_entries
from brt_cg.views.public_point import known_question, visible_journal
from brt_cg.views.requests import enter_or_request
from brt_cg.views.view import SharedView, create_view
from tests.exports.journals import JAPANESE, MARINE, new, plain_answer, play, squad, state, take_in
from tests.reading import reopened
from tests.secrets.pairs import HIDDEN, POINTS, all_that_is_read, ended, glance, hidden


def begun(number: int) -> Journal:
    return take_in(new(allotments=POINTS), ended(HIDDEN[number])["state"])


def waits(journal: Journal) -> Any:
    """Plays a Refit Phase; each time that it waits for what the Marines may not know, the rule by
    which it does."""
    while (ask := journal.play_to_next_question()) is not None:
        if known_question(journal, MARINE) is None:
            yield ask.rule
        journal.answer(plain_answer(ask), ask.side)


def known_answers(journal: Journal) -> int:
    """How many answers and commands the Marines know of."""
    return sum(not row.is_heading for row in visible_entries(journal, MARINE))


def test_a_wait_for_a_secret_decision_looks_like_the_last_public_point() -> None:
    """Whatever is waited for, and by whichever paragraph, after the same answers it looks alike."""
    found: defaultdict[int, dict[str, str]] = defaultdict(dict)
    rules = set()
    for number in (0, 1):
        journal = begun(number)
        for rule in waits(journal):
            rules.add(rule)
            known = visible_journal(journal, MARINE)
            expected = asdict(start_from_journal(known, MARINE, "1"))
            seen = {
                "view": repr(visible_campaign(known.campaign, MARINE).tables),
                "forecast": expected,
            }
            told = json.dumps(glance(known, MARINE) | seen)
            found[known_answers(journal)][told] = f"{number}: {rule}"
    assert {"15.602", "15.6202"} <= rules
    assert len(rules) > 4, rules
    assert max(len(at) for at in found.values()) == 1, [list(at.values()) for at in found.values()]
    assert len(found) > 3


def test_two_waits_for_secret_decisions_look_the_same_everywhere() -> None:
    first, second = begun(0), begun(0)
    assert next(waits(first)) == "15.602"
    going = waits(second)
    assert [next(going) for _ in range(3)] == ["15.602"] * 3
    one, other = (
        all_that_is_read(visible_journal(journal, MARINE), MARINE) for journal in (first, second)
    )
    assert one == other


def test_writing_a_note_during_a_wait_reveals_nothing() -> None:
    """However often it writes one: whichever question it waits for, it reads its notes and what it
    read before."""
    found = []
    for number, waited in ((0, 1), (0, 3), (1, 2)):
        journal = begun(number)
        going = waits(journal)
        for _ in range(waited):
            next(going)
        before = create_view(journal, MARINE)
        told = repr(before.campaign.tables), before.begun, len(before.rows)
        journal.seat = Seat.MARINE
        for words in ("well", "well?"):
            journal.begin_invocation()
            journal.run_command("note", {"words": words, "side": "marine", "about": None}, "marine")
        after = create_view(journal, MARINE)
        assert (repr(after.campaign.tables), after.begun, len(after.rows) - 2) == told
        assert [row.kind for row in after.rows[-2:]] == ["note", "note"]
        found.append(glance(journal, MARINE))
    assert found[0] == found[1] == found[2]


def test_a_wait_names_no_paragraph() -> None:
    journal = begun(0)
    next(waits(journal))
    known = status_document(create_view(visible_journal(journal, MARINE), MARINE))
    assert (known["asks"], known["step"]) == (None, None)
    assert status_document(create_view(journal, JAPANESE))["step"] == "15.602"
    assert visible_journal(journal, JAPANESE) is journal
    assert visible_journal(journal, None) is journal


def test_public_changes_of_a_wait_appear_at_the_next_public_question() -> None:
    journal = begun(0)
    for _ in waits(journal):
        before = known_answers(journal)
    assert visible_journal(journal, MARINE) is journal
    assert known_answers(journal) >= before


def test_a_public_questions_content_stays_visible_during_a_wait() -> None:
    """The Marines say in public that a tank is lost, and to which Perimeters; then they decide
    something by themselves."""
    tank = {"id": "m-tk-1", "side": "marine", "type": "M4A2", "location": "N19"}
    units = (squad("m-sq-1", "N19"), squad("m-ldr-1", "N20"), squad("j-sq-9", "P21"))
    journal = new()
    journal.run_command("ruling", {"id": "R-SHOCK", "value": "enter"}, "players")
    take_in(journal, state(*units, vehicles=[tank | {"status": ["shocked"], "cvp": 6}]))
    shown: list[tuple[int, int]] = []
    while (ask := journal.play_to_next_question()) is not None and ask.rule != "15.6122":
        known = visible_journal(journal, JAPANESE)
        shown.append((known.campaign.cvp(JAPANESE), len(known.entries)))
        journal.answer("eliminated" if ask.subject == "m-tk-1" else plain_answer(ask), ask.side)
    assert known is not journal  # 15.6114
    assert shown == sorted(shown)
    assert shown[-1][0] == shown[0][0] + 6


def test_a_forecast_begins_at_the_public_point_too() -> None:
    starts = []
    for played in (1, 3):
        journal = begun(0)
        going = waits(journal)
        for _ in range(played):
            next(going)
        starts.append(start_from_journal(visible_journal(journal, MARINE), MARINE, "1"))
    assert starts[0] == starts[1]


def test_an_open_campaign_shows_a_side_no_more_during_a_wait(tmp_path: Any) -> None:
    desk = OpenCampaign.create(tmp_path / "c.brt", {"cg": "III", "allotments": POINTS})
    desk.run_command("import", ended(HIDDEN[0]))
    desk.continue_play()
    assert unrestricted_campaign(desk).open_question() is not None
    assert status_document(create_view(unrestricted_campaign(desk), MARINE))["step"] is None
    assert status_document(create_view(unrestricted_campaign(desk)))["step"] == "15.602"
    desk.close()


def test_a_hidden_possessor_of_a_weapon_is_shown_nowhere() -> None:
    """A Gun that malfunctions, and a captured MMG, in the hands of one hidden squad or another."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for possessor in ("j-sq-1", "j-sq-2"):
        journal = take_in(new(allotments=POINTS), ended(armed(possessor))["state"])
        while (ask := journal.play_to_next_question()) is not None:
            known = visible_journal(journal, MARINE)
            at = f"{known_answers(journal)}, {'waits' if known is not journal else 'asks'}"
            found[at].add(json.dumps(glance(known, MARINE)))
            journal.answer(plain_answer(ask), ask.side)
        found["the end"].add(json.dumps(all_that_is_read(journal, MARINE), default=str))
    assert len(found) > 10
    assert [at for at, told in found.items() if len(told) > 1] == []


def armed(possessor: str) -> dict[str, Any]:
    """Hidden counters of which one possesses all weapons."""
    found = hidden("L38", "M20")
    taken = {"id": "m-mmg-9", "side": "japanese", "nation": "marine", "kind": "sw", "type": "MMG"}
    broken = {"location": "L38", "status": ["malfunctioned"], "repair_number": 2, "pp": 4}
    gun, lying = found["weapons"]
    weapons = [gun | {"possessor": possessor}, lying, taken | broken | {"possessor": possessor}]
    return found | {"weapons": weapons}


def test_a_closed_campaign_is_not_kept_in_memory_for_a_wait() -> None:
    journal = begun(0)
    next(waits(journal))
    assert visible_journal(journal, MARINE) is not journal
    known = ref(journal)
    del journal
    gc.collect()
    assert known() is None


@pytest.mark.parametrize("asked", ["15.6201 japanese", "15.6202 marine"])
@pytest.mark.parametrize("side", [MARINE, JAPANESE])
def test_the_public_view_of_a_wait_shows_no_secret_note(asked: str, side: Side) -> None:
    journals = [play(begun(0), to=asked) for _ in range(2)]
    note = {"words": "mine", "side": side.value, "about": None}
    journals[1].run_command("note", note, side.value)
    letters = [cover_letter(SharedView(journal), None, "x.brtmail", None) for journal in journals]
    assert letters[0] == letters[1]
    assert "to make a secret decision" in letters[0]


def test_a_refusal_during_a_wait_names_no_paragraph() -> None:
    """Whatever the Marines try to enter while the Japanese are asked in private."""
    journal = begun(0)
    going = waits(journal)
    tried: tuple[tuple[str, dict[str, Any]], ...] = (
        ("buy", {"item": "foxhole_1s", "side": "marine", "quantity": 1}),
        ("aid", {"line": "smoke", "said": ["smoke"], "unit": None}),
        ("allot", {"side": "marine", "fpp": 3}),
    )
    found: list[list[str]] = []
    for _ in range(3):
        assert next(going) == "15.602"
        again = reopened(journal)
        again.seat = Seat.MARINE
        found.append([refusal(again, kind, asked) for kind, asked in tried])
    assert "15.602" not in str(found)
    assert found[1] == found[2]


def refusal(journal: Journal, kind: str, asked: dict[str, Any]) -> str:
    try:
        enter_or_request(journal, kind, asked, "marine")
    except RefusedError as refused:
        return str(refused)
    return "entered"
