"""The connections of a server, never more than it can handle."""

import asyncio

from aiohttp import web

MOST_LINES = 128  # without a websocket; two seats' and an umpire's pages need half of that
IDLE = 150.0  # seconds for a request to come; web servers in front give up after 120


class Connections:
    """The connections of a server. If there are too many, the oldest is cut, preferably one that
    has not proved to have a seat."""

    def __init__(self) -> None:
        self._known: set[asyncio.BaseProtocol] = set()
        self._watched: set[asyncio.BaseProtocol] = set()

    def new_within_limit(self, server: web.Server) -> asyncio.BaseProtocol:
        """Return a new connection of a server."""
        every = server.connections
        self._known.intersection_update(every)
        self._watched.intersection_update(every)
        lines = [
            line
            for line in every
            if line not in self._watched and line.transport and not line.transport.is_closing()
        ]
        too_many = max(0, len(lines) + 1 - MOST_LINES)
        for line in sorted(lines, key=self._known.__contains__)[:too_many]:
            assert line.transport is not None
            line.transport.abort()
        return server()

    def mark_as_player(self, line: asyncio.BaseProtocol) -> None:
        """Note that a connection belongs to a seat's player."""
        self._known.add(line)

    def exempt_from_limit(self, line: asyncio.BaseProtocol) -> None:
        """Exempt a connection from the limit: it is a page's websocket, and each screen has only
        one."""
        self._watched.add(line)
