"""Who is let in where a campaign is served: his seat's token and cookie, and nobody else's page."""

import asyncio
import contextlib
import http.client
import re
import sys
import time
from base64 import b64encode
from functools import partial
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import pytest
from aiohttp import web

from brt_cg.cli import main
from brt_cg.exports.writers.as_html import STEPS
from brt_cg.service import demo
from brt_cg.storage.errors import BusyError
from brt_cg.web import seats as seats_module
from brt_cg.web.addresses import load_or_create_tokens
from brt_cg.web.connections import MOST_LINES, Connections
from brt_cg.web.files import FileStore, OutgoingFile
from tests.web.serving import screens_of, served, with_doors
from tests.web.tabs import PATIENCE, TAB

SEATS = ("umpire", "marine", "japanese")


def get(
    address: str, path: str | None = None, **headers: str
) -> tuple[int, http.client.HTTPMessage, str]:
    """One request, without following where it leads."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.netloc, timeout=PATIENCE)
    wanted = path or f"{parts.path}?{parts.query}"
    connection.request("GET", wanted, headers={k.replace("_", "-"): v for k, v in headers.items()})
    response = connection.getresponse()
    body = response.read().decode("utf-8", "replace")
    connection.close()
    return response.status, response.headers, body


def cookie(address: str) -> str:
    """The cookie that a seat's address gives."""
    _, headers, _ = get(address)
    return headers["Set-Cookie"].split(";")[0]


def socket_status(address: str, seat: str, **headers: str) -> int:
    """What a websocket to a seat is answered with: 101 is an open one."""

    async def knock() -> int:
        origin = f"http://{urlsplit(address).netloc}"
        async with aiohttp.ClientSession() as session:
            try:
                async with session.ws_connect(f"{origin}/seat/{seat}/ws/{TAB}", headers=headers):
                    return 101
            except aiohttp.WSServerHandshakeError as refused:
                return int(refused.status)

    return asyncio.run(knock())


def test_each_seat_has_its_own_loopback_address(addresses: dict[str, str]) -> None:
    assert tuple(addresses) == SEATS
    assert len(set(addresses.values())) == 3
    for address in addresses.values():
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{40,}", address)


@pytest.mark.parametrize("seat", SEATS)
def test_a_token_becomes_a_cookie_hidden_from_scripts_and_other_sites(
    seat: str, addresses: dict[str, str]
) -> None:
    status, headers, _ = get(addresses[seat])
    assert (status, headers["Location"]) == (303, f"/seat/{seat}/")
    assert {"HttpOnly", "SameSite=Lax"} <= set(headers["Set-Cookie"].split("; "))
    assert addresses[seat].partition("token=")[2] not in headers["Set-Cookie"]


@pytest.mark.parametrize(
    "path",
    ["/", "/?token=", "/?token=guess", "/?token=gu%C3%A9ss", *[f"/seat/{s}/" for s in SEATS]],
)
def test_without_its_token_or_cookie_no_page_opens(path: str, addresses: dict[str, str]) -> None:
    status, _, body = get(addresses["marine"], path)
    assert (status, "serve printed" in body) == (403, True)


def test_the_page_loads_nothing_from_elsewhere(addresses: dict[str, str]) -> None:
    _, headers, body = get(addresses["marine"], "/seat/marine/", Cookie=cookie(addresses["marine"]))
    assert set(re.findall(r"(?:https?|wss?)://([^/\"']+)", body)) == set()
    assert all(
        found.startswith("/static/") for found in re.findall(r'(?:src|href)="(/[^"]*)"', body)
    )
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["Referrer-Policy"] == "no-referrer"


def test_requests_for_another_host_name_are_refused(addresses: dict[str, str]) -> None:
    assert get(addresses["marine"], Host="evil.example")[0] == 403
    assert get(addresses["marine"], Origin="http://evil.example")[0] == 403


def test_a_websocket_needs_the_cookie_and_our_own_origin(addresses: dict[str, str]) -> None:
    address = addresses["marine"]
    origin, mine = f"http://{urlsplit(address).netloc}", cookie(address)
    assert socket_status(address, "marine", Origin=origin, Cookie=mine) == 101
    assert socket_status(address, "marine", Origin=origin) == 403
    assert socket_status(address, "marine", Cookie=mine) == 403
    assert socket_status(address, "marine", Origin="http://evil.example", Cookie=mine) == 403
    assert socket_status(address, "marine", Origin="null", Cookie=mine) == 403
    assert socket_status(address, "japanese", Origin=origin, Cookie=mine) == 403


async def test_no_screen_keeps_running_after_the_server_stops(tmp_path: Path) -> None:
    campaign = demo.create_demo(tmp_path)

    with served(campaign) as addresses:
        address = addresses["marine"]
        origin, mine = f"http://{urlsplit(address).netloc}", cookie(address)
        async with aiohttp.ClientSession() as session:
            headers = {"Origin": origin, "Cookie": mine}
            socket = await session.ws_connect(f"{origin}/seat/marine/ws/{TAB}", headers=headers)
            await socket.receive(timeout=PATIENCE)
            assert screens_of(campaign)
    until = time.monotonic() + PATIENCE
    while screens_of(campaign) and time.monotonic() < until:
        time.sleep(0.1)
    assert not screens_of(campaign)


async def test_idle_connections_are_dropped_for_new_ones() -> None:
    async def known(request: web.Request) -> web.Response:
        lines.mark_as_player(request.protocol)
        return web.Response(text="here")

    async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        async with asyncio.timeout(PATIENCE):
            await reader.readuntil(b"here")

    lines = Connections()
    app = web.Application()
    app.add_routes([web.get("/", known)])
    runner = web.AppRunner(app)
    await runner.setup()
    assert runner.server is not None
    listening = await asyncio.get_running_loop().create_server(
        partial(lines.new_within_limit, runner.server), "127.0.0.1"
    )
    port = listening.sockets[0].getsockname()[1]
    player = await asyncio.open_connection("127.0.0.1", port)
    await ask(*player)
    idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(MOST_LINES)]
    newest = await asyncio.open_connection("127.0.0.1", port)
    for line in (player, newest, idle[-1]):
        await ask(*line)
    async with asyncio.timeout(PATIENCE):
        assert await idle[0][0].read() == b""
    for _, writer in (player, newest, *idle):
        writer.close()
    listening.close()
    await runner.cleanup()


def test_static_files_stay_in_their_folder(addresses: dict[str, str]) -> None:
    script = f"/static/{version('textual-serve')}/js/textual.js"
    assert get(addresses["marine"], script)[0] == 200
    assert get(addresses["marine"], "/static/../server.py")[0] in (403, 404)
    assert get(addresses["marine"], "/static/%2e%2e/server.py")[0] in (403, 404)
    assert get(addresses["marine"], f"{script}/../../../server.py")[0] in (403, 404)
    assert get(addresses["marine"], "/static/")[0] in (403, 404)


def test_only_files_uploaded_from_a_page_are_accepted(addresses: dict[str, str]) -> None:
    address = addresses["marine"]
    origin, mine = f"http://{urlsplit(address).netloc}", cookie(address)
    for headers, status in (
        ({"Cookie": mine}, 403),
        ({"Origin": origin}, 403),
        ({"Origin": "http://evil.example", "Cookie": mine}, 403),
        ({"Origin": origin, "Cookie": mine}, 400),
        ({"Origin": origin, "Cookie": mine, "Content-Type": "multipart/form-data"}, 400),
    ):
        assert posted(address, f"/seat/marine/give/{TAB}", b"nonsense", headers) == status


def test_an_upload_has_a_size_limit_and_needs_its_screen(addresses: dict[str, str]) -> None:
    address = addresses["marine"]
    origin, mine = f"http://{urlsplit(address).netloc}", cookie(address)
    headers = {"Origin": origin, "Cookie": mine, "Content-Type": "multipart/form-data; boundary=b"}
    for size, status in ((10, 410), (17 * 1024**2, 413)):
        body = (
            b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n'
            + b"x" * size
            + b"\r\n--b--\r\n"
        )
        assert posted(address, f"/seat/marine/give/{TAB[::-1]}", body, headers) == status


def posted(address: str, path: str, body: bytes, headers: dict[str, str]) -> int:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)
    with contextlib.suppress(ConnectionError):  # it is refused before all has been sent
        connection.request("POST", path, body, headers)
    status = connection.getresponse().status
    connection.close()
    return status


def test_a_file_of_one_seat_is_sent_to_no_other(addresses: dict[str, str]) -> None:
    marine, japanese = (cookie(addresses[seat]) for seat in ("marine", "japanese"))
    path = "/seat/marine/file/0123456789abcdef/roster.html"
    assert get(addresses["marine"], path, Cookie=japanese)[0] == 403
    status, _, body = get(addresses["marine"], path, Cookie=marine)
    assert (status, "export it again" in body) == (410, True)


def test_a_served_file_runs_no_foreign_script_and_may_have_any_name() -> None:
    file = OutgoingFile('Blut "&" Eisen;\r\nSet-Cookie: x', "text/html", True, b"<script>")
    headers = file.response().headers
    assert "sandbox" in headers["Content-Security-Policy"]
    [scripts] = re.findall(r"script-src ([^;]*)", headers["Content-Security-Policy"])
    digest = sha256(STEPS.read_text("utf-8").encode()).digest()
    assert scripts == f"'sha256-{b64encode(digest).decode()}'"
    assert "\n" not in headers["Content-Disposition"]
    assert headers["Content-Disposition"].startswith("inline; filename*=UTF-8''Blut%20%22")


def test_the_oldest_files_of_a_seat_are_forgotten_first() -> None:
    kept = FileStore()
    keys = [
        kept.add(OutgoingFile(f"{n}", "text/plain", False, b"x" * 12_000_000)) for n in range(4)
    ]
    assert [kept.find(key) is not None for key in keys] == [False, False, True, True]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--bind", "nowhere"), "enter an address of this machine"),
        (("--new-addresses", "--bind", "nowhere"), "enter an address of this machine"),
        (("--bind", "0.0.0.0"), "enter one address of this machine"),
        (("--bind", "192.0.2.1"), "192.0.2.1, port 0"),
    ],
)
def test_an_unavailable_address_is_refused(
    words: tuple[str, ...], says: str, campaign: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", str(campaign), *words]) == 2
    assert says in capsys.readouterr().err


def test_a_file_that_is_not_a_campaign_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", str(tmp_path / "none.brt")]) == 2
    assert "none.brt" in capsys.readouterr().err


def test_a_missing_extra_is_named(
    campaign: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "textual_serve.app_service", None)
    for module in ("server", "seats", "screens"):
        monkeypatch.delitem(sys.modules, f"brt_cg.web.{module}", raising=False)
    assert main(["serve", str(campaign)]) == 2
    assert "brt-cg[web]" in capsys.readouterr().err


def test_a_refusal_page_names_whom_to_ask(addresses: dict[str, str]) -> None:
    status, headers, page = get(addresses["marine"], "/seat/marine/", Accept="text/html")
    assert status == 403
    assert "Ask the player who serves the campaign" in page
    assert "default-src 'none'" in headers["Content-Security-Policy"]


def test_an_address_opens_the_plain_page_on_request(
    addresses: dict[str, str],
) -> None:
    status, headers, _ = get(f"{addresses['marine']}&plain")
    assert (status, headers["Location"]) == (303, "/seat/marine/plain")


def test_the_bare_address_opens_the_seat_whose_cookie_the_browser_has(
    addresses: dict[str, str],
) -> None:
    mine, other = cookie(addresses["marine"]), cookie(addresses["japanese"])
    status, headers, _ = get(addresses["marine"], "/", Cookie=mine)
    assert (status, headers["Location"]) == (303, "/seat/marine/")
    assert get(addresses["marine"], "/")[0] == 403
    assert get(addresses["marine"], "/", Cookie=f"{mine}; {other}")[0] == 403
    assert get(addresses["marine"], "/?token=wrong", Cookie=mine)[0] == 403


def test_an_address_without_its_final_slash_opens_the_seat(addresses: dict[str, str]) -> None:
    mine = cookie(addresses["marine"])
    status, headers, _ = get(addresses["marine"], "/seat/marine", Cookie=mine)
    assert (status, headers["Location"]) == (302, "/seat/marine/")
    assert get(addresses["marine"], "/seat/japanese", Cookie=mine)[0] == 403


async def test_serve_says_after_a_while_whose_address_was_opened(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(seats_module, "FIRST_LOOK", 0)
    server, _ = with_doors(demo.create_demo(tmp_path), load_or_create_tokens("x", SEATS[1:]))
    server.reached.add("marine")
    said: list[str] = []
    await server.report_opened_addresses_later(said.append)
    assert said[0] == "marine: its address has been opened"
    assert said[1].startswith("japanese: nobody has opened its address yet")


@pytest.mark.parametrize("times", [1, 3])
async def test_a_page_waits_for_other_writers(times: int, demo_file: Path) -> None:
    server, _ = with_doors(demo_file, load_or_create_tokens("x", SEATS[1:]))
    busy = iter([BusyError("busy")] * times)

    def page() -> str:
        for error in busy:
            raise error
        return "the page"

    assert await server._in_thread(page) == "the page"


async def test_a_page_of_a_busy_campaign_says_try_again(demo_file: Path) -> None:
    server, _ = with_doors(demo_file, load_or_create_tokens("x", SEATS[1:]))

    def page() -> str:
        raise BusyError("busy")

    with pytest.raises(web.HTTPServiceUnavailable, match="Service Unavailable") as refused:
        await server._in_thread(page)
    assert "Try again soon" in str(refused.value.text)
