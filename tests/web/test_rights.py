"""No seat in a browser does more than its player's keys do: each door of the server opens to its
own seat, and of what a page may send only keys and the size of its window reach a screen."""

import asyncio
import inspect
import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from aiohttp import WSMsgType
from aiohttp.test_utils import TestClient, TestServer
from textual.drivers.web_driver import WebDriver

from brt_cg.service import demo
from brt_cg.web import SEATS, frames
from brt_cg.web.addresses import load_or_create_tokens
from brt_cg.web.driver import SeatDriver
from tests.web.serving import with_doors

KEY = "0123456789abcdef"
IN_PATHS = {"tab": KEY, "key": KEY, "name": "roster.html", "script": "bell"}
SAYS = re.compile(r'"([a-z_]+)"')
# All that a screen can be told, by its page or by its server.
KINDS = sorted(
    {
        *SAYS.findall(inspect.getsource(frames.parse_frame)),
        *SAYS.findall(inspect.getsource(WebDriver.on_meta)),
        *SAYS.findall(inspect.getsource(SeatDriver.on_meta)),
    }
)
VALUES = (None, 7, "u", {"width": 90, "height": 30}, {"files": [["a.json", ""]]}, ["u"])
REACHES = {
    ("stdin", "u"): ("send_bytes", b"u"),
    ("resize", str(VALUES[3])): ("set_terminal_size", 90, 30),
    ("resize", str(VALUES[4])): ("set_terminal_size", 80, 24),
    ("ping", "7"): ("pong", 7),
    ("ping", "u"): ("pong", "u"),
    **{("focus", str(value)): ("focus",) for value in VALUES},
    **{("blur", str(value)): ("blur",) for value in VALUES},
}


class Listener:
    """A screen, and its page, that note what reaches them."""

    def __init__(self, frame: str) -> None:
        self.heard: list[tuple[Any, ...]] = []
        self._frames = [SimpleNamespace(type=WSMsgType.TEXT, data=frame)]

    def __getattr__(self, name: str) -> Any:
        async def hear(*told: Any) -> None:
            self.heard.append((name, *told))

        return hear

    async def send_ignoring_errors(self, sending: Any) -> None:
        await sending

    async def send_json(self, told: list[Any]) -> None:
        self.heard.append(tuple(told))

    async def __aiter__(self) -> Any:
        for frame in self._frames:
            yield frame


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_sends_a_screen_only_keys_and_its_window_size(kind: str) -> None:
    for value in VALUES:
        both: Any = Listener(json.dumps([kind, value]))
        asyncio.run(frames.dispatch_frames(both, both))
        reaches = REACHES.get((kind, str(value)))
        assert both.heard == ([reaches] if reaches else []), value


def test_server_only_messages_are_known_message_kinds() -> None:
    assert {"stdin", "resize", "files", "moved", "quit"} <= {*KINDS}


async def test_each_address_opens_only_with_the_cookie_of_its_seat(tmp_path: Path) -> None:
    tokens = load_or_create_tokens("doors", SEATS)
    _, app = with_doors(demo.create_demo(tmp_path), tokens)
    doors = [
        (route.method, route.resource.canonical)
        for route in app.router.routes()
        if route.resource is not None and route.resource.canonical.startswith("/seat/{seat}")
    ]
    assert len(doors) >= 6  # with those that only ask for the head
    async with TestClient(TestServer(app)) as client:
        for method, path in doors:
            for seat in SEATS:
                for mine in (*SEATS, None):
                    where = path.format(seat=seat, **IN_PATHS)
                    cookies = {tokens.cookie_name(mine): tokens.cookie_value(mine)} if mine else {}
                    headers = {
                        "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
                        "Host": "127.0.0.1:80",
                        "Origin": "http://127.0.0.1:80",
                    }
                    answer = await client.request(method, where, headers=headers)
                    told = (method, where, mine, answer.status)
                    assert (answer.status == 403) is (mine != seat), told
