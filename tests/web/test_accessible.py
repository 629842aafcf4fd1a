"""No page that a browser shows has a fault of a serious or critical kind by axe, the usual checker
of pages for those who cannot see, hear or point well."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from brt_cg.exports import DOCUMENTS, build_document, export_document
from brt_cg.model.seat import Seat
from brt_cg.service import demo
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.web import FRIENDS
from brt_cg.web.server import error_page
from tests.settings import crossed
from tests.tui.moments import played
from tests.web.serving import at_its_first_question, played_to, served
from tests.web.test_plain import PHONE

pytestmark = pytest.mark.web
HEAVY = ("serious", "critical")
DEVICES = {"phone": PHONE, "laptop": {"viewport": {"width": 1366, "height": 768}}}
FAULTS = """async () => (await axe.run()).violations.map(fault => [
    fault.impact, fault.id, fault.nodes.slice(0, 3).map(node => node.html.slice(0, 200))])"""


def faults(page: Any) -> list[Any]:
    """The faults of a page."""
    axe = files("axe_playwright_python") / "axe.min.js"  # of the extra test-web
    page.evaluate(axe.read_text("utf-8"))
    return [fault for fault in page.evaluate(FAULTS) if fault[0] in HEAVY]


@pytest.fixture(params=DEVICES)
def page(request: pytest.FixtureRequest, browser: Any) -> Iterator[Any]:
    with browser.new_context(**DEVICES[request.param], bypass_csp=True) as context:
        yield context.new_page()


@pytest.mark.parametrize("through", ["15.601", "15.605", "15.614", "15.6202", None])
def test_a_plain_page_has_no_serious_accessibility_fault(
    page: Any, demo_file: Path, through: str | None
) -> None:
    if through == "15.601":
        at_its_first_question(demo_file)
    elif through is None:
        played(demo_file, None)
    else:
        played_to(demo_file, through)
    with served(demo_file) as addresses:
        for seat in ("marine", "japanese"):
            page.goto(f"{addresses[seat]}&plain")
            page.evaluate(
                "for (const each of document.querySelectorAll('details')) each.open = true"
            )
            assert faults(page) == []


def test_screen_friends_page_and_refusals_have_no_serious_accessibility_fault(
    page: Any, demo_file: Path
) -> None:
    with served(demo_file, "--friends") as addresses:
        page.goto(addresses[FRIENDS])
        assert faults(page) == []
        page.goto(f"{addresses[FRIENDS]}x")
        page.get_by_role("heading", name="This page cannot be opened").wait_for()
        assert faults(page) == []
        page.goto(addresses["marine"])
        page.locator(".xterm-helper-textarea").wait_for(state="attached")
        assert faults(page) == []
        boxes = "document.querySelectorAll('.box, #said, #tip')"
        page.evaluate(f"for (const each of {boxes}) each.classList.add('-shown')")
        small = "[...document.querySelectorAll('button, a')].filter(each => each.offsetParent && "
        small += "each.getBoundingClientRect().height < 44).map(each => each.outerHTML)"
        assert page.evaluate(small) == []


def test_the_page_of_an_unreadable_campaign_has_no_serious_accessibility_fault(page: Any) -> None:
    page.set_content(error_page(503, "It is busy.").text)
    assert faults(page) == []


PAPERS = [name for name, kinds in DOCUMENTS.items() if "html" in kinds]


@pytest.mark.parametrize(("what", "page"), crossed(PAPERS, DEVICES), indirect=["page"])
def test_a_document_has_no_serious_accessibility_fault(
    page: Any, tmp_path: Path, what: str
) -> None:
    book = OpenCampaign.open_read_only(demo.create_demo(tmp_path), Seat.MARINE).view()
    page.set_content(str(export_document(book, what, "html")))
    pages = page.locator("nav a").count() if build_document(book, what).stepped else 1
    for _ in range(pages):
        assert faults(page) == []
        page.keyboard.press("ArrowRight")
