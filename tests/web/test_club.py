"""A club's server: a campaign in PostgreSQL, two players in browsers and an umpire in a terminal.
Run with `pytest -m web`."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.service import demo
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.storage.postgres import close_idle
from tests.postgres import Server
from tests.web.browsing import Page, Terminal, entered, in_refit, seen_by
from tests.web.proxy import free_port
from tests.web.serving import at_its_first_question, served

pytestmark = [pytest.mark.web, pytest.mark.postgres]


@pytest.fixture
def database() -> Iterator[Server]:
    server = Server()
    yield server
    server.remove()


def test_play_continues_after_restarts_of_server_and_database(
    browser: Any, database: Server, tmp_path: Path
) -> None:
    address, port = database.new_address(), str(free_port())
    demo.create_demo(address)
    at_its_first_question(address)
    terminal = Terminal(address, tmp_path)
    with served(address, "--port", port, umpire=False) as addresses:
        pages = [Page(browser, addresses[seat]) for seat in ("marine", "japanese")]
        marine = pages[0]
        in_refit(terminal, pages)
        entered(terminal, "u", "Begin 15.601", [terminal, *pages])
        entered(terminal, "U", "Melee round 1", [terminal, *pages])
    for page in pages:
        page.page.get_by_text("No connection").wait_for()
    sockets = [len(page.sockets) for page in pages]
    entered(terminal, "u", "Begin 15.601", [terminal])

    with served(address, "--port", port, umpire=False):
        for page, before in zip(pages, sockets, strict=True):
            page.wait_for_socket(before + 1, "Demo:")
            page.press("r")
            page.wait_for("Begin 15.601", since=page.since)
        entered(terminal, "U", "Melee round 1", [terminal, *pages])
        entered(marine, "c", "not yet", [marine])
        entered(marine, "y", "warning", [terminal, *pages])

        lost = [len(each.text()) for each in (terminal, *pages)]
        database.stop()
        for each, since in zip((terminal, *pages), lost, strict=True):
            seen_by(each, "OFFLINE", since)
        database.start()
        for each, since in zip((terminal, *pages), lost, strict=True):
            seen_by(each, "connection to the server is back", since)
        entered(terminal, "u", "Undo this?", [terminal])
        entered(terminal, "y", "Melee round 1", [terminal, *pages])
        entered(marine, "c", "not yet", [marine])
        entered(marine, "y", "warning", [terminal, *pages])
        for page in pages:
            page.context.close()
    terminal.close()

    desk = OpenCampaign.open(address)
    kinds = Counter(entry.kind for entry in unrestricted_campaign(desk).entries)
    assert (kinds["answer"], kinds["redo"]) == (6, 2)
    desk.close()
    assert not audit_campaign(address).findings
    close_idle(address)
