"""Campaigns that each version of the rules played are taken up where they were stopped: opened,
exported, undone, redone, played on with, mailed and audited.

A run tries some campaigns at some stops, chosen by their names; BRT_CG_EFFORT=full tries all.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path
from zlib import crc32

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.exports import DOCUMENTS
from brt_cg.exports.status import status_text
from brt_cg.journal.rules_version import VERSION
from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat
from brt_cg.questions.answers import RefusedError
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from tests.cli.shell import Got, Shell
from tests.homes import set_state_home
from tests.kept.stops import KEPT, STOPS, stop, unpack, version_of
from tests.reading import folded
from tests.settings import count
from tests.vasl.writer import Save, Wrote

ANSWERED, REFUSED, OPEN = 0, 2, 3  # 3: a question is open for the seat
SEATS: tuple[tuple[str, ...], ...] = ((), ("--side", "marine"), ("--side", "japanese"))
SHEET = "sheet"  # of one side alone
INTO_A_SAVE = "vsav"

COMMANDS = (
    "repair",  # first: it counts what this machine has seen of the campaign, copies included
    "status",
    "explain san",
    "purchases",
    "forecast --runs 2",
    "backups",
    "audit",
    "note seen",
    "edit m-sq-1 name=Q --reason slip",
    "rulings --set R-SPLIT=every",
    "answer none",
    "refit",
    "refit --auto --seed 1 --through 15.601",
    "buy foxhole_1s --side marine",
    "draft commit --side japanese",
    "drop m-sq-1",
    "undo",
    "undo --command",
    "undo --side marine",
    "undo --side japanese",
    "redo",
    "redo --side japanese",
    "ahead --side japanese",
    "copy copied.brt",
    "send -o sent.brtmail --all",
    "export state -o state.json",
)
WAY_OUT = re.compile(
    r"undo|redo|edit|allowed|possible now|you can now|answer|refit|nothing to|no drafts|agree|"
    r"may buy"
)


def some(about: str, ci: int) -> pytest.MarkDecorator:
    """Runs a test with some kept campaigns, each at a stop: so many, or at full effort all. A test
    `about` one of STOPS begins with that."""
    pairs = sorted(product(KEPT, STOPS), key=lambda pair: (about != pair[1], chance(about, *pair)))
    return pytest.mark.parametrize(("kept", "where"), pairs[: count(ci, len(pairs))])


def sample(words: Iterable[str], ci: int, *about: str) -> list[str]:
    """Some words, in their order: so many, or at full effort all."""
    listed = [*words]
    chosen = sorted(listed, key=lambda word: chance(*about, word))[: count(ci, len(listed))]
    return [word for word in listed if word in chosen]


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
    return unrestricted_campaign(
        OpenCampaign.open_read_only(campaign)
    ).campaign.situation.phase.value


def head_of(campaign: Path) -> str:
    return unrestricted_campaign(OpenCampaign.open_read_only(campaign)).head or ""


# --- kept -----------------------------------------------------------------------------------------


def test_a_campaign_of_each_version_of_the_rules_is_kept() -> None:
    versions = {version_of(name) for name in KEPT}
    missing = [str(version) for version in range(1, VERSION) if version not in versions]
    assert missing == [], "python -m tests.tools.keep_campaign, with its last commit"


@pytest.mark.parametrize("kept", KEPT[:: count(8, 1)])
def test_a_kept_campaign_was_played_by_the_version_in_its_name(kept: str, tmp_path: Path) -> None:
    unpack(kept, tmp_path / "kept.brt")
    entries = unrestricted_campaign(OpenCampaign.open_read_only(tmp_path / "kept.brt")).entries
    made_by = {str(entry.payload["rules"]).partition(" ")[0] for entry in entries}
    assert made_by == {str(version_of(kept))}
    assert {"buy", "commit", "void", "import", "edit", "undo", "redo"} <= {e.kind for e in entries}


# --- looked at ------------------------------------------------------------------------------------


@some("mismatch", ci=1)
def test_a_kept_campaign_opens_from_each_seat_unchanged(campaign: Path, brt: Shell) -> None:
    before = campaign.read_bytes()
    for seat in SEATS:
        got = brt("status", campaign, *seat)
        assert (got.code in (ANSWERED, OPEN), bool(got.out)) == (True, True), (seat, got)
    assert campaign.read_bytes() == before


@some("export", ci=1)
def test_every_document_of_a_kept_campaign_is_written(
    campaign: Path, kept: str, where: str, brt: Shell, tmp_path: Path
) -> None:
    save = tmp_path / "end.vsav"
    save.write_bytes(Save().at("N20", Wrote("1", "7-6-8 Msq", "am/x")).file().as_zip())
    for document in sample(DOCUMENTS, 4, kept, where):
        seats = SEATS[1:] if document == SHEET else SEATS
        seat = seats[chance(kept, where, document) % len(seats)]
        into = ("--from", save) if document == INTO_A_SAVE else ()
        got = brt("export", campaign, document, "-o", f"written.{document}", *into, *seat)
        assert got.code == ANSWERED, (document, seat, got)


@some("audit", ci=1)
def test_the_audit_of_a_kept_campaign_has_no_finding(campaign: Path) -> None:
    assert [str(finding) for finding in audit_campaign(campaign).findings] == []


# --- played on with -------------------------------------------------------------------------------


@some("mismatch", ci=1)
def test_a_kept_campaign_is_played_to_the_next_scenario_and_audited(
    campaign: Path, brt: Shell
) -> None:
    end_scenario(campaign, brt)
    refit = ("refit", campaign, "--auto", "--seed", 9)
    got = brt(*refit)
    if got.code == REFUSED:  # the rules play the paragraph in progress differently
        assert "undo goes back to the point" in got.err, got
        assert brt("undo", campaign).code == ANSWERED
        got = brt(*refit)
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
def test_a_kept_campaign_is_mailed_back_and_forth(
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
def test_a_kept_campaign_is_undone_to_its_start_and_redone_to_its_end(campaign: Path) -> None:
    desk = OpenCampaign.open(campaign, backs_up=False)
    before = folded(unrestricted_campaign(desk))
    undone = steps(desk, desk.undo_or_request, count(6, 10_000))
    assert undone > 0
    assert folded(unrestricted_campaign(desk)) == unrestricted_campaign(desk).campaign
    assert steps(desk, desk.redo, 10_000) == undone
    desk.close()
    assert folded(unrestricted_campaign(OpenCampaign.open_read_only(campaign))) == before


def steps(desk: OpenCampaign, step: Callable[[], object], limit: int) -> int:
    """Undoes or redoes until that is refused; after each step every seat sees where it is. Returns
    the number of steps."""
    done = 0
    with suppress(RefusedError):
        while done < limit:
            step()
            done += 1
            for seat in (*((Seat.MARINE, Seat.JAPANESE) if done % 8 == 1 else ()), None):
                desk.set_seat(seat)
                assert status_text(desk.view())
    if done < limit:
        with pytest.raises(RefusedError, match="there is nothing to"):
            step()
    return done


@some("end", ci=1)
def test_sixty_undos_and_redos_work_on_the_command_line(campaign: Path, brt: Shell) -> None:
    most = count(3, 60)
    before = folded(unrestricted_campaign(OpenCampaign.open_read_only(campaign)))
    undone = entered(most, lambda: brt("undo", campaign))
    assert undone > 0
    assert brt("status", campaign).code == ANSWERED
    assert entered(most, lambda: brt("redo", campaign)) == undone
    assert folded(unrestricted_campaign(OpenCampaign.open_read_only(campaign))) == before


def entered(most: int, command: Callable[[], Got]) -> int:
    """Enters a command until there is nothing to undo or redo any more; returns how often."""
    for done in range(most):
        got = command()
        if got.code == REFUSED:
            assert "there is nothing to" in got.err, got
            return done
        assert got.code in (ANSWERED, OPEN), got
    return most


# --- no dead end ----------------------------------------------------------------------------------


@some("mismatch", ci=1)
def test_every_refusal_in_a_kept_campaign_names_a_way_out(
    campaign: Path, kept: str, where: str, brt: Shell
) -> None:
    """Also after a few undos, which may stop where the rules of today give another result."""
    for _ in range(chance(kept, where) % 9):
        brt("undo", campaign)
    chosen = sample(COMMANDS, 8, kept, where)
    refused = [found for command in chosen for found in dead_end(campaign, command, brt)]
    assert refused == []


def dead_end(campaign: Path, command: str, brt: Shell) -> Iterator[object]:
    """What a command says on a copy of a campaign, if it fails; or if it is refused and says no way
    out, or the campaign has none."""
    copy = campaign.with_name(f"copy-{chance(command)}.brt")
    copy.write_bytes(campaign.read_bytes())
    verb, *words = command.split()
    got = brt(verb, copy, *words)
    if got.code not in (ANSWERED, OPEN, REFUSED):
        yield command, got
    elif got.code == REFUSED:
        ways = (brt("status", copy), brt("undo", copy))
        if not WAY_OUT.search(got.err) or any(way.code != ANSWERED for way in ways):
            yield command, got, ways
