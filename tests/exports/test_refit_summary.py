"""A Refit Phase in half a page, the same for whoever may read it."""

import shutil
from pathlib import Path

import pytest

from brt_cg.card import load_card
from brt_cg.commands.state_document import document
from brt_cg.exports.refit_summary import last_summary, newest_summaries, summaries_of
from brt_cg.exports.status import status_text
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.questions.dice import SeededDice
from brt_cg.refit.victory import standing
from brt_cg.service.demo import lay_out
from brt_cg.service.desk import Desk
from brt_cg.service.supply import Supply
from brt_cg.service.whole import whole
from brt_cg.views.book import book_of
from tests.refit.table import campaign, japanese_squad, marine_squad


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    desk = Desk.open(lay_out(tmp_path_factory.mktemp("demo")))
    for _ in desk.play(Supply(dice=SeededDice(3), defaults=True)):
        pass
    return desk


def test_it_says_what_each_side_lost_repaired_and_promoted(played: Desk) -> None:
    summary = last_summary(book_of(whole(played)))
    assert summary is not None
    assert summary.date == "20 PM"
    assert summary.imported > 250
    lines = [*summary.lines()]
    assert len(lines) <= 16
    for part in ("lost", "recovered", "repaired", "promoted"):
        assert any(line.startswith(f"Marine {part}: ") for line in lines)
    repaired = summary.halves[Side.MARINE].parts["repaired"]
    assert all(whole(played).campaign.weapons[id].functioning for id in repaired)


def test_a_side_reads_nothing_that_it_does_not_see(played: Desk) -> None:
    hidden = {
        each.id
        for each in whole(played).campaign.pieces()
        if each.side is Side.JAPANESE and whole(played).campaign.hidden_by(each) is Side.JAPANESE
    }
    assert hidden
    summary = last_summary(book_of(whole(played), Side.MARINE))
    assert summary is not None
    named = {id for half in summary.halves.values() for part in half.parts.values() for id in part}
    assert not named & hidden


def test_it_stands_in_status(played: Desk) -> None:
    summary = last_summary(book_of(whole(played)))
    assert summary is not None
    (first, second) = summary.brief()
    assert first in status_text(book_of(whole(played)))
    assert second.startswith("Japanese lost ")


@pytest.mark.parametrize("side", [None, *Side])
def test_the_newest_is_the_same_whether_what_is_older_is_read_or_not(
    played: Desk, tmp_path: Path, side: Side | None
) -> None:
    desk = Desk.open(Path(shutil.copy(played.path, tmp_path)))
    whole(desk).writer = None
    again = {"state": document(whole(desk).campaign), "source": None, "missing": "keep"}
    desk.command("import", again | {"side": None})
    for seed in (4, 5):
        for _ in desk.play(Supply(dice=SeededDice(seed), defaults=True)):
            pass
        desk.undo(whole_call=True)
    entries = [*whole(desk).entries]
    for until in (3, *range(len(entries), 1, -97)):
        part = Journal(lambda: "")
        part.load(entries[:until])
        book = book_of(part, side)
        every = [*summaries_of(book.rows, book.card)]
        newest = max((at for at, each in enumerate(every) if each.happened), default=0)
        assert newest_summaries(book) == every[newest:]


@pytest.mark.parametrize(
    ("marine", "japanese", "words"),
    [
        (10, 7, "Marine 10, Japanese 7; the Japanese need 3 more to win"),
        (7, 7, "Marine 7, Japanese 7; the Marines need 1 more to win"),
        (4, 9, "Marine 4, Japanese 9; the Marines need 6 more to win"),
    ],
)
@pytest.mark.parametrize("cg", ["I", "II", "III"])
def test_what_is_still_needed_to_win(cg: str, marine: int, japanese: int, words: str) -> None:
    made = campaign(
        japanese_squad("j1", "N30"),
        marine_squad("m1", "N20", status="prisoner", guard="j1"),
        cg=cg,
        marine={"cvp": marine},
        japanese={"cvp": japanese},
    )
    lines = standing(made, load_card(cg))
    assert any(words in line for line in lines)
    assert any("Immediate victory" in line for line in lines) is (cg == "I")
