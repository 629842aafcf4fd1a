"""The plain page of a seat: a whole Refit Phase by its buttons, and what it tells nobody."""

import http.client
import json
import re
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from brt_cg.exports.status import status_text
from brt_cg.exports.wording import side_and_turn_text
from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from brt_cg.model.seat import Seat
from brt_cg.purchases.totals import purchases_not_voided
from brt_cg.service.mail_letter import cover_letter
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.stored_journal import read_journal
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.frame.title_and_badge import window_title
from brt_cg.tui.session.session import take_snapshot
from brt_cg.web import SEATS, plain_page
from brt_cg.web.page_tokens import FIELD
from tests.other_rules import gives_after, played_otherwise
from tests.secrets.test_books import played
from tests.web.forms import Forms, preferred
from tests.web.serving import at_its_first_question, played_to, served
from tests.web.tabs import PATIENCE
from tests.web.test_doors import cookie, get

WAITS = "a secret decision to make"
PHONE_WIDTH = 390
PHONE = {"viewport": {"width": PHONE_WIDTH, "height": 844}, "has_touch": True, "is_mobile": True}
FORM = "application/x-www-form-urlencoded"
A_FINGER = 44  # pixels that a button is high at least
MOST = 900  # taps


def is_over(campaign: Path) -> bool:
    return (
        unrestricted_campaign(OpenCampaign.open_read_only(campaign)).campaign.situation.phase
        is Phase.SCENARIO
    )


def bought(campaign: Path) -> set[Side]:
    return {
        each.side
        for each in purchases_not_voided(
            unrestricted_campaign(OpenCampaign.open_read_only(campaign)).campaign
        )
    }


@pytest.mark.usefixtures("read_on")
def test_a_whole_refit_phase_with_purchases_is_played_on_plain_pages(demo_file: Path) -> None:
    wants, presses = {*Side}, 0
    while not is_over(demo_file):
        for seat in Side:
            page = plain_page.render_page(demo_file, seat)
            forms = Forms(page).found
            shops = [fields for fields, words in forms if words == "Buy it"]
            if shops and seat in wants and "Your turn: 15.614" in page:
                wants.remove(seat)
                more = {"beach": "red_three"} if seat is Side.JAPANESE else {}
                plain_page.submit_form(demo_file, seat, shops[0] | {"item": "foxhole_1s"} | more)
                continue
            at = preferred([words for _, words in forms])
            if at is not None:
                fields = forms[at][0]
                sure = {"confirmed": "yes"} if fields["do"] == "finish" else {}
                plain_page.submit_form(demo_file, seat, fields | sure)
            presses += 1
        assert presses < MOST
    assert bought(demo_file) == {*Side}
    assert (
        read_journal(demo_file).campaign
        == unrestricted_campaign(OpenCampaign.open_read_only(demo_file)).campaign
    )


def test_an_answer_to_a_closed_question_is_not_used_for_another(demo_file: Path) -> None:
    at_its_first_question(demo_file)
    (fields, _), *_ = Forms(plain_page.render_page(demo_file, "marine")).found
    plain_page.submit_form(demo_file, "marine", fields)
    with pytest.raises(plain_page.RefusedError, match="That question has already been answered"):
        plain_page.submit_form(demo_file, "marine", fields)


def test_a_seat_sees_no_enemy_secrets_and_answers_no_enemy_questions(
    demo_file: Path,
) -> None:
    desk = OpenCampaign.open(demo_file)
    ask = desk.continue_play()
    while ask is not None and ask.rule != "15.602":
        ask = desk.answer_and_play(
            ask, ask.default if ask.dice is None else [1] * ask.dice.dice_count
        )
    assert ask is not None
    desk.close()
    page = plain_page.render_page(demo_file, "marine")
    assert WAITS in page
    assert ask.subject not in page
    [(fields, _), *_] = Forms(plain_page.render_page(demo_file, "japanese")).found
    with pytest.raises(plain_page.RefusedError):
        plain_page.submit_form(demo_file, "marine", fields)


@pytest.mark.parametrize("rule", ["15.601", "15.602", "15.614"])
def test_all_outputs_agree_on_whose_turn_it_is(rule: str, demo_file: Path) -> None:
    """At a Melee, whose dice either may roll, the page said "Your turn" to both players."""
    played_to(demo_file, rule)
    desk = OpenCampaign.open_read_only(demo_file)
    whose, _ = side_and_turn_text(desk.shared_view())
    assert whose is not None
    assert f"It is the {whose.label} player's turn" in cover_letter(
        desk.shared_view(), None, "", None
    )
    for side in Side:
        desk.set_seat(Seat(side.value))
        says = "Your turn" if side is whose else f"{whose.label} player to answer"
        page = plain_page.render_page(demo_file, side)
        assert f"<title>{says}" in page
        assert page.count("Your turn") == (2 if side is whose else 0)
        assert window_title(take_snapshot(desk)).startswith(says)
        assert f"{whose.label} player to answer" in status_text(desk.view()).splitlines()[0]


@pytest.mark.parametrize("through", [None, "15.602", "15.605", "15.614"])
def test_a_page_does_not_depend_on_enemy_secrets(
    through: str | None,
) -> None:
    pages = []
    for secrets in range(2):
        desk = OpenCampaign(Path("none.brt"), played(secrets, through))
        desk.set_seat(Seat.MARINE)
        pages.append("".join(plain_page.page_parts(desk, desk.view(), "marine", "")))
    assert pages[0] == pages[1]


def test_a_page_links_to_the_seats_and_the_public_chronicle(
    demo_file: Path,
) -> None:
    assert {"chronicle", "chronicle?friends"} <= {
        *re.findall(r'href="([^"]*)"', plain_page.render_page(demo_file, "japanese"))
    }
    with served(demo_file) as addresses:
        for query, view in (("", "The Japanese player"), ("?friends", "What both sides know")):
            path = f"/seat/japanese/chronicle{query}"
            own = cookie(addresses["japanese"])
            status, headers, page = get(addresses["japanese"], path, Cookie=own)
            assert (status, view in page) == (200, True)
            assert "sandbox" in headers["Content-Security-Policy"]
            others = cookie(addresses["marine"])
            assert get(addresses["japanese"], path, Cookie=others)[0] == 403


def test_a_post_must_come_from_the_page_of_its_seat(demo_file: Path) -> None:
    at_its_first_question(demo_file)
    with served(demo_file) as addresses:
        mine = cookie(addresses["marine"])
        status, headers, page = get(addresses["marine"], "/seat/marine/plain", Cookie=mine)
        assert status == 200
        assert re.findall("<script[^>]*>", page) == [
            '<script src="bell.js" defer>',
            '<script src="plain.js" defer>',
        ]
        policy = headers["Content-Security-Policy"]
        assert "form-action 'self'" in policy
        assert "script-src 'self';" in policy
        (fields, _), *_ = Forms(page).found
        netloc = urlsplit(addresses["marine"]).netloc
        for origin in (None, "http://evil.example", f"https://{netloc}", "null"):
            assert posted(addresses["marine"], "marine", fields, Origin=origin)[0] == 403
        assert posted(addresses["marine"], "japanese", fields)[0] == 403
        in_parts = {"Content-Type": "multipart/form-data; boundary=parts"}
        status, said = posted(addresses["marine"], "marine", fields, **in_parts)
        assert (status, said) == (
            400,
            "This form did not come from your seat's page. Open the page again.",
        )
        assert posted(addresses["marine"], "marine", fields)[0] == 303


def posted(address: str, seat: str, fields: dict[str, str], **more: str | None) -> tuple[int, str]:
    """What the plain page answers to a form."""
    netloc = urlsplit(address).netloc
    headers = {"Cookie": cookie(address), "Origin": f"http://{netloc}", "Content-Type": FORM} | more
    given = {name: found for name, found in headers.items() if found is not None}
    connection = http.client.HTTPConnection(netloc, timeout=60)
    connection.request("POST", f"/seat/{seat}/plain", urlencode(fields), given)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def test_a_purchase_sent_twice_is_made_once(demo_file: Path) -> None:
    played_to(demo_file, "15.614")
    with served(demo_file) as addresses:
        address = addresses["marine"]
        for number in (1, 2):
            forms = Forms(get(address, "/seat/marine/plain", Cookie=cookie(address))[2]).found
            [shop] = [fields for fields, words in forms if words == "Buy it"]
            order = shop | {"item": "foxhole_1s"}
            assert posted(address, "marine", order)[0] == 303
            status, page = posted(address, "marine", order)
            assert (status, "has already been sent" in page) == (200, True)
            counts = purchases_not_voided(
                unrestricted_campaign(OpenCampaign.open_read_only(demo_file)).campaign
            )
            assert sum(each.quantity for each in counts) == number


def test_an_old_form_is_not_processed_twice_even_after_a_restart(demo_file: Path) -> None:
    """Buying A, then B from a page loaded anew, then sending A's form again bought A twice."""
    played_to(demo_file, "15.614")
    orders = []
    with served(demo_file) as addresses:
        address = addresses["marine"]
        for item in ("foxhole_1s", "foxhole_2s"):
            forms = Forms(get(address, "/seat/marine/plain", Cookie=cookie(address))[2]).found
            [shop] = [fields for fields, words in forms if words == "Buy it"]
            orders.append(shop | {"item": item})
            assert posted(address, "marine", orders[-1])[0] == 303
        assert posted(address, "marine", orders[0])[0] == 200
    with served(demo_file) as addresses:
        for order in orders:
            status, page = posted(addresses["marine"], "marine", order)
            assert (status, "has already been sent" in page) == (200, True)
    desk = OpenCampaign.open_read_only(demo_file)
    counts = purchases_not_voided(unrestricted_campaign(desk).campaign)
    assert sum(each.quantity for each in counts) == 2


def test_every_form_of_a_page_needs_its_token(demo_file: Path) -> None:
    at_its_first_question(demo_file)
    with served(demo_file) as addresses:
        address = addresses["marine"]
        page = get(address, "/seat/marine/plain", Cookie=cookie(address))[2]
        forms = [fields for fields, _ in Forms(page).found]
        assert len({fields[FIELD] for fields in forms}) == 1
        for fields in forms:
            bare = {name: found for name, found in fields.items() if name != FIELD}
            status, page = posted(address, "marine", bare)
            assert (status, "has already been sent" in page) == (200, True)


def test_no_page_reloads_automatically(demo_file: Path) -> None:
    for through in (None, "15.602", "15.614"):
        if through is not None:
            played_to(demo_file, through)
        for seat in SEATS:
            assert "http-equiv" not in plain_page.render_page(demo_file, seat)


def test_the_news_of_a_seat_changes_when_the_opponent_answers(demo_file: Path) -> None:
    at_its_first_question(demo_file)
    with served(demo_file) as addresses:
        states = [news(addresses["japanese"])]
        states.append(news(addresses["japanese"]))
        assert f'data-state="{states[0]}"' in plain_of(addresses["japanese"])
        forms = Forms(plain_of(addresses["marine"])).found
        assert posted(addresses["marine"], "marine", forms[0][0])[0] == 303
        states.append(news(addresses["japanese"]))
        assert f'data-state="{states[2]}"' in plain_of(addresses["japanese"])
    assert states[0] == states[1] != states[2]


def news(address: str) -> str:
    """The state that the page of the Japanese hears of."""
    told = get(address, "/seat/japanese/news", Cookie=cookie(address))[2]
    return str(json.loads(told)["state"])


def plain_of(address: str) -> str:
    """The plain page of an address, without the token of its forms."""
    seat = "marine" if cookie(address).partition("=")[0].endswith("marine") else "japanese"
    return str(get(address, f"/seat/{seat}/plain", Cookie=cookie(address))[2])


def test_a_refused_form_keeps_its_text_and_focuses_the_error(demo_file: Path) -> None:
    played_to(demo_file, "15.614")
    with served(demo_file) as addresses:
        address = addresses["marine"]
        [shop] = [fields for fields, words in Forms(plain_of(address)).found if words == "Buy it"]
        order = shop | {"item": "foxhole_2s", "quantity": "many", "location": 'A1"<'}
        status, page = posted(address, "marine", order)
    assert status == 200
    assert 'role="alert" tabindex="-1" autofocus' in page
    assert re.search('<option value="foxhole_2s" selected>', page)
    assert 'name="quantity" inputmode="numeric" value="many"' in page
    assert 'value="A1&quot;&lt;"' in page


def test_a_note_of_several_lines_is_written(demo_file: Path) -> None:
    """Browsers send a line break as CR and LF: the note was refused as invisible text."""
    with served(demo_file) as addresses:
        address = addresses["marine"]
        [note] = [fields for fields, words in Forms(plain_of(address)).found if words == "Write it"]
        status, _ = posted(address, "marine", note | {"words": "On Friday:\r\nbring dice."})
        page = plain_of(address)
    assert status == 303
    assert "On Friday:\nbring dice." in page


def test_a_refused_answer_stays_in_its_field(demo_file: Path) -> None:
    at_its_first_question(demo_file)
    page = plain_page.render_page(demo_file, "marine", "no", {"do": "type", "answer": "K9 x"})
    assert 'name="answer" value="K9 x"' in page


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (
            "multipart/form-data; boundary=b",
            '--b\r\nContent-Disposition form-data; name="do"\r\n\r\ngo\r\n--b--\r\n',
        ),
        (
            "multipart/form-data; boundary=b",
            '--b\r\nContent-Disposition: form-data; name="do"\r\n'
            "Content-Type: text/plain; charset=klingon\r\n\r\ngo\r\n--b--\r\n",
        ),
        (f"{FORM}; charset=klingon", "do=go"),
    ],
)
def test_an_unreadable_form_is_refused_in_one_sentence(
    kind: str, body: str, demo_file: Path
) -> None:
    at_its_first_question(demo_file)
    with served(demo_file) as addresses:
        address = addresses["marine"]
        netloc = urlsplit(address).netloc
        headers = {"Cookie": cookie(address), "Origin": f"http://{netloc}", "Content-Type": kind}
        connection = http.client.HTTPConnection(netloc, timeout=60)
        connection.request("POST", "/seat/marine/plain", body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        assert (answer.status, text) == (
            400,
            "This form did not come from your seat's page. Open the page again.",
        )


def test_a_refusal_with_a_very_long_word_is_shown_immediately(demo_file: Path) -> None:
    started = time.monotonic()
    assert "is not" in plain_page.render_page(
        demo_file, "marine", f"{'x' * 200_000} is not for sale"
    )
    assert time.monotonic() - started < PATIENCE


def test_a_page_of_an_unusable_campaign_names_no_path(demo_file: Path) -> None:
    with served(demo_file) as addresses:
        demo_file.write_text("torn", encoding="utf-8")
        for path in ("plain", "chronicle"):
            mine = cookie(addresses["marine"])
            status, _, page = get(addresses["marine"], f"/seat/marine/{path}", Cookie=mine)
            assert (status, "demo.brt" in page) == (503, False)
            assert "The player who serves it can see why" in page
            page = get(
                addresses["marine"], f"/seat/marine/{path}", Cookie=mine, Accept="text/html"
            )[2]
            assert "The campaign cannot be read now" in page
            assert "to its last letter" not in page


def test_a_note_is_not_lost_if_the_campaign_cannot_be_read(demo_file: Path) -> None:
    """The page that said so had nothing of it, and browsers do not keep such pages."""
    with served(demo_file) as addresses:
        address = addresses["marine"]
        [note] = [fields for fields, words in Forms(plain_of(address)).found if words == "Write it"]
        away = demo_file.rename(demo_file.with_name("away.brt"))
        status, page = posted(address, "marine", note | {"words": "Bring <dice>."})
        assert status == 503
        assert "The player who serves it can see why" in page
        assert "You typed:" in page
        assert "Bring <dice>." in page
        away.rename(demo_file)


# --- in a browser ---------------------------------------------------------------------------------


class Phone:
    """The plain page of a seat on a phone held upright, which is seen and pressed by taps."""

    SEEN = """() => ({
        width: document.documentElement.scrollWidth,
        question: document.querySelector("h2").innerText,
        buttons: [...document.querySelectorAll("button")].map(
            button => [button.innerText, button.getBoundingClientRect().height]),
    })"""
    AT = """number => {
        const button = document.querySelectorAll("button")[number];
        button.scrollIntoView({ block: "center" });
        const box = button.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
    }"""

    def __init__(self, browser: Any, address: str, side: Side | None, **device: Any) -> None:
        self.side = side
        self.page = browser.new_context(**PHONE, **device).new_page()
        self.page.goto(f"{address}&plain")
        self.link = self.page.context.new_cdp_session(self.page)
        self.is_old = False  # the other player has entered something since it was loaded

    def look(self) -> tuple[str, list[str]]:
        """What is asked, and the words of the buttons."""
        seen = self.page.evaluate(self.SEEN)
        assert seen["width"] <= PHONE_WIDTH
        shown = (height for _, height in seen["buttons"] if height)  # others are folded away
        assert all(height >= A_FINGER for height in shown)
        return seen["question"], [words for words, _ in seen["buttons"]]

    def press(self, number: int) -> None:
        """Presses a button, and waits for the page that comes of it."""
        at = self.page.evaluate(self.AT, number)
        with self.page.expect_navigation():
            self.page.touchscreen.tap(*at)

    def choose(self, label: str, key: str) -> None:
        self.page.get_by_label(label).select_option(key)


class Reader(Phone):
    """The same for whom a program reads the browser's own accessibility tree aloud."""

    def look(self) -> tuple[str, list[str]]:
        tree = self.link.send("Accessibility.getFullAXTree")["nodes"]
        named = [(each["role"]["value"], each) for each in tree if each.get("name")]
        self.buttons = [each["backendDOMNodeId"] for role, each in named if role == "button"]
        headings = [each["name"]["value"] for role, each in named if role == "heading"]
        return headings[1], [each["name"]["value"] for role, each in named if role == "button"]

    def press(self, number: int) -> None:
        self.link.send("DOM.focus", {"backendNodeId": self.buttons[number]})
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")


@pytest.mark.web
@pytest.mark.parametrize("kind", [Phone, Reader])
def test_a_whole_phase_is_played_on_a_phone_by_taps_or_accessibility_tree(
    browser: Any, demo_file: Path, kind: type[Phone]
) -> None:
    wants, presses = {*Side}, 0
    with served(demo_file) as addresses:
        phones = [kind(browser, addresses[side], side) for side in Side]
        while presses < MOST:
            before = presses
            for phone in phones:
                if phone.is_old:
                    phone.page.goto(phone.page.url)
                while press_on(phone, wants):
                    presses += 1
                phone.is_old = True
            if presses == before:
                break
        for phone in phones:
            phone.page.context.close()
    assert is_over(demo_file)
    assert bought(demo_file) == {*Side}


def press_on(phone: Phone, wants: set[Side]) -> bool:
    """Presses what goes on; at 15.614 it buys first. Returns whether there was anything."""
    question, words = phone.look()
    at = preferred(words)
    if "15.614" in question and phone.side in wants:
        wants.remove(phone.side)
        phone.choose("Item", "foxhole_1s")
        if phone.side is Side.JAPANESE:
            phone.choose("Whose points", "red_three")
        at = words.index("Buy it")
    if at is not None:
        phone.press(at)
    return at is not None


@pytest.mark.web
def test_a_page_says_that_your_opponent_answered_and_keeps_what_is_typed(
    browser: Any, demo_file: Path
) -> None:
    played_to(demo_file, "15.614")
    seat, other = Side.JAPANESE, Side.MARINE
    assert "Your turn" in plain_page.render_page(demo_file, other)
    with served(demo_file) as addresses, browser.new_context(**PHONE) as context:
        page = context.new_page()
        page.goto(f"{addresses[seat]}&plain")
        page.get_by_label("How many").fill("7")
        fields = next(f for f, _ in Forms(plain_page.render_page(demo_file, other)).found)
        plain_page.submit_form(demo_file, other, fields)
        link = page.get_by_role("link", name="Your opponent answered: reload")
        link.wait_for()
        assert page.get_by_label("How many").input_value() == "7"
        link.tap()
        page.wait_for_load_state()
        assert page.locator("#news a").count() == 0
        page.get_by_label("How many").fill("many")
        with page.expect_navigation():
            page.get_by_role("button", name="Buy it").tap()
        assert page.get_by_label("How many").input_value() == "many"
        assert page.evaluate("document.activeElement.getAttribute('role')") == "alert"


@pytest.mark.web
def test_the_browser_notifies_a_player_of_his_turn_on_request(
    browser: Any, demo_file: Path
) -> None:
    played_to(demo_file, "15.614")
    with served(demo_file) as addresses, browser.new_context(**PHONE) as context:
        context.grant_permissions(["notifications"])
        page = context.new_page()
        page.add_init_script(
            "window.heard = []; window.Notification = class {"
            " static permission = 'granted'; constructor(words) { heard.push(words); } };"
        )
        page.goto(f"{addresses[Side.JAPANESE]}&plain")
        page.get_by_role("button", name="Tell me when it is my turn").tap()
        page.get_by_role("button", name="Do not tell me when it is my turn").wait_for()
        fields = next(f for f, _ in Forms(plain_page.render_page(demo_file, "marine")).found)
        plain_page.submit_form(demo_file, "marine", fields)
        page.get_by_role("link", name="Your opponent answered: reload").wait_for()
        [words] = page.evaluate("heard")
        assert words.startswith("Your turn · Demo: Betio")


@pytest.mark.web
def test_a_narrow_screen_offers_the_plain_page(browser: Any, addresses: dict[str, str]) -> None:
    with browser.new_context(**PHONE) as context:
        page = context.new_page()
        page.goto(addresses["marine"])
        page.get_by_role("link", name="Plain page").tap()
        page.wait_for_url(re.compile("/plain$"))
        assert "Marine seat" in page.inner_text("header")


def test_a_page_offers_a_way_out_of_a_rules_mismatch(demo_file: Path) -> None:
    at_its_first_question(demo_file)
    [(fields, _), *_] = Forms(plain_page.render_page(demo_file, "marine")).found
    plain_page.submit_form(demo_file, "marine", fields)
    situation = unrestricted_campaign(OpenCampaign.open_read_only(demo_file)).campaign.situation
    with played_otherwise(str(situation.paragraph), gives_after(1)):
        for seat in Side:
            page = plain_page.render_page(demo_file, seat)
            assert "cannot continue" in page
            assert WAITS not in page
        page = plain_page.render_page(demo_file, "marine")
        undo = [(fields, words) for fields, words in Forms(page).found if "Undo" in words]
        assert [words for _, words in undo] == [
            "Undo: undo back to the point where the rules agree"
        ]
        plain_page.submit_form(demo_file, "marine", undo[0][0])
        assert "cannot continue" not in plain_page.render_page(demo_file, "marine")
