"""A web server of one's own in front of `serve`, as far as the tests need it: it does the HTTPS."""

import asyncio
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from threading import Event, Thread

from tests.web.tabs import PATIENCE

NAME = "tarawa.example"


PORTS = range(20_000, 30_000)  # none of which a system gives to a connection that goes out


def free_port() -> int:
    """A port of this machine that nobody listens at, nor gets before it is taken."""
    for port in Random().sample(PORTS, len(PORTS)):
        with socket.socket() as trial, suppress(OSError):
            trial.bind(("127.0.0.1", port))
            return port
    raise AssertionError("there is no free port")


class Proxy:
    """Ends the encryption, and passes every byte on to `behind`, a port of this machine."""

    def __init__(self, behind: int, folder: Path) -> None:
        self.behind = behind
        self.listens = Event()  # and then has a port
        self._secure = _certificate(folder)
        self._open: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0, ssl=self._secure)
        self.port = int(self._server.sockets[0].getsockname()[1])
        self.listens.set()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            their_reader, their_writer = await asyncio.open_connection("127.0.0.1", self.behind)
        except ConnectionError:  # the server is being started
            writer.close()
            return
        self._open |= {writer, their_writer}
        await asyncio.gather(_copy(reader, their_writer), _copy(their_reader, writer))
        self._open -= {writer, their_writer}

    def cut(self) -> None:
        """Cuts every connection."""
        self._loop.call_soon_threadsafe(lambda: [one.transport.abort() for one in self._open])

    def run(self) -> None:
        self._loop.run_until_complete(self._listen())
        self._loop.run_forever()

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


def _certificate(folder: Path) -> ssl.SSLContext:
    """A certificate that nobody has signed, and its key."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    files = ["-keyout", str(key), "-out", str(certificate), "-subj", f"/CN={NAME}"]
    subprocess.run([*words, *files], check=True, capture_output=True)
    secure = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    secure.load_cert_chain(certificate, key)
    return secure


@contextmanager
def in_front_of(port: int, folder: Path) -> Iterator[Proxy]:
    """A proxy that passes on to a port."""
    proxy = Proxy(port, folder)
    thread = Thread(target=proxy.run, daemon=True)
    thread.start()
    assert proxy.listens.wait(PATIENCE)
    try:
        yield proxy
    finally:
        proxy.stop()
        thread.join(5)
