"""An id that a player types, or that the program gives, tells nothing of the enemy's hidden
counters: theirs is refused word for word as an invented one, and a new counter never meets it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brt_cg.cli import main
from brt_cg.commands.state_document import build_state_document
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat
from brt_cg.questions.answers import RefusedError
from brt_cg.refit.sequence import paragraph_of
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.views.requests import open_requests
from tests.cli.shell import Got, Shell, shell
from tests.exports.journals import JAPANESE, MARINE, NOON, new, plain_answer, squad
from tests.secrets.pairs import HIDDEN, POINTS, all_that_is_read, assert_alike, ended

HIDES = ("j-sq-1", "j-gun-1", "j-tank-1", "j-pb-1", "j-sq-6")
INVENTED = "j-no-1"
BEGINNING, WINDOW, SETUP, PLAYED = "its end", "the purchases", "the setup", "the next scenario"
UNTIL = {BEGINNING: None, WINDOW: "15.6143", SETUP: "15.6202", PLAYED: ""}


def played(place: Path, until: str | None) -> Path:
    """A campaign whose Japanese hide, played up to a paragraph ("": to the end of the phase)."""
    asked = {"cg": "III", "name": None, "players": None, "allotments": POINTS}
    desk = OpenCampaign.create(place, asked)
    desk.run_command("buy", {"item": "hmg", "side": "japanese", "beach": "red_one", "quantity": 1})
    desk.run_command("import", ended(HIDDEN[0]))
    last = paragraph_of(until) if until else None
    while until is not None and (ask := desk.play_to_question(last)) is not None:
        if until and ask.rule.startswith(until[:6]):
            break
        desk.answer(plain_answer(ask), ask.side)
    desk.close()
    return place


@pytest.fixture(scope="module")
def campaigns(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("ids")
    return {
        when: played(folder / f"{number}.brt", until)
        for number, (when, until) in enumerate(UNTIL.items())
    }


@pytest.fixture
def brt(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Shell:
    return shell(capsys, tmp_path)


FIELDS = (
    ("name=Q",),
    ("nofield=1",),
    ("status=nonsense",),
    ("location=Z99",),
    ("location=", "name=Q"),
    ("guard=ID",),
    ("possessor=m-sq-1", "vehicle=ID"),
    ("hidden=false", "capacity=3"),
    ("fate=eliminated",),
)


@pytest.mark.parametrize("when", UNTIL)
def test_correcting_a_hidden_counter_is_refused_like_an_invented_one(
    when: str, campaigns: dict[str, Path], brt: Shell
) -> None:
    file = campaigns[when]
    hides = [id for id in HIDES if hidden_now(file, id)]
    assert hides or when == PLAYED
    for fields in FIELDS:
        invented = corrected(brt, file, INVENTED, fields)
        assert invented.code == 2
        for id in hides:
            assert corrected(brt, file, id, fields) == invented


def hidden_now(file: Path, id: str) -> bool:
    campaign = unrestricted_campaign(OpenCampaign.open_read_only(file)).campaign
    found = campaign.find(id)
    return found is not None and campaign.side_hiding(found) is JAPANESE  # type: ignore[arg-type]


def corrected(brt: Shell, file: Path, id: str, fields: tuple[str, ...]) -> Got:
    """What the Marine player reads who corrects a counter, its id taken out."""
    typed = (each.replace("ID", id) for each in fields)
    got = brt("edit", file, id, *typed, "--reason", "a slip", "--side", "marine")
    return Got(got.code, got.out.replace(id, "ID"), got.err.replace(id, "ID"))


COMMANDS: dict[str, Callable[[str], tuple[str, dict[str, Any]]]] = {
    "edit": lambda id: ("edit", {"id": id, "set": {"name": "Q"}, "reason": "r"}),
    "edit without a reason": lambda id: ("edit", {"id": id, "set": {"name": "Q"}, "reason": ""}),
    "edit of a link": lambda id: (
        "edit",
        {"id": "m-sq-1", "set": {"status": ["prisoner"], "guard": id}, "reason": "r"},
    ),
    "drop": lambda id: ("drop", {"ids": [id]}),
    "deploy": lambda id: ("deploy", {"ids": [id]}),
    "note": lambda id: ("note", {"words": "w", "side": "marine", "about": id}),
    "an open note": lambda id: ("note", {"words": "w", "side": None, "about": id}),
    "void": lambda id: ("void", {"purchase": id, "reason": "r"}),
    "buy": lambda id: (
        "buy",
        {"item": "foxhole_1s", "side": "marine", "quantity": 1, "location": f"N19:{id}"},
    ),
    "a weapon handed over": lambda id: (
        "reinforce",
        reinforcement(weapons=[MMG | {"id": "m-w-1", "possessor": id}]),
    ),
    "aboard": lambda id: ("reinforce", reinforcement(units=[squad("m-sq-4", "N19", aboard=id)])),
}
MMG = {"side": "marine", "kind": "sw", "type": "MMG", "location": "N19"}


def reinforcement(**lists: Any) -> dict[str, Any]:
    return {"state": {"format": "brt-cg/state", "version": 1, **lists}, "source": "oob.json"}


@pytest.mark.parametrize("what", COMMANDS)
@pytest.mark.parametrize("when", [BEGINNING, WINDOW, SETUP])
def test_no_command_distinguishes_a_hidden_id_from_an_invented_one(
    when: str, what: str, campaigns: dict[str, Path]
) -> None:
    desk = OpenCampaign.open(campaigns[when])
    desk.set_seat(Seat.MARINE)
    found = [refused(desk, *COMMANDS[what](id)).replace(id, "ID") for id in ("j-sq-1", INVENTED)]
    pj1 = [refused(desk, *COMMANDS["void"](id)).replace(id, "ID") for id in ("pj1", "pj7")]
    assert found[0] == found[1]
    assert pj1[0] == pj1[1]


def test_a_hidden_squad_deploying_with_a_visible_one_is_not_reported(
    campaigns: dict[str, Path], tmp_path: Path
) -> None:
    """What the Marine player reads is what he reads where the open one Deployed alone."""
    journals = []
    for number, ids in enumerate((["j-sq-9"], ["j-sq-1", "j-sq-9"])):
        file = Path(shutil.copy(campaigns[WINDOW], tmp_path / f"{number}.brt"))
        desk = OpenCampaign.open(file)
        unrestricted_campaign(desk).clock = lambda: NOON  # the second may change between the two
        desk.set_seat(Seat.JAPANESE)
        desk.run_command("deploy", {"ids": ids})
        journals.append(unrestricted_campaign(desk))
    read = json.dumps(all_that_is_read(journals[1], MARINE), default=str)
    assert ("j-sq-9.2" in read, "j-sq-1.2" in read) == (True, False)
    assert_alike(*journals)


def refused(desk: OpenCampaign, kind: str, asked: dict[str, Any]) -> str:
    before = len(unrestricted_campaign(desk).entries)
    with pytest.raises(RefusedError) as why:
        desk.run_command(kind, asked)
    assert len(unrestricted_campaign(desk).entries) == before
    return str(why.value)


def test_requesting_a_san_correction_does_not_reveal_the_enemy_san(
    tmp_path: Path,
) -> None:
    """Each figure that is not the announced one is asked for, the true one too."""
    desk = OpenCampaign.open(played(tmp_path / "c.brt", None))
    desk.set_seat(Seat.JAPANESE)
    desk.run_command("edit", {"id": "japanese", "set": {"cvp": 8}, "reason": "r"})
    desk.set_seat(None)
    desk.run_command(
        "edit", {"id": "japanese", "set": {"san": 6, "announced_san": 5}, "reason": "r"}
    )
    desk.set_seat(Seat.MARINE)
    for san in (6, 7):
        desk.run_command("edit", {"id": "japanese", "set": {"san": san}, "reason": "r"})
    six, seven = open_requests(unrestricted_campaign(desk))[1:]
    assert six.stands == seven.stands == {"san": 5}
    assert six.tells == tuple(line.replace("7", "6") for line in seven.tells)


# --- new counters -----------------------------------------------------------------------------


@pytest.fixture
def setup_file(campaigns: dict[str, Path], tmp_path: Path) -> Path:
    return Path(shutil.copy(campaigns[WINDOW], tmp_path / "c.brt"))


def test_a_reinforcement_with_a_hidden_counters_id_gets_the_next_id(
    setup_file: Path, brt: Shell, tmp_path: Path
) -> None:
    lists = {
        "units": [squad("m-sq-8", "off_map") | {"id": "j-sq-1"}],
        "weapons": [MMG | {"id": "m-mmg-1", "possessor": "j-sq-1", "location": "off_map"}],
    }
    state = tmp_path / "oob.json"
    state.write_text(json.dumps(reinforcement(**lists)["state"]))
    got = brt("reinforce", setup_file, state, "--side", "marine")
    assert got.code == 0, got.err
    campaign = unrestricted_campaign(OpenCampaign.open_read_only(setup_file)).campaign
    assert campaign.weapons["m-mmg-1"].possessor == "j-sq-3"
    assert campaign.units["j-sq-3"].side is MARINE
    assert campaign.units["j-sq-1"].side is JAPANESE
    assert brt("audit", setup_file).code == 0
    assert brt("audit", setup_file, "--side", "marine").code == 0


def test_the_umpire_sees_that_an_id_is_used(setup_file: Path) -> None:
    desk = OpenCampaign.open(setup_file)
    desk.set_seat(Seat.UMPIRE)
    one = squad("m-sq-8", "off_map") | {"id": "j-sq-1"}
    assert "j-sq-1 is already in the campaign" in refused(
        desk, "reinforce", reinforcement(units=[one])
    )


def test_a_reports_new_counter_with_a_used_id_gets_another_with_its_links(
    tmp_path: Path, brt: Shell
) -> None:
    file = played(tmp_path / "c.brt", "")
    desk = OpenCampaign.open(file)
    desk.run_command("edit", {"id": "j-sq-1", "set": HIDING, "reason": "hides"})
    found = build_state_document(unrestricted_campaign(desk).campaign, MARINE)
    desk.close()
    found["scenario"] |= {"winner": "marine", "moved_first": "marine"}
    fort = {"id": "j-sq-1", "side": "marine", "type": "foxhole_1s", "location": "N19"}
    found["fortifications"].append(fort)
    found["units"] = [
        row | {"location": "N19:j-sq-1"} if row["id"] == "m-sq-1" else row for row in found["units"]
    ]
    half = tmp_path / "half.json"
    half.write_text(json.dumps(found))
    for words in ((), ("--yes",)):
        how = (*words, "--side", "marine", "--missing", "keep") if words else ("--preview",)
        got = brt("import", file, half, *how, *(() if words else ("--side", "marine")))
        assert got.code == 0, got.err
    campaign = unrestricted_campaign(OpenCampaign.open_read_only(file)).campaign
    assert campaign.units["j-sq-1"].side is JAPANESE
    [foxhole] = [each for each in campaign.fortifications.values() if each.type == "foxhole_1s"]
    assert foxhole.id != "j-sq-1"
    assert campaign.units["m-sq-1"].location == f"N19:{foxhole.id}"
    assert main(["audit", str(file)]) == 0


HIDING = {"location": "L38", "status": ["hidden"], "setup_area": None, "isolated": False}


# --- ids that the program makes ---------------------------------------------------------------


@pytest.mark.parametrize("secrets", [0, 1, 4])
def test_purchase_numbers_of_a_side_do_not_depend_on_the_enemy(secrets: int) -> None:
    journal = new(allotments=POINTS)
    for _ in range(secrets):
        bought(journal, JAPANESE, beach="red_one", item="wire")
        bought(journal, JAPANESE, beach="red_one", item="wire", draft=True)
        journal.run_command("note", {"words": "w", "side": "japanese", "about": None}, "japanese")
    for _ in range(2):
        bought(journal, MARINE, item="foxhole_1s", quantity=2)
    bought(journal, MARINE, item="foxhole_1s", draft=True)
    mine = [each for each in journal.campaign.purchases.values() if each.side is MARINE]
    assert [each.id for each in mine] == ["pm1", "pm2", "dm1"]
    assert mine[1].created == ("pm2-1", "pm2-2")
    voids = {"purchase": "pm2", "reason": "a slip", "side": "marine"}
    journal.run_command("void", voids, "marine")
    assert journal.campaign.purchases["vm3"].voids == "pm2"


def bought(journal: Journal, side: Side, **order: Any) -> None:
    journal.begin_invocation()
    journal.run_command("buy", {"side": side.value, "quantity": 1, **order}, side.value)
