"""The screen in a real Chromium. Run with `pytest -m web`, where playwright and a Chromium are.

The page paints on canvases, so what it shows is read from the frames of its websocket.
"""

import re
import shutil
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.model.counters import Side
from brt_cg.model.visibility import secret_of
from brt_cg.questions.question_types import Question
from brt_cg.service import demo
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from tests.web.browsing import Page, Terminal, entered, in_refit, until
from tests.web.proxy import NAME, free_port, in_front_of
from tests.web.serving import at_its_first_question, played_to, served
from tests.web.tabs import PATIENCE
from tests.web.test_plain import MOST, Phone, bought, is_over, press_on

pytestmark = pytest.mark.web
HTML = "text/html"


LAPTOP_INNER_HEIGHT = 648  # of the 768 pixels of a laptop, within the frame of its browser


@pytest.fixture
def opened(browser: Any, addresses: dict[str, str]) -> Iterator[Callable[[str], Page]]:
    pages: list[Page] = []

    def open_seat(seat: str) -> Page:
        page = Page(browser, addresses[seat])
        pages.append(page)
        page.wait_for("Demo:")
        return page

    yield open_seat
    for page in pages:
        page.context.close()


def test_the_dashboard_appears_and_a_key_changes_the_screen_without_a_click(
    opened: Callable[[str], Page],
) -> None:
    page = opened("umpire")
    before = page.press("f")
    page.wait_for("filter", since=before)


def test_a_narrow_window_gets_smaller_letters(browser: Any, addresses: dict[str, str]) -> None:
    page = Page(browser, addresses["umpire"], 390, 844)
    page.wait_for("CG III")
    assert "Terminal too small" not in page.text()
    page.context.close()


@pytest.mark.parametrize("zoom", [1, 1.25, 1.5, 2])
def test_a_small_laptop_fits_80_by_24_at_each_zoom(
    zoom: float, browser: Any, addresses: dict[str, str]
) -> None:
    """At 1366 × 768 and 125 % the screen said "Terminal too small" for ever."""
    width, height = (int(pixels / zoom) for pixels in (1366, LAPTOP_INNER_HEIGHT))
    page = Page(browser, addresses["umpire"], width, height, device_scale_factor=zoom)
    page.wait_for("CG III")
    size = parse_qs(urlsplit(page.sockets[-1]).query)
    assert page.page.locator("#tip.-shown").count() == 1
    assert (int(size["width"][0]) >= 80, int(size["height"][0]) >= 24) == (True, True)
    before = page.press("f")
    page.wait_for("filter", since=before)
    assert page.page.locator("#tip.-shown").count() == 0
    assert "Terminal too small" not in page.text()
    page.context.close()


def test_on_a_phone_large_letters_can_be_panned_and_landscape_fits(
    browser: Any, addresses: dict[str, str]
) -> None:
    phone = {"has_touch": True, "is_mobile": True}
    page = Page(browser, addresses["umpire"], 390, 844, **phone)
    page.wait_for("CG III")
    page.page.locator("#keys button", has_text="A+").tap()
    page.page.locator("#keys button", has_text="A−").wait_for()
    page.page.locator("#terminal[data-font-size='11']").wait_for(state="attached")
    page.wait_for_socket(2, "CG III")
    touch = page.context.new_cdp_session(page.page)
    for kind, at in (("Start", 300), ("Move", 250), ("Move", 200)):
        where = {"type": f"touch{kind}", "touchPoints": [{"x": at, "y": 400}]}
        touch.send("Input.dispatchTouchEvent", where)
    until(lambda: page.page.evaluate("document.getElementById('pan').scrollLeft >= 90"), page.rest)
    page.page.set_viewport_size({"width": 844, "height": 390})
    page.page.locator("#terminal[data-font-size='9']").wait_for(state="attached")
    page.wait_for_socket(3, "CG III")
    [height] = parse_qs(urlsplit(page.sockets[-1]).query)["height"]
    assert int(height) >= 24
    page.context.close()


def test_on_a_phone_the_buttons_are_the_active_keys(
    browser: Any, addresses: dict[str, str]
) -> None:
    page = Page(browser, addresses["umpire"], 390, 844, has_touch=True, is_mobile=True)
    page.wait_for("CG III")
    page.page.locator(".xterm-helper-textarea[inputmode=none]").wait_for(state="attached")
    page.page.locator("#keys button", has_text="Abc").tap()
    page.page.locator(".xterm-helper-textarea[inputmode=text]:focus").wait_for(state="attached")
    page.page.locator("#keys button", has_text="Abc").tap()
    page.page.locator(".xterm-helper-textarea[inputmode=none]:focus").wait_for(state="attached")
    page.page.locator("#keys button", has_text="Refit").tap()
    page.page.locator("#keys button", has_text="Play on").wait_for()
    screen, keys = (page.page.locator(part).bounding_box() for part in ("#terminal", "#keys"))
    assert screen["y"] + screen["height"] <= keys["y"]
    assert keys["y"] + keys["height"] <= 844
    page.context.close()


def test_on_a_phone_a_finger_scrolls_a_list(browser: Any, addresses: dict[str, str]) -> None:
    page = Page(browser, addresses["umpire"], 390, 844, has_touch=True, is_mobile=True)
    page.wait_for("CG III")
    page.page.locator("#keys button", has_text="Forces").tap()
    page.wait_for("Ferris")
    seen = named(page)
    touch = page.context.new_cdp_session(page.page)
    for kind, at in (("Start", 500), ("Move", 400), ("Move", 100)):
        where = {"type": f"touch{kind}", "touchPoints": [{"x": 150, "y": at}]}
        touch.send("Input.dispatchTouchEvent", where)
    until(lambda: named(page) > seen, page.rest)
    page.context.close()


def named(page: Page) -> set[str]:
    """The counters that have been on a screen."""
    return {*re.findall(r"\S+ no\. \d+", page.text())}


def test_a_printable_page_opens_in_a_new_tab_and_a_table_is_downloaded(
    opened: Callable[[str], Page], campaign: Path
) -> None:
    page, there = opened("marine"), {*campaign.parent.iterdir()}
    export_by_palette(page)
    page.press("End")
    page.press("ArrowUp")  # the state
    with page.context.expect_page() as shown:
        before = page.press("Enter")
        page.wait_for("Download state", since=before)
        page.press("Enter")
    shown.value.get_by_role("heading", name="State at 20 PM").wait_for()
    shown.value.reload()
    shown.value.get_by_role("heading", name="State at 20 PM").wait_for()
    assert shown.value.evaluate("self.origin") == "null"  # it has no part in the seat

    page.page.bring_to_front()
    page.press("Home")  # the roster
    before = page.press("Enter")
    page.wait_for("Download roster", since=before)
    page.press("ArrowRight")
    with page.page.expect_download() as download:
        page.press("Enter")
    assert download.value.suggested_filename.startswith("demo-roster-marine")
    written = {*campaign.parent.iterdir()} - there
    assert written <= {campaign.with_suffix(".backups")}


def test_the_chronicles_map_steps_through_dates_and_shows_hex_contents(
    opened: Callable[[str], Page],
) -> None:
    page = opened("marine")
    before = page.press("m")
    page.wait_for("contested", since=before)
    before = page.press("C")
    page.wait_for("Chronicle for whom?", since=before)
    with page.context.expect_page() as shown:
        page.press("1")
    told = shown.value
    told.get_by_role("heading", name="The campaign").wait_for()
    assert "What both sides know" in told.locator("header").inner_text()
    assert not told.get_by_role("heading", name="20 PM").is_visible()
    told.keyboard.press("ArrowRight")
    told.get_by_role("heading", name="20 PM").wait_for()
    assert not told.get_by_role("heading", name="The campaign").is_visible()
    told.locator(".hit[aria-label^='M46']:visible").hover()
    assert told.locator(".tip").inner_text().startswith("M46")


def export_by_palette(page: Page) -> None:
    before = page.press("F8")
    page.wait_for("Search", since=before)
    page.page.keyboard.type("export")
    page.wait_for("Writes or prints the roster", since=before)
    before = page.press("Enter")
    page.wait_for("Preview", since=before)


def test_a_visitor_imports_a_file_from_his_own_machine(
    opened: Callable[[str], Page], tmp_path: Path
) -> None:
    mine = tmp_path / "mine.json"
    mine.write_text("{", encoding="utf-8")
    page = opened("marine")
    before = page.press("<")
    page.wait_for("Your browser asks which file", since=before)
    assert "brt-cg" not in page.text(before)  # as a folder of the server's might be called
    before = len(page.frames)
    page.page.locator("#wants").wait_for()
    page.page.locator("#choose").set_input_files(mine)
    page.wait_for("mine.json: not JSON", since=before)
    page.page.locator("#wants").wait_for(state="hidden")


def test_the_tab_names_the_seat_and_the_browser_can_print(
    opened: Callable[[str], Page],
) -> None:
    page = opened("japanese")
    until(lambda: page.page.title() == "Demo: Betio, 20 Nov 1943 · Japanese", page.rest)
    before = page.press("Control+p")
    page.press("f")
    page.wait_for("filter", since=before)
    assert "Search" not in page.text(before)


def test_text_copied_on_the_screen_can_be_pasted_into_a_field(
    opened: Callable[[str], Page],
) -> None:
    page = opened("umpire")
    origin = page.page.url.partition("/seat")[0]
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=origin)
    before = page.press("Y")
    page.wait_for("Copied, if your browser allows it", since=before)
    until(
        lambda: page.page.evaluate("navigator.clipboard.readText()").startswith(
            "Begin the Refit Phase"
        ),
        page.rest,
    )
    page.page.evaluate("navigator.clipboard.writeText('pasted words')")
    before = page.press("j")
    page.wait_for("Note", since=before)
    before = page.press("/")
    page.wait_for("Whole list", since=before)
    page.press("Control+v")
    page.wait_for("pasted words", since=before)


def test_text_selected_with_shift_and_mouse_is_copied_by_ctrl_c(
    opened: Callable[[str], Page],
) -> None:
    page = opened("umpire")
    origin = page.page.url.partition("/seat")[0]
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=origin)
    screen = page.page.locator(".xterm-screen").bounding_box()
    page.page.keyboard.down("Shift")
    page.page.mouse.move(screen["x"] + 2, screen["y"] + 5)
    page.page.mouse.down()
    page.page.mouse.move(screen["x"] + 300, screen["y"] + 5)
    page.page.mouse.up()
    page.page.keyboard.up("Shift")
    page.press("Control+c")
    copied = "navigator.clipboard.readText()"
    until(lambda: "Demo:" in page.page.evaluate(copied), page.rest)


def test_a_page_with_a_refused_websocket_says_so(browser: Any, addresses: dict[str, str]) -> None:
    context = browser.new_context()
    context.add_init_script(
        "const Real = WebSocket;"
        "window.WebSocket = class extends Real {"
        "  constructor(to, ...more) { super(to.replace('/ws/', '/nowhere/'), ...more); } }"
    )
    page = context.new_page()
    page.goto(addresses["marine"])
    page.get_by_text("blocks WebSockets").wait_for(timeout=PATIENCE * 1000)
    page.get_by_role("link", name="plain page").click()
    page.wait_for_url("**/plain")
    context.close()


def test_a_browser_without_scripts_gets_the_plain_page(
    browser: Any, addresses: dict[str, str]
) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(addresses["marine"])
        page.wait_for_url("**/plain")
        assert "Marine seat" in page.inner_text("header")
    context.close()


def test_the_marines_never_receive_a_byte_of_a_japanese_secret(
    opened: Callable[[str], Page], campaign: Path
) -> None:
    desk = OpenCampaign.open(campaign)
    table = unrestricted_campaign(desk).campaign
    hidden = [one for one in table.counters() if secret_of(table, one) is Side.JAPANESE]
    secrets = [words for one in hidden for words in (one.id, one.label)]
    desk.close()
    assert secrets
    page = opened("marine")
    before = page.press("f")
    page.wait_for("filter", since=before)
    for key in ("End", "PageUp", "b", "r", "d"):  # each waits until the one before is drawn
        before = page.press(key)
    page.wait_for("CG III", since=before)
    received = page.text()
    assert [id for id in secrets if re.search(rf"\b{re.escape(id)}\b", received)] == []


def test_an_https_proxy_works_and_a_lost_link_reconnects(browser: Any, tmp_path: Path) -> None:
    path, port = demo.create_demo(tmp_path), free_port()
    with in_front_of(port, tmp_path) as proxy:
        public = f"https://{NAME}:{proxy.port}"
        with served(path, "--port", str(port), "--public-url", public) as addresses:
            assert addresses["marine"].startswith(f"{public}/?token=")
            page = Page(browser, addresses["marine"], ignore_https_errors=True)
            page.wait_for("Demo:")
            [cookie] = page.context.cookies()
            assert (cookie["secure"], cookie["httpOnly"]) == (True, True)
            assert cookie["sameSite"] == "Lax"
            assert all(socket.startswith(f"wss://{NAME}:") for socket in page.sockets)
            assert all(url.startswith((public, "data:")) for url in page.requests)
            before = page.press("f")
            page.wait_for("filter", since=before)
            proxy.cut()
            page.wait_for_socket(2, "filter")
            page.context.close()


def test_an_address_clicked_in_webmail_opens_its_seat(
    browser: Any, addresses: dict[str, str]
) -> None:
    """A page of another site, whose link leads through the token to the seat."""
    context = browser.new_context()
    page = context.new_page()
    mail = f'<a href="{addresses["marine"]}">your seat</a>'
    page.route("http://mail.example/**", lambda route: route.fulfill(body=mail, content_type=HTML))
    for _ in range(2):  # without the cookie, and with it
        page.goto("http://mail.example/")
        with page.expect_navigation() as going:
            page.click("a")
        assert (going.value.status, urlsplit(page.url).path) == (200, "/seat/marine/")
    context.close()


def test_another_site_can_neither_upload_files_nor_open_a_screen(
    browser: Any, addresses: dict[str, str]
) -> None:
    page = Page(browser, addresses["marine"])
    page.wait_for("Demo:")
    origin = f"http://{urlsplit(addresses['marine']).netloc}"
    form = f'<form method="post" action="{origin}/seat/marine/give/{"ab" * 8}"><button></form>'
    other = page.context.new_page()
    other.route("http://evil.example/**", lambda route: route.fulfill(body=form, content_type=HTML))
    other.goto("http://evil.example/")
    socket = f"{origin.replace('http', 'ws')}/seat/marine/ws/{'ab' * 8}"
    opened = """address => new Promise(done => {
        const socket = new WebSocket(address);
        socket.onopen = () => done(true);
        socket.onerror = () => done(false);
    })"""
    assert other.evaluate(opened, socket) is False
    with other.expect_navigation() as going:
        other.click("button")
    assert going.value.status == 403
    page.context.close()


def test_two_browsers_and_a_terminal_see_each_others_answers(
    browser: Any, campaign: Path, tmp_path: Path
) -> None:
    """Each in turn answers, and the two others show it; how soon, the benchmarks measure."""
    path = tmp_path / "two.brt"
    shutil.copy(campaign, path)
    at_its_first_question(path)
    terminal = Terminal(path, tmp_path)
    with served(path) as addresses:
        umpire, marine = pages = [Page(browser, addresses[seat]) for seat in ("umpire", "marine")]
        in_refit(terminal, pages)
        everybody = [umpire, marine, terminal]
        entered(umpire, "u", "Begin 15.601", everybody)
        entered(terminal, "U", "Melee round 1", everybody)
        entered(terminal, "u", "Begin 15.601", everybody)
        entered(umpire, "U", "Melee round 1", everybody)
        terminal.close()
        for page in pages:
            page.context.close()


def test_over_plain_http_copied_text_is_in_the_clipboard(browser: Any, tmp_path: Path) -> None:
    bind = local_address()
    with served(demo.create_demo(tmp_path), "--bind", bind) as addresses:
        page = Page(browser, addresses["marine"])
        page.wait_for("Demo:")
        assert not page.page.evaluate("isSecureContext")
        page.page.evaluate(
            "document.addEventListener('copy', () => { window.copied = getSelection() + '' || "
            "document.activeElement.value; }, true)"
        )
        page.page.keyboard.press("Shift")  # a key, which lets a page copy
        page.page.evaluate("navigator.clipboard.writeText('head 123')")
        assert page.page.evaluate("window.copied") == "head 123"
        page.context.close()


def local_address() -> str:
    """An address of this machine that is no loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        asked.connect(("192.0.2.1", 9))  # nothing is sent
        return str(asked.getsockname()[0])


def test_two_seats_buy_and_set_up_in_their_browsers(browser: Any, tmp_path: Path) -> None:
    """What each has bought at 15.614 and entered in the Setup room is in the campaign's file."""
    path = demo.create_demo(tmp_path)
    played_to(path, "15.614")
    with served(path, umpire=False) as addresses:
        pages = {side: Page(browser, addresses[side]) for side in Side}
        for side in (Side.MARINE, Side.JAPANESE):
            pages[side].wait_for("Demo:")
            buy_foxholes(pages[side])
        until(lambda: bought(path) == {*Side})
        played_to(path, "15.6202")
        placed = dict[str, str]()
        for page in pages.values():
            ask = open_ask(path)
            assert ask is not None
            placed |= set_up_a_crew(page, path)
            until(lambda side=ask.side: not is_asked(path, side), page.rest)
        assert is_over(path)
        units = unrestricted_campaign(OpenCampaign.open_read_only(path)).campaign.units
        assert {id: units[id].location for id in placed} == placed
        for page in pages.values():
            page.context.close()


def test_three_screens_behind_tls_including_a_phone_play_a_whole_phase(
    browser: Any, tmp_path: Path
) -> None:
    """The Marine player buys and sets up by keys, the Japanese player plays by taps, and an umpire
    rolls and answers the rest for the Marines."""
    path, port = demo.create_demo(tmp_path), free_port()
    device, wants = {"ignore_https_errors": True}, {*Side}
    with in_front_of(port, tmp_path) as proxy:
        public = f"https://{NAME}:{proxy.port}"
        with served(path, "--port", str(port), "--public-url", public) as addresses:
            marine = Page(browser, addresses["marine"], **device)
            marine.wait_for("Demo:")
            phone = Phone(browser, addresses["japanese"], Side.JAPANESE, **device)
            umpire = Phone(browser, addresses["umpire"], None, **device)
            assert all(each.page.url.startswith(public) for each in (marine, phone, umpire))
            placed, presses, has_kept = dict[str, str](), 0, False
            last: Phone | None = None  # who pressed last, and has the newest page
            while not is_over(path):
                ask = open_ask(path)
                side, rule = (ask.side, ask.rule) if ask is not None else (None, "")
                if (side, rule) == (Side.MARINE, "15.614") and Side.MARINE in wants:
                    wants.remove(Side.MARINE)
                    last = None
                    buy_foxholes(marine)
                    until(lambda: Side.MARINE in bought(path), marine.rest)
                elif (side, rule) == (Side.MARINE, "15.6202"):
                    last = None
                    placed |= set_up_a_crew(marine, path)
                    until(lambda: not is_asked(path, Side.MARINE), marine.rest)
                else:
                    answers = phone if side is Side.JAPANESE else umpire
                    if answers is not last:
                        answers.page.goto(answers.page.url)
                    if (side, rule) == (Side.JAPANESE, "15.6202") and not has_kept:
                        placed, has_kept = placed | keep_a_crew(phone, path), True
                    last = answers if press_on(answers, wants) else None
                    presses += 1
                    assert presses < MOST
            for each in (marine, phone, umpire):
                each.page.context.close()
    assert bought(path) == {*Side}
    units = unrestricted_campaign(OpenCampaign.open_read_only(path)).campaign.units
    assert len(placed) == 2
    assert {id: units[id].location for id in placed} == placed
    assert audit_campaign(path).ok
    assert all(audit_campaign(path, side=side).ok for side in Side)


def open_ask(path: Path) -> Question[Any] | None:
    return unrestricted_campaign(OpenCampaign.open_read_only(path)).open_question()


def crew_to_set_up(path: Path) -> tuple[str, str, str]:
    """A crew that the open question asks to set up, its name, and a hex of its Area."""
    ask = open_ask(path)
    assert ask is not None
    assert ask.as_multi_question is not None
    crew = next(
        item for item in ask.as_multi_question.items if re.search(r"crew.*Area", item.words)
    )
    name, _, area = crew.words.rstrip(")").partition(" (Area ")
    campaign = unrestricted_campaign(OpenCampaign.open_read_only(path)).campaign
    return crew.subject, name, campaign.areas[area].hexes[-1]


def set_up_a_crew(page: Page, path: Path) -> dict[str, str]:
    """Enters where a crew sets up by keys, and goes on; its hex, by id."""
    id, name, hex = crew_to_set_up(path)
    set_up(page, name, hex)
    return {id: hex}


def keep_a_crew(phone: Phone, path: Path) -> dict[str, str]:
    """Keeps where a crew sets up on a plain page; its hex, by id."""
    id, _, hex = crew_to_set_up(path)
    phone.page.locator("#counter").select_option(id)
    phone.page.locator("#answer").fill(hex)
    with phone.page.expect_navigation():
        phone.page.get_by_role("button", name="Keep this answer").tap()
    return {id: hex}


def is_asked(path: Path, side: Side) -> bool:
    ask = open_ask(path)
    return ask is not None and ask.side is side


def buy_foxholes(page: Page) -> None:
    before = page.press("b")
    page.wait_for("Can still buy", since=before)
    before = page.press("/")
    page.page.keyboard.type("1S Fox")
    page.wait_for("1S Fox", since=before)
    page.press("Enter")
    before = page.press("Enter")
    page.wait_for("How many", since=before)
    page.press("Enter")


def set_up(page: Page, name: str, location: str) -> None:
    """Enters where one counter sets up, in the Setup room, and goes on."""
    before = page.press("p")
    page.wait_for("to be placed", since=before)
    before = page.press("/")
    page.page.keyboard.type(name)
    page.wait_for("1 counter", since=before)
    page.press("Enter")
    before = page.press("Enter")
    page.wait_for("Where?", since=before)
    page.page.keyboard.type(location)
    before = page.press("Enter")
    page.wait_for(f"→ {location}", since=before)
    before = page.press("c")
    page.wait_for("done with this setup", since=before)
    page.press("y")
