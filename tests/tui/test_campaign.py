"""The Campaign room: its pages, what Enter does there, where they lead, what they keep secret."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from brt_cg.audit import Finding, Report
from brt_cg.counters import Side
from brt_cg.desk import Desk
from brt_cg.exports import DOCUMENTS
from brt_cg.tui.app import BrtApp
from brt_cg.tui.dialogs.why import WhyScreen
from brt_cg.tui.pages import PAGES
from brt_cg.tui.screens.form import FormScreen
from brt_cg.tui.session import Seen
from brt_cg.vasl.pieces import Saved
from brt_cg.vasl.savefile import read_save
from tests.tui.helpers import MIDDLE, same_as_golden, screen_text, settled
from tests.tui.moments import opened, played, press
from tests.vasl.demo_save import save_of

RESTED = 0.4  # seconds after which what leads on stands there


in_campaign = partial(opened, room="campaign")


async def at_page(pilot: Pilot[Any], name: str) -> Seen:
    """The Campaign room with a page in front, once everything has been read."""
    await settled(pilot)
    await pilot.app.run_action(name)
    await rest(pilot)
    return await settled(pilot)


async def rest(pilot: Pilot[Any]) -> None:
    await pilot.pause(RESTED)
    await settled(pilot)
    await pilot.pause()


async def open_form(pilot: Pilot[Any], *found: str) -> None:
    """The form of the row that holds some words."""
    if found:
        await pilot.press("slash", *" ".join(found), "enter")
    await pilot.press("enter")
    for _ in range(100):
        await pilot.pause(0.02)
        if isinstance(pilot.app.screen, FormScreen) and pilot.app.focused is not None:
            return
    raise AssertionError("no form was opened within two seconds")


def words(text: str) -> str:
    return " ".join(text.replace("│", " ").split())


@pytest.fixture
def new_file(tmp_path: Path) -> Path:
    """A new campaign, of which nothing has been entered."""
    path = tmp_path / "new.brt"
    Desk.create(path, {"cg": "III"}).close()
    return path


async def test_each_page_looks_as_it_should(demo_file: Path) -> None:
    async with in_campaign(played(demo_file, "15.6122")) as (app, pilot):
        for page in PAGES:
            if not page.previews:  # which carry the head of the journal, another each time
                await at_page(pilot, page.name)
                same_as_golden(app, f"campaign-{page.name}-80x24")


async def test_the_pages_are_turned_over(demo_file: Path) -> None:
    async with opened(demo_file, size=MIDDLE) as (app, pilot):
        await press(pilot, "full_stop")
        for page in (*PAGES[1:], PAGES[0]):
            await press(pilot, "right")
            await press(pilot, "question_mark")
            assert f"Campaign · {page().title}" in screen_text(app)
            await pilot.press("escape")


# --- rulings --------------------------------------------------------------------------------------


async def test_a_ruling_tells_from_each_seat_what_rests_on_it_and_leads_to_its_entry(
    demo_file: Path,
) -> None:
    async with in_campaign(played(demo_file, None), size=MIDDLE) as (app, pilot):
        for seat in (*Side, None):
            await app.session.sit(seat)
            await at_page(pilot, "rulings")
            await press(pilot, "slash", *"r-vp", "enter")
            await rest(pilot)
            shown = words(screen_text(app))
            assert "R-VP · 15.615" in shown, seat
            assert "Whose Victory Points decide a scenario?" in shown
            assert "▸ scenario: those amassed since the scenario started" in shown
            assert "from: the title names the CG scenario. Confidence: low." in shown
            assert "What rests on it" in shown
            assert "15.615 Victory Points:" in shown
        await press(pilot, "tab")
        assert "Enter: goes to its line, Esc back" in screen_text(app)
        await press(pilot, "escape")
        assert app.screen.query_one("#rows").has_focus
        await press(pilot, "tab", "enter")
        await pilot.pause(RESTED)
        assert "15.6032 Victory and CVP" in words(screen_text(app))
        assert app.current_mode == "journal"


async def test_a_ruling_is_changed_for_this_campaign(demo_file: Path) -> None:
    async with in_campaign(demo_file, size=MIDDLE) as (app, pilot):
        await at_page(pilot, "rulings")
        await open_form(pilot, "r-vp")
        await press(pilot, "right")
        await pilot.pause(RESTED)
        assert "campaign: those amassed since the campaign started" in words(screen_text(app))
        await press(pilot, "enter")
        seen = await settled(pilot)
        assert seen.view.ruling("R-VP") == "campaign"
        await rest(pilot)
        assert "• R-VP campaign" in words(screen_text(app))
        assert "was scenario" in words(screen_text(app))
        await press(pilot, "u")
        assert (await settled(pilot)).view.ruling("R-VP") == "scenario"


async def test_a_ruling_is_agreed_on_beforehand_as_it_is_until_undo_and_is_not_asked_then(
    demo_file: Path,
) -> None:
    async with in_campaign(demo_file, size=MIDDLE) as (app, pilot):
        await at_page(pilot, "rulings")
        await press(pilot, "slash", *"r-cvp-refit", "enter")
        assert "? R-CVP-REFIT combat" in words(screen_text(app))
        assert "you are asked the first time that it decides" in words(screen_text(app))
        await press(pilot, "slash", "escape")
        await open_form(pilot, "r-cvp-refit")
        assert "it is not asked about later" in words(screen_text(app))
        await press(pilot, "enter")
        seen = await settled(pilot)
        assert seen.view.is_agreed("R-CVP-REFIT")
        assert "R-CVP-REFIT (15.603): combat" in seen.log[-1].text
        assert "you are asked the first time" not in words(screen_text(app))
        await press(pilot, "u")
        assert not (await settled(pilot)).view.is_agreed("R-CVP-REFIT")
        await press(pilot, "U")

        def plays_a_melee(desk: Desk) -> None:
            ask = desk.begin()
            assert ask is not None
            desk.answer_on(ask, {"eliminated": ["j-hero-1"]})

        await app.session.perform(plays_a_melee)
        seen = await settled(pilot)
        assert seen.ask is not None
        assert seen.ask.about != "R-CVP-REFIT"
        assert not seen.view.units["j-hero-1"].in_play


# --- totals ---------------------------------------------------------------------------------------


async def test_the_totals_of_a_new_campaign_are_copied_from_the_card(new_file: Path) -> None:
    async with in_campaign(new_file) as (app, pilot):
        await at_page(pilot, "totals")
        assert "Not yet entered: it stands on the CG card." in screen_text(app)
        await open_form(pilot)
        await press(pilot, "4", "down", "5", "enter")
        marine = (await settled(pilot)).view.sides[Side.MARINE]
        assert (marine.san, marine.elr) == (4, 5)
        # --- the page opens at what is still missing ---
        await at_page(pilot, "allotments")
        await at_page(pilot, "totals")
        await open_form(pilot)
        await press(pilot, "3", "enter")
        sides = (await settled(pilot)).view.sides
        assert (sides[Side.MARINE].san, sides[Side.JAPANESE].san) == (4, 3)


async def test_a_total_is_corrected_in_its_own_row_and_the_other_is_still_missing(
    new_file: Path,
) -> None:
    async with in_campaign(new_file, Side.MARINE) as (app, pilot):
        await at_page(pilot, "totals")
        await press(pilot, "slash", *"marine.elr", "enter")
        await open_form(pilot)
        await press(pilot, "f3")
        await rest(pilot)
        assert isinstance(app.screen, WhyScreen)
        assert "Marine ELR" in screen_text(app)
        await press(pilot, "escape", "5", "enter")
        marine = (await settled(pilot)).view.sides[Side.MARINE]
        assert (marine.san, marine.elr) == (0, 5)
        await press(pilot, "escape")
        shown = words(screen_text(app))
        assert "Marine SAN – CVP 0" in shown  # in the header, as on the page
        assert "○ Totals" in shown


async def test_of_the_enemy_san_only_what_he_announced_is_shown(new_file: Path) -> None:
    desk = Desk.open(new_file)
    set_ = {"san": 5, "announced_san": 3, "elr": 4}
    desk.command("edit", {"id": "japanese", "set": set_, "reason": "card"})
    desk.close()
    async with in_campaign(new_file, Side.MARINE) as (app, pilot):
        await at_page(pilot, "totals")
        await press(pilot, "slash", *"japanese.san", "enter")
        shown = words(screen_text(app))
        assert "3, as announced" in shown
        await press(pilot, "enter")
        assert "Why" not in screen_text(app)


# --- points ---------------------------------------------------------------------------------------


async def test_the_points_of_a_beach_are_entered(new_file: Path) -> None:
    async with in_campaign(new_file, Side.JAPANESE) as (_, pilot):
        seen = await at_page(pilot, "allotments")
        assert not seen.view.allotments
        await open_form(pilot, "red one")
        await press(pilot, *"24", "down", *"26^2", "down", *"60", "enter")
        given = (await settled(pilot)).view.allotments["japanese/red_one"]
        assert (given.gpp, given.capp, given.exponent, given.fpp) == (24, 26, 2, 60)


async def test_a_later_grant_is_refused_beside_its_field_entered_and_changed(
    new_file: Path,
) -> None:
    async with in_campaign(new_file, Side.MARINE) as (app, pilot):
        await at_page(pilot, "allotments")
        await open_form(pilot)
        await press(pilot, "x", "enter")
        await pilot.pause(RESTED)
        assert '✗ found "x"; allowed: a whole number from 0 to 9999' in screen_text(app)
        await press(pilot, "escape")
        await open_form(pilot, "later")
        await press(pilot, "right", "down", *"15", "enter")
        grant = (await settled(pilot)).view.allotments["grant-1"]
        assert (grant.date, grant.fpp) == ("20 NT", 15)
        await press(pilot, "escape")
        await open_form(pilot, "20 nt")
        await press(pilot, "down", *"10", "enter")
        assert (await settled(pilot)).view.allotments["grant-1"].fpp == 10


async def test_the_enemy_sees_nothing_of_the_japanese_points(demo_file: Path) -> None:
    async with in_campaign(played(demo_file, None), Side.MARINE, size=MIDDLE) as (app, pilot):
        for page in PAGES:
            await at_page(pilot, page.name)
            rows = screen_text(app)
            for _ in range(4):
                await press(pilot, "down")
                rows += screen_text(app)
            for secret in ("GPP", "CAPP", "Red One", "Green"):
                assert secret not in rows, page.name


# --- the audit ------------------------------------------------------------------------------------


async def audited(pilot: Pilot[Any]) -> None:
    """The page of the audit, once it has been run."""
    await at_page(pilot, "audit")
    await pilot.press("enter")
    app = pilot.app
    assert isinstance(app, BrtApp)
    for _ in range(250):
        await pilot.pause(0.02)
        if "run it again" in screen_text(app):
            return
    raise AssertionError("the audit did not end within five seconds")


async def test_the_audit_of_an_honest_campaign_finds_nothing_from_any_seat(
    demo_file: Path,
) -> None:
    async with in_campaign(played(demo_file, "15.6041")) as (app, pilot):
        for seat in (None, *Side):
            await app.session.sit(seat)
            await at_page(pilot, "audit")
            assert "Nothing found" not in screen_text(app), "another seat sees no audit of this one"
            await audited(pilot)
            assert "✓ Nothing found in" in screen_text(app), seat
            assert "Head:" in screen_text(app)


async def test_a_finding_leads_to_its_entry(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finding = Finding("rules", "15.6031", "the rules make something else of it", ("12",), entry=12)
    report = Report.of(30, "abc", [finding])
    monkeypatch.setattr("brt_cg.audit.audit", lambda path, head, side, heed: report)
    async with in_campaign(played(demo_file, "15.6041")) as (app, pilot):
        await audited(pilot)
        assert "✗ 1 finding in 30 entries" in screen_text(app)
        await press(pilot, "down", "enter")
        await rest(pilot)
        assert "─ 12 · " in screen_text(app)


async def test_escape_stops_the_audit(demo_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(path: Path, head: None, side: None, heed: Callable[[int, int], None]) -> None:
        while True:
            heed(1, 3)
            sleep(0.01)

    monkeypatch.setattr("brt_cg.audit.audit", endless)
    async with in_campaign(demo_file) as (app, pilot):
        await at_page(pilot, "audit")
        await press(pilot, "enter")
        await rest(pilot)
        assert "Auditing: 33%" in screen_text(app)
        assert "Escape Stop" in screen_text(app)
        await press(pilot, "escape")
        await rest(pilot)
        assert "Run the audit" in screen_text(app)


# --- export and print -----------------------------------------------------------------------------


async def test_every_document_is_previewed_and_written_over_another_only_when_asked(
    demo_file: Path,
) -> None:
    file = demo_file.with_name("demo-records.html")
    file.write_text("mine")
    async with in_campaign(demo_file, size=MIDDLE, notifications=True) as (app, pilot):
        await at_page(pilot, "export")
        shown = screen_text(app)
        for document in DOCUMENTS:
            assert document.replace("-", " ") in shown.lower()
        await press(pilot, "down")
        await rest(pilot)
        assert "15.6201" in screen_text(app)
        await press(pilot, "down", "enter")
        await rest(pilot)
        assert "a page to print (HTML)" in screen_text(app)
        await pilot.press("enter")
        await pilot.pause(RESTED)
        assert "Write over it?" in screen_text(app)
        await pilot.press("n")
        await rest(pilot)
        assert "nothing was written" in screen_text(app)
        assert file.read_text() == "mine"
        await pilot.press("enter")
        await pilot.pause(RESTED)
        await pilot.press("w")
        await rest(pilot)
        assert "Beach Defense Record" in file.read_text()
        assert "print it from there" in words(screen_text(app))


async def test_the_next_setup_is_written_into_the_save_that_is_named(demo_file: Path) -> None:
    save, made = (demo_file.with_name(name) for name in ("end.vsav", "demo-vsav.vsav"))
    desk = Desk.open(demo_file)
    save.write_bytes(save_of(desk.campaign).file().as_zip())
    desk.close()
    async with in_campaign(demo_file, size=MIDDLE) as (app, pilot):
        await at_page(pilot, "export")
        await press(pilot, *["down"] * len(DOCUMENTS))
        await open_form(pilot)
        app.screen.query_one("#save", Input).value = str(save)
        await press(pilot, "enter")
        await rest(pilot)
    assert {"m-sq-8", "j-sq-8"} <= Saved(read_save(made).text).pieces.keys()


async def test_a_player_writes_only_what_he_may_know(demo_file: Path) -> None:
    async with in_campaign(played(demo_file, None), Side.MARINE, size=MIDDLE) as (app, pilot):
        await at_page(pilot, "export")
        await press(pilot, "down", "down", "enter")
        await rest(pilot)
        assert "As seen by" not in screen_text(app)
        await press(pilot, "right", "enter")
        await rest(pilot)
        assert "CAPP" not in demo_file.with_name("demo-records.md").read_text()


async def test_the_umpires_sheet_is_what_a_side_may_know(demo_file: Path) -> None:
    async with in_campaign(demo_file, size=MIDDLE) as (_, pilot):
        await at_page(pilot, "export")
        await press(pilot, *["down"] * list(DOCUMENTS).index("sheet"), "enter", "enter")
        await rest(pilot)
        assert "Marine" in demo_file.with_name("demo-sheet.html").read_text()


async def test_a_served_screen_writes_no_file(demo_file: Path) -> None:
    app = BrtApp(demo_file, served=True, seat=Side.MARINE)
    async with app.run_test(size=MIDDLE, notifications=True) as pilot:
        await settled(pilot)
        await press(pilot, "full_stop", "left", "enter")
        await rest(pilot)
        assert "written at the machine that serves" in words(screen_text(app))
        assert not isinstance(app.screen, FormScreen)


# --- the order of battle --------------------------------------------------------------------------


async def test_counters_are_added_so_many_alike_at_once(new_file: Path) -> None:
    async with in_campaign(new_file, Side.MARINE, size=MIDDLE) as (app, pilot):
        await at_page(pilot, "order_of_battle")
        await open_form(pilot, "add")
        await press(pilot, "down", "3", "enter")
        await rest(pilot)
        assert "missing; a Marine MMC and every SMC has one" in words(screen_text(app))
        await press(pilot, "down", *"7-6-8")
        await rest(pilot)
        assert "added: 7-6-8 squad m-squad-3" in words(screen_text(app))
        await press(pilot, "enter")
        seen = await settled(pilot)
        assert sorted(seen.view.units) == ["m-squad-1", "m-squad-2", "m-squad-3"]
        await press(pilot, "escape")
        await rest(pilot)
        assert "Reinforcements · 3 squads" in words(screen_text(app))


async def test_where_the_enemy_means_to_set_up_is_not_told(new_file: Path) -> None:
    desk = Desk.open(new_file)
    unit = {"id": "j-1", "side": "japanese", "kind": "leader", "type": "9-1", "location": "H20"}
    state = {"format": "brt-cg/state", "version": 1, "units": [unit]}
    desk.command("reinforce", {"state": state, "source": "ob.json"})
    desk.close()
    async with in_campaign(new_file, Side.MARINE, size=MIDDLE) as (app, pilot):
        await at_page(pilot, "order_of_battle")
        shown = screen_text(app)
        for _ in range(3):
            await press(pilot, "down")
            await rest(pilot)
            shown += screen_text(app)
        assert "1 leader" in shown
        assert "H20" not in shown


# --- a new campaign leads on ----------------------------------------------------------------------


async def test_a_new_campaign_leads_on_to_what_is_missing(new_file: Path) -> None:
    async with opened(new_file, Side.MARINE) as (app, pilot):
        assert "Press Enter: Copy the points of the CG card (Marine)." in screen_text(app)
        assert "○ SAN and ELR · missing: Marine" in screen_text(app)
        await press(pilot, "enter")
        assert "points of a later date" in screen_text(app)
        desk = Desk.open(new_file)
        desk.command("allot", {"side": "marine", "fpp": 30})
        set_ = {"san": 4, "elr": 5}
        desk.command("edit", {"id": "marine", "set": set_, "reason": "card"})
        desk.close()
        await app.session.catch_up()
        await press(pilot, "d", "enter")
        await rest(pilot)
        assert "+ add counters" in screen_text(app)
        await press(pilot, "d")
        assert "✓ Allotments" in screen_text(app)
        assert "✓ SAN and ELR" in screen_text(app)
