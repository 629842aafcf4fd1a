"""Files on their way: from a screen to its visitor's browser, and from there to the screen.

Nothing is written to the server's disk. A screen's files are kept in memory for a while, so that a
page can be loaded again, printed and saved.
"""

import asyncio
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple
from urllib.parse import quote

from aiohttp import BodyPartReader, web
from aiohttp.http_exceptions import HttpProcessingError

from brt_cg.exports.writers.as_html import script_csp_source

MOST_KEPT = 32 * 1024**2  # bytes of a seat's files; the oldest are forgotten first
MOST_GIVEN = 16 * 1024**2  # bytes that a visitor may send together
PATIENCE = 20.0  # seconds in which more of them has to come
MOST_FILES = 40  # most files in one upload: a state has fewer tables
# A page from a file runs no script but our own for its line of dates, loads nothing, and has no
# part in the seat's origin.
FILE_POLICY = (
    f"default-src 'none'; script-src {script_csp_source()}; style-src 'unsafe-inline'; "
    "img-src data:; "
    "font-src data:; frame-ancestors 'none'; sandbox allow-modals allow-scripts"
)


class OutgoingFile(NamedTuple):
    """A file for a browser: its name, its media type, whether it is shown or saved, and its
    contents."""

    name: str
    kind: str
    shows: bool
    data: bytes

    def response(self) -> web.Response:
        """Return the response to the browser that fetches it."""
        how = "inline" if self.shows else "attachment"
        name = quote(self.name, safe="", errors="replace")
        headers = {
            "Content-Type": self.kind if "/" in self.kind else "application/octet-stream",
            "Content-Disposition": f"{how}; filename*=UTF-8''{name}",
            "Content-Security-Policy": FILE_POLICY,
        }
        if self.kind.startswith("text/"):
            headers["Content-Type"] += "; charset=utf-8"
        return web.Response(body=self.data, headers=headers)


class FileStore:
    """The files that the screens of one seat have handed out, by their keys."""

    def __init__(self) -> None:
        self._files: dict[str, OutgoingFile] = {}

    def add(self, file: OutgoingFile) -> str:
        """Keep a file, and forget the oldest if there are too many. Return its key."""
        key = secrets.token_urlsafe(16)
        self._files[key] = file
        while sum(len(one.data) for one in self._files.values()) > MOST_KEPT:
            del self._files[next(iter(self._files))]
        return key

    def find(self, key: str) -> OutgoingFile | None:
        return self._files.get(key)


async def read_form(request: web.Request) -> dict[str, str]:
    """Read the fields of a form. Browsers send a line break as CR and LF, which becomes LF. Raises
    HTTPBadRequest."""
    with _readable("This form did not come from your seat's page. Open the page again."):
        given = await request.post()
    fields = {name: found for name, found in given.items() if isinstance(found, str)}
    return {name: found.replace("\r\n", "\n") for name, found in fields.items()}


@contextmanager
def _readable(refusal: str) -> Iterator[None]:
    """Refuse in one sentence anything that cannot be read in the `with` block: not a form, a broken
    header line in it, a charset that Python does not know. Raises HTTPBadRequest."""
    try:
        yield
    except (ValueError, LookupError, AssertionError, RuntimeError, HttpProcessingError):
        raise web.HTTPBadRequest(text=refusal) from None


Given = Mapping[str, bytes]  # a visitor's files: the contents, by bare name


async def read_upload(request: web.Request) -> Given:
    """Read an upload from a page. Raises HTTPBadRequest, HTTPRequestEntityTooLarge, and
    HTTPRequestTimeout if nothing comes for PATIENCE seconds."""
    files: dict[str, bytes] = {}
    room, now = MOST_GIVEN, asyncio.get_running_loop().time
    try:
        with _readable("These are not files. Choose files to send."):
            async with asyncio.timeout(PATIENCE) as waits:
                async for part in await request.multipart():
                    if not isinstance(part, BodyPartReader) or not part.filename:
                        raise web.HTTPBadRequest(text="These are not files. Choose files to send.")
                    data = bytearray()
                    while chunk := await part.read_chunk():
                        waits.reschedule(now() + PATIENCE)
                        data += chunk
                        room -= len(chunk)
                        if room < 0 or len(files) >= MOST_FILES:
                            raise web.HTTPRequestEntityTooLarge(
                                MOST_GIVEN,
                                text=f"These files are larger than "
                                f"{MOST_GIVEN // 1024**2} MB. Choose smaller ones.",
                            )
                    files[part.filename.encode("utf-8", "replace").decode()] = bytes(data)
    except TimeoutError:
        raise web.HTTPRequestTimeout(
            text="The rest of the files did not arrive. Try again."
        ) from None
    return files
