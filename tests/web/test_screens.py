"""What a page may send, and what becomes of its screen when the link is cut."""

import asyncio
import json
import os
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from time import monotonic
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import pytest
from aiohttp import WSMsgType

from brt_cg.service import demo
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.web import frames, screens
from brt_cg.web.driver import MOST_MEMORY
from brt_cg.web.files import FileStore
from brt_cg.web.frames import MOST_TYPED, Frame, RateLimiter, clamp_size, parse_frame
from tests.settings import count
from tests.web import load
from tests.web.serving import running, screens_of, served
from tests.web.tabs import PATIENCE, Tab
from tests.web.test_doors import cookie, get
from tests.web.test_rights import Listener


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "{",
            "null",
            "7",
            "[]",
            '"stdin"',
            "{}",
            '["stdin"]',
            '["stdin", 7]',
            "[[]]",
            "[null]",
        ),
        *('["resize"]', '["resize", [80, 24]]', '["quit"]', '["ping", {}]', "[" * 100_000),
        json.dumps(["stdin", "x" * (MOST_TYPED + 1)]),
        json.dumps(["ping", "x" * 1000]),
    ],
)
def test_an_invalid_frame_is_dropped(text: str) -> None:
    assert parse_frame(text) is None


def test_a_valid_frame_is_read() -> None:
    assert parse_frame('["stdin", "\\u00bd\\ud800"]') == Frame("stdin", "½?".encode())
    assert parse_frame('["resize", {"width": 100, "height": 40}]') == Frame("resize", (100, 40))
    assert parse_frame('["ping", 123.5]') == Frame("ping", 123.5)
    assert parse_frame('["focus"]') == Frame("focus", None)


@pytest.mark.parametrize(
    ("asked", "size"),
    [
        ((100_000, 100_000), (500, 200)),
        ((0, -1), (20, 5)),
        (("120", "40"), (120, 40)),
        (("wide", None), (80, 24)),
        (([], 1e9), (80, 24)),
        (("9" * 5000, 24), (80, 24)),
    ],
)
def test_a_screen_size_is_limited(asked: Any, size: tuple[int, int]) -> None:
    assert clamp_size(*asked) == size


def test_a_page_that_sends_too_fast_must_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(frames.asyncio, "sleep", sleep)
    pace = RateLimiter(3, clock=lambda: 10.25)

    async def hurry(*counts: int) -> None:
        for many in counts:
            await pace.wait(many)

    asyncio.run(hurry(1, 1, 1, 1, 1))
    assert waited == [1.0, 1.0]
    pace.count = 0
    asyncio.run(hurry(2, 2))
    assert waited == [1.0, 1.0, 1.0]


def test_a_page_that_answers_no_ping_is_not_a_crash() -> None:
    both: Any = Listener("")
    both._frames = [SimpleNamespace(type=WSMsgType.ERROR, data=TimeoutError("no pong"))]
    asyncio.run(frames.dispatch_frames(both, both))
    assert both.heard == []


def test_a_page_may_paste_the_maximum_once_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []

    async def keep(self: RateLimiter, count: int) -> None:
        counts.append(count)

    monkeypatch.setattr(RateLimiter, "wait", keep)
    both: Any = Listener(json.dumps(["stdin", "x" * MOST_TYPED]))
    asyncio.run(frames.dispatch_frames(both, both))
    [count] = counts
    assert frames.MOST_FRAMES / 2 < count <= frames.MOST_FRAMES + 1


# --- a real server ----------------------------------------------------------------------------


@asynccontextmanager
async def tab_of(campaign: Path, *more: str) -> AsyncIterator[Tab]:
    with served(campaign, *more) as addresses:
        mine = cookie(addresses["umpire"])
        async with aiohttp.ClientSession() as session:
            tab = Tab(addresses["umpire"], session, mine)
            await tab.open()
            await tab.until("CG III")
            yield tab


async def until_none_of(campaign: Path) -> None:
    """Waits until no screen of a campaign runs any more."""
    async with asyncio.timeout(PATIENCE):
        while screens_of(campaign):
            await asyncio.sleep(0.1)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return demo.create_demo(tmp_path)


@pytest.mark.real_time
async def test_a_reconnected_page_continues_where_it_was(own: Path) -> None:
    async with tab_of(own) as tab:
        await tab.send("stdin", "f")
        await tab.until("History")
        await tab.socket.close()
        assert await tab.state() == "open"
        await tab.open()
        await tab.until("History")  # Forces, not the Dashboard, drawn anew
        assert b"\x1b[?1049h" in tab.came


@pytest.mark.real_time
async def test_a_busy_screen_is_fully_redrawn_after_a_reconnect(own: Path) -> None:
    async with tab_of(own) as tab:
        [screen] = screens_of(own)
        os.kill(screen, signal.SIGSTOP)
        await tab.socket.close()
        await tab.open()
        await asyncio.sleep(0.3)  # for whatever the server sends it meanwhile
        os.kill(screen, signal.SIGCONT)
        await tab.until("CG III")


@pytest.mark.real_time
async def test_a_screen_shown_in_another_tab_leaves_this_one(own: Path) -> None:
    async with tab_of(own) as tab:
        other = Tab(tab.origin, tab.session, tab.mine)
        await other.open()
        await tab.until_closed()
        assert ["brt", {"type": "replaced"}] in tab.told
        await other.until("CG III")


@pytest.mark.real_time
async def test_a_killed_screen_closes_its_page_and_can_be_restarted(own: Path) -> None:
    async with tab_of(own) as tab:
        for process in screens_of(own):
            os.kill(process, signal.SIGKILL)
        await tab.until_closed()
        assert await tab.state() == "none"
        await tab.open()
        await tab.until("CG III")


@pytest.mark.real_time
async def test_invalid_or_huge_messages_do_no_harm(own: Path) -> None:
    async with tab_of(own) as tab:
        await tab.send("resize", {"width": 100_000, "height": 100_000})
        await tab.send("resize", {"width": "wide"})
        await tab.socket.send_str("{" * 1000)
        await tab.socket.send_bytes(b"\xff" * 1000)
        await tab.send("resize", {"width": 80, "height": 24})
        await tab.send("stdin", "j")
        await tab.until("Note")
        await tab.send("stdin", "?")
        await tab.until("Search: a key")
        tab.came = b""
        await tab.send("stdin", "\x1b")  # heard though nothing comes after it
        await tab.until("Note")
        assert await tab.state() == "open"


@pytest.mark.real_time
async def test_a_screen_ends_with_its_server_even_if_killed(own: Path) -> None:
    with served(own) as addresses:
        mine = cookie(addresses["umpire"])
        async with aiohttp.ClientSession() as session:
            tab = Tab(addresses["umpire"], session, mine)
            await tab.open()
            await tab.until("CG III")
            [server] = running(f"serve {own} --umpire")
            os.kill(server, signal.SIGKILL)
            await until_none_of(own)


async def test_screens_beyond_a_seats_maximum_are_refused() -> None:
    room = screens.Screens(Path("none.brt"), {"marine": FileStore(), "japanese": FileStore()})
    mine = [await room.get_or_create_screen("marine", f"{n}") for n in range(screens.MOST_SCREENS)]
    for number, one in enumerate(mine):
        assert one is not None
        one.alone_since = None
        assert await room.get_or_create_screen("marine", f"{number}") is one
    assert await room.get_or_create_screen("marine", "new") is None
    assert room.screen_state("marine", "new") == "full"
    assert await room.get_or_create_screen("japanese", "new") is not None
    assert mine[1] is not None
    mine[1].alone_since = 1.0
    assert await room.get_or_create_screen("marine", "new") is not None
    assert (room.screen_state("marine", "new"), mine[1].ended) == ("open", "killed")


@pytest.mark.real_time
async def test_screens_are_notified_of_any_change_to_the_file(own: Path) -> None:
    news = asyncio.Event()
    room = screens.Screens(own, {})
    room._of = {("marine", "1"): SimpleNamespace(is_running=True, notify_change=news.set)}  # type: ignore[dict-item]
    watching = asyncio.create_task(room.notify_of_file_changes())
    await asyncio.sleep(2 * screens.LOOK_EVERY)
    assert not news.is_set()
    note(own, "from a terminal")
    async with asyncio.timeout(PATIENCE):
        await news.wait()
    watching.cancel()


async def test_screens_are_notified_immediately_of_each_others_entries(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screens, "LOOK_EVERY", 3600.0)

    news = asyncio.Event()
    room = screens.Screens(own, {"marine": FileStore()})
    service = await room.get_or_create_screen("marine", "1")
    assert service is not None
    room._of["japanese", "2"] = SimpleNamespace(is_running=True, notify_change=news.set)  # type: ignore[assignment]
    watching = asyncio.create_task(room.notify_of_file_changes())
    await asyncio.sleep(0)  # it knows the file, and waits
    note(own, "from a screen")
    await service.on_meta(b'{"type": "stored"}')
    async with asyncio.timeout(PATIENCE):
        await news.wait()
    watching.cancel()


def note(file: Path, words: str) -> None:
    desk = OpenCampaign.open(file)
    desk.run_command("note", {"words": words, "side": None, "about": None})
    desk.close()


@pytest.mark.real_time
def test_fifty_connections_of_two_seats_use_little_memory_and_are_closed(own: Path) -> None:
    """For ten minutes with BRT_CG_EFFORT=full; a screen that is refused tries again."""
    seats, seconds = ("marine", "japanese"), count(3, 600)

    async def storm() -> None:
        with served(own) as addresses:
            async with aiohttp.ClientSession() as session:
                tabs = [
                    load.Watched(
                        addresses[seat], session, cookie(addresses[seat]), seat, f"{n:016x}"
                    )
                    for n, seat in enumerate(seats * 25)
                ]
                [server] = running(f"serve {own} --umpire")
                before = load.memory_of(server)
                async with asyncio.TaskGroup() as group:
                    until = monotonic() + seconds
                    for number, tab in enumerate(tabs):
                        group.create_task(load.play(tab, Random(number), until))
                    await asyncio.sleep(seconds * 0.8)
                    found = screens_of(own)
                    assert len(found) <= 2 * screens.MOST_SCREENS
                    assert max(map(load.memory_of, found), default=0) <= load.STORM_BUDGET
                    assert load.memory_of(server) - before <= 64
                for tab in tabs:
                    await tab.leave()
        await until_none_of(own)

    asyncio.run(storm())
    desk = OpenCampaign.open(own)
    desk.close()


@pytest.mark.real_time
async def test_a_screen_has_a_memory_limit(own: Path) -> None:
    async with tab_of(own):
        [screen] = screens_of(own)
        limits = Path(f"/proc/{screen}/limits").read_text()
        line = next(line for line in limits.splitlines() if line.startswith("Max data size"))
        assert line.split()[3:5] == [str(MOST_MEMORY)] * 2


# --- the page -----------------------------------------------------------------------------------


def test_files_loaded_by_a_page_are_compressed_and_cached(addresses: dict[str, str]) -> None:
    _, _, body = get(addresses["marine"], "/seat/marine/", Cookie=cookie(addresses["marine"]))
    loaded = 0
    for path in re.findall(r'(?:src|href)="(/static/[^"]*)"', body):
        status, headers, _ = get(addresses["marine"], path, Accept_Encoding="gzip")
        assert (status, headers["Content-Encoding"]) == (200, "gzip")
        assert "immutable" in headers["Cache-Control"]
        loaded += int(headers["Content-Length"])
    assert loaded < 400_000  # at 1 Mbit/s 3 seconds


def test_a_serving_player_gets_no_umpire_address(own: Path) -> None:
    with served(own, umpire=False) as addresses:
        assert list(addresses) == ["marine", "japanese"]
        assert (
            get(addresses["marine"], "/seat/umpire/", Cookie=cookie(addresses["marine"]))[0] == 403
        )


def test_behind_an_https_proxy_the_cookie_is_https_only(own: Path) -> None:
    with served(own, "--public-url", "https://tarawa.example") as addresses:
        assert addresses["marine"].startswith("https://tarawa.example/?token=")
        port = running_port(own)
        here = f"http://127.0.0.1:{port}/?{urlsplit(addresses['marine']).query}"
        headers = get(here, Host="tarawa.example")[1]
        assert "Secure" in headers["Set-Cookie"].split("; ")
        assert "Secure" not in get(here)[1]["Set-Cookie"].split("; ")


def running_port(campaign: Path) -> int:
    """The port of a server that has not told it, because an address in front of it has."""
    [process] = running(f"serve {campaign} --umpire --public-url https://tarawa.example")
    sockets = {str(each.readlink()) for each in Path(f"/proc/{process}/fd").iterdir()}
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[3] == "0A" and f"socket:[{fields[9]}]" in sockets:
            return int(fields[1].partition(":")[2], 16)
    raise AssertionError("it listens nowhere")


def test_new_addresses_close_the_earlier_ones(own: Path) -> None:
    with served(own) as addresses:
        old = urlsplit(addresses["marine"]).query
    with served(own, "--new-addresses") as addresses:
        origin = f"http://{urlsplit(addresses['marine']).netloc}"
        status, _, body = get(f"{origin}/?{old}")
        assert (status, "This address was closed" in body) == (403, True)
