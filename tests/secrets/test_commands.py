"""No command prints the other side's secrets, nor on a server, nor as tables: each is run on two
campaigns that differ in them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from brt_cg.cli import main
from brt_cg.exports import export_document
from brt_cg.exports.purchases import purchases_text
from brt_cg.refit.sequence import paragraph_of
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.storage.place import Address, Place
from brt_cg.storage.postgres import close_idle
from brt_cg.views.view import create_view
from tests.exports.journals import JAPANESE, NOON, plain_answer
from tests.postgres import Server
from tests.secrets.pairs import HIDDEN, POINTS, ended


def twin(path: Place, number: int) -> Place:
    """A campaign played up to its setup; the two of them differ in Japanese secrets only."""
    desk = OpenCampaign.create(path, asked_for_new(), clock=lambda: NOON)
    item = ("hmg", "wire")[number]
    order = {"item": item, "side": "japanese", "beach": "red_one", "quantity": number + 1}
    desk.run_command("buy", order, "japanese")
    desk.run_command("buy", order | {"draft": True}, "japanese")
    desk.run_command(("commit", "discard")[number], {"side": "japanese"}, "japanese")
    desk.run_command("import", ended(HIDDEN[number]))
    while (ask := desk.play_to_question(paragraph_of("15.6202"))) is not None:
        raw = plain_answer(ask)
        if ask.rule == "15.616":
            raw = bool(number)
        elif ask.rule == "15.6202" and ask.side is JAPANESE:
            raw = {"j-sq-9": ("M41", "L38")[number]}
        desk.answer(raw, ask.side)
    desk.close()
    return path


def asked_for_new() -> dict[str, Any]:
    return {"cg": "III", "name": None, "players": None, "allotments": POINTS}


# One line for each command: what it prints is made of the same journal.
ON_A_SERVER = (
    *(("status",), ("purchases",), ("audit",), ("explain", "entry", "3")),
    ("export", "journal", "--format", "json"),
)


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two files, whose paths are equally long."""
    folders = [tmp_path_factory.mktemp(f"twin{number}") for number in range(2)]
    for number, folder in enumerate(folders):
        twin(folder / "c.brt", number)
    return [folder / "c.brt" for folder in folders]


@pytest.fixture(scope="module")
def on_a_server(server: Server) -> Iterator[list[Address]]:
    """Two campaigns on a server."""
    places = [server.address(f"twin-{number}") for number in range(2)]
    for number, place in enumerate(places):
        twin(place, number)
    yield places
    for place in places:
        close_idle(place)


def printed(line: tuple[str, ...], place: Place, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The exit status of a command of the Marines, and what it prints."""
    command, *rest = line
    code = main([command, str(place), *rest, "--side", "marine"])
    return [str(code), *(text.replace(str(place), "CAMPAIGN") for text in capsys.readouterr())]


@pytest.mark.postgres
@pytest.mark.parametrize("line", ON_A_SERVER, ids=" ".join)
def test_a_command_of_the_marines_prints_no_japanese_secret_on_a_server(
    line: tuple[str, ...], on_a_server: list[Address], capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = (printed(line, address, capsys) for address in on_a_server)
    assert one == other


def test_the_umpire_and_the_japanese_see_the_difference(twins: list[Path]) -> None:
    """The pair does differ, in each of the secrets."""
    campaigns = [unrestricted_campaign(OpenCampaign.open(path)).campaign for path in twins]
    bought = [{one.item for one in campaign.purchases.values()} for campaign in campaigns]
    assert bought == [{"hmg"}, {"wire"}]
    assert [campaign.situation.banzai for campaign in campaigns] == [False, True]
    assert [campaign.units["j-sq-9"].location for campaign in campaigns] == ["M41", "L38"]
    for side in (None, JAPANESE):
        one, other = (unrestricted_campaign(OpenCampaign.open(path)) for path in twins)
        assert purchases_text(create_view(one, side)) != purchases_text(create_view(other, side))
        assert export_document(create_view(one, side), "state", "json") != export_document(
            create_view(other, side), "state", "json"
        )
