"""A tab of a browser without a browser, for the tests: its websocket, and what came through it."""

import asyncio
import json
import re
from codecs import getincrementaldecoder
from typing import Any
from urllib.parse import urlsplit

import aiohttp

TAB = "0123456789abcdef"
PATIENCE = 60.0  # seconds for anything at all: a slow machine is no defect
_ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[^\[])")
_UNFINISHED = re.compile(r"\x1b(\[[0-9;?]*)?$")


def plain(came: bytes) -> str:
    """What came, without its colours."""
    return _ESCAPES.sub("", came.decode("utf-8", "replace"))


class Words:
    """The text of what comes, without its colours, each byte of which is read once."""

    def __init__(self) -> None:
        self.text, self._rest = "", ""
        self._decoder = getincrementaldecoder("utf-8")("replace")

    def hear(self, came: bytes) -> None:
        new = self._rest + self._decoder.decode(came)
        whole = _UNFINISHED.sub("", new)
        self.text += _ESCAPES.sub("", whole)
        self._rest = new[len(whole) :]


class Tab:
    """A tab of a browser without a browser: its websocket, and all text that came."""

    def __init__(
        self,
        address: str,
        session: aiohttp.ClientSession,
        mine: str,
        seat: str = "umpire",
        tab: str = TAB,
    ) -> None:
        self.origin = f"http://{urlsplit(address).netloc}"
        self.at = f"{self.origin}{urlsplit(address).path or '/'}seat/{seat}"
        self.session, self.mine, self.seat, self.tab = session, mine, seat, tab
        self.socket: Any = None
        self.came = b""
        self.told: list[Any] = []

    async def open(self, size: str = "width=80&height=24") -> None:
        headers = {"Origin": self.origin, "Cookie": self.mine}
        where = f"{self.at}/ws/{self.tab}?{size}"
        self.socket = await self.session.ws_connect(where, headers=headers)
        self.came = b""

    async def send(self, kind: str, value: Any = None) -> None:
        await self.socket.send_json([kind, value])

    async def until(self, words: str, seconds: float = PATIENCE) -> None:
        async with asyncio.timeout(seconds):
            while words not in self.text():
                await self.hear()

    async def hear(self) -> bool:
        message = await self.socket.receive()
        if message.type == aiohttp.WSMsgType.BINARY:
            self.came += message.data
        elif message.type == aiohttp.WSMsgType.TEXT:
            self.told.append(json.loads(message.data))
        return message.type not in (aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.CLOSING)

    async def until_closed(self, seconds: float = PATIENCE) -> None:
        async with asyncio.timeout(seconds):
            while await self.hear():
                pass

    async def state(self) -> str:
        headers = {"Cookie": self.mine}
        where = f"{self.at}/state/{self.tab}"
        async with self.session.get(where, headers=headers) as answer:
            return str((await answer.json())["state"])

    def text(self) -> str:
        return plain(self.came)
