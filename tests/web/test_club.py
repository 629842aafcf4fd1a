"""A club's server: a campaign in PostgreSQL, two players in browsers and an umpire in a terminal.
Run with `pytest -m web`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from brt_cg.audit import audit
from brt_cg.service import demo
from brt_cg.service.desk import Desk
from brt_cg.storage.postgres import release
from tests.postgres import Server
from tests.web.browsing import Page, Terminal, until
from tests.web.proxy import free_port
from tests.web.serving import at_its_first_question, served

DROPPED = "so it was dropped"

pytestmark = [pytest.mark.web, pytest.mark.postgres]


@pytest.fixture
def database() -> Iterator[Server]:
    server = Server()
    yield server
    server.remove()


def test_an_evening_goes_on_when_the_server_is_started_again_and_then_the_database(
    browser: Any, database: Server, tmp_path: Path
) -> None:
    address, port = database.new_address(), str(free_port())
    demo.lay_out(address)
    at_its_first_question(address)
    terminal = Terminal(address, tmp_path)
    with served(address, "--port", port, "--as", "marine") as addresses:
        pages = [Page(browser, addresses[seat]) for seat in ("marine", "japanese")]
        marine = pages[0]
        in_refit(terminal, pages)
        entered(terminal, "u", "Begin 15.601", [terminal, *pages])
        entered(terminal, "U", "Melee round 1", [terminal, *pages])
    gone = [len(page.frames) for page in pages]
    for page in pages:
        page.page.get_by_text("No connection").wait_for()
    entered(terminal, "u", "Begin 15.601", [terminal])

    with served(address, "--port", port, "--as", "marine"):
        for page, since in zip(pages, gone, strict=True):
            page.wait_for("Demo: Betio", since=since)
            while "Begin 15.601" not in page.text(
                since
            ):  # a page that is new may not hear the first
                page.press("r")
                page.rest(1000)
        entered(terminal, "U", "Melee round 1", [terminal, *pages])
        entered(marine, "c", "not yet", [marine])
        entered(marine, "c", "warning", [terminal, *pages])

        lost = [len(each.text()) for each in (terminal, *pages)]
        database.stop()
        for each, since in zip((terminal, *pages), lost, strict=True):
            seen_by(each, "OFFLINE", since)
        database.start()
        for each, since in zip((terminal, *pages), lost, strict=True):
            seen_by(each, "connection to the server is back", since)
        entered(terminal, "u", "Melee round 1", [terminal, *pages])
        entered(marine, "c", "not yet", [marine])
        entered(marine, "c", "warning", [terminal, *pages])
        for page in pages:
            page.context.close()
    terminal.close()

    desk = Desk.open(address)
    kinds = Counter(entry.kind for entry in desk.entries)
    assert (kinds["answer"], kinds["redo"]) == (6, 2)
    desk.close()
    assert not audit(address).findings
    release(address)


def in_refit(terminal: Terminal, pages: list[Page]) -> None:
    for page in pages:
        page.wait_for("Demo: Betio")
        page.press("r")
        page.wait_for("Melee round 1")
    until(lambda: "Who is looking?" in terminal.text())
    terminal.press("u")
    until(lambda: "Demo: Betio" in terminal.text())
    terminal.press("r")
    until(lambda: "Melee round 1" in terminal.text())


def entered(who: Terminal | Page, key: str, words: str, everybody: list[Terminal | Page]) -> None:
    """Presses a key; all others, and who pressed it, show what came of it. A key that comes before
    its question is drawn is dropped, and the screen says so: then it is pressed again."""
    before, mine = [len(each.text()) for each in everybody], len(who.text())
    who.press(key)
    while not heard(who, (words, DROPPED), mine).startswith(words):
        mine = len(who.text())
        who.press(key)
    for each, since in zip(everybody, before, strict=True):
        seen_by(each, words, since)


def heard(each: Terminal | Page, words: Sequence[str], since: int) -> str:
    """Which words are the first on a screen, after so many characters; waits for them."""
    rest = each.rest if isinstance(each, Page) else None
    found: list[str] = []
    until(
        lambda: bool(found.extend(one for one in words if one in each.text()[since:]) or found),
        *([rest] if rest else []),
    )
    return found[0]


def seen_by(each: Terminal | Page, words: str, since: int) -> None:
    """Waits until words are on a screen, after so many characters."""
    rest = each.rest if isinstance(each, Page) else None
    until(lambda: words in each.text()[since:], *([rest] if rest else []))
