"""Why? in the game's words: all that it tells of a played campaign, and of every ruling."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from brt_cg.card import load_card
from brt_cg.exports.explain import KnownFacts, explanation_page, known_facts
from brt_cg.model.counters import Side
from brt_cg.questions.answers import RefusedError
from brt_cg.questions.dice import SeededDice
from brt_cg.service import demo
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.views.view import create_view
from tests.words import raw_words


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenCampaign]:
    """The demo, played to its next scenario."""
    desk = OpenCampaign.open(Path(str(demo.create_demo(tmp_path_factory.mktemp("demo")))))
    for _ in desk.play_with_supply(AnswerSupply(dice=SeededDice(1), defaults=True)):
        pass
    yield desk
    desk.close()


def all_pages(known: KnownFacts) -> Iterator[str]:
    """The lines of the first page, of each ruling, and of all that they lead on to."""
    to_read = ["", *known.card.rulings]
    met = {*to_read}
    while to_read:
        page = explanation_page(known, to_read.pop())
        yield from page.text
        leads = [lead for line in page.lines for lead in line.leads if lead not in met]
        met.update(leads)
        to_read.extend(dict.fromkeys(leads))


def as_data(lines: Iterable[str]) -> list[str]:
    """Lines with a piece of JSON in them."""
    return [line for line in lines if '{"' in line or '["' in line]


@pytest.mark.parametrize("seat", [None, *Side])
def test_no_explanation_uses_internal_words(played: OpenCampaign, seat: Side | None) -> None:
    lines = [*all_pages(known_facts(create_view(unrestricted_campaign(played), seat)))]
    assert len(lines) > 1000
    assert raw_words(lines) == {}
    assert as_data(lines) == []


@pytest.mark.parametrize("cg", ["I", "II", "III"])
def test_no_ruling_uses_internal_words(cg: str) -> None:
    told: list[str] = []
    for ruling in load_card(cg).rulings.values():
        told += [ruling.question, ruling.provenance, ruling.allowed_text, ruling.unasked or ""]
        told += [*map(ruling.value_text, ruling.options), *map(ruling.meaning, ruling.options)]
    assert raw_words(told) == {}


def test_an_unknown_subject_is_refused_in_words(played: OpenCampaign) -> None:
    with pytest.raises(RefusedError, match="nothing is known about 'nonsense'") as refused:
        explanation_page(known_facts(create_view(unrestricted_campaign(played))), "nonsense")
    assert raw_words([str(refused.value)]) == {}
