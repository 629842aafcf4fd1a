"""The address for friends, who have no seat: they read what both sides know, and nothing else."""

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from brt_cg.cli import main
from brt_cg.exports import export_document
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.web import FRIENDS, SEATS
from brt_cg.web.addresses import Tokens, load_or_create_tokens
from tests.web.serving import played_to, served, with_doors
from tests.web.test_doors import cookie, get
from tests.web.test_rights import IN_PATHS

HOST = "127.0.0.1:80"


def fetched(app: web.Application, tokens: Tokens, whose: str, *paths: str) -> list[bytes]:
    """The pages that a browser with a cookie gets; empty for one that does not open."""

    async def fetch() -> list[bytes]:
        mine = f"{tokens.cookie_name(whose)}={tokens.cookie_value(whose)}"
        headers = {"Cookie": mine, "Host": HOST, "Origin": f"http://{HOST}"}
        found = []
        async with TestClient(TestServer(app)) as client:
            for path in paths:
                answer = await client.get(path, headers=headers)
                found.append(await answer.read() if answer.status == 200 else b"")
        return found

    return asyncio.run(fetch())


@pytest.mark.parametrize("through", ["15.602", "15.614"])
def test_friends_get_exactly_the_public_export(through: str, demo_file: Path) -> None:
    """Also while a side decides something in private."""
    played_to(demo_file, through)
    tokens = load_or_create_tokens("friends", SEATS, friends=True)
    _, app = with_doors(demo_file, tokens)
    chronicle, drawn = fetched(app, tokens, FRIENDS, "/friends/chronicle", "/friends/map")
    book = OpenCampaign.open_read_only(demo_file).public_view()
    assert chronicle == str(export_document(book, "chronicle", "html")).encode()
    assert drawn == str(export_document(book, "map", "svg")).encode()


def test_the_friends_page_shows_the_campaigns_state_without_secrets(
    demo_file: Path,
) -> None:
    tokens = load_or_create_tokens("friends", SEATS, friends=True)
    _, app = with_doors(demo_file, tokens)
    [before] = fetched(app, tokens, FRIENDS, "/friends/")
    desk = OpenCampaign.open(demo_file)
    desk.run_command("note", {"words": "We meet on Friday.", "side": None})
    desk.run_command("note", {"words": "He has no HMG left.", "side": "marine"})
    desk.close()
    _, app = with_doors(demo_file, tokens)
    page = fetched(app, tokens, FRIENDS, "/friends/")[0].decode()
    assert "What both sides know" in page
    assert "Next: begin the Refit Phase with 15.601" in page
    assert "20 PM" in page
    assert "We meet on Friday." in page
    assert "We meet on Friday." not in before.decode()
    assert "He has no HMG left." not in page
    table = unrestricted_campaign(OpenCampaign.open_read_only(demo_file)).campaign
    public = OpenCampaign.open_read_only(demo_file).public_view().campaign
    hidden = {each.id for each in table.counters()} - {each.id for each in public.counters()}
    assert hidden
    assert [id for id in hidden if id in page] == []


def test_an_entry_updates_the_friends_page(demo_file: Path) -> None:
    tokens = load_or_create_tokens("friends", SEATS, friends=True)
    server, _ = with_doors(demo_file, tokens)
    before = server._public_page("status")
    assert server._public_page("status") is before
    desk = OpenCampaign.open(demo_file)
    desk.run_command("note", {"words": "We meet on Friday.", "side": None})
    desk.close()
    assert b"We meet on Friday." in server._public_page("status")


def test_a_friend_cannot_open_a_seat_and_a_player_cannot_open_the_friends_page(
    demo_file: Path,
) -> None:
    tokens = load_or_create_tokens("friends", SEATS, friends=True)
    _, app = with_doors(demo_file, tokens)
    doors = [
        route.resource.canonical
        for route in app.router.routes()
        if route.resource is not None and route.resource.canonical.startswith("/seat/{seat}")
    ]
    assert len(doors) >= 6
    paths = [door.format(seat=seat, **IN_PATHS) for door in doors for seat in (*SEATS, FRIENDS)]
    assert {*fetched(app, tokens, FRIENDS, *paths)} == {b""}
    _, app = with_doors(demo_file, tokens)
    of_friends = ("/friends/", "/friends/chronicle", "/friends/map")
    assert {*fetched(app, tokens, "marine", *of_friends)} == {b""}


def test_the_friends_address_is_valid_until_closed() -> None:
    assert FRIENDS not in load_or_create_tokens("five", SEATS).of_seat
    made = load_or_create_tokens("five", SEATS, friends=True).of_seat[FRIENDS]
    assert load_or_create_tokens("five", SEATS).of_seat[FRIENDS] == made
    players = load_or_create_tokens("five", SEATS).of_seat["marine"]
    closed = load_or_create_tokens("five", SEATS, friends=False)
    assert (closed.seat_of(made), closed.was_closed(made)) == (None, True)
    assert closed.of_seat["marine"] == players
    assert FRIENDS not in load_or_create_tokens("five", SEATS).of_seat
    again = load_or_create_tokens("five", SEATS, friends=True)
    assert again.of_seat[FRIENDS] != made
    assert FRIENDS in load_or_create_tokens("five", SEATS, new=True).of_seat
    assert load_or_create_tokens("five", SEATS).was_closed(again.of_seat[FRIENDS])


def test_the_host_creates_and_closes_the_friends_address(demo_file: Path) -> None:
    with served(demo_file, "--friends") as addresses:
        address = addresses[FRIENDS]
        status, headers, _ = get(address)
        assert (status, headers["Location"]) == (303, "/friends/")
        mine = cookie(address)
        status, headers, page = get(address, "/friends/", Cookie=mine)
        assert (status, "What both sides know" in page) == (200, True)
        assert "script-src" not in headers["Content-Security-Policy"]
        assert get(address, "/", Cookie=mine)[1]["Location"] == "/friends/"
    query = f"/?{urlsplit(address).query}"
    with served(demo_file) as addresses:
        assert get(addresses["marine"], query)[0] == 303
    with served(demo_file, "--no-friends") as addresses:
        status, _, page = get(addresses["marine"], query, Accept="text/html")
        assert (status, "was closed by the player who serves" in page) == (403, True)
        status, _, page = get(addresses["marine"], "/friends/", Cookie=mine, Accept="text/html")
        assert (status, "This address for friends is closed" in page) == (403, True)


def test_both_friends_options_together_are_refused_and_a_systemd_unit_keeps_one(
    demo_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", str(demo_file), "--friends", "--no-friends"]) == 2
    assert "contradict each other" in capsys.readouterr().err
    assert main(["serve", str(demo_file.parent), "--unit", "--friends"]) == 0
    assert " --friends" in capsys.readouterr().out
