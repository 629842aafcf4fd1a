"""Why? in the game's words: all that it tells of a played campaign, and of every ruling."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from brt_cg.card import load_card
from brt_cg.exports.explain import Known, known_to, page_of
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Refused
from brt_cg.questions.dice import SeededDice
from brt_cg.service import demo
from brt_cg.service.desk import Desk
from brt_cg.service.supply import Supply
from brt_cg.service.whole import whole
from brt_cg.views.book import book_of
from tests.words import raw_words


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """The demo, played to its next scenario."""
    desk = Desk.open(Path(str(demo.lay_out(tmp_path_factory.mktemp("demo")))))
    for _ in desk.play(Supply(dice=SeededDice(1), defaults=True)):
        pass
    yield desk
    desk.close()


def all_pages(known: Known) -> Iterator[str]:
    """The lines of the first page, of each ruling, and of all that they lead on to."""
    to_read = ["", *known.card.rulings]
    met = {*to_read}
    while to_read:
        page = page_of(known, to_read.pop())
        yield from page.text
        leads = [lead for line in page.lines for lead in line.leads if lead not in met]
        met.update(leads)
        to_read.extend(dict.fromkeys(leads))


def as_data(lines: Iterable[str]) -> list[str]:
    """Lines with a piece of JSON in them."""
    return [line for line in lines if '{"' in line or '["' in line]


@pytest.mark.parametrize("seat", [None, *Side])
def test_no_explanation_holds_a_word_of_the_program(played: Desk, seat: Side | None) -> None:
    lines = [*all_pages(known_to(book_of(whole(played), seat)))]
    assert len(lines) > 1000
    assert raw_words(lines) == {}
    assert as_data(lines) == []


@pytest.mark.parametrize("cg", ["I", "II", "III"])
def test_no_ruling_holds_a_word_of_the_program(cg: str) -> None:
    told: list[str] = []
    for ruling in load_card(cg).rulings.values():
        told += [ruling.question, ruling.provenance, ruling.allowed, ruling.unasked or ""]
        told += [*map(ruling.worded, ruling.options), *map(ruling.meaning, ruling.options)]
    assert raw_words(told) == {}


def test_what_is_unknown_is_refused_in_words(played: Desk) -> None:
    with pytest.raises(Refused, match="nothing is known about 'nonsense'") as refused:
        page_of(known_to(book_of(whole(played))), "nonsense")
    assert raw_words([str(refused.value)]) == {}
