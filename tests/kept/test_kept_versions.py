"""Campaigns that each version of the rules played are taken up where they were stopped: opened,
exported, undone, redone, played on with, mailed and audited.

A run tries some campaigns at some stops, chosen by their names; BRT_CG_EFFORT=full tries all.
"""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path
from zlib import crc32

import pytest

from brt_cg.audit import audit
from brt_cg.exports import DOCUMENTS
from brt_cg.exports.status import status_text
from brt_cg.journal.rules_version import VERSION
from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat
from brt_cg.questions.answers import Refused
from brt_cg.service.desk import Desk
from brt_cg.service.whole import whole
from tests.cli.shell import Got, Shell
from tests.homes import set_state_home
from tests.kept.stops import KEPT, STOPS, stop, unpack, version_of
from tests.reading import folded
from tests.settings import count
from tests.vasl.writer import Save, Wrote

ANSWERED, OPEN = 0, 3  # 3: a question is open for the seat
SEATS: tuple[tuple[str, ...], ...] = ((), ("--side", "marine"), ("--side", "japanese"))
SHEET = "sheet"  # of one side alone
INTO_A_SAVE = "vsav"

Stops = Sequence[tuple[str, str]]


def some(about: str, ci: int) -> pytest.MarkDecorator:
    """Runs a test with some kept campaigns, each at a stop: so many, or at full effort all."""
    pairs = sorted(product(KEPT, STOPS), key=lambda pair: chance(about, *pair))
    chosen: Stops = pairs[: count(ci, len(pairs))]
    return pytest.mark.parametrize(("kept", "where"), chosen, ids=["-".join(p) for p in chosen])


def chance(*words: str) -> int:
    """A number that looks random, and is the same in each run."""
    return crc32(" ".join(words).encode())


@pytest.fixture
def campaign(kept: str, where: str, tmp_path: Path) -> Path:
    """A kept campaign at a stop."""
    path = tmp_path / "kept.brt"
    stop(kept, where, path)
    return path


def phase_of(campaign: Path) -> str:
    return whole(Desk.look_at(campaign)).campaign.situation.phase.value


def head_of(campaign: Path) -> str:
    return whole(Desk.look_at(campaign)).head or ""


# --- kept -----------------------------------------------------------------------------------------


def test_a_campaign_of_each_version_of_the_rules_is_kept() -> None:
    versions = {version_of(name) for name in KEPT}
    missing = [str(version) for version in range(1, VERSION) if version not in versions]
    assert missing == [], "python -m tests.tools.keep_campaign, with its last commit"


@pytest.mark.parametrize("kept", KEPT[:: count(8, 1)])
def test_a_kept_campaign_was_played_by_the_version_that_it_is_named_after(
    kept: str, tmp_path: Path
) -> None:
    unpack(kept, tmp_path / "kept.brt")
    entries = whole(Desk.look_at(tmp_path / "kept.brt")).entries
    made_by = {str(entry.payload["rules"]).partition(" ")[0] for entry in entries}
    assert made_by == {str(version_of(kept))}
    assert {"buy", "commit", "void", "import", "edit", "undo", "redo"} <= {e.kind for e in entries}


# --- looked at ------------------------------------------------------------------------------------


@some("open", ci=2)
def test_it_opens_from_each_seat_and_stays_as_it_is(campaign: Path, brt: Shell) -> None:
    before = campaign.read_bytes()
    for seat in SEATS:
        got = brt("status", campaign, *seat)
        assert (got.code in (ANSWERED, OPEN), bool(got.out)) == (True, True), (seat, got)
    assert campaign.read_bytes() == before


@some("export", ci=1)
def test_every_document_is_written(
    campaign: Path, kept: str, where: str, brt: Shell, tmp_path: Path
) -> None:
    save = tmp_path / "end.vsav"
    save.write_bytes(Save().at("N20", Wrote("1", "7-6-8 Msq", "am/x")).file().as_zip())
    for document in DOCUMENTS:
        seats = SEATS[1:] if document == SHEET else SEATS
        seat = seats[chance(kept, where, document) % len(seats)]
        into = ("--from", save) if document == INTO_A_SAVE else ()
        got = brt("export", campaign, document, "-o", f"written.{document}", *into, *seat)
        assert got.code == ANSWERED, (document, seat, got)


@some("audit", ci=2)
def test_the_audit_has_no_finding(campaign: Path) -> None:
    assert [str(finding) for finding in audit(campaign).findings] == []


# --- played on with -------------------------------------------------------------------------------


@some("continue", ci=1)
def test_it_is_played_on_with_to_the_next_scenario_and_audited(campaign: Path, brt: Shell) -> None:
    end_scenario(campaign, brt)
    got = brt("refit", campaign, "--auto", "--seed", 9)
    assert (got.code, phase_of(campaign)) == (ANSWERED, "scenario"), got
    assert brt("undo", campaign).code == ANSWERED
    assert brt("redo", campaign).code == ANSWERED
    got = brt("audit", campaign)
    assert got.code == ANSWERED, got


def end_scenario(campaign: Path, brt: Shell) -> None:
    """Enters the end of the scenario, if one is being played."""
    if phase_of(campaign) != "scenario":
        return
    state = campaign.with_name("next.json")
    assert brt("export", campaign, "state", "-o", state).code == ANSWERED
    found = json.loads(state.read_text("utf-8"))
    found["sides"]["marine"]["cvp"] += 3
    state.write_text(json.dumps(found), "utf-8")
    got = brt("import", campaign, state, "--yes", "--missing", "keep")
    assert got.code == ANSWERED, got


@some("mail", ci=1)
def test_it_is_mailed_and_comes_back_with_what_the_opponent_played(
    campaign: Path, brt: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    theirs = tmp_path / "theirs.brt"

    def at_home(side: Side, *words: object) -> Got:
        set_state_home(monkeypatch, tmp_path / side)
        return brt(*words, "--side", side)

    end_scenario(campaign, brt)
    mailed = [
        at_home(Side.MARINE, "send", campaign, "-o", "first.brtmail", "--all"),
        at_home(Side.JAPANESE, "receive", theirs, "first.brtmail"),
        at_home(Side.JAPANESE, "note", theirs, "seen"),
    ]
    at_home(Side.JAPANESE, "refit", theirs, "--auto", "--seed", 3)  # as far as this side may
    mailed += [
        at_home(Side.JAPANESE, "send", theirs, "-o", "second.brtmail"),
        at_home(Side.MARINE, "receive", campaign, "second.brtmail"),
    ]
    assert [got for got in mailed if got.code != ANSWERED] == []
    assert head_of(campaign) == head_of(theirs)


# --- undone and redone ----------------------------------------------------------------------------


@some("undo", ci=1)
def test_it_is_undone_to_the_beginning_and_redone_to_the_end(campaign: Path) -> None:
    desk = Desk.open(campaign, backs_up=False)
    before = folded(whole(desk))
    undone = steps(desk, desk.undo, count(10, 10_000))
    assert undone > 0
    assert folded(whole(desk)) == whole(desk).campaign
    assert steps(desk, desk.redo, 10_000) == undone
    desk.close()
    assert folded(whole(Desk.look_at(campaign))) == before


def steps(desk: Desk, step: Callable[[], object], limit: int) -> int:
    """Undoes or redoes until that is refused; after each step every seat sees where it is. Returns
    the number of steps."""
    done = 0
    with suppress(Refused):
        while done < limit:
            step()
            done += 1
            for seat in (*((Seat.MARINE, Seat.JAPANESE) if done % 8 == 1 else ()), None):
                desk.sit(seat)
                assert status_text(desk.book())
    if done < limit:
        with pytest.raises(Refused, match="there is nothing to"):
            step()
    return done
