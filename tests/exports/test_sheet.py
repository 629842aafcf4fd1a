"""The sheet for the opponent: what one side knows about the other."""

from functools import partial

import pytest

from brt_cg.exports import export_document
from brt_cg.journal.journal import Journal
from brt_cg.questions.answers import RefusedError
from brt_cg.views.view import create_view
from tests.exports.journals import JAPANESE, MARINE, as_data, begun, play, squad

SEEN, HIDDEN = squad("j-sq-1", "M40"), squad("j-sq-2", "M41", status=["hidden"])


sheet = partial(as_data, "sheet")


def retained() -> Journal:
    return play(begun(squad("m-sq-1", "N19"), SEEN, HIDDEN), through="15.6082")


def test_the_intelligence_report_counts_only_known_enemies() -> None:
    found = sheet(retained(), MARINE)
    assert (found["of"], found["totals"]["squads"]) == ("japanese", 1)
    assert found["totals"]["squad_equivalents"] == 1.0
    assert [one["place"] for one in found["places"]] == ["J1"]


def test_the_japanese_report_describes_the_marines() -> None:
    assert sheet(retained(), JAPANESE)["of"] == "marine"


def test_the_umpire_has_no_opponent() -> None:
    with pytest.raises(RefusedError, match="choose a side"):
        export_document(create_view(retained()), "sheet", "md")
