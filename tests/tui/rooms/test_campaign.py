"""The Campaign room: its pages, what Enter does there, where they lead, what they keep secret."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from brt_cg.audit import Finding, Report
from brt_cg.card import load_card
from brt_cg.card.rulings import BRIEF
from brt_cg.exports import DOCUMENTS, NAMES, USES
from brt_cg.model.counters import Side
from brt_cg.questions.answers import RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.tui.dialogs.why import WhyScreen
from brt_cg.tui.forms.screen import FormScreen
from brt_cg.tui.frame.help_screen import HelpScreen
from brt_cg.tui.look.lines import HangingText
from brt_cg.tui.question.form import group_by_field, parse_number_or_text
from brt_cg.tui.rooms.campaign import allotments
from brt_cg.tui.rooms.campaign import audit as auditing
from brt_cg.tui.rooms.campaign.audit import AuditPage
from brt_cg.tui.rooms.campaign.order_of_battle import OrderOfBattlePage
from brt_cg.tui.rooms.campaign.page import PageRow, PageShape
from brt_cg.tui.rooms.campaign.screen import campaign_pages
from brt_cg.tui.session.session import CampaignSnapshot, Seat, Session
from brt_cg.vasl.pieces import VaslSave
from brt_cg.vasl.savefile import read_save
from tests.tui.helpers import (
    MIDDLE,
    SMALL,
    at_work,
    same_as_golden,
    screen_text,
    settled,
    shown,
    until,
    words,
)
from tests.tui.moments import at_desk, filled, opened, played, press, seen_in
from tests.vasl.demo_save import save_of

WIDE = 120  # cells of a row
RESTED = 0.4  # seconds after which what leads on stands there


KEYS = {"-": "minus"}
in_campaign = partial(opened, room="campaign")


async def at_page(pilot: Pilot[Any], name: str) -> CampaignSnapshot:
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
    await until(pilot, lambda: isinstance(pilot.app.screen, FormScreen) and pilot.app.focused)


def rows(session: Session, page: str) -> list[PageRow]:
    """The rows of a page, as the seat sees them now."""
    return [*next(each for each in campaign_pages() if each.name == page).rows(seen_in(session))]


def row(session: Session, page: str, id: str) -> PageRow:
    return next(row for row in rows(session, page) if row.id == id)


async def leads(session: Session, row: PageRow) -> list[str]:
    """The lines that lead on from a row."""
    assert row.id is not None
    found = await row.leads(session, seen_in(session), row.id) if row.leads else ()
    return [str(lead.words) for lead in found]


async def shown_of(session: Session, row: PageRow) -> str:
    """All that a page shows of a row."""
    told = [row.content_for_width(WIDE).plain, row.title, row.details.plain, row.enter]
    return words("\n".join([*told, *(await leads(session, row) if row.id else ())]))


async def form_at(session: Session, page: str, id: str) -> Any:
    """The form that Enter opens at a row."""
    opened = []

    async def fill_in(form: object) -> None:
        opened.append(form)

    app: Any = SimpleNamespace(session=session, show_form=fill_in, served=False)
    does = row(session, page, id).does
    assert does is not None
    await does(app)
    return opened[0]


async def test_each_page_looks_right_and_has_its_help(
    demo_file: Path,
) -> None:
    async with opened(played(demo_file, "15.6122")) as (app, pilot):
        await press(pilot, "full_stop")
        for page in (*campaign_pages()[1:], campaign_pages()[0]):
            await pilot.press("right")
            title, _ = HelpScreen(app.screen).about or ("", "")
            assert title == f"Campaign · {page.title}"
            if page.name != "audit" and page.shape is not PageShape.PREVIEW:
                # These carry the head of the journal, another each time.
                await rest(pilot)
                same_as_golden(app, f"campaign-{page.name}-80x24")
        await press(pilot, "left", "question_mark")
        assert f"Campaign · {campaign_pages()[-1].title}" in screen_text(app)


# --- rulings --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [*Side, None])
async def test_each_seat_sees_a_rulings_meaning_and_its_uses(demo_file: Path, seat: Seat) -> None:
    async with at_desk(played(demo_file, None), seat) as session:
        shown = await shown_of(session, row(session, "rulings", "R-VP"))
        assert "Ruling on 15.615" in shown
        assert "Which Victory Points decide a scenario?" in shown
        assert "◉ those scored since the scenario started default" in shown
        assert "○ those scored since the campaign started" in shown
        assert "from: the title names the CG scenario. Confidence: low." in shown
        assert "Victory Points (15.615):" in shown


async def test_uses_of_a_ruling_are_listed_one_per_line(demo_file: Path) -> None:
    async with at_desk(played(demo_file, None)) as session:
        head, *things = await leads(session, row(session, "rulings", "R-MARKERS"))
        assert head.endswith("· 15.602 Marker removal")
        assert "  7-6-8 squad no. 4 (O11) loses its TI marker" in things
        assert not any("R-MARKERS" in thing for thing in things)


async def test_a_use_of_a_ruling_links_to_its_entry(demo_file: Path) -> None:
    async with in_campaign(played(demo_file, None), size=MIDDLE) as (app, pilot):
        await at_page(pilot, "rulings")
        await press(pilot, "slash", *"r-vp", "enter")
        await rest(pilot)
        shown = words(screen_text(app))
        assert "Allotments Totals Order of battle Rulings Audit" in shown
        assert "Ruling on 15.615" in shown
        assert "Decisions based on it" in shown
        assert "Victory Points (15.615):" in shown
        await press(pilot, "tab")
        assert "Enter: go to its line, Esc: back" in screen_text(app)
        await press(pilot, "escape")
        assert app.screen.query_one("#rows").has_focus
        await press(pilot, "tab", "enter")
        await pilot.pause(RESTED)
        assert "15.6032 Victory and CVP" in words(screen_text(app))
        assert app.current_mode == "journal"


async def test_a_ruling_is_changed_for_this_campaign(demo_file: Path) -> None:
    async with at_desk(demo_file) as session:
        form = await form_at(session, "rulings", "R-VP")
        typed = filled(form, **{"R-VP": "campaign"})
        told = (await form.validate(typed, 0)).verdict.plain
        assert "those scored since the campaign started." in told
        assert "Applies from now on" in told
        await form.submit(typed)
        assert seen_in(session).view.ruling_value("R-VP") == "campaign"
        changed = row(session, "rulings", "R-VP")
        told = words(changed.content_for_width(WIDE).plain)
        question = "Which Victory Points decide a scenario?"
        assert told == f"• {question} those scored since the campaign started 15.615"
        assert "until now: those scored since the scenario started" in await shown_of(
            session, changed
        )
        again = await form_at(session, "rulings", "R-VP")
        assert (
            "This is the current ruling" in (await again.validate(filled(again), 0)).verdict.plain
        )
        await session.perform(lambda desk: desk.undo_or_request())
        assert seen_in(session).view.ruling_value("R-VP") == "scenario"
        assert "•" not in row(session, "rulings", "R-VP").content_for_width(WIDE).plain


async def test_a_ruling_agreed_on_early_is_not_asked_until_undone(
    demo_file: Path,
) -> None:
    async with in_campaign(demo_file, size=MIDDLE) as (app, pilot):
        await at_page(pilot, "rulings")
        await press(pilot, "slash", *"r-cvp-refit", "enter")
        assert "? Which losses of the Refit Phase score Casualty VP? those of 15.601" in words(
            screen_text(app)
        )
        assert "you will be asked the first time it matters" in words(screen_text(app))
        await open_form(pilot)
        assert "you will not be asked about it later" in words(screen_text(app))
        await press(pilot, "enter")
        seen = await settled(pilot)
        assert seen.view.is_ruling_agreed("R-CVP-REFIT")
        assert "R-CVP-REFIT (15.603): Which losses of the Refit Phase" in seen.log[-1].text
        assert "you will be asked the first time" not in words(screen_text(app))
        await press(pilot, "u")
        assert not (await settled(pilot)).view.is_ruling_agreed("R-CVP-REFIT")
        await press(pilot, "U")

        def plays_a_melee(desk: OpenCampaign) -> None:
            ask = desk.continue_play()
            assert ask is not None
            desk.answer_and_play(ask, {"eliminated": ["j-hero-1"]})

        await app.session.perform(plays_a_melee)
        seen = await settled(pilot)
        assert seen.ask is not None
        assert seen.ask.about != "R-CVP-REFIT"
        assert not seen.view.units["j-hero-1"].in_play


@pytest.mark.parametrize("seat", [*Side, None])
async def test_rulings_are_listed_in_words_with_early_ones_first(
    demo_file: Path, seat: Seat
) -> None:
    async with at_desk(played(demo_file, None), seat) as session:
        card = seen_in(session).card
        known = {id: ruling for id, ruling in card.rulings.items() if ruling.has_choice}
        listed = rows(session, "rulings")
        heads = [each.content_for_width(WIDE).plain.partition("  ")[0] for each in listed]
        at = [
            next(at for at, head in enumerate(heads) if head.startswith(name))
            for name in ("Matter from the start", "Asked when they come up", "Rarely matter")
        ]
        assert at == sorted(at)
        for place, each in enumerate(listed):
            if each.id not in known:
                continue
            ruling = known[each.id]
            text = words(each.content_for_width(WIDE).plain)
            assert not re.search(r"\bR-[A-Z]|_", text)
            early, asked = ruling.needs_agreement_beforehand, ruling.is_asked_when_it_matters
            assert (place < at[1]) is early
            assert (at[1] < place < at[2]) is (asked and not early)
            for width in (78, WIDE):
                lines = each.content_for_width(width).plain.splitlines()
                assert max(map(len, lines)) <= width


def test_long_ruling_values_are_shortened_but_distinct() -> None:
    for ruling in load_card("III").rulings.values():
        brief = [ruling.short_value_text(value) for value in ruling.values]
        assert len({*brief}) == len(brief)
        assert all(0 < len(text) <= BRIEF for text in brief)
    capture = load_card("III").rulings["R-CAPTURE-VP"]
    assert capture.short_value_text("normal") == "they count once"


@pytest.mark.parametrize("id", ["r-unload", "r-vp", "r-cvp-refit"])
async def test_the_effect_of_agreeing_on_a_ruling_is_shown_next_to_its_field(
    demo_file: Path, id: str
) -> None:
    async with in_campaign(demo_file, size=MIDDLE) as (app, pilot):
        await at_page(pilot, "rulings")
        await press(pilot, "slash", *(KEYS.get(letter, letter) for letter in id), "enter")
        await open_form(pilot)
        verdict = app.screen.query_one("#verdict", HangingText)
        await until(pilot, lambda: verdict.size.height == len(str(verdict.render()).split("\n")))


# --- totals ---------------------------------------------------------------------------------------


async def test_totals_of_a_new_campaign_are_copied_from_the_card_row_by_row(
    new_file: Path,
) -> None:
    async with in_campaign(new_file) as (app, pilot):
        await at_page(pilot, "totals")
        assert "Not entered yet: copy it from the CG card." in screen_text(app)
        await press(pilot, "slash", *"marine.elr", "enter")
        await open_form(pilot)
        await press(pilot, "f3")
        await rest(pilot)
        assert isinstance(app.screen, WhyScreen)
        assert "Marine ELR" in screen_text(app)
        assert "What do you want to know?" not in screen_text(app)
        await press(pilot, "escape", "5", "enter")
        marine = (await settled(pilot)).view.sides[Side.MARINE]
        assert (marine.san, marine.elr) == (0, 5)
        # --- the other is still missing, and the page opens there ---
        await press(pilot, "escape")
        shown = words(screen_text(app))
        assert "Marine SAN – CVP 0" in shown  # in the header, as on the page
        assert "○ Totals" in shown
        await at_page(pilot, "allotments")
        await at_page(pilot, "totals")
        await open_form(pilot)
        await press(pilot, "4", "enter")
        marine = (await settled(pilot)).view.sides[Side.MARINE]
        assert (marine.san, marine.elr) == (4, 5)
        missing = [row.id for row in app.screen._rows if row.lacks]
        assert missing == ["japanese.san", "japanese.elr"]


async def test_a_new_total_is_shown_while_typing(new_file: Path) -> None:
    async with at_desk(new_file) as session:
        form = await form_at(session, "totals", "marine.elr")
        judged = await form.validate(filled(form, elr="5"), 0)
        assert (judged.verdict.plain, judged.problems) == (
            "Consequences\n"
            "the players correct the Marine totals: ELR 0 → 5 (as the CG card has it)",
            {},
        )
        assert [*(await form.validate(filled(form, elr="-1"), 0)).problems] == ["elr"]


async def test_only_the_announced_enemy_san_is_shown(new_file: Path) -> None:
    desk = OpenCampaign.open(new_file)
    set_ = {"san": 5, "announced_san": 3, "elr": 4}
    desk.run_command("edit", {"id": "japanese", "set": set_, "reason": "card"})
    desk.close()
    async with at_desk(new_file, Side.MARINE) as session:
        enemy = row(session, "totals", "japanese.san")
        assert words(enemy.content_for_width(WIDE).plain) == "SAN 3"
        assert enemy.details.plain.startswith("3, as announced.")
        assert not enemy.enter, "Enter corrects nothing there"


# --- points ---------------------------------------------------------------------------------------


async def test_the_points_of_a_beach_are_entered(new_file: Path) -> None:
    async with at_desk(new_file, Side.JAPANESE) as session:
        assert not seen_in(session).view.allotments
        form = await form_at(session, "allotments", "japanese/red_one")
        typed = filled(form, gpp="24", capp="26^2", fpp="60")
        assert "credited now" in (await form.validate(typed, 0)).verdict.plain
        await form.submit(typed)
        given = seen_in(session).view.allotments["japanese/red_one"]
        assert (given.gpp, given.capp, given.exponent, given.fpp) == (24, 26, 2, 60)
        shown = words(row(session, "allotments", "japanese/red_one").content_for_width(WIDE).plain)
        assert shown == "Red One 24 26 2 60"
        again = await form_at(session, "allotments", "japanese/red_one")
        assert filled(again) == {"gpp": "24", "capp": "26^2", "fpp": "60"}


async def test_capp_without_its_exponent_are_asked_about(new_file: Path) -> None:
    async with at_desk(new_file, Side.JAPANESE) as session:
        form = await form_at(session, "allotments", "japanese/red_one")
        with pytest.raises(RefusedError, match="26: add its exponent"):
            await form.validate(filled(form, capp="26"), 0)
        await form.submit(filled(form, capp="26^0"))
        given = seen_in(session).view.allotments["japanese/red_one"]
        assert (given.capp, given.exponent) == (26, 0)
        again = await form_at(session, "allotments", "japanese/red_one")
        await again.validate(filled(again), 0)


async def test_wrong_points_are_refused_at_their_field(new_file: Path) -> None:
    async with in_campaign(new_file, Side.MARINE) as (app, pilot):
        await at_page(pilot, "allotments")
        await open_form(pilot)
        await press(pilot, "x", "enter")
        await pilot.pause(RESTED)
        assert '✗ "x" is not accepted; enter a' in screen_text(app)
        await press(pilot, "backspace", *"30", "enter")
        assert (await settled(pilot)).view.allotments["marine"].fpp == 30


async def test_points_of_a_later_date_are_entered_and_changed(new_file: Path) -> None:
    async with at_desk(new_file, Side.MARINE) as session:
        form = await form_at(session, "allotments", "grant of marine")
        assert filled(form)["date"] == "20 PM", "the first date to come"
        typed = filled(form, date="20 NT", fpp="15")
        assert "at 15.614 of that date" in (await form.validate(typed, 0)).verdict.plain
        await form.submit(typed)
        grant = seen_in(session).view.allotments["grant-1"]
        assert (grant.date, grant.fpp) == ("20 NT", 15)
        assert "20 NT" in row(session, "allotments", "grant-1").title
        again = await form_at(session, "allotments", "grant-1")
        assert filled(again) == {"date": "20 NT", "fpp": "15"}
        await again.submit(filled(again, fpp="10"))
        assert seen_in(session).view.allotments["grant-1"].fpp == 10


async def test_no_later_points_can_be_entered_without_a_later_date(demo_file: Path) -> None:
    desk = OpenCampaign.open(played(demo_file, None))
    unrestricted_campaign(desk).campaign.situation.date = unrestricted_campaign(desk).card.dates[-1]
    async with at_desk(demo_file, Side.MARINE) as session:
        seen = replace(seen_in(session), view=unrestricted_campaign(desk).campaign)
        later = [row.id for row in allotments.allotment_rows(seen) if row.id == "grant of marine"]
    assert later == []


@pytest.mark.parametrize("page", [page.name for page in campaign_pages()])
async def test_the_enemy_sees_nothing_of_the_japanese_points(demo_file: Path, page: str) -> None:
    async with at_desk(played(demo_file, None), Side.MARINE) as session:
        for each in rows(session, page):
            if (each.id or "").startswith("fixed"):  # which the card tells everybody
                continue
            shown = await shown_of(session, each)
            for secret in ("GPP", "CAPP", "Red One", "Green"):
                assert secret not in shown


# --- the audit ------------------------------------------------------------------------------------


async def test_the_audit_of_an_untampered_campaign_finds_nothing_from_any_seat(
    demo_file: Path,
) -> None:
    page, app = AuditPage(), SimpleNamespace(let_keys_pass=lambda: None)
    heads, told = set(), dict[Seat, list[str]]()
    async with at_desk(played(demo_file, "15.6041")) as session:
        for seat in (None, *Side):
            await session.show_as_seat(seat)
            run, *_ = page.rows(seen_in(session))
            assert run.content_for_width(WIDE).plain == "Run the audit", (
                "another seat sees no audit of this one"
            )
            await page.read_page_data(app, seen_in(session), opened=True)  # type: ignore[arg-type]
            done, *checks = page.rows(seen_in(session))
            assert "✓ Nothing found in" in done.content_for_width(WIDE).plain, seat
            assert done.enter == "run it again"
            assert "Checksum: " in done.details.plain
            heads.add(done.details.plain)
            told[seat] = [words(check.content_for_width(WIDE).plain) for check in checks]
            assert all(line.startswith("✓ ") for line in told[seat])
    assert len(heads) == 3, "each audits what it may know"
    assert "✓ Points 14 allotments, none overspent" in told[None]
    assert "✓ Points 4 allotments, none overspent" in told[Side.MARINE]
    assert told[Side.JAPANESE] != told[None] != told[Side.MARINE], "no count tells a secret"


async def test_the_audit_runs_when_its_page_opens_and_after_new_entries(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Seat] = []

    def counted(path: Path, head: None, side: Seat, on_progress: object) -> Report:
        made.append(side)
        return Report.from_findings(30, "abc", ())

    monkeypatch.setattr(auditing, "audit_campaign", counted)
    async with in_campaign(demo_file) as (app, pilot):
        await at_page(pilot, "audit")
        assert "✓ Hashes" in screen_text(app)
        assert "✓ Nothing found in 30 entries" in screen_text(app)
        await press(pilot, "right", "left")
        assert made == [None], "nothing was added"
        app.perform(
            lambda desk: desk.run_command(
                "note", {"words": "A storm.", "side": None, "about": None}
            )
        )
        await settled(pilot)
        assert "made before the last entry" in screen_text(app)
        await press(pilot, "right", "left")
        await rest(pilot)
        assert made == [None, None]
        await press(pilot, "s", "m")
        await rest(pilot)
        assert made[2:] == [Side.MARINE]


async def test_a_finding_links_to_its_entry(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finding = Finding(
        "rules",
        "15.6031",
        "replayed by the rules, an entry gives a different result",
        ("12",),
        entry=12,
    )
    report = Report.from_findings(30, "abc", [finding])
    monkeypatch.setattr(auditing, "audit_campaign", lambda path, head, side, on_progress: report)
    async with in_campaign(played(demo_file, "15.6041")) as (app, pilot):
        await at_page(pilot, "audit")
        assert "run it again" in screen_text(app)
        assert "✗ 1 finding in 30 entries" in screen_text(app)
        await press(pilot, *["down"] * 4, "enter")
        await rest(pilot)
        assert "─ 12 · " in screen_text(app)


async def test_escape_stops_the_audit(demo_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = Event()

    def endless(
        path: Path, head: None, side: None, on_progress: Callable[[int, int], None]
    ) -> None:
        on_progress(1, 3)
        assert stopped.wait(60)
        on_progress(2, 3)

    monkeypatch.setattr(auditing, "audit_campaign", endless)
    monkeypatch.setattr(auditing, "OFTEN", 0)
    async with in_campaign(demo_file, notifications=True) as (app, pilot):
        await settled(pilot)
        await app.run_action("audit")  # other work may wait until the audit is stopped
        await shown(pilot, "Auditing: 33%")
        app.screen.page._stop = stopped
        await shown(pilot, "Esc Stop")
        await press(pilot, "escape")
        await shown(pilot, "The audit was stopped.")
        await shown(pilot, "Run the audit")


# --- export and print -----------------------------------------------------------------------------


async def test_every_document_is_previewed_and_overwrites_only_after_asking(
    demo_file: Path,
) -> None:
    file = demo_file.with_name("demo-records.html")
    file.write_text("mine")
    async with in_campaign(demo_file, size=MIDDLE, notifications=True) as (app, pilot):
        await at_page(pilot, "export")
        shown = screen_text(app)
        for document in DOCUMENTS:
            assert NAMES[document] in shown
        listed = [row.title for row in app.screen._rows]
        assert (listed[0], listed[-1]) == ("Roster", "Guide")
        await rest(pilot)
        assert "15.6201" in screen_text(app)
        assert "| --" not in screen_text(app), "laid out, not as Markdown"
        await press(pilot, *["down"] * listed.index("Records"), "enter")
        await rest(pilot)
        assert "a page to print (HTML)" in screen_text(app)
        await pilot.press("enter")
        await pilot.pause(RESTED)
        assert "Overwrite it?" in screen_text(app)
        await pilot.press("n")
        await rest(pilot)
        assert "nothing was written" in screen_text(app)
        assert file.read_text("utf-8") == "mine"
        await pilot.press("enter")
        await pilot.pause(RESTED)
        await pilot.press("y")
        await rest(pilot)
        assert "Beach Defense Record" in file.read_text("utf-8")
        assert "print it from there" in words(screen_text(app))


@pytest.mark.parametrize(
    ("seat", "sides"), [(None, ("marine", "japanese")), (Side.MARINE, ("marine",))]
)
async def test_several_documents_are_written_together_for_each_side(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch, seat: Seat, sides: tuple[str, ...]
) -> None:
    monkeypatch.setattr(
        "brt_cg.tui.forms.export.install_command_if_missing", lambda format: "pip install it"
    )
    async with in_campaign(demo_file, seat, size=SMALL, notifications=True) as (app, pilot):
        await at_page(pilot, "export")
        await press(pilot, "space", "down", "space")
        assert "■ Roster" in screen_text(app)
        assert "■ HIP sheet" in screen_text(app)
        assert "Enter: write 2 documents" in screen_text(app)
        await press(pilot, "enter")
        await until(pilot, lambda: not at_work(app, "form"))
        assert "■" not in screen_text(app)
    written = {path.name for path in demo_file.parent.glob("demo-*")}
    assert written == {
        f"demo-{document}-{side}.html" for document in ("roster", "hip-sheet") for side in sides
    }


async def test_a_vasl_export_cannot_be_marked_since_it_needs_a_save(demo_file: Path) -> None:
    async with in_campaign(demo_file, size=MIDDLE) as (app, pilot):
        await at_page(pilot, "export")
        for _ in app.screen._rows:
            await press(pilot, "space")
        assert app.screen.marked.ids == {*DOCUMENTS}


async def test_a_key_opens_the_documents_from_any_room(demo_file: Path) -> None:
    async with in_campaign(demo_file, size=(190, 50)) as (app, pilot):
        await press(pilot, "f7")
        told = await shown(pilot, "Scenario-end form")
        assert app.screen.page.name == "export"
        assert all(f"{NAMES[document]:<21}{USES[document]}" in told for document in DOCUMENTS)
        await press(pilot, "down")
        await open_form(pilot)
        assert "Write scenario-end form" in screen_text(app), "the name in the list"


async def test_a_wide_preview_is_scrolled_sideways(
    demo_file: Path,
) -> None:
    async with in_campaign(demo_file, size=MIDDLE) as (app, pilot):
        await at_page(pilot, "export")
        await press(pilot, "end")
        await press(pilot, "up")  # the state file
        await until(pilot, lambda: app.screen.leads.can_scroll_sideways, "the preview")
        await pilot.press("tab")
        told = await shown(pilot, "sideways, Esc: back")
        assert "kind" in told
        await pilot.press("right", "right")
        told = await shown(pilot, "location")
        assert "j-cr-11" not in told
        await pilot.press("left", "left")
        await shown(pilot, "j-cr-11")
        assert app.screen.page.name == "export"
        await pilot.press("escape", "right")
        assert app.screen.page.name == "catalogue"


async def test_a_failed_write_keeps_the_filled_in_form(
    demo_file: Path,
) -> None:
    async with in_campaign(demo_file, size=MIDDLE) as (app, pilot):
        await at_page(pilot, "export")
        await open_form(pilot)
        file = app.screen.query_one("#path", Input)
        file.value = f"{demo_file}/state.html"
        await pilot.press("enter")
        await until(pilot, lambda: "✗" in screen_text(app), "the refusal")
        assert file.value == f"{demo_file}/state.html"
        made = demo_file.parent / "state.html"
        file.value = str(made)
        await pilot.press("enter")
        await until(pilot, made.is_file, "the file")


async def test_the_next_setup_is_written_into_the_named_save(demo_file: Path) -> None:
    save, made = (demo_file.with_name(name) for name in ("end.vsav", "demo-vsav.vsav"))
    desk = OpenCampaign.open(demo_file)
    save.write_bytes(save_of(unrestricted_campaign(desk).campaign).file().as_zip())
    desk.close()
    async with at_desk(demo_file) as session:
        form = await form_at(session, "export", "vsav")
        told = await form.submit(filled(form, save=f" {save} "))
        assert told.startswith(
            f"{made}\n7-0 Garrity (m-ldr-20) in J38: the save has no piece for it"
        )
    assert {"m-sq-8", "j-sq-8"} <= VaslSave(read_save(made).text).pieces.keys()


async def test_a_player_exports_only_what_he_may_know(demo_file: Path) -> None:
    async with at_desk(played(demo_file, None), Side.MARINE) as session:
        form = await form_at(session, "export", "records")
        assert "side" not in filled(form), "he has no other view to choose"
        await form.submit(filled(form, format="md"))
    written = demo_file.with_name("demo-records-marine.md").read_text("utf-8")
    assert "FPP" in written
    assert "CAPP" not in written


async def test_the_umpires_intelligence_report_shows_what_a_side_may_know(demo_file: Path) -> None:
    async with at_desk(demo_file) as session:
        form = await form_at(session, "export", "sheet")
        assert filled(form)["side"] == "marine", "the first there is to choose"
        assert await leads(session, row(session, "export", "sheet")) == [], "no side is chosen yet"
        await form.submit(filled(form))
    written = demo_file.with_name("demo-sheet-marine.html").read_text("utf-8")
    assert "Marine" in written


async def test_a_document_written_before_is_replaced_without_a_question(demo_file: Path) -> None:
    async with at_desk(demo_file) as session:
        form = await form_at(session, "export", "roster")
        typed = filled(form, format="md", side="japanese")
        for _ in range(2):
            await form.submit(typed)  # nobody is there to answer a question
        written = demo_file.with_name("demo-roster-japanese.md")
        judged = await form.validate(typed, 0)
        assert judged.problems == {}
        assert "you will be asked first" not in judged.verdict.plain
        written.write_text("mine")
        assert "you will be asked first" in (await form.validate(typed, 0)).verdict.plain


async def test_a_format_whose_extra_is_missing_says_so_before_it_is_chosen(
    demo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = {"pdf": 'pip install "brt-cg[pdf]"'}
    monkeypatch.setattr("brt_cg.tui.forms.export.install_command_if_missing", without.get)
    async with at_desk(demo_file) as session:
        form = await form_at(session, "export", "roster")
        formats = dict(form.pages({})[0].fields[0].choices)
        assert (formats["pdf"], formats["xlsx"]) == ("PDF, not installed", "a workbook (XLSX)")
        judged = await form.validate(filled(form, format="pdf"), 0)
        assert judged.problems == {"format": 'it is not installed: pip install "brt-cg[pdf]"'}


# --- the order of battle --------------------------------------------------------------------------


def test_a_too_long_number_is_refused_by_the_command() -> None:
    assert parse_number_or_text("26") == 26
    assert parse_number_or_text("9" * 5000) == "9" * 5000


async def test_several_identical_counters_are_added_together(new_file: Path) -> None:
    async with at_desk(new_file, Side.MARINE) as session:
        form = await form_at(session, "order_of_battle", "add.marine")
        for none in ("0", "9" * 5000):  # Python refuses to read so long a number
            with pytest.raises(ValueError, match=f'many: "{none}" is not accepted; enter'):
                await form.validate(filled(form, many=none), 0)
        many = filled(form, many="3")
        hints = {field.name: field.hint for field in form.pages(many)[1].fields}
        assert hints["units.location"].endswith("off_map; or leave it open until setup")
        with pytest.raises(
            ValueError, match="missing; every Marine MMC and every SMC has one"
        ) as no:
            await form.validate(many, 1)
        assert [*group_by_field(no.value.problems, many)] == ["units.type"]
        typed = filled(form, **many | {"units.type": "7-6-8"})
        assert "added: 7-6-8 squad no. 3" in (await form.validate(typed, 1)).verdict.plain
        await form.submit(typed)
        assert sorted(seen_in(session).view.units) == ["m-squad-1", "m-squad-2", "m-squad-3"]
        becomes = {"kind": "half_squad", "type": "3-4-8"}
        asked = {"id": "m-squad-1", "set": becomes, "reason": "reduced in the scenario"}
        await session.show_as_seat(None)
        await session.perform(lambda desk: desk.run_command("edit", asked))
        page = OrderOfBattlePage()
        await page.read_arrivals(session, seen_in(session))
        told = {each.id: each for each in page.rows(seen_in(session))}
        assert (
            words(told["arrived.marine"].content_for_width(WIDE).plain) == "Arrived 3 – – – – – –"
        )
        assert words(told["now.marine"].content_for_width(WIDE).plain) == "Now 2 1 – – – – –"
        assert "2 squads, 1 HS" in told["now.marine"].details.plain
        assert "Reinforcements · 3 squads" in await shown_of(session, told["arrived.marine"])
        more = await form_at(session, "order_of_battle", "add.marine")
        assert "7-6-8 squad no. 4" in (await more.validate(typed, 1)).verdict.plain


async def test_a_type_is_completed_and_a_misspelled_one_gets_a_suggestion(new_file: Path) -> None:
    async with at_desk(new_file, Side.JAPANESE) as session:
        form = await form_at(session, "order_of_battle", "add.japanese")
        guns = filled(form, sort="weapons")
        offered = {field.name: field.offered for field in form.pages(guns)[1].fields}
        assert "37L AT" in [each.typed for each in offered["weapons.type"]]
        wrong = filled(form, **guns | {"weapons.type": "37L ATT"})
        with pytest.raises(
            ValueError, match="37L ATT: did you mean 37L AT\\? A new type goes in quotes"
        ) as no:
            await form.validate(wrong, 1)
        assert [*group_by_field(no.value.problems, guns)] == ["weapons.type"]
        for typed, kind, kept in (("37lat", "gun", "37L AT"), ('"Type 99"', "sw", "Type 99")):
            await form.submit(filled(form, **guns | {"weapons.type": typed}))
            newest = [*seen_in(session).view.weapons.values()][-1]
            assert (newest.kind.value, newest.type) == (kind, kept)


async def test_the_strength_factors_of_a_japanese_squad_give_its_class(new_file: Path) -> None:
    async with at_desk(new_file, Side.JAPANESE) as session:
        form = await form_at(session, "order_of_battle", "add.japanese")
        await form.submit(filled(form, **{"units.type": "448"}))
        (squad,) = seen_in(session).view.units.values()
        assert (squad.type, squad.class_) == ("4-4-8", "elite")


@pytest.mark.parametrize(("typed", "cvp"), [("", 6), ("5", 5)])
async def test_a_vehicle_has_its_types_points_unless_typed(
    new_file: Path, typed: str, cvp: int
) -> None:
    async with at_desk(new_file, Side.MARINE) as session:
        form = await form_at(session, "order_of_battle", "add.marine")
        of_tanks = filled(form, sort="vehicles", many="1")
        tank = {"vehicles.type": "M4A2", "vehicles.cvp": typed}
        await form.submit(filled(form, **of_tanks | tank))
        (added,) = seen_in(session).view.vehicles.values()
        assert added.cvp == cvp


async def test_the_enemys_setup_locations_are_not_shown(new_file: Path) -> None:
    desk = OpenCampaign.open(new_file)
    unit = {"id": "j-1", "side": "japanese", "kind": "leader", "type": "9-1", "location": "H20"}
    state = {"format": "brt-cg/state", "version": 1, "units": [unit]}
    desk.run_command("reinforce", {"state": state, "source": "ob.json"})
    desk.close()
    async with at_desk(new_file, Side.MARINE) as session:
        shown = [await shown_of(session, each) for each in rows(session, "order_of_battle")]
        assert any("1 leader" in line for line in shown)
        assert not any("H20" in line for line in shown)


# --- a new campaign leads on ----------------------------------------------------------------------


async def test_a_new_campaign_leads_to_the_missing_data(new_file: Path) -> None:
    async with opened(new_file, Side.MARINE) as (app, pilot):
        assert "Press Enter: Copy the points from the CG card (Marine)." in screen_text(app)
        assert "○ SAN and ELR · missing: Marine" in screen_text(app)
        await press(pilot, "enter")
        assert "points granted later" in screen_text(app)
        desk = OpenCampaign.open(new_file)
        desk.run_command("allot", {"side": "marine", "fpp": 30})
        set_ = {"san": 4, "elr": 5}
        desk.run_command("edit", {"id": "marine", "set": set_, "reason": "card"})
        desk.close()
        await app.session.catch_up()
        await press(pilot, "d", "enter")
        await rest(pilot)
        assert "+ add counters" in screen_text(app)
        await press(pilot, "d")
        assert "✓ Allotments" in screen_text(app)
        assert "✓ SAN and ELR" in screen_text(app)


async def test_all_totals_of_a_side_can_be_corrected(new_file: Path) -> None:
    async with opened(new_file, size=MIDDLE) as (app, pilot):
        await app.run_action("totals")
        await pilot.pause()
        await press(pilot, "enter")
        told = await shown(pilot, "correct it")
        assert [name for name in ("SAN", "ELR", "CVP") if name not in told] == []
        assert "F6 shows" not in told
