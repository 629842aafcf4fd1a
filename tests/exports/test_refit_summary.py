"""A Refit Phase in half a page, the same for whoever may read it."""

import shutil
from pathlib import Path

import pytest

from brt_cg.card import load_card
from brt_cg.commands.state_document import build_state_document
from brt_cg.exports.refit_summary import last_refit_summary, newest_refit_summaries, refit_summaries
from brt_cg.exports.status import status_text
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.questions.dice import SeededDice
from brt_cg.refit.victory import victory_requirement_lines
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.demo import create_demo
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.views.view import create_view
from tests.refit.table import campaign, japanese_squad, marine_squad


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> OpenCampaign:
    desk = OpenCampaign.open(create_demo(tmp_path_factory.mktemp("demo")))
    for _ in desk.play_with_supply(AnswerSupply(dice=SeededDice(3), defaults=True)):
        pass
    return desk


def test_the_summary_lists_each_sides_losses_repairs_and_promotions(played: OpenCampaign) -> None:
    summary = last_refit_summary(create_view(unrestricted_campaign(played)))
    assert summary is not None
    assert summary.date == "20 PM"
    assert summary.imported > 250
    lines = [*summary.lines()]
    assert len(lines) <= 16
    for part in ("lost", "recovered", "repaired", "promoted"):
        assert any(line.startswith(f"Marine {part}: ") for line in lines)
    repaired = summary.halves[Side.MARINE].parts["repaired"]
    assert all(unrestricted_campaign(played).campaign.weapons[id].functioning for id in repaired)


@pytest.mark.parametrize("seed", range(1, 9))
def test_what_is_lost_after_it_recovered_is_only_lost(tmp_path: Path, seed: int) -> None:
    desk = OpenCampaign.open(create_demo(tmp_path))
    for _ in desk.play_with_supply(AnswerSupply(dice=SeededDice(seed), defaults=True)):
        pass
    journal = unrestricted_campaign(desk)
    summary = last_refit_summary(create_view(journal))
    assert summary is not None
    for half in summary.halves.values():
        gone = {*half.parts["lost"], *half.parts["captured"]}
        assert gone.isdisjoint({*half.parts["recovered"], *half.parts["repaired"]})
        recovered = [journal.campaign.find(id) for id in half.parts["recovered"]]
        assert not any("unconfirmed_kill" in getattr(each, "status", ()) for each in recovered)


def test_a_sides_summary_lists_nothing_hidden_from_it(played: OpenCampaign) -> None:
    hidden = {
        each.id
        for each in unrestricted_campaign(played).campaign.pieces()
        if each.side is Side.JAPANESE
        and unrestricted_campaign(played).campaign.side_hiding(each) is Side.JAPANESE
    }
    assert hidden
    summary = last_refit_summary(create_view(unrestricted_campaign(played), Side.MARINE))
    assert summary is not None
    named = {id for half in summary.halves.values() for part in half.parts.values() for id in part}
    assert not named & hidden


def test_the_summary_is_in_status(played: OpenCampaign) -> None:
    summary = last_refit_summary(create_view(unrestricted_campaign(played)))
    assert summary is not None
    (first, second) = summary.brief_lines()
    assert first in status_text(create_view(unrestricted_campaign(played)))
    assert second.startswith("Japanese lost ")


@pytest.mark.parametrize("side", [None, *Side])
def test_the_newest_summary_does_not_depend_on_reading_older_ones(
    played: OpenCampaign, tmp_path: Path, side: Side | None
) -> None:
    desk = OpenCampaign.open(Path(shutil.copy(played.path, tmp_path)))
    unrestricted_campaign(desk).writer = None
    again = {
        "state": build_state_document(unrestricted_campaign(desk).campaign),
        "source": None,
        "missing": "keep",
    }
    desk.run_command("import", again | {"side": None})
    for seed in (4, 5):
        for _ in desk.play_with_supply(AnswerSupply(dice=SeededDice(seed), defaults=True)):
            pass
        desk.undo_or_request(whole_call=True)
    entries = [*unrestricted_campaign(desk).entries]
    for until in (3, *range(len(entries), 1, -97)):
        part = Journal(lambda: "")
        part.load(entries[:until])
        book = create_view(part, side)
        every = [*refit_summaries(book.rows, book.card)]
        newest = max((at for at, each in enumerate(every) if each.has_events), default=0)
        assert newest_refit_summaries(book) == every[newest:]


@pytest.mark.parametrize(
    ("marine", "japanese", "words"),
    [
        (10, 7, "Marine 10, Japanese 7; the Japanese need 3 more to win"),
        (7, 7, "Marine 7, Japanese 7; the Marines need 1 more to win"),
        (4, 9, "Marine 4, Japanese 9; the Marines need 6 more to win"),
    ],
)
@pytest.mark.parametrize("cg", ["I", "II", "III"])
def test_the_summary_shows_the_points_still_needed_to_win(
    cg: str, marine: int, japanese: int, words: str
) -> None:
    made = campaign(
        japanese_squad("j1", "N30"),
        marine_squad("m1", "N20", status="prisoner", guard="j1"),
        cg=cg,
        marine={"cvp": marine},
        japanese={"cvp": japanese},
    )
    lines = victory_requirement_lines(made, load_card(cg))
    assert any(words in line for line in lines)
    assert any("Immediate victory" in line for line in lines) is (cg == "I")
