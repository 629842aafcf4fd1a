"""What a page loads from the server, compressed and kept by the browser; and an address as a QR
code."""

import gzip
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from io import StringIO
from pathlib import Path

from aiohttp import web

KINDS = {".js": "text/javascript", ".css": "text/css", ".ttf": "font/ttf", ".png": "image/png"}
A_YEAR = "private, max-age=31536000, immutable"  # the version is part of the address


class Statics:
    """The files of a folder, each compressed once."""

    def __init__(self, folder: Path) -> None:
        self.version = version("textual-serve")
        self._files = {
            f"{self.version}/{path.relative_to(folder).as_posix()}": path
            for path in folder.rglob("*")
            if path.suffix in KINDS
        }

    async def send(self, request: web.Request) -> web.StreamResponse:
        """Sends a file. Raises HTTPNotFound for anything but a file of the folder."""
        path = self._files.get(request.match_info["path"])
        if path is None:
            raise web.HTTPNotFound
        headers = {"Cache-Control": A_YEAR, "Vary": "Accept-Encoding"}
        body = _compressed(path)
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            headers["Content-Encoding"] = "gzip"
        else:
            body = path.read_bytes()
        return web.Response(body=body, content_type=KINDS[path.suffix], headers=headers)


@cache
def _compressed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), 9, mtime=0)


def qr_code(address: str) -> Iterator[str]:
    """An address as a QR code for a terminal, line by line; nothing without the library."""
    try:
        import segno
    except ImportError:
        return
    drawn = StringIO()
    segno.make(address, error="l").terminal(out=drawn, compact=True)
    yield from drawn.getvalue().rstrip("\n").split("\n")
