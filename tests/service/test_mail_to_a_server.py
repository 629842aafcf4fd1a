"""A mail taken into a campaign on a server where both players have gone on: one transaction, and
what is replaced is kept as a campaign of its own."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.service import mail
from brt_cg.service.mail import ForkChoice, ForkError, MailResult, ReceivedMail
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.storage import store
from brt_cg.storage.backups import BackupReason
from brt_cg.storage.errors import StaleCampaignError, StorageError, UnreachableError
from brt_cg.storage.place import Address
from brt_cg.storage.postgres import close_idle, schema_name, transaction
from tests.homes import set_state_home
from tests.postgres import SUPERUSER, UMPIRE, Server, held

# The fixtures of two players at home.
from tests.service.test_mail import Player, _homes, answers, laid_out, players, take_back

__all__ = ["_homes", "laid_out", "players"]
pytestmark = pytest.mark.postgres


class AtTheClub:
    """The Marine player, whose campaign is on a server."""

    def __init__(self, marine: Player, address: Address) -> None:
        self.marine, self.address = marine, address
        store.copy_campaign(marine.file, address)

    def does(self, work: Callable[[OpenCampaign], object]) -> None:
        desk = self.sits()
        work(desk)
        desk.close()

    def sits(self) -> OpenCampaign:
        set_state_home(self.marine.patch, self.marine.home / "state")
        desk = OpenCampaign.open(self.address)
        desk.set_seat(self.marine.seat)
        return desk

    def receives(self, japanese: Player, take: ForkChoice | None = None) -> ReceivedMail:
        given = japanese.sends()
        set_state_home(self.marine.patch, self.marine.home / "state")
        return mail.receive_mail(self.address, given, self.marine.seat, take)

    def sends(self) -> Path:
        path = self.marine.home / "club.brtmail"
        desk = self.sits()
        mail.write_mail_file(desk, path, self.marine.seat, force=True)
        desk.close()
        return path


@pytest.fixture
def club(players: tuple[Player, Player], address: Address) -> Iterator[AtTheClub]:
    yield AtTheClub(players[0], address)
    close_idle(address)


def head(address: Address) -> str | None:
    return unrestricted_campaign(OpenCampaign.open_read_only(address)).head


def note(words: str) -> Callable[[OpenCampaign], object]:
    return lambda desk: desk.run_command("note", {"words": words, "side": None})


def test_notes_of_both_are_joined_on_the_server_and_the_old_campaign_kept(
    club: AtTheClub, players: tuple[Player, Player]
) -> None:
    japanese = players[1]
    club.does(note("mine"))
    japanese.notes("his")
    before = head(club.address)
    got = club.receives(japanese)
    kept = club.address.of_campaign(f"{club.address.campaign}-before-mail")
    assert (got.done, got.kept) == (MailResult.JOINED, kept)
    assert got.backup_text == f"your earlier campaign is kept as {kept}"
    notes = [
        entry.asked["words"]
        for entry in unrestricted_campaign(OpenCampaign.open_read_only(club.address)).entries[-3:-1]
    ]
    assert notes == ["his", "mine"]
    assert head(kept) == before
    for there in (club.address, kept):
        assert audit_campaign(there).ok, audit_campaign(there).text()
        close_idle(there)
    path = club.sends()
    assert japanese.receives(path).done is MailResult.APPENDED
    assert japanese.head == head(club.address)


@pytest.mark.parametrize("take", ForkChoice)
def test_a_fork_on_a_server_ends_with_the_chosen_campaign(
    club: AtTheClub, players: tuple[Player, Player], take: ForkChoice
) -> None:
    japanese = players[1]
    club.does(take_back)
    japanese.does(answers("stay_hidden"))
    before, theirs = head(club.address), japanese.head
    with pytest.raises(ForkError):
        club.receives(japanese)
    assert head(club.address) == before
    got = club.receives(japanese, take)
    assert isinstance(got.kept, Address)
    hashes = [
        entry.hash
        for entry in unrestricted_campaign(OpenCampaign.open_read_only(club.address)).entries
    ]
    assert hashes[-2] == (before if take is ForkChoice.MINE else theirs)
    assert head(got.kept) == (theirs if take is ForkChoice.MINE else before)
    for there in (club.address, got.kept):
        assert audit_campaign(there).ok, audit_campaign(there).text()
        close_idle(there)


def test_a_second_old_campaign_is_kept_next_to_the_first(
    club: AtTheClub, players: tuple[Player, Player]
) -> None:
    japanese = players[1]
    kept = []
    for number in range(2):
        club.does(note(f"mine {number}"))
        japanese.notes(f"his {number}")
        kept.append(club.receives(japanese).kept)
        japanese.receives(club.sends())
    name = f"{club.address.campaign}-before-mail"
    assert kept == [club.address.of_campaign(name), club.address.of_campaign(f"{name}-2")]


def test_an_open_session_reads_the_replacement_campaign(
    club: AtTheClub, players: tuple[Player, Player]
) -> None:
    japanese = players[1]
    open_there = OpenCampaign.open(club.address)
    club.does(note("mine"))
    japanese.notes("his")
    club.receives(japanese)
    assert open_there.has_new_entries()
    open_there.reload()
    assert unrestricted_campaign(open_there).head == head(club.address)
    open_there.run_command("note", {"words": "and on", "side": None})
    open_there.close()
    assert audit_campaign(club.address).ok


def test_nothing_is_replaced_if_others_made_entries_meanwhile(club: AtTheClub) -> None:
    known = head(club.address)
    club.does(note("quicker"))
    now = head(club.address)
    with pytest.raises(StaleCampaignError):
        store.replace_campaign_keeping_copy(
            club.address, known, club.marine.file, BackupReason.BEFORE_MAIL
        )
    assert head(club.address) == now


def test_only_the_owner_can_replace_a_campaign(
    club: AtTheClub, players: tuple[Player, Player], server: Server
) -> None:
    japanese = players[1]
    club.does(note("mine"))
    japanese.notes("his")
    schema = schema_name(club.address)
    root = held(club.address.server, SUPERUSER)
    root.execute("RESET ROLE")
    root.execute("CREATE ROLE guest LOGIN")
    for what in ("USAGE ON SCHEMA", "SELECT, INSERT ON ALL TABLES IN SCHEMA"):
        root.execute(f'GRANT {what} "{schema}" TO guest')
    root.execute(f"SET ROLE {UMPIRE}")  # the connection is shared: as it was
    before = head(club.address)
    guest = Address(club.address.server.replace("umpire@", "guest@"), club.address.campaign)
    assert guest != club.address
    given = japanese.sends()
    with pytest.raises(StorageError, match="your role on the server may not do that"):
        mail.receive_mail(guest, given, club.marine.seat)
    assert head(club.address) == before
    close_idle(guest)


def sleeps(address: Address) -> None:
    with transaction(address) as connection:
        connection.execute("SET LOCAL statement_timeout = '20ms'")
        connection.execute("SELECT pg_sleep(5)")


def test_an_aborted_server_transaction_is_not_reported_as_a_lost_connection(
    club: AtTheClub,
) -> None:
    with pytest.raises(StorageError, match="statement_timeout") as told:
        sleeps(club.address)
    assert not isinstance(told.value, UnreachableError)
    assert "no connection" not in str(told.value)
