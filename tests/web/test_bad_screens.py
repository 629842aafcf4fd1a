"""A screen that fails or hangs, and a page that is cut or does not read, hold up nobody else."""

import asyncio
import logging
import os
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from brt_cg.service import demo
from brt_cg.web import SEATS, files, frames, screens, server
from brt_cg.web.addresses import load_or_create_tokens
from brt_cg.web.files import FileStore
from brt_cg.web.screens import SeatService
from brt_cg.web.server import MOST_WAITING, errors_logged_to_stderr
from tests.web import tabs
from tests.web.serving import with_doors
from tests.web.tabs import TAB

READY = "printf '__GANGLION__\\n'"
FAILS = f"""{READY}
head -c 1000000 /dev/zero | tr '\\0' x >&2
printf '\\nValueError: too wide\\n' >&2
exit 3"""
HANGS = f"{READY}; exec sleep 60"
ENDLESS = f"""exec {sys.executable} -IS -c '
import os
os.write(1, b"__GANGLION__\\n")
while True:
    os.write(1, b"D" + (60_000).to_bytes(4, "big") + bytes(60_000))'"""
HANDSHAKE = (
    f"GET /seat/marine/ws/{TAB} HTTP/1.1\r\nHost: 127.0.0.1:80\r\nOrigin: http://127.0.0.1:80\r\n"
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nCookie: {cookie}\r\n\r\n"
)


HALF = b'--b\r\nContent-Disposition: form-data; name="f"; filename="a.json"\r\n\r\n{'


@pytest.fixture
def screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A script in the place of a screen."""
    script = tmp_path / "screen"
    script.touch(0o755)
    monkeypatch.setattr(sys, "executable", str(script))
    return script


def plays(script: Path, lines: str) -> SeatService:
    script.write_text(f"#!/bin/sh\n{lines}\n")
    return SeatService(Path("none.brt"), "marine", FileStore())


def full_pipe(waits: bool) -> tuple[int, int]:
    """A pipe that takes nothing more: who writes to it waits, or fails."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with suppress(BlockingIOError):
        while True:
            os.write(writing, b"-" * 1000)
    os.set_blocking(writing, waits)
    return reading, writing


async def ended(service: SeatService) -> None:
    async with asyncio.timeout(tabs.PATIENCE):
        while service.ended is None:
            await asyncio.sleep(0.01)


def test_a_crashed_screen_is_reported_in_one_line(
    screen: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async def fail() -> None:
        service = plays(screen, FAILS)
        await service.start(80, 24)
        await ended(service)
        assert service.ended == "failed"

    with errors_logged_to_stderr():
        asyncio.run(fail())
    told = capfd.readouterr()
    assert told.err == "serve: a screen of marine ended with status 3. ValueError: too wide\n"
    assert not told.out


def test_a_campaign_that_cannot_be_opened_is_not_a_crash(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async def gone() -> None:
        service = SeatService(tmp_path / "gone.brt", "marine", FileStore())
        await service.start(80, 24)
        await ended(service)
        assert service.ended == "unopened"

    with errors_logged_to_stderr():
        asyncio.run(gone())
    assert "gone.brt: there is no such file" in capfd.readouterr().err


def test_a_crashed_screen_with_unread_output_blocks_nobody(
    screen: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, errors = full_pipe(waits=False), full_pipe(waits=True)
    with os.fdopen(out[1], "w") as stdout, os.fdopen(errors[1], "w") as stderr:
        monkeypatch.setattr(sys, "stdout", stdout)
        monkeypatch.setattr(sys, "stderr", stderr)

        async def fail() -> None:
            for _ in range(MOST_WAITING + 10):
                logging.getLogger("aiohttp").error("no request")
            service = plays(screen, FAILS)
            await service.start(80, 24)
            await ended(service)
            assert service.ended == "failed"

        monkeypatch.setattr(server, "LAST", 0.01)
        with errors_logged_to_stderr():
            asyncio.run(fail())
        while b"no request\n" not in os.read(errors[0], 65536):  # it waits to be said
            pass
    for reading, _ in (out, errors):
        os.close(reading)


async def test_a_hanging_screen_blocks_nobody(
    screen: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screens, "LAST", 0.05)
    service = plays(screen, HANGS)
    await service.start(80, 24)
    typing = asyncio.create_task(service.send_bytes(b"x" * 1_000_000))
    await asyncio.sleep(0)
    for _ in range(100):
        service.notify_change()
    await service.stop()
    assert service.ended == "killed"
    await typing


async def test_a_page_that_does_not_read_is_disconnected(
    screen: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "PATIENCE", 0.1)
    monkeypatch.setattr(screens, "LAST", 0.05)
    plays(screen, ENDLESS)
    tokens = load_or_create_tokens("unread", SEATS)
    server, app = with_doors(demo.create_demo(tmp_path), tokens)
    async with TestServer(app) as listening:
        _, writer = await asyncio.open_connection("127.0.0.1", listening.port, limit=100)
        cookie = f"{tokens.cookie_name('marine')}={tokens.cookie_value('marine')}"
        writer.write(HANDSHAKE.format(cookie=cookie).encode())
        service = None
        async with asyncio.timeout(tabs.PATIENCE):
            while service is None or not service.is_running:
                await asyncio.sleep(0.01)
                service = server.screens._of.get(("marine", TAB))
            while service.alone_since is None:
                await asyncio.sleep(0.01)
        assert service.is_running  # it waits for its player
        await server.screens.end_all()
        writer.close()


async def test_a_page_uploads_files_in_order_and_drops_an_aborted_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def cut() -> AsyncIterator[bytes]:
        yield HALF
        await asyncio.sleep(60)

    monkeypatch.setattr(files, "PATIENCE", 0.5)  # of the second too, which has all to give
    tokens = load_or_create_tokens("given", SEATS)
    server, app = with_doors(demo.create_demo(tmp_path), tokens)
    headers = {
        "Cookie": f"{tokens.cookie_name('marine')}={tokens.cookie_value('marine')}",
        "Host": "127.0.0.1:80",
        "Origin": "http://127.0.0.1:80",
        "Content-Type": "multipart/form-data; boundary=b",
    }
    where = f"/seat/marine/give/{TAB}"
    async with TestClient(TestServer(app)) as client:
        first = asyncio.create_task(client.post(where, data=cut(), headers=headers))
        async with asyncio.timeout(tabs.PATIENCE):
            while not server.giving["marine"].locked():
                await asyncio.sleep(0.01)
        second = await client.post(where, data=HALF + b"\r\n--b--\r\n", headers=headers)
        assert (first.done(), second.status) == (True, 410)  # it has no screen
        assert (await first).status == 408


async def test_any_name_of_an_uploaded_file_can_be_shown(tmp_path: Path) -> None:
    names: list[str] = []

    async def named(request: web.Request) -> web.Response:
        names.extend(await files.read_upload(request))
        return web.Response()

    app = web.Application()
    app.add_routes([web.post("/", named)])
    headers = {"Content-Type": "multipart/form-data; boundary=b"}
    body = HALF.replace(b"a.json", b"\xff\xf0.json") + b"\r\n--b--\r\n"
    async with TestClient(TestServer(app)) as client:
        await client.post("/", data=body, headers=headers)
    assert names == ["??.json"]
