"""A mail taken into a campaign on a server where both players have gone on: one transaction, and
what is replaced is kept as a campaign of its own."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from brt_cg.audit import audit
from brt_cg.service import mail
from brt_cg.service.desk import Desk
from brt_cg.service.mail import Done, Forked, Received, Take
from brt_cg.service.whole import whole
from brt_cg.storage import store
from brt_cg.storage.backups import Why
from brt_cg.storage.errors import MovedOn, StorageError, Unreachable
from brt_cg.storage.place import Address
from brt_cg.storage.postgres import release, schema_of, transaction
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
        store.copy(marine.file, address)

    def does(self, work: Callable[[Desk], object]) -> None:
        desk = self.sits()
        work(desk)
        desk.close()

    def sits(self) -> Desk:
        set_state_home(self.marine.patch, self.marine.home / "state")
        desk = Desk.open(self.address)
        desk.sit(self.marine.seat)
        return desk

    def receives(self, japanese: Player, take: Take | None = None) -> Received:
        given = japanese.sends()
        set_state_home(self.marine.patch, self.marine.home / "state")
        return mail.receive(self.address, given, self.marine.seat, take)

    def sends(self) -> Path:
        path = self.marine.home / "club.brtmail"
        desk = self.sits()
        mail.send(desk, path, self.marine.seat, force=True)
        desk.close()
        return path


@pytest.fixture
def club(players: tuple[Player, Player], address: Address) -> Iterator[AtTheClub]:
    yield AtTheClub(players[0], address)
    release(address)


def head(address: Address) -> str | None:
    return whole(Desk.look_at(address)).head


def note(words: str) -> Callable[[Desk], object]:
    return lambda desk: desk.command("note", {"words": words, "side": None})


def test_notes_of_both_are_joined_and_what_was_there_is_kept(
    club: AtTheClub, players: tuple[Player, Player]
) -> None:
    japanese = players[1]
    club.does(note("mine"))
    japanese.notes("his")
    before = head(club.address)
    got = club.receives(japanese)
    kept = club.address.named(f"{club.address.campaign}-before-mail")
    assert (got.done, got.kept) == (Done.JOINED, kept)
    assert got.kept_words == f"your campaign as it was is kept as {kept}"
    notes = [entry.asked["words"] for entry in whole(Desk.look_at(club.address)).entries[-3:-1]]
    assert notes == ["his", "mine"]
    assert head(kept) == before
    for there in (club.address, kept):
        assert audit(there).ok, audit(there).text()
        release(there)
    path = club.sends()
    assert japanese.receives(path).done is Done.APPENDED
    assert japanese.head == head(club.address)


@pytest.mark.parametrize("take", Take)
def test_a_fork_on_a_server_ends_with_the_one_that_is_taken(
    club: AtTheClub, players: tuple[Player, Player], take: Take
) -> None:
    japanese = players[1]
    club.does(take_back)
    japanese.does(answers("stay_hidden"))
    before, theirs = head(club.address), japanese.head
    with pytest.raises(Forked):
        club.receives(japanese)
    assert head(club.address) == before
    got = club.receives(japanese, take)
    assert isinstance(got.kept, Address)
    hashes = [entry.hash for entry in whole(Desk.look_at(club.address)).entries]
    assert hashes[-2] == (before if take is Take.MINE else theirs)
    assert head(got.kept) == (theirs if take is Take.MINE else before)
    for there in (club.address, got.kept):
        assert audit(there).ok, audit(there).text()
        release(there)


def test_a_second_one_is_kept_beside_the_first(
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
    assert kept == [club.address.named(name), club.address.named(f"{name}-2")]


def test_who_has_it_open_reads_the_campaign_that_took_its_place(
    club: AtTheClub, players: tuple[Player, Player]
) -> None:
    japanese = players[1]
    open_there = Desk.open(club.address)
    club.does(note("mine"))
    japanese.notes("his")
    club.receives(japanese)
    assert open_there.moved_on()
    open_there.reload()
    assert whole(open_there).head == head(club.address)
    open_there.command("note", {"words": "and on", "side": None})
    open_there.close()
    assert audit(club.address).ok


def test_nothing_is_replaced_where_others_have_gone_on_meanwhile(club: AtTheClub) -> None:
    known = head(club.address)
    club.does(note("quicker"))
    now = head(club.address)
    with pytest.raises(MovedOn):
        store.replace(club.address, known, club.marine.file, Why.BEFORE_MAIL)
    assert head(club.address) == now


def test_who_does_not_own_the_campaign_replaces_nothing(
    club: AtTheClub, players: tuple[Player, Player], server: Server
) -> None:
    japanese = players[1]
    club.does(note("mine"))
    japanese.notes("his")
    schema = schema_of(club.address)
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
        mail.receive(guest, given, club.marine.seat)
    assert head(club.address) == before
    release(guest)


def sleeps(address: Address) -> None:
    with transaction(address) as connection:
        connection.execute("SET LOCAL statement_timeout = '20ms'")
        connection.execute("SELECT pg_sleep(5)")


def test_a_server_that_breaks_off_is_not_told_as_a_lost_connection(club: AtTheClub) -> None:
    with pytest.raises(StorageError, match="statement_timeout") as told:
        sleeps(club.address)
    assert not isinstance(told.value, Unreachable)
    assert "no connection" not in str(told.value)
