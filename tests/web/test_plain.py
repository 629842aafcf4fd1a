"""The plain page of a seat: a whole Refit Phase by its buttons, and what it tells nobody."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from brt_cg.model.seat import Seat
from brt_cg.purchases.totals import standing
from brt_cg.service import demo
from brt_cg.service.desk import Desk
from brt_cg.service.whole import whole
from brt_cg.web import plain
from tests.secrets.test_books import played
from tests.web.browsing import chromium
from tests.web.serving import at_its_first_question, served
from tests.web.test_doors import cookie, get

WAITS = "decides something in private"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
MOST = 900  # taps


class Forms(HTMLParser):
    """The forms of a page: the hidden fields of each, and the words of its button."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[dict[str, str], str]] = []
        self._fields: dict[str, str] = {}
        self._is_button = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: found or "" for name, found in attrs}
        if tag == "form":
            self._fields = {}
        elif tag == "input" and given.get("type") == "hidden":
            self._fields[given["name"]] = given["value"]
        self._is_button = tag == "button"

    def handle_data(self, data: str) -> None:
        if self._is_button:
            self.found.append((self._fields, data))
            self._is_button = False


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    path = demo.lay_out(tmp_path)
    assert isinstance(path, Path)
    return path


def preferred(words: list[str]) -> int | None:
    """Which button of a page is pressed to go on: the dice first, then the first answer."""
    for start in ("Roll on", "Go on", "Default", ""):
        for at, word in enumerate(words):
            if word.startswith(start) and word not in ("Answer", "Buy it"):
                return at
    return None


def is_over(campaign: Path) -> bool:
    return whole(Desk.look_at(campaign)).campaign.situation.phase is Phase.SCENARIO


def bought(campaign: Path) -> set[Side]:
    return {each.side for each in standing(whole(Desk.look_at(campaign)).campaign)}


def test_a_whole_refit_phase_with_purchases_is_played_by_its_forms(campaign: Path) -> None:
    wants, presses = {*Side}, 0
    while not is_over(campaign):
        for seat in Side:
            forms = Forms(plain.shown(campaign, seat)).found
            shops = [fields for fields, words in forms if words == "Buy it"]
            if shops and seat in wants and any("15.614" in f.get("asked", "") for f, _ in forms):
                wants.remove(seat)
                more = {"beach": "red_three"} if seat is Side.JAPANESE else {}
                plain.done(campaign, seat, shops[0] | {"item": "foxhole_1s"} | more)
                continue
            at = preferred([words for _, words in forms])
            if at is not None:
                plain.done(campaign, seat, forms[at][0])
            presses += 1
        assert presses < MOST
    assert bought(campaign) == {*Side}


def test_an_answer_to_a_question_that_is_gone_falls_on_no_other(campaign: Path) -> None:
    at_its_first_question(campaign)
    (fields, _), *_ = Forms(plain.shown(campaign, "marine")).found
    plain.done(campaign, "marine", fields)
    with pytest.raises(plain.Refused, match="is not asked any more"):
        plain.done(campaign, "marine", fields)


def test_a_seat_reads_nothing_of_the_others_secrets_and_answers_nothing_of_his(
    campaign: Path,
) -> None:
    desk = Desk.open(campaign)
    ask = desk.begin()
    while ask is not None and ask.rule != "15.602":
        ask = desk.answer_on(ask, ask.default if ask.dice is None else [1] * ask.dice.how_many)
    assert ask is not None
    desk.close()
    page = plain.shown(campaign, "marine")
    assert WAITS in page
    assert ask.subject not in page
    [(fields, _), *_] = Forms(plain.shown(campaign, "japanese")).found
    with pytest.raises(plain.Refused):
        plain.done(campaign, "marine", fields)


@pytest.mark.parametrize("through", [None, "15.602", "15.605", "15.614"])
def test_the_pages_of_twins_that_differ_in_the_others_secrets_are_the_same(
    through: str | None,
) -> None:
    pages = []
    for secrets in range(2):
        desk = Desk(Path("none.brt"), played(secrets, through))
        desk.sit(Seat.MARINE)
        pages.append("".join(plain.page_of(desk, desk.book(), "marine", "")))
    assert pages[0] == pages[1]


def test_what_is_posted_comes_from_the_page_of_its_seat(campaign: Path) -> None:
    import http.client

    at_its_first_question(campaign)
    with served(campaign) as addresses:
        mine = cookie(addresses["marine"])
        status, headers, page = get(addresses["marine"], "/seat/marine/plain", Cookie=mine)
        assert status == 200
        assert "script" not in page
        assert "form-action 'self'" in headers["Content-Security-Policy"]
        (fields, _), *_ = Forms(page).found
        netloc = urlsplit(addresses["marine"]).netloc
        tried = {
            403: {"Cookie": mine},
            303: {"Cookie": mine, "Origin": f"http://{netloc}"},
        }
        for wanted, given in tried.items():
            connection = http.client.HTTPConnection(netloc, timeout=60)
            kind = {"Content-Type": "application/x-www-form-urlencoded"}
            connection.request("POST", "/seat/marine/plain", urlencode(fields), given | kind)
            assert connection.getresponse().status == wanted
            connection.close()


# --- in a browser ---------------------------------------------------------------------------------


@pytest.fixture
def phones(campaign: Path) -> Iterator[dict[Side, Any]]:
    """The plain page of each seat on a phone held upright."""
    with served(campaign) as addresses, chromium() as browser:
        found: dict[Side, Any] = {}
        for side in Side:
            page = browser.new_context(**PHONE).new_page()
            page.goto(addresses[side])
            page.goto(f"{addresses[side].partition('?')[0]}seat/{side}/plain")
            found[side] = page
        yield found


@pytest.mark.web
@pytest.mark.parametrize("how", ["taps", "tree"])
def test_on_a_phone_a_whole_phase_with_purchases_is_played_by_taps_or_by_the_tree(
    phones: dict[Side, Any], campaign: Path, how: str
) -> None:
    wants, presses = {*Side}, 0
    while not is_over(campaign):
        for side, page in phones.items():
            page.goto(page.url)
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            buttons = page.get_by_role("button") if how == "tree" else page.locator("button")
            words = buttons.all_inner_texts()
            if "Buy it" in words and side in wants and "15.614" in page.inner_text("h2 >> nth=0"):
                wants.remove(side)
                page.get_by_label("Item").select_option("foxhole_1s")
                if side is Side.JAPANESE:
                    page.get_by_label("Whose points").select_option("red_three")
                press(page.get_by_role("button", name="Buy it"), how)
                continue
            at = preferred(words)
            if at is not None:
                box = buttons.nth(at).bounding_box()
                assert box["height"] >= 44
                press(buttons.nth(at), how)
            presses += 1
        assert presses < MOST
    assert bought(campaign) == {*Side}


def press(button: Any, how: str) -> None:
    with button.page.expect_navigation():
        if how == "taps":
            button.tap()
        else:
            button.press("Enter")


@pytest.mark.web
def test_a_narrow_screen_offers_the_plain_page(campaign: Path) -> None:
    with served(campaign) as addresses, chromium() as browser:
        page = browser.new_context(**PHONE).new_page()
        page.goto(addresses["marine"])
        page.get_by_text("Plain page").tap()
        page.wait_for_url(re.compile("/plain$"))
        assert "Marine seat" in page.inner_text("header")
