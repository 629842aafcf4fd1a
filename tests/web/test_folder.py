"""A club's folder, served at one port: each campaign by its name, with doors of its own."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import pytest
from aiohttp.test_utils import TestClient, TestServer

from brt_cg.cli import main
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.web import SEATS
from brt_cg.web.server import Club, ServeOptions
from tests.audit.forger import pried_open
from tests.web.serving import HERE, screens_of, served
from tests.web.tabs import Tab
from tests.web.test_doors import cookie, get
from tests.web.test_plain import Forms

ODD = "50% Betio #1!"


@pytest.fixture
def folder(demo_file: Path) -> Path:
    """A folder with two campaigns, and what is none."""
    shutil.copy(demo_file, demo_file.with_name(f"{ODD}.brt"))
    demo_file.with_name("letters.brt").write_text("Dear Tom", encoding="utf-8")
    demo_file.with_name("notes.txt").write_text("Dear Ann", encoding="utf-8")
    return demo_file.parent


@pytest.fixture
def addresses(folder: Path) -> Iterator[dict[str, str]]:
    with served(folder, campaigns=2) as found:
        yield found


def test_each_campaign_has_its_own_addresses_under_its_name(addresses: dict[str, str]) -> None:
    assert [*addresses] == [f"{name} {seat}" for name in (ODD, "demo") for seat in SEATS]
    assert urlsplit(addresses[f"{ODD} marine"]).path == "/c/50%25%20Betio%20%231%21/"
    tokens = {urlsplit(address).query for address in addresses.values()}
    assert len(tokens) == len(addresses)  # one is a copy of the other
    status, headers, _ = get(addresses["demo marine"])
    assert (status, headers["Location"]) == (303, "/c/demo/seat/marine/")
    assert "; Path=/c/demo/;" in headers["Set-Cookie"]


def test_a_campaign_with_any_name_is_played_on_its_plain_page(
    addresses: dict[str, str],
) -> None:
    address = addresses[f"{ODD} marine"]
    path = f"{urlsplit(address).path}seat/marine/plain"
    assert get(address, path, Cookie=cookie(address))[0] == 200
    (fields, words), *_ = Forms(get(address, path, Cookie=cookie(address))[2]).found
    assert (fields["do"], words) == ("go", "Continue")
    at_root = get(address, "/seat/marine/plain", Cookie=cookie(address))
    assert at_root[0] == 403


async def test_a_screen_starts_on_request_and_shows_its_own_campaign(
    addresses: dict[str, str], folder: Path
) -> None:
    files = [folder / "demo.brt", folder / f"{ODD}.brt"]
    assert [screens_of(file) for file in files] == [[], []]
    address = addresses[f"{ODD} marine"]
    async with aiohttp.ClientSession() as session:
        tab = Tab(address, session, cookie(address), "marine")
        await tab.open()
        await tab.until("CG III")
        assert await tab.state() == "open"
        assert [len(screens_of(file)) for file in files] == [0, 1]
        _, _, health = get(address, "/health")
        assert health == "2 campaigns, all can be read; 1 screen\n"


def a_club(folder: Path) -> tuple[Club, list[str], list[str]]:
    shown: list[str] = []
    said: list[str] = []
    club = Club(HERE, ServeOptions(), shown.append, said.append)
    club.serve_new_campaigns(folder)
    return club, shown, said


def test_a_file_that_is_not_a_campaign_is_reported_once_and_skipped(folder: Path) -> None:
    club, _, said = a_club(folder)
    assert {*club.of} == {"demo", ODD}
    assert len(said) == 1
    assert "letters.brt" in said[0]
    club.serve_new_campaigns(folder)
    assert len(said) == 1


def test_a_name_that_fits_no_address_does_not_stop_the_others(folder: Path) -> None:
    """It ended `serve` for the whole club."""
    if sys.platform != "linux":
        return  # other systems have no such names
    shutil.copy(folder / "demo.brt", folder / os.fsdecode(b"\xdcbung.brt"))
    club, _, said = a_club(folder)
    assert {*club.of} == {"demo", ODD}
    assert any("its name is not in UTF-8; rename the file" in line for line in said)


def test_a_campaign_added_to_the_folder_later_gets_its_addresses(folder: Path) -> None:
    club, shown, _ = a_club(folder)
    before = len(shown)
    shutil.copy(folder / "demo.brt", folder / "letters.brt")
    club.serve_new_campaigns(folder)
    assert [line.rsplit(None, 1)[0] for line in shown[before:]] == [
        "letters marine",
        "letters japanese",
    ]


async def test_the_health_check_reports_an_unreadable_campaign_without_its_name(
    folder: Path,
) -> None:
    club, _, _ = a_club(folder)
    (folder / "demo.brt").write_text("torn", encoding="utf-8")
    async with TestClient(TestServer(club.app())) as client:
        answer = await client.get("/health", headers={"Host": "127.0.0.1:80"})
        assert answer.status == 503
        assert await answer.text() == "2 campaigns, 1 of them cannot be read; 0 screens\n"


async def test_a_seat_of_one_campaign_cannot_open_another(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other")
    assert main(["new", str(other / "own.brt"), "--cg", "I"]) == 0
    shutil.copy(other / "own.brt", folder / "own.brt")
    club, _, _ = a_club(folder)
    mine = club.of["own"].tokens
    headers = {"Host": "127.0.0.1:80", "Cookie": f"{mine.cookie_name('marine')}="}
    headers["Cookie"] += mine.cookie_value("marine")
    async with TestClient(TestServer(club.app())) as client:
        for name, status in (("own", 200), ("demo", 403), ("none", 403)):
            answer = await client.get(f"/c/{name}/seat/marine/plain", headers=headers)
            assert (name, answer.status) == (name, status)
        answer = await client.get(f"/c/demo/?token={mine.of_seat['marine']}", headers=headers)
        assert answer.status == 403


async def test_a_replacement_campaign_does_not_admit_the_old_players(
    folder: Path,
) -> None:
    (folder / "demo.brt").unlink()
    OpenCampaign.create(folder / "demo.brt", {"cg": "I"}).close()
    club, shown, _ = a_club(folder)
    old = club.of["demo"].tokens
    headers = {"Host": "127.0.0.1:80", "Cookie": f"{old.cookie_name('japanese')}="}
    headers["Cookie"] += old.cookie_value("japanese")
    async with TestClient(TestServer(club.app())) as client:
        page = "/c/demo/seat/japanese/plain"
        assert (await client.get(page, headers=headers)).status == 200
        (folder / "demo.brt").unlink()
        OpenCampaign.create(folder / "demo.brt", {"cg": "II"}).close()
        for path in (page, f"/c/demo/?token={old.of_seat['japanese']}", "/c/demo/seat/japanese/"):
            answer = await client.get(path, headers=headers)
            assert (path, answer.status) == (path, 403)
        before = len(shown)
        club.serve_new_campaigns(folder)
        assert len(shown) == before + len(old.of_seat)
        assert (await client.get(page, headers=headers)).status == 403


async def test_the_health_check_reports_a_campaign_damaged_before_the_start(
    folder: Path,
) -> None:
    with pried_open(folder / "demo.brt") as connection:
        connection.execute("UPDATE journal SET hash = 'torn' WHERE seq = 2")
    club, _, _ = a_club(folder)
    assert {*club.of} == {ODD}
    async with TestClient(TestServer(club.app())) as client:
        answer = await client.get("/health", headers={"Host": "127.0.0.1:80"})
        assert answer.status == 503
        assert await answer.text() == "2 campaigns, 1 of them cannot be read; 0 screens\n"


def test_a_folder_without_a_campaign_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", str(tmp_path)]) == 2
    assert "no campaign is there; give a folder with .brt files" in capsys.readouterr().err


def unit(folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(["serve", str(folder), "--unit", *words]) == 0
    return capsys.readouterr().out.splitlines()


def test_a_systemd_unit_serves_the_folder_with_the_given_options(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / 'a "club"'
    folder.mkdir()
    lines = unit(folder, capsys, "--port", "8123", "--notify", "./tell $HOME 50%")
    escaped = str(folder.resolve()).replace('"', '\\"')
    [started] = [line for line in lines if line.startswith("ExecStart=")]
    assert f'-m brt_cg serve "{escaped}" --bind 127.0.0.1 --port 8123' in started
    tell = Path("tell").resolve()
    assert started.endswith(f"--notify \"{tell} '$$HOME' 50%%\"")
    assert f'ReadWritePaths="{escaped}"' in lines
    assert any("http://127.0.0.1:8123/health" in line for line in lines)


def test_the_nightly_backup_of_a_systemd_unit_copies_each_campaign(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    [line] = [line for line in unit(folder, capsys) if "brt_cg copy" in line]
    copies = tmp_path_factory.mktemp("copies")
    command = line.partition("brt-cg cd")[2].replace("\\%", "%")
    command = f"cd {command}".replace("/var/backups/brt-cg", str(copies))
    for _ in range(2):  # that of a week ago makes room
        subprocess.run(["sh", "-c", command], check=False, capture_output=True)
    day = time.strftime("%a")
    assert {file.name for file in copies.iterdir()} == {f"{day}-demo.brt", f"{day}-{ODD}.brt"}


def test_a_systemd_unit_needs_a_folder(demo_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", str(demo_file), "--unit"]) == 2
    assert "--unit needs a folder" in capsys.readouterr().err
