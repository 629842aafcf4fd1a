"""Helpers: a campaign on a server with a role for each seat, and its keeper."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

import pytest

from brt_cg import keeper
from brt_cg.model.counters import Side
from brt_cg.opening import open_desk
from brt_cg.questions.asks import Roll, default_of
from brt_cg.seat_desk import SeatDesk
from brt_cg.service.desk import Desk
from brt_cg.storage import seats
from brt_cg.storage.place import Address
from brt_cg.storage.postgres import release


def make_seats(address: Address) -> None:
    """The roles of a campaign that is there."""
    desk = Desk.open(address)
    seats.make(address, desk.pages())
    desk.close()


def release_seats(address: Address) -> None:
    for seat in seats.SEATS:
        release(at(address, seat))


def at(address: Address, seat: str) -> Address:
    """The same campaign as the role of a seat opens it."""
    host = address.server.rpartition("@")[2]
    return Address(f"postgresql://{seats.role_of(address, seat)}@{host}", address.campaign)


def seated(address: Address, side: Side) -> SeatDesk:
    """The desk of a side's player."""
    desk = open_desk(at(address, side))
    assert isinstance(desk, SeatDesk)
    return desk


@contextmanager
def kept(address: Address) -> Iterator[list[str]]:
    """While the umpire's role keeps a campaign; what the keeper says."""
    said: list[str] = []
    over = Event()
    thread = Thread(target=keeper.keep, args=(at(address, "umpire"), said.append, False, over))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keeper, "AGAIN", 0.05)
        thread.start()
        try:
            yield said
        finally:
            over.set()
            thread.join()


def play_one(desk: SeatDesk) -> None:
    """Answers the open question as by default, or has it rolled."""
    ask = desk.ask
    assert ask is not None
    if isinstance(ask, Roll):
        desk.answer_on(ask, None, "app")
    else:
        desk.answer_on(ask, default_of(ask))
